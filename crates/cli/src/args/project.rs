//! The options of commands for verification projects.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{OutputArgs, TraceMode};
use crate::quantities::{parse_address, parse_bytes, parse_duration, parse_fraction};

/// Options of `axle init`.
#[derive(clap::Args, Debug)]
pub struct InitArgs {
    /// The folder of the project
    #[arg(default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of `axle run`.
#[derive(clap::Args, Debug)]
pub struct RunArgs {
    /// The folder of the project, which contains `axle.toml`
    #[arg(default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Verify only this property (repeatable)
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Verify only the properties of this feature (repeatable)
    #[arg(long, value_name = "NAME")]
    pub feature: Vec<String>,
    /// Verify the selected properties only under this constraint (repeatable)
    #[arg(long, value_name = "NAME")]
    pub constraint: Vec<String>,
    /// End the round after this time [default: that of the manifest]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Limits")]
    pub budget: Option<Duration>,
    /// Limit the memory of each search [default: available memory, shared by the workers]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
    /// Verify again what has a verdict
    #[arg(long)]
    pub again: bool,
    /// Print the attempts of the exact checks of the selected runs, and verify nothing
    #[arg(long, conflicts_with_all = ["json", "json_lines", "examples", "trace"])]
    pub explain_plan: bool,
    /// Show only runs that have changed since their recorded verdict; the others are counted
    #[arg(long, conflicts_with = "again")]
    pub changed: bool,
    /// Number of worker processes, at most one for each run [default: number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024),
          help_heading = "Limits")]
    pub workers: Option<u32>,
    /// Time without a sign of life after which the job of a worker is repeated [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Limits",
          hide_short_help = true)]
    pub lease: Option<Duration>,
    /// Decide this part of the verdicts of workers with tokens again on another machine, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = parse_fraction, default_value_t = 0.0,
          hide_default_value = true)]
    pub recheck: f64,
    /// Database with the history: a file, or `postgres://...` [default: the environment variable
    /// AXLE_STORE, or .axle/history.db in the project]
    #[arg(long, value_name = "LOCATION", help_heading = "Output")]
    pub store: Option<String>,
    /// Print the results as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print each event of the round as a line of JSON, and no table
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub json_lines: bool,
    /// Write the decisions of the schedule to a file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Find an execution for each property that holds, in which its premise happens (for --html, --json)
    #[arg(long, help_heading = "Output")]
    pub examples: bool,
    /// Print the violating executions
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Output", conflicts_with = "json")]
    pub trace: Option<TraceMode>,
    #[command(flatten)]
    pub reports: ReportArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of `axle worker`.
#[derive(clap::Args, Debug)]
pub struct WorkerArgs {
    /// The folder of the project, which contains `axle.toml`
    #[arg(default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Database with the jobs: a file, or `postgres://...` [default: the environment variable AXLE_STORE,
    /// or .axle/history.db in the project]
    #[arg(long, value_name = "LOCATION")]
    pub store: Option<String>,
    /// Take the jobs of a server (`axle serve`): http://HOST:PORT or https://HOST
    #[arg(long, value_name = "URL", conflicts_with = "store", group = "origin")]
    pub server: Option<String>,
    /// Take part in the searches of a process with `axle check --hosts`: HOST:PORT where it listens
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["store", "folder"], group = "origin")]
    pub join: Option<String>,
    /// The token of a worker for the server, or the secret of --join [default: the environment variable AXLE_TOKEN]
    #[arg(long, value_name = "TOKEN", requires = "origin")]
    pub token: Option<String>,
    /// File with the secret of --join
    #[arg(long, value_name = "FILE", requires = "join", conflicts_with = "token")]
    pub token_file: Option<PathBuf>,
    /// Directory of the levels of a search, which all its machines share
    #[arg(long, value_name = "DIR", requires = "join")]
    pub level_log: Option<PathBuf>,
    /// Receive and send states without encryption, as `axle check --insecure-network` does
    #[arg(long, requires = "join")]
    pub insecure_network: bool,
    /// Limit the memory of each search [default: available memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Read orders from standard input, and end with it (used by `axle run`)
    #[arg(long, hide = true)]
    pub supervised: bool,
    /// Replay the result on standard input (used by `axle serve`)
    #[arg(long, hide = true)]
    pub confirm: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The reports of a round.
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// Write a JUnit report: a suite for each feature, a case for each run
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub junit: Option<PathBuf>,
    /// Write a SARIF report: a result for each violated run
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sarif: Option<PathBuf>,
    /// Write a self-contained page with all properties, verdicts and error sequences
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
}

/// Options of `axle status`.
#[derive(clap::Args, Debug)]
pub struct StatusArgs {
    /// The folder of the project, which contains `axle.toml`
    #[arg(default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Show only the properties of this feature (repeatable)
    #[arg(long, value_name = "NAME")]
    pub feature: Vec<String>,
    /// Show what the verdicts of this property depend on, and what has changed
    #[arg(long, value_name = "PROPERTY")]
    pub why: Option<String>,
    /// Database with the history: a file, or `postgres://...` [default: the environment variable
    /// AXLE_STORE, or .axle/history.db in the project]
    #[arg(long, value_name = "LOCATION")]
    pub store: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of `axle serve`.
#[derive(clap::Args, Debug)]
pub struct ServeArgs {
    /// The folder of the project, which contains `axle.toml`
    #[arg(default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Open the page in the browser of this machine
    #[arg(long)]
    pub open: bool,
    /// Address and port; port 0 chooses a free one. Addresses that other machines reach need tokens
    #[arg(long, default_value = "127.0.0.1:8747", value_name = "ADDR", value_parser = parse_address)]
    pub listen: SocketAddr,
    /// Address under which a proxy publishes the server: https://HOST
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// File with the tokens of visitors and workers [default: .axle/tokens.toml in the project]
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Create a token with a role (viewer, runner, editor, worker), print it, and end
    #[arg(long, value_name = "NAME=ROLE")]
    pub add_token: Option<String>,
    /// File with the secret of the repository's hook [default: .axle/hook.secret in the project]
    #[arg(long, value_name = "FILE")]
    pub hook_secret: Option<PathBuf>,
    /// Create the secret of the repository's hook, print it, and end
    #[arg(long)]
    pub new_hook_secret: bool,
    /// Decide this part of the verdicts of workers with tokens again on another machine, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = parse_fraction, default_value_t = 0.0,
          hide_default_value = true)]
    pub recheck: f64,
    /// Send the notifications that the manifest names
    #[arg(long)]
    pub notify: bool,
    /// Database with the history: a file, or `postgres://...` [default: the environment variable
    /// AXLE_STORE, or .axle/history.db in the project]
    #[arg(long, value_name = "LOCATION")]
    pub store: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}
