//! Terms: the values of a step as functions of the state before it, in a table in which equal terms
//! occur once.
//!
//! Each term has a range, an interval that contains its values; a term whose range is one number is
//! that number. The constructors simplify, so that a fixed index, a constant channel or the number of
//! the executing process leaves no trace in the relation.
//!
//! *Entry points:* [`Terms::variable`] and the constructors after it; [`Terms::get`] and
//! [`Terms::range`] for readers.
//! *Invariant:* the operands of a term precede it. Equal terms have equal ids.

use axle_model::eval;
use axle_model::{BinOp, IntType, UnOp};
use rustc_hash::FxHashMap;

use crate::post_order::post_order;

/// A term: an index into [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u32);

impl TermId {
    /// The position in the table.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of the relation: an index into [`crate::Variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The position in the table.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value as a function of a state. A term is evaluated as a whole: it has no fault and no side
/// effect, and the quotient and the remainder by 0 are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A number.
    Const(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// A unary operator, as in [`axle_model::Expr::Unary`].
    Unary(UnOp, IntType, TermId),
    /// A binary operator, as in [`axle_model::Expr::Binary`].
    Binary(BinOp, IntType, TermId, TermId),
    /// The operand wrapped to a type.
    Wrap(IntType, TermId),
    /// Conjunction of two conditions (terms with values 0 and 1).
    And(TermId, TermId),
    /// Disjunction of two conditions.
    Or(TermId, TermId),
    /// The second operand where the first, a condition, holds, otherwise the third.
    If(TermId, TermId, TermId),
}

/// The type in which the relation compares values.
const WIDE: IntType = IntType { bits: 64, signed: true };

/// A closed interval.
pub type Range = (i64, i64);

/// The table of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    terms: Vec<Term>,
    ranges: Vec<Range>,
    known: FxHashMap<Term, TermId>,
    /// The range of each variable.
    variables: Vec<Range>,
    /// The most terms, without those that were spent.
    most: usize,
    /// Whether a term was refused, so that the others are worthless.
    is_full: bool,
}

/// The condition that never holds, and the number 0.
pub const FALSE: TermId = TermId(0);
/// The condition that always holds, and the number 1.
pub const TRUE: TermId = TermId(1);

impl Terms {
    /// The table with the two truth values, for variables of these types and at most `most` terms.
    #[must_use]
    pub fn new(variables: impl IntoIterator<Item = IntType>, most: usize) -> Terms {
        let mut terms = Terms {
            terms: Vec::new(),
            ranges: Vec::new(),
            known: FxHashMap::default(),
            variables: variables.into_iter().map(values).collect(),
            most: most.max(2),
            is_full: false,
        };
        let constants = [terms.number(0), terms.number(1)];
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

    /// Whether there are too many terms: some constructor has then returned a wrong term.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Gives up some of the terms that the table may have, for work that makes none; returns whether
    /// some are left.
    pub fn spend(&mut self, terms: usize) -> bool {
        self.most = self.most.saturating_sub(terms);
        self.is_full |= self.terms.len() >= self.most;
        !self.is_full
    }

    /// All terms in order: operands precede the terms that they belong to.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        (0..self.terms.len() as u32).map(TermId)
    }

    /// A term.
    #[must_use]
    pub fn get(&self, id: TermId) -> Term {
        self.terms[id.index()]
    }

    /// All terms, operands first.
    pub fn iter(&self) -> impl Iterator<Item = (TermId, Term)> + '_ {
        self.terms.iter().enumerate().map(|(index, term)| (TermId(index as u32), *term))
    }

    /// An interval that contains the values of a term.
    #[must_use]
    pub fn range(&self, id: TermId) -> Range {
        self.ranges[id.index()]
    }

    /// The number that a term is, if it is one.
    #[must_use]
    pub fn constant(&self, id: TermId) -> Option<i64> {
        match self.get(id) {
            Term::Const(value) => Some(value),
            _ => None,
        }
    }

    fn add(&mut self, term: Term, range: Range) -> TermId {
        let term = if range.0 == range.1 { Term::Const(range.0) } else { term };
        if let Some(id) = self.known.get(&term) {
            return *id;
        }
        if self.terms.len() >= self.most {
            self.is_full = true;
            return FALSE;
        }
        let id = TermId(u32::try_from(self.terms.len()).expect("a relation has fewer than 2^32 terms"));
        self.terms.push(term);
        self.ranges.push(range);
        self.known.insert(term, id);
        id
    }

    /// A number.
    pub fn number(&mut self, value: i64) -> TermId {
        self.add(Term::Const(value), (value, value))
    }

    /// The value of a variable.
    pub fn variable(&mut self, id: VariableId) -> TermId {
        self.add(Term::Variable(id), self.variables[id.index()])
    }

    /// A unary operator.
    pub fn unary(&mut self, op: UnOp, ty: IntType, a: TermId) -> TermId {
        let range = self.range(a);
        if let Some(value) = self.constant(a) {
            return self.number(eval::unary(op, ty, value));
        }
        match op {
            UnOp::Not if range == (0, 1) => self.not(a),
            UnOp::Not if range.0 > 0 || range.1 < 0 => FALSE,
            UnOp::Not => self.binary(BinOp::Eq, WIDE, a, FALSE),
            UnOp::Neg | UnOp::BitNot => self.add(Term::Unary(op, ty, a), values(ty)),
        }
    }

    /// The negation of a condition.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Const(value) => self.number(i64::from(value == 0)),
            Term::Unary(UnOp::Not, _, inner) => inner,
            _ => self.add(Term::Unary(UnOp::Not, IntType::BIT, a), (0, 1)),
        }
    }

    /// Whether a value is not 0, as a condition.
    pub fn truth(&mut self, a: TermId) -> TermId {
        let (low, high) = self.range(a);
        match (low, high) {
            (0, 1) | (0, 0) | (1, 1) => a,
            _ if low > 0 || high < 0 => TRUE,
            _ => {
                let is_zero = self.binary(BinOp::Eq, WIDE, a, FALSE);
                self.not(is_zero)
            }
        }
    }

    /// A binary operator; 0 for a division by 0.
    pub fn binary(&mut self, op: BinOp, ty: IntType, a: TermId, b: TermId) -> TermId {
        if let (Some(one), Some(other)) = (self.constant(a), self.constant(b)) {
            return self.number(eval::binary(op, ty, one, other).unwrap_or(0));
        }
        let (x, y) = (self.range(a), self.range(b));
        // An order of unsigned 64-bit numbers is not that of their representations.
        let ordered = ty.signed || ty.bits < 64;
        let range = match op {
            BinOp::Eq | BinOp::Ne => {
                let differ = x.1 < y.0 || y.1 < x.0;
                let known = if differ { Some(op == BinOp::Ne) } else { (a == b).then_some(op == BinOp::Eq) };
                known.map_or((0, 1), |value| (i64::from(value), i64::from(value)))
            }
            BinOp::Lt if ordered => order(x.1 < y.0, x.0 >= y.1 || a == b),
            BinOp::Gt if ordered => order(x.0 > y.1, x.1 <= y.0 || a == b),
            BinOp::Le if ordered => order(x.1 <= y.0 || a == b, x.0 > y.1),
            BinOp::Ge if ordered => order(x.0 >= y.1 || a == b, x.1 < y.0),
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge => (0, 1),
            BinOp::Add => within(ty, x.0.checked_add(y.0), x.1.checked_add(y.1)),
            BinOp::Sub => within(ty, x.0.checked_sub(y.1), x.1.checked_sub(y.0)),
            BinOp::BitAnd if x.0 >= 0 && y.0 >= 0 => within(ty, Some(0), Some(x.1.min(y.1))),
            _ => values(ty),
        };
        self.add(Term::Binary(op, ty, a, b), range)
    }

    /// Whether two values are equal.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        // Equality is symmetric: one order of the operands makes more terms equal.
        let (a, b) = if a < b { (b, a) } else { (a, b) };
        if self.range(a) == (0, 1) && b == TRUE {
            return a;
        }
        if self.range(a) == (0, 1) && b == FALSE {
            return self.not(a);
        }
        self.binary(BinOp::Eq, WIDE, a, b)
    }

    /// Whether a value is a number.
    pub fn is(&mut self, a: TermId, value: i64) -> TermId {
        let number = self.number(value);
        self.equal(a, number)
    }

    /// Whether a value is less than another.
    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Lt, WIDE, a, b)
    }

    /// The sum of two values that do not overflow.
    pub fn sum(&mut self, a: TermId, b: i64) -> TermId {
        let b = self.number(b);
        self.binary(BinOp::Add, WIDE, a, b)
    }

    /// The operand wrapped to a type.
    pub fn wrap(&mut self, ty: IntType, a: TermId) -> TermId {
        let (low, high) = self.range(a);
        let (least, most) = values(ty);
        if least <= low && high <= most {
            return a;
        }
        if let Some(value) = self.constant(a) {
            return self.number(ty.wrap(value));
        }
        self.add(Term::Wrap(ty, a), (least, most))
    }

    /// The conjunction of two conditions.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, other) | (other, TRUE) => other,
            _ if a == b => a,
            _ if self.is_negation(a, b) => FALSE,
            _ => self.add(Term::And(a.min(b), a.max(b)), (0, 1)),
        }
    }

    /// The disjunction of two conditions.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (TRUE, _) | (_, TRUE) => TRUE,
            (FALSE, other) | (other, FALSE) => other,
            _ if a == b => a,
            _ if self.is_negation(a, b) => TRUE,
            _ => self.add(Term::Or(a.min(b), a.max(b)), (0, 1)),
        }
    }

    fn is_negation(&self, a: TermId, b: TermId) -> bool {
        matches!(self.get(a), Term::Unary(UnOp::Not, _, inner) if inner == b)
            || matches!(self.get(b), Term::Unary(UnOp::Not, _, inner) if inner == a)
    }

    /// A choice by a condition.
    pub fn choose(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        match condition {
            TRUE => a,
            FALSE => b,
            _ if a == b => a,
            _ => {
                let (x, y) = (self.range(a), self.range(b));
                self.add(Term::If(condition, a, b), (x.0.min(y.0), x.1.max(y.1)))
            }
        }
    }

    /// Calls `see` on the operands of a term.
    pub fn operands(&self, id: TermId, mut see: impl FnMut(TermId)) {
        match self.get(id) {
            Term::Const(_) | Term::Variable(_) => {}
            Term::Unary(_, _, a) | Term::Wrap(_, a) => see(a),
            Term::Binary(_, _, a, b) | Term::And(a, b) | Term::Or(a, b) => [a, b].into_iter().for_each(see),
            Term::If(a, b, c) => [a, b, c].into_iter().for_each(see),
        }
    }

    /// The terms that the result of `root` needs and that are not known, each after its operands.
    pub fn order(&self, root: TermId, is_known: impl Fn(TermId) -> bool) -> Vec<TermId> {
        post_order(root, is_known, |id, see| self.operands(id, see))
    }

    /// The variables on which some terms depend, in ascending order.
    #[must_use]
    pub fn support(&self, roots: impl IntoIterator<Item = TermId>) -> Vec<VariableId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<TermId> = roots.into_iter().collect();
        let mut variables = Vec::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.get(id) {
                Term::Variable(variable) => variables.push(variable),
                _ => self.operands(id, |operand| stack.push(operand)),
            }
        }
        variables.sort_unstable();
        variables
    }
}

/// The values of a type. Unsigned 64-bit numbers are represented by signed ones.
#[must_use]
pub fn values(ty: IntType) -> Range {
    match (ty.bits, ty.signed) {
        (64, _) => (i64::MIN, i64::MAX),
        (bits, true) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        (bits, false) => (0, i64::MAX >> (63 - bits)),
    }
}

/// The range of a comparison that always or never holds.
fn order(always: bool, never: bool) -> Range {
    match (always, never) {
        (true, _) => (1, 1),
        (_, true) => (0, 0),
        _ => (0, 1),
    }
}

/// The range between two bounds if it is within a type: nothing wraps.
fn within(ty: IntType, low: Option<i64>, high: Option<i64>) -> Range {
    let (least, most) = values(ty);
    match (low, high) {
        (Some(low), Some(high)) if least <= low && high <= most => (low, high),
        _ => (least, most),
    }
}
