//! Cells: the division of a state for the analysis of dependence. Cells are scalars of globals, the
//! two ends and the length of channels, the number of processes, and the parts of a process that
//! others can observe.
//!
//! Own locals and the location of a process have no cell unless an expression of another process or
//! of a property refers to them: transitions of one process are dependent in any case.
//!
//! *Entry point:* [`Cells`].

use axle_model::access::{ChannelNumbers, Read, reads, reads_of_process, written_globals};
use axle_model::{Base, Expr, LocId, LocalId, Model, ProcId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::fixed::leaves;

/// The parts of a channel that operations access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The oldest message: receives compete for it.
    Head,
    /// Behind the youngest message: sends compete for it.
    Tail,
    /// The length, as sends change it.
    LongerBySend,
    /// The length, as receives change it.
    ShorterByReceive,
    /// Room for one message: a send waits for it, a receive provides it.
    Room,
    /// A message: a receive waits for it, a send provides it.
    Fill,
    /// A rendezvous offer: a sender provides it, a receiver waits for it.
    Offer,
    /// A rendezvous receiver: a receiver provides it, a sender waits for it.
    Ready,
    /// The arrival of a rendezvous receiver: relevant for a sender with an alternative while no
    /// receiver is ready.
    Arrival,
}

const ROLES: usize = 9;

/// The numbering of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    /// For each global: its first cell and the number of cells; `None` if it is constant.
    globals: Vec<Option<(usize, usize)>>,
    /// The first cell of the first channel.
    channels: usize,
    /// Number of distinguished channels; one more represents those of processes that are created
    /// later.
    pub channel_count: usize,
    /// Locals to which other processes or properties refer.
    remote: FxHashMap<(ProcId, LocalId), usize>,
    /// Types with observed locations, and these locations.
    watched: FxHashMap<ProcId, (usize, Vec<LocId>)>,
    /// Creation of processes.
    pub births: usize,
    /// End of processes.
    pub deaths: usize,
    /// Number of cells.
    pub total: usize,
}

impl Cells {
    /// Numbers the cells of a model with this number of processes; `asked` are expressions of
    /// properties.
    pub fn new(model: &Model, processes: usize, asked: &[Expr]) -> Cells {
        let mut total = 0;
        let mut take = |count: usize| {
            total += count;
            total - count
        };
        let globals = (model.globals.iter().zip(written_globals(model)))
            .map(|(variable, written)| {
                let count = leaves(model, &variable.ty).unwrap_or(1);
                written.then(|| (take(count), count))
            })
            .collect();
        let numbers = ChannelNumbers::new(model);
        let channel_count = numbers.first_own as usize - 1 + processes * numbers.stride as usize;
        let channels = take(ROLES * (channel_count + 1));
        let (births, deaths) = (take(1), take(1));
        let mut remote = FxHashMap::default();
        let mut watched: FxHashMap<ProcId, (usize, Vec<LocId>)> = FxHashMap::default();
        let mut see = |read: Read| match read {
            Read::Variable(place) => {
                if let Base::Remote { proc, local, .. } = &place.base {
                    remote.entry((*proc, *local)).or_insert_with(|| take(1));
                }
            }
            Read::AtLocation(proc, _, locs) => {
                let (_, known) = watched.entry(proc).or_insert_with(|| (take(1), Vec::new()));
                known.extend_from_slice(locs);
            }
            // Cells that exist in every model, constants, and parts of the state that exclude a
            // reduction (`conflicts::obstacle`).
            Read::Length(..)
            | Read::Messages(_)
            | Read::ProcessCount
            | Read::SelfPid
            | Read::Location(_)
            | Read::Priority(_)
            | Read::Enabled(_)
            | Read::LastPid
            | Read::NonProgress
            | Read::Timeout => {}
        };
        model.processes.iter().for_each(|process| reads_of_process(process, &mut see));
        asked.iter().for_each(|expr| reads(expr, &mut see));
        Cells { globals, channels, channel_count, remote, watched, births, deaths, total }
    }

    /// The empty set of cells.
    pub fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.total)
    }

    /// The first cell of a global and the number of cells; `None` if it is constant.
    pub fn global(&self, index: usize) -> Option<(usize, usize)> {
        self.globals[index]
    }

    /// A cell of a channel; the channel after the last represents those of processes that are
    /// created later.
    pub fn channel(&self, channel: usize, role: Role) -> usize {
        self.channels + ROLES * channel + role as usize
    }

    /// The cell of a local to which another process or a property refers.
    pub fn remote(&self, proc: ProcId, local: LocalId) -> Option<usize> {
        self.remote.get(&(proc, local)).copied()
    }

    /// The cells of all locals of a type, and of the locations of its processes.
    pub fn of_type(&self, proc: ProcId) -> impl Iterator<Item = usize> + '_ {
        let locals = self.remote.iter().filter(move |((other, _), _)| *other == proc).map(|(_, cell)| *cell);
        locals.chain(self.watched.get(&proc).map(|(cell, _)| *cell))
    }

    /// The cell of the locations of a type, if they are observed, with the observed locations.
    pub fn watched(&self, proc: ProcId) -> Option<(usize, &[LocId])> {
        self.watched.get(&proc).map(|(cell, locs)| (*cell, &locs[..]))
    }

    /// The cells for which a process waits; an increase does not disable it.
    pub fn awaited(&self) -> FixedBitSet {
        let mut bits = self.none();
        for channel in 0..=self.channel_count {
            bits.insert(self.channel(channel, Role::Room));
            bits.insert(self.channel(channel, Role::Fill));
        }
        bits
    }

    /// The cells to which writes of two processes commute.
    pub fn commuting(&self) -> FixedBitSet {
        let mut bits = self.none();
        bits.insert(self.deaths);
        for channel in 0..=self.channel_count {
            bits.insert(self.channel(channel, Role::Arrival));
        }
        bits
    }
}
