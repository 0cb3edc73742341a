//! Loops of invisible steps: notices a thread that comes back to the state in which it was.
//!
//! *Entry point:* [`CycleDetector::at_head`], at each head of a loop.
//! *Source:* R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 1980 (a snapshot after
//! 8, 16, 32 ... heads), with few comparisons after each snapshot.
//! *Invariant:* a cycle is reported only if the state at the head is the one of the snapshot. The answer
//! rests on the thread's own record alone, or the step is marked as one that cannot be memoised. The head at
//! which a thread rests does not depend on the one with which it enters the cycle.

use crate::machine::encode::{encode, record};
use crate::observers::recorders::Machine;
use crate::state::program_state::Thread;
use crate::state::value::Value;

/// Heads before the first snapshot.
const FIRST: u32 = 8;

/// Heads after a snapshot at which the thread is compared.
const LONGEST: u32 = 64;

/// Comparisons of whole states after a snapshot.
const MOST_ENCODED: u32 = 4;

/// The result of [`CycleDetector::at_head`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    /// No cycle is known.
    Open,
    /// The state is one that the thread was in before.
    Closed,
    /// After that, the whole cycle was executed again, up to the head at which a thread in it rests.
    Repeated,
}

/// What happens after a cycle was noticed.
#[derive(Debug)]
enum Phase {
    /// None was noticed.
    Open,
    /// It is executed again, for the number of further heads. The least record at one of them, and how many
    /// heads it is from the first one.
    Again { left: u32, passed: u32, least: Vec<u8>, at: u32 },
    /// The thread goes on to that head.
    Rests { left: u32 },
}

/// A state of the thread at the head of a loop.
#[derive(Default, Debug)]
struct Snapshot {
    at: u32,
    thread: Thread,
    /// [`Machine::changes`] then.
    changes: u64,
    /// The state, where memory was changed since: it is encoded once the thread is as it was.
    encoded: Option<Vec<u8>>,
    compared: u32,
}

impl Snapshot {
    fn take(&mut self, machine: &Machine<'_>, t: usize, at: u32) {
        self.thread.clone_from(&machine.state.threads[t]);
        (self.at, self.changes, self.encoded, self.compared) = (at, machine.changes, None, 0);
    }
}

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct CycleDetector {
    heads: u32,
    snapshot: Snapshot,
    phase: Phase,
}

impl Default for CycleDetector {
    fn default() -> CycleDetector {
        CycleDetector { heads: 0, snapshot: Snapshot::default(), phase: Phase::Open }
    }
}

impl CycleDetector {
    /// Whether a cycle was noticed.
    pub fn is_closed(&self) -> bool {
        !matches!(self.phase, Phase::Open)
    }

    /// Called at the head of a loop, with the thread that executes it.
    pub fn at_head(&mut self, machine: &Machine<'_>, t: usize) -> Round {
        match &mut self.phase {
            Phase::Open => {}
            Phase::Again { left, passed, least, at } => {
                (*left, *passed) = (left.saturating_sub(1), *passed + 1);
                let record = record_of(machine, t);
                if record < *least {
                    (*least, *at) = (record, *passed);
                }
                if *left > 0 {
                    return Round::Open;
                }
                // This head is the first one again.
                let left = if *at == *passed { 0 } else { *at };
                self.phase = Phase::Rests { left };
                return if left == 0 { Round::Repeated } else { Round::Open };
            }
            Phase::Rests { left } => {
                *left = left.saturating_sub(1);
                return if *left == 0 { Round::Repeated } else { Round::Open };
            }
        }
        self.heads += 1;
        if self.heads < FIRST {
            return Round::Open;
        }
        if self.heads.is_power_of_two() {
            self.snapshot.take(machine, t, self.heads);
            return Round::Open;
        }
        let since = self.heads - self.snapshot.at;
        if since > LONGEST || !self.is_same(machine, t) {
            return Round::Open;
        }
        let left = self.heads - self.snapshot.at;
        self.phase = Phase::Again { left, passed: 0, least: record_of(machine, t), at: 0 };
        Round::Closed
    }

    /// Whether the state is that of the snapshot.
    fn is_same(&mut self, machine: &Machine<'_>, t: usize) -> bool {
        let snapshot = &mut self.snapshot;
        let thread = &machine.state.threads[t];
        if !is_alike(&snapshot.thread, thread) {
            return false;
        }
        // With recorded accesses, reading changes the state as well.
        if machine.changes == snapshot.changes && !machine.tracks {
            return snapshot.thread == *thread;
        }
        // The memory that was changed may have been changed back.
        machine.observer.mark_uncacheable();
        let Some(known) = &snapshot.encoded else {
            snapshot.take(machine, t, self.heads);
            snapshot.encoded = Some(encode(machine));
            return false;
        };
        snapshot.compared += 1;
        snapshot.compared <= MOST_ENCODED && *known == encode(machine)
    }
}

/// The record of a thread as bytes.
fn record_of(machine: &Machine<'_>, t: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    record(machine.program, &machine.state.threads[t], &mut |object| object, &mut bytes);
    bytes
}

/// Whether two records of a thread may be the same state: they are equal but for the numbers of objects.
fn is_alike(one: &Thread, other: &Thread) -> bool {
    let same = |(a, b): (&Value, &Value)| match (a, b) {
        (Value::Ptr(_, a), Value::Ptr(_, b)) => a == b,
        _ => a == b,
    };
    one.frames.len() == other.frames.len()
        && one.regs.len() == other.regs.len()
        && one.frames.iter().zip(&other.frames).all(|(a, b)| (a.code, a.pc) == (b.code, b.pc))
        && one.regs.iter().zip(&other.regs).all(same)
}
