//! Single steps: the executable edges of a process, and the states after their execution. The
//! semantics is defined in docs/theory/steps.md.
//!
//! *Entry points:* [`moves`] computes all successors of one process, [`first_in_place`] executes
//! one step of a deterministic sequence. `enabled.rs` tests whether an edge is executable.
//!
//! *Invariant:* moves are in order of rank, text, then partner.

use axle_model::{Atomicity, Comm, Edge, EdgeId, Effect, Expr, Pattern, ProcId};

use super::channel::{self, Chan};
use super::effect;
use super::enabled::{Ready, offer, provided, ready, values};
use super::log::{Blame, Event, Log, Passed};
use super::machine::Actor;
use super::place;
use crate::fault::FaultKind;
use crate::successors::Grow;

/// An edge executed by a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Taken {
    /// The number of the process.
    pub pid: u32,
    /// Its type at that time.
    pub proc: ProcId,
    /// The edge.
    pub edge: EdgeId,
}

/// Parameters of the moves requested from a process.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Ask {
    /// The value of `timeout`.
    pub timeout: bool,
    /// Only this edge, by index among those of the location, if no edge has priority over another.
    pub only: Option<usize>,
}

/// The step of one process, or of two in a rendezvous.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// The executing process.
    pub by: Taken,
    /// The receiver in a rendezvous.
    pub partner: Option<Taken>,
    /// Control after the step, for the process of [`Move::last`].
    pub keep: Atomicity,
    /// Faults of the step.
    pub faults: Vec<Blame>,
    /// Events of the step, if requested.
    pub events: Vec<Event>,
}

impl Move {
    /// The process that continues if control is kept, and its last edge.
    pub fn last(&self) -> Taken {
        self.partner.unwrap_or(self.by)
    }

    /// The executing processes, one or two.
    pub fn movers(&self) -> impl Iterator<Item = u32> {
        [Some(self.by.pid), self.partner.map(|partner| partner.pid)].into_iter().flatten()
    }
}

/// Moves with their target states.
#[derive(Clone, Default, Debug)]
pub(crate) struct Moves {
    /// All states, one after the other.
    pub states: Vec<u8>,
    /// One entry per state.
    pub list: Vec<Move>,
}

impl Moves {
    /// Discards the moves and keeps the memory.
    pub fn clear(&mut self) {
        self.states.clear();
        self.list.clear();
    }
}

/// Appends every move of a process to `out`; returns true if an edge is executable (an executable
/// edge need not have a target state).
pub(crate) fn moves(
    who: &Actor,
    state: &[u8],
    ask: Ask,
    out: &mut Moves,
    log: &mut Log,
) -> Result<bool, Grow> {
    if !provided(who, state, log) {
        return Ok(false);
    }
    let location = &who.process.locations[who.location(state).index()];
    let mut rank = None;
    let asked = ask.only.map_or(&location.out[..], |index| &location.out[index..=index]);
    for &id in asked {
        let edge = &who.process.edges[id.index()];
        if rank.is_some_and(|rank| edge.rank > rank) {
            break;
        }
        log.blame(who.pid, Some(id));
        if rank.is_some() && who.process.deterministic {
            // One edge is executable; test whether this is a second one.
            if attempt(who, state, id, edge, out, log)? {
                log.blame(who.pid, Some(id));
                log.report(FaultKind::NotDeterministic);
            }
            continue;
        }
        if attempt(who, state, id, edge, out, log)? {
            rank = Some(edge.rank);
        }
    }
    Ok(rank.is_some())
}

/// Executes an edge if it is executable, and returns whether it was.
fn attempt(
    who: &Actor,
    state: &[u8],
    id: EdgeId,
    edge: &Edge,
    out: &mut Moves,
    log: &mut Log,
) -> Result<bool, Grow> {
    let Some(ready) = ready(who, state, edge, log) else { return Ok(false) };
    if let Ready::Handshake(chan) = ready {
        if edge.keep == Atomicity::Deterministic {
            log.report(FaultKind::RendezvousInDeterministic);
            return Ok(true);
        }
        return handshake(who, state, id, edge, &chan, out, log);
    }
    let start = out.states.len();
    out.states.extend_from_slice(state);
    let made = take(who, &mut out.states[start..], id, edge, &ready, log)?;
    out.list.push(made);
    Ok(true)
}

/// Result of the next step of a sequence that keeps control.
pub(crate) enum First {
    /// No edge is executable.
    Nothing,
    /// An edge is executable but has no target state.
    Nowhere,
    /// This move was made.
    Made(Move),
}

/// Executes the first executable edge of a deterministic sequence in place. `provided` is not
/// evaluated; after an error the state is invalid.
pub(crate) fn first_in_place(who: &Actor, state: &mut [u8], log: &mut Log) -> Result<First, Grow> {
    let location = &who.process.locations[who.location(state).index()];
    for &id in &location.out {
        let edge = &who.process.edges[id.index()];
        log.blame(who.pid, Some(id));
        match ready(who, state, edge, log) {
            None => {}
            Some(Ready::Handshake(_)) => {
                log.report(FaultKind::RendezvousInDeterministic);
                return Ok(First::Nowhere);
            }
            Some(ready) => return Ok(First::Made(take(who, state, id, edge, &ready, log)?)),
        }
    }
    Ok(First::Nothing)
}

/// Executes an executable edge that needs no partner.
#[inline]
fn take(
    who: &Actor,
    next: &mut [u8],
    id: EdgeId,
    edge: &Edge,
    ready: &Ready,
    log: &mut Log,
) -> Result<Move, Grow> {
    log.begin();
    match (ready, &edge.comm) {
        (Ready::Send(chan) | Ready::Lose(chan), Some(Comm::Send { args, sorted, .. })) => {
            let lost = matches!(ready, Ready::Lose(_));
            send(who, next, chan, args, *sorted, lost, log);
        }
        (Ready::Receive(chan, message), Some(Comm::Receive { patterns, copy, .. })) => {
            receive(who, next, chan, *message, patterns, *copy, log);
        }
        _ => {}
    }
    let gone = finish(who, next, edge, &edge.effects, log)?;
    let (faults, events) = log.end();
    let by = Taken { pid: who.pid, proc: who.proc, edge: id };
    let keep = if gone { Atomicity::Release } else { edge.keep };
    Ok(Move { by, partner: None, keep, faults, events })
}

/// Effects, location and last process; returns true if the process has terminated.
#[inline]
fn finish(
    who: &Actor,
    next: &mut [u8],
    edge: &Edge,
    effects: &[Effect],
    log: &mut Log,
) -> Result<bool, Grow> {
    let gone = effect::run(who, next, effects, log)?;
    if !gone {
        who.set_location(next, edge.target);
    }
    if let Some(last) = who.machine.layout.last {
        who.machine.watch.field(last, 0);
        last.write(next, 0, who.pid.into());
    }
    Ok(gone)
}

/// Wraps the values of a message to the types of its fields, and reports faults of the sender.
fn wrap(who: &Actor, chan: &Chan, given: usize, values: &mut [i64], log: &mut Log) {
    chan.check_arity(given, FaultKind::TooFewArguments, log);
    for (field, value) in values.iter_mut().enumerate() {
        let wrapped = chan.field_type(field).wrap(*value);
        if wrapped != *value && who.machine.options.truncation {
            log.report(FaultKind::Truncation);
        }
        *value = wrapped;
    }
}

fn send(who: &Actor, next: &mut [u8], chan: &Chan, args: &[Expr], sorted: bool, lost: bool, log: &mut Log) {
    let mut values = values(who, next, chan, args, log);
    wrap(who, chan, args.len(), &mut values, log);
    if !lost {
        let at = if sorted { channel::sorted_position(next, chan, &values) } else { chan.len(next) };
        chan.insert(next, at, &values);
    }
    if log.detail {
        let passed = Passed { chan: chan.value, values: values.clone() };
        log.event(if lost { Event::Lost(passed) } else { Event::Sent(passed) });
    }
    log.values = values;
}

fn receive(
    who: &Actor,
    next: &mut [u8],
    chan: &Chan,
    message: u32,
    patterns: &[Pattern],
    copy: bool,
    log: &mut Log,
) {
    chan.check_arity(patterns.len(), FaultKind::TooFewPatterns, log);
    let mut values = std::mem::take(&mut log.values);
    values.clear();
    values.extend((0..chan.shape.fields.len()).map(|field| chan.get(next, message, field)));
    if !copy {
        chan.remove(next, message);
    }
    bind(who, next, patterns, &values, log);
    if log.detail {
        let passed = Passed { chan: chan.value, values: values.clone() };
        log.event(if copy { Event::Copied(passed) } else { Event::Received(passed) });
    }
    log.values = values;
}

/// Stores the fields of a message in the variables of the patterns.
fn bind(who: &Actor, next: &mut [u8], patterns: &[Pattern], values: &[i64], log: &mut Log) {
    for (pattern, value) in patterns.iter().zip(values) {
        if let Pattern::Bind(place) = pattern {
            place::store(who, next, place, *value, log);
        }
    }
}

/// Executes a rendezvous send once for every matching receiver; returns true if one exists.
fn handshake(
    who: &Actor,
    state: &[u8],
    id: EdgeId,
    edge: &Edge,
    chan: &Chan,
    out: &mut Moves,
    log: &mut Log,
) -> Result<bool, Grow> {
    let mut fitted = false;
    offer(who, state, edge, chan, log, |other, other_id, offered, raw, log| {
        fitted = true;
        log.begin();
        log.blame(who.pid, Some(id));
        let start = out.states.len();
        out.states.extend_from_slice(offered);
        let next = &mut out.states[start..];
        let mut values = raw.to_vec();
        let Some(Comm::Send { args, .. }) = &edge.comm else {
            unreachable!("a handshake begins with a send")
        };
        wrap(who, chan, args.len(), &mut values, log);
        let other_edge = &other.process.edges[other_id.index()];
        log.blame(other.pid, Some(other_id));
        if let Some(Comm::Receive { patterns, .. }) = &other_edge.comm {
            chan.check_arity(patterns.len(), FaultKind::TooFewPatterns, log);
            bind(other, next, patterns, &values, log);
        }
        if log.detail {
            log.event(Event::Handed(Passed { chan: chan.value, values }));
        }
        log.blame(who.pid, Some(id));
        effect::run(who, next, &edge.effects, log)?;
        log.blame(other.pid, Some(other_id));
        let gone = finish(other, next, other_edge, &other_edge.effects, log)?;
        let (faults, events) = log.end();
        out.list.push(Move {
            by: Taken { pid: who.pid, proc: who.proc, edge: id },
            partner: Some(Taken { pid: other.pid, proc: other.proc, edge: other_id }),
            keep: if gone { Atomicity::Release } else { other_edge.keep },
            faults,
            events,
        });
        Ok(true)
    })?;
    Ok(fitted)
}
