//! A server over a long time: edits, rounds, restarts and browsers, without growth of memory, threads, open
//! files, streams or files on the disk.
//!
//! An hour is simulated by its events without the pauses between them: an edit and a round every five
//! minutes, browsers that come, go or stay silent, a restart every six hours. The figures of 24 hours are
//! recorded in `bench/results/web.tsv`.

use std::fs;
use std::io::Read;
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::served::Served;
use crate::support::{folder, run};

/// Edits and rounds in an hour.
const EDITS: u32 = 12;

/// Hours between two restarts.
const RESTART: u32 = 6;

/// What a server holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    kilobytes: u64,
    threads: u64,
    descriptors: usize,
    files: usize,
}

impl Held {
    fn of(served: &Served, project: &Path) -> Held {
        let status = fs::read_to_string(format!("/proc/{}/status", served.pid())).expect("a process");
        let field = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a field");
            line.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number")
        };
        let count = |path: &str| fs::read_dir(path).map_or(0, |entries| entries.flatten().count());
        Held {
            kilobytes: field("VmRSS:"),
            threads: field("Threads:"),
            descriptors: count(&format!("/proc/{}/fd", served.pid())),
            files: files(project),
        }
    }
}

/// The number of files below a folder.
fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

/// Reads a stream until the round has ended; a browser that misses the end would wait for it without success.
fn see_end(stream: &mut TcpStream, round: u32) {
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    let mut text = String::new();
    let mut buffer = [0; 16384];
    let began = format!("\"running\":{round}");
    loop {
        let read = stream.read(&mut buffer).expect("the end of the round is announced");
        assert!(read > 0, "the stream is open");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
        let rest = text.find(&began).map(|at| &text[at..]);
        if rest.is_some_and(|rest| rest.contains("\"running\":null")) {
            return;
        }
    }
}

/// An edit, a round that verifies it, and the browsers beside it.
fn event(served: &mut Served, project: &Path, round: u32) {
    let property = format!(
        "+++\nname = \"edited\"\nformula = \"[] (!crossing || {round} < {})\"\n+++\n\nAn edit.\n",
        if round.is_multiple_of(7) { 0 } else { round + 1 }
    );
    fs::write(project.join("properties/edited.md"), property).expect("an edit");
    served.until("the edit was read", |served| {
        served.get("/properties/edited").1.contains(&format!("{round} &lt; "))
            || served.get("/properties/edited").1.contains(&format!("{round} &#60; "))
    });
    let mut watching = served.events();
    let leaving: Vec<TcpStream> = (0..3).map(|_| served.events()).collect();
    let silent: Vec<TcpStream> =
        (0..20).map(|_| TcpStream::connect(&served.address).expect("a connection")).collect();
    served.until("a round starts", |served| served.start_round("{\"properties\":[\"edited\"]}") == 202);
    drop(leaving);
    see_end(&mut watching, round);
    for page in ["/", "/tracker", "/properties", "/machines", "/api/project"] {
        assert_eq!(served.get(page).0, 200, "{page}");
    }
    let expected = if round.is_multiple_of(7) { "violated" } else { "holds" };
    served.until("the verdict", |served| {
        served.get("/api/properties/edited").1.contains(&format!("\"verdict\":\"{expected}\""))
    });
    drop(silent);
}

/// Simulates hours, and returns what was held after the first events and at the end, with the size of the
/// history.
fn soak(name: &str, hours: u32) -> (Held, Held, u64) {
    let project = folder(&format!("soak/{name}"));
    assert_eq!(run(&project, &["init", "."], "").exit, 0);
    let mut served = Served::start(&project, &[], &[]);
    let (mut first, mut round) = (None, 0);
    for hour in 1..=hours {
        for _ in 0..EDITS {
            round += 1;
            event(&mut served, &project, round);
            if round == EDITS.min(8) {
                first = Some(Held::of(&served, &project));
            }
        }
        if hour % RESTART == 0 && hour < hours {
            served.kill();
            served = Served::start(&project, &[], &[]);
        }
    }
    // Closed connections are noticed within the time for the head of a request.
    let before = first.expect("an event");
    let begin = Instant::now();
    while Held::of(&served, &project).descriptors > before.descriptors && begin.elapsed().as_secs() < 30 {
        std::thread::sleep(Duration::from_millis(200));
    }
    let history = fs::metadata(project.join(".axle/history.db")).map_or(0, |about| about.len());
    (before, Held::of(&served, &project), history)
}

fn check(before: Held, after: Held) {
    assert!(after.kilobytes < before.kilobytes + 48 * 1024, "memory: {before:?} {after:?}");
    assert!(after.threads <= before.threads + 8, "threads: {before:?} {after:?}");
    assert!(after.descriptors <= before.descriptors + 4, "open files: {before:?} {after:?}");
    assert!(after.files <= before.files, "files: {before:?} {after:?}");
}

/// An hour, or as many as the variable says: 24 take a quarter of an hour.
#[test]
fn hours_leave_nothing_behind() {
    let hours = std::env::var("AXLE_SOAK_HOURS").map_or(1, |hours| hours.parse().expect("a number"));
    let begin = Instant::now();
    let (before, after, history) = soak("hours", hours);
    println!("{hours} simulated hours in {} s; history {history} bytes", begin.elapsed().as_secs());
    println!("before: {before:?}\nafter: {after:?}");
    check(before, after);
}
