//! The variables of the relation: one for each scalar of the state of a bounded number of processes.
//!
//! *Entry point:* [`Variables::new`].
//! *Invariant:* the variables of a process that does not exist, and the cells of a channel beyond its
//! last message, are 0. Global variables that no edge writes are not variables of the relation.

use axle_model::access::{ChannelNumbers, reference_type, written_globals};
use axle_model::{ChanRef, Expr, GlobalId, IntType, LocalId, Model, ProcId, Shape, Step, Type};

use crate::slots::slots;
use crate::term::VariableId;

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The part of the state that it stores.
    pub part: Part,
    /// Its type.
    pub ty: IntType,
}

/// A part of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A scalar of a global variable, by its position among the scalars of the variable.
    Global(GlobalId, u32),
    /// The number of processes.
    Count,
    /// The number of the process that executed the last step.
    LastPid,
    /// The process that is in control of an `atomic` or deterministic sequence: its number plus 1; 0
    /// if every process may execute.
    Control,
    /// 1 if the sequence is deterministic.
    Deterministic,
    /// The type of a process, for numbers that may have several.
    Type(u32),
    /// The location of a process plus 1; 0 if it does not exist.
    Location(u32),
    /// The priority of a process.
    Priority(u32),
    /// A scalar of a local variable of a process while it has this type.
    Local(u32, ProcId, LocalId, u32),
    /// The number of messages in a channel.
    Length(ChannelId),
    /// A field of the message at a position of a channel.
    Message(ChannelId, u32, u32),
}

/// A channel: an index into [`Variables::channels`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelId(pub u32);

/// A channel that exists in all states or together with a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// The value of a reference to it.
    pub reference: u32,
    /// Its process, and the type that the process must have; none for a channel of the model.
    pub owner: Option<(u32, ProcId)>,
    /// Capacity and fields.
    pub shape: Shape,
    /// The number of messages; none for a rendezvous channel.
    length: Option<VariableId>,
}

/// The variables of a relation.
#[derive(Clone, Debug)]
pub struct Variables {
    list: Vec<Variable>,
    /// For each process number, the types that it may have.
    pub slots: Vec<Vec<ProcId>>,
    /// The channels, those of the model first.
    pub channels: Vec<Channel>,
    /// The numbering of channel references.
    pub numbers: ChannelNumbers,
    globals: Vec<Option<VariableId>>,
    processes: Vec<ProcessVariables>,
    count: Option<VariableId>,
    last: Option<VariableId>,
    control: Option<(VariableId, VariableId)>,
}

#[derive(Clone, Debug)]
struct ProcessVariables {
    ty: Option<VariableId>,
    location: VariableId,
    priority: Option<VariableId>,
    /// For each type, in order of the slot, the first scalar of each local.
    locals: Vec<Vec<VariableId>>,
    /// For each type, its channels.
    channels: Vec<Vec<ChannelId>>,
}

impl Variables {
    /// The variables of the states with at most `most` processes.
    #[must_use]
    pub fn new(model: &Model, most: u32) -> Variables {
        let slots = slots(model, most as usize);
        let written = written_globals(model);
        let mut new = Variables {
            list: Vec::new(),
            slots: slots.clone(),
            channels: Vec::new(),
            numbers: ChannelNumbers::new(model),
            globals: Vec::new(),
            processes: Vec::new(),
            count: None,
            last: None,
            control: None,
        };
        for (index, global) in model.globals.iter().enumerate() {
            let id = GlobalId::new(index);
            let first = written[index].then(|| new.scalars(model, &global.ty, &|at| Part::Global(id, at)));
            new.globals.push(first);
        }
        for (index, channel) in model.channels.iter().enumerate() {
            let reference = new.numbers.reference(ChanRef::Global(index as u32), 0);
            new.channel(model, reference, None, &model.shapes[channel.shape.index()]);
        }
        let edges = || model.processes.iter().flat_map(|process| &process.edges);
        if edges().any(|edge| edge.ends() || edge.creates().next().is_some()) {
            new.count = Some(new.add(Part::Count, unsigned(slots.len() as u64)));
        }
        let mut uses_last = false;
        axle_model::walk::exprs(model, &mut |expr| uses_last |= matches!(expr, Expr::LastPid));
        if uses_last {
            new.last = Some(new.add(Part::LastPid, unsigned(slots.len() as u64)));
        }
        if edges().any(|edge| edge.keep != axle_model::Atomicity::Release) {
            let control = new.add(Part::Control, unsigned(slots.len() as u64));
            new.control = Some((control, new.add(Part::Deterministic, IntType::BIT)));
        }
        for (slot, types) in slots.iter().enumerate() {
            let process = new.process(model, slot as u32, types);
            new.processes.push(process);
        }
        new
    }

    fn process(&mut self, model: &Model, slot: u32, types: &[ProcId]) -> ProcessVariables {
        let most_locations =
            types.iter().map(|of| model.process(*of).locations.len()).max().unwrap_or_default();
        let ty =
            (types.len() > 1).then(|| self.add(Part::Type(slot), unsigned(model.processes.len() as u64 - 1)));
        let location = self.add(Part::Location(slot), unsigned(most_locations as u64));
        let priority = model.semantics.priorities.then(|| self.add(Part::Priority(slot), IntType::BYTE));
        let (mut locals, mut channels) = (Vec::new(), Vec::new());
        for of in types {
            let process = model.process(*of);
            let firsts = process.locals.iter().enumerate().map(|(index, local)| {
                let part = |at| Part::Local(slot, *of, LocalId::new(index), at);
                self.scalars(model, &local.ty, &part)
            });
            locals.push(firsts.collect());
            let own = process.channels.iter().enumerate().map(|(index, channel)| {
                let reference = self.numbers.reference(ChanRef::Own(index as u32), slot);
                self.channel(model, reference, Some((slot, *of)), &model.shapes[channel.shape.index()])
            });
            channels.push(own.collect());
        }
        ProcessVariables { ty, location, priority, locals, channels }
    }

    fn add(&mut self, part: Part, ty: IntType) -> VariableId {
        self.list.push(Variable { part, ty });
        VariableId(self.list.len() as u32 - 1)
    }

    /// Adds the scalars of a variable; returns the first.
    fn scalars(&mut self, model: &Model, ty: &Type, part: &dyn Fn(u32) -> Part) -> VariableId {
        let first = VariableId(self.list.len() as u32);
        let mut types = Vec::new();
        flatten(model, ty, &mut types);
        for (at, ty) in types.into_iter().enumerate() {
            self.add(part(at as u32), ty);
        }
        first
    }

    fn channel(
        &mut self,
        model: &Model,
        reference: u32,
        owner: Option<(u32, ProcId)>,
        shape: &Shape,
    ) -> ChannelId {
        let id = ChannelId(self.channels.len() as u32);
        let length =
            (shape.capacity > 0).then(|| self.add(Part::Length(id), unsigned(shape.capacity.into())));
        for position in 0..shape.capacity {
            for (field, ty) in shape.fields.iter().enumerate() {
                let mut types = Vec::new();
                flatten(model, ty, &mut types);
                let ty = types.first().copied().unwrap_or(IntType::I32);
                self.add(Part::Message(id, position, field as u32), ty);
            }
        }
        self.channels.push(Channel { reference, owner, shape: shape.clone(), length });
        id
    }

    /// The variables in order.
    #[must_use]
    pub fn list(&self) -> &[Variable] {
        &self.list
    }

    /// The first scalar of a global variable; none if no edge writes it.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> Option<VariableId> {
        self.globals[id.index()]
    }

    /// The number of processes; none if it never changes.
    #[must_use]
    pub fn count(&self) -> Option<VariableId> {
        self.count
    }

    /// The process that executed the last step, if the model uses it.
    #[must_use]
    pub fn last(&self) -> Option<VariableId> {
        self.last
    }

    /// The process in control, and whether its sequence is deterministic; none if the model has no
    /// sequences.
    #[must_use]
    pub fn control(&self) -> Option<(VariableId, VariableId)> {
        self.control
    }

    /// The type of a process; none if only one is possible.
    #[must_use]
    pub fn process_type(&self, slot: u32) -> Option<VariableId> {
        self.processes[slot as usize].ty
    }

    /// The location of a process.
    #[must_use]
    pub fn location(&self, slot: u32) -> VariableId {
        self.processes[slot as usize].location
    }

    /// The priority of a process, if the model uses priorities.
    #[must_use]
    pub fn priority(&self, slot: u32) -> Option<VariableId> {
        self.processes[slot as usize].priority
    }

    /// The first scalar of a local variable.
    #[must_use]
    pub fn local(&self, slot: u32, of: ProcId, local: LocalId) -> VariableId {
        self.processes[slot as usize].locals[self.position(slot, of)][local.index()]
    }

    /// The channels of a process.
    #[must_use]
    pub fn own_channels(&self, slot: u32, of: ProcId) -> &[ChannelId] {
        &self.processes[slot as usize].channels[self.position(slot, of)]
    }

    fn position(&self, slot: u32, of: ProcId) -> usize {
        let types = &self.slots[slot as usize];
        types.binary_search(&of).expect("a process number has this type")
    }

    /// The number of messages in a channel; none for a rendezvous channel.
    #[must_use]
    pub fn length(&self, id: ChannelId) -> Option<VariableId> {
        self.channels[id.0 as usize].length
    }

    /// A field of the message at a position of a buffered channel.
    #[must_use]
    pub fn message(&self, id: ChannelId, position: u32, field: usize) -> VariableId {
        let channel = &self.channels[id.0 as usize];
        let length = channel.length.expect("a rendezvous channel has no messages");
        VariableId(length.0 + 1 + position * channel.shape.fields.len() as u32 + field as u32)
    }

    /// All variables that are 0 while a process does not exist.
    pub fn of_process(&self, slot: u32, of: ProcId) -> impl Iterator<Item = VariableId> + '_ {
        self.list.iter().enumerate().filter_map(move |(index, variable)| {
            let owner = |id: ChannelId| self.channels[id.0 as usize].owner == Some((slot, of));
            let is_own = match variable.part {
                Part::Type(at) | Part::Location(at) | Part::Priority(at) => at == slot,
                Part::Local(at, ty, ..) => (at, ty) == (slot, of),
                Part::Length(id) | Part::Message(id, ..) => owner(id),
                Part::Global(..) | Part::Count | Part::LastPid | Part::Control | Part::Deterministic => false,
            };
            is_own.then_some(VariableId(index as u32))
        })
    }
}

/// The number of scalars of a type.
pub(crate) fn size(model: &Model, ty: &Type) -> u32 {
    match ty {
        Type::Int(..) | Type::Chan => 1,
        Type::Record(id) => model.records[id.index()].fields.iter().map(|field| size(model, &field.ty)).sum(),
        Type::Array(of, len) => len * size(model, of),
    }
}

/// The type in which a scalar is stored.
pub(crate) fn stored_type(model: &Model, ty: &Type) -> Option<IntType> {
    match ty {
        Type::Chan => Some(reference_type(model)),
        Type::Int(..) | Type::Record(_) | Type::Array(..) => ty.scalar(),
    }
}

/// The types of the scalars of a type.
fn flatten(model: &Model, ty: &Type, into: &mut Vec<IntType>) {
    match ty {
        Type::Int(..) | Type::Chan => into.extend(stored_type(model, ty)),
        Type::Record(id) => {
            model.records[id.index()].fields.iter().for_each(|field| flatten(model, &field.ty, into));
        }
        Type::Array(of, len) => (0..*len).for_each(|_| flatten(model, of, into)),
    }
}

/// The position of the first scalar of a field in its record.
pub(crate) fn offset(model: &Model, ty: &Type, step: &Step) -> u32 {
    match (ty, step) {
        (Type::Record(id), Step::Field(index)) => {
            let fields = &model.records[id.index()].fields[..*index as usize];
            fields.iter().map(|field| size(model, &field.ty)).sum()
        }
        _ => 0,
    }
}

/// The smallest unsigned type that stores a value.
fn unsigned(most: u64) -> IntType {
    IntType { bits: (64 - most.leading_zeros()).max(1) as u8, signed: false }
}
