//! A distributed search for executions decides as the search by one worker does, for every number of workers
//! and every fairness assumption. Its cycles are executed by the interpreter.

use std::sync::Arc;

use axle_compare::models::{compile, models};
use axle_dist::{ClaimAnswer, Setup, search_claim};
use axle_generate::promela::Audience;
use axle_model::Model;
use axle_search::claim::Claim;
use axle_search::liveness::{self, LivenessOptions, Refused};
use axle_search::{Fairness, Finding, Lasso, LivenessOutcome, Silent, Stop};
use axle_step::{Atom, Interpreter, Observer, Options, Successors};
use axle_store::NumberedSet;

use crate::compared::number;

/// States above which a product is left out.
const SMALL: u64 = 3_000;

/// States up to which rounds are as short as can be.
const TINY: u64 = 150;

fn pair(model: &Arc<Model>, atoms: &[Atom]) -> (Interpreter, Observer) {
    let stepper = Interpreter::new(Arc::clone(model), Options { movers: true, ..Options::default() });
    let observer = Observer::new(&stepper, atoms.to_vec());
    (stepper, observer)
}

/// The search by one worker.
fn alone(model: &Arc<Model>, claim: &Claim, atoms: &[Atom], options: &LivenessOptions) -> LivenessOutcome {
    let (mut stepper, mut observer) = pair(model, atoms);
    let mut set = NumberedSet::packed(liveness::width(&stepper), u64::MAX, false).unwrap();
    liveness::search(&mut stepper, &mut observer, claim, &mut set, options, &mut Silent).unwrap()
}

fn divided(
    model: &Arc<Model>,
    (claim, atoms): (&Claim, &[Atom]),
    (workers, quota): (usize, Option<u64>),
    options: &LivenessOptions,
) -> ClaimAnswer {
    let mut forks: Vec<_> = (0..workers).map(|_| pair(model, atoms)).collect();
    let setup = Setup { quota, ..Setup::default() };
    search_claim(&mut forks, claim, setup, options, &mut Silent).unwrap()
}

/// Executes a lasso on the system alone: the cycle ends where it begins.
fn execute(model: &Arc<Model>, lasso: &Lasso) {
    let mut stepper = Interpreter::new(Arc::clone(model), Options::default());
    let mut batch = axle_step::Batch::default();
    let mut state = stepper.initial(&mut Vec::new());
    let mut step = |state: &mut Vec<u8>, system: Option<u32>| {
        axle_search::expand_alone(&mut stepper, state, &mut batch).unwrap();
        let width = stepper.width();
        match system {
            None => assert!(batch.range(0).is_empty(), "an execution that ends stutters"),
            Some(position) => {
                let at = position as usize;
                assert!(at < batch.range(0).len());
                *state = batch.states[at * width..(at + 1) * width].to_vec();
            }
        }
    };
    lasso.prefix.iter().for_each(|one| step(&mut state, one.system));
    let begun = state.clone();
    assert!(!lasso.cycle.is_empty());
    lasso.cycle.iter().for_each(|one| step(&mut state, one.system));
    state.resize(begun.len().max(state.len()), 0);
    let mut begun = begun;
    begun.resize(state.len(), 0);
    assert_eq!(state, begun, "the cycle ends where it begins");
}

/// The claims of a model's properties.
fn claims(model: &Model) -> Vec<(String, Claim, Vec<Atom>)> {
    let stated = axle_question::claims::stated(model).into_iter();
    stated.filter_map(|one| Some((one.name, one.claim.ok()?, one.atoms))).collect()
}

/// Compares one claim; returns whether it was compared, and whether a cycle was found.
fn compare(
    name: &str,
    model: &Arc<Model>,
    (claim, atoms): (&Claim, &[Atom]),
    fairness: Fairness,
) -> (bool, bool) {
    let limits = axle_search::Limits { states: Some(SMALL), ..axle_search::Limits::default() };
    let options = LivenessOptions { fairness, ..LivenessOptions::default() };
    let expected = alone(model, claim, atoms, &LivenessOptions { limits, ..options });
    if expected.stop.is_some() {
        return (false, false);
    }
    let mut lassos = Vec::new();
    let quota = if expected.states < TINY { 3 } else { 200 };
    for how in [(1, None), (2, Some(quota)), (3, None)] {
        match divided(model, (claim, atoms), how, &options) {
            ClaimAnswer::NeedsSequentialRerun => {
                let reported = !expected.faults.is_empty()
                    || matches!(expected.finding, Some(Finding::ClaimEnd(..) | Finding::ClaimAssertion(..)))
                    || expected.finding.is_some();
                assert!(reported, "{name}: nothing to report, {how:?}");
            }
            ClaimAnswer::Refused(refused) => panic!("{name}: {refused:?}"),
            ClaimAnswer::Outcome(outcome) => {
                assert_eq!(outcome.stop, None, "{name}");
                assert_eq!(outcome.finding.is_some(), expected.finding.is_some(), "{name}, {how:?}");
                assert!(expected.faults.is_empty(), "{name}");
                if expected.finding.is_none() {
                    let figures = |one: &LivenessOutcome| (one.states, one.transitions, one.coverage.clone());
                    assert_eq!(figures(&outcome), figures(&expected), "{name}, {how:?}");
                    assert_eq!(outcome.taken, expected.taken, "{name}");
                }
                lassos.push(outcome.finding);
            }
        }
    }
    // The same cycle for every number of workers.
    lassos.dedup();
    assert!(lassos.len() <= 1, "{name}: {lassos:?}");
    if let Some(Some(Finding::Cycle(lasso))) = lassos.first() {
        execute(model, lasso);
    }
    (true, matches!(lassos.first(), Some(Some(_))))
}

#[test]
fn claims_of_models_are_decided_as_by_one_worker() {
    let (mut compared, mut cycles) = (0, 0);
    let all = models("tests/conformance").into_iter().chain(models("bench/small"));
    // A longer run compares all models.
    let step = if std::env::var_os("AXLE_DIST_CLAIMS").is_some() { 1 } else { 3 };
    for (name, model) in all.step_by(step) {
        for (property, claim, atoms) in claims(&model) {
            for fairness in [Fairness::None, Fairness::Weak] {
                let name = format!("{name}, {property}, {fairness:?}");
                let (was_compared, has_cycle) = compare(&name, &model, (&claim, &atoms), fairness);
                compared += usize::from(was_compared);
                cycles += usize::from(has_cycle);
            }
        }
    }
    assert!(compared * step > 60 && cycles * step > 15, "{compared} compared, {cycles} cycles");
}

/// Number of random programs; a longer run names another.
fn programs() -> u64 {
    number("AXLE_DIST_CLAIMS").unwrap_or(12)
}

#[test]
fn random_claims_are_decided_as_by_one_worker() {
    let (mut compared, mut cycles) = (0, 0);
    for index in 0..programs() {
        let text = axle_generate::promela::program(451, index, Audience::Axle).to_string();
        let Some(model) = compile(&text) else { continue };
        for (property, claim, atoms) in claims(&model) {
            for fairness in [Fairness::None, Fairness::Weak] {
                let name = format!("program {index}, {property}, {fairness:?}");
                let (was_compared, has_cycle) = compare(&name, &model, (&claim, &atoms), fairness);
                compared += u64::from(was_compared);
                cycles += u64::from(has_cycle);
            }
        }
    }
    println!("{compared} claims compared, {cycles} with a cycle");
    assert!(compared > programs() / 4 && cycles > 0, "{compared} compared, {cycles} cycles");
}

#[test]
fn limits_are_kept() {
    let text = "byte x, y; ltl p { []<> (x == 200) }
        active proctype A() { do :: x = x + 1 od }
        active proctype B() { do :: y = y + 1 od }";
    let model = compile(text).unwrap();
    let (_, claim, atoms) = claims(&model).remove(0);
    for limits in [
        axle_search::Limits { states: Some(500), ..axle_search::Limits::default() },
        axle_search::Limits { depth: Some(5), ..axle_search::Limits::default() },
    ] {
        let options = LivenessOptions { limits, fairness: Fairness::Weak, ..LivenessOptions::default() };
        let ClaimAnswer::Outcome(outcome) = divided(&model, (&claim, &atoms), (3, Some(10)), &options) else {
            panic!("an outcome");
        };
        let expected = if limits.depth.is_some() { Stop::Depth } else { Stop::States };
        assert_eq!((outcome.finding, outcome.stop), (None, Some(expected)));
    }
    let mut forks: Vec<_> = (0..2).map(|_| pair(&model, &atoms)).collect();
    let setup = Setup { memory: 1 << 17, ..Setup::default() };
    let limits = axle_search::Limits { memory: Some(1 << 17), ..axle_search::Limits::default() };
    let options = LivenessOptions { limits, ..LivenessOptions::default() };
    let ClaimAnswer::Outcome(outcome) =
        search_claim(&mut forks, &claim, setup, &options, &mut Silent).unwrap()
    else {
        panic!("an outcome");
    };
    assert_eq!((outcome.finding, outcome.stop), (None, Some(Stop::Memory)));
}

#[test]
fn strong_fairness_is_refused() {
    let model = compile("byte x; ltl p { <> (x == 1) } active proctype A() { x = 1 }").unwrap();
    let (_, claim, atoms) = claims(&model).remove(0);
    let options = LivenessOptions { fairness: Fairness::Strong, ..LivenessOptions::default() };
    let answer = divided(&model, (&claim, &atoms), (2, None), &options);
    assert_eq!(answer, ClaimAnswer::Refused(Refused::Fairness));
}
