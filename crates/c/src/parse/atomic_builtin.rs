//! Atomic builtins: `__atomic_*`, `__sync_*`, and clang's `__c11_atomic_*`, to which Axle's
//! `<stdatomic.h>` maps the generic functions of C11.
//!
//! *Entry points:* [`Parser::atomic`] and [`Parser::sync`].
//! *Invariant:* every operation keeps its memory order. The first one weaker than
//! `memory_order_seq_cst` is recorded, because only programs with such operations need the
//! happens-before relation (`exec/happens_before.rs`).

use axle_source::Loc;

use super::constant::{Constant, evaluate};
use super::parser::{Parsed, Parser, bad};
use crate::memory_order::Order;
use crate::operators::Binary;
use crate::tree::{Builtin, Expr, Kind};
use crate::types::{self, Qual, TypeId};

/// A read-modify-write operation: its name, its result, whether its operand counts elements, its
/// memory order.
struct Operation<'a> {
    op: &'a str,
    fetch: bool,
    scaled: bool,
    order: Order,
}

/// The arguments, followed by expressions that are evaluated for their side effects.
fn with(mut arguments: Vec<Expr>, effects: Vec<Expr>) -> Vec<Expr> {
    arguments.extend(effects);
    arguments
}

impl Parser<'_> {
    /// The pointer operand of an atomic operation and the pointed-to type.
    fn atomic_target(&mut self, e: Expr) -> Option<(Expr, TypeId)> {
        let e = self.rvalue(e);
        if e.ty.ty == types::ERROR {
            return None;
        }
        match self.tree.types.pointee(e.ty.ty) {
            Some(to) if self.tree.types.is_scalar(to.ty) && !self.tree.types.is_wide(to.ty) => {
                Some((e, to.ty))
            }
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
                self.report("E0725", "expected a pointer", e.loc);
                None
            }
        }
    }

    /// The memory order that an argument names. An argument that is not a constant is added to
    /// `effects`, which are evaluated with the other arguments.
    fn order(&mut self, argument: Option<&Expr>, effects: &mut Vec<Expr>) -> Order {
        let Some(argument) = argument else { return Order::SeqCst };
        let argument = self.rvalue(argument.clone());
        let order = match evaluate(self.tree, &argument) {
            Some(Constant::Int(number)) => Order::of_number(i64::try_from(number).unwrap_or(0)),
            _ => Order::Relaxed,
        };
        if order != Order::SeqCst {
            self.tree.weak_order.get_or_insert(argument.loc);
        }
        // A constant expression may still have a side effect: the left operand of a comma.
        if !matches!(argument.kind, Kind::Int(_)) {
            effects.push(argument);
        }
        order
    }

    pub(super) fn atomic(&mut self, name: &str, c11: bool, start: Loc) -> Parsed<Option<Expr>> {
        let arguments = self.arguments()?;
        let loc = self.since(start);
        let done = self.atomic_call(name, c11, &arguments, loc);
        if done.is_none() && !self.diagnostics.has_errors() {
            self.report("E0725", "invalid arguments to atomic builtin", loc);
        }
        Ok(Some(done.unwrap_or_else(|| bad(loc))))
    }

    fn atomic_call(&mut self, name: &str, c11: bool, args: &[Expr], loc: Loc) -> Option<Expr> {
        let name = name.strip_suffix("_n").unwrap_or(name);
        let mut effects = Vec::new();
        match (name, args.len()) {
            ("thread_fence", 1) => {
                let order = self.order(args.first(), &mut effects);
                return Some(self.value(Kind::Builtin(Builtin::Fence(order), effects), types::VOID, loc));
            }
            ("signal_fence", 1) => {
                let order = self.rvalue(args[0].clone());
                return Some(self.value(Kind::Builtin(Builtin::SignalFence, vec![order]), types::VOID, loc));
            }
            ("always_lock_free" | "is_lock_free", _) => return Some(self.int(1, types::BOOL, loc)),
            _ => {}
        }
        let mut target = args.first()?.clone();
        if matches!(name, "test_and_set" | "clear") {
            // These operations access one byte of any object.
            target = self.rvalue(target);
            target = self.convert(target, types::VOID_PTR, false);
        }
        let (pointer, ty) = self.atomic_target(target)?;
        let plain = Qual::plain(ty);
        let by_address = !c11 && self.passes_address(name, args, ty);
        let value = |p: &mut Self, e: &Expr| {
            let e = if by_address { p.dereference(e.clone(), loc) } else { e.clone() };
            p.assignable(e, plain, "the argument")
        };
        Some(match (name, args.len()) {
            ("load", 2) => {
                let order = self.order(args.get(1), &mut effects);
                self.value(Kind::Builtin(Builtin::AtomicLoad(order), with(vec![pointer], effects)), ty, loc)
            }
            ("load", 3) => {
                let order = self.order(args.get(2), &mut effects);
                let loaded = self.value(
                    Kind::Builtin(Builtin::AtomicLoad(order), with(vec![pointer], effects)),
                    ty,
                    loc,
                );
                let target = self.dereference(args[1].clone(), loc);
                self.assign(target, loaded)
            }
            ("store" | "init", 2 | 3) => {
                // Initialisation is not an atomic operation (C11 7.17.2.1) and does not
                // synchronise.
                let order = match name {
                    "init" => Order::Relaxed,
                    _ => self.order(args.get(2), &mut effects),
                };
                let stored = value(self, &args[1]);
                self.value(
                    Kind::Builtin(Builtin::AtomicStore(order), with(vec![pointer, stored], effects)),
                    types::VOID,
                    loc,
                )
            }
            ("exchange", 3) => {
                let order = self.order(args.get(2), &mut effects);
                let stored = value(self, &args[1]);
                self.value(
                    Kind::Builtin(Builtin::AtomicExchange(order), with(vec![pointer, stored], effects)),
                    ty,
                    loc,
                )
            }
            ("exchange", 4) => {
                let order = self.order(args.get(3), &mut effects);
                let stored = value(self, &args[1]);
                let old = self.value(
                    Kind::Builtin(Builtin::AtomicExchange(order), with(vec![pointer, stored], effects)),
                    ty,
                    loc,
                );
                let target = self.dereference(args[2].clone(), loc);
                self.assign(target, old)
            }
            ("compare_exchange_strong" | "compare_exchange_weak", 5) | ("compare_exchange", 6) => {
                let desired = |p: &mut Self| value(p, &args[2]);
                self.compare_exchange(name, args, (pointer, ty), desired, loc)
            }
            ("test_and_set", 2) => {
                let order = self.order(args.get(1), &mut effects);
                let one = self.int(1, ty, loc);
                let old = self.value(
                    Kind::Builtin(Builtin::AtomicExchange(order), with(vec![pointer, one], effects)),
                    ty,
                    loc,
                );
                self.convert(old, types::BOOL, false)
            }
            ("clear", 2) => {
                let order = self.order(args.get(1), &mut effects);
                let zero = self.int(0, ty, loc);
                self.value(
                    Kind::Builtin(Builtin::AtomicStore(order), with(vec![pointer, zero], effects)),
                    types::VOID,
                    loc,
                )
            }
            (_, 3) => {
                let order = self.order(args.get(2), &mut effects);
                let (op, fetch) = match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
                    (Some(op), _) => (op, true),
                    (_, Some(op)) => (op, false),
                    _ => return None,
                };
                let operation = Operation { op, fetch, scaled: c11, order };
                return self.read_modify_write(operation, pointer, ty, &args[1], effects, loc);
            }
            _ => return None,
        })
    }

    /// A compare-and-exchange on the object to which `pointer` points.
    fn compare_exchange(
        &mut self,
        name: &str,
        args: &[Expr],
        (pointer, ty): (Expr, TypeId),
        desired: impl FnOnce(&mut Self) -> Expr,
        loc: Loc,
    ) -> Expr {
        let mut effects = Vec::new();
        let success = self.order(args.get(args.len() - 2), &mut effects);
        let failure = self.order(args.last(), &mut effects);
        let expected_type = self.tree.types.pointer(Qual::plain(ty));
        let expected = self.rvalue(args[1].clone());
        let expected = self.convert(expected, expected_type, false);
        let desired = desired(self);
        let weak = match name {
            "compare_exchange_weak" => true,
            "compare_exchange" => {
                effects.push(self.rvalue(args[3].clone()));
                !self.is_zero(&args[3])
            }
            _ => false,
        };
        let builtin = Builtin::AtomicCas { weak, success, failure };
        let kind = Kind::Builtin(builtin, with(vec![pointer, expected, desired], effects));
        self.value(kind, types::BOOL, loc)
    }

    /// Whether a generic form without `_n` passes values by address.
    fn passes_address(&mut self, name: &str, args: &[Expr], ty: TypeId) -> bool {
        args.len() >= 3
            && match name {
                "load" => args.len() == 3,
                "store" => self.points_to(&args[1], ty),
                "exchange" => args.len() == 4,
                "compare_exchange" => self.points_to(&args[2], ty),
                _ => false,
            }
    }

    /// Whether an argument is a pointer to this type.
    fn points_to(&mut self, e: &Expr, ty: TypeId) -> bool {
        let own = self.rvalue(e.clone()).ty.ty;
        self.tree.types.pointee(own).is_some_and(|to| to.ty == ty)
    }

    fn read_modify_write(
        &mut self,
        Operation { op, fetch, scaled, order }: Operation<'_>,
        pointer: Expr,
        ty: TypeId,
        operand: &Expr,
        effects: Vec<Expr>,
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
        let kind =
            Kind::Builtin(Builtin::AtomicRmw { op, fetch, size, order }, with(vec![pointer, value], effects));
        Some(self.value(kind, ty, loc))
    }

    pub(super) fn sync(&mut self, name: &str, start: Loc) -> Parsed<Option<Expr>> {
        let args = self.arguments()?;
        let loc = self.since(start);
        if name == "synchronize" {
            let fence = Kind::Builtin(Builtin::Fence(Order::SeqCst), Vec::new());
            return Ok(Some(self.value(fence, types::VOID, loc)));
        }
        let done = self.sync_call(name, &args, loc);
        if done.is_none() && !self.diagnostics.has_errors() {
            self.report("E0725", format!("invalid arguments to `__sync_{name}`"), loc);
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
                // An acquire barrier only, as documented by GCC.
                self.tree.weak_order.get_or_insert(loc);
                let value = self.assignable(args[1].clone(), plain, "the value");
                self.value(
                    Kind::Builtin(Builtin::AtomicExchange(Order::Acquire), vec![pointer, value]),
                    ty,
                    loc,
                )
            }
            ("lock_release", 1..) => {
                self.tree.weak_order.get_or_insert(loc);
                let zero = self.int(0, types::INT, loc);
                let zero = self.convert(zero, ty, false);
                self.value(
                    Kind::Builtin(Builtin::AtomicStore(Order::Release), vec![pointer, zero]),
                    types::VOID,
                    loc,
                )
            }
            (_, 2..) => {
                let (op, fetch) = match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
                    (Some(op), _) => (op, true),
                    (_, Some(op)) => (op, false),
                    _ => return None,
                };
                let operation = Operation { op, fetch, scaled: false, order: Order::SeqCst };
                return self.read_modify_write(operation, pointer, ty, &args[1], Vec::new(), loc);
            }
            _ => return None,
        })
    }
}
