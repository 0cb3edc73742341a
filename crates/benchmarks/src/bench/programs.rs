//! `cargo xtask bench --only c`: C programs compared with the same algorithms in Promela, both
//! searched completely by Axle with one thread. Two ratios are reported. States per second compare
//! the cost of a C step with that of a model step. CPU time to the verdict also includes the
//! different numbers of states: each visible memory access of a C program is a transition.
//!
//! *Entry point:* [`run`].

use crate::results::Printed;
use std::path::Path;

use super::subjects::{Args, axle_of, check_that_holds, sources, states_of};

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
    let options = [&["--threads", "1"], more].concat();
    let (report, usage) = check_that_holds(axle, source, &options, scratch)?;
    Ok(Side { states: states_of(&report)?, seconds: usage.cpu() })
}
