//! JSON, SARIF and JUnit reports of all verdicts and of input errors; several inputs; results of
//! earlier runs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, run};
use serde_json::Value;

const HOLDS: &str = "byte x;\nactive proctype p() { x = 1; assert(x == 1) }\n";
const VIOLATED: &str = "byte x;\nactive proctype p() { x = 1; assert(x == 0) }\n";
const WRONG: &str = "active proctype p() {\n  y = 1\n}\n";

/// A folder with a model for each verdict, a wrong one, and two C programs.
fn inputs(name: &str) -> PathBuf {
    let folder = crate::support::folder(name);
    for (file, text) in [
        ("holds.pml", HOLDS),
        ("violated.pml", VIOLATED),
        ("wrong.pml", WRONG),
        ("a b.pml", VIOLATED),
        ("half.axm", "axle model 1\nnonsense\n"),
        ("main.c", "int f(void);\nint main(void) { return f(); }\n"),
        ("f.c", "int f(void) { return 0; }\n"),
        ("g.c", "#include <assert.h>\nint main(void) { assert(0); return 0; }\n"),
        ("wrong.c", "int main(void) {\n  return z;\n}\n"),
    ] {
        fs::write(folder.join(file), text).expect("a folder that can be written");
    }
    folder
}

fn axle(folder: &Path, arguments: &str) -> Ran {
    run(folder, &arguments.split_whitespace().collect::<Vec<_>>(), "")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

fn sarif(folder: &Path) -> Value {
    let log = json(&fs::read_to_string(folder.join("s.sarif")).expect("a SARIF file"));
    assert_valid(&log);
    log
}

/// The properties that SARIF 2.1.0 requires of a log, and its rules on references within it.
fn assert_valid(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].is_string());
    for run in log["runs"].as_array().expect("runs") {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let mut ids = Vec::new();
        for rule in driver["rules"].as_array().expect("rules") {
            ids.push(&rule["id"]);
            for text in [&rule["id"], &rule["name"], &rule["shortDescription"]["text"], &rule["help"]["text"]]
            {
                assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{rule}");
            }
        }
        for result in run["results"].as_array().expect("results") {
            assert!(ids.contains(&&result["ruleId"]), "{result}");
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
            assert!(result["message"]["text"].is_string());
            let locations = result["locations"].as_array().expect("locations");
            assert!(!locations.is_empty());
            locations.iter().for_each(assert_location);
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                for thread in flow["threadFlows"].as_array().expect("thread flows") {
                    let steps = thread["locations"].as_array().expect("steps");
                    assert!(!steps.is_empty());
                    steps.iter().for_each(|step| assert_location(&step["location"]));
                }
            }
        }
        for invocation in run["invocations"].as_array().expect("invocations") {
            assert!(invocation["executionSuccessful"].is_boolean());
            for notification in invocation["toolExecutionNotifications"].as_array().expect("a list") {
                assert!(notification["message"]["text"].is_string());
                assert!(notification["descriptor"]["id"].is_string());
            }
        }
    }
}

fn assert_location(location: &Value) {
    let physical = &location["physicalLocation"];
    let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(!uri.contains(' ') && !uri.is_empty(), "{uri}");
    if let Some(region) = physical.get("region") {
        for bound in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(region[bound].as_u64().is_some_and(|bound| bound >= 1), "{region}");
        }
    }
}

#[test]
fn input_errors_have_their_location_in_every_form() {
    let folder = inputs("input-errors");
    for (file, line, column, code) in
        [("wrong.pml", 2, 3, true), ("wrong.c", 2, 10, true), ("half.axm", 2, 1, false)]
    {
        let ran = axle(&folder, &format!("check {file} --json --sarif s.sarif --junit j.xml --html h.html"));
        assert_eq!(ran.exit, 2, "{}", ran.err);
        let report = json(&ran.out);
        assert_eq!((&report["verdict"], &report["model"]), (&"unknown".into(), &file.into()));
        assert_eq!(report["errors"].as_array().map(Vec::len), Some(1), "{report}");
        let error = &report["errors"][0];
        assert_eq!(error["code"].is_string(), code, "{error}");
        assert_eq!(error["place"]["file"], file);
        assert_eq!(
            (error["place"]["line"].as_u64(), error["place"]["column"].as_u64()),
            (Some(line), Some(column))
        );
        assert_eq!(report["reason"], error["message"]);
        let html = fs::read_to_string(folder.join("h.html")).expect("an HTML page");
        assert!(html.contains(&format!("{file}:{line}")), "{html}");
        let log = sarif(&folder);
        let run = &log["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["invocations"][0]["exitCode"], 2);
        let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"].as_u64(), Some(line));
        let junit = fs::read_to_string(folder.join("j.xml")).expect("a JUnit file");
        assert!(
            junit.contains("errors=\"1\"") && junit.contains(&format!("{file}:{line}:{column}: ")),
            "{junit}"
        );
    }
    let ran = axle(&folder, "check missing.pml --json --sarif s.sarif");
    assert_eq!(ran.exit, 2);
    assert_eq!(json(&ran.out)["errors"][0]["message"], "there is no file 'missing.pml'");
    assert_eq!(sarif(&folder)["runs"][0]["results"][0]["ruleId"], "input-error");
}

#[test]
fn warnings_of_valid_input_have_their_location_in_json_and_sarif() {
    let folder = inputs("machine-warnings");
    fs::write(folder.join("dead.pml"), "active proctype p() {\n  byte x = 300;\n  assert(x >= 0)\n}\n")
        .expect("a file");
    fs::write(folder.join("c.c"), "#define N 1\n#define N 2\nint main(void) { return 0; }\n")
        .expect("a file");
    for (file, line) in [("dead.pml", 2), ("c.c", 2)] {
        let ran = axle(&folder, &format!("check {file} --json --sarif s.sarif"));
        assert!(ran.err.contains("warning["), "{file}: {}", ran.err);
        let warnings = &json(&ran.out)["warnings"];
        let warning = &warnings[0];
        let kind = warning["kind"].as_str().expect("the code of the warning");
        assert!(ran.err.contains(&format!("warning[{kind}]")), "{file}: {warnings} {}", ran.err);
        assert_eq!(
            (&warning["place"]["file"], &warning["place"]["line"]),
            (&file.into(), &line.into()),
            "{warnings}"
        );
        let log = sarif(&folder);
        let results = log["runs"][0]["results"].as_array().expect("results");
        let result = results.iter().find(|one| one["ruleId"] == kind).expect("a result for the warning");
        assert_eq!(result["level"], "warning");
        assert_location(&result["locations"][0]);
    }
}

#[test]
fn undecided_checks_are_notifications_with_a_reason() {
    let folder = inputs("undecided");
    let ran = axle(&folder, "check holds.pml --json --sarif s.sarif --junit j.xml --depth 1");
    assert_eq!(ran.exit, 3);
    let reason = json(&ran.out)["reason"].as_str().expect("a reason").to_string();
    assert!(reason.contains("--depth"), "{reason}");
    let log = sarif(&folder);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], reason.as_str());
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "warning");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    let junit = fs::read_to_string(folder.join("j.xml")).expect("a JUnit file");
    assert!(junit.contains("<error type=\"unknown\"") && junit.contains("failures=\"0\""), "{junit}");

    let ran = axle(&folder, "check holds.pml --json --sarif s.sarif");
    assert!(ran.exit == 0 && json(&ran.out).get("reason").is_none(), "{}", ran.out);
    let invocation = &sarif(&folder)["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    assert_eq!(invocation["toolExecutionNotifications"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_violation_is_a_result_with_a_rule_and_undecided_checks_are_skipped() {
    let folder = inputs("violated");
    let ran = run(&folder, &["check", "a b.pml", "-q", "--sarif", "s.sarif", "--junit", "j.xml"], "");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let log = sarif(&folder);
    let run = &log["runs"][0];
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!((&rule["id"], &rule["name"]), (&"assertion".into(), &"Assertion".into()));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["level"], "note");
    let location = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20b.pml");
    let junit = fs::read_to_string(folder.join("j.xml")).expect("a JUnit file");
    for part in [
        "<failure type=\"assertion\"",
        "<skipped message=",
        "failures=\"1\"",
        "errors=\"0\"",
        "a b.pml:2:30: ",
    ] {
        assert!(junit.contains(part), "{part} in {junit}");
    }
}

#[test]
fn programs_state_their_memory_model() {
    let folder = inputs("memory-model");
    for model in ["c11", "sc"] {
        let ran = axle(&folder, &format!("check main.c f.c --json --sarif s.sarif --memory-model {model}"));
        assert_eq!(ran.exit, 0, "{}", ran.err);
        assert_eq!(json(&ran.out)["memory_model"], model);
        assert_eq!(sarif(&folder)["runs"][0]["invocations"][0]["properties"]["memoryModel"], model);
    }
    assert!(json(&axle(&folder, "check holds.pml --json").out).get("memory_model").is_none());
}

#[test]
fn models_are_inputs_of_their_own_and_c_files_are_one_program() {
    let folder = inputs("several");
    let files = "holds.pml main.c violated.pml f.c wrong.pml";
    let ran = axle(&folder, &format!("check {files} -q --json --sarif s.sarif --junit j.xml"));
    assert_eq!(ran.exit, 2, "{}", ran.err);
    let all = json(&ran.out);
    let reports = all["reports"].as_array().expect("reports");
    let shown: Vec<_> = reports.iter().map(|one| (one["model"].as_str(), one["verdict"].as_str())).collect();
    let wanted = [
        ("holds.pml", "holds"),
        ("main.c f.c", "holds"),
        ("violated.pml", "violated"),
        ("wrong.pml", "unknown"),
    ];
    assert_eq!(shown, wanted.map(|(model, verdict)| (Some(model), Some(verdict))));
    assert_eq!(all["schema"], 1);
    assert!(reports[2].get("errors").is_none(), "errors belong to one input");
    assert_eq!(sarif(&folder)["runs"].as_array().map(Vec::len), Some(4));
    let junit = fs::read_to_string(folder.join("j.xml")).expect("a JUnit file");
    assert_eq!(junit.matches("<testsuite ").count(), 4);

    let each = axle(&folder, "check f.c g.c -q --each --summary");
    assert_eq!(each.exit, 2, "{}", each.out);
    let lines: Vec<&str> = each.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", each.out);
    assert!(lines[0].starts_with("summary of 2 inputs: 1 violated, 1 error"), "{}", each.out);
    assert!(lines[1].starts_with("f.c  error "), "{}", each.out);
    assert!(lines[2].starts_with("g.c  violated ") && lines[2].ends_with("(g.c:2)"), "{}", each.out);
}

#[test]
fn the_exit_code_is_the_worst_and_the_summary_is_last() {
    let folder = inputs("worst");
    for (files, exit) in [
        ("holds.pml holds.pml", 0),
        ("holds.pml violated.pml", 1),
        ("violated.pml wrong.pml holds.pml", 2),
        ("holds.pml holds.pml --depth 1", 3),
        ("violated.pml missing.pml", 2),
    ] {
        assert_eq!(axle(&folder, &format!("check {files} -q")).exit, exit, "{files}");
    }
    let ran = axle(&folder, "check holds.pml violated.pml -q");
    let (_, table) = ran.out.split_once("summary of 2 inputs: 1 holds, 1 violated\n").expect("a summary");
    assert!(
        table.starts_with("holds.pml     holds\nviolated.pml  violated  assertion violated: "),
        "{table}"
    );
    let one = axle(&folder, "check violated.pml -q --summary");
    assert_eq!((one.exit, one.out.lines().count()), (1, 1), "{}", one.out);
    for option in ["--trail t", "--chart c.svg", "--html h.html", "--checkpoint c", "--resume c"] {
        let ran = axle(&folder, &format!("check holds.pml violated.pml {option}"));
        assert!(ran.exit == 2 && ran.err.contains("is for one input"), "{option}: {}", ran.err);
    }
}

#[test]
fn results_of_an_earlier_run_are_removed() {
    let folder = inputs("stale");
    let both = "byte x;\nactive proctype p() { if :: x = 1; assert(x == 0) :: x = 2; assert(x == 0) fi }\n";
    let files =
        "--max-violations all --trail t.trail --chart c.svg --sarif s.sarif --html h.html --junit j.xml";
    let written = ["t.trail", "t-2.trail", "c.svg", "c-2.svg", "h.html", "s.sarif", "j.xml"];
    let there = |file: &&str| folder.join(file).exists();
    for (text, exit, left) in [(HOLDS, 0, 4), (WRONG, 2, 4)] {
        fs::write(folder.join("m.pml"), both).expect("a model");
        assert_eq!(axle(&folder, &format!("check m.pml -q {files}")).exit, 1);
        assert!(written.iter().all(&there));
        fs::write(folder.join("m.pml"), text).expect("a model");
        assert_eq!(axle(&folder, &format!("check m.pml -q {files}")).exit, exit);
        assert!(!written[..left].iter().any(&there), "traces of the earlier run");
        assert!(written[left..].iter().all(&there), "reports of this run");
        assert!(!sarif(&folder).to_string().contains("assertion"));
    }
    // A file that Axle did not write is not removed.
    fs::write(folder.join("c.svg"), "notes").expect("a file");
    assert_eq!(axle(&folder, "check holds.pml -q --chart c.svg").exit, 0);
    assert_eq!(fs::read_to_string(folder.join("c.svg")).expect("the file"), "notes");
}

#[test]
fn a_finite_prefix_is_reported_written_and_replayed() {
    let folder = inputs("prefix");
    let model = "byte x;\nactive proctype p() { do :: x = 1 - x od }\nltl never_one { [] (x == 0) }\n";
    fs::write(folder.join("m.pml"), model).expect("a model");
    let ran = axle(&folder, "check m.pml -q --json --trace full --sarif s.sarif --trail t.trail");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let report = json(&ran.out);
    let violation = &report["violations"][0];
    assert_eq!((&violation["property"], violation["depth"].as_u64()), (&"never_one".into(), Some(1)));
    assert!(violation.get("cycle").is_none(), "a bad prefix has no cycle: {violation}");
    let trace = &report["traces"][0];
    assert_eq!(trace["steps"].as_array().map(Vec::len), Some(1), "{trace}");
    assert!(trace.get("cycle").is_none());
    let log = sarif(&folder);
    let steps = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().map(Vec::len), Some(1));
    let trail = json(&fs::read_to_string(folder.join("t.trail")).expect("a trail"));
    assert_eq!((trail["cycle"].as_u64(), trail["path"].as_array().map(Vec::len)), (Some(0), Some(1)));
    let again = axle(&folder, "replay m.pml t.trail");
    assert_eq!(again.exit, 1, "{}", again.err);
    assert!(again.out.contains("x = (1-x)") || again.out.contains("x = 1 - x"), "{}", again.out);
    assert!(!again.out.contains("start of cycle"), "{}", again.out);
    // A longer path is not the execution that the property refutes.
    let longer = trail.to_string().replace("\"path\":[0]", "\"path\":[7]");
    assert_ne!(longer, trail.to_string());
    fs::write(folder.join("t.trail"), longer).expect("a trail");
    assert_eq!(axle(&folder, "replay m.pml t.trail").exit, 2);
}

#[test]
fn lines_fit_the_width_of_the_terminal() {
    let folder = inputs("width");
    let model = "chan q = [2] of { byte, byte };\nint a_rather_long_name = 1;\n
active proctype producer_of_numbers() { q!1,2; a_rather_long_name = a_rather_long_name + 12345 * a_rather_long_name; q!3,4 }
active proctype consumer_of_numbers() { byte x, y; q?x,y; q?x,y; assert(x + y < 3 && a_rather_long_name == 1) }\n";
    fs::write(folder.join("m.pml"), model).expect("a model");
    let widths = [(None, 100), (Some("60"), 60), (Some("80"), 80)];
    for ((columns, width), form) in
        widths.into_iter().flat_map(|width| ["full", "short", "columns", "chart"].map(|form| (width, form)))
    {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_axle"));
        command.args(["check", "m.pml", "-q", "--trace", form]).current_dir(&folder).env_remove("COLUMNS");
        columns.map(|columns| command.env("COLUMNS", columns));
        let out = String::from_utf8(command.output().expect("the program starts").stdout).expect("text");
        for line in out.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}\n{out}");
        }
        let (first, last) = (out.lines().next(), out.lines().last());
        assert_eq!((first, first), (Some("m.pml: violated: 1 violation"), last), "verdict first and last");
        assert!(out.contains("other checks not decided: stopped at the first violation"), "{out}");
    }
}
