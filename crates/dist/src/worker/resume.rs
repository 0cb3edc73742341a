//! The beginning of a search: at the initial state, or at the last level that an earlier attempt has
//! committed.
//!
//! The states of all committed levels are read from the level logs and sent to their owners, level by
//! level. The number of workers may differ from that of the earlier attempt.
//!
//! *Entry point:* [`Worker::begin`].
//!
//! *Invariant:* after a resumption the set, the counts and the violations are those at the end of the
//! committed level. The number of loaded states must be that of the manifest.

use super::*;
use crate::delayed::DelayedSet;
use crate::manifest::{log_name, remove_visited, visited_name};

impl<G: Graph> Worker<'_, G> {
    /// Prepares the first level to expand. Returns a reason if the search has ended already.
    pub(super) fn begin(&mut self) -> Result<Result<(), Stop>, Failure> {
        if let Err(failure) = self.open_log() {
            self.fail(failure);
        }
        let was_on_disk = self.past.as_ref().is_some_and(|past| past.on_disk);
        if was_on_disk
            && self.may_use_disk()
            && !self.set.is_on_disk()
            && let Err(halt) = self.use_disk()
        {
            self.halt = Some(halt);
        }
        let begun = match self.past.clone() {
            None => self.start()?,
            Some(past) => self.load(&past)?,
        };
        if let Some(stop) = begun {
            return Ok(Err(stop));
        }
        self.begin_level();
        self.commit();
        let full = self.shown.full(self.terms.options);
        Ok(if full { Err(Stop::Errors) } else { Ok(()) })
    }

    fn open_log(&mut self) -> Result<(), Failure> {
        let Some(directory) = &self.terms.directory else { return Ok(()) };
        let attempt = self.attempt();
        let (index, peers) = (self.transport.index(), self.transport.peers());
        self.log = LevelLog::create(&directory.join(log_name(attempt, index)))?;
        let files = self.past.as_ref().map_or(&[][..], |past| &past.files);
        for (name, committed) in files.iter().skip(index).step_by(peers) {
            self.inherited.push(LevelLog::open(&directory.join(name), *committed)?);
        }
        if index == 0 {
            remove_visited(directory, attempt)?;
        }
        Ok(())
    }

    /// Replaces the set, which is empty, by one on disk.
    fn use_disk(&mut self) -> Result<(), Halt> {
        let Some(directory) = &self.terms.directory else { return Ok(()) };
        let path = directory.join(visited_name(self.attempt(), self.transport.index()));
        // The rest is for the level log.
        let (width, limit) = (self.graph.width(), self.terms.share / 8 * 7);
        self.set = Visited::Disk(Box::new(DelayedSet::create(path, width, limit, self.interrupt.clone())?));
        Ok(())
    }

    /// Whether the visited states may be moved to disk.
    pub(super) fn may_use_disk(&self) -> bool {
        self.terms.disk && self.terms.directory.is_some()
    }

    /// Begins again at the last committed level, with the visited states on disk. All workers do so in the
    /// same round, after the first one has written the manifest of that level.
    pub(super) fn begin_again(&mut self) -> Result<(), Failure> {
        if let Some(directory) = &self.terms.directory {
            self.past = Manifest::read(directory)?;
        }
        self.set = Visited::none(self.graph.width());
        self.log = LevelLog::in_memory();
        self.inherited.clear();
        (self.logged, self.level, self.arriving, self.halt) = (0, 0, 0, None);
        (self.own, self.all) = (Figures::default(), Figures::default());
        (self.faults, self.level_faults, self.shown) =
            (Faults::default(), Faults::default(), Shown::default());
        (self.truncated, self.is_tree) = (false, false);
        self.taken.clear();
        self.graph.recount([0; 3]);
        if let Err(halt) = self.use_disk() {
            self.halt = Some(halt);
        }
        Ok(())
    }

    /// The number of this attempt: that of the logs that it writes.
    pub(super) fn attempt(&self) -> u64 {
        self.past.as_ref().map_or(0, |past| past.attempt + 1)
    }

    /// A number that is the same for all workers that begin at the same manifest.
    pub(super) fn origin(&self) -> u64 {
        match (&self.terms.directory, &self.past) {
            (None, _) => 0,
            (Some(_), None) => 1,
            (Some(_), Some(past)) => (past.level << 32) + (past.attempt << 1) + 2,
        }
    }

    /// Inserts the initial state at its owner.
    fn start(&mut self) -> Result<Option<Stop>, Failure> {
        let mut faults = Vec::new();
        let initial = self.graph.initial(&mut faults);
        let owns = self.owner.of(&initial) == self.transport.index();
        if owns && self.halt.is_none() {
            for fault in &faults {
                self.note(fault, Found::Start, &initial);
            }
            self.insert(&initial, None);
            self.own.transitions = 1;
        }
        let stop = self.end_level(self.transport.now().next_round())?;
        self.show_level();
        Ok(stop)
    }

    /// Inserts the states of all committed levels.
    fn load(&mut self, past: &Manifest) -> Result<Option<Stop>, Failure> {
        self.records = false;
        self.prepare_past(past);
        for level in 0..=past.level {
            self.level = level;
            self.arriving = level;
            let mut batches: Vec<(usize, usize)> = Vec::new();
            for (file, log) in self.inherited.iter().enumerate() {
                batches.extend(log.batches_of(level).map(|batch| (file, batch)));
            }
            batches.reverse();
            loop {
                self.load_round(&mut batches);
                let summary = self.exchange(self.transport.now().next_round())?;
                if let Some(Halt::Stop(stop)) = summary.halt {
                    return Ok(Some(stop));
                }
                if self.all.left == 0 {
                    break;
                }
            }
            let is_last = level == past.level;
            let now = self.transport.now();
            let stop = self.end_level(if is_last { now.next_round() } else { now.next_level() })?;
            if stop.is_some() {
                return Ok(stop);
            }
            if !is_last {
                self.pass_over();
            }
        }
        self.records = true;
        if self.all.states != past.states || self.all.transitions != past.transitions {
            return Err(Failure::Corrupt);
        }
        Ok(None)
    }

    /// Restores what is not in the level logs. The first worker has the counts of all.
    fn prepare_past(&mut self, past: &Manifest) {
        match Shown::of_bytes(&past.shown) {
            Ok(shown) => self.shown = shown,
            Err(_) => self.fail(Failure::Corrupt),
        }
        self.truncated = past.truncated;
        if self.transport.index() == 0 {
            self.own.expanded = past.expanded;
            self.own.transitions = past.transitions;
            self.graph.recount(past.tally);
        }
    }

    /// Sends logged states to their owners, as many as are expanded in a sub-round.
    fn load_round(&mut self, batches: &mut Vec<(usize, usize)>) {
        let mut quota = self.terms.quota;
        while quota > 0 && self.halt.is_none() {
            let Some((file, batch)) = batches.pop() else { break };
            let mut decoded = match self.inherited[file].read(batch) {
                Ok(decoded) => decoded,
                Err(failure) => return self.fail(failure),
            };
            if decoded.size > self.graph.size() {
                if !self.can_have(decoded.size) {
                    return self.fail(Failure::OtherSearch);
                }
                if let Err(stop) = self.widen(decoded.size) {
                    return self.stop(stop);
                }
            }
            let width = self.graph.width();
            if decoded.width > width {
                return self.fail(Failure::OtherSearch);
            }
            decoded.widen(width);
            self.owner.prepare(width);
            quota = quota.saturating_sub(decoded.len() as u64);
            let mut own = Vec::new();
            for state in decoded.states.chunks_exact(width) {
                if self.route(state) {
                    own.extend_from_slice(state);
                }
            }
            self.insert(&own, None);
            self.between_batches();
        }
        self.own.left = batches.len() as u64;
    }

    /// Takes the loaded states of a level out of the queue: they have been expanded.
    fn pass_over(&mut self) {
        let mut left = std::mem::take(&mut self.own.fresh);
        while left > 0 {
            self.scratch.sources.clear();
            let taken = self.set.take(BATCH.min(left as usize), &mut self.scratch.sources);
            if let Some(halt) = self.set.take_halt() {
                self.halt = Some(halt);
                return;
            }
            if taken == 0 {
                return self.fail(Failure::Corrupt);
            }
            left -= taken as u64;
        }
    }
}
