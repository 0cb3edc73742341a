//! Names in scope, with their types.
//!
//! *Entry point:* [`Scope`].

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// `bit`, `bool`
    Bit,
    /// `byte`, `pid`, `short`, `int`, `unsigned`
    Number,
    /// An mtype, by index.
    Mtype(usize),
    /// A channel with the same message type as the channel with this index.
    Chan(usize),
}

/// A variable that can be read and written, as it is written in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Var {
    /// Its name; for a field `record.field`.
    pub name: String,
    pub ty: Ty,
    /// Number of elements of an array.
    pub len: Option<usize>,
    /// Visible in claims and other processes.
    pub global: bool,
    /// The counter of an enclosing loop: read-only.
    pub busy: bool,
}

/// The type of a message field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Scalar(Ty),
    /// The record type with this index.
    Record(usize),
}

/// A channel, or an array of channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chan {
    pub name: String,
    pub len: Option<usize>,
    pub capacity: usize,
    pub fields: Vec<Field>,
}

/// A record type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub name: String,
    /// Scalar fields including arrays: name, type, length.
    pub fields: Vec<(String, Ty, Option<usize>)>,
}

/// The names in scope at the current position.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub vars: Vec<Var>,
    /// Variables of record types: name, index of the type.
    pub records: Vec<(String, usize)>,
    /// Labels of the process for `goto`.
    pub labels: Vec<String>,
}
