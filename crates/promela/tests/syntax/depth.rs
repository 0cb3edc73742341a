//! No input makes the parser, or who drops or prints its tree, run out of stack or time.

use crate::support::parse_text;
use axle_promela::print::print;

const DEEP: usize = 100_000;

fn nested(before: &str, open: &str, inner: &str, close: &str, after: &str) -> String {
    format!("{before}{}{inner}{}{after}", open.repeat(DEEP), close.repeat(DEEP))
}

#[test]
fn what_is_too_deep_is_one_error() {
    let head = "byte x; byte a[2]; chan c = [1] of {byte}; proctype P(byte p) { skip } init { ";
    for (open, inner, close) in [
        ("(", "x", ")"),
        ("{ ", "x", " }"),
        ("!", "x", ""),
        ("-(", "x", ")"),
        ("~", "x", ""),
        ("x + (", "x", ")"),
        ("x || ", "x", ""),
        ("x - ", "x", ""),
        ("a[", "0", "]"),
        ("x = a[", "0", "]"),
        ("L: ", "x", ""),
        ("if :: ", "x", " fi"),
        ("do :: ", "x", " od"),
        ("atomic { ", "x", " }"),
        ("d_step { ", "x", " }"),
        ("for (x : 1..2) { ", "x", " }"),
        ("{ x unless ", "x", "}"),
        ("(x -> ", "x", " : x)"),
        ("(", "x", " -> x : x)"),
        ("enabled(", "x", ")"),
        ("run P(", "x", ")"),
        ("c?eval(", "x", ")"),
        ("c?[eval(", "x", ")]"),
        ("!(!", "x", ")"),
        ("c!x(", "x", ")"),
        ("a[x].", "x", ""),
        ("x,", "x", ""),
        ("[", "x", "]"),
        ("(", "", ""),
        ("{", "", ""),
        ("if :: ", "", ""),
        ("if ", "", ""),
        ("::", "", ""),
        ("c_code {", "", ""),
        ("run ", "", ""),
        ("goto ", "", ""),
        ("for (", "", ""),
        ("inline f() {", "", ""),
        ("$", "", ""),
        ("'", "", ""),
        ("unless ", "", ""),
        ("else ", "", ""),
    ] {
        let text = nested(head, open, inner, close, " }");
        let parsed = parse_text(&text);
        assert!(parsed.diagnostics.len() <= 1_000, "{open}");
        // It may not overflow the stack; what it prints does not matter.
        let _ = print(&parsed.program);
        if ["(", "!", "x || ", "{ ", "if :: ", "a["].contains(&open) && !inner.is_empty() {
            assert_eq!(parsed.diagnostics.error_count(), 1, "{open}: {}", parsed.first_error());
            assert!(parsed.first_error().contains("E0204") || parsed.first_error().contains("E0232"));
        }
    }
}

#[test]
fn formulas_that_are_too_deep_are_one_error() {
    for (open, close) in [
        ("(", ")"),
        ("[]", ""),
        ("!", ""),
        ("x U ", ""),
        ("x -> ", ""),
        ("(x U ", ")"),
        ("[](", ")"),
        ("- ", ""),
    ] {
        let text = nested("byte x; ltl { ", open, "x", close, " } init { skip }");
        let parsed = parse_text(&text);
        assert!(parsed.has_errors(), "{open}");
        // As above.
        let _ = print(&parsed.program);
    }
}

#[test]
fn what_people_and_generators_write_is_not_too_deep() {
    let chain = vec!["x == 1"; 900].join(" || ");
    let brackets = format!("{}x{}", "(".repeat(150), ")".repeat(150));
    let blocks = format!("{}x{}", "if :: ".repeat(60), " fi".repeat(60));
    let steps = "x = x + 1;\n".repeat(50_000);
    for body in [chain, brackets, blocks, steps] {
        let parsed = parse_text(&format!("byte x; init {{ {body} }}"));
        assert!(!parsed.has_errors(), "{}", parsed.first_error());
    }
}

#[test]
fn inlines_that_explode_are_an_error() {
    let mut text = "inline f0() { skip; skip }\n".to_owned();
    for n in 1..60 {
        text += &format!("inline f{n}() {{ f{}(); f{}() }}\n", n - 1, n - 1);
    }
    text += "init { f59() }";
    let parsed = parse_text(&text);
    assert!(parsed.has_errors());
    let text = format!("inline f(a) {{ x = {} }}\n", vec!["a"; 3000].join(" + "))
        + &format!("byte x; init {{ {} }}", "f(x*x*x*x*x*x*x*x*x*x)\n".repeat(1000));
    let parsed = parse_text(&text);
    assert!(parsed.has_errors());
}
