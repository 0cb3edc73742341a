//! `cargo xtask bench`: compares Axle with Spin on the models of bench/.
//!
//! For each model: `spin -o1 -o2 -o3 -a`, `gcc -O2 -DSAFETY -DNOREDUCE`, and pan with a hash table
//! of one slot per state and a minimal stack. Then `axle check` without reductions, with its
//! default store and with `--store tree`. Programs run one at a time; the best of `--repeat` rounds
//! counts. A run whose states or transitions differ from pan's is an error.
//!
//! *Entry point:* [`run`].
//!
//! `bench/expected.tsv` contains Spin's counts (written by `--record`); they are needed to
//! configure pan fairly.

mod attempts;
pub mod claim_run;
mod defaults;
mod disk;
mod hunt;
mod liveness;
pub mod measure;
mod programs;
mod proofs;
pub mod spin;
mod subjects;
mod symbolic;
mod table;
mod threads;
mod wide;
mod workers;

use std::fs;
use std::path::{Path, PathBuf};

pub use subjects::{Args, build_axle};
use subjects::{Counts, Line, Run, Set, axle_of, axle_run, expected, models, same};

/// Runs the benchmark and prints the tables.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let models = match args.only {
        _ if args.hunt || args.attempts || args.proofs || args.strategies => Vec::new(),
        _ if args.disk || args.wide || args.ltsmin.is_some() => Vec::new(),
        Some(Set::Liveness | Set::C) => Vec::new(),
        Some(Set::Models | Set::Small) | None => models(root, args)?,
    };
    let scratch = std::env::temp_dir().join(format!("axle-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let done = match args.record {
        _ if args.hunt => hunt::run(root, args, &scratch),
        _ if args.attempts => attempts::run(root, args, &scratch),
        _ if args.proofs => proofs::run(root, args, &scratch),
        _ if args.strategies => symbolic::strategies(root),
        _ if args.disk => disk::run(root, args, &scratch),
        _ if args.wide => wide::run(root, args, &scratch),
        _ if let Some(folder) = &args.ltsmin => symbolic::run(root, args, folder, &scratch),
        _ if args.only == Some(Set::Liveness) && args.threads.is_some() => {
            threads::claims(root, args, &scratch)
        }
        _ if args.only == Some(Set::Liveness) => liveness::run(root, args, &scratch),
        _ if args.only == Some(Set::C) && args.threads.is_some() => threads::programs(root, args, &scratch),
        _ if args.only == Some(Set::C) => programs::run(root, args, &scratch),
        true => record(root, &models, &scratch),
        false if args.defaults => defaults::run(root, args, &models, &scratch),
        false if args.workers => workers::run(root, args, &models, &scratch),
        false if args.threads.is_some() => threads::run(root, args, &models, &scratch),
        false => compare(root, args, &models, &scratch),
    };
    // A directory that cannot be removed is left to the system.
    let _ = fs::remove_dir_all(&scratch);
    done
}

fn record(root: &Path, models: &[(Set, String, PathBuf)], scratch: &Path) -> Result<(), String> {
    let path = root.join("bench/expected.tsv");
    let mut known = expected(&path).unwrap_or_default();
    for (set, name, source) in models {
        let pan = spin::build(source, scratch)?;
        let output = spin::explore(&pan.program, 10_000_000, 24, scratch)?;
        let counts = output.counts?;
        eprintln!("{name}: {counts:?}");
        known.insert((set.folder().to_string(), name.clone()), counts);
    }
    let mut text = String::from("set\tname\tstates\ttransitions\tdepth\tvector\n");
    for ((set, name), c) in known {
        let line = format!("{set}\t{name}\t{}\t{}\t{}\t{}\n", c.states, c.transitions, c.depth, c.vector);
        text.push_str(&line);
    }
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn compare(
    root: &Path,
    args: &Args,
    models: &[(Set, String, PathBuf)],
    scratch: &Path,
) -> Result<(), String> {
    let known = expected(&root.join("bench/expected.tsv"))?;
    let axle = axle_of(root, args)?;
    let mut lines = Vec::new();
    for (set, name, source) in models {
        let counts = known.get(&(set.folder().to_string(), name.clone()));
        let counts = *counts.ok_or_else(|| format!("{name}: not in expected.tsv; run with --record"))?;
        let mut line = Line {
            name: name.clone(),
            set: *set,
            counts,
            pan: None,
            plain: None,
            tree: None,
            faults: Vec::new(),
        };
        for round in 1..=args.repeat.max(1) {
            eprintln!("{name}: round {round}");
            if !args.axle_only {
                line.keep(|line| &mut line.pan, spin_run(source, counts, scratch));
            }
            line.keep(|line| &mut line.plain, axle_run(&axle, source, &[], counts, scratch));
            line.keep(|line| &mut line.tree, axle_run(&axle, source, &["--store", "tree"], counts, scratch));
        }
        lines.push(line);
    }
    let text = table::markdown(&lines);
    print!("{text}");
    // The table of the models, and then that of the bars.
    let (models, bars) = text.split_once("\n\n").unwrap_or((&text, ""));
    crate::results::record(root, "bench_models", &crate::results::from_markdown(models))?;
    crate::results::record(root, "bench", &crate::results::from_markdown(bars))?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&lines).map_err(|e| e.to_string())?;
        fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    }
    match lines.iter().map(|line| line.faults.len()).sum() {
        0 => Ok(()),
        n => Err(format!("{n} runs failed")),
    }
}

impl Line {
    /// Keeps a run if it is better than the previous one: less CPU time, or less time to the
    /// verdict.
    fn keep(&mut self, slot: impl Fn(&mut Line) -> &mut Option<Run>, run: Result<Run, String>) {
        match run {
            Ok(run) => {
                let best = slot(self);
                *best = Some(best.map_or(run, |best| Run {
                    usage: if run.usage.cpu() < best.usage.cpu() { run.usage } else { best.usage },
                    end_to_end: run.end_to_end.min(best.end_to_end),
                }));
            }
            Err(fault) => self.faults.push(fault),
        }
    }
}

/// Spin's steps from source to verdict.
fn spin_run(source: &Path, counts: Counts, scratch: &Path) -> Result<Run, String> {
    let pan = spin::build(source, scratch)?;
    let slots = counts.states.max(2).next_power_of_two().ilog2().max(10);
    let output = spin::explore(&pan.program, counts.depth + counts.depth / 10 + 1_000, slots, scratch)?;
    let found = output.counts?;
    same("pan", (found.states, found.transitions), counts)?;
    Ok(Run { usage: output.usage, end_to_end: pan.seconds + output.usage.wall })
}
