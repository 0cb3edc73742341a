//! What the preprocessor says about faulty input: codes and places, one table; what it looks like,
//! a few cases.

use axle_source::{Diagnostics, Dialect, Limits, MemoryLoader, Options, Sources, Style, explain, preprocess};

struct Run {
    sources: Sources,
    diagnostics: Diagnostics,
    text: String,
}

fn run(text: &str, options: &Options) -> Run {
    let loader = MemoryLoader::new([
        ("self.h", "#include \"self.h\"\n"),
        ("twice.h", "#include \"twice.h\"\n#include \"twice.h\"\n"),
        ("open.h", "#if 1\n"),
        ("half.h", "f("),
        ("list.h", "int list;\n"),
    ]);
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let main = sources.add("main.pml", text);
    let output = preprocess(main, options, &loader, &mut sources, &mut diagnostics);
    let mut tokens = output.tokens;
    tokens.pop();
    diagnostics.sort(&sources);
    let text = tokens.iter().map(|token| &*token.text).collect::<Vec<_>>().join(" ");
    Run { sources, diagnostics, text }
}

/// Codes with line and column where each is spelled.
fn codes(run: &Run) -> String {
    let shown = run.diagnostics.iter().map(|diagnostic| {
        assert!(explain(diagnostic.code).is_some(), "{} has an explanation", diagnostic.code);
        match diagnostic.place(&run.sources) {
            Some(place) => format!("{} {}:{}", diagnostic.code, place.start.line, place.start.column),
            None => diagnostic.code.to_owned(),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[test]
fn each_fault_has_its_code_and_place() {
    let table = [
        // (input, diagnostics, what is left)
        ("a /* b\nc", "E0101 1:3", "a"),
        ("#if 0\n/* b\nc", "E0105 1:2, E0101 2:1", ""),
        ("a \"b\nc", "E0102 1:3", "a \"b c"),
        ("a 'b\r\nc", "E0102 1:3", "a 'b c"),
        ("it's é \"x\"", "E0102 1:3", "it 's é \"x\""),
        ("#define Q 'x\na Q", "W0102 1:11, E0102 1:11", "a 'x"),
        ("#define Q 'x\na", "W0102 1:11", "a"),
        ("#foo\na", "E0103 1:2", "a"),
        ("#!\na", "E0103 1:2", "a"),
        ("#error no \\\nway\na", "E0104 1:2", "a"),
        ("#warning careful\na", "W0104 1:2", "a"),
        ("#if 1\na", "E0105 1:2", "a"),
        ("#if 1\n#if 1\na\n#endif\n", "E0105 1:2", "a"),
        ("#endif\na", "E0106 1:2", "a"),
        ("#else\na", "E0106 1:2", "a"),
        ("#if 1\na\n#else\nb\n#else\nc\n#elif 1\nd\n#endif", "E0106 5:2, E0106 7:2", "a"),
        ("#define\n#define 3\n#define defined 1\n#undef +", "E0107 1:8, E0107 2:9, E0107 3:9, E0107 4:8", ""),
        ("#define f(a,\n#define f(a b) c\n#define f(a,a)\n", "E0107 1:10, E0107 2:13, E0107 3:13", ""),
        ("#define f(a, ...\n#define f(a..., b)\n#define f(1)", "E0107 1:10, E0107 2:15, E0107 3:11", ""),
        ("#define f(...) __VA_OPT__(a\n#define f(...) __VA_OPT__ a", "E0107 1:16, E0107 2:16", ""),
        ("#define N 1\n#define N 1 /* same */\n#define N 2\nN", "W0107 3:9", "2"),
        ("#define N(a) a\n#define N(b) b\n#define N a", "W0107 2:9, W0107 3:9", ""),
        ("#define f(a) #b\n#define g(a) a ##\n#define h ## a\n", "E0108 1:14, E0108 2:16, E0108 3:11", ""),
        ("#define f(...) __VA_OPT__(## a)\n#define g(...) __VA_OPT__(a ##)", "E0108 1:27, E0108 2:31", ""),
        ("#define f(a,b) a\nf(1) f(1,2) f(1,2,3) f()", "E0109 2:1, E0109 2:13, E0109 2:22", "f 1 f f"),
        ("#define f() a\nf(1) f()", "E0109 2:1", "f a"),
        ("#define f(a, b, ...) a\nf(1) f(1,2)", "E0109 2:1", "f 1"),
        ("#define f(a) a\nf(1", "E0110 2:1", "f"),
        ("#define f(a) a\n#if f(1\nx\n#endif", "E0110 2:5", ""),
        ("#define f(a) a\n#include \"half.h\"\n1) f(2)", "E0110 1:1", "f 1 ) 2"),
        (
            "#define c(a,b) a##b\nc(+,x) c(/,/) c(\"a\",\"b\")",
            "E0111 2:3, E0111 2:10, E0111 2:17",
            "+ x / / \"a\" \"b\"",
        ),
        ("#if\n#endif\n#ifdef\n#endif\n#ifdef 3\n#endif\n", "E0112 1:2, E0112 3:7, E0112 5:8", ""),
        (
            "#if 1 +\n#elif (1\n#elif 1 2\n#elif 1.5\n#elif \"a\"\n#elif 1 ? 2\n#elif 09\n#endif",
            "E0112 1:8, E0112 2:9, E0112 3:9, E0112 4:8, E0112 5:7, E0112 6:12, E0112 7:7",
            "",
        ),
        (
            "#if defined\n#elif defined(\n#elif defined(3)\n#elif ''\n#elif 1 = 1\n#endif",
            "E0112 1:5, E0112 2:7, E0112 3:7, E0112 4:7, E0112 5:9",
            "",
        ),
        ("#if 1 / 0\n#elif 1 % (1 - 1)\n#elif 0 && 1 / 0\n#endif", "E0113 1:7, E0113 2:9", ""),
        ("#include \"lits.h\"\n#include <list.h>\na", "E0114 1:10, E0114 2:10", "a"),
        (
            "#include \"list.h\n#include list.h\n#include\n#include \"\"\n",
            "E0116 1:10, E0116 2:10, E0116 3:9, E0116 4:10",
            "",
        ),
        (
            "#line\n#line x\n#line 3 x\n#line 99999999999\n# 3 \"a\" x\n",
            "E0117 1:6, E0117 2:7, E0117 3:7, E0117 4:7, E0117 5:3",
            "",
        ),
        ("#include \"self.h\"\na", "E0118 1:10", ""),
        ("#include \"twice.h\"\na", "E0118 1:10", ""),
        ("#include \"open.h\"\na\n#endif", "E0106 3:2, E0105 1:2", "a"),
        ("#if 18446744073709551616 == 0 && 9223372036854775808 > 0\na\n#endif", "W0112 1:5, W0112 1:34", "a"),
        (
            "#if 1 // fine\n#else b\n#endif /* fine */ c\n#undef N M\n#include \"list.h\" x",
            "W0118 2:7, W0118 3:19, W0118 4:10, W0118 5:19",
            "int list ;",
        ),
        ("#define __LINE__ 3\n__LINE__\n#undef __FILE__\n__FILE__", "W0119 1:9, W0119 3:8", "3 __FILE__"),
        ("a @ b # c ` \\ $ \u{1} ◇p →", "", "a @ b # c ` \\ $ \u{1} ◇ p →"),
        ("", "", ""),
        ("#", "", ""),
        ("#define N", "", ""),
        ("\u{feff}#define N 1\nN", "", "1"),
    ];
    let mut wrong = Vec::new();
    for (input, expected, left) in table {
        let run = run(input, &Options::new(Dialect::Promela));
        if (codes(&run).as_str(), run.text.as_str()) != (expected, left) {
            wrong.push(format!("{input:?}: {} and {:?}, not {expected} and {left:?}", codes(&run), run.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn c_has_faults_of_its_own() {
    for (input, expected, left) in [
        ("_Pragma(3) a", "E0120 1:1", "( 3 ) a"),
        ("_Pragma(\"once\") a", "", "a"),
        ("1..2 'ab' @", "", "1..2 'ab' @"),
    ] {
        let run = run(input, &Options::new(Dialect::C));
        assert_eq!((codes(&run).as_str(), run.text.as_str()), (expected, left), "{input:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_named_once() {
    let mut sources = Sources::new();
    let (file, warning) = sources.add_bytes("latin1.pml", b"/* caf\xe9 */ x \xff");
    let warning = warning.expect("a warning");
    assert_eq!(warning.code, "W0101");
    let place = warning.place(&sources).expect("a place");
    assert_eq!((place.start.line, place.start.column, place.end.column), (1, 7, 8));
    assert_eq!(&**sources.file(file).text(), "/* caf\u{fffd} */ x \u{fffd}");
    assert_eq!(sources.add_bytes("good.pml", b"x").1, None);
}

#[test]
fn every_limit_is_met_and_said() {
    let small = Limits {
        output_tokens: 100,
        expanded_tokens: 1_000,
        use_tokens: 900,
        expansion_depth: 20,
        made_bytes: 1_000,
        include_depth: 5,
        includes: 10,
        source_bytes: 5_000,
    };
    let doubling = "#define D(x) x x\n#define I(x)\n#define J(x) I(x)\n#define P(x) x##x\n#define Q(x) P(x)\n#define S(x) #x\n";
    let nest =
        |name: &str, depth: usize| format!("{}a{}", format!("{name}(").repeat(depth), ")".repeat(depth));
    let limits = [
        ("E0118", "a ".repeat(101)),
        ("E0119", format!("{doubling}{}", nest("D", 10))),
        ("E0119", format!("{doubling}J({})", nest("D", 15))),
        ("E0119", format!("{doubling}{}", nest("Q", 15))),
        ("E0119", format!("{doubling}{}", "J(D(D(D(D(D(1))))))\n".repeat(10))),
        ("E0118", format!("{doubling}{}", nest("J", 21))),
        ("E0118", format!("#if {}1{}\n#endif", "(".repeat(300), ")".repeat(300))),
        ("E0118", format!("#if {}1\n#endif", "!".repeat(300))),
        ("E0118", format!("#if {}1\n#endif", "1?1:".repeat(300))),
        ("E0118", "#include \"self.h\"".to_owned()),
        ("E0118", " ".repeat(5_001)),
    ];
    for (code, input) in limits {
        let run = run(&input, &Options { limits: small, ..Options::new(Dialect::C) });
        let codes: Vec<_> = run.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [code], "{}", &input[input.len().saturating_sub(100)..]);
    }
    // One use has a limit of its own, wherever in it the limit is reached; what follows in uses of
    // their own is not.
    let one = run(
        &format!("{doubling}\nx {}", nest("D", 10)),
        &Options { limits: small, ..Options::new(Dialect::C) },
    );
    let place = one.diagnostics.iter().next().map(|fault| (fault.message.clone(), codes(&one)));
    assert_eq!(
        place,
        Some(("one use of a macro makes more than 900 tokens".to_owned(), "E0119 8:3".to_owned()))
    );
    let apart = "J(D(D(D(1))))\n".repeat(12);
    let apart = run(&format!("{doubling}{apart}"), &Options { limits: small, ..Options::new(Dialect::C) });
    assert_eq!(codes(&apart), "");
    // A chain of macros that each expand to the next, too long for the hide sets.
    let mut chain: String = (0..4_000).map(|n| format!("#define M{n} M{}\n", n + 1)).collect();
    chain.push_str("M0");
    let deep = run(&chain, &Options::new(Dialect::C));
    assert_eq!(deep.diagnostics.iter().map(|one| one.code).collect::<Vec<_>>(), ["E0118"]);
    // Uses that follow one another without end are no nesting.
    let long = format!("#define A(x) x B\n#define B(x) x A\nA{}", "(1)".repeat(5_000));
    let run = run(&long, &Options::new(Dialect::C));
    assert!(run.diagnostics.is_empty());
    assert_eq!(run.text.split(' ').filter(|token| *token == "1").count(), 5_000);
}

#[test]
fn a_fault_in_a_macro_shows_every_use() {
    let text = "#define INNER(x) x + 'oops\n#define OUTER(y) [ INNER(y) ]\nint a =\n\tOUTER(1);\n";
    let run = run(text, &Options::new(Dialect::C));
    let error = run.diagnostics.iter().find(|one| one.code == "E0102").expect("the error");
    let expected = "\
error[E0102]: the character constant is not closed on its line
 --> main.pml:1:22
  |
1 | #define INNER(x) x + 'oops
  |                      ^^^^^ starts here
  |
note: in expansion of macro `INNER`
 --> main.pml:2:20
  |
2 | #define OUTER(y) [ INNER(y) ]
  |                    ^^^^^^^^
note: in expansion of macro `OUTER`
 --> main.pml:4:2
  |
4 |     OUTER(1);
  |     ^^^^^^^^
";
    assert_eq!(error.render(&run.sources, Style::default()), expected);
    let outer = error.outer_place(&run.sources).expect("a place");
    assert_eq!((outer.start.line, outer.start.column, outer.end.column), (4, 2, 10));
    let colored = error.render(&run.sources, Style { color: true, ..Style::default() });
    assert!(colored.contains("\u{1b}[") && !expected.contains('\u{1b}'));
}

#[test]
fn line_markers_rename_lines_in_what_is_shown() {
    let text = "# 10 \"model.pml\"\nok\n#endif\n# 1 \"lib.h\" 1\n#else\n";
    let run = run(text, &Options::new(Dialect::Promela));
    let shown: Vec<String> =
        run.diagnostics.iter().map(|one| one.render(&run.sources, Style::default())).collect();
    assert!(shown[0].contains("--> model.pml:11:2") && shown[0].contains("11 | #endif"), "{}", shown[0]);
    assert!(shown[1].contains("--> lib.h:1:2") && shown[1].contains("1 | #else"), "{}", shown[1]);
}

#[test]
fn labels_in_two_files_and_at_the_end_are_shown() {
    let mut sources = Sources::new();
    let a = sources.add("a.pml", "byte x;");
    let b = sources.add("b.pml", "");
    let end = |file, at| axle_source::Loc::plain(axle_source::Span::new(file, at, at + 5));
    let diagnostic = axle_source::Diagnostic::error("E0300", "twice \u{1b}[31m")
        .at(end(a, 7), "here")
        .also(end(b, 0), "and here")
        .note("a note")
        .did_you_mean("conut", ["count", "x"]);
    let text = diagnostic.render(&sources, Style::default());
    for part in ["a.pml:1:8", "b.pml:1:1", "= note: a note", "did you mean `count`?"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "escapes in messages do not reach the terminal");
}

#[test]
fn duplicates_and_floods_are_dropped() {
    let mut diagnostics = Diagnostics::with_limit(3);
    for number in [1, 1, 2, 3, 4, 5] {
        diagnostics.push(axle_source::Diagnostic::error("E0104", format!("number {number}")));
    }
    assert_eq!((diagnostics.len(), diagnostics.error_count(), diagnostics.dropped()), (3, 5, 2));
    assert!(diagnostics.render(&Sources::new(), Style::default()).ends_with("and 2 more\n"));
}

#[test]
fn long_lines_and_tall_spans_are_shown_short() {
    let mut sources = Sources::new();
    let text = format!("{}x\n{}end", " ".repeat(20_000), "line\n".repeat(500));
    let file = sources.add("generated.pml", &text);
    let at = |start, end| axle_source::Loc::plain(axle_source::Span::new(file, start, end));
    let show = |loc| {
        let one = axle_source::Diagnostic::error("E0300", "bad").at(loc, "this one");
        one.also(at(20_002, 20_006), "first").render(&sources, Style::default())
    };
    let long = show(at(20_000, 20_001));
    assert!(long.contains("generated.pml:1:20001") && long.contains("note: this one"), "{long}");
    let tall = show(at(20_007, text.len() as u32));
    assert!(tall.contains("generated.pml:3:1") && tall.lines().count() < 15, "{tall}");
    let far = show(at(text.len() as u32, text.len() as u32));
    assert!(far.contains("generated.pml:502:4") && far.contains("generated.pml:2:1"), "{far}");
    assert!(far.lines().count() < 15, "{far}");
}
