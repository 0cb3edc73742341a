//! One attempt of a race: its share, its search and its progress.
//!
//! *Entry point:* [`Lane`].
//! *Invariant:* a share is paid once for each state of the leading search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axle_coroutine::{Coroutine, Unit};
use axle_search::Progress;

use crate::plan::attempt::{Attempt, Fraction, Kind, LARGE, PATH_ENDS, Share, Target};
use crate::race::lanes::Judge;
use crate::race::log::EntryId;

/// Slices without anything new after which a depth-first hunter ends if the leading search is large.
/// Each slice follows a pause at twice as many states.
const EXHAUSTED: u32 = 3;

/// An attempt and its progress.
pub(crate) struct Lane<'scope, 'e, A> {
    pub attempt: Attempt,
    /// Its share beside the leading attempt.
    fraction: Fraction,
    pub state: State<'scope, 'e, A>,
    /// The states of the leading search up to which the attempt has its share.
    paid: u64,
    /// Slices that found nothing new, in a row.
    idle: u32,
    /// As of its last message.
    pub progress: Progress,
    /// Statements that a hunter has taken, and those and its depth at the last pause.
    pub statements: Arc<AtomicU64>,
    known: (u64, u64),
    /// The formulas whose bad prefixes the present search looks for, by their numbers.
    pub hunted: Vec<usize>,
    pub log: Option<EntryId>,
}

/// The search of an attempt.
pub(crate) enum State<'scope, 'e, A> {
    Waiting,
    Running(Coroutine<'scope, 'e, A>),
    Ended,
}

impl<A> Lane<'_, '_, A> {
    /// An attempt that has not started; none if it does not run beside the leading one.
    pub fn new(attempt: &Attempt) -> Option<Self> {
        match attempt.share {
            Share::Property(fraction) | Share::Fraction(fraction) => Some(Lane::with(attempt, fraction)),
            _ => None,
        }
    }

    /// An attempt without others.
    pub fn alone(attempt: &Attempt) -> Self {
        Lane::with(attempt, Fraction { first: 0, later: 0, large: LARGE, least: 0 })
    }

    fn with(attempt: &Attempt, fraction: Fraction) -> Self {
        // Engines that decide on their own are paid from their start on: a search that ends soon after it
        // is not to wait for them.
        let paid = if attempt.kind == Kind::Whole { attempt.start } else { 0 };
        Lane {
            attempt: attempt.clone(),
            fraction,
            state: State::Waiting,
            paid,
            idle: 0,
            progress: Progress::default(),
            statements: Arc::default(),
            known: (0, 0),
            hunted: Vec::new(),
            log: None,
        }
    }

    /// Bytes that its search holds.
    pub fn memory(&self) -> u64 {
        match &self.state {
            State::Running(search) => search.memory,
            State::Waiting | State::Ended => 0,
        }
    }

    /// What its work is counted in.
    pub fn unit(&self) -> Unit {
        match self.attempt.kind {
            Kind::Walks(_) => Unit::Steps,
            Kind::Whole => Unit::Work,
            _ => Unit::States,
        }
    }

    /// Whether it is the exact search for a property.
    pub fn is_for_one_property(&self) -> bool {
        matches!(self.attempt.target, Target::Property(..))
    }

    /// Whether it runs beside the exact searches, for violations or as an engine that decides on its own. Such
    /// attempts make room before exact searches for properties.
    pub fn is_hunter(&self) -> bool {
        !self.is_for_one_property() || self.attempt.kind == Kind::Whole
    }

    /// The number of the property that it decides on its own, if it is such an engine.
    pub fn decides_property(&self) -> Option<usize> {
        match self.attempt.target {
            Target::Property(property, _) if self.attempt.kind == Kind::Whole => Some(property),
            _ => None,
        }
    }

    /// From now on its share is that of other searches, which begin with its start.
    pub fn begin_share(&mut self) {
        self.paid = self.attempt.start;
    }

    /// Whether it is a hunter of bad prefixes.
    pub fn hunts_bad_prefixes(&self) -> bool {
        matches!(self.attempt.target, Target::BadPrefixes(_))
    }

    /// Whether it is a depth-first hunter that has found nothing new for long. Its states take more
    /// memory than the rest of its share is worth; walks store none.
    pub fn is_exhausted(&self) -> bool {
        matches!(self.attempt.kind, Kind::DepthFirst(_)) && self.idle >= EXHAUSTED
    }

    /// The work for the states of the leading search since the last pause; none if it has no slice
    /// there.
    pub fn pay_at<'j>(&mut self, states: u64, judge: &impl Judge<'j>) -> Option<u64> {
        let is_due = self.attempt.start <= states && !matches!(self.state, State::Ended);
        (is_due && judge.is_open(&self.attempt)).then(|| self.pay(states))
    }

    fn pay(&mut self, states: u64) -> u64 {
        let states = match self.attempt.kind {
            Kind::SinglePath(_) => states.min(PATH_ENDS),
            _ => states,
        };
        let share = |range: u64, of: u32| {
            let thousandths = (of >> self.idle.min(31)).max(self.fraction.least);
            range.saturating_mul(u64::from(thousandths)) / 1000
        };
        let Fraction { large: from, .. } = self.fraction;
        let small = states.min(from).saturating_sub(self.paid);
        let large = states.saturating_sub(self.paid.max(from));
        let work = share(small, self.fraction.first) + share(large, self.fraction.later);
        self.paid = self.paid.max(states);
        work
    }

    /// Notes whether the last slice found something new: a statement that was not taken before, or
    /// a path twice as long as any before.
    pub fn note_news(&mut self) {
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
