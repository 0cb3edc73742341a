//! `cargo xtask bench --hunt`: the time to a violation, on the models of bench/hunt.
//!
//! Each model contains a violation. Spin searches depth-first (`-a` for a model with a formula,
//! `-DSAFETY` otherwise, default reduction), and breadth-first where the model has no formula. Its
//! stack holds 100,000 steps, and ten million where that truncates the search. Axle uses its default
//! options with one thread. `--previous FILE` adds another build of Axle, with the
//! same options. A model counts as found if the program reports a violation within the limit of
//! 60 s.
//!
//! *Entry point:* [`run`].
//! *Cost:* the limit applies to each program, so the command takes at most six minutes per model.

use std::fs;
use std::path::Path;

use super::subjects::{Args, axle_of, sources};
use super::{measure, spin};
use crate::results::Printed;

/// Processor time limit of each program in seconds.
const LIMIT: u32 = 60;

/// Permitted processor time of Axle: this factor times the best of the others, plus [`SLACK`].
const FACTOR: f64 = 2.0;

/// See [`FACTOR`]; in seconds.
const SLACK: f64 = 0.1;

/// One run of a program on a model.
#[derive(Clone, Copy)]
struct Attempt {
    found: bool,
    /// Processor time of the search in seconds.
    cpu: f64,
    /// Wall time from source to verdict in seconds.
    end_to_end: f64,
}

impl Attempt {
    fn show(self) -> String {
        if self.found { format!("{:.3}", self.cpu) } else { "–".to_string() }
    }
}

/// Runs all models and prints a table.
pub fn run(root: &Path, args: &Args, scratch: &Path) -> Result<(), String> {
    let axle = axle_of(root, args)?;
    let previous = args
        .previous
        .as_deref()
        .map(|path| path.canonicalize().map_err(|e| format!("{}: {e}", path.display())));
    let previous = previous.transpose()?;
    let mut printed = Printed::default();
    printed.line(
        "| model | pan depth-first, s | pan breadth-first, s | previous axle, s | axle, s | pan verdict, s \
         | axle verdict, s |",
    );
    printed.line("| --- | --: | --: | --: | --: | --: | --: |");
    let (mut misses, mut slow, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for (name, source) in sources(root, "hunt", "pml", args)? {
        let text = fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
        let claim = text.lines().any(|line| line.starts_with("ltl "));
        let depth_first = pan(&source, claim, false, scratch)?;
        let breadth_first = if claim { None } else { Some(pan(&source, false, true, scratch)?) };
        let before = previous.as_ref().map(|program| axle_run(program, &source, scratch)).transpose()?;
        let ours = axle_run(&axle, &source, scratch)?;
        let pan = best_of([Some(depth_first), breadth_first]);
        printed.line(&format!(
            "| {name} | {} | {} | {} | {} | {} | {} |",
            depth_first.show(),
            breadth_first.map_or("–".to_string(), Attempt::show),
            before.map_or("–".to_string(), Attempt::show),
            ours.show(),
            pan.map_or("–".to_string(), |best| format!("{:.2}", best.end_to_end)),
            if ours.found { format!("{:.2}", ours.end_to_end) } else { "–".to_string() },
        ));
        if let Some(pan) = pan.filter(|_| ours.found) {
            ratios.push(pan.end_to_end / ours.end_to_end.max(1e-3));
        }
        match best_of([pan, before]) {
            _ if !ours.found => misses.push(name),
            Some(best) if ours.cpu > FACTOR * best.cpu + SLACK => slow.push(name),
            Some(_) | None => {}
        }
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!(
        "\nsource to verdict: {mean:.1} times as fast as the best of pan (geometric mean of {} models)",
        ratios.len()
    );
    println!("slower than {FACTOR} times the best of the others plus {SLACK} s: {}", listed(&slow));
    println!("not found by Axle within {LIMIT} s: {}", listed(&misses));
    printed.record(root, "hunt")
}

/// The attempt that found a violation in the least processor time.
fn best_of(attempts: [Option<Attempt>; 2]) -> Option<Attempt> {
    let found = attempts.into_iter().flatten().filter(|attempt| attempt.found);
    found.min_by(|a, b| a.cpu.total_cmp(&b.cpu))
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

/// Runs pan with its default reduction; `timeout` ends it at the limit.
fn pan(source: &Path, claim: bool, breadth_first: bool, scratch: &Path) -> Result<Attempt, String> {
    let mut flags = vec!["-w", "-O2", "-DMEMLIM=8000"];
    flags.extend((!claim).then_some("-DSAFETY"));
    flags.extend(breadth_first.then_some("-DBFS"));
    let built = spin::build_with(source, scratch, &[], &flags)?;
    let program = built.program.display().to_string();
    let mut attempt = Attempt { found: false, cpu: 0.0, end_to_end: built.seconds };
    // The larger stack and table take most of a second by themselves.
    for [depth, slots] in [["-m100000", "-w20"], ["-m10000000", "-w24"]] {
        let mut args = vec![LIMIT.to_string(), program.clone(), "-n".into(), depth.into(), slots.into()];
        args.extend(claim.then(|| "-a".to_string()));
        let output = measure::run(Path::new("timeout"), &args, scratch)?;
        let errors = output.stdout.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let truncated = output.stdout.contains("max search depth too small");
        attempt = Attempt {
            found: errors.is_some_and(|errors| errors != "0"),
            cpu: attempt.cpu + output.usage.cpu(),
            end_to_end: attempt.end_to_end + output.usage.wall,
        };
        if attempt.found || !truncated {
            break;
        }
    }
    Ok(attempt)
}

fn axle_run(axle: &Path, source: &Path, scratch: &Path) -> Result<Attempt, String> {
    let time = format!("{LIMIT}s");
    let options = ["--quiet", "--trace", "none", "--threads", "1", "--time", &time];
    let mut args = vec!["check".to_string(), source.display().to_string()];
    args.extend(options.map(str::to_string));
    let output = measure::run(axle, &args, scratch)?;
    match output.usage.code {
        Some(code @ (1 | 3)) => {
            let usage = output.usage;
            Ok(Attempt { found: code == 1, cpu: usage.cpu(), end_to_end: usage.wall })
        }
        code => Err(format!("{}: axle ends with code {code:?}", source.display())),
    }
}
