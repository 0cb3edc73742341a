//! Whether a system has a run that a claim describes: what is asked for, what comes back, and the
//! one entry to the searches for it.
//!
//! It builds the product of system and claim on demand, lets one of the searches look for a cycle
//! (or for an edge of the claim that is a violation by itself), and works out the run. Faults of
//! the system's own steps are not its business: a search for safety reports them, over all runs and
//! not only those that the claim follows.
//!
//! *Entry point:* [`search`].

use axle_step::{Batch, FaultKind, Observe, Successors};
use axle_store::Numbered;

use crate::claim::{Atom, Claim, Malformed};
use crate::explorer::Explorer;
use crate::lasso::{Lasso, Prefix};
use crate::limits::{Limits, Stop};
use crate::outcome::Memory;
use crate::product::{HEAD, Product};
use crate::progress::Monitor;
use crate::scc::Component;
use crate::{nested_dfs, scc, trace};

/// What is assumed of the scheduler. A process *is enabled* in a state if it moves in some successor of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Fairness {
    /// Nothing.
    #[default]
    None,
    /// A process that is enabled in every state from some point on moves again and again.
    Weak,
    /// A process that is enabled again and again moves again and again.
    Strong,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Algorithm {
    /// By strongly connected components: any acceptance, any fairness.
    #[default]
    Components,
    /// Nested depth-first search: two bits a state; at most one acceptance set, no fairness.
    NestedDfs,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// A run that goes on for ever and meets every acceptance set again and again (and is fair).
    Cycle(Lasso),
    /// The claim comes to its end: after the steps, by this edge of its location.
    ClaimEnd(Prefix, u32),
    /// An assertion of the claim fails: after the steps, on this edge of its location.
    ClaimAssertion(Prefix, u32),
}

/// An atom could not be evaluated; it counted as false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomFault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The atom.
    pub atom: Atom,
    /// The way to the state in which it went wrong.
    pub prefix: Prefix,
}

/// What of a claim the search has seen: for an account of whether a property holds for an empty reason.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClaimCoverage {
    /// For each location, whether the claim was ever there.
    pub locations: Vec<bool>,
    /// For each location and edge, whether its guard ever held there.
    pub edges: Vec<Vec<bool>>,
}

impl ClaimCoverage {
    /// Nothing was seen of a claim yet.
    pub fn none(claim: &Claim) -> ClaimCoverage {
        ClaimCoverage {
            locations: vec![false; claim.locations.len()],
            edges: claim.locations.iter().map(|location| vec![false; location.edges.len()]).collect(),
        }
    }
}

/// The result of a search for one claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LivenessOutcome {
    /// The counterexample, if one was found. None, with `stop` none and no faults: there is none.
    pub finding: Option<Finding>,
    /// Atoms that could not be evaluated where their value was asked for: one entry a kind and atom.
    pub faults: Vec<AtomFault>,
    /// Product states stored.
    pub states: u64,
    /// Transitions of the product.
    pub transitions: u64,
    /// What the search has seen of the claim.
    pub coverage: ClaimCoverage,
    /// Why the search ended before it had seen everything, other than by what it found.
    pub stop: Option<Stop>,
    /// For every process type and edge, whether the edge was taken.
    pub taken: Vec<Vec<bool>>,
    /// Memory in use at the end: states, and what the search itself needs.
    pub memory: Memory,
}

impl LivenessOutcome {
    /// That of a search that ended before its first state.
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

/// How to search, for what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LivenessOptions {
    /// What is assumed of the scheduler. Anything but [`Fairness::None`] needs a successor function that says who
    /// moves ([`axle_step::Options::movers`]).
    pub fairness: Fairness,
    /// Which search.
    pub algorithm: Algorithm,
    /// Whether to spend more time on a shorter counterexample: a shortest way to a cycle that is the shortest of
    /// those tried. Otherwise the way to the component found is shortest, and the cycle as it comes.
    pub shorten: bool,
    /// How far to go. [`Limits::depth`] and [`Limits::errors`] mean nothing here.
    pub limits: Limits,
}

impl LivenessOptions {
    /// Whether it can be answered as it is asked.
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

/// A question that cannot be answered as it is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The claim is not well-formed.
    Claim(Malformed),
    /// The claim has more atoms than the observer evaluates.
    Atoms,
    /// Nested depth-first search knows one acceptance set at most: degeneralise the claim.
    Sets,
    /// Nested depth-first search knows no fairness.
    Fairness,
    /// Fairness is asked for of a successor function that does not say who moves.
    Movers,
}

/// Bytes of a product state before the search begins: what the set that is handed to [`search`] must be as wide as.
pub fn width(stepper: &impl Successors) -> usize {
    HEAD + stepper.layout().width()
}

/// Searches for a run of the system that the claim describes. `set` must be empty and [`width`] wide; the observer
/// evaluates the claim's atoms, under their numbers, on the states of `stepper`.
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
    let searched = match question.algorithm {
        Algorithm::Components => scc::search(&mut explorer, monitor),
        Algorithm::NestedDfs => nested_dfs::search(&mut explorer, monitor),
    };
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
    if let Err(stop) = explain_faults(&mut explorer, &mut outcome, monitor) {
        outcome.stop = outcome.stop.or(Some(stop));
    }
    Ok(outcome)
}

/// Whether a successor function says who moves, as far as the first step tells.
fn says_who_moves(stepper: &mut impl Successors) -> bool {
    let start = stepper.initial(&mut Vec::new());
    let mut batch = Batch::default();
    // Where the first step needs more room than there is, what follows will tell.
    stepper.expand(&start, &mut batch).is_err() || batch.states.is_empty() || !batch.movers.is_empty()
}

/// Works out the run that breaks the claim.
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

/// Works out the way to each atom at fault.
fn explain_faults<G: Successors, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    outcome: &mut LivenessOutcome,
    monitor: &mut impl Monitor,
) -> Result<(), Stop> {
    let initial = initial(explorer);
    // Working out a run may find more of them; those came up in states that the search had not come to.
    for (number, fault) in explorer.faults.clone() {
        let prefix = trace::path(explorer, initial, number, monitor)?;
        outcome.faults.push(AtomFault { kind: fault.kind, atom: fault.atom, prefix });
    }
    Ok(())
}

/// How many product states there are before the first step.
fn initial<G: Successors, S: Numbered>(explorer: &Explorer<'_, G, S>) -> u32 {
    let mut locations = explorer.product.claim.initial.clone();
    locations.sort_unstable();
    locations.dedup();
    locations.len() as u32
}
