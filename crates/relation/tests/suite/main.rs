//! Comparison of the relation with the interpreter.

mod lockstep;

use std::path::Path;
use std::sync::Arc;

use axle_generate::promela::Audience;
use axle_generate::servers::Style;
use axle_model::Model;
use axle_source::{Diagnostics, MemoryLoader, Sources};
use lockstep::{Compared, Setting, compare};
use proptest::prelude::*;

/// The settings under which every model is compared.
const SETTINGS: [Setting; 2] = [
    Setting { truncation: false, messages_left: false, processes: 6 },
    Setting { truncation: true, messages_left: true, processes: 12 },
];

fn check(name: &str, model: &Arc<Model>, most: usize, wrong: &mut Vec<String>, all: &mut Compared) {
    for setting in SETTINGS {
        match compare(model, setting, most) {
            Ok(compared) => {
                all.states += compared.states;
                all.transitions += compared.transitions;
                all.partly |= compared.partly;
            }
            Err(why) => wrong.push(format!("{name}, {setting:?}: {why}")),
        }
    }
}

/// The models of the tests of `step`: each clause of docs/theory/steps.md has one.
#[test]
fn every_clause_of_the_semantics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../step/tests/steps");
    let (mut wrong, mut all, mut models) = (Vec::new(), Compared::default(), 0);
    for entry in std::fs::read_dir(folder).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        let model = Arc::new(axle_model::parse::parse(&text).expect("a well-formed model"));
        check(&path.file_stem().expect("a name").to_string_lossy(), &model, 400, &mut wrong, &mut all);
        models += 1;
    }
    assert!(wrong.is_empty(), "{} of {models}\n{}", wrong.len(), wrong.join("\n"));
    assert!(models > 50 && all.states > 400, "{models} models, {all:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_models(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let model = Arc::new(axle_model::arbitrary::model(&bytes));
        let (mut wrong, mut all) = (Vec::new(), Compared::default());
        check("random", &model, 60, &mut wrong, &mut all);
        if !wrong.is_empty() {
            let text = axle_model::dump::dump(&model);
            return Err(TestCaseError::fail(format!("{}\n{text}", wrong.join("\n"))));
        }
    }
}

/// The number of random models; `AXLE_RELATION_RANDOM` asks for another.
fn cases() -> u32 {
    std::env::var("AXLE_RELATION_RANDOM").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// The models that are compared with Spin, and those of the benchmarks.
#[test]
fn conformance_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut wrong, mut all, mut models, mut partly) = (Vec::new(), Compared::default(), 0, Vec::new());
    for folder in ["tests/conformance", "bench/models", "bench/small", "examples"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder of models") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "pml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a model");
            let Some(model) = compiled(&text) else { continue };
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let mut own = Compared::default();
            check(&name, &model, 200, &mut wrong, &mut own);
            if own.partly {
                partly.push(name);
            }
            all.states += own.states;
            models += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {models}\n{}", wrong.len(), wrong.join("\n"));
    assert!(models > 250 && all.states > 15_000, "{models} models, {all:?}");
    assert!(partly.len() * 10 < models, "not compared as a whole: {partly:?}");
}

/// Random programs in Promela: `atomic`, `d_step`, `unless`, channels, processes that come and go.
#[test]
fn random_programs() {
    let (mut wrong, mut all, mut programs) = (Vec::new(), Compared::default(), 0);
    for index in 0..u64::from(cases()) {
        // Programs with server processes have large relations: each of many channels may be meant.
        let text = match index % 40 {
            1.. => axle_generate::promela::program(41, index, Audience::Axle).to_string(),
            0 => axle_generate::servers::program(41, index, Style::Telling).to_string(),
        };
        let Some(model) = compiled(&text) else { continue };
        check(&format!("program {index}"), &model, 100, &mut wrong, &mut all);
        programs += 1;
    }
    assert!(wrong.is_empty(), "{} of {programs}\n{}", wrong.len(), wrong.join("\n"));
    assert!(programs > 100 && all.states > 1_000, "{programs} programs, {all:?}");
}

/// The model of a program; nothing if the program has errors or other files.
fn compiled(text: &str) -> Option<Arc<Model>> {
    let mut sources = Sources::new();
    let main = sources.add("model.pml", text);
    let (options, loader) = (axle_promela::Options::default(), MemoryLoader::default());
    axle_promela::compile(&mut sources, main, &loader, &options, &mut Diagnostics::new()).map(Arc::new)
}
