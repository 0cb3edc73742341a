//! The plan for a C program.
//!
//! The exact search pauses once ([`crate::program`]): counter abstraction, random walks and a
//! depth-first search then have a fixed budget each. Transactions precede the exact search, and
//! replace it unless it is not certain that they apply. Formulas follow.
//!
//! *Entry points:* [`attempts`], [`hunters`].

use axle_search::Arrangement;

use super::{Attempt, Kind, Share, Target};
use crate::config::{Config, Order};

/// States of the exact search at which the hunters start.
pub(crate) const NEAR: u64 = 100_000;

/// States after which threads are folded by counter abstraction, and the budgets of that search,
/// before the pause and in it. The first of each pair finds out whether threads can be folded.
pub(crate) const SOON: u64 = 10_000;
pub(crate) const FIRST_ABSTRACT_STATES: [u64; 2] = [300, 3_000];
pub(crate) const ABSTRACT_STATES: [u64; 2] = [1_000, 500_000];

/// States of the depth-first search.
const DEEP: u64 = 30_000;

/// Random walks, and steps of each at most.
const WALKS: [(u64, u64); 3] = [(50, 400), (4, 5_000), (1, 20_000)];

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
            plan.push(attempt(Kind::CounterAbstraction, Share::Fixed(ABSTRACT_STATES[1]), SOON, true));
        }
        plan.extend(hunters());
    }
    plan.extend(request.formulas.iter().enumerate().map(|(index, name)| Attempt {
        target: Target::Property(index, name.clone()),
        ..attempt(Kind::Property, Share::After, 0, true)
    }));
    plan
}

/// Whether the exact search pauses: not with limits or an order of its own.
pub(crate) fn has_pause(config: &Config) -> bool {
    config.order == Order::BreadthFirst
        && config.store.is_exact()
        && config.limits.errors == Some(1)
        && config.limits.depth.is_none()
        && config.limits.states.is_none()
}

/// The bug hunters of the pause.
pub(crate) fn hunters() -> impl Iterator<Item = Attempt> {
    let walks = WALKS.into_iter().map(|(walks, steps)| (Kind::RandomWalks(walks, steps), walks * steps));
    let deep = (Kind::DepthFirst(Arrangement::AsMade), DEEP);
    walks.chain([deep]).map(|(kind, states)| Attempt {
        kind,
        target: Target::States,
        share: Share::Fixed(states),
        start: NEAR,
        is_conclusive: false,
    })
}
