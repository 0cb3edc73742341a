//! Transactions: merges all steps of a thread between two scheduling points (lock operations,
//! joins, atomic accesses, input) into one transition, including non-atomic accesses to shared
//! memory.
//!
//! *Entry points:* [`Machine::touch`], [`Machine::end_of_object`].
//! *Source:* Flanagan and Qadeer, "Transactions for Software Model Checking", SPIN 2003; Adve and
//! Hill, "Weak ordering: a new definition", ISCA 1990; Musuvathi and Qadeer, "Iterative context
//! bounding", PLDI 2007, section 3.1. *Idea:* in a program without data races no thread observes
//! when another makes its non-atomic accesses between two scheduling points. A state records for
//! each thread the non-atomic accesses since its last scheduling point; every access of another
//! thread is compared with them.
//! *Soundness:* every reported race exists. Let thread u have made the access a since its
//! scheduling point, and let v make the conflicting b. All that u did since commutes with the steps
//! of the others, or an earlier conflict would have been found. So an execution exists in which a
//! is enabled when v makes b. If both access bytes, that is a data race; if b ends the lifetime of
//! the object, a comes after that end in this execution.
//! *Completeness:* let e be an execution up to its first race or error. Every non-atomic access in
//! e commutes backwards to the preceding scheduling point of its thread. The reduced search
//! therefore contains an execution with the same order of scheduling points, in which each thread
//! is where e has it or further on in the same transaction. At a conflict of a and b the thread
//! whose scheduling point came first has its access in the log when the other makes the second. The
//! log is cleared at the next scheduling point, because an order in which the conflicting access
//! comes before it is explored as well. For the same reason the end of a thread with a log is a
//! scheduling point, and a thread that creates another while it is alone clears its log. An
//! additional scheduling point, as where a log is full, does no harm. *Not applied:* where a lock
//! is accessed as ordinary memory (a structure that contains it is copied),
//! [`ErrorKind::MixedLockAccess`] ends the search, and it is repeated without transactions. The
//! same holds where races are not reported, where all violations are requested, for formulas, and
//! with sections of `__VERIFIER_atomic`.
//! *Invariant:* a program has a violation with transactions if and only if it has one without.

use axle_c::Program;
use axle_c::code::Op;
use axle_c::library::Operation;

use crate::observers::recorders::Machine;
use crate::state::access::{LoggedAccess, Span};
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::{ErrorSite, RaceAccess};
use crate::state::outcome::{Choice, Done, Outcome};
use crate::state::program_state::Thread;
use crate::state::value::Place;

/// Accesses of an access log; a full log ends the transaction.
const MOST: usize = 64;

/// Whether transactions apply: not in programs with atomic sections.
#[must_use]
pub fn applies(program: &Program) -> bool {
    !program.codes.iter().any(|code| code.atomic) && !program.may_perform(Operation::AtomicSection)
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
    /// Whether the access log of the thread has room.
    pub fn has_room(&self) -> bool {
        self.access_log.len() < MOST
    }
}

impl Machine<'_> {
    /// Whether accesses are followed.
    #[inline]
    pub(crate) fn transactions(&self) -> bool {
        self.settings.transactions && self.settings.races && self.state.threads.len() > 1
    }

    /// Whether non-atomic accesses of the thread are merged.
    #[inline]
    pub(crate) fn merges_accesses(&self, t: usize) -> bool {
        self.transactions() && self.state.threads[t].has_room()
    }

    /// A visible transition: makes a step, and a transaction begins.
    pub(crate) fn visible_step(&mut self, t: usize, choice: Choice) -> Outcome {
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

    fn make_visible_step(&mut self, t: usize, choice: Choice) -> Outcome {
        let outcome = self.step(t, choice);
        if !matches!(outcome, Ok(Done::Next)) && (self.transactions() || self.tracks) {
            // What was not made touched nothing.
            self.observer.deferred_races.clear();
        }
        outcome
    }

    /// The thread that makes a step accesses memory.
    pub(crate) fn touch(&mut self, (object, offset): Place, size: u32, write: bool, atomic: bool) {
        if !self.transactions() || !self.is_shared(object) {
            return;
        }
        let t = self.mover;
        let from = offset.max(0) as u32;
        let span = Span { object, from, to: from.saturating_add(size), write };
        self.observer.depends_on_access_logs(span);
        let found = self.conflicting_accesses(t, &span);
        let own = RaceAccess::new(self.visible_number(t), self.site, &span, atomic);
        for (other, known) in found {
            let op = self.next_op(t);
            let is_lock = atomic && matches!(op, Some(Op::Lib { lib, .. }) if lib.synchronises());
            let error = match is_lock {
                true => ErrorKind::MixedLockAccess,
                false => ErrorKind::Race(crate::names::place_name(self, object, offset, size)),
            };
            let mut error_site = self.error_site(t, error);
            error_site.accesses = Some(Box::new([own, self.logged(other, &known)]));
            self.defer_error(error_site);
        }
        if self.invisible && !atomic && self.is_seen(t, object, write) {
            let touch = LoggedAccess { span, site: self.site };
            add(&mut self.state.threads[t].access_log, touch);
        }
    }

    /// An automatic object ceases to exist.
    pub(crate) fn end_of_object(&mut self, object: u32) {
        if self.state.done || !self.transactions() || !self.is_shared(object) {
            return;
        }
        let size = self.object(object).map_or(0, |object| object.size);
        let span = Span { object, from: 0, to: size.max(1), write: true };
        self.observer.depends_on_access_logs(span);
        for (other, known) in self.conflicting_accesses(self.mover, &span) {
            let RaceAccess { code, pc, .. } = self.logged(other, &known);
            let error_site = self.error_at(other, ErrorKind::DanglingStack, (code, pc));
            self.defer_error(error_site);
        }
    }

    pub(crate) fn defer_error(&mut self, error_site: ErrorSite) {
        if !self.observer.deferred_races.iter().any(|known| known.site() == error_site.site()) {
            self.observer.deferred_races.push(error_site);
        }
    }

    /// An access of the access log of a thread.
    fn logged(&self, t: usize, known: &LoggedAccess) -> RaceAccess {
        RaceAccess::new(self.visible_number(t), known.site, &known.span, false)
    }

    /// Logged accesses of other threads that conflict with an access.
    fn conflicting_accesses(&self, t: usize, span: &Span) -> Vec<(usize, LoggedAccess)> {
        let mut found = Vec::new();
        for (other, thread) in self.state.threads.iter().enumerate().filter(|&(other, _)| other != t) {
            let conflict = thread.access_log.iter().find(|known| known.span.conflicts(span));
            found.extend(conflict.map(|known| (other, *known)));
        }
        found
    }
}
