//! The leaves that the threads of a search have learnt: a step that one thread has executed is made
//! again by all.
//!
//! Each thread has a tree of its own, in which it finds leaves without a lock. What it learns it also
//! writes down here, in a form without numbers of its own tables, and before each batch of states it
//! plants what the others have written since. The log is bounded: once it is full, each thread learns
//! for itself.
//!
//! *Entry points:* [`LeafLog::publish`], [`LeafLog::since`].
//! *Invariant:* the parts that a leaf names are in the log of parts before the leaf is in this one.
//! While threads search, none frees a leaf of another: that thread would use the allocation again,
//! and each change of its size would then take a lock of the other's allocator.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::memo::leaf::{Leaf, Position, Transition};
use crate::memo::question::{Answer, Test};
use crate::semantics::access::Span;

/// What a thread has learnt.
#[derive(Clone, Debug)]
pub(crate) struct Learnt {
    /// The number of the learner.
    pub by: u32,
    pub position: Position,
    /// The questions and their answers, in order. The number of a set of accesses is one of the
    /// learner's.
    pub answers: Box<[(Test, Answer)]>,
    /// The set of accesses that a question is about.
    pub access_log: Option<Box<[Span]>>,
    /// The leaf with its ways; none if such steps are executed. What these write are ranges of `writes`.
    pub leaf: Option<(Leaf, Box<[Transition]>)>,
    pub writes: Box<[(u32, u8, u64)]>,
    /// The bytes that it takes, about.
    pub size: usize,
}

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct LeafLog {
    leaves: Mutex<Vec<Arc<Learnt>>>,
    /// The number of leaves, to be read without the lock.
    count: AtomicUsize,
    /// The bytes that are left.
    room: AtomicUsize,
    /// The number of threads that have joined.
    members: AtomicU32,
}

impl LeafLog {
    /// A log that takes so many bytes at most.
    pub fn new(most: u64) -> LeafLog {
        let room = AtomicUsize::new(usize::try_from(most).unwrap_or(usize::MAX));
        LeafLog { leaves: Mutex::default(), count: AtomicUsize::new(0), room, members: AtomicU32::new(0) }
    }

    /// The number of a new member.
    pub fn join(&self) -> u32 {
        self.members.fetch_add(1, Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Learnt>>> {
        self.leaves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no leaf is added any more.
    pub fn is_full(&self) -> bool {
        self.room.load(Ordering::Relaxed) == 0
    }

    /// Writes down a leaf, if there is room.
    pub fn publish(&self, learnt: Learnt) {
        let mut leaves = self.lock();
        let room = self.room.load(Ordering::Relaxed).saturating_sub(learnt.size);
        self.room.store(room, Ordering::Relaxed);
        if room > 0 {
            leaves.push(Arc::new(learnt));
            self.count.store(leaves.len(), Ordering::Release);
        }
    }

    /// The leaves from this number on.
    pub fn since(&self, seen: usize) -> Vec<Arc<Learnt>> {
        if self.count.load(Ordering::Acquire) == seen {
            return Vec::new();
        }
        self.lock()[seen..].to_vec()
    }
}
