//! Effects of an edge on the symbolic state.
//!
//! *Entry points:* [`Builder::effects`], [`Builder::create`].

use axle_model::{Effect, Expr, LocalId, ProcId};
use axle_outcome::FaultKind;

use crate::state::{Actor, Builder, Faults, State};
use crate::term::{FALSE, TRUE, TermId};
use crate::variables::stored_type;

/// The largest reference to a channel that a variable can hold.
const LAST_REFERENCE: u64 = u16::MAX as u64;

impl Builder<'_> {
    /// Executes effects where `when` holds; returns whether the process has ended.
    pub(crate) fn effects(
        &mut self,
        who: &Actor,
        state: &mut State,
        effects: &[Effect],
        when: TermId,
        faults: &mut Faults,
    ) -> bool {
        for effect in effects {
            match effect {
                Effect::Assign(place, value) => {
                    let value = self.eval(who, state, value, when, faults);
                    self.store(who, state, place, value, when, faults);
                }
                Effect::Clear(place) => self.clear(who, state, place, when, faults),
                Effect::Assert(cond, _) => {
                    let holds = self.holds(who, state, cond, when, faults);
                    let fails = self.without(when, holds);
                    faults.report(FaultKind::Assertion, fails);
                }
                Effect::Print(_, args) => {
                    for arg in args {
                        self.eval(who, state, arg, when, faults);
                    }
                }
                Effect::Run { proc, args, priority, into } => {
                    let pid = self.run(who, state, *proc, args, priority.as_ref(), when, faults);
                    if let Some(place) = into {
                        self.store(who, state, place, pid, when, faults);
                    }
                }
                Effect::SetPriority(pid, value) => {
                    let number = self.eval(who, state, pid, when, faults);
                    let value = self.eval(who, state, value, when, faults);
                    self.set_priority(who, state, number, value, when, faults);
                }
                Effect::Exit => {
                    self.exit(who, state, when);
                    return true;
                }
            }
        }
        false
    }

    /// Executes a `run`: the number of the new process, or 0 where the creation fails.
    #[allow(clippy::too_many_arguments, reason = "the fields of the effect beside the five of `effects`")]
    fn run(
        &mut self,
        who: &Actor,
        state: &mut State,
        of: ProcId,
        args: &[Expr],
        priority: Option<&Expr>,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let failed = self.limits(who, state, of, when, faults);
        let when = self.without(when, failed);
        let pid = self.count(state);
        let most = self.terms.number(self.variables.slots.len() as i64);
        let fits = self.terms.less(pid, most);
        let beyond = self.without(when, fits);
        self.beyond = self.terms.or(self.beyond, beyond);
        let when = self.terms.and(when, fits);
        let values: Vec<_> = args.iter().map(|arg| self.eval(who, state, arg, when, faults)).collect();
        let priority = match priority {
            None => TRUE,
            Some(expr) => {
                let value = self.eval(who, state, expr, when, faults);
                let valid = self.is_priority(value);
                let invalid = self.without(when, valid);
                faults.report(FaultKind::BadPriority, invalid);
                self.terms.choose(valid, value, TRUE)
            }
        };
        // The number of the new process is known in each case only; the cases exclude each other.
        let slots: Vec<u32> = (0..self.variables.slots.len() as u32)
            .filter(|slot| self.variables.slots[*slot as usize].contains(&of))
            .collect();
        let cases: Vec<_> = slots
            .into_iter()
            .map(|slot| {
                let is = self.terms.is(pid, slot.into());
                (slot, self.terms.and(when, is))
            })
            .collect();
        for (slot, case) in cases {
            if case != FALSE {
                self.create(who, state, (slot, of), &values, priority, case, faults);
            }
        }
        self.terms.choose(when, pid, FALSE)
    }

    /// Where a limit prevents the creation of a process.
    pub(crate) fn limits(
        &mut self,
        who: &Actor,
        state: &State,
        of: ProcId,
        when: TermId,
        faults: &mut Faults,
    ) -> TermId {
        let semantics = &self.model.semantics;
        let count = self.count(state);
        let most = self.terms.number(semantics.max_processes.into());
        let room = self.terms.less(count, most);
        let full = self.without(when, room);
        faults.report(FaultKind::TooManyProcesses, full);
        let own = self.model.process(of).channels.len() as u64;
        if own == 0 {
            return full;
        }
        let when = self.terms.and(when, room);
        let mut exist = self.terms.number(self.model.channels.len() as i64);
        for (slot, ty) in self.processes() {
            let channels = self.model.process(ty).channels.len() as i64;
            let is = self.is_process(who, state, slot, ty);
            let number = self.terms.number(channels);
            let more = self.terms.choose(is, number, FALSE);
            exist = self.terms.binary(axle_model::BinOp::Add, axle_model::IntType::I32, exist, more);
        }
        let numbers = self.variables.numbers;
        let most = (i64::from(semantics.max_channels) - own as i64 + 1).max(0);
        let most = self.terms.number(most);
        let fits = self.terms.less(exist, most);
        let mut too_many = self.without(when, fits);
        for slot in 0..self.variables.slots.len() as u64 {
            let last = u64::from(numbers.first_own) + slot * u64::from(numbers.stride) + own - 1;
            if last > LAST_REFERENCE {
                let is = self.terms.is(count, slot as i64);
                let is = self.terms.and(when, is);
                too_many = self.terms.or(too_many, is);
            }
        }
        faults.report(FaultKind::TooManyChannels, too_many);
        self.terms.or(full, too_many)
    }

    /// Whether a value is a priority.
    fn is_priority(&mut self, value: TermId) -> TermId {
        let (zero, end) = (FALSE, self.terms.number(256));
        let above = self.terms.less(zero, value);
        let below = self.terms.less(value, end);
        self.terms.and(above, below)
    }

    /// Creates a process with a number where `when` holds; the number of processes is then that number.
    #[allow(clippy::too_many_arguments, reason = "what a process consists of, and the context")]
    pub(crate) fn create(
        &mut self,
        who: &Actor,
        state: &mut State,
        (slot, of): (u32, ProcId),
        args: &[TermId],
        priority: TermId,
        when: TermId,
        faults: &mut Faults,
    ) {
        if let Some(count) = self.variables.count() {
            let number = self.terms.number(i64::from(slot) + 1);
            state.set(&mut self.terms, count, number, when);
        }
        if let Some(ty) = self.variables.process_type(slot) {
            let number = self.terms.number(of.0.into());
            state.set(&mut self.terms, ty, number, when);
        }
        let process = self.model.process(of);
        let entry = self.terms.number(i64::from(process.entry.0) + 1);
        state.set(&mut self.terms, self.variables.location(slot), entry, when);
        if let Some(variable) = self.variables.priority(slot) {
            state.set(&mut self.terms, variable, priority, when);
        }
        for (index, (local, value)) in process.locals.iter().zip(args).enumerate() {
            let ty = stored_type(self.model, &local.ty).expect("parameters are scalars");
            let value = self.wrapped(ty, *value, when, faults);
            let variable = self.variables.local(slot, of, LocalId::new(index));
            state.set(&mut self.terms, variable, value, when);
        }
        let known: Vec<_> = who.known.iter().copied().chain([(slot, of)]).collect();
        let new = Actor { own: Some((slot, of)), timeout: FALSE, testing: &[], known: &known };
        let ended = self.effects(&new, state, &process.prologue, when, faults);
        debug_assert!(!ended, "a prologue does not end its process");
    }

    fn set_priority(
        &mut self,
        who: &Actor,
        state: &mut State,
        number: TermId,
        value: TermId,
        when: TermId,
        faults: &mut Faults,
    ) {
        let valid = self.is_priority(value);
        let invalid = self.without(when, valid);
        faults.report(FaultKind::BadPriority, invalid);
        let when = self.terms.and(when, valid);
        for slot in 0..self.variables.slots.len() as u32 {
            let Some(variable) = self.variables.priority(slot) else { return };
            let is = self.terms.is(number, slot.into());
            let exists = self.exists(who, state, slot);
            let is = self.terms.and(is, exists);
            let is = self.terms.and(when, is);
            state.set(&mut self.terms, variable, value, is);
        }
    }

    /// Ends the process, which is the youngest.
    fn exit(&mut self, who: &Actor, state: &mut State, when: TermId) {
        let (pid, of) = who.own.expect("a process ends itself");
        let variables: Vec<_> = self.variables.of_process(pid, of).collect();
        for variable in variables {
            state.set(&mut self.terms, variable, FALSE, when);
        }
        if let Some(count) = self.variables.count() {
            let number = self.terms.number(pid.into());
            state.set(&mut self.terms, count, number, when);
        }
    }
}
