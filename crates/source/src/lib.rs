//! Files, spans with macro-expansion chains, diagnostics, and the preprocessor that every input
//! language shares. It knows neither Promela's grammar nor C's: its result is a list of
//! [`Token`]s, each of which knows where it was written and through which macros it came.
//!
//! Start at [`preprocess()`]; its input is a file of a [`Sources`] table, its output a
//! [`Preprocessed`] and entries of [`Diagnostics`].

pub mod codes;
pub mod diagnostic;
pub mod files;
pub mod nearest;
pub mod preprocess;
mod render;
pub mod span;
pub mod token;

pub use codes::explain;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use files::{LoadError, Loader, MemoryLoader, Place, Position, SourceFile, Sources};
pub use nearest::nearest;
pub use preprocess::{
    CommandLine, DefinedConstant, Dialect, Limits, Options, Preprocessed, preprocess, tokenize,
};
pub use render::Style;
pub use span::{Expansion, ExpansionId, ExpansionKind, FileId, Loc, Span};
pub use token::{Token, TokenKind};
