//! Formulas, never claims and labels by every engine that decides them, against the explicit-state one:
//! through the same call, on the conformance models and on random programs, under each fairness assumption.

use crate::promela::compiled;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axle_check::plan::EngineId;
use axle_check::{Check, CheckedModel, Config, Verdict, check};
use axle_generate::promela::{Audience, program};
use axle_model::{Model, PropertyKind};
use axle_outcome::Reason;
use axle_question::claims;
use axle_search::{Fairness, Limits, Monitor, Progress, Stop};

/// The time of an engine for a model.
const TIME: Duration = Duration::from_millis(800);

/// Ends a search after a time, where there is one.
struct Deadline(Option<Instant>);

impl Monitor for Deadline {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        self.0.is_some_and(|end| Instant::now() > end).then_some(Stop::Time)
    }
}

/// Whether a model states something about executions.
fn has_claims(model: &Model) -> bool {
    let by_default = claims::names(model).iter().any(|one| one.by_default);
    let is_trace = |kind: &PropertyKind| matches!(kind, PropertyKind::Trace(_) | PropertyKind::NoTrace(_));
    by_default && !model.properties.iter().any(|property| is_trace(&property.kind))
}

/// The conformance models and random programs with claims.
fn models() -> Vec<(String, Arc<Model>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            texts.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    texts.sort();
    let random = std::env::var("AXLE_CLAIMS_RANDOM").ok().and_then(|number| number.parse().ok());
    for seed in 0..random.unwrap_or(60) {
        texts.push((format!("random {seed}"), program(17, seed, Audience::Axle).to_string()));
    }
    let models = texts.into_iter().filter_map(|(name, text)| Some((name, compiled(&text)?)));
    models.filter(|(_, model)| has_claims(model)).collect()
}

fn checked(model: &Arc<Model>, fairness: Fairness, engine: Option<EngineId>, limits: Limits) -> CheckedModel {
    let limits = Limits { errors: None, ..limits };
    let checks = [Check::Properties].into();
    let mut deadline = Deadline(engine.map(|_| Instant::now() + TIME));
    check(model, &Config { engine, limits, fairness, checks, ..Config::default() }, &mut deadline)
}

/// The numbers of properties that were proved, refuted and left open.
fn compare(engine: EngineId, assumptions: &[Fairness], depth: Option<u64>) -> [usize; 3] {
    let (mut counts, mut open) = ([0; 3], Vec::new());
    for (name, model) in models() {
        for fairness in assumptions {
            let explicit =
                checked(&model, *fairness, None, Limits { states: Some(1_000), ..Limits::default() });
            let began = Instant::now();
            let by = checked(&model, *fairness, Some(engine), Limits { depth, ..Limits::default() });
            // What holds vacuously is asked last: at the end of the time, it is not known.
            let has_ended = began.elapsed() < TIME;
            assert_eq!(by.report.internal, None, "{name} {fairness:?}");
            for row in &by.report.properties {
                let expected = explicit.report.properties.iter().find(|one| one.name == row.name);
                if let (Verdict::Holds, Some(_), Some(one), true) =
                    (row.verdict, &row.search, expected, has_ended)
                {
                    let vacuity = (one.is_vacuous, &one.vacuity);
                    assert_eq!((row.is_vacuous, &row.vacuity), vacuity, "{name} {fairness:?}: {}", row.name);
                }
                let expected = expected.map(|one| one.verdict);
                match row.verdict {
                    Verdict::Holds => counts[0] += 1,
                    Verdict::Violated => counts[1] += 1,
                    // A lasso that the relation refuses shows that the reduction is wrong.
                    Verdict::Unknown if matches!(row.cause, Some(Reason::Uncertified { .. })) => {
                        panic!("{name} {fairness:?}: {} has no certificate", row.name)
                    }
                    Verdict::Unknown if expected == Some(Verdict::Unknown) => continue,
                    Verdict::Unknown => {
                        counts[2] += 1;
                        open.push(format!("{name} {fairness:?} {}: {:?}", row.name, row.reason));
                        continue;
                    }
                }
                if expected != Some(Verdict::Unknown) {
                    assert_eq!(Some(row.verdict), expected, "{name} {fairness:?}: {}", row.name);
                }
            }
        }
    }
    println!("{engine}: {counts:?} proved, refuted and open\n{}", open.join("\n"));
    counts
}

#[test]
fn decision_diagrams_decide_claims_as_the_explicit_search_does() {
    let [proved, refuted, open] =
        compare(EngineId::SYMBOLIC, &[Fairness::None, Fairness::Weak, Fairness::Strong], None);
    assert!(proved > 80 && refuted > 80 && open * 3 < proved + refuted, "{proved} {refuted} {open}");
}

#[test]
fn bounded_model_checking_finds_the_lassos_of_the_explicit_search() {
    let [_, refuted, _] = compare(EngineId::BMC, &[Fairness::None, Fairness::Weak], Some(10));
    assert!(refuted > 60, "{refuted}");
}

#[test]
fn induction_decides_claims_as_the_explicit_search_does() {
    let [proved, refuted, _] = compare(EngineId::INDUCTION, &[Fairness::None, Fairness::Weak], None);
    assert!(proved > 40 && refuted > 60, "{proved} {refuted}");
}

#[test]
fn property_directed_reachability_decides_claims_as_the_explicit_search_does() {
    let [proved, refuted, _] = compare(EngineId::PDR, &[Fairness::None, Fairness::Weak], None);
    assert!(proved > 40 && refuted > 60, "{proved} {refuted}");
}

#[test]
fn propositions_without_a_value_leave_a_claim_open_where_it_depends_on_them() {
    let model = crate::promela::model(
        "byte a[2]; byte i;
         active proctype P() { do :: i < 3 -> i++ :: i == 3 -> i = 0 od }
         ltl every { [] (a[i] == 0) }
         ltl guarded { [] (i < 2 -> a[i] == 0) }
         ltl eventually { <> (i == 1 && a[0] == 0) }",
    );
    for engine in [None, Some(EngineId::SYMBOLIC), Some(EngineId::PDR)] {
        let report = checked(&model, Fairness::None, engine, Limits::default()).report;
        let rows: Vec<Verdict> = report.properties.iter().map(|row| row.verdict).collect();
        assert_eq!(rows, [Verdict::Unknown, Verdict::Holds, Verdict::Holds], "{engine:?}");
        let reasons = report.properties.iter().map(|row| row.cause.clone());
        let is_proposition = |cause: Option<_>| matches!(cause, Some(Reason::Proposition { .. }));
        assert_eq!(reasons.map(is_proposition).collect::<Vec<_>>(), [true, false, false], "{engine:?}");
    }
}

#[test]
fn strong_fairness_is_refused_by_formulas_with_the_reason() {
    let model =
        crate::promela::model("byte x; active proctype P() { do :: x = 1 - x od } ltl f { [] <> (x == 1) }");
    for engine in [EngineId::BMC, EngineId::INDUCTION, EngineId::PDR] {
        let report = checked(&model, Fairness::Strong, Some(engine), Limits::default()).report;
        let cause = report.properties[0].cause.clone();
        assert!(matches!(cause, Some(Reason::NotSupported { .. })), "{engine}: {cause:?}");
    }
}

/// Processes that are always enabled: no step satisfies the fairness conditions of both.
#[test]
fn processes_that_are_always_enabled_execute_one_after_the_other() {
    let model = crate::promela::model(
        "bool x; active proctype P() { do :: x = !x od } active proctype Q() { do :: skip od }
         ltl toggles { [] <> x } ltl stays { <> [] x }",
    );
    for engine in [None, Some(EngineId::SYMBOLIC), Some(EngineId::INDUCTION), Some(EngineId::PDR)] {
        for (fairness, toggles) in [(Fairness::None, Verdict::Violated), (Fairness::Weak, Verdict::Holds)] {
            let report = checked(&model, fairness, engine, Limits::default()).report;
            let rows: Vec<Verdict> = report.properties.iter().map(|row| row.verdict).collect();
            assert_eq!(rows, [toggles, Verdict::Violated], "{engine:?} {fairness:?}");
        }
    }
}
