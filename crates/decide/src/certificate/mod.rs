//! Certificates of proofs: an inductive invariant as clauses over the bits of the state variables.
//!
//! *Entry points:* [`Invariant`]; [`check`]; [`write`], [`read`] and [`verify`] for the text; [`queries`] for
//! SMT-LIB.
//! *Invariant:* an invariant that [`check`] accepts proves that no bad state is reachable; the check
//! depends on no engine.

mod check;
mod queries;
mod text;

pub(crate) use check::different;
pub use check::{Rejection, check, check_for};
pub use queries::queries;
pub use text::{TextError, TextProblem, read, write};

use crate::circuit::{Bit, Circuit};
use crate::system::System;

/// A sum of multiples of state variables, in some number of bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The number of bits.
    pub bits: u8,
    /// State variables with their factors.
    pub sum: Vec<(u32, i64)>,
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

/// An invariant with the bad conditions that it excludes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The positions of the bad conditions, in order.
    pub bads: Vec<usize>,
    /// The invariant.
    pub invariant: Invariant,
}

/// Why the text of a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unverified {
    /// The text is malformed, or belongs to another model.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The invariant is refused.
    #[error(transparent)]
    Rejected(#[from] Rejection),
}

/// Reads the text of a certificate, and checks it; the certificate says which bad conditions are excluded.
///
/// # Errors
/// The text is malformed, or the invariant refused.
pub fn verify(system: &System, text: &str, poll: crate::watch::Poll<'_>) -> Result<Certificate, Unverified> {
    let certificate = read(system, text)?;
    check_for(system, &certificate.bads, &certificate.invariant, poll)?;
    Ok(certificate)
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
