//! Reformulated systems beside the originals: the same values and bad states under random inputs.

use axle_decide::model::Problem;
use axle_decide::reformulate::Reformulation;
use axle_decide::system::System;
use axle_decide::term::{TermId, mask};

use crate::cases;
use crate::models::{compiled, random_models, relation};
use crate::random::Random;
use crate::wide::{case, rows};

/// The values of all terms of a system in a state under inputs.
fn evaluate(system: &System, state: &[u128], inputs: &[u128]) -> Vec<u128> {
    let value = |id: &TermId| {
        let states = system.states.iter().map(|of| of.variable).zip(state);
        let inputs = system.inputs.iter().map(|of| of.variable).zip(inputs);
        states.chain(inputs).find(|(variable, _)| variable == id).map(|(_, value)| *value)
    };
    let variables: Vec<u128> =
        system.terms.variables().iter().map(|id| value(id).expect("a state or an input")).collect();
    system.terms.evaluate(&variables)
}

fn initial(system: &System) -> Vec<u128> {
    system.states.iter().map(|state| state.initial as u128 & mask(state.ty.bits)).collect()
}

/// Walks through both systems; returns whether the reformulation has differences.
fn walk(name: &str, problem: &Problem, random: &mut Random) -> bool {
    let all: Vec<usize> = (0..problem.system.bads.len()).collect();
    let (original, reformulation) = (&problem.system, Reformulation::new(problem, &all));
    let new = &reformulation.system;
    let has_differences = new.states.iter().zip(&original.states).any(|(a, b)| a.name != b.name);
    // Differences that may become any number are not those of the original.
    if new.inputs.len() != original.inputs.len() {
        return has_differences;
    }
    let (mut state, mut other) = (initial(original), initial(new));
    for step in 0..60 {
        let width = |input: &axle_decide::system::Input| original.terms.width(input.variable);
        let inputs: Vec<u128> =
            original.inputs.iter().map(|input| u128::from(random.next()) & mask(width(input))).collect();
        let (here, there) = (evaluate(original, &state, &inputs), evaluate(new, &other, &inputs));
        for ((variable, value), word) in original.states.iter().zip(&state).zip(reformulation.values()) {
            assert_eq!(there[word.index()], *value, "{name}, step {step}: {}", variable.name);
        }
        for (bad, reformulated) in original.bads.iter().zip(&new.bads) {
            let (is_bad, as_well) = (here[bad.condition.index()], there[reformulated.condition.index()]);
            assert_eq!(as_well, is_bad, "{name}, step {step}: {:?}", bad.cause);
        }
        state = original.states.iter().map(|state| here[state.next.index()]).collect();
        other = new.states.iter().map(|state| there[state.next.index()]).collect();
    }
    has_differences
}

#[test]
fn systems_agree() {
    let mut random = Random::new(41);
    let mut with_differences = 0;
    for row in rows().iter().filter(|row| row.holds) {
        let case = case(&row.name);
        with_differences += usize::from(walk(&row.name, &case.problem, &mut random));
    }
    assert!(with_differences >= 8, "{with_differences} models with differences");
    // The copy of a state in a sequence is compared with the state.
    for text in [
        "int x; active proctype P() { atomic { x = 5; do :: x = x + 1; x = x - 1 od } }",
        "int x, y; active proctype P() { do :: atomic { do :: x = y :: y = x + y :: break od } od }",
        "byte x = 2, y; active [2] proctype P() { do :: atomic { x >= y; do :: y = (y + 1) % 3 :: x++ :: x-- od } od }",
    ] {
        let model = compiled(text).expect("a program");
        let relation = relation(&model).expect("a small relation");
        walk(text, &Problem::new(&model, &relation), &mut random);
    }
    for (name, model) in random_models(53, cases("AXLE_DECIDE_REFORMULATED", 100)) {
        let Some(relation) = relation(&model) else { continue };
        walk(&name, &Problem::new(&model, &relation), &mut random);
    }
}
