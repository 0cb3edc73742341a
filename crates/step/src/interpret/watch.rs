//! What the moves of a process depend on, noted while they are made: every bit of a state that the
//! interpreter reads or writes on the way.
//!
//! Idea: whoever makes the moves of a process in a state, and writes down which bits it looks at or
//! changes, knows them for every state that agrees in these bits. For then both go the same way:
//! what is read first has the same place and the same value in both, so has what is read next, and
//! what is written is the same too.
//!
//! *Entry point:* [`Interpreter::expand_watched`]; the memo of `axle verify-certificate` stores
//! them with the bits.
//!
//! Which processes may receive what is offered hand to hand is not found out by looking where all
//! of them stand, or every send would depend on everything: whose receives are all from other
//! channels is passed over ([`Watch::cannot_receive`]).
//!
//! *Source:* memoisation by the footprint of a computation, as in incremental computing: Acar,
//! Blelloch and Harper, "Selective memoization" (POPL 2003).
//!
//! *Invariant:* while it is on, no field of a state is read or written but through this module's
//! callers, which say so. Copies of whole states and comparisons among the states inside one
//! sequence say nothing: they are equal in all that was never written.

use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::{Base, Comm, Effect, Expr, LocId, Pattern, Place, ProcId, Process, Step};

use super::Interpreter;
use super::channel::{self, Chan};
use super::edge::Ask;
use super::log::Log;
use super::machine::{Actor, Machine};
use crate::batch::{Batch, Grow};
use crate::layout::{Data, Field, Home};

/// Notes bits, where it is on.
#[derive(Default, Debug)]
pub(crate) struct Watch(Option<Box<Noted>>);

#[derive(Debug)]
struct Noted {
    /// The bits of a state, 64 in each word. Nothing is shared: they are atomic so that whoever holds a machine may be
    /// seen by other threads.
    bits: Vec<AtomicU64>,
    /// For each process type the channels that it may ever receive from hand to hand, where that can be told without
    /// looking where a process stands.
    from: Vec<Option<Vec<Expr>>>,
}

impl Clone for Watch {
    /// Whoever is a copy notes for itself.
    fn clone(&self) -> Watch {
        let noted = |noted: &Noted| {
            let words = noted.bits.iter().map(|word| AtomicU64::new(word.load(Ordering::Relaxed)));
            Box::new(Noted { bits: words.collect(), from: noted.from.clone() })
        };
        Watch(self.0.as_deref().map(noted))
    }
}

impl Watch {
    /// A field is read or written, whose owner begins at bit `base`.
    #[inline]
    pub fn field(&self, field: Field, base: u32) {
        if self.0.is_some() {
            // Whoever writes more than a byte writes all bits of these bytes.
            let bits = if field.bits <= 8 { u32::from(field.bits) } else { 8 * field.bytes() };
            self.range(base + field.bit, base + field.bit + bits);
        }
    }

    /// All these bits are.
    #[inline]
    pub fn range(&self, from: u32, to: u32) {
        if self.0.is_some() {
            let mut from = from;
            while from < to {
                let end = to.min((from / 64 + 1) * 64);
                let bits = u64::MAX >> (64 - (end - from)) << (from % 64);
                self.word(from as usize / 64, bits);
                from = end;
            }
        }
    }

    /// Whether it is on.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// These bits of a word are.
    #[inline]
    pub fn word(&self, index: usize, bits: u64) {
        if let Some(noted) = &self.0 {
            let word = &noted.bits[index];
            word.store(word.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
        }
    }

    /// All these bits are, a word each.
    pub fn add(&self, bits: &[u64]) {
        bits.iter().enumerate().for_each(|(index, bits)| self.word(index, *bits));
    }

    /// Puts what was noted so far into `bits`, and begins anew.
    pub fn take(&self, bits: &mut Vec<u64>) {
        let noted = self.0.iter().flat_map(|noted| &noted.bits);
        bits.clear();
        bits.extend(noted.map(|word| word.swap(0, Ordering::Relaxed)));
    }

    /// All of a variable is.
    pub fn data(&self, data: &Data, base: u32) {
        if self.0.is_none() {
            return;
        }
        match data {
            Data::Scalar(field) => self.field(*field, base),
            Data::Record(fields) => fields.iter().for_each(|field| self.data(field, base)),
            Data::Array { first, stride, len } => {
                (0..*len).for_each(|index| self.data(first, base + index * stride));
            }
        }
    }

    /// Whether a process does not receive from a rendezvous channel wherever it stands. Only asked, and only answered
    /// with yes, where it is noted what is looked at: otherwise where it stands says so sooner.
    pub fn cannot_receive(&self, other: &Actor, state: &[u8], chan: &Chan) -> bool {
        let Some(from) = self.0.as_ref().and_then(|noted| noted.from[other.proc.index()].as_ref()) else {
            return false;
        };
        let mut log = Log::default();
        // What would be a fault if it stood there is left to those who look.
        from.iter().all(|expr| {
            channel::find(other, state, expr, &mut log).is_some_and(|theirs| theirs.value != chan.value)
        }) && log.attempt.is_empty()
    }
}

/// The channels that processes of a type may receive from hand to hand; nothing where whether they do, or from which,
/// can change while they live, or something could go wrong in finding out.
fn receives(machine: &Machine, proc: ProcId) -> Option<Vec<Expr>> {
    let process = machine.model.process(proc);
    let fixed = never_written(process);
    let mut from = Vec::new();
    for edge in &process.edges {
        if let Some(Comm::Receive { chan, .. }) = &edge.comm
            && may_hand(machine, proc, chan)
        {
            if process.provided.is_some() || edge.guard != Expr::TRUE || !stays(machine, &fixed, chan) {
                return None;
            }
            if !from.contains(chan) {
                from.push(chan.clone());
            }
        }
    }
    Some(from)
}

/// Whether a message may go hand to hand through what an expression of this process type refers to.
fn may_hand(machine: &Machine, proc: ProcId, chan: &Expr) -> bool {
    use axle_model::ChanRef::{Global, Own};
    let layout = &machine.layout;
    match chan {
        Expr::Channel(Global(index)) => layout.channels[*index as usize].len.is_none(),
        Expr::Channel(Own(index)) => layout.procs[proc.index()].channels[*index as usize].len.is_none(),
        _ => true,
    }
}

/// Whether an expression has the same value as long as a process lives.
fn stays(machine: &Machine, fixed: &[bool], expr: &Expr) -> bool {
    let stays = |expr: &Expr| self::stays(machine, fixed, expr);
    match expr {
        Expr::Const(_) | Expr::SelfPid | Expr::Channel(_) => true,
        Expr::Unary(_, _, inner) | Expr::Convert(_, inner) => stays(inner),
        Expr::Binary(_, _, lhs, rhs) => stays(lhs) && stays(rhs),
        Expr::Load(Place { base, path }) => {
            let written = match base {
                Base::Global(id) => matches!(machine.layout.globals[id.index()], Home::State(_)),
                Base::Local(id) => !fixed[id.index()],
                Base::Remote { .. } => true,
            };
            !written
                && path.iter().all(|step| match step {
                    Step::Field(_) => true,
                    Step::Index(index) => stays(index),
                })
        }
        _ => false,
    }
}

/// For each local of a process type, whether no edge ever writes it.
fn never_written(process: &Process) -> Vec<bool> {
    let mut fixed = vec![true; process.locals.len()];
    let mut written = |place: &Place| {
        if let Base::Local(id) = place.base {
            fixed[id.index()] = false;
        }
    };
    for edge in &process.edges {
        if let Some(Comm::Receive { patterns, .. }) = &edge.comm {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    written(place);
                }
            }
        }
        for effect in &edge.effects {
            match effect {
                Effect::Assign(place, _) | Effect::Clear(place) => written(place),
                Effect::Run { into, .. } => into.iter().for_each(&mut written),
                Effect::Assert(..) | Effect::Print(..) | Effect::SetPriority(..) | Effect::Exit => {}
            }
        }
    }
    fixed
}

/// Into how many parts the moves of processes of this type at this location fall, of which each can be made by itself:
/// one for each edge where none gives way to another, otherwise one. Where no edge is left there is still `provided`, in
/// which something may go wrong.
fn parts(process: &Process, loc: LocId) -> usize {
    let out = &process.locations[loc.index()].out;
    let mut ranks = out.iter().map(|id| process.edges[id.index()].rank);
    let first = ranks.next();
    let free = !process.deterministic && ranks.all(|rank| Some(rank) == first);
    match free && (first.is_some() || process.provided.is_none()) {
        true => out.len(),
        false => 1,
    }
}

impl Interpreter {
    /// Into how many parts the moves of a process fall ([`Interpreter::expand_watched`]), none where there is no such
    /// process; into `bits` goes what that depends on.
    pub fn parts_watched(&mut self, state: &[u8], pid: u32, bits: &mut Vec<u64>) -> usize {
        self.watch(state.len());
        let machine = &self.machine;
        let parts = match machine.existing(state, pid.into()) {
            None => 0,
            Some(pid) => {
                let who = machine.actor(state, pid, false, None);
                parts(who.process, who.location(state))
            }
        };
        self.noted(bits);
        parts
    }

    /// Puts into `out` what one part of the moves of a process that exists leads to, and into `bits` every bit of the
    /// state that was read or written in making them, 64 in a word: in all states that agree in these the part is the
    /// same, changes the same bits to the same values, and the same goes wrong in it. In the order of their numbers, all
    /// parts of the moves of all processes are what [`expand`](crate::Successors::expand) makes, but that `timeout` is 0
    /// and nothing is said of a state in which nobody can move.
    pub fn expand_watched(
        &mut self,
        state: &[u8],
        pid: u32,
        part: usize,
        out: &mut Batch,
        bits: &mut Vec<u64>,
    ) -> Result<(), Grow> {
        self.watch(state.len());
        let done = self.expand_with(state, out, None, |expansion, _, state| {
            let who = expansion.machine.actor(state, pid, false, None);
            let only = (parts(who.process, who.location(state)) > 1).then_some(part);
            let ask = Ask { only, ..Ask::default() };
            expansion.attempt(state, ask, |other| other == pid).map(|_| ())
        });
        self.noted(bits);
        done
    }

    /// From here on it is noted what is looked at in states of so many bytes.
    fn watch(&mut self, bytes: usize) {
        let words = bytes.div_ceil(8);
        self.machine.watch = std::mem::take(&mut self.scratch.watch);
        if self.machine.watch.0.as_ref().is_none_or(|noted| noted.bits.len() != words) {
            let types = 0..self.machine.model.processes.len();
            let from = types.map(|proc| receives(&self.machine, ProcId::new(proc))).collect();
            let bits = (0..words).map(|_| AtomicU64::new(0)).collect();
            self.machine.watch = Watch(Some(Box::new(Noted { bits, from })));
        }
    }

    /// What was looked at, and that is all.
    fn noted(&mut self, bits: &mut Vec<u64>) {
        self.machine.watch.take(bits);
        self.scratch.watch = std::mem::take(&mut self.machine.watch);
    }
}
