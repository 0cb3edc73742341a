//! `axle worker --confirm`: replays the result of another worker for the server, in a process of its own.
//!
//! The request is on standard input, the answer on standard output, both as JSON.
//!
//! *Entry points:* [`run`] in the process, [`confirm`] in the server.
//! *Invariant:* the process ends after a limited time and within limited memory, whatever the result
//! contains.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_feaver::execute::Outcome;
use axle_feaver::jobs::task::Task;
use axle_feaver::round::local::{LEASE, StoreSource};
use axle_feaver::round::payload::Payload;
use axle_feaver::round::worker::Failure;
use axle_feaver::round::workshop::Workshop;
use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::history;
use crate::machine::{resident_memory, spare_memory};
use crate::output::{complain, print};

/// The longest time of a replay, with the preparation of its run.
const LONGEST: Duration = Duration::from_secs(90);

/// The largest memory of a replay.
const LARGEST: u64 = 4 << 30;

/// Time between two looks at the limits.
const LOOK: Duration = Duration::from_millis(50);

/// A result to confirm.
#[derive(Serialize, Deserialize)]
struct Request {
    task: Task,
    payload: Payload,
    outcome: Outcome,
}

/// The answer.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// The result as it was replayed.
    Confirmed(Box<Outcome>),
    /// The replay does not show the result.
    Refused(String),
}

/// Runs the command.
pub fn run() -> Result<Exit, String> {
    let mut text = Vec::new();
    std::io::stdin().lock().read_to_end(&mut text).map_err(|fault| fault.to_string())?;
    let Request { task, payload, outcome } =
        serde_json::from_slice(&text).map_err(|fault| format!("invalid request: {fault}"))?;
    let limit = (spare_memory() / 2).min(LARGEST);
    let watch = move || {
        let begin = Instant::now();
        while begin.elapsed() < LONGEST && resident_memory().is_none_or(|used| used < limit) {
            std::thread::sleep(LOOK);
        }
        complain("the replay exceeds its limit on time or memory");
        std::process::exit(Exit::Unknown.code().into());
    };
    std::thread::Builder::new().name("limits".to_string()).spawn(watch).map_err(|fault| fault.to_string())?;
    let location = history::chosen(None)?.ok_or("the database is not named")?;
    let source = StoreSource::new(Arc::from(history::open_at(&location)?), None, LEASE);
    let confirmed = Workshop::new(history::build(), None).confirm(task, &payload, &source, outcome);
    let answer = match confirmed {
        Ok(outcome) => Answer::Confirmed(Box::new(outcome)),
        Err(Failure::Failed(reason)) => Answer::Refused(reason),
        Err(Failure::Unsuitable(reason)) => return Err(reason),
        Err(Failure::Source(fault)) => return Err(fault.to_string()),
    };
    print(&serde_json::to_string(&answer).map_err(|fault| fault.to_string())?)?;
    Ok(Exit::Holds)
}

/// Replays a result in a process. Returns the result as it was replayed, or the reason why it is refused.
///
/// # Errors
/// The process did not answer within its limits.
pub fn confirm(
    program: &Path,
    location: &str,
    (task, payload): (Task, &Payload),
    outcome: &Outcome,
) -> Result<Result<Outcome, String>, String> {
    let request = Request { task, payload: payload.clone(), outcome: outcome.clone() };
    let request = serde_json::to_vec(&request).map_err(|fault| fault.to_string())?;
    let mut child = Command::new(program)
        .args(["worker", "--confirm"])
        .env(history::VARIABLE, location)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|fault| format!("the replay cannot be started: {fault}"))?;
    let stdin = child.stdin.take();
    let write = std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A process that has ended reads nothing; its exit code says it.
            let _ = stdin.write_all(&request);
        }
    });
    let output = child.wait_with_output().map_err(|fault| fault.to_string());
    // The thread does not panic.
    let _ = write.join();
    let output = output?;
    match serde_json::from_slice(&output.stdout) {
        Ok(Answer::Confirmed(outcome)) if output.status.success() => Ok(Ok(*outcome)),
        Ok(Answer::Refused(reason)) if output.status.success() => Ok(Err(reason)),
        _ => Err(String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("axle: ").to_string()),
    }
}
