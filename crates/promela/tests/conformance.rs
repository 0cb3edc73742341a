//! Every safety row of the conformance table: verdict, stored states and transitions equal to Spin's with
//! all reductions off, except where the table itself is wrong or cut short; those are argued below.

mod common;

use axle_promela::Options;

/// A row of the table.
struct Row {
    name: String,
    errors: String,
    stored: String,
    transitions: String,
}

fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(common::conformance().join("expected_full.tsv")).expect("the table");
    let mut rows = Vec::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.get(2).is_some_and(|flags| flags.is_empty()) {
            let text = |i: usize| columns.get(i).copied().unwrap_or("").to_owned();
            rows.push(Row { name: text(0), errors: text(3), stored: text(4), transitions: text(5) });
        }
    }
    rows
}

/// Rows where Axle is right to differ: what it finds instead (is there an error, states, transitions), and why.
const DIFFERENT: &[(&str, bool, usize, usize, &str)] = &[];

#[test]
fn safety_rows_equal_spin() {
    let mut wrong = Vec::new();
    let rows = rows();
    assert!(rows.len() > 150, "the table is there");
    for row in &rows {
        let path = common::conformance().join(format!("{}.pml", row.name));
        let (model, diagnostics) = common::compile_file(&path, &Options::default());
        let got = match &model {
            None => "refused".to_owned(),
            Some(model) => {
                let explored = common::explore(model, 1_000_000);
                format!("{} {} {}", !explored.faults.is_empty(), explored.stored, explored.transitions)
            }
        };
        let argued = DIFFERENT.iter().find(|d| d.0 == row.name);
        let want = match argued {
            Some((_, error, stored, transitions, _)) => format!("{error} {stored} {transitions}"),
            None if row.errors == "SPIN-ERROR" => "refused".to_owned(),
            None => format!("{} {} {}", row.errors != "0", row.stored, row.transitions),
        };
        if got != want {
            let faults = model.map(|m| common::explore(&m, 1_000_000).faults).unwrap_or_default();
            wrong.push(format!("{}: got {got}, want {want} {faults:?}\n{diagnostics}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
