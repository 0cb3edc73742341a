//! The search for executions that violate one property by several threads, with its checkpoints.
//!
//! One thread searches the first states; a larger state space is searched again by all threads
//! ([`axle_explicit::threads`]).
//!
//! *Entry points:* [`PropertyChecker::search_in_parallel`],
//! [`PropertyChecker::search_reduced_in_parallel`].
//! *Invariant:* counterexamples come from one thread, so they do not depend on the number of
//! threads.

use axle_explicit::successors::Tiered;
use axle_explicit::threads;
use axle_search::liveness::LivenessOptions;
use axle_search::{Analyses, Fairness, LivenessOutcome, Monitor, Reduced, Reduction, Stop};
use axle_step::{Graph, Observer};

use crate::judgement::checkpoint_labels::about_runs;
use crate::judgement::runs::search::{SearchTarget, visible};
use crate::judgement::runs::{PropertyChecker, PropertyOutcome};

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Searches the graph with all threads if one does not finish soon. Counterexamples are
    /// searched for by one.
    pub(super) fn search_in_parallel(
        &mut self,
        asked: &SearchTarget<'_>,
        stepper: &mut Tiered,
        observer: &mut Observer,
        question: &LivenessOptions,
    ) -> Result<LivenessOutcome, String> {
        if !self.resumes(asked, question.fairness, Reduction::None) {
            let question = threads::first_states(question, threads::MODEL);
            let first = self.explore(stepper, observer, asked.claim, &question)?;
            if first.stop != Some(Stop::States) {
                return Ok(first);
            }
        }
        let count = threads::searchers(self.config);
        let mut forks: Vec<_> = (0..count).map(|_| (stepper.fork(), asked.observer())).collect();
        match self.for_runs(&mut forks, asked, question, Reduction::None) {
            Some(outcome) => Ok(outcome),
            None => self.explore(stepper, observer, asked.claim, question),
        }
    }

    /// The lines that identify a search by several threads in its checkpoints, if checkpoints are
    /// written.
    fn about(&self, asked: &SearchTarget<'_>, fairness: Fairness, graph: Reduction) -> Option<String> {
        let of = (&**self.model, self.config, self.named?);
        let fairness = threads::fairness_of_several(fairness);
        Some(about_runs(of, asked.model, (asked.claim, asked.atoms), fairness, graph))
    }

    /// Whether a search by several threads continues from a checkpoint.
    pub(super) fn resumes(&mut self, asked: &SearchTarget<'_>, fairness: Fairness, graph: Reduction) -> bool {
        let Some(about) = self.about(asked, fairness, graph) else { return false };
        self.monitor.checkpoints().is_some_and(|kept| kept.goes_on(&about).is_some())
    }

    /// A search by several threads, with checkpoints if they are wanted.
    fn for_runs<G: Graph + Send>(
        &mut self,
        forks: &mut [(G, Observer)],
        asked: &SearchTarget<'_>,
        question: &LivenessOptions,
        graph: Reduction,
    ) -> Option<LivenessOutcome> {
        let about = self.about(asked, question.fairness, graph);
        if let (Some(about), Some(kept)) = (&about, self.monitor.checkpoints()) {
            kept.begins(about);
        }
        let outcome = threads::for_runs(forks, asked.claim, question, self.monitor);
        if let (Some(_), Some(kept)) = (about, self.monitor.checkpoints()) {
            kept.ended(outcome.as_ref().and_then(|outcome| outcome.stop));
        }
        outcome
    }

    /// Searches the reduced graph with all threads; none if one thread has to search it.
    pub(super) fn search_reduced_in_parallel(
        &mut self,
        asked: &SearchTarget<'_>,
        stepper: &Tiered,
        kind: Reduction,
        question: &LivenessOptions,
    ) -> Option<PropertyOutcome> {
        let count = threads::searchers(self.config);
        let mut steppers: Vec<Tiered> = (0..count).map(|_| stepper.fork()).collect();
        let constants = asked.interpreter.constants();
        let seen = visible(asked.atoms);
        // Those of this search only: one that continues from its checkpoint has no others.
        let analyses = &Analyses::default();
        let graphs =
            Reduced::for_threads(steppers.iter_mut(), asked.model, constants, Some(&seen), kind, analyses);
        let mut forks: Vec<_> = graphs.into_iter().map(|graph| (graph, asked.observer())).collect();
        let outcome = self.for_runs(&mut forks, asked, question, kind)?;
        let reduction = threads::all_savings(forks.iter().map(|(graph, _)| graph));
        Some(PropertyOutcome {
            outcome,
            run: None,
            fault_runs: Vec::new(),
            reduction,
            passes: Vec::new(),
            approximation: None,
            by: None,
        })
    }
}
