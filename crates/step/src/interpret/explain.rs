//! The detailed view of single states: successors with their micro-steps, and classification of end
//! states.
//!
//! *Entry points:* [`Interpreter::steps`], [`Interpreter::micro_steps`], [`Interpreter::end_state`].

use axle_model::Atomicity;

use super::Interpreter;
use super::detail::{Control, End, MicroStep, Steps, Taken};
use super::edge::{self, Ask, First, Moves};
use super::enabled;
use super::log::Log;
use super::priority;
use crate::batch::Batch;
use crate::successors::{Grow, Successors};

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
                Err(Grow { size }) => self.grow(size),
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
                Err(Grow { size }) => self.grow(size),
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
                if !priority::interrupted(machine, state, pid, &mut log) {
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
            let lead = priority::highest(machine, state, timeout, &mut log);
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
            pids.clone().any(|pid| enabled::can_move(machine, &wide, pid, timeout, log))
        };
        if moves(false, &mut log) || moves(true, &mut log) {
            return End::None;
        }
        let stuck: Vec<u32> = pids.filter(|&pid| !machine.may_rest(&wide, pid)).collect();
        if stuck.is_empty() { End::Valid } else { End::Invalid(stuck) }
    }
}
