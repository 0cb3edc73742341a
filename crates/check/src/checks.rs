//! What can be asked of a model: groups of faults under the names that options and reports use.

use axle_step::FaultKind;

/// A group of faults that is checked, or not, together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// Assertions hold.
    Assertions,
    /// Every run either goes on for ever or ends where all processes may rest.
    EndStates,
    /// Indices are within their arrays.
    Bounds,
    /// No division or remainder by zero.
    Arithmetic,
    /// Messages are sent and received on channels that exist, with as many fields as these have.
    Messages,
    /// Uninterrupted sequences neither block nor go round for ever, and what is declared deterministic is.
    Sequences,
    /// The limits on processes and channels are not met.
    Limits,
    /// References to processes and priorities mean something.
    References,
    /// Properties that the model states: formulas, claims, event traces, accept and progress labels.
    Properties,
    /// No stored value loses bits (on request).
    Truncation,
    /// No channel holds messages at a valid end (on request).
    MessagesLeft,
    /// Every statement is reached by some run (on request).
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

    /// Whether it is checked unless someone says otherwise.
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

    /// What it means that the check holds.
    pub fn meaning(self) -> &'static str {
        match self {
            Check::Assertions => "no assertion fails",
            Check::EndStates => "no run gets stuck where a process may not rest",
            Check::Bounds => "every index is within its array",
            Check::Arithmetic => "nothing is divided by zero",
            Check::Messages => "messages fit the channels that they go through",
            Check::Sequences => "no indivisible sequence blocks or goes round for ever",
            Check::Limits => "processes and channels stay within their limits",
            Check::References => "process numbers and priorities mean something",
            Check::Properties => "what the model itself states is true",
            Check::Truncation => "no stored value loses bits",
            Check::MessagesLeft => "no message is left in a channel at a valid end",
            Check::Unreached => "every statement is reached by some run",
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
