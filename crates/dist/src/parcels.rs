//! States on their way between workers: those to be sent are collected for each target, and those that arrive are
//! checked.
//!
//! *Entry points:* [`Outgoing::push`], [`receive`].
//!
//! *Invariant:* a worker inserts states of its own width only, and none of another level or pass.

use axle_outcome::Stop;

use crate::batch::{Encoder, decode};
use crate::failure::Failure;
use crate::level_log::WIDEST;
use crate::report::Halt;
use crate::transport::Transport;

/// Number of states per message. Smaller ones cost more time for each state.
const MESSAGE: u64 = 1024;

/// For each worker, the states to be sent to it.
pub(crate) struct Outgoing(Vec<Encoder>);

impl Outgoing {
    /// No states for `targets` workers.
    pub fn new(targets: usize) -> Outgoing {
        Outgoing((0..targets).map(|_| Encoder::new(0, 0, 0)).collect())
    }

    /// Appends a state of a level or pass, and of a size in the unit of the engine.
    pub fn push(
        &mut self,
        target: usize,
        (level, size): (u64, usize),
        state: &[u8],
        transport: &mut Transport<'_>,
    ) {
        let encoder = &mut self.0[target];
        if !encoder.admits(level, state.len()) {
            if !encoder.is_empty() {
                transport.send(target, encoder.take());
            }
            *encoder = Encoder::new(level, state.len(), size);
        }
        encoder.push(state);
        if encoder.len() >= MESSAGE {
            transport.send(target, encoder.take());
        }
    }

    /// Sends the states that are left.
    pub fn flush(&mut self, transport: &mut Transport<'_>) {
        for (target, encoder) in self.0.iter_mut().enumerate() {
            if !encoder.is_empty() {
                transport.send(target, encoder.take());
            }
        }
    }
}

/// A worker that receives states.
pub(crate) trait Receiver {
    /// Why it ends the search, which all workers learn at the end of the next round. It inserts no more states then.
    fn halt(&mut self) -> &mut Option<Halt>;

    /// Bytes of its states, and their size in the unit of the engine.
    fn width(&mut self) -> usize;
    fn size(&mut self) -> usize;

    /// Whether its states can have a greater size.
    fn can_have(&mut self, size: usize) -> bool;

    /// Widens its states.
    fn widen(&mut self, size: usize) -> Result<(), Stop>;

    /// Inserts states of its width, which it must own.
    fn insert_arrived(&mut self, states: &[u8]) -> Result<(), Failure>;

    /// Whether it inserts no more states.
    fn has_halted(&mut self) -> bool {
        self.halt().is_some()
    }

    /// Requests the end of the search, unless there is a reason already.
    fn stop(&mut self, stop: Stop) {
        self.halt().get_or_insert(Halt::Stop(stop));
    }

    /// Requests the end of the search without a result: a failure is more than any limit.
    fn fail(&mut self, failure: Failure) {
        if !matches!(self.halt(), Some(Halt::Failed(_))) {
            *self.halt() = Some(Halt::Failed(failure));
        }
    }
}

/// Inserts the states of a message, which must be of a level or pass.
pub(crate) fn receive(message: &[u8], level: u64, worker: &mut impl Receiver) -> Result<(), Failure> {
    let mut batch = decode(message, WIDEST)?;
    if batch.level != level {
        return Err(Failure::Corrupt);
    }
    if worker.has_halted() {
        // A set that was full once would only admit some of the states.
        return Ok(());
    }
    if batch.size > worker.size() {
        if !worker.can_have(batch.size) {
            return Err(Failure::Corrupt);
        }
        if let Err(stop) = worker.widen(batch.size) {
            worker.stop(stop);
            return Ok(());
        }
    }
    let width = worker.width();
    if batch.width > width {
        return Err(Failure::Corrupt);
    }
    batch.widen(width);
    worker.insert_arrived(&batch.states)
}
