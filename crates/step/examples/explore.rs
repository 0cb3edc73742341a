//! Explores a model given in the textual form: `explore MODEL.axm`. For measuring the interpreter
//! alone.

use std::collections::HashSet;
use std::sync::Arc;

use axle_step::{Batch, Interpreter, Options, Successors};

fn main() {
    let path = std::env::args().nth(1).expect("usage: explore MODEL.axm");
    let text = std::fs::read_to_string(&path).expect("the model can be read");
    let model = axle_model::parse::parse(&text).expect("the model is well-formed");
    let mut engine = Interpreter::new(Arc::new(model), Options::default());
    let mut faults = Vec::new();
    let start = engine.initial(&mut faults);
    let mut seen: HashSet<Vec<u8>> = HashSet::from([start.clone()]);
    let mut frontier = vec![start];
    let (mut transitions, mut kinds) = (0u64, HashSet::new());
    let mut batch = Batch::default();
    let mut rounds = 0;
    let (mut expanding, mut all) = (std::time::Duration::ZERO, Vec::new());
    while !frontier.is_empty() {
        let states: Vec<u8> = frontier.concat();
        let begun = std::time::Instant::now();
        if let Err(grow) = engine.expand(&states, &mut batch) {
            engine.grow(grow.size);
            let width = engine.layout().width();
            let widen = |mut state: Vec<u8>| {
                state.resize(width, 0);
                state
            };
            seen = seen.into_iter().map(widen).collect();
            frontier = frontier.into_iter().map(widen).collect();
            continue;
        }
        expanding += begun.elapsed();
        all.extend_from_slice(&states);
        rounds += 1;
        kinds.extend(batch.faults.iter().map(|f| f.site.kind));
        let width = engine.layout().width();
        transitions += (batch.states.len() / width) as u64;
        frontier.clear();
        for next in batch.states.chunks_exact(width) {
            if seen.insert(next.to_vec()) {
                frontier.push(next.to_vec());
            }
        }
    }
    println!("{} states, {transitions} transitions, depth {}", seen.len(), rounds - 1);
    println!("{kinds:?}");
    println!("{:.2} million successors a second", transitions as f64 / expanding.as_secs_f64() / 1e6);
}
