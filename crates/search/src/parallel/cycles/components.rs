//! Checkpoints of the parallel component search.
//!
//! A checkpoint contains the counts, the coverage of the claim, and all states in order of their
//! numbers. For each state it holds the data of the forest: done, expanded, set, marks of the set,
//! dead. Of the paths of the threads only the first states are recorded. A resumed search discards
//! the information about visiting threads and starts again at these states.
//!
//! *Entry points:* [`Picture`], [`restore`].
//!
//! *Soundness:* a state is done only if each of its edges leads to a dead state or into its own
//! set, and the marks of the edge are recorded in the set. The forest contains this information.
//! The edges of a state that is not done are processed again, with the same results. The state is
//! reached again: it was found from a live state, that one from another live state, and so on back
//! to a pending state or to the first state of a path.
//!
//! *Invariant:* A new state in a component that cannot accept, or from which a component search
//! starts, is recorded as pending until it is expanded, or entered and dead. Each state counts
//! once, at its first expansion, which the forest records.

use axle_outcome::{ClaimCoverage, Stop};
use std::io;

use axle_step::Graph;
use axle_store::{Numbers, SharedSet, Snapshot, ThreadHandle};

use super::Seen;
use crate::checkpoint::stored::{Body, Out, Stored};
use crate::checkpoint::{Known, Past};
use crate::grow::can_have;
use crate::liveness::product::{HEAD, Product};
use crate::parallel::union_find::{BITS, State};
use crate::parallel::walker::{Space, WorkQueue};

/// Number of states per insertion.
const LOAD: usize = 1 << 12;

/// Flags of a state in the checkpoint.
const DONE: u8 = 1;
const EXPANDED: u8 = 2;
const DEAD: u8 = 4;
/// The distance to the root of its set, which has a lower number, follows.
const BELOW: u8 = 8;
/// The marks of the set of the root follow.
const MET: u8 = 16;

/// The knowledge of one thread.
#[derive(Clone, Default, Debug)]
pub(super) struct Part {
    /// Pending work, and the first state of its path.
    pub found: WorkQueue,
    pub expansions: u64,
    pub transitions: u64,
    pub tally: [u64; 3],
    pub seen: Seen,
}

/// The search while no thread makes a step.
pub(super) struct Picture<'p> {
    space: &'p Space,
    sheet: Snapshot,
    numbers: Numbers,
    parts: &'p [Part],
}

impl<'p> Picture<'p> {
    /// A checkpoint of the knowledge of all threads; `None` if a change of the set is incomplete.
    pub fn new(space: &'p Space, parts: &'p [Part]) -> Option<Picture<'p>> {
        let set = &space.set;
        set.is_whole().then(|| Picture { space, sheet: set.sheet(), numbers: set.numbers(), parts })
    }

    pub fn states(&self) -> u64 {
        self.numbers.len().into()
    }

    pub fn transitions(&self) -> u64 {
        self.parts.iter().map(|part| part.transitions).sum()
    }

    fn list(&self, of: fn(&WorkQueue) -> &Vec<u32>) -> Vec<u64> {
        let all = self.parts.iter().flat_map(|part| of(&part.found));
        all.map(|&number| self.numbers.before(number).into()).collect()
    }

    /// Serialises the data of a state, preceded by the number of states that are skipped.
    fn write_state(&self, before: u32, number: u32, out: &mut Out<'_>) -> io::Result<()> {
        let State { done, expanded, dead, root, met } = self.space.forest.state(number);
        let below = before - self.numbers.before(root);
        let knows = below == 0 && !dead && met != 0;
        let flag = |yes, flag| if yes { flag } else { 0 };
        let own = flag(done, DONE) | flag(expanded, EXPANDED) | flag(below > 0, BELOW);
        out.bytes(&[own | flag(dead && below == 0, DEAD) | flag(knows, MET)])?;
        if below > 0 {
            out.number(below.into())?;
        }
        if knows { out.number(met) } else { Ok(()) }
    }
}

impl Stored for Picture<'_> {
    fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        let sum = |of: fn(&Part) -> u64| self.parts.iter().map(of).sum::<u64>();
        out.number(self.space.size as u64)?;
        out.numbers(&[sum(|part| part.expansions), self.transitions()])?;
        let tallies = self.parts.iter().map(|part| part.tally);
        out.numbers(&tallies.fold([0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z]))?;
        let (coverage, taken) = super::merged(self.parts.iter().map(|part| part.seen.clone()).collect());
        out.booleans(&coverage.locations)?;
        out.boolean_lists(&coverage.edges)?;
        out.boolean_lists(&taken)?;
        out.numbers(self.sheet.mask())?;
        out.number(self.states())?;
        self.space.set.each(&self.sheet, |rows| out.bytes(rows))?;
        for (before, number) in (0..).zip(self.numbers.iter()) {
            self.write_state(before, number, out)?;
        }
        out.numbers(&self.list(|found| &found.roots))?;
        out.numbers(&self.list(|found| &found.passing))
    }
}

/// Fills an empty set and forest from a checkpoint; returns the knowledge for the first thread. The
/// first state of the product must have the width of the set.
pub(super) fn restore<G: Graph>(
    past: Past,
    product: &mut Product<'_, G>,
    mut first: Vec<u8>,
    space: &mut Space,
    hand: &mut ThreadHandle,
) -> Result<Part, Stop> {
    let Known::Stored(mut body) = past.contents else { return Err(Stop::Checkpoint) };
    let body = &mut body;
    let size = body.small()? as usize;
    let [expansions, transitions] = body.numbers()?[..] else { return Err(Stop::Checkpoint) };
    let [a, b, c] = body.numbers()?[..] else { return Err(Stop::Checkpoint) };
    let coverage = ClaimCoverage { locations: body.booleans()?, edges: body.boolean_lists()? };
    let none = ClaimCoverage::none(product.claim);
    let sizes = |coverage: &ClaimCoverage| coverage.edges.iter().map(Vec::len).collect::<Vec<usize>>();
    if coverage.locations.len() != none.locations.len() || sizes(&coverage) != sizes(&none) {
        return Err(Stop::Checkpoint);
    }
    let taken = body.boolean_lists()?;
    let mut mask = body.numbers()?;
    if size > space.size {
        if !can_have(product.stepper, size) {
            return Err(Stop::Checkpoint);
        }
        product.grow(size);
        space.size = size;
        space.set.widen(product.width()).map_err(|_| Stop::Memory)?;
    }
    let width = product.width();
    first.resize(width, 0);
    if mask.len() > width.div_ceil(8) {
        return Err(Stop::Checkpoint);
    }
    mask.resize(width.div_ceil(8), 0);
    let sheet = Snapshot::new(&first, &mask).ok_or(Stop::Checkpoint)?;
    space.set.admit_bits(&mask).map_err(|_| Stop::Memory)?;
    finish_pending_work(&mut space.set, hand)?;
    let states = body.small()?;
    if u64::from(states) != past.states || transitions != past.transitions {
        return Err(Stop::Checkpoint);
    }
    let locations = product.claim.locations.len() as u32;
    load(body, &sheet, states, locations, &mut space.set, hand)?;
    space.forest.grow(space.set.places()).map_err(|_| Stop::Memory)?;
    for number in 0..states {
        let state = read_state(body, number)?;
        if space.forest.root(state.root) != state.root {
            return Err(Stop::Checkpoint);
        }
        space.forest.restore(number, state);
    }
    let mut list = || {
        let numbers = body.numbers()?.into_iter();
        numbers
            .map(|number| if number < states.into() { Ok(number as u32) } else { Err(Stop::Checkpoint) })
            .collect::<Result<Vec<u32>, Stop>>()
    };
    let found = WorkQueue { roots: list()?, passing: list()? };
    if !body.is_empty() {
        return Err(Stop::Checkpoint);
    }
    Ok(Part { found, expansions, transitions, tally: [a, b, c], seen: (coverage, taken) })
}

fn read_state(body: &mut Body, number: u32) -> Result<State, Stop> {
    let flags = body.byte()?;
    let below = if flags & BELOW == 0 { 0 } else { body.below(u64::from(number) + 1)? as u32 };
    let met = if flags & MET == 0 { 0 } else { body.below(1 << BITS)? };
    let is = |flag| flags & flag != 0;
    Ok(State { done: is(DONE), expanded: is(EXPANDED), dead: is(DEAD), root: number - below, met })
}

/// Performs the pending work of the set after insertions.
fn finish_pending_work(set: &mut SharedSet, hand: &mut ThreadHandle) -> Result<(), Stop> {
    while set.work() {
        set.help(hand);
        set.settle().map_err(|_| Stop::Memory)?;
    }
    Ok(())
}

/// Inserts all states. Each must be new, at a location of the claim, and gets the next number.
fn load(
    body: &mut Body,
    sheet: &Snapshot,
    count: u32,
    locations: u32,
    set: &mut SharedSet,
    hand: &mut ThreadHandle,
) -> Result<(), Stop> {
    let (mut rows, mut states, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let width = set.width();
    for start in (0..count).step_by(LOAD) {
        let some = (count - start).min(LOAD as u32) as usize;
        rows.resize(some * sheet.row(), 0);
        body.take(&mut rows)?;
        states.clear();
        sheet.read(&rows, &mut states);
        let astray = |state: &[u8]| crate::liveness::product::location(&state[..HEAD]) >= locations;
        if states.chunks_exact(width).any(astray) {
            return Err(Stop::Checkpoint);
        }
        numbers.clear();
        while set.insert_numbered(hand, &states[numbers.len() * width..], &[], &mut numbers).is_err() {
            set.quiesce(hand, &mut Vec::new());
            set.change().map_err(|_| Stop::Memory)?;
            finish_pending_work(set, hand)?;
        }
        if !(start..).zip(&numbers).all(|(next, &(number, new))| new && number == next) {
            return Err(Stop::Checkpoint);
        }
    }
    set.quiesce(hand, &mut Vec::new());
    Ok(())
}
