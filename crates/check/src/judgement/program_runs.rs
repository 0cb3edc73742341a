//! Checks what every run of a program must do.
//!
//! *Entry points:* [`check`], [`walk`].
//!
//! Each property has a search of its own, in the product of the program and the automaton of what
//! must not happen ([`axle_search::liveness`]); after the first states by all threads. A run that is found is walked again, the propositions are
//! evaluated in each of its states, and the formula is judged on that word by its definition,
//! without the automaton.
//!
//! *Invariant:* "holds" comes from a search that ended by itself, of a program of which everything
//! else is known to be right.

use axle_c::Program;
use axle_c_evidence::{ProgramViolation, tell, warnings};
use axle_c_exec::{Observer, Settings, Stepper, TraceStep, observed_variables, walk_run};
use axle_evidence::program_trail;
use axle_evidence::program_trail::ProgramTrail;
use axle_evidence::report::reason::Words;
use axle_evidence::report::{PropertyReport, RunSearchReport, Verdict, ViolationReport, WarningReport};
use axle_evidence::trace::{Observed, Trace, Turned};
use axle_explicit::{lossy_runs, program_threads, threads};
use axle_ltl::bad_prefix::is_bad;
use axle_ltl::lasso::{Lasso, satisfies};
use axle_outcome::{Reason, ViolationKind};
use axle_question::account::of_letters;
use axle_question::checks::Check;
use axle_question::config::{Config, Order};
use axle_question::run_property::RunProperty;
use axle_question::subject::Subject;
use axle_search::claim::Claim;
use axle_search::liveness::LivenessOptions;
use axle_search::{Arrangement, Fairness, Finding, LivenessOutcome, Monitor, Reordered, Stop, liveness};
use axle_step::{Batch, Statistics, Successors};
use axle_store::NumberedSet;

use crate::judgement::run_report::{fairness_name, formula_message, weak_fairness};
use crate::judgement::vacuity::stays_initial;
use crate::judgement::{describe, program_vacuity, program_verdict};

/// The result of the search for a property.
pub struct Judged {
    /// Its row in the report.
    pub property: PropertyReport,
    /// A violating execution that was replayed.
    pub violation: Option<(ViolationReport, ProgramViolation)>,
    /// The conditions of its verdict.
    pub conditions: Vec<String>,
    /// The inputs that were not tried in full, if the property is undecided for this reason.
    pub warnings: Vec<WarningReport>,
    /// The limit that ended the search.
    pub stop: Option<Stop>,
    /// A defect of Axle: an execution that does not replay.
    pub internal: Option<String>,
    /// The steps that the search has executed, by function and step.
    pub taken: Vec<Vec<bool>>,
}

/// Checks a property. `doubt` says why nothing could be said of runs, where that is so.
pub fn check(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    doubt: Option<Reason>,
    monitor: &mut impl Monitor,
) -> Judged {
    let words = Words { names: config.vocabulary, model: None };
    let mut judged = Judged {
        property: PropertyReport::undecided(one.name.clone(), one.meaning.clone()),
        violation: None,
        conditions: Vec::new(),
        warnings: Vec::new(),
        stop: None,
        internal: None,
        taken: Vec::new(),
    };
    if let Some(reason) = doubt.or(config.states_only().then_some(Reason::StatesOnly)) {
        judged.property.leave_open(reason, &words);
        return judged;
    }
    if config.order_chosen && config.order == Order::DepthFirst {
        judged.property.remarks.push("searched by components: depth-first search applies to states".into());
    }
    let (claim, fairness) = match one.searched(config) {
        Ok(searched) => searched,
        Err(what) => {
            judged.property.leave_open(Reason::NotSupported { what, place: None }, &words);
            return judged;
        }
    };
    let settings = one.settings(subject.settings);
    let program = one.observed(subject.program);
    let mut stepper = begun(&program, &settings, config, monitor);
    let mut outcome = match search(&mut stepper, config, one, &claim, fairness, monitor) {
        Ok(outcome) => outcome,
        Err(what) => {
            judged.property.leave_open(Reason::NotSupported { what, place: None }, &words);
            return judged;
        }
    };
    judged.property.search = Some(told(one, config, &claim, fairness, &outcome));
    judged.conditions = program_verdict::conditions(subject, config, &stepper);
    judged.taken = stepper.taken().to_vec();
    // The order in which errors are met depends on the number of threads.
    let ends = |error_site: &&axle_c_exec::ErrorSite| !continues(&error_site.error, fairness);
    let errors = stepper.error_sites().iter().filter(ends).min();
    let cut_off = errors.or(stepper.inconclusive_reasons().iter().min());
    if let Some(stop) = outcome.stop {
        judged.stop = Some(stop);
        judged.property.leave_open(describe::reason(stop, config), &words);
    }
    match outcome.finding.take() {
        // An execution that an error or an unsupported operation ends may not be what violates the
        // formula.
        Some(Finding::Cycle(lasso))
            if lasso.cycle.iter().all(|step| step.system.is_none())
                && let Some(error_site) = cut_off =>
        {
            judged.property.leave_open(ends_early(error_site), &words);
        }
        Some(Finding::Cycle(lasso)) => {
            let steps: Vec<Option<u32>> =
                lasso.prefix.iter().chain(&lasso.cycle).map(|step| step.system).collect();
            confirm(subject, config, one, (&steps, lasso.cycle.len()), &mut judged);
        }
        Some(Finding::ClaimEnd(prefix, _)) => {
            let steps: Vec<Option<u32>> = prefix.steps.iter().map(|step| step.system).collect();
            confirm(subject, config, one, (&steps, 0), &mut judged);
        }
        Some(Finding::ClaimAssertion(..)) => {
            judged.internal = Some(format!("{}: the automaton of a formula has come to an end", one.name));
        }
        None if outcome.stop.is_none() => {
            match (cut_off, program_verdict::under_approximation(subject, &stepper)) {
                (None, None) => judged.property.verdict = Verdict::Holds,
                (None, Some(reason)) => {
                    judged.property.leave_open(reason, &words);
                    judged.warnings = warnings::restrictions(subject.sources, &stepper, config.vocabulary);
                }
                (Some(error_site), _) => {
                    judged.property.leave_open(ends_early(error_site), &words);
                }
            }
        }
        None => {}
    }
    if judged.property.verdict == Verdict::Holds {
        drop(stepper);
        monitor.holds(&one.name);
        let found = program_vacuity::vacuity(subject, config, one, (&claim, &outcome), monitor);
        judged.property.is_vacuous = found.is_vacuous;
        judged.property.vacuity = found.reasons;
        judged.property.remarks.extend(found.remarks);
    }
    judged
}

/// An error ends executions on which the formula has no value.
fn ends_early(error_site: &axle_c_exec::ErrorSite) -> Reason {
    Reason::EndsEarly { error: error_site.error.message() }
}

/// Searches the product of the program and a claim over the propositions of a property.
pub(super) fn explore(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    (claim, fairness): (&Claim, Fairness),
    monitor: &mut impl Monitor,
) -> Result<LivenessOutcome, String> {
    let settings = one.settings(subject.settings);
    let program = one.observed(subject.program);
    let mut stepper = begun(&program, &settings, config, monitor);
    search(&mut stepper, config, one, claim, fairness, monitor)
}

/// The transition relation of a program for a search of its executions.
fn begun<'p>(
    program: &'p Program,
    settings: &'p Settings,
    config: &Config,
    monitor: &impl Monitor,
) -> Stepper<'p> {
    let mut stepper = Stepper::new(program, settings);
    stepper.tell_movers();
    stepper.ask_first(monitor.interrupt());
    stepper.limit_states(config.limits.memory);
    stepper.initial(&mut Vec::new());
    stepper
}

/// Whether the search continues an execution behind an error, by repeating its last state. Under a
/// fairness assumption it does not for a livelock, in which threads are enabled.
fn continues(error: &axle_c_exec::ErrorKind, fairness: Fairness) -> bool {
    is_rest(error) && (fairness == Fairness::None || matches!(error, axle_c_exec::ErrorKind::Deadlock(_)))
}

/// A deadlock is an infinite execution that repeats its last state.
pub fn is_rest(error: &axle_c_exec::ErrorKind) -> bool {
    matches!(error, axle_c_exec::ErrorKind::Deadlock(_) | axle_c_exec::ErrorKind::Livelock(_))
}

fn search(
    stepper: &mut Stepper<'_>,
    config: &Config,
    one: &RunProperty,
    claim: &Claim,
    fairness: Fairness,
    monitor: &mut impl Monitor,
) -> Result<LivenessOutcome, String> {
    let question = LivenessOptions {
        fairness,
        algorithm: axle_search::Algorithm::Components,
        shorten: config.shortest,
        prefer: config.prefer,
        limits: config.limits,
        ..LivenessOptions::default()
    };
    // Several threads search after the first states if there are more.
    let several = program_threads::applies_to_runs(config, &question, monitor);
    let first = match several {
        true => threads::first_states(&question, threads::PROGRAM),
        false => question,
    };
    let outcome = by_one(stepper, config, one, claim, &first, monitor)?;
    if !several || outcome.stop != Some(Stop::States) {
        return Ok(outcome);
    }
    match program_threads::for_runs(stepper, config, claim, &one.propositions, &question, monitor) {
        Some(outcome) => Ok(outcome),
        None => by_one(stepper, config, one, claim, &question, monitor),
    }
}

/// Searches with one thread.
fn by_one(
    stepper: &mut Stepper<'_>,
    config: &Config,
    one: &RunProperty,
    claim: &Claim,
    question: &LivenessOptions,
    monitor: &mut impl Monitor,
) -> Result<LivenessOutcome, String> {
    let mut observer = Observer::new(stepper, one.propositions.clone());
    // The search keeps a few bytes a state beside the set.
    let limit = config.limits.memory.map_or(u64::MAX, |memory| memory / 8 * 7);
    let is_tree = threads::compresses_runs(config, false);
    let set = NumberedSet::packed(liveness::width(stepper), limit, is_tree);
    let Ok(mut set) = set else { return Err("there is no memory for its search".to_string()) };
    // A reordered graph does not report the executing threads, which fairness needs.
    let arrangement = match question.fairness {
        Fairness::None => config.approximate.arrangement,
        Fairness::Weak | Fairness::Strong => Arrangement::AsMade,
    };
    let mut graph = Reordered::new(stepper, arrangement);
    let mut outcome = liveness::search(&mut graph, &mut observer, claim, &mut set, question, monitor)
        .map_err(|refused| format!("its search is refused: {refused:?}"))?;
    lossy_runs::unfold(&mut graph, &mut outcome);
    Ok(outcome)
}

/// Walks a run that was found again, and judges it.
fn confirm(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    (steps, cycle): (&[Option<u32>], usize),
    judged: &mut Judged,
) {
    let fairness = if cycle == 0 { Fairness::None } else { one.fairness(config) };
    let settings = one.settings(subject.settings);
    let mut steps = steps.to_vec();
    if config.spoil_paths {
        steps.push(Some(u32::MAX));
    }
    match walk(subject, &settings, one, fairness, &steps, cycle) {
        Ok(trace) => {
            let told = violation(subject, config, one, (&steps, cycle), trace);
            judged.property.decide(Verdict::Violated);
            judged.violation = Some(told);
        }
        Err(fault) => {
            judged.property.leave_open(Reason::NotReplayed { own: true }, &Words::PLAIN);
            judged.internal = Some(format!("{}: {fault}; steps {steps:?}", one.name));
        }
    }
}

/// The report of a run that was walked and violates its property, with its trail.
fn violation(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    (steps, cycle): (&[Option<u32>], usize),
    trace: Trace,
) -> (ViolationReport, ProgramViolation) {
    let fairness = if cycle == 0 { Fairness::None } else { one.fairness(config) };
    let settings = one.settings(subject.settings);
    let (kind, message) = match &one.formula {
        Some(_) => (ViolationKind::Formula, formula_message(&one.name, &one.meaning, trace.account.as_ref())),
        None => (ViolationKind::NoEnd, "the program need not come to its end".to_string()),
    };
    let first = steps.len() - cycle;
    let mut details = vec![match (cycle, steps[first..].iter().all(Option::is_none)) {
        (0, _) => violating_step(&trace),
        (_, true) => format!("every thread is blocked after {first} transitions"),
        (_, false) => "the last steps repeat forever".to_string(),
    }];
    if fairness != Fairness::None {
        details.push(format!("under {} fairness", fairness_name(fairness)));
    }
    // The search for a program that ends assumes weak fairness by default.
    let unfair = cycle > 0 && fairness == Fairness::None;
    if unfair && walk(subject, &settings, one, Fairness::Weak, steps, cycle).is_err() {
        details.push(weak_fairness(config.vocabulary));
    }
    let check = if one.formula.is_some() { &one.name } else { Check::Termination.name() };
    let report = ViolationReport {
        property: check.to_string(),
        kind,
        message,
        process: None,
        place: None,
        statement: None,
        depth: trace.steps.len() as u64,
        count: 1,
        details,
        path: steps.to_vec(),
        cycle: (cycle > 0).then_some(cycle as u64),
        attempt: None,
        rows: Vec::new(),
    };
    let trail = ProgramTrail {
        axle_trail: program_trail::VERSION,
        axle: env!("CARGO_PKG_VERSION").to_string(),
        files: subject.files.to_vec(),
        arguments: subject.arguments.to_vec(),
        fingerprint: axle_c_exec::fingerprint(subject.program, &settings),
        kind: one.name.clone(),
        at: Vec::new(),
        fairness: Some(fairness_name(fairness).to_string()),
        path: steps.to_vec(),
        cycle,
    };
    (report, ProgramViolation { trace, trail, waypoints: Vec::new() })
}

/// The violation of a property by a given run, which is walked and judged under the fairness
/// assumption of the configuration.
pub fn replayed(
    subject: &Subject,
    config: &Config,
    one: &RunProperty,
    steps: &[Option<u32>],
    cycle: usize,
) -> Result<(ViolationReport, ProgramViolation), String> {
    let fairness = if cycle == 0 { Fairness::None } else { one.fairness(config) };
    let settings = one.settings(subject.settings);
    let trace = walk(subject, &settings, one, fairness, steps, cycle)?;
    if cycle > 0 && steps[steps.len() - cycle..].iter().all(Option::is_none) {
        rests(subject, &settings, one, steps, cycle)?;
    }
    Ok(violation(subject, config, one, (steps, cycle), trace))
}

/// Refuses a run that stands still behind an error or an unsupported operation: nothing is known of its
/// continuation.
fn rests(
    subject: &Subject,
    settings: &Settings,
    one: &RunProperty,
    steps: &[Option<u32>],
    cycle: usize,
) -> Result<(), String> {
    let program = one.observed(subject.program);
    let mut stepper = Stepper::new(&program, settings);
    stepper.initial(&mut Vec::new());
    let walked = walk_run(&stepper, steps, cycle, &[])?;
    let mut last = walked.states.into_iter().last().unwrap_or_default();
    let mut out = Batch::default();
    loop {
        while stepper.width() < last.len() {
            stepper.grow(stepper.size() + 1);
        }
        last.resize(stepper.width(), 0);
        match stepper.expand(&last, &mut out) {
            Ok(()) => break,
            Err(grow) => stepper.grow(grow.size),
        }
    }
    let is_rest_site = |site| stepper.error_site(site).is_some_and(|site| is_rest(&site.error));
    let rests = out.faults.iter().all(|fault| is_rest_site(fault.site));
    match rests && stepper.inconclusive_reasons().is_empty() {
        true => Ok(()),
        false => Err("the run ends in an error, behind which nothing is known".into()),
    }
}

/// Walks a run and judges it; the trace says in each step what holds after it.
pub fn walk(
    subject: &Subject,
    settings: &Settings,
    one: &RunProperty,
    fairness: Fairness,
    path: &[Option<u32>],
    cycle: usize,
) -> Result<Trace, String> {
    if cycle > path.len() || (cycle == 0 && one.formula.is_none()) {
        return Err("the execution is not infinite".into());
    }
    let program = one.observed(subject.program);
    let mut stepper = Stepper::new(&program, settings);
    stepper.initial(&mut Vec::new());
    let walked = walk_run(&stepper, path, cycle, &one.propositions)?;
    let first = path.len() - cycle;
    if walked.states[first] != walked.states[path.len()] {
        return Err("the last steps do not lead back to where they began".into());
    }
    let mut observer = Observer::new(&stepper, one.propositions.clone());
    let letters: Vec<Vec<bool>> = walked.states.iter().map(|state| observer.letter(state)).collect();
    let observed = observed_variables(&stepper, &walked.states[0], &one.propositions);
    if let (0, Some(formula)) = (cycle, &one.formula) {
        return match is_bad(formula, letters.iter().map(|letter| bits(letter))) {
            Some(true) => {
                let told = told_run(subject, one, violating_part(one, &walked.steps), &letters, None);
                Ok(Trace { observed, ..told })
            }
            Some(false) => Err("some continuation of the execution satisfies the property".into()),
            None => Err("the formula is too large to judge a finite execution".into()),
        };
    }
    let word = |range: std::ops::Range<usize>| letters[range].iter().map(|letter| bits(letter)).collect();
    let word = Lasso { prefix: word(0..first), cycle: word(first..path.len()) };
    let broken = match &one.formula {
        Some(formula) => !satisfies(&word, formula),
        None => letters[first..path.len()].iter().any(|letter| letter[0]),
    };
    if !broken {
        return Err("the run does not break the property".into());
    }
    fair(fairness, &walked.movers[first..], &walked.enabled[first..])?;
    let told = told_run(subject, one, &walked.steps, &letters, Some(first as u64));
    Ok(Trace { observed, ..told })
}

/// Whether every thread is treated as the assumption says.
fn fair(fairness: Fairness, movers: &[Option<u32>], enabled: &[Vec<u32>]) -> Result<(), String> {
    let mut threads: Vec<u32> = enabled.iter().flatten().copied().collect();
    threads.sort_unstable();
    threads.dedup();
    for thread in threads {
        let wronged = match fairness {
            Fairness::None => false,
            Fairness::Weak => enabled.iter().all(|list| list.contains(&thread)),
            Fairness::Strong => true,
        };
        if wronged && !movers.contains(&Some(thread)) {
            return Err(format!("thread {thread} is enabled infinitely often and never executed"));
        }
    }
    Ok(())
}

/// A finite execution up to the visible step of its last transition. The steps behind it change no
/// variable of the property.
fn violating_part<'s>(one: &RunProperty, steps: &'s [TraceStep]) -> &'s [TraceStep] {
    let last = steps.last().map(|step| step.transition);
    match steps.iter().position(|step| Some(step.transition) == last) {
        Some(first) if one.watch.steps.is_empty() => &steps[..=first],
        _ => steps,
    }
}

/// The step at which every continuation of a finite execution violates the property.
fn violating_step(trace: &Trace) -> String {
    let Some(last) = trace.steps.last() else { return "violated in the initial state".to_string() };
    let place = last.by.place.as_ref();
    let at = place.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    format!("violated by step {}: {}{at}: {}", last.step, last.by.process, last.by.statement)
}

/// The run as a trace. Statements count, not transitions: the cycle begins with the first statement
/// behind it. `first`: the transitions before the cycle; none for a finite execution.
fn told_run(
    subject: &Subject,
    one: &RunProperty,
    steps: &[TraceStep],
    letters: &[Vec<bool>],
    first: Option<u64>,
) -> Trace {
    let seen = |transition: usize| {
        let letter = letters.get(transition).or(letters.last());
        let holds = one.texts.iter().zip(letter.into_iter().flatten()).filter(|(_, holds)| **holds);
        Observed { holds: holds.map(|(text, _)| text.clone()).collect(), claim: None }
    };
    let mut told = tell::steps(subject.sources, steps);
    // The first statement behind the last observed state, and the transition that led to it.
    let (mut from, mut before) = (0, 0);
    // For each observed state, its last transition and the statement that leads to it.
    let mut causes = vec![(0, 0)];
    for (index, step) in steps.iter().enumerate().filter(|_| one.formula.is_some()) {
        let next = steps.get(index + 1).map(|next| next.transition);
        if next == Some(step.transition) {
            continue;
        }
        // Transitions without a statement of their own belong to the statement before.
        let end = next.map_or(letters.len(), |next| next as usize).saturating_sub(1);
        told[index].observed = Some(seen(end));
        let mut first = None;
        for (proposition, holds) in turns(letters, before, end) {
            let cause = from + cause(&steps[from..=index], proposition, holds);
            first = Some(first.map_or(cause, |first: usize| first.min(cause)));
            let proposition = one.texts[proposition].clone();
            told[cause].turned.push(Turned { proposition, holds });
        }
        causes.push((end, told[first.unwrap_or(index)].step));
        (from, before) = (index + 1, end);
    }
    let begin = first.and_then(|first| steps.iter().position(|step| step.transition > first));
    let cycle = begin.map(|at| at as u64 + 1);
    let ending = match begin {
        _ if first.is_none() => Vec::new(),
        Some(_) => Vec::new(),
        None => vec!["--- every thread is blocked ---".to_string()],
    };
    let start = one.formula.is_some().then(|| seen(0));
    let step_of = |position: usize| {
        causes.iter().find(|(end, _)| *end >= position).or(causes.last()).map_or(0, |(_, step)| *step)
    };
    let letters: Vec<u64> = letters.iter().map(|letter| bits(letter)).collect();
    let word = (letters, first.map(|first| first as usize + 1));
    let formula = one.formula.as_ref();
    let account = formula.and_then(|formula| of_letters(formula, &one.texts, word, &step_of));
    Trace { ending, start, cycle, account, ..Trace::of(told) }
}

/// The values of the first propositions as bits.
fn bits(letter: &[bool]) -> u64 {
    letter.iter().take(64).enumerate().fold(0, |bits, (at, &holds)| bits | u64::from(holds) << at)
}

/// The propositions that differ between two states, with their values in the later one.
fn turns(letters: &[Vec<bool>], before: usize, end: usize) -> Vec<(usize, bool)> {
    let (Some(before), Some(after)) = (letters.get(before), letters.get(end)) else { return Vec::new() };
    let both = before.iter().zip(after).enumerate();
    both.filter(|(_, (old, new))| old != new).map(|(proposition, (_, new))| (proposition, *new)).collect()
}

/// The statement of a transition that gives a proposition its value: the last one that turns it. The
/// last statement, where the values in between are not known.
fn cause(steps: &[TraceStep], proposition: usize, holds: bool) -> usize {
    let value = |step: &TraceStep| step.letter.get(proposition).copied();
    let other = steps.iter().rposition(|step| value(step) == Some(!holds));
    let first = other.map_or(0, |at| at + 1);
    let found = (first..steps.len()).find(|at| value(&steps[*at]) == Some(holds));
    found.unwrap_or(steps.len().saturating_sub(1))
}

/// The search, for the report.
fn told(
    one: &RunProperty,
    search: &Config,
    claim: &Claim,
    fairness: Fairness,
    outcome: &LivenessOutcome,
) -> RunSearchReport {
    let count = |seen: &[bool]| seen.iter().filter(|seen| **seen).count() as u64;
    let edges: u64 = outcome.coverage.edges.iter().map(|seen| count(seen)).sum();
    RunSearchReport {
        passes: Vec::new(),
        reduction: None,
        algorithm: "scc".to_string(),
        fairness: fairness_name(fairness).to_string(),
        propositions: one.texts.clone(),
        claim_states: [claim.locations.len() as u64, count(&outcome.coverage.locations)],
        claim_transitions: [claim.edges().count() as u64, edges],
        states: outcome.states.into(),
        transitions: outcome.transitions.into(),
        store: threads::store_of_runs(search, false).to_string(),
        states_memory: outcome.memory.states,
        search_memory: outcome.memory.paths,
        approximation: None,
        is_safety: one.safety().is_some(),
        stays_initial: (one.formula.as_ref()).is_some_and(|formula| stays_initial(formula, claim, outcome)),
    }
}
