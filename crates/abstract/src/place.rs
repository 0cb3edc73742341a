//! Places: the part of a state that an abstraction tracks by value, which is the locations and types of
//! processes, their number, the process in control of a sequence, and the data of processes that are not
//! abstracted. Commands at a place are simpler.
//!
//! *Entry points:* [`Places::new`], [`Places::intern`], [`Places::reduced`].
//! *Invariant:* a reduced term equals the term in every state with the values of the place.

use axle_decide::model::Problem;
use axle_decide::substitute::Substitution;
use axle_decide::term::{Term, TermId, Terms};
use axle_relation::{Part, Relation};
use rustc_hash::FxHashMap;

/// A place: an index into [`Places`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PlaceId(pub u32);

/// The places that were seen.
pub(crate) struct Places {
    /// The state variables that are tracked.
    pub variables: Vec<u32>,
    /// The number of variables that commands change. Those beyond are copies for questions about pairs of
    /// states, which the steps of the system save at any time.
    own: u32,
    /// For each variable of the terms, its position among the tracked ones.
    positions: FxHashMap<TermId, usize>,
    list: Vec<Vec<u64>>,
    known: FxHashMap<Vec<u64>, PlaceId>,
    /// For each term that was reduced, the tracked variables that it depends on.
    supports: FxHashMap<TermId, Vec<usize>>,
    reduced: FxHashMap<(TermId, Vec<u64>), TermId>,
}

impl Places {
    /// The places of a problem, with the values of further variables.
    pub fn new(problem: &Problem, relation: &Relation, kept: &[u32]) -> Places {
        let list = relation.variables.list().iter().enumerate();
        let tracked =
            list.filter(|(index, variable)| is_control(&variable.part) || kept.contains(&(*index as u32)));
        let variables: Vec<u32> = tracked.map(|(index, _)| index as u32).collect();
        let positions = variables.iter().enumerate();
        let positions = positions.map(|(at, of)| (problem.system.states[*of as usize].variable, at));
        Places {
            positions: positions.collect(),
            variables,
            own: relation.variables.list().len() as u32,
            list: Vec::new(),
            known: FxHashMap::default(),
            supports: FxHashMap::default(),
            reduced: FxHashMap::default(),
        }
    }

    /// The place with these values.
    pub fn intern(&mut self, values: Vec<u64>) -> PlaceId {
        if let Some(id) = self.known.get(&values) {
            return *id;
        }
        let id = PlaceId(self.list.len() as u32);
        self.known.insert(values.clone(), id);
        self.list.push(values);
        id
    }

    /// The place of a concrete state.
    pub fn of(&mut self, state: &[u64]) -> PlaceId {
        let values = self.variables.iter().map(|of| state[*of as usize]).collect();
        self.intern(values)
    }

    /// The values of a place.
    pub fn values(&self, id: PlaceId) -> &[u64] {
        &self.list[id.0 as usize]
    }

    /// Whether a state variable is tracked.
    pub fn tracks(&self, of: u32) -> Option<usize> {
        self.variables.binary_search(&of).ok()
    }

    /// The position of a variable of the terms among the tracked ones.
    pub fn position(&self, variable: TermId) -> Option<usize> {
        self.positions.get(&variable).copied()
    }

    /// The state variables that are not tracked, without saved copies.
    pub fn data(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.own).filter(|of| self.tracks(*of).is_none())
    }

    /// The tracked variables that a term depends on.
    fn support(&mut self, terms: &Terms, term: TermId) -> Vec<usize> {
        if let Some(support) = self.supports.get(&term) {
            return support.clone();
        }
        let cone = terms.cone([term]);
        let mut support: Vec<usize> = cone.iter().filter_map(|id| self.positions.get(id).copied()).collect();
        support.sort_unstable();
        self.supports.insert(term, support.clone());
        support
    }

    /// A term at a place: without tracked variables.
    pub fn reduced(&mut self, problem: &Problem, terms: &mut Terms, term: TermId, id: PlaceId) -> TermId {
        if terms.value(term).is_some() {
            return term;
        }
        let support = self.support(terms, term);
        if support.is_empty() {
            return term;
        }
        let values = self.values(id);
        let values: Vec<u64> = support.iter().map(|at| values[*at]).collect();
        if let Some(known) = self.reduced.get(&(term, values.clone())) {
            return *known;
        }
        let replaced = support.iter().zip(&values).map(|(at, value)| {
            let state = &problem.system.states[self.variables[*at] as usize];
            (state.variable, terms.constant(state.ty.bits, u128::from(*value)))
        });
        let mut substitution = Substitution::new(replaced.collect::<Vec<_>>());
        let reduced = substitution.term(terms, term);
        self.reduced.insert((term, values), reduced);
        reduced
    }

    /// Whether a term is about data alone: it depends on no tracked variable, and on no saved copy.
    pub fn is_free(&mut self, problem: &Problem, terms: &Terms, term: TermId) -> bool {
        let is_own = |of: &u32| *of < self.own;
        support(problem, terms, &[term]).iter().all(is_own) && self.support(terms, term).is_empty()
    }
}

/// Whether a part of the state is about control: it is tracked in every abstraction.
pub(crate) fn is_control(part: &Part) -> bool {
    matches!(part, Part::Location(_) | Part::Type(_) | Part::Count | Part::Control | Part::Deterministic)
}

/// The state variables that terms depend on, by their positions, in ascending order.
pub(crate) fn support(problem: &Problem, terms: &Terms, roots: &[TermId]) -> Vec<u32> {
    let variables: FxHashMap<TermId, u32> = problem
        .system
        .states
        .iter()
        .enumerate()
        .map(|(index, state)| (state.variable, index as u32))
        .collect();
    let cone = terms.cone(roots.iter().copied());
    let mut support: Vec<u32> = (cone.into_iter())
        .filter(|id| matches!(terms.get(*id), Term::Variable(_)))
        .filter_map(|id| variables.get(&id).copied())
        .collect();
    support.sort_unstable();
    support.dedup();
    support
}
