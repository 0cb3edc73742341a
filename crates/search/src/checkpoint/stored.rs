//! What a search by several threads has written down: numbers and bytes, one behind the other, as
//! the search likes.
//!
//! On disk they are cut into chunks with their lengths, so that nobody has to know how long all of
//! it is. A body is in memory as a whole before anything of it is used, as the sum over it comes
//! last; what was read of it is given back, so that it shrinks as the set grows that is filled from
//! it.
//!
//! *Entry points:* [`Out`] to write to, [`Body`] to read from.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};

use super::{LINES, Sum, Unusable, fill};
use crate::limits::Stop;

/// Bytes of a chunk at most.
const CHUNK: usize = 1 << 20;

/// Something that can be written down.
pub(crate) trait Stored {
    /// Writes it.
    fn write(&self, out: &mut Out<'_>) -> io::Result<()>;
}

/// Where it is written.
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

    /// Writes a number, in as few bytes as it needs.
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

    /// Writes several, and before them how many.
    pub fn numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.number(numbers.len() as u64)?;
        numbers.iter().try_for_each(|&number| self.number(number))
    }

    /// Writes whether something is so, for each of some things.
    pub fn yes(&mut self, yes: &[bool]) -> io::Result<()> {
        self.number(yes.len() as u64)?;
        yes.iter().try_for_each(|&yes| self.bytes(&[u8::from(yes)]))
    }

    /// The same for lists of things.
    pub fn yes_each(&mut self, lists: &[Vec<bool>]) -> io::Result<()> {
        self.number(lists.len() as u64)?;
        lists.iter().try_for_each(|list| self.yes(list))
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

    /// Ends it, and gives the bytes written.
    pub(super) fn end(mut self) -> io::Result<u64> {
        if !self.chunk.is_empty() {
            self.flush()?;
        }
        // A chunk of nothing is the last.
        self.flush()?;
        Ok(self.size)
    }
}

/// Adds the length of a chunk and its bytes, eight at a time.
fn add_all(sum: &mut Sum, chunk: &[u8]) {
    sum.add(chunk.len() as u64);
    let (words, rest) = chunk.as_chunks::<8>();
    words.iter().for_each(|word| sum.add(u64::from_le_bytes(*word)));
    rest.iter().for_each(|&byte| sum.add(byte.into()));
}

/// What was written.
#[derive(Clone, Default, Debug)]
pub(crate) struct Body {
    chunks: VecDeque<Vec<u8>>,
    /// How far the first chunk was read.
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

    /// Whether all of it was read.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Reads bytes, as many as there is room for.
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

    /// Reads a number that is below another.
    pub fn below(&mut self, most: u64) -> Result<u64, Stop> {
        self.number().and_then(|number| if number < most { Ok(number) } else { Err(Stop::Checkpoint) })
    }

    /// Reads a number of 32 bits.
    pub fn small(&mut self) -> Result<u32, Stop> {
        self.below(1 << 32).map(|number| number as u32)
    }

    /// Reads how many things of at least a byte each follow.
    pub fn count(&mut self) -> Result<usize, Stop> {
        let count = self.number()?;
        let left = self.chunks.iter().map(Vec::len).sum::<usize>() - self.at;
        if count > left as u64 { Err(Stop::Checkpoint) } else { Ok(count as usize) }
    }

    /// Reads what [`Out::numbers`] wrote.
    pub fn numbers(&mut self) -> Result<Vec<u64>, Stop> {
        (0..self.count()?).map(|_| self.number()).collect()
    }

    /// Reads what [`Out::yes`] wrote.
    pub fn yes(&mut self) -> Result<Vec<bool>, Stop> {
        let mut bytes = vec![0; self.count()?];
        self.take(&mut bytes)?;
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }

    /// Reads what [`Out::yes_each`] wrote.
    pub fn yes_each(&mut self) -> Result<Vec<Vec<bool>>, Stop> {
        (0..self.count()?).map(|_| self.yes()).collect()
    }
}
