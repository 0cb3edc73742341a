//! Memoisation of the steps of deterministic sequences: each step is executed once for all states
//! that agree in the bits that it reads.
//!
//! A `d_step` that iterates over a table reads the whole table, so its footprint is large; but each
//! of its statements reads one element, and several consecutive ones read few. While footprints are
//! recorded ([`crate::interpret`]), they are known for each statement and each run of up to [`RUN`]
//! statements. In a state that agrees in these bits, the same bits change, control reaches the same
//! location, and the whole move depends on the same bits. A statement with a fault is not memoised.
//!
//! *Entry point:* [`SmallSteps`], the steps that the interpreter asks for.
//!
//! *Source:* as in `parts.rs`.
//!
//! *Invariant:* `row` is the state after the last step.

use axle_model::{Atomicity, EdgeId, ProcId};

use super::footprints::Footprints;
use crate::interpret::cached_steps::CachedSteps;
use crate::interpret::edge::{self, First, Move, Taken};
use crate::interpret::emit::Emit;
use crate::interpret::log::Log;
use crate::interpret::machine::Machine;
use crate::successors::Grow;

/// Maximum number of steps memoised as one.
pub(crate) const RUN: u32 = 8;

/// The kinds of control after a memoised step, by number.
const KEEPS: [Atomicity; 3] = [Atomicity::Release, Atomicity::Atomic, Atomicity::Deterministic];

/// Memoised steps: two trees for each process, of single steps and of runs.
///
/// A result consists of the number of steps, the last edge, the type of the process, the kind of
/// control and the number of changed words; then each changed word with its bits, and each word of
/// the footprint with its bits.
#[derive(Clone, Default, Debug)]
pub(crate) struct SmallSteps {
    known: Footprints,
    /// Number of process slots; a change of it changes the meaning of the bits of a state.
    slots: usize,
    /// The state, in words.
    row: Vec<u64>,
    /// The footprint of a step, and of the run that contains it.
    bits: Vec<u64>,
    run: Vec<u64>,
    /// The footprint before the step.
    outside: Vec<u64>,
    /// The state before a run, in words, and before its last step.
    from: Vec<u64>,
    before: Vec<u8>,
    result: Vec<u64>,
}

impl CachedSteps for SmallSteps {
    fn begin(&mut self, machine: &Machine, state: &[u8]) {
        let slots = machine.layout.slots.len();
        if self.slots != slots {
            (self.known, self.slots) = (Footprints::new(2 * slots), slots);
        }
        self.read(state);
    }

    fn run(
        &mut self,
        machine: &Machine,
        state: &mut [u8],
        pid: u32,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<(First, u32), Grow> {
        if let Some(known) = self.known.get(2 * pid + 1, &self.row) {
            let (made, steps) = self.again(machine, known, state, pid);
            return Ok((First::Made(made), steps));
        }
        // One sequence may have a million steps.
        if self.known.is_full() {
            self.known = Footprints::new(2 * self.slots);
        }
        machine.watch.take(&mut self.outside);
        self.from.clone_from(&self.row);
        self.run.clear();
        self.run.resize(self.row.len(), 0);
        let (mut last, mut steps) = (None, 0);
        while steps < RUN {
            self.before.clear();
            self.before.extend_from_slice(state);
            let first = self.step(machine, state, pid, log)?;
            self.run.iter_mut().zip(&self.bits).for_each(|(run, bits)| *run |= bits);
            match first {
                First::Made(made) if is_plain(&made, log) => {
                    emit.take(&made);
                    steps += 1;
                    let goes_on = made.keep == Atomicity::Deterministic;
                    last = Some(made);
                    if !goes_on {
                        break;
                    }
                }
                first if steps == 0 => {
                    machine.watch.add(&self.outside);
                    machine.watch.add(&self.run);
                    return Ok((first, 1));
                }
                // Not part of the run: it is executed again, as the first step of the next one.
                _ => {
                    state.copy_from_slice(&self.before);
                    self.read(state);
                    log.attempt.clear();
                    break;
                }
            }
        }
        machine.watch.add(&self.outside);
        machine.watch.add(&self.run);
        let Some(made) = last else { unreachable!("a run has a step") };
        std::mem::swap(&mut self.run, &mut self.bits);
        std::mem::swap(&mut self.from, &mut self.row);
        self.remember(2 * pid + 1, &made, steps, state);
        self.read(state);
        Ok((First::Made(made), steps))
    }

    fn boxed(&self) -> Box<dyn CachedSteps> {
        Box::new(self.clone())
    }
}

impl SmallSteps {
    fn read(&mut self, state: &[u8]) {
        self.row.clear();
        self.row.extend(state.chunks(8).map(word));
    }

    /// Executes a single step and stores its footprint in `bits`.
    fn step(&mut self, machine: &Machine, state: &mut [u8], pid: u32, log: &mut Log) -> Result<First, Grow> {
        if let Some(known) = self.known.get(2 * pid, &self.row) {
            let (made, _) = self.again(machine, known, state, pid);
            machine.watch.take(&mut self.bits);
            return Ok(First::Made(made));
        }
        let who = machine.actor(state, pid, false, None);
        let first = edge::first_in_place(&who, state, log);
        machine.watch.take(&mut self.bits);
        if let Ok(First::Made(made)) = &first
            && is_plain(made, log)
        {
            self.remember(2 * pid, made, 1, state);
        }
        self.read(state);
        first
    }

    /// Applies memoised steps; returns the last step and their number.
    fn again(&mut self, machine: &Machine, known: (u32, u32), state: &mut [u8], pid: u32) -> (Move, u32) {
        let &[steps, edge, proc, keep, changed, ref rest @ ..] = self.known.result(known) else {
            unreachable!("a result has five words at least")
        };
        let (changes, looks) = rest.split_at(2 * changed as usize);
        for change in changes.chunks_exact(2) {
            let index = change[0] as usize;
            self.row[index] ^= change[1];
            let bytes = &mut state[8 * index..];
            let count = bytes.len().min(8);
            bytes[..count].copy_from_slice(&self.row[index].to_le_bytes()[..count]);
        }
        looks.chunks_exact(2).for_each(|look| machine.watch.word(look[0] as usize, look[1]));
        let by = Taken { pid, proc: ProcId(proc as u32), edge: EdgeId(edge as u32) };
        let keep = KEEPS[keep as usize];
        (Move { by, partner: None, keep, faults: Vec::new(), events: Vec::new() }, steps as u32)
    }

    /// Stores, in a tree, steps that lead from `row` to a state and have the footprint `bits`.
    fn remember(&mut self, tree: u32, made: &Move, steps: u32, state: &[u8]) {
        let keep = KEEPS.iter().position(|&keep| keep == made.keep).unwrap_or_default();
        let (edge, proc) = (u64::from(made.by.edge.0), u64::from(made.by.proc.0));
        self.result.clear();
        self.result.extend([steps.into(), edge, proc, keep as u64, 0]);
        for (index, (from, to)) in self.row.iter().zip(state.chunks(8).map(word)).enumerate() {
            if *from != to {
                self.result[4] += 1;
                self.result.extend([index as u64, from ^ to]);
            }
        }
        for (index, &bits) in self.bits.iter().enumerate().filter(|&(_, &bits)| bits != 0) {
            self.result.extend([index as u64, bits]);
        }
        let kept = self.known.keep(&self.result);
        self.known.put(tree, &self.row, &self.bits, kept);
    }
}

/// Whether neither the step nor the tests before it had a fault.
fn is_plain(made: &Move, log: &Log) -> bool {
    made.faults.is_empty() && log.attempt.is_empty()
}

/// Up to eight bytes of a state.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
