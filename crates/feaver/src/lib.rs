//! Verification projects: what a team states about its software, the runs that verify it, the queue of
//! their jobs, and the history of their verdicts.
//!
//! A project is a folder with a manifest `axle.toml`, requirement documents, properties and
//! provisioning constraints ([`project`]). [`prepare`] turns it into *runs*, one for each property and
//! constraint, each with a key that names everything its verdict depends on. [`execute`] executes one
//! *cycle* of a run. A *round* verifies selected runs: its jobs, one for each cycle of growing effort,
//! are in a queue ([`jobs`]), which also contains the schedule; [`results`] keeps the verdicts.
//! [`round`] drives a round and executes its jobs in workers. The crate has no terminal and starts no
//! process.
//!
//! *Entry points:* [`project::load`], [`prepare::prepare`], [`execute::execute`],
//! [`report::round`], [`results::database::open`], [`round::driver::Driver`], [`round::worker::work`].

pub mod changes;
pub mod codes;
pub mod diagnostic_codes;
pub mod example;
pub mod execute;
pub mod init;
pub mod jobs;
pub mod nearest;
pub mod prepare;
pub mod project;
pub mod provisioning;
pub mod report;
pub mod repository;
pub mod results;
pub mod round;
