//! The choice of a provisioning against its definition: a formula holds under a constraint if and
//! only if it holds for each valuation that satisfies it.

use std::sync::Arc;

use axle_check::{Check, CheckedModel, Config, VacuityCheck, check, check_in_parts};
use axle_evidence::report::Verdict;
use axle_feaver::execute::{EXACT, Outcome};
use axle_feaver::prepare::{Selection, Subject, prepare};
use axle_feaver::project::{Project, load};
use axle_feaver::provisioning::joint::joint;
use axle_feaver::provisioning::model::provision;
use axle_feaver::provisioning::{Component, components};
use axle_model::Model;
use axle_search::{Monitor, Progress, Stop};
use axle_source::{Diagnostics, MemoryLoader, Sources};

use crate::runs::{executed, runs_of};
use crate::support::{Temporary, projects};

struct Patient;

impl Monitor for Patient {
    fn watch(&mut self, _: &Progress) -> Option<Stop> {
        None
    }
}

fn model(text: &str, property: &str) -> Model {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("phone.pml", &format!("{text}\n{property}"));
    let options = axle_promela::Options::default();
    let loader = MemoryLoader::default();
    let model = axle_promela::compile(&mut sources, main, &loader, &options, &mut diagnostics);
    model.unwrap_or_else(|| panic!("{property}: {:?}", diagnostics.iter().next()))
}

fn verdict(mut model: Model, project: &Project, components: &[Component]) -> Verdict {
    provision(&mut model, &project.flags, components).expect("suitable flags");
    assert_eq!(axle_model::verify::verify(&model), Vec::new());
    let name = model.properties[0].name.clone();
    let config =
        Config { checks: [Check::Properties].into(), only: Some([name].into()), ..Config::default() };
    let report = check(&Arc::new(model), &config, &mut Patient).report;
    assert_eq!(report.internal, None);
    report.properties[0].verdict
}

/// Every combination of one valuation of each component.
fn valuations(components: &[Component]) -> Vec<Vec<Component>> {
    let mut all = vec![Vec::new()];
    for component in components {
        let extended = all.iter().flat_map(|before| {
            component.valuations.iter().map(move |valuation| {
                let one = Component { flags: component.flags.clone(), valuations: vec![valuation.clone()] };
                let mut next: Vec<Component> = before.clone();
                next.push(one);
                next
            })
        });
        all = extended.collect();
    }
    all
}

const PROPERTIES: &[&str] = &[
    "ltl p { forwarding == 0 }",
    "ltl p { <> (forwarding == 0) }",
    "ltl p { X (state == idle) }",
    "ltl p { X X X (!forwarded) }",
    "ltl p { X (forwarding == 2) }",
    "ltl p { !offhook }",
    "ltl p { [] !forwarded }",
    "ltl p { [] (forwarded -> forwarding > 0) }",
    "ltl p { [] (refused -> do_not_disturb) }",
    "ltl p { !called U offhook }",
    "ltl p { (forwarding == 1) || [] <> !called }",
    "ltl p { _nr_pr == 3 }",
    "ltl p { [] (_nr_pr == 3) }",
    "ltl p { [] !(forwarding == 0 && forwarded) }",
    "never p { T: do :: forwarding == 1 -> break :: else -> goto T od }",
    "never p { do :: forwarding == 0 && forwarded -> break :: true od }",
    "never p { offhook; accept: do :: true od }",
    "never p { true; true; calls > 0; accept: do :: true od }",
];

#[test]
fn a_choice_is_the_conjunction_of_all_provisionings() {
    let root = projects().join("phone");
    let project = load(&root).project.expect("a project");
    let text = std::fs::read_to_string(root.join("phone.pml")).expect("the model");
    let constraints = project.constraints.iter().map(|one| Some(&one.expression)).chain([None]);
    for constraint in constraints {
        let components = components(&project.flags, constraint).expect("few combinations");
        for property in PROPERTIES {
            let model = model(&text, property);
            let each: Vec<Verdict> = valuations(&components)
                .iter()
                .map(|valuation| verdict(model.clone(), &project, valuation))
                .collect();
            let expected = match each.contains(&Verdict::Violated) {
                true => Verdict::Violated,
                false => Verdict::Holds,
            };
            assert_eq!(verdict(model, &project, &components), expected, "{property}: {each:?}");
        }
    }
}

/// The row of the only property, with what is compared.
fn row(checked: &CheckedModel) -> (Verdict, bool, &[String]) {
    let row = &checked.report.properties[0];
    (row.verdict, row.is_vacuous, &row.vacuity)
}

#[test]
fn parts_of_one_search_are_searches_of_their_own() {
    let root = projects().join("phone");
    let project = load(&root).project.expect("a project");
    let text = std::fs::read_to_string(root.join("phone.pml")).expect("the model");
    let constraints = project.constraints.iter().map(|one| Some(&one.expression)).chain([None]);
    let mut runs: Vec<Vec<Component>> = constraints
        .map(|constraint| components(&project.flags, constraint).expect("few combinations"))
        .collect();
    let single: Vec<Vec<Component>> = valuations(&runs[runs.len() - 1]);
    runs.extend(single);
    let mut violated = 0;
    for property in PROPERTIES {
        let model = model(&text, property);
        let name = model.properties[0].name.clone();
        let joint = joint(&model, &project.flags, &runs).expect("several provisionings");
        let config = Config {
            checks: [Check::Properties].into(),
            only: Some([name].into()),
            vacuity: VacuityCheck::Demands,
            ..Config::default()
        };
        let parts = check_in_parts(&joint.model, &config, &joint.parts, &mut Patient);
        assert_eq!(parts.len(), runs.len(), "{property}");
        for (part, components) in parts.iter().zip(&runs) {
            assert_eq!(part.report.internal, None, "{property}");
            assert_eq!(part.report.properties[0].answered_by.as_deref(), Some("symbolic"));
            let mut own = model.clone();
            provision(&mut own, &project.flags, components).expect("suitable flags");
            let alone = check(&Arc::new(own), &config, &mut Patient);
            assert_eq!(row(part), row(&alone), "{property} {components:?}");
            violated += u32::from(row(part).0 == Verdict::Violated);
        }
    }
    assert!(violated > 50, "{violated} runs are violated");
}

#[test]
fn runs_of_a_property_are_decided_together() {
    let mut together = 0;
    for run in runs_of(&projects().join("phone")).iter().filter(|run| run.member.is_some()) {
        let (early, exact) = (executed(run, 1), executed(run, EXACT));
        let is_joint = early.remarks.iter().any(|remark| remark.starts_with("decided together with"));
        assert_eq!(is_joint, exact.verdict == Verdict::Holds, "{}: {:?}", run.name, early.remarks);
        if is_joint {
            let told = |outcome: &Outcome| (outcome.verdict, outcome.is_vacuous, outcome.vacuity.clone());
            assert_eq!(told(&early), told(&exact), "{}", run.name);
            assert_eq!((early.engine.as_deref(), early.next), (Some("symbolic"), None), "{}", run.name);
            together += 1;
        }
    }
    assert!(together > 1, "{together} runs were decided together");
}

#[test]
fn a_flag_that_a_property_does_not_depend_on_is_not_in_its_key() {
    let keys = |copy: &Temporary| {
        let runs = prepare(load(&copy.0), &Selection::default()).runs;
        let sliced = runs.into_iter().filter(|run| matches!(run.subject, Subject::Model(_)));
        sliced.map(|run| (run.name, run.key.hash)).collect::<Vec<_>>()
    };
    let copy = Temporary::copy_of("phone");
    let before = keys(&copy);
    copy.replace("axle.toml", "[flags]", "[flags]\nextra = { variable = \"extra\", range = [0, 5] }");
    copy.replace("phone.pml", "byte forwarding;", "byte forwarding, extra;");
    copy.replace("phone.pml", "refused = true", "refused = extra > 2");
    let after = keys(&copy);
    let changed: Vec<&str> =
        before.iter().zip(&after).filter(|(old, new)| old != new).map(|(old, _)| old.0.as_str()).collect();
    // Neither is a safety formula, so the whole model counts.
    assert_eq!(changed, ["dial-tone@any", "two-calls@any"]);
    assert_eq!(before.len(), after.len());
}

#[test]
fn unsuitable_variables_have_diagnostics() {
    let cases = [
        ("byte forwarding;", "bit forwarding;", "the variable `forwarding` cannot have the value 2"),
        (
            "offhook = true",
            "forwarding = 1",
            "the variable `forwarding` is written, but flags do not change during a run",
        ),
        ("byte calls;", "byte calls = forwarding;", "an initial value depends on the flag `forwarding`"),
    ];
    for (old, new, expected) in cases {
        let copy = Temporary::copy_of("phone");
        copy.replace("phone.pml", old, new);
        if old == "byte calls;" {
            copy.replace("phone.pml", "bool call_waiting", "byte unused;\nbool call_waiting");
            copy.replace("phone.pml", "byte forwarding;", "");
            copy.replace("phone.pml", "mtype state", "byte forwarding;\nmtype state");
        }
        let prepared = prepare(load(&copy.0), &Selection::default());
        let errors: Vec<&str> = (prepared.diagnostics.iter())
            .filter(|one| one.severity == axle_source::Severity::Error)
            .map(|one| one.message.as_str())
            .collect();
        assert!(errors.contains(&expected), "{new}: {errors:?}");
        let runs: Vec<&str> = prepared.runs.iter().map(|run| run.name.as_str()).collect();
        assert!(runs.is_empty(), "{new}: {runs:?}");
    }
}
