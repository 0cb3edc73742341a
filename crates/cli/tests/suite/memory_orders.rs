//! Every program of `tests/memory_orders`, checked through the command: `expected.tsv` gives the
//! kind of its violation, or `holds` or `unknown`. Under `--memory-model sc` no program is unknown.

use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/memory_orders")
}

/// The exit status of a check, and its report in JSON.
fn check(input: &str, options: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_axle"));
    let output = command.arg("check").arg(folder().join(input)).arg("--json").args(options).output();
    let output = output.expect("axle starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn orders_decide_races_and_verdicts() {
    let table = std::fs::read_to_string(folder().join("expected.tsv")).expect("the table is there");
    let mut rows = 0;
    for (input, expected) in table.lines().skip(1).filter_map(|row| row.split_once('\t')) {
        rows += 1;
        let (status, report) = check(input, &[]);
        let wanted = match expected {
            "holds" => 0,
            "unknown" => 3,
            _ => 1,
        };
        assert_eq!(status, Some(wanted), "{input}: {expected}\n{report}");
        if wanted == 1 {
            assert!(report.contains(&format!("\"{expected}\"")), "{input}: no {expected}\n{report}");
        }
        if expected == "unknown" {
            assert_eq!(check(input, &["--memory-model", "sc"]).0, Some(0), "{input} under sc");
        }
    }
    assert!(rows >= 50, "{rows} rows");
}
