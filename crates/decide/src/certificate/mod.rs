//! Certificates of proofs: an inductive invariant as clauses over the bits of the state variables.
//!
//! *Entry points:* [`check`]; [`write`], [`read`] and [`verify`] for the text; [`queries`] for
//! SMT-LIB.
//! *Invariant:* an invariant that [`check`] accepts proves that no bad state is reachable; the check
//! depends on no engine.

mod by_steps;
mod check;
mod definition_text;
mod queries;
mod text;

pub(crate) use check::different;
pub use check::{Rejection, check, check_for};
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
