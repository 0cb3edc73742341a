//! The parts of states that the threads of a search have found: a state has the same bytes whichever
//! thread writes it.
//!
//! Each thread has tables of its own ([`Components`](super::components::Components)), in which it
//! finds almost every part without a lock. A part that is not there gets its number from this log:
//! the thread first adds what the others have added since, then its own part. The tables of all
//! threads are therefore prefixes of one sequence. A part itself is kept once, however many tables
//! it is in.
//!
//! *Entry points:* [`PartLog::since`], [`PartLog::add`].
//! *Source:* A. Laarman, J. van de Pol and M. Weber, Parallel recursive state compression for free,
//! SPIN 2011 (shared tables of parts; here with a copy for each thread, because parts are few).
//! *Invariant:* parts are added only, each once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::memo::components::{Hot, Record, StateShape, Tags};

/// A part of states.
#[derive(Clone, Debug)]
pub enum Part {
    /// The tags of a memory.
    Tags(Arc<Tags>),
    /// The record of a thread.
    Record(Arc<Record>, Hot),
    /// A shape.
    StateShape(Arc<StateShape>),
}

/// See the head of this file.
#[derive(Default, Debug)]
pub struct PartLog {
    parts: Mutex<Vec<Part>>,
    /// The number of parts, to be read without the lock.
    count: AtomicUsize,
}

impl PartLog {
    fn lock(&self) -> MutexGuard<'_, Vec<Part>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parts from this number on.
    pub fn since(&self, seen: usize) -> Vec<Part> {
        if self.count.load(Ordering::Acquire) == seen {
            return Vec::new();
        }
        self.lock()[seen..].to_vec()
    }

    /// Adds a part with this number, unless there is one already.
    pub fn add(&self, number: usize, part: &Part) -> bool {
        let mut parts = self.lock();
        let is_next = parts.len() == number;
        if is_next {
            parts.push(part.clone());
            self.count.store(parts.len(), Ordering::Release);
        }
        is_next
    }
}
