//! Re-execution of a counterexample to a temporal property by the interpreter: the steps of the
//! system alone, the last of which may form a cycle.
//!
//! The replay executes the prefix and, for an infinite execution, the cycle twice. Both rounds must
//! end in the state in which the cycle begins, byte for byte. The caller, which knows the property,
//! judges the valuations of the propositions; this file knows no automaton.
//!
//! *Entry point:* [`replay_run`].

use std::sync::Arc;

use axle_model::Model;
use axle_outcome::{Lasso, LassoStep, Prefix};
use axle_step::interpret::log::Event;
use axle_step::{Atom, AtomFault, Observer, Options};

use crate::replay::{ReplayError, Run, chosen};
use crate::trace::{Mover, Observed, Trace, TraceStep};

/// The steps of the system in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemRun {
    /// The position of each step among the successors of the state before it; none for a stuttering
    /// step, in which no process can execute a statement.
    pub steps: Vec<Option<u32>>,
    /// The length of the cycle at the end, in steps; 0 for a finite execution.
    pub cycle: usize,
    /// Where the automaton of what must not happen stands before each step and after the last,
    /// where that is known: to be shown, and for nothing else.
    pub claim: Vec<u32>,
}

impl SystemRun {
    /// The system's part of a lasso; `target` gives the location that an edge of a claim leads to.
    pub fn of_lasso(lasso: &Lasso, target: impl Fn(u32, u32) -> u32) -> SystemRun {
        let steps: Vec<LassoStep> = lasso.prefix.iter().chain(&lasso.cycle).copied().collect();
        SystemRun { cycle: lasso.cycle.len(), ..SystemRun::of_steps(lasso.start, &steps, target) }
    }

    /// The system's part of a finite run.
    pub fn of_prefix(prefix: &Prefix, target: impl Fn(u32, u32) -> u32) -> SystemRun {
        SystemRun::of_steps(prefix.start, &prefix.steps, target)
    }

    fn of_steps(start: u32, steps: &[LassoStep], target: impl Fn(u32, u32) -> u32) -> SystemRun {
        let mut claim = vec![start];
        let mut at = start;
        for step in steps {
            at = target(at, step.edge);
            claim.push(at);
        }
        SystemRun { steps: steps.iter().map(|step| step.system).collect(), cycle: 0, claim }
    }

    /// Steps before those that repeat.
    pub fn prefix(&self) -> usize {
        self.steps.len() - self.cycle
    }
}

/// A run that was walked again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walked {
    /// The trace, with the propositions that hold in each state.
    pub trace: Trace,
    /// For the state before each step and the one after the last, what each atom is.
    pub letters: Vec<Vec<bool>>,
    /// For the same states, which processes could move there and, but for the last, which did.
    pub movers: Vec<Movers>,
    /// Atoms that could not be evaluated, with the position of the state.
    pub faults: Vec<AtomFault>,
    /// Messages passed and text printed, in order, each cycle once.
    pub events: Vec<Event>,
}

/// Who can move in a state, and who does.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Movers {
    /// Those who move in some successor, in order of number.
    pub enabled: Vec<u32>,
    /// Those who move in the step that the run takes.
    pub moved: Vec<u32>,
}

/// Re-executes a run and records its trace. `texts` are the atoms as they are to be shown.
pub fn replay_run(
    model: &Arc<Model>,
    run: &SystemRun,
    atoms: &[Atom],
    texts: &[String],
    options: &Options,
) -> Result<Walked, ReplayError> {
    let mut walk = Run::new(model, options);
    let mut states = vec![walk.state.clone()];
    let (mut movers, mut events) = (Vec::new(), Vec::new());
    let prefix = run.prefix();
    for (index, &position) in run.steps.iter().enumerate() {
        movers.push(take(&mut walk, index, position, &mut events)?);
        states.push(walk.state.clone());
    }
    let mut trace_steps = walk.steps.len();
    if run.cycle > 0 {
        // Once more round, without telling it.
        for (index, &position) in run.steps.iter().enumerate().skip(prefix) {
            let again = take(&mut walk, index, position, &mut Vec::new())?;
            let then = &states[index + 1];
            if walk.state != walk.interpreter.widened(then) || again != movers[index] {
                return Err(ReplayError::NoCycle);
            }
        }
        let back = walk.interpreter.widened(&states[prefix]);
        if back != walk.state {
            return Err(ReplayError::NoCycle);
        }
    }
    movers.push(Movers { enabled: enabled(&mut walk), moved: Vec::new() });

    let widened: Vec<u8> = states.iter().flat_map(|state| walk.interpreter.widened(state)).collect();
    let (mut bits, mut faults) = (Vec::new(), Vec::new());
    let mut observer = Observer::new(&walk.interpreter, atoms.to_vec());
    let words = observer.words();
    observer.observe(&widened, &mut bits, &mut faults);
    let letters: Vec<Vec<bool>> = (0..states.len())
        .map(|at| {
            let word = |atom: usize| bits[at * words + atom / 64] >> (atom % 64) & 1 == 1;
            (0..atoms.len()).map(word).collect()
        })
        .collect();
    let observed = |at: usize| Observed {
        holds: (letters[at].iter().zip(texts)).filter(|(holds, _)| **holds).map(|(_, t)| t.clone()).collect(),
        claim: run.claim.get(at).copied(),
    };
    let mut trace = walk.into_trace();
    for index in 0..trace_steps {
        let step = &mut trace.steps[index];
        if step.part == step.parts && !atoms.is_empty() {
            step.observed = Some(observed(step.step as usize));
        }
    }
    // The second round is not part of the trace.
    trace_steps = trace_steps.min(trace.steps.len());
    trace.steps.truncate(trace_steps);
    trace.start = (!atoms.is_empty()).then(|| observed(0));
    trace.cycle = (run.cycle > 0).then_some(prefix as u64 + 1);
    Ok(Walked { trace, letters, movers, faults, events })
}

/// Takes a step of a run, or a stuttering step where no process can execute a statement.
fn take(
    walk: &mut Run,
    index: usize,
    position: Option<u32>,
    events: &mut Vec<Event>,
) -> Result<Movers, ReplayError> {
    let mut steps = walk.interpreter.steps(&walk.state);
    // Even where no step comes of it, trying may have made room for more processes.
    walk.state = walk.interpreter.widened(&walk.state);
    let enabled = who(steps.steps.iter().flat_map(|step| &step.micro));
    let Some(position) = position else {
        return match steps.steps.len() {
            0 => {
                walk.number += 1;
                walk.steps.push(stutter(walk.number));
                Ok(Movers { enabled, moved: Vec::new() })
            }
            successors => Err(ReplayError::NotStuck { step: index + 1, successors }),
        };
    };
    let micro = chosen(&mut steps, index, position)?;
    let moved = who(&micro);
    events.extend(micro.iter().flat_map(|step| step.events.iter().cloned()));
    walk.take(micro);
    Ok(Movers { enabled, moved })
}

/// Who can move where the run is.
fn enabled(walk: &mut Run) -> Vec<u32> {
    who(walk.interpreter.steps(&walk.state).steps.iter().flat_map(|step| &step.micro))
}

/// The processes of small steps, each once.
fn who<'a>(micro: impl IntoIterator<Item = &'a axle_step::interpret::detail::MicroStep>) -> Vec<u32> {
    let takers = micro.into_iter().flat_map(|step| std::iter::once(&step.by).chain(&step.partner));
    let mut pids: Vec<u32> = takers.map(|taken| taken.pid).collect();
    pids.sort_unstable();
    pids.dedup();
    pids
}

/// A stuttering step: a finite execution is extended by repeating its last state.
fn stutter(number: u64) -> TraceStep {
    let by = Mover { pid: 0, process: "-".into(), place: None, statement: "(stutter)".into() };
    TraceStep::of(number, by)
}
