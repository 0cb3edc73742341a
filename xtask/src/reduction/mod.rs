//! `cargo xtask reduction`: holds every reduction to the unreduced search, on random models and on those of
//! tests/conformance, and compares how many states are stored with Spin.
//!
//! Main function: [`compare`]. Where the unreduced search ends by itself, each reduced search has to find the same
//! kinds of faults at the same statements, and give each property the same verdict.

mod power;
mod random;

pub(crate) use power::model as read;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axle_check::{Config, Order, check};
use axle_model::Model;
use axle_search::{Algorithm, Limits, Reduction, Silent};

/// The most states that a random model may take.
const MOST_STATES: u64 = 5_000;

#[derive(clap::Args)]
pub struct Args {
    /// So many random models.
    #[arg(long, default_value_t = 5_000)]
    models: u64,
    /// The number of the first.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Compare stored states with Spin's instead, over the models of bench.
    #[arg(long)]
    power: bool,
    /// With --power: only these models, separated by commas.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

/// What a search says of a model, as far as a reduction must not change it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    /// Kind, process type and statement of every fault found.
    faults: BTreeSet<String>,
    /// Each property with its verdict.
    verdicts: Vec<String>,
}

/// What was compared so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Models compared.
    pub compared: u64,
    /// Models too large to be.
    pub skipped: u64,
    /// States without and with the strongest reduction.
    pub states: [u64; 2],
    /// Models with fewer states reduced.
    pub smaller: u64,
}

/// Runs the comparison.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    if args.power {
        return power::compare(root, &args.only);
    }
    let mut tally = Tally::default();
    conformance(&root.join("tests/conformance"), &mut tally)?;
    println!("conformance: {tally:?}");
    for number in args.first..args.first + args.models {
        compare(&Arc::new(model(number)), &format!("model {number}"), &mut tally)?;
        if (number + 1).is_multiple_of(10_000) {
            println!("{} models: {tally:?}", number + 1 - args.first);
        }
    }
    println!("{tally:?}");
    Ok(())
}

/// Compares on every model of tests/conformance that is accepted, as it stands and losing messages.
fn conformance(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let files = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "pml")) {
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        for lossy in [false, true] {
            if let Some(model) = power::model(&name, &text, lossy) {
                compare(&Arc::new(model), &name, tally)?;
            }
        }
    }
    Ok(())
}

/// The random model of a number.
pub(crate) fn model(number: u64) -> Model {
    if !number.is_multiple_of(3) {
        return random::model(number);
    }
    let mut dice = random::Dice::new(number);
    let bytes: Vec<u8> = (0..600).map(|_| dice.next() as u8).collect();
    let mut model = axle_model::arbitrary::model(&bytes);
    model.semantics.priorities &= number.is_multiple_of(8);
    // Its claims have locals of their own, which no search takes.
    model.properties.clear();
    model
}

/// Holds the reductions to the unreduced search of one model.
pub fn compare(model: &Arc<Model>, name: &str, tally: &mut Tally) -> Result<(), String> {
    // What goes wrong without reduction is not for this comparison to find.
    let whole = said(model, Reduction::None, Order::BreadthFirst, Algorithm::Components);
    let Ok(Some((whole, states))) = whole else {
        tally.skipped += 1;
        return Ok(());
    };
    tally.compared += 1;
    tally.states[0] += states;
    for (reduction, order, algorithm) in [
        (Reduction::Stubborn, Order::BreadthFirst, Algorithm::Components),
        (Reduction::Stubborn, Order::DepthFirst, Algorithm::NestedDfs),
        (Reduction::Ample, Order::BreadthFirst, Algorithm::NestedDfs),
    ] {
        let Some((reduced, fewer)) = said(model, reduction, order, algorithm)
            .map_err(|fault| format!("{name}, {reduction:?}, {order:?}: {fault}"))?
        else {
            return Err(format!("{name}, {reduction:?}, {order:?}: more states than without"));
        };
        if reduced != whole {
            return Err(format!(
                "{name}, {reduction:?}, {order:?}, {algorithm:?}:\n  {reduced:?}\ninstead of\n  {whole:?}"
            ));
        }
        if reduction == Reduction::Stubborn && order == Order::BreadthFirst {
            tally.states[1] += fewer;
            tally.smaller += u64::from(fewer < states);
        }
    }
    Ok(())
}

/// What a search says, and how many states it stored; none where there are too many.
fn said(
    model: &Arc<Model>,
    reduction: Reduction,
    order: Order,
    algorithm: Algorithm,
) -> Result<Option<(Said, u64)>, String> {
    let limits = Limits { errors: None, states: Some(MOST_STATES), ..Limits::default() };
    let config = Config { reduction, order, algorithm, limits, ..Config::default() };
    let checked = check(model, &config, &mut Silent);
    if let Some(fault) = checked.report.internal {
        return Err(fault);
    }
    if checked.outcome.stop.is_some() {
        return Ok(None);
    }
    let fault = |v: &axle_search::Violation| format!("{:?} {:?} {:?}", v.kind, v.proc, v.edge);
    let faults = checked.outcome.violations.iter().map(fault).collect();
    let verdicts: Vec<String> =
        checked.report.properties.iter().map(|p| format!("{}: {:?}", p.name, p.verdict)).collect();
    Ok(Some((Said { faults, verdicts }, checked.report.search.states)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conformance_models_say_the_same_reduced() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above xtask");
        let mut tally = Tally::default();
        conformance(&root.join("tests/conformance"), &mut tally).unwrap();
        assert!(tally.compared > 300 && tally.smaller > 100, "{tally:?}");
    }

    #[test]
    fn random_models_say_the_same_reduced() {
        let mut tally = Tally::default();
        for number in 0..1_000 {
            compare(&Arc::new(model(number)), &format!("model {number}"), &mut tally).unwrap();
        }
        assert!(tally.compared > 900 && tally.smaller > 200, "{tally:?}");
    }
}
