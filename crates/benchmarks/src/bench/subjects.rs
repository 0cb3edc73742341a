//! What is measured: the options of `cargo xtask bench`, the selected models and programs, the counts
//! of Spin, and complete searches of Axle, whose counts must be the same.
//!
//! *Entry points:* [`models`], [`sources`], [`axle_run`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;

use super::measure::{self, Usage};

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Only these models, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub models: Vec<String>,
    /// Number of rounds; the best run of each program counts.
    #[arg(long, default_value_t = 1)]
    pub repeat: u32,
    /// Only one set of models: large models (speed and memory), small ones (time to verdict),
    /// claims (cycle searches), or C programs. The last two are not run by default.
    #[arg(long, value_enum)]
    pub only: Option<Set>,
    /// Write all figures as JSON to this file.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Measure this program instead of building it.
    #[arg(long, value_name = "FILE")]
    pub axle: Option<PathBuf>,
    /// Run Spin alone and rewrite bench/expected.tsv.
    #[arg(long)]
    pub record: bool,
    /// Run Axle only, and compare with the recorded counts.
    #[arg(long)]
    pub axle_only: bool,
    /// Only compare this number of threads with one, on models of more than two million states, claims,
    /// or C programs of more than 100,000 states.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    pub threads: Option<u16>,
    /// Only compare a search by two processes with one by one process, on models of more than 500,000 states.
    #[arg(long, conflicts_with_all = ["threads", "record", "defaults", "hunt", "attempts", "proofs", "ltsmin", "strategies", "disk", "wide"])]
    pub workers: bool,
    /// Only compare Spin with its default options and Axle with all reductions.
    #[arg(long, conflicts_with_all = ["threads", "record"])]
    pub defaults: bool,
    /// Only measure the time to a violation on the models of bench/hunt.
    #[arg(long, conflicts_with_all = ["threads", "record", "defaults"])]
    pub hunt: bool,
    /// Only measure what the attempts beside the exact search cost on models that hold.
    #[arg(long, conflicts_with_all = ["threads", "record", "defaults", "hunt"])]
    pub attempts: bool,
    /// Only compare the engines for wide data with ABC, on the models of crates/decide/tests/wide.
    #[arg(long, group = "resumable", conflicts_with_all = ["threads", "record", "defaults", "hunt", "attempts"])]
    pub proofs: bool,
    /// Only compare the symbolic search with LTSmin, in a folder with `prom2lts-sym` and compiled models.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["threads", "record", "defaults", "hunt", "attempts", "proofs"])]
    pub ltsmin: Option<PathBuf>,
    /// Only compare the strategies of the symbolic search.
    #[arg(long, conflicts_with_all = ["threads", "record", "defaults", "hunt", "attempts", "proofs", "ltsmin"])]
    pub strategies: bool,
    /// Only compare searches on disk with searches in memory, on models of more than ten million states.
    #[arg(long, conflicts_with_all = ["threads", "record", "defaults", "hunt", "attempts", "proofs", "ltsmin", "strategies", "wide"])]
    pub disk: bool,
    /// Only search the models with wide data of crates/decide/tests/wide and crates/abstract/tests/models explicitly.
    #[arg(long, group = "resumable", conflicts_with_all = ["threads", "record", "defaults", "hunt", "attempts", "proofs", "ltsmin", "strategies"])]
    pub wide: bool,
    /// With `--proofs`, `--wide` and `--ltsmin`, the processor time of each engine, in seconds.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub seconds: u32,
    /// With `--proofs`, the processor time of each engine of Axle on models that ABC does not decide.
    #[arg(long, value_name = "N", requires = "proofs")]
    pub alone: Option<u32>,
    /// With `--proofs` and `--wide`, keep the rows of models that were measured with this limit, and the answers
    /// of ABC.
    #[arg(long, requires = "resumable")]
    pub resume: bool,
    /// With `--hunt`, measure this earlier build of Axle as well.
    #[arg(long, value_name = "FILE", requires = "hunt")]
    pub previous: Option<PathBuf>,
    /// With `--only liveness`, leave out pan's searches under fairness, which take most of the time.
    #[arg(long)]
    pub without_fairness: bool,
    /// Count contention between 1, 2, 4 and 8 threads instead of measuring time.
    #[arg(long, requires = "threads")]
    pub contention: bool,
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
    pub fn folder(self) -> &'static str {
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

/// The selected models by set and name.
pub fn models(root: &Path, args: &Args) -> Result<Vec<(Set, String, PathBuf)>, String> {
    let mut found = Vec::new();
    for set in [Set::Models, Set::Small] {
        if args.only.is_none_or(|only| only == set) {
            let sources = sources(root, set.folder(), "pml", args)?;
            found.extend(sources.into_iter().map(|(name, path)| (set, name, path)));
        }
    }
    match args.models.iter().find(|name| !found.iter().any(|(_, found, _)| found == *name)) {
        Some(name) => Err(format!("bench/ has no model {name}")),
        None => Ok(found),
    }
}

/// The selected files with this extension in a folder of bench, by name.
pub fn sources(
    root: &Path,
    folder: &str,
    extension: &str,
    args: &Args,
) -> Result<Vec<(String, PathBuf)>, String> {
    let folder = root.join("bench").join(folder);
    // Some programs run in another directory.
    let folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, path)
    });
    Ok(named.filter(|(name, _)| args.models.is_empty() || args.models.contains(name)).collect())
}

/// The counts of Spin by set and name.
pub fn expected(path: &Path) -> Result<BTreeMap<(String, String), Counts>, String> {
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

/// The models of which Spin's counts are known, with at least this number of states unless they are selected by name.
pub fn counted<'m>(
    root: &Path,
    args: &Args,
    models: &'m [(Set, String, PathBuf)],
    least: u64,
) -> Result<Vec<(&'m str, &'m Path, Counts)>, String> {
    let known = expected(&root.join("bench/expected.tsv"))?;
    let counted = models.iter().filter_map(|(set, name, source)| {
        let counts = *known.get(&(set.folder().to_string(), name.clone()))?;
        let is_measured = counts.states >= least || !args.models.is_empty();
        is_measured.then_some((name.as_str(), source.as_path(), counts))
    });
    Ok(counted.collect())
}

/// The program to measure: the given one, or a build of this tree.
pub fn axle_of(root: &Path, args: &Args) -> Result<PathBuf, String> {
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
pub fn build_release(root: &Path, program: &str) -> Result<PathBuf, String> {
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

/// A complete search without reductions, whose counts are those of Spin.
pub fn axle_run(
    axle: &Path,
    source: &Path,
    more: &[&str],
    counts: Counts,
    scratch: &Path,
) -> Result<Run, String> {
    // Pan uses one core, so Axle uses one thread unless more are requested.
    let threads = if more.contains(&"--threads") { &[][..] } else { &["--threads", "1"] };
    let options = [&["--por", "none", "--passes", "none"], threads, more].concat();
    let (report, usage) = check_that_holds(axle, source, &options, scratch)?;
    let number = |name: &str| {
        let inner = report.get("search").and_then(|search| search.get(name));
        inner.or_else(|| report.get(name)).and_then(serde_json::Value::as_u64).unwrap_or(0)
    };
    same(&format!("axle {}", more.join(" ")), (number("states"), number("transitions")), counts)?;
    Ok(Run { usage, end_to_end: usage.wall })
}

/// The report of a check whose verdict must be that everything holds, and its resources.
pub fn check_that_holds(
    axle: &Path,
    source: &Path,
    options: &[&str],
    scratch: &Path,
) -> Result<(serde_json::Value, Usage), String> {
    let file = source.display().to_string();
    let mut args = vec!["check".to_string(), file.clone(), "--json".into(), "--quiet".into()];
    args.extend(options.iter().map(|option| (*option).to_string()));
    let output = measure::run(axle, &args, scratch)?;
    let report: serde_json::Value = serde_json::from_str(&output.stdout)
        .map_err(|e| format!("{file}: axle printed no JSON ({e}), exit code {:?}", output.usage.code))?;
    match report["verdict"].as_str() {
        Some("holds") => Ok((report, output.usage)),
        verdict => {
            let verdict = verdict.unwrap_or("nothing");
            Err(format!("{file}: axle reports {verdict} with {}", options.join(" ")))
        }
    }
}

/// The states that a report counts.
pub fn states_of(report: &serde_json::Value) -> Result<u64, String> {
    report["search"]["states"].as_u64().ok_or_else(|| "a report without states".to_string())
}

/// A run with different counts cannot be compared.
pub fn same(who: &str, (states, transitions): (u64, u64), counts: Counts) -> Result<(), String> {
    match states == counts.states && transitions == counts.transitions {
        true => Ok(()),
        false => Err(format!(
            "{who} counts {states} states and {transitions} transitions, not {} and {}",
            counts.states, counts.transitions
        )),
    }
}
