//! The search for executions that violate one property: of its slice, of a smaller model, or of the
//! model as it stands.
//!
//! A slice has more executions than the model, so only "holds" is concluded from it. A
//! counterexample of a smaller model is mapped to the original model; where that fails the original
//! model is searched. A reduction that leaves out too little in the first states is given up.
//!
//! *Entry point:* [`PropertyChecker::search`].
//! *Invariant:* an outcome without a counterexample and without a reason to stop is that of an
//! exhaustive search.

use std::sync::Arc;

use axle_evidence::lasso::SystemRun;
use axle_evidence::report::RunSearchReport;
use axle_explicit::stutter::is_stutter_invariant;
use axle_explicit::successors::Tiered;
use axle_explicit::{ReductionStatus, lossy_runs, run, threads};
use axle_model::Model;
use axle_question::claims::{Source, Stated};
use axle_question::config::{Config, SuccessorChoice};
use axle_reduce::Visible;
use axle_search::claim::Claim;
use axle_search::liveness::{LivenessOptions, Refused};
use axle_search::{
    Algorithm, Analyses, Checkpoints, Fairness, Finding, LivenessOutcome, Monitor, Prefix, Progress, Reduced,
    Reduction, Stop, liveness,
};
use axle_step::{Atom, Graph, Interpreter, Interrupt, Observer, Options};
use axle_store::NumberedSet;

use crate::judgement::passes::{SideBySide, SmallerModel};
use crate::judgement::run_report::fairness_name;
use crate::judgement::runs::{PropertyChecker, PropertyOutcome, algorithm, fairness_for};
use crate::judgement::vacuity::stays_initial;
use crate::judgement::{describe, passes};

/// States that are observed before the propositions are compiled, which takes about as long.
const FEW_OBSERVED: usize = 3_000;

/// The model and the claim of a search.
pub(super) struct SearchTarget<'a> {
    pub interpreter: &'a Interpreter,
    pub model: &'a Arc<Model>,
    pub claim: &'a Claim,
    pub atoms: &'a [Atom],
}

impl SearchTarget<'_> {
    /// An observer for one more thread.
    pub fn observer(&self) -> Observer {
        let mut observer = Observer::new(self.interpreter, self.atoms.to_vec());
        observer.compile();
        observer
    }
}

impl<M: Monitor> PropertyChecker<'_, M> {
    /// Searches for a run that the claim accepts.
    pub(super) fn search(&mut self, one: &Stated, claim: &Claim) -> Result<PropertyOutcome, String> {
        let (fairness, algorithm) = (fairness_for(one, self.config), self.config.algorithm);
        if let Some(engine) = self.by {
            return self.search_by(engine, self.model, claim, &one.atoms, fairness);
        }
        let reduction = self.reduction(one);
        // A slice can only prove that there is no counterexample, which a lossy store cannot.
        if !lossy_runs::applies(self.config)
            && let Some(answer) = self.search_slice(one, claim)
        {
            return Ok(answer);
        }
        if let Some(small) = passes::for_property(self.model, self.config, one, &visible(&one.atoms)) {
            let mut answer =
                self.search_model(&small.model, claim, &one.atoms, fairness, algorithm, reduction)?;
            if self.map_to_original(&small, &mut answer) {
                answer.passes = small.passes;
                return Ok(answer);
            }
            self.again += 1;
        }
        self.search_model(self.model, claim, &one.atoms, fairness, algorithm, reduction)
    }

    /// Searches the slice of the model for the property. The result is that there is no
    /// counterexample, or that the search was ended. A slice may have more runs than the model, and
    /// more states.
    fn search_slice(&mut self, one: &Stated, claim: &Claim) -> Option<PropertyOutcome> {
        let small = passes::slice_for(self.model, self.config, one, &visible(&one.atoms))?;
        let reduction = match axle_reduce::obstacle(&small.model) {
            Some(reason) => Err(ReductionStatus::NotApplied(reason)),
            None => self.reduction(one),
        };
        let whole = self.config;
        let locations = claim.locations.len() as u64;
        let most = move |states: u64| states.saturating_mul(locations).saturating_add(100_000);
        let states = self.states.get().map(most);
        let states = whole.limits.states.into_iter().chain(states).min();
        let limits = axle_search::Limits { states, ..whole.limits };
        let config = Config { limits, ..whole.clone() };
        let known = self.states.clone();
        let mut monitor = SliceLimit { monitor: &mut *self.monitor, most: move || known.get().map(most) };
        let mut sliced = PropertyChecker {
            model: self.model,
            config: &config,
            monitor: &mut monitor,
            large: self.large,
            states: self.states,
            again: self.again,
            named: self.named,
            by: None,
        };
        let answer =
            sliced.search_model(&small.model, claim, &one.atoms, Fairness::None, config.algorithm, reduction);
        let answer = answer.ok()?;
        let outcome = &answer.outcome;
        let early = matches!(outcome.stop, Some(Stop::Time | Stop::Interrupted));
        let quiet = outcome.stop.is_none() && outcome.finding.is_none() && outcome.faults.is_empty();
        (quiet || early).then_some(PropertyOutcome { run: None, passes: small.passes, ..answer })
    }

    /// Maps the runs found in a smaller model to the original model; false if that has no such
    /// runs.
    fn map_to_original(&self, small: &SmallerModel, answer: &mut PropertyOutcome) -> bool {
        let options = self.config.step_options();
        let whole = |run: &SystemRun| SideBySide::new(&small.model, self.model, &options).run(run);
        let run = answer.run.as_ref().map(whole);
        let fault_runs: Option<Vec<SystemRun>> = answer.fault_runs.iter().map(whole).collect();
        match (run, fault_runs) {
            (None, Some(fault_runs)) => answer.fault_runs = fault_runs,
            (Some(Some(run)), Some(fault_runs)) => {
                answer.run = Some(run);
                answer.fault_runs = fault_runs;
            }
            (Some(None), _) | (_, None) => return false,
        }
        true
    }

    /// The reduction of a search for a property, or why there is none.
    pub(super) fn reduction(&self, one: &Stated) -> Result<Reduction, ReductionStatus> {
        match self.config.reduction {
            Reduction::None => return Err(ReductionStatus::Off),
            Reduction::Ample | Reduction::Stubborn | Reduction::Guards => {}
        }
        if fairness_for(one, self.config) != Fairness::None {
            return Err(ReductionStatus::NotApplied("fairness depends on every step of every process"));
        }
        if self.config.limits.depth.is_some() {
            return Err(ReductionStatus::NotApplied("a limit on depth counts every step"));
        }
        if let Some(reason) = axle_reduce::obstacle(self.model) {
            return Err(ReductionStatus::NotApplied(reason));
        }
        if !is_stutter_invariant(self.model, one) {
            return Err(ReductionStatus::NotApplied("it is not stutter-invariant"));
        }
        if let Some(reason) = axle_reduce::visible_obstacle(&visible(&one.atoms)) {
            return Err(ReductionStatus::NotApplied(reason));
        }
        Ok(self.config.reduction)
    }

    /// Searches a model for a run that the claim accepts.
    pub(super) fn search_model(
        &mut self,
        model: &Arc<Model>,
        claim: &Claim,
        atoms: &[Atom],
        fairness: Fairness,
        algorithm: Algorithm,
        reduction: Result<Reduction, ReductionStatus>,
    ) -> Result<PropertyOutcome, String> {
        if let Some(engine) = self.by {
            return self.search_by(engine, model, claim, atoms, fairness);
        }
        let config = self.config;
        let options = Options { movers: fairness != Fairness::None, ..config.step_options() };
        let engine = config.successors_for(model);
        let mut stepper = Tiered::new(model, options, engine);
        if self.large {
            stepper.generate_at_once();
        }
        let interpreter = Interpreter::new(Arc::clone(model), options);
        let mut observer = Observer::new(&interpreter, atoms.to_vec());
        match engine {
            // Propositions that cannot be compiled are interpreted.
            SuccessorChoice::Compiled => _ = observer.compile(),
            SuccessorChoice::Auto if self.large => _ = observer.compile(),
            SuccessorChoice::Auto => observer.compile_after(FEW_OBSERVED),
            SuccessorChoice::Interpreter => {}
        }
        if lossy_runs::applies(config) {
            let searched = lossy_runs::explore(&mut stepper, &mut observer, claim, config, self.monitor);
            let (outcome, approximation) = searched.map_err(|refused| refusal(&refused))?;
            let run = outcome.finding.as_ref().map(|finding| system_run(claim, finding));
            let fault_runs = outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix)).collect();
            let reduction = ReductionStatus::NotApplied("the store is lossy");
            return Ok(PropertyOutcome {
                outcome,
                run,
                fault_runs,
                reduction,
                passes: Vec::new(),
                approximation,
                by: None,
            });
        }
        let question = LivenessOptions {
            fairness,
            algorithm,
            shorten: config.shortest,
            prefer: config.prefer,
            limits: config.limits,
            ..LivenessOptions::default()
        };
        let asked = SearchTarget { interpreter: &interpreter, model, claim, atoms };
        let several = threads::applies_to_runs(config, algorithm, self.named.is_some());
        let mut told = reduction.err().unwrap_or(ReductionStatus::Off);
        if let Ok(kind) = reduction {
            let mut tries = vec![run::probe_limits(&config.limits), config.limits];
            if several && self.resumes(&asked, question.fairness, kind) {
                tries.remove(0);
            } else if several && self.resumes(&asked, question.fairness, Reduction::None) {
                // The search before the checkpoint found that the reduction does not pay.
                (told, tries) = (run::DOES_NOT_PAY, Vec::new());
            }
            let analyses = &Analyses::default();
            for limits in tries {
                let seen = Some(visible(atoms));
                if several
                    && limits == config.limits
                    && let Some(answer) = self.search_reduced_in_parallel(&asked, &stepper, kind, &question)
                {
                    return Ok(answer);
                }
                let constants = interpreter.constants();
                let mut graph = Reduced::with_analyses(&mut stepper, model, constants, seen, kind, analyses);
                let question = LivenessOptions { limits, ..question };
                let outcome = self.explore(&mut graph, &mut observer, claim, &question)?;
                let savings = ReductionStatus::Applied(graph.kind(), graph.savings());
                if outcome.stop == Some(Stop::States) && limits != config.limits {
                    if run::pays(savings) {
                        continue;
                    }
                    told = run::DOES_NOT_PAY;
                    break;
                }
                let run = outcome.finding.as_ref().map(|finding| system_run(claim, finding));
                let run = run.map(|run| unfolded(&mut graph, run));
                let prefixes = outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix));
                let fault_runs = prefixes.map(|run| unfolded(&mut graph, run)).collect();
                return Ok(PropertyOutcome {
                    run,
                    fault_runs,
                    reduction: savings,
                    passes: Vec::new(),
                    approximation: None,
                    outcome,
                    by: None,
                });
            }
        }
        let outcome = match several {
            true => self.search_in_parallel(&asked, &mut stepper, &mut observer, &question)?,
            false => self.explore(&mut stepper, &mut observer, claim, &question)?,
        };
        let run = outcome.finding.as_ref().map(|finding| system_run(claim, finding));
        let fault_runs = outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix)).collect();
        Ok(PropertyOutcome {
            outcome,
            run,
            fault_runs,
            reduction: told,
            passes: Vec::new(),
            approximation: None,
            by: None,
        })
    }

    /// Searches a graph with an exact store.
    pub(super) fn explore(
        &mut self,
        stepper: &mut impl Graph,
        observer: &mut Observer,
        claim: &Claim,
        question: &LivenessOptions,
    ) -> Result<LivenessOutcome, String> {
        // The search stores a few bytes per state beside the set.
        let limit = self.config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
        let is_tree = threads::compresses_runs(self.config, self.named.is_some());
        let Ok(mut set) = NumberedSet::packed(liveness::width(stepper), limit, is_tree) else {
            return Ok(lossy_runs::nothing(claim));
        };
        liveness::search(stepper, observer, claim, &mut set, question, self.monitor)
            .map_err(|refused| refusal(&refused))
    }
}

/// The monitor of the search of a slice, which ends it if it has more states than are of use. The
/// number may become known during the search.
struct SliceLimit<'m, M, F> {
    monitor: &'m mut M,
    most: F,
}

impl<M: Monitor, F: Fn() -> Option<u64> + Send> Monitor for SliceLimit<'_, M, F> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        let is_large = (self.most)().is_some_and(|most| progress.states > most);
        self.monitor.watch(progress).or(is_large.then_some(Stop::States))
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        self.monitor.checkpoints()
    }
}

/// Why a search is not possible.
fn refusal(refused: &Refused) -> String {
    match refused {
        Refused::Claim(fault) => format!("its automaton is not well formed: {fault:?}"),
        Refused::Atoms => "its automaton has more propositions than are observed".to_string(),
        Refused::Sets => "nested depth-first search supports a single acceptance set".to_string(),
        Refused::Fairness => {
            "nested depth-first search does not support fairness; the search by components does".to_string()
        }
        Refused::Movers => {
            "fairness needs the processes that move in each step, and they are unknown".to_string()
        }
    }
}

/// A run of the reduced graph as a run of the full graph. If there is none, the replay fails and
/// reports it.
fn unfolded<G: axle_step::Selective>(graph: &mut Reduced<'_, G>, run: SystemRun) -> SystemRun {
    let Some(steps) = graph.unfold_run(&run.steps) else { return run };
    let cycle = steps[run.prefix()..].iter().map(Vec::len).sum();
    let as_before = steps.iter().all(|some| some.len() == 1);
    // The automaton has no location in states that were not stored.
    let claim = if as_before { run.claim.clone() } else { Vec::new() };
    SystemRun { steps: steps.into_iter().flatten().collect(), cycle, claim }
}

/// The system's part of a counterexample.
pub(super) fn system_run(claim: &Claim, finding: &Finding) -> SystemRun {
    let target = |at: u32, edge: u32| claim.locations[at as usize].edges[edge as usize].to;
    match finding {
        Finding::Cycle(lasso) => SystemRun::of_lasso(lasso, target),
        Finding::ClaimEnd(prefix, _) | Finding::ClaimAssertion(prefix, _) => system_prefix(claim, prefix),
    }
}

pub(super) fn system_prefix(claim: &Claim, prefix: &Prefix) -> SystemRun {
    SystemRun::of_prefix(prefix, |at, edge| claim.locations[at as usize].edges[edge as usize].to)
}

/// The search, for the report.
pub(super) fn search_report(
    one: &Stated,
    config: &Config,
    claim: &Claim,
    answer: &PropertyOutcome,
    kept: bool,
) -> RunSearchReport {
    let outcome = &answer.outcome;
    let count = |seen: &[bool]| seen.iter().filter(|seen| **seen).count() as u64;
    let edges: u64 = outcome.coverage.edges.iter().map(|seen| count(seen)).sum();
    RunSearchReport {
        algorithm: match (&answer.by, algorithm(config)) {
            (Some(by), _) => by.engine.0,
            (None, Algorithm::Components) => "scc",
            (None, Algorithm::NestedDfs) => "nested",
        }
        .to_string(),
        fairness: fairness_name(fairness_for(one, config)).to_string(),
        reduction: describe::reduction(config, answer.reduction),
        passes: answer.passes.clone(),
        propositions: one.texts.clone(),
        claim_states: [claim.locations.len() as u64, count(&outcome.coverage.locations)],
        claim_transitions: [claim.edges().count() as u64, edges],
        states: answer.by.as_ref().and_then(|by| by.states.clone()).unwrap_or(outcome.states.into()),
        transitions: outcome.transitions.into(),
        store: answer.by.as_ref().map_or(threads::store_of_runs(config, kept), |by| by.store).to_string(),
        states_memory: outcome.memory.states,
        search_memory: outcome.memory.paths,
        approximation: answer.approximation.clone(),
        is_safety: crate::judgement::runs::safety(one).is_some(),
        stays_initial: match &one.source {
            Source::Formula(formula) => stays_initial(formula, claim, outcome),
            _ => false,
        },
    }
}

/// The expressions that atoms evaluate.
pub fn visible(atoms: &[Atom]) -> Visible {
    let mut visible = Visible::default();
    for atom in atoms {
        match atom {
            Atom::Holds(expr) => visible.expressions.push(expr.clone()),
            Atom::Accepting => visible.accepting = true,
        }
    }
    visible
}
