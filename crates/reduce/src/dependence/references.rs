//! Flow of channel references: the channels that each variable, parameter and message may denote,
//! and whether anything depends on the numbers of processes.
//!
//! A reference reaches a variable by assignment, as an argument of `run`, or in a message. The
//! analysis is insensitive to control flow and distinguishes the channels of the model and, by
//! type, those of processes. [`References::channels_of`] maps them to the channels of existing
//! processes.
//!
//! If no expression depends on the numbers of processes, two states that differ only in the order
//! in which processes were created, or in processes at their end, have the same behaviour. The
//! creation and the end of a process then commute with every other transition
//! ([`References::numbers_matter`]).
//!
//! *Entry point:* [`References::new`].
//! *Source:* L. O. Andersen, Program Analysis and Specialization for the C Programming Language,
//! 1994, chapter 4 (inclusion constraints).
//! *Invariant:* if a channel is not in the set of an expression, no evaluation of the expression
//! yields a reference to it.

use axle_model::access::{self, Action, ChannelNumbers, Purpose, Read, Source, reads};
use axle_model::{
    Atomicity, Base, BinOp, ChanRef, Comm, Edge, Effect, Expr, Model, Pattern, Place, ProcId, Type,
};
use fixedbitset::FixedBitSet;

use super::footprint::is_end;
use crate::fixed::Instance;
use crate::variables::Numbers;

/// The channels that a reference may denote.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Targets {
    /// Any channel: the reference was computed.
    any: bool,
    /// These, by number.
    some: FixedBitSet,
}

impl Targets {
    /// Adds other targets; returns whether there are more than before.
    fn add(&mut self, other: &Targets) -> bool {
        let before = self.clone();
        self.any |= other.any;
        self.some.union_with(&other.some);
        *self != before
    }
}

/// The flow of references in a model.
#[derive(Clone, Debug)]
pub struct References {
    variables: Numbers,
    /// For each variable, including those of record and array types, by number.
    held: Vec<Targets>,
    /// For each channel of the analysis, the references in its messages.
    contained: Vec<Targets>,
    /// For each process type, the number of its first channel; the channels of the model come
    /// first.
    first_own: Vec<usize>,
    count: usize,
    /// Whether a reference may denote a channel of a process that has ended.
    pub dangles: bool,
    /// Whether the behaviour of a process, or a property, may depend on the number of a process or
    /// on the number of processes.
    pub numbers_matter: bool,
}

impl References {
    /// The flow in a model; `asked` are expressions of properties. `observes_labels`: whether a
    /// property observes labels.
    pub fn new(model: &Model, asked: &[Expr], observes_labels: bool) -> References {
        let mut count = model.channels.len();
        let mut first_own = Vec::new();
        for process in &model.processes {
            first_own.push(count);
            count += process.channels.len();
        }
        let variables = Numbers::new(model);
        let none = Targets { any: false, some: FixedBitSet::with_capacity(count.max(1)) };
        let mut made = References {
            held: vec![none.clone(); variables.count],
            contained: vec![none; count],
            variables,
            first_own,
            count,
            dangles: false,
            numbers_matter: false,
        };
        while made.pass(model) {}
        made.dangles = made.may_dangle(model);
        // References that dangle lead to further channels.
        while made.dangles && made.pass(model) {}
        made.numbers_matter = made.dangles
            || numbers_matter(model, asked)
            || made.mixes_references(model)
            || observes_labels && ends_labelled(model);
        made
    }

    /// Applies every constraint once; returns whether a set grew.
    fn pass(&mut self, model: &Model) -> bool {
        let mut grew = false;
        let mut last = None;
        for effect in &model.prologue {
            access::effect(effect, &mut |action| grew |= self.action(model, None, action, &mut last));
        }
        for (index, process) in model.processes.iter().enumerate() {
            let proc = Some(ProcId::new(index));
            for effect in &process.prologue {
                access::effect(effect, &mut |action| grew |= self.action(model, proc, action, &mut last));
            }
            for edge in &process.edges {
                grew |= self.communication(model, proc, edge);
                access::edge(edge, &mut |action| grew |= self.action(model, proc, action, &mut last));
            }
        }
        grew
    }

    /// Stores and arguments. `last` is the last evaluated value.
    fn action<'m>(
        &mut self,
        model: &'m Model,
        proc: Option<ProcId>,
        action: Action<'m>,
        last: &mut Option<&'m Expr>,
    ) -> bool {
        match action {
            Action::Evaluate(expr, Purpose::Value) => {
                *last = Some(expr);
                false
            }
            Action::Evaluate(expr, Purpose::Argument(created, param)) => {
                let Some(variable) = model.process(created).locals.get(param.index()) else { return false };
                if variable.ty != Type::Chan {
                    return false;
                }
                let targets = self.targets(model, proc, expr);
                let to = self.variables.local(created, param.index());
                self.held[to].add(&targets)
            }
            Action::Store(place, Source::Value) => {
                let (Some(value), true) = (*last, is_chan(model, proc, place)) else { return false };
                let targets = self.targets(model, proc, value);
                self.store(proc, place, &targets)
            }
            Action::Store(place, Source::Number) if is_chan(model, proc, place) => {
                self.store(proc, place, &self.anything())
            }
            // Received references: `communication`. A cleared variable denotes no channel.
            Action::Store(_, Source::Number | Source::Zero | Source::Field(_))
            | Action::Evaluate(..)
            | Action::Send { .. }
            | Action::Receive { .. }
            | Action::Create(_)
            | Action::SetPriority
            | Action::End => false,
        }
    }

    fn store(&mut self, proc: Option<ProcId>, place: &Place, targets: &Targets) -> bool {
        match self.variables.of(proc, place) {
            Some(variable) => self.held[variable].add(targets),
            None => false,
        }
    }

    /// References in messages.
    fn communication(&mut self, model: &Model, proc: Option<ProcId>, edge: &Edge) -> bool {
        match &edge.comm {
            None => false,
            Some(Comm::Send { chan, args, .. }) => {
                let channels = self.targets(model, proc, chan);
                let mut sent = self.nothing();
                for (position, arg) in args.iter().enumerate() {
                    let carries = |channel: usize| self.carries(model, channel, position);
                    if self.members(&channels).any(carries) {
                        sent.add(&self.targets(model, proc, arg));
                    }
                }
                let to: Vec<usize> = self.members(&channels).collect();
                to.into_iter().fold(false, |grew, channel| self.contained[channel].add(&sent) | grew)
            }
            Some(Comm::Receive { chan, patterns, .. }) => {
                let channels = self.targets(model, proc, chan);
                let mut grew = false;
                for (position, pattern) in patterns.iter().enumerate() {
                    let Pattern::Bind(place) = pattern else { continue };
                    if !is_chan(model, proc, place) {
                        continue;
                    }
                    let mut received = self.nothing();
                    for channel in self.members(&channels) {
                        match self.carries(model, channel, position) {
                            true => received.add(&self.contained[channel]),
                            false => received.add(&self.anything()),
                        };
                    }
                    grew |= self.store(proc, place, &received);
                }
                grew
            }
        }
    }

    /// Whether a message of a channel has a reference at a position.
    fn carries(&self, model: &Model, channel: usize, position: usize) -> bool {
        let declared = match self.owner(channel) {
            None => &model.channels[channel],
            Some((proc, index)) => &model.process(proc).channels[index],
        };
        model.shapes[declared.shape.index()].fields.get(position) == Some(&Type::Chan)
    }

    /// The type that has a channel, and its index there; `None` for a channel of the model.
    fn owner(&self, channel: usize) -> Option<(ProcId, usize)> {
        let proc = self.first_own.partition_point(|first| *first <= channel).checked_sub(1)?;
        // Types without channels begin where the next one does.
        Some((ProcId::new(proc), channel - self.first_own[proc]))
    }

    fn nothing(&self) -> Targets {
        Targets { any: false, some: FixedBitSet::with_capacity(self.count.max(1)) }
    }

    fn anything(&self) -> Targets {
        Targets { any: true, ..self.nothing() }
    }

    /// The channels in a set. A reference that dangles denotes the channel of the process that has
    /// the number of the owner now.
    fn members(&self, targets: &Targets) -> impl Iterator<Item = usize> + use<> {
        let mut some = targets.some.clone();
        if self.dangles {
            let index = |channel: usize| self.owner(channel).map(|(_, index)| index);
            for channel in (0..self.count).filter(|channel| targets.some.contains(*channel)) {
                let same = |other: &usize| index(channel).is_some() && index(*other) == index(channel);
                (0..self.count).filter(same).for_each(|other| some.insert(other));
            }
        }
        let any = targets.any;
        (0..self.count).filter(move |channel| any || some.contains(*channel))
    }

    /// The channels that the value of an expression may denote.
    fn targets(&self, model: &Model, proc: Option<ProcId>, expr: &Expr) -> Targets {
        match expr {
            Expr::Const(0) => self.nothing(),
            Expr::Channel(ChanRef::Global(index)) => self.only(*index as usize),
            Expr::Channel(ChanRef::Own(index)) => match proc {
                Some(proc) => self.only(self.first_own[proc.index()] + *index as usize),
                None => self.anything(),
            },
            Expr::Load(place) if is_chan(model, proc, place) => match self.variables.of(proc, place) {
                Some(variable) => self.held[variable].clone(),
                None => self.anything(),
            },
            Expr::Cond(_, then, other) => {
                let mut either = self.targets(model, proc, then);
                either.add(&self.targets(model, proc, other));
                either
            }
            _ => self.anything(),
        }
    }

    fn only(&self, channel: usize) -> Targets {
        let mut one = self.nothing();
        match channel < self.count {
            true => one.some.insert(channel),
            false => one.any = true,
        }
        one
    }

    /// Whether a reference to a channel of a process may exist when the process has ended. An
    /// argument of `run` is held by younger processes only, and these end before.
    fn may_dangle(&self, model: &Model) -> bool {
        let globals = self.held.iter().take(model.globals.len());
        let kept: Vec<&Targets> = globals.chain(&self.contained).collect();
        let mortal = |proc: &ProcId| model.process(*proc).edges.iter().any(Edge::ends);
        let mut channels =
            (0..self.count).filter(|channel| self.owner(*channel).is_some_and(|(proc, _)| mortal(&proc)));
        self.held.iter().any(|targets| targets.any)
            || channels
                .any(|channel| kept.iter().any(|targets| targets.any || targets.some.contains(channel)))
    }

    /// Whether a reference is used as a number or a number as a reference.
    fn mixes_references(&self, model: &Model) -> bool {
        model.processes.iter().enumerate().any(|(index, process)| {
            let proc = Some(ProcId::new(index));
            let effects = process.prologue.iter().chain(process.edges.iter().flat_map(|edge| &edge.effects));
            effects.into_iter().any(|effect| mixes_in_store(model, proc, effect))
                || process.edges.iter().any(|edge| self.mixes_in_message(model, proc, edge))
        })
    }

    fn mixes_in_message(&self, model: &Model, proc: Option<ProcId>, edge: &Edge) -> bool {
        let mixes = |chan: &Expr, position: usize, is_reference: bool| {
            let channels = self.targets(model, proc, chan);
            self.members(&channels).any(|channel| self.carries(model, channel, position) != is_reference)
        };
        match &edge.comm {
            None => false,
            Some(Comm::Send { chan, args, .. }) => args.iter().enumerate().any(|(position, arg)| {
                *arg != Expr::Const(0) && mixes(chan, position, yields_reference(model, proc, arg))
            }),
            Some(Comm::Receive { chan, patterns, .. }) => {
                patterns.iter().enumerate().any(|(position, pattern)| match pattern {
                    Pattern::Bind(place) => mixes(chan, position, is_chan(model, proc, place)),
                    Pattern::Match(Expr::Const(0)) | Pattern::Any => false,
                    Pattern::Match(value) => mixes(chan, position, yields_reference(model, proc, value)),
                })
            }
        }
    }

    /// The channels that an expression of a process of a type may denote, as numbers below
    /// `channel_count`, which is the number of the channels of processes that are created later;
    /// `None` if it may denote any.
    pub fn channels_of(
        &self,
        model: &Model,
        (instances, channel_count): (&[Instance], usize),
        proc: ProcId,
        expr: &Expr,
    ) -> Option<FixedBitSet> {
        let targets = self.targets(model, Some(proc), expr);
        if targets.any {
            return None;
        }
        let numbers = ChannelNumbers::new(model);
        let mut made = FixedBitSet::with_capacity(channel_count + 1);
        for channel in self.members(&targets) {
            let Some((owner, index)) = self.owner(channel) else {
                made.insert(channel);
                continue;
            };
            // A process of the type may be created later.
            made.insert(channel_count);
            for (pid, instance) in instances.iter().enumerate() {
                if instance.proc == owner {
                    let own = ChanRef::Own(index as u32);
                    made.grow_and_insert(numbers.reference(own, pid as u32) as usize - 1);
                }
            }
        }
        Some(made)
    }
}

/// Whether a place holds a reference.
fn is_chan(model: &Model, proc: Option<ProcId>, place: &Place) -> bool {
    model.type_of(proc, place) == Some(&Type::Chan)
}

/// Whether a process at its end is observed by its labels.
fn ends_labelled(model: &Model) -> bool {
    model.processes.iter().any(|process| {
        let labelled = |edge: &Edge| {
            let source = &process.locations[edge.source.index()];
            edge.ends() && (source.accept || source.progress)
        };
        process.edges.iter().any(labelled)
    })
}

/// Whether an expression, or the way in which a process ends, depends on the number of a process or
/// on the number of processes.
fn numbers_matter(model: &Model, asked: &[Expr]) -> bool {
    let created: Vec<bool> = {
        let mut created = vec![false; model.processes.len()];
        for proc in model.processes.iter().flat_map(axle_model::Process::creates) {
            created[proc.index()] = true;
        }
        created
    };
    if asked.iter().any(|expr| tells_number(expr, true)) {
        return true;
    }
    for (index, process) in model.processes.iter().enumerate() {
        let proc = Some(ProcId::new(index));
        let tells =
            |expr: &Expr| tells_number(expr, created[index]) || computes_with_reference(model, proc, expr);
        if process.provided.as_ref().is_some_and(tells) {
            return true;
        }
        let mut found = false;
        let mut see = |action: Action, skips_guard: bool| match action {
            Action::Evaluate(_, Purpose::Guard) if skips_guard => {}
            Action::Evaluate(expr, _) => found |= tells(expr),
            Action::Store(_, Source::Number) => found = true,
            // A reference stored as a number, or compared with others by a sorted send.
            Action::Send { sorted, .. } => found |= sorted && has_references(model),
            Action::Store(..)
            | Action::Receive { .. }
            | Action::Create(_)
            | Action::SetPriority
            | Action::End => {}
        };
        process.prologue.iter().for_each(|effect| access::effect(effect, &mut |action| see(action, false)));
        for edge in &process.edges {
            access::edge(edge, &mut |action| see(action, is_end(edge)));
        }
        if found {
            return true;
        }
        // A process that cannot end yet blocks a deterministic sequence, which is a fault.
        let blocks = |edge: &Edge| {
            let before =
                |other: &&Edge| other.target == edge.source && other.keep == Atomicity::Deterministic;
            edge.ends() && (!is_end(edge) || process.edges.iter().any(|other| before(&other)))
        };
        if process.edges.iter().any(blocks) {
            return true;
        }
    }
    false
}

/// Whether messages contain references.
fn has_references(model: &Model) -> bool {
    model.shapes.iter().any(|shape| shape.fields.contains(&Type::Chan))
}

/// Whether the value of an expression depends on the number of a process (`moves`: also on that of
/// the evaluating process), or on their number.
fn tells_number(expr: &Expr, moves: bool) -> bool {
    let mut found = false;
    reads(expr, &mut |read| match read {
        Read::SelfPid => found |= moves,
        Read::ProcessCount
        | Read::AtLocation(..)
        | Read::Location(_)
        | Read::Priority(_)
        | Read::Enabled(_)
        | Read::LastPid => found = true,
        Read::Variable(place) => found |= matches!(place.base, Base::Remote { .. }),
        Read::Length(..) | Read::Messages(_) | Read::NonProgress | Read::Timeout => {}
    });
    found
}

/// Whether an expression computes with a reference, other than to compare two for equality.
fn computes_with_reference(model: &Model, proc: Option<ProcId>, expr: &Expr) -> bool {
    let is_reference = |expr: &Expr| yields_reference(model, proc, expr);
    let inside = |expr: &Expr| computes_with_reference(model, proc, expr);
    let operand = |expr: &Expr| is_reference(expr) || inside(expr);
    match expr {
        Expr::Const(_)
        | Expr::Channel(_)
        | Expr::Timeout
        | Expr::SelfPid
        | Expr::ProcessCount
        | Expr::LastPid
        | Expr::NonProgress => false,
        Expr::Load(place) => access::addresses(place).any(operand),
        Expr::Unary(_, _, a) | Expr::Convert(_, a) => operand(a),
        Expr::Binary(BinOp::Eq | BinOp::Ne, _, a, b) if is_reference(a) && is_reference(b) => {
            inside(a) || inside(b)
        }
        Expr::Binary(_, _, a, b) => operand(a) || operand(b),
        // Whether a reference is 0 does not depend on its number.
        Expr::And(a, b) | Expr::Or(a, b) => inside(a) || inside(b),
        Expr::Cond(c, a, b) => inside(c) || inside(a) || inside(b),
        Expr::Query(_, chan) => inside(chan),
        Expr::CanReceive { chan, patterns, .. } => {
            let matched = |pattern: &Pattern| matches!(pattern, Pattern::Match(expr) if inside(expr));
            inside(chan) || patterns.iter().any(matched)
        }
        Expr::Enabled(pid) | Expr::Location(pid) | Expr::Priority(pid) => operand(pid),
        Expr::AtLocation { pid, .. } => operand(pid),
    }
}

/// Whether the value of an expression may be a reference.
fn yields_reference(model: &Model, proc: Option<ProcId>, expr: &Expr) -> bool {
    match expr {
        Expr::Channel(_) => true,
        Expr::Load(place) => is_chan(model, proc, place),
        Expr::Cond(_, a, b) => yields_reference(model, proc, a) || yields_reference(model, proc, b),
        _ => false,
    }
}

/// Whether an edge stores or passes a reference as a number, or a number as a reference.
fn mixes_in_store(model: &Model, proc: Option<ProcId>, effect: &Effect) -> bool {
    let mixes = |is_reference: bool, value: &Expr| {
        *value != Expr::Const(0) && is_reference != yields_reference(model, proc, value)
    };
    match effect {
        Effect::Assign(place, value) => mixes(is_chan(model, proc, place), value),
        Effect::Run { proc: created, args, .. } => {
            let params = model.process(*created).locals.iter();
            args.iter().zip(params).any(|(arg, param)| mixes(param.ty == Type::Chan, arg))
        }
        Effect::Clear(_)
        | Effect::Assert(..)
        | Effect::Print(..)
        | Effect::SetPriority(..)
        | Effect::Exit => false,
    }
}
