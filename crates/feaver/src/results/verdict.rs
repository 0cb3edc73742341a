//! Rounds, runs and verdicts as plain data.

use std::fmt;
use std::time::Duration;

use axle_outcome::Count;
use serde::{Deserialize, Serialize};

use crate::jobs::job::{RoundId, Timestamp};
use crate::jobs::task::Coverage;
use crate::results::key::{Hash, Key};

/// A round to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRound {
    /// The version of the sources, for example a commit or a hash.
    pub source_version: String,
    /// The version of Axle.
    pub axle_version: String,
    /// The budget.
    pub budget: Duration,
}

/// A recorded round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The id.
    pub id: RoundId,
    /// The round as it was recorded.
    pub recorded: NewRound,
    /// When it began.
    pub begun: Timestamp,
    /// When it ended.
    pub ended: Option<Timestamp>,
}

/// A run of a round: a property under a provisioning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number within the round.
    pub number: u32,
    /// The name of the property.
    pub property: String,
    /// The feature of the property.
    pub feature: String,
    /// The name of the provisioning; empty without one.
    pub provisioning: String,
    /// The text of the property in this version.
    pub property_text: String,
    /// The options of the search.
    pub options: String,
    /// The hash of everything that the verdict depends on.
    pub key: Key,
}

/// Answer to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// An exact search found no violation.
    Holds,
    /// An execution violates the property.
    Violated,
    /// Not decided.
    Unknown,
    /// The check failed.
    Failed,
}

impl Answer {
    /// All answers.
    pub const ALL: [Self; 4] = [Self::Holds, Self::Violated, Self::Unknown, Self::Failed];

    /// The name in the database and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
        }
    }

    /// Whether the answer decides the property.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Holds | Self::Violated)
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answer| answer.name() == name)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Resources of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Stored states.
    pub states: Count,
    /// Seconds of real time.
    pub seconds: f64,
    /// Peak memory in bytes.
    pub memory: u64,
}

/// The verdict of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// The last cycle that ended, if any.
    pub cycle: Option<u8>,
    /// Resources of the search of that cycle.
    pub statistics: Statistics,
    /// Coverage of the search of that cycle.
    pub coverage: Coverage,
    /// The round whose verdict was carried over, if the run was not searched.
    pub carried_from: Option<RoundId>,
    /// The machine that decided the run, if it is known.
    pub machine: Option<Machine>,
}

/// A machine that decides runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the worker, as it gives it itself.
    pub name: String,
    /// The token under which it takes jobs of a server; none for a process with access to the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.token {
            Some(token) => write!(f, "{} (token {token})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The search that a witness comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The first search that decided the run. Its content is the whole result, with the execution of a
    /// violation ([`crate::results::ledger::Kept`]).
    First,
    /// The second phase: the shortest execution.
    Shortest,
    /// The second phase: the likeliest execution.
    Likeliest,
}

impl Phase {
    /// All phases.
    pub const ALL: [Self; 3] = [Self::First, Self::Shortest, Self::Likeliest];

    /// The name in the database and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Shortest => "shortest",
            Self::Likeliest => "likeliest",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }
}

/// A verdict to record, with the executions that prove it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewVerdict {
    /// The round.
    pub round: RoundId,
    /// The number of the run.
    pub run: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// Executions. Equal contents are stored once.
    pub witnesses: Vec<(Phase, Vec<u8>)>,
    /// Whether another machine has contradicted the recorded verdict, which this one replaces.
    pub contradicts: bool,
}

/// A verdict with its run and round.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The round.
    pub round: RoundId,
    /// The version of the sources.
    pub source_version: String,
    /// The version of Axle.
    pub axle_version: String,
    /// The run.
    pub run: Run,
    /// The verdict.
    pub verdict: Verdict,
    /// When it was recorded.
    pub at: Timestamp,
    /// Hashes of the executions, see [`crate::results::history::History::content`].
    pub witnesses: Vec<(Phase, Hash)>,
}

/// Number of latest verdicts of a feature, by answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureCounts {
    /// The feature.
    pub feature: String,
    /// Runs that hold.
    pub holds: u64,
    /// Violated runs.
    pub violated: u64,
    /// Undecided runs.
    pub unknown: u64,
    /// Failed runs.
    pub failed: u64,
}
