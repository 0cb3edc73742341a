//! The command line. Help, man pages and shell completions are generated from these definitions.

mod check;
mod diagnose;
mod project;
mod values;

pub use values::EngineChoice;

use std::path::PathBuf;

use axle_c::{Bound, DataModel, Volatile};
use axle_c_exec::MemoryModel;
use axle_check::config::Arithmetic;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};

use crate::quantities::{ViolationLimit, parse_bytes, parse_duration, parse_violation_limit};

pub use check::CheckArgs;
pub use diagnose::DiagnoseArgs;
pub use project::{InitArgs, ReportArgs, RunArgs, ServeArgs, StatusArgs, WorkerArgs};
pub use values::{PassChoice, ReductionChoice, SearchChoice, TraceMode};

/// Model checker for concurrent software: Promela models and C programs with threads.
#[derive(Parser, Debug)]
#[command(name = "axle", version, propagate_version = true, max_term_width = 100,
          disable_help_flag = true, after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort, display_order = 1000)]
    pub help: Option<bool>,
    /// Print help with rarely used options and the meaning of their values
    #[arg(long, global = true, action = ArgAction::HelpLong, display_order = 1001)]
    pub help_all: Option<bool>,
}

/// Printed after the options.
const EXIT_CODES: &str =
    "Exit codes: 0 holds, 1 violated, 2 input error, 3 unknown, 4 internal error, 130 interrupted";

/// Printed after the options of `axle run`.
const EXIT_CODES_OF_PROJECTS: &str = "Exit codes: 0 all verdicts as expected, 1 a verdict differs from the expected one, 2 input error, \
     3 unknown, 4 internal error, 130 interrupted";

/// Printed after the options of `axle diagnose`.
const EXIT_CODES_OF_DIAGNOSIS: &str = "Exit codes: 0 the sequence is feasible, 1 it is not, 2 input error, 3 unknown, 4 internal error, 130 interrupted";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a model or a C program: explore all reachable states and report violations.
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArgs>),
    /// Search for violations with many small, diverse, lossy searches. Never proves a property.
    Swarm(Box<SwarmArgs>),
    /// Create a verification project: a manifest, requirements and properties.
    Init(InitArgs),
    /// Verify all properties of a project under their provisioning constraints.
    #[command(after_help = EXIT_CODES_OF_PROJECTS)]
    Run(RunArgs),
    /// Execute jobs of rounds that `axle run` has started, as a further process.
    Worker(WorkerArgs),
    /// Show the latest verdicts of a project by feature, without verifying anything.
    #[command(after_help = EXIT_CODES_OF_PROJECTS)]
    Status(StatusArgs),
    /// Find an execution that shows a sequence of events of a test, or how far the software follows.
    #[command(after_help = EXIT_CODES_OF_DIAGNOSIS)]
    Diagnose(DiagnoseArgs),
    /// Show a project in the browser: verdicts, error sequences, requirements; start rounds.
    Serve(ServeArgs),
    /// Simulate one execution (random, guided or interactive).
    Simulate(SimulateArgs),
    /// Replay the execution recorded in a trail.
    Replay(ReplayArgs),
    /// Verify a certificate produced by `axle check --certificate`.
    VerifyCertificate(VerifyCertificateArgs),
    /// Print the internal representation of a model or C program, or draw a part of it as a graph.
    Dump(DumpArgs),
    /// Write a model as a transition system for hardware model checkers (AIGER, BTOR2).
    Export(ExportArgs),
    /// Print the part of a model that a property, variable, label or statement depends on.
    Slice(SliceArgs),
    /// Print the abstraction of a model by predicates: a Boolean program, or a graph.
    Abstract(AbstractArgs),
    /// Extract models from functions of a C program, using abstraction tables.
    Extract(ExtractArgs),
    /// Print the automaton of an LTL formula.
    Ltl(LtlArgs),
    /// Explain a diagnostic code (E0201), a kind of violation (invalid-end) or a check (bounds).
    Explain(ExplainArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the man page of axle or of one of its commands.
    Man {
        /// The command [default: axle itself]
        command: Option<String>,
        /// Write the pages of axle and of all commands to files of this directory, which is created
        #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
        output: Option<PathBuf>,
    },
}

/// The model and how to read it.
#[derive(clap::Args, Clone, Debug)]
pub struct ModelArgs {
    /// Promela, C (FILE.c, or FILE.i if preprocessed), or the output of `axle dump`
    pub model: PathBuf,
    /// Define a macro [default value: 1]
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Input")]
    pub define: Vec<String>,
    /// Undefine a predefined macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Input", hide_short_help = true)]
    pub undefine: Vec<String>,
    /// Add a directory to the #include search path
    #[arg(short = 'I', value_name = "DIR", help_heading = "Input")]
    pub include: Vec<String>,
    /// Add an LTL property
    #[arg(long, value_name = "[NAME=]FORMULA", help_heading = "Properties")]
    pub ltl: Vec<String>,
    /// Add a property drawn as a timeline (docs/reference/timelines.md)
    #[arg(long, value_name = "FILE", help_heading = "Properties", hide_short_help = true)]
    pub timeline: Vec<PathBuf>,
    /// Add a property: no execution is accepted by this omega-automaton (Hanoi format)
    #[arg(long, value_name = "[NAME=]FILE", help_heading = "Properties", hide_short_help = true)]
    pub automaton: Vec<String>,
    /// Messages sent to a full channel are lost (Spin's -m); by default the sender blocks
    #[arg(long, help_heading = "Promela", hide_short_help = true)]
    pub lossy: bool,
    /// Maximum number of processes that exist at the same time
    #[arg(long, value_name = "N", default_value_t = 255, help_heading = "Promela", hide_short_help = true,
          value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub max_processes: u32,
}

/// What is printed, and how.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct OutputArgs {
    /// Print only the result: no progress, no warnings
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
    /// Use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN",
          help_heading = "Output", hide_short_help = true)]
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
    /// Widths of `long` and of pointers
    #[arg(long, value_name = "MODEL", default_value = "lp64", value_parser = values::data_models(),
          help_heading = "C", hide_short_help = true)]
    pub data_model: DataModel,
    /// Executions that a verdict covers: c11 or sc
    #[arg(long, value_name = "MODEL", default_value = "c11", value_parser = values::memory_models(),
          help_heading = "C", hide_possible_values = true)]
    pub memory_model: MemoryModel,
    /// Volatile accesses: c11 (not atomic) or relaxed (relaxed atomic operations)
    #[arg(long, value_name = "MEANING", default_value = "c11", value_parser = values::volatiles(),
          help_heading = "C", hide_possible_values = true, hide_short_help = true)]
    pub volatile: Volatile,
    /// Replace the value of a macro, enumeration constant or `const` integer of the program
    #[arg(long, value_name = "NAME=N", value_parser = values::parse_bound, help_heading = "C",
          hide_short_help = true)]
    pub bound: Vec<Bound>,
    /// `malloc` may return a null pointer
    #[arg(long, help_heading = "C", hide_short_help = true)]
    pub malloc_may_fail: bool,
    /// Signed overflow wraps around (`gcc -fwrapv`) and is no violation
    #[arg(long, help_heading = "C", hide_short_help = true)]
    pub wrap: bool,
    /// Maximum call depth
    #[arg(long, value_name = "N", default_value_t = 2_000, help_heading = "C", hide_short_help = true,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub call_depth: u32,
    /// Command-line argument of the program; repeatable
    #[arg(long = "arg", value_name = "WORD", allow_hyphen_values = true, help_heading = "C")]
    pub arguments: Vec<String>,
    /// The program is run without command-line arguments
    #[arg(long, conflicts_with = "arguments", help_heading = "C", hide_short_help = true)]
    pub no_args: bool,
    /// Contents of standard input, at most 1 MiB [default: every input is possible]
    #[arg(long, value_name = "FILE", help_heading = "C", hide_short_help = true)]
    pub stdin: Option<PathBuf>,
}

/// The model that is extracted from a C program.
#[derive(clap::Args, Clone, Debug)]
pub struct TableArgs {
    /// Use the model extracted with this abstraction table; repeatable
    #[arg(long, value_name = "FILE.lut", help_heading = "C")]
    pub table: Vec<PathBuf>,
    /// The environment of an extracted model: Promela that includes FUNCTION.spn for each function
    #[arg(long, value_name = "FILE.pml", requires = "table", help_heading = "C", hide_short_help = true)]
    pub wrapper: Option<PathBuf>,
}

impl TableArgs {
    /// Whether a model is extracted.
    pub fn are_given(&self) -> bool {
        !self.table.is_empty()
    }
}

#[derive(clap::Args, Debug)]
pub struct SwarmArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Further files of a C program, linked with the first
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub tables: TableArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Time limit: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub time: std::time::Duration,
    /// Memory limit for all searches together [default: available memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Searches that run at the same time [default: all processors]
    #[arg(short = 'j', long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Maximum number of searches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub members: Option<u64>,
    /// Seed of the searches
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Maximum length of an execution, in steps
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Stop after N different violations, or never: all
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_violation_limit)]
    pub max_violations: ViolationLimit,
    /// Display of counterexamples
    #[arg(long, value_enum, value_name = "FORM")]
    pub trace: Option<TraceMode>,
    /// Print the report as JSON (docs/reference/json.md)
    #[arg(long)]
    pub json: bool,
    /// Write a trail, from which `axle replay` reproduces the counterexample
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub tables: TableArgs,
    /// Further files of a C program, linked with the first
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Seed of random choices; equal seeds give equal executions
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after N steps [default: 1000, or the end of the trail]
    #[arg(long, short = 'u', value_name = "N")]
    pub steps: Option<u64>,
    /// Time limit: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<std::time::Duration>,
    /// Follow this trail first
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Choose each step; go back; inspect variables and channels
    #[arg(long, short)]
    pub interactive: bool,
    /// Display of steps
    #[arg(long, value_name = "FORM", default_value = "full", value_parser = values::simulation_traces())]
    pub trace: TraceMode,
}

#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub tables: TableArgs,
    /// A trail written by `axle check --trail`
    pub trail: PathBuf,
    /// Further files of a C program
    #[arg(long, value_name = "FILE.c")]
    pub also: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Display of the execution
    #[arg(long, value_enum, value_name = "FORM")]
    pub trace: Option<TraceMode>,
    /// Draw the execution as a sequence chart (SVG)
    #[arg(long, value_name = "FILE")]
    pub chart: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct VerifyCertificateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// A certificate written by `axle check --certificate`
    pub certificate: PathBuf,
    /// Write the three queries of each invariant as SMT-LIB files to this directory
    #[arg(long, value_name = "DIR")]
    pub smtlib: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Successor generation
    #[arg(long, value_name = "HOW", default_value = "interpreter", value_parser = values::certifying_successors())]
    pub successors: axle_certify::Engine,
    /// Worker threads [default: all processors]
    #[arg(short = 'j', long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
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
    /// Draw the automaton of a process type, or the control-flow graph of a C function, as a graph
    /// for Graphviz.
    #[arg(long, value_name = "PROCESS", conflicts_with_all = ["promela", "layout"])]
    pub dot: Option<String>,
    /// Draw the reachable product of the processes of a model of at most 500 states, as a graph for
    /// Graphviz.
    #[arg(long, conflicts_with_all = ["promela", "layout", "dot"])]
    pub dot_product: bool,
    /// Further files of a C program, linked with the first.
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

#[derive(clap::Args, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: ExportFormat,
    /// Also export formulas, never claims and labels, as justice conditions
    #[arg(long)]
    pub claims: bool,
    /// With fairness conditions: weak fairness of all processes
    #[arg(long, requires = "claims")]
    pub weak_fairness: bool,
    /// Write to this file [default: standard output; binary AIGER needs a file]
    #[arg(short, long = "output", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// An exchange format.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// AIGER 1.9, binary
    Aiger,
    /// AIGER 1.9, as text
    Aag,
    /// BTOR2
    Btor2,
}

#[derive(clap::Args, Debug)]
pub struct SliceArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub tables: TableArgs,
    /// Further files of the C program that a model is extracted from.
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The target: a formula by name, `assertions`, a variable (x, PROCESS:x), a label or a
    /// statement (FILE:LINE).
    #[arg(long = "for", value_name = "TARGET")]
    pub target: String,
    /// Also drop assignments that change no condition on which the target depends.
    #[arg(long)]
    pub semantic: bool,
    /// Time limit of the semantic analysis: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub time: std::time::Duration,
}

#[derive(clap::Args, Debug)]
pub struct AbstractArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The predicates, one condition a line [default: those that refinement infers]
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
    /// Classes of the values of a variable: parity, sign, zero, intervals N.., values N.., or conditions
    #[arg(long = "map", value_name = "VARIABLE: MAP")]
    pub maps: Vec<String>,
    /// Use a map also where the model distinguishes values of one class
    #[arg(long, requires = "maps")]
    pub over_approximate: bool,
    /// Leave this process as it is, with its data: TYPE or TYPE(NUMBER); repeatable
    #[arg(long, value_name = "PROCESS", conflicts_with = "dot")]
    pub concrete: Vec<String>,
    /// Arithmetic of the steps
    #[arg(long, value_name = "ARITHMETIC", default_value = "wrap-around", value_parser = values::arithmetic())]
    pub arithmetic: Arithmetic,
    /// The checks whose violations the abstraction asserts to be absent
    #[arg(long, value_name = "CHECK", value_delimiter = ',', default_value = "assertions",
          value_parser = values::checks(), hide_possible_values = true)]
    pub only: Vec<String>,
    /// Print the maps that the checks and guards suggest, and which of them are congruences
    #[arg(long, conflicts_with_all = ["predicates", "maps", "concrete", "dot", "file"])]
    pub propose_maps: bool,
    /// Draw the abstract machine of a process as a graph for Graphviz: TYPE or TYPE(NUMBER)
    #[arg(long, value_name = "PROCESS")]
    pub dot: Option<String>,
    /// Time limit: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub time: std::time::Duration,
    /// Write to this file [default: standard output]
    #[arg(short, long = "output", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// Which functions to extract, by which tables.
#[derive(clap::Args, Debug)]
pub struct ExtractArgs {
    /// The C program.
    #[arg(value_name = "FILE.c")]
    pub program: PathBuf,
    /// Further files of the program, linked with the first.
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
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
    /// Make a new table for this LTL formula over variables of the program
    #[arg(long = "for", value_name = "FORMULA", conflicts_with = "check_table")]
    pub formula: Option<String>,
    /// The folder of FUNCTION.spn and FUNCTION.lut, created if it does not exist [default: the current one].
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write nothing; end with 1 when a table is not in line with the source.
    #[arg(long)]
    pub check_table: bool,
    /// Define a macro [default value: 1]
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a predefined macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Add a directory to the #include search path
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(clap::Args, Debug)]
pub struct LtlArgs {
    /// The formula: `[] (p -> <> q)`; a proposition is a name or anything in braces.
    #[arg(required_unless_present = "timeline")]
    pub formula: Option<String>,
    /// The automaton of the executions that violate a timeline, in place of a formula.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["formula", "negate"])]
    pub timeline: Option<PathBuf>,
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
