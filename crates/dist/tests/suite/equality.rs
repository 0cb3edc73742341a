//! A distributed search has the outcome of the search by threads, trace by trace, for every number of
//! workers and every length of sub-rounds.

use std::ops::Range;
use std::sync::Arc;

use axle_compare::models::{compile, models};
use axle_dist::Setup;
use axle_generate::promela::Audience;
use axle_model::Model;
use axle_search::parallel::{self, Tuning};
use axle_search::{Analyses, Limits, Options, Outcome, Reduced, Reduction, Silent};
use axle_step::Interpreter;

use crate::compared::{brief_reference, distributed, essence, number, reference, stepper};

/// States above which a bench model is left to the other test.
const SMALL: u64 = 60_000;

#[test]
fn workers_find_what_threads_find() {
    let everything = Options::default();
    let (mut checked, mut violated) = (0, 0);
    for (name, model) in models("tests/conformance") {
        let expected = essence(&reference(&model, &everything));
        let all = [(3, Some(7)), (8, None), (1, None), (2, None), (3, Some(1))];
        // Every number of workers for some models, several for all.
        for (workers, quota) in all.into_iter().take(if checked % 4 == 0 { 5 } else { 1 }) {
            if quota == Some(1) && expected.states > 2_000 {
                continue;
            }
            let setup = Setup { quota, ..Setup::default() };
            let searched = distributed(&model, workers, setup, &everything).unwrap();
            assert_eq!(essence(&searched.outcome), expected, "{name}, {workers} workers");
        }
        checked += 1;
        violated += usize::from(!expected.violations.is_empty());
    }
    assert!(checked > 150 && violated > 40, "{checked} models, {violated} violated");
}

#[test]
fn large_models_have_equal_outcomes() {
    let everything = Options::default();
    let mut checked = 0;
    for (name, model) in models("bench/small") {
        let limits = Limits { states: Some(SMALL), ..Limits::default() };
        let probe = reference(&model, &Options { limits, ..Options::default() });
        if probe.stop.is_some() {
            continue;
        }
        let expected = essence(&reference(&model, &everything));
        for workers in [1, 2, 5] {
            let searched = distributed(&model, workers, Setup::default(), &everything).unwrap();
            assert_eq!(essence(&searched.outcome), expected, "{name}, {workers} workers");
        }
        checked += 1;
    }
    assert!(checked > 3, "{checked} models");
}

#[test]
fn the_first_violation_is_the_same() {
    let first = Options { limits: Limits { errors: Some(1), ..Limits::default() }, ..Options::default() };
    let mut violated = 0;
    for (name, model) in models("tests/conformance") {
        let expected = essence(&reference(&model, &first));
        for workers in [2, 3] {
            let searched = distributed(&model, workers, Setup::default(), &first).unwrap();
            assert_eq!(essence(&searched.outcome), expected, "{name}, {workers} workers");
        }
        violated += usize::from(!expected.violations.is_empty());
    }
    assert!(violated > 40, "{violated}");
}

#[test]
fn a_limit_on_depth_is_kept() {
    for (name, model) in models("tests/conformance") {
        for depth in [0, 1, 4, 11] {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let expected = essence(&reference(&model, &options));
            let searched = distributed(&model, 3, Setup::default(), &options).unwrap();
            assert_eq!(essence(&searched.outcome), expected, "{name}, depth {depth}");
        }
    }
}

/// The search of a reduced graph: by one thread without `workers`.
fn reduced(model: &Arc<Model>, workers: Option<usize>) -> Outcome {
    let mut steppers: Vec<Interpreter> = (0..workers.unwrap_or(1)).map(|_| stepper(model)).collect();
    let constants = stepper(model).constants().to_vec();
    let (kind, analyses) = (Reduction::Stubborn, &Analyses::default());
    let mut graphs = Reduced::for_threads(steppers.iter_mut(), model, &constants, None, kind, analyses);
    let options = Options::default();
    let outcome = match workers {
        None => parallel::search(&mut graphs, Tuning::default(), u64::MAX, &options, &mut Silent).outcome,
        Some(_) => axle_dist::search(&mut graphs, Setup::default(), &options, &mut Silent).unwrap().outcome,
    };
    essence(&outcome)
}

#[test]
fn reduced_graphs_have_equal_outcomes() {
    let mut smaller = 0;
    for (name, model) in models("tests/reduction").into_iter().chain(models("tests/conformance")) {
        let whole = reference(&model, &Options { limits: limited(), ..Options::default() });
        if whole.stop.is_some() {
            continue;
        }
        let expected = reduced(&model, None);
        smaller += usize::from(expected.states < whole.states);
        assert_eq!(reduced(&model, Some(3)), expected, "{name}");
    }
    assert!(smaller > 20, "{smaller} models are smaller");
}

fn limited() -> Limits {
    Limits { states: Some(SMALL), ..Limits::default() }
}

/// The numbers of the random programs; a longer run names others.
fn programs() -> Range<u64> {
    let first = number("AXLE_DIST_FIRST").unwrap_or(0);
    first..first + number("AXLE_DIST_PROGRAMS").unwrap_or(200)
}

#[test]
fn random_programs_have_equal_outcomes() {
    let (mut checked, mut violated) = (0, 0);
    for index in programs() {
        if index > 0 && index.is_multiple_of(1000) {
            println!("before program {index}: {checked} compared, {violated} violated");
        }
        let text = axle_generate::promela::program(45, index, Audience::Axle).to_string();
        let Some(model) = compile(&text) else { continue };
        let probe = brief_reference(&model, &Options { limits: limited(), ..Options::default() });
        if probe.stop.is_some() {
            continue;
        }
        let expected = essence(&probe);
        for workers in [2, 3] {
            let setup = Setup { quota: Some(1 + index % 50), ..Setup::default() };
            let searched = distributed(&model, workers, setup, &Options::default()).unwrap();
            assert_eq!(essence(&searched.outcome), expected, "program {index}, {workers} workers:\n{text}");
        }
        checked += 1;
        violated += usize::from(!expected.violations.is_empty());
    }
    assert!(
        checked * 2 > programs().count() as u64 && violated > 0,
        "{checked} programs, {violated} violated"
    );
}

/// Workers whose states have become wider at different times exchange states.
#[test]
fn states_of_different_widths_are_exchanged() {
    let text = "byte n, x;
        proctype C() { do :: atomic { n < 7 -> n++; run C() } :: x < 3 -> x++ :: break od }
        active proctype P() { run C(); do :: x > 0 -> x-- :: break od }";
    let model = compile(text).unwrap();
    let limits = Limits { depth: Some(9), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let expected = essence(&reference(&model, &options));
    for quota in [1, 5, 1000] {
        let setup = Setup { quota: Some(quota), ..Setup::default() };
        let searched = distributed(&model, 4, setup, &options).unwrap();
        assert_eq!(essence(&searched.outcome), expected, "{quota}");
    }
}
