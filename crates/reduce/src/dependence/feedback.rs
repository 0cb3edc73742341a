//! Choice of the sticky edges of all processes of a table: the arcs for [`super::cycles`], the edges
//! that need no break, and the locations at which a break costs most.
//!
//! A process at the source of a sticky edge is in no reduced set. A location at which another
//! process may interfere anyway, or that the property observes, is therefore a better place than
//! one at which the process is a persistent set of its own.
//!
//! While processes may still be created, the choice must not depend on the existing processes:
//! executions pass through many sets of processes. It then depends on the type of a process and on
//! the values of its constant locals only.
//!
//! *Entry point:* [`Feedback::sticky`].
//! *Invariant:* every infinite execution in which the set of processes that may create others does
//! not change executes a sticky edge, or an edge that awaits `timeout`, infinitely often. (If every
//! process executed finitely many edges, finitely many would be created: a process is created by
//! one with a smaller number, and numbers are bounded.)

use axle_model::{Atomicity, Comm, Edge, LocId, ProcId};

use super::analysis::{Relation, Work};
use super::cycles::{Arc, sticky};
use super::footprint::{Channels, awaits_timeout};
use super::guarantees::Guarantees;
use crate::bits::Meets;
use crate::fixed::Who;
use crate::visible::Visible;

/// The inputs of the choice.
pub(super) struct Feedback<'a> {
    pub work: &'a Work<'a>,
    pub relation: &'a Relation,
    pub visible: Option<&'a Visible>,
    /// Whether processes may still be created.
    pub births: bool,
}

impl Feedback<'_> {
    /// For each process and edge, whether it is sticky, in the better of two process orders.
    pub fn sticky(&self) -> Vec<Vec<bool>> {
        let up = self.exemptions(|a, b| a < b);
        let down = self.exemptions(|a, b| a > b);
        let of_up = self.sticky_with(&up);
        if up == down {
            return of_up;
        }
        let of_down = self.sticky_with(&down);
        if self.cost(&of_down) < self.cost(&of_up) { of_down } else { of_up }
    }

    /// The number of locations at which a process is in no reduced set: those at which it would be a
    /// persistent set of its own, and all.
    fn cost(&self, sticky: &[Vec<bool>]) -> (usize, usize) {
        let (mut lone, mut all) = (0, 0);
        for (pid, sticky) in sticky.iter().enumerate() {
            let process = self.work.model.process(self.work.proc(pid));
            for (loc, location) in process.locations.iter().enumerate() {
                if location.out.iter().any(|id| sticky[id.index()]) {
                    all += 1;
                    lone += usize::from(self.is_alone(pid, loc));
                }
            }
        }
        (lone, all)
    }

    /// For each process and edge, whether it is exempt in an order of the processes.
    fn exemptions(&self, before: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
        let of = |pid: usize| {
            let edges = self.work.model.process(self.work.proc(pid)).edges.iter();
            // All processes are expanded in each state in which `timeout` is true. A process ends
            // once.
            let exempt = |edge: &Edge| {
                awaits_timeout(edge) || edge.ends() || !self.births && self.exempt(pid, edge, &before)
            };
            edges.map(exempt).collect()
        };
        (0..self.work.instances.len()).map(of).collect()
    }

    fn sticky_with(&self, exempt: &[Vec<bool>]) -> Vec<Vec<bool>> {
        let work = self.work;
        let mut of_types: Vec<Option<Vec<bool>>> = vec![None; work.model.processes.len()];
        (0..work.instances.len())
            .map(|pid| {
                let proc = work.proc(pid);
                let process = work.model.process(proc);
                let lone: Vec<bool> = match self.births {
                    true => of_types[proc.index()].get_or_insert_with(|| self.local_locations(proc)).clone(),
                    false => (0..process.locations.len()).map(|loc| self.is_alone(pid, loc)).collect(),
                };
                let weight = |edge: &Edge| match self.births {
                    true => 0,
                    false => {
                        let at = self.relation.first[pid] + edge.source.index();
                        self.relation.conflicting[at].count_ones()
                    }
                };
                let arcs: Vec<Arc> = (process.edges.iter().zip(&exempt[pid]))
                    .map(|(edge, &exempt)| Arc {
                        edge,
                        exempt,
                        lone: lone[edge.source.index()],
                        weight: weight(edge),
                    })
                    .collect();
                sticky(process, (pid as u32, &work.instances[pid]), work.footprints.values, &arcs)
            })
            .collect()
    }

    /// Whether a process at a location is a persistent set of its own unless an edge of it is
    /// sticky.
    fn is_alone(&self, pid: usize, loc: usize) -> bool {
        let step = &self.work.steps[pid][loc];
        self.relation.conflicting[self.relation.first[pid] + loc] == 0
            && step.control_passing == 0
            && !self.visible.is_some_and(|visible| self.work.seen(pid, step, visible))
    }

    /// For each location of a type, whether no process can notice the steps of a process there,
    /// whichever processes exist.
    fn local_locations(&self, proc: ProcId) -> Vec<bool> {
        let work = self.work;
        let process = work.model.process(proc);
        let inside = super::footprint::inside_sequences(work.model, proc);
        let nothing = Guarantees::none(process);
        let none = work.footprints.cells.none();
        let is_labelled = self.visible.map(Visible::labels);
        let labelled = |loc: LocId| {
            is_labelled.as_ref().is_some_and(|is_labelled| is_labelled(&process.locations[loc.index()]))
        };
        let is_local = |loc: usize| {
            let who = Who::Some(proc);
            let (own, awaited) = work.footprints.of_location(who, LocId::new(loc), inside[loc], &nothing);
            let mut out = process.locations[loc].out.iter().map(|id| &process.edges[id.index()]);
            let is_seen = labelled(LocId::new(loc)) || out.any(|edge| labelled(edge.target));
            // Senders that notice the arrival of a receiver are rare.
            let is_noticed = own.reads != none || own.writes.meets(&own.writes, &work.commuting);
            !is_noticed && awaited.is_empty() && !is_seen
        };
        let mut local: Vec<bool> = (0..process.locations.len()).map(is_local).collect();
        // A sequence is local if all its parts are.
        loop {
            let leaves = |edge: &&Edge| {
                let within = edge.keep != Atomicity::Release && !awaits_timeout(edge);
                local[edge.source.index()] && within && !local[edge.target.index()]
            };
            match process.edges.iter().find(leaves) {
                Some(edge) => local[edge.source.index()] = false,
                None => return local,
            }
        }
    }

    /// Whether a process can execute an edge infinitely often only if earlier processes communicate
    /// with it infinitely often.
    fn exempt(&self, pid: usize, edge: &Edge, before: &impl Fn(usize, usize) -> bool) -> bool {
        let Work { model, footprints, .. } = self.work;
        let (chan, sends) = match &edge.comm {
            Some(Comm::Send { chan, .. }) if !model.semantics.lossy => (chan, true),
            Some(Comm::Receive { chan, copy: false, .. }) => (chan, false),
            Some(Comm::Send { .. } | Comm::Receive { .. }) | None => return false,
        };
        let channels = footprints.channels(self.work.who(pid), chan);
        if channels == Channels::Any {
            return false;
        }
        (0..self.work.instances.len()).all(|other| {
            before(other, pid)
                || model.process(self.work.proc(other)).edges.iter().all(|edge| {
                    let chan = match &edge.comm {
                        Some(Comm::Send { chan, .. }) if !sends => chan,
                        Some(Comm::Receive { chan, .. }) if sends => chan,
                        Some(Comm::Send { .. } | Comm::Receive { .. }) | None => return true,
                    };
                    !channels.may_be_same(&footprints.channels(self.work.who(other), chan))
                })
        })
    }
}
