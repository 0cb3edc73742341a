//! The leaves that the threads of a search have learnt: a step that one thread has executed is made
//! again by all.
//!
//! Each thread has a tree of its own, in which it finds leaves without a lock. What it learns in a
//! batch of states it also writes down here, in a form without numbers of its own tables, and before
//! each batch it plants what the others have written since. The log is bounded: once it is full, each
//! thread learns for itself.
//!
//! *Entry points:* [`LeafLog::publish`], [`LeafLog::since`].
//! *Invariant:* the parts that a leaf names are in the log of parts before the leaf is in this one.
//! While threads search, none frees a leaf of another: that thread would use the allocation again,
//! and each change of its size would then take a lock of the other's allocator.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::memo::leaf::{Leaf, Position, Transition};
use crate::memo::question::{Answer, Test};
use crate::state::access::Span;

/// What a thread has learnt in a batch. The leaves share lists, so that a batch takes few allocations
/// however many leaves it has.
#[derive(Clone, Default, Debug)]
pub(crate) struct Learnt {
    /// The number of the learner.
    pub by: u32,
    leaves: Vec<LearntLeaf>,
    answers: Vec<(Test, Answer)>,
    spans: Vec<Span>,
    transitions: Vec<Transition>,
    writes: Vec<(u32, u8, u64)>,
    /// The bytes that it takes, about.
    size: usize,
}

/// A leaf, with the ends of its parts of the lists.
#[derive(Clone, Debug)]
struct LearntLeaf {
    position: Position,
    /// None if such steps are executed.
    leaf: Option<Leaf>,
    answers: usize,
    /// None if no question is about a set of accesses.
    spans: Option<usize>,
    transitions: usize,
    writes: usize,
}

/// A leaf that was learnt.
pub(crate) struct Lesson<'a> {
    pub position: Position,
    /// The questions and their answers, in order. The number of a set of accesses is one of the
    /// learner's.
    pub answers: &'a [(Test, Answer)],
    /// The set of accesses that a question is about.
    pub access_log: Option<&'a [Span]>,
    /// The leaf with its ways; none if such steps are executed.
    pub leaf: Option<(&'a Leaf, &'a [Transition])>,
    /// What the ways write. Their ranges are those of the learner, of which the first begins here.
    pub writes: &'a [(u32, u8, u64)],
}

impl Learnt {
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// Adds a leaf, whose ways take `size` bytes.
    pub fn add(&mut self, lesson: Lesson<'_>, size: usize) {
        let Lesson { position, answers, access_log, leaf, writes } = lesson;
        self.answers.extend_from_slice(answers);
        self.spans.extend_from_slice(access_log.unwrap_or_default());
        self.transitions.extend_from_slice(leaf.map_or(&[], |(_, transitions)| transitions));
        self.writes.extend_from_slice(writes);
        self.size += size_of_val(answers) + size_of_val(access_log.unwrap_or_default());
        self.size += size_of::<LearntLeaf>() + size_of_val(writes) + size;
        self.leaves.push(LearntLeaf {
            position,
            leaf: leaf.map(|(leaf, _)| leaf.clone()),
            answers: self.answers.len(),
            spans: access_log.map(|_| self.spans.len()),
            transitions: self.transitions.len(),
            writes: self.writes.len(),
        });
    }

    /// The leaves, in the order in which they were learnt.
    pub fn lessons(&self) -> impl Iterator<Item = Lesson<'_>> {
        let (mut answers, mut spans, mut transitions, mut writes) = (0, 0, 0, 0);
        self.leaves.iter().map(move |one| {
            let from = |start: &mut usize, end: usize| std::mem::replace(start, end)..end;
            Lesson {
                position: one.position,
                answers: &self.answers[from(&mut answers, one.answers)],
                access_log: one.spans.map(|end| &self.spans[from(&mut spans, end)]),
                leaf: {
                    let own = &self.transitions[from(&mut transitions, one.transitions)];
                    one.leaf.as_ref().map(|leaf| (leaf, own))
                },
                writes: &self.writes[from(&mut writes, one.writes)],
            }
        })
    }
}

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct LeafLog {
    batches: Mutex<Vec<Arc<Learnt>>>,
    /// The number of batches, to be read without the lock.
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
        LeafLog { batches: Mutex::default(), count: AtomicUsize::new(0), room, members: AtomicU32::new(0) }
    }

    /// The number of a new member.
    pub fn join(&self) -> u32 {
        self.members.fetch_add(1, Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Learnt>>> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no leaf is added any more.
    pub fn is_full(&self) -> bool {
        self.room.load(Ordering::Relaxed) == 0
    }

    /// Writes down what was learnt in a batch, if there is room.
    pub fn publish(&self, learnt: Learnt) {
        let mut batches = self.lock();
        let room = self.room.load(Ordering::Relaxed).saturating_sub(learnt.size);
        self.room.store(room, Ordering::Relaxed);
        if room > 0 {
            batches.push(Arc::new(learnt));
            self.count.store(batches.len(), Ordering::Release);
        }
    }

    /// The batches from this number on.
    pub fn since(&self, seen: usize) -> Vec<Arc<Learnt>> {
        if self.count.load(Ordering::Acquire) == seen {
            return Vec::new();
        }
        self.lock()[seen..].to_vec()
    }
}
