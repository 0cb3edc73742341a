//! What rows do to behaviours: exact is said only of what is known to be.

use axle_extract::Form;

use crate::support::Work;

/// The label of each item that is used, by its text.
fn labels(c: &str, table: &str, wrapper: &str) -> Vec<(String, &'static str)> {
    let mut work = Work::of("x.c", c);
    let table = work.table("f.lut", table);
    let extraction = work.extract("f", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.rendered()));
    let judged = extraction.judge(&work.program, &table, "", wrapper, "");
    let pairs = extraction.uses.iter().zip(&judged);
    pairs.map(|(one, judged)| (one.item.shown(), judged.label.name())).collect()
}

fn label(c: &str, table: &str, item: &str) -> &'static str {
    let all = labels(c, table, "");
    all.iter().find(|(text, _)| text == item).unwrap_or_else(|| panic!("no {item} in {all:?}")).1
}

#[test]
fn what_is_kept_is_exact_unless_several_accesses_become_one_step() {
    let c =
        "int g; void f(int n) { n = n + 1; g = n; g = g + 1; g++; n = g; if (g == n) n = 2; assert(g > 0); }";
    let table = "A: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nF: ...\tkeep\n";
    let all = labels(c, table, "");
    let found: Vec<(&str, &str)> = all.iter().map(|(text, label)| (&**text, *label)).collect();
    assert_eq!(
        found,
        [
            ("A: n=(n+1)", "exact"),
            ("A: g=n", "exact"),
            // Two threads that do this at once lose a step, and in the model they do not.
            ("A: g=(g+1)", "under"),
            ("E: g++", "under"),
            ("A: n=g", "exact"),
            ("C: (g==n)", "exact"),
            ("C: !(g==n)", "exact"),
            ("A: n=2", "exact"),
            ("F: assert((g>0))", "exact"),
            ("R: return", "exact"),
        ]
    );
}

#[test]
fn what_is_hidden_is_exact_where_the_model_does_not_have_it() {
    let c = "int g; void f(int n) { g = 1; n = 2; printf(\"x\"); h(); }";
    assert_eq!(label(c, "", "A: g=1"), "exact");
    assert_eq!(label(c, "A: n=2\tn = g\n", "A: g=1"), "over under");
    assert_eq!(labels(c, "", "active proctype p() { g = 3 }")[0], ("A: g=1".to_string(), "over under"));
    // In a string or comment it is not had.
    assert_eq!(labels(c, "", "/* g */ init { printf(\"g\") }")[0], ("A: g=1".to_string(), "exact"));
    assert_eq!(label(c, "", "F: printf(\"x\")"), "exact");
    assert_eq!(label(c, "", "F: h()"), "over under");
}

#[test]
fn a_hidden_change_through_a_pointer_may_be_one_of_what_is_kept() {
    let c = "int g; void f(int *p) { *p = 1; p[0] = 2; g = 3; } void other(void) { f(&g); }";
    assert_eq!(label(c, "A: g=3\tkeep\n", "A: *p=1"), "over under");
    assert_eq!(label(c, "A: g=3\tkeep\n", "A: p[0]=2"), "over under");
    assert_eq!(label(&c.replace("f(&g)", "f(0)"), "A: g=3\tkeep\n", "A: *p=1"), "exact");
}

#[test]
fn conditions() {
    let c = "void f(int n) { if (n) n = 1; }";
    for (yes, no, expected) in [
        ("true", "true", ["over", "over"]),
        ("true", "false", ["over", "under"]),
        ("keep", "keep", ["exact", "exact"]),
        ("keep", "else", ["exact", "exact"]),
        ("keep", "false", ["exact", "under"]),
        ("true", "else", ["over", "under"]),
        ("nondet", "nondet", ["over", "over"]),
        ("print", "true", ["over", "over"]),
        ("x > 2", "else", ["over under", "over under"]),
        ("assume n < 3", "keep", ["under", "exact"]),
    ] {
        let table = format!("C: (n)\t{yes}\nC: !(n)\t{no}\nA: ...\tkeep\n");
        assert_eq!([label(c, &table, "C: (n)"), label(c, &table, "C: !(n)")], expected, "{yes} {no}");
    }
    // What the condition does besides is lost.
    assert_eq!(label("int g; void f(int n) { if (g++) n = g; }", "A: ...\tkeep\n", "C: (g++)"), "over under");
    assert_eq!(label("void f(int n) { if (h()) n = 1; }", "", "C: h()"), "over under");
}

#[test]
fn the_user_may_answer_for_a_row() {
    let c = "void f(int n) { send(n); n = 1; }";
    assert_eq!(label(c, "F: send(n)\tq!n\n", "F: send(n)"), "over under");
    assert_eq!(label(c, "F: send(n)\tq!n\texact\n", "F: send(n)"), "exact");
    assert_eq!(label(c, "F: send(n)\tq!n\tunder\t# the channel is bounded\n", "F: send(n)"), "under");
}

#[test]
fn classes_of_values_are_never_exact_and_their_else_leaves_something_out() {
    let c = "void f(int x) { if (x == 5) x = 1; }";
    let table = "Map x in -8..7: ..-1 -> neg, 0 -> zero, 1.. -> pos\nC: (x==5)\tkeep\nC: !(x==5)\telse\nA: ...\tkeep\n";
    assert_eq!(label(c, table, "C: (x==5)"), "over");
    assert_eq!(label(c, table, "C: !(x==5)"), "over under");
    assert_eq!(label(c, table, "A: x=1"), "over");
}

#[test]
fn a_kept_return_drops_what_its_value_does() {
    assert_eq!(label("int f(int n) { return h(n); }", "R: ...\tkeep\n", "R: return h(n)"), "over under");
    assert_eq!(label("int f(int n) { return n + 1; }", "R: ...\tkeep\n", "R: return (n+1)"), "exact");
}

#[test]
fn initial_values_count_as_assignments() {
    let all = "D: ...\tkeep\n";
    assert_eq!(label("int g, h; void f(void) { int n = g + h; }", all, "D: int n=(g+h);"), "under");
    assert_eq!(label("void f(void) { int n = h(); }", all, "D: int n=h();"), "over under");
    assert_eq!(label("void f(int n) { _Bool b = n; }", all, "D: _Bool b=n;"), "over under");
    let short = "Substitute short byte\nD: ...\tkeep\n";
    assert_eq!(label("void f(void) { short n = 1; }", short, "D: short n=1;"), "over under");
}

#[test]
fn an_address_taken_anywhere_exposes_its_variable() {
    let hidden = |text: &str| label(text, "A: g=3\tkeep\n", "A: *p=1");
    assert_eq!(hidden("int g; int *q = &g; void f(int *p) { *p = 1; g = 3; }"), "over under");
    assert_eq!(hidden("int g; int *q[] = { &g }; void f(int *p) { *p = 1; g = 3; }"), "over under");
    // Another thread may have a local variable's address, too.
    let c = "void f(void) { int n; start(&n); n = n + 1; }";
    assert_eq!(label(c, "A: ...\tkeep\n", "A: n=(n+1)"), "under");
}

#[test]
fn numbers_and_truths_and_wrappers_with_other_types() {
    let keep = "A: ...\tkeep\nC: ...\tkeep\n";
    assert_eq!(label("void f(int n) { if (n - 1 < 5u) n = 1; }", keep, "C: ((n-1)<5u)"), "over under");
    assert_eq!(label("void f(int n) { n = 0xffffffff; }", keep, "A: n=0xffffffff"), "over under");
    assert_eq!(label("_Bool b; void f(int n) { b = n; }", keep, "A: b=n"), "over under");
    assert_eq!(label("_Bool b; void f(int n) { b = n > 1; }", keep, "A: b=(n>1)"), "exact");
    let c = "int g; void f(int n) { g = n; }";
    let of = |wrapper: &str| labels(c, keep, wrapper)[0].1;
    assert_eq!((of("int x, g = 3;"), of("byte x[3], g;"), of("")), ("exact", "over under", "exact"));
    // What else has the name may not be what is meant.
    assert_eq!(of("byte g; proctype p() { int g; skip }"), "over under");
    // A value that fits is the same in both.
    let c = "int g; void f(void) { g = 200; g = -1; g++; }";
    let all = labels(c, "A: ...\tkeep\nE: ...\tkeep\n", "byte g;");
    let found: Vec<&str> = all.iter().map(|(_, label)| *label).collect();
    assert_eq!(found[..3], ["exact", "over under", "over under"]);
}

#[test]
fn a_number_in_sixteens_is_no_zero() {
    let mut work = Work::of("x.c", "void f(int n) { while (0xa) n = 1; }");
    let table = work.table("f.lut", "A: ...\tkeep\n");
    let extraction = work.extract("f", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.rendered()));
    assert!(extraction.text.contains("n = 1"), "{}", extraction.text);
}

#[test]
fn types_that_promela_has_not() {
    let c = "unsigned u; typedef int T; T t; unsigned char b; void f(int n) { u = n; t = n; b = n; long l = 1; n = l; }";
    let all = labels(c, "A: ...\tkeep\nD: ...\tkeep\n", "");
    let found: Vec<&str> = all.iter().map(|(_, label)| *label).collect();
    assert_eq!(found, ["over under", "over under", "exact", "over under", "over under", "exact"]);
}
