//! Searches that are paused and resumed: each executes on a thread of its own, one slice at a time.
//!
//! A search polls its monitor. The monitor of a coroutine counts the work of its search and, at the
//! end of a slice, blocks until the next slice is granted. Every search can therefore be paused
//! without a change of the search, and keeps its stack, states and paths.
//!
//! The monitor of the check travels with the grant of the search that leads a race: it is polled in
//! the searching thread, and comes back with the next event. Other searches send their progress.
//!
//! *Entry points:* [`Coroutine::start`], [`Coroutine::resume`], [`Coroutine::event`].
//! *Source:* M. E. Conway, Design of a separable transition-diagram compiler, CACM 1963.
//! *Invariant:* slices count work and not time, so a search is paused at the same states in every
//! run. A search that is dropped ends before its owner continues.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

use axle_outcome::Count;
use axle_search::{Checkpoints, Monitor, Progress, Stop};
use axle_step::{Cut, Interrupt};

/// Stack of a coroutine, as large as that of a main thread on most systems.
const STACK: usize = 8 << 20;

/// Work between two messages about the progress of a slice.
const TICK: u64 = 1 << 14;

/// The work of a search that reports it, between two polls, beside the reported one: a slice ends although
/// a solver has nothing to do.
const POLL: u64 = 64;

/// The monitor of a check.
pub type Host<'e> = &'e mut dyn Monitor;

/// A slice of work.
pub enum Grant<'e> {
    /// Of the search that leads the race.
    Lead {
        /// The monitor of the check.
        host: Host<'e>,
        /// The number of states at which the search pauses; none for no pause.
        pause_at: Option<u64>,
        /// The condition under which it pauses at the next poll.
        poll: Option<Poll<'e>>,
        /// Bytes that the other searches hold.
        beside: u64,
        /// Bytes of its own from which on the others have to make room.
        room: u64,
    },
    /// So many units of work of another search.
    Work(u64),
}

/// What the work of a search is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// States that it stores.
    States,
    /// Steps that it makes, where it stores no states.
    Steps,
    /// Work that it reports itself ([`Monitor::worked`]).
    Work,
}

/// A condition on the progress of the leading search.
pub type Poll<'e> = Box<dyn Fn(&Progress) -> bool + Send + 'e>;

/// What the owner of a paused search decides.
enum Decision<'e> {
    Resume(Grant<'e>),
    End(Stop),
}

/// What a coroutine reports.
pub enum Event<T> {
    /// The slice continues.
    Progress(Progress),
    /// The slice ended; the search waits for the next one.
    Paused(Progress),
    /// The leading search waits: it needs memory that others hold.
    Crowded(Progress),
    /// The search ended with this result.
    Ended(T),
}

/// An event, and the monitor of the check if the search had it.
type Message<'e, T> = (Event<T>, Option<Host<'e>>);

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
pub struct Coroutine<'scope, 'e, T> {
    decisions: Option<Sender<Decision<'e>>>,
    events: Receiver<Message<'e, T>>,
    cancel: Cancel,
    thread: Option<ScopedJoinHandle<'scope, ()>>,
    /// The monitor of the check, between an event that returned it and the owner's request.
    host: Option<Host<'e>>,
    /// Bytes that the search holds according to its last message.
    pub memory: u64,
    /// The longest path so far according to the messages.
    pub deepest: u64,
}

impl<'scope, 'e, T: Send + 'e> Coroutine<'scope, 'e, T> {
    /// A search that waits for its first slice; none if the system has no thread for it.
    pub fn start(
        scope: &'scope Scope<'scope, 'e>,
        interrupt: Interrupt,
        unit: Unit,
        search: impl FnOnce(&mut Slice<'e, T>) -> T + Send + 'scope,
    ) -> Option<Coroutine<'scope, 'e, T>>
    where
        'e: 'scope,
    {
        let (decide, decisions) = channel();
        let (told, events) = channel();
        let cancel = Cancel::default();
        let mut slice = Slice {
            decisions,
            events: told,
            cancel: cancel.clone(),
            interrupt,
            grant: None,
            last: 0,
            untold: 0,
            unit,
            work: 0,
            polls: 0,
        };
        let body = move || {
            let Ok(Decision::Resume(first)) = slice.decisions.recv() else { return };
            slice.take(first);
            let result = search(&mut slice);
            slice.tell(Event::Ended(result));
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body).ok()?;
        Some(Coroutine {
            decisions: Some(decide),
            events,
            cancel,
            thread: Some(thread),
            host: None,
            memory: 0,
            deepest: 0,
        })
    }
}

impl<'e, T> Coroutine<'_, 'e, T> {
    /// Grants a slice.
    pub fn resume(&self, grant: Grant<'e>) {
        if let Some(decisions) = &self.decisions {
            // If the search has ended, its last event says so.
            let _ = decisions.send(Decision::Resume(grant));
        }
    }

    /// The next event of the slice. A panic of the search continues in the owner.
    pub fn event(&mut self) -> Event<T> {
        let (event, host) = match self.events.recv() {
            Ok(message) => message,
            Err(_) => match self.thread.take().map(ScopedJoinHandle::join) {
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                Some(Ok(())) | None => unreachable!("a search ends with an event"),
            },
        };
        self.host = host.or(self.host.take());
        if let Event::Progress(progress) | Event::Paused(progress) | Event::Crowded(progress) = &event {
            self.memory = progress.memory;
            self.deepest = self.deepest.max(progress.depth);
        }
        event
    }

    /// The monitor of the check, after an event of the leading search.
    pub fn host(&mut self) -> Option<Host<'e>> {
        self.host.take()
    }

    /// Ends the search for this reason: its result is the next event that is not a report.
    pub fn cancel(&mut self, stop: Stop) {
        self.cancel.set(stop);
        if let Some(decisions) = self.decisions.take() {
            // A search that waits ends; one that continues asks its cancellation callback.
            let _ = decisions.send(Decision::End(stop));
        }
    }
}

impl<T> Drop for Coroutine<'_, '_, T> {
    fn drop(&mut self) {
        self.cancel.set(Stop::Interrupted);
        self.decisions = None;
        if let Some(thread) = self.thread.take() {
            // A search whose result is not needed has no panic to report either.
            let _ = thread.join();
        }
    }
}

/// The monitor of a search in a coroutine.
pub struct Slice<'e, T> {
    decisions: Receiver<Decision<'e>>,
    events: Sender<Message<'e, T>>,
    cancel: Cancel,
    /// The cancellation callback of the check.
    interrupt: Interrupt,
    /// The slice.
    grant: Option<Grant<'e>>,
    /// Work of the current search at the last poll.
    last: u64,
    /// Work since the last message.
    untold: u64,
    unit: Unit,
    /// The work that the search has reported.
    work: u64,
    /// The number of polls.
    polls: u64,
}

impl<'e, T> Slice<'e, T> {
    /// Starts a slice.
    fn take(&mut self, grant: Grant<'e>) {
        self.grant = Some(grant);
    }

    /// Reports an event to the owner; the monitor of the check returns to it.
    fn tell(&mut self, event: Event<T>) {
        let host = match event {
            Event::Progress(_) => None,
            Event::Paused(_) | Event::Crowded(_) | Event::Ended(_) => match self.grant.take() {
                Some(Grant::Lead { host, .. }) => Some(host),
                Some(Grant::Work(_)) | None => None,
            },
        };
        // An owner that has dropped the coroutine receives nothing; the cancellation ends the search.
        let _ = self.events.send((event, host));
    }

    /// Waits for the next slice after an event; the reason if there is none.
    fn wait(&mut self, event: Event<T>) -> Option<Stop> {
        self.untold = 0;
        self.tell(event);
        match self.decisions.recv() {
            Ok(Decision::Resume(grant)) => {
                self.take(grant);
                None
            }
            Ok(Decision::End(stop)) => Some(stop),
            Err(_) => Some(self.cancel.get().map_or(Stop::Interrupted, Stop::from)),
        }
    }
}

impl<T: Send> Monitor for Slice<'_, T> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        match &mut self.grant {
            Some(Grant::Lead { host, poll, beside, room, .. }) => {
                let memory = progress.memory + *beside;
                if let Some(stop) = host.watch(&Progress { memory, ..progress.clone() }) {
                    return Some(stop);
                }
                if progress.memory > *room {
                    return self.wait(Event::Crowded(progress.clone()));
                }
                match poll {
                    Some(poll) if poll(progress) => self.wait(Event::Paused(progress.clone())),
                    Some(_) | None => None,
                }
            }
            Some(Grant::Work(left)) => {
                self.polls += 1;
                if let Some(cut) = self.cancel.get().or_else(|| self.interrupt.ask()) {
                    return Some(cut.into());
                }
                let now = match self.unit {
                    Unit::States => progress.states,
                    Unit::Steps => progress.transitions,
                    Unit::Work => self.work + POLL * self.polls,
                };
                // A lower number is that of another search, after a change of the graph for example.
                let done = if now >= self.last { now - self.last } else { now };
                self.last = now;
                self.untold += done;
                if done < *left {
                    *left -= done;
                    if self.untold >= TICK {
                        self.untold = 0;
                        self.tell(Event::Progress(progress.clone()));
                    }
                    return None;
                }
                self.wait(Event::Paused(progress.clone()))
            }
            // The search was ended while it waited.
            None => Some(self.cancel.get().map_or(Stop::Interrupted, Stop::from)),
        }
    }

    fn pause_at(&self) -> Option<u64> {
        match &self.grant {
            Some(Grant::Lead { pause_at, .. }) => *pause_at,
            Some(Grant::Work(_)) | None => None,
        }
    }

    fn pause(&mut self, progress: &Progress) -> Option<Stop> {
        self.wait(Event::Paused(progress.clone()))
    }

    fn counted(&mut self, states: &Count) {
        if let Some(Grant::Lead { host, .. }) = &mut self.grant {
            host.counted(states);
        }
    }

    fn worked(&mut self, work: u64) {
        self.work = work;
    }

    fn interrupt(&self) -> Interrupt {
        let (cancel, interrupt) = (self.cancel.clone(), self.interrupt.clone());
        Interrupt::new(move || cancel.get().or_else(|| interrupt.ask()))
    }

    fn checkpoints(&mut self) -> Option<&mut dyn Checkpoints> {
        match &mut self.grant {
            Some(Grant::Lead { host, .. }) => host.checkpoints(),
            Some(Grant::Work(_)) | None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use axle_search::Silent;

    use super::*;

    fn progress(states: u64) -> Progress {
        Progress {
            states,
            expanded: 0,
            transitions: 0,
            depth: 0,
            violations: 0,
            memory: 8 * states,
            ..Progress::default()
        }
    }

    type Counted = Result<u64, Stop>;

    /// A search that polls once for each state up to a number of states.
    fn counting<'scope, 'e>(scope: &'scope Scope<'scope, 'e>, states: u64) -> Coroutine<'scope, 'e, Counted> {
        let search = move |slice: &mut Slice<'e, Counted>| {
            let ended = (1..=states).find_map(|state| {
                let at = progress(state);
                let pauses = slice.pause_at().is_some_and(|pause| state >= pause);
                slice.watch(&at).or_else(|| if pauses { slice.pause(&at) } else { None })
            });
            ended.map_or(Ok(states), Err)
        };
        Coroutine::start(scope, Interrupt::default(), Unit::States, search).expect("a thread")
    }

    #[test]
    fn a_search_is_paused_after_its_slice_and_resumed_there() {
        std::thread::scope(|scope| {
            let mut search = counting(scope, 25);
            for end in [10, 20] {
                search.resume(Grant::Work(10));
                assert!(matches!(search.event(), Event::Paused(progress) if progress.states == end));
                assert_eq!(search.memory, 8 * end);
            }
            search.resume(Grant::Work(10));
            assert!(matches!(search.event(), Event::Ended(Ok(25))));
        });
    }

    #[test]
    fn a_search_without_work_is_paused_too() {
        std::thread::scope(|scope| {
            let search = |slice: &mut Slice<'_, Counted>| loop {
                if let Some(stop) = slice.watch(&progress(0)) {
                    return Err(stop);
                }
            };
            let started = Coroutine::start(scope, Interrupt::default(), Unit::Work, search);
            let mut search = started.expect("a thread");
            search.resume(Grant::Work(1_000));
            assert!(matches!(search.event(), Event::Paused(_)));
            search.cancel(Stop::Interrupted);
            assert!(matches!(search.event(), Event::Ended(Err(Stop::Interrupted))));
        });
    }

    #[test]
    fn a_cancelled_search_reports_the_reason() {
        for stop in [Stop::Time, Stop::Interrupted, Stop::Errors] {
            std::thread::scope(|scope| {
                let mut search = counting(scope, 1_000);
                search.resume(Grant::Work(10));
                assert!(matches!(search.event(), Event::Paused(_)));
                search.cancel(stop);
                assert!(matches!(search.event(), Event::Ended(Err(reason)) if reason == stop));
            });
        }
    }

    #[test]
    fn a_search_that_is_dropped_ends() {
        std::thread::scope(|scope| {
            drop(counting(scope, u64::MAX));
            let mut search = counting(scope, u64::MAX);
            search.resume(Grant::Work(10));
            assert!(matches!(search.event(), Event::Paused(_)));
            drop(search);
        });
    }

    /// Stops a search at a number of states.
    struct Until(u64, Vec<u64>);

    impl Monitor for Until {
        fn watch(&mut self, progress: &Progress) -> Option<Stop> {
            self.1.push(progress.memory);
            (progress.states >= self.0).then_some(Stop::Time)
        }
    }

    #[test]
    fn the_leading_search_has_the_monitor_of_the_check_until_it_pauses() {
        let mut until = Until(15, Vec::new());
        std::thread::scope(|scope| {
            let mut search = counting(scope, 100);
            let lead = |host, room| Grant::Lead { host, pause_at: Some(10), poll: None, beside: 5, room };
            search.resume(lead(&mut until, 40));
            // More than 40 bytes with the sixth state.
            assert!(matches!(search.event(), Event::Crowded(progress) if progress.states == 6));
            let host = search.host().expect("the monitor comes back");
            search.resume(lead(host, u64::MAX));
            assert!(matches!(search.event(), Event::Paused(progress) if progress.states == 10));
            let host = search.host().expect("the monitor comes back");
            search.resume(Grant::Lead { host, pause_at: None, poll: None, beside: 0, room: u64::MAX });
            assert!(matches!(search.event(), Event::Ended(Err(Stop::Time))));
            assert!(search.host().is_some());
        });
        assert_eq!(until.1.first(), Some(&13));
        assert_eq!(until.1.last(), Some(&120));
    }

    #[test]
    fn a_condition_pauses_the_leading_search_at_the_next_poll() {
        let mut silent = Silent;
        std::thread::scope(|scope| {
            let mut search = counting(scope, 100);
            let poll: Option<Poll<'_>> = Some(Box::new(|progress| progress.states >= 7));
            search.resume(Grant::Lead { host: &mut silent, pause_at: None, poll, beside: 0, room: u64::MAX });
            assert!(matches!(search.event(), Event::Paused(progress) if progress.states == 7));
        });
    }
}
