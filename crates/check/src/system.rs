//! The systems that can be checked, behind one interface: models, whether written in Promela or extracted
//! from C, and C programs.
//!
//! *Entry points:* [`System`], [`check`].
//! *Invariant:* the same configuration, the same plan and the same kind of report serve all systems.

use axle_evidence::report::Report;
use axle_evidence::run_trail::AnyTrail;
use axle_question::checks::SystemKind;
use axle_question::config::Config;
use axle_search::{Monitor, Progress, Stop};

use crate::judgement::found::{Execution, ModelFound};
use crate::plan::attempt::Attempt;
use crate::race::log::Executed;

/// A system that can be checked.
pub trait System {
    /// The violations that a check finds, in a form that can be replayed.
    type Found;

    /// Its kind, which has checks of its own.
    const KIND: SystemKind;

    /// The attempts of a check, in the order in which they start.
    fn plan(&self, config: &Config) -> Vec<Attempt>;

    /// Checks it. The monitor is called now and then, and may stop the search.
    fn check(&self, config: &Config, monitor: &mut dyn Monitor) -> Checked<Self::Found>;

    /// The result of a check that ends for this reason, after so much of its search, without a result.
    /// It takes no longer than writing the report: no formula is translated, no state is expanded.
    fn undecided(&self, config: &Config, stop: Stop, seen: &Progress) -> Checked<Self::Found>;

    /// The execution of violation `index` of a report; none if it has none.
    ///
    /// # Errors
    /// It does not replay.
    fn execution(
        &self,
        config: &Config,
        checked: &Checked<Self::Found>,
        index: usize,
    ) -> Result<Option<Execution>, String>;

    /// The execution of a trail, for example one that another machine found. It is replayed by the
    /// interpreter and judged under the fairness assumption of the configuration, whatever the trail says
    /// of it.
    ///
    /// # Errors
    /// The trail does not belong to the system, or its execution does not violate what it names.
    fn judged(&self, config: &Config, trail: &AnyTrail) -> Result<Execution, String>;
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked<Found> {
    /// For people and programs to read. `seconds` is 0: there is no clock here.
    pub report: Report,
    /// The violations of the report, to be replayed.
    pub found: Found,
    /// The attempts of the plan that were executed, in the order in which they started.
    pub attempts: Vec<Executed>,
}

/// The result of a check of a model.
pub type CheckedModel = Checked<ModelFound>;

/// Checks a system. The monitor is called now and then, and may stop the search.
pub fn check<S: System>(system: &S, config: &Config, monitor: &mut dyn Monitor) -> Checked<S::Found> {
    system.check(config, monitor)
}
