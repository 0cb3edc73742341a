//! Terms of a relation as bit vectors.
//!
//! A term of a relation is a whole number with a range; its word has as many bits as the range needs. A
//! sum, difference or product is computed in the width of its result, since its low bits depend on the
//! low bits of the operands only; an order or quotient in a width that contains both operands.
//!
//! *Entry point:* [`Lowering::word`].
//! *Invariant:* the number that a word denotes is the value of the term in every state.

use axle_model::{BinOp, IntType, UnOp};
use axle_relation::{Range, Term as Source, TermId as SourceId, Terms as Sources};

use crate::term::{BinaryOp, FALSE, TermId, Terms};

/// A number as a bit vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The bits.
    pub term: TermId,
    /// Whether the highest bit is a sign.
    pub is_signed: bool,
}

/// The words of the terms of a relation.
#[derive(Debug)]
pub struct Lowering<'r> {
    sources: &'r Sources,
    variables: Vec<Word>,
    words: Vec<Option<Word>>,
}

/// The number of bits of a range, and whether it has negative numbers.
pub fn shape((low, high): Range) -> (u8, bool) {
    let bits = |value: i64| 64 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
    if low >= 0 { (bits(high).max(1) as u8, false) } else { (bits(low).max(bits(high)) as u8 + 1, true) }
}

/// How the values of a type are represented: unsigned numbers of 64 bits by signed ones.
pub fn is_signed(ty: IntType) -> bool {
    ty.signed || ty.bits == 64
}

impl<'r> Lowering<'r> {
    /// For words of the variables.
    pub fn new(sources: &'r Sources, variables: Vec<Word>) -> Lowering<'r> {
        Lowering { sources, variables, words: vec![None; sources.len()] }
    }

    /// The word of a term.
    pub fn word(&mut self, terms: &mut Terms, root: SourceId) -> Word {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            let before = stack.len();
            if self.words[id.index()].is_none() {
                self.sources.operands(id, |operand| {
                    if self.words[operand.index()].is_none() {
                        stack.push(operand);
                    }
                });
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.words[id.index()].is_none() {
                self.words[id.index()] = Some(self.translate(terms, id));
            }
        }
        self.of(root)
    }

    /// The condition that a term is.
    pub fn condition(&mut self, terms: &mut Terms, root: SourceId) -> TermId {
        let word = self.word(terms, root);
        truth(terms, word)
    }

    /// A term as a value of some bits.
    pub fn value(&mut self, terms: &mut Terms, root: SourceId, width: u8) -> TermId {
        let word = self.word(terms, root);
        resized(terms, word, width)
    }

    fn of(&self, id: SourceId) -> Word {
        self.words[id.index()].expect("operands are translated first")
    }

    fn translate(&self, terms: &mut Terms, id: SourceId) -> Word {
        let range = self.sources.range(id);
        let (width, is_signed) = shape(range);
        let of = |operand| self.of(operand);
        let term = match self.sources.get(id) {
            Source::Const(value) => terms.constant(width, value as u128),
            Source::Variable(variable) => resized(terms, self.variables[variable.index()], width),
            Source::Unary(UnOp::Not, _, a) => {
                let truth = truth(terms, of(a));
                terms.not(truth)
            }
            Source::Unary(UnOp::Neg, _, a) => {
                let a = resized(terms, of(a), width);
                terms.neg(a)
            }
            Source::Unary(UnOp::BitNot, _, a) => {
                let a = resized(terms, of(a), width);
                terms.not(a)
            }
            Source::Wrap(_, a) => resized(terms, of(a), width),
            Source::And(a, b) | Source::Or(a, b) => {
                let (x, y) = (truth(terms, of(a)), truth(terms, of(b)));
                match self.sources.get(id) {
                    Source::And(..) => terms.conjunction(x, y),
                    _ => terms.disjunction(x, y),
                }
            }
            Source::If(condition, a, b) => {
                let condition = truth(terms, of(condition));
                let (a, b) = (resized(terms, of(a), width), resized(terms, of(b), width));
                terms.choose(condition, a, b)
            }
            Source::Binary(op, ty, a, b) => {
                let operands = Operands {
                    ty,
                    a: of(a),
                    b: of(b),
                    ranges: (self.sources.range(a), self.sources.range(b)),
                };
                operands.binary(terms, op, width)
            }
        };
        Word { term, is_signed }
    }
}

fn resized(terms: &mut Terms, word: Word, width: u8) -> TermId {
    terms.resize(word.is_signed, width, word.term)
}

/// Whether a number is not 0.
fn truth(terms: &mut Terms, word: Word) -> TermId {
    let width = terms.width(word.term);
    if width == 1 {
        return word.term;
    }
    let zero = terms.constant(width, 0);
    let is_zero = terms.equal(word.term, zero);
    terms.not(is_zero)
}

/// The operands of a binary operator of a type.
struct Operands {
    ty: IntType,
    a: Word,
    b: Word,
    ranges: (Range, Range),
}

impl Operands {
    /// The lowest `width` bits of the result.
    fn binary(&self, terms: &mut Terms, op: BinOp, width: u8) -> TermId {
        let low = |terms: &mut Terms, word| resized(terms, word, width);
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                let (a, b) = (low(terms, self.a), low(terms, self.b));
                match op {
                    BinOp::Add => terms.sum(a, b),
                    BinOp::Sub => terms.difference(a, b),
                    BinOp::Mul => terms.binary(BinaryOp::Mul, a, b),
                    BinOp::BitAnd => terms.binary(BinaryOp::And, a, b),
                    BinOp::BitOr => terms.binary(BinaryOp::Or, a, b),
                    _ => terms.binary(BinaryOp::Xor, a, b),
                }
            }
            BinOp::Shl => {
                let a = low(terms, self.a);
                let amount = self.amount(terms, width);
                terms.binary(BinaryOp::Shl, a, amount)
            }
            BinOp::Shr => {
                let (is_signed, of) = match self.is_wide() {
                    true => (false, 64),
                    false => (self.a.is_signed, terms.width(self.a.term)),
                };
                // Wide enough for the amount and for the bits that are kept.
                let of = of.max(width);
                let a = resized(terms, self.a, of);
                let amount = self.amount(terms, of);
                let op = if is_signed { BinaryOp::AShr } else { BinaryOp::LShr };
                let shifted = terms.binary(op, a, amount);
                terms.extract(0, width, shifted)
            }
            BinOp::Div | BinOp::Rem => self.quotient(terms, op, width),
            BinOp::Eq | BinOp::Ne => {
                let (_, a, b) = self.common(terms, 0);
                let equal = terms.equal(a, b);
                if op == BinOp::Eq { equal } else { terms.not(equal) }
            }
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => {
                let (is_signed, a, b) = self.ordered(terms, 0);
                let (a, b) = if matches!(op, BinOp::Lt | BinOp::Ge) { (a, b) } else { (b, a) };
                let less = terms.less(is_signed, a, b);
                if matches!(op, BinOp::Lt | BinOp::Gt) { less } else { terms.not(less) }
            }
        }
    }

    /// Whether values are compared and divided as unsigned numbers of 64 bits.
    fn is_wide(&self) -> bool {
        !self.ty.signed && self.ty.bits == 64
    }

    /// Both operands in a width that contains both and `more` bits, and whether it has a sign.
    fn common(&self, terms: &mut Terms, more: u8) -> (bool, TermId, TermId) {
        let (x, y) = self.ranges;
        let (width, is_signed) = shape((x.0.min(y.0), x.1.max(y.1)));
        let (a, b) = (resized(terms, self.a, width + more), resized(terms, self.b, width + more));
        (is_signed, a, b)
    }

    /// The same for an order or quotient, in which numbers of 64 bits may have no sign.
    fn ordered(&self, terms: &mut Terms, more: u8) -> (bool, TermId, TermId) {
        let (x, y) = self.ranges;
        if self.is_wide() && (x.0 < 0 || y.0 < 0) {
            return (false, resized(terms, self.a, 64), resized(terms, self.b, 64));
        }
        self.common(terms, more)
    }

    /// The amount of a shift in some width: its lowest 5 bits, or 6 for wide types.
    fn amount(&self, terms: &mut Terms, width: u8) -> TermId {
        let bits = if self.ty.bits > 32 { 6 } else { 5 };
        let low = resized(terms, self.b, bits);
        if width >= bits {
            return terms.zero_extend(width, low);
        }
        // An amount that does not fit shifts everything out.
        let most = terms.constant(bits, (1 << width) - 1);
        let is_beyond = terms.less(false, most, low);
        let (all, kept) = (terms.constant(width, u128::MAX), terms.extract(0, width, low));
        terms.choose(is_beyond, all, kept)
    }

    fn quotient(&self, terms: &mut Terms, op: BinOp, width: u8) -> TermId {
        // One bit more: the quotient of the least number by -1 fits.
        let (is_signed, a, b) = self.ordered(terms, 1);
        let op = match (op, is_signed) {
            (BinOp::Div, true) => BinaryOp::SDiv,
            (BinOp::Div, false) => BinaryOp::UDiv,
            (_, true) => BinaryOp::SRem,
            (_, false) => BinaryOp::URem,
        };
        let zero = terms.constant(terms.width(b), 0);
        let by_zero = terms.equal(b, zero);
        let result = terms.binary(op, a, b);
        let none = terms.constant(terms.width(b), 0);
        let result = if by_zero == FALSE { result } else { terms.choose(by_zero, none, result) };
        terms.resize(is_signed, width, result)
    }
}

#[cfg(test)]
mod tests {
    use axle_model::eval;

    use super::*;
    use crate::evaluate;

    /// Every operator in many types, with operands of other types, on special values.
    #[test]
    fn operators_of_every_type() {
        let ops = {
            use BinOp::{Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub};
            [Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le, Gt, Ge]
        };
        let types: Vec<_> = [1, 3, 8, 16, 32, 33, 64]
            .into_iter()
            .flat_map(|bits| [true, false].map(|signed| IntType { bits, signed }))
            .collect();
        let mut compared = 0;
        for of in &types {
            for other in &types {
                let mut sources = Sources::new([*of, *other], 1 << 20);
                let (a, b) = (
                    sources.variable(axle_relation::VariableId(0)),
                    sources.variable(axle_relation::VariableId(1)),
                );
                let roots: Vec<_> = types
                    .iter()
                    .flat_map(|ty| ops.map(|op| (op, *ty)))
                    .map(|(op, ty)| sources.binary(op, ty, a, b))
                    .collect();
                let mut terms = Terms::new();
                let variables = [of, other]
                    .map(|ty| Word { term: terms.variable(ty.bits), is_signed: is_signed(*ty) })
                    .to_vec();
                let mut lowering = Lowering::new(&sources, variables);
                let words: Vec<_> = roots.iter().map(|root| lowering.word(&mut terms, *root)).collect();
                for (x, y) in samples(*of).into_iter().flat_map(|x| samples(*other).map(|y| (x, y))) {
                    let bits = |ty: &IntType, value: i64| value as u128 & crate::term::mask(ty.bits);
                    let values = terms.evaluate(&[bits(of, x), bits(other, y)]);
                    let cases = types.iter().flat_map(|ty| ops.map(|op| (op, *ty)));
                    for ((op, ty), word) in cases.zip(&words) {
                        let expected = eval::binary(op, ty, x, y).unwrap_or(0);
                        let value = values[word.term.index()];
                        let width = terms.width(word.term);
                        let value = match word.is_signed {
                            true => crate::term::signed(width, value) as i64,
                            false => value as i64,
                        };
                        assert_eq!(value, expected, "{op:?} {ty:?} of {x} ({of:?}) and {y} ({other:?})");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 1_000_000, "{compared}");
        assert_eq!(evaluate::binary(BinaryOp::Eq, 8, 3, 3), 1);
    }

    fn samples(ty: IntType) -> [i64; 8] {
        [0, 1, 2, 7, -1, -3, i64::MIN, 0x5a5a_7fff_8000_1234].map(|value| ty.wrap(value))
    }
}
