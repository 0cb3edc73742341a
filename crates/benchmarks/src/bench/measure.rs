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
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

/// Arguments of `cargo xtask measured`.
#[derive(clap::Args)]
pub struct Args {
    /// The output file.
    into: PathBuf,
    /// Send these signals after so many seconds: SIGINT:0.5.
    #[arg(long, value_parser = parse_signal)]
    send: Vec<(Signal, Duration)>,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// A signal and when it is sent.
fn parse_signal(text: &str) -> Result<(Signal, Duration), String> {
    let (name, seconds) = text.split_once(':').ok_or("SIGNAL:SECONDS")?;
    let signal = name.parse::<Signal>().map_err(|e| e.to_string())?;
    let seconds = seconds.parse::<f64>().map_err(|e| e.to_string())?;
    Ok((signal, Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?))
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
    /// Wall time from the first signal to the end, in seconds; none where it ended before.
    #[serde(default)]
    pub answered: Option<f64>,
}

impl Usage {
    /// Total CPU time in seconds.
    pub fn cpu(self) -> f64 {
        self.user + self.system
    }
}

/// The resources and the output of a program.
pub struct Measured {
    /// Processor time, memory and exit code.
    pub usage: Usage,
    /// Standard output.
    pub stdout: String,
    /// Standard error, if it was captured.
    pub stderr: String,
}

/// Runs a program with the scratch directory as its working directory.
pub fn run(program: &Path, args: &[String], scratch: &Path) -> Result<Measured, String> {
    run_in(program, args, scratch, scratch, Stdio::inherit(), &[])
}

/// Runs a program within a limit on processor time, in seconds, at which a signal ends it.
pub fn limited(
    program: &str,
    arguments: &[String],
    seconds: u32,
    scratch: &Path,
) -> Result<Measured, String> {
    let mut all = vec![format!("--cpu={seconds}"), program.to_string()];
    all.extend_from_slice(arguments);
    run(Path::new("prlimit"), &all, scratch)
}

/// Runs a program in `folder` and sends it signals, each `NAME:SECONDS`. The figures pass through
/// `scratch`.
pub fn run_in(
    program: &Path,
    args: &[String],
    folder: &Path,
    scratch: &Path,
    stderr: Stdio,
    signals: &[String],
) -> Result<Measured, String> {
    let figures = scratch.join("usage.json");
    let own = std::env::current_exe().map_err(|e| format!("path of this program: {e}"))?;
    let output = Command::new(own)
        .arg("measured")
        .args(signals.iter().flat_map(|signal| ["--send", signal]))
        .arg(&figures)
        .arg(program)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(stderr)
        .output()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let text =
        fs::read_to_string(&figures).map_err(|e| format!("{}: not measured: {e}", program.display()))?;
    let usage = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Measured { usage, stdout: text(&output.stdout), stderr: text(&output.stderr) })
}

/// The hidden command: runs the program as its only child and writes the measured resources.
pub fn run_measured(args: &Args) -> Result<(), String> {
    let (program, rest) = args.command.split_first().ok_or("no program")?;
    let begin = Instant::now();
    let mut child = Command::new(program).args(rest).spawn().map_err(|e| format!("{program}: {e}"))?;
    let sent = Arc::new(Mutex::new(None));
    send(args.send.clone(), child.id(), &sent)?;
    let status = child.wait().map_err(|e| format!("{program}: {e}"))?;
    let end = Instant::now();
    let wall = (end - begin).as_secs_f64();
    let first: Option<Instant> = *sent.lock().map_err(|e| e.to_string())?;
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("getrusage: {e}"))?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let usage = Usage {
        user: seconds(used.user_time()),
        system: seconds(used.system_time()),
        wall,
        // Linux reports units of 1024 bytes.
        peak: u64::try_from(used.max_rss()).unwrap_or(0) * 1024,
        code: status.code(),
        answered: first.map(|first| end.saturating_duration_since(first).as_secs_f64()),
    };
    let text = serde_json::to_string(&usage).map_err(|e| e.to_string())?;
    fs::write(&args.into, text).map_err(|e| format!("{}: {e}", args.into.display()))
}

/// Sends each signal at its time, from a thread of its own, and notes when the first one was sent.
fn send(
    signals: Vec<(Signal, Duration)>,
    program: u32,
    sent: &Arc<Mutex<Option<Instant>>>,
) -> Result<(), String> {
    let program = Pid::from_raw(i32::try_from(program).map_err(|e| e.to_string())?);
    let (begin, sent) = (Instant::now(), Arc::clone(sent));
    std::thread::spawn(move || {
        for (signal, after) in signals {
            std::thread::sleep(after.saturating_sub(begin.elapsed()));
            let now = Instant::now();
            if kill(program, signal).is_ok()
                && let Ok(mut sent) = sent.lock()
            {
                sent.get_or_insert(now);
            }
        }
    });
    Ok(())
}
