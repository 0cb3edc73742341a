//! `axle status --why`: the functions, macros and declarations whose change has affected a property, with
//! the commits of a repository.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, copy_all, folder, run};

const FILE: &str = "src/gate.c";

/// The project of the repository that the tests of projects read.
fn project(name: &str) -> PathBuf {
    let copy = folder(name);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../feaver/tests/fixtures/repository");
    copy_all(&fixture, &copy);
    fs::rename(copy.join("main/dot-git"), copy.join("main/.git")).expect("the repository");
    let project = copy.join("main/gate");
    fs::create_dir(project.join("properties")).expect("a folder");
    let property = "+++\nname = \"low\"\nformula = \"[] (level == 0)\"\n+++\n\nThe level is low.\n";
    fs::write(project.join("properties/low.md"), property).expect("a file");
    project
}

/// Replaces a text that occurs once.
fn replace(project: &Path, old: &str, new: &str) {
    let text = fs::read_to_string(project.join(FILE)).expect("the source");
    assert_eq!(text.matches(old).count(), 1, "{old}");
    fs::write(project.join(FILE), text.replace(old, new)).expect("the source");
}

fn why(project: &Path) -> String {
    let Ran { out, err, .. } = run(project, &["status", "--why", "low"], "");
    assert!(err.is_empty(), "{err}");
    out
}

#[test]
fn changes_have_their_commits() {
    let project = project("changed-parts");
    // The version before the last changes.
    let last = fs::read_to_string(project.join(FILE)).expect("the source");
    replace(&project, "LIMIT 5", "LIMIT 4");
    replace(&project, "x + 70;", "x + 7;");
    replace(&project, "level <= LIMIT", "level < LIMIT");
    assert_eq!(run(&project, &["run", "--quiet"], "").exit, 0);
    assert!(!why(&project).contains("changed since"));

    fs::write(project.join(FILE), &last).expect("the source");
    replace(&project, "return limit();", "return !limit();");
    let reported = why(&project);
    let expected = "changed since the last verdict:\n\
        \x20 function `limit` changed in src/gate.c\n    commit cb22731b9e by Ada Example, 2026-01-10: Close at the limit\n\
        \x20 function `main` changed in src/gate.c\n    not committed\n\
        \x20 macro `LIMIT` changed in src/gate.c\n    commit ";
    assert!(reported.contains(expected), "{reported}");
    assert!(reported.ends_with("by Cy Example, 2026-01-07: Raise the limit\n"), "{reported}");
    // No verdict depends on a function that is not called.
    assert!(!reported.contains("part_7"), "{reported}");
}

#[test]
fn a_damaged_repository_is_a_warning() {
    let project = project("changed-parts-damaged");
    assert_eq!(run(&project, &["run", "--quiet"], "").exit, 0);
    replace(&project, "return limit();", "return !limit();");
    fs::write(project.join("../.git/HEAD"), "ref: refs/heads/../../secret\n").expect("a file");
    let reported = why(&project);
    assert!(
        reported.contains("  function `main` changed in src/gate.c\nthe Git repository cannot be read"),
        "{reported}"
    );
    assert!(reported.contains("HEAD: `refs/heads/../../secret` is no valid reference"), "{reported}");
}
