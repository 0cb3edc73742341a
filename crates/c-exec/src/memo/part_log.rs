//! The parts of states that the threads of a search have found: a state has the same bytes whichever
//! thread writes it.
//!
//! Each thread has tables of its own ([`Components`](super::components::Components)), in which it
//! finds almost every part without a lock. A part that is not there gets its number from this log:
//! the thread first adds what the others have added since, then its own part. The tables of all
//! threads are therefore prefixes of one sequence.
//!
//! *Entry points:* [`PartLog::since`], [`PartLog::lock`].
//! *Source:* A. Laarman, J. van de Pol and M. Weber, Parallel recursive state compression for free,
//! SPIN 2011 (shared tables of parts; here with a copy for each thread, because parts are few).
//! *Invariant:* parts are added only, each once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::memo::components::StateShape;

/// A part of states.
#[derive(Debug)]
pub enum Part {
    /// The tags of a memory.
    Tags(Box<[u8]>),
    /// The record of a thread, and whether it reads input of which not all values are tried.
    Record { bytes: Box<[u8]>, restricted: bool },
    /// A shape with the bytes that identify it and its class.
    StateShape { key: Box<[u8]>, class: Vec<u8>, shape: StateShape },
}

/// See the head of this file.
#[derive(Default, Debug)]
pub struct PartLog {
    parts: Mutex<Vec<Arc<Part>>>,
    /// The number of parts, to be read without the lock.
    count: AtomicUsize,
}

/// The log while no other thread can add to it.
pub struct Locked<'a> {
    parts: MutexGuard<'a, Vec<Arc<Part>>>,
    count: &'a AtomicUsize,
}

impl PartLog {
    /// The parts from this number on.
    pub fn since(&self, seen: usize) -> Vec<Arc<Part>> {
        if self.count.load(Ordering::Acquire) == seen {
            return Vec::new();
        }
        self.lock().since(seen).to_vec()
    }

    /// Waits for the other threads that add parts.
    pub fn lock(&self) -> Locked<'_> {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        Locked { parts, count: &self.count }
    }
}

impl Locked<'_> {
    /// The parts from this number on.
    pub fn since(&self, seen: usize) -> &[Arc<Part>] {
        &self.parts[seen..]
    }

    /// Adds a part.
    pub fn push(&mut self, part: Arc<Part>) {
        self.parts.push(part);
        self.count.store(self.parts.len(), Ordering::Release);
    }
}
