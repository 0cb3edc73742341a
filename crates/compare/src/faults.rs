//! `cargo xtask faults`: mutation testing of the engines. Deliberate faults are inserted one at a
//! time, to determine whether the tests and the fuzzers detect them.
//!
//! The faults are in `crates/compare/faults/*.txt`: a line of a file, a text in it, and its replacement. All
//! are inserted into one scratch copy of the tree, each guarded by a run-time selection
//! (`AXLE_FAULT`), so one build serves all. For each fault the fuzzer runs briefly; if it detects
//! nothing, the tests of the mutated crate and of its dependents run.
//!
//! *Entry point:* [`run`].
//! *Source:* Untch, Offutt and Harrold, "Mutation analysis using mutant schemata", ISSTA 1993.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

/// The mutated crates, whose tests are run, in order of dependence.
const CRATES: [&str; 22] = [
    "store",
    "model",
    "outcome",
    "step",
    "relation",
    "symbolic",
    "decide",
    "abstract",
    "reduce",
    "certify",
    "ltl",
    "search",
    "dist",
    "c",
    "c-exec",
    "question",
    "explicit",
    "c-evidence",
    "coroutine",
    "check",
    "refinement",
    "diagnosis",
];

/// The module inserted into each of these crates.
const SWITCH: &str = r#"
//! The selected fault.
use std::sync::atomic::{AtomicU32, Ordering};
static CHOSEN: AtomicU32 = AtomicU32::new(u32::MAX);
#[cold]
fn read() -> u32 {
    let chosen = std::env::var("AXLE_FAULT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    CHOSEN.store(chosen, Ordering::Relaxed);
    chosen
}
/// Whether this fault is selected.
#[inline]
pub fn on(number: u32) -> bool {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    number == if chosen == u32::MAX { read() } else { chosen }
}
"#;

/// Arguments of `cargo xtask faults`.
#[derive(clap::Args)]
pub struct Args {
    /// Only faults whose names contain one of these texts, separated by commas.
    #[arg(long)]
    only: Option<String>,
    /// Only faults of these lists, separated by commas, such as step,store.
    #[arg(long, value_delimiter = ',')]
    lists: Vec<String>,
    /// Only build the scratch copy.
    #[arg(long)]
    build: bool,
    /// Use the existing scratch copy.
    #[arg(long)]
    built: bool,
    /// Number of programs that the fuzzer compares per fault.
    #[arg(long, default_value_t = 400)]
    models: u64,
    /// Skip the tests.
    #[arg(long, conflicts_with = "no_fuzz")]
    no_tests: bool,
    /// Skip the fuzzer.
    #[arg(long)]
    no_fuzz: bool,
    /// Only the tests of these crates, separated by commas.
    #[arg(long, value_delimiter = ',')]
    crates: Vec<String>,
    /// Run the tests even if the fuzzer detected the fault.
    #[arg(long)]
    all_tests: bool,
}

/// A deliberate fault.
struct Fault {
    number: u32,
    name: String,
    file: String,
    /// Its list.
    list: String,
    /// The lines that contain the text.
    lines: String,
    old: String,
    new: String,
    /// The fuzzer command that runs before the tests.
    fuzz: &'static [&'static str],
}

impl Fault {
    /// The text with the guarded fault; `None` unless the original occurs exactly once.
    fn put_in(&self, text: &str) -> Option<String> {
        let Fault { number, lines, old, new, .. } = self;
        let (lines, whole) = (format!("\n{lines}\n"), format!("\n{text}"));
        if whole.matches(&lines).count() != 1 || lines.matches(old).count() != 1 {
            return None;
        }
        // As an expression, which may also be a block of statements.
        let either = format!("(if crate::axle_fault::on({number}) {{ {new} }} else {{ {old} }})");
        let seeded = whole.replacen(&lines, &lines.replacen(old, &either, 1), 1);
        Some(seeded.trim_start_matches('\n').to_string())
    }
}

/// The comparison of all search modes, and of reduced with unreduced searches.
const FUZZ_MODELS: &[&str] =
    &["fuzz-models", "--first", "--seed", "3", "--threads", "1", "--states", "800", "--models"];
const REDUCTION: &[&str] = &["reduction", "--random-only", "--stop", "--models"];

/// C programs in all modes, and the same programs in Promela.
const FUZZ_PROGRAMS: &[&str] =
    &["fuzz-programs", "--first", "--seed", "3", "--threads", "1", "--states", "3000", "--programs"];

/// Inserts the faults one at a time and reports which are detected.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let faults = read_faults(&root.join("crates/compare/faults"))?;
    let scratch = root.join("target/faults");
    // Copied, because other builds may share the build directory.
    let fuzzer = scratch.join("fuzzer");
    if !args.built {
        copy(root, &scratch)?;
        let stale = seed(&scratch, &faults)?;
        if !stale.is_empty() {
            return Err(format!("not in the source text: {}", stale.join("; ")));
        }
    }
    if !args.built && !args.no_fuzz {
        cargo(&scratch, &["build", "-p", "xtask"])?;
        let built = target(&scratch).join("debug").join("xtask");
        fs::copy(&built, &fuzzer).map_err(|e| format!("{}: {e}", built.display()))?;
    }
    let mut tests = match args.no_tests {
        true => Vec::new(),
        false => tests(&scratch, &args.crates)?,
    };
    if args.build {
        println!("{} faults, {} test programs", faults.len(), tests.len());
        return Ok(());
    }
    let asked = |fault: &&Fault| {
        args.only.as_ref().is_none_or(|only| only.split(',').any(|part| fault.name.contains(part)))
            && (args.lists.is_empty() || args.lists.contains(&fault.list))
    };
    // Without a fault nothing may be detected; this run also measures the time of each test.
    let mut costs = Costs::default();
    for fuzz in [FUZZ_MODELS, REDUCTION, FUZZ_PROGRAMS] {
        if faults.iter().filter(asked).any(|fault| fault.fuzz == fuzz)
            && let Some(seen) = noticed(&scratch, &fuzzer, &tests, args, fuzz, None, &mut costs)?
        {
            return Err(format!("without a fault: {seen}"));
        }
    }
    // Fast tests run first.
    tests.sort_by_key(|(name, _)| costs.limit(name));
    let (mut caught, mut survivors) = (0, Vec::new());
    println!("| fault | detected by |\n| --- | --- |");
    for fault in faults.iter().filter(asked) {
        match noticed(&scratch, &fuzzer, &tests, args, fault.fuzz, Some(fault), &mut costs)? {
            Some(by) => {
                caught += 1;
                println!("| {} | {by} |", fault.name);
            }
            None => {
                println!("| {} | nothing |", fault.name);
                survivors.push(fault.name.clone());
            }
        }
    }
    println!("\n{caught} of {} faults detected", caught + survivors.len());
    match survivors.is_empty() {
        true => Ok(()),
        false => Err(format!("not detected: {}", survivors.join("; "))),
    }
}

fn read_faults(folder: &Path) -> Result<Vec<Fault>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut faults = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        for block in text.split("\n@ ").skip(1) {
            let bad = || format!("{}: {}", file.display(), block.lines().next().unwrap_or_default());
            let (head, behind) = block.split_once("\n= ").ok_or_else(bad)?;
            let (old, new) = behind.trim_end().split_once("\n> ").ok_or_else(bad)?;
            let mut lines = head.splitn(3, '\n');
            let mut next = || lines.next().map(str::to_string).ok_or_else(bad);
            faults.push(Fault {
                number: faults.len() as u32 + 1,
                name: next()?,
                file: next()?,
                list: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
                lines: next()?,
                old: old.to_string(),
                new: new.to_string(),
                fuzz: match file.file_stem().and_then(|stem| stem.to_str()) {
                    Some("reduce") => REDUCTION,
                    Some("c") => FUZZ_PROGRAMS,
                    _ => FUZZ_MODELS,
                },
            });
        }
    }
    Ok(faults)
}

/// Copies the committed files.
fn copy(root: &Path, scratch: &Path) -> Result<(), String> {
    let sh = "rm -rf \"$1\" && mkdir -p \"$1\" && git archive HEAD | tar -x -C \"$1\"";
    let done = Command::new("sh").args(["-c", sh, "sh"]).arg(scratch).current_dir(root).status();
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("copying the tree: {status}")),
        Err(fault) => Err(format!("sh: {fault}")),
    }
}

/// Inserts all faults with their guards; returns the names of those whose text is missing.
fn seed(scratch: &Path, faults: &[Fault]) -> Result<Vec<String>, String> {
    for name in CRATES {
        let folder = scratch.join("crates").join(name).join("src");
        write(&folder.join("axle_fault.rs"), SWITCH)?;
        let lib = folder.join("lib.rs");
        write(&lib, &format!("{}\npub mod axle_fault;\n", read(&lib)?))?;
    }
    let mut stale = Vec::new();
    for fault in faults {
        let path = scratch.join(&fault.file);
        let text = read(&path)?;
        match fault.put_in(&text) {
            Some(seeded) => write(&path, &seeded)?,
            None => stale.push(fault.name.clone()),
        }
    }
    Ok(stale)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The build directory of the scratch copy; it reuses compiled dependencies.
fn target(scratch: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| scratch.join("target"), PathBuf::from)
}

/// Runs cargo in the scratch copy; returns its standard output.
fn cargo(scratch: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(scratch).env("CARGO_TARGET_DIR", target(scratch));
    command.stderr(Stdio::inherit());
    let output = command.output().map_err(|e| format!("cargo: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("cargo {}: {}", arguments.join(" "), output.status)),
    }
}

/// The compiled test programs of the crates.
fn tests(scratch: &Path, only: &[String]) -> Result<Vec<(String, PathBuf)>, String> {
    if let Some(unknown) = only.iter().find(|name| !CRATES.contains(&name.as_str())) {
        return Err(format!("unknown crate `{unknown}`; crates with faults: {}", CRATES.join(", ")));
    }
    let mut list = Vec::new();
    // Copied to a directory that no other build overwrites.
    let kept = scratch.join("tests-built");
    fs::create_dir_all(&kept).map_err(|e| format!("{}: {e}", kept.display()))?;
    for name in CRATES.into_iter().filter(|&name| only.is_empty() || only.iter().any(|one| one == name)) {
        let package = format!("axle-{name}");
        let said = cargo(scratch, &["test", "--no-run", "-p", &package, "--message-format=json"])?;
        let mut seen = BTreeSet::new();
        for line in said.lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let Some(program) = message["executable"].as_str() else { continue };
            if message["profile"]["test"] == true && seen.insert(program.to_string()) {
                let target = message["target"]["name"].as_str().unwrap_or_default();
                let copy = kept.join(Path::new(program).file_name().unwrap_or_default());
                fs::copy(program, &copy).map_err(|e| format!("{program}: {e}"))?;
                list.push((format!("{package} {target}"), copy));
            }
        }
    }
    Ok(list)
}

/// The check that detects a fault, if there is one.
fn noticed(
    scratch: &Path,
    fuzzer: &Path,
    tests: &[(String, PathBuf)],
    args: &Args,
    comparison: &[&str],
    fault: Option<&Fault>,
    costs: &mut Costs,
) -> Result<Option<String>, String> {
    let (mut by, number) = (Vec::new(), fault.map_or(0, |fault| fault.number));
    if !args.no_fuzz {
        let mut fuzz = limited(fuzzer, 4, costs.limit(comparison[0]));
        fuzz.args(comparison).arg(args.models.to_string());
        fuzz.env("CARGO_MANIFEST_DIR", scratch.join("xtask"));
        let ended = ends(fuzz, number, costs.limit(comparison[0]))?;
        costs.note(comparison[0], ended.cost);
        if let Some(how) = ended.badly {
            by.push(format!("{}{how}", comparison[0]));
            if !args.all_tests {
                return Ok(by.pop());
            }
        }
    }
    for (name, program) in tests {
        let package = name.split(' ').next().unwrap_or_default().trim_start_matches("axle-");
        // A crate below the mutated one does not execute the fault.
        if fault.is_some_and(|fault| !above(fault, package)) {
            continue;
        }
        let mut test = limited(program, 8, costs.limit(name));
        test.arg("-q");
        test.env("CARGO_MANIFEST_DIR", scratch.join("crates").join(package));
        test.current_dir(scratch.join("crates").join(package));
        let ended = ends(test, number, costs.limit(name))?;
        costs.note(name, ended.cost);
        if let Some(how) = ended.badly {
            by.push(format!("{name}{how}"));
            if !args.all_tests {
                break;
            }
        }
    }
    Ok((!by.is_empty()).then(|| by.join(", ")))
}

/// Whether a crate is the mutated one or depends on it.
fn above(fault: &Fault, package: &str) -> bool {
    let at = fault.file.split('/').nth(1).unwrap_or_default();
    match (at, package) {
        (at, package) if at == package => true,
        (
            "model",
            "outcome" | "step" | "relation" | "symbolic" | "decide" | "reduce" | "certify" | "search"
            | "c-exec" | "check",
        )
        | ("outcome", "step" | "search" | "check")
        | ("relation", "symbolic")
        | ("store" | "step" | "reduce", "search" | "check")
        | ("step", "certify")
        | ("relation" | "decide", "abstract")
        | ("relation", "decide")
        | ("c", "c-exec")
        | ("search" | "certify" | "ltl" | "c" | "c-exec", "check") => true,
        (_, _) => false,
    }
}

/// CPU time of each program without a fault; it is insensitive to other load.
#[derive(Default)]
struct Costs(HashMap<String, Duration>);

impl Costs {
    /// The limit for a program: a fault may change its work, so five times the time without a fault
    /// plus some seconds.
    fn limit(&self, name: &str) -> Duration {
        self.0.get(name).map_or(Duration::from_secs(1200), |&cost| 5 * cost + Duration::from_secs(20))
    }

    /// Records the time of the first run, which has no fault.
    fn note(&mut self, name: &str, cost: Duration) {
        self.0.entry(name.to_string()).or_insert(cost);
    }
}

/// A program with limits on address space and CPU time: a fault may cause an infinite search or
/// exhaust memory.
fn limited(program: &Path, gigabytes: u64, time: Duration) -> Command {
    let limits = format!("ulimit -v {}; ulimit -t {}", gigabytes * 1_000_000, time.as_secs() + 1);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")]).arg(program);
    command
}

/// The result of a program.
struct Ended {
    /// `None` for success; otherwise a description, or the exceeded time limit.
    badly: Option<&'static str>,
    /// Processor time.
    cost: Duration,
}

fn ends(mut command: Command, number: u32, most: Duration) -> Result<Ended, String> {
    let used = || -> Result<Duration, String> {
        let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| format!("getrusage: {e}"))?;
        let all = [used.user_time(), used.system_time()];
        Ok(all
            .iter()
            .map(|time| Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()) as u64))
            .sum())
    };
    let (begin, before) = (Instant::now(), used()?);
    command.env("AXLE_FAULT", number.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("starting a test failed: {e}"))?;
    let status = loop {
        match child.try_wait().map_err(|e| format!("a test: {e}"))? {
            Some(status) => break status,
            // Deadlocked threads use no CPU time.
            None if begin.elapsed() > 10 * most => {
                child.kill().map_err(|e| format!("ending a test failed: {e}"))?;
                break child.wait().map_err(|e| format!("a test: {e}"))?;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let stopped = matches!(status.signal(), Some(9 | 24));
    let badly = (!status.success()).then_some(if stopped { ", by its time limit" } else { "" });
    Ok(Ended { badly, cost: used()?.saturating_sub(before) })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_fault_can_still_be_put_in() {
        let root = crate::repository();
        let faults = read_faults(&root.join("crates/compare/faults")).expect("the lists of faults");
        assert!(faults.len() > 150);
        // Inserted one after the other into the same text, as in `seed`.
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for fault in faults {
            let text = texts
                .entry(fault.file.clone())
                .or_insert_with(|| read(&root.join(&fault.file)).expect("the file of a fault"));
            *text =
                fault.put_in(text).unwrap_or_else(|| panic!("no longer in {}: {}", fault.file, fault.name));
        }
        // Types are checked by the build of the scratch copy only.
        for (file, text) in texts {
            syn::parse_file(&text).unwrap_or_else(|fault| panic!("{file} with its faults: {fault}"));
        }
    }
}
