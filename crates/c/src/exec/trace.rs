//! What people see: names of places, who waits for what, and the way to a violation as statements of C. Main function:
//! [`trace`].

use axle_source::Loc;

use crate::code::{Op, StaticKind};
use crate::library::{self, Lib};

use super::explore::{Incident, Stepper, initial};
use super::machine::{Machine, ObjectKind, Value, Wait};

/// A statement that a thread executes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The thread's number.
    pub thread: u32,
    /// The function.
    pub function: String,
    /// The statement, condition or part of a `for`.
    pub loc: Loc,
}

/// The way to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Statements in order of execution.
    pub steps: Vec<TraceStep>,
    /// The place of the fault.
    pub at: Loc,
    /// The same thing in the other thread, for a data race.
    pub other: Option<Loc>,
}

/// What an object is called.
fn object_name(machine: &Machine<'_>, object: u32) -> String {
    if let Some(fixed) = machine.program.statics.get((object as usize).wrapping_sub(1)) {
        return match fixed.kind {
            StaticKind::Text(_) => "a string".into(),
            StaticKind::Function(_) | StaticKind::Variable(_) => format!("`{}`", fixed.name),
        };
    }
    for (number, thread) in machine.state.threads.iter().enumerate() {
        if thread.object == object {
            return format!("thread {number}");
        }
        for frame in &thread.frames {
            let code = &machine.program.codes[frame.code as usize];
            for (index, slot) in code.slots.iter().enumerate() {
                if thread.slots[frame.slots as usize + index] == object {
                    return format!("`{}` of `{}`", slot.name, code.name);
                }
            }
        }
        if let Some(index) = thread.storage.iter().position(|&own| own == object) {
            return format!("`{}` of thread {number}", machine.program.thread_variables[index].name);
        }
    }
    match machine.object(object).map(|object| object.kind) {
        Some(ObjectKind::Heap | ObjectKind::Freed) => "memory from `malloc`".into(),
        Some(ObjectKind::Stack | ObjectKind::DeadStack) => "a local variable".into(),
        Some(ObjectKind::Thread | ObjectKind::GoneThread) => "a thread".into(),
        None => "nothing".into(),
    }
}

/// What a place is called.
pub fn place_name(machine: &Machine<'_>, object: u32, offset: i32) -> String {
    let name = object_name(machine, object);
    if offset == 0 { name } else { format!("{name} at byte {offset}") }
}

/// Who waits for what, one phrase a thread.
pub fn waits(machine: &Machine<'_>) -> String {
    let mut phrases = Vec::new();
    for (t, thread) in machine.state.threads.iter().enumerate() {
        if thread.ended {
            continue;
        }
        let Some(op) = machine.next_op(t) else { continue };
        let (code, _) = machine.stand(t);
        let function = &machine.program.codes[code as usize].name;
        let name = |place: (u32, i32)| place_name(machine, place.0, place.1);
        let holder = |place: (u32, i32), at: i32| {
            let mut copy = machine.clone();
            match copy.owner(place, at) {
                Ok(Value::Ptr(object, _)) => format!(", held by {}", object_name(machine, object)),
                _ => String::new(),
            }
        };
        let what = match thread.wait {
            Wait::Condition { cond, .. } => format!("waits for a signal on {}", name(cond)),
            Wait::Woken { mutex, .. } => {
                format!(
                    "waits to lock {}{}",
                    name(mutex),
                    holder(mutex, if machine.pointer_size() == 8 { 16 } else { 12 })
                )
            }
            Wait::Barrier(place) => format!("waits at the barrier {}", name(place)),
            Wait::Passed => continue,
            Wait::No => match op {
                Op::Lib { lib, args, .. } => {
                    let first = args.first().map(|arg| machine.arg(t, *arg));
                    match (lib, first) {
                        (Lib::ThreadJoin | Lib::C11Join, Some(Value::Ptr(object, _))) => {
                            format!("waits for the end of {}", object_name(machine, object))
                        }
                        (Lib::MutexLock | Lib::SpinLock, Some(Value::Ptr(object, offset))) => {
                            let at = if machine.pointer_size() == 8 { 16 } else { 12 };
                            format!(
                                "waits to lock {}{}",
                                name((object, offset)),
                                holder((object, offset), at)
                            )
                        }
                        (lib, Some(Value::Ptr(object, offset))) => {
                            format!("waits in `{}` for {}", library::name(*lib), name((object, offset)))
                        }
                        (lib, _) => format!("waits in `{}`", library::name(*lib)),
                    }
                }
                Op::Load { addr, .. } | Op::CompareExchange { addr, .. } | Op::Exchange { addr, .. } => {
                    match machine.arg(t, *addr) {
                        Value::Ptr(object, offset) => {
                            format!("looks at {} again and again", name((object, offset)))
                        }
                        Value::Undef | Value::Int(_) => "goes round in a loop".into(),
                    }
                }
                _ => "goes round in a loop".into(),
            },
        };
        phrases.push(format!("thread {t} (in `{function}`) {what}"));
    }
    phrases.join("; ")
}

fn push_records(stepper: &Stepper<'_>, records: &[(u32, u32, u32)], steps: &mut Vec<TraceStep>) {
    for &(thread, code, pc) in records {
        let code = &stepper.program.codes[code as usize];
        if code.ours {
            continue;
        }
        let Some(&loc) = code.statements.get(pc as usize) else { continue };
        let same = steps
            .last()
            .is_some_and(|last| last.thread == thread && last.loc == loc && last.function == *code.name);
        if !same {
            steps.push(TraceStep { thread, function: code.name.to_string(), loc });
        }
    }
}

/// The statements on the way to an incident: `path` gives the position of each successor, as a search reports it.
#[must_use]
pub fn trace(stepper: &Stepper<'_>, path: &[u32], incident: &Incident) -> Trace {
    let mut steps = Vec::new();
    let mut machine = Machine::new(stepper.program, stepper.settings);
    machine.record = Some(Vec::new());
    let first = initial(&mut machine);
    push_records(stepper, machine.record.as_deref().unwrap_or_default(), &mut steps);
    if let Ok(mut bytes) = first {
        for &position in path {
            let expansion = stepper.ways_from(&bytes);
            let way = expansion.ways.into_iter().filter(|way| way.result.is_ok()).nth(position as usize);
            let Some(way) = way else { break };
            push_records(stepper, &way.record, &mut steps);
            if let Ok(next) = way.result {
                bytes = next;
            }
        }
        // The step at fault leads nowhere; it is found by what it says.
        let expansion = stepper.ways_from(&bytes);
        let last = expansion.ways.iter().find(|way| way.result.as_ref().err() == Some(incident));
        if let Some(way) = last {
            push_records(stepper, &way.record, &mut steps);
        }
    }
    let loc = |code: u32, pc: u32| {
        let code = &stepper.program.codes[code as usize];
        code.locs.get(pc as usize).copied().unwrap_or_else(|| code.locs[0])
    };
    let mut at = loc(incident.code, incident.pc);
    // In our own library the user's call is what counts.
    if stepper.program.codes[incident.code as usize].ours
        && let Some(last) = steps.iter().rev().find(|step| step.thread == incident.thread)
    {
        at = last.loc;
    }
    let other = incident.other.map(|(code, pc)| loc(code, pc));
    Trace { steps, at, other }
}

/// The places where heap blocks were allocated that some execution loses.
#[must_use]
pub fn leaks(stepper: &Stepper<'_>) -> Vec<Loc> {
    let site = |site: &u32| {
        let code = stepper.program.codes.get((site >> 20) as usize)?;
        code.locs.get((site & 0xf_ffff) as usize).copied()
    };
    stepper.lost_sites().iter().filter_map(site).collect()
}
