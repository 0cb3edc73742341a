//! The longest common prefix of two executions, whose cycles repeat.
//!
//! *Entry points:* [`common_steps`], [`unrolled`].
//! *Source:* N. J. Fine and H. S. Wilf, "Uniqueness Theorems for Periodic Functions", Proceedings of the
//! AMS 16, 1965: periodic sequences that agree for the sum of their periods are equal.

use super::{Trace, TraceStep};

/// The number of first steps that two executions share; propositions are not compared. Steps count as
/// the first pass and the following passes of the cycle contain them. The number of steps of equal
/// executions is not more than what decides that they are equal.
#[must_use]
pub fn common_steps(first: &Trace, second: &Trace) -> u64 {
    let (one, other) = (Steps::of(first), Steps::of(second));
    let enough = one.steps.len().max(other.steps.len()) + one.cycle() + other.cycle();
    let same = |at: &usize| match (one.at(*at), other.at(*at)) {
        (Some(one), Some(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        _ => false,
    };
    (0..enough).take_while(same).count() as u64
}

/// The execution with more than a number of steps, if it has a cycle: further passes of the cycle follow,
/// whose steps are numbered on.
#[must_use]
pub fn unrolled(trace: &Trace, steps: u64) -> Trace {
    let own = Steps::of(trace);
    let mut longer = trace.clone();
    let numbers = own.steps.len()..;
    for (at, number) in numbers.zip(own.steps.last().map_or(0, |last| last[0].step) + 1..=steps + 1) {
        let again = own.at(at).into_iter().flatten();
        longer.steps.extend(again.map(|step| TraceStep { step: number, ..step.clone() }));
    }
    longer
}

/// The steps of an execution, each with its small steps.
struct Steps<'a> {
    steps: Vec<&'a [TraceStep]>,
    /// The position of the first step of the cycle.
    first: Option<usize>,
}

impl<'a> Steps<'a> {
    fn of(trace: &'a Trace) -> Steps<'a> {
        let steps: Vec<&[TraceStep]> = trace.steps.chunk_by(|a, b| a.step == b.step).collect();
        let first = trace.cycle.and_then(|cycle| steps.iter().position(|step| step[0].step >= cycle));
        Steps { steps, first }
    }

    fn cycle(&self) -> usize {
        self.first.map_or(0, |first| self.steps.len() - first)
    }

    fn at(&self, at: usize) -> Option<&'a [TraceStep]> {
        let at = match (at.checked_sub(self.steps.len()), self.first) {
            (None, _) => at,
            (Some(behind), Some(first)) => first + behind % self.cycle(),
            (Some(_), None) => return None,
        };
        Some(self.steps[at])
    }
}

/// Whether two small steps do the same.
fn is_same(one: &TraceStep, other: &TraceStep) -> bool {
    let TraceStep {
        step: _,
        part,
        parts,
        by,
        partner,
        messages,
        printed,
        changes,
        faults,
        reads,
        notes,
        held,
        observed: _,
        depth,
        calls,
        turned: _,
    } = one;
    (part, parts, by, partner, messages, printed)
        == (&other.part, &other.parts, &other.by, &other.partner, &other.messages, &other.printed)
        && (changes, faults, reads, notes, held)
            == (&other.changes, &other.faults, &other.reads, &other.notes, &other.held)
        && (depth, calls) == (&other.depth, &other.calls)
}

#[cfg(test)]
mod tests {
    use super::super::Mover;
    use super::super::tests::single_step;
    use super::*;

    /// An execution whose statements are letters; small letters after the first are parts of its step.
    fn trace(text: &str, cycle: Option<u64>) -> Trace {
        let mut trace = Trace { cycle, ..Trace::of(Vec::new()) };
        for letter in text.chars() {
            let by = Mover { pid: 0, process: "p".into(), place: None, statement: letter.to_string() };
            let mut step = single_step(by, "").steps.remove(0);
            step.step = trace.steps.last().map_or(0, |last| last.step) + u64::from(letter.is_uppercase());
            trace.steps.push(step);
        }
        trace
    }

    #[test]
    fn passes_of_the_cycle_are_numbered_on() {
        let letters = |trace: &Trace| {
            let one = |step: &TraceStep| format!("{}{}", step.step, step.by.statement);
            trace.steps.iter().map(one).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(letters(&unrolled(&trace("ABc", Some(2)), 3)), "1A 2B 2c 3B 3c 4B 4c");
        assert_eq!(letters(&unrolled(&trace("ABC", Some(2)), 2)), "1A 2B 3C");
        assert_eq!(letters(&unrolled(&trace("AB", None), 9)), "1A 2B");
    }

    #[test]
    fn steps_are_compared_whole_and_cycles_repeat() {
        let cases = [
            ("ABC", None, "ABD", None, 2),
            ("AbC", None, "AbbC", None, 0),
            ("AbC", None, "AbCD", None, 2),
            ("ABC", Some(2), "ABCBCD", None, 5),
            ("ABC", Some(2), "ABCB", Some(4), 4),
            ("A", None, "", None, 0),
            // Equal executions: one that repeats every 2, and every 4 steps.
            ("AB", Some(1), "ABAB", Some(1), 10),
        ];
        for (first, cycle, second, other, common) in cases {
            let (first, second) = (trace(first, cycle), trace(second, other));
            assert_eq!(common_steps(&first, &second), common, "{first:?} {second:?}");
            assert_eq!(common_steps(&second, &first), common);
        }
    }
}
