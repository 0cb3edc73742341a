//! The facade: from a model and a configuration to a report. It picks the store and the engine, runs the
//! search, replays every violation on the interpreter before anyone hears of it, and says for each property
//! whether it holds, is violated, or is not known. It knows no terminal and reads no clock.

pub mod checks;
pub mod config;
mod confirm;
mod coverage;
mod describe;
pub mod engine;
mod explain;
mod store;
mod verdict;

use std::sync::Arc;

use axle_model::Model;
use axle_search::{Monitor, Outcome, Violation};
use axle_step::Successors;

pub use axle_evidence::report::{Report, Verdict};
pub use checks::Check;
pub use config::{Config, EngineChoice, Order, StoreChoice};
pub use confirm::{Confirmed, confirm};
pub use explain::explain_kind;

use engine::Tiered;

/// What a check comes back with.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// For people and programs to read. `seconds` is 0: there is no clock here.
    pub report: Report,
    /// What the search found, from which violations can be replayed. The `i`-th violation here is the
    /// `i`-th of the report.
    pub outcome: Outcome,
    /// The violation that did not replay, where `report.internal` says that one did not.
    pub refused: Option<Violation>,
}

/// Checks a model. The monitor is called now and then, and may stop the search.
pub fn check(model: &Arc<Model>, config: &Config, monitor: &mut impl Monitor) -> Checked {
    let mut stepper = Tiered::new(model, config.step_options(), config.engine);
    let explored = store::explore(&mut stepper, config, monitor);
    let mut outcome = explored.outcome;
    if config.spoil_paths {
        outcome.violations.iter_mut().for_each(|violation| violation.path.push(u32::MAX));
    }
    let state_bytes = stepper.layout().width() as u64;
    let engine = stepper.name();
    // The memory of a large search is given back before traces are made.
    drop(stepper);

    let (confirmed, internal) = confirm::all(model, config, &outcome);
    let unreached = coverage::unreached(model, &outcome.taken);
    let search = describe::search(config, &outcome, explored.store, engine, state_bytes);
    let report = verdict::report(model, config, &outcome, &confirmed, unreached, search, internal);
    let refused = report.internal.as_ref().and_then(|_| outcome.violations.get(confirmed.len()).cloned());
    Checked { report, outcome, refused }
}
