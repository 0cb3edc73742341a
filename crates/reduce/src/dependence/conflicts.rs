//! The may-conflict relation between processes at locations, as a search uses it:
//! [`super::analysis`] computes it.
//!
//! *Entry points:* [`Conflicts::needed`], [`Conflicts::next_step_dependence`].

use super::gates::Gates;

/// A communication for which a process at a location waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The channel, by its reference.
    pub channel: u32,
    /// Whether it waits for room, in a channel that is full; otherwise for a message, in an empty
    /// one.
    pub room: bool,
    /// The locations at which other processes could end the wait, as in [`Conflicts::row`].
    pub row: Box<[u64]>,
    /// The processes with a location in the row.
    pub conflicting: u64,
    /// The locations at which the next transition of another process could end the wait.
    pub enders: Box<[u64]>,
}

/// Result of the analysis. Locations are numbered consecutively, process by process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflicts {
    /// For each process, the number of its first location.
    pub first: Vec<usize>,
    /// Number of locations.
    pub locations: usize,
    /// For each location, the set of locations at which another process may conflict with it.
    pub(super) rows: Vec<u64>,
    /// For each location, the processes with a location in its row.
    pub conflicting: Vec<u64>,
    /// For each location, the communications for which a process waits there.
    pub waits: Vec<Vec<Wait>>,
    /// For each location, whether the process waits there until all younger processes have ended.
    pub ends: Vec<bool>,
    /// For each location, whether a set of processes with one at this location is an ample
    /// candidate if the search itself ensures the cycle proviso (visibility-safe).
    pub fit: Vec<bool>,
    /// For each location, whether a set of processes with one at this location is an ample
    /// candidate.
    pub proper: Vec<bool>,
    /// For each location, whether it is an ample candidate and no other process can conflict with
    /// it, except by [`Conflicts::waits`] and [`Conflicts::ends`].
    pub private: Vec<bool>,
    /// For each location, the set of locations at which the next transition of another process is
    /// dependent on its own.
    pub(super) next_step_dependence: Vec<u64>,
    /// The guards for which processes wait.
    pub gates: Gates,
}

/// For each location of a type, whether a process at this location can still create another
/// process.
pub fn creators(process: &axle_model::Process) -> Vec<bool> {
    let mut creates = vec![false; process.locations.len()];
    for edge in &process.edges {
        creates[edge.source.index()] |= edge.creates().next().is_some();
    }
    // Backwards along the edges until a fixpoint.
    loop {
        let before = creates.clone();
        for edge in &process.edges {
            creates[edge.source.index()] |= creates[edge.target.index()];
        }
        if creates == before {
            return creates;
        }
    }
}

impl Conflicts {
    /// Number of words of a row.
    pub fn words(&self) -> usize {
        self.locations.div_ceil(64)
    }

    /// The set of locations at which another process may conflict with one at location `at`.
    pub fn row(&self, at: usize) -> &[u64] {
        let words = self.words();
        &self.rows[at * words..(at + 1) * words]
    }

    /// The set of locations at which the next transition of another process is dependent on that of
    /// a process at location `at`.
    #[inline]
    pub fn next_step_dependence(&self, at: usize) -> &[u64] {
        let words = self.words();
        &self.next_step_dependence[at * words..(at + 1) * words]
    }

    /// The processes that may conflict with one at location `at`, in a state in which process `p`
    /// is at location `standing[p]`. `room` gives the length and the capacity of a channel, by
    /// reference.
    #[inline]
    pub fn needed(&self, at: usize, standing: &[u32], room: &mut impl FnMut(u32) -> (u32, u32)) -> u64 {
        let mut needed = among(self.row(at), self.conflicting[at], standing);
        for wait in &self.waits[at] {
            let (len, capacity) = room(wait.channel);
            if if wait.room { len == capacity } else { len == 0 } {
                needed |= among(&wait.row, wait.conflicting, standing);
            }
        }
        needed
    }
}

/// The processes in `conflicting` that are at a location of the row.
#[inline]
fn among(row: &[u64], conflicting: u64, standing: &[u32]) -> u64 {
    let mut found = 0;
    for pid in pids_of(conflicting) {
        if let Some(&at) = standing.get(pid) {
            found |= (row[at as usize / 64] >> (at % 64) & 1) << pid;
        }
    }
    found
}

/// The numbers in a mask.
#[inline]
pub fn pids_of(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let pid = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(pid)
    })
}
