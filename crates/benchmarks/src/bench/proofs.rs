//! `cargo xtask bench --proofs`: proofs and violations of models with wide data, by the engines of Axle and
//! by ABC on the exported files.
//!
//! A model of `crates/decide/tests/wide` that holds is checked with `--engine induction` and
//! `--engine pdr`, and exported for `pdr` of ABC; one with a fault with `--engine bmc` and `--engine pdr`, and
//! exported for `bmc3` and `pdr`. Each engine has `--seconds` of processor time, 60 by default. The time of a tool
//! is that of its faster engine, as if both ran beside each other; the second one is ended when it takes longer.
//! ABC comes first: a model that it does not decide says nothing about the part of its models that Axle
//! decides, so Axle may have a lower limit there (`--alone`).
//!
//! *Entry point:* [`run`].
//! *Invariant:* an answer other than the known verdict is an error, not a row.
//! *Cost:* at most four times the limit per model. The rows of a model are written when it is measured, and
//! `--resume` measures only what is missing: an answer of ABC holds for every higher limit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::measure;
use super::subjects::{Args, axle_of};
use crate::results::{from_markdown, record, row};

/// Times below this are counted as this, in seconds: they are mostly those of starting a program.
const LEAST: f64 = 0.1;

/// Permitted time of Axle in the geometric mean, relative to ABC, and the part of the models decided by
/// ABC that Axle has to decide.
const FACTOR: f64 = 3.0;
const PART: f64 = 0.95;

/// The folder of the models and of the table of their verdicts.
const FOLDER: &str = "crates/decide/tests/wide";

/// A model with its verdict.
struct Case {
    name: String,
    source: PathBuf,
    holds: bool,
}

/// An engine with the processor time of its answer, in seconds.
#[derive(Clone, Copy)]
struct Decided {
    engine: &'static str,
    cpu: f64,
}

/// The faster of two answers.
fn faster(one: Option<Decided>, other: Option<Decided>) -> Option<Decided> {
    match (one, other) {
        (Some(a), Some(b)) => Some(if b.cpu < a.cpu { b } else { a }),
        (one, other) => one.or(other),
    }
}

/// The limits of a run, in seconds of processor time.
#[derive(Clone, Copy)]
struct Seconds {
    /// Of each engine.
    each: u32,
    /// Of each engine of Axle on models that ABC does not decide.
    alone: u32,
}

/// What is recorded of a model.
#[derive(Clone, Copy, Default)]
struct Earlier {
    times: [Option<f64>; 2],
    /// The limit of each engine of ABC, in seconds.
    limit: u32,
}

/// Compares both tools on all models.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let seconds = Seconds { each: args.seconds, alone: args.alone.unwrap_or(args.seconds) };
    let earlier = if args.resume { recorded(root)? } else { BTreeMap::new() };
    println!("{HEADER}\n| --- | --- | --- | --: | --- | --: | --: |");
    for case in cases(root, args)? {
        let earlier = earlier.get(&case.name).copied().unwrap_or_default();
        if earlier.limit >= seconds.each {
            continue;
        }
        measured(root, &case, (&axle, seconds, scratch), earlier)?;
    }
    summary(root)
}

/// The columns of the table.
const HEADER: &str = "| model | verdict | engine | Axle, s | engine of ABC | ABC, s | limit, s |";

/// Measures a model and records its rows.
fn measured(
    root: &Path,
    case: &Case,
    (axle, seconds, scratch): (&Path, Seconds, &Path),
    earlier: Earlier,
) -> Result<(), String> {
    let kept = earlier.times[1].is_some();
    let other = if kept { None } else { by_abc(axle, case, (seconds.each, scratch))? };
    let limit = if kept || other.is_some() { seconds.each } else { seconds.alone };
    let own = by_axle(axle, case, (limit, scratch))?;
    let show = |decided: Option<Decided>| match decided {
        Some(Decided { engine, cpu }) => format!("{engine} | {cpu:.2}"),
        None => "– | –".to_string(),
    };
    let verdict = if case.holds { "holds" } else { "violated" };
    // Empty cells leave the recorded ones as they are.
    let abc = if kept { " | ".to_string() } else { show(other) };
    let line = format!("| {} | {verdict} | {} | {abc} | {} |", case.name, show(own), seconds.each);
    println!("{line}");
    record(root, "proofs", &from_markdown(&format!("{HEADER}\n{line}\n")))
}

/// What is recorded of each model.
fn recorded(root: &Path) -> Result<BTreeMap<String, Earlier>, String> {
    let path = root.join("bench/results/proofs.tsv");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut models: BTreeMap<String, Earlier> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [_, _, _, model, metric, value, _] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let earlier = models.entry(model.to_string()).or_default();
        match metric {
            "Axle" => earlier.times[0] = value.parse().ok(),
            "ABC" => earlier.times[1] = value.parse().ok(),
            "limit" => earlier.limit = value.parse().unwrap_or(0),
            _ => {}
        }
    }
    Ok(models)
}

/// Records how many of all models are decided, and how long that takes.
fn summary(root: &Path) -> Result<(), String> {
    let models = recorded(root)?;
    let decided = |tool: usize| models.values().filter(|model| model.times[tool].is_some()).count();
    let both: Vec<f64> = (models.values())
        .filter_map(|Earlier { times, .. }| Some(times[0]?.max(LEAST) / times[1]?.max(LEAST)))
        .collect();
    let mean = (both.iter().map(|ratio| ratio.ln()).sum::<f64>() / both.len().max(1) as f64).exp();
    let (ours, theirs) = (decided(0), decided(1));
    let part = both.len() as f64 / theirs.max(1) as f64;
    let is_reached = part >= PART && mean <= FACTOR;
    println!(
        "\n{ours} of {} models decided by Axle, {theirs} by ABC, {} by both, in {mean:.2} times the time: {}",
        models.len(),
        both.len(),
        if is_reached { "the goals are reached" } else { "the goals are missed" }
    );
    let rows = [
        row("models", "reached", models.len(), ""),
        row("decided by Axle", "reached", ours, ""),
        row("decided by ABC", "reached", theirs, ""),
        row("decided by both", "reached", both.len(), ""),
        row("part of the models decided by ABC", "reached", format!("{:.0}", 100.0 * part), "%"),
        row("time of Axle relative to ABC, geometric mean", "reached", format!("{mean:.2}"), ""),
    ];
    record(root, "proofs_summary", &rows)
}

/// The selected models, in the order of their table.
fn cases(root: &Path, args: &Args) -> Result<Vec<Case>, String> {
    let folder = root.join(FOLDER);
    let table = folder.join("models.txt");
    let text = fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut cases = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut words = line.split_whitespace();
        let (Some(name), Some(verdict)) = (words.next(), words.next()) else {
            return Err(format!("{}: {line}: no verdict", table.display()));
        };
        if args.models.is_empty() || args.models.iter().any(|one| one == name) {
            let source = folder.join(format!("{name}.pml"));
            cases.push(Case { name: name.to_string(), source, holds: verdict == "holds" });
        }
    }
    Ok(cases)
}

/// Runs a program within the limit on processor time, and no longer than the better answer so far.
fn limited(
    program: &str,
    arguments: &[String],
    (limit, best): (u32, Option<Decided>),
    scratch: &Path,
) -> Result<measure::Measured, String> {
    let limit = best.map_or(limit, |best| (best.cpu.ceil() as u32).clamp(1, limit));
    measure::limited(program, arguments, limit, scratch)
}

/// The faster engine of Axle.
fn by_axle(axle: &Path, case: &Case, (limit, scratch): (u32, &Path)) -> Result<Option<Decided>, String> {
    let mut best = None;
    for engine in if case.holds { ["induction", "pdr"] } else { ["bmc", "pdr"] } {
        let options = ["--engine", engine, "--quiet", "--trace", "none", "--threads", "1"];
        let mut arguments = vec!["check".to_string(), case.source.display().to_string()];
        arguments.extend(options.map(str::to_string));
        let measured = limited(&axle.display().to_string(), &arguments, (limit, best), scratch)?;
        let decided = match measured.usage.code {
            // The limit on processor time, or the engine does not apply.
            None | Some(3) => continue,
            Some(0) if case.holds => Decided { engine, cpu: measured.usage.cpu() },
            Some(1) if !case.holds => Decided { engine, cpu: measured.usage.cpu() },
            code => return Err(format!("{}: {engine} ends with code {code:?}", case.name)),
        };
        best = faster(best, Some(decided));
    }
    Ok(best)
}

/// The faster engine of ABC on the exported model.
fn by_abc(axle: &Path, case: &Case, (limit, scratch): (u32, &Path)) -> Result<Option<Decided>, String> {
    let (source, file) = (case.source.display().to_string(), scratch.join("model.aig").display().to_string());
    let export = ["export", "--format", "aiger", &source, "--output", &file].map(str::to_string);
    let exported = measure::run(axle, &export, scratch)?;
    if exported.usage.code != Some(0) {
        return Err(format!("{}: axle export ends with code {:?}", case.name, exported.usage.code));
    }
    let mut best = None;
    for engine in if case.holds { &["pdr"][..] } else { &["bmc3", "pdr"] } {
        let script = format!("read {file}; orpos; {engine} -T {}", 100 * limit);
        let measured = limited("berkeley-abc", &["-q".to_string(), script], (limit, best), scratch)?;
        let is_violated = measured.stdout.contains("was asserted in frame");
        let is_proved = measured.stdout.contains("Property proved");
        match (is_violated, is_proved) {
            (false, false) => {}
            (true, false) if !case.holds => {
                best = faster(best, Some(Decided { engine, cpu: measured.usage.cpu() }));
            }
            (false, true) if case.holds => {
                best = faster(best, Some(Decided { engine, cpu: measured.usage.cpu() }));
            }
            _ => return Err(format!("{}: {engine} of ABC says: {}", case.name, measured.stdout)),
        }
    }
    Ok(best)
}
