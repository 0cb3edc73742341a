//! Saturation: the nodes of the set of states are saturated from the bottom up. A node is saturated if
//! no group at its level or below adds a state to it.
//!
//! The groups are sorted by the top bit of their support. A node at level `k` is first saturated by the
//! groups below `k`; then the groups of level `k` are applied, and what they add is saturated again,
//! until nothing is added. Work is done on small diagrams near the bottom, and its results are shared.
//!
//! *Entry point:* [`saturation`].
//! *Source:* G. Ciardo, G. Lüttgen, R. Siminiceanu, "Saturation: An Efficient Iteration Strategy for
//! Symbolic State-Space Generation", TACAS 2001; T. van Dijk, J. Meijer, J. van de Pol, "Multi-core
//! On-The-Fly Saturation", TACAS 2019.
//! *Invariant:* a cached result is closed under all groups from its level on.

use crate::encoding::current;
use crate::package::Package;
use crate::search::{Halt, Search};

struct Saturation<'a, 's, P: Package> {
    search: &'a mut Search<'s, P>,
    /// The transitions by their top bit, in ascending order of the bits.
    levels: Vec<(u32, Vec<usize>)>,
}

/// The reachable states.
pub(crate) fn saturation<P: Package>(search: &mut Search<'_, P>) -> Result<P::Diagram, Halt> {
    let mut by_top: std::collections::BTreeMap<u32, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, transition) in search.space.unions.iter().enumerate() {
        if let Some(top) = transition.top() {
            by_top.entry(top).or_default().push(index);
        }
    }
    let initial = search.space.initial.clone();
    let levels = by_top.into_iter().collect();
    let mut saturation = Saturation { search, levels };
    let reached = saturation.saturate(&initial, 0)?;
    drop(saturation);
    search.iteration(&reached)?;
    Ok(reached)
}

impl<P: Package> Saturation<'_, '_, P> {
    /// The states reached from a set by the groups from a level on.
    fn saturate(&mut self, set: &P::Diagram, level: usize) -> Result<P::Diagram, Halt> {
        let Some(&(bit, _)) = self.levels.get(level) else { return Ok(set.clone()) };
        let Some((variable, high, low)) = self.search.space.package().decompose(set) else {
            return Ok(set.clone());
        };
        if variable < current(bit) {
            // No group changes the bits above its top, so each half is saturated on its own.
            if let Some(known) = self.search.space.package().remembered(set, level as u32) {
                return Ok(known);
            }
            let (high, low) = (self.saturate(&high, level)?, self.saturate(&low, level)?);
            let saturated =
                self.search.run(|package| package.choose(&package.variable(variable), &high, &low))?;
            self.remember(set, level, &saturated);
            return Ok(saturated);
        }
        if let Some(known) = self.search.space.package().remembered(set, level as u32) {
            return Ok(known);
        }
        let mut reached = set.clone();
        loop {
            reached = self.saturate(&reached, level + 1)?;
            let before = reached.clone();
            for at in 0..self.levels[level].1.len() {
                let transition = self.levels[level].1[at];
                let image = self.search.image_of_union(transition, &reached)?;
                reached = self.search.union(&reached, &image)?;
            }
            if reached == before {
                break;
            }
        }
        self.remember(set, level, &reached);
        Ok(reached)
    }

    fn remember(&self, set: &P::Diagram, level: usize, result: &P::Diagram) {
        self.search.space.package().remember(result, level as u32, result);
        self.search.space.package().remember(set, level as u32, result);
    }
}
