//! The second phase of violated runs: `tests/second_phase` has projects in which the first, the shortest
//! and the likeliest execution differ, and the statements of each.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, copy_all, folder, run};

/// The statements of an execution.
fn statements(witness: &Value) -> Vec<&str> {
    let steps = witness["trace"]["steps"].as_array().expect("steps");
    steps.iter().filter_map(|step| step["by"]["statement"].as_str()).collect()
}

#[test]
fn shortest_and_likeliest_executions_are_kept() {
    let projects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/second_phase");
    let table = fs::read_to_string(projects.join("cases.tsv")).expect("the cases");
    let mut cases = 0;
    for row in table.lines().skip(1) {
        let [project, name, phase, executes, not] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has five columns: {row}");
        };
        cases += 1;
        let copy = folder(&format!("second-{project}-{cases}"));
        copy_all(&projects.join(project), &copy);
        let property = name.split('@').next().unwrap_or_default();
        let Ran { exit, out, err } = run(&copy, &["run", "--quiet", "--json", "--property", property], "");
        assert_eq!(exit, 1, "{project}: {err}");
        let round: Value = serde_json::from_str(&out).expect("JSON");
        let runs = round["runs"].as_array().expect("runs");
        let own = runs.iter().find(|run| run["run"] == name).expect("the run");
        assert_eq!(own["verdict"], "violated", "{row}");
        let witness = &own[if phase == "first" { "witness" } else { phase }];
        if executes == "-" {
            assert!(witness.is_null(), "{row}: {witness}");
            continue;
        }
        assert!(witness.is_object(), "{row}");
        assert_eq!(witness["replayed"], true, "{row}");
        let shown = statements(witness);
        let has = |text: &str| shown.contains(&text);
        assert!(executes.split(';').all(has) && !not.split(';').any(has), "{row}: {shown:?}");
        let details: Vec<&str> = witness["violation"]["details"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let is_named = |text: &str| details.iter().any(|detail| detail.contains(text));
        assert_eq!(is_named("if every choice is random"), phase == "likeliest", "{row}: {details:?}");
    }
    assert!(cases >= 16, "{cases} cases");
}
