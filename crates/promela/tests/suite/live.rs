//! Side by side with Spin, where it is installed and asked for: `AXLE_SPIN=1` runs every example of
//! Debian's `spin` package, `AXLE_SPIN=FOLDER` every `.pml` in a folder. For each model that Spin
//! accepts: accepted, the same verdict, the same number of stored states and transitions with every
//! reduction off.

use crate::plain_explorer;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use axle_promela::Options;

const EXAMPLES: &str = "/usr/share/doc/spin/examples";
const LIMIT: usize = 400_000;

/// Models where Axle is right to differ, and why.
const DIFFERENT: &[(&str, &str)] = &[];

#[test]
fn examples_equal_spin() {
    let Some(folder) = std::env::var_os("AXLE_SPIN") else {
        // Compiling the verifiers of all examples takes many minutes.
        println!("skipped: AXLE_SPIN is not set");
        return;
    };
    let folder = if folder == "1" { PathBuf::from(EXAMPLES) } else { PathBuf::from(folder) };
    let mut models = Vec::new();
    collect(&folder, &mut models);
    models.sort();
    let only = std::env::var("AXLE_SPIN_ONLY").unwrap_or_default();
    let mut wrong = 0;
    for path in models.iter().filter(|p| p.to_string_lossy().contains(&only)) {
        let spin = spin(path);
        let axle = axle(path);
        let name = path.strip_prefix(&folder).unwrap_or(path).display();
        let argued = DIFFERENT.iter().find(|(model, _)| path.ends_with(model));
        let verdict = match (&spin, &axle, argued) {
            (_, _, Some((_, why))) => format!("argued: {why}"),
            (Answer::Cut, _, _) | (_, Answer::Cut, _) => "cut".to_owned(),
            (a, b, None) if a == b => "equal".to_owned(),
            _ => {
                wrong += 1;
                "WRONG".to_owned()
            }
        };
        println!("{verdict:8} {name}: spin {spin:?}, axle {axle:?}");
    }
    assert_eq!(wrong, 0, "models that differ");
}

fn collect(folder: &Path, models: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, models);
        } else if path.extension().is_some_and(|e| e == "pml") {
            models.push(path);
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    /// Not accepted.
    Refused,
    /// Not finished.
    Cut,
    /// Whether there is an error, states, transitions.
    Done(bool, usize, usize),
}

fn axle(path: &Path) -> Answer {
    let (model, diagnostics) = plain_explorer::compile_file(path, &Options::default());
    let Some(model) = model else {
        println!("{diagnostics}");
        return Answer::Refused;
    };
    let explored = plain_explorer::explore(&model, LIMIT);
    if explored.cut {
        return Answer::Cut;
    }
    if !explored.faults.is_empty() {
        println!("faults: {:?}", explored.faults);
    }
    Answer::Done(!explored.faults.is_empty(), explored.stored, explored.transitions)
}

fn spin(path: &Path) -> Answer {
    let folder = std::env::temp_dir().join(format!("axle-live-{}", std::process::id()));
    // It is there only after an earlier run.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder of our own");
    // Included files lie beside the model.
    let beside = path.parent().unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(beside).into_iter().flatten().flatten() {
        if entry.path().is_file() {
            // A file that is missing shows when it is included.
            let _ = std::fs::copy(entry.path(), folder.join(entry.file_name()));
        }
    }
    let name = path.file_name().unwrap_or_default();
    let made = run(Command::new("spin").args(["-o1", "-o2", "-o3", "-a"]).arg(name).current_dir(&folder), 20);
    if !made.is_some_and(|(ok, _)| ok) || !folder.join("pan.c").exists() {
        return Answer::Refused;
    }
    let flags = ["-w", "-O1", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=4096", "-o", "pan", "pan.c"];
    let compiled = run(Command::new("gcc").args(flags).current_dir(&folder), 60);
    if !compiled.is_some_and(|(ok, _)| ok) {
        return Answer::Refused;
    }
    let ran = run(Command::new("./pan").args(["-n", "-c0", "-m2000000"]).current_dir(&folder), 60);
    let Some((_, text)) = ran else { return Answer::Cut };
    let number = |what: &str| {
        let line = text.lines().find(|l| l.contains(what))?;
        line.split_whitespace().find_map(|w| w.parse::<usize>().ok())
    };
    let errors = text.lines().find_map(|l| l.split("errors: ").nth(1)?.trim().parse::<usize>().ok());
    match (errors, number("states, stored"), number("transitions (=")) {
        (Some(errors), Some(stored), Some(transitions))
            if !text.contains("max search depth too small") && !text.contains("Search not completed") =>
        {
            if stored > LIMIT {
                Answer::Cut
            } else {
                Answer::Done(errors > 0, stored, transitions)
            }
        }
        _ => Answer::Cut,
    }
}

/// Runs a command for so many seconds at most: whether it succeeded, and what it printed.
fn run(command: &mut Command, seconds: u64) -> Option<(bool, String)> {
    let path = std::env::temp_dir().join(format!("axle-live-{}.out", std::process::id()));
    let out = std::fs::File::create(&path).ok()?;
    let mut child = command.stdin(Stdio::null()).stdout(out).stderr(Stdio::null()).spawn().ok()?;
    let end = Instant::now() + Duration::from_secs(seconds);
    let status = loop {
        if let Some(status) = child.try_wait().ok()? {
            break status;
        }
        if Instant::now() > end {
            // An error means that it has already ended.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Some((status.success(), std::fs::read_to_string(&path).unwrap_or_default()))
}
