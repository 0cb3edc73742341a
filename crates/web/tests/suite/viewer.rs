//! The error sequence viewer: the violated timeline on the steps, and the comparison with an execution that
//! satisfies the property.

use axle_feaver::jobs::job::RoundId;
use axle_feaver::results::ledger::{content, kept};
use axle_feaver::results::verdict::Phase;
use axle_web::security::role::Role;
use serde_json::Value;

use crate::support::{FULL, Site};

const OPENS: &[(&str, &str)] = &[
    ("timelines/opens.tl", "e crosses = crossing\nt open = !closed\n"),
    ("properties/opens.md", "+++\nname = \"opens\"\ntimeline = \"opens.tl\"\n+++\n\nThe gate opens.\n"),
];

/// The address of the first error sequence of a property.
fn sequence(site: &Site, property: &str) -> String {
    let place = site.app.snapshot().runs_of(property).next().and_then(|run| run.known.place);
    let (round, run) = place.expect("a verdict");
    format!("/rounds/{round}/runs/{run}/first")
}

#[test]
fn a_violated_timeline_is_drawn_on_its_sequence() {
    let site = Site::of(&[FULL, OPENS].concat(), true);
    let address = sequence(&site, "opens");
    let page = site.get(&address).text;
    for part in
        ["Violated timeline", "fate-matched", "fate-missing", ">never<", "open is required after crosses"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    let data: Value = serde_json::from_str(&site.get(&format!("/api{address}")).text).expect("JSON");
    let marks = data["marks"].as_array().expect("marks");
    let fates: Vec<_> = marks.iter().map(|mark| mark["fate"].as_str().unwrap_or_default()).collect();
    assert_eq!(fates, ["matched", "missing"], "{data}");
    let step = marks[0]["step"].as_u64().expect("a step");
    assert!(page.contains(&format!("href=\"#step-{step}\"")), "the mark leads to its step");
    // The mark is where the proposition holds for the first time or later.
    let steps = data["trace"]["steps"].as_array().expect("steps");
    let holds = |step: &&Value| step["observed"]["holds"].to_string().contains("crossing");
    assert!(steps.iter().filter(holds).any(|one| one["step"] == step), "{data}");
    let without = site.get(&sequence(&site, "never-crosses")).text;
    assert!(!without.contains("Violated timeline") && !without.contains("it has changed"));
}

/// The number of steps beside a link is that of the execution behind it: the shortest one.
#[test]
fn the_number_of_steps_is_that_of_the_linked_execution() {
    let site = Site::full();
    let database = &*site.app.database;
    let place = site.app.snapshot().runs_of("never-crosses").next().and_then(|run| run.known.place);
    let (round, number) = place.expect("a verdict");
    let records = database.verdicts(round).expect("verdicts");
    let record = records.iter().find(|record| record.run.number == number).expect("the record");
    let first = kept(database, record, Phase::First).expect("it can be read").expect("a result");
    let length = |phase: &str| {
        let data = site.get(&format!("/api/rounds/{round}/runs/{number}/{phase}")).text;
        let data: Value = serde_json::from_str(&data).expect("JSON");
        let steps = data["trace"]["steps"].as_array().expect("steps");
        steps.last().map_or(0, |step| step["step"].as_u64().expect("a number"))
    };
    let all = length("first");
    let mut outcome = first.outcome.clone();
    let witness = outcome.witness.as_mut().expect("an execution");
    witness.trace.steps.retain(|step| step.step < all);
    let shorter = content(&first.key, &outcome).expect("a content");
    database.add_witness(RoundId(round.0), number, Phase::Shortest, &shorter).expect("it is recorded");
    site.refresh();
    assert_eq!(length("shortest"), all - 1);
    for page in ["/", "/properties/never-crosses"] {
        let text = site.get(page).text;
        let link = format!("href=\"/rounds/{round}/runs/{number}/shortest\">");
        let told = text.split(&link).nth(1).unwrap_or_else(|| panic!("{link} in {text}"));
        assert!(told.starts_with(&format!("{} step", all - 1)), "{page}: {}", &told[..40]);
    }
}

#[test]
fn an_earlier_execution_is_not_drawn_on_another_timeline() {
    let site = Site::of(&[FULL, OPENS].concat(), true);
    let address = sequence(&site, "opens");
    std::fs::write(site.root().join("timelines/opens.tl"), "e crosses = crossing\nt closes = closed\n")
        .expect("a file");
    site.refresh();
    let page = site.get(&address).text;
    assert!(page.contains("it has changed since this execution was found"), "{page}");
}

#[test]
fn a_satisfying_execution_is_shown_beside_the_violating_one() {
    let site = Site::of(&[FULL, OPENS].concat(), true);
    let address = sequence(&site, "never-crosses");
    let compare = format!("{address}/compare");
    assert!(site.get(&compare).text.contains("Not searched yet"));
    assert_eq!(site.post_as(Role::Viewer, &compare, &[]).status, 403);
    let answer = site.post(&compare, &[]);
    assert_eq!(
        (answer.status.as_u16(), answer.headers["location"].to_str().ok()),
        (303, Some(compare.as_str()))
    );
    let page = site.get(&compare).text;
    assert!(page.contains("only violating") && page.contains("only satisfying"), "{page}");
    assert!(!page.contains("<i>other") && !page.contains("<b>shown"), "text is escaped: {page}");
    assert!(page.contains("The executions differ from the first step on"), "{page}");
}

/// Properties that no execution satisfies.
const IMPOSSIBLE: &[(&str, &str)] = &[(
    "properties/impossible.md",
    "+++\nname = \"impossible\"\nformula = \"<> (crossing && !crossing)\"\n+++\n\nNever true.\n",
)];

#[test]
fn the_nearest_satisfying_execution_shows_where_it_differs() {
    let site = Site::of(&[FULL, OPENS, IMPOSSIBLE].concat(), true);
    let compare = format!("{}/compare", sequence(&site, "opens"));
    let data = || -> Value { serde_json::from_str(&site.get(&format!("/api{compare}")).text).expect("JSON") };
    assert_eq!((data()["searched"].as_bool(), data()["trace"].is_null()), (Some(false), true));
    assert_eq!(site.post(&compare, &[]).status, 303);
    let (page, found) = (site.get(&compare).text, data());
    let common = found["common_steps"].as_u64().expect("a number of steps");
    assert!(common > 0 && found["longest"] == true, "{found}");
    let differs = format!("the first {common} steps are the same");
    assert!(page.to_lowercase().contains(&differs), "{differs} in {page}");
    assert!(page.contains("No satisfying execution has a longer common beginning."), "{page}");
    assert!(page.contains("from here on the executions differ"), "{page}");
    // The steps that are the same are those of the violating execution.
    let address = compare.trim_end_matches("/compare");
    let violating: Value = serde_json::from_str(&site.get(&format!("/api{address}")).text).expect("JSON");
    let statements = |trace: &Value| -> Vec<String> {
        let steps = trace["steps"].as_array().expect("steps").iter();
        let text = |step: &Value| step["by"]["statement"].to_string();
        steps.filter(|step| step["step"].as_u64() <= Some(common)).map(text).collect()
    };
    let (one, other) = (statements(&violating["trace"]), statements(&found["trace"]));
    assert_eq!(one[..], other[..one.len()]);

    let none = format!("{}/compare", sequence(&site, "impossible"));
    site.post(&none, &[]);
    let page = site.get(&none).text;
    assert!(page.contains("No execution of the software satisfies the property."), "{page}");
}

#[test]
fn after_a_change_of_the_software_a_short_execution_is_shown() {
    let site = Site::of(FULL, true);
    site.rounds.refuses_trails.store(true, std::sync::atomic::Ordering::Relaxed);
    let compare = format!("{}/compare", sequence(&site, "never-crosses"));
    site.post(&compare, &[]);
    let page = site.get(&compare).text;
    assert!(page.contains("the nearest one was not searched for: the trail does not match"), "{page}");
    assert!(!page.contains("match <b>"), "text is escaped: {page}");
}

#[test]
fn the_timeline_of_a_new_project_is_drawn_on_its_first_violation() {
    // The model observes the condition of the first mark as one expression.
    let new = axle_feaver::init::files(std::path::Path::new("/nowhere"));
    let model = new.iter().find(|file| file.path == "crossing.pml").expect("the model of a new project");
    let faulty = model.text.replace("approaching && closed -> crossing", "approaching -> crossing");
    assert_ne!(faulty, model.text);
    let site = Site::of(&[FULL, &[("crossing.pml", faulty.as_str())]].concat(), true);
    let page = site.get(&sequence(&site, "closes")).text;
    assert!(page.contains("Violated timeline") && page.contains("fate-missing"), "{page}");
    assert!(!page.contains("it has changed since"), "{page}");
}
