//! `cargo xtask fuzz-models`: random Promela programs, checked in every search mode and by Spin.
//!
//! `axle-generate` generates the programs. `fuzz_models/modes.rs` checks one in all modes and
//! reports differences. `fuzz_models/plain.rs` is the reference exploration, without a state store
//! or product. `fuzz_models/spin.rs` runs Spin. A disagreement is shrunk and written to a directory
//! with the result of the reference exploration, in the format of `tests/regressions/`, which
//! `regression` reads.
//!
//! *Entry point:* [`run`].

mod modes;
mod plain;
mod plan;
mod spin;

use axle_benchmarks::results::{record, row};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axle_generate::promela::{Audience, program};
use axle_generate::shrink::shrink;

use modes::Compared;

pub use modes::model;

/// Time limit for shrinking one disagreement.
const SHRINKING: Duration = Duration::from_secs(60);

/// Number of programs between progress reports.
const TELL: u64 = 1_000;

/// What to run.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// Number of programs.
    #[arg(long, default_value_t = 1_000)]
    models: u64,
    /// Random seed: equal seeds give equal programs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first program.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Time limit in seconds.
    #[arg(long)]
    seconds: Option<u64>,
    /// Also run Spin, and generate only programs with the same semantics in Spin.
    #[arg(long)]
    spin: bool,
    /// Maximum number of states of a program; larger ones are skipped.
    #[arg(long, default_value_t = 2_000)]
    states: usize,
    /// Number of threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Print and compare only this program.
    #[arg(long)]
    only: Option<u64>,
    /// Compare the program in this file instead.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Stop at the first disagreement without shrinking it.
    #[arg(long)]
    first: bool,
    /// Directory for disagreements.
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// The results of all programs.
#[derive(Default)]
struct Tally {
    compared: u64,
    too_large: u64,
    refused: BTreeMap<String, u64>,
    states: u64,
    violated: u64,
    properties: u64,
    by_spin: u64,
    unasked: BTreeMap<String, u64>,
    /// The first program with each kind of disagreement, and the number of programs.
    kinds: BTreeMap<String, (u64, u64)>,
}

/// Compares programs and reports disagreements.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if let Some(file) = &args.file {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        return one(args, &text);
    }
    let audience = if args.spin { Audience::Spin } else { Audience::Axle };
    if let Some(index) = args.only {
        let text = program(args.seed, index, audience).to_string();
        println!("{text}");
        return one(args, &text);
    }
    let folder = args.folder.clone().unwrap_or_else(|| root.join("target").join("fuzz-models"));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // Panics are caught and reported as disagreements.
    std::panic::set_hook(Box::new(|_| {}));
    let begin = Instant::now();
    let (next, tally) = (AtomicU64::new(args.from), Mutex::new(Tally::default()));
    let to = args.from.saturating_add(args.models);
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let late = args.seconds.is_some_and(|seconds| begin.elapsed().as_secs() >= seconds);
                    if index >= to || late {
                        break;
                    }
                    if index % TELL == 0 && index > args.from {
                        eprintln!("program {index}, after {} s", begin.elapsed().as_secs());
                    }
                    let compared = compare(&program(args.seed, index, audience).to_string(), args);
                    match note(&tally, index, compared) {
                        Some(_) if args.first => next.store(to, Ordering::Relaxed),
                        Some(kind) => keep(args, audience, index, &kind, &folder),
                        None => {}
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    report(root, &tally, begin.elapsed().as_secs_f64())
}

/// Compares one program and prints the result.
fn one(args: &Args, text: &str) -> Result<(), String> {
    match compare(text, args) {
        Compared::Agreed(came) => {
            println!("{came:?}");
            Ok(())
        }
        Compared::TooLarge => Err(format!("more than {} states", args.states)),
        Compared::Refused(why) => Err(format!("rejected: {why}")),
        Compared::Differs(kind, why) => Err(format!("{kind}: {why}")),
    }
}

/// Compares all search modes, and Spin if requested.
fn compare(text: &str, args: &Args) -> Compared {
    let all = || match modes::compare(text, args.states) {
        Compared::Agreed(came) if args.spin => spin::compare(text, came),
        compared => compared,
    };
    catch_unwind(AssertUnwindSafe(all)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        Compared::Differs("panic".into(), said.unwrap_or_default())
    })
}

/// Counts a result; returns the kind of disagreement if it is the first of its kind.
fn note(tally: &Mutex<Tally>, index: u64, compared: Compared) -> Option<String> {
    let mut tally = tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match compared {
        Compared::Agreed(came) => {
            tally.compared += 1;
            tally.states += came.states;
            tally.violated += u64::from(!came.violations.is_empty());
            tally.properties += came.properties.len() as u64;
            match came.spin {
                Some(Ok(())) => tally.by_spin += 1,
                Some(Err(why)) => *tally.unasked.entry(why).or_default() += 1,
                None => {}
            }
        }
        Compared::TooLarge => tally.too_large += 1,
        Compared::Refused(why) => *tally.refused.entry(why).or_default() += 1,
        Compared::Differs(kind, why) => {
            let known = tally.kinds.entry(kind.clone()).or_insert((index, 0));
            known.1 += 1;
            // The first few of a kind may have different causes.
            if known.1 <= 3 {
                println!("program {index}: {kind}: {why}");
                return Some(kind);
            }
        }
    }
    None
}

/// Shrinks a disagreement and writes it.
fn keep(args: &Args, audience: Audience, index: u64, kind: &str, folder: &Path) {
    let begin = Instant::now();
    let mut why = String::new();
    let tree = program(args.seed, index, audience);
    let mut shows = |tree: &axle_generate::Tree| match compare(&tree.to_string(), args) {
        Compared::Differs(other, said) if other == kind => {
            why = said;
            true
        }
        _ => false,
    };
    let small = shrink(&tree, &mut shows, &|| begin.elapsed() > SHRINKING).to_string();
    let expected = match modes::expectation(&small, args.states) {
        Ok(expected) => expected,
        Err(why) => why,
    };
    let name = format!("{}-{}-{index}.pml", if args.spin { "spin" } else { "axle" }, args.seed);
    let head = format!("/* {kind}: {}\n   expected: {expected} */\n", why.replace("*/", "* /"));
    let path = folder.join(name);
    match fs::write(&path, format!("{head}{small}")) {
        Ok(()) => println!("program {index}, shrunk: {} ({} bytes)", path.display(), small.len()),
        Err(fault) => println!("{}: {fault}\n{small}", path.display()),
    }
}

fn report(root: &Path, tally: &Tally, seconds: f64) -> Result<(), String> {
    let Tally { compared, too_large, states, violated, properties, by_spin, .. } = tally;
    let rate = *compared as f64 / seconds * 60.0;
    println!(
        "{compared} programs compared in {seconds:.0} s ({rate:.0} a minute), {states} states, {properties} properties; \
         something is violated in {violated}; {too_large} were too large"
    );
    tally.refused.iter().for_each(|(why, count)| println!("{count} rejected: {why}"));
    if *by_spin > 0 {
        println!("{by_spin} compared with Spin");
    }
    tally.unasked.iter().for_each(|(why, count)| println!("{count} not compared with Spin: {why}"));
    tally
        .kinds
        .iter()
        .for_each(|(kind, (first, count))| println!("{count} times {kind}, first program {first}"));
    let mut rows = Vec::new();
    for (subject, count) in
        [("random Promela programs, all engines", *compared), ("random Promela programs, Spin", *by_spin)]
    {
        if count > 0 {
            rows.push(row(subject, "compared", count, ""));
            rows.push(row(subject, "disagreements", tally.kinds.len(), ""));
        }
    }
    record(root, "comparisons", &rows)?;
    match tally.kinds.len() {
        0 => {
            println!("no disagreement");
            Ok(())
        }
        kinds => Err(format!("{kinds} kinds of disagreement")),
    }
}

/// The expected result in a stored program: the line that starts with `expected:`.
#[cfg(test)]
fn regression(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once("expected: ")?;
    Some(behind.split_once(" */")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_programs_are_checked_alike_in_every_way() {
        let (mut compared, mut refused) = (0, 0);
        for index in 0..250 {
            match modes::compare(&program(1, index, Audience::Axle).to_string(), 600) {
                Compared::Agreed(_) => compared += 1,
                Compared::TooLarge => {}
                Compared::Refused(_) => refused += 1,
                Compared::Differs(kind, why) => panic!("program {index}: {kind}: {why}"),
            }
        }
        assert!(compared > 150 && refused < 25, "{compared} compared, {refused} refused: too few to tell");
    }

    #[test]
    fn what_once_was_checked_wrongly_is_checked_rightly() {
        let folder = crate::repository().join("tests/regressions");
        let mut files = 0;
        for entry in fs::read_dir(folder).expect("the folder").flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "pml") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a model");
            let wanted =
                regression(&text).unwrap_or_else(|| panic!("{}: nothing is expected", path.display()));
            let came = match modes::compare(&text, 20_000) {
                Compared::Agreed(came) => came.to_string(),
                Compared::TooLarge => "too large".to_string(),
                Compared::Refused(why) => format!("rejected: {why}"),
                Compared::Differs(kind, why) => format!("{kind}: {why}"),
            };
            assert_eq!(came, wanted, "{}", path.display());
            files += 1;
        }
        assert!(files > 0, "the models are there");
    }
}
