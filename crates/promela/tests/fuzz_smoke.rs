//! Generated inputs through the front end, the same ones on every machine; `cargo xtask fuzz` runs
//! millions. And every input that once failed, by name, in `regressions/`.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use axle_compare::fuzz::corpus::Corpus;
use axle_compare::fuzz::target::{Target, run};
use axle_compare::fuzz::{mutate, pieces};
use axle_source::MemoryLoader;

/// The failure of an input, as text.
fn fault(target: Target, input: &[u8], headers: &[(String, Vec<u8>)], thorough: bool) -> Option<String> {
    let mut loader = MemoryLoader { files: headers.iter().cloned().collect() };
    match catch_unwind(move || run(target, input, &mut loader, thorough)) {
        Ok(Ok(_)) => None,
        Ok(Err(promise)) => Some(promise),
        Err(_) => Some("a panic".into()),
    }
}

/// The processor time of this thread so far; 0 where the system does not say.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn smoke(target: Target, inputs: u64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = Corpus::read(&pieces::VOCABULARY, &root, false);
    assert!(corpus.entries.len() > 100, "the corpus is there");
    for index in 0..inputs {
        let input = mutate::input(&corpus, 1, index);
        if let Some(fault) = fault(target, &input, &corpus.headers, index % 8 == 0) {
            panic!("input {index}: {fault}\n{}", String::from_utf8_lossy(&input));
        }
    }
}

#[test]
fn twenty_thousand_inputs_to_the_parser() {
    smoke(Target::Parser, 20_000);
}

#[test]
fn twenty_thousand_inputs_to_the_front_end() {
    smoke(Target::Front, 20_000);
}

#[test]
fn what_once_went_wrong_goes_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut files = 0;
    for entry in fs::read_dir(folder).expect("the folder").flatten() {
        let input = fs::read(entry.path()).expect("an input");
        for target in [Target::Parser, Target::Front] {
            let before = processor_seconds();
            let fault = fault(target, &input, &[], true);
            assert_eq!(fault, None, "{}", entry.path().display());
            let took = processor_seconds() - before;
            assert!(took < 2.0, "{} took {took:.1} s of processor time", entry.path().display());
        }
        files += 1;
    }
    assert!(files > 2, "the inputs are there");
}

/// A text of one kind, with something in it so many times.
type Make = fn(usize) -> String;

/// The model's own text nests as deep as anything that the front end takes: 112 negations once did
/// not read back.
#[test]
fn what_is_as_deep_as_may_be_reads_back() {
    let shapes: [(&str, Make); 8] = [
        ("negations", |n| format!("{}(x != 2)", "!".repeat(n))),
        ("minuses", |n| format!("{}x == 2", "- ".repeat(n))),
        ("sums", |n| format!("{}x{} == 2", "1 + (".repeat(n), ")".repeat(n))),
        ("indices", |n| format!("{}0{} == 2", "a[".repeat(n), "]".repeat(n))),
        ("choices", |n| format!("{}x{} == 2", "(x -> x : ".repeat(n), ")".repeat(n))),
        ("formula of negations", |n| format!("}} ltl p {{ {}(x == 2)", "! ".repeat(n))),
        ("formula of boxes", |n| format!("}} ltl p {{ {}(x == 2)", "[]<>".repeat(n / 2))),
        ("formula of untils", |n| {
            format!("}} ltl p {{ {}(x == 2){}", "(x == 1) U (".repeat(n), ")".repeat(n))
        }),
    ];
    for (name, make) in shapes {
        let text = |n| format!("byte x, a[3]; init {{ skip; {} }}", make(n));
        let takes = |n: &usize| {
            let mut sources = axle_source::Sources::default();
            let (main, _) = sources.add_bytes("deep.pml", text(*n).as_bytes());
            let mut diagnostics = axle_source::Diagnostics::default();
            let options = axle_promela::Options::default();
            let loader = MemoryLoader::default();
            axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics).is_some()
        };
        let refused = (1..11).map(|power| 1 << power).find(|n| !takes(n)).expect("there is a limit");
        let deepest = (1..=refused).rev().find(takes).expect("some are taken");
        assert!(deepest >= 100, "{name}: only {deepest}");
        let found = fault(Target::Front, text(deepest).as_bytes(), &[], true);
        assert_eq!(found, None, "{deepest} {name}");
    }
}
