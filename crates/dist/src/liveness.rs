//! The search for executions that a claim accepts, by workers that divide the states of the product of
//! system and claim.
//!
//! All workers proceed in rounds, as in the search for violations of states. First they store all states of
//! the product, level by level. Then they remove states that cannot be on an accepting cycle until none is
//! removed any more: for each acceptance condition, states that no edge with the condition reaches, and
//! states without a predecessor. If states are left, they contain an accepting cycle, which the first worker
//! finds among them; the path to it is reconstructed backwards through the levels. Weak fairness of a
//! process is a further acceptance condition.
//!
//! *Entry point:* [`search_claim`].
//!
//! *Source:* I. Černá and R. Pelánek, Distributed explicit fair cycle detection, SPIN 2003 (one way catch
//! them young); K. Fisler et al., Is there a best symbolic cycle-detection algorithm?, TACAS 2001.
//!
//! *Invariant:* no state of an accepting cycle is ever removed. At the end, a component of the survivors that
//! no other one reaches has an edge of each condition, since all its states are reached from such edges, and a
//! cycle, since all its states have predecessors.
//!
//! *Cost:* for c conditions, 2 c + 1 expansions of each survivor in an iteration; one iteration suffices for
//! most claims of formulas, and a further one confirms it. 5 bytes for each state beside the set.

mod passes;
mod round;
mod trace;
mod worker;

use axle_outcome::{Claim, Fairness, Finding, LivenessOutcome, Memory, Stop};
use axle_search::Monitor;
use axle_search::liveness::{DividedProduct, LivenessOptions, Refused};
use axle_step::{Graph, Observe};

use crate::failure::Failure;
use crate::search::Setup;
use crate::worker_threads::by_workers;
use worker::{ClaimTerms, ClaimWorker, QUOTA};

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimAnswer {
    /// The search is complete or reached a limit.
    Outcome(Box<LivenessOutcome>),
    /// An edge of the claim is a violation by itself, or a proposition has no value: a search by one worker
    /// must report it.
    NeedsSequentialRerun,
    /// The question is not supported.
    Refused(Refused),
}

/// How an end is reached.
enum Found {
    /// No execution is accepted.
    Nothing,
    /// One that ends, or whose propositions have no value.
    Alarm,
    Cycle(Finding),
    Stopped(Stop),
}

/// Searches for an execution that the claim accepts, with one worker for each graph and observer of this
/// process. All of them must be the same functions, in all processes. There is no level log: an interrupted
/// search starts anew.
///
/// # Errors
///
/// If messages are damaged, or a worker is lost. A limit is no error: its reason is in the outcome.
///
/// # Panics
///
/// If there is no graph.
pub fn search_claim<G: Graph + Send, O: Observe + Send>(
    forks: &mut [(G, O)],
    claim: &Claim,
    setup: Setup<'_>,
    options: &LivenessOptions,
    monitor: &mut dyn Monitor,
) -> Result<ClaimAnswer, Failure> {
    assert!(!forks.is_empty(), "a search needs a worker");
    // One condition each for edges and for states; strong fairness relates the two.
    if options.fairness == Fairness::Strong {
        return Ok(ClaimAnswer::Refused(Refused::Fairness));
    }
    if let (graph, observer) = &mut forks[0]
        && let Err(refused) = DividedProduct::new(graph, observer, claim, options.fairness).map(drop)
    {
        return Ok(ClaimAnswer::Refused(refused));
    }
    let terms = ClaimTerms {
        claim,
        options,
        share: setup.memory / forks.len() as u64,
        quota: setup.quota.unwrap_or(QUOTA).max(1),
    };
    by_workers(forks, setup.peers, setup.pace, monitor, &terms, |terms, transport, fork, context| {
        let (graph, observer) = fork;
        let product = DividedProduct::new(graph, observer, terms.claim, terms.options.fairness);
        // The first graph was accepted, and all are the same function.
        let Ok(product) = product else { return Err(Failure::OtherSearch) };
        ClaimWorker::new(terms, transport, product, context).run()
    })
}

/// The outcome of a search with these sums.
fn outcome(all: round::Sums, found: Found) -> ClaimAnswer {
    let (finding, stop) = match found {
        Found::Alarm => return ClaimAnswer::NeedsSequentialRerun,
        Found::Nothing => (None, None),
        Found::Cycle(finding) => (Some(finding), None),
        Found::Stopped(stop) => (None, Some(stop)),
    };
    ClaimAnswer::Outcome(Box::new(LivenessOutcome {
        finding,
        faults: Vec::new(),
        states: all.figures.states,
        transitions: all.figures.transitions,
        coverage: all.coverage,
        stop,
        taken: all.taken,
        memory: Memory { states: all.figures.set_memory, paths: all.figures.other_memory },
    }))
}
