//! A claim: a Büchi automaton that accepts the executions that must *not* exist, on transitions and
//! with generalised acceptance.
//!
//! The claim runs synchronously with the system. In the product state `(s, q)` it moves first: an
//! edge of location `q` is enabled if its guard holds in the system state `s`. The system then
//! makes one step, or stutters if no process is enabled. If no edge is enabled, the execution is
//! not a counterexample. An execution is a counterexample if
//!
//! * it is infinite and the edges taken meet every acceptance set infinitely often (without
//!   acceptance sets: if it is infinite), or
//! * the claim reaches an end location ([`Location::end`]), or
//! * the claim takes an edge whose assertion is false in `s` ([`Edge::asserts`]).
//!
//! An accepting location is one whose outgoing edges all carry the mark. Claims are made from
//! formulas and never claims elsewhere. An atom is a number, and a valuation assigns it a truth
//! value.
//!
//! *Source:* the semantics of Spin's never claims (G. J. Holzmann, The Spin Model Checker, chapter
//! 4).
//!
//! *Invariant:* locations, atoms and marks are in range; [`Claim::check`] verifies this.

use serde::{Deserialize, Serialize};

/// The number of an atomic proposition.
pub type Atom = u32;

/// Maximum number of acceptance sets of a claim.
pub const MOST_SETS: u32 = 64;

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Literal {
    /// The atom.
    pub atom: Atom,
    /// Whether it must be true or false.
    pub holds: bool,
}

/// A conjunction of literals; the empty one is true.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Cube(pub Vec<Literal>);

/// A disjunction of cubes; the empty one is false.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Guard(pub Vec<Cube>);

/// An edge of the claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// Condition under which the edge is enabled, evaluated before the system moves.
    pub guard: Guard,
    /// An atom asserted by the edge: if it is false, taking the edge is a violation.
    pub asserts: Option<Atom>,
    /// Target location.
    pub to: u32,
    /// Bit `i` is set if the edge belongs to acceptance set `i`.
    pub marks: u64,
}

/// A location of the claim.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Location {
    /// Outgoing edges, in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// Whether reaching the location is a violation: the closing brace of a never claim.
    pub end: bool,
}

/// An automaton of undesired executions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// Locations, numbered from 0.
    pub locations: Vec<Location>,
    /// Initial locations; several ones are a nondeterministic choice.
    pub initial: Vec<u32>,
    /// Number of acceptance sets, at most [`MOST_SETS`].
    pub sets: u32,
    /// Number of atoms, and of bits of a valuation.
    pub atoms: u32,
}

/// Reason why a claim is not well-formed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Malformed {
    /// An edge or the list of initial locations names an undefined location.
    Location(u32),
    /// A guard or an assertion names an undefined atom.
    Atom(Atom),
    /// More than [`MOST_SETS`] acceptance sets, or an edge with an undefined mark.
    Sets,
    /// There is no initial location.
    NoStart,
}

impl Cube {
    /// Whether the cube holds under a valuation: bit `i % 64` of word `i / 64` is the value of atom
    /// `i`.
    pub fn holds(&self, valuation: &[u64]) -> bool {
        self.0.iter().all(|literal| bit(valuation, literal.atom) == literal.holds)
    }
}

impl Guard {
    /// The guard that is always true.
    pub fn always() -> Guard {
        Guard(vec![Cube::default()])
    }

    /// The guard that consists of one literal.
    pub fn literal(atom: Atom, holds: bool) -> Guard {
        Guard(vec![Cube(vec![Literal { atom, holds }])])
    }

    /// Whether the guard holds under a valuation, as [`Cube::holds`].
    pub fn holds(&self, valuation: &[u64]) -> bool {
        self.0.iter().any(|cube| cube.holds(valuation))
    }

    /// The atoms among `unknown` that determine the guard's value; empty if the other atoms
    /// determine it.
    pub fn hangs_on(&self, valuation: &[u64], unknown: &[Atom]) -> Vec<Atom> {
        let is_known = |literal: &&Literal| !unknown.contains(&literal.atom);
        let agrees = |literal: &Literal| bit(valuation, literal.atom) == literal.holds;
        let open: Vec<&Cube> =
            self.0.iter().filter(|cube| cube.0.iter().filter(is_known).all(agrees)).collect();
        if open.iter().any(|cube| cube.0.iter().all(|literal| is_known(&literal))) {
            return Vec::new();
        }
        let atoms = open.iter().flat_map(|cube| &cube.0).filter(|literal| !is_known(literal));
        atoms.map(|literal| literal.atom).collect()
    }
}

/// The value of an atom in a valuation.
pub fn bit(valuation: &[u64], atom: Atom) -> bool {
    valuation[atom as usize / 64] >> (atom % 64) & 1 == 1
}

impl Claim {
    /// Number of words of a valuation, with one bit per atom.
    pub fn words(&self) -> usize {
        (self.atoms as usize).div_ceil(64)
    }

    /// The marks of an edge in every acceptance set.
    pub fn all_marks(&self) -> u64 {
        match self.sets {
            0 => 0,
            sets => u64::MAX >> (64 - sets),
        }
    }

    /// All edges, each with its source location.
    pub fn edges(&self) -> impl Iterator<Item = (u32, &Edge)> {
        (0u32..)
            .zip(&self.locations)
            .flat_map(|(from, location)| location.edges.iter().map(move |e| (from, e)))
    }

    /// Checks that the claim is well-formed.
    pub fn check(&self) -> Result<(), Malformed> {
        let known = |to: u32| match (to as usize) < self.locations.len() {
            true => Ok(()),
            false => Err(Malformed::Location(to)),
        };
        let atom = |atom: Atom| if atom < self.atoms { Ok(()) } else { Err(Malformed::Atom(atom)) };
        if self.sets > MOST_SETS || self.edges().any(|(_, edge)| edge.marks & !self.all_marks() != 0) {
            return Err(Malformed::Sets);
        }
        if self.initial.is_empty() {
            return Err(Malformed::NoStart);
        }
        self.initial.iter().try_for_each(|&at| known(at))?;
        for (_, edge) in self.edges() {
            known(edge.to)?;
            edge.asserts.map_or(Ok(()), atom)?;
            edge.guard.0.iter().flat_map(|cube| &cube.0).try_for_each(|literal| atom(literal.atom))?;
        }
        Ok(())
    }

    /// The claim that an execution visits accepting states infinitely often, where atom 0 is true
    /// in these states: the meaning of acceptance labels. It has one location, so the product
    /// equals the system.
    pub fn accepting() -> Claim {
        let edge = |holds, marks| Edge { guard: Guard::literal(0, holds), asserts: None, to: 0, marks };
        let location = Location { edges: vec![edge(true, 1), edge(false, 0)], end: false };
        Claim { locations: vec![location], initial: vec![0], sets: 1, atoms: 1 }
    }

    /// The claim that an execution makes no progress from some point on, where atom 0 is true in
    /// states *without* progress: the automaton with two locations that guesses this point (G. J.
    /// Holzmann, The Spin Model Checker, chapter 4).
    pub fn non_progress() -> Claim {
        let wait = Edge { guard: Guard::always(), asserts: None, to: 0, marks: 0 };
        let guess = Edge { guard: Guard::literal(0, true), asserts: None, to: 1, marks: 0 };
        let stay = Edge { guard: Guard::literal(0, true), asserts: None, to: 1, marks: 1 };
        let locations = vec![
            Location { edges: vec![guess, wait], end: false },
            Location { edges: vec![stay], end: false },
        ];
        Claim { locations, initial: vec![0], sets: 1, atoms: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_hold_of_valuations_of_many_words() {
        let guard = Guard(vec![
            Cube(vec![Literal { atom: 3, holds: true }, Literal { atom: 70, holds: false }]),
            Cube(vec![Literal { atom: 70, holds: true }, Literal { atom: 71, holds: true }]),
        ]);
        assert!(guard.holds(&[8, 0]));
        assert!(!guard.holds(&[8, 64]));
        assert!(guard.holds(&[0, 64 | 128]));
        assert!(!Guard::default().holds(&[]) && Guard::always().holds(&[]));
    }

    #[test]
    fn a_guard_hangs_on_what_the_known_atoms_leave_open() {
        const NONE: [Atom; 0] = [];
        let cube = |literals: &[(Atom, bool)]| {
            Cube(literals.iter().map(|&(atom, holds)| Literal { atom, holds }).collect())
        };
        let guard = Guard(vec![cube(&[(0, true), (1, false)]), cube(&[(2, true)])]);
        assert_eq!(guard.hangs_on(&[0b000], &[1]), NONE);
        assert_eq!(guard.hangs_on(&[0b001], &[1]), [1]);
        assert_eq!(guard.hangs_on(&[0b101], &[1]), NONE);
        assert_eq!(guard.hangs_on(&[0b001], &[1, 2]), [1, 2]);
        assert_eq!(Guard::always().hangs_on(&[0], &[0]), NONE);
    }

    #[test]
    fn malformed_claims_are_told() {
        let good = Claim::non_progress();
        assert_eq!(good.check(), Ok(()));
        assert_eq!(Claim::accepting().check(), Ok(()));
        let mut bad = good.clone();
        bad.locations[1].edges[0].to = 2;
        assert_eq!(bad.check(), Err(Malformed::Location(2)));
        let mut bad = good.clone();
        bad.locations[0].edges[0].asserts = Some(1);
        assert_eq!(bad.check(), Err(Malformed::Atom(1)));
        let mut bad = good.clone();
        bad.locations[0].edges[0].marks = 2;
        assert_eq!(bad.check(), Err(Malformed::Sets));
        let bad = Claim { initial: vec![], ..good };
        assert_eq!(bad.check(), Err(Malformed::NoStart));
    }
}
