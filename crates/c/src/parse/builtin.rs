//! Compiler builtins: `__builtin_*`, and those of `atomic_builtin`.
//!
//! *Entry point:* [`Parser::builtin`].

use axle_source::{Diagnostic, Loc};

use super::constant::{Constant, evaluate};
use super::parser::{Entity, Linked, Parsed, Parser, Reported, bad};
use crate::grammar::Expressions;
use crate::grammar::declarators::Declarators;
use crate::operators::{Binary, BitOp};
use crate::tree::{Builtin, Expr, Kind};
use crate::types::{self, Qual, Type, TypeId};

impl Parser<'_> {
    /// Parses the arguments of a builtin; `None` if the name is not a known builtin.
    pub(super) fn builtin(&mut self, name: &str, start: Loc) -> Parsed<Option<Expr>> {
        if self.lookup(name).is_some() || !self.is("(") {
            return Ok(None);
        }
        if let Some(rest) = name.strip_prefix("__builtin_") {
            return self.plain_builtin(rest, start);
        }
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.atomic(rest, false, start);
        }
        if let Some(rest) = name.strip_prefix("__c11_atomic_") {
            return self.atomic(rest, true, start);
        }
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync(rest, start);
        }
        Ok(None)
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.is(")") {
            arguments.push(self.assignment()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    /// A builtin with types, or with unevaluated expressions, among its arguments; `None` if the name is not
    /// one of these.
    fn syntactic_builtin(&mut self, name: &str, start: Loc) -> Parsed<Option<Expr>> {
        match name {
            "va_start" | "va_end" | "va_copy" => {
                let arguments = self.arguments()?;
                let loc = self.since(start);
                let kind = match name {
                    "va_start" => Builtin::VaStart,
                    "va_end" => Builtin::VaEnd,
                    _ => Builtin::VaCopy,
                };
                let wanted = if kind == Builtin::VaCopy { 2 } else { 1 };
                let lists: Vec<Expr> = arguments.into_iter().take(wanted).map(|e| self.rvalue(e)).collect();
                if lists.len() < wanted {
                    self.report("E0725", "too few arguments to builtin function", loc);
                    return Ok(Some(bad(loc)));
                }
                Ok(Some(self.value(Kind::Builtin(kind, lists), types::VOID, loc)))
            }
            "va_arg" => {
                self.expect("(")?;
                let list = self.assignment()?;
                let list = self.rvalue(list);
                self.expect(",")?;
                let ty = self.type_name()?;
                self.expect(")")?;
                let loc = self.since(start);
                if !self.tree.types.is_scalar(ty.ty) || self.tree.types.is_wide(ty.ty) {
                    self.report("E0714", "`va_arg` supports only arithmetic and pointer types", loc);
                    return Ok(Some(bad(loc)));
                }
                Ok(Some(self.value(Kind::Builtin(Builtin::VaArg, vec![list]), ty.ty, loc)))
            }
            "offsetof" => self.offset_of(start).map(Some),
            "types_compatible_p" => {
                self.expect("(")?;
                let a = self.type_name()?;
                self.expect(",")?;
                let b = self.type_name()?;
                self.expect(")")?;
                let same = self.tree.types.alike(a.ty, b.ty);
                let loc = self.since(start);
                Ok(Some(self.int(same.into(), types::INT, loc)))
            }
            "classify_type" => {
                self.unevaluated += 1;
                let arguments = self.arguments();
                self.unevaluated -= 1;
                let argument = arguments?.into_iter().next();
                let class = argument.map_or(-1, |e| self.class_of(e));
                let loc = self.since(start);
                Ok(Some(self.int(class as u64, types::INT, loc)))
            }
            "choose_expr" => {
                self.expect("(")?;
                let condition = self.constant_integer()?;
                self.expect(",")?;
                let a = self.assignment()?;
                self.expect(",")?;
                let b = self.assignment()?;
                self.expect(")")?;
                Ok(Some(if condition != 0 { a } else { b }))
            }
            "constant_p" => {
                self.unevaluated += 1;
                let arguments = self.arguments();
                self.unevaluated -= 1;
                let constant = arguments?.first().is_some_and(|e| {
                    matches!(e.kind, Kind::Str(_))
                        || matches!(evaluate(self.tree, e), Some(Constant::Int(_) | Constant::Real(_)))
                });
                let loc = self.since(start);
                Ok(Some(self.int(constant.into(), types::INT, loc)))
            }
            _ => Ok(None),
        }
    }

    fn plain_builtin(&mut self, name: &str, start: Loc) -> Parsed<Option<Expr>> {
        if let Some(done) = self.syntactic_builtin(name, start)? {
            return Ok(Some(done));
        }
        let size_type = self.tree.types.size_type();
        let arguments = self.arguments()?;
        let loc = self.since(start);
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        let mut first = arguments.next();
        let done = match (name, count) {
            ("expect" | "expect_with_probability", 2..) => match first.take() {
                Some(e) => {
                    let e = self.rvalue(e);
                    self.convert(e, types::LONG, false)
                }
                None => bad(loc),
            },
            ("unreachable", 0) => {
                self.value(Kind::Builtin(Builtin::Unreachable, Vec::new()), types::VOID, loc)
            }
            ("trap", 0) => self.value(Kind::Builtin(Builtin::Trap, Vec::new()), types::VOID, loc),
            ("ia32_pause" | "ia32_mfence" | "ia32_lfence" | "ia32_sfence", 0) => {
                let nothing = self.int(0, types::INT, loc);
                self.value(Kind::Convert(Box::new(nothing)), types::VOID, loc)
            }
            ("prefetch", 1..) => {
                // The address is evaluated, and the memory is not accessed.
                let address = match first.take() {
                    Some(e) => self.rvalue(e),
                    None => bad(loc),
                };
                self.value(Kind::Convert(Box::new(address)), types::VOID, loc)
            }
            ("assume_aligned", 2..) => match first.take() {
                Some(e) => self.assignable(e, Qual::plain(types::VOID_PTR), "the argument"),
                None => bad(loc),
            },
            ("object_size", 2) => self.int(u64::MAX, size_type, loc),
            ("huge_val" | "inf", 0) => self.value(Kind::Real(f64::INFINITY), types::DOUBLE, loc),
            ("huge_valf" | "inff", 0) => self.value(Kind::Real(f64::INFINITY), types::FLOAT, loc),
            ("nan", 1) => self.value(Kind::Real(f64::NAN), types::DOUBLE, loc),
            ("nanf", 1) => self.value(Kind::Real(f64::NAN), types::FLOAT, loc),
            (_, 1) if bits_of(name).is_some() => match (first.take(), bits_of(name)) {
                (Some(e), Some((what, argument))) => self.bits(what, argument, e, loc),
                _ => bad(loc),
            },
            (_, 3) if overflow_of(name).is_some() => match overflow_of(name) {
                Some((op, of)) => {
                    let values = first.take().into_iter().chain(arguments).collect();
                    self.overflow(op, of, values, loc)
                }
                None => bad(loc),
            },
            ("add_overflow_p" | "sub_overflow_p" | "mul_overflow_p", 3) => {
                let op = match name.get(..3) {
                    Some("add") => Binary::Add,
                    Some("sub") => Binary::Sub,
                    _ => Binary::Mul,
                };
                let values = first.take().into_iter().chain(arguments).collect();
                self.would_overflow(op, values, loc)
            }
            ("alloca", 1) => match first.take() {
                Some(e) => {
                    let size = self.assignable(e, Qual::plain(size_type), "the argument");
                    self.value(Kind::Builtin(Builtin::Alloca, vec![size]), types::VOID_PTR, loc)
                }
                None => bad(loc),
            },
            _ => {
                let values = first.take().into_iter().chain(arguments).collect();
                return self.library_builtin(name, values, (start, loc));
            }
        };
        Ok(Some(done))
    }

    /// A library function under its builtin name; two of them depend on the width of the argument.
    fn library_builtin(
        &mut self,
        name: &str,
        values: Vec<Expr>,
        (start, loc): (Loc, Loc),
    ) -> Parsed<Option<Expr>> {
        let float = values.last().is_some_and(|e| e.ty.ty == types::FLOAT);
        let name = match name {
            "isnormal" if float => "__axle_isnormal_float",
            "fpclassify" if float => "__axle_fpclassify_float",
            name => name,
        };
        let id = match (self.lookup(name), self.linkage.names.get(name)) {
            (Some(&Entity::Function(id)), _) | (_, Some(&Linked::Function(id))) => id,
            _ => {
                let message = format!("`__builtin_{name}` is not supported");
                return self.error(Diagnostic::error("E0714", message).at(loc, ""));
            }
        };
        let ty = self.function_type(id);
        let callee = self.object(Kind::Function(id), ty, start);
        Ok(Some(self.call(callee, values, loc)))
    }

    /// A bit operation on a number.
    fn bits(&mut self, what: BitOp, argument: TypeId, e: Expr, loc: Loc) -> Expr {
        let value = self.assignable(e, Qual::plain(argument), "the argument");
        let ty = if what == BitOp::Swap { argument } else { types::INT };
        self.value(Kind::Builtin(Builtin::Bits(what), vec![value]), ty, loc)
    }

    /// Whether the exact result overflows the object of the third argument; all three have one type
    /// if the builtin's name determines it.
    fn overflow(&mut self, op: Binary, of: Option<TypeId>, values: Vec<Expr>, loc: Loc) -> Expr {
        let mut values: Vec<Expr> = values.into_iter().map(|e| self.rvalue(e)).collect();
        if let Some(ty) = of {
            let to = self.tree.types.pointer(Qual::plain(ty));
            let wanted = [ty, ty, to];
            let converted = values.into_iter().zip(wanted);
            values = converted.map(|(e, ty)| self.assignable(e, Qual::plain(ty), "the argument")).collect();
        }
        let types = &self.tree.types;
        let fits = |ty: TypeId| types.is_integer(ty) && !types.is_wide(ty);
        let fine = fits(values[0].ty.ty)
            && fits(values[1].ty.ty)
            && types.pointee(values[2].ty.ty).is_some_and(|to| fits(to.ty));
        if !fine {
            if values.iter().all(|e| e.ty.ty != types::ERROR) {
                self.report(
                    "E0725",
                    "expected two integers and a pointer to an integer, of at most 64 bits",
                    loc,
                );
            }
            return bad(loc);
        }
        self.value(Kind::Builtin(Builtin::Overflow(op), values), types::BOOL, loc)
    }

    /// Whether the exact result overflows the type of the third argument, which is not evaluated.
    fn would_overflow(&mut self, op: Binary, values: Vec<Expr>, loc: Loc) -> Expr {
        let Ok([a, b, like]) = <[Expr; 3]>::try_from(values) else { return bad(loc) };
        let (a, b) = (self.rvalue(a), self.rvalue(b));
        let ty = like.ty.ty;
        let types = &self.tree.types;
        let odd =
            matches!(types.get(ty), Type::Bool | Type::Enum(_)) || super::convert::bit_width(&like).is_some();
        if odd || ![a.ty.ty, b.ty.ty, ty].iter().all(|&ty| types.is_integer(ty) && types.size(ty) <= Some(8))
        {
            if [&a, &b, &like].iter().all(|e| e.ty.ty != types::ERROR) {
                self.report("E0714", "expected three integers of at most 64 bits", loc);
            }
            return bad(loc);
        }
        if let (Some(Constant::Int(x)), Some(Constant::Int(y))) =
            (evaluate(self.tree, &a), evaluate(self.tree, &b))
        {
            let wide = |e: &Expr, value: u64| match self.tree.types.is_signed(e.ty.ty) {
                true => i128::from(value as i64),
                false => i128::from(value),
            };
            let (x, y) = (wide(&a, x), wide(&b, y));
            let exact = match op {
                Binary::Add => x.checked_add(y),
                Binary::Sub => x.checked_sub(y),
                _ => x.checked_mul(y),
            };
            let bits = 8 * self.tree.types.size(ty).unwrap_or(8) as u32;
            let (low, high) = match self.tree.types.is_signed(ty) {
                true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            let over = exact.is_none_or(|exact| exact < low || exact > high);
            return self.int(over.into(), types::BOOL, loc);
        }
        let ty = Qual::plain(ty);
        let result = self.new_local("(literal)".into(), ty);
        if let Some(body) = &mut self.body {
            body.locals[result as usize].addressed = true;
        }
        let init = crate::tree::Init { zero: true, items: Vec::new() };
        let result = self.object(Kind::Compound(result, Box::new(init)), ty, loc);
        let pointer = self.tree.types.pointer(ty);
        let to = self.value(Kind::AddressOf(Box::new(result)), pointer, loc);
        let plain = matches!(like.kind, Kind::Int(_)) || like.lvalue;
        let over = self.value(Kind::Builtin(Builtin::Overflow(op), vec![a, b, to]), types::BOOL, loc);
        if plain {
            return over;
        }
        let like = self.value(Kind::Convert(Box::new(like)), types::VOID, loc);
        self.value(Kind::Comma(Box::new(like), Box::new(over)), types::BOOL, loc)
    }

    /// GCC's type class of an expression.
    fn class_of(&mut self, e: Expr) -> i64 {
        let e = self.rvalue(e);
        match self.tree.types.get(e.ty.ty) {
            Type::Void => 0,
            Type::Bool | Type::Int(_) | Type::Enum(_) => 1,
            Type::Pointer(_) => 5,
            Type::Float(_) => 8,
            Type::Record(which) if self.tree.types.records[*which as usize].union => 13,
            Type::Record(_) => 12,
            Type::Error | Type::Array(..) | Type::Long(..) | Type::Function(_) => -1,
        }
    }

    /// `offsetof`. An index need not be constant (as in GCC); the offset is not constant then.
    fn offset_of(&mut self, start: Loc) -> Parsed<Expr> {
        let size_type = self.tree.types.size_type();
        let mut moved: Option<Expr> = None;
        self.expect("(")?;
        let mut ty = self.type_name()?.ty;
        self.expect(",")?;
        let mut offset = 0u64;
        let mut index_follows = false;
        loop {
            if index_follows && self.eat("[") {
                let index = self.expression()?;
                let index = self.rvalue(index);
                self.expect("]")?;
                if index.ty.ty == types::ERROR {
                    return Err(Reported);
                }
                let Type::Array(element, _) = *self.tree.types.get(ty) else {
                    let loc = self.last();
                    return self
                        .error(Diagnostic::error("E0727", "subscripted member is not an array").at(loc, ""));
                };
                let size = self.tree.types.size(element.ty).unwrap_or(1);
                ty = element.ty;
                match evaluate(self.tree, &index) {
                    Some(Constant::Int(index)) => offset = offset.wrapping_add(index.wrapping_mul(size)),
                    _ if self.tree.types.is_integer(index.ty.ty) => {
                        let loc = index.loc;
                        let (index, size) =
                            (self.convert(index, size_type, true), self.int(size, size_type, loc));
                        let part = Kind::Binary(Binary::Mul, Box::new(index), Box::new(size));
                        let part = self.value(part, size_type, loc);
                        moved = Some(match moved {
                            None => part,
                            Some(before) => {
                                let sum = Kind::Binary(Binary::Add, Box::new(before), Box::new(part));
                                self.value(sum, size_type, loc)
                            }
                        });
                    }
                    _ => {
                        let error =
                            Diagnostic::error("E0723", "array subscript is not an integer").at(index.loc, "");
                        return self.error(error);
                    }
                }
                continue;
            }
            if index_follows && !self.eat(".") {
                break;
            }
            let Some((name, loc)) = self.name() else { return self.expected("a member name") };
            match self.tree.types.find_field(ty, &name) {
                Some((at, None, field)) => {
                    offset += at;
                    ty = field.ty;
                }
                Some(_) => {
                    return self
                        .error(Diagnostic::error("E0724", "address of bit-field requested").at(loc, ""));
                }
                None => {
                    let message = format!("no member named `{name}` in `{}`", self.tree.types.show(ty));
                    return self.error(Diagnostic::error("E0727", message).at(loc, ""));
                }
            }
            index_follows = true;
        }
        self.expect(")")?;
        let loc = self.since(start);
        let offset = self.int(offset, size_type, loc);
        Ok(match moved {
            None => offset,
            Some(moved) => {
                let sum = Kind::Binary(Binary::Add, Box::new(offset), Box::new(moved));
                self.value(sum, size_type, loc)
            }
        })
    }
}

/// The operation of `__builtin_clz` and similar builtins, with its operand type.
fn bits_of(name: &str) -> Option<(BitOp, TypeId)> {
    let swap = match name {
        "bswap16" => Some(types::USHORT),
        "bswap32" => Some(types::UINT),
        "bswap64" => Some(types::ULLONG),
        _ => None,
    };
    if let Some(ty) = swap {
        return Some((BitOp::Swap, ty));
    }
    ["clz", "ctz", "popcount", "ffs", "parity"].into_iter().find_map(|base| {
        let ty = match name.strip_prefix(base)? {
            "" => types::UINT,
            "l" => types::ULONG,
            "ll" => types::ULLONG,
            _ => return None,
        };
        let what = match base {
            "clz" => BitOp::Clz,
            "ctz" => BitOp::Ctz,
            "popcount" => BitOp::Popcount,
            "ffs" => BitOp::Ffs,
            _ => BitOp::Parity,
        };
        Some((what, ty))
    })
}

/// The operation of `__builtin_add_overflow`, or of `__builtin_uaddl_overflow`, whose name
/// determines the type.
fn overflow_of(name: &str) -> Option<(Binary, Option<TypeId>)> {
    let name = name.strip_suffix("_overflow")?;
    let (sign, rest) = match (name.strip_prefix('s'), name.strip_prefix('u')) {
        (Some(rest), _) if !name.starts_with("sub") || name.starts_with("ssub") => (Some(true), rest),
        (_, Some(rest)) => (Some(false), rest),
        _ => (None, name),
    };
    let op = match rest.get(..3)? {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "mul" => Binary::Mul,
        _ => return None,
    };
    let of = match (sign, rest.get(3..)?) {
        (None, "") => None,
        (Some(true), "") => Some(types::INT),
        (Some(true), "l") => Some(types::LONG),
        (Some(true), "ll") => Some(types::LLONG),
        (Some(false), "") => Some(types::UINT),
        (Some(false), "l") => Some(types::ULONG),
        (Some(false), "ll") => Some(types::ULLONG),
        _ => return None,
    };
    Some((op, of))
}
