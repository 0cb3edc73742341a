//! Readable view of a state: variables by name, channels with their messages, processes with their
//! locations, and the differences between two states.
//!
//! *Entry points:* [`View::globals`], [`View::channels`], [`View::processes`], and [`changes`].

use axle_model::{Base, Expr, LocId, Model, Origin, Place, ProcId, Process, Shown, Step, Type};

use crate::interpret::channel::{self, Chan};
use crate::interpret::log::Log;
use crate::interpret::machine::{Actor, Machine};
use crate::interpret::{Interpreter, expr};
use crate::layout::{Data, Home};

/// A state of an interpreter, prepared for display.
#[derive(Clone, Copy)]
pub struct View<'a> {
    machine: &'a Machine,
    state: &'a [u8],
}

/// A scalar: a variable, or a field or element of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Access path: `x`, `a[3]`, `r.b[1].c`.
    pub name: String,
    /// Numeric value.
    pub value: i64,
    /// The value as displayed for its type: `true`, a symbolic name, the name of a channel.
    pub shown: String,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelView {
    /// Channel reference.
    pub value: u32,
    /// Its name: `q[1]`; `P(2):q` for a channel of a process.
    pub name: String,
    /// Number of the process that owns it.
    pub owner: Option<u32>,
    /// Capacity in messages; 0 for a rendezvous channel.
    pub capacity: u32,
    /// Messages from the head, with each field as displayed.
    pub messages: Vec<Vec<String>>,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessView {
    /// Its number.
    pub pid: u32,
    /// Its type.
    pub proc: ProcId,
    /// `name(number)`.
    pub name: String,
    /// Its location.
    pub location: LocId,
    /// The statement at this location.
    pub origin: Origin,
    /// Whether the location is a valid end state.
    pub may_rest: bool,
    /// Its priority, if the model uses priorities.
    pub priority: Option<u8>,
    /// Parameters and locals.
    pub locals: Vec<Value>,
}

/// A difference between two states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The object that differs: `x`, `P(1):a[2]`, the name of a channel, or `P(3)` for a process
    /// that was created or terminated.
    pub name: String,
    /// The old value; `None` if the object did not exist.
    pub old: Option<String>,
    /// The new value; `None` if the object no longer exists.
    pub new: Option<String>,
}

impl Interpreter {
    /// Prepares a state, which must have the width of the current layout
    /// ([`Interpreter::widened`]).
    pub fn view<'a>(&'a self, state: &'a [u8]) -> View<'a> {
        View { machine: &self.machine, state }
    }
}

impl<'a> View<'a> {
    fn model(&self) -> &'a Model {
        &self.machine.model
    }

    /// Number of processes.
    pub fn process_count(&self) -> u32 {
        self.machine.count(self.state)
    }

    /// All scalars of the global variables.
    pub fn globals(&self) -> Vec<Value> {
        let mut values = Vec::new();
        for (var, home) in self.model().globals.iter().zip(&self.machine.layout.globals) {
            let (bytes, data) = match home {
                Home::State(data) => (self.state, data),
                Home::Constant(data) => (&self.machine.constants[..], data),
            };
            self.flatten(bytes, var.name.clone(), &var.ty, data, 0, &mut values);
        }
        values
    }

    /// All channels: first those of the model, then those of the processes.
    pub fn channels(&self) -> Vec<ChannelView> {
        let all = channel::all(self.machine, self.state);
        all.map(|(owner, chan)| self.channel_view(owner, &chan)).collect()
    }

    /// All processes, by number.
    pub fn processes(&self) -> Vec<ProcessView> {
        (0..self.process_count()).map(|pid| self.process(pid)).collect()
    }

    /// An existing process.
    pub fn process(&self, pid: u32) -> ProcessView {
        let who = self.machine.actor(self.state, pid, false, None);
        let location = who.location(self.state);
        let mut locals = Vec::new();
        for (var, data) in who.process.locals.iter().zip(&who.layout.locals) {
            self.flatten(self.state, var.name.clone(), &var.ty, data, who.base, &mut locals);
        }
        ProcessView {
            pid,
            proc: who.proc,
            name: process_name(self.model(), who.proc, pid),
            location,
            origin: who.process.locations[location.index()].origin,
            may_rest: who.process.locations[location.index()].end,
            priority: who.layout.priority.map(|field| field.read(self.state, who.base) as u8),
            locals,
        }
    }

    /// The type of an existing process.
    pub fn proc_at(&self, pid: u32) -> ProcId {
        self.machine.proc_at(self.state, pid)
    }

    /// The channel denoted by a reference, if it exists.
    pub fn channel(&self, value: u32) -> Option<ChannelView> {
        let chan = channel::by_value(self.machine, self.state, value)?;
        let owner = self.machine.layout.chan_target(value).and_then(|(chan, pid)| match chan {
            axle_model::ChanRef::Global(_) => None,
            axle_model::ChanRef::Own(_) => Some(pid),
        });
        Some(self.channel_view(owner, &chan))
    }

    /// The name of the channel denoted by a reference; `chan 7` if it does not exist.
    pub fn channel_name(&self, value: i64) -> String {
        let name = u32::try_from(value).ok().and_then(|value| self.existing_channel_name(value));
        name.unwrap_or_else(|| if value == 0 { "no channel".into() } else { format!("chan {value}") })
    }

    /// The values of a message on a channel, as displayed for their types.
    pub fn shown_message(&self, chan: u32, values: &[i64]) -> Vec<String> {
        let shape = channel::by_value(self.machine, self.state, chan).map(|chan| chan.shape);
        let types = shape.map_or(&[][..], |shape| &shape.fields);
        let show = |(field, value): (usize, &i64)| match types.get(field) {
            Some(ty) => self.shown(ty, *value),
            None => value.to_string(),
        };
        values.iter().enumerate().map(show).collect()
    }

    /// A value as displayed for its type.
    pub fn shown(&self, ty: &Type, value: i64) -> String {
        match ty {
            Type::Int(_, Shown::Number | Shown::Pid) => value.to_string(),
            Type::Int(_, Shown::Bool) => match value {
                0 => "false".into(),
                1 => "true".into(),
                _ => value.to_string(),
            },
            Type::Int(_, Shown::Names(set)) => {
                let names = &self.model().name_sets[set.index()].names;
                let named = names.iter().find(|(_, of)| *of == value);
                named.map_or_else(|| value.to_string(), |(name, _)| name.clone())
            }
            Type::Chan => self.channel_name(value),
            Type::Record(_) | Type::Array(..) => value.to_string(),
        }
    }

    /// The value of an expression for an existing process; faults count as 0.
    pub fn eval(&self, pid: u32, value: &Expr, timeout: bool) -> i64 {
        let who = self.machine.actor(self.state, pid, timeout, None);
        expr::eval(&who, self.state, value, &mut Log::default())
    }

    /// The scalars that an expression mentions, from the view of an existing process, each once.
    pub fn reads(&self, pid: u32, value: &Expr) -> Vec<Value> {
        let who = self.machine.actor(self.state, pid, false, None);
        let mut values: Vec<Value> = Vec::new();
        axle_model::walk::expr(value, &mut |inner| {
            let Expr::Load(place) = inner else { return };
            let name = self.place_name(&who, place);
            if values.iter().all(|seen| seen.name != name) {
                let value = expr::eval(&who, self.state, inner, &mut Log::default());
                let shown = match self.place_type(who.process, place) {
                    Some(ty) => self.shown(ty, value),
                    None => value.to_string(),
                };
                values.push(Value { name, value, shown });
            }
        });
        values
    }

    /// The name of a place, with the current values of its indices.
    fn place_name(&self, who: &Actor, place: &Place) -> String {
        let number = |index: &Expr| expr::eval(who, self.state, index, &mut Log::default());
        let model = self.model();
        let (mut name, mut ty) = match &place.base {
            Base::Global(id) => {
                let var = &model.globals[id.index()];
                (var.name.clone(), &var.ty)
            }
            Base::Local(id) => {
                let var = &who.process.locals[id.index()];
                (var.name.clone(), &var.ty)
            }
            Base::Remote { proc, pid, local } => {
                let process = model.process(*proc);
                let var = &process.locals[local.index()];
                (format!("{}({}):{}", process.name, number(pid), var.name), &var.ty)
            }
        };
        for step in &place.path {
            match (step, ty) {
                (Step::Field(index), Type::Record(id)) => {
                    let field = &model.records[id.index()].fields[*index as usize];
                    name.push('.');
                    name.push_str(&field.name);
                    ty = &field.ty;
                }
                (Step::Index(index), Type::Array(elem, _)) => {
                    name.push_str(&format!("[{}]", number(index)));
                    ty = elem;
                }
                (Step::Field(_) | Step::Index(_), _) => break,
            }
        }
        name
    }

    /// The type of a place.
    fn place_type(&self, process: &'a Process, place: &Place) -> Option<&'a Type> {
        let model = self.model();
        let mut ty = match &place.base {
            Base::Global(id) => &model.globals[id.index()].ty,
            Base::Local(id) => &process.locals[id.index()].ty,
            Base::Remote { proc, local, .. } => &model.process(*proc).locals[local.index()].ty,
        };
        for step in &place.path {
            ty = match (step, ty) {
                (Step::Field(index), Type::Record(id)) => {
                    &model.records[id.index()].fields[*index as usize].ty
                }
                (Step::Index(_), Type::Array(elem, _)) => elem,
                (Step::Field(_) | Step::Index(_), _) => return None,
            };
        }
        Some(ty)
    }

    fn existing_channel_name(&self, value: u32) -> Option<String> {
        channel::by_value(self.machine, self.state, value)?;
        match self.machine.layout.chan_target(value)? {
            (axle_model::ChanRef::Global(index), _) => {
                Some(self.model().channels[index as usize].name.clone())
            }
            (axle_model::ChanRef::Own(index), pid) => {
                let proc = self.machine.proc_at(self.state, pid);
                let name = &self.model().process(proc).channels[index as usize].name;
                Some(format!("{}:{name}", process_name(self.model(), proc, pid)))
            }
        }
    }

    fn channel_view(&self, owner: Option<u32>, chan: &Chan) -> ChannelView {
        let fields = chan.shape.fields.iter().enumerate();
        let message = |message: u32| {
            fields.clone().map(|(f, ty)| self.shown(ty, chan.get(self.state, message, f))).collect()
        };
        ChannelView {
            value: chan.value,
            name: self.channel_name(chan.value.into()),
            owner,
            capacity: chan.shape.capacity,
            messages: (0..chan.len(self.state)).map(message).collect(),
        }
    }

    /// Lists the scalars of a variable. The nesting depth is that of the declarations.
    fn flatten(&self, bytes: &[u8], name: String, ty: &Type, data: &Data, base: u32, out: &mut Vec<Value>) {
        match (ty, data) {
            (Type::Record(id), Data::Record(fields)) => {
                let types = &self.model().records[id.index()].fields;
                for (field, data) in types.iter().zip(fields) {
                    self.flatten(bytes, format!("{name}.{}", field.name), &field.ty, data, base, out);
                }
            }
            (Type::Array(elem, _), Data::Array { first, stride, len }) => {
                for index in 0..*len {
                    self.flatten(bytes, format!("{name}[{index}]"), elem, first, base + index * stride, out);
                }
            }
            (_, Data::Scalar(field)) => {
                let value = field.read(bytes, base);
                let shown = self.shown(ty, value);
                out.push(Value { name, value, shown });
            }
            (_, Data::Record(_) | Data::Array { .. }) => unreachable!("the layout follows the types"),
        }
    }
}

impl ChannelView {
    /// The messages in one line: `[data,3][ack,4]`; `[]` where there are none.
    pub fn contents(&self) -> String {
        match self.messages.is_empty() {
            true => "[]".into(),
            false => self.messages.iter().map(|message| format!("[{}]", message.join(","))).collect(),
        }
    }
}

/// `name(number)`.
pub fn process_name(model: &Model, proc: ProcId, pid: u32) -> String {
    format!("{}({pid})", model.process(proc).name)
}

/// The differences between two states of one interpreter: globals, then channels, then locals by
/// process. For a created process, its nonzero locals are listed; for a terminated one, only its
/// end.
pub fn changes(before: &View, after: &View) -> Vec<Change> {
    let mut changes = Vec::new();
    for (old, new) in before.globals().into_iter().zip(after.globals()) {
        if old.value != new.value {
            changes.push(Change { name: new.name, old: Some(old.shown), new: Some(new.shown) });
        }
    }
    changed_channels(before, after, &mut changes);
    let most = before.process_count().max(after.process_count());
    for pid in 0..most {
        let old = (pid < before.process_count()).then(|| before.process(pid));
        let new = (pid < after.process_count()).then(|| after.process(pid));
        changed_process(old, new, &mut changes);
    }
    changes
}

fn changed_channels(before: &View, after: &View, changes: &mut Vec<Change>) {
    let old = before.channels();
    for new in after.channels() {
        let was = old.iter().find(|c| c.value == new.value && c.name == new.name);
        let was = was.map(ChannelView::contents);
        if new.capacity > 0 && was.as_deref().unwrap_or("[]") != new.contents() {
            changes.push(Change { name: new.name.clone(), old: was, new: Some(new.contents()) });
        }
    }
}

fn changed_process(old: Option<ProcessView>, new: Option<ProcessView>, changes: &mut Vec<Change>) {
    match (old, new) {
        (Some(old), Some(new)) if old.proc == new.proc => {
            for (was, is) in old.locals.into_iter().zip(new.locals) {
                if was.value != is.value {
                    let name = format!("{}:{}", new.name, is.name);
                    changes.push(Change { name, old: Some(was.shown), new: Some(is.shown) });
                }
            }
            if old.priority != new.priority {
                let name = format!("{}:_priority", new.name);
                let shown = |priority: Option<u8>| priority.map(|priority| priority.to_string());
                changes.push(Change { name, old: shown(old.priority), new: shown(new.priority) });
            }
        }
        (old, new) => {
            if let Some(old) = old {
                changes.push(Change { name: old.name, old: Some("running".into()), new: None });
            }
            if let Some(new) = new {
                changes.push(Change { name: new.name.clone(), old: None, new: Some("running".into()) });
                for is in new.locals.into_iter().filter(|is| is.value != 0) {
                    let name = format!("{}:{}", new.name, is.name);
                    // A channel owned by the process has the same name.
                    if name != is.shown {
                        changes.push(Change { name, old: None, new: Some(is.shown) });
                    }
                }
            }
        }
    }
}
