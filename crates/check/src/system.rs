//! The systems that can be checked, behind one interface: models, whether written in Promela or extracted
//! from C, and C programs.
//!
//! *Entry points:* [`System`], [`check`].
//! *Invariant:* the same configuration, the same plan and the same kind of report serve all systems.

use axle_evidence::report::{Report, ViolationReport};
use axle_evidence::run_trail::AnyTrail;
use axle_evidence::trace::Trace;
use axle_search::{Monitor, Progress, Stop};

use crate::attempt::Attempt;
use crate::checks::SystemKind;
use crate::config::Config;
use crate::race::log::Executed;

/// A system that can be checked.
pub trait System {
    /// What a check finds besides its report: the violations, in a form that can be replayed.
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

    /// Replaces the execution of violation `index` of a report by a shorter one, as far as the monitor
    /// allows.
    fn shorten(
        &self,
        config: &Config,
        checked: &mut Checked<Self::Found>,
        index: usize,
        monitor: &mut dyn Monitor,
    );

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

    /// A shorter execution than that of a trail, as far as the monitor allows; none if there is none.
    /// `known`: the trail and its violation.
    ///
    /// # Errors
    /// The trail does not belong to the system, or the shorter execution does not replay.
    fn shorter(
        &self,
        config: &Config,
        known: (&AnyTrail, &ViolationReport),
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String>;
}

/// A violation with its execution, which was replayed.
#[derive(Clone, PartialEq, Debug)]
pub struct Execution {
    /// The violation.
    pub violation: ViolationReport,
    /// The execution to it.
    pub trace: Trace,
    /// From which it can be replayed.
    pub trail: AnyTrail,
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

/// Checks a system. The monitor is called now and then, and may stop the search.
pub fn check<S: System>(system: &S, config: &Config, monitor: &mut dyn Monitor) -> Checked<S::Found> {
    system.check(config, monitor)
}

/// Shortens violation `index` of a report, as far as the monitor allows. Executions that did not replay
/// are not shortened.
pub fn shorten<S: System>(
    system: &S,
    config: &Config,
    checked: &mut Checked<S::Found>,
    index: usize,
    monitor: &mut dyn Monitor,
) {
    if checked.report.internal.is_none() && !config.spoil_paths {
        system.shorten(config, checked, index, monitor);
    }
}
