//! What can go wrong in a step. A fault never stops the step: the value at fault is 0, a store at fault is
//! dropped, and the successor exists, so that a search told to go on past errors can do so.

use axle_model::EdgeId;

/// Something that went wrong, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Which state of the expanded batch it was found in, counted from 0.
    pub source: u32,
    /// Which successor of the batch (counted over all sources) the faulty step leads to, where there is one:
    /// a fault in a guard, or one that blocks the step, has none.
    pub successor: Option<u32>,
    /// The number of the process.
    pub pid: u32,
    /// The edge of its type that was being executed or tried; none for faults of a whole state.
    pub edge: Option<EdgeId>,
}

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// An assertion does not hold.
    Assertion,
    /// No process can move and one is at a location where it may not rest for ever.
    InvalidEnd,
    /// An index is outside its array.
    IndexOutOfRange,
    /// Division or remainder by zero.
    DivisionByZero,
    /// An operation on a reference that refers to no channel, or to one that is gone.
    NoChannel,
    /// A send with fewer values than the channel has fields.
    TooFewArguments,
    /// A receive with fewer patterns than the channel has fields.
    TooFewPatterns,
    /// A send or receive with more arguments than the channel has fields.
    TooManyArguments,
    /// Asking whether a receive from a rendezvous channel is possible, or copying from one.
    RendezvousPoll,
    /// Sending on a rendezvous channel inside a deterministic sequence.
    RendezvousInDeterministic,
    /// A deterministic sequence cannot go on.
    DeterministicBlocks,
    /// An uninterrupted sequence goes round for ever without a state that others could see.
    EndlessSequence,
    /// Two edges of a process declared deterministic are executable.
    NotDeterministic,
    /// One process too many.
    TooManyProcesses,
    /// One channel too many.
    TooManyChannels,
    /// A reference to a process that does not exist or has another type.
    NoProcess,
    /// A priority outside 1 to 255.
    BadPriority,
    /// A stored value lost bits (only where asked for).
    Truncation,
    /// A channel holds messages where everything has come to its end (only where asked for).
    MessagesLeft,
}

/// Every kind with the name that reports, trails and certificates write, which never changes.
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
    /// The name that reports, trails and certificates write: it never changes.
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

    /// All kinds, in the order in which they are declared.
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
        // Kinds are numbered from 0 in order of declaration, and the last is the last here.
        assert_eq!(NAMES.len(), FaultKind::MessagesLeft as usize + 1);
    }
}
