//! One syntax of formulas: the same list through `axle ltl`, `--ltl` for models and C programs, and
//! `ltl { }` in models.

use std::path::Path;

use crate::support::{folder, run};

const MODEL: &str = "int x, y;\nactive proctype p() { x = 1; x = 2; y = 1 }\n";
const PROGRAM: &str = "int x, y;\nint main(void)\n{\n\tx = 1;\n\tx = 2;\n\ty = 1;\n\treturn x + y;\n}\n";

/// Formulas of `x` and `y`, with the exit code of their check.
const FORMULAS: [(&str, i32); 34] = [
    ("[] x < 3", 0),
    ("[] (x < 3)", 0),
    ("[] {x < 3}", 0),
    ("[]{x<3&&y<2}", 0),
    ("G x < 3", 0),
    ("G(x < 3)", 0),
    ("always x < 3", 0),
    ("[] x < 2", 1),
    ("G x + 1 < 3", 1),
    ("[] {x < 2}", 1),
    ("<> x == 2", 0),
    ("F x == 2", 0),
    ("F {x == 2}", 0),
    ("eventually x - 1 == y", 0),
    ("F x == 3", 1),
    ("not F x == 3", 0),
    ("! <> x == 3", 0),
    ("!(x == 1)", 0),
    ("not x == 0", 1),
    ("F (x == 2 and y == 1)", 0),
    ("<> ((x == 2) /\\ {y == 1})", 0),
    ("F x == 3 or F y == 1", 0),
    ("<> x == 3 \\/ <> y == 1", 0),
    ("G (x == 1 -> F y == 1)", 0),
    ("[] (x == 1 implies <> y == 1)", 0),
    ("<> x == 3 <-> <> y == 2", 0),
    ("x < 2 U x == 2", 0),
    ("(x < 2) until {x == 2}", 0),
    ("x < 1 U x == 2", 1),
    ("y == 0 W x == 3", 1),
    ("y == 1 R x < 3", 0),
    ("y == 1 V x < 3", 0),
    ("y == 1 release x < 2", 1),
    ("G F y >= 1", 0),
];

fn check(folder: &Path, arguments: &[&str]) -> crate::support::Ran {
    run(folder, &[&["check", "-q", "--trace", "none"], arguments].concat(), "")
}

#[test]
fn every_entry_accepts_the_same_formulas() {
    let folder = folder("ltl_entries");
    std::fs::write(folder.join("m.pml"), MODEL).unwrap();
    std::fs::write(folder.join("p.c"), PROGRAM).unwrap();
    let mut wrong = Vec::new();
    for (index, (formula, exit)) in FORMULAS.into_iter().enumerate() {
        let mut compare = |entry: &str, exit: i32, ran: &crate::support::Ran| {
            if ran.exit != exit {
                wrong.push(format!(
                    "{formula} in {entry}: {} and not {exit}\n{}{}",
                    ran.exit, ran.out, ran.err
                ));
            }
        };
        compare("axle ltl", 0, &run(&folder, &["ltl", formula, "-q"], ""));
        compare("--ltl of a model", exit, &check(&folder, &["m.pml", "--ltl", formula]));
        compare("--ltl of a program", exit, &check(&folder, &["p.c", "--ltl", formula]));
        let inline = format!("inline{index}.pml");
        std::fs::write(folder.join(&inline), format!("{MODEL}ltl f {{ {formula} }}\n")).unwrap();
        compare("ltl { }", exit, &check(&folder, &[&inline]));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spellings_give_one_automaton() {
    let folder = folder("ltl_spellings");
    let automaton = |formula: &str| run(&folder, &["ltl", formula, "-q", "--format", "table"], "").out;
    for group in [
        &["[] x < 3", "G {x < 3}", "always (x < 3)", "□ \"x < 3\""][..],
        &["p U q", "p until q", "{p} stronguntil q"],
        &["!p V q", "not p R q", "~p release q"],
        &["[] (p && q -> <> r)", "G (p and q implies F r)", "[] ((p /\\ q) => <> r)"],
    ] {
        let first = automaton(group[0]);
        assert!(first.contains("states"), "{first}");
        for other in &group[1..] {
            assert_eq!(automaton(other), first, "{other}");
        }
    }
}

#[test]
fn names_of_variables_stay_names() {
    let folder = folder("ltl_names");
    let text = "byte F, G, R, not, and, or;\nactive proctype p() { F = 1; G = 2 }\n\
                ltl a { [] (F < 2 && G <= 2) }\nltl b { <> (F && G) }\nltl c { [] (!R || not || and + or) }\n\
                ltl d { F G }\nltl e { R R or }\n";
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let ran = check(&folder, &["m.pml"]);
    assert_eq!(ran.exit, 1, "{}{}", ran.out, ran.err);
    for (name, verdict) in [("a", "holds"), ("b", "holds"), ("c", "holds"), ("d", "holds"), ("e", "violated")]
    {
        let row = ran.out.lines().find(|line| line.trim_start().starts_with(&format!("{name} ")));
        assert!(row.is_some_and(|row| row.contains(verdict)), "{name}: {}", ran.out);
    }
}

#[test]
fn columns_of_errors_are_those_of_the_option() {
    let folder = folder("ltl_columns");
    std::fs::write(folder.join("m.pml"), MODEL).unwrap();
    std::fs::write(folder.join("p.c"), PROGRAM).unwrap();
    for (given, column) in [
        ("safe=[] nothing < 3", 9),
        ("safe = [] {x < nothing}", 16),
        ("[] (x < 3 && nothing)", 14),
        ("[] (x < 3 q)", 11),
    ] {
        let model = check(&folder, &["m.pml", "--ltl", given]);
        assert_eq!(model.exit, 2, "{given}: {}", model.out);
        assert!(model.err.contains(&format!("--ltl:1:{column}\n")), "{given}:\n{}", model.err);
        let program = check(&folder, &["p.c", "--ltl", given]);
        assert_eq!(program.exit, 2, "{given}: {}", program.out);
        let mark = format!("\n  {given}\n  {}^", " ".repeat(column - 1));
        assert!(program.err.contains(&mark), "{given}:\n{}", program.err);
    }
    let ambiguous = run(&folder, &["ltl", "[] ! x == 3"], "");
    assert_eq!(ambiguous.exit, 2);
    assert!(ambiguous.err.contains("ambiguous") && ambiguous.err.contains("\n     ^"), "{}", ambiguous.err);
}
