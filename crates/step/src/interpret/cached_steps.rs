//! The hook for the steps of deterministic sequences, which a cache may answer.
//!
//! *Entry point:* [`CachedSteps`]; `crate::memo` implements it.

use std::fmt::Debug;

use super::edge::First;
use super::emit::Emit;
use super::log::Log;
use super::machine::Machine;
use crate::successors::Grow;

/// A cache of deterministic steps, which is asked while accesses are recorded.
pub(crate) trait CachedSteps: Debug + Send + Sync {
    /// Starts a sequence from this state.
    fn begin(&mut self, machine: &Machine, state: &[u8]);

    /// Like [`first_in_place`](super::edge::first_in_place), for a state that was changed only here
    /// since [`CachedSteps::begin`]. It may execute several steps, of which only the last releases
    /// control, without faults unless it is a single step. Returns the last step and the number of
    /// steps.
    fn run(
        &mut self,
        machine: &Machine,
        state: &mut [u8],
        pid: u32,
        log: &mut Log,
        emit: &mut Emit,
    ) -> Result<(First, u32), Grow>;

    /// A copy.
    fn boxed(&self) -> Box<dyn CachedSteps>;
}

impl Clone for Box<dyn CachedSteps> {
    fn clone(&self) -> Box<dyn CachedSteps> {
        (**self).boxed()
    }
}
