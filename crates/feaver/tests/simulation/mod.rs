//! A round with simulated workers in virtual time.

use std::collections::BTreeSet;
use std::time::Duration;

use axle_feaver::jobs::schedule::Schedule;
use axle_feaver::jobs::task::{Coverage, Fraction, Outcome, Report, Step, Task};

/// A round whose outcomes are a function of the seed.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Weight of each run.
    pub weights: Vec<u32>,
    /// Number of workers.
    pub workers: usize,
    /// Seed of outcomes and durations.
    pub seed: u64,
    /// Budget of the round.
    pub budget: Duration,
    /// Whether workers are lost.
    pub losses: bool,
}

impl Scenario {
    /// A number that depends on the seed and these values only (the finaliser of SplitMix64).
    fn random(&self, values: [u64; 3]) -> u64 {
        values.iter().fold(self.seed, |state, value| {
            let mut z = (state ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        })
    }

    /// Outcome of a job: one cycle in eight finds a violation, one in eight is exact.
    pub fn outcome(&self, task: Task) -> Outcome {
        let (phase, number) = match task.step {
            Step::Cycle(cycle) => (0, cycle),
            Step::SecondPhase { found } | Step::Recheck { found } => (1, found),
        };
        match self.random([task.run.into(), phase, number.into()]) % 64 {
            0..8 => Outcome::Violated,
            8..16 => Outcome::Holds,
            16 => Outcome::Failed,
            _ => Outcome::Inconclusive,
        }
    }

    /// Coverage of a cycle.
    pub fn coverage(&self, run: u32, cycle: u8) -> Coverage {
        let visited = self.random([run.into(), 2, cycle.into()]) % 100;
        Coverage { automaton: Fraction { visited, total: 100 }, model: Fraction::default() }
    }
}

/// Executes a round to its end.
pub fn simulate(scenario: &Scenario) -> Schedule {
    let mut schedule = Schedule::new(&scenario.weights, scenario.budget);
    // Jobs in progress by the time of their end; the number distinguishes attempts.
    let mut busy: BTreeSet<(u64, u64, Task)> = BTreeSet::new();
    let mut number = 0;
    let mut time = 0;
    while !schedule.is_over() {
        while busy.len() < scenario.workers {
            let Some(task) = schedule.start_next() else { break };
            number += 1;
            let duration = scenario.random([number, 3, task.run.into()]) % 60;
            busy.insert((time + duration, number, task));
        }
        let Some((end, attempt, task)) = busy.pop_first() else { break };
        time = end;
        schedule.advance(Duration::from_secs(time));
        let lost = scenario.losses && scenario.random([attempt, 4, 0]).is_multiple_of(10);
        let cycle = if let Step::Cycle(cycle) = task.step { cycle } else { 0 };
        let report = Report { outcome: scenario.outcome(task), coverage: scenario.coverage(task.run, cycle) };
        // The refusal of a report after the end of the round is what is simulated.
        let _ = if lost { schedule.lose(task) } else { schedule.finish(task, report) };
    }
    schedule
}
