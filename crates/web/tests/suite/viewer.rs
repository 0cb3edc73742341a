//! The error sequence viewer: the violated timeline on the steps, and the comparison with an execution that
//! satisfies the property.

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
    let none = format!("{}/compare", sequence(&site, "opens"));
    site.post(&none, &[]);
    assert!(site.get(&none).text.contains("No satisfying execution was found"));
}
