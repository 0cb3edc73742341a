//! Timelines: properties drawn as marks on a line, with conditions on the intervals between them.
//!
//! A timeline is a pattern of executions. Its marks are matched at strictly increasing steps:
//! *events* select the executions of interest, *required* events and the *target*, which is the
//! last mark, must follow, and *forbidden* events must not occur. A bar from one mark to another is
//! a condition on every step strictly between the two; an execution that breaks it is not of
//! interest. An execution violates the timeline in one of two ways:
//!
//! - all marks before a required event or the target are matched, except forbidden ones, and that
//!   mark is never matched while the bars over its interval hold forever;
//! - all marks before a forbidden event are matched, except forbidden ones, and it occurs while the
//!   bars over its interval hold, before the mark that follows it.
//!
//! *Entry points:* [`parse()`] reads the text form, [`automaton()`] makes the automaton of the
//! violating executions, [`formula()`] the formula of the others, [`oracle::violates`] evaluates
//! single executions.
//! *Source:* G. J. Holzmann and M. H. Smith, Automating software feature verification, Bell Labs
//! Technical Journal 5, 2000 (figures 4 and 5); forbidden events are an extension.
//! *Invariant:* formula, automaton and oracle agree on every execution; tests compare them.

mod automaton;
mod codes;
mod formula;
pub mod oracle;
mod parse;

use crate::Formula;

pub use automaton::automaton;
pub use codes::CODES;
pub use formula::{formula, matched, violations};
pub use parse::{Fault, parse};

/// A property as a timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
    /// Its name; empty if the text gives none.
    pub name: String,
    /// The marks in order, at least one. The first mark that is not an event decides.
    pub marks: Vec<Mark>,
    /// The conditions on intervals.
    pub bars: Vec<Bar>,
    /// The text of each proposition.
    pub atoms: Vec<String>,
    /// The offset of each proposition in the text of the timeline, where it occurs first.
    pub places: Vec<usize>,
}

/// A mark of a timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The name by which bars refer to it.
    pub name: String,
    /// What it says about executions.
    pub kind: MarkKind,
    /// The steps that match it: a formula without temporal operators.
    pub condition: Formula,
    /// The line of the text that it is on, from 1.
    pub line: u32,
}

/// What a mark says about executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// The execution is of interest if this occurs: `e`.
    Event,
    /// This must follow: `r`.
    Required,
    /// This must follow; the last mark: `t`.
    Target,
    /// This must not occur between its neighbours: `x`.
    Forbidden,
}

/// A condition on the steps between two marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bar {
    /// A formula without temporal operators.
    pub condition: Formula,
    /// The position of the mark behind which it begins.
    pub from: usize,
    /// The position of the mark before which it ends.
    pub to: usize,
}

impl MarkKind {
    /// Whether an execution is of interest only if the mark was matched before the later ones.
    fn is_matched(self) -> bool {
        self != MarkKind::Forbidden
    }

    /// Whether its absence is a violation.
    fn is_required(self) -> bool {
        matches!(self, MarkKind::Required | MarkKind::Target)
    }
}

/// The interval between a mark that is matched, or the start, and the next one that is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Interval<'a> {
    /// The condition on every step within it, until the next mark is matched.
    bars: Formula,
    /// The next mark that is matched; none behind the last one.
    next: Option<&'a Mark>,
    /// The forbidden events in it, each with the condition on the steps before it.
    forbidden: Vec<(&'a Mark, Formula)>,
}

impl Timeline {
    /// The intervals in order: the first one begins at the start of the execution.
    fn intervals(&self) -> Vec<Interval<'_>> {
        let mut intervals = Vec::new();
        let mut from = None;
        loop {
            let begin = from.map_or(0, |from: usize| from + 1);
            let next = (begin..self.marks.len()).find(|&at| self.marks[at].kind.is_matched());
            let end = next.unwrap_or(self.marks.len());
            let forbidden = (begin..end).map(|at| (&self.marks[at], self.over(from, at))).collect();
            // Behind the last mark there is no condition.
            let bars = next.map_or(Formula::True, |next| self.over(from, next));
            intervals.push(Interval { bars, next: next.map(|at| &self.marks[at]), forbidden });
            match next {
                Some(next) => from = Some(next),
                None => return intervals,
            }
        }
    }

    /// The conjunction of the bars over the whole interval from one mark to a later one. No bar
    /// begins before the first mark.
    fn over(&self, from: Option<usize>, to: usize) -> Formula {
        let Some(from) = from else { return Formula::True };
        let bars = self.bars.iter().filter(|bar| bar.from <= from && bar.to >= to);
        conjunction(bars.map(|bar| bar.condition.clone()))
    }
}

/// The conjunction of formulas.
fn conjunction(formulas: impl IntoIterator<Item = Formula>) -> Formula {
    let both = |a, b| match (a, b) {
        (Formula::True, one) | (one, Formula::True) => one,
        (a, b) => Formula::And(Box::new(a), Box::new(b)),
    };
    formulas.into_iter().fold(Formula::True, both)
}

/// The disjunction of formulas.
fn disjunction(formulas: impl IntoIterator<Item = Formula>) -> Formula {
    let both = |a, b| match (a, b) {
        (Formula::False, one) | (one, Formula::False) => one,
        (a, b) => Formula::Or(Box::new(a), Box::new(b)),
    };
    formulas.into_iter().fold(Formula::False, both)
}
