//! Types of data: integers of 1 to 64 bits, channel references, records and arrays.
//!
//! An integer type determines how a value is *stored*; an operator has a type of its own
//! ([`crate::Expr::Binary`]). A store truncates to the type of the variable silently; the check
//! `truncation` reports it.

use crate::ids::{NameSetId, RecordId, ShapeId};

/// A fixed-width integer: two's complement when signed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntType {
    /// Width in bits, 1 to 64.
    pub bits: u8,
    /// Whether the highest bit is a sign.
    pub signed: bool,
}

impl IntType {
    /// What Promela computes in, and C's `int`.
    pub const I32: IntType = IntType { bits: 32, signed: true };
    /// One bit: Promela's `bit` and `bool`.
    pub const BIT: IntType = IntType { bits: 1, signed: false };
    /// Promela's `byte`, `pid` and `mtype`.
    pub const BYTE: IntType = IntType { bits: 8, signed: false };
    /// Promela's `short`.
    pub const SHORT: IntType = IntType { bits: 16, signed: true };

    /// `value` as it reads back after being stored in this type.
    #[inline]
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - u32::from(self.bits);
        if self.signed { (value << unused) >> unused } else { (((value as u64) << unused) >> unused) as i64 }
    }
}

/// Display of an integer type; it does not affect evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    /// As a decimal number.
    Number,
    /// As `false` or `true`.
    Bool,
    /// As a process number.
    Pid,
    /// As a name of this set, or a number where the set has none for the value.
    Names(NameSetId),
}

/// The type of a variable, a record field or a message field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer.
    Int(IntType, Shown),
    /// A reference to a channel: 0 is no channel; see [`crate::Expr::Channel`].
    Chan,
    /// A record.
    Record(RecordId),
    /// An array of `1` or more elements.
    Array(Box<Type>, u32),
}

impl Type {
    /// The integer type that a value of this type is stored in, for scalars. A channel reference is
    /// stored in as many bits as the layout needs; as a value it is an unsigned 16-bit number.
    pub fn scalar(&self) -> Option<IntType> {
        match self {
            Type::Int(int, _) => Some(*int),
            Type::Chan => Some(IntType { bits: 16, signed: false }),
            Type::Record(_) | Type::Array(..) => None,
        }
    }
}

/// A record type (`typedef`, `struct`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The name in the source.
    pub name: String,
    /// The fields in order of declaration.
    pub fields: Vec<Field>,
}

/// One field of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name in the source.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// Symbolic names of small numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameSet {
    /// The name of the set: `mtype`, or the subtype's own.
    pub name: String,
    /// Name and value, in order of value.
    pub names: Vec<(String, i64)>,
}

/// Capacity and message type of channels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Capacity in messages; 0 is a rendezvous channel.
    pub capacity: u32,
    /// The scalar fields of a message (records are flattened, arrays in them element by element).
    pub fields: Vec<Type>,
}

/// A channel that exists from the start (in [`crate::Model::channels`]) or that is created and dies
/// with each process of a type (in [`crate::Process::channels`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The name of the variable that declared it, with its index for an element of an array:
    /// `q[2]`.
    pub name: String,
    /// Capacity and fields.
    pub shape: ShapeId,
}
