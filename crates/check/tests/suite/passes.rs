//! Adversarial models for passes and slices: every verdict is the same with and without, and every
//! counterexample is one of the original model.

use crate::promela::model;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axle_check::{CheckedModel, Config, Pass, Verdict, check};
use axle_model::Model;
use axle_search::{Limits, Silent};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

fn of_file(path: &Path) -> Arc<Model> {
    model(&std::fs::read_to_string(path).expect("a model"))
}

fn with(model: &Arc<Model>, passes: &[Pass]) -> CheckedModel {
    let limits = Limits { errors: None, states: Some(300_000), ..Limits::default() };
    let passes: BTreeSet<Pass> = passes.iter().copied().collect();
    let checked = check(model, &Config { passes, limits, ..Config::default() }, &mut Silent);
    assert_eq!(checked.report.internal, None);
    checked
}

#[test]
fn what_tempts_a_pass_has_the_verdicts_that_it_has_without() {
    let (mut models, mut violated) = (0, 0);
    for folder in ["passes", "slices"].map(folder) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // The words of an unbounded input are for `axle slice` alone.
            if path.extension().is_none_or(|e| e != "pml") || path.ends_with("word_count.pml") {
                continue;
            }
            let model = of_file(&path);
            let said = |passes: &[Pass]| {
                let checked = with(&model, passes);
                assert_eq!(checked.found.again, 0, "{}", path.display());
                let properties = checked.report.properties.into_iter();
                properties.map(|one| (one.name, one.verdict)).collect::<Vec<_>>()
            };
            let whole = said(&[]);
            models += 1;
            violated += usize::from(whole.iter().any(|(_, verdict)| *verdict == Verdict::Violated));
            for pass in Pass::ALL {
                assert_eq!(said(&[pass]), whole, "{}, {}", path.display(), pass.name());
            }
            assert_eq!(said(&Pass::ALL), whole, "{}", path.display());
        }
    }
    assert!(models >= 20 && violated >= 15, "{models} models, {violated} violated");
}

/// How many states the search for a property had, and by which passes.
fn search(checked: &CheckedModel, name: &str) -> (Verdict, u64, Vec<String>) {
    let property =
        checked.report.properties.iter().find(|one| one.name == name).expect("the property is there");
    let search = property.search.as_ref().expect("it was searched for");
    (
        property.verdict,
        search.states.saturated(),
        search.passes.iter().map(|pass| pass.name.clone()).collect(),
    )
}

#[test]
fn a_slice_answers_where_the_formula_holds() {
    let model = of_file(&folder("slices").join("word_count_closed.pml"));
    let (whole, states, none) = search(&with(&model, &[]), "counted");
    let (sliced, fewer, by) = search(&with(&model, &[Pass::Slice]), "counted");
    assert_eq!((whole, sliced, none), (Verdict::Holds, Verdict::Holds, vec![]));
    assert_eq!(by, ["slice"]);
    assert!(fewer < states, "{fewer} states of the slice, {states} of the model");
}

#[test]
fn what_only_a_slice_does_is_no_violation() {
    let model = of_file(&folder("slices").join("ends_by_itself.pml"));
    let (verdict, _, by) = search(&with(&model, &[Pass::Slice]), "comes");
    assert_eq!((verdict, by), (Verdict::Holds, vec![]), "the slice may loop forever, the model does not");
}

#[test]
fn merged_steps_are_told_one_by_one() {
    let model = of_file(&folder("passes").join("merge_blocks.pml"));
    let (whole, merged) = (with(&model, &[]), with(&model, &[Pass::Merge]));
    assert!(merged.report.search.states < whole.report.search.states);
    let paths = [whole, merged].map(|checked| checked.report.violations[0].path.len());
    assert_eq!(paths[0], paths[1], "the run has the user's steps");
}

#[test]
fn a_cycle_closes_where_the_hidden_variable_comes_round() {
    let model = of_file(&folder("passes").join("hide_counter.pml"));
    let checked = with(&model, &[Pass::Hide]);
    assert_eq!(search(&checked, "settles").0, Verdict::Violated);
    let rounds =
        checked.report.violations.iter().find(|one| one.property == "settles").and_then(|one| one.cycle);
    assert_eq!(rounds, Some(512), "steps is a byte, and a round has two statements");
}

/// A variable that is only evaluated because the evaluation may fail is not stored, with priorities
/// and without.
#[test]
fn values_that_decide_no_fault_are_hidden() {
    for (file, most) in [("hide_fault_condition.pml", 16), ("hide_indexed_priority.pml", 8)] {
        let checked = with(&of_file(&folder("passes").join(file)), &[Pass::Hide]);
        let states = checked.report.search.states;
        assert!(states <= most, "{file}: {states} states");
    }
}

/// Claims that do not count steps are searched in a model with merged steps.
#[test]
fn steps_are_merged_for_never_claims_and_progress_labels() {
    for (file, name, verdict) in [
        ("merge_never.pml", "never_0", Verdict::Holds),
        ("merge_progress.pml", "progress", Verdict::Holds),
        ("merge_no_progress.pml", "progress", Verdict::Violated),
    ] {
        let model = of_file(&folder("passes").join(file));
        let (whole, states, none) = search(&with(&model, &[]), name);
        let (merged, fewer, by) = search(&with(&model, &[Pass::Merge]), name);
        assert_eq!((whole, merged), (verdict, verdict), "{file}");
        assert_eq!((none, by), (vec![], vec!["merge".to_string()]), "{file}");
        assert!(fewer < states, "{file}: {fewer} of {states} states");
    }
    // A claim that counts steps is not.
    let counts = of_file(&folder("passes").join("merge_never_counts.pml"));
    let (verdict, _, by) = search(&with(&counts, &[Pass::Merge]), "never_0");
    assert_eq!((verdict, by), (Verdict::Violated, vec![]));
}

/// An event trace is searched in a model without variables that are never read.
#[test]
fn event_traces_are_searched_without_hidden_variables() {
    let model = of_file(&folder("passes").join("hide_trace.pml"));
    let name = with(&model, &[]).report.properties.last().expect("a trace").name.clone();
    let (whole, states, none) = search(&with(&model, &[]), &name);
    let (hidden, fewer, by) = search(&with(&model, &[Pass::Hide]), &name);
    assert_eq!((whole, hidden), (Verdict::Holds, Verdict::Holds));
    assert_eq!((none, by), (vec![], vec!["hide".to_string()]));
    assert!(fewer * 100 < states, "{fewer} of {states} states");
}

/// With priorities, variables that decide no priority are hidden and reset; no steps are merged.
#[test]
fn variables_are_hidden_and_reset_in_models_with_priorities() {
    let model = of_file(&folder("passes").join("hide_dead_priorities.pml"));
    let whole = with(&model, &[]).report.search.states.saturated();
    let hidden = with(&model, &[Pass::Hide]).report.search.states.saturated();
    let both = with(&model, &Pass::ALL).report.search;
    let by: Vec<&str> = both.passes.iter().map(|pass| pass.name.as_str()).collect();
    assert_eq!(by, ["hide", "dead"]);
    assert!(
        hidden * 100 < whole && both.states.saturated() * 2 < hidden,
        "{whole}, {hidden}, {} states",
        both.states
    );
}
