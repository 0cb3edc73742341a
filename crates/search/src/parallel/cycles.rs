//! Parallel search for accepting cycles: decides whether an execution accepted by a claim exists.
//!
//! Each thread walks the product (`walker.rs`) on a path of its own (`scc.rs`); the shared set and
//! union-find forest are behind one lock. States in components of the claim that cannot accept are
//! only expanded, by the thread that found them or by an idle thread. A thread without work starts
//! at a state that another thread will reach late.
//!
//! *Entry point:* [`search`].
//!
//! A counterexample is not reported from here, because its discovery depends on scheduling. Instead
//! a sequential search finds it again, so that every invocation reports the same one. The same
//! applies to faults in the evaluation of atoms.
//!
//! Checkpoints are written while no thread makes a step (`components.rs`): at intervals, when the
//! first thread pauses all others (`pause.rs`), and when a limit ends the search.
//!
//! *Source:* V. Bloemen and J. van de Pol, Multi-core SCC-based LTL model checking, HVC 2016.
//!
//! *Invariant:* If all threads finish, every state of the product was expanded and every component
//! was completed; the numbers of states and transitions equal those of one thread.

mod components;
mod pause;

use axle_outcome::{Claim, ClaimCoverage, LivenessOutcome, Memory, Progress, Stop};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use axle_step::{Graph, Interrupt, Observe};
use axle_store::{SharedSet, ThreadHandle};

use self::components::{Part, Picture};
use self::pause::Pause;
use super::barrier::CachePadded;
use super::scc::{Next, Search, goal};
use super::union_find::THREADS;
use super::walker::{Interruption, SharedSpace, Space, Walker, WorkQueue};
use crate::checkpoint::{Checkpoint, Contents};
use crate::limits::check_limits;
use crate::limits::most_in_flight;
use crate::liveness::options::LivenessOptions;
use crate::liveness::product::Product;
use crate::progress::{Monitor, Silent};

/// Maximum number of threads.
pub const MOST: usize = THREADS;

/// Number of states per batch in components of the claim that cannot accept.
const BATCH: usize = 32;

/// Number of steps between two polls: of the safepoint, of idle threads and of the monitor.
pub const STEPS: u32 = 128;

/// Number of polls for work before an idle thread sleeps between them, and of spins between two
/// polls.
const LOOKS: u32 = 60;
const SPINS: usize = 20;

/// Result of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The search is complete or reached a limit; the explored part contains no counterexample.
    Outcome(Box<LivenessOutcome>),
    /// A counterexample or an atom fault exists; a sequential search must find and report it.
    NeedsSequentialRerun,
    /// A sequential search is needed: it uses less memory, or supports more processes.
    Alone,
}

/// Data shared by the threads in addition to the product.
struct Common {
    /// Work that no thread has claimed.
    left: Mutex<WorkQueue>,
    /// Numbers of active and of idle threads.
    active: CachePadded<AtomicUsize>,
    idle: CachePadded<AtomicUsize>,
    /// Requests that all threads stop.
    halt: CachePadded<AtomicBool>,
    ended: Mutex<Option<Ended>>,
    pause: Pause,
    /// Number of steps between two polls.
    steps: u32,
    counters: Vec<CachePadded<ThreadCounters>>,
}

/// Values published by a thread.
#[derive(Default)]
struct ThreadCounters {
    /// A state at which another thread may start, plus 1.
    offer: AtomicU32,
    states: AtomicU64,
    expanded: AtomicU64,
    transitions: AtomicU64,
    memory: AtomicU64,
}

/// Reason for the end of all threads before all work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    Cycle,
    Interruption(Interruption),
    Stopped(Stop),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Common {
    /// Ends the search for the first reason that any thread gives.
    fn end(&self, why: Ended) {
        lock(&self.ended).get_or_insert(why);
        self.halt.0.store(true, Ordering::Relaxed);
    }

    fn halted(&self) -> bool {
        self.halt.0.load(Ordering::Relaxed)
    }

    fn sum(&self, of: impl Fn(&ThreadCounters) -> &AtomicU64) -> u64 {
        self.counters.iter().map(|counters| of(&counters.0).load(Ordering::Relaxed)).sum()
    }
}

/// Ends the search on all threads if one thread panics.
struct PanicGuard<'c>(&'c Common);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.halt.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches for an execution of the system that the claim accepts, with one thread per successor
/// function and observer; all of them must be the same functions. The claim must be well-formed,
/// the observers must know its atoms, and fairness must be none or weak. The set may use
/// `set_limit` bytes. A limit on the number of states is checked at polls only. The monitor may
/// provide a checkpoint to resume from.
pub fn search<G: Graph + Send, O: Observe + Send>(
    forks: &mut [(G, O)],
    claim: &Claim,
    set_limit: u64,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Answer {
    search_at(STEPS, forks, claim, set_limit, question, monitor)
}

/// Like [`search`] with a given number of steps between two polls. With small numbers, errors in
/// interrupted searches show on small models.
pub fn search_at<G: Graph + Send, O: Observe + Send>(
    steps: u32,
    forks: &mut [(G, O)],
    claim: &Claim,
    set_limit: u64,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Answer {
    let threads = forks.len();
    assert!((1..=THREADS).contains(&threads), "a bit for each thread");
    let (first, size) = {
        let (stepper, observer) = &mut forks[0];
        let mut product = Product::new(stepper, observer, claim, question.fairness);
        (product.initial()[..product.width()].to_vec(), product.stepper.size())
    };
    let Ok(set) = SharedSet::new(&first, threads, set_limit) else { return Answer::Alone };
    let mut hands: Vec<_> = (0..threads).map(|number| set.hand(number)).collect();
    let Ok(mut space) = Space::new(set, size, set_limit) else { return Answer::Alone };
    let mut begun = None;
    if let Some(past) = monitor.checkpoints().and_then(|kept| kept.past()) {
        let (stepper, observer) = &mut forks[0];
        let mut product = Product::new(stepper, observer, claim, question.fairness);
        match components::restore(past, &mut product, first, &mut space, &mut hands[0]) {
            Ok(part) => begun = Some(part),
            Err(stop) => return Answer::Outcome(Box::new(LivenessOutcome::nothing(claim, stop))),
        }
    }
    let door = SharedSpace::new(space);
    let common = Common {
        left: Mutex::default(),
        active: CachePadded(AtomicUsize::new(threads)),
        idle: CachePadded::default(),
        halt: CachePadded::default(),
        ended: Mutex::new(None),
        pause: Pause::default(),
        steps,
        counters: (0..threads).map(|_| CachePadded::default()).collect(),
    };
    let interrupt = monitor.interrupt();
    let work = (claim, question, &door, &common, &interrupt);
    let parts: Vec<(Part, bool)> = std::thread::scope(|scope| {
        let mut mine = forks.iter_mut().zip(hands).enumerate();
        let leader = mine.next();
        let others: Vec<_> = mine
            .map(|(number, (fork, hand))| {
                scope.spawn(move || one(work, number, fork, (hand, None), None::<&mut Silent>))
            })
            .collect();
        let leader =
            leader.map(|(number, (fork, hand))| one(work, number, fork, (hand, begun), Some(&mut *monitor)));
        // After a panic in one thread nothing is known, and the other threads have stopped for this
        // reason.
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|fall| resume_unwind(fall)));
        leader.into_iter().chain(others).collect()
    });
    let lossy = parts.iter().any(|(_, lossy)| *lossy);
    let mut parts: Vec<Part> = parts.into_iter().map(|(part, _)| part).collect();
    parts.push(Part { found: std::mem::take(&mut lock(&common.left)), ..Part::default() });
    let mut keep = || !lossy && keep(&door.read(), &parts, monitor);
    let stop = match *lock(&common.ended) {
        None => None,
        Some(Ended::Cycle | Ended::Interruption(Interruption::NeedsSequentialRerun)) => {
            return Answer::NeedsSequentialRerun;
        }
        Some(Ended::Interruption(Interruption::Bits)) => return Answer::Alone,
        // A sequential search uses less memory, but a checkpoint of this search is preferable if
        // written.
        Some(Ended::Interruption(Interruption::Memory) | Ended::Stopped(Stop::Memory)) => match keep() {
            true => Some(Stop::Memory),
            false => return Answer::Alone,
        },
        Some(Ended::Stopped(stop) | Ended::Interruption(Interruption::Stopped(stop))) => {
            if stop.can_go_on() {
                keep();
            }
            Some(stop)
        }
    };
    let space = door.space.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let states = space.set.memory();
    let (coverage, taken) = merged(parts.into_iter().map(|part| part.seen).collect());
    Answer::Outcome(Box::new(LivenessOutcome {
        finding: None,
        faults: Vec::new(),
        states: common.sum(|counters| &counters.states),
        transitions: common.sum(|counters| &counters.transitions),
        coverage,
        stop,
        taken,
        memory: Memory { states, paths: space.memory() - states + common.sum(|counters| &counters.memory) },
    }))
}

/// Coverage of the claim and of the system by a thread.
type Seen = (ClaimCoverage, Vec<Vec<bool>>);

/// Body of one thread.
fn one<G: Graph, O: Observe, M: Monitor>(
    (claim, question, door, common, interrupt): (&Claim, &LivenessOptions, &SharedSpace, &Common, &Interrupt),
    number: usize,
    (stepper, observer): &mut (G, O),
    (hand, begun): (ThreadHandle, Option<Part>),
    monitor: Option<&mut M>,
) -> (Part, bool) {
    let _fall = PanicGuard(common);
    let mut product = Product::new(stepper, observer, claim, question.fairness);
    product.ask(interrupt.clone());
    let goes_on = begun.is_some();
    let (mut walker, search) = (Walker::new(product, door, hand), Search::new(number));
    let mut seen = Seen::default();
    if let Some(begun) = begun {
        (walker.expansions, walker.transitions) = (begun.expansions, begun.transitions);
        (walker.found, seen) = (begun.found, begun.seen);
        walker.product.stepper.recount(begun.tally);
    }
    let mut worker = Worker { common, door, number, walker, search, seen, busy: true };
    worker.run(question, goes_on, monitor);
    worker.walker.quiesce();
    (worker.part(), worker.walker.lossy)
}

/// Writes a checkpoint while no thread makes a step; returns whether one was requested and written.
fn keep(space: &Space, parts: &[Part], monitor: &mut impl Monitor) -> bool {
    let (Some(keeper), Some(picture)) =
        (monitor.checkpoints().and_then(|kept| kept.keeper()), Picture::new(space, parts))
    else {
        return false;
    };
    let (states, transitions) = (picture.states(), picture.transitions());
    keeper.keep(&Checkpoint { about: "", states, transitions, contents: Contents::Stored(&picture) });
    true
}

/// Coverage by all threads.
fn merged(seen: Vec<Seen>) -> Seen {
    let mut all = Seen::default();
    let or = |all: &mut Vec<bool>, one: Vec<bool>| {
        all.resize(all.len().max(one.len()), false);
        all.iter_mut().zip(one).for_each(|(all, one)| *all |= one);
    };
    let or_each = |all: &mut Vec<Vec<bool>>, one: Vec<Vec<bool>>| {
        all.resize(all.len().max(one.len()), Vec::new());
        all.iter_mut().zip(one).for_each(|(all, one)| or(all, one));
    };
    for (coverage, taken) in seen {
        or(&mut all.0.locations, coverage.locations);
        or_each(&mut all.0.edges, coverage.edges);
        or_each(&mut all.1, taken);
    }
    all
}

/// Data of one thread.
struct Worker<'a, G: Graph> {
    common: &'a Common,
    door: &'a SharedSpace,
    number: usize,
    walker: Walker<'a, G>,
    search: Search,
    /// Coverage before the search was resumed.
    seen: Seen,
    /// Whether the thread counts as active.
    busy: bool,
}

impl<G: Graph> Worker<'_, G> {
    fn run<M: Monitor>(&mut self, question: &LivenessOptions, goes_on: bool, mut monitor: Option<&mut M>) {
        let mut begun = match self.number {
            // The first thread starts with the initial states.
            0 => goal(&self.walker).and_then(|_| if goes_on { Ok(()) } else { self.walker.start() }),
            _ => Ok(()),
        };
        self.walker.lossy |= begun.is_err();
        let mut around = |worker: &mut Self| worker.poll(question, monitor.as_deref_mut());
        while begun.is_ok() && !self.common.halted() {
            begun = match self.walker.found.roots.pop() {
                Some(state) => self.search_from(state, &mut around),
                None => self.find_work(&mut around),
            };
        }
        if let Err(trouble) = begun {
            // The interrupted work was not published to other threads.
            self.walker.lossy |= matches!(trouble, Interruption::NeedsSequentialRerun | Interruption::Bits);
            self.common.end(Ended::Interruption(trouble));
        }
        around(self);
        if self.busy {
            self.common.active.0.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Expands states in components that cannot accept, takes unclaimed work, or waits for work.
    fn find_work(&mut self, around: &mut impl FnMut(&mut Self)) -> Result<(), Interruption> {
        let passing = &mut self.walker.found.passing;
        if !passing.is_empty() {
            let mut batch = passing.split_off(passing.len().saturating_sub(BATCH));
            self.walker.expand(&batch).inspect_err(|_| self.walker.found.passing.append(&mut batch))?;
            around(self);
            return Ok(());
        }
        match self.wait(around) {
            Some(state) => self.search_from(state, around),
            None => Ok(()),
        }
    }

    fn search_from(&mut self, state: u32, around: &mut impl FnMut(&mut Self)) -> Result<(), Interruption> {
        let begun = self.search.from(&mut self.walker, state);
        let mut next = begun.inspect_err(|_| self.walker.found.roots.push(state))?;
        let mut steps = 0u32;
        loop {
            match next {
                Next::End => return Ok(()),
                Next::Cycle => {
                    self.common.end(Ended::Cycle);
                    return Ok(());
                }
                Next::More => {}
            }
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(self.common.steps) {
                around(self);
                if self.common.halted() {
                    return Ok(());
                }
            }
            next = self.search.step(&mut self.walker)?;
        }
    }

    /// Polls the safepoint, shares work, publishes progress and, in the first thread, polls the
    /// monitor.
    fn poll<M: Monitor>(&mut self, question: &LivenessOptions, monitor: Option<&mut M>) {
        self.walker.poll_safepoint();
        let counters = &self.common.counters[self.number].0;
        counters.states.store(self.walker.states(), Ordering::Relaxed);
        counters.expanded.store(self.walker.expansions, Ordering::Relaxed);
        counters.transitions.store(self.walker.transitions, Ordering::Relaxed);
        counters.memory.store(self.walker.memory() + self.search.memory(), Ordering::Relaxed);
        if self.busy && self.common.idle.0.load(Ordering::Relaxed) > 0 {
            self.share();
        }
        if self.common.pause.is_wanted() && self.number > 0 && !self.common.halted() {
            self.walker.quiesce();
            let part = self.part();
            self.common.pause.wait(part, || self.common.halted());
        }
        if let Some(monitor) = monitor {
            let shared = self.walker.space().memory();
            let memory = shared + self.common.sum(|counters| &counters.memory);
            let most = most_in_flight(&question.limits, memory);
            self.walker.product.limit(most.map(|most| most / self.common.counters.len()));
            let progress = Progress {
                states: self.common.sum(|counters| &counters.states),
                expanded: self.common.sum(|counters| &counters.expanded),
                transitions: self.common.sum(|counters| &counters.transitions),
                depth: self.search.depth(),
                violations: 0,
                memory,
                ..Progress::default()
            };
            let full = question.limits.states.is_some_and(|limit| progress.states >= limit);
            let full = if full { Err(Stop::States) } else { Ok(()) };
            if let Err(stop) = full.and_then(|()| check_limits(&progress, &question.limits, monitor)) {
                self.common.end(Ended::Stopped(stop));
            } else if !self.common.halted()
                && monitor.checkpoints().and_then(|kept| kept.keeper()).is_some_and(|keeper| keeper.due())
            {
                self.keep(monitor);
            }
        }
    }

    /// The knowledge of this thread between two steps.
    fn part(&self) -> Part {
        let mut found = self.walker.found.clone();
        found.roots.extend(self.search.first());
        let product = &self.walker.product;
        let own = (product.coverage.clone(), product.taken());
        Part {
            found,
            expansions: self.walker.expansions,
            transitions: self.walker.transitions,
            tally: product.stepper.tally(),
            seen: merged(vec![self.seen.clone(), own]),
        }
    }

    /// Writes a checkpoint while all other threads wait.
    fn keep(&mut self, monitor: &mut impl Monitor) {
        self.walker.quiesce();
        let common = self.common;
        common.pause.all(
            common.counters.len() - 1,
            || common.halted(),
            |mut parts| {
                parts.push(self.part());
                parts.push(Part { found: lock(&common.left).clone(), ..Part::default() });
                keep(&self.door.read(), &parts, monitor);
            },
        );
    }

    /// Makes half of the remaining work available to other threads.
    fn share(&mut self) {
        if let Some(state) = self.search.offer() {
            self.common.counters[self.number].0.offer.store(state + 1, Ordering::Relaxed);
        }
        let found = &mut self.walker.found;
        let mut left = lock(&self.common.left);
        if left.roots.is_empty() && left.passing.is_empty() {
            left.roots.extend(found.roots.drain(..found.roots.len() / 2));
            left.passing.extend(found.passing.drain(..found.passing.len() / 2));
        }
    }

    /// Waits for work, takes it and returns the state to search from. `None` if the thread has
    /// taken other work, or if the search has ended.
    fn wait(&mut self, around: &mut impl FnMut(&mut Self)) -> Option<u32> {
        let common = self.common;
        self.busy = false;
        around(self);
        // No thread must wait for an idle thread.
        self.walker.quiesce();
        common.idle.0.fetch_add(1, Ordering::Relaxed);
        common.active.0.fetch_sub(1, Ordering::AcqRel);
        let mut rounds = 0u32;
        let work = loop {
            if common.halted() {
                break None;
            }
            {
                let mut left = lock(&common.left);
                let some = !left.roots.is_empty() || !left.passing.is_empty();
                if some {
                    common.active.0.fetch_add(1, Ordering::AcqRel);
                    self.walker.found.roots.append(&mut left.roots);
                    self.walker.found.passing.append(&mut left.passing);
                    break None;
                }
                // Only active threads publish work.
                if common.active.0.load(Ordering::Acquire) == 0 {
                    common.halt.0.store(true, Ordering::Relaxed);
                    break None;
                }
            }
            let offered = common
                .counters
                .iter()
                .map(|counters| counters.0.offer.swap(0, Ordering::Relaxed))
                .find(|&offer| offer > 0);
            if let Some(offer) = offered {
                common.active.0.fetch_add(1, Ordering::AcqRel);
                break Some(offer - 1);
            }
            rounds += 1;
            if rounds.is_multiple_of(64) {
                // The first thread polls the monitor for all threads.
                around(self);
                self.walker.quiesce();
            }
            // The other threads poll every few microseconds; sleeping and waking takes longer.
            if rounds <= LOOKS {
                (0..SPINS).for_each(|_| std::hint::spin_loop());
            } else {
                std::thread::sleep(Duration::from_micros(20));
            }
        };
        common.idle.0.fetch_sub(1, Ordering::Relaxed);
        self.busy = !common.halted();
        work
    }
}
