//! A green or empty answer of a project is never false: errors of the software are results of their own,
//! formulas that demand nothing are reported, and so is everything that the project does not check.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, folder, run};

/// The controller of a water tank with an access outside of an array.
const TANK: &str = "extern _Bool __VERIFIER_nondet_bool(void);
int has_alarm;
int level;
int pump;
int alarm;
static void control(void)
{
    if (has_alarm) {
        alarm = level >= 3;
        if (alarm)
            return;
    }
    if (level >= 3)
        { int a[2]; pump = a[5]; }
    else if (level == 0)
        pump = 1;
}
int main(void)
{
    for (;;) {
        if (pump && level < 4)
            level++;
        if (level > 0 && __VERIFIER_nondet_bool())
            level--;
        control();
    }
}
";

/// A program in which `state` is 0 to 2, and `feature` is never set.
const STATES: &str = "extern _Bool __VERIFIER_nondet_bool(void);
int feature; int state; int out;
int main(void) {
    for (;;) {
        if (feature && state == 0) out = 1;
        state = state == 2 ? 0 : state + 1;
        if (__VERIFIER_nondet_bool()) out = 0;
    }
}
";

/// A project of one source file. Properties are name and front matter.
fn project(name: &str, (file, text): (&str, &str), manifest: &str, properties: &[(&str, &str)]) -> PathBuf {
    let root = folder(&format!("truth-{name}"));
    fs::create_dir(root.join("properties")).expect("a folder");
    for (name, front) in properties {
        let text = format!("+++\nname = \"{name}\"\n{front}\n+++\n\nWords.\n");
        fs::write(root.join(format!("properties/{name}.md")), text).expect("a property");
    }
    fs::write(root.join(file), text).expect("a source");
    let language = if file.ends_with(".c") { "c" } else { "promela" };
    let manifest = format!("name = \"truth\"\n[sources]\n{language} = [\"{file}\"]\n{manifest}");
    fs::write(root.join("axle.toml"), manifest).expect("a manifest");
    root
}

/// The runs of a round by name, and the exit code.
fn round(root: &Path) -> (i32, Vec<Value>) {
    let Ran { exit, out, err } = run(root, &["run", "--quiet", "--json", "--workers", "1"], "");
    let round: Value = serde_json::from_str(&out).unwrap_or_else(|fault| panic!("{fault}: {out}{err}"));
    (exit, round["runs"].as_array().expect("runs").clone())
}

fn of<'a>(runs: &'a [Value], name: &str) -> &'a Value {
    runs.iter().find(|run| run["run"] == name).unwrap_or_else(|| panic!("no run {name}: {runs:?}"))
}

const FLAG: &str =
    "[flags]\nalarm = \"has_alarm\"\n[constraints]\nplain = \"!alarm\"\nwith-alarm = \"alarm\"\n";

#[test]
fn an_error_of_the_program_is_a_row_with_its_execution() {
    let both = "constraints = [\"plain\", \"with-alarm\"]\n";
    let property = format!("formula = \"[] (level < 5)\"\n{both}");
    let root = project("tank", ("tank.c", TANK), FLAG, &[("no-overflow", &property)]);
    let reports = ["--junit", "r.xml", "--sarif", "r.sarif", "--html", "r.html"];
    let Ran { exit, out, err } =
        run(&root, &[&["run", "--quiet", "--trace", "short"][..], &reports].concat(), "");
    assert_eq!(exit, 1, "{out}{err}");
    let error = "out of bounds: read of 4 bytes at offset 20 of `control::a` (8 bytes)";
    assert!(out.contains(&format!("\nsafety@any: {error}\n")), "{out}");
    assert!(out.contains("pump = a[5]"), "the execution is printed: {out}");
    assert!(
        out.contains(&format!(
            "an error of the program ends some executions: {error} at tank.c:14; see `safety`"
        )),
        "{out}"
    );
    let line = |start: &str| out.lines().find(|line| line.starts_with(start)).expect("a row").to_string();
    assert!(line("no-overflow@plain").contains("unknown"), "{out}");
    assert!(line("no-overflow@with-alarm").contains("holds"), "{out}");
    assert!(line("safety@any").contains("violated"), "{out}");

    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a report");
    assert!(read("r.xml").contains("<testcase classname=\"safety\" name=\"safety@any\""));
    assert!(read("r.html").contains("id=\"run-safety@any\""));
    let sarif: Value = serde_json::from_str(&read("r.sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 1, "an undecided run is no result: {results:?}");
    assert_eq!(results[0]["ruleId"], "safety");

    // The database has the verdict, with its execution.
    let Ran { exit, out, .. } = run(&root, &["status"], "");
    assert_eq!(exit, 1, "{out}");
    assert!(out.contains("safety@any") && out.contains("1 violated"), "{out}");
    let (exit, runs) = round(&root);
    assert_eq!((exit, of(&runs, "safety@any")["verdict"].as_str()), (1, Some("violated")));
    assert!(of(&runs, "safety@any")["witness"]["trail"].as_str().is_some_and(|trail| !trail.is_empty()));
    assert!(of(&runs, "no-overflow@plain")["witness"].is_null());

    // Part of the whole program is what the key depends on.
    fs::write(root.join("tank.c"), TANK.replace("a[5]", "a[1] = 0")).expect("a source");
    let Ran { exit, out, .. } = run(&root, &["status"], "");
    assert_eq!(exit, 3, "{out}");
    assert!(out.contains("violated before a change of: program"), "{out}");
    let Ran { exit, out, .. } = run(&root, &["run", "--quiet"], "");
    assert_eq!(exit, 0, "{out}");
}

/// Each kind of error, in a program or a model whose property holds in all executions before it.
#[test]
fn every_kind_of_error_violates_safety() {
    let threads = "#include <pthread.h>\nint x;\n";
    let cases: Vec<(&str, &str, String)> = vec![
        (
            "overflow",
            "t.c",
            "#include <limits.h>\nint x;\nint main(void) { int y = INT_MAX; x = 1; y += x; return y; }\n"
                .into(),
        ),
        (
            "assertion",
            "t.c",
            "#include <assert.h>\nint x;\nint main(void) { x = 3; assert(x == 4); return 0; }\n".into(),
        ),
        ("uninitialised", "t.c", "int x;\nint main(void) { int y; x = 1; if (y) x = 2; return 0; }\n".into()),
        (
            "deadlock",
            "t.c",
            format!(
                "{threads}pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             int main(void) {{ pthread_mutex_lock(&m); x = 1; pthread_mutex_lock(&m); return 0; }}\n"
            ),
        ),
        (
            "data race",
            "t.c",
            format!(
                "{threads}void *work(void *p) {{ x++; return 0; }}\n\
             int main(void) {{ pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);\n\
             for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }}\n"
            ),
        ),
        ("assertion of a model", "m.pml", "byte x;\nactive proctype p() { x = 1; assert(x == 2) }\n".into()),
        (
            "invalid end state",
            "m.pml",
            "byte x; chan c = [0] of { byte };\nactive proctype p() { x = 1; c!1 }\n".into(),
        ),
        ("index", "m.pml", "byte x; byte a[3];\nactive proctype p() { x = 3; a[x] = 1 }\n".into()),
        (
            "formula of the model",
            "m.pml",
            "byte x;\nactive proctype p() { x = 5 }\nltl own { [] (x < 5) }\n".into(),
        ),
    ];
    for (kind, file, text) in cases {
        let name = format!("kind-{}", kind.replace(' ', "-"));
        let root = project(&name, (file, &text), "", &[("small", "formula = \"[] (x < 9)\"")]);
        let (exit, runs) = round(&root);
        let safety = of(&runs, "safety@any");
        assert_eq!((exit, &safety["verdict"]), (1, &Value::from("violated")), "{kind}: {safety}");
        assert!(!safety["witness"]["trace"]["steps"].as_array().expect("steps").is_empty(), "{kind}");
        let small = of(&runs, "small@any");
        assert_ne!(small["verdict"], "violated", "{kind}: {small}");
    }
}

/// An index of a proposition that is out of bounds is an error of the property.
#[test]
fn a_proposition_that_cannot_be_evaluated_violates_its_property() {
    let model = "byte n; byte a[3];\nactive proctype p() { n = 1; n = 5 }\n";
    let root = project("proposition", ("m.pml", model), "", &[("small", "formula = \"[] (a[n] < 9)\"")]);
    let (exit, runs) = round(&root);
    let small = of(&runs, "small@any");
    assert_eq!((exit, &small["verdict"]), (1, &Value::from("violated")), "{small}");
    assert_eq!(small["witness"]["violation"]["message"], "array index out of bounds, in `a[n] < 9` of small");
}

#[test]
fn the_manifest_sets_the_checks_of_the_software() {
    let property = [("small", "formula = \"[] (level < 5)\"")];
    let changed = |name: &str, safety: &str| {
        let root = project(name, ("tank.c", TANK), &format!("{FLAG}{safety}"), &property);
        let Ran { exit, out, err } = run(&root, &["run"], "");
        (root, exit, out + &err)
    };
    let (root, exit, text) = changed("off", "[safety]\nchecks = []\n");
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("the software itself is not checked") && !text.contains("safety@"), "{text}");
    assert!(text.contains("the project does not check memory"), "{text}");
    let Ran { out, .. } = run(&root, &["status"], "");
    assert!(out.contains("the software itself is not checked"), "{out}");

    let (_, exit, text) = changed("others", "[safety]\nchecks = [\"arithmetic\", \"data-races\"]\n");
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("the project does not check memory"), "{text}");

    let (_, exit, text) = changed("known", "[safety]\nexpected = \"violated\"\n");
    assert_eq!(exit, 3, "the property is undecided: {text}");
    assert!(text.contains("known fault"), "{text}");

    // Without the fault of `plain`, the mark has to go.
    let more = "[safety]\nexpected = \"violated\"\nconstraints = [\"with-alarm\"]\n";
    let (_, exit, text) = changed("gone", more);
    assert_eq!(exit, 1, "{text}");
    assert!(text.contains("safety holds, but is expected to be violated"), "{text}");
    assert!(text.contains("safety@with-alarm"), "{text}");

    let (_, exit, text) = changed("unknown", "[safety]\nchecks = [\"memry\"]\n");
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("there is no check `memry`") && text.contains("did you mean `memory`?"), "{text}");
    let (_, exit, text) = changed("leaks", "[safety]\nchecks = [\"leaks\"]\n");
    assert_eq!(exit, 2, "no execution shows a leak: {text}");

    let root = project("named", ("tank.c", TANK), "", &[("safety", "formula = \"[] (level < 5)\"")]);
    let Ran { exit, err, .. } = run(&root, &["run", "--quiet"], "");
    assert_eq!(exit, 2, "{err}");
    assert!(
        err.contains("properties/safety.md:2:8") && err.contains("is that of the check of the software"),
        "{err}"
    );
}

/// A livelock ends no execution, so a check of termination alone does not hold.
#[test]
fn an_endless_loop_does_not_terminate() {
    let text = "int x;\nint main(void) { for (;;) x = !x; }\n";
    let manifest = "[safety]\nchecks = [\"termination\"]\n";
    let root = project("endless", ("t.c", text), manifest, &[("small", "formula = \"[] (x < 9)\"")]);
    let (exit, runs) = round(&root);
    let safety = of(&runs, "safety@any");
    assert_eq!((exit, &safety["verdict"]), (3, &Value::from("unknown")), "{safety}");
}

#[test]
fn a_project_of_several_models_has_a_check_for_each() {
    let model = "byte x;\nactive proctype p() { x = 1; assert(x == 2) }\n";
    let root =
        project("models", ("m.pml", model), "", &[("small", "formula = \"[] (x < 9)\"\nmodel = \"m.pml\"")]);
    fs::write(root.join("n.pml"), model.replace("x == 2", "x == 1")).expect("a model");
    let manifest = "name = \"truth\"\n[sources]\npromela = [\"m.pml\", \"n.pml\"]\n";
    fs::write(root.join("axle.toml"), manifest).expect("a manifest");
    let (exit, runs) = round(&root);
    assert_eq!(exit, 1);
    assert_eq!(of(&runs, "safety-m@any")["verdict"], "violated");
    assert_eq!(of(&runs, "safety-n@any")["verdict"], "holds");
}

/// The warnings of a property.
fn warnings(runs: &[Value], name: &str) -> String {
    let list = of(runs, name)["vacuity"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; ")
}

#[test]
fn properties_of_programs_that_demand_nothing_are_vacuous() {
    let formula = |text: &str| format!("formula = \"{text}\"");
    let properties = [
        ("never", formula("[] (state == 7 -> <> out == 1)")),
        ("timeline", "timeline = \"b.tl\"".to_string()),
        ("excluded", "timeline = \"c.tl\"".to_string()),
        ("always", formula("[] (state < 3 -> <> state == 0)")),
        ("good", formula("[] (state == 1 -> <> state == 0)")),
    ];
    let properties: Vec<(&str, &str)> =
        properties.iter().map(|(name, front)| (*name, front.as_str())).collect();
    let root = project("vacuous", ("t.c", STATES), "", &properties);
    fs::create_dir(root.join("timelines")).expect("a folder");
    fs::write(root.join("timelines/b.tl"), "e seven = state == 7\nt out = out == 1\n").expect("a timeline");
    let excluded = "e one = state == 1\nt out = out == 1\nbar {state == 9} from one to out\n";
    fs::write(root.join("timelines/c.tl"), excluded).expect("a timeline");
    let (exit, runs) = round(&root);
    assert_eq!(exit, 3, "what demands nothing is undecided");
    for name in ["never", "timeline", "excluded"] {
        let run = of(&runs, &format!("{name}@any"));
        assert_eq!((&run["verdict"], &run["vacuous"]), (&Value::from("holds"), &Value::from(true)), "{run}");
    }
    assert!(warnings(&runs, "never@any").contains("antecedent `(state == 7)` is never true"), "{runs:?}");
    assert!(warnings(&runs, "timeline@any").contains("never leaves its initial state"), "{runs:?}");
    assert!(warnings(&runs, "excluded@any").contains("would still hold if"), "{runs:?}");
    assert_eq!(warnings(&runs, "always@any"), "antecedent `(state < 3)` is always true");
    assert!(of(&runs, "always@any")["vacuous"].is_null());
    assert_eq!(warnings(&runs, "good@any"), "");

    let args = ["run", "--quiet", "--html", "r.html", "--junit", "r.xml", "--sarif", "r.sarif"];
    let Ran { exit, out, .. } = run(&root, &args, "");
    assert_eq!(exit, 3, "carried over: {out}");
    assert!(out.contains("6 runs: 6 hold (3 vacuously)") && out.contains("is never true"), "{out}");
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a report");
    assert!(read("r.html").contains("⌀ vacuous"));
    assert!(read("r.xml").contains("errors=\"3\""), "{}", read("r.xml"));
    assert!(read("r.sarif").contains("\"vacuous\""));
    let Ran { exit, out, .. } = run(&root, &["status"], "");
    assert_eq!(exit, 3, "{out}");
    assert!(out.contains("6 holds (3 vacuously)") && out.contains("is never true"), "{out}");
}

/// The choice of a provisioning does not count as leaving the initial state, and a property may be
/// vacuous under one of its constraints.
#[test]
fn the_prologue_of_a_provisioning_is_not_counted() {
    let manifest = "[flags]\nfeature = \"feature\"\n[constraints]\non = \"feature\"\noff = \"!feature\"\n";
    let both = "constraints = [\"on\", \"off\"]";
    let never = format!("timeline = \"b.tl\"\n{both}");
    let some = format!("formula = \"[] (feature && state == 1 -> <> state == 0)\"\n{both}");
    let root = project("prologue", ("t.c", STATES), manifest, &[("never", &never), ("some", &some)]);
    let timeline = "e seven = feature && state == 7\nt out = out == 1\n";
    fs::write(root.join("properties/b.tl"), timeline).expect("a timeline");
    let (exit, runs) = round(&root);
    assert_eq!(exit, 3);
    for name in ["never@on", "never@off"] {
        assert!(warnings(&runs, name).contains("never leaves its initial state"), "{runs:?}");
    }
    assert!(warnings(&runs, "some@off").contains("is never true"), "{runs:?}");
    assert_eq!(warnings(&runs, "some@on"), "");
    fs::remove_file(root.join("properties/never.md")).expect("a property");
    fs::remove_file(root.join("properties/b.tl")).expect("a timeline");
    let (exit, _) = round(&root);
    assert_eq!(exit, 0, "the property demands something under one of its constraints");
}

/// The same for models: a property of a model under a provisioning.
#[test]
fn properties_of_models_that_demand_nothing_are_vacuous() {
    let model =
        "bool feature; byte n; bool out;\nactive proctype p() { do :: n < 3 -> n++ :: else -> n = 0 od }\n";
    let manifest = "[flags]\nfeature = \"feature\"\n";
    let property = [
        ("absent", "formula = \"[] (feature && n == 7 -> <> out)\""),
        ("good", "formula = \"[] (feature && n == 1 -> <> (n == 2))\""),
    ];
    let root = project("vacuous-model", ("m.pml", model), manifest, &property);
    let (exit, runs) = round(&root);
    assert_eq!(exit, 3);
    assert_eq!(of(&runs, "absent@any")["vacuous"], true, "{runs:?}");
    assert!(warnings(&runs, "absent@any").contains("never leaves its initial state"), "{runs:?}");
    assert_eq!(warnings(&runs, "good@any"), "");
}

#[test]
fn a_flag_that_the_program_writes_decides_nothing() {
    let text = TANK.replace("{ int a[2]; pump = a[5]; }", "pump = 0;");
    let text = text
        .replace("    for (;;) {\n        if (pump", "    has_alarm = 0;\n    for (;;) {\n        if (pump");
    let property = "formula = \"[] (level < 5)\"\nconstraints = [\"with-alarm\"]";
    let root = project(
        "flag",
        ("tank.c", &text),
        FLAG,
        &[("small", property), ("free", "formula = \"[] (level < 6)\"")],
    );
    let Ran { exit, out, err } = run(&root, &["run"], "");
    assert_eq!(exit, 3, "{out}{err}");
    assert!(
        err.contains("warning[W1004]: the program writes `has_alarm`, the variable of the flag `alarm`"),
        "{err}"
    );
    assert!(err.contains("tank.c:20:5") && err.contains("has_alarm = 0;"), "{err}");
    assert!(out.contains("holds, but the program writes `has_alarm`"), "{out}");
    let (_, runs) = round(&root);
    assert_eq!(of(&runs, "small@with-alarm")["verdict"], "unknown");
    assert_eq!(of(&runs, "free@any")["verdict"], "holds", "it is about every provisioning");
    let Ran { err, .. } = run(&root, &["status"], "");
    assert!(err.contains("W1004"), "{err}");

    // A write through a pointer may be one to another variable.
    let pointer =
        text.replace("has_alarm = 0;", "int *p = __VERIFIER_nondet_bool() ? &alarm : &has_alarm; *p = 0;");
    fs::write(root.join("tank.c"), pointer).expect("a source");
    let Ran { err, .. } = run(&root, &["status"], "");
    assert!(err.contains("the program may write `has_alarm` through a pointer"), "{err}");
}

#[test]
fn what_the_project_does_not_read_is_reported() {
    let text = TANK.replace("{ int a[2]; pump = a[5]; }", "pump = 0;");
    let root = project("unread", ("tank.c", &text), "", &[("small", "formula = \"[] (level < 5)\"")]);
    fs::create_dir(root.join("properties/more")).expect("a folder");
    fs::write(root.join("properties/old.markdown"), "+++\n").expect("a file");
    fs::write(root.join("properties/more/notes.txt"), "x").expect("a file");
    let Ran { exit, err, .. } = run(&root, &["run"], "");
    assert_eq!(exit, 0, "{err}");
    for path in ["properties/old.markdown", "properties/more/notes.txt"] {
        assert!(err.contains(&format!("warning[W1003]: `{path}` is not read")), "{err}");
    }
    fs::remove_dir_all(root.join("properties")).expect("a folder");
    let Ran { exit, out, err } = run(&root, &["run"], "");
    assert_eq!(exit, 0, "the software is checked: {out}{err}");
    assert!(err.contains("the project has no properties") && out.contains("safety@any"), "{out}{err}");
    let manifest = fs::read_to_string(root.join("axle.toml")).expect("a manifest");
    fs::write(root.join("axle.toml"), manifest + "[safety]\nchecks = []\n").expect("a manifest");
    let Ran { exit, err, .. } = run(&root, &["run"], "");
    assert_eq!(exit, 2, "{err}");
    assert!(err.contains("the project checks nothing"), "{err}");
}

/// A selection that contains nothing is no success.
#[test]
fn a_selection_without_properties_is_an_error() {
    let manifest = "[flags]\nalarm = \"has_alarm\"\n";
    let text = TANK.replace("{ int a[2]; pump = a[5]; }", "pump = 0;");
    let root =
        project("selection", ("tank.c", &text), manifest, &[("small", "formula = \"[] (level < 5)\"")]);
    let Ran { exit, err, .. } = run(&root, &["run", "--feature", "alarm"], "");
    assert_eq!(exit, 2, "{err}");
    assert!(err.contains("no property belongs to alarm"), "{err}");
}
