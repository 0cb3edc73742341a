//! Programs of `tests/c/large`, of realistic sizes, which are decided because of transactions
//! (`crates/c-exec/src/observers/transactions.rs`) and counter abstraction (`counter_abstraction.rs`). Each
//! has its verdict beside it, and is checked like by `axle check`.

use axle_c::{Options, compile};
use axle_c_exec::Settings;
use axle_check::{Config, Subject, SystemKind, check};
use axle_evidence::report::Verdict;
use axle_search::{Limits, Silent};
use axle_source::{Diagnostics, MemoryLoader, Sources};

/// More memory than any of them needs, in bytes. Counter abstraction requires a search without a
/// limit on states.
const MEMORY: u64 = 1 << 30;

fn verdict(name: &str, text: &str) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add(name, text);
    let loader = MemoryLoader::default();
    let program = compile(&[main], &Options::default(), &loader, &mut sources, &mut diagnostics);
    let Some(program) = program else { return "refused".to_string() };
    let subject = Subject {
        program: &program,
        sources: &sources,
        files: &[name.to_string()],
        arguments: &[],
        stdin: None,
        settings: &Settings::default(),
        properties: &[],
    };
    let limits = Limits { memory: Some(MEMORY), errors: Some(1), ..Limits::default() };
    let config = Config { limits, ..Config::of_kind(SystemKind::Program) };
    let report = check(&subject, &config, &mut Silent).report;
    assert_eq!(report.internal, None, "{name}");
    match (report.verdict, report.violations.first()) {
        (Verdict::Holds, _) => "holds".to_string(),
        (Verdict::Violated, Some(violation)) => violation.kind.to_string(),
        (Verdict::Violated, None) => "violated".to_string(),
        (Verdict::Unknown, _) => "unknown".to_string(),
    }
}

#[test]
fn large_programs_have_their_verdicts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/c/large");
    let table = std::fs::read_to_string(format!("{folder}/expected.tsv")).expect("the table is there");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for row in table.lines().skip(1) {
        let Some((name, expected)) = row.split_once('\t') else { continue };
        count += 1;
        let text = std::fs::read_to_string(format!("{folder}/{name}.c")).expect("the program is there");
        let found = verdict(&format!("{name}.c"), &text);
        if found != expected {
            wrong.push(format!("{name} should be {expected}: {found}"));
        }
    }
    let files = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let programs = files.filter(|file| file.path().extension().is_some_and(|ext| ext == "c")).count();
    assert_eq!(count, programs, "every program has a row, and every row a program");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
