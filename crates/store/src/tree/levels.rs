//! Node tables below the root, and the numbering of pairs level by level from the leaves, so that
//! the lookups of one level overlap in memory. Nodes are numbered as in a heap ([`crate::tree`]).
//!
//! *Entry point:* [`NodeTables::number_levels`].
//!
//! *Invariant:* When a level is numbered, the rows contain the numbers of all nodes below it.

use crate::OutOfMemory;
use crate::nodes::{Nodes, pair};

/// The nodes of a level to look up: row and node.
pub(super) type Items = Vec<(u32, u32)>;

/// The pairs below the root.
pub(super) struct NodeTables {
    /// Number of words per state, including spare words.
    pub words: usize,
    /// Nodes 2 and 3.
    pub halves: [Nodes; 2],
    /// All others.
    pub inner: Nodes,
}

/// The level of a node.
#[inline(always)]
pub(super) fn level(node: usize) -> usize {
    (usize::BITS - 1 - node.leading_zeros()) as usize
}

/// The node whose pair contains a leaf or node; below the root, the node itself.
#[inline(always)]
pub(super) fn parent(node: usize) -> usize {
    if node < 4 { node } else { node / 2 }
}

/// Adds a node to the list of its level, unless it was added last.
#[inline(always)]
pub(super) fn mark(levels: &mut [Items], row: usize, node: usize) {
    let items = &mut levels[level(node)];
    let item = (row as u32, node as u32);
    if items.last() != Some(&item) {
        items.push(item);
    }
}

impl NodeTables {
    pub fn memory(&self) -> u64 {
        self.halves[0].memory() + self.halves[1].memory() + self.inner.memory()
    }

    /// Upper bounds of both halves of a root pair.
    pub fn largest_root(&self) -> (u32, u32) {
        (self.halves[0].len() as u32, self.halves[1].len() as u32)
    }

    /// Computes the words and numbers of a row from its root pair.
    pub fn unfold(&self, row: &mut [u32]) {
        let words = self.words;
        for half in [2, 3] {
            let (left, right) = self.halves[half - 2].pair(row[half - 2]);
            if half < words {
                (row[2 * half], row[2 * half + 1]) = (left, right);
            } else if half < 2 * words {
                row[half] = left;
            }
        }
        for node in 4..words {
            (row[2 * node], row[2 * node + 1]) = self.inner.pair(row[node]);
        }
    }

    /// Numbers the marked nodes of all rows, level by level towards the root, with at most `free`
    /// bytes for all pairs. The lists are empty afterwards.
    pub fn number_levels(
        &mut self,
        rows: &mut [u32],
        levels: &mut [Items],
        probes: &mut Vec<(u64, u64)>,
        free: impl Fn() -> u64,
    ) -> Result<(), OutOfMemory> {
        let words = self.words;
        let size = 2 * words;
        for depth in (2..levels.len()).rev() {
            let (lower, upper) = levels.split_at_mut(depth);
            let items = &mut upper[0];
            if items.is_empty() {
                continue;
            }
            if !self.inner.has_room(items.len()) {
                let allowance = free().saturating_sub(self.memory());
                self.inner.reserve(items.len(), allowance)?;
            }
            let inner = &mut self.inner;
            probes.clear();
            for &(row, node) in &*items {
                let at = row as usize * size + 2 * node as usize;
                let key = pair(rows[at], rows[at + 1]);
                probes.push((key, inner.prefetch(key)));
            }
            for (&(row, node), &(key, hash)) in items.iter().zip(&*probes) {
                rows[row as usize * size + node as usize] = inner.number(key, hash);
                mark(lower, row as usize, node as usize / 2);
            }
            items.clear();
        }
        let items = &mut levels[1];
        for half in [0, 1] {
            if !self.halves[half].has_room(items.len()) {
                let allowance = free().saturating_sub(self.memory());
                self.halves[half].reserve(items.len(), allowance)?;
            }
        }
        probes.clear();
        for &(row, node) in &*items {
            let (row, node) = (row as usize * size, node as usize);
            let key = match node < words {
                true => pair(rows[row + 2 * node], rows[row + 2 * node + 1]),
                false => pair(rows[row + node], 0),
            };
            probes.push((key, self.halves[node & 1].prefetch(key)));
        }
        for (&(row, node), &(key, hash)) in items.iter().zip(&*probes) {
            let half = node as usize & 1;
            rows[row as usize * size + half] = self.halves[half].number(key, hash);
        }
        items.clear();
        Ok(())
    }
}
