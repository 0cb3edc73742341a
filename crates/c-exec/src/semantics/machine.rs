//! A program being executed: its state, and what is recorded while steps are made.
//!
//! *Entry points:* [`Machine::new`]; `step.rs` executes steps.

use std::cell::RefCell;

use axle_step::Interrupt;

use axle_c::Program;

use crate::semantics::access::Access;
use crate::semantics::dependencies::ReadSet;
use crate::semantics::error_kind::ErrorKind;
use crate::semantics::error_site::ErrorSite;
use crate::semantics::executed_steps::ExecutedSteps;
use crate::semantics::program_state::{Object, ObjectKind, State};
use crate::semantics::recorded_accesses::Contention;
use crate::semantics::settings::Settings;
use crate::semantics::step_annotation::StepAnnotation;
use crate::semantics::value::{DEFINED, UNDEFINED};

/// Steps that threads make alone after which it is asked whether they are still wanted.
pub(crate) const ASK_AFTER: u64 = 100_000;

/// The work of a transition beside its steps, for its state is copied and written down: about as long as
/// so many steps take.
pub(crate) const TRANSITION_WORK: u64 = 100;

/// Objects that a state can have, those included that have ended since it was written down last.
const MOST_OBJECTS: usize = 100_000;

/// The exit status of a program that called `abort`.
pub const ABORTED: i32 = 134;

/// A program being executed.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    pub program: &'p Program,
    pub settings: &'p Settings,
    pub state: State,
    /// Accesses are written down here when asked for.
    pub log: Option<Vec<Access>>,
    /// What the program prints, when asked for.
    pub output: Option<Vec<u8>>,
    /// Steps, and transitions at [`TRANSITION_WORK`] each, since this was last set to 0.
    pub work: u64,
    /// Counts what may have changed memory: writes, objects that begin or end, library calls.
    pub(crate) changes: u64,
    /// The bytes that a state may have here, if that is limited; and whether one has had more.
    pub(crate) most_bytes: Option<usize>,
    pub(crate) exceeded: bool,
    /// The same since it was last asked whether they are still wanted, more where there are many
    /// threads.
    pub(crate) unasked: u64,
    /// Polled during long sequences of invisible steps.
    pub interrupt: Interrupt,
    /// Whether anything was printed, to whatever stream.
    pub printed: bool,
    /// The exit status, once the program has ended.
    pub status: i32,
    /// The access that the last memory error is about, for reports.
    pub(crate) faulty: Option<Access>,
    /// The index and the number of elements of the last index that is out of bounds.
    pub(crate) faulty_index: Option<(i64, u64)>,
    /// The steps executed, when asked for: thread, code, step.
    pub record: Option<Vec<(u32, u32, u32)>>,
    /// The same without their order, each step once, when asked for.
    pub(crate) executed: Option<ExecutedSteps>,
    /// The site of what is executed now.
    pub site: u32,
    /// The thread that makes the step, and whether the step is invisible.
    pub mover: usize,
    pub invisible: bool,
    /// A step ends where a race is met on its way: for showing a run to it.
    pub halts: bool,
    /// What each step does is written down here in words, when asked for.
    pub annotation: Option<Box<StepAnnotation>>,
    /// Races that were met between the states of a search, inside an atomic section.
    pub(crate) deferred_races: Vec<ErrorSite>,
    /// Whether accesses are recorded for the happens-before relation (`happens_before.rs`), and
    /// whether there were too many.
    pub(crate) tracks: bool,
    pub(crate) overflowed: bool,
    /// Contention that was met.
    pub(crate) contention: Contention,
    /// A step has read a part of a stored clock value (`stored_clock.rs`).
    pub(crate) clock_read: bool,
    /// What a step looks at is written down here when asked for.
    pub(crate) read_set: RefCell<Option<Box<ReadSet>>>,
}

impl<'p> Machine<'p> {
    /// A program without a state.
    pub fn empty(program: &'p Program, settings: &'p Settings) -> Machine<'p> {
        Machine {
            program,
            settings,
            state: State::default(),
            log: None,
            output: None,
            printed: false,
            interrupt: Interrupt::default(),
            work: 0,
            changes: 0,
            most_bytes: None,
            exceeded: false,
            unasked: 0,
            status: 0,
            faulty: None,
            faulty_index: None,
            record: None,
            executed: None,
            site: 0,
            mover: 0,
            invisible: false,
            halts: false,
            annotation: None,
            deferred_races: Vec::new(),
            tracks: settings.tracks(program),
            overflowed: false,
            contention: Contention::default(),
            clock_read: false,
            read_set: RefCell::default(),
        }
    }

    /// The program before its first step: `main` is about to start.
    pub fn new(program: &'p Program, settings: &'p Settings) -> Machine<'p> {
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
            self.unasked = ASK_AFTER;
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

    /// Bytes and objects that the state has, those that are gone among them.
    pub(crate) fn extent_of_all(&self) -> (usize, usize) {
        (self.state.bytes.len(), self.state.objects.len())
    }

    /// Whether much has come since: a quarter of what there may be.
    pub(crate) fn has_grown(&self, (bytes, objects): (usize, usize)) -> bool {
        self.state.bytes.len() > bytes.saturating_add(self.settings.memory / 4)
            || self.state.objects.len() > objects + MOST_OBJECTS / 4
    }

    /// The dynamic object of a number.
    pub fn object(&self, number: u32) -> Option<&Object> {
        (number as usize)
            .checked_sub(self.program.statics.len() + 1)
            .and_then(|index| self.state.objects.get(index))
    }

    pub fn object_mut(&mut self, number: u32) -> Option<&mut Object> {
        self.changes += 1;
        let first = self.program.statics.len() + 1;
        (number as usize).checked_sub(first).and_then(|index| self.state.objects.get_mut(index))
    }

    /// Polls the interrupt after a number of steps. Called for every step that a thread makes
    /// alone: the cost of one grows with the number of threads, and with the annotation of steps.
    pub(crate) fn is_wanted(&mut self) -> bool {
        if let Some(annotation) = &self.annotation {
            if annotation.most.is_some_and(|most| annotation.annotated.len() >= most) {
                return false;
            }
            self.unasked += if annotation.is_brief() { 0 } else { ASK_AFTER / 100 };
        }
        self.unasked += 1 + self.state.threads.len() as u64 / 16;
        if self.unasked < ASK_AFTER {
            return true;
        }
        self.unasked = 0;
        let bytes = 2 * self.state.bytes.len() + size_of::<Object>() * self.state.objects.len();
        self.exceeded |= self.most_bytes.is_some_and(|most| bytes > most);
        !self.exceeded && self.interrupt.ask().is_none()
    }

    /// A copy whose steps nothing records.
    pub(crate) fn silent_copy(&self) -> Machine<'p> {
        Machine {
            state: self.state.clone(),
            interrupt: self.interrupt.clone(),
            status: self.status,
            tracks: self.tracks,
            ..Machine::empty(self.program, self.settings)
        }
    }

    /// Threads that have not ended.
    pub fn running(&self) -> usize {
        self.state.threads.iter().filter(|thread| !thread.ended).count()
    }
}
