//! The race of a check of a C program: attempts that are executed in pauses of the leading one, each to
//! its end.
//!
//! Two threads that add to a sum a million times have more states near the initial state than fit
//! in memory, while most long executions show the violation. The exhaustive breadth-first search
//! therefore pauses, at fixed numbers of states, for random walks and a depth-first search with
//! steppers of their own, and for searches with counter abstraction. Then it continues unchanged.
//! All shares count states or steps, so the result is reproducible.
//!
//! A state of one search may take a thousand times as long as one of another. The work of a pause
//! ([`axle_c_exec::WorkMeter`]) is therefore limited to a part of the work of the exhaustive search so far. What needs
//! more is repeated once that has done twice as much (`work_share.rs`).
//!
//! *Entry point:* [`of_program`].
//! *Invariant:* a violation found in a pause is a violation of the program. Without one, pauses have
//! no effect, except that an exhaustive search with counter abstraction decides the
//! check. The pauses together take at most twice [`HUNTERS`] and [`ABSTRACTION`] of the
//! work of the exhaustive search, beside a constant.

use std::collections::VecDeque;

use axle_c_exec::{ProgramSite, Stepper};
use axle_coroutine::{Host, Poll};
use axle_explicit::program_threads::Walker;
use axle_explicit::{Explored, program_threads, run};
use axle_question::config::{Approximate, Config, Order};
use axle_search::{Limits, Monitor, Progress, Stop};
use axle_step::Successors;

use crate::plan::attempt::{Attempt, Kind, Share};
use crate::plan::engines::Search;
use crate::race::log::{End, Executed, Log};
use crate::race::work_share::{Part, WorkShare};
use crate::race::{Beside, Terms, lead, logged};

/// Bytes that the tables of what a stepper remembers take at most, and which part of all.
const TABLES: u64 = 192 << 20;
const PART: u64 = 4;

/// Bytes by which the tables grow for the walks at most.
const WALKED: u64 = 16 << 20;

/// Bytes of states after which all pauses are due, and that each attempt in a pause may store.
const BYTES: u64 = 2 << 30;

/// The parts of the work of the exhaustive search that the bug hunters and counter abstraction have, each
/// once more for repetitions.
const HUNTERS: Part = Part(8);
const ABSTRACTION: Part = Part(3);

/// The result of the race of a program.
pub(crate) struct OfProgram {
    pub explored: Explored<ProgramSite>,
    /// The configuration of the search that found the result.
    pub searched: Config,
    /// The attempts that were executed.
    pub attempts: Vec<Executed>,
}

/// Executes the leading attempt of a plan for a program, and those in its pauses. Without a violation the
/// stepper is that of the leading attempt. The tables of the stepper have a part of the
/// memory.
pub(crate) fn of_program<'p>(
    (leading, beside): (&Attempt, Vec<Attempt>),
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
    config: &Config,
    monitor: &mut dyn Monitor,
) -> OfProgram {
    let tables = config.limits.memory.map_or(TABLES, |memory| TABLES.min(memory / PART));
    stepper.limit_memory(tables);
    let memory = config.limits.memory.map(|memory| memory - tables);
    let own = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
    let raced = race((leading, beside), stepper, counter_abstraction, (&own, tables), monitor);
    // The report contains the limits as configured.
    let limits = Limits { memory: config.limits.memory, ..raced.searched.limits };
    OfProgram { searched: Config { limits, ..raced.searched }, ..raced }
}

/// Executes the leading attempt with those in its pauses, and decides which of them has the result.
fn race<'p>(
    (leading, beside): (&Attempt, Vec<Attempt>),
    stepper: &mut Stepper<'p>,
    counter_abstraction: Option<Stepper<'p>>,
    (config, tables): (&Config, u64),
    mut monitor: &mut dyn Monitor,
) -> OfProgram {
    let mut log = Log::default();
    let searched = config.clone();
    let (abstractions, hunters): (VecDeque<Attempt>, VecDeque<Attempt>) =
        beside.into_iter().partition(|attempt| matches!(attempt.kind, Kind::CounterAbstraction(_)));
    if abstractions.is_empty() && hunters.is_empty() {
        let search = |_: &mut Log| program_threads::explore(stepper, config, tables, None, &mut monitor);
        let explored = logged(&mut log, leading, search);
        return OfProgram { explored, searched, attempts: log.into_entries() };
    }
    let walker = Walker::new(Some(stepper.another()));
    let entry = log.started(leading);
    let (led, found) = {
        let mut interludes = Interludes {
            host: Some(monitor),
            config,
            latest: BYTES / (stepper.width() as u64).max(1),
            walker: &walker,
            counter_abstraction: counter_abstraction.filter(|_| !abstractions.is_empty()),
            abstraction: WorkShare::new(stepper.work(), ABSTRACTION),
            last_abstraction: abstractions.back().cloned(),
            abstractions,
            hunting: WorkShare::new(stepper.work(), HUNTERS),
            hunters,
            found: None,
            log,
        };
        let (lent, lent_walker) = (&mut *stepper, &walker);
        let search: Search<'_, (Explored<ProgramSite>, &mut Stepper<'p>)> = Box::new(move |mut monitor| {
            let explored = program_threads::explore(lent, config, tables, Some(lent_walker), &mut monitor);
            (explored, lent)
        });
        let led = std::thread::scope(|scope| lead(scope, search, &mut interludes));
        let led = led.map(|(explored, stepper)| {
            interludes.try_many_threads(&explored, stepper);
            explored
        });
        log = interludes.log;
        (led, interludes.found)
    };
    log.ended(entry, End::Answered);
    let attempts = log.into_entries();
    let walker = walker.take();
    match found {
        Some(Found { explored, config, by }) => {
            if let Some(mut by) = by.or(walker) {
                by.share_taken(stepper);
                *stepper = by;
            }
            OfProgram { explored, searched: config, attempts }
        }
        None => {
            if let Some(walker) = walker {
                stepper.share_taken(&walker);
            }
            let explored = led.unwrap_or_else(|| Explored::new(run::out_of_memory(stepper), "plain"));
            OfProgram { explored, searched, attempts }
        }
    }
}

/// The result of a pause.
struct Found<'p> {
    explored: Explored<ProgramSite>,
    /// The configuration of its search.
    config: Config,
    /// The stepper of its search, if it is not the walker.
    by: Option<Stepper<'p>>,
}

/// The attempts in the pauses of the leading one.
struct Interludes<'e, 'p> {
    /// The monitor of the check.
    host: Option<Host<'e>>,
    config: &'e Config,
    /// The states at which all pauses are due.
    latest: u64,
    /// The stepper of the random walks and the depth-first search.
    walker: &'e Walker<'p>,
    /// The stepper with counter abstraction.
    counter_abstraction: Option<Stepper<'p>>,
    /// The share of counter abstraction, and those of its searches that were not tried yet.
    abstraction: WorkShare,
    abstractions: VecDeque<Attempt>,
    /// The search with counter abstraction that has the most states.
    last_abstraction: Option<Attempt>,
    /// The share of the bug hunters.
    hunting: WorkShare,
    /// The bug hunters that have not started yet.
    hunters: VecDeque<Attempt>,
    found: Option<Found<'p>>,
    log: Log,
}

impl<'p> Interludes<'_, 'p> {
    /// Searches the program with counter abstraction in the remaining memory, with one number of states
    /// after the other while threads are folded. Only an exhaustive search without a violation decides
    /// the check. A reason ends the exhaustive search. `has_share`: within the share of work; if that is
    /// exhausted, the search is repeated later.
    fn try_counter_abstraction(&mut self, attempt: &Attempt, taken: u64, has_share: bool) -> Option<Stop> {
        let Kind::CounterAbstraction(numbers) = attempt.kind else { return None };
        let entry = self.log.started(attempt);
        for states in numbers {
            let mut stepper = self.counter_abstraction.take().filter(Stepper::may_fold)?;
            let again = stepper.another();
            stepper.initial(&mut Vec::new());
            let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(taken));
            let limits = Limits { states: Some(states), memory, ..self.config.limits };
            let piece = Config { limits, threads: 1, ..self.config.clone() };
            let mut limited = self.abstraction.limit(&mut **self.host.as_mut()?, stepper.work(), has_share);
            let explored = run::explore(&mut stepper, &piece, &mut limited);
            if limited.is_exhausted() {
                self.abstraction.postpone();
                self.counter_abstraction = Some(again);
                self.log.ended(entry, End::Retired);
                return None;
            }
            self.log.ended(entry, End::Answered);
            let is_right =
                explored.outcome.violations.is_empty() && stepper.inconclusive_reasons().is_empty();
            match explored.outcome.stop {
                Some(stop @ (Stop::Interrupted | Stop::Time)) => return Some(stop),
                _ if !is_right => return None,
                // A larger number may fold threads, or be exhaustive.
                Some(_) => self.counter_abstraction = Some(again),
                None if !stepper.has_folded() => return None,
                None => {
                    let config = Config { limits: self.config.limits, ..piece };
                    self.found = Some(Found { explored, config, by: Some(stepper) });
                    return Some(Stop::Errors);
                }
            }
            if !stepper.has_folded() {
                return None;
            }
        }
        None
    }

    /// Tries counter abstraction after an exhaustive search that met too many threads at a time, which
    /// need not be too many states.
    fn try_many_threads(&mut self, explored: &Explored<ProgramSite>, stepper: &Stepper<'p>) {
        let is_limited = explored.outcome.stop.is_none() && explored.outcome.violations.is_empty();
        let is_many = axle_c_exec::ErrorSite::is_many_threads;
        if is_limited
            && stepper.inconclusive_reasons().iter().any(is_many)
            && let Some(attempt) = self.last_abstraction.clone()
        {
            self.try_counter_abstraction(&attempt, 0, false);
        }
    }

    /// The searches with counter abstraction that are due. A reason ends the exhaustive search.
    fn abstract_if_due(&mut self, progress: &Progress) -> Option<Stop> {
        while let Some(attempt) = self.abstractions.front().cloned()
            && self.is_due(attempt.start, progress)
            && self.abstraction.is_due()
        {
            let stop = self.try_counter_abstraction(&attempt, progress.memory, true);
            if stop.is_some() {
                return stop;
            }
            if self.abstraction.is_due() {
                self.abstractions.pop_front();
            }
        }
        None
    }

    /// Whether what starts at a number of states is to be executed now.
    fn is_due(&self, start: u64, progress: &Progress) -> bool {
        progress.states >= start.min(self.latest)
    }

    /// The next bug hunter that is due.
    fn next_hunter(&mut self, progress: &Progress) -> Option<Attempt> {
        let is_due = self.hunters.front().is_some_and(|next| self.is_due(next.start, progress));
        if is_due { self.hunters.pop_front() } else { None }
    }

    /// The bug hunters that are due, in the remaining memory. A reason ends the exhaustive search.
    fn hunt(&mut self, walker: &mut Stepper<'p>, progress: &Progress) -> Option<Stop> {
        // The set of states is made as wide as the first of them.
        walker.initial(&mut Vec::new());
        let most = BYTES / (walker.width() as u64).max(1);
        let memory = self.config.limits.memory.map(|memory| memory.saturating_sub(progress.memory));
        let own = Limits { memory, ..self.config.limits };
        while self.hunting.is_due()
            && let Some(hunter) = self.next_hunter(progress)
        {
            let Share::Fixed(states) = hunter.share else { continue };
            let limits = Limits { states: Some(states.min(most)), ..own };
            let piece = match hunter.kind {
                Kind::RandomWalks(walks, steps) => Config {
                    order: Order::Random,
                    limits: Limits { depth: Some(steps), ..limits },
                    approximate: Approximate { walks, ..self.config.approximate },
                    ..self.config.clone()
                },
                _ => Config { order: Order::DepthFirst, limits, ..self.config.clone() },
            };
            let entry = self.log.started(&hunter);
            let mut limited = self.hunting.limit(&mut **self.host.as_mut()?, walker.work(), true);
            let explored = run::explore(walker, &piece, &mut limited);
            let is_exhausted = limited.is_exhausted();
            self.log.ended(entry, if is_exhausted { End::Retired } else { End::Answered });
            match explored.outcome.stop {
                // The check is stopped.
                Some(stop @ (Stop::Interrupted | Stop::Time)) if !is_exhausted => return Some(stop),
                _ if !explored.outcome.violations.is_empty() => {
                    let limits = Limits { memory: self.config.limits.memory, ..piece.limits };
                    let config = Config { limits, ..piece };
                    let explored = Explored { attempt: Some(hunter.name()), ..explored };
                    self.found = Some(Found { explored, config, by: None });
                    return Some(Stop::Errors);
                }
                _ if is_exhausted => {
                    self.hunting.postpone();
                    self.hunters.push_front(hunter);
                }
                _ => {}
            }
        }
        None
    }
}

impl<'e> Beside<'e> for Interludes<'e, '_> {
    fn host(&mut self) -> &mut Option<Host<'e>> {
        &mut self.host
    }

    fn terms(&mut self) -> Terms<'e> {
        let abstraction = self.abstractions.front().map(|next| next.start.min(self.latest));
        let hunting = self.hunters.front().map(|next| next.start.min(self.latest));
        let (may_abstract, may_hunt) = (self.abstraction.due(), self.hunting.due());
        let poll: Poll<'e> = Box::new(move |progress| {
            let reached = |start: Option<u64>| start.is_some_and(|start| progress.states >= start);
            reached(abstraction) && may_abstract() || reached(hunting) && may_hunt()
        });
        Terms { pause_at: None, poll: Some(poll), beside: 0, room: u64::MAX }
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        // Walks are slow in programs that create threads forever.
        if let Some(stop) = self.abstract_if_due(progress) {
            return Some(stop);
        }
        let is_due = self.hunters.front().is_some_and(|next| self.is_due(next.start, progress));
        if self.hunting.is_due()
            && is_due
            && let Some(mut walker) = self.walker.take()
        {
            walker.grow_by(Some(WALKED));
            let stop = self.hunt(&mut walker, progress);
            walker.grow_by(None);
            self.walker.replace(walker);
            return stop;
        }
        None
    }

    fn make_room(&mut self, _: u64) {}
}
