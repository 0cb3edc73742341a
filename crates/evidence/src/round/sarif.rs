//! The report of a round as SARIF: one run with a rule for each violated property and a result for
//! each violated run. A known fault is a suppressed result.
//!
//! *Entry point:* [`round_to_sarif`].
//! *Source:* OASIS Standard, "Static Analysis Results Interchange Format (SARIF)", version 2.1.0,
//! sections 3.27.16 (fingerprints) and 3.27.23 (suppressions).
//! *Invariant:* every `ruleId` is the `id` of a rule.

use serde_json::{Value, json};

use super::{Judgement, Round, RoundBroken, RoundProperty, RoundRun};
use crate::markdown::first_sentence;
use crate::report::Rule;
use crate::report::Verdict;
use crate::report::sarif::{described, document, result};

/// The round as SARIF text; `exit` is the exit code of the command.
pub fn round_to_sarif(round: &Round, exit: u8) -> Result<String, serde_json::Error> {
    let mut rules: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for property in &round.properties {
        let own: Vec<Value> = property.runs.iter().filter_map(|run| violated(property, run)).collect();
        if !own.is_empty() {
            rules.push(rule(property));
        }
        results.extend(own);
    }
    let undecided = round.runs().filter(|(_, run)| {
        matches!(
            run.judgement,
            Judgement::Unknown | Judgement::Internal | Judgement::FaultGone | Judgement::Vacuous
        )
    });
    let broken = round.broken.iter().flat_map(errors);
    let notifications: Vec<Value> = undecided.map(|(_, run)| notification(run)).chain(broken).collect();
    let successful = round.broken.is_empty()
        && round.runs().all(|(_, run)| !matches!(run.judgement, Judgement::Unknown | Judgement::Internal));
    document(vec![json!({
        "tool": { "driver": { "name": "axle", "version": round.version, "rules": rules } },
        "columnKind": "unicodeCodePoints",
        "automationDetails": { "id": format!("axle run/{}/", round.project) },
        "invocations": [{
            "executionSuccessful": successful,
            "exitCode": exit,
            "toolExecutionNotifications": notifications,
        }],
        "results": results,
    })])
}

fn rule(property: &RoundProperty) -> Value {
    let words = property.words.trim();
    let short = Some(first_sentence(words)).filter(|text| !text.is_empty());
    let mut help = format!("{}\n\n{}: {}", words, property.kind, property.statement);
    if let Some(requirement) = &property.requirement {
        help.push_str(&format!("\n\nRequirement: {}", requirement.name()));
    }
    let id = &property.name;
    described(
        id,
        Rule {
            name: pascal(id),
            short: short.unwrap_or_else(|| property.statement.clone()),
            help: help.trim().into(),
        },
    )
}

/// A violated run; a violation without a location belongs to the file of its property.
fn violated(property: &RoundProperty, run: &RoundRun) -> Option<Value> {
    let violation = run.violation.as_ref().filter(|_| run.verdict == Verdict::Violated)?;
    let mut value = result(&property.file, violation, run.trace.as_ref());
    value["ruleId"] = json!(property.name);
    let last = || run.trace.as_ref()?.steps.iter().rev().find_map(|step| step.by.place.as_ref());
    if let Some(place) = violation.place.is_none().then(last).flatten() {
        value["locations"] = json!([crate::report::sarif::physical(place)]);
    }
    value["partialFingerprints"] = json!({ "axleRun/v1": run.name });
    let properties = &mut value["properties"];
    properties["property"] = json!(property.name);
    properties["kind"] = json!(violation.kind);
    properties["run"] = json!(run.name);
    properties["constraint"] = json!(run.constraint);
    if let Some(feature) = &property.feature {
        properties["feature"] = json!(feature);
    }
    if let Some(requirement) = &property.requirement {
        properties["requirement"] = json!(requirement.name());
    }
    if run.judgement == Judgement::KnownFault {
        let justification = "the property is marked with `expected = \"violated\"`";
        value["suppressions"] =
            json!([{ "kind": "external", "status": "accepted", "justification": justification }]);
    }
    Some(value)
}

fn notification(run: &RoundRun) -> Value {
    let (level, id) = match run.judgement {
        Judgement::Internal => ("error", "internal-error"),
        Judgement::FaultGone => ("error", "fault-gone"),
        Judgement::Vacuous => ("warning", "vacuous"),
        _ => ("warning", "undecided"),
    };
    let reason = run.internal.as_deref().or(run.reason.as_deref());
    let reason = reason.or(run.vacuity.first().map(String::as_str)).unwrap_or(run.judgement.word());
    json!({
        "level": level,
        "descriptor": { "id": id },
        "message": { "text": format!("{}: {reason}", run.name) },
    })
}

/// The errors of a property that was not verified.
fn errors(property: &RoundBroken) -> impl Iterator<Item = Value> {
    property.errors.iter().map(|error| {
        let mut value = json!({
            "level": "error",
            "descriptor": { "id": "input-error" },
            "message": { "text": format!("{}: {}", property.name, error.message) },
        });
        if let Some(place) = &error.place {
            value["locations"] = json!([crate::report::sarif::physical(place)]);
        }
        value
    })
}

/// `dial-tone` as `DialTone`.
fn pascal(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    id.split(['-', '_']).filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ViolationReport;
    use crate::round::tests::{property, round, run};

    #[test]
    fn known_faults_are_suppressed_results() {
        let violated = |judgement| {
            let mut run = run("dial-tone", "plain", judgement);
            run.violation = Some(ViolationReport {
                property: "dial_tone".into(),
                kind: "formula".into(),
                message: "violated".into(),
                process: None,
                place: None,
                statement: None,
                depth: 1,
                count: 1,
                details: Vec::new(),
                path: Vec::new(),
                cycle: None,
                attempt: None,
                rows: Vec::new(),
            });
            run
        };
        let runs = vec![
            violated(Judgement::KnownFault),
            violated(Judgement::Failed),
            run("dial-tone", "any", Judgement::Unknown),
        ];
        let text = round_to_sarif(&round(vec![property("dial-tone", "basic", runs)]), 1).expect("JSON");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let run = &value["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["tool"]["driver"]["rules"][0]["name"], "DialTone");
        let results = run["results"].as_array().expect("results");
        assert_eq!(results.len(), 2);
        assert!(results[0]["suppressions"].is_array() && results[1]["suppressions"].is_null());
        assert!(results.iter().all(|one| one["ruleId"] == "dial-tone"));
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    }
}
