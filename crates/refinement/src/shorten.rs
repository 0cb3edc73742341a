//! Shorter executions to violations that are known.
//!
//! Lossy and depth-first searches find violations at the end of long executions. Three steps
//! shorten one:
//!
//! 1. *Loops*: steps between two visits of a state are removed.
//! 2. *Bisection*: bitstate searches with half the length as depth limit, as long as they succeed.
//! 3. *Nearest first*: an exact search for the same violation, restricted to executions that are
//!    shorter. For a state this is breadth-first search. For a cycle it is the search with
//!    `--shortest` in the states within 1, 2, 3, ... steps, and then in all states that a shorter
//!    execution can visit.
//!
//! *Entry points:* [`of_model`], [`shorten_known`] and [`shorten_attempts`]; C programs are shortened by
//! `program/shorten.rs`. The caller bounds the time with the monitor;
//! whatever the last step, the shortest execution so far is kept.
//! *Source:* iterative deepening as in Spin's option -i (G. J. Holzmann, The Spin Model Checker,
//! 2004, appendix C).
//! *Invariant:* every execution was replayed and confirmed before it replaces another one.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axle_c_evidence::ProgramViolation;
use axle_check::judgement::runs::{RunViolation, check_runs};
use axle_check::judgement::{confirm, describe, judge, replayed, run_report};
use axle_check::program::{execution, own};
use axle_check::{Checked, CheckedModel, Execution, KnownViolation, ProgramFound, System};
use axle_evidence::lasso::{SystemRun, replay_run};
use axle_evidence::quantities::counted;
use axle_evidence::report::{PropertyReport, Verdict, ViolationReport};
use axle_evidence::run_trail::AnyTrail;
use axle_explicit::successors::Tiered;
use axle_explicit::{lossy, state_path};
use axle_model::Model;
use axle_outcome::{Limit, Reason};
use axle_question::claims;
use axle_question::claims::{Source, Stated};
use axle_question::config::{Approximate, Auto, Config, Order, StoreChoice, VacuityCheck};
use axle_question::subject::Subject;
use axle_search::{
    Arrangement, Limits, Monitor, Options, Progress, Reduction, Stop, Violation, ViolationKey, bfs,
};
use axle_step::{Batch, Graph, Interpreter, Interrupt, ModelSite};
use axle_store::{AutoSet, OutOfMemory, Packed};

use crate::searches::violation_key;
use crate::{likeliest, shorten_program};

/// States of the first exact search: most short executions are found within them.
const FEW: u64 = 20_000;

/// States and bytes of each search of the bisection.
pub(crate) const BISECTION: u64 = 100_000;
pub(crate) const BYTES: u64 = 1 << 21;

/// Orders of transitions that the bisection tries before it gives a depth limit up.
pub const ORDERS: [Arrangement; 3] = [Arrangement::AsMade, Arrangement::Reversed, Arrangement::Shuffled(1)];

/// Systems whose violations can be shortened.
pub trait Shorten: System {
    /// Replaces the execution of violation `index` of a report by a shorter one, as far as the monitor
    /// allows.
    fn shorten(
        &self,
        config: &Config,
        checked: &mut Checked<Self::Found>,
        index: usize,
        monitor: &mut dyn Monitor,
    );

    /// A shorter execution than that of a trail, as far as the monitor allows; none if there is none.
    /// `known`: the trail and its violation.
    ///
    /// # Errors
    /// The trail does not belong to the system, or the shorter execution does not replay.
    fn shorter(
        &self,
        config: &Config,
        known: (&AnyTrail, &ViolationReport),
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String>;

    /// The likeliest execution to the violation of the first of some known executions, as far as the
    /// monitor allows; none if one of them is as likely ([`crate::likeliest`]).
    ///
    /// # Errors
    /// A trail does not belong to the system, or the execution does not replay.
    fn likeliest(
        &self,
        config: &Config,
        known: &[(&AnyTrail, &ViolationReport)],
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String>;
}

impl Shorten for Arc<Model> {
    fn shorten(&self, config: &Config, checked: &mut CheckedModel, index: usize, monitor: &mut dyn Monitor) {
        of_model(self, config, checked, index, monitor);
    }

    fn shorter(
        &self,
        config: &Config,
        (trail, report): (&AnyTrail, &ViolationReport),
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String> {
        let known = replayed::known(self, config, trail)?;
        let shorter = shorten_known(self, config, &known, report, monitor);
        shorter.map(|(known, report)| replayed::execution(self, config, &known, report)).transpose()
    }

    fn likeliest(
        &self,
        config: &Config,
        known: &[(&AnyTrail, &ViolationReport)],
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String> {
        likeliest::of_model(self, config, known, monitor)
    }
}

impl Shorten for Subject<'_> {
    fn shorten(
        &self,
        config: &Config,
        checked: &mut Checked<ProgramFound>,
        index: usize,
        monitor: &mut dyn Monitor,
    ) {
        let Checked { report, found, .. } = checked;
        let own = report.violations.get_mut(index).zip(found.violations.get_mut(index));
        if let Some((told, known)) = own
            && let Some(shorter) = shorten_program::shorten_known(self, config, told, known, monitor)
        {
            (*told, *known) = shorter;
        }
    }

    fn shorter(
        &self,
        config: &Config,
        (trail, report): (&AnyTrail, &ViolationReport),
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String> {
        let trail = own(trail)?.clone();
        // Whether another execution is shorter depends on the calls and events of this one.
        let trace = self.judged(config, &AnyTrail::Program(trail.clone()))?.trace;
        let known = ProgramViolation { trace, trail, waypoints: Vec::new() };
        let shorter = shorten_program::shorten_known(self, config, report, &known, monitor);
        Ok(shorter.map(|(violation, found)| execution(violation, found)))
    }

    fn likeliest(
        &self,
        config: &Config,
        known: &[(&AnyTrail, &ViolationReport)],
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Execution>, String> {
        likeliest::of_program(self, config, known, monitor)
    }
}

/// Shortens violation `index` of a report, as far as the monitor allows. Executions that did not replay
/// are not shortened.
pub fn shorten<S: Shorten>(
    system: &S,
    config: &Config,
    checked: &mut Checked<S::Found>,
    index: usize,
    monitor: &mut dyn Monitor,
) {
    if checked.report.internal.is_none() && !config.spoil_paths {
        system.shorten(config, checked, index, monitor);
    }
}

/// Shortens violation `index` of a report, as far as the monitor allows.
pub(crate) fn of_model(
    model: &Arc<Model>,
    config: &Config,
    checked: &mut CheckedModel,
    index: usize,
    mut monitor: &mut dyn Monitor,
) {
    let monitor = &mut monitor;
    let Checked { report, found, .. } = checked;
    let states = found.outcome.violations.len();
    let Some(told) = report.violations.get_mut(index) else { return };
    let Some(known) = found.violation(index) else { return };
    let attempt = told.attempt.clone();
    let Some((shorter, report)) = shorten_known(model, config, &known, told, monitor) else { return };
    *told = report;
    describe::name_finder(told, attempt);
    match shorter {
        KnownViolation::State(shorter) => found.outcome.violations[index] = shorter,
        KnownViolation::Run(shorter) => found.runs[index - states] = shorter,
    }
}

/// A shorter execution to a violation, as far as the monitor allows, with its report; none if it was
/// not shortened. `report` belongs to the known one.
pub(crate) fn shorten_known(
    model: &Arc<Model>,
    config: &Config,
    known: &KnownViolation,
    report: &ViolationReport,
    mut monitor: &mut dyn Monitor,
) -> Option<(KnownViolation, ViolationReport)> {
    let monitor = &mut monitor;
    let config = exact(config);
    match known {
        KnownViolation::State(known) => {
            let shorter = of_state(model, &config, known, monitor);
            let mut interpreter = Interpreter::new(Arc::clone(model), config.step_options());
            if shorter.depth() >= known.depth() {
                return None;
            }
            let seen = confirm::confirm(&mut interpreter, &shorter).ok()?;
            let shown = describe::violation(model, &shorter, &seen);
            Some((KnownViolation::State(shorter), with_remark(shown, known.depth(), "step")))
        }
        KnownViolation::Run(known) => {
            let (run, shown) = of_run(model, &config, known, report, monitor)?;
            Some((KnownViolation::Run(run), with_remark(shown, report.depth, "step")))
        }
    }
}

/// Shortens what attempts beside the exact search have found, within a number of states: a quarter
/// of those of the exact search, so that it costs little beside it. Nothing else is changed.
pub fn shorten_attempts(
    model: &Arc<Model>,
    config: &Config,
    checked: &mut CheckedModel,
    monitor: &mut impl Monitor,
) {
    let found = checked.report.violations.iter().map(|violation| violation.attempt.is_some());
    for (index, by_attempt) in found.collect::<Vec<_>>().into_iter().enumerate() {
        if by_attempt {
            let left = (checked.report.search.states.saturated() / 4).max(FEW);
            shorten(model, config, checked, index, &mut Bounded { monitor, left, last: 0 });
        }
    }
}

/// A monitor that ends searches after a number of states of all together.
struct Bounded<'m, M> {
    monitor: &'m mut M,
    left: u64,
    /// States of the present search at the last poll.
    last: u64,
}

impl<M: Monitor> Monitor for Bounded<'_, M> {
    fn watch(&mut self, progress: &Progress) -> Option<Stop> {
        // A lower number is that of another search.
        let done = progress.states.checked_sub(self.last).unwrap_or(progress.states);
        self.last = progress.states;
        self.left = self.left.saturating_sub(done);
        self.monitor.watch(progress).or((self.left == 0).then_some(Stop::Time))
    }

    fn interrupt(&self) -> Interrupt {
        self.monitor.interrupt()
    }
}

/// The configuration of the exact searches: in the whole graph, by one thread.
pub(crate) fn exact(config: &Config) -> Config {
    Config {
        order: Order::BreadthFirst,
        store: StoreChoice::Auto,
        reduction: Reduction::None,
        passes: BTreeSet::new(),
        auto: Auto::Nothing,
        vacuity: VacuityCheck::Coverage,
        shortest: true,
        threads: 1,
        limits: Limits { errors: Some(1), ..config.limits },
        ..config.clone()
    }
}

/// The report of a violation, with its length before it was shortened.
pub(crate) fn with_remark(mut report: ViolationReport, before: u64, unit: &str) -> ViolationReport {
    report.details.push(format!("shortened from {}", counted(before, unit)));
    report
}

/// A shorter execution to a violation of a state or step, or the same.
fn of_state(model: &Arc<Model>, config: &Config, known: &Violation, monitor: &mut impl Monitor) -> Violation {
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    nearest(&mut stepper, config, known, Some(known.key()), monitor)
}

/// A shorter execution to a violation with this key, or to any violation without a key, or the
/// same.
pub(crate) fn nearest(
    stepper: &mut impl Graph<Site = ModelSite>,
    config: &Config,
    known: &Violation,
    only: Option<ViolationKey>,
    monitor: &mut impl Monitor,
) -> Violation {
    let count = known.count;
    let mut best = known.clone();
    if best.depth() <= 1 {
        return best;
    }
    let path: Vec<Option<u32>> = best.path.iter().copied().map(Some).collect();
    if let Some(states) = fingerprints(stepper, &path, monitor) {
        best.path = without_loops(&states).into_iter().map(|step| best.path[step]).collect();
    }
    let options = |depth: u64, states: Option<u64>| Options {
        limits: Limits {
            depth: Some(depth.saturating_sub(1)),
            states: states.into_iter().chain(config.limits.states).min(),
            ..config.limits
        },
        only,
        ..config.search_options()
    };
    match breadth_first(stepper, &options(best.depth(), Some(FEW)), monitor) {
        (Some(found), _) => return Violation { count, ..found },
        // Nothing is nearer, or there is no time left.
        (None, None | Some(Stop::Depth | Stop::Time | Stop::Interrupted)) => return best,
        (None, Some(_)) => {}
    }
    for arrangement in ORDERS {
        while best.depth() > 2 {
            let options = options(best.depth().div_ceil(2) + 1, Some(BISECTION));
            let Some(found) = bitstate(stepper, config, &options, arrangement, monitor) else { break };
            best = Violation { count, ..found };
        }
    }
    match breadth_first(stepper, &options(best.depth(), None), monitor) {
        (Some(found), _) => Violation { count, ..found },
        (None, _) => best,
    }
}

/// The first violation of a breadth-first search, or why there is none.
fn breadth_first(
    stepper: &mut impl Graph<Site = ModelSite>,
    options: &Options,
    monitor: &mut impl Monitor,
) -> (Option<Violation>, Option<Stop>) {
    let limit = options.limits.memory.map_or(u64::MAX, |memory| memory / 16 * 15);
    // The set is as wide as the layout, which widens with the initial state.
    stepper.initial(&mut Vec::new());
    match Packed::with_limit(stepper.width(), limit, AutoSet::with_limit) {
        Ok(mut set) => {
            let outcome = bfs::search(stepper, &mut set, options, monitor);
            (outcome.violations.into_iter().next(), outcome.stop)
        }
        Err(OutOfMemory) => (None, Some(Stop::Memory)),
    }
}

/// The first violation of a depth-first search with a bit array.
fn bitstate(
    stepper: &mut impl Graph<Site = ModelSite>,
    config: &Config,
    options: &Options,
    arrangement: Arrangement,
    monitor: &mut impl Monitor,
) -> Option<Violation> {
    let approximate =
        Approximate { bytes: Some(BYTES), functions: Some(3), arrangement, ..config.approximate };
    let config = Config {
        order: Order::DepthFirst,
        store: StoreChoice::Bitstate,
        approximate,
        limits: options.limits,
        ..config.clone()
    };
    let run = lossy::one_with(stepper, &config, options, (config.approximate.seed, None), monitor).ok()?;
    run.outcome.violations.into_iter().next()
}

/// A shorter run that violates the same property, with its report.
fn of_run(
    model: &Arc<Model>,
    config: &Config,
    known: &RunViolation,
    told: &ViolationReport,
    monitor: &mut impl Monitor,
) -> Option<(RunViolation, ViolationReport)> {
    let stated = claims::named(model, &known.property)?;
    let mut best = cut_run(model, config, &stated, known, told, monitor);
    let length = best.as_ref().map_or(told.depth, |(_, report)| report.depth);
    let one = std::slice::from_ref(&stated);
    let key = violation_key(known, told);
    let search = |depth: Option<u64>| {
        let limits = Limits { depth: depth.into_iter().chain(config.limits.depth).min(), ..config.limits };
        let limited = Config { limits, ..config.clone() };
        let runs = check_runs(model, &limited, one, None, None, monitor);
        let found = runs.violations.into_iter().find(|(run, report)| violation_key(run, report) == key);
        let complete = |property: &PropertyReport| {
            let is_deep = matches!(property.cause, Some(Reason::Limit { limit: Limit::Depth, .. }));
            property.verdict == Verdict::Holds || is_deep
        };
        let complete = runs.properties.iter().all(complete);
        Tried { length: found.as_ref().map(|(_, report)| report.depth), found, complete }
    };
    if let Some(found) = deepen(length, known.run.cycle > 0, search) {
        best = Some(found);
    }
    best
}

/// The result of a search within a depth limit.
pub(crate) struct Tried<R> {
    pub found: Option<R>,
    /// Steps of the run that was found, each cycle once.
    pub length: Option<u64>,
    /// Whether the search covered everything within the depth limit, if it found nothing.
    pub complete: bool,
}

/// Searches within increasing depth limits for a run shorter than `length`.
pub fn deepen<R>(length: u64, cyclic: bool, mut search: impl FnMut(Option<u64>) -> Tried<R>) -> Option<R> {
    let mut best: Option<(u64, R)> = None;
    let take = |best: &mut Option<(u64, R)>, tried: Tried<R>| {
        let shortest = best.as_ref().map_or(length, |(length, _)| *length);
        if let (Some(found), Some(length)) = (tried.found, tried.length.filter(|length| *length < shortest)) {
            *best = Some((length, found));
        }
    };
    if !cyclic {
        // A search for a finite run is breadth-first.
        take(&mut best, search(Some(length.saturating_sub(1))));
        return best.map(|(_, found)| found);
    }
    // All states of a lasso with n steps are within n - 1 steps from the start, and are expanded by a
    // search with depth limit n.
    let (mut depth, mut empty) = (1, 0);
    loop {
        if depth + 1 >= length {
            break;
        }
        let tried = search(Some(depth));
        if tried.found.is_none() && !tried.complete {
            return best.map(|(_, found)| found);
        }
        if tried.found.is_some() {
            take(&mut best, tried);
            break;
        }
        empty = depth;
        depth += (depth / 4).max(1);
    }
    let shortest = best.as_ref().map_or(length, |(length, _)| *length);
    if shortest > empty + 2 {
        take(&mut best, search(Some(shortest - 1)));
    }
    best.map(|(_, found)| found)
}

/// The run without loops, if it still violates the property.
fn cut_run(
    model: &Arc<Model>,
    config: &Config,
    stated: &Stated,
    known: &RunViolation,
    told: &ViolationReport,
    monitor: &mut impl Monitor,
) -> Option<(RunViolation, ViolationReport)> {
    let mut stepper = Tiered::new(model, config.step_options(), config.successors_for(model));
    let states = fingerprints(&mut stepper, &known.run.steps, monitor)?;
    cut_lassos(&states, &known.run).into_iter().find_map(|run| {
        let options = config.step_options();
        let walked = replay_run(model, &run, &stated.atoms, &stated.texts, &options).ok()?;
        match known.fault {
            Some(kind) => walked.faults.iter().any(|fault| fault.kind == kind).then_some(())?,
            None => judge::breaks(stated, &run, &walked, config.fairness).ok()?,
        }
        let depth = run.steps.len() as u64;
        let cycle = (run.cycle > 0).then_some(run.cycle as u64);
        let is_prefix = known.fault.is_none() && matches!(stated.source, Source::Formula(_));
        let first =
            run_report::cycle(&run).or_else(|| is_prefix.then(|| run_report::violating_step(&walked.trace)));
        let skipped = usize::from(first.is_some());
        let others =
            told.details.iter().skip(skipped).filter(|detail| !run_report::is_about_weak_fairness(detail));
        let hint =
            judge::is_weakly_unfair(&run, &walked).then(|| run_report::weak_fairness(config.vocabulary));
        let details = first.into_iter().chain(others.cloned()).chain(hint).collect();
        let path = run.steps.clone();
        let mut report = ViolationReport { depth, cycle, details, path, ..told.clone() };
        if let (Source::Formula(_), None) = (&stated.source, known.fault) {
            let account = run_report::with_account(stated, walked.trace).account;
            report.message = run_report::formula_message(&stated.name, &stated.meaning, account.as_ref());
        }
        Some((RunViolation { run, ..known.clone() }, report))
    })
}

/// Shorter candidates for a run, the shortest first: without loops in prefix and cycle, and in the
/// prefix only. `states`: fingerprints of the states of the run. A state of the property's
/// automaton is compared if it is known.
pub(crate) fn cut_lassos(states: &[u64], run: &SystemRun) -> Vec<SystemRun> {
    let known = run.claim.len() == states.len();
    let states: Vec<u64> = (states.iter().enumerate())
        .map(|(at, state)| if known { hash(&(state, run.claim[at])) } else { *state })
        .collect();
    let (start, end) = (run.prefix(), run.steps.len());
    let prefix = without_loops(&states[..=start]);
    let whole: Vec<usize> = (start..end).collect();
    let mut cycles = vec![whole.clone()];
    if run.cycle > 1 {
        // The last step leads back to the first state of the cycle.
        let inner = without_loops(&states[start..end]).into_iter().map(|step| start + step);
        cycles.insert(0, inner.chain([end - 1]).collect());
    }
    let candidates = cycles.into_iter().map(|cycle| {
        let steps: Vec<usize> = prefix.iter().copied().chain(cycle.iter().copied()).collect();
        let claim = match known {
            true => steps.iter().chain([&end]).map(|&step| run.claim[step]).collect(),
            false => Vec::new(),
        };
        let steps = steps.into_iter().map(|step| run.steps[step]).collect();
        SystemRun { steps, cycle: cycle.len(), claim }
    });
    candidates.filter(|candidate| candidate.steps.len() < run.steps.len()).collect()
}

/// The steps that remain if those between two visits of a state are removed. `states`: before each
/// step and at the end.
fn without_loops(states: &[u64]) -> Vec<usize> {
    let mut last: HashMap<u64, usize> = HashMap::new();
    for (at, &state) in states.iter().enumerate() {
        last.insert(state, at);
    }
    let (mut at, mut kept) = (0, Vec::new());
    // From each state the run continues where it leaves it for the last time.
    while let Some(&leave) = states.get(at).and_then(|state| last.get(state)) {
        if leave + 1 >= states.len() {
            break;
        }
        kept.push(leave);
        at = leave + 1;
    }
    kept
}

/// Fingerprints of the states of an execution; none if it cannot be walked or the monitor ends it.
pub(crate) fn fingerprints(
    stepper: &mut impl Graph<Site = ModelSite>,
    steps: &[Option<u32>],
    monitor: &mut impl Monitor,
) -> Option<Vec<u64>> {
    const WATCH: usize = 256;
    let mut state = stepper.initial(&mut Vec::new());
    let mut batch = Batch { interrupt: monitor.interrupt(), ..Batch::default() };
    let mut list = vec![fingerprint(&state)];
    for (number, position) in steps.iter().enumerate() {
        if number % WATCH == 0 {
            let progress = Progress {
                states: number as u64,
                expanded: number as u64,
                transitions: number as u64,
                depth: number as u64,
                violations: 1,
                memory: 8 * list.len() as u64,
                ..Progress::default()
            };
            if monitor.watch(&progress).is_some() {
                return None;
            }
        }
        if let Some(position) = *position {
            state_path::follow(stepper, &mut state, position, &mut batch)?;
        }
        list.push(fingerprint(&state));
    }
    Some(list)
}

/// A fingerprint of a state; zeros at its end do not count.
fn fingerprint(state: &[u8]) -> u64 {
    let used = state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    hash(&state[..used])
}

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_removed() {
        assert_eq!(without_loops(&[1, 2, 3, 2, 4]), [0, 3]);
        assert_eq!(without_loops(&[1, 2, 1, 3, 1, 4]), [4]);
        assert_eq!(without_loops(&[1, 2, 1]), [] as [usize; 0]);
        assert_eq!(without_loops(&[1, 2, 3]), [0, 1]);
    }

    #[test]
    fn loops_of_prefix_and_cycle_are_removed_apart() {
        let steps: Vec<Option<u32>> = (0..8).map(Some).collect();
        let run = SystemRun { steps, cycle: 4, claim: Vec::new() };
        // Prefix 1 2 1 3, cycle 5 6 5 7.
        let cut = cut_lassos(&[1, 2, 1, 3, 5, 6, 5, 7, 5], &run);
        let told: Vec<_> = cut.iter().map(|run| (run.steps.clone(), run.cycle)).collect();
        assert_eq!(
            told,
            [
                (vec![Some(2), Some(3), Some(6), Some(7)], 2),
                (vec![Some(2), Some(3), Some(4), Some(5), Some(6), Some(7)], 4)
            ]
        );
    }

    #[test]
    fn deepening_ends_with_the_shortest_run() {
        // A lasso of 7 steps within 4 steps from the start, and one of 9 steps.
        let mut asked = Vec::new();
        let found = deepen(100, true, |depth| {
            asked.push(depth);
            let length = (depth >= Some(4)).then_some(7);
            Tried { found: length, length, complete: true }
        });
        assert_eq!(found, Some(7));
        assert_eq!(asked, [Some(1), Some(2), Some(3), Some(4), Some(6)]);
        // Nothing is shorter than what is known.
        assert_eq!(deepen(3, true, |_| Tried::<u64> { found: None, length: None, complete: true }), None);
    }
}
