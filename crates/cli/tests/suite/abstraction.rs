//! Predicates and maps of `axle check`, `axle abstract` and semantic slices.

use std::fs;
use std::path::Path;

use crate::support::{Ran, folder, run};

const POSITIVE: &str = "#define LARGE (x > 100)
int x = 1, unread;
active proctype P1() { do :: x < 1000000 -> x = x + 1; unread = unread + 1 od }
active proctype P2() { do :: x < 1000000 -> x = x + 2 od }
active proctype Monitor() { end: do :: assert(x > 0) od }
ltl pos { [] (x > 0) }
";

/// Runs a command in a folder with the model `m.pml` and a file of predicates.
fn with(name: &str, model: &str, predicates: &str, arguments: &[&str]) -> Ran {
    let folder = folder(&format!("abstraction-{name}"));
    fs::write(folder.join("m.pml"), model).expect("a model");
    fs::write(folder.join("p.txt"), predicates).expect("predicates");
    run(&folder, arguments, "")
}

#[test]
fn given_predicates_are_those_of_the_proof() {
    let arguments = ["check", "-q", "m.pml", "--predicates", "p.txt", "--only", "assertions", "--json"];
    let ran = with("given", POSITIVE, "// positive\n\nx > 0\nx + 2 > 0 && x + 1 > 0 // next\n", &arguments);
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report");
    let search = &report["search"];
    assert_eq!(search["answered_by"], "abstract");
    let predicates = search["abstraction"]["predicates"].as_array().expect("predicates");
    let given: Vec<&str> = (predicates.iter())
        .filter(|one| one["given"] == true)
        .map(|one| one["text"].as_str().expect("a text"))
        .collect();
    assert_eq!(given, ["0 < x", "0 < (x + 1)", "0 < (x + 2)"]);
    assert!(!search["abstraction"]["invariant"].as_array().expect("an invariant").is_empty());
    // The conditions are no properties of the model.
    assert_eq!(report["properties"].as_array().map(Vec::len), Some(1));
}

#[test]
fn all_faulty_predicates_are_located() {
    let text =
        "x > 0\n  y > 3\n[] (x > 1)\nx +\nLARGE && (x < 5 -> x > 2 : 1)\nx }\n#define z\nx = 1\nx; x\n";
    let ran = with("faulty", POSITIVE, text, &["check", "m.pml", "--predicates", "p.txt"]);
    assert_eq!(ran.exit, 2, "{}", ran.err);
    for place in ["p.txt:2:3", "p.txt:3:1", "p.txt:4:", "p.txt:6:1", "p.txt:7:1", "p.txt:8:1", "p.txt:9:"] {
        assert!(ran.err.contains(place), "{place}\n{}", ran.err);
    }
    assert!(!ran.err.contains("p.txt:5") && !ran.err.contains("p.txt:1:"), "{}", ran.err);
    assert!(!ran.err.contains("__axle"), "{}", ran.err);
}

#[test]
fn predicates_are_refused_where_they_mean_nothing() {
    for (arguments, expected) in [
        (&["check", "m.pml", "--predicates", "p.txt", "--engine", "pdr"][..], "--engine abstract"),
        (&["check", "m.pml", "--predicates", "no.txt"][..], "no.txt"),
        (&["check", "m.pml", "--map", "x parity"][..], "VARIABLE: MAP"),
        (&["check", "m.pml", "--map", "z: parity"][..], "no variable is called `z`"),
        (&["check", "m.pml", "--map", "x: unread > 0"][..], "about `x` alone"),
    ] {
        let ran = with("refused", POSITIVE, "x > 0\n", arguments);
        assert_eq!(ran.exit, 2, "{}", ran.out);
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
    let ran = with("empty", POSITIVE, "// nothing\n", &["check", "m.pml", "--predicates", "p.txt"]);
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("no predicates"), "{}", ran.err);
}

#[test]
fn a_map_that_is_no_congruence_is_refused_with_a_pair() {
    let arguments = ["check", "-q", "m.pml", "--only", "assertions", "--map", "x: sign"];
    let ran = with("refused-map", POSITIVE, "", &arguments);
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.err.contains("are of the same classes, but"), "{}", ran.err);
    assert!(ran.err.contains("--over-approximate"), "{}", ran.err);
    let arguments = [&arguments[..], &["--over-approximate"]].concat();
    let ran = with("over-approximate", POSITIVE, "", &arguments);
    assert_eq!(ran.exit, 0, "{}", ran.out);
    assert!(ran.out.contains("map x: sign: over-approximation, since it identifies x ="), "{}", ran.out);
}

#[test]
fn a_congruence_decides_by_its_classes() {
    let model = "int x = 1; active proctype P() { int mine = 2; do :: x = x * 3 + 2 :: mine = mine + 2 od }
        active proctype Monitor() { end: do :: assert((x & 1) == 1) od }";
    for map in ["x: parity", "x: (x & 1) == 0"] {
        let ran =
            with("congruence", model, "", &["check", "-q", "m.pml", "--only", "assertions", "--map", map]);
        assert_eq!(ran.exit, 0, "{} {}", ran.out, ran.err);
        assert!(ran.out.contains(&format!("map {map}: congruence")), "{}", ran.out);
        assert!(ran.out.contains("0 queries") || !ran.out.contains("inferred"), "{}", ran.out);
    }
    let local = ["check", "-q", "m.pml", "--only", "assertions", "--map", "P:mine: parity"];
    assert_eq!(with("local", model, "", &local).exit, 0);
}

#[test]
fn an_abstract_model_is_searched_by_every_engine() {
    let predicates = "x > 0\nx < 1000000\nx + 1 > 0\nx + 2 > 0\n";
    let folder = folder("abstraction-model");
    fs::write(folder.join("m.pml"), POSITIVE).expect("a model");
    fs::write(folder.join("p.txt"), predicates).expect("predicates");
    let made = run(&folder, &["abstract", "m.pml", "--predicates", "p.txt", "--output", "a.pml"], "");
    assert_eq!((made.exit, made.err.as_str()), (0, ""));
    for engine in ["explicit", "symbolic", "pdr"] {
        let ran = run(&folder, &["check", "-q", "a.pml", "--engine", engine, "--only", "assertions"], "");
        assert_eq!(ran.exit, 0, "{engine}: {}", ran.out);
    }
    fs::write(folder.join("p.txt"), "x > 0\n").expect("predicates");
    run(&folder, &["abstract", "m.pml", "--predicates", "p.txt", "--output", "a.pml"], "");
    let ran = run(&folder, &["check", "-q", "a.pml", "--only", "assertions"], "");
    assert_eq!(ran.exit, 1, "one predicate is too few: {}", ran.out);
    let drawn = run(&folder, &["abstract", "m.pml", "--dot", "P1"], "");
    assert!(
        drawn.out.starts_with("digraph \"P1(0)\"") && drawn.out.contains("style=dashed"),
        "{}",
        drawn.out
    );
    let unknown = run(&folder, &["abstract", "m.pml", "--dot", "P3"], "");
    assert_eq!(unknown.exit, 2);
    assert!(unknown.err.contains("P1(0), P2(1), Monitor(2)"), "{}", unknown.err);
}

/// A counter of 32 bits that abstracted processes count, and a process with a mode that is not abstracted.
const CONTROLLED: &str = "int x = 1;
byte mode;
active proctype P1() { do :: mode != 2 && x < 1000000 -> x = x + 1 od }
active proctype P2() { do :: mode == 1 && x < 1000000 -> x = x + 2 od }
active proctype Control() { byte n; do :: n < 3 -> n++; mode = n :: n == 3 -> n = 0; mode = 0; x = 7 od }
active proctype Monitor() { end: do :: assert(x > 0 && mode <= 3) od }
";

#[test]
fn a_process_that_is_not_abstracted_keeps_its_data() {
    let predicates =
        "concrete Control // with its mode\nx > 0\nx < 1000000\nx + 1 > 0\nx + 2 > 0\nmode <= 3\n";
    let folder = folder("abstraction-composition");
    fs::write(folder.join("m.pml"), CONTROLLED).expect("a model");
    fs::write(folder.join("p.txt"), predicates).expect("predicates");
    let made = run(&folder, &["abstract", "m.pml", "--predicates", "p.txt", "--output", "a.pml"], "");
    assert_eq!((made.exit, made.err.as_str()), (0, ""));
    let text = fs::read_to_string(folder.join("a.pml")).expect("a model");
    for part in [
        "byte v_mode = 0; /* mode */",
        "/* Control(2), not abstracted */",
        "/* P1(0) */",
        "v_mode = v_2_Control_n",
        "Data of processes that are not abstracted, known by predicates: x ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("int v_x"), "{text}");
    for engine in ["explicit", "symbolic", "pdr"] {
        let ran = run(&folder, &["check", "-q", "a.pml", "--engine", engine, "--only", "assertions"], "");
        assert_eq!(ran.exit, 0, "{engine}: {}", ran.out);
    }
    // What this process assigns to shared data changes the predicates of the others.
    fs::write(folder.join("m.pml"), CONTROLLED.replace("x = 7", "x = -7")).expect("a model");
    run(&folder, &["abstract", "m.pml", "--predicates", "p.txt", "--output", "a.pml"], "");
    let ran = run(&folder, &["check", "-q", "a.pml", "--only", "assertions"], "");
    assert_eq!(ran.exit, 1, "{}", ran.out);
    // Its own values are exact: without this, the mode would be any byte.
    fs::write(folder.join("m.pml"), CONTROLLED.replace("mode = n", "mode = n + 1")).expect("a model");
    run(&folder, &["abstract", "m.pml", "--predicates", "p.txt", "--output", "a.pml"], "");
    let ran = run(&folder, &["check", "-q", "a.pml", "--only", "assertions"], "");
    assert_eq!(ran.exit, 1, "{}", ran.out);
}

#[test]
fn processes_that_are_not_abstracted_are_named_by_a_line_or_an_option() {
    let checked = ["check", "-q", "m.pml", "--only", "assertions", "--json"];
    let by_line = [&checked[..], &["--predicates", "p.txt"]].concat();
    let by_option = [&checked[..], &["--concrete", "Control", "--concrete", "Monitor(3)"]].concat();
    for arguments in [by_line, by_option] {
        let ran = with("concrete", CONTROLLED, "concrete Control, Monitor(3)\n", &arguments);
        assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report");
        let abstraction = &report["search"]["abstraction"];
        assert_eq!(abstraction["concrete"], serde_json::json!(["Control(2)", "Monitor(3)"]));
        let times =
            ["seconds", "deciding", "longest_iteration"].map(|name| abstraction["times"][name].as_f64());
        let [Some(all), Some(deciding), Some(longest)] = times else { panic!("{abstraction}") };
        assert!(all > 0.0 && deciding <= all && longest <= all, "{abstraction}");
    }
    let ran = with("concrete-text", CONTROLLED, "", &["check", "-q", "m.pml", "--concrete", "Control"]);
    assert!(ran.out.contains("not abstracted: Control(2)"), "{}", ran.out);
    assert!(ran.out.contains("queries per second; "), "{}", ran.out);
    for (arguments, expected) in [
        (&["check", "m.pml", "--concrete", "Q"][..], "no process is called 'Q'; there are P1(0), "),
        (&["abstract", "m.pml", "--concrete", "P1(7)"][..], "no process is called 'P1(7)'"),
        (&["check", "m.pml", "--concrete", "P1", "--engine", "pdr"][..], "for --engine abstract"),
        (&["abstract", "m.pml", "--concrete", "P1", "--dot", "P1"][..], "cannot be used with"),
    ] {
        let ran = with("concrete-refused", CONTROLLED, "", arguments);
        assert_eq!(ran.exit, 2, "{}", ran.out);
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
}

/// The arithmetic is a part of the verdict: `x > 0` with two processes holds without overflows, and is violated
/// where results wrap around.
#[test]
fn the_verdict_names_mathematical_arithmetic() {
    let model = |ty: &str, guard: &str, step: &str| {
        format!(
            "{ty} x = 1;
active proctype P1() {{ do :: atomic {{ {guard} -> x = x + {step} }} od }}
active proctype P2() {{ do :: atomic {{ {guard} -> x = x + 2 * {step} }} od }}
active proctype Monitor() {{ end: do :: assert(x > 0) od }}
"
        )
    };
    let check = ["check", "-q", "m.pml", "--only", "assertions", "--json", "--arithmetic", "mathematical"];
    for (name, text, overflows, condition) in [
        ("wide", model("int", "true", "1"), serde_json::Value::Null, "whether one occurs is not decided"),
        ("narrow", model("short", "true", "8000"), true.into(), "an overflow, which occurs in step "),
        ("bounded", model("int", "x < 1000", "1"), false.into(), "no step overflows"),
    ] {
        let ran = with(&format!("arithmetic-{name}"), &text, "", &check);
        assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report");
        let abstraction = &report["search"]["abstraction"];
        assert_eq!(abstraction["arithmetic"]["mode"], "mathematical", "{name}");
        assert_eq!(abstraction["arithmetic"]["overflows"], overflows, "{name}");
        if name != "bounded" {
            assert_eq!(abstraction["predicates"][0]["text"], "0 < x", "{name}");
        }
        let conditions = report["conditions"][0].as_str().expect("a condition");
        let starts = conditions.starts_with("in mathematical arithmetic: ");
        assert!(starts && conditions.contains(condition), "{name}: {conditions}");
    }
    let narrow = model("short", "true", "8000");
    let wrapping = ["check", "-q", "m.pml", "--only", "assertions", "--engine", "abstract"];
    assert_eq!(with("arithmetic-wraps", &narrow, "", &wrapping).exit, 1);
    let text =
        with("arithmetic-text", &narrow, "", &[&wrapping[..], &["--arithmetic", "mathematical"]].concat());
    assert!(text.out.starts_with("m.pml: holds (in mathematical arithmetic: "), "{}", text.out);
    let printed = ["abstract", "m.pml", "--arithmetic", "mathematical"];
    let printed = with("arithmetic-printed", &model("int", "true", "1"), "", &printed);
    assert!(
        printed.out.contains("in mathematical arithmetic: steps that overflow are left out"),
        "{}",
        printed.out
    );
    for arguments in [
        &["check", "m.pml", "--arithmetic", "mathematical", "--engine", "pdr"][..],
        &["check", "m.pml", "--arithmetic", "mathematical", "--certificate", "c.inv"],
    ] {
        assert_eq!(with("arithmetic-refused", &narrow, "", arguments).exit, 2, "{arguments:?}");
    }
}

/// Predicates stand beside the property as well, and are read where the abstraction is asked for.
#[test]
fn predicates_are_stated_in_the_model() {
    // A process that is not abstracted keeps its data, so there are few values.
    let few = POSITIVE.replace("1000000", "50").replace("; unread = unread + 1", "");
    let marked = few.replace("ltl pos", "//@ predicate x > 0\n//@ concrete P1\nltl pos");
    let checked = ["check", "-q", "m.pml", "--only", "assertions", "--json"];
    let abstraction = |name: &str, text: &str, options: &[&str]| {
        let ran = with(name, text, "x < 1000000\n", &[&checked[..], options].concat());
        assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report");
        let given = report["search"]["abstraction"]["predicates"].as_array().cloned().unwrap_or_default();
        let given = given.iter().filter(|one| one["given"] == true).map(|one| one["text"].to_string());
        let concrete = report["search"]["abstraction"]["concrete"].to_string();
        (given.collect::<Vec<_>>().join(", "), concrete)
    };
    let own = ("\"0 < x\"".to_owned(), "[\"P1(0)\"]".to_owned());
    assert_eq!(abstraction("marked", &marked, &["--engine", "abstract"]), own);
    assert_eq!(
        abstraction("marked-cartesian", &marked, &["--precision", "cartesian", "--cube-length", "2"]),
        own
    );
    // A file replaces them.
    let replaced = ("\"x < 1000000\"".to_owned(), "null".to_owned());
    assert_eq!(abstraction("marked-file", &marked, &["--predicates", "p.txt"]), replaced);
    let faulty = marked.replace("predicate x > 0", "predicate x > ");
    let ran = with("marked-faulty", &faulty, "", &["check", "m.pml", "--engine", "abstract"]);
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.err.contains("m.pml:6:"), "{}", ran.err);
    let other = ["check", "-q", "m.pml", "--engine", "pdr", "--precision", "cartesian"];
    assert!(with("marked-refused", &marked, "", &other).err.contains("for --engine abstract"));
}

/// Processes of one type have one template: a predicate about one of them is one about each.
#[test]
fn a_predicate_about_a_process_is_one_about_all_of_its_type() {
    let model = "int next, serving;
active [3] proctype client() { int mine; do :: next - serving < 3 -> atomic { mine = next; next++ }; serving++ od }
";
    let ran = with(
        "template",
        model,
        "client[1]:mine == serving\n",
        &["abstract", "m.pml", "--predicates", "p.txt"],
    );
    assert_eq!(ran.exit, 0, "{}", ran.err);
    for process in ["0:client:mine", "1:client:mine", "2:client:mine"] {
        let is_about = |line: &&str| line.starts_with("bool p") && line.contains(process);
        assert_eq!(ran.out.lines().filter(is_about).count(), 1, "{process}\n{}", ran.out);
    }
}

#[test]
fn a_semantic_slice_is_shown_beside_the_syntactic_one() {
    // The second assignment keeps the sign of x, which the syntactic slice cannot see.
    let model = "int x = 1, unread;
active proctype P() {
	do
	:: x == 5 -> x = 1
	:: x > 5 -> unread = unread + 1;
		x = 6
	od
}
active proctype Monitor() { end: do :: assert(x > 0) od }
";
    let ran = with("slice", model, "", &["slice", "-q", "m.pml", "--semantic", "--for", "assertions"]);
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""), "{}", ran.out);
    let rows: Vec<&str> =
        ran.out.lines().filter(|line| line.contains("tactic:") || line.contains("mantic:")).collect();
    assert!(rows.iter().any(|row| row.contains("removed, changes no relevant condition")), "{}", ran.out);
    assert!(rows.iter().any(|row| row.contains("syntactic: removed")), "{}", ran.out);
    let statement = ["slice", "-q", "m.pml", "--semantic", "--for", "m.pml:4"];
    assert_eq!(with("slice-statement", model, "", &statement).exit, 2);
}

/// Holzmann, *Software Model Checking*, section 6, table 1: `x` is replaced by whether it is negative.
#[test]
fn a_table_for_a_formula_is_table_1_of_the_notes() {
    let folder = folder("abstraction-table");
    let program = "void a(void);\nvoid f(void)\n{\n\tint x, other = 3;\n\tx = 0;\n\tx++;\n\tother = other + 1;\n\tif (x > 5)\n\t\ta();\n}\n";
    fs::write(folder.join("x.c"), program).expect("a program");
    let formula = "[] (x < 0 -> <> (x >= 0))";
    let made = run(&folder, &["extract", "-a", "f", "x.c", "--for", formula], "");
    assert_eq!(made.exit, 0, "{}", made.err);
    assert!(made.err.contains("the formula is [] (f:neg_x -> <> (!f:neg_x))"), "{}", made.err);
    let table = fs::read_to_string(folder.join("f.lut")).expect("a table");
    for row in [
        "A: x=0\tkeep\texact",
        "E: x++\tkeep\tover",
        "C: (x>5)\tkeep\tover",
        "C: !(x>5)\tkeep\tover",
        "A: other=(other+1)\thide",
    ] {
        assert!(table.lines().any(|line| line == row), "{row}\n{table}");
    }
    let process = fs::read_to_string(folder.join("f.spn")).expect("a process");
    let bare: String = process.split("/*").map(|part| part.rsplit("*/").next().unwrap_or(part)).collect();
    let bare: String = bare.chars().filter(|letter| !letter.is_whitespace()).collect();
    let expected =
        "neg_x=false;if::(neg_x==false)::else->if::neg_x=true::neg_x=falsefi;fi;if::(neg_x==false)->";
    assert!(bare.contains(expected), "{bare}");
    // A table is never replaced.
    assert_eq!(run(&folder, &["extract", "-a", "f", "x.c", "--for", formula], "").exit, 2);
    let unknown = run(&folder, &["extract", "-a", "f", "x.c", "--for", "[] z", "--out", "o"], "");
    assert_eq!(unknown.exit, 2);
    assert!(unknown.err.contains("there are"), "{}", unknown.err);
}

/// A value from which a result has another class than those near the bounds: the domain contains the numbers
/// of the program, and a row that the domain does not show gives any class.
#[test]
fn no_row_of_a_derived_table_lacks_a_class() {
    let folder = folder("abstraction-classes");
    let program = "void f(void)\n{\n\tint x = 1;\n\tx = x - 100;\n\tx = x * x;\n\tx = 7 - x;\n\tif (x == 50)\n\t\tx = 0;\n}\n";
    fs::write(folder.join("x.c"), program).expect("a program");
    let made = run(&folder, &["extract", "-a", "f", "x.c", "--for", "[] (x >= 0)"], "");
    assert_eq!(made.exit, 0, "{}", made.err);
    let table = fs::read_to_string(folder.join("f.lut")).expect("a table");
    // `x - 100` leads from both classes to both; a square is never negative.
    assert!(table.contains("else -> nondet"), "{table}");
    assert!(table.contains("A: x=0\tkeep\texact"), "{table}");
    let formula = ["check", "-q", "x.c", "--table", "f.lut", "--ltl", "[] (!f:neg_x)"];
    let ran = run(&folder, &formula, "");
    assert_ne!(ran.exit, 0, "the program makes x negative: {}", ran.out);
}

/// A project of which the rows are derived: they follow the program, and rows that a person wrote are kept.
#[test]
fn rows_of_a_project_are_derived() {
    let folder = folder("abstraction-derived");
    let program = "int mode;\nint pumped;\n\nint main(void)\n{\n\tmode = 1;\n\twhile (pumped < 3) {\n\t\tmode = 2;\n\t\tpumped = pumped + 1;\n\t\tmode = 3;\n\t}\n\tmode = 0;\n\treturn 0;\n}\n";
    let manifest =
        "name = \"tank\"\n[sources]\nc = [\"tank.c\"]\ntables = [\"main.lut\"]\nderive = \"mode >= 0\"\n";
    let property = "+++\nname = \"safe\"\nformula = \"[] !neg_mode\"\n+++\n\nNever negative.\n";
    fs::create_dir_all(folder.join("properties")).expect("a folder");
    for (path, text) in [
        ("tank.c", program),
        ("axle.toml", manifest),
        ("properties/safe.md", property),
        ("main.lut", "# Rows by hand come here.\n"),
    ] {
        fs::write(folder.join(path), text).expect("a file");
    }
    let answer = |expected: &str| {
        let ran = run(&folder, &["run"], "");
        let line = ran.out.lines().find(|line| line.contains("safe@any")).unwrap_or_default();
        assert!(line.contains(expected), "{expected}: {}{}", ran.out, ran.err);
    };
    answer("holds");
    assert_eq!(fs::read_to_string(folder.join("main.lut")).expect("a table"), "# Rows by hand come here.\n");
    // The rows are those of the present program.
    fs::write(folder.join("tank.c"), program.replace("mode = 2", "mode = -2")).expect("a program");
    answer("violated");
    // The row that a person wrote is kept: it hides the assignment, and says so.
    fs::write(folder.join("main.lut"), "A: mode=-2\thide\n").expect("a table");
    answer("unknown");
    fs::write(folder.join("axle.toml"), manifest.replace("mode >= 0", "missing > 0")).expect("a manifest");
    let ran = run(&folder, &["run"], "");
    assert_eq!(ran.exit, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("`derive` determines no rows of `main.lut`"), "{}", ran.err);
}

/// C programs with 32-bit data that a table keeps whole (`tests/abstraction`).
#[test]
fn c_programs_are_decided_through_their_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/abstraction");
    let files = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name());
    let mut programs: Vec<String> = files.map(|name| name.to_string_lossy().into_owned()).collect();
    programs.retain(|name| name.ends_with(".c"));
    programs.sort();
    assert!(programs.len() >= 10, "{programs:?}");
    for program in &programs {
        let arguments =
            ["check", "-q", program, "--table", "keep.lut", "--engine", "abstract", "--only", "assertions"];
        let ran = run(&folder, &[&arguments[..], &["--time", "60s", "--trace", "none"]].concat(), "");
        let expected = i32::from(program.ends_with("_fault.c"));
        assert_eq!(ran.exit, expected, "{program}: {} {}", ran.out, ran.err);
    }
}

/// An attempt without an answer says how far it came: while it runs, and in its report.
#[test]
fn an_open_attempt_shows_its_iterations_and_the_missing_predicate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../abstract/tests/models");
    let ran = run(&folder, &["check", "ring.pml", "--engine", "abstract", "--time", "4s"], "");
    assert_eq!(ran.exit, 3, "{} {}", ran.out, ran.err);
    let shown = ran.err.lines().find(|line| line.contains(": iteration "));
    assert!(shown.is_some_and(|line| line.contains(" predicates, ")), "{}", ran.err);
    let ran = run(&folder, &["check", "-q", "ring.pml", "--engine", "abstract", "--memory", "8M"], "");
    assert_eq!(ran.exit, 3, "{} {}", ran.out, ran.err);
    for text in ["abstraction: ", "spurious counterexample", "missing: "] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
    // Which counterexample was the last one depends on where memory ends.
    let reasons = ["cannot be executed: ", "its last state violates no property"];
    assert!(reasons.iter().any(|reason| ran.out.contains(reason)), "{}", ran.out);
}

#[test]
fn maps_are_proposed_with_their_conflicts() {
    let model = "int x = 1, y = 3; active proctype P() { do :: x = x * 3 + 2 :: y > 0 -> y = y - 1 od }
        active proctype Monitor() { end: do :: assert((x & 1) == 1) od }";
    let ran = with("proposals", model, "", &["abstract", "-q", "m.pml", "--propose-maps"]);
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.contains(&"x: parity: congruence"), "{}", ran.out);
    assert!(lines.iter().any(|line| line.starts_with("y: sign: no congruence: the states ")), "{}", ran.out);
    assert!(lines.iter().any(|line| line.starts_with("y: intervals 1: no congruence")), "{}", ran.out);
}
