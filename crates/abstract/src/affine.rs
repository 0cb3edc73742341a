//! Affine relations between the variables of concrete states: sums of multiples that have one value in all
//! of them.
//!
//! Relations are candidates for predicates, found from samples; nothing depends on whether they hold in
//! states that were not seen.
//!
//! *Entry point:* [`relations`].
//! *Source:* Karr, "Affine Relationships Among Variables of a Program", Acta Informatica 1976; Sharma,
//! Gupta, Hariharan, Aiken, Liang and Nori, "A Data Driven Approach for Algebraic Loop Invariants", ESOP
//! 2013 (relations from samples).
//! *Invariant:* every relation holds in all samples, modulo the width.
//! *Cost:* cubic in the number of variables, for each sample.

use axle_decide::system::StateVariable;
use axle_decide::term::{BinaryOp, TermId, Terms, mask, signed};

use crate::valuation::Concrete;

/// The most variables among which relations are searched.
const MOST_VARIABLES: usize = 12;
/// The greatest absolute factor of a relation.
const GREATEST_FACTOR: i128 = 4096;

/// Relations between some variables, all of the width of the first one, that samples satisfy: a basis.
pub(crate) fn relations(
    terms: &mut Terms,
    states: &[StateVariable],
    variables: &[u32],
    samples: &[&Concrete],
) -> Vec<TermId> {
    let Some(first) = samples.first() else { return Vec::new() };
    let Some(width) = variables.first().map(|of| states[*of as usize].ty.bits) else { return Vec::new() };
    let own = variables.iter().copied().filter(|of| states[*of as usize].ty.bits == width);
    let own: Vec<u32> = own.take(MOST_VARIABLES).collect();
    let value = |sample: &Concrete, of: u32| signed(width, u128::from(sample[of as usize]));
    let mut rows: Vec<Vec<i128>> = Vec::new();
    for sample in &samples[1..] {
        let row = own.iter().map(|of| value(sample, *of) - value(first, *of)).collect();
        if insert(&mut rows, row).is_none() {
            return Vec::new();
        }
        if rows.len() == own.len() {
            return Vec::new();
        }
    }
    let mut found = Vec::new();
    for factors in kernel(&rows, own.len()) {
        if factors.iter().any(|factor| factor.abs() > GREATEST_FACTOR) {
            continue;
        }
        let sum = |sample: &Concrete| {
            let sum = own.iter().zip(&factors).map(|(of, factor)| value(sample, *of).wrapping_mul(*factor));
            sum.fold(0i128, i128::wrapping_add) as u128 & mask(width)
        };
        let number = sum(first);
        if samples.iter().any(|sample| sum(sample) != number) {
            continue;
        }
        let mut total = terms.constant(width, 0);
        for (of, factor) in own.iter().zip(&factors) {
            let factor = terms.constant(width, *factor as u128 & mask(width));
            let multiple = terms.binary(BinaryOp::Mul, states[*of as usize].variable, factor);
            total = terms.sum(total, multiple);
        }
        let number = terms.constant(width, number);
        let equality = terms.equal(total, number);
        found.push(terms.canonical(equality));
    }
    found
}

/// Adds a row to rows in reduced echelon form; none if the numbers are too large.
fn insert(rows: &mut Vec<Vec<i128>>, mut row: Vec<i128>) -> Option<()> {
    for known in rows.iter() {
        let pivot = pivot(known)?;
        row = eliminated(&row, known, pivot)?;
    }
    let Some(own) = pivot(&row) else { return Some(()) };
    for known in rows.iter_mut() {
        *known = eliminated(known, &row, own)?;
    }
    rows.push(row);
    Some(())
}

/// The first column of a row that is not 0.
fn pivot(row: &[i128]) -> Option<usize> {
    row.iter().position(|value| *value != 0)
}

/// A multiple of a row minus a multiple of another one, which is 0 in a column.
fn eliminated(row: &[i128], by: &[i128], column: usize) -> Option<Vec<i128>> {
    if row[column] == 0 {
        return Some(row.to_vec());
    }
    let (own, other) = (row[column], by[column]);
    let mut next = Vec::new();
    for (x, y) in row.iter().zip(by) {
        next.push(x.checked_mul(other)?.checked_sub(y.checked_mul(own)?)?);
    }
    let common = next.iter().fold(0, |common, value| divisor(common, *value));
    if common > 1 {
        next.iter_mut().for_each(|value| *value /= common);
    }
    Some(next)
}

/// The greatest common divisor.
fn divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

/// A basis of the vectors that are orthogonal to rows in reduced echelon form, one for each column without
/// pivot.
fn kernel(rows: &[Vec<i128>], columns: usize) -> Vec<Vec<i128>> {
    let pivots: Vec<(usize, &Vec<i128>)> =
        rows.iter().filter_map(|row| pivot(row).map(|at| (at, row))).collect();
    let mut found = Vec::new();
    for free in (0..columns).filter(|column| pivots.iter().all(|(at, _)| at != column)) {
        // The least number by which all divisions are exact.
        let mut scale: i128 = 1;
        for (at, row) in &pivots {
            let needed = row[*at].abs() / divisor(row[*at], row[free]).max(1);
            match scale.checked_mul(needed / divisor(scale, needed)) {
                Some(next) if next <= GREATEST_FACTOR => scale = next,
                _ => scale = 0,
            }
            if scale == 0 {
                break;
            }
        }
        if scale == 0 {
            continue;
        }
        let mut vector = vec![0; columns];
        vector[free] = scale;
        for (at, row) in &pivots {
            vector[*at] = -(row[free].saturating_mul(scale)) / row[*at];
        }
        found.push(vector);
    }
    found
}

#[cfg(test)]
mod tests {
    use axle_model::IntType;

    use super::*;

    fn found(samples: &[[i64; 3]]) -> Vec<String> {
        let mut system = axle_decide::system::System::default();
        let ty = IntType { bits: 32, signed: true };
        for name in ["a", "b", "c"] {
            system.state(name.to_string(), ty, 0);
        }
        let samples: Vec<Concrete> = (samples.iter())
            .map(|sample| sample.iter().map(|value| *value as u64 & 0xffff_ffff).collect())
            .collect();
        let samples: Vec<&Concrete> = samples.iter().collect();
        let relations = relations(&mut system.terms, &system.states.clone(), &[0, 1, 2], &samples);
        relations.iter().map(|of| crate::display::text(&system, &system.terms, *of)).collect()
    }

    #[test]
    fn sums_that_are_constant_are_relations() {
        assert_eq!(found(&[[1, 2, 3], [2, 2, 2], [1, 3, 2]]), ["((a + b) + c) == 6"]);
        assert_eq!(found(&[[0, 0, 7], [1, 2, 7], [2, 4, 7]]), ["b == (a * 2)", "c == 7"]);
        assert_eq!(found(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), [""; 0]);
        // Sums that wrap around are sums of the width.
        assert_eq!(
            found(&[[1, 5, 0], [i64::from(i32::MIN), i64::from(i32::MIN) + 4, 1], [7, 11, 0]]).len(),
            1
        );
    }
}
