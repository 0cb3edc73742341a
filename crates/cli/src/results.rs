//! The result of checking an input, and its machine-readable forms: JSON on standard output; SARIF,
//! JUnit and HTML files.
//!
//! *Entry points:* [`print_json`], [`write_files`]. *Invariant:* each form is written for every
//! input, also for one with errors.

use axle_check::{Check, RUN_KINDS, Report, SystemKind, Verdict, explain_kind, program};
use axle_evidence::report::{Entry, Rule, to_json, to_junit, to_sarif};
use axle_evidence::trace::Trace;
use axle_step::FaultKind;

use crate::args::{CheckArgs, TraceMode};
use crate::deadline::Deadline;
use crate::exit::Exit;
use crate::output::print;
use crate::session::Session;
use crate::{files, html};

/// The result for one input.
pub struct InputResult {
    pub exit: Exit,
    pub report: Report,
    /// The traces of the violations, if a form needs them.
    pub traces: Vec<Trace>,
}

impl InputResult {
    /// The result of a check; the warnings about the input are those on standard error.
    pub fn new(session: &Session, mut report: Report, traces: Vec<Trace>) -> InputResult {
        report.warnings.extend(session.messages.take_warnings());
        InputResult { exit: Exit::of(&report), report, traces }
    }

    /// The result for an input that cannot be checked; the errors are those on standard error.
    pub fn refused(session: &Session, input: &str, exit: Exit) -> InputResult {
        let mut report = Report::of_errors(env!("CARGO_PKG_VERSION"), input, session.messages.take_errors());
        if exit == Exit::Internal {
            let errors = std::mem::take(&mut report.errors);
            report.internal =
                Some(errors.into_iter().next().map_or("internal error".into(), |one| one.message));
        }
        InputResult { exit, report, traces: Vec::new() }
    }

    fn entry(&self) -> Entry<'_> {
        Entry { report: &self.report, traces: &self.traces, exit: self.exit.code() }
    }

    /// The input in one line: its name, the verdict, and the first violation, error or reason.
    pub fn line(&self, width: usize) -> String {
        let report = &self.report;
        let verdict = match (report.verdict, report.errors.is_empty()) {
            (Verdict::Holds, _) => "holds",
            (Verdict::Violated, _) => "violated",
            (Verdict::Unknown, true) => "unknown",
            (Verdict::Unknown, false) => "error",
        };
        let place = report.violations.first().map(|one| (&one.message, &one.place));
        let place = place.or_else(|| report.errors.first().map(|one| (&one.message, &one.place)));
        let detail = match place {
            Some((message, Some(at))) => format!("{message} ({}:{})", at.file, at.line),
            Some((message, None)) => message.clone(),
            None => report.reason().unwrap_or_default().to_string(),
        };
        let name = &report.model;
        format!("{name:width$}  {verdict:8}  {detail}").trim_end().to_string()
    }
}

/// Whether a form of the result contains traces.
pub fn needs_traces(args: &CheckArgs) -> bool {
    args.sarif.is_some() || args.html.is_some() || json_traces(args.trace)
}

/// Whether JSON contains traces.
pub fn json_traces(mode: Option<TraceMode>) -> bool {
    mode.is_some_and(|mode| mode != TraceMode::None)
}

/// Prints the results as JSON.
pub fn print_json(results: &[InputResult], mode: Option<TraceMode>) -> Result<(), String> {
    print(&to_json(&entries(results), json_traces(mode)).map_err(|fault| fault.to_string())?)
}

/// Writes the files of all inputs together.
pub fn write_files(args: &CheckArgs, results: &[InputResult], deadline: &Deadline) -> Result<(), String> {
    let entries = entries(results);
    if let Some(file) = &args.sarif {
        files::write(file, &to_sarif(&entries, &rule).map_err(|fault| fault.to_string())?, deadline)?;
    }
    if let Some(file) = &args.junit {
        files::write(file, &to_junit(&entries), deadline)?;
    }
    if let (Some(file), [result]) = (&args.html, results) {
        html::write(file, &result.report, &result.traces, deadline)?;
    }
    Ok(())
}

fn entries(results: &[InputResult]) -> Vec<Entry<'_>> {
    results.iter().map(InputResult::entry).collect()
}

/// The texts of a kind of violation, of a kind of warning or of the code of a diagnostic.
fn rule(id: &str) -> Rule {
    let of_model = FaultKind::all().find(|kind| kind.name() == id);
    let of_program = || program::kinds().into_iter().find(|(kind, _, _)| *kind == id);
    let of_run = || RUN_KINDS.into_iter().find(|(kind, _)| *kind == id);
    let (short, help) = if let Some(kind) = of_model {
        (axle_evidence::words::sentence(kind, None), explain_kind(kind).to_string())
    } else if let Some((_, check, text)) = of_program() {
        (violates(check.meaning(SystemKind::Program)), text.to_string())
    } else if let Some((_, text)) = of_run() {
        (violates(Check::Properties.meaning(SystemKind::Model)), text.to_string())
    } else if let Some(text) = axle_feaver::diagnostic_codes::meaning(id) {
        (text.lines().next().unwrap_or(id).to_string(), text.to_string())
    } else {
        (id.replace('-', " "), String::new())
    };
    let unwrapped = help.replace('\n', " ");
    let help =
        if unwrapped.is_empty() { format!("Described in docs/reference: {short}.") } else { unwrapped };
    Rule { name: pascal(id), short, help }
}

fn violates(meaning: &str) -> String {
    format!("violation of: {meaning}")
}

/// `invalid-end` as `InvalidEnd`.
fn pascal(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    id.split('-').filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_code_has_a_rule_with_texts() {
        let kinds = FaultKind::all().map(|kind| kind.name());
        let kinds = kinds.chain(program::kinds().into_iter().map(|(kind, _, _)| kind));
        for id in kinds.chain(RUN_KINDS.map(|(kind, _)| kind)).chain(["E0201", "leak", "input-error"]) {
            let rule = rule(id);
            assert!(!rule.name.is_empty() && !rule.short.is_empty() && !rule.help.is_empty(), "{id}");
            assert!(rule.name.starts_with(|c: char| c.is_ascii_uppercase()), "{}", rule.name);
        }
        assert_eq!(pascal("invalid-end"), "InvalidEnd");
    }
}
