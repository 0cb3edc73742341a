//! Persistent sets of threads (`persistent_sets.rs`) change no verdict: every program of `tests/c` and
//! every probe is searched with and without them, with and without transactions, memoised and executed.
//! On programs with independent threads they halve the states at least.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::support::{Report, Verdict, check_text};
use axle_c_exec::Settings;

fn kinds(report: &Report) -> BTreeSet<&str> {
    report.errors.iter().map(|(name, _)| &name[..]).collect()
}

fn programs(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(&folder).expect("the folder is there").flatten();
    let mut found: Vec<PathBuf> = files.map(|file| file.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    found.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, text)
    };
    found.into_iter().map(read).collect()
}

/// What the search of a program with these settings, and the same with persistent sets, come to.
fn compare(path: &str, text: &[u8], settings: &Settings) -> (Report, Report, Option<String>) {
    let whole = check_text(path, text, settings, 2_000_000);
    let reduced = Settings { persistent_sets: true, ..settings.clone() };
    let few = check_text(path, text, &reduced, 2_000_000);
    let executed = check_text(path, text, &Settings { memo: false, ..reduced }, 2_000_000);
    let (some, all) = (kinds(&few), kinds(&whole));
    // An error ends an execution: what would have come after it in another order may be missing.
    let same = if all.is_empty() { some.is_empty() } else { some.is_subset(&all) && !some.is_empty() };
    let same = same
        && few.verdict == whole.verdict
        && few.states <= whole.states
        && (few.states, kinds(&few)) == (executed.states, kinds(&executed))
        && (whole.verdict != Verdict::Holds
            || few.restricted == whole.restricted && few.leaks == whole.leaks);
    let wrong = (!same).then(|| {
        format!(
            "{path} ({}): {}\n  but {}\n  executed {}",
            if settings.transactions { "transactions" } else { "steps" },
            few.summary(),
            whole.summary(),
            executed.summary()
        )
    });
    (few, whole, wrong)
}

#[test]
fn verdicts_are_those_of_the_search_with_all_threads() {
    let (mut wrong, mut few, mut all) = (Vec::new(), 0, 0);
    for (path, text) in [programs("tests/probes"), programs("../../tests/c")].concat() {
        let text_of = String::from_utf8_lossy(&text);
        let sections = text_of.contains("__VERIFIER_atomic");
        for transactions in [false, true] {
            if transactions && sections {
                continue;
            }
            let settings = Settings { transactions, ..Settings::default() };
            let (with, whole, differs) = compare(&path.display().to_string(), &text, &settings);
            wrong.extend(differs);
            if whole.verdict == Verdict::Holds {
                (few, all) = (few + with.states, all + whole.states);
            }
        }
    }
    println!("{few} of {all} states");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(few < all, "{few} of {all} states");
}

#[test]
fn independent_threads_are_not_interleaved() {
    for (path, text) in programs("../../tests/independent") {
        for transactions in [false, true] {
            let settings = Settings { transactions, ..Settings::default() };
            let (with, whole, differs) = compare(&path.display().to_string(), &text, &settings);
            assert_eq!(differs, None);
            println!("{} {transactions}: {} of {} states", path.display(), with.states, whole.states);
            assert_eq!(whole.verdict, Verdict::Holds, "{}", path.display());
            assert!(
                2 * with.states <= whole.states,
                "{}: {} of {}",
                path.display(),
                with.states,
                whole.states
            );
        }
    }
}

#[test]
fn a_library_function_may_be_called_through_a_pointer() {
    let text = include_bytes!("../../../../tests/c/library_through_pointer.c");
    for transactions in [false, true] {
        let settings = Settings { transactions, ..Settings::default() };
        let (few, _, wrong) = compare("library_through_pointer.c", text, &settings);
        assert_eq!(wrong, None);
        assert_eq!(few.verdict, Verdict::Violated);
    }
}
