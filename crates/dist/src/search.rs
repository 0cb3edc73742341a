//! The search by all workers of this process.
//!
//! *Entry point:* [`search`].
//!
//! *Invariant:* the result does not depend on the number of workers, nor on the processes among which they
//! are divided.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use axle_outcome::{FaultSite, Outcome};
use axle_search::{Monitor, Options};
use axle_step::{Graph, Interrupt};

use crate::channel::Channel;
use crate::connect::{Link, Seats, processes, threads};
use crate::failure::Failure;
use crate::manifest::Manifest;
use crate::transport::{Pace, Transport};
use crate::worker::{Finished, QUOTA, Terms, Worker};

/// The workers of a search beside those of this process.
#[derive(Debug)]
pub enum Peers {
    /// None: all workers are threads of this process.
    None,
    /// Those of other processes, each with as many workers as this one, by the number of the process. The
    /// process without a channel is this one.
    Processes(Vec<Option<Channel>>),
}

/// How a search is to be carried out.
pub struct Setup<'s> {
    /// The other workers.
    pub peers: Peers,
    /// Bytes that the workers of this process may use for states and level logs.
    pub memory: u64,
    /// The directory of level logs and manifest: the search is resumed from it, and can be resumed again.
    /// Without it the logs are in memory.
    pub directory: Option<&'s Path>,
    /// Whether the visited states are moved to the directory when they do not fit into memory. The same in
    /// all processes.
    pub disk: bool,
    /// Identity of the graph and of the options. A directory of another search is refused.
    pub about: &'s str,
    /// States that a worker expands in a sub-round; none for the default.
    pub quota: Option<u64>,
    /// The order in which workers run, for simulations.
    pub pace: Option<&'s dyn Pace>,
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Setup {
            peers: Peers::None,
            memory: u64::MAX,
            directory: None,
            disk: false,
            about: "",
            quota: None,
            pace: None,
        }
    }
}

/// The result of a search. All processes have the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched<I> {
    /// As of a search by threads.
    pub outcome: Outcome<I>,
    /// Whether a set is compressed at the end.
    pub is_tree: bool,
    /// Whether the visited states are on disk at the end.
    pub on_disk: bool,
    /// The sums of the further counters of the graphs.
    pub tally: [u64; 3],
    /// The level that the search was resumed from.
    pub resumed_at: Option<u64>,
}

/// Explores every state reachable through the graphs, within the limits, with one worker for each graph of
/// this process. All graphs must be the same function, in all processes.
///
/// # Errors
///
/// If messages or files are damaged, a worker is lost, or the level log cannot be written. A limit is no
/// error: its reason is in the outcome.
///
/// # Panics
///
/// If there is no graph.
pub fn search<G: Graph + Send>(
    graphs: &mut [G],
    setup: Setup<'_>,
    options: &Options<G::Site>,
    monitor: &mut dyn Monitor,
) -> Result<Searched<G::Site>, Failure>
where
    G::Site: FaultSite,
{
    assert!(!graphs.is_empty(), "a search needs a worker");
    let count = graphs.len();
    let past = match setup.directory {
        None => None,
        Some(directory) => {
            std::fs::create_dir_all(directory)?;
            Manifest::read(directory)?
        }
    };
    if past.as_ref().is_some_and(|past| past.about != setup.about) {
        return Err(Failure::OtherSearch);
    }
    let terms = Terms {
        options,
        share: setup.memory / count as u64,
        about: setup.about,
        directory: setup.directory.map(Path::to_path_buf),
        past: past.as_ref(),
        disk: setup.disk,
        quota: setup.quota.unwrap_or(QUOTA).max(1),
    };
    let finished =
        by_workers(graphs, setup.peers, setup.pace, monitor, &terms, |terms, transport, graph, context| {
            Worker::new(terms, transport, graph, context).run()
        });
    let Finished { outcome, is_tree, on_disk, tally } = finished?;
    Ok(Searched { outcome, is_tree, on_disk, tally, resumed_at: past.map(|past| past.level) })
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
