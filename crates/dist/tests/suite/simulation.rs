//! Deterministic simulation: many workers of which only one runs at a time, chosen by a seed. Messages are
//! thus delayed in every possible way, and a run is repeated exactly by its seed.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard};

use axle_compare::models::models;
use axle_dist::{Pace, Setup};
use axle_search::{Limits, Options, Stop};

use crate::compared::{Directory, distributed, essence, model, number, reference};

/// Passes the permission to run from worker to worker.
struct Baton {
    state: Mutex<State>,
    turns: Vec<Condvar>,
}

struct State {
    /// The worker that runs; none before all have arrived.
    running: Option<usize>,
    waiting: Vec<bool>,
    left: Vec<bool>,
    random: u64,
    /// Fingerprint of the run, and number of its steps.
    digest: u64,
    steps: u64,
}

impl State {
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        self.random >> 33
    }

    /// Chooses the next worker among those that have not left, when all of them wait. For a while a third of
    /// them is delayed, then another third.
    fn choose(&mut self) {
        let alive: Vec<usize> = (0..self.left.len()).filter(|&worker| !self.left[worker]).collect();
        let phase = self.steps / 64 + self.digest % 3;
        let prompt = alive
            .iter()
            .copied()
            .filter(|&worker| !(worker as u64 + phase).is_multiple_of(3))
            .collect::<Vec<_>>();
        let all_wait = alive.iter().all(|&worker| self.waiting[worker]);
        self.running = None;
        if all_wait && !alive.is_empty() {
            let among = if prompt.is_empty() || self.next().is_multiple_of(16) { &alive } else { &prompt };
            let chosen = among[self.next() as usize % among.len()];
            self.running = Some(chosen);
        }
    }
}

impl Baton {
    fn new(workers: usize, seed: u64) -> Baton {
        let state = State {
            running: None,
            waiting: vec![false; workers],
            left: vec![false; workers],
            random: seed,
            digest: 0,
            steps: 0,
        };
        Baton { state: Mutex::new(state), turns: (0..workers).map(|_| Condvar::new()).collect() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn wake(&self, state: &State) {
        if let Some(running) = state.running {
            self.turns[running].notify_all();
        }
    }

    fn digest(&self) -> (u64, u64) {
        let state = self.lock();
        (state.steps, state.digest)
    }
}

impl Pace for Baton {
    fn next_step(&self, worker: usize, event: u64) {
        let mut state = self.lock();
        state.waiting[worker] = true;
        if state.running.is_none() || state.running == Some(worker) {
            state.choose();
            self.wake(&state);
        }
        while state.running != Some(worker) {
            state = self.turns[worker].wait(state).unwrap();
        }
        state.waiting[worker] = false;
        state.steps += 1;
        state.digest =
            (state.digest ^ event ^ worker as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7);
    }

    fn leave(&self, worker: usize) {
        let mut state = self.lock();
        state.left[worker] = true;
        if state.running.is_none() || state.running == Some(worker) {
            state.choose();
            self.wake(&state);
        }
    }
}

#[test]
fn equal_seeds_give_equal_runs() {
    let model = model("bench/small/peterson.pml");
    let expected = essence(&reference(&model, &Options::default()));
    let mut digests = Vec::new();
    for seed in [1, 2, 3] {
        let runs: Vec<_> = (0..2)
            .map(|_| {
                let baton = Baton::new(10, seed);
                let setup = Setup { pace: Some(&baton), quota: Some(5), ..Setup::default() };
                let searched = distributed(&model, 10, setup, &Options::default()).unwrap();
                assert_eq!(essence(&searched.outcome), expected, "seed {seed}");
                baton.digest()
            })
            .collect();
        assert_eq!(runs[0], runs[1], "seed {seed}");
        digests.push(runs[0]);
    }
    digests.dedup();
    assert_eq!(digests.len(), 3, "different seeds give different runs");
}

#[test]
fn a_hundred_workers_are_simulated() {
    let model = model("bench/small/peterson.pml");
    let expected = essence(&reference(&model, &Options::default()));
    let baton = Baton::new(100, 7);
    let setup = Setup { pace: Some(&baton), ..Setup::default() };
    let searched = distributed(&model, 100, setup, &Options::default()).unwrap();
    assert_eq!(essence(&searched.outcome), expected);
}

#[test]
fn no_order_of_steps_changes_the_outcome() {
    for (number, (name, model)) in models("tests/conformance").into_iter().enumerate() {
        if number % 4 != 0 {
            continue;
        }
        let expected = essence(&reference(&model, &Options::default()));
        if expected.states > 500 {
            continue;
        }
        for seed in 0..2 {
            let workers = 3 + number % 5;
            let baton = Baton::new(workers, seed);
            let setup = Setup { pace: Some(&baton), quota: Some(2), ..Setup::default() };
            let searched = distributed(&model, workers, setup, &Options::default()).unwrap();
            assert_eq!(essence(&searched.outcome), expected, "{name}, seed {seed}");
        }
    }
}

/// The simulated searches of a test; a longer run names others.
struct Simulations {
    runs: Range<u64>,
    /// Number of workers; none if it depends on the run.
    workers: Option<usize>,
    /// States of the largest model.
    states: u64,
}

fn simulations() -> Simulations {
    let first = number("AXLE_DIST_FIRST").unwrap_or(0);
    Simulations {
        runs: first..first + number("AXLE_DIST_SIMULATIONS").unwrap_or(6),
        workers: number("AXLE_DIST_SIMULATED_WORKERS").map(|workers| workers as usize),
        states: number("AXLE_DIST_SIMULATED_STATES").unwrap_or(2_000),
    }
}

/// A simulated search in a directory, and the fingerprint of its run.
fn simulated(
    model: &std::sync::Arc<axle_model::Model>,
    (workers, seed): (usize, u64),
    (directory, memory, states): (&Directory, u64, Option<u64>),
) -> (axle_search::Outcome, Option<u64>, (u64, u64)) {
    let baton = Baton::new(workers, seed);
    let setup = Setup {
        pace: Some(&baton),
        quota: Some(1 + seed % 7),
        directory: Some(directory.path()),
        memory,
        ..Setup::default()
    };
    let options = Options { limits: Limits { states, ..Limits::default() }, ..Options::default() };
    let searched = distributed(model, workers, setup, &options).unwrap();
    (searched.outcome, searched.resumed_at, baton.digest())
}

/// Searches with delays that end at limits on memory and states and are resumed by other numbers of workers
/// have the outcome of one search, and are repeated exactly by their seeds.
#[test]
fn simulated_searches_are_resumed_after_limits() {
    let Simulations { runs, workers: fixed, states } = simulations();
    let models: Vec<_> = models("tests/conformance").into_iter().chain(models("bench/small")).collect();
    let small =
        Options { limits: Limits { states: Some(states), ..Limits::default() }, ..Options::default() };
    let known: Vec<_> = models
        .iter()
        .map(|(name, model)| (name, model, essence(&reference(model, &small))))
        .filter(|(_, _, expected)| expected.stop.is_none() && expected.states > 30)
        .collect();
    let (mut resumed, mut limited, mut repeated) = (0, 0, 0);
    for run in runs.clone() {
        if run > 0 && run.is_multiple_of(1000) {
            println!("before run {run}: {limited} limits, {resumed} resumptions, {repeated} repetitions");
        }
        let seed = run.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let (name, model, expected) = &known[(seed % known.len() as u64) as usize];
        let workers = |attempt: u64| fixed.unwrap_or(2 + ((seed >> 8) + 3 * attempt) as usize % 9);
        let directory = Directory::new(&format!("simulated-{run}"));
        let limits = [
            (u64::MAX, Some(expected.states / 3)),
            ((1 << 13) * (1 + (seed >> 16) % 64), None),
            (u64::MAX, Some(expected.states / 2 + 1)),
            (u64::MAX, None),
        ];
        for (attempt, (memory, states)) in (0..).zip(limits) {
            let how = (workers(attempt), seed + attempt);
            let (outcome, from, digest) = simulated(model, how, (&directory, memory, states));
            resumed += u64::from(from.is_some_and(|level| level > 0));
            match outcome.stop {
                None => assert_eq!(essence(&outcome), *expected, "{name}, run {run}, attempt {attempt}"),
                Some(stop) => {
                    let expected_stop = if states.is_some() { Stop::States } else { Stop::Memory };
                    assert_eq!(stop, expected_stop, "{name}, run {run}, attempt {attempt}");
                    assert!(attempt < 3, "{name}, run {run}");
                    limited += 1;
                }
            }
            if run % 10 == 0 && attempt == 0 {
                let other = Directory::new(&format!("repeated-{run}"));
                assert_eq!(simulated(model, how, (&other, memory, states)).2, digest, "{name}, run {run}");
                repeated += 1;
            }
        }
    }
    let runs = runs.end - runs.start;
    println!("{runs} runs, {limited} limits, {resumed} resumptions, {repeated} repetitions");
    assert!(resumed > runs / 2 && limited > runs / 2 && repeated > 0, "{resumed}, {limited}, {repeated}");
}
