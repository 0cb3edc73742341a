//! What a program used: processor time, peak memory, wall time.
//!
//! The system tells a process what its children used only for all of them together. So each
//! measured program runs under a process of its own, this same binary with the hidden command
//! `measured`, which has no other child and writes what it learned into a file.
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
    /// Where the figures go.
    into: PathBuf,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// What a program used.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time in user mode, in seconds.
    pub user: f64,
    /// Processor time in the kernel, in seconds.
    pub system: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// Peak of resident memory in bytes.
    pub peak: u64,
    /// The exit code; none where a signal ended it.
    pub code: Option<i32>,
}

impl Usage {
    /// All processor time, in seconds.
    pub fn cpu(self) -> f64 {
        self.user + self.system
    }
}

/// What a program used and printed.
pub struct Measured {
    pub usage: Usage,
    pub stdout: String,
}

/// Runs a program with the scratch folder as its working directory.
pub fn run(program: &Path, args: &[String], scratch: &Path) -> Result<Measured, String> {
    let figures = scratch.join("usage.json");
    let own = std::env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
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

/// The hidden command: runs the program as the only child and writes what it used.
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
        // Linux counts in units of 1024 bytes.
        peak: u64::try_from(used.max_rss()).unwrap_or(0) * 1024,
        code: status.code(),
    };
    let text = serde_json::to_string(&usage).map_err(|e| e.to_string())?;
    fs::write(&args.into, text).map_err(|e| format!("{}: {e}", args.into.display()))
}
