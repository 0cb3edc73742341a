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

use axle_decide::model::Problem;
use axle_decide::sat::Lit;
use axle_decide::term::{FALSE, TRUE, TermId};
use axle_decide::watch::Watch;
use axle_outcome::Stop;
use axle_relation::Relation;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Precision;
use crate::cube::{Cube, Predicates, Truth};
use crate::local::{LocalId, Locals};
use crate::place::{PlaceId, Places};
use crate::solver::Formulas;

/// The combinations of values after one step that Boolean precision distinguishes, at first and at most.
const FEW_COMBINATIONS: usize = 64;
const MOST_COMBINATIONS: usize = 4096;
/// The most decisions of a query, and by how much they grow.
const MOST_EFFORT: u64 = 10_000_000;
const EFFORT_GROWTH: u64 = 10;

/// A query about a step: the literals assumed before it, and those asked for.
type Asked = (LocalId, Vec<Lit>, Vec<Lit>);

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
    /// Literals after a step that a query could not decide: they are unknown after the step.
    hard: FxHashSet<(LocalId, Lit)>,
    answers: FxHashMap<Asked, Rc<Vec<Vec<Truth>>>>,
    satisfiable: FxHashMap<(TermId, Vec<Lit>), bool>,
    /// The number of answers from the cache.
    pub hits: u64,
}

impl<'p> Abstraction<'p> {
    /// Without predicates.
    pub fn new(problem: &'p Problem, relation: &Relation, options: &crate::Options) -> Abstraction<'p> {
        Abstraction {
            problem,
            places: Places::new(problem, relation),
            locals: Locals::default(),
            formulas: Formulas::new(problem),
            predicates: Predicates::default(),
            precision: options.precision,
            most_literals: options.cube_length,
            at_places: false,
            most_combinations: FEW_COMBINATIONS,
            hard: FxHashSet::default(),
            answers: FxHashMap::default(),
            satisfiable: FxHashMap::default(),
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

    /// The known literals of a cube that can influence conditions over some variables: those that are
    /// connected to them by predicates. Nearer ones come first.
    fn relevant(&mut self, cube: &[Truth], seed: &[u32]) -> Vec<Lit> {
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
                let literal = self.formulas.literal(self.predicates.list[at]);
                literals.push(literal.negated_if(cube[at] == Truth::False));
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
        match condition {
            FALSE => return Ok(false),
            TRUE => return Ok(true),
            _ => {}
        }
        let seed = crate::place::support(self.problem, &self.formulas.terms, &[condition]);
        let mut literals = self.relevant(cube, &seed);
        literals.extend(self.at_place(place));
        let key = (condition, literals.clone());
        if let Some(known) = self.satisfiable.get(&key) {
            self.hits += 1;
            return Ok(*known);
        }
        literals.push(self.formulas.literal(condition));
        let answer = self.formulas.is_satisfiable(&literals, watch)?;
        self.satisfiable.insert(key, answer);
        Ok(answer)
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
        for (at, value) in next.iter_mut().enumerate() {
            let predicate = self.predicates.list[at];
            let of = self.locals.get(local);
            let is_changed =
                self.predicates.supports[at].iter().any(|of_predicate| of.writes.contains(of_predicate));
            let before = match is_changed {
                true => self.locals.get_mut(local).wp.after(&mut self.formulas.terms, predicate),
                false => predicate,
            };
            match self.predicates.value(&self.formulas.terms, cube, before) {
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
        let mut questions = Vec::new();
        let mut rest = Vec::new();
        for (at, before) in asked {
            let literal = self.formulas.literal(before);
            if self.hard.contains(&(local, literal)) {
                next[at] = Truth::Unknown;
            } else {
                questions.push(literal);
                rest.push(at);
            }
        }
        let combinations = self.combinations((local, assumed, questions), watch)?;
        let cubes = combinations.iter().map(|values| {
            let mut cube = next.clone();
            for (at, value) in rest.iter().zip(values) {
                cube[*at] = *value;
            }
            cube
        });
        Ok(cubes.collect())
    }

    /// The values of literals where a step is enabled and others hold; none if it is not.
    fn combinations(&mut self, key: Asked, watch: &mut Watch<'_>) -> Result<Rc<Vec<Vec<Truth>>>, Stop> {
        if let Some(known) = self.answers.get(&key) {
            self.hits += 1;
            return Ok(known.clone());
        }
        let (local, assumed, questions) = &key;
        let guard = self.formulas.literal(self.locals.get(*local).guard);
        let mut assumptions = assumed.clone();
        assumptions.push(guard);
        let found = match self.precision {
            Precision::Boolean => match self.all(&assumptions, questions, watch)? {
                Some(all) => all,
                None => self.each(*local, &assumptions, questions, watch)?,
            },
            Precision::Cartesian => self.each(*local, &assumptions, questions, watch)?,
        };
        let found = Rc::new(found);
        self.answers.insert(key, found.clone());
        Ok(found)
    }

    /// All combinations of values of literals; none if they are too many.
    fn all(
        &mut self,
        assumptions: &[Lit],
        questions: &[Lit],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Vec<Vec<Truth>>>, Stop> {
        let mut found: Vec<Vec<Truth>> = Vec::new();
        let switch = self.formulas.switch();
        let mut assumptions = assumptions.to_vec();
        assumptions.push(switch);
        loop {
            match self.formulas.query(&assumptions, watch)? {
                Some(true) => {}
                Some(false) => break,
                None => {
                    self.formulas.forget(switch);
                    return Ok(None);
                }
            }
            let values: Vec<bool> = questions.iter().map(|question| self.formulas.value(*question)).collect();
            let mut clause: Vec<Lit> =
                questions.iter().zip(&values).map(|(question, value)| question.negated_if(*value)).collect();
            clause.push(!switch);
            self.formulas.clause(&clause);
            found.push(values.into_iter().map(Truth::of).collect());
            if found.len() > self.most_combinations {
                self.formulas.forget(switch);
                return Ok(None);
            }
            if questions.is_empty() {
                break;
            }
        }
        self.formulas.forget(switch);
        Ok(Some(found))
    }

    /// One cube with the values that are the same in all combinations; none if there is no combination.
    fn each(
        &mut self,
        local: LocalId,
        assumptions: &[Lit],
        questions: &[Lit],
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Vec<Truth>>, Stop> {
        let values: Option<Vec<bool>> = match self.formulas.query(assumptions, watch)? {
            Some(false) => return Ok(Vec::new()),
            Some(true) => Some(questions.iter().map(|question| self.formulas.value(*question)).collect()),
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
                    let answer = self.formulas.query(&with, watch)?;
                    if answer.is_none() {
                        self.hard.insert((local, *question));
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

    /// The literals that the variables of a place have their values, if queries are to assume them.
    pub fn at_place(&mut self, place: PlaceId) -> Vec<Lit> {
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
                formulas.literal(is)
            })
            .collect()
    }
}
