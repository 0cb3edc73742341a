//! Measures successor generation: `rate MODEL.axm [STATES]` explores up to this number of states of
//! a dumped model, then expands all of them repeatedly with both engines, which must agree, and
//! prints the time. Run it with `--release`.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use axle_step::{Batch, Compiled, Interpreter, ModelGraph, Options, Successors};

/// Number of sources expanded in one call, as in a search.
const SOURCES: usize = 64;

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("rate MODEL.axm [STATES]");
    let most: usize = args.next().map_or(100_000, |n| n.parse().expect("a number of states"));
    let text = std::fs::read_to_string(&file).expect("a readable file");
    let model = Arc::new(axle_model::parse::parse(&text).expect("a well-formed model"));

    let mut plain = Interpreter::new(model.clone(), Options::default());
    let compile = || {
        let start = Instant::now();
        let compiled = Compiled::from_interpreter(plain.clone(), Options::default());
        (start.elapsed(), compiled.expect("a machine that runs the code"))
    };
    let (first, mut compiled) = compile();
    let again = (0..9).map(|_| compile().0).min().unwrap_or(first);

    let states = explore(&mut compiled, most);
    plain.grow_to(&compiled);
    let width = compiled.width();
    let edges: usize = model.processes.iter().map(|p| p.edges.len()).sum();
    println!("{file}: {} states of {width} bytes, {edges} edges", states.len() / width);
    let each = ms(again) * 1e3 / edges as f64;
    println!("  compiled in {:.2} ms, again in {:.2} ms ({each:.1} us an edge)", ms(first), ms(again));
    agree(&mut plain, &mut compiled, &states);
    measure("compiled", &mut compiled, &states, 40);
    println!("  left to the interpreter: {}", compiled.interpreted());
    measure("interpreted", &mut plain, &states, 2);
}

fn ms(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

trait GrowTo {
    fn grow_to(&mut self, other: &Compiled);
}

impl GrowTo for Interpreter {
    fn grow_to(&mut self, other: &Compiled) {
        if other.size() > self.size() {
            self.grow(other.size());
        }
    }
}

fn explore(engine: &mut Compiled, most: usize) -> Vec<u8> {
    let mut states = vec![engine.initial(&mut Vec::new())];
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let (mut next, mut batch) = (0, Batch::default());
    while next < states.len() && states.len() < most {
        if let Err(grow) = engine.expand(&states[next], &mut batch) {
            engine.grow(grow.size);
            let width = engine.width();
            states.iter_mut().for_each(|state| state.resize(width, 0));
            seen = states.iter().cloned().collect();
            continue;
        }
        for state in batch.states.chunks_exact(engine.width()) {
            if seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
        next += 1;
    }
    states.concat()
}

fn agree(plain: &mut Interpreter, compiled: &mut Compiled, states: &[u8]) {
    let width = compiled.width();
    let (mut ours, mut theirs) = (Batch::default(), Batch::default());
    for sources in states.chunks(SOURCES * width) {
        let (a, b) = (plain.expand(sources, &mut ours), compiled.expand(sources, &mut theirs));
        let same = a == b && (a.is_err() || (ours.states == theirs.states && ours.ends == theirs.ends));
        assert!(same && (a.is_err() || ours.faults == theirs.faults), "the engines differ");
    }
}

/// The fastest of several rounds.
fn measure(name: &str, engine: &mut impl ModelGraph, states: &[u8], rounds: usize) {
    let width = engine.width();
    let mut batch = Batch::default();
    let mut best = f64::MAX;
    let mut successors = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        successors = 0;
        for sources in states.chunks(SOURCES * width) {
            if engine.expand(sources, &mut batch).is_err() {
                println!("  {name}: a state needs more slots; explore further");
                return;
            }
            successors += batch.states.len() / width;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let sources = states.len() / width;
    println!(
        "  {name}: {:.1} ns a successor, {:.1} ns a state, {:.1} M successors/s ({:.2} a state)",
        best * 1e9 / successors as f64,
        best * 1e9 / sources as f64,
        successors as f64 / best / 1e6,
        successors as f64 / sources as f64,
    );
}
