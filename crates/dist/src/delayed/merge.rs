//! Merging of sorted runs, and the difference of candidates and visited states.
//!
//! *Entry points:* [`Merged::next_group`], [`for_each_new`].
//!
//! *Invariant:* states are compared in full. A hash value only says where to look.

use std::ops::Range;
use std::rc::Rc;

use axle_step::Interrupt;

use super::run::{Run, RunReader, RunWriter};
use super::stream::RunFolder;
use crate::failure::Failure;
use crate::report::Halt;

/// Groups of states between two polls of the interrupt.
const WATCH: u64 = 1 << 14;

/// After all hash values.
const END: u64 = u64::MAX;

/// All states of several runs, in groups of one hash value.
pub(super) struct Merged {
    readers: Vec<RunReader>,
    /// The hash value of each reader's state.
    heads: Vec<u64>,
    width: usize,
    states: Vec<u8>,
}

impl Merged {
    /// The states of runs, as states of `width` bytes.
    pub fn new(runs: &[Rc<Run>], width: usize) -> Result<Merged, Failure> {
        let readers = runs.iter().map(|run| RunReader::new(Rc::clone(run))).collect::<Result<Vec<_>, _>>()?;
        let heads = readers.iter().map(|reader| reader.hash().unwrap_or(END)).collect();
        Ok(Merged { readers, heads, width, states: Vec::new() })
    }

    /// The next hash value; none at the end.
    pub fn next_group(&mut self) -> Result<Option<u64>, Failure> {
        let hash = self.heads.iter().copied().min().unwrap_or(END);
        if hash == END {
            return Ok(None);
        }
        self.states.clear();
        for (reader, head) in self.readers.iter_mut().zip(&mut self.heads) {
            while *head == hash {
                reader.append_state(self.width, &mut self.states)?;
                reader.advance()?;
                *head = reader.hash().unwrap_or(END);
            }
        }
        if self.states.len() > self.width {
            make_distinct(&mut self.states, self.width);
        }
        Ok(Some(hash))
    }

    /// The states of the group, each once, in ascending order.
    pub fn group(&self) -> impl Iterator<Item = &[u8]> {
        self.states.chunks_exact(self.width)
    }
}

/// Sorts states, and removes all but one of those that are equal.
fn make_distinct(states: &mut Vec<u8>, width: usize) {
    let mut all: Vec<&[u8]> = states.chunks_exact(width).collect();
    all.sort_unstable();
    all.dedup();
    *states = all.concat();
}

/// Polls the interrupt now and then.
fn poll(groups: &mut u64, interrupt: &Interrupt) -> Result<(), Halt> {
    *groups += 1;
    let cut = if groups.is_multiple_of(WATCH) { interrupt.ask() } else { None };
    cut.map_or(Ok(()), |cut| Err(Halt::Stop(cut.into())))
}

/// Calls `each` for every candidate that is not visited, in the order of runs.
pub(super) fn for_each_new(
    mut candidates: Merged,
    visited: &[Rc<Run>],
    interrupt: &Interrupt,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), Failure>,
) -> Result<(), Halt> {
    let readers = visited.iter().map(|run| RunReader::new(Rc::clone(run)));
    let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
    let (width, mut known, mut groups) = (candidates.width, Vec::new(), 0);
    while let Some(hash) = candidates.next_group()? {
        poll(&mut groups, interrupt)?;
        known.clear();
        for reader in &mut readers {
            reader.seek(hash)?;
            while reader.hash() == Some(hash) {
                reader.append_state(width, &mut known)?;
                reader.advance()?;
            }
        }
        for state in candidates.group() {
            if !known.chunks_exact(width).any(|other| other == state) {
                each(hash, state)?;
            }
        }
    }
    Ok(())
}

/// Writes all states of several runs to one, each once.
pub(super) fn merge(
    runs: &[Rc<Run>],
    width: usize,
    mut writer: RunWriter<'_>,
    interrupt: &Interrupt,
) -> Result<Run, Halt> {
    let (mut all, mut groups) = (Merged::new(runs, width)?, 0);
    while let Some(hash) = all.next_group()? {
        poll(&mut groups, interrupt)?;
        for state in all.group() {
            writer.push(hash, state)?;
        }
    }
    Ok(writer.end()?)
}

/// Merges the last of some runs, from the first one with less than twice the states of all that follow it.
/// Of the runs that remain, each has at least twice the states of all that follow it, so there are few.
pub(super) fn merge_tail(
    runs: &mut Vec<Rc<Run>>,
    among: Range<usize>,
    folder: &mut RunFolder,
    (width, interrupt): (usize, &Interrupt),
) -> Result<(), Halt> {
    // A small run before larger ones must not hide those before it.
    let (mut first, mut states) = (among.end, 0);
    for number in among.clone().rev() {
        if runs[number].len() < 2 * states {
            first = number;
        }
        states += runs[number].len();
    }
    if first < among.end {
        let merged = merge(&runs[first..among.end], width, RunWriter::new(folder, width), interrupt)?;
        runs.splice(first..among.end, [Rc::new(merged)]);
    }
    Ok(())
}
