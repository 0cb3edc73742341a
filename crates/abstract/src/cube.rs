//! Predicates, and cubes: the values of all predicates, some of them unknown.
//!
//! *Entry points:* [`Predicates::add`], [`Cube`].
//! *Source:* Graf and Saidi, "Construction of Abstract State Graphs with PVS", CAV 1997.
//! *Invariant:* no predicate is a constant, equal to another one or its negation.

use std::collections::BTreeSet;

use axle_decide::model::Problem;
use axle_decide::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::place::support;

/// The value of a predicate in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Truth {
    False,
    True,
    Unknown,
}

impl Truth {
    /// A known value.
    pub fn of(value: bool) -> Truth {
        if value { Truth::True } else { Truth::False }
    }

    /// The value of the negation, if asked for.
    pub fn negated_if(self, negated: bool) -> Truth {
        match (self, negated) {
            (Truth::False, true) => Truth::True,
            (Truth::True, true) => Truth::False,
            _ => self,
        }
    }

    /// The value, if it is known.
    pub fn known(self) -> Option<bool> {
        match self {
            Truth::False => Some(false),
            Truth::True => Some(true),
            Truth::Unknown => None,
        }
    }
}

/// The values of all predicates.
pub(crate) type Cube = Vec<Truth>;

/// Whether all states of a cube are states of another.
pub(crate) fn is_within(cube: &[Truth], other: &[Truth]) -> bool {
    cube.iter().zip(other).all(|(own, theirs)| *theirs == Truth::Unknown || own == theirs)
}

/// Fewer cubes with the same states: cubes that differ in one value are one cube without it.
///
/// *Source:* McCluskey, "Minimization of Boolean Functions", 1956, without the choice of a smallest cover.
pub(crate) fn merged(cubes: Vec<Cube>) -> Vec<Cube> {
    let mut all: BTreeSet<Cube> = cubes.into_iter().collect();
    let width = all.first().map_or(0, Vec::len);
    loop {
        let before = all.len();
        for at in 0..width {
            let mut rest = BTreeSet::new();
            while let Some(mut cube) = all.pop_first() {
                let own = cube[at];
                if let Some(value) = own.known() {
                    cube[at] = Truth::of(!value);
                    cube[at] = if all.remove(&cube) { Truth::Unknown } else { own };
                }
                rest.insert(cube);
            }
            all = rest;
        }
        if all.len() == before {
            break;
        }
    }
    let is_covered = |cube: &Cube| all.iter().any(|other| other != cube && is_within(cube, other));
    all.iter().filter(|cube| !is_covered(cube)).cloned().collect()
}

/// The predicates of an abstraction.
#[derive(Default)]
pub(crate) struct Predicates {
    /// The predicates.
    pub list: Vec<TermId>,
    /// For each, the state variables that it depends on.
    pub supports: Vec<Vec<u32>>,
    /// For a predicate and its negation, the position, and whether it is negated.
    positions: FxHashMap<TermId, (usize, bool)>,
}

impl Predicates {
    /// Adds a predicate; returns whether it is new.
    pub fn add(&mut self, problem: &Problem, terms: &mut Terms, predicate: TermId) -> bool {
        if terms.value(predicate).is_some() || self.positions.contains_key(&predicate) {
            return false;
        }
        let at = self.list.len();
        let negated = terms.not(predicate);
        self.positions.insert(predicate, (at, false));
        self.positions.insert(negated, (at, true));
        self.supports.push(support(problem, terms, &[predicate]));
        self.list.push(predicate);
        true
    }

    /// Whether a condition, or its negation, is a predicate.
    pub fn contains(&self, condition: TermId) -> bool {
        self.positions.contains_key(&condition)
    }

    /// The value of a condition in a cube, if it is a constant, or a predicate or its negation with a known
    /// value.
    pub fn value(&self, terms: &Terms, cube: &[Truth], condition: TermId) -> Option<bool> {
        if let Some(value) = terms.value(condition) {
            return Some(value == 1);
        }
        let (at, negated) = self.positions.get(&condition)?;
        Some(cube[*at].known()? != *negated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The valuations of three predicates in a cube, as bits of a number.
    fn valuations(cube: &[Truth]) -> u32 {
        let has = |valuation: u32| {
            cube.iter()
                .enumerate()
                .all(|(at, truth)| truth.known().is_none_or(|of| of == (valuation >> at & 1 == 1)))
        };
        (0..8).filter(|valuation| has(*valuation)).map(|valuation| 1 << valuation).sum()
    }

    #[test]
    fn cubes_are_sets_of_valuations() {
        let values = [Truth::False, Truth::True, Truth::Unknown];
        let all: Vec<Cube> =
            (0..27).map(|at| vec![values[at % 3], values[at / 3 % 3], values[at / 9]]).collect();
        for one in &all {
            for other in &all {
                let both = valuations(one) & valuations(other);
                assert_eq!(is_within(one, other), both == valuations(one), "{one:?} {other:?}");
                let merged = merged(vec![one.clone(), other.clone()]);
                let union = merged.iter().fold(0, |union, cube| union | valuations(cube));
                assert_eq!(union, valuations(one) | valuations(other), "{one:?} {other:?}");
            }
        }
    }
}
