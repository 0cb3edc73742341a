//! The command line. Help, man page and shell completions all come from here.

use std::path::PathBuf;

use axle_c::{DataModel, MemoryModel};
use axle_check::{Check, EngineChoice, Order, Pass, ProgramCheck, StoreChoice};
use axle_search::{Algorithm, Fairness, Reduction};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use crate::quantities::{parse_bytes, parse_duration, parse_errors};

/// Checks concurrent software: every interleaving, or a trace of what goes wrong.
///
/// Exit codes: 0 holds, 1 violated, 2 the input is at fault, 3 unknown, 4 Axle is at fault, 130 interrupted.
#[derive(Parser, Debug)]
#[command(name = "axle", version, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a model or a C program: visit every state and report what goes wrong.
    Check(Box<CheckArgs>),
    /// Look for violations by many small searches, each different, for as long as you say. Proves nothing.
    Swarm(Box<SwarmArgs>),
    /// Make one run: at random, along a trail, or as you choose.
    Simulate(SimulateArgs),
    /// Show the run of a trail file again.
    Replay(ReplayArgs),
    /// Look whether a certificate proves what holds of a model, without any search.
    Certify(CertifyArgs),
    /// Print the internal representation of a model or C program, or draw a part of it as a graph.
    Dump(DumpArgs),
    /// Print the part of a model that a property, variable, label or statement depends on.
    Slice(SliceArgs),
    /// Make models of functions of a C program, by tables of abstraction.
    Extract(ExtractArgs),
    /// Print the automaton of a temporal formula.
    Ltl(LtlArgs),
    /// Explain a diagnostic's code (E0201), a kind of violation (invalid-end) or a check (bounds).
    Explain(ExplainArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page of axle or of one of its commands.
    Man {
        /// The command; axle itself where none is given.
        command: Option<String>,
    },
}

/// The model and how to read it.
#[derive(clap::Args, Clone, Debug)]
pub struct ModelArgs {
    /// The model: Promela, C (FILE.c, or FILE.i where a preprocessor has been over it), or the text that `axle dump`
    /// prints.
    pub model: PathBuf,
    /// Define a macro, as 1 where no value is given.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Reading the model")]
    pub define: Vec<String>,
    /// Forget a macro that is defined beforehand.
    #[arg(short = 'U', value_name = "NAME", help_heading = "Reading the model")]
    pub undefine: Vec<String>,
    /// Look for included files here too.
    #[arg(short = 'I', value_name = "DIR", help_heading = "Reading the model")]
    pub include: Vec<String>,
    /// Also state that every run satisfies a formula: LTL over expressions of the model.
    #[arg(long, value_name = "[NAME=]FORMULA", help_heading = "Reading the model")]
    pub ltl: Vec<String>,
    /// Also state that no run is one that an automaton accepts: a file in the Hanoi format, whose propositions are
    /// expressions of the model.
    #[arg(long, value_name = "[NAME=]FILE", help_heading = "Reading the model")]
    pub automaton: Vec<String>,
    /// A message sent to a full channel is lost (Spin's -m), instead of waiting for room.
    #[arg(long, help_heading = "Reading the model")]
    pub lossy: bool,
    /// The most processes that may exist at once.
    #[arg(long, value_name = "N", default_value_t = 255, help_heading = "Reading the model",
          value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub max_processes: u32,
}

/// What is printed, and how.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct OutputArgs {
    /// Print nothing but the result: no progress, no warnings.
    #[arg(long, short)]
    pub quiet: bool,
    /// Use colours.
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

/// How a C program is executed.
#[derive(clap::Args, Clone, Debug)]
pub struct ProgramArgs {
    /// The widths of `long` and of pointers.
    #[arg(long, value_name = "MODEL", default_value = "lp64", value_parser = data_models(),
          help_heading = "C programs")]
    pub data_model: DataModel,
    /// Executions that a verdict covers.
    #[arg(long, value_name = "MODEL", default_value = "c11", value_parser = memory_models(),
          help_heading = "C programs")]
    pub memory_model: MemoryModel,
    /// `malloc` may give a null pointer.
    #[arg(long, help_heading = "C programs")]
    pub malloc_may_fail: bool,
    /// Signed arithmetic wraps around, as with `gcc -fwrapv`, instead of being a violation.
    #[arg(long, help_heading = "C programs")]
    pub wrap: bool,
    /// The most calls inside one another.
    #[arg(long, value_name = "N", default_value_t = 2_000, help_heading = "C programs",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub call_depth: u32,
    /// An argument that the program is started with; once for each, in order. Without it there is none.
    #[arg(long = "arg", value_name = "WORD", allow_hyphen_values = true, help_heading = "C programs")]
    pub arguments: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Further files of a C program, linked with the first.
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub program: ProgramArgs,

    /// Check a model of a C program that this table of abstraction makes. Can be given several times.
    #[arg(long, value_name = "FILE.lut", help_heading = "Models of C programs")]
    pub table: Vec<PathBuf>,
    /// The surroundings of such a model: Promela that includes FUNCTION.spn for each function to extract.
    #[arg(long, value_name = "FILE.pml", requires = "table", help_heading = "Models of C programs")]
    pub wrapper: Option<PathBuf>,
    /// Also check this.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = checks(),
          help_heading = "What to check")]
    pub check: Vec<String>,
    /// Do not check this.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = checks(),
          help_heading = "What to check")]
    pub no_check: Vec<String>,
    /// Stop after this many different violations: a number, or all.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_errors,
          help_heading = "What to check")]
    pub errors: Errors,

    /// Check only this: a check, or a property that the model states, by name. Can be given several times.
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "What to check")]
    pub only: Vec<String>,
    /// What is assumed of the scheduler when runs are judged.
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = fairnesses(),
          help_heading = "What to check")]
    pub fairness: Fairness,
    /// Ask of every formula that holds whether a part of it could be anything else.
    #[arg(long, help_heading = "What to check")]
    pub vacuity: bool,

    /// How to search: for faults bfs, dfs, stateless or random, for runs that break a property scc or nested.
    #[arg(long, value_name = "HOW", value_delimiter = ',', value_parser = searches(),
          help_heading = "How to check")]
    pub search: Vec<SearchChoice>,
    /// What to leave out that no verdict depends on.
    #[arg(long, value_name = "WHAT", default_value = "auto", value_parser = reductions(),
          help_heading = "How to check")]
    pub reduction: ReductionChoice,
    /// How to make the model smaller before it is searched: auto, none, all, or a list.
    #[arg(long, value_name = "LIST", default_value = "auto", value_delimiter = ',', value_parser = passes(),
          help_heading = "How to check")]
    pub passes: Vec<PassChoice>,
    /// Look for shorter runs: to go on for ever, and with --search dfs the shortest to each violation.
    #[arg(long, help_heading = "How to check")]
    pub shortest: bool,
    /// How states are stored.
    #[arg(long, value_name = "STORE", default_value = "auto", value_parser = stores(),
          help_heading = "How to check")]
    pub store: StoreChoice,
    /// Searches with hash functions of their own, where a store may miss states.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "How to check",
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub runs: u32,
    /// About how many states to expect: decides the array of a bitstate store and its functions.
    #[arg(long, value_name = "STATES", help_heading = "How to check",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub expect: Option<u64>,
    /// Bits that a state sets in a bitstate store; chosen from its size and --expect where not given.
    #[arg(long, value_name = "K", help_heading = "How to check",
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub hash_functions: Option<u32>,
    /// Decides hash functions and random walks; equal seeds give equal searches.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "How to check")]
    pub seed: u64,
    /// Walks to make with --search random.
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "How to check")]
    pub walks: u64,
    /// First search roughly, for 1, 2, 4, 8, ... seconds, and then exactly.
    #[arg(long, help_heading = "How to check")]
    pub refine: bool,
    /// How successors are made.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engines(),
          help_heading = "How to check")]
    pub engine: EngineChoice,
    /// Threads to search with, for faults breadth-first; as many as the machine runs at once where not given.
    #[arg(long, value_name = "N", help_heading = "How to check",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// The most memory for states and paths: 500M, 8G. As much as the machine can spare where not given.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
    /// The longest time: 30s, 10m, 2h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub time: Option<std::time::Duration>,
    /// Look at runs of at most this many steps.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub depth: Option<u64>,
    /// Store at most about this many states.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub states: Option<u64>,

    /// Keep in this file where the search is: when it meets a limit, on Ctrl-C and SIGTERM, and every so often.
    #[arg(long, value_name = "FILE", help_heading = "Long runs", conflicts_with_all = ["refine", "certificate"])]
    pub checkpoint: Option<PathBuf>,
    /// How often; 10 minutes where not given.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Long runs")]
    pub checkpoint_every: Option<std::time::Duration>,
    /// Go on from a checkpoint, and keep the file as --checkpoint does unless that names another.
    #[arg(long, value_name = "FILE", help_heading = "Long runs", conflicts_with_all = ["refine", "certificate"])]
    pub resume: Option<PathBuf>,

    /// How to show the run to a violation: in full, without its middle where it is long, if not given.
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Results")]
    pub trace: Option<TraceMode>,
    /// Print the report as JSON (docs/reference/json.md).
    #[arg(long, help_heading = "Results")]
    pub json: bool,
    /// Write a trail from which the run to a violation can be replayed.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub trail: Option<PathBuf>,
    /// Draw the messages of the run to a violation as a sequence chart (SVG).
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub chart: Option<PathBuf>,
    /// Where all that is checked of states holds: write a certificate that `axle certify` can check.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub certificate: Option<PathBuf>,
    /// For tests: damage the path of every violation, so that none replays.
    #[arg(long, hide = true)]
    pub spoil_paths: bool,
    /// Write the report as SARIF 2.1.0.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub sarif: Option<PathBuf>,
    /// Write the report as one self-contained HTML page, with traces, charts and sources.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub html: Option<PathBuf>,
    /// Write the run to a violation of a C program as a witness (SV-COMP, YAML 2.0).
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub witness: Option<PathBuf>,
}

/// What is left out, or that Axle may choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReductionChoice {
    Auto,
    This(Reduction),
}

/// A pass, or several at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassChoice {
    Auto,
    None,
    All,
    One(Pass),
}

#[derive(clap::Args, Debug)]
pub struct SwarmArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// How long to search: 30s, 10m, 2h.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub time: std::time::Duration,
    /// The most memory for all searches together. As much as the machine can spare where not given.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Searches at once; as many as there are processors where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Searches in all, where the time suffices.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub members: Option<u64>,
    /// Decides what the searches do.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Look at runs of at most this many steps.
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Stop after this many different violations: a number, or all.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_errors)]
    pub errors: Errors,
    /// How to show the run to a violation.
    #[arg(long, value_enum, value_name = "FORM")]
    pub trace: Option<TraceMode>,
    /// Print the report as JSON (docs/reference/json.md).
    #[arg(long)]
    pub json: bool,
    /// Write a trail from which the run to a violation can be replayed.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
}

/// A search: for faults of single steps and states, or for runs that break a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchChoice {
    Faults(Order),
    Runs(Algorithm),
}

/// How many violations to look for; none is all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errors(pub Option<u64>);

/// How to show a run.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceMode {
    /// Each step with what it changes, passes and prints.
    Full,
    /// Each step.
    Short,
    /// As JSON.
    Json,
    /// With a column for each process or thread.
    Columns,
    /// As a sequence chart in text.
    Chart,
    /// Not at all.
    None,
}

#[derive(clap::Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Equal seeds make equal runs.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this many steps: 1000 where not given, or at the end of the trail.
    #[arg(long, short = 'u', value_name = "N")]
    pub steps: Option<u64>,
    /// Follow this trail first.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Choose each step; go back; look at variables and channels.
    #[arg(long, short)]
    pub interactive: bool,
    /// Show the steps without what they change.
    #[arg(long)]
    pub short: bool,
}

#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The trail that `axle check --trail` wrote.
    pub trail: PathBuf,
    /// Further files of a C program.
    #[arg(long, value_name = "FILE.c")]
    pub also: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// How to show the run.
    #[arg(long, value_enum, value_name = "FORM")]
    pub trace: Option<TraceMode>,
    /// Draw the messages of the run as a sequence chart (SVG).
    #[arg(long, value_name = "FILE")]
    pub chart: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct CertifyArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The certificate that `axle check --certificate` wrote.
    pub certificate: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
    /// How successors are made.
    #[arg(long, value_name = "ENGINE", default_value = "interpreter", value_parser = certifying_engines())]
    pub engine: axle_certify::Engine,
    /// Threads to use: as many as the machine has where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

#[derive(clap::Args, Debug)]
pub struct DumpArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Print the Promela program, preprocessed and laid out anew.
    #[arg(long, conflicts_with = "layout")]
    pub promela: bool,
    /// Print where everything lives in a state.
    #[arg(long)]
    pub layout: bool,
    /// Draw the automaton of a process type, or the control-flow graph of a C function, as a graph for Graphviz.
    #[arg(long, value_name = "PROCESS", conflicts_with_all = ["promela", "layout"])]
    pub dot: Option<String>,
    /// Draw the reachable product of the processes of a model of at most 500 states, as a graph for Graphviz.
    #[arg(long, conflicts_with_all = ["promela", "layout", "dot"])]
    pub dot_product: bool,
    /// Further files of a C program, linked with the first.
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

#[derive(clap::Args, Debug)]
pub struct SliceArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The target: a formula by name, `assertions`, a variable (x, PROCESS:x), a label or a statement (FILE:LINE).
    #[arg(long = "for", value_name = "TARGET")]
    pub target: String,
}

/// Which functions to extract, by which tables.
#[derive(clap::Args, Debug)]
pub struct ExtractArgs {
    /// The C program.
    pub program: PathBuf,
    /// Make a process that runs of this function. Can be given several times, as -p and -n.
    #[arg(short = 'a', value_name = "FUNCTION")]
    pub active: Vec<String>,
    /// Make a process type of this function, with its parameters.
    #[arg(short = 'p', value_name = "FUNCTION")]
    pub proctype: Vec<String>,
    /// Make the body of a process of this function, for a wrapper to include.
    #[arg(short = 'n', value_name = "FUNCTION")]
    pub body: Vec<String>,
    /// The table for all of them, instead of FUNCTION.lut for each.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Where FUNCTION.spn and FUNCTION.lut are; the current folder where not given.
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write nothing; end with 1 when a table is not in line with the source.
    #[arg(long)]
    pub check_table: bool,
    /// Define a macro, as 1 where no value is given.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Forget a macro that is defined beforehand.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Look for included files here too.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(clap::Args, Debug)]
pub struct LtlArgs {
    /// The formula: `[] (p -> <> q)`; a proposition is a name or anything in braces.
    pub formula: String,
    /// How to print the automaton.
    #[arg(long, value_enum, default_value_t = AutomatonForm::Never, value_name = "FORM")]
    pub format: AutomatonForm,
    /// Of the negation: the runs that a check of the formula looks for.
    #[arg(long)]
    pub negate: bool,
    /// Show step by step how the negation is pushed inwards, and what is known of the formula.
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How to print an automaton.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutomatonForm {
    /// As a never claim, for Spin.
    Never,
    /// In the Hanoi omega-automata format.
    Hoa,
    /// As a graph for Graphviz.
    Dot,
    /// As a picture.
    Svg,
    /// As a table.
    Table,
}

#[derive(clap::Args, Debug)]
pub struct ExplainArgs {
    /// The code or name.
    pub name: String,
}

/// A parser of names, each of which stands for a value and has a line of help.
fn names<T: Copy + Send + Sync + 'static>(
    list: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let values = list.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).map(move |name| {
        let (_, value, _) = list.iter().find(|(n, _, _)| *n == name).expect("clap passes listed names only");
        *value
    })
}

/// The checks of models, and those of C programs that have other names.
fn checks() -> impl TypedValueParser<Value = String> {
    let models = Check::ALL.map(|check| (check.name(), check.meaning().to_string()));
    let of_program = |check: ProgramCheck| (check.name(), format!("C: {}", check.meaning()));
    let programs = ProgramCheck::ALL.into_iter().filter(|check| Check::named(check.name()).is_none());
    let all = models.into_iter().chain(programs.map(of_program));
    PossibleValuesParser::new(all.map(|(name, help)| PossibleValue::new(name).help(help)))
}

fn memory_models() -> impl TypedValueParser<Value = MemoryModel> {
    names(&[
        (
            "c11",
            MemoryModel::C11,
            "C11: unknown where executions may exist that are not sequentially consistent (default)",
        ),
        (
            "sc",
            MemoryModel::Sc,
            "sequential consistency: every atomic operation counts as memory_order_seq_cst",
        ),
    ])
}

fn data_models() -> impl TypedValueParser<Value = DataModel> {
    names(&[
        ("lp64", DataModel::Lp64, "`long` and pointers have 64 bits, as on x86-64 (default)"),
        ("ilp32", DataModel::Ilp32, "`int`, `long` and pointers have 32 bits, as on i386"),
    ])
}

fn searches() -> impl TypedValueParser<Value = SearchChoice> {
    names(&[
        ("bfs", SearchChoice::Faults(Order::BreadthFirst), "nearest first: shortest traces (default)"),
        ("dfs", SearchChoice::Faults(Order::DepthFirst), "newest first: deep violations sooner"),
        (
            "stateless",
            SearchChoice::Faults(Order::Stateless),
            "every path, with nothing stored: may take for ever",
        ),
        ("random", SearchChoice::Faults(Order::Random), "random walks: prove nothing"),
        ("scc", SearchChoice::Runs(Algorithm::Components), "by components: any fairness (default)"),
        ("nested", SearchChoice::Runs(Algorithm::NestedDfs), "nested depth-first search, without fairness"),
    ])
}

fn fairnesses() -> impl TypedValueParser<Value = Fairness> {
    names(&[
        ("none", Fairness::None, "nothing: any run counts"),
        ("weak", Fairness::Weak, "a process that can always move, from some point on, moves again and again"),
        ("strong", Fairness::Strong, "a process that can move again and again moves again and again"),
    ])
}

fn reductions() -> impl TypedValueParser<Value = ReductionChoice> {
    use ReductionChoice::{Auto, This};
    names(&[
        (
            "auto",
            Auto,
            "nothing up to 1,000 states; above guards or stubborn, with all passes if these are auto (default)",
        ),
        ("none", This(Reduction::None), "nothing: every state and every step; shortest traces with bfs"),
        ("ample", This(Reduction::Ample), "the others, where a process alone is independent of them"),
        ("stubborn", This(Reduction::Stubborn), "the others, where some processes are independent of them"),
        (
            "guards",
            This(Reduction::Guards),
            "the same with a look at what the others wait for; faults by one thread",
        ),
    ])
}

fn passes() -> impl TypedValueParser<Value = PassChoice> {
    names(&[
        ("auto", PassChoice::Auto, "all of these with --reduction auto, otherwise not at all (default)"),
        ("none", PassChoice::None, "not at all"),
        ("all", PassChoice::All, "all of these"),
        ("slice", PassChoice::One(Pass::Slice), "for each formula, without what it does not depend on"),
        ("constants", PassChoice::One(Pass::Constants), "what never changes is written as its value"),
        ("hide", PassChoice::One(Pass::Hide), "what is written and never asked for is not kept"),
        ("dead", PassChoice::One(Pass::Dead), "variables are 0 while their value is not asked for"),
        ("merge", PassChoice::One(Pass::Merge), "steps that concern nobody else go with the step before"),
    ])
}

fn stores() -> impl TypedValueParser<Value = StoreChoice> {
    names(&[
        ("auto", StoreChoice::Auto, "plain while there are few states, tree when there are many"),
        ("plain", StoreChoice::Plain, "as they are: fastest"),
        ("tree", StoreChoice::Tree, "compressed, without loss: smallest"),
        (
            "hash-compact",
            StoreChoice::HashCompact,
            "fingerprints of 64 bits; may miss states, proves nothing",
        ),
        ("hash-compact-128", StoreChoice::HashCompact128, "fingerprints of 128 bits; proves nothing"),
        ("bitstate", StoreChoice::Bitstate, "some bits in an array; may miss states, proves nothing"),
    ])
}

fn engines() -> impl TypedValueParser<Value = EngineChoice> {
    names(&[
        ("auto", EngineChoice::Auto, "interpret at first, compile once it pays"),
        ("interpreter", EngineChoice::Interpreter, "interpret the model"),
        ("compiled", EngineChoice::Compiled, "compile to machine code at once"),
    ])
}

fn certifying_engines() -> impl TypedValueParser<Value = axle_certify::Engine> {
    use axle_certify::Engine;
    names(&[
        ("interpreter", Engine::Interpreter, "by the interpreter, and nothing else"),
        ("compiled", Engine::Compiled, "by compiled code, of which the interpreter makes a part again"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_option_has_help() {
        fn visit(command: &clap::Command) {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(visit);
        }
        visit(&Args::command());
    }
}
