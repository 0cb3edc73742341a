//! Swarm verification: many small diversified lossy searches instead of one exact search.
//!
//! Members search in turn for violations of states and steps and for executions that violate each
//! property ([`crate::searches`]). Members differ in hash functions, in their number, in the search order,
//! in the order of transitions and in the depth limit. The bit arrays double after every eight
//! members, so that first results are early and later members see more. The caller provides the
//! clock and the threads.
//!
//! *Entry point:* [`Swarm`].
//! *Source:* G. J. Holzmann, R. Joshi, A. Groce, "Swarm Verification Techniques", IEEE Transactions
//! on Software Engineering 37, 2011.
//! *Invariant:* equal numbers, seeds and sizes give equal members; no property holds because of a
//! swarm.

use axle_check::Checked;
use axle_question::config::{Approximate, Config, Order, StoreChoice};
use axle_search::{Arrangement, Limits, Monitor, Stop};

use crate::searches::Searches;

/// Bytes of the first arrays.
const FIRST: u64 = 1 << 20;

/// Members of one size.
pub const ROUND: u64 = 8;

/// The depth limit of the first members that have one.
pub(crate) const SHALLOW: u64 = 1_000;

/// A swarm.
#[derive(Debug)]
pub struct Swarm<S>(S);

impl<S: Searches> Swarm<S> {
    /// A swarm of these searches.
    pub fn new(searches: S) -> Swarm<S> {
        Swarm(searches)
    }

    /// How many kinds of members there are; they alternate.
    pub fn kinds(&self) -> u64 {
        self.0.kinds()
    }

    /// Whether anything is to be searched for by members of a kind.
    pub fn wants(&self, kind: u64) -> bool {
        self.0.wants(kind)
    }

    /// Runs the member with this number, with at most `memory` bytes.
    pub fn run(&self, number: u64, memory: u64, monitor: &mut dyn Monitor) -> S::Seen {
        let kinds = self.kinds();
        self.0.search(number % kinds, &member(self.0.config(), number / kinds, memory), monitor)
    }

    /// The results of all members together, each with its number. `stop`: why there are no more
    /// members, if they were interrupted.
    pub fn report(self, members: Vec<(u64, S::Seen)>, stop: Option<Stop>) -> Checked<S::Found> {
        let kinds = self.kinds();
        let members = members.into_iter().map(|(number, seen)| (number % kinds, seen)).collect();
        let mut checked = self.0.of_swarm(members, stop);
        checked.report.search.order = "swarm".to_string();
        checked
    }
}

/// The binary logarithm of the size of member `number` of a kind, relative to the first: memory and
/// time.
pub fn size(number: u64) -> u64 {
    number / ROUND
}

/// The configuration of a member, with at most `memory` bytes.
pub fn member(config: &Config, number: u64, memory: u64) -> Config {
    let size = size(number);
    let most = (memory / 4 * 3).max(1 << 12);
    let bytes = FIRST.checked_shl(size.try_into().unwrap_or(63)).unwrap_or(most).min(most);
    let seed = config.approximate.seed.wrapping_add(number);
    let shuffled = Arrangement::Shuffled(seed);
    let depth = SHALLOW.saturating_mul(1 << size.min(40));
    let (order, arrangement, depth) = match number % ROUND {
        0 => (Order::DepthFirst, Arrangement::AsMade, None),
        1 => (Order::DepthFirst, Arrangement::Reversed, None),
        2 => (Order::Random, Arrangement::AsMade, None),
        3 => (Order::DepthFirst, shuffled, None),
        4 => (Order::BreadthFirst, shuffled, None),
        5 => (Order::DepthFirst, shuffled, Some(depth)),
        6 => (Order::DepthFirst, shuffled, None),
        _ => (Order::DepthFirst, Arrangement::Reversed, Some(depth / 4)),
    };
    let own = config.limits.depth;
    Config {
        order,
        store: StoreChoice::Bitstate,
        limits: Limits {
            memory: Some(memory),
            depth: depth.map_or(own, |depth| Some(own.map_or(depth, |own| own.min(depth)))),
            ..config.limits
        },
        approximate: Approximate {
            bytes: Some(bytes),
            functions: Some(1 + (number % 3) as u32),
            runs: 1,
            seed,
            arrangement,
            walks: 1_000 << size.min(20),
            ..config.approximate
        },
        ..config.clone()
    }
}
