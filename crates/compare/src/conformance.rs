//! `cargo xtask conformance`: compares the verdicts and counts of Axle with Spin's on the models of
//! tests/conformance.
//!
//! Every safety row of `expected_full.tsv` is checked depth-first and breadth-first, continuing
//! after errors, without reductions. A row agrees if the verdict, the kind of Spin's first error,
//! the stored states and the transitions are equal. `argued.tsv` lists the rows with justified
//! differences: the expected result of Axle and the reason.
//!
//! *Entry point:* `compare`.

mod runs;

use axle_benchmarks::results::{record, row};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axle_check::{Config, Order, check};
use axle_model::{Model, PropertyKind};
use axle_search::{Limits, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// Maximum number of states per row; Spin's largest row has a few thousand.
const MOST_STATES: u64 = 2_000_000;

/// Arguments of `cargo xtask conformance`.
#[derive(clap::Args)]
pub struct Args {
    /// Only these models, separated by commas.
    #[arg(long, value_delimiter = ',')]
    models: Vec<String>,
    /// Print only rows that differ.
    #[arg(long)]
    differences: bool,
}

/// The result of a checker for a model. `kind` is that of the first error; counts are `None` if
/// they are not compared.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Finding {
    verdict: String,
    kinds: Vec<String>,
    states: Option<u64>,
    transitions: Option<u64>,
}

/// A row of the table: the expected result, the reason for a difference from Spin, and the results
/// of both searches.
struct Row {
    name: String,
    expected: Finding,
    why: Option<String>,
    dfs: Finding,
    bfs: Finding,
}

/// Prints the table.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let folder = root.join("tests/conformance");
    let rows = compare(&folder, &args.models)?;
    let mut wrong = 0;
    println!("| model | expected | dfs | bfs | |");
    println!("| --- | --- | --- | --- | --- |");
    for row in &rows {
        let agrees = row.agrees();
        wrong += usize::from(!agrees);
        if args.differences && agrees {
            continue;
        }
        let note = match (&row.why, agrees) {
            (_, false) => "DIFFERS".to_string(),
            (Some(why), true) => format!("argued: {why}"),
            (None, true) => String::new(),
        };
        println!("| {} | {} | {} | {} | {note} |", row.name, row.expected, row.dfs, row.bfs);
    }
    let argued = rows.iter().filter(|row| row.why.is_some()).count();
    println!(
        "\n{} rows: {} as Spin, {argued} argued, {wrong} differ",
        rows.len(),
        rows.len() - argued - wrong
    );
    wrong += runs::print(&folder, args)?;
    if args.models.is_empty() {
        let subject = "conformance models";
        record(
            root,
            "comparisons",
            &[row(subject, "compared", rows.len(), ""), row(subject, "disagreements", wrong, "")],
        )?;
    }
    match wrong {
        0 => Ok(()),
        n => Err(format!("{n} rows differ")),
    }
}

impl Row {
    fn agrees(&self) -> bool {
        self.expected.allows(&self.dfs) && self.expected.allows(&self.bfs)
    }
}

impl Finding {
    /// Whether `other` matches this result; fields that are `None` here match anything.
    fn allows(&self, other: &Finding) -> bool {
        self.verdict == other.verdict
            && self.kinds.iter().all(|kind| other.kinds.contains(kind))
            && self.states.is_none_or(|n| other.states == Some(n))
            && self.transitions.is_none_or(|n| other.transitions == Some(n))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |n: Option<u64>| n.map_or("any".to_string(), |n| n.to_string());
        write!(f, "{}", self.verdict)?;
        if !self.kinds.is_empty() {
            write!(f, " ({})", self.kinds.join(", "))?;
        }
        match self.verdict.as_str() {
            "refused" => Ok(()),
            _ => write!(f, ", {} states, {} transitions", number(self.states), number(self.transitions)),
        }
    }
}

/// Checks every safety row (of the selected models) with both searches.
fn compare(folder: &Path, models: &[String]) -> Result<Vec<Row>, String> {
    let full = table(&folder.join("expected_full.tsv"))?;
    let raw: BTreeMap<String, Vec<String>> =
        table(&folder.join("expected_raw.tsv"))?.into_iter().map(|row| (row[0].clone(), row)).collect();
    let mut argued: BTreeMap<String, Vec<String>> =
        table(&folder.join("argued.tsv"))?.into_iter().map(|row| (row[0].clone(), row)).collect();
    let mut rows = Vec::new();
    for row in full.iter().filter(|row| row[2].is_empty()) {
        let name = row[0].clone();
        let exception = argued.remove(&name);
        if !models.is_empty() && !models.contains(&name) {
            continue;
        }
        // Only this table contains the options of `spin` and pan's message.
        let (flags, message) = raw.get(&name).map_or(("", ""), |row| (&row[7], &row[11]));
        let lossy = flags.split(' ').any(|flag| flag == "-m");
        let (expected, why) = match &exception {
            Some(row) => (argued_finding(row), Some(row[5].clone())),
            None => (spin_finding(row, message), None),
        };
        let path = folder.join(format!("{name}.pml"));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let dfs = axle_finding(&name, &text, lossy, Order::DepthFirst);
        let bfs = axle_finding(&name, &text, lossy, Order::BreadthFirst);
        rows.push(Row { name, expected, why, dfs, bfs });
    }
    match argued.keys().next() {
        Some(stale) => Err(format!("argued.tsv: {stale} is not a safety row")),
        None => Ok(rows),
    }
}

/// The rows of a table without its header, each with at least 12 columns.
fn table(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = Vec::new();
    for line in text.lines().skip(1) {
        let mut row: Vec<String> = line.split('\t').map(str::to_string).collect();
        row.resize(row.len().max(12), String::new());
        rows.push(row);
    }
    Ok(rows)
}

/// Columns of `argued.tsv`: name, verdict, kinds, states, transitions, reason; `*` matches
/// anything.
fn argued_finding(row: &[String]) -> Finding {
    Finding {
        verdict: row[1].clone(),
        kinds: row[2]
            .split(' ')
            .filter(|kind| !kind.is_empty() && *kind != "*")
            .map(str::to_string)
            .collect(),
        states: row[3].parse().ok(),
        transitions: row[4].parse().ok(),
    }
}

/// The result of Spin: the columns are name, compile flags, run flags, errors, states, transitions,
/// depth.
fn spin_finding(row: &[String], message: &str) -> Finding {
    let verdict = match row[3].as_str() {
        "0" => "holds",
        "SPIN-ERROR" => "refused",
        "CRASH" => "crash",
        _ => "violated",
    };
    let kinds = KINDS.iter().find(|(words, _)| verdict == "violated" && message.contains(words));
    Finding {
        verdict: verdict.into(),
        kinds: kinds.into_iter().map(|(_, kind)| (*kind).to_string()).collect(),
        states: row[4].parse().ok(),
        transitions: row[5].parse().ok(),
    }
}

/// Pan's messages and Axle's kinds; more specific messages first.
const KINDS: [(&str, &str); 10] = [
    ("event_trace error", "event-trace"),
    ("invalid array index", "index-out-of-range"),
    ("assertion violated", "assertion"),
    ("invalid end state", "invalid-end"),
    ("too few parameters in send", "too-few-arguments"),
    ("missing pars in receive", "too-few-patterns"),
    ("rv-attempt in d_step", "rendezvous-in-d_step"),
    ("block in d_step", "d_step-blocks"),
    ("non-determinism in D_proctype", "not-deterministic"),
    ("error to poll rendezvous", "rendezvous-poll"),
];

/// The model of a source text; `None` if the front end rejects it.
fn model(name: &str, text: &str, lossy: bool) -> Option<Arc<Model>> {
    let file = format!("{name}.pml");
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add(&file, text);
    let mut options = axle_promela::Options::default();
    options.meaning.lossy = lossy;
    let loader = MemoryLoader::default();
    axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics).map(Arc::new)
}

fn axle_finding(name: &str, text: &str, lossy: bool, order: Order) -> Finding {
    let Some(model) = model(name, text, lossy) else {
        return Finding { verdict: "refused".into(), kinds: Vec::new(), states: None, transitions: None };
    };
    let limits = Limits { errors: None, states: Some(MOST_STATES), ..Limits::default() };
    // Pan's safety runs check event traces only; other properties are compared elsewhere.
    let traces = model
        .properties
        .iter()
        .filter(|property| matches!(property.kind, PropertyKind::Trace(_) | PropertyKind::NoTrace(_)));
    let only = Some(traces.map(|property| property.name.clone()).collect());
    let config = Config { only, order, limits, ..Config::default() };
    let report = check(&model, &config, &mut Silent).report;
    let mut kinds: Vec<String> = report.violations.into_iter().map(|v| v.kind.to_string()).collect();
    kinds.sort();
    kinds.dedup();
    let verdict = match () {
        () if report.internal.is_some() => "internal",
        () if !kinds.is_empty() => "violated",
        () if report.stop.is_some() => "unknown",
        () => "holds",
    };
    Finding {
        verdict: verdict.into(),
        kinds,
        states: report.search.states.to_u64(),
        transitions: report.search.transitions.to_u64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_safety_row_is_as_spin_says_or_as_argued() {
        let root = crate::repository();
        let rows = compare(&root.join("tests/conformance"), &[]).expect("the tables can be read");
        assert!(rows.len() > 150, "the table is there");
        let wrong: Vec<String> = (rows.iter().filter(|row| !row.agrees()))
            .map(|row| format!("{}: {} expected, dfs {}, bfs {}", row.name, row.expected, row.dfs, row.bfs))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_count_or_a_kind_that_differs_is_seen() {
        let row: Vec<String> = "x\t-DNOREDUCE\t\t2\t5\t6\t1".split('\t').map(str::to_string).collect();
        let spin = spin_finding(&row, "pan:1: invalid end state (at depth 3)");
        let mut axle = spin.clone();
        assert!(spin.allows(&axle));
        axle.kinds.push("assertion".into());
        assert!(spin.allows(&axle), "Axle goes on past the error that Spin names");
        axle.transitions = Some(7);
        assert!(!spin.allows(&axle));
        let other = Finding { kinds: vec!["assertion".into()], ..spin.clone() };
        assert!(!spin.allows(&other));
    }
}
