//! Effects: the changes made by an edge, in order.
//!
//! *Entry point:* [`run`].

use axle_model::{Effect, Expr, ProcId};

use super::channel;
use super::expr::eval;
use super::log::{Event, Log};
use super::machine::{Actor, Machine};
use super::place::{self, clear};
use super::print;
use crate::fault::FaultKind;
use crate::successors::Grow;

/// The largest reference to a channel that a variable can hold.
const LAST_REFERENCE: u64 = u16::MAX as u64;

/// Executes effects; returns true if the process has terminated.
pub(crate) fn run(who: &Actor, state: &mut [u8], effects: &[Effect], log: &mut Log) -> Result<bool, Grow> {
    for effect in effects {
        match effect {
            Effect::Assign(place, value) => {
                let value = eval(who, state, value, log);
                place::store(who, state, place, value, log);
            }
            Effect::Clear(place) => {
                if let Some(spot) = place::locate(who, state, place, log) {
                    who.machine.watch.data(spot.data, spot.base);
                    clear(state, spot.data, spot.base);
                }
            }
            Effect::Assert(cond, _) => {
                if eval(who, state, cond, log) == 0 {
                    log.report(FaultKind::Assertion);
                }
            }
            Effect::Print(format, args) => print(who, state, format, args, log),
            Effect::Run { proc, args, priority, into } => {
                let pid = create_by(who, state, *proc, args, priority.as_ref(), log)?;
                if let Some(place) = into {
                    place::store(who, state, place, pid.into(), log);
                }
            }
            Effect::SetPriority(pid, value) => {
                let number = eval(who, state, pid, log);
                let value = eval(who, state, value, log);
                set_priority(who.machine, state, number, value, log);
            }
            Effect::Exit => {
                exit(who, state);
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn print(who: &Actor, state: &[u8], format: &str, args: &[Expr], log: &mut Log) {
    if !log.detail {
        for arg in args {
            eval(who, state, arg, log);
        }
        return;
    }
    let values: Vec<i64> = args.iter().map(|arg| eval(who, state, arg, log)).collect();
    log.event(Event::Print(print::formatted(&who.machine.model, format, &values)));
}

/// Executes a `run`: the number of the new process, or 0 if the creation fails.
fn create_by(
    who: &Actor,
    state: &mut [u8],
    proc: ProcId,
    args: &[Expr],
    priority: Option<&Expr>,
    log: &mut Log,
) -> Result<u32, Grow> {
    let machine = who.machine;
    if let Some(limit) = limit(machine, state, proc) {
        log.report(limit);
        return Ok(0);
    }
    let pid = machine.count(state);
    if pid as usize >= machine.layout.slots.len() {
        return Err(Grow { size: pid as usize + 1 });
    }
    let values: Vec<i64> = args.iter().map(|arg| eval(who, state, arg, log)).collect();
    let priority = match priority.map(|expr| eval(who, state, expr, log)) {
        None => 1,
        Some(value @ 1..=255) => value as u8,
        Some(_) => {
            log.report(FaultKind::BadPriority);
            1
        }
    };
    create(machine, state, proc, &values, priority, log)?;
    Ok(pid)
}

/// The limit that prevents the creation of a further process of a type.
pub(crate) fn limit(machine: &Machine, state: &[u8], proc: ProcId) -> Option<FaultKind> {
    let semantics = &machine.model.semantics;
    let pid = machine.count(state);
    if pid >= semantics.max_processes {
        return Some(FaultKind::TooManyProcesses);
    }
    let own = machine.model.process(proc).channels.len() as u64;
    if own > 0 {
        let exist = channel::all(machine, state).count() as u64;
        let layout = &machine.layout;
        let last =
            u64::from(layout.numbers.first_own) + u64::from(pid) * u64::from(layout.numbers.stride) + own - 1;
        if exist + own > semantics.max_channels.into() || last > LAST_REFERENCE {
            return Some(FaultKind::TooManyChannels);
        }
    }
    None
}

/// Creates a process with the next number, for which the layout must have a slot.
pub(crate) fn create(
    machine: &Machine,
    state: &mut [u8],
    proc: ProcId,
    args: &[i64],
    priority: u8,
    log: &mut Log,
) -> Result<(), Grow> {
    let pid = machine.count(state);
    machine.layout.count.write(state, 0, i64::from(pid) + 1);
    let who = machine.actor_of(proc, pid, false, None);
    if let Some(tag) = who.layout.tag {
        machine.watch.field(tag, who.base);
        tag.write(state, who.base, proc.0.into());
    }
    who.set_location(state, who.process.entry);
    if let Some(field) = who.layout.priority {
        machine.watch.field(field, who.base);
        field.write(state, who.base, priority.into());
    }
    for (data, value) in who.layout.locals.iter().zip(args) {
        let crate::layout::Data::Scalar(field) = data else {
            unreachable!("parameters are scalars");
        };
        place::write(&who, state, *field, who.base, *value, log);
    }
    let gone = run(&who, state, &who.process.prologue, log)?;
    assert!(!gone, "a prologue does not end its process");
    Ok(())
}

fn set_priority(machine: &Machine, state: &mut [u8], number: i64, value: i64, log: &mut Log) {
    if !(1..=255).contains(&value) {
        log.report(FaultKind::BadPriority);
        return;
    }
    let Some(pid) = machine.existing(state, number) else { return };
    let proc = machine.proc_at(state, pid);
    if let Some(field) = machine.layout.procs[proc.index()].priority {
        let base = machine.layout.slots[pid as usize].base;
        machine.watch.field(field, base);
        field.write(state, base, value);
    }
}

fn exit(who: &Actor, state: &mut [u8]) {
    let first = (who.base / 8) as usize;
    who.machine.watch.range(who.base, who.base + 8 * who.layout.bytes);
    state[first..first + who.layout.bytes as usize].fill(0);
    let count = who.machine.count(state);
    debug_assert_eq!(who.pid + 1, count, "only the youngest process ends");
    who.machine.layout.count.write(state, 0, i64::from(count) - 1);
}
