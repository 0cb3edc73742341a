//! The order in which jobs are leased.

use std::time::Duration;

use axle_feaver::jobs::job::{Completion, LeaseRequest, NewJob, RoundId, Timestamp};
use axle_feaver::jobs::schedule::{Decision, Schedule};
use axle_feaver::jobs::task::{Next, Report, Step, Task, next};

use crate::simulation::Scenario;
use crate::support::{Place, job, keys, request};

pub fn leases_follow_the_priority(place: &Place) {
    let store = place.open();
    let jobs = [
        job("late", 1, 9, 0),
        job("second", 0, 5, 2),
        job("first", 0, 5, 1),
        job("light", 0, 1, 0),
        job("equal 1", 2, 0, 0),
        job("equal 2", 2, 0, 0),
    ];
    store.submit(&jobs, Timestamp(0)).unwrap();
    let leased = store.lease(&request(3), Timestamp(0)).unwrap();
    assert_eq!(keys(&leased), ["first", "second", "light"]);
    // A job that is submitted later takes its place by priority.
    store.submit(&[job("urgent", 0, 0, 7)], Timestamp(0)).unwrap();
    let leased = store.lease(&request(9), Timestamp(0)).unwrap();
    assert_eq!(keys(&leased), ["urgent", "late", "equal 1", "equal 2"]);
    assert!(store.lease(&request(9), Timestamp(0)).unwrap().is_empty());
}

pub fn a_round_can_be_selected(place: &Place) {
    let store = place.open();
    let second = NewJob { round: RoundId(2), ..job("x", 5, 0, 0) };
    store.submit(&[job("a", 0, 0, 0), second], Timestamp(0)).unwrap();
    let only = |round| LeaseRequest { round: Some(RoundId(round)), ..request(5) };
    assert_eq!(keys(&store.lease(&only(2), Timestamp(0)).unwrap()), ["x"]);
    assert!(store.lease(&only(2), Timestamp(0)).unwrap().is_empty());
    assert_eq!(keys(&store.lease(&request(5), Timestamp(0)).unwrap()), ["a"]);
}

/// The queue with follow-up jobs in completions executes a round in the order of the schedule.
pub fn the_order_is_that_of_the_schedule(place: &Place) {
    let scenario = Scenario {
        weights: vec![3, 0, 1, 1, 3, 2, 0, 0, 2, 1],
        workers: 1,
        seed: 7,
        budget: Duration::MAX,
        losses: false,
    };
    let new = |task: Task| NewJob {
        round: RoundId(1),
        key: task.to_string(),
        priority: task.priority(scenario.weights[task.run as usize]),
        max_failures: 1,
        payload: Vec::new(),
        avoid: None,
    };

    let mut schedule = Schedule::new(&scenario.weights, scenario.budget);
    while let Some(task) = schedule.start_next() {
        let report = Report { outcome: scenario.outcome(task), coverage: Default::default() };
        schedule.finish(task, report).unwrap();
    }
    let expected: Vec<String> = schedule
        .log()
        .iter()
        .filter_map(|entry| match entry.decision {
            Decision::Started(task) => Some(task.to_string()),
            _ => None,
        })
        .collect();

    let store = place.open();
    let first: Vec<NewJob> =
        (0..).take(scenario.weights.len()).map(|run| new(Task { run, step: Step::Cycle(0) })).collect();
    store.submit(&first, Timestamp(0)).unwrap();
    let mut order = Vec::new();
    while let Some(leased) = store.lease(&request(1), Timestamp(0)).unwrap().pop() {
        let task = Task::parse(&leased.job.key).unwrap();
        let follow_ups = match next(task, scenario.outcome(task)) {
            Next::Cycle(task) | Next::SecondPhase(task) => vec![new(task)],
            Next::Leave => Vec::new(),
        };
        store.complete(leased.lease, &Completion { result: Vec::new(), follow_ups }, Timestamp(0)).unwrap();
        order.push(leased.job.key);
    }
    assert_eq!(order, expected);
}
