//! The options of `axle check`, by group. `--help` shows those of everyday use, `--help-all` all of
//! them.

use std::path::PathBuf;

use axle_check::config::Arithmetic;
use axle_check::{StoreChoice, SuccessorChoice};
use axle_search::Fairness;

use super::values::{self, PassChoice, ReductionChoice, SearchChoice, TraceMode};
use super::{ModelArgs, OutputArgs, ProgramArgs, TableArgs};
use crate::quantities::{ViolationLimit, parse_bytes, parse_duration, parse_violation_limit};

#[derive(clap::Args, Clone, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Further inputs; all C files together form one program
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Check every C file as a program of its own
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub each: bool,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub tables: TableArgs,

    /// Also perform this check
    #[arg(long, visible_alias = "check", value_name = "CHECK", value_delimiter = ',',
          value_parser = values::checks(), help_heading = "Properties", hide_possible_values = true)]
    pub enable: Vec<String>,
    /// Do not perform this check
    #[arg(long, visible_alias = "no-check", value_name = "CHECK", value_delimiter = ',',
          value_parser = values::checks(), help_heading = "Properties", hide_possible_values = true)]
    pub disable: Vec<String>,
    /// Perform only this check, or check only this property
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Properties")]
    pub only: Vec<String>,
    /// Stop after N different violations, or never: all
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_violation_limit,
          help_heading = "Properties")]
    pub max_violations: ViolationLimit,
    /// Scheduler fairness: none, weak or strong
    #[arg(long, value_name = "KIND", default_value = "none", value_parser = values::fairnesses(), hide_possible_values = true,
          help_heading = "Properties")]
    pub fairness: Fairness,
    /// Check properties that hold for vacuity
    #[arg(long, help_heading = "Properties", hide_short_help = true)]
    pub vacuity: bool,

    /// bfs, dfs, stateless or random for states, scc or nested for cycles
    #[arg(long, value_name = "ALGORITHM", value_delimiter = ',', value_parser = values::searches(), hide_possible_values = true,
          help_heading = "Search")]
    pub search: Vec<SearchChoice>,
    /// Partial-order reduction (none: off)
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = values::reductions(), hide_possible_values = true,
          help_heading = "Search")]
    pub por: ReductionChoice,
    /// Model reductions to apply: auto, none, all, or a list
    #[arg(long, value_name = "LIST", default_value = "auto", value_delimiter = ',',
          value_parser = values::passes(), help_heading = "Search", hide_short_help = true)]
    pub passes: Vec<PassChoice>,
    /// Search for shortest counterexamples
    #[arg(long, help_heading = "Search")]
    pub shortest: bool,
    /// Lossy pre-searches of doubling size before the exact search
    #[arg(long, help_heading = "Search")]
    pub refine: bool,
    /// Print the attempts that the check consists of, and do not search
    #[arg(long, help_heading = "Search", hide_short_help = true, conflicts_with_all = ["json", "refine", "checkpoint", "resume"])]
    pub explain_plan: bool,
    /// plain, tree, or lossy: hash-compact, bitstate
    #[arg(long, value_name = "STORE", default_value = "auto", value_parser = values::stores(),
          help_heading = "Search", hide_possible_values = true)]
    pub store: StoreChoice,
    /// Number of independent lossy runs (different hash seeds)
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search", hide_short_help = true,
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub hash_seeds: u32,
    /// Expected number of states; determines the size and hash functions of a bitstate store
    #[arg(long, value_name = "N", help_heading = "Search", hide_short_help = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub expected_states: Option<u64>,
    /// Bits set for each state in a bitstate store [default: derived from its size and
    /// --expected-states]
    #[arg(long, value_name = "K", help_heading = "Search", hide_short_help = true,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub hash_functions: Option<u32>,
    /// Seed of hash functions and random walks; equal seeds give equal searches
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search", hide_short_help = true)]
    pub seed: u64,
    /// Number of walks with --search random
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Search", hide_short_help = true)]
    pub walks: u64,
    /// Engine that makes all attempts: a name, or the path of a hardware model checker for AIGER files
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = values::EngineParser,
          help_heading = "Search", hide_short_help = true)]
    pub engine: values::EngineChoice,
    /// Begin the predicate abstraction with the conditions of this file, one a line
    #[arg(long, value_name = "FILE", help_heading = "Search", hide_short_help = true)]
    pub predicates: Option<PathBuf>,
    /// Begin the predicate abstraction with classes of values: parity, sign, zero, intervals N.., values N..,
    /// or conditions on the variable
    #[arg(long = "map", value_name = "VARIABLE: MAP", help_heading = "Search", hide_short_help = true)]
    pub maps: Vec<String>,
    /// Use a map also where the model distinguishes values of one class
    #[arg(long, requires = "maps", help_heading = "Search", hide_short_help = true)]
    pub over_approximate: bool,
    /// Leave this process as it is in the predicate abstraction: TYPE or TYPE(NUMBER); repeatable
    #[arg(long, value_name = "PROCESS", help_heading = "Search", hide_short_help = true)]
    pub concrete: Vec<String>,
    /// Arithmetic of the predicate abstraction
    #[arg(long, value_name = "ARITHMETIC", default_value = "wrap-around", value_parser = values::arithmetic(),
          conflicts_with = "certificate", help_heading = "Search", hide_short_help = true)]
    pub arithmetic: Arithmetic,
    /// Precision of the predicate abstraction
    #[arg(long, value_name = "PRECISION", default_value = "boolean", value_parser = values::precision(),
          action = clap::ArgAction::Set,
          help_heading = "Search", hide_short_help = true)]
    pub precision: bool,
    /// The most predicates that a query of the predicate abstraction assumes, until a path needs more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Search", hide_short_help = true)]
    pub cube_length: Option<u32>,
    /// Successor generation of explicit-state searches
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = values::successors(),
          help_heading = "Search", hide_short_help = true)]
    pub successors: SuccessorChoice,
    /// Worker threads [default: all processors]
    #[arg(short = 'j', long, visible_alias = "jobs", value_name = "N", help_heading = "Search",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Search for violations of states and steps by N workers, each with its part of the states
    #[arg(long, value_name = "N", help_heading = "Search", hide_short_help = true,
          value_parser = clap::value_parser!(u16).range(1..=1024),
          conflicts_with_all = ["engine", "search", "store", "threads", "refine", "checkpoint", "resume", "certificate"])]
    pub workers: Option<u16>,
    /// Directory of the levels of --workers, from which an interrupted search is resumed
    #[arg(long, value_name = "DIR", help_heading = "Limits", hide_short_help = true, requires = "workers")]
    pub level_log: Option<PathBuf>,
    /// Continue on disk, in the directory of --level-log, when the states do not fit into memory
    #[arg(long, help_heading = "Limits", hide_short_help = true, requires = "level_log")]
    pub disk: bool,
    /// Wait for N further processes that --join this one, each with as many --workers
    #[arg(long, value_name = "N", help_heading = "Search", hide_short_help = true,
          value_parser = clap::value_parser!(u16).range(1..=1000), requires_all = ["workers", "listen", "token_file"])]
    pub gather: Option<u16>,
    /// Wait for N further machines with `axle worker --join`, send them the model, and search by --workers of each
    #[arg(long, value_name = "N", help_heading = "Search", hide_short_help = true,
          value_parser = clap::value_parser!(u16).range(1..=1000),
          requires_all = ["workers", "listen", "token_file"], conflicts_with_all = ["gather", "join"])]
    pub hosts: Option<u16>,
    /// Address and port at which --hosts and --gather wait
    #[arg(
        long,
        value_name = "ADDRESS",
        help_heading = "Search",
        hide_short_help = true,
        requires = "workers"
    )]
    pub listen: Option<std::net::SocketAddr>,
    /// Search together with the process that listens at this address, HOST:PORT
    #[arg(long, value_name = "ADDRESS", help_heading = "Search", hide_short_help = true,
          requires_all = ["workers", "token_file"], conflicts_with = "gather")]
    pub join: Option<String>,
    /// File with the secret by which the processes of --hosts, --gather and --join recognise each other
    #[arg(long, value_name = "FILE", help_heading = "Search", hide_short_help = true)]
    pub token_file: Option<PathBuf>,
    /// Send states to other processes without encryption (of all processes of a search)
    #[arg(long, help_heading = "Search", hide_short_help = true)]
    pub insecure_network: bool,

    /// Time limit: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub time: Option<std::time::Duration>,
    /// Memory limit for states and paths: 500M, 8G [default: available memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
    /// Maximum length of an execution, in steps
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub depth: Option<u64>,
    /// Maximum number of stored states, approximately
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub states: Option<u64>,
    /// Save the search at a limit, on Ctrl-C and SIGTERM, and periodically
    #[arg(long, value_name = "FILE", help_heading = "Limits", conflicts_with_all = ["refine", "certificate"])]
    pub checkpoint: Option<PathBuf>,
    /// Period of --checkpoint [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits",
          hide_short_help = true)]
    pub checkpoint_every: Option<std::time::Duration>,
    /// Continue from a checkpoint, and save to the same file
    #[arg(long, value_name = "FILE", help_heading = "Limits", conflicts_with_all = ["refine", "certificate"])]
    pub resume: Option<PathBuf>,

    /// Counterexamples: full, short, json, columns, chart or none
    #[arg(long, value_enum, value_name = "FORM", hide_possible_values = true, help_heading = "Output")]
    pub trace: Option<TraceMode>,
    /// Print the report as JSON (docs/reference/json.md)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write the report as SARIF 2.1.0
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sarif: Option<PathBuf>,
    /// Print one line for each input
    #[arg(long, help_heading = "Output", hide_short_help = true, conflicts_with = "json")]
    pub summary: bool,
    /// Write the report as JUnit XML
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub junit: Option<PathBuf>,
    /// Write the report as one self-contained HTML page
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Write a trail, from which `axle replay` reproduces the counterexample
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trail: Option<PathBuf>,
    /// Draw the counterexample as a sequence chart (SVG)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub chart: Option<PathBuf>,
    /// Write the counterexample of a C program as a witness (SV-COMP, YAML 2.0)
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub witness: Option<PathBuf>,
    /// Write a certificate for `axle verify-certificate`: of all checks of states, or by `--engine` of what it proves
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    pub certificate: Option<PathBuf>,
    /// For tests: damage the path of every violation, so that none replays
    #[arg(long, hide = true)]
    pub spoil_paths: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl CheckArgs {
    /// Whether the report is printed as JSON.
    pub fn prints_json(&self) -> bool {
        self.json || self.trace == Some(TraceMode::Json)
    }

    /// Whether the report is printed as text.
    pub fn prints_text(&self) -> bool {
        !self.prints_json() && !self.summary
    }
}
