//! The library functions that the machine executes itself. A function with several outcomes returns
//! their number under [`Choice::Ask`], and executes one under [`Choice::Take`].
//!
//! *Entry point:* [`Machine::library`].

mod bytes;
mod time;

use axle_c::floating::Real;
use axle_c::library::{Lib, Operation};

use crate::machine::observer::Observer;
use crate::machine::{ABORTED, Execution, Machine};
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::Choice;
use crate::state::recorded_accesses::SECTION;
use crate::state::value::Value;

/// The outcome of a call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Called {
    /// It returns.
    Value(Value),
    /// Something has changed, and the call goes on.
    Waiting,
    /// It cannot go on now; nothing has changed.
    Blocked,
    /// There are so many ways; nothing has changed.
    Choices(u32),
    /// An assumption does not hold.
    Discarded,
    /// The call never returns: the thread or the program has ended.
    Gone,
}

pub type Reply = Result<Called, ErrorKind>;

pub(super) fn int(value: i64) -> Reply {
    Ok(Called::Value(Value::Int(value as u64)))
}

/// An argument of a call.
pub(super) fn argument(args: &[Value], index: usize) -> Result<Value, ErrorKind> {
    args.get(index).copied().ok_or(ErrorKind::BadCall)
}

/// What `sysconf` answers on each of the machines that are meant here: glibc's numbers of what is
/// asked.
pub fn asked_of_system(name: i32) -> Option<i64> {
    Some(match name {
        // The version of POSIX that options are of, those that must be there and those that Linux
        // has.
        9..=12 | 15..=22 | 29 | 67 | 68 | 77..=82 | 133 | 137..=139 | 149 | 153 | 154 | 164 | 247 | 248 => {
            200_809
        }
        2 => 100,
        30 => 4096,
        33 => i64::from(i32::MAX),
        73 => 4,
        74 => 1024,
        75 => 16384,
        // There is no bound to the number of semaphores and threads.
        32 | 76 => -1,
        _ => return None,
    })
}

impl<E: Execution> Machine<'_, E> {
    pub fn library(&mut self, t: usize, lib: Lib, args: &[Value], choice: Choice) -> Reply {
        let arg = |index: usize| argument(args, index);
        if !lib.row().memoised {
            self.observer.depends_on_all();
        }
        if let Some(reply) = self.cancelled_at(t, lib, choice) {
            return reply;
        }
        match lib {
            Lib::AssertFail | Lib::ReachError | Lib::Assert | Lib::Assume => {
                self.verification_call(lib, args)
            }
            Lib::AtomicBegin | Lib::AtomicEnd => self.atomic_section(t, lib == Lib::AtomicBegin),
            Lib::Abort | Lib::Exit => self.end_of_program(lib, args),
            Lib::NondetBool
            | Lib::NondetChar
            | Lib::NondetUchar
            | Lib::NondetShort
            | Lib::NondetUshort
            | Lib::NondetInt
            | Lib::NondetUint
            | Lib::NondetLong
            | Lib::NondetUlong
            | Lib::Rand
            | Lib::GetChar => self.input(t, lib, choice),
            Lib::Malloc | Lib::Calloc | Lib::Realloc => self.allocation(lib, args, choice),
            Lib::Free => self.free(arg(0)?),
            Lib::Memcpy | Lib::Memmove | Lib::Memset | Lib::Memcmp | Lib::Strlen => {
                self.byte_range(lib, args)
            }
            Lib::Wide => self.wide_call(args),
            Lib::Real(real) => self.real_call(real, args),
            Lib::Printf
            | Lib::Fprintf
            | Lib::Sprintf
            | Lib::Snprintf
            | Lib::Vprintf
            | Lib::Vfprintf
            | Lib::Vsprintf
            | Lib::Vsnprintf => self.print(lib, args),
            Lib::Puts | Lib::Fputs | Lib::Putchar | Lib::Fputc => self.put_call(lib, args),
            Lib::Fflush | Lib::Yield | Lib::Sleep | Lib::Srand | Lib::TestCancel => int(0),
            Lib::Nanosleep => self.nanosleep(t, arg(0)?),
            Lib::ClockNanosleep => self.clock_nanosleep(arg(0)?, arg(1)?, arg(2)?),
            Lib::Time | Lib::Clock => self.time(t, lib, args),
            Lib::Getpid => int(1000),
            Lib::Getppid => int(999),
            Lib::SignalHandled | Lib::SignalElsewhere => int(0),
            Lib::CreatesThreads => int(self.program.may_perform(Operation::Create).into()),
            Lib::Sysconf => int(asked_of_system(self.number(arg(0)?)? as i32).unwrap_or(4)),
            Lib::ThreadCreate => self.create(args, false),
            Lib::C11Create => self.create(args, true),
            Lib::ThreadJoin => self.join(t, args, false, false),
            Lib::TryJoin => self.join(t, args, false, true),
            Lib::C11Join => self.join(t, args, true, false),
            Lib::ThreadExit => self.leave(t, arg(0)?),
            Lib::ThreadEnd | Lib::C11Exit => self.end_here(t, arg(0)?),
            Lib::Cancel => self.cancel(arg(0)?),
            Lib::CancelState => self.cancel_state(t, arg(0)?),
            Lib::CancelType => self.cancel_type(arg(0)?),
            Lib::ThreadDetach => self.detach(arg(0)?),
            Lib::ThreadSelf => Ok(Called::Value(Value::Ptr(self.state.threads[t].object, 0))),
            Lib::IsMain => int(self.state.threads[t].main.into()),
            Lib::ThreadEqual => int((arg(0)? == arg(1)?).into()),
            Lib::MutexInit => self.mutex_init_with(arg(0)?, arg(1)?),
            Lib::C11MutexInit => {
                let kind = self.number(arg(1)?)?;
                self.c11_mutex_init(arg(0)?, kind)
            }
            Lib::SpinInit => self.mutex_init(arg(0)?, 0),
            Lib::MutexDestroy | Lib::SpinDestroy => self.mutex_destroy(t, arg(0)?),
            Lib::MutexLock | Lib::SpinLock => self.mutex_lock(t, arg(0)?, None),
            Lib::MutexTrylock | Lib::SpinTrylock => self.mutex_lock(t, arg(0)?, Some(Self::BUSY)),
            Lib::MutexTimedlock => self.mutex_timedlock(t, arg(0)?, arg(1)?),
            Lib::MutexUnlock | Lib::SpinUnlock => self.mutex_unlock(t, arg(0)?),
            Lib::MutexConsistent => self.mutex_consistent(t, arg(0)?),
            Lib::CondInit => self.simple_init(arg(0)?),
            Lib::CondDestroy => self.cond_destroy(arg(0)?),
            Lib::CondWait => self.cond_wait(t, args, false, choice),
            Lib::CondTimedwait => self.cond_timedwait(t, args, choice),
            Lib::CondSignal => self.cond_wake(arg(0)?, false, choice),
            Lib::CondBroadcast => self.cond_wake(arg(0)?, true, choice),
            Lib::RwInit => self.rw_init(arg(0)?),
            Lib::RwDestroy => self.rw_destroy(arg(0)?),
            Lib::RwRead => self.rw_lock(t, arg(0)?, false, false),
            Lib::RwTryRead => self.rw_lock(t, arg(0)?, false, true),
            Lib::RwWrite => self.rw_lock(t, arg(0)?, true, false),
            Lib::RwTryWrite => self.rw_lock(t, arg(0)?, true, true),
            Lib::RwUnlock => self.rw_unlock(t, arg(0)?),
            Lib::BarrierInit => {
                let size = self.number(arg(2)?)?;
                self.barrier_init(arg(0)?, size)
            }
            Lib::BarrierDestroy => self.barrier_destroy(arg(0)?),
            Lib::BarrierWait => self.barrier_wait(t, arg(0)?, choice),
            Lib::SemInit => self.semaphore_init(t, args),
            Lib::SemDestroy => self.sem_destroy(arg(0)?),
            Lib::SemWait => self.sem_wait(arg(0)?, false),
            Lib::SemTrywait => self.semaphore_busy(t, arg(0)?, Self::AGAIN),
            Lib::SemTimedwait => self.sem_timedwait(t, arg(0)?, arg(1)?),
            Lib::SemPost => self.semaphore_post(t, arg(0)?),
            Lib::SemGetvalue => self.sem_value(arg(0)?, arg(1)?),
            Lib::OnceBegin => self.once_begin(arg(0)?),
            Lib::OnceEnd => self.once_end(arg(0)?),
        }
    }

    /// Assertions and assumptions.
    fn verification_call(&mut self, lib: Lib, args: &[Value]) -> Reply {
        let condition = argument(args, 0);
        match lib {
            Lib::ReachError => Err(ErrorKind::ReachError),
            Lib::AssertFail => {
                let text = self.text(condition?, 10_000).unwrap_or_default();
                Err(ErrorKind::Assertion(String::from_utf8_lossy(&text).into_owned()))
            }
            _ => match condition? {
                Value::Undef => Err(ErrorKind::Uninitialised),
                Value::Int(0) if lib == Lib::Assume => Ok(Called::Discarded),
                Value::Int(0) => Err(ErrorKind::Assertion(String::new())),
                Value::Int(_) | Value::Ptr(..) => int(0),
            },
        }
    }

    /// `__VERIFIER_atomic_begin` and its end.
    fn atomic_section(&mut self, t: usize, begins: bool) -> Reply {
        self.state.atomic = if begins { t as u32 + 1 } else { 0 };
        match begins {
            true => self.acquire(t, SECTION),
            false => self.release(t, SECTION),
        }
        int(0)
    }

    /// `abort` and `exit`.
    fn end_of_program(&mut self, lib: Lib, args: &[Value]) -> Reply {
        if lib == Lib::Abort && self.settings.aborts {
            return Err(ErrorKind::Abort);
        }
        self.status = match lib {
            Lib::Abort => ABORTED,
            _ => (self.number(argument(args, 0)?)? & 0xff) as i32,
        };
        self.state.done = true;
        Ok(Called::Gone)
    }

    /// One of the values that an input is tried with.
    fn input(&mut self, t: usize, lib: Lib, choice: Choice) -> Reply {
        let domain = self.domain(t, lib);
        let value = (!choice.asks()).then(|| domain.get(choice.number() as usize)).flatten();
        match value {
            Some(&value) => int(value),
            None => Ok(Called::Choices(domain.len() as u32)),
        }
    }

    fn semaphore_init(&mut self, t: usize, args: &[Value]) -> Reply {
        let value = self.number(argument(args, 2)?)?;
        let answer = self.sem_init(argument(args, 0)?, value)?;
        self.with_errno(t, answer, Self::INVALID)
    }

    fn semaphore_post(&mut self, t: usize, sem: Value) -> Reply {
        let answer = self.sem_post(sem)?;
        self.with_errno(t, answer, Self::OVERFLOW)
    }

    /// `pthread_mutex_init`: the kind of the mutex is that of the attributes, if there are any.
    fn mutex_init_with(&mut self, mutex: Value, attributes: Value) -> Reply {
        let kind = match attributes {
            Value::Int(0) => 0,
            attributes => {
                let place = self.target(attributes)?;
                self.load_word(place, 0)?
            }
        };
        self.mutex_init(mutex, kind)
    }

    /// A function of `math.h`.
    fn real_call(&mut self, real: Real, args: &[Value]) -> Reply {
        let mut given = [0.0; 2];
        for (at, number) in given.iter_mut().enumerate().take(real.arguments()) {
            *number = f64::from_bits(self.number(argument(args, at)?)?);
        }
        Ok(Called::Value(Value::Int(real.of(given).to_bits())))
    }

    /// `sem_trywait` and `sem_timedwait` answer -1, and say why in `errno` where the program looks
    /// at it.
    fn semaphore_busy(&mut self, t: usize, sem: Value, why: u64) -> Reply {
        let answer = self.sem_wait(sem, true)?;
        self.with_errno(t, answer, why)
    }

    /// The answer, with the reason in `errno` where it is -1.
    fn with_errno(&mut self, t: usize, answer: Called, why: u64) -> Reply {
        if answer == Called::Value(Value::Int(u64::MAX)) {
            self.set_errno(t, why)?;
        }
        Ok(answer)
    }

    pub(super) fn set_errno(&mut self, t: usize, why: u64) -> Result<(), ErrorKind> {
        let errno = self.program.symbols.errno;
        match errno.and_then(|index| self.state.threads[t].storage.get(index as usize)) {
            Some(&object) => self.store_word((object, 0), 0, why as i32),
            None => Ok(()),
        }
    }

    /// Times that are none are refused where the call would have to wait.
    fn sem_timedwait(&mut self, t: usize, sem: Value, until: Value) -> Reply {
        let why = if self.is_no_time(until)? { Self::INVALID } else { Self::TIMED_OUT };
        self.semaphore_busy(t, sem, why)
    }

    fn mutex_timedlock(&mut self, t: usize, mutex: Value, until: Value) -> Reply {
        let why = if self.is_no_time(until)? { Self::INVALID } else { Self::TIMED_OUT };
        self.mutex_lock(t, mutex, Some(why))
    }

    fn cond_timedwait(&mut self, t: usize, args: &[Value], choice: Choice) -> Reply {
        let until = args.get(2).copied().unwrap_or(Value::Int(0));
        if self.state.threads[t].wait == crate::state::program_state::Wait::No && self.is_no_time(until)? {
            return Ok(Called::Value(Value::Int(Self::INVALID)));
        }
        self.cond_wait(t, args, true, choice)
    }
}
