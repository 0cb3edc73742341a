//! Bit-precise decision procedures and proofs: bit-vector terms, bit-blasting and incremental SAT;
//! models as transition systems over bits; bounded model checking, k-induction and IC3; certificates
//! of proofs, and export to the formats of hardware model checkers. The arguments are in
//! docs/theory/proofs.md.
//!
//! A [`Relation`](axle_relation::Relation) becomes a [`model::Problem`], its system a
//! [`circuit::Circuit`]. The engines work on the circuit alone and their answers are not trusted: an
//! execution counts once [`model::Problem::counterexample`] has executed it, a proof once
//! [`certificate::check`] has accepted its invariant.
//!
//! *Entry points:* [`model::Problem::new`] and [`prove::decide`]; [`circuit::Circuit::new`] and the engines [`bmc::search`],
//! [`induction::prove`] and [`pdr::prove`].

pub mod aig;
pub mod answer;
pub mod blast;
pub mod bmc;
pub mod canonical;
pub mod certificate;
pub mod circuit;
pub mod cnf;
pub mod definition;
pub mod evaluate;
pub mod export;
pub mod external;
pub mod induction;
pub mod invariant;
pub mod model;
pub mod pdr;
pub mod prove;
pub mod reformulate;
mod rewrite;
pub mod safe_depth;
pub mod sat;
pub mod smtlib;
pub mod substitute;
pub mod system;
pub mod term;
pub mod unroll;
pub mod watch;
