//! Priorities of processes, for models that use them.

use super::enabled;
use super::log::Log;
use super::machine::Machine;

/// The highest priority of an enabled process, if the model uses priorities.
pub(super) fn highest(machine: &Machine, state: &[u8], timeout: bool, log: &mut Log) -> Option<i64> {
    if !machine.model.semantics.priorities {
        return None;
    }
    (0..machine.count(state))
        .filter(|&pid| enabled::can_move(machine, state, pid, timeout, log))
        .map(|pid| machine.priority(state, pid))
        .max()
}

/// Whether a process with a higher priority preempts an atomic sequence.
pub(super) fn interrupted(machine: &Machine, state: &[u8], pid: u32, log: &mut Log) -> bool {
    machine.model.semantics.priorities && {
        let own = machine.priority(state, pid);
        (0..machine.count(state)).any(|other| {
            machine.priority(state, other) > own && enabled::can_move(machine, state, other, false, log)
        })
    }
}
