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

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use answer::{all_rows, outcome, row};
use axle_check::plan::Attempt;
use axle_check::program::RunProperty;
use axle_check::{
    Approximate, Auto, Check, Config, Executed, Execution, Pass, StoreChoice, SystemKind, VacuityCheck,
    program,
};
use axle_evidence::report::{Verdict, ViolationKind};
use axle_evidence::trace::Trace;
use axle_model::Model;
use axle_question::account::of_timeline;
use axle_search::{Arrangement, Monitor, Progress, Reduction, Stop};
use axle_step::{Cut, Interrupt};
use system::{Plan, Search, Searched, with_system};

use crate::prepare::footprint::Footprint;
use crate::prepare::{LoadedProgram, Options, Run, Subject};
use crate::project::{Fairness, Limits};

pub use crate::results::outcome::{Coverage, Disagreement, MachineAnswer, Outcome, Witness};

mod answer;
mod replayed;
mod second;
mod system;

pub use replayed::replayed;

/// The cycle of the exact check; the earlier ones are rough searches.
pub const EXACT: u8 = 7;

/// Bytes of the array of the first rough search; it doubles with each cycle.
const FIRST_ARRAY: u64 = 4 << 20;

/// Clock, cancellation and progress of the caller.
pub struct Control {
    /// The time since the start of the cycle.
    pub elapsed: Arc<dyn Fn() -> Duration + Send + Sync>,
    /// Whether the cycle is to end.
    pub cancelled: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Receives the progress.
    pub progress: Box<dyn FnMut(&Progress) + Send>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Control")
    }
}

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
    let options = Options { limits: Limits { memory, time: exact }, ..run.options };
    let mut deadline = Deadline { control, limit: time_of(cycle, exact), extended: false };
    let Searched { report, witness, taken, attempts } =
        with_system(run, &options, cycle, Search { property: &run.property, deadline: &mut deadline });
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

/// Ends a search at the limit or on demand.
struct Deadline<'a> {
    control: &'a mut Control,
    limit: Option<Duration>,
    /// Whether the limit includes the time of a vacuity check.
    extended: bool,
}

/// The time for the vacuity check of a property that holds, in addition to that of the cycle.
const VACUITY: Duration = Duration::from_secs(60);

impl Monitor for Deadline<'_> {
    fn holds(&mut self, _property: &str) {
        let limit = self.limit.take();
        // Once: a job has a limit on its time.
        self.limit = if self.extended { limit } else { limit.map(|limit| limit + VACUITY) };
        self.extended = true;
    }

    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        (self.control.progress)(progress);
        self.interrupt().ask().map(|cut| match cut {
            Cut::Interrupted => Stop::Interrupted,
            _ => Stop::Time,
        })
    }

    fn interrupt(&self) -> Interrupt {
        let (elapsed, cancelled) = (Arc::clone(&self.control.elapsed), Arc::clone(&self.control.cancelled));
        let limit = self.limit;
        Interrupt::new(move || {
            if cancelled() {
                return Some(Cut::Interrupted);
            }
            limit.is_some_and(|limit| elapsed() >= limit).then_some(Cut::Time)
        })
    }
}

/// The configuration of a cycle for the property of a model.
fn property_config(model: &Model, options: &Options, cycle: u8) -> Config {
    let only = model.properties.iter().map(|property| property.name.clone()).collect();
    model_config([Check::Properties].into(), Some(only), options, cycle)
}

/// The configuration of a cycle for the checks of a model.
fn safety_config(checks: &BTreeSet<Check>, options: &Options, cycle: u8) -> Config {
    model_config(checks.clone(), None, options, cycle)
}

/// The configuration of a cycle for a model.
fn model_config(
    checks: BTreeSet<Check>,
    only: Option<BTreeSet<String>>,
    options: &Options,
    cycle: u8,
) -> Config {
    let fairness = fairness(options.fairness);
    let exact = Config {
        checks,
        only,
        fairness,
        reduction: Reduction::Stubborn,
        passes: Pass::ALL.into(),
        auto: Auto::All,
        vacuity: VacuityCheck::Demands,
        proposition_errors: true,
        limits: search_limits(options),
        ..Config::default()
    };
    if cycle >= EXACT {
        return Config { attempts: true, ..exact };
    }
    if options.fairness != Fairness::None {
        return exact;
    }
    let bytes = FIRST_ARRAY << cycle;
    let approximate = Approximate {
        bytes: Some(options.limits.memory.map_or(bytes, |limit| bytes.min(limit / 2))),
        functions: Some(2 + u32::from(cycle) / 3),
        seed: u64::from(cycle),
        arrangement: match cycle {
            0 => Arrangement::AsMade,
            1 => Arrangement::Reversed,
            _ => Arrangement::Shuffled(u64::from(cycle)),
        },
        ..Approximate::default()
    };
    Config { store: StoreChoice::Bitstate, approximate, ..exact }
}

fn search_limits(options: &Options) -> axle_search::Limits {
    axle_search::Limits { memory: options.limits.memory, errors: Some(1), ..axle_search::Limits::default() }
}

pub(crate) fn fairness(fairness: Fairness) -> axle_search::Fairness {
    match fairness {
        Fairness::None => axle_search::Fairness::None,
        Fairness::Weak => axle_search::Fairness::Weak,
        Fairness::Strong => axle_search::Fairness::Strong,
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

/// A program as the checker takes it, without properties.
#[must_use]
pub fn subject(loaded: &LoadedProgram) -> axle_check::Subject<'_> {
    axle_check::Subject {
        program: &loaded.program,
        sources: &loaded.sources,
        files: &loaded.files,
        arguments: &loaded.arguments,
        stdin: None,
        settings: &loaded.settings,
        properties: &[],
    }
}

/// The configuration for a formula. An error of the program ends executions, so the default checks
/// belong to the verdict of every formula, whatever the project checks of the program itself.
pub(crate) fn program_config(options: &Options) -> Config {
    safety_program_config(options, &Check::defaults(SystemKind::Program))
}

/// The configuration for the checks of a program.
fn safety_program_config(options: &Options, checks: &BTreeSet<Check>) -> Config {
    Config {
        checks: checks.clone(),
        fairness: fairness(options.fairness),
        vacuity: VacuityCheck::Demands,
        reduction: Reduction::Stubborn,
        limits: search_limits(options),
        ..Config::default()
    }
}

/// What every execution has to do, as far as these checks ask for it.
fn temporal(checks: &BTreeSet<Check>) -> Vec<RunProperty> {
    checks.contains(&Check::Termination).then(program::termination).into_iter().collect()
}
