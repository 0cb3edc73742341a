//! Steppers for the threads of a search.
//!
//! *Entry points:* [`Stepper::forks`], [`Stepper::join`], [`Stepper::free_later`].
//! *Invariant:* the states of all of them are the same bytes. What they have seen is joined in an order
//! that does not depend on chance.

use std::sync::{Arc, Mutex};

use axle_step::Successors;

use super::memoised::{Inheritance, MemoTables};
use super::{Stepper, locked};
use crate::memo::leaf_log::LeafLog;
use crate::state::error_site::ErrorSite;

impl<'p> Stepper<'p> {
    /// Steppers for the threads of a search, with tables of `memory` bytes each; none if a search by
    /// several threads is not possible. Their states are the same bytes: what one adds to its tables
    /// the others receive (`memo/part_log.rs`). They begin with a copy of the
    /// tables of this stepper, unless these take more than half of the memory.
    #[must_use]
    pub fn forks(&self, threads: u32, memory: u64) -> Option<Vec<Stepper<'p>>> {
        // Which threads are folded is reported by one stepper only.
        if self.settings.counter_abstraction {
            return None;
        }
        let inherits = self.quick.as_ref().map(|own| {
            let is_small = self.held() <= memory / 2;
            let MemoTables { components, memo, .. } = &*locked(own);
            let (components, memo) = match is_small {
                true => (components.clone(), memo.clone()),
                false => Default::default(),
            };
            // The log of parts is as large as their tables.
            let leaves = Arc::new(LeafLog::new(memory / 3));
            Arc::new(Inheritance { components, memo, parts: Arc::default(), leaves })
        });
        let mut forks: Vec<Stepper<'p>> = (0..threads)
            .map(|_| {
                let tables =
                    |inherited| Arc::new(Mutex::new(MemoTables::inheriting(self.settings, inherited)));
                let quick = inherits.clone().map(tables);
                // Steps that are inherited are not executed again.
                let taken = self.taken.clone();
                let work = self.work.clone();
                Stepper { quick, taken, work, ..self.another() }
            })
            .collect();
        forks.iter_mut().for_each(|fork| fork.limit_memory(memory));
        forks[0].initial(&mut Vec::new());
        let width = forks[0].width;
        forks.iter_mut().for_each(|fork| fork.width = fork.width.max(width));
        Some(forks)
    }

    /// Adds what the steppers of a search by several threads have seen. The order in which they have
    /// seen it is chance, so it is sorted.
    pub fn join<'f, 'q: 'f>(&mut self, forks: impl Iterator<Item = &'f Stepper<'q>> + Clone) {
        let mut errors: Vec<&ErrorSite> = forks.clone().flat_map(|fork| &fork.error_sites).collect();
        errors.sort();
        for error_site in errors {
            self.note_error(error_site.clone());
        }
        let width = forks.clone().map(|fork| fork.width).max();
        for fork in forks {
            self.share_taken(fork);
            self.restricted |= fork.restricted;
            self.note_lost(&fork.lost);
            self.contention.join(&fork.contention);
            self.clock_read |= fork.clock_read;
            fork.inconclusive_reasons.iter().for_each(|reason| self.note_inconclusive(reason.clone()));
        }
        self.inconclusive_reasons.sort();
        self.width = self.width.max(width.unwrap_or_default());
    }

    /// Frees the steppers of a search. Freeing their tables takes as long as a twentieth of a short
    /// search, so a thread does it while the caller goes on.
    pub fn free_later(forks: Vec<Stepper<'p>>) {
        let tables: Vec<_> = forks.into_iter().filter_map(|fork| fork.quick).collect();
        let free = move || drop(tables);
        // A thread without a handle ends by itself. If the system has no thread, the closure was
        // dropped already, and the tables with it.
        drop(std::thread::Builder::new().spawn(free));
    }
}
