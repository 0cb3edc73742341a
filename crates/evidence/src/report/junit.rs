//! Reports as JUnit XML, which continuous-integration servers display: a test suite for each input,
//! a test case for each check or property.
//!
//! *Entry point:* [`to_junit`]. *Source:* the schema of Apache Ant's JUnit task, as Jenkins and
//! GitLab read it.
//! *Invariant:* a test case without child element is a check that holds.

use std::fmt::{Result, Write};

use super::{Entry, Report, StopReason, Verdict, ViolationReport};
use crate::escape::xml;

/// The result of a test case.
pub(crate) enum Outcome<'a> {
    /// It holds.
    Passed,
    /// Violated.
    Failure(Vec<&'a ViolationReport>),
    /// Failed without a violation: type and message.
    Unexpected(&'a str, String),
    /// Undecided, because the search stopped at a violation.
    Skipped(&'a str),
    /// Undecided for another reason, or an input error: type and message.
    Error(&'a str, String),
}

/// A test suite.
pub(crate) struct Suite<'a> {
    pub name: &'a str,
    pub seconds: f64,
    pub cases: Vec<Case<'a>>,
}

/// A test case.
pub(crate) struct Case<'a> {
    pub class: &'a str,
    pub name: &'a str,
    /// The time, if it is that of this case alone.
    pub seconds: Option<f64>,
    pub outcome: Outcome<'a>,
}

/// The reports as JUnit XML.
pub fn to_junit(entries: &[Entry]) -> String {
    let suites = entries.iter().map(|entry| entry.report).map(|report| {
        let own = cases(report).into_iter();
        let case = |(name, outcome)| Case { class: &report.model, name, seconds: None, outcome };
        Suite { name: &report.model, seconds: report.search.seconds, cases: own.map(case).collect() }
    });
    write(&suites.collect::<Vec<_>>())
}

/// Test suites as JUnit XML.
pub(crate) fn write(suites: &[Suite]) -> String {
    let mut text = String::new();
    let done = write_suites(suites, &mut text);
    debug_assert!(done.is_ok(), "a string takes all text");
    text
}

fn write_suites(suites: &[Suite], out: &mut String) -> Result {
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let seconds: f64 = suites.iter().map(|suite| suite.seconds).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"axle\" {} time=\"{seconds:.3}\">", counts(all))?;
    for Suite { name, seconds, cases } in suites {
        let (name, counts) = (xml(name), counts(cases.iter()));
        writeln!(out, "  <testsuite name=\"{name}\" {counts} time=\"{seconds:.3}\">")?;
        for case in cases {
            write!(out, "    <testcase classname=\"{}\" name=\"{}\"", xml(case.class), xml(case.name))?;
            if let Some(seconds) = case.seconds {
                write!(out, " time=\"{seconds:.3}\"")?;
            }
            write_outcome(&case.outcome, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The test cases of a report, with their names.
fn cases(report: &Report) -> Vec<(&str, Outcome<'_>)> {
    let mut cases = Vec::new();
    for error in &report.errors {
        let place = error.place.as_ref().map(|at| format!("{}:{}:{}: ", at.file, at.line, at.column));
        let text = format!("{}{}", place.unwrap_or_default(), error.message);
        cases.push(("input", Outcome::Error("input-error", text)));
    }
    if let Some(fault) = &report.internal {
        cases.push(("axle", Outcome::Error("internal-error", fault.clone())));
    }
    let stopped = report.stop.as_ref().filter(|stop| stop.reason == StopReason::Errors);
    for property in &report.properties {
        let reason = property.reason.as_deref().unwrap_or("undecided");
        let outcome = match property.verdict {
            Verdict::Holds => Outcome::Passed,
            Verdict::Violated => {
                let own = report.violations.iter().filter(|one| one.property == property.name);
                Outcome::Failure(own.collect())
            }
            Verdict::Unknown if stopped.is_some() => Outcome::Skipped(reason),
            Verdict::Unknown => Outcome::Error("unknown", reason.to_string()),
        };
        cases.push((&property.name, outcome));
    }
    if cases.is_empty() {
        cases.push(("verdict", Outcome::Error("unknown", report.reason().unwrap_or_default().to_string())));
    }
    cases
}

fn counts<'a>(cases: impl Iterator<Item = &'a Case<'a>>) -> String {
    let [mut tests, mut failures, mut errors, mut skipped] = [0; 4];
    for case in cases {
        tests += 1;
        match case.outcome {
            Outcome::Passed => {}
            Outcome::Failure(_) | Outcome::Unexpected(..) => failures += 1,
            Outcome::Skipped(_) => skipped += 1,
            Outcome::Error(..) => errors += 1,
        }
    }
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

fn write_outcome(outcome: &Outcome, out: &mut String) -> Result {
    match outcome {
        Outcome::Passed => return writeln!(out, "/>"),
        Outcome::Failure(violations) => {
            let kind = violations.first().map_or("violated", |one| one.kind.name());
            let message = violations.first().map_or("violated", |one| &one.message);
            write!(out, ">\n      <failure type=\"{}\" message=\"{}\">", xml(kind), xml(message))?;
            for violation in violations {
                let place = violation.place.as_ref();
                let place = place.map(|at| format!("{}:{}:{}: ", at.file, at.line, at.column));
                writeln!(out, "{}{}", xml(&place.unwrap_or_default()), xml(&violation.message))?;
                for detail in &violation.details {
                    writeln!(out, "  {}", xml(detail))?;
                }
            }
            write!(out, "</failure>")?;
        }
        Outcome::Unexpected(kind, message) => {
            write!(out, ">\n      <failure type=\"{}\" message=\"{}\"/>", xml(kind), xml(message))?;
        }
        Outcome::Skipped(reason) => write!(out, ">\n      <skipped message=\"{}\"/>", xml(reason))?,
        Outcome::Error(kind, message) => {
            write!(out, ">\n      <error type=\"{}\" message=\"{}\"/>", xml(kind), xml(message))?;
        }
    }
    writeln!(out, "\n    </testcase>")
}
