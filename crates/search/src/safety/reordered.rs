//! A successor function with another order of successors: reversed or shuffled.
//!
//! A search limited by time or memory explores the part of the graph to which the order of
//! successors leads it first. Searches with different orders explore different parts.
//!
//! *Entry point:* [`Reordered`].
//!
//! *Source:* G. J. Holzmann, R. Joshi, A. Groce, Swarm verification techniques, IEEE TSE 37, 2011.
//!
//! *Invariant:* The order in a state depends on the state only, so a re-expansion yields the same
//! order. A position in this order can be translated to the original order ([`Reordered::unfold`]).

use axle_outcome::{Found, Violation};
use axle_step::{Batch, Fault, Graph, Grow, Statistics, Successors, Wrapper};
use axle_store::mix;

use crate::grow::alone;

/// Order of the successors of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Arrangement {
    /// Order of the successor function.
    #[default]
    AsMade,
    /// Reverse order.
    Reversed,
    /// A permutation of each state's successors, determined by the seed.
    Shuffled(u64),
}

/// A successor function in another order. It does not report the executing processes.
pub struct Reordered<'a, G> {
    inner: &'a mut G,
    arrangement: Arrangement,
    /// For each new position the original one, for a batch.
    order: Vec<u32>,
    /// For each original position the new one.
    places: Vec<u32>,
    states: Vec<u8>,
}

impl<'a, G: Graph> Reordered<'a, G> {
    /// The successors of `inner` in another order.
    pub fn new(inner: &'a mut G, arrangement: Arrangement) -> Reordered<'a, G> {
        Reordered { inner, arrangement, order: Vec::new(), places: Vec::new(), states: Vec::new() }
    }

    /// Translates the positions of a violation to the original order. `None` if no such path
    /// exists.
    pub fn unfold(&mut self, violation: &mut Violation<G::Site>) -> Option<()> {
        if violation.found == Found::Start {
            return Some(());
        }
        let at_fault = match violation.found {
            Found::Step(position) => Some(position),
            Found::Start | Found::State => None,
        };
        let mut unfolded: Vec<u32> = violation.path.iter().copied().chain(at_fault).collect();
        self.unfold_run(unfolded.iter_mut())?;
        if let (Some(_), Some(position)) = (at_fault, unfolded.last().copied()) {
            violation.found = Found::Step(position);
            unfolded.pop();
        }
        violation.path = unfolded;
        Some(())
    }

    /// Translates the positions of steps from the initial state to the original order. `None` if no
    /// such steps exist.
    pub fn unfold_run<'p>(&mut self, positions: impl Iterator<Item = &'p mut u32>) -> Option<()> {
        if self.arrangement == Arrangement::AsMade {
            return Some(());
        }
        let mut state = self.inner.initial(&mut Vec::new());
        let mut batch = Batch::default();
        for position in positions {
            alone(self.inner, &mut state, &mut batch).ok()?;
            let width = state.len();
            self.order.clear();
            arrange(self.arrangement, &state, 0..(batch.states.len() / width) as u32, &mut self.order);
            let old = *self.order.get(*position as usize)?;
            *position = old;
            state.copy_from_slice(&batch.states[old as usize * width..(old as usize + 1) * width]);
        }
        Some(())
    }
}

impl<G: Graph> Successors for Reordered<'_, G> {
    type Site = G::Site;

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn initial(&mut self, faults: &mut Vec<Fault<G::Site>>) -> Vec<u8> {
        self.inner.initial(faults)
    }

    fn expand(&mut self, states: &[u8], out: &mut Batch<G::Site>) -> Result<(), Grow> {
        self.inner.expand(states, out)?;
        if self.arrangement == Arrangement::AsMade {
            return Ok(());
        }
        let width = self.inner.width();
        self.order.clear();
        for (number, source) in states.chunks_exact(width).enumerate() {
            let range = out.range(number);
            arrange(self.arrangement, source, range.start as u32..range.end as u32, &mut self.order);
        }
        std::mem::swap(&mut self.states, &mut out.states);
        out.states.clear();
        self.places.resize(self.order.len(), 0);
        for (new, &old) in self.order.iter().enumerate() {
            out.states.extend_from_slice(&self.states[old as usize * width..(old as usize + 1) * width]);
            self.places[old as usize] = new as u32;
        }
        for fault in &mut out.faults {
            fault.successor = fault.successor.map(|old| self.places[old as usize]);
        }
        Ok(())
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn grow(&mut self, size: usize) {
        self.inner.grow(size);
    }
}

impl<G: Graph> Wrapper for Reordered<'_, G> {
    type Inner = G;

    fn inner(&self) -> &G {
        self.inner
    }
}

impl<G: Graph> Statistics for Reordered<'_, G> {
    fn taken(&self) -> &[Vec<bool>] {
        self.inner.taken()
    }
}

/// Appends the positions of a source's successors in the new order.
fn arrange(arrangement: Arrangement, source: &[u8], range: std::ops::Range<u32>, order: &mut Vec<u32>) {
    let start = order.len();
    match arrangement {
        Arrangement::AsMade => order.extend(range),
        Arrangement::Reversed => order.extend(range.rev()),
        Arrangement::Shuffled(seed) => {
            order.extend(range);
            let own = &mut order[start..];
            let mut lot = mix(seed ^ spread(source));
            for last in (1..own.len()).rev() {
                lot = mix(lot.wrapping_add(0x9e37_79b9_7f4a_7c15));
                own.swap(last, ((u128::from(lot) * (last + 1) as u128) >> 64) as usize);
            }
        }
    }
}

/// A hash of a state, independent of zeros at its end.
fn spread(state: &[u8]) -> u64 {
    let words = state.as_chunks::<4>().0.iter().zip(1u64..);
    words.fold(0, |sum, (word, place)| {
        sum.wrapping_add(u64::from(u32::from_le_bytes(*word)).wrapping_mul(mix(place) | 1))
    })
}
