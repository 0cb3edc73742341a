//! Expanding where a step may create a process that the layout has no slot for yet: make room
//! everywhere, then expand the same states again.
//!
//! *Invariant:* Set, stepper and sources have one width whenever a step is made.

use axle_step::{Batch, Grow, Layout, Successors};
use axle_store::StateSet;

use crate::limits::Stop;

/// Below so many stored states widening them all is cheap, and a slot too many would cost memory for ever.
const FEW: u64 = 10_000;

/// No search has room for more processes.
const MOST: usize = 1 << 16;

/// Whether states of this layout may have room for so many processes, more than it has: what was written down says so.
pub(crate) fn can_have(layout: &Layout, slots: usize) -> bool {
    layout.can_grow() && slots <= MOST
}

/// For how many processes to make room where so many are needed and so many states are stored.
pub(crate) fn room(slots: usize, states: u64) -> usize {
    if states < FEW { slots } else { slots + slots / 4 }
}

/// All successors of `sources` in `batch`; makes room for new processes as needed. Ends where some are missing.
#[inline]
pub(crate) fn expand<G: Successors, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    sources: &mut Vec<u8>,
    batch: &mut Batch,
) -> Result<(), Stop> {
    while let Err(Grow { slots }) = stepper.expand(sources, batch) {
        make_room(stepper, set, sources, slots)?;
    }
    batch.cut.map_or(Ok(()), |cut| Err(cut.into()))
}

/// Makes room for so many processes in all states.
#[cold]
pub(crate) fn make_room<G: Successors, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    sources: &mut Vec<u8>,
    slots: usize,
) -> Result<(), Stop> {
    let old = stepper.layout().width();
    stepper.grow(room(slots, set.len()));
    let new = stepper.layout().width();
    set.widen(new).map_err(|_| Stop::Memory)?;
    *sources = widened(sources, old, new);
    Ok(())
}

/// The states with zeros after each.
fn widened(states: &[u8], old: usize, new: usize) -> Vec<u8> {
    let mut wide = Vec::with_capacity(states.len() / old * new);
    for state in states.chunks_exact(old) {
        wide.extend_from_slice(state);
        wide.resize(wide.len() + new - old, 0);
    }
    wide
}
