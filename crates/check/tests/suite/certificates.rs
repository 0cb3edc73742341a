//! Whatever a search says holds of states, a certificate of it is accepted; and where it says
//! something else there is none.

use crate::promela::compiled;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_certify::{Engine, How, Recorder, verify};
use axle_check::{Check, CheckedModel, Config, SuccessorChoice, check, check_recorded, claim, proves};
use axle_model::Model;
use axle_search::{Limits, Silent};

/// Past this a search is no test of a second; `cargo xtask certify` asks of larger models.
const MOST_STATES: u64 = 400_000;

fn certificate(model: &Arc<Model>, config: &Config) -> (CheckedModel, Option<Vec<u8>>) {
    let mut file = Vec::new();
    let claim = claim(model, config, "model.pml", Vec::new());
    let (checked, recorder, slots) =
        check_recorded(model, config, &mut Silent, Recorder::new(&mut file, &claim));
    let proof = proves(&checked, config).map(|()| recorder.finish(slots).expect("memory takes all"));
    (checked, proof.is_ok().then_some(file))
}

/// Every kind of fault that a model has excluded, so that the rest holds.
fn what_holds(checked: &CheckedModel) -> Config {
    let violated =
        |check: &Check| checked.found.outcome.violations.iter().any(|one| Check::of(one.site.kind) == *check);
    let checks = Check::MODELS.into_iter().filter(|check| *check != Check::Properties && !violated(check));
    Config {
        checks: checks.collect(),
        limits: Limits { states: Some(MOST_STATES), ..Limits::default() },
        ..Config::default()
    }
}

#[test]
fn certificates_of_the_conformance_models_are_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["tests/conformance", "bench/small", "tests/reduction", "tests/regressions"]
        .map(|folder| root.join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder").flatten());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    let (mut accepted, mut whole, mut large) = (0, 0, Vec::new());
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a model");
        let Some(model) = compiled(&text) else { continue };
        let all =
            Config { limits: Limits { states: Some(MOST_STATES), ..Limits::default() }, ..Config::default() };
        let all = Config {
            checks: Check::MODELS.into_iter().filter(|&check| check != Check::Properties).collect(),
            ..all
        };
        let (plain, first) = (check(&model, &all, &mut Silent), certificate(&model, &all));
        assert_eq!(plain.found.outcome, first.0.found.outcome, "{name}: writing it down changes nothing");
        whole += usize::from(first.1.is_some());
        let config = what_holds(&plain);
        let (checked, Some(file)) = certificate(&model, &config) else {
            large.extend(plain.found.outcome.stop.is_some().then_some(name));
            continue;
        };
        let how = How { engine: Engine::Interpreter, threads: 1 };
        let certified =
            verify(&model, &mut Cursor::new(&file), how).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(
            (certified.states, certified.steps + 1),
            (checked.found.outcome.states, checked.found.outcome.transitions),
            "{name}"
        );
        accepted += 1;
    }
    assert!(large.is_empty(), "not looked at to the end: {large:?}");
    assert!(accepted > 200 && whole > 50, "{accepted} certificates, {whole} of models without a violation");
}

#[test]
fn there_is_no_certificate_of_what_is_not_known() {
    let model =
        compiled("byte x; active proctype p() { do :: x < 200 -> x++ :: x == 100 -> assert(x != 100) od }")
            .expect("the model is right");
    for successors in [SuccessorChoice::Interpreter, SuccessorChoice::Compiled] {
        let config = |limits| Config { successors, limits, ..Config::default() };
        let violated = config(Limits::default());
        assert_eq!(certificate(&model, &violated).1, None);
        let first = config(Limits { errors: Some(1), ..Limits::default() });
        assert_eq!(certificate(&model, &first).1, None);
        let limited = Config {
            checks: [Check::Bounds].into(),
            ..config(Limits { states: Some(20), ..Limits::default() })
        };
        assert_eq!(certificate(&model, &limited).1, None);
        let shallow = Config {
            checks: [Check::Bounds].into(),
            ..config(Limits { depth: Some(20), ..Limits::default() })
        };
        assert_eq!(certificate(&model, &shallow).1, None);
        let of_runs = Config { checks: [Check::Properties].into(), ..config(Limits::default()) };
        assert_eq!(certificate(&model, &of_runs).1, None);
        let whole = Config { checks: [Check::Bounds].into(), ..config(Limits::default()) };
        assert!(certificate(&model, &whole).1.is_some());
    }
}
