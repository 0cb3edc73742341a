//! Every program of `tests/c` has the verdict of its row in `expected.tsv` by the path of `axle
//! check`, with default options, and no report or trace names functions or files of Axle's library.
//!
//! A row names the kind of the violation that is reported first and its line; `holds`;
//! `holds-for-some` where inputs are under-approximated; or `unknown`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use axle_evidence::report::{Report, Verdict};

/// Programs that are checked at the same time.
const WORKERS: usize = 4;

struct Row<'a> {
    program: &'a str,
    expected: &'a str,
    line: &'a str,
}

/// A line with the name of a function, variable or file of Axle's library.
fn internal_name(text: &str) -> Option<&str> {
    text.lines().find(|line| line.contains("__axle") || line.contains("<axle>"))
}

/// Checks a program; says what differs from its row.
fn difference(folder: &std::path::Path, row: &Row<'_>) -> Option<String> {
    let file = format!("{}.c", row.program);
    let ran = crate::support::run(folder, &["check", "--json", "-q", &file], "");
    let report: Report = match serde_json::from_str(&ran.out) {
        Ok(report) => report,
        Err(error) => return Some(format!("{file}: no report ({error}): exit {}: {}", ran.exit, ran.err)),
    };
    let mut texts = vec![ran.out.clone(), ran.err.clone()];
    if row.expected != "holds" {
        let shown = crate::support::run(folder, &["check", "--trace", "full", &file], "");
        texts.extend([shown.out, shown.err]);
    }
    if let Some(text) = texts.iter().find_map(|text| internal_name(text)) {
        return Some(format!("{file}: names a part of the implementation: {text}"));
    }
    let restricted = report
        .warnings
        .iter()
        .any(|warning| matches!(&warning.kind[..], "input" | "time" | "system" | "arguments" | "signal"));
    let right = match row.expected {
        "holds" => report.verdict == Verdict::Holds && ran.exit == 0,
        "holds-for-some" => report.verdict == Verdict::Unknown && restricted && ran.exit == 3,
        "unknown" => report.verdict == Verdict::Unknown && ran.exit == 3,
        kind => report.violations.first().is_some_and(|first| {
            let line = first.place.as_ref().map(|place| place.line.to_string());
            kind == first.kind
                && row.line.split(',').any(|expected| Some(expected) == line.as_deref())
                && report.verdict == Verdict::Violated
                && ran.exit == 1
        }),
    };
    (!right).then(|| {
        let first = report.violations.first().map(|v| (&v.kind, v.place.as_ref().map(|place| place.line)));
        format!("{file} should be {} at {}: exit {}, {first:?}", row.expected, row.line, ran.exit)
    })
}

#[test]
fn every_program_has_its_verdict_at_its_line() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table of verdicts is there");
    let rows: Vec<Row<'_>> = table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [program, expected, line] = cells[..] else { panic!("three columns in {line:?}") };
            Row { program, expected, line }
        })
        .collect();
    let files = std::fs::read_dir(&folder).expect("the folder is there").flatten();
    let programs = files.filter(|file| file.path().extension().is_some_and(|ext| ext == "c")).count();
    assert_eq!(rows.len(), programs, "every program has a row, and every row a program");
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(text) = difference(&folder, row) {
                        wrong.lock().expect("no worker panics").push(text);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no worker panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
