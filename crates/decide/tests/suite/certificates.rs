//! Certificates: their text, corrupted ones, and the queries decided by z3.

use axle_decide::answer::Answer;
use axle_decide::certificate::{Certificate, check, queries, read, verify, write};
use axle_decide::circuit::Circuit;
use axle_decide::invariant::{Invariant, Word};
use axle_decide::model::Problem;
use axle_decide::prove::{Method, decide};
use axle_decide::system::System;
use axle_outcome::{Limits, Stop};

use crate::cases;
use crate::models::{random_models, relation};
use crate::random::Random;
use crate::terms::z3;
use crate::wide::case;

/// The proofs of random models that need an invariant, and of models with words.
fn proofs(number: u64, with_words: &[&str]) -> Vec<(String, System, Invariant)> {
    let mut proofs = Vec::new();
    for name in with_words {
        let case = case(name);
        let answer = decide(
            &case.problem,
            &case.relation,
            &case.all,
            Method::Reachability,
            &Limits::default(),
            &mut |_| None,
        );
        let Answer::Holds(proof) = answer else { panic!("{name}: {answer:?}") };
        assert!(!proof.words.is_empty(), "{name}");
        proofs.push(((*name).to_owned(), case.problem.system, proof));
    }
    for (name, model) in random_models(11, number) {
        let Some(relation) = relation(&model) else { continue };
        let problem = Problem::new(&model, &relation);
        let all: Vec<usize> = (0..problem.system.bads.len()).collect();
        if Circuit::new(&problem.system, &all).targets().next().is_none() {
            continue;
        }
        let limits = Limits { depth: Some(12), ..Limits::default() };
        let begin = std::time::Instant::now();
        for (method, seconds) in [(Method::Induction, 1), (Method::Reachability, 2)] {
            let mut poll = |_| (begin.elapsed().as_secs() > seconds).then_some(Stop::Time);
            if let Answer::Holds(proof) = decide(&problem, &relation, &all, method, &limits, &mut poll) {
                proofs.push((format!("{name} by {method:?}"), problem.system.clone(), proof));
            }
        }
    }
    proofs
}

fn all(system: &System) -> Vec<usize> {
    (0..system.bads.len()).collect()
}

#[test]
fn texts_and_corruptions() {
    let mut random = Random::new(5);
    let (mut rejected, mut weaker) = (0, 0);
    let proofs = proofs(cases("AXLE_DECIDE_PROOFS", 50), &["barrier", "batches", "window"]);
    assert!(proofs.len() > 8, "{} proofs", proofs.len());
    for (name, system, proof) in &proofs {
        let text = write(system, &all(system), proof);
        let certificate = Certificate { bads: all(system), invariant: proof.clone() };
        assert_eq!(verify(system, &text, &mut |_| None).as_ref(), Ok(&certificate), "{name}\n{text}");
        // A missing line, a line twice and a changed word are errors, except for clauses.
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let mut other = lines.clone();
            other.remove(at);
            let accepted = read(system, &other.join("\n")).is_ok();
            let may_miss = lines[at].starts_with("clause") || lines[at].starts_with("property");
            assert_eq!(accepted, may_miss, "{name}: without {}", lines[at]);
            let changed = text.replacen(lines[at], &format!("{}x", lines[at]), 1);
            assert!(read(system, &changed).is_err() || lines[at] == "clause", "{name}: {changed}");
        }
        // A clause that excludes the initial state.
        let mut corrupted = proof.clone();
        let state = random.below(system.states.len() as u64) as u32;
        let bit = axle_decide::circuit::Bit { of: state, bit: 0 };
        let value = system.states[state as usize].initial & 1 == 0;
        corrupted.clauses.push(vec![axle_decide::invariant::Literal { bit, value }]);
        assert!(check(system, &corrupted, &mut |_| None).is_err(), "{name}");
        rejected += 1;
        // Random changes of clauses: the queries decide as z3 does.
        for _ in 0..24 {
            let mut corrupted = proof.clone();
            if let Some(Word::Sum { sum, .. }) = corrupted.words.first_mut().filter(|_| random.below(4) == 0)
            {
                sum[0].1 += 1 + random.below(3) as i64;
                let is_refused = check(system, &corrupted, &mut |_| None).is_err();
                rejected += u32::from(is_refused);
                weaker += u32::from(!is_refused);
                continue;
            }
            if corrupted.clauses.is_empty() {
                continue;
            }
            let at = random.below(corrupted.clauses.len() as u64) as usize;
            match random.below(3) {
                0 => drop(corrupted.clauses.remove(at)),
                1 if !corrupted.clauses[at].is_empty() => drop(corrupted.clauses[at].pop()),
                _ => corrupted.clauses[at].iter_mut().for_each(|literal| literal.value ^= true),
            }
            match verify(system, &write(system, &all(system), &corrupted), &mut |_| None) {
                Ok(_) => weaker += 1,
                Err(_) => rejected += 1,
            }
        }
    }
    println!("{} proofs, {rejected} rejected, {weaker} still valid", proofs.len());
    assert!(rejected >= 200, "{rejected} rejected");
}

#[test]
fn queries_in_smtlib() {
    let mut random = Random::new(9);
    let mut compared = 0;
    for (name, system, proof) in proofs(cases("AXLE_DECIDE_PROOFS", 40), &["window"]).iter().step_by(3) {
        if proof.depth > 3 {
            continue;
        }
        for is_corrupted in [false, true] {
            let mut invariant = proof.clone();
            if is_corrupted && !invariant.clauses.is_empty() {
                let at = random.below(invariant.clauses.len() as u64) as usize;
                invariant.clauses.remove(at);
            }
            let is_accepted = check(system, &invariant, &mut |_| None).is_ok();
            let mut answers = Vec::new();
            for query in queries(system, &all(system), &invariant) {
                let Some(answer) = z3(&query) else { return };
                answers.extend(answer);
            }
            assert_eq!(answers.len(), 3, "{name}: {answers:?}");
            let is_valid = answers.iter().all(|answer| answer == "unsat");
            assert_eq!(is_valid, is_accepted, "{name}: {answers:?}");
            compared += 1;
        }
    }
    assert!(compared >= 4, "{compared} certificates");
}

/// Each query has a certificate that fails in it alone: a counter of 8 bits that counts by 2.
#[test]
fn each_query_rejects() {
    use axle_decide::certificate::Rejection;
    use axle_decide::circuit::Bit;
    use axle_decide::invariant::Literal;
    use axle_decide::system::{Bad, Cause};
    use axle_model::IntType;
    let counter = |initial: i64, bad: u128| {
        let mut system = System::default();
        let x = system.state("x", IntType::BYTE, initial);
        let two = system.terms.constant(8, 2);
        system.states[0].next = system.terms.sum(x, two);
        let value = system.terms.constant(8, bad);
        let condition = system.terms.equal(x, value);
        system.bads.push(Bad { cause: Cause::Beyond, condition });
        system
    };
    let literal = |bit, value| vec![Literal { bit: Bit { of: 0, bit }, value }];
    let invariant = |depth, clauses| Invariant { depth, distinct: false, words: Vec::new(), clauses };
    let even = counter(0, 5);
    let answer = |system: &System, invariant: &Invariant| check(system, invariant, &mut |_| None);
    assert_eq!(answer(&even, &invariant(1, vec![literal(0, false)])), Ok(()));
    assert_eq!(answer(&even, &invariant(1, vec![literal(0, true)])), Err(Rejection::Initiation));
    let narrow = invariant(1, vec![literal(0, false), literal(7, false)]);
    assert_eq!(answer(&even, &narrow), Err(Rejection::Consecution));
    // Without clauses, 3 is followed by 5; three states before 5 are not enough either.
    assert_eq!(answer(&even, &invariant(1, Vec::new())), Err(Rejection::Safety));
    assert_eq!(answer(&even, &invariant(3, Vec::new())), Err(Rejection::Safety));
    assert_eq!(answer(&counter(5, 5), &invariant(1, vec![literal(0, true)])), Err(Rejection::Bad));
    assert_eq!(answer(&counter(1, 5), &invariant(3, vec![literal(0, true)])), Err(Rejection::Bad));
    assert_eq!(answer(&even, &invariant(1, vec![literal(8, false)])), Err(Rejection::Malformed));
    assert_eq!(answer(&even, &invariant(0, Vec::new())), Err(Rejection::Malformed));
    // Consecution is about states that differ: 0, 2, ... 254 are followed by 0.
    let long = Invariant { depth: 128, distinct: true, words: Vec::new(), clauses: vec![literal(0, false)] };
    assert_eq!(answer(&even, &long), Ok(()));
}

/// A difference to a variable that has a next value of its own: the one before that of the other.
#[test]
fn differences_of_variables_that_no_step_updates() {
    use axle_decide::certificate::Rejection;
    use axle_decide::circuit::Bit;
    use axle_decide::invariant::Literal;
    use axle_decide::system::{Bad, Cause, Step};
    use axle_decide::term::{BinaryOp, TRUE};
    use axle_model::IntType;
    let mut system = System::default();
    let (x, before) = (system.state("x", IntType::BYTE, 0), system.state("before", IntType::BYTE, 0));
    let terms = &mut system.terms;
    // x is 0, 4, 0, 4, ..., and before - x is 0, -4, 4, -4, ...
    let four = terms.constant(8, 4);
    let next = terms.binary(BinaryOp::Xor, x, four);
    let difference = terms.difference(before, x);
    let condition = terms.extract(7, 1, difference);
    system.steps.push(Step { selected: TRUE, updates: vec![(0, next)] });
    system.states[0].next = next;
    system.states[1].next = x;
    system.bads.push(Bad { cause: Cause::Beyond, condition });
    let literal = |of, bit| vec![Literal { bit: Bit { of, bit }, value: false }];
    let mut clauses: Vec<_> = (0..8).filter(|bit| *bit != 2).map(|bit| literal(0, bit)).collect();
    clauses.push(literal(2, 7));
    let words = vec![Word::Sum { bits: 8, sum: vec![(1, 1), (0, -1)] }];
    let invariant = Invariant { depth: 1, distinct: false, words, clauses };
    assert_eq!(check(&system, &invariant, &mut |_| None), Err(Rejection::Consecution));
}
