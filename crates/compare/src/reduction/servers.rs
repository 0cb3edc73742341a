//! Compares stored states with Spin's default reduction on random programs in the style of
//! translated Go programs, and verdicts with the unreduced search.
//!
//! Spin explores every program to its end (`spin -a`, `gcc -O1 -DSAFETY`, `pan -c0 -n`), with
//! partial-order reduction, statement merging and dead-variable reduction. A program on which pan
//! reaches a limit is replaced by the next one.
//!
//! *Entry point:* [`compare`].

use axle_benchmarks::bench::spin;
use axle_benchmarks::results::{record, row};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use axle_check::{Auto, Check, Config, Pass, Verdict, check};
use axle_generate::servers::{Style, program};
use axle_model::Model;
use axle_search::{Limits, Reduction, Silent};

use super::power;

/// Seed of the programs.
const SEED: u64 = 38;

/// Maximum number of states of an unreduced search; larger ones are not compared.
const MOST_WHOLE: u64 = 300_000;

/// Maximum number of states with Axle's reduction.
const MOST: u64 = 4_000_000;

/// Depth of pan's search, and its time limit in seconds.
const DEPTH: u64 = 200_000;
const SECONDS: u64 = 20;

/// Totals of the comparison.
#[derive(Default)]
struct Totals {
    compared: u64,
    above: Vec<String>,
    whole: u64,
    different: u64,
    /// States of Axle and of Spin.
    states: [u64; 2],
    logarithms: f64,
}

/// Compares `wanted` programs that pan decides, from number `first`.
pub fn compare(root: &Path, wanted: u64, first: u64) -> Result<(), String> {
    let scratch = std::env::temp_dir().join(format!("axle-servers-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let (mut totals, mut number, mut undecided) = (Totals::default(), first, 0u64);
    while totals.compared < wanted {
        let text = program(SEED, number, Style::Translated).to_string();
        let model = power::model("program", &text, false).ok_or_else(|| format!("{number} is rejected"))?;
        match with_spin(&text, &scratch)? {
            Some(stored) => one(number, &Arc::new(model), stored, &mut totals)?,
            None => undecided += 1,
        }
        number += 1;
    }
    // A file that remains is in the directory for temporary files.
    let _ = std::fs::remove_dir_all(&scratch);
    let mean = (totals.logarithms / totals.compared.max(1) as f64).exp();
    let subject = "translated programs";
    let rows = [
        row(subject, "programs", totals.compared, ""),
        row(subject, "undecided by Spin", undecided, ""),
        row(subject, "more states than Spin", totals.above.len(), ""),
        row(subject, "states, Axle", totals.states[0], ""),
        row(subject, "states, Spin", totals.states[1], ""),
        row(subject, "geometric mean of the ratio", format!("{mean:.3}"), ""),
        row(subject, "unreduced searches", totals.whole, ""),
        row(subject, "different verdicts", totals.different, ""),
    ];
    rows.iter().for_each(|row| println!("{}: {}", row.metric, row.value));
    println!("more states than Spin: {}", totals.above.join(", "));
    record(root, "reduction_servers", &rows)?;
    match totals.different {
        0 => Ok(()),
        some => Err(format!("{some} different verdicts")),
    }
}

/// Prints the program with this number and its reduced search.
pub fn print(number: u64) -> Result<(), String> {
    let text = program(SEED, number, Style::Translated).to_string();
    println!("{text}");
    let model = power::model("program", &text, false).ok_or_else(|| format!("{number} is rejected"))?;
    let reduced = explored(&Arc::new(model), Reduction::Stubborn, MOST).ok_or("too many states")?;
    println!("/* {} states; {} */", reduced.states, reduced.note);
    Ok(())
}

fn one(number: u64, model: &Arc<Model>, stored: u64, totals: &mut Totals) -> Result<(), String> {
    let reduced = explored(model, Reduction::Stubborn, MOST).ok_or_else(|| format!("{number}: too large"))?;
    totals.compared += 1;
    totals.states[0] += reduced.states;
    totals.states[1] += stored;
    totals.logarithms += (reduced.states as f64 / stored as f64).ln();
    if reduced.states > stored {
        println!("program {number}: {} states, Spin {stored}; {}", reduced.states, reduced.note);
        totals.above.push(number.to_string());
    }
    let Some(whole) = explored(model, Reduction::None, MOST_WHOLE) else { return Ok(()) };
    totals.whole += 1;
    if whole.verdicts != reduced.verdicts {
        println!("program {number}: {:?} instead of {:?}", reduced.verdicts, whole.verdicts);
        totals.different += 1;
    }
    Ok(())
}

/// The result of one search.
struct Explored {
    states: u64,
    verdicts: BTreeSet<String>,
    note: String,
}

/// A complete search; `None` if there are more states than `most`.
fn explored(model: &Arc<Model>, reduction: Reduction, most: u64) -> Option<Explored> {
    let limits = Limits { states: Some(most), errors: None, ..Limits::default() };
    let mut config = Config { reduction, limits, auto: Auto::Nothing, ..Config::default() };
    if reduction != Reduction::None {
        config.passes = Pass::ALL.into();
    }
    config.checks.remove(&Check::Properties);
    let report = check(model, &config, &mut Silent).report;
    if report.properties.iter().any(|property| property.verdict == Verdict::Unknown) {
        return None;
    }
    let verdicts = report.properties.iter().map(|p| format!("{}: {:?}", p.name, p.verdict)).collect();
    let note = match report.search.reduction {
        None => "not reduced".into(),
        Some(told) => told.reason.unwrap_or_else(|| {
            format!("{} of {} states reduced, {} passed through", told.reduced, told.expanded, told.passed)
        }),
    };
    Some(Explored { states: report.search.states.saturated(), verdicts, note })
}

/// The number of states that pan stores; `None` if it does not compile or reaches a limit.
fn with_spin(text: &str, scratch: &Path) -> Result<Option<u64>, String> {
    let source = scratch.join("program.pml");
    std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
    let flags = ["-w", "-O1", "-DSAFETY", "-DVECTORSZ=8192", "-DMEMLIM=2000"];
    // Spin generates a verifier that does not compile for some programs with records of channels.
    let Ok(pan) = spin::build_with(&source, scratch, &[], &flags) else { return Ok(None) };
    let seconds = SECONDS.to_string();
    let depth = format!("-m{DEPTH}");
    let output = Command::new("timeout")
        .args([&seconds[..], &pan.program.display().to_string(), "-c0", "-n", &depth, "-w20"])
        .current_dir(scratch)
        .output()
        .map_err(|e| format!("pan: {e}"))?;
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let incomplete =
        ["max search depth too small", "Search not completed", "memory exhausted", "too many processes"];
    if !output.status.success() || incomplete.iter().any(|words| report.contains(words)) {
        return Ok(None);
    }
    let line = report.lines().find(|line| line.contains("states, stored"));
    let count = line.and_then(|line| line.trim().split(' ').next()).and_then(|word| word.parse().ok());
    Ok(count)
}
