//! Linear equalities: sums of multiples of terms that are 0 modulo a power of two. Equalities with the same
//! solutions have one form, and equalities that are known simplify others.
//!
//! *Entry points:* [`Terms::canonical`], [`Equalities::reduced`].
//! *Source:* Müller-Olm and Seidl, "Analysis of Modular Arithmetic", TOPLAS 2007, restricted to rows with an
//! odd factor, which is the one that a row is solved for.
//! *Invariant:* a canonical term is equal to the term for all values of the variables; a reduced one wherever
//! the known equalities hold.

use crate::term::{BinaryOp, FALSE, TRUE, Term, TermId, Terms, mask};

/// The most summands of a linear equality.
const MOST_SUMMANDS: usize = 24;

/// A linear form that is 0: the summands with their factors, in the order of terms, and a number.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Linear {
    width: u8,
    summands: Vec<(TermId, u128)>,
    rest: u128,
}

impl Linear {
    /// The form of an equality of words; none for other conditions, and if it has too many summands.
    fn new(terms: &Terms, equality: TermId) -> Option<Linear> {
        let Term::Binary(BinaryOp::Eq, a, b) = terms.get(equality) else { return None };
        let width = terms.width(a);
        let mut linear = Linear { width, summands: Vec::new(), rest: 0 };
        let fits = width > 1 && linear.collect(terms, a, 1) && linear.collect(terms, b, u128::MAX);
        linear.rest &= mask(width);
        fits.then_some(linear)
    }

    /// Adds a multiple of a term; returns whether there are few enough summands.
    fn collect(&mut self, terms: &Terms, term: TermId, factor: u128) -> bool {
        match terms.get(term) {
            Term::Const(value) => self.rest = self.rest.wrapping_add(value.wrapping_mul(factor)),
            Term::Neg(a) => return self.collect(terms, a, factor.wrapping_neg()),
            Term::Binary(BinaryOp::Add, a, b) => {
                return self.collect(terms, a, factor) && self.collect(terms, b, factor);
            }
            Term::Binary(BinaryOp::Mul, a, b) if terms.value(b).is_some() => {
                let scale = terms.value(b).unwrap_or_default();
                return self.collect(terms, a, factor.wrapping_mul(scale));
            }
            _ => self.add(term, factor),
        }
        self.summands.len() <= MOST_SUMMANDS
    }

    /// Adds a multiple of a summand.
    fn add(&mut self, term: TermId, factor: u128) {
        let mask = mask(self.width);
        match self.summands.binary_search_by_key(&term, |(of, _)| *of) {
            Ok(at) => {
                self.summands[at].1 = self.summands[at].1.wrapping_add(factor) & mask;
                if self.summands[at].1 == 0 {
                    let _ = self.summands.remove(at);
                }
            }
            Err(at) if factor & mask != 0 => self.summands.insert(at, (term, factor & mask)),
            Err(_) => {}
        }
    }

    /// Adds a multiple of another form.
    fn add_multiple(&mut self, other: &Linear, factor: u128) {
        for (term, own) in &other.summands {
            self.add(*term, own.wrapping_mul(factor));
        }
        self.rest = self.rest.wrapping_add(other.rest.wrapping_mul(factor)) & mask(self.width);
    }

    /// The factor of a summand.
    fn factor(&self, term: TermId) -> u128 {
        self.summands.binary_search_by_key(&term, |(of, _)| *of).map_or(0, |at| self.summands[at].1)
    }

    /// Multiplies the form by a number.
    fn scale(&mut self, number: u128) {
        let mask = mask(self.width);
        self.summands.iter_mut().for_each(|(_, factor)| *factor = factor.wrapping_mul(number) & mask);
        self.rest = self.rest.wrapping_mul(number) & mask;
    }

    /// Whether no values satisfy the equality: a sum of multiples of a power of two is one itself.
    fn is_impossible(&self) -> bool {
        let lowest = self.summands.iter().map(|(_, factor)| factor.trailing_zeros()).min();
        self.rest.trailing_zeros() < lowest.unwrap_or(128)
    }

    /// The equality as a term, with positive factors on both sides, and a summand of factor 1 on the left if
    /// there is an odd factor.
    fn term(mut self, terms: &mut Terms) -> TermId {
        let (width, mask) = (self.width, mask(self.width));
        if self.is_impossible() {
            return FALSE;
        }
        if self.summands.is_empty() {
            return TRUE;
        }
        // Small factors make small circuits, so that an inverse is the last choice.
        let is_unit = |factor: &u128| *factor == 1 || *factor == mask;
        let mut factors = self.summands.iter().map(|(_, factor)| *factor);
        if let Some(factor) = factors.clone().find(is_unit).or_else(|| factors.find(|of| of & 1 == 1)) {
            self.scale(inverse(factor));
        }
        let is_negative = |factor: u128| factor >> (width - 1) & 1 == 1 && factor != 1 << (width - 1);
        let negated = |factor: u128| factor.wrapping_neg() & mask;
        if self.summands.iter().all(|(_, factor)| factor & 1 == 0) && is_negative(self.summands[0].1) {
            self.scale(u128::MAX);
        }
        let (right, left): (Vec<_>, Vec<_>) =
            self.summands.into_iter().partition(|(_, factor)| is_negative(*factor));
        let right = right.into_iter().map(|(term, factor)| (term, negated(factor))).collect();
        let left = terms.built(width, left, 0);
        let right = terms.built(width, right, negated(self.rest));
        terms.equal(left, right)
    }
}

/// The inverse of an odd number modulo powers of two, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

impl Terms {
    /// One of the forms of a linear equality, the same for all of them that differ in an odd factor or in
    /// the order of summands; other terms as they are.
    pub fn canonical(&mut self, id: TermId) -> TermId {
        match self.get(id) {
            Term::Not(a) => {
                let a = self.canonical(a);
                self.not(a)
            }
            _ => Linear::new(self, id).map_or(id, |linear| linear.term(self)),
        }
    }
}

/// Linear equalities that are known.
#[derive(Clone, Debug, Default)]
pub struct Equalities {
    /// Each with the summand that it is solved for, of factor 1, which no other one has.
    rows: Vec<(TermId, Linear)>,
    /// Whether one contradicts those before.
    contradict: bool,
}

impl Equalities {
    /// No equalities.
    #[must_use]
    pub fn new() -> Equalities {
        Equalities::default()
    }

    /// Whether the equalities are not known to contradict each other.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        !self.contradict
    }

    /// Adds a condition that holds; those that are no linear equality, or that no odd factor allows to solve,
    /// are left out.
    pub fn add(&mut self, terms: &Terms, condition: TermId) {
        let Some(mut linear) = Linear::new(terms, condition) else { return };
        self.reduce(&mut linear);
        self.contradict |= linear.is_impossible();
        let Some((pivot, factor)) = linear.summands.iter().rev().find(|(_, factor)| factor & 1 == 1) else {
            return;
        };
        let pivot = *pivot;
        let factor = inverse(*factor);
        linear.scale(factor);
        for (_, row) in &mut self.rows {
            if row.width == linear.width {
                let factor = row.factor(pivot);
                row.add_multiple(&linear, factor.wrapping_neg());
            }
        }
        self.rows.push((pivot, linear));
    }

    fn reduce(&self, linear: &mut Linear) {
        let width = linear.width;
        for (pivot, row) in self.rows.iter().filter(|(_, row)| row.width == width) {
            let factor = linear.factor(*pivot);
            if factor != 0 {
                linear.add_multiple(row, factor.wrapping_neg());
            }
        }
    }

    /// A condition that has the same value where the equalities hold: a linear equality, or its negation,
    /// without the summands that others are solved for.
    pub fn reduced(&self, terms: &mut Terms, condition: TermId) -> TermId {
        if let Term::Not(a) = terms.get(condition) {
            let a = self.reduced(terms, a);
            return terms.not(a);
        }
        let Some(mut linear) = Linear::new(terms, condition) else { return condition };
        self.reduce(&mut linear);
        linear.term(terms)
    }
}

#[cfg(test)]
mod tests {
    use axle_generate::Random;

    use super::*;

    #[test]
    fn forms_of_one_equality_are_one_term() {
        let mut terms = Terms::new();
        let [a, b, c] = [8, 8, 8].map(|width| terms.variable(width));
        let [three, nine] = [3, 9].map(|value| terms.constant(8, value));
        let mut forms = Vec::new();
        // a - b == c + 3, a == b + c + 3, b + c == a - 3, (a - b - c) * 3 == 9.
        let difference = terms.difference(a, b);
        let more = terms.sum(c, three);
        forms.push(terms.equal(difference, more));
        let sum = terms.sum(b, more);
        forms.push(terms.equal(a, sum));
        let (sum, less) = (terms.sum(b, c), terms.difference(a, three));
        forms.push(terms.equal(sum, less));
        let all = terms.difference(difference, c);
        let multiple = terms.binary(BinaryOp::Mul, all, three);
        forms.push(terms.equal(multiple, nine));
        let canonical: Vec<TermId> = forms.iter().map(|form| terms.canonical(*form)).collect();
        assert!(canonical.iter().all(|form| *form == canonical[0]));
        for values in 0..4096u32 {
            let values = [values & 15, values >> 4 & 15, values >> 8].map(|value| u128::from(value * 17));
            let all = terms.evaluate(&values);
            assert!(forms.iter().all(|form| all[form.index()] == all[canonical[0].index()]));
        }
    }

    /// A random equality of two sums of multiples.
    fn random_equality(terms: &mut Terms, random: &mut Random, variables: &[TermId]) -> TermId {
        let width = terms.width(variables[0]);
        let [left, right] = [0, 1].map(|_| {
            let start = terms.constant(width, random.below(16) as u128);
            (0..random.below(4)).fold(start, |sum, _| {
                let factor = terms.constant(width, random.below(16) as u128);
                let multiple = terms.binary(BinaryOp::Mul, variables[random.below(variables.len())], factor);
                terms.sum(sum, multiple)
            })
        });
        terms.equal(left, right)
    }

    #[test]
    fn reduced_equalities_have_their_values_where_the_known_ones_hold() {
        let (mut random, mut decided) = (Random::of(3, 0), 0);
        for round in 0..3000 {
            let mut terms = Terms::new();
            let width = 2 + (round % 3) as u8;
            let variables = [width; 3].map(|width| terms.variable(width));
            let known: Vec<TermId> =
                (0..random.below(4)).map(|_| random_equality(&mut terms, &mut random, &variables)).collect();
            let mut equalities = Equalities::new();
            known.iter().for_each(|one| equalities.add(&terms, *one));
            for (pivot, row) in &equalities.rows {
                let having = equalities.rows.iter().filter(|(_, other)| other.factor(*pivot) != 0).count();
                assert_eq!((row.factor(*pivot), having), (1, 1), "{known:?}");
            }
            let is_possible = |all: &[u128]| known.iter().all(|one| all[one.index()] == 1);
            let mut asked = random_equality(&mut terms, &mut random, &variables);
            if random.below(2) == 0 {
                asked = terms.not(asked);
            }
            let (canonical, reduced) = (terms.canonical(asked), equalities.reduced(&mut terms, asked));
            decided += usize::from(terms.value(reduced).is_some() && terms.value(canonical).is_none());
            for values in 0..1u32 << (3 * width) {
                let values = [0, 1, 2].map(|at| u128::from(values >> (at * width)) & mask(width));
                let all = terms.evaluate(&values);
                let of = |term: TermId| all[term.index()];
                assert_eq!(of(canonical), of(asked));
                if is_possible(&all) {
                    assert!(equalities.is_consistent(), "{known:?}");
                    assert_eq!(of(reduced), of(asked), "{known:?} {asked:?} {reduced:?}");
                }
            }
        }
        assert!(decided > 100, "{decided}");
    }
}
