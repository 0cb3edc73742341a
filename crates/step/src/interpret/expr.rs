//! Expressions: [`eval`] computes the value of an expression in a state, for a process.

use axle_model::{BinOp, Expr, IntType, Pattern, Query, UnOp};

use super::channel::{self, Chan};
use super::edge;
use super::log::Log;
use super::machine::{Actor, Testing};
use super::place;
use crate::fault::FaultKind;

/// The value of an expression. Faults are reported, and the value is then 0.
pub(crate) fn eval(who: &Actor, state: &[u8], expr: &Expr, log: &mut Log) -> i64 {
    match expr {
        Expr::Const(value) => *value,
        Expr::Load(place) => place::load(who, state, place, log),
        Expr::Unary(op, ty, operand) => unary(*op, *ty, eval(who, state, operand, log)),
        Expr::Binary(op, ty, lhs, rhs) => {
            let lhs = eval(who, state, lhs, log);
            let rhs = eval(who, state, rhs, log);
            binary(*op, *ty, lhs, rhs).unwrap_or_else(|| {
                log.report(FaultKind::DivisionByZero);
                0
            })
        }
        Expr::Convert(ty, operand) => ty.wrap(eval(who, state, operand, log)),
        Expr::And(lhs, rhs) => i64::from(eval(who, state, lhs, log) != 0 && eval(who, state, rhs, log) != 0),
        Expr::Or(lhs, rhs) => i64::from(eval(who, state, lhs, log) != 0 || eval(who, state, rhs, log) != 0),
        Expr::Cond(cond, then, other) => {
            let chosen = if eval(who, state, cond, log) != 0 { then } else { other };
            eval(who, state, chosen, log)
        }
        Expr::Channel(chan) => i64::from(who.machine.layout.chan_value(*chan, who.pid)),
        Expr::Query(query, chan) => match channel::find(who, state, chan, log) {
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
    }
}

/// A unary operator on a value.
pub(crate) fn unary(op: UnOp, ty: IntType, value: i64) -> i64 {
    match op {
        UnOp::Neg => ty.wrap(value.wrapping_neg()),
        UnOp::BitNot => ty.wrap(!value),
        UnOp::Not => i64::from(value == 0),
    }
}

/// A binary operator on two values of the type; `None` is a division by zero.
pub(crate) fn binary(op: BinOp, ty: IntType, lhs: i64, rhs: i64) -> Option<i64> {
    // An unsigned 64-bit value is represented by the same bits; order and quotients then differ.
    let wide = !ty.signed && ty.bits == 64;
    let less = |a: i64, b: i64| if wide { (a as u64) < b as u64 } else { a < b };
    // x86 masks a shift amount by the width of the register to which the operand is promoted.
    let amount = if ty.bits > 32 { rhs & 63 } else { rhs & 31 } as u32;
    let value = match op {
        BinOp::Add => lhs.wrapping_add(rhs),
        BinOp::Sub => lhs.wrapping_sub(rhs),
        BinOp::Mul => lhs.wrapping_mul(rhs),
        BinOp::Div | BinOp::Rem if rhs == 0 => return None,
        BinOp::Div if wide => (lhs as u64 / rhs as u64) as i64,
        BinOp::Rem if wide => (lhs as u64 % rhs as u64) as i64,
        BinOp::Div => lhs.wrapping_div(rhs),
        BinOp::Rem => lhs.wrapping_rem(rhs),
        BinOp::Shl => ((lhs as u64) << amount) as i64,
        BinOp::Shr if wide => (lhs as u64 >> amount) as i64,
        BinOp::Shr => lhs >> amount,
        BinOp::BitAnd => lhs & rhs,
        BinOp::BitOr => lhs | rhs,
        BinOp::BitXor => lhs ^ rhs,
        BinOp::Eq => return Some(i64::from(lhs == rhs)),
        BinOp::Ne => return Some(i64::from(lhs != rhs)),
        BinOp::Lt => return Some(i64::from(less(lhs, rhs))),
        BinOp::Le => return Some(i64::from(!less(rhs, lhs))),
        BinOp::Gt => return Some(i64::from(less(rhs, lhs))),
        BinOp::Ge => return Some(i64::from(!less(lhs, rhs))),
    };
    Some(ty.wrap(value))
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
    let Some(chan) = channel::find(who, state, chan, log) else { return false };
    if chan.is_rendezvous() {
        log.report(FaultKind::RendezvousPoll);
        return false;
    }
    // A poll may omit trailing fields.
    if patterns.len() > chan.shape.fields.len() {
        log.report(FaultKind::TooManyArguments);
    }
    channel::matching(who, state, &chan, patterns, random, log).is_some()
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
    log.silently(|log| edge::executable(&other, state, log))
}
