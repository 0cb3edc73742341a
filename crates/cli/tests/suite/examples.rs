//! Every row of `examples/expected.tsv`, in both orders of search, on both engines and in every
//! store.

use std::collections::BTreeSet;

use axle_evidence::report::{Report, Verdict};
use axle_step::FaultKind;

struct Row {
    model: String,
    options: String,
    exit: i32,
    kind: Option<String>,
    line: Option<u32>,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(crate::support::examples().join("expected.tsv")).unwrap();
    let given = |cell: &str| (cell != "-").then(|| cell.to_string());
    (text.lines().skip(1))
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [model, options, exit, kind, at] = cells[..] else { panic!("five columns in {line:?}") };
            Row {
                model: model.to_string(),
                options: options.to_string(),
                exit: exit.parse().unwrap(),
                kind: given(kind),
                line: given(at).map(|at| at.parse().unwrap()),
            }
        })
        .collect()
}

#[test]
fn every_example_comes_out_as_expected() {
    let mut wrong = Vec::new();
    for row in rows() {
        let name = format!("{} {}", row.model, row.options);
        let mut figures = BTreeSet::new();
        for how in [
            "",
            "--search dfs",
            "--successors compiled",
            "--successors interpreter --store tree",
            "--search dfs --store tree --successors compiled",
            "--store plain --max-violations all",
            "--search scc --shortest",
        ] {
            let ran =
                crate::support::axle(&format!("check {}.pml --json -q {} {how}", row.model, row.options));
            if ran.exit != row.exit {
                wrong.push(format!("{name} {how}: exit {} instead of {}: {}", ran.exit, row.exit, ran.err));
                continue;
            }
            let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
            let kinds: Vec<&str> = report.violations.iter().map(|v| v.kind.name()).collect();
            let complete = report.stop.is_none();
            let found = match &row.kind {
                // Depth-first, another violation may be met first; with all of them, it is among
                // them.
                Some(kind) => kinds.contains(&kind.as_str()),
                None => kinds.is_empty(),
            };
            if !found {
                wrong.push(format!("{name} {how}: found {kinds:?}"));
            }
            let lines: Vec<u32> =
                report.violations.iter().filter_map(|v| v.place.as_ref()).map(|place| place.line).collect();
            if row.line.is_some_and(|line| !lines.contains(&line)) {
                wrong.push(format!("{name} {how}: at lines {lines:?} instead of {:?}", row.line));
            }
            if complete {
                figures.insert((report.search.states, report.search.transitions));
            }
            let verdict = match row.exit {
                0 => Verdict::Holds,
                1 => Verdict::Violated,
                _ => Verdict::Unknown,
            };
            assert_eq!(report.verdict, verdict, "{name} {how}");
        }
        if figures.len() > 1 {
            wrong.push(format!("{name}: complete searches differ: {figures:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_fault_has_an_example() {
    let shown: BTreeSet<_> = rows().iter().filter_map(|row| row.kind.clone()).collect();
    for kind in &shown {
        let of_runs = axle_check::RUN_KINDS.iter().any(|(name, _)| name == kind);
        assert!(of_runs || FaultKind::named(kind).is_some(), "{kind} is no kind");
    }
    let missing: Vec<_> = FaultKind::all()
        .map(FaultKind::name)
        .chain(axle_check::RUN_KINDS.into_iter().map(|(kind, _)| kind))
        .filter(|&kind| !shown.contains(kind))
        .collect();
    assert!(missing.is_empty(), "no example of {missing:?}");
}

#[test]
fn every_example_is_listed() {
    let listed: BTreeSet<String> = rows().into_iter().map(|row| row.model).collect();
    for entry in std::fs::read_dir(crate::support::examples()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(model) = name.strip_suffix(".pml") {
            assert!(listed.contains(model), "{name} is not in expected.tsv");
        }
    }
}
