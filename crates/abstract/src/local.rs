//! Commands at a place: with the values of the tracked variables before the step, and the place after it.
//!
//! *Entry point:* [`Locals::at`].
//! *Invariant:* at a place, a state has the same successors by the local commands as by the commands.

use axle_decide::model::Problem;
use axle_decide::term::{FALSE, TermId};
use axle_decide::watch::Watch;
use axle_outcome::Stop;
use rustc_hash::FxHashMap;

use crate::atoms::conjuncts;
use crate::place::{PlaceId, Places, support};
use crate::solver::Formulas;
use crate::wp::Wp;

/// A local command: an index into [`Locals`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LocalId(pub u32);

/// A command at places with the same values of the tracked variables that it reads.
pub(crate) struct Local {
    /// The position of the command.
    pub command: u32,
    /// The guard, as conjuncts.
    pub conjuncts: Vec<TermId>,
    /// The values of tracked variables after the step, by their positions in a place.
    pub control: Vec<(usize, u64)>,
    pub wp: Wp,
    /// The state variables that the guard and the values depend on.
    pub reads: Vec<u32>,
    /// The other state variables that it changes.
    pub writes: Vec<u32>,
}

/// The key of a local command: the terms that define it.
type Key = (u32, TermId, Vec<(usize, TermId)>, Vec<(u32, TermId)>);

/// The local commands.
#[derive(Default)]
pub(crate) struct Locals {
    list: Vec<Local>,
    known: FxHashMap<Key, Vec<LocalId>>,
    at: FxHashMap<PlaceId, Vec<LocalId>>,
}

impl Locals {
    /// A local command.
    pub fn get(&self, id: LocalId) -> &Local {
        &self.list[id.0 as usize]
    }

    /// A local command, to compute preconditions.
    pub fn get_mut(&mut self, id: LocalId) -> &mut Local {
        &mut self.list[id.0 as usize]
    }

    /// The commands that may be enabled at a place.
    ///
    /// # Errors
    /// The search must stop.
    pub fn at(
        &mut self,
        problem: &Problem,
        places: &mut Places,
        formulas: &mut Formulas,
        place: PlaceId,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<LocalId>, Stop> {
        if let Some(known) = self.at.get(&place) {
            return Ok(known.clone());
        }
        let mut all = Vec::new();
        for (index, command) in problem.commands.iter().enumerate() {
            let guard = places.reduced(problem, &mut formulas.terms, command.enabled, place);
            if guard == FALSE {
                continue;
            }
            let (mut control, mut updates) = (Vec::new(), Vec::new());
            for (of, value) in &command.updates {
                let value = places.reduced(problem, &mut formulas.terms, *value, place);
                match places.tracks(*of) {
                    Some(at) => control.push((at, value)),
                    None => updates.push((*of, value)),
                }
            }
            let key = (index as u32, guard, control, updates);
            let locals = match self.known.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let new = self.new_locals(problem, formulas, &key, watch)?;
                    self.known.insert(key, new.clone());
                    new
                }
            };
            all.extend(locals);
        }
        self.at.insert(place, all.clone());
        Ok(all)
    }

    /// One local command for each combination of values of tracked variables after the step: usually one.
    fn new_locals(
        &mut self,
        problem: &Problem,
        formulas: &mut Formulas,
        (command, guard, control, updates): &Key,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<LocalId>, Stop> {
        let mut cases: Vec<(TermId, Vec<(usize, u64)>)> = vec![(*guard, Vec::new())];
        for (at, value) in control {
            let mut next = Vec::new();
            for (guard, known) in cases {
                for (guard, value) in values(formulas, guard, *value, watch)? {
                    let mut known = known.clone();
                    known.push((*at, value));
                    next.push((guard, known));
                }
            }
            cases = next;
        }
        let mut ids = Vec::new();
        for (guard, control) in cases {
            let mut roots: Vec<TermId> = updates.iter().map(|(_, value)| *value).collect();
            roots.push(guard);
            let local = Local {
                command: *command,
                conjuncts: conjuncts(&mut formulas.terms, guard),
                control,
                wp: Wp::of(&problem.system, guard, updates),
                reads: support(problem, &formulas.terms, &roots),
                writes: updates.iter().map(|(of, _)| *of).collect(),
            };
            ids.push(LocalId(self.list.len() as u32));
            self.list.push(local);
        }
        Ok(ids)
    }
}

/// The most values of a tracked variable after one step.
const MOST_VALUES: u64 = 256;

/// The values that a term may have where a guard holds, each with the guard that the term has it.
fn values(
    formulas: &mut Formulas,
    guard: TermId,
    term: TermId,
    watch: &mut Watch<'_>,
) -> Result<Vec<(TermId, u64)>, Stop> {
    if let Some(value) = formulas.terms.value(term) {
        return Ok(vec![(guard, value as u64)]);
    }
    let width = formulas.terms.width(term);
    let values = 1u64.checked_shl(width.into()).filter(|values| *values <= MOST_VALUES);
    let mut found = Vec::new();
    for value in 0..values.ok_or(Stop::NotApplicable)? {
        let number = formulas.terms.constant(width, u128::from(value));
        let is = formulas.terms.equal(term, number);
        let case = formulas.terms.conjunction(guard, is);
        if case == FALSE {
            continue;
        }
        let condition = formulas.signal(case);
        if formulas.is_satisfiable(&[condition], watch)? {
            found.push((case, value));
        }
    }
    Ok(found)
}
