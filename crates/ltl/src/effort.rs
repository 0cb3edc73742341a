//! The work that a translation may take, and whether it is still wanted.
//!
//! The number of implicants of a formula grows exponentially with its conjunctions, long before the
//! automaton has many states. The caller therefore bounds the work, counted in comparisons, so that
//! the result does not depend on the machine.
//!
//! *Entry point:* [`Effort::spend`].
//! *Invariant:* an answer that was computed within its effort is the answer without a bound.

use crate::translate::TooLarge;

/// Units after which the callback is polled again: about a millisecond.
const POLL: u64 = 100_000;

/// A bound on work, with a callback that cancels it.
pub struct Effort<'a> {
    left: u64,
    poll_in: u64,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl Effort<'static> {
    /// For an automaton without which there is no verdict: about a minute.
    pub const NEEDED: u64 = 10_000_000_000;

    /// For an automaton that only makes a search faster: some tenths of a second.
    pub const OPTIONAL: u64 = 20_000_000;

    /// So much work, never cancelled.
    pub fn of(units: u64) -> Effort<'static> {
        Effort::cancelled_by(units, &|| false)
    }
}

impl<'a> Effort<'a> {
    /// So much work, cancelled once the callback says so.
    pub fn cancelled_by(units: u64, is_cancelled: &'a dyn Fn() -> bool) -> Effort<'a> {
        Effort { left: units, poll_in: 0, is_cancelled }
    }

    /// The work that is left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Does a part of the work with at most so many units.
    pub fn part<R>(&mut self, units: u64, work: impl FnOnce(&mut Effort<'a>) -> R) -> R {
        let granted = units.min(self.left);
        let mut part = Effort::cancelled_by(granted, self.is_cancelled);
        let result = work(&mut part);
        self.left -= granted - part.left;
        result
    }

    /// Counts the work of `a * b` comparisons.
    pub fn spend(&mut self, a: usize, b: usize) -> Result<(), TooLarge> {
        // No step is free, whatever it compares.
        let units = (a as u64).saturating_mul(b as u64).saturating_add(1);
        if units > self.left {
            self.left = 0;
            return Err(TooLarge::Work);
        }
        self.left -= units;
        if self.poll_in > units {
            self.poll_in -= units;
            return Ok(());
        }
        self.poll_in = POLL;
        if (self.is_cancelled)() { Err(TooLarge::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn work_ends() {
        let mut effort = Effort::of(10);
        assert_eq!(effort.spend(2, 4), Ok(()));
        assert_eq!(effort.spend(1, 1), Err(TooLarge::Work));
    }

    #[test]
    fn work_is_cancelled() {
        let calls = Cell::new(0);
        let second = || {
            calls.set(calls.get() + 1);
            calls.get() > 1
        };
        let mut effort = Effort::cancelled_by(u64::MAX, &second);
        assert_eq!(effort.spend(1, 1), Ok(()));
        assert_eq!(effort.spend(1_000, 1_000), Err(TooLarge::Cancelled));
        assert_eq!(calls.get(), 2);
    }
}
