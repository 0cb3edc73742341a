//! Emptiness check by strongly connected components: one depth-first pass, any number of acceptance
//! sets, any fairness assumption.
//!
//! For each partial component on the path, the search stores the acceptance marks that the
//! component does not meet yet ([`crate::liveness::weak_fairness`]). An edge back into a component on the
//! path merges all later components into that one. The merged component lacks the marks that
//! neither its parts nor the edges between them meet. If it lacks none, it contains a
//! counterexample, and the search stops.
//!
//! *Entry points:* [`Stacks::search_from_each`] for the search of the whole product
//! ([`crate::liveness::distance_order`]), [`Stacks::search_from`] for one component after the other.
//!
//! *Source:* H. N. Gabow, Path-based depth-first search for strong and biconnected components, Inf.
//! Process. Lett. 2000; J.-M. Couvreur, On-the-fly verification of linear temporal logic, FM 1999
//! (acceptance). Strong fairness is decided for each completed component that would be accepting
//! without it ([`crate::liveness::strong_fairness`]).
//!
//! *Invariant:* The live states are those of incomplete components, in the order in which they were
//! entered; the states of one component on the path are contiguous.
//!
//! *Cost:* 4 bytes per state in addition to the set (its mark: 0, its position among the live
//! states plus 1, or closed) and one bit (expanded or not); 4 bytes per live state, 8 more if it is
//! on the path; 8 bytes per pending edge.

use axle_outcome::{Fairness, Stop};
use axle_step::Graph;
use axle_store::Numbered;

use crate::liveness::explorer::{DONE, Explorer, TRANSIENT, UNSEEN};
use crate::liveness::ring::{Entry, entry, label, target};
use crate::liveness::strong_fairness;
use crate::progress::Monitor;

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Position of the state among the live states.
    place: u32,
    /// Number of pending edges of the states before it on the path.
    waiting: u32,
}

/// A partial component on the path.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// Position of its first state among the live states.
    place: u32,
    /// Label of the edge from the preceding component on the path to this one.
    arc: u32,
    /// Whether an edge connects two of its states.
    cyclic: bool,
}

/// The stacks of a search.
#[derive(Default, Debug)]
pub(crate) struct Stacks {
    /// Numbers of the live states.
    live: Vec<u32>,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// Unmet acceptance marks of each component on the path.
    missing: Vec<u64>,
    /// Number of words of one bit set in `missing`.
    words: usize,
    /// Pending edges.
    waiting: Vec<Entry>,
    list: Vec<Entry>,
    enabled: Vec<u64>,
    /// States that may still be entered before a cycle through several states is found; none if
    /// their number is not limited.
    trial: Option<u64>,
}

/// A strongly connected set of states that contains an execution accepted by the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Component {
    /// State numbers.
    pub states: Vec<u32>,
}

/// Subgraph that a search may enter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// The whole graph.
    Whole,
    /// The remainder of a component from which states were removed; the marks identify it.
    Part,
}

impl Stacks {
    /// Stacks of a search that ends when it has entered so many states and found no cycle through
    /// several states.
    pub fn of_trial(states: u64) -> Stacks {
        Stacks { trial: Some(states), ..Stacks::default() }
    }

    /// Whether the search ended because it entered many states and found no cycle.
    pub fn ended_trial(&self) -> bool {
        self.trial == Some(0)
    }

    /// Whether the search may end so.
    pub fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Continues such a search without a limit.
    pub fn extend_trial<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        self.trial = None;
        let found = self.next_component(explorer, Scope::Whole, monitor)?;
        if found.is_some() { Ok(found) } else { self.search_pending(explorer, monitor) }
    }

    /// Searches everything reachable from these states that was not entered before. They are
    /// pending together, so that lookahead expands them in batches.
    pub fn search_from_each<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        roots: &[u32],
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        self.waiting.extend(roots.iter().rev().map(|&root| entry(root, 0)));
        self.search_pending(explorer, monitor)
    }

    /// Searches from the pending states, one after the other.
    fn search_pending<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        while explorer.alarm.is_none()
            && !self.ended_trial()
            && let Some(root) = self.waiting.pop()
        {
            if explorer.marks[target(root) as usize] == UNSEEN {
                let found = self.search_from(explorer, target(root), Scope::Whole, monitor)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Searches everything reachable from a state that was not entered before.
    pub fn search_from<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        root: u32,
        scope: Scope,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        // Label 0 meets no mark.
        if let Some(found) = self.enter(explorer, root, 0, monitor)? {
            return Ok(Some(found));
        }
        self.next_component(explorer, scope, monitor)
    }

    /// Continues the search after the component that it returned last.
    pub fn next_component<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        scope: Scope,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        while let Some(&frame) = self.frames.last() {
            if explorer.alarm.is_some() || self.ended_trial() {
                return Ok(None);
            }
            if self.waiting.len() > frame.waiting as usize
                && let Some(entry) = self.waiting.pop()
            {
                let found = match explorer.marks[target(entry) as usize] {
                    DONE | TRANSIENT => None,
                    UNSEEN => self.enter(explorer, target(entry), label(entry), monitor)?,
                    place => self.merge(explorer, place - 1, label(entry)),
                };
                if found.is_some() {
                    return Ok(found);
                }
                continue;
            }
            self.frames.pop();
            if self.roots.last().is_some_and(|root| root.place == frame.place)
                && let Some(found) = self.leave(explorer, frame.place, scope, monitor)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Enters a state by an edge with the given label. Edges to live components are processed at
    /// once; edges to states not entered yet become pending.
    fn enter<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        number: u32,
        arc: u32,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        let (mut list, mut enabled) = (std::mem::take(&mut self.list), std::mem::take(&mut self.enabled));
        explorer.depth = self.frames.len() as u64;
        explorer.extra = self.memory();
        let mut fetched = explorer.fetch(number, &self.waiting, &mut list, &mut enabled, monitor);
        if u32::try_from(self.waiting.len() + list.len()).is_err() {
            // The number exceeds the range of a frame's counter.
            fetched = Err(Stop::Memory);
        }
        let place = self.live.len() as u32;
        let mut found = None;
        if fetched.is_ok() {
            self.trial = self.trial.map(|left| left.saturating_sub(1));
            self.live.push(number);
            explorer.marks[number as usize] = place + 1;
            self.frames.push(Frame { place, waiting: self.waiting.len() as u32 });
            self.roots.push(Root { place, arc, cyclic: false });
            self.push_missing(explorer, &enabled);
            for &entry in &list {
                match explorer.marks[target(entry) as usize] {
                    DONE | TRANSIENT => {}
                    UNSEEN => self.waiting.push(entry),
                    place => {
                        found = self.merge(explorer, place - 1, label(entry));
                        if found.is_some() {
                            break;
                        }
                    }
                }
            }
        }
        (self.list, self.enabled) = (list, enabled);
        fetched.map(|()| found)
    }

    /// Pushes the unmet marks of a new component of one state: all acceptance sets and, under weak
    /// fairness, the processes enabled in the state.
    fn push_missing<G: Graph, S: Numbered>(&mut self, explorer: &Explorer<'_, G, S>, enabled: &[u64]) {
        let labels = &explorer.product.labels;
        if self.words != labels.words {
            if self.words > 0 {
                self.missing = explorer.widened(&self.missing, self.words);
            }
            self.words = labels.words;
        }
        let start = self.missing.len();
        self.missing.resize(start + self.words, 0);
        if labels.fairness == Fairness::Weak {
            self.missing[start..].copy_from_slice(enabled);
        }
        self.missing[start] |= labels.marks();
    }

    /// Merges the component of the state at `place` and all later components on the path, because
    /// an edge with the given label leads from the last component to that state.
    #[inline]
    fn merge<G: Graph, S: Numbered>(
        &mut self,
        explorer: &Explorer<'_, G, S>,
        place: u32,
        label: u32,
    ) -> Option<Component> {
        let labels = &explorer.product.labels;
        let words = self.words;
        let mut top = self.roots.len() - 1;
        if self.roots[top].place > place {
            // A cycle through several states.
            self.trial = None;
        }
        while self.roots[top].place > place {
            // Merge the last component into its predecessor, with the edge between them.
            let met = labels.met(self.roots[top].arc);
            let (before, own) = self.missing.split_at_mut(top * words);
            let before = &mut before[(top - 1) * words..];
            for i in 0..words {
                before[i] &= own[i] & !met[i];
            }
            self.missing.truncate(top * words);
            self.roots.pop();
            top -= 1;
        }
        let met = labels.met(label);
        let missing = &mut self.missing[top * words..];
        let mut left = 0;
        for i in 0..words {
            missing[i] &= !met[i];
            left |= missing[i];
        }
        self.roots[top].cyclic = true;
        // Strong fairness may demand more than is known at this point.
        if left != 0 || labels.fairness == Fairness::Strong {
            return None;
        }
        Some(Component { states: self.live[self.roots[top].place as usize..].to_vec() })
    }

    /// Completes the component whose first state is at `place`.
    fn leave<G: Graph, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        place: u32,
        scope: Scope,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        let root = self.roots.pop();
        let top = self.roots.len() * self.words;
        let misses = self.missing[top..].iter().any(|&word| word != 0);
        self.missing.truncate(top);
        let states = &self.live[place as usize..];
        for &number in states {
            explorer.marks[number as usize] = DONE;
        }
        let strong = explorer.product.labels.fairness == Fairness::Strong;
        if !strong || misses || !root.is_some_and(|root| root.cyclic) {
            self.live.truncate(place as usize);
            return Ok(None);
        }
        let states = states.to_vec();
        self.live.truncate(place as usize);
        match scope {
            Scope::Whole => strong_fairness::decide(explorer, states, monitor),
            // The caller continues with this component.
            Scope::Part => Ok(Some(Component { states })),
        }
    }

    fn memory(&self) -> u64 {
        4 * self.live.len() as u64
            + (self.frames.len() * size_of::<Frame>() + self.roots.len() * size_of::<Root>()) as u64
            + 8 * (self.missing.len() + self.waiting.len()) as u64
    }
}
