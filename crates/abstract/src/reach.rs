//! Abstract reachability: the cubes at the places that abstract steps lead to from the initial state,
//! breadth-first, up to the first one with a bad state.
//!
//! *Entry point:* [`reach`].
//! *Source:* Clarke, Grumberg and Long, "Model Checking and Abstraction", TOPLAS 1994.
//! *Invariant:* after a search without bad states, the cubes at their places contain all reachable states.

use std::collections::hash_map::Entry;

use axle_decide::watch::Watch;
use axle_outcome::Stop;
use rustc_hash::FxHashMap;

use crate::cube::{Cube, Truth, is_within};
use crate::local::LocalId;
use crate::place::PlaceId;
use crate::post::Abstraction;
use crate::valuation::{Valuation, initial};

/// An abstract state.
pub(crate) struct Node {
    pub place: PlaceId,
    pub cube: Cube,
    /// The state before it, and the step between them.
    pub parent: Option<(u32, LocalId)>,
}

/// The abstract states that were reached.
#[derive(Default)]
pub(crate) struct Reached {
    pub nodes: Vec<Node>,
}

/// An abstract path to a bad state.
#[derive(Clone, Debug)]
pub(crate) struct AbstractPath {
    pub steps: Vec<LocalId>,
    /// The places: one more than steps.
    pub places: Vec<PlaceId>,
    /// The position of the bad condition.
    pub bad: usize,
}

/// Searches for an abstract state that contains a bad state.
///
/// # Errors
/// The search must stop.
pub(crate) fn reach(
    abstraction: &mut Abstraction<'_>,
    bads: &[usize],
    watch: &mut Watch<'_>,
    most: Option<u64>,
) -> Result<(Reached, Option<AbstractPath>), Stop> {
    let mut reached = Reached::default();
    let mut known: FxHashMap<PlaceId, Vec<u32>> = FxHashMap::default();
    let mut exact: FxHashMap<(PlaceId, Cube), ()> = FxHashMap::default();
    let concrete = initial(abstraction.problem);
    let place = abstraction.places.of(&concrete);
    let mut valuation = Valuation::new(abstraction.problem);
    valuation.begin(&abstraction.formulas.terms);
    let cube: Cube = (abstraction.predicates.list.iter())
        .map(|of| Truth::of(valuation.holds(&abstraction.formulas.terms, &concrete, *of)))
        .collect();
    exact.insert((place, cube.clone()), ());
    known.entry(place).or_default().push(0);
    reached.nodes.push(Node { place, cube, parent: None });
    let mut at = 0;
    while at < reached.nodes.len() {
        let (place, cube) = (reached.nodes[at].place, reached.nodes[at].cube.clone());
        for bad in bads {
            let condition = abstraction.problem.system.bads[*bad].condition;
            if abstraction.may_hold(place, &cube, condition, watch)? {
                let path = reached.path(at, *bad);
                return Ok((reached, Some(path)));
            }
        }
        for local in abstraction.commands(place, watch)? {
            let target = abstraction.place_after(local, place);
            for cube in abstraction.successors(local, place, &cube, watch)? {
                let Entry::Vacant(entry) = exact.entry((target, cube)) else { continue };
                let cube = entry.key().1.clone();
                entry.insert(());
                let at_target = known.entry(target).or_default();
                let has_unknown = |cube: &[Truth]| cube.contains(&Truth::Unknown);
                let covers = |of: &u32| {
                    let other = &reached.nodes[*of as usize].cube;
                    has_unknown(other) && is_within(&cube, other)
                };
                if at_target.iter().any(covers) {
                    continue;
                }
                at_target.push(reached.nodes.len() as u32);
                reached.nodes.push(Node { place: target, cube, parent: Some((at as u32, local)) });
            }
        }
        at += 1;
        watch.progress.states = watch.progress.states.max(reached.nodes.len() as u64);
        if at.is_multiple_of(64) {
            watch.check(abstraction.formulas.memory() + reached.memory())?;
            if most.is_some_and(|most| reached.nodes.len() as u64 > most) {
                return Err(Stop::States);
            }
        }
    }
    Ok((reached, None))
}

impl Reached {
    /// The path to a node.
    fn path(&self, mut at: usize, bad: usize) -> AbstractPath {
        let (mut steps, mut places) = (Vec::new(), vec![self.nodes[at].place]);
        while let Some((before, local)) = self.nodes[at].parent {
            at = before as usize;
            steps.push(local);
            places.push(self.nodes[at].place);
        }
        steps.reverse();
        places.reverse();
        AbstractPath { steps, places, bad }
    }

    /// An estimate of the memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.nodes.iter().map(|node| 96 + 2 * node.cube.len() as u64).sum()
    }
}
