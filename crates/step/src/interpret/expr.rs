//! Expressions: [`eval`] computes the value of an expression in a state, for a process; [`channel`]
//! and [`matching`] evaluate references to channels and patterns of messages.

use std::convert::Infallible;

use axle_model::eval::Environment;
use axle_model::{Expr, Pattern, Query};

use super::channel::{self, Chan};
use super::enabled;
use super::log::Log;
use super::machine::{Actor, Testing};
use super::place;
use crate::fault::FaultKind;

/// The value of an expression. Faults are reported, and the value is then 0.
pub(crate) fn eval(who: &Actor, state: &[u8], expr: &Expr, log: &mut Log) -> i64 {
    let Ok(value) = axle_model::eval::eval(&mut InState { who, state, log }, expr);
    value
}

/// A process in a state.
struct InState<'a, 'm> {
    who: &'a Actor<'m>,
    state: &'a [u8],
    log: &'a mut Log,
}

impl Environment for InState<'_, '_> {
    type Stop = Infallible;

    #[inline]
    fn primary(&mut self, expr: &Expr) -> Result<i64, Infallible> {
        Ok(primary(self.who, self.state, expr, self.log))
    }

    fn division_by_zero(&mut self) -> Result<i64, Infallible> {
        self.log.report(FaultKind::DivisionByZero);
        Ok(0)
    }
}

/// The value of an expression that refers to the state.
fn primary(who: &Actor, state: &[u8], expr: &Expr, log: &mut Log) -> i64 {
    match expr {
        Expr::Load(place) => place::load(who, state, place, log),
        Expr::Channel(chan) => i64::from(who.machine.layout.chan_value(*chan, who.pid)),
        Expr::Query(query, chan) => match channel(who, state, chan, log) {
            Some(chan) => ask(*query, &chan, state),
            None => 0,
        },
        Expr::CanReceive { chan, patterns, random } => {
            can_receive(who, state, chan, patterns, *random, log).into()
        }
        Expr::Timeout => who.timeout.into(),
        Expr::SelfPid => who.pid.into(),
        Expr::ProcessCount => who.machine.count(state).into(),
        Expr::LastPid => match who.machine.layout.last {
            Some(last) => {
                who.machine.watch.field(last, 0);
                last.read(state, 0)
            }
            // The observer is not a process of the model.
            None => 0,
        },
        Expr::NonProgress => non_progress(who, state).into(),
        Expr::Enabled(pid) => {
            let number = eval(who, state, pid, log);
            enabled(who, state, number, log).into()
        }
        Expr::Location(pid) => {
            let number = eval(who, state, pid, log);
            match who.machine.existing(state, number) {
                Some(pid) => who.machine.actor(state, pid, who.timeout, None).location(state).0.into(),
                None => {
                    log.report(FaultKind::NoProcess);
                    0
                }
            }
        }
        Expr::Priority(pid) => {
            let number = eval(who, state, pid, log);
            who.machine.existing(state, number).map_or(0, |pid| who.machine.priority(state, pid))
        }
        Expr::AtLocation { proc, pid, locs } => {
            let number = eval(who, state, pid, log);
            let other = (who.machine.existing(state, number))
                .map(|pid| who.machine.actor(state, pid, who.timeout, None))
                .filter(|other| other.proc == *proc);
            // A terminated process, or one of another type, is not at the location: this is not a
            // fault.
            other.is_some_and(|other| locs.contains(&other.location(state))).into()
        }
        Expr::Const(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Convert(..)
        | Expr::And(..)
        | Expr::Or(..)
        | Expr::Cond(..) => unreachable!("operators are evaluated by `axle_model::eval`"),
    }
}

/// The channel denoted by an expression; `None`, with a fault, if there is no such channel.
pub(crate) fn channel<'a>(who: &Actor<'a>, state: &[u8], expr: &Expr, log: &mut Log) -> Option<Chan<'a>> {
    let value = eval(who, state, expr, log);
    let chan = u32::try_from(value).ok().and_then(|value| channel::by_value(who.machine, state, value));
    if chan.is_none() {
        log.report(FaultKind::NoChannel);
    }
    chan
}

/// Position of the message that a receive from a buffered channel takes: the head, or with `random`
/// the first that matches.
pub(crate) fn matching(
    who: &Actor,
    state: &[u8],
    chan: &Chan,
    patterns: &[Pattern],
    random: bool,
    log: &mut Log,
) -> Option<u32> {
    let len = chan.len(state);
    let looked_at = if random { len } else { len.min(1) };
    (0..looked_at).find(|&message| {
        patterns.iter().take(chan.shape.fields.len()).enumerate().all(|(field, pattern)| match pattern {
            Pattern::Match(expr) => chan.get(state, message, field) == eval(who, state, expr, log),
            Pattern::Bind(_) | Pattern::Any => true,
        })
    })
}

fn ask(query: Query, chan: &Chan, state: &[u8]) -> i64 {
    let len = chan.len(state);
    let answer = match query {
        Query::Len => return len.into(),
        // A rendezvous channel is never full and holds no messages.
        Query::Full => !chan.is_rendezvous() && len == chan.shape.capacity,
        Query::NotFull => chan.is_rendezvous() || len < chan.shape.capacity,
        Query::Empty => len == 0,
        Query::NotEmpty => len > 0,
    };
    answer.into()
}

fn can_receive(
    who: &Actor,
    state: &[u8],
    chan: &Expr,
    patterns: &[Pattern],
    random: bool,
    log: &mut Log,
) -> bool {
    let Some(chan) = channel(who, state, chan, log) else { return false };
    if chan.is_rendezvous() {
        log.report(FaultKind::RendezvousPoll);
        return false;
    }
    // A poll may omit trailing fields.
    if patterns.len() > chan.shape.fields.len() {
        log.report(FaultKind::TooManyArguments);
    }
    matching(who, state, &chan, patterns, random, log).is_some()
}

fn non_progress(who: &Actor, state: &[u8]) -> bool {
    (0..who.machine.count(state)).all(|pid| {
        let actor = who.machine.actor(state, pid, false, None);
        !actor.process.locations[actor.location(state).index()].progress
    })
}

fn enabled(who: &Actor, state: &[u8], number: i64, log: &mut Log) -> bool {
    let Some(pid) = who.machine.existing(state, number) else { return false };
    if pid == who.pid || who.testing.is_some_and(|testing| testing.contains(pid)) {
        return false;
    }
    let testing = Testing { pid, outer: who.testing };
    let other = who.machine.actor(state, pid, who.timeout, Some(&testing));
    log.silently(|log| enabled::executable(&other, state, log))
}
