//! Threads: POSIX's and C11's create, join, detach, exit. A `pthread_t` is a pointer to an object
//! that stands for the thread, so stale ones stay distinct.
//!
//! *Entry points:* [`Machine::start`], [`Machine::end_thread`].

use axle_c::code::{Class, Initial, Mem, Scalar};
use axle_c::write_initial;

use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::semantics::library::{Called, Reply};
use crate::state::dependency::Dependency;
use crate::state::error_kind::ErrorKind;
use crate::state::error_site::TOO_MANY;
use crate::state::outcome::{Done, Outcome};
use crate::state::program_state::{ObjectKind, Thread};
use crate::state::value::Value;

/// Threads that a state can have.
const MOST_THREADS: usize = 100;

/// Threads that fairness can be about.
pub(crate) const MOST_FAIR: usize = 40;

impl<E: Execution> Machine<'_, E> {
    /// The main thread, before its first step.
    pub fn start(&mut self) -> Result<(), ErrorKind> {
        let code = &self.program.codes[self.program.main as usize];
        let thread = self.new_thread()?;
        self.state.threads[thread].main = true;
        let mut args = Vec::new();
        let settings = self.settings;
        let words = settings.arguments.as_deref().unwrap_or_default();
        if !code.params.is_empty() {
            args.push(Value::Int(1 + words.len() as u64));
        }
        if code.params.len() > 1 {
            let size = self.pointer_size();
            let count = 2 + words.len();
            let list = self.allocate((count * size) as u64, ObjectKind::Stack)?;
            self.fill((list, 0), 0, (count * size) as u64)?;
            let pointer = self.pointer_mem();
            let words = std::iter::once("a").chain(words.iter().map(String::as_str));
            for (index, word) in words.enumerate() {
                let text = self.allocate((word.len() as u64 + 1).max(8), ObjectKind::Stack)?;
                self.fill((text, 0), 0, (word.len() as u64 + 1).max(8))?;
                for (at, byte) in word.bytes().enumerate() {
                    self.fill((text, at as i32), byte, 1)?;
                }
                self.store((list, (index * size) as i32), Value::Ptr(text, 0), pointer)?;
            }
            args.push(Value::Ptr(list, 0));
            self.publish(Value::Ptr(list, 0));
        }
        args.resize(code.params.len(), Value::Int(0));
        self.enter(thread, self.program.main, &args, &[], Value::Undef)
    }

    pub fn pointer_mem(&self) -> Mem {
        let scalar = Scalar { size: self.pointer_size() as u8, class: Class::Pointer };
        Mem::plain(scalar)
    }

    fn new_thread(&mut self) -> Result<usize, ErrorKind> {
        self.observer.depends(Dependency::ComponentShape);
        if self.running() >= MOST_THREADS {
            return Err(TOO_MANY);
        }
        if self.settings.stable_threads && self.state.threads.len() >= MOST_FAIR {
            return Err(ErrorKind::Limit(
                "more than 40 threads at a time, under an assumption about the scheduler",
            ));
        }
        let object = self.allocate(0, ObjectKind::Thread)?;
        let program = self.program;
        let mut storage = Vec::new();
        for variable in &program.thread_variables {
            let object = self.allocate(variable.size.into(), ObjectKind::Stack)?;
            self.fill((object, 0), 0, variable.size.into())?;
            let start = self.object(object).map_or(0, |object| object.start as usize);
            let end = start + variable.size as usize;
            for (at, text) in &variable.texts {
                let at = start + *at as usize;
                if let Some(to) = self.state.bytes.get_mut(at..at + text.len()) {
                    to.copy_from_slice(text);
                }
            }
            for (at, initial) in &variable.stores {
                match initial {
                    Initial::Pointer(target, offset) => {
                        let mem = self.pointer_mem();
                        self.store((object, *at as i32), Value::Ptr(*target, *offset), mem)?;
                    }
                    other => write_initial(&mut self.state.bytes[..end], start + *at as usize, other),
                }
            }
            storage.push(object);
        }
        // Threads that were joined do not count: where many begin and end in one step, only those
        // that are there count.
        while !self.settings.stable_threads
            && self.state.threads.last().is_some_and(crate::machine::encode::is_gone)
        {
            self.state.threads.pop();
        }
        let thread = Thread { object, storage, ..Thread::default() };
        let gap = self.state.threads.iter().position(crate::machine::encode::is_gone);
        match gap.filter(|_| self.settings.stable_threads) {
            Some(gap) => {
                self.state.threads[gap] = thread;
                Ok(gap)
            }
            None => {
                self.state.threads.push(thread);
                Ok(self.state.threads.len() - 1)
            }
        }
    }

    pub fn create(&mut self, args: &[Value], c11: bool) -> Reply {
        let (handle, attributes, function, argument) = match (args, c11) {
            ([handle, attributes, function, argument, ..], false) => {
                (*handle, *attributes, *function, *argument)
            }
            ([handle, function, argument, ..], true) => (*handle, Value::Int(0), *function, *argument),
            _ => return Err(ErrorKind::BadCall),
        };
        let code = match self.function(function)? {
            Ok(code) => code,
            Err(_) => return Err(ErrorKind::Unsupported("a thread that starts in a library function")),
        };
        let detached = match attributes {
            Value::Int(0) => false,
            other => {
                let place = self.target(other)?;
                // A policy of its own, and a priority that there is not under it: `pthread_attr_t`
                // in `headers/pthread.h`.
                if self.load_word(place, 4)? == 1 {
                    let priorities = if self.load_word(place, 8)? == 0 { 0..=0 } else { 1..=99 };
                    if !priorities.contains(&self.load_word(place, 16)?) {
                        return Ok(Called::Value(Value::Int(Self::INVALID)));
                    }
                }
                self.load_word(place, 0)? == 1
            }
        };
        self.publish(argument);
        // A thread that is alone makes no visible transitions; all its steps precede those of the
        // new thread.
        let mover = self.mover;
        if let Some(creator) = self.state.threads.get_mut(mover) {
            creator.access_log.clear();
        }
        let thread = self.new_thread()?;
        let parameters = self.program.codes[code as usize].params.len();
        let mut values = vec![argument];
        values.resize(parameters.max(1), Value::Undef);
        self.state.threads[thread].detached = detached;
        self.state.threads[thread].c11 = c11;
        self.precedes(mover, thread);
        self.enter(thread, code, &values[..parameters], &[], Value::Undef)?;
        self.inherit_mask(mover, thread)?;
        let object = self.state.threads[thread].object;
        let place = self.target(handle)?;
        let mem = self.pointer_mem();
        self.store(place, Value::Ptr(object, 0), mem)?;
        Ok(Called::Value(Value::Int(0)))
    }

    /// A new thread has the signal mask of the thread that created it (POSIX, `pthread_create`): a
    /// variable of `library.c`.
    fn inherit_mask(&mut self, creator: usize, thread: usize) -> Result<(), ErrorKind> {
        let Some(mask) = self.program.symbols.signal_mask else { return Ok(()) };
        let [from, to] = [creator, thread].map(|t| (self.state.threads[t].storage[mask as usize], 0));
        let scalar = Scalar { size: 8, class: Class::Unsigned };
        let mem = Mem::plain(scalar);
        let value = self.load(from, mem)?;
        self.store(to, value, mem)
    }

    /// The thread that a handle names.
    pub(crate) fn thread_of(&self, handle: Value) -> Result<usize, ErrorKind> {
        let Value::Ptr(object, 0) = handle else {
            return Err(if handle == Value::Undef { ErrorKind::Uninitialised } else { ErrorKind::BadJoin });
        };
        self.observer.depends(Dependency::Thread(object));
        self.state
            .threads
            .iter()
            .position(|thread| thread.object == object && thread.object != 0)
            .ok_or(ErrorKind::BadJoin)
    }

    /// Whether the thread that an object stands for has ended.
    pub(crate) fn has_ended(&self, object: u32) -> bool {
        self.observer.depends(Dependency::Thread(object));
        !self.state.threads.iter().any(|thread| thread.object == object && !thread.ended)
    }

    /// Waits for the end of a thread; `try_only`: says that it has not come yet, of the thread
    /// itself too.
    pub fn join(&mut self, t: usize, args: &[Value], c11: bool, try_only: bool) -> Reply {
        let [handle, result, ..] = args else { return Err(ErrorKind::BadCall) };
        let other = self.thread_of(*handle)?;
        let busy = Ok(Called::Value(Value::Int(Self::BUSY)));
        if try_only && other == t {
            return busy;
        }
        if other == t || self.state.threads[other].detached {
            return Err(ErrorKind::BadJoin);
        }
        if !self.state.threads[other].ended {
            if try_only {
                self.attempt();
            }
            return if try_only { busy } else { Ok(Called::Blocked) };
        }
        // The other's record was not asked.
        self.observer.depends_on_all();
        let value = self.state.threads[other].result;
        self.precedes(other, t);
        if *result != Value::Int(0) {
            let place = self.target(*result)?;
            let mem = match c11 {
                true => Mem::plain(Scalar::INT),
                false => self.pointer_mem(),
            };
            self.store(place, value, mem)?;
        }
        self.forget(other);
        Ok(Called::Value(Value::Int(0)))
    }

    /// An ended thread that no handle refers to.
    fn forget(&mut self, thread: usize) {
        let object = std::mem::take(&mut self.state.threads[thread].object);
        if let Some(object) = self.object_mut(object) {
            object.kind = ObjectKind::GoneThread;
        }
    }

    pub fn detach(&mut self, handle: Value) -> Reply {
        let thread = self.thread_of(handle)?;
        if self.state.threads[thread].detached {
            return Err(ErrorKind::BadJoin);
        }
        self.state.threads[thread].detached = true;
        if self.state.threads[thread].ended {
            self.forget(thread);
        }
        Ok(Called::Value(Value::Int(0)))
    }

    /// The thread's outermost function has returned, or it called `pthread_exit`.
    pub fn end_thread(&mut self, t: usize, value: Value) -> Outcome {
        let thread = &self.state.threads[t];
        if thread.main && !thread.cleaned {
            self.status = match value {
                Value::Int(status) => status as i32,
                _ => 0,
            };
            self.state.done = true;
            return Ok(Done::Next);
        }
        self.leave_thread(t, value)?;
        Ok(Done::Next)
    }

    /// Ends a thread, after its destructors.
    pub fn leave_thread(&mut self, t: usize, value: Value) -> Result<(), ErrorKind> {
        self.observer.depends(Dependency::ComponentShape);
        while !self.state.threads[t].frames.is_empty() {
            self.pop_frame(t);
        }
        if !self.state.threads[t].cleaned {
            self.state.threads[t].cleaned = true;
            self.state.threads[t].cancel_disabled = self.program.cancels;
            self.state.threads[t].result = if value == Value::Undef { Value::Int(0) } else { value };
            if let Some(code) = self.program.symbols.run_destructors {
                return self.enter(t, code, &[], &[], Value::Undef);
            }
        }
        for object in std::mem::take(&mut self.state.threads[t].storage) {
            self.ends(object);
            if let Some(object) = self.object_mut(object) {
                object.kind = ObjectKind::DeadStack;
            }
        }
        let result = self.state.threads[t].result;
        self.publish(result);
        let thread = &mut self.state.threads[t];
        (thread.ended, thread.cancelled, thread.cancel_disabled) = (true, false, false);
        if self.state.threads[t].detached {
            self.forget(t);
        }
        if self.state.threads.iter().all(|thread| thread.ended) {
            if self.program.ends {
                return Err(ErrorKind::Unsupported(
                    "`atexit` and destructors where the program ends with its last thread, not with `main`",
                ));
            }
            self.state.done = true;
        }
        Ok(())
    }
}
