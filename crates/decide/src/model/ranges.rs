//! Ranges of the variables of a relation: the least and greatest values that steps produce, by interval
//! analysis with the bounds that guards state; of all states, and of those in which a process is at a
//! location.
//!
//! A step changes the ranges at the location of every process: of its own, and of each other process that
//! stays where it is. A group is evaluated in the ranges of that location, and in those of the
//! locations that its condition requires.
//!
//! *Entry point:* [`ranges`].
//! *Source:* Cousot and Cousot, "Abstract Interpretation", POPL 1977; Miné, "Relational Thread-Modular
//! Static Value Analysis by Abstract Interpretation", VMCAI 2014.
//! *Invariant:* the initial values are in the ranges, and a step from a state in the ranges leads to a
//! state in the ranges. The certificate of a proof that uses them is checked like any other.

use axle_model::{BinOp, IntType, UnOp};
use axle_relation::{FALSE, Group, Range, Relation, Term, TermId, Terms, VariableId};
use rustc_hash::FxHashMap;

/// The rounds before ranges that grow are widened.
const EXACT_ROUNDS: usize = 4;
/// The most terms evaluated in all.
const MOST_WORK: usize = 20_000_000;

/// A range for each variable.
type Ranges = Vec<Range>;

/// The states in which a process is at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Located {
    /// The location of the process.
    pub variable: VariableId,
    /// Its value.
    pub value: i64,
    /// The ranges in these states; none if there are no such states.
    pub ranges: Option<Ranges>,
}

/// The ranges of all states, and of those at each location. Those of the types if the analysis takes too
/// long.
pub(super) fn ranges(relation: &Relation) -> (Ranges, Vec<Located>) {
    let types: Ranges = relation.variables.list().iter().map(|variable| values(variable.ty)).collect();
    let mut located = Vec::new();
    for slot in 0..relation.variables.slots.len() as u32 {
        let variable = relation.variables.location(slot);
        let initial = relation.initial[variable.index()];
        located.extend((0..=types[variable.index()].1).map(|value| {
            let start = (value == initial).then(|| relation.initial.iter().map(|of| (*of, *of)).collect());
            Located { variable, value, ranges: start }
        }));
    }
    let mut analysis = Analysis {
        relation,
        bounds: thresholds(&relation.terms),
        positions: (located.iter().enumerate()).map(|(at, of)| ((of.variable, of.value), at)).collect(),
        types,
        located,
        work: 0,
    };
    for round in 0.. {
        match analysis.round(round >= EXACT_ROUNDS) {
            Some(true) => {}
            Some(false) => break,
            None => return (analysis.types, Vec::new()),
        }
    }
    // Every state has the first process at some location.
    let first = analysis.located.first().map(|of| of.variable);
    let of_first = analysis.located.iter().filter(|of| Some(of.variable) == first);
    let all = of_first.filter_map(|of| of.ranges.clone()).reduce(|all, more| joined(&all, &more));
    (all.unwrap_or(analysis.types), analysis.located)
}

/// The analysis.
struct Analysis<'r> {
    relation: &'r Relation,
    bounds: Vec<i64>,
    types: Ranges,
    located: Vec<Located>,
    positions: FxHashMap<(VariableId, i64), usize>,
    work: usize,
}

impl Analysis<'_> {
    /// Applies every group at every location; returns whether ranges have grown, or none if the analysis
    /// takes too long.
    fn round(&mut self, widen: bool) -> Option<bool> {
        let mut next: Vec<Option<Ranges>> = self.located.iter().map(|of| of.ranges.clone()).collect();
        for group in self.relation.groups.iter().filter(|group| group.enabled != FALSE) {
            for at in 0..self.located.len() {
                let Some(before) = self.before(group, at) else { continue };
                let after = self.after(group, &before);
                let (low, high) = after[self.located[at].variable.index()];
                for value in low..=high {
                    let target = self.positions[&(self.located[at].variable, value)];
                    let mut ranges = after.clone();
                    ranges[self.located[at].variable.index()] = (value, value);
                    next[target] = Some(match &next[target] {
                        None => ranges,
                        Some(known) => joined(known, &ranges),
                    });
                }
                if self.work > MOST_WORK {
                    return None;
                }
            }
        }
        let mut grown = false;
        for (of, mut new) in self.located.iter_mut().zip(next) {
            if of.ranges == new {
                continue;
            }
            grown = true;
            if let (true, Some(old), Some(new)) = (widen, &of.ranges, &mut new) {
                for ((new, old), ty) in new.iter_mut().zip(old).zip(&self.types) {
                    if new.0 < old.0 {
                        let bound = self.bounds.iter().rev().copied().find(|bound| *bound <= new.0);
                        new.0 = bound.unwrap_or(ty.0).max(ty.0);
                    }
                    if new.1 > old.1 {
                        let bound = self.bounds.iter().copied().find(|bound| *bound >= new.1);
                        new.1 = bound.unwrap_or(ty.1).min(ty.1);
                    }
                }
            }
            of.ranges = new;
        }
        Some(grown)
    }

    /// The ranges at a location of the states in which a group is executable; none if it never is.
    fn before(&mut self, group: &Group, at: usize) -> Option<Ranges> {
        let mut known = self.located[at].ranges.clone()?;
        let terms = &self.relation.terms;
        // The condition states locations of processes, at which more is known.
        for _ in 0..2 {
            if !refine(terms, &mut known, group.enabled, true) {
                return None;
            }
            for slot in 0..self.relation.variables.slots.len() as u32 {
                let variable = self.relation.variables.location(slot);
                let (value, most) = known[variable.index()];
                if value == most {
                    let other = self.located[self.positions[&(variable, value)]].ranges.as_ref()?;
                    for (own, other) in known.iter_mut().zip(other) {
                        *own = (own.0.max(other.0), own.1.min(other.1));
                        if own.0 > own.1 {
                            return None;
                        }
                    }
                }
            }
        }
        let mut evaluation = Evaluation { terms, ranges: &known, known: FxHashMap::default() };
        let enabled = evaluation.range(group.enabled);
        self.work += evaluation.known.len() + known.len();
        (enabled.1 != 0).then_some(known)
    }

    /// The ranges after a group.
    fn after(&mut self, group: &Group, before: &Ranges) -> Ranges {
        let mut evaluation =
            Evaluation { terms: &self.relation.terms, ranges: before, known: FxHashMap::default() };
        let mut after = before.clone();
        for (variable, value) in &group.updates {
            let (low, high) = evaluation.range(*value);
            let (least, most) = self.types[variable.index()];
            // Where a step is executable its values are within the types.
            after[variable.index()] = (low.clamp(least, most), high.clamp(least, most));
        }
        self.work += evaluation.known.len();
        after
    }
}

fn joined(a: &Ranges, b: &Ranges) -> Ranges {
    a.iter().zip(b).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1))).collect()
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
            let of = |ranges: &[Range], term| match terms.get(term) {
                Term::Variable(id) => Some((Some(id), ranges[id.index()])),
                Term::Const(number) => Some((None, (number, number))),
                _ => None,
            };
            let (Some((x, of_x)), Some((y, of_y))) = (of(ranges, a), of(ranges, b)) else { return true };
            let mut is_possible = true;
            for (id, op, other) in [(x, op, of_y), (y, mirrored(op), of_x)] {
                if let Some(id) = id {
                    let range = &mut ranges[id.index()];
                    narrow(range, op, value, other);
                    is_possible &= range.0 <= range.1;
                }
            }
            is_possible
        }
        _ => true,
    }
}

/// Narrows the range of a value whose comparison with another, of this range, is true or false.
fn narrow(range: &mut Range, op: BinOp, value: bool, (low, high): Range) {
    match (op, value) {
        (BinOp::Eq, true) | (BinOp::Ne, false) => *range = (range.0.max(low), range.1.min(high)),
        (BinOp::Eq, false) | (BinOp::Ne, true) if low == high && range.0 == low => {
            range.0 = low.saturating_add(1);
        }
        (BinOp::Eq, false) | (BinOp::Ne, true) if low == high && range.1 == low => {
            range.1 = low.saturating_sub(1);
        }
        (BinOp::Lt, true) | (BinOp::Ge, false) => range.1 = range.1.min(high.saturating_sub(1)),
        (BinOp::Le, true) | (BinOp::Gt, false) => range.1 = range.1.min(high),
        (BinOp::Gt, true) | (BinOp::Le, false) => range.0 = range.0.max(low.saturating_add(1)),
        (BinOp::Ge, true) | (BinOp::Lt, false) => range.0 = range.0.max(low),
        _ => {}
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
        let known = &self.known;
        for id in self.terms.order(root, |id| known.contains_key(&id)) {
            let (low, high) = self.compute(id);
            // The range for all states contains this one.
            let (least, most) = self.terms.range(id);
            let range = (low.max(least), high.min(most));
            self.known.insert(id, if range.0 <= range.1 { range } else { (least, most) });
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
