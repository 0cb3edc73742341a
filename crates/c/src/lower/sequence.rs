//! Side effects that nothing puts in order (C11 6.5p2): `i = i++ + 1`, `f(i++, i)`, `a[i] = i++`.
//! One walk over a full expression writes down, in the order of the walk, every object that is read
//! or changed by name; the accesses of an operand are then a range of that list, and operands that
//! nothing orders are compared range against range. An assignment comes after its operands' values
//! but not after their side effects, which are kept beside the ranges until a sequence point.
//! Objects are the same when they are written alike and nothing that their name depends on changes;
//! where they are written differently and a pointer is among them, the addresses are compared when
//! the expression is executed ([`Beside`]).
//!
//! *Entry point:* [`unsequenced`].
//! *Invariant:* What is marked is undefined whenever it is executed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use axle_source::Loc;

use crate::tree::{Expr, Kind};
use crate::types::TypeId;

/// An expression of the tree, by its place in memory: the tree stays where it is while it is lowered.
pub(super) fn identity(e: &Expr) -> usize {
    std::ptr::from_ref(e) as usize
}

/// An access to be held against others when the expression is executed.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    /// The lvalue, by [`identity`].
    pub access: usize,
    /// Keeps its address.
    pub reg: u32,
    /// Those before it that it must not overlap with, and the sizes in bytes of this and of the other.
    pub others: Vec<(usize, (u8, u8))>,
}

/// What a walk over a full expression finds.
pub(super) struct Found {
    /// Expressions that are undefined when they are executed, by [`identity`].
    pub marked: BTreeSet<usize>,
    pub beside: Vec<Beside>,
    /// Pairs of functions whose calls nothing puts in order, and the expression that they stand in.
    pub calls: Vec<(u32, u32, Loc)>,
}

struct Access {
    /// The object as it is written; none where the name depends on what has none.
    name: Option<String>,
    /// The lvalue, where it is in memory and another access could lead to it under another name.
    place: Option<Where>,
    write: bool,
    /// Executed only when a condition inside the expression says so.
    maybe: bool,
    by: usize,
}

#[derive(Clone, Copy)]
struct Where {
    lvalue: usize,
    /// Through a pointer.
    deref: bool,
    size: u64,
}

struct Walk<'a> {
    accesses: Vec<Access>,
    marked: BTreeSet<usize>,
    beside: Vec<Beside>,
    /// The functions that are called by name, in the order of the walk.
    called: Vec<u32>,
    calls: Vec<(u32, u32, Loc)>,
    in_register: &'a dyn Fn(u32) -> bool,
    size: &'a dyn Fn(TypeId) -> u64,
}

/// What the walk over an operand comes to.
struct Part {
    range: Range<usize>,
    called: Range<usize>,
    /// Accesses that write, and whose effect need not be there yet when the value is.
    pending: Vec<usize>,
}

/// What of a full expression is undefined when it is executed, and what has to be looked at then.
pub(super) fn unsequenced(
    e: &Expr,
    in_register: &dyn Fn(u32) -> bool,
    size: &dyn Fn(TypeId) -> u64,
) -> Found {
    let mut walk = Walk {
        accesses: Vec::new(),
        marked: BTreeSet::new(),
        beside: Vec::new(),
        called: Vec::new(),
        calls: Vec::new(),
        in_register,
        size,
    };
    walk.expr(e);
    Found { marked: walk.marked, beside: walk.beside, calls: walk.calls }
}

/// The name of an object.
fn object(e: &Expr) -> Option<String> {
    Some(match &e.kind {
        Kind::Local(id) => format!("l{id};"),
        Kind::Global(id) => format!("g{id};"),
        Kind::Member { base, offset, bits } => {
            let bits = bits.map_or((0, 0), |bits| (bits.shift, bits.width));
            format!("{}.{offset}:{}:{};", object(base)?, bits.0, bits.1)
        }
        Kind::Deref(pointer) => format!("*{}", value(pointer)?),
        _ => return None,
    })
}

/// The name of a value that depends on nothing but named objects.
fn value(e: &Expr) -> Option<String> {
    Some(match &e.kind {
        Kind::Int(number) => format!("{number};"),
        Kind::Load(inner) => format!("@{}", object(inner)?),
        Kind::Decay(inner) | Kind::AddressOf(inner) => format!("&{}", object(inner)?),
        Kind::Convert(inner) => format!("<{:?}>{}", e.ty.ty, value(inner)?),
        Kind::PtrAdd { pointer, index, size, minus } => {
            let mut name = value(pointer)?;
            let index = value(index)?;
            // Writing to a string does not fail.
            let _ = write!(name, "{}{size}x{index}", if *minus { '-' } else { '+' });
            name
        }
        _ => return None,
    })
}

impl Walk<'_> {
    fn access(&mut self, e: &Expr, lvalue: &Expr, write: bool) -> usize {
        let (name, place) = (object(lvalue), self.whereabouts(lvalue));
        self.accesses.push(Access { name, place, write, maybe: false, by: identity(e) });
        self.accesses.len() - 1
    }

    fn whereabouts(&self, lvalue: &Expr) -> Option<Where> {
        let size = (self.size)(lvalue.ty.ty);
        let mut root = lvalue;
        while let Kind::Member { base, bits: None, .. } = &root.kind {
            root = base;
        }
        let deref = match &root.kind {
            Kind::Local(id) if (self.in_register)(*id) => return None,
            Kind::Local(_) | Kind::Global(_) => false,
            Kind::Deref(_) => true,
            _ => return None,
        };
        (1..=16).contains(&size).then(|| Where { lvalue: identity(lvalue), deref, size })
    }

    /// The two are to be compared when they are executed.
    fn beside(&mut self, one: Where, other: Where) {
        let position = |this: &mut Self, access: usize| {
            let known = this.beside.iter().position(|beside| beside.access == access);
            known.unwrap_or_else(|| {
                this.beside.push(Beside { access, reg: 0, others: Vec::new() });
                this.beside.len() - 1
            })
        };
        let (a, b) = (position(self, one.lvalue), position(self, other.lvalue));
        // Whichever comes second finds the first.
        let (x, y) = (one.size as u8, other.size as u8);
        self.beside[a].others.push((other.lvalue, (x, y)));
        self.beside[b].others.push((one.lvalue, (y, x)));
    }

    /// What two accesses that nothing orders go to, where they may be the same under different names. Types of different
    /// sizes, none of them a character, do not lie in one place (6.5p7).
    fn may_meet(one: &Access, other: &Access) -> Option<(Where, Where)> {
        let (a, b) = (one.place?, other.place?);
        let differ = one.name.is_none() || one.name != other.name;
        let fits = a.size == b.size || a.size == 1 || b.size == 1;
        ((one.write || other.write) && differ && (a.deref || b.deref) && fits && a.lvalue != b.lvalue)
            .then_some((a, b))
    }

    /// Operands that nothing puts in order.
    fn operands(&mut self, node: &Expr, parts: &[Part]) -> Vec<usize> {
        for (index, a) in parts.iter().enumerate() {
            for b in &parts[index + 1..] {
                self.compare(node, a, b);
                for one in a.called.clone() {
                    for other in b.called.clone() {
                        self.calls.push((self.called[one], self.called[other], node.loc));
                    }
                }
            }
        }
        parts.iter().flat_map(|part| part.pending.iter().copied()).collect()
    }

    fn compare(&mut self, node: &Expr, a: &Part, b: &Part) {
        let writes = |range: &Range<usize>| self.accesses[range.clone()].iter().any(|access| access.write);
        if !writes(&a.range) && !writes(&b.range) {
            return;
        }
        let mut found = Vec::new();
        let mut meet = Vec::new();
        for one in &self.accesses[a.range.clone()] {
            for other in &self.accesses[b.range.clone()] {
                meet.extend(Self::may_meet(one, other));
                if let Some(name) = &one.name
                    && (one.write || other.write)
                    && one.name == other.name
                    && self.certain(name)
                {
                    match (one.maybe, other.maybe) {
                        (false, false) => found.push(identity(node)),
                        // Undefined when that which need not be executed is.
                        (true, false) => found.push(one.by),
                        (false, true) => found.push(other.by),
                        (true, true) => {}
                    }
                }
            }
        }
        self.marked.extend(found);
        meet.into_iter().for_each(|(one, other)| self.beside(one, other));
    }

    /// Whether nothing that an object is named by has changed so far.
    fn certain(&self, name: &str) -> bool {
        !self.accesses.iter().any(|access| {
            let changes = |of: &String| name.len() > of.len() && name.contains(&format!("@{of}"));
            access.write && access.name.as_ref().is_some_and(changes)
        })
    }

    /// Executed under a condition.
    fn under_condition(&mut self, e: &Expr) -> Part {
        let part = self.expr(e);
        self.accesses[part.range.clone()].iter_mut().for_each(|access| access.maybe = true);
        part
    }

    fn many<'e>(&mut self, node: &Expr, list: impl IntoIterator<Item = &'e Expr>) -> Vec<usize> {
        let parts: Vec<Part> = list.into_iter().map(|e| self.expr(e)).collect();
        self.operands(node, &parts)
    }

    /// What evaluating an lvalue takes before the object itself is accessed.
    fn place(&mut self, e: &Expr) -> Part {
        let (start, first) = (self.accesses.len(), self.called.len());
        let pending = match &e.kind {
            Kind::Member { base, .. } => self.place(base).pending,
            Kind::Deref(pointer) => self.expr(pointer).pending,
            Kind::Local(_) | Kind::Global(_) => Vec::new(),
            _ => return self.expr(e),
        };
        Part { range: start..self.accesses.len(), called: first..self.called.len(), pending }
    }

    fn expr(&mut self, e: &Expr) -> Part {
        let (start, first) = (self.accesses.len(), self.called.len());
        let pending = match &e.kind {
            Kind::Error
            | Kind::Int(_)
            | Kind::Real(_)
            | Kind::Str(_)
            | Kind::Local(_)
            | Kind::Global(_)
            | Kind::Function(_)
            // Statements are sequenced among themselves, and have full expressions of their own.
            | Kind::Block(_) => Vec::new(),
            Kind::Compound(_, init) => {
                // The parts of an initialiser come in some order (6.7.9p23).
                init.items.iter().for_each(|item| drop(self.expr(&item.value)));
                Vec::new()
            }
            Kind::Member { .. } | Kind::Deref(_) => self.place(e).pending,
            Kind::AddressOf(inner) | Kind::Decay(inner) => self.place(inner).pending,
            Kind::Load(inner) => {
                let pending = self.place(inner).pending;
                self.access(e, inner, false);
                pending
            }
            Kind::Unary(_, inner) | Kind::Convert(inner) => self.expr(inner).pending,
            Kind::Binary(_, a, b) | Kind::PtrDiff(a, b, _) => self.many(e, [&**a, &**b]),
            Kind::PtrAdd { pointer, index, .. } => self.many(e, [&**pointer, &**index]),
            Kind::AndAnd(a, b) | Kind::OrOr(a, b) => {
                self.expr(a);
                self.under_condition(b).pending
            }
            Kind::Cond(c, a, b) => {
                self.expr(c);
                let mut pending = Vec::new();
                for arm in a.iter().chain([b]) {
                    pending.extend(self.under_condition(arm).pending);
                }
                pending
            }
            Kind::Comma(a, b) => {
                self.expr(a);
                self.expr(b).pending
            }
            Kind::Assign(target, value) | Kind::AssignOp { target, value, .. } => {
                let parts = [self.place(target), self.expr(value)];
                let pending = self.operands(e, &parts);
                self.change(e, target, pending)
            }
            Kind::Step { target, .. } => {
                let pending = self.place(target).pending;
                self.change(e, target, pending)
            }
            // All arguments are there before the call begins.
            Kind::Call(callee, args) => {
                self.many(e, std::iter::once(&**callee).chain(args));
                if let Kind::Decay(inner) | Kind::AddressOf(inner) = &callee.kind
                    && let Kind::Function(id) = inner.kind
                {
                    self.called.push(id);
                }
                Vec::new()
            }
            Kind::Builtin(_, args) => {
                self.many(e, args);
                Vec::new()
            }
        };
        Part { range: start..self.accesses.len(), called: first..self.called.len(), pending }
    }

    /// The effect of an assignment, beside effects that are not there yet.
    fn change(&mut self, e: &Expr, target: &Expr, mut pending: Vec<usize>) -> Vec<usize> {
        let own = self.access(e, target, true);
        for &at in &pending {
            let (other, own) = (&self.accesses[at], &self.accesses[own]);
            if let Some(pair) = Self::may_meet(other, own) {
                self.beside(pair.0, pair.1);
            } else if let Some(name) = &own.name
                && other.name == own.name
                && self.certain(name)
            {
                let undefined = if other.maybe { other.by } else { identity(e) };
                self.marked.insert(undefined);
            }
        }
        pending.push(own);
        pending
    }
}
