//! Properties over runs with stores that may miss states: nested depth-first search, once or
//! several times with functions of their own.
//!
//! What it finds is judged like any other run.
//!
//! *Entry point:* [`explore`].
//! *Invariant:* An outcome without a finding always says why it ended early, so no verdict "holds"
//! comes of it.

use axle_evidence::report::ApproximationReport;
use axle_question::config::Config;
use axle_search::liveness::Refused;
use axle_search::{
    Claim, Fairness, Finding, LivenessOutcome, Monitor, Outcome, Prefix, Reordered, Stop, liveness,
    lossy_nested_dfs,
};
use axle_step::{Graph, Observer};
use axle_store::LossySet;

use crate::lossy;
use crate::lossy::Run;

/// Whether properties are searched for in this way: fairness needs components, which need every
/// state.
pub fn applies(config: &Config) -> bool {
    !config.store.is_exact() && config.fairness == Fairness::None
}

/// A search that found no room for its first state.
pub fn nothing(claim: &Claim) -> LivenessOutcome {
    LivenessOutcome::nothing(claim, Stop::Memory)
}

/// Searches as often as the configuration says, until something is found. None of the account where
/// there was no room.
pub fn explore(
    stepper: &mut impl Graph,
    observer: &mut Observer,
    claim: &Claim,
    config: &Config,
    monitor: &mut impl Monitor,
) -> Result<(LivenessOutcome, Option<ApproximationReport>), Refused> {
    let mut all: Option<LivenessOutcome> = None;
    let mut runs: Vec<Run> = Vec::new();
    for number in 0..u64::from(config.approximate.runs.max(1)) {
        let expected = runs.first().map(|run| (run.coverage.stored as f64 + run.coverage.expected) as u64);
        let seed = config.approximate.seed.wrapping_add(number);
        let Some((outcome, run)) = one(stepper, observer, claim, config, (seed, expected), monitor)? else {
            break;
        };
        let last = outcome.finding.is_some() || matches!(outcome.stop, Some(Stop::Time | Stop::Interrupted));
        runs.push(run);
        all = Some(match all {
            None => outcome,
            Some(before) => together(before, outcome),
        });
        if last {
            break;
        }
    }
    let Some(mut outcome) = all else { return Ok((nothing(claim), None)) };
    if outcome.finding.is_none() {
        outcome.stop = outcome.stop.or(Some(Stop::Approximate));
    }
    let whole = outcome.stop == Some(Stop::Approximate);
    Ok((outcome, Some(lossy::account(&runs, whole, false))))
}

/// Searches once; none where there is no room.
fn one(
    stepper: &mut impl Graph,
    observer: &mut Observer,
    claim: &Claim,
    config: &Config,
    (seed, expected): (u64, Option<u64>),
    monitor: &mut impl Monitor,
) -> Result<Option<(LivenessOutcome, Run)>, Refused> {
    // Stack and path live beside the states.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
    let method = lossy::method(config, expected);
    let Ok(set) = LossySet::with_limit(liveness::width(stepper), limit, method, seed) else {
        return Ok(None);
    };
    let mut set = set.without_queue();
    let arrangement = config.approximate.arrangement;
    let mut graph = Reordered::new(stepper, arrangement);
    let searched = lossy_nested_dfs::search(&mut graph, observer, claim, &mut set, &config.limits, monitor)?;
    let lossy_nested_dfs::Searched { mut outcome, depth } = searched;
    unfold(&mut graph, &mut outcome);
    let run = Run {
        outcome: Outcome {
            states: outcome.states,
            transitions: outcome.transitions,
            depth,
            memory: outcome.memory,
            ..Outcome::nothing(outcome.stop.unwrap_or(Stop::Approximate), Vec::new())
        },
        coverage: set.coverage(),
        order: format!("nested dfs, both searches{}", lossy::steps(arrangement)),
        seed,
        accounts: true,
    };
    Ok(Some((outcome, run)))
}

/// Tells the steps of all runs as those of the graph as it was made. Where this fails the replay
/// will say so.
pub fn unfold(graph: &mut Reordered<'_, impl Graph>, outcome: &mut LivenessOutcome) {
    let prefixes = outcome.faults.iter_mut().map(|fault| &mut fault.prefix);
    match &mut outcome.finding {
        Some(Finding::Cycle(lasso)) => {
            let steps = lasso.prefix.iter_mut().chain(&mut lasso.cycle);
            graph.unfold_run(steps.filter_map(|step| step.system.as_mut()));
            prefixes.for_each(|prefix| unfold_prefix(graph, prefix));
        }
        Some(Finding::ClaimEnd(prefix, _) | Finding::ClaimAssertion(prefix, _)) => {
            prefixes.chain([prefix]).for_each(|prefix| unfold_prefix(graph, prefix));
        }
        None => prefixes.for_each(|prefix| unfold_prefix(graph, prefix)),
    }
}

fn unfold_prefix(graph: &mut Reordered<'_, impl Graph>, prefix: &mut Prefix) {
    graph.unfold_run(prefix.steps.iter_mut().filter_map(|step| step.system.as_mut()));
}

/// What two searches for the same came to.
fn together(mut one: LivenessOutcome, other: LivenessOutcome) -> LivenessOutcome {
    one.finding = one.finding.or(other.finding);
    for fault in other.faults {
        if !one.faults.iter().any(|known| (known.kind, known.atom) == (fault.kind, fault.atom)) {
            one.faults.push(fault);
        }
    }
    if other.states > one.states {
        (one.states, one.transitions, one.memory) = (other.states, other.transitions, other.memory);
    }
    let seen =
        |all: &mut Vec<bool>, more: &[bool]| all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
    seen(&mut one.coverage.locations, &other.coverage.locations);
    one.coverage.edges.iter_mut().zip(&other.coverage.edges).for_each(|(all, more)| seen(all, more));
    one.taken.iter_mut().zip(&other.taken).for_each(|(all, more)| seen(all, more));
    one.stop = one.stop.or(other.stop);
    one
}
