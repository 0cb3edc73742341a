//! The states of an execution that is given by positions among the successors.
//!
//! *Entry point:* [`follow`].
//! *Invariant:* a state has the width of the layout when it was reached; a later one may be wider.

use axle_step::{Batch, Grow, Successors};

/// Replaces a state by its successor at a position; none if there is no such successor. `batch` then
/// holds all successors.
pub(crate) fn follow<G: Successors>(
    stepper: &mut G,
    state: &mut Vec<u8>,
    position: u32,
    batch: &mut Batch<G::Site>,
) -> Option<()> {
    expand(stepper, state, batch)?;
    let width = state.len();
    let start = position as usize * width;
    state.copy_from_slice(batch.states.get(start..start + width)?);
    Some(())
}

/// The successors of a state, which is widened to the layout; none if they are not complete.
pub(crate) fn expand<G: Successors>(
    stepper: &mut G,
    state: &mut Vec<u8>,
    batch: &mut Batch<G::Site>,
) -> Option<()> {
    state.resize(stepper.width(), 0);
    while let Err(Grow { size }) = stepper.expand(state, batch) {
        stepper.grow(size);
        state.resize(stepper.width(), 0);
    }
    batch.cut.is_none().then_some(())
}
