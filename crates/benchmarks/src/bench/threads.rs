//! `cargo xtask bench --threads N`: the speedup of N threads.
//!
//! For each model of more than two million states, `axle check` runs with one thread and with N
//! threads in turn; the least wall time of each counts. Then N single-threaded searches run
//! concurrently: their throughput is an upper bound, because cores share memory, caches and power.
//! A run with other counts than Spin's is an error. With `--contention` the search runs in this
//! process and reports contention between threads.
//!
//! *Entry point:* [`run`].

use crate::results::Printed;
use std::path::{Path, PathBuf};
use std::time::Instant;

use axle_search::Silent;
use axle_search::parallel::{self, Contention, Tuning};
use axle_step::Compiled;

use super::claim_run::load;
use super::subjects::{
    Args, Counts, Set, axle_of, axle_run, check_that_holds, counted, same, sources, states_of,
};

/// Smaller models are skipped unless they are selected by name, because startup dominates.
const LARGE: u64 = 2_000_000;

/// The same for C programs.
const LARGE_PROGRAM: u64 = 100_000;

/// The best of several runs: wall and CPU time in seconds.
#[derive(Clone, Copy, Debug)]
struct Best {
    wall: f64,
    cpu: f64,
}

/// Runs all models and prints a table.
pub fn run(
    root: &Path,
    args: &Args,
    models: &[(Set, String, PathBuf)],
    scratch: &Path,
) -> Result<(), String> {
    if args.contention {
        return contention(root, args, models);
    }
    let axle = axle_of(root, args)?;
    let count = usize::from(args.threads.unwrap_or(2));
    let threads = count.to_string();
    let mut table = Table::new("model | states", count);
    for (name, source, counts) in counted(root, args, models, LARGE)? {
        let (mut one, mut many, mut beside) = (None, None, None);
        for _ in 0..args.repeat.max(1) {
            keep(&mut one, of_model(&axle, source, "1", counts, scratch)?);
            keep(&mut many, of_model(&axle, source, &threads, counts, scratch)?);
            let own = |scratch: &Path| of_model(&axle, source, "1", counts, scratch);
            keep(&mut beside, at_once(count, scratch, own)?);
        }
        table.row(name, counts.states, [one, many, beside]);
    }
    table.mean("models");
    table.printed.record(root, "threads")
}

/// The printed table.
struct Table {
    threads: usize,
    printed: Printed,
    /// The logarithms of the speedup of threads, and of concurrent searches.
    gains: Vec<[f64; 2]>,
}

impl Table {
    fn new(first: &str, threads: usize) -> Table {
        let n = threads;
        let mut printed = Printed::default();
        printed.line(&format!(
            "| {first} | 1 thread, s | {n} threads, s | speedup | {n} sequential searches at once | CPU 1, s | CPU {n}, s |"
        ));
        printed.line("| --- | --: | --: | --: | --: | --: | --: | --: |");
        Table { threads, printed, gains: Vec::new() }
    }

    /// One thread, several threads, and several concurrent single-threaded searches.
    fn row(&mut self, name: &str, states: u64, all: [Option<Best>; 3]) {
        let [Some(one), Some(many), Some(beside)] = all else { return };
        let (gain, most) = (one.wall / many.wall, self.threads as f64 * one.wall / beside.wall);
        let (a, b, c, d) = (one.wall, many.wall, one.cpu, many.cpu);
        self.printed.line(&format!(
            "| {name} | {states} | {a:.3} | {b:.3} | {gain:.2} | {most:.2} | {c:.3} | {d:.3} |"
        ));
        self.gains.push([gain.ln(), most.ln()]);
    }

    fn mean(&self, what: &str) {
        let mean = |at: usize| {
            (self.gains.iter().map(|gains| gains[at]).sum::<f64>() / self.gains.len().max(1) as f64).exp()
        };
        let (threads, count) = (self.threads, self.gains.len());
        println!(
            "\nin the geometric mean of {count} {what}: gain {:.2}, {threads} searches at once {:.2}",
            mean(0),
            mean(1)
        );
    }
}

/// The given number of concurrent searches in separate directories: their mean time.
fn at_once(
    count: usize,
    scratch: &Path,
    search: impl Fn(&Path) -> Result<Best, String> + Sync,
) -> Result<Best, String> {
    let folders: Vec<PathBuf> = (0..count).map(|number| scratch.join(format!("beside{number}"))).collect();
    for folder in &folders {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let search = &search;
    let all = std::thread::scope(|scope| {
        let running: Vec<_> = folders.iter().map(|folder| scope.spawn(move || search(folder))).collect();
        let ended = running.into_iter().map(|one| one.join().map_err(|_| "a search panicked".to_string())?);
        ended.collect::<Result<Vec<Best>, String>>()
    })?;
    let mean = |of: fn(&Best) -> f64| all.iter().map(of).sum::<f64>() / count as f64;
    Ok(Best { wall: mean(|best| best.wall), cpu: mean(|best| best.cpu) })
}

/// The same for claims; the states of the product count.
pub fn claims(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let safety = "assertions,end-states,bounds,arithmetic,messages,sequences,limits,references";
    let options = ["--por", "none", "--disable", safety];
    let what = Searches { folder: "liveness", extension: "pml", options: &options, least: 0 };
    let states = |report: &serde_json::Value| states_of(&report["properties"][0]);
    searches(root, args, scratch, &what, states)?.record(root, "threads_liveness")
}

/// The same for C programs with the default options.
pub fn programs(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let what = Searches { folder: "c", extension: "c", options: &[], least: LARGE_PROGRAM };
    searches(root, args, scratch, &what, states_of)?.record(root, "threads_c")
}

/// Files to check, and how.
struct Searches<'a> {
    folder: &'a str,
    extension: &'a str,
    options: &'a [&'a str],
    /// The fewest states.
    least: u64,
}

/// Compares searches whose states, according to their reports, do not depend on the threads.
fn searches(
    root: &Path,
    args: &Args,
    scratch: &Path,
    what: &Searches,
    states: impl Fn(&serde_json::Value) -> Result<u64, String> + Sync,
) -> Result<Printed, String> {
    let axle = axle_of(root, args)?;
    let count = usize::from(args.threads.unwrap_or(2));
    let threads = count.to_string();
    let mut table = Table::new(&format!("bench/{} | states", what.folder), count);
    let run = |source: &Path, threads: &str, scratch: &Path| -> Result<(u64, Best), String> {
        let options = [&["--threads", threads], what.options].concat();
        let (report, usage) = check_that_holds(&axle, source, &options, scratch)?;
        Ok((states(&report)?, Best { wall: usage.wall, cpu: usage.cpu() }))
    };
    for (name, source) in sources(root, what.folder, what.extension, args)? {
        let (known, _) = run(&source, "1", scratch)?;
        if known < what.least {
            continue;
        }
        let (mut one, mut many, mut beside) = (None, None, None);
        for _ in 0..args.repeat.max(1) {
            for (best, threads) in [(&mut one, "1"), (&mut many, &threads)] {
                let (states, run) = run(&source, threads, scratch)?;
                if known != states {
                    return Err(format!("{name}: {states} states with {threads} threads, {known} before"));
                }
                keep(best, run);
            }
            let own = |scratch: &Path| run(&source, "1", scratch).map(|(_, best)| best);
            keep(&mut beside, at_once(count, scratch, own)?);
        }
        table.row(&name, known, [one, many, beside]);
    }
    table.mean(what.folder);
    Ok(table.printed)
}

/// Prints the contention between threads.
fn contention(root: &Path, args: &Args, models: &[(Set, String, PathBuf)]) -> Result<(), String> {
    println!(
        "| model | threads | levels of one thread | rounds of several | index grown | lost places | states | s |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: |");
    for (name, source, counts) in counted(root, args, models, LARGE)? {
        let first = Compiled::new(load(source)?, axle_step::Options::default()).map_err(|e| e.to_string())?;
        for threads in [1, 2, 4, 8] {
            let mut steppers: Vec<Compiled> = (0..threads).map(|_| first.share()).collect();
            let (tuning, options) = (Tuning::default(), axle_search::Options::default());
            let begin = Instant::now();
            let searched = parallel::search(&mut steppers, tuning, 4 << 30, &options, &mut Silent);
            let seconds = begin.elapsed().as_secs_f64();
            let states = searched.outcome.states;
            same("a search", (states, searched.outcome.transitions), counts)?;
            let Contention { rounds, refills, alone, lost } = searched.contention;
            println!(
                "| {name} | {threads} | {alone} | {rounds} | {refills} | {lost} | {states} | {seconds:.3} |"
            );
        }
    }
    Ok(())
}

fn keep(best: &mut Option<Best>, new: Best) {
    *best = Some(best.map_or(new, |best| Best { wall: best.wall.min(new.wall), cpu: best.cpu.min(new.cpu) }));
}

fn of_model(
    axle: &Path,
    source: &Path,
    threads: &str,
    counts: Counts,
    scratch: &Path,
) -> Result<Best, String> {
    let run = axle_run(axle, source, &["--threads", threads], counts, scratch)?;
    Ok(Best { wall: run.usage.wall, cpu: run.usage.cpu() })
}
