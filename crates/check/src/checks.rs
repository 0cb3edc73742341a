//! The checks of models: groups of faults under the names that options and reports use.

use axle_evidence::report::PropertyReport;
use axle_outcome::{Answer, Counterexample, Proof, Witness};
use axle_step::FaultKind;

/// A group of faults that is checked, or not, together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Assertions hold.
    Assertions,
    /// No deadlock: every finite run ends with each process in a valid end state.
    EndStates,
    /// Indices are within their arrays.
    Bounds,
    /// No division or remainder by zero.
    Arithmetic,
    /// Channels exist, and messages have as many fields as their channel declares.
    Messages,
    /// `atomic` and `d_step` sequences neither block nor loop forever, and `d_step` is
    /// deterministic.
    Sequences,
    /// The limits on processes and channels are not exceeded.
    Limits,
    /// References to processes and priorities are valid.
    References,
    /// Properties of the model: formulas, claims, event traces, accept and progress labels.
    Properties,
    /// No value is truncated on assignment (on request).
    Truncation,
    /// No channel holds messages in a valid end state (on request).
    MessagesLeft,
    /// Every statement is reachable (on request).
    Unreached,
}

impl Check {
    /// All of them, in the order of reports.
    pub const ALL: [Check; 12] = [
        Check::Assertions,
        Check::EndStates,
        Check::Bounds,
        Check::Arithmetic,
        Check::Messages,
        Check::Sequences,
        Check::Limits,
        Check::References,
        Check::Properties,
        Check::Truncation,
        Check::MessagesLeft,
        Check::Unreached,
    ];

    /// Whether it is checked by default.
    pub fn by_default(self) -> bool {
        !matches!(self, Check::Truncation | Check::MessagesLeft | Check::Unreached)
    }

    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Assertions => "assertions",
            Check::EndStates => "end-states",
            Check::Bounds => "bounds",
            Check::Arithmetic => "arithmetic",
            Check::Messages => "messages",
            Check::Sequences => "sequences",
            Check::Limits => "limits",
            Check::References => "references",
            Check::Properties => "properties",
            Check::Truncation => "truncation",
            Check::MessagesLeft => "messages-left",
            Check::Unreached => "unreached",
        }
    }

    /// The check with this name.
    pub fn named(name: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|check| check.name() == name)
    }

    /// The property that holds if the check holds.
    pub fn meaning(self) -> &'static str {
        match self {
            Check::Assertions => "no assertion fails",
            Check::EndStates => "no deadlock / invalid end state",
            Check::Bounds => "all array accesses are in bounds",
            Check::Arithmetic => "no division by zero",
            Check::Messages => "message fields match the channel declaration",
            Check::Sequences => "atomic/d_step sequences neither block nor loop forever",
            Check::Limits => "process and channel limits not exceeded",
            Check::References => "process ids and priorities are valid",
            Check::Properties => "all LTL properties, claims and labels of the model hold",
            Check::Truncation => "no value truncated on assignment",
            Check::MessagesLeft => "no message is left in a channel at a valid end state",
            Check::Unreached => "every statement is reachable",
        }
    }

    /// The check that a kind of fault violates.
    pub fn of(kind: FaultKind) -> Check {
        match kind {
            FaultKind::Assertion => Check::Assertions,
            FaultKind::InvalidEnd => Check::EndStates,
            FaultKind::IndexOutOfRange => Check::Bounds,
            FaultKind::DivisionByZero => Check::Arithmetic,
            FaultKind::NoChannel
            | FaultKind::TooFewArguments
            | FaultKind::TooFewPatterns
            | FaultKind::TooManyArguments
            | FaultKind::RendezvousPoll => Check::Messages,
            FaultKind::RendezvousInDeterministic
            | FaultKind::DeterministicBlocks
            | FaultKind::EndlessSequence
            | FaultKind::NotDeterministic => Check::Sequences,
            FaultKind::TooManyProcesses | FaultKind::TooManyChannels => Check::Limits,
            FaultKind::NoProcess | FaultKind::BadPriority => Check::References,
            FaultKind::Truncation => Check::Truncation,
            FaultKind::MessagesLeft => Check::MessagesLeft,
        }
    }
}

impl Check {
    /// The counterexamples that the check may have.
    fn counterexamples(self) -> Counterexample {
        match self {
            Check::EndStates | Check::MessagesLeft | Check::Unreached | Check::Properties => {
                Counterexample::Blocked
            }
            Check::Assertions
            | Check::Bounds
            | Check::Arithmetic
            | Check::Messages
            | Check::Sequences
            | Check::Limits
            | Check::References
            | Check::Truncation => Counterexample::Prefix,
        }
    }
}

/// The answer of a search of a model that a row states, with the counterexamples that a proof excludes.
/// `witness`: the violating execution, if there is one.
pub fn answer(property: &PropertyReport, witness: Option<Witness>) -> Answer {
    let excludes = match (&property.search, Check::named(&property.name)) {
        (Some(search), _) if search.is_safety => Counterexample::Prefix,
        (None, Some(check)) => check.counterexamples(),
        (Some(_), _) | (None, None) => Counterexample::Blocked,
    };
    match property.answer(witness) {
        Answer::Proved(proof) => Answer::Proved(Proof { excludes, ..proof }),
        answer => answer,
    }
}

/// Every kind of fault.
pub const KINDS: [FaultKind; 19] = [
    FaultKind::Assertion,
    FaultKind::InvalidEnd,
    FaultKind::IndexOutOfRange,
    FaultKind::DivisionByZero,
    FaultKind::NoChannel,
    FaultKind::TooFewArguments,
    FaultKind::TooFewPatterns,
    FaultKind::TooManyArguments,
    FaultKind::RendezvousPoll,
    FaultKind::RendezvousInDeterministic,
    FaultKind::DeterministicBlocks,
    FaultKind::EndlessSequence,
    FaultKind::NotDeterministic,
    FaultKind::TooManyProcesses,
    FaultKind::TooManyChannels,
    FaultKind::NoProcess,
    FaultKind::BadPriority,
    FaultKind::Truncation,
    FaultKind::MessagesLeft,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_checks() {
        for check in Check::ALL {
            assert_eq!(Check::named(check.name()), Some(check));
        }
        assert_eq!(Check::named("asertions"), None);
    }

    #[test]
    fn every_check_but_two_has_a_kind_of_fault() {
        let without: Vec<Check> =
            Check::ALL.into_iter().filter(|&c| !KINDS.iter().any(|&k| Check::of(k) == c)).collect();
        assert_eq!(without, [Check::Properties, Check::Unreached]);
    }

    #[test]
    fn kinds_are_listed_once() {
        let mut kinds = KINDS.to_vec();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds.len(), KINDS.len());
    }
}
