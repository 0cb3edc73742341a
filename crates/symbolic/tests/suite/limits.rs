//! Limits: nodes, interruption, and values that need more bits than estimated.

use axle_outcome::Stop;
use axle_symbolic::{Goal, Options, Reason, SymbolicError};
use num_bigint::BigUint;

use crate::{SMALL, STRATEGIES, Strategy, Symbolic, compare, compiled, relation};

/// Ten processes that do not interact, each with a counter: 41 values at the loop, 40 after each guard.
const COUNTERS: &str = "active [10] proctype P() { byte x; do :: x < 40 -> x++ :: x > 0 -> x = x - 1 od }";

#[test]
fn an_answer_of_the_callback_ends_the_search() {
    let model = compiled(COUNTERS).expect("a correct model");
    let relation = relation(&model, 16).expect("a small relation");
    for strategy in STRATEGIES {
        let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
        let mut calls = 0;
        let reached = symbolic.explore(strategy, &mut |progress| {
            calls += 1;
            (progress.images > 40).then_some(Stop::Interrupted)
        });
        let reached = reached.expect("memory");
        assert_eq!((reached.stop, reached.states), (Some(Stop::Interrupted), BigUint::ZERO), "{strategy:?}");
        assert!(calls > 1 && reached.images < 100, "{strategy:?}: {calls} calls, {} images", reached.images);
        assert_eq!(symbolic.facts(&mut |_| None), Ok(None));
    }
}

#[test]
fn the_limit_on_nodes_ends_the_search() {
    let model = compiled(COUNTERS).expect("a correct model");
    let relation = relation(&model, 16).expect("a small relation");
    let (mut stops, mut named) = (0, 0);
    for nodes in [1 << 9, 1 << 11, 1 << 12, 1 << 13] {
        let options = Options { nodes, cache: 1 << 10, memory: None, ..Options::default() };
        match Symbolic::new(&relation, options) {
            Err(error) => {
                let SymbolicError::TooLarge { nodes: limit, step } = error else { panic!("{error}") };
                assert_eq!(limit, nodes);
                stops += 1;
                named += u32::from(step.is_some());
            }
            Ok(mut symbolic) => match symbolic.explore(Strategy::BreadthFirst, &mut |_| None) {
                Ok(reached) if reached.stop == Some(Stop::Memory) => stops += 1,
                Ok(reached) => {
                    assert_eq!(reached.states.to_string(), BigUint::from(121u32).pow(10).to_string())
                }
                Err(_) => stops += 1,
            },
        }
    }
    assert!(stops > 1 && named > 0, "{stops} stops, {named} with a step");
}

/// An initial value that needs all bits of the first code: with a sign beside it, it needs one more.
#[test]
fn initial_values_fit_in_the_first_codes() {
    for initial in [7, 8, 127, 128, 200, 255, 32_767, 40_000, -8, -9, -200] {
        let text = format!(
            "active proctype P() {{ int x = {initial}; do :: x > -1000 && x < 60000 -> x = x - 900 \
             :: else -> break od; assert(x > 0) }}"
        );
        let model = compiled(&text).expect("a correct model");
        assert_eq!(compare(&model, 4, 5_000, SMALL), Ok(true), "{initial}");
    }
}

/// The tables stay within a limit in bytes, which ends the search.
#[test]
fn the_limit_on_bytes_ends_the_search() {
    let model = compiled(COUNTERS).expect("a correct model");
    let relation = relation(&model, 16).expect("a small relation");
    let mut stops = 0;
    for memory in [60 << 10, 100 << 10, 200 << 10, 64 << 20] {
        let options = Options { memory: Some(memory), ..Options::default() };
        let mut symbolic = match Symbolic::new(&relation, options) {
            Ok(symbolic) => symbolic,
            Err(error) => {
                assert!(matches!(error, SymbolicError::TooLarge { .. }), "{error}");
                stops += 1;
                continue;
            }
        };
        let mut most = 0;
        let reached = symbolic.explore(Strategy::Saturation, &mut |progress| {
            most = most.max(progress.bytes);
            None
        });
        let reached = match reached {
            Ok(reached) => reached,
            // The first codes are too narrow, and the diagrams of wider ones do not fit.
            Err(error) => {
                assert!(matches!(error, SymbolicError::TooLarge { .. }), "{error}");
                assert!(most <= memory, "{most} of {memory}");
                stops += 1;
                continue;
            }
        };
        assert!(most <= memory && reached.bytes <= memory, "{most} and {} of {memory}", reached.bytes);
        match reached.stop {
            Some(stop) => {
                assert_eq!(stop, Stop::Memory);
                stops += 1;
            }
            None => assert_eq!(reached.states, BigUint::from(121u32).pow(10)),
        }
    }
    assert!((1..4).contains(&stops), "{stops}");
}

#[test]
fn an_answer_of_the_callback_ends_the_lowering() {
    let model = compiled(COUNTERS).expect("a correct model");
    let relation = relation(&model, 16).expect("a small relation");
    let mut calls = 0;
    let stopped = Symbolic::new_watched(&relation, SMALL, &mut |_| {
        calls += 1;
        (calls == 3).then_some(Stop::Interrupted)
    });
    assert_eq!(stopped.err(), Some(SymbolicError::Stopped(Stop::Interrupted)));
    assert_eq!(calls, 3);
}

/// The reversed order has the same states; a text that lacks a variable is refused.
#[test]
fn orders_are_written_and_read() {
    let model = compiled(COUNTERS).expect("a correct model");
    let relation = relation(&model, 16).expect("a small relation");
    let order = Symbolic::new(&relation, SMALL).expect("memory").order();
    let reversed: String = order.lines().rev().map(|line| format!("{line}\n")).collect();
    let mut again = Symbolic::with_order(&relation, SMALL, &reversed, &mut |_| None).expect("memory");
    assert_eq!(again.order(), reversed);
    let reached = again.explore(Strategy::Saturation, &mut |_| None).expect("memory");
    assert_eq!(reached.states, BigUint::from(121u32).pow(10));
    let part: String = order.lines().skip(1).map(|line| format!("{line}\n")).collect();
    for text in [part.as_str(), "", "x", &format!("{order}0\n")] {
        let refused = Symbolic::with_order(&relation, SMALL, text, &mut |_| None);
        assert_eq!(refused.err(), Some(SymbolicError::Order));
    }
}

/// A counter that passes the rounds of the estimate: its code grows twice, and no state is lost.
#[test]
fn codes_grow_with_the_values() {
    let text = "int x; short y; active proctype P() { do :: x < 700 -> x++ :: x == 700 -> y = y - 300; x = 701 :: else -> break od }";
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, 4).expect("a small relation");
    for strategy in STRATEGIES {
        let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
        let reached = symbolic.explore(strategy, &mut |_| None).expect("memory");
        assert!(reached.widened > 0, "{strategy:?}");
        let explicit = crate::explicit::explore(&model, 10_000).expect("few states");
        assert_eq!(reached.states, BigUint::from(explicit.states), "{strategy:?}");
        let facts = symbolic.facts(&mut |_| None).expect("memory").expect("the search has ended");
        assert_eq!(facts.ranges[..2], [(0, 701), (-300, 0)], "{strategy:?}");
    }
}

/// A value that only the states inside a sequence have, and that does not fit: in its first step, and in a
/// later one.
/// The guard may be of the step that counts, or of the one before.
#[test]
fn guards_bound_counters() {
    let loops = [
        "do :: i < 20 -> i++ :: else -> break od",
        "do :: d_step { i < 20; i++ } :: else -> break od",
        "do :: i == 20 -> break :: i != 20 -> i++ od",
        "select(i : 0 .. 20)",
        "atomic { select(i : 0 .. 20) }",
        "for (i : 1 .. 19) { skip }",
    ];
    for text in loops {
        let text = format!("chan c = [2] of {{ byte }}; active proctype p() {{ byte i; {text}; c!i }}");
        let model = compiled(&text).expect("a correct model");
        let relation = relation(&model, 2).expect("few processes");
        let mut symbolic = Symbolic::new(&relation, Options::default()).expect("memory");
        let reached = symbolic.explore(Strategy::Saturation, &mut |_| None).expect("memory");
        assert_eq!((reached.stop, reached.widened), (None, 0), "{text}");
    }
}

#[test]
fn codes_grow_with_the_values_inside_sequences() {
    for body in ["x = x + 400; x = x - 399", "x++; x = x + 400; x = x - 400"] {
        let text = format!(
            "int x; active proctype P() {{ do :: x < 60 -> atomic {{ {body} }} :: else -> break od }}"
        );
        let model = compiled(&text).expect("a correct model");
        let relation = relation(&model, 4).expect("a small relation");
        let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
        let reached = symbolic.explore(Strategy::Saturation, &mut |_| None).expect("memory");
        let explicit = crate::explicit::explore(&model, 10_000).expect("few states");
        assert_eq!(reached.states, BigUint::from(explicit.states), "{text}");
        assert!(reached.widened > 0, "{text}");
    }
}

#[test]
fn the_choice_has_a_reason() {
    let model = compiled(COUNTERS).expect("a correct model");
    let relation = relation(&model, 16).expect("a small relation");
    let symbolic = Symbolic::new(&relation, SMALL).expect("memory");
    assert_eq!(symbolic.choose(Goal::Faults), (Strategy::Saturation, Reason::Locality));
    assert_eq!(symbolic.choose(Goal::ShortestPaths), (Strategy::BreadthFirst, Reason::ShortestPaths));
}

#[test]
fn combinations_of_values_are_decided() {
    let text =
        "bit lock; active [2] proctype P() { do :: atomic { lock == 0 -> lock = 1 }; critical: lock = 0 od }";
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, 4).expect("a small relation");
    let mut symbolic = Symbolic::new(&relation, SMALL).expect("memory");
    symbolic.explore(Strategy::Saturation, &mut |_| None).expect("memory");
    let locations = [relation.variables.location(0), relation.variables.location(1)];
    let reached = |first, second| {
        let values = [(locations[0], first), (locations[1], second)];
        symbolic.reaches(&values, &mut |_| None).expect("memory").expect("the search has ended")
    };
    let facts = symbolic.facts(&mut |_| None).expect("memory").expect("the search has ended");
    let (low, high) = facts.ranges[locations[0].index()];
    // The critical section has the first location, the start the last one.
    assert!(low < high);
    assert!(!reached(low, low) && reached(low, high) && reached(high, low) && reached(high, high));
}

/// Thousands of bits: the recursion over levels stays within the stack of a thread.
#[test]
fn deep_diagrams_fit_in_the_stack() {
    let text = "active [200] proctype P() { int x; if :: x = 7000 :: x = 9000 fi; end: false }";
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, 200).expect("a small relation");
    let options = Options { nodes: 1 << 22, cache: 1 << 16, memory: None, ..Options::default() };
    let mut symbolic = Symbolic::new(&relation, options).expect("memory");
    let reached = symbolic.explore(Strategy::Saturation, &mut |_| None).expect("memory");
    assert_eq!(reached.states, BigUint::from(3u32).pow(200));
}

#[test]
fn states_with_too_many_bits_are_refused() {
    let text = "active [200] proctype P() { int x, y; x = 60000; y = 60000 }";
    let model = compiled(text).expect("a correct model");
    let relation = relation(&model, 200).expect("a small relation");
    let refused = Symbolic::new(&relation, SMALL).err();
    assert!(matches!(refused, Some(SymbolicError::TooManyBits(bits)) if bits > 4096), "{refused:?}");
}
