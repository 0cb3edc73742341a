//! Persistent sets of memoised states, each computed once for all states in which it is the same.
//!
//! A set depends on what the threads may access, not on the values in memory: the threads are
//! numbered by that, and a set is found by the numbers of all threads and of the places where their
//! steps arrive. A program with two million states may have some hundred such combinations.
//!
//! *Entry point:* [`SetCache::set`]; `persistent_sets.rs` defines the sets.
//! *Invariant:* the key contains everything that `compute` reads.

use axle_c::Program;
use axle_c::analysis::dependence::ThreadAccesses;
use rustc_hash::FxHashMap;

use super::components::{Components, Record, word};
use crate::persistent_sets::{Arrival, MOST_THREADS, Member, Passages, persistent_set};

/// Sets that are kept; beyond it all are discarded.
const MOST: usize = 1 << 16;

/// The bit of the number of a class whose threads are about to create another.
const CREATES: u32 = 1;

/// The number of a record that the analysis does not cover, and of the largest class.
const UNCOVERED: u32 = u32::MAX;
const LARGEST: u32 = 1 << 28;

/// Bits of a key beside the classes of a thread and of its successor.
const IS_BLOCKED: u64 = 1;
const HAS_SUCCESSOR: u64 = 2;
const HAS_ONE: u64 = 4;
const AS_EXPECTED: u64 = 8;

/// A state and its successors before the reduction.
#[derive(Clone, Copy)]
pub(crate) struct Expanded<'a> {
    pub state: &'a [u8],
    pub blocked: &'a [bool],
    pub successors: &'a [u8],
    /// Where the successors by each thread begin, and how many there are.
    pub starts: &'a [usize],
    pub made: &'a [u32],
}

impl<'a> Expanded<'a> {
    /// The successors by a thread.
    fn by(&self, t: usize) -> impl Iterator<Item = &'a [u8]> {
        let Expanded { state, successors, starts, made, .. } = *self;
        successors[starts[t]..].chunks_exact(state.len()).take(made[t] as usize)
    }
}

/// What of a record decides a set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct RecordClass {
    accesses: ThreadAccesses,
    joins: u32,
    creates: bool,
    only_wakes: bool,
}

/// Persistent sets by what they depend on.
#[derive(Default, Debug)]
pub(crate) struct SetCache {
    /// The number of each record's class, from 2 on; 0 where it is not known yet.
    class_of_record: Vec<u32>,
    classes: FxHashMap<RecordClass, u32>,
    /// The number of each shape's list of threads, plus 1, likewise.
    list_of_shape: Vec<u32>,
    lists: FxHashMap<Vec<(u32, bool)>, u32>,
    sets: FxHashMap<Box<[u64]>, Option<u64>>,
    passages: Passages,
    key: Vec<u64>,
}

impl SetCache {
    /// The threads to execute in a state, as bits; none if all are to be executed.
    pub fn set(&mut self, program: &Program, components: &Components, expanded: Expanded<'_>) -> Option<u64> {
        if !self.make_key(components, expanded)? {
            return compute(program, components, &mut self.passages, expanded);
        }
        if let Some(&set) = self.sets.get(&self.key[..]) {
            debug_assert_eq!(set, compute(program, components, &mut self.passages, expanded));
            return set;
        }
        let set = compute(program, components, &mut self.passages, expanded);
        if self.sets.len() >= MOST {
            self.sets.clear();
        }
        self.sets.insert(self.key[..].into(), set);
        set
    }

    /// Fills the key; false if there are too many classes, none if the analysis does not cover a thread or there
    /// are too many threads.
    fn make_key(&mut self, components: &Components, expanded: Expanded<'_>) -> Option<bool> {
        let shape_number = word(expanded.state, 0);
        let shape = &components.shapes[shape_number as usize];
        if shape.threads.len() > MOST_THREADS {
            return None;
        }
        self.key.clear();
        let list = self.list_number(components, shape_number);
        self.key.push(list.into());
        for (t, thread) in shape.threads.iter().enumerate() {
            if thread.1 {
                self.key.push(0);
                continue;
            }
            let own = word(expanded.state, 8 + 4 * t);
            let class = self.class_number(components, own);
            if class == UNCOVERED {
                return None;
            }
            let mut bits = 0;
            let mut next_class = 0;
            if expanded.blocked[t] {
                bits |= IS_BLOCKED;
            }
            if expanded.made[t] > 0 {
                bits |= HAS_SUCCESSOR;
            }
            if expanded.made[t] == 1
                && let Some(next) = expanded.by(t).next()
                && let Some(running) = running_after(components, word(next, 0), t)
            {
                bits |= HAS_ONE;
                let creates = (class & CREATES) as usize;
                if running == shape.running + creates {
                    bits |= AS_EXPECTED;
                }
                next_class = self.class_number(components, word(next, 8 + 4 * t));
                // A successor that is not covered has no place.
                next_class = if next_class == UNCOVERED { 0 } else { next_class };
            }
            if class >= LARGEST || next_class >= LARGEST {
                return Some(false);
            }
            self.key.push(u64::from(class) << 32 | u64::from(next_class) << 4 | bits);
        }
        Some(true)
    }

    fn class_number(&mut self, components: &Components, record: u32) -> u32 {
        let at = record as usize;
        if at >= self.class_of_record.len() {
            self.class_of_record.resize(components.records.len(), 0);
        }
        if self.class_of_record[at] == 0 {
            let Record { accesses, joins, creates, only_wakes, .. } = &*components.records[at];
            self.class_of_record[at] = match accesses {
                None => UNCOVERED,
                Some(accesses) => {
                    let class = RecordClass {
                        accesses: (**accesses).clone(),
                        joins: *joins,
                        creates: *creates,
                        only_wakes: *only_wakes,
                    };
                    let next = 2 * (self.classes.len() as u32 + 1);
                    let creates = if *creates { CREATES } else { 0 };
                    *self.classes.entry(class).or_insert(next) | creates
                }
            };
        }
        self.class_of_record[at]
    }

    fn list_number(&mut self, components: &Components, shape: u32) -> u32 {
        let at = shape as usize;
        if at >= self.list_of_shape.len() {
            self.list_of_shape.resize(components.shapes.len(), 0);
        }
        if self.list_of_shape[at] == 0 {
            let threads = components.shapes[at].threads.iter();
            let list = threads.map(|&(object, ended, _)| (object, ended)).collect();
            let next = self.lists.len() as u32 + 1;
            self.list_of_shape[at] = *self.lists.entry(list).or_insert(next);
        }
        self.list_of_shape[at]
    }
}

/// The number of threads that run after the step of a thread; none if the state is written whole or lacks
/// the thread.
#[inline]
fn running_after(components: &Components, after: u32, t: usize) -> Option<usize> {
    let shape = components.shapes.get(after as usize)?;
    (shape.threads.len() > t).then_some(shape.running)
}

/// The persistent set of a state.
fn compute(
    program: &Program,
    components: &Components,
    passages: &mut Passages,
    expanded: Expanded<'_>,
) -> Option<u64> {
    let Expanded { state, blocked, made, .. } = expanded;
    let shape = &components.shapes[word(state, 0) as usize];
    let record = |state: &[u8], t: usize| &components.records[word(state, 8 + 4 * t) as usize];
    let any_ended = shape.threads.iter().any(|thread| thread.1);
    let mut passed = [None; MOST_THREADS];
    for t in (0..shape.threads.len()).filter(|&t| !shape.threads[t].1) {
        let own = record(state, t);
        let position = own.accesses.as_deref().and_then(|accesses| accesses.position);
        let arrivals = expanded.by(t).map(|next| {
            // A state that is written whole has no shape here.
            let shape = components.shapes.get(word(next, 0) as usize).filter(|shape| shape.threads.len() > t);
            shape.map_or_else(Arrival::default, |shape| Arrival {
                running: shape.running,
                position: record(next, t).accesses.as_deref().and_then(|accesses| accesses.position),
            })
        });
        let expected = shape.running + usize::from(own.creates);
        passed[t] = passages.find(program, position.filter(|_| !any_ended), expected, arrivals);
    }
    let mut members = [None; MOST_THREADS];
    for (t, &(object, ..)) in shape.threads.iter().enumerate().filter(|(_, thread)| !thread.1) {
        let own = record(state, t);
        let accesses = own.accesses.as_deref()?;
        let near = passages.get(passed[t]).unwrap_or(accesses.near());
        let (joins, only_wakes) = (own.joins, own.only_wakes);
        let (is_blocked, has_successor) = (blocked[t], made[t] > 0);
        members[t] = Some(Member { accesses, near, object, joins, is_blocked, only_wakes, has_successor });
    }
    persistent_set(&members[..shape.threads.len()])
}
