//! Bit-precise decision procedures and proofs.

pub mod aig;
pub mod blast;
pub mod cnf;
pub mod evaluate;
pub mod rewrite;
pub mod sat;
pub mod smtlib;
pub mod term;
