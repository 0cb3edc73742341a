//! Büchi automata with generalised acceptance on transitions.
//!
//! A run is accepting where it takes, for every acceptance set, a transition that carries the set's
//! mark again and again. A label is a conjunction of literals, as two bit masks, so at most 64
//! propositions; a disjunction is several transitions.

/// A conjunction of literals over at most 64 propositions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Propositions that must hold.
    pub must: u64,
    /// Propositions that must not hold.
    pub must_not: u64,
}

impl Cube {
    /// The condition that always holds.
    pub const TRUE: Cube = Cube { must: 0, must_not: 0 };

    /// Both conditions; none where they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { must: self.must | other.must, must_not: self.must_not | other.must_not };
        (both.must & both.must_not == 0).then_some(both)
    }

    /// Whether every valuation of this cube is one of `other`.
    #[inline]
    pub fn implies(self, other: Cube) -> bool {
        other.must & !self.must == 0 && other.must_not & !self.must_not == 0
    }

    /// Whether the propositions with these values satisfy the cube.
    #[inline]
    pub fn holds(self, valuation: u64) -> bool {
        self.must & !valuation == 0 && self.must_not & valuation == 0
    }
}

/// A transition of an [`Automaton`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// The valuations that it reads.
    pub label: Cube,
    /// The state that it leads to.
    pub to: u32,
    /// The acceptance sets that it is in, one bit each.
    pub marks: u64,
}

/// A generalised Büchi automaton with acceptance on transitions and one initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The initial state.
    pub initial: u32,
    /// For each state, its transitions.
    pub states: Vec<Vec<Transition>>,
    /// How many acceptance sets there are, 0 to 64. With none, every infinite run is accepting.
    pub sets: u32,
}

impl Automaton {
    /// All acceptance marks.
    pub fn all_marks(&self) -> u64 {
        if self.sets == 0 { 0 } else { u64::MAX >> (64 - self.sets) }
    }

    /// Number of transitions.
    pub fn transitions(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// An automaton that accepts nothing.
    pub fn empty() -> Automaton {
        Automaton { initial: 0, states: vec![Vec::new()], sets: 0 }
    }

    /// The propositions that some label reads, one bit each.
    pub fn reads(&self) -> u64 {
        self.states.iter().flatten().fold(0, |all, t| all | t.label.must | t.label.must_not)
    }

    /// Whether in every state at most one transition can be taken, whatever the valuation.
    pub fn is_deterministic(&self) -> bool {
        self.states
            .iter()
            .all(|out| (0..out.len()).all(|i| (0..i).all(|j| out[i].label.and(out[j].label).is_none())))
    }
}
