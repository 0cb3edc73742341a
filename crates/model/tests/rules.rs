//! For each invariant the smallest change to a well-formed model that breaks it, and nothing else.

use axle_model::parse::parse;
use axle_model::verify::{Rule, verify};

const EXAMPLE: &str = include_str!("example.axm");

/// The invariant, what to replace in the example, and by what.
const BREAKS: &[(Rule, &str, &str)] = &[
    (Rule::IdInRange, "start p0, p1", "start p0, p2"),
    (Rule::IdInRange, "entry s0 provided", "entry s9 provided"),
    (Rule::IdInRange, "t1 -> s0 rank 1", "t1 -> s7 rank 1"),
    (Rule::IdInRange, "c0 \"q[0]\": q0", "c0 \"q[0]\": q2"),
    (Rule::IdInRange, "u8 as m0, u8", "u8 as m1, u8"),
    (Rule::IdInRange, "hidden @f0", "hidden @f1"),
    (Rule::IdInRange, "run p0(", "run p2("),
    (Rule::IdInRange, "send own0", "send own1"),
    (Rule::IdInRange, "send c1", "send c2"),
    (Rule::IdInRange, "p0[0]@{ s0, s1 }", "p0[0]@{ s0, s4 }"),
    (Rule::IdInRange, "p1[1]:l0", "p1[1]:l1"),
    (Rule::IdInRange, "g0 := 1;\n", "g7 := 1;\n"),
    (Rule::IdInRange, "grid: [4]r0", "grid: [4]r1"),
    (Rule::IdInRange, "s3:\n}", "s3:\n    also t9\n}"),
    (Rule::Name, "global g0 turn", "global g0 \"\""),
    (Rule::Name, "\"again\"", "\"again\\n\""),
    (Rule::Name, "\"back!\"", "\"back!\\n\""),
    (Rule::Origin, "@f0:12:5-9", "@f0:12:5-4"),
    (Rule::Origin, "@f0:12:5-9", "@f0:12:0-9"),
    (Rule::Width, "turn: u8", "turn: u65"),
    (Rule::Width, "+.u8 1", "+.u0 1"),
    (Rule::ArrayLength, "[3]u1", "[0]u1"),
    (Rule::RecursiveRecord, "as bool }", "as bool, z: [2]r0 }"),
    (Rule::Size, "grid: [4]r0", "grid: [4194305]r0"),
    (Rule::Size, "shape q0 2", "shape q0 10000000"),
    (Rule::ScalarSlot, "Writer(l0 n: i32)", "Writer(l0 n: i32, l1 x: r0)"),
    (Rule::ScalarSlot, "of ( )", "of ( [2]u8 )"),
    (Rule::ParameterCount, "Writer(l0 n: i32) entry s0", "Writer(l0 n: i32) entry s0 params 2"),
    (Rule::NameOrder, "ack = 1", "ack = 3"),
    (Rule::EdgeListed, "s3:\n", "s3:\n    also t4\n"),
    (Rule::EdgeListed, "t2 -> s2 do", "t2 -> s2 from s0 do"),
    (Rule::EdgeListed, "s3:\n", "s3:\n  nowhere:\n    t5 -> s3 from s3 \"\"\n"),
    (Rule::RankOrder, "t2 -> s2 do", "t2 -> s2 rank 3 do"),
    (Rule::ScalarPlace, "g1[2].1[1] := 1", "g1[2].1 := 1"),
    (Rule::ScalarPlace, "[_, l0] \"q[1]", "[_, g1] \"q[1]"),
    (Rule::ScalarPlace, "when !(g0", "when !(g1"),
    (Rule::Path, "g1[l0].0 :=", "g1[l0].2 :="),
    (Rule::Path, "g0 := 1;\n", "g0[0] := 1;\n"),
    (Rule::RemoteWrite, "do g1[l0].0 :=", "do p1[0]:l0 :="),
    (Rule::RemoteWrite, "clear g1", "clear p0[0]:l1"),
    (Rule::Context, "g0 := 1;\n", "g0 := l0;\n"),
    (Rule::Context, "empty(c0)", "empty(own0)"),
    (Rule::RunArguments, "(g0 ? 1 : -1)", "()"),
    (Rule::MessageArguments, "send own0 ! []", "send own0 ! [1]"),
    (Rule::MessageArguments, "c1 ?? [_, l0]", "c1 ?? [_, l0, _]"),
    (Rule::Prologue, "l1 := c0;", "run p1(0);"),
    (Rule::Prologue, "l1 := c0;", "exit;"),
    (Rule::ExitGuarded, "t4 -> s3 when pid == (nr_pr - 1)", "t4 -> s3"),
    (Rule::ExitGuarded, "do exit", "do exit; g0 := 1"),
    (Rule::Claim, "t0 -> s0 when !(g0 == 1)", "t0 -> s0 do g0 := 1"),
    (Rule::Claim, "t0 -> s0 when !(g0 == 1)", "t0 -> s0 send c0 ! []"),
    (
        Rule::Events,
        "never never_0() entry s0 {\n  s0: \"T0_init\" accept\n    t0 -> s0 when !(g0 == 1)",
        "trace x() entry s0 {\n  s0:\n    t0 -> s0 do assert g0 \"\"",
    ),
    (Rule::Start, "p1 priority 5", "p1 priority 0"),
    (Rule::Start, "processes 255", "processes 1"),
    (Rule::Limits, "channels 255", "channels 65536"),
];

#[test]
fn each_break_is_found_and_blamed_on_one_rule() {
    let mut wrong = Vec::new();
    for (rule, from, to) in BREAKS {
        assert!(EXAMPLE.contains(from), "the example does not contain {from:?}");
        let text = EXAMPLE.replacen(from, to, 1);
        let model = parse(&text).unwrap_or_else(|e| panic!("{from:?} -> {to:?}: {e}"));
        let found: Vec<Rule> = verify(&model).iter().map(|violation| violation.rule).collect();
        if found.is_empty() || found.iter().any(|found| found != rule) {
            wrong.push(format!("{from:?} -> {to:?} breaks {found:?}, not {rule:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_has_a_break() {
    for rule in Rule::ALL {
        assert!(BREAKS.iter().any(|(broken, ..)| *broken == rule), "{rule:?} has none");
    }
}

#[test]
fn a_report_reads_well() {
    let model = parse(&EXAMPLE.replace("+.u8 1", "+.u0 1")).unwrap();
    let lines: Vec<String> = verify(&model).iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["p0 t0: u0 is no integer type (Width)"]);
}
