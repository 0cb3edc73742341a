//! The model prepared for execution, and the view of a state by one process.

use std::sync::Arc;

use axle_model::{LocId, Model, ProcId, Process};

use super::watch::Watch;
use crate::layout::{Field, Layout, ProcLayout};
use crate::options::Options;

/// A model prepared for execution.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub model: Arc<Model>,
    pub layout: Layout,
    /// The constant segment: globals that are not written after the prologue.
    pub constants: Vec<u8>,
    pub options: Options,
    /// Recorder of the bits that are read or written, if enabled.
    pub watch: Watch,
}

/// The process that evaluates an expression, with its frequently used data.
#[derive(Clone, Copy)]
pub(crate) struct Actor<'a> {
    pub machine: &'a Machine,
    pub pid: u32,
    pub proc: ProcId,
    pub process: &'a Process,
    pub layout: &'a ProcLayout,
    /// The first bit of its slot.
    pub base: u32,
    /// The current value of `timeout`.
    pub timeout: bool,
    /// The processes that are being tested by enclosing uses of `enabled`.
    pub testing: Option<&'a Testing<'a>>,
}

/// A list, on the call stack, of processes under test by `enabled`.
#[derive(Clone, Copy)]
pub(crate) struct Testing<'a> {
    pub pid: u32,
    pub outer: Option<&'a Testing<'a>>,
}

impl Testing<'_> {
    /// Whether the process is under test.
    pub fn contains(&self, pid: u32) -> bool {
        self.pid == pid || self.outer.is_some_and(|outer| outer.contains(pid))
    }
}

/// A process without variables, for evaluations outside any process.
#[derive(Debug)]
pub(crate) struct Nobody {
    process: Process,
    layout: ProcLayout,
}

impl Nobody {
    pub fn new() -> Nobody {
        let pc = Field { bit: 0, bits: 1, signed: false };
        Nobody {
            process: Process::named(""),
            layout: ProcLayout {
                tag: None,
                pc,
                priority: None,
                locals: Vec::new(),
                channels: Vec::new(),
                bytes: 0,
            },
        }
    }

    pub fn actor<'a>(&'a self, machine: &'a Machine) -> Actor<'a> {
        Actor {
            machine,
            pid: 0,
            proc: ProcId(0),
            process: &self.process,
            layout: &self.layout,
            base: 0,
            timeout: false,
            testing: None,
        }
    }
}

impl Machine {
    /// Number of processes.
    #[inline]
    pub fn count(&self, state: &[u8]) -> u32 {
        self.watch.field(self.layout.count, 0);
        self.layout.count.read(state, 0) as u32
    }

    /// The type of a process that exists.
    #[inline]
    pub fn proc_at(&self, state: &[u8], pid: u32) -> ProcId {
        let slot = &self.layout.slots[pid as usize];
        let first = slot.types[0];
        match self.layout.procs[first.index()].tag {
            Some(tag) if slot.types.len() > 1 => {
                self.watch.field(tag, slot.base);
                ProcId(tag.read(state, slot.base) as u32)
            }
            _ => first,
        }
    }

    /// An existing process as an actor.
    #[inline]
    pub fn actor<'a>(
        &'a self,
        state: &[u8],
        pid: u32,
        timeout: bool,
        testing: Option<&'a Testing<'a>>,
    ) -> Actor<'a> {
        self.actor_of(self.proc_at(state, pid), pid, timeout, testing)
    }

    /// An existing process of a known type as an actor.
    #[inline]
    pub fn actor_of<'a>(
        &'a self,
        proc: ProcId,
        pid: u32,
        timeout: bool,
        testing: Option<&'a Testing<'a>>,
    ) -> Actor<'a> {
        Actor {
            machine: self,
            pid,
            proc,
            process: self.model.process(proc),
            layout: &self.layout.procs[proc.index()],
            base: self.layout.slots[pid as usize].base,
            timeout,
            testing,
        }
    }

    /// The number of a process, if the process exists.
    #[inline]
    pub fn existing(&self, state: &[u8], number: i64) -> Option<u32> {
        u32::try_from(number).ok().filter(|&pid| pid < self.count(state))
    }

    /// Whether a process is in a valid end state.
    pub fn may_rest(&self, state: &[u8], pid: u32) -> bool {
        let who = self.actor(state, pid, false, None);
        who.process.locations[who.location(state).index()].end
    }

    /// The priority of an existing process.
    pub fn priority(&self, state: &[u8], pid: u32) -> i64 {
        let proc = self.proc_at(state, pid);
        match self.layout.procs[proc.index()].priority {
            Some(field) => {
                let base = self.layout.slots[pid as usize].base;
                self.watch.field(field, base);
                field.read(state, base)
            }
            None => 1,
        }
    }
}

impl Actor<'_> {
    /// The location of the process.
    #[inline]
    pub fn location(&self, state: &[u8]) -> LocId {
        // The location is stored plus 1, so it is at least 1 for an existing process.
        self.machine.watch.field(self.layout.pc, self.base);
        LocId((self.layout.pc.read(state, self.base) - 1) as u32)
    }

    /// Sets the location of the process.
    #[inline]
    pub fn set_location(&self, state: &mut [u8], loc: LocId) {
        self.machine.watch.field(self.layout.pc, self.base);
        self.layout.pc.write(state, self.base, i64::from(loc.0) + 1);
    }
}
