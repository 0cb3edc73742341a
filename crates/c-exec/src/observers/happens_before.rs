//! Data races by the happens-before relation of C11 (5.1.2.4), for programs with atomic operations
//! weaker than `memory_order_seq_cst`. The state records the last accesses to shared memory and,
//! for each thread and each synchronisation object, the set of recorded accesses that happen before
//! its next operation.
//!
//! *Entry points:* [`Machine::track`] (an access), [`Machine::track_atomic`],
//! [`Machine::track_fence`], [`Machine::track_acquire`] and [`Machine::track_release`] (locks),
//! [`Machine::prune_accesses`] (at the end of a transition).
//! *Source:* C11 5.1.2.4 and 7.17.3-4; Flanagan and Freund, "FastTrack", PLDI 2009 (last accesses
//! instead of all); Boehm and Adve, "Foundations of the C++ concurrency memory model", PLDI 2008
//! (theorems on race-free programs). *Representation:* a set of accesses is a bit set, not a vector
//! of counters. Bits have no history, so states that agree on all future decisions are equal, and
//! the state space stays finite.
//! *Soundness:* a reported race is a pair of conflicting accesses, not both atomic, of a
//! sequentially consistent execution, that happens-before does not order. Every such execution is
//! allowed by C11.
//! *Completeness:* for sequentially consistent executions. Let e be one up to its first race.
//! Non-atomic accesses of e commute to the preceding scheduling point of their thread without a
//! change of happens-before (`transactions.rs`), so the search contains an execution with the same
//! synchronisation order, and the relation does not depend on more. An access A is dropped for a
//! later access B only where A happens before B, B covers its bytes, and whatever conflicts with A
//! conflicts with B: an access after A that is not ordered after A is not ordered after B either.
//! Accesses that no other running thread can conflict with are dropped at the end of a transition.
//! *Acquire and release only:* the check of adjacent accesses (`races.rs`) is complete where every
//! atomic store releases and every atomic load acquires: the events that happen before either
//! access form an execution of their own, in which each load reads the same store, and which ends
//! with both accesses enabled. With relaxed operations a load may depend on a store that does not
//! happen before it, so the check of adjacent accesses misses races. *Contention:* two accesses to
//! an atomic object of which one is a write, and which happens-before does not order. An execution
//! in which at most one atomic object has contention, or in which all contention is between
//! sequentially consistent operations, is sequentially consistent: coherence orders the accesses to
//! one object together with happens-before without a cycle. Relaxed read-modify-write operations
//! that commute and whose results are unused (statistics counters) do not contend with each other.
//! [`Contention`] decides between *holds* and *unknown*.
//! *Invariant:* the bit sets refer to `accesses` of the same state; a thread's own accesses are in
//! its set.

use axle_c::code::Order;

use crate::observers::recorders::Machine;
use crate::state::access::Span;
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::RaceAccess;
use crate::state::program_state::{ObjectKind, Thread};
use crate::state::recorded_accesses::{Accesses, Kind, Recorded, Release, View, holds, renumbered};
use crate::state::value::{Place, UNDEFINED};

/// Accesses that a state records.
const MOST: usize = 128;

/// The error of a state that would record more.
pub(crate) const TOO_MANY: ErrorKind =
    ErrorKind::Limit("more than 128 accesses whose order decides about data races");

impl Machine<'_> {
    fn view(&mut self, t: usize) -> &mut View {
        &mut self.state.threads[t].view
    }

    /// The thread that makes a step accesses memory that is not atomic.
    pub(crate) fn track(&mut self, (object, offset): Place, size: u32, write: bool) {
        if !self.tracks || !self.is_shared(object) {
            return;
        }
        let from = offset.max(0) as u32;
        let span = Span { object, from, to: from.saturating_add(size), write };
        self.track_span(span, Kind::default());
        if write {
            let within = |place: &Place| place.0 == object && (from..span.to).contains(&(place.1 as u32));
            self.state.happens_before.releases.retain(|release| !within(&release.place));
        }
    }

    /// An object becomes known to other threads: its defined bytes were written before, by this
    /// thread.
    pub(crate) fn track_initialisation(&mut self, object: u32) {
        if !self.tracks || self.running() < 2 {
            return;
        }
        let Some(&found) = self.object(object) else { return };
        if !matches!(found.kind, ObjectKind::Heap | ObjectKind::Stack) {
            return;
        }
        let (start, size) = (found.start as usize, found.size as usize);
        let mut at = 0;
        while at < size {
            let length = (at..size).take_while(|&byte| self.state.tags[start + byte] != UNDEFINED).count();
            if length > 0 {
                let span = Span { object, from: at as u32, to: (at + length) as u32, write: true };
                self.track_span(span, Kind::default());
            }
            at += length + 1;
        }
    }

    /// The thread that makes a step has made an atomic access: with the order of its load, and of
    /// its store.
    pub(crate) fn track_atomic(
        &mut self,
        place: Place,
        size: u32,
        (load, store): (Option<Order>, Option<Order>),
        counter: bool,
    ) {
        if !self.tracks || !self.is_shared(place.0) {
            return;
        }
        let t = self.mover;
        let from = place.1.max(0) as u32;
        let write = store.is_some();
        let weak = [load, store].into_iter().flatten().any(|order| order != Order::SeqCst);
        let kind = Kind { atomic: true, weak, counter };
        self.track_span(Span { object: place.0, from, to: from.saturating_add(size), write }, kind);
        let releases = &self.state.happens_before.releases;
        let released = releases.iter().filter(|r| r.place == place).fold(0, |set, r| set | r.seen);
        if let Some(order) = load {
            let view = self.view(t);
            view.pending |= released;
            if order.acquires() {
                view.seen |= released;
            }
        }
        let Some(order) = store else { return };
        let (me, view) = (self.state.threads[t].object, *self.view(t));
        let headed = if order.releases() { view.seen } else { view.fenced };
        let releases = &mut self.state.happens_before.releases;
        let overlaps = |other: Place| other.0 == place.0 && (from..from + size).contains(&(other.1 as u32));
        // A store ends the release sequences of other threads, a read-modify-write continues them
        // (5.1.2.4p10).
        releases.retain(|release| match release.place == place {
            true => load.is_some() || release.thread == me,
            false => !overlaps(release.place),
        });
        match releases.iter_mut().find(|release| release.place == place && release.thread == me) {
            Some(mine) => mine.seen |= headed,
            None => releases.push(Release { place, thread: me, seen: headed }),
        }
    }

    /// `atomic_thread_fence` (C11 7.17.4).
    pub(crate) fn track_fence(&mut self, t: usize, order: Order) {
        if !self.tracks {
            return;
        }
        let view = self.view(t);
        if order.acquires() {
            view.seen |= view.pending;
        }
        if order.releases() {
            view.fenced = view.seen;
        }
    }

    /// The thread has taken what others released: a lock, a semaphore, the end of an
    /// initialisation.
    pub(crate) fn track_acquire(&mut self, t: usize, place: Place) {
        let releases = &self.state.happens_before.releases;
        let released = releases.iter().filter(|r| r.place == place).fold(0, |set, r| set | r.seen);
        self.view(t).seen |= released;
    }

    /// The thread releases to the next threads that acquire the lock.
    pub(crate) fn track_release(&mut self, t: usize, place: Place) {
        if !self.tracks {
            return;
        }
        let seen = self.view(t).seen;
        let releases = &mut self.state.happens_before.releases;
        match releases.iter_mut().find(|release| release.place == place && release.thread == 0) {
            Some(known) => known.seen |= seen,
            None => releases.push(Release { place, thread: 0, seen }),
        }
    }

    /// What one thread has done happens before what another does next.
    pub(crate) fn track_order(&mut self, first: usize, then: usize) {
        let seen = self.state.threads[first].view.seen;
        self.view(then).seen |= seen;
    }

    /// Threads that meet at a barrier.
    pub(crate) fn track_meeting(&mut self, together: &[usize]) {
        let seen = together.iter().fold(0, |set, &t| set | self.state.threads[t].view.seen);
        together.iter().for_each(|&t| self.view(t).seen |= seen);
    }

    /// The call gives information about a lock without synchronisation: an attempt, or a look at a
    /// semaphore. It counts as an atomic object with contention.
    pub(crate) fn track_attempt(&mut self) {
        if self.tracks {
            self.observer.contention.add((u32::MAX, 0));
        }
    }

    fn track_span(&mut self, span: Span, kind: Kind) {
        let t = self.mover;
        let (me, seen) = (self.state.threads[t].object, self.view(t).seen);
        let mut own = 0;
        for index in 0..self.state.happens_before.accesses.len() {
            let known = self.state.happens_before.accesses[index];
            let is_seen = seen >> index & 1 == 1;
            if is_seen {
                let covers = span.object == known.span.object
                    && span.from <= known.span.from
                    && known.span.to <= span.to
                    && (span.write || !known.span.write)
                    && kind.covers(known.kind);
                own |= Accesses::from(covers) << index;
            } else if known.span.conflicts(&span) {
                self.note_conflict(t, &span, kind, &known);
            }
        }
        self.retain_accesses(|index, _| own >> index & 1 == 0);
        // A single thread is ordered with all that comes.
        if self.running() < 2 {
            return;
        }
        let new = Recorded { span, kind, thread: me, site: self.site };
        let seen = self.view(t).seen;
        let accesses = &mut self.state.happens_before.accesses;
        let joins = |(index, known): &(usize, &mut Recorded)| {
            seen >> index & 1 == 1
                && known.site == new.site
                && known.thread == me
                && known.kind == kind
                && known.span.object == span.object
                && known.span.write == span.write
                && (known.span.to == span.from || known.span.from == span.to)
        };
        // The elements of an array, one after the other: one access, where no other thread has seen
        // a part of it.
        let neighbour = accesses.iter_mut().enumerate().find(joins).map(|(index, _)| index);
        let others = |index: usize| {
            let threads = self.state.threads.iter().enumerate();
            threads.filter(|(u, _)| *u != t).any(|(_, other)| holds(&other.view, index))
                || self.state.happens_before.releases.iter().any(|release| release.seen >> index & 1 == 1)
                || self.state.threads[t].view.fenced >> index & 1 == 1
        };
        if let Some(index) = neighbour.filter(|&index| !others(index)) {
            let known = &mut self.state.happens_before.accesses[index].span;
            (known.from, known.to) = (known.from.min(span.from), known.to.max(span.to));
            return;
        }
        let index = self.state.happens_before.accesses.len();
        if index >= MOST {
            self.observer.overflowed = true;
            return;
        }
        self.state.happens_before.accesses.push(new);
        self.view(t).seen |= 1 << index;
    }

    /// A conflict that happens-before does not order: a data race, or contention.
    fn note_conflict(&mut self, t: usize, span: &Span, kind: Kind, known: &Recorded) {
        if kind.atomic && known.kind.atomic {
            if kind.counter && known.kind.counter {
                return;
            }
            let is_static = (span.object as usize) <= self.program.statics.len();
            // Which dynamic object it is may differ: it counts as two.
            let place = (span.object, span.from as i32);
            self.observer.contention.add(place);
            if !is_static || span.from != known.span.from {
                self.observer.contention.add((u32::MAX, 1));
                self.observer.contention.add((u32::MAX, 2));
            }
            if self.observer.contention.weak.is_none() {
                self.observer.contention.weak = match (kind.weak, known.kind.weak) {
                    (true, _) => Some(self.site),
                    (_, true) => Some(known.site),
                    _ => None,
                };
            }
            return;
        }
        let error = self.race_error(span);
        let mut error_site = self.error_site(t, error);
        let other = self.state.threads.iter().position(|thread| thread.object == known.thread);
        let number = other.map_or(u32::MAX, |other| self.visible_number(other));
        // Relaxed operations may enforce the order of the two accesses in every sequentially
        // consistent execution.
        let pair = [
            RaceAccess::new(error_site.thread, self.site, span, kind.atomic),
            RaceAccess::new(number, known.site, &known.span, known.kind.atomic),
        ];
        let pair = pair.map(|access| RaceAccess { adjacent: false, ..access });
        error_site.accesses = Some(Box::new(pair));
        self.defer_error(error_site);
    }

    fn race_error(&self, span: &Span) -> ErrorKind {
        let what = crate::names::place_name(self, span.object, span.from as i32, span.to - span.from);
        ErrorKind::Race(what)
    }

    /// Keeps some accesses, and renumbers the bits of the others away.
    fn retain_accesses(&mut self, keep: impl Fn(usize, &Recorded) -> bool) {
        let accesses = &self.state.happens_before.accesses;
        let kept: Vec<usize> = (0..accesses.len()).filter(|&index| keep(index, &accesses[index])).collect();
        if kept.len() == accesses.len() {
            return;
        }
        self.state.happens_before.accesses = kept.iter().map(|&index| accesses[index]).collect();
        for thread in &mut self.state.threads {
            thread.view = thread.view.renumbered(&kept);
        }
        for release in &mut self.state.happens_before.releases {
            release.seen = renumbered(release.seen, &kept);
        }
    }

    /// Forgets accesses that cannot be part of a race any more: of objects that are gone, and those
    /// that every running thread that may still conflict has seen. Says whether the state records
    /// too many.
    pub(crate) fn prune_accesses(&mut self) -> Result<(), ErrorKind> {
        if !self.tracks {
            return Ok(());
        }
        if std::mem::take(&mut self.observer.overflowed) {
            return Err(TOO_MANY);
        }
        let statics = self.program.statics.len();
        let exists = |object: u32| {
            (object as usize) <= statics
                || self
                    .object(object)
                    .is_some_and(|found| matches!(found.kind, ObjectKind::Heap | ObjectKind::Stack))
        };
        let kept: Vec<bool> = (self.state.happens_before.accesses.iter().enumerate())
            .map(|(index, known)| {
                let may = |thread: &Thread| {
                    !thread.ended
                        && thread.view.seen >> index & 1 == 0
                        && self.may_conflict(thread, &known.span)
                };
                exists(known.span.object) && self.state.threads.iter().any(may)
            })
            .collect();
        self.state.happens_before.releases.retain(|release| {
            (release.place.0 as usize) <= statics || {
                let index = release.place.0 as usize - statics - 1;
                self.state
                    .objects
                    .get(index)
                    .is_some_and(|found| matches!(found.kind, ObjectKind::Heap | ObjectKind::Stack))
            }
        });
        self.retain_accesses(|index, _| kept[index]);
        self.state.happens_before.releases.retain(|release| release.seen != 0);
        Ok(())
    }

    /// Whether a thread may still make an access that conflicts; see `locksets.rs`.
    fn may_conflict(&self, thread: &Thread, span: &Span) -> bool {
        let futures = &self.program.futures;
        let Some(index) = futures.index(span.object).filter(|_| self.settings.locksets) else { return true };
        let last = thread.frames.len().wrapping_sub(1);
        thread.frames.iter().enumerate().any(|(depth, frame)| {
            let pc = frame.pc + u32::from(depth != last);
            futures.may(frame.code, pc, index, 0, true)
                || span.write && futures.may(frame.code, pc, index, 0, false)
        })
    }
}
