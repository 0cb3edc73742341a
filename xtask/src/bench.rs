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

pub mod claim_run;
mod defaults;
mod hunt;
mod liveness;
pub mod measure;
mod programs;
mod spin;
mod table;
mod threads;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;

use measure::Usage;

#[derive(clap::Args)]
pub struct Args {
    /// Only these models, separated by commas.
    #[arg(long, value_delimiter = ',')]
    models: Vec<String>,
    /// Number of rounds; the best run of each program counts.
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// Only one set of models: large models (speed and memory), small ones (time to verdict),
    /// claims (cycle searches), or C programs. The last two are not run by default.
    #[arg(long, value_enum)]
    only: Option<Set>,
    /// Write all figures as JSON to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Measure this program instead of building it.
    #[arg(long, value_name = "FILE")]
    axle: Option<PathBuf>,
    /// Run Spin alone and rewrite bench/expected.tsv.
    #[arg(long)]
    record: bool,
    /// Run Axle only, and compare with the recorded counts.
    #[arg(long)]
    axle_only: bool,
    /// Only compare this number of threads with one, on models of more than two million states.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    threads: Option<u16>,
    /// Only compare Spin with its default options and Axle with all reductions.
    #[arg(long, conflicts_with_all = ["threads", "record"])]
    defaults: bool,
    /// Only measure the time to a violation on the models of bench/hunt.
    #[arg(long, conflicts_with_all = ["threads", "record", "defaults"])]
    hunt: bool,
    /// With `--hunt`, measure this earlier build of Axle as well.
    #[arg(long, value_name = "FILE", requires = "hunt")]
    previous: Option<PathBuf>,
    /// With `--only liveness`, leave out pan's searches under fairness, which take most of the time.
    #[arg(long)]
    without_fairness: bool,
    /// Count contention between 1, 2, 4 and 8 threads instead of measuring time.
    #[arg(long, requires = "threads")]
    contention: bool,
}

/// The set (directory) of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Set {
    /// 0.5 to 20 million states.
    Models,
    /// Below 100,000 states.
    Small,
    /// Claims that hold, for the large models.
    Liveness,
    /// C programs and the same algorithms in Promela.
    C,
}

impl Set {
    fn folder(self) -> &'static str {
        match self {
            Set::Models => "models",
            Set::Small => "small",
            Set::Liveness => "liveness",
            Set::C => "c",
        }
    }
}

/// The counts of Spin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Counts {
    pub states: u64,
    pub transitions: u64,
    /// The longest path of pan's depth-first search.
    pub depth: u64,
    /// Bytes of pan's state vector.
    pub vector: u64,
}

/// The best run of one program.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Resources of the search alone.
    pub usage: Usage,
    /// Wall time from source to verdict in seconds, including generation and compilation.
    pub end_to_end: f64,
}

/// The figures of one model.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    pub name: String,
    pub set: Set,
    pub counts: Counts,
    pub pan: Option<Run>,
    pub plain: Option<Run>,
    pub tree: Option<Run>,
    /// Errors.
    pub faults: Vec<String>,
}

/// Runs the benchmark and prints the tables.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let models = match args.only {
        _ if args.hunt => Vec::new(),
        Some(Set::Liveness | Set::C) => Vec::new(),
        Some(Set::Models | Set::Small) | None => models(root, args)?,
    };
    let scratch = std::env::temp_dir().join(format!("axle-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let done = match args.record {
        _ if args.hunt => hunt::run(root, args, &scratch),
        _ if args.only == Some(Set::Liveness) && args.threads.is_some() => {
            threads::claims(root, args, &scratch)
        }
        _ if args.only == Some(Set::Liveness) => liveness::run(root, args, &scratch),
        _ if args.only == Some(Set::C) => programs::run(root, args, &scratch),
        true => record(root, &models, &scratch),
        false if args.defaults => defaults::run(root, args, &models, &scratch),
        false if args.threads.is_some() => threads::run(root, args, &models, &scratch),
        false => compare(root, args, &models, &scratch),
    };
    // A directory that cannot be removed is left to the system.
    let _ = fs::remove_dir_all(&scratch);
    done
}

/// The selected models by set and name.
fn models(root: &Path, args: &Args) -> Result<Vec<(Set, String, PathBuf)>, String> {
    let mut found = Vec::new();
    for set in [Set::Models, Set::Small] {
        let folder = root.join("bench").join(set.folder());
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "pml")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let asked = args.models.is_empty() || args.models.contains(&name);
            if asked && args.only.is_none_or(|only| only == set) {
                found.push((set, name, path));
            }
        }
    }
    match args.models.iter().find(|name| !found.iter().any(|(_, found, _)| found == *name)) {
        Some(name) => Err(format!("bench/ has no model {name}")),
        None => Ok(found),
    }
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

/// The counts of Spin by set and name.
fn expected(path: &Path) -> Result<BTreeMap<(String, String), Counts>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut known = BTreeMap::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let numbers: Vec<u64> = fields.iter().skip(2).filter_map(|field| field.parse().ok()).collect();
        let (&[set, name, ..], &[states, transitions, depth, vector]) = (&fields[..], &numbers[..]) else {
            return Err(format!("{}:{}: not a row", path.display(), i + 1));
        };
        known.insert((set.into(), name.into()), Counts { states, transitions, depth, vector });
    }
    Ok(known)
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
    super::results::record(root, "bench_models", &super::results::from_markdown(models))?;
    super::results::record(root, "bench", &super::results::from_markdown(bars))?;
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

/// The program to measure: the given one, or a build of this tree.
fn axle_of(root: &Path, args: &Args) -> Result<PathBuf, String> {
    match &args.axle {
        Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display())),
        None => build_axle(root),
    }
}

/// Builds the program in its release configuration.
pub fn build_axle(root: &Path) -> Result<PathBuf, String> {
    build_release(root, "axle")
}

/// Builds a program of the workspace in its release configuration.
fn build_release(root: &Path, program: &str) -> Result<PathBuf, String> {
    let args = ["build", "--release", "--quiet", "--bin", program];
    let status = Command::new(env!("CARGO")).args(args).current_dir(root).status();
    match status {
        Ok(status) if status.success() => {}
        _ => return Err(format!("building {program} failed")),
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    Ok(target.join("release").join(program))
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

fn axle_run(
    axle: &Path,
    source: &Path,
    more: &[&str],
    counts: Counts,
    scratch: &Path,
) -> Result<Run, String> {
    let mut args = vec!["check".to_string(), source.display().to_string(), "--json".into(), "--quiet".into()];
    // Pan uses one core, so Axle uses one thread unless more are requested.
    let threads = if more.contains(&"--threads") { &[][..] } else { &["--threads", "1"] };
    let whole = ["--por", "none", "--passes", "none"];
    args.extend(whole.iter().chain(threads).chain(more).map(|arg| (*arg).to_string()));
    let output = measure::run(axle, &args, scratch)?;
    let report: serde_json::Value = serde_json::from_str(&output.stdout)
        .map_err(|e| format!("axle printed no JSON ({e}), exit code {:?}", output.usage.code))?;
    let number = |name: &str| {
        let inner = report.get("search").and_then(|search| search.get(name));
        inner.or_else(|| report.get(name)).and_then(serde_json::Value::as_u64).unwrap_or(0)
    };
    let verdict = report.get("verdict").and_then(serde_json::Value::as_str).unwrap_or("none");
    if verdict != "holds" {
        return Err(format!("axle reports {verdict} {}", more.join(" ")));
    }
    same(&format!("axle {}", more.join(" ")), (number("states"), number("transitions")), counts)?;
    Ok(Run { usage: output.usage, end_to_end: output.usage.wall })
}

/// A run with different counts cannot be compared.
fn same(who: &str, (states, transitions): (u64, u64), counts: Counts) -> Result<(), String> {
    match states == counts.states && transitions == counts.transitions {
        true => Ok(()),
        false => Err(format!(
            "{who} counts {states} states and {transitions} transitions, not {} and {}",
            counts.states, counts.transitions
        )),
    }
}
