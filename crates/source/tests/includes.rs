//! Included files, command-line definitions, and where tokens say they come from.

use axle_source::{
    CommandLine, Diagnostics, Dialect, LoadError, Loader, MemoryLoader, Options, Sources, Style, Token,
    TokenKind, preprocess,
};

struct Run {
    sources: Sources,
    diagnostics: Diagnostics,
    tokens: Vec<Token>,
}

fn run_with(loader: &dyn Loader, name: &str, text: &str, options: &Options) -> Run {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let main = sources.add(name, text);
    let mut tokens = preprocess(main, options, loader, &mut sources, &mut diagnostics).tokens;
    tokens.pop();
    Run { sources, diagnostics, tokens }
}

fn words(run: &Run) -> String {
    run.tokens.iter().map(|token| &*token.text).collect::<Vec<_>>().join(" ")
}

#[test]
fn headers_are_searched_beside_the_file_and_in_the_folders() {
    let loader = MemoryLoader::new([
        ("src/a.h", "beside"),
        ("inc/a.h", "inc_a"),
        ("inc/sub/b.h", "#include \"c.h\"\n#include <c.h>"),
        ("inc/sub/c.h", "sub_c"),
        ("lib/c.h", "lib_c"),
        ("lib/a.h", "lib_a"),
        ("inc/n.h", "inc_n\n#include_next <n.h>"),
        ("lib/n.h", "lib_n"),
        ("/abs/x.h", "absolute"),
        ("src/once.h", "#pragma once\nonce"),
        ("src/guard.h", "#ifndef G\n#define G\nguarded\n#endif"),
        ("src/many.h", "X(1) X(2)"),
    ]);
    let options =
        Options { include_dirs: vec!["inc".into(), "lib/".into()], ..Options::new(Dialect::Promela) };
    for (text, expected) in [
        ("#include \"a.h\"\n#include <a.h>", "beside inc_a"),
        ("#include \"sub/b.h\"", "sub_c lib_c"),
        ("#include <n.h>", "inc_n lib_n"),
        ("#include \"/abs/x.h\"", "absolute"),
        ("#include \"once.h\"\n#include \"once.h\"", "once"),
        ("#include \"guard.h\"\n#include \"guard.h\"\nend", "guarded end"),
        ("#import \"many.h\"\n#import \"many.h\"\n", "X ( 1 ) X ( 2 )"),
        (
            "#define X(n) a##n\n#include \"many.h\"\n#undef X\n#define X(n) b##n\n#include \"many.h\"",
            "a1 a2 b1 b2",
        ),
        ("#define H \"a.h\"\n#include H\n#define S <a.h>\n#include S", "beside inc_a"),
        (
            "#if __has_include(\"a.h\") && __has_include(<sub/c.h>) && !__has_include(\"zz.h\")\nyes\n#endif",
            "yes",
        ),
        ("#define H <a.h>\n#if __has_include(H)\nyes\n#endif", "yes"),
    ] {
        let run = run_with(&loader, "src/main.pml", text, &options);
        assert_eq!(words(&run), expected, "{text}");
        assert!(run.diagnostics.is_empty(), "{}", run.diagnostics.render(&run.sources, Style::default()));
    }
}

#[test]
fn a_fault_in_a_header_says_who_included_it() {
    let loader = MemoryLoader::new([("a.h", "\n#include \"b.h\""), ("b.h", "\n\n#bad")]);
    let run = run_with(&loader, "main.pml", "x\n#include \"a.h\"", &Options::new(Dialect::Promela));
    let text = run.diagnostics.render(&run.sources, Style::default());
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    assert!(at("b.h:3:2") < at("a.h:2:10") && at("a.h:2:10") < at("main.pml:2:10"));
}

#[test]
fn a_file_that_cannot_be_read_is_said() {
    struct Refusing;
    impl Loader for Refusing {
        fn load(&self, path: &str, _limit: u64) -> Result<Vec<u8>, LoadError> {
            Err(LoadError::Unreadable(format!("{path} is a folder")))
        }
    }
    let run = run_with(&Refusing, "main.pml", "#include \"a\"\nb", &Options::new(Dialect::Promela));
    let text = run.diagnostics.render(&run.sources, Style::default());
    assert!(text.contains("E0115") && text.contains("a is a folder"), "{text}");
    assert_eq!(words(&run), "b");
}

#[test]
fn the_command_line_defines_and_undefines() {
    let define = |text: &str| CommandLine::Define(text.into());
    let options = Options {
        command_line: vec![
            define("N=4"),
            define("FLAG"),
            define("f(x)=x+x"),
            define("EMPTY="),
            define("EQ=a=b"),
            define("GONE=1"),
            CommandLine::Undefine("GONE".into()),
            define("LATER=1\nsmuggled"),
        ],
        ..Options::new(Dialect::Promela)
    };
    let run = run_with(
        &MemoryLoader::default(),
        "m",
        "N FLAG f(2) [EMPTY] EQ GONE LATER __STDC_VERSION__",
        &options,
    );
    assert_eq!(words(&run), "4 1 2 + 2 [ ] a = b GONE 1 199901L");
    assert!(run.diagnostics.is_empty());
    let four = run.sources.place(run.tokens[0].span);
    assert_eq!((&*four.file, four.start.column), ("<command line>", 11));
    let bad = Options { command_line: vec![define("3=4")], ..Options::new(Dialect::Promela) };
    let run = run_with(&MemoryLoader::default(), "m", "x", &bad);
    assert!(run.diagnostics.render(&run.sources, Style::default()).contains("<command line>:1:9"));
}

#[test]
fn a_range_of_promela_is_three_tokens_and_its_bound_a_macro() {
    let text = "#define N 3\nfor (i : 0..N) x[1].y p@q 0x1F a:::b <-> -> !! ?? ..";
    let run = run_with(&MemoryLoader::default(), "m", text, &Options::new(Dialect::Promela));
    assert_eq!(words(&run), "for ( i : 0 .. 3 ) x [ 1 ] . y p @ q 0x1F a :: : b <-> -> !! ?? ..");
}

#[test]
fn pragmas_are_kept_when_asked_for() {
    let options = Options { keep_pragmas: true, ..Options::new(Dialect::C) };
    let text = "a\n#pragma  omp   parallel for\nb _Pragma(\"pack(\\\"x\\\")\") c\n#pragma once\n";
    let run = run_with(&MemoryLoader::default(), "m", text, &options);
    let pragmas = run.tokens.iter().filter(|token| token.kind == TokenKind::Pragma);
    let pragmas: Vec<&str> = pragmas.map(|token| &*token.text).collect();
    assert_eq!(pragmas, ["omp parallel for", "pack(\"x\")"]);
    assert_eq!(words(&run), "a omp parallel for b pack(\"x\") c");
}

#[test]
fn chains_name_every_macro_that_a_token_came_through() {
    let text =
        "#define FOO bar\n#define ID(x) x\n#define WRAP(y) ID(y) ID(FOO)\nID(FOO) WRAP(q) z WRAP(ID(FOO))";
    let run = run_with(&MemoryLoader::default(), "m", text, &Options::new(Dialect::C));
    let chains: Vec<String> = run
        .tokens
        .iter()
        .map(|token| {
            let chain: Vec<String> =
                run.sources.chain(token.loc()).map(|expansion| expansion.name.to_string()).collect();
            let outer = run.sources.text(run.sources.outermost(token.loc()));
            format!("{}:{}@{outer}", token.text, chain.join("<"))
        })
        .collect();
    assert_eq!(
        chains,
        [
            "bar:FOO<ID@ID(FOO)",
            "q:ID<WRAP@WRAP(q)",
            "bar:FOO<ID<WRAP@WRAP(q)",
            "z:@z",
            "bar:FOO<ID<ID<WRAP@WRAP(ID(FOO))",
            "bar:FOO<ID<WRAP@WRAP(ID(FOO))",
        ]
    );
    // A place from the first to the last token climbs to the text that holds both.
    let joined = |first: usize, last: usize| {
        let loc = run.sources.join(run.tokens[first].loc(), run.tokens[last].loc());
        run.sources.text(loc.span)
    };
    assert_eq!(joined(0, 3), "ID(FOO) WRAP(q) z");
    assert_eq!(joined(1, 2), "ID(y) ID(FOO)");
    assert_eq!(joined(3, 3), "z");
}
