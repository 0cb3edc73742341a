//! Sorted runs: states in the order of their hash values.
//!
//! A run is a sequence of blocks ([`super::block`]) in two streams ([`super::stream`]), one of hash values and
//! one of states. Hash values are read without states.
//!
//! *Entry points:* [`RunWriter`], [`RunReader`].
//!
//! *Source:* the sorted runs of P. O'Neil, E. Cheng, D. Gawlick and E. O'Neil, The log-structured
//! merge-tree, Acta Informatica 33, 1996.
//!
//! *Invariant:* hash values do not decrease along a run. States with the same hash value have any order.

use std::rc::Rc;

use super::block::{PART, States, decode_hashes, encode_hashes, encode_states};
use super::stream::{RunFolder, Stream, StreamWriter, Window};
use crate::failure::Failure;

/// Hash values that are compared at once, without branches, and how often before the rest of a block is
/// divided in halves: the next hash value that is sought is usually near.
const NEAR: usize = 8;
const STRIDES: usize = 6;

/// A block: its first hash value, and where it starts in both streams.
#[derive(Clone, Copy, Debug)]
struct BlockStart {
    hash: u64,
    hashes: u64,
    states: u64,
}

/// A run that is complete.
#[derive(Debug)]
pub(super) struct Run {
    hashes: Stream,
    states: Stream,
    blocks: Vec<BlockStart>,
    /// Number of states, and of those in a block that is not the last.
    count: u64,
    per_block: usize,
}

impl Run {
    /// Number of states.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let blocks = self.blocks.capacity() * size_of::<BlockStart>();
        (self.hashes.memory() + self.states.memory() + blocks) as u64
    }

    /// Number of states of a block.
    fn count(&self, block: usize) -> usize {
        let before = (block * self.per_block) as u64;
        (self.count - before).min(self.per_block as u64) as usize
    }
}

/// Writes a run.
pub(super) struct RunWriter<'f> {
    folder: &'f mut RunFolder,
    width: usize,
    /// The block that is not full.
    hashes: Vec<u64>,
    states: Vec<u8>,
    /// The streams of the blocks before.
    written_hashes: StreamWriter,
    written_states: StreamWriter,
    blocks: Vec<BlockStart>,
    count: u64,
}

impl<'f> RunWriter<'f> {
    /// An empty run of states of `width` bytes.
    pub fn new(folder: &'f mut RunFolder, width: usize) -> RunWriter<'f> {
        RunWriter {
            folder,
            width,
            hashes: Vec::new(),
            states: Vec::new(),
            written_hashes: StreamWriter::default(),
            written_states: StreamWriter::default(),
            blocks: Vec::new(),
            count: 0,
        }
    }

    /// Appends a state, whose hash value is not below that of the last one.
    #[inline]
    pub fn push(&mut self, hash: u64, state: &[u8]) -> Result<(), Failure> {
        debug_assert_eq!(state.len(), self.width, "states of a run have one width when it is written");
        debug_assert!(self.hashes.last().is_none_or(|&last| last <= hash), "a run is sorted");
        self.hashes.push(hash);
        self.states.extend_from_slice(state);
        if self.hashes.len() == self.folder.per_block { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), Failure> {
        let Some(&hash) = self.hashes.first() else { return Ok(()) };
        let (hashes, states) = (self.written_hashes.len(), self.written_states.len());
        self.blocks.push(BlockStart { hash, hashes, states });
        let mut parts = Vec::with_capacity(self.hashes.len().div_ceil(PART));
        for part in self.states.chunks(PART * self.width) {
            let before = self.written_states.len();
            self.written_states.append(self.folder, |out| encode_states(part, self.width, out))?;
            parts.push((self.written_states.len() - before) as u32);
        }
        self.written_hashes.append(self.folder, |out| encode_hashes(&self.hashes, &parts, out))?;
        self.count += self.hashes.len() as u64;
        self.hashes.clear();
        self.states.clear();
        Ok(())
    }

    /// The run.
    pub fn end(mut self) -> Result<Run, Failure> {
        self.end_block()?;
        let hashes = self.written_hashes.end(self.folder)?;
        let states = self.written_states.end(self.folder)?;
        self.blocks.shrink_to_fit();
        let (blocks, count, per_block) = (self.blocks, self.count, self.folder.per_block);
        Ok(Run { hashes, states, blocks, count, per_block })
    }
}

/// A position in a run.
pub(super) struct RunReader {
    run: Rc<Run>,
    /// The block of the position, its hash values, and the position in it. It is at the end of a block only
    /// at the end of the run.
    block: usize,
    hashes: Vec<u64>,
    at: usize,
    /// The numbers of bytes of the parts of the block, and the states of one of them, if any has been read.
    parts: Vec<u32>,
    states: States,
    part: Option<usize>,
    read_hashes: Window,
    read_states: Window,
}

impl RunReader {
    /// The first state of a run.
    pub fn new(run: Rc<Run>) -> Result<RunReader, Failure> {
        let mut reader = RunReader {
            run,
            block: 0,
            hashes: Vec::new(),
            at: 0,
            parts: Vec::new(),
            states: States::default(),
            part: None,
            read_hashes: Window::default(),
            read_states: Window::default(),
        };
        if !reader.run.blocks.is_empty() {
            reader.load(0)?;
        }
        Ok(reader)
    }

    /// The hash value of the state; none at the end.
    #[inline]
    pub fn hash(&self) -> Option<u64> {
        self.hashes.get(self.at).copied()
    }

    /// Goes to the next state.
    #[inline]
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.at += 1;
        if self.at < self.hashes.len() { Ok(()) } else { self.load_next() }
    }

    /// Goes forward to the first state whose hash value is not below `hash`.
    #[inline]
    pub fn seek(&mut self, hash: u64) -> Result<(), Failure> {
        if self.hash().is_none_or(|own| own >= hash) {
            return Ok(());
        }
        if self.hashes.last().is_some_and(|&last| last < hash) {
            let later = &self.run.blocks[self.block + 1..];
            match later.partition_point(|block| block.hash < hash) {
                0 => {
                    self.at = self.hashes.len();
                    return self.load_next();
                }
                blocks => self.load(self.block + blocks)?,
            }
        }
        self.at += below(&self.hashes[self.at..], hash);
        if self.at < self.hashes.len() { Ok(()) } else { self.load_next() }
    }

    /// Appends the state, padded with zeros to `width` bytes.
    #[inline]
    pub fn append_state(&mut self, width: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
        let part = self.at / PART;
        if self.part != Some(part) {
            self.load_part(part)?;
        }
        self.states.append(self.at % PART, width, out)
    }

    #[cold]
    fn load_part(&mut self, part: usize) -> Result<(), Failure> {
        let before: u64 = self.parts[..part].iter().map(|&size| u64::from(size)).sum();
        let start = self.run.blocks[self.block].states + before;
        let end = start + u64::from(self.parts[part]);
        self.states.read(self.read_states.part(&self.run.states, start, end)?)?;
        self.part = Some(part);
        Ok(())
    }

    fn load_next(&mut self) -> Result<(), Failure> {
        if self.block + 1 < self.run.blocks.len() { self.load(self.block + 1) } else { Ok(()) }
    }

    /// Reads the hash values of a block.
    fn load(&mut self, block: usize) -> Result<(), Failure> {
        let (start, count) = (self.run.blocks[block].hashes, self.run.count(block));
        let end = self.run.blocks.get(block + 1).map_or(self.run.hashes.len(), |next| next.hashes);
        self.part = None;
        let bytes = self.read_hashes.part(&self.run.hashes, start, end)?;
        decode_hashes(bytes, count, &mut self.hashes, &mut self.parts)?;
        (self.block, self.at) = (block, 0);
        Ok(())
    }
}

/// Number of hash values below `hash`, which ascend.
#[inline]
fn below(hashes: &[u64], hash: u64) -> usize {
    let (strides, _) = hashes.as_chunks::<NEAR>();
    for (number, stride) in strides.iter().take(STRIDES).enumerate() {
        let smaller: usize = stride.iter().map(|&other| usize::from(other < hash)).sum();
        if smaller < NEAR {
            return number * NEAR + smaller;
        }
    }
    let near = strides.len().min(STRIDES) * NEAR;
    near + hashes[near..].partition_point(|&other| other < hash)
}
