//! Collection of violations: one entry per site and process type, with the number of its
//! occurrences. A model with a hundred identical processes that fail at one assertion has one
//! fault.

use axle_outcome::{Found, Violation, ViolationKey};
use axle_step::{Fault, FaultSite, Processes};
use rustc_hash::FxHashMap;

use crate::limits::Options;

/// The violations of a search so far.
pub(crate) struct Violations<'o, I> {
    options: &'o Options<I>,
    seen: FxHashMap<ViolationKey<I>, usize>,
    list: Vec<Violation<I>>,
    total: u64,
}

impl<'o, I: FaultSite> Violations<'o, I> {
    pub fn new(options: &'o Options<I>) -> Self {
        Violations { options, seen: FxHashMap::default(), list: Vec::new(), total: 0 }
    }

    /// Records a fault found during the expansion of `state`. `path` is called only for a new
    /// entry.
    pub fn note(
        &mut self,
        fault: &Fault<I>,
        found: Found,
        graph: &impl Processes,
        state: &[u8],
        path: impl FnOnce() -> Vec<u32>,
    ) {
        if self.options.ignores(&fault.site) || self.full() {
            return;
        }
        let proc = graph.process_type(state, fault.pid);
        let key = (fault.site, proc.ok_or(fault.pid));
        if self.options.only.is_some_and(|only| only != key) {
            return;
        }
        self.total += 1;
        if let Some(&index) = self.seen.get(&key) {
            self.list[index].count += 1;
            return;
        }
        self.seen.insert(key, self.list.len());
        let Fault { site, pid, .. } = *fault;
        self.list.push(Violation { site, pid, proc, path: path(), found, count: 1 });
    }

    /// Records all faults found during the expansion of `state` as a batch of its own.
    pub fn note_all(
        &mut self,
        faults: &[Fault<I>],
        graph: &impl Processes,
        state: &[u8],
        path: impl Fn() -> Vec<u32>,
    ) {
        for fault in faults {
            let found = fault.successor.map_or(Found::State, Found::Step);
            self.note(fault, found, graph, state, &path);
        }
    }

    /// Whether the requested number of violations was found.
    pub fn full(&self) -> bool {
        self.options.limits.errors.is_some_and(|limit| self.list.len() as u64 >= limit)
    }

    /// Number of entries.
    pub fn len(&self) -> u64 {
        self.list.len() as u64
    }

    /// The entries, and the number of violations including repetitions.
    pub fn finish(self) -> (Vec<Violation<I>>, u64) {
        (self.list, self.total)
    }
}
