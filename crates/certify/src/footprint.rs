//! What the moves of a process depend on: which bits of a state its edges read or write where it stands.
//!
//! Two states that agree in these bits have the same moves of that process, and a move changes the same bits in both.
//! So a move need be made once ([`crate::moves`]). Main types: [`Footprints`], for all processes at all their locations;
//! [`Footprint`], one of them. What is said is read off the model: every variable that is named counts as a whole, but
//! for elements whose index is known, and where anything depends on more (another process is asked about, one is
//! created), on everything.
//!
//! Invariant: whatever the interpreter reads of a state or writes to it, to make the moves of a process, is in its
//! footprint, and so is where the process stands. Of every so many batches all is made again without any of this.

use axle_model::{
    Base, ChanRef, Comm, Edge, Effect, Expr, Keep, LocId, Model, Pattern, Place, ProcId, Step, walk,
};
use axle_step::Layout;
use axle_step::layout::{ChanLayout, Data, Field, Home, Messages};

use crate::packing::Packing;

/// The processes that can be told apart in a mask.
const MOST: usize = 62;

/// What the moves of a process at a location depend on.
#[derive(Clone, Debug)]
struct Footprint {
    /// The bits, in the packed form.
    mask: Vec<u64>,
    /// Channels over which it may send hand to hand, a bit for each, or for several: it depends on what the others do
    /// there.
    sends: u64,
    /// Those over which it may receive hand to hand.
    receives: u64,
    /// It may depend on everything.
    wide: bool,
}

/// What the moves of all processes depend on, wherever they stand.
#[derive(Debug)]
pub(crate) struct Footprints<'a> {
    layout: &'a Layout,
    /// For each process number, each type in the order of its slot, each location.
    all: Vec<Vec<Vec<Footprint>>>,
    /// For each process number where it stands, and over which channels it may ever receive hand to hand.
    standing: Vec<(Vec<u64>, u64)>,
    /// Whoever receives hand to hand may go on at once.
    handed_on: bool,
}

impl<'a> Footprints<'a> {
    /// Those of a model; none where processes depend on each other by priorities, or are too many. All states have
    /// the bits of `base` where the packing says that none varies.
    pub(crate) fn new(
        model: &Model,
        layout: &'a Layout,
        packing: &Packing,
        base: &[u8],
        constants: &[u8],
    ) -> Option<Footprints<'a>> {
        if model.semantics.priorities || layout.slots.len() > MOST {
            return None;
        }
        let goes_on = |(process, edge): (usize, &Edge)| match &edge.comm {
            Some(Comm::Receive { chan, .. }) => {
                edge.keep != Keep::Release && may_hand(layout, ProcId::new(process), chan)
            }
            Some(Comm::Send { .. }) | None => false,
        };
        let mut processes = model.processes.iter().enumerate();
        let handed_on = processes.any(|(id, p)| p.edges.iter().any(|edge| goes_on((id, edge))));
        let fixed: Vec<Vec<bool>> = model.processes.iter().map(never_written).collect();
        let (mut standing, mut all) = (Vec::new(), Vec::new());
        for (pid, slot) in layout.slots.iter().enumerate() {
            let mut of_types: Vec<Vec<Footprint>> = Vec::new();
            let mut stands = Bits(vec![0; base.len()]);
            for &proc in &slot.types {
                let own = &layout.procs[proc.index()];
                stands.field(own.pc, slot.base);
                own.tag.iter().for_each(|&tag| stands.field(tag, slot.base));
                let fixed = &fixed[proc.index()];
                let process = model.process(proc);
                let at = |loc: usize| {
                    let bits = Bits(vec![0; base.len()]);
                    let seen = vec![false; process.locations.len()];
                    let mut finder = Finder {
                        model,
                        layout,
                        packing,
                        base,
                        constants,
                        fixed,
                        pid,
                        proc,
                        bits,
                        seen,
                        sends: 0,
                        receives: 0,
                        wide: false,
                    };
                    finder.process(LocId::new(loc));
                    finder.finish()
                };
                of_types.push((0..process.locations.len()).map(at).collect());
            }
            let receives = of_types.iter().flatten().fold(0, |all, one| all | one.receives);
            standing.push((packing.project(&stands.0), receives));
            all.push(of_types);
        }
        Some(Footprints { layout, all, standing, handed_on })
    }

    /// How many processes a state has.
    pub(crate) fn count(&self, state: &[u8]) -> usize {
        self.layout.count.read(state, 0) as usize
    }

    /// Of a process where it stands in a state.
    fn of(&self, state: &[u8], pid: usize) -> Option<&Footprint> {
        let slot = self.layout.slots.get(pid)?;
        let first = self.layout.procs[slot.types.first()?.index()].tag;
        let index = match (slot.types.len(), first) {
            (1, _) | (_, None) => 0,
            (_, Some(tag)) => {
                let number = tag.read(state, slot.base);
                slot.types.iter().position(|proc| i64::from(proc.0) == number)?
            }
        };
        let pc = self.layout.procs[slot.types[index].index()].pc.read(state, slot.base);
        self.all[pid][index].get(usize::try_from(pc).ok()?.checked_sub(1)?)
    }

    /// Puts into `key` the bits of a packed state that the moves of a process depend on; false where that is
    /// everything.
    pub(crate) fn key(&self, state: &[u8], row: &[u64], pid: usize, key: &mut [u64]) -> bool {
        let Some(own) = self.of(state, pid).filter(|own| !own.wide) else { return false };
        key.copy_from_slice(&own.mask);
        if own.sends != 0 {
            if self.handed_on {
                return false;
            }
            for (other, (stands, ever)) in self.standing.iter().enumerate() {
                if other == pid || ever & own.sends == 0 {
                    continue;
                }
                add(key, stands);
                // Where nobody stands nobody receives.
                if let Some(theirs) = self.of(state, other).filter(|theirs| theirs.receives & own.sends != 0)
                {
                    if theirs.wide {
                        return false;
                    }
                    add(key, &theirs.mask);
                }
            }
        }
        key.iter_mut().zip(row).for_each(|(key, row)| *key &= row);
        true
    }
}

fn add(mask: &mut [u64], more: &[u64]) {
    mask.iter_mut().zip(more).for_each(|(mask, more)| *mask |= more);
}

/// Whether a message may go hand to hand through what an expression of this process type refers to.
fn may_hand(layout: &Layout, proc: ProcId, chan: &Expr) -> bool {
    match chan {
        Expr::Channel(ChanRef::Global(index)) => layout.channels[*index as usize].len.is_none(),
        Expr::Channel(ChanRef::Own(index)) => {
            layout.procs[proc.index()].channels[*index as usize].len.is_none()
        }
        _ => {
            let own = layout.procs.iter().flat_map(|proc| &proc.channels);
            layout.channels.iter().chain(own).any(|chan| chan.len.is_none())
        }
    }
}

/// For each local of a process type, whether no edge ever writes it.
fn never_written(process: &axle_model::Process) -> Vec<bool> {
    let mut fixed = vec![true; process.locals.len()];
    let mut written = |place: &Place| {
        if let Base::Local(id) = place.base {
            fixed[id.index()] = false;
        }
    };
    for edge in &process.edges {
        if let Some(Comm::Receive { patterns, .. }) = &edge.comm {
            let bound = |pattern: &Pattern| {
                if let Pattern::Bind(place) = pattern {
                    written(place)
                }
            };
            patterns.iter().for_each(bound);
        }
        for effect in &edge.effects {
            match effect {
                Effect::Assign(place, _) | Effect::Clear(place) => written(place),
                Effect::Run { into, .. } => into.iter().for_each(&mut written),
                Effect::Assert(..) | Effect::Print(..) | Effect::SetPriority(..) | Effect::Exit => {}
            }
        }
    }
    fixed
}

/// Bits of a state.
struct Bits(Vec<u8>);

impl Bits {
    fn range(&mut self, from: u32, to: u32) {
        (from..to).for_each(|bit| self.0[bit as usize / 8] |= 1 << (bit % 8));
    }

    fn field(&mut self, field: Field, base: u32) {
        // Whoever writes more than a byte writes all bits of these bytes, and a set that is no proof may have any there.
        let bits = if field.bits <= 8 { u32::from(field.bits) } else { 8 * field.bytes() };
        self.range(base + field.bit, base + field.bit + bits);
    }

    fn data(&mut self, data: &Data, base: u32) {
        match data {
            Data::Scalar(field) => self.field(*field, base),
            Data::Record(fields) => fields.iter().for_each(|field| self.data(field, base)),
            Data::Array { first, stride, len } => {
                (0..*len).for_each(|index| self.data(first, base + index * stride));
            }
        }
    }

    fn channel(&mut self, chan: &ChanLayout, capacity: u32) {
        chan.len.iter().for_each(|&len| self.field(len, 0));
        match &chan.messages {
            Messages::Packed { all, .. } if chan.len.is_some() => self.field(*all, 0),
            Messages::Bytes { base, stride, .. } if chan.len.is_some() => {
                self.range(*base, base + stride * capacity);
            }
            Messages::Packed { .. } | Messages::Bytes { .. } => {}
        }
    }
}

/// Finds out what one process at one location depends on.
struct Finder<'a> {
    model: &'a Model,
    layout: &'a Layout,
    packing: &'a Packing,
    base: &'a [u8],
    /// The constant segment.
    constants: &'a [u8],
    /// Which locals are never written.
    fixed: &'a [bool],
    pid: usize,
    proc: ProcId,
    bits: Bits,
    /// Locations that are done.
    seen: Vec<bool>,
    sends: u64,
    receives: u64,
    wide: bool,
}

impl Finder<'_> {
    fn finish(self) -> Footprint {
        let Finder { sends, receives, wide, .. } = self;
        Footprint { mask: self.packing.project(&self.bits.0), sends, receives, wide }
    }

    fn process(&mut self, loc: LocId) {
        let slot = &self.layout.slots[self.pid];
        let bytes = slot.types.iter().map(|proc| self.layout.procs[proc.index()].bytes).max().unwrap_or(0);
        self.bits.range(slot.base, slot.base + 8 * bytes);
        self.layout.last.iter().for_each(|&last| self.bits.field(last, 0));
        self.model.process(self.proc).provided.iter().for_each(|expr| self.expr(expr));
        self.location(loc);
    }

    /// The edges of a location, and of those that an uninterrupted sequence leads to.
    fn location(&mut self, loc: LocId) {
        if std::mem::replace(&mut self.seen[loc.index()], true) {
            return;
        }
        let process = self.model.process(self.proc);
        for id in &process.locations[loc.index()].out {
            let edge = &process.edges[id.index()];
            self.edge(edge);
            if edge.keep != Keep::Release {
                self.location(edge.target);
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        // What is read, wherever it stands.
        let mut inner = Vec::new();
        walk::edge(edge, &mut |expr| inner.push(expr.clone()));
        inner.iter().for_each(|expr| self.one(expr));
        match &edge.comm {
            Some(Comm::Send { chan, .. }) => {
                self.channel(chan);
                self.sends |= self.hands(chan);
            }
            Some(Comm::Receive { chan, patterns, .. }) => {
                self.channel(chan);
                self.receives |= self.hands(chan);
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.place(place);
                    }
                }
            }
            None => {}
        }
        for effect in &edge.effects {
            match effect {
                Effect::Assign(place, _) | Effect::Clear(place) => self.place(place),
                Effect::Assert(..) | Effect::Print(..) => {}
                Effect::Run { .. } | Effect::SetPriority(..) => self.wide = true,
                Effect::Exit => self.bits.field(self.layout.count, 0),
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let mut inner = Vec::new();
        walk::expr(expr, &mut |expr| inner.push(expr.clone()));
        inner.iter().for_each(|expr| self.one(expr));
    }

    /// What an expression reads itself; its parts are seen too.
    fn one(&mut self, expr: &Expr) {
        match expr {
            Expr::Load(place) => self.place(place),
            Expr::Query(_, chan) | Expr::CanReceive { chan, .. } => self.channel(chan),
            Expr::ProcessCount => self.bits.field(self.layout.count, 0),
            Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::Location(_)
            | Expr::Priority(_)
            | Expr::AtLocation { .. } => self.wide = true,
            // The last process is in every footprint; while some process is asked whether it moves, `timeout` is 0.
            Expr::LastPid | Expr::Timeout => {}
            Expr::Const(_) | Expr::SelfPid | Expr::Channel(_) => {}
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Cond(..) => {}
        }
    }

    /// Which channel of the model an expression refers to, where that is always the same.
    fn global(&self, chan: &Expr) -> Option<usize> {
        match chan {
            Expr::Channel(ChanRef::Global(index)) => Some(*index as usize),
            Expr::Channel(ChanRef::Own(_)) => None,
            _ => match self.layout.chan_target(u32::try_from(self.known(chan)?).ok()?)? {
                (ChanRef::Global(index), _) => Some(index as usize),
                (ChanRef::Own(_), _) => None,
            },
        }
    }

    /// The channels over which messages may go hand to hand that an expression may refer to.
    fn hands(&self, chan: &Expr) -> u64 {
        match self.global(chan) {
            Some(index) if self.layout.channels.get(index).is_some_and(|chan| chan.len.is_some()) => 0,
            Some(index) => 1 << (index % 64),
            None if may_hand(self.layout, self.proc, chan) => u64::MAX,
            None => 0,
        }
    }

    /// A channel that is looked into or changed.
    fn channel(&mut self, chan: &Expr) {
        let layout = self.layout;
        let capacity = |chan: &ChanLayout| self.model.shapes[chan.shape.index()].capacity;
        match (self.global(chan).and_then(|index| layout.channels.get(index)), chan) {
            (Some(chan), _) => self.bits.channel(chan, capacity(chan)),
            // It is in the slot.
            (None, Expr::Channel(ChanRef::Own(_))) => {}
            _ => {
                layout.channels.iter().for_each(|chan| self.bits.channel(chan, capacity(chan)));
                self.wide |= layout.procs.iter().any(|proc| !proc.channels.is_empty());
            }
        }
    }

    fn place(&mut self, place: &Place) {
        let layout = self.layout;
        let (mut data, mut base) = match &place.base {
            Base::Global(id) => match &layout.globals[id.index()] {
                Home::State(data) => (data, 0),
                Home::Constant(_) => return,
            },
            // It is in the slot.
            Base::Local(_) => return,
            Base::Remote { .. } => {
                self.wide = true;
                return;
            }
        };
        for step in &place.path {
            match (step, data) {
                (Step::Field(index), Data::Record(fields)) => data = &fields[*index as usize],
                (Step::Index(index), Data::Array { first, stride, len }) => match self.known(index) {
                    Some(index) if (0..i64::from(*len)).contains(&index) => {
                        base += index as u32 * stride;
                        data = first;
                    }
                    Some(_) | None => break,
                },
                (Step::Field(_) | Step::Index(_), _) => break,
            }
        }
        self.bits.data(data, base);
    }

    /// The value of an expression, where it is always the same for this process.
    fn known(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::SelfPid => Some(self.pid as i64),
            Expr::Convert(ty, inner) => Some(ty.wrap(self.known(inner)?)),
            Expr::Load(Place { base: Base::Global(id), path }) => {
                let Home::Constant(whole) = &self.layout.globals[id.index()] else { return None };
                let (mut data, mut base) = (whole, 0);
                for step in path {
                    match (step, data) {
                        (Step::Field(index), Data::Record(fields)) => data = &fields[*index as usize],
                        (Step::Index(index), Data::Array { first, stride, len }) => {
                            let index = self.known(index)?;
                            if !(0..i64::from(*len)).contains(&index) {
                                return None;
                            }
                            base += index as u32 * stride;
                            data = first;
                        }
                        (Step::Field(_) | Step::Index(_), _) => return None,
                    }
                }
                match data {
                    Data::Scalar(field) => Some(field.read(self.constants, base)),
                    Data::Record(_) | Data::Array { .. } => None,
                }
            }
            Expr::Load(Place { base: Base::Local(id), path })
                if path.is_empty() && self.fixed[id.index()] =>
            {
                let Data::Scalar(field) = &self.layout.procs[self.proc.index()].locals[id.index()] else {
                    return None;
                };
                let start = self.layout.slots[self.pid].base;
                let mut bits = Bits(vec![0; self.base.len()]);
                bits.field(*field, start);
                // It has one value in all states, also in those where another process stands in the slot.
                let varies = self.packing.project(&bits.0).iter().any(|&word| word != 0);
                (!varies).then(|| field.read(self.base, start))
            }
            _ => None,
        }
    }
}
