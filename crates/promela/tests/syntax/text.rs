//! The text of statements in traces, and what a tree says about where it came from.

use axle_promela::ast::{ExprKind, Item, Program, Step, StmtKind};
use axle_promela::print::{print, step_text};

use crate::support::{Parsed, parse_text};

fn init_steps(program: &Program) -> Vec<Step> {
    let body = program.items.iter().find_map(|item| match item {
        Item::Init(init) => Some(init.body.steps.clone()),
        _ => None,
    });
    body.unwrap_or_default()
}

fn parsed(text: &str) -> Parsed {
    let parsed = parse_text(text);
    assert!(!parsed.has_errors(), "{}", parsed.first_error());
    parsed
}

#[test]
fn statements_are_shown_as_the_user_wrote_them() {
    let parsed = parsed(
        "#define N 3\n#define INC(v) v = v + 1\nbyte x; chan c = [1] of { byte, byte };\n\
         inline put(q, m) { q!m(N); x  =  2 }\n\
         init { c!x( 1 ) /* now */ ; x  =\n (x+\nN); INC(x); put(c, 1+1); byte  y = 2 }",
    );
    let mut texts = Vec::new();
    for step in init_steps(&parsed.program) {
        match &step {
            Step::Stmt(stmt) => match &stmt.kind {
                StmtKind::Block(block) => {
                    texts.extend(block.steps.iter().map(|step| step_text(&parsed.sources, step)));
                }
                _ => texts.push(step_text(&parsed.sources, &step)),
            },
            _ => texts.push(step_text(&parsed.sources, &step)),
        }
    }
    assert_eq!(texts, ["c!x( 1 )", "x = (x+ N)", "x = x + 1", "c!1 + 1,3", "x = 2", "byte y = 2"]);
}

#[test]
fn places_lead_to_the_line_in_an_inline_and_to_the_call_of_a_macro() {
    let parsed = parsed(
        "#define SET(v) v = 1\nbyte x;\ninline f(p) {\n  p = 2;\n  SET(p);\n  x++\n}\ninit {\n  SET(x);\n  f(x)\n}",
    );
    let mut lines = Vec::new();
    for step in init_steps(&parsed.program) {
        let Step::Stmt(stmt) = step else { continue };
        let inner = match &stmt.kind {
            StmtKind::Block(block) => block.steps.clone(),
            _ => vec![Step::Stmt(stmt.clone())],
        };
        for step in inner {
            if let Step::Stmt(stmt) = step {
                let span = parsed.sources.outermost(stmt.loc.0);
                lines.push((parsed.sources.place(span).start.line, parsed.sources.text(span).to_owned()));
            }
        }
    }
    let expected =
        [(9, "SET(x)"), (4, "p = 2"), (5, "SET(p)"), (6, "x++")].map(|(line, text)| (line, text.to_owned()));
    assert_eq!(lines, expected);
}

#[test]
fn an_inline_knows_its_calls_and_its_blocks_the_inline() {
    let parsed =
        parsed("byte x; inline f(p) { return p + 1 }\ninline g() { skip } init { x = f(x); x = f(2) }");
    let calls: Vec<u32> = parsed
        .program
        .items
        .iter()
        .filter_map(|item| if let Item::Inline(inline) = item { Some(inline.calls) } else { None })
        .collect();
    assert_eq!(calls, [2, 0]);
    let steps = init_steps(&parsed.program);
    let Some(Step::Stmt(stmt)) = steps.first() else { panic!("no statement") };
    let StmtKind::Block(block) = &stmt.kind else { panic!("no block") };
    let inlined = block.inlined.as_ref().map(|inlined| inlined.name.as_str());
    assert_eq!(inlined, Some("f"));
    let called = block.inlined.as_ref().map(|inlined| parsed.sources.text(inlined.call.0.span));
    assert_eq!(called, Some("x = f(x)"));
}

#[test]
fn operators_bind_as_in_spin() {
    for (text, printed) in [
        ("a || b && c | d ^ e & f == g < h << i + j * k", "a || b && c | d ^ e & f == g < h << i + j * k"),
        ("((((a || b) && c) | d) ^ e) & f", "((((a || b) && c) | d) ^ e) & f"),
        ("a - b - c", "a - b - c"),
        ("a - (b - c)", "a - (b - c)"),
        ("!a == b", "!a == b"),
        ("!(a == b)", "!(a == b)"),
        ("-a * b", "-a * b"),
        ("-(-a)", "-(-a)"),
        ("(a == b) == c", "a == b == c"),
        ("a < (b < c)", "a < (b < c)"),
        ("(a -> b : c + 1) + 1", "(a -> b : c + 1) + 1"),
    ] {
        let parsed = parsed(&format!("init {{ {text} }}"));
        let out = print(&parsed.program);
        assert_eq!(out, format!("init {{\n\t{printed}\n}}\n"));
    }
}

#[test]
fn formulas_bind_as_in_spin() {
    for (text, printed) in [
        ("p -> q -> r", "(p -> q) -> r"),
        ("p -> q <-> r", "(p -> q) <-> r"),
        ("[] p && q", "([] p) && q"),
        ("[] (p && q)", "[] (p && q)"),
        ("p || q U r && s", "p || ((q U r) && s)"),
        ("p U q U r", "(p U q) U r"),
        ("p W q V r", "(p W q) V r"),
        ("! p U q", "(!p) U q"),
        ("!<>p -> x == 1", "(!(<> p)) -> (x == 1)"),
        ("always eventually p implies next q", "([] (<> p)) -> (X q)"),
        ("p stronguntil q equivalent p release q", "(p U q) <-> (p V q)"),
        ("□ (p → ◇ q)", "[] (p -> (<> q))"),
        ("[](p /\\ q \\/ <>r)", "[] ((p && q) || (<> r))"),
    ] {
        let parsed = parsed(&format!("ltl {{ {text} }}"));
        let out = print(&parsed.program);
        assert_eq!(out, format!("ltl {{ {printed} }}\n"), "{text}");
    }
}

#[test]
fn numbers_have_their_values() {
    let text = "init { 7; 0x1F; 0o17; 0b101; 010; 'a'; '\\n'; '\\''; 3000000000 }";
    let values: Vec<i64> = init_steps(&parsed(text).program)
        .iter()
        .filter_map(|step| match step {
            Step::Stmt(stmt) => match &stmt.kind {
                StmtKind::Expr(expr) => match expr.kind {
                    ExprKind::Number(value) => Some(value),
                    ExprKind::Char(value) => Some(value.into()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(values, [7, 31, 15, 5, 10, 97, 10, 39, 3_000_000_000]);
}

#[test]
fn select_says_whether_spin_replaces_it_by_text() {
    for (text, literal) in [
        ("select (x : 1..3)", true),
        ("select ( x : 1 .. 3 )", true),
        ("select (x_y : 1..3)", false),
        ("select (x : -1..3)", false),
        ("select (x : 1..y)", false),
        ("select (x[1] : 1..3)", false),
        ("select (x :\n 1..3)", false),
        ("f()", false),
    ] {
        let parsed = parsed(&format!("inline f() {{ select (x : 1..3) }}\ninit {{ {text} }}"));
        let again = parse_text(&print(&parsed.program));
        for program in [&parsed.program, &again.program] {
            let mut steps = init_steps(program);
            if let Some(Step::Stmt(stmt)) = steps.first()
                && let StmtKind::Block(block) = &stmt.kind
            {
                steps = block.steps.clone();
            }
            let Some(Step::Stmt(stmt)) = steps.first() else { panic!("no statement") };
            let StmtKind::Select(select) = &stmt.kind else { panic!("no select") };
            assert_eq!(select.literal, literal, "{text}");
        }
    }
}
