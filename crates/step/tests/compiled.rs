//! The compiler against the interpreter.

mod agree;
#[allow(dead_code, reason = "only the models are of interest here")]
mod explore;

use std::sync::Arc;

use agree::agree;
use axle_step::Options;
use explore::models;
use proptest::prelude::*;

const ALL: Options = Options { truncation: true, messages_left: true, movers: true };

#[test]
fn every_clause_is_compiled() {
    let mut wrong = Vec::new();
    for (name, model, _) in models() {
        for options in [Options::default(), ALL] {
            if let Err(why) = agree(&model, options, 2_000) {
                wrong.push(format!("{name}, {options:?}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Models that are left to the interpreter though nothing goes wrong: a question whether a process is enabled
/// inside such a question.
const LEFT: [&str; 1] = ["enabled"];

/// Giving up is for what goes wrong: a model in which nothing does never needs the interpreter.
#[test]
fn what_goes_right_is_not_interpreted() {
    let mut wrong = Vec::new();
    for (name, model, expected) in models() {
        // The summary names the kinds of faults after a semicolon.
        if expected.contains(';') || LEFT.contains(&name.as_str()) {
            continue;
        }
        match agree(&model, Options::default(), 2_000) {
            Ok(agreed) if agreed.interpreted > 0 => {
                wrong.push(format!("{name}: {} of {} states", agreed.interpreted, agreed.states));
            }
            Ok(_) => {}
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_models_agree(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let model = Arc::new(axle_model::arbitrary::model(&bytes));
        for options in [Options::default(), ALL] {
            if let Err(why) = agree(&model, options, 150) {
                return Err(TestCaseError::fail(format!("{why}\n{}", axle_model::dump::dump(&model))));
            }
        }
    }
}
