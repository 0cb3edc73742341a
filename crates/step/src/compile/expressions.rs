//! Expressions in generated code: [`Emit::eval`] emits their values, [`Emit::branch`] conditional
//! branches.
//!
//! Every value carries its known range, so that wrapping, bounds checks and checks for zero are
//! emitted only if necessary.
//!
//! *Invariant:* generated code bails out in every case in which the interpreter would report a
//! fault.

use axle_model::eval::{binary, unary};
use axle_model::{BinOp, ChanRef, Expr, IntType, UnOp};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::emit::{Cell, Emit, TRUSTED, Val};
use super::runtime::{self, Ctx};

impl Emit<'_, '_> {
    /// The value of an expression.
    pub fn eval(&mut self, expr: &Expr) -> Val {
        match expr {
            Expr::Const(value) => Val::Const(*value),
            Expr::Load(place) => self.load_place(place),
            Expr::Unary(op, ty, operand) => {
                let operand = self.eval(operand);
                self.unary(*op, *ty, operand)
            }
            Expr::Binary(op, ty, lhs, rhs) => {
                let lhs = self.eval(lhs);
                let rhs = self.eval(rhs);
                self.binary(*op, *ty, lhs, rhs)
            }
            Expr::Convert(ty, operand) => {
                let operand = self.eval(operand);
                self.wrap(operand, *ty)
            }
            Expr::And(..) | Expr::Or(..) => self.decide(expr),
            Expr::Cond(cond, then, other) => self.choose(cond, then, other),
            Expr::Channel(chan) => self.chan_value(*chan),
            Expr::Query(query, chan) => self.query(*query, chan),
            Expr::CanReceive { chan, patterns, random } => self.can_receive(chan, patterns, *random),
            Expr::Timeout => match self.timeout {
                Some(known) => Val::Const(known.into()),
                None => Val::bit(self.get_ctx(std::mem::offset_of!(Ctx, timeout))),
            },
            Expr::SelfPid => self.my_pid(),
            Expr::ProcessCount => {
                let count = Cell::new(self.view.state, self.unit.layout.count);
                self.load(count)
            }
            Expr::LastPid => match self.unit.layout.last {
                Some(last) => {
                    let last = Cell::new(self.view.state, last);
                    self.load(last)
                }
                None => Val::Const(0),
            },
            Expr::NonProgress => {
                let state = self.view.state;
                Val::bit(self.call_address(runtime::non_progress as *const () as usize, &[self.ctx, state]))
            }
            Expr::Enabled(pid) => self.enabled(pid),
            Expr::Location(pid) => {
                let loc = self.ask_process(runtime::location as *const () as usize, pid);
                let none = self.is(IntCC::SignedLessThan, loc, 0);
                self.refuse(none, self.give_up);
                Val::Dyn { v: loc, lo: 0, hi: u32::MAX.into() }
            }
            Expr::Priority(pid) => {
                let v = self.ask_process(runtime::priority as *const () as usize, pid);
                Val::Dyn { v, lo: 0, hi: 255 }
            }
            Expr::AtLocation { proc, pid, locs } => {
                let slot = self.slot_of(*proc, pid);
                let at: Vec<i64> = locs.iter().map(|l| i64::from(l.0) + 1).collect();
                let pc = self.load(Cell::new(slot, self.unit.layout.procs[proc.index()].pc));
                let pc = self.value(pc);
                let mut any = Val::Const(0);
                for loc in at {
                    let here = self.is(IntCC::Equal, pc, loc);
                    let here = self.widen(here);
                    any = match any {
                        Val::Const(_) => Val::bit(here),
                        Val::Dyn { v, .. } => Val::bit(self.b.ins().bor(v, here)),
                    };
                }
                any
            }
        }
    }

    /// Branches to `yes` if the expression is not 0, otherwise to `no`.
    pub fn branch(&mut self, expr: &Expr, yes: Block, no: Block) {
        match expr {
            Expr::And(lhs, rhs) => {
                let both = self.block();
                self.branch(lhs, both, no);
                self.start(both);
                self.branch(rhs, yes, no);
            }
            Expr::Or(lhs, rhs) => {
                let neither = self.block();
                self.branch(lhs, yes, neither);
                self.start(neither);
                self.branch(rhs, yes, no);
            }
            Expr::Unary(UnOp::Not, _, operand) => self.branch(operand, no, yes),
            Expr::Binary(op, ty, lhs, rhs) if condition(*op, *ty).is_some() => {
                let lhs = self.eval(lhs);
                let rhs = self.eval(rhs);
                match self.compare(*op, *ty, lhs, rhs) {
                    Ok(known) => self.jump(if known { yes } else { no }),
                    Err(bit) => self.brif(bit, yes, no),
                }
            }
            _ => match self.eval(expr) {
                Val::Const(value) => self.jump(if value != 0 { yes } else { no }),
                Val::Dyn { v, .. } => self.brif(v, yes, no),
            },
        }
    }

    /// Continues if the expression is not 0, otherwise branches to `no`.
    pub fn require_expr(&mut self, expr: &Expr, no: Block) {
        if *expr != Expr::TRUE {
            let yes = self.block();
            self.branch(expr, yes, no);
            self.start(yes);
        }
    }

    /// A truth value as 0 or 1 in a register, computed by [`Emit::branch`].
    fn decide(&mut self, expr: &Expr) -> Val {
        let (yes, no, end) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(end, types::I64);
        self.branch(expr, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.start(block);
            let value = self.iconst(value);
            self.jump_with(end, &[value]);
        }
        self.start(end);
        Val::bit(result)
    }

    fn choose(&mut self, cond: &Expr, then: &Expr, other: &Expr) -> Val {
        let (yes, no, end) = (self.block(), self.block(), self.block());
        let v = self.b.append_block_param(end, types::I64);
        self.branch(cond, yes, no);
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        for (block, chosen) in [(yes, then), (no, other)] {
            self.start(block);
            let val = self.eval(chosen);
            lo = lo.min(val.range().0);
            hi = hi.max(val.range().1);
            let value = self.value(val);
            self.jump_with(end, &[value]);
        }
        self.start(end);
        Val::Dyn { v, lo, hi }
    }

    /// One bit as a 64-bit number.
    pub fn widen(&mut self, bit: Value) -> Value {
        self.b.ins().uextend(types::I64, bit)
    }

    /// The number of the evaluating process.
    pub fn my_pid(&self) -> Val {
        Val::Dyn { v: self.me.pid, lo: 0, hi: i64::from(self.unit.most_processes) - 1 }
    }

    fn chan_value(&mut self, chan: ChanRef) -> Val {
        let layout = self.unit.layout;
        match chan {
            ChanRef::Global(_) => Val::Const(layout.chan_value(chan, 0).into()),
            ChanRef::Own(_) => {
                let first = layout.chan_value(chan, 0);
                let own = self.b.ins().imul_imm_u(self.me.pid, i64::from(layout.numbers.stride));
                let v = self.b.ins().iadd_imm_u(own, i64::from(first));
                Val::Dyn { v, lo: i64::from(first), hi: u16::MAX.into() }
            }
        }
    }

    fn ask_process(&mut self, address: usize, pid: &Expr) -> Value {
        let pid = self.eval(pid);
        let pid = self.value(pid);
        self.call_address(address, &[self.ctx, self.view.state, pid])
    }

    fn enabled(&mut self, pid: &Expr) -> Val {
        let pid = self.eval(pid);
        let pid = self.value(pid);
        let (ask, end) = (self.block(), self.block());
        let v = self.b.append_block_param(end, types::I64);
        let own = self.b.ins().icmp(IntCC::Equal, pid, self.me.pid);
        let zero = self.iconst(0);
        self.b.ins().brif(own, end, &[zero.into()], ask, &[]);
        self.start(ask);
        let address = runtime::enabled as *const () as usize;
        let answer = self.call_address(address, &[self.ctx, self.view.state, pid]);
        self.unless_given_up();
        self.jump_with(end, &[answer]);
        self.start(end);
        Val::bit(v)
    }

    /// The slot of process `pid` in the state in view; bails out if it is not of this type.
    pub fn slot_of(&mut self, proc: axle_model::ProcId, pid: &Expr) -> Value {
        let pid = self.eval(pid);
        let layout = self.unit.layout;
        if let Val::Const(pid) = pid
            && let Some(slot) = usize::try_from(pid).ok().and_then(|pid| layout.slots.get(pid))
            && slot.types == [proc]
        {
            let at = self.b.ins().iadd_imm_u(self.view.state, i64::from(slot.base / 8));
            let pc = self.load(Cell::new(at, layout.procs[proc.index()].pc));
            let pc = self.value(pc);
            self.require(pc, self.give_up);
            return at;
        }
        let pid = self.value(pid);
        let proc = self.iconst(proc.0.into());
        let address = runtime::slot_of as *const () as usize;
        let slot = self.call_address(address, &[self.ctx, self.view.state, pid, proc]);
        self.require(slot, self.give_up);
        slot
    }

    fn unary(&mut self, op: UnOp, ty: IntType, operand: Val) -> Val {
        let v = match operand {
            Val::Const(c) => return Val::Const(unary(op, ty, c)),
            Val::Dyn { v, .. } => v,
        };
        let (lo, hi) = operand.range();
        match op {
            UnOp::Neg => {
                let (lo, hi) = if lo == i64::MIN { (lo, i64::MAX) } else { (-hi, -lo) };
                let v = self.b.ins().ineg(v);
                self.wrap(Val::Dyn { v, lo, hi }, ty)
            }
            UnOp::BitNot => {
                let v = self.b.ins().bnot(v);
                self.wrap(Val::Dyn { v, lo: !hi, hi: !lo }, ty)
            }
            UnOp::Not => {
                let zero = self.is(IntCC::Equal, v, 0);
                Val::bit(self.widen(zero))
            }
        }
    }

    fn binary(&mut self, op: BinOp, ty: IntType, lhs: Val, rhs: Val) -> Val {
        if let (Val::Const(a), Val::Const(b)) = (lhs, rhs)
            && let Some(value) = binary(op, ty, a, b)
        {
            return Val::Const(value);
        }
        if condition(op, ty).is_some() {
            return match self.compare(op, ty, lhs, rhs) {
                Ok(known) => Val::Const(known.into()),
                Err(bit) => Val::bit(self.widen(bit)),
            };
        }
        let ((a_lo, a_hi), (b_lo, b_hi)) = (lhs.range(), rhs.range());
        let wide = !ty.signed && ty.bits == 64;
        let natural = a_lo >= 0 && b_lo >= 0;
        match op {
            BinOp::Add => {
                let range = ends(&[i128::from(a_lo) + i128::from(b_lo), i128::from(a_hi) + i128::from(b_hi)]);
                let v = match (lhs, rhs) {
                    (Val::Dyn { v, .. }, Val::Const(c)) | (Val::Const(c), Val::Dyn { v, .. }) => {
                        self.b.ins().iadd_imm_s(v, c)
                    }
                    _ => self.both(lhs, rhs, |b, x, y| b.ins().iadd(x, y)),
                };
                self.ranged(v, range, ty)
            }
            BinOp::Sub => {
                let range = ends(&[i128::from(a_lo) - i128::from(b_hi), i128::from(a_hi) - i128::from(b_lo)]);
                let v = match (lhs, rhs) {
                    (Val::Dyn { v, .. }, Val::Const(c)) if c != i64::MIN => self.b.ins().iadd_imm_s(v, -c),
                    _ => self.both(lhs, rhs, |b, x, y| b.ins().isub(x, y)),
                };
                self.ranged(v, range, ty)
            }
            BinOp::Mul => {
                let products = [(a_lo, b_lo), (a_lo, b_hi), (a_hi, b_lo), (a_hi, b_hi)];
                let range = ends(&products.map(|(x, y)| i128::from(x) * i128::from(y)));
                let v = self.both(lhs, rhs, |b, x, y| b.ins().imul(x, y));
                self.ranged(v, range, ty)
            }
            BinOp::Div | BinOp::Rem => self.divide(op, ty, lhs, rhs),
            BinOp::Shl | BinOp::Shr => {
                let amount = match rhs {
                    Val::Const(c) => Val::Const(if ty.bits > 32 { c & 63 } else { c & 31 }),
                    Val::Dyn { v, .. } => {
                        let masked = self.b.ins().band_imm_u(v, if ty.bits > 32 { 63 } else { 31 });
                        Val::Dyn { v: masked, lo: 0, hi: 63 }
                    }
                };
                match op {
                    BinOp::Shl => {
                        let v = self.both(lhs, amount, |b, x, y| b.ins().ishl(x, y));
                        self.ranged(v, None, ty)
                    }
                    _ if wide => {
                        let v = self.both(lhs, amount, |b, x, y| b.ins().ushr(x, y));
                        self.ranged(v, None, ty)
                    }
                    _ => {
                        let v = self.both(lhs, amount, |b, x, y| b.ins().sshr(x, y));
                        self.ranged(v, Some((a_lo.min(0), a_hi.max(0))), ty)
                    }
                }
            }
            BinOp::BitAnd => {
                let range = match (a_lo >= 0, b_lo >= 0) {
                    (true, true) => Some((0, a_hi.min(b_hi))),
                    (true, false) => Some((0, a_hi)),
                    (false, true) => Some((0, b_hi)),
                    (false, false) => None,
                };
                let v = self.both(lhs, rhs, |b, x, y| b.ins().band(x, y));
                self.ranged(v, range, ty)
            }
            BinOp::BitOr | BinOp::BitXor => {
                let ones = u64::MAX.checked_shr((a_hi | b_hi).leading_zeros()).unwrap_or(0);
                let range = natural.then_some((0, ones as i64));
                let v = match op {
                    BinOp::BitOr => self.both(lhs, rhs, |b, x, y| b.ins().bor(x, y)),
                    _ => self.both(lhs, rhs, |b, x, y| b.ins().bxor(x, y)),
                };
                self.ranged(v, range, ty)
            }
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                unreachable!("comparisons are emitted above")
            }
        }
    }

    /// Quotient or remainder. The machine's division traps for the divisor 0 and for the minimum
    /// divided by -1; both cases are handled before.
    fn divide(&mut self, op: BinOp, ty: IntType, lhs: Val, rhs: Val) -> Val {
        if let Val::Const(0) = rhs {
            self.abandon();
            return Val::Const(0);
        }
        let ((a_lo, a_hi), (b_lo, b_hi)) = (lhs.range(), rhs.range());
        let (a, b) = (self.value(lhs), self.value(rhs));
        if b_lo <= 0 && b_hi >= 0 {
            self.require(b, self.give_up);
        }
        let unsigned = (!ty.signed && ty.bits == 64) || (a_lo >= 0 && b_lo >= 0);
        if unsigned {
            if let Val::Const(c) = rhs
                && c > 0
                && c.count_ones() == 1
            {
                let v = match op {
                    BinOp::Div => self.b.ins().ushr_imm_u(a, i64::from(c.trailing_zeros())),
                    _ => self.mask(a, c.trailing_zeros().max(1)),
                };
                return match (op, c) {
                    (BinOp::Rem, 1) => Val::Const(0),
                    (BinOp::Rem, _) => self.ranged(v, Some((0, c - 1)), ty),
                    _ => self.ranged(v, (a_lo >= 0).then_some((0, a_hi)), ty),
                };
            }
            let small = a_hi <= u32::MAX.into() && b_hi <= u32::MAX.into() && a_lo >= 0 && b_lo >= 0;
            let narrow = if small { types::I32 } else { types::I64 };
            let (a, b) = if small {
                (self.b.ins().ireduce(narrow, a), self.b.ins().ireduce(narrow, b))
            } else {
                (a, b)
            };
            let v = match op {
                BinOp::Div => self.b.ins().udiv(a, b),
                _ => self.b.ins().urem(a, b),
            };
            let v = if small { self.b.ins().uextend(types::I64, v) } else { v };
            let range = match op {
                _ if a_lo < 0 || b_lo < 0 => None,
                BinOp::Div => Some((0, a_hi)),
                _ => Some((0, a_hi.min(b_hi))),
            };
            return self.ranged(v, range, ty);
        }
        // Division by -1 is negation, which wraps instead of trapping.
        let (minus, plain, end) = (self.block(), self.block(), self.block());
        let v = self.b.append_block_param(end, types::I64);
        if b_lo <= -1 && b_hi >= -1 {
            let by_minus = self.is(IntCC::Equal, b, -1);
            self.brif(by_minus, minus, plain);
        } else {
            self.jump(plain);
        }
        self.start(minus);
        let negated = if op == BinOp::Div { self.b.ins().ineg(a) } else { self.iconst(0) };
        self.jump_with(end, &[negated]);
        self.start(plain);
        let quotient = match op {
            BinOp::Div => self.b.ins().sdiv(a, b),
            _ => self.b.ins().srem(a, b),
        };
        self.jump_with(end, &[quotient]);
        self.start(end);
        self.ranged(v, None, ty)
    }

    fn both(
        &mut self,
        lhs: Val,
        rhs: Val,
        op: impl FnOnce(&mut cranelift_frontend::FunctionBuilder, Value, Value) -> Value,
    ) -> Value {
        let (lhs, rhs) = (self.value(lhs), self.value(rhs));
        op(&mut self.b, lhs, rhs)
    }

    /// A value in a range, or in any range, wrapped to the type.
    fn ranged(&mut self, v: Value, range: Option<(i64, i64)>, ty: IntType) -> Val {
        let (lo, hi) = range.unwrap_or((i64::MIN, i64::MAX));
        self.wrap(Val::Dyn { v, lo, hi }, ty)
    }

    /// A comparison: its result if the ranges determine it, otherwise one bit.
    fn compare(&mut self, op: BinOp, ty: IntType, lhs: Val, rhs: Val) -> Result<bool, Value> {
        if let (Val::Const(a), Val::Const(b)) = (lhs, rhs)
            && let Some(value) = binary(op, ty, a, b)
        {
            return Ok(value != 0);
        }
        let cc = condition(op, ty).expect("only comparisons are compared");
        match (lhs, rhs) {
            (Val::Dyn { v, .. }, Val::Const(c)) => Err(self.b.ins().icmp_imm_s(cc, v, c)),
            (Val::Const(c), Val::Dyn { v, .. }) => Err(self.b.ins().icmp_imm_s(mirror(cc), v, c)),
            _ => Err(self.both(lhs, rhs, |b, x, y| b.ins().icmp(cc, x, y))),
        }
    }

    /// A field of a row of the channel table.
    pub fn row_field(&mut self, row: Value, offset: usize) -> Value {
        self.b.ins().uload32(TRUSTED, row, offset as i32)
    }
}

/// Minimum and maximum of some numbers, if both fit in 64 bits.
fn ends(of: &[i128]) -> Option<(i64, i64)> {
    let lo = of.iter().min().and_then(|&n| i64::try_from(n).ok())?;
    let hi = of.iter().max().and_then(|&n| i64::try_from(n).ok())?;
    Some((lo, hi))
}

/// The condition code of a comparison.
fn condition(op: BinOp, ty: IntType) -> Option<IntCC> {
    let unsigned = !ty.signed && ty.bits == 64;
    let pick = |signed, other| Some(if unsigned { other } else { signed });
    match op {
        BinOp::Eq => Some(IntCC::Equal),
        BinOp::Ne => Some(IntCC::NotEqual),
        BinOp::Lt => pick(IntCC::SignedLessThan, IntCC::UnsignedLessThan),
        BinOp::Le => pick(IntCC::SignedLessThanOrEqual, IntCC::UnsignedLessThanOrEqual),
        BinOp::Gt => pick(IntCC::SignedGreaterThan, IntCC::UnsignedGreaterThan),
        BinOp::Ge => pick(IntCC::SignedGreaterThanOrEqual, IntCC::UnsignedGreaterThanOrEqual),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Rem
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::BitAnd
        | BinOp::BitOr
        | BinOp::BitXor => None,
    }
}

/// The comparison with its operands exchanged.
fn mirror(cc: IntCC) -> IntCC {
    match cc {
        IntCC::Equal | IntCC::NotEqual => cc,
        IntCC::SignedLessThan => IntCC::SignedGreaterThan,
        IntCC::SignedGreaterThan => IntCC::SignedLessThan,
        IntCC::SignedLessThanOrEqual => IntCC::SignedGreaterThanOrEqual,
        IntCC::SignedGreaterThanOrEqual => IntCC::SignedLessThanOrEqual,
        IntCC::UnsignedLessThan => IntCC::UnsignedGreaterThan,
        IntCC::UnsignedGreaterThan => IntCC::UnsignedLessThan,
        IntCC::UnsignedLessThanOrEqual => IntCC::UnsignedGreaterThanOrEqual,
        IntCC::UnsignedGreaterThanOrEqual => IntCC::UnsignedLessThanOrEqual,
    }
}
