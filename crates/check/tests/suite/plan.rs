//! The plan of a check, and each of its attempts against the exact search.

use crate::promela::{compiled, model as model_of};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use axle_check::plan::{Attempt, EngineId, Kind, Share, Target, of_model};
use axle_check::program::termination;
use axle_check::{
    Auto, Checked, Config, Order, Pass, StoreChoice, Subject, System, SystemKind, Verdict, check,
    run_alone as run,
};
use axle_generate::promela::{Audience, program};
use axle_search::{Arrangement, Guide, Limits, Reduction, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};

fn shared() -> Config {
    Config { attempts: true, ..Config::default() }
}

const TWO: &str = "byte x; active proctype P() { do :: x = 1 - x od }
    ltl low { [] (x < 2) } ltl again { [] <> (x == 1) }";

#[test]
fn only_exact_attempts_are_conclusive_and_each_property_has_one() {
    let model = model_of(TWO);
    let plan = of_model(&model, &shared());
    let explicit = plan.iter().filter(|attempt| attempt.engine == EngineId::EXPLICIT);
    let exact: Vec<&Target> =
        explicit.filter(|attempt| attempt.is_conclusive).map(|attempt| &attempt.target).collect();
    let property = |number, name: &str| Target::Property(number, name.to_string());
    assert_eq!(exact, [&Target::States, &property(0, "low"), &property(1, "again")]);
    for attempt in plan {
        let is_exact = matches!(attempt.kind, Kind::Safety | Kind::Property | Kind::Whole);
        assert_eq!(attempt.is_conclusive, is_exact, "{}", attempt.name());
    }
}

#[test]
fn wide_data_has_attempts_of_its_own() {
    for (text, is_wide) in [(TWO, false), ("int x; active proctype P() { do :: x++ od }", true)] {
        let plan = of_model(&model_of(text), &shared());
        let beside = |wanted: fn(&Target) -> bool| -> Vec<&str> {
            let engines =
                plan.iter().filter(|attempt| attempt.kind == Kind::Whole && wanted(&attempt.target));
            engines.map(|attempt| attempt.engine.0).collect()
        };
        let hunter = is_wide.then_some("bmc");
        let abstraction = is_wide.then_some("abstract");
        let proofs = ["induction", "pdr"];
        let expected: Vec<&str> =
            ["symbolic"].into_iter().chain(hunter).chain(proofs).chain(abstraction).collect();
        assert_eq!(beside(|target| *target == Target::States), expected);
        // Two formulas, about data that is not wide.
        let for_formulas = beside(|target| matches!(target, Target::Property(..)));
        let engines = ["symbolic", "induction", "pdr"];
        let expected: Vec<&str> = engines.into_iter().flat_map(|engine| [engine, engine]).collect();
        assert_eq!(for_formulas, if is_wide { Vec::new() } else { expected });
    }
}

#[test]
fn a_selected_search_is_not_supplemented() {
    let model = model_of(TWO);
    let limits = Limits { states: Some(10), ..Limits::default() };
    for config in [
        Config::default(),
        Config { order: Order::DepthFirst, ..shared() },
        Config { store: StoreChoice::Bitstate, ..shared() },
        Config { shortest: true, ..shared() },
        Config { limits, ..shared() },
    ] {
        let plan = of_model(&model, &config);
        let beside = plan.iter().filter(|attempt| !matches!(attempt.share, Share::Rest | Share::After));
        assert_eq!(beside.count(), 0, "{config:?}");
        let proofs = plan.iter().filter(|attempt| attempt.is_conclusive).count();
        assert_eq!(proofs, if config.store.is_exact() { 3 } else { 0 });
    }
}

#[test]
fn properties_that_are_not_wanted_have_no_attempt() {
    let config = Config { only: Some(["again".to_string()].into()), ..shared() };
    let targets: BTreeSet<String> =
        of_model(&model_of(TWO), &config).iter().map(|attempt| attempt.target.to_string()).collect();
    assert_eq!(targets, ["again", "states and steps"].map(str::to_string).into());
}

/// Every kind of attempt, whether or not the default plan contains it.
fn hunters() -> Vec<Attempt> {
    let orders = [Arrangement::AsMade, Arrangement::Reversed, Arrangement::Shuffled(1)];
    let guides = [Guide::Uniform, Guide::Priorities, Guide::LeastTaken, Guide::Mixed];
    let kinds = orders.map(Kind::DepthFirst).into_iter().chain(guides.map(Kind::Walks));
    let hunter = |kind| Attempt {
        engine: if matches!(kind, Kind::Walks(_)) { EngineId::WALKS } else { EngineId::DEPTH_FIRST },
        kind,
        target: Target::States,
        share: Share::Fixed(0),
        start: 0,
        is_conclusive: false,
    };
    kinds.map(hunter).collect()
}

/// Compares every attempt with the exact search on random models.
#[test]
fn attempts_agree_with_the_exact_search() {
    let everything = Config { limits: Limits::default(), ..Config::default() };
    let (mut compared, mut found, mut decided, mut hunted) = (0, 0, 0, 0);
    for number in 0..250u64 {
        let text = program(3, number, Audience::Axle);
        let Some(model) = compiled(&text.to_string()) else { continue };
        let bounded = Limits { states: Some(5_000), ..Limits::default() };
        let exact = check(&model, &Config { limits: bounded, ..everything.clone() }, &mut Silent);
        if exact.found.outcome.stop.is_some() || exact.report.internal.is_some() {
            continue;
        }
        let known: BTreeSet<_> =
            exact.found.outcome.violations.iter().map(|v| (v.site.kind, v.proc, v.site.edge)).collect();
        for hunter in hunters() {
            let found_by = run(
                &model,
                &everything,
                &hunter,
                if matches!(hunter.kind, Kind::DepthFirst(_)) { u64::MAX } else { 2_000 },
            )
            .violations;
            for violation in &found_by {
                let key = (violation.site.kind, violation.proc, violation.site.edge);
                assert!(known.contains(&key), "{number}: {}: {violation:?}\n{text}", hunter.name());
                let mut interpreter =
                    axle_step::Interpreter::new(Arc::clone(&model), everything.step_options());
                let confirmed = axle_check::confirm(&mut interpreter, violation);
                assert!(confirmed.is_ok(), "{number}: {}: does not replay\n{text}", hunter.name());
            }
            if matches!(hunter.kind, Kind::DepthFirst(_)) {
                assert_eq!(found_by.len(), known.len(), "{number}: {} is exhaustive\n{text}", hunter.name());
            }
            found += found_by.len();
        }
        let stated = axle_check::claims::stated(&model);
        for attempt in of_model(&model, &Config { attempts: true, ..everything.clone() }) {
            if let Target::BadPrefixes(numbers) = &attempt.target {
                let is_exhaustive = matches!(attempt.kind, Kind::DepthFirst(_));
                let work = if is_exhaustive { u64::MAX } else { 2_000 };
                let alone = run(&model, &everything, &attempt, work).bad_prefixes;
                let violated = |name: &str| {
                    exact
                        .report
                        .properties
                        .iter()
                        .any(|one| one.name == name && one.verdict == Verdict::Violated)
                };
                for (position, &number) in numbers.iter().enumerate() {
                    let one = &stated[number];
                    let is_found = alone.iter().any(|found| found.site.0 as usize == position);
                    let name = attempt.name();
                    assert!(!is_found || violated(&one.name), "{number}: {name}: {}\n{text}", one.name);
                    let is_safety = one.bad_prefixes.as_ref().is_some_and(|it| it.is_safety());
                    // Where a proposition fails, the hunter looks no further.
                    let fails =
                        exact.found.runs.iter().any(|run| run.property == one.name && run.fault.is_some());
                    let must_be = is_exhaustive && is_safety && violated(&one.name) && !fails;
                    assert!(is_found || !must_be, "{number}: {name}: {}\n{text}", one.name);
                    hunted += usize::from(is_found);
                }
                continue;
            }
            let Target::Property(_, name) = &attempt.target else { continue };
            let verdict = exact.report.properties.iter().find(|one| one.name == *name).map(|one| one.verdict);
            if attempt.kind == Kind::Whole {
                // Engines may not end.
                let alone = run(&model, &everything, &attempt, 500).verdict;
                assert!(alone.is_none_or(|own| Some(own) == verdict), "{number}: {}\n{text}", attempt.name());
                continue;
            }
            let alone = run(&model, &everything, &attempt, u64::MAX).verdict;
            assert_eq!(
                alone,
                verdict.filter(|&verdict| verdict != Verdict::Unknown),
                "{number}: {name}\n{text}"
            );
            // A budget that is too small decides nothing, or the same.
            let early = run(&model, &everything, &attempt, 2).verdict;
            assert!(early.is_none() || early == alone, "{number}: {name}: {early:?}\n{text}");
            decided += usize::from(alone.is_some());
        }
        compared += 1;
    }
    let counts = [compared, found, decided, hunted];
    assert!(compared > 120 && found > 100 && decided > 10 && hunted > 5, "{counts:?}");
}

/// The report of the whole check does not depend on whether attempts run beside the exact search,
/// for models that the exact search decides first.
#[test]
fn checks_with_and_without_attempts_agree() {
    let mut compared = 0;
    for number in 0..200u64 {
        let text = program(5, number, Audience::Axle);
        let Some(model) = compiled(&text.to_string()) else { continue };
        let bounded = Limits { errors: None, ..Limits::default() };
        let verdicts = |attempts, threads| {
            let config = Config { attempts, threads, limits: bounded, ..Config::default() };
            let checked = check(&model, &config, &mut Stopped(60_000));
            assert_eq!(checked.report.internal, None, "{number}\n{text}");
            let rows = checked.report.properties.iter().map(|one| (one.name.clone(), one.verdict));
            (rows.collect::<Vec<_>>(), checked.found.outcome.stop.is_some())
        };
        let (without, is_cut) = verdicts(false, 1);
        // The search for a property may be cut too.
        if !is_cut && without.iter().all(|(_, verdict)| *verdict != Verdict::Unknown) {
            assert_eq!(without, verdicts(true, 1).0, "{number}\n{text}");
            assert_eq!(without, verdicts(true, 2).0, "{number} with two threads\n{text}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared} models were compared");
}

/// Stops a search at a number of states.
struct Stopped(u64);

impl axle_search::Monitor for Stopped {
    fn watch(&mut self, progress: &axle_search::Progress) -> Option<axle_search::Stop> {
        (progress.states >= self.0).then_some(axle_search::Stop::Time)
    }
}

#[test]
fn walks_reach_states_in_which_many_processes_have_come_equally_far() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/hunt/dynamic_processes.pml");
    let model = model_of(&std::fs::read_to_string(path).unwrap());
    let plan = of_model(&model, &shared());
    let walks =
        plan.iter().find(|attempt| matches!(attempt.kind, Kind::Walks(_))).expect("the plan has walks");
    assert!(!run(&model, &shared(), walks, 100_000).violations.is_empty());
}

#[test]
fn the_attempt_that_found_a_violation_is_named() {
    let model = model_of(
        "int n; byte w[6]; active [6] proctype Wide() { do :: w[_pid % 6]++ od }
         active proctype Deep() { do :: n < 1500 -> n++ :: else -> break od; assert(false) }",
    );
    let report = check(&model, &shared(), &mut Stopped(1_000_000)).report;
    assert_eq!(report.verdict, Verdict::Violated);
    let attempt = report.violations[0].attempt.as_deref();
    // Which of the attempts that go deep is first depends on their shares.
    let goes_deep = |name: &str| name.starts_with("depth-first search, ") || name.starts_with("one path");
    assert!(attempt.is_some_and(goes_deep), "{attempt:?}");
    // The exact search needs no name.
    let model =
        model_of("byte x; active proctype P() { do :: x < 200 -> x++ :: x == 100 -> assert(false) od }");
    let report = check(&model, &shared(), &mut Silent).report;
    assert_eq!(report.violations[0].attempt, None);
}

/// Four formulas of which the second and the last are violated, in a model with several pauses.
const FOUR: &str = "byte a, b, c;
    active proctype P() { do :: a < 40 -> a++ :: b < 40 -> b++ :: c < 40 -> c++ :: else -> break od }
    ltl low { [] (a <= 40) } ltl wrong { [] (b < 39) } ltl ends { <> (c == 40) } ltl total { [] (a + b < 80) }";

#[test]
fn answers_belong_to_their_properties() {
    let model = model_of(FOUR);
    let limits = Limits { errors: None, ..Limits::default() };
    let rows = |attempts, threads| {
        let config = Config { attempts, threads, limits, ..Config::default() };
        let report = check(&model, &config, &mut Silent).report;
        let named: Vec<_> = report.violations.iter().map(|violation| violation.property.clone()).collect();
        (report.properties.iter().map(|one| (one.name.clone(), one.verdict)).collect::<Vec<_>>(), named)
    };
    let expected = rows(false, 1);
    assert_eq!(expected.1, ["wrong", "total"].map(str::to_string));
    for threads in [1, 2, 3] {
        assert_eq!(rows(true, threads), expected, "{threads} threads");
    }
    // With one violation the check ends early: it is the right one, and what is not decided says so.
    for threads in [1, 2] {
        let report = check(&model, &Config { threads, ..shared() }, &mut Silent).report;
        for one in &report.properties {
            let known = expected.0.iter().find(|(name, _)| *name == one.name).map(|(_, verdict)| *verdict);
            assert!(one.verdict == Verdict::Unknown || Some(one.verdict) == known, "{one:?}");
        }
        let violated = report.violations.iter().map(|violation| violation.property.as_str());
        assert!(violated.clone().all(|name| expected.1.iter().any(|known| known == name)));
        assert!(violated.count() > 0);
    }
}

#[test]
fn an_exact_search_is_not_ended_without_a_violation() {
    let model = model_of(
        "byte a, b, c; active proctype P() { do :: a < 40 -> a++ :: b < 40 -> b++ :: c < 40 -> c++ :: else -> break od }",
    );
    let report = check(&model, &shared(), &mut Silent).report;
    assert_eq!((report.verdict, report.stop), (Verdict::Holds, None));
}

/// Checks that the attempts of a check are those of its plan, in an order that the plan allows.
fn assert_planned<F>(name: &str, plan: &[Attempt], checked: &Checked<F>) {
    for executed in &checked.attempts {
        assert!(plan.contains(&executed.attempt), "{name}: not planned: {}", executed.attempt.name());
    }
    let is_ended = checked.report.stop.is_some() || checked.report.verdict != Verdict::Holds;
    for attempt in plan {
        // A later attempt may start after the end of the check, or have no target left.
        let is_first = attempt.start == 0 && attempt.share != Share::Otherwise;
        let must_start = attempt.is_conclusive && is_first && !is_ended;
        let is_executed = checked.attempts.iter().any(|executed| executed.attempt == *attempt);
        assert!(is_executed || !must_start, "{name}: not executed: {}", attempt.name());
    }
    let mut starts = checked.attempts.iter().map(|executed| executed.attempt.kind);
    if plan.first().is_some_and(|first| first.kind == Kind::Opening) {
        assert_eq!(starts.next(), Some(Kind::Opening), "{name}");
    }
}

/// The printed plan of every conformance model is what a check executes.
#[test]
fn the_executed_attempts_of_conformance_models_are_those_of_the_plan() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            models.extend(compiled(&std::fs::read_to_string(&path).unwrap()).map(|model| (name, model)));
        }
    }
    assert!(models.len() > 200, "only {} models", models.len());
    let (mut attempts, mut several) = (0, 0);
    for (name, model) in &models {
        for auto in [Auto::Nothing, Auto::All] {
            let reduction = Reduction::Stubborn;
            let config = Config { auto, reduction, passes: Pass::ALL.into(), ..shared() };
            let plan = of_model(model, &config);
            let checked = check(model, &config, &mut Stopped(60_000));
            assert_planned(name, &plan, &checked);
            attempts += checked.attempts.len();
            several += usize::from(checked.attempts.len() > 2);
        }
    }
    assert!(attempts > 500 && several > 50, "{attempts} attempts, {several} checks with several");
}

/// A C program of the tests.
fn program_of(name: &str, text: &str) -> Option<(axle_c::Program, Sources)> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add(name, text);
    let options = axle_c::Options::default();
    let program =
        axle_c::compile(&[main], &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
    Some((program?, sources))
}

/// The printed plan of every C program of the tests is what a check executes.
#[test]
fn the_executed_attempts_of_c_programs_are_those_of_the_plan() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let (mut programs, mut attempts, mut several) = (0, 0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let Some((program, sources)) = program_of(&name, &text) else { continue };
        let properties = [termination()];
        let subject = Subject {
            program: &program,
            sources: &sources,
            files: std::slice::from_ref(&name),
            arguments: &[],
            stdin: None,
            settings: &axle_c_exec::Settings::default(),
            properties: if programs % 4 == 0 { &properties } else { &[] },
        };
        let limits = Limits { errors: Some(1), ..Limits::default() };
        let reduction = Reduction::Stubborn;
        let config = Config { limits, reduction, ..Config::of_kind(SystemKind::Program) };
        let plan = subject.plan(&config);
        let checked = check(&subject, &config, &mut Stopped(4_000));
        assert_planned(&name, &plan, &checked);
        programs += 1;
        attempts += checked.attempts.len();
        several += usize::from(checked.attempts.len() > 1);
    }
    assert!(programs > 300 && attempts >= programs && several > 50, "{programs}, {attempts}, {several}");
}
