//! Choices that interpreter and compiler share.

/// What is looked for in a step beyond what is always looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Options {
    /// Report stored values that lose bits ([`crate::FaultKind::Truncation`]).
    pub truncation: bool,
    /// Report ends with a message in some channel ([`crate::FaultKind::MessagesLeft`]).
    pub messages_left: bool,
    /// Say of every successor which processes moved ([`crate::Batch::movers`]).
    pub movers: bool,
}

/// An uninterrupted sequence of more steps than this counts as endless, so that a loop which counts to four
/// billion without a state that others could see is a fault rather than a hang.
pub const LONGEST_SEQUENCE: u32 = 1 << 20;
