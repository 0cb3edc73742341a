//! Expressions as terms.
//!
//! *Entry point:* [`Builder::eval`].
//! *Invariant:* the term has the value that the interpreter computes wherever the condition `when`
//! holds; faults are reported where the interpreter reports them.

use axle_model::{BinOp, Expr, Pattern, ProcId, Query};
use axle_outcome::FaultKind;

use crate::state::{Actor, Builder, Faults, State};
use crate::term::{FALSE, TRUE, TermId};
use crate::variables::ChannelId;

/// The cost of a use of `enabled` beside its terms, in terms.
const TEST: usize = 16;

impl Builder<'_> {
    /// The value of an expression where `when` holds.
    pub(crate) fn eval(
        &mut self,
        who: &Actor,
        state: &State,
        expr: &Expr,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        match expr {
            Expr::Const(value) => self.terms.number(*value),
            Expr::Unary(op, ty, operand) => {
                let operand = self.eval(who, state, operand, when, faults);
                self.terms.unary(*op, *ty, operand)
            }
            Expr::Binary(op, ty, lhs, rhs) => {
                let lhs = self.eval(who, state, lhs, when, faults);
                let rhs = self.eval(who, state, rhs, when, faults);
                if matches!(op, BinOp::Div | BinOp::Rem) {
                    let by_zero = self.terms.is(rhs, 0);
                    let by_zero = self.terms.and(when, by_zero);
                    faults.report(FaultKind::DivisionByZero, by_zero);
                }
                self.terms.binary(*op, *ty, lhs, rhs)
            }
            Expr::Convert(ty, operand) => {
                let operand = self.eval(who, state, operand, when, faults);
                self.terms.wrap(*ty, operand)
            }
            Expr::And(lhs, rhs) => {
                let lhs = self.holds(who, state, lhs, when, faults);
                let when = self.terms.and(when, lhs);
                let rhs = self.holds(who, state, rhs, when, faults);
                self.terms.and(lhs, rhs)
            }
            Expr::Or(lhs, rhs) => {
                let lhs = self.holds(who, state, lhs, when, faults);
                let when = self.without(when, lhs);
                let rhs = self.holds(who, state, rhs, when, faults);
                self.terms.or(lhs, rhs)
            }
            Expr::Cond(cond, then, other) => {
                let cond = self.holds(who, state, cond, when, faults);
                let (first, second) = (self.terms.and(when, cond), self.without(when, cond));
                let then = self.eval(who, state, then, first, faults);
                let other = self.eval(who, state, other, second, faults);
                self.terms.choose(cond, then, other)
            }
            _ => self.primary(who, state, expr, when, faults),
        }
    }

    /// Whether the value of an expression is not 0.
    pub(crate) fn holds(
        &mut self,
        who: &Actor,
        state: &State,
        expr: &Expr,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let value = self.eval(who, state, expr, when, faults);
        self.terms.truth(value)
    }

    /// The value of an expression that refers to the state.
    fn primary(
        &mut self,
        who: &Actor,
        state: &State,
        expr: &Expr,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        match expr {
            Expr::Load(place) => self.load(who, state, place, when, faults),
            Expr::Channel(chan) => {
                let reference = self.variables.numbers.reference(*chan, who.own.map_or(0, |(pid, _)| pid));
                self.terms.number(reference.into())
            }
            Expr::Query(query, chan) => {
                let channels = self.channels(who, state, chan, when, faults);
                let answers: Vec<_> =
                    channels.into_iter().map(|(id, is)| (is, self.query(*query, state, id))).collect();
                self.select(answers)
            }
            Expr::CanReceive { chan, patterns, random } => {
                self.can_receive(who, state, chan, patterns, *random, when, faults)
            }
            Expr::Timeout => who.timeout,
            Expr::SelfPid => self.terms.number(who.own.map_or(0, |(pid, _)| pid).into()),
            Expr::ProcessCount => self.count(state),
            Expr::LastPid => match self.variables.last() {
                Some(last) => state.get(&mut self.terms, last),
                None => FALSE,
            },
            Expr::NonProgress => self.non_progress(who, state),
            Expr::Enabled(pid) => {
                let number = self.eval(who, state, pid, when, faults);
                self.is_enabled(who, state, number)
            }
            Expr::Location(pid) => {
                let number = self.eval(who, state, pid, when, faults);
                let locations = self.of_existing(who, state, number, |builder, slot| {
                    let at = builder.variables.location(slot);
                    let at = state.get(&mut builder.terms, at);
                    builder.terms.sum(at, -1)
                });
                let exists = self.any(locations.iter().map(|(is, _)| *is));
                let missing = self.without(when, exists);
                faults.report(FaultKind::NoProcess, missing);
                self.select(locations)
            }
            Expr::Priority(pid) => {
                let number = self.eval(who, state, pid, when, faults);
                let priorities =
                    self.of_existing(who, state, number, |builder, slot| builder.priority(state, slot));
                self.select(priorities)
            }
            Expr::AtLocation { proc, pid, locs } => {
                let number = self.eval(who, state, pid, when, faults);
                let mut at = FALSE;
                for (slot, of) in self.processes() {
                    if of != *proc {
                        continue;
                    }
                    let is = self.terms.is(number, slot.into());
                    let has_type = self.has_type(who, state, slot, of);
                    let here: Vec<_> = locs.iter().map(|loc| self.is_at(state, slot, *loc)).collect();
                    let here = self.any(here);
                    let is = self.terms.and(is, has_type);
                    let here = self.terms.and(is, here);
                    at = self.terms.or(at, here);
                }
                at
            }
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Cond(..) => unreachable!("operators are translated by `eval`"),
        }
    }

    /// The value whose condition holds, 0 if none does. At most one of them holds.
    pub(crate) fn select(&mut self, cases: Vec<(TermId, TermId)>) -> TermId {
        cases.into_iter().rev().fold(FALSE, |other, (is, value)| self.terms.choose(is, value, other))
    }

    /// For each process number, whether it is `number` and the process exists, and a value.
    fn of_existing(
        &mut self,
        who: &Actor,
        state: &State,
        number: TermId,
        mut value: impl FnMut(&mut Self, u32) -> TermId,
    ) -> Vec<(TermId, TermId)> {
        let mut cases = Vec::new();
        for slot in 0..self.variables.slots.len() as u32 {
            let is = self.terms.is(number, slot.into());
            let exists = self.exists(who, state, slot);
            let is = self.terms.and(is, exists);
            if is != FALSE {
                cases.push((is, value(self, slot)));
            }
        }
        cases
    }

    /// The priority of a process that exists.
    pub(crate) fn priority(&mut self, state: &State, slot: u32) -> TermId {
        match self.variables.priority(slot) {
            Some(id) => state.get(&mut self.terms, id),
            None => TRUE,
        }
    }

    fn query(&mut self, query: Query, state: &State, id: ChannelId) -> TermId {
        let capacity = i64::from(self.variables.channels[id.0 as usize].shape.capacity);
        let length = self.length(state, id);
        match query {
            Query::Len => length,
            // A rendezvous channel is never full and has no messages.
            Query::Full if capacity == 0 => FALSE,
            Query::NotFull if capacity == 0 => TRUE,
            Query::Full => self.terms.is(length, capacity),
            Query::NotFull => {
                let full = self.terms.is(length, capacity);
                self.terms.not(full)
            }
            Query::Empty => self.terms.is(length, 0),
            Query::NotEmpty => {
                let empty = self.terms.is(length, 0);
                self.terms.not(empty)
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of the expression beside the five of `eval`")]
    fn can_receive(
        &mut self,
        who: &Actor,
        state: &State,
        chan: &Expr,
        patterns: &[Pattern],
        random: bool,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let mut can = FALSE;
        for (id, is) in self.channels(who, state, chan, when, faults) {
            let when = self.terms.and(when, is);
            let shape = &self.variables.channels[id.0 as usize].shape;
            let (capacity, fields) = (shape.capacity, shape.fields.len());
            if capacity == 0 {
                faults.report(FaultKind::RendezvousPoll, when);
                continue;
            }
            if patterns.len() > fields {
                faults.report(FaultKind::TooManyArguments, when);
            }
            let found = self.matching(who, state, id, patterns, random, when, faults);
            let found = self.any(found);
            let found = self.terms.and(is, found);
            can = self.terms.or(can, found);
        }
        can
    }

    fn non_progress(&mut self, who: &Actor, state: &State) -> TermId {
        let mut progress = FALSE;
        for (slot, of) in self.processes() {
            let at = self.at_any(who, state, (slot, of), |location| location.progress);
            progress = self.terms.or(progress, at);
        }
        self.terms.not(progress)
    }

    /// Whether a process exists, has a type and is at a location of some kind.
    pub(crate) fn at_any(
        &mut self,
        who: &Actor,
        state: &State,
        (slot, of): (u32, ProcId),
        kind: impl Fn(&axle_model::Location) -> bool,
    ) -> TermId {
        let locations = self.model.process(of).locations.iter().enumerate();
        let ids: Vec<_> = locations.filter(|(_, location)| kind(location)).map(|(index, _)| index).collect();
        let mut at = FALSE;
        for index in ids {
            let here = self.is_at(state, slot, axle_model::LocId::new(index));
            at = self.terms.or(at, here);
        }
        let has_type = self.has_type(who, state, slot, of);
        self.terms.and(has_type, at)
    }

    /// Whether a process with this number exists and has an executable edge.
    fn is_enabled(&mut self, who: &Actor, state: &State, number: TermId) -> TermId {
        let mut enabled = FALSE;
        for (slot, of) in self.processes() {
            if slot == who.pid() || who.testing.contains(&slot) {
                continue;
            }
            let is = self.terms.is(number, slot.into());
            let has_type = self.has_type(who, state, slot, of);
            let is = self.terms.and(is, has_type);
            // Nested tests multiply, although their terms may be few.
            if is == FALSE || !self.terms.spend(TEST) {
                continue;
            }
            let testing: Vec<u32> = who.testing.iter().copied().chain([slot]).collect();
            let known: Vec<_> = who.known.iter().copied().chain([(slot, of)]).collect();
            let other =
                Actor { own: Some((slot, of)), timeout: who.timeout, testing: &testing, known: &known };
            let can = self.executable(&other, state, &mut Faults::silent());
            let can = self.terms.and(is, can);
            enabled = self.terms.or(enabled, can);
        }
        enabled
    }
}
