//! Chaining: the states that one group reaches are used for the next group of the same round.
//!
//! *Entry points:* [`chaining`]; [`first_states`] for a part of the states.
//! *Source:* O. Roig, J. Cortadella, E. Pastor, "Verification of Asynchronous Circuits by BDD-based Model
//! Checking of Petri Nets", ICATPN 1995.

use crate::package::Package;
use crate::search::{Halt, Search};

/// The reachable states.
pub(crate) fn chaining<P: Package>(search: &mut Search<'_, P>) -> Result<P::Diagram, Halt> {
    rounds(search, None)
}

/// Some reachable states, whose set has about this many nodes, or all of them.
pub(crate) fn first_states<P: Package>(search: &mut Search<'_, P>, nodes: usize) -> Result<P::Diagram, Halt> {
    rounds(search, Some(nodes))
}

/// The states of all rounds, or those whose set first has more than `most` nodes.
fn rounds<P: Package>(search: &mut Search<'_, P>, most: Option<usize>) -> Result<P::Diagram, Halt> {
    let mut reached = search.space.initial.clone();
    loop {
        let before = reached.clone();
        for transition in 0..search.space.unions.len() {
            let image = search.image_of_union(transition, &reached)?;
            reached = search.union(&reached, &image)?;
            if most.is_some_and(|most| search.space.package().size(&reached) > most) {
                return Ok(reached);
            }
        }
        if most.is_none() {
            search.iteration(&reached)?;
        }
        if reached == before {
            return Ok(reached);
        }
    }
}
