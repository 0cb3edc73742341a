//! Guaranteed communications: for each location of a process, the messages that a channel contains
//! at least, and the room that it has at least.
//!
//! If only one process receives from a channel, no other process removes messages: a test `nempty`
//! of the receiver remains true until it receives. Likewise for room, if only one process sends. A
//! guaranteed communication does not wait, so nothing that others do decides about it. This is the
//! static counterpart of Spin's channel assertions `xr` and `xs`, which a model need not contain.
//!
//! *Entry point:* [`Guarantees::new`].
//! *Source:* G. J. Holzmann and D. Peled, An improvement in formal verification, FORTE 1994,
//! section 3.3 (exclusive channels); G. Kildall, A unified approach to global program optimization,
//! POPL 1973 (the iteration).
//! *Invariant:* the bounds hold whenever the process is at the location, also after an interrupted
//! atomic sequence. Processes that have ended count as well, because a bound may be older than
//! their last communication.

use axle_model::{Comm, Edge, Expr, LocId, Model, Process, Query};

use super::footprint::{Channels, Footprints, conjuncts};
use crate::fixed::{Instance, Who};

/// The largest bound that is distinguished.
const MOST: u8 = 15;

/// Lower bounds for the channels of the model; 0 for a channel that others may use as well.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bounds {
    /// The messages of each channel.
    messages: Vec<u8>,
    /// The room in each channel.
    room: Vec<u8>,
}

impl Bounds {
    /// Whether a channel certainly contains a message, or has room for one.
    pub fn guarantees(&self, channel: usize, room: bool) -> bool {
        let bounds = if room { &self.room } else { &self.messages };
        bounds.get(channel).is_some_and(|bound| *bound > 0)
    }

    fn join(&mut self, other: &Bounds) {
        self.messages.iter_mut().zip(&other.messages).for_each(|(own, other)| *own = (*own).min(*other));
        self.room.iter_mut().zip(&other.room).for_each(|(own, other)| *own = (*own).min(*other));
    }
}

/// The guarantees of a process.
#[derive(Clone, Debug)]
pub struct Guarantees {
    /// For each channel of the model, whether only this process receives from it, and whether only
    /// this process sends to it.
    exclusive: Vec<(bool, bool)>,
    /// For each location, the bounds; `None` if the process never gets there.
    at: Vec<Option<Bounds>>,
}

impl Guarantees {
    /// No guarantees for a process of a type.
    pub fn none(process: &Process) -> Guarantees {
        Guarantees { exclusive: Vec::new(), at: vec![None; process.locations.len()] }
    }

    /// The guarantees of the process with number `pid` among all that exist. `births`: whether
    /// further processes may be created.
    pub fn new(footprints: &Footprints, instances: &[Instance], pid: usize, births: bool) -> Guarantees {
        let model = footprints.values.model;
        let process = model.process(instances[pid].proc);
        let all_exist = !births;
        let exclusive: Vec<(bool, bool)> = (0..model.channels.len())
            .map(|channel| {
                // A send to a full lossy channel is executed, and a rendezvous channel has no room.
                let is_buffered = footprints.capacities[channel] != Some(0) && !model.semantics.lossy;
                let is_alone = |sends| all_exist && is_alone(footprints, instances, pid, (channel, sends));
                (is_buffered && is_alone(false), is_buffered && is_alone(true))
            })
            .collect();
        let mut made = Guarantees { exclusive, at: vec![None; process.locations.len()] };
        if !made.exclusive.iter().any(|(receives, sends)| *receives || *sends) {
            made.at.fill(Some(Bounds::default()));
            return made;
        }
        let count = model.channels.len();
        let who = Who::One(pid as u32, &instances[pid]);
        made.at[process.entry.index()] = Some(Bounds { messages: vec![0; count], room: vec![0; count] });
        let mut todo = vec![process.entry];
        while let Some(loc) = todo.pop() {
            let Some(before) = made.at[loc.index()].clone() else { continue };
            for id in &process.locations[loc.index()].out {
                let edge = &process.edges[id.index()];
                let after = made.after(footprints, who, edge, &before);
                let known = &mut made.at[edge.target.index()];
                let mut joined = known.clone().unwrap_or_else(|| after.clone());
                joined.join(&after);
                if known.as_ref() != Some(&joined) {
                    *known = Some(joined);
                    todo.push(edge.target);
                }
            }
        }
        made
    }

    /// The bounds for an edge once its guard is true.
    pub fn on_edge(&self, footprints: &Footprints, who: Who, edge: &Edge) -> Bounds {
        match &self.at[edge.source.index()] {
            Some(before) => self.after_guard(footprints, who, edge, before),
            None => Bounds::default(),
        }
    }

    /// The bounds at a location.
    pub fn at(&self, loc: LocId) -> Bounds {
        self.at[loc.index()].clone().unwrap_or_default()
    }

    fn after_guard(&self, footprints: &Footprints, who: Who, edge: &Edge, before: &Bounds) -> Bounds {
        let mut bounds = before.clone();
        let mut parts = Vec::new();
        conjuncts(&edge.guard, &mut parts);
        for part in parts {
            let (chan, room) = match part {
                Expr::Query(Query::NotEmpty, chan) => (chan, false),
                Expr::Query(Query::NotFull, chan) => (chan, true),
                Expr::CanReceive { chan, .. } => (chan, false),
                _ => continue,
            };
            let Channels::One(channel) = footprints.channels(who, chan) else { continue };
            let Some(&(receives, sends)) = self.exclusive.get(channel) else { continue };
            if room && sends {
                raise(&mut bounds.room, channel);
            } else if !room && receives {
                raise(&mut bounds.messages, channel);
            }
        }
        bounds
    }

    /// The bounds at the target of an edge.
    fn after(&self, footprints: &Footprints, who: Who, edge: &Edge, before: &Bounds) -> Bounds {
        let mut bounds = self.after_guard(footprints, who, edge, before);
        let (chan, lowered) = match &edge.comm {
            Some(Comm::Send { chan, .. }) => (chan, &mut bounds.room),
            Some(Comm::Receive { chan, copy: false, .. }) => (chan, &mut bounds.messages),
            Some(Comm::Receive { copy: true, .. }) | None => return bounds,
        };
        match footprints.channels(who, chan) {
            Channels::One(channel) => {
                if let Some(bound) = lowered.get_mut(channel) {
                    *bound = bound.saturating_sub(1);
                }
            }
            channels => {
                let bounds = lowered.iter_mut().enumerate();
                let used = bounds.filter(|(channel, _)| channels.may_be_same(&Channels::One(*channel)));
                used.for_each(|(_, bound)| *bound = bound.saturating_sub(1));
            }
        }
        bounds
    }
}

fn raise(bounds: &mut [u8], channel: usize) {
    if let Some(bound) = bounds.get_mut(channel) {
        *bound = (*bound).clamp(1, MOST);
    }
}

/// Whether no other process ever sends to a channel (or removes messages from it): none that
/// exists, and none of a type that can end.
fn is_alone(
    footprints: &Footprints,
    instances: &[Instance],
    pid: usize,
    (channel, sends): (usize, bool),
) -> bool {
    let model = footprints.values.model;
    let uses = |who: Who, edge: &Edge| {
        let chan = match &edge.comm {
            Some(Comm::Send { chan, .. }) if sends => chan,
            Some(Comm::Receive { chan, copy: false, .. }) if !sends => chan,
            Some(Comm::Send { .. } | Comm::Receive { .. }) | None => return false,
        };
        footprints.channels(who, chan).may_be_same(&Channels::One(channel))
    };
    let exists = |(other, instance): (usize, &Instance)| {
        let who = Who::One(other as u32, instance);
        other != pid && model.process(instance.proc).edges.iter().any(|edge| uses(who, edge))
    };
    !instances.iter().enumerate().any(exists)
        && !may_have_ended(model)
            .any(|proc| model.process(proc).edges.iter().any(|edge| uses(Who::Some(proc), edge)))
}

/// The types of processes that can end.
fn may_have_ended(model: &Model) -> impl Iterator<Item = axle_model::ProcId> + '_ {
    let ends = |proc: &axle_model::ProcId| model.process(*proc).edges.iter().any(Edge::ends);
    (0..model.processes.len()).map(axle_model::ProcId::new).filter(ends)
}
