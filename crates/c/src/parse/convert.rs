//! Conversions (C11 6.3): integer promotions, the usual arithmetic conversions, conversion as if by
//! assignment. Each conversion is a node of the tree.
//!
//! *Entry points:* [`Parser::rvalue`], [`Parser::convert`], [`Parser::assignable`].

use axle_source::{Diagnostic, Loc};

use super::constant::{evaluate, wrap};
use super::parser::{Parser, bad};
use crate::tree::{Expr, Kind};
use crate::types::{self, FloatKind, IntKind, Qual, Type, TypeId};

impl Parser<'_> {
    /// The value of an expression: loads lvalues, decays arrays and functions (6.3.2.1).
    pub(super) fn rvalue(&mut self, e: Expr) -> Expr {
        let loc = e.loc;
        match self.tree.types.get(e.ty.ty).clone() {
            Type::Array(element, _) | Type::Long(element, _) => {
                let ty = self.tree.types.pointer(Qual { quals: element.quals.with(e.ty.quals), ..element });
                self.value(Kind::Decay(Box::new(e)), ty, loc)
            }
            Type::Function(_) => {
                let ty = self.tree.types.pointer(Qual::plain(e.ty.ty));
                self.value(Kind::Decay(Box::new(e)), ty, loc)
            }
            _ if e.lvalue => {
                let ty = e.ty.ty;
                if self.tree.types.size(ty).is_none() && self.unevaluated == 0 {
                    let message = format!(
                        "expression of incomplete type `{}` used as a value",
                        self.tree.types.show(ty)
                    );
                    self.report("E0722", message, loc);
                    return bad(loc);
                }
                self.value(Kind::Load(Box::new(e)), ty, loc)
            }
            _ => e,
        }
    }

    /// An integer constant.
    pub(super) fn int(&self, value: u64, ty: TypeId, loc: Loc) -> Expr {
        let value = wrap(&self.tree.types, ty, value);
        Expr { kind: Kind::Int(value), ty: Qual::plain(ty), loc, lvalue: false, depth: 1 }
    }

    /// Converts a value to an unqualified type; the caller has checked the constraint.
    pub(super) fn convert(&mut self, e: Expr, to: TypeId, explicit: bool) -> Expr {
        if e.ty.ty == to && !explicit {
            return e;
        }
        if e.ty.ty == types::ERROR || to == types::ERROR {
            return Expr { ty: Qual::plain(types::ERROR), ..e };
        }
        let loc = e.loc;
        if !self.wide_convertible(e.ty.ty, to, loc) {
            return bad(loc);
        }
        let types = &self.tree.types;
        if let Kind::Int(value) = e.kind
            && !explicit
            && !(types.is_wide(to) && !types.is_signed(e.ty.ty) && (value as i64) < 0)
            && (self.tree.types.is_integer(to) || self.tree.types.is_pointer(to))
        {
            return self.int(value, to, loc);
        }
        self.value(Kind::Convert(Box::new(e)), to, loc)
    }

    /// Whether values of one type can be converted to the other: those of 128 bits and floating ones
    /// cannot.
    pub(super) fn wide_convertible(&mut self, from: TypeId, to: TypeId, loc: Loc) -> bool {
        let types = &self.tree.types;
        let float = |ty: TypeId| matches!(types.get(ty), Type::Float(_));
        let refused = (types.is_wide(from) && float(to)) || (float(from) && types.is_wide(to));
        if refused && self.unevaluated == 0 {
            let (from, to) = (types.show(from), types.show(to));
            self.report("E0714", format!("conversion from `{from}` to `{to}` is not supported"), loc);
        }
        !refused
    }

    /// The type after integer promotion (6.3.1.1p2); bit-fields are promoted by their width, as in
    /// GCC.
    pub(super) fn promoted(&self, e: &Expr) -> TypeId {
        let types = &self.tree.types;
        let ty = e.ty.ty;
        if let Some(width) = bit_width(e) {
            return match (types.is_signed(ty), width) {
                (true, 0..=32) | (false, 0..=31) => types::INT,
                (false, 32) => types::UINT,
                _ => ty,
            };
        }
        match types.get(ty) {
            Type::Bool => types::INT,
            Type::Enum(_) | Type::Int(_) => match types.int_kind(ty) {
                Some(
                    IntKind::Char
                    | IntKind::SChar
                    | IntKind::UChar
                    | IntKind::Short
                    | IntKind::UShort
                    | IntKind::Int,
                ) => types::INT,
                Some(IntKind::UInt) => types::UINT,
                _ => ty,
            },
            _ => ty,
        }
    }

    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        let to = self.promoted(&e);
        self.convert(e, to, false)
    }

    /// The common type of two arithmetic operands (6.3.1.8).
    pub(super) fn common(&self, a: &Expr, b: &Expr) -> TypeId {
        use IntKind as I;
        let types = &self.tree.types;
        let float = |e: &Expr| match types.get(e.ty.ty) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        };
        if let Some(kind) = float(a).max(float(b)) {
            return match kind {
                FloatKind::Float => types::FLOAT,
                FloatKind::Double => types::DOUBLE,
                FloatKind::LongDouble => types::LDOUBLE,
            };
        }
        let (x, y) = (self.promoted(a), self.promoted(b));
        if x == y {
            return x;
        }
        let (Some(i), Some(j)) = (types.int_kind(x), types.int_kind(y)) else { return types::ERROR };
        let rank = |kind: I| match kind {
            I::Long | I::ULong => 2,
            I::LLong | I::ULLong => 3,
            I::Int128 | I::UInt128 => 4,
            _ => 1,
        };
        let (si, sj) = (types.is_signed(x), types.is_signed(y));
        let unsigned_of = |ty: TypeId| match ty {
            types::LONG => types::ULONG,
            types::LLONG => types::ULLONG,
            types::INT128 => types::UINT128,
            _ => types::UINT,
        };
        if si == sj {
            return if rank(i) >= rank(j) { x } else { y };
        }
        let (unsigned, u, signed, s) = if si { (y, j, x, i) } else { (x, i, y, j) };
        if rank(u) >= rank(s) {
            unsigned
        } else if types.int_size(s) > types.int_size(u) {
            signed
        } else {
            unsigned_of(signed)
        }
    }

    /// Whether the expression is a null pointer constant (6.3.2.3p3).
    pub(super) fn is_null(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Int(value) => {
                *value == 0 && (self.tree.types.is_integer(e.ty.ty) || e.ty.ty == types::VOID_PTR)
            }
            Kind::Convert(inner) if e.ty.ty == types::VOID_PTR || self.tree.types.is_integer(e.ty.ty) => {
                self.is_null(inner)
            }
            _ if e.depth < 12 && self.tree.types.is_integer(e.ty.ty) => {
                matches!(evaluate(self.tree, e), Some(super::Constant::Int(0)))
            }
            _ => false,
        }
    }

    /// A value converted as if by assignment to an object of type `to` (6.5.16.1); `what` names the
    /// context in messages.
    pub(super) fn assignable(&mut self, e: Expr, to: Qual, what: &str) -> Expr {
        let e = self.rvalue(e);
        let (from, target) = (e.ty.ty, to.ty);
        if from == types::ERROR || target == types::ERROR {
            return bad(e.loc);
        }
        let types = &self.tree.types;
        if types.is_arithmetic(target) && types.is_arithmetic(from) {
            return self.convert(e, target, false);
        }
        if *types.get(target) == Type::Bool && types.is_pointer(from) {
            return self.convert(e, target, false);
        }
        let fits = match (types.get(target), types.get(from)) {
            (Type::Record(_), _) => {
                if types.compatible(target, from) {
                    return Expr { ty: Qual::plain(target), ..e };
                }
                false
            }
            (Type::Pointer(x), Type::Pointer(y)) => {
                let fine = types.compatible(x.ty, y.ty)
                    || x.ty == types::VOID
                    || y.ty == types::VOID
                    || self.is_null(&e)
                    || (types.is_integer(x.ty)
                        && types.is_integer(y.ty)
                        && types.size(x.ty) == types.size(y.ty));
                if !fine {
                    let message = format!(
                        "incompatible pointer types: {what} has type `{}`, expected `{}`",
                        types.show(from),
                        types.show(target)
                    );
                    let loc = e.loc;
                    self.warn("W0702", message, loc);
                }
                true
            }
            (Type::Pointer(_), _) if types.is_integer(from) => {
                if !self.is_null(&e) {
                    let message = format!("{what}: conversion from integer to pointer without a cast");
                    let loc = e.loc;
                    self.warn("W0703", message, loc);
                }
                true
            }
            (_, Type::Pointer(_)) if types.is_integer(target) => {
                let message = format!("{what}: conversion from pointer to integer without a cast");
                let loc = e.loc;
                self.warn("W0703", message, loc);
                true
            }
            _ => false,
        };
        if fits {
            return self.convert(e, target, false);
        }
        let (from, target) = (self.tree.types.show(from), self.tree.types.show(target));
        let loc = e.loc;
        let message = format!("incompatible types: {what} has type `{from}`, expected `{target}`");
        self.diagnostics.push(Diagnostic::error("E0723", message).at(loc, ""));
        bad(loc)
    }

    /// A value that can be compared with zero.
    pub(super) fn condition(&mut self, e: Expr) -> Expr {
        let e = self.rvalue(e);
        if e.ty.ty != types::ERROR && !self.tree.types.is_scalar(e.ty.ty) {
            let message = format!("condition has non-scalar type `{}`", self.tree.types.show(e.ty.ty));
            let loc = e.loc;
            self.report("E0723", message, loc);
            return bad(loc);
        }
        e
    }

    /// The argument of a call without a prototype (6.5.2.2p6).
    pub(super) fn default_argument(&mut self, e: Expr) -> Expr {
        let e = self.rvalue(e);
        if e.ty.ty == types::FLOAT {
            return self.convert(e, types::DOUBLE, false);
        }
        if *self.tree.types.get(e.ty.ty) == Type::Void {
            let loc = e.loc;
            self.report("E0725", "argument has type `void`", loc);
            return bad(loc);
        }
        let (ty, loc) = (e.ty.ty, e.loc);
        if self.refuse_wide(ty, "a variable argument", loc) {
            return bad(loc);
        }
        if self.tree.types.is_integer(ty) { self.promote(e) } else { e }
    }
}

/// The width of the bit-field that an expression reads or designates.
pub(super) fn bit_width(e: &Expr) -> Option<u8> {
    match &e.kind {
        Kind::Member { bits: Some(bits), .. } => Some(bits.width),
        Kind::Load(inner) | Kind::Assign(inner, _) => bit_width(inner),
        Kind::Step { target, .. } | Kind::AssignOp { target, .. } => bit_width(target),
        Kind::Comma(_, b) => bit_width(b),
        _ => None,
    }
}
