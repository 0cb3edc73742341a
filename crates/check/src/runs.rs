//! Checks what a model states about its runs, one property after the other, each with a search and
//! a verdict of its own.
//!
//! A run that a search finds is walked again by the interpreter, twice round its cycle, and judged
//! ([`crate::judge`]) before anyone hears of it.
//!
//! *Entry point:* [`check_runs`].
//! *Invariant:* "holds" comes from a search that ended by itself, and a property that could not be
//! searched for is unknown, with the reason.

use std::sync::Arc;

use axle_evidence::lasso::{SystemRun, Walked, replay_run};
use axle_evidence::report::{
    ApproximationReport, PassReport, PropertyReport, RunSearchReport, Verdict, ViolationReport,
};
use axle_evidence::trace::Trace;
use axle_ltl::degeneralise::degeneralise;
use axle_ltl::{Formula, translate_negation, vacuity};
use axle_model::Model;
use axle_reduce::Visible;
use axle_search::claim::{Claim, Edge, Guard, Location};
use axle_search::liveness::{self, LivenessOptions, Refused};
use axle_search::{Algorithm, Fairness, Finding, LivenessOutcome, Monitor, Prefix, Reduced, Reduction, Stop};
use axle_step::{Atom, FaultKind, Interpreter, Observer, Options, Successors};
use axle_store::{Packed, PlainTable};

use crate::checks::Check;
use crate::claims::{self, BadPrefixes, Source, Stated, claim_of, from_automaton};
use crate::config::{Config, EngineChoice};
use crate::describe;
use crate::engine::Tiered;
use crate::events::{self, Events};
use crate::guards::{guard, seen_true};
use crate::judge;
use crate::kept;
use crate::lossy;
use crate::lossy_runs;
use crate::passes::{self, Small, Whole};
use crate::run_report::{fairness_name, finite_run, violation};
use crate::store::{self, Told};
use crate::threads;

/// What came of the properties.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub properties: Vec<PropertyReport>,
    /// Runs that break properties, with how the report tells of them.
    pub violations: Vec<(RunViolation, ViolationReport)>,
    /// Why a search ended early, if one was told to.
    pub stop: Option<Stop>,
    /// A run that did not replay, or does not break its property.
    pub internal: Option<String>,
    /// Searches of a smaller model that had to be done again on the user's.
    pub again: u32,
}

impl Runs {
    /// Whether all properties hold.
    fn holds(&self) -> bool {
        self.properties.iter().all(|property| property.verdict == Verdict::Holds)
    }
}

/// What a search for runs is asked.
struct Asked<'a> {
    interpreter: &'a Interpreter,
    model: &'a Arc<Model>,
    claim: &'a Claim,
    atoms: &'a [Atom],
}

impl Asked<'_> {
    /// An observer for one more thread.
    fn observer(&self) -> Observer {
        let mut observer = Observer::new(self.interpreter, self.atoms.to_vec());
        observer.compile();
        observer
    }
}

/// A run that breaks a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunViolation {
    /// The name of the property.
    pub property: String,
    /// The run.
    pub run: SystemRun,
    /// The kind of fault where the run does not break the property but brings one of its propositions to
    /// where it cannot be evaluated.
    pub fault: Option<FaultKind>,
}

/// Walks a run to what is wrong again, and judges it. `options` are those of the search.
pub fn replay(
    model: &Arc<Model>,
    one: &RunViolation,
    fairness: Fairness,
    options: &Options,
) -> Result<Trace, String> {
    let stated = claims::stated(model).into_iter().find(|stated| stated.name == one.property);
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
    Ok(walked.trace)
}

/// A search for a run, told in terms of the whole graph.
struct Answer {
    outcome: LivenessOutcome,
    /// The run that was found, if one was.
    run: Option<SystemRun>,
    /// The run to each atom at fault.
    fault_runs: Vec<SystemRun>,
    reduction: Told,
    /// What made the model that was searched.
    passes: Vec<PassReport>,
    /// What the search may have missed.
    approximation: Option<ApproximationReport>,
}

/// The searches for the properties of a model.
struct Searches<'a, M> {
    model: &'a Arc<Model>,
    config: &'a Config,
    monitor: &'a mut M,
    /// The model is known to be large enough for compiling it to pay.
    large: bool,
    /// How many states the system has, where that is known.
    states: Option<u64>,
    /// Searches of a smaller model that had to be done again on the user's.
    again: u32,
    /// The property, where checkpoints are kept of the search for it.
    named: Option<&'a str>,
}

/// Checks the properties. `states` is the number of states of the system, where that is known; `stop`, why there are no more
/// searches.
pub(crate) fn check_runs(
    model: &Arc<Model>,
    config: &Config,
    stated: &[Stated],
    states: Option<u64>,
    stop: Option<Stop>,
    monitor: &mut impl Monitor,
) -> Runs {
    check_undecided(model, config, stated, states, stop, Vec::new(), monitor)
}

/// The same with the result for each property that was searched before. A property that holds according to it is searched
/// again unless there are no more searches, so that the report contains its remarks.
pub(crate) fn check_undecided(
    model: &Arc<Model>,
    config: &Config,
    stated: &[Stated],
    states: Option<u64>,
    stop: Option<Stop>,
    mut decided: Vec<Option<Runs>>,
    monitor: &mut impl Monitor,
) -> Runs {
    let large = states.is_none_or(|states| states > 2_000);
    let mut searches = Searches { model, config, monitor, large, states, again: 0, named: None };
    let mut runs = Runs { stop, ..Runs::default() };
    let mut holding = Vec::new();
    for (index, one) in stated.iter().enumerate() {
        let known = decided.get_mut(index).and_then(Option::take);
        if let Some(known) = known.filter(|known| runs.stop.is_some() || !known.holds()) {
            runs.properties.extend(known.properties);
            runs.violations.extend(known.violations);
            runs.internal = runs.internal.or(known.internal);
            continue;
        }
        let mut property = PropertyReport {
            name: one.name.clone(),
            meaning: one.meaning.clone(),
            verdict: Verdict::Unknown,
            reason: None,
            remarks: Vec::new(),
            search: None,
        };
        match (runs.stop, &one.claim, &one.source) {
            // Whoever ended one search wants no other.
            (Some(stop), _, _) => property.reason = Some(describe::stop(Some(model), stop, config).message),
            (None, _, Source::Events(Ok(events))) => searches.follow(one, events, &mut property, &mut runs),
            (None, _, Source::Events(Err(reason))) | (None, Err(reason), _) => {
                property.reason = Some(reason.clone());
            }
            (None, Ok(claim), _) => {
                let claim = shaped(one, claim, algorithm(config));
                searches.named = Some(&one.name).filter(|_| searches.monitor.keeps()).map(String::as_str);
                let searched = searches.search(one, &claim);
                // What is asked besides, when it holds, is asked anew.
                searches.named = None;
                match searched {
                    Err(reason) => property.reason = Some(reason),
                    Ok(answer) => {
                        property.search = Some(told(one, config, &claim, &answer));
                        searches.decide(one, &answer, &mut property, &mut runs);
                        if property.verdict == Verdict::Holds {
                            holding.push((index, runs.properties.len(), answer.outcome));
                        }
                    }
                }
            }
        }
        runs.properties.push(property);
    }
    for (index, at, outcome) in holding {
        if runs.stop.is_none() {
            let remarks = searches.remarks(&stated[index], &outcome, &mut runs.stop);
            runs.properties[at].remarks.extend(remarks);
        }
    }
    runs.again = searches.again;
    runs
}

/// The algorithm: where the store may miss states there are no components to be found.
fn algorithm(config: &Config) -> Algorithm {
    match lossy_runs::applies(config) {
        true => Algorithm::NestedDfs,
        false => config.algorithm,
    }
}

/// The claim to search for: that of the bad prefixes if every violating run has one. Nested depth-first search takes one
/// acceptance set.
fn shaped(one: &Stated, claim: &Claim, algorithm: Algorithm) -> Claim {
    if let Some(prefixes) = safety(one) {
        return prefixes.claim.clone();
    }
    match (&one.source, algorithm) {
        (Source::Formula(formula), Algorithm::NestedDfs) if claim.sets > 1 => {
            match translate_negation(formula) {
                Ok(automaton) => from_automaton(&degeneralise(&automaton), one.atoms.len()),
                Err(_) => claim.clone(),
            }
        }
        _ => claim.clone(),
    }
}

/// The bad prefixes of a safety property.
fn safety(one: &Stated) -> Option<&BadPrefixes> {
    one.bad_prefixes.as_ref().filter(|prefixes| prefixes.is_safety())
}

/// The fairness assumption that matters for a property. Every finite run has a fair continuation, so none does for a
/// safety property.
fn fairness_for(one: &Stated, config: &Config) -> Fairness {
    if safety(one).is_some() { Fairness::None } else { config.fairness }
}

impl<M: Monitor> Searches<'_, M> {
    /// Searches for a run that the claim accepts.
    fn search(&mut self, one: &Stated, claim: &Claim) -> Result<Answer, String> {
        let reduction = self.reduction(one);
        let (fairness, algorithm) = (fairness_for(one, self.config), self.config.algorithm);
        // Only "no such run" is told of a slice, which such a store never says.
        if !lossy_runs::applies(self.config)
            && let Some(answer) = self.search_slice(one, claim)
        {
            return Ok(answer);
        }
        if let Some(small) = passes::for_property(self.model, self.config, one, &visible(&one.atoms)) {
            let mut answer = self.ask(&small.model, claim, &one.atoms, fairness, algorithm, reduction)?;
            if self.told_in_whole(&small, &mut answer) {
                answer.passes = small.passes;
                return Ok(answer);
            }
            self.again += 1;
        }
        self.ask(self.model, claim, &one.atoms, fairness, algorithm, reduction)
    }

    /// Searches the slice of the model for the property. An answer is that there is no run that breaks it; a slice
    /// may have more runs than the model has, and more states.
    fn search_slice(&mut self, one: &Stated, claim: &Claim) -> Option<Answer> {
        let small = passes::slice_for(self.model, self.config, one, &visible(&one.atoms))?;
        let reduction = match axle_reduce::obstacle(&small.model) {
            Some(reason) => Err(Told::Not(reason)),
            None => self.reduction(one),
        };
        let whole = self.config;
        let most = |states: u64| states.saturating_mul(claim.locations.len() as u64).saturating_add(100_000);
        let states = self.states.map(most);
        let states = whole.limits.states.into_iter().chain(states).min();
        let limits = axle_search::Limits { states, ..whole.limits };
        let config = Config { limits, ..whole.clone() };
        let mut sliced =
            Searches { model: self.model, config: &config, monitor: &mut *self.monitor, ..*self };
        let answer = sliced.ask(&small.model, claim, &one.atoms, Fairness::None, config.algorithm, reduction);
        let answer = answer.ok()?;
        let outcome = &answer.outcome;
        let early = matches!(outcome.stop, Some(Stop::Time | Stop::Interrupted));
        let quiet = outcome.stop.is_none() && outcome.finding.is_none() && outcome.faults.is_empty();
        (quiet || early).then_some(Answer { run: None, passes: small.passes, ..answer })
    }

    /// Tells what was found in a smaller model as runs of the user's; false where that has no such runs.
    fn told_in_whole(&self, small: &Small, answer: &mut Answer) -> bool {
        let options = self.config.step_options();
        let whole = |run: &SystemRun| Whole::new(&small.model, self.model, &options).run(run);
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

    /// How a search for a property may be reduced, or why it may not.
    fn reduction(&self, one: &Stated) -> Result<Reduction, Told> {
        match self.config.reduction {
            Reduction::None => return Err(Told::Off),
            Reduction::Ample | Reduction::Stubborn | Reduction::Guards => {}
        }
        if fairness_for(one, self.config) != Fairness::None {
            return Err(Told::Not("fairness depends on every step of every process"));
        }
        if let Some(reason) = axle_reduce::obstacle(self.model) {
            return Err(Told::Not(reason));
        }
        let blind = match &one.source {
            Source::Formula(formula) => axle_ltl::stutter::is_stutter_invariant(formula) == Ok(true),
            Source::Acceptance => true,
            Source::Never | Source::Progress | Source::Events(_) => false,
        };
        if !blind {
            return Err(Told::Not("it is not stutter-invariant"));
        }
        if let Some(reason) = axle_reduce::conflicts::visible_obstacle(&visible(&one.atoms)) {
            return Err(Told::Not(reason));
        }
        Ok(self.config.reduction)
    }

    fn ask(
        &mut self,
        model: &Arc<Model>,
        claim: &Claim,
        atoms: &[Atom],
        fairness: Fairness,
        algorithm: Algorithm,
        reduction: Result<Reduction, Told>,
    ) -> Result<Answer, String> {
        let config = self.config;
        let options = Options { movers: fairness != Fairness::None, ..config.step_options() };
        let engine = match config.engine {
            EngineChoice::Auto if self.large => EngineChoice::Compiled,
            choice => choice,
        };
        let mut stepper = Tiered::new(model, options, engine);
        let interpreter = Interpreter::new(Arc::clone(model), options);
        let mut observer = Observer::new(&interpreter, atoms.to_vec());
        if engine == EngineChoice::Compiled {
            observer.compile();
        }
        if lossy_runs::applies(config) {
            let searched = lossy_runs::explore(&mut stepper, &mut observer, claim, config, self.monitor);
            let (outcome, approximation) = searched.map_err(|refused| sentence(&refused))?;
            let run = outcome.finding.as_ref().map(|finding| system_run(claim, finding));
            let fault_runs = outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix)).collect();
            let reduction = Told::Not("the store is lossy");
            return Ok(Answer { outcome, run, fault_runs, reduction, passes: Vec::new(), approximation });
        }
        let question =
            LivenessOptions { fairness, algorithm, shorten: config.shortest, limits: config.limits };
        let asked = Asked { interpreter: &interpreter, model, claim, atoms };
        let several = threads::apply_to_runs(config, algorithm, self.named.is_some());
        let mut told = reduction.err().unwrap_or(Told::Off);
        if let Ok(kind) = reduction {
            let mut tries = vec![store::probing(&config.limits), config.limits];
            if several && self.goes_on(&asked, question.fairness, kind) {
                tries.remove(0);
            } else if several && self.goes_on(&asked, question.fairness, Reduction::None) {
                // It was seen then that it does not pay.
                (told, tries) = (store::DOES_NOT_PAY, Vec::new());
            }
            for limits in tries {
                let seen = Some(visible(atoms));
                if several
                    && limits == config.limits
                    && let Some(answer) = self.reduced_together(&asked, &stepper, kind, &question)
                {
                    return Ok(answer);
                }
                let mut graph = Reduced::new(&mut stepper, model, interpreter.constants(), seen, kind);
                let question = LivenessOptions { limits, ..question };
                let outcome = self.explore(&mut graph, &mut observer, claim, &question)?;
                let savings = Told::Done(graph.kind(), graph.savings());
                if outcome.stop == Some(Stop::States) && limits != config.limits {
                    if store::pays(savings) {
                        continue;
                    }
                    told = store::DOES_NOT_PAY;
                    break;
                }
                let run = outcome.finding.as_ref().map(|finding| system_run(claim, finding));
                let run = run.map(|run| unfolded(&mut graph, run));
                let prefixes = outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix));
                let fault_runs = prefixes.map(|run| unfolded(&mut graph, run)).collect();
                return Ok(Answer {
                    run,
                    fault_runs,
                    reduction: savings,
                    passes: Vec::new(),
                    approximation: None,
                    outcome,
                });
            }
        }
        let outcome = match several {
            true => self.together(&asked, &mut stepper, &mut observer, &question)?,
            false => self.explore(&mut stepper, &mut observer, claim, &question)?,
        };
        let run = outcome.finding.as_ref().map(|finding| system_run(claim, finding));
        let fault_runs = outcome.faults.iter().map(|f| system_prefix(claim, &f.prefix)).collect();
        Ok(Answer { outcome, run, fault_runs, reduction: told, passes: Vec::new(), approximation: None })
    }

    /// Searches the graph with several threads, where it is worth it and one need not tell what was found.
    fn together(
        &mut self,
        asked: &Asked<'_>,
        stepper: &mut Tiered,
        observer: &mut Observer,
        question: &LivenessOptions,
    ) -> Result<LivenessOutcome, String> {
        if !self.goes_on(asked, question.fairness, Reduction::None) {
            let first = self.explore(stepper, observer, asked.claim, &threads::first_states(question))?;
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

    /// What a checkpoint of a search by several threads says of it, where any are kept.
    fn about(&self, asked: &Asked<'_>, fairness: Fairness, graph: Reduction) -> Option<String> {
        let of = (&**self.model, self.config, self.named?);
        let fairness = threads::fairness_of_several(fairness);
        Some(kept::about_runs(of, asked.model, (asked.claim, asked.atoms), fairness, graph))
    }

    /// Whether a search by several threads goes on from a checkpoint.
    fn goes_on(&self, asked: &Asked<'_>, fairness: Fairness, graph: Reduction) -> bool {
        self.about(asked, fairness, graph).is_some_and(|about| self.monitor.goes_on(&about).is_some())
    }

    /// A search by several threads, of which checkpoints are kept where any are wanted.
    fn for_runs<G: Successors + Send>(
        &mut self,
        forks: &mut [(G, Observer)],
        asked: &Asked<'_>,
        question: &LivenessOptions,
        graph: Reduction,
    ) -> Option<LivenessOutcome> {
        let about = self.about(asked, question.fairness, graph);
        if let Some(about) = &about {
            self.monitor.begins(about);
        }
        let outcome = threads::for_runs(forks, asked.claim, question, self.monitor);
        if about.is_some() {
            self.monitor.ended(outcome.as_ref().and_then(|outcome| outcome.stop));
        }
        outcome
    }

    /// The same of the reduced graph; nothing where one thread has to do it.
    fn reduced_together(
        &mut self,
        asked: &Asked<'_>,
        stepper: &Tiered,
        kind: Reduction,
        question: &LivenessOptions,
    ) -> Option<Answer> {
        let count = threads::searchers(self.config);
        let mut steppers: Vec<Tiered> = (0..count).map(|_| stepper.fork()).collect();
        let constants = asked.interpreter.constants();
        let seen = visible(asked.atoms);
        let graphs = Reduced::for_threads(steppers.iter_mut(), asked.model, constants, Some(&seen), kind);
        let mut forks: Vec<_> = graphs.into_iter().map(|graph| (graph, asked.observer())).collect();
        let outcome = self.for_runs(&mut forks, asked, question, kind)?;
        let reduction = threads::all_savings(forks.iter().map(|(graph, _)| graph));
        Some(Answer {
            outcome,
            run: None,
            fault_runs: Vec::new(),
            reduction,
            passes: Vec::new(),
            approximation: None,
        })
    }

    fn explore(
        &mut self,
        stepper: &mut impl Successors,
        observer: &mut Observer,
        claim: &Claim,
        question: &LivenessOptions,
    ) -> Result<LivenessOutcome, String> {
        // The search keeps a few bytes a state beside the set.
        let limit = self.config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
        let Ok(mut set) = Packed::with_limit(liveness::width(stepper), limit, PlainTable::with_limit) else {
            return Ok(lossy_runs::nothing(claim));
        };
        liveness::search(stepper, observer, claim, &mut set, question, self.monitor)
            .map_err(|refused| sentence(&refused))
    }

    /// Says what a search means for its property.
    fn decide(&mut self, one: &Stated, answer: &Answer, property: &mut PropertyReport, runs: &mut Runs) {
        let outcome = &answer.outcome;
        if let Some(stop) = outcome.stop {
            if matches!(stop, Stop::Time | Stop::Interrupted) {
                runs.stop = Some(stop);
            }
            let covered = match (&answer.approximation, stop) {
                (Some(told), Stop::Approximate) => Some(lossy::covered(told)),
                _ => None,
            };
            let message = || describe::stop(Some(self.model), stop, self.config).message;
            property.reason = Some(covered.unwrap_or_else(message));
        } else if outcome.finding.is_none() {
            property.verdict = Verdict::Holds;
        }
        self.tell_faults(one, answer, property, runs);
        let (Some(finding), Some(run)) = (&outcome.finding, answer.run.clone()) else { return };
        match self.confirmed(one, run.clone(), outcome.states) {
            Ok((run, walked)) => {
                property.verdict = Verdict::Violated;
                property.reason = None;
                let fairness = fairness_for(one, self.config);
                let report = violation(one, finding, &run, &walked.trace, self.model, fairness);
                runs.violations.push((RunViolation { property: one.name.clone(), run, fault: None }, report));
            }
            Err(fault) => {
                property.verdict = Verdict::Unknown;
                property.reason = Some("a counterexample does not replay".to_string());
                runs.internal = Some(format!("{}: {fault}; steps {:?}", one.name, run.steps));
            }
        }
    }

    /// Checks an event trace.
    fn follow(&mut self, one: &Stated, events: &Events, property: &mut PropertyReport, runs: &mut Runs) {
        let config = self.config;
        let options = config.step_options();
        let outcome = events::search(self.model, events, &options, &config.limits, self.monitor);
        let [locations, edges] = events.size();
        property.search = Some(RunSearchReport {
            algorithm: "events".to_string(),
            fairness: fairness_name(Fairness::None).to_string(),
            reduction: None,
            passes: Vec::new(),
            propositions: Vec::new(),
            claim_states: [locations, u64::from(outcome.seen.count_ones())],
            claim_transitions: [edges, edges],
            states: outcome.states,
            transitions: outcome.transitions,
            states_memory: outcome.memory,
            search_memory: 0,
            approximation: None,
        });
        let Some(run) = outcome.found else {
            match outcome.stop {
                None => property.verdict = Verdict::Holds,
                Some(stop) => {
                    runs.stop = Some(stop).filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted));
                    property.reason = Some(describe::stop(Some(self.model), stop, config).message);
                }
            }
            return;
        };
        match self.confirm(one, &run) {
            Ok(_) => {
                property.verdict = Verdict::Violated;
                let message = format!("event trace {} violated by the last event: {}", one.name, one.meaning);
                let report = finite_run(one, self.model, &run, "event-trace", message);
                runs.violations.push((RunViolation { property: one.name.clone(), run, fault: None }, report));
            }
            Err(fault) => {
                property.reason = Some("a counterexample does not replay".to_string());
                runs.internal = Some(format!("{}: {fault}; steps {:?}", one.name, run.steps));
            }
        }
    }

    /// Confirms a run. A run with a bad prefix is replaced by the shortest bad prefix, as far as a breadth-first search
    /// of a number of states that depends on those that were stored finds it, or by its own.
    fn confirmed(
        &mut self,
        one: &Stated,
        run: SystemRun,
        states: u64,
    ) -> Result<(SystemRun, Walked), String> {
        let walked = self.confirm(one, &run)?;
        let Some(prefixes) = &one.bad_prefixes else { return Ok((run, walked)) };
        let Some(own) = bad_prefix(&prefixes.monitor, &run, &walked) else { return Ok((run, walked)) };
        let shortest = (!own.steps.is_empty()).then(|| self.shortest_prefix(one, prefixes, states)).flatten();
        let best = shortest.filter(|shortest| shortest.steps.len() < own.steps.len()).unwrap_or(own);
        let walked = self.confirm(one, &best)?;
        Ok((best, walked))
    }

    /// The shortest bad prefix in the whole graph of the model; none if that needs too many states.
    fn shortest_prefix(&mut self, one: &Stated, prefixes: &BadPrefixes, states: u64) -> Option<SystemRun> {
        let most = states.saturating_mul(2).max(SHORT);
        let limit = self.config.limits.states.map_or(most, |limit| limit.min(most));
        let limits = axle_search::Limits { states: Some(limit), ..self.config.limits };
        let question = LivenessOptions { limits, ..LivenessOptions::default() };
        let options = self.config.step_options();
        let mut stepper = Tiered::new(self.model, options, self.config.engine);
        let interpreter = Interpreter::new(Arc::clone(self.model), options);
        let mut observer = Observer::new(&interpreter, one.atoms.clone());
        let outcome = self.explore(&mut stepper, &mut observer, &prefixes.claim, &question).ok()?;
        outcome.finding.as_ref().map(|finding| system_run(&prefixes.claim, finding))
    }

    /// Replays a run and evaluates the property on it.
    fn confirm(&self, one: &Stated, run: &SystemRun) -> Result<Walked, String> {
        let mut run = run.clone();
        if self.config.spoil_paths {
            run.steps.push(Some(u32::MAX));
        }
        let walked = replay_run(self.model, &run, &one.atoms, &one.texts, &self.config.step_options())
            .map_err(|fault| fault.to_string())?;
        judge::breaks(one, &run, &walked, self.config.fairness)?;
        Ok(walked)
    }

    /// Tells of propositions that could not be evaluated. That a process is not there (yet) is no fault of a
    /// property, which looks at every state: its variables count as 0 then, as in Spin. Any other fault leaves
    /// the proposition without a value, and a property that rests on one does not hold, whichever checks are
    /// switched on.
    fn tell_faults(&self, one: &Stated, answer: &Answer, property: &mut PropertyReport, runs: &mut Runs) {
        for (fault, run) in answer.outcome.faults.iter().zip(&answer.fault_runs) {
            let text = one.texts.get(fault.atom as usize).map_or("?", String::as_str);
            if fault.kind == FaultKind::NoProcess {
                property.remarks.push(format!("`{text}` counts as 0 in states without this process"));
                continue;
            }
            if property.verdict == Verdict::Holds {
                let why = axle_evidence::words::sentence(fault.kind, None);
                property.verdict = Verdict::Unknown;
                property.reason = Some(format!("`{text}` cannot be evaluated in a reachable state: {why}"));
            }
            let check = Check::of(fault.kind);
            if !self.config.checks.contains(&check) {
                continue;
            }
            let run = run.clone();
            let mut message = axle_evidence::words::sentence(fault.kind, None);
            message.push_str(&format!(", in `{text}` of {}", one.name));
            let kind = fault.kind.name();
            let report = ViolationReport {
                property: check.name().to_string(),
                ..finite_run(one, self.model, &run, kind, message)
            };
            let found = RunViolation { property: one.name.clone(), run, fault: Some(fault.kind) };
            runs.violations.push((found, report));
        }
    }

    /// Why a property that holds may hold for an empty reason.
    fn remarks(&mut self, one: &Stated, outcome: &LivenessOutcome, stop: &mut Option<Stop>) -> Vec<String> {
        let mut remarks = Vec::new();
        let Source::Formula(formula) = &one.source else { return remarks };
        let claim = match &one.claim {
            Ok(claim) => shaped(one, claim, algorithm(self.config)),
            Err(_) => return remarks,
        };
        let others = || (0u32..).zip(&claim.locations).filter(|(at, _)| !claim.initial.contains(at));
        let stayed = others().all(|(at, _)| !outcome.coverage.locations[at as usize]);
        // Where the first step of the automaton breaks the property, not to take it is what is wanted.
        let ways = others().any(|(at, location)| !is_doomed(at, location, claim.all_marks()));
        if stayed && ways {
            remarks.push(
                "vacuous: the automaton of the negated property never leaves its initial state".to_string(),
            );
        }
        let doubtful: Vec<Formula> = vacuity::antecedents(formula)
            .into_iter()
            .filter(|left| guard(left, true).is_some() && !seen_true(left, &claim, outcome))
            .collect();
        match self.ever(&doubtful, one) {
            Ok(Some(seen)) => {
                let never = doubtful.iter().zip(seen).filter(|(_, seen)| !seen);
                remarks.extend(never.map(|(left, _)| {
                    let left = axle_ltl::print::formula(left, &one.texts);
                    format!("vacuous: antecedent `{left}` is never true")
                }));
            }
            Ok(None) => {}
            Err(early) => *stop = early.filter(|s| matches!(s, Stop::Time | Stop::Interrupted)),
        }
        if self.config.vacuity && stop.is_none() {
            self.vacuous(one, formula, &mut remarks, stop);
        }
        remarks
    }

    /// Which of some conditions on a state are true in any state at all: a search for nothing, by an automaton of
    /// one state with an edge for each. None where there are none to ask for.
    fn ever(&mut self, conditions: &[Formula], one: &Stated) -> Result<Option<Vec<bool>>, Option<Stop>> {
        if conditions.is_empty() {
            return Ok(None);
        }
        let always = Edge { guard: Guard::always(), asserts: None, to: 0, marks: 0 };
        let edges = (conditions.iter())
            .map(|condition| Edge { guard: guard(condition, true).unwrap_or_default(), ..always.clone() })
            .chain([always.clone()])
            .collect();
        let locations = vec![Location { edges, end: false }];
        let claim = Claim { locations, initial: vec![0], sets: 1, atoms: one.atoms.len() as u32 };
        // Which conditions ever hold can be seen in the reduced graph too.
        let reduction = self.reduction(one);
        let small = passes::for_property(self.model, self.config, one, &visible(&one.atoms));
        let model = small.map_or_else(|| Arc::clone(self.model), |small| small.model);
        let answer = self.ask(&model, &claim, &one.atoms, Fairness::None, Algorithm::Components, reduction);
        let outcome = answer.map_err(|_| None)?.outcome;
        match outcome.stop {
            Some(stop) => Err(Some(stop)),
            None => Ok(Some(outcome.coverage.edges[0][..conditions.len()].to_vec())),
        }
    }

    /// Checks the formula with each of its parts made as strong as can be.
    fn vacuous(
        &mut self,
        one: &Stated,
        formula: &Formula,
        remarks: &mut Vec<String>,
        stop: &mut Option<Stop>,
    ) {
        let mut found: Vec<vacuity::Strengthened> = Vec::new();
        for stronger in vacuity::strengthened(formula) {
            // What lies inside a part that may be anything may be anything itself.
            if found.iter().any(|outer| stronger.place.starts_with(&outer.place)) {
                continue;
            }
            let Ok(claim) = claim_of(&stronger.formula, one.atoms.len()) else { continue };
            // A formula with `X` that cannot count steps may have parts that can.
            let reduction = match formula.has_next() {
                true => Err(Told::Off),
                false => self.reduction(one),
            };
            let fairness = self.config.fairness;
            let Ok(answer) =
                self.ask(self.model, &claim, &one.atoms, fairness, Algorithm::Components, reduction)
            else {
                continue;
            };
            let outcome = answer.outcome;
            if let Some(early) = outcome.stop {
                *stop = Some(early).filter(|s| matches!(s, Stop::Time | Stop::Interrupted));
                remarks.push(format!(
                    "vacuity is unknown: {}",
                    describe::stop(Some(self.model), early, self.config).message
                ));
                return;
            }
            if outcome.finding.is_none() {
                found.push(stronger);
            }
        }
        match found.is_empty() {
            true => remarks.push("not vacuous: no subformula can be replaced".to_string()),
            false => {
                let parts: Vec<String> = found.iter().map(|part| vacuity::told(part, &one.texts)).collect();
                remarks.push(format!("vacuous: the property would still hold if {}", parts.join(", or ")));
            }
        }
    }
}

/// States of a search for the shortest bad prefix in any case.
const SHORT: u64 = 100_000;

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

/// Why a question cannot be answered.
fn sentence(refused: &Refused) -> String {
    match refused {
        Refused::Claim(fault) => format!("its automaton is not well formed: {fault:?}"),
        Refused::Atoms => "its automaton has more propositions than are observed".to_string(),
        Refused::Sets => "nested depth-first search supports a single acceptance set".to_string(),
        Refused::Fairness => {
            "nested depth-first search does not support fairness; use --search scc".to_string()
        }
        Refused::Movers => {
            "fairness needs the processes that move in each step, and they are unknown".to_string()
        }
    }
}

/// Whether every run violates the property once the claim is here.
fn is_doomed(at: u32, location: &Location, all_marks: u64) -> bool {
    let stays = |edge: &Edge| edge.to == at && edge.marks == all_marks && edge.guard == Guard::always();
    location.end || location.edges.iter().any(stays)
}

/// What atoms see.
pub(crate) fn visible(atoms: &[Atom]) -> Visible {
    let mut visible = Visible::default();
    for atom in atoms {
        match atom {
            Atom::Holds(expr) => visible.expressions.push(expr.clone()),
            Atom::Accepting => visible.accepting = true,
        }
    }
    visible
}

/// A run of the reduced graph as one of the whole graph. Where there is none the replay will say so.
fn unfolded<G: axle_step::Selective>(graph: &mut Reduced<'_, G>, run: SystemRun) -> SystemRun {
    let Some(steps) = graph.unfold_run(&run.steps) else { return run };
    let cycle = steps[run.prefix()..].iter().map(Vec::len).sum();
    let as_before = steps.iter().all(|some| some.len() == 1);
    // The automaton has no place of its own in states that were passed through.
    let claim = if as_before { run.claim.clone() } else { Vec::new() };
    SystemRun { steps: steps.into_iter().flatten().collect(), cycle, claim }
}

/// The system's part of what was found.
fn system_run(claim: &Claim, finding: &Finding) -> SystemRun {
    let target = |at: u32, edge: u32| claim.locations[at as usize].edges[edge as usize].to;
    match finding {
        Finding::Cycle(lasso) => SystemRun::of_lasso(lasso, target),
        Finding::ClaimEnd(prefix, _) | Finding::ClaimAssertion(prefix, _) => system_prefix(claim, prefix),
    }
}

fn system_prefix(claim: &Claim, prefix: &Prefix) -> SystemRun {
    SystemRun::of_prefix(prefix, |at, edge| claim.locations[at as usize].edges[edge as usize].to)
}

/// The search, for the report.
fn told(one: &Stated, config: &Config, claim: &Claim, answer: &Answer) -> RunSearchReport {
    let outcome = &answer.outcome;
    let count = |seen: &[bool]| seen.iter().filter(|seen| **seen).count() as u64;
    let edges: u64 = outcome.coverage.edges.iter().map(|seen| count(seen)).sum();
    RunSearchReport {
        algorithm: match algorithm(config) {
            Algorithm::Components => "scc",
            Algorithm::NestedDfs => "nested",
        }
        .to_string(),
        fairness: fairness_name(fairness_for(one, config)).to_string(),
        reduction: describe::reduction(config, answer.reduction),
        passes: answer.passes.clone(),
        propositions: one.texts.clone(),
        claim_states: [claim.locations.len() as u64, count(&outcome.coverage.locations)],
        claim_transitions: [claim.edges().count() as u64, edges],
        states: outcome.states,
        transitions: outcome.transitions,
        states_memory: outcome.memory.states,
        search_memory: outcome.memory.paths,
        approximation: answer.approximation.clone(),
    }
}
