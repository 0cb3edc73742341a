//! Expansion with dynamic process creation: if a step creates a process without a free slot in the
//! layout, the layout is widened everywhere and the same states are expanded again.
//!
//! *Invariant:* Set, stepper and sources have the same width during every expansion.

use axle_outcome::Stop;
use axle_step::{Batch, Grow, Layout, Successors};
use axle_store::StateSet;

/// Below this number of stored states widening is cheap, and a superfluous slot costs memory.
const FEW: u64 = 10_000;

/// Maximum number of process slots.
const MOST: usize = 1 << 16;

/// Whether a layout may be widened to this number of slots, as recorded in a checkpoint.
pub(crate) fn can_have(layout: &Layout, slots: usize) -> bool {
    layout.can_grow() && slots <= MOST
}

/// Number of slots to reserve if `slots` are needed and `states` are stored.
pub(crate) fn room(slots: usize, states: u64) -> usize {
    if states < FEW { slots } else { slots + slots / 4 }
}

/// Generates all successors of `sources` in `batch`, widening the layout as needed. Fails if some
/// are missing.
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

/// Generates all successors of one state that is in no set, as [`expand`] does.
pub(crate) fn alone<G: Successors>(
    stepper: &mut G,
    state: &mut Vec<u8>,
    batch: &mut Batch,
) -> Result<(), Stop> {
    while let Err(Grow { slots }) = stepper.expand(state, batch) {
        stepper.grow(slots);
        state.resize(stepper.layout().width(), 0);
    }
    batch.cut.map_or(Ok(()), |cut| Err(cut.into()))
}

/// Widens all states to the given number of process slots.
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

/// The states, each padded with zeros.
fn widened(states: &[u8], old: usize, new: usize) -> Vec<u8> {
    let mut wide = Vec::with_capacity(states.len() / old * new);
    for state in states.chunks_exact(old) {
        wide.extend_from_slice(state);
        wide.resize(wide.len() + new - old, 0);
    }
    wide
}
