//! The states of a run that pages show, each with a word, an icon and a colour.
//!
//! *Entry point:* [`State`].

use axle_feaver::results::verdict::Answer;

/// What is known of a run. The order is that of attention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// An execution violates the property.
    Violated,
    /// The property or something that it needs has errors.
    InError,
    /// The check failed.
    Failed,
    /// An execution violates the property, as expected.
    KnownFault,
    /// Not decided.
    Unknown,
    /// The latest verdict is that of an earlier version.
    Changed,
    /// Not verified yet.
    #[default]
    New,
    /// It holds, perhaps for a trivial reason.
    Vacuous,
    /// It holds.
    Holds,
}

impl State {
    /// All states in the order of attention.
    pub const ALL: [State; 9] = [
        State::Violated,
        State::InError,
        State::Failed,
        State::KnownFault,
        State::Unknown,
        State::Changed,
        State::New,
        State::Vacuous,
        State::Holds,
    ];

    /// The state of a verdict of the present version.
    #[must_use]
    pub fn of(answer: Answer, is_known_fault: bool, is_vacuous: bool) -> State {
        match answer {
            Answer::Holds if is_vacuous => State::Vacuous,
            Answer::Holds => State::Holds,
            Answer::Violated if is_known_fault => State::KnownFault,
            Answer::Violated => State::Violated,
            Answer::Unknown => State::Unknown,
            Answer::Failed => State::Failed,
        }
    }

    /// Whether there is no verdict of the present version.
    #[must_use]
    pub fn lacks_verdict(self) -> bool {
        matches!(self, State::Changed | State::New)
    }

    /// The word on pages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            State::Violated => "violated",
            State::InError => "error",
            State::Failed => "failed",
            State::KnownFault => "known fault",
            State::Unknown => "unknown",
            State::Changed => "changed",
            State::New => "new",
            State::Vacuous => "vacuous",
            State::Holds => "holds",
        }
    }

    /// The name in addresses, style sheets and data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::KnownFault => "known-fault",
            State::InError => "in-error",
            other => other.word(),
        }
    }

    /// The state of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }

    /// What the state means, for readers who see it for the first time.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            State::Violated => "an execution violates the property",
            State::InError => "the property, or something that it needs, has errors",
            State::Failed => "the check ended with an internal error",
            State::KnownFault => "violated, and expected to be",
            State::Unknown => "no violation was found, and the search was not exhaustive",
            State::Changed => "something that the latest verdict depends on has changed",
            State::New => "not verified yet",
            State::Vacuous => "holds, but perhaps for a trivial reason",
            State::Holds => "an exhaustive search found no violation",
        }
    }

    /// Whether a person has to decide something.
    #[must_use]
    pub fn needs_attention(self) -> bool {
        matches!(self, State::Violated | State::InError | State::Failed | State::Unknown | State::Vacuous)
    }
}
