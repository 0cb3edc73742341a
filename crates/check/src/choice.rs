//! Automatic selection of reductions and passes.
//!
//! A small model is searched without them: the counts can be compared with those of other tools,
//! and breadth-first search finds a shortest counterexample. A larger model is searched with all
//! that the configuration allows. A violation found so is searched for again in the full graph
//! within a bounded number of states, because its path need not be shortest.
//!
//! *Entry points:* [`resolve`], [`shorter`].
//! *Invariant:* the selection depends on the model and the configuration alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_model::Model;
use axle_search::{Limits, Monitor, Reduction, Stop};
use axle_step::interpret::long_sequence::LongSequence;

use crate::config::{Auto, Config, Order};
use crate::engine::Tiered;
use crate::explored::{Explored, ReductionStatus};
use crate::run;
use crate::threads;

/// States up to which a model is searched without reductions and passes.
const FEW: u64 = 1_000;

/// Minimum of states of the full graph that are searched for a shorter path.
const SHORT: u64 = 100_000;

/// The configuration with the automatic choices made, and the long sequence in which the search of
/// the first states was cut.
pub(crate) fn resolve(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut impl Monitor,
) -> (Config, Option<LongSequence>) {
    if config.auto == Auto::Nothing {
        return (config.clone(), None);
    }
    let plain = plain(config);
    let walks_all = match config.order {
        Order::BreadthFirst | Order::DepthFirst => false,
        Order::Stateless | Order::Random => true,
    };
    let limits = &config.limits;
    let counted = limits.depth.is_some() || limits.states.is_some_and(|states| states <= FEW);
    if walks_all || counted || config.shortest || !config.store.is_exact() {
        return (plain, None);
    }
    let first = Config { limits: Limits { states: Some(FEW), ..*limits }, threads: 1, ..plain.clone() };
    let mut stepper = Tiered::new(model, config.step_options(), config.engine_for(model));
    let chosen = match run::explore(&mut stepper, &first, monitor).outcome.stop {
        Some(Stop::States) => config.clone(),
        _ => plain,
    };
    (chosen, stepper.cut_sequence())
}

/// The configuration without automatic reductions and passes.
pub(crate) fn plain(config: &Config) -> Config {
    let passes = match config.auto {
        Auto::All => BTreeSet::new(),
        Auto::Nothing | Auto::Reduction => config.passes.clone(),
    };
    Config { auto: Auto::Nothing, reduction: Reduction::None, passes, ..config.clone() }
}

/// Searches the full graph for a violation found after `states` states; none if that takes too many
/// states.
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
    let mut stepper = Tiered::new(model, config.step_options(), config.engine_for(model));
    let explored = threads::whole(&mut stepper, &whole, None, monitor);
    let found = !explored.outcome.violations.is_empty();
    let ended = matches!(explored.outcome.stop, None | Some(Stop::Errors));
    let reduction =
        ReductionStatus::NotApplied("the full graph was searched for a shortest path to the violation");
    (found && ended).then_some((stepper, Explored { reduction, ..explored }))
}
