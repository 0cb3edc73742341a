//! The check of a certificate: initiation, consecution and safety, each one query over the circuit of
//! the whole system.
//!
//! *Entry point:* [`check`].
//! *Source:* Bradley and Manna, "The Calculus of Computation", chapter 6; Sheeran, Singh and Stalmarck,
//! "Checking Safety Properties Using Induction and a SAT-Solver", FMCAD 2000.

use axle_outcome::Stop;

use super::{Clause, Invariant};
use crate::aig::{LOW, Signal};
use crate::circuit::{Bit, Circuit, Latch};
use crate::cnf::Encoder;
use crate::sat::{Solver, solver};
use crate::system::System;
use crate::unroll::Unrolling;
use crate::watch::{Poll, Watch};

/// Why a certificate is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// A clause has a bit that the system does not have, or the depth is 0.
    #[error("the certificate does not belong to the model")]
    Malformed,
    /// One of the first states does not satisfy the clauses.
    #[error("the initial states do not satisfy the invariant")]
    Initiation,
    /// One of the first states is bad.
    #[error("an initial state is bad")]
    Bad,
    /// A step leads to a state that does not satisfy the clauses.
    #[error("a step leaves the invariant")]
    Consecution,
    /// A step leads to a bad state.
    #[error("the invariant admits a bad state")]
    Safety,
    /// The check was stopped.
    #[error("the check was stopped")]
    Stopped(Stop),
}

impl From<Stop> for Rejection {
    fn from(stop: Stop) -> Rejection {
        Rejection::Stopped(stop)
    }
}

/// Whether an invariant proves that no bad state of a system is reachable.
///
/// # Errors
/// It does not.
pub fn check(system: &System, invariant: &Invariant, poll: Poll<'_>) -> Result<(), Rejection> {
    let all: Vec<usize> = (0..system.bads.len()).collect();
    let circuit = Circuit::whole(system, &all);
    let depth = invariant.depth as usize;
    if depth == 0 {
        return Err(Rejection::Malformed);
    }
    let mut watch = Watch::new(&axle_outcome::Limits::default(), poll);
    let mut first = Check::new(&circuit, invariant, true)?;
    for frame in 0..depth {
        first.extend_to(frame);
        let (violated, bad) = (first.violated(frame), first.bad(frame));
        if first.solve(&mut watch, violated)? {
            return Err(Rejection::Initiation);
        }
        if first.solve(&mut watch, bad)? {
            return Err(Rejection::Bad);
        }
    }
    let mut step = Check::new(&circuit, invariant, false)?;
    for frame in 0..depth {
        step.extend_to(frame);
        let (violated, bad) = (step.violated(frame), step.bad(frame));
        step.assert(!violated);
        step.assert(!bad);
    }
    step.extend_to(depth);
    if invariant.distinct {
        step.distinct(depth, &relevant(system, &circuit));
    }
    let (violated, bad) = (step.violated(depth), step.bad(depth));
    if step.solve(&mut watch, violated)? {
        return Err(Rejection::Consecution);
    }
    step.assert(!violated);
    if step.solve(&mut watch, bad)? {
        return Err(Rejection::Safety);
    }
    Ok(())
}

/// The states of one query.
struct Check<'c> {
    unrolling: Unrolling<'c>,
    solver: Box<dyn Solver>,
    encoder: Encoder,
    /// The clauses as positions of latches.
    clauses: Vec<Vec<(usize, bool)>>,
}

impl<'c> Check<'c> {
    fn new(circuit: &'c Circuit, invariant: &Invariant, initial: bool) -> Result<Check<'c>, Rejection> {
        let clauses: Option<_> =
            invariant.clauses.iter().map(|clause| positions(&circuit.latches, clause)).collect();
        Ok(Check {
            unrolling: Unrolling::new(circuit, initial),
            solver: solver(),
            encoder: Encoder::default(),
            clauses: clauses.ok_or(Rejection::Malformed)?,
        })
    }

    fn extend_to(&mut self, frame: usize) {
        while self.unrolling.frames.len() <= frame {
            self.unrolling.step();
        }
    }

    /// Whether some clause is violated in a frame.
    fn violated(&mut self, frame: usize) -> Signal {
        let latches = &self.unrolling.frames[frame].latches;
        let aig = &mut self.unrolling.aig;
        let violated = self.clauses.iter().map(|clause| {
            let literals = clause.iter().map(|(at, value)| latches[*at].inverted_if(!value));
            !aig.any(literals.collect())
        });
        let violated = violated.collect();
        aig.any(violated)
    }

    fn bad(&mut self, frame: usize) -> Signal {
        let bads = self.unrolling.frames[frame].bads.clone();
        self.unrolling.aig.any(bads)
    }

    fn assert(&mut self, signal: Signal) {
        let literal = self.encoder.literal(&mut *self.solver, &self.unrolling.aig, signal);
        self.solver.clause(&[literal]);
    }

    /// No two of the frames to `last` agree in these latches.
    fn distinct(&mut self, last: usize, relevant: &[usize]) {
        for (one, other) in (0..=last).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let differ = different(&mut self.unrolling, one, other, relevant);
            self.assert(differ);
        }
    }

    fn solve(&mut self, watch: &mut Watch<'_>, signal: Signal) -> Result<bool, Stop> {
        if signal == LOW {
            return Ok(false);
        }
        let literal = self.encoder.literal(&mut *self.solver, &self.unrolling.aig, signal);
        watch.solve(&mut *self.solver, &[literal])
    }
}

/// The latches of a whole circuit that influence a bad state: the others do not make states different.
///
/// A shortest execution to a bad state repeats no values of these latches, since their next values depend
/// on them and on latches that are constant in all executions.
fn relevant(system: &System, whole: &Circuit) -> Vec<usize> {
    relevant_bits(system)
        .into_iter()
        .filter_map(|bit| whole.latches.binary_search_by_key(&bit, |latch| latch.bit).ok())
        .collect()
}

/// The bits of the state variables that influence a bad state.
pub(super) fn relevant_bits(system: &System) -> Vec<Bit> {
    let all: Vec<usize> = (0..system.bads.len()).collect();
    Circuit::new(system, &all).latches.iter().map(|latch| latch.bit).collect()
}

/// Whether two frames differ in some of these latches.
pub(crate) fn different(
    unrolling: &mut Unrolling<'_>,
    one: usize,
    other: usize,
    latches: &[usize],
) -> Signal {
    let (a, b) = (&unrolling.frames[one].latches, &unrolling.frames[other].latches);
    let pairs: Vec<_> = latches.iter().map(|latch| (a[*latch], b[*latch])).collect();
    let differences = pairs.into_iter().map(|(a, b)| unrolling.aig.xor(a, b)).collect();
    unrolling.aig.any(differences)
}

/// A clause as positions of latches; none if a latch does not exist.
fn positions(latches: &[Latch], clause: &Clause) -> Option<Vec<(usize, bool)>> {
    let literals = clause.iter().map(|literal| {
        let at = latches.binary_search_by_key(&literal.bit, |latch| latch.bit).ok()?;
        Some((at, literal.value))
    });
    literals.collect()
}
