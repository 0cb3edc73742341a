//! Violations behind thousands of steps: loops of executions are repeated.

use axle_abstract::Options;

use crate::case::{Case, Checked};

/// The number of steps of the violation that is found within so many polls.
fn steps(text: &str, polls: u32) -> usize {
    let used = std::cell::Cell::new(0);
    let stop = || {
        used.set(used.get() + 1);
        used.get() > polls
    };
    match Case::of(text).decide(&Options::default(), &stop).expect("an answer") {
        (Checked::Violated(steps), _) => steps,
        (other, course) => panic!("{other:?} after {} iterations", course.iterations),
    }
}

/// Breadth-first search would visit the pairs of values below the thresholds, depth-first search those of one
/// counter only.
#[test]
fn thresholds_of_two_counters_are_reached() {
    let text = "int a, b;
        active proctype A() { do :: a = a + 1 od }
        active proctype B() { do :: b = b + 1 od }
        active proctype Monitor() { end: do :: assert(a < 7000 || b < 5000) od }";
    let found = steps(text, 2_000);
    assert!((12_000..12_010).contains(&found), "{found} steps: repetitions are as few as possible");
}

/// The counter is odd only in the middle of the loop.
#[test]
fn a_bad_state_inside_a_loop_is_not_passed_over() {
    let text = "int a, b;
        active proctype A() { do :: a = a + 1; a = a + 1 od }
        active proctype B() { do :: b = b + 1 od }
        active proctype Monitor() { end: do :: assert(a != 9001 || b < 3000) od }";
    assert!(steps(text, 2_000) >= 12_001);
}

/// The loop of the second counter contains that of the first one.
#[test]
fn nested_loops_are_repeated() {
    let text = "int a, b, c;
        active proctype A() { do :: a < 40 -> a = a + 1 :: a == 40 -> a = 0; b = b + 1 od }
        active proctype C() { do :: c = c + 1 od }
        active proctype Monitor() { end: do :: assert(b < 200 || c < 4000) od }";
    assert!(steps(text, 4_000) >= 12_000);
}

/// Inputs digit by digit: each predicate about a digit leads to the next one.
#[test]
fn an_input_of_32_bits_is_found() {
    let text = "int code, tries;
        active proctype Keys() {
          do
          :: code = 4 * code :: code = 4 * code + 1 :: code = 4 * code + 2 :: code = 4 * code + 3
          :: code = 0; tries = tries + 1
          od
        }
        active proctype Lock() { end: do :: assert(code != 1618033988 || tries < 3) od }";
    assert!(steps(text, 4_000) >= 17);
}
