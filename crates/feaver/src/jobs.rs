//! Jobs: the queue that workers lease from, and the schedule of a round.
//!
//! [`store`] states the contract of the queue. [`queue`] implements it in SQL that SQLite and
//! PostgreSQL share; [`sqlite`] and [`postgres`] connect it to a database. [`schedule`] is the order
//! of jobs within a round, without a store and without a clock.

pub mod error;
pub mod id;
pub mod job;
pub mod postgres;
pub mod queue;
pub mod schedule;
pub mod schema;
pub mod sql;
pub mod sqlite;
pub mod store;
pub mod task;
