//! The preprocessor that Promela and C share, in the sense of C11 6.10 with GNU's extensions.
//! Tokens of the files (`lex`) pass the directives (`directive`, `condition`, `include`) and are
//! expanded (`expand`, `substitute`, `macros`, `hide`). Invariants: every token of the output knows
//! where it is spelled and through which macro uses it came; no input makes it run forever or
//! exceed [`Limits`]; it has no clock and no disk.
//!
//! *Entry point:* [`preprocess`].

mod condition;
mod dialect;
mod directive;
mod expand;
mod hide;
mod include;
mod lex;
mod macros;
mod replace;
mod substitute;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::files::{Loader, Sources};
use crate::span::{ExpansionId, FileId, Loc, Span};
use crate::token::{Token, TokenKind};
pub use dialect::Dialect;
pub use replace::DefinedConstant;

use directive::Conditional;
use expand::Feed;
use hide::{HideId, HideSets, Tok};
use lex::{Lexer, Scanned, unspliced};
use macros::{BUILTINS, Item, Macro, MacroKind};

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
    /// Tokens handled by macro expansion altogether: those made, and those read as arguments.
    pub expanded_tokens: usize,
    /// The same for one macro use that stands in a file, with all the uses that it unfolds into.
    pub use_tokens: usize,
    /// Macro uses nested in the expansion of one another, and macro arguments nested in one
    /// another.
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
            use_tokens: 500_000,
            expansion_depth: 256,
            made_bytes: 64 << 20,
            include_depth: 200,
            includes: 10_000,
            source_bytes: 32 << 20,
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
    /// Lines that are read before anything else: `#define`s that a compiler would have built in.
    pub prelude: String,
    /// Definitions from the command line.
    pub command_line: Vec<CommandLine>,
    /// Files that are read after the main one, as if their text stood at its end.
    pub appended: Vec<FileId>,
    /// Other values for object-like macros, by name.
    pub replace: Vec<(String, i64)>,
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
            prelude: String::new(),
            command_line: Vec::new(),
            appended: Vec::new(),
            replace: Vec::new(),
            keep_pragmas: false,
            limits: Limits::default(),
        }
    }
}

/// The result of preprocessing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessed {
    /// The tokens; the last one, and only that, is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The file that was preprocessed.
    pub main: FileId,
    /// The definitions of object-like macros with a value; none without [`Options::replace`].
    pub constants: Vec<DefinedConstant>,
    /// The object-like macros with a value that are defined at the end, by name.
    pub macros: Vec<ObjectMacro>,
}

/// An object-like macro with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectMacro {
    /// Its name.
    pub name: Arc<str>,
    /// The name in the `#define`.
    pub definition: Span,
    /// The tokens of its value, separated by blanks.
    pub text: Arc<str>,
}

/// Preprocesses the file `main` of `sources`. Included files come from `loader` and are added to
/// `sources`. Faults go to `diagnostics`; there is always an output, however faulty the input.
pub fn preprocess(
    main: FileId,
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(main, options, loader, sources, diagnostics);
    preprocessor.predefine();
    preprocessor.loaded.insert(preprocessor.sources.file(main).name().to_string(), Some(main));
    preprocessor.push_file(main, 0);
    let mut tokens = preprocessor.run();
    for &file in &options.appended {
        preprocessor.push_file(file, 0);
        tokens.extend(preprocessor.run());
    }
    let macros = object_macros(&preprocessor.macros);
    let constants = preprocessor.constants;
    tokens.push(end_of(main, sources));
    Preprocessed { tokens, main, constants, macros }
}

/// The object-like macros with a value, by name.
fn object_macros(all: &FxHashMap<Arc<str>, Rc<Macro>>) -> Vec<ObjectMacro> {
    let own = |one: &Rc<Macro>| {
        let words: Option<Vec<&str>> = (one.body.iter())
            .map(|item| match item {
                Item::Token(token) => Some(&*token.text),
                _ => None,
            })
            .collect();
        let words = words.filter(|words| !words.is_empty() && one.kind == MacroKind::Object)?;
        Some(ObjectMacro {
            name: one.name.clone(),
            definition: one.definition,
            text: Arc::from(words.join(" ")),
        })
    };
    let mut macros: Vec<ObjectMacro> = all.values().filter_map(own).collect();
    macros.sort_by(|one, other| one.name.cmp(&other.name));
    macros
}

/// The tokens of a file as they stand, directives and all, ending with [`TokenKind::End`].
#[must_use]
pub fn tokenize(
    file: FileId,
    dialect: Dialect,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut lexer = Lexer::new(file, sources.file(file).text().clone(), dialect);
    let mut tokens = Vec::new();
    while let Some(scanned) = lexer.next() {
        let token = Token {
            kind: scanned.kind,
            newline_before: scanned.newline_before,
            space_before: scanned.space_before,
            made: false,
            expansion: ExpansionId::NONE,
            span: lexer.span(scanned),
            text: (&*lexer.spelling(scanned)).into(),
        };
        diagnostics.extend(scanned.open.then(|| open_quote(&token)));
        tokens.push(token);
    }
    diagnostics.extend(open_comment(&lexer));
    tokens.push(end_of(file, sources));
    tokens
}

fn end_of(file: FileId, sources: &Sources) -> Token {
    let end = sources.file(file).text().len() as u32;
    Token {
        kind: TokenKind::End,
        newline_before: true,
        space_before: true,
        made: false,
        expansion: ExpansionId::NONE,
        span: Span::new(file, end, end),
        text: "".into(),
    }
}

fn open_quote(token: &Token) -> Diagnostic {
    let what = if token.text.ends_with('"') || token.text.contains('"') { "string" } else { "character" };
    Diagnostic::error("E0102", format!("the {what} constant is not closed on its line"))
        .at(token.loc(), "starts here")
}

fn open_comment(lexer: &Lexer) -> Option<Diagnostic> {
    lexer.open_comment.map(|start| {
        let span = Span::new(lexer.file, start as u32, start as u32 + 2);
        Diagnostic::error("E0101", "the comment is never closed").at(Loc::plain(span), "starts here")
    })
}

/// A file that is being read.
struct Frame {
    lexer: Lexer,
    conditionals: Vec<Conditional>,
    /// The folder of the options at which `#include_next` goes on.
    next_dir: usize,
}

/// The state of a run; its deeds are spread over the files of this folder.
struct Preprocessor<'a> {
    options: &'a Options,
    loader: &'a dyn Loader,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    main: FileId,
    /// Spellings seen so far, so that equal ones share their memory.
    names: FxHashSet<Arc<str>>,
    macros: FxHashMap<Arc<str>, Rc<Macro>>,
    /// Each macro name's number in hide sets.
    macro_ids: FxHashMap<Arc<str>, u32>,
    hides: HideSets,
    /// Files being read, the innermost last.
    frames: Vec<Frame>,
    /// Paths that were asked for, and the file if there is one.
    loaded: FxHashMap<String, Option<FileId>>,
    /// Files that were read at least once.
    entered: FxHashSet<FileId>,
    /// Files that are not read again.
    once: FxHashSet<FileId>,
    /// The token read last from a file: where a limit was reached.
    here: Span,
    counter: u32,
    /// Above 0 while a macro use is being read, which must not go on past the end of an included
    /// file.
    collecting: u32,
    /// Argument expansions under way, one in another.
    depth: usize,
    expanded_tokens: usize,
    /// The value of `expanded_tokens` at the start of the current macro use.
    use_began: usize,
    /// Where that use stands.
    use_at: Span,
    made_bytes: usize,
    includes: usize,
    source_bytes: u64,
    /// See [`Preprocessed::constants`].
    constants: Vec<DefinedConstant>,
    /// A limit was reached; there are no more tokens.
    stopped: bool,
}

impl<'a> Preprocessor<'a> {
    fn new(
        main: FileId,
        options: &'a Options,
        loader: &'a dyn Loader,
        sources: &'a mut Sources,
        diagnostics: &'a mut Diagnostics,
    ) -> Preprocessor<'a> {
        Preprocessor {
            options,
            loader,
            sources,
            diagnostics,
            main,
            names: FxHashSet::default(),
            macros: FxHashMap::default(),
            macro_ids: FxHashMap::default(),
            hides: HideSets::new(),
            frames: Vec::new(),
            loaded: FxHashMap::default(),
            entered: FxHashSet::default(),
            once: FxHashSet::default(),
            here: Span::new(main, 0, 0),
            counter: 0,
            collecting: 0,
            depth: 0,
            expanded_tokens: 0,
            use_began: 0,
            use_at: Span::new(main, 0, 0),
            made_bytes: 0,
            includes: 0,
            source_bytes: 0,
            constants: Vec::new(),
            stopped: false,
        }
    }

    /// Built-in macros, then the command line's definitions, each of which is a small file of its
    /// own.
    fn predefine(&mut self) {
        let version = match self.options.dialect {
            Dialect::Promela => "199901L",
            Dialect::C => "201112L",
        };
        let mut text =
            format!("#define __STDC__ 1\n#define __STDC_HOSTED__ 1\n#define __STDC_VERSION__ {version}\n");
        text.push_str(&self.options.prelude);
        let file = self.sources.add("<built-in>", &text);
        for (name, builtin) in BUILTINS {
            let name = self.intern(name);
            let id = self.macro_ids.len() as u32;
            self.macro_ids.insert(name.clone(), id);
            let new = Macro {
                name: name.clone(),
                id,
                definition: Span::new(file, 0, 0),
                kind: MacroKind::Builtin(builtin),
                body: Vec::new(),
                canonical: String::new(),
            };
            self.macros.insert(name, Rc::new(new));
        }
        self.push_file(file, 0);
        let mut nothing = self.run();
        for entry in &self.options.command_line {
            let text = match entry {
                CommandLine::Define(text) => match text.split_once('=') {
                    Some((name, value)) => format!("#define {name} {value}"),
                    None => format!("#define {text} 1"),
                },
                CommandLine::Undefine(name) => format!("#undef {name}"),
            };
            let first_line = text.split(['\n', '\r']).next().unwrap_or_default();
            let file = self.sources.add("<command line>", first_line);
            self.push_file(file, 0);
            nothing.extend(self.run());
        }
        debug_assert!(nothing.is_empty(), "these files hold nothing but directives");
    }

    /// All tokens of the files that are being read.
    fn run(&mut self) -> Vec<Token> {
        let mut feed = Feed::file();
        let mut tokens = Vec::new();
        // The line of the token before, and whether a macro use ended there.
        let mut before = (self.here.file, 0, false);
        while let Some(mut tok) = self.expand_next(&mut feed) {
            let token = &mut tok.token;
            let span = self.sources.outermost(token.loc());
            let line = self.sources.file(span.file).line_of(span.start);
            // As gcc prints it: text after a splice, a comment or a use of several lines starts a
            // line.
            if (token.space_before || before.2) && (before.0, before.1) != (span.file, line) {
                token.newline_before = true;
            }
            before = (span.file, line, !token.expansion.is_none());
            if tok.token.kind == TokenKind::Unknown && tok.token.text.contains(['"', '\'']) {
                self.diagnostics.push(open_quote(&tok.token));
            }
            if tokens.len() >= self.options.limits.output_tokens {
                let message = format!("there are more than {} tokens", tokens.len());
                self.stop_at_limit(Some(tok.token.loc()), message);
                break;
            }
            tokens.push(tok.token);
        }
        self.frames.clear();
        tokens
    }

    fn push_file(&mut self, file: FileId, next_dir: usize) {
        let text = self.sources.file(file).text().clone();
        self.source_bytes += text.len() as u64;
        let limit = self.options.limits.source_bytes;
        if self.source_bytes > limit {
            let message = format!("more than {limit} bytes of source are read");
            return self.stop_at_limit(Some(Loc::plain(self.here)), message);
        }
        self.entered.insert(file);
        let lexer = Lexer::new(file, text, self.options.dialect);
        self.frames.push(Frame { lexer, conditionals: Vec::new(), next_dir });
    }

    /// The next token of the files, directives carried out on the way.
    fn next_from_file(&mut self) -> Option<Tok> {
        while !self.stopped {
            let frame = self.frames.last_mut()?;
            match frame.lexer.next() {
                None if self.collecting > 0 => return None,
                None => self.leave_file(),
                Some(scanned) if self.opens_directive(scanned) => {
                    if let Some(pragma) = self.directive() {
                        return Some(pragma);
                    }
                }
                Some(scanned) => return self.read(scanned),
            }
        }
        None
    }

    fn leave_file(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.diagnostics.extend(open_comment(&frame.lexer));
        for conditional in frame.conditionals {
            self.diagnostics.push(
                Diagnostic::error("E0105", "the conditional is never closed")
                    .at(conditional.loc, "starts here")
                    .help("an `#endif` is missing in this file"),
            );
        }
    }

    /// The next token of the line; nothing at its end.
    fn next_in_line(&mut self) -> Option<Tok> {
        let scanned = self.frames.last_mut()?.lexer.next_in_line()?;
        self.read(scanned)
    }

    fn rest_of_line(&mut self) -> Vec<Tok> {
        let mut tokens = Vec::new();
        while let Some(tok) = self.next_in_line() {
            tokens.push(tok);
        }
        tokens
    }

    fn skip_line(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.lexer.skip_line();
        }
    }

    /// A token just scanned in the current file, with its text.
    fn read(&mut self, scanned: Scanned) -> Option<Tok> {
        let frame = self.frames.last()?;
        let span = frame.lexer.span(scanned);
        let source = frame.lexer.text.clone();
        let text = self.intern(&unspliced(&source, scanned));
        self.here = span;
        let token = Token {
            kind: scanned.kind,
            newline_before: scanned.newline_before,
            space_before: scanned.space_before,
            made: false,
            expansion: ExpansionId::NONE,
            span,
            text,
        };
        Some(Tok { token, hide: HideId::EMPTY })
    }

    fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.names.insert(new.clone());
        new
    }

    /// File and line of a place outside all macros, line markers obeyed.
    fn presumed(&self, loc: Loc) -> (Arc<str>, u32) {
        let span = self.sources.outermost(loc);
        let file = self.sources.file(span.file);
        let (name, line) = file.presumed(span.start, file.line_of(span.start));
        (name.clone(), line)
    }

    /// Reports a limit that was met; there are no more tokens from here on.
    fn stop_at_limit(&mut self, at: Option<Loc>, message: String) {
        self.stop("E0118", at, message, "if the input is meant to be like this, split it");
    }

    /// Reports macros that make too much; there are no more tokens from here on.
    fn stop_expanding(&mut self, at: Option<Loc>, message: String) {
        let help = "a macro's text repeats an argument as often as it names the parameter, and macros that do so \
                    multiply one another: write a loop, or an `inline` or a function where the language has one";
        self.stop("E0119", at, message, help);
    }

    fn stop(&mut self, code: &'static str, at: Option<Loc>, message: String, help: &str) {
        if !self.stopped {
            self.stopped = true;
            let loc = at.unwrap_or(Loc::plain(self.here));
            let fault = Diagnostic::error(code, message);
            self.diagnostics.push(fault.at(loc, "met here; the rest of the input is not read").help(help));
        }
    }
}
