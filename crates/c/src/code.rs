//! Control-flow graphs: a function is a list of steps over registers, each with its source
//! location. A step makes at most one access to shared memory; copies of structures and library
//! calls access a byte range in one step. Registers hold scalar locals without an address and
//! temporaries; all other objects are in memory.
//!
//! *Entry points:* [`Code`], [`Op`].
//! *Invariant:* every jump leads to a step of the same function, and the last step of a function
//! does not fall through.

use std::fmt;
use std::sync::{Arc, OnceLock};

use axle_source::Loc;

use crate::library::{Lib, Operation, Role};
use crate::operators::{Binary, BitOp, Unary};
use crate::types::{Bits, Qual};

pub use crate::memory_order::Order;

/// A register of a function.
pub type Reg = u32;

/// The arithmetic of a scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// `_Bool`.
    Bool,
    /// Signed integers, two's complement.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Pointers.
    Pointer,
    /// Binary floating point (IEEE 754).
    Float,
}

/// A scalar type of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// Size in bytes.
    pub size: u8,
    /// The arithmetic.
    pub class: Class,
}

impl Scalar {
    /// `int`.
    pub const INT: Scalar = Scalar { size: 4, class: Class::Signed };

    /// Size in bits.
    pub fn bits(self) -> u32 {
        u32::from(self.size) * 8
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(self) -> bool {
        self.class == Class::Signed
    }

    /// The low bytes of `raw` as a number of this type: sign-extended or zero-extended to 64 bits.
    pub fn extend(self, raw: u64) -> u64 {
        let unused = 64 - self.bits().min(64);
        let shifted = if unused == 0 { raw } else { raw << unused };
        match self.class {
            Class::Signed => ((shifted as i64) >> unused) as u64,
            Class::Bool | Class::Unsigned | Class::Pointer | Class::Float => shifted >> unused,
        }
    }
}

/// A scalar in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mem {
    /// The type of the access.
    pub scalar: Scalar,
    /// The bits of a bit-field, relative to the address.
    pub bits: Option<Bits>,
    /// The access is atomic. Two atomic accesses never form a data race.
    pub atomic: bool,
    /// The memory order of an atomic access; for a compare-and-exchange, the order on success.
    pub order: Order,
    /// The lvalue has a volatile-qualified type.
    pub volatile: bool,
}

impl Mem {
    /// A non-atomic access.
    #[must_use]
    pub fn plain(scalar: Scalar) -> Mem {
        Mem { scalar, bits: None, atomic: false, order: Order::SeqCst, volatile: false }
    }

    /// A sequentially consistent access.
    #[must_use]
    pub fn atomic(scalar: Scalar) -> Mem {
        Mem { atomic: true, ..Mem::plain(scalar) }
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Arg {
    /// The value of a register.
    Reg(Reg),
    /// A constant, extended to 64 bits according to its type; the bits of a floating value.
    Int(u64),
    /// An offset in an object with static storage duration, by object number.
    Static(u32, i32),
}

/// The reason why a step has no defined execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stuck {
    /// `__builtin_unreachable()`, or the end of a `_Noreturn` function.
    Unreachable,
    /// A call of an undefined function that has no built-in model.
    NoBody(u32),
    /// A library source refuses a feature: its name is in
    /// [`Program::unsupported`](crate::Program::unsupported).
    Unsupported(u32),
    /// The end of a function whose missing return value is used.
    NoValue,
    /// `goto *address` with a value that is not the address of a label of the function.
    NoLabel,
    /// A variable-length array with zero or a negative number of elements.
    NoElements,
    /// A variable-length array that exceeds the available memory.
    TooLong,
    /// Unsequenced side effects on one object (C11 6.5p2).
    Unsequenced,
}

/// A step.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Copies a value into a register.
    Move {
        /// The result.
        dst: Reg,
        /// The value.
        src: Arg,
    },
    /// The value of the register becomes indeterminate.
    Undefine {
        /// The result.
        dst: Reg,
    },
    /// A unary operator.
    Unary {
        /// The result.
        dst: Reg,
        /// The operator.
        op: Unary,
        /// First operand.
        a: Arg,
        /// The type of the operands.
        scalar: Scalar,
    },
    /// A binary operator on scalars.
    Binary {
        /// The result.
        dst: Reg,
        /// The operator.
        op: Binary,
        /// First operand.
        a: Arg,
        /// Second operand.
        b: Arg,
        /// The type of the operands.
        scalar: Scalar,
    },
    /// A conversion between scalar types.
    Convert {
        /// The result.
        dst: Reg,
        /// First operand.
        a: Arg,
        /// The type of the operand.
        from: Scalar,
        /// The type of the result.
        to: Scalar,
    },
    /// Pointer arithmetic: `pointer + index * size`.
    PtrAdd {
        /// The result.
        dst: Reg,
        /// The address.
        pointer: Arg,
        /// The index.
        index: Arg,
        /// Size in bytes.
        size: u64,
        /// The index is subtracted.
        minus: bool,
    },
    /// The difference of two pointers, in elements.
    PtrDiff {
        /// The result.
        dst: Reg,
        /// First operand.
        a: Arg,
        /// Second operand.
        b: Arg,
        /// Size in bytes.
        size: u64,
    },
    /// A builtin on the bits of an integer.
    Bits {
        /// The result.
        dst: Reg,
        /// The operator.
        what: BitOp,
        /// First operand.
        a: Arg,
        /// The type of the operands.
        scalar: Scalar,
    },
    /// Exact integer arithmetic with the result stored at `to`; `dst` is true on overflow.
    Overflow {
        /// The result.
        dst: Reg,
        /// The operator.
        op: Binary,
        /// First operand.
        a: Arg,
        /// Second operand.
        b: Arg,
        /// The type of `a`.
        sa: Scalar,
        /// The type of `b`.
        sb: Scalar,
        /// The address of the destination.
        to: Arg,
        /// The access.
        mem: Mem,
    },
    /// The address of an automatic object.
    SlotAddress {
        /// The result.
        dst: Reg,
        /// The automatic object.
        slot: u32,
    },
    /// The address of the thread's instance of a thread variable.
    ThreadAddress {
        /// The result.
        dst: Reg,
        /// The thread variable.
        index: u32,
    },
    /// Reads a scalar.
    Load {
        /// The result.
        dst: Reg,
        /// The address.
        addr: Arg,
        /// The access.
        mem: Mem,
    },
    /// Writes a scalar.
    Store {
        /// The address.
        addr: Arg,
        /// The value.
        value: Arg,
        /// The access.
        mem: Mem,
    },
    /// Copies a record.
    Copy {
        /// The address of the destination.
        to: Arg,
        /// The address of the source.
        from: Arg,
        /// Size in bytes.
        size: u64,
    },
    /// Fills a range with zeros.
    Zero {
        /// The address of the destination.
        to: Arg,
        /// Size in bytes.
        size: u64,
    },
    /// Atomic exchange; the result is the old value.
    Exchange {
        /// The result.
        dst: Reg,
        /// The address.
        addr: Arg,
        /// The value.
        value: Arg,
        /// The access.
        mem: Mem,
    },
    /// Atomic read-modify-write. The result is the old value (`fetch`) or the new one. The
    /// operation is computed in type `work`, scaled for pointers.
    Modify {
        /// The result.
        dst: Reg,
        /// The operator.
        op: Binary,
        /// The result is the old value.
        fetch: bool,
        /// The address.
        addr: Arg,
        /// The value.
        value: Arg,
        /// The access.
        mem: Mem,
        /// The type of the operation.
        work: Scalar,
        /// The size of the target of a pointer operand.
        size: Option<u64>,
    },
    /// Compare-and-exchange: the old value and whether the exchange succeeded. A weak one may fail
    /// spuriously.
    CompareExchange {
        /// The old value.
        old: Reg,
        /// Whether the exchange succeeded.
        done: Reg,
        /// The address.
        addr: Arg,
        /// The expected value.
        expected: Arg,
        /// The new value.
        desired: Arg,
        /// The access.
        mem: Mem,
        /// May fail spuriously.
        weak: bool,
        /// The memory order on failure.
        failure: Order,
    },
    /// `atomic_thread_fence`.
    Fence(Order),
    /// A jump.
    Jump(u32),
    /// A conditional jump.
    Branch {
        /// The condition.
        cond: Arg,
        /// The type of the operands.
        scalar: Scalar,
        /// The target if the condition is not zero.
        yes: u32,
        /// The target if it is zero.
        no: u32,
    },
    /// A multi-way jump.
    Switch {
        /// The value.
        value: Arg,
        /// The type of the value is signed.
        signed: bool,
        /// Ranges of values with their targets.
        cases: Box<[(u64, u64, u32)]>,
        /// The target of all other values.
        default: u32,
    },
    /// A call. `into` is the address for a returned record.
    Call {
        /// The result, if it is a used scalar.
        dst: Option<Reg>,
        /// The address of a returned record.
        into: Option<Arg>,
        /// The function.
        callee: Arg,
        /// The arguments.
        args: Box<[Arg]>,
        /// The sizes of the arguments.
        sizes: Box<[u8]>,
    },
    /// Returns from the function.
    Return {
        /// The returned value.
        value: Option<Arg>,
    },
    /// A call of a library function that the interpreter executes.
    Lib {
        /// The result.
        dst: Reg,
        /// The function.
        lib: Lib,
        /// The arguments.
        args: Box<[Arg]>,
    },
    /// The index of an array inside a larger object: an error unless `index < length`.
    Bound {
        /// The index.
        index: Arg,
        /// The number of elements.
        length: Arg,
    },
    /// Two unsequenced accesses through pointers that may alias, at least one of them a write: an
    /// error if they overlap. An unset address denotes an access that was not executed.
    Distinct {
        /// First operand.
        a: Arg,
        /// Second operand.
        b: Arg,
        /// Sizes in bytes of the two accesses.
        sizes: (u8, u8),
    },
    /// The lifetime of an automatic object begins.
    Live {
        /// The automatic object.
        slot: u32,
    },
    /// The lifetime of a variable-length array with this number of elements and element size
    /// begins.
    LiveVla {
        /// The automatic object.
        slot: u32,
        /// The number of elements.
        count: Arg,
        /// Size in bytes.
        size: u64,
    },
    /// The lifetime ends.
    Dead {
        /// The automatic object.
        slot: u32,
    },
    /// Initialises a `va_list` to the first variadic argument.
    VaStart {
        /// The address of the `va_list`.
        list: Arg,
    },
    /// The step has no defined execution.
    Stuck(Stuck),
}

/// The location of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Home {
    /// A register.
    Reg(Reg),
    /// A scalar in memory.
    Slot(u32, Mem),
    /// A record in memory.
    Record(u32, u64),
}

/// An automatic object in memory.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its declared name.
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u64,
    /// Its declared type.
    pub ty: Qual,
    /// Memory of `alloca`: its lifetime lasts until the function returns, so it cannot begin twice.
    pub stays: bool,
    /// It holds a value within one statement and has no declaration.
    pub temporary: bool,
    /// Traces do not show it: a variable of a macro of Axle's headers, or an operand of 128 bits.
    pub internal: bool,
}

/// A function's code.
#[derive(Clone, Debug)]
pub struct Code {
    /// The name of the function.
    pub name: Arc<str>,
    /// The source file.
    pub file: Arc<str>,
    /// The steps.
    pub ops: Vec<Op>,
    /// The source location of the expression of each step.
    pub locs: Vec<Loc>,
    /// The location of the statement, condition or part of a `for` header of each step.
    pub statements: Vec<Loc>,
    /// The closing brace: the statement of the steps that return from the end of the body.
    pub end: Loc,
    /// The locations of the parameters.
    pub params: Vec<Home>,
    /// The function has variadic arguments.
    pub variadic: bool,
    /// Number of registers.
    pub regs: u32,
    /// The automatic objects in memory.
    pub slots: Vec<Slot>,
    /// Names of the registers that are variables.
    pub names: Vec<(Arc<str>, Qual, Reg)>,
    /// Bit set of the registers that are live before each step.
    pub live: Vec<Box<[u64]>>,
    /// Size in bytes of the returned record; 0 for a scalar or `void`.
    pub returns_record: u64,
    /// The type of a returned scalar.
    pub returns: Option<Scalar>,
    /// The function is defined in a library source of Axle.
    pub ours: bool,
    /// It belongs to the implementation of the library, and not to its interface.
    pub internal: bool,
    /// The meaning of such a function.
    pub role: Option<Role>,
    /// The function executes atomically: its name starts with `__VERIFIER_atomic_`.
    pub atomic: bool,
    /// The function belongs to the interface of verification tools, by its name.
    pub for_verifiers: bool,
    /// Labels, each with the step that follows it.
    pub labels: Vec<(Arc<str>, u32)>,
    /// Targets of backward jumps: every loop passes through one.
    pub loop_heads: Vec<bool>,
    /// The answers of `analysis::counted_loops::may_recur`, computed where they are first asked for.
    pub recurring: OnceLock<Box<[bool]>>,
    /// For each call of a `printf` function with variadic arguments: the step, and the types of all
    /// arguments.
    pub printed: Vec<(u32, Box<[Scalar]>)>,
}

/// An object with static storage duration.
#[derive(Clone, Debug)]
pub enum StaticKind {
    /// A function.
    Function(Callee),
    /// A string literal.
    Text(Vec<u8>),
    /// A variable: its offset in the image of all variables.
    Variable(u32),
}

/// What a call of a function executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// Its body: the index in [`Program::codes`](crate::Program::codes).
    Code(u32),
    /// A function of the library that the interpreter executes.
    Library(Lib),
    /// Nothing: the function is not defined.
    Undefined,
}

impl StaticKind {
    /// The code of a function with a body.
    #[must_use]
    pub fn code(&self) -> Option<u32> {
        match *self {
            StaticKind::Function(Callee::Code(code)) => Some(code),
            StaticKind::Function(Callee::Library(_) | Callee::Undefined)
            | StaticKind::Text(_)
            | StaticKind::Variable(_) => None,
        }
    }
}

/// Which part of a program defines an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The program.
    Program,
    /// The library: a variable of its interface, `optarg` for example.
    Interface,
    /// The library: a static variable of this function of its C sources.
    Function(u32),
    /// The library: a variable of its implementation.
    Internal,
}

/// An object with static storage duration, see [`StaticKind`]; numbers start at 1.
#[derive(Clone, Debug)]
pub struct Static {
    /// Function, string literal or variable.
    pub kind: StaticKind,
    /// Its declared name.
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u32,
    /// Its type.
    pub ty: Qual,
    /// Declared `const`: a write is undefined behaviour (6.7.3p6).
    pub constant: bool,
    /// The definition, for variables.
    pub origin: Origin,
}

/// An initial value of an object with static storage duration.
#[derive(Clone, Copy, Debug)]
pub enum Initial {
    /// A number and its size in bytes.
    Bytes(u64, u8),
    /// An object and an offset in it.
    Pointer(u32, i32),
    /// A bit-field: its value and its bits.
    Bits(u64, Bits),
}

/// A variable with thread storage duration: its size and initial stores.
#[derive(Clone, Debug)]
pub struct ThreadVariable {
    /// Its declared name.
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u32,
    /// Its type.
    pub ty: Qual,
    /// Initial values by offset.
    pub stores: Vec<(u32, Initial)>,
    /// Initial strings by offset.
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

/// Calls `$f` with each register that a step writes: shared or exclusive references, as `$op` is one.
macro_rules! each_result {
    ($op:expr, $f:ident, $each:ident) => {
        match $op {
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
            | Op::Lib { dst, .. } => $f(dst),
            Op::CompareExchange { old, done, .. } => {
                $f(old);
                $f(done);
            }
            Op::Call { dst, .. } => dst.$each().for_each($f),
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
            | Op::Stuck(_) => {}
        }
    };
}

/// The same for the operands of a step.
macro_rules! each_operand {
    ($op:expr, $f:ident, $each:ident) => {
        match $op {
            Op::Move { src: a, .. }
            | Op::Unary { a, .. }
            | Op::Convert { a, .. }
            | Op::Bits { a, .. }
            | Op::Load { addr: a, .. }
            | Op::Zero { to: a, .. }
            | Op::Branch { cond: a, .. }
            | Op::Switch { value: a, .. }
            | Op::LiveVla { count: a, .. }
            | Op::VaStart { list: a } => $f(a),
            Op::Binary { a, b, .. }
            | Op::PtrDiff { a, b, .. }
            | Op::Distinct { a, b, .. }
            | Op::Bound { index: a, length: b }
            | Op::PtrAdd { pointer: a, index: b, .. }
            | Op::Store { addr: a, value: b, .. }
            | Op::Copy { to: a, from: b, .. }
            | Op::Exchange { addr: a, value: b, .. }
            | Op::Modify { addr: a, value: b, .. } => {
                $f(a);
                $f(b);
            }
            Op::Overflow { a, b, to: c, .. }
            | Op::CompareExchange { addr: a, expected: b, desired: c, .. } => {
                $f(a);
                $f(b);
                $f(c);
            }
            Op::Call { into, callee, args, .. } => {
                into.$each().for_each(&mut $f);
                $f(callee);
                args.$each().for_each(&mut $f);
            }
            Op::Return { value } => value.$each().for_each(&mut $f),
            Op::Lib { args, .. } => args.$each().for_each(&mut $f),
            Op::Fence(_)
            | Op::Undefine { .. }
            | Op::SlotAddress { .. }
            | Op::ThreadAddress { .. }
            | Op::Jump(_)
            | Op::Live { .. }
            | Op::Dead { .. }
            | Op::Stuck(_) => {}
        }
    };
}

impl Op {
    /// The operation of the library function that the step calls.
    #[inline]
    #[must_use]
    pub fn operation(&self) -> Operation {
        match self {
            Op::Lib { lib, .. } => lib.operation(),
            _ => Operation::Other,
        }
    }

    /// The registers that the step writes.
    pub fn writes(&self) -> [Option<Reg>; 2] {
        let mut written = [None; 2];
        let mut free = written.iter_mut();
        let mut add = |reg: &Reg| {
            if let Some(free) = free.next() {
                *free = Some(*reg);
            }
        };
        each_result!(self, add, iter);
        written
    }

    /// Calls `f` with every register that the step writes, to replace it.
    pub fn writes_mut(&mut self, mut f: impl FnMut(&mut Reg)) {
        each_result!(self, f, iter_mut);
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
        each_operand!(self, arg, iter);
    }

    /// Calls `f` with every operand, to replace it.
    pub fn operands_mut(&mut self, mut f: impl FnMut(&mut Arg)) {
        each_operand!(self, f, iter_mut);
    }

    /// Calls `f` with every successor of the step.
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
