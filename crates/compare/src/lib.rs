//! Comparisons of the engines, reductions, transformations and front ends of Axle with references:
//! with each other, with plain explorations, with Spin, and with programs that gcc compiled, on
//! stored and on random inputs.
//!
//! Each command of `cargo xtask` is a module with arguments and a function `run`. The tests of other
//! crates use the generators of inputs ([`fuzz`]), the step-by-step comparisons ([`lockstep`]) and
//! the stored models ([`models`]).
//!
//! *Invariant:* only tests and developer commands depend on this crate.

pub mod automata;
pub mod certify;
pub mod conformance;
pub mod faults;
pub mod fuzz;
pub mod fuzz_models;
pub mod fuzz_programs;
pub mod last_checkpoint;
pub mod lockstep;
pub mod ltl_words;
pub mod models;
pub mod passes;
pub mod reduction;

use std::path::{Path, PathBuf};

/// The root directory of the repository of this build.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
