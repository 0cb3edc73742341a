//! Options shared by interpreter and compiler.

/// Optional checks and outputs of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Options {
    /// Report values truncated on assignment ([`crate::FaultKind::Truncation`]).
    pub truncation: bool,
    /// Report end states with a message in some channel ([`crate::FaultKind::MessagesLeft`]).
    pub messages_left: bool,
    /// Report the executing processes of every successor ([`crate::Batch::movers`]).
    pub movers: bool,
}
