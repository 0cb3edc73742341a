//! A claim: an automaton of what must *not* happen, in the form in which it is searched for.
//!
//! The claim runs beside the system. In the product state `(s, q)` it moves first: an edge of location `q` can
//! be taken where its guard holds of the system state `s`; then the system makes one step, or stays where it is
//! if nobody can move (a finite run is thus extended by stuttering). Where no edge can be taken, the run is no
//! counterexample. A run is a counterexample if
//!
//! * it is infinite and every acceptance set is met again and again by the marks of the edges taken (with no
//!   acceptance set at all: if it is infinite), or
//! * the claim comes to a location that is an end ([`Location::end`]), or
//! * the claim takes an edge whose assertion does not hold of `s` ([`Edge::asserts`]).
//!
//! That is the meaning of Spin's never claims (Holzmann, The Spin Model Checker, chapter 4), with acceptance
//! generalised and on edges, which says the same in fewer locations; an accepting location is one whose
//! outgoing edges all carry the mark. Who makes a claim out of a formula or of text, and what the atoms mean,
//! is no business of this file: an atom is a number, and a valuation says of each whether it holds.
//!
//! Kept, and checked by [`Claim::check`]: locations, atoms and marks are in range.

/// The number of an atomic proposition.
pub type Atom = u32;

/// The most acceptance sets that a claim can have.
pub const MOST_SETS: u32 = 64;

/// An atom, or that it does not hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// Which atom.
    pub atom: Atom,
    /// Whether it must hold, or must not.
    pub holds: bool,
}

/// A conjunction of literals; without any it holds always.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Cube(pub Vec<Literal>);

/// A disjunction of cubes; without any it holds never.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Guard(pub Vec<Cube>);

/// A move of the claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it can be taken, judged in the system state before the system moves.
    pub guard: Guard,
    /// An atom that must hold there: where it does not, taking the edge is a violation.
    pub asserts: Option<Atom>,
    /// The location after it.
    pub to: u32,
    /// Bit `i` is set if taking the edge meets acceptance set `i`.
    pub marks: u64,
}

/// Where a claim can stand.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Location {
    /// The moves from here, in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// Coming here is a violation by itself: the closing brace of a never claim.
    pub end: bool,
}

/// An automaton of what must not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Locations, numbered from 0.
    pub locations: Vec<Location>,
    /// Where it begins: in any of these. More than one stands for a choice at the start.
    pub initial: Vec<u32>,
    /// How many acceptance sets there are, at most [`MOST_SETS`].
    pub sets: u32,
    /// How many atoms there are: a valuation has that many bits.
    pub atoms: u32,
}

/// A claim that is not well-formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// An edge or the start names a location that there is not.
    Location(u32),
    /// A guard or an assertion names an atom that there is not.
    Atom(Atom),
    /// More than [`MOST_SETS`] acceptance sets, or an edge marked with one that there is not.
    Sets,
    /// There is no initial location.
    NoStart,
}

impl Cube {
    /// Whether it holds of a valuation: bit `i % 64` of word `i / 64` says whether atom `i` holds.
    pub fn holds(&self, valuation: &[u64]) -> bool {
        self.0.iter().all(|literal| bit(valuation, literal.atom) == literal.holds)
    }
}

impl Guard {
    /// The guard that always holds.
    pub fn always() -> Guard {
        Guard(vec![Cube::default()])
    }

    /// The guard that an atom holds, or that it does not.
    pub fn literal(atom: Atom, holds: bool) -> Guard {
        Guard(vec![Cube(vec![Literal { atom, holds }])])
    }

    /// Whether it holds of a valuation, as [`Cube::holds`].
    pub fn holds(&self, valuation: &[u64]) -> bool {
        self.0.iter().any(|cube| cube.holds(valuation))
    }

    /// The atoms among `unknown` that decide whether it holds: none where the others decide that already.
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

/// Whether an atom holds in a valuation.
pub(crate) fn bit(valuation: &[u64], atom: Atom) -> bool {
    valuation[atom as usize / 64] >> (atom % 64) & 1 == 1
}

impl Claim {
    /// Words of a valuation: one bit an atom.
    pub fn words(&self) -> usize {
        (self.atoms as usize).div_ceil(64)
    }

    /// The marks of an edge that meets every acceptance set.
    pub fn all_marks(&self) -> u64 {
        match self.sets {
            0 => 0,
            sets => u64::MAX >> (64 - sets),
        }
    }

    /// Every edge with the location that it leaves.
    pub fn edges(&self) -> impl Iterator<Item = (u32, &Edge)> {
        (0u32..)
            .zip(&self.locations)
            .flat_map(|(from, location)| location.edges.iter().map(move |e| (from, e)))
    }

    /// What is wrong with it, if anything is.
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

    /// The claim that a run visits accepting states again and again, where atom 0 says of a state whether it is
    /// one: what acceptance labels in processes mean. One location, so that the product is the system.
    pub fn accepting() -> Claim {
        let edge = |holds, marks| Edge { guard: Guard::literal(0, holds), asserts: None, to: 0, marks };
        let location = Location { edges: vec![edge(true, 1), edge(false, 0)], end: false };
        Claim { locations: vec![location], initial: vec![0], sets: 1, atoms: 1 }
    }

    /// The claim that a run never again makes progress from some point on, where atom 0 says of a state that
    /// it is *not* a progress state: the two-state demon (Holzmann, The Spin Model Checker, chapter 4), which
    /// guesses that point.
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
        let cube = |literals: &[(Atom, bool)]| {
            Cube(literals.iter().map(|&(atom, holds)| Literal { atom, holds }).collect())
        };
        let guard = Guard(vec![cube(&[(0, true), (1, false)]), cube(&[(2, true)])]);
        assert_eq!(guard.hangs_on(&[0b000], &[1]), []);
        assert_eq!(guard.hangs_on(&[0b001], &[1]), [1]);
        assert_eq!(guard.hangs_on(&[0b101], &[1]), []);
        assert_eq!(guard.hangs_on(&[0b001], &[1, 2]), [1, 2]);
        assert_eq!(Guard::always().hangs_on(&[0], &[0]), []);
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
