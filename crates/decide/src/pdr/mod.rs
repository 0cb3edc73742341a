//! Property-directed reachability (IC3): frames over-approximate the states within 1, 2, ... steps;
//! states that lead to a bad state are excluded from them one cube after another, until a frame is
//! inductive or an execution reaches a bad state.
//!
//! Proof obligations are cubes from which a bad state is reachable. A predecessor is lifted to a cube by
//! an unsatisfiable core of its inputs and latches.
//!
//! *Entry point:* [`prove`].
//! *Source:* Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011; Een, Mishchenko and
//! Brayton, "Efficient Implementation of Property Directed Reachability", FMCAD 2011; Chockler et al.,
//! "Incremental Formal Verification of Hardware", FMCAD 2011 (lifting by cores).
//! *Invariant:* frame i contains all states that are reachable with at most i steps; no frame before
//! the last contains a bad state.

mod cube;
mod frames;
mod generalise;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use axle_outcome::{Limits, Stop};

use self::cube::{Cube, CubeLit};
use self::frames::{Frames, Predecessor};
use crate::answer::Answer;
use crate::circuit::Circuit;
use crate::invariant::{Clause, Invariant, Literal, literals};
use crate::watch::{Poll, Watch};

/// A cube from which a bad state is reachable.
struct Obligation {
    cube: Cube,
    /// The inputs that lead from it into the next one; none for a cube of bad states.
    next: Option<(usize, Vec<bool>)>,
}

/// The state of a search.
struct Pdr<'c, 'w, 'p> {
    circuit: &'c Circuit,
    /// The positions of the bad conditions.
    targets: Vec<usize>,
    frames: Frames,
    watch: &'w mut Watch<'p>,
    obligations: Vec<Obligation>,
    /// For each literal, the number of blocked cubes with it.
    activity: Vec<u32>,
}

/// Searches for a bad state or an inductive invariant, with inductive facts about all reachable states.
pub fn prove(circuit: &Circuit, facts: &[Clause], limits: &Limits, poll: Poll<'_>) -> Answer {
    let targets: Vec<usize> = circuit.targets().collect();
    let mut invariant = Invariant::of_constants(circuit);
    if targets.is_empty() {
        return Answer::Holds(invariant);
    }
    invariant.clauses.extend(facts.iter().cloned());
    let excluded = facts.iter().filter_map(|fact| circuit.clause(literals(fact))).map(|fact| {
        let mut cube: Vec<_> = fact.into_iter().map(|(latch, value)| CubeLit::new(latch, !value)).collect();
        cube.sort_unstable();
        Cube(cube)
    });
    let mut watch = Watch::new(limits, poll);
    let mut pdr = Pdr {
        circuit,
        targets: targets.clone(),
        frames: Frames::new(circuit, &targets, excluded.collect()),
        watch: &mut watch,
        obligations: Vec::new(),
        activity: vec![0; 2 * circuit.latches.len()],
    };
    match pdr.run() {
        Ok(Found::Execution(steps)) => Answer::Violated(circuit.reached(&targets, &steps)),
        Ok(Found::Invariant(cubes)) => {
            let clause = |cube: &Cube| {
                let literal =
                    |of: &CubeLit| Literal { bit: circuit.latches[of.latch()].bit, value: !of.value() };
                cube.0.iter().map(literal).collect()
            };
            invariant.clauses.extend(cubes.iter().map(clause));
            Answer::Holds(invariant)
        }
        Err(stop) => Answer::Unknown(stop),
    }
}

/// What a search found.
enum Found {
    /// The inputs of an execution to a bad state.
    Execution(Vec<Vec<bool>>),
    /// The excluded cubes of an inductive frame.
    Invariant(Vec<Cube>),
}

impl Pdr<'_, '_, '_> {
    fn run(&mut self) -> Result<Found, Stop> {
        if self.frames.bad(0, self.watch)?.is_some() {
            return Ok(Found::Execution(Vec::new()));
        }
        loop {
            self.frames.grow();
            let last = self.frames.last();
            self.watch.progress.depth = last as u64;
            if self.watch.is_too_deep(last as u64) {
                return Err(Stop::Depth);
            }
            while let Some(state) = self.frames.bad(last, self.watch)? {
                let inputs = vec![false; self.circuit.inputs.len()];
                let cube = self.frames.lift(&state, &inputs, None, self.watch)?;
                self.obligations.clear();
                self.obligations.push(Obligation { cube, next: None });
                if let Some(steps) = self.discharge(last)? {
                    return Ok(Found::Execution(steps));
                }
            }
            self.circuit.safe.note(&self.targets, last as u64 + 1);
            if let Some(level) = self.propagate()? {
                let cubes = self.frames.levels[level + 1..].iter().flatten();
                return Ok(Found::Invariant(cubes.cloned().collect()));
            }
        }
    }

    /// Excludes the first obligation from a frame, and others on the way; or finds an execution.
    fn discharge(&mut self, frame: usize) -> Result<Option<Vec<Vec<bool>>>, Stop> {
        let mut queue = BinaryHeap::from([Reverse((frame, 0usize))]);
        while let Some(Reverse((frame, at))) = queue.pop() {
            self.watch.check(self.frames.memory())?;
            let cube = self.obligations[at].cube.clone();
            if frame == 0 || self.frames.is_initial(&cube) {
                return Ok(Some(self.execution(at)));
            }
            let last = self.frames.last();
            if self.frames.is_blocked(&cube, frame) {
                if frame < last {
                    queue.push(Reverse((frame + 1, at)));
                }
                continue;
            }
            match self.frames.predecessor(frame - 1, &cube, true, self.watch)? {
                Predecessor::Found(state, inputs) => {
                    let before = self.frames.lift(&state, &inputs, Some(&cube), self.watch)?;
                    self.obligations.push(Obligation { cube: before, next: Some((at, inputs)) });
                    queue.push(Reverse((frame - 1, self.obligations.len() - 1)));
                    queue.push(Reverse((frame, at)));
                }
                Predecessor::None(core) => {
                    let core = self.generalised(core, frame - 1, 0)?;
                    let level = self.block(core, frame)?;
                    if level < last {
                        queue.push(Reverse((level + 1, at)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Blocks a cube that is blocked at a level, and as far beyond as possible; returns the last level.
    fn block(&mut self, mut cube: Cube, mut level: usize) -> Result<usize, Stop> {
        while level < self.frames.last() {
            match self.frames.predecessor(level, &cube, true, self.watch)? {
                Predecessor::None(core) => {
                    cube = core;
                    level += 1;
                }
                Predecessor::Found(..) => break,
            }
        }
        for literal in &cube.0 {
            self.activity[literal.0 as usize] += 1;
        }
        self.watch.progress.states += 1;
        self.frames.block(&cube, level);
        Ok(level)
    }

    /// Moves cubes to the next level where they stay blocked; returns a level that is empty afterwards.
    fn propagate(&mut self) -> Result<Option<usize>, Stop> {
        let last = self.frames.last();
        for level in 1..last {
            let mut cubes = self.frames.levels[level].clone();
            cubes.sort_by_key(|cube| cube.0.len());
            for cube in cubes {
                // It may have been subsumed meanwhile.
                if !self.frames.levels[level].contains(&cube) {
                    continue;
                }
                if let Predecessor::None(core) = self.frames.predecessor(level, &cube, false, self.watch)? {
                    self.frames.block(&core, level + 1);
                }
            }
            self.watch.check(self.frames.memory())?;
            if self.frames.levels[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The inputs from an obligation that contains the initial state to a bad state.
    fn execution(&self, mut at: usize) -> Vec<Vec<bool>> {
        let mut steps = Vec::new();
        while let Some((next, inputs)) = &self.obligations[at].next {
            steps.push(inputs.clone());
            at = *next;
        }
        steps
    }
}
