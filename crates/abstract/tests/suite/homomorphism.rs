//! Congruence of maps: operators against enumeration, and models.

use axle_abstract::homomorphism::{Map, MapError, Site, by_conditions, conflicts, operation, parse};
use axle_decide::evaluate;
use axle_decide::term::{BinaryOp, signed};

use crate::case::Case;
use crate::cases;

const OPS: [BinaryOp; 11] = {
    use BinaryOp::{Add, And, Eq, Mul, Or, SDiv, SLt, SRem, ULt, URem, Xor};
    [Add, Mul, And, Or, Xor, SDiv, SRem, URem, Eq, ULt, SLt]
};

/// The class of a number, by the definition.
fn class(map: &Map, number: i64) -> i64 {
    match map {
        Map::Parity => number & 1,
        Map::Sign => number.signum(),
        Map::Zero => i64::from(number == 0),
        Map::Intervals(bounds) => bounds.iter().filter(|bound| number >= **bound).count() as i64,
        Map::Conditions(_) => unreachable!("no random map has conditions"),
        Map::Values(values) => values.iter().position(|value| *value == number).map_or(-1, |at| at as i64),
    }
}

/// A number of some bits.
fn number(width: u8, is_signed: bool, value: u128) -> i64 {
    if is_signed { signed(width, value) as i64 } else { value as i64 }
}

fn random_map(random: &mut dyn FnMut(usize) -> usize, width: u8) -> Map {
    let low = -(1i64 << (width - 1));
    let mut numbers: Vec<i64> = (0..1 + random(3)).map(|_| low + random(3 << (width - 1)) as i64).collect();
    numbers.sort_unstable();
    numbers.dedup();
    match random(5) {
        0 => Map::Parity,
        1 => Map::Sign,
        2 => Map::Zero,
        3 => Map::Intervals(numbers),
        _ => Map::Values(numbers),
    }
}

/// Whether an operator respects the classes, by enumeration.
fn is_congruent(map: &Map, op: BinaryOp, width: u8, is_signed: bool) -> bool {
    let all = 1u128 << width;
    let mut results = std::collections::HashMap::new();
    let of = |value| class(map, number(width, is_signed, value));
    (0..all).flat_map(|a| (0..all).map(move |b| (a, b))).all(|(a, b)| {
        let result = evaluate::binary(op, width, a, b);
        let result = if op.is_comparison() { result as i64 } else { of(result) };
        *results.entry((of(a), of(b))).or_insert(result) == result
    })
}

#[test]
fn operators_on_small_numbers_as_by_enumeration() {
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut random = |end: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 8) as usize % end
    };
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..cases("AXLE_ABSTRACT_MAPS", 1_500) {
        let width = 1 + random(4) as u8;
        let (map, op, is_signed) = (random_map(&mut random, width), OPS[random(OPS.len())], random(2) == 0);
        let found = operation(&map, op, width, is_signed, &mut |_| None).expect("an answer");
        let expected = is_congruent(&map, op, width, is_signed);
        assert_eq!(
            found.is_none(),
            expected,
            "{map:?} {op:?} of {width} bits, signed {is_signed}: {found:?}"
        );
        accepted += u32::from(expected);
        refused += u32::from(!expected);
        if let Some((one, other)) = found {
            assert!(
                one.iter().zip(&other).all(|(x, y)| class(&map, *x) == class(&map, *y)),
                "{map:?} {one:?} {other:?}"
            );
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

#[test]
fn parity_respects_sums_and_products_and_the_sign_does_not() {
    let decide = |map: &Map, op| operation(map, op, 32, true, &mut |_| None).expect("an answer");
    assert_eq!(decide(&Map::Parity, BinaryOp::Add), None);
    assert_eq!(decide(&Map::Parity, BinaryOp::Mul), None);
    let ([a, b], [c, d]) = decide(&Map::Sign, BinaryOp::Add).expect("a pair");
    assert_eq!((a.signum(), b.signum()), (c.signum(), d.signum()));
    let sum = |x: i64, y: i64| i64::from((x as i32).wrapping_add(y as i32)).signum();
    assert_ne!(sum(a, b), sum(c, d));
    assert!(decide(&Map::Zero, BinaryOp::Mul).is_some(), "two even numbers may have the product 0");
}

#[test]
fn maps_of_the_variables_of_a_model() {
    let case = Case::of(
        "int x = 1, y;
         active proctype P() { do :: x = x * 3 + 2 :: (x & 1) == 0 -> y = y + 1 :: y > 10 -> x = 1 od }
         active proctype Monitor() { end: do :: assert((x & 1) == 1) od }",
    );
    let bads: Vec<usize> = (0..case.problem.system.bads.len()).collect();
    let of = |maps: &[&str]| {
        let maps: Vec<_> = maps.iter().flat_map(|text| parse(&case.problem, text).expect("a map")).collect();
        conflicts(&case.problem, &maps, &bads, &mut |_| None).expect("an answer")
    };
    assert_eq!(of(&["x: parity"]), []);
    let refused = of(&["x: parity", "y: intervals 11"]);
    assert!(matches!(refused[..], [ref one] if matches!(one.site, Site::Value(..))), "{refused:?}");
    let refused = of(&["y: zero"]);
    assert!(refused.iter().any(|conflict| matches!(conflict.site, Site::Guard(_))), "{refused:?}");
    let refused = of(&["x: sign"]);
    assert!(refused.iter().any(|conflict| matches!(conflict.site, Site::Value(..))), "{refused:?}");
    assert!(refused.iter().any(|conflict| matches!(conflict.site, Site::Bad(_))), "{refused:?}");
    for text in ["x parity", "x: odd", "z: parity", "x: intervals", "x: sign 1"] {
        assert!(parse(&case.problem, text).is_err(), "{text}");
    }
}

#[test]
fn conditions_are_classes() {
    let mut case = Case::of(
        "int x = 1, y;
         active proctype P() { int mine; do :: x = x * 3 + 2; mine = mine + 1 :: y = y + 1 od }
         active proctype Monitor() { end: do :: assert((x & 1) == 1) od }",
    );
    let system = &mut case.problem.system;
    let of = |name: &str| system.states.iter().find(|state| state.name == name).expect(name).variable;
    let (x, y) = (of("x"), of("y"));
    let even = system.terms.extract(0, 1, x);
    let zero = system.terms.constant(32, 0);
    let positive = system.terms.binary(BinaryOp::SLt, zero, x);
    let smaller = system.terms.binary(BinaryOp::SLt, x, y);
    let bads: Vec<usize> = (0..case.problem.system.bads.len()).collect();
    let conflicts = |conditions: &[_]| {
        let maps = by_conditions(&case.problem, "x", conditions).expect("a map");
        conflicts(&case.problem, &maps, &bads, &mut |_| None).expect("an answer")
    };
    assert_eq!(conflicts(&[even]), []);
    let refused = conflicts(&[positive, even]);
    assert!(matches!(refused[..], [ref one] if matches!(one.site, Site::Value(..))), "{refused:?}");
    assert_eq!(by_conditions(&case.problem, "x", &[smaller]), Err(MapError::Support("x".to_owned())));
    assert_eq!(by_conditions(&case.problem, "z", &[even]), Err(MapError::Variable("z".to_owned())));
    assert_eq!(parse(&case.problem, "P:mine: parity").map(|maps| maps.len()), Ok(1));
}
