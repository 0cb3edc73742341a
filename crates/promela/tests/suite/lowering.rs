//! Diagnostics of names, types and control flow: every file under `lowering/` says at the end of a
//! line which codes are expected there (`//~ E0301`, or `//~^` for no line at all), and no others
//! may appear.

use crate::plain_explorer;

use std::collections::BTreeMap;
use std::path::Path;

use axle_promela::Options;
use axle_source::{Diagnostics, Sources};

type Found = BTreeMap<u32, Vec<String>>;

fn expected(text: &str) -> Found {
    let mut found = Found::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, codes)) = line.split_once("//~") else { continue };
        let (line, codes) = match codes.strip_prefix('^') {
            Some(codes) => (0, codes),
            None => (index as u32 + 1, codes),
        };
        found.entry(line).or_default().extend(codes.split_whitespace().map(String::from));
    }
    found.values_mut().for_each(|codes| codes.sort());
    found
}

fn actual(name: &str, text: &str) -> (Found, String, bool) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let main = sources.add(name, text);
    let model = axle_promela::compile(
        &mut sources,
        main,
        &plain_explorer::Disk,
        &Options::default(),
        &mut diagnostics,
    );
    if let Some(model) = &model {
        let violations = axle_model::verify::verify(model);
        assert!(violations.is_empty(), "{name}: {violations:?}");
    }
    let mut found = Found::new();
    let mut rendered = String::new();
    for diagnostic in &diagnostics {
        let line = diagnostic.outer_place(&sources).map_or(0, |place| place.start.line);
        found.entry(line).or_default().push(diagnostic.code.to_owned());
        rendered.push_str(&diagnostic.render(&sources, axle_source::Style::default()));
    }
    found.values_mut().for_each(|codes| codes.sort());
    (found, rendered, model.is_some())
}

fn check(folder: &str, accepted: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering").join(folder);
    let mut wrong = Vec::new();
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(entry.path()).expect("a text");
        let (found, rendered, compiled) = actual(&name, &text);
        files += 1;
        let want = expected(&text);
        let mut unexpected = found.clone();
        // Faults of a folder of faults may come with warnings; they are not what is tested there.
        if !accepted {
            unexpected.values_mut().for_each(|codes| codes.retain(|c| c.starts_with('E')));
            unexpected.retain(|_, codes| !codes.is_empty());
        }
        if unexpected != want || compiled != accepted {
            wrong.push(format!("{name}: want {want:?}\n got {unexpected:?}\n{rendered}"));
        }
    }
    assert!(files > 3, "the folder is there");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn faults_are_found_where_they_are() {
    check("faults", false);
}

#[test]
fn warnings_are_given_where_they_belong() {
    check("warnings", true);
}
