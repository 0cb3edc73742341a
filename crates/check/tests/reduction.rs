//! The models of `tests/reduction`: every verdict is the same with and without reduction.

use std::path::Path;
use std::sync::Arc;

use axle_check::{Config, Verdict, check};
use axle_search::{Limits, Reduction, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};

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
