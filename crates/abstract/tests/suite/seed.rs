//! The examples of Lowry and Subramaniam, "Abstraction for Analytic Verification of Concurrent Software
//! Systems", 1998.

use axle_abstract::arithmetic::{mathematical, with_overflows};
use axle_abstract::wp::Wp;
use axle_abstract::{Options, display};
use axle_decide::model::Problem;
use axle_outcome::FaultKind;

use crate::case::{Case, Checked};

/// Two processes that add to a variable in endless loops, and the property that it is positive.
const POSITIVE: &str = "
    int x = 1;
    active proctype P1() { do :: x = x + 1 od }
    active proctype P2() { do :: x = x + 2 od }
    active proctype Monitor() { end: do :: assert(x > 0) od }";

fn patient() -> impl Fn() -> bool {
    let begin = std::time::Instant::now();
    move || begin.elapsed().as_secs() > 60
}

/// The same, with the loops replaced by one step each, as in the text.
const ONCE: &str = "
    int x = 1;
    active proctype P1() { x = x + 1 }
    active proctype P2() { x = x + 2 }
    active proctype Monitor() { end: do :: assert(x > 0) od }";

#[test]
fn preconditions_of_the_steps() {
    let case = Case::of(POSITIVE);
    let mut terms = case.problem.system.terms.clone();
    let x = case.problem.system.states.iter().find(|state| state.name == "x").expect("a variable").variable;
    let zero = terms.constant(32, 0);
    let positive = terms.less(true, zero, x);
    let mut found: Vec<String> = (case.problem.commands.iter())
        .map(|command| {
            let before = Wp::new(&case.problem.system, command).after(&mut terms, positive);
            display::text(&case.problem.system, &terms, before)
        })
        .collect();
    found.sort();
    found.dedup();
    assert_eq!(found, ["0 < (x + 1)", "0 < (x + 2)", "0 < x"]);
}

#[test]
fn a_positive_sum_holds_in_mathematical_arithmetic_and_wraps_otherwise() {
    let case = Case::of(POSITIVE);
    let relation = mathematical(&case.relation).expect("small terms");
    let problem = Problem::new(&case.model, &relation);
    let exact = Case { model: case.model.clone(), relation, problem };
    let (checked, course) = exact.decide(&Options::default(), &patient()).expect("an answer");
    assert_eq!(checked, Checked::Holds);
    // One predicate, and one abstract state for each location of the processes.
    assert_eq!(course.predicates, ["0 < x"]);
    assert_eq!(course.states, 1, "{course:?}");
    // Under wrap-around, no proof exists: the violation needs some 2^30 steps.
    let soon = std::time::Instant::now();
    let (checked, _) = case.decide(&Options::default(), &|| soon.elapsed().as_secs() > 1).expect("an answer");
    assert!(matches!(checked, Checked::Open(_)), "{checked:?}");
    // With fewer bits it is found, and so is the overflow.
    let narrow = Case::of(
        &POSITIVE.replace("int x", "short x").replace("x + 1", "x + 16000").replace("x + 2", "x + 16001"),
    );
    let (checked, _) = narrow.decide(&Options::default(), &patient()).expect("an answer");
    assert!(matches!(checked, Checked::Violated(_)), "{checked:?}");
    let overflowing = with_overflows(&narrow.relation).expect("small terms");
    let problem = Problem::new(&narrow.model, &overflowing);
    let is_overflow = |cause: axle_decide::system::Cause| {
        matches!(cause, axle_decide::system::Cause::Fault { kind: FaultKind::Truncation, .. })
    };
    assert!(problem.system.bads.iter().any(|bad| is_overflow(bad.cause)));
    let (checked, _) = Case::of(ONCE).decide(&Options::default(), &patient()).expect("an answer");
    assert_eq!(checked, Checked::Holds, "one step each does not overflow");
    // The short variable in mathematical arithmetic.
    let relation = mathematical(&narrow.relation).expect("small terms");
    let problem = Problem::new(&narrow.model, &relation);
    let exact = Case { model: narrow.model.clone(), relation, problem };
    let (checked, _) = exact.decide(&Options::default(), &patient()).expect("an answer");
    assert_eq!(checked, Checked::Holds);
}

/// The Remote Agent: a task locks a property, computes and releases it unless it is aborted; the environment
/// changes the database; the daemon aborts tasks whose property does not hold.
const REMOTE_AGENT: &str = "
    bit held, dbok = 1, aborted, wakeup;
    active proctype Task() {
      { atomic { held = 1; dbok = 1 };
        skip;
        held = 0 } unless { aborted };
      assert(!held)
    }
    active proctype Env() { dbok = 0; wakeup = 1 }
    active proctype Daemon() { wakeup; if :: held && !dbok -> aborted = 1 :: else fi }";

#[test]
fn the_remote_agent_keeps_a_lock_after_an_abort() {
    let case = Case::of(REMOTE_AGENT);
    let bads: Vec<usize> = (0..case.problem.system.bads.len()).collect();
    let assertion = bads.iter().copied().find(|bad| {
        let cause = case.problem.system.bads[*bad].cause;
        matches!(cause, axle_decide::system::Cause::Fault { kind: FaultKind::Assertion, .. })
    });
    let assertion = assertion.expect("an assertion");
    let limits = axle_outcome::Limits::default();
    let (answer, _) = axle_abstract::cegar::prove(
        &case.problem,
        &case.relation,
        &[assertion],
        &Options::default(),
        &limits,
        &mut |_| None,
    );
    let axle_decide::answer::Answer::Violated(trace) = answer else { panic!("{answer:?}") };
    let found = case.problem.counterexample(&case.relation, &trace).expect("an execution");
    let value = |name: &str| {
        let at = case.problem.system.states.iter().position(|state| state.name == name).expect("a variable");
        found.states[found.states.len() - 1][at]
    };
    // The abstract state (not P1, not P2, not P3): held, inconsistent and aborted.
    assert_eq!([value("held"), value("dbok"), value("aborted")], [1, 0, 1]);
    // The repaired task releases the lock in the handler as well.
    let repaired = REMOTE_AGENT.replace("unless { aborted };", "unless { atomic { aborted; held = 0 } };");
    let case = Case::of(&repaired);
    let bads: Vec<usize> = (0..case.problem.system.bads.len())
        .filter(|bad| {
            let cause = case.problem.system.bads[*bad].cause;
            matches!(cause, axle_decide::system::Cause::Fault { kind: FaultKind::Assertion, .. })
        })
        .collect();
    let (answer, course) = axle_abstract::cegar::prove(
        &case.problem,
        &case.relation,
        &bads,
        &Options::default(),
        &limits,
        &mut |_| None,
    );
    let axle_decide::answer::Answer::Holds(invariant) = answer else { panic!("{answer:?}") };
    let accepted =
        axle_decide::certificate::check_for(&case.problem.system, &bads, &invariant, &mut |_| None);
    assert_eq!(accepted, Ok(()), "{course:?}");
}

/// The checker refuses invariants over predicates that are no invariants, and texts that are none.
#[test]
fn corrupted_invariants_are_refused() {
    let case = Case::of(
        "int a, b; active proctype P() { do :: atomic { a == b -> a = a + 1 } od }
         active proctype Q() { do :: atomic { a != b -> b = b + 1 } od }
         active proctype Monitor() { end: do :: assert(a == b || a == b + 1) od }",
    );
    let bads: Vec<usize> = (0..case.problem.system.bads.len()).collect();
    let limits = axle_outcome::Limits::default();
    let (answer, _) = axle_abstract::cegar::prove(
        &case.problem,
        &case.relation,
        &bads,
        &Options::default(),
        &limits,
        &mut |_| None,
    );
    let axle_decide::answer::Answer::Holds(invariant) = answer else { panic!("{answer:?}") };
    let system = &case.problem.system;
    let is_accepted = |invariant: &axle_decide::invariant::Invariant| {
        axle_decide::certificate::check_for(system, &bads, invariant, &mut |_| None).is_ok()
    };
    assert!(is_accepted(&invariant));
    let first_word = system.states.len() as u32;
    let (mut refused, mut about_predicates) = (0, 0);
    for at in 0..invariant.clauses.len() {
        if invariant.clauses[at].iter().all(|literal| literal.bit.of < first_word) {
            continue;
        }
        about_predicates += 1;
        let mut missing = invariant.clone();
        missing.clauses.remove(at);
        let mut inverted = invariant.clone();
        inverted.clauses[at].iter_mut().filter(|literal| literal.bit.of >= first_word).for_each(|literal| {
            literal.value = !literal.value;
        });
        refused += usize::from(!is_accepted(&missing)) + usize::from(!is_accepted(&inverted));
    }
    assert!(refused > about_predicates / 2 && about_predicates > 0, "{refused} of {about_predicates}");
    // No state at all: the initial one is missing.
    let mut empty = invariant.clone();
    empty.clauses.push(Vec::new());
    assert!(!is_accepted(&empty));
    let text = axle_decide::certificate::write(system, &bads, &invariant);
    let term = text.lines().find(|line| line.starts_with("term ")).expect("a predicate");
    let name = term.split(' ').nth(1).expect("a name");
    for operators in ["not:0", "#1:1 not:1", "#1:2", "#1:1 ite:0:0:1", "#8:1 extract:7:2:0", ""] {
        let changed = text.replacen(term, &format!("term {name} {operators}"), 1);
        assert!(axle_decide::certificate::read(system, &changed).is_err(), "{operators}");
    }
    for (from, to) in [("bvslt", "bvsge"), ("=:", "=:9"), (" $", " "), (":0:", ":7:"), ("term ", "term  ")] {
        let changed = term.replacen(from, to, 1);
        if changed != term {
            let read = axle_decide::certificate::read(system, &text.replacen(term, &changed, 1));
            assert!(read.is_err(), "{changed}");
        }
    }
}
