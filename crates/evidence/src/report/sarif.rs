//! Reports as SARIF, which editors and code hosts display beside the source: a run for each input,
//! a result for each violation, warning and input error, and a notification for each reason why a
//! check is undecided. A trace becomes a code flow (section 3.36).
//!
//! *Entry point:* [`to_sarif`]. *Source:* OASIS Standard, "Static Analysis Results Interchange
//! Format (SARIF)", version 2.1.0. *Invariant:* every `ruleId` is the `id` of a rule of the same
//! run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Entry, ErrorReport, PlaceReport, Report, Verdict, ViolationReport};
use crate::trace::{Trace, TraceStep};

/// The rule of input errors without a code.
const INPUT: &str = "input-error";

/// The texts of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name, in Pascal case: `InvalidEnd`.
    pub name: String,
    /// One sentence.
    pub short: String,
    /// The explanation and the remedy.
    pub help: String,
}

/// The reports as SARIF text. `rule` gives the texts of a kind of violation, of a kind of warning
/// or of a code.
pub fn to_sarif(entries: &[Entry], rule: &dyn Fn(&str) -> Rule) -> Result<String, serde_json::Error> {
    let runs: Vec<Value> = entries.iter().map(|entry| run(entry, rule)).collect();
    document(runs)
}

/// A document of runs.
pub(crate) fn document(runs: Vec<Value>) -> Result<String, serde_json::Error> {
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    let mut text = serde_json::to_string_pretty(&sarif)?;
    text.push('\n');
    Ok(text)
}

fn run(entry: &Entry, rule: &dyn Fn(&str) -> Rule) -> Value {
    let report = entry.report;
    let kinds: BTreeSet<&str> = (report.violations.iter().map(|violation| violation.kind.name()))
        .chain(report.warnings.iter().map(|warning| warning.kind.name()))
        .chain(report.errors.iter().map(id))
        .collect();
    let rules: Vec<Value> = kinds.iter().map(|kind| described(kind, rule(kind))).collect();
    let mut results: Vec<Value> = (report.violations.iter().enumerate())
        .map(|(index, violation)| result(&report.model, violation, entry.traces.get(index)))
        .collect();
    results.extend(report.warnings.iter().map(|warning| {
        plain(
            warning.kind.name(),
            "warning",
            &warning.message,
            vec![location(&report.model, warning.place.as_ref())],
        )
    }));
    results.extend(report.errors.iter().map(|error| {
        let message = error.help.iter().fold(error.message.clone(), |text, help| format!("{text}\n{help}"));
        plain(id(error), "error", &message, vec![location(&report.model, error.place.as_ref())])
    }));
    let mut properties = json!({ "verdict": report.verdict, "states": report.search.states });
    if let Some(model) = &report.memory_model {
        properties["memoryModel"] = json!(model);
    }
    if !report.conditions.is_empty() {
        properties["conditions"] = json!(report.conditions);
    }
    if let Some(reason) = report.reason() {
        properties["reason"] = json!(reason);
    }
    let invocation = json!({
        "executionSuccessful": report.internal.is_none() && report.verdict != Verdict::Unknown,
        "exitCode": entry.exit,
        "toolExecutionNotifications": notifications(report),
        "properties": properties,
    });
    json!({
        "tool": { "driver": { "name": "axle", "version": report.version, "rules": rules } },
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    })
}

fn id(error: &ErrorReport) -> &str {
    error.code.as_deref().unwrap_or(INPUT)
}

/// A rule with its id.
pub(crate) fn described(id: &str, rule: Rule) -> Value {
    json!({
        "id": id,
        "name": rule.name,
        "shortDescription": { "text": rule.short },
        "help": { "text": rule.help },
    })
}

/// The reasons why checks are undecided, each once: an internal error, the end of the search,
/// reasons of checks.
fn notifications(report: &Report) -> Vec<Value> {
    // Checks that a search does not decide after a violation are not a failure of the analysis.
    let level = if report.verdict == Verdict::Unknown { "warning" } else { "note" };
    let mut told: Vec<(&str, &str, &str)> = Vec::new();
    if let Some(fault) = &report.internal {
        told.push(("error", "internal-error", fault));
    }
    told.extend(report.errors.first().map(|error| ("error", INPUT, error.message.as_str())));
    told.extend(report.stop.as_ref().map(|stop| (level, stop.reason.name(), stop.message.as_str())));
    for property in report.properties.iter().filter(|property| property.verdict == Verdict::Unknown) {
        if let Some(reason) = property.reason.as_deref()
            && !told.iter().any(|(_, _, known)| *known == reason)
        {
            told.push((level, "undecided", reason));
        }
    }
    if told.is_empty() {
        told.extend(report.reason().map(|reason| (level, "undecided", reason)));
    }
    told.into_iter()
        .map(|(level, id, text)| {
            json!({ "level": level, "descriptor": { "id": id }, "message": { "text": text } })
        })
        .collect()
}

fn plain(rule: &str, level: &str, message: &str, locations: Vec<Value>) -> Value {
    json!({ "ruleId": rule, "level": level, "message": { "text": message }, "locations": locations })
}

/// A location; without one, the result concerns the whole input.
fn location(input: &str, place: Option<&PlaceReport>) -> Value {
    match place {
        Some(place) => physical(place),
        None => json!({ "physicalLocation": { "artifactLocation": { "uri": uri(input) } } }),
    }
}

/// A violation of an input; the trace becomes its code flow.
pub(crate) fn result(input: &str, violation: &ViolationReport, trace: Option<&Trace>) -> Value {
    let message = violation.details.iter().fold(violation.message.clone(), |text, d| format!("{text}\n{d}"));
    let place = location(input, violation.place.as_ref());
    let mut result = plain(violation.kind.name(), "error", &message, vec![place]);
    result["properties"] = json!({ "property": violation.property, "steps": violation.depth });
    let Some(trace) = trace else { return result };
    let first = |step: &TraceStep| trace.cycle == Some(step.step) && step.part == 1;
    let locations = |of: Option<&str>| -> Vec<Value> {
        let own = trace.steps.iter().filter(|step| of.is_none_or(|name| step.by.process == name));
        own.filter_map(|step| flow_step(step, first(step))).collect()
    };
    // Threads have flows of their own, joined by the order of execution; processes share one.
    let flows: Vec<Value> = match trace.steps.iter().any(|step| !step.notes.is_empty()) {
        true => (threads(trace).into_iter().map(|name| (name, locations(Some(name)))))
            .filter(|(_, own)| !own.is_empty())
            .map(|(name, own)| json!({ "id": name, "locations": own }))
            .collect(),
        false => vec![json!({ "locations": locations(None) })],
    };
    if !locations(None).is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    result
}

/// The threads that execute a step, in order of their first steps.
fn threads(trace: &Trace) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for step in &trace.steps {
        if !names.contains(&step.by.process.as_str()) {
            names.push(&step.by.process);
        }
    }
    names
}

/// A step as a location; `repeats` for the first step of the cycle.
fn flow_step(step: &TraceStep, repeats: bool) -> Option<Value> {
    let mut location = physical(step.by.place.as_ref()?);
    let mut text = format!("{}: {}", step.by.process, step.by.statement);
    if let Some(partner) = &step.partner {
        text.push_str(&format!(" > {}: {}", partner.process, partner.statement));
    }
    if repeats {
        text.push_str(" (start of cycle)");
    }
    location["message"] = json!({ "text": text });
    Some(json!({ "executionOrder": step.step, "location": location }))
}

/// A location.
pub(crate) fn physical(place: &PlaceReport) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            },
        },
    })
}

/// A file name as a relative URI reference (RFC 3986): all other bytes are percent-encoded.
fn uri(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    file.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_uri_references() {
        assert_eq!(uri("a/b.pml"), "a/b.pml");
        assert_eq!(uri("a b#c%é.pml"), "a%20b%23c%25%C3%A9.pml");
    }
}
