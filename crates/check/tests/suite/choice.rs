//! What is left out where the user leaves that to Axle: nothing of small models, and shortest runs
//! stay shortest.

use crate::promela::model;
use std::collections::BTreeSet;
use std::sync::Arc;

use axle_check::{Auto, CheckedModel, Config, Order, Pass, StoreChoice, Verdict, check};
use axle_model::Model;
use axle_search::{Limits, Monitor, Progress, Reduction, Silent, Stop};

/// Some processes that count by themselves, and one that waits for all.
fn counters(processes: u32, to: u32, end: &str) -> Arc<Model> {
    let text = format!(
        "byte ready;\n\
         active [{processes}] proctype P() {{ byte l; do :: l < {to} -> l++ :: else -> break od; ready++ }}\n\
         active proctype Q() {{ (ready == {processes}); {end} }}\n"
    );
    model(&text)
}

/// Everything may be left out.
fn auto() -> Config {
    Config { reduction: Reduction::Stubborn, passes: Pass::ALL.into(), auto: Auto::All, ..Config::default() }
}

fn run(model: &Arc<Model>, config: &Config) -> CheckedModel {
    check(model, config, &mut Silent)
}

#[test]
fn small_models_are_searched_as_they_stand() {
    let model = counters(2, 5, "skip");
    let (whole, chosen) = (run(&model, &Config::default()), run(&model, &auto()));
    assert!(whole.found.outcome.states < 1_000, "{}", whole.found.outcome.states);
    // The choice is an attempt of its own.
    assert_eq!(
        CheckedModel { attempts: Vec::new(), ..chosen },
        CheckedModel { attempts: Vec::new(), ..whole }
    );
}

#[test]
fn of_large_ones_most_is_left_out() {
    let model = counters(4, 4, "skip");
    let (whole, chosen) = (run(&model, &Config::default()), run(&model, &auto()));
    assert_eq!([whole.report.verdict, chosen.report.verdict], [Verdict::Holds; 2]);
    let [whole, fewer] = [whole.found.outcome.states, chosen.found.outcome.states];
    assert!(whole > 1_000 && 4 * fewer < whole, "{whole} states, {fewer} where some are left out");
    let reported = &chosen.report.search;
    assert!(reported.reduction.is_some() || !reported.passes.is_empty(), "{reported:?}");
}

#[test]
fn a_violation_is_told_by_its_shortest_run() {
    let model = counters(4, 4, "assert(false)");
    let (whole, chosen) = (run(&model, &Config::default()), run(&model, &auto()));
    assert!(whole.found.outcome.states > 1_000);
    assert_eq!(chosen.report.verdict, Verdict::Violated);
    let depths =
        |checked: &CheckedModel| checked.report.violations.iter().map(|v| v.depth).collect::<Vec<_>>();
    assert_eq!(depths(&chosen), depths(&whole));
    let reason = chosen.report.search.reduction.and_then(|reported| reported.reason);
    assert!(reason.is_some_and(|reason| reason.contains("shortest")));
}

#[test]
fn a_violation_stays_one_where_the_whole_graph_is_too_much() {
    let model = counters(5, 12, "assert(false)");
    let checked = run(&model, &auto());
    assert_eq!(checked.report.verdict, Verdict::Violated);
    let reason = checked.report.search.reduction.and_then(|reported| reported.reason);
    assert!(reason.is_none_or(|reason| !reason.contains("shortest")));
    assert_eq!(checked.report.violations.len(), 1);
}

#[test]
fn nothing_is_left_out_where_steps_or_states_count() {
    let model = counters(4, 4, "skip");
    let limits = |limits: Limits| Config { limits, ..Config::default() };
    let default = Config::default().limits;
    let counted = |checked: &CheckedModel| {
        let outcome = &checked.found.outcome;
        (outcome.states, outcome.transitions, outcome.depth, outcome.stop, outcome.taken.clone())
    };
    for plain in [
        Config { shortest: true, ..Config::default() },
        limits(Limits { depth: Some(9), ..default }),
        limits(Limits { states: Some(500), ..default }),
        Config { store: StoreChoice::HashCompact, ..Config::default() },
        Config { order: Order::DepthFirst, shortest: true, ..Config::default() },
    ] {
        let chosen = Config {
            passes: auto().passes,
            reduction: Reduction::Stubborn,
            auto: Auto::All,
            ..plain.clone()
        };
        let (whole, chosen) = (run(&model, &plain), run(&model, &chosen));
        assert_eq!(counted(&chosen), counted(&whole));
    }
    assert_eq!(Config::default().passes, BTreeSet::new());
}

/// Notes the states of each search of a check, and ends it at a number of states.
struct Searches {
    until: u64,
    states: Vec<u64>,
}

impl Searches {
    /// The states of the searches of a check.
    fn of(model: &Arc<Model>, until: u64) -> (CheckedModel, Vec<u64>) {
        let mut searches = Searches { until, states: Vec::new() };
        let checked = check(model, &auto(), &mut searches);
        (checked, searches.states)
    }
}

impl Monitor for Searches {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        match self.states.last_mut() {
            Some(last) if *last <= progress.states => *last = progress.states,
            Some(_) | None => self.states.push(progress.states),
        }
        (progress.states >= self.until).then_some(Stop::Time)
    }
}

#[test]
fn a_reduction_that_leaves_out_nothing_ends_early() {
    // Every step reads and writes `n`.
    let model = model(
        "int n; byte a, b;
         active proctype P() { do :: a < 200 && n < 30000 -> a++; n++ :: a > 0 -> a--; n++ od }
         active proctype Q() { do :: b < 200 && n < 30000 -> b++; n++ :: b > 0 -> b--; n++ od }",
    );
    let (checked, searches) = Searches::of(&model, 60_000);
    let reason = checked.report.search.reduction.and_then(|reported| reported.reason);
    assert!(reason.is_some_and(|reason| reason.contains("too little to pay")));
    let [small, with_guards, probe, whole] = searches[..] else { panic!("{searches:?}") };
    assert!(small < 1_200 && with_guards < 8_000 && probe < 8_000 && whole >= 60_000, "{searches:?}");
}

#[test]
fn a_reduction_is_measured_by_its_work_and_by_how_far_it_gets() {
    // Wide guards need 300 elementary steps a state. Afterwards persistent sets leave out half of the
    // transitions, and as many states are farther from the initial state than without them.
    let text = include_str!("../../../../tests/reduction/link_layer.pml");
    let (checked, searches) = Searches::of(&model(&text.replace("#define N 2", "#define N 3")), 60_000);
    let reason = checked.report.search.reduction.and_then(|reported| reported.reason);
    assert_eq!(reason, None, "{searches:?}");
    let [_, with_guards, probe, same, whole] = searches[..] else { panic!("{searches:?}") };
    assert!(with_guards < 12_000, "it ends by its work: {searches:?}");
    assert!([probe, same].iter().all(|states| (9_000..12_000).contains(states)), "{searches:?}");
    assert!(whole >= 60_000);
    // With fewer nodes the analysis of guards ends by itself.
    let (checked, searches) = Searches::of(&model(text), u64::MAX);
    assert_eq!(checked.report.verdict, Verdict::Holds, "{searches:?}");
}

#[test]
fn the_choice_is_the_same_in_every_run() {
    let text = include_str!("../../../../tests/reduction/link_layer.pml");
    let model = model(&text.replace("#define N 2", "#define N 3"));
    assert_eq!(Searches::of(&model, 30_000), Searches::of(&model, 30_000));
}
