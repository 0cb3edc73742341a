//! Tests: every concrete step has an abstract one, for random models, predicates, precisions and limits.

use std::sync::Arc;

use axle_decide::model::Problem;
use axle_decide::term::{BinaryOp, TermId, Terms};
use axle_decide::watch::Watch;
use axle_generate::Random;
use axle_generate::promela::Audience;
use axle_model::Model;
use axle_outcome::Limits;
use axle_relation::Relation;
use axle_source::{Diagnostics, MemoryLoader, Sources};

use crate::atoms::atoms;
use crate::composition::Composition;
use crate::cube::{Cube, Truth, is_within};
use crate::post::Abstraction;
use crate::refine::after;
use crate::valuation::{Concrete, Valuation, initial};
use crate::{Options, Precision};

/// The number of random cases; the environment variable asks for another.
pub(crate) fn cases(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

pub(crate) fn compiled(text: &str) -> Option<Arc<Model>> {
    let mut sources = Sources::new();
    let main = sources.add("model.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new()).map(Arc::new)
}

/// A random model, of the intermediate language or of Promela, with its relation.
pub(crate) fn random_model(seed: u64, index: u64) -> Option<(Arc<Model>, Relation)> {
    let model = if index.is_multiple_of(2) {
        let mut random = Random::of(seed, index);
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.number() as u8).collect();
        Arc::new(axle_model::arbitrary::model(&bytes))
    } else {
        compiled(&axle_generate::promela::program(seed, index, Audience::Axle).to_string())?
    };
    let options = axle_relation::Options { processes: 5, terms: 4_000, ..axle_relation::Options::default() };
    let relation = Relation::new(&model, &options, &[]).ok()?;
    Some((model, relation))
}

/// A random comparison of state variables and numbers.
pub(crate) fn random_predicate(random: &mut Random, problem: &Problem, terms: &mut Terms) -> TermId {
    let states = &problem.system.states;
    let a = &states[random.below(states.len())];
    let width = a.ty.bits;
    let other = &states[random.below(states.len())];
    let b = match random.below(2) {
        0 => terms.resize(other.ty.signed, width, other.variable),
        _ => terms.constant(width, random.below(4) as u128),
    };
    let left = match random.below(3) {
        0 => {
            let more = &states[random.below(states.len())];
            let more = terms.resize(more.ty.signed, width, more.variable);
            terms.sum(a.variable, more)
        }
        _ => a.variable,
    };
    let op = [BinaryOp::Eq, BinaryOp::ULt, BinaryOp::SLt][random.below(3)];
    terms.binary(op, left, b)
}

/// Processes that are not abstracted: none in half of the cases.
pub(crate) fn random_processes(random: &mut Random, relation: &Relation) -> Vec<u32> {
    let most = relation.variables.slots.len() as u32;
    match random.below(2) {
        0 => Vec::new(),
        _ => (0..most).filter(|_| random.below(2) == 0).collect(),
    }
}

/// The cube of a concrete state.
fn cube(abstraction: &Abstraction<'_>, valuation: &mut Valuation, state: &Concrete) -> Cube {
    let terms = &abstraction.formulas.terms;
    valuation.begin(terms);
    let list = abstraction.predicates.list.iter();
    list.map(|of| Truth::of(valuation.holds(terms, state, *of))).collect()
}

/// Follows an execution, and checks that each step is one of the abstraction; returns the number of steps.
fn follow(
    random: &mut Random,
    problem: &Problem,
    relation: &Relation,
    options: &Options,
) -> Result<usize, String> {
    let mut poll = |_| None;
    let mut watch = Watch::new(&Limits::default(), &mut poll);
    let mut abstraction = Abstraction::new(problem, relation, options);
    for _ in 0..random.below(6) {
        let predicate = random_predicate(random, problem, &mut abstraction.formulas.terms);
        let mut found = Vec::new();
        atoms(&mut abstraction.formulas.terms, predicate, &mut found);
        for atom in found {
            if abstraction.places.is_free(problem, &abstraction.formulas.terms, atom) {
                abstraction.predicates.add(problem, &mut abstraction.formulas.terms, atom);
            }
        }
    }
    // With hardly any effort, queries have no answer, and steps must still be covered.
    if random.below(3) == 0 {
        abstraction.formulas.effort = 1;
    }
    let mut valuation = Valuation::new(problem);
    let mut state = initial(problem);
    let mut own = cube(&abstraction, &mut valuation, &state);
    for step in 0..12 {
        if step == 8 {
            abstraction.refine();
        }
        let place = abstraction.places.of(&state);
        let locals = abstraction.commands(place, &mut watch).map_err(|stop| format!("{stop:?}"))?;
        valuation.begin(&abstraction.formulas.terms);
        let enabled: Vec<(u32, Concrete)> = (0..problem.commands.len() as u32)
            .filter_map(|command| Some((command, after(&abstraction, &mut valuation, &state, command)?)))
            .collect();
        if enabled.is_empty() {
            return Ok(step);
        }
        // All successors are compared; one of them is followed.
        let taken = random.below(enabled.len());
        let mut next_cube = None;
        for (at, (command, next)) in enabled.iter().enumerate() {
            let target = abstraction.places.of(next);
            let exact = cube(&abstraction, &mut valuation, next);
            let mut covering = None;
            for local in locals.iter().copied() {
                if abstraction.locals.get(local).command != *command
                    || abstraction.place_after(local, place) != target
                {
                    continue;
                }
                let cubes = abstraction.successors(local, place, &own, &mut watch);
                let cubes = cubes.map_err(|stop| format!("{stop:?}"))?;
                covering = covering.or_else(|| cubes.into_iter().find(|of| is_within(&exact, of)));
            }
            let covering =
                covering.ok_or_else(|| format!("no abstract step by command {command} in step {step}"))?;
            if at == taken {
                next_cube = Some(covering);
            }
        }
        state.clone_from(&enabled[taken].1);
        // Half of the cubes are those of the abstraction, with unknown values, the others exact.
        own = match random.below(2) {
            0 => next_cube.unwrap_or_default(),
            _ => cube(&abstraction, &mut valuation, &state),
        };
    }
    Ok(12)
}

#[test]
fn every_concrete_step_has_an_abstract_one() {
    let number = cases("AXLE_ABSTRACT_MODELS", 200);
    let seed = cases("AXLE_ABSTRACT_SEED", 5);
    let mut random = Random::of(seed + 12, 0);
    let (mut models, mut steps, mut wrong) = (0, 0, Vec::new());
    for index in 0..number {
        let Some((model, relation)) = random_model(seed, index) else { continue };
        let problem = Problem::new(&model, &relation);
        if problem.system.states.is_empty() || problem.system.terms.len() > 6_000 {
            continue;
        }
        let precision = [Precision::Boolean, Precision::Cartesian][random.below(2)];
        let cube_length = [None, None, Some(1), Some(3)][random.below(4)];
        let concrete = random_processes(&mut random, &relation);
        let kept = Composition::new(&problem, &relation, &concrete).kept;
        let options = Options { precision, cube_length, kept, ..Options::default() };
        match follow(&mut random, &problem, &relation, &options) {
            Ok(taken) => steps += taken,
            Err(why) => wrong.push(format!("model {index}: {why}\n{}", axle_model::dump::dump(&model))),
        }
        models += 1;
    }
    println!("{models} models, {steps} steps");
    assert!(wrong.is_empty(), "{} wrong, {}", wrong.len(), wrong[0]);
    assert!(models as u64 > number / 3 && steps as u64 > number, "{models} models, {steps} steps");
}
