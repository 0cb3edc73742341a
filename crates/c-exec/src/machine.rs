//! A program being executed: its state, the step that is under way, and what bounds the execution.
//!
//! An [`Execution`] names two things that vary: the [`Memory`](memory::Memory) of the execution, and the
//! [`Observer`](observer::Observer) that is informed of its steps. Both are known when a machine is
//! compiled, so neither costs a dispatch at run time.
//!
//! *Entry points:* [`Machine::new`]; `semantics/step.rs` executes steps.
//! *Invariant:* the observer decides nothing about a step: two machines with the same state, and with
//! observers that follow the same accesses, make the same steps.

pub mod decode;
pub mod encode;
pub mod location;
pub mod memory;
pub mod observer;
pub mod pointers;

use axle_step::Interrupt;

use axle_c::Program;

use crate::machine::memory::Memory;
use crate::machine::observer::Observer;
use crate::state::error_kind::ErrorKind;
use crate::state::program_state::{Object, ObjectKind, State};
use crate::state::settings::Settings;
use crate::state::value::{DEFINED, UNDEFINED};

/// Steps of threads between two polls of the interrupt.
pub(crate) const POLL_AFTER: u64 = 100_000;

/// The work of a transition beside its steps, for its state is copied and encoded: about as long as
/// so many steps take.
pub(crate) const TRANSITION_WORK: u64 = 100;

/// Objects that a state can have, including those that have ended since it was last encoded.
const MOST_OBJECTS: usize = 100_000;

/// The exit status of a program that called `abort`.
pub const ABORTED: i32 = 134;

/// The kind of an execution.
pub trait Execution: Sized + Clone + std::fmt::Debug {
    /// How loads and stores are executed.
    type Memory: Memory<Self>;
    /// What is informed of steps.
    type Observer: Observer<Self>;
}

/// A program being executed.
#[derive(Clone, Debug)]
pub struct Machine<'p, E: Execution> {
    pub program: &'p Program,
    pub settings: &'p Settings,
    pub state: State,
    /// The exit status, once the program has ended.
    pub status: i32,
    /// Whether the state records accesses for the happens-before relation ([`Settings::tracks`]).
    pub(crate) tracks: bool,
    /// The step that is being executed: code and step in one number.
    pub site: u32,
    /// The thread that makes the step, and whether the step is invisible.
    pub mover: usize,
    pub invisible: bool,
    /// Steps, and transitions at [`TRANSITION_WORK`] each, since this was last set to 0.
    pub work: u64,
    /// Counts operations that may have changed memory: writes, objects that begin or end, library calls.
    pub(crate) changes: u64,
    /// The bytes that a state may have here, if that is limited; and whether one has had more.
    pub(crate) most_bytes: Option<usize>,
    pub(crate) exceeded: bool,
    /// Steps since the interrupt was last polled, weighted by the number of threads.
    pub(crate) unpolled: u64,
    /// Polled during long sequences of invisible steps.
    pub interrupt: Interrupt,
    /// A step has read a part of a stored clock value (`memory/stored_clock.rs`).
    pub(crate) clock_read: bool,
    /// Informed of each step.
    pub observer: E::Observer,
}

impl<'p, E: Execution> Machine<'p, E> {
    /// A program without a state.
    pub fn empty(program: &'p Program, settings: &'p Settings) -> Machine<'p, E> {
        Machine {
            program,
            settings,
            state: State::default(),
            status: 0,
            tracks: settings.tracks(program),
            site: 0,
            mover: 0,
            invisible: false,
            work: 0,
            changes: 0,
            most_bytes: None,
            exceeded: false,
            unpolled: 0,
            interrupt: Interrupt::default(),
            clock_read: false,
            observer: E::Observer::default(),
        }
    }

    /// The program before its first step: `main` is about to start.
    pub fn new(program: &'p Program, settings: &'p Settings) -> Machine<'p, E> {
        let mut machine = Machine::empty(program, settings);
        if program.image.len() > settings.memory {
            // `initial` says so.
            return machine;
        }
        machine.state.bytes = program.image.clone();
        machine.state.tags = vec![DEFINED; program.image.len()];
        for &(at, object, offset) in &program.image_pointers {
            // Image pointers are small enough by construction: statics come first.
            let packed = machine.pack(object, offset).unwrap_or_default();
            let size = machine.pointer_size();
            machine.write_pointer(at as usize, packed, size);
        }
        machine
    }

    #[inline]
    pub fn pointer_size(&self) -> usize {
        self.program.types.pointer_size() as usize
    }

    /// A new object, its bytes undefined.
    pub fn allocate(&mut self, size: u64, kind: ObjectKind) -> Result<u32, ErrorKind> {
        let start = self.state.bytes.len();
        if size > self.settings.memory as u64 || start + size as usize > self.settings.memory {
            return Err(ErrorKind::Limit("the program needs more memory than a state may have"));
        }
        if self.state.objects.len() >= MOST_OBJECTS {
            return Err(ErrorKind::Limit("more objects at a time than a state may have"));
        }
        self.changes += 1;
        if self.most_bytes.is_some_and(|most| 2 * (start + size as usize) > most) {
            // The next step polls the limits.
            self.unpolled = POLL_AFTER;
        }
        self.state.bytes.resize(start + size as usize, 0);
        self.state.tags.resize(start + size as usize, UNDEFINED);
        self.state.objects.push(Object {
            start: start as u32,
            size: size as u32,
            kind,
            shared: false,
            site: self.site,
        });
        Ok((self.program.statics.len() + self.state.objects.len()) as u32)
    }

    /// Bytes and objects of the state, including those that have ended.
    pub(crate) fn extent_of_all(&self) -> (usize, usize) {
        (self.state.bytes.len(), self.state.objects.len())
    }

    /// Whether the state has grown since by a quarter of its limits.
    pub(crate) fn has_grown(&self, (bytes, objects): (usize, usize)) -> bool {
        self.state.bytes.len() > bytes.saturating_add(self.settings.memory / 4)
            || self.state.objects.len() > objects + MOST_OBJECTS / 4
    }

    /// The dynamic object of a number.
    #[inline]
    pub fn object(&self, number: u32) -> Option<&Object> {
        (number as usize)
            .checked_sub(self.program.statics.len() + 1)
            .and_then(|index| self.state.objects.get(index))
    }

    #[inline]
    pub fn object_mut(&mut self, number: u32) -> Option<&mut Object> {
        self.changes += 1;
        let first = self.program.statics.len() + 1;
        (number as usize).checked_sub(first).and_then(|index| self.state.objects.get_mut(index))
    }

    /// Whether to go on; polls the interrupt after a number of steps. Called for every step that a thread
    /// makes alone: the cost of one grows with the number of threads, and with what is observed.
    #[inline]
    pub(crate) fn is_wanted(&mut self) -> bool {
        let Some(weight) = self.observer.weight() else { return false };
        self.unpolled += weight + 1 + self.state.threads.len() as u64 / 16;
        if self.unpolled < POLL_AFTER {
            return true;
        }
        self.unpolled = 0;
        let bytes = 2 * self.state.bytes.len() + size_of::<Object>() * self.state.objects.len();
        self.exceeded |= self.most_bytes.is_some_and(|most| bytes > most);
        !self.exceeded && self.interrupt.ask().is_none()
    }

    /// A copy whose observer records nothing.
    pub(crate) fn silent_copy(&self) -> Machine<'p, E> {
        Machine {
            state: self.state.clone(),
            interrupt: self.interrupt.clone(),
            status: self.status,
            tracks: self.tracks,
            ..Machine::empty(self.program, self.settings)
        }
    }

    /// Threads that have not ended.
    #[inline]
    pub fn running(&self) -> usize {
        self.state.threads.iter().filter(|thread| !thread.ended).count()
    }
}
