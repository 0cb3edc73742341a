//! The search by strongly connected components: one depth-first pass, any number of acceptance
//! sets, any fairness.
//!
//! It keeps the components of what it has seen so far, and for each on the way from the root what
//! it still misses ([`crate::labels`]). An edge back into a component on the way melts all
//! components from there on into one, which misses what all its parts and the edges between them
//! miss; when that is nothing, there is a counterexample, and the search stops there, with the rest
//! unexplored.
//!
//! *Entry point:* [`search`].
//!
//! Sources: H. N. Gabow, Path-based depth-first search for strong and biconnected components, Inf.
//! Process. Lett. 2000; J.-M. Couvreur, On-the-fly verification of linear temporal logic, FM 1999,
//! which adds acceptance. Strong fairness is decided for each component that is left behind and
//! would do without (`streett.rs`).
//!
//! A state costs 4 bytes beside the set, its mark: 0, its place among the live states and 1 more,
//! or done; one bit, whether it was expanded; while it is live 4 bytes for its place, on the path 8
//! more; and 8 for every edge that waits to be looked at. States in components of the claim that
//! cannot accept are not searched but expanded in order of their numbers, by batches.
//!
//! *Invariant:* The live states are those of components that are not complete, in the order
//! entered; the states of a component on the path are neighbours there.

use axle_step::Successors;
use axle_store::Numbered;

use crate::explorer::{DONE, Explorer, TRANSIENT, UNSEEN};
use crate::limits::Stop;
use crate::liveness::Fairness;
use crate::progress::Monitor;
use crate::ring::{Entry, label, target};
use crate::streett;

/// States expanded at once that need no search.
const BATCH: usize = 32;

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Its place among the live states.
    place: u32,
    /// How many edges wait for the states before it on the path.
    waiting: u32,
}

/// A component on the path.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// The place of its first state among the live states.
    place: u32,
    /// The label of the edge that leads to it from the component before.
    arc: u32,
    /// Whether it has an edge inside.
    cyclic: bool,
}

/// The stacks of a search.
#[derive(Default, Debug)]
pub(crate) struct Stacks {
    /// The numbers of the live states.
    live: Vec<u32>,
    frames: Vec<Frame>,
    roots: Vec<Root>,
    /// What each component on the path misses.
    missing: Vec<u64>,
    /// Words of a set of bits in `missing`.
    words: usize,
    /// Edges to be looked at.
    waiting: Vec<Entry>,
    list: Vec<Entry>,
    enabled: Vec<u64>,
}

/// A strongly connected set of states that has a run which breaks the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Component {
    /// The numbers of its states.
    pub states: Vec<u32>,
}

/// Which part of the graph a search may enter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// All of it.
    Whole,
    /// What is left of a component after states were taken out of it: the marks say which are.
    Part,
}

/// Searches the whole product; gives a component that breaks the claim, if there is one.
pub(crate) fn search<G: Successors, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    monitor: &mut impl Monitor,
) -> Result<Option<Component>, Stop> {
    let mut stacks = Stacks::default();
    let mut batch = Vec::with_capacity(BATCH);
    let mut cursor = 0;
    explorer.start()?;
    while cursor < explorer.len() && explorer.alarm.is_none() {
        batch.clear();
        while cursor < explorer.len() && batch.len() < BATCH {
            match explorer.marks[cursor as usize] {
                TRANSIENT => batch.push(cursor),
                UNSEEN if batch.is_empty() => {
                    let found = stacks.search_from(explorer, cursor, Scope::Whole, monitor)?;
                    if found.is_some() || explorer.alarm.is_some() {
                        return Ok(found);
                    }
                }
                UNSEEN => break,
                _ => {}
            }
            cursor += 1;
        }
        if !batch.is_empty() {
            explorer.expand(&batch)?;
            batch.iter().for_each(|&number| explorer.marks[number as usize] = DONE);
            explorer.watch(monitor)?;
        }
    }
    Ok(None)
}

impl Stacks {
    /// Searches everything that can be reached from a state that was not entered yet.
    pub fn search_from<G: Successors, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        root: u32,
        scope: Scope,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        // Label 0 meets nothing.
        if let Some(found) = self.enter(explorer, root, 0, monitor)? {
            return Ok(Some(found));
        }
        self.go_on(explorer, scope, monitor)
    }

    /// Goes on with a search, behind the component that it gave last.
    pub fn go_on<G: Successors, S: Numbered>(
        &mut self,
        explorer: &mut Explorer<'_, G, S>,
        scope: Scope,
        monitor: &mut impl Monitor,
    ) -> Result<Option<Component>, Stop> {
        while let Some(&frame) = self.frames.last() {
            if explorer.alarm.is_some() {
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

    /// Enters a state by an edge with a label, looks at its edges into live components at once, and keeps those to
    /// states not entered yet for later.
    fn enter<G: Successors, S: Numbered>(
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
            // More than a frame can count.
            fetched = Err(Stop::Memory);
        }
        let place = self.live.len() as u32;
        let mut found = None;
        if fetched.is_ok() {
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

    /// What a new component of one state misses: all acceptance sets and, under weak fairness, the processes
    /// that are enabled in it.
    fn push_missing<G: Successors, S: Numbered>(&mut self, explorer: &Explorer<'_, G, S>, enabled: &[u64]) {
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

    /// An edge with a label leads from the top of the path into the component of the state at `place`: that
    /// component and all after it are one.
    #[inline]
    fn merge<G: Successors, S: Numbered>(
        &mut self,
        explorer: &Explorer<'_, G, S>,
        place: u32,
        label: u32,
    ) -> Option<Component> {
        let labels = &explorer.product.labels;
        let words = self.words;
        let mut top = self.roots.len() - 1;
        while self.roots[top].place > place {
            // The component before takes it in, with the edge that leads to it.
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
        // Under strong fairness more may be asked for than is seen now.
        if left != 0 || labels.fairness == Fairness::Strong {
            return None;
        }
        Some(Component { states: self.live[self.roots[top].place as usize..].to_vec() })
    }

    /// The component whose first state is at `place` is complete.
    fn leave<G: Successors, S: Numbered>(
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
            Scope::Whole => streett::decide(explorer, states, monitor),
            // The caller takes it from here.
            Scope::Part => Ok(Some(Component { states })),
        }
    }

    fn memory(&self) -> u64 {
        4 * self.live.len() as u64
            + (self.frames.len() * size_of::<Frame>() + self.roots.len() * size_of::<Root>()) as u64
            + 8 * (self.missing.len() + self.waiting.len()) as u64
    }
}
