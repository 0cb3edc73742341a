//! Every program of `tests/c` and every input of `tests/corpus` has the verdict of its row in
//! `expected.tsv` by the path of `axle check`, and no report or trace names functions or files of
//! Axle's library.
//!
//! | column | meaning |
//! | --- | --- |
//! | `input` | the file; `program` is a C file without its extension |
//! | `arguments` | options of `axle check`; `--json -q` is added |
//! | `verdict` | `holds`, `violated` or `unknown`; `holds-for-some` if inputs are under-approximated; |
//! | | several are separated by commas, e.g. `holds,unknown` where a restriction is accepted |
//! | `kind` | accepted kinds of the violation that is reported first, separated by commas |
//! | `line` | accepted lines of that violation, separated by commas; `-` asserts nothing |
//! | `expected` | verdict and kind in one column |

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use axle_evidence::report::{Report, Verdict};

/// Inputs that are checked at the same time.
const WORKERS: usize = 4;

struct Row {
    input: String,
    arguments: String,
    verdict: String,
    kinds: String,
    lines: String,
}

impl Row {
    /// Reads a row by the names of its columns.
    fn read(columns: &[&str], line: &str) -> Row {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), columns.len(), "the columns of {line:?}");
        let cell =
            |name: &str| columns.iter().position(|column| *column == name).map(|at| cells[at].to_string());
        let (verdict, kinds) = match (cell("verdict"), cell("kind"), cell("expected")) {
            (Some(verdict), Some(kinds), None) => (verdict, kinds),
            (None, None, Some(expected)) => match &expected[..] {
                "holds" | "holds-for-some" | "unknown" => (expected, "-".to_string()),
                _ => ("violated".to_string(), expected),
            },
            _ => panic!("a verdict and a kind, or both in one column: {columns:?}"),
        };
        Row {
            input: cell("input")
                .or_else(|| cell("program").map(|name| format!("{name}.c")))
                .expect("a column names the input"),
            arguments: cell("arguments").filter(|cell| cell != "-").unwrap_or_default(),
            verdict,
            kinds,
            lines: cell("line").expect("a column has the line"),
        }
    }
}

/// A line with the name of a function, variable or file of Axle's library.
fn internal_name(text: &str) -> Option<&str> {
    text.lines().find(|line| line.contains("__axle") || line.contains("<axle>"))
}

/// Checks an input; returns the difference from its row.
fn difference(folder: &Path, row: &Row) -> Option<String> {
    let mut arguments = vec!["check", "--json", "-q", &row.input];
    arguments.extend(row.arguments.split_whitespace());
    let ran = crate::support::run(folder, &arguments, "");
    let report: Report = match serde_json::from_str(&ran.out) {
        Ok(report) => report,
        Err(error) => {
            return Some(format!("{}: no report ({error}): exit {}: {}", row.input, ran.exit, ran.err));
        }
    };
    let mut texts = vec![ran.out.clone(), ran.err.clone()];
    if row.verdict != "holds" {
        let mut arguments = vec!["check", "--trace", "full", &row.input];
        arguments.extend(row.arguments.split_whitespace());
        let shown = crate::support::run(folder, &arguments, "");
        texts.extend([shown.out, shown.err]);
    }
    if let Some(text) = texts.iter().find_map(|text| internal_name(text)) {
        return Some(format!("{}: names a part of the implementation: {text}", row.input));
    }
    let restricted = report
        .warnings
        .iter()
        .any(|warning| matches!(warning.kind.name(), "input" | "time" | "system" | "arguments" | "signal"));
    let first_is_as_expected = || {
        report.violations.first().is_some_and(|first| {
            let line = first.place.as_ref().map(|place| place.line.to_string());
            row.kinds.split(',').any(|kind| kind == first.kind.name())
                && (row.lines == "-"
                    || row.lines.split(',').any(|expected| Some(expected) == line.as_deref()))
        })
    };
    let right = row.verdict.split(',').any(|verdict| match verdict {
        "holds" => report.verdict == Verdict::Holds && ran.exit == 0,
        "holds-for-some" => report.verdict == Verdict::Unknown && restricted && ran.exit == 3,
        "unknown" => report.verdict == Verdict::Unknown && ran.exit == 3,
        "violated" => report.verdict == Verdict::Violated && first_is_as_expected() && ran.exit == 1,
        verdict => panic!("{verdict} is not a verdict"),
    });
    (!right).then(|| {
        let first = report.violations.first().map(|v| (&v.kind, v.place.as_ref().map(|place| place.line)));
        let Row { input, verdict, kinds, lines, .. } = row;
        format!("{input} should be {verdict} ({kinds}) at {lines}: exit {}, {first:?}", ran.exit)
    })
}

/// Checks all inputs of a folder with this extension against the folder's `expected.tsv`.
fn every_row_is_as_expected(folder: &str, extension: &str) {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table of verdicts is there");
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().expect("the table has a head").split('\t').collect();
    let rows: Vec<Row> = lines.map(|line| Row::read(&columns, line)).collect();
    let files = std::fs::read_dir(&folder).expect("the folder is there").flatten();
    let inputs = files.filter(|file| file.path().extension().is_some_and(|ext| ext == extension)).count();
    assert_eq!(rows.len(), inputs, "every input has a row, and every row an input");
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

#[test]
fn every_program_has_its_verdict_at_its_line() {
    every_row_is_as_expected("c", "c");
}

#[test]
fn every_program_of_the_corpus_has_its_verdict() {
    every_row_is_as_expected("corpus/c", "c");
}

#[test]
fn every_model_of_the_corpus_has_its_verdict() {
    every_row_is_as_expected("corpus/promela", "pml");
}
