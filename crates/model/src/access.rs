//! Accesses: the parts of a state that an edge reads, writes, creates and ends, and the channels
//! over which it communicates. Every analysis of a model derives its sets from this module.
//!
//! An edge, an effect or a prologue is a sequence of [`Action`]s in order of execution: evaluations
//! of expressions, each with its [`Purpose`], and changes of the state. [`reads`] lists the parts of
//! a state on which the value of an expression depends.
//!
//! *Entry points:* [`edge`], [`effect`], [`reads`]; [`stores`] and the functions after it answer
//! common questions.
//! *Invariant:* every field of a state that the interpreter reads or writes while it executes an
//! edge belongs to an action or a read of that edge; `crates/step/tests/accesses.rs` compares both.

use crate::expr::{Base, ChanRef, Expr, Pattern, Place, Query, Step};
use crate::ids::{LocId, LocalId, ProcId};
use crate::process::{Comm, Edge, Effect, Process};
use crate::{Channel, IntType, Model};

/// One action of an edge, an effect or a prologue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<'m> {
    /// An expression is evaluated.
    Evaluate(&'m Expr, Purpose),
    /// A value is stored in a variable, or in the part of it that the path denotes.
    Store(&'m Place, Source),
    /// A message is sent.
    Send {
        /// The channel.
        chan: &'m Expr,
        /// The message is inserted in order of its fields, which reads the messages of the channel.
        sorted: bool,
    },
    /// A message is received.
    Receive {
        /// The channel.
        chan: &'m Expr,
        /// Any message of the channel may be received, not only the oldest.
        random: bool,
        /// The message remains in the channel.
        copy: bool,
    },
    /// A process of this type is created; its prologue is not part of the sequence.
    Create(ProcId),
    /// The priority of a process is changed.
    SetPriority,
    /// The executing process ends; its number, locals and channels cease to exist.
    End,
}

/// The use that an edge makes of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The guard.
    Guard,
    /// The channel of the communication.
    Channel,
    /// A field of the message that is sent.
    Field,
    /// The value that a field of the received message must have.
    Match,
    /// An index, or the number of the process, of the place of the next [`Action::Store`].
    Address,
    /// The value of the next [`Action::Store`]; nothing else depends on it.
    Value,
    /// The initial value of a parameter of the process created next.
    Argument(ProcId, LocalId),
    /// A priority, or the number of the process that receives it.
    Priority,
    /// The condition of an assertion.
    Assertion,
    /// Output; only whether the evaluation fails matters to the state.
    Output,
}

/// The origin of a stored value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The preceding evaluation with [`Purpose::Value`].
    Value,
    /// The variable becomes 0 throughout.
    Zero,
    /// The field at this position of the received message.
    Field(usize),
    /// The number of the process created before.
    Number,
}

/// A part of a state that the value of an expression depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read<'m> {
    /// The scalar at a place. For a variable of another process, also whether that process exists.
    Variable(&'m Place),
    /// The length of the channel that the expression denotes.
    Length(Query, &'m Expr),
    /// The messages of the channel that the expression denotes, and its length.
    Messages(&'m Expr),
    /// The number of processes.
    ProcessCount,
    /// The number of the evaluating process. It is constant while the process exists.
    SelfPid,
    /// Whether a process of this type and number exists and is at one of these locations.
    AtLocation(ProcId, &'m Expr, &'m [LocId]),
    /// The location of the process with this number, and whether it exists.
    Location(&'m Expr),
    /// The priority of the process with this number, and whether it exists.
    Priority(&'m Expr),
    /// Whether the process with this number is enabled: every part of the state on which its edges
    /// depend.
    Enabled(&'m Expr),
    /// The number of the process that executed the last step.
    LastPid,
    /// The locations of all processes.
    NonProgress,
    /// Whether any process is enabled.
    Timeout,
}

/// Calls `see` on the actions of an edge, in order of execution.
pub fn edge<'m>(edge: &'m Edge, see: &mut impl FnMut(Action<'m>)) {
    see(Action::Evaluate(&edge.guard, Purpose::Guard));
    communication(edge, see);
    edge.effects.iter().for_each(|e| effect(e, see));
}

/// Calls `see` on the actions of the communication of an edge, in order of execution.
pub fn communication<'m>(edge: &'m Edge, see: &mut impl FnMut(Action<'m>)) {
    match &edge.comm {
        None => {}
        Some(Comm::Send { chan, args, sorted }) => {
            see(Action::Evaluate(chan, Purpose::Channel));
            args.iter().for_each(|arg| see(Action::Evaluate(arg, Purpose::Field)));
            see(Action::Send { chan, sorted: *sorted });
        }
        Some(Comm::Receive { chan, patterns, random, copy }) => {
            see(Action::Evaluate(chan, Purpose::Channel));
            for pattern in patterns {
                match pattern {
                    Pattern::Match(expr) => see(Action::Evaluate(expr, Purpose::Match)),
                    Pattern::Bind(_) | Pattern::Any => {}
                }
            }
            see(Action::Receive { chan, random: *random, copy: *copy });
            for (position, pattern) in patterns.iter().enumerate() {
                match pattern {
                    Pattern::Bind(place) => store(place, Source::Field(position), see),
                    Pattern::Match(_) | Pattern::Any => {}
                }
            }
        }
    }
}

/// Calls `see` on the actions of an effect, in order of execution.
pub fn effect<'m>(effect: &'m Effect, see: &mut impl FnMut(Action<'m>)) {
    match effect {
        Effect::Assign(place, value) => {
            see(Action::Evaluate(value, Purpose::Value));
            store(place, Source::Value, see);
        }
        Effect::Clear(place) => store(place, Source::Zero, see),
        Effect::Assert(cond, _) => see(Action::Evaluate(cond, Purpose::Assertion)),
        Effect::Print(_, args) => args.iter().for_each(|arg| see(Action::Evaluate(arg, Purpose::Output))),
        Effect::Run { proc, args, priority, into } => {
            for (param, arg) in args.iter().enumerate() {
                see(Action::Evaluate(arg, Purpose::Argument(*proc, LocalId::new(param))));
            }
            priority.iter().for_each(|value| see(Action::Evaluate(value, Purpose::Priority)));
            see(Action::Create(*proc));
            into.iter().for_each(|place| store(place, Source::Number, see));
        }
        Effect::SetPriority(pid, value) => {
            see(Action::Evaluate(pid, Purpose::Priority));
            see(Action::Evaluate(value, Purpose::Priority));
            see(Action::SetPriority);
        }
        Effect::Exit => see(Action::End),
    }
}

fn store<'m>(place: &'m Place, source: Source, see: &mut impl FnMut(Action<'m>)) {
    addresses(place).for_each(|expr| see(Action::Evaluate(expr, Purpose::Address)));
    see(Action::Store(place, source));
}

/// The expressions that determine which scalar a place denotes: indices, and the process number of
/// a variable of another process.
pub fn addresses(place: &Place) -> impl Iterator<Item = &Expr> {
    let pid = match &place.base {
        Base::Remote { pid, .. } => Some(&**pid),
        Base::Global(_) | Base::Local(_) => None,
    };
    let indices = place.path.iter().filter_map(|step| match step {
        Step::Index(index) => Some(&**index),
        Step::Field(_) => None,
    });
    pid.into_iter().chain(indices)
}

/// Calls `see` on everything that the value of an expression depends on.
pub fn reads<'m>(expr: &'m Expr, see: &mut impl FnMut(Read<'m>)) {
    reads_where(expr, &|_| None, see);
}

/// As [`reads`], where `known` gives the values of conditions that are known before the search: the
/// alternative that is never evaluated reads nothing.
pub fn reads_where<'m>(
    expr: &'m Expr,
    known: &impl Fn(&Expr) -> Option<i64>,
    see: &mut impl FnMut(Read<'m>),
) {
    match expr {
        Expr::Const(_) | Expr::Channel(_) => {}
        Expr::Load(place) => {
            addresses(place).for_each(|inner| reads_where(inner, known, see));
            see(Read::Variable(place));
        }
        Expr::Unary(_, _, a) | Expr::Convert(_, a) => reads_where(a, known, see),
        Expr::Binary(_, _, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
            reads_where(a, known, see);
            reads_where(b, known, see);
        }
        Expr::Cond(cond, a, b) => match known(cond) {
            Some(0) => reads_where(b, known, see),
            Some(_) => reads_where(a, known, see),
            None => [cond, a, b].into_iter().for_each(|part| reads_where(part, known, see)),
        },
        Expr::Query(query, chan) => {
            reads_where(chan, known, see);
            see(Read::Length(*query, chan));
        }
        Expr::CanReceive { chan, patterns, random: _ } => {
            reads_where(chan, known, see);
            for pattern in patterns {
                match pattern {
                    Pattern::Match(value) => reads_where(value, known, see),
                    // A poll stores nothing and does not evaluate the place.
                    Pattern::Bind(_) | Pattern::Any => {}
                }
            }
            see(Read::Messages(chan));
        }
        Expr::Timeout => see(Read::Timeout),
        Expr::SelfPid => see(Read::SelfPid),
        Expr::ProcessCount => see(Read::ProcessCount),
        Expr::LastPid => see(Read::LastPid),
        Expr::NonProgress => see(Read::NonProgress),
        Expr::Enabled(pid) => {
            reads_where(pid, known, see);
            see(Read::Enabled(pid));
        }
        Expr::Location(pid) => {
            reads_where(pid, known, see);
            see(Read::Location(pid));
        }
        Expr::Priority(pid) => {
            reads_where(pid, known, see);
            see(Read::Priority(pid));
        }
        Expr::AtLocation { proc, pid, locs } => {
            reads_where(pid, known, see);
            see(Read::AtLocation(*proc, pid, locs));
        }
    }
}

/// Calls `see` on every variable that the value of an expression depends on.
pub fn variables<'m>(expr: &'m Expr, see: &mut impl FnMut(&'m Place)) {
    reads(expr, &mut |read| match read {
        Read::Variable(place) => see(place),
        Read::Length(..)
        | Read::Messages(_)
        | Read::ProcessCount
        | Read::SelfPid
        | Read::AtLocation(..)
        | Read::Location(_)
        | Read::Priority(_)
        | Read::Enabled(_)
        | Read::LastPid
        | Read::NonProgress
        | Read::Timeout => {}
    });
}

/// Calls `see` on everything that the expressions of a process type depend on.
pub fn reads_of_process<'m>(process: &'m Process, see: &mut impl FnMut(Read<'m>)) {
    let mut evaluated = |action| match action {
        Action::Evaluate(expr, _) => reads(expr, see),
        Action::Store(..)
        | Action::Send { .. }
        | Action::Receive { .. }
        | Action::Create(_)
        | Action::SetPriority
        | Action::End => {}
    };
    process.provided.iter().for_each(|expr| evaluated(Action::Evaluate(expr, Purpose::Guard)));
    process.prologue.iter().for_each(|e| effect(e, &mut evaluated));
    process.edges.iter().for_each(|e| edge(e, &mut evaluated));
}

/// The place that an action writes.
pub fn stored(action: Action<'_>) -> Option<&Place> {
    match action {
        Action::Store(place, _) => Some(place),
        Action::Evaluate(..)
        | Action::Send { .. }
        | Action::Receive { .. }
        | Action::Create(_)
        | Action::SetPriority
        | Action::End => None,
    }
}

/// Calls `see` on every place that an edge writes.
pub fn stores<'m>(of: &'m Edge, see: &mut impl FnMut(&'m Place)) {
    edge(of, &mut |action| stored(action).into_iter().for_each(&mut *see));
}

/// Calls `see` on every place that an effect writes.
pub fn stores_of_effect<'m>(of: &'m Effect, see: &mut impl FnMut(&'m Place)) {
    effect(of, &mut |action| stored(action).into_iter().for_each(&mut *see));
}

/// Calls `see` on every place that an edge reads or writes.
pub fn places<'m>(of: &'m Edge, see: &mut impl FnMut(&'m Place)) {
    edge(of, &mut |action| places_of_action(action, see));
}

/// Calls `see` on every place that an effect reads or writes.
pub fn places_of_effect<'m>(of: &'m Effect, see: &mut impl FnMut(&'m Place)) {
    effect(of, &mut |action| places_of_action(action, see));
}

fn places_of_action<'m>(action: Action<'m>, see: &mut impl FnMut(&'m Place)) {
    match action {
        Action::Evaluate(expr, _) => variables(expr, see),
        Action::Store(place, _) => see(place),
        Action::Send { .. }
        | Action::Receive { .. }
        | Action::Create(_)
        | Action::SetPriority
        | Action::End => {}
    }
}

/// For each global, whether an edge or the prologue of a process writes it. The others keep the
/// value that the prologue of the model gives them.
pub fn written_globals(model: &Model) -> Vec<bool> {
    let mut written = vec![false; model.globals.len()];
    let mut mark = |place: &Place| match place.base {
        Base::Global(id) => written[id.index()] = true,
        Base::Local(_) | Base::Remote { .. } => {}
    };
    for process in &model.processes {
        process.edges.iter().for_each(|edge| stores(edge, &mut mark));
        process.prologue.iter().for_each(|effect| stores_of_effect(effect, &mut mark));
    }
    written
}

/// For each local of a process type, whether an edge writes it. The others keep the value that they
/// have after the prologue.
pub fn written_locals(process: &Process) -> Vec<bool> {
    let mut written = vec![false; process.locals.len()];
    for edge in &process.edges {
        stores(edge, &mut |place| match place.base {
            Base::Local(id) => written[id.index()] = true,
            Base::Global(_) | Base::Remote { .. } => {}
        });
    }
    written
}

/// The numbering of channels: references from 1 denote the channels of the model, followed by the
/// same number of references for each process number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelNumbers {
    /// The first reference to a channel of a process.
    pub first_own: u32,
    /// The number of references for each process number.
    pub stride: u32,
}

impl ChannelNumbers {
    /// The numbering of the channels of a model.
    pub fn new(model: &Model) -> ChannelNumbers {
        ChannelNumbers {
            first_own: model.channels.len() as u32 + 1,
            stride: model.processes.iter().map(|p| p.channels.len() as u32).max().unwrap_or(0),
        }
    }

    /// The reference to a channel that the process with number `pid` names.
    #[inline]
    pub fn reference(self, chan: ChanRef, pid: u32) -> u32 {
        match chan {
            ChanRef::Global(index) => index + 1,
            ChanRef::Own(index) => self.first_own + pid * self.stride + index,
        }
    }

    /// The channel that a reference denotes, and the number of its process (0 for a channel of the
    /// model). Whether the process exists and has such a channel is for the caller to check.
    #[inline]
    pub fn target(self, reference: u32) -> Option<(ChanRef, u32)> {
        match reference {
            0 => None,
            r if r < self.first_own => Some((ChanRef::Global(r - 1), 0)),
            r if self.stride > 0 => {
                let own = r - self.first_own;
                Some((ChanRef::Own(own % self.stride), own / self.stride))
            }
            _ => None,
        }
    }
}

/// The types of processes that some process creates, in ascending order; only those count that exist.
pub fn created_types(model: &Model) -> Vec<ProcId> {
    let mut created = vec![false; model.processes.len()];
    let mut todo: Vec<ProcId> = model.start.iter().map(|instance| instance.proc).collect();
    let mut visited = created.clone();
    while let Some(proc) = todo.pop() {
        if std::mem::replace(&mut visited[proc.index()], true) {
            continue;
        }
        for of in model.process(proc).creates() {
            created[of.index()] = true;
            todo.push(of);
        }
    }
    (0..created.len()).filter(|index| created[*index]).map(ProcId::new).collect()
}

/// The type in which a state stores references to channels: the smallest one for the references that can
/// occur.
pub fn reference_type(model: &Model) -> IntType {
    let numbers = ChannelNumbers::new(model);
    let bits = |most: u32| (32 - most.leading_zeros()).max(1) as u8;
    let bits = match (numbers.stride, created_types(model).is_empty()) {
        (0, _) => bits(model.channels.len() as u32),
        (_, true) => bits(numbers.first_own + numbers.stride * model.start.len() as u32),
        (_, false) => 16,
    };
    IntType { bits, signed: false }
}

/// The declaration of a channel that an expression names directly; `proc` is the type of the
/// evaluating process.
pub fn declared_channel<'m>(model: &'m Model, proc: ProcId, chan: &Expr) -> Option<&'m Channel> {
    match chan {
        Expr::Channel(ChanRef::Global(index)) => model.channels.get(*index as usize),
        Expr::Channel(ChanRef::Own(index)) => model.process(proc).channels.get(*index as usize),
        _ => None,
    }
}

impl Effect {
    /// The type of the process that the effect creates.
    pub fn creates(&self) -> Option<ProcId> {
        let mut created = None;
        effect(self, &mut |action| {
            if let Action::Create(proc) = action {
                created = Some(proc);
            }
        });
        created
    }

    /// The place and the expression of an assignment.
    pub fn assignment(&self) -> Option<(&Place, &Expr)> {
        match self {
            Effect::Assign(place, value) => Some((place, value)),
            Effect::Clear(_)
            | Effect::Assert(..)
            | Effect::Print(..)
            | Effect::Run { .. }
            | Effect::SetPriority(..)
            | Effect::Exit => None,
        }
    }

    /// Whether the effect ends the executing process.
    pub fn ends(&self) -> bool {
        let mut ends = false;
        effect(self, &mut |action| ends |= action == Action::End);
        ends
    }
}

impl Edge {
    /// The types of the processes that the edge creates.
    pub fn creates(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.effects.iter().filter_map(Effect::creates)
    }

    /// Whether the edge ends its process.
    pub fn ends(&self) -> bool {
        self.effects.iter().any(Effect::ends)
    }

    /// The channel from which the edge receives.
    pub fn receives_from(&self) -> Option<&Expr> {
        match &self.comm {
            Some(Comm::Receive { chan, .. }) => Some(chan),
            Some(Comm::Send { .. }) | None => None,
        }
    }

    /// The channel to which the edge sends.
    pub fn sends_to(&self) -> Option<&Expr> {
        match &self.comm {
            Some(Comm::Send { chan, .. }) => Some(chan),
            Some(Comm::Receive { .. }) | None => None,
        }
    }
}

impl Process {
    /// The types of the processes that edges of this type create.
    pub fn creates(&self) -> impl Iterator<Item = ProcId> + '_ {
        self.edges.iter().flat_map(Edge::creates)
    }
}
