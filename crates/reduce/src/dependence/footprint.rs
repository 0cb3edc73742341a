//! Footprints: the cells that a process at a location may read and write by its next transition.
//!
//! All edges of a location count together, because whether one is executable may disable others. A
//! single send or receive reports separately that it waits for room or a message ([`Awaited`]). If
//! more than the edge itself depends on it (an `else`, a choice that must be unique, the middle of
//! an atomic sequence), the length of the channel counts as read.
//!
//! *Entry point:* [`Footprints::of_location`].
//! *Invariant:* the footprint contains every cell that the interpreter reads or changes, including
//! for faults of evaluation.

use axle_model::access::{self, Action, Purpose, Read, reads_where};
use axle_model::{
    Atomicity, Base, BinOp, ChanRef, Edge, Effect, Expr, LocId, Model, Pattern, Place, ProcId, Query,
};
use fixedbitset::FixedBitSet;

use super::cells::{Cells, Role};
use super::guarantees::{Bounds, Guarantees};
use super::references::References;
use crate::fixed::{Instance, Values, Who, fixed_locals};

/// Cells read and written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Footprint {
    /// Cells that determine the transition or its executability.
    pub reads: FixedBitSet,
    /// Cells that may be written.
    pub writes: FixedBitSet,
}

impl Footprint {
    /// Union with another footprint.
    pub fn add(&mut self, other: &Footprint) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
    }
}

/// A communication for which an edge waits: room in a channel, or a message in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Awaited {
    /// The channel.
    pub channel: usize,
    /// Whether it is room.
    pub room: bool,
}

/// The channels to which an expression may refer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Channels {
    /// This one.
    One(usize),
    /// One of these, or none.
    Some(FixedBitSet),
    /// Any.
    Any,
}

impl Channels {
    /// Whether both may be the same channel.
    pub fn may_be_same(&self, other: &Channels) -> bool {
        match (self, other) {
            (Channels::One(a), Channels::One(b)) => a == b,
            (Channels::One(one), Channels::Some(some)) | (Channels::Some(some), Channels::One(one)) => {
                some.contains(*one)
            }
            (Channels::Some(a), Channels::Some(b)) => !a.is_disjoint(b),
            (Channels::Any, _) | (_, Channels::Any) => true,
        }
    }
}

/// Computes footprints.
#[derive(Debug)]
pub struct Footprints<'a> {
    /// Constant values.
    pub values: &'a Values<'a>,
    /// The flow of references.
    pub references: &'a References,
    /// The existing processes.
    pub instances: &'a [Instance],
    /// The cells.
    pub cells: &'a Cells,
    /// For each distinguished channel, its capacity; `None` if it does not exist.
    pub capacities: Vec<Option<u32>>,
}

/// A footprint under construction.
struct Scan<'f, 'a> {
    footprints: &'f Footprints<'a>,
    who: Who<'f>,
    made: Footprint,
    /// What is known of channels at the edge.
    bounds: Bounds,
}

/// Whether the edge ends its process, in the form that only the youngest process can execute.
pub fn is_end(edge: &Edge) -> bool {
    let youngest = |e: &Expr| {
        matches!(e, Expr::Binary(BinOp::Sub, _, a, b)
            if **a == Expr::ProcessCount && **b == Expr::Const(1))
    };
    edge.ends()
        && matches!(&edge.guard, Expr::Binary(BinOp::Eq, _, a, b)
            if (**a == Expr::SelfPid && youngest(b)) || (**b == Expr::SelfPid && youngest(a)))
}

/// For each location of a type, whether an atomic sequence may pass through it.
pub fn inside_sequences(model: &Model, proc: ProcId) -> Vec<bool> {
    let process = model.process(proc);
    let mut inside = vec![false; process.locations.len()];
    for edge in process.edges.iter().filter(|edge| edge.keep != Atomicity::Release) {
        inside[edge.target.index()] = true;
    }
    inside
}

/// Whether an edge is executable only while `timeout` is true.
///
/// `timeout` is false while some process is enabled without it. An enabled process of a persistent
/// set remains enabled until a process of the set moves, so until then no such edge is executable,
/// whichever processes move outside the set.
pub fn awaits_timeout(edge: &Edge) -> bool {
    let mut parts = Vec::new();
    conjuncts(&edge.guard, &mut parts);
    parts.contains(&&Expr::Timeout)
}

/// The conjuncts of a condition, in order of evaluation.
pub fn conjuncts<'e>(expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    match expr {
        Expr::And(a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        _ if expr.is_true() => {}
        _ => out.push(expr),
    }
}

impl Footprints<'_> {
    /// No footprint.
    pub fn none(&self) -> Footprint {
        Footprint { reads: self.cells.none(), writes: self.cells.none() }
    }

    /// The channels that an expression may refer to.
    pub fn channels(&self, who: Who, chan: &Expr) -> Channels {
        let value =
            self.values.value(who, chan).and_then(|value| usize::try_from(value.checked_sub(1)?).ok());
        match value {
            Some(index) if self.capacities.get(index).is_some_and(Option::is_some) => {
                return Channels::One(index);
            }
            Some(_) => return Channels::Any,
            None => {}
        }
        let count = self.cells.channel_count;
        match (who, chan) {
            (Who::Nobody, _) => Channels::Any,
            // A channel that does not exist yet.
            (Who::New(_), Expr::Channel(ChanRef::Own(_))) => {
                let mut new = FixedBitSet::with_capacity(count + 1);
                new.insert(count);
                Channels::Some(new)
            }
            _ => {
                let model = self.values.model;
                let some = who
                    .proc()
                    .and_then(|proc| self.references.channels_of(model, (self.instances, count), proc, chan));
                some.map_or(Channels::Any, Channels::Some)
            }
        }
    }

    /// Whether they may be rendezvous channels, and whether such with room.
    pub fn kinds(&self, channels: &Channels) -> (bool, bool) {
        let kind = |index: usize| match self.capacities.get(index) {
            Some(Some(0)) => (true, false),
            Some(Some(_)) => (false, true),
            // A channel of a process that is created later.
            Some(None) | None => self.kinds(&Channels::Any),
        };
        match channels {
            Channels::One(index) => kind(*index),
            Channels::Some(some) => (0..=self.cells.channel_count)
                .filter(|index| some.contains(*index))
                .map(kind)
                .fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1)),
            Channels::Any => {
                let shapes = &self.values.model.shapes;
                (shapes.iter().any(|s| s.capacity == 0), shapes.iter().any(|s| s.capacity > 0))
            }
        }
    }

    /// The footprint of a process at a location, and the communications for which its edges wait.
    /// `inside`: atomic sequences pass through the location. `guarantees` are those of the process.
    pub fn of_location(
        &self,
        who: Who,
        loc: LocId,
        inside: bool,
        guarantees: &Guarantees,
    ) -> (Footprint, Vec<Awaited>) {
        let Some(proc) = who.proc() else { return (self.none(), Vec::new()) };
        let process = self.values.model.process(proc);
        let mut scan = Scan { footprints: self, who, made: self.none(), bounds: Bounds::default() };
        let mut awaited = Vec::new();
        if let Some(provided) = &process.provided {
            scan.expr(provided);
        }
        let edges: Vec<&Edge> =
            process.locations[loc.index()].out.iter().map(|id| &process.edges[id.index()]).collect();
        let ranks = edges.iter().any(|edge| edge.rank != edges[0].rank);
        let strict = inside || ranks || process.deterministic;
        for edge in edges {
            scan.bounds = guarantees.at(loc);
            scan.guard(edge, strict, &mut awaited);
            if !awaits_timeout(edge) {
                scan.bounds = guarantees.on_edge(self, who, edge);
                scan.body(edge, proc, strict, &mut awaited);
            }
        }
        (scan.made, awaited)
    }

    /// The cells that an expression reads.
    pub fn of_expr(&self, who: Who, expr: &Expr) -> FixedBitSet {
        let mut scan = Scan { footprints: self, who, made: self.none(), bounds: Bounds::default() };
        scan.expr(expr);
        scan.made.reads
    }

    /// The cells that an effect reads or writes.
    pub fn of_effect(&self, who: Who, effect: &Effect) -> Footprint {
        let mut scan = Scan { footprints: self, who, made: self.none(), bounds: Bounds::default() };
        scan.effect(effect);
        scan.made
    }

    /// The cells of an edge, including those for which it waits.
    pub fn of_edge(&self, who: Who, proc: ProcId, edge: &Edge) -> Footprint {
        let mut scan = Scan { footprints: self, who, made: self.none(), bounds: Bounds::default() };
        scan.edge(edge, proc, true, &mut Vec::new());
        scan.made
    }

    /// The process that an effect of `who` creates, with the known values of its parameters.
    pub fn created(&self, who: Who, effect: &Effect) -> Option<Instance> {
        let Effect::Run { proc, args, .. } = effect else { return None };
        let process = self.values.model.process(*proc);
        let mut locals = vec![None; process.locals.len()];
        let params = (process.params as usize).min(args.len());
        let mut set = vec![false; process.locals.len()];
        for effect in &process.prologue {
            access::stores_of_effect(effect, &mut |place| {
                if let Base::Local(local) = place.base {
                    set[local.index()] = true;
                }
            });
        }
        for (index, fixed) in fixed_locals(process).into_iter().enumerate().take(params) {
            let Some(ty) = process.locals[index].ty.scalar() else { continue };
            if fixed && !set[index] {
                locals[index] = self.values.value(who, &args[index]).map(|value| ty.wrap(value));
            }
        }
        Some(Instance { proc: *proc, locals })
    }

    /// The cells of all transitions of a process that is created later, without those of the
    /// processes that it creates.
    pub fn of_new(&self, instance: &Instance) -> Footprint {
        let process = self.values.model.process(instance.proc);
        let inside = inside_sequences(self.values.model, instance.proc);
        let nothing = Guarantees::none(process);
        let mut all = self.none();
        for (loc, inside) in inside.into_iter().enumerate() {
            let (own, awaited) = self.of_location(Who::New(instance), LocId::new(loc), inside, &nothing);
            all.add(&own);
            for Awaited { channel, room } in awaited {
                all.reads.insert(self.cells.channel(channel, if room { Role::Room } else { Role::Fill }));
            }
        }
        all
    }
}

impl Scan<'_, '_> {
    fn edge(&mut self, edge: &Edge, proc: ProcId, strict: bool, awaited: &mut Vec<Awaited>) {
        self.guard(edge, strict, awaited);
        if !awaits_timeout(edge) {
            self.body(edge, proc, strict, awaited);
        }
    }

    /// Records the guard of an edge. What follows `timeout` in it is not evaluated while that is
    /// false.
    fn guard(&mut self, edge: &Edge, strict: bool, awaited: &mut Vec<Awaited>) {
        // A process that cannot end yet waits for all younger ones (`Conflicts::ends`).
        if is_end(edge) && !strict {
            return;
        }
        let mut parts = Vec::new();
        conjuncts(&edge.guard, &mut parts);
        for part in parts.into_iter().take_while(|part| **part != Expr::Timeout) {
            if !self.test(part, strict, awaited) {
                self.expr(part);
            }
        }
    }

    /// Records a conjunct that tests whether a channel contains a message or has room, like a
    /// communication that waits for it: a message (or room) that others add does not make the test
    /// false. False for other conjuncts.
    fn test(&mut self, part: &Expr, strict: bool, awaited: &mut Vec<Awaited>) -> bool {
        let (chan, room, end) = match part {
            Expr::Query(Query::NotEmpty, chan) => (chan, false, Role::Head),
            Expr::Query(Query::NotFull, chan) => (chan, true, Role::Tail),
            Expr::CanReceive { chan, random: false, .. } => (chan, false, Role::Head),
            _ => return false,
        };
        let Channels::One(channel) = self.footprints.channels(self.who, chan) else { return false };
        let is_guaranteed = self.bounds.guarantees(channel, room);
        if self.footprints.capacities[channel] == Some(0) || strict && !is_guaranteed {
            return false;
        }
        self.expr(chan);
        if let Expr::CanReceive { patterns, .. } = part {
            for pattern in patterns {
                if let Pattern::Match(value) = pattern {
                    self.expr(value);
                }
            }
        }
        self.read(&Channels::One(channel), &[end]);
        if !is_guaranteed {
            awaited.push(Awaited { channel, room });
        }
        true
    }

    /// Records the communication and the effects of an edge.
    fn body(&mut self, edge: &Edge, proc: ProcId, strict: bool, awaited: &mut Vec<Awaited>) {
        access::edge(edge, &mut |action| match action {
            Action::Evaluate(_, Purpose::Guard) => {}
            action => self.action(action, strict, awaited),
        });
        self.arrive(proc, edge.target);
        if let Some((cell, locs)) = self.footprints.cells.watched(proc) {
            let seen = |loc: LocId| locs.contains(&loc);
            if edge.source != edge.target && (seen(edge.source) || seen(edge.target)) {
                self.made.writes.insert(cell);
            }
        }
    }

    /// Arrival at a location with a rendezvous receive.
    fn arrive(&mut self, proc: ProcId, at: LocId) {
        let process = self.footprints.values.model.process(proc);
        for edge in &process.locations[at.index()].out {
            if let Some(chan) = process.edges[edge.index()].receives_from() {
                let channels = self.footprints.channels(self.who, chan);
                if self.footprints.kinds(&channels).0 {
                    self.write(&channels, &[Role::Arrival]);
                }
            }
        }
    }

    /// Records the communication for which an edge waits, separately if nothing else depends on it.
    fn wait(&mut self, channels: &Channels, room: bool, strict: bool, awaited: &mut Vec<Awaited>) {
        if let Channels::One(channel) = channels
            && self.bounds.guarantees(*channel, room)
        {
            return;
        }
        if strict {
            self.read(channels, &[Role::LongerBySend, Role::ShorterByReceive]);
        }
        match channels {
            Channels::One(channel) if !strict => {
                if self.footprints.capacities[*channel] != Some(0) {
                    awaited.push(Awaited { channel: *channel, room });
                }
            }
            _ => self.read(channels, &[if room { Role::Room } else { Role::Fill }]),
        }
    }

    fn effect(&mut self, effect: &Effect) {
        access::effect(effect, &mut |action| self.action(action, true, &mut Vec::new()));
    }

    fn action(&mut self, action: Action, strict: bool, awaited: &mut Vec<Awaited>) {
        let cells = self.footprints.cells;
        match action {
            Action::Evaluate(expr, _) => self.expr(expr),
            Action::Store(place, _) => {
                for cell in self.touched(place) {
                    self.made.writes.insert(cell);
                }
            }
            Action::Send { chan, sorted } => self.send(chan, sorted, strict, awaited),
            Action::Receive { chan, random, copy } => self.receive(chan, random, copy, strict, awaited),
            Action::Create(proc) => self.create(proc),
            // Models with priorities are not reduced.
            Action::SetPriority => {}
            Action::End => {
                if !self.footprints.references.numbers_matter {
                    return;
                }
                self.made.reads.insert(cells.births);
                self.made.writes.insert(cells.deaths);
                let Some(proc) = self.who.proc() else { return };
                for cell in cells.of_type(proc) {
                    self.made.writes.insert(cell);
                }
                for index in 0..self.footprints.values.model.process(proc).channels.len() as u32 {
                    let own = Expr::Channel(axle_model::ChanRef::Own(index));
                    let channels = self.footprints.channels(self.who, &own);
                    self.write(&channels, &ALL_ROLES);
                }
            }
        }
    }

    /// The creation of a process, until its first transition.
    fn create(&mut self, proc: ProcId) {
        let Footprints { values, cells, references, .. } = self.footprints;
        if references.numbers_matter {
            self.processes();
            self.made.writes.insert(cells.births);
            self.made.writes.insert(cells.deaths);
        }
        let process = values.model.process(proc);
        let mut first = Scan {
            footprints: self.footprints,
            who: Who::Some(proc),
            made: self.footprints.none(),
            bounds: Bounds::default(),
        };
        process.prologue.iter().for_each(|effect| first.effect(effect));
        first.arrive(proc, process.entry);
        for cell in cells.of_type(proc) {
            first.made.writes.insert(cell);
        }
        if !process.channels.is_empty() && references.dangles {
            // A dangling reference to a channel of another process may refer to one of the new
            // channels.
            first.write(&Channels::Any, &ALL_ROLES);
        }
        self.made.add(&first.made);
    }

    fn send(&mut self, chan: &Expr, sorted: bool, strict: bool, awaited: &mut Vec<Awaited>) {
        let channels = &self.footprints.channels(self.who, chan);
        self.write(channels, &[Role::Tail, Role::LongerBySend, Role::Fill]);
        if self.footprints.kinds(channels).0 {
            self.write(channels, &[Role::Offer]);
            self.read(channels, &[Role::Ready]);
            if strict {
                self.read(channels, &[Role::Arrival]);
            }
        }
        if sorted {
            self.write(channels, &[Role::Head]);
            self.read(channels, &[Role::Head]);
        }
        // On a lossy channel a receive determines the effect of a send.
        let lossy = self.footprints.values.model.semantics.lossy;
        self.wait(channels, true, strict || sorted || lossy, awaited);
    }

    fn receive(&mut self, chan: &Expr, random: bool, copy: bool, strict: bool, awaited: &mut Vec<Awaited>) {
        let channels = &self.footprints.channels(self.who, chan);
        self.read(channels, &[Role::Head]);
        if !copy {
            self.write(channels, &[Role::Head, Role::ShorterByReceive, Role::Room]);
        }
        if self.footprints.kinds(channels).0 {
            self.write(channels, &[Role::Ready]);
            self.read(channels, &[Role::Offer]);
        }
        if random {
            // A message that others send may be the one that is received.
            self.bounds = Bounds::default();
        }
        self.wait(channels, false, strict || random, awaited);
    }

    /// The number of processes, and which of them exist, are read.
    fn processes(&mut self) {
        self.made.reads.insert(self.footprints.cells.births);
        self.made.reads.insert(self.footprints.cells.deaths);
    }

    /// The cells of a place.
    fn touched(&self, place: &Place) -> Vec<usize> {
        let Footprints { values, cells, .. } = self.footprints;
        match &place.base {
            Base::Global(id) => match cells.global(id.index()) {
                None => Vec::new(),
                Some((first, 1)) => vec![first],
                Some((first, _)) => {
                    let spots = values.spots(self.who, &values.model.globals[id.index()].ty, &place.path);
                    spots.into_iter().map(|spot| first + spot).collect()
                }
            },
            Base::Local(local) => {
                self.who.proc().and_then(|proc| cells.remote(proc, *local)).into_iter().collect()
            }
            Base::Remote { proc, local, .. } => cells.remote(*proc, *local).into_iter().collect(),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let (values, who) = (self.footprints.values, self.who);
        reads_where(expr, &|cond| values.value(who, cond), &mut |read| match read {
            Read::Variable(place) => {
                if let Base::Remote { .. } = place.base {
                    self.processes();
                }
                for cell in self.touched(place) {
                    self.made.reads.insert(cell);
                }
            }
            Read::Length(_, chan) => {
                let channels = &self.footprints.channels(who, chan);
                self.read(channels, &[Role::LongerBySend, Role::ShorterByReceive]);
            }
            Read::Messages(chan) => {
                let channels = &self.footprints.channels(who, chan);
                self.read(channels, &[Role::Head, Role::LongerBySend, Role::ShorterByReceive]);
            }
            Read::ProcessCount => self.processes(),
            Read::AtLocation(proc, ..) => {
                self.processes();
                if let Some((cell, _)) = self.footprints.cells.watched(proc) {
                    self.made.reads.insert(cell);
                }
            }
            Read::SelfPid => {}
            // Models that read these are not reduced (`conflicts::obstacle`), or test whether every
            // process is blocked. `np_` of a property observes labels, not cells.
            Read::Location(_)
            | Read::Priority(_)
            | Read::Enabled(_)
            | Read::LastPid
            | Read::NonProgress
            | Read::Timeout => {}
        });
    }

    fn read(&mut self, channels: &Channels, roles: &[Role]) {
        Self::touch(self.footprints.cells, &mut self.made.reads, channels, roles);
    }

    fn write(&mut self, channels: &Channels, roles: &[Role]) {
        Self::touch(self.footprints.cells, &mut self.made.writes, channels, roles);
    }

    fn touch(cells: &Cells, bits: &mut FixedBitSet, channels: &Channels, roles: &[Role]) {
        let range = match channels {
            Channels::One(channel) => *channel..*channel + 1,
            Channels::Some(_) | Channels::Any => 0..cells.channel_count + 1,
        };
        let is_in = |channel: &usize| match channels {
            Channels::Some(some) => some.contains(*channel),
            Channels::One(_) | Channels::Any => true,
        };
        for channel in range.filter(is_in) {
            roles.iter().for_each(|role| bits.insert(cells.channel(channel, *role)));
        }
    }
}

const ALL_ROLES: [Role; 9] = [
    Role::Head,
    Role::Tail,
    Role::LongerBySend,
    Role::ShorterByReceive,
    Role::Room,
    Role::Fill,
    Role::Offer,
    Role::Ready,
    Role::Arrival,
];
