//! Bit-vector terms of 1 to 64 bits, and wider ones (up to 128 bits) for computations that must not
//! overflow, in a table in which equal terms occur once.
//!
//! A term has no sign; operators that depend on one exist in two forms, as in SMT-LIB. The quotient by
//! 0 has all bits set and the remainder by 0 is the dividend; a shift by the width or more leaves 0 or
//! copies of the sign. Terms of width 1 are conditions. The constructors simplify (`rewrite.rs`).
//!
//! *Entry point:* [`Terms`].
//! *Source:* Barrett, Fontaine and Tinelli, "The SMT-LIB Standard", theory FixedSizeBitVectors.
//! *Invariant:* the operands of a term precede it. Equal terms have equal numbers.

use axle_relation::post_order;
use rustc_hash::FxHashMap;

/// The largest width of a term.
pub const MOST_BITS: u8 = 128;

/// A term: an index into [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position in the table.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A binary operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    /// Bitwise conjunction.
    And,
    /// Bitwise disjunction.
    Or,
    /// Bitwise exclusive disjunction.
    Xor,
    /// Sum, wrapping.
    Add,
    /// Product, wrapping.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Unsigned remainder.
    URem,
    /// Signed quotient, rounded towards 0.
    SDiv,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Shift to the left.
    Shl,
    /// Shift to the right that fills with 0.
    LShr,
    /// Shift to the right that fills with the sign.
    AShr,
    /// Equality, of width 1.
    Eq,
    /// Unsigned order, of width 1.
    ULt,
    /// Signed order, of width 1.
    SLt,
    /// The first operand in the high bits, the second in the low bits.
    Concat,
}

impl BinaryOp {
    /// Whether the operands can be exchanged.
    #[must_use]
    pub fn is_commutative(self) -> bool {
        use BinaryOp::{Add, And, Eq, Mul, Or, Xor};
        matches!(self, And | Or | Xor | Add | Mul | Eq)
    }

    /// Whether the result is a condition.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::ULt | BinaryOp::SLt)
    }
}

/// A bit vector as a function of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A number.
    Const(u128),
    /// A variable, by its number.
    Variable(u32),
    /// Each bit inverted.
    Not(TermId),
    /// The negative, wrapping.
    Neg(TermId),
    /// A binary operator.
    Binary(BinaryOp, TermId, TermId),
    /// The second operand where the first, a condition, is 1, otherwise the third.
    If(TermId, TermId, TermId),
    /// The bits from this position on, as many as the term is wide.
    Extract(u8, TermId),
    /// Extended by bits that are 0.
    ZeroExtend(TermId),
    /// Extended by copies of the sign.
    SignExtend(TermId),
}

impl Term {
    /// Calls `see` on the operands.
    pub fn operands(&self, mut see: impl FnMut(TermId)) {
        match *self {
            Term::Const(_) | Term::Variable(_) => {}
            Term::Not(a) | Term::Neg(a) | Term::Extract(_, a) | Term::ZeroExtend(a) | Term::SignExtend(a) => {
                see(a);
            }
            Term::Binary(_, a, b) => [a, b].into_iter().for_each(see),
            Term::If(a, b, c) => [a, b, c].into_iter().for_each(see),
        }
    }

    /// The same operator with other operands.
    #[must_use]
    pub fn map(self, of: impl Fn(TermId) -> TermId) -> Term {
        match self {
            Term::Const(_) | Term::Variable(_) => self,
            Term::Not(a) => Term::Not(of(a)),
            Term::Neg(a) => Term::Neg(of(a)),
            Term::Extract(low, a) => Term::Extract(low, of(a)),
            Term::ZeroExtend(a) => Term::ZeroExtend(of(a)),
            Term::SignExtend(a) => Term::SignExtend(of(a)),
            Term::Binary(op, a, b) => Term::Binary(op, of(a), of(b)),
            Term::If(a, b, c) => Term::If(of(a), of(b), of(c)),
        }
    }
}

/// The table of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    terms: Vec<Term>,
    widths: Vec<u8>,
    known: FxHashMap<(Term, u8), TermId>,
    variables: Vec<TermId>,
}

/// The condition that never holds.
pub const FALSE: TermId = TermId(0);
/// The condition that always holds.
pub const TRUE: TermId = TermId(1);

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// The table with the two conditions that are constant.
    #[must_use]
    pub fn new() -> Terms {
        let mut terms = Terms {
            terms: Vec::new(),
            widths: Vec::new(),
            known: FxHashMap::default(),
            variables: Vec::new(),
        };
        let constants = [terms.constant(1, 0), terms.constant(1, 1)];
        debug_assert_eq!(constants, [FALSE, TRUE]);
        terms
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether the table is empty; it never is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A term.
    #[must_use]
    pub fn get(&self, id: TermId) -> Term {
        self.terms[id.index()]
    }

    /// The number of bits of a term.
    #[must_use]
    pub fn width(&self, id: TermId) -> u8 {
        self.widths[id.index()]
    }

    /// The number that a term is, if it is one.
    #[must_use]
    pub fn value(&self, id: TermId) -> Option<u128> {
        match self.get(id) {
            Term::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The variables, in the order of their numbers.
    #[must_use]
    pub fn variables(&self) -> &[TermId] {
        &self.variables
    }

    /// A further variable of this width.
    pub fn variable(&mut self, width: u8) -> TermId {
        let number = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        let id = self.add(Term::Variable(number), width);
        self.variables.push(id);
        id
    }

    /// A number, of which the lowest bits count.
    pub fn constant(&mut self, width: u8, value: u128) -> TermId {
        self.add(Term::Const(value & mask(width)), width)
    }

    /// Adds a term as it is.
    pub(crate) fn add(&mut self, term: Term, width: u8) -> TermId {
        assert!((1..=MOST_BITS).contains(&width), "a term has 1 to {MOST_BITS} bits");
        if let Some(id) = self.known.get(&(term, width)) {
            return *id;
        }
        let id = TermId(u32::try_from(self.terms.len()).expect("fewer than 2^32 terms"));
        self.terms.push(term);
        self.widths.push(width);
        self.known.insert((term, width), id);
        id
    }

    /// Calls `see` on the operands of a term.
    pub fn operands(&self, id: TermId, see: impl FnMut(TermId)) {
        self.get(id).operands(see);
    }

    /// The terms that the result of `root` needs and that are not known, each after its operands.
    pub fn order(&self, root: TermId, is_known: impl Fn(TermId) -> bool) -> Vec<TermId> {
        post_order(root, is_known, |id, see| self.operands(id, see))
    }

    /// An operator on other operands, simplified; variables stay as they are.
    pub fn apply(&mut self, operator: Term, width: u8, of: impl Fn(TermId) -> TermId) -> TermId {
        match operator {
            Term::Const(value) => self.constant(width, value),
            Term::Variable(_) => self.add(operator, width),
            Term::Not(a) => self.not(of(a)),
            Term::Neg(a) => self.neg(of(a)),
            Term::Binary(op, a, b) => self.binary(op, of(a), of(b)),
            Term::If(condition, a, b) => self.choose(of(condition), of(a), of(b)),
            Term::Extract(low, a) => self.extract(low, width, of(a)),
            Term::ZeroExtend(a) => self.zero_extend(width, of(a)),
            Term::SignExtend(a) => self.sign_extend(width, of(a)),
        }
    }

    /// The terms that some terms consist of, themselves included, operands first.
    #[must_use]
    pub fn cone(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        let mut cone = Vec::new();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            cone.push(id);
            self.operands(id, |operand| stack.push(operand));
        }
        cone.sort_unstable();
        cone
    }
}

/// The number in which the lowest `width` bits are set.
#[must_use]
pub fn mask(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// A number of some width as a signed one.
#[must_use]
pub fn signed(width: u8, value: u128) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}
