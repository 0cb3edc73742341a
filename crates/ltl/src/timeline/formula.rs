//! The formula of a timeline.
//!
//! *Entry points:* [`formula`], [`violations`], [`matched`].
//! *Invariant:* [`violations`] is true of just the executions that violate the timeline.

use super::{Interval, Timeline, conjunction, disjunction};
use crate::Formula;

/// The formula of the executions that do not violate the timeline.
#[must_use]
pub fn formula(timeline: &Timeline) -> Formula {
    violations(timeline).negated()
}

/// The formula of the executions that violate the timeline.
#[must_use]
pub fn violations(timeline: &Timeline) -> Formula {
    // From the last interval to the first: what is violated from the first step of an interval on.
    timeline.intervals().iter().rev().fold(Formula::False, |later, interval| within(interval, later))
}

/// The formula of the executions that match all marks but the forbidden ones, and keep the bars
/// between them.
#[must_use]
pub fn matched(timeline: &Timeline) -> Formula {
    let intervals = timeline.intervals();
    intervals.iter().rev().fold(Formula::True, |later, interval| {
        let Some(next) = interval.next else { return later };
        let step = match later {
            Formula::True => next.condition.clone(),
            later => conjunction([next.condition.clone(), Formula::Next(Box::new(later))]),
        };
        match interval.bars.clone() {
            Formula::True => Formula::Eventually(Box::new(step)),
            bars => Formula::Until(Box::new(bars), Box::new(step)),
        }
    })
}

/// The violations from the first step of an interval on; `later`: those from the step behind its
/// end on.
fn within(interval: &Interval<'_>, later: Formula) -> Formula {
    let until = |a: Formula, b: Formula| match a {
        Formula::True => Formula::Eventually(Box::new(b)),
        a => Formula::Until(Box::new(a), Box::new(b)),
    };
    let not_next = interval.next.map(|next| next.condition.clone().negated());
    let missing = interval.next.filter(|next| next.kind.is_required()).map(|next| {
        Formula::Always(Box::new(conjunction([interval.bars.clone(), next.condition.clone().negated()])))
    });
    let matched = interval.next.filter(|_| later != Formula::False).map(|next| {
        let step = conjunction([next.condition.clone(), Formula::Next(Box::new(later))]);
        until(interval.bars.clone(), step)
    });
    let occurs = interval.forbidden.iter().map(|(mark, bars)| {
        let before = conjunction([bars.clone()].into_iter().chain(not_next.clone()));
        let step = conjunction([mark.condition.clone()].into_iter().chain(not_next.clone()));
        until(before, step)
    });
    disjunction(missing.into_iter().chain(matched).chain(occurs))
}
