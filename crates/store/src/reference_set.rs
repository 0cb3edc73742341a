//! Comparison of any set with a reference set, for tests: random operations, long walks, memory
//! limits.
//!
//! *Entry points:* [`random`], [`walk`], [`limit`].

use crate::{OutOfMemory, StateSet};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{HashSet, VecDeque};

/// The reference set, based on the standard library's.
struct Obvious {
    seen: HashSet<Vec<u8>>,
    queue: VecDeque<Vec<u8>>,
    width: usize,
}

impl Obvious {
    fn new(width: usize) -> Obvious {
        Obvious { seen: HashSet::new(), queue: VecDeque::new(), width }
    }

    fn insert(&mut self, states: &[u8], fresh: &mut Vec<bool>) {
        for state in states.chunks_exact(self.width) {
            let new = self.seen.insert(state.to_vec());
            if new {
                self.queue.push_back(state.to_vec());
            }
            fresh.push(new);
        }
    }

    fn take(&mut self, max: usize) -> Vec<Vec<u8>> {
        let count = max.min(self.queue.len());
        self.queue.drain(..count).collect()
    }

    fn widen(&mut self, width: usize) {
        self.width = width;
        let wide = |state: &Vec<u8>| {
            let mut state = state.clone();
            state.resize(width, 0);
            state
        };
        self.seen = self.seen.iter().map(wide).collect();
        self.queue = self.queue.iter().map(wide).collect();
    }
}

/// One operation of a random test.
#[derive(Clone, Debug)]
enum Op {
    /// Inserts states; each is made from an earlier one by changing a few bytes.
    Insert(Vec<State>),
    /// Takes some states, and inserts successors of all of them.
    Successors(usize, Vec<State>),
    /// Takes some states.
    Take(usize),
    /// Widens the states by a number of words.
    Widen(usize),
}

/// Index of an earlier state (counted from the last), and the bytes to change.
type State = (usize, Vec<(usize, u8)>);

/// Parameters of random tests.
pub(crate) struct Shape {
    /// Widths in bytes.
    pub(crate) widths: &'static [usize],
    /// Number of operations per test.
    pub(crate) ops: usize,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { widths: &[4, 8, 12, 16, 20, 64, 68, 260], ops: if cfg!(miri) { 5 } else { 25 } }
    }
}

fn state() -> impl Strategy<Value = State> {
    // Few values, so that the same state is generated in many ways.
    let byte = prop_oneof![4 => 0u8..3, 1 => any::<u8>()];
    (0usize..6, proptest::collection::vec((0usize..400, byte), 0..3))
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => proptest::collection::vec(state(), 0..60).prop_map(Op::Insert),
        4 => (0usize..40, proptest::collection::vec(state(), 0..3)).prop_map(|(n, s)| Op::Successors(n, s)),
        2 => (0usize..20).prop_map(Op::Take),
        1 => (0usize..4).prop_map(Op::Widen),
    ]
}

/// Executes random operations on fresh sets of various widths and compares everything observable.
pub(crate) fn random<S: StateSet>(make: impl Fn(usize) -> S, shape: Shape) {
    let config =
        Config { cases: if cfg!(miri) { 2 } else { 150 }, failure_persistence: None, ..Config::default() };
    let ops = (proptest::sample::select(shape.widths), proptest::collection::vec(op(), 1..shape.ops));
    TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()))
        .run(&ops, |(width, ops)| {
            compare(&mut make(width), width, &ops);
            Ok(())
        })
        .unwrap();
}

fn compare<S: StateSet>(set: &mut S, width: usize, ops: &[Op]) {
    let mut obvious = Obvious::new(width);
    let mut recent: VecDeque<Vec<u8>> = VecDeque::from([vec![0; width]]);
    let mut make = |width: usize, (back, writes): &State| {
        let mut state = recent[*back % recent.len()].clone();
        state.resize(width, 0);
        writes.iter().for_each(|&(at, byte)| state[at % width] = byte);
        recent.push_front(state.clone());
        recent.truncate(6);
        state
    };
    for op in ops {
        let width = obvious.width;
        let (mut got, mut want) = (Vec::new(), Vec::new());
        match op {
            Op::Insert(states) => {
                let states: Vec<u8> = states.iter().flat_map(|s| make(width, s)).collect();
                set.insert(&states, &mut got).unwrap();
                obvious.insert(&states, &mut want);
            }
            Op::Successors(max, changes) => {
                let taken = obvious.take(*max);
                let mut out = Vec::new();
                assert_eq!(set.take(*max, &mut out), taken.len());
                assert_eq!(out, taken.concat());
                let (mut states, mut ends) = (Vec::new(), Vec::new());
                for (i, source) in taken.iter().enumerate() {
                    for (_, writes) in &changes[..changes.len().min(i % 4)] {
                        let mut state = source.clone();
                        writes.iter().for_each(|&(at, byte)| state[at % width] = byte);
                        states.extend_from_slice(&state);
                    }
                    ends.push((states.len() / width) as u32);
                }
                // Some hints are too short or wrong.
                match max % 5 {
                    0 => ends.truncate(max / 2),
                    1 => ends.iter_mut().for_each(|end| *end /= 2),
                    2 => ends.push(u32::MAX),
                    _ => {}
                }
                set.insert_successors(&states, &ends, &mut got).unwrap();
                obvious.insert(&states, &mut want);
            }
            Op::Take(max) => {
                let mut out = Vec::new();
                let taken = obvious.take(*max);
                assert_eq!(set.take(*max, &mut out), taken.len());
                assert_eq!(out, taken.concat());
            }
            Op::Widen(words) => {
                set.widen(width + 4 * words).unwrap();
                obvious.widen(width + 4 * words);
            }
        }
        assert_eq!(got, want, "after {op:?}");
        assert_eq!(set.len(), obvious.seen.len() as u64);
        assert_eq!(set.width(), obvious.width);
    }
    // At the end all states are present, and the queue contains nothing else.
    let (mut all, mut again) = (Vec::new(), Vec::new());
    obvious.seen.iter().for_each(|state| all.extend_from_slice(state));
    set.insert(&all, &mut again).unwrap();
    assert!(!again.contains(&true), "a state was lost");
    let (mut rest, count) = (Vec::new(), obvious.queue.len());
    assert_eq!(set.take(usize::MAX, &mut rest), count);
    assert_eq!(rest, obvious.take(count).concat());
    assert_eq!(set.take(1, &mut rest), 0);
}

/// Number of states inserted by a test of growth.
pub(crate) fn many() -> u64 {
    if cfg!(miri) { 300 } else { 60_000 }
}

/// The successors of `state` in a space of counters with some dependent bytes; many are duplicates.
fn successors(state: &[u8], out: &mut Vec<u8>) {
    let moves = state.len().min(6);
    for i in 0..moves {
        let start = out.len();
        out.extend_from_slice(state);
        let at = i * state.len() / moves;
        out[start + at] = state[at].wrapping_add(1) % 47;
        if state.len() > 16 {
            out[start + 3] = state[at] & 1;
        }
    }
}

/// Explores a space of counters breadth-first until `most` states are in the set, comparing
/// throughout, with batches of varying size and one widening; then looks all states up again.
pub(crate) fn walk<S: StateSet>(set: &mut S, most: u64) {
    let mut obvious = Obvious::new(set.width());
    let first = vec![0; set.width()];
    let (mut got, mut want) = (Vec::new(), Vec::new());
    set.insert(&first, &mut got).unwrap();
    obvious.insert(&first, &mut want);
    let (mut from, mut to, mut ends, mut size) = (Vec::new(), Vec::new(), Vec::new(), 1);
    let mut widened = false;
    while set.len() < most {
        size = size % 97 + 5;
        from.clear();
        set.take(size, &mut from);
        assert_eq!(from, obvious.take(size).concat());
        if from.is_empty() {
            break;
        }
        if set.len() > most / 2 && !widened {
            widened = true;
            let width = set.width() + 8;
            set.widen(width).unwrap();
            obvious.widen(width);
            from = from.chunks_exact(width - 8).flat_map(|s| [s, &[0; 8]].concat()).collect();
        }
        to.clear();
        ends.clear();
        for state in from.chunks_exact(set.width()) {
            successors(state, &mut to);
            ends.push((to.len() / set.width()) as u32);
        }
        got.clear();
        want.clear();
        set.insert_successors(&to, &ends, &mut got).unwrap();
        obvious.insert(&to, &mut want);
        assert_eq!(got, want);
    }
    assert_eq!(set.len(), obvious.seen.len() as u64);
    let all: Vec<u8> = obvious.seen.iter().flatten().copied().collect();
    got.clear();
    set.insert(&all, &mut got).unwrap();
    assert!(!got.contains(&true), "a state was lost");
}

/// Inserts until memory is exhausted, checks `limit` throughout, and afterwards checks that the set
/// is as before the failed call: it is readable and gives the same answers.
pub(crate) fn limit<S: StateSet>(set: &mut S, limit: u64) {
    let width = set.width();
    let mut obvious = Obvious::new(width);
    let (mut got, mut want, mut failed) = (Vec::new(), Vec::new(), 0);
    let (mut batch, mut next) = (Vec::new(), 0u32);
    while failed < 3 && next < 200_000 {
        batch.clear();
        for _ in 0..37 {
            next += 1;
            let mut state = vec![0; width];
            state[..4].copy_from_slice(&(next - next % 3).to_le_bytes());
            state[width - 4] ^= (next % 5) as u8;
            batch.extend_from_slice(&state);
        }
        got.clear();
        want.clear();
        let before = set.len();
        match set.insert(&batch, &mut got) {
            Ok(()) => {
                obvious.insert(&batch, &mut want);
                assert_eq!(got, want);
            }
            Err(OutOfMemory) => {
                assert!(got.is_empty(), "a failed call says nothing of its states");
                assert_eq!(set.len(), before, "a failed call changes nothing");
                failed += 1;
            }
        }
        assert!(set.memory() <= limit, "{} bytes held, {limit} allowed", set.memory());
    }
    assert!(failed > 0 || limit > 1 << 20, "the limit was never met");
    let wider = set.widen(width + 400).is_ok();
    assert!(set.memory() <= limit, "{} bytes held, {limit} allowed", set.memory());
    if wider {
        obvious.widen(width + 400);
    }
    assert_eq!(set.width(), obvious.width);
    let mut out = Vec::new();
    while set.take(100, &mut out) > 0 {}
    assert_eq!(out, obvious.take(usize::MAX).concat(), "the queue is intact");
}
