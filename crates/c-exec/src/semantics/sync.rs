//! Mutexes, condition variables, read-write locks, barriers, semaphores (POSIX; C11's `threads.h`
//! is spelled by these). The objects are plain memory with the fields that our headers show:
//! `__life` is 0 (static initialiser), 1 (initialised), 2 (destroyed), 3 (a robust mutex whose
//! owner has ended, taken by the next) or 4 (one released as it was then), owners are pointers to
//! thread objects. The waiting threads are marked in the threads. An operation that must wait
//! changes nothing and says [`Called::Blocked`].
//!
//! *Invariant:* A mutex has an owner exactly while its count is above 0.

use axle_c::code::Op;

use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::semantics::library::{Called, Reply};
use crate::state::dependency::Dependency;
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::Choice;
use crate::state::program_state::Wait;
use crate::state::value::{Place, Value};

const EPERM: u64 = 1;
const EAGAIN: u64 = 11;
const EBUSY: u64 = 16;
const EINVAL: u64 = 22;
const EDEADLK: u64 = 35;
const ETIMEDOUT: u64 = 110;
const EOWNERDEAD: u64 = 130;
const ENOTRECOVERABLE: u64 = 131;

/// Parts of the kind of a mutex, as `library_attributes.c` puts them together: the type, of which
/// these two count,
const TYPE: i32 = 3;
const RECURSIVE: i32 = 1;
const ERROR_CHECKING: i32 = 2;
/// whether the thread that locks it learns of an owner that has ended,
const ROBUST: i32 = 8;
/// and whether it is C11's, which any thread may release.
const C11: i32 = 1 << 20;

/// A robust mutex whose owner has ended, in the hands of another.
const INCONSISTENT: i32 = 3;
/// A robust mutex that was released as it was then: no thread can own it any more.
const LOST: i32 = 4;

const OK: Reply = Ok(Called::Value(Value::Int(0)));

/// Where readers of a read-write lock release: a place of its own inside the lock.
fn readers_of((object, offset): Place) -> Place {
    (object, offset + 4)
}

fn code(number: u64) -> Reply {
    Ok(Called::Value(Value::Int(number)))
}

impl<E: Execution> Machine<'_, E> {
    /// Checks that the object is in working order.
    fn alive(&mut self, place: Place, at: i32) -> Result<(), ErrorKind> {
        match self.load_word(place, at)? {
            2 => Err(ErrorKind::Destroyed),
            _ => Ok(()),
        }
    }

    fn owner_offset(&self) -> i32 {
        if self.pointer_size() == 8 { 16 } else { 12 }
    }

    pub fn owner(&mut self, place: Place, at: i32) -> Result<Value, ErrorKind> {
        let mut mem = self.pointer_mem();
        mem.atomic = true;
        match self.load((place.0, place.1 + at), mem)? {
            Value::Undef => Err(ErrorKind::NotInitialised),
            other => Ok(other),
        }
    }

    fn set_owner(&mut self, place: Place, at: i32, owner: Value) -> Result<(), ErrorKind> {
        let mut mem = self.pointer_mem();
        mem.atomic = true;
        self.store((place.0, place.1 + at), owner, mem)
    }

    /// Whether a thread holds a mutex of static storage.
    pub fn owns(&self, t: usize, (object, offset): Place) -> bool {
        let fixed = self.program.statics.get((object as usize).wrapping_sub(1));
        let Some(axle_c::code::StaticKind::Variable(start)) = fixed.map(|fixed| &fixed.kind) else {
            return false;
        };
        let at = (*start as i32 + offset + self.owner_offset()) as usize;
        let size = self.pointer_size() as u32;
        self.observer.depends(Dependency::Read(object, offset + self.owner_offset(), size));
        self.state.tags.get(at) == Some(&crate::state::value::POINTER)
            && self.unpack(at) == (self.state.threads[t].object, 0)
    }

    fn me(&self, t: usize) -> Value {
        Value::Ptr(self.state.threads[t].object, 0)
    }

    /// C11's mutexes are recursive or not.
    pub fn c11_mutex_init(&mut self, mutex: Value, kind: u64) -> Reply {
        self.mutex_init(mutex, C11 | if kind & 1 == 1 { RECURSIVE } else { 0 })
    }

    pub fn mutex_init(&mut self, mutex: Value, kind: i32) -> Reply {
        let place = self.target(mutex)?;
        let at = self.owner_offset();
        self.store_word(place, 0, 1)?;
        self.store_word(place, 4, kind)?;
        self.store_word(place, 8, 0)?;
        self.set_owner(place, at, Value::Int(0))?;
        OK
    }

    /// C11 requires of `mtx_destroy` that no thread waits for the mutex; the owner may destroy it.
    pub fn mutex_destroy(&mut self, t: usize, mutex: Value) -> Reply {
        let place = self.target(mutex)?;
        self.alive(place, 0)?;
        let at = self.owner_offset();
        let owner = self.owner(place, at)?;
        if owner != Value::Int(0) {
            if owner != self.me(t) || self.load_word(place, 4)? & C11 == 0 {
                return Err(ErrorKind::DestroyBusy);
            }
            self.set_owner(place, at, Value::Int(0))?;
        }
        self.store_word(place, 0, 2)?;
        OK
    }

    /// Takes a mutex; `busy` is the answer where another holds it (none: wait).
    pub fn mutex_lock(&mut self, t: usize, mutex: Value, busy: Option<u64>) -> Reply {
        let place = self.target(mutex)?;
        self.alive(place, 0)?;
        let at = self.owner_offset();
        let (owner, me) = (self.owner(place, at)?, self.me(t));
        if owner == Value::Int(0) {
            if self.load_word(place, 0)? == LOST {
                return code(ENOTRECOVERABLE);
            }
            self.set_owner(place, at, me)?;
            self.store_word(place, 8, 1)?;
            self.acquire(t, place);
            return OK;
        }
        let kind = self.load_word(place, 4)?;
        if owner == me {
            match kind & TYPE {
                RECURSIVE => {
                    let count = self.load_word(place, 8)?;
                    self.store_word(place, 8, count.wrapping_add(1))?;
                    return OK;
                }
                ERROR_CHECKING if busy != Some(EBUSY) => return code(EDEADLK),
                _ => {}
            }
        } else if self.is_left_behind(kind, owner) {
            return self.inherit(t, place);
        }
        match busy {
            Some(busy) => {
                self.attempt();
                code(busy)
            }
            None => Ok(Called::Blocked),
        }
    }

    /// Whether a mutex is robust and its owner has ended.
    fn is_left_behind(&self, kind: i32, owner: Value) -> bool {
        let Value::Ptr(object, _) = owner else { return false };
        kind & ROBUST != 0 && self.has_ended(object)
    }

    /// Takes a robust mutex from an owner that has ended.
    fn inherit(&mut self, t: usize, place: Place) -> Reply {
        let me = self.me(t);
        // The end of the owner releases the mutex.
        if let Value::Ptr(owner, _) = self.owner(place, self.owner_offset())?
            && let Some(owner) = self.state.threads.iter().position(|thread| thread.object == owner)
        {
            self.precedes(owner, t);
        }
        self.set_owner(place, self.owner_offset(), me)?;
        self.store_word(place, 8, 1)?;
        self.store_word(place, 0, INCONSISTENT)?;
        self.acquire(t, place);
        code(EOWNERDEAD)
    }

    /// `pthread_mutex_consistent`.
    pub fn mutex_consistent(&mut self, t: usize, mutex: Value) -> Reply {
        let place = self.target(mutex)?;
        let mine = self.owner(place, self.owner_offset())? == self.me(t);
        if !mine || self.load_word(place, 0)? != INCONSISTENT {
            return code(EINVAL);
        }
        self.store_word(place, 0, 1)?;
        OK
    }

    /// Gives a mutex up. A robust one that is not consistent again is lost: those who wait for it,
    /// and who come for it then, get an error and not the mutex.
    fn give_up(&mut self, t: usize, place: Place) -> Result<(), ErrorKind> {
        self.release(t, place);
        if self.load_word(place, 0)? == INCONSISTENT {
            self.store_word(place, 0, LOST)?;
        }
        self.store_word(place, 8, 0)?;
        self.set_owner(place, self.owner_offset(), Value::Int(0))
    }

    pub fn mutex_unlock(&mut self, t: usize, mutex: Value) -> Reply {
        let place = self.target(mutex)?;
        self.alive(place, 0)?;
        let at = self.owner_offset();
        if self.owner(place, at)? != self.me(t) {
            let kind = self.load_word(place, 4)?;
            let looks = matches!(kind & TYPE, RECURSIVE | ERROR_CHECKING) || kind & ROBUST != 0;
            return match looks && kind & C11 == 0 {
                true => code(EPERM),
                false => Err(ErrorKind::UnlockNotHeld),
            };
        }
        let count = self.load_word(place, 8)?.wrapping_sub(1);
        match count {
            0 => self.give_up(t, place)?,
            _ => self.store_word(place, 8, count)?,
        }
        OK
    }

    pub fn simple_init(&mut self, object: Value) -> Reply {
        let place = self.target(object)?;
        self.store_word(place, 0, 1)?;
        OK
    }

    pub fn cond_destroy(&mut self, cond: Value) -> Reply {
        let place = self.target(cond)?;
        self.alive(place, 0)?;
        let waited = |wait: &Wait| matches!(wait, Wait::Condition { cond, .. } if *cond == place);
        if self.state.threads.iter().any(|thread| waited(&thread.wait)) {
            return Err(ErrorKind::DestroyBusy);
        }
        self.store_word(place, 0, 2)?;
        OK
    }

    /// Waiting takes three steps: release and wait; wake; take the mutex again.
    pub fn cond_wait(&mut self, t: usize, args: &[Value], timed: bool, choice: Choice) -> Reply {
        let [cond, mutex, ..] = args else { return Err(ErrorKind::BadCall) };
        match self.state.threads[t].wait {
            Wait::No => {
                let (cond, mutex_place) = (self.target(*cond)?, self.target(*mutex)?);
                if self.waits_with_other(cond, mutex_place) {
                    return Err(ErrorKind::Unsupported(
                        "waiting for one condition variable with two mutexes",
                    ));
                }
                self.alive(cond, 0)?;
                self.alive(mutex_place, 0)?;
                let at = self.owner_offset();
                if self.owner(mutex_place, at)? != self.me(t) {
                    let kind = self.load_word(mutex_place, 4)?;
                    return match kind & TYPE == ERROR_CHECKING || kind & ROBUST != 0 {
                        true => code(EPERM),
                        false => Err(ErrorKind::WaitNotHeld),
                    };
                }
                if self.load_word(mutex_place, 8)? > 1 {
                    // What is released then is left open.
                    return Err(ErrorKind::Unsupported("waiting with a mutex that is locked more than once"));
                }
                self.give_up(t, mutex_place)?;
                self.state.threads[t].wait = match timed && self.has_been(args.get(2))? {
                    true => Wait::Woken { mutex: mutex_place, timed_out: true },
                    false => Wait::Condition { cond, mutex: mutex_place },
                };
                Ok(Called::Waiting)
            }
            Wait::Condition { mutex, .. } => {
                let ways = u32::from(self.settings.spurious_wakeups) + u32::from(timed);
                match (ways, choice) {
                    (0, _) => return Ok(Called::Blocked),
                    (2.., Choice::Ask) => return Ok(Called::Choices(ways)),
                    _ => {}
                }
                let timed_out = timed && (ways == 1 || choice.number() == 1);
                self.state.threads[t].wait = Wait::Woken { mutex, timed_out };
                Ok(Called::Waiting)
            }
            Wait::Woken { mutex, .. } | Wait::Cancelled { mutex } => {
                let at = self.owner_offset();
                self.alive(mutex, 0)?;
                let owner = self.owner(mutex, at)?;
                let mut inherited = None;
                if owner != Value::Int(0) {
                    let kind = self.load_word(mutex, 4)?;
                    if !self.is_left_behind(kind, owner) {
                        return Ok(Called::Blocked);
                    }
                    inherited = Some(self.inherit(t, mutex));
                } else if self.load_word(mutex, 0)? == LOST {
                    return match std::mem::take(&mut self.state.threads[t].wait) {
                        Wait::Cancelled { .. } => Err(ErrorKind::Unsupported(
                            "a thread that ends without the mutex that it waited with",
                        )),
                        _ => code(ENOTRECOVERABLE),
                    };
                }
                let me = self.me(t);
                self.set_owner(mutex, at, me)?;
                self.store_word(mutex, 8, 1)?;
                self.acquire(t, mutex);
                match std::mem::take(&mut self.state.threads[t].wait) {
                    Wait::Cancelled { .. } => self.end_cancelled(t),
                    _ if inherited.is_some() => code(EOWNERDEAD),
                    Wait::Woken { timed_out: true, .. } => code(ETIMEDOUT),
                    _ => OK,
                }
            }
            Wait::Barrier(_) | Wait::Passed { .. } => Err(ErrorKind::Unsupported("a wait inside another")),
        }
    }

    /// The threads that wait for a condition variable.
    pub(crate) fn waiters(&self, place: Place) -> Vec<usize> {
        self.observer.depends(Dependency::Waiters(place));
        (0..self.state.threads.len())
            .filter(|&t| matches!(self.state.threads[t].wait, Wait::Condition { cond, .. } if cond == place))
            .collect()
    }

    /// Whether a thread waits for a condition variable with another mutex than this.
    fn waits_with_other(&self, place: Place, lock: Place) -> bool {
        self.observer.depends(Dependency::OtherMutex(place, lock));
        let other =
            |wait: &Wait| matches!(wait, Wait::Condition { cond, mutex } if *cond == place && *mutex != lock);
        self.state.threads.iter().any(|thread| other(&thread.wait))
    }

    /// Removes the summaries from a list of threads of which one is meant: how many there were.
    fn members_only(&self, threads: &mut Vec<usize>) -> u32 {
        let before = threads.len();
        threads.retain(|&t| !self.state.threads[t].summary);
        (before - threads.len()) as u32
    }

    pub fn cond_wake(&mut self, cond: Value, all: bool, choice: Choice) -> Reply {
        let place = self.target(cond)?;
        self.alive(place, 0)?;
        let mut waiting = self.waiters(place);
        // The last choice is that no thread is there.
        let ways = waiting.len() as u32 + if all { 0 } else { self.members_only(&mut waiting) };
        if !all && ways > 1 && choice.asks() {
            return Ok(Called::Choices(ways));
        }
        let chosen = choice.number() as usize;
        for (index, &t) in waiting.iter().enumerate() {
            if (all || index == chosen)
                && let Wait::Condition { mutex, .. } = self.state.threads[t].wait
            {
                self.state.threads[t].wait = Wait::Woken { mutex, timed_out: false };
                self.precedes(self.mover, t);
                self.observer.wakes(t);
            }
        }
        OK
    }

    pub fn rw_init(&mut self, lock: Value) -> Reply {
        let place = self.target(lock)?;
        self.store_word(place, 0, 1)?;
        self.store_word(place, 4, 0)?;
        self.set_owner(place, 8, Value::Int(0))?;
        OK
    }

    pub fn rw_destroy(&mut self, lock: Value) -> Reply {
        let place = self.target(lock)?;
        self.alive(place, 0)?;
        if self.load_word(place, 4)? != 0 || self.owner(place, 8)? != Value::Int(0) {
            return Err(ErrorKind::DestroyBusy);
        }
        self.store_word(place, 0, 2)?;
        OK
    }

    pub fn rw_lock(&mut self, t: usize, lock: Value, write: bool, try_only: bool) -> Reply {
        let place = self.target(lock)?;
        self.alive(place, 0)?;
        let (readers, writer) = (self.load_word(place, 4)?, self.owner(place, 8)?);
        let me = self.me(t);
        if writer == Value::Int(0) && (!write || readers == 0) {
            if write {
                self.set_owner(place, 8, me)?;
                self.acquire(t, readers_of(place));
            } else {
                self.store_word(place, 4, readers.wrapping_add(1))?;
                self.state.threads[t].reading.push(place);
            }
            self.acquire(t, place);
            return OK;
        }
        if try_only {
            self.attempt();
            return code(EBUSY);
        }
        if writer == me {
            return code(EDEADLK);
        }
        Ok(Called::Blocked)
    }

    pub fn rw_unlock(&mut self, t: usize, lock: Value) -> Reply {
        let place = self.target(lock)?;
        self.alive(place, 0)?;
        let (readers, writer) = (self.load_word(place, 4)?, self.owner(place, 8)?);
        if writer == self.me(t) {
            self.set_owner(place, 8, Value::Int(0))?;
            self.release(t, place);
            return OK;
        }
        // Another reader's lock is not this thread's to give up.
        let reading = &mut self.state.threads[t].reading;
        let Some(at) = reading.iter().rposition(|lock| *lock == place) else {
            return Err(ErrorKind::UnlockNotHeld);
        };
        reading.remove(at);
        self.store_word(place, 4, readers.wrapping_sub(1))?;
        // Readers release to the next writer only.
        self.release(t, readers_of(place));
        OK
    }

    pub fn barrier_init(&mut self, barrier: Value, size: u64) -> Reply {
        let place = self.target(barrier)?;
        if size == 0 {
            return code(22);
        }
        self.store_word(place, 0, 1)?;
        self.store_word(place, 4, size as i32)?;
        self.store_word(place, 8, 0)?;
        OK
    }

    pub fn barrier_destroy(&mut self, barrier: Value) -> Reply {
        let place = self.target(barrier)?;
        self.alive(place, 0)?;
        if self.load_word(place, 8)? != 0 {
            return Err(ErrorKind::DestroyBusy);
        }
        self.store_word(place, 0, 2)?;
        OK
    }

    /// One of those that come together gets `PTHREAD_BARRIER_SERIAL_THREAD`, and it may be any of
    /// them: a choice of the last to arrive, among those that look at what the call gives.
    pub fn barrier_wait(&mut self, t: usize, barrier: Value, choice: Choice) -> Reply {
        match self.state.threads[t].wait {
            Wait::Barrier(_) => return Ok(Called::Blocked),
            Wait::Passed { serial } => {
                self.state.threads[t].wait = Wait::No;
                return code(if serial { u64::MAX } else { 0 });
            }
            Wait::No | Wait::Condition { .. } | Wait::Woken { .. } | Wait::Cancelled { .. } => {}
        }
        let place = self.target(barrier)?;
        self.alive(place, 0)?;
        let (size, waiting) = (self.load_word(place, 4)?, self.load_word(place, 8)?);
        if size <= 0 {
            return Err(ErrorKind::NotInitialised);
        }
        if waiting + 1 < size {
            self.store_word(place, 8, waiting + 1)?;
            self.state.threads[t].wait = Wait::Barrier(place);
            return Ok(Called::Waiting);
        }
        let comes = |u: usize| u == t || self.state.threads[u].wait == Wait::Barrier(place);
        let together: Vec<usize> = (0..self.state.threads.len()).filter(|&u| comes(u)).collect();
        let mut may: Vec<usize> = together.iter().copied().filter(|&u| self.uses_result(u)).collect();
        // Threads that do not use the result are interchangeable.
        may.extend(together.iter().find(|&&u| !self.uses_result(u)));
        if may.len() > 1 && choice.asks() {
            return Ok(Called::Choices(may.len() as u32));
        }
        let chosen = may.get(choice.number() as usize).copied();
        self.store_word(place, 8, 0)?;
        self.meet(&together);
        for u in together.into_iter().filter(|&u| u != t) {
            self.state.threads[u].wait = Wait::Passed { serial: chosen == Some(u) };
        }
        code(if chosen == Some(t) { u64::MAX } else { 0 })
    }

    /// Whether the result of the next call of a thread is used.
    fn uses_result(&self, t: usize) -> bool {
        let Some(frame) = self.state.threads[t].frames.last() else { return false };
        let code = &self.program.codes[frame.code as usize];
        match code.ops.get(frame.pc as usize) {
            Some(Op::Lib { dst, .. } | Op::Call { dst: Some(dst), .. }) => {
                axle_c::analysis::liveness::is_live(code, frame.pc + 1, *dst)
            }
            _ => false,
        }
    }

    pub fn sem_init(&mut self, sem: Value, value: u64) -> Reply {
        let place = self.target(sem)?;
        if value > i32::MAX as u64 {
            return code(u64::MAX);
        }
        self.store_word(place, 0, value as i32)?;
        self.store_word(place, 4, 1)?;
        OK
    }

    pub fn sem_destroy(&mut self, sem: Value) -> Reply {
        let place = self.target(sem)?;
        self.alive(place, 4)?;
        self.store_word(place, 4, 2)?;
        OK
    }

    /// `busy` is whether to answer -1 rather than wait.
    pub fn sem_wait(&mut self, sem: Value, busy: bool) -> Reply {
        let place = self.target(sem)?;
        self.alive(place, 4)?;
        let value = self.load_word(place, 0)?;
        if value > 0 {
            self.store_word(place, 0, value - 1)?;
            self.acquire(self.mover, place);
            return OK;
        }
        if busy {
            self.attempt();
        }
        if busy { code(u64::MAX) } else { Ok(Called::Blocked) }
    }

    pub fn sem_post(&mut self, sem: Value) -> Reply {
        let place = self.target(sem)?;
        self.alive(place, 4)?;
        let value = self.load_word(place, 0)?;
        match value.checked_add(1) {
            Some(value) => self.store_word(place, 0, value)?,
            None => return code(u64::MAX),
        }
        self.release(self.mover, place);
        OK
    }

    pub fn sem_value(&mut self, sem: Value, to: Value) -> Reply {
        let place = self.target(sem)?;
        self.alive(place, 4)?;
        let value = self.load_word(place, 0)?;
        self.attempt();
        let to = self.target(to)?;
        let mem = axle_c::code::Mem::plain(axle_c::code::Scalar::INT);
        self.store(to, Value::Int(value as i64 as u64), mem)?;
        OK
    }

    /// 1: the caller is to run the function; 0: it was run; waits while another runs it.
    pub fn once_begin(&mut self, once: Value) -> Reply {
        let place = self.target(once)?;
        match self.load_word(place, 0)? {
            0 => {
                self.store_word(place, 0, 1)?;
                code(1)
            }
            1 => Ok(Called::Blocked),
            _ => {
                self.acquire(self.mover, place);
                OK
            }
        }
    }

    pub fn once_end(&mut self, once: Value) -> Reply {
        let place = self.target(once)?;
        self.store_word(place, 0, 2)?;
        self.release(self.mover, place);
        OK
    }

    /// What `pthread_mutex_timedlock` and its like answer when the time is up.
    pub const TIMED_OUT: u64 = ETIMEDOUT;
    pub const BUSY: u64 = EBUSY;
    pub const INVALID: u64 = EINVAL;
    pub const OVERFLOW: u64 = 75;
    pub const AGAIN: u64 = EAGAIN;
}
