//! The message of each kind of violation, the same in every report. Entry point: [`sentence`].

use axle_model::{Edge, Effect};
use axle_step::FaultKind;

/// The message of a violation: one sentence without location and full stop.
pub fn sentence(kind: FaultKind, edge: Option<&Edge>) -> String {
    let text = match kind {
        FaultKind::Assertion => return assertion(edge),
        FaultKind::InvalidEnd => "invalid end state (deadlock): every process is blocked",
        FaultKind::IndexOutOfRange => "array index out of bounds",
        FaultKind::DivisionByZero => "division by zero",
        FaultKind::NoChannel => "channel variable not initialised: it refers to no channel",
        FaultKind::TooFewArguments => "send with fewer fields than the channel declares",
        FaultKind::TooFewPatterns => "receive with fewer fields than the channel declares",
        FaultKind::TooManyArguments => "message with more fields than the channel declares",
        FaultKind::RendezvousPoll => "poll of a rendezvous channel, which never holds a message",
        FaultKind::RendezvousInDeterministic => "send on a rendezvous channel inside d_step",
        FaultKind::DeterministicBlocks => "d_step sequence blocks",
        FaultKind::EndlessSequence => "atomic/d_step sequence loops forever",
        FaultKind::NotDeterministic => {
            "process declared deterministic has more than one executable statement"
        }
        FaultKind::TooManyProcesses => "process limit exceeded",
        FaultKind::TooManyChannels => "channel limit exceeded",
        FaultKind::NoProcess => "remote reference to a process that does not exist or has another type",
        FaultKind::BadPriority => "process priority outside 1 to 255",
        FaultKind::Truncation => "value truncated on assignment",
        FaultKind::MessagesLeft => "messages left in a channel in a valid end state",
    };
    text.to_string()
}

fn assertion(edge: Option<&Edge>) -> String {
    let mut texts = edge.into_iter().flat_map(|edge| &edge.effects).filter_map(|effect| match effect {
        Effect::Assert(_, text) => Some(text),
        _ => None,
    });
    match (texts.next(), texts.next()) {
        (Some(text), None) => format!("assertion violated: {text}"),
        // Several assertions in one step: the values in the trace show which one is violated.
        _ => "assertion violated".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_sentence() {
        for kind in FaultKind::all() {
            assert!(!sentence(kind, None).is_empty());
        }
    }
}
