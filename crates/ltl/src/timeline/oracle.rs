//! The meaning of a timeline on single executions, from its definition alone.
//!
//! All ways to match the marks are tried, step by step, on the unrolled execution. Neither the
//! formula nor the automaton of the timeline is used: this is what they are tested against.
//!
//! *Entry point:* [`violates`].

use super::{MarkKind, Timeline};
use crate::{Formula, Lasso};

/// Whether an execution violates the timeline.
#[must_use]
pub fn violates(timeline: &Timeline, word: &Lasso) -> bool {
    // Every choice of steps for the marks has an equivalent one within so many rounds.
    let rounds = timeline.marks.len() + 2;
    let steps: Vec<u64> =
        word.prefix.iter().copied().chain((0..rounds).flat_map(|_| word.cycle.iter().copied())).collect();
    let search = Search { timeline, steps: &steps, round: word.cycle.len() };
    search.is_violated(None, None)
}

struct Search<'a> {
    timeline: &'a Timeline,
    steps: &'a [u64],
    /// The length of the cycle at the end of the steps.
    round: usize,
}

impl Search<'_> {
    /// Whether the execution is violated if the mark `matched` is the last one that is matched, at
    /// step `at`.
    fn is_violated(&self, matched: Option<usize>, at: Option<usize>) -> bool {
        let marks = &self.timeline.marks;
        let first = matched.map_or(0, |mark| mark + 1);
        let begin = at.map_or(0, |step| step + 1);
        let next = (first..marks.len()).find(|&mark| marks[mark].kind != MarkKind::Forbidden);
        let is_next = |step: usize| next.is_some_and(|next| value(&marks[next].condition, self.steps[step]));
        // A forbidden event before the next mark.
        let end = next.unwrap_or(marks.len());
        for (forbidden, mark) in marks.iter().enumerate().take(end).skip(first) {
            for step in begin..self.steps.len() {
                if is_next(step) {
                    break;
                }
                if value(&mark.condition, self.steps[step]) {
                    return true;
                }
                if !self.bars_hold(matched, forbidden, step) {
                    break;
                }
            }
        }
        let Some(next) = next else { return false };
        // The next mark is required and never comes: at least a whole round is left, and all later
        // ones are like it.
        let waits = |step: usize| !is_next(step) && self.bars_hold(matched, next, step);
        if marks[next].kind != MarkKind::Event && (begin..self.steps.len()).all(waits) {
            return true;
        }
        // The next mark is matched at some step.
        for step in begin..self.steps.len().saturating_sub(self.round) {
            if is_next(step) && self.is_violated(Some(next), Some(step)) {
                return true;
            }
            if !self.bars_hold(matched, next, step) {
                return false;
            }
        }
        false
    }

    /// Whether a step satisfies the bars over the whole interval between two marks.
    fn bars_hold(&self, from: Option<usize>, to: usize, step: usize) -> bool {
        let Some(from) = from else { return true };
        let over = self.timeline.bars.iter().filter(|bar| bar.from <= from && to <= bar.to);
        over.into_iter().all(|bar| value(&bar.condition, self.steps[step]))
    }
}

/// The value of a condition in a step.
fn value(condition: &Formula, step: u64) -> bool {
    crate::lasso::satisfies(&Lasso { prefix: Vec::new(), cycle: vec![step] }, condition)
}
