//! Transactions (`transactions.rs`) change no verdict: every program of `tests/c` and every probe
//! is searched with and without them. The first violation may differ, but a race is reported only
//! if one exists.

use std::collections::BTreeSet;

use crate::support::{Report, Verdict, check_text};
use axle_c_exec::Settings;

/// Sections of `__VERIFIER_atomic` are left to the search with one transition per access.
fn applies(text: &[u8]) -> bool {
    !String::from_utf8_lossy(text).contains("__VERIFIER_atomic")
}

fn kinds(report: &Report) -> BTreeSet<&str> {
    report.errors.iter().map(|(name, _)| &name[..]).collect()
}

#[test]
fn verdicts_are_those_of_the_search_with_a_turn_for_each_access() {
    let root = env!("CARGO_MANIFEST_DIR");
    let (mut wrong, mut unsure, mut compared) = (Vec::new(), 0, 0);
    let (mut with_states, mut whole_states) = (0, 0);
    for folder in ["tests/probes", "../../tests/c"] {
        let files = std::fs::read_dir(format!("{root}/{folder}")).expect("the folder is there").flatten();
        for path in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "c")) {
            let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if !applies(&text) {
                continue;
            }
            let name = path.display().to_string();
            let coarse = Settings { transactions: true, ..Settings::default() };
            let with = check_text(&name, &text, &coarse, 2_000_000);
            if kinds(&with).contains("unsure") {
                unsure += 1;
                continue;
            }
            compared += 1;
            let whole = check_text(&name, &text, &Settings::default(), 2_000_000);
            let (few, all) = (kinds(&with), kinds(&whole));
            let races = all.contains("data-race");
            let same = with.verdict == whole.verdict
                && with.restricted == whole.restricted
                // After a race, not all other violations are found.
                && if races { few.is_subset(&all) } else { few == all };
            if !same {
                let (with, whole) = (with.summary(), whole.summary());
                wrong.push(format!("{}: {with}\n  but {whole}", path.display()));
            }
            if whole.verdict == Verdict::Holds {
                if with.states > whole.states {
                    println!("more: {} {} {}", path.display(), with.states, whole.states);
                }
                with_states += with.states;
                whole_states += whole.states;
            }
        }
    }
    println!("{with_states} of {whole_states} states, {compared} programs compared, {unsure} unsure");
    // A program that accesses a variable with and without a lock is decided without transactions.
    assert!(10 * unsure <= compared, "{unsure} programs are unsure, {compared} compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(with_states < whole_states, "{with_states} of {whole_states} states");
}
