//! Channels in generated code: resolution of references, access to messages, sends and receives.
//!
//! A channel named in the model has an address known at compile time. Any other reference is
//! resolved at run time: in a table indexed by its number, or by the runtime if processes own
//! channels. For channels with different internal layouts, code is emitted once per group, and
//! [`Emit::each_kind`] selects.
//!
//! *Entry points:* [`Emit::each_kind`], [`Emit::matching`], [`Emit::insert`], [`Emit::remove`].
//!
//! *Invariant:* bits beyond the last message are 0, so a message is inserted by OR, and a removal
//! shifts in zeros.

use axle_model::{ChanRef, Expr, Pattern, Query, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, Value, types};

use super::emit::{Cell, Emit, STATE, Shift, Val};
use super::runtime::{self, Ctx, Row};
use crate::layout::{ChanLayout, Field, Messages};

/// Base of a position.
#[derive(Clone, Copy)]
enum Owner {
    State,
    Slot,
}

/// A position in the state in view.
#[derive(Clone, Copy)]
struct Position {
    owner: Owner,
    moved: Option<Value>,
    off: i32,
    shift: Shift,
}

/// A channel: its internal layout and its position.
#[derive(Clone)]
pub(super) struct Chan<'a> {
    pub layout: &'a ChanLayout,
    pub capacity: u32,
    len: Position,
    msg: Position,
    /// The channel reference.
    pub value: Val,
}

/// Position of a message in a channel.
#[derive(Clone, Copy)]
pub(super) enum At {
    Head,
    /// Counted from the head.
    Nth(Value),
}

impl Chan<'_> {
    pub fn is_rendezvous(&self) -> bool {
        self.layout.len.is_none()
    }
}

impl<'a> Emit<'a, '_> {
    /// Emits `body` for every group of channels that the expression may denote, with a selection at
    /// run time. `body` must leave its block terminated.
    pub fn each_kind(&mut self, expr: &Expr, mut body: impl FnMut(&mut Self, Chan<'a>)) {
        let unit = self.unit;
        if let Expr::Channel(chan) = expr {
            let layout = match chan {
                ChanRef::Global(index) => &unit.layout.channels[*index as usize],
                ChanRef::Own(index) => &unit.layout.procs[self.me.proc.index()].channels[*index as usize],
            };
            let owner = match chan {
                ChanRef::Global(_) => Owner::State,
                ChanRef::Own(_) => Owner::Slot,
            };
            let value = self.eval(expr);
            let at = |field: Option<Field>| {
                let bit = field.map_or(0, |f| f.bit);
                Position { owner, moved: None, off: (bit / 8) as i32, shift: Shift::Const(bit % 8) }
            };
            let first = match &layout.messages {
                Messages::Packed { all, .. } => *all,
                Messages::Bytes { base, .. } => Field { bit: *base, bits: 8, signed: false },
            };
            let (len, msg) = (at(layout.len), at(Some(first)));
            let capacity = unit.model.shapes[layout.shape.index()].capacity;
            return body(self, Chan { layout, capacity, len, msg, value });
        }
        let value = self.eval(expr);
        if unit.groups.is_empty() {
            return self.jump(self.give_up);
        }
        let row = self.row(value);
        let mut alternatives: Vec<Block> = Vec::new();
        if unit.groups.len() > 1 {
            let group = self.row_field(row, std::mem::offset_of!(Row, group));
            let group = self.b.ins().ireduce(types::I32, group);
            alternatives = unit.groups.iter().map(|_| self.block()).collect();
            let calls: Vec<_> = alternatives.iter().map(|&block| self.block_call(block)).collect();
            let default = self.block_call(self.give_up);
            let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
            self.b.ins().br_table(group, table);
        }
        let view = self.view;
        for (index, layout) in unit.groups.iter().enumerate() {
            if let Some(&block) = alternatives.get(index) {
                self.start(block);
            }
            // The body of the preceding alternative may have changed the view to a successor.
            self.view = view;
            let len_bits = layout.len.map_or(8, |f| f.bits);
            let msg_bits = match &layout.messages {
                Messages::Packed { all, .. } => all.bits,
                Messages::Bytes { .. } => 8,
            };
            let mut at = |byte: usize, shift: usize, bits: u8| {
                let moved = Some(self.row_field(row, byte));
                // Data that fills its bytes is aligned to them.
                let shift = if bits < 8 { Shift::Dyn(self.row_field(row, shift)) } else { Shift::Const(0) };
                Position { owner: Owner::State, moved, off: 0, shift }
            };
            let len = at(std::mem::offset_of!(Row, len_byte), std::mem::offset_of!(Row, len_shift), len_bits);
            let msg = at(std::mem::offset_of!(Row, msg_byte), std::mem::offset_of!(Row, msg_shift), msg_bits);
            let capacity = unit.model.shapes[layout.shape.index()].capacity;
            body(self, Chan { layout, capacity, len, msg, value });
        }
    }

    pub fn block_call(&mut self, block: Block) -> cranelift_codegen::ir::BlockCall {
        let none: [BlockArg; 0] = [];
        self.b.func.dfg.block_call(block, &none)
    }

    /// The row of the channel table for a reference; bails out if the reference is invalid.
    fn row(&mut self, value: Val) -> Value {
        let unit = self.unit;
        let v = self.value(value);
        let number = self.b.ins().iadd_imm_s(v, -1);
        let is_global = self.is(IntCC::UnsignedLessThan, number, unit.layout.channels.len() as i64);
        let end = (unit.layout.numbers.stride > 0).then(|| {
            let (own, global, end) = (self.block(), self.block(), self.block());
            let row = self.b.append_block_param(end, types::I64);
            self.brif(is_global, global, own);
            self.start(own);
            let address = runtime::resolve as *const () as usize;
            let found = self.call_address(address, &[self.ctx, self.view.state, v]);
            self.require(found, self.give_up);
            self.jump_with(end, &[found]);
            self.start(global);
            (end, row)
        });
        if end.is_none() {
            self.require(is_global, self.give_up);
        }
        let rows = self.get_ctx(std::mem::offset_of!(Ctx, rows));
        let at = self.b.ins().imul_imm_u(number, size_of::<Row>() as i64);
        let at = self.b.ins().iadd(rows, at);
        match end {
            Some((end, row)) => {
                self.jump_with(end, &[at]);
                self.start(end);
                row
            }
            None => at,
        }
    }

    /// Bails out if a reference is invalid.
    pub fn refers_to_something(&mut self, value: Val) {
        self.row(value);
    }

    fn address(&mut self, at: Position) -> Value {
        let base = match at.owner {
            Owner::State => self.view.state,
            Owner::Slot => self.view.slot,
        };
        match at.moved {
            Some(moved) => self.b.ins().iadd(base, moved),
            None => base,
        }
    }

    fn scalar(&mut self, at: Position, field: Field) -> Cell {
        Cell { base: self.address(at), off: at.off, shift: at.shift, bits: field.bits, signed: field.signed }
    }

    /// Number of messages.
    pub fn chan_len(&mut self, chan: &Chan) -> Val {
        match chan.layout.len {
            Some(field) => {
                let cell = self.scalar(chan.len, field);
                match self.load(cell) {
                    Val::Dyn { v, lo, .. } => Val::Dyn { v, lo, hi: chan.capacity.into() },
                    known => known,
                }
            }
            None => Val::Const(0),
        }
    }

    fn set_chan_len(&mut self, chan: &Chan, len: Val) {
        if let Some(field) = chan.layout.len {
            let cell = self.scalar(chan.len, field);
            self.store(cell, len);
        }
    }

    /// All messages of a packed channel in one word.
    fn packed(&mut self, chan: &Chan) -> Option<Cell> {
        match &chan.layout.messages {
            Messages::Packed { all, .. } => Some(self.scalar(chan.msg, *all)),
            Messages::Bytes { .. } => None,
        }
    }

    /// Address of message `at`, for byte-aligned messages.
    fn message(&mut self, chan: &Chan, at: At, stride: u32) -> Value {
        let base = self.address(chan.msg);
        match at {
            At::Head => base,
            At::Nth(n) => {
                let by = self.b.ins().imul_imm_u(n, i64::from(stride / 8));
                self.b.ins().iadd(base, by)
            }
        }
    }

    /// The value of a field of a message.
    pub fn message_field(&mut self, chan: &Chan, at: At, field: usize) -> Val {
        match &chan.layout.messages {
            Messages::Packed { stride, fields, .. } => {
                let field = fields[field];
                let Some(all) = self.packed(chan) else { return Val::Const(0) };
                let of = u32::from(all.bits);
                let all = self.load(all);
                let mut all = self.value(all);
                if let At::Nth(n) = at {
                    let by = self.b.ins().imul_imm_u(n, i64::from(*stride));
                    all = self.b.ins().ushr(all, by);
                }
                let v = self.extract(all, Shift::Const(field.bit), field.bits, field.signed, of);
                let int = axle_model::IntType { bits: field.bits, signed: field.signed };
                let (lo, hi) = super::emit::range_of(int);
                Val::Dyn { v, lo, hi }
            }
            Messages::Bytes { stride, fields, .. } => {
                let base = self.message(chan, at, *stride);
                let mut cell = Cell::new(base, fields[field]);
                cell.off += chan.msg.off;
                self.load(cell)
            }
        }
    }

    /// Emits the search for the message that a receive takes. If it exists, emission continues with
    /// its position; otherwise control goes to `none`.
    pub fn matching(&mut self, chan: &Chan<'a>, patterns: &[Pattern], random: bool, none: Block) -> At {
        // Evaluated before all comparisons: a fault in a pattern that the interpreter would skip
        // costs only a call of the interpreter, whereas an unnoticed fault would be lost.
        let wanted: Vec<Option<Val>> = (patterns.iter())
            .map(|pattern| match pattern {
                Pattern::Match(expr) => Some(self.eval(expr)),
                Pattern::Bind(_) | Pattern::Any => None,
            })
            .collect();
        let len = self.chan_len(chan);
        let len = self.value(len);
        if !random || wanted.iter().all(Option::is_none) || chan.capacity == 1 {
            self.require(len, none);
            self.compare_message(chan, At::Head, &wanted, none);
            return At::Head;
        }
        let (head, body, next, found) = (self.block(), self.block(), self.block(), self.block());
        let i = self.b.append_block_param(head, types::I64);
        let zero = self.iconst(0);
        self.jump_with(head, &[zero]);
        self.start(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, i, len);
        self.brif(more, body, none);
        self.start(body);
        self.compare_message(chan, At::Nth(i), &wanted, next);
        self.jump(found);
        self.start(next);
        let after = self.b.ins().iadd_imm_s(i, 1);
        self.jump_with(head, &[after]);
        self.start(found);
        At::Nth(i)
    }

    fn compare_message(&mut self, chan: &Chan, at: At, wanted: &[Option<Val>], other: Block) {
        for (field, wanted) in wanted.iter().enumerate() {
            if let Some(wanted) = *wanted {
                let there = self.message_field(chan, at, field);
                let there = self.value(there);
                let same = match wanted {
                    Val::Const(c) => self.is(IntCC::Equal, there, c),
                    Val::Dyn { v, .. } => self.b.ins().icmp(IntCC::Equal, there, v),
                };
                self.require(same, other);
            }
        }
    }

    /// Position at which a sorted send inserts a message: before the first that is
    /// lexicographically larger.
    pub fn sorted_position(&mut self, chan: &Chan<'a>, values: &[Val]) -> Value {
        let len = self.chan_len(chan);
        let len = self.value(len);
        let (head, body, next, found) = (self.block(), self.block(), self.block(), self.block());
        let i = self.b.append_block_param(head, types::I64);
        let zero = self.iconst(0);
        self.jump_with(head, &[zero]);
        self.start(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, i, len);
        self.brif(more, body, found);
        self.start(body);
        for (field, value) in values.iter().enumerate() {
            let there = self.message_field(chan, At::Nth(i), field);
            let (there, value) = (self.value(there), self.value(*value));
            let larger = self.b.ins().icmp(IntCC::SignedGreaterThan, there, value);
            self.refuse(larger, found);
            let same = self.b.ins().icmp(IntCC::Equal, there, value);
            self.require(same, next);
        }
        self.jump(next);
        self.start(next);
        let after = self.b.ins().iadd_imm_s(i, 1);
        self.jump_with(head, &[after]);
        self.start(found);
        i
    }

    /// Inserts a message at the end, or before the one at `at`.
    pub fn insert(&mut self, chan: &Chan, at: Option<Value>, values: &[Val]) {
        let len_val = self.chan_len(chan);
        let len = self.value(len_val);
        match &chan.layout.messages {
            Messages::Packed { stride, fields, .. } => {
                if let (Some(all), true) = (self.packed(chan), *stride > 0) {
                    self.insert_packed(chan, all, *stride, fields, at.unwrap_or(len), at.is_none(), values);
                }
            }
            Messages::Bytes { stride, fields, .. } => {
                if let Some(at) = at {
                    self.move_up(chan, *stride, at, len);
                }
                let slot = self.message(chan, At::Nth(at.unwrap_or(len)), *stride);
                if at.is_some() {
                    self.zero_bytes(slot, chan.msg.off, stride / 8);
                }
                for (field, value) in fields.iter().zip(values) {
                    let mut cell = Cell::new(slot, *field);
                    cell.off += chan.msg.off;
                    self.store(cell, *value);
                }
            }
        }
        let longer = self.b.ins().iadd_imm_s(len, 1);
        self.set_chan_len(chan, Val::Dyn { v: longer, lo: 1, hi: chan.capacity.into() });
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one insertion, each of them needed")]
    fn insert_packed(
        &mut self,
        chan: &Chan,
        all: Cell,
        stride: u32,
        fields: &[Field],
        at: Value,
        at_end: bool,
        values: &[Val],
    ) {
        let mut known = 0u64;
        let mut message: Option<Value> = None;
        for (field, value) in fields.iter().zip(values) {
            let ones = u64::MAX >> (64 - u32::from(field.bits));
            match *value {
                Val::Const(c) => known |= (c as u64 & ones) << field.bit,
                Val::Dyn { v, .. } => {
                    let fits = value.within((0, i64::try_from(ones).unwrap_or(i64::MAX)));
                    let v = if fits { v } else { self.mask(v, field.bits.into()) };
                    let v = if field.bit == 0 { v } else { self.b.ins().ishl_imm_u(v, i64::from(field.bit)) };
                    message = Some(message.map_or(v, |m| self.b.ins().bor(m, v)));
                }
            }
        }
        let message = match message {
            None => self.iconst(known as i64),
            Some(m) if known == 0 => m,
            Some(m) => self.b.ins().bor_imm_s(m, known as i64),
        };
        let word = if chan.capacity == 1 {
            message
        } else {
            let old = self.load(all);
            let old = self.value(old);
            let by = self.b.ins().imul_imm_u(at, i64::from(stride));
            let placed = self.b.ins().ishl(message, by);
            let kept = if at_end {
                old
            } else {
                let one = self.iconst(1);
                let bit = self.b.ins().ishl(one, by);
                let below = self.b.ins().iadd_imm_s(bit, -1);
                let low = self.b.ins().band(old, below);
                let high = self.b.ins().band_not(old, below);
                let high = self.b.ins().ishl_imm_u(high, i64::from(stride));
                self.b.ins().bor(low, high)
            };
            self.b.ins().bor(kept, placed)
        };
        self.store(all, Val::Dyn { v: word, lo: i64::MIN, hi: i64::MAX });
    }

    /// Removes a message.
    pub fn remove(&mut self, chan: &Chan, at: At) {
        let len_val = self.chan_len(chan);
        let len = self.value(len_val);
        let shorter = self.b.ins().iadd_imm_s(len, -1);
        match &chan.layout.messages {
            Messages::Packed { stride: 0, .. } => {}
            Messages::Packed { stride, .. } => {
                if let Some(all) = self.packed(chan) {
                    self.remove_packed(chan, all, *stride, at);
                }
            }
            Messages::Bytes { stride, .. } => self.move_down(chan, *stride, at, shorter),
        }
        self.set_chan_len(chan, Val::Dyn { v: shorter, lo: 0, hi: i64::from(chan.capacity) - 1 });
    }

    fn remove_packed(&mut self, chan: &Chan, all: Cell, stride: u32, at: At) {
        if chan.capacity == 1 {
            return self.store(all, Val::Const(0));
        }
        // If the channel holds at least two, a message takes half a word at most.
        let old = self.load(all);
        let (old, range) = (self.value(old), old.range());
        let word = match at {
            At::Head => self.b.ins().ushr_imm_u(old, i64::from(stride)),
            At::Nth(n) => {
                let by = self.b.ins().imul_imm_u(n, i64::from(stride));
                let one = self.iconst(1);
                let bit = self.b.ins().ishl(one, by);
                let below = self.b.ins().iadd_imm_s(bit, -1);
                let low = self.b.ins().band(old, below);
                let high = self.b.ins().ushr_imm_u(old, i64::from(stride));
                let high = self.b.ins().band_not(high, below);
                self.b.ins().bor(low, high)
            }
        };
        self.store(all, Val::Dyn { v: word, lo: range.0.min(0), hi: range.1 });
    }

    /// Moves the messages after `at` one position towards the head, and clears the last.
    fn move_down(&mut self, chan: &Chan, stride: u32, at: At, last: Value) {
        let bytes = stride / 8;
        let whole = bytes * (chan.capacity - 1);
        if let (At::Head, 0..=96) = (at, whole) {
            // All bytes at once: the zeros beyond the last message are moved too.
            let base = self.message(chan, At::Head, stride);
            let base = self.b.ins().iadd_imm_s(base, i64::from(chan.msg.off));
            let next = self.b.ins().iadd_imm_s(base, i64::from(bytes));
            self.move_bytes(next, base, whole);
            return self.zero_bytes(base, whole as i32, bytes);
        }
        let (head, body, end) = (self.block(), self.block(), self.block());
        let i = self.b.append_block_param(head, types::I64);
        let first = match at {
            At::Head => self.iconst(0),
            At::Nth(n) => n,
        };
        self.jump_with(head, &[first]);
        self.start(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, i, last);
        self.brif(more, body, end);
        self.start(body);
        let to = self.message(chan, At::Nth(i), stride);
        let to = self.b.ins().iadd_imm_s(to, i64::from(chan.msg.off));
        let from = self.b.ins().iadd_imm_s(to, i64::from(bytes));
        self.move_bytes(from, to, bytes);
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.jump_with(head, &[next]);
        self.start(end);
        let gone = self.message(chan, At::Nth(last), stride);
        self.zero_bytes(gone, chan.msg.off, bytes);
    }

    /// Moves the messages from `at` on one position away from the head.
    fn move_up(&mut self, chan: &Chan, stride: u32, at: Value, len: Value) {
        let bytes = stride / 8;
        let (head, body, end) = (self.block(), self.block(), self.block());
        let i = self.b.append_block_param(head, types::I64);
        self.jump_with(head, &[len]);
        self.start(head);
        let more = self.b.ins().icmp(IntCC::UnsignedGreaterThan, i, at);
        self.brif(more, body, end);
        self.start(body);
        let to = self.message(chan, At::Nth(i), stride);
        let to = self.b.ins().iadd_imm_s(to, i64::from(chan.msg.off));
        let from = self.b.ins().iadd_imm_s(to, -i64::from(bytes));
        self.move_bytes(from, to, bytes);
        let next = self.b.ins().iadd_imm_s(i, -1);
        self.jump_with(head, &[next]);
        self.start(end);
    }

    /// Copies a constant number of bytes from the front, none twice: the target may overlap from
    /// below.
    fn move_bytes(&mut self, from: Value, to: Value, bytes: u32) {
        let mut at = 0;
        for (size, unit) in [(8, types::I64), (4, types::I32), (2, types::I16), (1, types::I8)] {
            while at + size <= bytes as i32 {
                let word = self.b.ins().load(unit, STATE, from, at);
                self.b.ins().store(STATE, word, to, at);
                at += size;
            }
        }
    }

    /// A channel query.
    pub fn query(&mut self, query: Query, expr: &Expr) -> Val {
        let end = self.block();
        let result = self.b.append_block_param(end, types::I64);
        let mut hi = 0;
        self.each_kind(expr, |emit, chan| {
            let val = emit.ask(query, &chan);
            hi = hi.max(val.range().1);
            let v = emit.value(val);
            emit.jump_with(end, &[v]);
        });
        self.start(end);
        Val::Dyn { v: result, lo: 0, hi }
    }

    fn ask(&mut self, query: Query, chan: &Chan) -> Val {
        if chan.is_rendezvous() {
            return Val::Const(match query {
                Query::Len | Query::Full | Query::NotEmpty => 0,
                Query::Empty | Query::NotFull => 1,
            });
        }
        let len = self.chan_len(chan);
        let v = self.value(len);
        let capacity = i64::from(chan.capacity);
        let bit = match query {
            Query::Len => return len,
            Query::Full => self.is(IntCC::Equal, v, capacity),
            Query::NotFull => self.is(IntCC::NotEqual, v, capacity),
            Query::Empty => self.is(IntCC::Equal, v, 0),
            Query::NotEmpty => self.is(IntCC::NotEqual, v, 0),
        };
        Val::bit(self.widen(bit))
    }

    /// Whether a receive is possible.
    pub fn can_receive(&mut self, expr: &Expr, patterns: &[Pattern], random: bool) -> Val {
        let (no, end) = (self.block(), self.block());
        let result = self.b.append_block_param(end, types::I64);
        self.each_kind(expr, |emit, chan| {
            if chan.is_rendezvous() || !emit.arity_fits(&chan, patterns.len()) {
                return emit.jump(emit.give_up);
            }
            emit.matching(&chan, patterns, random, no);
            let one = emit.iconst(1);
            emit.jump_with(end, &[one]);
        });
        self.start(no);
        let zero = self.iconst(0);
        self.jump_with(end, &[zero]);
        self.start(end);
        Val::bit(result)
    }

    /// Whether the number of values equals the number of message fields.
    pub fn arity_fits(&self, chan: &Chan, given: usize) -> bool {
        self.field_types(chan).len() == given
    }

    /// The types of the fields of the messages of a channel.
    pub fn field_types(&self, chan: &Chan) -> &'a [Type] {
        &self.unit.model.shapes[chan.layout.shape.index()].fields
    }
}
