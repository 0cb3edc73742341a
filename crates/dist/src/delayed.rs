//! A set of visited states on disk, for breadth-first search: delayed duplicate detection.
//!
//! The visited states are in sorted runs. States that arrive are *candidates*: whether they are new is decided
//! at the end of the level, when all of them are merged with the runs in one pass. A cache in memory
//! removes most duplicates at once. When it is full, its candidates are written as a run, and it is emptied.
//!
//! *Entry points:* [`DelayedSet::insert`], [`DelayedSet::settle`], [`DelayedSet::take`].
//!
//! *Source:* U. Stern and D. L. Dill, Using magnetic disk instead of main memory in the Murphi verifier,
//! CAV 1998; R. E. Korf, Best-first frontier search with delayed duplicate detection, AAAI 2004; the
//! merging of runs is that of P. O'Neil et al., The log-structured merge-tree, Acta Informatica 33, 1996.
//!
//! *Invariant:* every visited state is in one visited run. Each state of the cache is visited, or it is a
//! candidate; each candidate is in the cache or in a run of candidates. All states of the *recent* visited
//! runs are in the cache as well, so no candidate is in them.
//!
//! *Cost:* at the end of a level, the hash values of the visited runs are read once, or only the blocks
//! that candidates may be in, if there are few. A state is rewritten when its run has grown by half: about
//! 1.7 log2(n / c) times for n states and a cache of c states.

mod block;
mod merge;
mod run;
mod stream;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::rc::Rc;

use axle_step::Interrupt;
use axle_store::{Numbered, OutOfMemory, Packed, PlainTable, StateSet, mix};

use crate::delayed::block::HASH_BITS;
use crate::delayed::merge::{Merged, for_each_new, merge, merge_tail};
use crate::delayed::run::{Run, RunReader, RunWriter};
use crate::delayed::stream::RunFolder;
use crate::failure::Failure;
use crate::owner::{key, multilinear};
use crate::report::Halt;

/// Parts of the memory limit: eighths for the cache, and the divisors for the buffer in which candidates are sorted, and
/// for that in which a run is read. The rest is for the indexes of the runs.
const CACHE_EIGHTHS: u64 = 5;
const SORTED: u64 = 8;
const BLOCK: u64 = 256;

/// Bytes of the cache that a smaller limit permits, too.
const LEAST_CACHE: u64 = 1 << 14;

/// Limits of the number of states in a block, and the most bytes of a run in memory.
const BLOCK_STATES: (u64, u64) = (64, 512);
const MOST_BUFFERED: u64 = 1 << 20;

/// Number of runs of candidates, and of recent runs, from which they are merged.
const MANY: usize = 24;

/// Start of the sequence of keys. They differ from those of the owner of a state and of the stores.
const SEED: u64 = 0x2b7e_1516_28ae_d2a6;

/// States that are inserted into the cache at once, and that are copied from it.
const INSERTED: usize = 64;
const BATCH: usize = 256;

/// A set of visited states on disk, and the states of the level that is expanded.
pub(crate) struct DelayedSet {
    width: usize,
    keys: Vec<u64>,
    folder: RunFolder,
    cache: Packed<PlainTable>,
    /// Number of states of the cache that are visited. The others are candidates.
    settled: u64,
    /// Whether the cache was emptied after the last end of a level.
    was_emptied: bool,
    candidates: Vec<Rc<Run>>,
    /// The visited runs, oldest first, and the number of those that are not recent.
    visited: Vec<Rc<Run>>,
    old: usize,
    /// The states of the level that are not taken.
    frontier: Option<RunReader>,
    len: u64,
    /// Maximum number of candidates that are sorted at once.
    sorted_at_once: usize,
    /// Bytes for these, and for the blocks of the runs that are merged.
    buffers: u64,
    /// Why the last call has failed, if not for lack of memory.
    halt: Option<Halt>,
    interrupt: Interrupt,
    flags: Vec<bool>,
}

impl DelayedSet {
    /// An empty set for states of `width` bytes that uses at most `limit` bytes of memory, and the given
    /// directory, which it creates and removes.
    pub fn create(
        directory: PathBuf,
        width: usize,
        limit: u64,
        interrupt: Interrupt,
    ) -> Result<DelayedSet, Halt> {
        let (least, most) = BLOCK_STATES;
        let per_block = (limit / BLOCK / (width as u64 + 8)).clamp(least, most) as usize;
        let buffer = (limit / BLOCK).min(MOST_BUFFERED) as usize;
        let sorted = limit / SORTED / size_of::<(u64, u32)>() as u64;
        let cache =
            Packed::with_limit(width, (limit / 8 * CACHE_EIGHTHS).max(LEAST_CACHE), PlainTable::with_limit);
        let mut set = DelayedSet {
            width,
            keys: Vec::new(),
            folder: RunFolder::create(directory, per_block, buffer)?,
            cache: cache.map_err(|OutOfMemory| Halt::Stop(axle_outcome::Stop::Memory))?,
            settled: 0,
            was_emptied: false,
            candidates: Vec::new(),
            visited: Vec::new(),
            old: 0,
            frontier: None,
            len: 0,
            sorted_at_once: sorted.clamp(BATCH as u64, u64::from(u32::MAX)) as usize,
            buffers: limit / SORTED * 2,
            halt: None,
            interrupt,
            flags: Vec::new(),
        };
        set.prepare();
        Ok(set)
    }

    fn prepare(&mut self) {
        let known = self.keys.len();
        self.keys.extend((known..self.width.div_ceil(4)).map(|position| key(SEED, position as u64)));
    }

    /// Why the last call has failed; none if memory was the reason.
    pub fn take_halt(&mut self) -> Option<Halt> {
        self.halt.take()
    }

    /// Ends a level: decides which candidates are new, calls `each` for these, and makes them the next level.
    /// Returns their number.
    pub fn settle(&mut self, mut each: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<u64, Halt> {
        self.frontier = None;
        self.write_candidates()?;
        let candidates = Merged::new(&std::mem::take(&mut self.candidates), self.width)?;
        let mut writer = RunWriter::new(&mut self.folder, self.width);
        for_each_new(candidates, &self.visited[..self.old], &self.interrupt, |hash, state| {
            writer.push(hash, state)?;
            each(state)
        })?;
        let level = Rc::new(writer.end()?);
        let fresh = level.len();
        self.len += fresh;
        self.frontier = Some(RunReader::new(Rc::clone(&level))?);
        self.visited.push(level);
        if std::mem::take(&mut self.was_emptied) {
            // Some of the new states are no longer in the cache.
            self.old = self.visited.len();
        }
        self.compact()?;
        Ok(fresh)
    }

    /// Writes the candidates of the cache as runs.
    fn write_candidates(&mut self) -> Result<(), Halt> {
        let mut order: Vec<(u64, u32)> = Vec::new();
        let (mut numbers, mut states) = (Vec::new(), Vec::new());
        while self.settled < self.cache.len() {
            let end = self.cache.len().min(self.settled + self.sorted_at_once as u64);
            order.clear();
            order.reserve_exact((end - self.settled) as usize);
            while self.settled < end {
                let next = end.min(self.settled + BATCH as u64);
                numbers.clear();
                numbers.extend(self.settled as u32..next as u32);
                states.clear();
                self.cache.append_states(&numbers, &mut states);
                let hash = |state| mix(multilinear(state, &self.keys)) >> (u64::BITS - HASH_BITS);
                let hashes = states.chunks_exact(self.width).map(hash);
                order.extend(hashes.zip(numbers.iter().copied()));
                self.settled = next;
            }
            order.sort_unstable();
            let mut writer = RunWriter::new(&mut self.folder, self.width);
            for part in order.chunks(BATCH) {
                numbers.clear();
                numbers.extend(part.iter().map(|(_, number)| number));
                states.clear();
                self.cache.append_states(&numbers, &mut states);
                for ((hash, _), state) in part.iter().zip(states.chunks_exact(self.width)) {
                    writer.push(*hash, state)?;
                }
            }
            self.candidates.push(Rc::new(writer.end()?));
        }
        if self.candidates.len() > MANY {
            let all = 0..self.candidates.len();
            let DelayedSet { candidates, folder, width, interrupt, .. } = self;
            merge_tail(candidates, all, folder, (*width, interrupt))?;
        }
        Ok(())
    }

    /// Empties the cache, and makes the recent runs old ones.
    fn empty_cache(&mut self) -> Result<(), Halt> {
        self.write_candidates()?;
        self.cache.clear().map_err(|OutOfMemory| Halt::Stop(axle_outcome::Stop::Memory))?;
        self.settled = 0;
        self.was_emptied = true;
        let recent = self.visited.split_off(self.old);
        if !recent.is_empty() {
            let writer = RunWriter::new(&mut self.folder, self.width);
            self.visited.push(Rc::new(merge(&recent, self.width, writer, &self.interrupt)?));
        }
        self.old = self.visited.len();
        Ok(())
    }

    /// Merges visited runs, so that there are few of them.
    fn compact(&mut self) -> Result<(), Halt> {
        let DelayedSet { visited, folder, width, interrupt, .. } = self;
        let before = visited.len();
        merge_tail(visited, 0..self.old, folder, (*width, interrupt))?;
        self.old -= before - visited.len();
        if visited.len() - self.old > MANY {
            let recent = self.old..visited.len();
            merge_tail(visited, recent, folder, (*width, interrupt))?;
        }
        Ok(())
    }

    /// Inserts states, not more than a small cache has memory for at once.
    fn insert_candidates(&mut self, states: &[u8]) -> Result<(), Halt> {
        states.chunks(INSERTED * self.width).try_for_each(|part| self.insert_part(part))
    }

    fn insert_part(&mut self, states: &[u8]) -> Result<(), Halt> {
        self.flags.clear();
        if self.cache.insert(states, &mut self.flags).is_ok() {
            return Ok(());
        }
        self.empty_cache()?;
        self.flags.clear();
        let inserted = self.cache.insert(states, &mut self.flags);
        inserted.map_err(|OutOfMemory| Halt::Stop(axle_outcome::Stop::Memory))
    }

    fn take_states(&mut self, max: usize, out: &mut Vec<u8>) -> Result<usize, Failure> {
        let Some(frontier) = &mut self.frontier else { return Ok(0) };
        let mut taken = 0;
        while taken < max && frontier.hash().is_some() {
            frontier.append_state(self.width, out)?;
            frontier.advance()?;
            taken += 1;
        }
        Ok(taken)
    }

    /// Keeps a reason that is not memory.
    fn refuse<T>(&mut self, result: Result<T, Halt>) -> Result<T, OutOfMemory> {
        result.map_err(|halt| {
            self.halt = Some(halt);
            OutOfMemory
        })
    }
}

/// Until a level ends, no state is reported as new. [`DelayedSet::take_halt`] says why a call failed.
impl StateSet for DelayedSet {
    fn width(&self) -> usize {
        self.width
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory> {
        let inserted = self.insert_candidates(states);
        self.refuse(inserted)?;
        fresh.resize(fresh.len() + states.len() / self.width, false);
        Ok(())
    }

    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize {
        let taken = self.take_states(max, out).map_err(Halt::Failed);
        self.refuse(taken).unwrap_or(0)
    }

    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory> {
        if self.cache.widen(width).is_err() {
            let emptied = self.empty_cache();
            self.refuse(emptied)?;
            self.cache.widen(width)?;
        }
        self.width = width;
        self.prepare();
        Ok(())
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn memory(&self) -> u64 {
        let runs = self.visited.iter().chain(&self.candidates);
        self.cache.memory() + runs.map(|run| run.memory()).sum::<u64>() + self.buffers
    }
}
