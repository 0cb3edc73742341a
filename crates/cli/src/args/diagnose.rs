//! The options of `axle diagnose`.

use std::path::PathBuf;
use std::time::Duration;

use super::{OutputArgs, ProgramArgs, TraceMode};
use crate::quantities::{parse_bytes, parse_duration};

/// Options of `axle diagnose`.
#[derive(clap::Args, Debug)]
pub struct DiagnoseArgs {
    /// A project, a model (FILE.pml), or a C program (FILE.c)
    #[arg(default_value = ".", value_name = "DIR|FILE")]
    pub target: PathBuf,
    /// Further files of a C program, linked with the first
    #[arg(value_name = "FILE.c")]
    pub more: Vec<PathBuf>,
    /// The events of a test, one a line
    #[arg(long, value_name = "FILE", required_unless_present_any = ["reach", "satisfying"])]
    pub events: Option<PathBuf>,
    /// Find an execution that reaches a statement at this line
    #[arg(long, value_name = "FILE:LINE", conflicts_with = "events")]
    pub reach: Option<String>,
    /// Find a short execution that satisfies a property of the project, and in which its premise happens
    #[arg(long, value_name = "PROPERTY", conflicts_with_all = ["events", "reach"], help_heading = "Project")]
    pub satisfying: Option<String>,
    /// Find the satisfying execution that has the longest common prefix with the violating execution of
    /// a trail, or of the latest round that has found one
    #[arg(long, value_name = "TRAIL|latest", requires = "satisfying", help_heading = "Project")]
    pub near: Option<PathBuf>,
    /// The provisioning constraint of the project [default: every provisioning]
    #[arg(long, value_name = "NAME", help_heading = "Project")]
    pub constraint: Option<String>,
    /// The model of a project with several models
    #[arg(long, value_name = "FILE", help_heading = "Project")]
    pub model: Option<String>,
    /// Define a macro [default value: 1]
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Input")]
    pub define: Vec<String>,
    /// Add a directory to the #include search path
    #[arg(short = 'I', value_name = "DIR", help_heading = "Input")]
    pub include: Vec<String>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Time limit: 30s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub time: Option<Duration>,
    /// Memory limit [default: available memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub memory: Option<u64>,
    /// Display of the execution
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Output")]
    pub trace: Option<TraceMode>,
    /// Print the answer as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}
