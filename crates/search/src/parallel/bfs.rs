//! Parallel breadth-first search, synchronised by level.
//!
//! The states of a level are divided into pieces, and these into one part for each thread. A thread
//! claims the next piece of its part, or of another part once its own is empty, expands it in batches
//! and inserts the successors into the shared set. A level lists the states thread by thread, so
//! most states are expanded by the thread that found them: what that remembers of their
//! predecessors it need not learn again, and has in its cache. New states are
//! recorded in its thread handle; together they form the next level. Threads synchronise only at
//! the end of a level and when the set must be changed as a whole. Small levels are expanded by the
//! leader alone.
//!
//! *Entry point:* [`search`].
//!
//! *Source:* A. Laarman, J. van de Pol and M. Weber, Boosting multi-core reachability performance
//! with shared hash tables, FMCAD 2010 (shared table and work stealing); S. Subramaniam and D. L.
//! Eager, Affinity scheduling of unbalanced workloads, Supercomputing 1994 (parts with counters).
//!
//! *Invariant:* Each state is in exactly one level, whose number is its distance from the initial
//! state, and is expanded once. The counts of a complete search therefore equal those of one
//! thread.
//!
//! A level is always completed before its violations are reported, so the report does not depend on
//! scheduling (`faults.rs`). Traces are reconstructed backwards through the levels
//! (`backwards.rs`).

mod levels;

use axle_outcome::{Found, Memory, ModelSite, Outcome, Progress, Stop};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, Thread};

use axle_step::{Batch, Fault, Graph, Grow, Interrupt, Successors};
use axle_store::{Change, OutOfMemory, Segment, SharedSet, ThreadHandle};

use super::backwards::{self, Wanted, Ways};
use super::barrier::{Barrier, CachePadded};
use super::faults::{Faults, Shown};
use crate::grow::room;
use crate::limits::Options;
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::progress::Monitor;

/// Number of states per batch.
const BATCH: usize = 32;

/// Number of batches between two polls of the monitor and of memory use.
const WATCH: u64 = 4;

/// Maximum number of states in a piece of work, and the number of pieces of a thread in small levels.
const PIECE: usize = 256;
const PIECES: usize = 16;

/// Number of states in a level per thread woken: expanding them takes ten times as long as a
/// wake-up.
pub const WORTH: usize = 256;

/// Contention statistics; `docs/theory/threads.md` explains them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Contention {
    /// Number of rounds with more than one thread.
    pub rounds: u64,
    /// Number of these rounds that rebuilt the index.
    pub refills: u64,
    /// Number of levels expanded by the leader alone.
    pub alone: u64,
    /// Number of lost races for a slot of the index.
    pub lost: u64,
}

/// Thresholds of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Number of states in a level per thread woken. With 1, all threads take part in almost every
    /// level; this is slow and exposes concurrency errors on small models.
    pub worth: usize,
    /// Number of bytes of the set at which compression starts.
    pub compress_at: u64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { worth: WORTH, compress_at: u64::MAX }
    }
}

/// Result of a parallel search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched<I = ModelSite> {
    /// Result as of a sequential search; if `paths` is false, its violations have no paths.
    pub outcome: Outcome<I>,
    /// Contention statistics.
    pub contention: Contention,
    /// Whether the set is compressed at the end.
    pub tree: bool,
    /// Whether the paths to violations are known. A compressed set does not record its levels.
    pub paths: bool,
}

/// Work of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Expand a level. In the last permitted level no state is inserted.
    Expand { last: bool },
    /// Rebuild the index of the set.
    Help,
    /// Find the predecessors of states.
    Back,
    /// Insert the states of a checkpoint.
    Load,
}

/// Data that all threads read during a round and that the leader changes between rounds.
struct Stage {
    set: SharedSet,
    task: Task,
    /// Pieces of the level.
    pieces: Vec<Segment>,
    /// Size of the states of every stepper.
    size: usize,
    /// Maximum number of bytes for the successors of a batch.
    most: Option<usize>,
    /// Cancellation callback, polled during long expansions.
    interrupt: Interrupt,
    wanted: Wanted,
    /// States to insert.
    load: Vec<u8>,
}

/// A request that a thread must make before it can continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ask {
    Change,
    Size(usize),
    /// Successors of a batch are missing; the search must stop.
    Stop(Stop),
}

/// Data of one thread.
struct Worker<'g, G: Graph> {
    number: usize,
    stepper: &'g mut G,
    size: usize,
    hand: ThreadHandle,
    /// Remainder of the piece claimed last.
    piece: Option<Segment>,
    /// The claimed part of the states to insert, unless it is complete.
    part: Option<usize>,
    sources: Vec<u8>,
    batch: Batch<G::Site>,
    /// New states of the level.
    found: Vec<Segment>,
    faults: Faults<G::Site>,
    ways: Ways,
    ask: Option<Ask>,
    /// Whether a state beyond the depth limit exists.
    truncated: bool,
}

/// Counters that a thread publishes during its work.
#[derive(Default, Debug)]
struct Counts {
    expanded: AtomicU64,
    transitions: AtomicU64,
    states: AtomicU64,
}

/// Data shared by the threads in addition to the stage.
struct Common<'o, I> {
    options: &'o Options<I>,
    /// For each thread, how many pieces of its part are claimed.
    claimed: Vec<CachePadded<AtomicUsize>>,
    /// Index of the next unit of the states of a checkpoint.
    next: CachePadded<AtomicUsize>,
    /// Requests that all threads end the round.
    halt: CachePadded<AtomicBool>,
    counts: Vec<CachePadded<Counts>>,
}

/// The part of a thread of so many pieces.
fn part(pieces: usize, number: usize, threads: usize) -> Range<usize> {
    pieces * number / threads..pieces * (number + 1) / threads
}

impl<I> Common<'_, I> {
    /// Claims a piece for a thread.
    fn claim(&self, pieces: &[Segment], number: usize) -> Option<Segment> {
        let threads = self.claimed.len();
        (0..threads).map(|further| (number + further) % threads).find_map(|of| {
            let part = &pieces[part(pieces.len(), of, threads)];
            let CachePadded(claimed) = &self.claimed[of];
            // An empty part is not counted any further.
            let is_empty = claimed.load(Ordering::Relaxed) >= part.len();
            if is_empty { None } else { part.get(claimed.fetch_add(1, Ordering::Relaxed)).copied() }
        })
    }

    /// The pieces that no thread has claimed.
    fn unclaimed(&self, pieces: &[Segment]) -> impl Iterator<Item = Segment> {
        let threads = self.claimed.len();
        self.claimed.iter().enumerate().flat_map(move |(number, CachePadded(claimed))| {
            pieces[part(pieces.len(), number, threads)].iter().skip(claimed.load(Ordering::Relaxed)).copied()
        })
    }
}

type Shared<'a, 'g, G> =
    (&'a RwLock<Stage>, &'a [Mutex<Worker<'g, G>>], &'a Common<'a, <G as Successors>::Site>);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Releases the other threads when the leader ends, even after a panic.
struct Close<'g>(&'g Barrier, Vec<Thread>);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.close(&self.1);
    }
}

/// Explores every state reachable through the steppers, within the limits, with one thread per
/// stepper. All steppers must be the same function. The set may use `set_limit` bytes; if it needs
/// more, the search stops with [`Stop::Memory`]. A limit on the number of states is checked at
/// polls only, so it may be exceeded.
pub fn search<G: Graph + Send>(
    steppers: &mut [G],
    tuning: Tuning,
    set_limit: u64,
    options: &Options<G::Site>,
    monitor: &mut impl Monitor,
) -> Searched<G::Site> {
    assert!(!steppers.is_empty(), "a search needs a thread");
    let threads = steppers.len();
    let mut start_faults = Vec::new();
    let initial = steppers[0].initial(&mut start_faults);
    let Ok(set) = SharedSet::new(&initial, threads, set_limit) else {
        let outcome = Outcome::nothing(Stop::Memory, steppers[0].taken().to_vec());
        return Searched { outcome, contention: Contention::default(), tree: false, paths: true };
    };
    let size = steppers[0].size();
    let workers: Vec<Mutex<Worker<G>>> = (steppers.iter_mut().enumerate())
        .map(|(number, stepper)| {
            Mutex::new(Worker {
                number,
                stepper,
                size,
                hand: set.hand(number),
                piece: None,
                part: None,
                sources: Vec::new(),
                batch: Batch::default(),
                found: Vec::new(),
                faults: Faults::default(),
                ways: Ways::default(),
                ask: None,
                truncated: false,
            })
        })
        .collect();
    let common = Common {
        options,
        claimed: (0..threads).map(|_| CachePadded::default()).collect(),
        next: CachePadded::default(),
        halt: CachePadded::default(),
        counts: (0..threads).map(|_| CachePadded::default()).collect(),
    };
    let task = Task::Expand { last: false };
    let (most, interrupt) = (None, Interrupt::default());
    let stage = RwLock::new(Stage {
        set,
        task,
        pieces: Vec::new(),
        size,
        most,
        interrupt,
        wanted: Wanted::default(),
        load: Vec::new(),
    });
    let gate = Barrier::new(threads - 1);
    let shared: Shared<G> = (&stage, &workers, &common);
    thread::scope(|scope| {
        let gate = &gate;
        let others: Vec<Thread> = (1..threads)
            .map(|number| {
                let round = move || round(shared, number, || {});
                let body = move || {
                    axle_store::allocator::prepare_thread();
                    gate.attend(number - 1, round);
                };
                scope.spawn(body).thread().clone()
            })
            .collect();
        let _close = Close(gate, others.clone());
        let mut leader = Leader {
            shared,
            gate,
            others,
            tuning: Tuning { worth: tuning.worth.max(1), ..tuning },
            first_level: 0,
            levels: Vec::new(),
            ends: Vec::new(),
            shown: Shown::default(),
            contention: Contention::default(),
            truncated: false,
            batches: 0,
            left: None,
            taken: Vec::new(),
        };
        let begun = match monitor.checkpoints().and_then(|kept| kept.past()) {
            None => leader.start(&initial, &start_faults),
            Some(past) => {
                let restored = leader.restore(past, &initial, monitor);
                restored.inspect_err(|_| leader.shown = Shown::default())
            }
        };
        let stop = begun.and_then(|()| leader.run(monitor)).err();
        let outcome = leader.finish(stop, monitor);
        let tree = read(&stage).set.is_tree();
        let paths = leader.first_level == 0 || outcome.violations.is_empty();
        Searched { outcome, contention: leader.contention, tree, paths }
    })
}

/// Executes the work of thread `number` in a round; `between` is called after every batch.
fn round<G: Graph>((stage, workers, common): Shared<G>, number: usize, between: impl FnMut()) {
    let stage = read(stage);
    let worker = &mut *lock(&workers[number]);
    if worker.size < stage.size {
        worker.size = stage.size;
        worker.stepper.grow(stage.size);
    }
    match stage.task {
        Task::Expand { last } => worker.expand(&stage, common, &common.counts[number].0, last, between),
        Task::Help => stage.set.help(&mut worker.hand),
        Task::Back => worker.search_backwards(&stage, common, between),
        Task::Load => worker.load(&stage, common),
    }
}

impl<G: Graph> Worker<'_, G> {
    /// Claims the next states, which are then in `sources`, and returns the remainder of their
    /// piece.
    fn take(&mut self, stage: &Stage, common: &Common<'_, G::Site>) -> Option<Segment> {
        if common.halt.0.load(Ordering::Relaxed) {
            return None;
        }
        let piece = match self.piece {
            Some(piece) if !piece.is_empty() => piece,
            _ => common.claim(&stage.pieces, self.number)?,
        };
        let (now, rest) = piece.split(BATCH);
        // Until they are expanded, the states belong to the piece.
        self.piece = Some(piece);
        self.sources.clear();
        stage.set.read(&mut self.hand, now, &mut self.sources);
        Some(rest)
    }

    fn ask(&mut self, common: &Common<'_, G::Site>, ask: Ask) {
        self.ask = Some(ask);
        common.halt.0.store(true, Ordering::Relaxed);
    }

    /// Expands pieces of a level until none remain or the end of the round is requested.
    fn expand(
        &mut self,
        stage: &Stage,
        common: &Common<'_, G::Site>,
        counts: &Counts,
        last: bool,
        mut between: impl FnMut(),
    ) {
        let width = self.stepper.width();
        self.batch.most = stage.most;
        self.batch.interrupt.clone_from(&stage.interrupt);
        while let Some(rest) = self.take(stage, common) {
            if let Err(Grow { size }) = self.stepper.expand(&self.sources, &mut self.batch) {
                self.ask(common, Ask::Size(size));
                break;
            }
            if let Some(cut) = self.batch.cut {
                self.ask(common, Ask::Stop(cut.into()));
                break;
            }
            if last {
                self.truncated |= self.batch.without_steps();
            }
            let new = match stage.set.insert(&mut self.hand, &self.batch.states, &self.batch.ends) {
                Ok(_) => self.hand.inserted(),
                Err(Change) => {
                    self.ask(common, Ask::Change);
                    break;
                }
            };
            self.piece = Some(rest);
            for fault in &self.batch.faults {
                let source = fault.source as usize;
                let found = match fault.successor {
                    Some(position) => Found::Step(position - self.batch.range(source).start as u32),
                    None => Found::State,
                };
                let state = &self.sources[source * width..(source + 1) * width];
                self.faults.note(common.options, fault, found, self.stepper, state);
            }
            // Only this thread writes these counters.
            let add = |count: &AtomicU64, more| {
                count.store(count.load(Ordering::Relaxed) + more, Ordering::Relaxed);
            };
            add(&counts.expanded, (self.sources.len() / width) as u64);
            add(&counts.transitions, (self.batch.states.len() / width) as u64);
            counts.states.store(new, Ordering::Relaxed);
            between();
        }
        stage.set.quiesce(&mut self.hand, &mut self.found);
    }

    /// Searches pieces of a level for predecessors.
    fn search_backwards(&mut self, stage: &Stage, common: &Common<'_, G::Site>, mut between: impl FnMut()) {
        let width = self.stepper.width();
        // All of these states were expanded before.
        (self.batch.most, self.batch.interrupt) = (None, Interrupt::default());
        while let Some(rest) = self.take(stage, common) {
            if let Err(Grow { size }) = self.stepper.expand(&self.sources, &mut self.batch) {
                self.ask(common, Ask::Size(size));
                break;
            }
            self.piece = Some(rest);
            stage.wanted.find_predecessors(&self.sources, width, &self.batch, &mut self.ways);
            between();
        }
    }
}

/// Data of the leader between rounds.
struct Leader<'a, 'g, G: Graph> {
    shared: Shared<'a, 'g, G>,
    gate: &'a Barrier,
    others: Vec<Thread>,
    tuning: Tuning,
    /// Number of the first level that is still known.
    first_level: usize,
    /// States of all levels from `first_level` on, and the end of each level.
    levels: Vec<Segment>,
    ends: Vec<usize>,
    shown: Shown<G::Site>,
    contention: Contention,
    truncated: bool,
    /// Number of batches expanded by the leader in all levels; small levels share a poll interval.
    batches: u64,
    /// Remainder of a level in whose middle the search was resumed.
    left: Option<Vec<Segment>>,
    /// Edges executed before the search was resumed.
    taken: Vec<Vec<bool>>,
}

impl<G: Graph + Send> Leader<'_, '_, G> {
    fn start(&mut self, initial: &[u8], faults: &[Fault<G::Site>]) -> Result<(), Stop> {
        let (stage, workers, common) = self.shared;
        let mut noted = Faults::default();
        {
            let (stage, worker) = (read(stage), &mut *lock(&workers[0]));
            for fault in faults {
                noted.note(common.options, fault, Found::Start, worker.stepper, initial);
            }
            // Space is guaranteed: this is the first state, and every bit of it is the default.
            stage.set.insert(&mut worker.hand, initial, &[]).map_err(|Change| Stop::Memory)?;
            stage.set.quiesce(&mut worker.hand, &mut worker.found);
            common.counts[0].0.states.store(1, Ordering::Relaxed);
            common.counts[0].0.transitions.store(1, Ordering::Relaxed);
        }
        self.shown.level(0, std::iter::once(noted));
        self.next_level();
        if self.shown.full(common.options) { Err(Stop::Errors) } else { Ok(()) }
    }

    /// Number of the current level.
    fn level(&self) -> usize {
        // If the first state could not be inserted, no level exists.
        (self.first_level + self.ends.len()).saturating_sub(1)
    }

    /// The states of a level.
    fn states_of(&self, level: usize) -> &[Segment] {
        let level = level - self.first_level;
        let start = if level == 0 { 0 } else { self.ends[level - 1] };
        &self.levels[start..self.ends[level]]
    }

    /// Turns the new states into the next level and returns their number.
    fn next_level(&mut self) -> usize {
        let start = self.levels.len();
        let found = self.take_found();
        self.levels.extend(found);
        let count = self.levels[start..].iter().map(|segment| segment.len()).sum();
        if count > 0 {
            self.ends.push(self.levels.len());
        }
        count
    }

    /// Collects the states that all threads have found since the last call.
    fn take_found(&mut self) -> Vec<Segment> {
        let (_, workers, _) = self.shared;
        let mut all: Vec<Segment> = Vec::new();
        for worker in workers {
            for segment in lock(worker).found.drain(..) {
                match all.last_mut().and_then(|last| Some((last.with(segment)?, last))) {
                    Some((both, last)) => *last = both,
                    None => all.push(segment),
                }
            }
        }
        all
    }

    /// Executes `task` on a level with all threads, and serves their requests, until the level is
    /// complete.
    fn run_level(&mut self, level: usize, task: Task, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let (stage, workers, common) = self.shared;
        let mut count = 0;
        {
            let mut stage = write(stage);
            stage.task = task;
            stage.pieces.clear();
            let segments = self.left.take().unwrap_or_else(|| self.states_of(level).to_vec());
            let states: usize = segments.iter().map(|segment| segment.len()).sum();
            count += states;
            // Small levels are divided into small pieces, so that all threads finish at about the
            // same time.
            let size = (states / (PIECES * workers.len())).clamp(BATCH.min(self.tuning.worth), PIECE);
            for segment in segments {
                let mut rest = segment;
                while !rest.is_empty() {
                    let (piece, more) = rest.split(size);
                    stage.pieces.push(piece);
                    rest = more;
                }
            }
        }
        for CachePadded(claimed) in &common.claimed {
            claimed.store(0, Ordering::Relaxed);
        }
        let threads = (count / self.tuning.worth).clamp(1, workers.len());
        self.contention.alone += u64::from(threads == 1);
        loop {
            common.halt.0.store(false, Ordering::Relaxed);
            let (mut stop, mut due) = (None, false);
            let mut batches = self.batches;
            let violations = self.shown.list.len() as u64;
            // The thread handles hold little; everything else changes only between rounds.
            let memory = read(stage).set.memory() + self.path_memory();
            let most = most_in_flight(&common.options.limits, memory);
            {
                let mut stage = write(stage);
                stage.most = most.map(|most| most / workers.len());
                stage.interrupt = monitor.interrupt();
            }
            let watch = || {
                batches += 1;
                if batches.is_multiple_of(WATCH) && stop.is_none() {
                    let progress = progress(common, level, violations, memory);
                    let limits = &common.options.limits;
                    let full = limits.states.is_some_and(|limit| progress.states >= limit);
                    let full = if full && task != Task::Back { Err(Stop::States) } else { Ok(()) };
                    if let Err(reason) = full.and_then(|()| check_limits(&progress, limits, monitor)) {
                        stop = Some(reason);
                        common.halt.0.store(true, Ordering::Relaxed);
                    } else if monitor
                        .checkpoints()
                        .and_then(|kept| kept.keeper())
                        .is_some_and(|keeper| keeper.due())
                    {
                        due = true;
                        common.halt.0.store(true, Ordering::Relaxed);
                    }
                }
            };
            self.round(threads, watch);
            self.batches = batches;
            if let Some(stop) = stop {
                return Err(stop);
            }
            let asked = self.serve_requests()?;
            if due {
                self.keep(monitor);
            } else if !asked {
                return Ok(());
            }
        }
    }

    /// Executes one round with the given number of threads.
    fn round(&mut self, threads: usize, watch: impl FnMut()) {
        let shared = self.shared;
        self.contention.rounds += u64::from(threads > 1);
        self.gate.open(&self.others[..threads - 1], || round(shared, 0, watch));
    }

    /// Serves the requests made in a round; returns false if there were none.
    fn serve_requests(&mut self) -> Result<bool, Stop> {
        let (stage, workers, common) = self.shared;
        let asked: Vec<Ask> = workers.iter().filter_map(|worker| lock(worker).ask.take()).collect();
        if asked.is_empty() {
            return Ok(false);
        }
        if let Some(stop) = asked.iter().find_map(|ask| match ask {
            Ask::Stop(stop) => Some(*stop),
            Ask::Size(_) | Ask::Change => None,
        }) {
            return Err(stop);
        }
        let size = asked.iter().filter_map(|ask| match ask {
            Ask::Size(size) => Some(*size),
            Ask::Change | Ask::Stop(_) => None,
        });
        if let Some(size) = size.max() {
            let mut stage = write(stage);
            let states: u64 =
                common.counts.iter().map(|counts| counts.0.states.load(Ordering::Relaxed)).sum();
            let size = room(size, states);
            let worker = &mut *lock(&workers[0]);
            (stage.size, worker.size) = (size, size);
            worker.stepper.grow(size);
            stage.set.widen(worker.stepper.width()).map_err(|_| Stop::Memory)?;
        }
        if asked.contains(&Ask::Change) {
            write(stage).set.change().map_err(|_| Stop::Memory)?;
            self.work_together().map_err(|_| Stop::Memory)?;
        }
        Ok(true)
    }

    /// Lets all threads take part in the pending work on the set.
    fn work_together(&mut self) -> Result<(), OutOfMemory> {
        let (stage, workers, _) = self.shared;
        while read(stage).set.work() {
            let task = std::mem::replace(&mut write(stage).task, Task::Help);
            self.contention.refills += 1;
            self.round(workers.len(), || {});
            let mut stage = write(stage);
            stage.task = task;
            stage.set.settle()?;
        }
        Ok(())
    }

    fn run(&mut self, monitor: &mut impl Monitor) -> Result<(), Stop> {
        let (_, workers, common) = self.shared;
        loop {
            let level = self.level();
            let last = common.options.limits.depth == Some(level as u64);
            let pauses = monitor.pause_at().is_some_and(|states| self.progress(level).states >= states);
            let went = self.run_level(level, Task::Expand { last }, monitor);
            if went.is_err_and(Stop::can_go_on) {
                self.keep(monitor);
            }
            let mut found = Vec::new();
            for worker in workers {
                let mut worker = lock(worker);
                found.push(std::mem::take(&mut worker.faults));
                self.truncated |= worker.truncated;
            }
            // Violations are reported even if the level is incomplete.
            self.shown.level(level, found.into_iter());
            went?;
            let more = self.next_level();
            if self.shown.full(common.options) {
                return Err(Stop::Errors);
            }
            if more == 0 {
                return if self.truncated { Err(Stop::Depth) } else { Ok(()) };
            }
            if pauses {
                monitor.pause(&self.progress(level + 1)).map_or(Ok(()), Err)?;
            }
            self.begin_next_level()?;
        }
    }

    /// The progress between two rounds.
    fn progress(&self, level: usize) -> Progress {
        let (stage, _, common) = self.shared;
        let memory = read(stage).set.memory() + self.path_memory();
        progress(common, level, self.shown.list.len() as u64, memory)
    }

    /// Prepares the set for the next level, whose states are known.
    fn begin_next_level(&mut self) -> Result<(), Stop> {
        let (stage, workers, _) = self.shared;
        let is_tree = read(stage).set.is_tree();
        if is_tree {
            let done = self.states_of(self.level() - 1).to_vec();
            self.forget_levels();
            let set = &mut write(stage).set;
            workers.iter().for_each(|worker| set.begin_level(&mut lock(worker).hand));
            set.release(&done);
        } else if read(stage).set.memory() > self.tuning.compress_at {
            self.compress()?;
        }
        Ok(())
    }

    /// Discards all levels except the last.
    fn forget_levels(&mut self) {
        let (level, last) = (self.level(), self.states_of(self.level()).to_vec());
        self.ends = vec![last.len()];
        (self.first_level, self.levels) = (level, last);
    }

    /// Converts all states to trees if memory suffices and compression is effective.
    fn compress(&mut self) -> Result<(), Stop> {
        let (stage, workers, _) = self.shared;
        // After a failure, compression is attempted again when the set has doubled.
        self.tuning.compress_at = self.tuning.compress_at.saturating_mul(2);
        if write(stage).set.compress().is_err() {
            return Ok(());
        }
        let moved = self.work_together();
        let set = &mut write(stage).set;
        match moved {
            Ok(()) => self.forget_levels(),
            Err(OutOfMemory) => set.give_up_compression(),
        }
        let levels = set.carry_over(&mut lock(&workers[0]).hand, &self.levels);
        self.levels = levels.map_err(|_| Stop::Memory)?;
        if moved.is_ok() {
            self.ends = vec![self.levels.len()];
            workers.iter().for_each(|worker| set.begin_level(&mut lock(worker).hand));
        }
        Ok(())
    }

    fn path_memory(&self) -> u64 {
        (size_of::<Segment>() * self.levels.capacity() + size_of::<usize>() * self.ends.capacity()) as u64
    }

    /// Reconstructs the traces of all violations.
    fn go_back(&mut self, monitor: &mut impl Monitor) {
        let (stage, workers, common) = self.shared;
        if let Some(limit) = common.options.limits.errors {
            self.shown.list.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        // A search that was stopped within a level has left recorded faults.
        for worker in workers {
            let mut worker = lock(worker);
            (worker.piece, worker.ask) = (None, None);
        }
        let mut pending = std::mem::take(&mut self.shown.list);
        // Some violations were found when states were narrower. States expanded here were expanded
        // before, so the width is final.
        let width = lock(&workers[0]).stepper.width();
        pending.iter_mut().for_each(|one| one.state.resize(width, 0));
        let levels = if self.first_level == 0 { self.ends.len() } else { 0 };
        for level in (1..levels).rev() {
            let wanted = Wanted::at(level, &pending);
            if wanted.is_empty() {
                continue;
            }
            write(stage).wanted = wanted.clone();
            let mut ignore = Unstoppable(monitor);
            let went = self.run_level(level - 1, Task::Back, &mut ignore);
            let mut ways = Ways::default();
            for worker in workers {
                ways.merge(std::mem::take(&mut lock(worker).ways));
            }
            // An incomplete path does not replay, and the replay reports this as an internal error.
            if !backwards::step(level, &mut pending, &wanted, &ways) || went.is_err() {
                break;
            }
        }
        pending.iter_mut().for_each(|one| one.violation.path.reverse());
        self.shown.list = pending;
    }

    /// The edges executed by any thread.
    fn all_taken(&self) -> Vec<Vec<bool>> {
        let (_, workers, _) = self.shared;
        let mut taken = self.taken.clone();
        for worker in workers {
            let worker = lock(worker);
            taken.resize(worker.stepper.taken().len(), Vec::new());
            for (all, own) in taken.iter_mut().zip(worker.stepper.taken()) {
                all.resize(own.len(), false);
                all.iter_mut().zip(own).for_each(|(all, own)| *all |= *own);
            }
        }
        taken
    }

    fn finish(&mut self, stop: Option<Stop>, monitor: &mut impl Monitor) -> Outcome<G::Site> {
        let (stage, workers, common) = self.shared;
        let sum = |of: fn(&Counts) -> &AtomicU64| {
            common.counts.iter().map(|counts| of(&counts.0).load(Ordering::Relaxed)).sum::<u64>()
        };
        // States of an unfinished batch are in the set but not in the counters.
        let states = workers.iter().map(|worker| lock(worker).hand.inserted()).sum();
        let transitions = sum(|counts| &counts.transitions);
        let hands: u64 = workers.iter().map(|worker| lock(worker).hand.memory()).sum();
        let memory = Memory { states: read(stage).set.memory() + hands, paths: self.path_memory() };
        let depth = self.level() as u64;
        if !self.shown.list.is_empty() {
            self.go_back(monitor);
        }
        for worker in workers {
            self.contention.lost += lock(worker).hand.lost();
        }
        let taken = self.all_taken();
        let Shown { list, total, .. } = std::mem::take(&mut self.shown);
        let violations = list.into_iter().map(|one| one.violation).collect();
        Outcome { states, transitions, depth, violations, found: total, stop, taken, memory }
    }
}

/// A monitor that reports progress but does not stop the search: violations found are always
/// reported.
struct Unstoppable<'m, M>(&'m mut M);

impl<M: Monitor> Monitor for Unstoppable<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        // Progress is shown; a reason to stop comes too late.
        self.0.watch(progress).and(None)
    }
}

fn progress(common: &Common<'_, impl Sized>, level: usize, violations: u64, memory: u64) -> Progress {
    let mut progress = Progress {
        states: 0,
        expanded: 0,
        transitions: 0,
        depth: level as u64,
        violations,
        memory,
        ..Progress::default()
    };
    for CachePadded(counts) in &common.counts {
        progress.states += counts.states.load(Ordering::Relaxed);
        progress.expanded += counts.expanded.load(Ordering::Relaxed);
        progress.transitions += counts.transitions.load(Ordering::Relaxed);
    }
    progress
}
