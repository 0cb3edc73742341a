//! A breadth-first search that is cancelled repeatedly and resumed with any number of threads must
//! agree with an uninterrupted one: counts, statements reached, and all violations with their
//! traces.

use std::sync::Arc;

use axle_model::Model;
use axle_search::checkpoint::read;
use axle_search::parallel::{Searched, Tuning, search};
use axle_search::{Limits, Memory, Options, Outcome, Stop};
use axle_step::Interpreter;

use crate::interrupted::Interrupted;
use axle_compare::last_checkpoint::LastCheckpoint;
use axle_compare::models::{compile, models};
use axle_generate::Random;

fn once(
    model: &Arc<Model>,
    threads: usize,
    tuning: Tuning,
    options: &Options,
    until: u64,
    past: Option<&[u8]>,
    eager: bool,
) -> (Searched, LastCheckpoint) {
    let stepper = Interpreter::new(Arc::clone(model), axle_step::Options::default());
    let past = past.map(|mut bytes| read(&mut bytes).unwrap());
    let shelf = LastCheckpoint::every(if eager { 7 } else { 0 });
    let mut watch = Interrupted::when(|progress| progress.states >= until, past, shelf);
    let searched = search(&mut vec![stepper; threads], tuning, u64::MAX, options, &mut watch);
    (searched, watch.shelf)
}

fn essence(searched: Searched) -> (Outcome, bool) {
    (Outcome { memory: Memory::default(), ..searched.outcome }, searched.paths)
}

/// The part of [`essence`] that compressed sets preserve: they record no levels, hence no traces.
fn without_paths((outcome, _): (Outcome, bool)) -> Outcome {
    let mut violations = outcome.violations;
    violations.iter_mut().for_each(|violation| violation.path.clear());
    Outcome { violations, ..outcome }
}

/// Searches with interruptions, each resumed with a different number of threads.
fn interrupted(
    model: &Arc<Model>,
    tuning: Tuning,
    options: &Options,
    states: u64,
    lot: &mut Random,
    resumed: &mut u32,
) -> Searched {
    let mut kept: Option<Vec<u8>> = None;
    let mut moments: Vec<u64> = (0..1 + lot.below(4)).map(|_| 1 + lot.below(states)).collect();
    moments.sort_unstable();
    for until in moments.into_iter().chain([u64::MAX]) {
        let (threads, eager) = (1 + lot.below(3) as usize, lot.below(6) == 0);
        let (searched, shelf) = once(model, threads, tuning, options, until, kept.as_deref(), eager);
        *resumed += u32::from(kept.is_some());
        if searched.outcome.stop != Some(Stop::Interrupted) {
            assert!(eager || shelf.count == 0 || searched.outcome.stop == Some(Stop::Memory));
            return searched;
        }
        kept = shelf.kept.or(kept);
    }
    unreachable!("the last search is not interrupted")
}

#[test]
fn interrupted_searches_come_to_the_same() {
    let (mut lot, mut compared, mut resumed, mut trees) = (Random::of(3, 0), 0, 0, 0);
    for (name, model) in models("tests/conformance").into_iter().chain(models("bench/small")) {
        for (depth, errors) in [(None, None), (Some(9), None), (None, Some(1))] {
            let limits = Limits { depth, errors, ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let plain = Tuning { worth: 1, ..Tuning::default() };
            let whole = once(&model, 2, plain, &options, u64::MAX, None, false).0;
            let states = whole.outcome.states;
            if states > 60_000 {
                continue;
            }
            let whole = essence(whole);
            for _ in 0..2 {
                let again = interrupted(&model, plain, &options, states, &mut lot, &mut resumed);
                assert!(essence(again) == whole, "{name} {limits:?}");
                compared += 1;
            }
            let tree = Tuning { compress_at: 0, ..plain };
            let again = interrupted(&model, tree, &options, states, &mut lot, &mut resumed);
            // A tree built too early does not support all bits that vary later.
            if again.outcome.stop != Some(Stop::Memory) {
                trees += u32::from(again.tree);
                assert_eq!(without_paths(essence(again)), without_paths(whole.clone()), "{name} {limits:?}");
            }
        }
    }
    assert!(
        compared > 900 && resumed > 400,
        "{compared} compared, {resumed} times gone on with, {trees} trees"
    );
}

/// Two hundred levels of up to a hundred states each, with many violations; wide states, so that
/// compression is effective.
const WIDE: &str = "byte a, b; int wide[3];
    active proctype A() {
        do
        :: a < 100 -> atomic { a++; wide[0] = a * 1103515245; wide[1] = a * 1664525321; wide[2] = a * 1812433253 }
        :: else -> break
        od
    }
    active proctype B() { do :: b < 100 -> b++ :: else -> break od; assert(a + b < 200) }
    active proctype C() { (a * b == 2500) -> assert(a < 60); (a == 77) -> assert(b != 13) }";

#[test]
fn a_hundred_moments_are_all_good() {
    let model = compile(WIDE).unwrap();
    let options = Options::default();
    let (mut lot, mut resumed, mut trees) = (Random::of(4, 0), 0, 0);
    for compress_at in [u64::MAX, 1 << 18] {
        let tuning = Tuning { worth: 1, compress_at };
        let plain = Tuning { worth: 1, ..Tuning::default() };
        let whole = essence(once(&model, 2, plain, &options, u64::MAX, None, false).0);
        assert!(whole.0.violations.len() > 1 && whole.0.states > 20_000, "{:?}", whole.0);
        for _ in 0..50 {
            let again = interrupted(&model, tuning, &options, whole.0.states, &mut lot, &mut resumed);
            trees += u32::from(again.tree);
            match again.paths {
                true => assert_eq!(essence(again), whole),
                false => assert_eq!(without_paths(essence(again)), without_paths(whole.clone())),
            }
        }
    }
    assert!(resumed > 150 && trees > 45, "{resumed} {trees}");
}

#[test]
fn processes_that_come_later_find_room() {
    let text = "byte n; proctype P() { byte i; do :: i < 3 -> i++ :: else -> break od }
        init { do :: n < 5 -> n++; run P() :: n > 2 -> break od }";
    let model = compile(text).unwrap();
    let (mut lot, mut resumed) = (Random::of(5, 0), 0);
    let options = Options::default();
    let plain = Tuning { worth: 1, ..Tuning::default() };
    let whole = essence(once(&model, 2, plain, &options, u64::MAX, None, false).0);
    for _ in 0..30 {
        let again = interrupted(&model, plain, &options, whole.0.states, &mut lot, &mut resumed);
        assert_eq!(essence(again), whole);
    }
    assert!(resumed > 30, "{resumed} of {} states", whole.0.states);
}

#[test]
fn what_is_of_another_model_ends_in_no_verdict() {
    let options = Options::default();
    let tuning = Tuning { worth: 1, ..Tuning::default() };
    let kept = once(&compile(WIDE).unwrap(), 2, tuning, &options, 9_000, None, false).1.kept.unwrap();
    for other in ["active proctype P() { skip }", "byte x; active proctype P() { do :: x++ od }"] {
        let searched = once(&compile(other).unwrap(), 2, tuning, &options, u64::MAX, Some(&kept), false).0;
        assert_eq!(searched.outcome.stop, Some(Stop::Checkpoint));
    }
    // Nor a checkpoint of a sequential search, which has different contents.
    let mut stepper = Interpreter::new(compile(WIDE).unwrap(), axle_step::Options::default());
    let past = Some(read(&mut &kept[..]).unwrap());
    let mut watch = Interrupted::when(|_| false, past, LastCheckpoint::default());
    let mut set = axle_store::PlainTable::new(axle_step::Successors::width(&stepper)).unwrap();
    let outcome = axle_search::bfs::search(&mut stepper, &mut set, &options, &mut watch);
    assert_eq!(outcome.stop, Some(Stop::Checkpoint));
    let mut watch = Interrupted::when(|progress| progress.states >= 5_000, None, LastCheckpoint::default());
    let mut set = axle_store::PlainTable::new(axle_step::Successors::width(&stepper)).unwrap();
    axle_search::bfs::search(&mut stepper, &mut set, &options, &mut watch);
    let kept = watch.shelf.kept.unwrap();
    let searched = once(&compile(WIDE).unwrap(), 2, tuning, &options, u64::MAX, Some(&kept), false).0;
    assert_eq!(searched.outcome.stop, Some(Stop::Checkpoint));
}

#[test]
fn a_damaged_file_is_refused_at_every_byte() {
    let model =
        compile("byte a, b; active proctype P() { do :: a < 9 -> a++; assert(b != 3) :: b < 9 -> b++ od }")
            .unwrap();
    let tuning = Tuning { worth: 1, ..Tuning::default() };
    let kept = once(&model, 2, tuning, &Options::default(), 50, None, true).1.kept.unwrap();
    for at in 0..kept.len() {
        assert!(read(&mut &kept[..at]).is_err(), "{at}");
        for flip in [1, 0x10, 0xff] {
            let mut wrong = kept.clone();
            wrong[at] ^= flip;
            assert!(read(&mut &wrong[..]).is_err(), "{at}");
        }
    }
}
