//! The operation of a server: tokens, passwords, read-only checkouts, restarts, workers of other machines.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::served::Served;
use crate::support::{folder, run};

/// The example of `axle init`, and a property that is violated.
fn project(name: &str) -> PathBuf {
    let folder = folder(&format!("operation/{name}"));
    assert_eq!(run(&folder, &["init", "."], "").exit, 0);
    let property = "+++\nname = \"never-crosses\"\nformula = \"[] !crossing\"\n+++\n\nNo train crosses.\n";
    fs::write(folder.join("properties/never.md"), property).expect("a property");
    folder
}

/// A project whose round takes minutes.
fn slow(name: &str) -> PathBuf {
    let folder = folder(&format!("operation/{name}"));
    fs::create_dir(folder.join("properties")).expect("a folder");
    let model = "byte a, b, c, d;
proctype count(byte which) { do
  :: which == 0 && a < 90 -> a++ :: which == 1 && b < 90 -> b++
  :: which == 2 && c < 90 -> c++ :: which == 3 && d < 90 -> d++ od }
init { atomic { run count(0); run count(1); run count(2); run count(3) } }\n";
    fs::write(folder.join("large.pml"), model).expect("a model");
    fs::write(folder.join("axle.toml"), "name = \"slow\"\n[sources]\npromela = [\"large.pml\"]\n")
        .expect("a manifest");
    let property = "+++\nname = \"large\"\nformula = \"[] (a + b + c + d < 900)\"\n+++\n\nWords.\n";
    fs::write(folder.join("properties/large.md"), property).expect("a property");
    folder
}

/// Runs a command with an environment.
fn axle(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("AXLE_STORE")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("axle starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// The command lines of all processes.
fn command_lines() -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let read = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).ok();
    entries.filter_map(read).map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).collect()
}

#[test]
fn a_password_is_on_no_command_line_and_in_no_message() {
    let folder = project("password");
    let location = "postgres://axle:geheim123@127.0.0.1:1/axle?connect_timeout=1";
    let query = "postgres://axle@127.0.0.1:1/axle?connect_timeout=1&password=geheim123";
    for location in [location, query] {
        for arguments in [&["run"][..], &["status"], &["worker"], &["serve", "--listen", "127.0.0.1:0"]] {
            let given = [arguments, &["--store", location]].concat();
            let (code, text) = axle(&folder, &given, &[]);
            assert_eq!(code, Some(2), "{given:?}: {text}");
            assert!(text.contains("AXLE_STORE"), "{text}");
            assert!(!text.contains("geheim123"), "{text}");
            // The variable is accepted; nothing listens there.
            let (code, text) = axle(&folder, arguments, &[("AXLE_STORE", location)]);
            assert_eq!(code, Some(2), "{arguments:?}: {text}");
            assert!(text.contains("history: no connection to the database"), "{text}");
            assert!(!text.contains("geheim123"), "{text}");
        }
    }
    let (_, text) =
        axle(&folder, &["status"], &[("AXLE_STORE", "postgres://axle:geheim123@127.0.0.1:x/axle")]);
    assert!(!text.contains("geheim123"), "{text}");
}

#[test]
fn the_processes_of_a_server_do_not_show_the_location() {
    let folder = slow("process-list");
    let store = folder.join("geheim123.db");
    let store = store.to_str().expect("text");
    let mut served = Served::start(&folder, &[], &[("AXLE_STORE", store)]);
    assert_eq!(served.start_round(""), 202);
    served.until("the round runs", |served| served.get("/api/project").1.contains("\"running\":1"));
    let own: Vec<String> =
        command_lines().into_iter().filter(|line| line.contains("axle") && line.contains("run")).collect();
    assert!(own.iter().any(|line| line.contains(" run ")), "the round is a process: {own:?}");
    let showing: Vec<String> =
        command_lines().into_iter().filter(|line| line.contains("geheim123")).collect();
    assert!(showing.is_empty(), "{showing:?}");
    let page = served.get("/rounds/1/runs/0").1;
    assert!(page.contains("axle run"), "{page}");
    end_round(&mut served);
}

/// Ends the round that runs, as Ctrl-C does, and waits for its end.
fn end_round(served: &mut Served) {
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let is_round = String::from_utf8_lossy(&line).replace('\0', " ").contains("axle run ");
        let is_own = fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == served.folder);
        if let (true, true, Ok(pid)) = (is_round, is_own, entry.file_name().to_string_lossy().parse()) {
            kill(Pid::from_raw(pid), Signal::SIGINT).expect("a process");
        }
    }
    served.until("the round has ended", |served| served.get("/api/project").1.contains("\"running\":null"));
}

#[test]
fn tokens_are_read_again_without_a_restart() {
    let folder = project("tokens");
    let served = Served::start(&folder, &[], &[]);
    assert_eq!(served.send("unknown", "GET", "/api/project", "").0, 401);
    let added = run(&folder, &["serve", "--add-token", "anna=viewer", "-q"], "");
    let token = added.out.trim().to_string();
    assert_eq!(served.send(&token, "GET", "/api/project", "").0, 200, "a new token is valid at once");
    let file = folder.join(".axle/tokens.toml");
    let text = fs::read_to_string(&file).expect("the tokens");
    // A mistake invalidates no token, and is an alarm.
    fs::write(&file, format!("{text}\n[[token]]\nname = 7\n")).expect("a change");
    assert_eq!(served.send(&token, "GET", "/api/project", "").0, 200);
    assert!(served.get("/api/project").1.contains("\"kind\":\"tokens\""));
    fs::write(&file, "").expect("a change");
    assert_eq!(served.send(&token, "GET", "/api/project", "").0, 401, "a removed token opens nothing");
    assert!(!served.get("/api/project").1.contains("\"kind\":\"tokens\""));
}

#[test]
fn a_read_only_checkout_is_served_with_its_store_elsewhere() {
    let folder = project("read-only");
    // As root, permissions refuse nothing; a file in the place of the folder refuses everybody.
    fs::write(folder.join(".axle"), "").expect("a file");
    let elsewhere = crate::support::folder("operation/read-only-store").join("history.db");
    let store = elsewhere.to_str().expect("text");
    let mut served = Served::start(&folder, &["--store", store], &[]);
    assert_eq!(served.start_round(""), 202);
    served.until("a verdict", |served| {
        served.get("/api/properties/never-crosses").1.contains("\"verdict\":\"violated\"")
    });
    let added = run(&folder, &["serve", "--store", store, "--add-token", "anna=viewer", "-q"], "");
    assert_eq!(served.send(added.out.trim(), "GET", "/api/project", "").0, 200, "{}", added.err);
    assert!(elsewhere.with_file_name("history.db.server").join("tokens.toml").is_file());
    assert!(folder.join(".axle").is_file(), "the checkout is unchanged");
    let status = run(&folder, &["status", "--store", store], "");
    assert!(status.out.contains("violated"), "{}", status.out);
}

#[test]
fn one_round_at_a_time_after_a_restart() {
    let folder = slow("restart");
    let mut served = Served::start(&folder, &[], &[]);
    assert_eq!(served.start_round(""), 202);
    assert_eq!(served.start_round(""), 409, "the same server");
    served.kill();
    // The process of the round may not have begun its round yet.
    let mut served = Served::start(&folder, &[], &[]);
    assert_eq!(served.start_round(""), 409, "the next server");
    served.until("the round runs", |served| served.get("/api/project").1.contains("\"running\":1"));
    assert_eq!(served.start_round(""), 409);
    assert_eq!(served.get("/api/rounds").1.matches("\"begun\"").count(), 1);
    end_round(&mut served);
    served.until("another round starts", |served| served.start_round("") == 202);
    served.until("it runs", |served| served.get("/api/project").1.contains("\"running\":"));
    end_round(&mut served);
}

#[test]
fn a_worker_says_once_that_its_server_does_not_answer() {
    let folder = folder("operation/silent");
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let mut child = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(["worker", "--server", &format!("http://{free}")])
        .env("AXLE_TOKEN", "secret")
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("axle starts");
    std::thread::sleep(Duration::from_secs(3));
    child.kill().expect("a process");
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    child.wait().expect("an end");
    assert_eq!(said.matches("no answer since").count(), 1, "{said}");
    assert!(said.contains(&format!("the server http://{free} does not answer")), "{said}");
    assert!(said.contains("tries again until"), "{said}");
}

#[test]
fn verdicts_of_a_worker_with_a_token_are_replayed_marked_and_decided_again() {
    let folder = project("remote");
    for number in 0..12 {
        let formula = format!("[] (crossing -> closed || {number} == 99)");
        let property = format!("+++\nname = \"copy{number}\"\nformula = \"{formula}\"\n+++\n\nWords.\n");
        fs::write(folder.join(format!("properties/copy{number}.md")), property).expect("a property");
        let property = format!(
            "+++\nname = \"fault{number}\"\nformula = \"[] !(crossing && {number} < 99)\"\n+++\n\nWords.\n"
        );
        fs::write(folder.join(format!("properties/fault{number}.md")), property).expect("a property");
    }
    let token = run(&folder, &["serve", "--add-token", "far=worker", "-q"], "").out.trim().to_string();
    let mut served = Served::start(&folder, &["--recheck", "1"], &[]);
    let mut worker = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(["worker", "--server", &format!("http://{}", served.address), "-q"])
        .env("AXLE_TOKEN", &token)
        .stdin(Stdio::null())
        .spawn()
        .expect("axle starts");
    served.until("the worker asks for jobs", |served| served.get("/machines").1.contains("(token far)"));
    // The workers share the jobs as it happens: rounds are repeated until the other machine finds a violation.
    let mut rounds = 0;
    loop {
        rounds += 1;
        let ran = run(&folder, &["run", "--workers", "1", "--recheck", "1", "--again", "--json"], "");
        assert_eq!(ran.exit, 1, "{}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let runs = report["runs"].as_array().expect("runs");
        assert!(runs.iter().all(|run| run.get("disagreement").is_none()), "honest machines agree");
        if runs.iter().any(|run| run["machine"]["token"] == "far" && run["verdict"] == "violated") {
            break;
        }
        assert!(rounds < 10, "the worker finds no violation: {}", ran.err);
    }
    worker.kill().expect("a process");
    worker.wait().expect("an end");
    assert!(served.get(&format!("/api/rounds/{rounds}")).1.contains("\"token\":\"far\""));
    let status = run(&folder, &["status"], "").out;
    assert!(status.contains("(token far)") && !status.contains("ALARM"), "{status}");
    let begin = Instant::now();
    while !served.get("/machines").1.contains("1 dead") {
        assert!(begin.elapsed() < Duration::from_secs(60), "the board shows that the worker is gone");
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// What a lying worker returns for a job: the property holds.
fn forged(work: &Value) -> Option<Value> {
    let payload = &work["payload"];
    let cycle = work["task"].as_str()?.split_once("/cycle-")?.1.parse::<u8>().ok()?;
    let name = format!("{}@{}", payload["property"].as_str()?, payload["constraint"].as_str()?);
    Some(json!({
        "run": name, "key": payload["key"]["hash"], "cycle": cycle, "verdict": "holds", "states": 7,
        "transitions": 7, "memory": 7, "seconds": 0.1,
        "coverage": { "automaton_states": [2, 2], "automaton_transitions": [2, 2] }
    }))
}

#[test]
fn a_forged_proof_ends_in_an_alarm_and_exit_code_4() {
    let folder = project("forged");
    for number in 0..8 {
        let property = format!(
            "+++\nname = \"fault{number}\"\nformula = \"[] !(crossing && {number} < 99)\"\n+++\n\nWords.\n"
        );
        fs::write(folder.join(format!("properties/fault{number}.md")), property).expect("a property");
    }
    let token = run(&folder, &["serve", "--add-token", "liar=worker", "-q"], "").out.trim().to_string();
    let served = Served::start(&folder, &[], &[]);
    let mut round = Command::new(env!("CARGO_BIN_EXE_axle"))
        .args(["run", "--workers", "1", "--recheck", "1", "--json"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("axle starts");
    let send = |path: &str, body: &Value| -> (u16, Value) {
        let (status, text) = served.send(&token, "POST", &format!("/api/worker/{path}"), &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or_default())
    };
    // The report is larger than a pipe.
    let mut stdout = round.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let mut lies = 0;
    while round.try_wait().expect("a process").is_none() {
        let work = send("lease", &json!({ "worker": "liar" })).1["work"].take();
        match forged(&work) {
            Some(outcome) => {
                let body = json!({ "lease": work["lease"], "outcome": outcome });
                lies += u32::from(send("complete", &body).0 == 200);
            }
            None if work.is_null() => std::thread::sleep(Duration::from_millis(5)),
            None => drop(send("fail", &json!({ "lease": work["lease"], "reason": "not now" }))),
        }
    }
    let code = round.wait().expect("an end").code();
    let text = reader.join().expect("no panic").expect("text");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let is_fault = |run: &&Value| {
        run["property"].as_str().is_some_and(|name| name.starts_with("fault") || name == "never-crosses")
    };
    let runs: Vec<&Value> = report["runs"].as_array().expect("runs").iter().filter(is_fault).collect();
    assert!(lies > 0, "the liar has leased jobs");
    let believed: Vec<&Value> =
        runs.iter().filter(|run| run["verdict"] == "holds").map(|run| &run["property"]).collect();
    assert!(believed.is_empty(), "no lie is believed: {believed:?}");
    assert!(runs.iter().any(|run| run["disagreement"]["first"]["machine"]["token"] == "liar"), "{report}");
    assert_eq!(code, Some(4));
    let status = run(&folder, &["status"], "");
    assert_eq!(status.exit, 4, "{}", status.out);
    assert!(status.out.contains("ALARM: two machines disagree on "), "{}", status.out);
    assert!(status.out.contains("liar (token liar) found that the property holds"), "{}", status.out);
}
