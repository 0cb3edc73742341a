//! Budgeted searches during the exhaustive search of a large model.

use crate::promela::model;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{CheckedModel, Config, Verdict, check};
use axle_model::Model;
use axle_search::{Limits, Monitor, Progress, Silent, Stop};

fn fault(name: &str) -> Arc<Model> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults");
    model(&std::fs::read_to_string(folder.join(name)).unwrap())
}

fn checked(model: &Arc<Model>, config: Config) -> CheckedModel {
    let checked = check(model, &config, &mut Silent);
    assert_eq!(checked.report.internal, None);
    checked
}

/// Stops a search at a number of states.
struct Until(u64);

impl Monitor for Until {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (progress.states >= self.0).then_some(Stop::Time)
    }
}

#[test]
fn a_violated_formula_is_reported_before_the_exhaustive_search_ends() {
    let model = fault("liveness_waits_for_safety.pml");
    let reports = [1, 2].map(|threads| {
        let mut report = checked(&model, Config { attempts: true, threads, ..Config::default() }).report;
        assert_eq!(report.verdict, Verdict::Violated);
        assert_eq!(report.stop.as_ref().map(|stop| stop.reason.name()), Some("errors"));
        // The memory of the two searches differs.
        (report.search.states_memory, report.search.paths_memory) = (0, 0);
        report
    });
    assert_eq!(reports[0], reports[1], "pauses depend on states only");
}

#[test]
fn a_deep_violation_is_reported_before_the_exhaustive_search_ends() {
    // The assertion is 3,000 steps deep, in the process whose steps are made last or first.
    let wide = "active [6] proctype Wide() { do :: w[_pid % 6]++ od }";
    let deep = "active proctype Deep() { do :: n < 1500 -> n++ :: else -> break od; assert(false) }";
    for text in [[wide, deep], [deep, wide]] {
        let model = model(&format!("int n; byte w[6]; {}", text.concat()));
        for errors in [Some(1), None] {
            let limits = Limits { errors, ..Limits::default() };
            let config = Config { attempts: true, limits, ..Config::default() };
            let checked = check(&model, &config, &mut Until(400_000));
            let report = checked.report;
            assert_eq!(report.internal, None);
            assert_eq!(report.verdict, Verdict::Violated);
            assert_eq!(report.violations.len(), 1, "each violation is reported once");
            assert_eq!(report.search.order, "bfs+dfs");
        }
    }
}

#[test]
fn a_formula_that_holds_in_the_budget_is_reported_when_the_check_is_stopped() {
    // The slice for the formula has a few states.
    let model = model(
        "byte w[4]; bool flag; active [4] proctype Wide() { do :: w[_pid]++; assert(w[_pid] >= 0) od }
         active proctype Flag() { do :: flag = true od }
         ltl set { [] (flag -> [] flag) }",
    );
    let config = Config { passes: [axle_check::Pass::Slice].into(), attempts: true, ..Config::default() };
    let verdict = |attempts| {
        let config = Config { attempts, ..config.clone() };
        let report = check(&model, &config, &mut Until(60_000)).report;
        report.properties.iter().find(|property| property.name == "set").map(|property| property.verdict)
    };
    assert_eq!(verdict(true), Some(Verdict::Holds));
    assert_eq!(verdict(false), Some(Verdict::Unknown));
}

#[test]
fn attempts_change_no_report_where_nothing_is_violated() {
    let model = model(
        "byte a, b, c; active proctype P() { do :: a < 40 -> a++ :: b < 40 -> b++ :: c < 40 -> c++ :: else -> break od }
         ltl low { [] (a <= 40) }",
    );
    let report = |attempts| checked(&model, Config { attempts, ..Config::default() }).report;
    let with = report(true);
    assert!(with.search.states > 60_000, "several pauses: {} states", with.search.states);
    assert_eq!(with, report(false));
}

/// Notes which searches run beside the exact one.
#[derive(Default)]
struct Beside(Vec<(String, Progress)>);

impl Monitor for Beside {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }

    fn beside(&mut self, others: &[(String, Progress)]) {
        self.0.extend_from_slice(others);
    }
}

#[test]
fn the_monitor_receives_the_progress_of_each_attempt() {
    let model = model(
        "byte a, b, c; active proctype P() { do :: a < 40 -> a++ :: b < 40 -> b++ :: c < 40 -> c++ :: else -> break od }
         ltl low { [] (a <= 40) }",
    );
    let mut seen = Beside::default();
    check(&model, &Config { attempts: true, ..Config::default() }, &mut seen);
    let names: BTreeSet<&str> = seen.0.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains("exact search for low"), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("depth-first search")), "{names:?}");
    assert!(seen.0.iter().all(|(_, progress)| progress.states + progress.transitions > 0), "{:?}", seen.0);
}

/// Ends a check at a number of states, and notes what it reports before its end.
struct Reported {
    until: u64,
    violated: Vec<String>,
    /// The states of the search that was watched at each report.
    states: Vec<u64>,
    last: u64,
}

impl Reported {
    fn until(until: u64) -> Reported {
        Reported { until, violated: Vec::new(), states: Vec::new(), last: 0 }
    }
}

impl Monitor for Reported {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.last = progress.states;
        (progress.states >= self.until).then_some(Stop::Time)
    }

    fn violated(&mut self, property: &str, _: &str) {
        self.violated.push(property.to_string());
        self.states.push(self.last);
    }
}

#[test]
fn an_invariant_is_hunted_for_whether_it_is_a_formula_or_an_assertion() {
    // Of 385 steps; 400,000 states of a breadth-first search are within 15.
    let model = fault("deep_invariant_formula.pml");
    let properties: BTreeSet<axle_check::Check> = [axle_check::Check::Properties].into();
    for checks in [Config::default().checks, properties] {
        for threads in [1, 2] {
            let config = Config { attempts: true, threads, checks: checks.clone(), ..Config::default() };
            let mut seen = Reported::until(400_000);
            let report = check(&model, &config, &mut seen).report;
            assert_eq!(report.internal, None);
            assert_eq!(report.verdict, Verdict::Violated, "{threads} threads");
            let found = &report.violations[0];
            assert!(found.property == "safe" && found.depth < 400, "{found:?}");
            let attempt = found.attempt.as_deref();
            assert!(attempt.is_some_and(|name| name.starts_with("depth-first search, ")), "{attempt:?}");
            assert_eq!(seen.violated, ["safe"], "it is reported once");
            assert!(seen.last < 400_000);
        }
    }
}

#[test]
fn a_property_with_few_states_is_decided_beside_one_with_many() {
    let model = fault("starved_formula.pml");
    for threads in [1, 2] {
        let config = Config { attempts: true, threads, ..Config::default() };
        let mut seen = Reported::until(1_500_000);
        let report = check(&model, &config, &mut seen).report;
        assert_eq!(report.internal, None);
        let verdict =
            |name: &str| report.properties.iter().find(|one| one.name == name).map(|one| one.verdict);
        assert_eq!(verdict("end-states"), Some(Verdict::Violated));
        assert_eq!(verdict("large"), Some(Verdict::Unknown), "the check is ended by the monitor");
        assert_eq!(verdict("small"), Some(Verdict::Violated), "{threads} threads");
        // Both are reported as soon as they are known.
        assert_eq!(seen.violated, ["end-states", "small"]);
        assert!(seen.states.iter().all(|states| *states < 200_000), "{:?}", seen.states);
    }
}

#[test]
fn properties_that_one_thread_leaves_undecided_are_searched_for_by_all_in_rounds() {
    // 300,763 states: more than the slices of one thread, less than a round of all.
    let model = model(
        "byte a, b, c;
         active proctype P() { do :: a < 66 -> a++ :: b < 66 -> b++ :: c < 66 -> c++ :: else -> break od }
         ltl bounded { [] (a + b + c <= 198) }
         ltl ends { <> (a + b + c == 198) }
         ltl stays { [] (c == 66 -> [] (c == 66)) }",
    );
    let rows = |threads| {
        let checks = [axle_check::Check::Properties].into();
        let mut seen = Beside::default();
        let report =
            check(&model, &Config { attempts: true, threads, checks, ..Config::default() }, &mut seen).report;
        assert_eq!(report.internal, None);
        let size = |one: &axle_evidence::report::PropertyReport| {
            one.search.as_ref().map(|search| (search.states.clone(), search.transitions.clone()))
        };
        report.properties.iter().map(|one| (one.name.clone(), one.verdict, size(one))).collect::<Vec<_>>()
    };
    let one = rows(1);
    assert!(one.iter().all(|(_, verdict, _)| *verdict == Verdict::Holds), "{one:?}");
    assert_eq!(rows(2), one);
}
