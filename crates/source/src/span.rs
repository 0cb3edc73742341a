//! Where text was written and how it came to be read: byte ranges of files, and chains of macro
//! expansions.

use std::fmt;
use std::sync::Arc;

/// A file of a [`Sources`](crate::Sources) table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// The file's place in the table, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

/// A range of bytes of one file, `start..end`. It may be empty; it never ends before it starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`; an end before the start is moved to the start.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end: end.max(start) }
    }

    /// The smallest range that covers both, or `self` when they lie in different files.
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        if self.file == other.file {
            Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
        } else {
            self
        }
    }

    /// The empty range just after this one.
    #[must_use]
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The last byte: the closing bracket of a text in brackets.
    #[must_use]
    pub fn last(self) -> Span {
        Span { start: self.end.saturating_sub(1).max(self.start), ..self }
    }
}

/// An entry of the table of macro expansions, or [`ExpansionId::NONE`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExpansionId(pub(crate) u32);

impl ExpansionId {
    /// Written in the file as it stands, through no macro.
    pub const NONE: ExpansionId = ExpansionId(0);

    /// Whether there is no macro in between.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == ExpansionId::NONE
    }
}

/// A use of text that is replaced by other text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExpansionKind {
    /// A macro of the preprocessor.
    Macro,
    /// A call of a named piece of text with a body of its own (Promela's `inline`): its
    /// text has its location in the body, not at the call.
    Inline,
    /// A parameter of such a piece of text, in its body: the spelling is the argument, at the call.
    Parameter,
}

/// One use of a macro or inline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// The used macro or inline.
    pub kind: ExpansionKind,
    /// The macro's name.
    pub name: Arc<str>,
    /// Where the macro was used: its name, with the argument list if it takes one, as spelled
    /// there.
    pub call: Span,
    /// The name in the macro's `#define`.
    pub definition: Span,
    /// The expansion that the use itself came from.
    pub parent: ExpansionId,
    /// How many expansions the chain has, this one counted.
    pub depth: u32,
    /// The location at which the user sees the text of this use: the outermost call, up to the body of an
    /// inline; nothing for an inline itself, in whose body things stand where they are spelled.
    pub seen_at: Option<Span>,
}

/// Where something was spelled, and through which macros it was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc {
    /// The spelling. Inside a macro's body this lies in the `#define`.
    pub span: Span,
    /// The innermost macro use that brought the spelling here.
    pub expansion: ExpansionId,
}

impl Loc {
    /// A place that came through no macro.
    #[must_use]
    pub fn plain(span: Span) -> Loc {
        Loc { span, expansion: ExpansionId::NONE }
    }

    /// The empty place just after this one (where something is missing).
    #[must_use]
    pub fn after(self) -> Loc {
        Loc { span: self.span.after(), ..self }
    }

    /// The place of the last byte.
    #[must_use]
    pub fn last(self) -> Loc {
        Loc { span: self.span.last(), ..self }
    }

    /// From the start of `self` to the end of `last`, when both came through the same macro use,
    /// else `self`. [`Sources::join`](crate::Sources::join) also finds the use that both came
    /// through.
    #[must_use]
    pub fn to(self, last: Loc) -> Loc {
        if self.expansion == last.expansion {
            Loc { span: self.span.join(last.span), expansion: self.expansion }
        } else {
            self
        }
    }
}

impl From<Span> for Loc {
    fn from(span: Span) -> Loc {
        Loc::plain(span)
    }
}
