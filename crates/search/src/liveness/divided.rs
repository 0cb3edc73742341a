//! The product of a system and a claim for searches that divide its states among workers: successors with
//! the acceptance conditions that their edges meet, and a cycle inside a set of states.
//!
//! *Entry points:* [`DividedProduct::expand`], [`DividedProduct::cycle`].
//!
//! *Source:* acceptance conditions as in [`crate::liveness::weak_fairness`].
//!
//! *Invariant:* the states, their successors and the positions of these are those of the search by one
//! worker. A state that is on an accepting cycle of the product may accept, and the edges of the cycle are
//! inside.

use std::ops::Range;

use axle_outcome::{Claim, ClaimCoverage, Fairness, LassoStep, Limits, Stop};
use axle_step::{Cut, Graph, Grow, Interrupt, Observe};
use axle_store::Numbered;

use crate::grow::can_have;
use crate::liveness::claim_components::ClaimComponents;
use crate::liveness::explorer::Explorer;
use crate::liveness::options::{LivenessOptions, Refused};
use crate::liveness::product::{Moves, Product, location};
use crate::liveness::scc::Stacks;
use crate::liveness::trace;
use crate::progress::Monitor;

/// The product, with the successors of the last states that were expanded.
pub struct DividedProduct<'a, G: Graph> {
    product: Product<'a, G>,
    components: ClaimComponents,
    moves: Moves,
}

/// A cycle that the claim accepts: its first state, and its steps.
pub type AcceptedCycle = (Vec<u8>, Vec<LassoStep>);

impl<'a, G: Graph> DividedProduct<'a, G> {
    /// The product of a system and a claim.
    ///
    /// # Errors
    ///
    /// If the claim is not well-formed, or the system does not support the fairness assumption.
    pub fn new(
        stepper: &'a mut G,
        observer: &'a mut dyn Observe,
        claim: &'a Claim,
        fairness: Fairness,
    ) -> Result<DividedProduct<'a, G>, Refused> {
        let options = LivenessOptions { fairness, ..LivenessOptions::default() };
        options.check(stepper, observer, claim)?;
        let product = Product::new(stepper, observer, claim, fairness);
        let components = ClaimComponents::new(claim);
        Ok(DividedProduct { product, components, moves: Moves::default() })
    }

    /// Bytes of a state, and its size in the unit of the engine.
    pub fn width(&self) -> usize {
        self.product.width()
    }

    /// The size of the states, in the unit of [`Grow`].
    pub fn size(&self) -> usize {
        self.product.stepper.size()
    }

    /// Whether states may be widened to this size.
    pub fn can_have(&self, size: usize) -> bool {
        can_have(&*self.product.stepper, size)
    }

    /// Widens the states.
    pub fn grow(&mut self, size: usize) {
        self.product.grow(size);
        let slots = self.product.stepper.slots();
        if !self.product.labels.fits(slots) {
            self.product.labels.widen(slots);
        }
    }

    /// Limits the bytes of successors, and sets the cancellation callback of long expansions.
    pub fn limit(&mut self, most: Option<usize>, interrupt: Interrupt) {
        self.product.limit(most);
        self.product.ask(interrupt);
    }

    /// The initial states, one for each initial location of the claim.
    pub fn initial(&mut self) -> Vec<u8> {
        self.product.initial()
    }

    /// Computes the successors of states.
    ///
    /// # Errors
    ///
    /// If the states must be widened first.
    pub fn expand(&mut self, sources: &[u8]) -> Result<Option<Cut>, Grow> {
        self.product.expand(sources, &mut self.moves)?;
        Ok(self.moves.cut)
    }

    /// The successors, one after the other.
    pub fn successors(&self) -> &[u8] {
        &self.moves.states
    }

    /// The positions of the successors of a source.
    pub fn range(&self, source: usize) -> Range<usize> {
        self.moves.range(source)
    }

    /// The step from a source to its successor at this position, counted from the source's first.
    pub fn step(&self, source: usize, position: u32) -> LassoStep {
        self.moves.step(source, position)
    }

    /// Whether a step of the claim is a violation by itself, or a proposition has no value.
    pub fn has_alarm(&self) -> bool {
        !self.moves.alarms.is_empty() || !self.moves.faults.is_empty()
    }

    /// Number of acceptance conditions: the sets of the claim and, under weak fairness, one for each process.
    pub fn conditions(&self) -> usize {
        let processes = match self.product.labels.fairness {
            Fairness::None => 0,
            Fairness::Weak | Fairness::Strong => self.product.stepper.slots(),
        };
        self.product.claim.sets as usize + processes
    }

    /// Whether the edge from a source to the successor at a position of all successors meets a condition. A
    /// process that is not enabled in the source meets its own, and so does one that no state here has.
    pub fn meets(&self, source: usize, position: usize, condition: usize) -> bool {
        let labels = &self.product.labels;
        let (word, bit) = (condition / 64, 1u64 << (condition % 64));
        let is_set = condition < self.product.claim.sets as usize;
        if word >= labels.words {
            return !is_set;
        }
        if labels.met(self.moves.labels[position])[word] & bit != 0 {
            return true;
        }
        !is_set && self.moves.enabled[source * labels.words + word] & bit == 0
    }

    /// Whether a state may be on an accepting cycle.
    pub fn may_accept(&self, state: &[u8]) -> bool {
        self.components.accepting(location(state))
    }

    /// Whether an edge between two states may be on an accepting cycle.
    pub fn is_inside(&self, from: &[u8], to: &[u8]) -> bool {
        self.components.inside(location(from), location(to))
    }

    /// The location of the claim in a state.
    pub fn location(state: &[u8]) -> u32 {
        location(state)
    }

    /// The locations and edges of the claim that were used.
    pub fn coverage(&self) -> &ClaimCoverage {
        &self.product.coverage
    }

    /// The edges of the model that were executed.
    pub fn taken(&self) -> Vec<Vec<bool>> {
        self.product.taken()
    }

    /// An accepting cycle among states, if they contain one. The set is empty and has the width of the
    /// product; no state beyond these is expanded.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub fn cycle<S: Numbered>(
        &mut self,
        states: &[u8],
        set: &mut S,
        limits: &Limits,
        monitor: &mut impl Monitor,
    ) -> Result<Option<AcceptedCycle>, Stop> {
        let Product { stepper, observer, claim, labels, .. } = &mut self.product;
        let product = Product::new(&mut **stepper, &mut **observer, claim, labels.fairness);
        cycle_among(&mut Explorer::new(product, set, limits), states, monitor)
    }
}

fn cycle_among<G: Graph, S: Numbered>(
    explorer: &mut Explorer<'_, G, S>,
    states: &[u8],
    monitor: &mut impl Monitor,
) -> Result<Option<AcceptedCycle>, Stop> {
    explorer.start_within(states)?;
    let roots: Vec<u32> = (0..explorer.len()).collect();
    let Some(component) = Stacks::default().search_from_each(explorer, &roots, monitor)? else {
        return Ok(None);
    };
    let Some(&entry) = component.states.iter().min() else { return Ok(None) };
    let members = component.states.iter().copied().collect();
    let cycle = trace::cycle_from(explorer, entry, &members, monitor)?;
    let steps = trace::steps(explorer, &cycle, monitor)?;
    let mut state = Vec::new();
    explorer.set.append_states(&[entry], &mut state);
    Ok(Some((state, steps)))
}
