//! Checks a model and records every state, as a certificate of the checks that hold.
//!
//! The search is breadth-first over the full graph by one thread, whatever the configuration says,
//! because it expands each state exactly once.
//!
//! *Entry point:* [`check_recorded`].
//! *Invariant:* a certificate is complete only if [`proves`] says so.

use std::io::Write;
use std::sync::Arc;

use axle_certify::{Claim, Recorded, Recorder};
use axle_evidence::report::Verdict;
use axle_explicit::run;
use axle_explicit::successors::Tiered;
use axle_model::Model;
use axle_question::checks::{Check, SystemKind};
use axle_question::config::{Config, Order};
use axle_search::{Monitor, Reduction};
use axle_step::FaultKind;
use axle_step::Successors;

use crate::model::check_with;
use crate::system::CheckedModel;

/// What a certificate of a check says. `file` and `arguments` say how the model was read.
pub fn claim(model: &Model, config: &Config, file: &str, arguments: Vec<String>) -> Claim {
    Claim {
        axle: env!("CARGO_PKG_VERSION").to_string(),
        model: file.to_string(),
        arguments,
        fingerprint: axle_model::dump::fingerprint(model),
        excludes: FaultKind::all().filter(|&kind| !config.checks.contains(&Check::of(kind))).collect(),
    }
}

/// Checks a model and records the states that the search expands. Gives the recorder back, with the
/// number of processes that states have room for. What was recorded is a certificate only where
/// [`proves`] says so.
pub fn check_recorded<W: Write + Send>(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut dyn Monitor,
    mut recorder: Recorder<W>,
) -> (CheckedModel, Recorder<W>, usize) {
    // What is written down are states of the user's model.
    let passes = std::collections::BTreeSet::new();
    let (order, reduction) = (Order::BreadthFirst, Reduction::None);
    let config = Config { order, reduction, passes, attempts: false, ..config.clone() };
    let mut slots = 0;
    let search = |_: &Arc<Model>, stepper: &mut Tiered, config: &Config, mut monitor: &mut dyn Monitor| {
        let explored = run::explore(&mut Recorded::new(stepper, &mut recorder), config, &mut monitor);
        slots = stepper.size();
        explored
    };
    let checked = check_with(model, &config, monitor, Box::new(search));
    (checked, recorder, slots)
}

/// Whether the search saw every state and nothing was wrong: otherwise says why there is no
/// certificate.
pub fn proves(checked: &CheckedModel, config: &Config) -> Result<(), &'static str> {
    let outcome = &checked.found.outcome;
    if checked.report.internal.is_some() {
        return Err("of an internal error");
    }
    if !config.wants_safety() {
        return Err("nothing was asked that a certificate says");
    }
    if outcome.found > 0 {
        return Err("something is violated");
    }
    // A search that may have missed states says so in its verdicts.
    let of_states = checked.report.properties.iter().filter(|property| {
        Check::named(&property.name, SystemKind::Model)
            .is_some_and(|check| !matches!(check, Check::Properties | Check::Unreached))
    });
    match outcome.stop.is_none() && of_states.into_iter().all(|property| property.verdict == Verdict::Holds) {
        true => Ok(()),
        false => Err("the search did not see every state"),
    }
}
