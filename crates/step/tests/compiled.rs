//! Comparison of the compiler with the interpreter.

mod annotated;
mod parsed;

use std::path::Path;
use std::sync::Arc;

use annotated::models;
use axle_compare::lockstep::engines::{self, agree};
use axle_compare::lockstep::patience::patience;
use axle_step::compile::Compilation;
use axle_step::{Atom, Batch, Compiled, Interpreter, Observer, Options, Successors};
use proptest::prelude::*;

const ALL: Options = Options { truncation: true, messages_left: true, movers: true };

#[test]
fn every_clause_is_compiled() {
    let mut wrong = Vec::new();
    for (name, model, _) in models() {
        for options in [Options::default(), ALL] {
            if let Err(why) = agree(&model, options, 2_000) {
                wrong.push(format!("{name}, {options:?}: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Code that was generated beside a search serves an interpreter whose layout has grown since.
#[test]
fn code_of_another_thread_serves_a_grown_layout() {
    let mut grown = 0;
    for (name, model, _) in models() {
        let mut interpreter = Interpreter::new(Arc::clone(&model), ALL);
        let generation = Compilation::start(&interpreter, ALL);
        let initial = interpreter.initial(&mut Vec::new());
        if let Err(grow) = interpreter.expand(&initial, &mut Batch::default()) {
            interpreter.grow(grow.size);
            grown += 1;
        }
        let code = loop {
            match generation.finished() {
                Some(result) => break result.as_ref().expect("code"),
                None => std::thread::yield_now(),
            }
        };
        let fast = Compiled::with_code(interpreter.clone(), ALL, code);
        let compared = engines::compare(ALL, 300, (interpreter, fast));
        assert!(compared.is_ok(), "{name}: {}", compared.err().unwrap_or_default());
    }
    assert!(grown > 0, "some model creates a process at once");
}

/// Models that need the interpreter without a fault: nested tests for enabled processes, and a
/// sequence of more steps than generated code executes.
const LEFT: [&str; 2] = ["enabled", "long_deterministic"];

/// Bailouts are for faults: a model without faults never needs the interpreter.
#[test]
fn what_goes_right_is_not_interpreted() {
    let mut wrong = Vec::new();
    for (name, model, expected) in models() {
        // The summary lists the kinds of faults after a semicolon.
        if expected.contains(';') || LEFT.contains(&name.as_str()) {
            continue;
        }
        match agree(&model, Options::default(), 2_000) {
            Ok(agreed) if agreed.interpreted > 0 => {
                wrong.push(format!("{name}: {} of {} states", agreed.interpreted, agreed.states));
            }
            Ok(_) => {}
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_models_agree(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let model = Arc::new(axle_model::arbitrary::model(&bytes));
        for options in [Options::default(), ALL] {
            if let Err(why) = agree(&model, options, 150) {
                return Err(TestCaseError::fail(kept(&why, &bytes, &model)));
            }
        }
    }
}

/// Saves a generated model for later analysis, because it is not reproducible: these tests once
/// failed under load. Returns the message.
fn kept(why: &str, bytes: &[u8], model: &axle_model::Model) -> String {
    let text = axle_model::dump::dump(model);
    let path =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("disagreement-{}.txt", std::process::id()));
    // The last failing model is the smallest.
    let written = std::fs::write(&path, format!("{why}\n{bytes:?}\n{text}"));
    format!("{why}\n{}: {written:?}\n{text}", path.display())
}

/// Every guard and `provided` of a model that is independent of a process, and the other predicates
/// of claims.
fn atoms(model: &axle_model::Model) -> Vec<Atom> {
    use axle_model::{Base, ChanRef, Expr, Place};
    let mut atoms = vec![Atom::Accepting, Atom::Holds(Expr::Timeout), Atom::Holds(Expr::NonProgress)];
    let of_nobody = |expr: &Expr| {
        let mut own = false;
        axle_model::walk::expr(expr, &mut |e| {
            own |= matches!(
                e,
                Expr::SelfPid
                    | Expr::Channel(ChanRef::Own(_))
                    | Expr::Load(Place { base: Base::Local(_), .. })
                    | Expr::CanReceive { .. }
            );
        });
        !own
    };
    for process in &model.processes {
        for expr in process.edges.iter().map(|e| &e.guard).chain(&process.provided) {
            let atom = Atom::Holds(expr.clone());
            if of_nobody(expr) && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    }
    atoms.extend((0..3).map(|pid| Atom::Holds(Expr::Enabled(Box::new(Expr::Const(pid))))));
    atoms
}

/// Compares the observations of up to `most` states; returns the numbers of states and of faults.
fn observe(model: &Arc<axle_model::Model>, most: usize) -> Result<(usize, usize), String> {
    let mut plain = Interpreter::new(model.clone(), Options::default());
    let atoms = atoms(model);
    let (mut here, mut there) = (Observer::new(&plain, atoms.clone()), Observer::new(&plain, atoms));
    there.compile();
    let mut states = vec![plain.initial(&mut Vec::new())];
    let (mut next, mut wrong) = (0, 0);
    let mut batch = Batch::default();
    while next < states.len() {
        batch.interrupt = patience();
        while let Err(grow) = plain.expand(&states[next], &mut batch) {
            plain.grow(grow.size);
            here.grow(grow.size);
            there.grow(grow.size);
            states.iter_mut().for_each(|state| state.resize(plain.width(), 0));
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let (mut our_faults, mut their_faults) = (Vec::new(), Vec::new());
        here.observe(&states[next], &mut ours, &mut our_faults);
        there.observe(&states[next], &mut theirs, &mut their_faults);
        if (&ours, &our_faults) != (&theirs, &their_faults) {
            return Err(format!("{ours:x?} {our_faults:?} here, {theirs:x?} {their_faults:?} there"));
        }
        wrong += our_faults.len();
        for state in batch.states.chunks_exact(plain.width()) {
            if states.len() < most && !states.iter().any(|seen| seen == state) {
                states.push(state.to_vec());
            }
        }
        next += 1;
    }
    Ok((states.len(), wrong))
}

#[test]
fn compiled_atoms_agree() {
    let (mut states, mut faults) = (0, 0);
    for (name, model, _) in models() {
        match observe(&model, 300) {
            Ok((seen, wrong)) => {
                states += seen;
                faults += wrong;
            }
            Err(why) => panic!("{name}: {why}"),
        }
    }
    assert!(states > 400 && faults > 1, "{states} states and {faults} faults are too few to be significant");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn atoms_of_random_models_agree(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let model = Arc::new(axle_model::arbitrary::model(&bytes));
        if let Err(why) = observe(&model, 60) {
            return Err(TestCaseError::fail(kept(&why, &bytes, &model)));
        }
    }
}
