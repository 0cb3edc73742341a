//! Counterexample reconstruction: from an accepting component to a shortest path to it and a cycle
//! in it that meets every acceptance condition.
//!
//! No search stores paths. The path to a component is found by a breadth-first search among the
//! states that were expanded: it is shortest among these. No other state is visited, so the set
//! does not grow, however large the rest of the graph is. The cycle leads to the nearest edge or
//! state that meets an unmet condition, from there to the next one, and finally back.
//!
//! *Entry points:* [`path`], [`lasso`], [`shorten`].
//!
//! *Source:* J.-M. Couvreur, On-the-fly verification of linear temporal logic, FM 1999 (cycle).
//!
//! *Invariant:* Steps are positions among the successors of the preceding state, so every path can
//! be replayed.

use axle_outcome::{Fairness, Lasso, LassoStep, Prefix, Stop};
use std::collections::VecDeque;

use axle_step::Graph;
use axle_store::Numbered;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::liveness::explorer::Explorer;
use crate::liveness::scc::Component;
use crate::progress::Monitor;

/// Number of states per batch.
const BATCH: usize = 32;

/// Maximum number of breadth-first searches for a shorter cycle.
const TRIES: usize = 256;

/// A path: its first state, and for each step the position among the successors.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub start: u32,
    pub end: u32,
    pub positions: Vec<u32>,
}

/// An edge as visited by a breadth-first search.
struct Met<'a> {
    target: u32,
    /// Bits that the edge meets.
    bits: &'a [u64],
    /// Bits of the processes enabled in its source.
    enabled: &'a [u64],
}

/// A shortest path of at least one edge from one of `starts` along edges that are `inside`, to the
/// first edge that satisfies `goal`.
fn find<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    starts: &[u32],
    inside: impl Fn(&Explorer<'_, G, S>, u32) -> bool,
    goal: impl Fn(&Met) -> bool,
    monitor: &mut impl Monitor,
) -> Result<Option<Path>, Stop> {
    // Predecessor of each state found, and the position of the state among its successors.
    let mut found: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
    let starting: FxHashSet<u32> = starts.iter().copied().collect();
    let mut queue: VecDeque<u32> = starts.iter().copied().collect();
    let mut batch = Vec::with_capacity(BATCH);
    while !queue.is_empty() {
        batch.clear();
        batch.extend(queue.drain(..BATCH.min(queue.len())));
        explorer.expand(&batch)?;
        explorer.ask(monitor)?;
        for (source, &number) in batch.iter().enumerate() {
            let range = explorer.moves.range(source);
            let words = explorer.product.labels.words;
            for position in range.clone() {
                let target = explorer.numbers[position];
                if !inside(explorer, target) {
                    continue;
                }
                let enabled = explorer.moves.enabled.get(source * words..(source + 1) * words).unwrap_or(&[]);
                let bits = explorer.product.labels.met(explorer.moves.labels[position]);
                let offset = (position - range.start) as u32;
                if goal(&Met { target, bits, enabled }) {
                    return Ok(Some(unwind(&found, &starting, number, offset, target)));
                }
                if !starting.contains(&target) && !found.contains_key(&target) {
                    found.insert(target, (number, offset));
                    queue.push_back(target);
                }
            }
        }
    }
    Ok(None)
}

fn unwind(
    found: &FxHashMap<u32, (u32, u32)>,
    starting: &FxHashSet<u32>,
    number: u32,
    offset: u32,
    end: u32,
) -> Path {
    let (mut positions, mut at) = (vec![offset], number);
    while !starting.contains(&at)
        && let Some(&(parent, position)) = found.get(&at)
    {
        positions.push(position);
        at = parent;
    }
    positions.reverse();
    Path { start: at, end, positions }
}

/// Converts a path to steps of claim and system.
pub(crate) fn steps<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    way: &Path,
    monitor: &mut impl Monitor,
) -> Result<Vec<LassoStep>, Stop> {
    let mut at = way.start;
    let mut steps = Vec::with_capacity(way.positions.len());
    for &position in &way.positions {
        explorer.expand(&[at])?;
        explorer.ask(monitor)?;
        steps.push(explorer.moves.step(0, position));
        at = explorer.numbers[position as usize];
    }
    Ok(steps)
}

/// A shortest path through expanded states from an initial state to one of the `goals`, which are
/// expanded too; the `initial` states are numbered first.
fn way_to<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    goals: impl Fn(u32) -> bool,
    monitor: &mut impl Monitor,
) -> Result<Option<Path>, Stop> {
    if let Some(start) = (0..initial).find(|&number| goals(number)) {
        return Ok(Some(Path { start, end: start, positions: Vec::new() }));
    }
    // All intermediate states and goals were expanded.
    let starts: Vec<u32> = (0..initial).filter(|&number| explorer.is_expanded(number)).collect();
    find(explorer, &starts, |explorer, number| explorer.is_expanded(number), |met| goals(met.target), monitor)
}

/// A shortest path from an initial state to a state that the search has found.
pub(crate) fn path<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    number: u32,
    monitor: &mut impl Monitor,
) -> Result<Prefix, Stop> {
    let Some(way) = way_to(explorer, initial, |other| other == number, monitor)? else {
        unreachable!("a state found once is found again")
    };
    along(explorer, &way, monitor)
}

/// The steps of a path.
pub(crate) fn along<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    way: &Path,
    monitor: &mut impl Monitor,
) -> Result<Prefix, Stop> {
    Ok(Prefix { start: explorer.claim_location(way.start), steps: steps(explorer, way, monitor)? })
}

/// An infinite execution: a shortest path to the component, followed by a cycle inside it.
pub(crate) fn lasso<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    component: &Component,
    monitor: &mut impl Monitor,
) -> Result<Lasso, Stop> {
    let members: FxHashSet<u32> = component.states.iter().copied().collect();
    let Some(prefix) = way_to(explorer, initial, |number| members.contains(&number), monitor)? else {
        unreachable!("a state found once is found again")
    };
    let cycle = cycle_from(explorer, prefix.end, &members, monitor)?;
    in_words(explorer, &prefix, &cycle, monitor)
}

/// A shorter lasso for the same component, if one exists: the shortest cycle through its states (up
/// to a few hundred states nearest to the start are tried), with a shortest path to it. It need not be a
/// shortest one, but respects fairness; see [`super::shortest_lasso`] for the other case.
pub(crate) fn shorten<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    component: &Component,
    found: Lasso,
    monitor: &mut impl Monitor,
) -> Result<Lasso, Stop> {
    let members: FxHashSet<u32> = component.states.iter().copied().collect();
    // State numbers approximately increase with the distance from the start.
    let mut states = component.states.clone();
    states.sort_unstable();
    let mut best: Option<(u32, Path)> = None;
    for &state in states.iter().take(TRIES) {
        let cycle = cycle_from(explorer, state, &members, monitor)?;
        if best.as_ref().is_none_or(|(_, other)| cycle.positions.len() < other.positions.len()) {
            best = Some((state, cycle));
        }
    }
    let Some((_, cycle)) = best else { return Ok(found) };
    if cycle.positions.len() >= found.cycle.len() {
        return Ok(found);
    }
    // The path may enter the cycle at any state; the cycle is then rotated to start there.
    let mut round = vec![cycle.start];
    for &position in &cycle.positions {
        explorer.expand(&[round[round.len() - 1]])?;
        round.push(explorer.numbers[position as usize]);
    }
    round.pop();
    let Some(prefix) = way_to(explorer, initial, |number| round.contains(&number), monitor)? else {
        return Ok(found);
    };
    let turn = round.iter().position(|&number| number == prefix.end).unwrap_or(0);
    let mut positions = cycle.positions;
    positions.rotate_left(turn);
    in_words(explorer, &prefix, &Path { start: prefix.end, end: prefix.end, positions }, monitor)
}

/// The steps of a path and of a cycle from its end.
pub(crate) fn in_words<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    prefix: &Path,
    cycle: &Path,
    monitor: &mut impl Monitor,
) -> Result<Lasso, Stop> {
    Ok(Lasso {
        start: explorer.claim_location(prefix.start),
        prefix: steps(explorer, prefix, monitor)?,
        cycle: steps(explorer, cycle, monitor)?,
    })
}

/// A closed path from a state inside the component that meets all required bits.
pub(crate) fn cycle_from<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    from: u32,
    members: &FxHashSet<u32>,
    monitor: &mut impl Monitor,
) -> Result<Path, Stop> {
    let mut missing = needed(explorer, from, members, monitor)?;
    let mut cycle = Path { start: from, end: from, positions: Vec::new() };
    let inside = |_: &Explorer<'_, G, S>, number| members.contains(&number);
    let excuse = Excuse::of(explorer);
    while missing.iter().any(|&word| word != 0) {
        let goal = |met: &Met| (0..missing.len()).any(|i| missing[i] & excuse.meets(met, i) != 0);
        let Some(way) = find(explorer, &[cycle.end], inside, goal, monitor)? else {
            unreachable!("the component meets it, and is strongly connected")
        };
        let mut at = way.start;
        for &position in &way.positions {
            explorer.expand(&[at])?;
            at = explorer.numbers[position as usize];
            let bits = explorer.product.labels.met(explorer.moves.labels[position as usize]);
            let met = Met { target: at, bits, enabled: &explorer.moves.enabled };
            for (i, word) in missing.iter_mut().enumerate() {
                *word &= !excuse.meets(&met, i);
            }
        }
        cycle.positions.extend(way.positions);
        cycle.end = way.end;
    }
    if cycle.end != from || cycle.positions.is_empty() {
        let Some(way) = find(explorer, &[cycle.end], inside, |met| met.target == from, monitor)? else {
            unreachable!("the component is strongly connected")
        };
        cycle.positions.extend(way.positions);
        cycle.end = from;
    }
    Ok(cycle)
}

/// Conditions met by states rather than by edges.
#[derive(Clone, Copy)]
struct Excuse {
    /// Whether a state in which a process is not enabled meets the bit of the process.
    weak: bool,
    /// Bits of acceptance sets, all in the first word.
    sets: u64,
}

impl Excuse {
    fn of<G: Graph, S: Numbered>(explorer: &Explorer<'_, G, S>) -> Excuse {
        let labels = &explorer.product.labels;
        Excuse { weak: labels.fairness == Fairness::Weak, sets: labels.marks() }
    }

    /// The bits of word `i` that an edge and its source meet.
    fn meets(self, met: &Met, i: usize) -> u64 {
        let sets = if i == 0 { self.sets } else { 0 };
        let idle = if self.weak { !met.enabled.get(i).copied().unwrap_or(0) & !sets } else { 0 };
        met.bits.get(i).copied().unwrap_or(0) | idle
    }
}

/// The bits that a cycle through a state must meet: all acceptance sets and, under fairness, the
/// processes enabled in this state (weak; other processes are met by it) or anywhere in the
/// component (strong).
fn needed<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    from: u32,
    members: &FxHashSet<u32>,
    monitor: &mut impl Monitor,
) -> Result<Vec<u64>, Stop> {
    let states = match explorer.product.labels.fairness {
        Fairness::None => Vec::new(),
        Fairness::Weak => vec![from],
        Fairness::Strong => members.iter().copied().collect(),
    };
    let mut needed = vec![0; explorer.product.labels.words];
    for batch in states.chunks(BATCH) {
        explorer.expand(batch)?;
        explorer.ask(monitor)?;
        for enabled in explorer.moves.enabled.chunks_exact(needed.len()) {
            needed.iter_mut().zip(enabled).for_each(|(all, one)| *all |= one);
        }
    }
    needed[0] |= explorer.product.labels.marks();
    Ok(needed)
}
