//! The state of a running program, in the form in which it is worked on: memory, objects, threads.
//!
//! *Invariant:* Bytes and their tags have the same length; an object's bytes lie in `start .. start
//! + size`; object numbers up to the number of statics are statics.

use crate::state::access::LoggedAccess;
use crate::state::recorded_accesses::{HappensBefore, View};
use crate::state::value::{Place, Value};

/// What a dynamic object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Heap,
    Freed,
    Stack,
    DeadStack,
    /// Stands for a thread: `pthread_t` is a pointer to it.
    Thread,
    /// A thread that was joined, or was detached and has ended.
    GoneThread,
}

/// A dynamic object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Object {
    pub start: u32,
    pub size: u32,
    pub kind: ObjectKind,
    /// Another thread may hold a pointer to it.
    pub shared: bool,
    /// Where it was made: a number of the machine's user (code and step), for messages only.
    pub site: u32,
}

/// What a thread waits for inside a library call.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Wait {
    #[default]
    No,
    /// A condition variable, having released the mutex.
    Condition { cond: Place, mutex: Place },
    /// Woken (or timed out), and not yet in possession of the mutex again.
    Woken { mutex: Place, timed_out: bool },
    /// A barrier.
    Barrier(Place),
    /// The barrier has opened; whether this is the thread that `pthread_barrier_wait` tells it is
    /// the one.
    Passed { serial: bool },
    /// Cancelled while it waited for a condition variable, and not yet in possession of the mutex
    /// again.
    Cancelled { mutex: Place },
}

/// A call under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    pub code: u32,
    /// The next step; in a frame below the top, the call under way.
    pub pc: u32,
    /// Its first register and first slot among the thread's.
    pub regs: u32,
    pub slots: u32,
    /// The object that holds the variable arguments; 0 for none.
    pub varargs: u32,
    /// Where a returned record goes.
    pub into: Value,
}

/// A thread.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct Thread {
    /// The object that stands for it.
    pub object: u32,
    pub frames: Vec<Frame>,
    pub regs: Vec<Value>,
    /// Objects of memory locals; 0 where none exists.
    pub slots: Vec<u32>,
    pub wait: Wait,
    /// Read locks that it holds, one entry for each acquisition, in their order.
    pub reading: Vec<Place>,
    /// Its variables of thread storage.
    pub storage: Vec<u32>,
    pub detached: bool,
    /// It has ended, with this value.
    pub ended: bool,
    pub result: Value,
    /// The destructors of its thread-specific data were started.
    pub cleaned: bool,
    /// Started by `thrd_create`: its value is an `int`.
    pub c11: bool,
    /// It runs `main`, whose return ends the program.
    pub main: bool,
    /// A pending cancellation request (`cancel.rs`), and whether cancellation is disabled.
    pub cancelled: bool,
    pub cancel_disabled: bool,
    /// It stands for any number of threads (`counter_abstraction.rs`).
    pub summary: bool,
    /// The recorded accesses that happen before its next operation (`happens_before.rs`).
    pub view: View,
    /// Its non-atomic accesses to shared memory since its last scheduling point (`transactions.rs`).
    pub access_log: Vec<LoggedAccess>,
}

/// A state.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct State {
    pub bytes: Vec<u8>,
    pub tags: Vec<u8>,
    pub objects: Vec<Object>,
    pub threads: Vec<Thread>,
    /// The program has come to its end.
    pub done: bool,
    /// The thread that runs without interruption, plus 1.
    pub atomic: u32,
    /// Sites of heap blocks that were lost: sorted, each once.
    pub lost: Vec<u32>,
    /// The happens-before relation, in programs that need it (`happens_before.rs`).
    pub happens_before: HappensBefore,
}

// Copies are made all the time: `clone_from` keeps the memory that the target has, which a derived
// one does not.
impl Clone for Thread {
    fn clone(&self) -> Self {
        let mut copy = Thread::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        self.object = from.object;
        self.frames.clone_from(&from.frames);
        self.regs.clone_from(&from.regs);
        self.slots.clone_from(&from.slots);
        self.wait = from.wait;
        self.reading.clone_from(&from.reading);
        self.storage.clone_from(&from.storage);
        self.detached = from.detached;
        self.ended = from.ended;
        self.result = from.result;
        self.cleaned = from.cleaned;
        self.c11 = from.c11;
        self.main = from.main;
        self.cancelled = from.cancelled;
        self.cancel_disabled = from.cancel_disabled;
        self.summary = from.summary;
        self.view = from.view;
        self.access_log.clone_from(&from.access_log);
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut copy = State::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        self.bytes.clone_from(&from.bytes);
        self.tags.clone_from(&from.tags);
        self.objects.clone_from(&from.objects);
        self.threads.clone_from(&from.threads);
        self.done = from.done;
        self.atomic = from.atomic;
        self.lost.clone_from(&from.lost);
        self.happens_before.accesses.clone_from(&from.happens_before.accesses);
        self.happens_before.releases.clone_from(&from.happens_before.releases);
    }
}
