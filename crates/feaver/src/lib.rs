//! Verification projects: what a team states about its software, and the runs that verify it.
//!
//! A project is a folder with a manifest `axle.toml`, requirement documents, properties and
//! provisioning constraints ([`project`]). [`prepare`] turns it into runs, one for each property and
//! constraint, each with a key that names everything its verdict depends on. The crate has no
//! terminal and starts no process.
//!
//! [`execute`] executes one cycle of a run.
//!
//! *Entry points:* [`project::load`], [`prepare::prepare`], [`execute::execute`].

pub mod abstraction;
pub mod codes;
pub mod execute;
pub mod init;
pub mod prepare;
pub mod project;
pub mod provisioning;

pub use codes::explain;
