//! Chooses what is shown of what went wrong, the same whatever thread found what when.
//!
//! As in [`crate::violations`] there is one entry for each kind, process type and statement. Of all that went wrong in a
//! level, which is searched to its end, an entry shows the nearest to the start, and of these the one in the least
//! state, as bytes. Main functions: [`Faults::note`] by each thread, [`Shown::level`] after each level.
//! Kept: an entry is of the first level that has anything for it, so its path is as short as can be.

use std::cmp::Ordering;

use axle_model::{EdgeId, ProcId};
use axle_step::{Fault, FaultKind, Layout};
use rustc_hash::FxHashMap;

use crate::limits::Options;
use crate::outcome::{Found, Violation};
use crate::violations::process_type;

/// What makes two faults the same.
type Key = (FaultKind, Result<ProcId, u32>, Option<EdgeId>);

/// The least of some faults that are the same, and how many they are.
#[derive(Clone, Debug)]
struct Least {
    state: Vec<u8>,
    found: Found,
    pid: u32,
    count: u64,
}

impl Least {
    fn order(&self) -> impl Ord + '_ {
        let found = match self.found {
            Found::Start => (0, 0),
            Found::State => (1, 0),
            Found::Step(position) => (2, position),
        };
        // A state that is less wide has zeros behind it, and so comes where it belongs.
        (found.0, &self.state[..], found.1, self.pid)
    }

    fn add(&mut self, other: Least) {
        let count = self.count + other.count;
        if other.order() < self.order() {
            *self = other;
        }
        self.count = count;
    }
}

/// What one thread has found in a level.
#[derive(Default, Debug)]
pub(super) struct Faults {
    least: FxHashMap<Key, Least>,
}

impl Faults {
    /// Takes note of a fault that was found while `state` was expanded.
    pub fn note(&mut self, options: &Options, fault: &Fault, found: Found, layout: &Layout, state: &[u8]) {
        if options.ignored.contains(&fault.kind) {
            return;
        }
        let proc = process_type(layout, state, fault.pid);
        let key = (fault.kind, proc.ok_or(fault.pid), fault.edge);
        let new = Least { state: state.to_vec(), found, pid: fault.pid, count: 1 };
        match self.least.get_mut(&key) {
            Some(least) => least.add(new),
            None => drop(self.least.insert(key, new)),
        }
    }

    fn take_in(&mut self, other: Faults) {
        for (key, new) in other.least {
            match self.least.get_mut(&key) {
                Some(least) => least.add(new),
                None => drop(self.least.insert(key, new)),
            }
        }
    }
}

/// A violation whose path is not known yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// The level of the state, and the state.
    pub level: usize,
    pub state: Vec<u8>,
    pub violation: Violation,
}

/// What went wrong in the whole search.
#[derive(Default, Debug)]
pub(super) struct Shown {
    seen: FxHashMap<Key, usize>,
    pub list: Vec<Pending>,
    /// With all repetitions.
    pub total: u64,
}

impl Shown {
    /// Takes in what all threads have found in a level.
    pub fn level(&mut self, level: usize, found: impl Iterator<Item = Faults>) {
        let mut all = Faults::default();
        found.for_each(|faults| all.take_in(faults));
        let mut news = Vec::new();
        for (key, least) in all.least {
            self.total += least.count;
            match self.seen.get(&key) {
                Some(&index) => self.list[index].violation.count += least.count,
                None => news.push((key, least)),
            }
        }
        news.sort_unstable_by(|(a_key, a), (b_key, b)| match a.order().cmp(&b.order()) {
            Ordering::Equal => (a_key.0, a_key.1.ok(), a_key.2).cmp(&(b_key.0, b_key.1.ok(), b_key.2)),
            unequal => unequal,
        });
        for (key, least) in news {
            self.seen.insert(key, self.list.len());
            let (kind, proc, edge) = key;
            let Least { state, found, pid, count } = least;
            let violation = Violation { kind, pid, proc: proc.ok(), edge, path: Vec::new(), found, count };
            self.list.push(Pending { level, state, violation });
        }
    }

    /// Whether as many were found as were asked for.
    pub fn full(&self, options: &Options) -> bool {
        options.limits.errors.is_some_and(|limit| self.list.len() as u64 >= limit)
    }
}
