//! Concrete states beside the abstraction: executions towards abstract states in which no concrete one was
//! seen yet. They find violations behind long loops, which abstract paths would unroll one at a time.
//! A loop that does not leave its abstract state is repeated until it does (`repeat.rs`).
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
use crate::repeat::{Allowance, Ended, Segment, shorten};
use crate::valuation::{Concrete, Valuation, initial};

/// The most states that are kept.
const MOST_STATES: usize = 400_000;
/// The most states at a place that serve as samples.
const MOST_SAMPLES: usize = 100;
/// The most links of states that a loop consists of: steps, and repeated loops inside.
const MOST_LINKS: usize = 64;
/// The most commands of a loop that is repeated.
const LONGEST_LOOP: usize = 4_096;
/// The most steps of an execution through repeated loops.
const MOST_STEPS: u64 = 1 << 18;
/// The steps of repeated loops for each state that is expanded.
const REPEATED_STEPS: u64 = 100;
/// The further steps for each query since the last run, so that they take a part of all time.
const STEPS_OF_QUERY: u64 = 100;
/// The part of these steps that one loop may take before others do.
const SHARE: u64 = 4;

/// The steps that led to a state first.
enum Origin {
    Initial,
    /// From a state by a command.
    Step(u32, u32),
    /// From a state by the commands of a loop, repeated.
    Repeated(u32, Vec<u32>, u64),
}

impl Origin {
    /// The state before.
    fn before(&self) -> Option<u32> {
        match self {
            Origin::Initial => None,
            Origin::Step(before, _) | Origin::Repeated(before, ..) => Some(*before),
        }
    }
}

/// A state that was seen.
struct Seen {
    state: Concrete,
    origin: Origin,
    /// The number of steps.
    depth: u64,
    /// The abstract state, with the number of predicates at which it was computed.
    class: (usize, u32),
}

/// When a new state is expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    First,
    Usual,
    /// In the next run.
    Paused,
}

/// The states that were seen.
pub(crate) struct Exploration {
    states: Vec<Seen>,
    known: FxHashSet<Concrete>,
    /// States in abstract states that were new when they were found, the last one first.
    preferred: Vec<u32>,
    others: VecDeque<u32>,
    /// States at the ends of loops that were repeated from others.
    late: VecDeque<u32>,
    /// The abstract states that were seen, numbered: places with values of predicates; none while the
    /// predicates are others.
    classes: FxHashMap<(u32, Vec<bool>), u32>,
    predicates: usize,
    /// The loops that were repeated, with the abstract states at their begin.
    repeated: FxHashSet<(u32, Vec<u32>)>,
    /// The steps of loops that remain.
    allowance: Allowance,
    /// The ends of repetitions that go on with further steps.
    paused: Vec<u32>,
    /// The number of queries before the last run.
    queries: u64,
    /// Some of the states at each place.
    samples: FxHashMap<PlaceId, Vec<u32>>,
    valuation: Valuation,
    turn: u64,
}

/// Commands that lead to a bad state, with its position.
type Violation = (Vec<u32>, usize);

impl Exploration {
    /// At the initial state.
    pub fn new(abstraction: &mut Abstraction<'_>) -> Exploration {
        let state = initial(abstraction.problem);
        let place = abstraction.places.of(&state);
        Exploration {
            known: FxHashSet::from_iter([state.clone()]),
            states: vec![Seen { state, origin: Origin::Initial, depth: 0, class: (usize::MAX, 0) }],
            preferred: vec![0],
            others: VecDeque::new(),
            late: VecDeque::new(),
            classes: FxHashMap::default(),
            predicates: 0,
            repeated: FxHashSet::default(),
            allowance: Allowance::default(),
            paused: Vec::new(),
            queries: 0,
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
    ) -> Result<Option<Violation>, Stop> {
        if self.predicates != abstraction.predicates.list.len() {
            self.classes.clear();
            self.repeated.clear();
            self.predicates = abstraction.predicates.list.len();
        }
        let queries = abstraction.formulas.queries;
        self.allowance.steps =
            REPEATED_STEPS * most as u64 + STEPS_OF_QUERY * (queries - self.queries).min(MOST_STEPS / 50);
        self.queries = queries;
        let share = self.allowance.steps / SHARE;
        self.others.extend(self.paused.drain(..));
        for _ in 0..most {
            self.turn += 1;
            let Some((at, is_late)) = self.next() else { return Ok(None) };
            if !is_late && self.ends_repeated_loop(abstraction, at) {
                self.late.push_back(at);
                continue;
            }
            if let Some(found) = self.expand(abstraction, bads, at, watch)? {
                return Ok(Some(found));
            }
            if let Some(found) = self.repeat(abstraction, bads, at, share, watch)? {
                return Ok(Some(found));
            }
            if self.turn.is_multiple_of(512) {
                watch.check(abstraction.formulas.memory() + self.memory())?;
            }
        }
        Ok(None)
    }

    /// The next state, and whether it ends a loop that was repeated.
    fn next(&mut self) -> Option<(u32, bool)> {
        let Exploration { preferred, others, late, .. } = self;
        // Some states are the oldest ones, so that none waits without end.
        if self.turn.is_multiple_of(16)
            && let Some(at) = late.pop_front()
        {
            return Some((at, true));
        }
        let usual = match self.turn.is_multiple_of(4) {
            true => others.pop_front().or_else(|| preferred.pop()),
            false => preferred.pop().or_else(|| others.pop_back()),
        };
        usual.map(|at| (at, false)).or_else(|| late.pop_front().map(|at| (at, true)))
    }

    /// Whether a state ends a loop that was repeated from another state: counters that nothing depends on
    /// would hide all other steps.
    fn ends_repeated_loop(&mut self, abstraction: &mut Abstraction<'_>, at: u32) -> bool {
        if !matches!(self.states[at as usize].origin, Origin::Step(..)) {
            return false;
        }
        let Some(commands) = self.last_loop(abstraction, at) else { return false };
        let key = (self.class(abstraction, at), commands);
        self.repeated.contains(&key)
    }

    fn expand(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        bads: &[usize],
        at: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Violation>, Stop> {
        let state = self.states[at as usize].state.clone();
        let depth = self.states[at as usize].depth + 1;
        let place = abstraction.places.of(&state);
        let locals = abstraction.commands(place, watch)?;
        self.valuation.begin(&abstraction.formulas.terms);
        let conditions = abstraction.bads_at(bads, place);
        let terms = &abstraction.formulas.terms;
        if let Some((bad, _)) = conditions.iter().find(|(_, of)| self.valuation.holds(terms, &state, *of)) {
            return Ok(Some(self.violation(abstraction, self.path(at), *bad, watch)));
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
            self.add(abstraction, next, Origin::Step(at, command), depth, Order::Usual);
        }
        Ok(None)
    }

    /// Adds a state unless it is known. It is expanded first if its abstract state is new.
    fn add(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        state: Concrete,
        origin: Origin,
        depth: u64,
        order: Order,
    ) {
        if self.states.len() >= MOST_STATES || !self.known.insert(state.clone()) {
            return;
        }
        let number = self.states.len() as u32;
        let place = abstraction.places.of(&state);
        let samples = self.samples.entry(place).or_default();
        if samples.len() < MOST_SAMPLES {
            samples.push(number);
        }
        let classes = self.classes.len();
        let class = self.classified(abstraction, &state);
        match order {
            Order::Paused => self.paused.push(number),
            Order::Usual if self.classes.len() == classes => self.others.push_back(number),
            Order::First | Order::Usual => self.preferred.push(number),
        }
        self.states.push(Seen { state, origin, depth, class: (self.predicates, class) });
    }

    /// The abstract state of a state.
    fn classified(&mut self, abstraction: &mut Abstraction<'_>, state: &Concrete) -> u32 {
        let terms = &abstraction.formulas.terms;
        self.valuation.begin(terms);
        let values: Vec<bool> = (abstraction.predicates.list.iter())
            .map(|predicate| self.valuation.holds(terms, state, *predicate))
            .collect();
        let place = abstraction.places.of(state);
        let next = self.classes.len() as u32;
        *self.classes.entry((place.0, values)).or_insert(next)
    }

    /// The abstract state of a state that was seen, for the present predicates.
    fn class(&mut self, abstraction: &mut Abstraction<'_>, at: u32) -> u32 {
        let (predicates, class) = self.states[at as usize].class;
        if predicates == self.predicates {
            return class;
        }
        let state = self.states[at as usize].state.clone();
        let class = self.classified(abstraction, &state);
        self.states[at as usize].class = (self.predicates, class);
        class
    }

    /// The shortest loop in the abstraction that ends at a state: its commands.
    fn last_loop(&mut self, abstraction: &mut Abstraction<'_>, at: u32) -> Option<Vec<u32>> {
        let class = self.class(abstraction, at);
        let (mut commands, mut before) = (Vec::new(), at);
        for _ in 0..MOST_LINKS {
            match &self.states[before as usize].origin {
                Origin::Initial => return None,
                Origin::Step(_, command) => commands.push(*command),
                // A repetition that was paused goes on.
                Origin::Repeated(last, segment, _) if before == at => {
                    if self.states[*last as usize].class == self.states[at as usize].class {
                        return Some(segment.clone());
                    }
                    return None;
                }
                Origin::Repeated(_, segment, times) => {
                    if segment.len() as u64 * times > LONGEST_LOOP as u64 {
                        return None;
                    }
                    (0..*times).for_each(|_| commands.extend(segment.iter().rev()));
                }
            }
            before = self.states[before as usize].origin.before()?;
            if self.class(abstraction, before) == class {
                commands.reverse();
                return (commands.len() <= LONGEST_LOOP).then_some(commands);
            }
        }
        None
    }

    /// Repeats the loop that ends at a state until its abstract state changes.
    fn repeat(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        bads: &[usize],
        at: u32,
        share: u64,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Violation>, Stop> {
        if self.allowance.steps == 0 {
            return Ok(None);
        }
        let Some(commands) = self.last_loop(abstraction, at) else { return Ok(None) };
        let key = (self.class(abstraction, at), commands);
        if self.repeated.contains(&key) {
            return Ok(None);
        }
        let (begin, depth) = (self.states[at as usize].state.clone(), self.states[at as usize].depth);
        self.allowance.longest = share;
        if depth + share > MOST_STEPS {
            return Ok(None);
        }
        let Some(mut segment) = Segment::new(abstraction, &mut self.valuation, &begin, &key.1, bads) else {
            self.repeated.insert(key);
            return Ok(None);
        };
        let ended = segment.run(abstraction, &mut self.valuation, begin, &mut self.allowance, watch)?;
        let is_complete = !matches!(ended, Ended::Allowance);
        if let Ended::Bad(position, bad) = ended {
            let mut loops = self.path(at);
            loops.push((key.1.clone(), segment.times));
            loops.push((key.1[..position].to_vec(), 1));
            return Ok(Some(self.violation(abstraction, loops, bad, watch)));
        }
        if segment.times > 0 {
            let depth = depth + segment.times * key.1.len() as u64;
            let origin = Origin::Repeated(at, key.1.clone(), segment.times);
            let order = if is_complete { Order::First } else { Order::Paused };
            self.add(abstraction, segment.last, origin, depth, order);
        }
        self.repeated.insert(key);
        Ok(None)
    }

    /// A violation with repetitions as short as are found.
    fn violation(
        &self,
        abstraction: &Abstraction<'_>,
        mut loops: Vec<(Vec<u32>, u64)>,
        bad: usize,
        watch: &mut Watch<'_>,
    ) -> Violation {
        shorten(abstraction, &mut loops, bad, watch);
        let commands = loops.iter().flat_map(|(commands, times)| {
            let length = commands.len() * *times as usize;
            commands.iter().cycle().take(length).copied()
        });
        (commands.collect(), bad)
    }

    /// Some of the states that were seen at a place.
    pub fn samples(&self, place: PlaceId) -> Vec<&Concrete> {
        let numbers = self.samples.get(&place).into_iter().flatten();
        numbers.map(|number| &self.states[*number as usize].state).collect()
    }

    /// The loops, with their repetitions, that lead to a state.
    fn path(&self, mut at: u32) -> Vec<(Vec<u32>, u64)> {
        let mut loops = Vec::new();
        loop {
            match &self.states[at as usize].origin {
                Origin::Initial => break,
                Origin::Step(_, command) => loops.push((vec![*command], 1)),
                Origin::Repeated(_, segment, times) => loops.push((segment.clone(), *times)),
            }
            at = self.states[at as usize].origin.before().unwrap_or(0);
        }
        loops.reverse();
        loops
    }

    /// An estimate of the memory, in bytes.
    fn memory(&self) -> u64 {
        let one = self.states.first().map_or(0, |seen| seen.state.len()) as u64;
        self.states.len() as u64 * (16 * one + 160)
    }
}
