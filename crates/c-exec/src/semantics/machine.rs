//! The state of a running program, in the form in which it is worked on.
//!
//! *Invariant:* Bytes and their tags have the same length; an object's bytes lie in `start .. start
//! + size`; object numbers up to the number of statics are statics.

use std::cell::RefCell;

use axle_step::Interrupt;

use axle_c::Program;

use crate::memo::read_set::ReadSet;
use crate::races::happens_before::{Contention, HappensBefore, View};
use crate::semantics::error_kind::ErrorKind;
use crate::transactions::LoggedAccess;

/// A value in a register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Value {
    /// Nothing was ever stored.
    #[default]
    Undef,
    /// A number, extended to 64 bits after its type; a floating value by its bits.
    Int(u64),
    /// An object, and bytes from its start.
    Ptr(u32, i32),
}

/// A place in memory.
pub type Place = (u32, i32);

/// What a byte of memory is.
pub const DEFINED: u8 = 0;
/// Nothing was ever stored.
pub const UNDEFINED: u8 = 1;
/// The first byte of a pointer.
pub const POINTER: u8 = 2;
/// A further byte of a pointer.
pub const POINTER_REST: u8 = 3;

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
    /// Where it was made: a number of [`Machine`]'s user (code and step), for messages only.
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
    /// Locks that it holds for reading, as often as it does, in the order of taking them.
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
    /// Somebody has asked it to end (`cancel.rs`), and whether it does not listen.
    pub cancelled: bool,
    pub cancel_disabled: bool,
    /// It stands for any number of threads (`counter_abstraction.rs`).
    pub summary: bool,
    /// The recorded accesses that happen before its next operation (`happens_before.rs`).
    pub view: View,
    /// The plain accesses to shared memory that it made since its last turn (`transactions.rs`).
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

/// An access to memory, for finding races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub object: u32,
    pub offset: i32,
    pub size: u32,
    pub write: bool,
    pub atomic: bool,
}

/// What formulas look at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Watch {
    /// Whether there is anything; then the values of variables are kept when the program has ended.
    pub on: bool,
    /// Variables, by object number.
    pub objects: Vec<u32>,
    /// Places in the code: function and step.
    pub steps: Vec<(u32, u32)>,
    /// Automatic variables in registers: function and register.
    pub registers: Vec<(u32, u32)>,
    /// Automatic variables in memory: function and slot.
    pub slots: Vec<(u32, u32)>,
}

/// Which executions a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum MemoryModel {
    /// Those of C11. Sequentially consistent ones are executed; where others may exist, nothing
    /// "holds".
    #[default]
    C11,
    /// Sequentially consistent ones: every atomic operation counts as `memory_order_seq_cst`.
    Sc,
}

impl MemoryModel {
    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::C11 => "c11",
            MemoryModel::Sc => "sc",
        }
    }
}

/// How to execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Waits for condition variables may end without a signal, as POSIX allows, and weak
    /// compare-and-exchange may fail although the values are equal, as C11 7.17.7.4 does.
    pub spurious_wakeups: bool,
    /// `malloc` may give a null pointer.
    pub malloc_may_fail: bool,
    /// Signed arithmetic wraps around, as with `gcc -fwrapv`.
    pub wrap: bool,
    /// A call of `abort` is an error; otherwise it ends the program.
    pub aborts: bool,
    /// Calls inside one another.
    pub stack_depth: usize,
    /// Bytes of memory of a state.
    pub memory: usize,
    /// Steps of one thread by itself before the others get a turn.
    pub steps: u32,
    /// Report data races.
    pub races: bool,
    /// Threads keep their places in the state while they exist, so that fairness can be about them.
    pub stable_threads: bool,
    /// What formulas look at: changing it is a step that others can notice.
    pub watch: Watch,
    /// Accesses that no other thread can notice are no steps of their own (`locksets.rs`).
    pub locksets: bool,
    /// Steps between scheduling points are one transition (`transactions.rs`): sound for the
    /// question whether an error exists, and only where data races are reported.
    pub transactions: bool,
    /// Execute a persistent set of threads in each state (`persistent_sets.rs`): sound for the question
    /// whether an error exists, and only where it applies.
    pub persistent_sets: bool,
    /// Let an unlocked malloc give a block again whose old address is still known to someone.
    pub reuse_addresses: bool,
    /// Remember what came of the steps of threads, and make them again without executing them
    /// (`memo.rs`).
    pub memo: bool,
    /// Threads that are alike are counted as one or as any number (`counter_abstraction.rs`): sound
    /// for proving that nothing wrong, and for that only. Goes with neither [`Settings::memo`] nor
    /// [`Settings::stable_threads`].
    pub counter_abstraction: bool,
    /// Whether executions that are not sequentially consistent count.
    pub memory_model: MemoryModel,
    /// What `main` is given behind the program's name.
    pub arguments: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            spurious_wakeups: true,
            malloc_may_fail: false,
            wrap: false,
            aborts: false,
            stack_depth: 2_000,
            memory: 64 << 20,
            steps: 50_000,
            races: true,
            locksets: true,
            transactions: false,
            persistent_sets: false,
            reuse_addresses: true,
            memo: true,
            counter_abstraction: false,
            memory_model: MemoryModel::default(),
            arguments: Vec::new(),
            stable_threads: false,
            watch: Watch::default(),
        }
    }
}

impl Settings {
    /// Whether data races are decided by recorded accesses: in programs with memory orders weaker
    /// than sequential consistency. In others adjacent accesses decide them (`races.rs`).
    #[must_use]
    pub fn tracks(&self, program: &Program) -> bool {
        program.weak_order().is_some() && self.memory_model == MemoryModel::C11 && !self.watch.on
    }
}

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
    /// Steps made alone, since this was last set to 0.
    pub work: u64,
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
    /// The site of what is executed now.
    pub site: u32,
    /// The thread that makes the step, and whether the step is invisible.
    pub mover: usize,
    pub invisible: bool,
    /// A step ends where a race is met on its way: for showing a run to it.
    pub halts: bool,
    /// What each step does is written down here in words, when asked for.
    pub annotation: Option<Box<crate::trace::annotations::StepAnnotation>>,
    /// Races that were met between the states of a search, inside an atomic section.
    pub(crate) deferred_races: Vec<crate::semantics::error_site::ErrorSite>,
    /// Whether accesses are recorded for the happens-before relation (`happens_before.rs`), and
    /// whether there were too many.
    pub(crate) tracks: bool,
    pub(crate) overflowed: bool,
    /// Contention that was met.
    pub(crate) contention: Contention,
    /// What a step looks at is written down here when asked for.
    pub(crate) read_set: RefCell<Option<Box<ReadSet>>>,
}

/// Which alternative of a step to execute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// Execute this alternative.
    Take(u32),
    /// Execute the step if it has one alternative, or else return their number
    /// ([`Done::Choices`]).
    Ask,
}

impl Choice {
    /// Whether the number of alternatives is asked for.
    pub fn asks(self) -> bool {
        self == Choice::Ask
    }

    /// The number of the alternative. A step that is executed under [`Choice::Ask`] has only
    /// alternative 0.
    pub fn number(self) -> u32 {
        match self {
            Choice::Ask => 0,
            Choice::Take(number) => number,
        }
    }
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// The step was executed.
    Next,
    /// The step is not enabled; nothing has changed.
    Blocked,
    /// The step has this number of alternatives; nothing has changed.
    Choices(u32),
    /// This course of events is not looked at (an assumption does not hold).
    Discarded,
}

pub type Outcome = Result<Done, ErrorKind>;

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
            unasked: 0,
            status: 0,
            faulty: None,
            faulty_index: None,
            record: None,
            site: 0,
            mover: 0,
            invisible: false,
            halts: false,
            annotation: None,
            deferred_races: Vec::new(),
            tracks: settings.tracks(program),
            overflowed: false,
            contention: Contention::default(),
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
            self.unasked += crate::explore::ASK_AFTER / 100;
        }
        self.unasked += 1 + self.state.threads.len() as u64 / 16;
        if self.unasked < crate::explore::ASK_AFTER {
            return true;
        }
        self.unasked = 0;
        self.interrupt.ask().is_none()
    }

    /// Threads that have not ended.
    pub fn running(&self) -> usize {
        self.state.threads.iter().filter(|thread| !thread.ended).count()
    }
}
