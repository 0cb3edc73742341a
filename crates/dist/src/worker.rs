//! One worker of the search: it stores and expands the states of its shards.
//!
//! The search is breadth-first. In a sub-round each worker expands at most [`QUOTA`] states of the level,
//! sends the successors to their owners, and inserts the successors that arrive. When no worker has a
//! state of the level left, all commit their level logs, and the next level begins. The quota bounds the
//! data in flight: `timely` itself has no flow control.
//!
//! *Entry point:* [`Worker::run`].
//!
//! *Source:* U. Stern and D. L. Dill, Parallelizing the Murphi verifier, CAV 1997 (partition); the
//! synchronous search of M. D. Jones and J. Sorber, Parallel search for LTL violations, STTT 7, 2005.
//!
//! *Invariant:* a state is inserted by its owner only, in the level that is its distance from the initial
//! state: a message with states of the next level is sent only after all workers have received all states
//! of the current one. The counts of a complete search therefore equal those of one thread.
//!
//! *Invariant:* the search is complete only if all workers report, in one and the same round, that no
//! state is left and none is new, after every message has arrived and none of them was refused.

mod levels;
mod resume;
mod trace;

use std::path::PathBuf;

use axle_outcome::{Found, Memory, Outcome, Progress, Stop, WorkerProgress};
use axle_search::Monitor;
use axle_search::grow;
use axle_search::limits::{Options, most_in_flight};
use axle_search::parallel::backwards::Ways;
use axle_search::parallel::faults::{Faults, Shown};
use axle_step::{Batch, Graph, Interrupt};
use axle_store::StateSet;

use crate::batch::STATES;
use crate::failure::Failure;
use crate::level_log::LevelLog;
use crate::manifest::Manifest;
use crate::owner::Owner;
use crate::parcels::{Outgoing, Receiver, receive};
use crate::report::{Figures, Halt, REPORT, Report, Summary};
use crate::silence::Silence;
use crate::time::Time;
use crate::transport::{Arrival, Transport};
use crate::visited::Visited;
use crate::worker_threads::Context;

/// Number of states that a worker expands in a sub-round, and the least number under a limit on states.
pub(crate) const QUOTA: u64 = 1 << 16;
const LEAST_QUOTA: u64 = 32;

/// Number of states per batch: enough to hide memory latency.
const BATCH: usize = 32;

/// Number of batches between two polls of the messages and of the monitor.
const WATCH: u64 = 16;

/// What all workers of a search know before they start.
pub(crate) struct Terms<'t, I> {
    /// Options of the search.
    pub options: &'t Options<I>,
    /// Bytes that the set and the log of one worker may use.
    pub share: u64,
    /// Identity of the search in manifests.
    pub about: &'t str,
    /// The directory of the level logs, if they are on disk.
    pub directory: Option<PathBuf>,
    /// The level from which the search is resumed.
    pub past: Option<&'t Manifest>,
    /// Whether the visited states are moved to the directory when they do not fit into memory.
    pub disk: bool,
    /// States that a worker expands in a sub-round.
    pub quota: u64,
}

/// A worker.
pub(crate) struct Worker<'w, G: Graph> {
    terms: &'w Terms<'w, G::Site>,
    transport: Transport<'w>,
    graph: &'w mut G,
    set: Visited,
    /// The committed level that this worker begins at, if it is not the first.
    past: Option<Manifest>,
    owner: Owner,
    /// For each worker, the states to be sent to it.
    outgoing: Outgoing,
    log: LevelLog,
    /// Bytes of the log that are committed.
    logged: u64,
    /// The level logs of earlier attempts that this worker reads.
    inherited: Vec<LevelLog>,
    monitor: Option<&'w mut dyn Monitor>,
    /// The level being expanded, and that of the states that arrive.
    level: u64,
    arriving: u64,
    /// Whether arriving states are added to the log.
    records: bool,
    own: Figures,
    /// Sums of all workers at the end of the last round.
    all: Figures,
    all_logged: Vec<u64>,
    workers: Vec<WorkerProgress>,
    /// Faults of this worker in the round, and of all workers in the level.
    faults: Faults<G::Site>,
    level_faults: Faults<G::Site>,
    shown: Shown<G::Site>,
    ways: Ways,
    truncated: bool,
    is_tree: bool,
    taken: Vec<Vec<bool>>,
    halt: Option<Halt>,
    interrupt: Interrupt,
    /// Reports that arrived before this worker ended its round.
    early: Vec<Report<G::Site>>,
    batches: u64,
    scratch: Scratch<G::Site>,
}

/// Buffers of an expansion.
struct Scratch<I> {
    sources: Vec<u8>,
    batch: Batch<I>,
    /// Successors that this worker owns, and their ends by source.
    own: Vec<u8>,
    own_ends: Vec<u32>,
    fresh: Vec<bool>,
}

/// The result of a worker, which is the same at all of them.
pub(crate) struct Finished<I> {
    pub outcome: Outcome<I>,
    pub is_tree: bool,
    pub on_disk: bool,
    pub tally: [u64; 3],
}

impl<'w, G: Graph> Worker<'w, G> {
    /// A worker that has found nothing. Only one worker of a process has a monitor.
    pub fn new(
        terms: &'w Terms<'w, G::Site>,
        transport: Transport<'w>,
        graph: &'w mut G,
        context: Context<'w>,
    ) -> Worker<'w, G> {
        let Context { monitor, interrupt } = context;
        let width = graph.width();
        let mut halt = None;
        let set = Visited::in_memory(width, terms.share).unwrap_or_else(|_| {
            halt = Some(Halt::Stop(Stop::Memory));
            Visited::none(width)
        });
        let mut owner = Owner::new(transport.peers());
        owner.prepare(width);
        let outgoing = Outgoing::new(transport.peers());
        let scratch = Scratch {
            sources: Vec::new(),
            batch: Batch { interrupt: interrupt.clone(), ..Batch::default() },
            own: Vec::new(),
            own_ends: Vec::new(),
            fresh: Vec::new(),
        };
        Worker {
            terms,
            transport,
            graph,
            set,
            past: terms.past.cloned(),
            owner,
            outgoing,
            log: LevelLog::in_memory(),
            logged: 0,
            inherited: Vec::new(),
            monitor,
            level: 0,
            arriving: 0,
            records: true,
            own: Figures::default(),
            all: Figures::default(),
            all_logged: Vec::new(),
            workers: Vec::new(),
            faults: Faults::default(),
            level_faults: Faults::default(),
            shown: Shown::default(),
            ways: Ways::default(),
            truncated: false,
            is_tree: false,
            taken: Vec::new(),
            halt,
            interrupt,
            early: Vec::new(),
            batches: 0,
            scratch,
        }
    }

    /// Searches, and returns the result when all workers have ended.
    pub fn run(mut self) -> Result<Finished<G::Site>, Failure> {
        let mut stop = self.search()?;
        // All workers have the same reason, so all of them begin again.
        if stop == Some(Stop::Memory) && self.may_use_disk() && !self.set.is_on_disk() {
            self.begin_again()?;
            stop = self.search()?;
        }
        let finished = self.finish(stop)?;
        self.transport.close();
        Ok(finished)
    }

    /// Searches until a reason to stop, if the search is not complete.
    fn search(&mut self) -> Result<Option<Stop>, Failure> {
        match self.begin()? {
            Ok(()) => self.explore(),
            Err(stop) => Ok(Some(stop)),
        }
    }

    /// The state count that the limits refer to, and the other numbers.
    fn progress(&self) -> Progress {
        let Figures { states, expanded, transitions, set_memory, log_memory, .. } = self.all;
        Progress {
            states,
            expanded,
            transitions,
            depth: self.level,
            violations: self.shown.list.len() as u64,
            memory: set_memory + log_memory,
            abstraction: None,
            workers: self.workers.clone(),
        }
    }

    /// Inserts states of the level that arrives. `ends` are those of the sources taken last, if the states
    /// are successors of these.
    fn insert(&mut self, states: &[u8], ends: Option<&[u32]>) {
        let mut fresh = std::mem::take(&mut self.scratch.fresh);
        fresh.clear();
        let inserted = match ends {
            Some(ends) => self.set.insert_successors(states, ends, &mut fresh),
            None => self.set.insert(states, &mut fresh),
        };
        if inserted.is_err() {
            self.halt = self.halt.take().or(self.set.take_halt());
            self.stop(Stop::Memory);
            // Whatever the set has admitted counts, but the search does not go on.
            self.own.states = self.set.len();
            self.scratch.fresh = fresh;
            return;
        }
        let (width, size) = (self.graph.width(), self.graph.size());
        for state in states.chunks_exact(width).zip(&fresh).filter_map(|(state, new)| new.then_some(state)) {
            self.own.fresh += 1;
            if self.records
                && let Err(failure) = self.log.push(self.arriving, size, state)
            {
                self.fail(failure);
                break;
            }
        }
        self.own.states = self.set.len();
        self.scratch.fresh = fresh;
    }

    /// Reads a message: states are inserted, a report is returned.
    fn accept(&mut self, message: &[u8]) -> Result<Option<Report<G::Site>>, Failure> {
        match message.first() {
            Some(&STATES) => {
                if let Err(failure) = receive(message, self.arriving, self) {
                    self.fail(failure);
                }
                Ok(None)
            }
            Some(&REPORT) => Report::of_message(message).map(Some),
            _ => Err(Failure::Corrupt),
        }
    }

    /// Sends a state of the arriving level to its owner, unless this worker is the owner.
    fn route(&mut self, state: &[u8]) -> bool {
        let target = self.owner.of(state);
        if target == self.transport.index() {
            return true;
        }
        let about = (self.arriving, self.graph.size());
        self.outgoing.push(target, about, state, &mut self.transport);
        false
    }

    /// Ends the round: sends what is left and a report, and receives those of all workers.
    fn exchange(&mut self, next: Time) -> Result<Summary<G::Site>, Failure> {
        self.outgoing.flush(&mut self.transport);
        self.own.set_memory = self.set.memory();
        self.own.log_memory = self.log.memory();
        self.own.tally = self.graph.tally();
        let report = Report {
            from: self.transport.index(),
            origin: self.origin(),
            figures: self.own,
            logged: self.logged,
            size: self.graph.size(),
            truncated: self.truncated,
            is_tree: self.set.is_tree(),
            halt: self.halt.clone(),
            faults: std::mem::take(&mut self.faults),
            ways: std::mem::take(&mut self.ways),
            taken: std::mem::take(&mut self.taken),
        };
        let message = report.to_message();
        for target in 0..self.transport.peers() {
            self.transport.send(target, message.clone());
        }
        self.transport.end_round(next);
        let mut reports = std::mem::take(&mut self.early);
        let mut silence = Silence::begin(self.transport.is_simulated(), true);
        loop {
            match self.transport.next_arrival()? {
                Arrival::Message(message) => {
                    silence.interrupt();
                    reports.extend(self.accept(&message)?);
                }
                Arrival::Pending => {
                    self.watch();
                    silence.check(self.halt.is_some())?;
                }
                Arrival::Complete => break,
            }
        }
        let summary = Summary::of(reports, self.transport.peers())?;
        self.all = summary.figures;
        self.all_logged.clone_from(&summary.logged);
        self.workers = self.owner.progress(&summary.stored);
        self.truncated |= summary.truncated;
        self.is_tree |= summary.is_tree;
        match &summary.halt {
            Some(Halt::Failed(failure)) => Err(failure.clone()),
            _ => Ok(summary),
        }
    }

    /// Polls the monitor.
    fn watch(&mut self) {
        // Each worker checks its share of the memory itself: other processes have other limits.
        let Some(monitor) = self.monitor.take() else { return };
        if let Some(stop) = monitor.watch(&self.progress()) {
            self.stop(stop);
        }
        self.monitor = Some(monitor);
    }

    /// Ends the search at all workers, with the traces of the violations.
    fn finish(&mut self, stop: Option<Stop>) -> Result<Finished<G::Site>, Failure> {
        self.halt = None;
        self.go_back()?;
        self.taken = self.graph.taken().to_vec();
        if let Some(past) = &self.past {
            crate::report::merge_taken(&mut self.taken, &past.taken);
        }
        let last = self.exchange(self.transport.now().next_round())?;
        let Shown { list, total, .. } = std::mem::take(&mut self.shown);
        let figures = last.figures;
        let outcome = Outcome {
            states: figures.states,
            transitions: figures.transitions,
            depth: self.level,
            violations: list.into_iter().map(|pending| pending.violation).collect(),
            found: total,
            stop,
            taken: last.taken,
            memory: Memory { states: figures.set_memory, paths: figures.log_memory },
        };
        let on_disk = self.set.is_on_disk();
        Ok(Finished { outcome, is_tree: self.is_tree && !on_disk, on_disk, tally: figures.tally })
    }
}

impl<G: Graph> Receiver for Worker<'_, G> {
    fn halt(&mut self) -> &mut Option<Halt> {
        &mut self.halt
    }

    fn width(&mut self) -> usize {
        self.graph.width()
    }

    fn size(&mut self) -> usize {
        self.graph.size()
    }

    fn can_have(&mut self, size: usize) -> bool {
        grow::can_have(self.graph, size)
    }

    fn widen(&mut self, size: usize) -> Result<(), Stop> {
        self.graph.grow(size);
        self.set.widen(self.graph.width()).map_err(|_| Stop::Memory)
    }

    fn insert_arrived(&mut self, states: &[u8]) -> Result<(), Failure> {
        let (width, me) = (self.graph.width(), self.transport.index());
        self.owner.prepare(width);
        if states.chunks_exact(width).any(|state| self.owner.of(state) != me) {
            return Err(Failure::Corrupt);
        }
        self.insert(states, None);
        Ok(())
    }
}

/// Where a fault was found, from the position of its successor in the batch.
fn found_at<I>(batch: &Batch<I>, source: usize, successor: Option<u32>) -> Found {
    match successor {
        Some(position) => Found::Step(position - batch.range(source).start as u32),
        None => Found::State,
    }
}
