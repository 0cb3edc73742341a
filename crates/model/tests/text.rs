//! The textual form: what it looks like, that it reads back equal, and that no input is too strange
//! for it.

use axle_model::arbitrary::model;
use axle_model::dump::dump;
use axle_model::parse::{MAX_DEPTH, MAX_HEIGHT, parse, parse_expr};
use axle_model::verify::verify;
use axle_model::{BinOp, Expr, IntType, LocId, Origin, UnOp};
use proptest::prelude::*;

const EXAMPLE: &str = include_str!("example.axm");

#[test]
fn the_example_reads_and_writes_as_it_stands() {
    let m = parse(EXAMPLE).unwrap();
    assert_eq!(verify(&m), []);
    assert_eq!(dump(&m), EXAMPLE);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_model_is_well_formed(bytes in prop::collection::vec(any::<u8>(), 0..1500)) {
        prop_assert_eq!(verify(&model(&bytes)), []);
    }

    #[test]
    fn a_random_model_reads_back_equal(bytes in prop::collection::vec(any::<u8>(), 0..1500)) {
        let m = model(&bytes);
        let text = dump(&m);
        prop_assert_eq!(parse(&text).map_err(|e| format!("{e}\n{text}")), Ok(m));
    }

    /// Ids changed at random: such models are ill-formed, and that is when a dump is looked at.
    #[test]
    fn a_broken_model_reads_back_equal(
        bytes in prop::collection::vec(any::<u8>(), 200..1500),
        hits in prop::collection::vec((any::<usize>(), 0usize..6, 0u32..9), 1..6),
    ) {
        let mut m = model(&bytes);
        for (at, what, id) in hits {
            let count = m.processes.len();
            let p = &mut m.processes[at % count];
            let edge = at % p.edges.len();
            let location = at % p.locations.len();
            match what {
                0 => p.edges[edge].source = LocId(id),
                1 => p.locations[location].out.push(axle_model::EdgeId(id)),
                2 => drop(p.locations[location].out.pop()),
                3 => p.params = id,
                4 => p.entry = LocId(id),
                _ => p.origin = Origin { line: 0, column: id, ..Origin::NONE },
            }
        }
        verify(&m);
        let text = dump(&m);
        prop_assert_eq!(parse(&text).map_err(|e| format!("{e}\n{text}")), Ok(m));
    }

    /// No text makes the reader panic, and what it accepts can be verified and written.
    #[test]
    fn a_damaged_text_is_an_error_or_a_model(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        hits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..4), 1..5),
    ) {
        let text = dump(&model(&bytes));
        let mut chars: Vec<char> = text.chars().collect();
        for (from, to, what) in hits {
            if chars.is_empty() {
                break;
            }
            let (i, j) = (from.index(chars.len()), to.index(chars.len()));
            match what {
                0 => drop(chars.remove(i)),
                1 => chars.insert(i, chars[j]),
                2 => chars[i] = ['(', '0', '-', '"', '[', '}', 'é', '\\'][j % 8],
                _ => chars.truncate(i.max(1)),
            }
        }
        if let Ok(m) = parse(&chars.into_iter().collect::<String>()) {
            verify(&m);
            prop_assert_eq!(parse(&dump(&m)), Ok(m));
        }
    }

    #[test]
    fn noise_is_an_error(noise in "\\PC{0,200}") {
        prop_assert!(parse(&noise).is_err());
    }
}

/// A text, and where and why it is refused.
const ERRORS: &[(&str, &str)] = &[
    ("", "1:1: expected `axle`, found the end of the text"),
    ("axle model 2", "1:12: expected version `1` of the format, found `2`"),
    ("axle model 1\nglobal g1 x: u8", "2:8: expected `g0`, the next in order, found `g1`"),
    ("axle model 1\nglobal g0 x: byte", "2:14: expected a type, found `byte`"),
    ("axle model 1\nfile f0 \"a", "2:11: the quotes are not closed on their line"),
    ("axle model 1\nfile f0 \"\\q\"", "2:12: an escape is \\n, \\t, \\\", \\\\ or \\u{hexadecimal}"),
    ("axle model 1 $", "1:14: the character '$' begins nothing"),
    (
        "axle model 1\nnames m0 m { a = 9223372036854775808 }",
        "2:18: expected a number of 64 bits, found `9223372036854775808`",
    ),
    (
        "axle model 1\nnames m0 m { a = 99999999999999999999 }",
        "2:18: this number is larger than 64 bits hold",
    ),
    (
        "axle model 1\nprocess p0 A() entry s0 { s0: t1 -> s0 \"\" }",
        "2:44: the edges up to here have no t0, or two",
    ),
    (
        "axle model 1\nprocess p0 A() entry s0 { nowhere: t0 -> s0 \"\" }",
        "2:45: expected `from`, found a text in quotes",
    ),
];

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in ERRORS {
        // The last column is where the reader stands, so a mistake in the table shows as such.
        assert_eq!(parse(text).unwrap_err().to_string(), *expected, "for {text:?}");
    }
}

#[test]
fn nesting_is_limited_without_a_stack_overflow() {
    let depth = MAX_DEPTH as usize;
    let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert!(parse_expr(&nested(depth - 1)).is_ok());
    assert!(parse_expr(&nested(depth)).unwrap_err().message.starts_with("nested deeper"));
    assert!(parse_expr(&"(".repeat(1_000_000)).is_err());
    assert!(parse_expr(&"-".repeat(1_000_000)).is_err());
    assert!(parse_expr(&format!("g0{}", "[g0".repeat(1_000_000))).is_err());
    assert!(parse(&format!("axle model 1 global g0 x: {}u8", "[1]".repeat(1_000_000))).is_err());
    assert!(parse(&format!("axle model 1 property p ltl {}", "! ".repeat(1_000_000))).is_err());
}

#[test]
fn a_long_chain_is_no_nesting_but_has_a_limit() {
    let chain = |n: usize| vec!["g0"; n].join(" && ");
    let high = MAX_HEIGHT as usize;
    let long = parse_expr(&chain(high)).unwrap();
    assert_eq!(axle_model::dump::expr(&long), chain(high));
    assert!(parse_expr(&chain(high + 1)).unwrap_err().message.starts_with("an expression higher"));
    let both = format!("({}) || {}", chain(high / 2 + 10), vec!["g1"; high / 2].join(" || "));
    assert!(parse_expr(&both).is_err());
}

#[test]
fn a_negative_number_is_not_a_negated_number() {
    let negated = Expr::Unary(UnOp::Neg, IntType::I32, Box::new(Expr::Const(5)));
    for e in [Expr::Const(-5), negated.clone(), Expr::int(BinOp::Sub, negated, Expr::Const(i64::MIN))] {
        assert_eq!(parse_expr(&axle_model::dump::expr(&e)), Ok(e));
    }
}
