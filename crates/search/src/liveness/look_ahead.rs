//! Lookahead: expands states in batches before a depth-first search requests them, namely pending
//! states and new states beyond them. Single requests would each wait for memory.
//!
//! *Entry point:* [`look_ahead`], for the sequential search ([`crate::liveness::explorer`]) and for each
//! thread of a parallel one ([`crate::parallel`]).
//!
//! *Invariant:* At the end the list of the requested state exists.

use crate::liveness::ring::{Entry, target};

/// Number of states per batch, and number of states in all batches of one request.
const BATCH: usize = 32;
const AHEAD: usize = 128;

/// An object that expands states and stores successor lists.
pub(crate) trait Lists {
    /// Reason why it cannot continue.
    type Stop;

    /// Whether the list of a state exists.
    fn has(&self, number: u32) -> bool;

    /// Whether the search will request the list of a pending state and the list does not exist.
    fn wants(&mut self, number: u32) -> bool;

    /// Expands states.
    fn expand(&mut self, numbers: &[u32]) -> Result<(), Self::Stop>;

    /// Writes the list of a source of the last batch (sources are processed in order), and appends
    /// its new targets to `next`.
    fn list(&mut self, source: usize, number: u32, next: &mut Vec<u32>) -> Result<(), Self::Stop>;
}

/// Buffers reused between requests.
#[derive(Default, Debug)]
pub(crate) struct Batches {
    frontier: Vec<u32>,
    next: Vec<u32>,
}

/// Expands a state and others that will be needed soon. `waiting` holds pending states, the next
/// one last.
pub(crate) fn look_ahead<L: Lists>(
    lists: &mut L,
    Batches { frontier, next }: &mut Batches,
    number: u32,
    waiting: &[Entry],
) -> Result<(), L::Stop> {
    // New states beyond those expanded for the last request. Without them the search of a chain of
    // states would expand one at a time.
    frontier.retain(|&other| other != number && lists.wants(other));
    frontier.truncate(BATCH / 2);
    // The requested state is last, so that no other list overwrites its list.
    for &entry in waiting.iter().rev().take(BATCH) {
        let other = target(entry);
        if other != number && lists.wants(other) && !frontier.contains(&other) {
            frontier.push(other);
            if frontier.len() >= BATCH - 1 {
                break;
            }
        }
    }
    frontier.push(number);
    let mut made = 0;
    while !frontier.is_empty() && made < AHEAD {
        lists.expand(frontier)?;
        made += frontier.len();
        next.clear();
        for (source, &number) in frontier.iter().enumerate() {
            lists.list(source, number, next)?;
        }
        next.truncate(BATCH);
        std::mem::swap(frontier, next);
    }
    // Very long lists of later states may have overwritten it.
    if !lists.has(number) {
        lists.expand(&[number])?;
        next.clear();
        lists.list(0, number, next)?;
    }
    Ok(())
}
