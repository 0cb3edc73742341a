//! However a model is checked, the same comes out: both orders, both engines, every store, over all
//! conformance models. And what does not replay is no violation.

use crate::promela::compiled;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axle_check::{Check, Config, Order, StoreChoice, SuccessorChoice, Verdict, check, confirm};
use axle_model::EdgeId;
use axle_search::{Found, Limits, Monitor, Progress, Silent, Stop, Violation};
use axle_step::{FaultKind, Interpreter};

fn everything() -> Config {
    Config { limits: Limits::default(), checks: Check::MODELS.into_iter().collect(), ..Config::default() }
}

#[test]
fn every_way_of_checking_gives_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pml") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(model) = compiled(&std::fs::read_to_string(&path).unwrap()) else { continue };
        let mut seen = Vec::new();
        for (order, store, successors) in [
            (Order::BreadthFirst, StoreChoice::Plain, SuccessorChoice::Interpreter),
            (Order::BreadthFirst, StoreChoice::Tree, SuccessorChoice::Compiled),
            (Order::BreadthFirst, StoreChoice::Auto, SuccessorChoice::Auto),
            (Order::DepthFirst, StoreChoice::Plain, SuccessorChoice::Compiled),
            (Order::DepthFirst, StoreChoice::Tree, SuccessorChoice::Interpreter),
        ] {
            let config = Config { order, store, successors, ..everything() };
            let checked = check(&model, &config, &mut Silent);
            let (report, outcome) = (checked.report, checked.found.outcome);
            assert_eq!(report.internal, None, "{name}");
            assert_eq!(outcome.stop, None, "{name}");
            let violations: BTreeSet<_> =
                outcome.violations.iter().map(|v| (v.site.kind, v.site.edge, v.count)).collect();
            let properties: Vec<_> = report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect();
            let figures = (outcome.states, outcome.transitions, outcome.found);
            seen.push((figures, violations, properties, outcome.taken, report.verdict));
        }
        assert!(seen.iter().all(|one| *one == seen[0]), "{name}: {seen:#?}");
        checked += 1;
    }
    assert!(checked > 200, "only {checked} models were checked");
}

const COUNTER: &str = "byte x; active proctype p() { do :: x < 200 -> x++ :: x == 100 -> assert(false) od }";

#[test]
fn what_does_not_replay_is_refused() {
    let model = compiled(COUNTER).unwrap();
    let config = everything();
    let found = check(&model, &config, &mut Silent).found.outcome.violations;
    let good = found.iter().find(|v| v.site.kind == FaultKind::Assertion).unwrap();
    let mut interpreter = Interpreter::new(Arc::clone(&model), config.step_options());
    assert!(confirm(&mut interpreter, good).is_ok());

    let mut bad: Vec<Violation> = vec![good.clone(); 5];
    bad[0].path.pop();
    bad[1].path.push(9);
    bad[2].site.kind = FaultKind::DivisionByZero;
    bad[3].site.edge = Some(EdgeId(0));
    bad[4].found = Found::Start;
    for violation in bad {
        let refused = confirm(&mut interpreter, &violation);
        assert!(refused.is_err(), "{violation:?}: {refused:?}");
    }
}

#[test]
fn nothing_holds_where_the_search_was_cut_short() {
    let model = compiled(COUNTER).unwrap();
    for limits in [
        Limits { states: Some(10), ..Limits::default() },
        Limits { depth: Some(10), ..Limits::default() },
        Limits { memory: Some(0), ..Limits::default() },
    ] {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let report = check(&model, &Config { limits, order, ..everything() }, &mut Silent).report;
            assert_eq!(report.verdict, Verdict::Unknown, "{limits:?}");
            assert!(report.properties.iter().all(|p| p.verdict == Verdict::Unknown && p.reason.is_some()));
        }
    }
}

#[test]
fn a_violation_within_the_limits_stands() {
    let model = compiled(COUNTER).unwrap();
    let limits = Limits { errors: Some(1), ..Limits::default() };
    let report = check(&model, &Config { limits, ..everything() }, &mut Silent).report;
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.stop.unwrap().reason.name(), "errors");
    let unknown = report.properties.iter().filter(|p| p.verdict == Verdict::Unknown).count();
    assert_eq!(unknown, report.properties.len() - 1);
}

/// Stops when it is called for the second time.
struct Twice(u32);

impl Monitor for Twice {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        self.0 += 1;
        (self.0 == 2).then_some(Stop::Time)
    }
}

#[test]
fn the_monitor_is_heard() {
    let text = "int x; active proctype p() { do :: x < 100000 -> x++ :: else -> break od }";
    let model = compiled(text).unwrap();
    let checked = check(&model, &everything(), &mut Twice(0));
    assert_eq!(checked.found.outcome.stop, Some(Stop::Time));
    assert!((5..50_000).contains(&checked.found.outcome.states));
}

#[test]
fn processes_created_late_move_to_compiled_code_with_everything_else() {
    // More successors than are interpreted before compiling, then processes that need new slots.
    let text = "int x; proctype q(byte a) { byte b = a; b++ } \
                active proctype p() { do :: x < 30000 -> x++ :: x == 30000 -> break od; \
                run q(1); run q(2); run q(3) }";
    let model = compiled(text).unwrap();
    let mut seen = Vec::new();
    for successors in [SuccessorChoice::Interpreter, SuccessorChoice::Auto, SuccessorChoice::Compiled] {
        let checked = check(&model, &Config { successors, ..everything() }, &mut Silent);
        let outcome = checked.found.outcome;
        seen.push((outcome.states, outcome.transitions, outcome.depth, outcome.taken, outcome.violations));
        let last = if successors == SuccessorChoice::Interpreter { "interpreter" } else { "compiled" };
        assert_eq!(checked.report.search.engine, last);
    }
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
}
