//! Parallel searches must agree with sequential ones: on all conformance models the same states,
//! transitions, statements and trace lengths for any number of threads, and the same violations in
//! every invocation.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use axle_model::Model;
use axle_search::parallel::{Searched, Tuning, search};
use axle_search::{Found, Limits, Options, Outcome, Silent, Stop, Violation, bfs};
use axle_step::{Batch, Interpreter, Successors};
use axle_store::PlainTable;

use axle_compare::models::{compile, models};

/// More states than any conformance model has; it bounds the duration if a model is changed.
const MOST: usize = 200_000;

/// A sequential search.
fn alone(model: &Arc<Model>, options: &Options) -> Outcome {
    let mut stepper = Interpreter::new(Arc::clone(model), axle_step::Options::default());
    let mut set = PlainTable::new(stepper.width()).unwrap();
    bfs::search(&mut stepper, &mut set, options, &mut Silent)
}

/// A parallel search; `worth` is the number of states per thread woken.
fn together(model: &Arc<Model>, threads: usize, worth: usize, options: &Options) -> Outcome {
    let searched = tuned(model, threads, Tuning { worth, ..Tuning::default() }, u64::MAX, options);
    assert!(searched.paths && !searched.tree);
    searched.outcome
}

fn tuned(model: &Arc<Model>, threads: usize, tuning: Tuning, limit: u64, options: &Options) -> Searched {
    let stepper = Interpreter::new(Arc::clone(model), axle_step::Options::default());
    search(&mut vec![stepper; threads], tuning, limit, options, &mut Silent)
}

/// The part of an outcome that does not depend on the order of states within a level.
fn essence(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    // By key of the violation: level of the expanded state, and number of occurrences.
    let violations: BTreeMap<_, _> = (outcome.violations.iter())
        .map(|v| ((v.site.kind, v.site.edge, v.proc.ok_or(v.pid)), (v.path.len(), v.count)))
        .collect();
    let Outcome { states, transitions, depth, found, stop, taken, .. } = outcome.clone();
    (states, transitions, depth, found, stop, taken, violations)
}

/// Whether the interpreter reproduces the violation at the end of its path.
fn replays(model: &Arc<Model>, violation: &Violation) -> bool {
    let mut stepper = Interpreter::new(Arc::clone(model), axle_step::Options::default());
    let (mut faults, mut batch) = (Vec::new(), Batch::default());
    let mut state = stepper.initial(&mut faults);
    if violation.found == Found::Start {
        return faults.iter().any(|fault| fault.site.kind == violation.site.kind);
    }
    let mut expand = |state: &mut Vec<u8>, batch: &mut Batch| {
        while let Err(grow) = stepper.expand(state, batch) {
            stepper.grow(grow.size);
            state.resize(stepper.width(), 0);
        }
        stepper.width()
    };
    for &position in &violation.path {
        let width = expand(&mut state, &mut batch);
        state = batch.states[position as usize * width..][..width].to_vec();
    }
    expand(&mut state, &mut batch);
    batch.faults.iter().any(|fault| {
        let found = fault.successor.map_or(Found::State, Found::Step);
        (fault.site.kind, fault.pid, fault.site.edge, found)
            == (violation.site.kind, violation.pid, violation.site.edge, violation.found)
    })
}

#[test]
fn threads_find_what_one_finds() {
    let everything = Options::default();
    let (mut checked, mut violated) = (0, 0);
    for (name, model) in models("tests/conformance") {
        let one = alone(&model, &everything);
        assert!((one.states as usize) < MOST, "{name}");
        for (threads, worth) in [(1, 1), (2, 1), (3, 1), (7, 1), (2, 64)] {
            let many = together(&model, threads, worth, &everything);
            assert_eq!(essence(&many), essence(&one), "{name}, {threads} threads");
            for violation in &many.violations {
                assert!(replays(&model, violation), "{name}, {threads} threads: {violation:?}");
            }
            let again = together(&model, 4, 1, &everything);
            assert_eq!(again.violations, many.violations, "{name}, {threads} threads");
            violated += usize::from(!many.violations.is_empty());
        }
        checked += 1;
    }
    assert!(checked > 150 && violated > 50, "{checked} models, {violated} violated");
}

#[test]
fn the_first_violation_is_as_near() {
    let first = Options { limits: Limits { errors: Some(1), ..Limits::default() }, ..Options::default() };
    let mut violated = 0;
    for (name, model) in models("tests/conformance") {
        let one = alone(&model, &first);
        let many = [2, 3, 7].map(|threads| together(&model, threads, 1, &first));
        for many in &many {
            assert_eq!(many.stop, one.stop, "{name}");
            assert_eq!(many.violations, together(&model, 2, 5, &first).violations, "{name}");
            let (Some(a), Some(b)) = (many.violations.first(), one.violations.first()) else { continue };
            assert_eq!((many.violations.len(), a.path.len()), (1, b.path.len()), "{name}");
            assert!(a.depth() <= b.depth() && replays(&model, a), "{name}");
            violated += 1;
        }
    }
    assert!(violated > 50, "{violated}");
}

#[test]
fn a_limit_on_depth_is_kept() {
    for (name, model) in models("tests/conformance") {
        for depth in [0, 1, 3, 10] {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let (one, many) = (alone(&model, &options), together(&model, 3, 1, &options));
            assert_eq!(essence(&many), essence(&one), "{name}, depth {depth}");
        }
    }
}

#[test]
fn a_set_without_room_ends_the_search() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/small/escape.pml");
    let model = compile(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let tuning = Tuning { worth: 1, ..Tuning::default() };
    let search = |limit| tuned(&model, 3, tuning, limit, &Options::default()).outcome;
    let whole = search(u64::MAX);
    assert_eq!(whole.stop, None);
    for limit in [0, 1 << 12, 1 << 16, whole.memory.states / 4] {
        let outcome = search(limit);
        assert_eq!(outcome.stop, Some(Stop::Memory), "{limit}");
        assert!(outcome.states < whole.states && outcome.memory.states <= limit + (1 << 20), "{limit}");
    }
}

#[test]
fn compression_changes_nothing_but_the_paths() {
    let (mut trees, mut violated, mut wider) = (0, 0, 0);
    for (name, model) in models("tests/conformance").into_iter().chain(models("bench/small")) {
        let options = Options::default();
        let one = alone(&model, &options);
        for threads in [1, 3] {
            let tuning = Tuning { worth: 1, compress_at: 0 };
            let Searched { outcome, tree, paths, .. } = tuned(&model, threads, tuning, u64::MAX, &options);
            if tree && outcome.stop == Some(Stop::Memory) {
                // States became wider than a tree built too early supports.
                wider += 1;
                continue;
            }
            let figures = |outcome: &Outcome| {
                let kinds: Vec<_> =
                    outcome.violations.iter().map(|v| (v.site.kind, v.site.edge, v.count)).collect();
                let kinds = std::collections::BTreeSet::from_iter(kinds);
                (outcome.states, outcome.transitions, outcome.depth, outcome.found, outcome.stop, kinds)
            };
            assert_eq!(figures(&outcome), figures(&one), "{name}, {threads} threads");
            assert_eq!(outcome.taken, one.taken, "{name}, {threads} threads");
            assert!(paths || tree && !outcome.violations.is_empty(), "{name}");
            trees += usize::from(tree);
            violated += usize::from(!paths);
        }
    }
    // Most of these models are too small for any change of the set, and none of the others has a
    // violation.
    assert!(trees > 3, "{trees} trees, {violated} without paths, {wider} too wide");
}

#[test]
fn a_violation_is_found_where_the_set_is_compressed() {
    // Only one of the last of ten thousand states violates the assertion; by then the set has long
    // been compressed, because its states are wide.
    let model = compile(
        "byte a, b; int wide[3];
        active proctype A() {
            do
            :: a < 100 -> atomic { a++; wide[0] = a * 1103515245; wide[1] = a * 1664525321; wide[2] = a * 1812433253 }
            :: else -> break
            od
        }
        active proctype B() { do :: b < 100 -> b++ :: else -> break od; assert(a + b < 200) }",
    )
    .unwrap();
    let options = Options::default();
    let one = alone(&model, &options);
    assert_eq!(one.violations.len(), 1);
    for threads in [1, 2, 5] {
        // A tree of the first states does not support all bits that vary later.
        let tuning = Tuning { worth: 1, compress_at: 1 << 18 };
        let Searched { outcome, tree, paths, .. } = tuned(&model, threads, tuning, u64::MAX, &options);
        assert!(tree && !paths, "{threads} threads: {:?}, {} states", outcome.stop, outcome.states);
        let kinds = |outcome: &Outcome| outcome.violations.iter().map(|v| (v.site.kind, v.site.edge)).next();
        assert_eq!((kinds(&outcome), outcome.states), (kinds(&one), one.states), "{threads} threads");
    }
}
