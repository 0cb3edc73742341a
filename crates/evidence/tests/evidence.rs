//! Replays, traces, charts, trails and reports over small models with a fault each.

use std::collections::HashSet;
use std::sync::Arc;

use axle_evidence::chart::{self, chart};
use axle_evidence::replay::{ReplayError, replay, replay_violation, state_after};
use axle_evidence::report::{
    Entry, PropertyReport, Report, Rule, SearchReport, Verdict, ViolationReport, to_json, to_junit, to_sarif,
};
use axle_evidence::trace::{Mode, Trace, render_text};
use axle_evidence::trail::{self, Trail, TrailError};
use axle_evidence::words::sentence;
use axle_model::Model;
use axle_outcome::{Found, Violation};
use axle_source::{Diagnostics, LoadError, Loader, Sources, Style};
use axle_step::{Batch, FaultKind, Interpreter, Options, Successors};

struct NoFiles;

impl Loader for NoFiles {
    fn load(&self, _: &str, _: u64) -> Result<Vec<u8>, LoadError> {
        Err(LoadError::NotFound)
    }
}

/// The model in a Promela text.
fn promela(text: &str) -> Arc<Model> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let main = sources.add("m.pml", text);
    let options = axle_promela::Options::default();
    let model = axle_promela::compile(&mut sources, main, &NoFiles, &options, &mut diagnostics);
    let rendered: Vec<String> = diagnostics.iter().map(|d| d.render(&sources, Style::default())).collect();
    Arc::new(model.unwrap_or_else(|| panic!("{}", rendered.join("\n"))))
}

/// The nearest fault of a kind, breadth-first.
fn find(model: &Arc<Model>, kind: FaultKind, options: Options) -> Violation {
    let mut engine = Interpreter::new(Arc::clone(model), options);
    let mut faults = Vec::new();
    let start = engine.initial(&mut faults);
    let violation = |fault: &axle_step::Fault, path: Vec<u32>, found| Violation {
        site: fault.site,
        pid: fault.pid,
        proc: None,
        path,
        found,
        count: 1,
    };
    if let Some(fault) = faults.iter().find(|fault| fault.site.kind == kind) {
        return violation(fault, Vec::new(), Found::Start);
    }
    let mut seen = HashSet::from([start.clone()]);
    let mut todo = std::collections::VecDeque::from([(start, Vec::new())]);
    let mut batch = Batch::default();
    while let Some((state, path)) = todo.pop_front() {
        let mut state = engine.widened(&state);
        while let Err(grow) = engine.expand(&state, &mut batch) {
            engine.grow(grow.size);
            state = engine.widened(&state);
        }
        if let Some(fault) = batch.faults.iter().find(|fault| fault.site.kind == kind) {
            return violation(fault, path, fault.successor.map_or(Found::State, Found::Step));
        }
        for (position, next) in batch.states.chunks_exact(state.len()).enumerate() {
            if seen.insert(next.to_vec()) {
                let path = path.iter().copied().chain([position as u32]).collect();
                todo.push_back((next.to_vec(), path));
            }
        }
    }
    panic!("the model has no {kind:?}");
}

fn trace_of(model: &Arc<Model>, kind: FaultKind) -> Trace {
    let violation = find(model, kind, Options::default());
    replay_violation(model, &violation, &Options::default()).expect("the violation happens again")
}

fn full(text: &str, kind: FaultKind) -> String {
    render_text(&trace_of(&promela(text), kind), Mode::Full)
}

const PROTOCOL: &str = "mtype = { data, ack };
chan wire = [1] of { mtype, byte };
chan done = [0] of { bit };
byte sent, got[2];

active proctype sender() {
    byte n = 1;
    do
    :: n <= 2 -> atomic { wire!data,n; sent++; printf(\"sent %d of %e\\n\", n, data) }; n++
    :: else -> break
    od;
    done!1
}

active proctype receiver() {
    byte k;
    do
    :: wire?data,k -> got[k - 1] = k
    :: done?_ -> break
    od;
    assert(got[0] + got[1] == sent)
}
";

#[test]
fn a_full_trace_tells_changes_messages_and_prints() {
    insta::assert_snapshot!(full(PROTOCOL, FaultKind::Assertion));
}

#[test]
fn a_short_trace_tells_who_executes_what() {
    let trace = trace_of(&promela(PROTOCOL), FaultKind::Assertion);
    insta::assert_snapshot!(render_text(&trace, Mode::Short));
}

#[test]
fn a_trace_as_json_reads_back() {
    let trace = trace_of(&promela(PROTOCOL), FaultKind::Assertion);
    let json = serde_json::to_string_pretty(&trace).expect("a trace has a JSON form");
    let first = json.split("\"part\": 2").next().expect("a beginning").to_owned();
    insta::assert_snapshot!(first);
    assert_eq!(serde_json::from_str::<Trace>(&json).expect("it reads back"), trace);
}

#[test]
fn a_chart_has_a_lane_for_each_process() {
    let chart = chart(&trace_of(&promela(PROTOCOL), FaultKind::Assertion));
    insta::assert_snapshot!(chart::render_text(&chart, None));
    insta::assert_snapshot!(chart::render_svg(&chart));
}

#[test]
fn a_chart_draws_handshakes_both_ways_and_lost_messages() {
    let mut model = promela(
        "chan r = [0] of { byte }; chan q = [1] of { byte };
active proctype A() { byte x; r?x; q!3; q!4; r!2 }
active proctype B() { byte x; r!1; r?x; q?<x>; assert(x != 3) }
",
    );
    Arc::get_mut(&mut model).expect("the only owner").semantics.lossy = true;
    let chart = chart(&trace_of(&model, FaultKind::Assertion));
    insta::assert_snapshot!(chart::render_text(&chart, None));
}

#[test]
fn an_end_names_who_is_stuck_and_why() {
    let text = "mtype = { go, stop };
chan none = [1] of { mtype };
chan some = [1] of { byte };
chan hand = [0] of { byte };
chan other = [2] of { mtype, byte };
byte x = 3;

proctype waits_for_empty() { none?go }
proctype waits_for_room() { some!1; some!2 }
proctype waits_for_partner() { hand!x }
proctype waits_for_sender() { byte y; if :: hand?eval(x + 1) :: x == 4 && y < 2 :: hand?7 fi }
proctype waits_for_another() { byte want = 2; other!stop,1; if :: other?stop,eval(want) :: other??go,_ fi }
proctype held() provided (x == 0) { skip }
proctype ends() { skip }
proctype serves() { end: none?stop }
proctype uses_nothing() { bool b; do :: b = !b od unless { x == 9 } }

init {
    atomic {
        run waits_for_empty(); run waits_for_room(); run waits_for_partner(); run waits_for_sender();
        run waits_for_another(); run ends(); run held(); run serves()
    }
}
";
    insta::assert_snapshot!(full(text, FaultKind::InvalidEnd));
}

#[test]
fn a_fault_in_a_condition_is_told_after_the_run() {
    let text = "byte x;
active proctype P() { x++; if :: 10 / (x - 1) > 2 -> skip :: else fi }
";
    insta::assert_snapshot!(full(text, FaultKind::DivisionByZero));
}

#[test]
fn a_sequence_that_leads_nowhere_is_told_as_far_as_it_goes() {
    let blocks = "byte x; active proctype P() { x = 1; d_step { x++; x++; x == 2; x = 0 } }";
    insta::assert_snapshot!(full(blocks, FaultKind::DeterministicBlocks));
    let endless = "byte x; active proctype P() { atomic { x = 3; do :: x = 1 - x od } }";
    insta::assert_snapshot!(full(endless, FaultKind::EndlessSequence));
    let asserts = "byte x; active proctype P() { d_step { x++; assert(x == 0); x == 2 } }";
    insta::assert_snapshot!(full(asserts, FaultKind::Assertion));
}

#[test]
fn a_fault_of_the_start_has_no_steps() {
    let text = "byte n; byte x = 1 / n; active proctype P() { x = n }";
    insta::assert_snapshot!(full(text, FaultKind::DivisionByZero));
}

#[test]
fn messages_left_are_listed() {
    let model = promela("chan q = [2] of { byte }; active proctype P() { q!1; q!2 }");
    let options = Options { messages_left: true, ..Options::default() };
    let violation = find(&model, FaultKind::MessagesLeft, options);
    let trace = replay_violation(&model, &violation, &options).expect("it happens again");
    insta::assert_snapshot!(render_text(&trace, Mode::Full));
}

#[test]
fn processes_come_and_go_in_a_trace() {
    let text = "proctype Q(byte n) { chan mine = [1] of { byte }; mine!n }
init { byte p; p = run Q(7); _nr_pr == 1; assert(false) }";
    insta::assert_snapshot!(full(text, FaultKind::Assertion));
}

#[test]
fn a_path_that_is_none_is_refused() {
    let model = promela(PROTOCOL);
    let options = Options::default();
    let refused = replay(&model, &[0, 0, 99], &options).expect_err("there is no such step");
    insta::assert_snapshot!(refused);
    assert!(matches!(refused, ReplayError::NoSuchStep { step: 3, position: 99, .. }));
    let mut violation = find(&model, FaultKind::Assertion, options);
    violation.site.kind = FaultKind::Truncation;
    let refused = replay_violation(&model, &violation, &options).expect_err("there is no such fault");
    assert_eq!(refused, ReplayError::NotSeen("truncation"));
    violation.found = Found::State;
    let refused = replay_violation(&model, &violation, &options).expect_err("nor there");
    assert_eq!(refused, ReplayError::NotSeen("truncation"));
    violation.found = Found::Start;
    let refused = replay_violation(&model, &violation, &options).expect_err("nor there");
    assert_eq!(refused, ReplayError::NotSeen("truncation"));
}

#[test]
fn a_path_leads_to_the_state_that_its_trace_ends_in() {
    let model = promela(PROTOCOL);
    let violation = find(&model, FaultKind::Assertion, Options::default());
    let mut engine = Interpreter::new(Arc::clone(&model), Options::default());
    let state = state_after(&mut engine, &violation.steps()).expect("the path is one");
    let sent = engine.view(&state).globals().into_iter().find(|v| v.name == "sent").expect("a global");
    assert_eq!(sent.value, 2);
}

#[test]
fn a_trail_reads_back_and_replays() {
    let model = promela(PROTOCOL);
    let violation = find(&model, FaultKind::Assertion, Options::default());
    let trail = Trail::new(&model, "m.pml", &["-DN=2".into()], "0.1.0", &violation);
    let text = trail::write(&trail);
    let read = trail::read(&text).expect("it reads back");
    assert_eq!(read, trail);
    assert_eq!(read.check(&model), Ok(()));
    let again = read.violation().expect("it names a violation");
    assert_eq!(again, violation);
    let shown = text.replace(&trail.fingerprint, "0123456789abcdef");
    insta::assert_snapshot!(shown);
}

#[test]
fn a_trail_of_another_model_is_refused() {
    let model = promela(PROTOCOL);
    let violation = find(&model, FaultKind::Assertion, Options::default());
    let trail = Trail::new(&model, "m.pml", &["-DN=2".into()], "0.1.0", &violation);
    let other = promela(&PROTOCOL.replace("n <= 2", "n <= 1"));
    let refused = trail.check(&other).expect_err("the model has changed");
    insta::assert_snapshot!(refused);
    let mut renamed = (*model).clone();
    renamed.files.iter_mut().for_each(|file| file.insert_str(0, "elsewhere/"));
    assert_eq!(trail.check(&renamed), Ok(()), "where the file is does not matter");
}

#[test]
fn what_is_no_trail_is_refused() {
    for (text, told) in [
        ("4.2", "this is not a trail of Axle: it has no field `axle-trail`"),
        ("{", "this is not a trail of Axle: EOF while parsing an object at line 1 column 1"),
        ("{\"axle-trail\": 7}", "the trail has version 7, and this version of Axle reads versions 1 to 3"),
        ("{\"axle-trail\": 1}", "this is not a trail of Axle: missing field `axle`"),
    ] {
        assert_eq!(trail::read(text).expect_err("no trail").to_string(), told);
    }
    let model = promela(PROTOCOL);
    let mut trail =
        Trail::new(&model, "m.pml", &[], "0.1.0", &find(&model, FaultKind::Assertion, Options::default()));
    trail.path.clear();
    assert!(matches!(trail.violation(), Err(TrailError::NotATrail(_))), "a step without a step");
    trail.kind = "unheard-of".into();
    assert_eq!(trail.violation(), Err(TrailError::Kind("unheard-of".into())));
}

fn report(trace: &Trace) -> Report {
    let last = trace.steps.last().expect("a step");
    Report {
        verdict: Verdict::Violated,
        properties: vec![PropertyReport {
            verdict: Verdict::Violated,
            ..PropertyReport::undecided("assertions", "every assert holds")
        }],
        violations: vec![ViolationReport {
            property: "assertions".into(),
            kind: FaultKind::Assertion.into(),
            message: sentence(FaultKind::Assertion, None),
            process: Some(last.by.process.clone()),
            place: last.by.place.clone(),
            statement: Some(last.by.statement.clone()),
            depth: last.step,
            count: 1,
            details: vec!["one more thing".into()],
            path: vec![Some(0), Some(1)],
            cycle: None,
            attempt: None,
            rows: Vec::new(),
        }],
        found: 1,
        stop: None,
        search: SearchReport {
            order: "bfs".into(),
            store: "plain".into(),
            engine: "interpreter".into(),
            states: 10.into(),
            transitions: 12.into(),
            depth: 8,
            state_bytes: 16,
            states_memory: 4096,
            paths_memory: 1024,
            seconds: 0.5,
            ..SearchReport::default()
        },
        ..Report::of_errors("0.1.0", "m.pml", Vec::new())
    }
}

#[test]
fn a_report_has_a_json_form_that_reads_back() {
    let text = "byte x; active proctype P() { x++; assert(x == 0) }";
    let report = report(&trace_of(&promela(text), FaultKind::Assertion));
    let json = to_json(&[entry(&report, &[])], false).expect("a report has a JSON form");
    insta::assert_snapshot!(json);
    assert_eq!(serde_json::from_str::<Report>(&json).expect("it reads back"), report);
}

fn entry<'a>(report: &'a Report, traces: &'a [Trace]) -> Entry<'a> {
    Entry { report, traces, exit: 1 }
}

/// A rule with recognisable texts.
fn rule(id: &str) -> Rule {
    Rule { name: id.to_uppercase(), short: format!("short {id}"), help: format!("help {id}") }
}

#[test]
fn a_report_as_sarif_carries_the_trace() {
    let text = "byte x; active proctype P() { x++; assert(x == 0) }";
    let traces = [trace_of(&promela(text), FaultKind::Assertion)];
    let report = report(&traces[0]);
    insta::assert_snapshot!(to_sarif(&[entry(&report, &traces)], &rule).expect("a report has a SARIF form"));
}

#[test]
fn a_report_as_junit_has_a_test_case_for_each_property() {
    let text = "byte x; active proctype P() { x++; assert(x == 0) }";
    let trace = trace_of(&promela(text), FaultKind::Assertion);
    let mut report = report(&trace);
    let property = |name: &str, verdict| PropertyReport {
        name: name.into(),
        verdict,
        reason: (verdict == Verdict::Unknown).then(|| "time limit <reached>".into()),
        ..report.properties[0].clone()
    };
    let more = [property("holds", Verdict::Holds), property("undecided", Verdict::Unknown)];
    report.properties.extend(more);
    insta::assert_snapshot!(to_junit(&[entry(&report, &[])]));
}
