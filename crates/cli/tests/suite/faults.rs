//! Every row of `tests/faults/expected.tsv`: an input that Axle once handled incorrectly, checked
//! through the program as a user runs it.
//!
//! Columns, separated by tabs; `-` asserts nothing:
//!
//! | column | meaning |
//! | --- | --- |
//! | `input` | files in `tests/faults`, separated by blanks |
//! | `options` | of `axle check`; `--json -q` is added |
//! | `exit` | the exit code |
//! | `property` | with exit code 0 a property that holds, with 1 one that is violated, otherwise one that is unknown |
//! | `line` | the line of a violation of that property |
//! | `max_steps` | the longest accepted run to a violation, each cycle once |
//! | `max_states` | the most states that the search may store |
//! | `repetitions` | how often the row is executed; 30 where threads are involved |
//! | `contains` | a text in the report or among the messages |

use std::path::{Path, PathBuf};

use axle_evidence::report::{Report, Verdict};

struct Row {
    input: String,
    options: String,
    exit: i32,
    property: Option<String>,
    line: Option<u32>,
    max_steps: Option<u64>,
    max_states: Option<u64>,
    repetitions: u32,
    contains: Option<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults")
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let given = |cell: &str| (cell != "-").then(|| cell.to_string());
    let figure = |cell: &str| given(cell).map(|cell| cell.parse::<u64>().unwrap());
    (text.lines().skip(1))
        .map(|text| {
            let cells: Vec<&str> = text.split('\t').collect();
            let [input, options, exit, property, line, steps, states, repetitions, contains] = cells[..]
            else {
                panic!("nine columns in {text:?}")
            };
            Row {
                input: input.to_string(),
                options: given(options).unwrap_or_default(),
                exit: exit.parse().unwrap(),
                property: given(property),
                line: figure(line).map(|line| line as u32),
                max_steps: figure(steps),
                max_states: figure(states),
                repetitions: figure(repetitions).unwrap_or(1) as u32,
                contains: given(contains),
            }
        })
        .collect()
}

/// The differences between a row and one execution of it.
fn differences(row: &Row) -> Vec<String> {
    let mut arguments = vec!["check"];
    arguments
        .extend(row.input.split_whitespace().chain(["--json", "-q"]).chain(row.options.split_whitespace()));
    let ran = crate::support::run(&folder(), &arguments, "");
    let mut wrong = Vec::new();
    if ran.exit != row.exit {
        wrong.push(format!("exit {} instead of {}", ran.exit, row.exit));
    }
    if let Some(text) = &row.contains
        && !ran.out.contains(text.as_str())
        && !ran.err.contains(text.as_str())
    {
        wrong.push(format!("`{text}` is not reported"));
    }
    let report = match serde_json::from_str::<Report>(&ran.out) {
        Ok(report) => report,
        // Input errors have no report.
        Err(_) if row.exit == 2 && row.property.is_none() => return wrong,
        Err(fault) => {
            return [wrong, vec![format!("the report does not read back: {fault}; {}", ran.err)]].concat();
        }
    };
    let expected = match row.exit {
        0 => Verdict::Holds,
        1 => Verdict::Violated,
        _ => Verdict::Unknown,
    };
    if let Some(name) = &row.property {
        let verdict = report.properties.iter().find(|property| property.name == *name).map(|one| one.verdict);
        if verdict != Some(expected) {
            wrong.push(format!("{name} is {verdict:?} instead of {expected:?}"));
        }
    }
    let of_property = |name: &str| row.property.as_ref().is_none_or(|property| property == name);
    let violations: Vec<_> = report.violations.iter().filter(|one| of_property(&one.property)).collect();
    let lines: Vec<u32> =
        violations.iter().filter_map(|one| one.place.as_ref()).map(|place| place.line).collect();
    if row.line.is_some_and(|line| !lines.contains(&line)) {
        wrong.push(format!("at lines {lines:?} instead of {:?}", row.line));
    }
    if let Some(most) = row.max_steps {
        let longest = violations.iter().map(|one| one.depth).max();
        if longest.is_none_or(|longest| longest > most) {
            wrong.push(format!("{longest:?} steps instead of at most {most}"));
        }
    }
    if row.max_states.is_some_and(|most| report.search.states > most) {
        wrong.push(format!("{} states instead of at most {:?}", report.search.states, row.max_states));
    }
    wrong
}

#[test]
fn every_row_is_as_expected() {
    let mut wrong = Vec::new();
    for row in rows() {
        for repetition in 1..=row.repetitions {
            let differences = differences(&row);
            if !differences.is_empty() {
                let what = differences.join("; ");
                wrong.push(format!("{} {} (repetition {repetition}): {what}", row.input, row.options));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}
