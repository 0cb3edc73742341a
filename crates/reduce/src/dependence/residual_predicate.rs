//! Residual predicates: expressions in which all values that are known before the search have been
//! substituted, so that a few scalars of a state determine the value.
//!
//! *Entry points:* [`ResidualPredicate::of`] and [`ResidualPredicate::answer`].
//! *Invariant:* the value equals that of the interpreter; it is `None` if the interpreter would
//! report a fault. A predicate depends on its leaves only.

use axle_model::eval::{binary, unary};
use axle_model::{Base, BinOp, Expr, IntType, Place, Query, Step, Type, UnOp};

use super::footprint::{Channels, Footprints};
use crate::fixed::{Who, leaves};

/// A scalar of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// Of a global: its index, and the scalar in order of declaration and element.
    Global(usize, usize),
    /// Of a local of the evaluating process.
    Local(usize, usize),
    /// The length of a buffered channel, by its reference.
    Length(u32),
}

/// A term over leaves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Term {
    Const(i64),
    /// A leaf, by its index in the list.
    Leaf(u32),
    /// One of several, by an index; a fault outside.
    Element(Box<Term>, Vec<Term>),
    Unary(UnOp, IntType, Box<Term>),
    Binary(BinOp, IntType, Box<Term>, Box<Term>),
    Convert(IntType, Box<Term>),
    And(Box<Term>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    Cond(Box<Term>, Box<Term>, Box<Term>),
}

/// A residual predicate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResidualPredicate {
    term: Term,
    /// The scalars that it reads.
    pub leaves: Vec<Leaf>,
}

/// A predicate under construction.
struct Making<'f, 'a> {
    footprints: &'f Footprints<'a>,
    who: Who<'f>,
    leaves: Vec<Leaf>,
}

impl ResidualPredicate {
    /// The predicate for an expression of a process; `None` if it depends on more than
    /// distinguished scalars of the state.
    pub fn of(footprints: &Footprints, who: Who, expr: &Expr) -> Option<ResidualPredicate> {
        let mut making = Making { footprints, who, leaves: Vec::new() };
        let term = making.term(expr)?;
        Some(ResidualPredicate { term, leaves: making.leaves })
    }

    /// Whether a channel is full, or whether it is empty; capacity is at least 1.
    pub fn of_length(channel: usize, wanted: u32) -> ResidualPredicate {
        let (leaf, wanted) = (Box::new(Term::Leaf(0)), Box::new(Term::Const(wanted.into())));
        ResidualPredicate {
            term: Term::Binary(BinOp::Ne, IntType::I32, leaf, wanted),
            leaves: vec![Leaf::Length(channel as u32 + 1)],
        }
    }

    /// Whether it reads locals of the evaluating process.
    pub fn own(&self) -> bool {
        self.leaves.iter().any(|leaf| matches!(leaf, Leaf::Local(..)))
    }

    /// The value for given leaves; `None` if the evaluation would cause a fault.
    #[inline]
    pub fn answer(&self, read: &mut impl FnMut(u32) -> i64) -> Option<i64> {
        self.term.value(read)
    }
}

impl Making<'_, '_> {
    fn term(&mut self, expr: &Expr) -> Option<Term> {
        if let Some(value) = self.footprints.values.value(self.who, expr) {
            return Some(Term::Const(value));
        }
        let mut boxed = |expr: &Expr| self.term(expr).map(Box::new);
        Some(match expr {
            Expr::Load(place) => return self.load(place),
            Expr::Unary(op, ty, a) => Term::Unary(*op, *ty, boxed(a)?),
            Expr::Binary(op, ty, a, b) => Term::Binary(*op, *ty, boxed(a)?, boxed(b)?),
            Expr::Convert(ty, a) => Term::Convert(*ty, boxed(a)?),
            Expr::And(a, b) => Term::And(boxed(a)?, boxed(b)?),
            Expr::Or(a, b) => Term::Or(boxed(a)?, boxed(b)?),
            Expr::Cond(c, a, b) => Term::Cond(boxed(c)?, boxed(a)?, boxed(b)?),
            Expr::Query(query, chan) => return self.query(*query, chan),
            // Values that depend on more than a scalar, or that are constant and were substituted
            // above.
            Expr::Const(_)
            | Expr::Channel(_)
            | Expr::SelfPid
            | Expr::CanReceive { .. }
            | Expr::Timeout
            | Expr::ProcessCount
            | Expr::LastPid
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::Location(_)
            | Expr::Priority(_)
            | Expr::AtLocation { .. } => return None,
        })
    }

    fn leaf(&mut self, leaf: Leaf) -> Term {
        let known = self.leaves.iter().position(|other| *other == leaf);
        let number = known.unwrap_or_else(|| {
            self.leaves.push(leaf);
            self.leaves.len() - 1
        });
        Term::Leaf(number as u32)
    }

    fn query(&mut self, query: Query, chan: &Expr) -> Option<Term> {
        let Channels::One(channel) = self.footprints.channels(self.who, chan) else { return None };
        let capacity = self.footprints.capacities[channel]?;
        if capacity == 0 {
            return Some(Term::Const(i64::from(matches!(query, Query::Empty | Query::NotFull))));
        }
        let length = self.leaf(Leaf::Length(channel as u32 + 1));
        let against = |op, bound: u32| {
            Term::Binary(op, IntType::I32, Box::new(length.clone()), Box::new(Term::Const(bound.into())))
        };
        Some(match query {
            Query::Full => against(BinOp::Eq, capacity),
            Query::NotFull => against(BinOp::Ne, capacity),
            Query::Empty => against(BinOp::Eq, 0),
            Query::NotEmpty => against(BinOp::Ne, 0),
            Query::Len => length,
        })
    }

    /// A variable with at most one index that is not constant.
    fn load(&mut self, place: &Place) -> Option<Term> {
        let (values, who) = (self.footprints.values, self.who);
        let mut ty: &Type = match &place.base {
            Base::Global(id) => &values.model.globals[id.index()].ty,
            Base::Local(id) => &values.model.process(who.proc()?).locals[id.index()].ty,
            Base::Remote { .. } => return None,
        };
        leaves(values.model, ty)?;
        let (mut first, mut choice) = (0, None);
        for step in &place.path {
            match (step, ty) {
                (Step::Field(field), Type::Record(id)) => {
                    let fields = &values.model.records[id.index()].fields;
                    let before = fields[..*field as usize].iter().map(|f| leaves(values.model, &f.ty));
                    first += before.sum::<Option<usize>>()?;
                    ty = &fields[*field as usize].ty;
                }
                (Step::Index(index), Type::Array(of, len)) => {
                    let stride = leaves(values.model, of)?;
                    match values.value(who, index) {
                        Some(i) if (0..i64::from(*len)).contains(&i) => first += i as usize * stride,
                        Some(_) => return None,
                        None if choice.is_some() => return None,
                        None => choice = Some((self.term(index)?, stride, *len as usize)),
                    }
                    ty = of;
                }
                (Step::Field(_) | Step::Index(_), _) => return None,
            }
        }
        ty.scalar()?;
        match choice {
            None => self.spot(place, first),
            Some((index, stride, len)) => {
                let of = (0..len).map(|i| self.spot(place, first + i * stride)).collect::<Option<_>>()?;
                Some(Term::Element(Box::new(index), of))
            }
        }
    }

    /// A scalar of a variable, or its value if it is constant.
    fn spot(&mut self, place: &Place, spot: usize) -> Option<Term> {
        match &place.base {
            Base::Global(id) => match self.footprints.cells.global(id.index()) {
                Some(_) => Some(self.leaf(Leaf::Global(id.index(), spot))),
                None => Some(Term::Const(*self.footprints.values.globals[id.index()].as_ref()?.get(spot)?)),
            },
            Base::Local(id) => Some(self.leaf(Leaf::Local(id.index(), spot))),
            Base::Remote { .. } => None,
        }
    }
}

impl Term {
    fn value(&self, read: &mut impl FnMut(u32) -> i64) -> Option<i64> {
        Some(match self {
            Term::Const(value) => *value,
            Term::Leaf(leaf) => read(*leaf),
            Term::Element(index, of) => {
                let index = usize::try_from(index.value(read)?).ok()?;
                return of.get(index)?.value(read);
            }
            Term::Unary(op, ty, a) => unary(*op, *ty, a.value(read)?),
            Term::Binary(op, ty, a, b) => return binary(*op, *ty, a.value(read)?, b.value(read)?),
            Term::Convert(ty, a) => ty.wrap(a.value(read)?),
            Term::And(a, b) => i64::from(a.value(read)? != 0 && b.value(read)? != 0),
            Term::Or(a, b) => i64::from(a.value(read)? != 0 || b.value(read)? != 0),
            Term::Cond(c, a, b) => match c.value(read)? {
                0 => return b.value(read),
                _ => return a.value(read),
            },
        })
    }
}
