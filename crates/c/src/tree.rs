//! The typed tree: the output of the parser. Conversions are explicit nodes, names are resolved,
//! and member accesses have offsets.
//!
//! *Entry point:* [`Tree`].
//! *Invariant:* an expression of type [`ERROR`](crate::types::ERROR) was reported at its location,
//! and a program with errors is never lowered.

use std::sync::Arc;

use axle_source::Loc;

use crate::bounds::Bounds;
use crate::memory_order::Order;
use crate::operators::{Binary, BitOp, Unary};
use crate::types::{Bits, Qual, TypeId, Types};
use crate::volatile::Volatile;

/// A whole program: all translation units, linked by name.
#[derive(Clone, Debug)]
pub struct Tree {
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// String literals with their terminating zeros.
    pub strings: Vec<Vec<u8>>,
    /// Constructors (called before `main`, in ascending order) and destructors (called at the end
    /// of the program, in descending order), with their priorities.
    pub constructors: Vec<(u16, u32)>,
    pub destructors: Vec<(u16, u32)>,
    /// The first atomic operation weaker than sequential consistency.
    pub weak_order: Option<Loc>,
    /// The meaning of volatile accesses.
    pub volatile: Volatile,
    /// Object-like macros with a value of the files of the user, with their texts.
    pub macros: Vec<(Arc<str>, Arc<str>)>,
    /// The constants with another value, and the uses of these bounds.
    pub bounds: Bounds,
    /// Number of labels with an address.
    pub label_addresses: u64,
}

/// A variable with static or thread storage duration.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Arc<str>,
    pub ty: Qual,
    pub init: Option<Init>,
    pub loc: Loc,
    /// The function that declares it.
    pub within: Option<u32>,
    pub thread_local: bool,
    /// A definition was seen (including tentative ones); otherwise it is only declared.
    pub defined: bool,
    /// The definition, or else the declaration, is in a library source of Axle.
    pub ours: bool,
    /// An expression names it.
    pub referenced: bool,
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
    /// The end of the body: its closing brace. The declaration, if there is no body.
    pub end: Loc,
    pub noreturn: bool,
    pub ours: bool,
    /// An expression names it.
    pub referenced: bool,
    /// Labels whose addresses are taken (GNU's `&&label`), with their values.
    pub addresses: Vec<(Arc<str>, u64)>,
}

/// A variable with automatic storage duration.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: Arc<str>,
    pub ty: Qual,
    /// Its address is taken, so it is in memory.
    pub addressed: bool,
    /// The call at the end of its scope (GNU's attribute `cleanup`).
    pub cleanup: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub ty: Qual,
    pub loc: Loc,
    /// Designates an object or a function.
    pub lvalue: bool,
    /// Height of the tree, bounded so that no recursive traversal overflows the stack.
    pub depth: u32,
}

/// The operator and operands of an expression.
#[derive(Clone, Debug)]
pub enum Kind {
    Error,
    /// An integer (of the expression's type, sign- or zero-extended), or a constant pointer.
    Int(u64),
    Real(f64),
    Str(u32),
    Local(u32),
    Global(u32),
    Function(u32),
    /// A compound literal of automatic storage duration: the local that holds it.
    Compound(u32, Box<Init>),
    Member {
        base: Box<Expr>,
        offset: u64,
        bits: Option<Bits>,
    },
    Deref(Box<Expr>),
    AddressOf(Box<Expr>),
    /// The address of the first element of an array, or of a function.
    Decay(Box<Expr>),
    /// Lvalue conversion: the value of an object.
    Load(Box<Expr>),
    Unary(Unary, Box<Expr>),
    /// Both operands have one type, except for shifts.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A pointer plus or minus a number of elements of this size.
    PtrAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        size: u64,
        minus: bool,
    },
    PtrDiff(Box<Expr>, Box<Expr>, u64),
    AndAnd(Box<Expr>, Box<Expr>),
    OrOr(Box<Expr>, Box<Expr>),
    /// GNU's `a ?: b` has no middle operand.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    /// `target op= value`, computed in type `work`; for pointers `size` is the element size.
    AssignOp {
        op: Binary,
        target: Box<Expr>,
        value: Box<Expr>,
        work: TypeId,
        size: Option<u64>,
    },
    /// `++` and `--`; for pointers `size` is the element size.
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

/// Type-generic compiler builtins. The arguments listed here may be followed by expressions
/// evaluated for their side effects only, such as a memory order that is not a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Pointer; returns the value.
    AtomicLoad(Order),
    /// Pointer, value.
    AtomicStore(Order),
    /// Pointer, value.
    AtomicExchange(Order),
    /// Pointer, value; returns the old value (`fetch`) or the new one; `size` scales for pointers.
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
    /// Pointer, old, new; returns whether the exchange succeeded.
    SyncCasBool,
    /// Pointer, old, new; returns the previous value.
    SyncCasValue,
    /// A thread fence; the arguments that name its order are evaluated.
    Fence(Order),
    /// A fence between a thread and a signal handler in the same thread: no effect on other
    /// threads.
    SignalFence,
    VaStart,
    /// The argument list; the result has the type of the argument.
    VaArg,
    VaEnd,
    VaCopy,
    Unreachable,
    Trap,
    /// Operands and a pointer to the result, computed exactly; returns whether it overflows.
    Overflow(Binary),
    Bits(BitOp),
    /// The number of bytes; the memory exists until the function returns.
    Alloca,
    /// The number of elements of a variable-length array; the local, if any, stores it.
    Length(Option<u32>),
}

/// An initialiser: zero the object if `zero`, then execute the stores.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// The items may leave a part of the object uncovered.
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
    /// The lifetime of a local begins.
    Declare(u32, Option<Init>),
    /// The lifetime of a variable-length array begins, with this number of innermost elements and
    /// element size.
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
    /// First and last value; then the statement.
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
