//! Results that a worker forges: each is refused, or remains marked with the machine that sent it and is
//! found when another machine decides the run again.

use std::sync::Arc;
use std::time::Duration;

use axle_feaver::execute::{Control, execute};
use axle_feaver::jobs::job::{JobState, RoundId};
use axle_feaver::jobs::task::{Step, Task};
use axle_feaver::prepare::{Selection, prepare};
use axle_feaver::project::{Limits, load};
use axle_feaver::results::ledger;
use axle_feaver::results::verdict::{Answer, Phase};
use axle_feaver::round::local::{LEASE, StoreSource};
use axle_feaver::round::source::WorkSource;
use axle_web::security::role::Role;
use serde_json::{Value, json};

use crate::support::{FULL, SECOND_WORKER, Site};
use crate::workers::{post, submit, submit_of};

/// A second property that is violated, in another way.
const NEVER_CLOSED: (&str, &str) = (
    "properties/second.md",
    "+++\nname = \"never-closed\"\nformula = \"[] !closed\"\n+++\n\nThe gate stays open.\n",
);

/// A property that is violated by executions without end.
const CROSSES: (&str, &str) =
    ("properties/third.md", "+++\nname = \"crosses\"\nformula = \"<> crossing\"\n+++\n\nA train crosses.\n");

fn site() -> Site {
    Site::of(&[FULL[0], NEVER_CLOSED, CROSSES], true)
}

/// What an honest worker finds in a cycle.
pub fn honest(site: &Site, property: &str, cycle: u8) -> Value {
    let selection = Selection { properties: vec![property.to_string()], ..Selection::default() };
    let prepared = prepare(load(&site.root()), &selection);
    let mut control = Control {
        elapsed: Arc::new(|| Duration::ZERO),
        cancelled: Arc::new(|| false),
        progress: Box::new(|_| {}),
    };
    let outcome = execute(&prepared.runs[0], cycle, &Limits::default(), &mut control);
    serde_json::to_value(outcome).expect("JSON")
}

pub fn lease(site: &Site, token: &str) -> Value {
    let answer = site.send_json_as(token, "/api/worker/lease", "{\"worker\":\"far\"}");
    let work: Value = serde_json::from_str(&answer.text).expect("JSON");
    work["work"].clone()
}

/// The trail of a result as JSON.
fn trail(outcome: &Value) -> Value {
    serde_json::from_str(outcome["witness"]["trail"].as_str().expect("a trail")).expect("JSON")
}

fn with_trail(outcome: &Value, trail: &Value) -> Value {
    let mut outcome = outcome.clone();
    outcome["witness"]["trail"] = json!(trail.to_string());
    outcome
}

/// An honest result with one field changed.
fn with(outcome: &Value, path: &[&str], value: Value) -> Value {
    let mut outcome = outcome.clone();
    let mut at = &mut outcome;
    for part in path {
        at = &mut at[*part];
    }
    *at = value;
    outcome
}

/// A trail that says that it is one of another property of another model.
fn relabelled(other: &Value, own: &Value) -> Value {
    let (own, mut forged) = (trail(own), trail(other));
    for field in ["fingerprint", "property", "fairness"] {
        forged[field] = own[field].clone();
    }
    forged
}

#[test]
fn a_forged_execution_is_refused() {
    let site = site();
    let own = honest(&site, "never-crosses", 0);
    let (second, cyclic) = (honest(&site, "never-closed", 0), honest(&site, "crosses", 0));
    assert_eq!((&own["verdict"], &second["verdict"]), (&json!("violated"), &json!("violated")));
    assert_eq!(cyclic["verdict"], "violated");
    let edited = |field: &str, value: Value| {
        let mut trail = trail(&own);
        trail[field] = value;
        with_trail(&own, &trail)
    };
    let path = trail(&own)["path"].as_array().expect("a path").clone();
    let attacks = [
        ("the execution of another property", with(&own, &["witness"], second["witness"].clone())),
        ("the same under the name of the property", with_trail(&own, &relabelled(&second, &own))),
        ("a cycle under the name of the property", with_trail(&own, &relabelled(&cyclic, &own))),
        ("a shorter path", edited("path", json!(path[..path.len() - 1]))),
        ("no path", edited("path", json!([]))),
        ("a step that does not exist", edited("path", json!([u32::MAX]))),
        ("standing still", edited("path", json!([null, null, null]))),
        ("a cycle that does not close", edited("cycle", json!(1))),
        ("a cycle longer than the path", edited("cycle", json!(1_000_000))),
        ("a negative cycle", edited("cycle", json!(-1))),
        ("another fingerprint", edited("fingerprint", json!("0"))),
        ("another property", edited("property", json!("safety"))),
        ("a fault that does not occur", edited("fault", json!("division-by-zero"))),
        ("an unknown fault", edited("fault", json!("<b>"))),
        ("an unknown field", edited("trusted", json!(true))),
        ("the trail of a program", edited("axle-trail", json!(3))),
        ("a trail of the future", edited("axle-trail", json!(99))),
        ("no trail", with(&own, &["witness", "trail"], json!(""))),
        ("a trail that is no trail", with(&own, &["witness", "trail"], json!("replayed: yes"))),
        ("a proof that contradicts itself", with(&own, &["verdict"], json!("holds"))),
        ("a violation of something else", {
            let other = with(&own, &["verdict"], json!("unknown"));
            with_trail(&other, &relabelled(&second, &own))
        }),
    ];
    for (name, outcome) in attacks {
        let (round, _, _) = submit(&site);
        let lease = lease(&site, "worker")["lease"].clone();
        let body = json!({ "lease": lease, "outcome": outcome });
        let (status, answer) = post(&site, "/api/worker/complete", &body);
        assert_eq!(status, 422, "{name}: {answer}");
        assert!(site.app.database.verdicts(round).expect("verdicts").is_empty(), "{name}");
        let jobs = site.app.database.round_jobs(round, None).expect("jobs");
        assert_eq!(
            (jobs[0].state, jobs[0].failures),
            (JobState::Waiting, 1),
            "{name}: the attempt has failed"
        );
        let event = site.app.database.round_changes(round, axle_feaver::jobs::job::EventId(0), 99);
        let event = event.expect("events").pop().expect("an event");
        assert!(
            event.detail.contains("far (token worker) for never-crosses@any was refused"),
            "{name}: {event:?}"
        );
        assert_eq!(post(&site, "/api/worker/complete", &body).0, 409, "{name}: the lease has ended");
        site.app.database.request_end(round, site.app.timestamp()).expect("the round ends");
    }
    let messages = site.messages.lock().expect("no panic").join("\n");
    assert!(messages.contains("was refused"), "{messages}");
}

#[test]
fn implausible_results_are_refused() {
    let site = site();
    let own = honest(&site, "never-crosses", 0);
    let (round, _, _) = submit(&site);
    let lease = lease(&site, "worker")["lease"].clone();
    let disagreement = json!({ "first": { "verdict": "holds", "cycle": 0, "states": 0 },
        "second": { "verdict": "holds", "cycle": 0, "states": 0 } });
    for (name, outcome) in [
        ("a failure that only the server declares", with(&own, &["failed"], json!(true))),
        ("a disagreement that only the server finds", with(&own, &["disagreement"], disagreement)),
        (
            "a certificate of no proof",
            with(&own, &["certificate"], json!({ "invariant": "axle-invariant 1", "model": "" })),
        ),
        (
            "engines that disagree on a verdict",
            with(
                &own,
                &["conflict"],
                json!({ "check": "assertions", "proved_by": "pdr", "refuted_by": "walks" }),
            ),
        ),
        ("negative time", with(&own, &["seconds"], json!(-1.0))),
        ("more than everything", with(&own, &["coverage", "states"], json!(7.0))),
        ("more states than there are", with(&own, &["coverage", "automaton_states"], json!([1, 2]))),
        (
            "more transitions than there are",
            with(&own, &["coverage", "automaton_transitions"], json!([1, 2])),
        ),
        ("a violation without an execution", with(&own, &["witness"], Value::Null)),
        ("another cycle", with(&own, &["cycle"], json!(7))),
        ("another run", with(&own, &["run"], json!("never-closed@any"))),
        ("another key", with(&own, &["key"], json!("0".repeat(64)))),
        ("an unknown verdict", with(&own, &["verdict"], json!("surely"))),
    ] {
        let body = json!({ "lease": lease, "outcome": outcome });
        let (status, answer) = post(&site, "/api/worker/complete", &body);
        assert_eq!(status, 422, "{name}: {answer}");
    }
    // Statistics beyond the largest number of the database.
    let body = json!({ "lease": lease, "outcome": with(&own, &["memory"], json!(u64::MAX)) });
    assert_eq!(post(&site, "/api/worker/complete", &body).0, 422);
    assert!(site.app.database.verdicts(round).expect("verdicts").is_empty());
}

#[test]
fn the_server_keeps_its_own_replay() {
    let site = site();
    for property in ["never-crosses", "never-closed", "crosses"] {
        let own = honest(&site, property, 0);
        let (round, _, _) = submit_of(&site, property);
        let lease = lease(&site, "worker")["lease"].clone();
        let mut lie = own.clone();
        lie["witness"]["violation"]["message"] = json!("a lie");
        lie["witness"]["violation"]["details"] = json!(["a lie"]);
        lie["witness"]["trace"]["steps"][0]["by"]["statement"] = json!("a lie");
        lie["witness"]["trace"]["ending"] = json!(["a lie"]);
        lie["machine"] = json!({ "name": "the server itself" });
        lie["texts"] = json!("a lie");
        let body = json!({ "lease": lease, "outcome": lie });
        let (status, answer) = post(&site, "/api/worker/complete", &body);
        assert_eq!(status, 200, "{answer}");
        assert_eq!(post(&site, "/api/worker/complete", &body).0, 200, "a repetition");
        let other = json!({ "lease": lease, "outcome": own });
        assert_eq!(post(&site, "/api/worker/complete", &other).0, 409, "another result of the same lease");
        let record = site.app.database.verdicts(round).expect("verdicts").pop().expect("a verdict");
        assert_eq!(record.verdict.answer, Answer::Violated);
        let machine = record.verdict.machine.clone().expect("a machine");
        assert_eq!((machine.name.as_str(), machine.token.as_deref()), ("far", Some("worker")));
        let kept =
            ledger::kept(&*site.app.database, &record, Phase::First).expect("a content").expect("a result");
        let stored = serde_json::to_value(&kept.outcome).expect("JSON");
        assert!(!stored.to_string().contains("a lie"), "{stored}");
        assert_eq!(stored["witness"]["trail"], own["witness"]["trail"], "{property}");
        assert_eq!(without_claim(&stored["witness"]["trace"]), without_claim(&own["witness"]["trace"]));
        for part in ["message", "property", "kind", "depth", "path"] {
            let (stored, own) = (&stored["witness"]["violation"][part], &own["witness"]["violation"][part]);
            assert_eq!(stored, own, "{property}: {part}");
        }
    }
}

/// A trace without the states of the automaton, which a trail does not contain.
fn without_claim(trace: &Value) -> Value {
    let mut trace = trace.clone();
    trace["start"]["claim"] = Value::Null;
    for step in trace["steps"].as_array_mut().expect("steps") {
        if step["observed"].is_object() {
            step["observed"]["claim"] = Value::Null;
        }
    }
    trace
}

#[test]
fn a_lease_belongs_to_its_token() {
    let site = site();
    let (round, _, _) = submit(&site);
    let lease = lease(&site, "worker")["lease"].clone();
    let send = |token: &str, path: &str, body: Value| {
        site.send_json_as(token, &format!("/api/worker/{path}"), &body.to_string()).status.as_u16()
    };
    let outcome = honest(&site, "never-crosses", 0);
    for (path, body) in [
        ("complete", json!({ "lease": lease, "outcome": outcome })),
        ("heartbeat", json!({ "lease": lease, "beat": { "progress": null, "seconds": 0.5 } })),
        ("fail", json!({ "lease": lease, "reason": "none" })),
        ("release", json!({ "lease": lease })),
    ] {
        assert_eq!(send(SECOND_WORKER, path, body.clone()), 409, "{path} with another token");
        for role in ["viewer", "runner", "editor"] {
            assert_eq!(send(role, path, body.clone()), 403, "{path} as {role}");
        }
    }
    let counts = site.app.database.counts(Some(round)).expect("counts");
    assert_eq!((counts.leased, counts.completed), (1, 0));
    assert_eq!(send("worker", "complete", json!({ "lease": lease, "outcome": outcome })), 200);
}

#[test]
fn an_execution_of_the_second_phase_is_shorter() {
    let site = site();
    let own = honest(&site, "never-crosses", 0);
    submit(&site);
    let work = lease(&site, "worker");
    let body = json!({ "lease": work["lease"], "outcome": own });
    assert_eq!(post(&site, "/api/worker/complete", &body).0, 200);
    let second = lease(&site, "worker");
    assert_eq!(second["task"], "0/second-0");
    let mut outcome = own.clone();
    outcome["witness"]["violation"]["depth"] = json!(1);
    let body = json!({ "lease": second["lease"], "outcome": outcome });
    let (status, answer) = post(&site, "/api/worker/complete", &body);
    assert_eq!(status, 422, "the same execution again: {answer}");
}

/// A worker says that a violated property holds.
fn forged_holds(site: &Site, recheck: f64) -> RoundId {
    let (round, _, _) = submit(site);
    site.app.database.set_recheck(round, recheck).expect("a round");
    let work = lease(site, "worker");
    let mut outcome = honest(site, "never-crosses", 0);
    outcome["verdict"] = json!("holds");
    outcome["witness"] = Value::Null;
    let (status, answer) =
        post(site, "/api/worker/complete", &json!({ "lease": work["lease"], "outcome": outcome }));
    assert_eq!(status, 200, "{answer}");
    round
}

#[test]
fn a_forged_proof_remains_marked() {
    let site = site();
    let round = forged_holds(&site, 0.0);
    site.refresh();
    let mark = "far (token worker)";
    for path in ["/properties/never-crosses".to_string(), format!("/rounds/{round}/runs/0")] {
        assert!(site.get(&path).text.contains(mark), "{path}");
    }
    for path in ["/api/properties/never-crosses".to_string(), format!("/api/rounds/{round}")] {
        let answer: Value = serde_json::from_str(&site.get(&path).text).expect("JSON");
        assert_eq!(answer["runs"][0]["machine"], json!({ "name": "far", "token": "worker" }), "{path}");
    }
    assert_eq!(lease(&site, SECOND_WORKER), Value::Null, "nothing is decided again unless it was asked for");
}

#[test]
fn a_forged_proof_is_found_by_another_machine() {
    let site = site();
    let round = forged_holds(&site, 1.0);
    assert_eq!(lease(&site, "worker"), Value::Null, "the machine does not check itself");
    let work = lease(&site, SECOND_WORKER);
    assert_eq!(work["task"], "0/recheck-0");
    let found = honest(&site, "never-crosses", 7);
    let body = json!({ "lease": work["lease"], "outcome": found }).to_string();
    assert_eq!(site.send_json_as(SECOND_WORKER, "/api/worker/complete", &body).status, 200);
    let record = site.app.database.verdicts(round).expect("verdicts").pop().expect("a verdict");
    assert_eq!(record.verdict.answer, Answer::Failed);
    site.refresh();
    for path in ["/", "/properties", "/tracker", "/machines"] {
        let page = site.get(path).text;
        assert!(page.contains("Two machines disagree on never-crosses@any"), "{path}");
        for part in ["far (token worker)", "far (token second-worker)", "holds", "is violated"] {
            assert!(page.contains(part), "{path}: {part}");
        }
    }
    let project: Value = serde_json::from_str(&site.get("/api/project").text).expect("JSON");
    assert_eq!(project["alarms"][0]["kind"], "disagreement");
    let property: Value =
        serde_json::from_str(&site.get("/api/properties/never-crosses").text).expect("JSON");
    let run = &property["runs"][0];
    assert_eq!(run["state"], "failed");
    assert_eq!(run["disagreement"]["first"]["verdict"], "holds");
    assert_eq!(run["disagreement"]["second"]["machine"]["token"], SECOND_WORKER);
    // The execution that contradicts the proof is shown.
    assert_eq!(site.get(&format!("/rounds/{round}/runs/0/first")).status, 200);
}

#[test]
fn an_honest_verdict_is_confirmed_without_an_alarm() {
    let site = site();
    let (round, _, _) = submit(&site);
    site.app.database.set_recheck(round, 1.0).expect("a round");
    let own = honest(&site, "never-crosses", 0);
    let work = lease(&site, "worker");
    let body = json!({ "lease": work["lease"], "outcome": own });
    assert_eq!(post(&site, "/api/worker/complete", &body).0, 200);
    // A process with access to the database decides again, too.
    let source = StoreSource::new(Arc::clone(&site.app.database), Some(round), LEASE);
    let mut rechecked = false;
    while let Some(work) = source.lease("local", Duration::ZERO).expect("the queue") {
        let is_recheck = matches!(work.task, Task { step: Step::Recheck { .. }, .. });
        rechecked |= is_recheck;
        match is_recheck {
            true => {
                let found = serde_json::from_value(honest(&site, "never-crosses", 7)).expect("a result");
                source.complete(work.lease, &found).expect("it is stored");
            }
            false => source.fail(work.lease, "not now").expect("it is stored"),
        }
    }
    assert!(rechecked);
    let record = site.app.database.verdicts(round).expect("verdicts").pop().expect("a verdict");
    assert_eq!(record.verdict.answer, Answer::Violated);
    site.refresh();
    assert!(!site.get("/").text.contains("disagree"));
}

#[test]
fn a_worker_reads_no_page() {
    let site = site();
    for path in ["/", "/api/project", "/events", "/api/rounds/1"] {
        let request = axum::http::Request::get(path)
            .header("host", crate::support::HOST)
            .header("authorization", format!("Bearer {}", crate::support::secret(Role::Worker.name())));
        let answer = site.send(request.body(axum::body::Body::empty()).expect("a request"));
        assert_eq!(answer.status, 403, "{path}");
    }
}

/// A C program with a property that holds and two that are violated, one of them by executions that end.
const PROGRAM: &[(&str, &str)] = &[
    ("axle.toml", "name = \"levels\"\n[sources]\nc = [\"main.c\"]\n"),
    (
        "main.c",
        "#include <pthread.h>\nint level;\nstatic void *rise(void *arg) { level = 1; level = 2; return arg; }\n\
         int main(void) {\n    pthread_t thread;\n    pthread_create(&thread, 0, rise, 0);\n    \
         pthread_join(thread, 0);\n    return 0;\n}\n",
    ),
    ("properties/low.md", "+++\nname = \"low\"\nformula = \"[] (level < 2)\"\n+++\n\nIt stays low.\n"),
    ("properties/high.md", "+++\nname = \"high\"\nformula = \"<> (level == 5)\"\n+++\n\nIt rises.\n"),
    (
        "properties/bounded.md",
        "+++\nname = \"bounded\"\nformula = \"[] (level < 3)\"\n+++\n\nIt is bounded.\n",
    ),
];

#[test]
fn a_forged_execution_of_a_program_is_refused() {
    let site = Site::of(PROGRAM, false);
    let [low, high] = ["low", "high"].map(|property| honest(&site, property, 7));
    assert_eq!((&low["verdict"], &high["verdict"]), (&json!("violated"), &json!("violated")), "{low} {high}");
    let bounded = honest(&site, "bounded", 7);
    assert_eq!(bounded["verdict"], "holds", "{bounded}");
    let forged = |own: &Value, kind: &str, fields: &[(&str, Value)]| {
        let mut trail = trail(own);
        trail["kind"] = json!(kind);
        for (field, value) in fields {
            trail[*field] = value.clone();
        }
        trail
    };
    // A claim that the bounded property is violated, with the executions of the others.
    let claim = |trail: &Value| {
        let mut outcome = bounded.clone();
        outcome["verdict"] = json!("violated");
        outcome["footprint"] = Value::Null;
        outcome["witness"] = low["witness"].clone();
        outcome["cycle"] = json!(0);
        with_trail(&outcome, trail)
    };
    let path = trail(&low)["path"].as_array().expect("a path").clone();
    let still: Vec<Value> = path.iter().cloned().chain([Value::Null]).collect();
    for (name, outcome) in [
        ("of another property", claim(&trail(&low))),
        ("under the name of the property", claim(&forged(&low, "bounded", &[]))),
        ("without end", claim(&forged(&high, "bounded", &[]))),
        ("without fairness, as an error", claim(&forged(&low, "assertion", &[("fairness", Value::Null)]))),
        ("shorter", claim(&forged(&low, "bounded", &[("path", json!(path[..1]))]))),
        ("of steps that do not exist", claim(&forged(&low, "bounded", &[("path", json!([99, 99]))]))),
        (
            "that stands still",
            claim(&forged(&low, "bounded", &[("path", json!(still)), ("cycle", json!(1))])),
        ),
        ("of another program", claim(&forged(&low, "bounded", &[("fingerprint", json!("0"))]))),
        ("with a cycle that is too long", claim(&forged(&low, "bounded", &[("cycle", json!(u32::MAX))]))),
    ] {
        let (round, _, _) = submit_of(&site, "bounded");
        let lease = lease(&site, "worker")["lease"].clone();
        let (status, answer) =
            post(&site, "/api/worker/complete", &json!({ "lease": lease, "outcome": outcome }));
        assert_eq!(status, 422, "an execution {name}: {answer}");
        assert!(site.app.database.verdicts(round).expect("verdicts").is_empty(), "{name}");
        site.app.database.request_end(round, site.app.timestamp()).expect("the round ends");
    }
    for (property, own) in [("low", &low), ("high", &high)] {
        let (round, _, _) = submit_of(&site, property);
        let lease = lease(&site, "worker")["lease"].clone();
        let mut outcome = with(own, &["cycle"], json!(0));
        outcome["witness"]["violation"]["message"] = json!("a lie");
        let (status, answer) =
            post(&site, "/api/worker/complete", &json!({ "lease": lease, "outcome": outcome }));
        assert_eq!(status, 200, "{property}: {answer}");
        let record = site.app.database.verdicts(round).expect("verdicts").pop().expect("a verdict");
        let kept =
            ledger::kept(&*site.app.database, &record, Phase::First).expect("a content").expect("a result");
        let stored = serde_json::to_value(&kept.outcome.witness).expect("JSON");
        assert_eq!(stored["violation"], own["witness"]["violation"], "{property}");
        assert_eq!(stored["trace"], own["witness"]["trace"], "{property}");
        site.app.database.request_end(round, site.app.timestamp()).expect("the round ends");
    }
}
