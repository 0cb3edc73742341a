//! The cells that a state is divided into for the question who touches what: scalars of globals,
//! the two ends and the length of channels, the number of processes, and what of a process others
//! can see.
//!
//! Own locals and the location of a process have no cell unless something refers to them from
//! outside: its own steps are ordered anyway.
//!
//! *Entry point:* [`Cells`].

use axle_model::{Base, Expr, LocId, LocalId, Model, ProcId};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::fixed::{leaves, own_channels, written_globals};

/// What of a channel an operation touches.
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
    /// Room for one more: a send waits for it, a receive makes it.
    Room,
    /// A message: a receive waits for it, a send makes it.
    Fill,
    /// An offer to hand something over: a sender makes it, a receiver waits for it.
    Offer,
    /// A receiver standing ready: a receiver makes it, a sender waits for it.
    Ready,
    /// That a receiver comes to where it stands ready: it matters to a sender that does something else while nobody
    /// is ready.
    Arrival,
}

const ROLES: usize = 9;

/// The numbering of cells.
#[derive(Clone, Debug)]
pub struct Cells {
    /// For each global: its first cell and how many there are; none where nothing writes it.
    globals: Vec<Option<(usize, usize)>>,
    /// The first cell of the first channel.
    channels: usize,
    /// How many channels are told apart; one more stands for those of processes yet to come.
    pub channel_count: usize,
    /// Locals that something refers to from outside.
    remote: FxHashMap<(ProcId, LocalId), usize>,
    /// Types at whose locations something looks, with those locations.
    watched: FxHashMap<ProcId, (usize, Vec<LocId>)>,
    /// That processes are created.
    pub births: usize,
    /// That processes end.
    pub deaths: usize,
    /// How many cells there are.
    pub total: usize,
}

impl Cells {
    /// Numbers the cells of a model with so many processes; `asked` are expressions of properties.
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
        let (first_own, stride) = own_channels(model);
        let channel_count = first_own as usize - 1 + processes * stride as usize;
        let channels = take(ROLES * (channel_count + 1));
        let (births, deaths) = (take(1), take(1));
        let mut remote = FxHashMap::default();
        let mut watched: FxHashMap<ProcId, (usize, Vec<LocId>)> = FxHashMap::default();
        let mut see = |e: &Expr| match e {
            Expr::Load(place) => {
                if let Base::Remote { proc, local, .. } = &place.base {
                    remote.entry((*proc, *local)).or_insert_with(|| take(1));
                }
            }
            Expr::AtLocation { proc, locs, .. } => {
                let (_, known) = watched.entry(*proc).or_insert_with(|| (take(1), Vec::new()));
                known.extend_from_slice(locs);
            }
            _ => {}
        };
        model.processes.iter().for_each(|p| axle_model::walk::process(p, &mut see));
        asked.iter().for_each(|e| axle_model::walk::expr(e, &mut see));
        Cells { globals, channels, channel_count, remote, watched, births, deaths, total }
    }

    /// The empty set of cells.
    pub fn none(&self) -> Bits {
        Bits::new(self.total)
    }

    /// The first cell of a global and how many it has; none where nothing writes it.
    pub fn global(&self, index: usize) -> Option<(usize, usize)> {
        self.globals[index]
    }

    /// A cell of a channel; the channel after the last stands for those of processes yet to come.
    pub fn channel(&self, channel: usize, role: Role) -> usize {
        self.channels + ROLES * channel + role as usize
    }

    /// The cell of a local that something refers to from outside.
    pub fn remote(&self, proc: ProcId, local: LocalId) -> Option<usize> {
        self.remote.get(&(proc, local)).copied()
    }

    /// The cells of all locals of a type, and of where its processes stand.
    pub fn of_type(&self, proc: ProcId) -> impl Iterator<Item = usize> + '_ {
        let locals = self.remote.iter().filter(move |((other, _), _)| *other == proc).map(|(_, cell)| *cell);
        locals.chain(self.watched.get(&proc).map(|(cell, _)| *cell))
    }

    /// The cell of where processes of a type stand, where something looks, with the locations looked for.
    pub fn watched(&self, proc: ProcId) -> Option<(usize, &[LocId])> {
        self.watched.get(&proc).map(|(cell, locs)| (*cell, &locs[..]))
    }

    /// The cells that a process waits for, not being hindered when there is more of them.
    pub fn awaited(&self) -> Bits {
        let mut bits = self.none();
        for channel in 0..=self.channel_count {
            bits.insert(self.channel(channel, Role::Room));
            bits.insert(self.channel(channel, Role::Fill));
        }
        bits
    }

    /// The cells that two processes may write in any order.
    pub fn commuting(&self) -> Bits {
        let mut bits = self.none();
        bits.insert(self.deaths);
        for channel in 0..=self.channel_count {
            bits.insert(self.channel(channel, Role::Arrival));
        }
        bits
    }
}
