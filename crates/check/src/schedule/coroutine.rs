//! Searches that are paused and resumed: each executes on a thread of its own, one slice at a time.
//!
//! A search polls its monitor. The monitor of a coroutine counts the work of its search and, at the
//! end of a slice, blocks until the next slice is granted. Every search can therefore be paused
//! without a change of the search, and keeps its stack, states and paths.
//!
//! *Entry points:* [`Coroutine::start`], [`Coroutine::resume`], [`Coroutine::next`].
//! *Source:* M. E. Conway, Design of a separable transition-diagram compiler, CACM 1963.
//! *Invariant:* slices count work and not time, so a search is paused at the same states in every
//! run. A search that is dropped ends before its owner continues.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use axle_search::{Monitor, Progress, Stop};
use axle_step::{Cut, Interrupt};

/// Stack of a coroutine, as large as that of a main thread on most systems.
const STACK: usize = 8 << 20;

/// Work between two messages about the progress of a slice.
const TICK: u64 = 1 << 14;

/// What a coroutine reports.
pub(crate) enum Event<T> {
    /// The slice continues.
    Progress(Progress),
    /// The slice ended; the search waits for the next one.
    Paused(Progress),
    /// The search ended with this result.
    Ended(T),
}

/// A request to end the search, for the reason that a monitor gave.
#[derive(Clone, Default)]
struct Cancel(Arc<AtomicU8>);

impl Cancel {
    fn set(&self, stop: Stop) {
        self.0.store(if stop == Stop::Time { 1 } else { 2 }, Ordering::Relaxed);
    }

    fn get(&self) -> Option<Cut> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Cut::Time),
            _ => Some(Cut::Interrupted),
        }
    }
}

/// A search that is executed in slices.
pub(crate) struct Coroutine<T> {
    grants: Option<Sender<u64>>,
    events: Receiver<Event<T>>,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
    /// Bytes that the search holds according to its last message.
    pub memory: u64,
    /// The longest path so far according to the messages.
    pub deepest: u64,
}

impl<T: Send + 'static> Coroutine<T> {
    /// A search that waits for its first slice; none if the system has no thread for it.
    pub fn start(
        interrupt: Interrupt,
        search: impl FnOnce(&mut Slice<T>) -> T + Send + 'static,
    ) -> Option<Coroutine<T>> {
        let (grants, granted) = channel();
        let (told, events) = channel();
        let cancel = Cancel::default();
        let mut slice = Slice {
            grants: granted,
            events: told,
            cancel: cancel.clone(),
            interrupt,
            left: 0,
            last: 0,
            untold: 0,
            counts_steps: false,
        };
        let body = move || {
            let Ok(first) = slice.grants.recv() else { return };
            slice.left = first;
            let result = search(&mut slice);
            slice.tell(Event::Ended(result));
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(body).ok()?;
        Some(Coroutine { grants: Some(grants), events, cancel, thread: Some(thread), memory: 0, deepest: 0 })
    }

    /// Grants a slice of so many units of work.
    pub fn resume(&self, work: u64) {
        if let Some(grants) = &self.grants {
            // If the search has ended, its last event says so.
            let _ = grants.send(work);
        }
    }

    /// The next event of the slice. A panic of the search continues in the owner.
    pub fn next(&mut self) -> Event<T> {
        let event = match self.events.recv() {
            Ok(event) => event,
            Err(_) => match self.thread.take().map(JoinHandle::join) {
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                Some(Ok(())) | None => unreachable!("a search ends with an event"),
            },
        };
        if let Event::Progress(progress) | Event::Paused(progress) = &event {
            self.memory = progress.memory;
            self.deepest = self.deepest.max(progress.depth);
        }
        event
    }

    /// Ends the search for this reason: its result is the next one that is not a progress report.
    pub fn cancel(&mut self, stop: Stop) {
        self.cancel.set(stop);
        self.grants = None;
    }
}

impl<T> Drop for Coroutine<T> {
    fn drop(&mut self) {
        self.cancel.set(Stop::Interrupted);
        self.grants = None;
        if let Some(thread) = self.thread.take() {
            // A search whose result is not needed has no panic to report either.
            let _ = thread.join();
        }
    }
}

/// The monitor of a search in a coroutine.
pub(crate) struct Slice<T> {
    grants: Receiver<u64>,
    events: Sender<Event<T>>,
    cancel: Cancel,
    /// The cancellation callback of the check.
    interrupt: Interrupt,
    /// Work that is left of the slice.
    left: u64,
    /// Work of the current search at the last poll.
    last: u64,
    /// Work since the last message.
    untold: u64,
    /// Work is counted in steps rather than in states.
    pub counts_steps: bool,
}

impl<T> Slice<T> {
    /// Reports an event to the owner.
    fn tell(&self, event: Event<T>) {
        // An owner that has dropped the coroutine receives nothing; the cancellation ends the search.
        let _ = self.events.send(event);
    }
}

impl<T> Monitor for Slice<T> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        if let Some(cut) = self.cancel.get().or_else(|| self.interrupt.ask()) {
            return Some(cut.into());
        }
        let now = if self.counts_steps { progress.transitions } else { progress.states };
        // A lower number is that of another search, after a change of the graph for example.
        let done = if now >= self.last { now - self.last } else { now };
        self.last = now;
        self.untold += done;
        if done < self.left {
            self.left -= done;
            if self.untold >= TICK {
                self.untold = 0;
                self.tell(Event::Progress(*progress));
            }
            return None;
        }
        self.untold = 0;
        self.tell(Event::Paused(*progress));
        match self.grants.recv() {
            Ok(work) => {
                self.left = work;
                None
            }
            Err(_) => Some(self.cancel.get().map_or(Stop::Interrupted, Stop::from)),
        }
    }

    fn interrupt(&self) -> Interrupt {
        let (cancel, interrupt) = (self.cancel.clone(), self.interrupt.clone());
        Interrupt::new(move || cancel.get().or_else(|| interrupt.ask()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(states: u64) -> Progress {
        Progress { states, expanded: 0, transitions: 0, depth: 0, violations: 0, memory: 8 * states }
    }

    /// A search that polls once for each state up to a number of states.
    fn counting(states: u64) -> Coroutine<Result<u64, Stop>> {
        let search = move |slice: &mut Slice<_>| {
            let ended = (1..=states).find_map(|state| slice.watch(&progress(state)));
            ended.map_or(Ok(states), Err)
        };
        Coroutine::start(Interrupt::default(), search).expect("a thread")
    }

    #[test]
    fn a_search_is_paused_after_its_slice_and_resumed_there() {
        let mut search = counting(25);
        for end in [10, 20] {
            search.resume(10);
            assert!(matches!(search.next(), Event::Paused(progress) if progress.states == end));
            assert_eq!(search.memory, 8 * end);
        }
        search.resume(10);
        assert!(matches!(search.next(), Event::Ended(Ok(25))));
    }

    #[test]
    fn a_cancelled_search_reports_the_reason() {
        for stop in [Stop::Time, Stop::Interrupted] {
            let mut search = counting(1_000);
            search.resume(10);
            assert!(matches!(search.next(), Event::Paused(_)));
            search.cancel(stop);
            assert!(matches!(search.next(), Event::Ended(Err(reason)) if reason == stop));
        }
    }

    #[test]
    fn a_search_that_is_dropped_ends() {
        drop(counting(u64::MAX));
        let mut search = counting(u64::MAX);
        search.resume(10);
        assert!(matches!(search.next(), Event::Paused(_)));
        drop(search);
    }
}
