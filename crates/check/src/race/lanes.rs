//! Attempts that run beside the leading one, each with a share of its states.
//!
//! The leading attempt pauses at growing numbers of states. In each pause every other attempt
//! continues with a slice of work, in proportion to its share ([`crate::plan`]), and keeps its state
//! until the next pause. Searches for properties begin before the leading attempt does.
//!
//! What an attempt finds is taken by a [`Judge`], which alone knows the meaning of answers.
//!
//! *Entry points:* [`Lanes::begin`] before the leading attempt, [`Beside`] in its pauses.
//! *Source:* shares that grow with the states already searched follow M. Luby, A. Sinclair and D.
//! Zuckerman, Optimal speedup of Las Vegas algorithms, Information Processing Letters 47, 1993.
//! *Invariant:* pauses and slices count states, so the verdicts are a function of the model and the
//! configuration.
//! *Cost:* the shares of the hunters of each kind are 7 % of the states of the exact search, and 3 %
//! of those beyond 500,000; single paths have more steps, of less work, and end by themselves; the
//! searches for properties are continued, not repeated, if one thread searches.

use std::thread::Scope;

use axle_coroutine::{Coroutine, Event, Grant, Host};
use axle_search::{Monitor, Progress, Stop};

use crate::plan::attempt::{Attempt, LARGE};
use crate::plan::engines::Search;
use crate::race::lane::{Lane, State};
use crate::race::log::{End, Log};
use crate::race::{Beside, Terms};

/// States of the leading search before the first pause. Each later pause has twice as many.
const FIRST_PAUSE: u64 = 625;

/// States that each search for a property may take before the leading search begins, and that the
/// slices of a pause have at least together.
const FIRST_SLICE: u64 = 256;

/// States up to which the leading search continues after the violations that were asked for are
/// found: a check of a small model decides everything.
const DECIDES: u64 = 20_000;

/// Memory of the leading search in proportion to its present memory while its tables grow.
const GROWTH: u64 = 3;

/// What the answers of attempts mean.
pub(crate) trait Judge<'e> {
    /// What an attempt finds out.
    type Answer: Send + 'e;

    /// The search of an attempt.
    fn search(&mut self, lane: &mut Lane<'_, 'e, Self::Answer>) -> Search<'e, Self::Answer>;

    /// Takes the result of an attempt. `is_last`: after the leading attempt a limit ends the check, and
    /// what was covered is reported. A reason ends the check.
    fn take(
        &mut self,
        lane: &Lane<'_, 'e, Self::Answer>,
        answer: Self::Answer,
        is_last: bool,
        monitor: &mut dyn Monitor,
    ) -> Option<Stop>;

    /// Tells every attempt what the others have found out. None continues meanwhile.
    fn publish(&self);

    /// Whether an attempt can still decide something.
    fn is_open(&self, attempt: &Attempt) -> bool;

    /// Whether the question of the leading attempt is decided without it.
    fn is_leading_decided(&self) -> bool;

    /// Whether the violations found and `others` are as many different ones as were asked for.
    fn is_full(&self, others: u64) -> bool;
}

/// The attempts beside the leading one.
pub(crate) struct Lanes<'scope, 'e, J: Judge<'e>> {
    scope: &'scope Scope<'scope, 'e>,
    /// The monitor of the check. The leading attempt has it while it searches.
    pub(super) host: Option<Host<'e>>,
    pub judge: J,
    pub(super) lanes: Vec<Lane<'scope, 'e, J::Answer>>,
    /// The limit on the memory of all attempts together.
    memory: Option<u64>,
    /// Attempts that are executed at a time.
    threads: usize,
    /// The number of states of the next pause; none if nothing runs beside the leading attempt.
    next_pause: Option<u64>,
    /// The attempts beside the leading attempt ended it.
    pub ended_lead: bool,
    /// The leading attempt has ended.
    pub(super) is_last: bool,
    pub log: Log,
}

impl<'scope, 'e: 'scope, J: Judge<'e>> Lanes<'scope, 'e, J> {
    /// The attempts of a plan that run beside its leading one.
    pub fn new(
        scope: &'scope Scope<'scope, 'e>,
        plan: &[Attempt],
        (memory, threads): (Option<u64>, usize),
        judge: J,
        monitor: Host<'e>,
    ) -> Self {
        let lanes: Vec<_> = plan.iter().filter_map(Lane::new).collect();
        Lanes {
            scope,
            host: Some(monitor),
            judge,
            next_pause: (!lanes.is_empty()).then_some(FIRST_PAUSE),
            lanes,
            memory,
            threads: threads.max(1),
            ended_lead: false,
            is_last: false,
            log: Log::default(),
        }
    }

    /// The monitor of the check.
    pub fn monitor(&mut self) -> &mut dyn Monitor {
        match &mut self.host {
            Some(host) => &mut **host,
            None => unreachable!("the monitor is back when the leading search waits"),
        }
    }

    /// Starts the attempts that begin with the leading attempt, before it. A reason ends the check.
    pub fn begin(&mut self) -> Option<Stop> {
        let due: Vec<(usize, u64)> = (self.lanes.iter().enumerate())
            .filter(|(_, lane)| lane.attempt.start == 0)
            .map(|(index, _)| (index, FIRST_SLICE))
            .collect();
        self.run_slices(&due, &Progress::default())
    }

    /// Ends the attempts for which this is true, after the leading attempt.
    pub fn retire_all(&mut self, mut ends: impl FnMut(&Attempt) -> bool) {
        for index in 0..self.lanes.len() {
            if ends(&self.lanes[index].attempt) {
                self.retire(index, Stop::Interrupted);
            }
        }
    }

    /// Ends an attempt for this reason and takes the violations that it has found; after the leading
    /// attempt also what it has covered.
    pub(super) fn retire(&mut self, index: usize, stop: Stop) {
        let state = std::mem::replace(&mut self.lanes[index].state, State::Ended);
        let State::Running(mut search) = state else { return };
        search.cancel(stop);
        loop {
            match search.event() {
                Event::Progress(_) | Event::Paused(_) | Event::Crowded(_) => {}
                Event::Ended(answer) => {
                    // The attempt was ended for `stop`, so that is the reason already.
                    let _ = self.take(index, answer, End::Retired);
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

    /// Takes the result of an attempt. A reason ends the check.
    fn take(&mut self, index: usize, answer: J::Answer, end: End) -> Option<Stop> {
        let (is_last, lane) = (self.is_last, &self.lanes[index]);
        if let Some(entry) = lane.log {
            self.log.ended(entry, end);
        }
        let Some(host) = &mut self.host else { return None };
        let stop = self.judge.take(lane, answer, is_last, &mut **host);
        for lane in &mut self.lanes {
            if lane.is_for_one_property() && !self.judge.is_open(&lane.attempt) {
                lane.state = State::Ended;
            }
        }
        stop
    }

    /// Runs a slice of each of these attempts, as many at a time as there are threads. A reason
    /// ends the check.
    pub(super) fn run_slices(&mut self, due: &[(usize, u64)], progress: &Progress) -> Option<Stop> {
        for group in due.chunks(self.threads) {
            self.make_room_for(progress.memory, group.iter().map(|(index, _)| *index));
            for &(index, work) in group {
                if matches!(self.lanes[index].state, State::Waiting) {
                    self.start(index);
                }
                if let State::Running(search) = &self.lanes[index].state {
                    search.resume(Grant::Work(work));
                }
            }
            let mut stop = None;
            for &(index, _) in group {
                // After a stop the others of the group are still awaited, each at its next poll.
                if let Some(reason) = self.await_slice(index, progress, stop) {
                    stop = Some(reason);
                }
            }
            self.judge.publish();
            if stop.is_some() {
                return stop;
            }
        }
        None
    }

    /// Starts an attempt.
    fn start(&mut self, index: usize) {
        let search = self.judge.search(&mut self.lanes[index]);
        let interrupt = self.monitor().interrupt();
        let unit = self.lanes[index].unit();
        let started = Coroutine::start(self.scope, interrupt, unit, move |slice| search(slice));
        let lane = &mut self.lanes[index];
        lane.log = Some(self.log.started(&lane.attempt));
        lane.state = started.map_or(State::Ended, State::Running);
    }

    /// Waits for the end of a slice. With a reason, the search ends there.
    fn await_slice(&mut self, index: usize, progress: &Progress, mut stop: Option<Stop>) -> Option<Stop> {
        loop {
            let State::Running(search) = &mut self.lanes[index].state else { return stop };
            match search.event() {
                Event::Progress(own) => {
                    self.lanes[index].progress = own.clone();
                    let shown = if self.is_last { own } else { progress.clone() };
                    let memory = progress.memory + self.held();
                    stop = stop.or_else(|| self.monitor().watch(&Progress { memory, ..shown }));
                    if let (Some(stop), State::Running(search)) = (stop, &mut self.lanes[index].state) {
                        search.cancel(stop);
                    }
                }
                Event::Paused(own) | Event::Crowded(own) => {
                    let lane = &mut self.lanes[index];
                    let violations = own.violations;
                    lane.progress = own;
                    lane.note_news();
                    if violations > 0 && lane.hunts_bad_prefixes() {
                        self.retire(index, Stop::Interrupted);
                        // It looks for bad prefixes of the other formulas from the start.
                        self.lanes[index].state = State::Waiting;
                        return stop;
                    }
                    if progress.states >= LARGE && lane.is_exhausted() {
                        self.retire(index, Stop::Interrupted);
                    }
                    return stop;
                }
                Event::Ended(answer) => {
                    self.lanes[index].state = State::Ended;
                    return stop.or(self.take(index, answer, End::Answered));
                }
            }
        }
    }

    /// Bytes that the attempts beside the leading one hold.
    pub(super) fn held(&self) -> u64 {
        self.lanes.iter().map(Lane::memory).sum()
    }

    /// Bytes of the leading attempt from which on others have to end.
    fn room(&self) -> u64 {
        match (self.memory, self.held()) {
            (Some(limit), held @ 1..) => limit.saturating_sub(held) / GROWTH,
            (Some(_), 0) | (None, _) => u64::MAX,
        }
    }

    /// Ends attempts until the leading one, which holds `leading` bytes, and all of `active` can
    /// grow within the memory limit. Properties are searched again later.
    fn make_room_for(&mut self, leading: u64, active: impl Iterator<Item = usize> + Clone) {
        let Some(limit) = self.memory else { return };
        loop {
            let growing: u64 = active.clone().map(|index| self.lanes[index].memory()).sum();
            let needed = (leading.saturating_mul(GROWTH))
                .saturating_add(growing.saturating_mul(GROWTH - 1))
                .saturating_add(self.held());
            if needed <= limit {
                return;
            }
            // Alone, a search has all memory and keeps to the limit itself.
            let may_end = |index: usize| leading > 0 || !active.clone().any(|other| other == index);
            let ends = (self.lanes.iter().enumerate())
                .filter(|(index, lane)| lane.memory() > 0 && may_end(*index))
                .max_by_key(|(_, lane)| (lane.is_hunter(), lane.memory()));
            match ends {
                Some((index, _)) => self.give_up(index),
                None => return,
            }
        }
    }

    /// The attempts with a slice of work in the pause at a number of states.
    fn due(&mut self, states: u64) -> Vec<(usize, u64)> {
        self.due_of(states, |_| true)
    }

    /// Those of the attempts for which this is true.
    pub(super) fn due_of(
        &mut self,
        states: u64,
        is_wanted: impl Fn(&Lane<'scope, 'e, J::Answer>) -> bool,
    ) -> Vec<(usize, u64)> {
        let mut due = Vec::new();
        let least = (FIRST_SLICE / (self.lanes.len() as u64).max(1)).max(16);
        for (index, lane) in self.lanes.iter_mut().enumerate().filter(|(_, lane)| is_wanted(lane)) {
            let Some(work) = lane.pay_at(states, &self.judge) else { continue };
            due.push((index, work.max(least)));
        }
        due
    }
}

impl<'scope, 'e: 'scope, J: Judge<'e>> Beside<'e> for Lanes<'scope, 'e, J> {
    fn host(&mut self) -> &mut Option<Host<'e>> {
        &mut self.host
    }

    fn terms(&mut self) -> Terms<'e> {
        Terms { pause_at: self.next_pause, poll: None, beside: self.held(), room: self.room() }
    }

    fn make_room(&mut self, leading: u64) {
        self.make_room_for(leading, std::iter::empty());
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
        let running = self.lanes.iter().filter(|lane| matches!(lane.state, State::Running(_)));
        let others: Vec<_> = running.map(|lane| (lane.attempt.name(), lane.progress.clone())).collect();
        self.monitor().beside(&others);
        if self.judge.is_leading_decided() {
            return Some(Stop::Interrupted);
        }
        self.ended_lead = states >= DECIDES && self.judge.is_full(progress.violations);
        self.ended_lead.then_some(Stop::Errors)
    }
}
