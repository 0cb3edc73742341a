//! Control-flow graphs: a function as a list of small steps over registers, each with the place
//! that it came from. A step makes at most one access to memory that another thread may see (struct
//! copies and library calls touch ranges, as one access). Registers hold what has no address:
//! scalar locals and values in passing; everything else is in memory objects.
//!
//! *Invariant:* Every jump leads to a step of the same function, and the last step of a function is
//! no step that falls through.

use std::fmt;
use std::sync::Arc;

use axle_source::Loc;

use crate::library::Lib;
use crate::tree::{Binary, BitOp, Unary};
use crate::types::{Bits, Qual};

/// A register of a function.
pub type Reg = u32;

/// How a scalar computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    Bool,
    Signed,
    Unsigned,
    Pointer,
    Float,
}

/// A scalar type as the machine sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// Bytes.
    pub size: u8,
    pub class: Class,
}

impl Scalar {
    pub const INT: Scalar = Scalar { size: 4, class: Class::Signed };

    pub fn bits(self) -> u32 {
        u32::from(self.size) * 8
    }

    pub fn is_signed(self) -> bool {
        self.class == Class::Signed
    }
}

/// A scalar in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mem {
    pub scalar: Scalar,
    /// For a bit-field: its bits, counted from the address.
    pub bits: Option<Bits>,
    /// The access is atomic, and so never part of a data race with another atomic access.
    pub atomic: bool,
    /// The memory order of an atomic access; of a compare-and-exchange, that of its success.
    pub order: Order,
}

impl Mem {
    /// A non-atomic access.
    #[must_use]
    pub fn plain(scalar: Scalar) -> Mem {
        Mem { scalar, bits: None, atomic: false, order: Order::SeqCst }
    }

    /// A sequentially consistent access.
    #[must_use]
    pub fn atomic(scalar: Scalar) -> Mem {
        Mem { atomic: true, ..Mem::plain(scalar) }
    }
}

/// A memory order (C11 7.17.3). `memory_order_consume` is treated as acquire, as compilers do; an order that is not a
/// constant synchronises as little as any, [`Order::Relaxed`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// Whether a load or fence with this order acquires.
    #[must_use]
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a store or fence with this order releases.
    #[must_use]
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// The order that the value of a `memory_order` stands for.
    #[must_use]
    pub fn of_number(number: i64) -> Order {
        match number {
            1 | 2 => Order::Acquire,
            3 => Order::Release,
            4 => Order::AcqRel,
            5 => Order::SeqCst,
            _ => Order::Relaxed,
        }
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Arg {
    Reg(Reg),
    /// A number, extended to 64 bits after its type; a floating value by its bits.
    Int(u64),
    /// A place in an object that exists for ever, by the object's number.
    Static(u32, i32),
}

/// Why a step cannot be carried out at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stuck {
    /// `__builtin_unreachable()`, or the end of a `_Noreturn` function.
    Unreachable,
    /// A function without a body that is not part of the library.
    NoBody(u32),
    /// The end of a function whose value is used.
    NoValue,
    /// `goto *address` with what is no label of the function.
    NoLabel,
    /// An array of variable length that has no elements, or a negative number of them.
    NoElements,
    /// One with more elements than there is memory.
    TooLong,
    /// Side effects on one object that nothing puts in order.
    Unsequenced,
}

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    Move {
        dst: Reg,
        src: Arg,
    },
    /// The register holds nothing yet.
    Undefine {
        dst: Reg,
    },
    Unary {
        dst: Reg,
        op: Unary,
        a: Arg,
        scalar: Scalar,
    },
    Binary {
        dst: Reg,
        op: Binary,
        a: Arg,
        b: Arg,
        scalar: Scalar,
    },
    Convert {
        dst: Reg,
        a: Arg,
        from: Scalar,
        to: Scalar,
    },
    PtrAdd {
        dst: Reg,
        pointer: Arg,
        index: Arg,
        size: u64,
        minus: bool,
    },
    PtrDiff {
        dst: Reg,
        a: Arg,
        b: Arg,
        size: u64,
    },
    Bits {
        dst: Reg,
        what: BitOp,
        a: Arg,
        scalar: Scalar,
    },
    /// Exact arithmetic of two integers, stored at `to`; `dst` says whether it did not fit.
    Overflow {
        dst: Reg,
        op: Binary,
        a: Arg,
        b: Arg,
        sa: Scalar,
        sb: Scalar,
        to: Arg,
        mem: Mem,
    },
    SlotAddress {
        dst: Reg,
        slot: u32,
    },
    ThreadAddress {
        dst: Reg,
        index: u32,
    },
    Load {
        dst: Reg,
        addr: Arg,
        mem: Mem,
    },
    Store {
        addr: Arg,
        value: Arg,
        mem: Mem,
    },
    Copy {
        to: Arg,
        from: Arg,
        size: u64,
    },
    Zero {
        to: Arg,
        size: u64,
    },
    /// Gives the old value.
    Exchange {
        dst: Reg,
        addr: Arg,
        value: Arg,
        mem: Mem,
    },
    /// Gives the old value (`fetch`) or the new one; computed in `work`, scaled for pointers.
    Modify {
        dst: Reg,
        op: Binary,
        fetch: bool,
        addr: Arg,
        value: Arg,
        mem: Mem,
        work: Scalar,
        size: Option<u64>,
    },
    /// Gives the old value, and whether it was exchanged; a weak one may fail though the values are equal.
    CompareExchange {
        old: Reg,
        done: Reg,
        addr: Arg,
        expected: Arg,
        desired: Arg,
        mem: Mem,
        weak: bool,
        /// The memory order where the values differ.
        failure: Order,
    },
    /// `atomic_thread_fence`.
    Fence(Order),
    Jump(u32),
    Branch {
        cond: Arg,
        scalar: Scalar,
        yes: u32,
        no: u32,
    },
    Switch {
        value: Arg,
        signed: bool,
        cases: Box<[(u64, u64, u32)]>,
        default: u32,
    },
    /// `into` is where a returned record goes.
    Call {
        dst: Option<Reg>,
        into: Option<Arg>,
        callee: Arg,
        args: Box<[Arg]>,
        sizes: Box<[u8]>,
    },
    Return {
        value: Option<Arg>,
    },
    Lib {
        dst: Reg,
        lib: Lib,
        args: Box<[Arg]>,
    },
    /// The index of an array that is part of a larger object: in trouble unless `index < length`.
    Bound {
        index: Arg,
        length: Arg,
    },
    /// Two accesses that nothing puts in order, one of them a write, through what may be pointers to one object: in trouble
    /// where they overlap. An address that is not set stands for an access that was not made.
    Distinct {
        a: Arg,
        b: Arg,
        sizes: (u8, u8),
    },
    /// An object of automatic storage begins to exist.
    Live {
        slot: u32,
    },
    /// One of so many elements of so many bytes does.
    LiveVla {
        slot: u32,
        count: Arg,
        size: u64,
    },
    /// It ceases to.
    Dead {
        slot: u32,
    },
    /// Points a `va_list` to the arguments behind the last named one.
    VaStart {
        list: Arg,
    },
    Stuck(Stuck),
}

/// Where a parameter goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Home {
    Reg(Reg),
    /// A scalar in memory.
    Slot(u32, Mem),
    /// A record in memory.
    Record(u32, u64),
}

/// An automatic object in memory.
#[derive(Clone, Debug)]
pub struct Slot {
    pub name: Arc<str>,
    pub size: u64,
    pub ty: Qual,
    /// It is memory of `alloca`: it exists until the function returns, so it cannot begin anew.
    pub stays: bool,
}

/// A function's code.
#[derive(Clone, Debug)]
pub struct Code {
    pub name: Arc<str>,
    /// The file that it is written in.
    pub file: Arc<str>,
    pub ops: Vec<Op>,
    /// The expression that each step came from.
    pub locs: Vec<Loc>,
    /// The statement (or condition, or part of a `for`) that each step belongs to.
    pub statements: Vec<Loc>,
    pub params: Vec<Home>,
    pub variadic: bool,
    pub regs: u32,
    pub slots: Vec<Slot>,
    /// Names of the registers that are variables.
    pub names: Vec<(Arc<str>, Qual, Reg)>,
    /// The registers that are needed from each step on, as bits.
    pub live: Vec<Box<[u64]>>,
    /// Size in bytes of the returned record; 0 for scalars.
    pub returns_record: u64,
    pub returns: Option<Scalar>,
    /// From one of our own headers.
    pub ours: bool,
    /// Labels, with the steps that they stand before.
    pub labels: Vec<(Arc<str>, u32)>,
    /// Steps that a jump leads back to: a loop passes one.
    pub loop_heads: Vec<bool>,
    /// For each call of `printf` and its like with arguments of its own: the step, and the types of all arguments.
    pub printed: Vec<(u32, Box<[Scalar]>)>,
}

/// An object that exists from the first step to the last.
#[derive(Clone, Debug)]
pub enum StaticKind {
    /// The function's number in [`Program::codes`], when it has a body.
    Function(Option<u32>),
    /// Text that cannot be changed.
    Text(Vec<u8>),
    /// A variable: where its bytes begin among all variables.
    Variable(u32),
}

/// See [`StaticKind`]; objects are numbered from 1.
#[derive(Clone, Debug)]
pub struct Static {
    pub kind: StaticKind,
    pub name: Arc<str>,
    pub size: u32,
    pub ty: Qual,
    /// Declared `const`: writing to it is undefined (6.7.3p6).
    pub constant: bool,
}

/// A value of a static object at the start.
#[derive(Clone, Copy, Debug)]
pub enum Initial {
    Bytes(u64, u8),
    Pointer(u32, i32),
    /// A bit-field: value, bits.
    Bits(u64, Bits),
}

/// A variable of thread storage: its size and initial stores.
#[derive(Clone, Debug)]
pub struct ThreadVariable {
    pub name: Arc<str>,
    pub size: u32,
    pub ty: Qual,
    pub stores: Vec<(u32, Initial)>,
    pub texts: Vec<(u32, Vec<u8>)>,
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            Class::Bool => f.write_str("bool"),
            Class::Signed => write!(f, "i{}", self.bits()),
            Class::Unsigned => write!(f, "u{}", self.bits()),
            Class::Pointer => f.write_str("ptr"),
            Class::Float => write!(f, "f{}", self.bits()),
        }
    }
}

impl Op {
    /// The registers that the step writes.
    pub fn writes(&self) -> [Option<Reg>; 2] {
        match self {
            Op::Move { dst, .. }
            | Op::Undefine { dst }
            | Op::Unary { dst, .. }
            | Op::Binary { dst, .. }
            | Op::Convert { dst, .. }
            | Op::PtrAdd { dst, .. }
            | Op::PtrDiff { dst, .. }
            | Op::Bits { dst, .. }
            | Op::Overflow { dst, .. }
            | Op::SlotAddress { dst, .. }
            | Op::ThreadAddress { dst, .. }
            | Op::Load { dst, .. }
            | Op::Exchange { dst, .. }
            | Op::Modify { dst, .. }
            | Op::Lib { dst, .. } => [Some(*dst), None],
            Op::CompareExchange { old, done, .. } => [Some(*old), Some(*done)],
            Op::Call { dst, .. } => [*dst, None],
            Op::Store { .. }
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Jump(_)
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Return { .. }
            | Op::Live { .. }
            | Op::LiveVla { .. }
            | Op::Dead { .. }
            | Op::VaStart { .. }
            | Op::Bound { .. }
            | Op::Distinct { .. }
            | Op::Fence(_)
            | Op::Stuck(_) => [None, None],
        }
    }

    /// Calls `f` with every register that the step reads.
    pub fn reads(&self, mut f: impl FnMut(Reg)) {
        self.operands(|arg| {
            if let Arg::Reg(r) = arg {
                f(r);
            }
        });
    }

    /// Calls `f` with every operand.
    pub fn operands(&self, mut f: impl FnMut(Arg)) {
        let mut arg = |a: &Arg| f(*a);
        match self {
            Op::Move { src: a, .. }
            | Op::Unary { a, .. }
            | Op::Convert { a, .. }
            | Op::Bits { a, .. }
            | Op::Load { addr: a, .. }
            | Op::Zero { to: a, .. }
            | Op::Branch { cond: a, .. }
            | Op::Switch { value: a, .. }
            | Op::LiveVla { count: a, .. }
            | Op::VaStart { list: a } => arg(a),
            Op::Fence(_) => {}
            Op::Binary { a, b, .. }
            | Op::PtrDiff { a, b, .. }
            | Op::Distinct { a, b, .. }
            | Op::Bound { index: a, length: b } => {
                arg(a);
                arg(b);
            }
            Op::PtrAdd { pointer: a, index: b, .. }
            | Op::Store { addr: a, value: b, .. }
            | Op::Copy { to: a, from: b, .. }
            | Op::Exchange { addr: a, value: b, .. }
            | Op::Modify { addr: a, value: b, .. } => {
                arg(a);
                arg(b);
            }
            Op::Overflow { a, b, to, .. } => {
                arg(a);
                arg(b);
                arg(to);
            }
            Op::CompareExchange { addr, expected, desired, .. } => {
                arg(addr);
                arg(expected);
                arg(desired);
            }
            Op::Call { into, callee, args, .. } => {
                if let Some(into) = into {
                    arg(into);
                }
                arg(callee);
                args.iter().for_each(&mut arg);
            }
            Op::Return { value } => {
                if let Some(value) = value {
                    arg(value);
                }
            }
            Op::Lib { args, .. } => args.iter().for_each(&mut arg),
            Op::Undefine { .. }
            | Op::SlotAddress { .. }
            | Op::ThreadAddress { .. }
            | Op::Jump(_)
            | Op::Live { .. }
            | Op::Dead { .. }
            | Op::Stuck(_) => {}
        }
    }

    /// Calls `f` with every step that may come next.
    pub fn successors(&self, at: u32, mut f: impl FnMut(u32)) {
        match self {
            Op::Jump(to) => f(*to),
            Op::Branch { yes, no, .. } => {
                f(*yes);
                f(*no);
            }
            Op::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, _, to)| f(*to));
                f(*default);
            }
            Op::Return { .. } | Op::Stuck(_) => {}
            _ => f(at + 1),
        }
    }
}
