//! Levels: sub-rounds of expansion, and the end of a level.
//!
//! *Entry points:* [`Worker::explore`], [`Worker::end_level`].
//!
//! *Invariant:* all workers draw the same conclusion from the summary of a round, so they are always in
//! the same sub-round of the same level.

use axle_step::Fault;

use super::*;
use crate::manifest::log_name;

/// Bytes that the successors of a batch may have while the visited states are on disk.
const LEAST_IN_FLIGHT: usize = 1 << 16;

impl<G: Graph> Worker<'_, G> {
    /// Expands level after level. Returns the reason for an incomplete search.
    pub(super) fn explore(&mut self) -> Result<Option<Stop>, Failure> {
        // Whether the level began before all workers knew that it has a state.
        let mut is_assumed = false;
        loop {
            let pauses = self.pauses();
            self.arriving = self.level + 1;
            loop {
                self.expand_round();
                let summary = self.exchange(self.transport.now().next_round())?;
                self.level_faults.merge(summary.faults);
                let is_beyond = is_assumed && self.all.begun == 0;
                self.level -= u64::from(is_beyond);
                let full = self.terms.options.limits.states.is_some_and(|limit| self.all.states >= limit);
                let full = full && self.all.left > 0;
                let stop = reason(summary.halt.as_ref()).or(full.then_some(Stop::States));
                if stop.is_some() {
                    // Violations are reported even if the level is incomplete.
                    self.show_level();
                    return Ok(stop);
                }
                if is_beyond {
                    return Ok(self.truncated.then_some(Stop::Depth));
                }
                if self.all.left == 0 {
                    break;
                }
            }
            is_assumed = self.flows_on();
            if is_assumed {
                self.commit_log();
                self.level += 1;
                self.begin_level();
                self.transport.begin_level(self.transport.now().next_level());
                self.pause(pauses);
                continue;
            }
            let stop = self.end_level(self.transport.now().next_level())?;
            self.show_level();
            if stop.is_some() {
                return Ok(stop);
            }
            let more = self.all.fresh > 0;
            self.level += u64::from(more);
            if self.shown.full(self.terms.options) {
                return Ok(Some(Stop::Errors));
            }
            if !more {
                return Ok(self.truncated.then_some(Stop::Depth));
            }
            let full = self.terms.options.limits.states.is_some_and(|limit| self.all.states >= limit);
            self.begin_level();
            self.commit();
            if full {
                return Ok(Some(Stop::States));
            }
            self.pause(pauses);
        }
    }

    /// Whether the next level begins without a round between: no worker waits for files of another one, no limit
    /// needs the exact number of states, and no violation of the level can end the search. The last round has
    /// reported everything else, except whether there is a next level: if there is none, its first round reports it.
    fn flows_on(&self) -> bool {
        let waits = self.terms.directory.is_some() || self.terms.options.limits.states.is_some();
        !waits && self.level_faults.is_empty()
    }

    /// The states that have arrived are those to expand.
    pub(super) fn begin_level(&mut self) {
        self.own.left = std::mem::take(&mut self.own.fresh);
        self.own.begun = self.own.left;
    }

    /// Merges the faults of a level into the violations of the search.
    pub(super) fn show_level(&mut self) {
        let faults = std::mem::take(&mut self.level_faults);
        self.shown.level(self.level as usize, std::iter::once(faults));
    }

    /// Commits the level log, and waits until all workers have done so and all states have arrived.
    /// Returns the reason why the search ends.
    pub(super) fn end_level(&mut self, next: Time) -> Result<Option<Stop>, Failure> {
        self.commit_log();
        if self.terms.directory.is_some() {
            self.taken = self.graph.taken().to_vec();
        }
        let summary = self.exchange(next)?;
        self.level_faults.merge(summary.faults);
        if self.transport.index() == 0 {
            self.taken = summary.taken;
        }
        Ok(reason(summary.halt.as_ref()))
    }

    /// Completes and commits the level that has arrived in the log of this worker.
    fn commit_log(&mut self) {
        self.settle();
        if self.halt.is_none() {
            match self.log.commit() {
                Ok(length) => self.logged = length,
                Err(failure) => self.fail(failure),
            }
        }
    }

    /// Decides which of the states that have arrived are new, if their insertion has not done so.
    fn settle(&mut self) {
        if self.halt.is_some() {
            return;
        }
        let (level, size, records) = (self.arriving, self.graph.size(), self.records);
        let Worker { set, log, .. } = self;
        let settled = set.settle(|state| if records { log.push(level, size, state) } else { Ok(()) });
        match settled {
            Ok(fresh) => self.own.fresh += fresh,
            Err(halt) => self.halt = Some(halt),
        }
        self.own.states = self.set.len();
    }

    /// Writes the manifest of the level that begins.
    pub(super) fn commit(&mut self) {
        let taken = std::mem::take(&mut self.taken);
        let (0, Some(directory)) = (self.transport.index(), &self.terms.directory) else { return };
        let mut manifest = self.past.clone().unwrap_or_default();
        let attempt = self.attempt();
        let files = self.all_logged.iter().enumerate();
        manifest.files.extend(files.map(|(worker, &length)| (log_name(attempt, worker), length)));
        crate::report::merge_taken(&mut manifest.taken, &taken);
        let Figures { states, expanded, transitions, tally, .. } = self.all;
        let manifest = Manifest {
            about: self.terms.about.to_string(),
            attempt,
            level: self.level,
            size: self.graph.size() as u64,
            states,
            expanded,
            transitions,
            tally,
            truncated: self.truncated,
            on_disk: self.set.is_on_disk(),
            shown: self.shown.to_bytes(),
            ..manifest
        };
        if let Err(failure) = manifest.write(directory) {
            self.fail(failure);
        }
    }

    /// Whether the search pauses at the end of the level that begins.
    fn pauses(&self) -> bool {
        let at = self.monitor.as_ref().and_then(|monitor| monitor.pause_at());
        at.is_some_and(|states| self.all.states >= states)
    }

    fn pause(&mut self, pauses: bool) {
        let progress = self.progress();
        if pauses
            && let Some(monitor) = &mut self.monitor
            && let Some(stop) = monitor.pause(&progress)
        {
            self.stop(stop);
        }
    }

    /// Number of states that this worker expands in the sub-round. Under a limit on states it is smaller
    /// the nearer the limit is.
    fn quota(&self) -> u64 {
        let Some(limit) = self.terms.options.limits.states else { return self.terms.quota };
        let free = limit.saturating_sub(self.all.states) / (4 * self.transport.peers() as u64);
        free.clamp(LEAST_QUOTA.min(self.terms.quota), self.terms.quota)
    }

    /// Expands states of the level.
    fn expand_round(&mut self) {
        let mut quota = self.quota();
        let last = self.terms.options.limits.depth == Some(self.level);
        let held = self.own.set_memory + self.own.log_memory;
        let limit = self.terms.options.limits.memory.map(|_| self.terms.share);
        let limits = axle_outcome::Limits { memory: limit, ..self.terms.options.limits };
        self.scratch.batch.most = match self.set.is_on_disk() {
            // The set makes room for them.
            true => limit.map(|limit| usize::try_from(limit / 8).unwrap_or(usize::MAX).max(LEAST_IN_FLIGHT)),
            false => most_in_flight(&limits, held),
        };
        while quota > 0 && self.own.left > 0 && self.halt.is_none() {
            let most = BATCH.min(quota.min(self.own.left) as usize);
            quota -= most as u64;
            if let Err(stop) = self.expand(most, last) {
                self.stop(stop);
                return;
            }
            self.batches += 1;
            if self.batches.is_multiple_of(WATCH) {
                self.between_batches();
            }
        }
    }

    /// Inserts the states that have arrived, and checks the limits.
    pub(super) fn between_batches(&mut self) {
        while let Some(message) = self.transport.poll() {
            match self.accept(&message) {
                Ok(None) => {}
                // Reports arrive at the end of a round only, and are read there.
                Ok(Some(report)) => self.early.push(report),
                Err(failure) => self.fail(failure),
            }
        }
        // A buffer of the log is small, but not in comparison with the least memory for a set on disk.
        let buffer = if self.set.is_on_disk() { LEAST_IN_FLIGHT as u64 } else { 0 };
        if self.set.memory() + self.log.memory() > self.terms.share.saturating_add(buffer) {
            self.stop(Stop::Memory);
        }
        self.watch();
    }

    /// Expands the next `most` states of the level.
    fn expand(&mut self, most: usize, last: bool) -> Result<(), Stop> {
        let mut sources = std::mem::take(&mut self.scratch.sources);
        let mut batch = std::mem::take(&mut self.scratch.batch);
        sources.clear();
        let taken = self.set.take(most, &mut sources);
        if let Some(halt) = self.set.take_halt() {
            self.halt = Some(halt);
            return Ok(());
        }
        debug_assert_eq!(taken, most, "the states of the level are the oldest in the set");
        self.own.left -= taken as u64;
        let expanded = grow::expand(self.graph, &mut self.set, &mut sources, &mut batch);
        if expanded.is_ok() {
            if last {
                self.truncated |= batch.without_steps();
            }
            self.note_faults(&sources, &batch);
            self.own.expanded += taken as u64;
            self.own.transitions += (batch.states.len() / self.graph.width()) as u64;
            self.distribute(&batch);
        }
        (self.scratch.sources, self.scratch.batch) = (sources, batch);
        expanded
    }

    fn note_faults(&mut self, sources: &[u8], batch: &Batch<G::Site>) {
        let width = self.graph.width();
        for fault in &batch.faults {
            let source = fault.source as usize;
            let found = found_at(batch, source, fault.successor);
            let state = &sources[source * width..(source + 1) * width];
            self.note(fault, found, state);
        }
    }

    /// Records a fault of a state.
    pub(super) fn note(&mut self, fault: &Fault<G::Site>, found: Found, state: &[u8]) {
        self.faults.note(self.terms.options, fault, found, self.graph, state);
    }

    /// Sends successors to their owners, and inserts those that this worker owns.
    fn distribute(&mut self, batch: &Batch<G::Site>) {
        if self.transport.peers() == 1 {
            self.insert(&batch.states, Some(&batch.ends));
            return;
        }
        let width = self.graph.width();
        self.owner.prepare(width);
        let mut own = std::mem::take(&mut self.scratch.own);
        let mut ends = std::mem::take(&mut self.scratch.own_ends);
        own.clear();
        ends.clear();
        let mut states = batch.states.chunks_exact(width);
        let mut before = 0;
        for &end in &batch.ends {
            for state in states.by_ref().take((end - before) as usize) {
                if self.route(state) {
                    own.extend_from_slice(state);
                }
            }
            before = end;
            ends.push((own.len() / width) as u32);
        }
        self.insert(&own, Some(&ends));
        (self.scratch.own, self.scratch.own_ends) = (own, ends);
    }
}

/// The reason in a summary for the end of the search.
fn reason(halt: Option<&Halt>) -> Option<Stop> {
    match halt {
        Some(Halt::Stop(stop)) => Some(*stop),
        // The end of the round has already returned a failure.
        Some(Halt::Failed(_)) | None => None,
    }
}
