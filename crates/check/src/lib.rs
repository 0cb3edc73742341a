//! From a model, or a C program, and a configuration to a report.
//!
//! The crate selects the store and the engine, runs the searches, replays every violation with the
//! interpreter, and derives a verdict for each property. It uses no terminal and no clock.
//!
//! *Entry points:* [`check`], [`check_program`].

mod bounded;
mod certificate;
pub mod checks;
mod choice;
pub mod claims;
pub mod config;
mod confirm;
mod coverage;
mod describe;
pub mod diagnose;
pub mod engine;
mod explain;
mod explored;
mod guards;
pub mod judge;
mod lossy;
mod lossy_runs;
pub mod nearest;
mod passes;
pub mod plan;
pub mod program;
pub mod refine;
mod replayed;
mod resume;
mod run;
mod run_report;
mod runs;
mod schedule;
mod shorten;
pub mod slices;
mod state_path;
mod stutter;
pub mod swarm;
mod threads;
mod undecided;
mod vacuity;
mod value_sample;
mod verdict;
mod vocabulary;

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_model::Model;
use axle_search::{Memory, Monitor, Outcome, Reduction, Stop, Violation};
use axle_step::{Graph, Interpreter, Successors};

pub use axle_evidence::report::{Report, Verdict};
pub use axle_reduce::passes::Pass;
pub use certificate::{check_recorded, claim, proves};
pub use checks::Check;
pub use config::{Approximate, Auto, Config, EngineChoice, Order, StoreChoice, VacuityCheck};
pub use confirm::{Confirmed, confirm};
pub use explain::{LABELS, RUN_KINDS, explain_kind};
pub use program::{
    CheckedProgram, ProgramCheck, ProgramConfig, ProgramViolation, Subject, check_program, replay_program,
    replayed_program,
};
pub use replayed::{replayed_run, replayed_violation};
pub use resume::{CheckpointMismatch, can_checkpoint, check_resumable};
pub use run_report::fairness_name;
pub use runs::{RunViolation, replay};
pub use schedule::alone;
pub use shorten::{KnownViolation, shorten, shorten_attempts, shorten_known};
pub use undecided::{undecided, undecided_program};
pub use vocabulary::Vocabulary;

use engine::Tiered;
use explored::{Explored, ReductionStatus};
use plan::Attempt;
use runs::Runs;
use schedule::Scheduler;

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// For people and programs to read. `seconds` is 0: there is no clock here.
    pub report: Report,
    /// What the search found, from which violations can be replayed. The `i`-th violation here is
    /// the `i`-th of the report.
    pub outcome: Outcome,
    /// Runs that break properties of the model: the violations of the report behind those of the
    /// outcome.
    pub runs: Vec<RunViolation>,
    /// The violation that did not replay, where `report.internal` says that one did not.
    pub refused: Option<Violation>,
    /// The number of searches of a smaller model whose counterexample could not be mapped to the
    /// original model, which was then searched. Counterexamples of slices are not counted: they
    /// need not exist in the model.
    pub again: u32,
}

/// Checks a model. The monitor is called now and then, and may stop the search.
pub fn check(model: &Arc<Model>, config: &Config, mut monitor: &mut dyn Monitor) -> Checked {
    let monitor = &mut monitor;
    let (config, cut) = choice::resolve(model, config, monitor);
    let mut checked = check_with(model, &config, monitor, |model, stepper, config, monitor| {
        run::check_all(model, stepper, config, monitor)
    });
    if let Some(long) = cut {
        describe::name_sequence(&mut checked.report, model, &config, long);
    }
    checked
}

/// Checks a model with this search for faults of states.
fn check_with<M: Monitor>(
    model: &Arc<Model>,
    config: &Config,
    monitor: &mut M,
    search: impl FnOnce(&Arc<Model>, &mut Tiered, &Config, &mut Scheduler<'_, M>) -> Explored,
) -> Checked {
    let stated = claims::wanted(model, |one| config.wants(one), &monitor.interrupt());
    let mut small = passes::for_faults(model, config).filter(|_| config.wants_safety());
    let searched = small.as_ref().map_or(model, |small| &small.model);
    let mut stepper = Tiered::new(searched, config.step_options(), config.engine_for(searched));
    let mut scheduler = Scheduler::new(model, searched, config, &stated, stepper.code(), monitor);
    let mut explored = match (scheduler.begin(), config.wants_safety()) {
        (Some(stop), true) => Explored::new(run::nothing(&stepper, stop), "plain"),
        (None, true) => search(searched, &mut stepper, config, &mut scheduler),
        (_, false) => not_asked(&stepper),
    };
    let decided = scheduler.finish(&mut explored);
    let left_out = small.is_some() || matches!(explored.reduction, ReductionStatus::Applied(..));
    let mut finders: Vec<Option<String>> = (explored.outcome.violations.iter())
        .map(|violation| decided.finder(violation.key()).map(Attempt::name))
        .collect();
    // What a hunter found is far from the initial state: the exact search has not met it.
    if left_out
        && finders.iter().any(Option::is_none)
        && let Some(shorter) = choice::shorter(model, config, explored.outcome.states, monitor)
    {
        (stepper, explored) = shorter;
        // All violations are now those of a search of the full graph.
        finders = vec![None; explored.outcome.violations.len()];
        small = None;
    }
    let mut outcome = explored.outcome;
    if let Some(small) = &small {
        for violation in &mut outcome.violations {
            let whole = passes::SideBySide::new(&small.model, model, &config.step_options());
            match whole.violation(violation) {
                Some(told) => *violation = told,
                // The original model is searched if a violation cannot be mapped to it.
                None => {
                    let whole = Config { auto: Auto::Nothing, passes: BTreeSet::new(), ..config.clone() };
                    let checked = check(model, &whole, monitor);
                    return Checked { again: checked.again + 1, ..checked };
                }
            }
        }
    }
    if config.spoil_paths {
        outcome.violations.iter_mut().for_each(|violation| violation.path.push(u32::MAX));
    }
    let (state_bytes, slots) = (stepper.width() as u64, stepper.size());
    let engine = stepper.name();
    let (long, sample) = (stepper.cut_sequence(), stepper.sample());
    // The memory of a large search is released before traces are computed.
    drop(stepper);

    let (confirmed, internal) = confirm::all(model, config, &outcome);
    let mut runs = Runs::default();
    if internal.is_none() && config.checks.contains(&Check::Properties) {
        // The reason to end the first search ends all.
        let stop =
            outcome.stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted | Stop::Checkpoint));
        let stop = stop.or(decided.is_full.then_some(Stop::Errors)).or(decided.stop);
        let states = config.wants_safety().then_some(outcome.states);
        runs = runs::check_undecided(model, config, &stated, states, stop, decided.properties, monitor);
    }
    runs.internal = internal.or(runs.internal);
    let again = runs.again;
    let found_runs = runs.violations.iter().map(|(run, _)| run.clone()).collect();
    let unreached = match config.wants_safety() {
        true => coverage::unreached(model, &outcome.taken),
        false => Vec::new(),
    };
    let mut search = describe::search(config, &outcome, explored.store, engine, state_bytes);
    search.reduction = describe::reduction(config, explored.reduction);
    if let ReductionStatus::Applied(Reduction::Guards, _) = explored.reduction {
        search.order = "components".to_string();
    }
    if let Some((_, finder)) = decided.finders.first() {
        let is_walk = matches!(finder.kind, plan::Kind::Walks(_));
        search.order = if is_walk { "bfs+walks" } else { "bfs+dfs" }.to_string();
    }
    let searched = small.as_ref().map_or_else(|| Arc::clone(model), |small| Arc::clone(&small.model));
    search.passes = small.map_or_else(Vec::new, |small| small.passes);
    search.approximation = explored.approximation;
    let mut report = verdict::report(model, config, &outcome, &confirmed, unreached, search, runs);
    for (violation, finder) in report.violations.iter_mut().zip(finders) {
        describe::name_finder(violation, finder);
    }
    if let Some(long) = long {
        describe::name_sequence(&mut report, &searched, config, long);
    }
    if let Some(Stop::Time | Stop::Memory | Stop::States | Stop::Interrupted) = outcome.stop {
        let mut interpreter = Interpreter::new(searched, config.step_options());
        if slots > interpreter.layout().slots.len() {
            interpreter.grow(slots);
        }
        report.hints.extend(sample.widest(&interpreter).map(|widest| widest.hint()));
    }
    lossy::tell(&mut report);
    let refused = report.internal.as_ref().and_then(|_| outcome.violations.get(confirmed.len()).cloned());
    outcome.violations.truncate(confirmed.len());
    Checked { report, outcome, runs: found_runs, refused, again }
}

/// No search for faults of states, because none is requested.
fn not_asked(stepper: &impl Graph) -> Explored {
    let outcome = Outcome {
        states: 0,
        transitions: 0,
        depth: 0,
        violations: Vec::new(),
        found: 0,
        stop: None,
        taken: stepper.taken().to_vec(),
        memory: Memory::default(),
    };
    Explored::new(outcome, "none")
}
