//! One worker of a search for executions: its states, and the exchange of states and reports.
//!
//! *Entry point:* [`ClaimWorker::run`].
//!
//! *Invariant:* all workers are in the same pass, because all draw the same conclusions from the sums of a
//! round. A message belongs to the pass whose number it has.

use axle_outcome::{Claim, ClaimCoverage, Finding, Lasso, Limits, Progress, Stop, WorkerProgress};
use axle_search::Monitor;
use axle_search::grow::room;
use axle_search::limits::most_in_flight;
use axle_search::liveness::{DividedProduct, LivenessOptions};
use axle_search::parallel::backwards::Ways;
use axle_step::{Graph, Grow, Interrupt};
use axle_store::{Numbered, NumberedSet, Packed, StateSet};

use super::passes::Pass;
use super::round::{ROUND, RoundFigures, RoundReport, Sums};
use super::{ClaimAnswer, Found, outcome};
use crate::batch::STATES;
use crate::failure::Failure;
use crate::owner::Owner;
use crate::parcels::{Outgoing, Receiver, receive};
use crate::report::Halt;
use crate::silence::Silence;
use crate::time::Time;
use crate::transport::{Arrival, Transport};
use crate::worker_threads::Context;

/// Number of states that a worker expands in a sub-round.
pub(crate) const QUOTA: u64 = 1 << 16;

/// Number of states per batch, and of batches between two polls.
pub(super) const BATCH: usize = 32;
pub(super) const WATCH: u64 = 4;

/// Flags of a state: it may be on an accepting cycle; it is kept by the present pass.
pub(super) const MEMBER: u8 = 1;
pub(super) const KEPT: u8 = 2;

/// What all workers of a search know before they start.
pub(crate) struct ClaimTerms<'t> {
    pub claim: &'t Claim,
    pub options: &'t LivenessOptions,
    /// Bytes that one worker may use.
    pub share: u64,
    /// States that a worker expands in a sub-round.
    pub quota: u64,
}

/// A worker.
pub(crate) struct ClaimWorker<'w, 'p, G: Graph> {
    pub(super) terms: &'w ClaimTerms<'w>,
    pub(super) transport: Transport<'w>,
    /// There, except while states are sent.
    product: Option<DividedProduct<'p, G>>,
    pub(super) set: Packed<NumberedSet>,
    owner: Owner,
    outgoing: Outgoing,
    monitor: Option<&'w mut dyn Monitor>,
    interrupt: Interrupt,
    /// The pass, and its number.
    pub(super) pass: Pass,
    pub(super) number: u64,
    /// For each state its flags and, while predecessors are counted, the number of these.
    pub(super) flags: Vec<u8>,
    pub(super) counts: Vec<u32>,
    /// States that are to be expanded in the pass, beside those from `cursor` on.
    pub(super) queue: Vec<u32>,
    pub(super) cursor: u32,
    /// For each level, the number of its first state, and at last that of the next one.
    pub(super) levels: Vec<u32>,
    /// Survivors that the first worker has received.
    pub(super) survivors: Vec<u8>,
    pub(super) own: RoundFigures,
    pub(super) all: RoundFigures,
    workers: Vec<WorkerProgress>,
    pub(super) ways: Ways,
    /// Whether states at the limit on depth exist.
    pub(super) is_truncated: bool,
    halt: Option<Halt>,
    early: Vec<RoundReport>,
    pub(super) batches: u64,
    pub(super) sources: Vec<u8>,
    numbers: Vec<u32>,
}

/// A state of a cycle, and its steps as JSON.
type EncodedCycle = (Vec<u8>, Vec<u8>);

impl<'w, 'p, G: Graph> ClaimWorker<'w, 'p, G> {
    /// A worker that has found nothing.
    pub fn new(
        terms: &'w ClaimTerms<'w>,
        transport: Transport<'w>,
        product: DividedProduct<'p, G>,
        context: Context<'w>,
    ) -> ClaimWorker<'w, 'p, G> {
        let width = product.width();
        let mut halt = None;
        let set = NumberedSet::packed(width, terms.share / 8 * 7, true).unwrap_or_else(|_| {
            halt = Some(Halt::Stop(Stop::Memory));
            // A set that stays empty: the search ends before the first insertion.
            NumberedSet::packed(width, u64::MAX, false).expect("an empty set has no limit")
        });
        let mut owner = Owner::new(transport.peers());
        owner.prepare(width);
        let outgoing = Outgoing::new(transport.peers());
        ClaimWorker {
            terms,
            transport,
            product: Some(product),
            set,
            owner,
            outgoing,
            monitor: context.monitor,
            interrupt: context.interrupt,
            pass: Pass::Reach,
            number: 0,
            flags: Vec::new(),
            counts: Vec::new(),
            queue: Vec::new(),
            cursor: 0,
            levels: vec![0],
            survivors: Vec::new(),
            own: RoundFigures::default(),
            all: RoundFigures::default(),
            workers: Vec::new(),
            ways: Ways::default(),
            is_truncated: false,
            halt,
            early: Vec::new(),
            batches: 0,
            sources: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Searches, and returns the result when all workers have ended.
    pub fn run(mut self) -> Result<ClaimAnswer, Failure> {
        let found = match self.eliminate() {
            Ok(Ok(Some(true))) => self.find_cycle()?,
            Ok(Ok(Some(false))) if self.is_truncated => Found::Stopped(Stop::Depth),
            Ok(Ok(Some(false))) => Found::Nothing,
            Ok(Ok(None)) => Found::Alarm,
            Ok(Err(stop)) => Found::Stopped(stop),
            Err(failure) => return Err(failure),
        };
        self.halt = None;
        let last = self.last_round()?;
        self.transport.close();
        Ok(outcome(last, found))
    }

    /// The product.
    pub(super) fn product(&mut self) -> &mut DividedProduct<'p, G> {
        self.product.as_mut().expect("a product, except while states are sent")
    }

    /// Takes the product, so that its successors can be read while states are sent.
    pub(super) fn take_product(&mut self) -> DividedProduct<'p, G> {
        self.product.take().expect("a product, except while states are sent")
    }

    /// Puts the product back.
    pub(super) fn put_product(&mut self, product: DividedProduct<'p, G>) {
        self.product = Some(product);
    }

    /// The next batch of states is expanded: their successors and conditions are in the product.
    pub(super) fn expand(&mut self, numbers: &[u32]) -> Result<(), Stop> {
        self.sources.clear();
        self.set.append_states(numbers, &mut self.sources);
        let most = most_in_flight(&self.limits(), self.set.memory() + self.other_memory());
        let interrupt = self.interrupt.clone();
        self.product().limit(most, interrupt);
        loop {
            let sources = std::mem::take(&mut self.sources);
            let expanded = self.product().expand(&sources);
            self.sources = sources;
            match expanded {
                Ok(None) => return Ok(()),
                Ok(Some(cut)) => return Err(cut.into()),
                Err(Grow { size }) => {
                    self.widen(room(size, self.set.len()))?;
                    self.sources.clear();
                    self.set.append_states(numbers, &mut self.sources);
                }
            }
        }
    }

    fn limits(&self) -> Limits {
        Limits { memory: self.terms.options.limits.memory.map(|_| self.terms.share), ..Limits::default() }
    }

    pub(super) fn other_memory(&self) -> u64 {
        let words = self.counts.capacity() + self.queue.capacity() + self.levels.capacity();
        (self.flags.capacity() + 4 * words + self.survivors.capacity()) as u64
    }

    /// Inserts states and returns their numbers. States that are new have no flags yet.
    pub(super) fn number(&mut self, states: &[u8]) -> Vec<u32> {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        if self.set.insert_numbered(states, &[], &mut numbers).is_err() {
            self.stop(Stop::Memory);
            numbers.clear();
        }
        self.own.states = self.set.len();
        numbers
    }

    /// Gives back a list of numbers for later use.
    pub(super) fn reuse(&mut self, numbers: Vec<u32>) {
        self.numbers = numbers;
    }

    /// Sends a state to a worker in the present pass.
    pub(super) fn send_to(&mut self, target: usize, state: &[u8], size: usize) {
        self.outgoing.push(target, (self.number, size), state, &mut self.transport);
    }

    /// The worker that stores a state.
    pub(super) fn owner_of(&self, state: &[u8]) -> usize {
        self.owner.of(state)
    }

    fn accept(&mut self, message: &[u8]) -> Result<Option<RoundReport>, Failure> {
        match message.first() {
            Some(&STATES) => {
                if let Err(failure) = receive(message, self.number, self) {
                    self.fail(failure);
                }
                Ok(None)
            }
            Some(&ROUND) => RoundReport::of_message(message).map(Some),
            _ => Err(Failure::Corrupt),
        }
    }

    /// Inserts what has arrived, and checks the limits.
    pub(super) fn between_batches(&mut self) {
        while let Some(message) = self.transport.poll() {
            match self.accept(&message) {
                Ok(None) => {}
                // Reports arrive at the end of a round only, and are read there.
                Ok(Some(report)) => self.early.push(report),
                Err(failure) => self.fail(failure),
            }
        }
        if self.set.memory() + self.other_memory() > self.terms.share {
            self.stop(Stop::Memory);
        }
        self.watch();
    }

    fn watch(&mut self) {
        // Each worker checks its share of the memory itself: other processes have other limits.
        let Some(monitor) = self.monitor.take() else { return };
        if let Some(stop) = monitor.watch(&self.progress()) {
            self.stop(stop);
        }
        self.monitor = Some(monitor);
    }

    fn progress(&self) -> Progress {
        let RoundFigures { states, expanded, transitions, set_memory, other_memory, .. } = self.all;
        let memory = set_memory + other_memory;
        let depth = self.levels.len() as u64;
        let workers = self.workers.clone();
        Progress { states, expanded, transitions, depth, memory, workers, ..Progress::default() }
    }

    /// Ends the round: sends what is left and a report, and receives those of all workers.
    pub(super) fn exchange(&mut self, next: Time) -> Result<Sums, Failure> {
        self.exchange_with(next, None, None)
    }

    pub(super) fn exchange_with(
        &mut self,
        next: Time,
        cycle: Option<(Vec<u8>, Vec<u8>)>,
        used: Option<(ClaimCoverage, Vec<Vec<bool>>)>,
    ) -> Result<Sums, Failure> {
        self.outgoing.flush(&mut self.transport);
        self.own.set_memory = self.set.memory();
        self.own.other_memory = self.other_memory();
        let (coverage, taken) = used.unwrap_or_default();
        let report = RoundReport {
            from: self.transport.index(),
            figures: self.own,
            size: self.product().size(),
            conditions: self.product().conditions(),
            halt: self.halt.clone(),
            cycle,
            ways: std::mem::take(&mut self.ways),
            coverage,
            taken,
        };
        let message = report.to_message();
        for target in 0..self.transport.peers() {
            self.transport.send(target, message.clone());
        }
        self.transport.end_round(next);
        let mut reports = std::mem::take(&mut self.early);
        // The first worker takes its time to search the survivors.
        let mut silence = Silence::begin(self.transport.is_simulated(), self.pass != Pass::Gather);
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
        let all = Sums::of(reports, self.transport.peers())?;
        self.all = all.figures;
        self.workers = self.owner.progress(&all.stored);
        match &all.halt {
            Some(Halt::Failed(failure)) => Err(failure.clone()),
            _ => Ok(all),
        }
    }

    fn last_round(&mut self) -> Result<Sums, Failure> {
        let product = self.product();
        let used = (product.coverage().clone(), product.taken());
        let next = self.transport.now().next_round();
        self.exchange_with(next, None, Some(used))
    }

    /// The first worker searches the survivors for a cycle; all reconstruct the path to it.
    fn find_cycle(&mut self) -> Result<Found, Failure> {
        if let Some(stop) = self.perform(Pass::Gather)? {
            return Ok(Found::Stopped(stop));
        }
        let mut cycle = None;
        if self.transport.index() == 0 {
            match self.search_survivors() {
                Ok(found) => cycle = found,
                Err(stop) => self.stop(stop),
            }
        }
        let next = self.transport.now().next_round();
        let all = self.exchange_with(next, cycle, None)?;
        if let Some(Halt::Stop(stop)) = all.halt {
            return Ok(Found::Stopped(stop));
        }
        let (entry, steps) = all.cycle.ok_or(Failure::Corrupt)?;
        let steps = serde_json::from_slice(&steps).map_err(|_| Failure::Corrupt)?;
        let prefix = match self.path_to(entry)? {
            Ok(prefix) => prefix,
            Err(stop) => return Ok(Found::Stopped(stop)),
        };
        Ok(Found::Cycle(Finding::Cycle(Lasso { start: prefix.start, prefix: prefix.steps, cycle: steps })))
    }

    /// Searches the survivors for a cycle.
    fn search_survivors(&mut self) -> Result<Option<EncodedCycle>, Stop> {
        let width = self.product().width();
        let mut states: Vec<&[u8]> = self.survivors.chunks_exact(width).collect();
        // The cycle does not depend on the number of workers.
        states.sort_unstable();
        let states = states.concat();
        let share = self.terms.share.saturating_sub(self.set.memory() + self.other_memory());
        let mut set = NumberedSet::packed(width, share, false).map_err(|_| Stop::Memory)?;
        let limits = Limits { memory: self.terms.options.limits.memory.map(|_| share), ..Limits::default() };
        let mut silent = axle_search::Silent;
        let mut monitor: &mut dyn Monitor = match &mut self.monitor {
            Some(monitor) => &mut **monitor,
            None => &mut silent,
        };
        let product = self.product.as_mut().expect("a product, except while states are sent");
        let found = product.cycle(&states, &mut set, &limits, &mut monitor)?;
        let Some((entry, steps)) = found else { return Ok(None) };
        // Steps are plain data that can always be written.
        Ok(Some((entry, serde_json::to_vec(&steps).unwrap_or_default())))
    }
}

impl<G: Graph> Receiver for ClaimWorker<'_, '_, G> {
    fn halt(&mut self) -> &mut Option<Halt> {
        &mut self.halt
    }

    fn width(&mut self) -> usize {
        self.product().width()
    }

    fn size(&mut self) -> usize {
        self.product().size()
    }

    fn can_have(&mut self, size: usize) -> bool {
        self.product().can_have(size)
    }

    fn widen(&mut self, size: usize) -> Result<(), Stop> {
        self.product().grow(size);
        let width = self.product().width();
        self.owner.prepare(width);
        let (old, survivors) = (self.set.width(), std::mem::take(&mut self.survivors));
        for state in survivors.chunks_exact(old) {
            self.survivors.extend_from_slice(state);
            self.survivors.resize(self.survivors.len() + width - old, 0);
        }
        self.set.widen(width).map_err(|_| Stop::Memory)
    }

    fn insert_arrived(&mut self, states: &[u8]) -> Result<(), Failure> {
        self.receive(states)
    }
}
