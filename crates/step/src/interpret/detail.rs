//! The detailed view of a state's successors: every small step with who took which edge, what was passed
//! and printed, what went wrong, and the state after it. Evidence, replay and simulation are built on it.

use axle_model::{Atomicity, EdgeId, ProcId};

use super::Interpreter;
use super::edge::{self, Ask, First, Move, Moves};
use super::log::{Blame, Event, Log};
use crate::batch::{Batch, Cut, Grow, Successors};
use crate::fault::Fault;

/// An edge taken by a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Taken {
    /// The number of the process.
    pub pid: u32,
    /// Its type, at the time.
    pub proc: ProcId,
    /// The edge.
    pub edge: EdgeId,
}

/// Who alone may move next, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    /// The number of the process.
    pub pid: u32,
    /// Whether it keeps control as long as it can move, or must move by its first edge.
    pub keep: Atomicity,
}

/// One edge taken, or two in a handshake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MicroStep {
    /// Who moved; in a handshake the sender.
    pub by: Taken,
    /// Who received, in a handshake.
    pub partner: Option<Taken>,
    /// Who alone may move next; none where anybody may.
    pub control: Option<Control>,
    /// Messages passed and text printed, in order.
    pub events: Vec<Event>,
    /// What went wrong in taking the step.
    pub faults: Vec<Blame>,
    /// The state after it.
    pub state: Vec<u8>,
}

/// The way to one successor: one small step, or several where nobody else may move in between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepDetail {
    /// The small steps, at least one; the last one's state is the successor.
    pub micro: Vec<MicroStep>,
}

/// A fault that leads to no successor, and the small steps of an uninterrupted sequence before it (none
/// where it was met in the state itself).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mishap {
    /// The small steps taken before it was met.
    pub micro: Vec<MicroStep>,
    /// What went wrong.
    pub fault: Blame,
}

/// Everything that a state leads to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Steps {
    /// The successors, in the order of [`Successors::expand`].
    pub steps: Vec<StepDetail>,
    /// Faults without successor.
    pub mishaps: Vec<Mishap>,
    /// All faults, as [`Successors::expand`] reports them.
    pub faults: Vec<Fault>,
    /// Why some are missing, where any are.
    pub cut: Option<Cut>,
    /// The first step of an uninterrupted sequence that has so many paths that those which meet were followed once:
    /// the ends are all there, but not every way to them.
    pub once: Option<Taken>,
}

/// What a state without successors is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Some process can move.
    None,
    /// Every process is where it may rest for ever.
    Valid,
    /// These processes can never move and are where they may not rest.
    Invalid(Vec<u32>),
}

impl MicroStep {
    /// The small step that a move is.
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
    /// A state of an earlier, narrower layout as a state of the layout as it is now.
    pub fn widened(&self, state: &[u8]) -> Vec<u8> {
        let mut wide = state.to_vec();
        wide.resize(self.machine.layout.width(), 0);
        wide
    }

    /// The successors of a state in detail. Makes room for new processes by itself.
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

    /// The small steps possible in a state in which `control` may move alone. Where that process cannot
    /// move any more and only wished to, anybody may. Makes room for new processes by itself.
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

    /// The edges that can be taken in a state, by process number and text; of a handshake the sender's.
    pub fn enabled(&mut self, state: &[u8]) -> Vec<Taken> {
        let mut enabled: Vec<Taken> = self.micro_steps(state, None).iter().map(|step| step.by).collect();
        enabled.dedup();
        enabled
    }

    /// Whether a state is an end, and of what kind.
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
