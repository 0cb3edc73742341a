//! Abstract machines: the abstract states of one process, with the steps between them, as a graph.
//!
//! A node is the location of the process with a cube. The steps of the process are solid edges; steps of
//! the other processes that change a predicate are dashed.
//!
//! *Entry point:* [`machine`].
//! *Source:* Lowry and Subramaniam, "Abstraction for Analytic Verification of Concurrent Software Systems",
//! 1998 (the figures).
//! *Invariant:* each step of the process in an execution from the initial state is an edge.

use std::collections::BTreeSet;

use axle_decide::model::Problem;
use axle_decide::watch::{Poll, Watch};
use axle_outcome::{Limits, Stop};
use axle_relation::{Part, Relation};

use crate::Options;
use crate::cegar::Predicates;
use crate::cube::{Truth, is_within};
use crate::display::{negation, text};
use crate::post::Abstraction;
use crate::reach::{Reached, reach};

/// The most abstract states of the product.
const MOST_STATES: u64 = 20_000;

/// An abstract state of a process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MachineState {
    /// The location, as the relation numbers it: plus 1; 0 if the process does not exist.
    pub location: u64,
    /// For each predicate, its value, if it is known.
    pub values: Vec<Option<bool>>,
}

/// The abstract machine of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The predicates with their negations, as expressions.
    pub predicates: Vec<[String; 2]>,
    /// The states, the initial one first.
    pub states: Vec<MachineState>,
    /// Steps: two states, and the group, of the process or of another one.
    pub steps: Vec<(usize, u32, usize, bool)>,
}

/// The machine of the process with a number; `None` for the product of all, with the places as locations.
///
/// # Errors
/// The abstraction has too many states, or the computation must stop.
pub fn machine(
    problem: &Problem,
    relation: &Relation,
    predicates: &Predicates,
    process: u32,
    poll: Poll<'_>,
) -> Result<Machine, Stop> {
    let mut watch = Watch::new(&Limits::default(), poll);
    let mut abstraction = Abstraction::new(problem, relation, &Options::default());
    abstraction.formulas.terms = predicates.terms.clone();
    for predicate in &predicates.list {
        abstraction.predicates.add(problem, &mut abstraction.formulas.terms, *predicate);
    }
    let (reached, _) = reach(&mut abstraction, &[], &mut watch, Some(MOST_STATES))?;
    let is_location = |of: &u32| relation.variables.list()[*of as usize].part == Part::Location(process);
    let location = abstraction.places.variables.iter().position(is_location).ok_or(Stop::NotApplicable)?;
    let state = |abstraction: &Abstraction<'_>, node: usize| {
        let node = &reached.nodes[node];
        MachineState {
            location: abstraction.places.values(node.place)[location],
            values: node.cube.iter().map(|truth| truth.known()).collect(),
        }
    };
    let mut states = vec![state(&abstraction, 0)];
    let mut steps = BTreeSet::new();
    let number = |states: &mut Vec<MachineState>, state: MachineState| {
        states.iter().position(|known| *known == state).unwrap_or_else(|| {
            states.push(state);
            states.len() - 1
        })
    };
    for node in 0..reached.nodes.len() {
        let (place, cube) = (reached.nodes[node].place, reached.nodes[node].cube.clone());
        let own = state(&abstraction, node);
        let from = number(&mut states, own);
        for local in abstraction.commands(place, &mut watch)? {
            let target = abstraction.place_after(local, place);
            let group = abstraction.locals.get(local).command;
            for cube in abstraction.successors(local, place, &cube, &mut watch)? {
                let Some(next) = found(&reached, target, &cube) else { continue };
                let next = state(&abstraction, next);
                let to = number(&mut states, next);
                let is_own = problem.selector(group).0 == process;
                if is_own || from != to {
                    steps.insert((from, group, to, is_own));
                }
            }
        }
    }
    let terms = &abstraction.formulas.terms;
    let predicates = abstraction.predicates.list.iter().map(|of| {
        let own = text(&problem.system, terms, *of);
        [own.clone(), negation(&problem.system, terms, *of, &own)]
    });
    Ok(Machine { predicates: predicates.collect(), states, steps: steps.into_iter().collect() })
}

/// The abstract state that contains a cube at a place.
fn found(reached: &Reached, place: crate::place::PlaceId, cube: &[Truth]) -> Option<usize> {
    reached.nodes.iter().position(|node| node.place == place && is_within(cube, &node.cube))
}
