//! Checks models: from a model and a configuration to a report.
//!
//! *Entry points:* the implementation of [`System`], [`check_with`].
//! *Invariant:* every violation of the report was confirmed on the model of the user.

use std::collections::BTreeSet;
use std::sync::Arc;

use axle_decide::certificate::{ClaimProof, write_claims};
use axle_evidence::report::{ArithmeticReport, ConflictReport};
use axle_evidence::run_trail::AnyTrail;
use axle_explicit::successors::{SharedCode, Tiered};
use axle_explicit::{Explored, ReductionStatus, lossy, run};
use axle_model::Model;
use axle_model::dump::dump;
use axle_question::checks::{Check, SystemKind};
use axle_question::claims;
use axle_question::config::{Auto, Config};
use axle_search::{Monitor, Progress, Reduction, Stop};
use axle_step::{Interpreter, Successors};

use crate::judgement::found::{Certificate, Execution, ModelFound};
use crate::judgement::runs::{KnownStates, Runs};
use crate::judgement::{confirm, coverage, describe, passes, replayed, runs, undecided, verdict};
use crate::plan::engines::{Engine, Lead, Led, Question, Task};
use crate::plan::{Attempt, Share, engines};
use crate::race::log::{End, Executed};
use crate::system::{Checked, CheckedModel, System};
use crate::{choice, plan, race};

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
        let (report, found) = undecided::of_model(self, config, stop, seen);
        Checked { report, found, attempts: Vec::new() }
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

/// The results of the attempts of a plan at states and steps.
struct Explorations {
    led: Led,
    /// The model of the search, if passes made it.
    small: Option<passes::SmallerModel>,
    /// The attempt that found each violation, if it is not the exact search.
    finders: Vec<Option<String>>,
    decided: race::Decided,
}

/// Checks a model with this leading search for faults of states.
pub(crate) fn check_with<'e>(
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
    let question = Question {
        model,
        searched: &searched,
        config,
        properties: stated,
        code,
        whole_code,
        states,
        relations: engines::Relations::default(),
    };
    let idle = stepper.fork();
    // Without an attempt at the states nothing is known of them.
    let unanswered = config.wants_safety().then_some(Stop::NotApplicable);
    let nothing = |stop: Option<Stop>| match stop.or(unanswered) {
        Some(stop) => Led::new(Explored::new(run::nothing(&idle, stop), "plain"), &idle),
        None => Led::not_asked(&idle),
    };
    let leading = plan::attempts(model, config, stated).into_iter().find(Attempt::leads);
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

/// The report of properties that were searched for, without a search of states and steps.
pub(crate) fn conclude_runs(
    model: &Arc<Model>,
    config: &Config,
    stated: &[claims::Stated],
    runs: Runs,
    monitor: &mut dyn Monitor,
) -> CheckedModel {
    let idle = Tiered::new(model, config.step_options(), config.successors_for(model));
    let decided = race::Decided { properties: vec![Some(runs)], ..race::Decided::default() };
    let explorations = Explorations { led: Led::not_asked(&idle), small: None, finders: Vec::new(), decided };
    conclude(model, config, stated, explorations, monitor)
}

/// From the results of the attempts to the report.
fn conclude(
    model: &Arc<Model>,
    config: &Config,
    stated: &[claims::Stated],
    explorations: Explorations,
    mut monitor: &mut dyn Monitor,
) -> CheckedModel {
    let Explorations { led, small, finders, decided } = explorations;
    let counted_states = led.counted_states();
    let Led {
        explored,
        width,
        slots,
        successors,
        cut,
        sample,
        states: counted,
        order,
        proof,
        certificate,
        abstraction,
        engine,
    } = led;
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
    let conflict = decided.contradiction;
    let internal = internal.or(conflict.as_ref().map(ConflictReport::sentence));
    let mut runs = Runs::default();
    if internal.is_none() && config.checks.contains(&Check::Properties) {
        // The reason to end the first search ends all.
        let stop =
            outcome.stop.filter(|stop| matches!(stop, Stop::Time | Stop::Interrupted | Stop::Checkpoint));
        let stop = stop.or(decided.is_full.then_some(Stop::Errors)).or(decided.stop);
        let states = counted_states.filter(|_| config.wants_safety());
        let by = config.other_engine().and_then(engines::named).and_then(Engine::claims);
        let decided = (decided.properties, by);
        runs = runs::check_undecided(model, config, stated, (states, stop), decided, &mut monitor);
        attempts.extend(searched_afterwards(model, config, stated, &runs));
    }
    runs.internal = internal.or(runs.internal);
    let certificate = with_claims(certificate, &runs.proofs);
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
    search.answered_by = engine.to_string();
    search.proof = proof;
    search.abstraction = abstraction;
    if let Some((_, finder)) = decided.finders.first() {
        search.order = match finder.kind {
            plan::Kind::Walks(_) => "bfs+walks".to_string(),
            plan::Kind::Whole => format!("bfs+{}", finder.engine),
            _ => "bfs+dfs".to_string(),
        };
    }
    let searched = small.as_ref().map_or_else(|| Arc::clone(model), |small| Arc::clone(&small.model));
    let certificate = certificate.map(|invariant| Certificate { invariant, model: dump(&searched) });
    search.passes = small.map_or_else(Vec::new, |small| small.passes);
    search.approximation = explored.approximation;
    let mut report = verdict::report(model, config, &outcome, &confirmed, unreached, search, runs);
    report.conflict = conflict;
    let arithmetic = report.search.abstraction.as_ref().and_then(|of| of.arithmetic.as_ref());
    report.conditions.extend(arithmetic.map(ArithmeticReport::condition));
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
    let found = ModelFound { outcome, runs: found_runs, refused, again, certificate };
    Checked { report, found, attempts }
}

/// A certificate of states and steps with the proofs of claims.
fn with_claims(own: Option<String>, proofs: &[ClaimProof]) -> Option<String> {
    match (own, proofs) {
        (own, []) => own,
        (own, proofs) => Some(own.unwrap_or_default() + &write_claims(proofs)),
    }
}

/// The searches for properties after the others, as attempts of the plan.
fn searched_afterwards(
    model: &Model,
    config: &Config,
    stated: &[claims::Stated],
    runs: &Runs,
) -> Vec<Executed> {
    let searched = |attempt: &Attempt| match &attempt.target {
        plan::Target::Property(number, _) => {
            runs.properties.get(*number).is_some_and(|property| property.search.is_some())
        }
        plan::Target::States | plan::Target::BadPrefixes(_) => false,
    };
    let after = plan::attempts(model, config, stated).into_iter().filter(|one| one.share == Share::After);
    after.filter(searched).map(|attempt| Executed { attempt, end: End::Answered }).collect()
}
