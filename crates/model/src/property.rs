//! What a model itself says about what must hold: claims, formulas and event traces, as written.

use crate::expr::Expr;
use crate::process::{Origin, Process};

/// In an event of a trace: any value of the field. No field of a message can hold this one.
pub const ANY_VALUE: Expr = Expr::Const(i64::MAX);

/// A property that the model states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The name in the source, or one made up: `never_0`, `ltl_0`.
    pub name: String,
    /// Where it stands.
    pub origin: Origin,
    /// What it says.
    pub kind: PropertyKind,
}

/// The kinds of properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// An automaton of what must never happen; its edges only have guards and assertions.
    Never(Process),
    /// An automaton that every send and receive on the channels it names must follow. Its edges
    /// carry the event as their [`crate::Comm`].
    Trace(Process),
    /// An automaton of sends and receives that must not be followed to its end.
    NoTrace(Process),
    /// A formula that must hold.
    Ltl(Formula),
}

/// A formula of linear temporal logic over expressions of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum Formula {
    /// A proposition: the expression is not 0. The text is as written.
    Atom(Expr, String),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
}
