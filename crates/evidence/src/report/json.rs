//! The report as JSON; the form is described in docs/reference/json.md.

use super::Report;

/// The report as JSON text, ending in a newline.
pub fn to_json(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}
