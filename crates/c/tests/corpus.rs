//! Every program of `tests/c` has the verdict beside it: `holds`, or the name of a trouble that must be found. A
//! program that holds must have no trouble at all; `holds-for-some` says that not all of its inputs were tried; one that is wrong must hold none that puts the check in doubt.

mod support;

use support::{Verdict, check_file};

#[test]
fn the_corpus_has_its_verdicts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/c");
    let table =
        std::fs::read_to_string(format!("{folder}/expected.tsv")).expect("the table of verdicts is there");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for row in table.lines().skip(1) {
        let Some((name, expected)) = row.split_once('\t') else { continue };
        count += 1;
        let report = check_file(&format!("{folder}/{name}.c"));
        let right = match expected {
            "holds" => report.verdict == Verdict::Holds && !report.restricted,
            "holds-for-some" => report.verdict == Verdict::Holds && report.restricted,
            "unknown" => report.verdict == Verdict::Unknown,
            error => {
                report.verdict == Verdict::Violated && report.errors.iter().any(|(found, _)| found == error)
            }
        };
        if !right {
            wrong.push(format!("{name} should be {expected}: {}", report.summary()));
        }
    }
    let files = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let programs = files.filter(|file| file.path().extension().is_some_and(|ext| ext == "c")).count();
    assert_eq!(count, programs, "every program has a row, and every row a program");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
