//! Data models, folders and definitions from the command line, several files, and many faults in
//! one run.

use axle_c::{DataModel, Options, check_syntax, compile};
use axle_c_exec::{ErrorKind, Settings, run};
use axle_source::{CommandLine, Diagnostics, MemoryLoader, Sources};

fn output(files: &[(&str, &str)], mains: &[&str], options: &Options) -> String {
    let loader = MemoryLoader::new(files.iter().copied());
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = |name: &str| files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    let ids: Vec<_> = mains.iter().map(|name| sources.add(name, text(name))).collect();
    let program = compile(&ids, options, &loader, &mut sources, &mut diagnostics);
    let messages: Vec<String> = diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
    let Some(program) = program else { return messages.join("\n") };
    let result = run(&program, &Settings::default(), 1_000_000);
    let text = String::from_utf8_lossy(&result.output).into_owned();
    match result.end {
        Ok(0) => text,
        Ok(status) => format!("{text}status {status}"),
        Err(error) => format!("{text}{}", error.name()),
    }
}

const SIZES: &str = "#include <stdio.h>\nstruct s { char c; long long w; void *p; };\n\
    int main(void) { long l = 2147483647; unsigned long u = -1; l -= 1;\n\
    printf(\"%d %d %d %lu\\n\", (int)sizeof(long), (int)sizeof(void *), (int)sizeof(struct s), u); return l < 0; }";

#[test]
fn the_data_model_decides_widths() {
    let wide = Options::default();
    assert_eq!(output(&[("t.c", SIZES)], &["t.c"], &wide), "8 8 24 18446744073709551615\n");
    let narrow = Options { model: DataModel::Ilp32, ..Options::default() };
    assert_eq!(output(&[("t.c", SIZES)], &["t.c"], &narrow), "4 4 16 4294967295\n");
}

#[test]
fn narrow_pointers_work_in_memory() {
    let text = "#include <stdlib.h>\n#include <stdio.h>\nstruct n { struct n *next; int v; };\n\
        int main(void) { struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *m = malloc(sizeof *m); m->v = i; \
        m->next = h; h = m; } int s = 0; while (h) { struct n *m = h; s = 10 * s + h->v; h = h->next; free(m); } \
        printf(\"%d %u\\n\", s, (unsigned)sizeof(struct n)); return 0; }";
    let narrow = Options { model: DataModel::Ilp32, ..Options::default() };
    assert_eq!(output(&[("t.c", text)], &["t.c"], &narrow), "210 8\n");
}

#[test]
fn folders_and_definitions_are_obeyed() {
    let files = [
        (
            "t.c",
            "#include <own.h>\n#include <stdio.h>\nint main(void) { printf(\"%d %d\\n\", OWN, LEVEL); return 0; }",
        ),
        ("inc/own.h", "#pragma once\n#define OWN 7\n"),
    ];
    let options = Options {
        include_dirs: vec!["inc".into()],
        command_line: vec![CommandLine::Define("LEVEL=3".into())],
        ..Options::default()
    };
    assert_eq!(output(&files, &["t.c"], &options), "7 3\n");
}

/// `strdup` and `strerror_r` are functions of our own file of C, and the prototype of
/// `__builtin_abort` stands in another.
#[test]
fn our_own_files_are_read_without_the_users_definitions_and_folders() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
        int main(void) { char *s = strdup(\"two\"); if (!s) __builtin_abort(); char b[40]; \
        puts(strerror_r(2, b, sizeof b)); puts(s); free(s); return 0; }";
    let files = [("t.c", text), ("inc/pthread.h", "#error shadowed"), ("inc/stdint.h", "#error shadowed")];
    let options = Options {
        include_dirs: vec!["inc".into()],
        command_line: ["abort=reach_error", "_GNU_SOURCE", "malloc=nothing"]
            .map(|d| CommandLine::Define(d.into()))
            .to_vec(),
        ..Options::default()
    };
    assert_eq!(output(&files, &["t.c"], &options), "error\ntwo\n");
}

#[test]
fn files_are_linked_by_name() {
    let files = [
        (
            "a.c",
            "int twice(int); extern int base; static int hidden = 1;\nint main(void) { return twice(base) - 42 + hidden - 1; }",
        ),
        ("b.c", "int base = 21; static int hidden = 5;\nint twice(int x) { return 2 * x + hidden - 5; }"),
    ];
    assert_eq!(output(&files, &["a.c", "b.c"], &Options::default()), "");
    assert!(output(&files, &["b.c"], &Options::default()).starts_with("E0740"));
}

#[test]
fn every_fault_is_found_in_one_run() {
    let text = "int f(void) { return x; }\nint g(void) { int a; a.b = 1; return 3 +; }\nstruct s { int a; int a; };\n\
        int h(void) { break; asm(\"hlt\"); goto l; }\nint main(void) { return f(1); }\n";
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("t.c", text);
    assert!(!check_syntax(
        &[main],
        &Options::default(),
        &MemoryLoader::default(),
        &mut sources,
        &mut diagnostics
    ));
    diagnostics.sort(&sources);
    let codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0720", "E0727", "E0701", "E0732", "E0730", "E0710", "E0730", "E0725"]);
}

#[test]
fn every_code_is_explained() {
    let text = "int main(void) { return 3 +; }";
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("t.c", text);
    check_syntax(&[main], &Options::default(), &MemoryLoader::default(), &mut sources, &mut diagnostics);
    assert!(diagnostics.iter().all(|d| axle_c::explain(d.code).is_some()));
}

#[test]
fn deep_nesting_is_refused_and_harmless() {
    let cases = [
        format!("int x = {}1{};", "(".repeat(100_000), ")".repeat(100_000)),
        format!("int main(void) {{ {} {} }}", "{".repeat(50_000), "}".repeat(50_000)),
        format!("int {}x;", "*".repeat(50_000)),
        format!("int x = 1{};", "+1".repeat(100_000)),
        format!("int main(void) {{ {} ; }}", "if (1) ".repeat(50_000)),
        format!("int x = {};", "-".repeat(50_000)),
        format!("struct {} int a; {};", "a { struct ".repeat(20_000), "}".repeat(20_000)),
        format!("int a[] = {}1{};", "{".repeat(50_000), "}".repeat(50_000)),
        format!("int f(int x) {{ return x{}; }}", " ? 1 : x".repeat(50_000)),
        format!("int f(void) {{ return {}1; }}", "__builtin_choose_expr(".repeat(50_000)),
    ];
    for case in cases {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("t.c", &case);
        let fine = check_syntax(
            &[main],
            &Options::default(),
            &MemoryLoader::default(),
            &mut sources,
            &mut diagnostics,
        );
        assert!(!fine, "{}...", &case[..40]);
    }
}

#[test]
fn a_run_ends_at_its_limits() {
    let text = "int main(void) { for (;;) ; }";
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("t.c", text);
    let program =
        compile(&[main], &Options::default(), &MemoryLoader::default(), &mut sources, &mut diagnostics);
    let program = program.expect("the program is right");
    let result = run(&program, &Settings::default(), 1_000);
    assert!(matches!(result.end, Err(ErrorKind::Limit(_))));
}

#[test]
fn an_order_of_calls_that_is_left_open_is_noticed() {
    let compiled = |text: &str| {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("t.c", text);
        let loader = MemoryLoader::default();
        let program = compile(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics);
        program.expect("the program is right").unordered().is_some()
    };
    let functions = "static int n, m; static int a(void) { return ++n; } static int b(void) { return n; } \
                     static int c(void) { return ++m; } static int two(int x, int y) { return x + y; }";
    for (expression, open) in [
        ("a() + b()", true),
        ("two(b(), a())", true),
        ("b() + b()", false),
        ("a() + c()", false),
        ("a() && b()", false),
        ("(a(), b())", false),
        ("two(1, two(c(), 2 * a()))", false),
        ("two(a(), two(1, -b()))", true),
    ] {
        let text = format!("{functions} int main(void) {{ return {expression}; }}");
        assert_eq!(compiled(&text), open, "{expression}");
    }
}
