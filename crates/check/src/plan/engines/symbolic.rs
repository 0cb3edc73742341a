//! Decision diagrams: sets of states instead of states.
//!
//! *Entry points:* [`Symbolic`], [`SymbolicClaims`], [`in_parts`].
//! *Invariant:* without a reason to stop, all reachable states were counted, and every statement that
//! some step executes is among those taken.

use axle_explicit::Explored;
use axle_explicit::successors::Tiered;
use axle_model::Model;
use axle_outcome::Count;
use axle_question::EngineId;
use axle_question::config::Config;
use axle_relation::{Action, Relation, Taken};
use axle_search::claim::Claim;
use axle_search::{Limits, LivenessOutcome, Memory, Monitor, Outcome, Progress, Stop};
use axle_symbolic::{ClaimAnswer, Goal, Options, Symbolic as Diagrams, SymbolicError};

use crate::judgement::runs::{ClaimEngine, ClaimQuestion, ClaimResult};
use crate::plan::attempt::{Attempt, Target};
use crate::plan::engines::engine::{Answer, Engine, Planned, Question, Search, Task};
use crate::plan::engines::exact::Led;
use crate::plan::engines::property;
use crate::plan::engines::relation_sizes::{Asked, Relations, with_claim};

/// See the file.
pub(super) struct Symbolic;

/// Its shares beside the exact search, in thousandths of that: at first, and beside a large search.
const SHARE: [u32; 2] = [100, 250];

/// Bytes of the tables without a limit on memory.
const TABLES: u64 = 4 << 30;

/// Steps of operations that take as long as a state of the exact search.
const STEPS: u64 = 2;

impl Engine for Symbolic {
    fn id(&self) -> EngineId {
        EngineId::SYMBOLIC
    }

    fn help(&self) -> Option<&'static str> {
        Some("decision diagrams, for wide data and many processes")
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        let config = planned.config;
        if config.option_beyond(self.id()).is_some() {
            return Vec::new();
        }
        let whole = planned.whole(self.id(), Some(SHARE)).filter(|_| config.wants_safety());
        let mut all: Vec<Attempt> = whole.into_iter().collect();
        if config.engine == Some(self.id()) {
            all.extend(property::attempts_afterwards(self.id(), planned));
        }
        all.extend(property::attempts_beside(self.id(), planned, Some(SHARE)));
        all
    }

    fn claims(&self) -> Option<&dyn ClaimEngine> {
        Some(&SymbolicClaims)
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        if let Target::Property(number, _) = task.attempt.target {
            return property::start_by(&SymbolicClaims, question, (&task, number));
        }
        let (model, config) = (question.searched, question.config);
        let stepper = question.code.stepper(model, config.step_options(), config.successors_for(model));
        let (limits, relations) = (task.limits(config), question.relations.clone());
        Box::new(move |monitor| {
            Answer::Led(Box::new(search(model, (config, limits), &relations, &stepper, monitor)))
        })
    }
}

/// The result of a search of a model.
fn search(
    model: &Model,
    (config, limits): (&Config, Limits),
    relations: &Relations,
    stepper: &Tiered,
    monitor: &mut dyn Monitor,
) -> Led {
    let led = relations
        .ask(model, config, |lowered| explore(model, (config, limits), &lowered.relation, stepper, monitor));
    led.unwrap_or_else(|stop| ended(stop, stepper))
}

/// The result of a search that has no states to report.
fn ended(stop: Stop, stepper: &Tiered) -> Led {
    let explored = Explored::new(Outcome::nothing(stop, Vec::new()), "decision-diagrams");
    Led { order: Some("symbolic"), engine: EngineId::SYMBOLIC, ..Led::new(explored, stepper) }
}

/// Searches a relation.
fn explore(
    model: &Model,
    (config, limits): (&Config, Limits),
    relation: &Relation,
    stepper: &Tiered,
    monitor: &mut dyn Monitor,
) -> Asked<Led> {
    let memory = Some(limits.memory.unwrap_or(TABLES));
    let options = Options { memory, ..Options::default() };
    let refused = |error: SymbolicError| {
        let stop = match error {
            SymbolicError::TooLarge { .. } => Stop::Memory,
            SymbolicError::Stopped(stop) => stop,
            _ => Stop::NotApplicable,
        };
        Asked::Answer(ended(stop, stepper))
    };
    let mut reached = Count::ZERO;
    let mut observe = |progress: axle_symbolic::Progress| {
        // The states of a large set are not counted in between.
        if let Some((_, states)) = progress.reached {
            reached = Count::from(states);
            monitor.counted(&reached);
        }
        monitor.worked(progress.steps / STEPS);
        let (states, memory, depth) = (reached.saturated(), progress.bytes, progress.iterations);
        monitor.watch(&Progress { states, expanded: states, depth, memory, ..Progress::default() })
    };
    let mut diagrams = match Diagrams::new_watched(relation, options, &mut observe) {
        Ok(diagrams) => diagrams,
        Err(error) => return refused(error),
    };
    let (strategy, _) = diagrams.choose(Goal::States);
    let reached = match diagrams.explore(strategy, &mut observe) {
        Ok(reached) => reached,
        Err(error) => return refused(error),
    };
    if reached.is_beyond {
        return Asked::Beyond;
    }
    let (executed, stop) = match diagrams.executed(&mut observe) {
        Ok(executed) => (executed, reached.stop),
        Err(reason) => (None, reached.stop.or(Some(reason))),
    };
    let ignored = config.ignored_kinds();
    let violations: Vec<_> =
        reached.violations.into_iter().filter(|one| !ignored.contains(&one.site.kind)).collect();
    let states = Count::from(reached.states);
    let outcome = Outcome {
        states: states.saturated(),
        transitions: 0,
        depth: reached.iterations,
        found: violations.len() as u64,
        violations,
        stop,
        taken: executed.map_or_else(Vec::new, |executed| taken(model, relation, &executed)),
        memory: Memory { states: reached.bytes, paths: 0 },
    };
    let led = Led::new(Explored::new(outcome, "decision-diagrams"), stepper);
    Asked::Answer(Led { order: Some("symbolic"), states: Some(states), engine: EngineId::SYMBOLIC, ..led })
}

/// The search for fair cycles.
struct SymbolicClaims;

impl ClaimEngine for SymbolicClaims {
    fn id(&self) -> EngineId {
        EngineId::SYMBOLIC
    }

    fn store(&self) -> &'static str {
        "decision-diagrams"
    }

    fn search(&self, question: &ClaimQuestion<'_>, monitor: &mut dyn Monitor) -> Result<ClaimResult, String> {
        let found = with_claim(question, |relation| accepted(question, relation, None, monitor));
        let found = found.unwrap_or_else(|stop| Ok(vec![unsearched(question.claim, stop)]));
        found.map(|mut found| found.remove(0))
    }
}

/// Searches for an execution in each part of the executions, in one search: the last propositions of the
/// question are the conditions of so many parts.
pub(crate) fn in_parts(
    question: &ClaimQuestion<'_>,
    parts: usize,
    monitor: &mut dyn Monitor,
) -> Result<Vec<ClaimResult>, String> {
    let conditions: Vec<usize> = (question.atoms.len() - parts..question.atoms.len()).collect();
    let found = with_claim(question, |relation| accepted(question, relation, Some(&conditions), monitor));
    found.unwrap_or_else(|stop| Ok(vec![unsearched(question.claim, stop); parts]))
}

/// The result of a search that has not ended.
fn unsearched(claim: &Claim, stop: Stop) -> ClaimResult {
    let outcome = LivenessOutcome::nothing(claim, stop);
    ClaimResult {
        outcome,
        run: None,
        fault_runs: None,
        states: None,
        proof: None,
        parts: Vec::new(),
        is_covered: true,
    }
}

/// Searches the product of a relation and a claim, for each part of the executions if there are some.
fn accepted(
    question: &ClaimQuestion<'_>,
    relation: &Relation,
    parts: Option<&[usize]>,
    monitor: &mut dyn Monitor,
) -> Asked<Result<Vec<ClaimResult>, String>> {
    let ClaimQuestion { config, claim, fairness, .. } = *question;
    let memory = Some(config.limits.memory.unwrap_or(TABLES));
    let options = Options { memory, ..Options::default() };
    let mut reached = 0;
    let mut observe = |progress: axle_symbolic::Progress| {
        reached = progress.reached.map_or(reached, |(_, states)| Count::from(states).saturated());
        monitor.worked(progress.steps / STEPS);
        let (states, memory, depth) = (reached, progress.bytes, progress.iterations);
        monitor.watch(&Progress { states, expanded: states, depth, memory, ..Progress::default() })
    };
    let answers = match parts {
        None => {
            let asked = (claim, fairness, config.shortest);
            axle_symbolic::accepts(relation, options, asked, &mut observe).map(|answer| vec![answer])
        }
        Some(parts) => {
            let asked = (claim, fairness);
            axle_symbolic::accepts_in_parts(relation, options, asked, parts, &mut observe)
        }
    };
    let unsearched = |stop| Asked::Answer(Ok(vec![unsearched(claim, stop); parts.map_or(1, <[usize]>::len)]));
    let answers = match answers {
        Ok(answers) => answers,
        Err(SymbolicError::TooLarge { .. }) => return unsearched(Stop::Memory),
        Err(SymbolicError::Stopped(stop)) => return unsearched(stop),
        Err(error) => return Asked::Answer(Err(error.to_string())),
    };
    if answers.iter().any(|answer| answer.is_beyond && answer.finding.is_none()) {
        return Asked::Beyond;
    }
    Asked::Answer(Ok(answers.into_iter().map(|answer| result(claim, answer)).collect()))
}

/// The result for an answer.
fn result(claim: &Claim, answer: ClaimAnswer) -> ClaimResult {
    let states = Count::from(answer.states);
    let outcome = LivenessOutcome {
        finding: answer.finding,
        faults: answer.faults,
        states: states.saturated(),
        transitions: 0,
        coverage: answer.coverage,
        stop: answer.stop,
        taken: Vec::new(),
        memory: Memory { states: answer.bytes, paths: 0 },
    };
    ClaimResult { outcome, states: Some(states), ..unsearched(claim, Stop::NotApplicable) }
}

/// For every process type and edge, whether a group that was executed takes it.
fn taken(model: &Model, relation: &Relation, executed: &[bool]) -> Vec<Vec<bool>> {
    let mut taken: Vec<Vec<bool>> =
        model.processes.iter().map(|process| vec![false; process.edges.len()]).collect();
    let mut note = |step: &Taken| {
        if let Some(edge) =
            taken.get_mut(step.proc.index()).and_then(|edges| edges.get_mut(step.edge.index()))
        {
            *edge = true;
        }
    };
    for (group, _) in relation.groups.iter().zip(executed).filter(|(_, executed)| **executed) {
        if let Action::Step { by, partner, .. } = &group.action {
            note(by);
            partner.iter().for_each(&mut note);
        }
    }
    taken
}
