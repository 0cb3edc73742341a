//! Sets of visited states. A state is a string of bytes, nothing more: the store knows no process and no
//! variable. All sets but [`LossySet`] are exact: what they answer never rests on a hash being lucky.
//!
//! A set doubles as the queue of a breadth-first search: it hands out its states in the order in which
//! they came in, each once ([`StateSet::take`]).
//!
//! * [`PlainTable`] keeps states as they are: `plain.rs` over an `arena.rs` and an `index.rs`.
//! * [`TreeTable`] keeps trees of shared parts: `tree.rs` over `nodes.rs` and `roots.rs`, where
//!   `quotient.rs` says what need not be stored; `queue.rs` for what waits.
//! * [`AutoSet`] is the first while small and the second from then on; the one to use.
//!
//! * [`Packed`] goes before any of them and keeps of a state only the bits that vary: `packed.rs` over
//!   `varying.rs`.
//!
//! * [`LossySet`] keeps fingerprints (`hash_compact.rs`) or bits (`bitstate.rs`) in place of states, for what is too
//!   large for any of them: it may take a new state for a known one, and says how likely that was (`omission.rs`).
//!
//! * [`SharedSet`] is filled by many threads at once: `shared.rs`.
//!
//! All work by batches, so that memory is fetched before it is needed (`line.rs`), and grow from a few
//! kilobytes without holding old and new at once (`pages.rs`). A set belongs to one thread for now; each
//! file says how threads will share it.

mod arena;
mod auto;
mod bitstate;
mod fingerprint;
mod hash;
mod hash_compact;
mod index;
mod leaf_order;
#[allow(unsafe_code, reason = "prefetching and comparing a cache line at once have no safe form")]
mod line;
mod lossy;
mod nodes;
mod numbered;
pub mod omission;
mod packed;
#[allow(unsafe_code, reason = "memory from the operating system is handed out as slices here")]
mod pages;
mod plain;
mod queue;
mod quotient;
#[cfg(test)]
mod reference_set;
mod roots;
mod sample;
#[allow(unsafe_code, reason = "memory that threads share is read and written by address here")]
mod shared;
mod tree;
#[allow(
    unsafe_code,
    reason = "instructions that scatter and gather bits are called where the processor has them"
)]
mod varying;
mod waiting;

pub use auto::AutoSet;
pub use lossy::{LossySet, Method};
pub use numbered::Numbered;
pub use packed::{Packed, Rewrite};
pub use plain::PlainTable;
pub use shared::{Change, Numbers, Segment, SharedSet, SharedWords, Snapshot, ThreadHandle};
pub use tree::TreeTable;

/// The memory limit would be passed. The set is as it was before the call, and can go on being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the memory limit would be passed")]
pub struct OutOfMemory;

/// A set of states, all of one width at a time.
pub trait StateSet {
    /// Bytes of a state, a multiple of 4.
    fn width(&self) -> usize;

    /// Inserts the states that stand one after the other in `states`, in this order, and appends to `fresh`
    /// one `bool` a state: whether it was new (a duplicate inside the batch is not).
    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory>;

    /// Inserts successors of the states that the last [`StateSet::take`] handed out: those of the first state
    /// come before `ends[0]`, those of the second from there to `ends[1]`, and so on. The same as
    /// [`StateSet::insert`], and faster where the set can tell what a step left unchanged. `ends` is a hint:
    /// one that is wrong costs time, nothing else.
    fn insert_successors(
        &mut self,
        states: &[u8],
        ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        let _ = ends;
        self.insert(states, fresh)
    }

    /// Appends to `out` up to `max` states that were inserted and not taken yet, oldest first, and returns
    /// how many there were.
    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize;

    /// Makes every state wider by zero bytes at its end; taken states stay taken.
    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory>;

    /// Number of states.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the set holds now, all tables and queues included.
    fn memory(&self) -> u64;
}
