//! Bit-precise decision procedures and proofs.

pub mod aig;
pub mod answer;
pub mod blast;
pub mod bmc;
pub mod certificate;
pub mod circuit;
pub mod cnf;
pub mod evaluate;
pub mod export;
pub mod induction;
pub mod model;
pub mod pdr;
pub mod rewrite;
pub mod sat;
pub mod smtlib;
pub mod system;
pub mod term;
pub mod unroll;
