//! Which processes of a state it is enough to look at: the smallest sets of processes that the
//! others cannot get in the way of.
//!
//! From the locations of all processes alone it works out sets closed under "may get in the way of"
//! (crates/reduce, `conflicts.rs`). If a process of such a set can move, the steps of the set are
//! persistent and may stand for all (P. Godefroid, Partial-Order Methods, LNCS 1032, 1996, section
//! 4). Sets in which a process may take a sticky edge, or do what a property sees, are not offered,
//! so that nothing is left out for ever and no property misses anything: whether a set may be used
//! depends on the state alone, never on the search, and every search sees the same reduced graph.
//!
//! *Entry point:* [`PersistentSetSelector`]; main function: [`PersistentSetSelector::candidates`].

use std::sync::{Arc, Mutex, PoisonError};

use axle_model::{ChanRef, Effect, Model};
use axle_reduce::conflicts::creators;
use axle_reduce::fixed::{fixed_locals, leaves, written_globals};
use axle_reduce::{Conflicts, Instance, Values, Visible, analyse};
use axle_step::Layout;
use axle_step::layout::{Data, Field, Home};

use crate::reduced::Reduction;
use crate::stubborn::{Stubborn, scalars};

/// Sets of processes with values that are analysed; a state of yet another set is not reduced.
const MOST_TABLES: usize = 64;

/// The processes of a state.
#[derive(Clone, Default, Debug)]
struct ProgramCounters {
    /// For each, the number of its location in the table.
    at: Vec<u32>,
}

/// The analysis of one set of processes.
#[derive(Debug)]
struct Table {
    instances: Vec<Instance>,
    /// Whether one of them may still create others.
    births: bool,
    conflicts: Conflicts,
    /// For each process, where its location is in a state, and the number of its first location.
    places: Vec<(Field, u32, u32)>,
    /// Whether some location is private.
    compresses: bool,
    /// By reference less 1: the length of each channel, the bit its owner begins at, and its capacity.
    channels: Vec<Option<(Field, u32, u32)>>,
    /// Finds sets with a look at what is waited for.
    stubborn: Stubborn,
}

/// Processes of a state, and whether one of them may still create others.
type ProcessSet = (Vec<Instance>, bool);

/// The sets of processes that are analysed in a search, shared by the selectors of all its threads.
///
/// There are at most [`MOST_TABLES`]; which ones depends on the order in which the search meets them. Once a set is
/// admitted or refused, every thread treats it alike: a state has one choice throughout a search, and
/// [`crate::reduced::Reduced::unfold`] finds the steps that another thread made.
#[derive(Clone, Default, Debug)]
pub(crate) struct Admitted(Arc<Mutex<Vec<ProcessSet>>>);

impl Admitted {
    /// Whether a set has a table; it is admitted if there is room for it.
    fn admit(&self, instances: &[Instance], births: bool) -> bool {
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sets.iter().any(|(known, may)| known == instances && *may == births) {
            return true;
        }
        let room = sets.len() < MOST_TABLES;
        if room {
            sets.push((instances.to_vec(), births));
        }
        room
    }
}

/// Chooses processes.
#[derive(Debug)]
pub(crate) struct PersistentSetSelector<'m> {
    values: Values<'m>,
    visible: Option<Visible>,
    kind: Reduction,
    layout: Layout,
    /// For each type, its fixed locals with where they are.
    fixed: Vec<Vec<(usize, Field)>>,
    /// Whether some process can create another.
    grows: bool,
    /// Whether some process can end.
    ends: bool,
    /// For each type and location, whether a process there may still create another.
    creators: Vec<Vec<bool>>,
    tables: Vec<Table>,
    /// Sets of processes without a table.
    refused: Vec<(Vec<Instance>, bool)>,
    /// The sets of processes that have a table in this or in another selector of the same search.
    admitted: Admitted,
    /// The table that the last state had.
    current: usize,
    standing: ProgramCounters,
    closures: Vec<Option<u64>>,
}

impl<'m> PersistentSetSelector<'m> {
    /// A chooser for a model with this layout and constant segment.
    pub fn new(
        model: &'m Model,
        layout: &Layout,
        constants: &[u8],
        visible: Option<Visible>,
        kind: Reduction,
        admitted: Admitted,
    ) -> PersistentSetSelector<'m> {
        let written = written_globals(model);
        let globals = (model.globals.iter().zip(&layout.globals).zip(written))
            .map(|((variable, home), written)| {
                let Home::Constant(data) = home else { return None };
                leaves(model, &variable.ty)?;
                let mut list = Vec::new();
                scalars(data, 0, &mut list);
                (!written).then(|| list.iter().map(|(field, base)| field.read(constants, *base)).collect())
            })
            .collect();
        let fixed = (model.processes.iter().zip(&layout.procs))
            .map(|(process, places)| {
                (fixed_locals(process).iter().zip(&places.locals).enumerate())
                    .filter_map(|(index, (fixed, data))| match data {
                        Data::Scalar(field) if *fixed => Some((index, *field)),
                        _ => None,
                    })
                    .collect()
            })
            .collect();
        let any = |wanted: fn(&Effect) -> bool| {
            model.processes.iter().flat_map(|p| &p.edges).flat_map(|e| &e.effects).any(wanted)
        };
        PersistentSetSelector {
            values: Values { model, globals },
            visible,
            kind,
            layout: layout.clone(),
            fixed,
            grows: any(|effect| matches!(effect, Effect::Run { .. })),
            ends: any(|effect| matches!(effect, Effect::Exit)),
            creators: model.processes.iter().map(creators).collect(),
            tables: Vec::new(),
            refused: Vec::new(),
            admitted,
            current: 0,
            standing: ProgramCounters::default(),
            closures: Vec::new(),
        }
    }

    /// How it chooses.
    pub fn kind(&self) -> Reduction {
        self.kind
    }

    /// Follows a layout with more slots.
    pub fn grow(&mut self, layout: &Layout) {
        // Slots are appended: the places known so far stay where they are.
        self.layout = layout.clone();
    }

    /// The number and type of each process of a state.
    fn proc_at(&self, state: &[u8], pid: usize) -> axle_model::ProcId {
        let slot = &self.layout.slots[pid];
        let first = slot.types[0];
        match self.layout.procs[first.index()].tag {
            Some(tag) if slot.types.len() > 1 => axle_model::ProcId(tag.read(state, slot.base) as u32),
            _ => first,
        }
    }

    /// Whether some process of a state may still create another.
    fn births(&self, state: &[u8], count: usize) -> bool {
        (0..count).any(|pid| {
            let proc = self.proc_at(state, pid).index();
            let loc = self.layout.procs[proc].pc.read(state, self.layout.slots[pid].base) - 1;
            self.creators[proc][loc as usize]
        })
    }

    /// Whether these are the processes of a state.
    fn fits(&self, known: (&[Instance], bool), state: &[u8], count: usize, births: bool) -> bool {
        if (count, births) != (known.0.len(), known.1) {
            return false;
        }
        // Processes end youngest first. Without creation their number determines which ones are left.
        !self.grows
            || (0..count).all(|pid| {
                let (instance, base) = (&known.0[pid], self.layout.slots[pid].base);
                self.proc_at(state, pid) == instance.proc
                    && (self.fixed[instance.proc.index()].iter())
                        .all(|(local, field)| instance.locals[*local] == Some(field.read(state, base)))
            })
    }

    /// Finds the table for a state, and where its processes stand; false where there is none.
    fn look(&mut self, state: &[u8]) -> bool {
        let count = self.layout.count.read(state, 0) as usize;
        if count == 0 {
            return false;
        }
        let births = self.grows && self.births(state, count);
        let known =
            !self.tables.is_empty() && self.fits(self.tables[self.current].key(), state, count, births);
        if !known && !self.find(state, count, births) {
            return false;
        }
        let table = &self.tables[self.current];
        self.standing.at.clear();
        // Locations are stored counted from 1, 0 being no process.
        let at = |(pc, base, first): &(Field, u32, u32)| first + pc.read(state, *base) as u32 - 1;
        self.standing.at.extend(table.places.iter().map(at));
        true
    }

    #[cold]
    fn find(&mut self, state: &[u8], count: usize, births: bool) -> bool {
        let known = (0..self.tables.len()).find(|&i| self.fits(self.tables[i].key(), state, count, births));
        if let Some(known) = known {
            self.current = known;
            return true;
        }
        let refused =
            |(instances, many): &(Vec<Instance>, bool)| self.fits((instances, *many), state, count, births);
        if self.refused.iter().any(refused) {
            return false;
        }
        let model = self.values.model;
        let instances: Vec<Instance> = (0..count)
            .map(|pid| {
                let proc = self.proc_at(state, pid);
                let mut locals = vec![None; model.process(proc).locals.len()];
                for (local, field) in &self.fixed[proc.index()] {
                    locals[*local] = Some(field.read(state, self.layout.slots[pid].base));
                }
                Instance { proc, locals }
            })
            .collect();
        if !self.admitted.admit(&instances, births) {
            return false;
        }
        let Some(conflicts) = analyse(&self.values, &instances, births, self.visible.as_ref()) else {
            self.refused.push((instances, births));
            return false;
        };
        let channels = self.channels(&instances);
        let place = |(pid, instance): (usize, &Instance)| {
            let pc = self.layout.procs[instance.proc.index()].pc;
            (pc, self.layout.slots[pid].base, conflicts.first[pid] as u32)
        };
        let places = instances.iter().enumerate().map(place).collect();
        let compresses = conflicts.private.contains(&true);
        let stubborn = Stubborn::new(&self.layout, &instances, &conflicts, &channels);
        self.tables.push(Table { instances, births, conflicts, places, compresses, channels, stubborn });
        self.current = self.tables.len() - 1;
        true
    }

    fn channels(&self, instances: &[Instance]) -> Vec<Option<(Field, u32, u32)>> {
        let layout = &self.layout;
        let last = layout.own_first as usize - 1 + instances.len() * layout.own_stride as usize;
        (1..=last as u32)
            .map(|value| {
                let (place, base) = match layout.chan_target(value)? {
                    (ChanRef::Global(index), _) => (layout.channels.get(index as usize)?, 0),
                    (ChanRef::Own(index), pid) => {
                        let instance = instances.get(pid as usize)?;
                        let own = layout.procs[instance.proc.index()].channels.get(index as usize)?;
                        (own, layout.slots[pid as usize].base)
                    }
                };
                let capacity = self.values.model.shapes[place.shape.index()].capacity;
                Some((place.len?, base, capacity))
            })
            .collect()
    }

    /// Replaces `out` by sets of processes, as masks, the best first, each of which may be all that is looked at if
    /// one of it can move.
    pub fn candidates(&mut self, state: &[u8], out: &mut Vec<u64>) {
        out.clear();
        if !self.look(state) {
            return;
        }
        let (standing, table) = (&self.standing.at, &mut self.tables[self.current]);
        let count = standing.len();
        let all = (1u64 << count) - 1;
        if self.kind == Reduction::Guards {
            table.sets(standing, state, out);
            return;
        }
        self.closures.clear();
        self.closures.resize(count, None);
        for seed in 0..count {
            if !table.conflicts.proper[standing[seed] as usize] {
                continue;
            }
            let (mut set, mut todo) = (1u64 << seed, 1u64 << seed);
            while todo != 0 {
                let pid = todo.trailing_zeros() as usize;
                todo &= todo - 1;
                let at = standing[pid] as usize;
                let needed = match self.closures[pid] {
                    Some(known) => known,
                    None => {
                        let needed = table.needed(at, pid, standing, state);
                        self.closures[pid] = Some(needed);
                        needed
                    }
                };
                let new = needed & !set;
                set |= new;
                todo |= new;
                let improper = axle_reduce::conflicts::pids_of(new)
                    .any(|pid| !table.conflicts.proper[standing[pid] as usize]);
                if improper || set == all || (self.kind == Reduction::Ample && new != 0) {
                    set = all;
                    break;
                }
            }
            if set != all && !out.contains(&set) {
                out.push(set);
            }
        }
        out.sort_by_key(|set| set.count_ones());
    }

    /// Whether no process ever makes a step before anything else, whatever the state.
    pub fn never_leaps(&self) -> bool {
        !self.grows && !self.ends && self.tables.first().is_some_and(|table| !table.compresses)
    }

    /// The next process, of those that are not in `tried`, that can make its step before anything else, if it can move.
    pub fn compress(&mut self, state: &[u8], tried: u64) -> Option<u32> {
        if !self.look(state) {
            return None;
        }
        let (standing, table) = (&self.standing.at, &self.tables[self.current]);
        // A single process has no order to choose.
        if standing.len() < 2 || !table.compresses {
            return None;
        }
        (0..standing.len())
            .find(|&pid| {
                let at = standing[pid] as usize;
                tried >> pid & 1 == 0
                    && table.conflicts.private[at]
                    && table.needed(at, pid, standing, state) == 0
            })
            .map(|pid| pid as u32)
    }
}

impl Table {
    /// Adds the sets around the processes of a state, the best first.
    fn sets(&mut self, standing: &[u32], state: &[u8], out: &mut Vec<u64>) {
        self.stubborn.look(&self.conflicts, standing, state);
        let channels = &self.channels;
        let missing = |wait: &axle_reduce::Wait| match channels[wait.channel as usize - 1] {
            Some((len, base, capacity)) => {
                len.read(state, base) as u32 == if wait.room { capacity } else { 0 }
            }
            // Not a channel with room: nobody waits for it apart.
            None => true,
        };
        self.stubborn.sets(&self.conflicts, standing, &missing, out);
    }

    /// The processes that it is about, and whether there may be more.
    fn key(&self) -> (&[Instance], bool) {
        (&self.instances, self.births)
    }

    /// The processes that may get in the way of a process in a state.
    fn needed(&self, at: usize, pid: usize, standing: &[u32], state: &[u8]) -> u64 {
        let mut room = |value: u32| match self.channels[value as usize - 1] {
            Some((len, base, capacity)) => (len.read(state, base) as u32, capacity),
            // Not a channel with room: nobody waits for it apart.
            None => (0, 0),
        };
        let needed = self.conflicts.needed(at, standing, &mut room);
        if !self.conflicts.ends[at] {
            return needed;
        }
        // Only the youngest ends: the younger ones go first.
        needed | (((1u64 << standing.len()) - 1) & !((2u64 << pid) - 1))
    }
}
