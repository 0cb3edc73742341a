//! The workers of a process as threads: their connections, and which failure is reported if one of them fails.
//!
//! *Entry point:* [`by_workers`].
//!
//! *Invariant:* no worker waits for one that has failed or panicked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use axle_search::Monitor;
use axle_step::Interrupt;

use crate::channel::Channel;
use crate::connect::{Link, Seats, processes, threads};
use crate::failure::Failure;
use crate::transport::{Pace, Transport};

/// The workers of a search beside those of this process.
#[derive(Debug)]
pub enum Peers {
    /// None: all workers are threads of this process.
    None,
    /// Those of other processes, each with as many workers as this one, by the number of the process. The
    /// process without a channel is this one.
    Processes(Vec<Option<Channel>>),
}

/// What a worker has of the caller. Only the first worker of a process has the monitor.
pub(crate) struct Context<'m> {
    pub monitor: Option<&'m mut dyn Monitor>,
    pub interrupt: Interrupt,
}

/// Runs a worker for each part, as threads that are connected to each other and to those of other
/// processes. Returns the result of the first worker of this process.
pub(crate) fn by_workers<P: Send, T: Sync, R>(
    parts: &mut [P],
    peers: Peers,
    pace: Option<&dyn Pace>,
    monitor: &mut dyn Monitor,
    terms: &T,
    work: impl for<'w> Fn(&'w T, Transport<'w>, &'w mut P, Context<'w>) -> Result<R, Failure> + Sync,
) -> Result<R, Failure> {
    let link = Arc::new(Link::default());
    let count = parts.len();
    let Seats { seats, network } = match peers {
        Peers::None => threads(count),
        Peers::Processes(channels) => processes(count, channels, &link)?,
    };
    let (failed, interrupt, work) = (&link.failed, monitor.interrupt(), &work);
    let finished = thread::scope(|scope| {
        let mut places = seats.into_iter().zip(parts.iter_mut());
        let first = places.next();
        let others: Vec<_> = places
            .map(|(seat, part)| {
                let interrupt = interrupt.clone();
                scope.spawn(move || {
                    axle_store::allocator::prepare_thread();
                    let _mark = MarkFailure(failed);
                    let transport = Transport::new(seat, pace, failed);
                    let leave = Leave(pace, transport.index());
                    let finished = work(terms, transport, part, Context { monitor: None, interrupt });
                    drop(leave);
                    finished.map(drop).inspect_err(|_| failed.store(true, Ordering::Relaxed))
                })
            })
            .collect();
        let own = first.map(|(seat, part)| {
            let _mark = MarkFailure(failed);
            let transport = Transport::new(seat, pace, failed);
            let leave = Leave(pace, transport.index());
            let context = Context { monitor: Some(monitor), interrupt: interrupt.clone() };
            let finished = work(terms, transport, part, context);
            drop(leave);
            finished.inspect_err(|_| failed.store(true, Ordering::Relaxed))
        });
        let ends: Vec<_> = others.into_iter().map(|other| other.join()).collect();
        let own = own.unwrap_or(Err(Failure::Lost));
        // The reason of the worker that failed first, not that of the workers that it leaves behind.
        let failures = ends.into_iter().map(|end| end.unwrap_or(Err(Failure::Lost)));
        let reason = failures.filter_map(Result::err).find(|failure| *failure != Failure::Lost);
        match (own, reason) {
            (Err(Failure::Lost), Some(reason)) => Err(reason),
            (own, _) => own,
        }
    });
    if let Some(network) = network {
        network.end(finished.is_ok());
    }
    finished
}

/// Tells the other workers of the process that this one has panicked.
struct MarkFailure<'f>(&'f AtomicBool);

impl Drop for MarkFailure<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Tells a simulation that a worker makes no more steps, even after a panic.
struct Leave<'p>(Option<&'p dyn Pace>, usize);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if let Some(pace) = self.0 {
            pace.leave(self.1);
        }
    }
}
