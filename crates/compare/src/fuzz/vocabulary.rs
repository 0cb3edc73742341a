//! The language-specific data of the fuzzer: directories of the corpus and vocabulary. The tables
//! are in `pieces.rs` for Promela and `pieces_c.rs` for C.
//!
//! *Entry point:* [`Vocabulary`].

use axle_generate::Random;

/// A language for input generation.
pub struct Vocabulary {
    /// Directories of the project with corpus texts.
    pub folders: &'static [&'static str],
    /// File name extensions of corpus texts.
    pub endings: &'static [&'static str],
    /// The smallest valid text.
    pub smallest: &'static str,
    /// Generates a text from the grammar.
    pub grown: fn(&mut Random) -> String,
    /// Keywords, operators and fragments.
    pub words: fn() -> &'static [&'static str],
    /// Numbers at type limits, and texts similar to numbers.
    pub numbers: &'static [&'static str],
    /// Preprocessor lines, each inserted at the start of a line.
    pub directives: &'static [&'static str],
    /// Global declarations.
    pub declarations: &'static [&'static str],
    /// Statements without their terminator.
    pub statements: &'static [&'static str],
    /// The text before a generated statement list; a closing brace follows it.
    pub main: &'static str,
    /// Separator of statements.
    pub between: &'static [&'static str],
    /// Constructs that enclose a statement.
    pub blocks: &'static [(&'static str, &'static str)],
    /// Constructs that enclose a value.
    pub wraps: &'static [(&'static str, &'static str)],
    /// Defines a routine with this statement, recursive if true.
    pub routine: fn(&str, bool) -> String,
    /// Calls the routine.
    pub call: &'static str,
    /// Whether `if`/`fi` and `do`/`od` are brackets.
    pub words_nest: bool,
}
