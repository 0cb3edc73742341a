//! The names of what can go wrong, as certificates write them. They never change.

use axle_step::FaultKind;

/// Every kind with its name.
pub(crate) const NAMES: [(FaultKind, &str); 19] = [
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

/// The name of a kind.
pub fn kind_name(kind: FaultKind) -> &'static str {
    match NAMES.iter().find(|(known, _)| *known == kind) {
        Some((_, name)) => name,
        None => unreachable!("every kind is listed, which a test sees to"),
    }
}

/// The kind with a name.
pub fn kind_named(name: &str) -> Option<FaultKind> {
    NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_kind() {
        for (kind, name) in NAMES {
            assert_eq!((kind_name(kind), kind_named(name)), (name, Some(kind)));
        }
        assert_eq!(kind_named("asertion"), None);
        // Kinds are numbered from 0 in order of declaration, and the last is the last here.
        assert_eq!(NAMES.len(), FaultKind::MessagesLeft as usize + 1);
    }
}
