//! Constructors of terms that simplify: constants are folded, commutative operands sorted, sums are
//! linear forms, and shifts and masks by constants select bits.
//!
//! *Entry points:* the constructors of [`Terms`] in this file.
//! *Source:* Niemetz and Preiner, "Bitwuzla", CAV 2023 (levels of rewriting).
//! *Invariant:* a constructor returns a term that is equal to its operator for all values of the
//! variables.

use crate::evaluate;
use crate::term::{BinaryOp, FALSE, TRUE, Term, TermId, Terms, mask, signed};

/// The most terms of a sum that is kept as a linear form.
const MOST_LINEAR: usize = 16;

impl Terms {
    /// Each bit inverted; the negation of a condition.
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        match self.get(a) {
            Term::Const(value) => self.constant(width, !value),
            Term::Not(inner) => inner,
            _ => self.add(Term::Not(a), width),
        }
    }

    /// The negative, wrapping.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.linear(&[(a, u128::MAX)])
    }

    /// The sum, wrapping.
    pub fn sum(&mut self, a: TermId, b: TermId) -> TermId {
        self.linear(&[(a, 1), (b, 1)])
    }

    /// The difference, wrapping.
    pub fn difference(&mut self, a: TermId, b: TermId) -> TermId {
        self.linear(&[(a, 1), (b, u128::MAX)])
    }

    /// A binary operator on two terms of the same width (of any for [`BinaryOp::Concat`]).
    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(b);
        assert!(op == BinaryOp::Concat || self.width(a) == width, "operands of different widths");
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            let result = match op {
                BinaryOp::Concat => self.width(a) + width,
                _ if op.is_comparison() => 1,
                _ => width,
            };
            return self.constant(result, evaluate::binary(op, width, x, y));
        }
        let (a, b) = if op.is_commutative() { self.sorted(a, b) } else { (a, b) };
        match op {
            BinaryOp::And => self.and(a, b),
            BinaryOp::Or => self.or(a, b),
            BinaryOp::Xor => self.xor(a, b),
            BinaryOp::Add => self.sum(a, b),
            BinaryOp::Mul => self.product(a, b),
            BinaryOp::UDiv | BinaryOp::URem => self.quotient(op, a, b),
            BinaryOp::SDiv | BinaryOp::SRem => self.signed_quotient(op, a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.shift(op, a, b),
            BinaryOp::Eq => self.equality(a, b),
            BinaryOp::ULt => self.unsigned_less(a, b),
            BinaryOp::SLt => self.signed_less(a, b),
            BinaryOp::Concat => self.concat(a, b),
        }
    }

    /// Equality, as a condition.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// Order of signed or unsigned numbers, as a condition.
    pub fn less(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        self.binary(if is_signed { BinaryOp::SLt } else { BinaryOp::ULt }, a, b)
    }

    /// Conjunction of two conditions, or of the bits of two terms.
    pub fn conjunction(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::And, a, b)
    }

    /// Disjunction of two conditions, or of the bits of two terms.
    pub fn disjunction(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Or, a, b)
    }

    /// The disjunction of conditions.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = TermId>) -> TermId {
        conditions.into_iter().fold(FALSE, |all, one| self.disjunction(all, one))
    }

    /// The disjunction of conditions, as a balanced tree.
    pub fn balanced(&mut self, mut conditions: Vec<TermId>) -> TermId {
        while conditions.len() > 1 {
            let pairs = conditions.chunks(2);
            conditions =
                pairs.map(|pair| if let [a, b] = *pair { self.disjunction(a, b) } else { pair[0] }).collect();
        }
        conditions.pop().unwrap_or(FALSE)
    }

    /// A choice by a condition.
    pub fn choose(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        assert!(self.width(condition) == 1 && self.width(a) == self.width(b), "a choice between widths");
        if let Term::Not(inner) = self.get(condition) {
            return self.choose(inner, b, a);
        }
        let under = |terms: &Terms, term: TermId, then: bool| match terms.get(term) {
            Term::If(same, x, y) if same == condition => [y, x][usize::from(then)],
            _ => term,
        };
        let (a, b) = (under(self, a, true), under(self, b, false));
        match (condition, a, b) {
            (TRUE, ..) => a,
            (FALSE, ..) => b,
            _ if a == b => a,
            (_, TRUE, _) => self.disjunction(condition, b),
            (_, _, FALSE) => self.conjunction(condition, a),
            (_, FALSE, _) => {
                let not = self.not(condition);
                self.conjunction(not, b)
            }
            (_, _, TRUE) => {
                let not = self.not(condition);
                self.disjunction(not, a)
            }
            _ => self.add(Term::If(condition, a, b), self.width(a)),
        }
    }

    /// `width` bits of a term from the position `low` on.
    pub fn extract(&mut self, low: u8, width: u8, a: TermId) -> TermId {
        let of = self.width(a);
        assert!(u16::from(low) + u16::from(width) <= u16::from(of), "bits beyond the width");
        if width == of {
            return a;
        }
        match self.get(a) {
            Term::Const(value) => self.constant(width, value >> low),
            Term::Extract(more, inner) => self.extract(low + more, width, inner),
            Term::Binary(BinaryOp::Concat, high, lower) => {
                let split = self.width(lower);
                if low + width <= split {
                    self.extract(low, width, lower)
                } else if low >= split {
                    self.extract(low - split, width, high)
                } else {
                    let high = self.extract(0, low + width - split, high);
                    let lower = self.extract(low, split - low, lower);
                    self.binary(BinaryOp::Concat, high, lower)
                }
            }
            Term::ZeroExtend(inner) | Term::SignExtend(inner) if low + width <= self.width(inner) => {
                self.extract(low, width, inner)
            }
            Term::ZeroExtend(inner) if low >= self.width(inner) => self.constant(width, 0),
            Term::ZeroExtend(inner) if low == 0 => self.zero_extend(width, inner),
            Term::SignExtend(inner) if low == 0 => self.sign_extend(width, inner),
            // The low bits of a sum or product depend on the low bits of the operands.
            Term::Neg(inner) if low == 0 => {
                let inner = self.extract(0, width, inner);
                self.neg(inner)
            }
            Term::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), x, y) if low == 0 => {
                let (x, y) = (self.extract(0, width, x), self.extract(0, width, y));
                self.binary(op, x, y)
            }
            _ => self.add(Term::Extract(low, a), width),
        }
    }

    /// Extended by bits that are 0.
    pub fn zero_extend(&mut self, width: u8, a: TermId) -> TermId {
        assert!(width >= self.width(a), "an extension is not narrower");
        match self.get(a) {
            _ if width == self.width(a) => a,
            Term::Const(value) => self.constant(width, value),
            Term::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ => self.add(Term::ZeroExtend(a), width),
        }
    }

    /// Extended by copies of the sign.
    pub fn sign_extend(&mut self, width: u8, a: TermId) -> TermId {
        let of = self.width(a);
        assert!(width >= of, "an extension is not narrower");
        match self.get(a) {
            _ if width == of => a,
            Term::Const(value) => self.constant(width, signed(of, value) as u128),
            Term::SignExtend(inner) => self.sign_extend(width, inner),
            Term::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ => self.add(Term::SignExtend(a), width),
        }
    }

    /// The number that a term denotes, signed or not, in this width: extended, or truncated.
    pub fn resize(&mut self, is_signed: bool, width: u8, a: TermId) -> TermId {
        match (width <= self.width(a), is_signed) {
            (true, _) => self.extract(0, width, a),
            (_, true) => self.sign_extend(width, a),
            (_, false) => self.zero_extend(width, a),
        }
    }

    /// Whether a sum, difference or product of two terms of at most 64 bits does not fit their width:
    /// computed in twice the width.
    pub fn overflows(&mut self, op: BinaryOp, is_signed: bool, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (x, y) = (self.resize(is_signed, 2 * width, a), self.resize(is_signed, 2 * width, b));
        let exact = self.binary(op, x, y);
        let wrapped = self.extract(0, width, exact);
        let extended = self.resize(is_signed, 2 * width, wrapped);
        let fits = self.equal(exact, extended);
        self.not(fits)
    }

    /// Two operands in the order in which a table has them, a constant last.
    fn sorted(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let key = |term| (self.value(term).is_some(), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    fn is_negation(&self, a: TermId, b: TermId) -> bool {
        self.get(a) == Term::Not(b) || self.get(b) == Term::Not(a)
    }

    /// Whether one of the operands of a conjunction or disjunction is this term.
    fn has_operand(&self, op: BinaryOp, of: TermId, term: TermId) -> bool {
        matches!(self.get(of), Term::Binary(same, x, y) if same == op && (x == term || y == term))
    }

    fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.value(b) {
            Some(0) => return b,
            Some(value) if value == mask(width) => return a,
            Some(value) if value & (value + 1) == 0 => {
                let low = self.extract(0, value.count_ones() as u8, a);
                return self.zero_extend(width, low);
            }
            _ => {}
        }
        if a == b || self.has_operand(BinaryOp::And, a, b) || self.has_operand(BinaryOp::Or, b, a) {
            return a;
        }
        if self.has_operand(BinaryOp::And, b, a) || self.has_operand(BinaryOp::Or, a, b) {
            return b;
        }
        if self.is_negation(a, b) {
            return self.constant(width, 0);
        }
        self.add(Term::Binary(BinaryOp::And, a, b), width)
    }

    fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.value(b) {
            Some(0) => return a,
            Some(value) if value == mask(width) => return b,
            _ => {}
        }
        if a == b || self.has_operand(BinaryOp::Or, a, b) || self.has_operand(BinaryOp::And, b, a) {
            return a;
        }
        if self.has_operand(BinaryOp::Or, b, a) || self.has_operand(BinaryOp::And, a, b) {
            return b;
        }
        if self.is_negation(a, b) {
            return self.constant(width, u128::MAX);
        }
        self.add(Term::Binary(BinaryOp::Or, a, b), width)
    }

    fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.value(b) {
            Some(0) => return a,
            Some(value) if value == mask(width) => return self.not(a),
            _ => {}
        }
        if a == b {
            return self.constant(width, 0);
        }
        if self.is_negation(a, b) {
            return self.constant(width, u128::MAX);
        }
        self.add(Term::Binary(BinaryOp::Xor, a, b), width)
    }

    /// The sum of terms with coefficients: like terms are collected, the others sorted.
    fn linear(&mut self, summands: &[(TermId, u128)]) -> TermId {
        let width = self.width(summands[0].0);
        assert!(summands.iter().all(|(term, _)| self.width(*term) == width), "operands of different widths");
        let (mut leaves, mut rest) = (Vec::new(), 0u128);
        for (term, factor) in summands {
            let before = (leaves.len(), rest);
            if !self.collect(*term, *factor, &mut leaves, &mut rest) {
                leaves.truncate(before.0);
                rest = before.1;
                leaves.push((*term, *factor));
            }
        }
        self.built(width, merged(width, leaves), rest)
    }

    /// The sum of terms with coefficients and a number.
    pub(crate) fn built(&mut self, width: u8, leaves: Vec<(TermId, u128)>, rest: u128) -> TermId {
        let mut sum: Option<TermId> = None;
        let mut with = |terms: &mut Terms, next: TermId| {
            sum = Some(match sum {
                None => next,
                Some(before) => terms.add(Term::Binary(BinaryOp::Add, before, next), width),
            });
        };
        for (term, factor) in leaves {
            let next = self.scaled(term, factor);
            with(self, next);
        }
        if rest & mask(width) != 0 {
            let next = self.constant(width, rest);
            with(self, next);
        }
        sum.unwrap_or_else(|| self.constant(width, 0))
    }

    /// The summands of a difference of terms with their coefficients, and a number; none if they are too
    /// many.
    pub(crate) fn difference_form(
        &self,
        a: TermId,
        b: Option<TermId>,
    ) -> Option<(Vec<(TermId, u128)>, u128)> {
        let (mut leaves, mut rest) = (Vec::new(), 0u128);
        let few = self.collect(a, 1, &mut leaves, &mut rest)
            && b.is_none_or(|b| self.collect(b, u128::MAX, &mut leaves, &mut rest));
        let width = self.width(a);
        few.then(|| (merged(width, leaves), rest & mask(width)))
    }

    /// Adds the summands of a term to a linear form; returns whether they are few enough.
    fn collect(&self, term: TermId, factor: u128, leaves: &mut Vec<(TermId, u128)>, rest: &mut u128) -> bool {
        match self.get(term) {
            Term::Const(value) => *rest = rest.wrapping_add(value.wrapping_mul(factor)),
            Term::Neg(a) => return self.collect(a, factor.wrapping_neg(), leaves, rest),
            Term::Binary(BinaryOp::Add, a, b) => {
                return self.collect(a, factor, leaves, rest) && self.collect(b, factor, leaves, rest);
            }
            Term::Binary(BinaryOp::Mul, a, b) if self.value(b).is_some() => {
                let scale = self.value(b).unwrap_or_default();
                leaves.push((a, factor.wrapping_mul(scale)));
            }
            _ => leaves.push((term, factor)),
        }
        leaves.len() <= MOST_LINEAR
    }

    /// A term multiplied by a number other than 0.
    fn scaled(&mut self, term: TermId, factor: u128) -> TermId {
        let width = self.width(term);
        if factor == 1 {
            return term;
        }
        if factor == mask(width) {
            return self.add(Term::Neg(term), width);
        }
        let factor = self.constant(width, factor);
        self.add(Term::Binary(BinaryOp::Mul, term, factor), width)
    }

    fn product(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(factor) = self.value(b) {
            return self.linear(&[(a, factor)]);
        }
        match (self.get(a), self.get(b)) {
            (Term::Neg(x), Term::Neg(y)) => self.binary(BinaryOp::Mul, x, y),
            (Term::Neg(x), _) => {
                let product = self.binary(BinaryOp::Mul, x, b);
                self.neg(product)
            }
            (_, Term::Neg(y)) => {
                let product = self.binary(BinaryOp::Mul, a, y);
                self.neg(product)
            }
            _ => self.add(Term::Binary(BinaryOp::Mul, a, b), self.width(a)),
        }
    }

    fn quotient(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.value(b) {
            Some(0) if op == BinaryOp::UDiv => return self.constant(width, u128::MAX),
            Some(0) => return a,
            Some(value) if value.is_power_of_two() => {
                let bits = value.trailing_zeros() as u8;
                let (low, kept) = if op == BinaryOp::UDiv { (bits, width - bits) } else { (0, bits) };
                if kept == 0 {
                    return self.constant(width, 0);
                }
                let part = self.extract(low, kept, a);
                return self.zero_extend(width, part);
            }
            _ => {}
        }
        self.add(Term::Binary(op, a, b), width)
    }

    fn signed_quotient(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match (self.value(b), op) {
            (Some(0), BinaryOp::SRem) => return a,
            // In one bit, 1 is the number -1.
            (Some(1), BinaryOp::SDiv) => return a,
            (Some(1), _) => return self.constant(width, 0),
            _ => {}
        }
        self.add(Term::Binary(op, a, b), width)
    }

    fn shift(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let Some(amount) = self.value(b) else {
            return if self.value(a) == Some(0) { a } else { self.add(Term::Binary(op, a, b), width) };
        };
        if amount == 0 {
            return a;
        }
        if amount >= u128::from(width) {
            return match op {
                BinaryOp::AShr => {
                    let sign = self.extract(width - 1, 1, a);
                    self.sign_extend(width, sign)
                }
                _ => self.constant(width, 0),
            };
        }
        let amount = amount as u8;
        match op {
            BinaryOp::Shl => {
                let (kept, zero) = (self.extract(0, width - amount, a), self.constant(amount, 0));
                self.binary(BinaryOp::Concat, kept, zero)
            }
            _ => {
                let kept = self.extract(amount, width - amount, a);
                self.resize(op == BinaryOp::AShr, width, kept)
            }
        }
    }

    fn concat(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a) + self.width(b);
        if self.value(a) == Some(0) {
            return self.zero_extend(width, b);
        }
        if let (Term::Extract(high, x), Term::Extract(low, y)) = (self.get(a), self.get(b))
            && x == y
            && high == low + self.width(b)
        {
            return self.extract(low, width, x);
        }
        self.add(Term::Binary(BinaryOp::Concat, a, b), width)
    }

    fn equality(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TRUE;
        }
        if self.is_negation(a, b) {
            return FALSE;
        }
        let width = self.width(a);
        if let Some(value) = self.value(b) {
            match self.get(a) {
                _ if width == 1 => return if value == 1 { a } else { self.not(a) },
                Term::ZeroExtend(inner) => {
                    let narrow = self.width(inner);
                    return match value >> narrow {
                        0 => self.equal_value(inner, value),
                        _ => FALSE,
                    };
                }
                Term::SignExtend(inner) => {
                    let narrow = self.width(inner);
                    let fits = signed(narrow, value & mask(narrow)) == signed(width, value);
                    return if fits { self.equal_value(inner, value) } else { FALSE };
                }
                Term::Not(inner) => return self.equal_value(inner, !value),
                Term::Neg(inner) => return self.equal_value(inner, value.wrapping_neg()),
                Term::Binary(BinaryOp::Add, x, y) if self.value(y).is_some() => {
                    let more = self.value(y).unwrap_or_default();
                    return self.equal_value(x, value.wrapping_sub(more));
                }
                Term::If(condition, x, y) if self.value(x).is_some() || self.value(y).is_some() => {
                    let (x, y) = (self.equal_value(x, value), self.equal_value(y, value));
                    return self.choose(condition, x, y);
                }
                _ => {}
            }
        }
        if let Some(equal) = self.cancelled(a, b) {
            return equal;
        }
        match (self.get(a), self.get(b)) {
            (Term::Not(x), Term::Not(y)) | (Term::Neg(x), Term::Neg(y)) => self.equal(x, y),
            (Term::ZeroExtend(x), Term::ZeroExtend(y)) | (Term::SignExtend(x), Term::SignExtend(y))
                if self.width(x) == self.width(y) =>
            {
                self.equal(x, y)
            }
            _ => self.add(Term::Binary(BinaryOp::Eq, a, b), 1),
        }
    }

    /// The equality of sums without the summands that both have; none if they have none in common.
    fn cancelled(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let is_sum = |term| matches!(self.get(term), Term::Neg(_) | Term::Binary(BinaryOp::Add, ..));
        if !is_sum(a) && !is_sum(b) {
            return None;
        }
        let width = self.width(a);
        let (own, _) = self.difference_form(a, None)?;
        let (theirs, _) = self.difference_form(b, None)?;
        let (leaves, rest) = self.difference_form(a, Some(b))?;
        if leaves.len() == own.len() + theirs.len() {
            return None;
        }
        let is_negative = |factor: &u128| factor >> (width - 1) & 1 == 1;
        let (right, left): (Vec<_>, Vec<_>) = leaves.into_iter().partition(|(_, factor)| is_negative(factor));
        let right = right.into_iter().map(|(term, factor)| (term, factor.wrapping_neg() & mask(width)));
        let left = self.built(width, left, rest);
        let right = self.built(width, right.collect(), 0);
        Some(self.equal(left, right))
    }

    fn equal_value(&mut self, a: TermId, value: u128) -> TermId {
        let value = self.constant(self.width(a), value);
        self.equal(a, value)
    }

    fn unsigned_less(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return FALSE;
        }
        match (self.value(a), self.value(b)) {
            (_, Some(0)) => return FALSE,
            (_, Some(1)) => return self.equal_value(a, 0),
            (Some(0), _) => {
                let is_zero = self.equal_value(b, 0);
                return self.not(is_zero);
            }
            (Some(value), _) if value == mask(width) => return FALSE,
            _ => {}
        }
        match (self.get(a), self.get(b)) {
            (Term::ZeroExtend(x), Term::ZeroExtend(y)) => {
                let narrow = self.width(x).max(self.width(y));
                let (x, y) = (self.zero_extend(narrow, x), self.zero_extend(narrow, y));
                self.less(false, x, y)
            }
            (Term::ZeroExtend(x), Term::Const(value)) => {
                let narrow = self.width(x);
                if value > mask(narrow) {
                    return TRUE;
                }
                let value = self.constant(narrow, value);
                self.less(false, x, value)
            }
            (Term::Const(value), Term::ZeroExtend(y)) => {
                let narrow = self.width(y);
                if value >= mask(narrow) {
                    return FALSE;
                }
                let value = self.constant(narrow, value);
                self.less(false, value, y)
            }
            _ => self.add(Term::Binary(BinaryOp::ULt, a, b), 1),
        }
    }

    fn signed_less(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return FALSE;
        }
        let least = 1u128 << (width - 1);
        if self.value(b) == Some(least) || self.value(a) == Some(least - 1) {
            return FALSE;
        }
        let is_natural = |terms: &Terms, term| match terms.get(term) {
            Term::ZeroExtend(_) => true,
            Term::Const(value) => value < least,
            _ => false,
        };
        if is_natural(self, a) && is_natural(self, b) {
            return self.less(false, a, b);
        }
        if let (Term::SignExtend(x), Term::SignExtend(y)) = (self.get(a), self.get(b)) {
            let narrow = self.width(x).max(self.width(y));
            let (x, y) = (self.sign_extend(narrow, x), self.sign_extend(narrow, y));
            return self.less(true, x, y);
        }
        self.add(Term::Binary(BinaryOp::SLt, a, b), 1)
    }
}

/// Summands with different terms, without those whose coefficients are 0.
fn merged(width: u8, mut leaves: Vec<(TermId, u128)>) -> Vec<(TermId, u128)> {
    leaves.sort_unstable();
    let mut merged: Vec<(TermId, u128)> = Vec::new();
    for (term, factor) in leaves {
        match merged.last_mut() {
            Some((last, sum)) if *last == term => *sum = sum.wrapping_add(factor) & mask(width),
            _ => merged.push((term, factor & mask(width))),
        }
    }
    merged.retain(|(_, factor)| *factor != 0);
    merged
}
