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
    let ran = axle("check empty_socket_header.c");
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.err.contains("error[E0742]: the headers `sys/socket.h`, `netinet/in.h` are not modelled"));
    assert!(ran.err.contains("empty_socket_header.c:2:"), "{}", ran.err);
    assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
    for text in ["wint_t c; return c != 0;", "return iswalpha(65);", "struct pollfd fd; return 0;"] {
        let main = format!("#include <stdio.h>\n#include <wctype.h>\nint main(void) {{ {text} }}\n");
        let ran = check_together("header", &[("a.c", &main)]);
        assert_eq!(ran.exit, 2, "{text}: {}", ran.err);
        assert_eq!(ran.err.matches("error[").count(), 1, "{text}: {}", ran.err);
        assert!(ran.err.contains("error[E0742]: the header `wctype.h` is not modelled"), "{}", ran.err);
    }
    let ran = check_together("header", &[("a.c", "#include <poll.h>\nint main(void) { return 0; }\n")]);
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
    assert_eq!((&first.property[..], &first.kind[..]), ("aborts", "abort"));
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
    let kinds: Vec<&str> = report.violations.iter().map(|violation| &violation.kind[..]).collect();
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
