//! What a step does, in words: values read and changed, locks taken, threads woken. For showing
//! runs only; a search makes its steps without.
//!
//! *Entry point:* [`step`], which makes the step and compares the state before with the one after.
//! *Invariant:* Telling of a step changes nothing of what it does.

use axle_c::code::{Arg, Home, Op, Origin, Reg, Scalar};
use axle_c::library::{Lib, Operation, Touches};

use crate::names::{Leaf, Names, joined, scalar_of};
use crate::observers::recorders::{Machine, Recorded};
use crate::observers::step_annotation::{AnnotatedStep, Change, EnteredCall, Note, NoteKind, StepAnnotation};
use crate::state::access::Access;
use crate::state::object_records::Event;
use crate::state::outcome::{Done, Outcome};
use crate::state::program_state::{Frame, ObjectKind, Wait};
use crate::state::value::{Place, Value};

/// States with more bytes are not compared: only statements are shown then.
const LARGEST: usize = 1 << 20;

/// Changes of one step that are recorded.
const MOST: usize = 16;

impl StepAnnotation {
    /// Gives names to new threads, and records what the step `event` did to dynamic objects.
    pub fn update(&mut self, machine: &Machine<'_>, event: Option<&Event>) {
        let known = self.threads.len();
        for (t, thread) in machine.state.threads.iter().enumerate() {
            // A new thread may take the place of one that is gone.
            let again = self.objects.get(t).is_some_and(|object| *object == 0) && thread.object != 0;
            if t < known && !again {
                continue;
            }
            let function =
                thread.frames.first().map(|frame| &machine.program.codes[frame.code as usize].name);
            let name = function.map_or("thread", |name| &**name);
            let name = (self.created, format!("{name}({})", self.created));
            match self.threads.get_mut(t) {
                Some(place) => *place = name,
                None => self.threads.push(name),
            }
            self.created += 1;
        }
        self.objects = machine.state.threads.iter().map(|thread| thread.object).collect();
        self.records.update(machine, event);
        for (thread, (_, name)) in machine.state.threads.iter().zip(&self.threads) {
            self.records.name_thread(machine, thread.object, name);
        }
    }

    /// Drops the threads and objects that are unreachable, as the encoding of a state does.
    pub fn drop_gone(&mut self, machine: &Machine<'_>) {
        let order = crate::machine::encode::order(machine);
        self.records.renumber(&order);
        let mut threads = machine.state.threads.iter();
        if machine.settings.stable_threads {
            let last = threads.rposition(|thread| !crate::machine::encode::is_gone(thread));
            self.threads.truncate(last.map_or(0, |last| last + 1));
        } else {
            self.threads
                .retain(|_| threads.next().is_some_and(|thread| !crate::machine::encode::is_gone(thread)));
        }
        // Objects get other numbers; a thread that is gone stays gone.
        self.objects.clear();
    }
}

/// Makes a step, and tells of it.
pub fn step(
    machine: &mut Machine<'_>,
    t: usize,
    execute: impl FnOnce(&mut Machine<'_>) -> Outcome,
) -> Outcome {
    let Some(mut annotation) = machine.observer.annotation.take() else { return execute(machine) };
    if annotation.leaves_out(machine.program, &machine.state.threads[t], t) {
        machine.observer.annotation = Some(annotation);
        return execute(machine);
    }
    let small = machine.state.bytes.len() <= LARGEST;
    let before = small.then(|| machine.clone());
    let executed = machine.stand(t);
    let position = machine.user_step(t, executed);
    let frames = machine.state.threads[t].frames.iter();
    let own = frames.filter(|frame| machine.program.codes.get(frame.code as usize).is_some_and(|c| !c.ours));
    let depth = own.count().saturating_sub(1) as u32;
    let mut annotated = AnnotatedStep { thread: t, executed, depth, ..AnnotatedStep::default() };
    let log = machine.observer.log.replace(Vec::new());
    let output = machine.observer.output.replace(Vec::new());
    machine.observer.faulty = None;
    let outcome = execute(machine);
    let accesses = std::mem::replace(&mut machine.observer.log, log).unwrap_or_default();
    annotated.printed = std::mem::replace(&mut machine.observer.output, output).unwrap_or_default();
    let event = position.map(|(code, pc)| {
        let thread = annotation.threads.get(t).map(|(_, name)| name.clone()).unwrap_or_default();
        Event { thread, code, pc }
    });
    annotation.update(machine, event.as_ref());
    let is_static = |access: &Access| (access.object as usize) <= machine.program.statics.len();
    if small && accesses.iter().any(|access| access.write && is_static(access)) {
        let StepAnnotation { threads, records, .. } = &mut *annotation;
        let known = records.records.clone();
        records.note_holders(&Names { machine, threads: Some(threads), records: &known });
    }
    if let (Some((code, pc)), Ok(Done::Next) | Err(_)) = (position, outcome.clone()) {
        (annotated.code, annotated.pc) = (code, pc);
        if let Some(before) = &before {
            let comparison = Comparison { before, after: machine, annotation: &annotation, t };
            comparison.tell(&accesses, &mut annotated);
        }
        if let Some(evaluate) = &annotation.evaluation.0 {
            annotated.letter = evaluate(machine);
        }
        if !annotation.omits(&annotated) {
            annotation.annotated.push(annotated);
        }
    }
    machine.observer.annotation = Some(annotation);
    outcome
}

struct Comparison<'m, 'p> {
    before: &'m Machine<'p>,
    after: &'m Machine<'p>,
    annotation: &'m StepAnnotation,
    t: usize,
}

impl Comparison<'_, '_> {
    fn tell(&self, accesses: &[Access], annotated: &mut AnnotatedStep) {
        let op = self.before.next_op(self.t);
        let called = op.and_then(|op| self.library_call(op));
        let synchronises = called.as_ref().is_some_and(|(lib, _)| lib.synchronises());
        if let Some((lib, args)) = &called {
            self.synchronisation(*lib, args, annotated);
        }
        // The members of locks are not shown.
        let opaque = called.as_ref().is_some_and(|(lib, _)| lib.touches() == Touches::Synchronisation);
        if !opaque {
            self.memory(accesses, op, synchronises, annotated);
        }
        if op.is_some_and(|op| self.fails_spuriously(op)) {
            annotated.notes.push(Note {
                text: "fails spuriously".into(),
                kind: NoteKind::Outcome,
                ..Note::default()
            });
        }
        self.registers(annotated);
        let (old, new) = (&self.before.state.threads[self.t], &self.after.state.threads[self.t]);
        let entered = new.frames.last().filter(|_| new.frames.len() > old.frames.len());
        if let Some((lib, _)) = &called
            && entered.is_some_and(|frame| Some(frame.code) == self.after.program.symbols.leave)
            && *lib != Lib::ThreadExit
        {
            let takes = vec![format!("cancel {}", self.names(self.after).thread(self.t))];
            let kind = NoteKind::Outcome;
            annotated.notes.push(Note { text: "is cancelled".into(), kind, takes, ..Note::default() });
        }
        if new.frames.len() > old.frames.len() {
            annotated.enters = self.entered();
        }
        if let (Some((lib, _)), Some(Op::Lib { dst, .. })) = (&called, op)
            && lib.touches() == Touches::Input
            && let Some(frame) = old.frames.last()
        {
            let value = new.regs.get((frame.regs + dst) as usize).copied().unwrap_or_default();
            let text = self.names(self.after).value(value, None);
            let kind = NoteKind::Input;
            annotated.notes.push(Note { text: format!("input {text}"), kind, ..Note::default() });
            annotated.input = Some(text);
        }
        if new.ended && !old.ended {
            let name = self.names(self.after).thread(self.t);
            annotated.notes.push(Note {
                text: "ends".into(),
                gives: vec![format!("end {name}")],
                ..Note::default()
            });
        }
        if self.after.state.done && !self.before.state.done {
            annotated.notes.push(Note { text: "the program ends".into(), ..Note::default() });
        }
    }

    /// Whether a weak compare-and-exchange fails though it finds the expected value (7.17.7.4p4).
    fn fails_spuriously(&self, op: &Op) -> bool {
        let Op::CompareExchange { old, done, expected, weak: true, .. } = op else { return false };
        let expected = self.before.arg(self.t, *expected);
        let after = |reg: Reg| self.after.arg(self.t, Arg::Reg(reg));
        after(*old) == expected && after(*done) == Value::Int(0)
    }

    /// The number of calls of the user's functions below a frame of the thread.
    fn user_depth(&self, depth: usize) -> u32 {
        let frames = self.after.state.threads[self.t].frames.iter().take(depth + 1);
        let is_own =
            |frame: &&Frame| self.after.program.codes.get(frame.code as usize).is_some_and(|code| !code.ours);
        frames.filter(is_own).count().saturating_sub(1) as u32
    }

    /// The depth of the call of the thread that has an object as an automatic variable.
    fn owner(&self, object: u32) -> Option<u32> {
        let thread = &self.after.state.threads[self.t];
        let Some(slot) = thread.slots.iter().position(|own| *own == object && object != 0) else {
            // A temporary object belongs to the call that makes it.
            let kind = self.after.object(object).or(self.before.object(object))?.kind;
            let is_temporary = matches!(kind, ObjectKind::Stack | ObjectKind::DeadStack);
            return is_temporary.then(|| self.user_depth(thread.frames.len().saturating_sub(1)));
        };
        let slot = slot as u32;
        let depth = thread.frames.iter().rposition(|frame| frame.slots <= slot)?;
        let frame = &thread.frames[depth];
        let own = self.after.program.codes[frame.code as usize].slots.get((slot - frame.slots) as usize);
        // A temporary object ends with its statement, as the variables of the calls in it.
        let is_temporary = own.is_some_and(|slot| slot.temporary);
        Some(self.user_depth(depth) + u32::from(is_temporary))
    }

    /// The call that the thread has just made, with its arguments.
    fn entered(&self) -> Option<EnteredCall> {
        let thread = &self.after.state.threads[self.t];
        let frame = thread.frames.last()?;
        let code = self.after.program.codes.get(frame.code as usize)?;
        let names = self.names(self.after);
        let mut arguments = Vec::new();
        for home in code.params.iter().filter(|_| !code.ours) {
            let slot = match *home {
                Home::Reg(reg) => {
                    let value = thread.regs.get((frame.regs + reg) as usize).copied().unwrap_or_default();
                    let own = code.names.iter().find(|(_, _, own)| *own == reg);
                    let name = own.map_or_else(String::new, |(name, ..)| name.to_string());
                    arguments.push((name, names.value(value, own.map(|(_, ty, _)| ty.ty))));
                    continue;
                }
                Home::Slot(slot, _) | Home::Record(slot, _) => slot,
            };
            let object = thread.slots.get((frame.slots + slot) as usize).copied().unwrap_or(0);
            let size = self.after.object(object).map_or(0, |object| object.size);
            let name = code.slots.get(slot as usize).map_or_else(String::new, |slot| slot.name.to_string());
            let Some((_, leaves)) = names.leaves((object, 0), size) else {
                arguments.push((name, "...".to_string()));
                continue;
            };
            for leaf in leaves {
                let value = value_of(&names, (object, leaf.offset as i32), &leaf);
                let value = value.unwrap_or_else(|| "undefined".to_string());
                arguments.push((joined(&name, &leaf.path), value));
            }
        }
        Some(EnteredCall { code: frame.code, arguments })
    }

    fn names<'a>(&'a self, machine: &'a Machine<'a>) -> Names<'a, 'a, Recorded> {
        let StepAnnotation { threads, records, .. } = self.annotation;
        Names { machine, threads: Some(threads), records: &records.records }
    }

    /// The library function that a step calls, and its arguments.
    fn library_call(&self, op: &Op) -> Option<(Lib, Vec<Value>)> {
        let values =
            |args: &[axle_c::code::Arg]| args.iter().map(|arg| self.before.arg(self.t, *arg)).collect();
        match op {
            Op::Lib { lib, args, .. } => Some((*lib, values(args))),
            Op::Call { callee, args, .. } => {
                let lib = self.before.function(self.before.arg(self.t, *callee)).ok()?.err()?;
                Some((lib, values(args)))
            }
            _ => None,
        }
    }

    /// Reads of shared memory, and what writes change.
    fn memory(&self, accesses: &[Access], op: Option<&Op>, quiet: bool, annotated: &mut AnnotatedStep) {
        let scalar = match op {
            Some(Op::Load { mem, .. } | Op::Store { mem, .. } | Op::Exchange { mem, .. }) => Some(mem.scalar),
            Some(Op::Modify { mem, .. } | Op::CompareExchange { mem, .. }) => Some(mem.scalar),
            _ => None,
        };
        let codes = self.before.state.threads[self.t].frames.iter();
        let codes: Vec<_> = codes.map(|frame| &self.before.program.codes[frame.code as usize]).collect();
        let user = codes.iter().rev().find(|code| !code.ours);
        let own = user.map_or_else(String::new, |code| format!("{}::", code.name));
        for access in &adjoined(accesses, op) {
            if self.is_internal(access.object) {
                continue;
            }
            if annotated.changes.len() + annotated.reads.len() >= MOST {
                return;
            }
            let place = (access.object, access.offset);
            let frame = self.owner(access.object);
            let single = |name: String| {
                let (old, new) =
                    (self.scalar(self.before, place, scalar), self.scalar(self.after, place, scalar));
                vec![(name, old, new)]
            };
            let components = match self.names(self.after).leaves(place, access.size) {
                Some((name, leaves)) => leaves
                    .iter()
                    .map(|leaf| {
                        let at = (access.object, leaf.offset as i32);
                        (
                            joined(&name, &leaf.path),
                            self.leaf(self.before, at, leaf),
                            self.leaf(self.after, at, leaf),
                        )
                    })
                    .collect(),
                None => single(self.names(self.after).place(place, access.size)),
            };
            for (name, old, new) in components {
                let Some(new) = new else { continue };
                // Its own variables go without the function's name.
                let name = name.strip_prefix(&own).map_or(name.clone(), str::to_string);
                if access.write && old.as_ref() != Some(&new) {
                    let old = old.filter(|old| old != "undefined");
                    if !annotated.changes.iter().any(|change| change.name == name) {
                        annotated.changes.push(Change { name, old, new, frame });
                    }
                } else if !access.write && !quiet && self.before.is_shared(access.object) {
                    let seen = (name, old.unwrap_or(new));
                    if !annotated.reads.contains(&seen) {
                        annotated.reads.push(seen);
                    }
                }
            }
        }
    }

    /// Whether an object is a variable of the library: of its implementation, or of a function that
    /// the thread executes before the step.
    fn is_internal(&self, object: u32) -> bool {
        let program = self.before.program;
        let executed = &self.before.state.threads[self.t];
        let of_function = match program.statics.get((object as usize).wrapping_sub(1)) {
            Some(fixed) => match fixed.origin {
                Origin::Program | Origin::Interface | Origin::Internal => false,
                Origin::Function(code) => executed.frames.iter().any(|frame| frame.code == code),
            },
            None => executed.frames.iter().any(|frame| {
                let code = &program.codes[frame.code as usize];
                let slots = frame.slots as usize..frame.slots as usize + code.slots.len();
                code.ours && executed.slots[slots].contains(&object)
            }),
        };
        of_function || [self.before, self.after].iter().any(|one| self.names(one).is_of_library(object))
    }

    /// The value of a part of an object, in words; nothing where there is no such object.
    fn leaf(&self, machine: &Machine<'_>, place: Place, leaf: &Leaf) -> Option<String> {
        value_of(&self.names(machine), place, leaf)
    }

    /// The value at a place whose type is not known.
    fn scalar(&self, machine: &Machine<'_>, place: Place, scalar: Option<Scalar>) -> Option<String> {
        let mem = axle_c::code::Mem::atomic(scalar?);
        Some(self.names(machine).value(quiet_load(machine, place, mem)?, None))
    }

    /// Variables in registers of the function that goes on, or begins.
    fn registers(&self, annotated: &mut AnnotatedStep) {
        let (old, new) = (&self.before.state.threads[self.t], &self.after.state.threads[self.t]);
        let Some(frame) = new.frames.last() else { return };
        let code = &self.after.program.codes[frame.code as usize];
        if code.ours {
            return;
        }
        let depth = new.frames.len() - 1;
        let same = old.frames.get(depth).filter(|other| other.code == frame.code && old.frames.len() > depth);
        for (name, ty, reg) in &code.names {
            let now = new.regs.get((frame.regs + reg) as usize).copied().unwrap_or_default();
            let then = same.and_then(|frame| old.regs.get((frame.regs + reg) as usize).copied());
            let then = then.unwrap_or_default();
            if now != then && now != Value::Undef && annotated.changes.len() < MOST {
                let (before, after) = (self.names(self.before), self.names(self.after));
                let old = (then != Value::Undef).then(|| before.value(then, Some(ty.ty)));
                annotated.changes.push(Change {
                    name: name.to_string(),
                    old,
                    new: after.value(now, Some(ty.ty)),
                    frame: Some(self.user_depth(depth)),
                });
            }
        }
    }

    /// The notes on a call of the library.
    fn synchronisation(&self, lib: Lib, args: &[Value], annotated: &mut AnnotatedStep) {
        let first = match args.first() {
            Some(Value::Ptr(object, offset)) => Some((*object, *offset)),
            _ => None,
        };
        let operation = lib.operation();
        if first.is_some_and(|(object, _)| self.names(self.before).is_of_library(object)) {
            return self.internal_operation(operation, annotated);
        }
        self.lock_operation(operation, first, annotated);
        self.wait_operation(operation, first, annotated);
        self.thread_operation(operation, first, annotated);
    }

    /// Operations of library functions on their own locks and condition variables: only that the thread
    /// waits, or wakes others.
    fn internal_operation(&self, operation: Operation, annotated: &mut AnnotatedStep) {
        let (old, new) = (&self.before.state.threads, &self.after.state.threads);
        let waits = old[self.t].wait == Wait::No && new[self.t].wait != Wait::No;
        if waits {
            let kind = NoteKind::Waiting;
            annotated.notes.push(Note { text: "waits".into(), kind, ..Note::default() });
        }
        if operation == Operation::Wake && old.iter().zip(new).any(|(old, new)| old.wait != new.wait) {
            self.wait_operation(operation, None, annotated);
        }
        if matches!(old[self.t].wait, Wait::Woken { .. } | Wait::Cancelled { .. }) {
            let takes = vec![format!("wake {}", self.names(self.before).thread(self.t))];
            annotated.notes.push(Note { takes, ..Note::default() });
        }
    }

    /// Operations on locks.
    fn lock_operation(&self, operation: Operation, first: Option<Place>, annotated: &mut AnnotatedStep) {
        let names = self.names(self.before);
        let name = |place: Place| names.place(place, 1);
        let owner = |machine: &Machine<'_>, at: i32| {
            let mut copy = machine.clone();
            copy.observer.annotation = None;
            first.and_then(|place| copy.owner(place, at).ok())
        };
        let at = if self.before.pointer_size() == 8 { 16 } else { 12 };
        let me = Some(Value::Ptr(self.before.state.threads[self.t].object, 0));
        let mut note = |note: Note| annotated.notes.push(note);
        match operation {
            Operation::Lock | Operation::TryLock => {
                let Some(lock) = first.map(name) else { return };
                if owner(self.after, at) == me && owner(self.before, at) != me {
                    let (takes, acquires) = (vec![lock.clone()], Some(lock.clone()));
                    note(Note { text: format!("locks {lock}"), takes, acquires, ..Note::default() });
                } else if owner(self.after, at) != me {
                    let kind = NoteKind::Waiting;
                    note(Note { text: format!("finds {lock} locked"), kind, ..Note::default() });
                }
            }
            Operation::Unlock => {
                let Some(lock) = first.map(name) else { return };
                if owner(self.before, at) == me && owner(self.after, at) != me {
                    let (gives, releases) = (vec![lock.clone()], Some(lock.clone()));
                    note(Note { text: format!("unlocks {lock}"), gives, releases, ..Note::default() });
                }
            }
            Operation::ReadLock | Operation::WriteLock => {
                let Some(lock) = first.map(name) else { return };
                let how = if operation == Operation::ReadLock { "reading" } else { "writing" };
                if self.before.state.bytes != self.after.state.bytes
                    || self.before.state.tags != self.after.state.tags
                {
                    let (takes, acquires) = (vec![lock.clone()], Some(lock.clone()));
                    note(Note {
                        text: format!("locks {lock} for {how}"),
                        takes,
                        acquires,
                        ..Note::default()
                    });
                }
            }
            Operation::RwUnlock => {
                let Some(lock) = first.map(name) else { return };
                let (gives, releases) = (vec![lock.clone()], Some(lock.clone()));
                note(Note { text: format!("unlocks {lock}"), gives, releases, ..Note::default() });
            }
            _ => {}
        }
    }

    /// Operations on condition variables, semaphores and barriers.
    fn wait_operation(&self, operation: Operation, first: Option<Place>, annotated: &mut AnnotatedStep) {
        let names = self.names(self.before);
        let name = |place: Place| names.place(place, 1);
        let threads = (&self.before.state.threads, &self.after.state.threads);
        let (was, is) = (threads.0[self.t].wait, threads.1[self.t].wait);
        let mut note = |note: Note| annotated.notes.push(note);
        match operation {
            Operation::Wait => match (was, is) {
                (Wait::No, Wait::Condition { cond, mutex }) => {
                    let (cond, lock) = (name(cond), name(mutex));
                    let (gives, releases) = (vec![lock.clone()], Some(lock.clone()));
                    let text = format!("unlocks {lock}, waits for {cond}");
                    let kind = NoteKind::Waiting;
                    note(Note { text, kind, gives, releases, ..Note::default() });
                }
                (Wait::Condition { .. }, Wait::Woken { timed_out, .. }) => {
                    let text = if timed_out { "times out" } else { "wakes up without a signal" };
                    note(Note { text: text.into(), kind: NoteKind::Outcome, ..Note::default() });
                }
                (Wait::Woken { mutex, .. } | Wait::Cancelled { mutex }, _) => {
                    let lock = name(mutex);
                    let takes = vec![lock.clone(), format!("wake {}", names.thread(self.t))];
                    let text = format!("locks {lock} again");
                    let kind = NoteKind::Waiting;
                    note(Note { text, kind, takes, acquires: Some(lock), ..Note::default() });
                }
                _ => {}
            },
            Operation::Wake => {
                let both = threads.0.iter().zip(threads.1).enumerate();
                let woken = both.filter(|(_, (old, new))| old.wait != new.wait);
                let woken: Vec<String> = woken.map(|(t, _)| names.thread(t)).collect();
                let text = match woken.is_empty() {
                    true => "wakes no thread".into(),
                    false => format!("wakes {}", woken.join(", ")),
                };
                let gives = woken.iter().map(|thread| format!("wake {thread}")).collect();
                note(Note { text, kind: NoteKind::Waiting, gives, ..Note::default() });
            }
            Operation::SemaphoreWait | Operation::SemaphorePost => {
                let Some(place) = first else { return };
                let value = |machine: &Machine<'_>| {
                    let mem = axle_c::code::Mem::atomic(Scalar::INT);
                    quiet_load(machine, place, mem).map(|value| names.value(value, None))
                };
                let (old, new) = (value(self.before), value(self.after).unwrap_or_default());
                if old.as_ref() != Some(&new) {
                    let semaphore = name(place);
                    let list = vec![semaphore.clone()];
                    let mut annotated = match operation {
                        Operation::SemaphorePost => Note { gives: list, ..Note::default() },
                        _ => Note { takes: list, ..Note::default() },
                    };
                    let old = old.unwrap_or_default();
                    annotated.text = format!("{semaphore}: {old} -> {new}");
                    note(annotated);
                }
            }
            Operation::BarrierWait => {
                let barrier = first.map_or_else(String::new, name);
                let kind = NoteKind::Waiting;
                match (was, is) {
                    (Wait::No, Wait::Barrier(_)) => {
                        note(Note { text: format!("waits at {barrier}"), kind, ..Note::default() });
                    }
                    (Wait::Passed { .. }, Wait::No) => {
                        let takes = vec![format!("open {barrier}")];
                        note(Note { text: format!("passes {barrier}"), kind, takes, ..Note::default() });
                    }
                    (Wait::No, Wait::No) => {
                        let gives = vec![format!("open {barrier}")];
                        note(Note { text: format!("opens {barrier}"), kind, gives, ..Note::default() });
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Operations on threads and heap blocks.
    fn thread_operation(&self, operation: Operation, first: Option<Place>, annotated: &mut AnnotatedStep) {
        let names = self.names(self.before);
        let threads = (&self.before.state.threads, &self.after.state.threads);
        let mut note = |note: Note| annotated.notes.push(note);
        match operation {
            Operation::Create => {
                let after = self.names(self.after);
                let new = |t: &usize| threads.0.get(*t).is_none_or(|old| old.object != threads.1[*t].object);
                for t in (0..threads.1.len()).filter(new) {
                    let thread = after.thread(t);
                    let gives = vec![format!("start {thread}")];
                    note(Note { text: format!("starts {thread}"), gives, ..Note::default() });
                }
            }
            Operation::Join => {
                if let Some(place) = first {
                    let thread = names.object(place.0).0;
                    let takes = vec![format!("end {thread}")];
                    note(Note { text: format!("joins {thread}"), takes, ..Note::default() });
                }
            }
            Operation::TryJoin => {
                if let Some(place) = first {
                    let thread = names.object(place.0).0;
                    if threads.1.iter().any(|there| there.object == place.0) {
                        return note(Note {
                            text: format!("finds that {thread} has not ended"),
                            ..Note::default()
                        });
                    }
                    let takes = vec![format!("end {thread}")];
                    note(Note { text: format!("joins {thread}"), takes, ..Note::default() });
                }
            }
            Operation::Cancel => {
                if let Some(place) = first {
                    let thread = names.object(place.0).0;
                    let gives = vec![format!("cancel {thread}")];
                    note(Note { text: format!("cancels {thread}"), gives, ..Note::default() });
                }
            }
            Operation::Free => {
                if let Some(place) = first {
                    let text = format!("frees {}", names.place(place, 0));
                    note(Note { text, ..Note::default() });
                }
            }
            _ => {}
        }
    }
}

/// The accesses of a library call, with adjacent ones of a kind as one: a string that is read byte
/// by byte.
fn adjoined(accesses: &[Access], op: Option<&Op>) -> Vec<Access> {
    let mut joined: Vec<Access> = Vec::with_capacity(accesses.len());
    for &access in accesses {
        let adjacent = |last: &&mut Access| {
            let end = i64::from(last.offset) + i64::from(last.size);
            (last.object, last.write, end) == (access.object, access.write, access.offset.into())
        };
        match joined.last_mut().filter(adjacent).filter(|_| matches!(op, Some(Op::Lib { .. }))) {
            Some(last) => last.size += access.size,
            None => joined.push(access),
        }
    }
    joined
}

/// The value of a part of an object as text; none where there is no such object.
pub(crate) fn value_of(names: &Names<'_, '_, Recorded>, place: Place, leaf: &Leaf) -> Option<String> {
    if let Some(length) = leaf.text {
        names.machine.extent(place.0).ok()?;
        return Some(names.text(place, length).unwrap_or_else(|| "undefined".into()));
    }
    let types = &names.machine.program.types;
    if types.is_wide(leaf.ty) {
        let mut copy = names.machine.clone();
        copy.observer.annotation = None;
        let number = copy.wide(Value::Ptr(place.0, place.1)).ok();
        let shown = |number: u128| match types.is_signed(leaf.ty) {
            true => (number as i128).to_string(),
            false => number.to_string(),
        };
        return Some(number.map_or_else(|| "undefined".into(), shown));
    }
    let scalar = scalar_of(types, leaf.ty)?;
    let mem = axle_c::code::Mem { bits: leaf.bits, ..axle_c::code::Mem::atomic(scalar) };
    let value = quiet_load(names.machine, place, mem)?;
    Some(names.value(value, Some(leaf.ty)))
}

/// The value at a place; none where there is none. The machine records nothing of it.
fn quiet_load(machine: &Machine<'_>, place: Place, mem: axle_c::code::Mem) -> Option<Value> {
    let mut copy = machine.clone();
    copy.observer.annotation = None;
    copy.load(place, mem).ok()
}
