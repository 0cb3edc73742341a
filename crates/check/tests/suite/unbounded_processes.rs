//! Models that create processes without end: no transition relation has all of them.

use axle_check::{Config, System, Verdict};
use axle_question::EngineId;
use axle_search::Silent;

use crate::promela::model as model_of;

/// The answer of a named engine.
fn answer(text: &str, engine: EngineId) -> (Verdict, String) {
    let config = Config { engine: Some(engine), ..Config::default() };
    let report = model_of(text).check(&config, &mut Silent).report;
    assert_eq!(report.internal, None, "{engine}: {text}");
    (report.verdict, report.stop.map(|stop| stop.message).unwrap_or_default())
}

#[test]
fn violations_by_few_processes_are_found() {
    // Before the violation, states in which a further process can be created are left by other steps: they
    // count among the successors by whose positions the trace is replayed.
    let text = "int n; proctype P() { atomic { n = n + 1 }; assert(n < 3); atomic { n = n - 1 } }
        init { do :: run P() od }";
    for engine in [EngineId::ABSTRACT, EngineId::BMC, EngineId::INDUCTION, EngineId::PDR] {
        assert_eq!(answer(text, engine).0, Verdict::Violated, "{engine}");
    }
}

#[test]
fn a_proof_about_few_processes_is_none() {
    let text = "bool set; proctype P() { set = 1 }
        init { do :: run P(); assert(set == 0 || set == 1) od }";
    for engine in [EngineId::ABSTRACT, EngineId::PDR, EngineId::SYMBOLIC] {
        let (verdict, reason) = answer(text, engine);
        assert_eq!(verdict, Verdict::Unknown, "{engine}");
        assert!(reason.contains("steps create more than 64 processes"), "{engine}: {reason}");
    }
}
