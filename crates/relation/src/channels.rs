//! Channels: the ones that a reference may denote, their messages, and what a receive takes.
//!
//! *Entry points:* [`Builder::channels`], [`Builder::matching`], [`Builder::insert`],
//! [`Builder::remove`].
//! *Invariant:* cells beyond the last message are 0.

use axle_model::{BinOp, Expr, IntType, Pattern};
use axle_outcome::FaultKind;

use crate::state::{Actor, Builder, Faults, State};
use crate::term::{FALSE, TRUE, TermId};
use crate::variables::ChannelId;

/// The type in which messages are compared.
const WIDE: IntType = IntType { bits: 64, signed: true };

impl Builder<'_> {
    /// The channels that an expression may denote, each with the condition that it does; the conditions
    /// exclude each other.
    pub(crate) fn channels(
        &mut self,
        who: &Actor,
        state: &State,
        expr: &Expr,
        when: TermId,
        faults: &mut Faults,
    ) -> Vec<(ChannelId, TermId)> {
        let value = self.eval(who, state, expr, when, faults);
        let mut found = Vec::new();
        for index in 0..self.variables.channels.len() {
            let channel = &self.variables.channels[index];
            let (reference, owner) = (channel.reference, channel.owner);
            let is = self.terms.is(value, reference.into());
            if is == FALSE {
                continue;
            }
            let exists = owner.map_or(TRUE, |(slot, of)| self.is_process(who, state, slot, of));
            let is = self.terms.and(is, exists);
            if is != FALSE {
                found.push((ChannelId(index as u32), is));
            }
        }
        let some = self.any(found.iter().map(|(_, is)| *is));
        let missing = self.without(when, some);
        faults.report(FaultKind::NoChannel, missing);
        found
    }

    /// The number of messages in a channel.
    pub(crate) fn length(&mut self, state: &State, id: ChannelId) -> TermId {
        match self.variables.length(id) {
            Some(length) => state.get(&mut self.terms, length),
            None => FALSE,
        }
    }

    /// Whether a channel has a message at a position.
    fn has(&mut self, state: &State, id: ChannelId, position: u32) -> TermId {
        let length = self.length(state, id);
        let position = self.terms.number(position.into());
        self.terms.less(position, length)
    }

    /// The value of a field of a message.
    pub(crate) fn message(&mut self, state: &State, id: ChannelId, position: u32, field: usize) -> TermId {
        state.get(&mut self.terms, self.variables.message(id, position, field))
    }

    /// For each position of a buffered channel, whether a receive takes the message there: the first,
    /// or with `random` the first that matches.
    #[allow(clippy::too_many_arguments, reason = "the fields of a receive beside the five of `eval`")]
    pub(crate) fn matching(
        &mut self,
        who: &Actor,
        state: &State,
        id: ChannelId,
        patterns: &[Pattern],
        random: bool,
        when: TermId,
        faults: &mut Faults,
    ) -> Vec<TermId> {
        let shape = &self.variables.channels[id.0 as usize].shape;
        let (capacity, fields) = (shape.capacity, shape.fields.len());
        let positions = if random { capacity } else { capacity.min(1) };
        let mut before = FALSE;
        let mut found = Vec::new();
        for position in 0..positions {
            let has = self.has(state, id, position);
            let looked_at = self.without(has, before);
            let mut matches = looked_at;
            for (field, pattern) in patterns.iter().take(fields).enumerate() {
                if let Pattern::Match(expr) = pattern {
                    let asked = self.terms.and(when, matches);
                    let value = self.eval(who, state, expr, asked, faults);
                    let stored = self.message(state, id, position, field);
                    let equal = self.terms.equal(stored, value);
                    matches = self.terms.and(matches, equal);
                }
            }
            found.push(matches);
            before = self.terms.or(before, matches);
        }
        found
    }

    /// Inserts a message at the end, or with `sorted` before the first that is larger. The values are of
    /// the types of the fields.
    pub(crate) fn insert(
        &mut self,
        state: &mut State,
        id: ChannelId,
        values: &[TermId],
        sorted: bool,
        when: TermId,
    ) {
        let capacity = self.variables.channels[id.0 as usize].shape.capacity;
        let before = state.clone();
        // Whether the message goes to a position before the present one.
        let mut earlier = FALSE;
        for position in 0..capacity {
            let has = self.has(&before, id, position);
            let here = match sorted {
                true => {
                    let larger = self.is_larger(&before, id, position, values);
                    let larger = self.terms.and(has, larger);
                    let end = self.length_is(&before, id, position);
                    let ends_here = self.terms.or(larger, end);
                    self.without(ends_here, earlier)
                }
                false => self.length_is(&before, id, position),
            };
            for (field, value) in values.iter().enumerate() {
                let cell = self.variables.message(id, position, field);
                // A value that is no reference may need more bits than references do.
                let ty = self.variables.list()[cell.index()].ty;
                let value = self.terms.wrap(ty, *value);
                let old = self.message(&before, id, position, field);
                let moved = match position {
                    0 => old,
                    _ => {
                        let left = self.message(&before, id, position - 1, field);
                        self.terms.choose(earlier, left, old)
                    }
                };
                let moved = if sorted { moved } else { old };
                let new = self.terms.choose(here, value, moved);
                state.set(&mut self.terms, cell, new, when);
            }
            earlier = self.terms.or(earlier, here);
        }
        self.change_length(state, id, 1, when);
    }

    fn length_is(&mut self, state: &State, id: ChannelId, position: u32) -> TermId {
        let length = self.length(state, id);
        self.terms.is(length, position.into())
    }

    /// Whether a message is larger than values, field by field.
    fn is_larger(&mut self, state: &State, id: ChannelId, position: u32, values: &[TermId]) -> TermId {
        let mut larger = FALSE;
        for (field, value) in values.iter().enumerate().rev() {
            let stored = self.message(state, id, position, field);
            let greater = self.terms.binary(BinOp::Gt, WIDE, stored, *value);
            let equal = self.terms.equal(stored, *value);
            let rest = self.terms.and(equal, larger);
            larger = self.terms.or(greater, rest);
        }
        larger
    }

    /// Removes the message at a position.
    pub(crate) fn remove(&mut self, state: &mut State, id: ChannelId, position: u32, when: TermId) {
        let shape = &self.variables.channels[id.0 as usize].shape;
        let (capacity, fields) = (shape.capacity, shape.fields.len());
        for at in position..capacity {
            for field in 0..fields {
                let next = if at + 1 < capacity { self.message(state, id, at + 1, field) } else { FALSE };
                let cell = self.variables.message(id, at, field);
                state.set(&mut self.terms, cell, next, when);
            }
        }
        self.change_length(state, id, -1, when);
    }

    fn change_length(&mut self, state: &mut State, id: ChannelId, by: i64, when: TermId) {
        let Some(variable) = self.variables.length(id) else { return };
        let capacity = self.variables.channels[id.0 as usize].shape.capacity;
        let length = state.get(&mut self.terms, variable);
        let changed = self.terms.sum(length, by);
        // Within the type wherever the step is executable.
        let changed = self.terms.wrap(self.variables.list()[variable.index()].ty, changed);
        debug_assert!(capacity > 0, "a rendezvous channel has no length");
        state.set(&mut self.terms, variable, changed, when);
    }

    /// A channel's number of fields.
    pub(crate) fn fields(&self, id: ChannelId) -> usize {
        self.variables.channels[id.0 as usize].shape.fields.len()
    }

    /// Reports a wrong number of arguments; `few` is the fault of too few.
    pub(crate) fn check_arity(
        &mut self,
        id: ChannelId,
        given: usize,
        few: FaultKind,
        when: TermId,
        faults: &mut Faults,
    ) {
        match given.cmp(&self.fields(id)) {
            std::cmp::Ordering::Less => faults.report(few, when),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => faults.report(FaultKind::TooManyArguments, when),
        }
    }
}
