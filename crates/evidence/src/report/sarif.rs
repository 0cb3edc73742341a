//! The report as SARIF 2.1.0 (OASIS Standard, "Static Analysis Results Interchange Format"), which editors
//! and code hosts show beside the source. A trace becomes a code flow (section 3.36).

use serde_json::{Value, json};

use super::{PlaceReport, Report, ViolationReport};
use crate::trace::{Trace, TraceStep};

/// The report as SARIF text. `traces` are those of its violations, in their order; fewer may be given.
pub fn to_sarif(report: &Report, traces: &[Trace]) -> Result<String, serde_json::Error> {
    let mut kinds: Vec<&str> = report.violations.iter().map(|v| v.kind.as_str()).collect();
    kinds.extend(report.warnings.iter().map(|warning| warning.kind.as_str()));
    kinds.sort_unstable();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|kind| json!({ "id": kind })).collect();
    let mut results: Vec<Value> = (report.violations.iter().enumerate())
        .map(|(index, violation)| result(report, violation, traces.get(index)))
        .collect();
    results.extend(report.warnings.iter().map(|warning| {
        json!({
            "ruleId": warning.kind,
            "level": "warning",
            "message": { "text": warning.message },
            "locations": warning.place.iter().map(physical).collect::<Vec<Value>>(),
        })
    }));
    let invocation = json!({
        "executionSuccessful": report.internal.is_none(),
        "properties": { "verdict": report.verdict, "states": report.search.states },
    });
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "axle", "version": report.version, "rules": rules } },
            "invocations": [invocation],
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&sarif)?;
    text.push('\n');
    Ok(text)
}

fn result(report: &Report, violation: &ViolationReport, trace: Option<&Trace>) -> Value {
    let mut message = violation.message.clone();
    for detail in &violation.details {
        message.push('\n');
        message.push_str(detail);
    }
    // A result without place would be shown nowhere; then it concerns the model as a whole.
    let location = match &violation.place {
        Some(place) => physical(place),
        None => json!({ "physicalLocation": { "artifactLocation": { "uri": report.model } } }),
    };
    let mut result = json!({
        "ruleId": violation.kind,
        "level": "error",
        "message": { "text": message },
        "locations": [location],
    });
    if let Some(trace) = trace {
        let first = |step: &TraceStep| trace.cycle == Some(step.step) && step.part == 1;
        let locations = |of: Option<&str>| -> Vec<Value> {
            let own = trace.steps.iter().filter(|step| of.is_none_or(|name| step.by.process == name));
            own.filter_map(|step| flow_step(step, first(step))).collect()
        };
        // Threads have flows of their own, told together by the order of execution; processes share one.
        let flows: Vec<Value> = match trace.steps.iter().any(|step| !step.notes.is_empty()) {
            true => threads(trace)
                .into_iter()
                .map(|name| json!({ "id": name, "locations": locations(Some(name)) }))
                .collect(),
            false => vec![json!({ "locations": locations(None) })],
        };
        if !locations(None).is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": flows }]);
        }
    }
    result
}

/// The threads that move, in order of their first steps.
fn threads(trace: &Trace) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for step in &trace.steps {
        if !names.contains(&step.by.process.as_str()) {
            names.push(&step.by.process);
        }
    }
    names
}

/// A step as a location; `repeats` says that the cycle begins with it.
fn flow_step(step: &TraceStep, repeats: bool) -> Option<Value> {
    let mut location = physical(step.by.place.as_ref()?);
    let mut text = format!("{}: {}", step.by.process, step.by.statement);
    if let Some(partner) = &step.partner {
        text.push_str(&format!(" > {}: {}", partner.process, partner.statement));
    }
    if repeats {
        text.push_str(" (from here to the end, and round again for ever)");
    }
    location["message"] = json!({ "text": text });
    Some(json!({ "executionOrder": step.step, "location": location }))
}

fn physical(place: &PlaceReport) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": place.file },
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            },
        },
    })
}
