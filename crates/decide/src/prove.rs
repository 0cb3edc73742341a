//! A method on a problem: the circuits that it works on, and answers in terms of the problem.
//!
//! *Entry point:* [`decide`].
//! *Invariant:* an execution was replayed by the relation, and an invariant of a reformulated system
//! checked; if one is refused, the method works on the system as it is.

use axle_outcome::Limits;
use axle_relation::Relation;

use crate::answer::Answer;
use crate::circuit::Circuit;
use crate::model::Problem;
use crate::reformulate::Reformulation;
use crate::watch::Poll;
use crate::{bmc, certificate, induction, pdr};

/// A method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Bounded model checking.
    Bounded,
    /// k-induction.
    Induction,
    /// Property-directed reachability.
    Reachability,
}

/// Decides whether one of the bad conditions at these positions is reachable.
pub fn decide(
    problem: &Problem,
    relation: &Relation,
    bads: &[usize],
    method: Method,
    limits: &Limits,
    poll: Poll<'_>,
) -> Answer {
    if method == Method::Reachability {
        let reformulation = Reformulation::new(problem, bads);
        let mut circuit = reformulation.circuit(bads);
        // The steps of both systems are the same.
        circuit.safe = problem.safe.clone();
        match pdr::prove(&circuit, &[], limits, &mut *poll) {
            Answer::Violated(trace) if problem.counterexample(relation, &trace).is_ok() => {
                return Answer::Violated(trace);
            }
            Answer::Holds(found) => {
                let invariant = reformulation.invariant(&found);
                match certificate::check_for(&problem.system, bads, &invariant, &mut *poll) {
                    Ok(()) => return Answer::Holds(invariant),
                    Err(certificate::Rejection::Stopped(stop)) => return Answer::Unknown(stop),
                    Err(_) => {}
                }
            }
            Answer::Violated(_) => {}
            Answer::Unknown(stop) => return Answer::Unknown(stop),
        }
    }
    let mut circuit = Circuit::new(&problem.system, bads);
    circuit.safe = problem.safe.clone();
    match method {
        Method::Bounded => bmc::search(&circuit, limits, poll),
        Method::Induction => induction::prove(&circuit, &problem.facts, limits, poll),
        Method::Reachability => pdr::prove(&circuit, &problem.facts, limits, poll),
    }
}
