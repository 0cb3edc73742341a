//! Cheapest paths: states in the order of the cost of the cheapest path to them. The cost of a step
//! depends on the alternatives in its source ([`Measure`]).
//!
//! *Entry points:* [`Measure`], [`cost`], and [`Frontier`] for searches.
//! *Source:* E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", Numerische Mathematik 1,
//! 1959. T. Han, J.-P. Katoen and B. Damman, "Counterexample Generation in Probabilistic Model
//! Checking", IEEE TSE 35(2), 2009: the most probable path is a shortest one if a step costs the negated
//! logarithm of its probability.
//! *Invariant:* each state is taken once, at the least cost of all paths to it, and with the fewest steps
//! of all paths of this cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use axle_step::{Batch, Graph};

use crate::grow::alone;

/// What a step costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Measure {
    /// One for a step that has an alternative: an input or a decision of the scheduler.
    Choices,
    /// The negated logarithm of its probability, if each transition of a state is equally probable.
    Likelihood,
}

impl Measure {
    /// The cost of a probability of one half.
    const HALF: f64 = 65_536.0;

    /// The cost of a step out of a state with this number of transitions.
    #[must_use]
    pub fn cost(self, transitions: usize) -> u64 {
        match self {
            Measure::Choices => u64::from(transitions > 1),
            Measure::Likelihood => ((transitions.max(1) as f64).log2() * Self::HALF).round() as u64,
        }
    }

    /// Of how many executions that begin at random one is as [`Measure::Likelihood`] says.
    #[must_use]
    pub fn one_of(cost: u64) -> f64 {
        (cost as f64 / Self::HALF).exp2()
    }
}

/// The cost of a path, and its number of steps.
pub(crate) type Cost = (u64, u32);

/// The states that a search for cheapest paths has reached, by their numbers.
#[derive(Default, Debug)]
pub(crate) struct Frontier {
    open: BinaryHeap<Reverse<(Cost, u32)>>,
    best: Vec<Option<Cost>>,
    /// The state before, and the position among its successors; none at the start.
    parents: Vec<Option<(u32, u32)>>,
}

impl Frontier {
    /// Notes a path to a state. `parent`: the state before, and the position among its successors.
    pub fn reach(&mut self, number: u32, cost: Cost, parent: Option<(u32, u32)>) {
        let at = number as usize;
        if self.best.len() <= at {
            self.best.resize(at + 1, None);
            self.parents.resize(at + 1, None);
        }
        if self.best[at].is_none_or(|best| cost < best) {
            (self.best[at], self.parents[at]) = (Some(cost), parent);
            self.open.push(Reverse((cost, number)));
        }
    }

    /// Takes the state with the cheapest path of those that were not taken.
    pub fn take(&mut self) -> Option<(Cost, u32)> {
        while let Some(Reverse((cost, number))) = self.open.pop() {
            if self.best[number as usize] == Some(cost) {
                return Some((cost, number));
            }
        }
        None
    }

    /// The first state of the cheapest path to a state, and the positions of its steps.
    pub fn path(&self, number: u32) -> (u32, Vec<u32>) {
        let (mut positions, mut at) = (Vec::new(), number);
        while let Some((parent, position)) = self.parents[at as usize] {
            positions.push(position);
            at = parent;
        }
        positions.reverse();
        (at, positions)
    }

    /// Bytes of memory used.
    pub fn memory(&self) -> u64 {
        let entry = size_of::<Option<Cost>>() + size_of::<Option<(u32, u32)>>();
        (entry * self.best.capacity() + size_of::<(Cost, u32)>() * self.open.capacity()) as u64
    }
}

/// The transitions of the only state of a batch: those with a successor, and those that an error blocks.
pub(crate) fn transitions<I>(batch: &Batch<I>) -> usize {
    batch.range(0).len() + batch.faults.iter().filter(|fault| fault.successor.is_none()).count()
}

/// The cost of a path from the initial state; none if there is no such path. `None` stands for a step that
/// repeats the last state. `fails`: a transition of the last state follows.
pub fn cost<G: Graph>(stepper: &mut G, path: &[Option<u32>], fails: bool, measure: Measure) -> Option<u64> {
    let mut state = stepper.initial(&mut Vec::new());
    let mut batch = Batch::default();
    let mut all = 0;
    for position in path.iter().flatten() {
        alone(stepper, &mut state, &mut batch).ok()?;
        let (width, start) = (state.len(), *position as usize);
        all += measure.cost(transitions(&batch));
        state.copy_from_slice(batch.states.get(start * width..(start + 1) * width)?);
    }
    if fails {
        alone(stepper, &mut state, &mut batch).ok()?;
        all += measure.cost(transitions(&batch));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihood_is_the_product_of_the_alternatives() {
        let all = Measure::Likelihood.cost(1) + Measure::Likelihood.cost(2) + Measure::Likelihood.cost(8);
        assert_eq!(Measure::one_of(all).round(), 16.0);
        assert_eq!(Measure::Choices.cost(1) + Measure::Choices.cost(2) + Measure::Choices.cost(8), 2);
    }

    #[test]
    fn states_are_taken_in_the_order_of_their_cost() {
        let mut frontier = Frontier::default();
        frontier.reach(0, (0, 0), None);
        assert_eq!(frontier.take(), Some(((0, 0), 0)));
        frontier.reach(1, (9, 1), Some((0, 4)));
        frontier.reach(2, (1, 1), Some((0, 5)));
        assert_eq!(frontier.take(), Some(((1, 1), 2)));
        frontier.reach(1, (3, 2), Some((2, 7)));
        frontier.reach(1, (3, 3), Some((2, 8)));
        assert_eq!(frontier.take(), Some(((3, 2), 1)));
        assert_eq!(frontier.take(), None);
        assert_eq!(frontier.path(1), (0, vec![5, 7]));
    }
}
