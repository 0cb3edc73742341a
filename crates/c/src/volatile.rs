//! The meaning of accesses to volatile objects.
//!
//! *Entry point:* [`Volatile`].

/// The meaning of an access to a volatile object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Volatile {
    /// That of C11: a non-atomic access, so that two of them can form a data race.
    #[default]
    C11,
    /// A relaxed atomic load or store, as code before C11 assumes for scalars. An operator that reads and
    /// writes makes two accesses.
    Relaxed,
}

impl Volatile {
    /// The name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Volatile::C11 => "c11",
            Volatile::Relaxed => "relaxed",
        }
    }
}
