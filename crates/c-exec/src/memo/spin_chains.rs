//! Excludes that threads go round in a loop that looks at memory and changes nothing, where walks
//! (`spin_exclusion.rs`) are long: one more step for each state instead of a walk from each.
//!
//! A thread that is alone makes one sequence of states. If it lies in a cycle of at most [`LONGEST`]
//! states, so do all later ones, and the sequence repeats a state. The end of the sequence that begins
//! with a state is therefore kept with the state to which the thread's step leads. There the sequence is
//! known but for its last step.
//!
//! *Entry point:* [`Memo::follow_chain`].
//! *Source:* R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 1980 (the comparison
//! with one earlier state).
//! *Invariant:* the sequence of a state that is excluded has at least [`AHEAD`] further states, or ends in
//! a step that is no look. Within any [`LONGEST`] of these states one is remembered, and none of the
//! [`LONGEST`] states after that is equal to it. So the first state does not come back.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use axle_c::Program;

use crate::memo::components::Components;
use crate::memo::spin_exclusion::Step;
use crate::memo::{Memo, Tools};

/// Steps of a loop that looks at memory and changes nothing (`spins` in `explore.rs`).
const LONGEST: u32 = 64;

/// Steps by which a sequence is longer than what is asked.
const AHEAD: u32 = 2 * LONGEST;

/// Chains at a time.
const MOST: usize = 1 << 15;

/// Places that a chain may have.
const WAYS: usize = 4;

/// The part of the memory of memoised transitions that chains take at most.
const PART: usize = 4;

/// The steps of a thread from a state on.
#[derive(Clone, Debug)]
struct Chain {
    thread: usize,
    state: Vec<u8>,
    /// The last state, after so many steps from `state`, and from the beginning.
    end: Vec<u8>,
    ahead: u32,
    steps: u32,
    /// The hash of the state that is remembered.
    remembered: u64,
    /// The last state has a step that is no look.
    leaves: bool,
    /// The number of chains that were put before it.
    number: u64,
}

/// The chains that are kept: each at one of a few places that its state and thread have, where the oldest
/// is replaced.
#[derive(Clone, Default, Debug)]
pub(crate) struct SpinChains {
    slots: Vec<Option<Box<Chain>>>,
    wide: usize,
    /// Chains that were put here.
    count: u64,
}

fn hash(state: &[u8], t: usize) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(state);
    hasher.write_usize(t);
    hasher.finish()
}

impl SpinChains {
    /// The bytes that they take at most.
    pub fn held(&self) -> usize {
        self.slots.len() * SpinChains::size(self.wide)
    }

    fn size(wide: usize) -> usize {
        size_of::<Chain>() + 2 * wide + 8
    }

    /// Makes room for chains of states of a width, within a number of bytes. False if there is none.
    fn prepare(&mut self, wide: usize, most: usize) -> bool {
        if self.wide != wide {
            let count = (most / PART / SpinChains::size(wide)).min(MOST);
            let count = if count < WAYS { 0 } else { 1 << count.ilog2() };
            (self.slots, self.wide) = (Vec::new(), wide);
            self.slots.resize_with(count, || None);
        }
        !self.slots.is_empty()
    }

    /// The places of a state and thread.
    fn places(&mut self, state: &[u8], t: usize) -> &mut [Option<Box<Chain>>] {
        // The low bits of the hash are the least mixed.
        let set = (hash(state, t) >> 32) as usize & (self.slots.len() / WAYS - 1);
        &mut self.slots[WAYS * set..WAYS * (set + 1)]
    }

    fn take(&mut self, state: &[u8], t: usize) -> Option<Box<Chain>> {
        let is_its = |chain: &mut Box<Chain>| chain.thread == t && chain.state == state;
        self.places(state, t).iter_mut().find_map(|slot| slot.take_if(is_its))
    }

    fn put(&mut self, mut chain: Box<Chain>) {
        self.count += 1;
        chain.number = self.count;
        let places = self.places(&chain.state, chain.thread);
        if let Some(slot) = places.iter_mut().min_by_key(|slot| slot.as_ref().map_or(0, |old| old.number)) {
            *slot = Some(chain);
        }
    }
}

impl Memo {
    /// Whether a thread does not come back to a state by looks alone; `next` is the one state to which its
    /// step leads. The answer is not known where the state has no chain, unless a new one `is_wanted`.
    pub(crate) fn follow_chain(
        &mut self,
        program: &Program,
        components: &mut Components,
        state: &[u8],
        (t, next): (usize, &[u8]),
        is_wanted: bool,
        tools: &mut Tools<'_, '_>,
    ) -> bool {
        if !self.chains.prepare(state.len(), self.most) {
            return false;
        }
        let mut chain = match self.chains.take(state, t) {
            Some(chain) => chain,
            None if !is_wanted => return false,
            None => Box::new(Chain {
                thread: t,
                state: Vec::new(),
                end: state.to_vec(),
                ahead: 0,
                steps: 0,
                remembered: hash(state, t),
                leaves: false,
                number: 0,
            }),
        };
        while chain.ahead < AHEAD && !chain.leaves {
            match self.step_alone(program, components, &mut chain.end, t, tools) {
                Step::Leaves => chain.leaves = true,
                Step::Unknown => return false,
                Step::Looks => {
                    (chain.ahead, chain.steps) = (chain.ahead + 1, chain.steps + 1);
                    let now = hash(&chain.end, t);
                    if now == chain.remembered {
                        return false;
                    }
                    if chain.steps.is_multiple_of(LONGEST) {
                        chain.remembered = now;
                    }
                }
            }
        }
        if chain.ahead > 0 {
            chain.ahead -= 1;
            chain.state.clear();
            chain.state.extend_from_slice(next);
            self.chains.put(chain);
        }
        true
    }
}
