//! Deterministic simulation: many workers of which only one runs at a time, chosen by a seed. Messages are
//! thus delayed in every possible way, and a run is repeated exactly by its seed.

use std::sync::{Condvar, Mutex, MutexGuard};

use axle_compare::models::models;
use axle_dist::{Pace, Setup};
use axle_search::Options;

use crate::compared::{distributed, essence, model, reference};

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

    /// Chooses the next worker among those that have not left, when all of them wait.
    fn choose(&mut self) {
        let alive: Vec<usize> = (0..self.left.len()).filter(|&worker| !self.left[worker]).collect();
        let all_wait = alive.iter().all(|&worker| self.waiting[worker]);
        self.running = None;
        if all_wait && !alive.is_empty() {
            let chosen = alive[self.next() as usize % alive.len()];
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
