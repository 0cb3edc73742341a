//! Selection of persistent sets: in each state, the smallest sets of processes with which no
//! process outside can interfere.
//!
//! The sets are closed under the may-conflict relation (crates/reduce, `conflicts.rs`), computed
//! from the program counters of all processes. If a process of such a set is enabled, the
//! transitions of the set are persistent and represent all. A set is not offered if one of its
//! processes may take a sticky edge or an edge that the property observes. This excludes ignored
//! transitions and makes the reduction invisible to the property. The choice depends on the state
//! only, not on the search, so every search sees the same reduced graph.
//!
//! A set may be restricted to one process (`ample.rs`), or the state's guards may be taken into
//! account (`stubborn.rs`).
//!
//! *Entry point:* `PersistentSetSelector`; main function: `PersistentSetSelector::candidates`.
//!
//! *Source:* P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS
//! 1032, 1996, section 4.

use std::sync::{Arc, Mutex, PoisonError};

use axle_model::access::written_globals;
use axle_model::{ChanRef, Effect, Model};
use axle_reduce::conflicts::creators;
use axle_reduce::fixed::{fixed_locals, leaves};
use axle_reduce::{Conflicts, Instance, References, Values, Visible, analyse};
use axle_step::Layout;
use axle_step::layout::{Data, Field, Home};

use crate::por::ample;
use crate::por::reduced_graph::Reduction;
use crate::por::stubborn::{Stubborn, scalars};

/// Maximum number of process sets that are analysed; states with further sets are not reduced.
const MOST_TABLES: usize = 64;

/// Process sets without a table that are recognised at once.
const MOST_REFUSED: usize = 64;

/// Program counters of the processes of a state.
#[derive(Clone, Default, Debug)]
struct ProgramCounters {
    /// For each process, the number of its location in the table.
    at: Vec<u32>,
}

/// Analysis of one set of processes.
#[derive(Debug)]
struct Table {
    known: Known,
    conflicts: Arc<Conflicts>,
    /// For each process, the position of its program counter in a state, and the number of its
    /// first location.
    places: Vec<(Field, u32, u32)>,
    /// Whether some location is local, so that path compression applies.
    compresses: bool,
    /// By channel reference minus 1: the length field, the first bit of the owner, and the
    /// capacity.
    channels: Vec<Option<(Field, u32, u32)>>,
    /// Computes stubborn sets with necessary enabling sets.
    stubborn: Stubborn,
}

/// Maximum number of pairs of locations in the analysed process sets together; a larger set is
/// analysed only if it is the first one. A pair takes a fraction of a microsecond.
const MOST_PAIRS: u64 = 1 << 22;

/// A word of a state, restricted to the bits of a mask.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// Offset in bytes.
    at: usize,
    mask: u32,
    value: u32,
}

/// A set of processes, recognised in a state without reading it process by process.
#[derive(Clone, Debug)]
struct Known {
    instances: Vec<Instance>,
    /// Whether one of the processes may create further processes.
    births: bool,
    /// The number of processes, their types and their fixed locals.
    words: Vec<Word>,
    /// The program counters of the processes that may create others at some location: the field,
    /// its position, and the type.
    creators: Vec<(Field, u32, usize)>,
}

impl Known {
    /// Whether a state has these processes.
    #[inline]
    fn fits(&self, state: &[u8], creators: &[Vec<bool>]) -> bool {
        let same = |word: &Word| {
            let bytes = state.get(word.at..).and_then(|rest| rest.first_chunk());
            bytes.is_some_and(|bytes| u32::from_le_bytes(*bytes) & word.mask == word.value)
        };
        self.words.iter().all(same)
            && self.creators.iter().any(|&(pc, base, proc)| {
                // Stored locations are counted from 1.
                creators[proc][(pc.read(state, base) - 1) as usize]
            }) == self.births
    }
}

/// An analysed process set: the processes, whether one of them may create others, and the result;
/// none if the set is too large.
#[derive(Debug)]
struct Analysed {
    instances: Vec<Instance>,
    births: bool,
    conflicts: Option<Arc<Conflicts>>,
}

/// The process sets that searches of one model have analysed for one set of visible expressions,
/// each once: shared by the selectors of all threads and by one search after the other.
///
/// At most `MOST_TABLES` sets are analysed, in the order in which the searches reach them. Once a
/// set is analysed or refused, all threads treat it alike. Hence the choice for a state is fixed
/// throughout a search, and [`crate::por::reduced_graph::Reduced::unfold`] finds the steps of other threads.
#[derive(Clone, Default, Debug)]
pub struct Analyses(Arc<Mutex<Vec<Analysed>>>);

impl Analyses {
    /// The analysis of a set; a new set is analysed while the maximum is not reached.
    fn of(
        &self,
        instances: &[Instance],
        births: bool,
        locations: u64,
        analyse: impl FnOnce() -> Option<Conflicts>,
    ) -> Option<Arc<Conflicts>> {
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = sets.iter().find(|set| set.instances == instances && set.births == births);
        if let Some(known) = known {
            return known.conflicts.clone();
        }
        let sizes = sets.iter().filter_map(|set| set.conflicts.as_ref());
        let pairs: u64 = sizes.map(|conflicts| (conflicts.locations as u64).pow(2)).sum();
        if sets.len() >= MOST_TABLES || pairs > 0 && pairs + locations * locations > MOST_PAIRS {
            return None;
        }
        let conflicts = analyse().map(Arc::new);
        sets.push(Analysed { instances: instances.to_vec(), births, conflicts: conflicts.clone() });
        conflicts
    }
}

/// Selector of persistent sets.
#[derive(Debug)]
pub(crate) struct PersistentSetSelector<'m> {
    values: Values<'m>,
    references: References,
    visible: Option<Visible>,
    kind: Reduction,
    layout: Layout,
    /// For each type, its fixed locals and their positions.
    fixed: Vec<Vec<(usize, Field)>>,
    /// Whether some process can create another.
    grows: bool,
    /// Whether some process can terminate.
    ends: bool,
    /// For each type and location, whether a process at this location may still create another.
    creators: Vec<Vec<bool>>,
    tables: Vec<Table>,
    /// Process sets without a table: the last ones met.
    refused: Vec<Known>,
    /// The analyses of all selectors.
    analyses: Analyses,
    /// Elementary steps of the computation of stubborn sets so far.
    work: u64,
    /// Table used for the last state.
    current: usize,
    standing: ProgramCounters,
    closures: Vec<Option<u64>>,
}

impl<'m> PersistentSetSelector<'m> {
    /// A selector for a model with the given layout and constant segment.
    pub fn new(
        model: &'m Model,
        layout: &Layout,
        constants: &[u8],
        visible: Option<Visible>,
        kind: Reduction,
        analyses: Analyses,
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
        let asked = visible.as_ref().map_or(&[][..], |visible| &visible.expressions);
        let labels = visible.as_ref().is_some_and(|visible| visible.accepting || visible.has_progress());
        PersistentSetSelector {
            references: References::new(model, asked, labels),
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
            analyses,
            work: 0,
            current: 0,
            standing: ProgramCounters::default(),
            closures: Vec::new(),
        }
    }

    /// The reduction method.
    pub fn kind(&self) -> Reduction {
        self.kind
    }

    /// Elementary steps of the computation of stubborn sets so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Adopts a layout with more slots.
    pub fn grow(&mut self, layout: &Layout) {
        // Slots are appended, so existing positions remain valid.
        self.layout = layout.clone();
    }

    /// Type of the process `pid` in a state.
    fn proc_at(&self, state: &[u8], pid: usize) -> axle_model::ProcId {
        let slot = &self.layout.slots[pid];
        let first = slot.types[0];
        match self.layout.procs[first.index()].tag {
            Some(tag) if slot.types.len() > 1 => axle_model::ProcId(tag.read(state, slot.base) as u32),
            _ => first,
        }
    }

    /// Whether some process of a state may still create another.
    fn may_create(&self, state: &[u8], count: usize) -> bool {
        (0..count).any(|pid| {
            let proc = self.proc_at(state, pid).index();
            let loc = self.layout.procs[proc].pc.read(state, self.layout.slots[pid].base) - 1;
            self.creators[proc][loc as usize]
        })
    }

    /// The set of these processes, as it is recognised in states of the present layout.
    fn recognised(&self, instances: Vec<Instance>, births: bool) -> Known {
        let layout = &self.layout;
        let (mut masks, mut values) = (vec![0; layout.width()], vec![0; layout.width()]);
        let mut ask = |field: Field, base: u32, value: i64| {
            field.write(&mut masks, base, -1);
            field.write(&mut values, base, value);
        };
        ask(layout.count, 0, instances.len() as i64);
        let mut creators = Vec::new();
        // Processes terminate in reverse order of creation. Without creation their number
        // identifies them.
        for (instance, slot) in instances.iter().zip(&layout.slots).filter(|_| self.grows) {
            let proc = instance.proc.index();
            if let Some(tag) = layout.procs[slot.types[0].index()].tag.filter(|_| slot.types.len() > 1) {
                ask(tag, slot.base, proc as i64);
            }
            for (local, field) in &self.fixed[proc] {
                ask(*field, slot.base, instance.locals[*local].unwrap_or(0));
            }
            if self.creators[proc].contains(&true) {
                creators.push((layout.procs[proc].pc, slot.base, proc));
            }
        }
        let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let words = masks.chunks(4).zip(values.chunks(4)).enumerate().map(|(number, (mask, value))| Word {
            at: 4 * number,
            mask: word(mask),
            value: word(value),
        });
        let words = words.filter(|word| word.mask != 0).collect();
        Known { instances, births, words, creators }
    }

    /// Selects the table of a state and reads the program counters; false if the state has no
    /// table.
    fn read_state(&mut self, state: &[u8]) -> bool {
        let fits = |known: &Known| known.fits(state, &self.creators);
        if !self.tables.get(self.current).is_some_and(|table| fits(&table.known)) && !self.find(state) {
            return false;
        }
        let table = &self.tables[self.current];
        self.standing.at.clear();
        // Stored locations are counted from 1; 0 means that the process does not exist.
        let at = |(pc, base, first): &(Field, u32, u32)| first + pc.read(state, *base) as u32 - 1;
        self.standing.at.extend(table.places.iter().map(at));
        true
    }

    #[cold]
    fn find(&mut self, state: &[u8]) -> bool {
        let count = self.layout.count.read(state, 0) as usize;
        if count == 0 {
            return false;
        }
        let fits = |known: &Known| known.fits(state, &self.creators);
        if let Some(known) = self.tables.iter().position(|table| fits(&table.known)) {
            self.current = known;
            return true;
        }
        // States with the same processes follow one another.
        if let Some(known) = self.refused.iter().position(fits) {
            self.refused.swap(0, known);
            return false;
        }
        let births = self.grows && self.may_create(state, count);
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
        let locations = instances.iter().map(|one| model.process(one.proc).locations.len() as u64).sum();
        let analysed = self.analyses.of(&instances, births, locations, || {
            analyse(&self.values, &self.references, &instances, births, self.visible.as_ref())
        });
        let known = self.recognised(instances, births);
        let Some(conflicts) = analysed else {
            // Sets that are not analysed are as many as the model makes.
            if self.refused.len() == MOST_REFUSED {
                self.refused.pop();
            }
            self.refused.insert(0, known);
            return false;
        };
        let channels = self.channels(&known.instances);
        let place = |(pid, instance): (usize, &Instance)| {
            let pc = self.layout.procs[instance.proc.index()].pc;
            (pc, self.layout.slots[pid].base, conflicts.first[pid] as u32)
        };
        let places = known.instances.iter().enumerate().map(place).collect();
        let compresses = conflicts.private.contains(&true);
        let stubborn = Stubborn::new(&self.layout, &known.instances, &conflicts, &channels);
        self.tables.push(Table { known, conflicts, places, compresses, channels, stubborn });
        self.current = self.tables.len() - 1;
        true
    }

    fn channels(&self, instances: &[Instance]) -> Vec<Option<(Field, u32, u32)>> {
        let layout = &self.layout;
        let last = layout.numbers.first_own as usize - 1 + instances.len() * layout.numbers.stride as usize;
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

    /// Replaces `out` by candidate sets of processes, as masks, the best first. Each set may
    /// represent all processes if one of its processes is enabled.
    pub fn candidates(&mut self, state: &[u8], out: &mut Vec<u64>) {
        out.clear();
        if !self.read_state(state) {
            return;
        }
        let (standing, table) = (&self.standing.at, &mut self.tables[self.current]);
        let count = standing.len();
        let all = (1u64 << count) - 1;
        match self.kind {
            Reduction::Ample => {
                let interfering = |at, pid| table.needed(at, pid, standing, state);
                return ample::sets(&table.conflicts, standing, interfering, out);
            }
            Reduction::Guards => {
                table.sets(standing, state, out);
                self.work += table.stubborn.take_work();
                return;
            }
            Reduction::None | Reduction::Stubborn => {}
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
                if improper || set == all {
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

    /// Whether path compression applies in no state.
    pub fn never_compresses(&self) -> bool {
        !self.grows && !self.ends && self.tables.first().is_some_and(|table| !table.compresses)
    }

    /// The next process not in `tried` whose step may be executed before all others, if it is
    /// enabled.
    pub fn compress(&mut self, state: &[u8], tried: u64) -> Option<u32> {
        if !self.read_state(state) {
            return None;
        }
        let (standing, table) = (&self.standing.at, &self.tables[self.current]);
        // A single process leaves no choice.
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
    /// Adds the candidate sets around each process of a state, the best first.
    fn sets(&mut self, standing: &[u32], state: &[u8], out: &mut Vec<u64>) {
        self.stubborn.read_state(&self.conflicts, standing, state);
        let channels = &self.channels;
        let missing = |wait: &axle_reduce::Wait| match channels[wait.channel as usize - 1] {
            Some((len, base, capacity)) => {
                len.read(state, base) as u32 == if wait.room { capacity } else { 0 }
            }
            // Not a buffered channel: no separate necessary enabling set.
            None => true,
        };
        self.stubborn.sets(&self.conflicts, standing, &missing, out);
    }

    /// The processes that may interfere with a process in a state.
    fn needed(&self, at: usize, pid: usize, standing: &[u32], state: &[u8]) -> u64 {
        let mut room = |value: u32| match self.channels[value as usize - 1] {
            Some((len, base, capacity)) => (len.read(state, base) as u32, capacity),
            // Not a buffered channel: no separate necessary enabling set.
            None => (0, 0),
        };
        let needed = self.conflicts.needed(at, standing, &mut room);
        if !self.conflicts.ends[at] {
            return needed;
        }
        // Processes terminate in reverse order of creation: all younger processes terminate first.
        needed | (((1u64 << standing.len()) - 1) & !((2u64 << pid) - 1))
    }
}
