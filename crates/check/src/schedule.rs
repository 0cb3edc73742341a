//! Executes the plan of a check: multiplexes the attempts within one budget of work and memory.
//!
//! The exact search for violations of states and steps pauses at growing numbers of states. In each
//! pause every other attempt continues with a slice of work, in proportion to its share
//! ([`crate::plan`]), and keeps its state until the next pause ([`coroutine`]). Searches for
//! properties begin before the exact search does. Those that it leaves undecided continue after it
//! ([`continuation`]).
//!
//! *Entry points:* [`Scheduler::new`] wraps the monitor of the exact search, [`Scheduler::begin`]
//! precedes it, [`Scheduler::finish`] adds the results of the other attempts.
//! *Source:* shares that grow with the states already searched follow M. Luby, A. Sinclair and D.
//! Zuckerman, Optimal speedup of Las Vegas algorithms, Information Processing Letters 47, 1993.
//! *Invariant:* pauses and slices count states, so the verdicts are a function of the model and the
//! configuration. "holds" is concluded only from an exact search that ended by itself. A violation
//! of an attempt is replayed like any other.
//! *Cost:* the shares of the hunters of each kind are 7 % of the states of the exact search, and 3 %
//! of those beyond 500,000; single paths have more steps, of less work, and end by themselves; the searches for properties are continued, not repeated, if one thread searches.

pub mod alone;
mod continuation;
mod coroutine;
mod hunters;
mod property;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_evidence::report::Verdict;
use axle_model::Model;
use axle_search::{BadPrefix, Checkpoints, Monitor, Progress, Stop, Violation, ViolationKey};
use axle_step::Interrupt;

use self::coroutine::{Coroutine, Event};
use self::hunters::Hunter;
use crate::claims::Stated;
use crate::config::Config;
use crate::confirm;
use crate::engine::SharedCode;
use crate::explored::Explored;
use crate::lossy;
use crate::plan::{self, Attempt, Fraction, LARGE, Share, Target};
use crate::runs::{KnownStates, Runs, hunted as hunted_runs};

/// States of the exact search before the first pause. Each later pause has twice as many.
const FIRST_PAUSE: u64 = 625;

/// States that each search for a property may take before the exact search begins, and that the
/// slices of a pause have at least together.
const FIRST_SLICE: u64 = 256;

/// States up to which the exact search continues after the violations that were asked for are
/// found: a check of a small model decides everything.
const DECIDES: u64 = 20_000;

/// States up to which searches for properties continue after the exact search if several threads
/// search. Threads are of no use below.
const FEW: u64 = 1 << 14;

/// Slices without anything new after which a depth-first hunter ends if the exact search is large.
/// Each slice follows a pause at twice as many states.
const EXHAUSTED: u32 = 3;

/// Memory of an exact search in proportion to its present memory while its tables grow.
const GROWTH: u64 = 3;

/// The result of an attempt.
pub(crate) enum Answer {
    /// Of a search for a property.
    Property(Box<Runs>),
    /// Of a hunter.
    States { violations: Vec<Violation>, stop: Option<Stop> },
    /// Of a hunter of bad prefixes: paths of the model, each to the end of one.
    BadPrefixes { violations: Vec<Violation<BadPrefix>>, stop: Option<Stop> },
    /// The attempt is none that runs beside an exact search.
    Nothing,
}

/// The monitor of an exact search beside which the other attempts of the plan are executed.
pub(crate) struct Scheduler<'a, M> {
    /// The monitor of the check.
    pub monitor: &'a mut M,
    config: &'a Config,
    model: &'a Arc<Model>,
    /// The model of the exact search: `model`, or a smaller one made by passes.
    searched: &'a Arc<Model>,
    properties: &'a [Stated],
    code: SharedCode,
    /// The machine code of `model` for the hunters of bad prefixes.
    whole_code: SharedCode,
    runners: Vec<Runner>,
    /// The number of states of the next pause; none if nothing runs beside the exact search.
    next_pause: Option<u64>,
    /// The result for each property that is decided.
    decided: Vec<Option<Runs>>,
    /// Violations of the searched model found by hunters, each once, and which hunter was first.
    found: Vec<Violation>,
    finders: Vec<(ViolationKey, Attempt)>,
    /// Violations of the searched model that were reported to the monitor.
    announced: Vec<ViolationKey>,
    /// The number of states of the system, once it is known.
    states: KnownStates,
    /// The attempts beside the exact search ended it.
    ended_exact: bool,
    /// The exact search has ended.
    is_last: bool,
}

/// An attempt and its progress.
struct Runner {
    attempt: Attempt,
    fraction: Fraction,
    state: State,
    /// The states of the exact search up to which the attempt has its share.
    paid: u64,
    /// Slices that found nothing new, in a row.
    idle: u32,
    /// As of its last message.
    progress: Progress,
    /// Statements that a hunter has taken, and those and its depth at the last pause.
    statements: Arc<AtomicU64>,
    known: (u64, u64),
    /// The formulas whose bad prefixes the present search looks for, by their numbers.
    hunted: Vec<usize>,
}

enum State {
    Waiting,
    Running(Coroutine<Answer>),
    Ended,
}

/// The results of all attempts beside the exact search.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// For each property, the result of a search that decided it.
    pub properties: Vec<Option<Runs>>,
    /// The violations found are as many as were asked for.
    pub is_full: bool,
    /// The hunters that found violations of the searched model first.
    pub finders: Vec<(ViolationKey, Attempt)>,
    /// The reason that ended the attempts after the exact search.
    pub stop: Option<Stop>,
}

impl Decided {
    /// The hunter that found a violation first.
    pub fn finder(&self, key: ViolationKey) -> Option<&Attempt> {
        self.finders.iter().find(|(known, _)| *known == key).map(|(_, attempt)| attempt)
    }
}

impl<'a, M: Monitor> Scheduler<'a, M> {
    /// A scheduler beside the search of `searched`, whose machine code is `code`.
    pub fn new(
        model: &'a Arc<Model>,
        searched: &'a Arc<Model>,
        config: &'a Config,
        properties: &'a [Stated],
        code: SharedCode,
        monitor: &'a mut M,
    ) -> Self {
        let attempts = plan::attempts(config, properties);
        let runners: Vec<Runner> = attempts.into_iter().filter_map(Runner::new).collect();
        let whole_code = if Arc::ptr_eq(model, searched) { code.clone() } else { SharedCode::default() };
        Scheduler {
            monitor,
            config,
            model,
            searched,
            properties,
            code,
            whole_code,
            next_pause: (!runners.is_empty()).then_some(FIRST_PAUSE),
            runners,
            decided: properties.iter().map(|_| None).collect(),
            found: Vec::new(),
            finders: Vec::new(),
            announced: Vec::new(),
            states: KnownStates::default(),
            ended_exact: false,
            is_last: false,
        }
    }

    /// Starts the attempts that begin with the exact search, before it. A reason ends the check.
    pub fn begin(&mut self) -> Option<Stop> {
        let due: Vec<(usize, u64)> = (self.runners.iter().enumerate())
            .filter(|(_, runner)| runner.attempt.start == 0)
            .map(|(index, _)| (index, FIRST_SLICE))
            .collect();
        self.run_slices(&due, &NOTHING)
    }

    /// Continues the searches for properties, and adds the violations of the hunters to those of
    /// the exact search.
    pub fn finish(mut self, explored: &mut Explored) -> Decided {
        let is_over =
            matches!(explored.outcome.stop, Some(Stop::Time | Stop::Interrupted | Stop::Checkpoint));
        let stops = is_over || self.ended_exact;
        for index in 0..self.runners.len() {
            if stops || matches!(self.runners[index].attempt.target, Target::States) {
                self.retire(index, Stop::Interrupted);
            }
        }
        self.announce(&explored.outcome.violations);
        let outcome = &mut explored.outcome;
        let mut finders = std::mem::take(&mut self.finders);
        finders.retain(|(key, _)| !outcome.violations.iter().any(|known| known.key() == *key));
        for violation in &self.found {
            if !outcome.violations.iter().any(|known| known.key() == violation.key()) {
                outcome.violations.push(violation.clone());
                outcome.found += violation.count;
            }
        }
        if let Some(limit) = self.config.limits.errors {
            outcome.violations.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let (states, stop) = (outcome.states, outcome.stop);
        let stop = if stops { None } else { self.continue_properties(states, stop) };
        let properties = std::mem::take(&mut self.decided);
        Decided { properties, is_full: self.ended_exact, finders, stop }
    }

    /// Ends an attempt for this reason and takes the violations that it has found; after the exact
    /// search also what it has covered.
    fn retire(&mut self, index: usize, stop: Stop) {
        let state = std::mem::replace(&mut self.runners[index].state, State::Ended);
        let State::Running(mut search) = state else { return };
        search.cancel(stop);
        loop {
            match search.next() {
                Event::Progress(_) | Event::Paused(_) => {}
                Event::Ended(answer) => {
                    // The attempt was ended for `stop`, so that is the reason already.
                    let _ = self.take(index, answer);
                    return;
                }
            }
        }
    }

    /// Ends an attempt to make room for others, and keeps only what it has decided.
    fn give_up(&mut self, index: usize) {
        let is_last = std::mem::take(&mut self.is_last);
        self.retire(index, Stop::Interrupted);
        self.is_last = is_last;
    }

    /// Whether the violations found and `others` are as many different ones as were asked for.
    fn is_full(&self, others: u64) -> bool {
        let of_properties = self.decided.iter().flatten().filter(|runs| !runs.violations.is_empty()).count();
        let found = self.found.len() + of_properties;
        found > 0 && self.config.limits.errors.is_some_and(|limit| found as u64 + others >= limit)
    }

    /// Runs a slice of each of these attempts, as many at a time as there are threads. A reason
    /// ends the check.
    fn run_slices(&mut self, due: &[(usize, u64)], progress: &Progress) -> Option<Stop> {
        for group in due.chunks(self.config.threads.max(1)) {
            self.make_room(progress.memory, group.iter().map(|(index, _)| *index));
            for &(index, work) in group {
                if matches!(self.runners[index].state, State::Waiting) {
                    self.start(index);
                }
                if let State::Running(search) = &self.runners[index].state {
                    search.resume(work);
                }
            }
            let mut stop = None;
            for &(index, _) in group {
                // After a stop the others of the group are still awaited, each at its next poll.
                if let Some(reason) = self.await_slice(index, progress, stop) {
                    stop = Some(reason);
                }
            }
            if stop.is_some() {
                return stop;
            }
        }
        None
    }

    /// Waits for the end of a slice. With a reason, the search ends there.
    fn await_slice(&mut self, index: usize, progress: &Progress, mut stop: Option<Stop>) -> Option<Stop> {
        loop {
            let State::Running(search) = &mut self.runners[index].state else { return stop };
            match search.next() {
                Event::Progress(own) => {
                    self.runners[index].progress = own;
                    let shown = if self.is_last { own } else { *progress };
                    let memory = progress.memory + self.held();
                    stop = stop.or_else(|| self.monitor.watch(&Progress { memory, ..shown }));
                    if let (Some(stop), State::Running(search)) = (stop, &mut self.runners[index].state) {
                        search.cancel(stop);
                    }
                }
                Event::Paused(own) => {
                    let runner = &mut self.runners[index];
                    runner.progress = own;
                    runner.note_news();
                    if own.violations > 0 && runner.hunts_bad_prefixes() {
                        self.retire(index, Stop::Interrupted);
                        // It looks for bad prefixes of the other formulas from the start.
                        self.runners[index].state = State::Waiting;
                        return stop;
                    }
                    if progress.states >= LARGE && runner.is_exhausted() {
                        self.retire(index, Stop::Interrupted);
                    }
                    return stop;
                }
                Event::Ended(answer) => {
                    self.runners[index].state = State::Ended;
                    return stop.or(self.take(index, answer));
                }
            }
        }
    }

    /// Takes the result of an attempt that ended by itself. A reason ends the check.
    fn take(&mut self, index: usize, answer: Answer) -> Option<Stop> {
        let attempt = &self.runners[index].attempt;
        match (answer, &attempt.target) {
            (Answer::Property(runs), Target::Property(property, _)) => {
                let stop = runs.stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted));
                // After the exact search a limit ends the check: what was covered is reported.
                if is_decided(&runs, attempt.is_conclusive) || self.is_last && stop.is_some() {
                    self.decide(*property, *runs);
                }
                stop
            }
            (Answer::BadPrefixes { violations, stop }, _) => {
                let name = attempt.name();
                for violation in violations {
                    let hunted = self.runners[index].hunted.get(violation.site.0 as usize).copied();
                    let Some(property) = hunted.filter(|&one| self.decided[one].is_none()) else { continue };
                    let stated = &self.properties[property];
                    let runs = hunted_runs(self.model, self.config, stated, &violation.path, name.clone());
                    self.decide(property, runs);
                }
                stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted))
            }
            (Answer::States { violations, stop }, _) => {
                let attempt = attempt.clone();
                self.announce(&violations);
                for violation in &violations {
                    if !self.found.iter().any(|known| known.key() == violation.key()) {
                        self.finders.push((violation.key(), attempt.clone()));
                    }
                    lossy::merge_violation(&mut self.found, violation);
                }
                stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted))
            }
            (Answer::Property(_) | Answer::Nothing, _) => None,
        }
    }

    /// Takes the result for a property, reports its violations, and ends its search.
    fn decide(&mut self, property: usize, runs: Runs) {
        for (_, report) in &runs.violations {
            self.monitor.violated(&report.property, &report.message);
        }
        self.decided[property] = Some(runs);
        for runner in &mut self.runners {
            if matches!(runner.attempt.target, Target::Property(index, _) if index == property) {
                runner.state = State::Ended;
            }
        }
    }

    /// Replays violations of the searched model and reports those that are new.
    fn announce(&mut self, violations: &[Violation]) {
        for violation in violations {
            if self.announced.contains(&violation.key()) {
                continue;
            }
            self.announced.push(violation.key());
            if let Some(report) = confirm::report(self.model, self.searched, self.config, violation) {
                self.monitor.violated(&report.property, &report.message);
            }
        }
    }

    /// Whether a property is not decided.
    fn is_open(&self, property: usize) -> bool {
        self.decided[property].is_none()
    }

    /// Starts an attempt.
    fn start(&mut self, index: usize) {
        if let Target::BadPrefixes(numbers) = &self.runners[index].attempt.target {
            let open = numbers.iter().copied().filter(|&property| self.is_open(property)).collect();
            self.runners[index].hunted = open;
        }
        let runner = &self.runners[index];
        let interrupt = self.monitor.interrupt();
        let started = match &runner.attempt.target {
            Target::Property(property, _) => {
                let search = property::Search {
                    model: Arc::clone(self.model),
                    config: property::config(self.config),
                    property: self.properties[*property].clone(),
                    states: self.states.clone(),
                };
                Coroutine::start(interrupt, move |slice| property::search(&search, slice))
            }
            Target::States | Target::BadPrefixes(_) => {
                // Passes may change what a formula observes.
                let (model, code) = match runner.hunts_bad_prefixes() {
                    true => (self.model, &self.whole_code),
                    false => (self.searched, &self.code),
                };
                let hunter = Hunter {
                    attempt: runner.attempt.clone(),
                    model: Arc::clone(model),
                    config: Hunter::config(self.config),
                    code: code.clone(),
                    formulas: runner.hunted.iter().map(|&one| self.properties[one].clone()).collect(),
                    statements: Arc::clone(&runner.statements),
                };
                Coroutine::start(interrupt, move |slice| hunters::hunt(&hunter, slice))
            }
        };
        self.runners[index].state = started.map_or(State::Ended, State::Running);
    }

    /// Bytes that the attempts beside the exact search hold.
    fn held(&self) -> u64 {
        self.runners.iter().map(Runner::memory).sum()
    }

    /// Ends attempts until the exact search, which holds `exact` bytes, and all of `active` can
    /// grow within the memory limit. Properties are searched again later.
    fn make_room(&mut self, exact: u64, active: impl Iterator<Item = usize> + Clone) {
        let Some(limit) = self.config.limits.memory else { return };
        loop {
            let growing: u64 = active.clone().map(|index| self.runners[index].memory()).sum();
            let needed = (exact.saturating_mul(GROWTH)).saturating_add(growing * (GROWTH - 1)) + self.held();
            if needed <= limit {
                return;
            }
            // Alone, a search has all memory and keeps to the limit itself.
            let may_end = |index: usize| exact > 0 || !active.clone().any(|other| other == index);
            let ends = (self.runners.iter().enumerate())
                .filter(|(index, runner)| runner.memory() > 0 && may_end(*index))
                .max_by_key(|(_, runner)| (runner.is_hunter(), runner.memory()));
            match ends {
                Some((index, _)) => self.give_up(index),
                None => return,
            }
        }
    }

    /// The attempts with a slice of work in the pause at a number of states.
    fn due(&mut self, states: u64) -> Vec<(usize, u64)> {
        let mut due = Vec::new();
        let is_full = self.is_full(0);
        let least = (FIRST_SLICE / (self.runners.len() as u64).max(1)).max(16);
        for (index, runner) in self.runners.iter_mut().enumerate() {
            let is_open = match &runner.attempt.target {
                Target::Property(property, _) => self.decided[*property].is_none(),
                Target::BadPrefixes(formulas) => formulas.iter().any(|one| self.decided[*one].is_none()),
                Target::States => !is_full,
            };
            if is_open && runner.attempt.start <= states && !matches!(runner.state, State::Ended) {
                due.push((index, runner.pay(states).max(least)));
            }
        }
        due
    }
}

/// Whether the result of the search for a property is final. A search that a budget ended decides
/// nothing.
fn is_decided(runs: &Runs, is_conclusive: bool) -> bool {
    match runs.properties.first().map(|property| property.verdict) {
        Some(Verdict::Violated) => true,
        Some(Verdict::Holds) => is_conclusive,
        Some(Verdict::Unknown) | None => runs.internal.is_some(),
    }
}

/// The progress before a search.
const NOTHING: Progress =
    Progress { states: 0, expanded: 0, transitions: 0, depth: 0, violations: 0, memory: 0 };

impl Runner {
    /// A runner of an attempt beside the exact search; none if it does not run there.
    fn new(attempt: Attempt) -> Option<Runner> {
        let fraction = match attempt.share {
            Share::Property(fraction) | Share::Fraction(fraction) => fraction,
            Share::Rest | Share::Fixed(_) | Share::Before | Share::After => return None,
        };
        Some(Runner {
            attempt,
            fraction,
            state: State::Waiting,
            paid: 0,
            idle: 0,
            progress: Progress::default(),
            statements: Arc::default(),
            known: (0, 0),
            hunted: Vec::new(),
        })
    }

    fn memory(&self) -> u64 {
        match &self.state {
            State::Running(search) => search.memory,
            State::Waiting | State::Ended => 0,
        }
    }

    /// Whether it is a bug hunter. Hunters make room before searches for properties.
    fn is_hunter(&self) -> bool {
        !matches!(self.attempt.target, Target::Property(..))
    }

    /// Whether it is a hunter of bad prefixes.
    fn hunts_bad_prefixes(&self) -> bool {
        matches!(self.attempt.target, Target::BadPrefixes(_))
    }

    /// Whether it is a depth-first hunter that has found nothing new for long. Its states take more
    /// memory than the rest of its share is worth; walks store none.
    fn is_exhausted(&self) -> bool {
        matches!(self.attempt.kind, plan::Kind::DepthFirst(_)) && self.idle >= EXHAUSTED
    }

    /// The work for the states of the exact search since the last pause.
    fn pay(&mut self, states: u64) -> u64 {
        let states = match self.attempt.kind {
            plan::Kind::SinglePath(_) => states.min(plan::PATH_ENDS),
            _ => states,
        };
        let share = |range: u64, of: u32| {
            let thousandths = (of >> self.idle.min(31)).max(self.fraction.least);
            range.saturating_mul(u64::from(thousandths)) / 1000
        };
        let small = states.min(LARGE).saturating_sub(self.paid);
        let large = states.saturating_sub(self.paid.max(LARGE));
        let work = share(small, self.fraction.first) + share(large, self.fraction.later);
        self.paid = self.paid.max(states);
        work
    }

    /// Notes whether the last slice found something new: a statement that was not taken before, or
    /// a path twice as long as any before.
    fn note_news(&mut self) {
        let State::Running(search) = &self.state else { return };
        let statements = self.statements.load(Ordering::Relaxed);
        let is_news = statements > self.known.0 || search.deepest >= 2 * self.known.1;
        if is_news {
            self.known = (statements.max(self.known.0), search.deepest.max(1));
            self.idle = 0;
        } else {
            self.idle += 1;
        }
    }
}

impl<M: Monitor> Monitor for Scheduler<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.make_room(progress.memory, std::iter::empty());
        let memory = progress.memory + self.held();
        self.monitor.watch(&Progress { memory, ..*progress })
    }

    fn pause_at(&self) -> Option<u64> {
        self.next_pause
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        let mut states = self.next_pause?;
        // A level may pass several thresholds.
        while states.saturating_mul(2) <= progress.states {
            states *= 2;
        }
        self.next_pause = states.checked_mul(2);
        let due = self.due(states);
        if let Some(stop) = self.run_slices(&due, progress) {
            return Some(stop);
        }
        let running = self.runners.iter().filter(|runner| matches!(runner.state, State::Running(_)));
        let others: Vec<_> = running.map(|runner| (runner.attempt.name(), runner.progress)).collect();
        self.monitor.beside(&others);
        self.ended_exact = states >= DECIDES && self.is_full(progress.violations);
        self.ended_exact.then_some(Stop::Errors)
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        self.monitor.checkpoints()
    }
}
