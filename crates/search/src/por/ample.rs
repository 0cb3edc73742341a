//! Ample sets of one process: in a state, the transitions of a process with which no other process
//! can interfere.
//!
//! | condition | ensured by |
//! | --- | --- |
//! | C0, not empty | [`Reduced`](crate::por::reduced_graph::Reduced) passes to the next set if the process is blocked |
//! | C1, dependence | no other process can reach a dependent transition (crates/reduce, `conflicts.rs`) |
//! | C2, invisibility | the process is not at a location with a visible transition |
//! | C3, cycle proviso | the process is not at a location with a sticky edge (crates/reduce, `cycles.rs`) |
//!
//! *Entry point:* [`sets`].
//!
//! *Source:* E. M. Clarke, O. Grumberg and D. Peled, Model Checking, 1999, chapter 10; G. J.
//! Holzmann and D. Peled, An improvement in formal verification, FORTE 1994.
//!
//! *Invariant:* the choice depends on the state only, so every search sees the same reduced graph.

use axle_reduce::Conflicts;

/// Adds the ample sets of a state, as masks of one process each. `standing` are the numbers of the
/// processes' locations; `interfering` returns the processes that may interfere with the process
/// with this number at this location.
pub(crate) fn sets(
    conflicts: &Conflicts,
    standing: &[u32],
    interfering: impl Fn(usize, usize) -> u64,
    out: &mut Vec<u64>,
) {
    // A single process leaves no choice.
    if standing.len() < 2 {
        return;
    }
    for (pid, &at) in standing.iter().enumerate() {
        let set = 1u64 << pid;
        if conflicts.proper[at as usize] && interfering(at as usize, pid) & !set == 0 {
            out.push(set);
        }
    }
}
