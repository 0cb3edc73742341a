//! Verification projects: what a team states about its software, and the runs that verify it.
//!
//! A project is a folder with a manifest `axle.toml`, requirement documents, properties and
//! provisioning constraints ([`project`]). The crate has no terminal and starts no process.
//!
//! *Entry point:* [`project::load`].

pub mod codes;
pub mod project;
pub mod provisioning;

pub use codes::explain;
