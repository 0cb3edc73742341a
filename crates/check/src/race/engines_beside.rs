//! Engines that decide a property on their own, beside the search for it by all threads.
//!
//! The threads do not pause: the monitor that they poll runs the slices of the engines, each time the states of
//! the search have doubled.
//!
//! *Entry point:* [`EnginesBeside`].
//! *Invariant:* the search is interrupted only if an engine has decided the property, or the check is stopped.

use axle_outcome::Count;
use axle_search::{Checkpoints, Monitor, Progress, Stop};
use axle_step::Interrupt;

use crate::race::lanes::Lanes;
use crate::race::models::ModelJudge;

/// States of the search at which engines are asked first.
const FIRST: u64 = 1 << 20;

/// The monitor of a search for a property by all threads.
pub(super) struct EnginesBeside<'l, 'scope, 'e> {
    lanes: &'l mut Lanes<'scope, 'e, ModelJudge<'e>>,
    /// The number of the property.
    property: usize,
    /// The states at which the next slices are due.
    next: u64,
    /// The states of the search so far.
    pub states: u64,
}

impl<'l, 'scope, 'e: 'scope> EnginesBeside<'l, 'scope, 'e> {
    /// The monitor of the search for the property with this number.
    pub fn new(lanes: &'l mut Lanes<'scope, 'e, ModelJudge<'e>>, property: usize) -> Self {
        EnginesBeside { lanes, property, next: FIRST, states: 0 }
    }
}

impl<'e> Monitor for EnginesBeside<'_, '_, 'e> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        self.states = self.states.max(progress.states);
        if progress.states >= self.next {
            while self.next <= progress.states {
                self.next = self.next.saturating_mul(2);
            }
            let property = self.property;
            let due = self.lanes.due_of(progress.states, |lane| lane.decides_property() == Some(property));
            if let Some(stop) = self.lanes.run_slices(&due, progress) {
                return Some(stop);
            }
        }
        if !self.lanes.judge.is_undecided(self.property) {
            return Some(Stop::Interrupted);
        }
        self.lanes.monitor().watch(progress)
    }

    fn pause_at(&self) -> Option<u64> {
        self.lanes.host.as_ref().and_then(|host| host.pause_at())
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        self.lanes.monitor().pause(progress)
    }

    fn beside(&mut self, others: &[(String, Progress)]) {
        self.lanes.monitor().beside(others);
    }

    fn violated(&mut self, property: &str, message: &str) {
        self.lanes.monitor().violated(property, message);
    }

    fn holds(&mut self, property: &str) {
        self.lanes.monitor().holds(property);
    }

    fn counted(&mut self, states: &Count) {
        self.lanes.monitor().counted(states);
    }

    fn worked(&mut self, work: u64) {
        self.lanes.monitor().worked(work);
    }

    fn interrupt(&self) -> Interrupt {
        self.lanes.host.as_ref().map_or_else(Interrupt::default, |host| host.interrupt())
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        self.lanes.monitor().checkpoints()
    }
}
