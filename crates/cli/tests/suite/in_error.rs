//! A project with errors: `axle run` and `axle status` show each of them in its place, and verify
//! everything else.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, folder, run};

const PROGRAM: &str = "#define FULL 2
enum phase { IDLE, BUSY = 5, DONE };
enum phase phase;
int level;
int main(void) {
    phase = BUSY;
    while (level < FULL)
        level++;
    phase = DONE;
    return 0;
}
";

fn property(root: &Path, name: &str, statement: &str) {
    let text = format!("+++\nname = \"{name}\"\nfeature = \"basic\"\n{statement}\n+++\n\nWords.\n");
    fs::write(root.join(format!("properties/{name}.md")), text).expect("a property");
}

/// A program with a property that holds and one that is violated.
fn project(name: &str) -> PathBuf {
    let root = folder(&format!("in-error/{name}"));
    for own in ["properties", "timelines"] {
        fs::create_dir_all(root.join(own)).expect("a folder");
    }
    fs::write(root.join("main.c"), PROGRAM).expect("a program");
    let manifest = "name = \"p\"\nfeatures = [\"basic\"]\n[sources]\nc = [\"main.c\"]\n";
    fs::write(root.join("axle.toml"), manifest).expect("a manifest");
    property(&root, "bounded", "formula = \"[] (level <= FULL)\"");
    property(&root, "never-done", "formula = \"[] (phase != DONE)\"");
    root
}

fn axle(root: &Path, arguments: &[&str]) -> Ran {
    run(root, arguments, "")
}

#[test]
fn a_property_in_error_costs_only_itself() {
    let root = project("one");
    let first = axle(&root, &["run", "--quiet", "--budget", "60s"]);
    assert_eq!(first.exit, 1, "{}{}", first.out, first.err);
    property(&root, "follows", "timeline = \"follows.tl\"");
    fs::write(root.join("timelines/follows.tl"), "e busy = phase == BUSY\nt done = phase == DOME\n")
        .expect("a timeline");
    let ran = axle(&root, &["run", "--quiet", "--budget", "60s", "--junit", "j.xml", "--sarif", "s.json"]);
    assert_eq!(ran.exit, 2, "the input has an error: {}{}", ran.out, ran.err);
    let line = |name: &str| ran.out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    assert!(line("bounded@any").contains("holds"), "{}", ran.out);
    assert!(line("never-done@any").contains("violated"), "the violation is shown: {}", ran.out);
    assert!(line("follows ").contains("timelines/follows.tl:2:19"), "{}", ran.out);
    assert!(ran.err.contains("did you mean `DONE`?"), "{}", ran.err);
    let junit = fs::read_to_string(root.join("j.xml")).expect("a report");
    assert!(junit.contains("errors=\"1\"") && junit.contains("failures=\"1\""), "{junit}");
    let sarif = fs::read_to_string(root.join("s.json")).expect("a report");
    assert!(sarif.contains("input-error") && sarif.contains("follows.tl"), "{sarif}");

    let json = axle(&root, &["run", "--quiet", "--json", "--changed"]);
    let data: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!((json.exit, data["runs"].as_array().map(Vec::len)), (2, Some(3)), "{}", json.out);
    assert_eq!(data["broken"][0]["name"], "follows");
    assert_eq!(data["broken"][0]["errors"][0]["place"]["line"], 2);

    let status = axle(&root, &["status"]);
    assert_eq!(status.exit, 2);
    for part in ["bounded@any     holds", "never-done@any  violated", "follows         error"] {
        assert!(status.out.contains(part), "{part}: {}", status.out);
    }
    // A selection without it has nothing to do with the error.
    let ran = axle(&root, &["run", "--quiet", "--property", "bounded", "--changed"]);
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
fn a_verdict_of_before_an_error_is_shown_as_such() {
    let root = project("before");
    axle(&root, &["run", "--quiet", "--budget", "60s"]);
    property(&root, "bounded", "formula = \"[] (levl <= FULL)\"");
    let status = axle(&root, &["status"]);
    assert_eq!(status.exit, 2);
    let row = status.out.lines().find(|line| line.trim_start().starts_with("bounded ")).unwrap_or_default();
    assert!(row.contains("error") && row.contains("properties/bounded.md:4:16"), "{row}");
    assert!(row.contains("(before: holds under any)"), "{row}");
    assert!(status.out.contains("2 runs: 1 holds, 1 violated"), "{}", status.out);
}

#[test]
fn an_error_of_the_program_is_one_of_all_properties() {
    let root = project("program");
    axle(&root, &["run", "--quiet", "--budget", "60s"]);
    fs::write(root.join("main.c"), PROGRAM.replace("level++;", "levl++;")).expect("a program");
    let ran = axle(&root, &["run", "--quiet"]);
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.out.contains("3 properties not verified because of errors"), "{}", ran.out);
    let status = axle(&root, &["status"]);
    assert!(status.out.contains("(before: holds under any)"), "{}", status.out);
    assert!(status.out.contains("(before: violated under any)"), "{}", status.out);
}

#[test]
fn values_and_changes_name_enumeration_constants() {
    let root = project("values");
    let shown =
        axle(&root, &["check", "main.c", "--quiet", "--ltl", "[] (phase != DONE)", "--trace", "full"]);
    assert_eq!(shown.exit, 1, "{}", shown.err);
    assert!(shown.out.contains("phase: IDLE -> BUSY"), "{}", shown.out);
    assert!(shown.out.contains("phase: BUSY -> DONE"), "{}", shown.out);
}

/// Formulas over the program below: its exit code, and a part of the output.
const FORMULAS: &[(&str, i32, &str)] = &[
    ("[] (table[0].phase != BOUND)", 1, "violated"),
    ("[] (table[FIRST].phase != SELECTING)", 1, "violated"),
    ("<> {first->phase == BOUND}", 0, "holds"),
    ("<> {second->tries == MASK}", 0, "holds"),
    ("[] {second->tries <= ANSWER - 42}", 1, "violated"),
    ("[] (level <= LIMIT)", 0, "holds"),
    ("[] (level < LIMIT)", 1, "violated"),
    ("<> {moving->tries == 1}", 2, "the program may change the pointer in `moving`"),
    ("<> {nothing->tries == 1}", 2, "points to no object"),
    ("[] (level != TEXT)", 2, "which is no constant of integers"),
    ("[] (level != LOOP)", 2, "which is no constant of integers"),
    ("[] (levle < 3)", 2, "did you mean `level`?\n  [] (levle < 3)\n      ^"),
    (
        "[] (table[0].phaze == IDLE)",
        2,
        "did you mean `phase`?\n  [] (table[0].phaze == IDLE)\n               ^",
    ),
    ("[] (level < LIMITS)", 2, "did you mean `LIMIT`?"),
    ("[] (table[0].phase == BOUNT)", 2, "did you mean `BOUND`?"),
    ("[] {call(man)}", 2, "did you mean `main`?"),
];

#[test]
fn propositions_name_constants_of_the_program() {
    let root = folder("in-error/constants");
    let program = "#define LIMIT 3
#define MASK (1 << 1)
#define ANSWER (0x2A + 1u)
#define TEXT \"text\"
#define LOOP LOOP2
#define LOOP2 LOOP
enum phase { IDLE, SELECTING, BOUND = 4 };
enum { FIRST };
struct lease { enum phase phase; int tries; };
static struct lease table[2];
static struct lease *const first = &table[0];
static struct lease *second = &table[1];
static struct lease *moving = &table[0];
static struct lease *nothing;
static int level;
int main(void) {
    first->phase = SELECTING;
    while (level < LIMIT)
        level++;
    second->tries = MASK;
    moving = second;
    if (nothing)
        nothing->tries = 1;
    first->phase = BOUND;
    for (;;)
        level = 0;
}
";
    fs::write(root.join("main.c"), program).expect("a program");
    for (formula, code, part) in FORMULAS {
        let ran = axle(&root, &["check", "main.c", "--quiet", "--trace", "none", "--ltl", formula]);
        assert_eq!(ran.exit, *code, "{formula}: {}{}", ran.out, ran.err);
        assert!(format!("{}{}", ran.out, ran.err).contains(part), "{formula}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn an_unknown_name_in_a_timeline_has_its_place() {
    let root = project("timeline");
    fs::write(root.join("t.tl"), "e busy = phase == BUSY\nt done = phase == DOME\n").expect("a timeline");
    let ran = axle(&root, &["check", "main.c", "--quiet", "--timeline", "t.tl"]);
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.err.contains("t.tl:2:19") && ran.err.contains("did you mean `DONE`?"), "{}", ran.err);
}

#[test]
fn a_constant_with_two_values_is_ambiguous() {
    let root = folder("in-error/two");
    let one = "enum a { LEFT, RIGHT };\n#define SIZE 1\nvoid other(void);\nint value;\nint main(void) { value = RIGHT; other(); return SIZE; }\n";
    let two = "enum b { RIGHT, LEFT };\n#define SIZE 2\nextern int value;\nvoid other(void) { value = LEFT + SIZE; }\n";
    fs::write(root.join("one.c"), one).expect("a program");
    fs::write(root.join("two.c"), two).expect("a program");
    for (formula, part) in [
        ("[] (value != LEFT)", "several enumeration constants are called `LEFT`"),
        ("[] (value != SIZE)", "several files define the macro `SIZE` differently"),
    ] {
        let ran = axle(&root, &["check", "one.c", "two.c", "--quiet", "--ltl", formula]);
        assert_eq!(ran.exit, 2, "{formula}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "{formula}: {}", ran.err);
    }
}

#[test]
fn pointers_that_change_anywhere_are_not_followed() {
    let root = folder("in-error/pointers");
    let program = "#include <stdlib.h>
struct s { int x; };
static struct s a, b;
static struct s *p = &a, *q = &a, *r = &a, *same = &a;
__attribute__((constructor)) static void init(void) { p = &b; }
static void bye(void) { q = &b; }
static void set(struct s **to) { *to = &b; }
int main(void) { atexit(bye); set(&r); p->x = 1; q->x = 2; r->x = 3; return same->x; }
";
    fs::write(root.join("main.c"), program).expect("a program");
    for (pointer, code) in [("p", 2), ("q", 2), ("r", 2), ("same", 0)] {
        let formula = format!("<> {{{pointer}->x == 2}}");
        let ran = axle(&root, &["check", "main.c", "--quiet", "--trace", "none", "--ltl", &formula]);
        assert_eq!(ran.exit, code, "{formula}: {}{}", ran.out, ran.err);
        assert!(code == 0 || ran.err.contains("may change the pointer"), "{formula}: {}", ran.err);
    }
}
