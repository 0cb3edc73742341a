//! Detailed view of a state's successors: every micro-step with executed edges, messages, output,
//! faults and the state after it. Evidence, replay and simulation are based on it.
//!
//! *Entry points:* [`Interpreter::steps`], [`Interpreter::micro_steps`].

use axle_model::{Atomicity, EdgeId, ProcId};

use super::Interpreter;
use super::edge::{self, Ask, First, Move, Moves};
use super::log::{Blame, Event, Log};
use crate::batch::{Batch, Cut, Grow, Successors};
use crate::fault::Fault;

/// An edge executed by a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Taken {
    /// The number of the process.
    pub pid: u32,
    /// Its type at that time.
    pub proc: ProcId,
    /// The edge.
    pub edge: EdgeId,
}

/// Exclusive control of a process after a micro-step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    /// The number of the process.
    pub pid: u32,
    /// Whether it keeps control while it is enabled, or must execute its first edge.
    pub keep: Atomicity,
}

/// A micro-step: one edge, or two in a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MicroStep {
    /// The executing process; in a rendezvous the sender.
    pub by: Taken,
    /// The receiver in a rendezvous.
    pub partner: Option<Taken>,
    /// The process with exclusive control afterwards; `None` if any process may continue.
    pub control: Option<Control>,
    /// Messages and output, in order.
    pub events: Vec<Event>,
    /// Faults of the step.
    pub faults: Vec<Blame>,
    /// The state after it.
    pub state: Vec<u8>,
}

/// The path to one successor: one micro-step, or several without interleaving.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepDetail {
    /// The micro-steps, at least one; the state of the last one is the successor.
    pub micro: Vec<MicroStep>,
}

/// A fault without a successor, and the micro-steps of an atomic sequence before it (none if the
/// fault occurred in the state itself).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mishap {
    /// The micro-steps before the fault.
    pub micro: Vec<MicroStep>,
    /// The fault.
    pub fault: Blame,
}

/// All successors and faults of a state.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Steps {
    /// The successors, in the order of [`Successors::expand`].
    pub steps: Vec<StepDetail>,
    /// Faults without successor.
    pub mishaps: Vec<Mishap>,
    /// All faults, as [`Successors::expand`] reports them.
    pub faults: Vec<Fault>,
    /// Reason why successors are missing, if any are.
    pub cut: Option<Cut>,
    /// The first step of an atomic sequence with so many paths that converging ones were explored
    /// once: all ends are present, but not every path to them.
    pub once: Option<Taken>,
}

/// Classification of a state without successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Some process is enabled.
    None,
    /// Every process is in a valid end state.
    Valid,
    /// These processes are blocked and not in a valid end state.
    Invalid(Vec<u32>),
}

impl MicroStep {
    /// The micro-step that corresponds to a move.
    pub(crate) fn new(made: &mut Move, state: &[u8]) -> MicroStep {
        let control = match made.keep {
            Atomicity::Release => None,
            keep @ (Atomicity::Atomic | Atomicity::Deterministic) => {
                Some(Control { pid: made.last().pid, keep })
            }
        };
        MicroStep {
            by: made.by,
            partner: made.partner,
            control,
            events: std::mem::take(&mut made.events),
            faults: made.faults.clone(),
            state: state.to_vec(),
        }
    }
}

impl Interpreter {
    /// Converts a state of an earlier, narrower layout to the current layout.
    pub fn widened(&self, state: &[u8]) -> Vec<u8> {
        let mut wide = state.to_vec();
        wide.resize(self.machine.layout.width(), 0);
        wide
    }

    /// The successors of a state in detail. Widens the layout for new processes.
    pub fn steps(&mut self, state: &[u8]) -> Steps {
        loop {
            let wide = self.widened(state);
            let mut steps = Steps::default();
            let mut batch = Batch::default();
            match self.expand_detailed(&wide, &mut batch, Some(&mut steps)) {
                Ok(()) => {
                    (steps.faults, steps.cut) = (batch.faults, batch.cut);
                    return steps;
                }
                Err(Grow { slots }) => self.grow(slots),
            }
        }
    }

    /// The micro-steps possible in a state in which `control` has exclusive control. If that
    /// process is blocked and merely atomic, any process may continue. Widens the layout for new
    /// processes.
    pub fn micro_steps(&mut self, state: &[u8], control: Option<Control>) -> Vec<MicroStep> {
        loop {
            let wide = self.widened(state);
            match self.try_micro_steps(&wide, control) {
                Ok(steps) => return steps,
                Err(Grow { slots }) => self.grow(slots),
            }
        }
    }

    fn try_micro_steps(&mut self, state: &[u8], control: Option<Control>) -> Result<Vec<MicroStep>, Grow> {
        let machine = &self.machine;
        let mut log = Log::default();
        log.reset(true);
        let mut made = Moves::default();
        match control {
            Some(Control { pid, keep: Atomicity::Deterministic }) => {
                let who = machine.actor(state, pid, false, None);
                made.states.extend_from_slice(state);
                if let First::Made(only) = edge::first_in_place(&who, &mut made.states, &mut log)? {
                    made.list.push(only);
                }
                return Ok(self.as_micro_steps(made));
            }
            Some(Control { pid, keep: Atomicity::Atomic }) => {
                if !super::interrupted(machine, state, pid, &mut log) {
                    let who = machine.actor(state, pid, false, None);
                    let ask = Ask::default();
                    if edge::moves(&who, state, ask, &mut made, &mut log)? {
                        return Ok(self.as_micro_steps(made));
                    }
                }
            }
            Some(Control { keep: Atomicity::Release, .. }) | None => {}
        }
        for timeout in [false, true] {
            let ask = Ask { timeout, ..Ask::default() };
            let lead = super::highest_priority(machine, state, timeout, &mut log);
            let mut executable = false;
            for pid in 0..machine.count(state) {
                if lead.is_some_and(|lead| machine.priority(state, pid) != lead) {
                    continue;
                }
                let who = machine.actor(state, pid, timeout, None);
                executable |= edge::moves(&who, state, ask, &mut made, &mut log)?;
            }
            if executable {
                break;
            }
        }
        Ok(self.as_micro_steps(made))
    }

    fn as_micro_steps(&self, made: Moves) -> Vec<MicroStep> {
        let states = made.states.chunks_exact(self.machine.layout.width());
        made.list.into_iter().zip(states).map(|(mut made, state)| MicroStep::new(&mut made, state)).collect()
    }

    /// The enabled edges of a state, by process number and text; of a rendezvous the sender's edge.
    pub fn enabled(&mut self, state: &[u8]) -> Vec<Taken> {
        let mut enabled: Vec<Taken> = self.micro_steps(state, None).iter().map(|step| step.by).collect();
        enabled.dedup();
        enabled
    }

    /// Whether a state is an end state, and of which kind.
    pub fn end_state(&mut self, state: &[u8]) -> End {
        let wide = self.widened(state);
        let mut log = Log::default();
        let machine = &self.machine;
        let pids = 0..machine.count(&wide);
        let moves = |timeout: bool, log: &mut Log| {
            pids.clone().any(|pid| edge::can_move(machine, &wide, pid, timeout, log))
        };
        if moves(false, &mut log) || moves(true, &mut log) {
            return End::None;
        }
        let stuck: Vec<u32> = pids.filter(|&pid| !super::may_rest(machine, &wide, pid)).collect();
        if stuck.is_empty() { End::Valid } else { End::Invalid(stuck) }
    }
}
