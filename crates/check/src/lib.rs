//! From a model, or a C program, and a configuration to a report.
//!
//! The crate selects the store and the engine, runs the searches, replays every violation with the
//! interpreter, and derives a verdict for each property. It uses no terminal and no clock.
//!
//! *Entry points:* [`check`], [`System`].

mod attempt;
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
mod engines;
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
mod race;
pub mod refine;
mod replayed;
mod resume;
mod run;
mod run_report;
mod runs;
pub mod searches;
mod shorten;
pub mod slices;
mod state_path;
mod stutter;
pub mod successors;
pub mod swarm;
mod system;
mod threads;
mod undecided;
mod vacuity;
mod value_sample;
mod verdict;
mod vocabulary;

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_evidence::report::ViolationReport;
use axle_evidence::run_trail::AnyTrail;
use axle_model::Model;
use axle_search::{Monitor, Outcome, Progress, Reduction, Stop, Violation};
use axle_step::{Interpreter, Successors};

pub use axle_evidence::report::{Report, Verdict};
pub use axle_reduce::passes::Pass;
pub use certificate::{check_recorded, claim, proves};
pub use checks::{Check, SystemKind};
pub use config::{Approximate, Auto, Config, Order, StoreChoice, SuccessorChoice, VacuityCheck};
pub use confirm::{Confirmed, confirm};
pub use engines::selectable as engines;
pub use explain::{LABELS, RUN_KINDS, explain_kind};
pub use program::{ProgramFound, ProgramViolation, Subject, replay_program};
pub use race::log::{End, Executed};
pub use race::{Alone, run_alone};
pub use resume::{CheckpointMismatch, can_checkpoint, check_resumable};
pub use run_report::fairness_name;
pub use runs::{RunViolation, replay};
pub use shorten::{KnownViolation, shorten_attempts};
pub use system::{Checked, Execution, System, check, shorten};
pub use vocabulary::Vocabulary;

use engines::{Lead, Led, Question, Task};
use explored::{Explored, ReductionStatus};
use plan::{Attempt, EngineId, Share};
use runs::{KnownStates, Runs};
use successors::{SharedCode, Tiered};

/// What a check of a model finds, besides its report.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelFound {
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

impl ModelFound {
    /// The violation of the report with this index.
    pub fn violation(&self, index: usize) -> Option<KnownViolation> {
        let of_run = || self.runs.get(index - self.outcome.violations.len());
        let of_state = self.outcome.violations.get(index).cloned().map(KnownViolation::State);
        of_state.or_else(|| of_run().cloned().map(KnownViolation::Run))
    }
}

/// The result of a check of a model.
pub type CheckedModel = Checked<ModelFound>;

impl System for Arc<Model> {
    type Found = ModelFound;
    const KIND: SystemKind = SystemKind::Model;

    fn plan(&self, config: &Config) -> Vec<Attempt> {
        plan::of_model(self, config)
    }

    fn check(&self, config: &Config, monitor: &mut dyn Monitor) -> CheckedModel {
        check_model(self, config, monitor)
    }

    fn undecided(&self, config: &Config, stop: Stop, seen: &Progress) -> CheckedModel {
        undecided::of_model(self, config, stop, seen)
    }

    fn shorten(&self, config: &Config, checked: &mut CheckedModel, index: usize, monitor: &mut dyn Monitor) {
        shorten::of_model(self, config, checked, index, monitor);
    }

    fn execution(
        &self,
        config: &Config,
        checked: &CheckedModel,
        index: usize,
    ) -> Result<Option<Execution>, String> {
        let own = checked.report.violations.get(index).zip(checked.found.violation(index));
        own.map(|(report, known)| replayed::execution(self, config, &known, report.clone())).transpose()
    }

    fn judged(&self, config: &Config, trail: &AnyTrail) -> Result<Execution, String> {
        replayed::judged(self, config, trail)
    }

    fn shorter(
        &self,
        config: &Config,
        (trail, report): (&AnyTrail, &ViolationReport),
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String> {
        let known = replayed::known(self, trail)?;
        let shorter = shorten::shorten_known(self, config, &known, report, monitor);
        shorter.map(|(known, report)| replayed::execution(self, config, &known, report)).transpose()
    }
}

/// Checks a model. The monitor is called now and then, and may stop the search.
fn check_model(model: &Arc<Model>, config: &Config, monitor: &mut dyn Monitor) -> CheckedModel {
    let opened = choice::open(model, config, &mut *monitor);
    let mut checked = check_with(model, &opened.config, monitor, Box::new(run::check_all));
    if let Some(long) = opened.cut {
        describe::name_sequence(&mut checked.report, model, &opened.config, long);
    }
    checked.attempts.splice(0..0, opened.executed);
    checked
}

/// What the attempts of a plan have found out about states and steps.
struct Explorations {
    led: Led,
    /// The model of the search, if passes made it.
    small: Option<passes::SmallerModel>,
    /// The attempt that found each violation, if it is not the exact search.
    finders: Vec<Option<String>>,
    decided: race::Decided,
}

/// Checks a model with this leading search for faults of states.
fn check_with<'e>(
    model: &'e Arc<Model>,
    config: &'e Config,
    monitor: &'e mut dyn Monitor,
    search: Lead<'e>,
) -> CheckedModel {
    let stated = claims::wanted(model, |one| config.wants(one), &monitor.interrupt());
    let small = passes::for_faults(model, config).filter(|_| config.wants_safety());
    let explored = explore(model, config, (&stated, small), &mut *monitor, search);
    conclude(model, config, &stated, explored, monitor)
}

/// Executes the plan of a check.
fn explore<'e>(
    model: &'e Arc<Model>,
    config: &'e Config,
    (stated, small): (&[claims::Stated], Option<passes::SmallerModel>),
    monitor: &'e mut dyn Monitor,
    search: Lead<'e>,
) -> Explorations {
    let searched = small.as_ref().map_or_else(|| Arc::clone(model), |small| Arc::clone(&small.model));
    let stepper = Tiered::new(&searched, config.step_options(), config.successors_for(&searched));
    let code = stepper.code();
    let whole_code = if small.is_none() { code.clone() } else { SharedCode::default() };
    let states = KnownStates::default();
    let question =
        Question { model, searched: &searched, config, properties: stated, code, whole_code, states };
    let idle = stepper.fork();
    // Without an attempt at the states nothing is known of them.
    let unanswered = config.wants_safety().then_some(Stop::NotApplicable);
    let nothing = |stop: Option<Stop>| match stop.or(unanswered) {
        Some(stop) => Led::new(Explored::new(run::nothing(&idle, stop), "plain"), &idle),
        None => Led::not_asked(&idle),
    };
    let leading = plan::attempts(config, stated).into_iter().find(Attempt::leads);
    let leading = leading.map(|attempt| match config.other_engine().and_then(engines::named) {
        Some(engine) => engine.start(&question, Task::new(attempt)),
        None => engines::lead(&question, stepper, search),
    });
    let (led, decided) = race::of_model(question, leading, nothing, &mut *monitor);
    let finders: Vec<Option<String>> = (led.explored.outcome.violations.iter())
        .map(|violation| decided.finder(violation.key()).map(Attempt::name))
        .collect();
    let mut explorations = Explorations { led, small, finders, decided };
    explorations.shorten(model, config, monitor);
    explorations
}

impl Explorations {
    /// Replaces a counterexample of a reduced graph by a shortest one, if that takes few states. What a
    /// hunter found is far from the initial state: the exact search has not met it.
    fn shorten(&mut self, model: &Arc<Model>, config: &Config, monitor: &mut dyn Monitor) {
        let is_reduced = matches!(self.led.explored.reduction, ReductionStatus::Applied(..));
        let is_shorter_elsewhere = self.small.is_some() || is_reduced;
        if !is_shorter_elsewhere || self.finders.iter().all(Option::is_some) {
            return;
        }
        let states = self.led.explored.outcome.states;
        let Some((attempt, shorter)) = choice::shorter(model, config, states, monitor) else { return };
        self.decided.attempts.push(attempt);
        if let Some(shorter) = shorter {
            // All violations are now those of a search of the full graph.
            self.finders = vec![None; shorter.explored.outcome.violations.len()];
            self.led = shorter;
            self.small = None;
        }
    }
}

/// From what the attempts have found to the report.
fn conclude(
    model: &Arc<Model>,
    config: &Config,
    stated: &[claims::Stated],
    explorations: Explorations,
    mut monitor: &mut dyn Monitor,
) -> CheckedModel {
    let Explorations { led, small, finders, decided } = explorations;
    let Led { explored, width, slots, successors, cut, sample, states: counted, order, proof } = led;
    let mut outcome = explored.outcome;
    if let Some(small) = &small {
        for violation in &mut outcome.violations {
            let whole = passes::SideBySide::new(&small.model, model, &config.step_options());
            match whole.violation(violation) {
                Some(told) => *violation = told,
                // The original model is searched if a violation cannot be mapped to it.
                None => {
                    let whole = Config { auto: Auto::Nothing, passes: BTreeSet::new(), ..config.clone() };
                    let mut checked = check_model(model, &whole, monitor);
                    checked.found.again += 1;
                    return checked;
                }
            }
        }
    }
    if config.spoil_paths {
        outcome.violations.iter_mut().for_each(|violation| violation.path.push(u32::MAX));
    }
    let mut attempts = decided.attempts;
    let (confirmed, internal) = confirm::all(model, config, &outcome);
    let mut runs = Runs::default();
    if internal.is_none() && config.checks.contains(&Check::Properties) {
        // The reason to end the first search ends all.
        let stop =
            outcome.stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted | Stop::Checkpoint));
        let stop = stop.or(decided.is_full.then_some(Stop::Errors)).or(decided.stop);
        let states = config.wants_safety().then_some(outcome.states);
        runs = runs::check_undecided(model, config, stated, states, stop, decided.properties, &mut monitor);
        attempts.extend(searched_afterwards(config, stated, &runs));
    }
    runs.internal = internal.or(runs.internal);
    let again = runs.again;
    let found_runs = runs.violations.iter().map(|(run, _)| run.clone()).collect();
    let unreached = match config.wants_safety() {
        true => coverage::unreached(model, &outcome.taken),
        false => Vec::new(),
    };
    let mut search = describe::search(config, &outcome, explored.store, successors, width as u64);
    search.reduction = describe::reduction(config, explored.reduction);
    if let ReductionStatus::Applied(Reduction::Guards, _) = explored.reduction {
        search.order = "components".to_string();
    }
    if let Some(order) = order {
        search.order = order.to_string();
    }
    search.states = counted.unwrap_or(search.states);
    search.answered_by = config.engine.unwrap_or(EngineId::EXPLICIT).to_string();
    search.proof = proof;
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
    if let Some(long) = cut {
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
    let found = ModelFound { outcome, runs: found_runs, refused, again };
    Checked { report, found, attempts }
}

/// The searches for properties after the others, as attempts of the plan.
fn searched_afterwards(config: &Config, stated: &[claims::Stated], runs: &Runs) -> Vec<Executed> {
    let searched = |attempt: &Attempt| match &attempt.target {
        plan::Target::Property(number, _) => {
            runs.properties.get(*number).is_some_and(|property| property.search.is_some())
        }
        plan::Target::States | plan::Target::BadPrefixes(_) => false,
    };
    let after = plan::attempts(config, stated).into_iter().filter(|one| one.share == Share::After);
    after.filter(searched).map(|attempt| Executed { attempt, end: End::Answered }).collect()
}
