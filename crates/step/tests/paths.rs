//! Converging paths inside an atomic sequence.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axle_compare::lockstep::convergence;
use axle_compare::lockstep::patience::patience;
use axle_model::{Atomicity, Model, arbitrary};
use axle_step::{Batch, Interpreter, Options, Successors};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Compares up to `most` states; returns the number of successors omitted by converging paths.
fn compare(model: &Arc<Model>, most: usize) -> Result<usize, String> {
    let options = Options { movers: true, ..Options::default() };
    let (mut plain, mut once) =
        (Interpreter::new(model.clone(), options), Interpreter::new(model.clone(), options));
    once.follow_once_after(0);
    let mut states = vec![plain.initial(&mut Vec::new())];
    let mut seen: HashSet<Vec<u8>> = states.iter().cloned().collect();
    let (mut next, mut left_out, mut batch) = (0, 0, Batch::default());
    while next < states.len() {
        batch.interrupt = patience();
        if let Err(grow) = plain.expand(&states[next], &mut batch) {
            plain.grow(grow.size);
            once.grow(grow.size);
            states.iter_mut().for_each(|state| state.resize(plain.width(), 0));
            seen = states.iter().cloned().collect();
            continue;
        }
        if batch.cut.is_some() {
            return Ok(left_out);
        }
        left_out += convergence::compare(&batch, &states[next], &mut once)?;
        for state in batch.states.chunks_exact(plain.width()) {
            if states.len() < most && seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
        next += 1;
    }
    match plain.taken() == once.taken() {
        true => Ok(left_out),
        false => Err(format!("taken {:?} by path, {:?} once", plain.taken(), once.taken())),
    }
}

/// Random models with a fixed seed; it is also checked that their paths converge.
#[test]
fn random_models_have_the_same_ends() {
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let left_out = AtomicUsize::new(0);
    let compared = runner.run(&prop::collection::vec(any::<u8>(), 0..800), |bytes| {
        let mut model = arbitrary::model(&bytes);
        // In unmodified models hardly any paths converge.
        let edges = model.processes.iter_mut().flat_map(|process| &mut process.edges);
        for (edge, byte) in edges.zip(bytes.iter().rev()) {
            edge.keep = match byte % 4 {
                0 => Atomicity::Release,
                1 => edge.keep,
                _ => Atomicity::Atomic,
            };
        }
        let model = Arc::new(model);
        match compare(&model, 100) {
            Ok(more) => left_out.fetch_add(more, Ordering::Relaxed),
            Err(why) => {
                return Err(TestCaseError::fail(format!("{why}\n{}", axle_model::dump::dump(&model))));
            }
        };
        Ok(())
    });
    compared.expect("the same ends");
    let left_out = left_out.into_inner();
    assert!(left_out > 100, "paths hardly meet: {left_out} successors are left out");
}

/// Faults of a step are attributed to its successor, even if another path reached it before.
#[test]
fn a_fault_on_a_path_that_meets_another_has_its_successor() {
    let text = "axle model 1\nstart p0\nprocess p0 P() entry s0 {\n  s0:\n    t0 -> s1 keep atomic \"a\"\n\
                \x20 s1:\n    t1 -> s2 keep atomic \"b\"\n    t2 -> s2 do assert 0 \"no\" keep atomic \"c\"\n\
                \x20 s2:\n    t3 -> s3 \"d\"\n  s3: end\n}\n";
    let model = Arc::new(axle_model::parse::parse(text).expect("the text is right"));
    let mut interpreter = Interpreter::new(model, Options::default());
    let start = interpreter.initial(&mut Vec::new());
    let mut batch = Batch::default();
    for (after, successors) in [(100, 2), (0, 1)] {
        interpreter.follow_once_after(after);
        interpreter.expand(&start, &mut batch).expect("no process is created");
        assert_eq!(batch.ends, [successors]);
        let told: Vec<Option<u32>> = batch.faults.iter().map(|fault| fault.successor).collect();
        assert_eq!(told, [Some(successors - 1)], "after {after} steps");
    }
}

/// Two senders that pass control to each other without end. Some ends are reached with all executing
/// processes only by going around once more.
const PASSING_CONTROL: &str = r#"axle model 1
shape q0 0 of ( u8, u1 )
global g0 b: u1
global g1 y: u8
global g2 c: chan
channel c0 c: q0
prologue {
  g2 := c0;
}
start p0, p1, p1
process p0 Receiver() entry s0 {
  local l0 x: u8
  s0:
    t0 -> s0 recv c0 ? [l0, g1] "c?x,y"
}
process p1 Sender() entry s2 {
  s0:
    t0 -> s0 recv c0 ? [g0, eval(g1)] keep atomic "c?b,eval(y)"
    t1 -> s1 rank 1 else keep atomic "else"
  s1:
    t2 -> s0 send c0 ! [0, 0] keep atomic "c!0,0"
    t3 -> s3 "break"
  s2:
    t4 -> s0 send c0 ! [0, 0] keep atomic "c!0,0"
    t5 -> s3 "break"
  s3: end
    t6 -> s3 when pid == (nr_pr - 1) do exit "-end-"
}
"#;

#[test]
fn a_loop_counts_the_processes_that_going_around_executes() {
    let model = Arc::new(axle_model::parse::parse(PASSING_CONTROL).expect("the text is right"));
    assert_eq!(compare(&model, 100), Ok(0));
}
