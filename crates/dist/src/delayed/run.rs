//! Sorted runs: states in the order of their hash values, in a file or, if they are few, in memory.
//!
//! A run is a sequence of blocks. A block holds the hash values of its states and then their bytes,
//! except those bytes in which all of them agree. Hash values are read without states, so a search for
//! states in a run reads little more than their hash values.
//!
//! *Entry points:* [`RunWriter`], [`RunReader`].
//!
//! *Source:* the sorted runs of P. O'Neil, E. Cheng, D. Gawlick and E. O'Neil, The log-structured
//! merge-tree, Acta Informatica 33, 1996.
//!
//! *Invariant:* hash values do not decrease along a run. States with the same hash value have any order.
//!
//! *Invariant:* bytes that no writer produced are an error: both parts of a block have a checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::rc::Rc;

use crate::failure::Failure;

/// Bytes of a checksum, of the head of a block, and of a hash value.
const SUM: usize = 4;
const HEAD: usize = 8;
const HASH: usize = 8;

/// Where the runs of a worker are, and how they are divided.
#[derive(Debug)]
pub(super) struct RunFolder {
    /// The folder, which belongs to the worker alone. It exists as long as this.
    directory: PathBuf,
    /// Number of files so far.
    files: u64,
    /// States per block.
    pub per_block: usize,
    /// Bytes of a run that are kept in memory; a longer run has a file.
    pub buffer: usize,
}

impl RunFolder {
    /// A new folder in place of one that an earlier attempt may have left.
    pub fn create(directory: PathBuf, per_block: usize, buffer: usize) -> Result<RunFolder, Failure> {
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir(&directory)?;
        Ok(RunFolder { directory, files: 0, per_block, buffer })
    }

    fn new_file(&mut self) -> Result<RunFile, Failure> {
        let path = self.directory.join(self.files.to_string());
        self.files += 1;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        Ok(RunFile { file, path })
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // The next attempt removes what remains.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// A file that is removed when the last run that needs it is dropped.
#[derive(Debug)]
struct RunFile {
    file: File,
    path: PathBuf,
}

impl Drop for RunFile {
    fn drop(&mut self) {
        // The whole folder is removed at the end.
        let _ = fs::remove_file(&self.path);
    }
}

#[derive(Debug)]
enum Storage {
    Memory(Vec<u8>),
    File(RunFile),
}

/// A block: its first hash value, and where it starts.
#[derive(Clone, Copy, Debug)]
struct BlockStart {
    hash: u64,
    at: u64,
}

/// A run that is complete.
#[derive(Debug)]
pub(super) struct Run {
    storage: Storage,
    blocks: Vec<BlockStart>,
    /// Bytes of all blocks.
    length: u64,
    /// Number of states, and of those in a block that is not the last.
    states: u64,
    per_block: usize,
}

impl Run {
    /// Number of states.
    pub fn len(&self) -> u64 {
        self.states
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let held = match &self.storage {
            Storage::Memory(bytes) => bytes.capacity(),
            Storage::File(_) => 0,
        };
        (held + self.blocks.capacity() * size_of::<BlockStart>()) as u64
    }

    /// Number of states of a block.
    fn count(&self, block: usize) -> usize {
        let before = (block * self.per_block) as u64;
        (self.states - before).min(self.per_block as u64) as usize
    }

    /// The end of a block.
    fn end(&self, block: usize) -> u64 {
        self.blocks.get(block + 1).map_or(self.length, |next| next.at)
    }

    /// Reads a part of a block, without the checksum at its end.
    fn read(&self, start: u64, end: u64, out: &mut Vec<u8>) -> Result<(), Failure> {
        let length = end.checked_sub(start).ok_or(Failure::Corrupt)? as usize;
        out.clear();
        match &self.storage {
            Storage::Memory(bytes) => out.extend_from_slice(&bytes[start as usize..end as usize]),
            Storage::File(RunFile { file, .. }) => {
                let mut file = file;
                out.resize(length, 0);
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(out)?;
            }
        }
        let (contents, sum) = out.split_last_chunk::<SUM>().ok_or(Failure::Corrupt)?;
        if crc32c::crc32c(contents).to_le_bytes() != *sum {
            return Err(Failure::Corrupt);
        }
        out.truncate(length - SUM);
        Ok(())
    }
}

/// Appends the checksum of what follows `start`.
fn seal(out: &mut Vec<u8>, start: usize) {
    let sum = crc32c::crc32c(&out[start..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

/// Writes a run.
pub(super) struct RunWriter<'f> {
    folder: &'f mut RunFolder,
    width: usize,
    /// The block that is not full.
    hashes: Vec<u64>,
    states: Vec<u8>,
    /// Blocks that are not written.
    pending: Vec<u8>,
    file: Option<RunFile>,
    blocks: Vec<BlockStart>,
    length: u64,
    count: u64,
}

impl<'f> RunWriter<'f> {
    /// An empty run of states of `width` bytes.
    pub fn new(folder: &'f mut RunFolder, width: usize) -> RunWriter<'f> {
        let (hashes, states, pending) = (Vec::new(), Vec::new(), Vec::new());
        RunWriter {
            folder,
            width,
            hashes,
            states,
            pending,
            file: None,
            blocks: Vec::new(),
            length: 0,
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
        let out = &mut self.pending;
        let begin = out.len();
        out.extend_from_slice(&(self.hashes.len() as u32).to_le_bytes());
        out.extend_from_slice(&(self.width as u32).to_le_bytes());
        self.hashes.iter().for_each(|hash| out.extend_from_slice(&hash.to_le_bytes()));
        seal(out, begin);
        let middle = out.len();
        let base = &self.states[..self.width];
        let mut differing = vec![0u8; self.width];
        for state in self.states.chunks_exact(self.width) {
            differing.iter_mut().zip(state).zip(base).for_each(|((all, new), old)| *all |= new ^ old);
        }
        let mut mask = vec![0u8; self.width.div_ceil(8)];
        let positions: Vec<usize> = (0..self.width).filter(|&at| differing[at] != 0).collect();
        positions.iter().for_each(|at| mask[at / 8] |= 1 << (at % 8));
        out.extend_from_slice(&mask);
        out.extend_from_slice(base);
        for state in self.states.chunks_exact(self.width) {
            out.extend(positions.iter().map(|&at| state[at]));
        }
        seal(out, middle);
        self.blocks.push(BlockStart { hash, at: self.length });
        self.length += (out.len() - begin) as u64;
        self.count += self.hashes.len() as u64;
        self.hashes.clear();
        self.states.clear();
        if self.pending.len() > self.folder.buffer { self.write() } else { Ok(()) }
    }

    /// Writes the pending blocks to the file.
    fn write(&mut self) -> Result<(), Failure> {
        if self.file.is_none() {
            self.file = Some(self.folder.new_file()?);
        }
        if let Some(RunFile { file, .. }) = &mut self.file {
            file.write_all(&self.pending)?;
        }
        self.pending.clear();
        Ok(())
    }

    /// The run.
    pub fn end(mut self) -> Result<Run, Failure> {
        self.end_block()?;
        if self.file.is_some() {
            self.write()?;
        }
        let storage = match self.file {
            Some(file) => Storage::File(file),
            None => {
                self.pending.shrink_to_fit();
                Storage::Memory(self.pending)
            }
        };
        self.blocks.shrink_to_fit();
        let (blocks, length, states) = (self.blocks, self.length, self.count);
        Ok(Run { storage, blocks, length, states, per_block: self.folder.per_block })
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
    /// Width of the states of the block.
    width: usize,
    /// Bytes of the states of the block, if `has_states`: those that vary, at these positions of a state.
    bytes: Vec<u8>,
    has_states: bool,
    positions: Vec<usize>,
    first_row: usize,
    state: Vec<u8>,
}

impl RunReader {
    /// The first state of a run.
    pub fn new(run: Rc<Run>) -> Result<RunReader, Failure> {
        let mut reader = RunReader {
            run,
            block: 0,
            hashes: Vec::new(),
            at: 0,
            width: 0,
            bytes: Vec::new(),
            has_states: false,
            positions: Vec::new(),
            first_row: 0,
            state: Vec::new(),
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
        self.at += self.hashes[self.at..].partition_point(|&own| own < hash);
        if self.at < self.hashes.len() { Ok(()) } else { self.load_next() }
    }

    /// Appends the state, padded with zeros to `width` bytes.
    #[inline]
    pub fn append_state(&mut self, width: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
        if !self.has_states {
            self.load_states()?;
        }
        let row = self.first_row + self.at * self.positions.len();
        let row = self.bytes.get(row..row + self.positions.len()).ok_or(Failure::Corrupt)?;
        self.positions.iter().zip(row).for_each(|(&at, &byte)| self.state[at] = byte);
        let end = out.len() + width;
        out.extend_from_slice(&self.state);
        out.resize(end, 0);
        Ok(())
    }

    fn load_next(&mut self) -> Result<(), Failure> {
        if self.block + 1 < self.run.blocks.len() { self.load(self.block + 1) } else { Ok(()) }
    }

    /// Reads the hash values of a block.
    fn load(&mut self, block: usize) -> Result<(), Failure> {
        let (start, count) = (self.run.blocks[block].at, self.run.count(block));
        self.has_states = false;
        self.run.read(start, start + hash_part(count), &mut self.bytes)?;
        let (head, hashes) = self.bytes.split_first_chunk::<HEAD>().ok_or(Failure::Corrupt)?;
        let [a, b, c, d, width @ ..] = *head;
        self.width = u32::from_le_bytes(width) as usize;
        if u32::from_le_bytes([a, b, c, d]) as usize != count {
            return Err(Failure::Corrupt);
        }
        self.hashes.clear();
        let (hashes, _) = hashes.as_chunks::<HASH>();
        self.hashes.extend(hashes.iter().map(|hash| u64::from_le_bytes(*hash)));
        (self.block, self.at) = (block, 0);
        Ok(())
    }

    /// Reads the states of the block.
    fn load_states(&mut self) -> Result<(), Failure> {
        let start = self.run.blocks[self.block].at + hash_part(self.hashes.len());
        self.run.read(start, self.run.end(self.block), &mut self.bytes)?;
        let masks = self.width.div_ceil(8);
        self.first_row = masks + self.width;
        let base = self.bytes.get(masks..self.first_row).ok_or(Failure::Corrupt)?;
        self.state.clear();
        self.state.extend_from_slice(base);
        let bytes = &self.bytes;
        self.positions.clear();
        self.positions.extend((0..self.width).filter(|at| bytes[at / 8] >> (at % 8) & 1 == 1));
        self.has_states = true;
        Ok(())
    }
}

/// Bytes of the first part of a block.
fn hash_part(count: usize) -> u64 {
    (HEAD + HASH * count + SUM) as u64
}
