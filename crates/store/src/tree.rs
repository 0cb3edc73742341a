//! Tree compression: states as binary trees over their words, with equal subtrees stored once.
//!
//! A state is a vector of 32-bit words. Adjacent words are paired, pairs are numbered, numbers are
//! paired again, up to one root pair that represents the state. Since steps change few words and
//! processes repeat each other, nearly all pairs below the root are known, and a state costs only
//! its root: four to seven bytes.
//!
//! *Entry point:* [`TreeTable::insert_successors`](crate::StateSet::insert_successors): only the
//! nodes above words that differ from the source are looked up.
//!
//! *Source:* S. Blom, B. Lisser, J. van de Pol and M. Weber (the tree database); A. Laarman, J. van
//! de Pol and M. Weber, Parallel recursive state compression for free, SPIN 2011 (incremental
//! insertion).
//!
//! Nodes are numbered as in a heap: node `i` has the children `2i` and `2i + 1`, node `n + j` is
//! word `j` of `n`. The trees of several states are processed together, level by level from the
//! leaves, so that the lookups of one level overlap in memory. The two nodes below the root have
//! tables of their own, with numbers dense enough for [`crate::roots`]; all others share one table.
//!
//! A state of one or two words is its own root pair, without tables below, as long as the root
//! table can represent most of these pairs ([`crate::quotient`]: 46 bits and more, growing with the
//! table). Otherwise the set is rebuilt with a table for each half, and rebuilt again when the root
//! table has become large enough.
//!
//! A tree over more words has different pairs throughout, so a set is rebuilt when its states are
//! widened. Large sets then get spare words, which are zero in every state and cost almost nothing:
//! repeated widening rarely needs both sets at the same time. A rebuild of a large set also
//! improves the order of the words: [`crate::leaf_order`].
//!
//! The queue holds root pairs ([`crate::queue`]). States are reconstructed when they are taken, and
//! their trees are kept until the next call, for their successors.
//!
//! *Invariant:* equal states have equal root pairs and different states different ones, because the
//! numbers in a table never change. Pairs below the root without a state may exist (after a failed
//! call); root pairs without a state may not.
//!
//! *Concurrency:* [`crate::shared`] contains the version for several threads.

mod levels;

use crate::leaf_order;
use crate::nodes::Nodes;
use crate::packed::Rewrite;
use crate::queue::Queue;
use crate::quotient::{Feistel, Spread};
use crate::roots::{Roots, Target};
use crate::{OutOfMemory, PlainTable, StateSet};
use levels::{Items, NodeTables, level, mark, parent};

/// A set of states with tree compression: 5 to 10 bytes per state for repetitive states,
/// independent of their width.
pub struct TreeTable {
    tree: Tree<Feistel>,
}

impl TreeTable {
    /// An empty set for states of `width` bytes (a multiple of 4), without a limit on memory.
    pub fn new(width: usize) -> Result<TreeTable, OutOfMemory> {
        TreeTable::with_limit(width, u64::MAX)
    }

    /// An empty set for states of `width` bytes (a multiple of 4) that never uses more than `limit`
    /// bytes.
    pub fn with_limit(width: usize, limit: u64) -> Result<TreeTable, OutOfMemory> {
        Ok(TreeTable { tree: Tree::new(width, limit)? })
    }

    /// Disables the queue: new states are not queued, and [`StateSet::take`] returns only states
    /// queued before. This saves memory for searches with a stack of their own.
    pub fn without_queue(mut self) -> TreeTable {
        self.tree.queued = false;
        self
    }

    /// The same set with another limit on memory.
    pub(crate) fn with_new_limit(mut self, limit: u64) -> TreeTable {
        self.tree.limit = limit;
        self
    }

    /// A set with the states of `plain`, with the same ones taken, of at most `limit` bytes in
    /// addition to `plain`.
    pub fn from_plain(plain: &PlainTable, queued: bool, limit: u64) -> Result<TreeTable, OutOfMemory> {
        let width = plain.width();
        let mut tree = Tree::with_words(width, with_spare(width / 4), limit)?;
        tree.queued = false;
        if tree.nodes.words > 2 {
            let (states, step) = (plain.len(), sample_step(plain.len() as usize));
            let mut sample = Vec::new();
            for number in (0..states).step_by(step) {
                push_words(plain.range(number..number + 1), &mut sample);
            }
            tree.leaf_of = leaf_order::choose(&sample, width / 4, tree.nodes.words, states as usize);
        }
        let mut fresh = Vec::new();
        for part in [0..plain.taken(), plain.taken()..plain.len()] {
            for start in part.clone().step_by(256) {
                fresh.clear();
                tree.insert_after(plain.range(start..part.end.min(start + 256)), &[], &mut fresh)?;
            }
            tree.queued = queued;
        }
        Ok(TreeTable { tree })
    }
}

impl StateSet for TreeTable {
    fn width(&self) -> usize {
        self.tree.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        self.tree.insert_after(states, &[], fresh)
    }

    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        self.tree.insert_after(states, ends, fresh)
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        self.tree.take(max, out)
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        self.tree.widen(width)
    }

    fn len(&self) -> u64 {
        self.tree.roots.len() as u64
    }

    fn memory(&self) -> u64 {
        self.tree.memory()
    }
}

impl Rewrite for TreeTable {
    /// A rewrite rebuilds the set, and the assignment of bits to words determines the compression.
    fn is_rewritten_fast(&self) -> bool {
        false
    }

    fn rewrite(&mut self, map: &mut dyn FnMut(&[u8], &mut Vec<u8>)) -> Result<(), OutOfMemory> {
        let words = self.tree.words_for(self.tree.width);
        self.tree.replace(self.tree.width, words, self.tree.direct, map)
    }
}

/// Maximum number of taken states whose trees are kept.
const KEEP: usize = 1024;

/// The set, for any family of bijections.
struct Tree<S> {
    width: usize,
    /// For each word of a state and each spare word, its leaf position; empty for the identity.
    leaf_of: Vec<u32>,
    nodes: NodeTables,
    roots: Roots<S>,
    queue: Queue,
    queued: bool,
    limit: u64,
    /// Whether states are their own root pairs.
    direct: bool,
    /// Disjunction of all states of one or two words so far.
    all: u64,
    /// Number of states at which this choice is reviewed.
    review: usize,
    /// Whether the states of another tree, which has already chosen, are being moved in.
    moving: bool,
    work: Work,
    /// Trees of the states taken last, one row each.
    taken: Vec<u32>,
    /// Root pairs of the current batch.
    keys: Vec<(u32, u32)>,
}

/// Buffers for the trees of several states.
///
/// The row of a state has two numbers per word: its root pair first, then the value of node `i` at
/// `i`.
struct Work {
    /// Number of states processed together.
    block: usize,
    /// Their rows, followed by the row of a state inserted before.
    rows: Vec<u32>,
    /// Whether the latter row is valid.
    last: bool,
    /// Nodes to look up, by level; the root is level 0.
    levels: Vec<Items>,
    /// Key and hash of the nodes of one level.
    probes: Vec<(u64, u64)>,
}

impl Work {
    fn new(words: usize) -> Work {
        // Many rows to overlap memory accesses, but few enough to stay in the cache.
        let block = (4096 / words).clamp(4, 32);
        let levels = (0..=level(2 * words - 1))
            .map(|level| {
                Vec::with_capacity(if level == 0 {
                    0
                } else {
                    block << level.min(1 + words.ilog2() as usize)
                })
            })
            .collect();
        let rows = vec![0; (block + 1) * 2 * words];
        Work { block, rows, last: false, levels, probes: Vec::with_capacity(2 * block * words) }
    }

    fn bytes(words: usize) -> u64 {
        // Rows, two lists of items, probes, with slack for growing lists.
        let block = (4096 / words).clamp(4, 32) as u64;
        (block + 1) * 2 * words as u64 * 4 + 128 * block * words as u64 + 1024
    }
}

/// A state of one or two words as one number.
#[inline(always)]
fn key_of(state: &[u8]) -> u64 {
    match (state.first_chunk::<8>(), state.first_chunk::<4>()) {
        (Some(bytes), _) => u64::from_le_bytes(*bytes),
        (None, Some(bytes)) => u64::from(u32::from_le_bytes(*bytes)),
        (None, None) => 0,
    }
}

/// Number of bits of the right half of a pair that represents a state.
const RIGHT_BITS: u32 = 28;

/// The pair that represents a state; below 2^60.
#[inline(always)]
fn split(key: u64) -> (u32, u32) {
    ((key >> RIGHT_BITS) as u32, key as u32 & ((1 << RIGHT_BITS) - 1))
}

/// Appends the state that a pair represents.
#[inline(always)]
fn unsplit(left: u32, right: u32, width: usize, out: &mut Vec<u8>) {
    let key = u64::from(left) << RIGHT_BITS | u64::from(right);
    out.extend_from_slice(&key.to_le_bytes()[..width]);
}

/// Number of states up to which a rebuild is cheap; larger sets get spare words.
const SPARING: usize = if cfg!(test) { 10 } else { 1 << 12 };

/// Number of words with a quarter to spare; no spare words if the state may be its own root pair.
fn with_spare(words: usize) -> usize {
    if words <= 2 { words } else { words + words.div_ceil(4) }
}

/// Sampling interval for the states of a large set.
fn sample_step(states: usize) -> usize {
    states.div_ceil(leaf_order::sample_size(states).max(1)).max(1)
}

/// Appends the words of a state.
fn push_words(state: &[u8], words: &mut Vec<u32>) {
    words.extend(state.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
}

/// Number of states at which the number of pairs without a root slot becomes relevant.
const MANY: usize = 1 << 14;

/// Number of states at which the representation is first reviewed.
const REVIEW: usize = 1 << 17;
const LAST_REVIEW: usize = 1 << 21;

impl<S: Spread> Tree<S> {
    fn new(width: usize, limit: u64) -> Result<Tree<S>, OutOfMemory> {
        Tree::with_words(width, width / 4, limit)
    }

    /// With `words` words per state, some of which may be spare; the order of the leaves is then
    /// required.
    fn with_words(width: usize, words: usize, limit: u64) -> Result<Tree<S>, OutOfMemory> {
        assert!(width > 0 && width.is_multiple_of(4), "a state is a positive number of 4-byte words");
        assert!(width <= 4 * words, "the words of a state, and some to spare");
        if Work::bytes(words) > limit {
            return Err(OutOfMemory);
        }
        let halves = [Nodes::new(limit)?, Nodes::new(limit)?];
        Ok(Tree {
            width,
            leaf_of: Vec::new(),
            nodes: NodeTables { words, halves, inner: Nodes::new(limit)? },
            roots: Roots::new(limit)?,
            queue: Queue::default(),
            queued: true,
            limit,
            direct: words <= 2,
            all: 0,
            review: REVIEW,
            moving: false,
            work: Work::new(words),
            taken: Vec::new(),
            keys: Vec::new(),
        })
    }

    fn memory(&self) -> u64 {
        let scratch = 4 * self.taken.capacity() + 8 * self.keys.capacity();
        let tables = self.nodes.memory() + self.roots.memory() + self.queue.memory();
        tables + scratch as u64 + Work::bytes(self.nodes.words)
    }

    fn allowance(&self) -> u64 {
        self.limit.saturating_sub(self.memory())
    }

    /// Inserts states; `ends` assigns them to the states taken last.
    fn insert_after(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        assert!(states.len().is_multiple_of(self.width), "whole states");
        if self.nodes.words <= 2 {
            self.all |= states.chunks_exact(self.width).fold(0, |all, state| all | key_of(state));
            self.choose()?;
        }
        let count = states.len() / self.width;
        // All operations that can fail are first. Pairs below the root left by a failure are
        // harmless.
        if self.keys.capacity() < count {
            if 8 * count as u64 > self.allowance() {
                return Err(OutOfMemory);
            }
            self.keys = Vec::new();
            self.keys.try_reserve_exact(count).map_err(|_| OutOfMemory)?;
        }
        if !self.roots.has_room(count) {
            self.roots.reserve(count, self.allowance())?;
        }
        if self.queued && !self.queue.has_room(count) {
            self.queue.reserve(count, self.allowance())?;
        }
        self.keys.clear();
        if self.direct {
            assert!(
                self.all >> (32 + RIGHT_BITS) == 0,
                "a state that is a pair has no more bits than a pair"
            );
            for state in states.chunks_exact(self.width) {
                self.keys.push(split(key_of(state)));
            }
        } else {
            let mut source = 0;
            for start in (0..count).step_by(self.work.block) {
                let end = count.min(start + self.work.block);
                self.fold(&states[start * self.width..end * self.width], start, ends, &mut source)?;
            }
        }
        // The remaining operations cannot fail.
        fresh.reserve(count);
        const AHEAD: usize = 16;
        let ahead = AHEAD.min(count);
        let mut targets = [Target::default(); AHEAD];
        let most = self.largest_root();
        for i in 0..count + ahead {
            if i >= ahead {
                let (left, right) = self.keys[i - ahead];
                let new = self.roots.insert(left, right, targets[(i - ahead) % AHEAD]);
                fresh.push(new);
                if new && self.queued {
                    self.queue.push(left, right, most);
                }
            }
            if i < count {
                let (left, right) = self.keys[i];
                targets[i % AHEAD] = self.roots.prefetch(left, right);
            }
        }
        Ok(())
    }

    /// Upper bounds of both halves of a root pair.
    fn largest_root(&self) -> (u32, u32) {
        if self.direct { (split(self.all).0, (1 << RIGHT_BITS) - 1) } else { self.nodes.largest_root() }
    }

    /// Switches to a table for each half of a state, or back, if that has become better.
    #[inline(always)]
    fn choose(&mut self) -> Result<(), OutOfMemory> {
        if self.nodes.words < 2 || self.moving {
            return Ok(());
        }
        // Includes the states about to be inserted.
        let all = self.all;
        let len = self.roots.len();
        if self.direct {
            let misfits = self.roots.misfits();
            if self.all >> (32 + RIGHT_BITS) != 0 || len >= MANY && misfits > len / 8 {
                self.replace(self.width, self.nodes.words, false, &mut |state, out| {
                    out.extend_from_slice(state);
                })?;
            }
        } else if len >= self.review {
            self.review = if len < LAST_REVIEW { len * 2 } else { usize::MAX };
            if self.all >> RIGHT_BITS < self.roots.lefts() {
                // A failed attempt only wastes memory.
                let _ = self.replace(self.width, self.nodes.words, true, &mut |state, out| {
                    out.extend_from_slice(state);
                });
            }
        }
        self.all |= all;
        Ok(())
    }

    /// Appends the root pairs of a block of states to `keys`. The first state is number `start` of
    /// its batch, from source number `source`.
    fn fold(
        &mut self,
        states: &[u8],
        start: usize,
        ends: &[u32],
        source: &mut usize,
    ) -> Result<(), OutOfMemory> {
        macro_rules! by_words {
            ($($narrow:literal)*) => {
                match self.width / 4 {
                    _ if !self.leaf_of.is_empty() => self.spread_out_in_order(states, start, ends, source),
                    $($narrow => self.spread_out::<$narrow>(states, start, ends, source),)*
                    _ => self.spread_out::<0>(states, start, ends, source),
                }
            };
        }
        by_words!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
        let count = states.len() / self.width;
        let Work { block, rows, last, levels, probes } = &mut self.work;
        let words = self.nodes.words;
        let size = 2 * words;
        let (rows, before) = rows.split_at_mut(*block * size);
        let (roots, queue, taken, keys) = (&self.roots, &self.queue, &self.taken, &self.keys);
        let free = || {
            let scratch = 4 * taken.capacity() + 8 * keys.capacity();
            let others = roots.memory() + queue.memory() + scratch as u64 + Work::bytes(words);
            self.limit.saturating_sub(others)
        };
        let done = self.nodes.number_levels(rows, levels, probes, free);
        if done.is_err() {
            levels.iter_mut().for_each(Vec::clear);
            return done;
        }
        for row in rows[..count * size].chunks_exact(size) {
            self.keys.push((row[0], row[1]));
        }
        before.copy_from_slice(&rows[(count - 1) * size..count * size]);
        *last = true;
        Ok(())
    }

    /// Fills the rows of a block from the sources of the states, and marks the nodes that differ;
    /// for states of `W` words, or of any number if `W` is 0, with leaves in order.
    fn spread_out<const W: usize>(&mut self, states: &[u8], start: usize, ends: &[u32], source: &mut usize) {
        let Work { block, rows, last, levels, .. } = &mut self.work;
        let words = if W == 0 { self.nodes.words } else { W };
        let size = 2 * words;
        let (rows, before) = rows.split_at_mut(*block * size);
        for (i, (state, row)) in states.chunks_exact(4 * words).zip(rows.chunks_exact_mut(size)).enumerate() {
            while ends.get(*source).is_some_and(|&end| end as usize <= start + i) {
                *source += 1;
            }
            let model = match self.taken.get(*source * size..(*source + 1) * size) {
                Some(model) if *source < ends.len() => Some(model),
                _ => last.then_some(&*before),
            };
            let (leaves, _) = state.as_chunks::<4>();
            match model {
                Some(model) => {
                    row.copy_from_slice(model);
                    let stride = if W == 0 { 8 } else { W };
                    differences(&mut row[words..], leaves, stride, |leaf| {
                        mark(levels, i, parent(words + leaf));
                    });
                }
                None => {
                    for (to, leaf) in row[words..].iter_mut().zip(leaves) {
                        *to = u32::from_le_bytes(*leaf);
                    }
                    (2..words.max(4).min(size)).for_each(|node| mark(levels, i, node));
                }
            }
        }
    }

    /// The same with a leaf order and possibly spare words.
    fn spread_out_in_order(&mut self, states: &[u8], start: usize, ends: &[u32], source: &mut usize) {
        let Work { block, rows, last, levels, .. } = &mut self.work;
        let words = self.nodes.words;
        let size = 2 * words;
        let (rows, before) = rows.split_at_mut(*block * size);
        for (i, (state, row)) in states.chunks_exact(self.width).zip(rows.chunks_exact_mut(size)).enumerate()
        {
            while ends.get(*source).is_some_and(|&end| end as usize <= start + i) {
                *source += 1;
            }
            let model = match self.taken.get(*source * size..(*source + 1) * size) {
                Some(model) if *source < ends.len() => Some(model),
                _ => last.then_some(&*before),
            };
            let whole = model.is_none();
            match model {
                Some(model) => row.copy_from_slice(model),
                None => {
                    row.fill(0);
                    (2..words.max(4).min(size)).for_each(|node| mark(levels, i, node));
                }
            }
            let (leaves, _) = state.as_chunks::<4>();
            for (word, &leaf) in leaves.iter().zip(&self.leaf_of) {
                let (word, place) = (u32::from_le_bytes(*word), words + leaf as usize);
                if row[place] != word {
                    row[place] = word;
                    if !whole {
                        mark(levels, i, parent(place));
                    }
                }
            }
        }
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        let count = max.min(self.queue.len());
        let words = self.nodes.words;
        if self.direct {
            for _ in 0..count {
                if let Some((left, right)) = self.queue.pop() {
                    unsplit(left, right, self.width, out);
                }
            }
            return count;
        }
        let size = 2 * words;
        // Rows are kept if memory permits; otherwise the insertion of successors is slightly
        // slower.
        let keep = count.min(KEEP) * size;
        self.taken.clear();
        if self.taken.capacity() < keep {
            self.taken = Vec::new();
            if 4 * keep as u64 > self.allowance() || self.taken.try_reserve_exact(keep).is_err() {
                self.taken = Vec::new();
            }
        }
        out.reserve(count * self.width);
        let spare = self.work.rows.len() - 2 * size;
        for _ in 0..count {
            let Some((left, right)) = self.queue.pop() else { break };
            // A row of the current block that is unused between calls.
            let row = &mut self.work.rows[spare..][..size];
            (row[0], row[1]) = (left, right);
            self.nodes.unfold(row);
            leaves_in_order(&row[words..], &self.leaf_of, self.width / 4, out);
            if self.taken.len() + size <= self.taken.capacity() {
                self.taken.extend_from_slice(row);
            }
        }
        count
    }

    /// Number of words for states of `width` bytes after a rebuild.
    fn words_for(&self, width: usize) -> usize {
        let words = if self.roots.len() < SPARING { width / 4 } else { with_spare(width / 4) };
        words.max(self.nodes.words)
    }

    /// Rebuilds the set if there are no spare words.
    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        assert!(width >= self.width && width.is_multiple_of(4), "states only get wider, by whole words");
        if width == self.width {
            return Ok(());
        }
        if width <= 4 * self.nodes.words {
            self.width = width;
            return Ok(());
        }
        let words = self.words_for(width);
        self.replace(width, words, width <= 8, &mut |state, out| {
            let start = out.len();
            out.extend_from_slice(state);
            out.resize(start + width, 0);
        })
    }

    /// Replaces every state by the one of `width` bytes that `map` appends for it, in a tree over
    /// `words` words; `direct` permits states to be their own root pairs.
    fn replace(
        &mut self,
        width: usize,
        words: usize,
        direct: bool,
        map: &mut dyn FnMut(&[u8], &mut Vec<u8>),
    ) -> Result<(), OutOfMemory> {
        let mut new = Tree::<S>::with_words(width, words, self.allowance())?;
        (new.queued, new.direct, new.moving) = (false, direct, true);
        let (mut batch, mut state) = (Vec::new(), Vec::new());
        let (mut row, mut fresh) = (vec![0; 2 * self.nodes.words], Vec::new());
        let (nodes, leaf_of) = (&self.nodes, &self.leaf_of);
        let (was_direct, old_width) = (self.direct, self.width);
        let mut add = |batch: &mut Vec<u8>, left: u32, right: u32| {
            state.clear();
            match was_direct {
                true => unsplit(left, right, old_width, &mut state),
                false => {
                    (row[0], row[1]) = (left, right);
                    nodes.unfold(&mut row);
                    leaves_in_order(&row[nodes.words..], leaf_of, old_width / 4, &mut state);
                }
            }
            map(&state, batch);
        };
        if words > 2 && (words != width / 4 || self.roots.len() >= SPARING) {
            let (mut sample, mut at, step) = (Vec::new(), 0, sample_step(self.roots.len()));
            self.roots.for_each(|left, right| {
                if at % step == 0 {
                    add(&mut batch, left, right);
                    push_words(&batch, &mut sample);
                    batch.clear();
                }
                at += 1;
                Ok(())
            })?;
            new.leaf_of = leaf_order::choose(&sample, width / 4, words, self.roots.len());
        }
        new.roots.reserve_for(&self.roots, new.allowance())?;
        let full = 256 * width;
        self.roots.for_each(|left, right| {
            add(&mut batch, left, right);
            if batch.len() == full {
                fresh.clear();
                new.insert_after(&batch, &[], &mut fresh)?;
                batch.clear();
            }
            Ok(())
        })?;
        new.insert_after(&batch, &[], &mut fresh)?;
        batch.clear();
        // Queue each waiting state again; it is in the set, so only its root pair matters.
        for (left, right) in self.queue.iter() {
            add(&mut batch, left, right);
            new.insert_after(&batch, &[], &mut fresh)?;
            batch.clear();
            let (left, right) = new.keys[0];
            new.queue.reserve(1, new.allowance())?;
            new.queue.push(left, right, new.largest_root());
        }
        (new.queued, new.limit, new.review, new.moving) = (self.queued, self.limit, self.review, false);
        *self = new;
        Ok(())
    }
}

/// Appends the first `words` words of a state given by its leaves.
#[inline(always)]
fn leaves_in_order(leaves: &[u32], leaf_of: &[u32], words: usize, out: &mut Vec<u8>) {
    if leaf_of.is_empty() {
        leaves.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    } else {
        leaf_of[..words].iter().for_each(|&leaf| out.extend_from_slice(&leaves[leaf as usize].to_le_bytes()));
    }
}

/// Writes `leaves` over `words` and calls `changed` with every position that differed, in order. It
/// processes `stride` words at a time, at most 32.
#[inline(always)]
fn differences(words: &mut [u32], leaves: &[[u8; 4]], stride: usize, mut changed: impl FnMut(usize)) {
    for (chunk, (words, leaves)) in words.chunks_mut(stride).zip(leaves.chunks(stride)).enumerate() {
        let mut mask = 0u32;
        for (i, (word, leaf)) in words.iter_mut().zip(leaves).enumerate() {
            let leaf = u32::from_le_bytes(*leaf);
            mask |= u32::from(*word != leaf) << i;
            *word = leaf;
        }
        while mask != 0 {
            changed(chunk * stride + mask.trailing_zeros() as usize);
            mask &= mask - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quotient::bad::{Identity, Mirror};
    use crate::reference_set::{self, Shape};

    /// The tree over any family, as a set.
    struct With<S>(Tree<S>);

    impl<S: Spread> StateSet for With<S> {
        fn width(&self) -> usize {
            self.0.width
        }
        fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
            self.0.insert_after(states, &[], fresh)
        }
        fn insert_successors(
            &mut self,
            states: &[u8],
            ends: &[u32],
            fresh: &mut Vec<bool>,
        ) -> Result<(), OutOfMemory> {
            self.0.insert_after(states, ends, fresh)
        }
        fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
            self.0.take(max, out)
        }
        fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
            self.0.widen(width)
        }
        fn len(&self) -> u64 {
            self.0.roots.len() as u64
        }
        fn memory(&self) -> u64 {
            self.0.memory()
        }
    }

    fn with<S: Spread>(width: usize, limit: u64) -> With<S> {
        With(Tree::new(width, limit).unwrap())
    }

    #[test]
    fn is_a_set_and_a_queue() {
        reference_set::random(|width| with::<Feistel>(width, u64::MAX), Shape::default());
    }

    #[test]
    fn is_a_set_when_roots_crowd() {
        reference_set::random(|width| with::<Identity>(width, u64::MAX), Shape::default());
        reference_set::random(|width| with::<Mirror>(width, u64::MAX), Shape::default());
    }

    #[test]
    fn grows() {
        for width in [4, 8, 12, 16, 20, 64, 68, 260] {
            reference_set::walk(&mut with::<Feistel>(width, u64::MAX), reference_set::many());
            reference_set::walk(&mut with::<Identity>(width, u64::MAX), reference_set::many());
        }
    }

    #[test]
    fn takes_states_of_kilobytes() {
        reference_set::walk(&mut with::<Feistel>(5000, u64::MAX), 3000.min(reference_set::many()));
    }

    #[test]
    fn keeps_every_limit() {
        for width in [4, 8, 12, 16, 132] {
            for limit in (0..60).map(|i| i * 15_000) {
                if let Ok(tree) = Tree::<Feistel>::new(width, limit) {
                    eprintln!("{width} {limit} {} {}", tree.memory(), Work::bytes(width / 4));
                    reference_set::limit(&mut With(tree), limit);
                }
            }
        }
    }

    #[test]
    fn a_plain_set_becomes_a_tree() {
        for width in [4, 8, 28] {
            let mut plain = PlainTable::new(width).unwrap();
            let states: Vec<u8> = (0..2000u32)
                .flat_map(|i| {
                    let mut state = vec![0; width];
                    state[..4].copy_from_slice(&(i % 1500).to_le_bytes());
                    state
                })
                .collect();
            let mut fresh = Vec::new();
            plain.insert(&states, &mut fresh).unwrap();
            let mut taken = Vec::new();
            plain.take(700, &mut taken);
            let mut tree = TreeTable::from_plain(&plain, true, u64::MAX).unwrap();
            assert_eq!(tree.len(), 1500);
            fresh.clear();
            tree.insert(&states, &mut fresh).unwrap();
            assert!(!fresh.contains(&true));
            let (mut rest, mut same) = (Vec::new(), Vec::new());
            assert_eq!(tree.take(usize::MAX, &mut rest), 800);
            plain.take(usize::MAX, &mut same);
            assert_eq!(rest, same);
        }
    }

    /// The states come in the order of their hash values: in a table that grew with them, many would be misfits, and
    /// the memory would not suffice.
    #[test]
    fn a_set_is_widened_in_little_more_than_twice_its_memory() {
        let mut tree = with::<Feistel>(4, u64::MAX);
        tree.0.queued = false;
        for number in 0..if cfg!(miri) { 100u32 } else { 600_000 } {
            tree.insert(&number.wrapping_mul(40_503).to_le_bytes(), &mut Vec::new()).unwrap();
        }
        // Only large tables grow in small steps.
        tree.0.limit = if cfg!(miri) { u64::MAX } else { tree.memory() / 20 * 42 };
        assert_eq!(tree.widen(8), Ok(()));
    }

    #[test]
    fn without_a_queue_nothing_waits() {
        let mut tree = TreeTable::new(8).unwrap().without_queue();
        tree.insert(&[1; 16], &mut Vec::new()).unwrap();
        assert_eq!((tree.len(), tree.take(5, &mut Vec::new())), (1, 0));
    }

    #[test]
    fn states_are_their_own_pairs_while_that_fits() {
        let most: u64 = if cfg!(miri) { 500 } else { 300_000 };
        let state = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 19).to_le_bytes();
        let mut tree = Tree::<Feistel>::new(8, u64::MAX).unwrap();
        let (mut fresh, mut taken, mut modes) = (Vec::new(), Vec::new(), vec![tree.direct]);
        for i in 0..most {
            tree.insert_after(&state(i), &[], &mut fresh).unwrap();
            if tree.direct != *modes.last().unwrap() {
                modes.push(tree.direct);
            }
            if i % 2 == 0 {
                tree.take(1, &mut taken);
            }
        }
        assert!(cfg!(miri) || modes == [true, false, true], "{modes:?}");
        tree.insert_after(&[0xff; 8], &[], &mut fresh).unwrap();
        assert!(fresh.iter().all(|&new| new) && !tree.direct, "a state of 64 bits is no pair");
        fresh.clear();
        // Regression: the set forgot a state of 64 bits and returned to pairs.
        (0..most).for_each(|i| tree.insert_after(&state(i), &[], &mut fresh).unwrap());
        assert!(!fresh.contains(&true));
        tree.take(usize::MAX, &mut taken);
        let all: Vec<u8> = (0..most).flat_map(state).chain([0xff; 8]).collect();
        let wrong = taken.chunks_exact(8).zip(all.chunks_exact(8)).position(|(a, b)| a != b);
        assert_eq!((wrong, taken.len()), (None, all.len()), "the queue is in order");
    }
}
