//! Detects unsequenced side effects (C11 6.5p2): `i = i++ + 1`, `f(i++, i)`, `a[i] = i++`. One
//! traversal of a full expression lists all accesses to named objects. The accesses of an operand
//! are a range of that list, and the ranges of unsequenced operands are compared. An assignment is
//! sequenced after the values of its operands, but not after their side effects, which are kept
//! separately until a sequence point. Two objects are equal if their lvalues are written
//! identically and no variable in them changes. If they differ and one is accessed through a
//! pointer, the addresses are compared at run time ([`Beside`]).
//!
//! *Entry point:* [`unsequenced`].
//! *Invariant:* a marked expression has undefined behaviour whenever it is executed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use axle_source::Loc;

use crate::tree::{Expr, Kind};
use crate::types::TypeId;

/// Identifies an expression by its address: the tree does not move during lowering.
pub(super) fn identity(e: &Expr) -> usize {
    std::ptr::from_ref(e) as usize
}

/// An access that is compared with others at run time.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    /// The lvalue, by [`identity`].
    pub access: usize,
    /// The register that holds its address.
    pub reg: u32,
    /// Preceding accesses that must not overlap it, with the sizes in bytes of this one and the
    /// other.
    pub others: Vec<(usize, (u8, u8))>,
}

/// The result of the traversal of a full expression.
pub(super) struct Found {
    /// Expressions with undefined behaviour when they are executed, by [`identity`].
    pub marked: BTreeSet<usize>,
    pub beside: Vec<Beside>,
    /// Pairs of functions whose calls are unsequenced, with the enclosing expression.
    pub calls: Vec<(u32, u32, Loc)>,
}

struct Access {
    /// The lvalue as it is written; `None` if it depends on a value without a name.
    name: Option<String>,
    /// The lvalue, if it is in memory and may have an alias.
    place: Option<Where>,
    write: bool,
    /// Executed conditionally within the expression.
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
    /// The functions that are called by name, in traversal order.
    called: Vec<u32>,
    calls: Vec<(u32, u32, Loc)>,
    in_register: &'a dyn Fn(u32) -> bool,
    size: &'a dyn Fn(TypeId) -> u64,
}

/// The result of the traversal of an operand.
struct Part {
    range: Range<usize>,
    called: Range<usize>,
    /// Writes whose side effect is not sequenced before the value computation.
    pending: Vec<usize>,
}

/// The subexpressions of a full expression with undefined behaviour, and the pairs to be checked at
/// run time.
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

/// The name of a value that depends on named objects only.
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

    /// Registers a pair for comparison at run time.
    fn beside(&mut self, one: Where, other: Where) {
        let position = |this: &mut Self, access: usize| {
            let known = this.beside.iter().position(|beside| beside.access == access);
            known.unwrap_or_else(|| {
                this.beside.push(Beside { access, reg: 0, others: Vec::new() });
                this.beside.len() - 1
            })
        };
        let (a, b) = (position(self, one.lvalue), position(self, other.lvalue));
        // The later access is compared with the earlier one.
        let (x, y) = (one.size as u8, other.size as u8);
        self.beside[a].others.push((other.lvalue, (x, y)));
        self.beside[b].others.push((one.lvalue, (y, x)));
    }

    /// The lvalues of two unsequenced accesses that may alias. Types of different sizes do not
    /// alias unless one is a character type (6.5p7).
    fn may_meet(one: &Access, other: &Access) -> Option<(Where, Where)> {
        let (a, b) = (one.place?, other.place?);
        let differ = one.name.is_none() || one.name != other.name;
        let fits = a.size == b.size || a.size == 1 || b.size == 1;
        ((one.write || other.write) && differ && (a.deref || b.deref) && fits && a.lvalue != b.lvalue)
            .then_some((a, b))
    }

    /// Combines operands that are unsequenced.
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
                        // Undefined if the conditional access is executed.
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

    /// Whether no variable in the name of an object has changed so far.
    fn certain(&self, name: &str) -> bool {
        !self.accesses.iter().any(|access| {
            let changes = |of: &String| name.len() > of.len() && name.contains(&format!("@{of}"));
            access.write && access.name.as_ref().is_some_and(changes)
        })
    }

    /// An operand that is executed conditionally.
    fn under_condition(&mut self, e: &Expr) -> Part {
        let part = self.expr(e);
        self.accesses[part.range.clone()].iter_mut().for_each(|access| access.maybe = true);
        part
    }

    fn many<'e>(&mut self, node: &Expr, list: impl IntoIterator<Item = &'e Expr>) -> Vec<usize> {
        let parts: Vec<Part> = list.into_iter().map(|e| self.expr(e)).collect();
        self.operands(node, &parts)
    }

    /// The accesses of an lvalue before the access to the object itself.
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
            // Statements are sequenced and consist of full expressions of their own.
            | Kind::Block(_) => Vec::new(),
            Kind::Compound(_, init) => {
                // The initialisers are indeterminately sequenced (6.7.9p23).
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
            // All arguments are evaluated before the call.
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

    /// The side effect of an assignment, together with pending side effects.
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
