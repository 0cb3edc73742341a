//! Dispatch in generated code: the loop over sources, the loop over processes, the switch on
//! locations.
//!
//! *Entry points:* [`Emit::drive`] (all sources of a batch), [`Emit::step`] (all edges of one
//! process).

use axle_model::{EdgeId, LocId, ProcId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use cranelift_module::FuncId;

use super::edges::Ready;
use super::emit::{Cell, Emit, TRUSTED};
use super::runtime::{Ctx, FUEL, MIXED};
use super::segments::Segmented;

impl<'a> Emit<'a, '_> {
    /// The body of the function that expands sources, `(ctx, first, end)`, until one needs Rust: it
    /// has no successors, generated code bailed out, or the buffer is full. Returns that source, or
    /// the end.
    pub fn drive(&mut self) {
        let params = self.params();
        let (first, end) = (params[1], params[2]);
        let out = self.get_ctx(std::mem::offset_of!(Ctx, out));
        let ends = self.get_ctx(std::mem::offset_of!(Ctx, ends));
        let count = self.get_ctx(std::mem::offset_of!(Ctx, count));
        let (head, body, stop) = (self.block(), self.block(), self.block());
        let now: Vec<Value> = (0..4).map(|_| self.b.append_block_param(head, types::I64)).collect();
        let (source, from, entry, before) = (now[0], now[1], now[2], now[3]);
        self.jump_with(head, &[first, out, ends, count]);

        self.start(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, source, end);
        self.require(more, stop);
        let limit = self.get_ctx(std::mem::offset_of!(Ctx, limit));
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, from, limit);
        self.brif(over, stop, body);

        self.start(body);
        if self.unit.has_sequences {
            let fuel = self.iconst(FUEL);
            self.set_ctx(std::mem::offset_of!(Ctx, fuel), fuel);
        }
        self.b.def_var(self.out, from);
        self.each_process(source, None, |emit, proc, off, pid| {
            let step = emit.unit.funcs[proc.index()].step.entry();
            let out = emit.b.use_var(emit.out);
            let out = emit.call(step, &[emit.ctx, source, off, pid, out]);
            emit.b.def_var(emit.out, out);
            if emit.unit.options.movers {
                let stops = std::mem::offset_of!(Ctx, stops);
                let at = emit.get_ctx(stops);
                emit.b.ins().store(TRUSTED, out, at, 0);
                let next = emit.b.ins().iadd_imm_s(at, 8);
                emit.set_ctx(stops, next);
            }
        });
        let bail = self.get_ctx(std::mem::offset_of!(Ctx, bail));
        self.refuse(bail, stop);
        let to = self.b.use_var(self.out);
        let some = self.b.ins().icmp(IntCC::NotEqual, from, to);
        self.require(some, stop);
        let bytes = self.b.ins().isub(to, from);
        let successors = self.states_in(bytes);
        let after = self.b.ins().iadd(before, successors);
        self.b.ins().istore32(TRUSTED, after, entry, 0);
        let next_entry = self.b.ins().iadd_imm_s(entry, 4);
        let next = self.advance(source);
        self.jump_with(head, &[next, to, next_entry, after]);

        self.start(stop);
        for (offset, value) in [
            (std::mem::offset_of!(Ctx, out), from),
            (std::mem::offset_of!(Ctx, ends), entry),
            (std::mem::offset_of!(Ctx, count), before),
        ] {
            self.set_ctx(offset, value);
        }
        self.b.def_var(self.out, source);
        self.jump(self.done);
    }

    /// The number of states in a number of bytes, a multiple of the width: division by an odd
    /// number is multiplication by its inverse modulo 2^64.
    fn states_in(&mut self, bytes: Value) -> Value {
        match self.unit.fixed_width {
            Some(width) => {
                let even = width.trailing_zeros();
                let odd = (width >> even) as u64;
                // Newton's iteration doubles the number of correct bits; an odd number is its own
                // inverse modulo 8.
                let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
                let halved = self.b.ins().ushr_imm_u(bytes, i64::from(even));
                self.b.ins().imul_imm_s(halved, inverse as i64)
            }
            None => {
                let width = self.get_ctx(std::mem::offset_of!(Ctx, width));
                self.b.ins().udiv(bytes, width)
            }
        }
    }

    /// Emits `body` for every process of a state, with its type, its slot and its number. If
    /// processes are created dynamically, it is emitted once per type, in a loop; in this case only
    /// for processes whose location has a set bit in `masks`, the address of one word per type.
    pub fn each_process(
        &mut self,
        state: Value,
        masks: Option<Value>,
        mut body: impl FnMut(&mut Self, ProcId, Value, Value),
    ) {
        let unit = self.unit;
        if !unit.grows {
            for (pid, slot) in unit.layout.slots.iter().enumerate() {
                let (off, pid) = (self.iconst(i64::from(slot.base / 8)), self.iconst(pid as i64));
                body(self, slot.types[0], off, pid);
            }
            return;
        }
        let count = self.load(Cell::new(state, unit.layout.count));
        let count = self.value(count);
        let bases = self.get_ctx(std::mem::offset_of!(Ctx, slot_bases));
        let kinds = self.get_ctx(std::mem::offset_of!(Ctx, slot_types));
        let (head, chosen, next, end) = (self.block(), self.block(), self.block(), self.block());
        let pid = self.b.append_block_param(head, types::I64);
        let kind = self.b.append_block_param(chosen, types::I64);
        let zero = self.iconst(0);
        self.jump_with(head, &[zero]);

        self.start(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count);
        self.require(more, end);
        let at = self.b.ins().ishl_imm_u(pid, 2);
        let base_at = self.b.ins().iadd(bases, at);
        let off = self.b.ins().uload32(TRUSTED, base_at, 0);
        let kind_at = self.b.ins().iadd(kinds, at);
        let known = self.b.ins().uload32(TRUSTED, kind_at, 0);
        match unit.layout.procs.iter().find_map(|p| p.tag.map(|tag| (tag, p.pc))) {
            Some((tag, pc)) => {
                let tagged = self.block();
                let mixed = self.is(IntCC::Equal, known, MIXED.into());
                self.b.ins().brif(mixed, tagged, &[], chosen, &[known.into()]);
                self.start(tagged);
                let slot = self.b.ins().iadd(state, off);
                let tag = self.load(Cell::new(slot, tag));
                let tag = self.value(tag);
                if let Some(masks) = masks {
                    // A jump by type is hard to predict; it is avoided for processes that do not
                    // need it.
                    let at = self.b.ins().ishl_imm_u(tag, 3);
                    let at = self.b.ins().iadd(masks, at);
                    let mask = self.b.ins().load(types::I64, TRUSTED, at, 0);
                    let pc = self.load(Cell::new(slot, pc));
                    let pc = self.value(pc);
                    let bit = self.b.ins().ushr(mask, pc);
                    let bit = self.b.ins().band_imm_u(bit, 1);
                    self.require(bit, next);
                }
                self.jump_with(chosen, &[tag]);
            }
            None => self.jump_with(chosen, &[known]),
        }
        self.start(chosen);
        let kind = self.b.ins().ireduce(types::I32, kind);
        let blocks: Vec<Block> = unit.layout.procs.iter().map(|_| self.block()).collect();
        let calls: Vec<_> = blocks.iter().map(|&block| self.block_call(block)).collect();
        let default = self.block_call(self.give_up);
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        self.b.ins().br_table(kind, table);
        for (index, block) in blocks.into_iter().enumerate() {
            self.start(block);
            body(self, ProcId::new(index), off, pid);
            self.jump(next);
        }
        self.start(next);
        let pid = self.b.ins().iadd_imm_s(pid, 1);
        self.jump_with(head, &[pid]);
        self.start(end);
    }

    /// Emits a switch on the location of the process, with a block for each `wanted` one of this
    /// segment; all others, and absent processes, go to `done`. The caller must fill the blocks.
    pub fn switch_location(&mut self, proc: ProcId, wanted: impl Fn(usize) -> bool) -> Vec<(usize, Block)> {
        let pc = self.load(Cell::new(self.view.slot, self.unit.layout.procs[proc.index()].pc));
        let pc = self.value(pc);
        let segment = self.segment.clone();
        let blocks: Vec<(usize, Block)> =
            segment.clone().filter(|&loc| wanted(loc)).map(|loc| (loc, self.block())).collect();
        match blocks.as_slice() {
            [] => self.jump(self.done),
            [(loc, block)] => {
                let here = self.is(IntCC::Equal, pc, *loc as i64 + 1);
                self.brif(here, *block, self.done);
            }
            _ => {
                let mut targets = vec![self.done; segment.len()];
                for (loc, block) in &blocks {
                    targets[loc - segment.start] = *block;
                }
                let calls: Vec<_> = targets.iter().map(|&block| self.block_call(block)).collect();
                let default = self.block_call(self.done);
                let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
                // Location `l` is stored as `l + 1`, and an absent process as 0, which wraps around.
                let pc = self.b.ins().iadd_imm_s(pc, -(segment.start as i64 + 1));
                let pc = self.b.ins().ireduce(types::I32, pc);
                self.b.ins().br_table(pc, table);
            }
        }
        blocks
    }

    /// The body of a dispatcher: calls the segment that contains the location of the process, with
    /// the same parameters; the result is `none` for an absent process.
    pub fn by_location(&mut self, proc: ProcId, function: &Segmented, none: Value) {
        let params = self.params();
        self.b.def_var(self.out, none);
        let pc = self.load(Cell::new(self.view.slot, self.unit.layout.procs[proc.index()].pc));
        let pc = self.value(pc);
        let mut targets = vec![self.done];
        let blocks: Vec<(FuncId, Block)> = (function.segments())
            .map(|(id, range)| {
                let block = self.block();
                targets.extend(range.map(|_| block));
                (id, block)
            })
            .collect();
        let calls: Vec<_> = targets.iter().map(|&block| self.block_call(block)).collect();
        let default = self.block_call(self.done);
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        let pc = self.b.ins().ireduce(types::I32, pc);
        self.b.ins().br_table(pc, table);
        for (id, block) in blocks {
            self.start(block);
            let out = self.call(id, &params);
            self.b.def_var(self.out, out);
            self.jump(self.done);
        }
    }

    /// The body of a type's step function: `(ctx, state, slot, pid, out)`; returns the new `out`.
    pub fn step(&mut self, proc: ProcId) {
        let params = self.params();
        self.b.def_var(self.out, params[4]);
        let source = self.view;
        let process = self.unit.model.process(proc);
        let checked = self.unit.funcs[proc.index()].checks_room;
        if let Some(provided) = &process.provided {
            self.require_expr(provided, self.done);
        }
        let blocks = self.switch_location(proc, |loc| !process.locations[loc].out.is_empty());
        for (loc, block) in blocks {
            self.start(block);
            let groups = self.unit.ranks(proc, LocId::new(loc));
            for (index, group) in groups.iter().enumerate() {
                let last = index + 1 == groups.len();
                let start = self.b.use_var(self.out);
                for &id in group {
                    let edge = &process.edges[id.index()];
                    let next = self.block();
                    self.view = source;
                    self.attempt(edge, next, |emit, ready| {
                        emit.view = source;
                        let offer = matches!(ready, Ready::Offer(_));
                        emit.take(id, ready, checked, process.deterministic.then_some(start));
                        match group.len() {
                            // The only edge of its rank skips the ranks below; but a rendezvous
                            // without a partner does not.
                            1 if last || !offer => emit.jump(emit.done),
                            1 => {
                                let now = emit.b.use_var(emit.out);
                                let same = emit.b.ins().icmp(IntCC::Equal, now, start);
                                emit.brif(same, next, emit.done);
                            }
                            _ => emit.jump(next),
                        }
                    });
                    self.start(next);
                }
                if !last && group.len() > 1 {
                    let now = self.b.use_var(self.out);
                    let none = self.b.ins().icmp(IntCC::Equal, now, start);
                    self.require(none, self.done);
                }
            }
            self.jump(self.done);
        }
    }

    /// Executes an enabled edge in a source state. With `alone`, the value of `out` before any edge
    /// of its rank, it must be the only one.
    fn take(&mut self, id: EdgeId, ready: Ready<'a>, checked: bool, alone: Option<Value>) {
        let edge = &self.unit.model.process(self.me.proc).edges[id.index()];
        let to = self.b.use_var(self.out);
        if let Some(start) = alone {
            let same = self.b.ins().icmp(IntCC::Equal, start, to);
            self.require(same, self.give_up);
        }
        match ready {
            Ready::Offer(chan) => self.offer(id, edge, &chan),
            ready => {
                if checked {
                    self.ensure_room(to);
                }
                self.perform(id, edge, ready, Some(to));
                self.follow(edge, to);
            }
        }
    }

    /// The body of the function that tests whether a process is enabled: `(ctx, state, slot, pid,
    /// provided)`, where `provided` requests the evaluation of that clause.
    pub fn test(&mut self, proc: ProcId) {
        let params = self.params();
        let process = self.unit.model.process(proc);
        let zero = self.iconst(0);
        self.b.def_var(self.out, zero);
        if let Some(provided) = &process.provided {
            let (look, on) = (self.block(), self.block());
            self.brif(params[4], look, on);
            self.start(look);
            self.branch(provided, on, self.done);
            self.start(on);
        }
        let yes = self.block();
        let blocks = self.switch_location(proc, |loc| !process.locations[loc].out.is_empty());
        for (loc, block) in blocks {
            self.start(block);
            for &id in &process.locations[loc].out {
                let edge = &process.edges[id.index()];
                let next = self.block();
                self.attempt(edge, next, |emit, ready| {
                    if let Ready::Offer(chan) = ready {
                        emit.test_offer(id, edge, &chan, next);
                    }
                    emit.jump(yes);
                });
                self.start(next);
            }
            self.jump(self.done);
        }
        self.start(yes);
        let one = self.iconst(1);
        self.b.def_var(self.out, one);
        self.jump(self.done);
    }

    /// The body of the function that executes a type's prologue: `(ctx, state, slot, pid)`.
    pub fn birth(&mut self, proc: ProcId) {
        let params = self.params();
        self.b.def_var(self.out, params[1]);
        for effect in &self.unit.model.process(proc).prologue {
            self.effect(effect);
        }
        self.jump(self.done);
    }
}
