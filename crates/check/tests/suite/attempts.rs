//! Budgeted searches during the exhaustive search of a large model.

use crate::promela::model;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{Checked, Config, Verdict, check};
use axle_model::Model;
use axle_search::{Limits, Monitor, Progress, Silent, Stop};

fn fault(name: &str) -> Arc<Model> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults");
    model(&std::fs::read_to_string(folder.join(name)).unwrap())
}

fn checked(model: &Arc<Model>, config: Config) -> Checked {
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
        assert_eq!(report.stop.as_ref().map(|stop| &stop.reason[..]), Some("errors"));
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
