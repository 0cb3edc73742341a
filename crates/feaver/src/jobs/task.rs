//! The jobs of a run, their outcomes, and the job that follows from an outcome.
//!
//! *Entry point:* [`next`], used by the schedule and by the follow-up jobs of a completion.
//! *Invariant:* a run has at most one job per cycle and at most one second phase.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::jobs::job::Priority;

/// The last cycle: the exact search.
pub const LAST_CYCLE: u8 = 7;

/// A job of a run, serialised as its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Task {
    /// The number of the run within its round.
    pub run: u32,
    /// The part of the run.
    pub step: Step,
}

impl From<Task> for String {
    fn from(task: Task) -> String {
        task.to_string()
    }
}

impl TryFrom<String> for Task {
    type Error = String;

    fn try_from(key: String) -> Result<Task, String> {
        Task::parse(&key).ok_or_else(|| format!("`{key}` is no key of a job"))
    }
}

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A search of this cycle, from 0 to [`LAST_CYCLE`].
    Cycle(u8),
    /// The search for a shorter execution of a run that was violated in cycle `found`.
    SecondPhase {
        /// The cycle that found the violation.
        found: u8,
    },
    /// The exact search of another machine for a run that a machine behind a token decided in cycle
    /// `found`.
    Recheck {
        /// The cycle of the verdict.
        found: u8,
    },
}

impl Task {
    /// The rank in the queue. The second phase is ordered with the cycle after the violation, so that
    /// it delays no search that the violated run itself would not have delayed.
    pub fn priority(self, weight: u32) -> Priority {
        let cycle = match self.step {
            Step::Cycle(cycle) => cycle,
            Step::SecondPhase { found } | Step::Recheck { found } => found.saturating_add(1),
        };
        Priority { cycle, weight, number: self.run }
    }

    /// Parses the form of `Display`.
    pub fn parse(key: &str) -> Option<Self> {
        let (run, step) = key.split_once('/')?;
        let (kind, cycle) = step.split_once('-')?;
        let cycle = cycle.parse().ok().filter(|&cycle| cycle <= LAST_CYCLE)?;
        let step = match kind {
            "cycle" => Step::Cycle(cycle),
            "second" => Step::SecondPhase { found: cycle },
            "recheck" => Step::Recheck { found: cycle },
            _ => return None,
        };
        Some(Self { run: run.parse().ok()?, step })
    }
}

/// The key of the job within its round, for example `12/cycle-3`.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Step::Cycle(cycle) => write!(f, "{}/cycle-{cycle}", self.run),
            Step::SecondPhase { found } => write!(f, "{}/second-{found}", self.run),
            Step::Recheck { found } => write!(f, "{}/recheck-{found}", self.run),
        }
    }
}

/// Outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An execution violates the property. In the second phase: a shorter one does.
    Violated,
    /// An exact search found no violation.
    Holds,
    /// The search found no violation and was not exact.
    Inconclusive,
    /// The job failed for good, for example after too many lost workers.
    Failed,
}

/// A number of visited elements and their total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fraction {
    /// Visited elements.
    pub visited: u64,
    /// All elements.
    pub total: u64,
}

/// Coverage of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// States of the automaton of the property.
    pub automaton: Fraction,
    /// Statements of the model.
    pub model: Fraction,
}

/// Report on a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The outcome.
    pub outcome: Outcome,
    /// Coverage of the search.
    pub coverage: Coverage,
}

/// The last cycle of a run that ended, with its coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The cycle.
    pub cycle: u8,
    /// Coverage of its search.
    pub coverage: Coverage,
}

/// Conclusion of a run within a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// An exact search of this cycle found no violation.
    Holds {
        /// The cycle.
        cycle: u8,
    },
    /// A search of this cycle found a violation.
    Violated {
        /// The cycle.
        cycle: u8,
    },
    /// Undecided when the last cycle or the round ended.
    Unknown {
        /// The last cycle that ended, if any.
        reached: Option<Reached>,
    },
    /// A job of the run failed.
    Failed {
        /// The last cycle that ended, if any.
        reached: Option<Reached>,
    },
}

/// Result of the second phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shorter {
    /// A shorter execution was found. Both are kept.
    Found,
    /// None was found; the first execution is kept.
    NotFound,
}

/// What follows from the outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next cycle of the run.
    Cycle(Task),
    /// The second phase of the run, which is violated.
    SecondPhase(Task),
    /// No further job.
    Leave,
}

/// The job that follows from the outcome of a job.
pub fn next(task: Task, outcome: Outcome) -> Next {
    let run = task.run;
    match (task.step, outcome) {
        (Step::Cycle(found), Outcome::Violated) => {
            Next::SecondPhase(Task { run, step: Step::SecondPhase { found } })
        }
        (Step::Cycle(cycle), Outcome::Inconclusive) if cycle < LAST_CYCLE => {
            Next::Cycle(Task { run, step: Step::Cycle(cycle + 1) })
        }
        _ => Next::Leave,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_parsed_as_they_are_written() {
        let steps = |it| [Step::Cycle(it), Step::SecondPhase { found: it }, Step::Recheck { found: it }];
        for step in (0..=LAST_CYCLE).flat_map(steps) {
            let task = Task { run: 12, step };
            assert_eq!(Task::parse(&task.to_string()), Some(task));
        }
        for wrong in ["", "1", "1/cycle", "1/cycle-8", "x/cycle-1", "1/third-1", "1/second-8"] {
            assert_eq!(Task::parse(wrong), None, "{wrong}");
        }
    }
}
