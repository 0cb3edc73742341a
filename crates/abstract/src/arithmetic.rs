//! Arithmetic of an abstraction: wrap-around, which is that of the relation, or mathematical, in which no
//! operation overflows.
//!
//! In mathematical arithmetic a step is not executable where an operation of its condition or of its values
//! leaves its type. A proof then says that executions without overflow are correct; whether there are
//! others is a question of its own, about the faults that [`with_overflows`] adds.
//!
//! *Entry points:* [`mathematical`], [`with_overflows`].
//! *Invariant:* a step of the restricted relation is a step of the relation. A step is left out only if an
//! operation that it evaluates overflows.

use axle_model::{BinOp, IntType, UnOp};
use axle_outcome::FaultKind;
use axle_relation::{Action, FALSE, Fault, Group, Range, Relation, Term, TermId, Terms, values};
use rustc_hash::FxHashMap;

/// The type in which results are exact, if ranges say so.
const WIDE: IntType = IntType { bits: 64, signed: true };

/// The relation without steps that overflow; none if a result may need more than 64 bits.
#[must_use]
pub fn mathematical(relation: &Relation) -> Option<Relation> {
    let mut relation = relation.clone();
    let mut overflows = Overflows::default();
    for index in 0..relation.groups.len() {
        let overflow = overflows.of_group(&mut relation.terms, &relation.groups[index])?;
        let within = relation.terms.not(overflow);
        let group = &mut relation.groups[index];
        group.enabled = relation.terms.and(group.enabled, within);
    }
    (!relation.terms.is_full()).then_some(relation)
}

/// The relation with a fault of kind [`FaultKind::Truncation`] for each step that overflows; none if a result
/// may need more than 64 bits.
#[must_use]
pub fn with_overflows(relation: &Relation) -> Option<Relation> {
    let mut relation = relation.clone();
    let mut overflows = Overflows::default();
    for index in 0..relation.groups.len() {
        let overflow = overflows.of_group(&mut relation.terms, &relation.groups[index])?;
        let group = &mut relation.groups[index];
        let condition = relation.terms.and(group.enabled, overflow);
        if let Action::Step { by, .. } = group.action
            && condition != FALSE
        {
            group.faults.push(Fault {
                kind: FaultKind::Truncation,
                pid: by.pid,
                edge: Some(by.edge),
                condition,
            });
        }
    }
    (!relation.terms.is_full()).then_some(relation)
}

/// The overflows of the terms of one relation.
#[derive(Default)]
struct Overflows {
    known: FxHashMap<TermId, TermId>,
}

impl Overflows {
    /// Where a step overflows, if it is executable.
    fn of_group(&mut self, terms: &mut Terms, group: &Group) -> Option<TermId> {
        let values = group.updates.iter().map(|(_, value)| *value);
        let roots: Vec<TermId> =
            values.chain(group.faults.iter().map(|fault| fault.condition)).chain([group.enabled]).collect();
        let mut all = FALSE;
        for root in roots {
            let overflow = self.of(terms, root)?;
            all = terms.or(all, overflow);
        }
        Some(all)
    }

    /// Where the evaluation of a term overflows.
    fn of(&mut self, terms: &mut Terms, root: TermId) -> Option<TermId> {
        let known = &self.known;
        for id in terms.order(root, |id| known.contains_key(&id)) {
            let overflow = self.compute(terms, id)?;
            self.known.insert(id, overflow);
        }
        Some(self.known[&root])
    }

    fn compute(&self, terms: &mut Terms, id: TermId) -> Option<TermId> {
        let of = |operand: TermId| self.known[&operand];
        Some(match terms.get(id) {
            Term::Const(_) | Term::Variable(_) => FALSE,
            // The second operand is evaluated where the first one does not decide.
            Term::And(a, b) => {
                let second = terms.and(a, of(b));
                terms.or(of(a), second)
            }
            Term::Or(a, b) => {
                let first = terms.not(a);
                let second = terms.and(first, of(b));
                terms.or(of(a), second)
            }
            Term::If(condition, a, b) => {
                let otherwise = terms.not(condition);
                let (a, b) = (terms.and(condition, of(a)), terms.and(otherwise, of(b)));
                let either = terms.or(a, b);
                terms.or(of(condition), either)
            }
            Term::Unary(op, ty, a) => {
                let own = match op {
                    UnOp::Neg => {
                        let (low, high) = terms.range(a);
                        let zero = terms.number(0);
                        let exact = (high.checked_neg(), low.checked_neg());
                        own(terms, BinOp::Sub, ty, (zero, a), exact)?
                    }
                    UnOp::Not | UnOp::BitNot => FALSE,
                };
                terms.or(of(a), own)
            }
            Term::Wrap(_, a) => {
                let kept = terms.equal(id, a);
                let lost = terms.not(kept);
                terms.or(of(a), lost)
            }
            Term::Binary(op, ty, a, b) => {
                let (x, y) = (terms.range(a), terms.range(b));
                let own = match op {
                    BinOp::Add => own(terms, op, ty, (a, b), (x.0.checked_add(y.0), x.1.checked_add(y.1)))?,
                    BinOp::Sub => own(terms, op, ty, (a, b), (x.0.checked_sub(y.1), x.1.checked_sub(y.0)))?,
                    BinOp::Mul => own(terms, op, ty, (a, b), product(x, y))?,
                    // The only quotient outside the type is that of the least number by -1.
                    BinOp::Div => {
                        let largest = x.0.checked_neg().map(|largest| largest.max(x.1));
                        own(terms, op, ty, (a, b), (largest.map(|largest| -largest), largest))?
                    }
                    _ => FALSE,
                };
                let operands = terms.or(of(a), of(b));
                terms.or(operands, own)
            }
        })
    }
}

/// The range of a product, if it has 64 bits.
fn product(x: Range, y: Range) -> (Option<i64>, Option<i64>) {
    let corners = [(x.0, y.0), (x.0, y.1), (x.1, y.0), (x.1, y.1)].map(|(x, y)| x.checked_mul(y));
    let all: Option<Vec<i64>> = corners.into_iter().collect();
    let all = all.unwrap_or_default();
    (all.iter().min().copied(), all.iter().max().copied())
}

/// Where an operation leaves its type, for the range of its exact results; none if that may need more than
/// 64 bits.
fn own(
    terms: &mut Terms,
    op: BinOp,
    ty: IntType,
    (a, b): (TermId, TermId),
    exact: (Option<i64>, Option<i64>),
) -> Option<TermId> {
    let (least, most) = values(ty);
    let (low, high) = (exact.0?, exact.1?);
    if least <= low && high <= most {
        return Some(FALSE);
    }
    let wrapped = terms.binary(op, ty, a, b);
    let wide = terms.binary(op, WIDE, a, b);
    let equal = terms.equal(wrapped, wide);
    Some(terms.not(equal))
}
