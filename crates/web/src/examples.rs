//! Executions that were searched on demand, by the version of their run.
//!
//! *Entry point:* [`Examples`].
//! *Invariant:* of each version at most one result is kept, and of all versions a limited number.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axle_evidence::round::Example;

/// Results that are kept.
const MOST: usize = 32;

/// Results by version; none if a search found no execution.
#[derive(Default)]
pub struct Examples {
    known: Mutex<VecDeque<(String, Option<Example>)>>,
}

impl Examples {
    /// The result for a version, if there was a search.
    #[must_use]
    pub fn get(&self, version: &str) -> Option<Option<Example>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(own, _)| own == version).map(|(_, example)| example.clone())
    }

    /// Keeps a result; the oldest one goes if there are too many.
    pub fn keep(&self, version: String, example: Option<Example>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(own, _)| *own != version);
        if known.len() >= MOST {
            known.pop_front();
        }
        known.push_back((version, example));
    }
}
