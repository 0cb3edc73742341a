//! Merging accesses that no other thread can observe (`locksets.rs`) changes no verdict: every
//! program of `tests/c` and every probe is searched with and without it.

use crate::support::{Report, check_text};
use axle_c_exec::Settings;

fn both(path: &std::path::Path) -> (Report, Report) {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.display().to_string();
    let whole = Settings { locksets: false, ..Settings::default() };
    let with = check_text(&name, &text, &Settings::default(), 2_000_000);
    (with, check_text(&name, &text, &whole, 2_000_000))
}

#[test]
fn verdicts_are_those_of_the_whole_search() {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut wrong = Vec::new();
    let (mut with_states, mut whole_states) = (0, 0);
    for folder in ["tests/probes", "../../tests/c"] {
        let files = std::fs::read_dir(format!("{root}/{folder}")).expect("the folder is there").flatten();
        for path in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "c")) {
            let (with, whole) = both(&path);
            let kinds = |report: &Report| {
                let names = report.errors.iter().map(|(name, _)| name.clone());
                names.collect::<std::collections::BTreeSet<String>>()
            };
            let same = with.verdict == whole.verdict
                && with.restricted == whole.restricted
                && kinds(&with) == kinds(&whole)
                && with.states <= whole.states;
            if !same {
                wrong.push(format!("{}: {}\n  but {}", path.display(), with.summary(), whole.summary()));
            }
            with_states += with.states;
            whole_states += whole.states;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(with_states < whole_states, "{with_states} of {whole_states} states");
}
