//! Each case of `tests/broken/cases.txt` edits a valid project and lists the diagnostics that
//! loading and preparing it yields. `AXLE_UPDATE=1` writes the diagnostics of this build into the file.

use std::fs;
use std::path::Path;

use crate::support::Temporary;
use axle_feaver::prepare::{Prepared, Selection, prepare};
use axle_feaver::project::load;

/// A case: its name, edits as written, and expected diagnostics.
struct Case {
    name: String,
    edits: Vec<String>,
    expected: Vec<String>,
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken/cases.txt")
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            cases.push(Case { name: name.to_string(), edits: Vec::new(), expected: Vec::new() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match line.strip_prefix("! ") {
            Some(expected) => case.expected.push(expected.to_string()),
            None if !line.is_empty() => case.edits.push(line.to_string()),
            None => {}
        }
    }
    cases
}

/// Text of a case: `\n` is a line end.
fn unescape(text: &str) -> String {
    text.replace("\\n", "\n")
}

fn apply(case: &Case, copy: &Temporary) {
    let mut file = "axle.toml";
    let mut edits = case.edits.iter().map(String::as_str);
    while let Some(edit) = edits.next() {
        let (word, rest) = edit.split_once(' ').unwrap_or((edit, ""));
        match word {
            "in" => file = rest,
            "-" => {
                let new = edits.next().and_then(|next| next.strip_prefix('+')).expect("a line with +");
                copy.replace(file, &unescape(rest), &unescape(new.strip_prefix(' ').unwrap_or(new)));
            }
            "append" => {
                let mut text = fs::read_to_string(copy.0.join(file)).expect("the file");
                text.push_str(&unescape(rest));
                copy.write(file, text.as_bytes());
            }
            "write" => copy.write(file, unescape(rest).as_bytes()),
            "repeat" => {
                let (count, text) = rest.split_once(' ').expect("a count");
                let own = fs::read_to_string(copy.0.join(file)).expect("the file");
                let many = unescape(text).repeat(count.parse().expect("a number"));
                copy.write(file, own.replace("@@", &many).as_bytes());
            }
            "hex" => {
                let bytes = rest.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("a byte"));
                copy.write(file, &bytes.collect::<Vec<u8>>());
            }
            "remove" => fs::remove_file(copy.0.join(rest)).expect("a file"),
            "folder" => fs::create_dir_all(copy.0.join(rest)).expect("a folder"),
            "link" => {
                let target = rest.strip_prefix("project:").map(|rest| copy.0.join(rest));
                let target = target.unwrap_or_else(|| rest.into());
                // There need not be a file that the link replaces.
                let _ = fs::remove_file(copy.0.join(file));
                std::os::unix::fs::symlink(target, copy.0.join(file)).expect("a link");
            }
            _ => panic!("{}: unknown edit `{edit}`", case.name),
        }
    }
}

/// The diagnostics, one a line: place, severity, code and message.
fn told(prepared: &Prepared) -> Vec<String> {
    let lines = prepared.diagnostics.iter().map(|one| {
        let place = one.place(&prepared.sources).map_or_else(String::new, |place| {
            format!("{}:{}:{}: ", place.file, place.start.line, place.start.column)
        });
        format!("{place}{}[{}]: {}", one.severity, one.code, one.message)
    });
    lines.collect()
}

/// The files and links below a folder, with their contents.
fn files(folder: &Path) -> Vec<(std::path::PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        found.push((path.clone(), if is_folder { None } else { fs::read(&path).ok() }));
        if is_folder {
            found.extend(files(&path));
        }
    }
    found.sort();
    found
}

#[test]
fn every_mistake_has_a_diagnostic() {
    let text = fs::read_to_string(path()).expect("the cases");
    let update = std::env::var_os("AXLE_UPDATE").is_some();
    let (mut failed, mut updated) = (Vec::new(), String::new());
    updated.push_str(text.split("== ").next().unwrap_or_default());
    let cases = cases(&text);
    assert!(update || cases.len() >= 100, "{} cases", cases.len());
    for case in cases {
        let copy = Temporary::copy_of("phone");
        apply(&case, &copy);
        let before = files(&copy.0);
        let loaded = load(&copy.0);
        let is_none = loaded.project.is_none();
        let prepared = prepare(loaded, &Selection::default());
        assert_eq!(files(&copy.0), before, "{}: nothing is written", case.name);
        let root = copy.0.canonicalize().expect("the folder").display().to_string();
        let told: Vec<String> = told(&prepared).into_iter().map(|line| line.replace(&root, "ROOT")).collect();
        let errors = told.iter().any(|line| line.contains("error["));
        assert_eq!(prepared.runs.is_empty(), errors, "{}: errors and no runs", case.name);
        assert!(errors || !is_none, "{}: no project without an error", case.name);
        // The manifest itself has no place if it is missing.
        let located = |line: &String| line.starts_with("error[") || line.starts_with("warning[");
        let unplaced: Vec<&String> = told.iter().filter(|line| located(line)).collect();
        assert!(
            unplaced.is_empty() || case.name.starts_with("the manifest is"),
            "{}: {unplaced:?}",
            case.name
        );
        updated.push_str(&format!("== {}\n", case.name));
        case.edits.iter().for_each(|edit| updated.push_str(&format!("{edit}\n")));
        told.iter().for_each(|line| updated.push_str(&format!("! {line}\n")));
        updated.push('\n');
        if told != case.expected || told.is_empty() {
            failed.push(format!(
                "{}:\n  {}\nexpected:\n  {}",
                case.name,
                told.join("\n  "),
                case.expected.join("\n  ")
            ));
        }
    }
    if update {
        fs::write(path(), updated).expect("the cases can be written");
        return;
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
