//! Each clause of docs/theory/steps.md on a separate model, `tests/steps/*.axm`.

mod annotated;
mod explore;
mod parsed;

use annotated::models;
use axle_step::{Batch, Interpreter, Options, Successors};
use explore::explore;

#[test]
fn every_clause_holds() {
    let mut wrong = Vec::new();
    for (name, model, expected) in models() {
        let summary = explore(&mut Interpreter::new(model, Options::default())).summary();
        if summary != expected {
            wrong.push(format!("{name}: {summary}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn details_agree_with_successors() {
    for (name, model, _) in models() {
        let mut engine = Interpreter::new(model, Options::default());
        let found = explore(&mut engine);
        let mut batch = Batch::default();
        for state in &found.states {
            engine.expand(state, &mut batch).expect("there is room for every process by now");
            let steps = engine.steps(state);
            let ends: Vec<u8> =
                steps.steps.iter().flat_map(|s| s.micro.last().expect("a step").state.clone()).collect();
            assert_eq!(ends, batch.states, "{name}: same successors in the same order");
            assert_eq!(steps.faults, batch.faults, "{name}: same faults");
            let without: usize = batch.faults.iter().filter(|f| f.successor.is_none()).count();
            assert!(steps.mishaps.len() >= without, "{name}: every fault without successor is located");
        }
    }
}

#[test]
fn batches_agree_with_single_states() {
    for (name, model, _) in models() {
        let mut engine = Interpreter::new(model, Options::default());
        let found = explore(&mut engine);
        let (mut all, mut one) = (Batch::default(), Batch::default());
        engine.expand(&found.states.concat(), &mut all).expect("there is room for every process by now");
        let width = engine.width();
        for (source, state) in found.states.iter().enumerate() {
            engine.expand(state, &mut one).expect("there is room for every process by now");
            let range = all.range(source);
            assert_eq!(all.states[range.start * width..range.end * width], one.states, "{name}");
            let faults = all.faults.iter().filter(|f| f.source == source as u32);
            let moved: Vec<_> = faults
                .map(|f| axle_step::Fault {
                    source: 0,
                    successor: f.successor.map(|s| s - range.start as u32),
                    ..*f
                })
                .collect();
            assert_eq!(moved, one.faults, "{name}");
        }
    }
}
