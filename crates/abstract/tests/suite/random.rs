//! Random models: the answers of predicate abstraction against an explicit search of the relation, with
//! random predicates, precisions and lengths of cubes.

use std::collections::HashSet;
use std::sync::Arc;

use axle_abstract::composition::Composition;
use axle_abstract::display::text;
use axle_abstract::{Options, Precision};
use axle_decide::term::{BinaryOp, TermId};
use axle_generate::Random;
use axle_generate::promela::Audience;
use axle_model::Model;
use axle_relation::{Evaluation, Relation};

use crate::case::{Case, Checked, compiled};
use crate::cases;

/// The most states of the explicit search.
const MOST_STATES: usize = 2_000;

/// A random model, of the intermediate language or of Promela.
pub fn random_model(random: &mut Random, seed: u64, index: u64) -> Option<Arc<Model>> {
    if index.is_multiple_of(2) {
        let bytes: Vec<u8> = (0..random.below(500)).map(|_| random.number() as u8).collect();
        return Some(Arc::new(axle_model::arbitrary::model(&bytes)));
    }
    compiled(&axle_generate::promela::program(seed, index, Audience::Axle).to_string())
}

/// Whether a fault is reachable, as far as the search sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explicit {
    Faulty,
    /// All states were visited, and none has a fault.
    Correct,
    Unknown,
}

/// Searches the states of a relation for a fault, those inside sequences included.
pub fn explore(relation: &Relation) -> Explicit {
    let mut evaluation = Evaluation::default();
    if relation.initial_faults.iter().any(|fault| fault.condition == axle_relation::TRUE) {
        return Explicit::Faulty;
    }
    let mut known = HashSet::from([relation.initial.clone()]);
    let mut stack = vec![relation.initial.clone()];
    while let Some(state) = stack.pop() {
        let executed = |evaluation: &mut Evaluation| {
            evaluation.begin(&relation.terms);
            let mut holds = |condition| evaluation.holds(&relation.terms, &state, condition);
            let faults = relation.faults.iter().chain(&relation.ends).map(|fault| fault.condition);
            let blocked = relation.blocked_sequences.iter().map(|(_, condition)| *condition);
            if faults.chain(blocked).any(&mut holds) {
                return None;
            }
            let mut enabled = Vec::new();
            for group in &relation.groups {
                if holds(group.enabled) {
                    if holds(group.beyond) || group.faults.iter().any(|fault| holds(fault.condition)) {
                        return None;
                    }
                    enabled.push(group);
                }
            }
            Some(enabled)
        };
        let Some(enabled) = executed(&mut evaluation) else { return Explicit::Faulty };
        for group in enabled {
            let mut next = state.clone();
            for (variable, value) in &group.updates {
                next[variable.index()] = evaluation.value(&relation.terms, &state, *value);
            }
            if known.insert(next.clone()) {
                stack.push(next);
            }
        }
        if known.len() > MOST_STATES {
            return Explicit::Unknown;
        }
    }
    Explicit::Correct
}

/// Random options, with random comparisons of variables as predicates to begin with, and the composition
/// in which some processes are not abstracted.
pub fn options(random: &mut Random, case: &mut Case) -> (Options, Composition) {
    let mut predicates: Vec<TermId> = Vec::new();
    let system = &mut case.problem.system;
    for _ in 0..random.below(4) {
        let a = &system.states[random.below(system.states.len())];
        let b = &system.states[random.below(system.states.len())];
        let number = system.terms.constant(a.ty.bits, random.below(5) as u128);
        let other = system.terms.resize(b.ty.signed, a.ty.bits, b.variable);
        let op = [BinaryOp::Eq, BinaryOp::ULt, BinaryOp::SLt][random.below(3)];
        let right = [number, other][random.below(2)];
        predicates.push(system.terms.binary(op, a.variable, right));
    }
    let processes = case.relation.variables.slots.len() as u32;
    let concrete: Vec<u32> = match random.below(2) {
        0 => Vec::new(),
        _ => (0..processes).filter(|_| random.below(2) == 0).collect(),
    };
    let composition = Composition::new(&case.problem, &case.relation, &concrete);
    let options = Options {
        precision: [Precision::Boolean, Precision::Cartesian][random.below(2)],
        cube_length: [None, None, Some(1), Some(3)][random.below(4)],
        predicates,
        most_predicates: None,
        separate: random.below(2) == 0,
        kept: composition.kept.clone(),
        clock: None,
    };
    (options, composition)
}

/// The copies of variables that questions about endless sequences save change at any time, so that no
/// predicate may depend on one.
#[test]
fn predicates_about_saved_states_are_left_out() {
    let text = "byte x, y = 1; active proctype P() { do :: y > 0 -> d_step { do :: x < 3 -> x++ :: else -> break od } od }
        active proctype M() { end: do :: assert(x <= 3) od }";
    let mut case = Case::of(text);
    let system = &mut case.problem.system;
    let named = |name: &str| {
        let state = system.states.iter().find(|state| state.name == name);
        state.unwrap_or_else(|| panic!("no {name} in {:?}", system.states)).variable
    };
    let (now, saved) = (named("x"), named("saved(x)"));
    let predicates = vec![system.terms.equal(now, saved)];
    let options = Options { predicates, ..Options::default() };
    let (checked, course) = case.decide(&options, &|| false).expect("an answer");
    assert_eq!((checked, course.given), (Checked::Holds, 0));
}

#[test]
fn random_models_with_random_predicates() {
    let number = cases("AXLE_ABSTRACT_MODELS", 200);
    let seed = cases("AXLE_ABSTRACT_SEED", 7);
    // Those before are made, since the options of a model depend on them, and are not decided.
    let first = cases("AXLE_ABSTRACT_FIRST", 0);
    let (mut holds, mut violated, mut open, mut wrong) = (0, 0, 0, Vec::new());
    let mut random = Random::of(seed, 0);
    for index in 0..number {
        let Some(model) = random_model(&mut random, seed, index) else { continue };
        let Some(mut case) = Case::new(model, 4_000) else { continue };
        if case.problem.system.states.is_empty() || case.problem.system.terms.len() > 6_000 {
            continue;
        }
        let (options, composition) = options(&mut random, &mut case);
        if index < first {
            continue;
        }
        let explicit = explore(&case.relation);
        let polls = std::cell::Cell::new(0);
        let stop = || {
            polls.set(polls.get() + 1);
            polls.get() > 40
        };
        let why = match (case.decide(&options, &stop), explicit) {
            (Err(why), _) => why,
            (Ok((Checked::Holds, _)), Explicit::Faulty) => "a fault is missed".to_owned(),
            // The search does not look for endless sequences.
            (Ok((Checked::Violated(_), _)), Explicit::Correct)
                if case.relation.variables.control().is_none() =>
            {
                "a false alarm".to_owned()
            }
            (Ok((checked, course)), _) => {
                match checked {
                    Checked::Holds => holds += 1,
                    Checked::Violated(_) => violated += 1,
                    Checked::Open(reason) => {
                        if reason == axle_outcome::Stop::Predicates {
                            println!("model {index}: {} predicates", course.predicates.len());
                        }
                        open += 1;
                    }
                }
                continue;
            }
        };
        let system = &case.problem.system;
        let given = options.predicates.iter();
        let given: Vec<String> = given.map(|of| text(system, &system.terms, *of)).collect();
        let options = format!(
            "{:?}, cubes of {:?}, {given:?}, {composition:?}",
            options.precision, options.cube_length
        );
        wrong.push(format!("model {index}: {why}\n{options}\n{}", axle_model::dump::dump(&case.model)));
    }
    println!("{holds} hold, {violated} violated, {open} open");
    assert!(wrong.is_empty(), "{} wrong, {}", wrong.len(), wrong[0]);
    let enough = holds > number / 20 && violated > number / 10;
    assert!(first > 0 || enough, "{holds} hold, {violated} violated, {open} open");
}
