//! Repetition of a loop of an execution: its commands are executed again and again while the abstract state at
//! its end remains the same. Thresholds of counters are reached without a stored state for each step.
//!
//! *Entry points:* [`Segment::new`], [`Segment::run`]; [`shorten`] for the execution that was found.
//! *Source:* Kroening, Lewis and Weissenbacher, "Under-Approximating Loops in C Programs for Fast
//! Counterexample Detection", CAV 2013 (here the loop is executed instead of summarised, so that its
//! arithmetic may be any).
//! *Invariant:* each repetition executes enabled commands at the places of the first one, and no bad state is
//! passed over.

use axle_decide::term::TermId;
use axle_decide::watch::Watch;
use axle_outcome::Stop;

use crate::place::PlaceId;
use crate::post::Abstraction;
use crate::refine::after;
use crate::valuation::{Concrete, Valuation, initial};

/// Repetitions, or steps of an execution that is shortened, between two polls.
const POLLED: u64 = 512;

/// The steps that repetitions may take.
#[derive(Debug, Default)]
pub(crate) struct Allowance {
    /// Those of all loops together.
    pub steps: u64,
    /// Those of this one.
    pub longest: u64,
}

/// The reason why a repetition ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// A bad state after this number of commands of a further repetition; the position of the bad condition.
    Bad(usize, usize),
    /// The next repetition is not possible, or the last one led to another abstract state.
    Complete,
    /// No steps are left.
    Allowance,
}

/// A loop of commands from a state.
pub(crate) struct Segment<'s> {
    commands: &'s [u32],
    /// The place after each command, with the bad conditions there.
    places: Vec<(PlaceId, Vec<(usize, TermId)>)>,
    /// The values of predicates at the begin.
    values: Vec<bool>,
    /// The state after all complete repetitions.
    pub last: Concrete,
    /// The number of these.
    pub times: u64,
}

impl<'s> Segment<'s> {
    /// A loop of commands from a state; none unless they can be executed once, and return to its place.
    pub fn new(
        abstraction: &mut Abstraction<'_>,
        valuation: &mut Valuation,
        begin: &Concrete,
        commands: &'s [u32],
        bads: &[usize],
    ) -> Option<Segment<'s>> {
        let values = values(abstraction, valuation, begin);
        let (mut state, mut places) = (begin.clone(), Vec::new());
        for command in commands {
            valuation.begin(&abstraction.formulas.terms);
            state = after(abstraction, valuation, &state, *command)?;
            let place = abstraction.places.of(&state);
            places.push((place, abstraction.bads_at(bads, place)));
        }
        let returns = abstraction.places.of(&state) == abstraction.places.of(begin);
        returns.then(|| Segment { commands, places, values, last: begin.clone(), times: 0 })
    }

    /// Repeats the loop from a state as often as possible.
    ///
    /// # Errors
    /// The search must stop.
    pub fn run(
        &mut self,
        abstraction: &mut Abstraction<'_>,
        valuation: &mut Valuation,
        begin: Concrete,
        allowance: &mut Allowance,
        watch: &mut Watch<'_>,
    ) -> Result<Ended, Stop> {
        let length = self.commands.len() as u64;
        self.last = begin;
        loop {
            if allowance.longest.min(allowance.steps) < length {
                return Ok(Ended::Allowance);
            }
            allowance.steps -= length;
            allowance.longest -= length;
            let mut state = self.last.clone();
            for (at, command) in self.commands.iter().enumerate() {
                valuation.begin(&abstraction.formulas.terms);
                let Some(next) = after(abstraction, valuation, &state, *command) else {
                    return Ok(Ended::Complete);
                };
                let (place, bads) = &self.places[at];
                if abstraction.places.of(&next) != *place {
                    return Ok(Ended::Complete);
                }
                valuation.begin(&abstraction.formulas.terms);
                let terms = &abstraction.formulas.terms;
                if let Some((bad, _)) = bads.iter().find(|(_, of)| valuation.holds(terms, &next, *of)) {
                    return Ok(Ended::Bad(at + 1, *bad));
                }
                state = next;
            }
            if state == self.last {
                return Ok(Ended::Complete);
            }
            self.last = state;
            self.times += 1;
            if self.times.is_multiple_of(POLLED) {
                watch.check(abstraction.formulas.memory())?;
            }
            if values(abstraction, valuation, &self.last) != self.values {
                return Ok(Ended::Complete);
            }
        }
    }
}

/// The values of the predicates in a state.
fn values(abstraction: &Abstraction<'_>, valuation: &mut Valuation, state: &Concrete) -> Vec<bool> {
    let terms = &abstraction.formulas.terms;
    valuation.begin(terms);
    abstraction.predicates.list.iter().map(|of| valuation.holds(terms, state, *of)).collect()
}

/// The most steps that are executed to shorten an execution.
const MOST_STEPS: u64 = 2_000_000;

/// Reduces the repetitions of loops on an execution to a bad state, the last loops first, as long as it
/// remains one. A smallest number is found by bisection, which is right for thresholds. A limit ends this: the
/// execution is a violation however long it is.
pub(crate) fn shorten(
    abstraction: &Abstraction<'_>,
    loops: &mut [(Vec<u32>, u64)],
    bad: usize,
    watch: &mut Watch<'_>,
) {
    let mut valuation = Valuation::new(abstraction.problem);
    let mut steps = 0;
    for at in (0..loops.len()).rev() {
        let (mut low, mut high) = (0, loops[at].1);
        while low < high && high > 1 && steps < MOST_STEPS {
            // No repetition at all is tried first.
            let middle = if high == loops[at].1 && low == 0 { 0 } else { (low + high) / 2 };
            let before = std::mem::replace(&mut loops[at].1, middle);
            match is_violation(abstraction, &mut valuation, loops, bad, (&mut steps, watch)) {
                Ok(true) => high = middle,
                Ok(false) => {
                    loops[at].1 = before;
                    low = middle + 1;
                }
                Err(_) => {
                    loops[at].1 = before;
                    return;
                }
            }
        }
    }
}

/// Whether an execution leads to a bad state. Its steps are counted.
fn is_violation(
    abstraction: &Abstraction<'_>,
    valuation: &mut Valuation,
    loops: &[(Vec<u32>, u64)],
    bad: usize,
    (steps, watch): (&mut u64, &mut Watch<'_>),
) -> Result<bool, Stop> {
    let terms = &abstraction.formulas.terms;
    let mut state = initial(abstraction.problem);
    for (commands, times) in loops {
        for _ in 0..*times {
            for command in commands {
                valuation.begin(terms);
                *steps += 1;
                if steps.is_multiple_of(POLLED) {
                    watch.check(abstraction.formulas.memory())?;
                }
                let Some(next) = after(abstraction, valuation, &state, *command) else { return Ok(false) };
                state = next;
            }
        }
    }
    valuation.begin(terms);
    Ok(valuation.holds(terms, &state, abstraction.problem.system.bads[bad].condition))
}
