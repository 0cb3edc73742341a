//! `axle swarm`: the clock and the threads of swarm verification ([`axle_refinement::swarm`]).
//!
//! Members of one size have equal shares of time, those of the next size twice as much. Members
//! that search for the same end when they have found as many violations as `--max-violations` says.
//! The swarm ends when that holds for all, or when the others have run in each of their variants.
//!
//! *Entry point:* [`run`]; the members are searches of a model (`model.rs`) or of a C program
//! (`program.rs`).

mod model;
mod program;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axle_check::{Approximate, Config, SystemKind};
use axle_refinement::searches::{Searches, Seen};
use axle_refinement::swarm::{ROUND, Swarm, size};
use axle_search::{Limits, Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::args::{SwarmArgs, TraceMode};
use crate::exit::Exit;
use crate::input_kind::is_program;
use crate::machine::{cores, spare_memory};
use crate::output::remark;
use crate::quantities::number;
use crate::session::Session;
use crate::trail;
use crate::vocabulary::VOCABULARY;
use crate::watch::{Watch, until};

/// The time of a member of the first size.
const FIRST: Duration = Duration::from_millis(250);

/// The state of the members that search for the same.
#[derive(Clone, Debug)]
struct Kind {
    /// Whether there are any.
    wanted: bool,
    /// How many have finished.
    members: u64,
    /// Whether as many violations were found as are wanted.
    full: bool,
    /// Whether a search has shown that there is nothing to find.
    exhausted: bool,
}

impl Kind {
    /// Whether further members are useless.
    fn is_done(&self) -> bool {
        self.full || self.exhausted || !self.wanted
    }
}

/// State shared by the threads.
struct Shared<S> {
    kinds: Mutex<Vec<Kind>>,
    interrupted: Arc<AtomicBool>,
    /// Enough was found.
    enough: AtomicBool,
    next: AtomicU64,
    seen: Mutex<Vec<(u64, S)>>,
    start: Instant,
    end: Instant,
    /// The end if a violation was found: the rest of the time is for shorter executions.
    shortening: Instant,
    /// Whether a violation was found.
    found: AtomicBool,
}

/// Runs the command.
pub fn run(args: Arc<SwarmArgs>, session: &Session) -> Result<Exit, String> {
    session.deadline.arm(Some(args.time), &args.model.model);
    if let Some(file) = &args.trail {
        trail::refuse_others(file)?;
        trail::remove_stale_trails(file)?;
    }
    if is_program(&args.model.model) && !args.tables.are_given() {
        return program::run(session, &args);
    }
    match args.more.first().filter(|_| !args.tables.are_given()) {
        Some(more) => Err(format!("'{}': only C programs have several files", more.display())),
        None => model::run(session, &args),
    }
}

impl SwarmArgs {
    /// The configuration from which those of the members are derived.
    fn config(&self, kind: SystemKind) -> Config {
        Config {
            limits: Limits {
                memory: Some(self.memory.unwrap_or_else(spare_memory)),
                depth: self.depth,
                states: None,
                errors: self.max_violations.0,
            },
            approximate: Approximate { seed: self.seed, ..Approximate::default() },
            vocabulary: &VOCABULARY,
            ..Config::of_kind(kind)
        }
    }

    /// Whether the report is printed as JSON.
    fn prints_json(&self) -> bool {
        self.json || self.trace == Some(TraceMode::Json)
    }
}

/// The result of each member with its number, the reason if a limit or signal ended the members, and
/// the clock.
type Finished<S> = (Vec<(u64, S)>, Option<Stop>, Watch);

/// Runs the members on all threads. Their results with their numbers, why there are no more of them
/// if they were interrupted, and the clock for shortening.
fn search_all<M: Searches>(session: &Session, args: &SwarmArgs, members: &Swarm<M>) -> Finished<M::Seen> {
    let threads = args.threads.map_or_else(|| cores() as u64, u64::from);
    let memory = args.memory.unwrap_or_else(spare_memory);
    let interrupted = session.signals.interrupted();
    let start = session.deadline.start();
    let kind = |kind| Kind { wanted: members.wants(kind), members: 0, full: false, exhausted: false };
    let shared = Shared {
        kinds: Mutex::new((0..members.kinds()).map(kind).collect()),
        interrupted: Arc::clone(&interrupted),
        enough: AtomicBool::new(false),
        next: AtomicU64::new(0),
        seen: Mutex::new(Vec::new()),
        start,
        end: start + args.time,
        shortening: start + args.time / 4 * 3,
        found: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(args, members, memory / threads, &shared));
        }
    });
    let mut seen = shared.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    seen.sort_by_key(|(number, _)| *number);
    let stop = interrupted.load(Ordering::Relaxed).then_some(Stop::Interrupted);
    (seen, stop, Watch::with(session, start, Some(args.time), args.output.quiet))
}

/// Runs one member after the other until the time is over or enough was found.
fn work<M: Searches>(args: &SwarmArgs, members: &Swarm<M>, memory: u64, shared: &Shared<M::Seen>) {
    loop {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let over = now >= shared.end() || args.members.is_some_and(|members| index >= members);
        if over || shared.enough.load(Ordering::Relaxed) || shared.interrupted.load(Ordering::Relaxed) {
            return;
        }
        let kinds = members.kinds();
        let kind = index % kinds;
        if shared.kinds().get(kind as usize).is_some_and(Kind::is_done) {
            continue;
        }
        let share = FIRST * 2u32.saturating_pow(size(index / kinds).min(20) as u32);
        let until = (now + share).min(shared.end());
        let stops = Stops {
            interrupted: &shared.interrupted,
            enough: &shared.enough,
            found: &shared.found,
            shortening: shared.shortening,
        };
        let seen = members.run(index, memory, &mut Share { stops, until });
        if !args.output.quiet && shared.start.elapsed() > Duration::from_secs(1) {
            let (order, states) = seen.figures();
            let seconds = now.elapsed().as_secs_f64();
            remark(&format!("search {index}: {order}: {} states, {seconds:.1} s\n", number(states)));
        }
        if seen.has_violations() {
            shared.found.store(true, Ordering::Relaxed);
        }
        if shared.finish(kind, &seen, args.max_violations.0) {
            shared.enough.store(true, Ordering::Relaxed);
        }
        if let Ok(mut list) = shared.seen.lock() {
            list.push((index, seen));
        }
    }
}

impl<S: Seen> Shared<S> {
    /// When the searches end.
    fn end(&self) -> Instant {
        if self.found.load(Ordering::Relaxed) { self.shortening } else { self.end }
    }

    fn kinds(&self) -> MutexGuard<'_, Vec<Kind>> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a member of a kind; whether the swarm has found enough: every kind of member
    /// has found as many violations as are wanted or, if any violation was found, has run in each
    /// of its variants.
    fn finish(&self, kind: u64, seen: &S, errors: Option<u64>) -> bool {
        let mut kinds = self.kinds();
        if let Some(kind) = kinds.get_mut(kind as usize) {
            kind.members += 1;
            kind.full |= seen.is_full() && errors.is_some();
            kind.exhausted |= seen.is_exhaustive();
        }
        let is_found = kinds.iter().any(|kind| kind.full && kind.wanted);
        kinds.iter().all(|kind| kind.is_done() || is_found && kind.members >= ROUND)
    }
}

/// What ends all members.
struct Stops<'a> {
    interrupted: &'a Arc<AtomicBool>,
    enough: &'a AtomicBool,
    found: &'a AtomicBool,
    shortening: Instant,
}

/// A member's share of the time.
struct Share<'a> {
    stops: Stops<'a>,
    until: Instant,
}

impl Monitor for Share<'_> {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        let Stops { interrupted, enough, found, shortening } = self.stops;
        if interrupted.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        let now = Instant::now();
        let over = now >= self.until || found.load(Ordering::Relaxed) && now >= shortening;
        (over || enough.load(Ordering::Relaxed)).then_some(Stop::Time)
    }

    fn interrupt(&self) -> Interrupt {
        until(Arc::clone(self.stops.interrupted), Some(self.until))
    }
}
