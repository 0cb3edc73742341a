//! `cargo xtask bench --only c`: C programs compared with the same algorithms in Promela, both
//! searched completely by Axle with one thread. Two ratios are reported. States per second compare
//! the cost of a C step with that of a model step. CPU time to the verdict also includes the
//! different numbers of states: each visible memory access of a C program is a transition.
//!
//! *Entry point:* [`run`].

use crate::results::Printed;
use std::path::Path;

use super::measure;
use super::subjects::{Args, axle_of, sources};

/// One search.
struct Side {
    states: u64,
    seconds: f64,
}

impl Side {
    fn rate(&self) -> f64 {
        self.states as f64 / self.seconds.max(1e-9)
    }
}

/// Runs the programs of bench/c and prints a table.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let mut printed = Printed::default();
    printed.line("| program | C states | C time, s | C states/s | Promela states | Promela time, s | Promela states/s | states/s, C to Promela | time, Promela to C |");
    printed.line("| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for (name, path) in sources(root, "c", "c", args)? {
        let best = |path: &Path, more: &[&str]| -> Result<Side, String> {
            let runs = (0..args.repeat.max(1)).map(|_| search(&axle, path, more, scratch));
            let runs = runs.collect::<Result<Vec<Side>, String>>()?;
            runs.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).ok_or_else(|| "no run".into())
        };
        let c = best(&path, &[])?;
        let model = best(&path.with_extension("pml"), &["--por", "none", "--passes", "none"])?;
        printed.line(&format!(
            "| {name} | {} | {:.2} | {:.0} | {} | {:.2} | {:.0} | {:.2} | {:.2} |",
            c.states,
            c.seconds,
            c.rate(),
            model.states,
            model.seconds,
            model.rate(),
            c.rate() / model.rate(),
            model.seconds / c.seconds.max(1e-9)
        ));
    }
    printed.record(root, "bench_c")
}

fn search(axle: &Path, source: &Path, more: &[&str], scratch: &Path) -> Result<Side, String> {
    let file = source.display().to_string();
    let mut args: Vec<String> = vec!["check".into(), file.clone(), "--json".into(), "--quiet".into()];
    args.extend(["--threads", "1"].iter().chain(more).map(|arg| (*arg).to_string()));
    let output = measure::run(axle, &args, scratch)?;
    let report: serde_json::Value = serde_json::from_str(&output.stdout)
        .map_err(|e| format!("{file}: axle printed no JSON ({e}), exit code {:?}", output.usage.code))?;
    match report.get("verdict").and_then(serde_json::Value::as_str) {
        Some("holds") => {}
        verdict => return Err(format!("{file}: axle reports {}", verdict.unwrap_or("nothing"))),
    }
    let states = report.get("search").and_then(|search| search.get("states"));
    let states = states.and_then(serde_json::Value::as_u64).ok_or_else(|| format!("{file}: no states"))?;
    Ok(Side { states, seconds: output.usage.cpu() })
}
