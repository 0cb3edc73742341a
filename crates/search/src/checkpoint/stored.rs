//! Serialisation of a parallel search: a sequence of numbers and bytes defined by the search.
//!
//! On disk the sequence is divided into chunks with their lengths, so that its total length need
//! not be known in advance. A body is read into memory completely before it is used, because its
//! checksum is last. Memory is released as the body is consumed, while the set that it fills grows.
//!
//! *Entry points:* [`Out`] for writing, [`Body`] for reading.

use axle_outcome::Stop;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};

use super::{LINES, Sum, Unusable, fill};

/// Maximum number of bytes of a chunk.
const CHUNK: usize = 1 << 20;

/// Data that can be serialised.
pub(crate) trait Stored {
    /// Writes the data.
    fn write(&self, out: &mut Out<'_>) -> io::Result<()>;
}

/// Destination of serialised data.
pub(crate) struct Out<'w> {
    to: &'w mut dyn Write,
    sum: &'w mut Sum,
    chunk: Vec<u8>,
    size: u64,
}

impl<'w> Out<'w> {
    pub(super) fn new(to: &'w mut dyn Write, sum: &'w mut Sum) -> Out<'w> {
        Out { to, sum, chunk: Vec::with_capacity(CHUNK), size: 0 }
    }

    /// Writes a number in variable length.
    pub fn number(&mut self, mut number: u64) -> io::Result<()> {
        let (mut bytes, mut len) = ([0; 10], 0);
        loop {
            bytes[len] = number as u8 & 0x7f | u8::from(number > 0x7f) << 7;
            len += 1;
            number >>= 7;
            if number == 0 {
                return self.bytes(&bytes[..len]);
            }
        }
    }

    /// Writes a list of numbers, preceded by its length.
    pub fn numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.number(numbers.len() as u64)?;
        numbers.iter().try_for_each(|&number| self.number(number))
    }

    /// Writes a list of Booleans as bits.
    pub fn booleans(&mut self, yes: &[bool]) -> io::Result<()> {
        self.number(yes.len() as u64)?;
        yes.iter().try_for_each(|&yes| self.bytes(&[u8::from(yes)]))
    }

    /// Writes several lists of Booleans.
    pub fn boolean_lists(&mut self, lists: &[Vec<bool>]) -> io::Result<()> {
        self.number(lists.len() as u64)?;
        lists.iter().try_for_each(|list| self.booleans(list))
    }

    /// Writes bytes.
    pub fn bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.chunk.len() + bytes.len() > CHUNK {
            let (now, rest) = bytes.split_at(CHUNK - self.chunk.len());
            self.chunk.extend_from_slice(now);
            bytes = rest;
            self.flush()?;
        }
        self.chunk.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        add_all(self.sum, &self.chunk);
        self.to.write_all(&(self.chunk.len() as u32).to_le_bytes())?;
        self.to.write_all(&self.chunk)?;
        self.size += 4 + self.chunk.len() as u64;
        self.chunk.clear();
        Ok(())
    }

    /// Ends the sequence and returns the number of bytes written.
    pub(super) fn end(mut self) -> io::Result<u64> {
        if !self.chunk.is_empty() {
            self.flush()?;
        }
        // An empty chunk marks the end.
        self.flush()?;
        Ok(self.size)
    }
}

/// Adds the length and the bytes of a chunk to the checksum, eight bytes at a time.
fn add_all(sum: &mut Sum, chunk: &[u8]) {
    sum.add(chunk.len() as u64);
    let (words, rest) = chunk.as_chunks::<8>();
    words.iter().for_each(|word| sum.add(u64::from_le_bytes(*word)));
    rest.iter().for_each(|&byte| sum.add(byte.into()));
}

/// Small data as bytes of memory.
pub(crate) fn to_bytes(write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> Vec<u8> {
    let (mut bytes, mut sum) = (Vec::new(), Sum::new());
    let mut out = Out { to: &mut bytes, sum: &mut sum, chunk: Vec::new(), size: 0 };
    let written = write(&mut out).and_then(|()| out.end());
    // A list in memory takes everything.
    assert!(written.is_ok(), "memory can be written");
    bytes
}

/// Small data from bytes of memory, all of which are consumed.
pub(crate) fn of_bytes<T>(
    mut bytes: &[u8],
    read: impl FnOnce(&mut Body) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let mut body = Body::read(&mut bytes, &mut Sum::new()).map_err(|_| Stop::Checkpoint)?;
    let data = read(&mut body)?;
    if body.is_empty() && bytes.is_empty() { Ok(data) } else { Err(Stop::Checkpoint) }
}

/// Serialised data that was read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Body {
    chunks: VecDeque<Vec<u8>>,
    /// Read position in the first chunk.
    at: usize,
}

impl Body {
    pub(super) fn read(input: &mut impl BufRead, sum: &mut Sum) -> Result<Body, Unusable> {
        let mut body = Body::default();
        loop {
            let mut length = [0; 4];
            fill(input, &mut length)?;
            let length = u32::from_le_bytes(length) as usize;
            if length > CHUNK {
                return Err(LINES);
            }
            let mut chunk = vec![0; length];
            fill(input, &mut chunk)?;
            add_all(sum, &chunk);
            if length == 0 {
                return Ok(body);
            }
            body.chunks.push_back(chunk);
        }
    }

    /// Whether all data was consumed.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Reads bytes to fill `out`.
    pub fn take(&mut self, mut out: &mut [u8]) -> Result<(), Stop> {
        while !out.is_empty() {
            let chunk = self.chunks.front().ok_or(Stop::Checkpoint)?;
            let now = out.len().min(chunk.len() - self.at);
            let (filled, rest) = out.split_at_mut(now);
            filled.copy_from_slice(&chunk[self.at..self.at + now]);
            out = rest;
            self.at += now;
            if self.at == chunk.len() {
                self.chunks.pop_front();
                self.at = 0;
            }
        }
        Ok(())
    }

    /// Reads a byte.
    pub fn byte(&mut self) -> Result<u8, Stop> {
        let mut byte = [0];
        self.take(&mut byte)?;
        Ok(byte[0])
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64, Stop> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            if shift > 63 || shift == 63 && byte > 1 {
                return Err(Stop::Checkpoint);
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    /// Reads a number less than `most`.
    pub fn below(&mut self, most: u64) -> Result<u64, Stop> {
        self.number().and_then(|number| if number < most { Ok(number) } else { Err(Stop::Checkpoint) })
    }

    /// Reads a 32-bit number.
    pub fn small(&mut self) -> Result<u32, Stop> {
        self.below(1 << 32).map(|number| number as u32)
    }

    /// Reads the number of following elements, each of which takes at least one byte.
    pub fn count(&mut self) -> Result<usize, Stop> {
        let count = self.number()?;
        let left = self.chunks.iter().map(Vec::len).sum::<usize>() - self.at;
        if count > left as u64 { Err(Stop::Checkpoint) } else { Ok(count as usize) }
    }

    /// Reads the list written by [`Out::numbers`].
    pub fn numbers(&mut self) -> Result<Vec<u64>, Stop> {
        (0..self.count()?).map(|_| self.number()).collect()
    }

    /// Reads the list written by [`Out::booleans`].
    pub fn booleans(&mut self) -> Result<Vec<bool>, Stop> {
        let mut bytes = vec![0; self.count()?];
        self.take(&mut bytes)?;
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }

    /// Reads the lists written by [`Out::boolean_lists`].
    pub fn boolean_lists(&mut self) -> Result<Vec<Vec<bool>>, Stop> {
        (0..self.count()?).map(|_| self.booleans()).collect()
    }
}
