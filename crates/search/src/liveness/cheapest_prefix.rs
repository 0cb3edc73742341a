//! Counterexamples whose path is the cheapest one by a measure of its choices: of all paths to the cycle
//! of a known counterexample, or to an edge of the claim that is a violation by itself.
//!
//! A cycle is repeated without end, so that only the path to it says how probable an execution is.
//!
//! *Entry points:* [`lasso`], [`alarm`].
//! *Source:* see [`crate::paths::cheapest`].
//! *Invariant:* claim and cycle are those of the known counterexample, so that the result is one too,
//! under every fairness assumption.

use axle_outcome::{Lasso, LassoStep, Stop};
use axle_step::Graph;
use axle_store::Numbered;
use rustc_hash::FxHashMap;

use super::explorer::Explorer;
use super::product::Alarm;
use super::trace::{Path, in_words};
use crate::paths::cheapest::{Frontier, Measure};
use crate::progress::Monitor;

/// Number of states between two polls of the monitor.
const WATCH: u64 = 64;

/// The counterexample with the cheapest path to a state of the cycle of a known one.
///
/// # Errors
/// A limit ended the search.
pub(crate) fn lasso<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    known: &Lasso,
    measure: Measure,
    monitor: &mut impl Monitor,
) -> Result<Option<Lasso>, Stop> {
    let Some(Cycle { states, mut positions }) = cycle(explorer, initial, known)? else { return Ok(None) };
    let turns: FxHashMap<u32, usize> = states.iter().enumerate().map(|(at, number)| (*number, at)).collect();
    let is_goal = |_: &Explorer<'_, G, S>, number: u32| turns.contains_key(&number);
    let Some(prefix) = path(explorer, initial, measure, is_goal, false, monitor)? else { return Ok(None) };
    positions.rotate_left(turns.get(&prefix.end).copied().unwrap_or_default());
    let cycle = Path { start: prefix.end, end: prefix.end, positions };
    in_words(explorer, &prefix, &cycle, monitor).map(Some)
}

/// The cheapest path to a state with an edge that is a violation by itself, and the edge.
///
/// # Errors
/// A limit ended the search.
pub(crate) fn alarm<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    measure: Measure,
    monitor: &mut impl Monitor,
) -> Result<Option<(Path, Alarm)>, Stop> {
    let is_goal = |explorer: &Explorer<'_, G, S>, _| !explorer.moves.alarms.is_empty();
    let Some(path) = path(explorer, initial, measure, is_goal, true, monitor)? else { return Ok(None) };
    Ok(explorer.moves.alarms.first().map(|alarm| (path, *alarm)))
}

/// The cheapest path to a goal. `expands`: whether a goal is recognised by its own expansion, which is
/// then the last one.
fn path<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    measure: Measure,
    is_goal: impl Fn(&Explorer<'_, G, S>, u32) -> bool,
    expands: bool,
    monitor: &mut impl Monitor,
) -> Result<Option<Path>, Stop> {
    let mut frontier = Frontier::default();
    (0..initial).for_each(|number| frontier.reach(number, (0, 0), None));
    let mut taken = 0u64;
    while let Some((cost, number)) = frontier.take() {
        if expands {
            explorer.expand(&[number])?;
        }
        if is_goal(explorer, number) {
            let (start, positions) = frontier.path(number);
            return Ok(Some(Path { start, end: number, positions }));
        }
        if !expands {
            explorer.expand(&[number])?;
        }
        let next = (cost.0 + measure.cost(explorer.moves.systems[0] as usize), cost.1 + 1);
        for (position, target) in (0u32..).zip(&explorer.numbers) {
            frontier.reach(*target, next, Some((number, position)));
        }
        taken += 1;
        if taken.is_multiple_of(WATCH) {
            if explorer.limits.states.is_some_and(|limit| u64::from(explorer.len()) >= limit) {
                return Err(Stop::States);
            }
            explorer.poll(frontier.memory(), monitor)?;
        }
    }
    Ok(None)
}

/// The states of a cycle, and the positions of its steps.
#[derive(Default)]
struct Cycle {
    states: Vec<u32>,
    positions: Vec<u32>,
}

/// The cycle of a counterexample; none if the explorer does not have its start.
fn cycle<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    known: &Lasso,
) -> Result<Option<Cycle>, Stop> {
    let Some(mut at) = (0..initial).find(|number| explorer.claim_location(*number) == known.start) else {
        return Ok(None);
    };
    let mut cycle = Cycle::default();
    let first = known.prefix.len();
    for (step, own) in known.prefix.iter().chain(&known.cycle).enumerate() {
        explorer.expand(&[at])?;
        let Some(position) = position(explorer, own) else { return Ok(None) };
        if step >= first {
            cycle.states.push(at);
            cycle.positions.push(position);
        }
        at = explorer.numbers[position as usize];
    }
    Ok(Some(cycle))
}

/// The position of a step among the successors of the state that was expanded last.
fn position<G: Graph, S: Numbered>(explorer: &Explorer<'_, G, S>, own: &LassoStep) -> Option<u32> {
    let range = explorer.moves.range(0);
    (0..range.len() as u32).find(|position| explorer.moves.step(0, *position) == *own)
}
