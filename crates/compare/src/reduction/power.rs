//! Compares the number of states stored by Axle and by Spin with their default reductions.
//!
//! `bench/reduced.tsv` contains the counts of Spin 6.5.2 (`spin -a`, `gcc -O1 -DSAFETY`, `pan -n
//! -m2000000 -w24`), with partial-order reduction, statement merging and dead-variable reduction.
//!
//! *Entry point:* [`compare`].

use axle_benchmarks::results::Printed;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axle_check::{Auto, Check, Config, Pass, check};
use axle_model::Model;
use axle_search::{Limits, Reduction, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// Minimum number of states with Spin; smaller models are not representative.
const FEW: u64 = 1_000;

/// Maximum number of stored states.
const MOST: u64 = 12_000_000;

/// Prints the table and whether the target is met: at most Spin's number of states on nine of ten
/// models, never above 1.2 times, 0.6 in the geometric mean.
pub fn compare(root: &Path, only: &[String]) -> Result<(), String> {
    let text = fs::read_to_string(root.join("bench/reduced.tsv")).map_err(|e| format!("reduced.tsv: {e}"))?;
    let mut printed = Printed::default();
    printed.line("| model | Spin | stubborn and passes | ratio | |");
    printed.line("| --- | --: | --: | --: | --- |");
    let (mut logs, mut above, mut worst) = (Vec::new(), 0, 0.0f64);
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [set, name, spin] = columns[..] else { return Err(format!("reduced.tsv: {line}")) };
        if !only.is_empty() && !only.iter().any(|one| one == name) {
            continue;
        }
        let path = root.join("bench").join(set).join(format!("{name}.pml"));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let (states, note) = stored(name, &text)?;
        let Ok(spin) = spin.parse::<u64>() else {
            printed.line(&format!("| {name} | {spin} | {states} | | {note} |"));
            continue;
        };
        let ratio = states as f64 / spin as f64;
        printed.line(&format!("| {name} | {spin} | {states} | {ratio:.3} | {note} |"));
        if spin >= FEW {
            logs.push(ratio.ln());
            above += u64::from(states > spin);
            worst = worst.max(ratio);
        }
    }
    let mean = (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp();
    println!(
        "\n{} models above {FEW} states: {above} with more states than Spin, at most {worst:.3} times; geometric \
         mean {mean:.3}",
        logs.len()
    );
    printed.record(root, "reduction_states")
}

/// The model of a source text; `None` if the front end rejects it.
pub fn model(name: &str, text: &str, lossy: bool) -> Option<Model> {
    let file = format!("{name}.pml");
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add(&file, text);
    let mut options = axle_promela::Options::default();
    options.meaning.lossy = lossy;
    let loader = MemoryLoader::default();
    axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics)
}

/// The number of states stored by Axle, and its statistics of the reduction.
fn stored(name: &str, text: &str) -> Result<(u64, String), String> {
    let model =
        Arc::new(model(name, text, false).ok_or_else(|| format!("{name} is rejected by the front end"))?);
    let limits = Limits { states: Some(MOST), errors: Some(1), ..Limits::default() };
    let (reduction, passes) = (Reduction::Stubborn, Pass::ALL.into());
    let mut config = Config { reduction, passes, auto: Auto::All, limits, ..Config::default() };
    config.checks.remove(&Check::Properties);
    let report = check(&model, &config, &mut Silent).report;
    let note = match report.search.reduction {
        None => "not reduced".to_string(),
        Some(told) => told.reason.unwrap_or_else(|| {
            format!("{} of {} states reduced, {} passed through", told.reduced, told.expanded, told.passed)
        }),
    };
    Ok((report.search.states.saturated(), note))
}
