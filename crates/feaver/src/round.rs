//! Rounds: the driver that verifies the runs of a project, and the workers that execute their jobs.
//!
//! A driver ([`driver`]) begins a round in the database, submits a job for each run, and follows the
//! events of the queue until every run is concluded or the budget is spent. Workers ([`worker`]) lease
//! jobs through a [`source::WorkSource`]: the database itself ([`local`]), or a server. A job
//! ([`payload`]) names its inputs by hash ([`inputs`]), so that a worker needs neither the database nor
//! the folder of the project; [`workshop`] prepares the run from them. What follows from a result is
//! decided where it is stored ([`follow_up`]), never by the worker.
//!
//! *Invariant:* the state of a round is a function of the database. A driver that is killed loses
//! nothing: another one continues or closes its round.

pub mod adopt;
pub mod board;
pub mod driver;
pub mod event;
pub mod follow_up;
pub mod inputs;
pub mod local;
pub mod log;
pub mod payload;
pub mod recheck;
pub mod source;
pub mod worker;
pub mod workshop;
