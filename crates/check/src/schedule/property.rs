//! The exact search for a property as an attempt.
//!
//! *Entry point:* [`search`].
//! *Invariant:* the result is that of the same search without other attempts.

use std::sync::Arc;

use axle_model::Model;

use super::Answer;
use super::coroutine::Slice;
use crate::claims::Stated;
use crate::config::Config;
use crate::runs::{KnownStates, check_beside};

/// A search for a property.
pub(super) struct Search {
    pub model: Arc<Model>,
    pub config: Config,
    pub property: Stated,
    pub states: KnownStates,
}

/// The configuration of the search within a check: one thread.
pub(super) fn config(config: &Config) -> Config {
    Config { threads: 1, attempts: false, ..config.clone() }
}

/// Searches until there is a result or the monitor ends the search.
pub(super) fn search(search: &Search, slice: &mut Slice<Answer>) -> Answer {
    let Search { model, config, property, states } = search;
    let properties = std::slice::from_ref(property);
    Answer::Property(Box::new(check_beside(model, config, properties, states, slice)))
}
