//! Slices of random models for assertions, labels and variables: the slice has the verdicts of the
//! model.

use crate::promela::{compiled, model};
use std::collections::BTreeSet;
use std::sync::Arc;

use axle_check::{Check, CheckedModel, Config, Verdict, check};
use axle_generate::promela::{Audience, program};
use axle_model::{Edge, EdgeId, Effect, LocId, Model, ProcId};
use axle_reduce::slice::{Criterion, slice};
use axle_search::{Limits, Silent};

/// The number of random models.
const MODELS: u64 = 600;

/// All violations of a model, none of its properties included; nothing if the search is too large.
fn search(model: impl Into<Arc<Model>>) -> Option<CheckedModel> {
    let limits = Limits { errors: None, states: Some(20_000), ..Limits::default() };
    let config = Config { limits, only: Some(BTreeSet::new()), ..Config::default() };
    let checked = check(&model.into(), &config, &mut Silent);
    assert_eq!(checked.report.internal, None);
    checked.report.stop.is_none().then_some(checked)
}

/// The places at which assertions fail, and whether another run-time error ends an execution.
fn failures(checked: &CheckedModel) -> (BTreeSet<(u32, u32)>, bool) {
    let of = |one: &axle_evidence::report::ViolationReport| one.property == Check::Assertions.name();
    let failing = checked.report.violations.iter().filter(|one| of(one));
    let lines = failing.filter_map(|one| one.place.as_ref()).map(|place| (place.line, place.column));
    let others =
        checked.report.violations.iter().any(|one| !of(one) && one.property != Check::EndStates.name());
    (lines.collect(), others)
}

fn asserts(edge: &Edge) -> bool {
    edge.effects.iter().any(|effect| matches!(effect, Effect::Assert(..)))
}

fn edges(model: &Model, wanted: impl Fn(&Edge) -> bool) -> Vec<(ProcId, EdgeId)> {
    let procs = model.processes.iter().enumerate();
    let all = procs.flat_map(|(proc, process)| (0..process.edges.len()).map(move |edge| (proc, edge)));
    all.filter(|&(proc, edge)| wanted(&model.processes[proc].edges[edge]))
        .map(|(proc, edge)| (ProcId::new(proc), EdgeId::new(edge)))
        .collect()
}

#[test]
fn assertions_of_random_models_have_the_same_verdicts_in_the_slice() {
    let (mut compared, mut violated, mut smaller) = (0, 0, 0);
    for index in 0..MODELS {
        let Some(model) = compiled(&program(23, index, Audience::Axle).to_string()) else { continue };
        let criterion =
            Criterion { edges: edges(&model, asserts), termination: true, ..Criterion::default() };
        if criterion.edges.is_empty() {
            continue;
        }
        let Ok(sliced) = slice(&model, &criterion) else { continue };
        assert_eq!(axle_model::verify::verify(&sliced.model), [], "model {index}");
        let Some(whole) = search(model) else { continue };
        let Some(part) = search(sliced.model) else { continue };
        let ((whole_at, errors), (part_at, _)) = (failures(&whole), failures(&part));
        // A run-time error of a removed statement ends an execution in the model only.
        match errors {
            true => assert!(whole_at.is_subset(&part_at), "model {index}: {whole_at:?}, slice {part_at:?}"),
            false => assert_eq!(whole_at, part_at, "model {index}"),
        }
        compared += 1;
        violated += usize::from(!whole_at.is_empty());
        smaller += usize::from(part.report.search.states < whole.report.search.states);
    }
    assert!(
        compared >= 40 && violated >= 8 && smaller >= 10,
        "{compared} models, {violated} violated, {smaller} smaller"
    );
}

/// A model with a failing assertion on each edge into a location: whether the location is
/// reachable.
fn reaches(mut model: Model, (proc, at): (ProcId, LocId)) -> Option<bool> {
    for process in &mut model.processes {
        for edge in &mut process.edges {
            edge.effects.retain(|effect| !matches!(effect, Effect::Assert(..)));
        }
    }
    let process = &mut model.processes[proc.index()];
    let entry = process.entry == at;
    for edge in process.edges.iter_mut().filter(|edge| edge.target == at) {
        edge.effects.push(Effect::Assert(axle_model::Expr::Const(0), "0".to_string()));
    }
    let checked = search(model)?;
    let failed = |one: &axle_evidence::report::ViolationReport| one.property == Check::Assertions.name();
    Some(entry || checked.report.violations.iter().any(failed))
}

#[test]
fn locations_of_random_models_are_reachable_in_the_slice_if_and_only_if_in_the_model() {
    let (mut compared, mut unreachable) = (0, 0);
    for index in 0..MODELS / 6 {
        let Some(model) = compiled(&program(24, index, Audience::Axle).to_string()) else { continue };
        let Some(whole) = search(model.clone()) else { continue };
        if failures(&whole).1 {
            continue;
        }
        for (proc, process) in model.processes.iter().enumerate() {
            for at in (0..process.locations.len()).step_by(3) {
                let place = (ProcId::new(proc), LocId::new(at));
                let criterion =
                    Criterion { locations: vec![place], termination: true, ..Criterion::default() };
                let Ok(sliced) = slice(&model, &criterion) else { continue };
                let (Some(whole), Some(part)) =
                    (reaches(Model::clone(&model), place), reaches(sliced.model, place))
                else {
                    continue;
                };
                assert_eq!(whole, part, "model {index}, {} at {}", process.name, place.1);
                compared += 1;
                unreachable += usize::from(!whole);
            }
        }
    }
    assert!(compared >= 50 && unreachable >= 5, "{compared} locations, {unreachable} unreachable");
}

#[test]
fn a_loop_that_does_not_terminate_stays_before_an_assertion() {
    let text = "byte x; active proctype p() { do :: x < 3 -> x = 1 - x :: else -> break od; assert(false) }";
    let model = model(text);
    let edges = edges(&model, asserts);
    let fails = |termination: bool| {
        let criterion = Criterion { edges: edges.clone(), termination, ..Criterion::default() };
        let sliced = slice(&model, &criterion).unwrap();
        !failures(&search(sliced.model).unwrap()).0.is_empty()
    };
    assert!(!fails(true), "the loop is relevant");
    assert!(fails(false), "without termination the slice leaves the loop");
    assert_eq!(search(model.clone()).unwrap().report.verdict, Verdict::Holds);
}
