//! Property tests of the schedule: random outcomes, durations, numbers of workers and lost workers.
//!
//! A simulation with virtual time executes a round. The invariants are then checked on the log only,
//! by code that shares nothing with the schedule.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::simulation::{Scenario, simulate};
use axle_feaver::jobs::schedule::{Decision, Entry, Schedule};
use axle_feaver::jobs::task::{Conclusion, Outcome, Report, Step, Task};
use proptest::prelude::*;

/// A scenario; about one job in ten loses its worker.
fn scenario() -> impl Strategy<Value = Scenario> {
    (prop::collection::vec(0u32..4, 1..30), 1usize..12, any::<u64>(), 1u64..3000).prop_map(
        |(weights, workers, seed, budget)| Scenario {
            weights,
            workers,
            seed,
            budget: Duration::from_secs(budget),
            losses: true,
        },
    )
}

/// The decisions of a log.
fn decisions(log: &[Entry]) -> impl Iterator<Item = &Decision> {
    log.iter().map(|entry| &entry.decision)
}

/// The key of the order, written independently of `Priority`.
fn rank(task: Task, weights: &[u32]) -> (u8, i64, u32) {
    let cycle = match task.step {
        Step::Cycle(cycle) => cycle,
        Step::SecondPhase { found } | Step::Recheck { found } => found + 1,
    };
    (cycle, -i64::from(weights[task.run as usize]), task.run)
}

/// Jobs start in the order of cycle, weight and number among those that wait; each job that starts
/// was waiting; jobs in progress never exceed the workers, and a run has one job at a time.
fn starts_are_in_order(scenario: &Scenario, log: &[Entry]) {
    let mut waiting = BTreeSet::new();
    let mut started = BTreeSet::new();
    for decision in decisions(log) {
        match *decision {
            Decision::Queued(task) => assert!(waiting.insert(task)),
            Decision::Started(task) => {
                assert!(waiting.remove(&task), "{task} started without waiting");
                let first = waiting.iter().map(|&it| rank(it, &scenario.weights)).min();
                assert!(
                    first.is_none_or(|first| rank(task, &scenario.weights) < first),
                    "{task} starts early"
                );
                assert!(started.insert(task));
            }
            Decision::Returned(task) => assert!(started.remove(&task) && waiting.insert(task)),
            Decision::Finished(task, _) => assert!(started.remove(&task)),
            Decision::Withdrawn(task) => assert!(started.remove(&task) || waiting.remove(&task)),
            _ => {}
        }
        assert!(started.len() <= scenario.workers);
        let runs: BTreeSet<u32> = waiting.iter().chain(&started).map(|task| task.run).collect();
        assert_eq!(runs.len(), waiting.len() + started.len(), "a run has two jobs");
    }
    assert!(waiting.is_empty() && started.is_empty(), "the round ended with open jobs");
}

/// The first cycles of all runs start before the second cycle of any.
fn first_cycles_precede(log: &[Entry]) {
    let starts: Vec<Task> = decisions(log)
        .filter_map(|it| if let Decision::Started(task) = it { Some(*task) } else { None })
        .collect();
    let mut seen = BTreeSet::new();
    // A job that lost its worker starts again; its first start counts.
    let first_starts: Vec<&Task> = starts.iter().filter(|task| seen.insert(**task)).collect();
    let is_first = |task: &&&Task| task.step == Step::Cycle(0);
    let first = first_starts.iter().take_while(is_first).count();
    assert_eq!(first, first_starts.iter().filter(is_first).count());
}

/// Cycles of a run are finished once each and without gaps; a decided run has no further cycle; a
/// violated run has exactly one second phase.
fn runs_follow_their_outcomes(scenario: &Scenario, log: &[Entry]) {
    let spent = decisions(log).any(|it| *it == Decision::BudgetSpent);
    for run in (0..).take(scenario.weights.len()) {
        let finished: Vec<(Step, Outcome)> = decisions(log)
            .filter_map(|it| match it {
                Decision::Finished(task, outcome) if task.run == run => Some((task.step, *outcome)),
                _ => None,
            })
            .collect();
        let cycles: Vec<_> = finished.iter().filter(|(step, _)| matches!(step, Step::Cycle(_))).collect();
        for (number, (step, outcome)) in (0..).zip(&cycles) {
            assert_eq!(*step, Step::Cycle(number));
            let last = usize::from(number) + 1 == cycles.len();
            assert!(last || *outcome == Outcome::Inconclusive, "run {run} continues after {outcome:?}");
        }
        let second = decisions(log)
            .filter(|it| matches!(it, Decision::Queued(Task { run: of, step: Step::SecondPhase { .. } }) if *of == run))
            .count();
        let violated = cycles.iter().any(|(_, outcome)| *outcome == Outcome::Violated);
        assert_eq!(second, usize::from(violated));
        let shortened =
            decisions(log).filter(|it| matches!(it, Decision::Shortened(of, _) if *of == run)).count();
        assert!(shortened == second || spent);
    }
}

/// Each run has exactly one conclusion, which states its last outcome and what it reached.
fn conclusions_match(scenario: &Scenario, log: &[Entry]) {
    for run in (0..).take(scenario.weights.len()) {
        let concluded: Vec<Conclusion> = decisions(log)
            .filter_map(|it| match it {
                Decision::Concluded(of, conclusion) if *of == run => Some(*conclusion),
                _ => None,
            })
            .collect();
        let last = decisions(log)
            .filter_map(|it| match it {
                Decision::Finished(Task { run: of, step: Step::Cycle(cycle) }, outcome) if *of == run => {
                    Some((*cycle, *outcome))
                }
                _ => None,
            })
            .last();
        let [conclusion] = concluded[..] else { panic!("run {run} has the conclusions {concluded:?}") };
        match (last, conclusion) {
            (Some((cycle, Outcome::Holds)), Conclusion::Holds { cycle: stated }) => assert_eq!(cycle, stated),
            (Some((cycle, Outcome::Violated)), Conclusion::Violated { cycle: stated }) => {
                assert_eq!(cycle, stated);
            }
            (Some((cycle, Outcome::Inconclusive)), Conclusion::Unknown { reached: Some(reached) }) => {
                assert_eq!(cycle, reached.cycle);
                assert_eq!(reached.coverage, scenario.coverage(run, cycle));
            }
            (Some((cycle, Outcome::Failed)), Conclusion::Failed { reached }) => {
                assert_eq!(cycle.checked_sub(1), reached.map(|it| it.cycle));
            }
            (None, Conclusion::Unknown { reached: None }) => {}
            other => panic!("run {run}: {other:?}"),
        }
    }
}

/// After the budget is spent no job starts and no outcome is accepted.
fn the_budget_ends_the_round(scenario: &Scenario, log: &[Entry]) {
    let spent = log.iter().position(|entry| entry.decision == Decision::BudgetSpent);
    let late = |entry: &&Entry| matches!(entry.decision, Decision::Started(_) | Decision::Finished(..));
    match spent {
        Some(spent) => {
            assert!(log[spent].at >= scenario.budget);
            assert_eq!(log[spent..].iter().filter(late).count(), 0);
        }
        None => assert!(log.iter().all(|entry| entry.at < scenario.budget)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_round_keeps_its_invariants(scenario in scenario()) {
        let schedule = simulate(&scenario);
        let log = schedule.log();
        starts_are_in_order(&scenario, log);
        first_cycles_precede(log);
        runs_follow_their_outcomes(&scenario, log);
        conclusions_match(&scenario, log);
        the_budget_ends_the_round(&scenario, log);
    }

    #[test]
    fn verdicts_do_not_depend_on_the_workers(scenario in scenario(), workers in 1usize..50) {
        let unlimited = Scenario { budget: Duration::MAX, ..scenario };
        let other = Scenario { workers, losses: false, ..unlimited.clone() };
        let (one, two) = (simulate(&unlimited), simulate(&other));
        for run in (0..).take(unlimited.weights.len()) {
            prop_assert_eq!(one.conclusion(run), two.conclusion(run));
        }
    }

    #[test]
    fn equal_inputs_yield_equal_logs(scenario in scenario()) {
        let (one, two) = (simulate(&scenario), simulate(&scenario));
        prop_assert_eq!(one.log(), two.log());
    }
}

#[test]
fn the_order_is_cycle_then_weight_then_number() {
    let mut schedule = Schedule::new(&[1, 5, 1], Duration::from_secs(100));
    let report = |outcome| Report { outcome, coverage: Default::default() };
    let mut order = Vec::new();
    while let Some(task) = schedule.start_next() {
        order.push(task.to_string());
        let outcome = match (task.run, task.step) {
            (0, Step::Cycle(0)) => Outcome::Violated,
            (1, Step::Cycle(1)) | (2, Step::Cycle(2)) => Outcome::Holds,
            _ => Outcome::Inconclusive,
        };
        schedule.finish(task, report(outcome)).unwrap();
    }
    assert_eq!(
        order,
        ["1/cycle-0", "0/cycle-0", "2/cycle-0", "1/cycle-1", "0/second-0", "2/cycle-1", "2/cycle-2"]
    );
    assert_eq!(schedule.conclusion(0), Some(Conclusion::Violated { cycle: 0 }));
    assert!(schedule.is_over());
}

#[test]
fn a_report_is_accepted_once_and_not_after_the_budget() {
    let mut schedule = Schedule::new(&[0, 0], Duration::from_secs(10));
    let report = Report { outcome: Outcome::Inconclusive, coverage: Default::default() };
    let first = schedule.start_next().unwrap();
    schedule.finish(first, report).unwrap();
    assert!(schedule.finish(first, report).is_err());
    let second = schedule.start_next().unwrap();
    schedule.advance(Duration::from_secs(9));
    // A clock that was set back neither ends nor extends the round.
    schedule.advance(Duration::from_secs(2));
    assert!(!schedule.is_over());
    schedule.advance(Duration::from_secs(10));
    assert!(schedule.is_over());
    assert!(schedule.finish(second, report).is_err());
    assert!(schedule.start_next().is_none());
    assert!(matches!(schedule.conclusion(0), Some(Conclusion::Unknown { reached: Some(_) })));
    assert_eq!(schedule.conclusion(1), Some(Conclusion::Unknown { reached: None }));
}

#[test]
fn a_cancelled_run_has_no_further_job() {
    let mut schedule = Schedule::new(&[0, 0], Duration::from_secs(10));
    let first = schedule.start_next().unwrap();
    schedule.cancel(first.run);
    schedule.cancel(7);
    let report = Report { outcome: Outcome::Holds, coverage: Default::default() };
    assert!(schedule.finish(first, report).is_err());
    assert_eq!(schedule.conclusion(0), Some(Conclusion::Unknown { reached: None }));
    let second = schedule.start_next().unwrap();
    assert_eq!(second.run, 1);
}
