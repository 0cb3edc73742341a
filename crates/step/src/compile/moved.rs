//! Who moved, worked out from what generated code notes: where the successors of each process end,
//! and the ranges of successors that a handshake is on the way to. Nothing of this is emitted or
//! kept unless [`crate::Options::movers`] asks for it.
//!
//! *Entry points:* [`Notes::aim`] before generated code runs, [`Notes::read`] after.
//! *Invariant:* Ranges are of addresses in the buffer of successors, which does not move while
//! generated code runs.

use super::runtime::{Ctx, Shake};
use crate::movers::Movers;

/// What generated code notes in one run.
#[derive(Default, Debug)]
pub(super) struct Notes {
    /// For each process of each source, in order, the address after its last successor.
    stops: Vec<u64>,
    /// The same with the process, where Rust asks the processes one by one.
    pub by: Vec<(u32, u64)>,
    shakes: Vec<Shake>,
}

impl Notes {
    /// Makes room for the notes of so many processes, and points the context at it.
    pub fn aim(&mut self, ctx: &mut Ctx, processes: usize) {
        self.stops.clear();
        self.by.clear();
        self.shakes.clear();
        self.stops.reserve(processes);
        ctx.stops = self.stops.as_mut_ptr();
        ctx.shakes = &raw mut self.shakes;
    }

    /// Says who moved in the successors at the addresses from `start` to `end`, each `width` bytes, which are
    /// those of whole sources: `counts` says for each of them how many processes it has.
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
                    // SAFETY: the driver has written one entry for each process of each source that it went past.
                    one(pid as u32, unsafe { stop.assume_init() });
                }
                noted += count;
            }
        } else {
            self.by.iter().for_each(|&(pid, stop)| one(pid, stop));
        }
        // Those of a source that was given up lie beyond the end.
        for shake in self.shakes.iter().filter(|shake| shake.from < end) {
            for address in (shake.from..shake.to).step_by(width) {
                movers.add(first + (address - start) as usize / width, &shake.pids);
            }
        }
    }
}
