//! `cargo xtask bench --attempts`: what the attempts beside the exact search cost where nothing is
//! found.
//!
//! Each model of bench/models and bench/liveness and each program of bench/c that holds is checked
//! with the default plan, and by the exact searches alone (`--search bfs`), by one thread. The runs alternate; the
//! best of several rounds counts. The time is processor time, which other programs on the machine change little.
//!
//! *Entry point:* [`run`].

use std::path::Path;

use super::measure::{self, Usage};
use super::subjects::{Args, axle_of, sources};
use crate::results::Printed;

/// Permitted cost of the attempts: this factor, and [`SLACK`] seconds, which a clock cannot tell
/// apart.
const FACTOR: f64 = 1.1;
const SLACK: f64 = 0.01;

/// Runs all models and prints a table.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let mut printed = Printed::default();
    printed.line("| model | exact search, s | plan, s | ratio |");
    printed.line("| --- | --: | --: | --: |");
    let (mut sum, mut count, mut slow) = (0.0, 0u32, Vec::new());
    let models = sources(root, "models", "pml", args)?.into_iter();
    let claims = sources(root, "liveness", "pml", args)?.into_iter();
    let claims = claims.map(|(name, source)| (format!("claim {name}"), source));
    let programs = sources(root, "c", "c", args)?.into_iter();
    let programs = programs.map(|(name, source)| (format!("program {name}"), source));
    for (name, source) in models.chain(claims).chain(programs) {
        let (mut alone, mut plan) = (None, None);
        for _ in 0..args.repeat.max(1) {
            let runs =
                (check(&axle, &source, &["--search", "bfs"], scratch)?, check(&axle, &source, &[], scratch)?);
            let (Some(exact), Some(both)) = runs else { break };
            keep(&mut alone, exact);
            keep(&mut plan, both);
        }
        let (Some(alone), Some(plan)) = (alone, plan) else { continue };
        let ratio = plan.cpu() / alone.cpu().max(1e-3);
        printed.line(&format!("| {name} | {:.3} | {:.3} | {ratio:.2} |", alone.cpu(), plan.cpu()));
        sum += ratio.ln();
        count += 1;
        if plan.cpu() > FACTOR * alone.cpu() + SLACK {
            slow.push(name);
        }
    }
    let mean = (sum / f64::from(count.max(1))).exp();
    println!(
        "\n{count} models and programs, {mean:.2} times the CPU time of the exact search (geometric mean)"
    );
    let listed = if slow.is_empty() { "none".to_string() } else { slow.join(", ") };
    println!("more than {FACTOR} times and {SLACK} s: {listed}");
    printed.record(root, "attempts")
}

/// The run with the least processor time.
fn keep(best: &mut Option<Usage>, new: Usage) {
    if best.as_ref().is_none_or(|best| new.cpu() < best.cpu()) {
        *best = Some(new);
    }
}

/// A check; none if the model does not hold, as some claims are of models that deadlock.
fn check(axle: &Path, source: &Path, options: &[&str], scratch: &Path) -> Result<Option<Usage>, String> {
    let mut args = vec!["check".to_string(), source.display().to_string()];
    args.extend(["--quiet", "--trace", "none", "--threads", "1"].map(str::to_string));
    args.extend(options.iter().map(|option| (*option).to_string()));
    let usage = measure::run(axle, &args, scratch)?.usage;
    match usage.code {
        Some(0) => Ok(Some(usage)),
        Some(1) => Ok(None),
        code => Err(format!("{}: axle ends with code {code:?}", source.display())),
    }
}
