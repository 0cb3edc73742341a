//! The changes and the analysis, as pages and as data.

use serde_json::Value;

use crate::support::{Site, round, round_of, store_files};
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

/// The data of a path.
fn data(site: &Site, path: &str) -> Value {
    let answer = site.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    serde_json::from_str(&answer.text).expect("JSON")
}

#[test]
fn changes_are_data() {
    let site = Site::full();
    let path = site.root().join("properties/fault.md");
    let text = std::fs::read_to_string(&path).expect("the property");
    std::fs::write(&path, text.replace("[] !crossing", "[] (crossing || !crossing)")).expect("a change");
    round(&site.root(), &*site.app.database);
    site.refresh();
    let found = data(&site, "/api/rounds/2/changes");
    assert_eq!((found["round"].as_i64(), found["before"].as_i64()), (Some(2), Some(1)), "{found}");
    let turned = found["turned"].as_array().expect("runs");
    let of = |run: &Value| ["property", "before", "after"].map(|field| run[field].to_string());
    let turned: Vec<_> = turned.iter().map(of).collect();
    assert_eq!(turned, [["\"never-crosses\"", "\"violated\"", "\"holds\""].map(str::to_string)]);

    let (round, ..) = submit(&site);
    let path = site.root().join("crossing.pml");
    let text = std::fs::read_to_string(&path).expect("the model");
    std::fs::write(&path, text.replacen("closed = true", "closed = true; skip", 1)).expect("a change");
    site.refresh();
    let found = data(&site, "/api/changes");
    assert_eq!((found["round"].is_null(), found["since"].as_i64()), (true, Some(round.0)), "{found}");
    let files = found["files"].as_array().expect("files");
    assert_eq!((files.len(), files[0]["path"].as_str()), (1, Some("crossing.pml")), "{found}");
    let lines = files[0]["hunks"].as_array().into_iter().flatten();
    let lines: Vec<&Value> = lines.flat_map(|hunk| hunk.as_array().into_iter().flatten()).collect();
    let added: Vec<_> = lines.iter().filter(|line| line["sign"] == "+").collect();
    assert!(added.len() == 1 && added[0]["text"].to_string().contains("closed = true; skip"), "{found}");
    let affected = found["affected"].as_array().expect("properties");
    let crosses = affected.iter().find(|one| one["property"] == "never-crosses").expect("it is affected");
    assert_eq!(crosses["state"], "changed", "{found}");
    assert!(crosses["reason"].to_string().contains("the part of the model"), "{found}");
    assert_eq!(site.get("/api/rounds/99/changes").status, 404);
}

#[test]
fn the_analysis_is_data() {
    let site = Site::full();
    let found = data(&site, "/api/analysis");
    let causes = found["causes"].as_array().expect("causes");
    assert!(causes.iter().any(|cause| cause["runs"].to_string().contains("never-crosses@")), "{found}");
}

/// A full round, then two rounds of single properties: a verdict that turned in the first of them, and the
/// change of a property that neither has verified, stay visible.
#[test]
fn partial_rounds_hide_nothing() {
    let site = Site::full();
    let database = &*site.app.database;
    let first = round_of(&site.root(), database, &[]);
    store_files(&site.root(), database, first);
    site.refresh();
    assert_eq!(data(&site, "/api/changes")["turned"], serde_json::json!([]));

    let path = site.root().join("crossing.pml");
    let text = std::fs::read_to_string(&path).expect("the model");
    let changed = text.replacen("closed = true", "closed = true; skip", 1);
    std::fs::write(&path, changed).expect("a change");
    let property = site.root().join("properties/fault.md");
    let stated = std::fs::read_to_string(&property).expect("the property");
    std::fs::write(&property, stated.replace("[] !crossing", "[] (crossing || !crossing)"))
        .expect("a change");
    let second = round_of(&site.root(), database, &["never-crosses"]);
    store_files(&site.root(), database, second);
    let third = round_of(&site.root(), database, &["closed-while-crossing"]);
    store_files(&site.root(), database, third);
    site.refresh();

    let found = data(&site, "/api/changes");
    let turned = found["turned"].as_array().expect("runs");
    assert_eq!(turned.len(), 1, "{found}");
    assert_eq!(turned[0]["property"], "never-crosses", "{found}");
    assert_eq!(turned[0]["round"].as_i64(), Some(second.0), "{found}");
    let overview = site.get("/").text;
    assert!(overview.contains(&format!("/rounds/{second}/runs/0")), "{overview}");
    // The verdict of the property that no later round has verified is of the first round.
    assert_eq!(found["since"].as_i64(), Some(first.0), "{found}");
    let paths: Vec<&str> =
        found["files"].as_array().expect("files").iter().filter_map(|file| file["path"].as_str()).collect();
    assert_eq!(paths, ["crossing.pml", "properties/fault.md"], "{found}");
    let affected = found["affected"].as_array().expect("properties");
    let names: Vec<&str> = affected.iter().filter_map(|one| one["property"].as_str()).collect();
    assert_eq!(names, ["closes", "safety"], "{found}");
    assert_eq!(affected[1]["parts"], affected[0]["parts"], "{found}");
    let parts = &affected[0]["parts"];
    assert_eq!(
        (&parts[0]["kind"], &parts[0]["name"], &parts[0]["change"]),
        (&"function".into(), &"gate".into(), &"changed".into()),
        "{found}"
    );
    let page = site.get("/changes").text;
    assert!(page.contains("function <code>gate</code> changed in"), "{page}");
    assert!(!page.contains("No file has changed"), "{page}");
    // Of the second round, too.
    let found = data(&site, &format!("/api/rounds/{second}/changes"));
    assert_eq!(found["since"].as_i64(), Some(first.0), "{found}");
    assert_eq!(found["turned"].as_array().map(Vec::len), Some(1), "{found}");
}
