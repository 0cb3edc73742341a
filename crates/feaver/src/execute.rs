//! Executes one cycle of a run.
//!
//! Cycles 0 to 6 are rough searches of 1, 2, 4, ..., 64 seconds: nested depth-first search with
//! bitstate hashing, whose array and number of hash functions grow. Cycle 7 is the exact check. Under
//! a fairness assumption, and for C programs, a rough search is an exact one that ends early, because
//! no lossy search exists.
//!
//! *Entry point:* [`execute`].
//! *Source:* G. J. Holzmann and M. H. Smith, "An Automated Verification Method for Distributed
//! Systems Software Based on Model Extraction", IEEE TSE 28(4), 2002: iterative search refinement.
//! *Invariant:* *holds* is the result of an exact search that ended by itself; *violated* has a
//! replayed witness.

use std::sync::Arc;
use std::time::Duration;

use answer::{all_rows, outcome, row};
use axle_check::plan::Attempt;
use axle_check::{Executed, Execution};
use axle_evidence::report::{Verdict, ViolationKind};
use axle_evidence::trace::Trace;
use axle_question::account::of_timeline;
use deadline::Deadline;
use system::{Plan, Search, Searched, with_system};

use crate::prepare::footprint::Footprint;
use crate::prepare::{Options, Run, Subject};
use crate::project::Limits;

pub use crate::results::outcome::{Certificate, Coverage, Disagreement, MachineAnswer, Outcome, Witness};

mod answer;
mod configuration;
mod deadline;
mod replayed;
mod second;
mod system;
mod together;

pub(crate) use configuration::fairness;
pub use configuration::{EXACT, subject};
pub use deadline::Control;
pub use replayed::replayed;

/// The time that a cycle may take; `exact` is the limit of the exact check.
#[must_use]
pub fn time_of(cycle: u8, exact: Option<Duration>) -> Option<Duration> {
    match cycle {
        EXACT.. => exact,
        _ => Some(Duration::from_secs(1 << cycle)).map(|rough| exact.map_or(rough, |exact| exact.min(rough))),
    }
}

/// Executes a cycle of a run within limits on memory and time, in addition to those of the run.
/// Cycles above [`EXACT`] are exact.
pub fn execute(run: &Run, cycle: u8, limits: &Limits, control: &mut Control) -> Outcome {
    execute_logged(run, cycle, limits, control).0
}

/// The same with the attempts that were executed.
pub fn execute_logged(
    run: &Run,
    cycle: u8,
    limits: &Limits,
    control: &mut Control,
) -> (Outcome, Vec<Executed>) {
    let elapsed = Arc::clone(&control.elapsed);
    let exact = least(run.options.limits.time, limits.time);
    let memory = least(run.options.limits.memory, limits.memory);
    let options = Options { limits: Limits { memory, time: exact, ..run.options.limits }, ..run.options };
    let together = together::answer(run, &options, cycle, control).map(Searched::from);
    let mut deadline = Deadline { control, limit: time_of(cycle, exact), extended: false };
    let Searched { report, witness, taken, attempts, certificate } = together.unwrap_or_else(|| {
        with_system(run, &options, cycle, Search { property: &run.property, deadline: &mut deadline })
    });
    let own = match &run.subject {
        Subject::Model(model) | Subject::Extracted(model, _) => row(&report, &model.properties[0].name),
        Subject::Program(_, formula) => row(&report, &formula.name),
        Subject::Safety(_) => Some(all_rows(&report)),
    };
    let witness = witness.map(|witness| told(run, witness));
    let mut outcome = outcome(run, cycle, own, report, witness);
    if let (Verdict::Holds, Some(taken), Subject::Program(loaded, formula)) =
        (outcome.verdict, taken, &run.subject)
    {
        outcome.footprint = Footprint::new(&loaded.program, formula, &taken);
        outcome.functions = executed_functions(&loaded.program, &taken);
    }
    let is_proof = outcome.verdict == Verdict::Holds;
    outcome.certificate = certificate.filter(|found| is_proof && found.is_kept());
    outcome.seconds = elapsed().as_secs_f64();
    (outcome, attempts)
}

/// The attempts of a cycle of a run.
#[must_use]
pub fn plan(run: &Run, cycle: u8) -> Vec<Attempt> {
    with_system(run, &run.options, cycle, Plan)
}

/// The names of the functions of which a step was executed, each once.
fn executed_functions(program: &axle_c::Program, taken: &[Vec<bool>]) -> Vec<String> {
    let executed = program.codes.iter().zip(taken).filter(|(_, steps)| steps.contains(&true));
    let names: std::collections::BTreeSet<String> = executed.map(|(code, _)| code.name.to_string()).collect();
    names.into_iter().collect()
}

/// Searches for a shorter execution than `first`, which violates the property of a run and was found in
/// cycle `found`. The result is *violated* with the shorter execution, or *unknown*.
#[must_use]
pub fn shorter(run: &Run, found: u8, first: &Witness, limits: &Limits, control: &mut Control) -> Outcome {
    second::shorter(run, found, first, limits, control)
}

/// The stricter of two limits.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl From<Execution> for Witness {
    fn from(found: Execution) -> Witness {
        let Execution { violation, trace, trail } = found;
        Witness { violation, trace, trail: trail.text(), replayed: true }
    }
}

/// The execution of a run in the terms of its property: of a timeline, by its marks.
fn told(run: &Run, witness: Witness) -> Witness {
    let Some(line) = run.timeline.as_ref().filter(|_| witness.violation.kind == ViolationKind::Formula)
    else {
        return witness;
    };
    let Some(told) = of_timeline(line, &witness.trace) else { return witness };
    let Witness { mut violation, trace, trail, replayed } = witness;
    violation.message = format!("timeline {} violated: {}", run.property, told.account.sentence);
    Witness { violation, trace: Trace { account: Some(told.account), ..trace }, trail, replayed }
}
