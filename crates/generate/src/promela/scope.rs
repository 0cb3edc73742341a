//! What is declared, and what can be done with it.
//!
//! *Entry point:* [`Scope`].

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// `bit`, `bool`
    Bit,
    /// `byte`, `pid`, `short`, `int`, `unsigned`
    Number,
    /// An mtype, by its place in the list of those.
    Mtype(usize),
    /// A channel whose messages are those of the channel with this number.
    Chan(usize),
}

/// A variable that can be read and written, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Var {
    /// Its name; for fields `record.field`.
    pub name: String,
    pub ty: Ty,
    /// How many elements, where it is an array.
    pub len: Option<usize>,
    /// Whether claims and other processes see it.
    pub global: bool,
    /// Counts a loop that is under way: read only.
    pub busy: bool,
}

/// The type of a field of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Scalar(Ty),
    /// The record with this number.
    Record(usize),
}

/// A channel, or an array of them.
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
    /// Scalar fields, arrays among them: what stands behind the dot, type, length.
    pub fields: Vec<(String, Ty, Option<usize>)>,
}

/// What can be named where the text goes on.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub vars: Vec<Var>,
    /// Variables of record types: name, number of the type.
    pub records: Vec<(String, usize)>,
    /// Labels of the process that can be jumped to.
    pub labels: Vec<String>,
}
