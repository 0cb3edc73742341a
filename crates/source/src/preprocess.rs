//! The preprocessor.

use crate::diagnostic::Diagnostics;
use crate::files::{Loader, Sources};
use crate::span::FileId;
use crate::token::Token;

/// Which language's tokens are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// Promela: numbers are digits and letters only (`0..N` is three tokens), `::`, `..`, `!!`, `??`, `<->` are
    /// punctuators, no digraphs.
    Promela,
    /// C11 with GNU extensions: pp-numbers, digraphs, `$` in names.
    C,
}

/// A definition from the command line, in the order given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CommandLine {
    /// `-DNAME`, `-DNAME=VALUE` or `-DNAME(PARAMETERS)=VALUE`; the text after `-D`.
    Define(String),
    /// `-UNAME`; the text after `-U`.
    Undefine(String),
}

/// Bounds that no input can exceed; meeting one is a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Tokens in the output.
    pub output_tokens: usize,
    /// Tokens made by macro expansion altogether, those that vanish again counted.
    pub expanded_tokens: usize,
    /// Macro uses nested in the expansion of one another, and macro arguments nested in one another.
    pub expansion_depth: usize,
    /// Bytes of text made by `#` and `##` altogether.
    pub made_bytes: usize,
    /// Files included one in another.
    pub include_depth: usize,
    /// Inclusions altogether.
    pub includes: usize,
    /// Bytes of all files that are read, each as often as it is included.
    pub source_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            output_tokens: 4_000_000,
            expanded_tokens: 4_000_000,
            expansion_depth: 256,
            made_bytes: 64 << 20,
            include_depth: 200,
            includes: 20_000,
            source_bytes: 64 << 20,
        }
    }
}

/// How to preprocess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which language's tokens are read.
    pub dialect: Dialect,
    /// Folders that are searched for included files, in order.
    pub include_dirs: Vec<String>,
    /// Definitions from the command line.
    pub command_line: Vec<CommandLine>,
    /// Whether `#pragma` directives become tokens of the output rather than vanish.
    pub keep_pragmas: bool,
    /// Bounds.
    pub limits: Limits,
}

impl Options {
    /// No folders, no definitions, pragmas dropped, default limits.
    #[must_use]
    pub fn new(dialect: Dialect) -> Options {
        Options {
            dialect,
            include_dirs: Vec::new(),
            command_line: Vec::new(),
            keep_pragmas: false,
            limits: Limits::default(),
        }
    }
}

/// What preprocessing yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessed {
    /// The tokens; the last one, and only that, is [`TokenKind::End`](crate::TokenKind::End).
    pub tokens: Vec<Token>,
    /// The file that was preprocessed.
    pub main: FileId,
}

/// Preprocesses the file `main` of `sources`. Included files come from `loader` and are added to `sources`.
/// Faults go to `diagnostics`; there is always an output, however faulty the input.
pub fn preprocess(
    main: FileId,
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let _ = loader;
    Preprocessed { tokens: tokenize(main, options.dialect, sources, diagnostics), main }
}

/// The tokens of a file as they stand, directives and all, ending with [`TokenKind::End`](crate::TokenKind::End).
#[must_use]
pub fn tokenize(
    file: FileId,
    dialect: Dialect,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let _ = (file, dialect, sources, diagnostics);
    Vec::new()
}
