//! Points-to analysis: the channels that each expression may refer to.
//!
//! *Entry point:* [`Aliases::of`]. References to channels are copied by assignments, messages and
//! arguments of `run`. The points-to sets of variables and of the messages of each channel are
//! closed under these copies.
//! *Source:* Andersen, *Program Analysis and Specialization for the C Programming Language*, 1994
//! (flow-insensitive).
//! *Invariant:* a model in which a reference is computed or stored in a number is refused.

use axle_model::access::{self, Action, Purpose, Source};
use axle_model::{ChanRef, Channel, Effect, Expr, Model, Place, ProcId, Type};
use fixedbitset::FixedBitSet;

use crate::variables::Numbers;

/// The reason for which a model is refused.
const UNCLEAR: &str = "a channel reference is computed";

/// Points-to sets.
#[derive(Clone, Debug)]
pub struct Aliases<'m> {
    model: &'m Model,
    numbers: Numbers,
    /// The first channel of each process type, in one list of all channels.
    first: Vec<usize>,
    /// How many channels there are; those that processes of a type bring with them count once.
    pub count: usize,
    /// For each variable, the channels that it may refer to.
    variables: Vec<FixedBitSet>,
    /// For each channel, those that its messages may refer to.
    messages: Vec<FixedBitSet>,
    grown: bool,
}

impl<'m> Aliases<'m> {
    /// The points-to sets of a model, or the reason why they cannot be computed.
    pub fn new(model: &'m Model) -> Result<Aliases<'m>, &'static str> {
        let numbers = Numbers::new(model);
        let mut count = model.channels.len();
        let first = (model.processes.iter())
            .map(|process| {
                count += process.channels.len();
                count - process.channels.len()
            })
            .collect();
        let none = FixedBitSet::with_capacity(count);
        let mut aliases = Aliases {
            model,
            first,
            count,
            variables: vec![none.clone(); numbers.count],
            messages: vec![none; count],
            numbers,
            grown: true,
        };
        while std::mem::take(&mut aliases.grown) {
            aliases.round()?;
        }
        aliases.own_stay_at_home()?;
        Ok(aliases)
    }

    /// A channel that processes of a type bring with them.
    pub fn own(&self, proc: ProcId, index: u32) -> usize {
        self.first[proc.index()] + index as usize
    }

    /// Whether a reference to a channel is held by any variable or message.
    pub fn is_passed_on(&self, channel: usize) -> bool {
        self.variables.iter().chain(&self.messages).any(|set| set.contains(channel))
    }

    /// The channels that a variable may refer to.
    pub fn held_by(&self, variable: usize) -> FixedBitSet {
        self.variables[variable].clone()
    }

    /// The channel at a place of the list.
    fn channel(&self, index: usize) -> Option<&Channel> {
        self.model.channels.iter().chain(self.model.processes.iter().flat_map(|p| &p.channels)).nth(index)
    }

    /// The channels that an expression may refer to.
    pub fn of(&self, proc: Option<ProcId>, expr: &Expr) -> Result<FixedBitSet, &'static str> {
        let mut found = FixedBitSet::with_capacity(self.count);
        match expr {
            Expr::Const(0) => {}
            Expr::Channel(ChanRef::Global(index)) => found.insert(*index as usize),
            Expr::Channel(ChanRef::Own(index)) => found.insert(self.own(proc.ok_or(UNCLEAR)?, *index)),
            Expr::Load(place) if self.is_reference(proc, place) => {
                found.union_with(&self.variables[self.numbers.of(proc, place).ok_or(UNCLEAR)?]);
            }
            Expr::Cond(_, a, b) => {
                found.union_with(&self.of(proc, a)?);
                found.union_with(&self.of(proc, b)?);
            }
            _ => return Err(UNCLEAR),
        }
        Ok(found)
    }

    /// Whether a place holds a reference to a channel.
    fn is_reference(&self, proc: Option<ProcId>, place: &Place) -> bool {
        self.model.type_of(proc, place) == Some(&Type::Chan)
    }

    fn grow_variable(&mut self, variable: usize, by: &FixedBitSet) {
        for channel in (0..self.count).filter(|&channel| by.contains(channel)) {
            if !self.variables[variable].contains(channel) {
                self.variables[variable].insert(channel);
                self.grown = true;
            }
        }
    }

    /// Whether the field of a channel's messages is a reference.
    fn carries(&self, channel: usize, field: usize) -> bool {
        let shape = self.channel(channel).map(|channel| &self.model.shapes[channel.shape.index()]);
        shape.and_then(|shape| shape.fields.get(field)) == Some(&Type::Chan)
    }

    fn round(&mut self) -> Result<(), &'static str> {
        let model = self.model;
        for effect in &model.prologue {
            self.effect(None, effect)?;
        }
        for (index, process) in model.processes.iter().enumerate() {
            let proc = Some(ProcId::new(index));
            process.prologue.iter().try_for_each(|effect| self.effect(proc, effect))?;
            for edge in &process.edges {
                let mut actions = Vec::new();
                access::edge(edge, &mut |action| actions.push(action));
                self.copies(proc, &actions)?;
            }
        }
        Ok(())
    }

    fn effect(&mut self, proc: Option<ProcId>, effect: &Effect) -> Result<(), &'static str> {
        let mut actions = Vec::new();
        access::effect(effect, &mut |action| actions.push(action));
        self.copies(proc, &actions)
    }

    /// Closes the sets under the copies of a sequence of actions.
    fn copies(&mut self, proc: Option<ProcId>, actions: &[Action]) -> Result<(), &'static str> {
        let (mut value, mut fields, mut from) = (None, Vec::new(), None);
        for &action in actions {
            match action {
                Action::Evaluate(expr, Purpose::Value) => value = Some(expr),
                Action::Evaluate(expr, Purpose::Field) => fields.push(expr),
                Action::Evaluate(expr, Purpose::Argument(started, param)) => {
                    let declared = self.model.process(started).locals.get(param.index());
                    if declared.is_some_and(|declared| declared.ty == Type::Chan) {
                        let referred = self.of(proc, expr)?;
                        self.grow_variable(self.numbers.local(started, param.index()), &referred);
                    }
                }
                Action::Send { chan, .. } => {
                    let to = self.of(proc, chan)?;
                    for (field, arg) in std::mem::take(&mut fields).into_iter().enumerate() {
                        self.send(proc, &to, field, arg)?;
                    }
                }
                Action::Receive { chan, .. } => from = Some(self.of(proc, chan)?),
                Action::Store(place, source) if self.is_reference(proc, place) => {
                    let variable = self.numbers.of(proc, place).ok_or(UNCLEAR)?;
                    match source {
                        Source::Value => {
                            let referred = self.of(proc, value.ok_or(UNCLEAR)?)?;
                            self.grow_variable(variable, &referred);
                        }
                        Source::Field(field) => {
                            let from = from.clone().ok_or(UNCLEAR)?;
                            self.receive(&from, field, variable)?;
                        }
                        Source::Zero => {}
                        Source::Number => return Err(UNCLEAR),
                    }
                }
                Action::Evaluate(
                    _,
                    Purpose::Guard
                    | Purpose::Channel
                    | Purpose::Match
                    | Purpose::Address
                    | Purpose::Priority
                    | Purpose::Assertion
                    | Purpose::Output,
                )
                | Action::Store(..)
                | Action::Create(_)
                | Action::SetPriority
                | Action::End => {}
            }
        }
        Ok(())
    }

    /// A value is sent in a field of a message to one of the channels `to`.
    fn send(
        &mut self,
        proc: Option<ProcId>,
        to: &FixedBitSet,
        field: usize,
        arg: &Expr,
    ) -> Result<(), &'static str> {
        for channel in (0..self.count).filter(|&channel| to.contains(channel)) {
            if !self.carries(channel, field) {
                continue;
            }
            let referred = self.of(proc, arg)?;
            for one in (0..self.count).filter(|&one| referred.contains(one)) {
                self.grown |= !self.messages[channel].contains(one);
                self.messages[channel].insert(one);
            }
        }
        Ok(())
    }

    /// A field of a message from one of the channels `from` is stored in a variable.
    fn receive(&mut self, from: &FixedBitSet, field: usize, variable: usize) -> Result<(), &'static str> {
        for channel in (0..self.count).filter(|&channel| from.contains(channel)) {
            if !self.carries(channel, field) {
                return Err(UNCLEAR);
            }
            let carried = self.messages[channel].clone();
            self.grow_variable(variable, &carried);
        }
        Ok(())
    }

    /// A reference to a channel of a process that is gone may come to mean one of a new process:
    /// where processes are created, references to such channels must not leave their process.
    fn own_stay_at_home(&self) -> Result<(), &'static str> {
        if self.model.processes.iter().all(|process| process.creates().next().is_none()) {
            return Ok(());
        }
        let own =
            |set: &FixedBitSet| (self.model.channels.len()..self.count).any(|channel| set.contains(channel));
        let leaves = self.variables.iter().chain(&self.messages).any(own);
        if leaves { Err("a channel that ends with its process is passed to other processes") } else { Ok(()) }
    }
}
