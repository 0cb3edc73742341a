//! The second phase of a violated run: a search for a shorter execution.
//!
//! *Entry point:* [`shorter`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: errors are searched for again, for the shortest execution.
//! *Invariant:* the shorter execution violates the same property and was replayed. Of an extracted
//! model, it uses no row that adds behaviours to the program. Readers follow calls and events, so of two
//! executions of a C program the one with fewer of them is shorter, whatever its statements are.

use std::sync::Arc;

use axle_check::{Config, Verdict};
use axle_evidence::run_trail::read_any;
use axle_evidence::trace::{Note, NoteKind, TraceStep};
use axle_model::Model;
use axle_refinement::Shorten;
use axle_search::Monitor;
use axle_tabled::Origin;

use super::deadline::Deadline;
use super::system::{Act, with_system};
use super::{Control, Outcome, Witness, least, told};
use crate::prepare::{Options, Run};
use crate::project::Limits;

/// The reason of a result without a shorter execution.
const NONE: &str = "no shorter execution was found";

pub(super) fn shorter(
    run: &Run,
    found: u8,
    first: &Witness,
    limits: &Limits,
    control: &mut Control,
) -> Outcome {
    let elapsed = Arc::clone(&control.elapsed);
    let memory = least(run.options.limits.memory, limits.memory);
    let options = Options { limits: Limits { memory, time: limits.time, workers: None }, ..run.options };
    let mut deadline = Deadline { control, limit: limits.time, extended: true };
    let witness = with_system(run, &options, found, Shorter { first, deadline: &mut deadline });
    let mut outcome = Outcome::without_search(run.name.clone(), run.key.hash.clone());
    outcome.cycle = found;
    (outcome.next, outcome.cause) = (None, None);
    outcome.seconds = elapsed().as_secs_f64();
    match witness {
        Ok(Some(witness)) if length(&witness) < length(first) => {
            (outcome.verdict, outcome.reason, outcome.witness) =
                (Verdict::Violated, None, Some(told(run, witness)));
        }
        Ok(_) => outcome.reason = Some(NONE.to_string()),
        Err(fault) => outcome.reason = Some(format!("{NONE}: {fault}")),
    }
    outcome
}

/// The length of an execution for a reader: the calls and inputs of a C program, and then the steps.
fn length(witness: &Witness) -> (usize, u64) {
    let is_input = |note: &&Note| note.kind == NoteKind::Input;
    let of = |step: &TraceStep| step.calls.len() + step.notes.iter().filter(is_input).count();
    (witness.trace.steps.iter().map(of).sum(), witness.violation.depth)
}

/// Searches for a shorter execution than the first one.
struct Shorter<'a, 'd> {
    first: &'a Witness,
    deadline: &'a mut Deadline<'d>,
}

impl Shorter<'_, '_> {
    fn of_system<S: Shorten>(&mut self, system: &S, config: &Config) -> Result<Option<Witness>, String> {
        let trail = read_any(&self.first.trail).map_err(|fault| fault.to_string())?;
        let shorter = system.shorter(config, (&trail, &self.first.violation), self.deadline)?;
        Ok(shorter.map(Witness::from))
    }
}

impl Act for Shorter<'_, '_> {
    type Result = Result<Option<Witness>, String>;

    fn model(mut self, model: &Arc<Model>, config: &Config, origin: Option<&Origin>) -> Self::Result {
        let shorter = self.of_system(model, config)?;
        let Some((mut witness, origin)) = shorter.clone().zip(origin) else { return Ok(shorter) };
        let Witness { violation, trace, .. } = &mut witness;
        let admitted = origin.admits(model, violation, trace, config.fairness, &self.deadline.interrupt());
        Ok(admitted.ok().map(|()| witness))
    }

    fn program(mut self, program: &axle_check::Subject<'_>, config: &Config, _: &str) -> Self::Result {
        self.of_system(program, config)
    }
}

#[cfg(test)]
mod tests {
    use axle_evidence::report::ViolationReport;
    use axle_evidence::trace::{Call, Mover, Trace};

    use super::*;

    /// An execution with a step for each number: that of its calls.
    fn witness(calls: &[usize]) -> Witness {
        let step = |(number, calls): (u64, &usize)| {
            let by = Mover { pid: 0, process: "main(0)".into(), place: None, statement: "s".into() };
            let call = Call { function: "f".into(), arguments: Vec::new() };
            TraceStep { calls: vec![call; *calls], ..TraceStep::of(number, by) }
        };
        let violation = ViolationReport {
            property: "p".into(),
            kind: "formula".into(),
            message: "m".into(),
            process: None,
            place: None,
            statement: None,
            depth: calls.len() as u64,
            count: 1,
            details: Vec::new(),
            path: Vec::new(),
            cycle: None,
            attempt: None,
            rows: Vec::new(),
        };
        Witness {
            violation,
            trace: Trace::of((1..).zip(calls).map(step).collect()),
            trail: String::new(),
            replayed: true,
        }
    }

    #[test]
    fn fewer_calls_are_shorter_than_fewer_statements() {
        assert!(length(&witness(&[1, 0, 0, 0])) < length(&witness(&[1, 1])));
        assert!(length(&witness(&[1, 0])) < length(&witness(&[1, 0, 0])));
        assert_eq!(length(&witness(&[0, 0])), (0, 2), "a model has no calls");
    }
}
