//! Bounded model checking: executions of 0, 1, 2, ... steps that end in a bad state, in one solver to
//! which each step adds clauses.
//!
//! Without a limit of depth, a depth whose query is hard stays open, and the next query asks for all open
//! depths together: long executions are found although the absence of shorter ones is not yet proved.
//!
//! *Entry points:* [`search`] for the first bad state, [`shortest`] for a shortest execution to each.
//! *Source:* Biere, Cimatti, Clarke and Zhu, "Symbolic Model Checking without BDDs", TACAS 1999; Een and
//! Sorensson, "Temporal Induction by Incremental SAT Solving", BMC 2003.
//! *Invariant:* no state that is searched for is reachable with fewer steps than those of the first open
//! depth.

use axle_outcome::{Limits, Stop};

use crate::answer::Answer;
use crate::circuit::{Circuit, Trace};
use crate::cnf::Encoder;
use crate::invariant::Invariant;
use crate::sat::{Lit, Solver, solver};
use crate::unroll::Unrolling;
use crate::watch::{Poll, Watch};

/// The unrolled circuit from the initial state, and the solver.
pub(crate) struct Bounded<'c> {
    circuit: &'c Circuit,
    pub unrolling: Unrolling<'c>,
    pub solver: Box<dyn Solver>,
    pub encoder: Encoder,
}

impl<'c> Bounded<'c> {
    /// At depth 0.
    pub fn new(circuit: &'c Circuit) -> Bounded<'c> {
        Bounded {
            circuit,
            unrolling: Unrolling::new(circuit, true),
            solver: solver(),
            encoder: Encoder::default(),
        }
    }

    /// The number of steps.
    pub fn depth(&self) -> usize {
        self.unrolling.frames.len() - 1
    }

    /// An estimate of the memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.solver.memory() + self.unrolling.aig.memory()
    }

    /// An execution to one of some bad states at the present depth. If there is none, later executions
    /// avoid them at this depth.
    pub fn bad(&mut self, watch: &mut Watch<'_>, targets: &[usize]) -> Result<Option<Trace>, Stop> {
        let depth = self.depth() as u64;
        let any = self.any(self.depth(), targets);
        if self.circuit.safe.steps(targets) > depth {
            self.solver.clause(&[!any]);
            return Ok(None);
        }
        if !watch.solve(&mut *self.solver, &[any])? {
            self.solver.clause(&[!any]);
            self.circuit.safe.note(targets, depth + 1);
            return Ok(None);
        }
        Ok(Some(self.found(self.depth(), targets)))
    }

    /// The literal of the disjunction of some bad states at a depth.
    fn any(&mut self, depth: usize, targets: &[usize]) -> Lit {
        let bads = &self.unrolling.frames[depth].bads;
        let signals: Vec<_> = targets.iter().map(|target| bads[*target]).collect();
        // Each has a literal of its own, in which the model is read.
        for signal in &signals {
            self.encoder.literal(&mut *self.solver, &self.unrolling.aig, *signal);
        }
        let any = self.unrolling.aig.any(signals);
        self.encoder.literal(&mut *self.solver, &self.unrolling.aig, any)
    }

    /// The execution in the model, to a bad state at this depth.
    fn found(&self, depth: usize, targets: &[usize]) -> Trace {
        let value = |signal| self.encoder.known(signal).is_some_and(|literal| self.solver.value(literal));
        let frames = &self.unrolling.frames;
        let steps: Vec<Vec<bool>> = frames[..depth]
            .iter()
            .map(|frame| frame.inputs.iter().map(|input| value(*input)).collect())
            .collect();
        let bad = targets.iter().copied().find(|target| value(frames[depth].bads[*target]));
        self.circuit.trace(&steps, bad.expect("a model of a disjunction satisfies a part"))
    }
}

/// Searches for a bad state, to the limit of depth: with as few steps as possible if there is a limit, or
/// no query is hard.
pub fn search(circuit: &Circuit, limits: &Limits, poll: Poll<'_>) -> Answer {
    let targets: Vec<usize> = circuit.targets().collect();
    if targets.is_empty() {
        return Answer::Holds(Invariant::of_constants(circuit));
    }
    let mut watch = Watch::new(limits, poll);
    let mut bounded = Bounded::new(circuit);
    let found = match limits.depth {
        Some(_) => loop {
            match step(&mut bounded, &mut watch, &targets) {
                Ok(None) => {}
                other => break other,
            }
        },
        None => open_depths(&mut bounded, &mut watch, &targets).map(Some),
    };
    match found {
        Ok(Some(trace)) => Answer::Violated(trace),
        Ok(None) => unreachable!("a search without an answer has a reason to stop"),
        Err(stop) => Answer::Unknown(stop),
    }
}

/// The decisions for the first query of a depth, and by how much they grow (in percent) with each depth that
/// stays open.
const OPEN_BUDGET: u64 = 15_000;
const OPEN_GROWTH: u64 = 130;

/// Searches at growing depths. Those with hard queries stay open.
fn open_depths(bounded: &mut Bounded<'_>, watch: &mut Watch<'_>, targets: &[usize]) -> Result<Trace, Stop> {
    let mut open: Vec<(usize, Lit)> = Vec::new();
    let mut budget = OPEN_BUDGET;
    loop {
        let depth = bounded.depth();
        let any = bounded.any(depth, targets);
        if bounded.circuit.safe.steps(targets) > depth as u64 {
            // No execution to this depth or a lesser one ends in a bad state.
            for (_, any) in open.drain(..).chain([(depth, any)]) {
                bounded.solver.clause(&[!any]);
            }
            bounded.unrolling.step();
            continue;
        }
        open.push((depth, any));
        watch.progress.depth = open[0].0 as u64;
        watch.check(bounded.memory())?;
        let one_of = bounded.solver.variable();
        let clause: Vec<Lit> = open.iter().map(|(_, any)| *any).chain([!one_of]).collect();
        bounded.solver.clause(&clause);
        match watch.solve_within(&mut *bounded.solver, &[one_of], budget)? {
            Some(true) => {
                let first = open.iter().find(|(_, any)| bounded.solver.value(*any));
                let (depth, _) = first.expect("a model of a disjunction satisfies a part");
                return Ok(bounded.found(*depth, targets));
            }
            Some(false) => {
                for (_, any) in open.drain(..) {
                    bounded.solver.clause(&[!any]);
                }
                bounded.circuit.safe.note(targets, depth as u64 + 1);
                budget = OPEN_BUDGET;
            }
            None => budget = budget.saturating_mul(OPEN_GROWTH) / 100,
        }
        bounded.solver.clause(&[!one_of]);
        bounded.unrolling.step();
    }
}

/// Searches at the present depth, then goes one step further.
fn step(bounded: &mut Bounded<'_>, watch: &mut Watch<'_>, targets: &[usize]) -> Result<Option<Trace>, Stop> {
    watch.progress.depth = bounded.depth() as u64;
    watch.check(bounded.memory())?;
    if watch.is_too_deep(watch.progress.depth) {
        return Err(Stop::Depth);
    }
    let found = bounded.bad(watch, targets)?;
    if found.is_none() {
        bounded.unrolling.step();
    }
    Ok(found)
}

/// For each bad condition, a shortest execution to it, within the limit of depth.
///
/// # Errors
/// The search stopped for another reason than the limit of depth.
pub fn shortest(circuit: &Circuit, limits: &Limits, poll: Poll<'_>) -> Result<Vec<Option<Trace>>, Stop> {
    let mut watch = Watch::new(limits, poll);
    let mut bounded = Bounded::new(circuit);
    let mut found: Vec<Option<Trace>> = vec![None; circuit.bads.len()];
    loop {
        let open: Vec<usize> = circuit.targets().filter(|target| found[*target].is_none()).collect();
        if open.is_empty() {
            return Ok(found);
        }
        match step(&mut bounded, &mut watch, &open) {
            Ok(Some(trace)) => {
                let bad = trace.bad;
                watch.progress.violations += 1;
                found[bad] = Some(trace);
            }
            Ok(None) => {}
            Err(Stop::Depth) => return Ok(found),
            Err(stop) => return Err(stop),
        }
    }
}
