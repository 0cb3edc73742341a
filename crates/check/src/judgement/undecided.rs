//! The report of a check that has to end before it has a result: every check is unknown.
//!
//! *Entry points:* [`of_model`], [`of_program`].
//! *Invariant:* nothing here takes longer than writing the report: no formula is translated, no
//! state is expanded.

use axle_evidence::report::reason::Words;
use axle_evidence::report::{PropertyReport, Report, StopReport};
use axle_model::Model;
use axle_outcome::{Answer, Reason};
use axle_question::checks::SystemKind;
use axle_question::config::Config;
use axle_question::subject::Subject;
use axle_search::{Memory, Outcome, Progress, Stop};

use crate::judgement::found::ModelFound;
use crate::judgement::runs::Runs;
use crate::judgement::{describe, verdict};

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
pub(crate) fn of_model(model: &Model, config: &Config, stop: Stop, seen: &Progress) -> (Report, ModelFound) {
    let outcome = outcome(stop, seen);
    let words = Words { names: config.vocabulary, model: Some(model) };
    let answer = Answer::Open(Reason::of_stop(stop, &config.limits));
    let wanted = |name: &String| config.only.as_ref().is_none_or(|only| only.contains(name));
    let properties = (model.properties.iter().map(|property| &property.name))
        .filter(|name| wanted(name))
        .map(|name| PropertyReport::answered(name, "temporal property", &answer, &words))
        .collect();
    let search = describe::search(config, &outcome, UNKNOWN, UNKNOWN, 0);
    let runs = Runs { properties, ..Runs::default() };
    let report = verdict::report(model, config, &outcome, &[], Vec::new(), search, runs);
    let found = ModelFound { outcome, runs: Vec::new(), refused: None, again: 0, certificate: None };
    (report, found)
}

/// The result of a check of a C program that ends for this reason, after so much of its search.
pub(crate) fn of_program(subject: &Subject, config: &Config, stop: Stop, seen: &Progress) -> Report {
    let outcome = outcome(stop, seen);
    let words = Words { names: config.vocabulary, model: None };
    let reason = Reason::of_stop(stop, &config.limits);
    let answer = Answer::Open(reason.clone());
    let checks = config.checks.iter().filter(|check| !check.is_temporal());
    let properties = (checks.map(|check| (check.name(), check.meaning(SystemKind::Program))))
        .chain(subject.wanted(config).map(|property| (&property.name[..], &property.meaning[..])))
        .map(|(name, meaning)| PropertyReport::answered(name, meaning, &answer, &words))
        .collect();
    Report {
        stop: Some(StopReport::new(stop, &reason, &words)),
        search: describe::search(config, &outcome, UNKNOWN, "interpreter", 0),
        memory_model: Some(subject.settings.memory_model.name().to_string()),
        ..Report::new(subject.files.join(" "), properties)
    }
}
