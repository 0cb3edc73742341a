//! Verification projects through the program: `axle init`, `axle run`, `axle status`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::folder;

/// A project of two properties; the second is violated.
const MODEL: &str = "byte n; byte other;
active proctype counter() { do :: n < 3 -> n++ :: else -> break od }
active proctype bystander() { other = 1 }
";

fn project(name: &str) -> PathBuf {
    let folder = folder(&format!("projects/{name}"));
    fs::create_dir(folder.join("properties")).expect("a folder");
    let property = |name: &str, formula: &str| {
        let text = format!(
            "+++\nname = \"{name}\"\nfeature = \"counting\"\nformula = \"{formula}\"\n+++\n\nWords.\n"
        );
        fs::write(folder.join(format!("properties/{name}.md")), text).expect("a property");
    };
    property("small", "[] (n < 4)");
    property("tiny", "[] (n < 3)");
    fs::write(folder.join("model.pml"), MODEL).expect("a model");
    let manifest = "name = \"counter\"\nfeatures = [\"counting\"]\n[sources]\npromela = [\"model.pml\"]\n";
    fs::write(folder.join("axle.toml"), manifest).expect("a manifest");
    folder
}

fn axle(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("axle runs");
    let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.code(), text)
}

/// The first word behind the name of a run in a table.
fn verdict(text: &str, run: &str) -> String {
    let line = text.lines().find(|line| line.trim_start().starts_with(run));
    line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or("no line").to_string()
}

#[test]
fn verdicts_are_carried_over_until_something_changes() {
    let folder = project("carried");
    let (code, text) = axle(&folder, &["status"]);
    assert_eq!((code, verdict(&text, "small@any")), (Some(3), "new".to_string()), "{text}");
    assert!(!folder.join(".axle").exists(), "status writes nothing");

    let (code, text) = axle(&folder, &["run", "--quiet"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(verdict(&text, "small@any"), "holds", "{text}");
    assert_eq!(verdict(&text, "tiny@any"), "violated", "{text}");

    let (code, text) = axle(&folder, &["run"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("3 of 3 verdicts carried over"), "{text}");
    assert!(!text.contains("(cycle"), "nothing is executed: {text}");
    let (_, text) = axle(&folder, &["run", "--again"]);
    assert!(text.contains("small@any: holds (cycle 7)"), "{text}");

    // A statement that no property depends on changes no verdict; the bound of the counter does.
    fs::write(folder.join("model.pml"), MODEL.replace("other = 1", "other = 2")).expect("a model");
    let (code, text) = axle(&folder, &["status"]);
    assert_eq!((code, verdict(&text, "small@any")), (Some(1), "holds".to_string()), "{text}");
    fs::write(folder.join("model.pml"), MODEL.replace("n < 3", "n < 9")).expect("a model");
    let (code, text) = axle(&folder, &["status"]);
    assert_eq!((code, verdict(&text, "small@any")), (Some(3), "changed".to_string()), "{text}");
    let (_, text) = axle(&folder, &["status", "--why", "small"]);
    assert!(text.contains("holds before a change of: slice"), "{text}");
    let (code, text) = axle(&folder, &["run", "--quiet"]);
    assert_eq!((code, verdict(&text, "small@any")), (Some(1), "violated".to_string()), "{text}");
}

#[test]
fn invalid_projects_have_no_history() {
    let folder = project("invalid");
    fs::write(folder.join("axle.toml"), "name = 3\n").expect("a manifest");
    for command in ["run", "status"] {
        let (code, text) = axle(&folder, &[command]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("axle.toml:1:8"), "{text}");
    }
    assert!(!folder.join(".axle").exists());
}

#[cfg(unix)]
#[test]
fn the_history_stays_in_the_project() {
    let folder = project("linked");
    let outside = project("outside");
    std::os::unix::fs::symlink(&outside, folder.join(".axle")).expect("a link");
    let (code, text) = axle(&folder, &["run", "--quiet"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("is not a folder"), "{text}");
    assert!(!outside.join("history.db").exists());
}

/// The exact check of a model is divided among the workers that the manifest asks for.
#[test]
fn a_project_asks_for_workers() {
    let folder = project("divided");
    let manifest = fs::read_to_string(folder.join("axle.toml")).expect("a manifest");
    let with = |workers: &str| {
        fs::write(folder.join("axle.toml"), format!("{manifest}[limits]\nworkers = {workers}\n"))
            .expect("a manifest");
    };
    with("3");
    let (code, text) = axle(&folder, &["run", "--quiet"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(verdict(&text, "small@any"), "holds", "{text}");
    assert_eq!(verdict(&text, "tiny@any"), "violated", "{text}");
    let (_, json) = axle(&folder, &["run", "--quiet", "--again", "--json"]);
    assert!(json.contains("\"distributed\""), "{json}");
    with("0");
    let (code, text) = axle(&folder, &["status"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("`0` is not a number of workers"), "{text}");
}
