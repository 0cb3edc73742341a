//! Prepares and executes the jobs of a worker.
//!
//! The project of a job is read from its inputs, which are in memory, and prepared as the driver has
//! prepared it. Jobs of a round share the project and its compiled programs.
//!
//! *Entry point:* [`Workshop`], an [`Executor`].
//! *Invariant:* a job is executed only if the run that was prepared has the key of the job, and was
//! prepared by the same build of Axle.

use std::time::Duration;

use axle_evidence::quantities::counted;

use crate::execute::{Control, EXACT, Outcome, Witness, execute, replayed, shorter};
use crate::jobs::task::{Step, Task};
use crate::prepare::{Prepared, Run, Selection, prepare};
use crate::project::{Limits, load_folder};
use crate::results::key::Hash;
use crate::results::ledger::Kept;
use crate::round::inputs::Inputs;
use crate::round::payload::Payload;
use crate::round::source::{Work, WorkError, WorkSource};
use crate::round::worker::{Executor, Failure, SECOND_PHASE};

/// Executes the jobs of a worker.
pub struct Workshop {
    build: String,
    memory: Option<u64>,
    prepared: Option<(Hash, Prepared)>,
}

impl Workshop {
    /// A workshop of this build of Axle. `memory` is the limit of each search.
    #[must_use]
    pub fn new(build: String, memory: Option<u64>) -> Workshop {
        Workshop { build, memory, prepared: None }
    }

    /// The result of another worker, with its execution replayed on the run as it is prepared here.
    ///
    /// # Errors
    /// The execution does not show what the result says, or in the second phase is not shorter.
    pub fn confirm(
        &mut self,
        task: Task,
        payload: &Payload,
        source: &dyn WorkSource,
        outcome: Outcome,
    ) -> Result<Outcome, Failure> {
        let run = self.run(payload, source)?;
        let mut outcome = replayed(run, outcome).map_err(Failure::Failed)?;
        if !matches!(task.step, Step::SecondPhase { .. }) {
            outcome.likeliest = None;
        }
        if let (Step::SecondPhase { .. }, Some(witness)) = (task.step, &outcome.witness) {
            let first = first_witness(payload, source)?.extent();
            let own = witness.extent();
            if own >= first {
                let (unit, own, first) = own.compared(&first);
                let (own, first) = (counted(own, unit), counted(first, unit));
                let message = format!("the execution has {own}, and the first one has {first}");
                return Err(Failure::Failed(message));
            }
        }
        Ok(outcome)
    }

    /// The run of a job.
    fn run(&mut self, payload: &Payload, source: &dyn WorkSource) -> Result<&Run, Failure> {
        if payload.build != self.build {
            let message = format!(
                "the round was started by another build of Axle ({}) than that of this worker ({})",
                payload.build, self.build
            );
            return Err(Failure::Unsuitable(message));
        }
        if self.prepared.as_ref().is_none_or(|(inputs, _)| *inputs != payload.inputs) {
            let fetched = Inputs::fetch(payload.inputs, |hash| source.input(hash));
            let folder = fetched.map_err(|fault| match fault {
                WorkError::Refused(reason) => Failure::Failed(reason),
                fault => Failure::Source(fault),
            })?;
            self.prepared = None;
            let prepared = prepare(load_folder(&folder), &Selection::default());
            self.prepared = Some((payload.inputs, prepared));
        }
        let prepared = self.prepared.as_ref().map(|(_, prepared)| prepared);
        let own = prepared.and_then(|prepared| {
            let mut runs = prepared.runs.iter();
            runs.find(|run| run.property == payload.property && run.constraint == payload.constraint)
        });
        let Some(run) = own else {
            let error = prepared.and_then(|prepared| prepared.diagnostics.iter().next());
            let why = error.map_or_else(String::new, |error| format!(": {}", error.message));
            return Err(Failure::Failed(format!("the inputs have no run {}{why}", payload.name())));
        };
        if run.key.hash != payload.key.hash {
            let changed = run.key.changed(&payload.key).join(", ");
            let message = format!("the prepared run {} differs from that of the job: {changed}", run.name);
            return Err(Failure::Failed(message));
        }
        Ok(run)
    }
}

impl Executor for Workshop {
    fn execute(
        &mut self,
        work: &Work,
        source: &dyn WorkSource,
        control: &mut Control,
    ) -> Result<Outcome, Failure> {
        let memory = self.memory;
        let run = self.run(&work.payload, source)?;
        // Preparation does not count.
        let begun = (control.elapsed)();
        let elapsed = std::sync::Arc::clone(&control.elapsed);
        control.elapsed = std::sync::Arc::new(move || elapsed().saturating_sub(begun));
        let limits = |time: Option<Duration>| Limits { memory, time, workers: None };
        match work.task.step {
            Step::Cycle(cycle) => Ok(execute(run, cycle, &limits(None), control)),
            Step::Recheck { .. } => Ok(execute(run, EXACT, &limits(None), control)),
            Step::SecondPhase { found } => {
                let first = first_witness(&work.payload, source)?;
                Ok(shorter(run, found, &first, &limits(Some(SECOND_PHASE)), control))
            }
        }
    }
}

/// The execution that the first phase found.
fn first_witness(payload: &Payload, source: &dyn WorkSource) -> Result<Witness, Failure> {
    let hash = payload.first.ok_or_else(|| Failure::Failed("the job names no execution".to_string()))?;
    let content = source.input(hash).map_err(Failure::Source)?;
    let kept: Option<Kept> =
        (Hash::of(&content) == hash).then(|| serde_json::from_slice(&content).ok()).flatten();
    let witness = kept.and_then(|kept| kept.outcome.witness);
    witness.ok_or_else(|| Failure::Failed("the first execution cannot be read".to_string()))
}
