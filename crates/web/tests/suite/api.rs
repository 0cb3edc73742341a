//! The data has the fields that `docs/reference/api.md` documents, and no others.

use std::collections::{BTreeMap, BTreeSet};

use axle_evidence::round::Interaction;
use axle_web::security::role::Role;
use serde_json::Value;

use crate::support::{Site, round as round_of};
use crate::workers::submit;

/// The fields of each form of the reference: the first column of its table.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/api.md");
    let text = std::fs::read_to_string(path).expect("the reference");
    let mut forms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut form = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            form = name.trim_matches('`').to_string();
        } else if line.starts_with("## ") {
            form.clear();
        } else if let Some(field) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            forms.entry(form.clone()).or_default().insert(field.to_string());
        }
    }
    forms
}

fn fields(value: &Value) -> BTreeSet<String> {
    value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

/// The fields that occur in any of the objects.
fn union(values: &Value) -> BTreeSet<String> {
    values.as_array().into_iter().flatten().flat_map(fields).collect()
}

#[test]
fn the_reference_lists_every_field() {
    let site = Site::full();
    let forms = documented();
    let get = |path: &str| -> Value {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        serde_json::from_str(&answer.text).expect("JSON")
    };
    let check = |form: &str, found: &BTreeSet<String>, optional: &[&str]| {
        let known = forms.get(form).unwrap_or_else(|| panic!("the reference has no form {form}"));
        let missing: Vec<_> = found.difference(known).collect();
        assert!(missing.is_empty(), "{form}: not documented: {missing:?}");
        let gone: Vec<_> = known.difference(found).filter(|one| !optional.contains(&one.as_str())).collect();
        assert!(gone.is_empty(), "{form}: documented and not sent: {gone:?}");
    };
    let project = get("/api/project");
    check("project", &fields(&project), &[]);
    check("state", &union(&project["states"]), &[]);
    let properties = get("/api/properties");
    check("properties", &fields(&properties), &[]);
    check("property", &fields(&get("/api/properties/closes")), &[]);
    let runs = properties["properties"]
        .as_array()
        .expect("properties")
        .iter()
        .flat_map(|one| one["runs"].as_array().cloned().unwrap_or_default());
    check("run", &union(&Value::Array(runs.collect())), &["changed", "vacuity", "disagreement"]);
    let rounds = get("/api/rounds");
    check("rounds", &fields(&rounds), &[]);
    check("round in a list", &union(&rounds["rounds"]), &[]);
    let round = get("/api/rounds/1");
    check("round", &fields(&round), &[]);
    check("run of a round", &union(&round["runs"]), &[]);
    let (number, run) = site
        .app
        .snapshot()
        .runs_of("never-crosses")
        .next()
        .and_then(|run| run.known.place)
        .expect("a verdict");
    check("sequence", &fields(&get(&format!("/api/rounds/{number}/runs/{run}/first"))), &[]);
    let compare = format!("/rounds/{number}/runs/{run}/first/compare");
    site.post(&compare, &[]);
    check("comparison", &fields(&get(&format!("/api{compare}"))), &[]);
    let analysis = get("/api/analysis");
    check("analysis", &fields(&analysis), &[]);
    check("cause", &union(&analysis["causes"]), &[]);
    let property = site.root().join("properties/fault.md");
    let text = std::fs::read_to_string(&property).expect("the property");
    std::fs::write(&property, text.replace("[] !crossing", "[] true")).expect("a change");
    round_of(&site.root(), &*site.app.database);
    check("turned run", &union(&get("/api/rounds/2/changes")["turned"]), &[]);
    submit(&site);
    let model = site.root().join("crossing.pml");
    let text = std::fs::read_to_string(&model).expect("the model");
    std::fs::write(&model, text.replacen("closed = true", "closed = true; skip", 1)).expect("a change");
    site.refresh();
    let changes = get("/api/changes");
    check("changes", &fields(&changes), &[]);
    check("file that differs", &union(&changes["files"]), &[]);
    check("line that differs", &union(&changes["files"][0]["hunks"][0]), &[]);
    check("affected property", &union(&changes["affected"]), &[]);
    let pair =
        Interaction { feature: "f".into(), with: "g".into(), holds: 1, violated: Vec::new(), unknown: 0 };
    check("interaction", &fields(&serde_json::to_value(pair).expect("plain data")), &[]);
    check("source", &fields(&get("/api/source/crossing.pml")), &[]);
    for (text, optional) in [("e a = x\\nt b = y", [].as_slice()), ("e", &[])] {
        let body = format!("{{\"timeline\":\"{text}\"}}");
        let answer = site.send_json(Role::Viewer, "/api/timeline", &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        let preview: Value = serde_json::from_str(&answer.text).expect("JSON");
        check("timeline", &fields(&preview), optional);
        if text == "e" {
            check("fault of a timeline", &union(&preview["faults"]), &[]);
        }
    }
}

#[test]
fn errors_are_data_too() {
    let site = Site::full();
    for (path, status) in [("/api/nothing", 404), ("/api/properties/nothing", 404), ("/api/rounds/99", 404)] {
        let answer = site.get(path);
        assert_eq!(answer.status, status);
        let value: Value = serde_json::from_str(&answer.text).expect("JSON");
        assert_eq!(value["error"]["status"], status);
        assert!(value["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
}

#[test]
fn a_hook_starts_a_round() {
    let site = Site::full();
    let answer = site.send_json(Role::Runner, "/api/rounds", "{\"properties\":[\"closes\"]}");
    assert_eq!(answer.status, 202, "{}", answer.text);
    assert_eq!(site.rounds.orders.lock().expect("no panic")[0].properties, ["closes"]);
}
