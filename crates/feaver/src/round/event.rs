//! Events of a round for display: on a terminal, as JSON lines, or as the events of a server.
//!
//! *Entry point:* [`Stamped`], returned by [`crate::round::driver::Driver::step`].

use axle_check::Verdict;
use axle_outcome::Count;
use axle_search::Progress;
use serde::{Deserialize, Serialize};

use crate::jobs::job::RoundId;
use crate::jobs::task::Task;

/// An event and its time in seconds since the beginning of the round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamped {
    /// Seconds since the beginning of the round.
    pub at: f64,
    /// The event.
    #[serde(flatten)]
    pub event: RoundEvent,
}

/// A change of a round. Runs are given by number and name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum RoundEvent {
    /// The round began, or is continued after its driver was lost.
    Begun {
        /// The round.
        round: RoundId,
        /// Number of runs.
        runs: u32,
        /// Number of verdicts that were carried over.
        carried: u32,
        /// Whether the round is continued.
        resumed: bool,
    },
    /// A worker started a job.
    Started {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// The job.
        task: Task,
        /// The worker.
        worker: String,
        /// Number of the attempt, from 1.
        attempt: u32,
    },
    /// The progress of a job.
    Progress {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// The job.
        task: Task,
        /// The progress of its search.
        progress: Progress,
        /// Seconds since the start of the job.
        seconds: f64,
    },
    /// A job waits again, because its worker failed or was lost.
    Returned {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// The job.
        task: Task,
        /// The reason.
        reason: String,
    },
    /// A job ended with a result.
    Finished {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// The job.
        task: Task,
        /// Its verdict.
        verdict: Verdict,
        /// Its duration in seconds.
        seconds: f64,
        /// Stored states.
        states: Count,
    },
    /// A run left the round.
    Concluded {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// The verdict.
        verdict: Verdict,
        /// The last cycle that ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        cycle: Option<u8>,
        /// Why the verdict is unknown.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Number of steps of the violating execution.
        #[serde(skip_serializing_if = "Option::is_none")]
        steps: Option<u64>,
    },
    /// The second phase of a violated run ended.
    Shortened {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// What decides which one is shorter: `event`, `call` or `step`.
        #[serde(default)]
        unit: String,
        /// The number of these in the first execution.
        before: u64,
        /// The number of these in the shorter execution, if one was found.
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
    },
    /// Another machine has decided a run differently: one of them is wrong.
    Contradicted {
        /// The number of the run.
        run: u32,
        /// The name of the run.
        name: String,
        /// Both answers.
        reason: String,
    },
    /// The round ends early: jobs in progress finish, and no other starts.
    Ending {
        /// Whether the budget was spent; otherwise the round was cancelled.
        budget: bool,
    },
    /// The round ended.
    Ended {
        /// Runs that hold.
        holds: u32,
        /// Violated runs.
        violated: u32,
        /// Undecided runs.
        unknown: u32,
    },
}
