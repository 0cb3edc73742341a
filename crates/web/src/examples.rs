//! Satisfying executions that were searched on demand, by the violating execution that they are compared
//! with.
//!
//! *Entry point:* [`Examples`].
//! *Invariant:* of each comparison at most one result is kept, and of all a limited number.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axle_evidence::round::Example;
use serde::Deserialize;

/// Results that are kept.
const MOST: usize = 32;

/// The answer of `axle diagnose --satisfying`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Found {
    /// The satisfying execution, if one was found.
    pub example: Option<Example>,
    /// How near it is to the violating one; none if a short one was searched for.
    pub nearest: Option<Distance>,
    /// False if no execution satisfies the property.
    pub satisfiable: Option<bool>,
    /// Why the nearest one was not searched for.
    #[serde(skip)]
    pub obstacle: Option<String>,
}

/// How near a satisfying execution is to the violating one.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Distance {
    /// The number of first steps that are the same.
    pub common_steps: u64,
    /// Whether no satisfying execution shares more.
    pub longest: bool,
    /// Whether the situation arises that the property is about, if it is about one.
    #[serde(default)]
    pub premise: Option<bool>,
}

/// Results by comparison.
#[derive(Default)]
pub struct Examples {
    known: Mutex<VecDeque<(String, Found)>>,
}

impl Examples {
    /// The result of a comparison, if there was a search.
    #[must_use]
    pub fn get(&self, version: &str) -> Option<Found> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(own, _)| own == version).map(|(_, found)| found.clone())
    }

    /// Keeps a result; the oldest one goes if there are too many.
    pub fn keep(&self, version: String, found: Found) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(own, _)| *own != version);
        if known.len() >= MOST {
            known.pop_front();
        }
        known.push_back((version, found));
    }
}
