//! Details of the interpreter: order, attribution of faults, micro-steps, growth, options, views.

mod explore;
mod parsed;

use std::sync::Arc;

use axle_model::{Atomicity, EdgeId};
use axle_step::interpret::detail::{Control, End};
use axle_step::interpret::log::Event;
use axle_step::view::changes;
use axle_step::{Batch, FaultKind, Grow, Interpreter, Options, Successors};
use explore::explore;
use parsed::model;

fn engine(text: &str) -> Interpreter {
    Interpreter::new(model(text), Options::default())
}

fn initial(engine: &mut Interpreter) -> Vec<u8> {
    engine.initial(&mut Vec::new())
}

const CHOICES: &str = r#"axle model 1
shape q0 0 of ( u8 )
channel c0 q: q0
global g0 x: u8
start p0, p1, p1
process p0 P() entry s0 {
  s0:
    t2 -> s1 do g0 := 1 "x = 1"
    t0 -> s1 rank 0 send c0 ! [7] do g0 := 2 "q!7"
    t1 -> s2 do g0 := 3 keep atomic "x = 3"
  s1: end
  s2:
    t3 -> s3 keep atomic "a"
    t4 -> s1 do g0 := 6 "b"
  s3:
    t5 -> s1 do g0 := 4 "c"
    t6 -> s1 do g0 := 5 "d"
}
process p1 Q(l0 y: u8) entry s0 {
  s0: end
    t0 -> s0 recv c0 ? [l0] do l0 := l0 + pid "q?y"
    t1 -> s1 recv c0 ? [_] "q?_"
  s1: end
}
"#;

#[test]
fn successors_come_by_process_edge_partner_and_depth() {
    let mut engine = engine(CHOICES);
    let start = initial(&mut engine);
    let steps = engine.steps(&start).steps;
    let seen: Vec<_> = steps
        .iter()
        .map(|step| {
            let edges: Vec<u32> = step.micro.iter().map(|m| m.by.edge.0).collect();
            (edges, step.micro[0].partner.map(|p| (p.pid, p.edge.0)))
        })
        .collect();
    let expected = vec![
        (vec![2], None),
        (vec![0], Some((1, 0))),
        (vec![0], Some((1, 1))),
        (vec![0], Some((2, 0))),
        (vec![0], Some((2, 1))),
        (vec![1, 3, 5], None),
        (vec![1, 3, 6], None),
        (vec![1, 4], None),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn small_steps_lead_where_steps_lead() {
    let mut engine = engine(CHOICES);
    let start = initial(&mut engine);
    let steps = engine.steps(&start).steps;
    for step in steps {
        let (mut state, mut control) = (start.clone(), None);
        for micro in &step.micro {
            let choices = engine.micro_steps(&state, control);
            assert!(choices.contains(micro), "{micro:?} is a choice");
            (state, control) = (micro.state.clone(), micro.control);
        }
        assert_eq!(control, None, "the last small step lets others move");
    }
}

#[test]
fn control_is_lost_where_an_atomic_process_cannot_move() {
    let mut engine = engine(CHOICES);
    let start = initial(&mut engine);
    let blocked = Some(Control { pid: 1, keep: Atomicity::Atomic });
    let movers: Vec<u32> = engine.micro_steps(&start, blocked).iter().map(|m| m.by.pid).collect();
    assert_eq!(movers, [0; 6], "the receiver cannot move on its own, so anybody may");
    let stuck = Some(Control { pid: 1, keep: Atomicity::Deterministic });
    assert_eq!(engine.micro_steps(&start, stuck), [], "a deterministic sequence never yields");
    assert_eq!(engine.enabled(&start).iter().map(|t| t.edge).collect::<Vec<_>>(), [2, 0, 1].map(EdgeId));
}

#[test]
fn taken_edges_are_marked_on_both_sides_of_a_handshake() {
    let mut engine = engine(CHOICES);
    let start = initial(&mut engine);
    engine.expand(&start, &mut Batch::default()).expect("no process is created");
    assert_eq!(engine.taken(), [vec![true; 7], vec![true; 2]]);
}

#[test]
fn a_fault_of_a_sequence_belongs_to_its_first_successor() {
    let mut engine = engine(
        r#"axle model 1
global g0 x: u8
start p0
process p0 P() entry s0 {
  s0:
    t0 -> s1 "plain"
    t1 -> s2 do assert 0 "first" keep atomic "assert(0)"
    t2 -> s3 do g0 := 1 / g0 keep deterministic "x = 1/x"
  s1: end
  s2:
    t3 -> s1 "a"
    t4 -> s1 do assert 0 "second" "assert(0)"
    t5 -> s1 when 1 / g0 "guard"
  s3:
    t6 -> s1 when g0 "never"
}
"#,
    );
    let start = initial(&mut engine);
    let mut batch = Batch::default();
    engine.expand(&start, &mut batch).expect("no process is created");
    let mut faults: Vec<_> =
        batch.faults.iter().map(|f| (f.site.kind, f.site.edge.map_or(99, |e| e.0), f.successor)).collect();
    faults.sort();
    let expected = [
        (FaultKind::Assertion, 1, Some(1)),
        (FaultKind::Assertion, 4, Some(2)),
        (FaultKind::DivisionByZero, 2, None),
        (FaultKind::DivisionByZero, 5, None),
        (FaultKind::DeterministicBlocks, 2, None),
    ];
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(faults, expected);
    let steps = engine.steps(&start);
    let located: Vec<_> = steps.mishaps.iter().map(|m| (m.fault.kind, m.micro.len())).collect();
    assert_eq!(
        located,
        [(FaultKind::DivisionByZero, 1), (FaultKind::DeterministicBlocks, 1), (FaultKind::DivisionByZero, 1)],
        "after the atomic step, after the deterministic one, and in it"
    );
}

const GROWING: &str = r#"axle model 1
start p0
process p0 P(l0 n: u8) entry s0 {
  s0:
    t0 -> s0 when l0 < 5 do run p1(l0); l0 := l0 + 1 "run Q(n); n++"
    t1 -> s1 rank 1 else "else"
  s1: end
}
process p1 Q(l0 v: u8) entry s0 {
  s0: end
}
"#;

#[test]
fn room_for_a_new_process_is_asked_for_and_made() {
    let mut engine = engine(GROWING);
    let start = initial(&mut engine);
    let narrow = start.len();
    let mut batch = Batch::default();
    assert_eq!(engine.expand(&start, &mut batch), Err(Grow { size: 2 }));
    engine.grow(2);
    let start = initial(&mut engine);
    assert!(start.len() > narrow, "the initial state is as wide as the layout");
    assert_eq!(engine.expand(&start, &mut batch), Ok(()));
    assert_eq!(batch.ends, [1]);
    assert_eq!(explore(&mut engine).summary(), "7 states, 6 transitions");
    let mut fresh = Interpreter::new(model(GROWING), Options::default());
    assert_eq!(fresh.steps(&start[..narrow]).steps.len(), 1, "details make room by themselves");
}

#[test]
fn lost_bits_are_reported_where_asked_for() {
    let text = r#"axle model 1
shape q0 1 of ( u8 )
shape q1 0 of ( u8 )
channel c0 q: q0
channel c1 r: q1
global g0 x: u8
start p0, p1
process p0 P() entry s0 {
  s0:
    t0 -> s1 do g0 := 256 "x = 256"
    t1 -> s1 send c0 ! [-1] "q!-1"
    t2 -> s1 do run p1(300) "run Q(300)"
    t3 -> s1 send c1 ! [256] "r!256"
    t4 -> s1 do g0 := 255; run p1(255) "fits"
  s1: end
}
process p1 Q(l0 y: u8) entry s0 {
  s0: end
    t0 -> s0 recv c1 ? [_] "r?_"
}
"#;
    let truncation = Options { truncation: true, ..Options::default() };
    let with = explore(&mut Interpreter::new(model(text), truncation));
    let edges: Vec<_> =
        with.faults.iter().map(|f| (f.site.kind, f.site.edge.map(|e| e.0), f.successor)).collect();
    let lost = |edge, successor| (FaultKind::Truncation, Some(edge), Some(successor));
    assert_eq!(edges, [lost(0, 0), lost(1, 1), lost(2, 2), lost(3, 3)]);
    assert_eq!(explore(&mut engine(text)).faults, [], "not otherwise");
}

#[test]
fn messages_left_are_reported_where_asked_for() {
    let text = r#"axle model 1
shape q0 1 of ( u8 )
channel c0 q: q0
start p0, p1
process p0 P() entry s0 {
  s0: end
    t0 -> s1 send c0 ! [1] "q!1"
  s1: end
}
process p1 Q(l0 n: u8) entry s0 {
  channel own0 r: q0
  s0:
    t0 -> s1 recv c0 ? [_] do l0 := 1 "q?_"
    t1 -> s1 when nempty(c0) "left there"
  s1: end
    t2 -> s2 when l0 == 1 send own0 ! [1] "r!1"
  s2: end
}
"#;
    let asked = Options { messages_left: true, ..Options::default() };
    let found = explore(&mut Interpreter::new(model(text), asked));
    let mut left: Vec<_> = found.faults.iter().map(|f| (f.site.kind, f.pid)).collect();
    left.sort();
    assert_eq!(left, [(FaultKind::MessagesLeft, 0), (FaultKind::MessagesLeft, 1)]);
    assert!(explore(&mut engine(text)).faults.is_empty(), "not otherwise");
}

#[test]
fn ends_name_every_process_that_is_stuck() {
    let mut engine = engine(
        r#"axle model 1
start p0, p1, p0
process p0 P() entry s0 {
  s0:
    t0 -> s1 when 0 "never"
  s1: end
}
process p1 Q() entry s0 {
  s0: end
    t0 -> s0 when timeout && !nr_pr "nor then"
}
"#,
    );
    let start = initial(&mut engine);
    assert_eq!(engine.end_state(&start), End::Invalid(vec![0, 2]));
    let faults = engine.steps(&start).faults;
    assert_eq!(faults.iter().map(|f| (f.site.kind, f.pid)).collect::<Vec<_>>(), [(FaultKind::InvalidEnd, 0)]);
    let mut engine = self::engine(CHOICES);
    let start = initial(&mut engine);
    assert_eq!(engine.end_state(&start), End::None);
    let last = engine.steps(&start).steps[0].micro[0].state.clone();
    assert_eq!(engine.end_state(&last), End::Valid);
}

const SHOWN: &str = r#"axle model 1
names m0 mtype { ack = 1, data = 2 }
record r0 Pair { x: u8, y: [2]u1 as bool }
shape q0 2 of ( u8 as m0, u8 )
shape q1 0 of ( u8 as m0 )
global g0 m: u8 as m0
global g1 r: [2]r0
global g2 k: i8
global g3 c: chan
channel c0 "q[0]": q0
channel c1 "q[1]": q0
channel c2 hand: q1
prologue {
  g2 := -3;
  g3 := c1;
}
start p0, p1
process p0 P(l0 n: u8) entry s0 {
  s0: @f0:4:1-9
    t0 -> s1 send c1 ! [2, 3] do g0 := 2; g1[1].1[0] := 1; l0 := 9; print "%e %d %x %c %o %u%%\n" (2, -1, 255, 65, 8, 7) "q!"
    t1 -> s1 send c2 ! [1] "hand!ack"
    t2 -> s1 do run p1(1) "run Q(1)"
  s1: end
}
process p1 Q(l0 v: u8) entry s0 {
  channel own0 mine: q0
  s0: end
    t0 -> s0 recv c2 ? [l0] "hand?v"
}
file f0 "m.pml"
"#;

fn shown() -> Interpreter {
    let first_file = SHOWN.replace("file f0 \"m.pml\"\n", "");
    engine(&first_file.replacen("names", "file f0 \"m.pml\"\nnames", 1))
}

#[test]
fn a_view_names_everything() {
    let mut engine = shown();
    engine.grow(3);
    let start = initial(&mut engine);
    let view = engine.view(&start);
    let globals: Vec<_> = view.globals().iter().map(|v| format!("{}={}", v.name, v.shown)).collect();
    assert_eq!(
        globals.join(" "),
        "m=0 r[0].x=0 r[0].y[0]=false r[0].y[1]=false r[1].x=0 r[1].y[0]=false r[1].y[1]=false k=-3 c=q[1]"
    );
    let channels: Vec<_> = view.channels().iter().map(|c| format!("{}/{}", c.name, c.capacity)).collect();
    assert_eq!(channels.join(" "), "q[0]/2 q[1]/2 hand/0 Q(1):mine/2");
    let process = view.process(0);
    assert_eq!((process.name.as_str(), process.origin.line, process.may_rest), ("P(0)", 4, false));
    assert_eq!(view.channel_name(0), "no channel");
    assert_eq!(view.channel_name(99), "chan 99");
}

#[test]
fn changes_say_what_a_step_did() {
    let mut engine = shown();
    engine.grow(3);
    let start = initial(&mut engine);
    let steps = engine.steps(&start).steps;
    let told: Vec<String> = steps
        .iter()
        .map(|step| {
            let all = changes(&engine.view(&start), &engine.view(&step.micro[0].state));
            let none = || "-".to_owned();
            let one = |c: &axle_step::view::Change| {
                let (old, new) = (c.old.clone().unwrap_or_else(none), c.new.clone().unwrap_or_else(none));
                format!("{}:{old}>{new}", c.name)
            };
            all.iter().map(one).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let expected = [
        "m:0>data r[1].y[0]:false>true q[1]:[]>[data,3] P(0):n:0>9",
        "Q(1):v:0>1",
        "Q(2):->running Q(2):v:->1",
    ];
    assert_eq!(told, expected);
}

#[test]
fn events_carry_messages_and_printed_text() {
    let mut engine = shown();
    let start = initial(&mut engine);
    let steps = engine.steps(&start).steps;
    let (sent, handed) = (&steps[0].micro[0].events, &steps[1].micro[0].events);
    let [Event::Sent(message), Event::Print(text)] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((message.chan, &message.values[..], text.as_str()), (2, &[2, 3][..], "data -1 ff A 10 7%\n"));
    let [Event::Handed(message)] = &handed[..] else { panic!("{handed:?}") };
    let state = &steps[1].micro[0].state;
    assert_eq!(engine.view(state).shown_message(message.chan, &message.values), ["ack"]);
}

#[test]
fn faults_of_the_start_are_reported_with_the_initial_state() {
    let mut engine = engine(
        r#"axle model 1
global g0 x: u8
prologue {
  g0 := 1 / g0;
}
start p0
process p0 P() entry s0 {
  local l0 y: [2]u8
  prologue {
    l0[2] := 1;
  }
  s0: end
}
"#,
    );
    let mut faults = Vec::new();
    engine.initial(&mut faults);
    let kinds: Vec<_> = faults.iter().map(|f| (f.site.kind, f.pid, f.site.edge, f.successor)).collect();
    assert_eq!(
        kinds,
        [(FaultKind::DivisionByZero, 0, None, None), (FaultKind::IndexOutOfRange, 0, None, None)]
    );
    assert!(Arc::strong_count(engine.model()) >= 1);
}
