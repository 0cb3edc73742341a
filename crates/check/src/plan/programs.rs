//! The plan for a C program.
//!
//! The exact search pauses where counter abstraction, random walks and a depth-first search start
//! (`race/interludes.rs`), each with a fixed number of states: so late that they take little of the time
//! of a search that finds nothing. A search with transactions leads if they apply; if it finds that they
//! did not, the exact search without them is repeated. Formulas follow.
//!
//! *Entry point:* [`attempts`].

use axle_question::EngineId;
use axle_question::config::{Config, Order};
use axle_search::Arrangement;

use crate::plan::attempt::{Attempt, Kind, Share, Target};

/// Searches with counter abstraction: the states of the exact search at which each starts, and its
/// numbers of states, one after the other. The first finds out whether threads can be folded.
const ABSTRACTIONS: [(u64, [u64; 2]); 2] = [(10_000, [300, 3_000]), (300_000, [1_000, 500_000])];

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
    /// Persistent sets of threads replace all threads.
    pub persistent_sets: bool,
    /// The states of the search with all threads for a shortest violation.
    pub shortest: u64,
    /// The names of the formulas.
    pub formulas: Vec<String>,
}

/// The attempts of a check of a program, in the order in which they start.
pub(crate) fn attempts(request: &Request<'_>) -> Vec<Attempt> {
    let search = request.search;
    let attempt = |kind, share, start, is_conclusive| Attempt {
        engine: EngineId::EXPLICIT,
        kind,
        target: Target::States,
        share,
        start,
        is_conclusive,
    };
    let is_exact = search.store.is_exact() && search.order != Order::Random;
    let mut plan = Vec::new();
    if request.transactions {
        plan.push(attempt(Kind::Transactions, Share::Rest, 0, is_exact));
    }
    let share = if request.transactions { Share::Otherwise } else { Share::Rest };
    plan.push(attempt(Kind::Safety, share, 0, is_exact));
    plan.extend(interludes(search, request.counter_abstraction));
    if request.persistent_sets {
        plan.push(attempt(Kind::Shortest, Share::AfterViolation(request.shortest), 0, false));
    }
    plan.extend(request.formulas.iter().enumerate().map(|(index, name)| Attempt {
        target: Target::Property(index, name.clone()),
        ..attempt(Kind::Property, Share::After, 0, true)
    }));
    plan.retain(|attempt| search.engine.is_none_or(|engine| attempt.engine == engine));
    plan
}

/// The exact search, as the leading attempt.
pub(crate) fn exact() -> Attempt {
    Attempt {
        engine: EngineId::EXPLICIT,
        kind: Kind::Safety,
        target: Target::States,
        share: Share::Rest,
        start: 0,
        is_conclusive: false,
    }
}

/// The attempts in the pauses of the exact search, if it has any.
fn interludes(search: &Config, counter_abstraction: bool) -> Vec<Attempt> {
    if !has_pause(search) {
        return Vec::new();
    }
    let abstraction = |(start, states): (u64, [u64; 2])| Attempt {
        engine: EngineId::COUNTER_ABSTRACTION,
        kind: Kind::CounterAbstraction(states),
        target: Target::States,
        share: Share::Fixed(states[1]),
        start,
        is_conclusive: true,
    };
    let abstractions = ABSTRACTIONS.into_iter().filter(|_| counter_abstraction).map(abstraction);
    abstractions.chain(hunters()).collect()
}

/// Whether the exact search pauses for others: not with limits or an order of its own.
fn has_pause(config: &Config) -> bool {
    config.order == Order::BreadthFirst
        && config.store.is_exact()
        && config.limits.errors == Some(1)
        && config.limits.depth.is_none()
        && config.limits.states.is_none()
}

/// The bug hunters, in the order in which they start.
fn hunters() -> impl Iterator<Item = Attempt> {
    let walks = WALKS.map(|(walks, steps)| (Kind::RandomWalks(walks, steps), walks * steps, WALKS_START));
    let (start, states) = DEPTH_FIRST;
    let depth_first = (Kind::DepthFirst(Arrangement::AsMade), states, start);
    walks.into_iter().chain([depth_first]).map(|(kind, states, start)| Attempt {
        engine: if matches!(kind, Kind::RandomWalks(..)) { EngineId::WALKS } else { EngineId::DEPTH_FIRST },
        kind,
        target: Target::States,
        share: Share::Fixed(states),
        start,
        is_conclusive: false,
    })
}
