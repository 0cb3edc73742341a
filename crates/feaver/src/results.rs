//! The history: rounds, their runs, and verdicts with statistics, coverage and witnesses.
//!
//! The history and the job queue share a database and its schema ([`crate::jobs::schema`]), so that a
//! verdict and the completion of its job are one transaction. [`history`] states the contract,
//! `writes` and `queries` implement it. [`database::open`] opens both parts. [`ledger`] connects them
//! with the runs of a project.

pub mod database;
pub mod history;
pub mod key;
pub mod ledger;
pub mod outcome;
mod queries;
pub mod round_store;
pub mod verdict;
pub(crate) mod writes;
