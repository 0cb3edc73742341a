//! The kinds of faults, with their stable names.

use serde::{Deserialize, Serialize};

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FaultKind {
    /// Assertion violated.
    Assertion,
    /// Invalid end state (deadlock): every process is blocked, and one is not in a valid end state.
    InvalidEnd,
    /// Array index out of bounds.
    IndexOutOfRange,
    /// Division or remainder by zero.
    DivisionByZero,
    /// Operation on an invalid channel reference, or on a channel of a terminated process.
    NoChannel,
    /// A send with fewer values than the channel has fields.
    TooFewArguments,
    /// A receive with fewer patterns than the channel has fields.
    TooFewPatterns,
    /// A send or receive with more arguments than the channel has fields.
    TooManyArguments,
    /// Polling a rendezvous channel, or copying a message from one.
    RendezvousPoll,
    /// Rendezvous send inside a `d_step` sequence.
    RendezvousInDeterministic,
    /// A `d_step` sequence blocks.
    DeterministicBlocks,
    /// An atomic sequence loops forever.
    EndlessSequence,
    /// Two edges of a process declared deterministic are executable.
    NotDeterministic,
    /// The maximum number of processes is exceeded.
    TooManyProcesses,
    /// The maximum number of channels is exceeded.
    TooManyChannels,
    /// A reference to a process that does not exist or has another type.
    NoProcess,
    /// A priority outside 1 to 255.
    BadPriority,
    /// Value truncated on assignment (optional).
    Truncation,
    /// Messages left in a channel in an end state (optional).
    MessagesLeft,
}

/// The name of each kind in reports, trails and certificates; the names are stable.
const NAMES: [(FaultKind, &str); 19] = [
    (FaultKind::Assertion, "assertion"),
    (FaultKind::InvalidEnd, "invalid-end"),
    (FaultKind::IndexOutOfRange, "index-out-of-range"),
    (FaultKind::DivisionByZero, "division-by-zero"),
    (FaultKind::NoChannel, "no-channel"),
    (FaultKind::TooFewArguments, "too-few-arguments"),
    (FaultKind::TooFewPatterns, "too-few-patterns"),
    (FaultKind::TooManyArguments, "too-many-arguments"),
    (FaultKind::RendezvousPoll, "rendezvous-poll"),
    (FaultKind::RendezvousInDeterministic, "rendezvous-in-d_step"),
    (FaultKind::DeterministicBlocks, "d_step-blocks"),
    (FaultKind::EndlessSequence, "endless-sequence"),
    (FaultKind::NotDeterministic, "not-deterministic"),
    (FaultKind::TooManyProcesses, "too-many-processes"),
    (FaultKind::TooManyChannels, "too-many-channels"),
    (FaultKind::NoProcess, "no-process"),
    (FaultKind::BadPriority, "bad-priority"),
    (FaultKind::Truncation, "truncation"),
    (FaultKind::MessagesLeft, "messages-left"),
];

impl FaultKind {
    /// The stable name used in reports, trails and certificates.
    pub fn name(self) -> &'static str {
        match NAMES.iter().find(|(known, _)| *known == self) {
            Some((_, name)) => name,
            None => unreachable!("every kind is listed, which a test sees to"),
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<FaultKind> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// All kinds, in order of declaration.
    pub fn all() -> impl Iterator<Item = FaultKind> {
        NAMES.iter().map(|(kind, _)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_kind() {
        for (number, kind) in FaultKind::all().enumerate() {
            assert_eq!(FaultKind::named(kind.name()), Some(kind));
            assert_eq!(kind as usize, number);
        }
        assert_eq!(FaultKind::named("asertion"), None);
        // Kinds are numbered from 0 in order of declaration, and the last kind is the last entry.
        assert_eq!(NAMES.len(), FaultKind::MessagesLeft as usize + 1);
    }
}
