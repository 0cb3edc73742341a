//! What tables say, and what becomes of it: one function, one table, the text of the process.

use axle_extract::Form;

use crate::support::Work;

/// The body of a process without comments and indentation, one statement a line.
fn body(c: &str, table: &str) -> Vec<String> {
    let text = Work::of("x.c", &format!("void f(int n) {{ {c} }}")).text("f", Form::Body, table);
    let lines = text.lines().map(|line| line.split("/*").next().unwrap_or_default().trim().to_string());
    lines.filter(|line| !line.is_empty()).collect()
}

/// The diagnostics of a table, as text.
fn reported(c: &str, table: &str) -> String {
    let mut work = Work::of("x.c", &format!("void f(int n) {{ {c} }}"));
    work.text("f", Form::Body, table);
    work.rendered()
}

#[test]
fn predefined_mappings() {
    let c = "int x; x = 1; x++; g(x); if (x) g(1); return;";
    assert_eq!(
        body(c, "R: return\thide\nA: ...\thide\nE: ...\thide\nF: ...\thide\nC: (x)\tfalse\n"),
        [""; 0]
    );
    assert_eq!(
        body(
            c,
            "D: int x;\tkeep\nA: x=1\tkeep\nE: x++\tskip\nF: g(x)\tcomment\nC: (x)\tkeep\nC: !(x)\telse\nF: g(1)\tq!1\nR: return\thide"
        ),
        ["int x;", "x = 1;", "skip;", "if", ":: (x) ->", "q!1;", ":: else", "fi;"]
    );
    assert_eq!(body("g(\"50%\");", "R: return\thide"), ["printf(\"F: g('50%%')\\n\");"]);
}

#[test]
fn a_way_that_is_false_is_no_choice() {
    let table = "C: (n)\tfalse\nF: a()\ta\nF: b()\tb\nR: return\thide";
    assert_eq!(body("if (n) a(); else b();", table), ["b;"]);
    assert_eq!(body("while (n) a(); b();", table), ["b;"]);
    assert_eq!(
        body("while (n) a(); b();", "C: !(n)\tfalse\nF: a()\ta\nF: b()\tb\nR: return\thide"),
        ["do", ":: a;", "od;", "b;"]
    );
    assert!(reported("if (n) a(); else b();", &format!("{table}\nC: !(n)\tfalse")).contains("W0821"));
}

#[test]
fn a_condition_and_its_double_denial_are_one() {
    let table = "C: (g(n))\tyes\nC: !(!(!(g(n))))\tno\nF: a()\ta\nR: return\thide";
    assert_eq!(body("if (!g(n)) a();", table), ["if", ":: no ->", "a;", ":: yes", "fi;"]);
    assert_eq!(body("if (!!g(n)) a();", table), ["if", ":: yes ->", "a;", ":: no", "fi;"]);
}

#[test]
fn prefixes_are_decoration_where_nothing_else_has_the_text() {
    let table = "F: (g(n))\tyes\nF: !(g(n))\tno\nF: a()\ta\nR: return\thide";
    assert_eq!(body("if (g(n)) a();", table), ["if", ":: yes ->", "a;", ":: no", "fi;"]);
    // Here the row is the call's own, and the condition gets its default.
    assert_eq!(body("g(n); if (g(n)) a();", table)[..3], ["yes;", "if", ":: true ->"]);
}

#[test]
fn patterns_with_anything_in_them() {
    let table = "F: memcpy(...)\thide\nF: send($to,&($m))\t$to!$m\nC: ($x==$x)\tsame($x)\nC: ...\telse\nR: return\thide\nE: ...\thide";
    let c = "memcpy(a, b, 4); send(q, &m.x); if (a[n+1] == a[n+1]) n++;";
    assert_eq!(body(c, table), ["q!m.x;", "if", ":: same(a[(n+1)])", ":: else", "fi;"]);
    // A form says more than a piece, a text more than a form.
    let table = "F: g(...)\ta\nF: g($x,1)\tb($x)\nF: g(2,1)\tc\nR: return\thide";
    assert_eq!(body("g(1, 2); g(3, 1); g(2, 1);", table), ["a;", "b(3);", "c;"]);
}

#[test]
fn scopes_from_wide_to_narrow() {
    let table = "F: g()\ta\n[x.c]\nF: g()\tb\n[f]\nF: g()\tc\n[other]\nF: g()\td\n[*]\nR: return\thide\n";
    assert_eq!(body("g();", table), ["c;"]);
    assert_eq!(body("g();", &table.replace("[f]\nF: g()\tc\n", "")), ["b;"]);
    assert_eq!(body("g();", "[y.c] F: g()\tx\nF: g()\ty\nR: return\thide"), ["y;"]);
}

#[test]
fn data_decide_where_no_row_does() {
    let table = "V: t\thide\nV: x\tkeep\nDefault A comment\nDefault F skip\nR: return\thide\nC: ...\tkeep\n";
    assert_eq!(body("t = 1; x = t; y = 2; g(t); h();", table), ["x = t;", "skip;"]);
    // What is said of data goes before the class, and a row before both.
    assert_eq!(body("t = 1;", &format!("A: t=1\tkeep\n{table}")), ["t = 1;"]);
}

#[test]
fn substitutes_in_their_order() {
    let table = "Substitute BOOL bit\nSubstitute\tp->x\tpx\nSubstitute px py\nD: ...\tkeep\nA: ...\tkeep\nR: return\thide\n";
    let text = Work::of(
        "x.c",
        "typedef int BOOL; struct s { int x; }; void f(struct s *p) { BOOL b; BOOLEAN = p->x; p->x = 1; }",
    )
    .text("f", Form::Body, table);
    assert!(text.contains("bit b;") && text.contains("BOOLEAN = py;") && text.contains("py = 1;"), "{text}");
}

#[test]
fn what_promela_writes_otherwise() {
    let table = "A: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nR: return\thide\n";
    assert_eq!(
        body("n += 2; n = 0x1fU; a = b = 1; ++n; n = n ? 1 : 2; n = -1;", table),
        ["n = (n + 2);", "n = 31;", "b = 1; a = b;", "n++;", "n = (n -> 1 : 2);", "n = (-1);"]
    );
    for (c, why) in [
        ("n = *p;", "pointer"),
        ("n = p->x;", "`->`"),
        ("n = (char)m;", "cast"),
        ("n = m++;", "`++` inside"),
        ("n = &m;", "address"),
    ] {
        let text = reported(c, table);
        assert!(text.contains("E0821") && text.contains(why) && text.contains("f.lut:1:1"), "{c}: {text}");
    }
}

#[test]
fn havoc_assume_and_nondet() {
    let table = "A: x=g()\thavoc 0..3\nA: y=g()\thavoc {1,5}\nA: b=g()\thavoc\nF: get(&(z))\thavoc z in {0,1}\nE: n++\tassume n < 5\nC: (h(n))\tnondet\nC: !(h(n))\tnondet\nF: a()\ta\nR: return\thide\n";
    assert_eq!(
        body("x = g(); y = g(); b = g(); get(&z); n++; if (h(n)) a();", table),
        [
            "select(x : 0 .. 3);",
            "if",
            ":: y = 1",
            ":: y = 5",
            "fi;",
            "if",
            ":: b = 0",
            ":: b = 1",
            "fi;",
            "if",
            ":: z = 0",
            ":: z = 1",
            "fi;",
            "(n < 5);",
            "if",
            ":: true ->",
            "a;",
            ":: true",
            "fi;",
        ]
    );
}

#[test]
fn classes_of_values() {
    let map = "Map x in -8..7: ..-1 -> neg, 0.. -> pos";
    let rows = "A: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nD: ...\tkeep\nF: a()\ta\nR: return\thide\n";
    let table = format!("{map}\n{rows}");
    // The class before does not matter, so the statement is enabled whatever it is.
    assert_eq!(body("x = 0;", &table), ["x = pos;"]);
    assert_eq!(body("x = g();", &table), ["if", ":: x = neg", ":: x = pos", "fi;"]);
    assert_eq!(body("int x = -3;", &table), ["int x;", "x = neg;"]);
    // From 7 it leaves the domain.
    assert_eq!(body("x++;", &table), ["if", ":: x = neg", ":: x = pos", "fi;"]);
    let skip = format!("{map}, else -> skip\n{rows}");
    assert_eq!(
        body("x++;", &skip),
        ["if", ":: (x == pos)", ":: else ->", "if", ":: x = neg", ":: x = pos", "fi;", "fi;"]
    );
    assert_eq!(
        body("x = 100;", &skip),
        [
            "if",
            ":: (x == neg)",
            ":: (x == pos)",
            ":: else ->",
            "if",
            ":: x = neg",
            ":: x = pos",
            "fi;",
            "fi;"
        ]
    );
    let error = reported("x++;", &format!("{map}, else -> error\n{rows}"));
    assert!(error.contains("E0823") && error.contains("gives 8") && error.contains("f.lut:1:5"), "{error}");
    assert_eq!(reported("x = 0;", &format!("{map}, else -> error\n{rows}")), "");
    assert_eq!(body("if (x > 5) a();", &table), ["if", ":: (x != neg) ->", "a;", ":: true", "fi;"]);
    assert!(reported("y = x;", &table).contains("only the class is known"));
}

#[test]
fn names_that_promela_reserves_are_replaced() {
    let table = "A: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nD: ...\tkeep\nF: g($x)\tq!$x\nF: ...\tkeep\nR: return\thide\n";
    assert_eq!(
        body("int len = 1; run(len); g(chan); timeout: len++; if (s.of) goto timeout; assert(len);", table),
        [
            "int c_len=1;",
            "c_run(c_len);",
            "q!c_chan;",
            "c_timeout:",
            "c_len++;",
            "if",
            ":: (s.c_of) ->",
            "goto c_timeout;",
            ":: !s.c_of",
            "fi;",
            "assert(c_len);"
        ]
    );
    // A word that a rule inserts is Promela.
    assert_eq!(body("n = size(q);", &format!("Substitute size len\n{table}")), ["n = len(q);"]);
    let text = Work::of("x.c", "void init(int c_init) { }").text("init", Form::Active, "R: return\thide\n");
    assert!(text.starts_with("/* init of x.c") && text.contains("active proctype c_init_()"), "{text}");
}

#[test]
fn single_blanks_separate_columns_where_unambiguous() {
    let c = "int *p = g(); n = 1; n = 2; send(q, n); return;";
    let table = "D: int *p = g(); hide\nA: n=1 n = 5; q!1\nA: n = 2 keep /* why */\nF: send(q,n) q!n\nR: return hide\n";
    assert_eq!(body(c, table), ["n = 5; q!1;", "n = 2;", "q!n;"]);
    assert!(reported("n = 1;", "A: n=1 keep hide").contains("E0811"));
}

#[test]
fn loops_and_jumps() {
    let table = "F: a()\ta\nF: b()\tb\nE: ...\tkeep\nA: ...\tkeep\nC: ...\tkeep\nR: return\thide\n";
    assert_eq!(
        body("for (n = 0; n < 3; n++) { if (n == 1) continue; if (n == 2) break; a(); } b();", table),
        [
            "n = 0;",
            "do",
            ":: (n<3) ->",
            "if",
            ":: (n==1) ->",
            "goto next_2;",
            ":: !(n==1)",
            "fi;",
            "if",
            ":: (n==2) ->",
            "break;",
            ":: !(n==2)",
            "fi;",
            "a;",
            "next_2:",
            "n++;",
            ":: !(n<3) ->",
            "break;",
            "od;",
            "b;",
        ]
    );
    assert_eq!(
        body("do { a(); } while (n); do b(); while (0); for (;;) a();", table),
        ["do", ":: a;", "if", ":: (n)", ":: !n ->", "break;", "fi;", "od;", "b;", "do", ":: a;", "od;"]
    );
    assert_eq!(
        body("if (n) return; a(); end: b(); goto end;", table),
        [
            "if",
            ":: (n) ->",
            "goto return_f;",
            ":: !n",
            "fi;",
            "a;",
            "c_end:",
            "b;",
            "goto c_end;",
            "return_f: skip;"
        ]
    );
}

#[test]
fn a_switch_with_falling_through() {
    let table = "F: a()\ta\nF: b()\tb\nF: c()\tc\nC: ...\tkeep\nR: return\thide\n";
    assert_eq!(
        body("switch (n) { case 1: a(); case 2: case 3: b(); break; case 4: break; default: c(); }", table),
        [
            "if",
            ":: (n==1) ->",
            "a;",
            "goto case_3;",
            ":: ((n==2)||(n==3)) ->",
            "case_3:",
            "b;",
            ":: (n==4)",
            ":: !(((n==1)||((n==2)||(n==3)))||(n==4)) ->",
            "c;",
            "fi;",
        ]
    );
    assert!(reported("switch (n) { case 1: if (n) { case 2: a(); } }", table).contains("E0804"));
}

#[test]
fn declarations_inside_of_blocks() {
    let table = "D: ...\tkeep\nA: ...\tkeep\nE: ...\tkeep\nC: ...\tkeep\nF: a()\ta\nR: return\thide\n";
    // Each round of the loop sets its variable again.
    assert_eq!(
        body("while (n) { int i = 1; n = i; }", table),
        ["int i;", "do", ":: (n) ->", "i = 1;", "n = i;", ":: !n ->", "break;", "od;"]
    );
    assert_eq!(
        body("for (int i = 0; i < 2; i++) a(); for (int i = 0; i < 3; i++) a();", table)
            .iter()
            .filter(|line| line.contains("int i"))
            .count(),
        1
    );
    assert!(reported("int i; { int i; i = 1; }", table).contains("E0822"));
    assert!(reported("int i; while (n) { short i; i = 1; }", table).contains("E0822"));
    assert!(reported("static int i;", table).contains("E0821"));
    assert!(reported("int *p;", table).contains("E0821"));
}

#[test]
fn rows_that_cannot_be() {
    for (table, code, place) in [
        ("A: n=1 keep exact", "E0811", "f.lut:1:1"),
        ("A: n=1\t", "E0811", "f.lut:1:1"),
        ("\nA: n=\tkeep", "E0812", "f.lut:2:4"),
        ("A: n=1\tkepe", "E0812", "f.lut:1:8"),
        ("A: n=1\tkeep\tsure", "E0812", "f.lut:1:1"),
        ("A: n=1\tkeep\nA: n=1\thide", "E0813", "f.lut:2:1"),
        ("A: n=1\telse", "E0814", "f.lut:1:1"),
        ("A: n=1\tq!(1", "E0815", "f.lut:1:1"),
        ("A: n=1\tq!1)", "E0815", "f.lut:1:1"),
        ("A: n=1\tprintf(\"", "E0815", "f.lut:1:1"),
        ("Default X hide", "E0812", "f.lut:1:9"),
        ("Map x in 1..9: 1..4 -> a, 6..9 -> b", "E0812", "f.lut:1:5"),
        ("C: (n)\telse\nC: !(n)\telse", "E0816", "f.lut:2:1"),
    ] {
        let text = reported("n = 1; if (n) n = 1;", table);
        assert!(text.contains(code) && text.contains(place), "{table}: {text}");
    }
    assert!(reported("n = 1;", "A: n=1\tkeep\nA: n=1\tkeep").contains("W0811"));
}

#[test]
fn c_text_in_comments_does_no_harm() {
    let text = Work::of("x.c", "void f(int *p, int n) { g(n/ *p, \"*/\"); }").text(
        "f",
        Form::Active,
        "F: ...\tq!1\n",
    );
    assert_eq!(text.matches("*/").count(), text.matches("/*").count(), "{text}");
    assert!(
        text.contains("/* 1: F: g((n/(* p)),\"* /\") */") || text.contains("g((n/(*p)),\"* /\")"),
        "{text}"
    );
}

#[test]
fn macros_are_seen_through_and_library_calls_are_calls() {
    let mut work = Work::of(
        "x.c",
        "#include <assert.h>\n#include <stdio.h>\n#include <stdatomic.h>\n#define INC(x) x = x + 1\n_Atomic int a;\n\
         void f(int n) {\n  INC(n);\n  assert(n > 0);\n  fputs(\"x\", stdout);\n  atomic_fetch_add(&a, 1);\n}",
    );
    let table = work.sync("f", None).text;
    assert_eq!(
        table,
        "# Axle lookup table f.lut\nA: n=(n+1)\thide\nF: assert((n>0))\tprint\nF: fputs(\"x\",stdout)\tprint\n\
         F: atomic_fetch_add(&(a),1)\tprint\nR: return\tprint\n"
    );
}
