//! `axle slice`: the text of slices.

mod support;

use std::path::Path;

fn slice(model: &str, property: &str) -> support::Ran {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/slices");
    support::run(&folder, &["slice", "-q", model, "--for", property], "")
}

/// A program without its comments, white space, brackets and formulas.
fn bare(text: &str) -> String {
    let mut code = String::new();
    for (index, part) in text.split("/*").enumerate() {
        code.push_str(if index == 0 { part } else { part.split_once("*/").map_or("", |(_, after)| after) });
    }
    let code = code.split("ltl ").next().unwrap_or_default();
    code.chars().filter(|c| !c.is_whitespace() && !"();".contains(*c)).collect()
}

/// Holzmann, *From Code to Models*, section 5, but that the end of the input and the newline stand as numbers there.
#[test]
fn the_word_count_comes_out_as_printed() {
    let printed = r"
chan stdin = [1] of { int };
int c, nl, nc;

active proctype wordcount()
{
    do
    :: stdin?c ->
        if
        :: c == -1 -> break
        :: c == '\n' -> nc++; nl++
        :: else -> nc++
        fi
    od
}";
    let ran = slice("word_count.pml", "counted");
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
    assert_eq!(bare(&ran.out), bare(printed), "{}", ran.out);
    for (line, why) in
        [(15, "nothing relevant waits for it"), (20, "nothing relevant depends on the variable")]
    {
        let told = ran
            .out
            .lines()
            .any(|text| text.starts_with(&format!("   word_count.pml:{line}  ")) && text.ends_with(why));
        assert!(told, "line {}: {why}\n{}", line, ran.out);
    }
    assert!(ran.out.contains("printing changes nothing"), "{}", ran.out);
}

#[test]
fn a_slice_is_a_model_again() {
    let folder = support::folder("slices-again");
    for (model, property, gone) in [
        ("word_count_closed.pml", "counted", Some("inword")),
        ("endless_beside.pml", "comes", Some("1 - y")),
        ("d_step_choice.pml", "two", None),
        ("unless_leaves.pml", "no_two", None),
        ("endless_created.pml", "comes", Some("run Once")),
    ] {
        let ran = slice(model, property);
        assert_eq!(ran.exit, 0, "{model}: {}", ran.err);
        let left = gone.is_some_and(|gone| bare(&ran.out).contains(&bare(gone)));
        assert!(!left, "{model}\n{}", ran.out);
        std::fs::write(folder.join(model), &ran.out).expect("the slice can be written");
        let checked = support::run(&folder, &["check", model, "--only", property, "--trace", "none"], "");
        assert!([0, 1].contains(&checked.exit), "{model}: {}\n{}", checked.err, ran.out);
    }
}

#[test]
fn what_cannot_be_sliced_is_refused_with_the_reason() {
    let ran = slice("word_count.pml", "counter");
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("did you mean 'counted'?"), "{}", ran.err);
    let ran = slice("word_count.pml", "acceptance");
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("is not a formula"), "{}", ran.err);
}
