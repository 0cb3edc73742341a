//! The moves of a process in parts, each with its footprint: the bits of a state that the
//! interpreter reads or writes while it computes the part.
//!
//! The moves of a process in a state are also its moves in every state that agrees in the
//! footprint: the first access has the same address and value in both states, hence so does each
//! following one, and the values written are the same.
//!
//! *Entry point:* [`Interpreter::expand_watched`]; `axle verify-certificate` memoises its results.
//!
//! The potential receivers of a rendezvous send are not determined from the locations of all
//! processes, because every send would then depend on all of them: a process that receives from
//! other channels only is excluded ([`receives`]).
//!
//! *Source:* U. A. Acar, G. E. Blelloch and R. Harper, Selective memoization, POPL 2003.
//!
//! *Invariant:* the parts of all processes have all moves, and a part depends on its footprint only.

use axle_model::access::written_locals;
use axle_model::{Base, Expr, LocId, Place, ProcId, Process, Step};

use super::small_steps::SmallSteps;
use crate::batch::Batch;
use crate::interpret::Interpreter;
use crate::interpret::edge::Ask;
use crate::interpret::machine::Machine;
use crate::interpret::watch::Watch;
use crate::layout::Home;
use crate::successors::Grow;

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
        self.scratch.sequence.cache.get_or_insert_with(|| Box::new(SmallSteps::default()));
        self.machine.watch = std::mem::take(&mut self.scratch.watch);
        if self.machine.watch.words() != words {
            let types = 0..self.machine.model.processes.len();
            let from = types.map(|proc| receives(&self.machine, ProcId::new(proc)));
            self.machine.watch = Watch::enabled(words, from.collect());
        }
    }

    /// Disables recording and returns the recorded bits.
    fn noted(&mut self, bits: &mut Vec<u64>) {
        self.machine.watch.take(bits);
        self.scratch.watch = std::mem::take(&mut self.machine.watch);
    }
}
