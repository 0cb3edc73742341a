//! The typed tree: what the parser makes of a program. Every conversion is a node, every name is
//! resolved, every member access knows its offset.
//!
//! *Invariant:* An expression whose type is [`ERROR`](crate::types::ERROR) was reported where it
//! went wrong, and a program with errors is never lowered.

use std::sync::Arc;

use axle_source::Loc;

use crate::code::Order;
use crate::types::{Bits, Qual, TypeId, Types};

/// A whole program: all translation units, linked by name.
#[derive(Clone, Debug)]
pub struct Tree {
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// String literals, with their closing zeros.
    pub strings: Vec<Vec<u8>>,
    /// Functions that are called before `main` (lowest first) and at the end of the program (highest first), with what
    /// orders them.
    pub constructors: Vec<(u16, u32)>,
    pub destructors: Vec<(u16, u32)>,
    /// The first atomic operation that asks for less than sequential consistency.
    pub weak_order: Option<Loc>,
    /// How many labels have addresses.
    pub label_addresses: u64,
}

/// A variable with static or thread storage.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Arc<str>,
    pub ty: Qual,
    pub init: Option<Init>,
    pub loc: Loc,
    /// The function that it is declared in.
    pub within: Option<u32>,
    pub thread_local: bool,
    /// A definition was seen (tentative ones count); otherwise it is only declared.
    pub defined: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Arc<str>,
    pub ty: TypeId,
    pub params: Vec<u32>,
    pub locals: Vec<Local>,
    pub body: Option<Vec<Stmt>>,
    pub loc: Loc,
    pub noreturn: bool,
    pub ours: bool,
    /// Labels whose addresses are taken (GNU's `&&label`), and the numbers that stand for these.
    pub addresses: Vec<(Arc<str>, u64)>,
}

/// A variable with automatic storage.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: Qual,
    /// Its address is taken somewhere, so it lives in memory.
    pub addressed: bool,
    /// The call that is made where the variable goes out of scope (GNU's attribute `cleanup`).
    pub cleanup: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub ty: Qual,
    pub loc: Loc,
    /// Designates an object (or a function).
    pub lvalue: bool,
    /// Nodes on the longest way down, so that no walk over the tree exhausts the stack.
    pub depth: u32,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Kind {
    Error,
    /// An integer (of the expression's type, sign- or zero-extended), or a pointer made of one.
    Int(u64),
    Real(f64),
    Str(u32),
    Local(u32),
    Global(u32),
    Function(u32),
    /// A compound literal of automatic storage: the local that holds it.
    Compound(u32, Box<Init>),
    Member {
        base: Box<Expr>,
        offset: u64,
        bits: Option<Bits>,
    },
    Deref(Box<Expr>),
    AddressOf(Box<Expr>),
    /// An array's first element, or a function's address.
    Decay(Box<Expr>),
    /// The value of an object.
    Load(Box<Expr>),
    Unary(Unary, Box<Expr>),
    /// Operands have one type, but for shifts.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Pointer plus or minus a number of elements of this many bytes.
    PtrAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        size: u64,
        minus: bool,
    },
    PtrDiff(Box<Expr>, Box<Expr>, u64),
    AndAnd(Box<Expr>, Box<Expr>),
    OrOr(Box<Expr>, Box<Expr>),
    /// GNU's `a ?: b` has no middle.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    /// `target op= value`, computed in type `work`; for pointers `size` is the element's.
    AssignOp {
        op: Binary,
        target: Box<Expr>,
        value: Box<Expr>,
        work: TypeId,
        size: Option<u64>,
    },
    /// `++` and `--`; for pointers `size` is the element's.
    Step {
        target: Box<Expr>,
        minus: bool,
        post: bool,
        size: Option<u64>,
    },
    /// A conversion to the expression's type.
    Convert(Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Builtin(Builtin, Vec<Expr>),
    /// GNU's statement expression; its value is that of the last statement.
    Block(Vec<Stmt>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Neg,
    Not,
    LogNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Nand,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// Operations that the compiler knows by name and that are generic in type. Behind the arguments named here come those
/// that are evaluated for their effects only, such as a memory order that is not a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Pointer; gives the value.
    AtomicLoad(Order),
    /// Pointer, value.
    AtomicStore(Order),
    /// Pointer, value.
    AtomicExchange(Order),
    /// Pointer, value; `fetch` gives the old value, else the new one; `size` scales for pointers.
    AtomicRmw {
        op: Binary,
        fetch: bool,
        size: Option<u64>,
        order: Order,
    },
    /// Pointer, pointer to expected, desired.
    AtomicCas {
        weak: bool,
        success: Order,
        failure: Order,
    },
    /// Pointer, old, new: whether it was exchanged.
    SyncCasBool,
    /// Pointer, old, new: the value before.
    SyncCasValue,
    /// A fence between threads; the arguments that name its order are evaluated.
    Fence(Order),
    /// A fence against signal handlers of the same thread: no effect on other threads.
    SignalFence,
    VaStart,
    /// List; the result's type is the argument's.
    VaArg,
    VaEnd,
    VaCopy,
    Unreachable,
    Trap,
    /// Operands and a pointer to the result, computed exactly: whether it does not fit.
    Overflow(Binary),
    Bits(BitOp),
    /// So many bytes that exist until the function returns.
    Alloca,
    /// The number of elements that an array of variable length has; the local, if any, keeps it.
    Length(Option<u32>),
}

/// What is asked of the bits of an unsigned number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOp {
    /// The zeros above the highest bit that is set.
    Clz,
    /// The zeros below the lowest.
    Ctz,
    Popcount,
    /// 1 if the number of bits that are set is odd.
    Parity,
    /// The number of the lowest bit that is set, from 1; 0 for 0.
    Ffs,
    /// All bytes in the other order.
    Swap,
}

impl BitOp {
    /// The answer for a number of so many bits; zeros beside the highest and the lowest bit are not defined for 0.
    #[must_use]
    pub fn of(self, value: u64, bits: u32) -> Option<u64> {
        Some(match self {
            BitOp::Clz | BitOp::Ctz if value == 0 => return None,
            BitOp::Clz => (value.leading_zeros() - (64 - bits)).into(),
            BitOp::Ctz => value.trailing_zeros().into(),
            BitOp::Popcount => value.count_ones().into(),
            BitOp::Parity => (value.count_ones() % 2).into(),
            BitOp::Ffs => value.checked_ilog2().map_or(0, |_| u64::from(value.trailing_zeros()) + 1),
            BitOp::Swap => value.swap_bytes() >> (64 - bits),
        })
    }
}

/// Initial values: first zero everywhere, then these stores.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Whether some part is not covered by the items (or it is not known to be).
    pub zero: bool,
    pub items: Vec<InitItem>,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    pub offset: u64,
    pub bits: Option<Bits>,
    pub value: Expr,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub loc: Loc,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// A local comes to life here.
    Declare(u32, Option<Init>),
    /// An array of variable length does, with so many elements of so many bytes, its rows taken apart.
    DeclareLong(u32, Expr, u64),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    /// From, to; then the statement.
    Case(u64, u64, Box<Stmt>),
    Default(Box<Stmt>),
    Label(Arc<str>, Box<Stmt>),
    Goto(Arc<str>),
    /// `goto *address`.
    GotoAddress(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
}
