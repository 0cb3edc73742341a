//! States expanded in batches before a depth-first search asks for them: those that wait to be
//! entered, and what is new beyond.
//!
//! Asked for one by one, each state would wait for memory.
//!
//! *Entry point:* [`look_ahead`], for one thread ([`crate::explorer`]) and for each of several
//! ([`crate::parallel`]).
//! *Invariant:* The list of the state asked for is there at the end.

use crate::ring::{Entry, target};

/// States expanded at once, and how many in all before the search goes on.
const BATCH: usize = 32;
const AHEAD: usize = 128;

/// What expands states and keeps lists of their successors.
pub(crate) trait Lists {
    /// Why it cannot go on.
    type Stop;

    /// Whether the list of a state is there.
    fn has(&self, number: u32) -> bool;

    /// Whether the search will ask for the list of a state that waits, and it is not there.
    fn wants(&mut self, number: u32) -> bool;

    /// Expands states.
    fn expand(&mut self, numbers: &[u32]) -> Result<(), Self::Stop>;

    /// Writes the list of a source of the last batch, which are taken in order, and appends its targets that are new to `next`.
    fn list(&mut self, source: usize, number: u32, next: &mut Vec<u32>) -> Result<(), Self::Stop>;
}

/// Memory to work in, kept from one time to the next.
#[derive(Default, Debug)]
pub(crate) struct Batches {
    frontier: Vec<u32>,
    next: Vec<u32>,
}

/// Expands a state and others that will be needed soon. `waiting` are states that the search will enter, the first last.
pub(crate) fn look_ahead<L: Lists>(
    lists: &mut L,
    Batches { frontier, next }: &mut Batches,
    number: u32,
    waiting: &[Entry],
) -> Result<(), L::Stop> {
    frontier.clear();
    // The state asked for goes last, so that nothing can push its list out again.
    for &entry in waiting.iter().rev().take(BATCH) {
        let other = target(entry);
        if other != number && lists.wants(other) && !frontier.contains(&other) {
            frontier.push(other);
            if frontier.len() >= BATCH / 2 {
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
    // What came after it may have pushed the list out, where lists are very long.
    if !lists.has(number) {
        lists.expand(&[number])?;
        next.clear();
        lists.list(0, number, next)?;
    }
    Ok(())
}
