//! Every safety row of the conformance table: verdict, stored states and transitions equal to
//! Spin's with all reductions off, except where the table itself is wrong or cut short; those are
//! argued below.

use crate::plain_explorer;

use axle_promela::Options;

/// A row of the table.
struct Row {
    name: String,
    errors: String,
    stored: String,
    transitions: String,
}

fn rows() -> Vec<Row> {
    let table =
        std::fs::read_to_string(plain_explorer::conformance().join("expected_full.tsv")).expect("the table");
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

/// Rows where Axle is right to differ: what it finds instead (is there an error, states,
/// transitions), and why.
const DIFFERENT: &[(&str, bool, usize, usize, &str)] = &[
    ("array_bit", false, 4, 4, "an element of a bit array holds one bit; pan keeps a byte"),
    ("bit_array_raw", false, 5, 5, "an element of a bit array holds one bit; pan keeps a byte"),
    ("div_zero", true, 4, 4, "pan dies of a signal"),
    ("mod_zero", true, 4, 4, "pan dies of a signal"),
    ("div_one_zero", true, 4, 4, "1/z is a division by zero; gcc folds it away"),
    ("skip_self_loop", false, 1, 2, "pan refuses to run a loop without effect"),
    ("uncond_self_loop", false, 1, 2, "pan refuses to run a loop without effect"),
    ("deep_chain", false, 60003, 60003, "the table's search was cut at its depth limit"),
    (
        "run_limit",
        true,
        1019,
        1020,
        "the table's search ended at pan's vector size; Axle goes on past the limit",
    ),
];

/// Embedded C is refused.
const EMBEDDED_C: &str = "c_";

/// Event traces are checked elsewhere (`cargo xtask conformance`); what the processes do is the
/// same without.
const TRACES: &[&str] = &["trace_bad", "notrace_match"];

#[test]
fn safety_rows_equal_spin() {
    let mut wrong = Vec::new();
    let rows = rows();
    assert!(rows.len() > 150, "the table is there");
    for row in &rows {
        let path = plain_explorer::conformance().join(format!("{}.pml", row.name));
        let mut options = Options::default();
        // The one row that was made with `spin -m`.
        options.meaning.lossy = row.name == "chan_loss";
        let (model, diagnostics) = plain_explorer::compile_file(&path, &options);
        let got = match &model {
            None => "refused".to_owned(),
            Some(model) => {
                let violations = axle_model::verify::verify(model);
                assert!(violations.is_empty(), "{}: {violations:?}", row.name);
                let explored = plain_explorer::explore(model, 1_000_000);
                format!("{} {} {}", !explored.faults.is_empty(), explored.stored, explored.transitions)
            }
        };
        let argued = DIFFERENT.iter().find(|d| d.0 == row.name);
        let want = match argued {
            Some((_, error, stored, transitions, _)) => format!("{error} {stored} {transitions}"),
            None if row.errors == "SPIN-ERROR" || row.name.starts_with(EMBEDDED_C) => "refused".to_owned(),
            None if TRACES.contains(&row.name.as_str()) => {
                format!("false {} {}", row.stored, row.transitions)
            }
            None => format!("{} {} {}", row.errors != "0", row.stored, row.transitions),
        };
        if got != want {
            let faults = model.map(|m| plain_explorer::explore(&m, 1_000_000).faults).unwrap_or_default();
            wrong.push(format!("{}: got {got}, want {want} {faults:?}\n{diagnostics}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Control flow in its corners: each model with what Spin 6.5.2 says of it, as `live.rs`
/// measures it.
#[test]
fn corners_of_control_flow_equal_spin() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/control");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table");
    let mut wrong = Vec::new();
    let mut models = 0;
    for line in table.lines().skip(1) {
        let (name, want) = line.split_once('\t').expect("four columns");
        let path = folder.join(format!("{name}.pml"));
        let (model, diagnostics) = plain_explorer::compile_file(&path, &Options::default());
        let got = match model {
            None => diagnostics,
            Some(model) => {
                let violations = axle_model::verify::verify(&model);
                assert!(violations.is_empty(), "{name}: {violations:?}");
                let explored = plain_explorer::explore(&model, 1_000_000);
                format!("{}\t{}\t{}", !explored.faults.is_empty(), explored.stored, explored.transitions)
            }
        };
        models += 1;
        if got != want {
            wrong.push(format!("{name}: got {got}, want {want}"));
        }
    }
    assert!(models > 30, "the table is there");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
