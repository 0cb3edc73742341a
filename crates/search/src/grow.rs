//! Expansion with dynamic process creation: if a step creates a process without a free slot in the
//! layout, the layout is widened everywhere and the same states are expanded again.
//!
//! *Invariant:* Set, stepper and sources have the same width during every expansion.

use axle_outcome::Stop;
use axle_step::{Batch, Graph, Grow};
use axle_store::StateSet;

/// Below this number of stored states widening is cheap, and a superfluous slot costs memory.
const FEW: u64 = 10_000;

/// Maximum size of the states of a model.
const MOST: usize = 1 << 16;

/// Whether states may be widened to this size, as recorded in a checkpoint.
pub fn can_have(stepper: &impl Graph, size: usize) -> bool {
    stepper.can_grow() && size <= MOST
}

/// Size to reserve if `size` is needed and `states` are stored.
pub fn room(size: usize, states: u64) -> usize {
    if states < FEW { size } else { size + size / 4 }
}

/// Generates all successors of `sources` in `batch`, widening the layout as needed. Fails if some
/// are missing.
#[inline]
pub fn expand<G: Graph, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    sources: &mut Vec<u8>,
    batch: &mut Batch<G::Site>,
) -> Result<(), Stop> {
    while let Err(Grow { size }) = stepper.expand(sources, batch) {
        make_room(stepper, set, sources, size)?;
    }
    batch.cut.map_or(Ok(()), |cut| Err(cut.into()))
}

/// Generates all successors of one state that is in no set, and is widened as needed. Fails if some are
/// missing.
pub fn alone<G: Graph>(stepper: &mut G, state: &mut Vec<u8>, batch: &mut Batch<G::Site>) -> Result<(), Stop> {
    // The others may have become wider since it was stored.
    state.resize(stepper.width(), 0);
    while let Err(Grow { size }) = stepper.expand(state, batch) {
        stepper.grow(size);
        state.resize(stepper.width(), 0);
    }
    batch.cut.map_or(Ok(()), |cut| Err(cut.into()))
}

/// Widens all states to the given size.
#[cold]
pub fn make_room<G: Graph, S: StateSet>(
    stepper: &mut G,
    set: &mut S,
    sources: &mut Vec<u8>,
    size: usize,
) -> Result<(), Stop> {
    let old = stepper.width();
    stepper.grow(room(size, set.len()));
    let new = stepper.width();
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
