//! State of the emission of one function, and the common operations: blocks, loads and stores of
//! fields, copies of states, and bailing out.
//!
//! *Entry point:* [`Emit`].
//!
//! *Invariant:* expressions read variables only through `view`, which is the source state during
//! the evaluation of guards and the successor from the first effect on.

use std::ops::Range;

use axle_model::{IntType, ProcId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use rustc_hash::FxHashMap;

use super::runtime::{Ctx, bail};
use super::unit::Unit;
use crate::layout::Field;

/// A computed 64-bit value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Val {
    /// Known at compile time.
    Const(i64),
    /// Known at run time, between `lo` and `hi`.
    Dyn { v: Value, lo: i64, hi: i64 },
}

impl Val {
    /// 0 or 1.
    pub fn bit(v: Value) -> Val {
        Val::Dyn { v, lo: 0, hi: 1 }
    }

    /// Minimum and maximum of the possible values.
    pub fn range(self) -> (i64, i64) {
        match self {
            Val::Const(c) => (c, c),
            Val::Dyn { lo, hi, .. } => (lo, hi),
        }
    }

    /// Whether all possible values are in the range.
    pub fn within(self, (lo, hi): (i64, i64)) -> bool {
        let (own_lo, own_hi) = self.range();
        lo <= own_lo && own_hi <= hi
    }
}

/// The values of a type as 64-bit numbers; unsigned 64-bit values are represented by the same bits.
pub(super) fn range_of(ty: IntType) -> (i64, i64) {
    match (ty.signed, ty.bits) {
        (_, 64..) => (i64::MIN, i64::MAX),
        (true, bits) => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        (false, bits) => (0, (u64::MAX >> (64 - bits)) as i64),
    }
}

/// The evaluating process: its type is known at compile time, its number and slot at run time.
#[derive(Clone, Copy)]
pub(super) struct Me {
    pub proc: ProcId,
    /// Its number.
    pub pid: Value,
    /// Byte offset of its slot in the state.
    pub off: Value,
}

/// The state in which variables are read.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// Address of the state.
    pub state: Value,
    /// Address of the process's own slot in it.
    pub slot: Value,
}

/// Bit offset from a byte.
#[derive(Clone, Copy)]
pub(super) enum Shift {
    Const(u32),
    Dyn(Value),
}

/// A scalar in memory.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub base: Value,
    pub off: i32,
    pub shift: Shift,
    pub bits: u8,
    pub signed: bool,
}

impl Cell {
    /// A field of an owner at address `base`.
    pub fn new(base: Value, field: Field) -> Cell {
        Cell {
            base,
            off: (field.bit / 8) as i32,
            shift: Shift::Const(field.bit % 8),
            bits: field.bits,
            signed: field.signed,
        }
    }

    fn int(self) -> IntType {
        IntType { bits: self.bits, signed: self.signed }
    }

    fn container(self) -> Type {
        match self.bits {
            0..=8 => types::I8,
            9..=16 => types::I16,
            17..=32 => types::I32,
            _ => types::I64,
        }
    }

    fn fills_container(self) -> bool {
        u32::from(self.bits) == self.container().bits()
    }
}

/// States are addressed by byte: no alignment is assumed.
pub(super) const STATE: MemFlagsData = MemFlagsData::new().with_notrap();
/// The context and its tables are Rust structures.
pub(super) const TRUSTED: MemFlagsData = MemFlagsData::trusted();

/// The state of emitting one function.
pub(super) struct Emit<'a, 'f> {
    pub unit: &'a Unit<'a>,
    pub module: &'a mut JITModule,
    pub b: FunctionBuilder<'f>,
    refs: FxHashMap<FuncId, FuncRef>,
    /// The parameters of the function.
    params: Vec<Value>,
    pub ctx: Value,
    pub me: Me,
    /// The locations (or entries, or edges) for which this function contains code.
    pub segment: Range<usize>,
    pub view: View,
    /// Position of the next successor.
    pub out: Variable,
    /// Block that bails out of the source state.
    pub give_up: Block,
    /// Block that requests a larger buffer.
    full: Block,
    /// Returns `out`.
    pub done: Block,
    /// The value of `timeout`, if known at compile time.
    pub timeout: Option<bool>,
}

impl<'a, 'f> Emit<'a, 'f> {
    /// Opens a function whose first parameter is the context. The caller must set `me` and `view`.
    pub fn open(unit: &'a Unit<'a>, module: &'a mut JITModule, mut b: FunctionBuilder<'f>) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params = b.block_params(entry).to_vec();
        let ctx = params[0];
        let out = b.declare_var(types::I64);
        let (give_up, full, done) = (b.create_block(), b.create_block(), b.create_block());
        b.set_cold_block(give_up);
        b.set_cold_block(full);
        let me = Me { proc: ProcId(0), pid: ctx, off: ctx };
        let view = View { state: ctx, slot: ctx };
        let refs = FxHashMap::default();
        Emit {
            unit,
            module,
            b,
            refs,
            params,
            ctx,
            me,
            segment: 0..0,
            view,
            out,
            give_up,
            full,
            done,
            timeout: None,
        }
    }

    /// The parameters of the function.
    pub fn params(&self) -> Vec<Value> {
        self.params.clone()
    }

    /// Closes the function: emits the blocks that end it.
    pub fn close(mut self) {
        for (block, reason) in [(self.give_up, bail::INTERPRET), (self.full, bail::FULL)] {
            self.b.switch_to_block(block);
            let reason = self.iconst(reason as i64);
            self.set_ctx(std::mem::offset_of!(Ctx, bail), reason);
            self.b.ins().jump(self.done, &[]);
        }
        self.b.switch_to_block(self.done);
        let out = self.b.use_var(self.out);
        self.b.ins().return_(&[out]);
        self.b.seal_all_blocks();
        let config = self.module.target_config();
        self.b.finalize(config);
    }

    pub fn iconst(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    /// The value in a register.
    pub fn value(&mut self, val: Val) -> Value {
        match val {
            Val::Const(c) => self.iconst(c),
            Val::Dyn { v, .. } => v,
        }
    }

    pub fn block(&mut self) -> Block {
        self.b.create_block()
    }

    pub fn start(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub fn jump(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub fn jump_with(&mut self, block: Block, args: &[Value]) {
        let args: Vec<BlockArg> = args.iter().map(|&v| v.into()).collect();
        self.b.ins().jump(block, &args);
    }

    pub fn brif(&mut self, cond: Value, yes: Block, no: Block) {
        self.b.ins().brif(cond, yes, &[], no, &[]);
    }

    /// Continues in a new block if `cond` holds, otherwise at `other`.
    pub fn require(&mut self, cond: Value, other: Block) {
        let on = self.block();
        self.brif(cond, on, other);
        self.start(on);
    }

    /// Branches to `other` if `cond` holds, otherwise continues in a new block.
    pub fn refuse(&mut self, cond: Value, other: Block) {
        let on = self.block();
        self.brif(cond, other, on);
        self.start(on);
    }

    /// Bails out here: the code emitted afterwards is unreachable.
    pub fn abandon(&mut self) {
        self.jump(self.give_up);
        let dead = self.block();
        self.b.set_cold_block(dead);
        self.start(dead);
    }

    /// A comparison with a number, as one bit.
    pub fn is(&mut self, cc: IntCC, a: Value, b: i64) -> Value {
        self.b.ins().icmp_imm_s(cc, a, b)
    }

    pub fn get_ctx(&mut self, offset: usize) -> Value {
        self.b.ins().load(types::I64, TRUSTED, self.ctx, offset as i32)
    }

    pub fn set_ctx(&mut self, offset: usize, value: Value) {
        self.b.ins().store(TRUSTED, value, self.ctx, offset as i32);
    }

    /// Calls a generated function.
    pub fn call(&mut self, func: FuncId, args: &[Value]) -> Value {
        let func = self.func_ref(func);
        let call = self.b.ins().call(func, args);
        self.b.inst_results(call)[0]
    }

    pub fn func_ref(&mut self, func: FuncId) -> FuncRef {
        match self.refs.get(&func) {
            Some(known) => *known,
            None => {
                let known = self.module.declare_func_in_func(func, self.b.func);
                self.refs.insert(func, known);
                known
            }
        }
    }

    /// Calls a function of the runtime by its address.
    pub fn call_address(&mut self, address: usize, args: &[Value]) -> Value {
        let address = self.iconst(address as i64);
        self.call_value(address, args)
    }

    /// Calls a function whose address is a value.
    pub fn call_value(&mut self, address: Value, args: &[Value]) -> Value {
        let signature = super::unit::signature(self.module, args.len());
        let signature = self.b.import_signature(signature);
        let call = self.b.ins().call_indirect(signature, address, args);
        self.b.inst_results(call)[0]
    }

    /// Continues if the preceding call did not bail out. The code that follows could otherwise
    /// mistake the source for a blocked one, and record edges as executed.
    pub fn unless_given_up(&mut self) {
        let bail = self.get_ctx(std::mem::offset_of!(Ctx, bail));
        self.refuse(bail, self.done);
    }

    /// Loads the container of a scalar, zero-extended.
    fn load_container(&mut self, cell: Cell) -> Value {
        let (base, off) = (cell.base, cell.off);
        match cell.container() {
            types::I8 => self.b.ins().uload8(types::I64, STATE, base, off),
            types::I16 => self.b.ins().uload16(types::I64, STATE, base, off),
            types::I32 => self.b.ins().uload32(STATE, base, off),
            _ => self.b.ins().load(types::I64, STATE, base, off),
        }
    }

    /// The value of a scalar.
    pub fn load(&mut self, cell: Cell) -> Val {
        let (lo, hi) = range_of(cell.int());
        let v = self.load_value(cell);
        Val::Dyn { v, lo, hi }
    }

    fn load_value(&mut self, cell: Cell) -> Value {
        let (base, off) = (cell.base, cell.off);
        if cell.signed && cell.fills_container() {
            return match cell.container() {
                types::I8 => self.b.ins().sload8(types::I64, STATE, base, off),
                types::I16 => self.b.ins().sload16(types::I64, STATE, base, off),
                types::I32 => self.b.ins().sload32(STATE, base, off),
                _ => self.b.ins().load(types::I64, STATE, base, off),
            };
        }
        let raw = self.load_container(cell);
        self.extract(raw, cell.shift, cell.bits, cell.signed, cell.container().bits())
    }

    /// The number of `bits` bits at bit `shift` of a word of which `of` bits are in use.
    pub fn extract(&mut self, raw: Value, shift: Shift, bits: u8, signed: bool, of: u32) -> Value {
        let width = u32::from(bits);
        if signed {
            let unused = i64::from(64 - width);
            let high = match shift {
                Shift::Const(s) => self.b.ins().ishl_imm_u(raw, unused - i64::from(s)),
                Shift::Dyn(s) => {
                    let low = self.b.ins().ushr(raw, s);
                    self.b.ins().ishl_imm_u(low, unused)
                }
            };
            return self.b.ins().sshr_imm_u(high, unused);
        }
        let (low, clean) = match shift {
            Shift::Const(0) => (raw, width == of),
            Shift::Const(s) => (self.b.ins().ushr_imm_u(raw, i64::from(s)), s + width == of),
            Shift::Dyn(s) => (self.b.ins().ushr(raw, s), false),
        };
        if clean || width >= 64 { low } else { self.mask(low, width) }
    }

    /// The lowest `bits` bits.
    pub fn mask(&mut self, value: Value, bits: u32) -> Value {
        match bits {
            64.. => value,
            32 => {
                let low = self.b.ins().ireduce(types::I32, value);
                self.b.ins().uextend(types::I64, low)
            }
            _ => self.b.ins().band_imm_u(value, (u64::MAX >> (64 - bits)) as i64),
        }
    }

    /// Stores the low bits of a value.
    pub fn store(&mut self, cell: Cell, val: Val) {
        let (base, off) = (cell.base, cell.off);
        if cell.fills_container() {
            let v = self.value(val);
            match cell.container() {
                types::I8 => self.b.ins().istore8(STATE, v, base, off),
                types::I16 => self.b.ins().istore16(STATE, v, base, off),
                types::I32 => self.b.ins().istore32(STATE, v, base, off),
                _ => self.b.ins().store(STATE, v, base, off),
            };
            return;
        }
        let ones = (u64::MAX >> (64 - u32::from(cell.bits))) as i64;
        let old = self.load_container(cell);
        let new = match (cell.shift, val) {
            (Shift::Const(s), Val::Const(c)) => {
                let (mask, bits) = (ones << s, (c & ones) << s);
                let kept = if bits == mask { old } else { self.b.ins().band_imm_s(old, !mask) };
                if bits == 0 { kept } else { self.b.ins().bor_imm_s(kept, bits) }
            }
            (shift, val) => {
                let fits = val.within((0, ones.max(0)));
                let v = self.value(val);
                let v = if fits { v } else { self.mask(v, u32::from(cell.bits)) };
                match shift {
                    Shift::Const(s) => {
                        let kept = self.b.ins().band_imm_s(old, !(ones << s));
                        let v = if s == 0 { v } else { self.b.ins().ishl_imm_u(v, i64::from(s)) };
                        self.b.ins().bor(kept, v)
                    }
                    Shift::Dyn(s) => {
                        let mask = self.iconst(ones);
                        let mask = self.b.ins().ishl(mask, s);
                        let kept = self.b.ins().band_not(old, mask);
                        let v = self.b.ins().ishl(v, s);
                        self.b.ins().bor(kept, v)
                    }
                }
            }
        };
        match cell.container() {
            types::I8 => self.b.ins().istore8(STATE, new, base, off),
            types::I16 => self.b.ins().istore16(STATE, new, base, off),
            types::I32 => self.b.ins().istore32(STATE, new, base, off),
            _ => self.b.ins().store(STATE, new, base, off),
        };
    }

    /// Bails out if truncation is checked and the value is not representable in the type.
    pub fn watch_truncation(&mut self, val: Val, ty: IntType) {
        if self.unit.options.truncation && !val.within(range_of(ty)) {
            let v = self.value(val);
            let wrapped = self.wrap(val, ty);
            let wrapped = self.value(wrapped);
            let same = self.b.ins().icmp(IntCC::Equal, v, wrapped);
            self.require(same, self.give_up);
        }
    }

    /// The value wrapped to a type.
    pub fn wrap(&mut self, val: Val, ty: IntType) -> Val {
        let (lo, hi) = range_of(ty);
        if val.within((lo, hi)) {
            return val;
        }
        let v = match val {
            Val::Const(c) => return Val::Const(ty.wrap(c)),
            Val::Dyn { v, .. } => v,
        };
        let narrow = match ty.bits {
            8 => Some(types::I8),
            16 => Some(types::I16),
            32 => Some(types::I32),
            _ => None,
        };
        let v = match (narrow, ty.signed) {
            (Some(narrow), true) => {
                let low = self.b.ins().ireduce(narrow, v);
                self.b.ins().sextend(types::I64, low)
            }
            (_, false) => self.mask(v, u32::from(ty.bits)),
            (None, true) => self.extract(v, Shift::Const(0), ty.bits, true, 64),
        };
        Val::Dyn { v, lo, hi }
    }

    /// Copies a state. Wide moves come first; the last one may overlap its predecessor.
    pub fn copy_state(&mut self, from: Value, to: Value) {
        match self.unit.fixed_width {
            Some(width) => self.copy_bytes(from, to, width as i32),
            None => self.copy_loop(from, to),
        }
    }

    /// Copies a constant number of bytes, at least 1.
    pub fn copy_bytes(&mut self, from: Value, to: Value, width: i32) {
        let unit = match (self.unit.vectors, width) {
            (true, 16..) => types::I8X16,
            (_, 8..) => types::I64,
            (_, 4..) => types::I32,
            (_, 2..) => types::I16,
            _ => types::I8,
        };
        let size = unit.bytes() as i32;
        let mut at: Vec<i32> = (0..width / size).map(|i| i * size).collect();
        if width % size != 0 {
            at.push(width - size);
        }
        // In small groups, to limit register pressure and to hide load latency.
        for some in at.chunks(6) {
            let loaded: Vec<Value> =
                some.iter().map(|&at| self.b.ins().load(unit, STATE, from, at)).collect();
            for (&at, value) in some.iter().zip(loaded) {
                self.b.ins().store(STATE, value, to, at);
            }
        }
    }

    /// Copies a state whose width is stored in the context: 4 bytes if necessary, then 8 bytes at a
    /// time.
    fn copy_loop(&mut self, from: Value, to: Value) {
        let width = self.get_ctx(std::mem::offset_of!(Ctx, width));
        let (head, end) = (self.block(), self.block());
        // Widths are multiples of 4; if not a multiple of 8, the first 4 bytes are copied
        // separately.
        let first = self.b.ins().load(types::I32, STATE, from, 0);
        self.b.ins().store(STATE, first, to, 0);
        let odd = self.b.ins().band_imm_u(width, 4);
        let i = self.b.append_block_param(head, types::I64);
        let some = self.b.ins().icmp(IntCC::UnsignedLessThan, odd, width);
        self.b.ins().brif(some, head, &[odd.into()], end, &[]);
        self.start(head);
        let source = self.b.ins().iadd(from, i);
        let target = self.b.ins().iadd(to, i);
        let word = self.b.ins().load(types::I64, STATE, source, 0);
        self.b.ins().store(STATE, word, target, 0);
        let next = self.b.ins().iadd_imm_s(i, 8);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, width);
        self.b.ins().brif(more, head, &[next.into()], end, &[]);
        self.start(end);
    }

    /// Sets bytes to 0.
    pub fn zero_bytes(&mut self, base: Value, off: i32, bytes: u32) {
        let zero = self.iconst(0);
        let words = bytes / 8;
        if words <= 32 {
            for word in 0..words as i32 {
                self.b.ins().store(STATE, zero, base, off + 8 * word);
            }
        } else {
            let (head, end) = (self.block(), self.block());
            let i = self.b.append_block_param(head, types::I64);
            self.jump_with(head, &[zero]);
            self.start(head);
            let at = self.b.ins().iadd(base, i);
            self.b.ins().store(STATE, zero, at, off);
            let next = self.b.ins().iadd_imm_s(i, 8);
            let more = self.is(IntCC::UnsignedLessThan, next, i64::from(8 * words));
            self.b.ins().brif(more, head, &[next.into()], end, &[]);
            self.start(end);
        }
        for byte in 8 * words..bytes {
            self.b.ins().istore8(STATE, zero, base, off + byte as i32);
        }
    }

    /// Advances an address by one state.
    pub fn advance(&mut self, at: Value) -> Value {
        match self.unit.fixed_width {
            Some(width) => self.b.ins().iadd_imm_s(at, width as i64),
            None => {
                let width = self.get_ctx(std::mem::offset_of!(Ctx, width));
                self.b.ins().iadd(at, width)
            }
        }
    }

    /// Requests a larger buffer if a successor at `at` does not fit.
    pub fn ensure_room(&mut self, at: Value) {
        let limit = self.get_ctx(std::mem::offset_of!(Ctx, limit));
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, at, limit);
        self.refuse(over, self.full);
    }

    /// The view of a state by the process that evaluates.
    pub fn view_of(&mut self, state: Value) -> View {
        View { state, slot: self.b.ins().iadd(state, self.me.off) }
    }
}
