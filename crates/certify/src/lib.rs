//! Certificates: evidence for the verdict *holds* that can be verified independently of the search.
//!
//! During a search, [`Recorded`] writes every expanded state to a file. The file makes three claims
//! about these states: the initial state is among them, they are closed under transitions, and no
//! state or transition has a violation. By induction, no execution of the model has a violation.
//! [`verify`] checks the claims with the interpreter alone; its default form uses no search, state
//! store or compiler. The origin of the set is irrelevant, and the set may contain unreachable
//! states: every accepted certificate is a proof.
//!
//! *Entry point:* [`verify`] (`verify.rs`). The file format is in `format.rs` (also
//! docs/reference/certificate.md), the encoding of states in `delta.rs`. `table.rs` over
//! `packing.rs` is the exact set of states, `sound.rs` checks that bytes are a state, and
//! `axle_step::memo::footprints` memoises transitions.

#[cfg(test)]
mod corruptions;
mod delta;
mod format;
mod packing;
mod record;
mod sound;
mod table;
mod verify;

pub use format::{Claim, Refused};
pub use record::{Recorded, Recorder};
pub use verify::{Certified, Engine, How, verify};
