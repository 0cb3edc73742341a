//! Accesses to memory, in the forms in which they are recorded: for the check of adjacent accesses
//! (`races.rs`), and for the access logs of threads (`transactions.rs`).

/// An access to memory, for finding races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub object: u32,
    pub offset: i32,
    pub size: u32,
    pub write: bool,
    pub atomic: bool,
}

/// Bytes that are touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    pub object: u32,
    pub from: u32,
    pub to: u32,
    pub write: bool,
}

impl Span {
    /// Whether two accesses, one of them plain, make a race.
    pub fn conflicts(&self, other: &Span) -> bool {
        self.object == other.object
            && (self.write || other.write)
            && self.from < other.to
            && other.from < self.to
    }

    /// Whether whatever conflicts with the other access conflicts with this one.
    pub fn covers(&self, other: &Span) -> bool {
        self.object == other.object
            && (self.write || !other.write)
            && self.from <= other.from
            && other.to <= self.to
    }
}

/// A non-atomic access that a thread made since its last scheduling point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedAccess {
    pub span: Span,
    /// Where: code and step.
    pub site: u32,
}
