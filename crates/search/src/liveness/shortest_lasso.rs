//! A shortest counterexample: of all paths to a cycle that the claim accepts, one with the fewest steps
//! of path and cycle together.
//!
//! A counterexample of n steps visits states within n - 1 steps from the start only. So all states that
//! a shorter one than the known could visit are expanded breadth-first. In this region, a cycle is
//! searched from each state that may be its first, nearest first: a breadth-first search over pairs of
//! a state and the acceptance sets met so far, no deeper than the shortest counterexample allows. The
//! first state of a shortest counterexample's cycle is the one nearest to the start, so states that
//! were found before it are left out.
//!
//! *Entry point:* [`shortest`].
//! *Source:* H. Hansen and A. Kervinen, "Minimal Counterexamples in O(n log n) Memory and O(n^2) Time",
//! ACSD 2006: a breadth-first search from each state, bounded by the best counterexample.
//! *Invariant:* the result is no longer than the known counterexample, and a limit that ends the search
//! leaves what was found. Fairness is not supported: whether a cycle is fair depends on all of its
//! states.

use axle_outcome::{Lasso, Stop};
use axle_step::Graph;
use axle_store::Numbered;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashSet;

use super::explorer::Explorer;
use super::trace::{Path, in_words};
use crate::progress::Monitor;

/// Number of states per batch.
const BATCH: usize = 32;

/// Number of batches between two polls of the monitor.
const WATCH: usize = 16;

/// Pairs of a state and acceptance sets between two polls of the monitor.
const POLL: u64 = 1 << 14;

const NONE: u32 = u32::MAX;

/// An edge inside a component of the claim that can accept.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Index of the target in the region.
    target: u32,
    /// Position among the successors of its source.
    position: u32,
    /// The acceptance sets that the edge meets.
    met: u64,
}

/// A state of a cycle, with the acceptance sets that the steps to it meet.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// Index of the state in the region.
    state: u32,
    met: u64,
    /// The pair before, and the position of the step from it.
    before: u32,
    position: u32,
}

/// The states within a number of steps from the start, by their distance.
#[derive(Default, Debug)]
struct Region {
    /// Numbers of the states.
    numbers: Vec<u32>,
    /// Index of each state, by its number.
    index: Vec<u32>,
    distance: Vec<u32>,
    /// Index of the state before on a shortest path, and position among its successors.
    parents: Vec<(u32, u32)>,
    /// For each expanded state, the end of its edges.
    ends: Vec<u32>,
    edges: Vec<Edge>,
}

impl Region {
    fn add(&mut self, number: u32, distance: u32, parent: (u32, u32)) -> u32 {
        let at = number as usize;
        if self.index.len() <= at {
            self.index.resize(at + 1, NONE);
        }
        if self.index[at] != NONE {
            return self.index[at];
        }
        let index = self.numbers.len() as u32;
        self.numbers.push(number);
        self.index[at] = index;
        self.distance.push(distance);
        self.parents.push(parent);
        index
    }

    /// Bytes of memory used, with the graph of its components or the pairs of the search for a cycle.
    fn memory(&self) -> u64 {
        let states = self.index.capacity() + 6 * self.numbers.capacity();
        4 * states as u64 + (size_of::<Edge>() + 24) as u64 * self.edges.capacity() as u64
    }

    /// The edges of a state; none if it was not expanded.
    fn edges(&self, index: u32) -> &[Edge] {
        let end = |index: usize| self.ends.get(index).copied().unwrap_or(self.edges.len() as u32) as usize;
        let start = if index == 0 { 0 } else { end(index as usize - 1) };
        &self.edges[start..end(index as usize)]
    }

    /// Expands all states whose distance allows a counterexample with fewer than `steps` steps.
    fn explore<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        initial: u32,
        steps: usize,
        monitor: &mut impl Monitor,
    ) -> Result<(), Stop> {
        (0..initial).for_each(|number| {
            self.add(number, 0, (NONE, 0));
        });
        let (mut next, mut batches) = (0, 0usize);
        while next < self.numbers.len() {
            let distance = self.distance[next];
            if distance as usize + 2 > steps {
                break;
            }
            let level = self.distance[next..].iter().take_while(|other| **other == distance).count();
            let batch: Vec<u32> = self.numbers[next..next + level.min(BATCH)].to_vec();
            self.expand(explorer, next, &batch)?;
            batches += 1;
            if batches.is_multiple_of(WATCH) {
                explorer.poll(self.memory(), monitor)?;
            }
            next += batch.len();
        }
        Ok(())
    }

    /// Expands states of the same distance, the first of which has this index.
    fn expand<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        first: usize,
        batch: &[u32],
    ) -> Result<(), Stop> {
        // States at the depth limit have no successors.
        let inner: Vec<u32> = batch.iter().copied().filter(|&number| explorer.may_expand(number)).collect();
        if !inner.is_empty() {
            explorer.expand(&inner)?;
        }
        let mut source = 0;
        for (offset, &number) in batch.iter().enumerate() {
            if explorer.may_expand(number) {
                let range = explorer.moves.range(source);
                for position in range.clone() {
                    let place = (position - range.start) as u32;
                    let distance = self.distance[first] + 1;
                    let parent = ((first + offset) as u32, place);
                    let target = self.add(explorer.numbers[position], distance, parent);
                    if explorer.is_inside(source, position) {
                        let met = explorer.product.labels.met(explorer.moves.labels[position])[0];
                        self.edges.push(Edge { target, position: place, met });
                    }
                }
                source += 1;
            }
            self.ends.push(self.edges.len() as u32);
        }
        Ok(())
    }

    /// For each state its strongly connected component, if that meets all acceptance sets.
    fn accepting(&self, all: u64) -> Vec<u32> {
        let count = self.numbers.len();
        let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(count, self.edges.len());
        (0..count).for_each(|_| {
            graph.add_node(());
        });
        for source in 0..count as u32 {
            for edge in self.edges(source) {
                graph.add_edge(source.into(), edge.target.into(), ());
            }
        }
        let mut of = vec![NONE; count];
        for (component, states) in (0u32..).zip(kosaraju_scc(&graph)) {
            states.iter().for_each(|state| of[state.index()] = component);
            let inner =
                |source: u32| self.edges(source).iter().filter(|edge| of[edge.target as usize] == component);
            let mut cyclic = false;
            let mut met = 0;
            for edge in states.iter().flat_map(|state| inner(state.index() as u32)) {
                cyclic = true;
                met |= edge.met;
            }
            if !cyclic || met & all != all {
                states.iter().for_each(|state| of[state.index()] = NONE);
            }
        }
        of
    }

    /// A shortest cycle from a state through states of its component that were not found before it, with
    /// at most `most` steps: the positions of its steps. `poll` receives the bytes of its pairs.
    fn cycle(
        &self,
        start: u32,
        components: &[u32],
        (all, most): (u64, usize),
        mut poll: impl FnMut(u64) -> Result<(), Stop>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let own = components[start as usize];
        let mut found = vec![Pair { state: start, met: 0, before: NONE, position: 0 }];
        let mut known: FxHashSet<(u32, u64)> = FxHashSet::default();
        let (mut next, mut end) = (0, 1);
        for _ in 0..most {
            while next < end {
                let Pair { state, met, .. } = found[next];
                if (next as u64).is_multiple_of(POLL) {
                    // The set of known pairs is about as large as the list.
                    poll(2 * (size_of::<Pair>() * found.capacity()) as u64)?;
                }
                for edge in self.edges(state) {
                    if edge.target < start || components[edge.target as usize] != own {
                        continue;
                    }
                    let (state, met) = (edge.target, (met | edge.met) & all);
                    if (state, met) == (start, all) {
                        return Ok(Some(unwound(&found, next, edge.position)));
                    }
                    if known.insert((state, met)) {
                        found.push(Pair { state, met, before: next as u32, position: edge.position });
                    }
                }
                next += 1;
            }
            end = found.len();
        }
        Ok(None)
    }

    /// The path to a state.
    fn path(&self, index: u32) -> Path {
        let (mut positions, mut at) = (Vec::new(), index);
        while self.parents[at as usize].0 != NONE {
            let (parent, position) = self.parents[at as usize];
            positions.push(position);
            at = parent;
        }
        positions.reverse();
        Path { start: self.numbers[at as usize], end: self.numbers[index as usize], positions }
    }
}

/// The positions of the steps to a pair, and of the step after it.
fn unwound(found: &[Pair], pair: usize, last: u32) -> Vec<u32> {
    let (mut positions, mut at) = (vec![last], &found[pair]);
    while at.before != NONE {
        positions.push(at.position);
        at = &found[at.before as usize];
    }
    positions.reverse();
    positions
}

/// A counterexample with the fewest steps, or `known` if there is no shorter one or a limit ends the
/// search before one is found.
pub(crate) fn shortest<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    initial: u32,
    known: Lasso,
    monitor: &mut impl Monitor,
) -> Lasso {
    let length = |lasso: &Lasso| lasso.prefix.len() + lasso.cycle.len();
    let mut region = Region::default();
    if region.explore(explorer, initial, length(&known), monitor).is_err() {
        return known;
    }
    let all = explorer.product.labels.marks();
    let components = region.accepting(all);
    let mut best: Option<(u32, Vec<u32>)> = None;
    let mut steps = length(&known);
    for start in 0..region.ends.len() as u32 {
        let before = region.distance[start as usize] as usize;
        if before + 1 >= steps {
            break;
        }
        if components[start as usize] == NONE {
            continue;
        }
        let bounds = (all, steps - before - 1);
        let poll = |bytes| explorer.poll(region.memory() + bytes, monitor);
        match region.cycle(start, &components, bounds, poll) {
            Ok(None) => {}
            Ok(Some(cycle)) => {
                steps = before + cycle.len();
                best = Some((start, cycle));
            }
            // What was found remains.
            Err(_) => break,
        }
    }
    let Some((start, positions)) = best else { return known };
    let prefix = region.path(start);
    let cycle = Path { start: prefix.end, end: prefix.end, positions };
    in_words(explorer, &prefix, &cycle, monitor).unwrap_or(known)
}
