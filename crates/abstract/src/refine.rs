//! Refinement: an abstract path is executed step by step; where a guard fails, new predicates make the path
//! impossible.
//!
//! Conditions of the path (conjuncts of guards, and of the bad condition at its end) are moved backwards
//! by weakest preconditions until they contradict each other: the infeasible suffix. An unsatisfiable
//! core names the conditions that are needed, and the atoms of their preconditions at each step become
//! predicates. Where a contradiction needs the initial values, affine relations that hold in all states
//! which were seen at a place are tried, then relations between two variables, and the values themselves
//! last, since relations are kept by loops.
//!
//! *Entry points:* [`execute`], [`new_predicates`].
//! *Source:* Clarke, Grumberg, Jha, Lu and Veith, "Counterexample-Guided Abstraction Refinement", CAV
//! 2000; Ball and Rajamani, "Generating Abstract Explanations of Spurious Counterexamples in C Programs",
//! 2002; Henzinger, Jhala, Majumdar and McMillan, "Abstractions from Proofs", POPL 2004 (cores).
//! *Invariant:* a path is feasible only if every step was executed and its last state is bad.

use axle_decide::aig::Signal;
use axle_decide::canonical::Equalities;
use axle_decide::term::{BinaryOp, FALSE, TRUE, Term, TermId, Terms};
use axle_decide::watch::Watch;
use axle_outcome::Stop;

use crate::affine;
use crate::atoms::{atoms, conjuncts};
use crate::explore::Exploration;
use crate::local::LocalId;
use crate::place::support;
use crate::post::Abstraction;
use crate::reach::AbstractPath;
use crate::valuation::{Concrete, Valuation, initial};

/// The fewest states at a place of which relations are taken.
const FEWEST_SAMPLES: usize = 16;
/// The most pairs of variables whose relations are tried.
const MOST_RELATIONS: usize = 400;

/// The result of the execution of an abstract path.
pub(crate) enum Executed {
    /// The last state is bad.
    Feasible,
    /// The guard of the step at this position fails; the number of steps, if the last state is not bad.
    Stuck(usize),
}

/// Executes a path.
pub(crate) fn execute(abstraction: &Abstraction<'_>, path: &AbstractPath) -> Executed {
    let terms = &abstraction.formulas.terms;
    let mut valuation = Valuation::new(abstraction.problem);
    let mut state = initial(abstraction.problem);
    for (at, step) in path.steps.iter().enumerate() {
        valuation.begin(terms);
        let command = abstraction.locals.get(*step).command;
        match after(abstraction, &mut valuation, &state, command) {
            Some(next) => state = next,
            None => return Executed::Stuck(at),
        }
    }
    valuation.begin(terms);
    match valuation.holds(terms, &state, abstraction.problem.system.bads[path.bad].condition) {
        true => Executed::Feasible,
        false => Executed::Stuck(path.steps.len()),
    }
}

/// The state after a command; none if it is not enabled.
pub(crate) fn after(
    abstraction: &Abstraction<'_>,
    valuation: &mut Valuation,
    state: &[u64],
    command: u32,
) -> Option<Concrete> {
    let terms = &abstraction.formulas.terms;
    let command = &abstraction.problem.commands[command as usize];
    if !valuation.holds(terms, state, command.enabled) {
        return None;
    }
    let mut next = state.to_vec();
    for (of, value) in &command.updates {
        next[*of as usize] = valuation.value(terms, state, *value) as u64;
    }
    Some(next)
}

/// A condition of a path.
#[derive(Clone, Copy)]
struct Item {
    /// The number of steps before it.
    position: usize,
    condition: TermId,
    /// Its precondition at the present position.
    moved: TermId,
}

/// A contradiction of conditions of a path.
struct Contradiction {
    /// The position at which preconditions contradict each other.
    position: usize,
    /// The conditions.
    items: Vec<Item>,
    /// Relations that the initial state satisfies.
    relations: Vec<TermId>,
}

/// The predicates that make an infeasible path impossible, those that are known included.
///
/// # Errors
/// The search must stop.
pub(crate) fn new_predicates(
    abstraction: &mut Abstraction<'_>,
    exploration: &Exploration,
    path: &AbstractPath,
    stuck: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<TermId>, Stop> {
    let contradiction = contradiction(abstraction, exploration, path, stuck, watch)?;
    let mut found = Vec::new();
    for relation in &contradiction.relations {
        atoms(&mut abstraction.formulas.terms, *relation, &mut found);
    }
    for item in &contradiction.items {
        let mut condition = item.condition;
        for position in (contradiction.position..=item.position).rev() {
            atoms(&mut abstraction.formulas.terms, condition, &mut found);
            if position > contradiction.position {
                condition = before(abstraction, path.steps[position - 1], condition);
            }
        }
    }
    let (problem, terms) = (abstraction.problem, &abstraction.formulas.terms);
    found.retain(|atom| abstraction.places.is_free(problem, terms, *atom));
    Ok(found)
}

/// The conditions whose conjunction is impossible at each position, as one predicate for each.
///
/// # Errors
/// The search must stop.
pub(crate) fn whole_conditions(
    abstraction: &mut Abstraction<'_>,
    exploration: &Exploration,
    path: &AbstractPath,
    stuck: usize,
    watch: &mut Watch<'_>,
) -> Result<Vec<TermId>, Stop> {
    let contradiction = contradiction(abstraction, exploration, path, stuck, watch)?;
    let mut found = Vec::new();
    let mut moved: Vec<Item> = Vec::new();
    for position in (contradiction.position..=stuck).rev() {
        for item in &mut moved {
            item.moved = before(abstraction, path.steps[position], item.moved);
        }
        moved.extend(
            contradiction
                .items
                .iter()
                .filter(|item| item.position == position)
                .map(|item| Item { moved: item.condition, ..*item }),
        );
        let terms = &mut abstraction.formulas.terms;
        let all = moved.iter().fold(TRUE, |all, item| terms.conjunction(all, item.moved));
        found.push(all);
    }
    Ok(found)
}

/// The precondition of a condition before a step.
fn before(abstraction: &mut Abstraction<'_>, step: LocalId, condition: TermId) -> TermId {
    let wp = &mut abstraction.locals.get_mut(step).wp;
    let condition = wp.after(&mut abstraction.formulas.terms, condition);
    abstraction.formulas.terms.canonical(condition)
}

/// The conditions that a path places on the state after `position` steps.
fn conditions(abstraction: &mut Abstraction<'_>, path: &AbstractPath, position: usize) -> Vec<TermId> {
    match path.steps.get(position) {
        Some(step) => abstraction.locals.get(*step).conjuncts.clone(),
        None => {
            let condition = abstraction.problem.system.bads[path.bad].condition;
            let (places, terms) = (&mut abstraction.places, &mut abstraction.formulas.terms);
            let condition = places.reduced(abstraction.problem, terms, condition, path.places[position]);
            conjuncts(terms, condition)
        }
    }
}

/// Finds the shortest infeasible suffix of a path to the position at which it cannot be executed.
fn contradiction(
    abstraction: &mut Abstraction<'_>,
    exploration: &Exploration,
    path: &AbstractPath,
    stuck: usize,
    watch: &mut Watch<'_>,
) -> Result<Contradiction, Stop> {
    let mut items: Vec<Item> = Vec::new();
    let mut moved: Vec<Moved> = Vec::new();
    for position in (0..=stuck).rev() {
        if position < stuck {
            for item in &mut items {
                item.moved = before(abstraction, path.steps[position], item.moved);
            }
        }
        let own = conditions(abstraction, path, position);
        items.extend(own.into_iter().map(|condition| Item { position, condition, moved: condition }));
        let place = abstraction.at_place(path.places[position]);
        if let Some(core) = core(abstraction, &items, &place, &[], watch)? {
            let items = core.0;
            return Ok(Contradiction { position, items, relations: Vec::new() });
        }
        moved.push((position, place, items.clone()));
    }
    if let Some(found) = by_samples(abstraction, exploration, path, &moved, watch)? {
        return Ok(found);
    }
    let start = abstraction.at_place(path.places[0]);
    let moved: Vec<TermId> = items.iter().map(|item| item.moved).collect();
    let variables = support(abstraction.problem, &abstraction.formulas.terms, &moved);
    let candidates = relations(abstraction, &variables);
    if let Some((items, relations)) = core(abstraction, &items, &start, &candidates, watch)? {
        return Ok(Contradiction { position: 0, items, relations });
    }
    let candidates = values(abstraction, &variables);
    if let Some((items, _)) = core(abstraction, &items, &start, &candidates, watch)? {
        // The initial values determine the conditions, and are no predicates themselves.
        return Ok(Contradiction { position: 0, items, relations: Vec::new() });
    }
    // One of the conditions fails at the initial values: the query was not answered.
    Err(Stop::Predicates)
}

/// A position with the literals of its place, and the conditions of a path moved there.
type Moved = (usize, Vec<Signal>, Vec<Item>);

/// A contradiction to affine relations of the states that were seen at a place of the path, the last such
/// place with a relation that is no predicate yet.
fn by_samples(
    abstraction: &mut Abstraction<'_>,
    exploration: &Exploration,
    path: &AbstractPath,
    moved: &[Moved],
    watch: &mut Watch<'_>,
) -> Result<Option<Contradiction>, Stop> {
    for (position, place, items) in moved {
        let samples = exploration.samples(path.places[*position]);
        if samples.len() < FEWEST_SAMPLES {
            continue;
        }
        let terms: Vec<TermId> = items.iter().map(|item| item.moved).collect();
        let variables = support(abstraction.problem, &abstraction.formulas.terms, &terms);
        let states = &abstraction.problem.system.states;
        let width = variables.iter().map(|of| states[*of as usize].ty.bits).max().unwrap_or(0);
        let is_related = |of: &u32| states[*of as usize].ty.bits == width && width > 1;
        let own: Vec<u32> = variables.into_iter().filter(is_related).collect();
        let all = abstraction.places.data().filter(|of| is_related(of) && !own.contains(of));
        let all: Vec<u32> = own.iter().copied().chain(all).collect();
        // Relations of the variables in the conditions alone come last, so that they are kept.
        let mut candidates = Vec::new();
        for variables in [&all, &own] {
            let found = affine::relations(&mut abstraction.formulas.terms, states, variables, &samples);
            candidates.retain(|known| !found.contains(known));
            candidates.extend(found);
        }
        if candidates.is_empty() {
            continue;
        }
        if let Some((items, relations)) = core(abstraction, items, place, &candidates, watch)?
            && relations.iter().any(|of| !abstraction.predicates.contains(*of))
        {
            return Ok(Some(Contradiction { position: *position, items, relations }));
        }
    }
    Ok(None)
}

/// Items and candidates that contradict each other.
type Core = (Vec<Item>, Vec<TermId>);

/// The items and candidates that contradict each other; none if all of them are satisfiable together.
fn core(
    abstraction: &mut Abstraction<'_>,
    items: &[Item],
    place: &[Signal],
    candidates: &[TermId],
    watch: &mut Watch<'_>,
) -> Result<Option<Core>, Stop> {
    if let Some(found) = linear_core(abstraction, items, candidates) {
        return Ok(Some(found));
    }
    let formulas = &mut abstraction.formulas;
    let signal = |formulas: &mut crate::solver::Formulas, term: &TermId| formulas.signal(*term);
    // Candidates are dropped first, then items from the front: what remains is near the end of the path.
    let mut parts: Vec<(Signal, Result<Item, TermId>)> = Vec::new();
    parts.extend(candidates.iter().map(|term| (signal(formulas, term), Err(*term))));
    let mut sorted = items.to_vec();
    sorted.sort_by_key(|item| item.position);
    parts.extend(sorted.into_iter().map(|item| (signal(formulas, &item.moved), Ok(item))));
    let assumed = |parts: &[(Signal, Result<Item, TermId>)]| {
        let mut all: Vec<Signal> = place.to_vec();
        all.extend(parts.iter().map(|(signal, _)| *signal));
        all
    };
    if formulas.is_satisfiable(&assumed(&parts), watch)? {
        return Ok(None);
    }
    parts.retain(|(signal, _)| formulas.in_core(*signal));
    let mut at = 0;
    while at < parts.len() {
        let mut fewer = parts.clone();
        let _ = fewer.remove(at);
        if formulas.is_satisfiable(&assumed(&fewer), watch)? {
            at += 1;
        } else {
            fewer.retain(|(signal, _)| formulas.in_core(*signal));
            // Those before were needed, and remain so in a smaller set.
            parts = fewer;
            at = at.min(parts.len());
        }
    }
    let (mut found, mut relations) = (Vec::new(), Vec::new());
    for (_, part) in parts {
        match part {
            Ok(item) => found.push(item),
            Err(relation) => relations.push(relation),
        }
    }
    Ok(Some((found, relations)))
}

/// As [`core`], for contradictions of linear equalities and their negations, which need no query.
fn linear_core(abstraction: &mut Abstraction<'_>, items: &[Item], candidates: &[TermId]) -> Option<Core> {
    let terms = &mut abstraction.formulas.terms;
    let mut parts: Vec<(TermId, Result<Item, TermId>)> =
        candidates.iter().map(|term| (*term, Err(*term))).collect();
    let mut sorted = items.to_vec();
    sorted.sort_by_key(|item| item.position);
    parts.extend(sorted.into_iter().map(|item| (item.moved, Ok(item))));
    parts.retain(|(term, _)| is_linear(terms, *term));
    let contradicts = |terms: &mut Terms, parts: &[(TermId, Result<Item, TermId>)]| {
        let mut equalities = Equalities::new();
        parts.iter().for_each(|(term, _)| equalities.add(terms, *term));
        parts.iter().any(|(term, _)| {
            *term == FALSE
                || matches!(terms.get(*term), Term::Not(_)) && equalities.reduced(terms, *term) == FALSE
        }) || !equalities.is_consistent()
    };
    if !contradicts(terms, &parts) {
        return None;
    }
    let mut at = 0;
    while at < parts.len() {
        let mut fewer = parts.clone();
        let _ = fewer.remove(at);
        match contradicts(terms, &fewer) {
            true => parts = fewer,
            false => at += 1,
        }
    }
    let (mut found, mut relations) = (Vec::new(), Vec::new());
    for (_, part) in parts {
        match part {
            Ok(item) => found.push(item),
            Err(relation) => relations.push(relation),
        }
    }
    Some((found, relations))
}

/// Whether a condition is an equality of words, the negation of one, or false.
fn is_linear(terms: &Terms, condition: TermId) -> bool {
    let is_equality = |term| matches!(terms.get(term), Term::Binary(BinaryOp::Eq, ..));
    match terms.get(condition) {
        Term::Not(a) => is_equality(a),
        _ => condition == FALSE || is_equality(condition),
    }
}

/// Relations between two variables that the initial state satisfies.
fn relations(abstraction: &mut Abstraction<'_>, variables: &[u32]) -> Vec<TermId> {
    let state = initial(abstraction.problem);
    let mut found = Vec::new();
    let states = &abstraction.problem.system.states;
    let pairs = variables
        .iter()
        .enumerate()
        .flat_map(|(at, a)| variables[at + 1..].iter().map(move |b| (*a as usize, *b as usize)));
    let terms = &mut abstraction.formulas.terms;
    for (a, b) in pairs.take(MOST_RELATIONS) {
        let (x, y) = (&states[a], &states[b]);
        if x.ty != y.ty || x.ty.bits == 1 {
            continue;
        }
        if state[a] == state[b] {
            found.push(terms.equal(x.variable, y.variable));
            continue;
        }
        let difference = terms.difference(x.variable, y.variable);
        let number = state[a].wrapping_sub(state[b]);
        let number = terms.constant(x.ty.bits, u128::from(number));
        found.push(terms.equal(difference, number));
    }
    found
}

/// The initial values of variables.
fn values(abstraction: &mut Abstraction<'_>, variables: &[u32]) -> Vec<TermId> {
    let state = initial(abstraction.problem);
    let terms = &mut abstraction.formulas.terms;
    (variables.iter())
        .map(|of| {
            let own = &abstraction.problem.system.states[*of as usize];
            let value = terms.constant(own.ty.bits, u128::from(state[*of as usize]));
            terms.equal(own.variable, value)
        })
        .collect()
}
