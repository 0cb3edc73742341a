//! Every selectable engine against the explicit-state one, on the conformance models and on those with
//! former wrong verdicts: through the same call, with the same configuration but for the engine.

use crate::promela::compiled;
use std::path::Path;
use std::sync::Arc;

use axle_check::external::Checker;
use axle_check::plan::{Attempt, EngineId, Target, of_model};
use axle_check::{CheckedModel, Config, Verdict, check, engines};
use axle_model::Model;
use axle_search::{Limits, Monitor, Progress, Silent, Stop};

/// Ends a search after a number of polls.
struct Polls(u32);

impl Monitor for Polls {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        self.0 = self.0.saturating_sub(1);
        (self.0 == 0).then_some(Stop::Interrupted)
    }
}

/// The conformance models, and models with former wrong verdicts, of at most so many states, each with the result of the explicit search.
fn models(most: u64) -> Vec<(String, Arc<Model>, CheckedModel)> {
    let folders = ["conformance", "regressions"].map(|name| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name);
        std::fs::read_dir(folder).unwrap()
    });
    let mut models = Vec::new();
    for entry in folders.into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let Some(model) = compiled(&std::fs::read_to_string(&path).unwrap()) else { continue };
            let limits = Limits { states: Some(most), errors: None, ..Limits::default() };
            let explicit = check(&model, &Config { limits, ..Config::default() }, &mut Polls(u32::MAX));
            if explicit.found.outcome.stop.is_none() {
                models.push((name, model, explicit));
            }
        }
    }
    models.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    models
}

/// Compares the verdicts on states and steps, which all engines decide, within so many steps.
fn compare(engine: EngineId, depth: Option<u64>, least: [usize; 2]) {
    let models = models(300);
    let (mut proved, mut refuted) = (0, 0);
    for (name, model, explicit) in &models {
        let limits = Limits { errors: None, depth, ..Limits::default() };
        let threads = if engine == EngineId::DISTRIBUTED { 3 } else { 1 };
        let config = Config { engine: Some(engine), limits, threads, ..Config::default() };
        // Workers search states only; the properties are searched as without them.
        let is_by = |attempt: &Attempt| {
            let is_property = matches!(attempt.target, Target::Property(..));
            attempt.engine == engine
                || engine == EngineId::DISTRIBUTED && is_property && attempt.engine == EngineId::EXPLICIT
        };
        assert!(of_model(model, &config).iter().all(is_by));
        // Workers that wait for each other poll often.
        let polls = if engine == EngineId::DISTRIBUTED { u32::MAX } else { 300 };
        let checked = check(model, &config, &mut Polls(polls));
        assert_eq!(checked.report.internal, None, "{name}");
        assert!(checked.attempts.iter().all(|executed| is_by(&executed.attempt)), "{name}");
        if checked.found.outcome.stop.is_none() && checked.report.search.states > 0 {
            assert_eq!(checked.report.search.states, explicit.report.search.states, "{name}");
        }
        for row in &checked.report.properties {
            let of_explicit = explicit.report.properties.iter().find(|one| one.name == row.name);
            let expected = of_explicit.map(|one| one.verdict);
            match row.verdict {
                Verdict::Unknown => {}
                verdict => assert_eq!(Some(verdict), expected, "{name}: {}", row.name),
            }
            proved += usize::from(row.verdict == Verdict::Holds);
            refuted += usize::from(row.verdict == Verdict::Violated);
        }
    }
    let [least_proved, least_refuted] = least;
    assert!(proved >= least_proved && refuted >= least_refuted, "{engine}: {proved} and {refuted} rows");
}

#[test]
fn every_engine_but_the_explicit_one_is_compared() {
    let compared = ["explicit", "distributed", "symbolic", "bmc", "induction", "pdr", "abstract"];
    let processes = ["abc", "ric3", "nuxmv", "pono", "program"];
    let all: Vec<&str> = engines().map(|(id, _)| id.0).collect();
    assert_eq!(all, [&compared[..], &processes[..]].concat());
}

/// The answers of a hardware model checker, which are replayed and checked.
#[test]
fn a_process_contradicts_no_explicit_search() {
    let Some(program) = Checker::Abc.find(&std::env::var_os("PATH").unwrap_or_default()) else {
        eprintln!("skipped: ABC is not installed");
        return;
    };
    // A bad state behind a step, none, and none without the limit of a process.
    let models = [
        ("byte x; active proctype P() { x = 3; assert(x != 3) }", Verdict::Violated),
        (
            "byte x; active proctype P() { do :: x < 9 -> x++ :: x = 0 od } active proctype Q() { do :: assert(x < 10) od }",
            Verdict::Holds,
        ),
    ];
    for (text, verdict) in models {
        let model = crate::promela::model(text);
        for engine in [EngineId::ABC, EngineId::PROGRAM] {
            let config = Config { engine: Some(engine), program: Some(program.clone()), ..Config::default() };
            let report = check(&model, &config, &mut Silent).report;
            // ABC does not answer as a program of the competition, so that it is not believed.
            let expected = if engine == EngineId::ABC { verdict } else { Verdict::Unknown };
            assert_eq!((report.verdict, report.internal), (expected, None), "{text} by {engine}");
            assert!(report.search.answered_by == engine.0);
        }
    }
}

#[test]
fn decision_diagrams_have_the_verdicts_and_the_numbers_of_states_of_the_explicit_search() {
    compare(EngineId::SYMBOLIC, None, [800, 20]);
}

#[test]
fn workers_have_the_verdicts_and_the_numbers_of_states_of_the_explicit_search() {
    compare(EngineId::DISTRIBUTED, None, [800, 20]);
}

#[test]
fn bounded_model_checking_contradicts_no_explicit_search() {
    // Without a limit the length of executions grows without end where nothing is violated.
    compare(EngineId::BMC, Some(12), [0, 20]);
}

#[test]
fn induction_contradicts_no_explicit_search() {
    compare(EngineId::INDUCTION, None, [400, 20]);
}

#[test]
fn property_directed_reachability_contradicts_no_explicit_search() {
    compare(EngineId::PDR, None, [400, 20]);
}

#[test]
fn predicate_abstraction_contradicts_no_explicit_search() {
    compare(EngineId::ABSTRACT, None, [300, 20]);
}

#[test]
fn an_engine_that_does_not_apply_proves_nothing() {
    let model =
        crate::promela::model("byte x; active proctype P() { do :: x = 1 - x od } ltl low { [] (x < 2) }");
    for engine in [EngineId::SYMBOLIC, EngineId::BMC, EngineId::INDUCTION, EngineId::PDR, EngineId::ABSTRACT]
    {
        let limits = Limits { states: Some(10), ..Limits::default() };
        let config = Config { engine: Some(engine), limits, ..Config::default() };
        let report = check(&model, &config, &mut Polls(u32::MAX)).report;
        let unknown = |row: &axle_evidence::report::PropertyReport| row.verdict == Verdict::Unknown;
        assert!(report.properties.iter().all(unknown), "{engine}: {:?}", report.properties);
        // Within the limits the formula is decided, or left open for want of time.
        let config = Config { engine: Some(engine), ..Config::default() };
        let report = check(&model, &config, &mut Polls(10_000)).report;
        let low = report.properties.iter().find(|row| row.name == "low");
        // A bound proves nothing, and predicate abstraction is about states.
        let is_open = [EngineId::BMC, EngineId::ABSTRACT].contains(&engine);
        let expected = if is_open { Verdict::Unknown } else { Verdict::Holds };
        assert_eq!(low.map(|row| row.verdict), Some(expected), "{engine}");
    }
}
