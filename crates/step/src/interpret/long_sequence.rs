//! The long atomic sequence in which an expansion was cut, for the report of an incomplete search.
//!
//! *Entry point:* [`CutSequence`].
//!
//! *Invariant:* a sequence is recorded only if it executed at least `LONG` steps from one state.

use std::sync::{Arc, Mutex, PoisonError};

use axle_model::{EdgeId, ProcId};

use super::edge::Taken;

/// Number of steps from which on a sequence is long: about a hundredth of a second.
const LONG: u64 = 1 << 18;

/// An atomic sequence that was not executed to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongSequence {
    /// Type of the process that started it.
    pub proc: ProcId,
    /// Its first edge.
    pub edge: EdgeId,
    /// Number of steps executed from one state.
    pub steps: u64,
}

/// The last such sequence; all clones of an engine share it.
#[derive(Clone, Default, Debug)]
pub struct CutSequence(Arc<Mutex<Option<LongSequence>>>);

impl CutSequence {
    /// Records the sequence that began with this step, if it is long.
    pub(crate) fn note(&self, began: Taken, steps: u64) {
        if steps >= LONG {
            let Taken { proc, edge, .. } = began;
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(LongSequence { proc, edge, steps });
        }
    }

    /// The recorded sequence.
    pub fn get(&self) -> Option<LongSequence> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
