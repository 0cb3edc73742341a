//! May-conflict relation: for every process at every location, the locations of other processes
//! from which a dependent transition is still reachable.
//!
//! A set of processes that is closed under this relation in a state, and that contains an enabled
//! process, is persistent in that state. Three refinements reduce the relation: array elements and
//! channels are distinguished by values that are constant in each process; a process that waits for
//! room or for a message requires others only in states in which it waits ([`Wait`]); and only
//! transitions that another process can still reach count.
//!
//! *Entry point:* [`analyse`].
//! *Source:* P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS
//! 1032, 1996, section 4.5 (conflicts by reachable operations, which are located by program
//! counter).
//! *Invariant:* all edges of a location count as one transition, including an atomic sequence that
//! starts there.

use axle_model::access::ChannelNumbers;
use axle_model::{Atomicity, Expr, LocId, Model, ProcId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{Cells, Role};
use super::conflicts::{Conflicts, Wait};
use super::creation::Creations;
use super::feedback::Feedback;
use super::footprint::{Awaited, Channels, Footprint, Footprints, awaits_timeout, inside_sequences, is_end};
use super::gates::{Act, Gates, gates};
use super::guarantees::Guarantees;
use super::references::References;
use crate::bits::Meets;
use crate::fixed::{Instance, Values, Who};
use crate::visible::Visible;

/// Maximum number of locations of all processes together, and of processes.
const MOST_LOCATIONS: usize = 4096;
const MOST_PROCESSES: usize = 63;

/// State of the analysis.
pub(super) struct Work<'a> {
    pub(super) model: &'a Model,
    pub(super) instances: &'a [Instance],
    pub(super) footprints: Footprints<'a>,
    /// For each process and location.
    pub(super) steps: Vec<Vec<Step>>,
    awaited_cells: FixedBitSet,
    pub(super) commuting: FixedBitSet,
    /// Whether atomic sequences pass through, by process and location.
    pub(super) inside: Vec<Vec<bool>>,
}

/// The transitions of a process at a location.
#[derive(Clone, Debug)]
pub(super) struct Step {
    own: Footprint,
    awaited: Vec<Awaited>,
    /// The later transitions of the processes that it creates.
    created: Option<Footprint>,
    /// Including the atomic sequences that start there.
    whole: Footprint,
    /// Processes to which a sequence that starts there may pass control.
    pub(super) control_passing: u64,
    /// The locations of the process that a sequence starting there passes through, and this one.
    through: Vec<LocId>,
}

/// Computes the may-conflict relation of existing processes. `births`: whether one of them can
/// still create others. `None` if the model is too large.
pub fn analyse(
    values: &Values,
    references: &References,
    instances: &[Instance],
    births: bool,
    visible: Option<&Visible>,
) -> Option<Conflicts> {
    let model = values.model;
    let count = |i: &Instance| model.process(i.proc).locations.len();
    let total: usize = instances.iter().map(count).sum();
    if total > MOST_LOCATIONS || instances.len() > MOST_PROCESSES {
        return None;
    }
    let asked: &[Expr] = visible.map_or(&[], |visible| &visible.expressions);
    let cells = Cells::new(model, instances.len(), asked);
    let capacities = capacities(model, instances);
    let footprints = Footprints { values, references, instances, cells: &cells, capacities };
    let mut work = Work {
        model,
        instances,
        awaited_cells: cells.awaited(),
        commuting: cells.commuting(),
        steps: Vec::new(),
        inside: instances.iter().map(|i| inside_sequences(model, i.proc)).collect(),
        footprints,
    };
    let mut creations = Creations::default();
    work.steps = (0..instances.len()).map(|pid| work.own_steps(pid, births, &mut creations)).collect();
    for pid in 0..instances.len() {
        for loc in 0..work.steps[pid].len() {
            let (whole, control_passing, through) = work.whole(pid, loc);
            let step = &mut work.steps[pid][loc];
            (step.whole, step.control_passing, step.through) = (whole, control_passing, through);
        }
    }
    let relation = work.relation(total);
    let sticky = Feedback { work: &work, relation: &relation, visible, births }.sticky();
    let Candidates { fit, proper, private } = work.candidates(&relation, &sticky, visible);
    let Relation { first, rows, conflicting, waits, ends, next_step_dependence, gates } = relation;
    Some(Conflicts {
        first,
        locations: total,
        rows,
        conflicting,
        waits,
        ends,
        fit,
        proper,
        private,
        next_step_dependence,
        gates,
    })
}

/// The relation itself; the fields are those of [`Conflicts`].
pub(super) struct Relation {
    pub(super) first: Vec<usize>,
    rows: Vec<u64>,
    pub(super) conflicting: Vec<u64>,
    waits: Vec<Vec<Wait>>,
    ends: Vec<bool>,
    next_step_dependence: Vec<u64>,
    gates: Gates,
}

/// For each location, whether it is a candidate for an ample set; the fields are those of
/// [`Conflicts`].
#[derive(Default)]
struct Candidates {
    fit: Vec<bool>,
    proper: Vec<bool>,
    private: Vec<bool>,
}

/// Capacities of the channels of the model and of the processes, by reference less 1.
fn capacities(model: &Model, instances: &[Instance]) -> Vec<Option<u32>> {
    let capacity = |channel: &axle_model::Channel| model.shapes[channel.shape.index()].capacity;
    let stride = ChannelNumbers::new(model).stride;
    let mut list: Vec<Option<u32>> = model.channels.iter().map(|c| Some(capacity(c))).collect();
    for instance in instances {
        let own = &model.process(instance.proc).channels;
        list.extend((0..stride as usize).map(|i| own.get(i).map(capacity)));
    }
    list
}

impl Work<'_> {
    pub(super) fn who(&self, pid: usize) -> Who<'_> {
        Who::One(pid as u32, &self.instances[pid])
    }

    pub(super) fn proc(&self, pid: usize) -> ProcId {
        self.instances[pid].proc
    }

    fn own_steps(&self, pid: usize, births: bool, creations: &mut Creations) -> Vec<Step> {
        let proc = self.proc(pid);
        let none = self.footprints.none();
        let guarantees = Guarantees::new(&self.footprints, self.instances, pid, births);
        let step = |loc: usize| {
            let inside = self.inside[pid][loc];
            let (own, awaited) =
                self.footprints.of_location(self.who(pid), LocId::new(loc), inside, &guarantees);
            let created = creations.of_location(&self.footprints, self.who(pid), LocId::new(loc));
            Step { own, awaited, created, whole: none.clone(), control_passing: 0, through: Vec::new() }
        };
        (0..self.model.process(proc).locations.len()).map(step).collect()
    }

    /// A location with the sequences that start there: their footprint, the processes to which they
    /// pass control, and the locations of the process that they pass through.
    fn whole(&self, pid: usize, loc: usize) -> (Footprint, u64, Vec<LocId>) {
        let mut made = self.footprints.none();
        let (mut control_passing, mut through) = (0u64, Vec::new());
        let mut seen = FxHashSet::default();
        let mut todo = vec![(pid, loc, true)];
        while let Some((at, loc, first)) = todo.pop() {
            if !seen.insert((at, loc, first)) {
                continue;
            }
            if at == pid {
                through.push(LocId::new(loc));
            }
            made.add(&self.steps[at][loc].own);
            if !first {
                // Within a sequence, a wait is a dependence.
                for awaited in &self.steps[at][loc].awaited {
                    let role = if awaited.room { Role::Room } else { Role::Fill };
                    made.reads.insert(self.footprints.cells.channel(awaited.channel, role));
                }
            }
            let process = self.model.process(self.proc(at));
            for id in &process.locations[loc].out {
                let edge = &process.edges[id.index()];
                if awaits_timeout(edge) {
                    continue;
                }
                // A created process may gain control within the sequence.
                if (!first || edge.keep != Atomicity::Release)
                    && let Some(created) = &self.steps[at][loc].created
                {
                    made.add(created);
                }
                if edge.keep != Atomicity::Release {
                    todo.push((at, edge.target.index(), false));
                }
                let Some(chan) = edge.sends_to() else { continue };
                let channels = self.footprints.channels(self.who(at), chan);
                if !self.footprints.kinds(&channels).0 {
                    continue;
                }
                // The receiver of the first message is analysed separately. Later receivers gain
                // control.
                if first && at == pid {
                    continue;
                }
                for (other, receive) in self.receivers(at, &channels) {
                    let edge = &self.model.process(self.proc(other)).edges[receive];
                    control_passing |= 1 << other;
                    let step = &self.steps[other][edge.source.index()];
                    made.add(&step.own);
                    step.created.iter().for_each(|created| made.add(created));
                    if edge.keep != Atomicity::Release {
                        todo.push((other, edge.target.index(), false));
                    }
                }
            }
        }
        (made, control_passing & !(1 << pid), through)
    }

    /// Edges of other processes that may receive from these channels.
    fn receivers(&self, sender: usize, channels: &Channels) -> Vec<(usize, usize)> {
        let mut list = Vec::new();
        for other in (0..self.instances.len()).filter(|&other| other != sender) {
            for (index, edge) in self.model.process(self.proc(other)).edges.iter().enumerate() {
                let Some(chan) = edge.receives_from() else { continue };
                let theirs = self.footprints.channels(self.who(other), chan);
                if channels.may_be_same(&theirs) {
                    list.push((other, index));
                }
            }
        }
        list
    }

    /// For each process and location, the operations that are reachable from it, by number.
    fn futures(&self) -> (Vec<Vec<usize>>, Vec<Footprint>) {
        let (mut list, mut known) = (Vec::new(), FxHashMap::default());
        let of = (0..self.instances.len()).map(|pid| {
            let process = self.model.process(self.proc(pid));
            (0..process.locations.len())
                .map(|start| {
                    let mut all = self.footprints.none();
                    let (mut seen, mut todo) = (vec![false; process.locations.len()], vec![start]);
                    while let Some(at) = todo.pop() {
                        if std::mem::replace(&mut seen[at], true) {
                            continue;
                        }
                        all.add(&self.steps[pid][at].own);
                        self.steps[pid][at].created.iter().for_each(|created| all.add(created));
                        for awaited in &self.steps[pid][at].awaited {
                            let role = if awaited.room { Role::Room } else { Role::Fill };
                            all.reads.insert(self.footprints.cells.channel(awaited.channel, role));
                        }
                        let out = process.locations[at].out.iter().map(|id| &process.edges[id.index()]);
                        let out = out.filter(|edge| !awaits_timeout(edge));
                        todo.extend(out.map(|edge| edge.target.index()));
                    }
                    *known.entry(all.clone()).or_insert_with(|| {
                        list.push(all);
                        list.len() - 1
                    })
                })
                .collect()
        });
        let of = of.collect();
        (of, list)
    }

    /// The footprint of each location; a communication for which it waits counts as read, and the
    /// transitions of a created process count as its own.
    fn acts(&self) -> Vec<Act> {
        let of = |(pid, steps): (usize, &Vec<Step>)| {
            let act = |(loc, step): (usize, &Step)| {
                let mut own = step.own.clone();
                step.created.iter().for_each(|created| own.add(created));
                for awaited in &step.awaited {
                    let role = if awaited.room { Role::Room } else { Role::Fill };
                    own.reads.insert(self.footprints.cells.channel(awaited.channel, role));
                }
                Act { pid, loc, own, inside: self.inside[pid][loc] }
            };
            steps.iter().enumerate().map(act).collect::<Vec<_>>()
        };
        self.steps.iter().enumerate().flat_map(of).collect()
    }

    fn relation(&self, total: usize) -> Relation {
        let mut first = Vec::new();
        let mut next = 0;
        for instance in self.instances {
            first.push(next);
            next += self.model.process(instance.proc).locations.len();
        }
        let words = total.div_ceil(64);
        let mut made = Relation {
            rows: vec![0; total * words],
            conflicting: vec![0; total],
            waits: vec![Vec::new(); total],
            ends: vec![false; total],
            next_step_dependence: vec![0; total * words],
            gates: Gates::default(),
            first,
        };
        let (futures, list) = self.futures();
        let none = self.footprints.cells.none();
        let acts = self.acts();
        let (mut kinds, mut known) = (Vec::new(), FxHashMap::default());
        let mut kind_of = |act: &Act| {
            *known.entry(act.own.clone()).or_insert_with(|| {
                kinds.push(act.own.clone());
                kinds.len() - 1
            })
        };
        let kind: Vec<usize> = acts.iter().map(&mut kind_of).collect();
        made.gates = gates(&self.footprints, self.instances, &made.first, &acts);
        for pid in 0..self.instances.len() {
            let process = self.model.process(self.proc(pid));
            for (loc, step) in self.steps[pid].iter().enumerate() {
                let at = made.first[pid] + loc;
                let way = |future: &Footprint| {
                    step.whole.writes.meets(&future.writes, &self.commuting)
                        || step.whole.reads.meets(&future.writes, &none)
                        || step.whole.writes.meets(&future.reads, &self.awaited_cells)
                };
                let hinders: Vec<bool> = list.iter().map(way).collect();
                let in_way: Vec<bool> = kinds.iter().map(way).collect();
                let next_step_dependence = bits_of(&acts, |act| {
                    let at = made.first[act.pid] + act.loc;
                    act.pid != pid && (step.control_passing >> act.pid & 1 == 1 || in_way[kind[at]])
                });
                made.next_step_dependence[at * words..(at + 1) * words]
                    .copy_from_slice(&next_step_dependence);
                made.ends[at] =
                    process.locations[loc].out.iter().any(|id| is_end(&process.edges[id.index()]));
                let row = &mut made.rows[at * words..(at + 1) * words];
                made.conflicting[at] = fill(row, &made.first, &futures, pid, |other, future| {
                    step.control_passing >> other & 1 == 1 || hinders[future]
                });
                for awaited in &step.awaited {
                    let role = if awaited.room { Role::Room } else { Role::Fill };
                    let cell = self.footprints.cells.channel(awaited.channel, role);
                    let ends: Vec<bool> = list.iter().map(|future| future.writes.contains(cell)).collect();
                    let mut row = vec![0; words].into_boxed_slice();
                    let conflicting = fill(&mut row, &made.first, &futures, pid, |_, future| ends[future]);
                    let enders = bits_of(&acts, |act| act.pid != pid && act.own.writes.contains(cell));
                    let channel = awaited.channel as u32 + 1;
                    let wait = Wait { channel, room: awaited.room, row, conflicting, enders };
                    if conflicting != 0 && !made.waits[at].contains(&wait) {
                        made.waits[at].push(wait);
                    }
                }
            }
        }
        made
    }

    /// The candidates for ample sets, in order of the locations. `sticky` marks the sticky edges.
    fn candidates(&self, relation: &Relation, sticky: &[Vec<bool>], visible: Option<&Visible>) -> Candidates {
        let mut made = Candidates::default();
        for (pid, steps) in self.steps.iter().enumerate() {
            let process = self.model.process(self.proc(pid));
            for (loc, step) in steps.iter().enumerate() {
                let edges = |loc: &LocId| process.locations[loc.index()].out.iter().map(|id| id.index());
                let may_take = |edge: &usize| !awaits_timeout(&process.edges[*edge]);
                let mut taken = step.through.iter().flat_map(edges).filter(may_take);
                let is_sticky = taken.any(|edge| sticky[pid][edge]);
                let seen = visible.is_some_and(|visible| self.seen(pid, step, visible));
                // A sequence that passes control to others may execute their sticky edges.
                let alone = step.control_passing == 0;
                let fit = alone && !seen;
                let proper = fit && !is_sticky;
                made.fit.push(fit);
                made.proper.push(proper);
                made.private.push(proper && relation.conflicting[relation.first[pid] + loc] == 0);
            }
        }
        made
    }

    /// Whether a property may observe a transition.
    pub(super) fn seen(&self, pid: usize, step: &Step, visible: &Visible) -> bool {
        let none = self.footprints.cells.none();
        let asked = |expr: &Expr| step.whole.writes.meets(&self.footprints.of_expr(Who::Nobody, expr), &none);
        if visible.expressions.iter().any(asked) {
            return true;
        }
        if !visible.accepting && !visible.has_progress() {
            return false;
        }
        let is_labelled = visible.labels();
        // A transition that moves others is in no set.
        let process = self.model.process(self.proc(pid));
        step.through.iter().any(|loc| {
            process.locations[loc.index()].out.iter().any(|id| {
                let edge = &process.edges[id.index()];
                let labelled = |loc: LocId| is_labelled(&process.locations[loc.index()]);
                let created = |proc: ProcId| {
                    let created = self.model.process(proc);
                    is_labelled(&created.locations[created.entry.index()])
                };
                labelled(edge.source) || labelled(edge.target) || edge.creates().any(created)
            })
        })
    }
}

/// The set of locations, by number, at which `wanted`.
fn bits_of(acts: &[Act], wanted: impl Fn(&Act) -> bool) -> Box<[u64]> {
    let mut row = vec![0; acts.len().div_ceil(64)].into_boxed_slice();
    for (at, act) in acts.iter().enumerate() {
        row[at / 64] |= u64::from(wanted(act)) << (at % 64);
    }
    row
}

/// Sets the bits of the locations of other processes at which `wanted`; returns the processes with
/// such a location.
fn fill(
    row: &mut [u64],
    first: &[usize],
    futures: &[Vec<usize>],
    pid: usize,
    wanted: impl Fn(usize, usize) -> bool,
) -> u64 {
    let mut conflicting = 0;
    for (other, futures) in futures.iter().enumerate().filter(|(other, _)| *other != pid) {
        for (loc, &future) in futures.iter().enumerate() {
            if wanted(other, future) {
                let at = first[other] + loc;
                row[at / 64] |= 1 << (at % 64);
                conflicting |= 1 << other;
            }
        }
    }
    conflicting
}
