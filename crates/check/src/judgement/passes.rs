//! Searches a smaller model that has the same verdict, and maps its counterexamples to the original
//! model.
//!
//! A step of the smaller model is a sequence of edges of processes. The original model takes the
//! same edges, in one step or in several.
//!
//! *Entry points:* [`for_faults`], [`for_property`], [`for_events`] and [`slice_for`] make the
//! smaller model, [`SideBySide`] executes both.
//! *Invariant:* the interpreter has executed every reported counterexample in the original model.
//! If a counterexample cannot be mapped, the original model is searched.

use std::sync::Arc;

use axle_evidence::lasso::SystemRun;
use axle_evidence::report::PassReport;
use axle_explicit::stutter::is_stutter_invariant;
use axle_model::Model;
use axle_question::checks::Check;
use axle_question::claims::Stated;
use axle_question::config::Config;
use axle_reduce::Visible;
use axle_reduce::passes::{Asked, Pass, apply};
use axle_reduce::slice::slice;
use axle_search::{Fairness, Found, Violation};
use axle_step::interpret::detail::{MicroStep, StepDetail, Taken};
use axle_step::interpret::log::Blame;
use axle_step::{Interpreter, Options, Successors};

use crate::judgement::confirm;

/// A model to search instead of the original one.
#[derive(Clone, Debug)]
pub(crate) struct SmallerModel {
    pub model: Arc<Model>,
    /// The passes that made it.
    pub passes: Vec<PassReport>,
}

/// The model to search for faults of states, if a pass changes the model.
pub(crate) fn for_faults(model: &Model, config: &Config) -> Option<SmallerModel> {
    // Predicates are conditions on the variables of the given model, and processes are those of it.
    if !config.predicates.is_empty() || !config.maps.is_empty() || !config.concrete.is_empty() {
        return None;
    }
    small(model, config, &Visible::default(), true)
}

/// The model to search for counterexamples of a property, if a pass changes the model.
pub(crate) fn for_property(
    model: &Model,
    config: &Config,
    one: &Stated,
    visible: &Visible,
) -> Option<SmallerModel> {
    // Fairness depends on every step of every process.
    let blind = config.fairness == Fairness::None && is_stutter_invariant(model, one);
    small(model, config, visible, blind)
}

/// The model to search for executions that violate an event trace, if a pass changes the model.
/// Messages keep their values and every step remains a step.
pub(crate) fn for_events(model: &Model, config: &Config) -> Option<SmallerModel> {
    small(model, config, &Visible::default(), false)
}

/// The slice for a property, with the other passes applied, if it leaves something out.
pub(crate) fn slice_for(
    model: &Model,
    config: &Config,
    one: &Stated,
    visible: &Visible,
) -> Option<SmallerModel> {
    let wanted = config.passes.contains(&Pass::Slice) && config.limits.depth.is_none();
    if !wanted || config.fairness != Fairness::None || !is_stutter_invariant(model, one) {
        return None;
    }
    let sliced = slice(model, &visible.clone().into()).ok().filter(|sliced| sliced.removed > 0)?;
    debug_assert_eq!(axle_model::verify::verify(&sliced.model), [], "a slice keeps the rules of models");
    let mut passes = vec![told(Pass::Slice, sliced.removed)];
    let model = match small(&sliced.model, config, visible, true) {
        Some(small) => {
            passes.extend(small.passes);
            small.model
        }
        None => Arc::new(sliced.model),
    };
    Some(SmallerModel { model, passes })
}

fn small(model: &Model, config: &Config, visible: &Visible, blind: bool) -> Option<SmallerModel> {
    let asked = Asked {
        visible,
        // A limit on depth counts every step.
        blind: blind && config.limits.depth.is_none(),
        truncation: config.checks.contains(&Check::Truncation),
    };
    let made = apply(model, &config.passes, &asked)?;
    debug_assert_eq!(axle_model::verify::verify(&made.model), [], "a pass keeps the rules of models");
    let passes = made.changed.iter().map(|&(pass, changed)| told(pass, changed)).collect();
    Some(SmallerModel { model: Arc::new(made.model), passes })
}

/// A pass for the report.
fn told(pass: Pass, changed: usize) -> PassReport {
    PassReport { name: pass.name().to_string(), changed: changed as u64 }
}

/// Executes a smaller model and the original model side by side.
pub(crate) struct SideBySide {
    small: Interpreter,
    whole: Interpreter,
    /// The states of the smaller and of the original model.
    at: [Vec<u8>; 2],
    /// The steps of the original model so far, by their positions; none where every process is
    /// blocked.
    path: Vec<Option<u32>>,
}

/// The edge taken by a process, and by the receiver in a rendezvous.
type Move = (Taken, Option<Taken>);

fn moves(micro: &[MicroStep]) -> Vec<Move> {
    micro.iter().map(|step| (step.by, step.partner)).collect()
}

/// The step that takes the first of these edges, by its index, and the number of edges that it takes.
fn along(steps: &[StepDetail], rest: &[Move]) -> Option<(usize, usize)> {
    let fits = |step: &StepDetail| {
        step.micro.len() <= rest.len()
            && step.micro.iter().zip(rest).all(|(step, wanted)| (step.by, step.partner) == *wanted)
    };
    let index = steps.iter().position(fits)?;
    Some((index, steps[index].micro.len()))
}

/// Iterations of a cycle after which the search for a cycle of the original model is given up.
const MOST_ROUNDS: usize = 300;

impl SideBySide {
    /// Both models in their initial states.
    pub fn new(small: &Arc<Model>, whole: &Arc<Model>, options: &Options) -> SideBySide {
        let mut small = Interpreter::new(Arc::clone(small), *options);
        let mut whole = Interpreter::new(Arc::clone(whole), *options);
        let at = [small.initial(&mut Vec::new()), whole.initial(&mut Vec::new())];
        SideBySide { small, whole, at, path: Vec::new() }
    }

    /// A violation of the smaller model as one of the original model; none if that has no such run.
    pub fn violation(mut self, violation: &Violation) -> Option<Violation> {
        self.mapped(violation).or_else(|| {
            // Passes that preserve all steps preserve their positions.
            confirm::confirm(&mut self.whole, violation).is_ok().then(|| violation.clone())
        })
    }

    fn mapped(&mut self, violation: &Violation) -> Option<Violation> {
        for &position in &violation.path {
            self.step(Some(position))?;
        }
        let blame = Blame { kind: violation.site.kind, pid: violation.pid, edge: violation.site.edge };
        let steps = self.small.steps(&self.at[0]);
        let last = match violation.found {
            Found::Start => return None,
            Found::Step(position) => moves(&steps.steps.get(position as usize)?.micro),
            Found::State => {
                let mishap = steps.mishaps.iter().find(|mishap| mishap.fault == blame)?;
                moves(&mishap.micro)
            }
        };
        let found = self.find(&last, &blame)?;
        let path: Option<Vec<u32>> = self.path.iter().copied().collect();
        Some(Violation { path: path?, found, ..violation.clone() })
    }

    /// Takes these edges until the fault occurs.
    fn find(&mut self, mut rest: &[Move], blame: &Blame) -> Option<Found> {
        loop {
            let steps = self.whole.steps(&self.at[1]);
            let is_it = |fault: &axle_step::Fault| {
                (fault.site.kind, fault.pid, fault.site.edge) == (blame.kind, blame.pid, blame.edge)
            };
            if steps.faults.iter().any(|fault| is_it(fault) && fault.successor.is_none()) {
                return Some(Found::State);
            }
            let (index, taken) = along(&steps.steps, rest)?;
            let position = index as u32;
            if steps.faults.iter().any(|fault| is_it(fault) && fault.successor == Some(position)) {
                return Some(Found::Step(position));
            }
            self.go(&steps.steps[index], position)?;
            rest = &rest[taken..];
        }
    }

    /// Takes this step of the original model.
    fn go(&mut self, step: &StepDetail, position: u32) -> Option<()> {
        self.at[1] = step.micro.last()?.state.clone();
        self.path.push(Some(position));
        Some(())
    }

    /// Takes the first of these edges in the original model; returns how many were taken.
    fn take(&mut self, rest: &[Move]) -> Option<usize> {
        let (first, own) = self.whole.steps_by(&self.at[1], rest.first()?.0.pid);
        if let Some((index, taken)) = along(&own, rest) {
            self.go(&own[index], first + index as u32)?;
            return Some(taken);
        }
        // The step is possible only while `timeout` is true.
        let all = self.whole.steps(&self.at[1]).steps;
        let (index, taken) = along(&all, rest)?;
        self.go(&all[index], index as u32)?;
        Some(taken)
    }

    /// Takes a step of the smaller model, and the same edges in the original model.
    fn step(&mut self, position: Option<u32>) -> Option<()> {
        let Some(position) = position else {
            let stuck = self.whole.steps(&self.at[1]).steps.is_empty();
            self.path.push(None);
            return stuck.then_some(());
        };
        let micro = self.small.step_at(&self.at[0], position)?.micro;
        let wanted = moves(&micro);
        let mut rest = &wanted[..];
        while !rest.is_empty() {
            rest = &rest[self.take(rest)?..];
        }
        self.at[0] = micro.into_iter().next_back()?.state;
        Some(())
    }

    /// A run of the smaller model as one of the original model; none if that has no such run. A
    /// cycle may need several iterations until the variables that the smaller model does not store
    /// repeat too.
    pub fn run(mut self, run: &SystemRun) -> Option<SystemRun> {
        for &position in &run.steps[..run.prefix()] {
            self.step(position)?;
        }
        let cycle = &run.steps[run.prefix()..];
        let mut starts: Vec<(Vec<u8>, usize)> = Vec::new();
        if !cycle.is_empty() {
            loop {
                let here = self.trimmed();
                if let Some((_, first)) = starts.iter().find(|(state, _)| *state == here) {
                    let cycle = self.path.len() - first;
                    return Some(self.told(run, cycle));
                }
                if starts.len() > MOST_ROUNDS {
                    return None;
                }
                starts.push((here, self.path.len()));
                for &position in cycle {
                    self.step(position)?;
                }
            }
        }
        Some(self.told(run, 0))
    }

    fn told(self, run: &SystemRun, cycle: usize) -> SystemRun {
        let same = self.path.len() == run.steps.len() && cycle == run.cycle;
        // The automaton has no location in states that the smaller model does not have.
        let claim = if same { run.claim.clone() } else { Vec::new() };
        SystemRun { steps: self.path, cycle, claim }
    }

    /// The state of the original model without trailing zeros, which depend on its width.
    fn trimmed(&self) -> Vec<u8> {
        let state = &self.at[1];
        let used = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        state[..used].to_vec()
    }
}
