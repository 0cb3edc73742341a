//! `cargo xtask bench --disk`: the rate of a search whose visited states take ten times its memory.
//!
//! Each model is searched by one worker with a level log, first in memory, and then with a tenth of the bytes
//! that its states took there. The counts of both searches must be equal.
//!
//! *Entry point:* [`run`].

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::measure::Usage;
use super::subjects::{Args, axle_of, check_that_holds, states_of};
use crate::results::{Row, record, row};

/// The models and their parameters: the models of the benchmark with at least 10,000,000 states.
const MODELS: [(&str, &str, &[&str]); 2] = [
    ("szymanski", "bench/models/szymanski.pml", &[]),
    ("parcels, EACH=4", "bench/scale/parcels.pml", &["-DEACH=4"]),
];

/// How many times the memory the states take.
const TIMES: u64 = 10;

/// The part of the rate in memory that is wanted.
const WANTED: f64 = 1.0 / 3.0;

/// Measures the models, prints, and records.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let root_path = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
    let (mut rows, mut slow) = (Vec::new(), Vec::new());
    for (name, source, parameters) in MODELS {
        if !args.models.is_empty() && !args.models.iter().any(|model| name.starts_with(model.as_str())) {
            continue;
        }
        let subject = Subject { axle: &axle, source: root_path.join(source), parameters, scratch };
        let (mut ratio, mut best) = (0.0, Vec::new());
        for _ in 0..args.repeat.max(1) {
            let (measured, part) = subject.compare(name)?;
            if part > ratio {
                (ratio, best) = (part, measured);
            }
        }
        for Row { metric, value, unit, .. } in &best {
            println!("{name}: {metric} {value} {unit}");
        }
        rows.extend(best);
        slow.extend((ratio < WANTED).then(|| format!("{name}: {ratio:.2} of the rate in memory")));
    }
    record(root, "disk", &rows)?;
    if slow.is_empty() { Ok(()) } else { Err(slow.join("\n")) }
}

/// A model to be measured.
struct Subject<'a> {
    axle: &'a Path,
    source: PathBuf,
    parameters: &'a [&'a str],
    scratch: &'a Path,
}

impl Subject<'_> {
    /// The figures of both searches, and the quotient of their rates.
    fn compare(&self, name: &str) -> Result<(Vec<Row>, f64), String> {
        let (whole, in_memory) = self.search(&[])?;
        let needed = whole["search"]["states_memory"].as_u64().unwrap_or(0);
        // One sixteenth of the limit is for messages.
        let limit = format!("{}", needed / TIMES / 15 * 16);
        let (other, on_disk) = self.search(&["--memory", &limit, "--disk"])?;
        let states = states_of(&whole)?;
        let count = |report: &Value| report["search"]["transitions"].as_u64();
        if states_of(&other)? != states || count(&whole) != count(&other) {
            return Err(format!("{name}: the counts on disk differ from those in memory"));
        }
        if other["search"]["store"] != "disk" {
            return Err(format!("{name}: the states fit into a tenth of the memory"));
        }
        let [ratio, of_cpu] = [in_memory.wall / on_disk.wall, in_memory.cpu() / on_disk.cpu()];
        let mebibytes = |bytes: u64| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
        let rows = vec![
            row(name, "states", states, ""),
            row(name, "states in memory", mebibytes(needed), "MiB"),
            row(name, "memory limit on disk", mebibytes(needed / TIMES), "MiB"),
            row(name, "time in memory", format!("{:.1}", in_memory.wall), "s"),
            row(name, "time on disk", format!("{:.1}", on_disk.wall), "s"),
            row(name, "CPU in memory", format!("{:.1}", in_memory.cpu()), "s"),
            row(name, "CPU on disk", format!("{:.1}", on_disk.cpu()), "s"),
            row(name, "rate on disk / in memory", format!("{ratio:.2}"), ""),
            row(name, "rate by CPU time", format!("{of_cpu:.2}"), ""),
        ];
        Ok((rows, ratio))
    }

    /// One search with a level log.
    fn search(&self, more: &[&str]) -> Result<(Value, Usage), String> {
        let levels = self.scratch.join("levels");
        let path = levels.display().to_string();
        let common = ["--por", "none", "--passes", "none", "--workers", "1", "--level-log", &path];
        let options = [&common[..], self.parameters, more].concat();
        let result = check_that_holds(self.axle, &self.source, &options, self.scratch);
        fs::remove_dir_all(&levels).map_err(|e| format!("{path}: {e}"))?;
        result
    }
}
