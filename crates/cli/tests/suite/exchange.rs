//! The example of a telephone exchange: each seeded fault is found through the property that is meant
//! to find it; the correct version has no violation, no vacuous property and no uncovered requirement.
//!
//! The ordinary suite takes three faults and the properties of one feature. `AXLE_EXCHANGE=all` takes
//! all faults and all properties, and prints the figures of each.

use std::fs;
use std::path::PathBuf;

use crate::readable::default_view;
use crate::support::{Ran, copy_all, examples, folder, run};
use serde_json::Value;

/// The faults of the ordinary suite.
const SOME: [&str; 3] = ["FAULT_2", "FAULT_8", "FAULT_10"];

/// The most protocol steps of the median execution.
const MOST_STEPS: usize = 15;

fn whole() -> bool {
    std::env::var_os("AXLE_EXCHANGE").is_some_and(|value| value == "all")
}

/// A copy of the project, with a fault compiled in.
fn project(name: &str, fault: Option<&str>) -> PathBuf {
    let copy = folder(&format!("exchange-{name}"));
    copy_all(&examples().join("exchange"), &copy);
    if let Some(fault) = fault {
        let manifest = copy.join("axle.toml");
        let text = fs::read_to_string(&manifest).expect("the manifest");
        let changed =
            text.replace("define = [\"PROVISIONED\"]", &format!("define = [\"PROVISIONED\", \"{fault}\"]"));
        assert_ne!(text, changed, "the manifest defines macros");
        fs::write(&manifest, changed).expect("the manifest");
    }
    copy
}

/// The messages that an execution handles, up to the end or the end of the first cycle: `receive` in
/// src/queue.c takes each from the queue once. (A call of a function is a step, and the return from it
/// is another one.)
fn protocol_steps(witness: &Value) -> usize {
    let steps = witness["trace"]["steps"].as_array().expect("steps");
    steps.iter().filter(|step| step["by"]["statement"] == "struct message first = queue[0]").count()
}

/// The default view of an execution is short and says what happens, without names that Axle generates.
fn is_readable(text: &str, headline: &str) {
    let own = default_view(text, headline);
    let (head, rows) = own.split_once("\n\n").expect("a headline and rows");
    assert!(head.contains("step "), "the headline names a step: {head}");
    assert!(rows.contains("provisioning") && rows.contains("dispatch("), "{own}");
    assert!(rows.contains('['), "an event of the property is marked: {own}");
}

#[test]
fn every_fault_is_found_through_its_property() {
    let table = fs::read_to_string(examples().join("exchange/faults.tsv")).expect("the faults");
    let mut lengths = Vec::new();
    for row in table.lines().skip(1) {
        let [about, fault, property, constraint] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has four columns: {row}");
        };
        if !whole() && !SOME.contains(&fault) {
            continue;
        }
        let copy = project(fault, Some(fault));
        let Ran { exit, out, err } = run(&copy, &["run", "--quiet", "--json", "--property", property], "");
        assert_eq!(exit, 1, "{about}: {err}");
        let round: Value = serde_json::from_str(&out).expect("JSON");
        let own = (round["runs"].as_array().expect("runs").iter())
            .find(|run| run["constraint"] == constraint)
            .expect("the run of the fault");
        assert_eq!(own["verdict"], "violated", "{about}");
        let witness = if own["shortest"].is_object() { &own["shortest"] } else { &own["witness"] };
        let length = protocol_steps(witness);
        assert!(length > 0, "{about}: a violation without a message");
        println!(
            "{fault}  {property}@{constraint}  {:.1} s  {length} protocol steps",
            own["seconds"].as_f64().unwrap_or(0.0)
        );
        lengths.push(length);
        let text = run(&copy, &["run", "--quiet", "--property", property, "--trace", "calls"], "").out;
        is_readable(&text, &format!("{property}@{constraint}: "));
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MOST_STEPS, "the median execution has {median} protocol steps: {lengths:?}");
}

#[test]
fn the_correct_version_has_no_violation() {
    let copy = project("correct", None);
    let selection: &[&str] = if whole() { &[] } else { &["--feature", "hotline"] };
    let Ran { exit, out, err } =
        run(&copy, &[&["run", "--quiet", "--json", "--examples"][..], selection].concat(), "");
    assert_eq!(exit, 0, "{err}");
    let round: Value = serde_json::from_str(&out).expect("JSON");
    let runs = round["runs"].as_array().expect("runs");
    let mut seconds = 0.0;
    for run in runs {
        assert_eq!(run["verdict"], "holds", "{}", run["run"]);
        assert!(run["vacuity"].as_array().is_none_or(Vec::is_empty), "{} is vacuous", run["run"]);
        seconds += run["seconds"].as_f64().unwrap_or(0.0);
    }
    let uncovered: Vec<&Value> = (round["requirements"].as_array().into_iter().flatten())
        .flat_map(|document| document["sections"].as_array().into_iter().flatten())
        .filter(|section| section["uncovered"] == true)
        .collect();
    assert!(uncovered.is_empty(), "{uncovered:?}");
    let examples = round["examples"].as_object().map_or(0, serde_json::Map::len);
    let mut properties: Vec<&str> = runs.iter().filter_map(|run| run["property"].as_str()).collect();
    properties.dedup();
    println!(
        "{} runs, {} properties, {examples} examples, {seconds:.0} s of search",
        runs.len(),
        properties.len()
    );
    assert!(examples > 0);
    if whole() {
        assert!(runs.len() >= 100 && properties.len() >= 40, "{} runs", runs.len());
    }
    let Ran { exit, out, .. } = run(&copy, &["status"], "");
    assert!(out.contains("sections have properties") && (exit == 0 || !whole()), "{out}");
}

/// A property is verified under the chosen constraints only.
#[test]
fn one_property_is_verified_under_one_constraint() {
    let copy = project("one", None);
    let names = |arguments: &[&str]| -> Vec<String> {
        let Ran { out, err, .. } = run(&copy, &[&["run", "--quiet", "--json"][..], arguments].concat(), "");
        let round: Value = serde_json::from_str(&out).unwrap_or_else(|fault| panic!("{fault}: {out}{err}"));
        let runs = round["runs"].as_array().expect("runs").iter();
        runs.map(|run| format!("{}@{}", run["property"], run["constraint"]).replace('"', "")).collect()
    };
    let property = ["--property", "abandoned_call"];
    let one = names(&[&property[..], &["--constraint", "plain"]].concat());
    assert_eq!(one, ["abandoned_call@plain"]);
    for (constraint, message) in [
        ("plane", "the project has no constraint 'plane'"),
        ("only-hotline", "no selected property is verified under only-hotline"),
    ] {
        let arguments = ["run", "--quiet", "--property", "abandoned_call", "--constraint", constraint];
        let Ran { exit, err, .. } = run(&copy, &arguments, "");
        assert!(exit == 2 && err.contains(message), "{exit}: {err}");
    }
}

/// A change of one feature leaves the verdicts of runs in which its code is not executed.
#[test]
fn a_change_of_a_feature_affects_at_most_a_third_of_the_runs() {
    let copy = project("changed", None);
    let selection: &[&str] =
        if whole() { &[] } else { &["--feature", "hotline", "--feature", "do_not_disturb"] };
    let Ran { exit, err, .. } = run(&copy, &[&["run", "--quiet"][..], selection].concat(), "");
    assert_eq!(exit, 0, "{err}");
    let file = copy.join("src/call.c");
    let text = fs::read_to_string(&file).expect("a source");
    let old = "    else if (p == A && hotline)\n        place_call(p, B);\n";
    let new = "    else if (p == A && hotline) {\n        /* The number of the hotline is fixed. */\n        enum party callee = B;\n\n        place_call(p, callee);\n    }\n";
    assert_eq!(text.matches(old).count(), 1);
    fs::write(&file, text.replace(old, new)).expect("a source");
    let Ran { out, err, .. } = run(&copy, &["status"], "");
    let count = |word: &str| out.lines().filter(|line| line.split_whitespace().nth(1) == Some(word)).count();
    let (holds, changed) = (count("holds"), count("changed"));
    println!("{changed} of {} runs are changed", holds + changed);
    assert!(holds > 0 && changed > 0, "{out}{err}");
    if whole() {
        assert!(3 * changed <= holds + changed, "{changed} of {} runs", holds + changed);
    }
}
