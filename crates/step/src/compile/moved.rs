//! Executing processes of the successors, computed from records of generated code: the end of each
//! process's successors, and the address range of each rendezvous. Nothing is emitted or recorded
//! unless [`crate::Options::movers`] is set.
//!
//! *Entry points:* [`Notes::aim`] before generated code runs, [`Notes::read`] after.
//!
//! *Invariant:* Ranges are addresses in the buffer of successors, which does not move while
//! generated code runs.

use super::runtime::{Ctx, Shake};
use crate::movers::Movers;

/// Records of generated code in one run.
#[derive(Default, Debug)]
pub(super) struct Notes {
    /// For each process of each source, in order, the address after its last successor.
    stops: Vec<u64>,
    /// The same with the process, if Rust calls the processes individually.
    pub by: Vec<(u32, u64)>,
    shakes: Vec<Shake>,
}

impl Notes {
    /// Reserves memory for the records of this number of processes, and sets the context to it.
    pub fn aim(&mut self, ctx: &mut Ctx, processes: usize) {
        self.stops.clear();
        self.by.clear();
        self.shakes.clear();
        self.stops.reserve(processes);
        ctx.stops = self.stops.as_mut_ptr();
        ctx.shakes = &raw mut self.shakes;
    }

    /// Reports the executing processes of the successors at the addresses from `start` to `end`,
    /// each `width` bytes, which belong to whole sources: `counts` is the number of processes of
    /// each source.
    pub fn read(
        &mut self,
        (start, end): (u64, u64),
        width: usize,
        counts: impl Iterator<Item = usize>,
        movers: &mut Movers,
    ) {
        let first = movers.len();
        let mut at = start;
        let mut one = |pid: u32, stop: u64| {
            while at < stop {
                movers.push_one(pid);
                at += width as u64;
            }
        };
        if self.by.is_empty() {
            let mut noted = 0;
            for count in counts {
                let room = self.stops.spare_capacity_mut();
                for (pid, stop) in room[noted..noted + count].iter().enumerate() {
                    // SAFETY: the driver has written one entry for each process of each source that
                    // it went past.
                    one(pid as u32, unsafe { stop.assume_init() });
                }
                noted += count;
            }
        } else {
            self.by.iter().for_each(|&(pid, stop)| one(pid, stop));
        }
        // Records of a source with a bailout are beyond the end.
        for shake in self.shakes.iter().filter(|shake| shake.from < end) {
            for address in (shake.from..shake.to).step_by(width) {
                movers.add(first + (address - start) as usize / width, &shake.pids);
            }
        }
    }
}
