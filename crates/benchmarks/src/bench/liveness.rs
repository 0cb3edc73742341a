//! `cargo xtask bench --only liveness`: claims that hold, so the whole product is searched,
//! compared with `pan -a`.
//!
//! For each model of bench/liveness: pan with a table of one slot per state and a minimal stack
//! (depth in bench/liveness/expected.tsv), then the searches of Axle, each in a separate process. A
//! run whose stored states differ from pan's is an error.
//!
//! *Entry point:* [`run`].

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::claim_run::{self, Counted, How};
use super::measure::{self, Usage};
use super::spin;
use super::subjects::{Args, build_release};

/// The counts of Spin for a model.
#[derive(Clone, PartialEq, Debug)]
struct Expected {
    name: String,
    states: u64,
    /// Pan's maximum depth without and with fairness; `None` if it is not run.
    depth: u64,
    fair_depth: Option<u64>,
}

/// A run of Axle.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct Run {
    usage: Usage,
    counted: Counted,
}

/// The figures of one model.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Line {
    name: String,
    states: u64,
    pan: Option<Usage>,
    pan_fair: Option<Usage>,
    safety: Run,
    scc: Run,
    weak: Run,
    strong: Run,
}

/// Runs the benchmark and prints the table.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let folder = root.join("bench/liveness");
    // The searches run in another directory.
    let folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
    // The searches are those of a release build, whatever this program is.
    let searcher = build_release(root, "xtask")?;
    let mut lines = Vec::new();
    for known in expected(&folder.join("expected.tsv"))? {
        if !args.models.is_empty() && !args.models.contains(&known.name) {
            continue;
        }
        eprintln!("{}", known.name);
        let model = folder.join(format!("{}.pml", known.name));
        let axle = |how| {
            best(
                args.repeat,
                || axle_run(&searcher, &model, how, known.states, scratch),
                |run| run.usage.cpu(),
            )
        };
        let line = Line {
            name: known.name.clone(),
            states: known.states,
            pan: pan(args, &model, &known, known.depth, &["-a"], scratch)?,
            pan_fair: match known.fair_depth {
                Some(depth) if !args.without_fairness => {
                    pan(args, &model, &known, depth, &["-a", "-f"], scratch)?
                }
                _ => None,
            },
            safety: axle(How::Safety)?,
            scc: axle(How::Scc)?,
            weak: axle(How::Weak)?,
            strong: axle(How::Strong)?,
        };
        lines.push(line);
    }
    let text = markdown(&lines);
    print!("{text}");
    crate::results::record(root, "liveness", &crate::results::from_markdown(&text))?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&lines).map_err(|e| e.to_string())?;
        fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn expected(path: &Path) -> Result<Vec<Expected>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, states, depth, fair_depth] = &fields[..] else { return None };
        Some(Expected {
            name: name.into(),
            states: states.parse().ok()?,
            depth: depth.parse().ok()?,
            fair_depth: fair_depth.parse().ok(),
        })
    };
    let rows =
        text.lines().skip(1).map(|line| row(line).ok_or_else(|| format!("{}: {line}", path.display())));
    rows.collect()
}

/// The run with the lowest cost.
fn best<T>(
    rounds: u32,
    mut run: impl FnMut() -> Result<T, String>,
    cost: impl Fn(&T) -> f64,
) -> Result<T, String> {
    let mut best = run()?;
    for _ in 1..rounds {
        let next = run()?;
        if cost(&next) < cost(&best) {
            best = next;
        }
    }
    Ok(best)
}

/// Runs one search, as `searcher claim-run` does.
fn axle_run(searcher: &Path, model: &Path, how: How, states: u64, scratch: &Path) -> Result<Run, String> {
    let args = ["claim-run".to_string(), model.display().to_string(), how.name().into()];
    let output = measure::run(searcher, &args, scratch)?;
    let counted: Counted = serde_json::from_str(&output.stdout)
        .map_err(|e| format!("{}, {}: {e}: {}", model.display(), how.name(), output.stdout))?;
    if !counted.holds || counted.states != states {
        return Err(format!("{}, {}: {counted:?}, not {states} states", model.display(), how.name()));
    }
    Ok(Run { usage: output.usage, counted })
}

/// Pan with cycle detection; `None` if Spin is not run.
fn pan(
    args: &Args,
    model: &Path,
    known: &Expected,
    depth: u64,
    flags: &[&str],
    scratch: &Path,
) -> Result<Option<Usage>, String> {
    if args.axle_only {
        return Ok(None);
    }
    let source: PathBuf = scratch.join("claim.pml");
    fs::write(&source, claim_run::text(model)?).map_err(|e| e.to_string())?;
    let pan = spin::build_for(&source, scratch, &["-w", "-O2", "-DNOREDUCE", "-DNFAIR=4", "-DMEMLIM=64000"])?;
    let slots = known.states.next_power_of_two().ilog2();
    let mut list: Vec<String> = flags.iter().map(|flag| (*flag).to_string()).collect();
    list.extend([format!("-m{}", depth + depth / 10 + 1_000), format!("-w{slots}")]);
    let run = || measure::run(&pan.program, &list, scratch);
    let output = best(args.repeat, run, |output| output.usage.cpu())?;
    let counts = spin::stored(&output.stdout)?;
    if counts != known.states {
        return Err(format!("{}: pan stores {counts} states, not {}", known.name, known.states));
    }
    Ok(Some(output.usage))
}

/// The table: the cost of each run, and the factors with targets.
fn markdown(lines: &[Line]) -> String {
    let mut text = String::from(
        "| model | states | pan -a s | scc s | times faster | over safety | set B | beside B | weak/scc cpu | \
         mem | strong/scc cpu | mem | pan -f/-a cpu |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let per = |a: f64, b: f64| format!("{:.2}", a / b);
    for line in lines {
        let (scc, cpu) = (line.scc, line.scc.usage.cpu());
        let states = line.states as f64;
        let some = |value: Option<String>| value.unwrap_or_else(|| "-".into());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {cpu:.2} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            line.name,
            line.states,
            some(line.pan.map(|pan| format!("{:.2}", pan.cpu()))),
            some(line.pan.map(|pan| per(pan.cpu(), cpu))),
            per(cpu, line.safety.usage.cpu()),
            per(scc.counted.set as f64, states),
            per(scc.counted.beside as f64, states),
            per(line.weak.usage.cpu(), cpu),
            per(line.weak.usage.peak as f64, scc.usage.peak as f64),
            per(line.strong.usage.cpu(), cpu),
            per(line.strong.usage.peak as f64, scc.usage.peak as f64),
            some(line.pan.zip(line.pan_fair).map(|(pan, fair)| per(fair.cpu(), pan.cpu()))),
        );
    }
    let factors: Vec<f64> = lines.iter().filter_map(|l| Some(l.pan?.cpu() / l.scc.usage.cpu())).collect();
    if !factors.is_empty() {
        let mean = (factors.iter().map(|f| f.ln()).sum::<f64>() / factors.len() as f64).exp();
        let _ = writeln!(text, "\nGeometric mean of times faster: {mean:.2}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_listed_and_can_be_read() {
        let root = crate::repository();
        let folder = root.join("bench/liveness");
        let mut listed: Vec<String> = expected(&folder.join("expected.tsv"))
            .expect("the table")
            .into_iter()
            .map(|row| row.name)
            .collect();
        let mut found: Vec<String> = fs::read_dir(&folder)
            .expect("the folder")
            .flatten()
            .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".pml").map(str::to_string))
            .collect();
        listed.sort();
        found.sort();
        assert_eq!(listed, found);
        for name in found {
            let text = claim_run::text(&folder.join(format!("{name}.pml"))).expect("includes are there");
            assert!(text.contains("never") && text.contains("proctype"), "{name}");
        }
    }
}
