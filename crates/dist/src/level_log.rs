//! The level log of a worker: the states that it has stored, level by level, in batches.
//!
//! Traces are reconstructed from the log, because no worker stores predecessors, and a search is
//! resumed from it. It is in memory, or in a file of a directory that the caller names.
//!
//! *Entry points:* [`LevelLog::push`], [`LevelLog::commit`], [`LevelLog::batches_of`].
//!
//! *Invariant:* after [`LevelLog::commit`] all states of the level are in the log, on disk if it has a
//! file.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use crate::batch::{Decoded, Encoder, decode};
use crate::failure::Failure;

/// States per batch.
const BATCH: u64 = 1024;

/// Maximum bytes of a state, for the reader of a file.
pub(crate) const WIDEST: usize = 1 << 26;

/// A batch in the log.
#[derive(Clone, Copy, Debug)]
struct Frame {
    level: u64,
    start: u64,
    length: u32,
}

/// Where batches are.
#[derive(Debug)]
enum Place {
    Memory(Vec<u8>),
    File { writer: BufWriter<File>, reader: File },
}

/// The level log of one worker, or one that an earlier attempt has left.
#[derive(Debug)]
pub(crate) struct LevelLog {
    place: Place,
    frames: Vec<Frame>,
    /// Bytes of all batches.
    length: u64,
    encoder: Encoder,
    level: u64,
}

impl LevelLog {
    /// An empty log in memory.
    pub fn in_memory() -> LevelLog {
        LevelLog::at(Place::Memory(Vec::new()))
    }

    /// An empty log in a new file.
    pub fn create(path: &Path) -> Result<LevelLog, Failure> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        let reader = File::open(path)?;
        Ok(LevelLog::at(Place::File { writer: BufWriter::new(file), reader }))
    }

    /// The log that an earlier attempt has left in a file, up to its committed length.
    pub fn open(path: &Path, committed: u64) -> Result<LevelLog, Failure> {
        let mut log = LevelLog::create_reader(path)?;
        let mut input = BufReader::new(File::open(path)?);
        while log.length < committed {
            let mut head = [0; 4];
            input.read_exact(&mut head)?;
            let length = u32::from_le_bytes(head);
            if u64::from(length) > committed - log.length {
                return Err(Failure::Corrupt);
            }
            let mut message = vec![0; length as usize];
            input.read_exact(&mut message)?;
            let level = decode(&message, WIDEST)?.level;
            log.frames.push(Frame { level, start: log.length + 4, length });
            log.length += 4 + u64::from(length);
        }
        if log.length == committed { Ok(log) } else { Err(Failure::Corrupt) }
    }

    /// A log that is only read.
    fn create_reader(path: &Path) -> Result<LevelLog, Failure> {
        let (reader, unused) = (File::open(path)?, File::open(path)?);
        Ok(LevelLog::at(Place::File { writer: BufWriter::new(unused), reader }))
    }

    fn at(place: Place) -> LevelLog {
        LevelLog { place, frames: Vec::new(), length: 0, encoder: Encoder::new(0, 0, 0), level: 0 }
    }

    /// Appends a state of a level, which is not before that of the last one.
    pub fn push(&mut self, level: u64, size: usize, state: &[u8]) -> Result<(), Failure> {
        debug_assert!(level >= self.level, "levels follow each other");
        if !self.encoder.admits(level, state.len()) {
            self.flush()?;
            self.encoder = Encoder::new(level, state.len(), size);
            self.level = level;
        }
        self.encoder.push(state);
        if self.encoder.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// Writes the batch that is not full.
    fn flush(&mut self) -> Result<(), Failure> {
        if self.encoder.is_empty() {
            return Ok(());
        }
        let message = self.encoder.take();
        let length =
            u32::try_from(message.len()).map_err(|_| Failure::Log("a batch is too long".to_string()))?;
        let start = self.length + 4;
        match &mut self.place {
            Place::Memory(bytes) => {
                bytes.extend_from_slice(&length.to_le_bytes());
                bytes.extend_from_slice(&message);
            }
            Place::File { writer, .. } => {
                writer.write_all(&length.to_le_bytes())?;
                writer.write_all(&message)?;
            }
        }
        self.length = start + u64::from(length);
        self.frames.push(Frame { level: self.level, start, length });
        Ok(())
    }

    /// Ends the current level, and returns the bytes of the log, which are on disk if it has a file.
    pub fn commit(&mut self) -> Result<u64, Failure> {
        self.flush()?;
        if let Place::File { writer, .. } = &mut self.place {
            writer.flush()?;
            writer.get_ref().sync_data()?;
        }
        Ok(self.length)
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let held = match &self.place {
            Place::Memory(bytes) => bytes.capacity() as u64,
            Place::File { .. } => 0,
        };
        held + (self.frames.capacity() * size_of::<Frame>()) as u64 + self.encoder.memory()
    }

    /// The batches of a committed level, which follow each other: there may be as many levels as batches.
    pub fn batches_of(&self, level: u64) -> Range<usize> {
        let first = self.frames.partition_point(|frame| frame.level < level);
        let end = self.frames.partition_point(|frame| frame.level <= level);
        first..end.max(first)
    }

    /// The states of a batch.
    pub fn read(&mut self, batch: usize) -> Result<Decoded, Failure> {
        let Frame { level, start, length } = self.frames[batch];
        let decoded = match &mut self.place {
            Place::Memory(bytes) => {
                let start = start as usize;
                decode(&bytes[start..start + length as usize], WIDEST)?
            }
            Place::File { reader, .. } => {
                let mut message = vec![0; length as usize];
                reader.seek(SeekFrom::Start(start))?;
                reader.read_exact(&mut message)?;
                decode(&message, WIDEST)?
            }
        };
        if decoded.level == level { Ok(decoded) } else { Err(Failure::Corrupt) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    /// Three levels, of which the second has two batches and the third wider states.
    fn fill(log: &mut LevelLog) -> u64 {
        for (level, count, width) in [(0u64, 1u32, 8usize), (1, 1500, 8), (2, 3, 12)] {
            for number in 0..count {
                let mut state = vec![0; width];
                state[..4].copy_from_slice(&number.to_le_bytes());
                state[4] = level as u8;
                log.push(level, width, &state).unwrap();
            }
        }
        log.commit().unwrap()
    }

    fn assert_filled(log: &mut LevelLog) {
        for (level, batches, states, width) in [(0, 1, 1, 8), (1, 2, 1500, 8), (2, 1, 3, 12), (3, 0, 0, 0)] {
            let frames = log.batches_of(level);
            assert_eq!(frames.len(), batches, "level {level}");
            let decoded: Vec<Decoded> = frames.map(|frame| log.read(frame).unwrap()).collect();
            assert_eq!(decoded.iter().map(Decoded::len).sum::<usize>(), states);
            assert!(decoded.iter().all(|batch| (batch.width, batch.size) == (width, width)));
        }
    }

    #[test]
    fn levels_are_read_back() {
        let mut log = LevelLog::in_memory();
        fill(&mut log);
        assert_filled(&mut log);
        assert!(log.memory() > 1000);
    }

    #[test]
    fn a_file_is_read_back_up_to_its_committed_length() {
        let scratch = Scratch::new("level_log_file");
        let path = scratch.path().join("log");
        let mut log = LevelLog::create(&path).unwrap();
        let committed = fill(&mut log);
        assert_filled(&mut log);
        log.push(3, 12, &[0; 12]).unwrap();
        log.commit().unwrap();
        assert_filled(&mut LevelLog::open(&path, committed).unwrap());
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let scratch = Scratch::new("level_log_damaged");
        let path = scratch.path().join("log");
        let committed = fill(&mut LevelLog::create(&path).unwrap());
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(whole.len() as u64, committed);
        for at in (0..whole.len()).step_by(97) {
            let mut wrong = whole.clone();
            wrong[at] ^= 0x10;
            std::fs::write(&path, wrong).unwrap();
            assert!(LevelLog::open(&path, committed).is_err(), "byte {at}");
        }
        for end in [0, 3, 100, whole.len() - 1] {
            std::fs::write(&path, &whole[..end]).unwrap();
            assert!(LevelLog::open(&path, committed).is_err(), "{end} bytes");
        }
    }
}
