//! Concurrent tree compression: the trees of [`crate::tree`] over shared tables.
//!
//! Pairs below the root are numbered by [`Table`]s, root pairs are stored in [`SharedRoots`]; all
//! of these are lock-free. The numbers of pairs depend on scheduling, the states that they
//! represent do not.
//!
//! *Entry points:* [`SharedTree::insert`], which looks up only the nodes above words that differ
//! from the source, and [`SharedTree::read`], which reconstructs states from root pairs.
//!
//! *Source:* A. Laarman, J. van de Pol and M. Weber, Parallel recursive state compression for free,
//! SPIN 2011.
//!
//! *Invariant:* Equal states have equal root pairs, and different states different ones: a pair is
//! in a table once and has one number, which never changes. Pairs below the root without a state
//! may exist (after an insertion that failed halfway), root pairs without a state may not.

use std::ops::Range;

use super::frontier::Frontier;
use super::roots::{SharedRoots, Target};
use super::table::{Full, Open, Placed, Table};
use crate::OutOfMemory;
use crate::nodes::{self, pair};

/// Indices of a handle's open blocks: frontier, both halves, inner nodes, overflow.
pub(super) const FRONTIER: usize = 0;
const HALVES: usize = 1;
const INNER: usize = 3;
pub(super) const OVERFLOW: usize = 4;

/// Maximum number of open blocks of a handle.
pub(super) const OPENS: usize = 5;

/// Number of root pairs in flight.
const AHEAD: usize = 16;

/// Number of new root pairs after which a thread reports them.
const TELL: u64 = 256;

/// The pairs of trees over a fixed number of words.
pub(super) struct SharedTree {
    words: usize,
    halves: [Table; 2],
    inner: Table,
    roots: SharedRoots,
    frontier: Frontier,
}

/// Buffers of one thread. A row has two numbers per word: the root pair, then the value of node `i`
/// at `i`.
#[derive(Default)]
pub(super) struct Rows {
    /// Rows of the states being inserted.
    rows: Vec<u32>,
    /// Rows of the states read last.
    sources: Vec<u32>,
    /// Nodes to look up, by level; the root is level 0.
    levels: Vec<Vec<(u32, u32)>>,
    /// Key, hash and likely number of the nodes of one level.
    probes: Vec<(u64, u64)>,
    keys: Vec<(u32, u32)>,
    /// Number of inserted root pairs not yet reported to the roots.
    untold: u64,
    /// Number of root pairs added to the frontier.
    pub queued: u32,
}

impl Rows {
    pub fn memory(&self) -> u64 {
        let lists: usize = self.levels.iter().map(Vec::capacity).sum();
        let numbers = self.rows.capacity() + self.sources.capacity();
        (4 * numbers + 8 * lists + 16 * self.probes.capacity() + 8 * self.keys.capacity()) as u64
    }

    /// Discards the sources: the states read last are not sources of the next insertions.
    pub fn forget(&mut self) {
        self.sources.clear();
    }
}

/// Addition of inserted root pairs to the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Queue {
    /// New root pairs are added.
    New,
    /// None is added: the states were read before.
    None,
    /// All are added: they are known, and their states were not read yet.
    All,
}

/// The level of a node.
#[inline(always)]
fn level(node: usize) -> usize {
    (usize::BITS - 1 - node.leading_zeros()) as usize
}

/// The node whose pair contains a leaf or node; below the root, the node itself.
#[inline(always)]
fn parent(node: usize) -> usize {
    if node < 4 { node } else { node / 2 }
}

/// Adds a node to the list of its level, unless it was added last.
#[inline(always)]
fn mark(levels: &mut [Vec<(u32, u32)>], row: usize, node: usize) {
    let items = &mut levels[level(node)];
    let item = (row as u32, node as u32);
    if items.last() != Some(&item) {
        items.push(item);
    }
}

fn hash_of_row(row: &[u8]) -> u64 {
    row.first_chunk::<8>().map_or(0, |key| nodes::hash(u64::from_le_bytes(*key)))
}

/// The number of a pair, existing or new.
#[inline(always)]
fn number(table: &Table, open: &mut Open, (key, hash): (u64, u64), lost: &mut u64) -> Result<u32, Full> {
    if open.next == open.end {
        table.claim(open)?;
    }
    match table.look().insert::<8>(open, hash, &key.to_le_bytes(), |a, b| a == b, lost) {
        Placed::Old(number) | Placed::New(number) => Ok(number),
    }
}

/// The pair of a number.
#[inline(always)]
fn pair_of(table: &Table, number: u32) -> (u32, u32) {
    let key = table.look().row::<8>(number).first_chunk().map_or(0, |key| u64::from_le_bytes(*key));
    (key as u32, (key >> 32) as u32)
}

impl SharedTree {
    /// An empty set of trees over states of `words` words, at least two.
    pub fn new(words: usize, limit: u64) -> Result<SharedTree, OutOfMemory> {
        assert!(words >= 2, "a pair has two halves");
        let table = || Table::new(8, limit);
        Ok(SharedTree {
            words,
            halves: [table()?, table()?],
            inner: table()?,
            roots: SharedRoots::new(limit)?,
            frontier: Frontier::new(limit)?,
        })
    }

    /// Number of words of a state.
    pub fn words(&self) -> usize {
        self.words
    }

    pub fn memory(&self) -> u64 {
        let pairs = self.halves[0].memory() + self.halves[1].memory() + self.inner.memory();
        pairs + self.roots.memory() + self.frontier.memory()
    }

    /// Number of states in a block.
    fn block(&self) -> usize {
        // Many rows to overlap memory accesses, but few enough to stay in the cache.
        (4096 / self.words).clamp(4, 32)
    }

    /// Inserts the states in `states`, of `width` bytes each, padded with zero words. States before
    /// `ends[0]` are successors of the first state read last, and so on. Returns the number of new
    /// states.
    #[allow(clippy::too_many_arguments, reason = "parts of a hand, which are borrowed one by one")]
    pub fn insert(
        &self,
        rows: &mut Rows,
        opens: &mut [Open; OPENS],
        (states, width): (&[u8], usize),
        ends: &[u32],
        queue: Queue,
        cut: &mut impl FnMut(&Frontier, &mut Open) -> Result<(), Full>,
        lost: &mut u64,
    ) -> Result<u64, (u64, Full)> {
        let count = states.len() / width;
        let (mut source, mut inserted) = (0, 0);
        for start in (0..count).step_by(self.block()) {
            let end = count.min(start + self.block());
            self.spread_out(rows, (&states[start * width..end * width], width), start, ends, &mut source);
            let done = (self.number_levels(rows, opens, lost))
                .and_then(|()| self.insert_roots(rows, opens, end - start, queue, cut, &mut inserted, lost));
            if let Err(full) = done {
                rows.levels.iter_mut().for_each(Vec::clear);
                return Err((inserted, full));
            }
        }
        Ok(inserted)
    }

    /// Fills the rows of a block from the sources of the states, and marks the nodes that differ.
    fn spread_out(
        &self,
        rows: &mut Rows,
        (states, width): (&[u8], usize),
        start: usize,
        ends: &[u32],
        source: &mut usize,
    ) {
        let words = self.words;
        let size = 2 * words;
        rows.levels.resize(level(size - 1) + 1, Vec::new());
        rows.rows.resize(self.block() * size, 0);
        let Rows { rows, sources, levels, .. } = rows;
        for (i, (state, row)) in states.chunks_exact(width).zip(rows.chunks_exact_mut(size)).enumerate() {
            while ends.get(*source).is_some_and(|&end| end as usize <= start + i) {
                *source += 1;
            }
            let model = sources.get(*source * size..(*source + 1) * size).filter(|_| *source < ends.len());
            let (leaves, _) = state.as_chunks::<4>();
            match model {
                Some(model) => {
                    row.copy_from_slice(model);
                    for (leaf, (word, new)) in row[words..].iter_mut().zip(leaves).enumerate() {
                        let new = u32::from_le_bytes(*new);
                        if *word != new {
                            *word = new;
                            mark(levels, i, parent(words + leaf));
                        }
                    }
                }
                None => {
                    row[words..].fill(0);
                    for (word, new) in row[words..].iter_mut().zip(leaves) {
                        *word = u32::from_le_bytes(*new);
                    }
                    (2..words.max(4).min(size)).for_each(|node| mark(levels, i, node));
                }
            }
        }
    }

    /// Numbers the marked nodes of all rows, level by level towards the root.
    fn number_levels(&self, rows: &mut Rows, opens: &mut [Open; OPENS], lost: &mut u64) -> Result<(), Full> {
        let words = self.words;
        let size = 2 * words;
        let Rows { rows, levels, probes, .. } = rows;
        for depth in (2..levels.len()).rev() {
            let (lower, upper) = levels.split_at_mut(depth);
            let items = &mut upper[0];
            probes.clear();
            for &(row, node) in &*items {
                let at = row as usize * size + 2 * node as usize;
                probes.push(self.announce(&self.inner, pair(rows[at], rows[at + 1])));
            }
            for &(_, hash) in &*probes {
                // Only the prefetch counts.
                let _ = self.inner.look().guess(hash);
            }
            for (&(row, node), &probe) in items.iter().zip(&*probes) {
                let value = number(&self.inner, &mut opens[INNER], probe, lost)?;
                rows[row as usize * size + node as usize] = value;
                mark(lower, row as usize, node as usize / 2);
            }
            items.clear();
        }
        let items = &mut levels[1];
        probes.clear();
        for &(row, node) in &*items {
            let (row, node) = (row as usize * size, node as usize);
            let key = match node < words {
                true => pair(rows[row + 2 * node], rows[row + 2 * node + 1]),
                false => pair(rows[row + node], 0),
            };
            probes.push(self.announce(&self.halves[node & 1], key));
        }
        for (&(_, node), &(_, hash)) in items.iter().zip(&*probes) {
            // As above.
            let _ = self.halves[node as usize & 1].look().guess(hash);
        }
        for (&(row, node), &probe) in items.iter().zip(&*probes) {
            let half = node as usize & 1;
            let value = number(&self.halves[half], &mut opens[HALVES + half], probe, lost)?;
            rows[row as usize * size + half] = value;
        }
        items.clear();
        Ok(())
    }

    /// A pair with its hash; prefetches the data that its lookup reads first.
    #[inline(always)]
    fn announce(&self, table: &Table, key: u64) -> (u64, u64) {
        let hash = nodes::hash(key);
        table.look().prefetch(hash);
        (key, hash)
    }

    /// Inserts the root pairs of the first rows.
    #[allow(clippy::too_many_arguments, reason = "parts of a hand, which are borrowed one by one")]
    fn insert_roots(
        &self,
        rows: &mut Rows,
        opens: &mut [Open; OPENS],
        count: usize,
        queue: Queue,
        cut: &mut impl FnMut(&Frontier, &mut Open) -> Result<(), Full>,
        inserted: &mut u64,
        lost: &mut u64,
    ) -> Result<(), Full> {
        let size = 2 * self.words;
        let ahead = AHEAD.min(count);
        let mut targets = [Target::default(); AHEAD];
        let root = |rows: &Rows, i: usize| (rows.rows[i * size], rows.rows[i * size + 1]);
        for i in 0..count + ahead {
            if i >= ahead {
                let key = root(rows, i - ahead);
                if queue != Queue::None && opens[FRONTIER].next == opens[FRONTIER].end {
                    cut(&self.frontier, &mut opens[FRONTIER])?;
                }
                let new = match queue {
                    Queue::All => false,
                    Queue::New | Queue::None => {
                        self.roots.insert(key, targets[(i - ahead) % AHEAD], &mut opens[OVERFLOW], lost)?
                    }
                };
                if queue == Queue::All || new && queue == Queue::New {
                    self.frontier.push(&mut opens[FRONTIER], key.0, key.1);
                    rows.queued = rows.queued.wrapping_add(1);
                }
                *inserted += u64::from(new);
                rows.untold += u64::from(new);
                if rows.untold >= TELL && !self.roots.tell(std::mem::take(&mut rows.untold)) {
                    return Err(Full);
                }
            }
            if i < count {
                let (left, right) = root(rows, i);
                targets[i % AHEAD] = self.roots.prefetch(left, right);
            }
        }
        Ok(())
    }

    /// Appends the states of a segment to `out`, `width` bytes each, and keeps their trees as
    /// sources.
    pub fn read(&self, rows: &mut Rows, numbers: Range<u32>, width: usize, out: &mut Vec<u8>) {
        let count = numbers.len();
        self.read_pairs(rows, (count, self.frontier.pairs(numbers)), width, out);
    }

    /// Like [`SharedTree::read`], for states with these root pairs.
    pub fn read_pairs(
        &self,
        rows: &mut Rows,
        (count, pairs): (usize, impl Iterator<Item = (u32, u32)>),
        width: usize,
        out: &mut Vec<u8>,
    ) {
        let words = self.words;
        let size = 2 * words;
        let sources = &mut rows.sources;
        sources.clear();
        sources.resize(count * size, 0);
        for (row, (left, right)) in sources.chunks_exact_mut(size).zip(pairs) {
            (row[0], row[1]) = (left, right);
        }
        // Node by node for all rows, so that their memory accesses overlap.
        for node in 2..words.max(4).min(size) {
            let (table, from) = match node {
                2 | 3 => (&self.halves[node - 2], node - 2),
                _ => (&self.inner, node),
            };
            sources.chunks_exact(size).for_each(|row| table.look().fetch(row[from]));
            for row in sources.chunks_exact_mut(size) {
                let (left, right) = pair_of(table, row[from]);
                if node < words {
                    (row[2 * node], row[2 * node + 1]) = (left, right);
                } else {
                    row[node] = left;
                }
            }
        }
        for row in sources.chunks_exact(size) {
            let bytes = row[words..][..width / 4].iter().flat_map(|word| word.to_le_bytes());
            out.extend(bytes);
        }
    }

    /// Calls `take` with the root pair of each state. `holes` are the open blocks of the overflow.
    pub fn each_root<E>(
        &self,
        holes: &[Open],
        take: impl FnMut((u32, u32)) -> Result<(), E>,
    ) -> Result<(), E> {
        self.roots.each(holes, take)
    }

    /// Releases the blocks with these numbers.
    pub fn release(&mut self, blocks: impl Iterator<Item = u32>) {
        self.frontier.release(blocks);
    }

    /// Reserves one further block per handle in every table. `opens` are the open blocks of the
    /// handles; returns true if they must discard those of the overflow.
    pub fn grow(&mut self, limit: u64, opens: &[[Open; OPENS]]) -> Result<bool, OutOfMemory> {
        let hands = opens.len() as u32;
        let free = |tree: &SharedTree| limit.saturating_sub(tree.memory());
        for half in [0, 1] {
            let allowance = free(self);
            self.halves[half].grow(hands, allowance)?;
        }
        let allowance = free(self);
        self.inner.grow(hands, allowance)?;
        let allowance = free(self);
        self.frontier.grow(hands, allowance)?;
        let allowance = free(self);
        let holes: Vec<Open> = opens.iter().map(|opens| opens[OVERFLOW]).collect();
        self.roots.grow(hands, allowance, &holes)
    }

    /// Discards the overflow block among a handle's open blocks.
    pub fn give_up_overflow(opens: &mut [Open; OPENS]) {
        opens[OVERFLOW] = Open::default();
    }

    /// Whether indices must be rebuilt before any insertion.
    pub fn is_emptied(&self) -> bool {
        let tables = [&self.halves[0], &self.halves[1], &self.inner, &self.roots.overflow];
        tables.into_iter().any(Table::is_emptied)
    }

    /// Takes part in rebuilding indices.
    pub fn refill(&self, opens: &[[Open; OPENS]]) {
        let holes = |place: usize| opens.iter().map(|opens| opens[place]).collect::<Vec<Open>>();
        for half in [0, 1] {
            self.halves[half].refill_all(&holes(HALVES + half), None, hash_of_row);
        }
        self.inner.refill_all(&holes(INNER), None, hash_of_row);
        self.roots.refill(&holes(OVERFLOW));
    }

    /// Marks all indices as complete.
    pub fn filled(&mut self) {
        let [left, right] = &mut self.halves;
        [left, right, &mut self.inner, &mut self.roots.overflow].into_iter().for_each(Table::filled);
    }
}
