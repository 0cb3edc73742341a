//! Diversified searches for violations beside an exact search: swarms, rounds of growing size before it,
//! and shorter or likelier executions after it.
//!
//! *Entry points:* [`swarm::Swarm`], [`refine::Rounds`], [`Shorten`].

mod likeliest;
pub mod refine;
pub mod searches;
mod shorten;
mod shorten_program;
pub mod swarm;

pub use shorten::{Shorten, shorten, shorten_attempts};
