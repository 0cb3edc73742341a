//! The state within a step, as terms over the state before it; the process that evaluates; and the
//! faults found on the way.
//!
//! Only stores depend on conditions: a conditional store makes a choice between the new and the old
//! value, so that one symbolic state stands for all cases.
//!
//! *Entry point:* [`Builder`], the translation of a model; its functions are in the files after the
//! parts of a model (`expressions`, `places`, `channels`, `effects`, `enabled`).

use axle_model::{EdgeId, Model, ProcId};
use axle_outcome::FaultKind;
use rustc_hash::FxHashMap;

use crate::term::{FALSE, TRUE, TermId, Terms, VariableId};
use crate::variables::Variables;

/// Options of the relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The most processes of a state. A step that would create more is marked
    /// ([`crate::Group::beyond`]).
    pub processes: u32,
    /// Report values that a store truncates.
    pub truncation: bool,
    /// Report valid end states with a message in some channel.
    pub messages_left: bool,
    /// The most terms; a larger relation is refused.
    pub terms: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { processes: 64, truncation: false, messages_left: false, terms: 4 << 20 }
    }
}

/// A fault as a condition on the state in which it is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The number of the process.
    pub pid: u32,
    /// The edge; none for `provided` and for the state as a whole.
    pub edge: Option<EdgeId>,
    /// The states in which it occurs.
    pub condition: TermId,
}

/// The faults of a translation, and the edge that further ones belong to.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub list: Vec<Fault>,
    blame: (u32, Option<EdgeId>),
    silent: bool,
}

impl Faults {
    /// Ignores all faults.
    pub fn silent() -> Faults {
        Faults { silent: true, ..Faults::default() }
    }

    /// Further faults belong to this process and edge.
    pub fn blame(&mut self, pid: u32, edge: Option<EdgeId>) {
        self.blame = (pid, edge);
    }

    /// A fault where a condition holds.
    pub fn report(&mut self, kind: FaultKind, condition: TermId) {
        let (pid, edge) = self.blame;
        if !self.silent && condition != FALSE {
            self.list.push(Fault { kind, pid, edge, condition });
        }
    }
}

/// The values of all variables at a point of a step.
#[derive(Clone, Debug)]
pub(crate) struct State {
    changed: FxHashMap<VariableId, TermId>,
    /// Whether the others are 0, as before the initial state; otherwise they are unchanged.
    from_zero: bool,
}

impl State {
    /// The state before a step.
    pub fn before() -> State {
        State { changed: FxHashMap::default(), from_zero: false }
    }

    /// The state in which all variables are 0.
    pub fn zero() -> State {
        State { changed: FxHashMap::default(), from_zero: true }
    }

    /// The value of a variable.
    pub fn get(&self, terms: &mut Terms, id: VariableId) -> TermId {
        match self.changed.get(&id) {
            Some(term) => *term,
            None if self.from_zero => FALSE,
            None => terms.variable(id),
        }
    }

    /// Stores a value, which is of the variable's type, where a condition holds.
    pub fn set(&mut self, terms: &mut Terms, id: VariableId, value: TermId, when: TermId) {
        let old = self.get(terms, id);
        let value = terms.choose(when, value, old);
        self.changed.insert(id, value);
    }

    /// The variables that differ from the state before, in order, each with its value.
    pub fn updates(&self, terms: &mut Terms) -> Vec<(VariableId, TermId)> {
        let mut updates: Vec<_> = self.changed.iter().map(|(id, value)| (*id, *value)).collect();
        updates.retain(|(id, value)| *value != terms.variable(*id));
        updates.sort_unstable();
        updates
    }
}

/// The process that evaluates an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor<'a> {
    /// Its number and type; none for an observer of states.
    pub own: Option<(u32, ProcId)>,
    /// The value of `timeout`.
    pub timeout: TermId,
    /// The processes that enclosing uses of `enabled` are testing.
    pub testing: &'a [u32],
    /// Processes that exist with these types, because a step of them is being translated.
    pub known: &'a [(u32, ProcId)],
}

impl Actor<'_> {
    /// The number of the process; that of an observer belongs to no process.
    pub fn pid(&self) -> u32 {
        self.own.map_or(u32::MAX, |(pid, _)| pid)
    }
}

/// The translation of a model.
#[derive(Debug)]
pub(crate) struct Builder<'m> {
    pub model: &'m Model,
    pub terms: Terms,
    pub variables: Variables,
    pub options: Options,
    /// The scalars of the global variables that no edge writes.
    pub constants: Vec<Vec<TermId>>,
    /// Where the step being translated creates more processes than there are numbers.
    pub beyond: TermId,
    /// The number of processes while the initial state is constructed.
    pub starting: Option<u32>,
}

impl Builder<'_> {
    /// The number of processes.
    pub fn count(&mut self, state: &State) -> TermId {
        match self.variables.count() {
            Some(id) => state.get(&mut self.terms, id),
            None => {
                let number = self.starting.map_or(self.model.start.len(), |starting| starting as usize);
                self.terms.number(number as i64)
            }
        }
    }

    /// Whether a process exists. Numbers have no gaps, so all processes below a known one exist.
    pub fn exists(&mut self, who: &Actor, state: &State, slot: u32) -> TermId {
        if who.known.iter().any(|(known, _)| slot <= *known) {
            return TRUE;
        }
        let count = self.count(state);
        let number = self.terms.number(slot.into());
        self.terms.less(number, count)
    }

    /// Whether a process exists and has a type.
    pub fn is_process(&mut self, who: &Actor, state: &State, slot: u32, of: ProcId) -> TermId {
        let has_type = self.has_type(who, state, slot, of);
        if who.known.iter().any(|(known, _)| *known == slot) {
            return has_type;
        }
        let exists = self.exists(who, state, slot);
        self.terms.and(exists, has_type)
    }

    /// Whether a process, if it exists, has a type. A process at a location exists, because the location
    /// of others is 0: beside [`Builder::is_at`] the number of processes need not be read.
    pub fn has_type(&mut self, who: &Actor, state: &State, slot: u32, of: ProcId) -> TermId {
        if let Some((_, known)) = who.known.iter().find(|(known, _)| *known == slot) {
            return if *known == of { TRUE } else { FALSE };
        }
        match self.variables.process_type(slot) {
            None => TRUE,
            Some(ty) => {
                let ty = state.get(&mut self.terms, ty);
                self.terms.is(ty, of.0.into())
            }
        }
    }

    /// Whether a process that exists is at a location.
    pub fn is_at(&mut self, state: &State, slot: u32, location: axle_model::LocId) -> TermId {
        let at = self.variables.location(slot);
        let at = state.get(&mut self.terms, at);
        self.terms.is(at, i64::from(location.0) + 1)
    }

    /// Each process number with each type that it may have.
    pub fn processes(&self) -> Vec<(u32, ProcId)> {
        let slots = self.variables.slots.iter().enumerate();
        slots.flat_map(|(slot, types)| types.iter().map(move |of| (slot as u32, *of))).collect()
    }

    /// The disjunction of conditions.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = TermId>) -> TermId {
        conditions.into_iter().fold(FALSE, |all, one| self.terms.or(all, one))
    }

    /// A condition without another.
    pub fn without(&mut self, condition: TermId, other: TermId) -> TermId {
        let other = self.terms.not(other);
        self.terms.and(condition, other)
    }
}
