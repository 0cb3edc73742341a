//! Which steps other threads can notice: what a thread does between two of those is no transition of
//! its own.
//!
//! *Entry points:* [`Machine::next_kind`], [`Machine::is_seen`].
//! *Invariant:* an invisible step commutes with every step of every other thread.

#[cfg(test)]
mod library_table_tests;

use axle_c::code::{Arg, Op};
use axle_c::library::{Lib, Operation, Touches};

use crate::observers::recorders::Machine;
use crate::state::access::Access;
use crate::state::outcome::Choice;
use crate::state::program_state::{ObjectKind, Wait};
use crate::state::value::Value;

/// What kind of step a thread is about to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// No other thread observes it.
    Invisible,
    /// An access, a synchronisation, a choice.
    Visible,
    /// The thread has ended.
    Ended,
}

impl Machine<'_> {
    /// What kind of step a thread is about to make.
    pub(crate) fn next_kind(&self, t: usize) -> Next {
        self.kind_of_next(t, self.merges_accesses(t))
    }

    /// The same; `merges_accesses` says whether plain accesses take no turn.
    pub(crate) fn kind_of_next(&self, t: usize, merges_accesses: bool) -> Next {
        let thread = &self.state.threads[t];
        if thread.ended {
            return Next::Ended;
        }
        let Some(op) = self.next_op(t) else { return Next::Ended };
        if self.settings.watch.on && self.is_watched(t, op) {
            return Next::Visible;
        }
        let several = self.running() > 1 && self.state.atomic != t as u32 + 1;
        let seen = |arg: &Arg, write: bool| match self.arg(t, *arg) {
            Value::Ptr(object, _) => self.is_seen(t, object, write),
            Value::Undef | Value::Int(_) => false,
        };
        let visible = |yes: bool| if yes { Next::Visible } else { Next::Invisible };
        match op {
            Op::Lib { lib, args, .. } => self.library_kind(t, *lib, args, several, merges_accesses),
            Op::Call { callee, .. } => match self.function(self.arg(t, *callee)) {
                Ok(Ok(code)) => {
                    let atomic = self.program.codes[code as usize].atomic;
                    visible(several && atomic)
                }
                Ok(Err(_)) => visible(several),
                Err(_) => Next::Invisible,
            },
            // The end of `main` is the end of everyone.
            Op::Return { .. } => {
                let ends_all = thread.main && !thread.cleaned;
                let shows = ends_all || self.program.ends_show || !thread.access_log.is_empty();
                visible(several && thread.frames.len() == 1 && shows)
            }
            _ if !several => Next::Invisible,
            Op::Load { addr, mem, .. } => visible((mem.atomic || !merges_accesses) && seen(addr, false)),
            Op::Store { addr, mem, .. }
            | Op::Exchange { addr, mem, .. }
            | Op::Modify { addr, mem, .. }
            | Op::CompareExchange { addr, mem, .. } => {
                visible((mem.atomic || !merges_accesses) && seen(addr, true))
            }
            Op::Overflow { to, mem, .. } => visible((mem.atomic || !merges_accesses) && seen(to, true)),
            Op::Copy { .. } | Op::Zero { .. } | Op::VaStart { .. } if merges_accesses => Next::Invisible,
            Op::Copy { to, from, .. } => visible(seen(to, true) || seen(from, false)),
            Op::Zero { to, .. } | Op::VaStart { list: to } => visible(seen(to, true)),
            _ => Next::Invisible,
        }
    }

    /// The accesses that a library call would make, found by making them.
    pub(crate) fn trial(&self, t: usize) -> Vec<Access> {
        let mut copy = self.clone();
        copy.observer.log = Some(Vec::new());
        copy.observer.record = None;
        copy.observer.output = None;
        copy.observer.annotation = None;
        // Trouble shows when the step is made in earnest; the accesses up to there count.
        let _ = copy.step(t, Choice::Ask);
        if let (Some(mine), Some(its)) =
            (&mut *self.observer.read_set.borrow_mut(), copy.observer.read_set.take())
        {
            mine.asked = its.asked;
            mine.slow = its.slow;
        }
        // What the step makes itself, the variables of a thread that it starts or a new block,
        // belongs to no other thread yet; that two such steps would give it the same number means
        // nothing.
        let is_there = |access: &Access| self.is_alive(access.object);
        copy.observer.log.unwrap_or_default().into_iter().filter(is_there).collect()
    }

    /// Whether an object exists now: whatever a step does to it, others may have to do with it too.
    fn is_alive(&self, object: u32) -> bool {
        (object as usize) <= self.program.statics.len()
            || self.object(object).is_some_and(|found| found.kind != ObjectKind::Freed)
    }

    pub(crate) fn touches_shared(&self, t: usize) -> bool {
        self.trial(t).iter().any(|access| self.is_seen(t, access.object, access.write))
    }

    fn library_kind(&self, t: usize, lib: Lib, args: &[Arg], several: bool, merges_accesses: bool) -> Next {
        let visible = |yes: bool| if yes { Next::Visible } else { Next::Invisible };
        let shared = |index: usize| match args.get(index).map(|arg| self.arg(t, *arg)) {
            Some(Value::Ptr(object, _)) => self.is_seen(t, object, true),
            _ => false,
        };
        let row = lib.row();
        match (row.operation, row.touches) {
            // Whether it is cancelled there may be another's doing.
            _ if self.may_be_cancelled_at(lib) => visible(several),
            (Operation::Free | Operation::Reallocate, _) => visible(several && shared(0)),
            // Once the other has ended, nothing can come between.
            (Operation::Join, _) => visible(several && shared(1)),
            (Operation::BarrierWait, _) if matches!(self.state.threads[t].wait, Wait::Passed { .. }) => {
                Next::Invisible
            }
            // Being woken for no reason must not pass for progress, not even of the last thread.
            (Operation::Wait, _) => visible(several || self.state.threads[t].wait != Wait::No),
            // A step of their own, so that nothing that rests on them goes unnoticed.
            _ if lib.reads_environment() => Next::Visible,
            (_, Touches::Input) => Next::Visible,
            (Operation::EndThread, _) => {
                visible(several && (self.program.ends_show || !self.state.threads[t].access_log.is_empty()))
            }
            (_, Touches::Nothing) => Next::Invisible,
            (_, Touches::Memory) => visible(several && !merges_accesses && self.touches_shared(t)),
            (_, Touches::Synchronisation | Touches::Both) => visible(several),
        }
    }

    /// Whether a formula may see the step: it changes a variable that is looked at, or begins at
    /// such a place.
    fn is_watched(&self, t: usize, op: &Op) -> bool {
        let watch = &self.settings.watch;
        if watch.steps.contains(&self.stand(t)) {
            return true;
        }
        let (code, _) = self.stand(t);
        let is_watching = !watch.registers.is_empty() || !watch.slots.is_empty();
        if op.writes().into_iter().flatten().any(|reg| watch.registers.contains(&(code, reg))) {
            return true;
        }
        let watched = |value: Value| match value {
            Value::Ptr(object, _) => watch.objects.contains(&object) || self.is_watched_slot(object),
            Value::Undef | Value::Int(_) => false,
        };
        match op {
            Op::Store { addr: to, .. }
            | Op::Exchange { addr: to, .. }
            | Op::Modify { addr: to, .. }
            | Op::CompareExchange { addr: to, .. }
            | Op::Copy { to, .. }
            | Op::Zero { to, .. }
            | Op::Overflow { to, .. }
            | Op::VaStart { list: to } => watched(self.arg(t, *to)),
            // A returned record is copied to where the caller wants it.
            Op::Return { .. } => {
                let into = self.state.threads[t].frames.last().map(|frame| frame.into);
                into.is_some_and(watched) || self.is_watched_function(code)
            }
            Op::Call { callee, .. } => {
                let called = self.function(self.arg(t, *callee));
                matches!(called, Ok(Ok(code)) if self.is_watched_function(code))
            }
            // Its variables go with a thread, and come with one.
            Op::Lib { lib, .. } if is_watching && lib.starts_or_ends_threads() => true,
            Op::Live { slot } | Op::LiveVla { slot, .. } | Op::Dead { slot } => {
                watch.slots.contains(&(code, *slot))
            }
            Op::Lib { lib, .. } => match lib.touches() {
                Touches::Nothing | Touches::Input => false,
                Touches::Memory | Touches::Both | Touches::Synchronisation => {
                    let writes = |access: &Access| access.write && watched(Value::Ptr(access.object, 0));
                    self.trial(t).iter().any(writes)
                }
            },
            _ => false,
        }
    }

    /// Whether a formula looks at a variable of a function.
    fn is_watched_function(&self, code: u32) -> bool {
        let watch = &self.settings.watch;
        watch.registers.iter().chain(&watch.slots).any(|(function, _)| *function == code)
    }

    /// Whether an object is that of an automatic variable that a formula looks at.
    fn is_watched_slot(&self, object: u32) -> bool {
        !self.settings.watch.slots.is_empty()
            && self.state.threads.iter().any(|thread| {
                thread.frames.iter().any(|frame| {
                    let own = |&(code, slot): &(u32, u32)| {
                        code == frame.code && thread.slots[(frame.slots + slot) as usize] == object
                    };
                    self.settings.watch.slots.iter().any(own)
                })
            })
    }
}
