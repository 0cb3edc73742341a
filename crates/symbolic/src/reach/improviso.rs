//! IMPROVISO: reachability with partial order reduction in two phases. Phase 1 executes safe steps of one
//! process after the other; phase 2 executes all steps of the states in which phase 1 ends.
//!
//! The proviso against ignored steps is relative to the present phase 1: a step that closes a cycle
//! leads to a state on the "stack", the set of states of this phase, which is passed on to the next
//! process and in the end to phase 2. Each cycle of the reduced graph thus has a fully expanded state.
//!
//! Figure 4 of the paper, taken literally, loses states. This file departs from it in three points:
//!
//! 1. A state in which a process has no safe step is passed on to the next process. In the figure, it has
//!    no successor in the relation of phase 1 and disappears.
//! 2. States are excluded from phase 2 only if they were expanded before, in a set of their own. The
//!    figure subtracts the visited states, to which phase 2 has added its successors: they would
//!    never be expanded.
//! 3. A process expands each state once in a phase 1. A state that a later process passes back is
//!    otherwise expanded again in every round, and its cycles multiply the states (`Best(7)`: 2142
//!    instead of 15).
//!
//! *Entry point:* [`improviso`].
//! *Source:* F. Lerda, N. Sinha, M. Theobald, "Symbolic Model Checking of Software", SoftMC 2003; R.
//! Nalumasu, G. Gopalakrishnan, "An Efficient Partial Order Reduction Algorithm with an Alternative
//! Proviso Implementation", FMSD 20, 2002.
//! *Invariant:* the reduced set contains all blocked states, and a state with each reachable fault, local
//! state of a process and value of the globals.

use axle_relation::Relation;

use crate::independence::safe_states;
use crate::package::Package;
use crate::search::{Halt, Search};
use crate::space::unions;
use crate::transition::Transition;

/// A process in phase 1.
struct Process<P: Package> {
    /// Its transitions, united where that is cheap.
    transitions: Vec<Transition<P>>,
    /// Its safe states.
    safe: P::Diagram,
    /// The states that it has expanded in the present phase 1.
    done: P::Diagram,
}

/// The states of the reduced state space.
pub(crate) fn improviso<P: Package>(
    search: &mut Search<'_, P>,
    relation: &Relation,
) -> Result<P::Diagram, Halt> {
    let nothing = search.space.package().constant(false);
    let mut processes: Vec<Process<P>> = Vec::new();
    for (pid, safe) in safe_states(search, relation)? {
        let all = search.space.transitions.iter();
        let own = all.filter(|transition| search.space.executing(relation, transition.step) == pid);
        let own: Vec<Transition<P>> = own.cloned().collect();
        let space = search.space;
        let transitions = search.run_once(|| unions(space.package(), &own))?;
        processes.push(Process { transitions, safe, done: nothing.clone() });
    }
    let mut frontier = search.space.initial.clone();
    let (mut visited, mut expanded) = (frontier.clone(), nothing.clone());
    while !search.space.package().is_empty(&frontier) {
        let stack;
        (frontier, stack) = phase_1(search, &mut processes, frontier)?;
        visited = search.union(&visited, &stack)?;
        frontier = search.difference(&frontier, &expanded)?;
        expanded = search.union(&expanded, &frontier)?;
        let mut image = nothing.clone();
        for union in 0..search.space.unions.len() {
            let successors = search.image_of_union(union, &frontier)?;
            image = search.union(&image, &successors)?;
        }
        frontier = search.difference(&image, &visited)?;
        visited = search.union(&visited, &image)?;
        search.iteration(&visited)?;
    }
    Ok(visited)
}

/// Phase 1: the states to expand fully, and all states of the phase.
fn phase_1<P: Package>(
    search: &mut Search<'_, P>,
    processes: &mut [Process<P>],
    mut frontier: P::Diagram,
) -> Result<(P::Diagram, P::Diagram), Halt> {
    let nothing = search.space.package().constant(false);
    let mut stack = frontier.clone();
    processes.iter_mut().for_each(|process| process.done = nothing.clone());
    loop {
        let mut moved = false;
        for process in &mut *processes {
            let mut passed = nothing.clone();
            while !search.space.package().is_empty(&frontier) {
                let again = search.intersection(&frontier, &process.done)?;
                passed = search.union(&passed, &again)?;
                frontier = search.difference(&frontier, &process.done)?;
                process.done = search.union(&process.done, &frontier)?;
                let blocked = search.difference(&frontier, &process.safe)?;
                passed = search.union(&passed, &blocked)?;
                let safe = search.intersection(&frontier, &process.safe)?;
                let mut image = nothing.clone();
                for transition in &process.transitions {
                    let successors = search.image_by(transition, &safe)?;
                    image = search.union(&image, &successors)?;
                }
                let closing = search.intersection(&image, &stack)?;
                passed = search.union(&passed, &closing)?;
                frontier = search.difference(&image, &stack)?;
                stack = search.union(&stack, &frontier)?;
                moved |= !search.space.package().is_empty(&frontier);
            }
            frontier = passed;
        }
        if !moved {
            return Ok((frontier, stack));
        }
    }
}
