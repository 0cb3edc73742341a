//! Reading the repository of `tests/fixtures/repository`, and those that Git makes where it is installed.
//!
//! The fixture has packed branches, a pack with differences, a commit in files of its own, a merge and a
//! worktree. Its folder `.git` is called `dot-git`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use axle_feaver::changes::{Origin, Origins, Texts, changed, parts};
use axle_feaver::repository::{Fault, Repository};

use crate::support::{Temporary, copy_into};

const FILE: &str = "src/gate.c";

/// A copy of the fixture, with a project in `main/gate`.
fn fixture() -> Temporary {
    let copy = Temporary::new();
    copy_into(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/repository"), &copy.0);
    fs::rename(copy.0.join("main/dot-git"), copy.0.join("main/.git")).expect("the repository");
    copy
}

/// The message of the commit that made a change: a part of the text, and the file in the last version.
fn origin(project: &Path, part: &str) -> Result<Option<String>, Fault> {
    let Some(mut repository) = Repository::find(project)? else { return Ok(None) };
    let mut holds = |content: Option<&[u8]>| {
        content.is_some_and(|content| String::from_utf8_lossy(content).contains(part))
    };
    Ok(repository.origin(FILE, &mut holds)?.map(|commit| format!("{}: {}", commit.author, commit.subject)))
}

#[test]
fn commits_of_changes_are_found() {
    let copy = fixture();
    let project = copy.0.join("main/gate");
    for (part, expected) in [
        ("LIMIT 5", Some("Cy Example: Raise the limit")),
        ("x + 70;", Some("Bo Example: Change part 7")),
        ("level <= LIMIT", Some("Ada Example: Close at the limit")),
        ("int part_3", Some("Ada Example: First version")),
        ("LIMIT 4", Some("Ada Example: First version")),
        ("nothing like this", None),
    ] {
        assert_eq!(origin(&project, part), Ok(expected.map(str::to_string)), "{part}");
    }
    let mut repository = Repository::find(&project).expect("it can be read").expect("a repository");
    let head = repository.head().expect("a reference").expect("a commit");
    let commit = repository.commit(head).expect("the commit");
    assert_eq!((commit.author.as_str(), commit.time), ("Ada Example", 1_768_039_200));
    let content = repository.file(&commit, FILE).expect("the file");
    assert_eq!(content, Some(fs::read(project.join(FILE)).expect("the file")));
    assert_eq!(repository.file(&commit, "src"), Ok(None));
    assert_eq!(repository.file(&commit, "src/gate.c/x"), Ok(None));
}

#[test]
fn worktrees_and_folders_without_a_repository_are_read() {
    let copy = fixture();
    copy.write("tree/.git", b"gitdir: ../main/.git/worktrees/tree\n");
    fs::create_dir_all(copy.0.join("tree/gate")).expect("a folder");
    let found = origin(&copy.0.join("tree/gate"), "level <= LIMIT");
    assert_eq!(found, Ok(Some("Ada Example: Close at the limit".to_string())));
    assert_eq!(origin(&copy.0, "LIMIT"), Ok(None));
    // A branch that is only in `packed-refs`, and one without commits.
    copy.write("main/.git/HEAD", b"ref: refs/heads/side\n");
    assert_eq!(
        origin(&copy.0.join("main/gate"), "x + 70"),
        Ok(Some("Bo Example: Change part 7".to_string()))
    );
    copy.write("main/.git/HEAD", b"ref: refs/heads/unborn\n");
    assert_eq!(origin(&copy.0.join("main/gate"), "x + 70"), Ok(None));
}

#[test]
fn damaged_repositories_are_faults_with_a_place() {
    let copy = fixture();
    let project = copy.0.join("main/gate");
    for (file, content, place, problem) in [
        (".git/HEAD", "ref: refs/heads/../../../secret\n", "HEAD", "is no valid reference"),
        (".git/HEAD", "ref: refs/heads/main\0\n", "HEAD", "is no valid reference"),
        (".git/HEAD", "words\n", "HEAD", "no name of a commit"),
        (".git/refs/heads/main", "ref: refs/heads/main\n", "HEAD", "again and again"),
        (
            ".git/refs/heads/main",
            "0123456789012345678901234567890123456789\n",
            "object 0123",
            "does not contain",
        ),
        (".git/refs/heads/main", "656e994336b08470922792f6ca7b1aeddff41532\n", "object 656e", "instead of a"),
        (".git/config", "[extensions]\n\tobjectformat = sha256\n", "config", "sha256 are not supported"),
        (".git/config", "[extensions]\n\trefstorage = reftable\n", "config", "reftable are not supported"),
    ] {
        let path = copy.0.join("main").join(file);
        let before = fs::read(&path).expect("the file");
        fs::write(&path, content).expect("the file");
        match origin(&project, "LIMIT 5") {
            Err(fault) => {
                assert!(fault.place.contains(place) && fault.problem.contains(problem), "{content}: {fault}");
            }
            Ok(found) => panic!("{content}: {found:?}"),
        }
        fs::write(&path, before).expect("the file");
    }
    let other = Temporary::new();
    other.write(".git", b"gitdir: /nowhere/at/all\n");
    assert!(origin(&other.0, "").is_err_and(|fault| fault.problem.contains("/nowhere/at/all")));
    other.write(".git", b"something else\n");
    assert!(origin(&other.0, "").is_err_and(|fault| fault.problem.contains("names no folder")));
}

/// Every byte of every file is changed in turn: nothing panics, and a wrong content is never returned for
/// a damaged object that has a checksum.
#[test]
fn any_damage_is_survived() {
    let copy = fixture();
    let project = copy.0.join("main/gate");
    let mut files = Vec::new();
    all_files(&copy.0.join("main/.git"), &mut files);
    let mut faults = 0;
    for path in files {
        let before = fs::read(&path).expect("the file");
        let step = if before.len() > 300 { 13 } else { 1 };
        for at in (0..before.len()).step_by(step) {
            for flipped in [0xff, 0x01] {
                let mut bytes = before.clone();
                bytes[at] ^= flipped;
                fs::write(&path, &bytes).expect("the file");
                faults += usize::from(origin(&project, "LIMIT 5").is_err());
            }
        }
        for length in [0, before.len() / 2, before.len() - 1] {
            fs::write(&path, &before[..length]).expect("the file");
            faults += usize::from(origin(&project, "LIMIT 5").is_err());
        }
        fs::write(&path, before).expect("the file");
    }
    assert!(faults > 300, "{faults} faults");
    assert_eq!(origin(&project, "LIMIT 5"), Ok(Some("Cy Example: Raise the limit".to_string())));
}

fn all_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path().is_dir() {
            true => all_files(&entry.path(), found),
            false => found.push(entry.path()),
        }
    }
}

#[test]
fn a_change_has_its_commit_or_is_not_committed() {
    let copy = fixture();
    let project = copy.0.join("main/gate");
    let new = fs::read_to_string(project.join(FILE)).expect("the file");
    let of = |text: &str| parts(&Texts::from([(FILE.to_string(), text.into())]));
    let old = new
        .replace("LIMIT 5", "LIMIT 4")
        .replace("x + 70", "x + 7")
        .replace("level <= LIMIT", "level < LIMIT")
        .replace("int part_29", "int removed(int x) { return x; }\nint part_29");
    let edited = new.replace("x + 3;", "x + 4;");
    fs::write(project.join(FILE), &edited).expect("the file");
    let (old, new) = (of(&old), of(&edited));
    let mut origins = Origins::of(&project);
    let mut reported = Vec::new();
    for change in changed(&old, &new) {
        let key = (change.path.clone(), change.kind, change.name.clone());
        let origin = origins.origin(&change, new.get(&key), true);
        let origin = match origin {
            Some(Origin::Commit(commit)) => commit.subject.clone(),
            Some(Origin::Uncommitted) => "not committed".to_string(),
            None => "unknown".to_string(),
        };
        reported.push(format!("{} {}: {origin}", change.name, change.change.name()));
    }
    assert_eq!(origins.fault, None);
    assert_eq!(
        reported,
        [
            "limit changed: Close at the limit",
            "part_3 changed: not committed",
            "part_7 changed: Change part 7",
            // No version of the repository has this function.
            "removed removed: unknown",
            "LIMIT changed: Raise the limit",
        ]
    );
}

/// Random histories that Git has made, in files and in packs: the commit of each change is that of
/// `git log -S`, which looks for changes of the number of occurrences.
#[test]
fn histories_are_those_of_git() {
    let copy = Temporary::new();
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git")
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(&copy.0)
            .output()
            .ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    if git(&["init", "-q", "-b", "main"]).is_none() {
        println!("skipped: the program `git` is not installed");
        return;
    }
    let mut lines: Vec<String> = (0..60).map(|line| format!("int line_{line} = 0;")).collect();
    for version in 1..=40 {
        lines[version * 7 % 60] = format!("int line_v{version}_ = {version};");
        copy.write(FILE, (lines.join("\n") + "\n").as_bytes());
        git(&["add", "-A"]).expect("git add");
        git(&["commit", "-q", "-m", &format!("Version {version}")]).expect("git commit");
        if version == 25 {
            git(&["gc", "-q", "--aggressive", "--prune=now"]).expect("git gc");
        }
    }
    for is_packed in [false, true] {
        if is_packed {
            git(&["gc", "-q", "--prune=now"]).expect("git gc");
        }
        for version in 1..=40 {
            let part = format!("line_v{version}_ ");
            let known = git(&["log", "--format=%an: %s", "-S", &part, "--", FILE]).expect("git log");
            let known = known.lines().last().map(str::to_string);
            let found = origin(&copy.0, &part).expect("the repository can be read");
            let is_left = lines.iter().any(|line| line.contains(&part));
            assert_eq!(found, known, "version {version}, in the last version: {is_left}");
        }
    }
}
