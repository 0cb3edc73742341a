//! Ranges of the variables of a relation: the least and greatest values that steps produce, by interval
//! analysis with the bounds that guards state.
//!
//! *Entry point:* [`ranges`].
//! *Source:* Cousot and Cousot, "Abstract Interpretation", POPL 1977.
//! *Invariant:* the initial values are in the ranges, and a step from a state in the ranges leads to a
//! state in the ranges. The certificate of a proof that uses them is checked like any other.

use axle_model::{BinOp, IntType, UnOp};
use axle_relation::{FALSE, Range, Relation, Term, TermId, Terms};
use rustc_hash::FxHashMap;

/// The rounds before ranges that grow are widened.
const EXACT_ROUNDS: usize = 3;
/// The most terms evaluated in all.
const MOST_WORK: usize = 20_000_000;

/// The range of each variable; those of the types if the analysis takes too long.
pub(super) fn ranges(relation: &Relation) -> Vec<Range> {
    let types: Vec<Range> = relation.variables.list().iter().map(|variable| values(variable.ty)).collect();
    let mut ranges: Vec<Range> = relation.initial.iter().map(|value| (*value, *value)).collect();
    let bounds = thresholds(&relation.terms);
    let mut work = 0;
    for round in 0.. {
        let mut next = ranges.clone();
        for group in &relation.groups {
            let mut known = ranges.clone();
            if !refine(&relation.terms, &mut known, group.enabled, true) {
                continue;
            }
            let mut evaluation =
                Evaluation { terms: &relation.terms, ranges: &known, known: FxHashMap::default() };
            if group.enabled == FALSE || evaluation.range(group.enabled).1 == 0 {
                continue;
            }
            for (variable, value) in &group.updates {
                let (low, high) = evaluation.range(*value);
                let (least, most) = types[variable.index()];
                let range = &mut next[variable.index()];
                *range = (range.0.min(low.max(least)), range.1.max(high.min(most)));
            }
            work += evaluation.known.len();
        }
        if next == ranges {
            return ranges;
        }
        if work > MOST_WORK {
            return types;
        }
        for ((new, old), ty) in next.iter_mut().zip(&ranges).zip(&types) {
            if round >= EXACT_ROUNDS {
                if new.0 < old.0 {
                    new.0 = bounds.iter().rev().copied().find(|b| *b <= new.0).unwrap_or(ty.0).max(ty.0);
                }
                if new.1 > old.1 {
                    new.1 = bounds.iter().copied().find(|b| *b >= new.1).unwrap_or(ty.1).min(ty.1);
                }
            }
        }
        ranges = next;
    }
    types
}

/// The numbers at which ranges are likely to end: those of the relation and their neighbours.
fn thresholds(terms: &Terms) -> Vec<i64> {
    let mut bounds: Vec<i64> = terms
        .iter()
        .filter_map(|(_, term)| if let Term::Const(value) = term { Some(value) } else { None })
        .flat_map(|value| [value.saturating_sub(1), value, value.saturating_add(1)])
        .collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

/// The values of a type. Unsigned 64-bit numbers are represented by signed ones.
fn values(ty: IntType) -> Range {
    match (ty.bits, ty.signed) {
        (64, _) => (i64::MIN, i64::MAX),
        (bits, true) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        (bits, false) => (0, i64::MAX >> (63 - bits)),
    }
}

/// Narrows ranges to the states in which a condition has a value; returns whether some remain.
fn refine(terms: &Terms, ranges: &mut [Range], condition: TermId, value: bool) -> bool {
    match (terms.get(condition), value) {
        (Term::Const(constant), _) => (constant != 0) == value,
        (Term::Unary(UnOp::Not, _, inner), _) => refine(terms, ranges, inner, !value),
        (Term::And(a, b), true) | (Term::Or(a, b), false) => {
            refine(terms, ranges, a, value) && refine(terms, ranges, b, value)
        }
        (Term::Variable(id), _) => {
            let range = &mut ranges[id.index()];
            if value && range.0 == 0 {
                range.0 = 1;
            } else if !value {
                *range = (range.0.max(0), range.1.min(0));
            }
            range.0 <= range.1
        }
        (Term::Binary(op, ty, a, b), _) if ty.signed || ty.bits < 64 => {
            let (a, b, op) = match (terms.get(a), terms.get(b)) {
                (Term::Variable(id), Term::Const(number)) => (id, number, op),
                (Term::Const(number), Term::Variable(id)) => (id, number, mirrored(op)),
                _ => return true,
            };
            let range = &mut ranges[a.index()];
            match (op, value) {
                (BinOp::Eq, true) | (BinOp::Ne, false) => *range = (range.0.max(b), range.1.min(b)),
                (BinOp::Eq, false) | (BinOp::Ne, true) if range.0 == b => range.0 = b.saturating_add(1),
                (BinOp::Eq, false) | (BinOp::Ne, true) if range.1 == b => range.1 = b.saturating_sub(1),
                (BinOp::Lt, true) | (BinOp::Ge, false) => range.1 = range.1.min(b.saturating_sub(1)),
                (BinOp::Le, true) | (BinOp::Gt, false) => range.1 = range.1.min(b),
                (BinOp::Gt, true) | (BinOp::Le, false) => range.0 = range.0.max(b.saturating_add(1)),
                (BinOp::Ge, true) | (BinOp::Lt, false) => range.0 = range.0.max(b),
                _ => {}
            }
            range.0 <= range.1
        }
        _ => true,
    }
}

/// The operator with exchanged operands.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Gt => BinOp::Lt,
        BinOp::Le => BinOp::Ge,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// The ranges of terms in states with these ranges.
struct Evaluation<'a> {
    terms: &'a Terms,
    ranges: &'a [Range],
    known: FxHashMap<TermId, Range>,
}

impl Evaluation<'_> {
    fn range(&mut self, root: TermId) -> Range {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            let before = stack.len();
            if !self.known.contains_key(&id) {
                self.terms.operands(id, |operand| {
                    if !self.known.contains_key(&operand) {
                        stack.push(operand);
                    }
                });
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if !self.known.contains_key(&id) {
                let (low, high) = self.compute(id);
                // The range for all states contains this one.
                let (least, most) = self.terms.range(id);
                let range = (low.max(least), high.min(most));
                self.known.insert(id, if range.0 <= range.1 { range } else { (least, most) });
            }
        }
        self.known[&root]
    }

    fn compute(&self, id: TermId) -> Range {
        let of = |operand: TermId| self.known[&operand];
        let whole = self.terms.range(id);
        match self.terms.get(id) {
            Term::Const(value) => (value, value),
            Term::Variable(variable) => self.ranges[variable.index()],
            Term::Unary(UnOp::Not, _, a) => negated(of(a)),
            Term::Unary(UnOp::Neg, ty, a) => {
                within(ty, -i128::from(of(a).1), -i128::from(of(a).0)).unwrap_or(whole)
            }
            Term::Unary(UnOp::BitNot, ..) => whole,
            Term::Wrap(ty, a) => within(ty, of(a).0.into(), of(a).1.into()).unwrap_or(whole),
            Term::And(a, b) => (of(a).0.min(of(b).0), of(a).1.min(of(b).1)),
            Term::Or(a, b) => (of(a).0.max(of(b).0), of(a).1.max(of(b).1)),
            Term::If(condition, a, b) => match of(condition) {
                (0, 0) => of(b),
                (low, high) if low > 0 || high < 0 => of(a),
                _ => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
            },
            Term::Binary(op, ty, a, b) => binary(op, ty, of(a), of(b)).unwrap_or(whole),
        }
    }
}

fn negated(range: Range) -> Range {
    match range {
        (0, 0) => (1, 1),
        (low, high) if low > 0 || high < 0 => (0, 0),
        _ => (0, 1),
    }
}

/// The range between two bounds, if nothing wraps.
fn within(ty: IntType, low: i128, high: i128) -> Option<Range> {
    let (least, most) = values(ty);
    (low >= least.into() && high <= most.into()).then_some((low as i64, high as i64))
}

/// The range of a binary operator, if more is known than its type.
fn binary(op: BinOp, ty: IntType, x: Range, y: Range) -> Option<Range> {
    let is_ordered = ty.signed || ty.bits < 64;
    let wide = |range: Range| (i128::from(range.0), i128::from(range.1));
    let ((a, b), (c, d)) = (wide(x), wide(y));
    let decided = |always: bool, never: bool| match (always, never) {
        (true, _) => Some((1, 1)),
        (_, true) => Some((0, 0)),
        _ => None,
    };
    match op {
        BinOp::Add => within(ty, a + c, b + d),
        BinOp::Sub => within(ty, a - d, b - c),
        BinOp::Mul => {
            let products = [a * c, a * d, b * c, b * d];
            within(ty, products.into_iter().min()?, products.into_iter().max()?)
        }
        BinOp::Div if is_ordered && a >= 0 && c > 0 => within(ty, a / d, b / c),
        BinOp::Rem if is_ordered && a >= 0 && c > 0 => within(ty, 0, b.min(d - 1)),
        BinOp::BitAnd if a >= 0 && c >= 0 => within(ty, 0, b.min(d)),
        BinOp::Eq => decided(a == b && (c, d) == (a, b), b < c || d < a),
        BinOp::Ne => decided(b < c || d < a, a == b && (c, d) == (a, b)),
        BinOp::Lt if is_ordered => decided(b < c, a >= d),
        BinOp::Le if is_ordered => decided(b <= c, a > d),
        BinOp::Gt if is_ordered => decided(a > d, b <= c),
        BinOp::Ge if is_ordered => decided(a >= d, b < c),
        _ => None,
    }
}
