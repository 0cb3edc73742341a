//! Typed indices. An id is a `u32` into one of the model's tables; its `Display` is exactly what
//! the textual dump prints, so that a dump, a log line and a debugger speak of `p0` and `t17`
//! alike.

/// Declares a typed index with the letter that its `Display` puts before the number.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The letter before the number in the textual dump.
            pub const LETTER: &'static str = $letter;

            /// The position in the table that this id points into.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the entry at `index`.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a model table has fewer than 2^32 entries"))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{self}")
            }
        }
    };
}

id!(
    /// A process type: an index into [`crate::Model::processes`].
    ProcId, "p");
id!(
    /// A global variable: an index into [`crate::Model::globals`].
    GlobalId, "g");
id!(
    /// A parameter or local variable: an index into [`crate::Process::locals`] of its process type.
    LocalId, "l");
id!(
    /// A control location: an index into [`crate::Process::locations`] of its process type.
    LocId, "s");
id!(
    /// An edge (a statement between two locations): an index into [`crate::Process::edges`].
    EdgeId, "t");
id!(
    /// A record type: an index into [`crate::Model::records`].
    RecordId, "r");
id!(
    /// A channel shape (capacity and message fields): an index into [`crate::Model::shapes`].
    ShapeId, "q");
id!(
    /// A set of symbolic names (an `mtype` subtype, a C `enum`): an index into
    /// [`crate::Model::name_sets`].
    NameSetId, "m");
id!(
    /// A source file: an index into [`crate::Model::files`].
    FileId, "f");
