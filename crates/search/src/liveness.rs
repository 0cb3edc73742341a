//! Liveness checking: decides whether a system has an execution that a claim accepts. This file
//! defines the common entry point of the searches.
//!
//! The product of system and claim is built on demand. One of the searches finds an accepting
//! cycle, or an edge of the claim that is a violation by itself, and the counterexample is
//! reconstructed. Faults in the system's own transitions are left to a safety search, which covers
//! all executions and not only those that the claim follows.
//!
//! *Entry point:* [`search`].

mod cheapest_prefix;
pub(crate) mod claim_components;
mod distance_order;
mod divided;
mod explorer;
pub(crate) mod look_ahead;
mod nested_dfs;
pub(crate) mod options;
pub(crate) mod product;
pub(crate) mod ring;
mod scc;
mod shortest_lasso;
mod strong_fairness;
mod trace;
mod weak_fairness;

use axle_outcome::{Algorithm, AtomFault, Claim, Fairness, Finding, LivenessOutcome, Memory, Stop};
use axle_step::{Graph, Observe};
use axle_store::Numbered;

pub use self::divided::{AcceptedCycle, DividedProduct};
pub use self::options::{LivenessOptions, Refused};
use crate::liveness::explorer::Explorer;
use crate::liveness::product::{HEAD, Product};
use crate::liveness::scc::Component;
use crate::progress::Monitor;

/// Initial width of a product state in bytes: the width that the set passed to [`search`] must
/// have.
pub fn width(stepper: &impl Graph) -> usize {
    HEAD + stepper.width()
}

/// Searches for an execution of the system that the claim accepts. `set` must be empty and of width
/// [`width`]; the observer evaluates the claim's atoms, by their numbers, on the states of
/// `stepper`.
pub fn search<G: Graph, S: Numbered>(
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
        Algorithm::Components => distance_order::search(&mut explorer, question.trial, monitor),
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

/// Reconstructs the counterexample.
fn explain<G: Graph, S: Numbered>(
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
            lasso = match question.fairness {
                Fairness::None => shortest_lasso::shortest(explorer, initial, lasso, monitor),
                Fairness::Weak | Fairness::Strong => {
                    trace::shorten(explorer, initial, &component, lasso, monitor)?
                }
            };
        }
        if let Some(measure) = question.prefer
            && let Some(cheapest) = cheapest_prefix::lasso(explorer, initial, &lasso, measure, monitor)?
        {
            lasso = cheapest;
        }
        outcome.finding = Some(Finding::Cycle(lasso));
    } else if let Some((number, alarm)) = explorer.alarm {
        let cheapest = match question.prefer {
            Some(measure) => cheapest_prefix::alarm(explorer, initial, measure, monitor)?,
            None => None,
        };
        let (prefix, alarm) = match cheapest {
            Some((path, alarm)) => (trace::along(explorer, &path, monitor)?, alarm),
            None => (trace::path(explorer, initial, number, monitor)?, alarm),
        };
        outcome.finding = Some(match alarm.assertion {
            true => Finding::ClaimAssertion(prefix, alarm.edge),
            false => Finding::ClaimEnd(prefix, alarm.edge),
        });
    }
    Ok(())
}

/// Reconstructs the path to each atom fault.
fn explain_faults<G: Graph, S: Numbered>(
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
fn initial<G: Graph, S: Numbered>(explorer: &Explorer<'_, G, S>) -> u32 {
    let mut locations = explorer.product.claim.initial.clone();
    locations.sort_unstable();
    locations.dedup();
    locations.len() as u32
}
