//! The searches for properties after the exact search for violations of states and steps.
//!
//! Properties continue in slices of equal work, one after the other, so that a property that needs
//! many states does not delay one that needs few; the hunters of bad prefixes have a share of that
//! work, and so have the engines that decide properties on their own. If several threads search, they
//! search for one property at a time, within a number of states that grows from round to round and is
//! the same for all properties.
//!
//! *Entry point:* [`Lanes::continue_properties`].
//! *Source:* rounds with growing limits: M. Luby, A. Sinclair and D. Zuckerman, Optimal speedup of
//! Las Vegas algorithms, Information Processing Letters 47, 1993.
//! *Invariant:* a property is undecided after the last round only if the check was stopped.
//! *Cost:* the rounds before the last one take at most a third of its states.

use axle_question::EngineId;
use axle_question::config::Config;
use axle_search::{Limits, Progress, Stop};

use crate::judgement::runs::check_within;
use crate::plan::attempt::{Kind, Target};
use crate::plan::engines::{Answer, Question};
use crate::race::engines_beside::EnginesBeside;
use crate::race::lane::{Lane, State};
use crate::race::lanes::{Judge, Lanes};
use crate::race::models::ModelJudge;

/// States up to which searches for properties continue after the exact search if several threads
/// search. Threads are of no use below.
const FEW: u64 = 1 << 14;

/// The first slice of the searches for properties after the exact search.
const FIRST_SLICE: u64 = 1 << 16;

/// The last slice before all threads search for one property at a time.
const LAST_SLICE: u64 = 1 << 17;

/// States of each property in the first round of all threads, and the factor of the next round.
const FIRST_ROUND: u64 = 1 << 20;
const FACTOR: u64 = 4;

/// States by which the share of the hunters is counted before all threads search for the only
/// property that is left.
const ALONE: u64 = 1 << 23;

impl<'scope, 'e: 'scope> Lanes<'scope, 'e, ModelJudge<'e>> {
    /// Continues the engines that decide on their own after exact searches that have no memory left, each
    /// with as much work as their states are. A reason ends the check.
    pub(super) fn continue_engines(&mut self, states: u64) -> Option<Stop> {
        self.is_last = true;
        let progress = Progress { states, expanded: states, ..Progress::default() };
        let mut done = 0;
        while done < states && !self.judge.is_full(0) {
            let slice = (states - done).min(done.max(FIRST_SLICE));
            done += slice;
            let is_due = |(_, lane): &(usize, &Lane<'_, '_, Answer>)| {
                let is_engine = lane.attempt.kind == Kind::Whole && !matches!(lane.state, State::Ended);
                is_engine && self.judge.is_open(&lane.attempt)
            };
            let due: Vec<(usize, u64)> =
                self.lanes.iter().enumerate().filter(is_due).map(|(index, _)| (index, slice)).collect();
            let stop = self.run_slices(&due, &progress);
            if due.is_empty() || stop.is_some() {
                return stop;
            }
        }
        None
    }

    /// Continues the searches for properties after an exact search with so many states, until they
    /// end. `known`: the number of states of the system.
    pub(super) fn continue_properties(&mut self, states: u64, known: Option<u64>) -> Option<Stop> {
        if self.monitor().checkpoints().is_some() {
            self.lanes.clear();
            return None;
        }
        let Question { config, states: shared, .. } = &self.judge.question;
        let known = known.filter(|_| config.wants_safety());
        if let Some(states) = known {
            shared.set(states);
        }
        // Only explicit-state searches are divided between threads.
        let is_sliced = config.threads == 1 || config.other_engine().is_some();
        let by_slices = is_sliced || known.is_some_and(|states| states <= FEW);
        self.is_last = true;
        for lane in self.lanes.iter_mut().filter(|lane| lane.decides_property().is_some()) {
            lane.begin_share();
        }
        let progress = Progress { states, expanded: states, ..Progress::default() };
        let mut slice = FIRST_SLICE;
        while by_slices || slice <= LAST_SLICE && self.has_several() {
            let due = self.due_after(slice);
            if due.is_empty() {
                break;
            }
            if let Some(stop) = self.run_slices(&due, &progress) {
                (0..self.lanes.len()).for_each(|index| self.retire(index, stop));
                return Some(stop);
            }
            slice = slice.saturating_mul(2);
        }
        if !by_slices {
            return self.search_in_rounds(known, &progress);
        }
        // Searches that have no memory left decide nothing.
        let searches = self.lanes.iter().filter(|lane| !lane.is_hunter());
        let searched = searches.map(|lane| lane.progress.states).max().unwrap_or(0);
        self.continue_engines(searched)
    }

    /// Whether there is more than the search for one property: all threads can begin that at once.
    fn has_several(&self) -> bool {
        self.open_properties().len() > 1 || self.lanes.iter().any(|lane| lane.hunts_bad_prefixes())
    }

    /// The properties that are searched for and not decided.
    fn open_properties(&self) -> Vec<usize> {
        let searched = self.lanes.iter().filter_map(|lane| match lane.attempt.target {
            Target::Property(index, _) if lane.attempt.engine == EngineId::EXPLICIT => Some(index),
            Target::Property(..) | Target::States | Target::BadPrefixes(_) => None,
        });
        searched.filter(|&index| self.judge.is_undecided(index)).collect()
    }

    /// The searches for properties with the next slice of so many states each, and the attempts beside them
    /// with their share. Empty if no property is searched for.
    fn due_after(&mut self, slice: u64) -> Vec<(usize, u64)> {
        let is_search = |(_, lane): &(usize, &Lane<'_, '_, Answer>)| {
            !lane.is_hunter() && matches!(lane.state, State::Running(_))
        };
        let mut due: Vec<(usize, u64)> =
            self.lanes.iter().enumerate().filter(is_search).map(|(index, _)| (index, slice)).collect();
        if !due.is_empty() {
            let largest = due.iter().map(|&(index, _)| self.lanes[index].progress.states).max();
            let is_beside =
                |lane: &Lane<'_, '_, Answer>| lane.hunts_bad_prefixes() || lane.decides_property().is_some();
            due.extend(self.due_of(largest.unwrap_or(0), is_beside));
        }
        due
    }

    /// Searches for the undecided properties with all threads, each within a number of states, until
    /// all are decided. The last one has no limit.
    fn search_in_rounds(&mut self, states: Option<u64>, progress: &Progress) -> Option<Stop> {
        let mut budget = FIRST_ROUND;
        loop {
            let hunted = if self.open_properties().len() > 1 { budget } else { budget.max(ALONE) };
            let due = self.due_of(hunted, Lane::hunts_bad_prefixes);
            if let Some(stop) = self.run_slices(&due, progress) {
                // In the first round the searches for properties are only paused.
                (0..self.lanes.len()).for_each(|index| self.retire(index, stop));
                return Some(stop);
            }
            for lane in self.lanes.iter_mut().filter(|lane| !lane.is_hunter()) {
                lane.state = State::Ended;
            }
            let open = self.open_properties();
            let is_last = open.len() <= 1;
            if is_last {
                self.lanes.retain(|lane| lane.decides_property().is_some());
            }
            for index in open {
                if let Some(stop) = self.search_by_all(index, states, (!is_last).then_some(budget)) {
                    return Some(stop);
                }
            }
            if is_last {
                return None;
            }
            budget = budget.saturating_mul(FACTOR);
        }
    }

    /// Searches for a property with all threads, within a number of states and the memory that the
    /// other attempts leave. The engines that decide it on their own have their share. A reason ends the
    /// check.
    fn search_by_all(&mut self, index: usize, states: Option<u64>, most: Option<u64>) -> Option<Stop> {
        let Question { model, config, properties, .. } = self.judge.question;
        let memory = config.limits.memory.map(|memory| memory.saturating_sub(self.held()));
        let config = Config { limits: Limits { memory, ..config.limits }, ..config.clone() };
        let mut monitor = EnginesBeside::new(self, index);
        let runs = check_within(model, &config, &properties[index], states, most, &mut monitor);
        let searched = monitor.states;
        if runs.incomplete == Some(Stop::Memory)
            && let Some(stop) = self.continue_engines(searched)
        {
            // What the search covered is reported.
            if self.judge.is_undecided(index) {
                self.judge.decided[index] = Some(runs);
            }
            return Some(stop);
        }
        if !self.judge.is_undecided(index) {
            return None;
        }
        let stop = runs.stop;
        let is_open = most.is_some() && runs.incomplete == Some(Stop::States) && runs.violations.is_empty();
        if stop.is_some() || !is_open {
            self.judge.decided[index] = Some(runs);
        }
        stop
    }
}
