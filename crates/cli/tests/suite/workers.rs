//! `axle check --workers`: the answers of other searches, resumption after `kill -9`, and refusals.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axle_evidence::report::Report;

use crate::support::{examples, folder, run};

fn report(folder: &Path, arguments: &[&str]) -> (i32, Report) {
    let ran = run(folder, arguments, "");
    let report =
        serde_json::from_str(&ran.out).unwrap_or_else(|fault| panic!("{fault}: {}{}", ran.out, ran.err));
    (ran.exit, report)
}

#[test]
fn workers_have_the_answers_of_threads() {
    let mut violated = 0;
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pml") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let check = |how: &[&str]| {
            let arguments = ["check", name, "--por", "none", "--json", "--time", "60s"];
            report(&examples(), &[&arguments[..], how].concat())
        };
        let (exit, expected) = check(&["--engine", "explicit", "--threads", "1"]);
        let (by_workers, found) = check(&["--workers", "3"]);
        assert_eq!(by_workers, exit, "{name}");
        let rows = |report: &Report| -> Vec<_> {
            report.properties.iter().map(|row| (row.name.clone(), row.verdict)).collect()
        };
        assert_eq!(rows(&found), rows(&expected), "{name}");
        // A search that ends with a violation completes the level, which one thread does not.
        if exit == 0 {
            assert_eq!(found.search.states, expected.search.states, "{name}");
        }
        violated += usize::from(exit == 1);
    }
    assert!(violated > 3, "{violated} violated");
}

/// Three counters, whose search takes a part of a second.
const COUNTERS: &str = "byte a, b, c;
active proctype A() { do :: a < 49 -> a++ :: else -> break od }
active proctype B() { do :: b < 49 -> b++ :: else -> break od }
active proctype C() { do :: c < 49 -> c++ :: else -> break od; assert(a + b + c < 147) }";

#[test]
fn a_killed_search_is_resumed() {
    let folder = folder("killed_workers");
    std::fs::write(folder.join("m.pml"), COUNTERS).unwrap();
    let arguments = ["check", "m.pml", "--por", "none", "--json", "--max-violations", "all"];
    let with = |workers, log| {
        let how = ["--workers", workers, "--level-log", log];
        [&arguments[..], &how].concat()
    };
    let (exit, whole) = report(&folder, &with("2", "whole"));
    assert_eq!(exit, 1);
    // Each attempt is killed a little later than the one before, so that all parts of a search are met.
    let mut killed = 0;
    for attempt in 0..12u64 {
        let workers = if attempt % 2 == 0 { "2" } else { "3" };
        let mut search = Command::new(env!("CARGO_BIN_EXE_axle"))
            .args(with(workers, "levels"))
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(30 + 20 * attempt));
        killed += usize::from(search.try_wait().unwrap().is_none());
        search.kill().unwrap();
        search.wait().unwrap();
    }
    assert!(killed > 2, "{killed} searches were killed");
    let (exit, resumed) = report(&folder, &with("3", "levels"));
    assert_eq!(exit, 1);
    let figures = |report: &Report| {
        let search = &report.search;
        (search.states.clone(), search.transitions.clone(), search.depth)
    };
    assert_eq!(figures(&resumed), figures(&whole));
    let traces = |report: &Report| serde_json::to_string(&report.violations).unwrap();
    assert_eq!(traces(&resumed), traces(&whole));
}

#[test]
fn a_level_log_of_another_model_is_refused() {
    let folder = folder("other_workers");
    std::fs::write(folder.join("a.pml"), "byte x; active proctype P() { x = 1; x = 2 }").unwrap();
    std::fs::write(folder.join("b.pml"), "byte x; active proctype P() { x = 1; x = 3 }").unwrap();
    let check = |model| run(&folder, &["check", model, "--workers", "2", "--level-log", "levels"], "");
    assert_eq!(check("a.pml").exit, 0);
    let other = check("b.pml");
    assert_eq!(other.exit, 3, "{}", other.out);
    assert!(other.out.contains("the level log is of another search"), "{}", other.out);
    assert_eq!(check("a.pml").exit, 0);
}

#[test]
fn what_is_not_divided_is_refused() {
    let folder = folder("refused_workers");
    std::fs::write(folder.join("p.c"), "int main(void) { return 0; }\n").unwrap();
    std::fs::write(folder.join("m.pml"), "active proctype P() { skip }").unwrap();
    let program = run(&folder, &["check", "p.c", "--workers", "2"], "");
    assert_eq!(program.exit, 2, "{}", program.out);
    assert!(program.err.contains("--workers searches models only"), "{}", program.err);
    let options = [["--engine", "pdr"], ["--search", "dfs"], ["--checkpoint", "file"], ["--threads", "2"]];
    // Each worker chooses its store.
    let stores = [["--store", "tree"], ["--store", "bitstate"]];
    for option in options.into_iter().chain(stores) {
        let arguments = ["check", "m.pml", "--workers", "2"];
        assert_eq!(run(&folder, &[&arguments[..], &option].concat(), "").exit, 2, "{option:?}");
    }
    assert_eq!(run(&folder, &["check", "m.pml", "--level-log", "levels"], "").exit, 2);
}

#[test]
fn a_limit_leaves_the_verdict_open() {
    let folder = folder("limited_workers");
    std::fs::write(folder.join("m.pml"), COUNTERS.replace("< 147", "< 148")).unwrap();
    let check = |limit: &[&str]| {
        let arguments = ["check", "m.pml", "--por", "none", "--workers", "2", "--level-log", "levels"];
        run(&folder, &[&arguments[..], limit].concat(), "").exit
    };
    assert_eq!(check(&["--states", "5000"]), 3);
    assert_eq!(check(&["--memory", "200K"]), 3);
    assert_eq!(check(&[]), 0);
}

/// An address at which nothing listens.
fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_axle"));
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The exit code and the report of a process.
fn ended(child: Child) -> (i32, Report) {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let report = serde_json::from_str(&text)
        .unwrap_or_else(|fault| panic!("{fault}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap_or(-1), report)
}

#[test]
fn processes_search_together() {
    let folder = folder("processes");
    std::fs::write(folder.join("m.pml"), COUNTERS).unwrap();
    std::fs::write(folder.join("token"), "a secret of this search\n").unwrap();
    std::fs::write(folder.join("other"), "another secret of a search\n").unwrap();
    let address = free_address();
    let common = ["check", "m.pml", "--por", "none", "--json", "--max-violations", "all", "--workers", "2"];
    let with = |more: &[&str]| start(&folder, &[&common[..], more].concat());
    let host = with(&["--gather", "2", "--listen", &address, "--token-file", "token"]);
    // A process with another token is refused, and the search begins without it.
    let (exit, refused) = ended(with(&["--join", &address, "--token-file", "other"]));
    assert_eq!((exit, refused.search.states == 0), (3, true));
    let guest = || with(&["--join", &address, "--token-file", "token"]);
    let guests = [guest(), guest()];
    let (expected_exit, expected) = report(&folder, &common);
    for process in guests.into_iter().chain([host]) {
        let (exit, report) = ended(process);
        assert_eq!(exit, expected_exit);
        assert_eq!(report.search.states, expected.search.states);
        assert_eq!(report.search.transitions, expected.search.transitions);
        let traces = |report: &Report| serde_json::to_string(&report.violations).unwrap();
        assert_eq!(traces(&report), traces(&expected));
    }
}

#[test]
fn a_killed_process_ends_the_others_and_the_search_is_resumed() {
    let folder = folder("killed_processes");
    std::fs::write(folder.join("m.pml"), COUNTERS).unwrap();
    std::fs::write(folder.join("token"), "a secret of this search").unwrap();
    let common = ["check", "m.pml", "--por", "none", "--json", "--max-violations", "all", "--workers", "1"];
    let log = ["--level-log", "levels", "--token-file", "token"];
    let (expected_exit, expected) = report(&folder, &common);
    let mut cut = 0;
    for attempt in 0..6u64 {
        let address = free_address();
        let with = |more: &[&str]| start(&folder, &[&common[..], &log, more].concat());
        let host = with(&["--gather", "1", "--listen", &address]);
        let guest = with(&["--join", &address]);
        std::thread::sleep(Duration::from_millis(200 + 60 * attempt));
        let (mut killed, other) = if attempt % 2 == 0 { (guest, host) } else { (host, guest) };
        killed.kill().unwrap();
        killed.wait().unwrap();
        let (exit, report) = ended(other);
        // The other had ended already, or it says that it has no result.
        if exit == expected_exit {
            assert_eq!(report.search.states, expected.search.states);
        } else {
            assert_eq!((exit, report.stop.map(|stop| stop.reason.name())), (3, Some("workers")));
            cut += 1;
        }
    }
    assert!(cut > 0, "no search was cut");
    let (exit, resumed) = report(&folder, &[&common[..], &["--level-log", "levels"]].concat());
    assert_eq!(exit, expected_exit);
    assert_eq!(resumed.search.states, expected.search.states);
    assert_eq!(resumed.search.transitions, expected.search.transitions);
}

#[test]
fn processes_need_a_token_and_a_port() {
    let folder = folder("other_machine");
    std::fs::write(folder.join("m.pml"), "active proctype P() { skip }").unwrap();
    std::fs::write(folder.join("token"), "a secret of this search").unwrap();
    std::fs::write(folder.join("short"), "secret").unwrap();
    let check = |more: &[&str]| {
        let ran = run(&folder, &[&["check", "m.pml", "--workers", "1"], more].concat(), "");
        assert_eq!(ran.exit, 2, "{more:?}: {}{}", ran.out, ran.err);
        ran.err
    };
    assert!(check(&["--join", "127.0.0.1:7000", "--token-file", "short"]).contains("at least 16"));
    check(&["--join", "127.0.0.1:7000"]);
    check(&["--gather", "1", "--token-file", "token"]);
    check(&["--gather", "1", "--listen", "127.0.0.1:0", "--token-file", "token"]);
    check(&["--hosts", "1", "--gather", "1", "--listen", "127.0.0.1:7000", "--token-file", "token"]);
    let alone = check(&["--listen", "127.0.0.1:7000", "--token-file", "token"]);
    assert!(alone.contains("--hosts"), "{alone}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = check(&["--hosts", "1", "--listen", &address, "--token-file", "token"]);
    assert!(refused.contains(&address), "{refused}");
    let worker = |more: &[&str]| {
        let ran = run(&folder, &[&["worker", "--join", "127.0.0.1:1"], more].concat(), "");
        assert_eq!(ran.exit, 2, "{more:?}: {}{}", ran.out, ran.err);
    };
    worker(&["--token", "short"]);
    worker(&["--token-file", "missing"]);
    worker(&["--token", "a secret of this search", "--server", "http://127.0.0.1:1"]);
}

/// A formula that holds under weak fairness only, and one that is violated.
const PROMISES: &str = "byte x, y; bool done;
active proctype A() { do :: x < 20 -> x++ :: else -> break od; done = true }
active proctype B() { do :: y < 9 -> y++ :: y == 9 -> y = 0 od }
ltl ends { <> done }
ltl rests { <> [] (y == 0) }";

/// The rows of a report: names and verdicts.
fn rows(report: &Report) -> Vec<(String, axle_check::Verdict)> {
    report.properties.iter().map(|row| (row.name.clone(), row.verdict)).collect()
}

#[test]
fn formulas_are_searched_by_workers() {
    let folder = folder("workers_formulas");
    std::fs::write(folder.join("m.pml"), PROMISES).unwrap();
    for fairness in ["none", "weak"] {
        let check = |how: &[&str]| {
            let arguments =
                ["check", "m.pml", "--por", "none", "--passes", "none", "--json", "--fairness", fairness];
            report(&folder, &[&arguments[..], how].concat())
        };
        let (exit, expected) = check(&["--engine", "explicit", "--threads", "1"]);
        assert_eq!(exit, 1);
        for workers in ["1", "3"] {
            let (exit, found) = check(&["--workers", workers]);
            assert_eq!((exit, rows(&found)), (1, rows(&expected)), "{fairness}, {workers}");
        }
    }
    let strong = run(&folder, &["check", "m.pml", "--workers", "2", "--fairness", "strong"], "");
    assert_eq!(strong.exit, 3, "{}", strong.out);
    assert!(strong.out.contains("strong fairness is searched by one process only"), "{}", strong.out);
}

/// Machines that do not have the model receive it, search with the process that has it, and end when it does.
/// Those with another token are refused with a line on standard error.
#[test]
fn machines_without_the_model_take_part() {
    let folder = folder("machines");
    let empty = crate::support::folder("machines_empty");
    let model = format!("{PROMISES}\nactive proctype C() {{ assert(x < 20 || y < 9) }}");
    std::fs::write(folder.join("m.pml"), model).unwrap();
    std::fs::write(folder.join("token"), "a secret of this search\n").unwrap();
    for (fairness, reduction) in [("none", "auto"), ("weak", "none")] {
        let address = free_address();
        let common =
            ["check", "m.pml", "--json", "--workers", "2", "--fairness", fairness, "--por", reduction];
        let machines = ["--hosts", "2", "--listen", &address, "--token-file", "token"];
        let host = start(&folder, &[&common[..], &machines].concat());
        let join = |token| start(&empty, &["worker", "--join", &address, "--token", token]);
        let stranger = join("another secret of a search");
        let refused = stranger.wait_with_output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(text.contains("does not know the token"), "{text}");
        let plain =
            ["worker", "--join", &address, "--token", "a secret of this search", "--insecure-network"];
        let refused = start(&empty, &plain).wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && text.contains("--insecure-network"), "{text}");
        let members = [join("a secret of this search"), join("a secret of this search")];
        let output = host.wait_with_output().unwrap();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let found: Report =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|fault| panic!("{fault}: {log}"));
        assert!(
            log.contains("connection from 127.0.0.1") && log.contains("does not know the token"),
            "{log}"
        );
        assert!(log.contains("only one side has --insecure-network"), "{log}");
        let (exit, expected) = report(&folder, &common);
        assert_eq!((output.status.code(), rows(&found)), (Some(exit), rows(&expected)));
        let traces = |report: &Report| serde_json::to_string(&report.violations).unwrap();
        assert_eq!(traces(&found), traces(&expected));
        for member in members {
            let output = member.wait_with_output().unwrap();
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{log}");
            assert!(log.contains("search ended"), "{log}");
        }
        assert_eq!(std::fs::read_dir(&empty).unwrap().count(), 0, "a member writes no file");
    }
}

/// Without encryption the same processes search together, if all of them say so.
#[test]
fn unencrypted_processes_search_together() {
    let folder = folder("unencrypted");
    std::fs::write(folder.join("m.pml"), COUNTERS.replace("49", "9")).unwrap();
    std::fs::write(folder.join("token"), "a secret of this search\n").unwrap();
    let address = free_address();
    let common =
        ["check", "m.pml", "--json", "--workers", "1", "--token-file", "token", "--insecure-network"];
    let host = start(&folder, &[&common[..], &["--gather", "1", "--listen", &address]].concat());
    let guest = start(&folder, &[&common[..], &["--join", &address]].concat());
    let (one, other) = (ended(host), ended(guest));
    assert_eq!(one.0, other.0);
    assert_eq!(one.1.search.states, other.1.search.states);
}

/// The recipes of the documentation for Slurm, Kubernetes and SSH: their commands of the first machine and of
/// the others, with the addresses of this one.
#[test]
fn recipes_find_the_verdict() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/howto/many-workers.md");
    let text = std::fs::read_to_string(path).unwrap();
    let commands = |start: &str| -> Vec<String> {
        let lines =
            text.lines().filter_map(|line| line.find(start).map(|at| line[at..].trim_end_matches(" &")));
        lines.map(|line| line.to_string()).collect()
    };
    let checks = commands("axle check model.pml --workers 16 --hosts 7");
    let workers = commands("axle worker --join $COORDINATOR").into_iter();
    let workers: Vec<String> = workers.chain(commands("axle worker --join axle-0")).collect();
    assert_eq!((checks.len(), workers.len()), (4, 4), "{checks:?} {workers:?}");
    let folder = folder("recipes");
    std::fs::write(folder.join("model.pml"), PROMISES).unwrap();
    std::fs::write(folder.join("token"), "a secret of this search\n").unwrap();
    for (check, worker) in checks.iter().zip(&workers) {
        let address = free_address();
        let here = |command: &str| -> Vec<String> {
            let words = command.split_whitespace().skip(1).map(|word| match word {
                word if word.ends_with(":7000") => address.clone(),
                "16" | "7" => "1".to_string(),
                word => word.to_string(),
            });
            words.collect()
        };
        let spawn = |command: &str| {
            let arguments = here(command);
            start(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let (member, host) = (spawn(worker), spawn(check));
        let output = host.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{check}: {}", String::from_utf8_lossy(&output.stderr));
        let output = member.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{worker}: {}", String::from_utf8_lossy(&output.stderr));
        // The levels of one recipe are not those of the next one.
        let _ = std::fs::remove_dir_all(folder.join("levels"));
    }
}
