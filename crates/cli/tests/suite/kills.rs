//! Searches by several processes of which one is killed or frozen at a random moment, or whose disk is full:
//! the others end by themselves and say so, and the search is resumed to the same result.
//!
//! `AXLE_KILLS` names the number of processes that are killed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axle_evidence::report::Report;

use crate::support::{folder, run};

/// Three counters, whose search takes a part of a second.
const COUNTERS: &str = "byte a, b, c;
active proctype A() { do :: a < 44 -> a++ :: else -> break od }
active proctype B() { do :: b < 44 -> b++ :: else -> break od }
active proctype C() { do :: c < 44 -> c++ :: else -> break od; assert(a + b + c < 132) }";

const CHECK: [&str; 7] = ["check", "m.pml", "--por", "none", "--json", "--max-violations", "all"];

/// Random numbers, so that a campaign can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }
}

/// What a report states of a search.
#[derive(PartialEq, Eq, Debug)]
struct Result {
    figures: String,
    traces: String,
}

fn result(report: &Report) -> Result {
    let search = &report.search;
    let figures = format!("{:?} {:?} {:?}", search.states, search.transitions, search.depth);
    Result { figures, traces: serde_json::to_string(&report.violations).unwrap() }
}

fn start(folder: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(CHECK)
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A search by one process with two workers and others with one each, which share a level log.
fn gang(folder: &Path, processes: usize, time: &[&str]) -> Vec<Child> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let others = (processes - 1).to_string();
    let common = ["--workers", "1", "--level-log", "levels", "--token-file", "token"];
    let host = ["--gather", &others, "--listen", &address];
    let mut all = vec![start(folder, &[&common[..], &host, time].concat())];
    for _ in 1..processes {
        all.push(start(folder, &[&common[..], &["--join", &address], time].concat()));
    }
    all
}

/// The end of a process that was not killed: within a minute, and with a report.
fn ended(mut child: Child) -> (i32, Report) {
    let until = Instant::now() + Duration::from_secs(90);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            // It would outlive this test.
            let _ = child.kill();
            panic!("a process does not end after another one was killed");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    (output.status.code().unwrap_or(-1), report)
}

fn expected(folder: &Path) -> (i32, Result) {
    std::fs::write(folder.join("m.pml"), COUNTERS).unwrap();
    std::fs::write(folder.join("token"), "a secret of this search\n").unwrap();
    let whole = run(folder, &[&CHECK[..], &["--workers", "1"]].concat(), "");
    (whole.exit, result(&serde_json::from_str(&whole.out).unwrap()))
}

/// Resumes the search by one process to its end.
fn resumed(folder: &Path) -> (i32, Result) {
    let ran = run(folder, &[&CHECK[..], &["--workers", "3", "--level-log", "levels"]].concat(), "");
    (ran.exit, result(&serde_json::from_str(&ran.out).unwrap()))
}

/// The level logs of all attempts.
fn logs(folder: &Path) -> BTreeSet<OsString> {
    let entries = std::fs::read_dir(folder.join("levels"));
    entries.map(|all| all.map(|entry| entry.unwrap().file_name()).collect()).unwrap_or_default()
}

#[test]
fn killed_processes_lose_nothing() {
    let kills: u64 = std::env::var("AXLE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let folder = folder("kill_campaign");
    let expected = expected(&folder);
    let mut random = Random(45);
    let (mut cut, mut complete, mut coordinators, mut resumptions) = (0, 0, 0, 0);
    for kill in 0..kills {
        let processes = 2 + random.below(2) as usize;
        let before = logs(&folder);
        let mut all = gang(&folder, processes, &[]);
        std::thread::sleep(Duration::from_millis(20 + random.below(900)));
        // Every fifth time, the process that the others have joined.
        let victim = if kill % 5 == 0 { 0 } else { 1 + random.below(processes as u64 - 1) as usize };
        let mut victim = all.remove(victim);
        victim.kill().unwrap();
        victim.wait().unwrap();
        coordinators += u64::from(kill % 5 == 0);
        let mut is_cut = false;
        for mut other in all {
            // Processes that no other one joins any more would wait for a minute, and the first one without end.
            let has_met = logs(&folder) != before;
            if !has_met {
                let _ = other.kill();
                other.wait().unwrap();
                continue;
            }
            let (exit, report) = ended(other);
            match exit == expected.0 {
                true => assert_eq!(result(&report), expected.1, "kill {kill}"),
                false => {
                    assert_eq!((exit, report.stop.map(|stop| stop.reason.name())), (3, Some("workers")));
                    is_cut = true;
                }
            }
        }
        cut += u64::from(is_cut);
        if kill % 4 == 3 || kill + 1 == kills {
            assert_eq!(resumed(&folder), expected, "after kill {kill}");
            resumptions += 1;
            std::fs::remove_dir_all(folder.join("levels")).unwrap();
        } else {
            complete += u64::from(!is_cut);
        }
    }
    println!(
        "{kills} processes killed, {coordinators} of them first; {cut} searches cut, {complete} not, {resumptions} resumed"
    );
    assert!(cut > 0, "no search was cut");
}

/// A process that is frozen holds the others up to their limit on time; then they end, and the search is
/// resumed.
#[test]
fn a_frozen_process_ends_the_search_at_its_limit() {
    let folder = folder("frozen_process");
    let expected = expected(&folder);
    let mut all = gang(&folder, 2, &["--time", "3s"]);
    while !folder.join("levels/manifest").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut frozen = all.pop().unwrap();
    let signal =
        |signal| nix::sys::signal::kill(nix::unistd::Pid::from_raw(frozen.id() as i32), signal).unwrap();
    signal(nix::sys::signal::Signal::SIGSTOP);
    let (exit, report) = ended(all.pop().unwrap());
    // The search may have been complete before.
    if exit != expected.0 {
        let reason = report.stop.map(|stop| stop.reason.name());
        assert!(exit == 3 && matches!(reason, Some("workers" | "time")), "{exit}, {reason:?}");
    }
    frozen.kill().unwrap();
    frozen.wait().unwrap();
    assert_eq!(resumed(&folder), expected);
}

/// A disk without space ends the search with a reason, and without a verdict.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_reason() {
    let folder = folder("full_disk");
    let expected = expected(&folder);
    std::fs::create_dir(folder.join("levels")).unwrap();
    // Every write to this device fails for lack of space.
    std::os::unix::fs::symlink("/dev/full", folder.join("levels/levels-0-1")).unwrap();
    let ran = run(&folder, &[&CHECK[..], &["--workers", "2", "--level-log", "levels"]].concat(), "");
    let report: Report = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.exit, report.stop.map(|stop| stop.reason.name())), (3, Some("disk")));
    std::fs::remove_file(folder.join("levels/levels-0-1")).unwrap();
    assert_eq!(resumed(&folder), expected);
}
