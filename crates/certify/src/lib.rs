//! Certificates: evidence for *holds* that can be checked without believing the search.
//!
//! While a search runs, [`Recorded`] writes down every state that it expands. The file claims three things of
//! these states: the initial one is among them, every step from one of them leads to one of them, and in none of them,
//! and in no step from them, does anything go wrong. By induction no run of the model goes wrong. [`verify`] looks
//! whether that is so, with the interpreter and nothing else: no search, no store and no compiler have a say in its
//! default form. It does not matter how the set came about, and it may hold more than the states that runs
//! reach: whatever is accepted is a proof.
//!
//! Where to begin: `verify.rs`. The file's form: `format.rs` (also docs/reference/certificate.md); how states are
//! written, `delta.rs`; the exact set that all successors are looked up in, `table.rs` over `packing.rs`; what bytes are a
//! state at all, `sound.rs`; which moves need not be made again, and why, `axle_step::interpret::footprints`.

#[cfg(test)]
mod corruptions;
mod delta;
mod format;
mod packing;
mod record;
mod sound;
mod table;
mod verify;

pub use format::{Claim, Refused, fingerprint};
pub use record::{Recorded, Recorder};
pub use verify::{Certified, Engine, How, verify};
