//! Barrier between rounds: the leader starts a round on some threads and waits until all of them
//! have finished it.
//!
//! Each thread waits on a word of its own, so that threads without work are not woken. It spins for
//! some microseconds and then parks.
//!
//! *Entry points:* [`Barrier::open`] for the leader, [`Barrier::attend`] for the other threads.
//!
//! *Invariant:* Writes of the leader before a round are visible in the round, and writes in the
//! round are visible to the leader afterwards.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};

/// Number of spins before parking: approximately the time that a wake-up takes.
const LOOKS: usize = 2_000;

/// Round number that ends the attendance of a thread.
const END: u64 = u64::MAX;

/// Alignment of two cache lines, because processors prefetch adjacent lines in pairs.
#[repr(align(128))]
#[derive(Default, Debug)]
pub(super) struct CachePadded<T>(pub T);

/// Synchronisation state of the rounds.
#[derive(Debug)]
pub(super) struct Barrier {
    /// For each thread except the leader, the number of the last round that it must execute.
    rounds: Vec<CachePadded<AtomicU64>>,
    /// Number of threads that have not finished the round.
    busy: CachePadded<AtomicUsize>,
    leader: Thread,
}

/// Marks a thread as finished on drop, even after a panic, so that the leader does not wait
/// forever.
struct Done<'a>(&'a Barrier);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.0.busy.0.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.leader.unpark();
        }
    }
}

/// Spins, then parks, until `ready` holds.
fn wait(ready: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if ready() {
            return;
        }
        std::hint::spin_loop();
    }
    while !ready() {
        thread::park();
    }
}

impl Barrier {
    /// A barrier for `others` threads and the leader, which is the calling thread.
    pub fn new(others: usize) -> Barrier {
        Barrier {
            rounds: (0..others).map(|_| CachePadded::default()).collect(),
            busy: CachePadded::default(),
            leader: thread::current(),
        }
    }

    /// Executes one round: the first `others.len()` threads execute the closure of their
    /// [`Barrier::attend`], and the leader executes `own`.
    pub fn open(&self, others: &[Thread], own: impl FnOnce()) {
        self.busy.0.store(others.len(), Ordering::Relaxed);
        for (round, thread) in self.rounds.iter().zip(others) {
            round.0.store(round.0.load(Ordering::Relaxed) + 1, Ordering::Release);
            thread.unpark();
        }
        own();
        wait(|| self.busy.0.load(Ordering::Acquire) == 0);
    }

    /// Ends the attendance of all threads.
    pub fn close(&self, others: &[Thread]) {
        for (round, thread) in self.rounds.iter().zip(others) {
            round.0.store(END, Ordering::Release);
            thread.unpark();
        }
    }

    /// Executes `work` in every round in which thread `number` takes part.
    pub fn attend(&self, number: usize, mut work: impl FnMut()) {
        let mut last = 0;
        loop {
            let round = &self.rounds[number].0;
            wait(|| round.load(Ordering::Acquire) != last);
            last = round.load(Ordering::Acquire);
            if last == END {
                return;
            }
            let _done = Done(self);
            work();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_runs_every_round_that_it_is_needed_in() {
        let gate = Barrier::new(3);
        let counts: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
        thread::scope(|scope| {
            let (gate, counts) = (&gate, &counts);
            let others: Vec<Thread> = (0..3)
                .map(|number| {
                    let work = move || {
                        counts[number + 1].fetch_add(1, Ordering::Relaxed);
                    };
                    scope.spawn(move || gate.attend(number, work)).thread().clone()
                })
                .collect();
            for round in 0..400 {
                gate.open(&others[..round % 4], || {
                    counts[0].fetch_add(1, Ordering::Relaxed);
                });
                let all: usize = counts.iter().map(|count| count.load(Ordering::Relaxed)).sum();
                // In each cycle of four rounds, the first has one thread and the last has four.
                assert_eq!(all, round / 4 * 10 + (1..=round % 4 + 1).sum::<usize>());
            }
            gate.close(&others);
        });
        let counts: Vec<usize> = counts.into_iter().map(AtomicUsize::into_inner).collect();
        assert_eq!(counts, [400, 300, 200, 100]);
    }
}
