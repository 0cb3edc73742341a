//! What the fuzzer has to know of a language: where its texts stand, and what may be put into one. The tables are in
//! `pieces.rs` for Promela and `pieces_c.rs` for C.

use axle_generate::Random;

/// A language, for making inputs.
pub struct Vocabulary {
    /// Folders of the project with texts.
    pub folders: &'static [&'static str],
    /// Endings of the names of files that are texts.
    pub endings: &'static [&'static str],
    /// The smallest text that means something.
    pub smallest: &'static str,
    /// Makes a text from the grammar.
    pub grown: fn(&mut Random) -> String,
    /// Words, signs and fragments.
    pub words: &'static [&'static str],
    /// Numbers at the edges of types, and texts that are almost numbers.
    pub numbers: &'static [&'static str],
    /// Lines of the preprocessor, each to be put at the start of a line.
    pub directives: &'static [&'static str],
    /// Declarations for the top of a file.
    pub declarations: &'static [&'static str],
    /// Statements, without the sign that ends them.
    pub statements: &'static [&'static str],
    /// What stands before the statements of a text made of them; what stands behind is a brace.
    pub main: &'static str,
    /// What stands between statements.
    pub between: &'static [&'static str],
    /// What a statement can be nested in.
    pub blocks: &'static [(&'static str, &'static str)],
    /// What a value can be nested in.
    pub wraps: &'static [(&'static str, &'static str)],
    /// Moves a statement elsewhere to be called; true asks for a call of itself inside. Gives the definition.
    pub routine: fn(&str, bool) -> String,
    /// Calls what was moved.
    pub call: &'static str,
    /// Whether `if` and `do` are brackets, which `fi` and `od` close.
    pub words_nest: bool,
}
