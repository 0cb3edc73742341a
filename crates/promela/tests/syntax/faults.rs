//! Typical mistakes and what is said about them.

use crate::support::parse_text;

const MISTAKES: &[(&str, &str)] = &[
    ("missing_semicolon", "byte x;\ninit {\n\tx = 1 x = 2;\n\tx = 3\n}\n"),
    ("assignment_in_condition", "byte x;\ninit {\n\tif\n\t:: (x = 1) -> skip\n\t:: else\n\tfi\n}\n"),
    ("if_like_in_c", "byte x;\ninit {\n\tif (x == 1) {\n\t\tx = 2\n\t}\n\tx = 3\n}\n"),
    (
        "wrong_closing_word",
        "byte x;\ninit {\n\tdo\n\t:: x < 3 -> x++\n\t:: else -> break\n\tfi;\n\tx = 1\n}\n",
    ),
    ("missing_fi", "byte x;\ninit {\n\tif\n\t:: x < 3 -> x++\n\t:: else -> skip\n}\ninit2 x\n"),
    ("missing_brace", "byte x;\nproctype A() {\n\tx = 1\nproctype B() {\n\tx = 2\n}\n"),
    ("compound_assignment", "byte x;\ninit {\n\tx += 1;\n\tx -= 2\n}\n"),
    ("comma_between_parameters", "proctype P(byte a, byte b) {\n\tskip\n}\n"),
    ("negated_full", "chan q = [1] of { byte };\ninit {\n\t!full(q);\n\tassert(empty(q) == 1)\n}\n"),
    ("operator_on_the_next_line", "bool a, b;\ninit {\n\ta\n\t&& b;\n\ta == true ||\n\tb\n}\n"),
    ("while_loop", "byte x;\ninit {\n\twhile (x < 3) {\n\t\tx++\n\t}\n}\n"),
    (
        "words_of_other_languages",
        "byte x;\ninit {\n\tif\n\t:: x > 0 then x = 1\n\tfi;\n\twait x;\n\tconst int y = 3;\n\tswitch (x) { x = 1 }\n}\n",
    ),
    ("for_like_in_c", "int i;\ninit {\n\tfor (i = 0; i < 3; i++) {\n\t\tskip\n\t}\n}\n"),
    ("empty_body", "init {\n}\nproctype P() { if :: fi }\n"),
    ("unknown_type", "unit8 x;\ninit {\n\tbyt y;\n\tx = 1\n}\n"),
    (
        "misspelt_words",
        "proctyp P() {\n\tskip\n}\nbyte x;\ninit {\n\tatmoic { x = 1 };\n\tasert(x == 1);\n\tgot L;\nL:\tskip\n}\n",
    ),
    ("process_without_run", "proctype P(byte a) { skip }\ninit {\n\tP(1);\n\tskip\n}\n"),
    (
        "inline_faults",
        "inline f(a, b) { a = b }\ninline g(a) { return a }\ninline h() { h() }\nbyte x;\ninit {\n\tf(x);\n\tx = g(1) + 1;\n\tg(2);\n\th();\n\tff(x, 1)\n}\n",
    ),
    (
        "fault_inside_an_inline",
        "#define BAD x = = 1\nbyte x;\ninline f(p) {\n\tBAD;\n\tp + 1 = 2;\n\tskip\n}\ninit {\n\tf(x)\n}\n",
    ),
    ("prefix_increment", "byte x;\ninit {\n\t++x;\n\tx = x++\n}\n"),
    ("ternary", "byte x, y;\ninit {\n\tx = (x ? 1 : 2);\n\ty = y == 1 -> 2\n}\n"),
    ("temporal_operator_in_a_process", "bool p;\ninit {\n\t[] p;\n\t<> p\n}\n"),
    (
        "formula_faults",
        "bool p;\nbyte x;\nltl a { ([] x) == 1 }\nltl b { p p }\nltl c { p -> p -> p }\nltl d { [] (p && }\nltl e { U p }\n",
    ),
    (
        "unless_on_its_own_line",
        "byte x;\ninit {\n\tx = 1\n\tunless x = 2;\n\tx = 3 unless x = 4 unless x = 5\n}\n",
    ),
    ("chained_assignment", "byte x, y;\ninit {\n\tx = y = 1;\n\tx + 1 = y\n}\n"),
    ("label_before_declaration", "init {\nL:\tbyte x;\n\tx = 1\n}\n"),
    ("receive_faults", "chan c = [1] of { byte };\nbyte x;\ninit {\n\tc?x + 1;\n\tc?<x;\n\tc!;\n\tc?[x\n}\n"),
    ("too_many_braces", "init {\n\tskip }\n}\nbyte x\n"),
    (
        "number_faults",
        "int x = 0x;\nint y = 12ab;\nint z = 99999999999999999999;\nint w = 'ab';\nint v = 017;\n",
    ),
    ("function_faults", "byte x;\ninit {\n\tx = lne(x);\n\tx = eval(x);\n\tenabled x\n}\n"),
    ("statement_at_top_level", "byte x;\nx = 1;\nassert(x)\nint y;\n"),
    (
        "chan_faults",
        "chan a = [1] {byte};\nchan b = [1] of {byt};\nchan c = [2] of byte;\nbyte d[] = 1;\ninit { skip }\n",
    ),
    ("array_bracket", "byte a[3];\ninit {\n\ta[1 = 2;\n\ta[0] = 1\n}\n"),
];

#[test]
fn mistakes_are_explained() {
    for (name, text) in MISTAKES {
        let mut parsed = parse_text(text);
        assert!(parsed.has_errors(), "{name} is no mistake");
        insta::with_settings!({ description => *text, omit_expression => true }, {
            insta::assert_snapshot!(*name, parsed.rendered());
        });
    }
}

#[test]
fn faults_in_every_statement_are_found_in_one_run() {
    let mut text = "byte x; chan c = [1] of { byte };\n".to_owned();
    for n in 0..20 {
        text += &format!("proctype P{n}() {{\n\tx = = {n};\n\tif :: x + -> skip fi;\n\tdo x od\n}}\n");
    }
    let parsed = parse_text(&text);
    assert_eq!(parsed.diagnostics.error_count(), 60);
}
