//! Names that the compiler knows: `__builtin_*`, `__atomic_*`, `__sync_*`, and clang's `__c11_atomic_*`, by which our
//! `<stdatomic.h>` spells C11's generic functions. Main function: [`Parser::builtin`]. An operation on memory orders
//! weaker than sequential consistency is noted, because it is checked as if it were sequentially consistent.

use axle_source::{Diagnostic, Loc};

use super::{Constant, Entity, Linked, Parsed, Parser, bad, evaluate};
use crate::tree::{Binary, Builtin, Expr, Kind};
use crate::types::{self, Qual, Type, TypeId};

impl Parser<'_> {
    /// What a name with two underscores stands for, when it is such a builtin; its arguments follow.
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

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
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

    fn plain_builtin(&mut self, name: &str, start: Loc) -> Parsed<Option<Expr>> {
        let size_type = self.tree.types.size_type();
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
                    self.report("E0725", "too few arguments", loc);
                    return Ok(Some(bad(loc)));
                }
                return Ok(Some(self.value(Kind::Builtin(kind, lists), types::VOID, loc)));
            }
            "va_arg" => {
                self.expect("(")?;
                let list = self.assignment()?;
                let list = self.rvalue(list);
                self.expect(",")?;
                let ty = self.type_name()?;
                self.expect(")")?;
                let loc = self.since(start);
                if !self.tree.types.is_scalar(ty.ty) {
                    self.report("E0714", "only numbers and pointers can be taken with `va_arg`", loc);
                    return Ok(Some(bad(loc)));
                }
                return Ok(Some(self.value(Kind::Builtin(Builtin::VaArg, vec![list]), ty.ty, loc)));
            }
            "offsetof" => return self.offset_of(start).map(Some),
            "types_compatible_p" => {
                self.expect("(")?;
                let a = self.type_name()?;
                self.expect(",")?;
                let b = self.type_name()?;
                self.expect(")")?;
                let same = self.tree.types.alike(a.ty, b.ty);
                let loc = self.since(start);
                return Ok(Some(self.int(same.into(), types::INT, loc)));
            }
            "choose_expr" => {
                self.expect("(")?;
                let condition = self.constant_integer()?;
                self.expect(",")?;
                let a = self.assignment()?;
                self.expect(",")?;
                let b = self.assignment()?;
                self.expect(")")?;
                return Ok(Some(if condition != 0 { a } else { b }));
            }
            "constant_p" => {
                self.unevaluated += 1;
                let arguments = self.arguments();
                self.unevaluated -= 1;
                let constant = arguments?.first().is_some_and(|e| {
                    matches!(e.kind, Kind::Str(_)) || matches!(evaluate(self.tree, e), Some(Constant::Int(_)))
                });
                let loc = self.since(start);
                return Ok(Some(self.int(constant.into(), types::INT, loc)));
            }
            _ => {}
        }
        let arguments = self.arguments()?;
        let loc = self.since(start);
        let count = arguments.len();
        let base = name.trim_end_matches("ll").trim_end_matches('l');
        let by_width = |p: &Parser<'_>| match name.len() - base.len() {
            0 => types::UINT,
            1 => types::ULONG,
            _ => {
                let _ = p;
                types::ULLONG
            }
        };
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
                // The address is computed, and the memory left alone.
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
            ("huge_val" | "inf" | "inff" | "huge_valf", 0) => {
                self.value(Kind::Real(f64::INFINITY), types::DOUBLE, loc)
            }
            ("nan" | "nanf", 1) => self.value(Kind::Real(f64::NAN), types::DOUBLE, loc),
            (
                "clz" | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" | "popcount" | "popcountl" | "popcountll",
                1,
            ) => {
                let kind = match base {
                    "clz" => Builtin::Clz,
                    "ctz" => Builtin::Ctz,
                    _ => Builtin::Popcount,
                };
                let ty = by_width(self);
                match first.take() {
                    Some(e) => {
                        let value = self.assignable(e, Qual::plain(ty), "the argument");
                        self.value(Kind::Builtin(kind, vec![value]), types::INT, loc)
                    }
                    None => bad(loc),
                }
            }
            ("ffs" | "ffsl" | "ffsll", 1) => match first.take() {
                Some(e) => {
                    let ty = by_width(self);
                    let value = self.assignable(e, Qual::plain(ty), "the argument");
                    self.value(Kind::Builtin(Builtin::Ffs, vec![value]), types::INT, loc)
                }
                None => bad(loc),
            },
            ("parity" | "parityl" | "parityll", 1) => match first.take() {
                Some(e) => {
                    let ty = match name {
                        "parity" => types::UINT,
                        "parityl" => types::ULONG,
                        _ => types::ULLONG,
                    };
                    let value = self.assignable(e, Qual::plain(ty), "the argument");
                    let count = self.value(Kind::Builtin(Builtin::Popcount, vec![value]), types::INT, loc);
                    let one = self.int(1, types::INT, loc);
                    self.value(Kind::Binary(Binary::And, Box::new(count), Box::new(one)), types::INT, loc)
                }
                None => bad(loc),
            },
            ("bswap16" | "bswap32" | "bswap64", 1) => {
                let ty = match name {
                    "bswap16" => types::USHORT,
                    "bswap32" => types::UINT,
                    _ => types::ULLONG,
                };
                match first.take() {
                    Some(e) => {
                        let value = self.assignable(e, Qual::plain(ty), "the argument");
                        self.value(Kind::Builtin(Builtin::Bswap, vec![value]), ty, loc)
                    }
                    None => bad(loc),
                }
            }
            ("add_overflow" | "sub_overflow" | "mul_overflow", 3) => {
                let op = match name {
                    "add_overflow" => Binary::Add,
                    "sub_overflow" => Binary::Sub,
                    _ => Binary::Mul,
                };
                let mut values: Vec<Expr> = first.take().into_iter().chain(arguments).collect();
                values = values.into_iter().map(|e| self.rvalue(e)).collect();
                let fine = self.tree.types.is_integer(values[0].ty.ty)
                    && self.tree.types.is_integer(values[1].ty.ty)
                    && self
                        .tree
                        .types
                        .pointee(values[2].ty.ty)
                        .is_some_and(|to| self.tree.types.is_integer(to.ty));
                if !fine {
                    self.report("E0725", "two integers and a pointer to one are expected", loc);
                    return Ok(Some(bad(loc)));
                }
                self.value(Kind::Builtin(Builtin::Overflow(op), values), types::BOOL, loc)
            }
            ("alloca", 1) => match first.take() {
                Some(e) => {
                    let size = self.assignable(e, Qual::plain(size_type), "the argument");
                    self.value(Kind::Builtin(Builtin::Alloca, vec![size]), types::VOID_PTR, loc)
                }
                None => bad(loc),
            },
            _ => {
                // A library function under its compiler name.
                let id = match (self.lookup(name), self.linkage.names.get(name)) {
                    (Some(&Entity::Function(id)), _) | (_, Some(&Linked::Function(id))) => id,
                    _ => {
                        let message = format!("`__builtin_{name}` is not supported");
                        return self.error(Diagnostic::error("E0714", message).at(loc, ""));
                    }
                };
                let ty = Qual::plain(self.tree.functions[id as usize].ty);
                let callee = self.object(Kind::Function(id), ty, start);
                let values: Vec<Expr> = first.take().into_iter().chain(arguments).collect();
                self.call(callee, values, loc)
            }
        };
        Ok(Some(done))
    }

    fn offset_of(&mut self, start: Loc) -> Parsed<Expr> {
        self.expect("(")?;
        let mut ty = self.type_name()?.ty;
        self.expect(",")?;
        let mut offset = 0u64;
        let mut index_follows = false;
        loop {
            if index_follows && self.eat("[") {
                let index = self.constant_integer()?;
                self.expect("]")?;
                let Type::Array(element, _) = *self.tree.types.get(ty) else {
                    let loc = self.last();
                    return self.error(Diagnostic::error("E0727", "this is no array").at(loc, ""));
                };
                let size = self.tree.types.size(element.ty).unwrap_or(1);
                offset = offset.wrapping_add((index as u64).wrapping_mul(size));
                ty = element.ty;
                continue;
            }
            if index_follows && !self.eat(".") {
                break;
            }
            let Some((name, loc)) = self.name() else { return self.expected("a member's name") };
            match self.tree.types.find_field(ty, &name) {
                Some((at, None, field)) => {
                    offset += at;
                    ty = field.ty;
                }
                Some(_) => {
                    return self.error(Diagnostic::error("E0724", "a bit-field has no address").at(loc, ""));
                }
                None => {
                    let message = format!("`{}` has no member `{name}`", self.tree.types.show(ty));
                    return self.error(Diagnostic::error("E0727", message).at(loc, ""));
                }
            }
            index_follows = true;
        }
        self.expect(")")?;
        let loc = self.since(start);
        let size_type = self.tree.types.size_type();
        Ok(self.int(offset, size_type, loc))
    }

    /// The pointer that an atomic operation works on, and the type behind it.
    fn atomic_target(&mut self, e: Expr) -> Option<(Expr, TypeId)> {
        let e = self.rvalue(e);
        if e.ty.ty == types::ERROR {
            return None;
        }
        match self.tree.types.pointee(e.ty.ty) {
            Some(to) if self.tree.types.is_scalar(to.ty) => Some((e, to.ty)),
            Some(to) if to.ty == types::VOID => {
                let byte = self.tree.types.pointer(Qual::plain(types::UCHAR));
                Some((self.convert(e, byte, false), types::UCHAR))
            }
            Some(to) => {
                let message =
                    format!("atomic operations on `{}` are not supported", self.tree.types.show(to.ty));
                self.report("E0714", message, e.loc);
                None
            }
            None => {
                self.report("E0725", "a pointer is expected here", e.loc);
                None
            }
        }
    }

    fn note_order(&mut self, order: Option<&Expr>) {
        let Some(order) = order else { return };
        let order = self.rvalue(order.clone());
        let seq_cst = matches!(evaluate(self.tree, &order), Some(Constant::Int(5)));
        if !seq_cst {
            self.tree.weak_order.get_or_insert(order.loc);
        }
    }

    fn atomic(&mut self, name: &str, c11: bool, start: Loc) -> Parsed<Option<Expr>> {
        let arguments = self.arguments()?;
        let loc = self.since(start);
        let done = self.atomic_call(name, c11, &arguments, loc);
        if done.is_none() && !self.diagnostics.has_errors() {
            self.report("E0725", "this is no atomic operation with such arguments", loc);
        }
        Ok(Some(done.unwrap_or_else(|| bad(loc))))
    }

    fn atomic_call(&mut self, name: &str, c11: bool, args: &[Expr], loc: Loc) -> Option<Expr> {
        let name = name.strip_suffix("_n").unwrap_or(name);
        match (name, args.len()) {
            ("thread_fence" | "signal_fence", 1) => {
                self.note_order(args.first());
                return Some(self.value(Kind::Builtin(Builtin::Fence, Vec::new()), types::VOID, loc));
            }
            ("always_lock_free" | "is_lock_free", _) => return Some(self.int(1, types::BOOL, loc)),
            _ => {}
        }
        let mut target = args.first()?.clone();
        if matches!(name, "test_and_set" | "clear") {
            // They work on one byte of anything.
            target = self.rvalue(target);
            target = self.convert(target, types::VOID_PTR, false);
        }
        let (pointer, ty) = self.atomic_target(target)?;
        let plain = Qual::plain(ty);
        // The generic forms without `_n` pass values by address.
        let by_address =
            !c11 && args.len() >= 3 && matches!(name, "load" | "store" | "exchange" | "compare_exchange");
        let by_address = by_address
            && match name {
                "load" => args.len() == 3,
                "store" => self.points_to(&args[1], ty),
                "exchange" => args.len() == 4,
                _ => self.points_to(&args[2], ty),
            };
        let value = |p: &mut Self, e: &Expr| {
            let e = if by_address { p.dereference(e.clone(), loc) } else { e.clone() };
            p.assignable(e, plain, "the argument")
        };
        Some(match (name, args.len()) {
            ("load", 2) => {
                self.note_order(args.get(1));
                self.value(Kind::Builtin(Builtin::AtomicLoad, vec![pointer]), ty, loc)
            }
            ("load", 3) => {
                self.note_order(args.get(2));
                let loaded = self.value(Kind::Builtin(Builtin::AtomicLoad, vec![pointer]), ty, loc);
                let target = self.dereference(args[1].clone(), loc);
                self.assign(target, loaded)
            }
            ("store" | "init", 2 | 3) => {
                self.note_order(args.get(2));
                let stored = value(self, &args[1]);
                self.value(Kind::Builtin(Builtin::AtomicStore, vec![pointer, stored]), types::VOID, loc)
            }
            ("exchange", 3) => {
                self.note_order(args.get(2));
                let stored = value(self, &args[1]);
                self.value(Kind::Builtin(Builtin::AtomicExchange, vec![pointer, stored]), ty, loc)
            }
            ("exchange", 4) => {
                self.note_order(args.get(3));
                let stored = value(self, &args[1]);
                let old = self.value(Kind::Builtin(Builtin::AtomicExchange, vec![pointer, stored]), ty, loc);
                let target = self.dereference(args[2].clone(), loc);
                self.assign(target, old)
            }
            ("compare_exchange_strong" | "compare_exchange_weak", 5) | ("compare_exchange", 6) => {
                self.note_order(args.get(args.len() - 2));
                self.note_order(args.last());
                let expected_type = self.tree.types.pointer(plain);
                let expected = self.rvalue(args[1].clone());
                let expected = self.convert(expected, expected_type, false);
                let desired = value(self, &args[2]);
                let weak = match name {
                    "compare_exchange_weak" => true,
                    "compare_exchange" => !self.is_zero(&args[3]),
                    _ => false,
                };
                let kind = Kind::Builtin(Builtin::AtomicCas { weak }, vec![pointer, expected, desired]);
                self.value(kind, types::BOOL, loc)
            }
            ("test_and_set", 2) => {
                self.note_order(args.get(1));
                let one = self.int(1, ty, loc);
                let old = self.value(Kind::Builtin(Builtin::AtomicExchange, vec![pointer, one]), ty, loc);
                self.convert(old, types::BOOL, false)
            }
            ("clear", 2) => {
                self.note_order(args.get(1));
                let zero = self.int(0, ty, loc);
                self.value(Kind::Builtin(Builtin::AtomicStore, vec![pointer, zero]), types::VOID, loc)
            }
            (_, 3) => {
                self.note_order(args.get(2));
                let (op, fetch) = match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
                    (Some(op), _) => (op, true),
                    (_, Some(op)) => (op, false),
                    _ => return None,
                };
                return self.read_modify_write(op, fetch, c11, pointer, ty, &args[1], loc);
            }
            _ => return None,
        })
    }

    /// Whether an argument is a pointer to this type.
    fn points_to(&mut self, e: &Expr, ty: TypeId) -> bool {
        let own = self.rvalue(e.clone()).ty.ty;
        self.tree.types.pointee(own).is_some_and(|to| to.ty == ty)
    }

    #[allow(clippy::too_many_arguments, reason = "what one atomic operation is made of")]
    fn read_modify_write(
        &mut self,
        op: &str,
        fetch: bool,
        scaled: bool,
        pointer: Expr,
        ty: TypeId,
        operand: &Expr,
        loc: Loc,
    ) -> Option<Expr> {
        let op = match op {
            "add" => Binary::Add,
            "sub" => Binary::Sub,
            "or" => Binary::Or,
            "and" => Binary::And,
            "xor" => Binary::Xor,
            "nand" => Binary::Nand,
            _ => return None,
        };
        let (value, size) = if let Some(to) = self.tree.types.pointee(ty) {
            let wide = Qual::plain(self.tree.types.ptrdiff_type());
            let size = if scaled { self.tree.types.size(to.ty).unwrap_or(1) } else { 1 };
            (self.assignable(operand.clone(), wide, "the operand"), Some(size))
        } else {
            (self.assignable(operand.clone(), Qual::plain(ty), "the operand"), None)
        };
        let kind = Kind::Builtin(Builtin::AtomicRmw { op, fetch, size }, vec![pointer, value]);
        Some(self.value(kind, ty, loc))
    }

    fn sync(&mut self, name: &str, start: Loc) -> Parsed<Option<Expr>> {
        let args = self.arguments()?;
        let loc = self.since(start);
        if name == "synchronize" {
            return Ok(Some(self.value(Kind::Builtin(Builtin::Fence, Vec::new()), types::VOID, loc)));
        }
        let done = self.sync_call(name, &args, loc);
        if done.is_none() && !self.diagnostics.has_errors() {
            self.report("E0725", format!("`__sync_{name}` does not take these arguments"), loc);
        }
        Ok(Some(done.unwrap_or_else(|| bad(loc))))
    }

    fn sync_call(&mut self, name: &str, args: &[Expr], loc: Loc) -> Option<Expr> {
        let (pointer, ty) = self.atomic_target(args.first()?.clone())?;
        let plain = Qual::plain(ty);
        Some(match (name, args.len()) {
            ("bool_compare_and_swap" | "val_compare_and_swap", 3..) => {
                let old = self.assignable(args[1].clone(), plain, "the old value");
                let new = self.assignable(args[2].clone(), plain, "the new value");
                match name {
                    "bool_compare_and_swap" => self.value(
                        Kind::Builtin(Builtin::SyncCasBool, vec![pointer, old, new]),
                        types::BOOL,
                        loc,
                    ),
                    _ => self.value(Kind::Builtin(Builtin::SyncCasValue, vec![pointer, old, new]), ty, loc),
                }
            }
            ("lock_test_and_set", 2..) => {
                // Acquires only, as GCC documents it.
                self.tree.weak_order.get_or_insert(loc);
                let value = self.assignable(args[1].clone(), plain, "the value");
                self.value(Kind::Builtin(Builtin::AtomicExchange, vec![pointer, value]), ty, loc)
            }
            ("lock_release", 1..) => {
                self.tree.weak_order.get_or_insert(loc);
                let zero = self.int(0, types::INT, loc);
                let zero = self.convert(zero, ty, false);
                self.value(Kind::Builtin(Builtin::AtomicStore, vec![pointer, zero]), types::VOID, loc)
            }
            (_, 2..) => {
                let (op, fetch) = match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
                    (Some(op), _) => (op, true),
                    (_, Some(op)) => (op, false),
                    _ => return None,
                };
                return self.read_modify_write(op, fetch, false, pointer, ty, &args[1], loc);
            }
            _ => return None,
        })
    }
}
