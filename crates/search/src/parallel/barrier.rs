//! Rounds: the leader lets some threads run, and waits until all of them are done.
//!
//! Each thread waits at a word of its own, so that those who are not needed are not woken: it looks
//! at the word for some microseconds, then sleeps.
//!
//! *Entry points:* [`Barrier::open`] for the leader, [`Barrier::attend`] for the others.
//! *Invariant:* What the leader wrote before a round is seen in it, and what was written in it is
//! seen by the leader after.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};

/// Looks before sleeping: about as long as it takes to be woken.
const LOOKS: usize = 2_000;

/// The round that ends all.
const END: u64 = u64::MAX;

/// A line of memory to itself, and the next, which processors fetch along.
#[repr(align(128))]
#[derive(Default, Debug)]
pub(super) struct CachePadded<T>(pub T);

/// Where threads wait for rounds.
#[derive(Debug)]
pub(super) struct Barrier {
    /// For each thread but the leader the number of the round that it is to run.
    rounds: Vec<CachePadded<AtomicU64>>,
    /// Threads that are not done with the round.
    busy: CachePadded<AtomicUsize>,
    leader: Thread,
}

/// Counts a thread as done when it goes, even where it panics: the leader must not wait for ever.
struct Done<'a>(&'a Barrier);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.0.busy.0.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.leader.unpark();
        }
    }
}

/// Waits until `ready`.
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
    /// A gate for so many threads besides the leader, who is the one that calls this.
    pub fn new(others: usize) -> Barrier {
        Barrier {
            rounds: (0..others).map(|_| CachePadded::default()).collect(),
            busy: CachePadded::default(),
            leader: thread::current(),
        }
    }

    /// Runs one round: the first `others.len()` threads run what they attend with, the leader `own`.
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

    /// Runs `work` in every round that thread `number` is needed in.
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
                // Of four rounds the first has one thread, the last four.
                assert_eq!(all, round / 4 * 10 + (1..=round % 4 + 1).sum::<usize>());
            }
            gate.close(&others);
        });
        let counts: Vec<usize> = counts.into_iter().map(AtomicUsize::into_inner).collect();
        assert_eq!(counts, [400, 300, 200, 100]);
    }
}
