//! Adaptive state set: uncompressed while it is small, tree-compressed afterwards.
//!
//! The plain set is faster and is widened at no cost; the tree is smaller, by half for narrow
//! states and by much more for wide ones. [`AutoSet::insert`](StateSet::insert) converts the set
//! once, when the plain set is about to exceed `PLAIN_BYTES` or a quarter of its limit.
//!
//! *Entry point:* [`AutoSet::new`].
//!
//! *Invariant:* the conversion is not observable through [`StateSet`]. If memory is insufficient,
//! or the tree would be larger, the set remains plain.

use crate::packed::Rewrite;
use crate::{OutOfMemory, PlainTable, StateSet, TreeTable};

/// Maximum bytes of a plain set: small enough that both sets fit in memory during the conversion.
/// On most models the plain set is faster, by up to a factor of two.
const PLAIN_BYTES: u64 = 1 << 30;

/// A state set that starts plain and becomes a tree when it is large.
pub struct AutoSet {
    set: Chosen,
    limit: u64,
    queued: bool,
    /// Size limit of the plain set; doubled after a failed conversion.
    plain_bytes: u64,
}

enum Chosen {
    Plain(PlainTable),
    Tree(Box<TreeTable>),
}

impl AutoSet {
    /// An empty set for states of `width` bytes (a multiple of 4), without a limit on memory.
    pub fn new(width: usize) -> Result<AutoSet, OutOfMemory> {
        AutoSet::with_limit(width, u64::MAX)
    }

    /// An empty set for states of `width` bytes (a multiple of 4) that never uses more than `limit`
    /// bytes.
    pub fn with_limit(width: usize, limit: u64) -> Result<AutoSet, OutOfMemory> {
        // Both sets must fit during the conversion.
        let plain_bytes = PLAIN_BYTES.min(limit / 4);
        let set = Chosen::Plain(PlainTable::with_limit(width, limit)?);
        Ok(AutoSet { set, limit, queued: true, plain_bytes })
    }

    /// Permits the set not to queue new states: [`StateSet::take`] may omit states inserted from
    /// here on. This saves memory for searches with a stack of their own.
    pub fn without_queue(mut self) -> AutoSet {
        self.queued = false;
        self.set = match self.set {
            Chosen::Tree(tree) => Chosen::Tree(Box::new(tree.without_queue())),
            plain @ Chosen::Plain(_) => plain,
        };
        self
    }

    /// Whether the set is a tree.
    pub fn is_tree(&self) -> bool {
        matches!(self.set, Chosen::Tree(_))
    }

    fn chosen(&self) -> &dyn StateSet {
        match &self.set {
            Chosen::Plain(plain) => plain,
            Chosen::Tree(tree) => &**tree,
        }
    }

    fn chosen_mut(&mut self) -> &mut dyn StateSet {
        match &mut self.set {
            Chosen::Plain(plain) => plain,
            Chosen::Tree(tree) => &mut **tree,
        }
    }

    /// Converts the set if `more` further states would exceed the limit of the plain set.
    fn choose(&mut self, more: usize) {
        let Chosen::Plain(plain) = &self.set else { return };
        let states = plain.len() + more as u64;
        if plain.memory_with(states) > self.plain_bytes {
            self.become_tree();
        }
    }

    /// Converts the set, if memory suffices for both representations.
    fn become_tree(&mut self) {
        let Chosen::Plain(plain) = &self.set else { return };
        let free = self.limit.saturating_sub(plain.memory());
        match TreeTable::from_plain(plain, self.queued, free) {
            Ok(tree) if tree.memory() < plain.memory() => {
                self.set = Chosen::Tree(Box::new(tree.with_new_limit(self.limit)));
            }
            // Insufficient memory, or incompressible states. The next attempt is at twice the size.
            Ok(_) | Err(OutOfMemory) => self.plain_bytes = plain.memory().saturating_mul(2),
        }
    }
}

impl StateSet for AutoSet {
    fn width(&self) -> usize {
        self.chosen().width()
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        self.choose(states.len() / self.width());
        self.chosen_mut().insert(states, fresh)
    }

    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        self.choose(states.len() / self.width());
        self.chosen_mut().insert_successors(states, ends, fresh)
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        self.chosen_mut().take(max, out)
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        self.chosen_mut().widen(width)
    }

    fn len(&self) -> u64 {
        self.chosen().len()
    }

    fn memory(&self) -> u64 {
        self.chosen().memory()
    }
}

impl Rewrite for AutoSet {
    fn is_rewritten_fast(&self) -> bool {
        matches!(self.set, Chosen::Plain(_))
    }

    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory> {
        match &mut self.set {
            Chosen::Plain(plain) => plain.rewrite(map),
            Chosen::Tree(tree) => tree.rewrite(map),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference_set::{self, Shape};

    /// Converts early, so that tests observe both representations.
    fn eager(width: usize, limit: u64) -> Result<AutoSet, OutOfMemory> {
        let mut set = AutoSet::with_limit(width, limit)?;
        set.plain_bytes = 20_000;
        Ok(set)
    }

    #[test]
    fn is_a_set_and_a_queue_across_the_move() {
        reference_set::random(
            |width| {
                let mut set = AutoSet::new(width).unwrap();
                set.plain_bytes = 4096 + 16 * width as u64;
                set
            },
            Shape::default(),
        );
    }

    #[test]
    fn moves_at_any_moment() {
        // Each test converts the set after a number of states, whether a tree is smaller or not.
        struct Moves(AutoSet, u64);
        impl Moves {
            fn step(&mut self) -> &mut dyn StateSet {
                if let (Chosen::Plain(plain), true) = (&self.0.set, self.0.len() >= self.1) {
                    let tree = TreeTable::from_plain(plain, true, u64::MAX).unwrap();
                    self.0.set = Chosen::Tree(Box::new(tree));
                }
                &mut self.0
            }
        }
        impl StateSet for Moves {
            fn width(&self) -> usize {
                self.0.width()
            }
            fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
                self.step().insert(states, fresh)
            }
            fn insert_successors(
                &mut self,
                states: &[u8],
                ends: &[u32],
                fresh: &mut Vec<bool>,
            ) -> Result<(), OutOfMemory> {
                self.step().insert_successors(states, ends, fresh)
            }
            fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
                self.step().take(max, out)
            }
            fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
                self.step().widen(width)
            }
            fn len(&self) -> u64 {
                self.0.len()
            }
            fn memory(&self) -> u64 {
                self.0.memory()
            }
        }
        for states in [0, 1, 5, 20, 50] {
            reference_set::random(|width| Moves(AutoSet::new(width).unwrap(), states), Shape::default());
        }
    }

    #[test]
    fn grows_across_the_move() {
        for width in [4, 8, 12, 64, 260] {
            let mut set = eager(width, u64::MAX).unwrap();
            reference_set::walk(&mut set, reference_set::many());
            assert!(set.is_tree() || cfg!(miri) || width == 4, "{width}");
        }
    }

    #[test]
    fn keeps_every_limit() {
        for width in [4, 16, 132] {
            for limit in (0..40).map(|i| i * 20_000) {
                if let Ok(mut set) = eager(width, limit) {
                    reference_set::limit(&mut set, limit);
                }
            }
        }
    }

    #[test]
    fn becomes_a_tree_by_itself() {
        let limit = 16 << 20;
        let mut set = AutoSet::with_limit(256, limit).unwrap();
        let mut batch = vec![0; 256 * 256];
        let most = if cfg!(miri) { 0 } else { limit / 4 / 256 + 1000 };
        for start in (0..most).step_by(256) {
            for i in 0..256 {
                batch[i * 256..][..8].copy_from_slice(&(start + i as u64).to_le_bytes());
            }
            set.insert(&batch, &mut Vec::new()).unwrap();
        }
        assert_eq!(set.is_tree(), most > 0);
        assert_eq!(set.len(), most.next_multiple_of(256));
        assert!(set.memory() <= limit / 4);
    }
}
