//! Deterministic selection of the reported violations, independent of scheduling.
//!
//! As in [`crate::safety::violations`] there is one entry per site and process type. Among all
//! such violations of a level, which is always completed, an entry holds the one in the least
//! state, compared as bytes.
//!
//! *Entry points:* [`Faults::note`] for each thread, [`Shown::level`] after each level.
//!
//! *Invariant:* An entry belongs to the first level that contains such a violation, so its trace is
//! a shortest one.

use axle_outcome::{Found, Stop, Violation, ViolationKey};
use std::cmp::Ordering;
use std::io;

use axle_model::ProcId;
use axle_step::{Fault, FaultSite, Processes};
use rustc_hash::FxHashMap;

use crate::checkpoint::stored::{self, Body, Out};
use crate::limits::Options;

/// The least of several faults with the same key, and their number.
#[derive(Clone, Debug)]
struct Least {
    state: Vec<u8>,
    found: Found,
    pid: u32,
    count: u64,
}

impl Least {
    fn order(&self) -> impl Ord + '_ {
        let found = match self.found {
            Found::Start => (0, 0),
            Found::State => (1, 0),
            Found::Step(position) => (2, position),
        };
        // A narrower state is padded with zeros, so the order does not depend on the width.
        (found.0, &self.state[..], found.1, self.pid)
    }

    fn add(&mut self, other: Least) {
        let count = self.count + other.count;
        if other.order() < self.order() {
            *self = other;
        }
        self.count = count;
    }
}

/// Faults found by one thread in a level.
#[derive(Clone, Debug)]
pub struct Faults<I> {
    least: FxHashMap<ViolationKey<I>, Least>,
}

impl<I> Default for Faults<I> {
    fn default() -> Self {
        Faults { least: FxHashMap::default() }
    }
}

impl<I: FaultSite> Faults<I> {
    /// Records a fault found during the expansion of `state`.
    pub fn note(
        &mut self,
        options: &Options<I>,
        fault: &Fault<I>,
        found: Found,
        graph: &impl Processes,
        state: &[u8],
    ) {
        if options.ignores(&fault.site) {
            return;
        }
        let proc = graph.process_type(state, fault.pid);
        let key = (fault.site, proc.ok_or(fault.pid));
        if options.only.is_some_and(|only| only != key) {
            return;
        }
        let new = Least { state: state.to_vec(), found, pid: fault.pid, count: 1 };
        match self.least.get_mut(&key) {
            Some(least) => least.add(new),
            None => drop(self.least.insert(key, new)),
        }
    }

    /// Merges the faults of another thread or an earlier batch.
    pub fn merge(&mut self, other: Faults<I>) {
        for (key, new) in other.least {
            match self.least.get_mut(&key) {
                Some(least) => least.add(new),
                None => drop(self.least.insert(key, new)),
            }
        }
    }
}

/// Serialises a key.
fn write_key<I: FaultSite>((site, proc): &ViolationKey<I>, out: &mut Out<'_>) -> io::Result<()> {
    let site = site.encode();
    out.number(site.len() as u64)?;
    out.bytes(&site)?;
    let (known, number) = proc.map_or_else(|pid| (0, pid), |proc| (1, proc.0));
    out.number(known)?;
    out.number(number.into())
}

fn read_key<I: FaultSite>(body: &mut Body) -> Result<ViolationKey<I>, Stop> {
    let mut site = vec![0; body.count()?];
    body.take(&mut site)?;
    let site = I::decode(&site).ok_or(Stop::Checkpoint)?;
    let known = body.below(2)? == 1;
    let number = body.small()?;
    let proc = if known { Ok(ProcId(number)) } else { Err(number) };
    Ok((site, proc))
}

/// Serialises the rest of an entry: state, point of the expansion, process, count.
fn write_rest(state: &[u8], found: Found, pid: u32, count: u64, out: &mut Out<'_>) -> io::Result<()> {
    out.number(state.len() as u64)?;
    out.bytes(state)?;
    let found = match found {
        Found::Start => 0,
        Found::State => 1,
        Found::Step(position) => 2 + u64::from(position),
    };
    out.numbers(&[found, pid.into(), count])
}

fn read_rest(body: &mut Body) -> Result<Least, Stop> {
    let mut state = vec![0; body.count()?];
    body.take(&mut state)?;
    let [found, pid, count] = body.numbers()?[..] else { return Err(Stop::Checkpoint) };
    let found = match found.checked_sub(2) {
        None if found == 0 => Found::Start,
        None => Found::State,
        Some(position) => Found::Step(u32::try_from(position).map_err(|_| Stop::Checkpoint)?),
    };
    let pid = u32::try_from(pid).map_err(|_| Stop::Checkpoint)?;
    Ok(Least { state, found, pid, count })
}

impl<I: FaultSite> Faults<I> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    /// The faults as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        stored::to_bytes(|out| Faults::write(std::iter::once(self), out))
    }

    /// The faults with these bytes.
    pub fn of_bytes(bytes: &[u8]) -> Result<Faults<I>, Stop> {
        stored::of_bytes(bytes, Faults::read)
    }

    /// Serialises the faults found in a level so far.
    pub(super) fn write<'f>(of: impl Iterator<Item = &'f Faults<I>>, out: &mut Out<'_>) -> io::Result<()>
    where
        I: 'f,
    {
        let all: Vec<(&ViolationKey<I>, &Least)> = of.flat_map(|faults| &faults.least).collect();
        out.number(all.len() as u64)?;
        all.into_iter().try_for_each(|(key, least)| {
            write_key(key, out)?;
            write_rest(&least.state, least.found, least.pid, least.count, out)
        })
    }

    /// Deserialises faults, for one thread.
    pub(super) fn read(body: &mut Body) -> Result<Faults<I>, Stop> {
        let mut faults = Faults::default();
        for _ in 0..body.count()? {
            let one = FxHashMap::from_iter([(read_key(body)?, read_rest(body)?)]);
            faults.merge(Faults { least: one });
        }
        Ok(faults)
    }
}

/// A violation whose path is not known yet.
#[derive(Clone, Debug)]
pub struct Pending<I> {
    /// Level of the state.
    pub level: usize,
    /// The state from which the path goes on.
    pub state: Vec<u8>,
    /// The violation, with the path from that state in reverse order.
    pub violation: Violation<I>,
}

/// Violations of the whole search.
#[derive(Debug)]
pub struct Shown<I> {
    seen: FxHashMap<ViolationKey<I>, usize>,
    /// The violations in the order of their levels, the least first.
    pub list: Vec<Pending<I>>,
    /// Number of violations including repetitions.
    pub total: u64,
}

impl<I> Default for Shown<I> {
    fn default() -> Self {
        Shown { seen: FxHashMap::default(), list: Vec::new(), total: 0 }
    }
}

impl<I: FaultSite> Shown<I> {
    /// The violations as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        stored::to_bytes(|out| self.write(out))
    }

    /// The violations with these bytes.
    pub fn of_bytes(bytes: &[u8]) -> Result<Shown<I>, Stop> {
        stored::of_bytes(bytes, Shown::read)
    }

    /// Serialises the violations of the preceding levels.
    pub(super) fn write(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.number(self.total)?;
        out.number(self.list.len() as u64)?;
        for Pending { level, state, violation } in &self.list {
            let Violation { pid, found, count, .. } = violation;
            out.number(*level as u64)?;
            write_key(&violation.key(), out)?;
            write_rest(state, *found, *pid, *count, out)?;
        }
        Ok(())
    }

    /// Deserialises them.
    pub(super) fn read(body: &mut Body) -> Result<Shown<I>, Stop> {
        let mut shown = Shown { total: body.number()?, ..Shown::default() };
        for _ in 0..body.count()? {
            let level = body.small()? as usize;
            let key = read_key(body)?;
            shown.push(level, key, read_rest(body)?);
        }
        Ok(shown)
    }

    fn push(&mut self, level: usize, key: ViolationKey<I>, least: Least) {
        self.seen.insert(key, self.list.len());
        let (site, proc) = key;
        let Least { state, found, pid, count } = least;
        let violation = Violation { site, pid, proc: proc.ok(), path: Vec::new(), found, count };
        self.list.push(Pending { level, state, violation });
    }

    /// Merges the faults that all threads have found in a level.
    pub fn level(&mut self, level: usize, found: impl Iterator<Item = Faults<I>>) {
        let mut all = Faults::default();
        found.for_each(|faults| all.merge(faults));
        let mut news = Vec::new();
        for (key, least) in all.least {
            self.total += least.count;
            match self.seen.get(&key) {
                Some(&index) => self.list[index].violation.count += least.count,
                None => news.push((key, least)),
            }
        }
        news.sort_unstable_by(|(a_key, a), (b_key, b)| match a.order().cmp(&b.order()) {
            Ordering::Equal => (a_key.0, a_key.1.ok()).cmp(&(b_key.0, b_key.1.ok())),
            unequal => unequal,
        });
        for (key, least) in news {
            self.push(level, key, least);
        }
    }

    /// Whether the requested number of violations was found.
    pub fn full(&self, options: &Options<I>) -> bool {
        options.limits.errors.is_some_and(|limit| self.list.len() as u64 >= limit)
    }
}
