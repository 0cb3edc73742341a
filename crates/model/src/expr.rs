//! Expressions: trees without side effects over the variables of one state.
//!
//! Every node yields a 64-bit integer that fits its type. Comparisons, `!`, `&&`, `||` and queries
//! yield 0 or 1. The evaluator reports a fault (division by zero, index out of range, invalid
//! channel), and the node has the value 0, so that a search can continue.

use crate::ids::{GlobalId, LocId, LocalId, ProcId};
use crate::types::IntType;

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Const(i64),
    /// The value of a scalar variable, field or element.
    Load(Place),
    /// A unary operator; the result is wrapped to the type.
    Unary(UnOp, IntType, Box<Expr>),
    /// A binary operator; operands are already of the type, the result is wrapped to it.
    Binary(BinOp, IntType, Box<Expr>, Box<Expr>),
    /// The operand wrapped to a type.
    Convert(IntType, Box<Expr>),
    /// Short-circuit conjunction, 0 or 1.
    And(Box<Expr>, Box<Expr>),
    /// Short-circuit disjunction, 0 or 1.
    Or(Box<Expr>, Box<Expr>),
    /// `Cond(c, a, b)`: `a` where `c` is not 0, otherwise `b`; only the chosen one is evaluated.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The reference to a channel that the model declares.
    Channel(ChanRef),
    /// A query of a channel, which is given by an expression that evaluates to a reference.
    Query(Query, Box<Expr>),
    /// Whether a receive with these patterns would be possible now (Promela's `c?[..]`, `c??[..]`).
    CanReceive {
        /// The channel.
        chan: Box<Expr>,
        /// One for each field, as in [`crate::Comm::Receive`]; fields without one are not asked
        /// about.
        patterns: Vec<Pattern>,
        /// Whether any message in the channel will do, not only the first.
        random: bool,
    },
    /// Promela's `timeout`: no process can make a step that does not depend on `timeout`.
    Timeout,
    /// The number (Promela's `_pid`) of the process that evaluates.
    SelfPid,
    /// Number of processes, including terminated ones that keep their number.
    ProcessCount,
    /// The number of the process that made the last step; part of the state where it is used.
    LastPid,
    /// 1 where no process is at a progress location (Promela's `np_`).
    NonProgress,
    /// 1 where the process with this number can make a step.
    Enabled(Box<Expr>),
    /// The location of the process with this number.
    Location(Box<Expr>),
    /// The priority of the process with this number.
    Priority(Box<Expr>),
    /// 1 where the process with this number is of this type and stands at one of the locations.
    AtLocation {
        /// The type that the process must have.
        proc: ProcId,
        /// The process number; none where the type has a single instance that never moves.
        pid: Box<Expr>,
        /// The locations that carry the label.
        locs: Vec<LocId>,
    },
}

/// A unary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Arithmetic negation.
    Neg,
    /// Bitwise complement.
    BitNot,
    /// 1 where the operand is 0, otherwise 0.
    Not,
}

/// A binary operator. Division and remainder round towards zero, as in C. A shift by a negative
/// amount or by the width or more gives what x86 gives for the masked amount (C leaves it open).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A query of a channel. A rendezvous channel has length 0, is empty and not full.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Query {
    /// Number of messages.
    Len,
    /// 1 if the channel is full.
    Full,
    /// 1 if the channel is empty.
    Empty,
    /// 1 if the channel is not full.
    NotFull,
    /// 1 if the channel is not empty.
    NotEmpty,
}

/// Names a channel that the model declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChanRef {
    /// An entry of [`crate::Model::channels`].
    Global(u32),
    /// An entry of [`crate::Process::channels`] of the process that evaluates.
    Own(u32),
}

/// Where a value is read or written: a variable and a way into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable.
    pub base: Base,
    /// Fields and elements, outermost first.
    pub path: Vec<Step>,
}

/// The variable at the root of a [`Place`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// A global variable.
    Global(GlobalId),
    /// A parameter or local of the process that evaluates.
    Local(LocalId),
    /// A parameter or local of another process (Promela's `P[e]:v`), read only. A fault where no
    /// such process exists or it has another type.
    Remote {
        /// The type that the process must have.
        proc: ProcId,
        /// Its number.
        pid: Box<Expr>,
        /// The variable in it.
        local: LocalId,
    },
}

/// One step of the way into a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The field at this position of a record.
    Field(u32),
    /// The element of an array; a fault where the value is not a valid index.
    Index(Box<Expr>),
}

/// Treatment of one field of a message by a receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Any value; it is stored here (not by [`Expr::CanReceive`]).
    Bind(Place),
    /// Only this value.
    Match(Expr),
    /// Any value; it is dropped.
    Any,
}

impl Expr {
    /// A condition that always holds.
    pub const TRUE: Expr = Expr::Const(1);

    /// Whether it is [`Expr::TRUE`]; a syntactic test.
    #[inline]
    pub fn is_true(&self) -> bool {
        matches!(self, Expr::Const(1))
    }

    /// A binary operator of Promela's `int`.
    pub fn int(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
        Expr::Binary(op, IntType::I32, Box::new(lhs), Box::new(rhs))
    }
}

impl Place {
    /// The whole of a global variable.
    pub fn global(id: GlobalId) -> Place {
        Place { base: Base::Global(id), path: Vec::new() }
    }

    /// The whole of a local variable.
    pub fn local(id: LocalId) -> Place {
        Place { base: Base::Local(id), path: Vec::new() }
    }
}
