//! A distributed search has the outcome of the search by threads, trace by trace, for every number of
//! workers and every length of sub-rounds.

use axle_compare::models::models;
use axle_dist::Setup;
use axle_search::{Limits, Options};

use crate::compared::{distributed, essence, reference};

/// States above which a bench model is left to the other test.
const SMALL: u64 = 60_000;

#[test]
fn workers_find_what_threads_find() {
    let everything = Options::default();
    let (mut checked, mut violated) = (0, 0);
    for (name, model) in models("tests/conformance") {
        let expected = essence(&reference(&model, &everything));
        for (workers, quota) in [(1, None), (2, None), (3, Some(1)), (3, Some(7)), (8, None)] {
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
