//! C programs with abstraction tables: `axle check --table` and `axle run` give the same verdicts. The
//! cases are data in `tests/tables`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{copy_all, folder, run};

/// A row of `cases.tsv`.
struct Case<'a> {
    folder: &'a str,
    statement: &'a str,
    verdict: &'a str,
    /// The kind of the cause of an unknown verdict.
    cause: Option<&'a str>,
}

impl Case<'_> {
    fn is_timeline(&self) -> bool {
        self.statement.ends_with(".tl")
    }

    fn is_safety(&self) -> bool {
        self.statement == "safety"
    }
}

fn kind(answer: &Value) -> Option<&str> {
    answer["cause"]["kind"].as_str()
}

/// Checks the answer of `axle check`.
fn check(root: &Path, case: &Case<'_>, wrapper: &Path) {
    let stated = format!("stated={}", case.statement);
    let mut arguments = vec!["check", "program.c", "--quiet", "--json", "--table", "program.lut"];
    if root.join(wrapper).exists() {
        arguments.extend(["--wrapper", "wrapper.pml"]);
    }
    if case.is_timeline() {
        arguments.extend(["--only", "properties", "--timeline", case.statement]);
    } else if !case.is_safety() {
        arguments.extend(["--only", "properties", "--ltl", &stated]);
    }
    let ran = run(root, &arguments, "");
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let shown = || format!("{} {}: {}{}", case.folder, case.statement, ran.out, ran.err);
    assert_eq!(report["verdict"], case.verdict, "{}", shown());
    let properties = report["properties"].as_array().expect("properties");
    let has_cause = |cause: &str| properties.iter().any(|property| kind(property) == Some(cause));
    assert!(case.cause.is_none_or(has_cause), "{}", shown());
}

/// The manifest of a folder as a project.
fn manifest(root: &Path, wrapper: &Path) -> String {
    let mut manifest =
        "name = \"p\"\n[sources]\nc = [\"program.c\"]\ntables = [\"program.lut\"]\n".to_string();
    if root.join(wrapper).exists() {
        manifest.push_str("wrapper = \"wrapper.pml\"\n");
    }
    manifest
}

/// Checks the answer of `axle run`.
fn execute(root: &Path, case: &Case<'_>, wrapper: &Path) {
    let mut manifest = manifest(root, wrapper);
    if !case.is_safety() {
        manifest.push_str("[safety]\nchecks = []\n");
        let key = if case.is_timeline() { "timeline" } else { "formula" };
        fs::create_dir_all(root.join("properties")).expect("a folder");
        let text = format!("+++\nname = \"stated\"\n{key} = \"{}\"\n+++\n\nWords.\n", case.statement);
        fs::write(root.join("properties/stated.md"), text).expect("a property");
    }
    manifest.push_str(&fs::read_to_string(root.join("project.toml")).unwrap_or_default());
    fs::write(root.join("axle.toml"), manifest).expect("a manifest");
    let ran = run(root, &["run", "--quiet", "--json", "--budget", "60s"], "");
    let round: Value = serde_json::from_str(&ran.out).expect("JSON");
    let runs = round["runs"].as_array().expect("runs");
    let shown = || format!("{} {}: {}{}", case.folder, case.statement, ran.out, ran.err);
    assert_eq!(runs.len(), 1, "{}", shown());
    assert_eq!(runs[0]["verdict"], case.verdict, "{}", shown());
    assert_eq!(kind(&runs[0]), case.cause, "{}", shown());
}

#[test]
fn check_and_run_give_the_same_verdicts() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tables");
    let table = fs::read_to_string(cases.join("cases.tsv")).expect("the cases");
    let (mut count, wrapper) = (0, Path::new("wrapper.pml"));
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [folder_name, statement, verdict, cause] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let cause = Some(cause).filter(|cause| *cause != "-");
        let case = Case { folder: folder_name, statement, verdict, cause };
        let root = folder(&format!("tables-{count}"));
        copy_all(&cases.join(folder_name), &root);
        if !root.join("project.toml").exists() {
            check(&root, &case, wrapper);
        }
        execute(&root, &case, wrapper);
        count += 1;
    }
    assert!(count >= 10, "{count} cases");
}

#[test]
fn sequences_that_rows_add_or_omit_are_unknown() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tables");
    let table = fs::read_to_string(cases.join("diagnoses.tsv")).expect("the cases");
    let rows: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(rows.len() >= 4, "{rows:?}");
    for (count, row) in rows.into_iter().enumerate() {
        let [name, place, exit] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let root = folder(&format!("tables-diagnosed-{count}"));
        copy_all(&cases.join(name), &root);
        fs::write(root.join("axle.toml"), manifest(&root, Path::new("wrapper.pml"))).expect("a manifest");
        let ran = run(&root, &["diagnose", ".", "--reach", place, "--trace", "none"], "");
        assert_eq!(ran.exit.to_string(), exit, "{row}: {}{}", ran.out, ran.err);
    }
}
