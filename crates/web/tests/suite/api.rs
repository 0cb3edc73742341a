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
    let sequence = format!("/api/rounds/{number}/runs/{run}/first");
    check("itf", &fields(&get(&format!("{sequence}/itf"))), &["loop"]);
    let history = get("/api/properties/never-crosses/history");
    check("history", &fields(&history), &[]);
    check("verdict of the history", &union(&history["verdicts"]), &[]);
    let model = get("/api/model");
    check("model", &fields(&model), &[]);
    check("file of the model", &union(&model["files"]), &[]);
    let names = get("/api/names");
    check("names", &fields(&names), &[]);
    check("name", &union(&names["names"]), &[]);
    check("settings", &fields(&get("/api/settings")), &[]);
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

/// The OpenAPI document of the server.
fn document(site: &Site) -> Value {
    let answer = site.get("/api/openapi.json");
    assert_eq!(answer.status, 200, "{}", answer.text);
    serde_json::from_str(&answer.text).expect("JSON")
}

/// Where a value does not conform to a schema, with the reason. Keywords: `$ref`, `anyOf`, `type`,
/// `properties`, `required`, `additionalProperties`, `items`, `enum`.
fn nonconforming(value: &Value, schema: &Value, all: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        let own = &all["components"]["schemas"][name];
        assert!(own.is_object(), "{at}: there is no schema {name}");
        return nonconforming(value, own, all, at);
    }
    if let Some(options) = schema["anyOf"].as_array() {
        let faults: Vec<String> =
            options.iter().map_while(|one| nonconforming(value, one, all, at)).collect();
        return (faults.len() == options.len()).then(|| faults.join("; "));
    }
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{at}: unknown type {other}"),
    };
    let fits = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    if !fits {
        return Some(format!("{at}: {value} has not the type {}", schema["type"]));
    }
    if let (Some(properties), Some(object)) = (schema["properties"].as_object(), value.as_object()) {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            if !object.contains_key(name) {
                return Some(format!("{at}: {name} is missing"));
            }
        }
        for (name, own) in object {
            match properties.get(name) {
                Some(schema) => {
                    if let Some(fault) = nonconforming(own, schema, all, &format!("{at}.{name}")) {
                        return Some(fault);
                    }
                }
                None if schema["additionalProperties"] == false => {
                    return Some(format!("{at}: {name} is not described"));
                }
                None => {}
            }
        }
    }
    let items = value.as_array().filter(|_| schema["items"].is_object());
    items.into_iter().flatten().find_map(|one| nonconforming(one, &schema["items"], all, &format!("{at}[]")))
}

#[test]
fn the_openapi_document_has_the_requests_and_forms_of_the_reference() {
    let site = Site::full();
    let all = document(&site);
    let schemas = all["components"]["schemas"].as_object().expect("schemas");
    let name = |form: &str| {
        let words = form.split(' ').filter(|word| !word.is_empty());
        let capital = |word: &str| format!("{}{}", word[..1].to_uppercase(), &word[1..]);
        words
            .enumerate()
            .map(|(at, word)| if at == 0 { word.into() } else { capital(word) })
            .collect::<String>()
    };
    let forms = documented();
    let described: BTreeSet<String> =
        forms.keys().filter(|form| !form.is_empty()).map(|form| name(form)).collect();
    let given: BTreeSet<String> = schemas.keys().filter(|own| *own != "error").cloned().collect();
    assert_eq!(given, described, "the forms");
    for (form, fields) in forms.iter().filter(|(form, _)| !form.is_empty()) {
        let own: BTreeSet<String> =
            schemas[&name(form)]["properties"].as_object().expect("properties").keys().cloned().collect();
        assert_eq!(own, *fields, "{form}");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/api.md");
    let text = std::fs::read_to_string(path).expect("the reference");
    let rows = text.lines().skip_while(|line| *line != "## Requests");
    let rows = rows.take_while(|line| !line.starts_with("## Hook"));
    let parameter = |part: &str| match part.chars().all(|c| c.is_ascii_uppercase()) {
        true => format!("{{{}}}", part.to_lowercase()),
        false => part.to_string(),
    };
    let requests: BTreeSet<(String, String)> = rows
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next()?.split_once(' '))
        .map(|(method, path)| {
            let parts: Vec<String> = path
                .split('/')
                .map(|part| if part.is_empty() { String::new() } else { parameter(part) })
                .collect();
            (method.to_lowercase(), parts.join("/"))
        })
        .collect();
    let paths = all["paths"].as_object().expect("paths");
    let given: BTreeSet<(String, String)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().into_iter().flatten().map(|(method, _)| (method.clone(), path.clone()))
        })
        .collect();
    assert_eq!(given, requests, "the requests");
}

#[test]
fn answers_conform_to_the_openapi_document() {
    let site = Site::full();
    let all = document(&site);
    let place = site.app.snapshot().runs_of("never-crosses").next().and_then(|run| run.known.place);
    let (round, run) = place.expect("a verdict");
    let compare = format!("/rounds/{round}/runs/{run}/first/compare");
    site.post(&compare, &[]);
    let values = [
        ("{name}", "closes".to_string()),
        ("{round}", round.to_string()),
        ("{run}", run.to_string()),
        ("{phase}", "first".to_string()),
        ("{path}", "crossing.pml".to_string()),
    ];
    let mut checked = 0;
    for (path, methods) in all["paths"].as_object().expect("paths") {
        let schema = &methods["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        if !schema.is_object() {
            continue;
        }
        let address = values.iter().fold(path.clone(), |path, (name, value)| path.replace(name, value));
        let answer = site.get(&address);
        assert_eq!(answer.status, 200, "{address}: {}", answer.text);
        let value: Value = serde_json::from_str(&answer.text).expect("JSON");
        assert_eq!(nonconforming(&value, schema, &all, &address), None);
        checked += 1;
    }
    assert!(checked >= 12, "{checked} requests");
    let schema =
        &all["paths"]["/api/timeline"]["post"]["responses"]["200"]["content"]["application/json"]["schema"];
    let body = "{\"timeline\":\"e a = x\\nt b = y\"}";
    let answer = site.send_json(Role::Viewer, "/api/timeline", body);
    let value: Value = serde_json::from_str(&answer.text).expect("JSON");
    assert_eq!(nonconforming(&value, schema, &all, "timeline"), None);
    assert_eq!(
        (value["satisfying"].as_array().map(Vec::len), value["violating"].as_array().map(Vec::len)),
        (Some(3), Some(3))
    );
    let fault: Value = serde_json::from_str(&site.get("/api/nothing").text).expect("JSON");
    let schema = &all["components"]["schemas"]["error"];
    assert_eq!(nonconforming(&fault, schema, &all, "error"), None);
    // The comparison detects a wrong type, a missing field and an unknown one.
    let project = &all["components"]["schemas"]["state"];
    for wrong in [r#"{"state":1,"runs":1}"#, r#"{"state":"new"}"#, r#"{"state":"new","runs":1,"more":1}"#] {
        let value: Value = serde_json::from_str(wrong).expect("JSON");
        assert!(nonconforming(&value, project, &all, "state").is_some(), "{wrong}");
    }
}

#[test]
fn questions_and_constraints_are_checked() {
    let site = Site::full();
    let ask = |role, body: &str| site.send_json(role, "/api/diagnose", body);
    assert_eq!(ask(Role::Viewer, "{\"line\":\"crossing.pml:3\"}").status, 403);
    assert_eq!(ask(Role::Runner, "{}").status, 422);
    assert_eq!(ask(Role::Runner, "{\"line\":\"a:1\",\"constraint\":\"nothing\"}").status, 422);
    let answer = ask(Role::Runner, "{\"events\":\"crossing\"}");
    assert_eq!(answer.status, 200, "{}", answer.text);
    let start = |body: &str| site.send_json(Role::Runner, "/api/rounds", body).status;
    assert_eq!(start("{\"properties\":[\"closes\"],\"constraints\":[\"nothing\"]}"), 422);
    let constraint = site.app.snapshot().runs_of("closes").next().map(|run| run.constraint.clone());
    let constraint = constraint.expect("a run");
    assert_eq!(start(&format!("{{\"properties\":[\"closes\"],\"constraints\":[\"{constraint}\"]}}")), 202);
    assert_eq!(site.rounds.orders.lock().expect("no panic")[0].constraints, [constraint]);
}
