//! Measures the sets on synthetic state spaces: nanoseconds an insertion and bytes a state.
//!
//! `cargo run --release -p axle-store --example insertions -- [SET] [WIDTH] [STATES]` with SET one
//! of `plain`, `tree`, `auto`; without arguments, a table over many widths and sizes.
//!
//! The space is that of counters: a state is a vector of small counters, a successor advances one
//! to three of them, much as processes that each take a step do. Seven of ten successors or so are
//! duplicates. The time of making the successors is measured by itself and taken off.

use axle_store::StateSet;
use std::time::Instant;

/// A space of approximately `states` states of `width` bytes.
struct Space {
    width: usize,
    /// Number of active counters.
    counters: usize,
    /// Each counter counts from 0 to this value and stops; 0 for the puzzle.
    top: u8,
}

/// Tiles of the puzzle: 3,628,800 states.
const TILES: usize = 10;

impl Space {
    fn new(width: usize, states: u64) -> Space {
        if states == 0 {
            return Space { width, counters: TILES, top: 0 };
        }
        // Successors per state is the number of counters: with 4 of them, 3 in 4 are duplicates.
        let counters = 4.min(width);
        let top = (states as f64).powf(1.0 / counters as f64).round().clamp(2.0, 250.0) as u8;
        Space { width, counters, top }
    }

    fn first(&self) -> Vec<u8> {
        let mut state = vec![0; self.width];
        if self.top == 0 {
            (0..TILES).for_each(|tile| state[self.tile(tile)] = tile as u8);
        }
        state
    }

    fn tile(&self, position: usize) -> usize {
        position * self.width / TILES
    }

    fn successors(&self, state: &[u8], out: &mut Vec<u8>) {
        if self.top == 0 {
            for position in 1..TILES {
                let start = out.len();
                out.extend_from_slice(state);
                out[start..].swap(self.tile(position - 1), self.tile(position));
            }
            return;
        }
        for counter in 0..self.counters {
            // Counters are distributed over the vector; some further bytes are functions of their
            // values.
            let at = counter * self.width / self.counters;
            if state[at] < self.top {
                let start = out.len();
                out.extend_from_slice(state);
                let new = &mut out[start..];
                new[at] += 1;
                if self.width > 8 {
                    new[at + 1] = new[at] % 7 + 1;
                    let shared = self.width / 2 + 1;
                    new[shared] = (new[0] ^ new[self.width / 4]) & 3;
                }
            }
        }
    }
}

struct Rate {
    states: u64,
    inserts: u64,
    nanos: f64,
    bytes: f64,
    resident: f64,
}

fn run(set: &mut dyn StateSet, space: &Space, single: bool) -> Rate {
    let (mut fresh, mut from, mut to, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let before = resident();
    let start = processor_nanos();
    let (mut samples, mut rounds) = (Vec::new(), 0u64);
    let mut inserts = 0u64;
    set.insert(&space.first(), &mut fresh).expect("room for one");
    loop {
        from.clear();
        if set.take(32, &mut from) == 0 {
            break;
        }
        let begin = Instant::now();
        to.clear();
        ends.clear();
        for state in from.chunks_exact(space.width) {
            space.successors(state, &mut to);
            ends.push((to.len() / space.width) as u32);
        }
        rounds += 1;
        if rounds.is_multiple_of(64) {
            samples.push(begin.elapsed().as_nanos() as f64);
        }
        fresh.clear();
        if single {
            for state in to.chunks_exact(space.width) {
                set.insert(state, &mut fresh).expect("no limit");
            }
        } else {
            set.insert_successors(&to, &ends, &mut fresh).expect("no limit");
        }
        inserts += fresh.len() as u64;
    }
    // The median, because a sample may include the activity of another process.
    samples.sort_by(f64::total_cmp);
    let making = samples.get(samples.len() / 2).copied().unwrap_or(0.0) * rounds as f64;
    let nanos = (processor_nanos() - start - making) / inserts as f64;
    let states = set.len();
    let bytes = set.memory() as f64 / states as f64;
    Rate { states, inserts, nanos, bytes, resident: (resident() - before) as f64 / states as f64 }
}

/// Resident memory of the process in bytes.
fn resident() -> i64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<i64>().ok()).unwrap_or(0) * 4096
}

/// Processor time of this process.
fn processor_nanos() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0.0)
}

fn make(name: &str, width: usize) -> Option<Box<dyn StateSet>> {
    Some(match name {
        "plain" => Box::new(axle_store::PlainTable::new(width).ok()?),
        "tree" => Box::new(axle_store::TreeTable::new(width).ok()?),
        "auto" => Box::new(axle_store::AutoSet::new(width).ok()?),
        _ => return None,
    })
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let sets: Vec<&str> = match args.first() {
        Some(name) => vec![name.as_str()],
        None => vec!["plain", "tree", "auto"],
    };
    let number = |i: usize| args.get(i).and_then(|text| text.parse::<u64>().ok());
    let widths = number(1).map_or(vec![12, 16, 24, 32, 64, 128, 256], |width| vec![width as usize]);
    let sizes = number(2).map_or(vec![0, 1_000_000, 5_000_000, 30_000_000], |size| vec![size]);
    let single = args.get(3).is_some_and(|text| text == "single");
    println!("set    width    states    inserts  ns/insert  M/s  bytes/state  resident/state");
    for &states in &sizes {
        for &width in &widths {
            for name in &sets {
                let Some(mut set) = make(name, width) else { continue };
                let rate = run(&mut *set, &Space::new(width, states), single);
                println!(
                    "{name:6} {width:5} {:9} {:10} {:10.1} {:4.1} {:12.2} {:15.2}",
                    rate.states,
                    rate.inserts,
                    rate.nanos,
                    1e3 / rate.nanos,
                    rate.bytes,
                    rate.resident
                );
            }
        }
    }
}
