//! The models of `tests/reduction`: every verdict is the same with and without reduction.

use std::path::Path;
use std::sync::Arc;

use axle_check::{Config, Verdict, check};
use axle_search::{Limits, Reduced, Reduction, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};
use axle_step::{Batch, FaultKind, Interpreter, Successors};

#[test]
fn what_is_left_out_changes_no_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reduction");
    let (mut models, mut violated) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "pml") {
            continue;
        }
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let main = sources.add("m.pml", &std::fs::read_to_string(&path).unwrap());
        let options = axle_promela::Options::default();
        let loader = MemoryLoader::default();
        let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics);
        let model = Arc::new(model.unwrap_or_else(|| panic!("{} is a model", path.display())));
        let said = |reduction| {
            let limits = Limits { errors: None, ..Limits::default() };
            let report =
                check(&model, &Config { reduction, limits, ..Config::default() }, &mut Silent).report;
            assert_eq!(report.internal, None, "{}", path.display());
            report.properties.into_iter().map(|one| (one.name, one.verdict)).collect::<Vec<_>>()
        };
        let whole = said(Reduction::None);
        models += 1;
        violated += usize::from(whole.iter().any(|(_, verdict)| *verdict == Verdict::Violated));
        assert_eq!(said(Reduction::Ample), whole, "{}", path.display());
        assert_eq!(said(Reduction::Stubborn), whole, "{}", path.display());
    }
    assert!(models >= 5 && violated >= 5, "{models} models, {violated} violated");
}

/// What goes wrong in a set that cannot move is said where it goes wrong, whichever set is looked at in its place.
#[test]
fn faults_of_every_set_passed_over_are_kept() {
    let text = "byte v[2]; byte x;
        active proctype Waits() { byte l; (l == 1) }
        active proctype Wrong() { byte l = 5; (v[l] == 1); v[0] = 1 }
        active proctype Moves() { x = 1; x = 2 }";
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("m.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics).unwrap();
    let model = Arc::new(model);
    let mut inner = Interpreter::new(Arc::clone(&model), axle_step::Options::default());
    let constants = inner.constants().to_vec();
    let mut reduced = Reduced::new(&mut inner, &model, &constants, None, Reduction::Stubborn);
    let start = reduced.initial(&mut Vec::new());
    let mut batch = Batch::default();
    reduced.expand(&start, &mut batch).unwrap();
    assert_eq!(batch.ends, [1], "only one process is looked at");
    assert_eq!(reduced.savings().reduced, 1);
    let kinds: Vec<_> = batch.faults.iter().map(|fault| fault.kind).collect();
    assert_eq!(kinds, [FaultKind::IndexOutOfRange]);
}
