//! `axle run` with worker processes that are killed, frozen or started by hand, and with an end by
//! budget or signal.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::folder;

/// Properties `large0` to `large3` need minutes; of another model, `tiny` is violated and `small` holds.
fn project(name: &str) -> PathBuf {
    let folder = folder(&format!("rounds/{name}"));
    fs::create_dir(folder.join("properties")).expect("a folder");
    let property = |name: &str, model: &str, formula: &str| {
        let text =
            format!("+++\nname = \"{name}\"\nmodel = \"{model}\"\nformula = \"{formula}\"\n+++\n\nWords.\n");
        fs::write(folder.join(format!("properties/{name}.md")), text).expect("a property");
    };
    for number in 0..4 {
        property(&format!("large{number}"), "large.pml", &format!("[] (a + b + c + d < {})", 900 + number));
    }
    property("tiny", "few.pml", "[] (e < 3)");
    property("small", "few.pml", "[] (e < 4)");
    let few = "byte e; active proctype few() { do :: e < 3 -> e++ :: else -> break od }\n";
    fs::write(folder.join("few.pml"), few).expect("a model");
    let large = "byte a, b, c, d;
proctype count(byte which) { do
  :: which == 0 && a < 90 -> a++ :: which == 1 && b < 90 -> b++
  :: which == 2 && c < 90 -> c++ :: which == 3 && d < 90 -> d++ od }
init { atomic { run count(0); run count(1); run count(2); run count(3) } }\n";
    fs::write(folder.join("large.pml"), large).expect("a model");
    // The schedule of properties is what these tests are about.
    let sources = "[sources]\npromela = [\"large.pml\", \"few.pml\"]\n";
    let manifest = format!("name = \"large\"\n{sources}[safety]\nchecks = []\n");
    fs::write(folder.join("axle.toml"), manifest).expect("a manifest");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_axle"));
    command.args(arguments).args(["--memory", "200MB"]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A command in progress, which is killed if the test fails.
struct Running(Option<Child>);

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Running {
        Running(Some(command(folder, arguments).spawn().expect("axle starts")))
    }

    fn pid(&self) -> u32 {
        self.0.as_ref().expect("a process").id()
    }

    /// Reads lines of standard output up to one that contains the text.
    fn wait_for(&mut self, text: &str) -> String {
        let stdout = self.0.as_mut().and_then(|child| child.stdout.as_mut()).expect("a pipe");
        let mut line = String::new();
        let mut reader = BufReader::with_capacity(1, stdout);
        loop {
            line.clear();
            let read = reader.read_line(&mut line).expect("text");
            assert!(read > 0, "axle ended without `{text}`");
            if line.contains(text) {
                return line;
            }
        }
    }

    fn end(mut self) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } =
            self.0.take().expect("a process").wait_with_output().expect("an end");
        (status.code(), String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            child.kill().expect("a child is killed, or has ended");
            child.wait().expect("the end of a child");
        }
    }
}

/// The workers of a command: its child processes.
fn workers(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("/proc").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // State and parent follow the name, which is in parentheses.
        let rest = stat.rsplit(')').next().unwrap_or_default();
        let mut fields = rest.split_whitespace();
        let is_alive = fields.next().is_some_and(|state| state != "Z");
        if is_alive && fields.next().and_then(|parent| parent.parse().ok()) == Some(of) {
            found.push(pid);
        }
    }
    found.sort_unstable();
    found
}

fn send(pid: u32, signal: Signal) {
    let sent = kill(Pid::from_raw(i32::try_from(pid).expect("a number")), signal);
    // The process may have ended.
    assert!(matches!(sent, Ok(()) | Err(Errno::ESRCH)), "{sent:?}");
}

/// Waits until a condition holds.
fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_killed_command_is_continued_and_its_workers_end() {
    let folder = project("killed");
    let mut first = Running::start(&folder, &["run", "--workers", "2", "--json-lines"]);
    first.wait_for("\"tiny@any\",\"verdict\":\"violated\"");
    first.wait_for("0/cycle-1");
    let own = workers(first.pid());
    assert_eq!(own.len(), 2);
    send(first.pid(), Signal::SIGKILL);
    drop(first);
    eventually("the workers end", || own.iter().all(|pid| !Path::new(&format!("/proc/{pid}/stat")).exists()));

    let log = folder.join("log");
    let arguments = ["run", "--workers", "2", "--budget", "12s", "--log", "log"];
    let (code, text) = Running::start(&folder, &arguments).end();
    assert!(text.contains("a round that was interrupted is continued"), "{text}");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("4 unknown") && text.contains("1 hold, 1 violated"), "{text}");
    let log = fs::read_to_string(log).expect("a log");
    assert_eq!(log.matches("concluded   tiny@any: violated in cycle").count(), 1, "{log}");
    assert!(log.contains("resumed by another driver") && log.contains("budget spent"), "{log}");
    // First cycles of all runs precede second cycles of any.
    let started = |line: &&str| line.contains("  started ");
    let starts: Vec<&str> = log.lines().filter(started).collect();
    let second = starts.iter().position(|line| line.ends_with("cycle 1"));
    let first = starts.iter().rposition(|line| line.ends_with("cycle 0"));
    assert!(second.is_none_or(|second| first < Some(second) || log.contains("returned")), "{log}");
}

#[test]
fn killed_and_frozen_workers_lose_their_jobs() {
    let folder = project("frozen");
    let selected = ["--property", "large0", "--property", "large1"];
    let budget = ["run", "--workers", "2", "--budget", "20s", "--lease", "2s", "--json-lines"];
    let mut running = Running::start(&folder, &[&budget[..], &selected].concat());
    running.wait_for("\"event\":\"started\"");
    running.wait_for("\"event\":\"started\"");
    let before = workers(running.pid());
    assert_eq!(before.len(), 2);
    send(before[0], Signal::SIGKILL);
    running.wait_for("the worker process was ended by signal 9");
    running.wait_for("\"event\":\"started\"");
    let now = workers(running.pid());
    assert!(now.len() == 2 && now.contains(&before[1]) && !now.contains(&before[0]), "{before:?} {now:?}");
    // A worker that is frozen between two jobs has no lease: the second one is frozen when it has begun one.
    running.wait_for("-2\",\"attempt\"");
    send(before[1], Signal::SIGSTOP);
    running.wait_for("the lease expired without a heartbeat");
    send(before[1], Signal::SIGCONT);
    let ended = running.wait_for("\"event\":\"ended\"");
    assert!(ended.contains("\"holds\":0,\"violated\":0,\"unknown\":2"), "{ended}");
    assert_eq!(running.end().0, Some(3));
}

#[test]
fn an_interrupted_round_reports_every_run() {
    let folder = project("interrupted");
    let running = Running::start(&folder, &["run", "--workers", "1"]);
    eventually("there is a worker", || !workers(running.pid()).is_empty());
    std::thread::sleep(Duration::from_secs(2));
    send(running.pid(), Signal::SIGINT);
    let (code, text) = running.end();
    assert_eq!(code, Some(130), "{text}");
    for run in ["large0@any", "large1@any", "large2@any", "large3@any", "small@any", "tiny@any"] {
        assert!(text.lines().any(|line| line.starts_with(run)), "{text}");
    }
    // The round has ended: nothing is continued.
    let (_, text) = Running::start(&folder, &["run", "--property", "tiny", "--workers", "1"]).end();
    assert!(!text.contains("continued") && text.contains("1 violated"), "{text}");
}

#[test]
fn a_worker_that_was_started_by_hand_takes_part() {
    let folder = project("by-hand");
    // The database exists once a round was begun.
    let (_, text) = Running::start(&folder, &["run", "--property", "small"]).end();
    assert!(text.contains("1 hold"), "{text}");
    let helper = Running::start(&folder, &["worker", "--quiet"]);
    let mut running = Running::start(&folder, &["run", "--workers", "1", "--budget", "20s", "--json-lines"]);
    let name = format!("-{}\",\"attempt\":1", helper.pid());
    running.wait_for(&name);
    running.wait_for("\"event\":\"finished\"");
    send(running.pid(), Signal::SIGINT);
    assert_eq!(running.end().0, Some(130));
    send(helper.pid(), Signal::SIGTERM);
    let (code, text) = helper.end();
    assert_eq!(code, Some(0), "{text}");
}
