//! Ends a long transition where another thread has a data race with it.
//!
//! A transaction may execute a loop with a million iterations, and only then other threads get a turn. So
//! after some thousand steps, and each time these have doubled, the other threads are executed on a copy
//! of the state. If one of them conflicts with an access of the transaction, the transition ends here,
//! and the search finds the race by the same steps.
//!
//! *Entry point:* [`Lookahead::at_head`], at each head of a loop.
//! *Soundness:* an additional scheduling point adds executions and removes none (`transactions.rs`).
//! *Invariant:* whether the transition ends is a function of the state in which it begins.
//! *Cost:* a quarter of the steps of the transition.

use crate::observers::recorders::Machine;
use crate::state::outcome::{Choice, Done};
use crate::visibility::Next;

/// Steps of a transition before the first lookahead.
const FIRST: u64 = 1_024;

/// The part of the steps of a transition that others execute.
const PART: u64 = 4;

/// Steps of another thread at a time.
const TURN: u64 = 512;

/// When to look ahead next.
#[derive(Debug)]
pub(crate) struct Lookahead {
    due: u64,
}

impl Default for Lookahead {
    fn default() -> Lookahead {
        Lookahead { due: FIRST }
    }
}

impl Lookahead {
    /// Called at the head of a loop, after a number of steps: whether the transition of the thread is to
    /// end.
    pub fn at_head(&mut self, machine: &mut Machine<'_>, t: usize, steps: u64) -> bool {
        if steps < self.due {
            return false;
        }
        self.due = 2 * steps;
        if !machine.transactions()
            || machine.state.atomic != 0
            || machine.state.threads[t].access_log.is_empty()
        {
            return false;
        }
        // What the others do is no question about the state.
        machine.observer.mark_uncacheable();
        others_conflict(machine, t, steps / PART)
    }
}

/// Whether another thread conflicts with the transaction of a thread within a number of steps of all
/// others, which are executed in turns.
fn others_conflict(machine: &mut Machine<'_>, t: usize, most: u64) -> bool {
    let mut copy = machine.silent_copy();
    let mut left = most;
    let mut moved = true;
    while moved && left > 0 && copy.observer.deferred_races.is_empty() {
        moved = false;
        let mut u = 0;
        // Threads may be created meanwhile.
        while u < copy.state.threads.len() && !copy.state.done {
            if u != t {
                let before = left;
                if !take_turn(&mut copy, u, &mut left) {
                    left = 0;
                }
                moved |= left < before;
            }
            u += 1;
        }
        moved &= !copy.state.done;
    }
    !copy.observer.deferred_races.is_empty()
}

/// Executes some steps of a thread; false if nothing further is executed.
fn take_turn(copy: &mut Machine<'_>, u: usize, left: &mut u64) -> bool {
    let mut turn = TURN;
    while turn > 0 && *left > 0 && !copy.state.done {
        let is_gone = copy.state.threads.get(u).is_none_or(|thread| thread.ended || thread.summary);
        if is_gone || !copy.is_wanted() {
            return is_gone;
        }
        let outcome = match copy.next_kind(u) {
            Next::Ended => return true,
            Next::Invisible => {
                copy.invisible = true;
                let outcome = copy.step(u, Choice::Ask);
                copy.invisible = false;
                outcome
            }
            Next::Visible => match copy.visible_step(u, Choice::Ask) {
                Ok(Done::Choices(_)) => copy.visible_step(u, Choice::Take(0)),
                outcome => outcome,
            },
        };
        if !copy.observer.deferred_races.is_empty() {
            return false;
        }
        match outcome {
            Ok(Done::Next) => (turn, *left) = (turn - 1, *left - 1),
            // Another may let it go on.
            Ok(Done::Blocked | Done::Choices(_)) => return true,
            Ok(Done::Discarded) | Err(_) => return false,
        }
    }
    true
}
