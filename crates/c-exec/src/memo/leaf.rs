//! The leaves of decision trees (`memo.rs`): what is known of a thread's turn, and the ways on that
//! states which lead to the leaf have in common.
//!
//! What does not change is shared by the tables of all threads of a search.
//!
//! A leaf is named by its number. A [`Position`] says in which tree it is.

use std::sync::Arc;

use crate::state::access::Access;

/// The leaf of steps that are executed.
pub const SLOW: u32 = 0;
/// There is no leaf yet.
pub const UNKNOWN: u32 = u32::MAX;

/// In a list of leaves: the thread has ended.
pub const ENDED: u32 = u32::MAX - 1;

/// The two kinds of trees: a thread's turn, and what it does alone.
pub const VISIBLE: usize = 0;
pub(crate) const INVISIBLE: usize = 1;

/// A child that is a leaf has this bit.
pub(crate) const LEAF: u32 = 1 << 31;

/// What is known of a thread's turn; at first nothing.
#[derive(Clone, Default, Debug)]
pub struct Leaf {
    /// The accesses of the step, for races.
    pub footprint: Arc<[Access]>,
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// See [`ThreadOutcome`](crate::explore::ThreadOutcome).
    pub stuck: bool,
    pub progress: bool,
    pub looks: bool,
    /// The step is a look at memory or at a lock.
    pub(crate) is_look: bool,
    /// At a lock: a change of the lock itself does not exclude an infinite wait.
    pub(crate) is_lock: bool,
    /// No way does more than write bytes.
    pub(crate) plain: bool,
    /// Whether the step, without what came along with it, changed memory, where that is known.
    pub(crate) changes: Option<bool>,
}

impl Leaf {
    /// The step is not part of a loop that looks at memory and changes nothing.
    pub fn gets_out(&self) -> bool {
        !self.is_look || self.count != 1 || self.stuck || !self.is_lock && self.changes == Some(true)
    }
}

/// One way on.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) record: u32,
    /// What it writes, as a range of [`Memo::writes`](crate::memo::Memo::writes).
    pub(crate) writes: (u32, u32),
    /// What most ways do not do.
    pub(crate) other_effects: Option<Arc<OtherEffects>>,
    /// The tags before and after, when it was made last.
    pub(crate) last_tags: (u32, u32),
}

/// What a way does beside writing bytes.
#[derive(Clone, Debug)]
pub(crate) struct OtherEffects {
    /// Where tags change, and to what.
    pub(crate) tags: Box<[(u32, u8)]>,
    /// Threads that are woken.
    pub(crate) woken: Box<[u8]>,
    /// The shape that the state has then, where it is another.
    pub(crate) shape: Option<u32>,
    /// The records of threads that begin.
    pub(crate) begun: Box<[u32]>,
    /// The bytes and tags of objects that begin.
    pub(crate) memory: Box<[u8]>,
    pub(crate) memory_tags: Box<[u8]>,
    /// The others have to be asked what they do alone.
    pub(crate) needs_closure: bool,
}

/// A way, and what it writes.
pub(crate) type Made = (Transition, Vec<(u32, u8, u64)>);

/// Where a tree begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    pub(crate) record: u32,
    pub(crate) kind: usize,
    /// The class of the shape.
    pub(crate) class: u32,
}
