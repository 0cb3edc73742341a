//! Sets of visited states. A state is a byte string; the store knows no processes and no variables.
//! All sets except [`LossySet`] are exact: their answers do not depend on hash values.
//!
//! A set is also the queue of a breadth-first search: it returns its states in the order of
//! insertion, each once ([`StateSet::take`]).
//!
//! * [`PlainTable`] stores uncompressed states: `plain.rs` over `arena.rs` and `index.rs`.
//! * [`TreeTable`] stores states with tree compression: `tree.rs` over `nodes.rs` and `roots.rs`;
//!   `quotient.rs` reduces the stored keys, and `queue.rs` holds the states to expand.
//! * [`AutoSet`] is the former while it is small and the latter afterwards; it is the default.
//! * [`Packed`] wraps any of them and stores only the varying bits of a state: `packed.rs` over
//!   `varying.rs`.
//! * [`NumberedSet`] numbers its states; with tree compression it is a [`NumberedTree`].
//! * [`LossySet`] stores fingerprints (`hash_compact.rs`) or bits (`bitstate.rs`) instead of
//!   states. It may report a new state as known, and estimates the probability (`omission.rs`).
//! * [`SharedSet`] is filled by many threads at once: `shared.rs`.
//!
//! All operations work on batches, so that memory is prefetched (`line.rs`), and tables grow from a
//! few kilobytes without holding the old and the new version at once (`pages.rs`). Except for
//! [`SharedSet`], a set belongs to one thread.

#[allow(unsafe_code, reason = "the allocator of the system is configured by a foreign function")]
pub mod allocator;
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
mod numbered_set;
mod numbered_tree;
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
pub use fingerprint::mix;
pub use lossy::{LossySet, Method};
pub use numbered::Numbered;
pub use numbered_set::NumberedSet;
pub use numbered_tree::NumberedTree;
pub use packed::{Packed, Rewrite};
pub use plain::PlainTable;
pub use shared::{Change, Numbers, Segment, SharedSet, SharedWords, Snapshot, ThreadHandle};
pub use tree::TreeTable;

/// Near a memory limit, tables grow at least by this part of their entries: a growth reads all of them, and growths by
/// a few entries would take most of the time of a search.
const LEAST_GROWTH: usize = 64;

/// The memory limit would be exceeded. The set is unchanged and remains readable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the memory limit would be passed")]
pub struct OutOfMemory;

/// A set of states that all have the same width.
pub trait StateSet {
    /// Bytes of a state, a multiple of 4.
    fn width(&self) -> usize;

    /// Inserts the states that follow each other in `states`, in this order, and appends to `fresh`
    /// one `bool` per state: whether it was new (a duplicate inside the batch is not).
    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) -> Result<(), OutOfMemory>;

    /// Inserts successors of the states that the last [`StateSet::take`] returned: those of the
    /// first state are before `ends[0]`, those of the second between there and `ends[1]`, and so
    /// on. It is equivalent to [`StateSet::insert`], and faster if the set uses the similarity to
    /// the source. The ends are a hint: a wrong value costs time only.
    fn insert_successors(
        &mut self,
        states: &[u8],
        _ends: &[u32],
        fresh: &mut Vec<bool>,
    ) -> Result<(), OutOfMemory> {
        self.insert(states, fresh)
    }

    /// Appends to `out` up to `max` states that were inserted and not taken yet, oldest first, and
    /// returns their number.
    fn take(&mut self, max: usize, out: &mut Vec<u8>) -> usize;

    /// Widens every state by zero bytes at its end; taken states remain taken.
    fn widen(&mut self, width: usize) -> Result<(), OutOfMemory>;

    /// Number of states.
    fn len(&self) -> u64;

    /// Whether the set is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory used, including all tables and queues.
    fn memory(&self) -> u64;
}
