//! Executability: whether an edge can be executed in a state, and with which partners.
//!
//! *Entry points:* [`ready`] for an edge, [`offer`] for the partners of a rendezvous, [`can_move`]
//! for a process.

use axle_model::{Atomicity, Comm, Edge, EdgeId, Expr, Pattern};

use super::channel::Chan;
use super::expr::{self, eval};
use super::log::Log;
use super::machine::{Actor, Machine};
use crate::fault::FaultKind;
use crate::successors::Grow;

/// Whether the `provided` clause of the process holds.
pub(super) fn provided(who: &Actor, state: &[u8], log: &mut Log) -> bool {
    who.process.provided.as_ref().is_none_or(|expr| {
        log.blame(who.pid, None);
        eval(who, state, expr, log) != 0
    })
}

/// Remaining work for the execution of an executable edge.
pub(super) enum Ready<'a> {
    /// No communication.
    Local,
    /// Send to a channel that is not full.
    Send(Chan<'a>),
    /// Send to a full channel that loses the message.
    Lose(Chan<'a>),
    /// Receive the message at this position.
    Receive(Chan<'a>, u32),
    /// Rendezvous send.
    Handshake(Chan<'a>),
}

/// Whether an edge is executable; for a rendezvous send, regardless of partners.
#[inline]
pub(super) fn ready<'a>(who: &Actor<'a>, state: &[u8], edge: &Edge, log: &mut Log) -> Option<Ready<'a>> {
    if !edge.guard.is_true() && eval(who, state, &edge.guard, log) == 0 {
        return None;
    }
    match &edge.comm {
        None => Some(Ready::Local),
        Some(Comm::Send { chan, .. }) => {
            let chan = expr::channel(who, state, chan, log)?;
            if chan.is_rendezvous() {
                Some(Ready::Handshake(chan))
            } else if chan.len(state) < chan.shape.capacity {
                Some(Ready::Send(chan))
            } else {
                who.machine.model.semantics.lossy.then_some(Ready::Lose(chan))
            }
        }
        Some(Comm::Receive { chan, patterns, random, copy }) => {
            let chan = expr::channel(who, state, chan, log)?;
            if chan.is_rendezvous() {
                if *copy {
                    log.report(FaultKind::RendezvousPoll);
                }
                return None;
            }
            let message = expr::matching(who, state, &chan, patterns, *random, log)?;
            Some(Ready::Receive(chan, message))
        }
    }
}

/// Whether a process does not receive from a rendezvous channel at any location. True only while
/// accesses are recorded; otherwise the location decides.
fn cannot_receive(other: &Actor, state: &[u8], chan: &Chan) -> bool {
    let Some(from) = other.machine.watch.receives(other.proc) else { return false };
    let mut log = Log::default();
    // A possible fault at that location is left to the actual evaluation.
    from.iter().all(|theirs| {
        expr::channel(other, state, theirs, &mut log).is_some_and(|theirs| theirs.value != chan.value)
    }) && log.attempt.is_empty()
}

/// Calls `see` for every receiver that matches a rendezvous send, until it returns stop. Arguments:
/// the receiver, its edge, the state after the sender's move and the values before wrapping.
pub(super) fn offer(
    who: &Actor,
    state: &[u8],
    edge: &Edge,
    chan: &Chan,
    log: &mut Log,
    mut see: impl FnMut(&Actor, EdgeId, &[u8], &[i64], &mut Log) -> Result<bool, Grow>,
) -> Result<(), Grow> {
    let Some(Comm::Send { args, .. }) = &edge.comm else { unreachable!("only a send is offered") };
    let raw = values(who, state, chan, args, log);
    let mut offered = std::mem::take(&mut log.offer);
    offered.clear();
    offered.extend_from_slice(state);
    who.set_location(&mut offered, edge.target);
    let mut result = Ok(());
    'processes: for pid in 0..who.machine.count(state) {
        if pid == who.pid {
            continue;
        }
        let other = who.machine.actor(&offered, pid, who.timeout, who.testing);
        if cannot_receive(&other, &offered, chan) {
            continue;
        }
        let location = &other.process.locations[other.location(&offered).index()];
        let mut rank = None;
        let mut may_move = None;
        for &id in &location.out {
            let theirs = &other.process.edges[id.index()];
            if rank.is_some_and(|rank| theirs.rank > rank) {
                break;
            }
            let Some(Comm::Receive { .. }) = &theirs.comm else { continue };
            if theirs.is_else || !*may_move.get_or_insert_with(|| provided(&other, &offered, log)) {
                continue;
            }
            log.blame(pid, Some(id));
            if !fits(&other, &offered, theirs, chan, &raw, log) {
                continue;
            }
            rank = Some(theirs.rank);
            match see(&other, id, &offered, &raw, log) {
                Ok(true) => {}
                Ok(false) => break 'processes,
                Err(grow) => {
                    result = Err(grow);
                    break 'processes;
                }
            }
        }
    }
    log.values = raw;
    log.offer = offered;
    result
}

/// Whether a receive edge matches the message offered on a rendezvous channel.
fn fits(other: &Actor, offered: &[u8], edge: &Edge, chan: &Chan, raw: &[i64], log: &mut Log) -> bool {
    let Some(Comm::Receive { chan: theirs, patterns, copy, .. }) = &edge.comm else { return false };
    if eval(other, offered, &edge.guard, log) == 0 {
        return false;
    }
    if expr::channel(other, offered, theirs, log).is_none_or(|theirs| theirs.value != chan.value) {
        return false;
    }
    if *copy {
        log.report(FaultKind::RendezvousPoll);
        return false;
    }
    patterns.iter().zip(raw).enumerate().all(|(field, (pattern, value))| match pattern {
        Pattern::Match(expr) => chan.field_type(field).wrap(*value) == eval(other, offered, expr, log),
        Pattern::Bind(_) | Pattern::Any => true,
    })
}

/// Whether a process has an executable edge, regardless of `provided`.
pub(crate) fn executable(who: &Actor, state: &[u8], log: &mut Log) -> bool {
    let location = &who.process.locations[who.location(state).index()];
    location.out.iter().any(|&id| {
        let edge = &who.process.edges[id.index()];
        log.blame(who.pid, Some(id));
        match ready(who, state, edge, log) {
            None => false,
            Some(Ready::Handshake(_)) if edge.keep == Atomicity::Deterministic => true,
            Some(Ready::Handshake(chan)) => {
                let mut fitted = false;
                let seen = offer(who, state, edge, &chan, log, |_, _, _, _, _| {
                    fitted = true;
                    Ok(false)
                });
                debug_assert!(seen.is_ok(), "looking creates no process");
                fitted
            }
            Some(Ready::Local | Ready::Send(_) | Ready::Lose(_) | Ready::Receive(..)) => true,
        }
    })
}

/// Whether a process is enabled, without reporting faults.
pub(crate) fn can_move(machine: &Machine, state: &[u8], pid: u32, timeout: bool, log: &mut Log) -> bool {
    let who = machine.actor(state, pid, timeout, None);
    log.silently(|log| provided(&who, state, log) && executable(&who, state, log))
}

/// Evaluates the values of a message into the log's buffer, which the caller returns.
pub(super) fn values(who: &Actor, state: &[u8], chan: &Chan, args: &[Expr], log: &mut Log) -> Vec<i64> {
    let mut values = std::mem::take(&mut log.values);
    values.clear();
    let fields = chan.shape.fields.len();
    for arg in args.iter().take(fields) {
        let value = eval(who, state, arg, log);
        values.push(value);
    }
    values.resize(fields, 0);
    values
}
