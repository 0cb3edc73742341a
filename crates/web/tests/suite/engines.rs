//! The page of a run names the engine that answered, with its proof; engines that disagree are an alarm.

use serde_json::{Value, json};

use crate::forged::{honest, lease};
use crate::support::{FULL, Site};
use crate::workers::{post, submit};

const INVARIANT: &str = "axle-invariant 1\ndepth 1\ndistinct no\nproperty assertion:0:3\n\
                         state count 16 unsigned 0\nstate closed 1 unsigned 0\n\
                         clause count.15=0\nclause closed.0=1 count.0=0\nend\n";

/// A site whose run has the honest result with these fields, and the page of the run.
fn answered(fields: &Value) -> (Site, String) {
    let site = Site::of(&[FULL[0]], true);
    let (round, _, _) = submit(&site);
    let work = lease(&site, "worker");
    let mut outcome = honest(&site, "never-crosses", 0);
    outcome["witness"] = Value::Null;
    for (name, value) in fields.as_object().expect("fields") {
        outcome[name] = value.clone();
    }
    let (status, answer) =
        post(&site, "/api/worker/complete", &json!({ "lease": work["lease"], "outcome": outcome }));
    assert_eq!(status, 200, "{answer}");
    site.refresh();
    (site, format!("/rounds/{round}/runs/0"))
}

#[test]
fn a_proof_has_its_engine_its_invariant_and_a_certificate() {
    let (site, run) = answered(&json!({
        "verdict": "holds",
        "engine": "pdr",
        "proof": "invariant of 2 clauses, checked",
        "certificate": { "invariant": INVARIANT, "model": "model <m>" },
    }));
    let page = site.get(&run).text;
    for part in [
        "property-directed reachability",
        "invariant of 2 clauses",
        "count &#60; 32768",
        "axle verify-certificate",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let certificate = site.get(&format!("{run}/certificate"));
    assert_eq!(certificate.status, 200);
    assert_eq!(certificate.text, INVARIANT);
    let model = site.get(&format!("{run}/certificate/model"));
    assert_eq!(model.status, 200);
    assert_eq!(model.text, "model <m>");
}

#[test]
fn an_abstraction_shows_predicates_and_spurious_counterexamples() {
    let (site, run) = answered(&json!({
        "verdict": "holds",
        "engine": "abstract",
        "abstraction": {
            "predicates": [{ "text": "given < 3", "given": true }, { "text": "taken == given", "given": false }],
            "iterations": 2, "states": 7, "queries": 40, "cached": 3,
            "invariant": [{ "condition": "given < 3", "places": ["store at 4"] }],
            "spurious": [{ "steps": 5, "infeasible": 3, "statement": "given++", "missing": ["taken == given"] }],
        },
    }));
    let page = site.get(&run).text;
    for part in [
        "given &#60; 3",
        "taken == given",
        "7 abstract states after 2 abstractions",
        "store at 4",
        "step 3 cannot",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(site.get(&format!("{run}/certificate")).status, 404);
}

#[test]
fn engines_that_disagree_are_an_alarm_on_every_page() {
    let (site, run) = answered(&json!({
        "verdict": "unknown",
        "internal": "engines disagree",
        "conflict": { "check": "assertions", "proved_by": "pdr", "refuted_by": "walks" },
    }));
    for path in ["/", "/properties", run.as_str()] {
        let page = site.get(path).text;
        assert!(page.contains("Engines disagree on never-crosses@any"), "{path}");
        assert!(page.contains("walks found a violation of assertions, pdr proved"), "{path}");
    }
    let project: Value = serde_json::from_str(&site.get("/api/project").text).expect("JSON");
    assert_eq!(project["alarms"][0]["kind"], "engines");
}

#[test]
fn a_spurious_execution_is_called_so() {
    let site = Site::of(&[FULL[0]], true);
    let (round, _, _) = submit(&site);
    let work = lease(&site, "worker");
    let mut outcome = honest(&site, "never-crosses", 0);
    outcome["verdict"] = json!("unknown");
    outcome["cause"] = json!({ "kind": "spurious" });
    let (status, answer) =
        post(&site, "/api/worker/complete", &json!({ "lease": work["lease"], "outcome": outcome }));
    assert_eq!(status, 200, "{answer}");
    let page = site.get(&format!("/rounds/{round}/runs/0/first")).text;
    for part in ["This execution is spurious", "No row of the table adds behaviours"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(site.get(&format!("/rounds/{round}/runs/0")).text.contains("Spurious sequence"));
}
