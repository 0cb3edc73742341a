//! Liveness checking: decides whether a system has an execution that a claim accepts. This file
//! defines the options, the result and the common entry point of the searches.
//!
//! The product of system and claim is built on demand. One of the searches finds an accepting
//! cycle, or an edge of the claim that is a violation by itself, and the counterexample is
//! reconstructed. Faults in the system's own transitions are left to a safety search, which covers
//! all executions and not only those that the claim follows.
//!
//! *Entry point:* [`search`].

pub mod claim;
pub(crate) mod claim_components;
mod explorer;
pub mod lasso;
pub(crate) mod look_ahead;
mod nested_dfs;
pub(crate) mod product;
pub(crate) mod ring;
mod scc;
mod strong_fairness;
mod trace;
mod weak_fairness;

use axle_step::{Batch, FaultKind, Observe, Successors};
use axle_store::Numbered;

use crate::liveness::claim::{Atom, Claim, Malformed};
use crate::liveness::explorer::Explorer;
use crate::liveness::lasso::{Lasso, Prefix};
use crate::limits::{Limits, Stop};
use crate::outcome::Memory;
use crate::liveness::product::{HEAD, Product};
use crate::progress::Monitor;
use crate::liveness::scc::Component;

/// Assumption about the scheduler. A process is *enabled* in a state if some successor is one of
/// its transitions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Fairness {
    /// No assumption.
    #[default]
    None,
    /// Weak fairness: a process that is continuously enabled from some point on is executed
    /// infinitely often.
    Weak,
    /// Strong fairness: a process that is enabled infinitely often is executed infinitely often.
    Strong,
}

/// Search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Algorithm {
    /// Strongly connected components: any acceptance condition, any fairness assumption.
    #[default]
    Components,
    /// Nested depth-first search: two bits per state, at most one acceptance set, no fairness.
    NestedDfs,
}

/// Counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// An infinite (fair) execution that meets every acceptance set infinitely often.
    Cycle(Lasso),
    /// The claim terminates: after the steps of the prefix, by this edge of its location.
    ClaimEnd(Prefix, u32),
    /// An assertion of the claim fails: after the steps of the prefix, on this edge of its
    /// location.
    ClaimAssertion(Prefix, u32),
}

/// An atom whose evaluation failed; its value was taken as false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomFault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// The atom.
    pub atom: Atom,
    /// Path to the state in which the evaluation failed.
    pub prefix: Prefix,
}

/// Coverage of the claim by the search, for vacuity detection.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClaimCoverage {
    /// For each location, whether the claim reached it.
    pub locations: Vec<bool>,
    /// For each location and edge, whether its guard was ever true.
    pub edges: Vec<Vec<bool>>,
}

impl ClaimCoverage {
    /// Coverage before the search.
    pub fn none(claim: &Claim) -> ClaimCoverage {
        ClaimCoverage {
            locations: vec![false; claim.locations.len()],
            edges: claim.locations.iter().map(|location| vec![false; location.edges.len()]).collect(),
        }
    }
}

/// Result of a search for one claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LivenessOutcome {
    /// Counterexample, if one was found. The claim is unsatisfied if this and `stop` are `None` and
    /// `faults` is empty.
    pub finding: Option<Finding>,
    /// Atoms whose evaluation failed where their value was required: one entry per kind and atom.
    pub faults: Vec<AtomFault>,
    /// Number of product states stored.
    pub states: u64,
    /// Number of transitions of the product.
    pub transitions: u64,
    /// Coverage of the claim.
    pub coverage: ClaimCoverage,
    /// Reason for an incomplete search, other than a counterexample.
    pub stop: Option<Stop>,
    /// For every process type and edge, whether the edge was executed.
    pub taken: Vec<Vec<bool>>,
    /// Memory use at the end: states and search structures.
    pub memory: Memory,
}

impl LivenessOutcome {
    /// Result of a search that stopped before its first state.
    pub fn nothing(claim: &Claim, stop: Stop) -> LivenessOutcome {
        LivenessOutcome {
            finding: None,
            faults: Vec::new(),
            states: 0,
            transitions: 0,
            coverage: ClaimCoverage::none(claim),
            stop: Some(stop),
            taken: Vec::new(),
            memory: Memory::default(),
        }
    }
}

/// Options of a liveness search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LivenessOptions {
    /// Fairness assumption. Any value except [`Fairness::None`] requires a successor function that
    /// reports the executing processes ([`axle_step::Options::movers`]).
    pub fairness: Fairness,
    /// Search algorithm.
    pub algorithm: Algorithm,
    /// Whether to spend more time on a shorter counterexample: a shortest path to the shortest
    /// cycle among those tried. Otherwise only the path to the component is shortest.
    pub shorten: bool,
    /// Resource limits. With [`Limits::depth`] the search covers all states within that many steps
    /// ([`Explorer::explore_to`]). [`Limits::errors`] does not apply: there is one finding.
    pub limits: Limits,
}

impl LivenessOptions {
    /// Checks that the combination of claim, options and successor function is supported.
    pub(crate) fn check(
        &self,
        stepper: &mut impl Successors,
        observer: &dyn Observe,
        claim: &Claim,
    ) -> Result<(), Refused> {
        claim.check().map_err(Refused::Claim)?;
        if claim.words() != observer.words() {
            return Err(Refused::Atoms);
        }
        if self.algorithm == Algorithm::NestedDfs {
            if claim.sets > 1 {
                return Err(Refused::Sets);
            }
            if self.fairness != Fairness::None {
                return Err(Refused::Fairness);
            }
        }
        if self.fairness != Fairness::None && !says_who_moves(stepper) {
            return Err(Refused::Movers);
        }
        Ok(())
    }
}

/// Reason why a search is not supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The claim is not well-formed.
    Claim(Malformed),
    /// The claim has more atoms than the observer evaluates.
    Atoms,
    /// Nested depth-first search supports at most one acceptance set: degeneralise the claim.
    Sets,
    /// Nested depth-first search does not support fairness.
    Fairness,
    /// Fairness requires a successor function that reports the executing processes.
    Movers,
}

/// Initial width of a product state in bytes: the width that the set passed to [`search`] must
/// have.
pub fn width(stepper: &impl Successors) -> usize {
    HEAD + stepper.layout().width()
}

/// Searches for an execution of the system that the claim accepts. `set` must be empty and of width
/// [`width`]; the observer evaluates the claim's atoms, by their numbers, on the states of
/// `stepper`.
pub fn search<G: Successors, S: Numbered>(
    stepper: &mut G,
    observer: &mut dyn Observe,
    claim: &Claim,
    set: &mut S,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Result<LivenessOutcome, Refused> {
    question.check(stepper, observer, claim)?;
    let mut product = Product::new(stepper, observer, claim, question.fairness);
    product.ask(monitor.interrupt());
    let mut explorer = Explorer::new(product, set, &question.limits);
    let bounded = question.limits.depth.map_or(Ok(()), |depth| explorer.explore_to(depth, monitor));
    let searched = bounded.and_then(|()| match question.algorithm {
        Algorithm::Components => scc::search(&mut explorer, monitor),
        Algorithm::NestedDfs => nested_dfs::search(&mut explorer, monitor),
    });
    let (states, transitions) = (explorer.set.len(), explorer.transitions);
    let memory = Memory { states: explorer.set.memory(), paths: explorer.memory() };
    let coverage = explorer.product.coverage.clone();
    let mut outcome = LivenessOutcome {
        finding: None,
        faults: Vec::new(),
        states,
        transitions,
        coverage,
        stop: None,
        taken: explorer.product.taken(),
        memory,
    };
    match searched {
        Ok(found) => outcome.stop = explain(&mut explorer, found, question, &mut outcome, monitor).err(),
        Err(stop) => outcome.stop = Some(stop),
    }
    if outcome.finding.is_none() && outcome.stop.is_none() && explorer.is_truncated() {
        outcome.stop = Some(Stop::Depth);
    }
    if let Err(stop) = explain_faults(&mut explorer, &mut outcome, monitor) {
        outcome.stop = outcome.stop.or(Some(stop));
    }
    Ok(outcome)
}

/// Whether a successor function reports the executing processes, judged by the first expansion.
fn says_who_moves(stepper: &mut impl Successors) -> bool {
    let start = stepper.initial(&mut Vec::new());
    let mut batch = Batch::default();
    // An expansion that exceeds the layout is repeated by the search, which decides then.
    stepper.expand(&start, &mut batch).is_err() || batch.states.is_empty() || !batch.movers.is_empty()
}

/// Reconstructs the counterexample.
fn explain<G: Successors, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    found: Option<Component>,
    question: &LivenessOptions,
    outcome: &mut LivenessOutcome,
    monitor: &mut impl Monitor,
) -> Result<(), Stop> {
    let initial = initial(explorer);
    if let Some(component) = found {
        let mut lasso = trace::lasso(explorer, initial, &component, monitor)?;
        if question.shorten {
            lasso = trace::shorten(explorer, initial, &component, lasso, monitor)?;
        }
        outcome.finding = Some(Finding::Cycle(lasso));
    } else if let Some((number, alarm)) = explorer.alarm {
        let prefix = trace::path(explorer, initial, number, monitor)?;
        outcome.finding = Some(match alarm.assertion {
            true => Finding::ClaimAssertion(prefix, alarm.edge),
            false => Finding::ClaimEnd(prefix, alarm.edge),
        });
    }
    Ok(())
}

/// Reconstructs the path to each atom fault.
fn explain_faults<G: Successors, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    outcome: &mut LivenessOutcome,
    monitor: &mut impl Monitor,
) -> Result<(), Stop> {
    let initial = initial(explorer);
    // The reconstruction may find further faults, in states that the search had not reached.
    for (number, fault) in explorer.faults.clone() {
        let prefix = trace::path(explorer, initial, number, monitor)?;
        outcome.faults.push(AtomFault { kind: fault.kind, atom: fault.atom, prefix });
    }
    Ok(())
}

/// Number of product states before the first step.
fn initial<G: Successors, S: Numbered>(explorer: &Explorer<'_, G, S>) -> u32 {
    let mut locations = explorer.product.claim.initial.clone();
    locations.sort_unstable();
    locations.dedup();
    locations.len() as u32
}
