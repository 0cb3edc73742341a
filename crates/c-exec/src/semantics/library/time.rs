//! Clocks and pauses. Time stands still: some time is as good as any other for the properties that are
//! checked.
//!
//! *Entry points:* [`Machine::time`], [`Machine::nanosleep`].

use axle_c::code::{Class, Mem, Scalar};
use axle_c::library::Lib;

use crate::machine::{Execution, Machine};
use crate::semantics::library::{Reply, int};
use crate::state::error_kind::ErrorKind;
use crate::state::settings::NOW;
use crate::state::value::Value;

/// Whether this is the number of no clock of Linux. Below zero, three bits say which processor
/// time, and the others whose: 0, the caller's, is all ones.
fn is_no_clock(clock: u64) -> bool {
    match clock as i32 {
        -8..=-1 => clock & 3 == 3,
        clock => !(0..=11).contains(&clock) || clock == 10,
    }
}

impl<E: Execution> Machine<'_, E> {
    /// `time`, `clock_gettime`, `timespec_get` and `clock`.
    pub(super) fn time(&mut self, t: usize, lib: Lib, args: &[Value]) -> Reply {
        if lib == Lib::Clock && matches!(args, [Value::Int(clock), Value::Ptr(..)] if is_no_clock(*clock)) {
            self.set_errno(t, Self::INVALID)?;
            return int(-1);
        }
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
        // Of the three, `timespec_get` alone has a number behind the place, and gives it back where it
        // knows it.
        match args.get(..2) {
            Some([Value::Ptr(..), Value::Int(1)]) => int(1),
            _ if lib == Lib::Time => int(now),
            _ => int(0),
        }
    }

    pub(super) fn nanosleep(&mut self, t: usize, pause: Value) -> Reply {
        let wrong = self.is_no_pause(pause)?;
        if wrong {
            self.set_errno(t, Self::INVALID)?;
        }
        int(-i64::from(wrong))
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
    pub(super) fn is_no_time(&mut self, until: Value) -> Result<bool, ErrorKind> {
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
    pub(super) fn clock_nanosleep(&mut self, clock: Value, flags: Value, pause: Value) -> Reply {
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
}
