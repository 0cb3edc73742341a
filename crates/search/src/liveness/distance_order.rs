//! Emptiness check of the whole product: nearest states first, depth-first search only where a cycle
//! may be.
//!
//! States are expanded in order of their numbers, in batches. Of the states on a cycle one has the
//! greatest number, and its edge on the cycle leads to a smaller one or to itself. So a depth-first
//! search by components ([`crate::liveness::scc`]) from the targets of such edges finds every
//! accepting cycle. Where a system makes progress there are few or none, and the check costs what a
//! safety search costs. States in components of the claim that cannot accept are on no accepting
//! cycle and never searched.
//!
//! An execution that violates a property is found sooner depth-first, and states that the
//! depth-first search reaches are expanded twice. So the search begins depth-first. It starts again
//! in order of distance if many states are on no cycle, and leaves the remaining states to the
//! depth-first search once that repeats too many expansions.
//!
//! *Entry point:* [`search`].
//!
//! *Invariant:* For each edge between two states that were expanded and can be on an accepting cycle,
//! the target has a greater number than the source, or everything reachable from it was searched.

use axle_outcome::Stop;
use axle_step::Graph;
use axle_store::Numbered;

use crate::liveness::explorer::{DONE, Explorer, TRANSIENT, UNSEEN};
use crate::liveness::scc::{Component, Stacks};
use crate::progress::Monitor;

/// Number of states per batch.
const BATCH: usize = 32;

/// Number of states from which the depth-first search starts together, so that lookahead can expand
/// what is beyond them in batches.
const ROOTS: usize = 256;

/// States that are entered depth-first, without a cycle through several of them, before the search
/// starts again.
const TRIAL: u64 = 8_192;

/// Expansions for each of these states up to which starting again costs little.
const EXPANSIONS: u64 = 8;

/// Repeated expansions up to which the order of distance is kept: this part of the trial and this
/// part of the states expanded in that order, as divisors.
const REPEATED_TRIAL: u64 = 8;
const REPEATED: u64 = 32;

/// The order in which the states are searched that can be on an accepting cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Nearest first, until the depth-first search has repeated so many expansions and a part of
    /// these.
    Distance {
        repeated: u64,
    },
    DepthFirst,
}

/// Searches the whole product. Returns a component that contains a counterexample, if one exists.
pub(super) fn search<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    trial: Option<u64>,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    explorer.start()?;
    if explorer.is_bounded() {
        return search_by(explorer, &mut Stacks::default(), Order::DepthFirst, monitor);
    }
    let trial = trial.unwrap_or(TRIAL);
    let mut stacks = Stacks::of_trial(trial);
    let found = search_by(explorer, &mut stacks, Order::DepthFirst, monitor)?;
    if found.is_some() || explorer.alarm.is_some() || !stacks.ended_trial() {
        return Ok(found);
    }
    // A fault is known by the number of its state.
    if explorer.expansions <= trial.saturating_mul(EXPANSIONS) && explorer.faults.is_empty() {
        explorer.restart()?;
        let order = Order::Distance { repeated: trial / REPEATED_TRIAL };
        return search_by(explorer, &mut Stacks::default(), order, monitor);
    }
    let found = stacks.extend_trial(explorer, monitor)?;
    if found.is_some() || explorer.alarm.is_some() {
        return Ok(found);
    }
    search_by(explorer, &mut stacks, Order::DepthFirst, monitor)
}

/// Searches all states that were not searched before, in order of their numbers.
fn search_by<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    stacks: &mut Stacks,
    mut order: Order,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    let (mut batch, mut roots) = (Vec::with_capacity(BATCH), Vec::with_capacity(ROOTS));
    let (mut cursor, mut passed) = (0, 0);
    while cursor < explorer.len() && explorer.alarm.is_none() {
        batch.clear();
        // A violation is found soonest from the first state that can be on an accepting cycle.
        let most = if stacks.is_trial() { 1 } else { ROOTS };
        while cursor < explorer.len() && batch.len() < BATCH && roots.len() < most {
            match (explorer.marks[cursor as usize], order) {
                // All states within a depth limit were expanded before.
                (TRANSIENT, _) if explorer.is_bounded() => {}
                (TRANSIENT, _) | (UNSEEN, Order::Distance { .. }) => batch.push(cursor),
                (UNSEEN, Order::DepthFirst) if most == 1 && !batch.is_empty() => break,
                (UNSEEN, Order::DepthFirst) => roots.push(cursor),
                _ => {}
            }
            cursor += 1;
        }
        if !batch.is_empty() {
            explorer.expand(&batch)?;
            passed += pass(explorer, &batch, &mut roots);
            explorer.watch(monitor)?;
        }
        let is_last = cursor == explorer.len();
        if (roots.len() >= most || is_last) && explorer.alarm.is_none() {
            let found = stacks.search_from_each(explorer, &roots, monitor)?;
            roots.clear();
            if found.is_some() || stacks.ended_trial() {
                return Ok(found);
            }
            if let Order::Distance { repeated } = order
                && explorer.again > repeated + passed / REPEATED
            {
                order = Order::DepthFirst;
            }
        }
    }
    Ok(None)
}

/// Adds the targets of those edges of the last batch to `roots` that may close an accepting cycle.
/// Returns the number of states of the batch that can be on one.
fn pass<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    batch: &[u32],
    roots: &mut Vec<u32>,
) -> u64 {
    let mut passed = 0;
    for (source, &number) in batch.iter().enumerate() {
        if !explorer.is_accepting(source) {
            explorer.marks[number as usize] = DONE;
            continue;
        }
        passed += 1;
        for position in explorer.moves.range(source) {
            let target = explorer.numbers[position];
            if target <= number && explorer.is_inside(source, position) {
                roots.push(target);
            }
        }
    }
    passed
}
