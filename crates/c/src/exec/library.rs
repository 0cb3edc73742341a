//! The library functions that the machine carries out itself. Main function: [`Machine::library`]. Choices: called
//! with `choice == u32::MAX` a function with several outcomes says how many; called again with a number it takes one.

use crate::code::{Arg, Class, Mem, Op, Scalar};
use crate::library::Lib;
use crate::tree::Binary;

use super::machine::{Machine, Value};
use super::trouble::Trouble;

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

pub type Reply = Result<Called, Trouble>;

fn int(value: i64) -> Reply {
    Ok(Called::Value(Value::Int(value as u64)))
}

impl Machine<'_> {
    pub fn library(&mut self, t: usize, lib: Lib, args: &[Value], choice: u32) -> Reply {
        let arg = |index: usize| args.get(index).copied().ok_or(Trouble::BadCall);
        if !super::deps::is_learnable(lib) {
            self.unlearnable();
        }
        if let Some(reply) = self.cancelled_at(t, lib, choice) {
            return reply;
        }
        match lib {
            Lib::AssertFail => {
                let text = self.text(arg(0)?, 10_000).unwrap_or_default();
                Err(Trouble::Assertion(String::from_utf8_lossy(&text).into_owned()))
            }
            Lib::ReachError => Err(Trouble::ReachError),
            Lib::Assert => match self.number(arg(0)?)? {
                0 => Err(Trouble::Assertion("__VERIFIER_assert".into())),
                _ => int(0),
            },
            Lib::Assume => match arg(0)? {
                Value::Undef => Err(Trouble::Uninitialised),
                Value::Int(0) => Ok(Called::Discarded),
                _ => int(0),
            },
            Lib::AtomicBegin => {
                self.state.atomic = t as u32 + 1;
                int(0)
            }
            Lib::AtomicEnd => {
                self.state.atomic = 0;
                int(0)
            }
            Lib::Abort => {
                self.state.done = true;
                self.status = super::machine::ABORTED;
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
                match domain.get(choice as usize) {
                    Some(&value) => int(value),
                    None => Ok(Called::Choices(domain.len() as u32)),
                }
            }
            Lib::Malloc => {
                let size = self.number(*args.last().ok_or(Trouble::BadCall)?)?;
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
                        return Err(Trouble::Overlap);
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
            Lib::Memcmp => {
                let size = self.number(arg(2)?)?;
                let mut order = 0;
                if size > 0 {
                    let (a, b) = (self.target(arg(0)?)?, self.target(arg(1)?)?);
                    let byte =
                        Mem { scalar: Scalar { size: 1, class: Class::Unsigned }, bits: None, atomic: false };
                    for at in 0..i32::try_from(size).map_err(|_| Trouble::OutOfBounds)? {
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
            Lib::Time | Lib::Clock => {
                // Time stands still: some time is as good as any other for what is checked here.
                let words = if lib == Lib::Time { 1 } else { 2 };
                let size = words * self.pointer_size() as u64;
                if let Some(place) = args.iter().find(|value| matches!(value, Value::Ptr(..))) {
                    let place = self.target(*place)?;
                    self.fill(place, 0, size)?;
                }
                int(0)
            }
            Lib::Getpid => int(1000),
            Lib::Sysconf => int(4),
            Lib::Real(real) => {
                let mut given = [0.0; 2];
                for (at, number) in given.iter_mut().enumerate().take(real.arguments()) {
                    *number = f64::from_bits(self.number(arg(at)?)?);
                }
                Ok(Called::Value(Value::Int(real.of(given).to_bits())))
            }
            Lib::ThreadCreate => self.create(args, false),
            Lib::C11Create => self.create(args, true),
            Lib::ThreadJoin => self.join(t, args, false),
            Lib::C11Join => self.join(t, args, true),
            Lib::ThreadExit => self.leave(t, arg(0)?),
            Lib::ThreadEnd | Lib::C11Exit => self.end_here(t, arg(0)?),
            Lib::Cancel => self.cancel(arg(0)?),
            Lib::CancelState => self.cancel_state(t, arg(0)?),
            Lib::CancelType => self.cancel_type(arg(0)?),
            Lib::ThreadDetach => self.detach(arg(0)?),
            Lib::ThreadSelf => Ok(Called::Value(Value::Ptr(self.state.threads[t].object, 0))),
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
                let kind = self.number(arg(1)?)? as i32;
                self.mutex_init(arg(0)?, kind & 1)
            }
            Lib::SpinInit => self.mutex_init(arg(0)?, 0),
            Lib::MutexDestroy | Lib::SpinDestroy => self.mutex_destroy(arg(0)?),
            Lib::MutexLock | Lib::SpinLock => self.mutex_lock(t, arg(0)?, None),
            Lib::MutexTrylock | Lib::SpinTrylock => self.mutex_lock(t, arg(0)?, Some(Self::BUSY)),
            Lib::MutexTimedlock => self.mutex_timedlock(t, arg(0)?, arg(1)?),
            Lib::MutexUnlock | Lib::SpinUnlock => self.mutex_unlock(t, arg(0)?),
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
                self.sem_init(arg(0)?, value)
            }
            Lib::SemDestroy => self.sem_destroy(arg(0)?),
            Lib::SemWait => self.sem_wait(arg(0)?, false),
            Lib::SemTrywait => self.semaphore_busy(t, arg(0)?, Self::AGAIN),
            Lib::SemTimedwait => self.sem_timedwait(t, arg(0)?, arg(1)?),
            Lib::SemPost => self.sem_post(arg(0)?),
            Lib::SemGetvalue => self.sem_value(arg(0)?, arg(1)?),
            Lib::OnceBegin => self.once_begin(arg(0)?),
            Lib::OnceEnd => self.once_end(arg(0)?),
        }
    }

    /// `sem_trywait` and `sem_timedwait` answer -1, and say why in `errno` where the program looks at it.
    fn semaphore_busy(&mut self, t: usize, sem: Value, why: u64) -> Reply {
        let answer = self.sem_wait(sem, true)?;
        if answer == Called::Value(Value::Int(u64::MAX)) {
            self.set_errno(t, why)?;
        }
        Ok(answer)
    }

    fn set_errno(&mut self, t: usize, why: u64) -> Result<(), Trouble> {
        let index = self.program.thread_variables.iter().position(|variable| &*variable.name == "errno");
        match index.and_then(|index| self.state.threads[t].storage.get(index)) {
            Some(&object) => self.store_word((object, 0), 0, why as i32),
            None => Ok(()),
        }
    }

    /// Times that are none are refused where the call would have to wait.
    fn sem_timedwait(&mut self, t: usize, sem: Value, until: Value) -> Reply {
        let why = if self.is_no_time(until)? { Self::INVALID } else { Self::TIMED_OUT };
        self.semaphore_busy(t, sem, why)
    }

    /// Whether the nanoseconds of a `struct timespec` are none (POSIX: `EINVAL`). What is not known is taken for a time.
    fn is_no_time(&mut self, until: Value) -> Result<bool, Trouble> {
        let Value::Ptr(object, offset) = until else { return Ok(false) };
        let size = self.pointer_size() as u8;
        let scalar = Scalar { size, class: Class::Signed };
        let at = (object, offset.saturating_add(size.into()));
        let nanoseconds = self.load(at, Mem { scalar, bits: None, atomic: true })?;
        let given = match nanoseconds {
            Value::Int(given) if size == 4 => Some(i64::from(given as i32)),
            Value::Int(given) => Some(given as i64),
            Value::Undef | Value::Ptr(..) => None,
        };
        Ok(given.is_some_and(|given| !(0..1_000_000_000).contains(&given)))
    }

    fn mutex_timedlock(&mut self, t: usize, mutex: Value, until: Value) -> Reply {
        let why = if self.is_no_time(until)? { Self::INVALID } else { Self::TIMED_OUT };
        self.mutex_lock(t, mutex, Some(why))
    }

    fn cond_timedwait(&mut self, t: usize, args: &[Value], choice: u32) -> Reply {
        let until = args.get(2).copied().unwrap_or(Value::Int(0));
        if self.state.threads[t].wait == super::machine::Wait::No && self.is_no_time(until)? {
            return Ok(Called::Value(Value::Int(Self::INVALID)));
        }
        self.cond_wait(t, args, true, choice)
    }

    /// What is known of the input that a thread is about to read; formulas may look at more than the program does.
    fn classes(&self, t: usize) -> Option<&crate::inputs::Classes> {
        let frame = self.state.threads[t].frames.last().filter(|_| !self.settings.watch.on)?;
        self.program.inputs.get(&(frame.code, frame.pc))
    }

    /// The values that input is tried with: one for each class of values that the program treats alike, where these are
    /// known (`inputs.rs`); all of small types; else those around the numbers that the program compares with. Where
    /// only zero or not decides, two are all.
    pub fn domain(&self, t: usize, lib: Lib) -> Vec<i64> {
        let Some((low, high)) = crate::inputs::range(lib) else { return vec![0] };
        if self.is_moot(t) {
            return vec![0];
        }
        if self.only_truth(t) {
            return vec![0, 1];
        }
        let classes = self.classes(t);
        if let Some(classes) = classes.filter(|classes| classes.exact) {
            return classes.values.to_vec();
        }
        if high - low < 300 {
            return (low as i64..=high as i64).collect();
        }
        // The smaller machine's `long` has 32 bits.
        let narrow = self.pointer_size() == 4 && matches!(lib, Lib::NondetLong | Lib::NondetUlong);
        let (low, high) = match narrow {
            true => (low.max(i32::MIN.into()), high.min(i32::MAX.into())),
            false => (low, high),
        };
        let mut values = vec![low, high, 0, 1, -1];
        for constant in self.program.constants.iter().map(|&constant| i128::from(constant)) {
            values.extend([constant - 1, constant, constant + 1]);
        }
        if let Some(classes) = classes.filter(|classes| classes.values.len() <= 64) {
            let unsigned = low == 0;
            values.extend(classes.values.iter().map(|&value| match unsigned {
                true => i128::from(value as u64),
                false => i128::from(value),
            }));
        }
        values.retain(|value| (low..=high).contains(value));
        values.sort_unstable();
        values.dedup();
        values.into_iter().map(|value| value as i64).collect()
    }

    /// Whether the values that the input is tried with, which a thread is about to read, stand for all.
    pub fn is_whole(&self, t: usize, lib: Lib) -> bool {
        crate::inputs::range(lib).is_some_and(|(low, high)| high - low < 300)
            || self.classes(t).is_some_and(|classes| classes.exact)
            || self.only_truth(t)
            || self.is_moot(t)
    }

    /// Whether nothing comes of the look at the clock that a thread is about to take but what is shown.
    pub fn only_shown(&self, t: usize, lib: Lib) -> bool {
        let frame = self.state.threads[t].frames.last().filter(|_| !self.settings.watch.on);
        matches!(lib, Lib::Time | Lib::Clock | Lib::Getpid)
            && frame.is_some_and(|frame| self.program.timers.contains(&frame.code))
    }

    /// Whether nothing comes of the result of the call that a thread is at but the seed of `rand`.
    pub fn only_seeds(&self, t: usize) -> bool {
        let Some(frame) = self.state.threads[t].frames.last() else { return false };
        let code = &self.program.codes[frame.code as usize];
        let Some(Op::Lib { dst, lib, args }) = code.ops.get(frame.pc as usize) else { return false };
        // What is stored besides may decide whatever becomes of the result.
        if *lib == Lib::Clock || *lib == Lib::Time && args.first() != Some(&Arg::Int(0)) {
            return false;
        }
        let seeds = |at: u32| matches!(code.ops.get(at as usize), Some(Op::Lib { lib: Lib::Srand, .. }));
        let next = frame.pc + 1;
        match code.ops.get(next as usize) {
            Some(Op::Convert { .. }) => seeds(next + 1) && !crate::liveness::is_live(code, next + 2, *dst),
            _ => !crate::liveness::is_live(code, next + u32::from(seeds(next)), *dst),
        }
    }

    /// Whether nothing comes of the result of the call that a thread is at but how long it sleeps.
    pub fn is_moot(&self, t: usize) -> bool {
        let Some(frame) = self.state.threads[t].frames.last() else { return false };
        let code = &self.program.codes[frame.code as usize];
        let Some(Op::Lib { dst, .. }) = code.ops.get(frame.pc as usize) else { return false };
        let (mut derived, mut small) = (vec![*dst], false);
        for pc in frame.pc + 1..frame.pc + 17 {
            if !derived.iter().any(|&reg| crate::liveness::is_live(code, pc, reg)) {
                return true;
            }
            let Some(op) = code.ops.get(pc as usize) else { return false };
            let mut reads = false;
            op.reads(|reg| reads |= derived.contains(&reg));
            match op {
                Op::Move { dst, .. } | Op::Convert { dst, .. } if reads => derived.push(*dst),
                // None of these can go wrong.
                Op::Binary { dst, op: Binary::Rem, b: Arg::Int(1..=1_000_000), .. } if reads => {
                    derived.push(*dst);
                    small = true;
                }
                Op::Binary { dst, op: Binary::Add | Binary::Mul, a: Arg::Int(0..=1_000), .. }
                | Op::Binary { dst, op: Binary::Add | Binary::Mul, b: Arg::Int(0..=1_000), .. }
                    if reads && small =>
                {
                    derived.push(*dst);
                    small = false;
                }
                Op::Lib { lib: Lib::Yield | Lib::Sleep | Lib::Srand, .. } => {}
                _ if reads => return false,
                Op::Move { dst, .. } | Op::Convert { dst, .. } | Op::Binary { dst, .. } => {
                    derived.retain(|reg| reg != dst);
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether nothing but the truth of the value that is about to be chosen matters.
    pub fn only_truth(&self, t: usize) -> bool {
        let Some(frame) = self.state.threads[t].frames.last() else { return false };
        let code = &self.program.codes[frame.code as usize];
        let Some(Op::Lib { dst, .. }) = code.ops.get(frame.pc as usize) else { return false };
        match code.ops.get(frame.pc as usize + 1) {
            Some(Op::Branch { cond: crate::code::Arg::Reg(reg), yes, no, .. }) if reg == dst => {
                !crate::liveness::is_live(code, *yes, *dst) && !crate::liveness::is_live(code, *no, *dst)
            }
            Some(Op::Convert { a: crate::code::Arg::Reg(reg), to, .. }) if reg == dst => {
                to.class == Class::Bool && !crate::liveness::is_live(code, frame.pc + 2, *dst)
            }
            _ => false,
        }
    }
}
