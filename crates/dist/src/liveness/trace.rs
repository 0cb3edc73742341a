//! The path to a cycle, reconstructed backwards through the levels of the product.
//!
//! *Entry point:* [`ClaimWorker::path_to`].
//!
//! *Source:* as [`axle_search::parallel::backwards`]: the least predecessor of each state is taken.
//!
//! *Invariant:* the path is a shortest one to its end, and does not depend on the number of workers.

use axle_outcome::{Prefix, Stop};
use axle_search::liveness::DividedProduct;
use axle_step::Graph;
use axle_store::StateSet;

use super::worker::{BATCH, ClaimWorker, WATCH};
use crate::failure::Failure;
use crate::parcels::Receiver;
use crate::report::Halt;

impl<G: Graph> ClaimWorker<'_, '_, G> {
    /// The steps from an initial state to a state that is stored.
    pub(super) fn path_to(&mut self, mut wanted: Vec<u8>) -> Result<Result<Prefix, Stop>, Failure> {
        wanted.resize(self.set.width(), 0);
        if self.owner_of(&wanted) == self.transport.index() {
            let numbers = self.number(&wanted);
            let number = numbers.first().copied().filter(|&number| (number as usize) < self.flags.len());
            let number = number.ok_or(Failure::Corrupt)?;
            // The level before the first one that begins later.
            self.own.entry_level = self.levels.partition_point(|&first| first <= number) as u64;
            self.reuse(numbers);
        }
        let all = self.exchange(self.transport.now().next_round())?;
        self.own.entry_level = 0;
        let level = all.figures.entry_level.checked_sub(1).ok_or(Failure::Corrupt)? as usize;
        let mut path = Vec::new();
        for before in (0..level).rev() {
            if let Err(stop) = self.find_predecessor(before, &wanted) {
                self.stop(stop);
            }
            let all = self.exchange(self.transport.now().next_round())?;
            if let Some(Halt::Stop(stop)) = all.halt {
                return Ok(Err(stop));
            }
            let (source, position) = all.ways.found().first().cloned().flatten().ok_or(Failure::Corrupt)?;
            wanted.clone_from(&source);
            path.push((source, position));
        }
        let start = DividedProduct::<G>::location(&wanted);
        let mut steps = Vec::with_capacity(path.len());
        for (source, position) in path.iter().rev() {
            match self.product().expand(source) {
                Ok(None) => steps.push(self.product().step(0, *position)),
                Ok(Some(cut)) => return Ok(Err(cut.into())),
                // All states have the width of the widest.
                Err(_) => return Err(Failure::Corrupt),
            }
        }
        Ok(Ok(Prefix { start, steps }))
    }

    /// Searches this worker's part of a level for the least predecessor of a state.
    fn find_predecessor(&mut self, level: usize, wanted: &[u8]) -> Result<(), Stop> {
        let width = wanted.len();
        let bound = |level: usize| self.levels.get(level).copied().unwrap_or(self.flags.len() as u32);
        let (mut first, end) = (bound(level), bound(level + 1));
        while first < end && !self.has_halted() {
            let numbers: Vec<u32> = (first..end.min(first + BATCH as u32)).collect();
            first += numbers.len() as u32;
            self.expand(&numbers)?;
            let product = self.take_product();
            for (source, from) in self.sources.chunks_exact(width).enumerate() {
                let range = product.range(source);
                let states = &product.successors()[range.start * width..range.end * width];
                if let Some(position) = states.chunks_exact(width).position(|state| state == wanted) {
                    self.ways.offer(0, from, position as u32);
                }
            }
            self.put_product(product);
            self.batches += 1;
            if self.batches.is_multiple_of(WATCH) {
                self.between_batches();
            }
        }
        Ok(())
    }
}
