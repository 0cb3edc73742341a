//! The second phase of a violated run: searches for a shorter execution and for the likeliest one.
//!
//! *Entry point:* [`shorter`].
//! *Source:* G. J. Holzmann and M. H. Smith, "Automating Software Feature Verification", Bell Labs
//! Technical Journal 5(2), 2000: errors are searched for again, for the shortest execution and for the
//! most likely manifestation of the error.
//! *Invariant:* both executions violate the same property and were replayed. Of an extracted model, they
//! use no row that adds behaviours to the program. Readers follow events and calls, so of two executions
//! of a C program the one with fewer of them is shorter, whatever its statements are
//! ([`axle_evidence::trace::Extent`]).

use std::sync::Arc;
use std::time::Duration;

use axle_check::{Config, Execution, Verdict};
use axle_evidence::run_trail::read_any;
use axle_model::Model;
use axle_refinement::Shorten;
use axle_search::Monitor;
use axle_step::Interrupt;
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
    cycle: u8,
    first: &Witness,
    limits: &Limits,
    control: &mut Control,
) -> Outcome {
    let elapsed = Arc::clone(&control.elapsed);
    let memory = least(run.options.limits.memory, limits.memory);
    let options = Options { limits: Limits { memory, time: limits.time, workers: None }, ..run.options };
    // A search for a shorter execution leaves time for the other one.
    let limit = limits.time.map(|time| time * 2 / 3);
    let mut deadline = Deadline { control, limit, extended: true };
    let second = Second { first, likeliest_until: limits.time, deadline: &mut deadline };
    let found = with_system(run, &options, cycle, second);
    let mut outcome = Outcome::without_search(run.name.clone(), run.key.hash.clone());
    outcome.cycle = cycle;
    (outcome.next, outcome.cause) = (None, None);
    outcome.seconds = elapsed().as_secs_f64();
    let (shorter, likeliest) = match found {
        Ok(found) => found,
        Err(fault) => {
            outcome.reason = Some(format!("{NONE}: {fault}"));
            return outcome;
        }
    };
    match shorter {
        Some(witness) => {
            (outcome.verdict, outcome.reason, outcome.witness) =
                (Verdict::Violated, None, Some(told(run, witness)));
        }
        None => outcome.reason = likeliest.is_none().then(|| NONE.to_string()),
    }
    outcome.likeliest = likeliest.map(|witness| told(run, witness));
    outcome
}

/// The searches of the second phase.
struct Second<'a, 'd> {
    first: &'a Witness,
    /// The limit on time of both searches.
    likeliest_until: Option<Duration>,
    deadline: &'a mut Deadline<'d>,
}

/// The shorter execution and the likeliest one, if they were found.
type Found = (Option<Witness>, Option<Witness>);

impl Second<'_, '_> {
    /// `admits` says whether the program has an execution of its model.
    fn of_system<S: Shorten>(
        &mut self,
        system: &S,
        config: &Config,
        admits: impl Fn(Execution, &Interrupt) -> Option<Witness>,
    ) -> Result<Found, String> {
        let first = read_any(&self.first.trail).map_err(|fault| fault.to_string())?;
        let shorter = system.shorter(config, (&first, &self.first.violation), self.deadline)?;
        let interrupt = self.deadline.interrupt();
        let shorter = shorter.and_then(|shorter| {
            let trail = shorter.trail.clone();
            Some((admits(shorter, &interrupt)?, trail))
        });
        let shorter = shorter.filter(|(witness, _)| witness.extent() < self.first.extent());
        self.deadline.limit = self.likeliest_until;
        let mut known = vec![(&first, &self.first.violation)];
        known.extend(shorter.iter().map(|(witness, trail)| (trail, &witness.violation)));
        // The shortest one comes first: its cycle is the one to which the likeliest path is searched.
        known.reverse();
        // A fault of this search loses no shorter execution.
        let likeliest = system.likeliest(config, &known, self.deadline).ok().flatten();
        let interrupt = self.deadline.interrupt();
        let likeliest = likeliest.and_then(|likeliest| admits(likeliest, &interrupt)).filter(|likeliest| {
            let is_other = |known: &Witness| known.trace.steps != likeliest.trace.steps;
            is_other(self.first) && shorter.iter().all(|(known, _)| is_other(known))
        });
        Ok((shorter.map(|(witness, _)| witness), likeliest))
    }
}

impl Act for Second<'_, '_> {
    type Result = Result<Found, String>;

    fn model(mut self, model: &Arc<Model>, config: &Config, origin: Option<&Origin>) -> Self::Result {
        self.of_system(model, config, |execution, interrupt| {
            let mut witness = Witness::from(execution);
            let Some(origin) = origin else { return Some(witness) };
            let Witness { violation, trace, .. } = &mut witness;
            let admitted = origin.admits(model, violation, trace, config.fairness, interrupt);
            admitted.ok().map(|()| witness)
        })
    }

    fn program(mut self, program: &axle_check::Subject<'_>, config: &Config, _: &str) -> Self::Result {
        self.of_system(program, config, |execution, _| Some(Witness::from(execution)))
    }
}
