//! Semantics of operators (C11 6.5.2 to 6.5.16): operand types, conversions, and the resulting
//! node.
//!
//! *Entry points:* [`Parser::operate`], [`Parser::choose`].
//! *Invariant:* the operands of a [`Kind::Binary`] have one type, except for shifts, whose operands
//! are promoted separately.

use axle_source::{Diagnostic, Loc};

use super::parser::{Parser, bad};
use crate::operators::Binary;
use crate::tree::{Expr, Init, InitItem, Kind};
use crate::types::{self, Qual, Quals, Type, TypeId};

impl Parser<'_> {
    /// Whether arithmetic on this type is supported.
    pub(super) fn computable(&mut self, ty: TypeId, loc: Loc) -> bool {
        if self.unevaluated == 0 && ty == types::LDOUBLE {
            let message = format!("arithmetic on `{}` is not supported", self.tree.types.show(ty));
            self.report("E0714", message, loc);
            return false;
        }
        true
    }

    /// Whether a value can be the distance of a shift.
    fn is_distance(&mut self, e: &Expr) -> bool {
        !self.refuse_wide(e.ty.ty, "the distance of a shift", e.loc)
    }

    /// Reports a 128-bit integer where none is supported.
    pub(super) fn refuse_wide(&mut self, ty: TypeId, what: &str, loc: Loc) -> bool {
        let refused = self.unevaluated == 0 && self.tree.types.is_wide(ty);
        if refused {
            let ty = self.tree.types.show(ty);
            self.report("E0714", format!("{what} of type `{ty}` is not supported"), loc);
        }
        refused
    }

    fn refuse(&mut self, word: &str, a: &Expr, b: &Expr, loc: Loc) -> Expr {
        if a.ty.ty != types::ERROR && b.ty.ty != types::ERROR {
            let (x, y) = (self.tree.types.show(a.ty.ty), self.tree.types.show(b.ty.ty));
            self.report("E0723", format!("invalid operands to `{word}`: `{x}` and `{y}`"), loc);
        }
        bad(loc)
    }

    /// A binary operator.
    pub(super) fn operate(&mut self, word: &str, a: Expr, b: Expr) -> Expr {
        let loc = self.sources.join(a.loc, b.loc);
        if matches!(word, "&&" | "||") {
            let (a, b) = (self.condition(a), self.condition(b));
            if a.ty.ty == types::ERROR || b.ty.ty == types::ERROR {
                return bad(loc);
            }
            let (a, b) = (Box::new(a), Box::new(b));
            let kind = if word == "&&" { Kind::AndAnd(a, b) } else { Kind::OrOr(a, b) };
            return self.value(kind, types::INT, loc);
        }
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        if a.ty.ty == types::ERROR || b.ty.ty == types::ERROR {
            return bad(loc);
        }
        let op = operator(word);
        let types = &self.tree.types;
        let (pa, pb) = (types.is_pointer(a.ty.ty), types.is_pointer(b.ty.ty));
        let (ia, ib) = (types.is_integer(a.ty.ty), types.is_integer(b.ty.ty));
        match op {
            Binary::Add if pa && ib => self.pointer_add(a, b, false, loc),
            Binary::Add if ia && pb => self.pointer_add(b, a, false, loc),
            Binary::Sub if pa && ib => self.pointer_add(a, b, true, loc),
            Binary::Sub if pa && pb => self.pointer_difference(a, b, loc),
            Binary::Shl | Binary::Shr => {
                if !ia || !ib {
                    return self.refuse(word, &a, &b, loc);
                }
                let (a, b) = (self.promote(a), self.promote(b));
                let ty = a.ty.ty;
                if !self.is_distance(&b) {
                    return bad(loc);
                }
                self.value(Kind::Binary(op, Box::new(a), Box::new(b)), ty, loc)
            }
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne if pa || pb => {
                self.compare_pointers(word, op, a, b, loc)
            }
            _ => self.arithmetic(word, op, a, b, loc),
        }
    }

    fn arithmetic(&mut self, word: &str, op: Binary, a: Expr, b: Expr, loc: Loc) -> Expr {
        let types = &self.tree.types;
        let integers = types.is_integer(a.ty.ty) && types.is_integer(b.ty.ty);
        let numbers = types.is_arithmetic(a.ty.ty) && types.is_arithmetic(b.ty.ty);
        let bitwise = matches!(op, Binary::Rem | Binary::And | Binary::Or | Binary::Xor);
        if !numbers || (bitwise && !integers) {
            return self.refuse(word, &a, &b, loc);
        }
        let common = self.common(&a, &b);
        if !self.computable(common, loc) {
            return bad(loc);
        }
        let (a, b) = (self.convert(a, common, false), self.convert(b, common, false));
        let ty = match op {
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne => types::INT,
            _ => common,
        };
        self.value(Kind::Binary(op, Box::new(a), Box::new(b)), ty, loc)
    }

    fn compare_pointers(&mut self, word: &str, op: Binary, a: Expr, b: Expr, loc: Loc) -> Expr {
        let types = &self.tree.types;
        let (a, b) = match (types.is_pointer(a.ty.ty), types.is_pointer(b.ty.ty)) {
            (true, true) => {
                let (x, y) = (types.pointee(a.ty.ty), types.pointee(b.ty.ty));
                if let (Some(x), Some(y)) = (x, y)
                    && !types.compatible(x.ty, y.ty)
                    && x.ty != types::VOID
                    && y.ty != types::VOID
                    && !self.is_null(&a)
                    && !self.is_null(&b)
                {
                    let (x, y) = (types.show(a.ty.ty), types.show(b.ty.ty));
                    self.warn("W0702", format!("comparison of distinct pointer types `{x}` and `{y}`"), loc);
                }
                (a, b)
            }
            (true, false) => {
                if !self.is_null(&b) && types.is_integer(b.ty.ty) {
                    self.warn("W0703", "comparison of pointer and integer", loc);
                } else if !types.is_integer(b.ty.ty) {
                    return self.refuse(word, &a, &b, loc);
                }
                let ty = a.ty.ty;
                (a, self.convert(b, ty, false))
            }
            (false, _) => {
                if !self.is_null(&a) && types.is_integer(a.ty.ty) {
                    self.warn("W0703", "comparison of pointer and integer", loc);
                } else if !types.is_integer(a.ty.ty) {
                    return self.refuse(word, &a, &b, loc);
                }
                let ty = b.ty.ty;
                (self.convert(a, ty, false), b)
            }
        };
        self.value(Kind::Binary(op, Box::new(a), Box::new(b)), types::INT, loc)
    }

    /// The step of pointer arithmetic: the element size, and for rows of variable length the number
    /// of elements in a row.
    fn stride(&mut self, pointer: TypeId, loc: Loc) -> Option<(u64, Option<Expr>)> {
        let to = self.tree.types.pointee(pointer)?;
        if self.tree.types.is_long(to.ty) {
            let count = self.elements_of(to.ty, loc)?;
            return Some((self.tree.types.size(self.tree.types.innermost(to.ty))?, Some(count)));
        }
        match self.tree.types.size(to.ty) {
            Some(size) => Some((size, None)),
            None => {
                let message =
                    format!("arithmetic on a pointer to incomplete type `{}`", self.tree.types.show(to.ty));
                self.report("E0722", message, loc);
                None
            }
        }
    }

    fn pointer_add(&mut self, pointer: Expr, index: Expr, minus: bool, loc: Loc) -> Expr {
        let ty = pointer.ty.ty;
        let Some((size, times)) = self.stride(ty, loc) else { return bad(loc) };
        // The index is sign-extended to the difference type.
        let index = self.promote(index);
        let wide = self.tree.types.ptrdiff_type();
        let index = match self.tree.types.is_signed(index.ty.ty) {
            true => self.convert(index, wide, false),
            false => {
                let unsigned = self.tree.types.size_type();
                self.convert(index, unsigned, false)
            }
        };
        let index = self.times(index, times, loc);
        self.value(Kind::PtrAdd { pointer: Box::new(pointer), index: Box::new(index), size, minus }, ty, loc)
    }

    fn pointer_difference(&mut self, a: Expr, b: Expr, loc: Loc) -> Expr {
        let compatible = match (self.tree.types.pointee(a.ty.ty), self.tree.types.pointee(b.ty.ty)) {
            (Some(x), Some(y)) => self.tree.types.compatible(x.ty, y.ty),
            _ => true,
        };
        if !compatible {
            return self.refuse("-", &a, &b, loc);
        }
        let Some((size, times)) = self.stride(a.ty.ty, loc) else { return bad(loc) };
        let ty = self.tree.types.ptrdiff_type();
        let difference = self.value(Kind::PtrDiff(Box::new(a), Box::new(b), size.max(1)), ty, loc);
        match times {
            Some(times) => {
                let times = self.convert(times, ty, false);
                self.value(Kind::Binary(Binary::Div, Box::new(difference), Box::new(times)), ty, loc)
            }
            None => difference,
        }
    }

    pub(super) fn subscript(&mut self, a: Expr, b: Expr, loc: Loc) -> Expr {
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        if a.ty.ty == types::ERROR || b.ty.ty == types::ERROR {
            return bad(loc);
        }
        let types = &self.tree.types;
        let (pointer, index) = if types.is_pointer(a.ty.ty) { (a, b) } else { (b, a) };
        if !types.is_pointer(pointer.ty.ty) || !types.is_integer(index.ty.ty) {
            return self.refuse("[]", &pointer, &index, loc);
        }
        let sum = self.pointer_add(pointer, index, false, loc);
        self.dereference(sum, loc)
    }

    pub(super) fn dereference(&mut self, e: Expr, loc: Loc) -> Expr {
        let e = self.rvalue(e);
        if e.ty.ty == types::ERROR {
            return bad(loc);
        }
        match self.tree.types.pointee(e.ty.ty) {
            Some(to) => self.object(Kind::Deref(Box::new(e)), to, loc),
            None => {
                let message = format!("dereference of a value of type `{}`", self.tree.types.show(e.ty.ty));
                self.report("E0723", message, loc);
                bad(loc)
            }
        }
    }

    pub(super) fn address_of(&mut self, mut e: Expr, loc: Loc) -> Expr {
        if e.ty.ty == types::ERROR {
            return bad(loc);
        }
        if !e.lvalue {
            self.report("E0724", "operand of `&` is neither an lvalue nor a function", loc);
            return bad(loc);
        }
        if matches!(e.kind, Kind::Member { bits: Some(_), .. }) {
            self.report("E0724", "address of bit-field requested", loc);
            return bad(loc);
        }
        self.mark_addressed(&e);
        let ty = self.tree.types.pointer(e.ty);
        // `&*p` is `p`.
        if let Kind::Deref(pointer) = e.kind {
            return Expr { ty: Qual::plain(ty), loc, lvalue: false, ..*pointer };
        }
        e.lvalue = true;
        self.value(Kind::AddressOf(Box::new(e)), ty, loc)
    }

    fn mark_addressed(&mut self, e: &Expr) {
        let mut at = e;
        loop {
            match &at.kind {
                Kind::Member { base, .. } => at = base,
                Kind::Local(id) => {
                    if self.unevaluated == 0
                        && let Some(body) = &mut self.body
                    {
                        body.locals[*id as usize].addressed = true;
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Whether the expression is a modifiable lvalue; reports an error if not.
    fn modifiable(&mut self, e: &Expr) -> bool {
        if e.ty.ty == types::ERROR {
            return false;
        }
        let why = if !e.lvalue {
            "expression is not an lvalue"
        } else if e.ty.quals.has(Quals::CONST) || self.has_const_member(e.ty.ty, 0) {
            "object is declared `const`"
        } else {
            match self.tree.types.get(e.ty.ty) {
                Type::Array(..) | Type::Long(..) => "expression has array type",
                Type::Function(_) => "expression is a function",
                Type::Void => "expression has type `void`",
                _ if self.tree.types.size(e.ty.ty).is_none() => "expression has incomplete type",
                _ => return true,
            }
        };
        self.diagnostics
            .push(Diagnostic::error("E0724", format!("expression is not assignable: {why}")).at(e.loc, ""));
        false
    }

    fn has_const_member(&self, ty: TypeId, depth: u32) -> bool {
        depth < 8
            && self.tree.types.record(ty).is_some_and(|record| {
                record
                    .fields
                    .iter()
                    .any(|f| f.ty.quals.has(Quals::CONST) || self.has_const_member(f.ty.ty, depth + 1))
            })
    }

    pub(super) fn assign(&mut self, target: Expr, value: Expr) -> Expr {
        let loc = self.sources.join(target.loc, value.loc);
        if !self.modifiable(&target) {
            self.rvalue(value);
            return bad(loc);
        }
        let value = self.assignable(value, target.ty, "the assigned value");
        if value.ty.ty == types::ERROR {
            return bad(loc);
        }
        let ty = target.ty.ty;
        self.value(Kind::Assign(Box::new(target), Box::new(value)), ty, loc)
    }

    pub(super) fn assign_op(&mut self, word: &'static str, target: Expr, value: Expr) -> Expr {
        let loc = self.sources.join(target.loc, value.loc);
        let value = self.rvalue(value);
        if !self.modifiable(&target) || value.ty.ty == types::ERROR {
            return bad(loc);
        }
        let op = operator(word);
        let ty = target.ty.ty;
        let types = &self.tree.types;
        if types.is_pointer(ty) && matches!(op, Binary::Add | Binary::Sub) && types.is_integer(value.ty.ty) {
            let Some((size, times)) = self.stride(ty, loc) else { return bad(loc) };
            let value = self.promote(value);
            let wide = match self.tree.types.is_signed(value.ty.ty) {
                true => self.tree.types.ptrdiff_type(),
                false => self.tree.types.size_type(),
            };
            let value = self.convert(value, wide, false);
            let value = Box::new(self.times(value, times, loc));
            let kind = Kind::AssignOp { op, target: Box::new(target), value, work: ty, size: Some(size) };
            return self.value(kind, ty, loc);
        }
        let integers = types.is_integer(ty) && types.is_integer(value.ty.ty);
        let numbers = types.is_arithmetic(ty) && types.is_arithmetic(value.ty.ty);
        let fine = match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div => numbers,
            _ => integers,
        };
        if !fine {
            return self.refuse(&format!("{word}="), &target, &value, loc);
        }
        let shift = matches!(op, Binary::Shl | Binary::Shr);
        let work = if shift { self.promoted(&target) } else { self.common(&target, &value) };
        if !self.computable(work, loc) {
            return bad(loc);
        }
        let value = if shift { self.promote(value) } else { self.convert(value, work, false) };
        if shift && !self.is_distance(&value) {
            return bad(loc);
        }
        let kind = Kind::AssignOp { op, target: Box::new(target), value: Box::new(value), work, size: None };
        self.value(kind, ty, loc)
    }

    pub(super) fn step(&mut self, target: Expr, minus: bool, post: bool, loc: Loc) -> Expr {
        if !self.modifiable(&target) {
            return bad(loc);
        }
        let ty = target.ty.ty;
        let size = if self.tree.types.is_pointer(ty) {
            match self.stride(ty, loc) {
                Some((_, Some(count))) => return self.step_of_rows(target, count, minus, post, loc),
                Some((size, None)) => Some(size),
                None => return bad(loc),
            }
        } else if self.tree.types.is_arithmetic(ty) {
            None
        } else {
            let message =
                format!("invalid operand to increment or decrement: `{}`", self.tree.types.show(ty));
            self.report("E0723", message, loc);
            return bad(loc);
        };
        if !self.computable(ty, loc) {
            return bad(loc);
        }
        self.value(Kind::Step { target: Box::new(target), minus, post, size }, ty, loc)
    }

    /// An argument for a parameter of transparent union type: the union initialised by the first
    /// matching member.
    pub(super) fn as_transparent(&mut self, e: Expr, to: TypeId) -> Expr {
        if !self.tree.types.record(to).is_some_and(|record| record.transparent) {
            return e;
        }
        let e = self.rvalue(e);
        let types = &self.tree.types;
        let (from, null) = (e.ty.ty, self.is_null(&e));
        if types.compatible(from, to) || self.body.is_none() {
            return e;
        }
        let members: Vec<TypeId> = types.record(to).iter().flat_map(|r| &r.fields).map(|f| f.ty.ty).collect();
        let fits = |member: &&TypeId| types.compatible(**member, from);
        // A null pointer constant matches every pointer, and so does a pointer to `void`.
        let any = |member: &&TypeId| {
            let void = |ty: TypeId| types.pointee(ty).is_some_and(|to| to.ty == types::VOID);
            types.is_pointer(**member) && (null || types.is_pointer(from) && (void(from) || void(**member)))
        };
        let Some(&member) = members.iter().find(fits).or(members.iter().find(any)) else { return e };
        let loc = e.loc;
        let e = self.convert(e, member, false);
        self.as_union(e, to, 0, loc)
    }

    /// A cast to a union type (GNU extension): a compound literal with the matching member.
    fn as_union(&mut self, e: Expr, union: TypeId, offset: u64, loc: Loc) -> Expr {
        let ty = Qual::plain(union);
        let local = self.new_local("(literal)".into(), ty);
        if let Some(body) = &mut self.body {
            body.locals[local as usize].addressed = true;
        }
        let init = Init { zero: true, items: vec![InitItem { offset, bits: None, value: e }] };
        let literal = self.object(Kind::Compound(local, Box::new(init)), ty, loc);
        self.rvalue(literal)
    }

    pub(super) fn explicit_cast(&mut self, e: Expr, to: Qual, loc: Loc) -> Expr {
        let e = self.rvalue(e);
        let (from, target) = (e.ty.ty, to.ty);
        if from == types::ERROR || target == types::ERROR {
            return bad(loc);
        }
        if self.body.is_some()
            && let Some(offset) = self.tree.types.union_member(target, from)
        {
            return self.as_union(e, target, offset, loc);
        }
        let types = &self.tree.types;
        let float = |ty: TypeId| matches!(types.get(ty), Type::Float(_));
        let fine = target == types::VOID
            || (types.is_scalar(from)
                && types.is_scalar(target)
                && !(types.is_pointer(from) && float(target))
                && !(float(from) && types.is_pointer(target)))
            || (from == target && types.is_record(from));
        if !fine {
            let (x, y) = (types.show(from), types.show(target));
            self.report("E0723", format!("invalid cast from `{x}` to `{y}`"), loc);
            return bad(loc);
        }
        if from == target && types.is_record(from) {
            return e;
        }
        if !self.wide_convertible(from, target, loc) {
            return bad(loc);
        }
        let types = &self.tree.types;
        // A constant remains a constant, so that null pointer constants are recognised.
        if let Kind::Int(value) = e.kind
            && !(types.is_wide(target) && !types.is_signed(from) && (value as i64) < 0)
            && (types.is_integer(target) || (types.is_pointer(target) && from != types::VOID))
        {
            return Expr { loc, ..self.int(value, target, loc) };
        }
        let mut e = self.value(Kind::Convert(Box::new(e)), target, loc);
        e.loc = loc;
        e
    }

    /// `condition ? middle : other`.
    pub(super) fn choose(&mut self, condition: Expr, middle: Option<Expr>, other: Expr) -> Expr {
        let loc = self.sources.join(condition.loc, other.loc);
        let condition = self.condition(condition);
        let gnu = middle.is_none();
        let a = match middle {
            Some(middle) => self.rvalue(middle),
            None => condition.clone(),
        };
        let b = self.rvalue(other);
        if [&condition, &a, &b].iter().any(|e| e.ty.ty == types::ERROR) {
            return bad(loc);
        }
        let types = &self.tree.types;
        let (x, y) = (a.ty.ty, b.ty.ty);
        let ty = if types.is_arithmetic(x) && types.is_arithmetic(y) {
            self.common(&a, &b)
        } else if x == types::VOID || y == types::VOID {
            types::VOID
        } else if types.is_record(x) && types.compatible(x, y) {
            x
        } else if types.is_pointer(x) || types.is_pointer(y) {
            match (types.pointee(x), types.pointee(y)) {
                (Some(to), Some(other)) => {
                    if self.is_null(&a) {
                        y
                    } else if self.is_null(&b) {
                        x
                    } else if to.ty == types::VOID || other.ty == types::VOID {
                        let quals = to.quals.with(other.quals);
                        self.tree.types.pointer(Qual { ty: types::VOID, quals })
                    } else {
                        if !types.compatible(to.ty, other.ty) {
                            let (x, y) = (types.show(x), types.show(y));
                            self.warn(
                                "W0702",
                                format!("pointer type mismatch in conditional expression: `{x}` and `{y}`"),
                                loc,
                            );
                        }
                        let quals = to.quals.with(other.quals);
                        self.tree.types.pointer(Qual { ty: to.ty, quals })
                    }
                }
                (Some(_), None) if types.is_integer(y) => x,
                (None, Some(_)) if types.is_integer(x) => y,
                _ => return self.refuse("?:", &a, &b, loc),
            }
        } else {
            return self.refuse("?:", &a, &b, loc);
        };
        let b = if ty == types::VOID { b } else { self.convert_kept(b, ty) };
        if gnu {
            return self.value(Kind::Cond(Box::new(condition), None, Box::new(b)), ty, loc);
        }
        let a = if ty == types::VOID { a } else { self.convert_kept(a, ty) };
        self.value(Kind::Cond(Box::new(condition), Some(Box::new(a)), Box::new(b)), ty, loc)
    }

    /// As [`Parser::convert`], but records are unchanged.
    fn convert_kept(&mut self, e: Expr, ty: TypeId) -> Expr {
        if self.tree.types.is_record(ty) { e } else { self.convert(e, ty, false) }
    }
}

pub(super) fn operator(word: &str) -> Binary {
    match word {
        "+" => Binary::Add,
        "-" => Binary::Sub,
        "*" => Binary::Mul,
        "/" => Binary::Div,
        "%" => Binary::Rem,
        "<<" => Binary::Shl,
        ">>" => Binary::Shr,
        "&" => Binary::And,
        "|" => Binary::Or,
        "^" => Binary::Xor,
        "<" => Binary::Lt,
        "<=" => Binary::Le,
        ">" => Binary::Gt,
        ">=" => Binary::Ge,
        "==" => Binary::Eq,
        _ => Binary::Ne,
    }
}
