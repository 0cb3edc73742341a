//! Breadth-first search: all successors of the last level are the next one.
//!
//! *Entry point:* [`breadth_first`].
//! *Source:* O. Coudert, C. Berthet, J. C. Madre, "Verification of Synchronous Sequential Machines
//! Based on Symbolic Execution", 1989.

use crate::package::Package;
use crate::search::{Halt, Search};

/// The reachable states. The levels are appended to `rings`.
pub(crate) fn breadth_first<P: Package>(
    search: &mut Search<'_, P>,
    rings: &mut Vec<P::Diagram>,
) -> Result<P::Diagram, Halt> {
    let mut reached = search.space.initial.clone();
    let mut frontier = reached.clone();
    while !search.space.package().is_empty(&frontier) {
        rings.push(frontier.clone());
        let mut next = search.space.package().constant(false);
        for transition in 0..search.space.unions.len() {
            let image = search.image_of_union(transition, &frontier)?;
            next = search.union(&next, &image)?;
        }
        frontier = search.difference(&next, &reached)?;
        reached = search.union(&reached, &frontier)?;
        search.iteration(&reached)?;
    }
    Ok(reached)
}
