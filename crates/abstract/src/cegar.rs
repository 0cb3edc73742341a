//! Predicate abstraction with counterexample-guided refinement.
//!
//! Abstract reachability either finds no bad state, which is a proof, or an abstract path. The path is
//! executed: it is a counterexample, or gives new predicates. Beside it, concrete executions look for
//! violations (`explore.rs`).
//!
//! *Entry points:* [`prove`], [`refine`].
//! *Source:* Graf and Saidi, CAV 1997; Clarke, Grumberg, Jha, Lu and Veith, CAV 2000; Das, Dill and Park,
//! "Experience with Predicate Abstraction", CAV 1999.
//! *Invariant:* the answer is an execution that the problem replays, or an invariant that the certificate
//! checker accepts.

use std::time::Duration;

use axle_decide::answer::Answer;
use axle_decide::circuit::Trace;
use axle_decide::invariant::Invariant;
use axle_decide::model::Problem;
use axle_decide::prove::{self, Method};
use axle_decide::system::Cause;
use axle_decide::term::{TermId, Terms};
use axle_decide::watch::{Poll, Watch};
use axle_outcome::{AbstractionProgress, FaultKind, Limits, Stop};
use axle_relation::Relation;

use crate::atoms::atoms;
use crate::display::text;
use crate::explore::Exploration;
use crate::invariant::{conditions, invariant};
use crate::post::Abstraction;
use crate::reach::reach;
use crate::refine::{Executed, execute, new_predicates, whole_conditions};
use crate::templates::Templates;
use crate::{Clock, Options};

/// The concrete states that are expanded in the first iteration; each further one expands more.
const FIRST_STATES: usize = 500;
/// The most concrete states that one iteration expands.
const LAST_STATES: usize = 50_000;

/// An abstract path that no execution follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spurious {
    /// The number of abstract steps.
    pub length: usize,
    /// The first step that cannot be executed; the length if the last state is not bad.
    pub step: usize,
    /// The group of that step.
    pub group: Option<u32>,
    /// The predicates that were missing.
    pub predicates: Vec<String>,
}

/// The abstract states with one place, as a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtPlace {
    /// The state variables that are tracked by value, by their positions, with their values.
    pub values: Vec<(u32, u64)>,
    /// The cubes of predicates, as an expression.
    pub condition: String,
}

/// Times of a proof attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// All of it.
    pub all: Duration,
    /// The decision procedure.
    pub deciding: Duration,
    /// The longest iteration.
    pub longest_iteration: Duration,
}

/// The course of a proof attempt.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// The predicates, as expressions.
    pub predicates: Vec<String>,
    /// The number of those that were given; the others were inferred.
    pub given: usize,
    /// The abstract states of a proof: its invariant.
    pub invariant: Vec<AtPlace>,
    /// The number of abstractions.
    pub iterations: u64,
    /// The abstract states of the last abstraction.
    pub states: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Answers that were known from earlier queries.
    pub hits: u64,
    /// The times, if there is a clock.
    pub times: Times,
    /// The abstract paths that were refuted.
    pub spurious: Vec<Spurious>,
}

/// The result of a refinement.
#[derive(Clone, Debug)]
pub struct Refined {
    /// The answer.
    pub answer: Answer,
    /// The course.
    pub course: Course,
    /// The predicates, by their terms.
    pub predicates: Predicates,
}

/// Predicates as terms.
#[derive(Clone, Debug)]
pub struct Predicates {
    /// The terms of the problem, and further ones.
    pub terms: Terms,
    /// The predicates.
    pub list: Vec<TermId>,
}

/// Decides whether one of the bad conditions at these positions is reachable.
pub fn prove(
    problem: &Problem,
    relation: &Relation,
    bads: &[usize],
    options: &Options,
    limits: &Limits,
    poll: Poll<'_>,
) -> (Answer, Course) {
    let Refined { answer, course, .. } = refine(problem, relation, bads, options, limits, poll);
    (answer, course)
}

/// As [`prove`], with the predicates of the last abstraction.
pub fn refine(
    problem: &Problem,
    relation: &Relation,
    bads: &[usize],
    options: &Options,
    limits: &Limits,
    poll: Poll<'_>,
) -> Refined {
    let mut course = Course::default();
    let nothing = || Predicates { terms: problem.system.terms.clone(), list: Vec::new() };
    let without = |answer, course| Refined { answer, course, predicates: nothing() };
    // Endless sequences are about pairs of states: their condition refers to a saved state.
    let is_endless = |bad: &usize| {
        let cause = problem.system.bads[*bad].cause;
        matches!(cause, Cause::Fault { kind: FaultKind::EndlessSequence, .. })
    };
    let (endless, plain): (Vec<usize>, Vec<usize>) = bads.iter().copied().partition(is_endless);
    let mut lemma = None;
    if !endless.is_empty() {
        let found = prove::decide(problem, relation, &endless, Method::Reachability, limits, &mut *poll);
        match found {
            Answer::Holds(invariant) if invariant.depth == 1 && !invariant.distinct => {
                lemma = Some(invariant);
            }
            Answer::Holds(_) => return without(Answer::Unknown(Stop::NotApplicable), course),
            other => return without(other, course),
        }
    }
    let mut watch = Watch::new(limits, poll);
    let mut search = Search {
        abstraction: Abstraction::new(problem, relation, options),
        bads: &plain,
        limits,
        course: &mut course,
        clock: options.clock,
        since: None,
        templates: match options.separate {
            true => Templates::default(),
            false => Templates::new(problem, relation, &|_| false),
        },
    };
    let now = || options.clock.map(|clock| clock()).unwrap_or_default();
    let begin = now();
    let answer = search.run(options, &mut watch);
    search.ended_iteration();
    let Abstraction { formulas, predicates, hits, .. } = search.abstraction;
    course.times.all = now().saturating_sub(begin);
    course.times.deciding = formulas.deciding;
    course.queries = formulas.queries;
    course.hits = hits;
    let listed = predicates.list.iter();
    course.predicates = listed.map(|of| text(&problem.system, &formulas.terms, *of)).collect();
    let answer = match (answer, lemma) {
        (Ok(Answer::Holds(invariant)), Some(lemma)) => {
            Answer::Holds(joined(problem.system.states.len() as u32, invariant, lemma))
        }
        (Ok(answer), _) => answer,
        (Err(stop), _) => Answer::Unknown(stop),
    };
    Refined { answer, course, predicates: Predicates { terms: formulas.terms, list: predicates.list } }
}

/// The conjunction of two inductive invariants.
fn joined(states: u32, mut one: Invariant, other: Invariant) -> Invariant {
    let shift = one.words.len() as u32;
    one.words.extend(other.words);
    one.clauses.extend(other.clauses.into_iter().map(|mut clause| {
        for literal in clause.iter_mut().filter(|literal| literal.bit.of >= states) {
            literal.bit.of += shift;
        }
        clause
    }));
    one
}

/// A search.
struct Search<'s, 'p> {
    abstraction: Abstraction<'p>,
    bads: &'s [usize],
    limits: &'s Limits,
    course: &'s mut Course,
    clock: Option<Clock>,
    templates: Templates,
    /// The begin of the present iteration.
    since: Option<Duration>,
}

impl Search<'_, '_> {
    fn run(&mut self, options: &Options, watch: &mut Watch<'_>) -> Result<Answer, Stop> {
        for predicate in &options.predicates {
            self.add(*predicate);
        }
        self.course.given = self.abstraction.predicates.list.len();
        let mut exploration = Exploration::new(&mut self.abstraction);
        let mut most = FIRST_STATES;
        loop {
            self.ended_iteration();
            self.course.iterations += 1;
            watch.progress.abstraction = Some(AbstractionProgress {
                iteration: self.course.iterations,
                predicates: self.abstraction.predicates.list.len() as u64,
            });
            watch.check(self.abstraction.formulas.memory())?;
            let found = exploration.run(&mut self.abstraction, self.bads, most, watch)?;
            most = (most + most / 5).min(LAST_STATES);
            if let Some((commands, bad)) = found {
                return self.violated(&commands, bad);
            }
            let (reached, path) = reach(&mut self.abstraction, self.bads, watch, self.limits.states)?;
            self.course.states = reached.nodes.len() as u64;
            let Some(path) = path else {
                self.course.invariant = conditions(&self.abstraction, &reached);
                let invariant = invariant(&mut self.abstraction, &reached);
                return invariant.map(Answer::Holds).ok_or(Stop::Memory);
            };
            watch.progress.depth = watch.progress.depth.max(path.steps.len() as u64);
            let stuck = match execute(&self.abstraction, &path) {
                Executed::Feasible => {
                    let commands = path.steps.iter().map(|step| self.abstraction.locals.get(*step).command);
                    let commands: Vec<u32> = commands.collect();
                    return self.violated(&commands, path.bad);
                }
                Executed::Stuck(at) => at,
            };
            let atoms = new_predicates(&mut self.abstraction, &exploration, &path, stuck, watch)?;
            let mut new = self.added(atoms);
            if new.is_empty() {
                let whole = whole_conditions(&mut self.abstraction, &exploration, &path, stuck, watch)?;
                new = self.added(whole);
            }
            let group = path.steps.get(stuck).map(|step| self.abstraction.locals.get(*step).command);
            let system = &self.abstraction.problem.system;
            let terms = &self.abstraction.formulas.terms;
            let predicates: Vec<String> = new.iter().map(|of| text(system, terms, *of)).collect();
            let length = path.steps.len();
            let is_new = !predicates.is_empty();
            self.course.spurious.push(Spurious { length, step: stuck, group, predicates });
            if !is_new && !self.abstraction.refine() {
                return Err(Stop::Predicates);
            }
            if options.most_predicates.is_some_and(|most| self.abstraction.predicates.list.len() > most) {
                return Err(Stop::Predicates);
            }
        }
    }

    /// Measures the iteration that has ended.
    fn ended_iteration(&mut self) {
        let Some(now) = self.clock.map(|clock| clock()) else { return };
        if let Some(since) = self.since.replace(now) {
            let longest = &mut self.course.times.longest_iteration;
            *longest = (*longest).max(now.saturating_sub(since));
        }
    }

    /// Adds the atoms of a condition.
    fn add(&mut self, condition: TermId) {
        let mut found = Vec::new();
        atoms(&mut self.abstraction.formulas.terms, condition, &mut found);
        self.added(found);
    }

    /// Adds predicates, and returns the new ones. Those about a process are also added for others of its
    /// type.
    fn added(&mut self, found: Vec<TermId>) -> Vec<TermId> {
        let Abstraction { problem, places, formulas, predicates, .. } = &mut self.abstraction;
        let mut new = Vec::new();
        let mut all = found.clone();
        for predicate in found {
            all.extend(self.templates.images(problem, &mut formulas.terms, predicate));
        }
        for predicate in all {
            if places.is_free(problem, &formulas.terms, predicate)
                && predicates.add(problem, &mut formulas.terms, predicate)
            {
                new.push(predicate);
            }
        }
        new
    }

    /// The execution by commands, within the limit of depth.
    fn violated(&self, commands: &[u32], bad: usize) -> Result<Answer, Stop> {
        if self.limits.depth.is_some_and(|most| commands.len() as u64 > most) {
            return Err(Stop::Depth);
        }
        let problem = self.abstraction.problem;
        let inputs = commands.iter().map(|command| {
            let (process, alternative) = problem.selector(*command);
            let mut inputs = vec![0; problem.system.inputs.len()];
            (inputs[0], inputs[1]) = (u64::from(process), u64::from(alternative));
            inputs
        });
        Ok(Answer::Violated(Trace { inputs: inputs.collect(), bad }))
    }
}
