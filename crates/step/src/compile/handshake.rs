//! Rendezvous in generated code: one step of a sender and a receiver.
//!
//! The sender writes an [`Offer`] on its stack and calls one function per model, which offers it to
//! every other process ([`Emit::offer_to_others`]). The function of the receiver's type
//! ([`Emit::receiver`]) creates one successor for each of its matching edges: copy, message, the
//! sender's part (a function of the sender's type, [`Emit::senders_part`]), the receiver's effects,
//! and its sequence.
//!
//! Receivers read the source state itself. If some receive of the model depends on the sender's
//! location, they read a copy in which the sender has moved.

use axle_model::{Comm, Edge, EdgeId, Expr, LocId, Pattern, ProcId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, StackSlotData, StackSlotKind, Value, types};

use super::channels::Chan;
use super::emit::{Cell, Emit, TRUSTED, Val, View, range_of};
use super::runtime::{self, Ctx};
use super::segments::Segmented;
use cranelift_module::FuncId;

/// The words of an offer, in order; the values of the message follow.
mod offer {
    pub const CHAN: i32 = 0;
    pub const PID: i32 = 8;
    pub const SLOT: i32 = 16;
    pub const PART: i32 = 24;
    pub const EDGE: i32 = 32;
    pub const LISTENERS: i32 = 40;
    pub const VALUES: i32 = 48;
}

impl<'a> Emit<'a, '_> {
    /// Emits a rendezvous send with all its successors. Records the edge as executed if there are
    /// any.
    pub fn offer(&mut self, id: EdgeId, edge: &Edge, chan: &Chan<'a>) {
        let before = self.b.use_var(self.out);
        let Some(after) = self.offer_by(self.unit.partners, before, id, edge, chan) else { return };
        self.b.def_var(self.out, after);
        let (mark, on) = (self.block(), self.block());
        let any = self.b.ins().icmp(IntCC::NotEqual, before, after);
        self.brif(any, mark, on);
        self.start(mark);
        self.mark_taken(id);
        self.jump(on);
        self.start(on);
    }

    /// Emits the test whether a rendezvous send is possible; continues if it is, otherwise branches
    /// to `no`.
    pub fn test_offer(&mut self, id: EdgeId, edge: &Edge, chan: &Chan<'a>, no: Block) {
        let before = self.iconst(0);
        if let Some(after) = self.offer_by(self.unit.test_partners, before, id, edge, chan) {
            self.require(after, no);
        }
    }

    /// Writes the offer and calls `partners` with it; returns its result.
    fn offer_by(
        &mut self,
        partners: Option<FuncId>,
        before: Value,
        id: EdgeId,
        edge: &Edge,
        chan: &Chan<'a>,
    ) -> Option<Value> {
        let (Some(Comm::Send { args, .. }), Some(partners)) = (&edge.comm, partners) else { return None };
        let values = self.message_values(chan, args);
        let size = offer::VALUES as u32 + 8 * values.len() as u32;
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3));
        let record = self.b.ins().stack_addr(types::I64, slot, 0);
        let part = self.unit.funcs[self.me.proc.index()].part.as_ref();
        let part = self.func_ref(part?.containing(id.index()));
        let part = self.b.ins().func_addr(types::I64, part);
        let (chan_value, number) = (self.value(chan.value), self.iconst(id.0.into()));
        let listeners = self.unit.listeners.address(self.me.proc, id);
        let listeners = self.iconst(listeners as i64);
        let words = [
            (offer::CHAN, chan_value),
            (offer::PID, self.me.pid),
            (offer::SLOT, self.me.off),
            (offer::PART, part),
            (offer::EDGE, number),
            (offer::LISTENERS, listeners),
        ];
        for (at, word) in words {
            self.b.ins().store(TRUSTED, word, record, at);
        }
        for (i, value) in values.into_iter().enumerate() {
            let value = self.value(value);
            self.b.ins().store(TRUSTED, value, record, offer::VALUES + 8 * i as i32);
        }
        let after = if self.unit.receivers_look_around {
            let kept = self.keep_state(self.view.state);
            let moved = self.view_of(kept);
            let pc = self.unit.layout.procs[self.me.proc.index()].pc;
            self.store(Cell::new(moved.slot, pc), Val::Const(i64::from(edge.target.0) + 1));
            let after = self.call(partners, &[self.ctx, kept, self.me.pid, before, record]);
            self.set_ctx(std::mem::offset_of!(Ctx, frames), kept);
            after
        } else {
            self.call(partners, &[self.ctx, self.view.state, self.me.pid, before, record])
        };
        self.unless_given_up();
        Some(after)
    }

    /// The body of the function that offers to every other process: `(ctx, state, pid, out,
    /// offer)`.
    pub fn offer_to_others(&mut self, test: bool) {
        let params = self.params();
        let (state, sender, record) = (params[1], params[2], params[4]);
        self.b.def_var(self.out, params[3]);
        let masks = self.b.ins().load(types::I64, TRUSTED, record, offer::LISTENERS);
        self.each_process(state, Some(masks), |emit, proc, off, pid| {
            let funcs = &emit.unit.funcs[proc.index()];
            let receiver = if test { &funcs.test_receiver } else { &funcs.receiver };
            let Some(receiver) = receiver.as_ref().map(Segmented::entry) else { return };
            let (ask, next) = (emit.block(), emit.block());
            let own = emit.b.ins().icmp(IntCC::Equal, pid, sender);
            emit.brif(own, next, ask);
            emit.start(ask);
            emit.stands_ready(proc, masks, state, off, next);
            let out = emit.b.use_var(emit.out);
            let out = emit.call(receiver, &[emit.ctx, state, off, pid, out, record]);
            emit.b.def_var(emit.out, out);
            emit.jump(next);
            emit.start(next);
        });
        self.jump(self.done);
    }

    /// Continues if the process is at a location with a potential receive, otherwise branches to
    /// `no`.
    fn stands_ready(&mut self, proc: ProcId, masks: Value, state: Value, off: Value, no: Block) {
        let mask = self.b.ins().load(types::I64, TRUSTED, masks, 8 * proc.0 as i32);
        let slot = self.b.ins().iadd(state, off);
        let pc = self.load(Cell::new(slot, self.unit.layout.procs[proc.index()].pc));
        let pc = self.value(pc);
        let bit = self.b.ins().ushr(mask, pc);
        let bit = self.b.ins().band_imm_u(bit, 1);
        self.require(bit, no);
    }

    /// The body of the function of a receiving type: `(ctx, state, slot, pid, out, offer)`; returns
    /// the new `out`. With `test`, it returns a different `out` if some edge matches.
    pub fn receiver(&mut self, proc: ProcId, test: bool) {
        let params = self.params();
        self.b.def_var(self.out, params[4]);
        let record = params[5];
        let before = self.view;
        let process = self.unit.model.process(proc);
        if let Some(provided) = &process.provided {
            self.require_expr(provided, self.done);
        }
        let asked = self.b.ins().load(types::I64, TRUSTED, record, offer::CHAN);
        let candidates: Vec<Vec<EdgeId>> =
            (0..process.locations.len()).map(|loc| self.unit.listening(proc, LocId::new(loc))).collect();
        let blocks = self.switch_location(proc, |loc| !candidates[loc].is_empty());
        for (loc, block) in blocks {
            self.start(block);
            let start = self.b.use_var(self.out);
            let mut rank = None;
            for &id in &candidates[loc] {
                let edge = &process.edges[id.index()];
                if rank.is_some_and(|r| r != edge.rank) {
                    // A matching edge of a lower rank has priority over this one.
                    let now = self.b.use_var(self.out);
                    let none = self.b.ins().icmp(IntCC::Equal, now, start);
                    self.require(none, self.done);
                }
                rank = Some(edge.rank);
                let next = self.block();
                self.view = before;
                self.fit(id, edge, record, asked, next, test);
                self.start(next);
            }
            self.jump(self.done);
        }
    }

    /// One receive edge: if it matches the offer, one successor or more.
    fn fit(&mut self, id: EdgeId, edge: &Edge, record: Value, asked: Value, next: Block, test: bool) {
        let Some(Comm::Receive { chan, patterns, copy, .. }) = &edge.comm else {
            return self.jump(next);
        };
        self.require_expr(&edge.guard, next);
        let own = self.eval(chan);
        let value = self.value(own);
        let (this, other) = (self.block(), self.block());
        let same = self.b.ins().icmp(IntCC::Equal, value, asked);
        self.brif(same, this, other);
        self.start(other);
        if !matches!(chan, Expr::Channel(_)) {
            // An invalid reference is a fault, which the interpreter reports.
            self.refers_to_something(own);
        }
        self.jump(next);
        self.start(this);
        if *copy {
            self.jump(self.give_up);
            return;
        }
        let arities = self.unit.rendezvous_fields(self.me.proc, chan);
        if arities.iter().any(|fields| fields.len() != patterns.len()) {
            self.jump(self.give_up);
            return;
        }
        let field = |emit: &mut Self, i: usize| {
            let v = emit.b.ins().load(types::I64, TRUSTED, record, offer::VALUES + 8 * i as i32);
            let range = match arities.as_slice() {
                [only] => only[i].scalar().map_or((i64::MIN, i64::MAX), range_of),
                _ => (i64::MIN, i64::MAX),
            };
            Val::Dyn { v, lo: range.0, hi: range.1 }
        };
        // All values are evaluated before the comparisons, as in `matching`.
        let wanted: Vec<(usize, Val)> = (patterns.iter().enumerate())
            .filter_map(|(i, pattern)| match pattern {
                Pattern::Match(expr) => Some((i, self.eval(expr))),
                Pattern::Bind(_) | Pattern::Any => None,
            })
            .collect();
        for (i, wanted) in wanted {
            let given = field(self, i);
            let (given, wanted) = (self.value(given), self.value(wanted));
            let same = self.b.ins().icmp(IntCC::Equal, given, wanted);
            self.require(same, next);
        }
        let to = self.b.use_var(self.out);
        if test {
            let other = self.b.ins().iadd_imm_s(to, 1);
            self.b.def_var(self.out, other);
            return self.jump(next);
        }
        self.ensure_room(to);
        let values: Vec<Option<Val>> = (patterns.iter().enumerate())
            .map(|(i, pattern)| match pattern {
                Pattern::Bind(_) => Some(field(self, i)),
                Pattern::Match(_) | Pattern::Any => None,
            })
            .collect();
        self.copy_state(self.view.state, to);
        let before: View = self.view;
        self.view = self.view_of(to);
        self.store_message(patterns, &values);
        let load = |emit: &mut Self, at: i32| emit.b.ins().load(types::I64, TRUSTED, record, at);
        let part = load(self, offer::PART);
        let (slot, pid, number) = (load(self, offer::SLOT), load(self, offer::PID), load(self, offer::EDGE));
        self.call_value(part, &[self.ctx, to, slot, pid, number]);
        self.unless_given_up();
        edge.effects.iter().for_each(|effect| self.effect(effect));
        self.arrive(edge);
        self.mark_taken(id);
        self.follow(edge, to);
        self.note_handshake(record, to);
        self.view = before;
        self.jump(next);
    }

    /// Records the participants of the rendezvous for the successors emitted since `from`, if
    /// requested.
    fn note_handshake(&mut self, record: Value, from: Value) {
        if self.unit.options.movers {
            let to = self.b.use_var(self.out);
            let sender = self.b.ins().load(types::I64, TRUSTED, record, offer::PID);
            let note = runtime::shake as *const () as usize;
            self.call_address(note, &[self.ctx, from, to, sender, self.me.pid]);
        }
    }

    /// The body of the function that executes the sender's part of a rendezvous in a successor:
    /// `(ctx, state, slot, pid, edge)`, for the edges of this segment.
    pub fn senders_part(&mut self, proc: ProcId) {
        let params = self.params();
        self.b.def_var(self.out, params[1]);
        let segment = self.segment.clone();
        let edges = &self.unit.model.process(proc).edges[segment.clone()];
        let sends: Vec<&Edge> = edges.iter().filter(|e| matches!(e.comm, Some(Comm::Send { .. }))).collect();
        let number = self.b.ins().iadd_imm_s(params[4], -(segment.start as i64));
        let number = self.b.ins().ireduce(types::I32, number);
        let blocks: Vec<Block> = edges
            .iter()
            .map(|e| if matches!(e.comm, Some(Comm::Send { .. })) { self.block() } else { self.done })
            .collect();
        let calls: Vec<_> = blocks.iter().map(|&block| self.block_call(block)).collect();
        let default = self.block_call(self.done);
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        self.b.ins().br_table(number, table);
        let starts = blocks.into_iter().filter(|&block| block != self.done);
        for (block, edge) in starts.zip(sends).collect::<Vec<_>>() {
            self.start(block);
            let pc = self.unit.layout.procs[proc.index()].pc;
            self.store(Cell::new(self.view.slot, pc), Val::Const(i64::from(edge.target.0) + 1));
            edge.effects.iter().for_each(|effect| self.effect(effect));
            self.jump(self.done);
        }
    }
}
