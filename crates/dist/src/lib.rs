//! Exact breadth-first search by many workers, which are threads of one process or of several.
//!
//! States are partitioned by a hash: each is stored and expanded by one worker. The workers proceed in
//! rounds and exchange states as messages; `timely` carries the messages and tells when all of a round
//! have arrived. The search adds no semantics: it uses any graph of `axle-step` and any set of
//! `axle-store`, and selects and traces violations as the search by threads does.
//!
//! *Entry points:* [`search()`] for states and steps, [`search_claim`] for executions.
//!
//! | file | responsibility |
//! | --- | --- |
//! | `owner.rs` | partition of the states |
//! | `batch.rs`, `wire.rs` | codes of states and messages, with checksums |
//! | `parcels.rs` | states on their way between workers |
//! | `time.rs` | logical times |
//! | `transport.rs`, `connect.rs`, `silence.rs` | messages and rounds over `timely`, and their loss |
//! | `rendezvous.rs`, `handshake.rs`, `channel.rs` | authenticated and encrypted connections between processes |
//! | `report.rs` | what workers tell each other at the end of a round |
//! | `level_log.rs`, `manifest.rs` | the states of each level, from which a search is resumed |
//! | `visited.rs`, `delayed.rs` and its folder | the visited states of a worker, in memory or on disk |
//! | `worker.rs` and its folder | the search of one worker |
//! | `search.rs`, `worker_threads.rs` | a search, and the workers of a process |
//! | `liveness.rs` and its folder | executions that a claim accepts |
//!
//! *Invariant:* the result does not depend on the number of workers: states, transitions, levels,
//! violations and their traces are those of the search by threads (`axle_search::parallel`).

mod batch;
mod channel;
mod connect;
mod delayed;
mod failure;
mod handshake;
mod level_log;
mod liveness;
mod manifest;
pub mod owner;
mod parcels;
pub mod rendezvous;
mod report;
#[cfg(test)]
mod scratch;
mod search;
mod silence;
mod time;
mod transport;
mod visited;
mod wire;
mod worker;
mod worker_threads;

pub use channel::Channel;
pub use failure::{Failure, Refusal};
pub use handshake::Secret;
pub use liveness::{ClaimAnswer, search_claim};
pub use search::{Searched, Setup, search};
pub use transport::Pace;
pub use worker_threads::Peers;
