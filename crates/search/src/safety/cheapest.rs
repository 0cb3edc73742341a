//! Search for the cheapest execution to a violation, by a measure of its choices: the one with the fewest
//! choices, or the likeliest one.
//!
//! *Entry point:* [`search`].
//! *Source:* see [`crate::paths::cheapest`].
//! *Invariant:* the path of the result costs no more than any other path to a violation that is wanted.

use axle_outcome::{Found, Limits, Progress, Stop, Violation, ViolationKey};
use axle_step::{Batch, Fault, Graph};
use axle_store::Numbered;

use crate::grow::expand;
use crate::limits::{check_limits, most_in_flight};
use crate::paths::cheapest::{Cost, Frontier, Measure, transitions};
use crate::progress::Monitor;

/// Number of states between two polls of the monitor and of memory use.
const WATCH: u64 = 64;

/// The cheapest execution to one of the violations that are `wanted`; none if there is no violation. The
/// set must be empty and of the width of the stepper.
///
/// # Errors
/// A limit ended the search.
pub fn search<G: Graph, S: Numbered>(
    stepper: &mut G,
    set: &mut S,
    (measure, limits): (Measure, &Limits),
    wanted: impl Fn(&ViolationKey<G::Site>) -> bool,
    monitor: &mut impl Monitor,
) -> Result<Option<Violation<G::Site>>, Stop> {
    let mut frontier = Frontier::default();
    let (mut sources, mut batch, mut numbers) = (Vec::new(), Batch::default(), Vec::new());
    batch.interrupt = monitor.interrupt();
    let mut best: Option<(Cost, u32, Violation<G::Site>)> = None;
    let initial = stepper.initial(&mut Vec::new());
    set.insert_numbered(&initial, &[], &mut numbers).map_err(|_| Stop::Memory)?;
    frontier.reach(0, (0, 0), None);
    let (mut expanded, mut executed) = (0u64, 0u64);
    while let Some((cost, number)) = frontier.take() {
        if best.as_ref().is_some_and(|(known, ..)| *known <= cost) {
            break;
        }
        sources.clear();
        set.append_states(&[number], &mut sources);
        let held = set.memory() + frontier.memory();
        batch.most = most_in_flight(limits, held);
        expand(stepper, set, &mut sources, &mut batch)?;
        let next = (cost.0 + measure.cost(transitions(&batch)), cost.1 + 1);
        for fault in &batch.faults {
            let found = violation(fault, stepper, &sources);
            // A transition leads to it, also if the error blocks that.
            let is_cheaper = best.as_ref().is_none_or(|(known, ..)| next < *known);
            if is_cheaper && wanted(&found.key()) {
                best = Some((next, number, found));
            }
        }
        numbers.clear();
        set.insert_numbered(&batch.states, &batch.ends, &mut numbers).map_err(|_| Stop::Memory)?;
        for (position, target) in (0u32..).zip(&numbers) {
            frontier.reach(*target, next, Some((number, position)));
        }
        (expanded, executed) = (expanded + 1, executed + numbers.len() as u64);
        if limits.states.is_some_and(|limit| set.len() >= limit) {
            return Err(Stop::States);
        }
        if expanded.is_multiple_of(WATCH) {
            let progress = Progress {
                states: set.len(),
                expanded,
                transitions: executed,
                depth: u64::from(cost.1),
                violations: u64::from(best.is_some()),
                memory: held,
                ..Progress::default()
            };
            check_limits(&progress, limits, monitor)?;
        }
    }
    let with_path = |(_, number, found): (_, u32, _)| Violation { path: frontier.path(number).1, ..found };
    Ok(best.map(with_path))
}

/// A fault of a single state, without its path.
fn violation<G: Graph>(fault: &Fault<G::Site>, stepper: &G, state: &[u8]) -> Violation<G::Site> {
    let Fault { site, pid, successor, .. } = *fault;
    let found = successor.map_or(Found::State, Found::Step);
    Violation { site, pid, proc: stepper.process_type(state, pid), path: Vec::new(), found, count: 1 }
}
