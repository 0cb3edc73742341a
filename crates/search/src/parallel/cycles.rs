//! The search for runs that a claim describes, by many threads: whether there is one.
//!
//! Each thread has a walker through the product and a path of its own (`scc.rs`); what they share
//! is behind one door (`walker.rs`). States in components of the claim that cannot accept are only
//! expanded, by whoever found them or has nothing else to do; who finds nothing at all begins where
//! another thread will come late.
//!
//! *Entry point:* [`search`].
//!
//! A counterexample is not told from here: which one is found first is chance. One thread then
//! looks for it, and what is shown is the same in every run. So is whatever has to be told on the
//! way (atoms that cannot be evaluated).
//!
//! Where the search is can be written down when no thread makes a step (`components.rs`): now and
//! then, when the first thread has all others wait (`pause.rs`), and when a limit ends it.
//!
//! *Invariant:* Where all threads come to an end by themselves, every state of the product was
//! expanded, and every component was seen as a whole; the numbers of states and transitions are
//! those of one thread.

mod components;
mod pause;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use axle_step::{Interrupt, Observe, Successors};
use axle_store::{SharedSet, ThreadHandle};

use self::components::{Part, Picture};
use self::pause::Pause;
use super::barrier::CachePadded;
use super::scc::{Next, Search, goal};
use super::union_find::THREADS;
use super::walker::{Interruption, SharedSpace, Space, Walker, WorkQueue};
use crate::checkpoint::{Checkpoint, Contents};
use crate::claim::Claim;
use crate::limits::Stop;
use crate::liveness::{ClaimCoverage, LivenessOptions, LivenessOutcome};
use crate::outcome::Memory;
use crate::product::Product;
use crate::progress::{Monitor, Progress, Silent, look};

/// The most threads.
pub const MOST: usize = THREADS;

/// States without cycles expanded at once.
const BATCH: usize = 32;

/// Steps between two looks around: at the door, at those who have nothing to do, at the monitor.
pub const STEPS: u32 = 128;

/// Looks for something to do before a thread sleeps between them, and pauses of the processor between two looks.
const LOOKS: u32 = 60;
const SPINS: usize = 20;

/// How the search came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Everything was searched, or a limit met: there is no counterexample in what was.
    Outcome(Box<LivenessOutcome>),
    /// There is a counterexample, or something else to tell: one thread should look for it.
    NeedsSequentialRerun,
    /// One thread needs less memory, or has bits for more processes.
    Alone,
}

/// What threads share besides the product.
struct Common {
    /// What nobody works at.
    left: Mutex<WorkQueue>,
    /// Threads at work, and those that are not.
    active: CachePadded<AtomicUsize>,
    idle: CachePadded<AtomicUsize>,
    /// Everybody should come to an end.
    halt: CachePadded<AtomicBool>,
    ended: Mutex<Option<Ended>>,
    pause: Pause,
    /// Steps between two looks.
    steps: u32,
    counters: Vec<CachePadded<ThreadCounters>>,
}

/// What a thread lets others know.
#[derive(Default)]
struct ThreadCounters {
    /// A state to begin at, plus 1.
    offer: AtomicU32,
    states: AtomicU64,
    expanded: AtomicU64,
    transitions: AtomicU64,
    memory: AtomicU64,
}

/// Why everybody came to an end before there was nothing left to do.
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
    /// Ends the search, for the first reason that somebody has.
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

/// Ends the search for all where one thread falls.
struct PanicGuard<'c>(&'c Common);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.halt.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches for a run of the system that the claim describes, with a thread for each successor function and observer, which are all
/// the same. The claim is well-formed and the observers know its atoms; fairness is none or weak. The set may
/// take `set_limit` bytes. A limit on the number of states is kept as nearly as the looks at it come. The monitor may have
/// the search go on from where one was written down.
pub fn search<G: Successors + Send, O: Observe + Send>(
    forks: &mut [(G, O)],
    claim: &Claim,
    set_limit: u64,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Answer {
    search_at(STEPS, forks, claim, set_limit, question, monitor)
}

/// The same with so many steps between two looks: with few, what is wrong with a search that ends in the middle is found in
/// small models.
pub fn search_at<G: Successors + Send, O: Observe + Send>(
    steps: u32,
    forks: &mut [(G, O)],
    claim: &Claim,
    set_limit: u64,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Answer {
    let threads = forks.len();
    assert!((1..=THREADS).contains(&threads), "a bit for each thread");
    let (first, slots) = {
        let (stepper, observer) = &mut forks[0];
        let mut product = Product::new(stepper, observer, claim, question.fairness);
        (product.initial()[..product.width()].to_vec(), product.stepper.layout().slots.len())
    };
    let Ok(set) = SharedSet::new(&first, threads, set_limit) else { return Answer::Alone };
    let mut hands: Vec<_> = (0..threads).map(|number| set.hand(number)).collect();
    let Ok(mut space) = Space::new(set, slots, set_limit) else { return Answer::Alone };
    let mut begun = None;
    if let Some(past) = monitor.past() {
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
        // Where a thread has fallen nothing is known, and the others have stopped for that alone.
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
        // One thread needs less memory; but what was found so far is worth more, if it is kept.
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

/// What a thread has seen of the claim, and of the system.
type Seen = (ClaimCoverage, Vec<Vec<bool>>);

/// What one thread does.
fn one<G: Successors, O: Observe, M: Monitor>(
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

/// Has a checkpoint written while no thread makes a step; whether somebody wanted one and there could be one.
fn keep(space: &Space, parts: &[Part], monitor: &mut impl Monitor) -> bool {
    let (Some(keeper), Some(picture)) = (monitor.keeper(), Picture::new(space, parts)) else { return false };
    let (states, transitions) = (picture.states(), picture.transitions());
    keeper.keep(&Checkpoint { about: "", states, transitions, contents: Contents::Stored(&picture) });
    true
}

/// What all threads have seen.
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

/// One thread.
struct Worker<'a, G> {
    common: &'a Common,
    door: &'a SharedSpace,
    number: usize,
    walker: Walker<'a, G>,
    search: Search,
    /// What was seen before the search went on.
    seen: Seen,
    /// Whether it counts as active.
    busy: bool,
}

impl<G: Successors> Worker<'_, G> {
    fn run<M: Monitor>(&mut self, question: &LivenessOptions, goes_on: bool, mut monitor: Option<&mut M>) {
        let mut begun = match self.number {
            // The first thread has the first states.
            0 => goal(&self.walker).and_then(|_| if goes_on { Ok(()) } else { self.walker.start() }),
            _ => Ok(()),
        };
        self.walker.lossy |= begun.is_err();
        let mut around = |worker: &mut Self| worker.look_around(question, monitor.as_deref_mut());
        while begun.is_ok() && !self.common.halted() {
            begun = match self.walker.found.roots.pop() {
                Some(state) => self.search_from(state, &mut around),
                None => self.go_on(&mut around),
            };
        }
        if let Err(trouble) = begun {
            // What was being looked at was told to nobody.
            self.walker.lossy |= matches!(trouble, Interruption::NeedsSequentialRerun | Interruption::Bits);
            self.common.end(Ended::Interruption(trouble));
        }
        around(self);
        if self.busy {
            self.common.active.0.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Expands states that no cycle goes through, takes what others have left, or waits for it.
    fn go_on(&mut self, around: &mut impl FnMut(&mut Self)) -> Result<(), Interruption> {
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

    /// Lets others at the door, shares what there is to do, says how far it is and, in the first thread, asks whether to go on.
    fn look_around<M: Monitor>(&mut self, question: &LivenessOptions, monitor: Option<&mut M>) {
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
            let most = question.limits.most_in_flight(memory);
            self.walker.product.limit(most.map(|most| most / self.common.counters.len()));
            let progress = Progress {
                states: self.common.sum(|counters| &counters.states),
                expanded: self.common.sum(|counters| &counters.expanded),
                transitions: self.common.sum(|counters| &counters.transitions),
                depth: self.search.depth(),
                violations: 0,
                memory,
            };
            let full = question.limits.states.is_some_and(|limit| progress.states >= limit);
            let full = if full { Err(Stop::States) } else { Ok(()) };
            if let Err(stop) = full.and_then(|()| look(&progress, &question.limits, monitor)) {
                self.common.end(Ended::Stopped(stop));
            } else if !self.common.halted() && monitor.keeper().is_some_and(|keeper| keeper.due()) {
                self.keep(monitor);
            }
        }
    }

    /// What this thread knows, between two steps.
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

    /// Has a checkpoint written while all others wait.
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

    /// Gives away half of what it has to do.
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

    /// Waits until there is something to do: then takes it, and says where to search from. None where it has become the
    /// thread's own, or the search is at its end.
    fn wait(&mut self, around: &mut impl FnMut(&mut Self)) -> Option<u32> {
        let common = self.common;
        self.busy = false;
        around(self);
        // Nobody has to wait for who waits.
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
                // Only who is active leaves anything.
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
                // The first thread watches for all.
                around(self);
                self.walker.quiesce();
            }
            // Others look around every few microseconds; to sleep and be woken takes longer.
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
