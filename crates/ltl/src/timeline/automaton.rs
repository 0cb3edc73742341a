//! The automaton of a timeline.
//!
//! For each interval there are up to three kinds of states: one that waits for the next mark, one
//! in which a required mark never comes, and one for each forbidden event. They are entered
//! together when the mark before the interval is matched. Nothing is determinised or minimised, so
//! that the automaton of a timeline without required events between others looks like the drawing.
//!
//! *Entry point:* [`automaton`].
//! *Invariant:* the automaton accepts just the executions that violate the timeline.

use super::{Interval, Timeline, conjunction};
use crate::automaton::{Automaton, Cube, Transition};
use crate::{Formula, TooLarge};

/// The mark of the only acceptance set.
const ACCEPTING: u64 = 1;

/// The most disjuncts of a condition.
const MOST_CUBES: usize = 1_024;

/// The automaton of the executions that violate the timeline.
///
/// # Errors
/// A condition has too many disjuncts.
pub fn automaton(timeline: &Timeline) -> Result<Automaton, TooLarge> {
    let mut making = Making { states: Vec::new(), sink: None };
    let intervals = timeline.intervals();
    // From the last interval to the first, so that the states that an interval leads to exist.
    let mut entered = Vec::new();
    for interval in intervals.iter().rev() {
        entered = making.interval(interval, &entered)?;
    }
    let initial = making.initial(&entered);
    Ok(in_order(initial, &making.states))
}

struct Making {
    states: Vec<Vec<Transition>>,
    /// The state in which everything is accepted.
    sink: Option<u32>,
}

impl Making {
    fn state(&mut self) -> u32 {
        self.states.push(Vec::new());
        self.states.len() as u32 - 1
    }

    fn edges(&mut self, from: u32, condition: &Formula, to: u32, marks: u64) -> Result<(), TooLarge> {
        let edges = cubes(condition)?.into_iter().map(|label| Transition { label, to, marks });
        self.states[from as usize].extend(edges);
        Ok(())
    }

    /// The states of an interval that are entered at its first step. `later`: those of the interval
    /// behind it.
    fn interval(&mut self, interval: &Interval<'_>, later: &[u32]) -> Result<Vec<u32>, TooLarge> {
        let mut entered = Vec::new();
        let not_next = interval.next.map(|next| next.condition.clone().negated());
        if let Some(next) = interval.next {
            if !later.is_empty() {
                let waiting = self.state();
                self.edges(waiting, &interval.bars, waiting, 0)?;
                for &to in later {
                    self.edges(waiting, &next.condition, to, 0)?;
                }
                entered.push(waiting);
            }
            if next.kind.is_required() {
                let missing = self.state();
                let never = conjunction([interval.bars.clone(), next.condition.clone().negated()]);
                self.edges(missing, &never, missing, ACCEPTING)?;
                entered.push(missing);
            }
        }
        for (mark, bars) in &interval.forbidden {
            let before = conjunction([bars.clone()].into_iter().chain(not_next.clone()));
            let occurs = conjunction([mark.condition.clone()].into_iter().chain(not_next.clone()));
            let (waiting, sink) = (self.state(), self.sink()?);
            self.edges(waiting, &before, waiting, 0)?;
            self.edges(waiting, &occurs, sink, 0)?;
            entered.push(waiting);
        }
        Ok(entered)
    }

    fn sink(&mut self) -> Result<u32, TooLarge> {
        if let Some(sink) = self.sink {
            return Ok(sink);
        }
        let sink = self.state();
        self.edges(sink, &Formula::True, sink, ACCEPTING)?;
        self.sink = Some(sink);
        Ok(sink)
    }

    /// The initial state: the only one that is entered, or one with the transitions of all.
    fn initial(&mut self, entered: &[u32]) -> u32 {
        if let [one] = entered {
            return *one;
        }
        let initial = self.state();
        let out = entered.iter().flat_map(|&at| self.states[at as usize].clone()).collect();
        self.states[initial as usize] = out;
        initial
    }
}

/// The automaton with its states in the order in which a breadth-first search finds them.
fn in_order(initial: u32, states: &[Vec<Transition>]) -> Automaton {
    let mut order = vec![initial];
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for transition in &states[state as usize] {
            if !order.contains(&transition.to) {
                order.push(transition.to);
            }
        }
        at += 1;
    }
    let number = |state: u32| order.iter().position(|&one| one == state).unwrap_or(0) as u32;
    let renamed = |state: &u32| {
        let out = &states[*state as usize];
        out.iter().map(|transition| Transition { to: number(transition.to), ..*transition }).collect()
    };
    Automaton { initial: 0, states: order.iter().map(renamed).collect(), sets: 1 }
}

/// A formula without temporal operators as a disjunction of conjunctions of literals.
fn cubes(formula: &Formula) -> Result<Vec<Cube>, TooLarge> {
    let mut cubes = disjuncts(formula, true)?;
    cubes.sort_unstable();
    cubes.dedup();
    let all = cubes.clone();
    cubes.retain(|cube| !all.iter().any(|other| other != cube && cube.implies(*other)));
    Ok(cubes)
}

/// The disjuncts of a formula, or of its negation.
fn disjuncts(formula: &Formula, positive: bool) -> Result<Vec<Cube>, TooLarge> {
    let few = |cubes: Vec<Cube>| if cubes.len() > MOST_CUBES { Err(TooLarge::States) } else { Ok(cubes) };
    let both = |a: &Formula, a_is: bool, b: &Formula, b_is: bool| {
        let (a, b) = (disjuncts(a, a_is)?, disjuncts(b, b_is)?);
        few(a.iter().flat_map(|a| b.iter().filter_map(|b| a.and(*b))).collect())
    };
    let either = |a: Vec<Cube>, b: Vec<Cube>| few([a, b].concat());
    match (formula, positive) {
        (Formula::True, true) | (Formula::False, false) => Ok(vec![Cube::TRUE]),
        (Formula::True, false) | (Formula::False, true) => Ok(Vec::new()),
        (Formula::Atom(atom), true) => Ok(vec![Cube { must: 1 << atom, must_not: 0 }]),
        (Formula::Atom(atom), false) => Ok(vec![Cube { must: 0, must_not: 1 << atom }]),
        (Formula::Not(a), _) => disjuncts(a, !positive),
        (Formula::And(a, b), true) => both(a, true, b, true),
        (Formula::Or(a, b), false) => both(a, false, b, false),
        (Formula::Implies(a, b), false) => both(a, true, b, false),
        (Formula::Or(a, b), true) => either(disjuncts(a, true)?, disjuncts(b, true)?),
        (Formula::And(a, b), false) => either(disjuncts(a, false)?, disjuncts(b, false)?),
        (Formula::Implies(a, b), true) => either(disjuncts(a, false)?, disjuncts(b, true)?),
        (Formula::Equivalent(a, b), _) => either(both(a, true, b, positive)?, both(a, false, b, !positive)?),
        // The parser refuses temporal operators in conditions.
        (
            Formula::Next(_)
            | Formula::Always(_)
            | Formula::Eventually(_)
            | Formula::Until(..)
            | Formula::WeakUntil(..)
            | Formula::Release(..),
            _,
        ) => Ok(Vec::new()),
    }
}
