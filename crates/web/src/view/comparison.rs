//! The rows of two executions side by side, and the step from which on they differ.
//!
//! *Entry point:* [`compared`].
//! *Invariant:* the rows before the step have equal steps on both sides; a repeated cycle is written out
//! as far as the executions agree.

use axle_evidence::trace::{Trace, TraceStep, happenings, unrolled};

use super::alignment::{Pair, align};
use super::url::line_link;

/// Equal rows at the beginning that are listed; of more, the last [`KEPT`] are.
const MOST_EQUAL: usize = 12;
const KEPT: usize = 3;

/// A row: the steps of both executions.
pub struct Row {
    /// The class of its appearance.
    pub kind: &'static str,
    /// The comparison in a word.
    pub word: &'static str,
    /// Whether the executions differ from this row on.
    pub is_divergence: bool,
    first: Option<Cell>,
    second: Option<Cell>,
}

impl Row {
    /// The steps of both sides.
    #[must_use]
    pub fn sides(&self) -> [Option<&Cell>; 2] {
        [self.first.as_ref(), self.second.as_ref()]
    }
}

/// A step.
pub struct Cell {
    /// Its number.
    pub number: String,
    /// The process.
    pub process: String,
    /// The statement.
    pub statement: String,
    /// The place and its address.
    pub place: Option<(String, String)>,
    /// Changes, messages and output.
    pub effects: String,
    /// The propositions that hold after it.
    pub holds: String,
    /// Whether a pass of the cycle begins with it.
    pub starts_cycle: bool,
}

/// Two executions side by side.
#[derive(Default)]
pub struct Comparison {
    /// The rows, without equal ones at the beginning.
    pub rows: Vec<Row>,
    /// The number of equal rows at the beginning that are not listed.
    pub omitted: usize,
    /// The first steps behind the common ones, where an execution has one.
    pub differing: [Option<Cell>; 2],
    /// Whether the common steps contain the whole first execution, with one pass of its cycle.
    pub contains_first: bool,
}

/// Compares two executions that share a number of first steps.
#[must_use]
pub fn compared(first: &Trace, second: &Trace, common: u64) -> Comparison {
    let (one, other) = (Side::of(first, common), Side::of(second, common));
    let pairs = align(&one.labels(), &other.labels());
    let is_common = |pair: &Pair| match pair {
        Pair::Both(at, of) => one.number(*at) <= common && other.number(*of) <= common,
        Pair::First(_) | Pair::Second(_) => false,
    };
    let divergence = pairs.iter().position(|pair| !is_common(pair)).unwrap_or(pairs.len());
    let omitted = if divergence > MOST_EQUAL { divergence - KEPT } else { 0 };
    let rows = pairs.iter().enumerate().skip(omitted);
    Comparison {
        rows: rows.map(|(at, pair)| row(&one, &other, *pair, at == divergence)).collect(),
        omitted,
        differing: [&one, &other].map(|side| side.position(common + 1).map(|at| side.cell(at))),
        contains_first: common > 0 && first.steps.last().is_none_or(|last| last.step <= common),
    }
}

/// One of the executions.
struct Side {
    trace: Trace,
    /// The number of the first step of the cycle and its length.
    cycle: Option<(u64, u64)>,
}

impl Side {
    /// An execution whose cycle is repeated until it has more than a number of steps.
    fn of(trace: &Trace, steps: u64) -> Side {
        let last = trace.steps.last().map_or(0, |last| last.step);
        let cycle = trace.cycle.filter(|first| *first <= last).map(|first| (first, last + 1 - first));
        Side { trace: unrolled(trace, steps), cycle }
    }

    /// What makes two small steps the same statement.
    fn labels(&self) -> Vec<Label<'_>> {
        self.trace.steps.iter().map(label).collect()
    }

    fn number(&self, at: usize) -> u64 {
        self.trace.steps[at].step
    }

    /// The position of the first small step of a step.
    fn position(&self, number: u64) -> Option<usize> {
        self.trace.steps.iter().position(|step| step.step == number)
    }

    fn cell(&self, at: usize) -> Cell {
        let step = &self.trace.steps[at];
        let place = step.by.place.as_ref().filter(|place| !place.is_generated());
        Cell {
            number: match step.parts {
                1 => step.step.to_string(),
                _ => format!("{}.{}", step.step, step.part),
            },
            process: step.by.process.clone(),
            statement: step.by.statement.clone(),
            place: place.map(line_link),
            effects: happenings(step),
            holds: step.observed.as_ref().map(|observed| observed.holds.join(", ")).unwrap_or_default(),
            starts_cycle: step.part == 1
                && self.cycle.is_some_and(|(first, length)| {
                    step.step.checked_sub(first).is_some_and(|behind| behind.is_multiple_of(length))
                }),
        }
    }
}

/// A process, its statement, and that of its partner.
type Label<'a> = (&'a str, &'a str, Option<&'a str>);

fn label(step: &TraceStep) -> Label<'_> {
    let partner = step.partner.as_ref().map(|partner| partner.statement.as_str());
    (&step.by.process, &step.by.statement, partner)
}

fn row(one: &Side, other: &Side, pair: Pair, is_divergence: bool) -> Row {
    let (first, second) = match pair {
        Pair::Both(at, of) => (Some(one.cell(at)), Some(other.cell(of))),
        Pair::First(at) => (Some(one.cell(at)), None),
        Pair::Second(of) => (None, Some(other.cell(of))),
    };
    let (kind, word) = match (&first, &second) {
        (Some(first), Some(second)) if first.effects == second.effects => ("same", "same"),
        (Some(_), Some(_)) => ("differs", "other effect"),
        (Some(_), None) => ("first", "only violating"),
        _ => ("second", "only satisfying"),
    };
    Row { kind, word, is_divergence, first, second }
}

#[cfg(test)]
mod tests {
    use axle_evidence::trace::Mover;

    use super::*;

    /// An execution whose statements are letters.
    fn trace(text: &str, cycle: Option<u64>) -> Trace {
        let step = |(number, letter): (u64, char)| {
            let by = Mover { pid: 0, process: "p".into(), place: None, statement: letter.to_string() };
            TraceStep::of(number, by)
        };
        let steps = (1..).zip(text.chars()).map(step).collect();
        Trace { cycle, ..Trace::of(steps) }
    }

    /// The rows as text: the steps of both sides; `|` before the divergence.
    fn rows(found: &Comparison) -> String {
        let side = |cell: Option<&Cell>| match cell {
            Some(cell) => {
                let sign = if cell.starts_cycle { "*" } else { "" };
                format!("{sign}{}{}", cell.number, cell.statement)
            }
            None => "-".to_string(),
        };
        let row = |row: &Row| {
            let [first, second] = row.sides();
            let mark = if row.is_divergence { "| " } else { "" };
            format!("{mark}{}={}", side(first), side(second))
        };
        found.rows.iter().map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn executions_differ_behind_their_common_steps() {
        let found = compared(&trace("ABC", None), &trace("ABD", None), 2);
        assert_eq!(rows(&found), "1A=1A 2B=2B | 3C=- -=3D");
        assert!(!found.contains_first);
        let found = compared(&trace("AB", None), &trace("CB", None), 0);
        assert_eq!(rows(&found), "| 1A=- -=1C 2B=2B");
    }

    #[test]
    fn a_cycle_is_repeated_until_it_is_left() {
        let found = compared(&trace("ABC", Some(2)), &trace("ABCBD", Some(5)), 4);
        assert_eq!(rows(&found), "1A=1A *2B=2B 3C=3C *4B=4B | 5C=- -=*5D");
        assert!(found.contains_first);
        let statements = found.differing.map(|cell| cell.expect("a step").statement);
        assert_eq!(statements, ["C", "D"]);
    }

    #[test]
    fn many_equal_rows_are_omitted() {
        let found = compared(&trace("AAAAAAAAAAAAAAB", None), &trace("AAAAAAAAAAAAAAC", None), 14);
        assert_eq!((found.omitted, found.rows.len()), (11, 5));
        assert!(found.rows[3].is_divergence);
    }
}
