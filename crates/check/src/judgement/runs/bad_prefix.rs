//! Confirmation of counterexamples, and their shortest bad prefixes.
//!
//! The interpreter replays a counterexample, the property is evaluated on it, and an execution with
//! a bad prefix is cut at its end. A breadth-first search of a bounded number of states then looks
//! for a shorter bad prefix.
//!
//! *Entry points:* [`PropertyChecker::confirm_shortest`], [`hunted`], [`replay`].
//! *Invariant:* every counterexample of the report was replayed by the interpreter and violates the
//! property there.

use std::sync::Arc;

use axle_evidence::lasso::{SystemRun, Walked, replay_run};
use axle_evidence::report::Verdict;
use axle_evidence::trace::Trace;
use axle_explicit::successors::Tiered;
use axle_model::Model;
use axle_question::claims;
use axle_question::claims::{BadPrefixes, Stated};
use axle_question::config::Config;
use axle_search::liveness::LivenessOptions;
use axle_search::{Fairness, Finding, Monitor, Prefix, Silent};
use axle_step::{Interpreter, Observer, Options};

use crate::judgement::run_report::{violation, with_account};
use crate::judgement::runs::search::system_run;
use crate::judgement::runs::{
    KnownStates, PropertyChecker, RunViolation, Runs, fairness_for, finite, undecided,
};
use crate::judgement::{describe, judge};

/// Minimum of states of a search for the shortest bad prefix.
const SHORT: u64 = 100_000;

/// Replays a counterexample and evaluates the property on it. `options` are those of the search.
pub fn replay(
    model: &Arc<Model>,
    one: &RunViolation,
    fairness: Fairness,
    options: &Options,
) -> Result<Trace, String> {
    let stated = claims::named(model, &one.property);
    let stated = stated.ok_or_else(|| format!("the model has no property `{}`", one.property))?;
    let walked = replay_run(model, &one.run, &stated.atoms, &stated.texts, options)
        .map_err(|fault| fault.to_string())?;
    match one.fault {
        Some(kind) if walked.faults.iter().any(|fault| fault.kind == kind) => {}
        Some(kind) => {
            let kind = kind.name();
            return Err(format!("no proposition of {} has the fault `{kind}` there", one.property));
        }
        None => judge::breaks(&stated, &one.run, &walked, fairness)?,
    }
    Ok(with_account(&stated, walked.trace))
}

/// The result for a formula of which a bug hunter found a bad prefix, as a path of the model. Its
/// search for the property has seen no violation nearer to the initial state.
pub(crate) fn hunted(
    model: &Arc<Model>,
    config: &Config,
    one: &Stated,
    path: &[u32],
    finder: String,
) -> Runs {
    let states = &KnownStates::default();
    let monitor = &mut Silent;
    let searches =
        PropertyChecker { model, config, monitor, large: false, states, again: 0, named: None, by: None };
    let run = finite(path);
    let mut property = undecided(one);
    let mut runs = Runs::default();
    match searches.confirm_own(one, run.clone()) {
        Ok((run, walked)) => {
            property.verdict = Verdict::Violated;
            let mut report =
                violation(one, &BAD_PREFIX, &run, &walked.trace, model, fairness_for(one, config));
            describe::name_finder(&mut report, Some(finder));
            runs.violations.push((RunViolation { property: one.name.clone(), run, fault: None }, report));
        }
        Err(fault) => runs.refuse(one, &mut property, &fault, &run),
    }
    runs.properties.push(property);
    runs
}

/// The end of a bad prefix. Its steps are those of the replayed run.
const BAD_PREFIX: Finding = Finding::ClaimEnd(Prefix { start: 0, steps: Vec::new() }, 0);

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Confirms a run, and cuts it at the end of its bad prefix if it has one.
    fn confirm_own(&self, one: &Stated, run: SystemRun) -> Result<(SystemRun, Walked), String> {
        let walked = self.confirm(one, &run)?;
        let own = one.bad_prefixes.as_ref().and_then(|it| bad_prefix(&it.monitor, &run, &walked));
        match own {
            Some(own) => self.confirm(one, &own).map(|walked| (own, walked)),
            None => Ok((run, walked)),
        }
    }

    /// Confirms a run. A run with a bad prefix is replaced by the shortest bad prefix, as far as a
    /// breadth-first search of a number of states that depends on those that were stored finds it,
    /// or by its own. If the configuration prefers executions by a measure, the cheapest one takes the
    /// place of the shortest one.
    pub(super) fn confirm_shortest(
        &mut self,
        one: &Stated,
        run: SystemRun,
        states: u64,
    ) -> Result<(SystemRun, Walked), String> {
        let walked = self.confirm(one, &run)?;
        let Some(prefixes) = &one.bad_prefixes else { return Ok((run, walked)) };
        let Some(own) = bad_prefix(&prefixes.monitor, &run, &walked) else { return Ok((run, walked)) };
        let shortest = (!own.steps.is_empty()).then(|| self.shortest_prefix(one, prefixes, states)).flatten();
        let prefers = |other: &SystemRun| self.config.prefer.is_some() || other.steps.len() < own.steps.len();
        let best = shortest.filter(prefers).unwrap_or(own);
        let walked = self.confirm(one, &best)?;
        Ok((best, walked))
    }

    /// The shortest bad prefix in the whole graph of the model; none if that needs too many states.
    fn shortest_prefix(&mut self, one: &Stated, prefixes: &BadPrefixes, states: u64) -> Option<SystemRun> {
        let most = states.saturating_mul(2).max(SHORT);
        let limit = self.config.limits.states.map_or(most, |limit| limit.min(most));
        let limits = axle_search::Limits { states: Some(limit), ..self.config.limits };
        let question = LivenessOptions { limits, prefer: self.config.prefer, ..LivenessOptions::default() };
        let options = self.config.step_options();
        let mut stepper = Tiered::new(self.model, options, self.config.successors_for(self.model));
        let interpreter = Interpreter::new(Arc::clone(self.model), options);
        let mut observer = Observer::new(&interpreter, one.atoms.clone());
        let outcome = self.explore(&mut stepper, &mut observer, &prefixes.claim, &question).ok()?;
        outcome.finding.as_ref().map(|finding| system_run(&prefixes.claim, finding))
    }

    /// Replays a run and evaluates the property on it.
    pub(super) fn confirm(&self, one: &Stated, run: &SystemRun) -> Result<Walked, String> {
        let mut run = run.clone();
        if self.config.spoil_paths {
            run.steps.push(Some(u32::MAX));
        }
        let walked = replay_run(self.model, &run, &one.atoms, &one.texts, &self.config.step_options())
            .map_err(|fault| fault.to_string())?;
        judge::breaks(one, &run, &walked, self.config.fairness)?;
        Ok(walked)
    }
}

/// The shortest bad prefix of a run; none if it has none.
fn bad_prefix(
    monitor: &axle_ltl::bad_prefix::Monitor,
    run: &SystemRun,
    walked: &Walked,
) -> Option<SystemRun> {
    let states = walked.letters.len();
    // The state after the last step of a cycle is the first of the cycle.
    let last = if run.cycle > 0 { states - 1 } else { states };
    let rounds = if run.cycle > 0 { monitor.states.len() } else { 0 };
    let again = || (0..rounds).flat_map(|_| run.prefix()..last);
    let word = (0..last).chain(again()).map(|at| judge::valuation(&walked.letters[at]));
    let length = monitor.shortest(word)?;
    let steps: Vec<Option<u32>> =
        (0..run.steps.len()).chain(again()).map(|at| run.steps[at]).take(length - 1).collect();
    let claim = run.claim.get(..length).unwrap_or_default().to_vec();
    Some(SystemRun { steps, cycle: 0, claim })
}
