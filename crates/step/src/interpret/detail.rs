//! Detailed view of a state's successors: every micro-step with executed edges, messages, output,
//! faults and the state after it. Evidence, replay and simulation are based on it.
//!
//! *Entry points:* [`Interpreter::steps`](super::Interpreter::steps),
//! [`Interpreter::micro_steps`](super::Interpreter::micro_steps), in `explain.rs`.

use axle_model::Atomicity;

use super::edge::Move;
pub use super::edge::Taken;
use super::log::{Blame, Event};
use crate::batch::Cut;
use crate::fault::Fault;

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
    /// The successors, in the order of [`expand`](crate::Successors::expand).
    pub steps: Vec<StepDetail>,
    /// Faults without successor.
    pub mishaps: Vec<Mishap>,
    /// All faults, as [`expand`](crate::Successors::expand) reports them.
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
