//! The plan for a model.
//!
//! Every engine proposes its attempts ([`crate::plan::engines`]). By default the exact search, the searches
//! for all properties and the bug hunters share the work. Bug hunters look for violations of states
//! and, in attempts of their own, for bad prefixes of formulas: an invariant is hunted for whether it
//! is an assertion or a formula. A search that was selected is not supplemented: properties are then
//! searched one after the other.
//!
//! *Entry point:* [`of_model`].

use axle_model::Model;
use axle_question::claims;
use axle_question::claims::Stated;
use axle_question::config::{Config, Order};
use axle_step::Interrupt;

use crate::plan::attempt::{Attempt, Target};
use crate::plan::engines::{ENGINES, Planned};

/// The attempts of a check of a model, in the order in which they start.
pub fn of_model(model: &Model, config: &Config) -> Vec<Attempt> {
    let wanted = claims::wanted(model, |one| config.wants(one), &Interrupt::default());
    attempts(model, config, &wanted)
}

/// Whether attempts share the work. The configured search must be the default one: a limit on
/// states or depth, an order or a lossy store ask for one search.
fn is_shared(config: &Config) -> bool {
    config.attempts
        && config.order == Order::BreadthFirst
        && config.store.is_exact()
        && !config.shortest
        && config.limits.states.is_none()
        && config.limits.depth.is_none()
}

/// The attempts for the wanted properties.
pub(crate) fn attempts(model: &Model, config: &Config, properties: &[Stated]) -> Vec<Attempt> {
    let planned = Planned { model, config, properties, is_shared: is_shared(config) };
    // A selected engine alone proposes attempts, which may be those of another for the properties.
    let engines = ENGINES.into_iter().filter(|one| config.engine.is_none_or(|engine| one.id() == engine));
    let mut plan: Vec<Attempt> = engines.flat_map(|engine| engine.attempts(&planned)).collect();
    // Bad prefixes are hunted for after violations of states, by all engines.
    plan.sort_by_key(|attempt| matches!(attempt.target, Target::BadPrefixes(_)));
    plan
}
