//! The questions of decision trees (`memo.rs`), in terms of the parts of a state, and their answers.
//!
//! *Entry point:* [`Test::answer`].
//! *Invariant:* an answer is a function of the state's parts; what is asked of all threads is the
//! same whichever question asks first.

use std::cell::OnceCell;

use crate::memo::components::{BloomFilter, Components, StateShape, word};
use crate::state::value::Place;

/// A question in terms of the bytes of a state; at most 8 bytes at once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Test {
    Read {
        at: u32,
        size: u8,
    },
    Over {
        at: u32,
        size: u8,
    },
    Future(u32),
    Waiters(Place),
    OtherMutex(Place, Place),
    Thread(u32),
    ComponentShape,
    /// Have others touched what conflicts with this set of accesses?
    AccessLog(u32),
}

/// Bytes and tags.
pub(crate) type Answer = (u64, u32);

/// A state in parts.
pub struct View<'s> {
    pub state: &'s [u8],
    pub shape: &'s StateShape,
    /// The class of the shape.
    pub class: u32,
    /// The tags of its memory, four in a byte, and a tail.
    pub tags: &'s [u8],
    around: OnceCell<Around>,
}

/// What is asked of all threads, put together where it is asked first: what holds for one thread,
/// and for two.
#[derive(Clone, Copy, Default)]
struct Around {
    /// What they may still do, of what the first word of futures says.
    near: [u64; 2],
    /// What they have touched since their last turns, and written.
    access_log: [u64; 2],
    written: [u64; 2],
}

/// Adds the bits of a thread to those of the threads before.
fn join(bits: &mut [u64; 2], own: u64) {
    bits[1] |= bits[0] & own;
    bits[0] |= own;
}

/// The bits of all threads but one.
fn without([one, two]: [u64; 2], own: u64) -> u64 {
    two | one & !own
}

impl<'s> View<'s> {
    /// A state that has a shape of its own.
    pub fn new(components: &'s Components, state: &'s [u8]) -> View<'s> {
        let number = word(state, 0);
        let (shape, class) = (&components.shapes[number as usize], components.class(number));
        View { state, shape, class, tags: components.packed_tags(word(state, 4)), around: OnceCell::new() }
    }

    pub fn record(&self, t: usize) -> u32 {
        word(self.state, 8 + 4 * t)
    }

    fn around(&self, components: &Components) -> Around {
        *self.around.get_or_init(|| self.look_around(components))
    }

    #[inline(never)]
    fn look_around(&self, components: &Components) -> Around {
        let mut around = Around::default();
        for u in 0..self.shape.threads.len() {
            let hot = components.hot[self.record(u) as usize];
            join(&mut around.near, hot.near);
            join(&mut around.access_log, hot.access_log.all);
            join(&mut around.written, hot.access_log.written);
        }
        around
    }

    /// What all other threads may still do, of what the first word of futures says.
    #[inline]
    pub(crate) fn near_of_others(&self, components: &Components, t: usize) -> u64 {
        without(self.around(components).near, components.hot[self.record(t) as usize].near)
    }

    /// Whether it may be that what others have touched since their last turns conflicts with some
    /// accesses.
    #[inline]
    pub(crate) fn others_may_conflict(
        &self,
        components: &Components,
        t: usize,
        accesses: BloomFilter,
    ) -> bool {
        let (Around { access_log, written, .. }, own) =
            (self.around(components), components.hot[self.record(t) as usize].access_log);
        let all = without(access_log, own.all);
        all != 0 && accesses.may_conflict(BloomFilter { all, written: without(written, own.written) })
    }

    /// The memory, and whatever is behind it.
    pub(crate) fn memory(&self) -> &'s [u8] {
        &self.state[self.shape.header..]
    }
}

/// Up to 8 bytes as a number.
#[inline(always)]
pub(crate) fn few(bytes: &[u8], at: usize, size: usize) -> u64 {
    match bytes.get(at..at + 8) {
        Some(eight) => {
            let mut word = [0; 8];
            word.copy_from_slice(eight);
            u64::from_le_bytes(word) & (u64::MAX >> (64 - 8 * size))
        }
        None => few_at_the_end(bytes, at, size),
    }
}

#[cold]
fn few_at_the_end(bytes: &[u8], at: usize, size: usize) -> u64 {
    let end = bytes.len().min(at + size);
    bytes[at.min(end)..end].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Whether some of nine tags are of pointers.
#[inline(always)]
pub(crate) fn has_pointers(tags: u32) -> bool {
    // POINTER and POINTER_REST have this bit.
    tags & 0x2_aaaa != 0
}

/// What some bytes and their tags are, with the tag behind them. Of what is overwritten only
/// pointers matter, and what was undefined.
#[inline(always)]
pub(super) fn bytes(memory: &[u8], tags: &[u8], (at, size): (u32, u8), over: bool) -> Answer {
    let (at, size) = (at as usize, size as usize);
    // Nine tags, from any place in a byte, are 24 bits.
    let four = tags.get(at / 4..at / 4 + 4).map_or(0, |four| word(four, 0));
    let tags = four >> (2 * (at % 4)) & ((4 << (2 * size)) - 1);
    let plain = over && !has_pointers(tags);
    (if plain { 0 } else { few(memory, at, size) }, tags)
}

impl Test {
    pub(crate) fn answer(self, components: &Components, view: &View<'_>, t: usize) -> Answer {
        match self {
            Test::Read { at, size } => bytes(view.memory(), view.tags, (at, size), false),
            Test::Over { at, size } => bytes(view.memory(), view.tags, (at, size), true),
            Test::Future(bit) => {
                let (at, bit) = (bit as usize / 64, bit % 64);
                let may = (0..view.shape.threads.len()).any(|u| {
                    let record = view.record(u) as usize;
                    let near = || Some(components.hot[record].near);
                    let word =
                        if at == 0 { near() } else { components.records[record].future.get(at).copied() };
                    u != t && word.is_none_or(|word| word >> bit & 1 == 1)
                });
                (may.into(), 0)
            }
            Test::Waiters(place) => {
                let waits = |u: usize| {
                    let waits = components.records[view.record(u) as usize].waits;
                    u64::from(waits.is_some_and(|(cond, _)| cond == place)) << u
                };
                ((0..view.shape.threads.len()).map(waits).sum(), 0)
            }
            Test::Thread(object) => {
                let found = view.shape.threads.iter().find(|(check_deadlock, ..)| *check_deadlock == object);
                let told = |&(_, ended, detached): &(u32, bool, bool)| {
                    1 | u64::from(ended) << 1 | u64::from(detached) << 2
                };
                (found.map_or(0, told), 0)
            }
            Test::ComponentShape => (word(view.state, 0).into(), 0),
            Test::AccessLog(set) => {
                let (filter, mine) = &components.accesses[set as usize];
                let conflict = |u: usize| {
                    let record = view.record(u) as usize;
                    filter.may_conflict(components.hot[record].access_log) && {
                        let theirs = &components.records[record].access_log;
                        theirs.iter().any(|known| mine.iter().any(|span| known.conflicts(span)))
                    }
                };
                let some = view.others_may_conflict(components, t, *filter);
                (u64::from(some && (0..view.shape.threads.len()).any(|u| u != t && conflict(u))), 0)
            }
            Test::OtherMutex(place, lock) => {
                let other = |u: usize| {
                    let waits = components.records[view.record(u) as usize].waits;
                    waits.is_some_and(|(cond, mutex)| cond == place && mutex != lock)
                };
                ((0..view.shape.threads.len()).any(other).into(), 0)
            }
        }
    }
}
