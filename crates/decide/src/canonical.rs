//! A canonical form of equalities of sums, so that different texts of one relation are one predicate:
//! `a - b == c`, `a == b + c` and `c + b == a` become the same term.
//!
//! *Entry point:* [`Terms::canonical`].
//! *Invariant:* the result is equal to the term for all values of the variables.

use crate::term::{BinaryOp, FALSE, TRUE, Term, TermId, Terms, mask};

impl Terms {
    /// An equality of sums with positive coefficients on both sides, the first summand on the left; other
    /// terms as they are.
    pub fn canonical(&mut self, id: TermId) -> TermId {
        let Term::Binary(BinaryOp::Eq, a, b) = self.get(id) else { return id };
        let width = self.width(a);
        let is_number = self.value(b).is_some() || self.value(a).is_some();
        let is_sum = |term| matches!(self.get(term), Term::Neg(_) | Term::Binary(BinaryOp::Add, ..));
        if width == 1 || is_number || !(is_sum(a) || is_sum(b)) {
            return id;
        }
        let Some((mut leaves, mut rest)) = self.difference_form(a, Some(b)) else { return id };
        let is_negative = |factor: u128| factor >> (width - 1) & 1 == 1;
        let negated = |factor: u128| factor.wrapping_neg() & mask(width);
        let Some((_, first)) = leaves.first() else { return if rest == 0 { TRUE } else { FALSE } };
        if is_negative(*first) {
            leaves.iter_mut().for_each(|(_, factor)| *factor = negated(*factor));
            rest = negated(rest);
        }
        let (right, left): (Vec<_>, Vec<_>) =
            leaves.into_iter().partition(|(_, factor)| is_negative(*factor));
        let right = right.into_iter().map(|(term, factor)| (term, negated(factor))).collect();
        let left = self.built(width, left, 0);
        let right = self.built(width, right, negated(rest));
        self.equal(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_equality_are_one_term() {
        let mut terms = Terms::new();
        let [a, b, c] = [8, 8, 8].map(|width| terms.variable(width));
        let three = terms.constant(8, 3);
        let mut forms = Vec::new();
        // a - b == c + 3, a == b + c + 3, b + c == a - 3.
        let difference = terms.difference(a, b);
        let more = terms.sum(c, three);
        forms.push(terms.equal(difference, more));
        let sum = terms.sum(b, more);
        forms.push(terms.equal(a, sum));
        let (sum, less) = (terms.sum(b, c), terms.difference(a, three));
        forms.push(terms.equal(sum, less));
        let canonical: Vec<TermId> = forms.iter().map(|form| terms.canonical(*form)).collect();
        assert!(canonical.iter().all(|form| *form == canonical[0]));
        for values in 0..4096u32 {
            let values = [values & 15, values >> 4 & 15, values >> 8].map(|value| u128::from(value * 17));
            let all = terms.evaluate(&values);
            assert!(forms.iter().all(|form| all[form.index()] == all[canonical[0].index()]));
        }
    }
}
