//! The check of a certificate: initiation, consecution and safety, each one query over the circuit of
//! the whole system.
//!
//! *Entry point:* [`check`].
//! *Source:* Bradley and Manna, "The Calculus of Computation", chapter 6; Sheeran, Singh and Stalmarck,
//! "Checking Safety Properties Using Induction and a SAT-Solver", FMCAD 2000.

use axle_outcome::Stop;

use crate::aig::{LOW, Signal};
use crate::circuit::{Bit, Circuit};
use crate::cnf::Encoder;
use crate::invariant::{Invariant, Literal, Word};
use crate::reformulate::{Form, Reset, transformed};
use crate::sat::{Solver, solver};
use crate::system::System;
use crate::term::{BinaryOp, MOST_BITS, TermId};
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
    check_for(system, &all, invariant, poll)
}

/// Whether an invariant proves that no bad state with a condition at these positions is reachable.
///
/// # Errors
/// It does not.
pub fn check_for(
    system: &System,
    bads: &[usize],
    invariant: &Invariant,
    poll: Poll<'_>,
) -> Result<(), Rejection> {
    let circuit = circuit(system, bads, invariant).ok_or(Rejection::Malformed)?;
    let depth = invariant.depth as usize;
    if depth == 0 {
        return Err(Rejection::Malformed);
    }
    let mut watch = Watch::new(&axle_outcome::Limits::default(), poll);
    let mut first = Check::new(&circuit, true);
    for frame in 0..depth {
        first.extend_to(frame);
        let (violated, bad) = (first.violations(frame, invariant), first.bad(frame));
        for violated in violated {
            if first.solve(&mut watch, violated)? {
                return Err(Rejection::Initiation);
            }
        }
        if first.solve(&mut watch, bad)? {
            return Err(Rejection::Bad);
        }
    }
    if has_terms(invariant) && super::by_steps::accepts(system, bads, invariant, &mut watch)? {
        return Ok(());
    }
    let mut step = Check::new(&circuit, false);
    for frame in 0..depth {
        step.extend_to(frame);
        let (violated, bad) = (step.violated(frame), step.bad(frame));
        step.assert(!violated);
        step.assert(!bad);
    }
    step.extend_to(depth);
    if invariant.distinct {
        step.distinct(depth, &relevant(system, bads, &circuit));
    }
    let (violated, bad) = (step.violations(depth, invariant), step.bad(depth));
    for violated in violated {
        if step.solve(&mut watch, violated)? {
            return Err(Rejection::Consecution);
        }
        step.assert(!violated);
    }
    if step.solve(&mut watch, bad)? {
        return Err(Rejection::Safety);
    }
    Ok(())
}

/// Whether some word is a term.
fn has_terms(invariant: &Invariant) -> bool {
    invariant.words.iter().any(|word| matches!(word, Word::Term(_)))
}

/// The states of one query.
struct Check<'c> {
    unrolling: Unrolling<'c>,
    solver: Box<dyn Solver>,
    encoder: Encoder,
}

impl<'c> Check<'c> {
    fn new(circuit: &'c Circuit, initial: bool) -> Check<'c> {
        Check { unrolling: Unrolling::new(circuit, initial), solver: solver(), encoder: Encoder::default() }
    }

    fn extend_to(&mut self, frame: usize) {
        while self.unrolling.frames.len() <= frame {
            self.unrolling.step();
        }
    }

    /// Whether some clause is violated in a frame.
    fn violated(&mut self, frame: usize) -> Signal {
        let clauses = self.unrolling.facts(frame);
        let aig = &mut self.unrolling.aig;
        let violated = clauses.into_iter().map(|clause| !aig.any(clause)).collect();
        aig.any(violated)
    }

    /// The violations that are asked for one after another: of each clause if clauses are about predicates,
    /// which makes each query simple, otherwise of all together.
    fn violations(&mut self, frame: usize, invariant: &Invariant) -> Vec<Signal> {
        if !has_terms(invariant) {
            return vec![self.violated(frame)];
        }
        let clauses = self.unrolling.facts(frame);
        clauses.into_iter().map(|clause| !self.unrolling.aig.any(clause)).collect()
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
fn relevant(system: &System, bads: &[usize], whole: &Circuit) -> Vec<usize> {
    relevant_bits(system, bads)
        .into_iter()
        .filter_map(|bit| whole.latches.binary_search_by_key(&bit, |latch| latch.bit).ok())
        .collect()
}

/// The bits of the state variables that influence a bad state.
pub(super) fn relevant_bits(system: &System, bads: &[usize]) -> Vec<Bit> {
    Circuit::new(system, bads).latches.iter().map(|latch| latch.bit).collect()
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

/// The circuit of a whole system with the clauses of an invariant; none if they do not belong to the
/// system.
///
/// Differences are variables of the circuit: a variable x of a word x - y is y plus the word. States and
/// values of the new variables correspond to each other one to one, so that the queries are about the
/// same states, but sums cancel out in them.
fn circuit(system: &System, bads: &[usize], invariant: &Invariant) -> Option<Circuit> {
    let mut with_words = system.clone();
    let mut words: Vec<_> = system.states.iter().map(|state| state.variable).collect();
    for word in &invariant.words {
        words.push(word_term(&mut with_words, word)?);
    }
    let is_bit = |literal: &Literal| {
        let word = words.get(literal.bit.of as usize);
        word.is_some_and(|word| literal.bit.bit < with_words.terms.width(*word))
    };
    if !invariant.clauses.iter().flatten().all(is_bit) {
        return None;
    }
    // Relevant bits are those of the variables as they are.
    if invariant.words.is_empty() || invariant.distinct {
        return Some(Circuit::whole_with_facts(&with_words, bads, &words, &invariant.clauses));
    }
    let mut forms: Vec<_> = system.states.iter().map(|state| Form::Narrow(state.ty)).collect();
    for word in &invariant.words {
        if let Word::Sum { bits, sum } = word
            && let [(of, 1), (base, -1)] = sum[..]
            && matches!(forms[base as usize], Form::Narrow(_))
            && matches!(forms[of as usize], Form::Narrow(_))
            && !forms.iter().any(|form| matches!(form, Form::Difference { base, .. } if *base == of))
            && of != base
            && [of, base].iter().all(|of| is_composed(system, *of))
            && [of, base].iter().all(|of| *bits <= system.states[*of as usize].ty.bits)
        {
            forms[of as usize] = Form::Difference { base, bits: *bits };
        }
    }
    let (system, words) = transformed(&with_words, &forms, &words, Reset::Exact);
    Some(Circuit::whole_with_facts(&system, bads, &words, &invariant.clauses))
}

/// Whether the next value of a state variable is that of the steps, on which a change of variables depends.
fn is_composed(system: &System, of: u32) -> bool {
    let mut composed = system.clone();
    composed.compose(of);
    composed.states[of as usize].next == system.states[of as usize].next
}

/// A word as a term; none if a variable does not exist, or the word is too wide.
pub(super) fn word_term(system: &mut System, word: &Word) -> Option<TermId> {
    let (bits, sum) = match word {
        Word::Sum { bits, sum } => (*bits, sum),
        Word::Term(definition) => return definition.term(system),
    };
    if !(1..=MOST_BITS).contains(&bits) {
        return None;
    }
    let mut total = system.terms.constant(bits, 0);
    for (of, factor) in sum {
        let state = system.states.get(*of as usize)?;
        let value = system.terms.resize(state.ty.signed, bits, state.variable);
        let factor = system.terms.constant(bits, i128::from(*factor) as u128);
        let multiple = system.terms.binary(BinaryOp::Mul, value, factor);
        total = system.terms.sum(total, multiple);
    }
    Some(total)
}
