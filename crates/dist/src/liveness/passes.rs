//! Passes: each expands a part of the stored states and sends their successors to the owners of these.
//!
//! *Entry point:* [`ClaimWorker::eliminate`].
//!
//! *Invariant:* only the first pass stores states. In all others every successor is stored already, and only
//! edges between members, inside a component of the claim that can accept, count.

use axle_outcome::Stop;
use axle_step::Graph;
use axle_store::{Numbered, StateSet};

use super::worker::{BATCH, ClaimWorker, KEPT, MEMBER, WATCH};
use crate::failure::Failure;
use crate::parcels::Receiver;
use crate::report::Halt;

/// What a worker does with the successors of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    /// Stores them: the states of the next level.
    Reach,
    /// Keeps those that an edge of this condition leads to.
    Seed(usize),
    /// Keeps all of them; the sources are kept themselves.
    Close,
    /// Counts the edges that lead to them.
    Count,
    /// Subtracts the edges: the sources are no members any more.
    Trim,
    /// None: the sources are sent to the first worker.
    Gather,
}

impl<G: Graph> ClaimWorker<'_, '_, G> {
    /// Stores the product and removes states that are on no accepting cycle. Returns whether states are left,
    /// none if a search by one worker must report something else, and a reason if the search has not ended.
    pub(super) fn eliminate(&mut self) -> Result<Result<Option<bool>, Stop>, Failure> {
        if let Some(end) = self.reach()? {
            return Ok(end.map(|()| None));
        }
        self.own.survivors = self.flags.iter().filter(|&&flags| flags & MEMBER != 0).count() as u64;
        let mut conditions = match self.settle()? {
            Ok(conditions) => conditions,
            Err(stop) => return Ok(Err(stop)),
        };
        loop {
            let before = self.all.survivors;
            if before == 0 {
                return Ok(Ok(Some(false)));
            }
            for condition in 0..conditions {
                for pass in [Pass::Seed(condition), Pass::Close] {
                    if let Some(stop) = self.perform(pass)? {
                        return Ok(Err(stop));
                    }
                }
                self.restrict();
            }
            if let Some(stop) = self.perform(Pass::Count)? {
                return Ok(Err(stop));
            }
            self.queue = self.members().filter(|&number| self.counts[number as usize] == 0).collect();
            if let Some(stop) = self.perform(Pass::Trim)? {
                return Ok(Err(stop));
            }
            self.own.survivors = self.members().count() as u64;
            conditions = match self.settle()? {
                Ok(conditions) => conditions,
                Err(stop) => return Ok(Err(stop)),
            };
            if self.all.survivors == before {
                return Ok(Ok(Some(before > 0)));
            }
        }
    }

    /// The members, in the order of their numbers.
    fn members(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.flags).filter(|(_, flags)| **flags & MEMBER != 0).map(|(number, _)| number)
    }

    /// A round without states, after which the sums are those of all workers. Returns the number of
    /// conditions.
    fn settle(&mut self) -> Result<Result<usize, Stop>, Failure> {
        self.own.left = 0;
        let all = self.exchange(self.transport.now().next_level())?;
        if let Some(Halt::Stop(stop)) = all.halt {
            return Ok(Err(stop));
        }
        // States of different widths are one state.
        if all.size > self.product().size() && self.widen(all.size).is_err() {
            self.stop(Stop::Memory);
        }
        Ok(Ok(all.conditions))
    }

    /// Members that were not kept are members no more.
    fn restrict(&mut self) {
        for flags in &mut self.flags {
            *flags = if *flags == MEMBER | KEPT { MEMBER } else { 0 };
        }
    }

    /// Stores all states of the product. Returns how the search has ended, if it has.
    fn reach(&mut self) -> Result<Option<Result<(), Stop>>, Failure> {
        self.begin(Pass::Reach);
        let initial = self.product().initial();
        let width = self.product().width();
        let (me, mut own) = (self.transport.index(), Vec::new());
        for state in initial.chunks_exact(width) {
            if self.owner_of(state) == me {
                own.extend_from_slice(state);
            }
        }
        if !self.has_halted() {
            self.receive(&own)?;
        }
        self.own.transitions = self.own.states;
        loop {
            // All states of the level have arrived.
            self.own.left = std::mem::take(&mut self.own.fresh);
            self.levels.push(self.flags.len() as u32);
            let all = self.exchange(self.transport.now().next_level())?;
            if let Some(Halt::Stop(stop)) = all.halt {
                return Ok(Some(Err(stop)));
            }
            if all.figures.left == 0 {
                return Ok(None);
            }
            let depth = self.levels.len() as u64 - 2;
            if self.terms.options.limits.depth.is_some_and(|limit| depth >= limit) {
                return self.end_at_depth();
            }
            self.number += 1;
            if let Some(end) = self.rounds()? {
                return Ok(Some(end));
            }
        }
    }

    /// States at the limit on depth are not expanded, so they are on no cycle. A search without a cycle
    /// within the limit has not ended.
    fn end_at_depth(&mut self) -> Result<Option<Result<(), Stop>>, Failure> {
        let first = self.levels[self.levels.len() - 2] as usize;
        self.flags[first..].fill(0);
        self.is_truncated = true;
        Ok(None)
    }

    /// Begins a pass.
    pub(super) fn begin(&mut self, pass: Pass) {
        self.pass = pass;
        self.number += 1;
        self.cursor = 0;
        if pass == Pass::Count {
            self.counts.clear();
            self.counts.resize(self.flags.len(), 0);
        }
    }

    /// Performs a pass over the members, or over those in the queue.
    pub(super) fn perform(&mut self, pass: Pass) -> Result<Option<Stop>, Failure> {
        self.begin(pass);
        match self.rounds()? {
            None => {}
            Some(Err(stop)) => return Ok(Some(stop)),
            // The first pass has expanded all states.
            Some(Ok(())) => return Err(Failure::Corrupt),
        }
        Ok(None)
    }

    /// Rounds until no worker has a state left. Returns how the search has ended, if it has.
    fn rounds(&mut self) -> Result<Option<Result<(), Stop>>, Failure> {
        loop {
            self.expand_round();
            let all = self.exchange(self.transport.now().next_round())?;
            if let Some(Halt::Stop(stop)) = all.halt {
                return Ok(Some(Err(stop)));
            }
            if all.figures.alarms > 0 {
                return Ok(Some(Ok(())));
            }
            let limit = self.terms.options.limits.states;
            let is_full = limit.is_some_and(|limit| all.figures.states >= limit);
            if self.pass == Pass::Reach && is_full && all.figures.left + all.figures.fresh > 0 {
                return Ok(Some(Err(Stop::States)));
            }
            // States that arrived in this round may have to be expanded.
            if all.figures.left == 0 && all.figures.sent == 0 {
                return Ok(None);
            }
        }
    }

    /// The next states to expand.
    fn next_batch(&mut self, most: usize) -> Vec<u32> {
        let mut batch = Vec::with_capacity(most);
        match self.pass {
            Pass::Reach => {
                let end = self.levels[self.levels.len() - 1];
                batch.extend(self.cursor..end.min(self.cursor + most as u32));
                self.cursor += batch.len() as u32;
            }
            Pass::Seed(_) | Pass::Count | Pass::Gather => {
                while batch.len() < most && (self.cursor as usize) < self.flags.len() {
                    if self.flags[self.cursor as usize] & MEMBER != 0 {
                        batch.push(self.cursor);
                    }
                    self.cursor += 1;
                }
            }
            Pass::Close | Pass::Trim => {
                let left = self.queue.len().saturating_sub(most);
                batch.extend(self.queue.drain(left..));
            }
        }
        batch
    }

    /// Number of states that are still to be expanded, or less than it.
    fn left(&self) -> u64 {
        match self.pass {
            Pass::Reach => u64::from(self.levels[self.levels.len() - 1] - self.cursor),
            Pass::Seed(_) | Pass::Count | Pass::Gather => self.flags.len() as u64 - u64::from(self.cursor),
            Pass::Close | Pass::Trim => self.queue.len() as u64,
        }
    }

    /// Expands states of the pass, at most the quota.
    fn expand_round(&mut self) {
        self.own.sent = 0;
        let mut quota = self.terms.quota;
        while quota > 0 && !self.has_halted() {
            let batch = self.next_batch(BATCH.min(quota as usize));
            if batch.is_empty() {
                break;
            }
            quota -= batch.len() as u64;
            let expanded =
                if self.pass == Pass::Gather { self.hand_over(&batch) } else { self.follow(&batch) };
            if let Err(stop) = expanded {
                self.stop(stop);
            }
            self.batches += 1;
            if self.batches.is_multiple_of(WATCH) {
                self.between_batches();
            }
        }
        self.own.left = self.left();
    }

    /// Sends states to the first worker.
    fn hand_over(&mut self, numbers: &[u32]) -> Result<(), Stop> {
        let mut states = Vec::new();
        self.set.append_states(numbers, &mut states);
        if self.transport.index() == 0 {
            self.survivors.extend_from_slice(&states);
            return Ok(());
        }
        let (width, size) = (self.set.width(), self.product().size());
        for state in states.chunks_exact(width) {
            self.own.sent += 1;
            self.send_to(0, state, size);
        }
        Ok(())
    }

    /// Expands states, and sends the successors that count in the pass to their owners.
    fn follow(&mut self, numbers: &[u32]) -> Result<(), Stop> {
        if self.pass == Pass::Trim {
            numbers.iter().for_each(|&number| self.flags[number as usize] = 0);
        }
        self.expand(numbers)?;
        let (pass, me) = (self.pass, self.transport.index());
        let product = self.take_product();
        let (width, size) = (product.width(), product.size());
        let sources = std::mem::take(&mut self.sources);
        if pass == Pass::Reach {
            self.own.expanded += numbers.len() as u64;
            self.own.transitions += (product.successors().len() / width) as u64;
            self.own.alarms += u64::from(product.has_alarm());
        }
        let mut own = Vec::new();
        for (source, from) in sources.chunks_exact(width).enumerate() {
            for position in product.range(source) {
                let to = &product.successors()[position * width..(position + 1) * width];
                let counts = match pass {
                    Pass::Reach => true,
                    Pass::Seed(condition) => {
                        product.is_inside(from, to) && product.meets(source, position, condition)
                    }
                    Pass::Close | Pass::Count | Pass::Trim => product.is_inside(from, to),
                    Pass::Gather => false,
                };
                if !counts {
                    continue;
                }
                let target = self.owner_of(to);
                if target == me {
                    own.extend_from_slice(to);
                } else {
                    self.own.sent += 1;
                    self.send_to(target, to, size);
                }
            }
        }
        self.sources = sources;
        self.put_product(product);
        if let Err(failure) = self.receive(&own) {
            self.fail(failure);
        }
        Ok(())
    }

    /// Takes states that were sent to this worker in the pass.
    pub(super) fn receive(&mut self, states: &[u8]) -> Result<(), Failure> {
        let (width, me) = (self.set.width(), self.transport.index());
        if self.pass == Pass::Gather {
            self.survivors.extend_from_slice(states);
            return if me == 0 { Ok(()) } else { Err(Failure::Corrupt) };
        }
        if states.chunks_exact(width).any(|state| self.owner_of(state) != me) {
            return Err(Failure::Corrupt);
        }
        let numbers = self.number(states);
        for (state, &number) in states.chunks_exact(width).zip(&numbers) {
            let at = number as usize;
            if at >= self.flags.len() {
                if self.pass != Pass::Reach {
                    return Err(Failure::Corrupt);
                }
                let flag = if self.product().may_accept(state) { MEMBER } else { 0 };
                self.flags.push(flag);
                self.own.fresh += 1;
                continue;
            }
            let is_member = self.flags[at] & MEMBER != 0;
            match self.pass {
                Pass::Seed(_) | Pass::Close if self.flags[at] == MEMBER => {
                    self.flags[at] |= KEPT;
                    self.queue.push(number);
                }
                Pass::Count if is_member => {
                    self.counts[at] = self.counts[at].checked_add(1).ok_or(Failure::Corrupt)?;
                }
                Pass::Trim if is_member => {
                    self.counts[at] = self.counts[at].checked_sub(1).ok_or(Failure::Corrupt)?;
                    if self.counts[at] == 0 {
                        self.queue.push(number);
                    }
                }
                Pass::Reach | Pass::Seed(_) | Pass::Close | Pass::Count | Pass::Trim | Pass::Gather => {}
            }
        }
        self.reuse(numbers);
        Ok(())
    }
}
