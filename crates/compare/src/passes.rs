//! `cargo xtask passes`: compares every model pass with the search of the unchanged model, on
//! random models and programs, on tests/conformance, and on models designed for passes
//! (tests/passes, tests/slices).
//!
//! If the plain search completes, the search with each pass alone, and with all passes, must find
//! the same kinds of violations at the same statements and the same verdict for each property.
//! Without slicing it must store at most as many states. Every counterexample of a pass other than
//! slicing must be a run of the user's model.
//!
//! *Entry point:* `compare`.

use axle_benchmarks::results::{Printed, record, row};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use axle_check::{Config, Order, Pass, check};
use axle_generate::promela::{Audience, program};
use axle_model::Model;
use axle_search::{Algorithm, Limits, Reduction, Silent};

use crate::reduction;

/// Maximum number of states of a model.
const MOST_STATES: u64 = 5_000;

/// Arguments of `cargo xtask passes`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of random models, and of random programs.
    #[arg(long, default_value_t = 2_000)]
    models: u64,
    /// Number of the first one.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Print the number of states after each pass for the models of bench and tests/conformance.
    #[arg(long)]
    power: bool,
    /// With --power: maximum number of states of a model.
    #[arg(long, default_value_t = 3_000_000)]
    states: u64,
    /// Compare only this file.
    #[arg(long)]
    file: Option<std::path::PathBuf>,
}

/// The part of a search result that a pass must preserve.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    /// Kind, process type and statement of every violation.
    faults: BTreeSet<String>,
    /// Each property with its verdict.
    verdicts: Vec<String>,
}

/// Counts of the comparison.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Number of models compared.
    pub compared: u64,
    /// Number of models that are too large.
    pub skipped: u64,
    /// Searches with passes that were cancelled because of slow transitions.
    pub impatient: u64,
    /// For each mode, the number of models with fewer states.
    pub smaller: BTreeMap<String, u64>,
}

/// A search mode, its name first.
type Mode = (String, BTreeSet<Pass>, Reduction, Order, Algorithm);

/// The search modes used for a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Modes {
    /// With all passes.
    Together,
    /// Also with each pass alone.
    Each,
}

/// Each pass alone, and all together.
fn modes() -> Vec<Mode> {
    let plain = (Reduction::None, Order::BreadthFirst, Algorithm::Components);
    let alone =
        Pass::ALL.map(|pass| (pass.name().to_string(), BTreeSet::from([pass]), plain.0, plain.1, plain.2));
    let all: BTreeSet<Pass> = Pass::ALL.into();
    let mut modes = alone.to_vec();
    modes.push(("all".into(), all.clone(), plain.0, plain.1, plain.2));
    modes.push(("all, dfs".into(), all.clone(), plain.0, Order::DepthFirst, Algorithm::NestedDfs));
    modes.push(("all, stubborn".into(), all, Reduction::Stubborn, Order::DepthFirst, Algorithm::Components));
    modes
}

/// Runs the comparison.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if args.power {
        return power(root, args.states);
    }
    let mut tally = Tally::default();
    if let Some(file) = &args.file {
        of_file(file, &mut tally)?;
        println!("{tally:?}");
        return Ok(());
    }
    for folder in
        ["tests/conformance", "tests/passes", "tests/slices", "tests/reduction", "tests/regressions"]
    {
        of_folder(&root.join(folder), &mut tally)?;
    }
    println!("files: {tally:?}");
    for number in args.first..args.first + args.models {
        random(number, &mut tally)?;
        if (number + 1).is_multiple_of(1_000) {
            println!("{} of each: {tally:?}", number + 1 - args.first);
        }
    }
    println!("{tally:?}");
    let subject = "random models, transformations";
    record(
        root,
        "comparisons",
        &[row(subject, "compared", tally.compared, ""), row(subject, "disagreements", 0, "")],
    )
}

/// Compares on one random model and one random program.
fn random(number: u64, tally: &mut Tally) -> Result<(), String> {
    let most = if number.is_multiple_of(8) { Modes::Each } else { Modes::Together };
    compare(&Arc::new(reduction::model(number)), &format!("model {number}"), most, tally)?;
    let text = program(7, number, Audience::Axle).to_string();
    if let Some(model) = reduction::read("program", &text, false) {
        compare(&Arc::new(model), &format!("program {number}"), most, tally)?;
    }
    Ok(())
}

/// Compares on every accepted model of a directory.
fn of_folder(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    files(folder).iter().try_for_each(|path| of_file(path, tally))
}

/// The models in a directory, sorted by name; empty if it does not exist.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "pml"));
    paths.sort();
    paths
}

/// Compares on a model, with reliable and with lossy channels.
fn of_file(path: &Path, tally: &mut Tally) -> Result<(), String> {
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    for lossy in [false, true] {
        if let Some(model) = reduction::read(&name, &text, lossy) {
            compare(&Arc::new(model), &name, Modes::Each, tally)?;
        }
    }
    Ok(())
}

/// Compares the passes with the search of the unchanged model.
fn compare(model: &Arc<Model>, name: &str, wanted: Modes, tally: &mut Tally) -> Result<(), String> {
    let plain: Mode =
        ("plain".into(), BTreeSet::new(), Reduction::None, Order::BreadthFirst, Algorithm::Components);
    // An error of the search without passes is reported elsewhere.
    let Ok(Some((whole, states))) = said(model, &plain, MOST_STATES) else {
        tally.skipped += 1;
        return Ok(());
    };
    tally.compared += 1;
    for mode in modes() {
        // The default modes are used for all models.
        if wanted == Modes::Together && mode.1.len() == 1 {
            continue;
        }
        let name = format!("{name}, {}", mode.0);
        // A limit on states is checked after a transition. Nested search degeneralises the
        // acceptance sets, which multiplies the automaton's states.
        let more = if mode.4 == Algorithm::NestedDfs { 8 } else { 1 };
        let Some((small, fewer)) =
            said(model, &mode, more * MOST_STATES + 10).map_err(|fault| format!("{name}: {fault}"))?
        else {
            // An endless sequence takes 65,536 steps in each state: the search is cancelled, not
            // wrong.
            if whole.faults.iter().any(|fault| fault.starts_with("EndlessSequence")) {
                tally.impatient += 1;
                continue;
            }
            return Err(format!("{name}: more states than without"));
        };
        if small != whole {
            return Err(format!("{name}:\n  {small:?}\ninstead of\n  {whole:?}"));
        }
        // A slice may have more executions than the model, and so more states.
        if fewer > states && !mode.1.contains(&Pass::Slice) {
            return Err(format!("{name}: {fewer} states instead of {states}"));
        }
        *tally.smaller.entry(mode.0).or_default() += u64::from(fewer < states);
    }
    Ok(())
}

/// The result of a search and its number of states, for violations and properties together; `None`
/// if there are too many.
fn said(model: &Arc<Model>, mode: &Mode, most: u64) -> Result<Option<(Said, u64)>, String> {
    let (_, passes, kind, order, algorithm) = mode.clone();
    let limits = Limits { errors: None, states: Some(most), ..Limits::default() };
    // Persistent-set computation repeats transitions.
    let patience = if most == MOST_STATES { 1 } else { 100 };
    let config = Config { passes, reduction: kind, order, algorithm, limits, ..Config::default() };
    let checked = check(model, &config, &mut reduction::Patience { states: most, patience });
    if let Some(fault) = checked.report.internal {
        return Err(fault);
    }
    let cut = checked.report.properties.iter().any(|property| {
        let many = property.search.as_ref().is_some_and(|search| search.states >= most);
        many && property.verdict == axle_check::Verdict::Unknown
    });
    if cut || checked.report.stop.is_some() {
        return Ok(None);
    }
    if checked.found.again > 0 {
        return Err(format!(
            "{} runs of the reduced model are not runs of the user's model",
            checked.found.again
        ));
    }
    let fault = |v: &axle_search::Violation| format!("{:?} {:?} {:?}", v.site.kind, v.proc, v.site.edge);
    let faults = checked.found.outcome.violations.iter().map(fault).collect();
    let properties = &checked.report.properties;
    let verdicts = properties.iter().map(|p| format!("{}: {:?}", p.name, p.verdict)).collect();
    let products = properties.iter().filter_map(|p| p.search.as_ref());
    // The number of states before a counterexample depends on the order of the search.
    let all = properties.iter().all(|p| p.verdict == axle_check::Verdict::Holds);
    let products = if all { products.map(|search| search.states.saturated()).sum() } else { 0 };
    Ok(Some((Said { faults, verdicts }, checked.report.search.states.saturated() + products)))
}

/// Prints the number of states after each pass.
fn power(root: &Path, most: u64) -> Result<(), String> {
    let alone = [Pass::Constants, Pass::Hide, Pass::Dead, Pass::Merge];
    let mut printed = Printed::default();
    printed.line("| model | none | constants | hide | dead | merge | all |");
    printed.line("| --- | --: | --: | --: | --: | --: | --: |");
    let mut means = [(0.0, 0u32); 5];
    for folder in ["bench/models", "bench/small", "bench/liveness", "tests/conformance"] {
        for path in files(&root.join(folder)) {
            let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
            let Some(model) = reduction::read(&name, &text, false) else { continue };
            let model = Arc::new(model);
            let count = |passes: BTreeSet<Pass>| {
                let limits = Limits { errors: None, states: Some(most), ..Limits::default() };
                let mut config = Config { passes, limits, ..Config::default() };
                config.checks.remove(&axle_check::Check::Properties);
                let outcome = check(&model, &config, &mut Silent).found.outcome;
                if outcome.stop.is_some() { None } else { Some(outcome.states) }
            };
            let Some(plain) = count(BTreeSet::new()) else { continue };
            if plain < 1_000 {
                continue;
            }
            let sets = alone.iter().map(|&pass| BTreeSet::from([pass])).chain([Pass::ALL.into()]);
            let counts: Vec<u64> = sets.map(|set| count(set).unwrap_or(plain)).collect();
            for (mean, &count) in means.iter_mut().zip(&counts) {
                *mean = (mean.0 + (count as f64 / plain as f64).ln(), mean.1 + 1);
            }
            if counts.iter().any(|&count| count < plain) {
                let shown: Vec<String> = counts.iter().map(u64::to_string).collect();
                printed.line(&format!("| {name} | {plain} | {} |", shown.join(" | ")));
            }
        }
    }
    let shown: Vec<String> =
        means.iter().map(|(sum, count)| format!("{:.3}", (sum / f64::from((*count).max(1))).exp())).collect();
    printed.line(&format!("| mean of {} | 1 | {} |", means[0].1, shown.join(" | ")));
    printed.record(root, "passes_states")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conformance_models_say_the_same_with_every_pass() {
        let mut tally = Tally::default();
        of_folder(&crate::repository().join("tests/conformance"), &mut tally).unwrap();
        assert!(tally.compared > 150, "{tally:?}");
        for pass in [Pass::Dead, Pass::Merge, Pass::Hide] {
            assert!(tally.smaller[pass.name()] > 10, "{tally:?}");
        }
    }

    #[test]
    fn models_that_tempt_a_pass_say_the_same() {
        let mut tally = Tally::default();
        of_folder(&crate::repository().join("tests/passes"), &mut tally).unwrap();
        of_folder(&crate::repository().join("tests/slices"), &mut tally).unwrap();
        assert!(tally.compared >= 20, "{tally:?}");
    }

    #[test]
    fn random_models_say_the_same_with_every_pass() {
        let mut tally = Tally::default();
        for number in 0..300 {
            random(number, &mut tally).unwrap();
        }
        assert!(tally.compared > 300, "{tally:?}");
        for pass in [Pass::Dead, Pass::Merge, Pass::Hide] {
            assert!(tally.smaller[pass.name()] > 10, "{tally:?}");
        }
    }
}
