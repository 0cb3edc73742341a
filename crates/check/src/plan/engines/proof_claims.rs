//! Executions that claims accept, by formulas: a claim is reduced to bad states ([`Acceptance`]), and the
//! methods for bad states decide it.
//!
//! *Entry points:* [`ProofClaims`], [`by_bad_states`].
//! *Invariant:* "holds" is concluded from a checked invariant that excludes closed loops, and from another
//! one that excludes states for which the reduction does not apply: a sequence that blocks or does not end,
//! and processes beyond those of the relation.

use axle_decide::answer::Answer as Decision;
use axle_decide::certificate::{self, ClaimPart};
use axle_decide::circuit::Trace;
use axle_decide::external::Cycles;
use axle_decide::model::{Acceptance, Observed, Problem};
use axle_decide::prove;
use axle_decide::prove::Method;
use axle_decide::system::{Cause, System};
use axle_decide::watch::Poll;
use axle_evidence::lasso::SystemRun;
use axle_outcome::AtomFault;
use axle_question::EngineId;
use axle_relation::Relation;
use axle_search::{Fairness, Finding, Lasso, Limits, LivenessOutcome, Monitor, Prefix, Stop};

use crate::judgement::runs::{ClaimEngine, ClaimQuestion, ClaimResult};
use crate::plan::engines::proofs::{Decide, LITERALS, checked};
use crate::plan::engines::relation_sizes::{Asked, with_claim};

/// An engine that decides claims by a method for bad states.
pub(super) struct ProofClaims(pub EngineId, pub Method);

impl ClaimEngine for ProofClaims {
    fn id(&self) -> EngineId {
        self.0
    }

    fn store(&self) -> &'static str {
        "none"
    }

    fn search(&self, question: &ClaimQuestion<'_>, monitor: &mut dyn Monitor) -> Result<ClaimResult, String> {
        by_bad_states(self.0, &By::Method(self.1), question, monitor)
    }
}

/// How bad states are excluded.
pub(super) enum By<'d> {
    Method(Method),
    /// By a process for all, and first by one that reads justice conditions.
    Process {
        decide: Decide<'d>,
        lassos: Option<Lassos<'d>>,
    },
}

/// Looks for executions that satisfy the justice condition of a system.
pub(super) type Lassos<'d> = Box<dyn Fn(&System, &Limits, Poll<'_>) -> Result<Cycles, Stop> + Send + 'd>;

/// Decides a claim by bad states.
pub(super) fn by_bad_states(
    engine: EngineId,
    by: &By<'_>,
    question: &ClaimQuestion<'_>,
    monitor: &mut dyn Monitor,
) -> Result<ClaimResult, String> {
    if question.fairness == Fairness::Strong {
        return Err(format!("the engine {engine} does not support strong fairness"));
    }
    let found = with_claim(question, |relation| decide(by, question, relation, monitor));
    found.unwrap_or_else(|stop| Ok(Decided::default().result(question, Some(stop))))
}

/// The parts of an answer.
#[derive(Default)]
struct Decided {
    finding: Option<(Finding, SystemRun)>,
    faults: Vec<(AtomFault, SystemRun)>,
    proof: Option<String>,
    /// The invariants that were accepted.
    parts: Vec<ClaimPart>,
    depth: u64,
}

impl Decided {
    fn result(self, question: &ClaimQuestion<'_>, stop: Option<Stop>) -> ClaimResult {
        let (finding, run) = self.finding.unzip();
        let (faults, fault_runs) = self.faults.into_iter().unzip();
        let nothing = LivenessOutcome::nothing(question.claim, Stop::NotApplicable);
        let outcome = LivenessOutcome { finding, faults, stop, ..nothing };
        let proof = self.proof.filter(|_| stop.is_none());
        let parts = if stop.is_none() { self.parts } else { Vec::new() };
        let fault_runs = Some(fault_runs);
        ClaimResult { outcome, run, fault_runs, states: None, proof, parts, is_covered: false }
    }
}

/// Why a search for a claim ends without a proof.
enum End {
    /// A step would create more processes than the relation has.
    Beyond,
    /// The reduction to bad states does not apply.
    Refused(&'static str),
    /// An execution was found.
    Found,
    /// It was stopped.
    Open(Stop),
}

/// The result of an attempt to exclude bad states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Excluded {
    /// None is reachable.
    All,
    /// The signals hold in more rounds than were counted.
    NotAll,
    /// The work of the attempt is used up.
    Spent,
}

/// The search for an execution that a claim accepts.
struct Search<'a> {
    by: &'a By<'a>,
    question: &'a ClaimQuestion<'a>,
    relation: &'a Relation,
    limits: Limits,
    decided: Decided,
    monitor: &'a mut dyn Monitor,
}

/// Decides a claim.
fn decide(
    by: &By<'_>,
    question: &ClaimQuestion<'_>,
    relation: &Relation,
    monitor: &mut dyn Monitor,
) -> Asked<Result<ClaimResult, String>> {
    let limits = Limits { states: None, errors: None, ..question.config.limits };
    let mut search = Search { by, question, relation, limits, decided: Decided::default(), monitor };
    let ended = search.run().err();
    let decided = search.decided;
    Asked::Answer(match ended {
        Some(End::Beyond) => return Asked::Beyond,
        Some(End::Refused(reason)) => Err(reason.to_string()),
        Some(End::Open(stop)) => Ok(decided.result(question, Some(stop))),
        Some(End::Found) | None => Ok(decided.result(question, None)),
    })
}

/// Polls of the first attempts of property-directed reachability and of bounded model checking, and the
/// length of the first lassos. Further attempts have twice as many.
const FIRST_PROOF: u64 = 1_000;
const FIRST_LASSOS: u64 = 20;
const FIRST_DEPTH: u64 = 8;

/// Polls of a process for an invariant or a trace after an answer without evidence: about five seconds.
const EVIDENCE: u64 = 250;

/// The most rounds that are counted.
const MOST_ROUNDS: u32 = 1 << 20;

impl Search<'_> {
    fn run(&mut self) -> Result<(), End> {
        let loops = self.reduced(Acceptance::Loops)?;
        let method = match self.by {
            By::Method(method) => *method,
            By::Process { .. } => Method::Induction,
        };
        match self.by {
            By::Method(Method::Reachability) => self.by_rounds(&loops)?,
            By::Process { lassos: Some(lassos), .. } => self.by_justice(lassos, &loops)?,
            By::Method(_) | By::Process { lassos: None, .. } => {
                self.exclude(&loops, Cause::is_accepting, method, None)?;
            }
        }
        self.exclude(&loops, Cause::is_obstacle, method, None)?;
        Ok(())
    }

    /// Excludes more and more rounds of the signals, and looks for lassos in between.
    fn by_rounds(&mut self, loops: &Reduced) -> Result<(), End> {
        let (mut rounds, mut proof) = (1, FIRST_PROOF);
        let (mut lassos, mut depth) = (FIRST_LASSOS, FIRST_DEPTH);
        let limits = self.limits;
        loop {
            let counted = self.reduced(Acceptance::Rounds(rounds))?;
            let excluded = self.exclude(&counted, Cause::is_accepting, Method::Reachability, Some(proof))?;
            if excluded == Excluded::All {
                return Ok(());
            }
            self.limits.depth = Some(limits.depth.map_or(depth, |most| most.min(depth)));
            let excluded = self.exclude(loops, Cause::is_accepting, Method::Bounded, Some(lassos))?;
            self.limits = limits;
            if excluded == Excluded::All {
                return Ok(());
            }
            rounds = rounds.saturating_mul(2).min(MOST_ROUNDS);
            (proof, lassos) = (proof.saturating_mul(2), lassos.saturating_mul(2));
            depth = depth.saturating_mul(2);
        }
    }

    /// Asks for lassos by justice conditions. An answer without evidence does not count; loops are excluded by
    /// bad states then, where that does not take long.
    fn by_justice(&mut self, lassos: &Lassos<'_>, loops: &Reduced) -> Result<(), End> {
        let justice = self.reduced(Acceptance::Justice)?;
        let system = &justice.problem.system;
        let monitor = &mut *self.monitor;
        let mut poll = |progress: axle_search::Progress| {
            monitor.worked(progress.transitions / LITERALS);
            monitor.watch(&axle_search::Progress { transitions: 0, ..progress })
        };
        let is_claimed = match lassos(system, &self.limits, &mut poll).map_err(End::Open)? {
            Cycles::Lasso(steps) => match loops.problem.closed(system, &steps) {
                Some(trace) => return self.reached(&loops.problem, &trace),
                None => true,
            },
            Cycles::Exist | Cycles::None => true,
            Cycles::Unknown => false,
        };
        let most = is_claimed.then_some(EVIDENCE);
        match self.exclude(loops, Cause::is_accepting, Method::Induction, most) {
            Ok(Excluded::All) => Ok(()),
            Err(End::Open(Stop::NotApplicable | Stop::Time | Stop::Memory)) | Ok(_) if is_claimed => {
                Err(End::Open(Stop::Uncertified))
            }
            Ok(_) => Err(End::Open(Stop::NotApplicable)),
            Err(end) => Err(end),
        }
    }

    fn is_fair(&self) -> bool {
        self.question.fairness != Fairness::None
    }

    fn reduced(&self, acceptance: Acceptance) -> Result<Reduced, End> {
        let problem = reduced(self.question, self.relation, acceptance);
        Ok(Reduced { acceptance, problem: problem.ok_or(End::Open(Stop::NotApplicable))? })
    }

    /// Excludes the bad states of these causes, within a number of polls.
    fn exclude(
        &mut self,
        Reduced { acceptance, problem }: &Reduced,
        wanted: fn(Cause) -> bool,
        method: Method,
        most: Option<u64>,
    ) -> Result<Excluded, End> {
        let mut left = most.unwrap_or(u64::MAX);
        let mut open = positions(problem, wanted);
        loop {
            let (monitor, deepest) = (&mut *self.monitor, &mut self.decided.depth);
            let mut poll = |progress: axle_search::Progress| {
                *deepest = (*deepest).max(progress.depth);
                left = left.saturating_sub(1);
                monitor.worked(progress.transitions / LITERALS);
                let stop = monitor.watch(&axle_search::Progress { transitions: 0, ..progress });
                stop.or((left == 0).then_some(Stop::States))
            };
            let (relation, limits) = (self.relation, &self.limits);
            let decision = match self.by {
                By::Method(_) => prove::decide(problem, relation, &open, method, limits, &mut poll),
                By::Process { decide, .. } => decide(problem, relation, &open, limits, &mut poll).decision,
            };
            match decision {
                Decision::Unknown(Stop::States) if left == 0 => return Ok(Excluded::Spent),
                // The proof has no such limit.
                Decision::Unknown(Stop::Depth) if most.is_some() && method == Method::Bounded => {
                    return Ok(Excluded::Spent);
                }
                Decision::Unknown(stop) => return Err(End::Open(stop)),
                Decision::Holds(invariant) => {
                    let proof = checked(&problem.system, &open, &invariant, self.monitor);
                    self.decided.proof.get_or_insert(proof.map_err(End::Open)?);
                    let text = certificate::write(&problem.system, &open, &invariant);
                    self.decided.parts.push(ClaimPart { acceptance: *acceptance, text });
                    return Ok(Excluded::All);
                }
                Decision::Violated(trace) => {
                    let cause = problem.system.bads[trace.bad].cause;
                    if matches!(cause, Cause::Cycle { .. }) && !problem.closes_loops() {
                        return Ok(Excluded::NotAll);
                    }
                    self.reached(problem, &trace)?;
                    open.retain(|position| problem.system.bads[*position].cause != cause);
                }
            }
        }
    }

    /// Notes an execution to a bad state. It ends the search unless it leads to a proposition without a
    /// value.
    fn reached(&mut self, problem: &Problem, trace: &Trace) -> Result<(), End> {
        let execution = problem.execution(self.relation, trace, self.is_fair());
        let execution = execution.map_err(|_| End::Open(Stop::Uncertified))?;
        let steps = self.relation.positions(&execution.steps).map_err(End::Open)?;
        let run = SystemRun { steps, cycle: execution.cycle, claim: Vec::new() };
        let prefix = Prefix { start: 0, steps: Vec::new() };
        match problem.system.bads[trace.bad].cause {
            Cause::Beyond => return Err(End::Beyond),
            Cause::Fault { .. } => return Err(End::Refused("a sequence blocks or does not end")),
            Cause::Proposition { atom, kind, .. } => {
                self.decided.faults.push((AtomFault { kind, atom, prefix }, run));
                return Ok(());
            }
            Cause::Alarm { .. } => self.decided.finding = Some((Finding::ClaimEnd(prefix, 0), run)),
            Cause::Cycle { .. } => self.decided.finding = Some((Finding::Cycle(Lasso::default()), run)),
        }
        Err(End::Found)
    }
}

/// A model with the monitor of a claim.
struct Reduced {
    acceptance: Acceptance,
    problem: Problem,
}

/// The model with the monitor of the claim of a question; none if the relation has no conditions of it.
pub(crate) fn reduced(
    question: &ClaimQuestion<'_>,
    relation: &Relation,
    acceptance: Acceptance,
) -> Option<Problem> {
    let (claim, conditions) = (question.claim, relation.claim.as_ref()?);
    let observed = [Observed { name: "claim", claim, conditions }];
    let is_fair = question.fairness != Fairness::None;
    Some(Problem::with_claims(question.model, relation, &observed, acceptance, is_fair))
}

/// The positions of bad states by their causes.
fn positions(problem: &Problem, wanted: fn(Cause) -> bool) -> Vec<usize> {
    let bads = problem.system.bads.iter().enumerate();
    bads.filter(|(_, bad)| wanted(bad.cause)).map(|(position, _)| position).collect()
}
