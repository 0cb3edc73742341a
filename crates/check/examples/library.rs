//! Axle as a library: checks a model in memory, with progress and cancellation.
//!
//! The check has no global state, reads no clock and prints nothing: the monitor of the caller
//! receives the progress and may end the search. Run it with
//! `cargo run -p axle-check --example library`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_check::plan::of_model;
use axle_check::{Config, check};
use axle_search::{Monitor, Progress, Stop};
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Cut, Interrupt};

const MODEL: &str = "
    byte turn, inside;
    active [2] proctype P() {
        do :: turn == _pid -> inside++; assert(inside == 1); inside--; turn = 1 - _pid od
    }
    ltl taken_in_turns { [] <> (turn == 0) && [] <> (turn == 1) }";

/// Ends a search after some time.
struct Deadline(Instant);

impl Monitor for Deadline {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        eprintln!("{} states, depth {}", progress.states, progress.depth);
        (Instant::now() >= self.0).then_some(Stop::Time)
    }

    fn interrupt(&self) -> Interrupt {
        let end = self.0;
        Interrupt::new(move || (Instant::now() >= end).then_some(Cut::Time))
    }
}

fn main() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("turns.pml", MODEL);
    let options = axle_promela::Options::default();
    let model =
        axle_promela::compile(&mut sources, main, &MemoryLoader::default(), &options, &mut diagnostics);
    let Some(model) = model.map(Arc::new) else {
        eprintln!("the model has errors");
        return;
    };
    let config = Config { attempts: true, ..Config::default() };
    for attempt in of_model(&model, &config) {
        println!("attempt: {} ({})", attempt.name(), attempt.share);
    }
    let mut deadline = Deadline(Instant::now() + Duration::from_secs(10));
    let report = check(&model, &config, &mut deadline).report;
    for property in &report.properties {
        println!("{}: {:?}", property.name, property.verdict);
    }
    println!("{:?} after {} states", report.verdict, report.search.states);
}
