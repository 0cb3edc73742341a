//! From files to a program that can be executed.
//!
//! *Entry point:* [`compile`].

use axle_source::{Diagnostics, Dialect, FileId, Loader, Options as Preprocessing, Sources, preprocess};

use crate::headers::{self, WithHeaders};
use crate::lower::{self, Program};
use crate::parse::{self, Linkage};
use crate::tree::Tree;
use crate::types::{DataModel, Types};

/// How to read C.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Widths of `long` and of pointers.
    pub model: DataModel,
    /// Folders that are searched for included files, in order, before our own headers.
    pub include_dirs: Vec<String>,
    /// Definitions from the command line.
    pub command_line: Vec<axle_source::CommandLine>,
    /// How much text may be included, and how far macros may unfold.
    pub limits: axle_source::Limits,
}

/// How the preprocessor is asked to read C: our headers last, and the macros that a compiler would have built in.
#[must_use]
pub fn preprocessing(options: &Options) -> Preprocessing {
    let mut include_dirs = options.include_dirs.clone();
    include_dirs.push(headers::FOLDER.into());
    Preprocessing {
        include_dirs,
        prelude: crate::predefined::predefined(options.model == DataModel::Lp64),
        command_line: options.command_line.clone(),
        limits: options.limits,
        keep_pragmas: true,
        ..Preprocessing::new(Dialect::C)
    }
}

/// How our own files are read: what the command line defines, and its folders of headers, are for the user's files.
fn preprocessing_ours(options: &Options) -> Preprocessing {
    let include_dirs = vec![headers::FOLDER.into()];
    Preprocessing { include_dirs, command_line: Vec::new(), ..preprocessing(options) }
}

/// Reads all files and checks their types: the front end alone. Faults go to `diagnostics`.
fn read(
    mains: &[FileId],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> (Tree, Linkage) {
    let mut tree = Tree {
        types: Types::new(options.model),
        globals: Vec::new(),
        functions: Vec::new(),
        strings: Vec::new(),
        constructors: Vec::new(),
        destructors: Vec::new(),
        weak_order: None,
        label_addresses: 0,
    };
    let mut linkage = Linkage::default();
    let preprocessing = preprocessing(options);
    for &main in mains {
        let unit = preprocess(main, &preprocessing, &WithHeaders(loader), sources, diagnostics);
        if unit.tokens.iter().any(|token| headers::is_builtin(&token.text)) {
            let file = sources.add("<axle>/builtins.h", headers::BUILTINS);
            let ours = preprocessing_ours(options);
            let own = preprocess(file, &ours, &WithHeaders(loader), sources, diagnostics);
            parse::parse_unit(&own.tokens, true, sources, &mut tree, &mut linkage, diagnostics);
        }
        parse::parse_unit(&unit.tokens, false, sources, &mut tree, &mut linkage, diagnostics);
    }
    (tree, linkage)
}

/// Reads and checks the files of a program, as `gcc -fsyntax-only` would; true when there is nothing wrong.
pub fn check_syntax(
    mains: &[FileId],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> bool {
    read(mains, options, loader, sources, diagnostics);
    !diagnostics.has_errors()
}

/// Reads the files of a program and lowers what `main` reaches. Included files come from `loader` and are added to
/// `sources`. Faults go to `diagnostics`; with errors there is no program.
pub fn compile(
    mains: &[FileId],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let (mut tree, mut linkage) = read(mains, options, loader, sources, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    if needs_library(&tree) {
        let file = sources.add("<axle>/library.c", headers::LIBRARY);
        let ours = preprocessing_ours(options);
        let unit = preprocess(file, &ours, &WithHeaders(loader), sources, diagnostics);
        parse::parse_unit(&unit.tokens, true, sources, &mut tree, &mut linkage, diagnostics);
        if diagnostics.has_errors() {
            return None;
        }
    }
    let mut program = lower::lower(&tree, diagnostics)?;
    for code in &mut program.codes {
        if let Some(&loc) = code.locs.first() {
            code.file = std::sync::Arc::from(&*sources.place(sources.outermost(loc)).file);
        }
    }
    (!diagnostics.has_errors()).then_some(program)
}

/// Whether something is declared without a definition that our library in C has.
fn needs_library(tree: &Tree) -> bool {
    let functions =
        tree.functions.iter().filter(|f| f.body.is_none() && crate::library::find(&f.name).is_none());
    let mut names =
        functions.map(|f| &f.name).chain(tree.globals.iter().filter(|g| !g.defined).map(|g| &g.name));
    names.any(|name| headers::in_library(name)) || (has(tree, SLEEPS) && has(tree, CLOCKS))
}

/// Of these, our library has versions in C for programs in which time passes.
const SLEEPS: &[&str] = &[
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    "thrd_sleep",
    "pthread_cond_timedwait",
    "pthread_mutex_timedlock",
    "sem_timedwait",
];
const CLOCKS: &[&str] = &["time", "clock_gettime", "gettimeofday", "timespec_get"];

/// Whether one of these is declared without a definition.
fn has(tree: &Tree, names: &[&str]) -> bool {
    tree.functions.iter().any(|f| f.body.is_none() && names.contains(&&*f.name))
}
