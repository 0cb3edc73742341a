//! Memoisation of the interpreter's moves, around it: nothing here defines the semantics, and the
//! interpreter is complete without it.
//!
//! `parts` computes moves with their footprints, [`footprints`] indexes results by footprint,
//! `small_steps` memoises the steps of deterministic sequences.

pub mod footprints;
mod parts;
mod small_steps;
