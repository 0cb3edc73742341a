//! The search for executions that a claim accepts, by workers that divide the states of the product.
//!
//! *Entry point:* [`DistributedClaims`].
//!
//! *Invariant:* an execution that one worker alone can report (the claim ends, its assertion fails, or a
//! proposition has no value) is searched for by this process alone once the workers have met it.

use axle_dist::{ClaimAnswer, Failure, Setup, search_claim};
use axle_explicit::lossy_runs;
use axle_explicit::successors::Tiered;
use axle_model::dump::fnv1a;
use axle_outcome::Count;
use axle_question::EngineId;
use axle_search::liveness::{self, LivenessOptions, Refused};
use axle_search::{Fairness, LivenessOutcome, Monitor, Reduction, Stop};
use axle_step::{Interpreter, Observer, Options};
use axle_store::NumberedSet;

use crate::judgement::checkpoint_labels::about;
use crate::judgement::run_report::fairness_name;
use crate::judgement::runs::{ClaimEngine, ClaimQuestion, ClaimResult};
use crate::plan::engines::distributed::assignment::{Assigned, Assignment, ClaimPart};
use crate::plan::engines::distributed::meeting::meet;
use crate::plan::engines::distributed::stop_of;

/// See the file.
pub(super) struct DistributedClaims;

impl ClaimEngine for DistributedClaims {
    fn id(&self) -> EngineId {
        EngineId::DISTRIBUTED
    }

    fn store(&self) -> &'static str {
        "tree"
    }

    fn leaves_event_traces(&self) -> bool {
        true
    }

    fn search(&self, question: &ClaimQuestion<'_>, monitor: &mut dyn Monitor) -> Result<ClaimResult, String> {
        let outcome = search_by_workers(question, monitor)?;
        let states = Some(Count::from(outcome.states));
        Ok(ClaimResult {
            outcome,
            run: None,
            fault_runs: None,
            states,
            proof: None,
            parts: Vec::new(),
            is_covered: true,
        })
    }
}

/// Searches with the workers of this process and of those that it meets.
pub(super) fn search_by_workers(
    question: &ClaimQuestion<'_>,
    mut monitor: &mut dyn Monitor,
) -> Result<LivenessOutcome, String> {
    let ClaimQuestion { model, config, claim, atoms, fairness } = *question;
    if fairness == Fairness::Strong {
        return Err("strong fairness is searched by one process only: leave out --workers".to_string());
    }
    let options = Options { movers: fairness != Fairness::None, ..config.step_options() };
    let mut stepper = Tiered::new(model, options, config.successors_for(model));
    let interpreter = Interpreter::new(std::sync::Arc::clone(model), options);
    let workers = config.threads.max(1);
    let mut forks: Vec<(Tiered, Observer)> =
        (0..workers).map(|_| (stepper.fork(), Observer::new(&interpreter, atoms.to_vec()))).collect();
    let searched = LivenessOptions {
        fairness,
        algorithm: config.algorithm,
        shorten: config.shortest,
        limits: config.limits,
        ..LivenessOptions::default()
    };
    let part = ClaimPart { claim, atoms, fairness };
    let assignment = Assignment { model, graph: Reduction::None, config, workers, claim: Some(part) };
    let sum = fnv1a(format!("{claim:?}{atoms:?}").bytes());
    let common = format!(
        "{}workers {workers}\nstates {:?}\nclaim {sum:016x}\nfairness {}\n",
        about(model, config, Reduction::None).levels,
        config.limits.states,
        fairness_name(fairness),
    );
    let memory = config.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    let answer = meet(config.gang.as_ref(), &common, &assignment, monitor).and_then(|peers| {
        let setup = Setup { peers, memory, ..Setup::default() };
        search_claim(&mut forks, claim, setup, &searched, monitor)
    });
    match answer {
        Ok(ClaimAnswer::Outcome(outcome)) => Ok(*outcome),
        Ok(ClaimAnswer::Refused(refused)) => Err(refusal(&refused)),
        Ok(ClaimAnswer::NeedsSequentialRerun) => {
            drop(forks);
            let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
            let Ok(mut set) = NumberedSet::packed(liveness::width(&stepper), limit, true) else {
                return Ok(lossy_runs::nothing(claim));
            };
            let mut observer = Observer::new(&interpreter, atoms.to_vec());
            liveness::search(&mut stepper, &mut observer, claim, &mut set, &searched, &mut monitor)
                .map_err(|refused| refusal(&refused))
        }
        Err(failure) => Ok(LivenessOutcome::nothing(claim, lost(&failure))),
    }
}

/// A search for executions has no level log.
fn lost(failure: &Failure) -> Stop {
    stop_of(failure, false)
}

fn refusal(refused: &Refused) -> String {
    match refused {
        Refused::Claim(fault) => format!("its automaton is not well formed: {fault:?}"),
        Refused::Atoms => "its automaton has more propositions than are observed".to_string(),
        Refused::Sets | Refused::Fairness => "a search by workers does not support it".to_string(),
        Refused::Movers => {
            "fairness needs the processes that move in each step, and they are unknown".to_string()
        }
    }
}

/// The outcome of a member of a search, which it does not report.
pub(super) fn take_part(assigned: &Assigned, monitor: &mut dyn Monitor) -> Option<LivenessOutcome> {
    let (claim, atoms, fairness) = assigned.claim.as_ref()?;
    let question =
        ClaimQuestion { model: &assigned.model, config: &assigned.config, claim, atoms, fairness: *fairness };
    search_by_workers(&question, monitor).ok()
}
