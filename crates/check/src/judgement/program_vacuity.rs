//! The searches of a vacuity check of a C program: see [`crate::judgement::vacuity`].
//!
//! *Entry point:* [`vacuity`].

use axle_ltl::Formula;
use axle_question::config::Config;
use axle_question::run_property::RunProperty;
use axle_question::subject::Subject;
use axle_search::claim::Claim;
use axle_search::{Fairness, LivenessOutcome, Monitor, Stop};

use crate::judgement::describe;
use crate::judgement::program_runs::explore;
use crate::judgement::vacuity::{Holding, Searches, Vacuity, of_formula};

/// The searches of a program for one of its properties.
struct OfProgram<'a, M> {
    subject: &'a Subject<'a>,
    config: &'a Config,
    one: &'a RunProperty,
    monitor: &'a mut M,
}

/// Why a property that holds may hold vacuously. `claim` and `outcome` are those of the search that
/// found no violation.
pub(super) fn vacuity(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    (claim, outcome): (&Claim, &LivenessOutcome),
    monitor: &mut impl Monitor,
) -> Vacuity {
    let Some(formula) = &one.formula else { return Vacuity::default() };
    let holding = Holding { formula, texts: &one.texts, claim, outcome, by: config.vacuity };
    of_formula(&holding, &mut OfProgram { subject, config, one, monitor })
}

impl<M: Monitor> Searches for OfProgram<'_, M> {
    fn covered(&mut self, claim: &Claim) -> Option<LivenessOutcome> {
        let fairness = Fairness::None;
        explore(self.subject, self.config, self.one, (claim, fairness), self.monitor).ok()
    }

    fn violated(&mut self, formula: &Formula) -> Option<LivenessOutcome> {
        let one = self.one.with_formula(formula.clone());
        let (claim, fairness) = one.searched(self.config).ok()?;
        explore(self.subject, self.config, &one, (&claim, fairness), self.monitor).ok()
    }

    fn stopped(&self, stop: Stop) -> String {
        describe::stop(None, stop, self.config).message
    }
}
