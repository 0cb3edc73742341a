//! Properties whose propositions have no value in some state.

use crate::promela::model;

use axle_check::{Check, Config, Verdict, check};
use axle_search::Silent;

/// What is said of `p` in a model where `i` runs out of the bounds of `a`, with or without the
/// check of indices.
fn verdict(formula: &str, indices: bool) -> (Verdict, bool) {
    let text = format!(
        "byte a[2] = 1; byte i;
         active proctype P() {{ do :: i < 3 -> i++ :: else -> break od }}
         ltl p {{ {formula} }}"
    );
    let mut config = Config::default();
    if !indices {
        config.checks.remove(&Check::Bounds);
    }
    let report = check(&model(&text), &config, &mut Silent).report;
    assert_eq!(report.internal, None, "{formula}");
    let property = report.properties.iter().find(|one| one.name == "p").unwrap();
    (property.verdict, report.violations.iter().any(|one| one.kind.name() == "index-out-of-range"))
}

#[test]
fn a_property_without_a_value_does_not_hold() {
    // A false "holds" otherwise: where the atom has no value it is neither true nor false.
    assert_eq!(verdict("[] !(a[i] == 7)", false), (Verdict::Unknown, false));
    assert_eq!(verdict("[] !(a[i] == 7)", true), (Verdict::Unknown, true));
    // Where it is never asked for out of bounds, it holds.
    assert_eq!(verdict("[] (i < 2 -> a[i] == 1)", false), (Verdict::Holds, false));
    // A run that breaks it before that breaks it.
    assert_eq!(verdict("[] (a[i] == 7)", false), (Verdict::Violated, false));
}
