//! `--html FILE`: the report as one self-contained page, with the sources that it refers to.

use std::collections::BTreeSet;
use std::path::Path;

use axle_evidence::report::{Page, Report, to_html};
use axle_evidence::trace::Trace;

use crate::deadline::Deadline;
use crate::files;

/// A source file beyond this size is linked by name only.
const LARGEST_SOURCE: u64 = 1 << 20;

/// Writes the page.
pub fn write(file: &Path, report: &Report, traces: &[Trace], deadline: &Deadline) -> Result<(), String> {
    let page = Page { report, traces, sources: &sources(report, traces), command: &command_line() };
    files::write(file, &to_html(&page), deadline)
}

/// The command line. Where the program is installed does not matter to readers.
pub fn command_line() -> String {
    let words = std::env::args().skip(1).map(|word| quoted(&word));
    std::iter::once("axle".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The files that the report and its traces refer to, with their texts.
fn sources(report: &Report, traces: &[Trace]) -> Vec<(String, String)> {
    let movers =
        traces.iter().flat_map(|trace| &trace.steps).flat_map(|step| [Some(&step.by), step.partner.as_ref()]);
    let steps = movers.flatten().filter_map(|mover| mover.place.as_ref());
    let violations = report.violations.iter().filter_map(|violation| violation.place.as_ref());
    let errors = report.errors.iter().filter_map(|error| error.place.as_ref());
    let statements = report.unreached.iter().flat_map(|process| &process.unreached);
    let places = violations
        .chain(errors)
        .chain(steps)
        .chain(statements.filter_map(|statement| statement.place.as_ref()));
    let names: BTreeSet<&String> = places.map(|place| &place.file).chain([&report.model]).collect();
    let text = |name: &String| Some((name.clone(), files::read_text(Path::new(name), LARGEST_SOURCE).ok()?));
    names.into_iter().filter_map(text).collect()
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
