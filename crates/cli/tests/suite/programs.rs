//! `axle check` on C programs: every row of `examples/c/expected.tsv`, and every form in which a
//! run can be had.

use std::collections::BTreeSet;

use axle_evidence::report::{Report, Verdict};
use axle_outcome::WarningKind;

/// A folder with the programs.
fn workplace(name: &str) -> std::path::PathBuf {
    let folder = crate::support::folder(name);
    for entry in std::fs::read_dir(crate::support::examples().join("c")).expect("the programs").flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).expect("a copy");
    }
    folder
}

fn axle(folder: &std::path::Path, arguments: &str) -> crate::support::Ran {
    crate::support::run(folder, &arguments.split_whitespace().collect::<Vec<_>>(), "")
}

/// The probes and their verdicts belong to the C part; here they go the way that a user's programs
/// go.
#[test]
fn every_probe_comes_out_right() {
    let probes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-exec/tests/probes");
    let truth = std::fs::read_to_string(probes.join("truth.tsv")).expect("the table");
    let folder = crate::support::folder("programs-probes");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for row in truth.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, truth, _] = cells[..] else { panic!("three columns in {row:?}") };
        let program = format!("{name}.c");
        std::fs::copy(probes.join(&program), folder.join(&program)).expect("a copy");
        let ran = axle(&folder, &format!("check {program} --json -q"));
        let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
        let right = match truth {
            "holds" => report.verdict == Verdict::Holds && ran.exit == 0 && report.violations.is_empty(),
            "violated" => {
                report.verdict == Verdict::Violated && ran.exit == 1 && !report.violations.is_empty()
            }
            other => panic!("{name}: no verdict is called {other}"),
        };
        if !right {
            wrong.push(format!("{row}: exit {}: {:?} {:?}", ran.exit, report.verdict, report.violations));
        }
        count += 1;
    }
    assert_eq!(count, 31, "all probes are in the table");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_program_comes_out_as_expected() {
    let folder = workplace("programs-expected");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table");
    let (mut wrong, mut listed) = (Vec::new(), BTreeSet::new());
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [program, options, exit, kind, at] = cells[..] else { panic!("five columns in {line:?}") };
        listed.insert(format!("{program}.c"));
        for how in ["", "--search dfs --store tree", "--max-violations all --store plain"] {
            let ran = axle(&folder, &format!("check {program}.c --json -q {options} {how}"));
            if ran.exit.to_string() != exit {
                wrong.push(format!("{line} {how}: exit {}: {}", ran.exit, ran.err));
                continue;
            }
            let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
            let found = |v: &axle_evidence::report::ViolationReport| {
                let line = v.place.as_ref().map(|place| place.line.to_string());
                v.kind.name() == kind && (at == "-" || line.as_deref() == Some(at))
            };
            if kind != "-" && !report.violations.iter().any(found) {
                wrong.push(format!("{line} {how}: {:?}", report.violations));
            }
            if kind == "-" && !report.violations.is_empty() {
                wrong.push(format!("{line} {how}: {:?}", report.violations));
            }
            let verdict = match exit {
                "0" => Verdict::Holds,
                "1" => Verdict::Violated,
                _ => Verdict::Unknown,
            };
            assert_eq!(report.verdict, verdict, "{line} {how}");
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for entry in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let name = entry.file_name().into_string().expect("a name");
        assert!(!name.ends_with(".c") || listed.contains(&name), "{name} is not in expected.tsv");
    }
}

/// A verdict on executions that end before the first thread says so; one on executions with threads does not.
#[test]
fn a_program_that_starts_no_thread_is_told() {
    let folder = workplace("programs-no-thread");
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/no_thread_started.c");
    let text = std::fs::read_to_string(source).expect("the program");
    std::fs::write(folder.join("ends.c"), &text).expect("a file");
    std::fs::write(folder.join("starts.c"), text.replace("shared != 1", "shared != 0")).expect("a file");
    let starts = |name| {
        let ran = axle(&folder, &format!("check {name} --json -q --only deadlocks"));
        let report: Report = serde_json::from_str(&ran.out).expect("the report reads back");
        let warnings = report.warnings.iter().filter(|warning| warning.kind == WarningKind::Threads);
        warnings.map(|warning| warning.place.as_ref().map(|place| place.line)).collect::<Vec<_>>()
    };
    assert_eq!(starts("ends.c"), [Some(15)]);
    assert_eq!(starts("starts.c"), []);
}

#[test]
fn a_trail_replays_what_the_check_showed_and_nothing_else() {
    let folder = workplace("programs-trail");
    let checked = axle(&folder, "check transfer.c -q --trace full --trail run.trail");
    assert_eq!(checked.exit, 1, "{}", checked.err);
    let replayed = axle(&folder, "replay transfer.c run.trail");
    assert_eq!(replayed.exit, 1, "{}", replayed.err);
    let steps = |text: &str| {
        text.lines().filter(|line| line.contains("transfer.c:12")).map(str::to_string).collect::<Vec<_>>()
    };
    assert!(!steps(&replayed.out).is_empty(), "{}", replayed.out);
    for line in steps(&replayed.out) {
        assert!(checked.out.contains(&line), "{line} is in\n{}", checked.out);
    }
    assert!(replayed.out.contains("waits to lock `b.lock`, held by back(2)"), "{}", replayed.out);
    // Another program, other widths, a trail of a model: each is refused.
    for (arguments, why) in [
        ("replay account.c run.trail", "does not match this program"),
        ("replay transfer.c run.trail --data-model ilp32", "does not match this program"),
        ("replay transfer.c expected.tsv", "not a trail"),
    ] {
        let refused = axle(&folder, arguments);
        assert_eq!(refused.exit, 2, "{arguments}");
        assert!(refused.err.contains(why), "{arguments}: {}", refused.err);
    }
    let damaged = axle(&folder, "check transfer.c -q --spoil-paths");
    assert_eq!(damaged.exit, 4, "a violation that does not replay is a fault of Axle: {}", damaged.out);
    assert!(damaged.out.contains("unknown"), "{}", damaged.out);
}

#[test]
fn a_run_has_columns_a_chart_a_witness_and_sarif() {
    let folder = workplace("programs-forms");
    let columns = axle(&folder, "check transfer.c -q --trace columns");
    let heads = |line: &str| ["main(0)", "there(1)", "back(2)"].iter().all(|name| line.contains(name));
    assert!(columns.out.lines().any(heads), "{}", columns.out);
    let files = "--trace chart --chart run.svg --witness run.yml --sarif run.sarif";
    let ran = axle(&folder, &format!("check lost_wakeup.c -q {files}"));
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.contains("wakes no thread"), "{}", ran.out);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the file was written");
    assert!(read("run.svg").contains("unlocks lock, waits for filled"));
    let witness = read("run.yml");
    assert!(witness.contains("type: \"target\"") && witness.contains("data_model: \"LP64\""), "{witness}");
    let sarif: serde_json::Value = serde_json::from_str(&read("run.sarif")).expect("it is JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "deadlock");
    let flows = &sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"];
    let ids: Vec<&str> =
        flows.as_array().into_iter().flatten().filter_map(|flow| flow["id"].as_str()).collect();
    assert_eq!(ids, ["main(0)", "produce(1)"], "each thread has a flow: {flows}");
    let leak = axle(&folder, "check leak.c -q --sarif leak.sarif");
    assert_eq!(leak.exit, 0);
    assert!(read("leak.sarif").contains("\"level\": \"warning\""));
}

#[test]
fn several_files_are_one_program_and_bad_ones_are_told() {
    let folder = crate::support::folder("programs-linked");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("main.c", "int twice(int); int main(void) { return twice(X) == 8 ? 0 : 1 / 0; }");
    write("twice.c", "int twice(int x) { return 2 * x; }");
    write("bad.c", "int main(void) { return y; }");
    let linked = axle(&folder, "check main.c twice.c -DX=4 -q");
    assert_eq!(linked.exit, 0, "{}{}", linked.out, linked.err);
    let wrong = axle(&folder, "check main.c twice.c -DX=5 -q --trace none");
    assert_eq!(wrong.exit, 1, "{}", wrong.out);
    assert!(wrong.out.contains("division by zero\n"), "{}", wrong.out);
    let bad = axle(&folder, "check bad.c");
    assert_eq!(bad.exit, 2);
    assert!(bad.err.contains("bad.c:1:25") && bad.err.contains("`y`"), "{}", bad.err);
    let missing = axle(&folder, "check nowhere.c");
    assert_eq!(missing.exit, 2);
    let option = axle(&folder, "check twice.c --lossy");
    assert!(option.err.contains("means nothing for C"), "{}", option.err);
}

#[test]
fn limits_make_a_verdict_unknown() {
    let folder = workplace("programs-limits");
    let ran = axle(&folder, "check account_locked.c -q --states 3");
    assert_eq!(ran.exit, 3, "{}", ran.out);
    assert!(ran.out.contains("state limit reached (--states)"), "{}", ran.out);
}

#[test]
fn runs_that_break_a_formula_replay_and_only_with_it() {
    let folder = workplace("programs-runs");
    let formula = "--ltl live=[]({flag[0]}-><>{inside[0]})";
    let checked = axle(&folder, &format!("check peterson.c -q {formula} --trace short --trail run.trail"));
    assert_eq!(checked.exit, 1, "{}", checked.err);
    assert!(checked.out.contains("--- start of cycle ---"), "{}", checked.out);
    let replayed = axle(&folder, &format!("replay peterson.c run.trail {formula} --trace short"));
    assert_eq!(replayed.exit, 1, "{}", replayed.err);
    assert!(replayed.out.contains("start of cycle"), "{}", replayed.out);
    let without = axle(&folder, "replay peterson.c run.trail");
    assert!(without.err.contains("its formula is needed"), "{}", without.err);
    let other = axle(&folder, "replay peterson.c run.trail --ltl live=[]{flag[0]<2}");
    assert_eq!(other.exit, 2, "a formula that the run satisfies: {}", other.out);
    for (formula, why) in [
        ("--ltl p=[]{nothing==1}", "there is no variable `nothing`"),
        ("--ltl p=[]call(missing)", "no function `missing`"),
        ("--ltl p=[]{flag[7]}", "outside of the array"),
        ("--ltl p=[]{flag}", "no integer or pointer"),
        ("--ltl p=[]{turn===1}", "variable or number is expected"),
        ("--ltl p=[](turn+1)<1", "write conditions as"),
    ] {
        let refused = axle(&folder, &format!("check peterson.c -q {formula}"));
        assert_eq!(refused.exit, 2, "{formula}: {}", refused.out);
        assert!(refused.err.contains(why), "{formula}: {}", refused.err);
    }
    let damaged = axle(&folder, "check relay.c -q --enable termination --spoil-paths");
    assert_eq!(damaged.exit, 4, "a run that does not replay is a fault of Axle: {}", damaged.out);
}

#[test]
fn the_thread_at_fault_is_named_though_another_has_just_been_joined() {
    let folder = crate::support::folder("programs-joined");
    let text = "#include <assert.h>\n#include <pthread.h>\nstatic pthread_t first;\nstatic int x;\n\
                static void *last(void *p) {\n    pthread_join(first, 0);\n    x = 1;\n    assert(x == 2);\n    return p;\n}\n\
                int main(void) {\n    pthread_t thread;\n    first = pthread_self();\n    pthread_create(&thread, 0, last, 0);\n    \
                pthread_exit(0);\n}\n";
    std::fs::write(folder.join("joined.c"), text).expect("a program");
    let ran = axle(&folder, "check joined.c -q");
    assert!(ran.out.contains("at joined.c:8 in last(1)"), "{}", ran.out);
}
