//! Invariants: clauses over the bits of state variables, and over bits of words: sums of them, and other
//! terms.
//!
//! *Entry point:* [`Invariant`].

use crate::circuit::{Bit, Circuit};
use crate::definition::Definition;

/// A function of state variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// A sum of multiples of state variables.
    Sum {
        /// The number of bits.
        bits: u8,
        /// State variables with their factors.
        sum: Vec<(u32, i64)>,
    },
    /// A term, such as a predicate.
    Term(Definition),
}

impl Word {
    /// The number of bits.
    #[must_use]
    pub fn bits(&self) -> u8 {
        match self {
            Word::Sum { bits, .. } => *bits,
            Word::Term(definition) => definition.bits(),
        }
    }

    /// The state variables.
    #[must_use]
    pub fn variables(&self) -> Vec<u32> {
        match self {
            Word::Sum { sum, .. } => sum.iter().map(|(of, _)| *of).collect(),
            Word::Term(definition) => definition.variables(),
        }
    }
}

/// A bit with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    /// The bit of a state variable; of a word of the invariant, if the position is beyond the variables.
    pub bit: Bit,
    /// The value.
    pub value: bool,
}

/// A disjunction of literals.
pub type Clause = Vec<Literal>;

/// The bits of a clause with their values.
pub(crate) fn literals(clause: &Clause) -> impl Iterator<Item = (Bit, bool)> + '_ {
    clause.iter().map(|literal| (literal.bit, literal.value))
}

/// A property of states that proves that no bad state is reachable.
///
/// Let P be the states that satisfy all clauses and are not bad. Executions from the initial state
/// satisfy P in their first `depth` states, and after `depth` consecutive states in P the next state is
/// in P.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The number of states before the step; 1 for an inductive invariant.
    pub depth: u32,
    /// Whether only executions are considered that repeat no values of the bits which influence a bad
    /// state.
    pub distinct: bool,
    /// Words of which bits occur in clauses, numbered after the state variables.
    pub words: Vec<Word>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

impl Invariant {
    /// The invariant that the constant bits of a circuit have their values.
    #[must_use]
    pub fn of_constants(circuit: &Circuit) -> Invariant {
        let constants = circuit.constants.iter();
        let clauses = constants.map(|(bit, value)| vec![Literal { bit: *bit, value: *value }]).collect();
        Invariant { depth: 1, distinct: false, words: Vec::new(), clauses }
    }
}
