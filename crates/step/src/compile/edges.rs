//! Edges in generated code: the test whether one is executable ([`Emit::attempt`]), and its
//! execution ([`Emit::perform`]).
//!
//! A test reads the state in view and writes nothing. Execution first computes all values that
//! depend on the state before the step. It then copies that state to the position of the successor
//! (unless it is there already), changes the view to the copy, and applies the effects in order.

use axle_model::{Atomicity, Comm, Edge, EdgeId, Effect, Pattern};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::channels::{At, Chan};
use super::continuations::leaves;
use super::emit::{Cell, Emit, TRUSTED, Val};
use super::runtime::Ctx;

/// Kind of execution of an executable edge.
pub(super) enum Ready<'a> {
    /// No communication.
    Internal,
    /// A send to a channel that is not full.
    Send(Chan<'a>),
    /// A receive of this message.
    Receive(Chan<'a>, At),
    /// A rendezvous send.
    Offer(Chan<'a>),
}

/// Values computed in the state before the step.
enum Prepared<'a> {
    Nothing,
    /// The value of the first assignment.
    First(Val),
    Send {
        chan: Chan<'a>,
        at: Option<Value>,
        values: Vec<Val>,
    },
    Receive {
        chan: Chan<'a>,
        at: At,
        values: Vec<Option<Val>>,
    },
}

impl<'a> Emit<'a, '_> {
    /// Emits the test whether an edge is executable: `take` if it is (`take` must leave its block
    /// terminated and may be emitted several times), `no` otherwise.
    pub fn attempt(&mut self, edge: &Edge, no: Block, mut take: impl FnMut(&mut Self, Ready<'a>)) {
        self.require_expr(&edge.guard, no);
        match &edge.comm {
            None => take(self, Ready::Internal),
            Some(Comm::Send { chan, args, .. }) => self.each_kind(chan, |emit, chan| {
                if !emit.arity_fits(&chan, args.len())
                    || (chan.is_rendezvous() && edge.keep == Atomicity::Deterministic)
                {
                    return emit.jump(emit.give_up);
                }
                if chan.is_rendezvous() {
                    return take(emit, Ready::Offer(chan));
                }
                if !emit.unit.model.semantics.lossy {
                    let len = emit.chan_len(&chan);
                    let len = emit.value(len);
                    let room = emit.is(IntCC::NotEqual, len, chan.capacity.into());
                    emit.require(room, no);
                }
                take(emit, Ready::Send(chan));
            }),
            Some(Comm::Receive { chan, copy: false, .. })
                if self.unit.only_rendezvous && !matches!(chan, axle_model::Expr::Channel(_)) =>
            {
                // Such a receive occurs only as the second half of a rendezvous, on any channel.
                let value = self.eval(chan);
                self.refers_to_something(value);
                self.jump(no);
            }
            Some(Comm::Receive { chan, patterns, random, copy }) => self.each_kind(chan, |emit, chan| {
                if chan.is_rendezvous() {
                    // Such a receive occurs only as the second half of a rendezvous; there is no
                    // message to copy.
                    return emit.jump(if *copy { emit.give_up } else { no });
                }
                if !emit.arity_fits(&chan, patterns.len()) {
                    return emit.jump(emit.give_up);
                }
                let at = emit.matching(&chan, patterns, *random, no);
                take(emit, Ready::Receive(chan, at));
            }),
        }
    }

    /// Emits the execution of an executable edge without rendezvous: in the successor at `to`,
    /// copied from the state in view, or in the state in view itself.
    pub fn perform(&mut self, id: EdgeId, edge: &Edge, ready: Ready<'a>, to: Option<Value>) {
        let prepared = self.prepare(edge, ready);
        if let Some(to) = to {
            self.copy_state(self.view.state, to);
            self.view = self.view_of(to);
        }
        let mut effects = edge.effects.iter();
        match prepared {
            Prepared::Nothing => {}
            Prepared::First(value) => {
                if let Some(Effect::Assign(place, _)) = effects.next() {
                    self.store_place(place, value);
                }
            }
            Prepared::Send { chan, at, values } => self.send(&chan, at, &values),
            Prepared::Receive { chan, at, values } => {
                if let Some(Comm::Receive { patterns, copy, .. }) = &edge.comm {
                    if !copy {
                        self.remove(&chan, at);
                    }
                    self.store_message(patterns, &values);
                }
            }
        }
        effects.for_each(|effect| self.effect(effect));
        self.arrive(edge);
        self.mark_taken(id);
    }

    fn prepare(&mut self, edge: &Edge, ready: Ready<'a>) -> Prepared<'a> {
        match ready {
            Ready::Internal | Ready::Offer(_) => match edge.effects.first() {
                Some(Effect::Assign(_, value)) => Prepared::First(self.eval(value)),
                _ => Prepared::Nothing,
            },
            Ready::Send(chan) => {
                let Some(Comm::Send { args, sorted, .. }) = &edge.comm else { return Prepared::Nothing };
                let values = self.message_values(&chan, args);
                let at = sorted.then(|| self.sorted_position(&chan, &values));
                Prepared::Send { chan, at, values }
            }
            Ready::Receive(chan, at) => {
                let Some(Comm::Receive { patterns, .. }) = &edge.comm else { return Prepared::Nothing };
                let values = (patterns.iter().enumerate())
                    .map(|(field, pattern)| match pattern {
                        Pattern::Bind(_) => Some(self.message_field(&chan, at, field)),
                        Pattern::Match(_) | Pattern::Any => None,
                    })
                    .collect();
                Prepared::Receive { chan, at, values }
            }
        }
    }

    /// The values of a message to be sent, wrapped to the types of the fields.
    pub fn message_values(&mut self, chan: &Chan, args: &[axle_model::Expr]) -> Vec<Val> {
        let types = self.field_types(chan);
        (args.iter().zip(types))
            .map(|(arg, ty)| {
                let value = self.eval(arg);
                match ty.scalar() {
                    Some(int) => {
                        self.watch_truncation(value, int);
                        self.wrap(value, int)
                    }
                    None => value,
                }
            })
            .collect()
    }

    fn send(&mut self, chan: &Chan<'a>, at: Option<Value>, values: &[Val]) {
        if !self.unit.model.semantics.lossy {
            return self.insert(chan, at, values);
        }
        // A message sent to a full channel is lost.
        let (room, end) = (self.block(), self.block());
        let len = self.chan_len(chan);
        let len = self.value(len);
        let full = self.is(IntCC::Equal, len, chan.capacity.into());
        self.brif(full, end, room);
        self.start(room);
        self.insert(chan, at, values);
        self.jump(end);
        self.start(end);
    }

    /// Stores the fields of a received message.
    pub fn store_message(&mut self, patterns: &[Pattern], values: &[Option<Val>]) {
        for (pattern, value) in patterns.iter().zip(values) {
            if let (Pattern::Bind(place), Some(value)) = (pattern, value) {
                self.store_place(place, *value);
            }
        }
    }

    /// Applies one effect in the state in view.
    pub fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign(place, value) => {
                let value = self.eval(value);
                self.store_place(place, value);
            }
            Effect::Clear(place) => self.clear_place(place),
            Effect::Assert(cond, _) => self.require_expr(cond, self.give_up),
            // Only faults of the arguments are observable.
            Effect::Print(_, args) => args.iter().for_each(|arg| {
                self.eval(arg);
            }),
            Effect::Run { proc, args, priority, into } => {
                self.run(*proc, args, priority.as_ref(), into.as_ref());
            }
            Effect::SetPriority(pid, value) => self.set_priority(pid, value),
            Effect::Exit => self.exit(),
        }
    }

    /// Sets the process to the target of an edge, and records it as the last one executed.
    pub fn arrive(&mut self, edge: &Edge) {
        if !leaves(edge) && edge.source != edge.target {
            let pc = self.unit.layout.procs[self.me.proc.index()].pc;
            let pc = Cell::new(self.view.slot, pc);
            self.store(pc, Val::Const(i64::from(edge.target.0) + 1));
        }
        if let Some(last) = self.unit.layout.last {
            let last = Cell::new(self.view.state, last);
            let pid = self.my_pid();
            self.store(last, pid);
        }
    }

    /// Records the edge as executed.
    pub fn mark_taken(&mut self, id: EdgeId) {
        let flags = self.get_ctx(std::mem::offset_of!(Ctx, taken));
        let own = (self.me.proc.index() * size_of::<*mut bool>()) as i32;
        let flags = self.b.ins().load(types::I64, TRUSTED, flags, own);
        let one = self.iconst(1);
        self.b.ins().istore8(TRUSTED, one, flags, id.0 as i32);
    }
}
