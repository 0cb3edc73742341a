//! Concrete states beside the abstraction: executions towards abstract states in which no concrete one was
//! seen yet. They find violations behind long loops, which abstract paths would unroll one at a time.
//!
//! *Entry point:* [`Exploration::run`].
//! *Source:* Gulavani, Henzinger, Kannan, Nori and Rajamani, "SYNERGY: A New Algorithm for Property
//! Checking", FSE 2006.
//! *Invariant:* every state that was seen is reachable by its steps.

use std::collections::VecDeque;

use axle_decide::watch::Watch;
use axle_outcome::Stop;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::place::PlaceId;
use crate::post::Abstraction;
use crate::refine::after;
use crate::valuation::{Concrete, Valuation, initial};

/// The most states that are kept.
const MOST_STATES: usize = 400_000;

/// The most states at a place that serve as samples.
const MOST_SAMPLES: usize = 100;

/// The states that were seen.
pub(crate) struct Exploration {
    states: Vec<(Concrete, Option<(u32, u32)>)>,
    known: FxHashSet<Concrete>,
    /// States in abstract states that were new when they were found, the last one first.
    preferred: Vec<u32>,
    others: VecDeque<u32>,
    /// The values of predicates at places that were seen; empty while the predicates are others.
    seen: FxHashSet<(u32, Vec<bool>)>,
    predicates: usize,
    /// Some of the states at each place.
    samples: FxHashMap<PlaceId, Vec<u32>>,
    valuation: Valuation,
    turn: u64,
}

impl Exploration {
    /// At the initial state.
    pub fn new(abstraction: &mut Abstraction<'_>) -> Exploration {
        let state = initial(abstraction.problem);
        let place = abstraction.places.of(&state);
        Exploration {
            known: FxHashSet::from_iter([state.clone()]),
            states: vec![(state, None)],
            preferred: vec![0],
            others: VecDeque::new(),
            seen: FxHashSet::default(),
            predicates: 0,
            samples: FxHashMap::from_iter([(place, vec![0])]),
            valuation: Valuation::new(abstraction.problem),
            turn: 0,
        }
    }

    /// Expands states; returns the commands that lead to a bad state, with its position.
    ///
    /// # Errors
    /// The search must stop.
    pub fn run(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        bads: &[usize],
        most: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Option<(Vec<u32>, usize)>, Stop> {
        if self.predicates != abstraction.predicates.list.len() {
            self.seen.clear();
            self.predicates = abstraction.predicates.list.len();
        }
        for _ in 0..most {
            self.turn += 1;
            // Every fourth state is the oldest one, so that none waits without end.
            let next = match self.turn.is_multiple_of(4) {
                true => self.others.pop_front().or_else(|| self.preferred.pop()),
                false => self.preferred.pop().or_else(|| self.others.pop_back()),
            };
            let Some(at) = next else { return Ok(None) };
            if let Some(found) = self.expand(abstraction, bads, at, watch)? {
                return Ok(Some(found));
            }
            if self.turn.is_multiple_of(512) {
                watch.check(abstraction.formulas.memory() + self.memory())?;
            }
        }
        Ok(None)
    }

    fn expand(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        bads: &[usize],
        at: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Option<(Vec<u32>, usize)>, Stop> {
        let state = self.states[at as usize].0.clone();
        let place = abstraction.places.of(&state);
        let locals = abstraction.commands(place, watch)?;
        self.valuation.begin(&abstraction.formulas.terms);
        let system = &abstraction.problem.system;
        for bad in bads {
            let condition = system.bads[*bad].condition;
            let (places, terms) = (&mut abstraction.places, &mut abstraction.formulas.terms);
            let condition = places.reduced(abstraction.problem, terms, condition, place);
            if self.valuation.holds(terms, &state, condition) {
                return Ok(Some((self.path(at), *bad)));
            }
        }
        let mut commands: Vec<u32> =
            locals.iter().map(|local| abstraction.locals.get(*local).command).collect();
        commands.dedup();
        let mut found = Vec::new();
        for command in commands {
            if let Some(next) = after(abstraction, &mut self.valuation, &state, command) {
                found.push((command, next));
            }
        }
        for (command, next) in found {
            if self.states.len() >= MOST_STATES || !self.known.insert(next.clone()) {
                continue;
            }
            let number = self.states.len() as u32;
            self.valuation.begin(&abstraction.formulas.terms);
            let terms = &abstraction.formulas.terms;
            let values: Vec<bool> = (abstraction.predicates.list.iter())
                .map(|predicate| self.valuation.holds(terms, &next, *predicate))
                .collect();
            let place = abstraction.places.of(&next);
            let samples = self.samples.entry(place).or_default();
            if samples.len() < MOST_SAMPLES {
                samples.push(number);
            }
            match self.seen.insert((place.0, values)) {
                true => self.preferred.push(number),
                false => self.others.push_back(number),
            }
            self.states.push((next, Some((at, command))));
        }
        Ok(None)
    }

    /// Some of the states that were seen at a place.
    pub fn samples(&self, place: PlaceId) -> Vec<&Concrete> {
        let numbers = self.samples.get(&place).into_iter().flatten();
        numbers.map(|number| &self.states[*number as usize].0).collect()
    }

    /// The commands that lead to a state.
    fn path(&self, mut at: u32) -> Vec<u32> {
        let mut commands = Vec::new();
        while let Some((before, command)) = self.states[at as usize].1 {
            commands.push(command);
            at = before;
        }
        commands.reverse();
        commands
    }

    /// An estimate of the memory, in bytes.
    fn memory(&self) -> u64 {
        let one = self.states.first().map_or(0, |(state, _)| state.len()) as u64;
        self.states.len() as u64 * (16 * one + 96)
    }
}
