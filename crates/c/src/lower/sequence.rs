//! Side effects that nothing puts in order (C11 6.5p2): `i = i++ + 1`, `f(i++, i)`, `a[i] = i++`. Main function:
//! [`unsequenced`]. One walk over a full expression writes down, in the order of the walk, every object that is read or
//! changed by name; the accesses of an operand are then a range of that list, and operands that nothing orders are
//! compared range against range. An assignment comes after its operands' values but not after their side effects, which
//! are kept beside the ranges until a sequence point. Objects are the same when they are written alike and nothing that
//! their name depends on changes: two pointers to one object go unnoticed. Kept: what is marked is undefined whenever it
//! is executed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use crate::tree::{Expr, Kind};

/// An expression of the tree, by its place in memory: the tree stays where it is while it is lowered.
pub(super) fn identity(e: &Expr) -> usize {
    std::ptr::from_ref(e) as usize
}

struct Access {
    /// The object as it is written.
    name: String,
    write: bool,
    /// Executed only when a condition inside the expression says so.
    maybe: bool,
    by: usize,
}

#[derive(Default)]
struct Walk {
    accesses: Vec<Access>,
    marked: BTreeSet<usize>,
}

/// What the walk over an operand comes to.
struct Part {
    range: Range<usize>,
    /// Accesses that write, and whose effect need not be there yet when the value is.
    pending: Vec<usize>,
}

/// The expressions inside a full expression that are undefined when they are executed, by [`identity`].
pub(super) fn unsequenced(e: &Expr) -> BTreeSet<usize> {
    let mut walk = Walk::default();
    walk.expr(e);
    walk.marked
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

impl Walk {
    fn access(&mut self, e: &Expr, name: Option<String>, write: bool) -> Option<usize> {
        self.accesses.push(Access { name: name?, write, maybe: false, by: identity(e) });
        Some(self.accesses.len() - 1)
    }

    /// Operands that nothing puts in order.
    fn operands(&mut self, node: &Expr, parts: &[Part]) -> Vec<usize> {
        for (index, a) in parts.iter().enumerate() {
            for b in &parts[index + 1..] {
                self.compare(node, a, b);
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
        for one in &self.accesses[a.range.clone()] {
            for other in &self.accesses[b.range.clone()] {
                if (one.write || other.write) && one.name == other.name && self.certain(&one.name) {
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
    }

    /// Whether nothing that an object is named by has changed so far.
    fn certain(&self, name: &str) -> bool {
        !self.accesses.iter().any(|access| {
            access.write && name.len() > access.name.len() && name.contains(&format!("@{}", access.name))
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
        let start = self.accesses.len();
        let pending = match &e.kind {
            Kind::Member { base, .. } => self.place(base).pending,
            Kind::Deref(pointer) => self.expr(pointer).pending,
            Kind::Local(_) | Kind::Global(_) => Vec::new(),
            _ => return self.expr(e),
        };
        Part { range: start..self.accesses.len(), pending }
    }

    fn expr(&mut self, e: &Expr) -> Part {
        let start = self.accesses.len();
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
                self.access(e, object(inner), false);
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
                Vec::new()
            }
            Kind::Builtin(_, args) => {
                self.many(e, args);
                Vec::new()
            }
        };
        Part { range: start..self.accesses.len(), pending }
    }

    /// The effect of an assignment, beside effects that are not there yet.
    fn change(&mut self, e: &Expr, target: &Expr, mut pending: Vec<usize>) -> Vec<usize> {
        let Some(name) = object(target) else { return pending };
        for &at in &pending {
            let other = &self.accesses[at];
            if other.name == name && self.certain(&name) {
                let undefined = if other.maybe { other.by } else { identity(e) };
                self.marked.insert(undefined);
            }
        }
        pending.extend(self.access(e, Some(name), true));
        pending
    }
}
