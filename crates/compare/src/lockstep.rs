//! Step-by-step comparisons of successor functions.
//!
//! *Entry points:* [`engines::agree`] (interpreter and compiler), [`convergence::compare`] (atomic
//! sequences path by path, and with converging paths explored once).

pub mod convergence;
pub mod engines;
pub mod patience;
