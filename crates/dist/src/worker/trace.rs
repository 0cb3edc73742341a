//! Traces of violations, reconstructed backwards through the level logs.
//!
//! All workers know the violations. For each level, from the last to the first, each worker expands the
//! states of its part of the preceding level again and reports the least predecessor of every state that
//! is sought; the least of all is taken. A logged state need not belong to the worker that expands it.
//!
//! *Entry point:* [`Worker::go_back`].
//!
//! *Invariant:* as in [`axle_search::parallel::backwards`], whose selection this is: the traces are those
//! of the search by threads.
//!
//! *Cost:* one further expansion of every state before the last violation, without insertions.

use axle_search::parallel::backwards::{self, Wanted};

use super::*;

impl<G: Graph> Worker<'_, G> {
    /// Reconstructs the traces of all violations.
    pub(super) fn go_back(&mut self) -> Result<(), Failure> {
        if self.shown.list.is_empty() {
            return Ok(());
        }
        if let Some(limit) = self.terms.options.limits.errors {
            self.shown.list.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        self.log.commit()?;
        // All expand states of one width from here on: that of the widest states of any worker.
        let summary = self.exchange(self.transport.now().next_round())?;
        if summary.size > self.graph.size() {
            self.graph.grow(summary.size);
        }
        let width = self.graph.width();
        let mut pending = std::mem::take(&mut self.shown.list);
        pending.iter_mut().for_each(|one| one.state.resize(width, 0));
        let last = pending.iter().map(|one| one.level).max().unwrap_or(0);
        // All of these states were expanded before.
        (self.scratch.batch.most, self.scratch.batch.interrupt) = (None, Interrupt::default());
        for level in (1..=last).rev() {
            let wanted = Wanted::at(level, &pending);
            if wanted.is_empty() {
                continue;
            }
            self.search_level(level as u64 - 1, &wanted)?;
            let summary = self.exchange(self.transport.now().next_round())?;
            // A state without a predecessor is an internal error, which the replay reports.
            if !backwards::step(level, &mut pending, &wanted, &summary.ways) {
                break;
            }
        }
        pending.iter_mut().for_each(|one| one.violation.path.reverse());
        self.shown.list = pending;
        Ok(())
    }

    /// Searches this worker's part of a level for predecessors.
    fn search_level(&mut self, level: u64, wanted: &Wanted) -> Result<(), Failure> {
        let width = self.graph.width();
        let mut logs = std::mem::take(&mut self.inherited);
        logs.push(std::mem::replace(&mut self.log, LevelLog::in_memory()));
        let mut searched = Ok(());
        'logs: for log in &mut logs {
            for batch in log.batches_of(level) {
                let mut decoded = match log.read(batch) {
                    Ok(decoded) => decoded,
                    Err(failure) => {
                        searched = Err(failure);
                        break 'logs;
                    }
                };
                decoded.widen(width);
                for sources in decoded.states.chunks(BATCH * width) {
                    if self.graph.expand(sources, &mut self.scratch.batch).is_err() {
                        searched = Err(Failure::Corrupt);
                        break 'logs;
                    }
                    wanted.find_predecessors(sources, width, &self.scratch.batch, &mut self.ways);
                }
                self.watch_without_stop();
            }
        }
        if let Some(log) = logs.pop() {
            self.log = log;
        }
        self.inherited = logs;
        searched
    }

    /// Reports progress. A reason to stop comes too late: violations that were found are reported.
    fn watch_without_stop(&mut self) {
        let progress = self.progress();
        if let Some(monitor) = &mut self.monitor {
            let _ = monitor.watch(&progress);
        }
    }
}
