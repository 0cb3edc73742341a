//! Stretches: what a thread does between two points where threads meet (locks, joins, atomic
//! accesses, input) is one step, plain accesses to shared memory included.
//!
//! *Entry points:* [`Machine::touch`], [`Machine::ends`].
//!
//! In a program without data races no thread can tell when another makes its plain accesses between
//! two such points, so it is enough to let threads take turns there (Adve and Hill, "Weak ordering:
//! a new definition", ISCA 1990; Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007,
//! section 3.1; the transactions of Flanagan and Qadeer, SPIN 2003). Whether the program has a race
//! is found on the way: a state holds for each thread the plain accesses that it made since its
//! last turn, and every access of another thread is held against them.
//!
//! **What is found is real.** Let `u` have made the access `a` since its turn, and let `v` make the
//! conflicting `b`. All that `u` did since commutes with what the others did since, or a conflict
//! would have been found before. So there is an execution in which `u` stands before `a` when `v`
//! makes `b`. Where both touch bytes and not only locks, that is a data race; where the lifetime of
//! an object ends with `b`, `a` comes after that end in this execution.
//!
//! **Nothing is missed.** Take an execution of the whole program to its first conflict of this
//! kind, or to whatever is wrong before any. Up to there each plain access commutes back to the
//! turn after which it is made, so the search without turns for plain accesses has a run with the
//! same turns. In it each thread is where the execution has it, or further on in the same stretch.
//! At a conflict of `a` and `b` neither thread has taken a turn since, so the one whose turn came
//! first has its access in its list when the other makes the second. What a thread has touched is
//! forgotten at its next turn, because an order in which the conflicting access comes before that
//! turn is followed as well; the end of a thread that has touched anything is a turn for the same
//! reason, and who creates a thread while it is alone forgets what it has touched. A turn more,
//! wherever it is taken, changes nothing of this: a list that is full ends a stretch.
//!
//! Where a lock itself is touched plainly (a structure is copied with the mutex in it), it is not
//! known what that means: [`ErrorKind::MixedLockAccess`] ends the search, and it is made anew with
//! a turn for each access. So it is where races are not to be reported, with more than the first
//! violation, for formulas, and with sections of `__VERIFIER_atomic`.
//!
//! *Invariant:* With stretches or without, a program goes wrong in both ways or in none.

use crate::code::Op;
use crate::library::{Lib, Touches, touches};
use crate::lower::Program;

use super::error_kind::ErrorKind;
use super::explore::ErrorSite;
use super::machine::{Done, Machine, Outcome, Place, Thread};
use super::races::RaceAccess;

/// Accesses that a thread's list holds; then it takes a turn.
const MOST: usize = 64;

/// Bytes that are touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    pub object: u32,
    pub from: u32,
    pub to: u32,
    pub write: bool,
}

impl Span {
    /// Whether two accesses, one of them plain, make a race.
    pub fn conflicts(&self, other: &Span) -> bool {
        self.object == other.object
            && (self.write || other.write)
            && self.from < other.to
            && other.from < self.to
    }

    fn covers(&self, other: &Span) -> bool {
        self.object == other.object
            && (self.write || !other.write)
            && self.from <= other.from
            && other.to <= self.to
    }
}

/// A plain access that a thread made since its last turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedAccess {
    pub span: Span,
    /// Where: code and step.
    pub site: u32,
}

/// Whether threads take turns only where they meet: not in programs with sections that are atomic whatever they do.
#[must_use]
pub fn applies(program: &Program) -> bool {
    let is_section = |op: &Op| matches!(op, Op::Lib { lib: Lib::AtomicBegin | Lib::AtomicEnd, .. });
    !program
        .codes
        .iter()
        .any(|code| code.name.starts_with("__VERIFIER_atomic_") || code.ops.iter().any(is_section))
}

/// Adds to a list.
pub fn add(list: &mut Vec<LoggedAccess>, new: LoggedAccess) {
    if list.iter().any(|known| known.span.covers(&new.span)) {
        return;
    }
    let joins = |known: &&mut LoggedAccess| {
        let (a, b) = (&known.span, &new.span);
        known.site == new.site
            && a.object == b.object
            && a.write == b.write
            && a.from <= b.to
            && b.from <= a.to
    };
    match list.iter_mut().find(joins) {
        Some(known) => {
            known.span.from = known.span.from.min(new.span.from);
            known.span.to = known.span.to.max(new.span.to);
        }
        None => list.push(new),
    }
}

impl Thread {
    /// Whether the thread has room for what it touches.
    pub fn has_room(&self) -> bool {
        self.access_log.len() < MOST
    }
}

impl Machine<'_> {
    /// Whether accesses are followed.
    pub(super) fn transactions(&self) -> bool {
        self.settings.transactions && self.settings.races && self.state.threads.len() > 1
    }

    /// Whether plain accesses of the thread take no turn.
    pub(super) fn merges_accesses(&self, t: usize) -> bool {
        self.transactions() && self.state.threads[t].has_room()
    }

    /// A thread's turn: makes a step, and a stretch begins.
    pub(super) fn visible_step(&mut self, t: usize, choice: u32) -> Outcome {
        if self.state.threads[t].access_log.is_empty() {
            return self.make_visible_step(t, choice);
        }
        let before = std::mem::take(&mut self.state.threads[t].access_log);
        let outcome = self.make_visible_step(t, choice);
        if !matches!(outcome, Ok(Done::Next) | Err(_)) {
            self.state.threads[t].access_log = before;
        }
        outcome
    }

    fn make_visible_step(&mut self, t: usize, choice: u32) -> Outcome {
        let outcome = self.step(t, choice);
        if !matches!(outcome, Ok(Done::Next)) && (self.transactions() || self.tracks) {
            // What was not made touched nothing.
            self.deferred_races.clear();
        }
        outcome
    }

    /// The thread that makes a step accesses memory.
    pub(super) fn touch(&mut self, (object, offset): Place, size: u32, write: bool, atomic: bool) {
        if !self.transactions() || !self.is_shared(object) {
            return;
        }
        let t = self.mover;
        let from = offset.max(0) as u32;
        let span = Span { object, from, to: from.saturating_add(size), write };
        self.depends_on_access_logs(span);
        let found = self.conflicting_accesses(t, &span);
        let own = RaceAccess::new(self.visible_number(t), self.site, &span, atomic);
        for (other, known) in found {
            let op = self.next_op(t);
            let is_lock = atomic
                && matches!(op, Some(Op::Lib { lib, .. }) if matches!(touches(*lib), Touches::Synchronisation | Touches::Both));
            let error = match is_lock {
                true => ErrorKind::MixedLockAccess,
                false => ErrorKind::Race(super::names::place_name(self, object, offset, size)),
            };
            let mut error_site = self.error_site(t, error);
            error_site.accesses = Some([own, self.logged(other, &known)]);
            self.defer_error(error_site);
        }
        if self.invisible && !atomic && self.is_seen(t, object, write) {
            let touch = LoggedAccess { span, site: self.site };
            add(&mut self.state.threads[t].access_log, touch);
        }
    }

    /// An automatic object ceases to exist.
    pub(super) fn ends(&mut self, object: u32) {
        if self.state.done || !self.transactions() || !self.is_shared(object) {
            return;
        }
        let size = self.object(object).map_or(0, |object| object.size);
        let span = Span { object, from: 0, to: size.max(1), write: true };
        self.depends_on_access_logs(span);
        for (other, known) in self.conflicting_accesses(self.mover, &span) {
            let RaceAccess { thread, code, pc, .. } = self.logged(other, &known);
            let error = ErrorKind::DanglingStack;
            self.defer_error(ErrorSite { error, thread, code, pc, accesses: None, during: None });
        }
    }

    pub(super) fn defer_error(&mut self, error_site: ErrorSite) {
        if !self.deferred_races.iter().any(|known| known.identity() == error_site.identity()) {
            self.deferred_races.push(error_site);
        }
    }

    /// An access of the access log of a thread.
    fn logged(&self, t: usize, known: &LoggedAccess) -> RaceAccess {
        RaceAccess::new(self.visible_number(t), known.site, &known.span, false)
    }

    /// What other threads have touched since their last turns that conflicts with an access.
    fn conflicting_accesses(&self, t: usize, span: &Span) -> Vec<(usize, LoggedAccess)> {
        let mut found = Vec::new();
        for (other, thread) in self.state.threads.iter().enumerate().filter(|&(other, _)| other != t) {
            let conflict = thread.access_log.iter().find(|known| known.span.conflicts(span));
            found.extend(conflict.map(|known| (other, *known)));
        }
        found
    }
}
