//! The search for a satisfying continuation after a number of steps of a violating execution: a search
//! for an accepting cycle from the state after these steps, with the automaton of the condition in the
//! locations that it can reach over the states before.
//!
//! *Entry points:* [`Prefixes::new`], [`Prefixes::search`].
//! *Source:* A. Bauer, M. Leucker, C. Schallhart, Runtime verification for LTL and TLTL, ACM TOSEM 20,
//! 2011: the subset construction over a finite word.
//! *Invariant:* an execution that begins with the steps satisfies the condition if and only if the
//! automaton accepts the rest of it from one of these locations.

use axle_evidence::lasso::SystemRun;
use axle_explicit::state_path::follow;
use axle_search::claim::Claim;
use axle_search::liveness::LivenessOptions;
use axle_search::{Algorithm, Fairness, Finding, Limits, Monitor, Stop, expand_alone, liveness};
use axle_step::{Batch, Fault, Graph, Grow, Observe, Statistics, Successors, Wrapper};
use axle_store::{Packed, PlainTable};

use crate::nearest::prefix_search::Continuation;

/// Whether an execution may end in a state with these faults.
type MayEnd<'f, G> = &'f dyn Fn(&G, &[Fault<<G as Successors>::Site>]) -> bool;

/// A violating execution in a system, with the automaton of the condition at each of its states.
pub(crate) struct Prefixes<'a, G, O> {
    stepper: &'a mut G,
    observer: &'a mut O,
    claim: &'a Claim,
    violating: &'a SystemRun,
    /// The state before each step and the one after the last. Trailing zeros may be missing.
    states: Vec<Vec<u8>>,
    /// For each of these states the locations of the automaton.
    locations: Vec<Vec<u32>>,
    fairness: Fairness,
    memory: Option<u64>,
}

impl<'a, G: Graph, O: Observe> Prefixes<'a, G, O> {
    /// Follows a violating execution. `claim` accepts the executions that satisfy the condition, and the
    /// observer evaluates its atoms in states of `stepper`.
    ///
    /// # Errors
    /// The system has no such execution.
    pub(crate) fn new(
        (stepper, observer): (&'a mut G, &'a mut O),
        claim: &'a Claim,
        violating: &'a SystemRun,
        fairness: Fairness,
        memory: Option<u64>,
    ) -> Result<Self, String> {
        let (mut state, mut batch) = (stepper.initial(&mut Vec::new()), Batch::default());
        let mut states = vec![state.clone()];
        for (index, &position) in violating.steps.iter().enumerate() {
            if let Some(position) = position {
                follow(stepper, &mut state, position, &mut batch)
                    .ok_or_else(|| format!("step {} does not exist", index + 1))?;
            }
            states.push(state.clone());
        }
        let locations = locations(claim, &letters(stepper, observer, &states));
        Ok(Prefixes { stepper, observer, claim, violating, states, locations, fairness, memory })
    }

    /// Searches for a satisfying execution that begins with a number of steps. `is_suitable` receives
    /// the faults in the last state of an execution that ends there, and the system.
    pub(crate) fn search(
        &mut self,
        steps: usize,
        states: u64,
        is_suitable: MayEnd<'_, G>,
        monitor: &mut impl Monitor,
    ) -> Continuation {
        if self.locations[steps].is_empty() {
            return Continuation::None;
        }
        let claim = Claim { initial: self.locations[steps].clone(), ..self.claim.clone() };
        let start = &self.states[steps];
        let mut system = StartingAt { inner: &mut *self.stepper, start };
        // The search keeps a few bytes a state beside the set.
        let limit = self.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
        let width = liveness::width(&system);
        let Ok(mut set) = Packed::with_limit(width, limit, PlainTable::with_limit) else {
            return Continuation::Stopped;
        };
        let options = LivenessOptions {
            fairness: self.fairness,
            algorithm: Algorithm::Components,
            shorten: true,
            limits: Limits { states: Some(states), memory: self.memory, ..Limits::default() },
            ..LivenessOptions::default()
        };
        let outcome = liveness::search(&mut system, self.observer, &claim, &mut set, &options, monitor);
        let Ok(outcome) = outcome else { return Continuation::Stopped };
        let Some(Finding::Cycle(lasso)) = outcome.finding else {
            return match outcome.stop {
                None => Continuation::None,
                Some(Stop::States) => Continuation::Limited,
                Some(_) => Continuation::Stopped,
            };
        };
        let before: Vec<Option<u32>> = lasso.prefix.iter().map(|step| step.system).collect();
        let cycle: Vec<Option<u32>> = lasso.cycle.iter().map(|step| step.system).collect();
        if cycle.iter().all(Option::is_none) && !self.ends_well(steps, &before, is_suitable) {
            return Continuation::Unsuitable;
        }
        let (length, first) = (cycle.len(), &self.violating.steps[..steps]);
        Continuation::Found(SystemRun {
            steps: first.iter().chain(&before).chain(&cycle).copied().collect(),
            cycle: length,
            claim: Vec::new(),
        })
    }

    /// Whether the state in which an execution ends is suitable.
    fn ends_well(&mut self, steps: usize, path: &[Option<u32>], is_suitable: MayEnd<'_, G>) -> bool {
        let (mut state, mut batch) = (self.states[steps].clone(), Batch::default());
        let mut next = |&position: &u32| follow(self.stepper, &mut state, position, &mut batch).is_some();
        path.iter().flatten().all(&mut next)
            && expand_alone(self.stepper, &mut state, &mut batch).is_ok()
            && is_suitable(self.stepper, &batch.faults)
    }
}

/// The valuation of the atoms in each state.
fn letters(stepper: &impl Graph, observer: &mut impl Observe, states: &[Vec<u8>]) -> Vec<Vec<u64>> {
    let width = stepper.width();
    if observer.width() != width {
        observer.grow(stepper.size());
    }
    let mut all = Vec::with_capacity(states.len() * width);
    for state in states {
        all.extend_from_slice(state);
        all.resize(all.len() + width - state.len(), 0);
    }
    let (mut bits, words) = (Vec::new(), observer.words());
    observer.observe(&all, &mut bits, &mut Vec::new());
    (0..states.len()).map(|at| bits[at * words..(at + 1) * words].to_vec()).collect()
}

/// For each state of an execution, the locations that the automaton can reach over the states before.
fn locations(claim: &Claim, letters: &[Vec<u64>]) -> Vec<Vec<u32>> {
    let mut here = claim.initial.clone();
    let mut all = Vec::with_capacity(letters.len());
    for letter in letters {
        let edges = here.iter().flat_map(|&at| &claim.locations[at as usize].edges);
        let mut next: Vec<u32> = edges.filter(|edge| edge.guard.holds(letter)).map(|edge| edge.to).collect();
        next.sort_unstable();
        next.dedup();
        all.push(std::mem::replace(&mut here, next));
    }
    all
}

/// A system whose executions start in another state.
struct StartingAt<'a, G> {
    inner: &'a mut G,
    start: &'a [u8],
}

impl<G: Graph> Successors for StartingAt<'_, G> {
    type Site = G::Site;

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&mut self, _: &mut Vec<Fault<G::Site>>) -> Vec<u8> {
        let mut state = self.start.to_vec();
        state.resize(self.inner.width(), 0);
        state
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch<G::Site>) -> Result<(), Grow> {
        self.inner.expand(states, out)
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn grow(&mut self, size: usize) {
        self.inner.grow(size);
    }
}

impl<G: Graph> Wrapper for StartingAt<'_, G> {
    type Inner = G;

    fn inner(&self) -> &G {
        self.inner
    }
}

impl<G: Graph> Statistics for StartingAt<'_, G> {
    fn taken(&self) -> &[Vec<bool>] {
        self.inner.taken()
    }
}
