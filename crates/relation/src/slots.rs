//! The process types that each process number may have.
//!
//! A new process receives the next number, so a process creates only numbers above its own. A number
//! of the start may be given again once its process has ended.
//!
//! *Entry point:* [`slots`].
//! *Invariant:* an over-approximation: in every reachable state with at most the given number of
//! processes, the type of each process is in the list of its number.

use axle_model::{Model, ProcId};

/// For each process number below `most`, the types that it may have, in ascending order. The list ends
/// before the first number that no process has.
pub(crate) fn slots(model: &Model, most: usize) -> Vec<Vec<ProcId>> {
    let creates: Vec<Vec<ProcId>> = model.processes.iter().map(|of| of.creates().collect()).collect();
    let mut slots: Vec<Vec<ProcId>> = Vec::new();
    // The types that processes with lower numbers create.
    let mut created: Vec<ProcId> = Vec::new();
    while slots.len() < most {
        let mut types = created.clone();
        types.extend(model.start.get(slots.len()).map(|instance| instance.proc));
        types.sort_unstable();
        types.dedup();
        if types.is_empty() {
            break;
        }
        created.extend(types.iter().flat_map(|of| &creates[of.index()]));
        created.sort_unstable();
        created.dedup();
        slots.push(types);
    }
    slots
}
