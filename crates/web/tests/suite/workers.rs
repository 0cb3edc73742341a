//! The queue over HTTP: what an honest worker does, and what a lying one cannot do.

use std::time::Duration;

use axle_feaver::jobs::job::{RoundId, Timestamp};
use axle_feaver::prepare::{Selection, prepare};
use axle_feaver::project::load;
use axle_feaver::results::key::Hash;
use axle_feaver::results::ledger;
use axle_feaver::results::verdict::NewRound;
use axle_feaver::round::follow_up::first_job;
use axle_feaver::round::inputs::Inputs;
use axle_feaver::round::payload::Payload;
use axle_web::security::role::Role;
use serde_json::{Value, json};

use crate::support::{BUILD, Site};

/// Submits the first job of the run of `never-crosses`, as the driver of a round does.
pub fn submit(site: &Site) -> (RoundId, Payload, Hash) {
    submit_of(site, "never-crosses")
}

/// Submits the first job of the first run of a property.
pub fn submit_of(site: &Site, property: &str) -> (RoundId, Payload, Hash) {
    let database = &site.app.database;
    let loaded = load(&site.root());
    let folder = loaded.project.as_ref().expect("a project").folder.clone();
    let prepared = prepare(loaded, &Selection { properties: vec![property.into()], ..Selection::default() });
    let run = &prepared.runs[0];
    let seen = folder.seen();
    let list = Inputs::of(&seen).bytes();
    let mut contents: Vec<&[u8]> = seen.files.values().map(|content| &**content).collect();
    contents.push(&list);
    database.store_contents(&contents).expect("the inputs are stored");
    let begun =
        NewRound { source_version: "x".into(), axle_version: BUILD.into(), budget: Duration::from_secs(60) };
    let round = database.begin_round(&begun, &[ledger::run_record(0, run)], Timestamp(1)).expect("a round");
    let payload = Payload {
        build: BUILD.into(),
        inputs: Hash::of(&list),
        property: run.property.clone(),
        constraint: run.constraint.clone(),
        key: run.key.clone(),
        first: None,
    };
    database.submit(&[first_job(round, 0, 0, 3, &payload)], Timestamp(2)).expect("a job");
    let content = Hash::of(&list);
    (round, payload, content)
}

pub fn post(site: &Site, path: &str, body: &Value) -> (u16, Value) {
    let answer = site.send_json(Role::Worker, path, &body.to_string());
    (answer.status.as_u16(), serde_json::from_str(&answer.text).unwrap_or(Value::Null))
}

fn outcome(payload: &Payload) -> Value {
    json!({
        "run": payload.name(), "key": payload.key.hash, "cycle": 0, "verdict": "unknown",
        "reason": "the time limit was reached", "next": 1, "states": 10, "transitions": 20, "memory": 30,
        "seconds": 1.0, "coverage": { "automaton_states": [2, 1], "automaton_transitions": [2, 1] }
    })
}

#[test]
fn a_worker_leases_reports_and_completes() {
    let site = Site::full();
    let (round, payload, list) = submit(&site);
    let (status, work) = post(&site, "/api/worker/lease", &json!({ "worker": "far", "wait": 0 }));
    assert_eq!(status, 200);
    assert_eq!(work["work"]["payload"]["property"], "never-crosses");
    let lease = work["work"]["lease"].clone();
    let input = site.send_json(Role::Worker, "/api/worker/lease", "{\"worker\":\"far\"}");
    assert!(input.text.contains("\"work\":null"), "the queue is empty: {}", input.text);
    let beat = json!({ "lease": lease, "beat": { "progress": null, "seconds": 0.5 } });
    let (status, advice) = post(&site, "/api/worker/heartbeat", &beat);
    assert_eq!((status, advice["advice"].as_str()), (200, Some("continue")));
    let inputs = read_input(&site, &list.to_string());
    assert!(inputs.contains("crossing.pml"), "{inputs}");
    let done = json!({ "lease": lease, "outcome": outcome(&payload) });
    assert_eq!(post(&site, "/api/worker/complete", &done).0, 200);
    assert_eq!(post(&site, "/api/worker/complete", &done).0, 200, "a repetition is answered alike");
    let counts = site.app.database.counts(Some(round)).expect("counts");
    assert_eq!((counts.completed, counts.waiting), (1, 1), "the next cycle waits");
}

#[test]
fn counts_of_any_size_reach_the_pages_exactly() {
    let site = Site::full();
    let (round, payload, _) = submit(&site);
    let lease = post(&site, "/api/worker/lease", &json!({ "worker": "far" })).1["work"]["lease"].clone();
    let states = "1000000000000000000000000000001";
    let mut outcome = outcome(&payload);
    outcome["states"] = json!(states);
    outcome["next"] = Value::Null;
    let done = json!({ "lease": lease, "outcome": outcome });
    assert_eq!(post(&site, "/api/worker/complete", &done).0, 200);
    let record = site.app.database.verdicts(round).expect("verdicts").pop().expect("a verdict");
    assert_eq!(record.verdict.statistics.states.to_string(), states);
    let page = site.get(&format!("/rounds/{}/runs/0", round.0)).text;
    assert!(page.contains("1,000,000,000,000,000,000,000,000,000,001"), "{page}");
    let answer = site.get(&format!("/api/rounds/{}", round.0)).text;
    let found: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(found["runs"][0]["states"], json!(states));
}

fn read_input(site: &Site, hash: &str) -> String {
    let request = axum::http::Request::get(format!("/api/worker/inputs/{hash}"))
        .header("host", crate::support::HOST)
        .header("authorization", format!("Bearer {}", crate::support::secret("worker")));
    let answer = site.send(request.body(axum::body::Body::empty()).expect("a request"));
    assert_eq!(answer.status, 200);
    answer.text
}

#[test]
fn a_lying_worker_changes_nothing() {
    let site = Site::full();
    let (round, payload, _) = submit(&site);
    let lease = post(&site, "/api/worker/lease", &json!({ "worker": "liar" })).1["work"]["lease"].clone();
    let with = |field: &str, value: Value| {
        let mut outcome = outcome(&payload);
        outcome[field] = value;
        json!({ "lease": lease, "outcome": outcome })
    };
    for (lie, expected) in [
        (with("key", json!("0".repeat(64))), 422),
        (with("run", json!("safety@any")), 422),
        (with("cycle", json!(7)), 422),
        (with("verdict", json!("violated")), 422),
        (with("verdict", json!("certainly")), 422),
        (json!({ "lease": { "job": lease["job"], "attempt": 2 }, "outcome": outcome(&payload) }), 409),
        (json!({ "lease": { "job": 9999, "attempt": 1 }, "outcome": outcome(&payload) }), 409),
    ] {
        let (status, answer) = post(&site, "/api/worker/complete", &lie);
        assert_eq!(status, expected, "{lie}: {answer}");
    }
    let counts = site.app.database.counts(Some(round)).expect("counts");
    assert_eq!((counts.leased, counts.completed), (1, 0));
    assert!(site.app.database.verdicts(round).expect("verdicts").is_empty());
    assert_eq!(post(&site, "/api/worker/release", &json!({ "lease": lease })).0, 200);
    let late = json!({ "lease": lease, "outcome": outcome(&payload) });
    assert_eq!(post(&site, "/api/worker/complete", &late).0, 409, "a released lease completes nothing");
}

#[test]
fn the_board_shows_the_worker() {
    let site = Site::full();
    submit(&site);
    post(&site, "/api/worker/lease", &json!({ "worker": "<far> & away" }));
    axle_web::observer::refresh(&site.app).expect("the history can be read");
    let page = site.get("/machines").text;
    assert!(page.contains("&#60;far&#62; &#38; away") || page.contains("&lt;far&gt; &amp; away"), "{page}");
    assert!(page.contains("machine is-preparing") && page.contains("cycle 0"), "{page}");
}

#[test]
fn the_board_shows_the_workers_of_a_search() {
    let site = Site::full();
    submit(&site);
    let lease = post(&site, "/api/worker/lease", &json!({ "worker": "big" })).1["work"]["lease"].clone();
    let workers = json!([
        { "shards": 2048, "states": 3_000_000, "memory": 9 << 20 },
        { "shards": 2048, "states": 3_100_000, "memory": 10 << 20 },
    ]);
    let progress = json!({ "states": 6_100_000, "expanded": 0, "transitions": 0, "depth": 9, "violations": 0,
        "memory": 19 << 20, "workers": workers });
    let beat = json!({ "lease": lease, "beat": { "progress": progress, "seconds": 10.0 } });
    assert_eq!(post(&site, "/api/worker/heartbeat", &beat).0, 200);
    axle_web::observer::refresh(&site.app).expect("the history can be read");
    let page = site.get("/machines").text;
    for text in ["2,048", "3,000,000", "300,000", "9.0 MiB", "310,000", "10.0 MiB"] {
        assert!(page.contains(&format!("<td class=\"number\">{text}</td>")), "{text}: {page}");
    }
    let data: Value = serde_json::from_str(&site.get("/api/machines").text).expect("JSON");
    let expected = json!({ "shards": 2048, "states": 3_000_000, "rate": 300_000, "memory": 9 << 20 });
    assert_eq!(data["workers"][0]["search"][0], expected);
}
