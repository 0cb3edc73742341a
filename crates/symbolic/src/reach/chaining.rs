//! Chaining: the states that one group reaches are used for the next group of the same round.
//!
//! *Entry point:* [`chaining`].
//! *Source:* O. Roig, J. Cortadella, E. Pastor, "Verification of Asynchronous Circuits by BDD-based Model
//! Checking of Petri Nets", ICATPN 1995.

use crate::package::Package;
use crate::search::{Halt, Search};

/// The reachable states.
pub(crate) fn chaining<P: Package>(search: &mut Search<'_, P>) -> Result<P::Diagram, Halt> {
    let mut reached = search.space.initial.clone();
    loop {
        let before = reached.clone();
        for transition in 0..search.space.unions.len() {
            let image = search.image_of_union(transition, &reached)?;
            reached = search.union(&reached, &image)?;
        }
        search.iteration(&reached)?;
        if reached == before {
            return Ok(reached);
        }
    }
}

/// Some reachable states, whose set has about this many nodes, or all of them.
pub(crate) fn first_states<P: Package>(search: &mut Search<'_, P>, nodes: usize) -> Result<P::Diagram, Halt> {
    let mut reached = search.space.initial.clone();
    loop {
        let before = reached.clone();
        for transition in 0..search.space.unions.len() {
            let image = search.image_of_union(transition, &reached)?;
            reached = search.union(&reached, &image)?;
            if search.space.package().size(&reached) > nodes {
                return Ok(reached);
            }
        }
        if before == reached {
            return Ok(reached);
        }
    }
}
