//! The plan for a C program.
//!
//! The exact search pauses where counter abstraction, random walks and a depth-first search start
//! ([`crate::program`]), each with a fixed budget: so late that they take little of the time of a
//! search that finds nothing. Transactions precede the exact search, and replace it unless it is not
//! certain that they apply. Formulas follow.
//!
//! *Entry points:* [`attempts`], [`hunters`].

use axle_search::Arrangement;

use super::{Attempt, Kind, Share, Target};
use crate::config::{Config, Order};

/// States of the exact search at which counter abstraction starts, and its budgets then. The first
/// finds out whether threads can be folded.
pub(crate) const FIRST_ABSTRACTION: (u64, [u64; 2]) = (10_000, [300, 3_000]);

/// The same for its second search.
pub(crate) const SECOND_ABSTRACTION: (u64, [u64; 2]) = (300_000, [1_000, 500_000]);

/// States of the exact search at which the walks start; each of their steps takes a tenth of the
/// time of a state.
const WALKS_START: u64 = 100_000;

/// Random walks, and steps of each at most.
const WALKS: [(u64, u64); 3] = [(50, 400), (4, 5_000), (1, 20_000)];

/// States of the exact search at which the depth-first search starts, and its budget. Its states take
/// more time than those of the exact search: it meets other steps, which are not memoised yet.
const DEPTH_FIRST: (u64, u64) = (500_000, 30_000);

/// What a check of a program asks for.
pub(crate) struct Request<'a> {
    pub search: &'a Config,
    /// Transactions precede the exact search.
    pub transactions: bool,
    /// Threads may be folded by counter abstraction.
    pub counter_abstraction: bool,
    /// The names of the formulas.
    pub formulas: Vec<String>,
}

/// The attempts of a check of a program, in the order in which they start.
pub(crate) fn attempts(request: &Request<'_>) -> Vec<Attempt> {
    let search = request.search;
    let attempt = |kind, share, start, is_conclusive| Attempt {
        kind,
        target: Target::States,
        share,
        start,
        is_conclusive,
    };
    let is_exact = search.store.is_exact() && search.order != Order::Random;
    let mut plan = Vec::new();
    if request.transactions {
        plan.push(attempt(Kind::Transactions, Share::Before, 0, is_exact));
    }
    plan.push(attempt(Kind::Safety, Share::Rest, 0, is_exact));
    if has_pause(search) {
        if request.counter_abstraction {
            plan.push(attempt(
                Kind::CounterAbstraction,
                Share::Fixed(SECOND_ABSTRACTION.1[1]),
                FIRST_ABSTRACTION.0,
                true,
            ));
        }
        plan.extend(hunters());
    }
    plan.extend(request.formulas.iter().enumerate().map(|(index, name)| Attempt {
        target: Target::Property(index, name.clone()),
        ..attempt(Kind::Property, Share::After, 0, true)
    }));
    plan
}

/// Whether the exact search pauses for others: not with limits or an order of its own.
pub(crate) fn has_pause(config: &Config) -> bool {
    config.order == Order::BreadthFirst
        && config.store.is_exact()
        && config.limits.errors == Some(1)
        && config.limits.depth.is_none()
        && config.limits.states.is_none()
}

/// The bug hunters, in the order in which they start.
pub(crate) fn hunters() -> impl Iterator<Item = Attempt> {
    let walks = WALKS.map(|(walks, steps)| (Kind::RandomWalks(walks, steps), walks * steps, WALKS_START));
    let (start, states) = DEPTH_FIRST;
    let depth_first = (Kind::DepthFirst(Arrangement::AsMade), states, start);
    walks.into_iter().chain([depth_first]).map(|(kind, states, start)| Attempt {
        kind,
        target: Target::States,
        share: Share::Fixed(states),
        start,
        is_conclusive: false,
    })
}
