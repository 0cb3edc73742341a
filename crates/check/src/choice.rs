//! What is left out of a search where the user leaves that to Axle.
//!
//! A model of few states is searched as it stands: nothing is gained by less, its counts can be
//! compared with those of other programs, and breadth-first finds the shortest run to what is
//! wrong. A larger one is searched by what the configuration allows to leave out. Where that finds
//! something wrong, it is looked for once more in the whole graph, as far as that takes little
//! longer, because a run that was found with steps left out need not be short.
//!
//! *Entry points:* [`settle`], [`shorter`].
//! *Invariant:* What is told depends on the model and the configuration alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_model::Model;
use axle_search::{Limits, Monitor, Reduction, Stop};

use crate::config::{Auto, Config, Order};
use crate::engine::Tiered;
use crate::store::{self, Explored, Told};
use crate::threads;

/// States up to which a model is searched as it stands.
const FEW: u64 = 1_000;

/// States of the whole graph that are searched for a shorter run in any case.
const SHORT: u64 = 100_000;

/// The configuration that a check goes by: nothing is left out where that was not wanted at any price and is not
/// worth it.
pub(crate) fn settle(model: &Arc<Model>, config: &Config, monitor: &mut impl Monitor) -> Config {
    if config.auto == Auto::Nothing {
        return config.clone();
    }
    let plain = plain(config);
    let walks_all = match config.order {
        Order::BreadthFirst | Order::DepthFirst => false,
        Order::Stateless | Order::Random => true,
    };
    let limits = &config.limits;
    let counted = limits.depth.is_some() || limits.states.is_some_and(|states| states <= FEW);
    if walks_all || counted || config.shortest || !config.store.is_exact() {
        return plain;
    }
    let first = Config { limits: Limits { states: Some(FEW), ..*limits }, threads: 1, ..plain.clone() };
    let mut stepper = Tiered::new(model, config.step_options(), config.engine);
    match store::explore(&mut stepper, &first, monitor).outcome.stop {
        Some(Stop::States) => config.clone(),
        _ => plain,
    }
}

/// The same with nothing left out.
pub(crate) fn plain(config: &Config) -> Config {
    let passes = match config.auto {
        Auto::All => BTreeSet::new(),
        Auto::Nothing | Auto::Reduction => config.passes.clone(),
    };
    Config { auto: Auto::Nothing, reduction: Reduction::None, passes, ..config.clone() }
}

/// Looks in the whole graph for what was found, after `explored` of `states`; none where that takes too long.
pub(crate) fn shorter(
    model: &Arc<Model>,
    config: &Config,
    states: u64,
    monitor: &mut impl Monitor,
) -> Option<(Tiered, Explored)> {
    if config.auto == Auto::Nothing || config.order != Order::BreadthFirst {
        return None;
    }
    let most = states.saturating_mul(2).max(SHORT);
    let most = config.limits.states.map_or(most, |limit| limit.min(most));
    let limits = Limits { states: Some(most), ..config.limits };
    let whole = Config { limits, ..plain(config) };
    let mut stepper = Tiered::new(model, config.step_options(), config.engine);
    let explored = threads::whole(&mut stepper, &whole, None, monitor);
    let found = !explored.outcome.violations.is_empty();
    let ended = matches!(explored.outcome.stop, None | Some(Stop::Errors));
    let reduction = Told::Not("the shortest run to a violation was looked for among all");
    (found && ended).then_some((stepper, Explored { reduction, ..explored }))
}
