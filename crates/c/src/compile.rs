//! Compilation of source files to an executable program.
//!
//! *Entry points:* [`compile`], [`check_syntax`].

use std::sync::Arc;

use axle_source::{
    Diagnostics, Dialect, FileId, Loader, Options as Preprocessing, Preprocessed, Sources, preprocess,
};

use crate::bounds::{Bound, Bounds};
use crate::headers::{self, WithHeaders};
use crate::library;
use crate::lower;
use crate::parse::{self, Linkage};
use crate::program::Program;
use crate::tree::Tree;
use crate::types::{DataModel, Types};
use crate::volatile::Volatile;

/// Options of the C front end.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Widths of `long` and of pointers.
    pub model: DataModel,
    /// Directories searched for included files, in order, before the headers of Axle.
    pub include_dirs: Vec<String>,
    /// Macro definitions from the command line.
    pub command_line: Vec<axle_source::CommandLine>,
    /// Limits of inclusion and macro expansion.
    pub limits: axle_source::Limits,
    /// The contents of standard input; none where every input is possible.
    pub stdin: Option<Vec<u8>>,
    /// The meaning of accesses to volatile objects.
    pub volatile: Volatile,
    /// Constants with another value than in the source.
    pub bounds: Vec<Bound>,
}

/// The configuration of the preprocessor: the headers of Axle come last, and the predefined macros
/// of gcc are set.
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
        replace: options.bounds.iter().map(|bound| (bound.name.to_string(), bound.value)).collect(),
        ..Preprocessing::new(Dialect::C)
    }
}

/// The configuration for library sources of Axle: macros and include directories of the command
/// line do not apply.
fn preprocessing_ours(options: &Options) -> Preprocessing {
    let include_dirs = vec![headers::FOLDER.into()];
    let (command_line, replace) = (Vec::new(), Vec::new());
    Preprocessing { include_dirs, command_line, replace, ..preprocessing(options) }
}

/// Name of the C sources of the library.
const LIBRARY: &str = "<axle>/library.c";

/// Files of a program, parsed and type-checked: the front end without lowering.
#[derive(Clone, Debug)]
pub struct Parsed {
    tree: Tree,
    linkage: Linkage,
    /// The C sources of the library, if these files need them.
    library: Option<Arc<Preprocessed>>,
}

/// Parses and type-checks files. Errors go to `diagnostics`.
pub fn parse(
    mains: &[FileId],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Parsed {
    let tree = Tree {
        types: Types::new(options.model),
        globals: Vec::new(),
        functions: Vec::new(),
        strings: Vec::new(),
        constructors: Vec::new(),
        destructors: Vec::new(),
        weak_order: None,
        volatile: options.volatile,
        bounds: Bounds::new(&options.bounds),
        label_addresses: 0,
        macros: Vec::new(),
    };
    let mut parsed = Parsed { tree, linkage: Linkage::default(), library: None };
    parsed.add(mains, options, loader, sources, diagnostics);
    if !diagnostics.has_errors() && needs_library(&parsed.tree, options) {
        let text = headers::LIBRARY;
        parsed.library = Some(Arc::new(library_unit(LIBRARY, text, options, loader, sources, diagnostics)));
    }
    parsed
}

/// Parses and type-checks the files of a program, as `gcc -fsyntax-only` does. Returns true if
/// there is no error.
pub fn check_syntax(
    mains: &[FileId],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> bool {
    parse(mains, options, loader, sources, diagnostics);
    !diagnostics.has_errors()
}

/// Compiles the files of a program and lowers the functions that `main` reaches. `loader` supplies
/// included files, which are added to `sources`. Errors go to `diagnostics`; with errors there is
/// no program.
pub fn compile(
    mains: &[FileId],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    parse(mains, options, loader, sources, diagnostics).compile(&[], options, loader, sources, diagnostics)
}

impl Parsed {
    /// Parses and type-checks further files.
    fn add(
        &mut self,
        mains: &[FileId],
        options: &Options,
        loader: &dyn Loader,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) {
        let Parsed { tree, linkage, .. } = self;
        let preprocessing = preprocessing(options);
        for &main in mains {
            let unit = preprocess(main, &preprocessing, &WithHeaders(loader), sources, diagnostics);
            if unit.tokens.iter().any(|token| headers::is_builtin(&token.text)) {
                let file = sources.add("<axle>/builtins.h", headers::BUILTINS);
                let ours = preprocessing_ours(options);
                let own = preprocess(file, &ours, &WithHeaders(loader), sources, diagnostics);
                parse::parse_unit(&own.tokens, true, sources, tree, linkage, diagnostics);
            }
            tree.bounds.note_macros(&unit, sources, diagnostics);
            let own =
                unit.macros.iter().filter(|one| !crate::bounds::is_ours(sources, one.definition.into()));
            tree.macros.extend(own.map(|one| (one.name.clone(), one.text.clone())));
            parse::parse_unit(&unit.tokens, false, sources, tree, linkage, diagnostics);
        }
    }

    /// Compiles the program of these files and of `more`. The other parameters are those with which the
    /// files were parsed, and the result is that of [`compile`] for all files.
    pub fn compile(
        mut self,
        more: &[FileId],
        options: &Options,
        loader: &dyn Loader,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Program> {
        self.add(more, options, loader, sources, diagnostics);
        self.tree.bounds.check(diagnostics);
        if diagnostics.has_errors() {
            return None;
        }
        let Parsed { mut tree, mut linkage, library } = self;
        let mut unit =
            |name, text: &str| Arc::new(library_unit(name, text, options, loader, sources, diagnostics));
        let stdin = options.stdin.as_ref().map(|contents| unit("<axle>/stdin.c", &headers::stdin(contents)));
        let library =
            needs_library(&tree, options).then(|| library.unwrap_or_else(|| unit(LIBRARY, headers::LIBRARY)));
        for unit in stdin.into_iter().chain(library) {
            parse::parse_unit(&unit.tokens, true, sources, &mut tree, &mut linkage, diagnostics);
            if diagnostics.has_errors() {
                return None;
            }
        }
        let mut program = lower::lower(&tree, diagnostics)?;
        for code in &mut program.codes {
            if let Some(&loc) = code.locs.first() {
                code.file = Arc::from(&*sources.place(sources.outermost(loc)).file);
            }
        }
        (!diagnostics.has_errors()).then_some(program)
    }
}

/// Preprocesses a file of the library.
fn library_unit(
    name: &str,
    text: &str,
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let file = sources.add(name, text);
    preprocess(file, &preprocessing_ours(options), &WithHeaders(loader), sources, diagnostics)
}

/// Whether an expression names something that the C sources of the library define and the program does
/// not, or they read the standard input. A header declares more than a program uses, and to read these
/// sources takes as long as to read the program.
fn needs_library(tree: &Tree, options: &Options) -> bool {
    let functions = used(tree).filter(|name| library::find(name).is_none());
    let globals = tree.globals.iter().filter(|g| !g.defined && g.referenced).map(|g| &*g.name);
    options.stdin.is_some()
        || functions.chain(globals).any(headers::in_library)
        || (has(tree, library::SLEEPS) && has(tree, library::CLOCKS))
}

/// The functions without a definition that an expression names.
fn used(tree: &Tree) -> impl Iterator<Item = &str> {
    tree.functions.iter().filter(|f| f.body.is_none() && f.referenced).map(|f| &*f.name)
}

/// Whether one of these functions is used.
fn has(tree: &Tree, names: &[&str]) -> bool {
    used(tree).any(|name| names.contains(&name))
}

#[cfg(test)]
mod tests {
    use axle_source::MemoryLoader;

    use super::*;
    use crate::canonical;

    const MAIN: &str = "#include <pthread.h>\nstatic pthread_once_t once;\nint choose(void);\nstatic int x;\n\
        static void set(void) { x = choose(); }\nint main(void) { pthread_once(&once, set); return x; }\n";
    const CHOICES: [&str; 3] = [
        "int choose(void) { return 1; }\n",
        "#include <stdlib.h>\nint choose(void) { return abs(-2); }\n",
        "int choose(void) { return missing; }\n",
    ];

    /// The canonical text of a program, or its diagnostics.
    fn outcome(program: Option<Program>, diagnostics: &Diagnostics) -> Result<String, Vec<String>> {
        let messages = || diagnostics.iter().map(|one| one.message.clone()).collect();
        program.map(|program| canonical::whole(&program)).ok_or_else(messages)
    }

    #[test]
    fn the_library_is_read_only_for_what_an_expression_names() {
        let uses = [
            ("", false),
            ("pthread_once(&once, f);", true),
            ("sizeof pthread_once(&once, f);", true),
            ("void (*p)(void) = f; errno = 1;", true),
            // The execution implements these.
            ("pthread_mutex_t m; pthread_mutex_lock(&m);", false),
            ("sleep(1);", false),
            ("alarm(1); sleep(1);", true),
            ("struct timespec t; nanosleep(&t, 0);", false),
            ("struct timespec t; nanosleep(&t, 0); clock_gettime(0, &t);", true),
        ];
        for (body, expected) in uses {
            let text = format!(
                "#include <pthread.h>\n#include <errno.h>\n#include <time.h>\n#include <unistd.h>\n\
                 static pthread_once_t once;\nvoid f(void) {{}}\nint main(void) {{ {body} return 0; }}\n"
            );
            let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
            let main = sources.add("main.c", &text);
            let options = Options::default();
            let parsed = parse(&[main], &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
            assert!(!diagnostics.has_errors(), "{body}: {:?}", diagnostics.iter().next());
            assert_eq!(parsed.library.is_some(), expected, "{body}");
        }
    }

    #[test]
    fn files_parsed_once_make_the_programs_of_all_files() {
        let (options, loader) = (Options::default(), MemoryLoader::default());
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("main.c", MAIN);
        let parsed = parse(&[main], &options, &loader, &mut sources, &mut diagnostics);
        assert!(parsed.library.is_some(), "pthread_once is written in C");
        let mut outcomes = Vec::new();
        for text in CHOICES {
            let (mut together, mut found) = (Sources::new(), Diagnostics::new());
            let files = [together.add("main.c", MAIN), together.add("choice.c", text)];
            let whole = compile(&files, &options, &loader, &mut together, &mut found);
            let whole = outcome(whole, &found);

            let (mut own, mut found) = (sources.clone(), diagnostics.clone());
            let more = own.add("choice.c", text);
            let other = parsed.clone().compile(&[more], &options, &loader, &mut own, &mut found);
            assert_eq!(outcome(other, &found), whole);
            outcomes.push(whole.is_ok());
        }
        assert_eq!(outcomes, [true, true, false]);
    }
}

#[cfg(test)]
mod declaration_tests;
