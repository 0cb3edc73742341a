//! Counter abstraction: threads with the same local state are counted as one or as any number.
//!
//! *Entry points:* [`Machine::fold`], [`Machine::materialise`], [`abstract_transitions`].
//! *Source:* Pnueli, Xu and Zuck, "Liveness with (0,1,∞)-counter abstraction", CAV 2002; Basler,
//! Mazzucchi, Wahl and Kroening, "Symbolic counter abstraction for concurrent software", CAV 2009.
//! *Idea:* a program that creates threads without bound has infinitely many states, although two or
//! three of its threads may show all behaviour. Two threads with the same record and the same
//! variables, to which no handle exists, are folded into a summary: any number of such threads,
//! zero included. A step of a member leaves the summary as it is and adds the thread that the
//! member has become. *Soundness of holds:* a state with summaries represents all states with any
//! number of members of each. Every step of such a state is a step of the abstract state: a
//! member's step is made by a materialised thread, so two members can interact. Steps of other
//! threads depend on memory only, because a thread whose number can be observed (through a handle,
//! a lock or a barrier) is not folded. A signal may find no waiting member. Deadlocks are decided
//! without members, where the fewest steps are enabled, or with one member if no other thread is
//! left. *Incomplete:* a summary never loses members, so a violation may be spurious. This search
//! only proves that there is none.
//! *Invariant:* summaries make no steps of their own, and follow the other threads in the order of
//! their records.

use axle_c::Program;
use axle_c::code::Op;
use axle_c::library::Operation;

use crate::explore::{Expansion, Put, ThreadOutcome, check_deadlock, close_invisible, thread_transitions};
use crate::machine::decode::decode;
use crate::machine::encode::{SUMMARY, each_anchored, encode, held_bytes, put_access_log, record};
use crate::observers::recorders::Machine;
use crate::races::races;
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::ErrorSite;
use crate::state::program_state::{Thread, Wait};
use crate::state::value::{POINTER, Value};

impl Machine<'_> {
    /// Folds threads with equal local states, and drops threads that have ended and that no handle
    /// refers to. The state was read back just now: no garbage is left in it, and dead registers
    /// hold nothing. Returns whether there is a summary.
    pub(crate) fn fold(&mut self) -> bool {
        if self.state.done {
            return false;
        }
        let named = self.named();
        let is_named = |object: u32| self.index(object).is_some_and(|index| named[index]);
        let mut alike: Vec<(Vec<u8>, Thread)> = Vec::new();
        let mut others = Vec::new();
        let (owner, mut atomic) = (self.state.atomic, 0);
        for (t, thread) in self.state.threads.iter().enumerate() {
            if thread.ended && !thread.main && !is_named(thread.object) {
                continue;
            }
            let may_join = !thread.main
                && !thread.ended
                && matches!(thread.wait, Wait::No | Wait::Condition { .. } | Wait::Woken { .. })
                && thread.reading.is_empty()
                && owner != t as u32 + 1
                && !is_named(thread.object);
            match self.equivalence_key(thread).filter(|_| may_join) {
                Some(equivalence_key) => alike.push((equivalence_key, thread.clone())),
                None => {
                    others.push(thread.clone());
                    if owner == t as u32 + 1 {
                        atomic = others.len() as u32;
                    }
                }
            }
        }
        alike.sort_by(|a, b| a.0.cmp(&b.0));
        let mut any = others.iter().any(|thread| thread.summary);
        let mut last: Option<Vec<u8>> = None;
        for (equivalence_key, thread) in alike {
            any |= thread.summary;
            match (others.last_mut(), last.as_ref() == Some(&equivalence_key)) {
                (Some(known), true) => {
                    known.summary = true;
                    any = true;
                }
                _ => others.push(thread),
            }
            last = Some(equivalence_key);
        }
        self.state.atomic = atomic;
        self.state.threads = others;
        any
    }

    /// The place of a dynamic object among the state's.
    fn index(&self, object: u32) -> Option<usize> {
        (object as usize)
            .checked_sub(self.program.statics.len() + 1)
            .filter(|&index| index < self.state.objects.len())
    }

    /// For each dynamic object, whether some memory or register leads to it.
    fn named(&self) -> Vec<bool> {
        let mut named = vec![false; self.state.objects.len()];
        let mut name = |object: u32| {
            if let Some(index) = self.index(object) {
                named[index] = true;
            }
        };
        self.each_pointer(0, self.program.image.len(), |object, _| name(object));
        for object in &self.state.objects {
            let start = object.start as usize;
            self.each_pointer(start, start + held_bytes(object), |object, _| name(object));
        }
        for thread in &self.state.threads {
            let into = thread.frames.iter().map(|frame| frame.into);
            for value in thread.regs.iter().copied().chain(into).chain([thread.result]) {
                if let Value::Ptr(object, _) = value {
                    name(object);
                }
            }
        }
        named
    }

    /// The places of the pointers in memory.
    fn pointers(&self, (start, end): (usize, usize)) -> Vec<usize> {
        (start..end).filter(|&at| self.state.tags[at] == POINTER).collect()
    }

    /// All that there is of a thread, the same for those that are alike: objects that are its own
    /// have numbers of their own. None: others may know some of these.
    fn equivalence_key(&self, thread: &Thread) -> Option<Vec<u8>> {
        let own = own_objects(thread);
        let is_private = |&object: &u32| self.object(object).is_some_and(|object| !object.shared);
        if !own.iter().all(is_private) {
            return None;
        }
        let number = |object: u32| match own.iter().position(|&mine| mine == object) {
            Some(at) => u32::MAX - 1 - at as u32,
            None if object == thread.object => u32::MAX,
            None => object,
        };
        let mut out = Vec::new();
        // A summary is like its members.
        record(self.program, thread, &mut |object| number(object), &mut out);
        out[0] &= !SUMMARY;
        put_access_log(&thread.access_log, |object| Some(number(object)), &mut out);
        for &object in &own {
            let object = self.object(object)?;
            let (start, end) = (object.start as usize, object.start as usize + held_bytes(object));
            out.push(object.kind as u8);
            out.extend_from_slice(&(end - start).to_le_bytes());
            out.extend_from_slice(&self.state.tags[start..end]);
            let from = out.len();
            out.extend_from_slice(&self.state.bytes[start..end]);
            let size = self.pointer_size();
            for at in self.pointers((start, end)) {
                let (object, offset) = self.unpack(at);
                let place = from + at - start;
                out[place..place + size].fill(0);
                out.extend_from_slice(&number(object).to_le_bytes());
                out.extend_from_slice(&offset.to_le_bytes());
            }
        }
        Some(out)
    }

    /// Adds a member of each summary; its place, behind all threads that there were, distinguishes
    /// it.
    pub(crate) fn materialise(&mut self) -> Result<(), ErrorKind> {
        for t in 0..self.state.threads.len() {
            if !self.state.threads[t].summary {
                continue;
            }
            let mut member = self.state.threads[t].clone();
            member.summary = false;
            let own = own_objects(&member);
            let mut copies = Vec::new();
            for &object in own.iter().chain([&member.object]) {
                copies.push((object, self.copy_of(object)?));
            }
            let new =
                |object: u32| copies.iter().find(|(old, _)| *old == object).map_or(object, |(_, copy)| *copy);
            for &(_, copy) in &copies {
                let Some(object) = self.object(copy) else { continue };
                let (start, end) = (object.start as usize, object.start as usize + held_bytes(object));
                for at in self.pointers((start, end)) {
                    let (object, offset) = self.unpack(at);
                    let packed = self.pack(new(object), offset)?;
                    self.write_pointer(at, packed, self.pointer_size());
                }
            }
            rename(&mut member, new);
            self.state.threads.push(member);
        }
        Ok(())
    }

    /// An object like another, with the same bytes.
    fn copy_of(&mut self, object: u32) -> Result<u32, ErrorKind> {
        let Some(old) = self.object(object).copied() else { return Ok(object) };
        let copy = self.allocate(old.size.into(), old.kind)?;
        let from = old.start as usize..old.start as usize + old.size as usize;
        let Some(new) = self.object_mut(copy) else { return Ok(object) };
        (new.shared, new.site) = (old.shared, old.site);
        let start = new.start as usize;
        self.state.bytes.copy_within(from.clone(), start);
        self.state.tags.copy_within(from, start);
        Ok(copy)
    }
}

/// Whether counter abstraction may help: the program begins threads, and nothing runs when it ends,
/// which it does with its last thread where `main` is no more.
pub fn may_help(program: &Program) -> bool {
    let begins = |op: &Op| op.operation() == Operation::Create;
    !program.ends && program.codes.iter().any(|code| code.ops.iter().any(begins))
}

/// The variables of a thread: those of its frames and of thread storage.
fn own_objects(thread: &Thread) -> Vec<u32> {
    let mut own = Vec::new();
    each_anchored(thread, |object| {
        if object != 0 {
            own.push(object);
        }
    });
    own
}

/// Renumbers the objects that a member of a summary knows.
fn rename(thread: &mut Thread, new: impl Fn(u32) -> u32) {
    let value = |value: &mut Value| {
        if let Value::Ptr(object, _) = value {
            *object = new(*object);
        }
    };
    thread.object = new(thread.object);
    match &mut thread.wait {
        Wait::Condition { cond, mutex } => (cond.0, mutex.0) = (new(cond.0), new(mutex.0)),
        Wait::Woken { mutex, .. } => mutex.0 = new(mutex.0),
        _ => {}
    }
    thread.regs.iter_mut().for_each(value);
    value(&mut thread.result);
    thread.slots.iter_mut().chain(&mut thread.storage).for_each(|object| *object = new(*object));
    thread.access_log.iter_mut().for_each(|touch| touch.span.object = new(touch.span.object));
    for frame in &mut thread.frames {
        frame.varargs = new(frame.varargs);
        value(&mut frame.into);
    }
}

/// The transitions of a state with summaries, a member of each added; see
/// [`transitions_with`](crate::explore::ways_as).
pub(crate) fn abstract_transitions<'p>(
    machine: &Machine<'p>,
    source: &[u8],
    copy: &mut Machine<'p>,
    mark: &mut dyn FnMut(u32, u32),
    put: Put<'_, 'p>,
) -> Expansion {
    let mut expansion = Expansion::default();
    if machine.state.done {
        return expansion;
    }
    if machine.settings.races {
        races(machine, &mut expansion.error_sites);
    }
    let threads = &machine.state.threads;
    let first_member = threads.len() - threads.iter().filter(|thread| thread.summary).count();
    let mut whole = ThreadOutcome { stuck: false, progress: false, looks: true };
    let (mut blocked, mut turns) = (Vec::new(), Vec::new());
    let mut stale = true;
    for (t, thread) in threads.iter().enumerate() {
        let thread_transitions =
            thread_transitions(machine, Some(source), (copy, &mut stale), t, &mut expansion, mark, put);
        if t < first_member && !thread.summary {
            whole.progress |= thread_transitions.progress;
            whole.looks &= thread_transitions.looks;
            blocked.push(thread_transitions.stuck);
        }
        turns.push(thread_transitions);
    }
    if first_member == threads.len() {
        check_deadlock(machine, &whole, &blocked, &mut expansion.error_sites);
        return expansion;
    }
    let few = only(machine, &|t| t < first_member && !threads[t].summary);
    if few.running() > 0 {
        stuck(few, &whole, &blocked, &mut expansion.error_sites);
        return expansion;
    }
    // The program has ended where no summary has a member; otherwise there is at least one thread
    // of one of them.
    for (t, thread_transitions) in turns.iter().enumerate().skip(first_member) {
        let few = only(machine, &|u| u == t);
        stuck(few, thread_transitions, &[thread_transitions.stuck], &mut expansion.error_sites);
    }
    expansion
}

/// The deadlock of a state without members of summaries.
fn stuck(mut few: Machine<'_>, whole: &ThreadOutcome, blocked: &[bool], error_sites: &mut Vec<ErrorSite>) {
    check_deadlock(&few, whole, blocked, error_sites);
    if few.running() == 1 {
        // A thread that is alone may be in an infinite loop.
        let t = few.state.threads.iter().position(|thread| !thread.ended).unwrap_or(0);
        error_sites.extend(close_invisible(&mut few, t, None).err());
        error_sites.append(&mut few.observer.deferred_races);
    }
}

/// The state with some of its threads only.
fn only<'p>(machine: &Machine<'p>, keeps: &dyn Fn(usize) -> bool) -> Machine<'p> {
    let mut few = machine.clone();
    (few.observer.record, few.observer.annotation) = (None, None);
    let owner = machine.state.atomic.checked_sub(1).map(|owner| owner as usize);
    few.state.atomic = 0;
    few.state.threads.clear();
    for (t, thread) in machine.state.threads.iter().enumerate().filter(|&(t, _)| keeps(t)) {
        few.state.threads.push(thread.clone());
        if owner == Some(t) {
            few.state.atomic = few.state.threads.len() as u32;
        }
    }
    few
}

/// Encodes a state with its threads folded; also whether it has a summary. `scratch` is a machine
/// to work with.
pub(crate) fn put_folded<'p>(machine: &Machine<'p>, scratch: &mut Machine<'p>) -> (Vec<u8>, bool) {
    decode(machine.program, &encode(machine), &mut scratch.state);
    let any = scratch.fold();
    (encode(scratch), any)
}
