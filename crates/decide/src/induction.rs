//! k-induction: no bad state within k steps, and none after k states without one, by two growing
//! formulas.
//!
//! The states of the step are different from each other (added where a model repeats a state), so that
//! the method is complete for finite systems; facts such as the ranges of variables hold in all of them.
//!
//! *Entry point:* [`prove`].
//! *Source:* Sheeran, Singh and Stalmarck, "Checking Safety Properties Using Induction and a
//! SAT-Solver", FMCAD 2000; Een and Sorensson, "Temporal Induction by Incremental SAT Solving", BMC 2003.
//! *Invariant:* a proof was found only after all executions of fewer than k steps were searched.

use axle_outcome::{Limits, Stop};

use crate::aig::Signal;
use crate::answer::Answer;
use crate::bmc::Bounded;
use crate::certificate::different;
use crate::circuit::Circuit;
use crate::cnf::Encoder;
use crate::invariant::{Clause, Invariant, literals};
use crate::sat::{Solver, solver};
use crate::unroll::Unrolling;
use crate::watch::{Poll, Watch};

/// Searches for a bad state or a proof, with inductive facts about all reachable states.
pub fn prove(circuit: &Circuit, facts: &[Clause], limits: &Limits, poll: Poll<'_>) -> Answer {
    let mut watch = Watch::new(limits, poll);
    let targets: Vec<usize> = circuit.targets().collect();
    let mut invariant = Invariant::of_constants(circuit);
    if targets.is_empty() {
        return Answer::Holds(invariant);
    }
    invariant.clauses.extend(facts.iter().cloned());
    let mut base = Bounded::new(circuit);
    let mut step = Step::new(circuit, facts);
    loop {
        let depth = base.depth();
        watch.progress.depth = depth as u64;
        match round(&mut base, &mut step, &mut watch, &targets) {
            Ok(Round::Open) => {}
            Ok(Round::Violated(trace)) => return Answer::Violated(trace),
            Ok(Round::Proved) => {
                invariant.depth = depth as u32 + 1;
                invariant.distinct = step.is_distinct;
                return Answer::Holds(invariant);
            }
            Err(stop) => return Answer::Unknown(stop),
        }
    }
}

/// The result of one depth.
enum Round {
    Open,
    Violated(crate::circuit::Trace),
    Proved,
}

/// Searches for a bad state at the present depth of the base, then tries the step after one state more.
fn round(
    base: &mut Bounded<'_>,
    step: &mut Step<'_>,
    watch: &mut Watch<'_>,
    targets: &[usize],
) -> Result<Round, Stop> {
    watch.check(base.memory() + step.solver.memory() + step.unrolling.aig.memory())?;
    if watch.is_too_deep(watch.progress.depth) {
        return Err(Stop::Depth);
    }
    if let Some(trace) = base.bad(watch, targets)? {
        return Ok(Round::Violated(trace));
    }
    if step.is_proved(watch, targets)? {
        return Ok(Round::Proved);
    }
    base.unrolling.step();
    Ok(Round::Open)
}

/// States from any state on.
struct Step<'c> {
    unrolling: Unrolling<'c>,
    solver: Box<dyn Solver>,
    encoder: Encoder,
    facts: Vec<Vec<(usize, bool)>>,
    /// Whether states were required to be different.
    is_distinct: bool,
}

impl<'c> Step<'c> {
    fn new(circuit: &'c Circuit, facts: &[Clause]) -> Step<'c> {
        let mut step = Step {
            unrolling: Unrolling::new(circuit, false),
            solver: solver(),
            encoder: Encoder::default(),
            // Facts about latches outside the circuit are not needed.
            facts: facts.iter().filter_map(|fact| circuit.clause(literals(fact))).collect(),
            is_distinct: false,
        };
        step.assume_facts();
        step
    }

    fn assume_facts(&mut self) {
        let latches = self.unrolling.frames[self.unrolling.frames.len() - 1].latches.clone();
        for fact in std::mem::take(&mut self.facts) {
            let clause: Vec<_> =
                fact.iter().map(|(at, value)| self.literal(latches[*at].inverted_if(!value))).collect();
            self.solver.clause(&clause);
            self.facts.push(fact);
        }
        let last = self.unrolling.frames.len() - 1;
        for fact in self.unrolling.facts(last) {
            let clause: Vec<_> = fact.into_iter().map(|signal| self.literal(signal)).collect();
            self.solver.clause(&clause);
        }
    }

    fn literal(&mut self, signal: Signal) -> crate::sat::Lit {
        self.encoder.literal(&mut *self.solver, &self.unrolling.aig, signal)
    }

    /// Whether the state after one more good state is never bad.
    fn is_proved(&mut self, watch: &mut Watch<'_>, targets: &[usize]) -> Result<bool, Stop> {
        let last = self.unrolling.frames.len() - 1;
        for target in targets {
            let bad = self.literal(self.unrolling.frames[last].bads[*target]);
            self.solver.clause(&[!bad]);
        }
        self.unrolling.step();
        self.assume_facts();
        let bads: Vec<_> = targets.iter().map(|at| self.unrolling.frames[last + 1].bads[*at]).collect();
        let any = self.unrolling.aig.any(bads);
        let any = self.literal(any);
        loop {
            if !watch.solve(&mut *self.solver, &[any])? {
                return Ok(true);
            }
            if !self.separate() {
                return Ok(false);
            }
            watch.check(self.solver.memory() + self.unrolling.aig.memory())?;
        }
    }

    /// Requires that states which are equal in the model differ; returns whether there are any.
    fn separate(&mut self) -> bool {
        let states: Vec<Vec<bool>> = (self.unrolling.frames.iter())
            .map(|frame| {
                let values = frame.latches.iter();
                values.map(|latch| {
                    let literal = self.encoder.known(*latch);
                    // A latch without a literal influences nothing: any value is a model.
                    literal.is_some_and(|literal| self.solver.value(literal))
                })
            })
            .map(Iterator::collect)
            .collect();
        let all: Vec<usize> = (0..self.unrolling.frames[0].latches.len()).collect();
        let mut found = false;
        for (one, other) in (0..states.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
            if states[one] == states[other] {
                let differ = different(&mut self.unrolling, one, other, &all);
                let differ = self.literal(differ);
                self.solver.clause(&[differ]);
                (found, self.is_distinct) = (true, true);
            }
        }
        found
    }
}
