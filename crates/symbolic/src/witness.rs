//! Counterexamples: a path to a set of states, and its steps as positions among the successors of the
//! interpreter.
//!
//! A breadth-first search has computed sets of states by their distance from the initial state (onion
//! rings). The path goes from the target to a predecessor in the ring before, and so on; it has the
//! fewest steps. After other strategies, a backward search inside the reached states computes layers
//! around the target until the initial state is among them, and the path follows the layers inwards.
//!
//! *Entry points:* [`path`], [`positions`].

use axle_outcome::{Found, ModelSite, Stop, Violation};
use axle_relation::{Evaluation, Relation};

use crate::package::Package;
use crate::search::{Halt, Search};
use crate::space::Space;
use crate::steps::{FaultStates, Place};

/// A path: the groups of each step, and the states before the first and after each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    pub groups: Vec<Vec<usize>>,
    pub states: Vec<Vec<i64>>,
}

/// A path from the initial state to a target, which is a part of the reached states and not empty.
/// `rings` are the levels of a breadth-first search, if there are any: the path is then a shortest one.
pub(crate) fn path<P: Package>(
    search: &mut Search<'_, P>,
    reached: &P::Diagram,
    rings: &[P::Diagram],
    target: &P::Diagram,
) -> Result<Path, Halt> {
    match rings.is_empty() {
        false => outwards(search, rings, target),
        true => inwards(search, reached, target),
    }
}

/// A path along the rings around the initial state, found from its end.
fn outwards<P: Package>(
    search: &mut Search<'_, P>,
    rings: &[P::Diagram],
    target: &P::Diagram,
) -> Result<Path, Halt> {
    let space = search.space;
    let mut path = Path { groups: Vec::new(), states: Vec::new() };
    let mut at = None;
    for (distance, ring) in rings.iter().enumerate() {
        let common = search.intersection(ring, target)?;
        if let Some(state) = space.encoding.pick(&common) {
            at = Some((distance, state));
            break;
        }
    }
    let (distance, mut state) = at.expect("the target is a part of the reached states");
    for ring in rings[..distance].iter().rev() {
        let here = search.run(|_| space.encoding.state(&state))?;
        path.states.push(state);
        state = Vec::new();
        for index in 0..space.transitions.len() {
            let before = search.preimage(index, &here)?;
            let before = search.intersection(&before, ring)?;
            if let Some(found) = space.encoding.pick(&before) {
                path.groups.push(space.steps[space.transitions[index].step].clone());
                state = found;
                break;
            }
        }
    }
    path.states.push(state);
    path.groups.reverse();
    path.states.reverse();
    Ok(path)
}

/// A path along the layers of a backward search from the target. The search chains: a layer has the
/// states that one transition leads into the layers before, so a step from a state of a layer leads to a
/// lower one.
fn inwards<P: Package>(
    search: &mut Search<'_, P>,
    reached: &P::Diagram,
    target: &P::Diagram,
) -> Result<Path, Halt> {
    let space = search.space;
    let mut layers: Vec<(usize, P::Diagram)> = Vec::new();
    let mut seen = target.clone();
    let is_done = |search: &mut Search<'_, P>, seen: &P::Diagram| {
        search.run(|package| package.intersects(seen, &space.initial))
    };
    while !is_done(search, &seen)? {
        let before = layers.len();
        for index in (0..space.transitions.len()).rev() {
            let layer = search.preimage(index, &seen)?;
            let layer = search.intersection(&layer, reached)?;
            let layer = search.difference(&layer, &seen)?;
            if !space.package().is_empty(&layer) {
                seen = search.union(&seen, &layer)?;
                layers.push((index, layer));
            }
        }
        assert!(layers.len() > before, "the target is a part of the reached states");
    }
    let initial = search.intersection(&seen, &space.initial)?;
    let mut state = space.encoding.pick(&initial).expect("the search has ended there");
    let mut path = Path { groups: Vec::new(), states: vec![state.clone()] };
    while let Some((index, layer)) = layers.pop() {
        let here = search.run(|_| space.encoding.state(&state))?;
        if search.run(|package| package.intersects(&here, &layer))? {
            let after = search.image(index, &here)?;
            state = space.encoding.pick(&after).expect("the transition is executable in its layer");
            path.groups.push(space.steps[space.transitions[index].step].clone());
            path.states.push(state.clone());
        }
    }
    Ok(path)
}

/// The positions of a path among the successors of its states outside sequences, and the groups of the
/// sequence in which it ends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Positions {
    pub path: Vec<u32>,
    /// The last state outside sequences.
    pub state: Vec<i64>,
    /// The groups after it.
    pub rest: Vec<u32>,
}

/// The position of the first successor of a state that certain groups lead to, or begin to, if there is one. The steps
/// of composed sequences are in the order of the interpreter; otherwise the successors are computed.
pub(crate) fn position<P: Package>(
    space: &Space<P>,
    relation: &Relation,
    state: &[i64],
    groups: &[u32],
    begin: bool,
) -> Result<Option<u32>, Stop> {
    let is_it = |of: &mut dyn Iterator<Item = u32>| {
        let begins = groups.iter().all(|group| of.next() == Some(*group));
        begins && (begin || of.next().is_none())
    };
    if !space.is_composed {
        let variables = relation.variables.list().len();
        let successors = relation.successors(&state[..variables], &mut Evaluation::default())?;
        let found = successors.iter().find(|of| is_it(&mut of.groups.iter().copied()));
        return Ok(found.map(|successor| successor.position));
    }
    let executable =
        space.transitions.iter().filter(|transition| space.encoding.contains(&transition.guard, state));
    let mut steps = executable.map(|transition| &space.steps[transition.step]);
    let found = steps.position(|step| is_it(&mut step.iter().map(|group| *group as u32)));
    Ok(found.map(|position| position as u32))
}

/// The positions of a path; [`Stop::Sequence`] if a sequence has too many paths.
pub(crate) fn positions<P: Package>(
    space: &Space<P>,
    relation: &Relation,
    path: &Path,
) -> Result<Positions, Stop> {
    let outside =
        |state: &[i64]| relation.variables.control().is_none_or(|(control, _)| state[control.index()] == 0);
    let mut found = Positions { state: path.states[0].clone(), ..Positions::default() };
    for (groups, after) in path.groups.iter().zip(&path.states[1..]) {
        found.rest.extend(groups.iter().map(|group| *group as u32));
        if !outside(after) {
            continue;
        }
        match position(space, relation, &found.state, &found.rest, false)? {
            Some(position) => found.path.push(position),
            None => return Err(relation.sequence_of(found.rest[0])),
        }
        found.state.clone_from(after);
        found.rest.clear();
    }
    Ok(found)
}

/// The violation that a fault at the end of a path is.
pub(crate) fn violation<P: Package>(
    space: &Space<P>,
    relation: &Relation,
    path: &Path,
    fault: &FaultStates<P>,
) -> Result<Violation, Stop> {
    let mut at = positions(space, relation, path)?;
    let end = &path.states[path.states.len() - 1];
    at.rest.extend(fault.place.groups().iter().map(|group| *group as u32));
    let step = match fault.place {
        Place::Step(_) => position(space, relation, &at.state, &at.rest, true)?,
        Place::Start | Place::State(_) => None,
    };
    let found = match (&fault.place, step) {
        (Place::Start, _) => Found::Start,
        (Place::Step(_), Some(position)) => Found::Step(position),
        (Place::Step(_), None) | (Place::State(_), _) => Found::State,
    };
    Ok(Violation {
        site: ModelSite { kind: fault.kind, edge: fault.edge },
        pid: fault.pid,
        proc: relation.process_type(end, fault.pid),
        path: at.path,
        found,
        count: 1,
    })
}
