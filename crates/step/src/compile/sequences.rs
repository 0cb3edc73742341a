//! Atomic sequences in generated code: the continuation after an edge that keeps control.
//!
//! The state under construction is already at the position of the successor. While only one edge is
//! executable, its effects are applied in place, and control continues with the code of the target
//! location ([`Emit::chain`]); a deterministic sequence consists of such steps only. If several
//! edges may be executable, the state is saved, and the type's step function expands it like a
//! source. Its recursion yields depth-first order.
//!
//! *Entry points:* [`Emit::follow`], [`Emit::chain`].
//!
//! *Invariant:* every iteration of every loop consumes one unit of `Ctx::fuel`, and every saved
//! state consumes memory of `Ctx::frames`. If either is exhausted, the interpreter is required,
//! which detects infinite sequences exactly.

use axle_model::{Atomicity, Comm, Edge, EdgeId, LocId, ProcId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use cranelift_module::FuncId;

use super::continuations::Chained;
use super::edges::Ready;
use super::emit::{Emit, Val};
use super::runtime::{self, Ctx};
use super::segments::Segmented;
use super::unit::Unit;

impl<'a> Emit<'a, '_> {
    /// Emits the continuation after an edge was executed in the successor at `to`.
    pub fn follow(&mut self, edge: &Edge, to: Value) {
        let out = match Chained::after(edge) {
            None => self.advance(to),
            Some(chained) => {
                let funcs = &self.unit.funcs[self.me.proc.index()];
                match (&funcs.chain, funcs.chained.position(chained)) {
                    (Some(chain), Some(entry)) => {
                        let entry = self.iconst(entry as i64);
                        let out = self.call(chain.entry(), &[self.ctx, to, self.me.off, self.me.pid, entry]);
                        self.unless_given_up();
                        out
                    }
                    _ => unreachable!("every target of such an edge is in the list"),
                }
            }
        };
        self.b.def_var(self.out, out);
    }

    /// The body of the function that continues a sequence whose entries are in several segments:
    /// calls that of the entry until none continues in another one.
    pub fn chain_of_segments(&mut self, function: &Segmented) {
        let params = self.params();
        self.b.def_var(self.out, params[1]);
        let (head, again) = (self.block(), self.block());
        let entry = self.b.append_block_param(head, types::I64);
        self.jump_with(head, &[params[4]]);
        self.start(head);
        let blocks: Vec<(FuncId, Block)> = function.segments().map(|(id, _)| (id, self.block())).collect();
        let calls: Vec<_> = (function.segments().zip(&blocks))
            .flat_map(|((_, range), (_, block))| range.map(|_| *block))
            .map(|block| self.block_call(block))
            .collect();
        let default = self.block_call(self.give_up);
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        let number = self.b.ins().ireduce(types::I32, entry);
        self.b.ins().br_table(number, table);
        for (id, block) in blocks {
            self.start(block);
            let out = self.call(id, &[params[0], params[1], params[2], params[3], entry]);
            self.b.def_var(self.out, out);
            self.unless_given_up();
            self.jump(again);
        }
        self.start(again);
        let resume = std::mem::offset_of!(Ctx, resume);
        let next = self.get_ctx(resume);
        self.require(next, self.done);
        let none = self.iconst(0);
        self.set_ctx(resume, none);
        let next = self.b.ins().iadd_imm_s(next, -1);
        self.jump_with(head, &[next]);
    }

    /// The body of the function that continues a sequence: `(ctx, state, slot, pid, entry)`.
    pub fn chain(&mut self, proc: ProcId) {
        let params = self.params();
        let state = params[1];
        self.b.def_var(self.out, state);
        self.timeout = Some(false);
        let segment = self.segment.clone();
        let chained = &self.unit.funcs[proc.index()].chained.list()[segment.clone()];
        let blocks: Vec<Block> = chained.iter().map(|_| self.block()).collect();
        let entry = self.b.ins().iadd_imm_s(params[4], -(segment.start as i64));
        let entry = self.b.ins().ireduce(types::I32, entry);
        let calls: Vec<_> = blocks.iter().map(|&block| self.block_call(block)).collect();
        let default = self.block_call(self.give_up);
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        self.b.ins().br_table(entry, table);
        for (i, &place) in chained.iter().enumerate() {
            self.start(blocks[i]);
            self.burn();
            match place.keep {
                Atomicity::Deterministic => self.go_on_deterministic(proc, place.loc, state, &blocks),
                Atomicity::Atomic | Atomicity::Release => self.go_on_atomic(proc, place.loc, state, &blocks),
            }
        }
    }

    /// Consumes one unit of fuel, or bails out.
    fn burn(&mut self) {
        let fuel = self.get_ctx(std::mem::offset_of!(Ctx, fuel));
        let fuel = self.b.ins().iadd_imm_s(fuel, -1);
        self.set_ctx(std::mem::offset_of!(Ctx, fuel), fuel);
        let empty = self.is(IntCC::SignedLessThan, fuel, 0);
        self.refuse(empty, self.give_up);
    }

    /// Executes the first executable edge, regardless of the others.
    fn go_on_deterministic(&mut self, proc: ProcId, loc: LocId, state: Value, blocks: &[Block]) {
        let process = self.unit.model.process(proc);
        for &id in &process.locations[loc.index()].out {
            let next = self.block();
            self.take_here(proc, id, state, next, blocks);
            self.start(next);
        }
        self.jump(self.give_up);
    }

    /// Executes one edge in place, and continues.
    fn take_here(&mut self, proc: ProcId, id: EdgeId, state: Value, next: Block, blocks: &[Block]) {
        let edge = &self.unit.model.process(proc).edges[id.index()];
        self.attempt(edge, next, |emit, ready| match ready {
            // Only reached in deterministic sequences, in which this is a fault.
            Ready::Offer(_) => emit.jump(emit.give_up),
            ready => {
                emit.perform(id, edge, ready, None);
                emit.straight_on(proc, edge, state, blocks);
            }
        });
    }

    fn straight_on(&mut self, proc: ProcId, edge: &Edge, state: Value, blocks: &[Block]) {
        match Chained::after(edge) {
            None => self.end_here(state),
            Some(chained) => {
                let entries = &self.unit.funcs[proc.index()].chained;
                match entries.position(chained) {
                    Some(entry) if self.segment.contains(&entry) => {
                        self.jump(blocks[entry - self.segment.start]);
                    }
                    Some(entry) => {
                        let next = self.iconst(entry as i64 + 1);
                        self.set_ctx(std::mem::offset_of!(Ctx, resume), next);
                        self.jump(self.done);
                    }
                    None => unreachable!("every target of such an edge is in the list"),
                }
            }
        }
    }

    /// Emits the state as a successor.
    fn end_here(&mut self, state: Value) {
        let out = self.advance(state);
        self.b.def_var(self.out, out);
        self.jump(self.done);
    }

    fn go_on_atomic(&mut self, proc: ProcId, loc: LocId, state: Value, blocks: &[Block]) {
        let process = self.unit.model.process(proc);
        let blocked = self.block();
        if self.unit.model.semantics.priorities {
            let address = runtime::outranked as *const () as usize;
            let outranked = self.call_address(address, &[self.ctx, state, self.me.pid]);
            self.unless_given_up();
            self.refuse(outranked, blocked);
        }
        if let Some(provided) = &process.provided {
            self.require_expr(provided, blocked);
        }
        let several = self.block();
        let mut certain = false;
        for group in self.unit.ranks(proc, loc) {
            let next = self.block();
            match (group.as_slice(), self.unit.group_kind(proc, &group)) {
                (&[only], GroupKind::Quiet | GroupKind::Buffered) => {
                    self.take_here(proc, only, state, next, blocks);
                }
                (_, GroupKind::Quiet) => self.take_only_one(proc, &group, state, next, several, blocks),
                (_, GroupKind::Buffered | GroupKind::Offers) => {
                    self.jump(several);
                    certain = true;
                }
            }
            self.start(next);
            if certain {
                break;
            }
        }
        self.jump(blocked);
        self.start(several);
        self.expand_aside(proc, state);
        self.start(blocked);
        self.end_here(state);
    }

    /// A choice without communication: if exactly one guard holds, that edge is executed in place.
    fn take_only_one(
        &mut self,
        proc: ProcId,
        group: &[EdgeId],
        state: Value,
        none: Block,
        several: Block,
        blocks: &[Block],
    ) {
        let edges = &self.unit.model.process(proc).edges;
        let mut holds = Vec::new();
        let mut sum: Option<Value> = None;
        for id in group {
            let guard = self.truth(&edges[id.index()].guard);
            let guard = self.value(guard);
            holds.push(guard);
            sum = Some(sum.map_or(guard, |s| self.b.ins().iadd(s, guard)));
        }
        if let Some(sum) = sum {
            let many = self.is(IntCC::UnsignedGreaterThan, sum, 1);
            self.refuse(many, several);
        }
        for (&id, holds) in group.iter().zip(holds) {
            let (yes, no) = (self.block(), self.block());
            self.brif(holds, yes, no);
            self.start(yes);
            let edge = &edges[id.index()];
            self.perform(id, edge, Ready::Internal, None);
            self.straight_on(proc, edge, state, blocks);
            self.start(no);
        }
        self.jump(none);
    }

    /// An expression as 0 or 1.
    pub fn truth(&mut self, expr: &axle_model::Expr) -> Val {
        let val = self.eval(expr);
        match val {
            Val::Const(c) => Val::Const((c != 0).into()),
            _ if val.within((0, 1)) => val,
            Val::Dyn { v, .. } => {
                let bit = self.is(IntCC::NotEqual, v, 0);
                Val::bit(self.widen(bit))
            }
        }
    }

    /// Copies a state to the memory of saved states. The caller releases it by setting
    /// `Ctx::frames` to the result.
    pub fn keep_state(&mut self, state: Value) -> Value {
        let kept = self.get_ctx(std::mem::offset_of!(Ctx, frames));
        let end = self.get_ctx(std::mem::offset_of!(Ctx, frames_end));
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, kept, end);
        self.refuse(over, self.give_up);
        self.copy_state(state, kept);
        let next = self.advance(kept);
        self.set_ctx(std::mem::offset_of!(Ctx, frames), next);
        kept
    }

    /// Expands the state like a source; if no edge is executable, it is a successor itself.
    fn expand_aside(&mut self, proc: ProcId, state: Value) {
        let kept = self.keep_state(state);
        let timeout = std::mem::offset_of!(Ctx, timeout);
        let before = self.unit.uses_timeout.then(|| self.get_ctx(timeout));
        if before.is_some() {
            let no = self.iconst(0);
            self.set_ctx(timeout, no);
        }
        let step = self.unit.funcs[proc.index()].step.entry();
        let out = self.call(step, &[self.ctx, kept, self.me.off, self.me.pid, state]);
        if let Some(before) = before {
            self.set_ctx(timeout, before);
        }
        self.set_ctx(std::mem::offset_of!(Ctx, frames), kept);
        self.unless_given_up();
        let none = self.b.ins().icmp(IntCC::Equal, out, state);
        let (blocked, moved) = (self.block(), self.block());
        self.brif(none, blocked, moved);
        self.start(blocked);
        self.copy_state(kept, state);
        self.end_here(state);
        self.start(moved);
        self.b.def_var(self.out, out);
        self.jump(self.done);
    }
}

/// Common property of the edges of one rank.
pub(super) enum GroupKind {
    /// No communication.
    Quiet,
    /// Communication over buffered channels only.
    Buffered,
    /// Possibly a rendezvous.
    Offers,
}

impl Unit<'_> {
    /// The edges of a location by rank.
    pub fn ranks(&self, proc: ProcId, loc: LocId) -> Vec<Vec<EdgeId>> {
        let process = self.model.process(proc);
        let rank = |id: &EdgeId| process.edges[id.index()].rank;
        process.locations[loc.index()].out.chunk_by(|a, b| rank(a) == rank(b)).map(<[_]>::to_vec).collect()
    }

    fn group_kind(&self, proc: ProcId, group: &[EdgeId]) -> GroupKind {
        let edges = &self.model.process(proc).edges;
        let mut kind = GroupKind::Quiet;
        for id in group {
            let edge = &edges[id.index()];
            match &edge.comm {
                None => {}
                Some(Comm::Send { chan, .. }) if self.may_be_rendezvous(proc, chan) => {
                    return GroupKind::Offers;
                }
                Some(Comm::Send { .. } | Comm::Receive { .. }) => kind = GroupKind::Buffered,
            }
        }
        kind
    }
}
