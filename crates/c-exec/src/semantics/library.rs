//! The library functions that the machine executes itself. A function with several outcomes returns
//! their number under [`Choice::Ask`], and executes one under [`Choice::Take`].
//!
//! *Entry point:* [`Machine::library`].

use axle_c::Binary;
use axle_c::code::{Class, Mem, Scalar};
use axle_c::library::{Lib, Operation};

use crate::machine::observer::Observer;
use crate::machine::{Execution, Machine};
use crate::semantics::wide::Wide;
use crate::state::error_kind::ErrorKind;
use crate::state::outcome::Choice;
use crate::state::settings::NOW;
use crate::state::value::Value;

/// What a call came to.
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

fn int(value: i64) -> Reply {
    Ok(Called::Value(Value::Int(value as u64)))
}

/// Whether this is the number of no clock of Linux. Below zero, three bits say which processor
/// time, and the others whose: 0, the caller's, is all ones.
fn is_no_clock(clock: u64) -> bool {
    match clock as i32 {
        -8..=-1 => clock & 3 == 3,
        clock => !(0..=11).contains(&clock) || clock == 10,
    }
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
        let arg = |index: usize| args.get(index).copied().ok_or(ErrorKind::BadCall);
        if !lib.row().memoised {
            self.observer.depends_on_all();
        }
        if let Some(reply) = self.cancelled_at(t, lib, choice) {
            return reply;
        }
        match lib {
            Lib::AssertFail => {
                let text = self.text(arg(0)?, 10_000).unwrap_or_default();
                Err(ErrorKind::Assertion(String::from_utf8_lossy(&text).into_owned()))
            }
            Lib::ReachError => Err(ErrorKind::ReachError),
            Lib::Assert => match arg(0)? {
                Value::Undef => Err(ErrorKind::Uninitialised),
                Value::Int(0) => Err(ErrorKind::Assertion(String::new())),
                _ => int(0),
            },
            Lib::Assume => match arg(0)? {
                Value::Undef => Err(ErrorKind::Uninitialised),
                Value::Int(0) => Ok(Called::Discarded),
                _ => int(0),
            },
            Lib::AtomicBegin => {
                self.state.atomic = t as u32 + 1;
                self.acquire(t, crate::state::recorded_accesses::SECTION);
                int(0)
            }
            Lib::AtomicEnd => {
                self.state.atomic = 0;
                self.release(t, crate::state::recorded_accesses::SECTION);
                int(0)
            }
            Lib::Abort if self.settings.aborts => Err(ErrorKind::Abort),
            Lib::Abort => {
                self.state.done = true;
                self.status = crate::machine::ABORTED;
                Ok(Called::Gone)
            }
            Lib::Exit => {
                self.status = (self.number(arg(0)?)? & 0xff) as i32;
                self.state.done = true;
                Ok(Called::Gone)
            }
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
            | Lib::GetChar => {
                let domain = self.domain(t, lib);
                let value = (!choice.asks()).then(|| domain.get(choice.number() as usize)).flatten();
                match value {
                    Some(&value) => int(value),
                    None => Ok(Called::Choices(domain.len() as u32)),
                }
            }
            Lib::Malloc => {
                let size = self.number(*args.last().ok_or(ErrorKind::BadCall)?)?;
                self.malloc(size, false, choice)
            }
            Lib::Calloc => {
                let (count, size) = (self.number(arg(0)?)?, self.number(arg(1)?)?);
                match count.checked_mul(size) {
                    Some(size) => self.malloc(size, true, choice),
                    None => int(0),
                }
            }
            Lib::Realloc => {
                let size = self.number(arg(1)?)?;
                self.realloc(arg(0)?, size, choice)
            }
            Lib::Free => self.free(arg(0)?),
            Lib::Memcpy | Lib::Memmove => {
                let size = self.number(arg(2)?)?;
                if size > 0 {
                    let (to, from) = (self.target(arg(0)?)?, self.target(arg(1)?)?);
                    let apart = (i64::from(to.1) - i64::from(from.1)).unsigned_abs();
                    if lib == Lib::Memcpy && to.0 == from.0 && apart < size && apart != 0 {
                        return Err(ErrorKind::Overlap);
                    }
                    self.copy(to, from, size)?;
                }
                Ok(Called::Value(arg(0)?))
            }
            Lib::Memset => {
                let (byte, size) = (self.number(arg(1)?)?, self.number(arg(2)?)?);
                if size > 0 {
                    let to = self.target(arg(0)?)?;
                    self.fill(to, byte as u8, size)?;
                }
                Ok(Called::Value(arg(0)?))
            }
            Lib::Wide => {
                let (op, signed) = (self.number(arg(0)?)?, self.number(arg(1)?)? != 0);
                let op = Binary::of_number(op).ok_or(ErrorKind::BadCall)?;
                let a = self.wide(arg(3)?)?;
                let b = match arg(4)? {
                    distance if matches!(op, Binary::Shl | Binary::Shr) => self.number(distance)?.into(),
                    address => self.wide(address)?,
                };
                match self.wide_binary(op, a, b, signed)? {
                    Wide::Fact(fact) => int(fact.into()),
                    Wide::Number(number) => {
                        let to = self.target(arg(2)?)?;
                        self.store_wide(to, number)?;
                        int(0)
                    }
                }
            }
            Lib::Memcmp => {
                let size = self.number(arg(2)?)?;
                let mut order = 0;
                if size > 0 {
                    let (a, b) = (self.target(arg(0)?)?, self.target(arg(1)?)?);
                    let byte = Mem::plain(Scalar { size: 1, class: Class::Unsigned });
                    for at in 0..i32::try_from(size).map_err(|_| ErrorKind::OutOfBounds)? {
                        let x = self.load((a.0, a.1 + at), byte)?;
                        let y = self.load((b.0, b.1 + at), byte)?;
                        let (x, y) = (self.number(x)?, self.number(y)?);
                        if x != y {
                            order = if x < y { -1 } else { 1 };
                            break;
                        }
                    }
                }
                int(order)
            }
            Lib::Strlen => {
                let text = self.text(arg(0)?, usize::MAX)?;
                int(text.len() as i64)
            }
            Lib::Printf
            | Lib::Fprintf
            | Lib::Sprintf
            | Lib::Snprintf
            | Lib::Vprintf
            | Lib::Vfprintf
            | Lib::Vsprintf
            | Lib::Vsnprintf => self.print(lib, args),
            Lib::Puts => {
                let mut text = self.text(arg(0)?, usize::MAX)?;
                text.push(b'\n');
                self.put(&text);
                int(text.len() as i64)
            }
            Lib::Fputs => {
                let text = self.text(arg(0)?, usize::MAX)?;
                self.put_to(arg(1)?, &text);
                int(1)
            }
            Lib::Putchar => {
                let byte = self.number(arg(0)?)? as u8;
                self.put(&[byte]);
                int(byte.into())
            }
            Lib::Fputc => {
                let byte = self.number(arg(0)?)? as u8;
                self.put_to(arg(1)?, &[byte]);
                int(byte.into())
            }
            Lib::Fflush | Lib::Yield | Lib::Sleep | Lib::Srand | Lib::TestCancel => int(0),
            Lib::Nanosleep => {
                let wrong = self.is_no_pause(arg(0)?)?;
                if wrong {
                    self.set_errno(t, Self::INVALID)?;
                }
                int(-i64::from(wrong))
            }
            Lib::ClockNanosleep => self.clock_nanosleep(arg(0)?, arg(1)?, arg(2)?),
            Lib::Clock if matches!(args, [Value::Int(clock), Value::Ptr(..)] if is_no_clock(*clock)) => {
                self.set_errno(t, Self::INVALID)?;
                int(-1)
            }
            Lib::Time | Lib::Clock => {
                // Time stands still: some time is as good as any other for what is checked here.
                // The processor has taken none (`clock`; clocks 2 and 3).
                let now = match args {
                    [] | [Value::Int(2 | 3), Value::Ptr(..)] => 0,
                    _ => NOW,
                };
                let words = if lib == Lib::Time { 1 } else { 2 };
                let size = self.pointer_size();
                if let Some(place) = args.iter().find(|value| matches!(value, Value::Ptr(..))) {
                    let place = self.target(*place)?;
                    self.fill(place, 0, words * size as u64)?;
                    let scalar = Scalar { size: size as u8, class: Class::Signed };
                    self.store(place, Value::Int(now as u64), Mem::plain(scalar))?;
                }
                // Of the three, `timespec_get` alone has a number behind the place, and gives it
                // back where it knows it.
                match args.get(..2) {
                    Some([Value::Ptr(..), Value::Int(1)]) => int(1),
                    _ if lib == Lib::Time => int(now),
                    _ => int(0),
                }
            }
            Lib::Getpid => int(1000),
            Lib::Getppid => int(999),
            Lib::SignalHandled | Lib::SignalElsewhere => int(0),
            Lib::CreatesThreads => int(self.program.may_perform(Operation::Create).into()),
            Lib::Sysconf => {
                let name = self.number(arg(0)?)? as i32;
                int(asked_of_system(name).unwrap_or(4))
            }
            Lib::Real(real) => {
                let mut given = [0.0; 2];
                for (at, number) in given.iter_mut().enumerate().take(real.arguments()) {
                    *number = f64::from_bits(self.number(arg(at)?)?);
                }
                Ok(Called::Value(Value::Int(real.of(given).to_bits())))
            }
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
            Lib::MutexInit => {
                let kind = match arg(1)? {
                    Value::Int(0) => 0,
                    attributes => {
                        let place = self.target(attributes)?;
                        self.load_word(place, 0)?
                    }
                };
                self.mutex_init(arg(0)?, kind)
            }
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
            Lib::SemInit => {
                let value = self.number(arg(2)?)?;
                let answer = self.sem_init(arg(0)?, value)?;
                self.with_errno(t, answer, Self::INVALID)
            }
            Lib::SemDestroy => self.sem_destroy(arg(0)?),
            Lib::SemWait => self.sem_wait(arg(0)?, false),
            Lib::SemTrywait => self.semaphore_busy(t, arg(0)?, Self::AGAIN),
            Lib::SemTimedwait => self.sem_timedwait(t, arg(0)?, arg(1)?),
            Lib::SemPost => {
                let answer = self.sem_post(arg(0)?)?;
                self.with_errno(t, answer, Self::OVERFLOW)
            }
            Lib::SemGetvalue => self.sem_value(arg(0)?, arg(1)?),
            Lib::OnceBegin => self.once_begin(arg(0)?),
            Lib::OnceEnd => self.once_end(arg(0)?),
        }
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

    fn set_errno(&mut self, t: usize, why: u64) -> Result<(), ErrorKind> {
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

    /// The seconds or the nanoseconds of a `struct timespec`, where they are known.
    fn part_of_time(&mut self, time: Value, second: bool) -> Result<Option<i64>, ErrorKind> {
        let Value::Ptr(object, offset) = time else { return Ok(None) };
        let size = self.pointer_size() as u8;
        let scalar = Scalar { size, class: Class::Signed };
        let at = (object, offset.saturating_add(if second { size.into() } else { 0 }));
        Ok(match self.load(at, Mem::atomic(scalar))? {
            Value::Int(given) if size == 4 => Some(i64::from(given as i32)),
            Value::Int(given) => Some(given as i64),
            Value::Undef | Value::Ptr(..) => None,
        })
    }

    /// Whether the nanoseconds of a `struct timespec` are none (POSIX: `EINVAL`). What is not known
    /// is taken for a time.
    fn is_no_time(&mut self, until: Value) -> Result<bool, ErrorKind> {
        let given = self.part_of_time(until, true)?;
        Ok(given.is_some_and(|given| !(0..1_000_000_000).contains(&given)))
    }

    /// The same for how long to sleep, which is no time below zero either.
    fn is_no_pause(&mut self, pause: Value) -> Result<bool, ErrorKind> {
        Ok(self.is_no_time(pause)? || self.part_of_time(pause, false)?.is_some_and(|given| given < 0))
    }

    /// Whether a time has been, whatever has passed since the program began.
    pub(crate) fn has_been(&mut self, until: Option<&Value>) -> Result<bool, ErrorKind> {
        let until = until.copied().unwrap_or_default();
        let (seconds, rest) = (self.part_of_time(until, false)?, self.part_of_time(until, true)?);
        Ok(seconds.is_some_and(|seconds| seconds < NOW) || seconds == Some(NOW) && rest == Some(0))
    }

    /// No thread can sleep by the processor time of threads, and by some clocks Linux does not.
    fn clock_nanosleep(&mut self, clock: Value, flags: Value, pause: Value) -> Reply {
        const TIMER_ABSTIME: u64 = 1;
        const ENOTSUP: i64 = 95;
        let relative = matches!(flags, Value::Int(flags) if flags & TIMER_ABSTIME == 0);
        let wrong = if relative { self.is_no_pause(pause)? } else { self.is_no_time(pause)? };
        match clock {
            Value::Int(clock) if is_no_clock(clock) || clock as i32 == 3 => int(Self::INVALID as i64),
            Value::Int(clock) if matches!(clock as i32, 4..=6) => int(ENOTSUP),
            _ if wrong => int(Self::INVALID as i64),
            _ => int(0),
        }
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
