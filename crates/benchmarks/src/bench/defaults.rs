//! `cargo xtask bench --defaults`: both programs with all state-space reductions.
//!
//! Spin: `spin -a`, `gcc -O2 -DSAFETY`, with partial-order reduction, statement merging and
//! dead-variable reduction. Axle: `axle check --por auto --disable properties`, one thread. The
//! counts differ and are reported; the verdicts must be equal.
//!
//! *Entry point:* [`run`].

use crate::results::Printed;
use std::path::{Path, PathBuf};

use super::spin;
use super::subjects::{Args, Run, Set, axle_of, check_that_holds, counted, states_of};

/// Minimum number of states of the full state space; below it, startup time dominates.
const FEW: u64 = 1_000;

/// States of the full state space above which the stored states are compared.
const LARGE: u64 = 10_000;

/// The counts and resources of one program.
struct Side {
    states: u64,
    run: Run,
}

/// Runs all models and prints a table.
pub fn run(
    root: &Path,
    args: &Args,
    models: &[(Set, String, PathBuf)],
    scratch: &Path,
) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let mut printed = Printed::default();
    printed.line("| model | unreduced | pan | axle | axle/pan | pan CPU, s | axle CPU, s | pan/axle CPU | pan e2e, s | axle e2e, s | pan/axle e2e |");
    printed.line("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    let (mut sums, mut count, mut more) = ([0.0; 3], 0u32, 0u32);
    let mut large = Vec::new();
    for (name, source, counts) in counted(root, args, models, FEW)? {
        let (mut theirs, mut ours) = (None, None);
        for _ in 0..args.repeat.max(1) {
            keep(&mut theirs, spin_run(source, counts.depth, counts.states, scratch)?);
            keep(&mut ours, axle_run(&axle, source, scratch)?);
        }
        let (Some(theirs), Some(ours)) = (theirs, ours) else { continue };
        let (pan, axle) = (theirs.run, ours.run);
        let figures = [
            ours.states as f64 / theirs.states.max(1) as f64,
            pan.usage.cpu() / axle.usage.cpu().max(1e-4),
            pan.end_to_end / axle.end_to_end.max(1e-4),
        ];
        printed.line(&format!(
            "| {name} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.1} | {:.2} | {:.3} | {:.1} |",
            counts.states,
            theirs.states,
            ours.states,
            figures[0],
            pan.usage.cpu(),
            axle.usage.cpu(),
            figures[1],
            pan.end_to_end,
            axle.end_to_end,
            figures[2]
        ));
        sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure.ln());
        large.extend((counts.states > LARGE).then_some(figures[0].ln()));
        more += u32::from(ours.states > theirs.states);
        count += 1;
    }
    let mean = sums.map(|sum| (sum / f64::from(count.max(1))).exp());
    println!(
        "\n{count} models, geometric means: {:.2} times pan's states (more on {more}), {:.1} times its processor time \
         (wanted 5), {:.1} times its time from source to verdict (wanted 15)",
        mean[0], mean[1], mean[2]
    );
    let mean = (large.iter().sum::<f64>() / large.len().max(1) as f64).exp();
    println!("{mean:.3} times pan's states on the {} models of more than {LARGE} states", large.len());
    printed.record(root, "defaults")
}

fn keep(best: &mut Option<Side>, new: Side) {
    match best {
        Some(old) if old.run.usage.cpu() <= new.run.usage.cpu() => {}
        _ => *best = Some(new),
    }
}

fn spin_run(source: &Path, depth: u64, states: u64, scratch: &Path) -> Result<Side, String> {
    let pan = spin::build_with(source, scratch, &[], &["-w", "-O2", "-DSAFETY", "-DMEMLIM=64000"])?;
    let slots = states.max(2).next_power_of_two().ilog2().max(10);
    // The reduced search of pan may be deeper than the full one.
    let output = spin::explore(&pan.program, 4 * depth + 10_000, slots, scratch)?;
    let run = Run { usage: output.usage, end_to_end: pan.seconds + output.usage.wall };
    Ok(Side { states: output.counts?.states, run })
}

fn axle_run(axle: &Path, source: &Path, scratch: &Path) -> Result<Side, String> {
    let options = ["--disable", "properties", "--threads", "1", "--por", "auto"];
    let (report, usage) = check_that_holds(axle, source, &options, scratch)?;
    Ok(Side { states: states_of(&report)?, run: Run { usage, end_to_end: usage.wall } })
}
