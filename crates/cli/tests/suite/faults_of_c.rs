//! Regression tests for C programs that `axle check` once handled incorrectly; the inputs are in
//! `tests/faults`.

use axle_evidence::report::{Report, Verdict};

/// Runs `axle` in the folder with the inputs.
fn axle(arguments: &str) -> crate::support::Ran {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults");
    crate::support::run(&folder, &arguments.split_whitespace().collect::<Vec<_>>(), "")
}

/// Writes files and checks them together.
fn check_together(test: &str, files: &[(&str, &str)]) -> crate::support::Ran {
    let folder = crate::support::folder(&format!("faults-of-c-{test}"));
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("a file is written");
    }
    let mains = files.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".h"));
    crate::support::run(&folder, &["check", "-q"].into_iter().chain(mains).collect::<Vec<_>>(), "")
}

#[test]
fn structures_without_a_tag_are_compatible_across_files() {
    for files in ["multifile/a.c multifile/b.c", "multifile/c.c multifile/d.c"] {
        let ran = axle(&format!("check --json -q {files}"));
        assert_eq!(ran.exit, 0, "{files}: {}", ran.err);
        let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
        assert_eq!(report.verdict, Verdict::Holds);
    }
}

#[test]
fn preprocessed_files_are_checked_together() {
    let marked = |file: &str, rest: &str| {
        format!(
            "# 1 \"{file}\"\n# 1 \"conn.h\" 1\ntypedef struct {{ int x; }} conn_t;\nint use(conn_t *c);\n# 2 \"{file}\" 2\n{rest}\n"
        )
    };
    let user = marked("c.c", "int use(conn_t *c) { return c->x; }");
    let main = marked("d.c", "int main(void) { conn_t c = { 0 }; return use(&c); }");
    let ran = check_together("preprocessed", &[("c.i", &user), ("d.i", &main)]);
    assert_eq!(ran.exit, 0, "{}{}", ran.out, ran.err);
}

/// C11 6.2.7: in each row the first two texts declare compatible types, the third does not.
#[test]
fn compatibility_across_files_follows_the_standard() {
    let rows = [
        ("member-name", "struct { int x; }", "struct { int x; }", "struct { int y; }"),
        ("member-type", "struct { int x; }", "struct { signed x; }", "struct { unsigned x; }"),
        ("member-order", "struct { int x, y; }", "struct { int x; int y; }", "struct { int y, x; }"),
        ("tag", "struct s { int x; }", "struct s { int x; }", "struct t { int x; }"),
        ("bit-field-width", "struct { int x : 3; }", "struct { int x : 3; }", "struct { int x : 4; }"),
        ("union-order", "union { int x; char y; }", "union { char y; int x; }", "union { char z; int x; }"),
        ("struct-or-union", "struct { int x; }", "struct { int x; }", "union { int x; }"),
        ("enumeration", "enum { A, B }", "enum { B = 1, A = 0 }", "enum { A, B = 2 }"),
        ("incomplete", "struct s", "struct s { int x; }", "union s { int x; }"),
        ("function", "struct { int (*f)(int); }", "struct { int (*f)(int); }", "struct { int (*f)(long); }"),
        ("atomic", "struct { _Atomic int x; }", "struct { _Atomic int x; }", "struct { int x; }"),
        (
            "recursive",
            "struct n { struct n *next; struct { int v; } in; }",
            "struct n { struct n *next; struct { int v; } in; }",
            "struct n { struct n *next; struct { int w; } in; }",
        ),
        ("array", "struct { int a[3]; }", "struct { int a[2 + 1]; }", "struct { int a[4]; }"),
    ];
    for (name, first, same, other) in rows {
        for (second, exit) in [(same, 0), (other, 2)] {
            let a = format!(
                "typedef {first} type;\nextern type *pointer;\nint main(void) {{ return pointer != 0; }}\n"
            );
            let b = format!("typedef {second} type;\ntype *pointer;\n");
            let ran = check_together(name, &[("a.c", &a), ("b.c", &b)]);
            assert_eq!(ran.exit, exit, "{name}: `{first}` and `{second}`: {}", ran.err);
            assert_eq!(ran.err.contains("conflicting types for `pointer`"), exit == 2, "{}", ran.err);
        }
    }
}

#[test]
fn each_file_sees_the_types_that_it_declares() {
    let owner = "struct s;\nstruct s *get(void);\nextern struct s *shared;\n\
                 int main(void) { return shared != 0 && get() == 0; }\n";
    let user = "struct s { int x; } it;\nstruct s *shared = &it;\nstruct s *get(void) { return &it; }\n\
                int read(void) { return get()->x + shared->x; }\n";
    let ran = check_together("views", &[("a.c", owner), ("b.c", user)]);
    assert_eq!(ran.exit, 0, "{}", ran.err);
}

#[test]
fn qualifiers_of_variables_agree_across_files() {
    let ran = check_together(
        "qualifiers",
        &[("a.c", "extern const int x;\nint main(void) { return x; }\n"), ("b.c", "int x;\n")],
    );
    assert_eq!(ran.exit, 2, "{}", ran.err);
    assert!(ran.err.contains("conflicting types for `x`"), "{}", ran.err);
}

#[test]
fn statements_are_shown_as_written() {
    let ran = axle("check --color never mangled_statement_text.c");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    for text in ["box_t *b = malloc(sizeof *b) ", " p = b ", "(c = p->a) != 3"] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
    assert!(!ran.out.contains("*p = b"), "a declaration is not an assignment: {}", ran.out);
}

#[test]
fn objects_are_named_by_their_typedef() {
    let ran = axle("check --color never typedef_name_lost.c");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.contains("`current->name (conn_t allocated at typedef_name_lost.c:23)`"), "{}", ran.out);
    assert!(ran.out.contains("use-after-free: read of 6 bytes of"), "{}", ran.out);
    assert!(ran.out.contains("(conn_t #1).name: \"alice\""), "{}", ran.out);
    assert!(!ran.out.contains("anonymous") && !ran.out.contains("without a name"), "{}", ran.out);
}

#[test]
fn a_witness_names_the_function_of_its_target() {
    let witness = crate::support::folder("faults-of-c-witness").join("w.yml");
    let ran = axle(&format!("check -q witness_wrong_function.c --witness {}", witness.display()));
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let text = std::fs::read_to_string(&witness).expect("a witness is written");
    let target = text.split("type: \"target\"").nth(1).expect("the witness has a target");
    let function = match target.contains("line: 4") {
        true => "function: \"t1\"",
        false => "function: \"t2\"",
    };
    assert!(target.contains(function), "{text}");
}

#[test]
fn a_header_that_is_not_modelled_is_reported_once_at_its_include() {
    let ran = axle("check empty_wide_header.c");
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.err.contains("error[E0742]: the headers `wchar.h`, `wctype.h` are not modelled"));
    assert!(ran.err.contains("empty_wide_header.c:2:"), "{}", ran.err);
    assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
    for text in ["wint_t c; return c != 0;", "return iswalpha(65);", "wctype_t kind; return 0;"] {
        let main = format!("#include <stdio.h>\n#include <wctype.h>\nint main(void) {{ {text} }}\n");
        let ran = check_together("header", &[("a.c", &main)]);
        assert_eq!(ran.exit, 2, "{text}: {}", ran.err);
        assert_eq!(ran.err.matches("error[").count(), 1, "{text}: {}", ran.err);
        assert!(ran.err.contains("error[E0742]: the header `wctype.h` is not modelled"), "{}", ran.err);
    }
    let ran = check_together("header", &[("a.c", "#include <wchar.h>\nint main(void) { return 0; }\n")]);
    assert_eq!(ran.exit, 0, "an include without a use is accepted: {}", ran.err);
}

#[test]
fn reachable_calls_of_abort_have_a_check_of_their_own() {
    let ran = axle("check --json -q abort_holds.c");
    assert_eq!(ran.exit, 0, "by default abort() is not a violation: {}", ran.err);
    let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
    let [row] = &report.not_checked[..] else { panic!("one check is listed: {:?}", report.not_checked) };
    assert_eq!(row.name, "aborts");
    assert!(row.remark.starts_with("abort() is reachable at abort_holds.c:30;"), "{}", row.remark);
    let shown = axle("check --color never abort_holds.c");
    assert!(shown.out.lines().any(|line| line.trim_start().starts_with("aborts ")), "{}", shown.out);
    assert!(!shown.out.contains("abort() is not reachable"), "{}", shown.out);
    let folder = crate::support::folder("faults-of-c-aborts");
    let trail = folder.join("a.trail");
    let ran = axle(&format!("check --json -q --enable aborts --trail {} abort_holds.c", trail.display()));
    assert_eq!(ran.exit, 1, "{}{}", ran.out, ran.err);
    let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
    let first = report.violations.first().expect("a violation");
    assert_eq!((&first.property[..], first.kind.name()), ("aborts", "abort"));
    assert_eq!(first.place.as_ref().map(|place| place.line), Some(30));
    assert!(report.not_checked.is_empty());
    let replayed = axle(&format!("replay --color never abort_holds.c {}", trail.display()));
    assert_eq!(replayed.exit, 1, "{}{}", replayed.out, replayed.err);
    assert!(replayed.out.contains("abort() called"), "{}", replayed.out);
    let ran = check_together("no-abort", &[("a.c", "int main(void) { return 0; }\n")]);
    assert!(!ran.out.contains("aborts"), "{}", ran.out);
}

#[test]
fn a_use_after_free_in_executions_and_in_a_race_is_one_violation() {
    let ran = axle("check --json -q typedef_name_lost.c --max-violations all");
    let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
    let kinds: Vec<&str> = report.violations.iter().map(|violation| violation.kind.name()).collect();
    assert_eq!(kinds, ["use-after-free"], "{}", ran.out);
    assert!(report.violations[0].count > 1);
    // Another deallocation or another access is another defect.
    let text = "#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *f(void *x) { if (x) free(p); else free(p); return 0; }
int main(int argc, char **argv) {
  p = malloc(4);
  pthread_t t;
  pthread_create(&t, 0, f, argc > 1 ? &t : 0);
  *p = 1;
  *p = 2;
  pthread_join(t, 0);
  return 0;
}
";
    let folder = crate::support::folder("one-use-after-free");
    std::fs::write(folder.join("p.c"), text).expect("a file is written");
    let ran = crate::support::run(&folder, &["check", "p.c", "--json", "-q", "--max-violations", "all"], "");
    let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
    let mut lines: Vec<u32> =
        report.violations.iter().filter_map(|one| Some(one.place.as_ref()?.line)).collect();
    lines.sort_unstable();
    assert_eq!(lines, [9, 10], "{}", ran.out);
}

/// A text without its line breaks and columns.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statements that a trace shows, each with its line.
fn lines_of_trace(out: &str, file: &str) -> Vec<u32> {
    let cell = format!("{file}:");
    let line = |text: &str| {
        let behind = text.split_once(&cell)?.1;
        behind.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let steps = out.lines().filter(|text| text.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    steps.filter_map(line).collect()
}

#[test]
fn a_trace_lists_no_statement_that_was_not_executed() {
    let ran = axle("check --color never --trace full statement_not_executed.c");
    assert_eq!(lines_of_trace(&ran.out, "statement_not_executed.c"), [9, 4, 5, 10], "{}", ran.out);
    for mode in ["columns", "short"] {
        let ran = axle(&format!("check --color never --trace {mode} statement_not_executed.c"));
        assert!(!ran.out.contains("n = 7"), "{mode}: {}", ran.out);
    }
    let ran = axle("check --color never --trace full statement_after_loop.c");
    let lines = lines_of_trace(&ran.out, "statement_after_loop.c");
    assert_eq!(lines, [23, 5, 5, 24, 9, 10, 25, 15, 16, 19, 15, 26], "{}", ran.out);
    let ran = axle("simulate --color never --seed 1 statement_not_executed.c");
    assert!(!ran.out.contains("n = 7"), "{}", ran.out);
}

#[test]
fn a_spurious_failure_is_named() {
    let ran = axle("check --color never --trace full weak_exchange_fails.c --disable data-races");
    let step = "weak_exchange_fails.c:8 atomic_compare_exchange_weak(&gate, &seen, 1) reads gate = 0; fails spuriously";
    assert!(words(&ran.out).contains(step), "{}", ran.out);
    assert!(!lines_of_trace(&ran.out, "weak_exchange_fails.c").contains(&11), "{}", ran.out);
    let ran = axle("check --color never --trace chart weak_exchange_fails.c --disable data-races");
    assert!(ran.out.contains("fails spuriously"), "{}", ran.out);
}

#[test]
fn a_shortened_trace_keeps_the_steps_that_explain_it() {
    let ran = axle("check --color never wakeup_in_long_trace.c");
    let trace: Vec<&str> = ran.out.lines().filter(|line| line.contains("wakeup_in_long_trace.c:")).collect();
    assert!(trace.len() <= 64, "{}", ran.out);
    for text in ["wakes up without a signal", "starts setter(1)", "joins setter(1)", "assert(seen == 1)"] {
        assert!(words(&ran.out).contains(text), "{text}: {}", ran.out);
    }
    assert!(ran.out.contains("steps omitted; --trace full shows them ..."), "{}", ran.out);
    let whole = axle("check --color never --trace full wakeup_in_long_trace.c");
    assert!(!whole.out.contains("omitted"), "{}", whole.out);
}

#[test]
fn what_the_library_refuses_is_reported_at_the_call() {
    for (file, line) in [("cancelled_anywhere.c", 4), ("priorities_of_threads.c", 3)] {
        let ran = axle(&format!("check --color never {file}"));
        assert_eq!(ran.exit, 3, "{}", ran.out);
        assert!(ran.out.contains(&format!("warning at {file}:{line}: not supported:")), "{}", ran.out);
        assert!(!ran.out.contains("axle>") && !ran.out.contains("__axle"), "{}", ran.out);
    }
}

#[test]
fn an_unknown_type_is_the_only_error() {
    let ran = axle("check unknown_type.c");
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("error[E0720]: unknown type name `uint16_t`"), "{}", ran.err);
    assert!(ran.err.contains("unknown_type.h:1:9"), "{}", ran.err);
    assert!(ran.err.contains("#include <stdint.h>"), "{}", ran.err);
    let rows = [
        ("struct s { uint8_t a; uint8_t *b; }; struct s v; int f(void) { return v.a + *v.b; }", "stdint.h"),
        ("static pthread_mutex_t m; void f(void) { (void)&m; }", "pthread.h"),
        ("int f(size_t n, const size_t *p) { return n + *p; }", "stddef.h"),
        ("typedef struct { FILE *to; } log_t; log_t l; FILE *f(void) { return l.to; }", "stdio.h"),
        ("int f(void) { time_t now = 0; time_t *at = &now; return *at == now; }", "time.h"),
        ("bool done; bool f(bool b) { return b && done; }", "stdbool.h"),
        ("extern socklen_t n; static socklen_t twice(socklen_t k) { return k * 2; }", "sys/socket.h"),
        ("unknown_t *head; unknown_t *next(unknown_t *p) { return p->next; }", ""),
    ];
    for (text, header) in rows {
        let ran =
            check_together("unknown-type", &[("a.c", &format!("{text}\nint main(void) {{ return 0; }}\n"))]);
        assert_eq!(ran.exit, 2, "{text}: {}", ran.err);
        assert_eq!(ran.err.matches("error[").count(), 1, "{text}: {}", ran.err);
        assert!(ran.err.contains("unknown type name `"), "{text}: {}", ran.err);
        let help = format!("add `#include <{header}>`");
        assert_eq!(ran.err.contains(&help), !header.is_empty(), "{text}: {}", ran.err);
    }
}

#[test]
fn a_leak_and_a_race_in_a_library_function_are_at_the_calls() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let run = |arguments: &[&str]| crate::support::run(&folder, arguments, "");
    let ran = run(&["check", "--color", "never", "leak_of_copy.c"]);
    assert!(
        ran.out.contains("warning at leak_of_copy.c:4: memory leak: a block that `strdup`"),
        "{}",
        ran.out
    );
    let ran = run(&["check", "--color", "never", "copied_twice_race.c"]);
    assert!(
        ran.out.contains("copied_twice_race.c:7") && ran.out.contains("copied_twice_race.c:15"),
        "{}",
        ran.out
    );
}
