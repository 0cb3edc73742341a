//! Certificates of proofs: an inductive invariant as clauses over the bits of the state variables.
//!
//! *Entry points:* [`check`]; [`write`], [`read`] and [`verify`] for the text; [`queries`] for
//! SMT-LIB; [`verify_claim`] for claims.
//! *Invariant:* an invariant that [`check`] accepts proves that no bad state is reachable; the check
//! depends on no engine.

mod by_steps;
mod check;
mod claims;
mod definition_text;
mod queries;
mod text;

pub(crate) use check::different;
pub use check::{Rejection, check, check_for};
pub use claims::{CLAIMS, ClaimPart, ClaimProof, split, verify_claim, write_claims};
pub use queries::queries;
pub use text::{TextError, TextProblem, read, write};

use crate::invariant::Invariant;
use crate::system::System;

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
    /// The invariants of a claim leave executions that it accepts.
    #[error("the invariants do not exclude every execution that the claim accepts")]
    Accepted,
    /// The invariants of a claim leave states in which they say nothing of the executions of the model.
    #[error("the invariants do not exclude that a sequence blocks, or that a proposition has no value")]
    Obstacle,
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
