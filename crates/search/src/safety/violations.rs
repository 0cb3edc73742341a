//! Collection of violations: one entry per kind, process type and statement, with the number of its
//! occurrences. A model with a hundred identical processes that fail at one assertion has one
//! fault.

use axle_model::ProcId;
use axle_outcome::{Found, Violation, ViolationKey};
use axle_step::{Fault, Layout};
use rustc_hash::FxHashMap;

use crate::limits::Options;

/// The violations of a search so far.
pub(crate) struct Violations<'o> {
    options: &'o Options,
    seen: FxHashMap<ViolationKey, usize>,
    list: Vec<Violation>,
    total: u64,
}

impl<'o> Violations<'o> {
    pub fn new(options: &'o Options) -> Self {
        Violations { options, seen: FxHashMap::default(), list: Vec::new(), total: 0 }
    }

    /// Records a fault found during the expansion of `state`. `path` is called only for a new
    /// entry.
    pub fn note(
        &mut self,
        fault: &Fault,
        found: Found,
        layout: &Layout,
        state: &[u8],
        path: impl FnOnce() -> Vec<u32>,
    ) {
        if self.options.ignored.contains(&fault.kind) || self.full() {
            return;
        }
        let proc = process_type(layout, state, fault.pid);
        let key = (fault.kind, proc.ok_or(fault.pid), fault.edge);
        if self.options.only.is_some_and(|only| only != key) {
            return;
        }
        self.total += 1;
        if let Some(&index) = self.seen.get(&key) {
            self.list[index].count += 1;
            return;
        }
        self.seen.insert(key, self.list.len());
        let Fault { kind, pid, edge, .. } = *fault;
        self.list.push(Violation { kind, pid, proc, edge, path: path(), found, count: 1 });
    }

    /// Records all faults found during the expansion of `state` as a batch of its own.
    pub fn note_all(&mut self, faults: &[Fault], layout: &Layout, state: &[u8], path: impl Fn() -> Vec<u32>) {
        for fault in faults {
            let found = fault.successor.map_or(Found::State, Found::Step);
            self.note(fault, found, layout, state, &path);
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
    pub fn finish(self) -> (Vec<Violation>, u64) {
        (self.list, self.total)
    }
}

/// Type of process `pid` in a state; `None` if the process does not exist in it, for example
/// because it was created within the atomic sequence.
pub(crate) fn process_type(layout: &Layout, state: &[u8], pid: u32) -> Option<ProcId> {
    let slot = layout.slots.get(pid as usize)?;
    let first = *slot.types.first()?;
    let place = &layout.procs[first.index()];
    if place.pc.read(state, slot.base) == 0 {
        return None;
    }
    match place.tag {
        Some(tag) => u32::try_from(tag.read(state, slot.base)).ok().map(ProcId),
        None => Some(first),
    }
}
