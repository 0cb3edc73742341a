//! Tests of the execution of C, in one program: each program would compile all searches again.

#[path = "../support/mod.rs"]
mod support;

mod counter_abstraction;
mod differential;
mod executions_by_threads;
mod fuzz_smoke;
mod inputs;
mod locals;
mod locksets;
mod long_transitions;
mod memoisation;
mod options;
mod persistent_sets;
mod probes;
mod several_threads;
mod transactions;
