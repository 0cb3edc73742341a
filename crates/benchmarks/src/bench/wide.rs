//! `cargo xtask bench --wide`: explicit search of the models with wide data that formulas
//! (`crates/decide/tests/wide`) and predicate abstraction (`crates/abstract/tests/models`) decide.
//!
//! Each model is searched breadth-first by one thread for `--seconds` of processor time; one with a fault for
//! abstraction also depth-first, because some of these faults are deep. The answers of the other engines are measured by
//! `cargo xtask bench --proofs` and by the test suite of abstraction, which writes `bench/results/abstract.tsv`.
//!
//! The summary of abstraction joins both.
//!
//! *Entry point:* [`run`].
//! *Invariant:* an answer other than the one that the name of the model says is an error, not a row.
//! *Cost:* at most twice the limit per model. The rows of a model are written when it is measured, and
//! `--resume` measures only models that have none with at least this limit.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::measure;
use super::subjects::{Args, axle_of};
use crate::results::{from_markdown, record, row};

/// Models with wide data.
struct Family {
    folder: &'static str,
    /// The file of the answers in `bench/results`.
    file: &'static str,
    /// Whether models with a fault are also searched depth-first.
    is_deep: bool,
}

const FAMILIES: [Family; 2] = [
    Family { folder: "crates/decide/tests/wide", file: "proofs_explicit", is_deep: false },
    Family { folder: "crates/abstract/tests/models", file: ABSTRACTED, is_deep: true },
];

const ABSTRACTED: &str = "abstract_explicit";

/// The columns of the table.
const HEADER: &str = "| model | breadth-first | depth-first | limit, s |";

/// An answer that was not found within the limit.
const OPEN: &str = "not finished";

/// Searches all models.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    println!("{HEADER}\n| --- | --- | --- | --: |");
    for family in &FAMILIES {
        search_family(root, args, (&axle, scratch), family)?;
    }
    summary(root)
}

/// Searches the models of a folder.
fn search_family(
    root: &Path,
    args: &Args,
    (axle, scratch): (&Path, &Path),
    family: &Family,
) -> Result<(), String> {
    let folder = root.join(family.folder);
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".pml").map(str::to_string))
        .filter(|name| args.models.is_empty() || args.models.contains(name))
        .collect();
    names.sort();
    let known = if args.resume { recorded(root, family.file) } else { BTreeMap::new() };
    for name in names {
        if known.get(&name).is_some_and(|(_, limit)| *limit >= args.seconds) {
            continue;
        }
        let source = folder.join(&name).with_extension("pml").display().to_string();
        let search = |order| searched(axle, &name, &source, order, args.seconds, scratch);
        let breadth = search("bfs")?;
        let is_deep = family.is_deep && name.ends_with("-fault");
        let depth = if is_deep { search("dfs")? } else { "-".to_string() };
        let line = format!("| {name} | {breadth} | {depth} | {} |", args.seconds);
        println!("{line}");
        record(root, family.file, &from_markdown(&format!("{HEADER}\n| --- |\n{line}\n")))?;
    }
    Ok(())
}

/// The answer of a search: a verdict with its processor time.
fn searched(
    axle: &Path,
    name: &str,
    source: &str,
    order: &str,
    seconds: u32,
    scratch: &Path,
) -> Result<String, String> {
    let options = ["--engine", "explicit", "--only", "assertions", "--threads", "1", "--search", order];
    let program = axle.display().to_string();
    let output = ["--trace", "none", "--memory", "6G", "--quiet"];
    let all: Vec<String> =
        ["check", source].into_iter().chain(options).chain(output).map(str::to_string).collect();
    let usage = measure::limited(&program, &all, seconds, scratch)?.usage;
    let has_fault = name.ends_with("-fault");
    match usage.code {
        Some(0) if !has_fault => Ok(format!("holds ({:.1} s)", usage.cpu())),
        Some(1) if has_fault => Ok(format!("violated ({:.1} s)", usage.cpu())),
        // Ended by the limit of processor time or of memory.
        None | Some(3) => Ok(OPEN.to_string()),
        code => Err(format!("{name}: exit code {code:?}")),
    }
}

/// The models that were searched: whether a search was finished, and the limit.
fn recorded(root: &Path, file: &str) -> BTreeMap<String, (bool, u32)> {
    let path = root.join("bench/results").join(file).with_extension("tsv");
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut models: BTreeMap<String, (bool, u32)> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [_, _, _, model, metric, value, _] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let known = models.entry(model.to_string()).or_default();
        match metric {
            "limit" => known.1 = value.parse().unwrap_or(0),
            _ => known.0 |= value != OPEN,
        }
    }
    models
}

/// What the test suite of abstraction has recorded of a model.
#[derive(Clone, Default)]
struct Abstraction {
    is_decided: bool,
    /// Whether neither k-induction nor property-directed reachability decides it; none if not measured.
    is_alone: Option<bool>,
    limit: u32,
    longest: f64,
    queries: f64,
    all: f64,
    deciding: f64,
}

/// The rows of predicate abstraction.
fn abstractions(root: &Path) -> BTreeMap<String, Abstraction> {
    let text = fs::read_to_string(root.join("bench/results/abstract.tsv")).unwrap_or_default();
    let mut lines = text.lines().skip(1);
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let rows = lines.map(|line| {
        let cells: BTreeMap<&str, &str> = header.iter().copied().zip(line.split('\t')).collect();
        let text = |column: &str| cells.get(column).copied().unwrap_or("-");
        let number = |column: &str| text(column).parse().unwrap_or(0.0);
        let others = ["induction", "pdr"].map(text);
        let is_measured = others.iter().all(|answer| *answer != "-");
        let abstraction = Abstraction {
            is_decided: text("verdict") != "unknown",
            is_alone: is_measured.then(|| others.iter().all(|answer| *answer == "unknown")),
            limit: number("limit") as u32,
            longest: number("longest_iteration"),
            queries: number("queries"),
            all: number("abstraction"),
            deciding: number("deciding"),
        };
        (text("model").to_string(), abstraction)
    });
    rows.collect()
}

/// Records how many models no search finishes, and what abstraction and other methods decide of these.
fn summary(root: &Path) -> Result<(), String> {
    let searched = recorded(root, ABSTRACTED);
    let abstractions = abstractions(root);
    let open: Vec<&str> =
        searched.iter().filter(|(_, (is_finished, _))| !is_finished).map(|(name, _)| name.as_str()).collect();
    let faults = open.iter().filter(|name| name.ends_with("-fault")).count();
    let of_open: Vec<&Abstraction> = open.iter().filter_map(|name| abstractions.get(*name)).collect();
    let decided: Vec<&Abstraction> = of_open.iter().copied().filter(|one| one.is_decided).collect();
    let sum = |of: fn(&Abstraction) -> f64| of_open.iter().map(|one| of(one)).sum::<f64>();
    let (all, deciding) = (sum(|one| one.all).max(f64::MIN_POSITIVE), sum(|one| one.deciding));
    let longest = decided.iter().map(|one| one.longest).fold(0.0, f64::max);
    let mut rows = vec![
        row("models", "reached", searched.len(), ""),
        row("explicit search: least limit, s", "reached", least(searched.values().map(|of| of.1)), ""),
        row("not finished by explicit search", "reached", open.len(), ""),
        row("of these with a fault", "reached", faults, ""),
        row("abstraction: least limit, s", "reached", least(of_open.iter().map(|one| one.limit)), ""),
        row("of these decided by abstraction", "reached", decided.len(), ""),
        row("longest iteration on decided models, s", "reached", format!("{longest:.2}"), ""),
        row("queries per second", "reached", format!("{:.0}", sum(|one| one.queries) / all), ""),
        row("share of the decision procedure in the time", "reached", format!("{:.2}", deciding / all), ""),
    ];
    let measured: Vec<bool> = decided.iter().filter_map(|one| one.is_alone).collect();
    if !measured.is_empty() {
        let alone = measured.iter().filter(|is_alone| **is_alone).count();
        rows.push(row("decided neither by induction nor by PDR", "reached", alone, ""));
        rows.push(row("models of which these answers are known", "reached", measured.len(), ""));
    }
    record(root, "abstract_summary", &rows)
}

/// The least of some limits.
fn least(limits: impl Iterator<Item = u32>) -> u32 {
    limits.min().unwrap_or(0)
}
