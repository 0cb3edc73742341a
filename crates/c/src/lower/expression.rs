//! Lowers expressions. The value of a record is its address.
//!
//! *Entry points:* [`Maker::value`], [`Maker::effects`], [`Maker::branch`].

use std::sync::Arc;

use super::memory::Place;
use super::sequence::{identity, unsequenced};
use super::{Entity, Label, LocalHome, Maker, float_bits};
use crate::code::{Arg, Class, Mem, Op, Order, Reg, Scalar, Stuck};
use crate::library::{Lib, Role};
use crate::operators::{Binary, Unary};
use crate::tree::{Builtin, Expr, Kind, Stmt, StmtKind};
use crate::types::{self, Type, TypeId};

impl Maker<'_, '_> {
    /// Evaluates an expression for its side effects only.
    pub(super) fn effects(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Comma(a, b) => {
                self.effects(a);
                self.effects(b);
            }
            Kind::Convert(inner) if e.ty.ty == types::VOID => self.effects(inner),
            Kind::Cond(c, Some(a), b) => {
                let (yes, no, end) = (self.label(), self.label(), self.label());
                self.branch(c, yes, no);
                self.place_label(yes);
                self.effects(a);
                self.jump(end);
                self.place_label(no);
                self.effects(b);
                self.place_label(end);
            }
            _ => {
                let value = self.value(e);
                // The value of a record is its address; the record is read here.
                let read = matches!(e.kind, Kind::Load(_) | Kind::Block(_) | Kind::Cond(_, None, _));
                let size = self.whole.tree.types.size(e.ty.ty).unwrap_or(0);
                if read && size > 0 && self.is_in_memory(e.ty.ty) {
                    let to = self.temporary(e.ty);
                    self.emit(Op::Copy { to, from: value, size });
                }
            }
        }
    }

    /// The values of two operands; the first is protected from the side effects of the second.
    pub(super) fn two(&mut self, a: &Expr, b: &Expr) -> (Arg, Arg) {
        let mut x = self.value(a);
        if matches!(x, Arg::Reg(_)) && is_variable(a) && has_effects(b) {
            let dst = self.temp();
            self.emit(Op::Move { dst, src: x });
            x = Arg::Reg(dst);
        }
        (x, self.value(b))
    }

    /// The value, in a register or constant; the address of a record.
    pub(super) fn value(&mut self, e: &Expr) -> Arg {
        let before = self.body.loc;
        self.body.loc = e.loc;
        let outermost = !std::mem::replace(&mut self.body.inside, true);
        if outermost {
            let homes = &self.body.homes;
            let in_register = |id: u32| matches!(homes[id as usize], LocalHome::Reg(_));
            let types = &self.whole.tree.types;
            let found = unsequenced(e, &in_register, &|ty| types.size(ty).unwrap_or(0));
            self.body.unsequenced = found.marked;
            self.body.beside = found.beside;
            self.whole.unordered.extend(found.calls);
            for at in 0..self.body.beside.len() {
                let reg = self.temp();
                self.body.beside[at].reg = reg;
                self.emit(Op::Undefine { dst: reg });
            }
        }
        if !self.body.unsequenced.is_empty() && self.body.unsequenced.contains(&identity(e)) {
            self.emit(Op::Stuck(Stuck::Unsequenced));
        }
        let value = self.value_inner(e);
        self.body.inside = !outermost;
        self.body.loc = before;
        value
    }

    fn value_inner(&mut self, e: &Expr) -> Arg {
        match &e.kind {
            Kind::Error => Arg::Int(0),
            Kind::Int(value) if self.is_wide(e.ty.ty) => self.wide_constant(*value, e.ty.ty),
            Kind::Int(value) => Arg::Int(*value),
            Kind::Real(value) => Arg::Int(float_bits(*value, self.scalar(e.ty.ty).size)),
            Kind::Str(_) | Kind::Local(_) | Kind::Global(_) | Kind::Function(_) | Kind::Compound(..) => {
                self.address(e)
            }
            Kind::Member { .. } => match self.is_in_memory(e.ty.ty) || e.lvalue {
                true => self.address(e),
                false => {
                    let place = self.place(e);
                    self.load(place)
                }
            },
            Kind::Deref(_) => self.address(e),
            Kind::AddressOf(inner) | Kind::Decay(inner) => self.address(inner),
            Kind::Load(inner) => {
                if self.is_wide(e.ty.ty) {
                    let from = self.address(inner);
                    return self.wide_copy(from, e.ty.ty);
                }
                if !self.whole.tree.types.is_scalar(e.ty.ty) {
                    return self.address(inner);
                }
                let place = self.place(inner);
                self.load(place)
            }
            Kind::Unary(Unary::LogNot, _) => self.truth_value(e),
            Kind::Unary(op, inner) => self.unary(*op, inner),
            Kind::Binary(op, a, b) => {
                self.note_constants(*op, a, b);
                let scalar = self.scalar(a.ty.ty);
                let (x, y) = self.two(a, b);
                if self.is_wide(a.ty.ty) {
                    return self.wide_binary(*op, x, y, a.ty.ty);
                }
                let dst = self.temp();
                self.emit(Op::Binary { dst, op: *op, a: x, b: y, scalar });
                Arg::Reg(dst)
            }
            Kind::PtrAdd { pointer, index, size, minus } => {
                let (p, i) = self.two(pointer, index);
                if let (Arg::Int(i), false) = (i, *minus) {
                    return self.offset(p, (i as i64).wrapping_mul(*size as i64));
                }
                let dst = self.temp();
                self.emit(Op::PtrAdd { dst, pointer: p, index: i, size: *size, minus: *minus });
                Arg::Reg(dst)
            }
            Kind::PtrDiff(a, b, size) => {
                let (x, y) = self.two(a, b);
                let dst = self.temp();
                self.emit(Op::PtrDiff { dst, a: x, b: y, size: *size });
                Arg::Reg(dst)
            }
            Kind::AndAnd(..) | Kind::OrOr(..) => self.truth_value(e),
            Kind::Cond(c, a, b) => self.choice(e, c, a.as_deref(), b),
            Kind::Comma(a, b) => {
                self.effects(a);
                self.value(b)
            }
            Kind::Assign(target, value) => self.assign(target, value),
            Kind::AssignOp { op, target, value, work, size } => {
                self.assign_op(*op, target, value, *work, *size)
            }
            Kind::Step { target, minus, post, size } => self.step(target, *minus, *post, *size),
            Kind::Convert(inner) => {
                if e.ty.ty == types::VOID {
                    self.effects(inner);
                    return Arg::Int(0);
                }
                let a = self.value(inner);
                self.convert(a, inner.ty.ty, e.ty.ty)
            }
            Kind::Call(callee, args) => self.call(e, callee, args),
            Kind::Builtin(builtin, args) => self.builtin(e, *builtin, args),
            Kind::Block(statements) => self.statement_expression(e, statements),
        }
    }

    /// A unary operator other than `!`.
    fn unary(&mut self, op: Unary, inner: &Expr) -> Arg {
        if self.is_wide(inner.ty.ty) {
            let (operator, other) = match op {
                Unary::Neg => (Binary::Sub, 0),
                _ => (Binary::Xor, u64::MAX),
            };
            let ty = inner.ty.ty;
            let (left, right) = (self.wide_constant(other, ty), self.value(inner));
            return self.wide_binary(operator, left, right, ty);
        }
        let scalar = self.scalar(inner.ty.ty);
        let a = self.value(inner);
        if let (Arg::Int(number), Unary::Neg, Class::Signed) = (a, op, scalar.class)
            && (number as i64) > i64::MIN >> (64 - scalar.bits())
        {
            return Arg::Int((number as i64).wrapping_neg() as u64);
        }
        let dst = self.temp();
        self.emit(Op::Unary { dst, op, a, scalar });
        Arg::Reg(dst)
    }

    /// A statement in parentheses, whose value is that of its last expression (an extension of GCC).
    fn statement_expression(&mut self, e: &Expr, statements: &[Stmt]) -> Arg {
        // Its temporaries must not overlap those of the enclosing expression.
        let alive = self.body.alive.len();
        let statement = self.body.statement;
        // Its statements are full expressions of their own.
        let around = std::mem::take(&mut self.body.unsequenced);
        let beside = std::mem::take(&mut self.body.beside);
        self.body.inside = false;
        let mut result = Arg::Int(0);
        for (index, statement) in statements.iter().enumerate() {
            match &statement.kind {
                StmtKind::Expr(last) if index + 1 == statements.len() && last.ty.ty != types::VOID => {
                    result = self.value(last);
                    if let (Arg::Reg(_), true) = (result, is_variable(last)) {
                        let dst = self.temp();
                        self.emit(Op::Move { dst, src: result });
                        result = Arg::Reg(dst);
                    }
                }
                _ => self.statement(statement),
            }
        }
        if !self.is_in_memory(e.ty.ty) {
            self.end_objects(alive);
        }
        self.body.statement = statement;
        (self.body.inside, self.body.unsequenced, self.body.beside) = (true, around, beside);
        result
    }

    /// Records the constants of comparisons: sample values of inputs are chosen around them.
    fn note_constants(&mut self, op: Binary, a: &Expr, b: &Expr) {
        let compares = matches!(
            op,
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne | Binary::Rem
        );
        if compares && self.whole.constants.len() < 256 {
            for e in [a, b] {
                if let Some(value) = written(e) {
                    self.whole.constants.push(value);
                }
            }
        }
    }

    pub(super) fn convert(&mut self, a: Arg, from: TypeId, to: TypeId) -> Arg {
        let types = &self.whole.tree.types;
        if !types.is_scalar(from) || !types.is_scalar(to) {
            return a;
        }
        if types.is_wide(from) || types.is_wide(to) {
            return self.wide_convert(a, from, to);
        }
        let (from, to) = (self.scalar(from), self.scalar(to));
        if from == to {
            return a;
        }
        let integer = |scalar: Scalar| matches!(scalar.class, Class::Signed | Class::Unsigned);
        if let (Arg::Int(number), true, true) = (a, integer(from), integer(to)) {
            return Arg::Int(to.extend(number));
        }
        let dst = self.temp();
        self.emit(Op::Convert { dst, a, from, to });
        Arg::Reg(dst)
    }

    /// 0 or 1.
    fn truth_value(&mut self, e: &Expr) -> Arg {
        let (yes, no, end) = (self.label(), self.label(), self.label());
        let dst = self.temp();
        self.branch(e, yes, no);
        self.place_label(yes);
        self.emit(Op::Move { dst, src: Arg::Int(1) });
        self.jump(end);
        self.place_label(no);
        self.emit(Op::Move { dst, src: Arg::Int(0) });
        self.place_label(end);
        Arg::Reg(dst)
    }

    /// Jumps to `yes` or `no`.
    pub(super) fn branch(&mut self, e: &Expr, yes: Label, no: Label) {
        match &e.kind {
            Kind::Unary(Unary::LogNot, inner) => self.branch(inner, no, yes),
            Kind::AndAnd(a, b) => {
                let next = self.label();
                self.branch(a, next, no);
                self.place_label(next);
                self.branch(b, yes, no);
            }
            Kind::OrOr(a, b) => {
                let next = self.label();
                self.branch(a, yes, next);
                self.place_label(next);
                self.branch(b, yes, no);
            }
            Kind::Int(value) => self.jump(if *value != 0 { yes } else { no }),
            _ => {
                let (mut cond, mut scalar) = (self.value(e), self.scalar(e.ty.ty));
                if self.is_wide(e.ty.ty) {
                    (cond, scalar) = (self.wide_truth(cond, e.ty.ty), Scalar::INT);
                }
                let before = self.body.loc;
                self.body.loc = e.loc;
                self.emit(Op::Branch { cond, scalar, yes: yes.0, no: no.0 });
                self.body.loc = before;
            }
        }
    }

    fn choice(&mut self, e: &Expr, c: &Expr, a: Option<&Expr>, b: &Expr) -> Arg {
        let (yes, no, end) = (self.label(), self.label(), self.label());
        let dst = self.temp();
        let has_value = e.ty.ty != types::VOID;
        match a {
            Some(a) => {
                self.branch(c, yes, no);
                self.place_label(yes);
                let x = self.value(a);
                if has_value {
                    self.emit(Op::Move { dst, src: x });
                }
            }
            None => {
                // GNU's `c ?: b` evaluates the condition once.
                let x = self.value(c);
                let (mut cond, mut scalar) = (x, self.scalar(c.ty.ty));
                if self.is_wide(c.ty.ty) {
                    (cond, scalar) = (self.wide_truth(x, c.ty.ty), Scalar::INT);
                }
                self.emit(Op::Branch { cond, scalar, yes: yes.0, no: no.0 });
                self.place_label(yes);
                let x = self.convert(x, c.ty.ty, e.ty.ty);
                self.emit(Op::Move { dst, src: x });
            }
        }
        self.jump(end);
        self.place_label(no);
        let y = self.value(b);
        if has_value {
            self.emit(Op::Move { dst, src: y });
        }
        self.place_label(end);
        Arg::Reg(dst)
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Arg {
        if self.is_in_memory(target.ty.ty) {
            let from = self.value(value);
            let to = self.address(target);
            let size = self.whole.tree.types.size(target.ty.ty).unwrap_or(0);
            self.emit(Op::Copy { to, from, size });
            return to;
        }
        let value = self.value(value);
        let place = self.place(target);
        self.store(place, value);
        match place {
            Place::Reg(_) => value,
            // The value of an assignment is the value of the object afterwards; a bit-field may
            // truncate it.
            Place::Memory(_, Mem { bits: Some(bits), scalar, .. }) => self.cut(value, bits.width, scalar),
            Place::Memory(..) => value,
        }
    }

    /// Truncates a value to its low bits and extends it.
    fn cut(&mut self, value: Arg, width: u8, scalar: Scalar) -> Arg {
        let bits = scalar.bits() as u8;
        if width >= bits || scalar.class == Class::Bool {
            return value;
        }
        let shift = Arg::Int(u64::from(bits - width));
        let unsigned = Scalar { class: Class::Unsigned, ..scalar };
        let (raw, up, typed, down) = (self.temp(), self.temp(), self.temp(), self.temp());
        self.emit(Op::Convert { dst: raw, a: value, from: scalar, to: unsigned });
        self.emit(Op::Binary { dst: up, op: Binary::Shl, a: Arg::Reg(raw), b: shift, scalar: unsigned });
        self.emit(Op::Convert { dst: typed, a: Arg::Reg(up), from: unsigned, to: scalar });
        self.emit(Op::Binary { dst: down, op: Binary::Shr, a: Arg::Reg(typed), b: shift, scalar });
        Arg::Reg(down)
    }

    fn assign_op(&mut self, op: Binary, target: &Expr, value: &Expr, work: TypeId, size: Option<u64>) -> Arg {
        let amount = self.value(value);
        if self.is_wide(work) || self.is_wide(target.ty.ty) {
            return self.wide_assign_op(op, target, amount, work);
        }
        let place = self.place(target);
        let (own, work_scalar) = (self.scalar(target.ty.ty), self.scalar(work));
        if let Place::Memory(addr, mem) = place
            && target.ty.is_atomic()
        {
            let dst = self.temp();
            self.emit(Op::Modify {
                dst,
                op,
                fetch: false,
                addr,
                value: amount,
                mem,
                work: work_scalar,
                size,
            });
            return Arg::Reg(dst);
        }
        let old = self.load(place);
        let new = if let Some(size) = size {
            let dst = self.temp();
            self.emit(Op::PtrAdd { dst, pointer: old, index: amount, size, minus: op == Binary::Sub });
            Arg::Reg(dst)
        } else {
            let old = if own == work_scalar {
                old
            } else {
                let dst = self.temp();
                self.emit(Op::Convert { dst, a: old, from: own, to: work_scalar });
                Arg::Reg(dst)
            };
            let dst = self.temp();
            self.emit(Op::Binary { dst, op, a: old, b: amount, scalar: work_scalar });
            if own == work_scalar {
                Arg::Reg(dst)
            } else {
                let cut = self.temp();
                self.emit(Op::Convert { dst: cut, a: Arg::Reg(dst), from: work_scalar, to: own });
                Arg::Reg(cut)
            }
        };
        self.store(place, new);
        match place {
            Place::Memory(_, Mem { bits: Some(bits), scalar, .. }) => self.cut(new, bits.width, scalar),
            _ => new,
        }
    }

    fn step(&mut self, target: &Expr, minus: bool, post: bool, size: Option<u64>) -> Arg {
        let op = if minus { Binary::Sub } else { Binary::Add };
        if self.is_wide(target.ty.ty) {
            return self.wide_step(op, target, post);
        }
        let own = self.scalar(target.ty.ty);
        // Narrow integers are computed as `int` (6.5.2.4p2, 6.5.3.1p2).
        let work = match own.class {
            Class::Float | Class::Pointer => own,
            _ if own.size < 4 => Scalar::INT,
            _ => own,
        };
        let one = match own.class {
            Class::Float => Arg::Int(float_bits(1.0, own.size)),
            _ => Arg::Int(1),
        };
        let place = self.place(target);
        if let Place::Memory(addr, mem) = place
            && target.ty.is_atomic()
        {
            let dst = self.temp();
            self.emit(Op::Modify { dst, op, fetch: post, addr, value: one, mem, work, size });
            return Arg::Reg(dst);
        }
        let mut old = self.load(place);
        if post && matches!(place, Place::Reg(_)) {
            let dst = self.temp();
            self.emit(Op::Move { dst, src: old });
            old = Arg::Reg(dst);
        }
        let new = if let Some(size) = size {
            let dst = self.temp();
            self.emit(Op::PtrAdd { dst, pointer: old, index: one, size, minus });
            Arg::Reg(dst)
        } else {
            let wide = if own == work {
                old
            } else {
                let dst = self.temp();
                self.emit(Op::Convert { dst, a: old, from: own, to: work });
                Arg::Reg(dst)
            };
            let dst = self.temp();
            self.emit(Op::Binary { dst, op, a: wide, b: one, scalar: work });
            if own == work {
                Arg::Reg(dst)
            } else {
                let cut = self.temp();
                self.emit(Op::Convert { dst: cut, a: Arg::Reg(dst), from: work, to: own });
                Arg::Reg(cut)
            }
        };
        self.store(place, new);
        match (post, place) {
            (true, _) => old,
            (false, Place::Memory(_, Mem { bits: Some(bits), scalar, .. })) => {
                self.cut(new, bits.width, scalar)
            }
            (false, _) => new,
        }
    }

    fn call(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> Arg {
        let direct = match &callee.kind {
            Kind::Decay(inner) | Kind::AddressOf(inner) => match inner.kind {
                Kind::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        };
        if let Some(feature) = direct.and_then(|id| self.refused_feature(id, args)) {
            self.whole.unsupported.push(feature);
            let number = self.whole.unsupported.len() as u32 - 1;
            self.emit(Op::Stuck(Stuck::Unsupported(number)));
            return Arg::Int(0);
        }
        let target = match direct {
            Some(_) => Arg::Int(0),
            None => self.value(callee),
        };
        let mut values = Vec::with_capacity(args.len());
        let mut sizes = Vec::with_capacity(args.len());
        for (index, argument) in args.iter().enumerate() {
            let mut value = self.value(argument);
            if self.is_in_memory(argument.ty.ty) {
                let to = self.temporary(argument.ty);
                let size = self.whole.tree.types.size(argument.ty.ty).unwrap_or(0);
                self.emit(Op::Copy { to, from: value, size });
                value = to;
                sizes.push(0);
            } else {
                if is_variable(argument) && args[index + 1..].iter().any(has_effects) {
                    let dst = self.temp();
                    self.emit(Op::Move { dst, src: value });
                    value = Arg::Reg(dst);
                }
                sizes.push(self.scalar(argument.ty.ty).size);
            }
            values.push(value);
        }
        let dst = self.temp();
        if let Some(id) = direct {
            let id = if self.body.ours { id } else { self.whole.called(id) };
            let function = &self.whole.tree.functions[id as usize];
            if let Some(lib) = self.whole.library(id) {
                if lib.is_variadic_print() {
                    // A record matches no conversion specification.
                    let none = Scalar { size: 0, class: Class::Bool };
                    let types = args.iter().map(|e| match self.is_in_memory(e.ty.ty) {
                        true => none,
                        false => self.scalar(e.ty.ty),
                    });
                    let types = types.collect();
                    self.body.printed.push((self.body.ops.len() as u32, types));
                }
                if Role::of(&function.name) == Some(Role::Exit) {
                    self.run_exits();
                }
                if lib == Lib::Abort && self.whole.instead.handles && !self.body.ours {
                    self.deliver_abort();
                }
                self.emit(Op::Lib { dst, lib, args: values.into() });
                return Arg::Reg(dst);
            }
            if function.body.is_none() {
                let name = function.name.clone();
                let number = match self.whole.missing.iter().position(|(known, _)| *known == name) {
                    Some(number) => number,
                    None => {
                        self.whole.missing.push((name, e.loc));
                        self.whole.missing.len() - 1
                    }
                };
                self.emit(Op::Stuck(Stuck::NoBody(number as u32)));
                return Arg::Int(0);
            }
            let callee = Arg::Static(self.whole.number(Entity::Function(id)), 0);
            return self.emit_call(e, dst, callee, values, sizes);
        }
        self.emit_call(e, dst, target, values, sizes)
    }

    /// The feature that a library source refuses by this call.
    fn refused_feature(&self, callee: u32, args: &[Expr]) -> Option<Arc<str>> {
        let is_refusal =
            Role::of(&self.whole.tree.functions[callee as usize].name) == Some(Role::Unsupported);
        let [Expr { kind: Kind::Convert(text) | Kind::Decay(text), .. }] = args else { return None };
        let text = if let Kind::Decay(text) = &text.kind { text } else { text };
        let Kind::Str(id) = text.kind else { return None };
        let text = self.whole.tree.strings.get(id as usize).filter(|_| is_refusal && self.body.ours)?;
        Some(String::from_utf8_lossy(text).trim_end_matches('\0').into())
    }

    fn emit_call(&mut self, e: &Expr, dst: u32, callee: Arg, values: Vec<Arg>, sizes: Vec<u8>) -> Arg {
        let (args, sizes) = (values.into(), sizes.into());
        if self.is_in_memory(e.ty.ty) {
            let into = self.temporary(e.ty);
            self.emit(Op::Call { dst: None, into: Some(into), callee, args, sizes });
            return into;
        }
        let is_void = e.ty.ty == types::VOID;
        self.emit(Op::Call { dst: (!is_void).then_some(dst), into: None, callee, args, sizes });
        if is_void { Arg::Int(0) } else { Arg::Reg(dst) }
    }

    fn builtin(&mut self, e: &Expr, builtin: Builtin, args: &[Expr]) -> Arg {
        if let Builtin::Length(keeper) = builtin {
            return self.length(&args[0], keeper);
        }
        let values: Vec<Arg> = args.iter().map(|arg| self.value(arg)).collect();
        let pointee = |m: &Self, index: usize| {
            let types = &m.whole.tree.types;
            let to =
                args.get(index).and_then(|arg| types.pointee(arg.ty.ty)).map_or(types::UCHAR, |to| to.ty);
            let to = if *types.get(to) == Type::Void { types::UCHAR } else { to };
            m.scalar(to)
        };
        let atomic = Mem::atomic(pointee(self, 0));
        let dst = self.temp();
        match builtin {
            Builtin::AtomicLoad(order) => {
                self.emit(Op::Load { dst, addr: values[0], mem: Mem { order, ..atomic } });
            }
            Builtin::AtomicStore(order) => {
                self.emit(Op::Store { addr: values[0], value: values[1], mem: Mem { order, ..atomic } });
            }
            Builtin::AtomicExchange(order) => {
                let mem = Mem { order, ..atomic };
                self.emit(Op::Exchange { dst, addr: values[0], value: values[1], mem });
            }
            Builtin::AtomicRmw { op, fetch, size, order } => self.emit(Op::Modify {
                dst,
                op,
                fetch,
                addr: values[0],
                value: values[1],
                mem: Mem { order, ..atomic },
                work: atomic.scalar,
                size,
            }),
            Builtin::AtomicCas { weak, success, failure } => {
                return self.compare_exchange(dst, &values, atomic, weak, (success, failure));
            }
            Builtin::SyncCasBool | Builtin::SyncCasValue => {
                let done = self.temp();
                let (expected, desired) = (values[1], values[2]);
                self.emit(Op::CompareExchange {
                    old: dst,
                    done,
                    addr: values[0],
                    expected,
                    desired,
                    mem: atomic,
                    weak: false,
                    failure: Order::SeqCst,
                });
                return Arg::Reg(if builtin == Builtin::SyncCasBool { done } else { dst });
            }
            Builtin::Fence(order) => {
                self.emit(Op::Fence(order));
                return Arg::Int(0);
            }
            Builtin::Length(_) | Builtin::SignalFence => return Arg::Int(0),
            Builtin::VaStart => self.emit(Op::VaStart { list: values[0] }),
            Builtin::VaEnd => return Arg::Int(0),
            Builtin::VaCopy => {
                let size = self.whole.tree.types.pointer_size();
                self.emit(Op::Copy { to: values[0], from: values[1], size });
            }
            Builtin::VaArg => self.next_argument(dst, values[0], e.ty.ty),
            Builtin::Alloca => self.block_of_frame(dst, values[0]),
            Builtin::Unreachable => self.emit(Op::Stuck(Stuck::Unreachable)),
            Builtin::Trap => {
                let lib = Lib::Abort;
                self.emit(Op::Lib { dst, lib, args: Box::default() });
            }
            Builtin::Overflow(op) => {
                let (sa, sb) = (self.scalar(args[0].ty.ty), self.scalar(args[1].ty.ty));
                let mem = Mem::plain(pointee(self, 2));
                self.emit(Op::Overflow { dst, op, a: values[0], b: values[1], sa, sb, to: values[2], mem });
            }
            Builtin::Bits(what) => {
                let scalar = self.scalar(args[0].ty.ty);
                self.emit(Op::Bits { dst, what, a: values[0], scalar });
            }
        }
        Arg::Reg(dst)
    }

    /// `atomic_compare_exchange_*`: whether the new value was stored.
    fn compare_exchange(
        &mut self,
        old: Reg,
        values: &[Arg],
        atomic: Mem,
        weak: bool,
        (success, failure): (Order, Order),
    ) -> Arg {
        // The expected value is accessed like any other object: read, and written on failure.
        let plain = Mem { atomic: false, ..atomic };
        let (expected, done) = (self.temp(), self.temp());
        self.emit(Op::Load { dst: expected, addr: values[1], mem: plain });
        self.emit(Op::CompareExchange {
            old,
            done,
            addr: values[0],
            expected: Arg::Reg(expected),
            desired: values[2],
            mem: Mem { order: success, ..atomic },
            weak,
            failure,
        });
        let (yes, no) = (self.label(), self.label());
        self.emit(Op::Branch { cond: Arg::Reg(done), scalar: Scalar::INT, yes: yes.0, no: no.0 });
        self.place_label(no);
        self.emit(Op::Store { addr: values[1], value: Arg::Reg(old), mem: plain });
        self.place_label(yes);
        Arg::Reg(done)
    }

    /// `va_arg`: loads the next argument of a list.
    fn next_argument(&mut self, dst: Reg, list: Arg, ty: TypeId) {
        let pointer = Scalar { size: self.whole.tree.types.pointer_size() as u8, class: Class::Pointer };
        let mem = Mem::plain(pointer);
        let (at, next) = (self.temp(), self.temp());
        self.emit(Op::Load { dst: at, addr: list, mem });
        self.emit(Op::PtrAdd { dst: next, pointer: Arg::Reg(at), index: Arg::Int(8), size: 1, minus: false });
        self.emit(Op::Store { addr: list, value: Arg::Reg(next), mem });
        let mem = Mem::plain(self.scalar(ty));
        self.emit(Op::Load { dst, addr: Arg::Reg(at), mem });
    }

    /// `alloca`: a block that exists until the function returns.
    fn block_of_frame(&mut self, dst: Reg, size: Arg) {
        let slot = self.body.slots.len() as u32;
        let ty = types::Qual::plain(types::VOID);
        let name = "(alloca)".into();
        self.body.slots.push(super::Slot {
            name,
            size: 0,
            ty,
            stays: true,
            temporary: false,
            internal: false,
        });
        self.emit(Op::LiveVla { slot, count: size, size: 1 });
        self.emit(Op::SlotAddress { dst, slot });
    }
}

/// Whether the value is that of a variable, which may change before it is used.
fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        Kind::Load(inner) => matches!(inner.kind, Kind::Local(_)),
        Kind::Assign(target, _) | Kind::AssignOp { target, .. } | Kind::Step { target, .. } => {
            matches!(target.kind, Kind::Local(_))
        }
        Kind::Convert(inner) | Kind::Comma(_, inner) => is_variable(inner),
        _ => false,
    }
}

/// The value of an integer constant in the source, with its sign.
fn written(e: &Expr) -> Option<i64> {
    match &e.kind {
        Kind::Int(value) => Some(*value as i64),
        Kind::Unary(Unary::Neg, inner) => written(inner).map(i64::wrapping_neg),
        Kind::Convert(inner) => written(inner),
        _ => None,
    }
}

/// Whether the evaluation may change a local variable of this function.
fn has_effects(e: &Expr) -> bool {
    match &e.kind {
        Kind::Assign(..) | Kind::AssignOp { .. } | Kind::Step { .. } | Kind::Block(_) => true,
        Kind::Error | Kind::Int(_) | Kind::Real(_) | Kind::Str(_) | Kind::Local(_) | Kind::Global(_) => false,
        Kind::Function(_) => false,
        Kind::Compound(..) => true,
        Kind::Member { base, .. } => has_effects(base),
        Kind::Deref(e) | Kind::AddressOf(e) | Kind::Decay(e) | Kind::Load(e) | Kind::Unary(_, e) => {
            has_effects(e)
        }
        Kind::Convert(e) => has_effects(e),
        Kind::Binary(_, a, b)
        | Kind::PtrDiff(a, b, _)
        | Kind::AndAnd(a, b)
        | Kind::OrOr(a, b)
        | Kind::Comma(a, b) => has_effects(a) || has_effects(b),
        Kind::PtrAdd { pointer, index, .. } => has_effects(pointer) || has_effects(index),
        Kind::Cond(c, a, b) => has_effects(c) || a.as_ref().is_some_and(|a| has_effects(a)) || has_effects(b),
        Kind::Call(callee, args) => has_effects(callee) || args.iter().any(has_effects),
        Kind::Builtin(_, args) => args.iter().any(has_effects),
    }
}
