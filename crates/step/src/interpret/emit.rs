//! Destination of successors and faults: a batch and, for the detailed view, [`Steps`].

use rustc_hash::FxHashSet;

use super::detail::{MicroStep, Mishap, StepDetail, Steps};
use super::edge::Move;
use super::log::{Blame, Log};
use crate::batch::{Cut, Interrupt};
use crate::fault::{Fault, ModelSite};
use crate::movers::Movers;

/// Number of faults of one source up to which duplicates are found by linear search, not by hash.
const FEW_FAULTS: usize = 32;

/// Destination of the expansion of one source state.
pub(crate) struct Emit<'a> {
    /// Bytes of a state.
    pub width: usize,
    /// The batch's successors.
    pub states: &'a mut Vec<u8>,
    /// [`crate::Batch::most`].
    pub most: usize,
    /// [`crate::Batch::interrupt`].
    pub interrupt: &'a Interrupt,
    /// [`crate::Batch::cut`].
    pub cut: &'a mut Option<Cut>,
    /// The executing processes of the batch's successors, if requested.
    pub movers: Option<&'a mut Movers>,
    /// The batch's faults.
    pub faults: &'a mut Vec<Fault>,
    /// Hash set of the faults of this source; incomplete while they are few.
    pub known: FxHashSet<Fault>,
    /// Index of the first fault of this source.
    pub first_fault: usize,
    /// The position of the source in the batch.
    pub source: u32,
    /// Edges executed so far.
    pub taken: &'a mut [Vec<bool>],
    /// The detailed view, if requested.
    pub details: Option<&'a mut Steps>,
}

/// A position in the output, for rollback.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    states: usize,
    faults: usize,
    movers: usize,
    /// Numbers of steps and mishaps.
    details: (usize, usize),
}

impl Emit<'_> {
    /// Number of successors in the batch.
    pub fn count(&self) -> u32 {
        (self.states.len() / self.width) as u32
    }

    /// Adds a successor, with the steps that lead to it if details are requested.
    pub fn state(&mut self, state: &[u8], trail: impl FnOnce() -> Vec<MicroStep>) {
        if self.states.len() + state.len() > self.most {
            *self.cut = Some(Cut::Memory);
            return;
        }
        self.states.extend_from_slice(state);
        if let Some(details) = &mut self.details {
            details.steps.push(StepDetail { micro: trail() });
        }
    }

    /// Sets the executing processes of the next successor.
    pub fn moved(&mut self, list: impl FnOnce() -> Vec<u32>) {
        if let Some(movers) = &mut self.movers {
            movers.push(&mut list());
        }
    }

    /// Adds a fault, once per source; returns whether it is the first time.
    pub fn fault(&mut self, blame: Blame, successor: Option<u32>) -> bool {
        let Blame { kind, pid, edge } = blame;
        let fault = Fault { site: ModelSite { kind, edge }, source: self.source, successor, pid };
        let own = &self.faults[self.first_fault..];
        let is_new = if own.len() < FEW_FAULTS {
            !own.contains(&fault)
        } else {
            if self.known.len() != own.len() {
                self.known.clear();
                self.known.extend(own);
            }
            self.known.insert(fault)
        };
        if is_new {
            self.faults.push(fault);
        }
        is_new
    }

    /// Adds a fault without a successor that occurred after the steps of `trail`. A loop may cause
    /// the same fault a million times, so only the first trail is recorded.
    pub fn mishap(&mut self, blame: Blame, trail: impl FnOnce() -> Vec<MicroStep>) {
        if self.fault(blame, None)
            && let Some(details) = &mut self.details
        {
            details.mishaps.push(Mishap { micro: trail(), fault: blame });
        }
    }

    /// Adds the faults that occurred during the tests for executable edges after the steps of
    /// `trail`.
    #[inline]
    pub fn attempts(&mut self, log: &mut Log, trail: impl Fn() -> Vec<MicroStep>) {
        if !log.attempt.is_empty() {
            for blame in std::mem::take(&mut log.attempt) {
                self.mishap(blame, &trail);
            }
        }
    }

    /// Polls the cancellation callback during a long expansion.
    #[cold]
    pub fn ask(&mut self) {
        if self.cut.is_none() {
            *self.cut = self.interrupt.ask();
        }
    }

    /// The current position.
    pub fn mark(&self) -> Mark {
        Mark {
            states: self.states.len(),
            faults: self.faults.len(),
            movers: self.movers.as_ref().map_or(0, |movers| movers.len()),
            details: self.details.as_ref().map_or((0, 0), |steps| (steps.steps.len(), steps.mishaps.len())),
        }
    }

    /// Rolls back to a position; executed edges remain recorded.
    pub fn back_to(&mut self, mark: Mark) {
        self.states.truncate(mark.states);
        self.faults.truncate(mark.faults);
        self.known.clear();
        if let Some(movers) = &mut self.movers {
            movers.truncate(mark.movers);
        }
        if let Some(details) = &mut self.details {
            details.steps.truncate(mark.details.0);
            details.mishaps.truncate(mark.details.1);
        }
    }

    /// Records the edges of a move as executed.
    #[inline]
    pub fn take(&mut self, made: &Move) {
        self.taken[made.by.proc.index()][made.by.edge.index()] = true;
        if let Some(partner) = made.partner {
            self.taken[partner.proc.index()][partner.edge.index()] = true;
        }
    }
}
