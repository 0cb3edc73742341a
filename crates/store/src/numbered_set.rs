//! A set of numbered states, with or without tree compression, as one type: a search is compiled
//! once for both.
//!
//! *Entry point:* [`NumberedSet::packed`].
//! *Invariant:* the numbers of the states do not depend on the compression.

use crate::numbered::Numbered;
use crate::numbered_tree::NumberedTree;
use crate::packed::{Packed, Rewrite};
use crate::{OutOfMemory, PlainTable, StateSet};

/// A set of numbered states.
pub enum NumberedSet {
    /// The states as they are.
    Plain(PlainTable),
    /// With tree compression.
    Tree(NumberedTree),
}

impl NumberedSet {
    /// An empty set of the varying bits of states of `width` bytes (a multiple of 4) that never uses
    /// more than `limit` bytes, with tree compression if `is_tree`.
    pub fn packed(width: usize, limit: u64, is_tree: bool) -> Result<Packed<NumberedSet>, OutOfMemory> {
        Packed::with_limit(width, limit, |width, limit| {
            Ok(match is_tree {
                true => NumberedSet::Tree(NumberedTree::with_limit(width, limit)?),
                false => NumberedSet::Plain(PlainTable::with_limit(width, limit)?),
            })
        })
    }
}

/// Calls a method of the set that there is.
macro_rules! either {
    ($set:expr, $name:ident ( $($argument:expr),* )) => {
        match $set {
            NumberedSet::Plain(set) => set.$name($($argument),*),
            NumberedSet::Tree(set) => set.$name($($argument),*),
        }
    };
}

impl StateSet for NumberedSet {
    fn width(&self) -> usize {
        either!(self, width())
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        either!(self, insert(states, fresh))
    }

    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        either!(self, insert_successors(states, ends, fresh))
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        either!(self, take(max, out))
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        either!(self, widen(width))
    }

    fn len(&self) -> u64 {
        either!(self, len())
    }

    fn memory(&self) -> u64 {
        either!(self, memory())
    }
}

impl Rewrite for NumberedSet {
    fn is_rewritten_fast(&self) -> bool {
        either!(self, is_rewritten_fast())
    }

    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory> {
        either!(self, rewrite(map))
    }
}

impl Numbered for NumberedSet {
    fn insert_numbered(
        &mut self,
        states: &[u8],
        ends: &[u32],
        numbers: &mut Vec<u32>,
    ) -> Result<(), OutOfMemory> {
        either!(self, insert_numbered(states, ends, numbers))
    }

    fn append_states(&mut self, numbers: &[u32], out: &mut Vec<u8>) {
        either!(self, append_states(numbers, out));
    }

    fn clear(&mut self) -> Result<(), OutOfMemory> {
        either!(self, clear())
    }
}
