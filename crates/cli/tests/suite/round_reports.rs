//! Reports of rounds through the program: `axle run --junit --sarif --html`, `--changed`, and the
//! requirements in `axle status`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A project with a property that holds, a known fault, a violated property, and one that holds
/// although it is marked as a known fault.
fn project(name: &str) -> PathBuf {
    let folder = crate::support::folder(&format!("round-reports-{name}"));
    for sub in ["properties", "requirements"] {
        fs::create_dir_all(folder.join(sub)).expect("a folder");
    }
    let property = |name: &str, formula: &str, more: &str| {
        let text = format!(
            "+++\nname = \"{name}\"\nfeature = \"counting\"\nreference = \"counter.md#limit\"\n\
             formula = \"{formula}\"\n{more}+++\n\nThe counter <stays> small. *Always.*\n"
        );
        fs::write(folder.join(format!("properties/{name}.md")), text).expect("a property");
    };
    property("small", "[] (n < 4)", "");
    property("known", "[] (n < 3)", "expected = \"violated\"\n");
    property("tiny", "[] (n < 2)", "");
    property("gone", "[] (n < 5)", "expected = \"violated\"\n");
    let requirements = "# Counter\n\nIntroduction.\n\n## Limit\n\nAt most three.\n\n## Speed\n\nFast.\n";
    fs::write(folder.join("requirements/counter.md"), requirements).expect("requirements");
    let model = "byte n;\nactive proctype counter() { do :: n < 3 -> n++ :: else -> break od }\n";
    fs::write(folder.join("model.pml"), model).expect("a model");
    let manifest = "name = \"counter\"\nfeatures = [\"counting\"]\n[sources]\npromela = [\"model.pml\"]\n";
    fs::write(folder.join("axle.toml"), manifest).expect("a manifest");
    folder
}

fn axle(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("axle runs");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn all_reports_agree_with_the_exit_code() {
    let folder = project("all");
    let files = ["--junit", "r.xml", "--sarif", "r.sarif", "--html", "r.html"];
    let (code, text) = axle(&folder, &[&["run", "--quiet"][..], &files].concat());
    assert_eq!(code, Some(1), "{text}");

    let junit = fs::read_to_string(folder.join("r.xml")).expect("a report");
    assert!(
        junit.contains(r#"<testsuite name="counting" tests="4" failures="2" errors="0" skipped="0""#),
        "{junit}"
    );
    assert!(junit.contains(r#"<testcase classname="known" name="known@any" "#), "{junit}");
    assert!(junit.contains("remove `expected = &quot;violated&quot;`"), "{junit}");

    let sarif = fs::read_to_string(folder.join("r.sarif")).expect("a report");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let told: Vec<(&str, bool)> = (results.iter())
        .map(|one| (one["ruleId"].as_str().unwrap_or_default(), one["suppressions"].is_array()))
        .collect();
    assert_eq!(told, [("known", true), ("tiny", false)]);
    for result in results {
        assert_eq!(result["properties"]["requirement"], "requirements/counter.md#limit");
        // The violated formula is in the file of its property.
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
        assert!(uri.is_some_and(|uri| uri == "model.pml" || uri.starts_with("properties/")), "{uri:?}");
        assert!(
            result["codeFlows"][0]["threadFlows"][0]["locations"]
                .as_array()
                .is_some_and(|own| !own.is_empty())
        );
    }

    let html = fs::read_to_string(folder.join("r.html")).expect("a report");
    for part in [
        "The counter &lt;stays&gt; small. <em>Always.</em>",
        "not covered",
        "known fault",
        "fault gone",
        "n++",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // The page stands alone: no scripts, nothing to load.
    for part in ["<script", "<link", "<img", "@import", "url(", "src="] {
        assert!(!html.contains(part), "{part}");
    }
    for target in html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(html.contains(&format!("id=\"{target}\"")), "a link leads to {target}");
    }
}

#[test]
fn json_contains_requirements_interactions_and_clusters() {
    let folder = project("json");
    let (_, text) = axle(&folder, &["run", "--quiet", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["requirements"][0]["sections"][2]["uncovered"], true);
    assert_eq!(value["requirements"][0]["sections"][1]["properties"].as_array().map(Vec::len), Some(4));
    assert!(value["interactions"].is_array());
    let runs: Vec<usize> = value["clusters"]
        .as_array()
        .expect("clusters")
        .iter()
        .filter_map(|one| one["runs"].as_array().map(Vec::len))
        .collect();
    assert_eq!(runs.iter().sum::<usize>(), 2, "each violation is in one cluster");
}

#[test]
fn reports_that_cannot_be_written_are_refused_before_the_round() {
    let folder = project("refused");
    let (code, text) = axle(&folder, &["run", "--html", "properties"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("directory"), "{text}");
    assert!(!folder.join(".axle").exists(), "nothing is written");
    let (code, text) = axle(&folder, &["run", "--html", "r", "--sarif", "r"]);
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn status_names_sections_without_property() {
    let folder = project("status");
    let (_, text) = axle(&folder, &["status"]);
    assert!(text.contains("requirements: 1 of 2 sections have properties"), "{text}");
    assert!(text.contains("requirements/counter.md:9: no property refers to `Speed`"), "{text}");
}

#[test]
fn only_changed_runs_are_executed_and_shown() {
    let folder = project("changed");
    let (code, _) = axle(&folder, &["run", "--quiet"]);
    assert_eq!(code, Some(1));
    let (code, text) = axle(&folder, &["run", "--changed"]);
    assert_eq!(code, Some(1), "the verdicts of unchanged runs count: {text}");
    assert!(text.contains("5 of 5 runs are unchanged") && !text.contains("cycle 0"), "{text}");

    let file = folder.join("properties/small.md");
    let changed = fs::read_to_string(&file).expect("a property").replace("n < 4", "n < 3");
    fs::write(&file, changed).expect("a property");
    let (_, text) = axle(&folder, &["run", "--changed", "--html", "r.html"]);
    assert!(text.contains("4 of 5 runs are unchanged") && text.contains("small@any"), "{text}");
    assert!(!text.contains("tiny@any"), "{text}");
    let html = fs::read_to_string(folder.join("r.html")).expect("a report");
    assert!(html.contains("tiny@any"), "the report is about all runs");
}

/// A change of a comment moves every line: a violation is searched again, so that its execution shows
/// the present lines; other verdicts are carried over.
#[test]
fn locations_of_executions_are_those_of_the_present_text() {
    let folder = project("moved");
    let (code, _) = axle(&folder, &["run", "--quiet"]);
    assert_eq!(code, Some(1));
    let file = folder.join("model.pml");
    let text = fs::read_to_string(&file).expect("a model");
    fs::write(&file, format!("/* A comment.\n */\n{text}")).expect("a model");
    let (code, text) = axle(&folder, &["run", "--sarif", "r.sarif"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("tiny@any: violated") && !text.contains("small@any: holds"), "{text}");
    let sarif = fs::read_to_string(folder.join("r.sarif")).expect("a report");
    assert!(sarif.contains("\"startLine\": 4") && !sarif.contains("\"startLine\": 2"), "{sarif}");
}
