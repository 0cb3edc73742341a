//! Faults that several threads find, as far as `check` tells of them: the report is that of one.

use crate::promela::model;

use axle_check::{Auto, Config, Verdict, check};
use axle_search::{Limits, Reduction, Silent};

/// Two that count, one with figures too large to be kept in a few bits. What is wrong is wrong at
/// the end only.
const MODEL: &str = "
byte a, b; int wide[4];
active proctype A() {
    do
    :: a < 200 -> atomic {
        a++; wide[0] = a * 1234567; wide[1] = a * 7654321; wide[2] = a * 5555555; wide[3] = a * 3333333
    }
    :: else -> break
    od
}
active proctype B() { do :: b < 250 -> b++ :: else -> break od; assert(a + b < 450) }
";

#[test]
fn a_violation_that_a_compressed_set_knows_no_way_to_is_told_by_one_thread() {
    let model = model(MODEL);
    // A quarter of what several threads may use is less than the states take, so they begin to
    // compress.
    let limits = Limits { memory: Some(6 << 20), ..Limits::default() };
    let (auto, reduction) = (Auto::Nothing, Reduction::None);
    let one = Config { limits, auto, reduction, ..Config::default() };
    let told = |config: &Config| check(&model, config, &mut Silent);
    let (one, many) = (told(&one), told(&Config { threads: 2, ..one.clone() }));
    assert_eq!(one.report.verdict, Verdict::Violated, "{:?}", one.report.stop);
    assert_eq!(many.report.verdict, one.report.verdict);
    assert_eq!(many.found.outcome.violations, one.found.outcome.violations);
    assert_eq!(many.report.search.states, one.report.search.states);
}
