//! Reports as JSON; the form is described in docs/reference/json.md. Entry point: [`to_json`].

use serde::Serialize;

use super::{Entry, Report, SCHEMA};
use crate::trace::Trace;

/// A report as an object.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// Why the verdict is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traces: Option<&'a [Trace]>,
}

/// The reports of several inputs.
#[derive(Serialize)]
struct Objects<'a> {
    schema: u32,
    version: &'a str,
    reports: Vec<Object<'a>>,
}

/// The reports as JSON text, ending in a newline: an object for one report, an object with a list
/// of them for several.
pub fn to_json(entries: &[Entry], traces: bool) -> Result<String, serde_json::Error> {
    let mut objects: Vec<Object> = entries
        .iter()
        .map(|entry| Object {
            report: entry.report,
            reason: entry.report.reason(),
            traces: traces.then_some(entry.traces),
        })
        .collect();
    let mut text = match objects.len() {
        1 => serde_json::to_string_pretty(&objects.remove(0))?,
        _ => {
            let version = entries.first().map_or("", |entry| &entry.report.version);
            serde_json::to_string_pretty(&Objects { schema: SCHEMA, version, reports: objects })?
        }
    };
    text.push('\n');
    Ok(text)
}
