//! Sentences for what goes wrong, the same wherever they are shown.

use axle_model::{Edge, Effect};
use axle_step::FaultKind;

/// What went wrong, in a sentence without its place and without a full stop.
pub fn sentence(kind: FaultKind, edge: Option<&Edge>) -> String {
    let text = match kind {
        FaultKind::Assertion => return assertion(edge),
        FaultKind::InvalidEnd => "no process can move, and one is not where it may rest",
        FaultKind::IndexOutOfRange => "an index is outside its array",
        FaultKind::DivisionByZero => "division by zero",
        FaultKind::NoChannel => "a channel variable refers to no channel",
        FaultKind::TooFewArguments => "a send gives fewer values than the channel's messages have",
        FaultKind::TooFewPatterns => "a receive takes fewer values than the channel's messages have",
        FaultKind::TooManyArguments => "a message has more values than the channel's messages have",
        FaultKind::RendezvousPoll => "a rendezvous channel holds no message to look at",
        FaultKind::RendezvousInDeterministic => "a send on a rendezvous channel inside d_step",
        FaultKind::DeterministicBlocks => "d_step cannot go on",
        FaultKind::EndlessSequence => "an indivisible sequence goes round for ever",
        FaultKind::NotDeterministic => "a process declared deterministic has a choice",
        FaultKind::TooManyProcesses => "one process more than may exist at once",
        FaultKind::TooManyChannels => "one channel more than may exist at once",
        FaultKind::NoProcess => "a reference to a process that does not exist or is of another type",
        FaultKind::BadPriority => "a priority outside 1 to 255",
        FaultKind::Truncation => "a value loses bits where it is stored",
        FaultKind::MessagesLeft => "everything has come to its end, and a channel still holds messages",
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
        // Several in one step: which of them is for the values to tell.
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
