//! Proofs by formulas: bounded model checking, k-induction and property-directed reachability.
//!
//! *Entry point:* [`Proofs`].
//! *Invariant:* a proof is accepted only if its invariant passes the queries of the certificate checker.

use axle_decide::answer::Answer as Decision;
use axle_decide::invariant::Invariant;
use axle_decide::model::Problem;
use axle_decide::prove::Method;
use axle_decide::system::{Cause, System};
use axle_decide::watch::Poll;
use axle_decide::{certificate, prove};
use axle_evidence::report::AbstractionReport;
use axle_explicit::Explored;
use axle_model::{Model, Type};
use axle_outcome::Count;
use axle_question::EngineId;
use axle_question::checks::Check;
use axle_question::config::{Arithmetic, Config};
use axle_relation::{FaultAt, Path, Relation};
use axle_search::{Limits, Monitor, Outcome, Progress, Stop, Violation};

use crate::judgement::runs::ClaimEngine;
use crate::plan::attempt::{Attempt, Target};
use crate::plan::engines::engine::{Answer, Engine, Planned, Question, Search, Task};
use crate::plan::engines::exact::Led;
use crate::plan::engines::mathematical;
use crate::plan::engines::proof_claims::ProofClaims;
use crate::plan::engines::property;
use crate::plan::engines::relation_sizes::Asked;

/// Proofs by a method on formulas.
pub(super) struct Proofs(pub Method);

impl Proofs {
    /// The claims by the method.
    fn own_claims(&self) -> &'static ProofClaims {
        match self.0 {
            Method::Bounded => &ProofClaims(EngineId::BMC, Method::Bounded),
            Method::Induction => &ProofClaims(EngineId::INDUCTION, Method::Induction),
            Method::Reachability => &ProofClaims(EngineId::PDR, Method::Reachability),
        }
    }
}

impl Engine for Proofs {
    fn id(&self) -> EngineId {
        self.own_claims().0
    }

    fn help(&self) -> Option<&'static str> {
        Some(match self.0 {
            Method::Bounded => "bounded model checking: violations, for 16- and 32-bit data",
            Method::Induction => "k-induction: proofs",
            Method::Reachability => "property-directed reachability (IC3): proofs",
        })
    }

    fn attempts(&self, planned: &Planned<'_>) -> Vec<Attempt> {
        let share = match self.0 {
            Method::Bounded => is_wide(planned.model).then_some(BOUNDED_SHARE),
            Method::Induction => Some(INDUCTION_SHARE),
            Method::Reachability => Some(REACHABILITY_SHARE),
        };
        all_attempts(self.id(), planned, share)
    }

    fn claims(&self) -> Option<&dyn ClaimEngine> {
        Some(self.own_claims())
    }

    fn start<'e>(&self, question: &Question<'e>, task: Task) -> Search<'e, Answer> {
        match task.attempt.target {
            Target::Property(number, _) => property::start_by(self.own_claims(), question, (&task, number)),
            _ => start(self.id(), question, task, by_method(self.0)),
        }
    }
}

/// The shares beside the exact search, in thousandths of that, at first and beside a large search: of a
/// hunter, where data is wide and few steps may end in states that a search of single states does not
/// meet; and of proofs, which start where a search of single states takes long.
const BOUNDED_SHARE: [u32; 2] = [70, 250];
const INDUCTION_SHARE: [u32; 2] = [70, 150];
const REACHABILITY_SHARE: [u32; 2] = [100, 350];

/// Literals of solvers that take as long as a state of the exact search.
pub(super) const LITERALS: u64 = 4;

/// Bits from which on data is wide.
const WIDE: u8 = 16;

/// Whether a variable or a field of a message is wide.
pub(super) fn is_wide(model: &Model) -> bool {
    let locals = model.processes.iter().flat_map(|process| &process.locals);
    let variables = model.globals.iter().chain(locals).map(|variable| &variable.ty);
    let fields = model.records.iter().flat_map(|record| &record.fields).map(|field| &field.ty);
    let messages = model.shapes.iter().flat_map(|shape| &shape.fields);
    variables.chain(fields).chain(messages).any(holds_wide)
}

fn holds_wide(ty: &Type) -> bool {
    match ty {
        Type::Int(int, _) => int.bits >= WIDE,
        Type::Array(element, _) => holds_wide(element),
        // The fields of records are looked at on their own.
        Type::Record(_) | Type::Chan => false,
    }
}

/// The attempts at violations of states and steps, and at the properties.
pub(super) fn all_attempts(engine: EngineId, planned: &Planned<'_>, share: Option<[u32; 2]>) -> Vec<Attempt> {
    let mut all = attempts(engine, planned, share);
    if planned.config.option_beyond(engine).is_none() {
        if planned.config.engine == Some(engine) {
            all.extend(property::attempts_afterwards(engine, planned));
        }
        all.extend(property::attempts_beside(engine, planned, share));
    }
    all
}

/// The attempts at violations of states and steps of an engine that decides by formulas: all if it is
/// selected, otherwise one beside the exact search, if it has a share.
pub(super) fn attempts(engine: EngineId, planned: &Planned<'_>, share: Option<[u32; 2]>) -> Vec<Attempt> {
    let config = planned.config;
    // Which statements are reached is no question about bad states.
    let is_asked = config.wants_safety() && !config.checks.contains(&Check::Unreached);
    if !is_asked || config.option_beyond(engine).is_some() {
        return Vec::new();
    }
    planned.whole(engine, share).into_iter().collect()
}

/// An answer of a procedure, with its abstraction if it makes one.
pub(super) struct Decided {
    pub decision: Decision,
    pub abstraction: Option<AbstractionReport>,
}

impl From<Decision> for Decided {
    fn from(decision: Decision) -> Decided {
        Decided { decision, abstraction: None }
    }
}

/// Decides whether one of the bad conditions at these positions is reachable.
pub(super) type Decide<'e> =
    Box<dyn Fn(&Problem, &Relation, &[usize], &Limits, Poll<'_>) -> Decided + Send + 'e>;

fn by_method(method: Method) -> Decide<'static> {
    Box::new(move |problem, relation, bads, limits, poll| {
        prove::decide(problem, relation, bads, method, limits, poll).into()
    })
}

/// The search of an engine that decides in this way.
pub(super) fn start<'e>(
    engine: EngineId,
    question: &Question<'e>,
    task: Task,
    decide: Decide<'e>,
) -> Search<'e, Answer> {
    let (model, config, relations) = (question.searched, question.config, question.relations.clone());
    let stepper = question.code.stepper(model, config.step_options(), config.successors_for(model));
    let limits = Limits { states: None, errors: None, ..task.limits(config) };
    Box::new(move |monitor| {
        let mut ask = |beyond: Option<Stop>| {
            relations.ask(model, config, |lowered| {
                let asked = Asking { decide: &decide, config, limits, beyond };
                match config.arithmetic {
                    Arithmetic::WrapAround => asked.all(lowered.problem(model), &lowered.relation, monitor),
                    Arithmetic::Mathematical => asked.without_overflow(model, &lowered.relation, monitor),
                }
            })
        };
        let found = match ask(None) {
            // A violation may need few processes.
            Err(stop @ Stop::Processes(_)) => ask(Some(stop)),
            found => found,
        };
        let found = found.unwrap_or_else(|stop| Findings { stop: Some(stop), ..Findings::default() });
        let outcome = Outcome {
            depth: found.depth,
            found: found.violations.len() as u64,
            violations: found.violations,
            ..Outcome::nothing(Stop::NotApplicable, Vec::new())
        };
        let explored = Explored::new(Outcome { stop: found.stop, ..outcome }, "none");
        Answer::Led(Box::new(Led {
            order: Some("formulas"),
            // Formulas stand for all states.
            states: Some(Count::ZERO),
            proof: found.proof,
            certificate: found.certificate,
            abstraction: found.abstraction,
            engine,
            ..Led::new(explored, &stepper)
        }))
    })
}

/// The result of an engine.
#[derive(Default)]
struct Findings {
    violations: Vec<Violation>,
    stop: Option<Stop>,
    /// The length of the executions that were examined.
    depth: u64,
    /// The proof, in a sentence.
    proof: Option<String>,
    /// The invariant, as a certificate.
    certificate: Option<String>,
    /// The abstraction that was made last.
    abstraction: Option<AbstractionReport>,
}

impl Findings {
    /// Findings of a relation without overflows. Its invariant is none of the model.
    fn in_mathematical_arithmetic(
        mut self,
        model: &Model,
        relation: &Relation,
        monitor: &mut dyn Monitor,
    ) -> Findings {
        if self.proof.is_some() {
            let arithmetic = mathematical::overflow(model, relation, monitor);
            self.abstraction.get_or_insert_default().arithmetic = Some(arithmetic);
        }
        Findings { certificate: None, ..self }
    }
}

/// A question to an engine.
struct Asking<'a, 'e> {
    decide: &'a Decide<'e>,
    config: &'a Config,
    limits: Limits,
    /// Why executions with more processes than a relation has are left out; none if they are asked for.
    beyond: Option<Stop>,
}

impl Asking<'_, '_> {
    /// Decides the question for steps without an overflow.
    fn without_overflow(
        &self,
        model: &Model,
        relation: &Relation,
        monitor: &mut dyn Monitor,
    ) -> Asked<Findings> {
        let Some((problem, restricted)) = mathematical::restricted(model, relation) else {
            return Asked::Answer(Findings { stop: Some(Stop::NotApplicable), ..Findings::default() });
        };
        match self.all(&problem, &restricted, monitor) {
            Asked::Answer(found) => Asked::Answer(found.in_mathematical_arithmetic(model, relation, monitor)),
            Asked::Beyond => Asked::Beyond,
        }
    }

    /// Decides which faults a model has, up to as many as are asked for.
    fn all(&self, problem: &Problem, relation: &Relation, monitor: &mut dyn Monitor) -> Asked<Findings> {
        let mut decided = Findings::default();
        let ignored = self.config.ignored_kinds();
        let is_wanted = |cause: Cause| match cause {
            Cause::Fault { kind, .. } => !ignored.contains(&kind),
            Cause::Beyond => self.beyond.is_none(),
            Cause::Alarm { .. } | Cause::Cycle { .. } | Cause::Proposition { .. } => false,
        };
        let bads = problem.system.bads.iter().enumerate().filter(|(_, bad)| is_wanted(bad.cause));
        let mut open: Vec<usize> = bads.map(|(position, _)| position).collect();
        loop {
            let mut poll = |progress: axle_search::Progress| {
                decided.depth = decided.depth.max(progress.depth);
                monitor.worked(progress.transitions / LITERALS);
                monitor.watch(&Progress { transitions: 0, ..progress })
            };
            let answer = (self.decide)(problem, relation, &open, &self.limits, &mut poll);
            decided.abstraction = answer.abstraction.or(decided.abstraction);
            let stopped = |stop, decided| Asked::Answer(Findings { stop: Some(stop), ..decided });
            let trace = match (answer.decision, self.beyond) {
                (Decision::Unknown(stop), _) | (Decision::Holds(_), Some(stop)) => {
                    return stopped(stop, decided);
                }
                (Decision::Holds(invariant), None) => {
                    match checked(&problem.system, &open, &invariant, monitor) {
                        Ok(proof) => {
                            decided.proof = Some(proof);
                            decided.certificate =
                                Some(certificate::write(&problem.system, &open, &invariant));
                        }
                        Err(stop) => decided.stop = Some(stop),
                    }
                    return Asked::Answer(decided);
                }
                (Decision::Violated(trace), _) => trace,
            };
            let Ok(found) = problem.counterexample(relation, &trace) else {
                return stopped(Stop::Uncertified, decided);
            };
            let Cause::Fault { kind, pid, edge } = found.cause else { return Asked::Beyond };
            let path = Path { groups: &found.groups, states: &found.states };
            match relation.violation(path, FaultAt { kind, pid, edge }) {
                Ok(violation) => decided.violations.push(violation),
                Err(stop) => return stopped(stop, decided),
            }
            if self.config.limits.errors.is_some_and(|most| decided.violations.len() as u64 >= most) {
                return stopped(Stop::Errors, decided);
            }
            open.retain(|position| *position != trace.bad);
        }
    }
}

/// The proof in a sentence, if the checker accepts it.
pub(super) fn checked(
    system: &System,
    bads: &[usize],
    invariant: &Invariant,
    monitor: &mut dyn Monitor,
) -> Result<String, Stop> {
    let mut stop = None;
    let mut poll = |progress: axle_search::Progress| {
        stop = stop.or(monitor.watch(&progress));
        stop
    };
    match certificate::check_for(system, bads, invariant, &mut poll) {
        Ok(()) => {
            let depth = match invariant.depth {
                0 | 1 => String::new(),
                depth => format!(", inductive over {depth} steps"),
            };
            Ok(format!("invariant of {} clauses{depth}, checked", invariant.clauses.len()))
        }
        Err(_) => Err(stop.unwrap_or(Stop::Uncertified)),
    }
}
