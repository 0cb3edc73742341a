//! Where successors and faults go: into a batch, and for those who want to see more, into [`Steps`].

use rustc_hash::FxHashSet;

use super::detail::{MicroStep, Mishap, StepDetail, Steps};
use super::edge::Move;
use super::log::{Blame, Log};
use crate::batch::{Cut, Interrupt};
use crate::fault::Fault;
use crate::movers::Movers;

/// So many faults of one source are looked through one by one, more by hash.
const FEW_FAULTS: usize = 32;

/// The receiving end of one source state's expansion.
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
    /// Who moves in the batch's successors, where that is wanted.
    pub movers: Option<&'a mut Movers>,
    /// The batch's faults.
    pub faults: &'a mut Vec<Fault>,
    /// All faults of this source, or some where they are few.
    pub known: FxHashSet<Fault>,
    /// Where the faults of this source begin.
    pub first_fault: usize,
    /// The position of the source in the batch.
    pub source: u32,
    /// Which edges have been taken so far.
    pub taken: &'a mut [Vec<bool>],
    /// The detailed view, where it is wanted.
    pub details: Option<&'a mut Steps>,
}

/// How much there is at some time.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    states: usize,
    faults: usize,
    movers: usize,
    /// Steps and mishaps.
    details: (usize, usize),
}

impl Emit<'_> {
    /// How many successors the batch has.
    pub fn count(&self) -> u32 {
        (self.states.len() / self.width) as u32
    }

    /// A successor, with the steps that lead to it where details are wanted.
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

    /// The next successor is by these processes.
    pub fn moved(&mut self, list: impl FnOnce() -> Vec<u32>) {
        if let Some(movers) = &mut self.movers {
            movers.push(&mut list());
        }
    }

    /// A fault, once for each source.
    pub fn fault(&mut self, blame: Blame, successor: Option<u32>) {
        let Blame { kind, pid, edge } = blame;
        let fault = Fault { kind, source: self.source, successor, pid, edge };
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
    }

    /// A fault without successor that was met after the steps of `trail`.
    pub fn mishap(&mut self, blame: Blame, trail: impl FnOnce() -> Vec<MicroStep>) {
        self.fault(blame, None);
        if let Some(details) = &mut self.details {
            details.mishaps.push(Mishap { micro: trail(), fault: blame });
        }
    }

    /// The faults met while it was found out what is executable after the steps of `trail`.
    #[inline]
    pub fn attempts(&mut self, log: &mut Log, trail: impl Fn() -> Vec<MicroStep>) {
        if !log.attempt.is_empty() {
            for blame in std::mem::take(&mut log.attempt) {
                self.mishap(blame, &trail);
            }
        }
    }

    /// Asks whether to go on with a long expansion.
    #[cold]
    pub fn ask(&mut self) {
        if self.cut.is_none() {
            *self.cut = self.interrupt.ask();
        }
    }

    /// What there is so far.
    pub fn mark(&self) -> Mark {
        Mark {
            states: self.states.len(),
            faults: self.faults.len(),
            movers: self.movers.as_ref().map_or(0, |movers| movers.len()),
            details: self.details.as_ref().map_or((0, 0), |told| (told.steps.len(), told.mishaps.len())),
        }
    }

    /// Forgets what came since; which edges were taken stays known.
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

    /// The edges of a move have been taken.
    #[inline]
    pub fn take(&mut self, made: &Move) {
        self.taken[made.by.proc.index()][made.by.edge.index()] = true;
        if let Some(partner) = made.partner {
            self.taken[partner.proc.index()][partner.edge.index()] = true;
        }
    }
}
