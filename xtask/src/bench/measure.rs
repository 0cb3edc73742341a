//! Measures the resources of a program: CPU time, peak memory, wall time.
//!
//! The system reports the resources of children only in total. Each measured program therefore runs
//! under a separate process, this binary with the hidden command `measured`, which has no other
//! child and writes the result to a file.
//!
//! *Entry point:* [`run`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use serde::{Deserialize, Serialize};

#[derive(clap::Args)]
pub struct Args {
    /// The output file.
    into: PathBuf,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// The resources of a program.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time in user mode, in seconds.
    pub user: f64,
    /// CPU time in the kernel, in seconds.
    pub system: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// Peak resident memory in bytes.
    pub peak: u64,
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
}

impl Usage {
    /// Total CPU time in seconds.
    pub fn cpu(self) -> f64 {
        self.user + self.system
    }
}

/// The resources and the output of a program.
pub struct Measured {
    pub usage: Usage,
    pub stdout: String,
}

/// Runs a program with the scratch directory as its working directory.
pub fn run(program: &Path, args: &[String], scratch: &Path) -> Result<Measured, String> {
    let figures = scratch.join("usage.json");
    let own = std::env::current_exe().map_err(|e| format!("path of this program: {e}"))?;
    let output = Command::new(own)
        .arg("measured")
        .arg(&figures)
        .arg(program)
        .args(args)
        .current_dir(scratch)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let text =
        fs::read_to_string(&figures).map_err(|e| format!("{}: not measured: {e}", program.display()))?;
    let usage = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    Ok(Measured { usage, stdout: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// The hidden command: runs the program as its only child and writes the measured resources.
pub fn run_measured(args: &Args) -> Result<(), String> {
    let (program, rest) = args.command.split_first().ok_or("no program")?;
    let begin = Instant::now();
    let status = Command::new(program).args(rest).status().map_err(|e| format!("{program}: {e}"))?;
    let wall = begin.elapsed().as_secs_f64();
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("getrusage: {e}"))?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let usage = Usage {
        user: seconds(used.user_time()),
        system: seconds(used.system_time()),
        wall,
        // Linux reports units of 1024 bytes.
        peak: u64::try_from(used.max_rss()).unwrap_or(0) * 1024,
        code: status.code(),
    };
    let text = serde_json::to_string(&usage).map_err(|e| e.to_string())?;
    fs::write(&args.into, text).map_err(|e| format!("{}: {e}", args.into.display()))
}
