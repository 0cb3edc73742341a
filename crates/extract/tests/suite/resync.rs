//! Tables that follow their source: what is added, put out of force, revived and proposed; and that
//! a source which is changed and changed back leaves the table as it was.

use proptest::prelude::*;

use crate::support::Work;

fn synced(c: &str, table: Option<&str>) -> (String, String) {
    let mut work = Work::of("x.c", &format!("void f(int n) {{ {c} }}"));
    let next = work.sync("f", table);
    assert_eq!(work.rendered(), "");
    let changes: Vec<String> = next.changes.iter().map(|change| format!("{change:?}")).collect();
    (next.text, changes.join("\n"))
}

#[test]
fn new_statements_stand_behind_their_neighbours() {
    let (table, _) = synced("a(); c();", None);
    let edited = table.replace("F: a()\tprint", "F: a()\tq!1");
    let (next, changes) = synced("a(); b(); c();", Some(&edited));
    assert_eq!(
        next,
        "# Axle lookup table f.lut\nF: a()\tq!1\nF: b()\tprint\t# new\nF: c()\tprint\nR: return\tprint\n"
    );
    assert!(changes.contains("Added"));
}

#[test]
fn vanished_statements_come_back_with_their_mapping() {
    let table = "# mine\nF: a()\tq!1\t/* why */\n\nF: c()\thide\nR: return\thide\n";
    let (next, _) = synced("c();", Some(table));
    assert_eq!(next, table.replace("F: a()", "#- F: a()"));
    assert_eq!(synced("c();", Some(&next)).0, next);
    assert_eq!(synced("a(); c();", Some(&next)).0, table);
}

#[test]
fn rows_that_a_person_wrote_are_never_lost() {
    // New, and then given a mapping by hand.
    let (next, _) = synced("a(); b();", Some("F: a()\tprint\nR: return\tprint\n"));
    let edited = next.replace("F: b()\tprint\t# new", "F: b()\tq!1\t# new");
    assert_eq!(synced("a();", Some(&edited)).0, edited.replace("F: b()", "#- F: b()"));
}

#[test]
fn moved_statements_are_proposed() {
    let table = "C: (n<20)\t(n<8)\nC: !(n<20)\telse\nF: a()\thide\nR: return\thide\n";
    let (next, _) = synced("if (n < 30) a();", Some(table));
    assert_eq!(
        next,
        "#- C: (n<20)\t(n<8)\n#- C: !(n<20)\telse\n\
         C: !(n<30)\ttrue\t# new\n#? C: !(n<30)\telse\t# as !(n<20)\n\
         C: (n<30)\ttrue\t# new\n#? C: (n<30)\t(n<8)\t# as (n<20)\n\
         F: a()\thide\nR: return\thide\n"
    );
    // The offer stands until the row says something, and goes when the source goes back.
    assert_eq!(synced("if (n < 30) a();", Some(&next)).0, next);
    let taken = next.replace("C: (n<30)\ttrue\t# new", "C: (n<30)\t(n<9)\t# new");
    assert!(!synced("if (n < 30) a();", Some(&taken)).0.contains("#? C: (n<30)"));
    assert_eq!(synced("if (n < 20) a();", Some(&next)).0, table);
}

#[test]
fn patterns_stay_and_what_they_take_in_needs_no_row() {
    let table = "F: a(...)\thide\nF: b(...)\thide\nR: return\thide\n";
    assert_eq!(synced("a(1); a(2);", Some(table)).0, table);
}

#[test]
fn rows_of_declarations_are_found_again() {
    for declaration in [
        "int *p = g();",
        "const char *p, **q;",
        "char const *p;",
        "int *const p = 0;",
        "volatile int *p;",
        "struct s *p = &v;",
        "struct s { int a; } *p;",
        "T *p;",
        "T *p = (T *)n, v[2];",
        "int v[n + 1], *w[3];",
        "int (*p)[3];",
        "int (*p)(int, ...);",
        "int (*p[2])(const char *, T *) = { g, h };",
        "unsigned long x = 1UL, y = -1;",
        "char s[] = \"a  b\\t...\";",
        "static int *p;",
    ] {
        let c = format!("typedef int T; struct s {{ int b; }} v; void f(int n) {{ {declaration} g(n); }}");
        let mut work = Work::of("x.c", &c);
        let table = work.sync("f", None).text;
        let next = work.sync("f", Some(&table));
        assert_eq!((next.text, next.changes.len()), (table.clone(), 0), "{declaration}");
        assert_eq!(work.rendered(), "", "{declaration}");
        // The row's mapping is in force.
        let row = table.lines().find(|line| line.starts_with("D: ")).expect("a row").to_string();
        let mapped = table.replace(&row, &row.replace("\thide", "\tmapped = 1"));
        let text = work.text("f", axle_extract::Form::Active, &mapped);
        assert!(text.contains("mapped = 1"), "{declaration}: {text}");
    }
}

#[test]
fn data_need_no_row() {
    let table = "V: n\tkeep\nR: return\thide\n";
    assert_eq!(synced("n = 1; n++;", Some(table)).0, table);
}

const STATEMENTS: &[&str] = &[
    "a();",
    "b(n);",
    "n = 1;",
    "n = n + 1;",
    "n++;",
    "int x = 3;",
    "if (n) a();",
    "while (n < 3) n++;",
    "if (!g(n)) b(n); else a();",
    "for (n = 0; n < 9; n++) a();",
    "switch (n) { case 1: a(); break; default: n--; }",
    "x = (n == 2);",
    "do { b(2); } while (h());",
    "return;",
    ";",
];

const MAPPINGS: &[&str] = &["hide", "print", "comment", "q!1", "atomic { x = 1; y = 2 }", "keep"];

/// Statements by number; those that declare twice are left out.
fn source(chosen: &[usize]) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let once = chosen.iter().filter(|&&one| STATEMENTS[one] != "int x = 3;" || seen.insert(one));
    once.map(|&one| STATEMENTS[one]).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changed_and_changed_back(
        before in proptest::collection::vec(0..STATEMENTS.len(), 1..8),
        removed in proptest::collection::vec(any::<bool>(), 8),
        added in proptest::collection::vec(0..STATEMENTS.len(), 0..4),
        edits in proptest::collection::vec(0..MAPPINGS.len() * 2, 40),
    ) {
        let old = source(&before);
        let mut after: Vec<usize> =
            before.iter().zip(&removed).filter(|(_, gone)| !**gone).map(|(one, _)| *one).collect();
        after.splice(0..0, added);
        let new = source(&after);
        // A table that a person has worked on.
        let (first, _) = synced(&old, None);
        let table: String = first.lines().zip(edits.iter().cycle()).map(|(line, &edit)| {
            match (line.split_once('\t'), MAPPINGS.get(edit)) {
                (Some((left, _)), Some(mapping)) if !line.starts_with('C') => format!("{left}\t{mapping}\n"),
                _ => format!("{line}\n"),
            }
        }).collect();
        prop_assert_eq!(&synced(&old, Some(&table)).0, &table);
        let (next, _) = synced(&new, Some(&table));
        // In line means: nothing more to do.
        let (again, _) = synced(&new, Some(&next));
        prop_assert_eq!(&again, &next);
        // No row is lost.
        for line in table.lines() {
            prop_assert!(next.lines().any(|other| other == line || other == format!("#- {line}")), "{line}");
        }
        prop_assert_eq!(&synced(&old, Some(&next)).0, &table);
    }
}
