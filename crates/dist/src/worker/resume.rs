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
use crate::manifest::log_name;

impl<G: Graph> Worker<'_, G> {
    /// Prepares the first level to expand. Returns a reason if the search has ended already.
    pub(super) fn begin(&mut self) -> Result<Result<(), Stop>, Failure> {
        if let Err(failure) = self.open_log() {
            self.fail(failure);
        }
        let begun = match self.terms.past {
            None => self.start()?,
            Some(past) => self.load(past)?,
        };
        if let Some(stop) = begun {
            return Ok(Err(stop));
        }
        self.own.left = std::mem::take(&mut self.own.fresh);
        self.commit();
        let full = self.shown.full(self.terms.options);
        Ok(if full { Err(Stop::Errors) } else { Ok(()) })
    }

    fn open_log(&mut self) -> Result<(), Failure> {
        let Some(directory) = &self.terms.directory else { return Ok(()) };
        let attempt = self.terms.past.map_or(0, |past| past.attempt + 1);
        let (index, peers) = (self.transport.index(), self.transport.peers());
        self.log = LevelLog::create(&directory.join(log_name(attempt, index)))?;
        let files = self.terms.past.map_or(&[][..], |past| &past.files);
        for (name, committed) in files.iter().skip(index).step_by(peers) {
            self.inherited.push(LevelLog::open(&directory.join(name), *committed)?);
        }
        Ok(())
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
                if !grow::can_have(self.graph, decoded.size) {
                    return self.fail(Failure::OtherSearch);
                }
                self.graph.grow(decoded.size);
                if self.set.widen(self.graph.width()).is_err() {
                    return self.stop(Stop::Memory);
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
            if taken == 0 {
                return self.fail(Failure::Corrupt);
            }
            left -= taken as u64;
        }
    }
}
