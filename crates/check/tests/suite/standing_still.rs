//! Executions that end in a state without successors, which is repeated forever.

use crate::promela::model;

use axle_check::{Config, Verdict, check};
use axle_search::Silent;

#[test]
fn a_sequence_that_makes_room_and_goes_round_for_ever_stands_still() {
    // No successor comes of the sequence, but the process that it creates makes states wider.
    let text = "byte x;
        proctype Q(byte b) { byte c; c = b; false }
        active proctype P() { accept: atomic { run Q(1); do :: x++ :: x-- od } }";
    let report = check(&model(text), &Config::default(), &mut Silent).report;
    assert_eq!(report.internal, None);
    let acceptance = report.properties.iter().find(|one| one.name == "acceptance").unwrap();
    assert_eq!(acceptance.verdict, Verdict::Violated);
}
