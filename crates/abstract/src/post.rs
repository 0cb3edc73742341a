//! Abstract successors: the values of the predicates after a step, from their weakest preconditions.
//!
//! With Boolean precision a step leads to each combination of values that some state has; with
//! Cartesian precision to one cube, in which a predicate is unknown if both values are possible. A guard
//! that the cube does not decide is taken where it is satisfiable, and is assumed for the values after
//! the step. Predicates of other processes over shared variables are computed like all others, so that no
//! update has to be broadcast.
//!
//! *Entry point:* [`Abstraction::successors`].
//! *Source:* Ball, Majumdar, Millstein and Rajamani, "Automatic Predicate Abstraction of C Programs",
//! PLDI 2001 (Cartesian); Lahiri, Nieuwenhuis and Oliveras, "SMT Techniques for Fast Predicate
//! Abstraction", CAV 2006 (all combinations by one solver).
//! *Invariant:* for each step from a state of the cube, some successor contains the state after it.

use std::rc::Rc;

use axle_decide::aig::Signal;
use axle_decide::canonical::Equalities;
use axle_decide::model::Problem;
use axle_decide::sat::Lit;
use axle_decide::term::{BinaryOp, FALSE, TRUE, Term, TermId};
use axle_decide::watch::Watch;
use axle_outcome::Stop;
use axle_relation::Relation;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Precision;
use crate::atoms::conjuncts;
use crate::cube::{Cube, Predicates, Truth};
use crate::local::{LocalId, Locals};
use crate::place::{PlaceId, Places, support};
use crate::solver::{Formulas, Scope};

/// The combinations of values after one step that Boolean precision distinguishes, at first and at most.
const FEW_COMBINATIONS: usize = 64;
const MOST_COMBINATIONS: usize = 4096;
/// The most decisions of a query, and by how much they grow.
const MOST_EFFORT: u64 = 10_000_000;
const EFFORT_GROWTH: u64 = 10;

/// Known equalities, and a condition in simpler terms.
type Known = (Rc<Equalities>, TermId);

/// A query about a step.
#[derive(PartialEq, Eq, Hash)]
struct Query {
    local: LocalId,
    /// The conditions that are assumed before it.
    assumed: Vec<Signal>,
    guard: Signal,
    /// The conditions of which the values are asked for.
    questions: Vec<TermId>,
}

/// The abstraction of a problem by predicates.
pub(crate) struct Abstraction<'p> {
    pub problem: &'p Problem,
    pub places: Places,
    pub locals: Locals,
    pub formulas: Formulas,
    pub predicates: Predicates,
    pub precision: Precision,
    /// The most literals of a cube that are assumed in one query.
    pub most_literals: Option<usize>,
    /// Whether queries assume the values of a place, at which variables may have smaller ranges.
    at_places: bool,
    most_combinations: usize,
    /// Conditions after a step that a query could not decide: they are unknown after the step.
    hard: FxHashSet<(LocalId, Signal)>,
    answers: FxHashMap<Query, Rc<Vec<Vec<Truth>>>>,
    satisfiable: FxHashMap<(TermId, Vec<Signal>), bool>,
    /// The known equalities of cubes and conditions, by the predicates that hold and the conditions.
    equalities: FxHashMap<(Vec<TermId>, Vec<TermId>), Known>,
    /// The number of answers from the cache.
    pub hits: u64,
}

impl<'p> Abstraction<'p> {
    /// Without predicates.
    pub fn new(problem: &'p Problem, relation: &Relation, options: &crate::Options) -> Abstraction<'p> {
        Abstraction {
            problem,
            places: Places::new(problem, relation, &options.kept),
            locals: Locals::default(),
            formulas: Formulas::new(problem, options.clock),
            predicates: Predicates::default(),
            precision: options.precision,
            most_literals: options.cube_length,
            at_places: false,
            most_combinations: FEW_COMBINATIONS,
            hard: FxHashSet::default(),
            answers: FxHashMap::default(),
            satisfiable: FxHashMap::default(),
            equalities: FxHashMap::default(),
            hits: 0,
        }
    }

    /// The commands that may be enabled at a place.
    pub fn commands(&mut self, place: PlaceId, watch: &mut Watch<'_>) -> Result<Vec<LocalId>, Stop> {
        self.locals.at(self.problem, &mut self.places, &mut self.formulas, place, watch)
    }

    /// The place after a step.
    pub fn place_after(&mut self, local: LocalId, place: PlaceId) -> PlaceId {
        let mut values = self.places.values(place).to_vec();
        for (at, value) in &self.locals.get(local).control {
            values[*at] = *value;
        }
        self.places.intern(values)
    }

    /// The bad conditions at these positions that a state at a place may satisfy.
    pub fn bads_at(&mut self, bads: &[usize], place: PlaceId) -> Vec<(usize, TermId)> {
        let conditions = bads.iter().map(|bad| {
            let condition = self.problem.system.bads[*bad].condition;
            (*bad, self.places.reduced(self.problem, &mut self.formulas.terms, condition, place))
        });
        conditions.filter(|(_, condition)| *condition != FALSE).collect()
    }

    /// The known literals of a cube that can influence conditions over some variables: those that are
    /// connected to them by predicates. Nearer ones come first.
    fn relevant(&mut self, cube: &[Truth], seed: &[u32]) -> Vec<Signal> {
        let count = self.problem.system.states.len();
        let mut reached = vec![false; count];
        seed.iter().for_each(|of| reached[*of as usize] = true);
        let mut taken = vec![false; cube.len()];
        let mut literals = Vec::new();
        loop {
            let mut new = Vec::new();
            for (at, truth) in cube.iter().enumerate() {
                let touches = || self.predicates.supports[at].iter().any(|of| reached[*of as usize]);
                if !taken[at] && truth.known().is_some() && touches() {
                    taken[at] = true;
                    new.push(at);
                }
            }
            if new.is_empty() {
                break;
            }
            for at in new {
                self.predicates.supports[at].iter().for_each(|of| reached[*of as usize] = true);
                let signal = self.formulas.signal(self.predicates.list[at]);
                literals.push(signal.inverted_if(cube[at] == Truth::False));
            }
        }
        if let Some(most) = self.most_literals {
            literals.truncate(most);
        }
        literals.sort_unstable();
        literals
    }

    /// Whether some state of a cube at a place satisfies a condition.
    ///
    /// # Errors
    /// The search must stop.
    pub fn may_hold(
        &mut self,
        place: PlaceId,
        cube: &[Truth],
        condition: TermId,
        watch: &mut Watch<'_>,
    ) -> Result<bool, Stop> {
        let condition = self.places.reduced(self.problem, &mut self.formulas.terms, condition, place);
        let parts = conjuncts(&mut self.formulas.terms, condition);
        let condition = self.known(cube, &parts).1;
        match condition {
            FALSE => return Ok(false),
            TRUE => return Ok(true),
            _ => {}
        }
        let seed = support(self.problem, &self.formulas.terms, &[condition]);
        let mut literals = self.relevant(cube, &seed);
        literals.extend(self.at_place(place));
        let key = (condition, literals.clone());
        if let Some(known) = self.satisfiable.get(&key) {
            self.hits += 1;
            return Ok(*known);
        }
        literals.push(self.formulas.signal(condition));
        let answer = self.formulas.is_satisfiable(&literals, watch)?;
        self.satisfiable.insert(key, answer);
        Ok(answer)
    }

    /// The linear equalities that hold where a cube and some conditions do, and the conjunction of the
    /// conditions in simpler terms.
    fn known(&mut self, cube: &[Truth], conditions: &[TermId]) -> Known {
        let holds = cube.iter().enumerate().filter(|(_, value)| **value == Truth::True);
        let holds = holds.map(|(at, _)| self.predicates.list[at]).filter(|of| self.formulas.is_equality(*of));
        let key: (Vec<TermId>, Vec<TermId>) = (holds.collect(), conditions.to_vec());
        if let Some(known) = self.equalities.get(&key) {
            return known.clone();
        }
        let terms = &mut self.formulas.terms;
        let mut equalities = Equalities::new();
        key.0.iter().for_each(|of| equalities.add(terms, *of));
        let mut all = TRUE;
        // Equalities come first, since they simplify the others.
        let (equal, others): (Vec<TermId>, Vec<TermId>) =
            conditions.iter().partition(|of| matches!(terms.get(**of), Term::Binary(BinaryOp::Eq, ..)));
        for condition in equal.into_iter().chain(others) {
            let reduced = equalities.reduced(terms, condition);
            equalities.add(terms, condition);
            all = terms.conjunction(all, reduced);
        }
        let found = (Rc::new(equalities), all);
        self.equalities.insert(key, found.clone());
        found
    }

    /// The cubes after a step from a cube.
    ///
    /// # Errors
    /// The search must stop.
    pub fn successors(
        &mut self,
        local: LocalId,
        place: PlaceId,
        cube: &[Truth],
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Cube>, Stop> {
        let mut next: Cube = cube.to_vec();
        let mut asked: Vec<(usize, TermId)> = Vec::new();
        let mut undecided: Vec<usize> = Vec::new();
        let parts = self.locals.get(local).conjuncts.clone();
        let (equalities, guard) = self.known(cube, &parts);
        if guard == FALSE {
            return Ok(Vec::new());
        }
        for (at, value) in next.iter_mut().enumerate() {
            let predicate = self.predicates.list[at];
            let of = self.locals.get(local);
            let is_changed =
                self.predicates.supports[at].iter().any(|of_predicate| of.writes.contains(of_predicate));
            let before = match is_changed {
                true => self.locals.get_mut(local).wp.after(&mut self.formulas.terms, predicate),
                false => predicate,
            };
            let reduced = equalities.reduced(&mut self.formulas.terms, before);
            let terms = &self.formulas.terms;
            let of_reduced = self.predicates.value(terms, cube, reduced);
            match of_reduced.or_else(|| self.predicates.value(terms, cube, before)) {
                Some(known) => *value = Truth::of(known),
                None if is_changed => asked.push((at, before)),
                None => undecided.push(at),
            }
        }
        let mut seed = self.locals.get(local).reads.clone();
        for (at, _) in &asked {
            seed.extend(&self.predicates.supports[*at]);
        }
        // An unknown value that the step keeps may follow from the guard.
        for at in undecided {
            if self.predicates.supports[at].iter().any(|of| seed.contains(of)) {
                asked.push((at, self.predicates.list[at]));
            }
        }
        let mut assumed = self.relevant(cube, &seed);
        assumed.extend(self.at_place(place));
        // Conditions with one form are one question.
        let mut questions: Vec<TermId> = Vec::new();
        let mut forms: Vec<TermId> = Vec::new();
        let mut rest: Vec<(usize, usize, bool)> = Vec::new();
        for (at, before) in asked {
            let reduced = equalities.reduced(&mut self.formulas.terms, before);
            let (form, negated) = match self.formulas.terms.get(reduced) {
                Term::Not(form) => (form, true),
                _ => (reduced, false),
            };
            let before = if negated { self.formulas.terms.not(before) } else { before };
            let signal = self.formulas.signal(before);
            if self.hard.contains(&(local, signal)) {
                next[at] = Truth::Unknown;
                continue;
            }
            let question = forms.iter().position(|known| *known == form).unwrap_or(forms.len());
            if question == forms.len() {
                forms.push(form);
                questions.push(before);
            }
            rest.push((at, question, negated));
        }
        let denied = cube.iter().zip(&self.predicates.list).filter(|(value, _)| **value == Truth::False);
        let mut denied: Vec<TermId> = denied.map(|(_, of)| *of).collect();
        denied.extend(parts.iter().filter_map(|part| match self.formulas.terms.get(*part) {
            Term::Not(a) => Some(a),
            _ => None,
        }));
        let query = Query { local, assumed, guard: self.formulas.signal(guard), questions };
        let combinations = self.combinations(query, &equalities, &denied, watch)?;
        let cubes = combinations.iter().map(|values| {
            let mut cube = next.clone();
            for (at, question, negated) in &rest {
                cube[*at] = values[*question].negated_if(*negated);
            }
            cube
        });
        Ok(cubes.collect())
    }

    /// The values of conditions where a step is enabled and others hold; none if it is not.
    fn combinations(
        &mut self,
        query: Query,
        equalities: &Equalities,
        denied: &[TermId],
        watch: &mut Watch<'_>,
    ) -> Result<Rc<Vec<Vec<Truth>>>, Stop> {
        if let Some(known) = self.answers.get(&query) {
            self.hits += 1;
            return Ok(known.clone());
        }
        let scope = Scope::Steps(query.local);
        let formulas = &mut self.formulas;
        let questions: Vec<Lit> = query.questions.iter().map(|of| formulas.literal_of(scope, *of)).collect();
        let assumed = query.assumed.iter().chain([&query.guard]);
        let mut assumptions: Vec<Lit> = assumed.map(|of| formulas.literal(scope, *of)).collect();
        let switch = formulas.switch(scope);
        assumptions.push(switch);
        self.imply(scope, switch, &query.questions, equalities, denied);
        let all = match self.precision {
            Precision::Boolean => self.all(scope, &assumptions, &questions, watch)?,
            Precision::Cartesian => None,
        };
        let found = match all {
            Some(all) => all,
            None => self.each(&query, &assumptions, &questions, watch)?,
        };
        self.formulas.forget(scope, switch);
        let found = Rc::new(found);
        self.answers.insert(query, found.clone());
        Ok(found)
    }

    /// Adds the implications between linear equalities as clauses, where a switch is on: the solver knows
    /// sums only as circuits, in which these are hard to find.
    fn imply(
        &mut self,
        scope: Scope,
        switch: Lit,
        questions: &[TermId],
        equalities: &Equalities,
        denied: &[TermId],
    ) {
        let linear: Vec<TermId> =
            questions.iter().copied().filter(|of| self.formulas.is_equality(*of)).collect();
        let denied: Vec<TermId> =
            denied.iter().copied().filter(|of| self.formulas.is_equality(*of)).collect();
        for question in &linear {
            let own = !self.formulas.literal_of(scope, *question);
            let mut with = equalities.clone();
            with.add(&self.formulas.terms, *question);
            let mut implied = |of: TermId| with.reduced(&mut self.formulas.terms, of);
            let is_denied = denied.iter().any(|of| implied(*of) == TRUE);
            let others: Vec<(TermId, TermId)> = (linear.iter())
                .filter(|other| *other != question)
                .map(|other| (*other, implied(*other)))
                .collect();
            if is_denied || !with.is_consistent() {
                self.formulas.clause(scope, &[!switch, own]);
            }
            for (other, value) in others.into_iter().filter(|(_, value)| [TRUE, FALSE].contains(value)) {
                let other = self.formulas.literal_of(scope, other).negated_if(value == FALSE);
                self.formulas.clause(scope, &[!switch, own, other]);
            }
        }
    }

    /// All combinations of values of literals; none if they are too many.
    fn all(
        &mut self,
        scope: Scope,
        assumptions: &[Lit],
        questions: &[Lit],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Vec<Truth>>>, Stop> {
        let mut found: Vec<Vec<Truth>> = Vec::new();
        // Clauses that exclude combinations have a switch of their own, since other queries may follow.
        let excluded = self.formulas.switch(scope);
        let mut assumptions = assumptions.to_vec();
        assumptions.push(excluded);
        loop {
            match self.formulas.query(scope, &assumptions, watch)? {
                Some(true) => {}
                Some(false) => break,
                None => {
                    self.formulas.forget(scope, excluded);
                    return Ok(None);
                }
            }
            let values: Vec<bool> =
                questions.iter().map(|question| self.formulas.value(scope, *question)).collect();
            let mut clause: Vec<Lit> =
                questions.iter().zip(&values).map(|(question, value)| question.negated_if(*value)).collect();
            clause.push(!excluded);
            self.formulas.clause(scope, &clause);
            found.push(values.into_iter().map(Truth::of).collect());
            if found.len() > self.most_combinations {
                self.formulas.forget(scope, excluded);
                return Ok(None);
            }
            if questions.is_empty() {
                break;
            }
        }
        self.formulas.forget(scope, excluded);
        Ok(Some(found))
    }

    /// One cube with the values that are the same in all combinations; none if there is no combination.
    fn each(
        &mut self,
        query: &Query,
        assumptions: &[Lit],
        questions: &[Lit],
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Vec<Truth>>, Stop> {
        let scope = Scope::Steps(query.local);
        let value = |formulas: &Formulas, question: &Lit| formulas.value(scope, *question);
        let values: Option<Vec<bool>> = match self.formulas.query(scope, assumptions, watch)? {
            Some(false) => return Ok(Vec::new()),
            Some(true) => Some(questions.iter().map(|question| value(&self.formulas, question)).collect()),
            None => None,
        };
        let mut cube = Vec::new();
        for (at, question) in questions.iter().enumerate() {
            let mut may_be =
                [true, false].map(|value| values.as_ref().is_some_and(|values| values[at] == value));
            for (value, may) in [true, false].into_iter().zip(&mut may_be) {
                if !*may {
                    let mut with = assumptions.to_vec();
                    with.push(question.negated_if(!value));
                    let answer = self.formulas.query(scope, &with, watch)?;
                    if answer.is_none() {
                        let condition = self.formulas.signal(query.questions[at]);
                        self.hard.insert((query.local, condition));
                    }
                    *may = answer != Some(false);
                }
            }
            match may_be {
                [true, true] => cube.push(Truth::Unknown),
                [false, false] => return Ok(Vec::new()),
                [may, _] => cube.push(Truth::of(may)),
            }
        }
        Ok(vec![cube])
    }
}

impl Abstraction<'_> {
    /// Refines the abstraction without a further predicate; returns whether that is possible.
    pub fn refine(&mut self) -> bool {
        if self.precision == Precision::Cartesian {
            self.precision = Precision::Boolean;
        } else if self.most_literals.is_some() {
            self.most_literals = None;
        } else if !self.at_places {
            self.at_places = true;
        } else if self.formulas.effort < MOST_EFFORT {
            self.formulas.effort *= EFFORT_GROWTH;
        } else if self.most_combinations < MOST_COMBINATIONS {
            self.most_combinations = MOST_COMBINATIONS;
        } else {
            return false;
        }
        self.answers.clear();
        self.satisfiable.clear();
        self.hard.clear();
        true
    }

    /// The conditions that the variables of a place have their values, if queries are to assume them.
    pub fn at_place(&mut self, place: PlaceId) -> Vec<Signal> {
        if !self.at_places {
            return Vec::new();
        }
        let values = self.places.values(place).to_vec();
        let formulas = &mut self.formulas;
        (self.places.variables.iter().zip(values))
            .map(|(of, value)| {
                let state = &self.problem.system.states[*of as usize];
                let value = formulas.terms.constant(state.ty.bits, u128::from(value));
                let is = formulas.terms.equal(state.variable, value);
                formulas.signal(is)
            })
            .collect()
    }
}
