//! Stubborn sets of processes with necessary enabling sets.
//!
//! While the processes of a set do not move, a process outside can leave a location with a closed
//! gate (crates/reduce, `gates.rs`) only after another process has opened the gate. The search
//! starts from the program counters and follows all edges whose gates are open or can be opened by
//! processes outside. This over-approximates the steps outside the set. If none of these steps
//! conflicts with the next steps of the set, the set is persistent. Otherwise it is extended by the
//! conflicting process or, if that process is blocked, by the process that enables it. A process
//! that reaches a conflict through edges without gates is in every such set and found without the
//! search.
//!
//! *Entry point:* [`Stubborn::sets`].
//!
//! *Source:* P. Godefroid, Partial-Order Methods, LNCS 1032, 1996, definition 4.1; A. Laarman and
//! others, Guard-based partial-order reduction, SPIN 2013, for A. Valmari's stubborn sets with
//! necessary enabling sets.
//!
//! *Invariant:* The computed steps include all steps that processes outside can make, and depend on
//! the state only. The ignoring problem is not solved here: only a search that solves it may use
//! these sets ([`crate::por::terminal_components`]).

use axle_model::ProcId;
use axle_reduce::conflicts::pids_of;
use axle_reduce::gates::GuardedEdge;
use axle_reduce::residual_predicate::Leaf;
use axle_reduce::{Conflicts, Instance, Wait};
use axle_step::Layout;
use axle_step::layout::{Data, Field, Home};

/// The process is enabled without another process.
const NOBODY: u32 = u32::MAX;

/// Position of the scalars that a gate depends on: the field, and the first bit of its owner.
type Places = Box<[(Field, u32)]>;

/// Result of the analysis of one state; a structure so that its memory is reused.
#[derive(Debug)]
pub(crate) struct Stubborn {
    /// For each gate, the scalars that it depends on; `None` if the state does not contain them.
    places: Vec<Option<Places>>,
    /// For each gate, whether it is closed in the state.
    shut: Vec<bool>,
    /// The processes that are blocked in the state, as a mask.
    waiting: u64,
    /// For each location, the locations from which its process can make a step without a gate after
    /// such steps only. A row is computed when it is first needed: most process sets are met in a few
    /// states only.
    ungated: Vec<Option<Box<[u64]>>>,
    /// Locations from which a process outside the set can make a step.
    done: Vec<u64>,
    /// Locations at which a step conflicts with the set.
    against: Vec<u64>,
    /// Locations that a process outside the set can reach.
    come: Vec<u64>,
    /// For each process, the process that enables it at its current location.
    enabling: Vec<u32>,
    /// Reached edges that are not enabled yet: location, edge, process.
    pending: Vec<(u32, u32, u32)>,
    /// Elementary steps so far: gates, words of rows, and inspections of edges.
    work: u64,
}

/// The scalars of a variable, in order.
pub(crate) fn scalars(data: &Data, base: u32, out: &mut Vec<(Field, u32)>) {
    match data {
        Data::Scalar(field) => out.push((*field, base)),
        Data::Record(fields) => fields.iter().for_each(|data| scalars(data, base, out)),
        Data::Array { first, stride, len } => {
            (0..*len).for_each(|i| scalars(first, base + i * stride, out));
        }
    }
}

/// Position of a leaf of an expression.
fn place(
    layout: &Layout,
    instance: (usize, ProcId),
    lengths: &[Option<(Field, u32, u32)>],
    leaf: Leaf,
) -> Option<(Field, u32)> {
    let mut list = Vec::new();
    let spot = match leaf {
        Leaf::Length(channel) => {
            let (field, base, _) = (*lengths.get(channel as usize - 1)?)?;
            return Some((field, base));
        }
        Leaf::Global(global, spot) => {
            let Home::State(data) = &layout.globals[global] else { return None };
            scalars(data, 0, &mut list);
            spot
        }
        Leaf::Local(local, spot) => {
            let (pid, proc) = instance;
            scalars(layout.procs[proc.index()].locals.get(local)?, layout.slots[pid].base, &mut list);
            spot
        }
    };
    list.get(spot).copied()
}

impl Stubborn {
    /// For the processes of a conflict analysis; `lengths` gives the position of each channel's
    /// length.
    pub fn new(
        layout: &Layout,
        instances: &[Instance],
        conflicts: &Conflicts,
        lengths: &[Option<(Field, u32, u32)>],
    ) -> Stubborn {
        let places = |gate: &axle_reduce::gates::Gate| {
            let of = |leaf: &Leaf| place(layout, (gate.pid, instances[gate.pid].proc), lengths, *leaf);
            gate.question.leaves.iter().map(of).collect::<Option<Places>>()
        };
        let words = conflicts.words();
        Stubborn {
            places: conflicts.gates.list.iter().map(places).collect(),
            shut: vec![false; conflicts.gates.list.len()],
            waiting: 0,
            ungated: vec![None; conflicts.locations],
            done: vec![0; words],
            against: vec![0; words],
            come: vec![0; words],
            enabling: vec![NOBODY; instances.len()],
            pending: Vec::new(),
            work: 0,
        }
    }

    /// The elementary steps since the last call.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Reads a state with the given program counters: determines the closed gates and the blocked
    /// processes.
    pub fn read_state(&mut self, conflicts: &Conflicts, standing: &[u32], state: &[u8]) {
        for ((gate, places), shut) in conflicts.gates.list.iter().zip(&self.places).zip(&mut self.shut) {
            *shut = places.as_ref().is_some_and(|places| {
                let mut read = |leaf: u32| {
                    let (field, base) = places[leaf as usize];
                    field.read(state, base)
                };
                gate.question.answer(&mut read) == Some(0)
            });
        }
        self.work += self.shut.len() as u64;
        self.waiting = 0;
        for (pid, &at) in standing.iter().enumerate() {
            let ways = &conflicts.gates.ways[at as usize];
            let shut = |way: &GuardedEdge| {
                (way.ends && pid + 1 != standing.len())
                    || way.gates.iter().any(|gate| self.shut[*gate as usize])
            };
            self.waiting |= u64::from(ways.iter().all(shut)) << pid;
        }
    }

    /// Adds candidate sets of the state read last, as masks, the best first. `missing` decides
    /// whether the message or the space that a process needs in a channel is missing.
    pub fn sets(
        &mut self,
        conflicts: &Conflicts,
        standing: &[u32],
        missing: &impl Fn(&Wait) -> bool,
        out: &mut Vec<u64>,
    ) {
        let movers = ((1u64 << standing.len()) - 1) & !self.waiting;
        // A process that could either terminate after all younger processes or do something else is
        // in no set.
        let unfit = |pid: &usize| {
            let at = standing[*pid] as usize;
            !conflicts.fit[at] || (conflicts.ends[at] && pid + 1 != standing.len())
        };
        let mut hopeless = pids_of(movers).filter(unfit).fold(0, |all, pid| all | 1 << pid);
        for seed in pids_of(movers & !hopeless) {
            match self.set(conflicts, standing, seed, (movers, hopeless), missing) {
                Some(set) if out.contains(&set) => {}
                Some(set) => out.push(set),
                None => hopeless |= 1 << seed,
            }
        }
        out.sort_by_key(|set| set.count_ones());
    }

    /// The set around a process; `None` if it contains all enabled processes or an unsuitable one.
    fn set(
        &mut self,
        conflicts: &Conflicts,
        standing: &[u32],
        seed: usize,
        (movers, hopeless): (u64, u64),
        missing: &impl Fn(&Wait) -> bool,
    ) -> Option<u64> {
        let (mut set, mut new) = (1u64 << seed, 1u64 << seed);
        loop {
            // A process whose very next step may conflict must be included in any case.
            while new != 0 {
                let pid = new.trailing_zeros() as usize;
                new &= new - 1;
                let row = conflicts.next_step_dependence(standing[pid] as usize);
                let direct = |other: &usize| {
                    let at = standing[*other] as usize;
                    row[at / 64] >> (at % 64) & 1 == 1
                };
                let more = pids_of(movers & !set).filter(direct).fold(0, |all, pid| all | 1 << pid);
                set |= more;
                new |= more;
            }
            if set & hopeless != 0 || set & movers == movers {
                return None;
            }
            self.oppose(conflicts, standing, set, missing);
            if pids_of(hopeless).any(|pid| self.reaches(conflicts, standing[pid])) {
                return None;
            }
            let outside = pids_of(movers & !set);
            let more = outside.filter(|&pid| self.reaches(conflicts, standing[pid]));
            let more = more.fold(0, |all, pid| all | 1 << pid);
            if more != 0 {
                (set, new) = (set | more, more);
                continue;
            }
            let mut other = match self.first_conflict(conflicts, standing, set) {
                None => return Some(set),
                Some(other) => other,
            };
            while self.enabling[other as usize] != NOBODY {
                other = self.enabling[other as usize];
            }
            set |= 1 << other;
            new = 1 << other;
        }
    }

    /// Computes the locations at which a step conflicts with a set.
    fn oppose(
        &mut self,
        conflicts: &Conflicts,
        standing: &[u32],
        set: u64,
        missing: &impl Fn(&Wait) -> bool,
    ) {
        self.against.fill(0);
        for pid in pids_of(set) {
            let at = standing[pid] as usize;
            self.work += (self.against.len() * (1 + conflicts.waits[at].len())) as u64;
            let waits = conflicts.waits[at].iter().filter(|wait| missing(wait)).map(|wait| &wait.enders[..]);
            for row in std::iter::once(conflicts.next_step_dependence(at)).chain(waits) {
                self.against.iter_mut().zip(row).for_each(|(all, row)| *all |= row);
            }
        }
    }

    /// Whether a process at this location makes a step that conflicts with the set, without any gate
    /// on its way.
    fn reaches(&mut self, conflicts: &Conflicts, at: u32) -> bool {
        let row = self.ungated[at as usize].get_or_insert_with(|| ungated(conflicts, at));
        self.against.iter().zip(row).any(|(against, row)| *against & *row != 0)
    }

    /// Computes the steps of processes outside a set while its members do not move, up to the first
    /// step that conflicts with the set; returns the process of that step.
    fn first_conflict(&mut self, conflicts: &Conflicts, standing: &[u32], set: u64) -> Option<u32> {
        self.done.fill(0);
        self.come.fill(0);
        self.enabling.fill(NOBODY);
        self.pending.clear();
        let (mut moved, mut ended) = (0u64, 0u64);
        for (pid, &at) in standing.iter().enumerate().filter(|(pid, _)| set >> pid & 1 == 0) {
            self.visit_location(conflicts, at, pid as u32);
        }
        loop {
            let (mut next, mut any) = (0, false);
            self.work += self.pending.len() as u64;
            while next < self.pending.len() {
                let (at, way, pid) = self.pending[next];
                let way = &conflicts.gates.ways[at as usize][way as usize];
                // Processes terminate in reverse order of creation: all younger ones must have
                // terminated.
                let younger = ((1u64 << standing.len()) - 1) & !((2u64 << pid) - 1);
                let last = way.ends && younger & !ended != 0;
                let opener = self.passes(conflicts, way, moved >> pid & 1 == 1);
                let (Some(mut opener), false) = (opener, last) else {
                    next += 1;
                    continue;
                };
                if way.ends {
                    ended |= 1 << pid;
                    if opener == NOBODY && younger != 0 {
                        opener = pid + 1;
                    }
                }
                any = true;
                self.pending.swap_remove(next);
                if moved >> pid & 1 == 0 {
                    moved |= 1 << pid;
                    if self.waiting >> pid & 1 == 1 {
                        self.enabling[pid as usize] = opener;
                    }
                }
                let (word, bit) = (at as usize / 64, 1 << (at % 64));
                self.done[word] |= bit;
                if self.against[word] & bit != 0 {
                    return Some(pid);
                }
                self.visit_location(conflicts, way.target, pid);
            }
            if !any {
                return None;
            }
        }
    }

    /// Processes the first visit of a location.
    fn visit_location(&mut self, conflicts: &Conflicts, at: u32, pid: u32) {
        let (word, bit) = (at as usize / 64, 1 << (at % 64));
        if self.come[word] & bit == 0 {
            self.come[word] |= bit;
            let ways = 0..conflicts.gates.ways[at as usize].len() as u32;
            self.pending.extend(ways.map(|way| (at, way, pid)));
        }
    }

    /// Whether an edge can be executed, and the process that must open its gate first. `moved`
    /// states that its own process has made a step, so that its locals are unknown.
    fn passes(&self, conflicts: &Conflicts, way: &GuardedEdge, moved: bool) -> Option<u32> {
        let mut opener = NOBODY;
        for &number in &way.gates {
            let gate = &conflicts.gates.list[number as usize];
            if !self.shut[number as usize] || (moved && gate.own) {
                continue;
            }
            let opening = gate
                .necessary_enabling
                .iter()
                .zip(&self.done)
                .enumerate()
                .find(|(_, (row, done))| *row & *done != 0);
            let (word, (row, done)) = opening?;
            if opener == NOBODY {
                opener = owner(conflicts, word as u32 * 64 + (row & done).trailing_zeros());
            }
        }
        Some(opener)
    }
}

/// The row of a location in [`Stubborn::ungated`].
fn ungated(conflicts: &Conflicts, from: u32) -> Box<[u64]> {
    let open = |at: u32| {
        let ways = &conflicts.gates.ways[at as usize];
        ways.iter().filter(|way| way.gates.is_empty() && !way.ends)
    };
    let mut row = vec![0; conflicts.words()].into_boxed_slice();
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        let (word, bit) = (at as usize / 64, 1 << (at % 64));
        if row[word] & bit == 0 && open(at).next().is_some() {
            row[word] |= bit;
            todo.extend(open(at).map(|way| way.target));
        }
    }
    row
}

/// The process of a location.
fn owner(conflicts: &Conflicts, at: u32) -> u32 {
    conflicts.first.partition_point(|first| *first <= at as usize) as u32 - 1
}
