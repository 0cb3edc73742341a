//! Checkpoints of the parallel breadth-first search.
//!
//! A checkpoint contains the counts, the violations and all states. The states not expanded in the
//! current level come first, then those found so far in the next level, then the others, level by
//! level. A compressed set does not record its levels; its states are all written again at the end.
//! Inserting the states in this order restores the levels.
//!
//! *Entry points:* [`Leader::keep`], between two rounds; [`Leader::restore`].
//!
//! *Invariant:* A state is written as unexpanded unless its successors, its contribution to the
//! counts and its violations are written too. All states must be distinct, and their number must be
//! as recorded in the checkpoint.

use std::io;

use axle_store::{SharedSet, Snapshot};

use super::*;
use crate::checkpoint::stored::{Body, Out, Stored};
use crate::checkpoint::{Checkpoint, Contents, Known, Past};
use crate::grow::can_have;

/// Number of states inserted per unit of work, by one thread or by all together.
const PART: usize = 256;
const LOAD: u64 = 1 << 16;

/// The search between two rounds.
struct Picture<'l, 'a, 'g, G: Graph> {
    leader: &'l Leader<'a, 'g, G>,
    set: &'l SharedSet,
    sheet: Snapshot,
    size: usize,
    states: u64,
    transitions: u64,
}

impl<G: Graph> Worker<'_, G> {
    /// Inserts units of `stage.load` until none remain.
    pub(super) fn load(&mut self, stage: &Stage, common: &Common<'_, G::Site>) {
        let part_bytes = PART * self.stepper.width();
        while !common.halt.0.load(Ordering::Relaxed) {
            let part = self.part.unwrap_or_else(|| common.next.0.fetch_add(1, Ordering::Relaxed));
            let Some(states) = stage.load.chunks(part_bytes).nth(part) else { break };
            self.part = Some(part);
            if stage.set.insert(&mut self.hand, states, &[]).is_err() {
                self.ask(common, Ask::Change);
                break;
            }
            self.part = None;
        }
        stage.set.quiesce(&mut self.hand, &mut self.found);
    }
}

impl<G: Graph + Send> Leader<'_, '_, G> {
    /// Number of states in the set.
    fn inserted(&self) -> u64 {
        let (_, workers, _) = self.shared;
        workers.iter().map(|worker| lock(worker).hand.inserted()).sum()
    }

    /// Writes a checkpoint, unless a change of the set is incomplete for lack of memory.
    pub(super) fn keep(&self, monitor: &mut impl Monitor) {
        let Some(keeper) = monitor.checkpoints().and_then(|kept| kept.keeper()) else { return };
        let (stage, _, common) = self.shared;
        let stage = read(stage);
        if !stage.set.is_whole() {
            return;
        }
        let counts = common.counts.iter();
        let transitions = counts.map(|counts| counts.0.transitions.load(Ordering::Relaxed)).sum();
        let states = self.inserted();
        let (set, sheet, size) = (&stage.set, stage.set.sheet(), stage.size);
        let picture = Picture { leader: self, set, sheet, size, states, transitions };
        keeper.keep(&Checkpoint { about: "", states, transitions, contents: Contents::Stored(&picture) });
    }

    /// The states of the level that no thread has expanded.
    fn remaining(&self) -> Vec<Segment> {
        let (stage, workers, common) = self.shared;
        let stage = read(stage);
        let begun = workers.iter().filter_map(|worker| lock(worker).piece);
        begun.chain(common.unclaimed(&stage.pieces)).filter(|piece| !piece.is_empty()).collect()
    }

    /// Resumes from a checkpoint, in place of [`Leader::start`].
    pub(super) fn restore(
        &mut self,
        past: Past,
        initial: &[u8],
        monitor: &mut impl Monitor,
    ) -> Result<(), Stop> {
        let (_, workers, common) = self.shared;
        let Known::Stored(mut body) = past.contents else { return Err(Stop::Checkpoint) };
        let body = &mut body;
        let size = body.small()? as usize;
        let level = body.small()? as usize;
        self.truncated = body.below(2)? == 1;
        let [expanded, transitions] = body.numbers()?[..] else { return Err(Stop::Checkpoint) };
        let [a, b, c] = body.numbers()?[..] else { return Err(Stop::Checkpoint) };
        self.taken = body.boolean_lists()?;
        self.shown = Shown::read(body)?;
        let faults = Faults::read(body)?;
        let sheet = self.prepare_set(size, body.numbers()?, initial)?;
        let levels = body.count()?;
        if levels == 0 {
            self.compress_from_start()?;
        }
        let left = self.load(body, &sheet, false, monitor)?;
        let found = self.load(body, &sheet, false, monitor)?;
        if levels == 0 {
            self.first_level = level;
            self.load(body, &sheet, true, monitor)?;
        } else if levels != level + 1 {
            return Err(Stop::Checkpoint);
        }
        for _ in 0..levels {
            let states = self.load(body, &sheet, false, monitor)?;
            self.levels.extend(states);
            self.ends.push(self.levels.len());
        }
        self.levels.extend_from_slice(&left);
        self.ends.pop();
        self.ends.push(self.levels.len());
        if !body.is_empty() || self.inserted() != past.states || transitions != past.transitions {
            return Err(Stop::Checkpoint);
        }
        for (worker, CachePadded(counts)) in workers.iter().zip(&common.counts) {
            counts.states.store(lock(worker).hand.inserted(), Ordering::Relaxed);
        }
        let counts = &common.counts[0].0;
        counts.expanded.store(expanded, Ordering::Relaxed);
        counts.transitions.store(transitions, Ordering::Relaxed);
        let first = &mut *lock(&workers[0]);
        first.stepper.recount([a, b, c]);
        first.faults.merge(faults);
        first.found.extend(found);
        self.left = Some(left);
        if self.shown.full(common.options) { Err(Stop::Errors) } else { Ok(()) }
    }

    /// Prepares the set for the number of processes and for the varying bits.
    fn prepare_set(&self, size: usize, mut mask: Vec<u64>, initial: &[u8]) -> Result<Snapshot, Stop> {
        let (stage, workers, _) = self.shared;
        let width = {
            let mut stage = write(stage);
            let worker = &mut *lock(&workers[0]);
            if size > stage.size {
                if !can_have(worker.stepper, size) {
                    return Err(Stop::Checkpoint);
                }
                (stage.size, worker.size) = (size, size);
                worker.stepper.grow(size);
                stage.set.widen(worker.stepper.width()).map_err(|_| Stop::Memory)?;
            }
            worker.stepper.width()
        };
        let mut first = initial.to_vec();
        first.resize(width, 0);
        if mask.len() > width.div_ceil(8) {
            return Err(Stop::Checkpoint);
        }
        mask.resize(width.div_ceil(8), 0);
        let sheet = Snapshot::new(&first, &mask).ok_or(Stop::Checkpoint)?;
        write(stage).set.admit_bits(&mask).map_err(|_| Stop::Memory)?;
        self.work_alone()?;
        Ok(sheet)
    }

    /// Compresses states from the first one on, if compression was effective before the checkpoint.
    fn compress_from_start(&mut self) -> Result<(), Stop> {
        let (stage, workers, _) = self.shared;
        if write(stage).set.compress().is_err() {
            return Ok(());
        }
        self.work_alone()?;
        let set = &mut write(stage).set;
        set.carry_over(&mut lock(&workers[0]).hand, &[]).map_err(|_| Stop::Memory)?;
        workers.iter().for_each(|worker| set.begin_level(&mut lock(worker).hand));
        Ok(())
    }

    /// Performs the pending work of a set without states.
    fn work_alone(&self) -> Result<(), Stop> {
        let (stage, workers, _) = self.shared;
        let set = &mut write(stage).set;
        while set.work() {
            set.help(&mut lock(&workers[0]).hand);
            set.settle().map_err(|_| Stop::Memory)?;
        }
        Ok(())
    }

    /// Inserts the next states; with `forget`, only as known states.
    fn load(
        &mut self,
        body: &mut Body,
        sheet: &Snapshot,
        forget: bool,
        monitor: &mut impl Monitor,
    ) -> Result<Vec<Segment>, Stop> {
        let (stage, workers, common) = self.shared;
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        let mut left = body.number()?;
        while left > 0 {
            let some = left.min(LOAD);
            left -= some;
            rows.resize(some as usize * sheet.row(), 0);
            body.take(&mut rows)?;
            {
                let mut stage = write(stage);
                stage.task = Task::Load;
                stage.load.clear();
                sheet.read(&rows, &mut stage.load);
            }
            common.next.0.store(0, Ordering::Relaxed);
            let threads = (some as usize / PART).clamp(1, workers.len());
            loop {
                common.halt.0.store(false, Ordering::Relaxed);
                self.round(threads, || {});
                if !self.serve_requests()? {
                    break;
                }
            }
            let segments = self.take_found();
            let set = &mut write(stage).set;
            if forget {
                workers.iter().for_each(|worker| set.begin_level(&mut lock(worker).hand));
                set.release(&segments);
            } else {
                all.extend(segments);
            }
            let memory = set.memory();
            let progress = Progress { states: self.inserted(), ..progress(common, 0, 0, memory) };
            check_limits(&progress, &common.options.limits, monitor)?;
        }
        let mut stage = write(stage);
        workers.iter().for_each(|worker| stage.set.begin_level(&mut lock(worker).hand));
        stage.load = Vec::new();
        Ok(all)
    }
}

impl<G: Graph + Send> Picture<'_, '_, '_, G> {
    fn write_states(&self, segments: &[Segment], out: &mut Out<'_>) -> io::Result<()> {
        out.number(segments.iter().map(|segment| segment.len() as u64).sum())?;
        segments
            .iter()
            .try_for_each(|&segment| self.set.each_of(&self.sheet, segment, |rows| out.bytes(rows)))
    }
}

impl<G: Graph + Send> Stored for Picture<'_, '_, '_, G> {
    fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        let leader = self.leader;
        let (_, workers, common) = leader.shared;
        let level = leader.level();
        let expanded = common.counts.iter().map(|counts| counts.0.expanded.load(Ordering::Relaxed)).sum();
        let truncated = leader.truncated || workers.iter().any(|worker| lock(worker).truncated);
        let tallies = workers.iter().map(|worker| lock(worker).stepper.tally());
        let tally = tallies.fold([0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z]);
        out.number(self.size as u64)?;
        out.number(level as u64)?;
        out.number(truncated.into())?;
        out.numbers(&[expanded, self.transitions])?;
        out.numbers(&tally)?;
        out.boolean_lists(&leader.all_taken())?;
        leader.shown.write(out)?;
        let faults: Vec<Faults<G::Site>> = workers.iter().map(|worker| lock(worker).faults.clone()).collect();
        Faults::write(faults.iter(), out)?;
        out.numbers(self.sheet.mask())?;
        // A search with known levels writes one list per level.
        let known = leader.first_level == 0 && !self.set.is_tree();
        out.number(if known { level as u64 + 1 } else { 0 })?;
        let left = leader.remaining();
        self.write_states(&left, out)?;
        let found: Vec<Segment> = workers.iter().flat_map(|worker| lock(worker).found.clone()).collect();
        self.write_states(&found, out)?;
        if !known {
            out.number(self.states)?;
            return self.set.each(&self.sheet, |rows| out.bytes(rows));
        }
        for before in 0..level {
            self.write_states(leader.states_of(before), out)?;
        }
        self.write_states(&Segment::minus(leader.states_of(level), &left), out)
    }
}
