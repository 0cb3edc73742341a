//! What the server needs of the program to start rounds and to answer questions.
//!
//! *Entry point:* [`Rounds`].

use axle_feaver::execute::Outcome;
use axle_feaver::jobs::job::RoundId;
use axle_feaver::jobs::task::Task;
use axle_feaver::round::payload::Payload;

/// A result whose execution was replayed, or the reason why it is refused.
pub type Confirmed = Result<Outcome, String>;

/// A round to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Names of properties; empty: all.
    pub properties: Vec<String>,
    /// Names of constraints; empty: all that the properties are verified under.
    pub constraints: Vec<String>,
    /// Whether runs with a verdict are verified again.
    pub again: bool,
}

/// The trigger of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A change of files.
    Change,
    /// The hook of a repository.
    Hook,
    /// A time of day.
    Time,
}

impl Cause {
    /// The cause in words: "started by ...".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Cause::Change => "a change of files",
            Cause::Hook => "the hook of the repository",
            Cause::Time => "the time of day",
        }
    }
}

/// A question: whether the software can show a sequence of events, or reach a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inquiry {
    /// The events, one a line; empty for a question about a line.
    pub events: String,
    /// `FILE:LINE`; empty for a question about events.
    pub line: String,
    /// The constraint; empty: every provisioning.
    pub constraint: String,
}

/// A round that this server started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What was asked for.
    pub order: Order,
    /// The last round that existed before; the new one has a larger number.
    pub after: Option<RoundId>,
    /// Why it ended without a result, if it did.
    pub failure: Option<String>,
    /// Whether it is executed now.
    pub running: bool,
}

/// Starts rounds.
pub trait Rounds: Send + Sync {
    /// Starts a round.
    ///
    /// # Errors
    /// The reason why it cannot be started, with the remedy.
    fn start(&self, order: &Order, after: Option<RoundId>) -> Result<(), String>;

    /// The latest round that was started here.
    fn progress(&self) -> Option<Progress>;

    /// Answers a question about the software: the JSON of `axle diagnose`.
    ///
    /// # Errors
    /// The question is invalid, or another one is being answered.
    fn diagnose(&self, question: &Inquiry) -> Result<String, String>;

    /// Searches for an execution that satisfies a property under a constraint: the one that is nearest
    /// to the execution of a trail, or without a trail a short one. The result is the JSON of
    /// `axle diagnose --satisfying`.
    ///
    /// # Errors
    /// The search cannot be started, another one is in progress, or the trail does not belong to the
    /// software.
    fn satisfying(&self, property: &str, constraint: &str, trail: Option<&str>) -> Result<String, String>;

    /// Replays the execution of a result that another machine found for a job, outside of this process and
    /// within limits. The answer is the result as it was replayed, or the reason why it is refused.
    ///
    /// # Errors
    /// The replay was not possible at present.
    fn confirm(&self, job: (Task, &Payload), outcome: &Outcome) -> Result<Confirmed, String>;

    /// The command that does the same on a terminal.
    fn command(&self, order: &Order) -> String;
}
