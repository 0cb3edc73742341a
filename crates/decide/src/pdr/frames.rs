//! The frames of PDR: over-approximations of the states within some number of steps, one solver for
//! each with the clauses of the step.
//!
//! *Entry points:* [`Frames::predecessor`], [`Frames::lift`].
//! *Invariant:* frame i contains the clauses of all levels from i on, so frames grow; the clauses of
//! the step are the same in all solvers.

use axle_outcome::Stop;

use super::cube::{Cube, CubeLit};
use crate::circuit::Circuit;
use crate::cnf::Encoder;
use crate::sat::{Lit, SatAnswer, Solver, solver};
use crate::watch::Watch;

/// The activation literals of a solver that may be spent before it is made anew.
const MOST_RETIRED: usize = 1_000;

/// The clauses of the step, and the literals of latches, inputs and next values.
struct Template {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
    latches: Vec<Lit>,
    next: Vec<Lit>,
    inputs: Vec<Lit>,
    bad: Lit,
    /// Clauses that hold in all reachable states.
    facts: Vec<Vec<Lit>>,
}

/// Records clauses.
#[derive(Default)]
struct Recorder {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

impl Solver for Recorder {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }

    fn solve(&mut self, _: &[Lit], _: u64) -> SatAnswer {
        SatAnswer::Unknown
    }

    fn value(&self, _: Lit) -> bool {
        false
    }

    fn in_core(&self, _: Lit) -> bool {
        true
    }

    fn simplify(&mut self) {}

    fn take_work(&mut self) -> u64 {
        0
    }

    fn memory(&self) -> u64 {
        0
    }
}

impl Template {
    fn new(circuit: &Circuit, targets: &[usize]) -> Template {
        let mut aig = circuit.aig.clone();
        let bad = aig.any(targets.iter().map(|target| circuit.bads[*target]).collect());
        let (mut recorder, mut encoder) = (Recorder::default(), Encoder::default());
        let mut literal = |signal| encoder.literal(&mut recorder, &aig, signal);
        let latches = circuit.latches.iter().map(|latch| literal(latch.signal)).collect();
        let inputs = circuit.inputs.iter().map(|(_, signal)| literal(*signal)).collect();
        let next = circuit.latches.iter().map(|latch| literal(latch.next)).collect();
        let bad = literal(bad);
        let facts = circuit.facts.iter().map(|fact| fact.iter().map(|signal| literal(*signal)).collect());
        let facts = facts.collect();
        Template {
            variables: recorder.variables,
            clauses: recorder.clauses,
            latches,
            next,
            inputs,
            bad,
            facts,
        }
    }

    fn load(&self) -> Box<dyn Solver> {
        let mut solver = solver();
        (0..self.variables).for_each(|_| {
            solver.variable();
        });
        self.clauses.iter().chain(&self.facts).for_each(|clause| solver.clause(clause));
        solver
    }

    fn of(&self, literal: CubeLit, next: bool) -> Lit {
        let all = if next { &self.next } else { &self.latches };
        all[literal.latch()].negated_if(!literal.value())
    }
}

/// A solver with the number of activation literals that were spent.
struct FrameSolver {
    solver: Box<dyn Solver>,
    retired: usize,
}

/// The answer to the question whether a cube has a predecessor in a frame.
pub(super) enum Predecessor {
    /// A state with its inputs.
    Found(Vec<bool>, Vec<bool>),
    /// There is none, also not for the cube with these literals of it only.
    None(Cube),
}

/// The frames.
pub(super) struct Frames {
    template: Template,
    solvers: Vec<FrameSolver>,
    lifter: FrameSolver,
    /// The blocked cubes, each at the last level at which it is blocked.
    pub levels: Vec<Vec<Cube>>,
    /// Clauses that hold in all reachable states, as the cubes that they exclude.
    facts: Vec<Cube>,
    initial: Vec<bool>,
}

impl Frames {
    /// The frame of the initial state.
    pub fn new(circuit: &Circuit, targets: &[usize], facts: Vec<Cube>) -> Frames {
        let template = Template::new(circuit, targets);
        let initial = circuit.latches.iter().map(|latch| latch.initial).collect();
        let lifter = FrameSolver { solver: template.load(), retired: 0 };
        let mut frames = Frames { template, solvers: Vec::new(), lifter, levels: Vec::new(), facts, initial };
        frames.grow();
        frames
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.solvers.len() - 1
    }

    /// Adds a frame of which only the facts are known.
    pub fn grow(&mut self) {
        self.levels.push(Vec::new());
        let solver = self.fresh(self.levels.len() - 1);
        self.solvers.push(solver);
    }

    /// A solver for a frame.
    fn fresh(&self, frame: usize) -> FrameSolver {
        let mut solver = self.template.load();
        if frame == 0 {
            for (latch, value) in self.template.latches.iter().zip(&self.initial) {
                solver.clause(&[latch.negated_if(!value)]);
            }
        }
        for cube in self.facts.iter().chain(self.levels[frame..].iter().flatten()) {
            let clause: Vec<_> = cube.0.iter().map(|literal| !self.template.of(*literal, false)).collect();
            solver.clause(&clause);
        }
        FrameSolver { solver, retired: 0 }
    }

    /// An estimate of the memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.solvers.iter().map(|frame| frame.solver.memory()).sum()
    }

    /// Whether the initial state is in a cube.
    pub fn is_initial(&self, cube: &Cube) -> bool {
        cube.contains(&self.initial)
    }

    /// A bad state of a frame with its inputs.
    pub fn bad(&mut self, frame: usize, watch: &mut Watch<'_>) -> Result<Option<Vec<bool>>, Stop> {
        let solver = &mut *self.solvers[frame].solver;
        let found = watch.solve(solver, &[self.template.bad])?;
        Ok(found.then(|| self.template.latches.iter().map(|latch| solver.value(*latch)).collect()))
    }

    /// Whether a state of a frame, outside the cube if `outside`, has a successor in the cube.
    pub fn predecessor(
        &mut self,
        frame: usize,
        cube: &Cube,
        outside: bool,
        watch: &mut Watch<'_>,
    ) -> Result<Predecessor, Stop> {
        if self.solvers[frame].retired > MOST_RETIRED {
            self.solvers[frame] = self.fresh(frame);
        }
        let template = &self.template;
        let FrameSolver { solver, retired } = &mut self.solvers[frame];
        let solver = &mut **solver;
        let mut assumptions: Vec<_> = Vec::with_capacity(cube.0.len() + 1);
        let activation = outside.then(|| {
            let activation = solver.variable();
            let mut clause: Vec<_> = cube.0.iter().map(|literal| !template.of(*literal, false)).collect();
            clause.push(!activation);
            solver.clause(&clause);
            *retired += 1;
            activation
        });
        assumptions.extend(activation);
        assumptions.extend(cube.0.iter().map(|literal| template.of(*literal, true)));
        let found = watch.solve(solver, &assumptions);
        let answer = found.map(|found| match found {
            true => {
                let values = |literals: &[Lit]| literals.iter().map(|of| solver.value(*of)).collect();
                Predecessor::Found(values(&template.latches), values(&template.inputs))
            }
            false => {
                let needed = |literal: &CubeLit| solver.in_core(template.of(*literal, true));
                Predecessor::None(Cube(cube.0.iter().copied().filter(needed).collect()))
            }
        });
        if let Some(activation) = activation {
            solver.clause(&[!activation]);
        }
        Ok(match answer? {
            Predecessor::None(core) => Predecessor::None(self.with_initiation(core, cube)),
            found @ Predecessor::Found(..) => found,
        })
    }

    /// A core of a cube that does not contain the initial state if the cube does not.
    fn with_initiation(&self, mut core: Cube, cube: &Cube) -> Cube {
        if self.is_initial(&core) {
            let differs = |literal: &&CubeLit| self.initial[literal.latch()] != literal.value();
            if let Some(literal) = cube.0.iter().find(differs) {
                core.0.push(*literal);
                core.0.sort_unstable();
            }
        }
        core
    }

    /// A cube of states around one, from all of which the inputs lead into the target; without a target,
    /// a cube of bad states.
    pub fn lift(
        &mut self,
        state: &[bool],
        inputs: &[bool],
        target: Option<&Cube>,
        watch: &mut Watch<'_>,
    ) -> Result<Cube, Stop> {
        if self.lifter.retired > MOST_RETIRED {
            self.lifter = FrameSolver { solver: self.template.load(), retired: 0 };
        }
        let template = &self.template;
        let solver = &mut *self.lifter.solver;
        self.lifter.retired += 1;
        let activation = solver.variable();
        let mut clause = vec![!activation];
        match target {
            None => clause.push(!template.bad),
            Some(cube) => clause.extend(cube.0.iter().map(|literal| !template.of(*literal, true))),
        }
        solver.clause(&clause);
        let mut assumptions = vec![activation];
        assumptions.extend(template.inputs.iter().zip(inputs).map(|(input, value)| input.negated_if(!value)));
        assumptions.extend(template.latches.iter().zip(state).map(|(latch, value)| latch.negated_if(!value)));
        let found = watch.solve(solver, &assumptions);
        let all = state.iter().enumerate().map(|(latch, value)| CubeLit::new(latch, *value));
        // The step is a function, so the state itself always leads into the target.
        let is_core = found.is_ok_and(|found| !found);
        let cube = Cube(all.filter(|of| !is_core || solver.in_core(template.of(*of, false))).collect());
        solver.clause(&[!activation]);
        found?;
        Ok(cube)
    }

    /// Blocks a cube up to a level.
    pub fn block(&mut self, cube: &Cube, level: usize) {
        for known in &mut self.levels[..=level] {
            known.retain(|of| !cube.subsumes(of));
        }
        let clause: Vec<_> = cube.0.iter().map(|literal| !self.template.of(*literal, false)).collect();
        for frame in &mut self.solvers[1..=level] {
            frame.solver.clause(&clause);
        }
        self.levels[level].push(cube.clone());
    }

    /// Whether a cube is part of one that is blocked at a level.
    pub fn is_blocked(&self, cube: &Cube, level: usize) -> bool {
        self.levels[level..].iter().flatten().any(|known| known.subsumes(cube))
    }
}
