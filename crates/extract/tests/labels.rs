//! What rows do to behaviours: exact is said only of what is known to be.

mod support;

use axle_extract::Form;
use support::Work;

/// The label of each item that is used, by its text.
fn labels(c: &str, table: &str, wrapper: &str) -> Vec<(String, &'static str)> {
    let mut work = Work::of("x.c", c);
    let table = work.table("f.lut", table);
    let extraction = work.extract("f", Form::Active, &table).unwrap_or_else(|| panic!("{}", work.told()));
    let judged = extraction.judge(&work.program, &table, wrapper, "");
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
fn types_that_promela_has_not() {
    let c = "unsigned u; typedef int T; T t; unsigned char b; void f(int n) { u = n; t = n; b = n; long l = 1; n = l; }";
    let all = labels(c, "A: ...\tkeep\nD: ...\tkeep\n", "");
    let found: Vec<&str> = all.iter().map(|(_, label)| *label).collect();
    assert_eq!(found, ["over under", "over under", "exact", "over under", "over under", "exact"]);
}
