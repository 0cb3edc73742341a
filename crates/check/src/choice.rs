//! Automatic selection of reductions and passes.
//!
//! A small model is searched without them: the counts can be compared with those of other tools,
//! and breadth-first search finds a shortest counterexample. A larger model is searched with all
//! that the configuration allows. A violation found so is searched for again in the full graph
//! within a bounded number of states, because its path need not be shortest. Both searches are
//! attempts of the plan.
//!
//! *Entry points:* [`open`], [`shorter`].
//! *Invariant:* the selection depends on the model and the configuration alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_explicit::successors::Tiered;
use axle_explicit::{Explored, ReductionStatus, run, threads};
use axle_model::Model;
use axle_question::config::{Auto, Config};
use axle_search::{Limits, Monitor, Reduction, Stop};
use axle_step::interpret::long_sequence::LongSequence;

use crate::plan::engines::{FEW, Led, opening, shortest};
use crate::race::log::{End, Executed};

/// Minimum of states of the full graph that are searched for a shorter path.
const SHORT: u64 = 100_000;

/// The configuration of the rest of a check, after its first search.
pub(crate) struct Opened {
    /// The configuration with the automatic choices made.
    pub config: Config,
    /// The long sequence in which the first search was cut.
    pub cut: Option<LongSequence>,
    /// The first search, if there was one.
    pub executed: Option<Executed>,
}

/// Makes the automatic choices, with a search of the first states where they depend on it.
pub(crate) fn open(model: &Arc<Model>, config: &Config, mut monitor: &mut dyn Monitor) -> Opened {
    if config.auto == Auto::Nothing {
        return Opened { config: config.clone(), cut: None, executed: None };
    }
    let plain = plain(config);
    let Some(attempt) = opening(config) else {
        return Opened { config: plain, cut: None, executed: None };
    };
    let limits = Limits { states: Some(FEW), ..config.limits };
    let first = Config { limits, threads: 1, ..plain.clone() };
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    let chosen = match run::explore(&mut stepper, &first, &mut monitor).outcome.stop {
        Some(Stop::States) => config.clone(),
        _ => plain,
    };
    let executed = Some(Executed { attempt, end: End::Answered });
    Opened { config: chosen, cut: stepper.cut_sequence(), executed }
}

/// The configuration without automatic reductions and passes.
pub(crate) fn plain(config: &Config) -> Config {
    let passes = match config.auto {
        Auto::All => BTreeSet::new(),
        Auto::Nothing | Auto::Reduction => config.passes.clone(),
    };
    Config { auto: Auto::Nothing, reduction: Reduction::None, passes, ..config.clone() }
}

/// Searches the full graph for a violation found after `states` states: the attempt, and its result
/// unless that takes too many states.
pub(crate) fn shorter(
    model: &Arc<Model>,
    config: &Config,
    states: u64,
    mut monitor: &mut dyn Monitor,
) -> Option<(Executed, Option<Led>)> {
    let attempt = shortest(config)?;
    let most = states.saturating_mul(2).max(SHORT);
    let most = config.limits.states.map_or(most, |limit| limit.min(most));
    let limits = Limits { states: Some(most), ..config.limits };
    let whole = Config { limits, ..plain(config) };
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    let explored = threads::whole(&mut stepper, &whole, None, &mut monitor);
    let found = !explored.outcome.violations.is_empty();
    let ended = matches!(explored.outcome.stop, None | Some(Stop::Errors));
    let reduction =
        ReductionStatus::NotApplied("the full graph was searched for a shortest path to the violation");
    let led = (found && ended).then(|| Led::new(Explored { reduction, ..explored }, &stepper));
    Some((Executed { attempt, end: End::Answered }, led))
}
