//! `axle diagnose --satisfying P --near latest` for every violated run of projects with all kinds of
//! properties: models, C programs and extracted models.
//!
//! The satisfying execution is judged without the checker: propositions of models are evaluated on the
//! values of the variables that the steps change, timelines by their definition on words
//! ([`axle_ltl::timeline::oracle`]).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use axle_ltl::lasso::{Lasso, satisfies};
use axle_ltl::timeline::{matched, oracle, parse};
use serde_json::Value;

use crate::support::{Ran, copy_all, examples, folder, run};

/// The project of `axle init` with trains that do not wait for the gate.
const CROSSING: &str = "approaching -> crossing";

/// Decides a proposition in a state, by the values of the variables and what the step says of it.
type Proposition<'a> = &'a dyn Fn(&str, &BTreeMap<String, i64>, &Value) -> bool;

/// Never claims, by their files.
const CLAIMS: [(&str, &str); 3] = [
    (
        "open-for-ever",
        "never {\nT0: if :: true -> goto T0 :: crossing -> goto accept fi;\n\
         accept: if :: !closed -> goto accept fi\n}\n",
    ),
    ("passes-open", "never {\n  do :: !(crossing && !closed) :: crossing && !closed -> break od\n}\n"),
    ("asserted", "never {\n  do :: assert(!crossing || closed) od\n}\n"),
];

/// Timelines, by their files.
const TIMELINES: [(&str, &str); 4] = [
    (
        "all-marks",
        "e a = approaching && !closed\nr c = crossing && closed\nx open = !closed\nt gone = !approaching\n\
         bar {!crossing} from a to c\nbar {approaching || closed} from c to gone\n",
    ),
    ("forbidden", "e a = approaching\nx open = crossing && !closed\n"),
    ("flagged", "e a = approaching && has_sensor\nt passes = crossing && closed\n"),
    ("closes", "e approaching = approaching && !closed\nt closed\n"),
];

/// Properties of the crossing: name, statement, further lines, and the meaning of a never claim.
const PROPERTIES: [(&str, &str, &str, &str); 15] = [
    ("claim-live", "never", "open-for-ever", "!(<> (crossing && X [] !closed))"),
    ("claim-weak", "never", "open-for-ever\nfairness = \"weak\"", "!(<> (crossing && X [] !closed))"),
    ("claim-end", "never", "passes-open\nconstraints = [\"with-sensor\"]", "[] !(crossing && !closed)"),
    ("claim-assertion", "never", "asserted", "[] (!crossing || closed)"),
    ("live", "formula", "[] <> crossing", ""),
    ("live-weak", "formula", "[] <> crossing\nfairness = \"weak\"", ""),
    ("live-strong", "formula", "[] <> crossing\nfairness = \"strong\"", ""),
    ("safe", "formula", "[] !(crossing && !closed)", ""),
    ("flag", "formula", "[] (has_sensor -> !crossing)", ""),
    ("next", "formula", "[] (approaching -> X closed)", ""),
    ("all-marks", "timeline", "all-marks", ""),
    ("all-marks-fixed", "timeline", "all-marks\nconstraints = [\"with-sensor\"]", ""),
    ("forbidden", "timeline", "forbidden", ""),
    ("flagged", "timeline", "flagged", ""),
    ("impossible", "formula", "<> (closed && !closed)", ""),
];

/// Executes `axle run`, and returns the violated runs.
fn violated(project: &Path, more: &[&str]) -> Vec<Value> {
    let Ran { exit, out, err } = run(project, &[&["run", "--quiet", "--json"][..], more].concat(), "");
    assert_eq!(exit, 1, "{err}");
    let round: Value = serde_json::from_str(&out).expect("JSON");
    let runs = round["runs"].as_array().expect("runs").iter();
    runs.filter(|run| run["verdict"] == "violated").cloned().collect()
}

fn text<'v>(run: &'v Value, key: &str) -> &'v str {
    run[key].as_str().unwrap_or_else(|| panic!("{key} of {run}"))
}

/// The nearest satisfying execution of a violated run; none if no execution satisfies the property.
fn nearest(project: &Path, run_: &Value) -> Option<Value> {
    let (name, property) = (text(run_, "run"), text(run_, "property"));
    let arguments = ["diagnose", ".", "--satisfying", property, "--constraint", text(run_, "constraint")];
    let Ran { exit, out, err } =
        run(project, &[&arguments[..], &["--near", "latest", "--json", "--quiet"]].concat(), "");
    let answer: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{name}: {exit} {err}"));
    if exit == 1 && answer["satisfiable"] == false {
        return None;
    }
    assert_eq!(exit, 0, "{name}: {err}");
    // The common steps are those of the violating execution, and the next one is not.
    let witness = if run_["shortest"].is_object() { &run_["shortest"] } else { &run_["witness"] };
    let (one, other) = (steps(&witness["trace"]), steps(&answer["example"]["trace"]));
    let common = answer["nearest"]["common_steps"].as_u64().expect("a number") as usize;
    let at = common.min(one.len()).min(other.len());
    assert_eq!(one[..at], other[..at], "{name}");
    if common < one.len() && common < other.len() {
        assert_ne!(one[common], other[common], "{name}");
    }
    Some(answer)
}

/// The steps of an execution: which process does what, with its effects.
fn steps(trace: &Value) -> Vec<Vec<(Value, Value, Value)>> {
    let mut steps: Vec<Vec<_>> = Vec::new();
    for step in trace["steps"].as_array().expect("steps") {
        let own = (step["by"]["pid"].clone(), step["by"]["statement"].clone(), step["changes"].clone());
        match step["step"].as_u64() == Some(steps.len() as u64) {
            true => steps.last_mut().expect("a step").push(own),
            false => steps.push(vec![own]),
        }
    }
    steps
}

/// The valuations of propositions along an execution, from the end of the provisioning on. `holds`
/// decides a proposition in a state.
fn word(
    trace: &Value,
    atoms: &[String],
    holds: Proposition<'_>,
    is_provisioned: &dyn Fn(&BTreeMap<String, i64>, &Value) -> bool,
) -> Lasso {
    let mut values: BTreeMap<String, i64> = BTreeMap::new();
    let mut letters = Vec::new();
    let mut cycle = None;
    let mut see = |values: &BTreeMap<String, i64>, observed: &Value, step: u64| {
        let bits = atoms.iter().enumerate();
        let bits = bits.fold(0, |bits, (at, atom)| bits | u64::from(holds(atom, values, observed)) << at);
        if trace["cycle"].as_u64().is_some_and(|first| step < first) {
            cycle = Some(letters.len());
        }
        letters.push((bits, is_provisioned(values, observed)));
    };
    see(&values, &trace["start"], 0);
    for step in trace["steps"].as_array().expect("steps") {
        for change in step["changes"].as_array().into_iter().flatten() {
            // A variable that goes away has no new value.
            let value = match change["new"].as_str() {
                Some("true") => 1,
                Some("false") | None => 0,
                Some(number) => number.parse().unwrap_or(0),
            };
            values.insert(change["name"].as_str().expect("a name").to_string(), value);
        }
        if !step["observed"].is_null() {
            see(&values, &step["observed"], step["step"].as_u64().expect("a number"));
        }
    }
    let skipped = letters.iter().position(|(_, is_provisioned)| *is_provisioned).unwrap_or(letters.len());
    // The state behind a cycle is that before it; an execution without cycle repeats its last state.
    let last = letters.len() - 1;
    let (first, end) = cycle.map_or((last, last + 1), |first| (first, last));
    assert!(skipped <= first, "the provisioning is not part of the cycle");
    let bits = |range: std::ops::Range<usize>| letters[range].iter().map(|(bits, _)| *bits).collect();
    Lasso { prefix: bits(skipped..first), cycle: bits(first..end) }
}

/// A proposition of the crossing: variables that are not zero, with `!`, `&&`, `||` and parentheses.
fn by_values(atom: &str, values: &BTreeMap<String, i64>) -> bool {
    let known = ["approaching", "crossing", "closed", "has_sensor"];
    let holds = |part: &str| by_values(part, values);
    let atom = atom.trim();
    if let Some((one, other)) = atom.split_once("||").filter(|(one, _)| !one.contains('(')) {
        return holds(one) || holds(other);
    }
    if let Some((one, other)) = atom.split_once("&&").filter(|(one, _)| !one.contains('(')) {
        return holds(one) && holds(other);
    }
    if let Some(rest) = atom.strip_prefix('!') {
        return !holds(rest);
    }
    if let Some(inner) = atom.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return holds(inner);
    }
    assert!(known.contains(&atom), "an unknown proposition: {atom}");
    values.get(atom).copied().unwrap_or(0) != 0
}

/// A proposition of a program, by its text.
fn by_text(atom: &str, _: &BTreeMap<String, i64>, observed: &Value) -> bool {
    observed["holds"].as_array().into_iter().flatten().any(|text| text == atom)
}

/// Expects that an execution satisfies a timeline, and that its marks occur where the answer says so.
fn expect_timeline(name: &str, answer: &Value, text: &str, word: impl Fn(&[String]) -> Lasso) {
    let line = parse(text).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
    let word = word(&line.atoms);
    assert!(!oracle::violates(&line, &word), "{name}: {word:?}");
    let has_premise = answer["nearest"]["premise"].as_bool();
    assert_eq!(Some(satisfies(&word, &matched(&line))), has_premise, "{name}: {word:?}");
}

fn crossing() -> PathBuf {
    let project = folder("nearest-crossing");
    assert_eq!(run(&project, &["init", "."], "").exit, 0);
    let model = fs::read_to_string(project.join("crossing.pml")).expect("the model");
    let changed = model.replace("approaching && closed -> crossing", CROSSING);
    assert_ne!(model, changed);
    fs::write(project.join("crossing.pml"), changed).expect("the model");
    for (name, claim) in CLAIMS {
        fs::write(project.join(format!("properties/{name}.pml")), claim).expect("a file");
    }
    for (name, line) in TIMELINES {
        fs::write(project.join(format!("timelines/{name}.tl")), line).expect("a file");
    }
    for (name, kind, stated, _) in PROPERTIES {
        let (stated, more) = stated.split_once('\n').unwrap_or((stated, ""));
        let file = match kind {
            "never" => format!("{stated}.pml"),
            "timeline" => format!("{stated}.tl"),
            _ => stated.to_string(),
        };
        let text = format!("+++\nname = \"{name}\"\n{kind} = \"{file}\"\n{more}\n+++\n\nA property.\n");
        fs::write(project.join(format!("properties/{name}.md")), text).expect("a file");
    }
    project
}

#[test]
fn a_satisfying_execution_of_every_kind_of_property_is_found() {
    let project = crossing();
    let runs = violated(&project, &[]);
    let (mut seen, mut unsatisfiable) = (Vec::new(), Vec::new());
    for run in &runs {
        let (name, property) = (text(run, "run"), text(run, "property"));
        let Some(answer) = nearest(&project, run) else {
            unsatisfiable.push(property.to_string());
            continue;
        };
        let trace = &answer["example"]["trace"];
        let has_choice = trace["steps"].to_string().contains("\"provisioned\"");
        let is_provisioned =
            |values: &BTreeMap<String, i64>, _: &Value| !has_choice || values.get("provisioned") == Some(&1);
        let word = |atoms: &[String]| {
            word(trace, atoms, &|atom, values, _| by_values(atom, values), &is_provisioned)
        };
        let own = PROPERTIES.iter().find(|(name, ..)| *name == property);
        match own {
            Some((_, "timeline", file, _)) => {
                let file = file.split('\n').next().unwrap_or(file);
                let line = TIMELINES.iter().find(|(name, _)| *name == file).expect("its timeline").1;
                expect_timeline(name, &answer, line, word);
            }
            Some((_, kind, stated, meaning)) => {
                let formula = if *kind == "never" { meaning } else { stated };
                let formula = formula.split('\n').next().unwrap_or(formula);
                let parsed = axle_ltl::parse(formula).expect("a formula");
                let word = word(&parsed.atoms);
                assert!(satisfies(&word, &parsed.formula), "{name}: {word:?}");
            }
            None if property == "closes" => expect_timeline(name, &answer, TIMELINES[3].1, word),
            None => assert_eq!(property, "closed-while-crossing"),
        }
        seen.push(property.to_string());
    }
    assert_eq!(unsatisfiable, ["impossible"]);
    assert_eq!(seen.len() + 1, PROPERTIES.len() + 2, "{seen:?}");
}

/// The trail of one run is no trail of another one, and a name that is no property has no run.
#[test]
fn a_request_without_an_answer_has_a_reason() {
    let project = folder("nearest-refused");
    assert_eq!(run(&project, &["init", "."], "").exit, 0);
    let near =
        |property: &str| run(&project, &["diagnose", ".", "--satisfying", property, "--near", "latest"], "");
    for (property, problem) in [
        ("closes", "no recorded round has a violating execution of closes@with-sensor"),
        ("safety", "no recorded round has a violating execution of safety@any"),
    ] {
        let Ran { exit, err, .. } = near(property);
        assert!(exit == 2 && err.contains(problem), "{property}: {exit} {err}");
    }
}

/// Without `--constraint`, the first run with a violating execution counts.
#[test]
fn the_run_with_a_violating_execution_is_taken() {
    let project = folder("nearest-constraint");
    fs::create_dir_all(project.join("properties")).expect("a folder");
    let manifest = "name = \"two\"\n\n[sources]\nc = [\"m.c\"]\n\n[flags]\nfast = \"fast\"\n\n\
                    [constraints]\nslow = \"!fast\"\nquick = \"fast\"\n";
    fs::write(project.join("axle.toml"), manifest).expect("a file");
    let program = "extern unsigned char __VERIFIER_nondet_uchar(void);\nint fast, level;\nint main(void)\n\
                   {\n    level = __VERIFIER_nondet_uchar() % 2;\n    level += fast;\n    return 0;\n}\n";
    fs::write(project.join("m.c"), program).expect("a file");
    let property = "+++\nname = \"low\"\nformula = \"[] (level < 2)\"\nconstraints = [\"slow\", \"quick\"]\n\
                    +++\n\nThe level is low.\n";
    fs::write(project.join("properties/low.md"), property).expect("a file");
    assert_eq!(run(&project, &["run", "--quiet"], "").exit, 1);
    let Ran { exit, out, err } =
        run(&project, &["diagnose", ".", "--satisfying", "low", "--near", "latest"], "");
    assert!(exit == 0 && out.starts_with("low@quick satisfies [] (level < 2)\n"), "{exit} {out}{err}");
}

/// Judges the satisfying executions of the timelines of a C program. Steps of a transition that shows no
/// statement are not in a trace, so the propositions of a call may be missing: `is_complete` is false for
/// programs with such transitions, whose words are not judged.
fn judge_program(project: &Path, runs: &[Value], is_complete: bool) -> usize {
    let mut judged = 0;
    for run in runs {
        let (name, property) = (text(run, "run"), text(run, "property"));
        let answer = nearest(project, run).unwrap_or_else(|| panic!("{name} has no satisfying execution"));
        assert!(!text(&answer["example"], "shows").contains("axle_"), "{name}");
        judged += 1;
        if !is_complete {
            continue;
        }
        let stated = fs::read_dir(project.join("properties")).expect("the properties").flatten();
        let stated = stated.filter_map(|file| fs::read_to_string(file.path()).ok());
        let stated = stated.into_iter().find(|text| text.contains(&format!("name = \"{property}\"")));
        let stated = stated.expect("its file");
        let value = |key: &str| {
            let line = stated.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_prefix("= "));
            line.map(|value| value.trim_matches('"').to_string())
        };
        let trace = &answer["example"]["trace"];
        let observes = trace.to_string().contains("\"axle_provisioned\"");
        let is_provisioned = |_: &BTreeMap<String, i64>, observed: &Value| {
            !observes || by_text("axle_provisioned", &BTreeMap::new(), observed)
        };
        let word = |atoms: &[String]| word(trace, atoms, &by_text, &is_provisioned);
        match value("timeline") {
            Some(file) => {
                let line = fs::read_to_string(project.join("timelines").join(file)).expect("its timeline");
                expect_timeline(name, &answer, &line, word);
            }
            None => {
                let parsed = axle_ltl::parse(&value("formula").expect("a formula")).expect("a formula");
                assert!(satisfies(&word(&parsed.atoms), &parsed.formula), "{name}");
            }
        }
    }
    judged
}

#[test]
fn satisfying_executions_of_the_address_server_are_found() {
    let project = folder("nearest-lease");
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/nearest/lease"), &project);
    assert_eq!(judge_program(&project, &violated(&project, &[]), true), 3);
}

/// The faults of the exchange, each with the property that it violates. `AXLE_EXCHANGE=all` takes all faults.
#[test]
fn satisfying_executions_of_the_exchange_are_found() {
    let whole = std::env::var_os("AXLE_EXCHANGE").is_some_and(|value| value == "all");
    let faults = if whole { 1..=12 } else { 1..=1 };
    let table = fs::read_to_string(examples().join("exchange/faults.tsv")).expect("the table of faults");
    for fault in faults {
        let define = format!("FAULT_{fault}");
        let row = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let row = row.into_iter().find(|row| row.get(1) == Some(&&*define)).expect("a row of the fault");
        let selection = ["--property", row[2]];
        let project = folder(&format!("nearest-exchange-{fault}"));
        copy_all(&examples().join("exchange"), &project);
        let manifest = fs::read_to_string(project.join("axle.toml")).expect("the manifest");
        let faulty = manifest
            .replace("define = [\"PROVISIONED\"]", &format!("define = [\"PROVISIONED\", \"FAULT_{fault}\"]"));
        assert_ne!(manifest, faulty);
        fs::write(project.join("axle.toml"), faulty).expect("the manifest");
        let judged = judge_program(&project, &violated(&project, &selection), false);
        println!("FAULT_{fault}: {judged} satisfying executions");
        assert!(judged > 0);
    }
}

#[test]
fn satisfying_executions_of_extracted_models_are_found() {
    let project = folder("nearest-extracted");
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../feaver/tests/projects/publish"), &project);
    fs::create_dir_all(project.join("timelines")).expect("a folder");
    fs::write(project.join("timelines/late.tl"), "e begins = value == 0 && !ready\nt late = value == 7\n")
        .expect("a file");
    for (name, stated) in
        [("late", "timeline = \"late.tl\""), ("at-once", "formula = \"[] (value == 42 -> X ready)\"")]
    {
        let property = format!("+++\nname = \"{name}\"\n{stated}\n+++\n\nA value follows.\n");
        fs::write(project.join(format!("properties/{name}.md")), property).expect("a file");
    }
    let mut reported = Vec::new();
    for run in violated(&project, &[]) {
        let answer = nearest(&project, &run);
        reported.push((text(&run, "property").to_string(), answer.is_some()));
    }
    reported.sort();
    // In every execution the value is published, and it is 42.
    let expected = [("at-once", true), ("late", false), ("never-ready", false)];
    assert_eq!(reported, expected.map(|(name, is_found)| (name.to_string(), is_found)));
}
