//! Tests of the queue of jobs, the history and rounds, in one program: each program would link the stores again.

#[path = "../queue_cases/mod.rs"]
mod queue_cases;
#[path = "../rounds_support/mod.rs"]
mod rounds_support;
#[path = "../simulation/mod.rs"]
mod simulation;
#[path = "../support/mod.rs"]
mod support;
#[path = "../worker/mod.rs"]
mod worker;

mod failures;
mod history;
mod killed_workers;
mod migrations;
mod queue;
mod rounds;
mod rounds_killed;
mod schedule;
mod throughput;
