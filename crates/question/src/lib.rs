//! Questions about a system: checks, properties, and the configuration of the search for them.
//!
//! A system is a model or a C program. This crate defines the questions about both; it searches nothing.
//!
//! *Entry points:* [`Config`], [`Check`], [`claims`] for the properties of models, [`Subject`] for C
//! programs.

pub mod account;
pub mod checks;
pub mod claims;
pub mod config;
mod engine_id;
pub mod error_checks;
mod prologue;
pub mod run_property;
pub mod subject;

pub use checks::{Check, SystemKind};
pub use config::{Approximate, Auto, Config, Order, StoreChoice, SuccessorChoice, VacuityCheck};
pub use engine_id::EngineId;
pub use prologue::behind_prologue;
pub use run_property::RunProperty;
pub use subject::Subject;
