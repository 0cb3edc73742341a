//! Every probe has the verdict that `truth.tsv` gives, and its trace names the right line.

use crate::support::{Verdict, check_file};

/// What is found in each wrong probe, and in which line.
const FOUND: &[(&str, &str, u32)] = &[
    ("t01_incr", "data-race", 4),
    ("t01_incr", "assertion", 6),
    ("t02_same", "data-race", 4),
    ("t02_same", "assertion", 5),
    ("t04_neg", "out-of-bounds", 2),
    ("t08_malloc", "use-after-free", 4),
    ("t13_dead", "deadlock", 3),
    ("t17_rw", "data-race", 4),
    ("t17_rw", "assertion", 6),
    ("t18_wrap", "signed-overflow", 3),
    ("t19_div", "division-by-zero", 1),
    ("t20_uaf", "use-after-free", 2),
    ("t21_lostdl", "deadlock", 3),
    ("t26_livelock", "livelock", 2),
    ("t27_uninit", "uninitialised", 2),
    ("t29_lostwake", "deadlock", 4),
    ("t30_unlock", "unlock-not-held", 3),
];

#[test]
fn the_probes_are_wrong_where_they_are_wrong() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/probes");
    for &(name, error, line) in FOUND {
        let report = check_file(&format!("{folder}/{name}.c"));
        let found = report.errors.iter().any(|(kind, at)| kind == error && *at == line);
        assert!(found, "{name}: no {error} in line {line}, but {:?}", report.errors);
        assert!(!report.trace.is_empty(), "{name}: there is a way to it");
    }
}

#[test]
fn the_probes_have_their_verdicts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/probes");
    let truth =
        std::fs::read_to_string(format!("{folder}/truth.tsv")).expect("the table of verdicts is there");
    let mut wrong = Vec::new();
    for row in truth.lines().skip(1) {
        let mut columns = row.split('\t');
        let (Some(name), Some(verdict)) = (columns.next(), columns.next()) else { continue };
        let report = check_file(&format!("{folder}/{name}.c"));
        let right = match verdict {
            "holds" => report.verdict == Verdict::Holds,
            _ => report.verdict == Verdict::Violated,
        };
        println!("{name}: {}", report.summary());
        if !right {
            wrong.push(format!("{name} should be {verdict}: {}", report.summary()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
