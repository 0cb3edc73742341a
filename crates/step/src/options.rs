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

/// So many steps inside the uninterrupted sequences of one process in one state are followed path by path. Where
/// there are more, paths that meet are followed once from there on.
pub const MOST_BY_PATH: u32 = 1 << 16;

/// The most steps inside the uninterrupted sequences of one process in one state that are followed at all.
pub const MOST_STEPS: u32 = 1 << 24;

/// The most states inside these sequences that are remembered, so that paths which meet are seen to.
pub const MOST_INNER: usize = 1 << 22;
