//! Mathematical arithmetic: a relation without the steps that overflow, and the question whether there are any.
//!
//! *Entry points:* [`restricted`], [`overflow`].
//! *Invariant:* where no step overflows, the restricted relation has the executions of the model.

use axle_abstract::arithmetic::{mathematical, with_overflows};
use axle_decide::answer::Answer;
use axle_decide::model::Problem;
use axle_decide::prove::{self, Method};
use axle_decide::system::Cause;
use axle_evidence::report::ArithmeticReport;
use axle_model::Model;
use axle_outcome::{FaultKind, Limits};
use axle_relation::Relation;
use axle_search::{Monitor, Progress, Stop};

use super::abstract_course::Names;
use super::proofs::{LITERALS, checked};

/// The most work on the question whether a step overflows, in literals: in most models, a counter needs too
/// many steps.
const MOST_WORK: u64 = 1_000_000;

/// The relation without steps that overflow, as a problem; none if a result may need more than 64 bits.
pub(crate) fn restricted(model: &Model, relation: &Relation) -> Option<(Problem, Relation)> {
    let relation = mathematical(relation)?;
    Some((Problem::new(model, &relation), relation))
}

/// Whether a step overflows.
pub(super) fn overflow(model: &Model, relation: &Relation, monitor: &mut dyn Monitor) -> ArithmeticReport {
    let open = ArithmeticReport { mode: "mathematical".to_string(), ..ArithmeticReport::default() };
    let Some(relation) = with_overflows(relation) else { return open };
    let problem = Problem::new(model, &relation);
    let is_overflow =
        |cause: Cause| matches!(cause, Cause::Fault { kind: FaultKind::Truncation, .. } | Cause::Beyond);
    let bads = problem.system.bads.iter().enumerate().filter(|(_, bad)| is_overflow(bad.cause));
    let bads: Vec<usize> = bads.map(|(position, _)| position).collect();
    let mut poll = |progress: Progress| {
        monitor.worked(progress.transitions / LITERALS);
        let stop = monitor.watch(&Progress { transitions: 0, ..progress });
        stop.or((progress.transitions > MOST_WORK).then_some(Stop::Time))
    };
    let limits = Limits::default();
    match prove::decide(&problem, &relation, &bads, Method::Reachability, &limits, &mut poll) {
        Answer::Unknown(_) => open,
        Answer::Holds(invariant) => match checked(&problem.system, &bads, &invariant, monitor) {
            Ok(_) => ArithmeticReport { overflows: Some(false), ..open },
            Err(_) => open,
        },
        Answer::Violated(trace) => match problem.counterexample(&relation, &trace) {
            Ok(found) if found.cause != Cause::Beyond => {
                let names = Names::new(model, &relation);
                let Cause::Fault { pid, edge, .. } = found.cause else { return open };
                ArithmeticReport {
                    overflows: Some(true),
                    step: Some(found.groups.len() as u64 + 1),
                    statement: edge.and_then(|edge| names.edge(pid, edge)),
                    ..open
                }
            }
            Ok(_) | Err(_) => open,
        },
    }
}
