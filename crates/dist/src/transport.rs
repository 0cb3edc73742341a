//! The only file that knows `timely`: messages between workers, and the end of a round at all of them.
//!
//! All workers proceed in rounds, which have logical times. A message is sent at the time of the round.
//! A worker ends its round and waits until the frontier has passed it: then every worker has ended the
//! round, and every message of it has arrived. The dataflow is an input, an exchange and a probe.
//!
//! *Entry points:* [`Transport::send`], [`Transport::end_round`], [`Transport::next_arrival`].
//!
//! *Source:* D. G. Murray et al., Naiad: a timely dataflow system, SOSP 2013 (logical times, frontiers);
//! L. G. Valiant, A bridging model for parallel computation, CACM 33(8), 1990 (rounds).
//!
//! *Invariant:* [`Transport::next_arrival`] returns every message of the ended round exactly once before
//! it reports the end of the round, and no message of a later round.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::container::NoopBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message, Stamp};
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::probe::{Handle as ProbeHandle, Probe};

use crate::connect::Seat;
use crate::failure::Failure;
use crate::time::Time;

/// How long a worker sleeps at most while it waits for messages: it also polls its monitor.
const WAIT: Duration = Duration::from_millis(20);

/// A message to one worker.
#[derive(Clone, Default, Debug)]
struct Parcel {
    target: usize,
    bytes: Vec<u8>,
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes.is_empty())
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Parcel {
        // The target has received it. A wrong length is found by the checksum of the message.
        let length = bytes.first_chunk().map_or(0, |length| u64::from_le_bytes(*length) as usize);
        let end = length.saturating_add(8).min(bytes.len());
        Parcel { target: 0, bytes: bytes.get(8..end).unwrap_or_default().to_vec() }
    }

    fn length_in_bytes(&self) -> usize {
        8 + self.bytes.len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let padding = self.bytes.len().next_multiple_of(8) - self.bytes.len();
        let written = writer
            .write_all(&(self.bytes.len() as u64).to_le_bytes())
            .and_then(|()| writer.write_all(&self.bytes))
            .and_then(|()| writer.write_all(&[0; 8][..padding]));
        // The writer is memory of the length that was asked for.
        assert!(written.is_ok(), "a message fits into its buffer");
    }
}

/// Sends each parcel to its target, as one record.
struct ToTarget;

impl Distributor<Parcel> for ToTarget {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        let target = parcel.target;
        Message::push_at(parcel, stamp.clone(), &mut pushers[target]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

/// The order in which the workers of a process run, for simulations.
pub trait Pace: Sync {
    /// Called by a worker before each of its steps; returns when it is to step. `event` is a fingerprint
    /// of what it did since the last step.
    fn next_step(&self, worker: usize, event: u64);

    /// Called by a worker that makes no more steps.
    fn leave(&self, worker: usize);
}

/// Messages that have arrived, with their times.
type Inbox = Rc<RefCell<VecDeque<(u64, Vec<u8>)>>>;

/// The connection of a worker to all workers.
pub(crate) struct Transport<'p> {
    worker: timely::worker::Worker,
    input: InputHandle<u64, NoopBuilder<Parcel>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    /// Time of the current round, and of the round that ended last.
    now: Time,
    ended: Option<Time>,
    pace: Option<&'p dyn Pace>,
    event: u64,
    /// Whether a worker of this process has failed.
    failed: &'p AtomicBool,
}

impl<'p> Transport<'p> {
    /// Connects the worker of a seat. The first round has the time of level 0.
    pub fn new(seat: Seat, pace: Option<&'p dyn Pace>, failed: &'p AtomicBool) -> Transport<'p> {
        // Without a clock a worker would not sleep. A simulation has none, so that runs can be repeated.
        let clock = if pace.is_none() { Some(Instant::now()) } else { None };
        // There may be more workers than processors: the others need the time that polling takes.
        let config = timely::WorkerConfig::default().idle_spin(Duration::ZERO);
        let mut worker = timely::worker::Worker::new(config, seat.take(), clock);
        let inbox = Rc::new(RefCell::new(VecDeque::new()));
        let arrivals = Rc::clone(&inbox);
        let mut input: InputHandle<u64, NoopBuilder<Parcel>> = InputHandle::new_with_builder();
        let probe = worker.dataflow::<u64, _, _>(|scope| {
            let stream = input.to_stream(scope);
            let received = stream.unary::<NoopBuilder<Vec<()>>, _, _, _>(
                DistributorPact(|_| ToTarget),
                "Receive",
                move |_, _| {
                    move |input, _| {
                        input.for_each(|capability, parcel| {
                            // Every message is sent at one time.
                            let time = capability.least().copied().unwrap_or_default();
                            arrivals.borrow_mut().push_back((time, std::mem::take(&mut parcel.bytes)));
                        });
                    }
                },
            );
            let (probe, _) = received.probe();
            probe
        });
        let now = Time::default();
        Transport { worker, input, probe, inbox, now, ended: None, pace, event: 0, failed }
    }

    /// Number of this worker.
    pub fn index(&self) -> usize {
        self.worker.index()
    }

    /// Number of workers.
    pub fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// Whether the order of steps is that of a simulation.
    pub fn is_simulated(&self) -> bool {
        self.pace.is_some()
    }

    /// Time of the current round.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Sends a message in the current round.
    pub fn send(&mut self, target: usize, bytes: Vec<u8>) {
        self.event = self.event.rotate_left(9) ^ bytes.len() as u64 ^ (target as u64) << 32;
        self.input.send_batch(&mut Parcel { target, bytes });
    }

    /// A message of the current round that has arrived, without waiting.
    pub fn poll(&mut self) -> Option<Vec<u8>> {
        self.step(false);
        self.arrival_at(self.now)
    }

    /// Ends the current round; the next one has a later time.
    pub fn end_round(&mut self, next: Time) {
        debug_assert!(next > self.now, "time passes");
        self.ended = Some(self.now);
        self.now = next;
        self.input.advance_to(next.number());
    }

    /// Gives the round that has begun, in which nothing was sent yet, a later time: the first of a level.
    pub fn begin_level(&mut self, time: Time) {
        debug_assert!(time > self.now, "time passes");
        self.now = time;
        self.input.advance_to(time.number());
    }

    /// The next message of the round that ended last, if it has arrived; [`Arrival::Complete`] if there
    /// is none any more. Waits for a moment if neither is known.
    pub fn next_arrival(&mut self) -> Result<Arrival, Failure> {
        let Some(ended) = self.ended else { return Ok(Arrival::Complete) };
        if let Some(bytes) = self.arrival_at(ended) {
            return Ok(Arrival::Message(bytes));
        }
        if !self.probe.less_equal(&ended.number()) {
            self.ended = None;
            return Ok(Arrival::Complete);
        }
        if self.failed.load(Ordering::Relaxed) {
            return Err(Failure::Lost);
        }
        self.step(true);
        Ok(Arrival::Pending)
    }

    /// Ends the connection after the last round, which has been ended.
    pub fn close(mut self) {
        let input = std::mem::replace(&mut self.input, InputHandle::new_with_builder());
        input.close();
        while self.worker.has_dataflows() && !self.failed.load(Ordering::Relaxed) {
            self.step(true);
        }
    }

    fn arrival_at(&self, time: Time) -> Option<Vec<u8>> {
        let mut inbox = self.inbox.borrow_mut();
        let at = inbox.iter().position(|(sent, _)| *sent == time.number())?;
        inbox.remove(at).map(|(_, bytes)| bytes)
    }

    fn step(&mut self, waits: bool) {
        match self.pace {
            Some(pace) => {
                pace.next_step(self.worker.index(), std::mem::take(&mut self.event));
                self.worker.step();
            }
            None if waits => _ = self.worker.step_or_park(Some(WAIT)),
            None => _ = self.worker.step(),
        }
    }
}

/// What [`Transport::next_arrival`] has found.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// A message.
    Message(Vec<u8>),
    /// Nothing yet.
    Pending,
    /// All messages of the round have been returned.
    Complete,
}
