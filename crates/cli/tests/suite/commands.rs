//! The commands as a user meets them: exit codes, files, limits, and what is refused.

use crate::support::{axle, examples, folder, run};
use axle_evidence::report::Report;
use serde_json::Value;

fn report(arguments: &str) -> (i32, Report) {
    let ran = axle(arguments);
    let report =
        serde_json::from_str(&ran.out).unwrap_or_else(|fault| panic!("{fault}: {}{}", ran.out, ran.err));
    (ran.exit, report)
}

#[test]
fn the_exit_code_is_the_verdict() {
    assert_eq!(axle("check peterson.pml").exit, 0);
    assert_eq!(axle("check mutex_broken.pml").exit, 1);
    assert_eq!(axle("check no_such_file.pml").exit, 2);
    assert_eq!(axle("check").exit, 2);
    assert_eq!(axle("check peterson.pml --store none").exit, 2);
    assert_eq!(axle("check peterson.pml --states 10").exit, 3);
    assert_eq!(axle("--help").exit, 0);
}

/// Engines with an option of explicit-state search that they do not have.
const BEYOND: [(&str, &str, &str); 7] = [
    ("symbolic", "--store", "bitstate"),
    ("symbolic", "--depth", "5"),
    ("symbolic", "--search", "dfs"),
    ("bmc", "--store", "hash-compact"),
    ("pdr", "--search", "dfs"),
    ("induction", "--states", "100"),
    ("abstract", "--states", "100"),
];

#[test]
fn an_engine_says_which_option_it_does_not_have() {
    for (engine, option, value) in BEYOND {
        let ran = axle(&format!("check peterson.pml --engine {engine} {option} {value}"));
        assert_eq!(ran.exit, 3, "{engine} {option}: {}", ran.out);
        let reason = format!("the engine {engine} does not support {option}");
        assert!(ran.out.contains(&reason), "{engine} {option}: {}", ran.out);
    }
    let divided = axle("check peterson.pml --workers 2 --por guards");
    assert!(divided.out.contains("the engine distributed does not support --por guards"), "{}", divided.out);
}

/// Command lines that name an input of another command, and the command in the answer.
const ADVICE: [(&str, &str); 12] = [
    ("check project", "`axle run project`"),
    ("check sources", "`axle check sources/FILE.c`"),
    ("check project/axle.toml", "`axle run project`"),
    ("simulate project", "`axle run project`"),
    ("project", "`axle run project`"),
    ("p.c --leaks", "`axle check p.c --leaks`"),
    ("m.pml", "`axle check m.pml`"),
    ("run p.c", "`axle check p.c`"),
    ("status project/axle.toml", "`axle run project`"),
    ("serve --listen 8747", "`--listen 127.0.0.1:8747`"),
    ("serve --listen localhost:80", "`--listen 127.0.0.1:80`"),
    ("serve --port 8747", "--listen 127.0.0.1:PORT"),
];

#[test]
fn a_wrong_command_is_answered_with_the_right_one() {
    let folder = folder("advice");
    std::fs::create_dir(folder.join("sources")).unwrap();
    std::fs::create_dir(folder.join("project")).unwrap();
    std::fs::write(folder.join("project/axle.toml"), "name = \"p\"\n").unwrap();
    std::fs::write(folder.join("p.c"), "int main(void) { return 0; }\n").unwrap();
    for (arguments, expected) in ADVICE {
        let words: Vec<&str> = arguments.split(' ').collect();
        let ran = run(&folder, &words, "");
        assert_eq!(ran.exit, 2, "{arguments}: {}", ran.err);
        assert!(ran.err.contains(expected), "{arguments}: {}", ran.err);
        assert!(!ran.err.contains("similar subcommand"), "{arguments}: {}", ran.err);
    }
}

#[test]
fn a_program_in_c_is_no_model() {
    let folder = folder("no_model");
    std::fs::write(folder.join("p.c"), "int main(void) { return 0; }\n").unwrap();
    let ran = run(&folder, &["slice", "p.c", "--for", "assertions"], "");
    assert_eq!(ran.exit, 2, "{}", ran.out);
    assert!(ran.err.contains("`axle check p.c`"), "{}", ran.err);
    assert_eq!(run(&folder, &["check", "p.c"], "").exit, 0);
}

#[test]
fn formulas_are_decided_by_the_selected_engine_and_exported() {
    let folder = folder("claims");
    let text = "bool x; active proctype P() { do :: x = !x od }
        active proctype Q() { do :: skip od } ltl f { [] <> x } ltl g { <> [] x }";
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let check = |engine: &str, name: &str, fairness: &str| {
        let arguments = ["check", "m.pml", "--engine", engine, "--only", name, "--fairness", fairness, "-q"];
        run(&folder, &arguments, "").exit
    };
    for engine in ["explicit", "distributed", "symbolic", "induction", "pdr"] {
        assert_eq!(check(engine, "f", "none"), 1, "{engine}");
        assert_eq!(check(engine, "f", "weak"), 0, "{engine}");
        assert_eq!(check(engine, "g", "weak"), 1, "{engine}");
    }
    assert_eq!((check("bmc", "g", "weak"), check("pdr", "f", "strong")), (1, 3));
    let export = |arguments: &[&str]| {
        let ran = run(&folder, &[&["export", "m.pml", "--format"], arguments].concat(), "");
        assert_eq!(ran.exit, 0, "{}", ran.err);
        ran.out
    };
    let sizes = |text: &str| text.lines().next().map(|header| header.split(' ').count());
    assert_eq!(sizes(&export(&["aag"])), Some(7));
    assert_eq!(sizes(&export(&["aag", "--claims"])), Some(9));
    let fair = export(&["btor2", "--claims", "--weak-fairness"]);
    let lines = |kind: &str| fair.lines().filter(|line| line.split(' ').nth(1) == Some(kind)).count();
    assert_eq!((lines("justice"), lines("fair")), (2, 2));
}

/// A program that answers files with justice conditions: with a lasso of zeros, which select the first
/// process, its first statement and the first edge of the claim.
#[cfg(unix)]
#[test]
fn lassos_of_a_hardware_model_checker_are_replayed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("lassos");
    let text = "bool x, done; active proctype P() { do :: x = !x od }
        ltl ends { <> done } ltl soon { <> x }";
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let check = |name: &str, answer: &str, fairness: &str| {
        // The header names inputs and latches in its third and fourth field, justice conditions in its ninth.
        let script = format!(
            "#!/bin/sh
set -- $(head -n 1 \"$1\")
zeros() {{ printf \"%0$1d\\n\" 0; }}
[ \"${{9:-0}}\" = 1 ] || {{ echo 2; exit; }}
{answer}
"
        );
        let program = folder.join("checker.sh");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let arguments = ["check", "m.pml", "--engine", "./checker.sh", "--only", name];
        run(&folder, &[&arguments[..], &["--fairness", fairness]].concat(), "")
    };
    let lasso = "echo 1; echo j0; zeros $4; zeros $3; zeros $3; zeros $3; echo .";
    for fairness in ["none", "weak"] {
        let ran = check("ends", lasso, fairness);
        assert_eq!(ran.exit, 1, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("start of cycle"), "{}", ran.out);
    }
    // Answers that are not so, or have no evidence, are not believed.
    let short = "echo 1; echo j0; zeros $4; zeros $3; echo .";
    for (name, answer) in [("soon", lasso), ("ends", short), ("ends", "echo 1"), ("soon", "echo 0")] {
        let ran = check(name, answer, "none");
        assert_eq!(ran.exit, 3, "{answer}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("answered by checker.sh, not checked"), "{answer}: {}", ran.out);
    }
    let ran = check("soon", "echo 2", "none");
    assert_eq!(ran.exit, 3, "{}", ran.out);
    assert!(!ran.out.contains("answered by checker.sh"), "{}", ran.out);
}

#[test]
fn a_violation_that_does_not_replay_leaves_a_bundle() {
    let folder = folder("bundle");
    std::fs::copy(examples().join("mutex_broken.pml"), folder.join("m.pml")).unwrap();
    for file in ["axle-fault.json", "axle-fault-2.json"] {
        let ran = run(&folder, &["check", "m.pml", "--spoil-paths"], "");
        assert_eq!(ran.exit, 4, "{}", ran.err);
        assert!(ran.err.contains(file), "{}", ran.err);
        assert!(!ran.out.contains("holds"), "{}", ran.out);
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let bundle: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(bundle["axle-bundle"], 1);
        assert_eq!(bundle["violation"]["kind"], "assertion");
        assert_eq!(bundle["command-line"][2], "--spoil-paths");
        // The model in it is one that can be checked.
        std::fs::write(folder.join("again.axle"), bundle["model"].as_str().unwrap()).unwrap();
        assert_eq!(run(&folder, &["check", "again.axle", "-q"], "").exit, 1);
    }
}

#[test]
fn a_run_for_ever_replays_from_its_trail() {
    let folder = folder("runs");
    std::fs::copy(examples().join("response.pml"), folder.join("m.pml")).unwrap();
    for fairness in ["none", "weak"] {
        let property = "[]<> (asked && answered)";
        let options = ["check", "m.pml", "--ltl", property, "--only", "formula_1", "--trail", "run.trail"];
        let options: Vec<&str> =
            options.into_iter().chain(["--fairness", fairness, "--sarif", "s.json"]).collect();
        let found = run(&folder, &options, "");
        assert_eq!(found.exit, 1, "{}", found.err);
        assert!(found.out.contains("start of cycle"), "{}", found.out);
        let again = run(&folder, &["replay", "m.pml", "run.trail", "--ltl", property], "");
        assert_eq!(again.exit, 1, "{}", again.err);
        assert!(again.out.contains("start of cycle"), "{}", again.out);
        let sarif = std::fs::read_to_string(folder.join("s.json")).unwrap();
        assert!(sarif.contains("start of cycle"));
    }
    // The property is part of what the trail belongs to, and the run is judged again.
    assert_eq!(run(&folder, &["replay", "m.pml", "run.trail"], "").exit, 2);
    let trail = std::fs::read_to_string(folder.join("run.trail")).unwrap();
    let mut trail: Value = serde_json::from_str(&trail).unwrap();
    assert_eq!((&trail["axle-trail"], &trail["property"]), (&Value::from(2), &Value::from("formula_1")));
    trail["property"] = "answer".into();
    std::fs::write(folder.join("other.trail"), trail.to_string()).unwrap();
    let other = run(&folder, &["replay", "m.pml", "other.trail", "--ltl", "[]<> (asked && answered)"], "");
    assert_eq!(other.exit, 2, "{}", other.out);
    assert!(other.err.contains("does not break the property"), "{}", other.err);
}

#[test]
fn a_run_that_does_not_break_its_property_is_a_fault_of_axle() {
    let folder = folder("spoilt");
    std::fs::copy(examples().join("response.pml"), folder.join("m.pml")).unwrap();
    let ran = run(&folder, &["check", "m.pml", "--only", "answer", "--spoil-paths"], "");
    assert_eq!(ran.exit, 4, "{}", ran.err);
    assert!(folder.join("axle-fault.json").exists());
    assert!(!ran.out.contains("violated"), "{}", ran.out);
}

#[test]
fn what_is_asked_for_by_name_is_all_that_is_checked() {
    let (exit, only) = report("check response.pml --json --only answer");
    assert_eq!((exit, only.properties.len(), only.search.states.saturated()), (1, 1, 0));
    let (exit, only) = report("check response.pml --json --only assertions,bounds");
    assert_eq!((exit, only.properties.len()), (0, 2));
    let ran = axle("check response.pml --only anwser");
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("did you mean 'answer'"), "{}", ran.err);
    assert_eq!(axle("check response.pml --search nested --fairness weak").exit, 2);
}

#[test]
fn every_limit_ends_as_unknown_with_its_reason() {
    for (option, reason) in [
        ("--states 5", "states"),
        ("--depth 3", "depth"),
        ("--depth 3 --search dfs", "depth"),
        ("--memory 1k", "memory"),
        ("--memory 0 --search dfs", "memory"),
    ] {
        let (exit, report) = report(&format!("check peterson.pml --json {option}"));
        assert_eq!(exit, 3, "{option}");
        assert_eq!(report.stop.expect("a stop").reason.name(), reason, "{option}");
        assert!(report.properties.iter().all(|p| p.reason.is_some()), "{option}: nothing holds");
    }
}

#[test]
fn a_time_limit_ends_a_search_that_would_go_on() {
    let folder = folder("time");
    let model = "int a, b; active proctype p() { do :: a++ :: b++ od }\n";
    std::fs::write(folder.join("long.pml"), model).unwrap();
    let ran = run(&folder, &["check", "long.pml", "--por", "none", "--json", "--time", "300ms"], "");
    assert_eq!(ran.exit, 3, "{}", ran.err);
    let report: Report = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report.stop.unwrap().reason.name(), "time");
    assert!(report.search.states > 1000);
}

#[test]
fn a_limit_in_the_search_for_a_formula_is_reported_with_its_product() {
    let folder = folder("limit_of_formula");
    let model = format!("{ENDLESS}\nltl small {{ [] (c != 123456789) }}\n");
    std::fs::write(folder.join("formula.pml"), model).unwrap();
    let limits = ["--time", "1s", "--memory", "1G", "-q"];
    let arguments = [&["check", "formula.pml", "--only", "small"][..], &limits].concat();
    let ran = crate::support::run(&folder, &arguments, "");
    assert_eq!(ran.exit, 3);
    for unknown in ["in 0 states", " of 0 B", "no store", "not reported"] {
        assert!(!ran.out.contains(unknown), "{}", ran.out);
    }
    assert!(ran.out.contains(" transitions, ") && ran.out.contains("B, "), "{}", ran.out);
}

#[test]
fn an_engine_without_states_reports_none() {
    let folder = folder("no_states");
    std::fs::write(folder.join("endless.pml"), ENDLESS).unwrap();
    let ran = run(&folder, &["check", "endless.pml", "--engine", "bmc", "--depth", "3", "-q"], "");
    assert_eq!(ran.exit, 3);
    assert!(ran.out.contains("unknown: no violation found\n"), "{}", ran.out);
    // The depth is that of the question which the limit ended.
    assert!(ran.out.contains("\ndepth 4, ") && !ran.out.contains("0 states"), "{}", ran.out);
}

/// A model with too many states for a search, and with products that keep every engine from an answer.
const ENDLESS: &str = "int a, b, c; active proctype p() {
    do :: d_step { a++; b = b * a + 7; c = c ^ (b * b) } :: a = a * c :: assert (c != 123456789) od }";

#[test]
#[cfg(unix)]
fn an_interrupted_search_reports_what_it_covered() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = folder("interrupt");
    std::fs::write(folder.join("long.pml"), ENDLESS).unwrap();
    // Should the signal be lost, the limit ends the test.
    let mut child = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(["check", "long.pml", "--por", "none", "--json", "--memory", "2G", "--time", "60s"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line of progress says that the search is under way.
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains(" states, "), "{line}");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let report: Report = serde_json::from_str(&out).unwrap();
    assert_eq!(report.stop.unwrap().reason.name(), "interrupted");
    assert!(report.search.states > 0);
}

/// `timeout` signals its child and then the whole process group.
#[test]
#[cfg(unix)]
fn two_signals_at_once_are_one_request() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = folder("two_signals");
    std::fs::write(folder.join("long.pml"), ENDLESS).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(["check", "long.pml", "--por", "none", "--json", "--memory", "2G", "--time", "60s"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    for _ in 0..20 {
        // The program may have ended.
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let report: Report = serde_json::from_str(&out).unwrap();
    assert_eq!(report.stop.unwrap().reason.name(), "interrupted");
}

#[test]
fn a_violation_found_within_a_limit_is_a_violation() {
    let (exit, report) = report("check mutex_broken.pml --json --depth 8 --max-violations all");
    assert_eq!(exit, 1);
    assert_eq!(report.stop.unwrap().reason.name(), "depth");
}

#[test]
fn the_json_report_has_its_fields() {
    let ran = axle("check mutex_broken.pml --json");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["verdict"], "violated");
    assert_eq!(json["model"], "mutex_broken.pml");
    assert_eq!(json["violations"][0]["kind"], "assertion");
    assert_eq!(json["violations"][0]["place"]["line"], 13);
    assert_eq!(json["violations"][0]["process"], "user(0)");
    assert_eq!(json["violations"][0]["depth"], 7);
    assert!(json["search"]["states"].as_u64().unwrap() > 0);
    // What the reference lists is what there is.
    let reference = examples().join("../docs/reference/json.md");
    if let Ok(text) = std::fs::read_to_string(reference) {
        for field in json.as_object().unwrap().keys() {
            assert!(text.contains(&format!("`{field}`")), "json.md does not speak of `{field}`");
        }
    }
}

#[test]
fn traces_come_as_json_on_request() {
    for options in ["--json --trace full", "--trace json"] {
        let ran = axle(&format!("check mutex_broken.pml {options}"));
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(json["traces"][0]["steps"].as_array().unwrap().len(), 7, "{options}");
        assert_eq!(json["traces"][0]["steps"][6]["by"]["place"]["line"], 13);
        assert!(ran.out.starts_with("{\n  \"schema\": 1,"), "{}", ran.out);
    }
}

#[test]
fn a_very_long_run_is_shown_on_request_only() {
    let folder = folder("long_run");
    let model = "int x; active proctype p() { do :: x < 12000 -> x++ :: x == 12000 -> assert(false) od }\n";
    std::fs::write(folder.join("m.pml"), model).unwrap();
    let unasked = run(&folder, &["check", "m.pml", "--search", "dfs"], "");
    assert_eq!(unasked.exit, 1, "{}", unasked.err);
    assert!(unasked.out.contains("too long to be shown by default"), "{}", unasked.out);
    let asked = run(&folder, &["check", "m.pml", "--search", "dfs", "--trace", "short"], "");
    assert!(asked.out.lines().count() > 24_000, "{}", asked.out.lines().count());
}

#[test]
fn a_trail_replays_and_belongs_to_its_model() {
    let folder = folder("trail");
    for name in ["mutex_broken.pml", "peterson.pml"] {
        std::fs::copy(examples().join(name), folder.join(name)).unwrap();
    }
    let checked = run(&folder, &["check", "mutex_broken.pml", "--trail", "a.trail"], "");
    assert_eq!(checked.exit, 1, "{}", checked.err);
    let replayed = run(&folder, &["replay", "mutex_broken.pml", "a.trail"], "");
    assert_eq!(replayed.exit, 1, "{}", replayed.err);
    assert!(replayed.out.contains("assertion violated"), "{}", replayed.out);
    assert!(replayed.out.contains("count: 0 -> 1"), "{}", replayed.out);
    let simulated = run(&folder, &["simulate", "mutex_broken.pml", "--trail", "a.trail"], "");
    assert_eq!(simulated.exit, 1, "{}", simulated.err);
    assert!(simulated.out.contains("assertion violated"), "{}", simulated.out);

    let other = run(&folder, &["replay", "peterson.pml", "a.trail"], "");
    assert_eq!(other.exit, 2);
    assert!(other.err.contains("does not match this model"), "{}", other.err);
    let none = run(&folder, &["replay", "mutex_broken.pml", "peterson.pml"], "");
    assert_eq!(none.exit, 2);
    assert!(none.err.contains("not a trail"), "{}", none.err);
}

#[test]
fn a_trail_takes_the_place_of_trails_only() {
    let folder = folder("overwrite");
    let text = std::fs::read_to_string(examples().join("mutex_broken.pml")).unwrap();
    std::fs::write(folder.join("m.pml"), &text).unwrap();
    let refused = run(&folder, &["check", "m.pml", "--trail", "m.pml"], "");
    assert_eq!(refused.exit, 2, "{}", refused.out);
    assert_eq!(std::fs::read_to_string(folder.join("m.pml")).unwrap(), text);
    for _ in 0..2 {
        assert_eq!(run(&folder, &["check", "m.pml", "--trail", "m.trail"], "").exit, 1);
    }
}

#[test]
fn nothing_is_written_that_was_not_asked_for() {
    let folder = folder("clean");
    std::fs::copy(examples().join("mutex_broken.pml"), folder.join("m.pml")).unwrap();
    assert_eq!(run(&folder, &["check", "m.pml"], "").exit, 1);
    let names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["m.pml"]);
}

#[test]
fn charts_and_sarif_are_written_where_asked() {
    let folder = folder("files");
    std::fs::copy(examples().join("philosophers.pml"), folder.join("m.pml")).unwrap();
    let ran = run(&folder, &["check", "m.pml", "--sarif", "m.sarif", "--chart", "m.svg"], "");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    let sarif: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("m.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "invalid-end");
    let svg = std::fs::read_to_string(folder.join("m.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("philosopher"), "{svg}");
}

#[test]
fn the_text_of_a_model_is_a_model() {
    let folder = folder("dump");
    let dumped = axle("dump mutex_broken.pml");
    assert_eq!(dumped.exit, 0, "{}", dumped.err);
    std::fs::write(folder.join("m.axle"), &dumped.out).unwrap();
    let from_text = run(&folder, &["check", "m.axle", "--json"], "");
    assert_eq!(from_text.exit, 1, "{}", from_text.err);
    let (from_text, from_source): (Report, Report) =
        (serde_json::from_str(&from_text.out).unwrap(), report("check mutex_broken.pml --json").1);
    assert_eq!(from_text.search.states, from_source.search.states);
    assert_eq!(from_text.violations, from_source.violations);
    let again = run(&folder, &["dump", "m.axle"], "");
    assert_eq!(again.out, dumped.out);
}

#[test]
fn the_other_dumps_are_there() {
    let layout = axle("dump alternating_bit.pml --layout");
    assert_eq!(layout.exit, 0);
    assert!(layout.out.contains("channel forth"), "{}", layout.out);
    let promela = axle("dump philosophers.pml --promela");
    assert_eq!(promela.exit, 0);
    assert!(promela.out.contains("proctype philosopher"), "{}", promela.out);
    let folder = folder("promela");
    std::fs::write(folder.join("p.pml"), &promela.out).unwrap();
    let again = run(&folder, &["check", "p.pml", "--json"], "");
    let states = |text: &str| serde_json::from_str::<Report>(text).unwrap().search.states;
    assert_eq!(states(&again.out), states(&axle("check philosophers.pml --json").out));
}

#[test]
fn equal_seeds_make_equal_runs() {
    let once = axle("simulate alternating_bit.pml --seed 7 --steps 50");
    let again = axle("simulate alternating_bit.pml --seed 7 --steps 50");
    let other = axle("simulate alternating_bit.pml --seed 8 --steps 50");
    assert_eq!(once.exit, 0, "{}", once.err);
    assert_eq!(once.out, again.out);
    assert_ne!(once.out, other.out);
    // Continuation lines are indented further.
    let step = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let shallow = |line: &&str| line.len() - line.trim_start().len() < 4;
    assert_eq!(once.out.lines().filter(step).filter(shallow).count(), 50);
}

#[test]
fn a_simulation_tells_how_it_ends() {
    let ran = axle("simulate truncation.pml");
    assert_eq!(ran.exit, 0);
    assert!(ran.out.contains("end of the execution"), "{}", ran.out);
}

#[test]
fn a_simulation_stops_at_the_first_violation() {
    let folder = folder("simulate_stops");
    std::fs::write(folder.join("m.pml"), "byte x;\nactive proctype p() { assert(x == 1); x = 2; x = 3 }\n")
        .unwrap();
    let ran = run(&folder, &["simulate", "m.pml"], "");
    assert_eq!(ran.exit, 1, "{}", ran.err);
    assert!(ran.out.ends_with("after 1 step: stopped at the first violation\n"), "{}", ran.out);
    assert!(!ran.out.contains("x = 2"), "{}", ran.out);
}

#[test]
fn graphs_are_drawn_of_processes_products_and_functions() {
    let folder = folder("dump_dot");
    let text = "byte x;\nactive proctype p() {\nend0:\tdo\n\t:: atomic { x < 2 -> x++ }\n\t:: x > 5 -> goto accept1\n\t\
                od;\naccept1: skip;\nprogress2: x = 0\n}\n";
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let process = run(&folder, &["dump", "m.pml", "--dot", "p", "-q"], "");
    assert_eq!((process.exit, process.err.as_str()), (0, ""));
    for part in [
        "end0",
        "fillcolor=lightgrey",
        "shape=doublecircle",
        "fillcolor=palegreen",
        "label=\"x++\"",
        "dashed",
    ] {
        assert!(process.out.contains(part), "{part}\n{}", process.out);
    }
    let product = run(&folder, &["dump", "m.pml", "--dot-product", "-q"], "");
    assert_eq!(product.exit, 0, "{}", product.err);
    assert_eq!(product.out.matches("p(0): x < 2\\np(0): x++").count(), 2, "{}", product.out);
    assert!(product.out.contains("x = 2\", style=filled, fillcolor=lightgrey"), "{}", product.out);
    std::fs::write(folder.join("large.pml"), "int x; active proctype p() { do :: x++ od }\n").unwrap();
    let large = run(&folder, &["dump", "large.pml", "--dot-product", "-q"], "");
    assert_eq!((large.exit, large.out.as_str()), (2, ""));
    assert!(large.err.contains("more than 500 reachable states"), "{}", large.err);
    let unknown = run(&folder, &["dump", "m.pml", "--dot", "q", "-q"], "");
    assert_eq!((unknown.exit, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("no process 'q'"), "{}", unknown.err);

    let text = "int f(int n) {\n\twhile (n > 0)\n\t\tn--;\n\treturn n;\n}\nint main(void) { return f(3); }\n";
    std::fs::write(folder.join("p.c"), text).unwrap();
    let function = run(&folder, &["dump", "p.c", "--dot", "f"], "");
    assert_eq!(function.exit, 0, "{}", function.err);
    for part in
        ["[label=\"2: n > 0\"]", "0 -> 1 [label=true];", "0 -> 2 [label=false];", "1 -> 0;", "2 -> exit;"]
    {
        assert!(function.out.contains(part), "{part}\n{}", function.out);
    }
    let listing = run(&folder, &["dump", "p.c"], "");
    assert!(listing.exit == 0 && listing.out.contains("function `f` returns i32"), "{}", listing.out);
    for (option, said) in
        [("--dot=g", "no function 'g'"), ("--dot-product", "for models"), ("--layout", "for models")]
    {
        let refused = run(&folder, &["dump", "p.c", option], "");
        assert_eq!((refused.exit, refused.out.as_str()), (2, ""), "{option}");
        assert!(refused.err.contains(said), "{}", refused.err);
    }
}

#[test]
fn a_user_chooses_steps_and_looks_around() {
    let session = "1\n2\np count\nb\ns\nc\np nothing\n77\nwhat\nh\nq\n1\n";
    let ran = run(&examples(), &["simulate", "mutex_broken.pml", "-i"], session);
    assert_eq!(ran.exit, 0, "{}", ran.err);
    for part in [
        "count = 0",
        "inside[0] = false",
        "there is no variable 'nothing'",
        "there is no step 77",
        "unknown command 'what'",
        "go back one step",
    ] {
        assert!(ran.out.contains(part), "{part} in:\n{}", ran.out);
    }
}

#[test]
fn macros_come_from_the_command_line() {
    let folder = folder("macros");
    std::fs::write(folder.join("m.pml"), "active proctype p() { assert(N < 3) }\n").unwrap();
    std::fs::create_dir(folder.join("inc")).unwrap();
    std::fs::write(folder.join("inc/n.h"), "#define N 5\n").unwrap();
    std::fs::write(folder.join("i.pml"), "#include \"n.h\"\nactive proctype p() { assert(N < 3) }\n")
        .unwrap();
    assert_eq!(run(&folder, &["check", "m.pml", "-DN=2"], "").exit, 0);
    assert_eq!(run(&folder, &["check", "m.pml", "-D", "N=4"], "").exit, 1);
    assert_eq!(run(&folder, &["check", "m.pml"], "").exit, 2);
    assert_eq!(run(&folder, &["check", "i.pml"], "").exit, 2);
    assert_eq!(run(&folder, &["check", "i.pml", "-Iinc"], "").exit, 1);
}

#[test]
fn lossy_channels_and_more_processes_on_request() {
    let folder = folder("meaning");
    let full = "chan q = [1] of { byte }; active proctype p() { q!1; q!2 }\n";
    std::fs::write(folder.join("full.pml"), full).unwrap();
    assert_eq!(run(&folder, &["check", "full.pml"], "").exit, 1);
    assert_eq!(run(&folder, &["check", "full.pml", "--lossy"], "").exit, 0);
    let many = "proctype p() { end: false } init { byte i; for (i : 1 .. 20) { run p() } ; end: false }\n";
    std::fs::write(folder.join("many.pml"), many).unwrap();
    assert_eq!(run(&folder, &["check", "many.pml"], "").exit, 0);
    assert_eq!(run(&folder, &["check", "many.pml", "--max-processes", "20"], "").exit, 1);
    assert_eq!(run(&folder, &["check", "many.pml", "--max-processes", "21"], "").exit, 0);
}

#[test]
fn faults_of_the_model_are_told_on_standard_error() {
    let folder = folder("faults");
    std::fs::write(folder.join("m.pml"), "active proctype p() { x = 1; y = 2 }\n").unwrap();
    let ran = run(&folder, &["check", "m.pml"], "");
    assert_eq!(ran.exit, 2);
    assert!(ran.out.is_empty());
    assert!(ran.err.contains("m.pml:1") && ran.err.contains("2 errors"), "{}", ran.err);
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    assert!(!axle("check peterson.pml").out.contains('\x1b'));
    assert!(axle("check peterson.pml --color always").out.contains("\x1b[1;32mholds"));
}

#[test]
fn codes_kinds_and_checks_are_explained() {
    assert!(axle("explain E0101").out.starts_with("E0101: "));
    assert!(axle("explain e0101").out.starts_with("E0101: "));
    assert!(axle("explain invalid-end").out.contains("deadlock"));
    assert!(axle("explain messages").out.contains("no-channel"));
    assert!(axle("explain progress").out.contains("non-progress-cycle"));
    assert!(axle("explain acceptance").out.contains("acceptance-cycle"));
    let unknown = axle("explain asertions");
    assert_eq!(unknown.exit, 2);
    assert!(unknown.err.contains("did you mean 'assertions'"), "{}", unknown.err);
}

#[test]
fn completions_and_man_pages_come_from_the_same_definition() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = axle(&format!("completions {shell}"));
        assert!(ran.exit == 0 && ran.out.contains("max-processes"), "{shell}");
    }
    assert!(axle("man").out.contains(".TH axle"));
    assert!(axle("man check").out.contains("\\-\\-max\\-processes"));
    assert_eq!(axle("man nothing").exit, 2);
}

#[test]
fn a_search_that_met_a_limit_goes_on_from_its_checkpoint() {
    let folder = folder("checkpoint");
    for file in ["peterson.pml", "alternating_bit.pml"] {
        std::fs::copy(examples().join(file), folder.join(file)).unwrap();
    }
    let check = |options: &str| {
        let options: Vec<&str> = ["check"].into_iter().chain(options.split(' ')).collect();
        let ran = run(&folder, &options, "");
        (ran.exit, ran.out, ran.err)
    };
    let whole = check("alternating_bit.pml --json").1;
    let figures = |text: &str| {
        let report: Report = serde_json::from_str(text).unwrap();
        (report.verdict, report.search.states, report.search.transitions, report.search.depth)
    };
    let (exit, _, messages) = check("alternating_bit.pml --states 100 --checkpoint c --trace none");
    assert_eq!(exit, 3);
    assert!(messages.contains("axle: wrote c: 1"), "{messages}");
    assert_eq!(check("alternating_bit.pml --states 200 --resume c --trace none").0, 3);
    let (exit, out, _) = check("alternating_bit.pml --json --resume c --store tree");
    assert_eq!((exit, figures(&out)), (0, figures(&whole)));

    // Of another model, not one at all, damaged, not there; what is no checkpoint is not written
    // over.
    let refused = |options: &str, why: &str| {
        let (exit, out, err) = check(options);
        assert_eq!((exit, &out[..]), (2, ""), "{options}");
        assert!(err.contains(why), "{options}: {err}");
    };
    refused("peterson.pml --resume c", "cannot continue from 'c': it was written for another model");
    refused("alternating_bit.pml --search dfs --resume c", "another search");
    refused("peterson.pml --resume peterson.pml", "it is not a checkpoint");
    refused("peterson.pml --resume d", "cannot continue from 'd'");
    refused("peterson.pml --checkpoint alternating_bit.pml", "is no checkpoint");
    refused("peterson.pml --checkpoint-every 3s", "needs --checkpoint");
    refused("peterson.pml --checkpoint e --store bitstate", "lossy stores");
    refused("peterson.pml --checkpoint e --engine pdr", "the engine pdr");
    let mut bytes = std::fs::read(folder.join("c")).unwrap();
    let at = bytes.len() - 20;
    bytes[at] ^= 4;
    std::fs::write(folder.join("damaged"), bytes).unwrap();
    refused("alternating_bit.pml --resume damaged", "it is damaged");
    assert!(!folder.join("c.unfinished").exists());
}

#[test]
fn several_threads_and_searches_for_runs_go_on_too() {
    let folder = folder("checkpoint-runs");
    let text = "byte x, y, z;
        active proctype P() { do :: x = (x + 1) % 40 od }
        active proctype Q() { do :: y = (y + 1) % 40 od }
        active proctype R() { do :: z = (z + 1) % 40 od }
        ltl onward { [] (x == 3 -> <> (x == 4)) }";
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let check = |options: &str| {
        let options: Vec<&str> = ["check", "m.pml"].into_iter().chain(options.split(' ')).collect();
        let ran = run(&folder, &options, "");
        (ran.exit, ran.out, ran.err)
    };
    for search in ["--only end-states", "--only onward --fairness weak"] {
        // Otherwise too little would be left.
        let search = format!("{search} --por none --passes none");
        // Asked for as often as can be, there is one of somewhere in the middle.
        let kept = format!("{search} --threads 2 --checkpoint c --checkpoint-every 1ms -q --json");
        let (exit, whole, _) = check(&kept);
        assert_eq!(exit, 0, "{search}");
        let bytes = std::fs::read(folder.join("c")).unwrap();
        assert!(bytes.starts_with(b"axle checkpoint 2\n"));
        let figures = |text: &str| {
            let report: Report = serde_json::from_str(text).unwrap();
            let runs: Vec<_> = (report.properties.iter())
                .map(|one| {
                    (
                        one.verdict,
                        one.search.as_ref().map(|search| (search.states.clone(), search.transitions.clone())),
                    )
                })
                .collect();
            (report.verdict, report.search.states, report.search.transitions, report.search.depth, runs)
        };
        for threads in ["--threads 1", "--threads 2"] {
            std::fs::write(folder.join("d"), &bytes).unwrap();
            let (exit, again, messages) = check(&format!("{search} {threads} --resume d --json"));
            assert_eq!((exit, figures(&again)), (0, figures(&whole)), "{messages}");
        }
        let (exit, out, messages) = check("--only assertions --resume d");
        assert_eq!((exit, &out[..]), (2, ""));
        assert!(messages.contains("cannot continue from 'd': it was written for"), "{messages}");
        std::fs::remove_file(folder.join("c")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_search_that_is_asked_to_end_leaves_a_checkpoint() {
    let folder = folder("terminated");
    let text = "byte a[6]; active [6] proctype P() { do :: a[_pid]++; assert(a[_pid] < 256) od }";
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let options =
        "check m.pml -q --passes none --memory 300M --checkpoint c --checkpoint-every 1ms".split(' ');
    let mut search = std::process::Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(options)
        .current_dir(&folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // It has begun once there is a first checkpoint.
    while !folder.join("c").exists() {
        assert_eq!(search.try_wait().unwrap(), None);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let asked = std::process::Command::new("kill").arg(search.id().to_string()).status().unwrap();
    assert!(asked.success());
    assert_eq!(search.wait().unwrap().code(), Some(130));
    let there = std::fs::read(folder.join("c")).unwrap();
    assert!(there.starts_with(b"axle checkpoint "));
    let again = "check m.pml -q --passes none --states 1 --resume c --checkpoint d";
    assert_eq!(run(&folder, &again.split(' ').collect::<Vec<_>>(), "").exit, 3);
}
