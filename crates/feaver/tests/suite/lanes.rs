//! Declared lanes, and selections of constraints.

use axle_evidence::trace::{Lanes, Trace};
use axle_feaver::prepare::{ANY, Prepared, Selection, prepare};
use axle_feaver::project::load;

use crate::support::Temporary;

fn prepared(copy: &Temporary, selection: &Selection) -> Prepared {
    prepare(load(&copy.0), selection)
}

/// The runs of a selection with the hashes of their keys.
fn runs(copy: &Temporary, constraints: &[&str]) -> Vec<(String, String)> {
    let constraints = constraints.iter().map(|name| name.to_string()).collect();
    let found = prepared(copy, &Selection { constraints, ..Selection::default() });
    assert!(!found.diagnostics.has_errors());
    found.runs.into_iter().map(|run| (run.name, run.key.hash)).collect()
}

#[test]
fn lanes_change_no_key_and_their_functions_exist() {
    let copy = Temporary::copy_of("gate");
    let before = runs(&copy, &[]);
    copy.replace("axle.toml", "[limits]", "[lanes]\nhandler = \"enter\"\nparty = \"who\"\n\n[limits]");
    assert_eq!(runs(&copy, &[]), before);
    let lanes = Lanes { handler: "enter".into(), party: "who".into(), ..Lanes::default() };
    let mut trace = Trace::of(Vec::new());
    load(&copy.0).project.expect("a project").present(&mut trace);
    assert_eq!(trace.lanes, Some(lanes));
    let warnings = |copy: &Temporary| -> Vec<String> {
        let found = prepared(copy, &Selection::default());
        let own = found.diagnostics.iter().filter(|one| one.code == "W1005");
        own.map(|one| format!("{} {:?}", one.message, one.helps)).collect()
    };
    assert_eq!(warnings(&copy), Vec::<String>::new());
    copy.replace("axle.toml", "\"enter\"", "\"entr\"");
    let found = warnings(&copy);
    assert!(found.len() == 1 && found[0].contains("`entr`") && found[0].contains("`enter`"), "{found:?}");
    assert_eq!(runs(&copy, &[]), before, "it is a warning");
}

#[test]
fn a_selection_of_constraints_has_the_same_runs_with_the_same_keys() {
    for project in ["gate", "phone"] {
        let copy = Temporary::copy_of(project);
        let all = runs(&copy, &[]);
        let constraint = |name: &str| name.split_once('@').expect("a constraint").1.to_string();
        let mut names: Vec<String> = all.iter().map(|(name, _)| constraint(name)).collect();
        names.sort();
        names.dedup();
        assert!(names.len() > 1 && names.iter().any(|name| name == ANY), "{names:?}");
        let mut count = 0;
        for name in &names {
            let own = runs(&copy, &[name]);
            let expected: Vec<_> = all.iter().filter(|(run, _)| constraint(run) == *name).cloned().collect();
            assert_eq!(own, expected, "{project}: {name}");
            count += own.len();
        }
        assert_eq!(count, all.len());
    }
}
