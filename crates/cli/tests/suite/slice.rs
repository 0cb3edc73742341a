//! `axle slice`: the text of slices.

use std::path::Path;

fn slice(model: &str, property: &str) -> crate::support::Ran {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/slices");
    crate::support::run(&folder, &["slice", "-q", model, "--for", property], "")
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

/// Holzmann, *From Code to Models*, section 5, but that the end of the input and the newline stand
/// as numbers there.
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
        [(15, "no relevant statement waits for it"), (20, "no relevant statement depends on the variable")]
    {
        let told = ran
            .out
            .lines()
            .any(|text| text.starts_with(&format!("   word_count.pml:{line}  ")) && text.ends_with(why));
        assert!(told, "line {}: {why}\n{}", line, ran.out);
    }
    assert!(ran.out.contains("output does not change the state"), "{}", ran.out);
}

#[test]
fn a_slice_is_a_model_again() {
    let folder = crate::support::folder("slices-again");
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
        let checked =
            crate::support::run(&folder, &["check", model, "--only", property, "--trace", "none"], "");
        assert!([0, 1].contains(&checked.exit), "{model}: {}\n{}", checked.err, ran.out);
    }
}

#[test]
fn targets_are_assertions_variables_labels_and_statements() {
    let folder = crate::support::folder("slice-targets");
    let text = "byte x, y, z;\nbool flag;\n\nactive proctype P() {\n\tbyte n;\n\tdo\n\t:: n < 2 -> n++; x = x + n; y++\n\t\
                :: else -> break\n\tod;\nreached:\n\tflag = true;\n\tassert(x == 3)\n}\n\nactive proctype Q() {\n\t\
                z = 1;\n\tassert(z == 1)\n}\n";
    std::fs::write(folder.join("m.pml"), text).expect("the model can be written");
    for (target, kept, gone, meaning) in [
        ("assertions", vec!["x = x + n", "assert(x == 3)", "z = 1"], vec!["y++", "flag"], "the assertions"),
        ("y", vec!["y++", "n < 2"], vec!["z = 1", "assert"], "the value of `y`"),
        ("P:n", vec!["n++"], vec!["y++", "flag", "z = 1"], "the value of `n` in P"),
        (
            "reached",
            vec!["n < 2", "reached:"],
            vec!["y++", "z = 1", "assert"],
            "reachability of label `reached` in P",
        ),
        ("P:reached", vec!["n < 2"], vec!["y++"], "reachability of label `reached` in P"),
        ("m.pml:12", vec!["assert(x == 3)", "x = x + n"], vec!["y++", "z = 1"], "`assert(x == 3)` of P"),
        ("m.pml:17", vec!["assert(z == 1)", "z = 1"], vec!["y++", "x = x + n"], "`assert(z == 1)` of Q"),
    ] {
        let ran = crate::support::run(&folder, &["slice", "-q", "m.pml", "--for", target], "");
        assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{target}");
        let (heading, code) = ran.out.split_once("*/").expect("a slice begins with a comment");
        assert!(heading.contains(meaning), "{target}\n{heading}");
        for one in kept {
            assert!(bare(code).contains(&bare(one)), "{target} keeps {one}\n{code}");
        }
        for one in gone {
            assert!(!bare(code).contains(&bare(one)), "{target} removes {one}\n{code}");
        }
        std::fs::write(folder.join("again.pml"), &ran.out).expect("the slice can be written");
        let checked = crate::support::run(&folder, &["check", "again.pml", "--trace", "none"], "");
        assert_eq!(checked.exit, 0, "{target}: {}\n{}", checked.out, checked.err);
    }
}

#[test]
fn unknown_targets_come_with_suggestions() {
    let folder = crate::support::folder("slice-unknown");
    let text = "byte count;\nactive proctype P() {\n\tbyte n;\n\n\tn = 1; count = n\n}\n";
    std::fs::write(folder.join("m.pml"), text).expect("the model can be written");
    for (target, said) in [
        ("cuont", "did you mean 'count'?"),
        ("n", "with its process: P:n"),
        ("P:count", "`count` is global"),
        ("P:m", "did you mean 'P:n'?"),
        ("m.pml:4", "the nearest one is at line 5"),
        ("other.pml:4", "the model has statements in m.pml"),
        ("end-states", "depends on every statement"),
        ("assertions", "the model has no assertions"),
    ] {
        let ran = crate::support::run(&folder, &["slice", "-q", "m.pml", "--for", target], "");
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{target}");
        assert!(ran.err.contains(said), "{target}: {}", ran.err);
    }
}

#[test]
fn a_target_that_cannot_be_sliced_is_refused_with_the_reason() {
    let ran = slice("word_count.pml", "counter");
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("did you mean 'counted'?"), "{}", ran.err);
    let ran = slice("word_count.pml", "acceptance");
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("is not an LTL formula"), "{}", ran.err);
}
