//! The report of a check that has to end before it has a result: every check is unknown.
//!
//! *Entry points:* [`undecided`] for models, [`undecided_program`] for C programs.
//! *Invariant:* nothing here takes longer than writing the report: no formula is translated, no
//! state is expanded.

use axle_evidence::report::{PropertyReport, Report, SCHEMA, Verdict};
use axle_model::Model;
use axle_search::{Memory, Outcome, Progress, Stop};

use crate::config::Config;
use crate::program::{ProgramCheck, ProgramConfig};
use crate::runs::Runs;
use crate::{Checked, CheckedProgram, describe, verdict};

/// The coverage as far as it is known, as an outcome without violations.
fn outcome(stop: Stop, seen: &Progress) -> Outcome {
    Outcome {
        states: seen.states,
        transitions: seen.transitions,
        depth: seen.depth,
        memory: Memory { states: seen.memory, paths: 0 },
        ..Outcome::nothing(stop, Vec::new())
    }
}

/// The names of the store and of the engine, where neither has reported.
const UNKNOWN: &str = "not reported";

/// The result of a check of a model that ends for this reason, after so much of its search.
pub fn undecided(model: &Model, config: &Config, stop: Stop, seen: &Progress) -> Checked {
    let outcome = outcome(stop, seen);
    let reason = describe::stop(Some(model), stop, config).message;
    let wanted = |name: &String| config.only.as_ref().is_none_or(|only| only.contains(name));
    let properties = (model.properties.iter().map(|property| &property.name))
        .filter(|name| wanted(name))
        .map(|name| unknown(name, "temporal property", &reason))
        .collect();
    let search = describe::search(config, &outcome, UNKNOWN, UNKNOWN, 0);
    let runs = Runs { properties, ..Runs::default() };
    let report = verdict::report(model, config, &outcome, &[], Vec::new(), search, runs);
    Checked { report, outcome, runs: Vec::new(), refused: None, again: 0, attempts: Vec::new() }
}

/// The result of a check of a C program that ends for this reason, after so much of its search.
pub fn undecided_program(
    files: &[String],
    config: &ProgramConfig,
    stop: Stop,
    seen: &Progress,
) -> CheckedProgram {
    let outcome = outcome(stop, seen);
    let stop = describe::stop(None, stop, &config.search);
    let separate = [ProgramCheck::Properties, ProgramCheck::Termination];
    let checks = config.checks.iter().filter(|check| !separate.contains(check));
    let properties = (checks.map(|check| (check.name(), check.meaning())))
        .chain(config.properties.iter().map(|property| (&property.name[..], &property.meaning[..])))
        .map(|(name, meaning)| unknown(name, meaning, &stop.message))
        .collect();
    let report = Report {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION").to_string(),
        model: files.join(" "),
        verdict: Verdict::Unknown,
        properties,
        violations: Vec::new(),
        found: 0,
        stop: Some(stop),
        search: describe::search(&config.search, &outcome, UNKNOWN, "interpreter", 0),
        unreached: Vec::new(),
        internal: None,
        refinement: Vec::new(),
        warnings: Vec::new(),
        hints: Vec::new(),
        not_checked: Vec::new(),
        errors: Vec::new(),
        conditions: Vec::new(),
        memory_model: Some(config.settings.memory_model.name().to_string()),
    };
    CheckedProgram { report, violations: Vec::new(), executed: None, attempts: Vec::new() }
}

fn unknown(name: &str, meaning: &str, reason: &str) -> PropertyReport {
    PropertyReport {
        name: name.to_string(),
        meaning: meaning.to_string(),
        verdict: Verdict::Unknown,
        reason: Some(reason.to_string()),
        is_vacuous: false,
        vacuity: Vec::new(),
        remarks: Vec::new(),
        search: None,
    }
}
