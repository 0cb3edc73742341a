//! The models of `tests/reduction`: every verdict is the same with and without reduction.

use crate::promela::model;
use std::path::Path;
use std::sync::Arc;

use axle_check::{Auto, Check, Config, Pass, Verdict, check};
use axle_search::{Limits, Reduced, Reduction, Silent};
use axle_step::{Batch, FaultKind, Interpreter, Successors};

#[test]
fn what_is_left_out_changes_no_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reduction");
    let (mut models, mut violated) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let model = match path.extension().and_then(|e| e.to_str()) {
            Some("pml") => model(&text),
            Some("axm") => Arc::new(axle_model::parse::parse(&text).unwrap()),
            _ => continue,
        };
        let said = |reduction| {
            let limits = Limits { errors: None, ..Limits::default() };
            let report =
                check(&model, &Config { reduction, limits, ..Config::default() }, &mut Silent).report;
            assert_eq!(report.internal, None, "{}", path.display());
            report.properties.into_iter().map(|one| (one.name, one.verdict)).collect::<Vec<_>>()
        };
        let whole = said(Reduction::None);
        models += 1;
        violated += usize::from(whole.iter().any(|(_, verdict)| *verdict == Verdict::Violated));
        assert_eq!(said(Reduction::Ample), whole, "{}", path.display());
        assert_eq!(said(Reduction::Stubborn), whole, "{}", path.display());
        assert_eq!(said(Reduction::Guards), whole, "{}", path.display());
    }
    assert!(models >= 5 && violated >= 5, "{models} models, {violated} violated");
}

/// What is said of a text with a reduction, and how many states are stored.
fn said(text: &str, reduction: Reduction) -> (Vec<(String, Verdict)>, u64) {
    let limits = Limits { errors: None, ..Limits::default() };
    let report = check(&model(text), &Config { reduction, limits, ..Config::default() }, &mut Silent).report;
    assert_eq!(report.internal, None, "{text}");
    let verdicts = report.properties.into_iter().map(|one| (one.name, one.verdict)).collect();
    (verdicts, report.search.states.saturated())
}

/// A retransmission on `timeout` and tests of exclusive channels leave the other processes to be
/// executed one after the other.
#[test]
fn timeouts_and_channel_tests_of_one_side_leave_processes_independent() {
    let text = "chan in[4] = [2] of { byte };
        proctype Source(chan out) {
            byte n;
            do :: nfull(out) && n < 6 -> out!n; n++ :: timeout -> break :: n == 6 -> break od
        }
        proctype Sink(chan from) {
            byte x, n;
            do :: n < 6 -> atomic { nempty(from) -> from?x; n++ } :: else -> break od
        }
        init { atomic {
            run Source(in[0]); run Sink(in[0]); run Source(in[1]); run Sink(in[1]);
            run Source(in[2]); run Sink(in[2])
        } }";
    let (whole, all) = said(text, Reduction::None);
    for reduction in [Reduction::Stubborn, Reduction::Guards] {
        let (verdicts, states) = said(text, reduction);
        assert_eq!(verdicts, whole);
        assert!(states * 20 < all, "{reduction:?}: {states} of {all} states");
    }
}

/// Never claims that do not count steps and non-progress cycles are searched in the reduced graph.
/// The steps of the second process change nothing that they observe.
#[test]
fn never_claims_and_progress_labels_are_reduced() {
    let text = "byte x, y;
        active proctype P() { do :: x < 40 -> x++; progress: x++ :: else -> x = 0 od }
        active proctype Q() { do :: y < 40 -> y++ :: else -> break od }
        never { do :: x == 10 -> break :: true od; accept: do :: x == 10 od }";
    let states = |reduction| {
        let config = Config { reduction, ..Config::default() };
        let report = check(&model(text), &config, &mut Silent).report;
        let of = |name: &str| {
            let one = report.properties.iter().find(|one| one.name == name).expect("the property is there");
            let search = one.search.as_ref().expect("it was searched for");
            (one.verdict, search.states.saturated())
        };
        [of("never_0"), of("progress")]
    };
    let (whole, reduced) = (states(Reduction::None), states(Reduction::Stubborn));
    for ((verdict, all), (same, fewer)) in whole.into_iter().zip(reduced) {
        assert_eq!(verdict, same);
        assert!(fewer < all, "{fewer} of {all} states");
    }
}

/// The verdict of one property, and the number of states of the search for violations.
fn verdict_of(text: &str, name: &str, reduction: Reduction) -> (Verdict, u64) {
    let (verdicts, states) = said(text, reduction);
    let found = verdicts.into_iter().find(|(property, _)| property == name);
    (found.unwrap_or_else(|| panic!("no property {name}")).1, states)
}

/// A process at its end ends before others move if nothing depends on numbers of processes, so
/// helpers do not pile up until the limit is exceeded.
#[test]
fn processes_that_have_ended_do_not_accumulate() {
    let text = "chan done = [1] of { bit };
        proctype helper() { done!1 }
        active proctype boss() { do :: true -> run helper(); done?_ :: true -> break od }";
    assert_eq!(verdict_of(text, "limits", Reduction::None).0, Verdict::Violated);
    for reduction in [Reduction::Ample, Reduction::Stubborn, Reduction::Guards] {
        let (verdict, states) = verdict_of(text, "limits", reduction);
        assert_eq!(verdict, Verdict::Holds, "{reduction:?}");
        assert!(states <= 7, "{reduction:?}: {states} states, Spin stores 7");
    }
}

/// Processes that are created forever do not postpone another process, and the creation of a
/// process that starts at a progress label is observed.
#[test]
fn creation_forever_postpones_no_process() {
    let late = "byte x;
        proctype helper(chan answer) { answer!1 }
        active proctype caller() {
            chan answer = [1] of { bit };
            do :: run helper(answer); answer?_ od
        }
        active proctype late() { byte l; l = 1; x = 1; l = 2; x = 2 }
        ltl stays { [] (x < 2) }";
    let labelled = "byte x;
        proctype worker() { progress: x = 1 - x }
        active proctype caller() {
            do :: x == 0 -> run worker(); x == 1 :: x == 1 -> run worker(); x == 0 od
        }
        active proctype idle() { byte l; do :: l = 1 - l od }";
    for (text, name) in [(late, "stays"), (labelled, "progress")] {
        for reduction in [Reduction::None, Reduction::Ample, Reduction::Stubborn] {
            assert_eq!(verdict_of(text, name, reduction).0, Verdict::Violated, "{name}, {reduction:?}");
        }
    }
}

/// Servers whose channels are parameters, whichever process declares the channels: at most the
/// states that Spin stores.
#[test]
fn servers_that_wait_are_not_interleaved() {
    let servers = |global: &str, local: &str| {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let runs: String = names.map(|name| format!("run guardian({name}); ")).concat();
        format!(
            "typedef Lock {{ chan take = [0] of {{ bool }}; chan give = [0] of {{ bool }} }}
            {global}
            proctype guardian(Lock m) {{
                bool held;
                do :: true ->
                    if :: held -> m.give?false; held = false
                    :: else -> end: m.take?false; held = true
                    fi
                od
            }}
            proctype helper(chan answer) {{ answer!0 }}
            proctype task(chan parent) {{
                chan mine = [1] of {{ int }};
                {local}
                {runs} run helper(mine); mine?0; parent!0
            }}
            proctype reader(chan answers) {{ answers?0 }}
            init {{ chan result = [1] of {{ int }}; run task(result); run reader(result) }}"
        )
    };
    let locks = "Lock a; Lock b; Lock c; Lock d; Lock e; Lock f; Lock g; Lock h; Lock i; Lock j;";
    for (text, spin) in [(servers("", locks), 40), (servers(locks, ""), 40)] {
        for reduction in [Reduction::Ample, Reduction::Stubborn, Reduction::Guards] {
            let (verdict, states) = verdict_of(&text, "end-states", reduction);
            assert_eq!(verdict, Verdict::Holds);
            assert!(states <= spin, "{reduction:?}: {states} states, Spin stores {spin}");
        }
    }
}

/// A philosopher that waits for a taken fork does not interfere with its owner. The persistent sets
/// of 12 philosophers that never end are small, while those that depend on edges of every cycle are
/// large.
#[test]
fn who_waits_for_what_is_taken_is_in_nobodys_way() {
    let text = "bool fork[12];
        #define FIRST (_pid == 11 -> 0 : _pid)
        #define SECOND (_pid == 11 -> 11 : _pid + 1)
        active [12] proctype Philosopher() {
            do :: atomic { !fork[FIRST] -> fork[FIRST] = true };
                  atomic { !fork[SECOND] -> fork[SECOND] = true };
                  fork[FIRST] = false; fork[SECOND] = false
            od }";
    let (whole, reduced) = (said(text, Reduction::None), said(text, Reduction::Guards));
    assert_eq!(reduced.0, whole.0);
    assert!(whole.1 > 50_000 && reduced.1 < 1_000, "{} of {}", reduced.1, whole.1);
}

/// A process that loops forever does not hide the fault of another process, however deep the fault
/// is.
#[test]
fn nobody_is_left_out_for_ever() {
    let text = "byte x, y;
        active proctype Round() { do :: x = 1; x = 0 od }
        active proctype Late() { y = 1; y = 2; y = 3; assert(y == 4) }";
    let (whole, reduced) = (said(text, Reduction::None), said(text, Reduction::Guards));
    assert!(whole.0.contains(&("assertions".to_string(), Verdict::Violated)));
    assert_eq!(reduced.0, whole.0);
}

/// A fault behind a state that was expanded again with more transitions is reported as a path of
/// the model: it replays.
#[test]
fn a_run_through_where_more_was_looked_at_replays() {
    let text = "byte x, y, z;
        active proctype Round() { do :: x = 1; x = 0 od }
        active proctype Other() { do :: y = 1; y = 0 od }
        active proctype Late() { z = 1; z = 2; assert(z != 2); z = 3; assert(z != 3) }";
    let reduced = said(text, Reduction::Guards);
    assert!(reduced.0.contains(&("assertions".to_string(), Verdict::Violated)));
}

/// The middle of an `atomic` may block: that others come in between there is seen by them, and
/// depends on who opens.
#[test]
fn what_blocks_in_the_middle_of_a_sequence_is_in_the_way() {
    let text = "byte x, y, seen;
        active proctype Blocks() { atomic { y = 1; x == 1; y = 2 } }
        active proctype Looks() { y == 1; seen = 1; assert(x == 1) }
        active proctype Opens() { x = 1 }";
    let (whole, reduced) = (said(text, Reduction::None), said(text, Reduction::Guards));
    assert!(whole.0.contains(&("assertions".to_string(), Verdict::Violated)));
    assert_eq!(reduced.0, whole.0);
}

/// Who reads `x` must not go first alone where another waits for something that a third can still
/// bring about, and writes `x` then; or where another makes a mistake that is there for one state
/// only. Each way to overlook that loses the fault.
#[test]
fn what_waits_can_be_let_go() {
    let reader = "active proctype Reader() { if :: x == 0 -> skip :: x == 1 -> assert(false) fi }";
    let by_reader = |others: &str| format!("byte g, x, y; chan c = [1] of {{byte}};\n{reader}\n{others}");
    let late = "proctype Reader() { if :: x == 0 -> skip :: x == 1 -> assert(false) fi }";
    let with_full = |others: &str| {
        format!(
            "byte x; chan c = [1] of {{byte}};\n{late}\n{others}
            init {{ atomic {{ c!1; run Reader(); run Waits(); run Opens() }} }}"
        )
    };
    let in_passing =
        |others: &str| format!("byte a[2], g, i;\n{others}\nactive proctype Passes() {{ i = 9; i = 0 }}");
    let cases = [
        (
            "a constant",
            by_reader("active proctype Waits() { g == 1; x = 1 } active proctype Opens() { g = 1 }"),
        ),
        (
            "a sum",
            by_reader(
                "active proctype Waits() { g == 2; x = 1 } active proctype Opens() { y = 1; g = g + y + 1 }",
            ),
        ),
        (
            "the number of a new process",
            by_reader(
                "active proctype Waits() { g == 3; x = 1 } proctype New() { skip }
                active proctype Opens() { g = run New() }",
            ),
        ),
        (
            "what is received",
            by_reader("active proctype Waits() { g == 1; x = 1 } active proctype Opens() { c!1; c?g }"),
        ),
        (
            "a local that is set on the way",
            by_reader(
                "active proctype Waits() { byte l; do :: l == 1 -> x = 1; break :: l == 0 -> l = 1 od }",
            ),
        ),
        ("room", with_full("proctype Waits() { c!2; x = 1 } proctype Opens() { c?_ }")),
        ("that it is full", with_full("proctype Waits() { full(c); x = 1 } proctype Opens() { skip }")),
        ("an index in a part before", in_passing("active proctype Waits() { a[i] == 1 && g == 1 }")),
        ("an index in provided", in_passing("active proctype Waits() provided (a[i] == 0) { g == 1 }")),
        ("an index in the guard itself", in_passing("active proctype Waits() { a[i] == 1 }")),
    ];
    for (what, text) in cases {
        let (whole, reduced) = (said(&text, Reduction::None), said(&text, Reduction::Guards));
        let broken = |name: &str| whole.0.contains(&(name.to_string(), Verdict::Violated));
        assert!(broken("assertions") || broken("bounds"), "{what} is about a fault");
        assert_eq!(reduced.0, whole.0, "{what}");
    }
}

/// A fault in a persistent set without enabled transitions is reported there, whichever set is
/// explored instead.
#[test]
fn faults_of_every_set_passed_over_are_kept() {
    let text = "byte v[2]; byte x;
        active proctype Waits() { byte l; (l == 1) }
        active proctype Wrong() { byte l = 5; (v[l] == 1); v[0] = 1 }
        active proctype Moves() { x = 1; x = 2 }";
    let model = model(text);
    let mut inner = Interpreter::new(Arc::clone(&model), axle_step::Options::default());
    let constants = inner.constants().to_vec();
    let mut reduced = Reduced::new(&mut inner, &model, &constants, None, Reduction::Stubborn);
    let start = reduced.initial(&mut Vec::new());
    let mut batch = Batch::default();
    reduced.expand(&start, &mut batch).unwrap();
    assert_eq!(batch.ends, [1], "only one process is looked at");
    assert_eq!(reduced.savings().reduced, 1);
    let kinds: Vec<_> = batch.faults.iter().map(|fault| fault.site.kind).collect();
    assert_eq!(kinds, [FaultKind::IndexOutOfRange]);
}

/// The choice in a state does not depend on the states that were expanded before it, such as states
/// in which processes have ended.
#[test]
fn the_choice_depends_on_the_state_alone() {
    let text = "byte x, y;
        active proctype Stays() { do :: x = 1 - x od }
        active proctype Ends() { byte l; l = 1; y = 1 }";
    let model = model(text);
    let mut inner = Interpreter::new(Arc::clone(&model), axle_step::Options::default());
    let constants = inner.constants().to_vec();
    let start = inner.initial(&mut Vec::new());
    let (mut states, mut batch) = (vec![start.clone()], Batch::default());
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        inner.expand(&state, &mut batch).unwrap();
        for state in batch.states.chunks_exact(state.len()) {
            if !states.iter().any(|known| known == state) {
                states.push(state.to_vec());
            }
        }
        next += 1;
    }
    let count = inner.layout().count;
    assert!(states.iter().any(|state| count.read(state, 0) < 2), "a process ends");
    let choices = |order: &[Vec<u8>]| {
        let mut inner = Interpreter::new(Arc::clone(&model), axle_step::Options::default());
        let mut reduced = Reduced::new(&mut inner, &model, &constants, None, Reduction::Stubborn);
        let mut batch = Batch::default();
        let mut made: Vec<_> = (order.iter())
            .map(|state| {
                reduced.expand(state, &mut batch).unwrap();
                (state.clone(), batch.states.clone())
            })
            .collect();
        made.sort();
        made
    };
    let forwards = choices(&states);
    states.reverse();
    assert_eq!(choices(&states), forwards);
}

/// Several threads with a formula, where the first state of a thread may lack a process that has
/// ended.
#[test]
fn threads_agree_where_processes_end() {
    let model = model(include_str!("../../../../tests/faults/threads_panic_in_persistent.pml"));
    let config = Config {
        threads: 3,
        passes: Pass::ALL.into(),
        reduction: Reduction::Stubborn,
        auto: Auto::All,
        checks: [Check::Properties].into(),
        ..Config::default()
    };
    for _ in 0..30 {
        let report = check(&model, &config, &mut Silent).report;
        assert_eq!(report.internal, None);
        let inv = report.properties.iter().find(|one| one.name == "inv").unwrap();
        assert_eq!(inv.verdict, Verdict::Violated);
    }
}
