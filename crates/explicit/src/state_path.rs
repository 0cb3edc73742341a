//! The states of an execution that is given by positions among the successors.
//!
//! *Entry point:* [`follow`].
//! *Invariant:* a state has the width of the layout when it was reached; a later one may be wider.

use axle_search::expand_alone;
use axle_step::{Batch, Graph};

/// Replaces a state by its successor at a position; none if there is no such successor. `batch` then
/// holds all successors.
pub fn follow<G: Graph>(
    stepper: &mut G,
    state: &mut Vec<u8>,
    position: u32,
    batch: &mut Batch<G::Site>,
) -> Option<()> {
    expand_alone(stepper, state, batch).ok()?;
    let width = state.len();
    let start = position as usize * width;
    state.copy_from_slice(batch.states.get(start..start + width)?);
    Some(())
}
