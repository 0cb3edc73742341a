//! Linear temporal logic: formulas, and automata with generalised acceptance that accept just the
//! words that satisfy them. Nothing here knows what a proposition means.
//!
//! [`parse()`] reads a formula, [`translate()`] makes its automaton, [`simplify`] makes it small,
//! [`degeneralise`] makes it a plain Büchi automaton, [`stutter`] decides stutter invariance,
//! [`bad_prefix`] finds the finite words that violate a formula however they continue, [`lasso`]
//! evaluates single words without any automaton. [`timeline`] is another notation for properties:
//! marks on a line.

pub mod account;
pub mod automaton;
pub mod bad_prefix;
pub mod degeneralise;
mod effort;
pub mod fair_simulation;
pub mod formula;
pub mod hoa;
pub mod lasso;
pub mod normal;
pub mod parse;
pub mod print;
pub mod prologue;
mod proposition;
pub mod proposition_text;
pub mod scc;
pub mod simplify;
pub mod stutter;
#[cfg(feature = "testing")]
pub mod testing;
pub mod timeline;
pub mod translate;
pub mod vacuity;

pub use automaton::{Automaton, Cube, Transition};
pub use effort::Effort;
pub use formula::Formula;
pub use lasso::Lasso;
pub use parse::parse;
pub use translate::{TooLarge, translate, translate_negation, translate_within};
