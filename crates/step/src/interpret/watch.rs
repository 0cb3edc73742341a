//! Footprints: records the bits of a state that the interpreter reads or writes while it computes
//! the moves of a process.
//!
//! The moves of a process in a state are also its moves in every state that agrees in the
//! footprint: the first access has the same address and value in both states, hence so does each
//! following one, and the values written are the same.
//!
//! *Entry point:* [`Interpreter::expand_watched`]; `axle verify-certificate` memoises its results.
//!
//! The potential receivers of a rendezvous send are not determined from the locations of all
//! processes, because every send would then depend on all of them: a process that receives from
//! other channels only is excluded ([`Watch::cannot_receive`]).
//!
//! *Source:* U. A. Acar, G. E. Blelloch and R. Harper, Selective memoization, POPL 2003.
//!
//! *Invariant:* while recording is enabled, every access to a field of a state is reported to this
//! module. Copies and comparisons of whole states inside one sequence are not reported, because
//! these states are equal in all bits that were not written.

use std::sync::atomic::{AtomicU64, Ordering};

use axle_model::access::written_locals;
use axle_model::{Base, Expr, LocId, Place, ProcId, Process, Step};

use super::Interpreter;
use super::channel::{self, Chan};
use super::edge::Ask;
use super::log::Log;
use super::machine::{Actor, Machine};
use crate::batch::{Batch, Grow};
use crate::layout::{Data, Field, Home};

/// Recorder of bits; inactive by default.
#[derive(Default, Debug)]
pub(crate) struct Watch(Option<Box<Noted>>);

#[derive(Debug)]
struct Noted {
    /// The bits of a state, 64 per word. They are not shared between threads; they are atomic so
    /// that a machine is `Sync`.
    bits: Vec<AtomicU64>,
    /// For each process type the channels from which it may ever receive in a rendezvous, if they
    /// are independent of its location.
    from: Vec<Option<Vec<Expr>>>,
}

impl Clone for Watch {
    /// A copy has a recorder of its own.
    fn clone(&self) -> Watch {
        let noted = |noted: &Noted| {
            let words = noted.bits.iter().map(|word| AtomicU64::new(word.load(Ordering::Relaxed)));
            Box::new(Noted { bits: words.collect(), from: noted.from.clone() })
        };
        Watch(self.0.as_deref().map(noted))
    }
}

impl Watch {
    /// Records an access to a field whose owner begins at bit `base`.
    #[inline]
    pub fn field(&self, field: Field, base: u32) {
        if self.0.is_some() {
            // A write of several bytes writes all bits of these bytes.
            let bits = if field.bits <= 8 { u32::from(field.bits) } else { 8 * field.bytes() };
            self.range(base + field.bit, base + field.bit + bits);
        }
    }

    /// Records an access to a range of bits.
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

    /// Whether recording is enabled.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Records an access to bits of a word.
    #[inline]
    pub fn word(&self, index: usize, bits: u64) {
        if let Some(noted) = &self.0 {
            let word = &noted.bits[index];
            word.store(word.load(Ordering::Relaxed) | bits, Ordering::Relaxed);
        }
    }

    /// Records an access to a set of bits.
    pub fn add(&self, bits: &[u64]) {
        bits.iter().enumerate().for_each(|(index, bits)| self.word(index, *bits));
    }

    /// Moves the recorded bits to `bits` and clears the recorder.
    pub fn take(&self, bits: &mut Vec<u64>) {
        let noted = self.0.iter().flat_map(|noted| &noted.bits);
        bits.clear();
        bits.extend(noted.map(|word| word.swap(0, Ordering::Relaxed)));
    }

    /// Records an access to a whole variable.
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

    /// Whether a process does not receive from a rendezvous channel at any location. Only called,
    /// and only true, while recording is enabled; otherwise the location decides.
    pub fn cannot_receive(&self, other: &Actor, state: &[u8], chan: &Chan) -> bool {
        let Some(from) = self.0.as_ref().and_then(|noted| noted.from[other.proc.index()].as_ref()) else {
            return false;
        };
        let mut log = Log::default();
        // A possible fault at that location is left to the actual evaluation.
        from.iter().all(|expr| {
            channel::find(other, state, expr, &mut log).is_some_and(|theirs| theirs.value != chan.value)
        }) && log.attempt.is_empty()
    }
}

/// The channels from which processes of a type may receive in a rendezvous; `None` if these can
/// change during their lifetime, or if their evaluation can fail.
fn receives(machine: &Machine, proc: ProcId) -> Option<Vec<Expr>> {
    let process = machine.model.process(proc);
    let written = written_locals(process);
    let mut from = Vec::new();
    for edge in &process.edges {
        if let Some(chan) = edge.receives_from()
            && may_hand(machine, proc, chan)
        {
            if process.provided.is_some() || edge.guard != Expr::TRUE || !stays(machine, &written, chan) {
                return None;
            }
            if !from.contains(chan) {
                from.push(chan.clone());
            }
        }
    }
    Some(from)
}

/// Whether an expression of this process type may denote a rendezvous channel.
fn may_hand(machine: &Machine, proc: ProcId, chan: &Expr) -> bool {
    use axle_model::ChanRef::{Global, Own};
    let layout = &machine.layout;
    match chan {
        Expr::Channel(Global(index)) => layout.channels[*index as usize].len.is_none(),
        Expr::Channel(Own(index)) => layout.procs[proc.index()].channels[*index as usize].len.is_none(),
        _ => true,
    }
}

/// Whether the value of an expression is constant during the lifetime of a process.
fn stays(machine: &Machine, written: &[bool], expr: &Expr) -> bool {
    let stays = |expr: &Expr| self::stays(machine, written, expr);
    match expr {
        Expr::Const(_) | Expr::SelfPid | Expr::Channel(_) => true,
        Expr::Unary(_, _, inner) | Expr::Convert(_, inner) => stays(inner),
        Expr::Binary(_, _, lhs, rhs) => stays(lhs) && stays(rhs),
        Expr::Load(Place { base, path }) => {
            let changes = match base {
                Base::Global(id) => matches!(machine.layout.globals[id.index()], Home::State(_)),
                Base::Local(id) => written[id.index()],
                Base::Remote { .. } => true,
            };
            !changes
                && path.iter().all(|step| match step {
                    Step::Field(_) => true,
                    Step::Index(index) => stays(index),
                })
        }
        _ => false,
    }
}

/// Number of parts of the moves of processes of this type at this location that can be computed
/// separately: one for each edge if no edge has priority over another, otherwise one. A location
/// without edges has one part for the evaluation of `provided`, which may fail.
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
    /// Number of parts of the moves of a process ([`Interpreter::expand_watched`]), 0 if the
    /// process does not exist; `bits` receives the footprint of this number.
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

    /// Computes one part of the moves of an existing process into `out`, and its footprint into
    /// `bits`, 64 per word. In all states that agree in the footprint, the part has the same moves,
    /// changes and faults. All parts of all processes, in order of their numbers, yield the result
    /// of [`expand`](crate::Successors::expand), except that `timeout` is 0 and end states are not
    /// classified.
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

    /// Enables recording for states of this number of bytes.
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

    /// Disables recording and returns the recorded bits.
    fn noted(&mut self, bits: &mut Vec<u64>) {
        self.machine.watch.take(bits);
        self.scratch.watch = std::mem::take(&mut self.machine.watch);
    }
}
