//! The pages of changes and of the analysis.

use crate::support::Site;
use crate::workers::submit;

#[test]
fn a_change_shows_its_lines_and_the_properties_that_it_affects() {
    let site = Site::full();
    let (round, ..) = submit(&site);
    site.refresh();
    let before = site.get("/changes").text;
    assert!(before.contains("No file has changed"), "{before}");
    let path = site.root().join("crossing.pml");
    let text = std::fs::read_to_string(&path).expect("the model");
    let changed = text.replacen("closed = true", "closed = true; skip", 1);
    assert_ne!(text, changed);
    std::fs::write(&path, changed).expect("a change");
    site.refresh();
    let page = site.get("/changes").text;
    for part in
        ["crossing.pml", "is-added", "is-removed", "closed = true; skip", "Check the affected properties"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("the part of the model that it depends on"), "{page}");
    let old = site.get(&format!("/rounds/{round}/changes"));
    assert_eq!(old.status, 200);
    assert!(old.text.contains(&format!("Changes of round {round}")), "{}", old.text);
    assert_eq!(site.get("/rounds/99/changes").status, 404);
}

#[test]
fn violations_are_grouped_by_cause() {
    let site = Site::full();
    let page = site.get("/analysis").text;
    assert!(page.contains("Violations by cause") && page.contains("never-crosses@"), "{page}");
    assert!(page.contains("/rounds/1/runs/"), "a link to the execution: {page}");
}
