//! Engines beside the exact search: they answer where it has no memory left.

use axle_check::{Check, Config, System, Verdict};
use axle_search::{Limits, Silent};

use crate::promela::model as model_of;

/// A model, the engine that answers, and the verdict.
const ANSWERS: [(&str, &str, Verdict); 5] = [
    // Many processes that wait for each other: diagrams need few nodes.
    (
        "#define N 14\nbool a[N], b[N]; byte count, phase; active [N] proctype P() {
        do :: !a[_pid] -> a[_pid] = 1; count++; :: a[_pid] && !b[_pid] -> b[_pid] = 1
        :: b[_pid] && count == N -> a[_pid] = 0; b[_pid] = 0; count-- :: assert (count <= N) od }",
        "symbolic",
        Verdict::Holds,
    ),
    // More processes than smaller relations have: 3^100 states.
    (
        "active [100] proctype P() { byte x; if :: x = 1; end1: false :: x = 2; end2: false fi }",
        "induction",
        Verdict::Holds,
    ),
    // An invariant of 32-bit data that is inductive.
    (
        "int a, b; short t;
        active proctype P() { do :: d_step { a = a + t; b = b + t } :: t = t * 3 + 1 :: assert (a == b) od }",
        "abstract",
        Verdict::Holds,
    ),
    // One of 2^26 executions of 26 steps violates the assertion.
    (
        "int x = 1, y; active proctype P() {
        do :: d_step { x = x * 2; y = y * 5 + x * x } :: x = x * 2 + 1 :: assert (x != 123456789) od }",
        "bmc",
        Verdict::Violated,
    ),
    // No engine has an answer within the work of a small search.
    (
        "int a, b, c; active proctype P() {
        do :: d_step { a++; b = b * a + 7; c = c ^ (b * b) } :: assert (c != 123456789) od }",
        "explicit",
        Verdict::Unknown,
    ),
];

#[test]
fn engines_continue_where_the_exact_search_has_no_memory_left() {
    for (text, engine, verdict) in ANSWERS {
        let limits = Limits { memory: Some(12 << 20), errors: Some(1), ..Limits::default() };
        let config = Config { attempts: true, limits, ..Config::default() };
        let checked = model_of(text).check(&config, &mut Silent);
        let report = &checked.report;
        assert_eq!(report.internal, None, "{text}");
        assert_eq!(report.verdict, verdict, "{text}: {:?}", report.search);
        let finders = report.violations.iter().filter_map(|violation| violation.attempt.clone());
        let by = format!("{} {:?}", report.search.answered_by, finders.collect::<Vec<_>>());
        assert!(by.contains(engine), "{text}: {by}");
    }
}

/// A response that depends on a window of counters: no exact search ends, in any memory.
const RESPONSE: &str = "int sent, acked;
    active proctype Sender() { do :: sent - acked < 4 -> sent++ od }
    active proctype Receiver() { do :: acked != sent -> acked++ od }
    ltl drained { [] (sent - acked == 4 -> <> (sent - acked < 4)) }";

#[test]
fn engines_decide_formulas_where_exact_searches_have_no_memory_left() {
    for threads in [1, 2] {
        let limits = Limits { memory: Some(12 << 20), ..Limits::default() };
        let checks = [Check::Properties].into();
        let config = Config { attempts: true, limits, threads, checks, ..Config::default() };
        let checked = model_of(RESPONSE).check(&config, &mut Silent);
        let drained = checked.report.properties.iter().find(|row| row.name == "drained");
        let drained = drained.expect("the formula");
        assert_eq!(drained.verdict, Verdict::Holds, "{threads} threads: {:?}", drained.reason);
        assert!(drained.remarks.iter().any(|remark| remark.starts_with("proved by ")), "{drained:?}");
        assert_eq!(checked.report.internal, None);
    }
}
