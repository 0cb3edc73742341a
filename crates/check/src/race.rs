//! Executes the plan of a check: multiplexes its attempts within one budget of work and memory.
//!
//! One attempt leads, the exact search for violations of states and steps. It pauses, and in its pauses
//! the attempts beside it continue ([`lanes`]) or are executed ([`interludes`]). Searches for properties
//! that are undecided after it continue ([`continuation`]).
//!
//! *Entry points:* [`of_model`], [`of_program`].
//! *Invariant:* every attempt that is started is an attempt of the plan, and is logged.

mod alone;
mod continuation;
mod engines_beside;
mod interludes;
mod lane;
mod lanes;
pub mod log;
mod models;
mod work_share;

use std::thread::Scope;

use axle_coroutine::{Coroutine, Event, Grant, Host, Poll, Unit};
use axle_search::{Progress, Stop};

use crate::plan::attempt::Attempt;
use crate::plan::engines::Search;
use crate::race::log::{End, Log};

pub use alone::{Alone, run as run_alone};
pub(crate) use interludes::{OfProgram, of_program};
pub(crate) use models::{Decided, of_model};

/// The conditions under which the leading attempt continues.
pub(crate) struct Terms<'e> {
    /// The number of states at which it pauses; none for no pause.
    pub pause_at: Option<u64>,
    /// The condition under which it pauses at the next poll.
    pub poll: Option<Poll<'e>>,
    /// Bytes that the others hold.
    pub beside: u64,
    /// Bytes of its own from which on the others make room.
    pub room: u64,
}

/// The attempts beside the leading one.
pub(crate) trait Beside<'e> {
    /// The monitor of the check. The leading attempt has it while it searches.
    fn host(&mut self) -> &mut Option<Host<'e>>;

    /// The conditions until the next pause.
    fn terms(&mut self) -> Terms<'e>;

    /// Executes the attempts that are due in a pause. A reason ends the leading attempt.
    fn pause(&mut self, progress: &Progress) -> Option<Stop>;

    /// Ends attempts so that the leading one, which holds so many bytes, can grow.
    fn make_room(&mut self, leading: u64);
}

/// Executes the leading attempt to its end, with the attempts beside it in its pauses; none if the
/// system has no thread for it.
pub(crate) fn lead<'scope, 'e: 'scope, A: Send + 'e>(
    scope: &'scope Scope<'scope, 'e>,
    search: Search<'e, A>,
    beside: &mut impl Beside<'e>,
) -> Option<A> {
    let interrupt = beside.host().as_ref()?.interrupt();
    let mut lead = Coroutine::start(scope, interrupt, Unit::States, move |slice| search(slice))?;
    loop {
        let Terms { pause_at, poll, beside: held, room } = beside.terms();
        let host = beside.host().take()?;
        lead.resume(Grant::Lead { host, pause_at, poll, beside: held, room });
        let event = lead.event();
        *beside.host() = lead.host();
        match event {
            Event::Ended(answer) => return Some(answer),
            Event::Crowded(progress) => beside.make_room(progress.memory),
            Event::Paused(progress) => {
                if let Some(stop) = beside.pause(&progress) {
                    lead.cancel(stop);
                    return ended(&mut lead, beside);
                }
            }
            Event::Progress(_) => {}
        }
    }
}

/// The result of a leading attempt that was ended in a pause.
fn ended<'e, A: Send + 'e>(lead: &mut Coroutine<'_, 'e, A>, beside: &mut impl Beside<'e>) -> Option<A> {
    loop {
        match lead.event() {
            Event::Ended(answer) => {
                *beside.host() = lead.host().or(beside.host().take());
                return Some(answer);
            }
            Event::Progress(_) | Event::Paused(_) | Event::Crowded(_) => {}
        }
    }
}

/// Notes the leading attempt in the log while it is executed.
fn logged<T>(log: &mut Log, attempt: &Attempt, execute: impl FnOnce(&mut Log) -> T) -> T {
    let entry = log.started(attempt);
    let result = execute(log);
    log.ended(entry, End::Answered);
    result
}
