//! Steps identified by the location that a process enters.
//!
//! *Entry point:* [`Locate`].

use axle_step::{Graph, Layout, ModelGraph};
use axle_store::mix;

/// A graph that identifies its steps by the location that a process enters.
pub trait Locate: Graph {
    /// A key of the location entered by the step from a state to its successor.
    fn entered(&self, state: &[u8], next: &[u8]) -> u64;
}

impl<G: ModelGraph> Locate for G {
    fn entered(&self, state: &[u8], next: &[u8]) -> u64 {
        entered_location(self.layout(), state, next)
    }
}

/// A key of the location that the moving process enters: of the first process whose location
/// differs, with its type. Steps that change no location have a key in common.
pub(crate) fn entered_location(layout: &Layout, state: &[u8], next: &[u8]) -> u64 {
    for slot in &layout.slots {
        let Some(first) = slot.types.first() else { continue };
        let place = &layout.procs[first.index()];
        let (before, after) = (place.pc.read(state, slot.base), place.pc.read(next, slot.base));
        if before != after {
            let tag = place.tag.map_or(0, |tag| tag.read(next, slot.base));
            return mix((u64::from(first.0) << 48) ^ ((tag as u64) << 32) ^ after as u64);
        }
    }
    0
}
