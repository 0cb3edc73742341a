//! The rows of two executions side by side, and the step from which on they differ. The rows of C
//! programs are calls: calls of a function with the same arguments are aligned, whichever statements
//! they execute.
//!
//! *Entry point:* [`compared`].
//! *Invariant:* the rows before the step are equal on both sides; a repeated cycle is written out
//! as far as the executions agree.

use axle_evidence::trace::{CallRow, CallTree, ROWS, RowKind, Trace, called, happenings, unrolled};

use super::alignment::{Pair, align};
use super::url::line_link;

/// Equal rows at the beginning that are listed; of more, the last [`KEPT`] are.
const MOST_EQUAL: usize = 12;
const KEPT: usize = 3;

/// A row: the steps or calls of both executions.
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

/// A step or a call.
pub struct Cell {
    /// Its number.
    pub number: String,
    /// The process.
    pub process: String,
    /// The statement, or the call with its arguments.
    pub statement: String,
    /// The indentation below calls, at most 6.
    pub level: u32,
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
    /// The first steps behind the common ones that differ, where an execution has one. An input that the
    /// event loop reads is not named: the statement or call that differs by it says more.
    pub differing: [Option<Cell>; 2],
    /// Whether the common steps contain the whole first execution, with one pass of its cycle.
    pub contains_first: bool,
}

/// Compares two executions that share a number of first steps.
#[must_use]
pub fn compared(first: &Trace, second: &Trace, common: u64) -> Comparison {
    let by_calls = CallTree::is_folded(first) && CallTree::is_folded(second);
    let (one, other) = (Side::of(first, common, by_calls), Side::of(second, common, by_calls));
    let pairs = align(&one.labels(), &other.labels());
    // A call that begins before the difference is common, and contains it.
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
        differing: differing(&one, &other, common).map(|(side, at)| at.map(|at| side.difference(at))),
        contains_first: common > 0 && first.steps.last().is_none_or(|last| last.step <= common),
    }
}

/// The positions of the first small steps that differ in more than an input; the first ones behind the
/// common steps if all others are equal.
fn differing<'s>(one: &'s Side, other: &'s Side, common: u64) -> [(&'s Side, Option<usize>); 2] {
    let begin = [one.position(common + 1), other.position(common + 1)];
    let label = |side: &'s Side, at: usize| {
        let step = side.trace.steps.get(at)?;
        Some((&step.by.process, &step.by.statement, &step.by.place, &step.calls))
    };
    let later = match begin {
        [Some(first), Some(second)] => {
            let is_different = |offset: &usize| label(one, first + offset) != label(other, second + offset);
            let most = one.trace.steps.len().max(other.trace.steps.len());
            (0..most).find(is_different).map(|offset| [first + offset, second + offset])
        }
        _ => None,
    };
    let has = |side: &Side, at: usize| (at < side.trace.steps.len()).then_some(at);
    match later {
        Some([first, second]) => [(one, has(one, first)), (other, has(other, second))],
        None => [(one, begin[0]), (other, begin[1])],
    }
}

/// One of the executions.
struct Side {
    trace: Trace,
    /// The positions of its small steps, or its calls.
    rows: Vec<Line>,
    /// The number of the first step of the cycle and its length.
    cycle: Option<(u64, u64)>,
}

impl Side {
    /// An execution whose cycle is repeated until it has more than a number of steps.
    fn of(trace: &Trace, steps: u64, by_calls: bool) -> Side {
        let last = trace.steps.last().map_or(0, |last| last.step);
        let cycle = trace.cycle.filter(|first| *first <= last).map(|first| (first, last + 1 - first));
        let trace = unrolled(trace, steps);
        let rows = match by_calls {
            true => {
                let rows = CallTree::new(&trace, ROWS).rows.into_iter();
                let calls = rows.filter(|row| row.kind != RowKind::Statement);
                calls.map(|row| Line::Call(Box::new(row))).collect()
            }
            false => (0..trace.steps.len()).map(Line::Step).collect(),
        };
        Side { trace, rows, cycle }
    }

    /// What makes two rows the same.
    fn labels(&self) -> Vec<Label<'_>> {
        self.rows.iter().map(|row| self.label(row)).collect()
    }

    fn label<'s>(&'s self, row: &'s Line) -> Label<'s> {
        let step = &self.trace.steps[row.first()];
        let partner = step.partner.as_ref().map(|partner| partner.statement.as_str());
        match row {
            Line::Step(_) => (&step.by.process, &step.by.statement, partner),
            Line::Call(call) => (&step.by.process, &call.text, None),
        }
    }

    /// The number of the first step of a row.
    fn number(&self, at: usize) -> u64 {
        self.trace.steps[self.rows[at].first()].step
    }

    fn cell(&self, at: usize) -> Cell {
        let row = &self.rows[at];
        match row {
            Line::Step(at) => self.step(*at),
            Line::Call(call) => Cell {
                statement: call.text.clone(),
                level: call.level.min(6),
                effects: call.effects.join("; "),
                holds: String::new(),
                ..self.step(row.first())
            },
        }
    }

    /// The position of the first small step of a step.
    fn position(&self, number: u64) -> Option<usize> {
        self.trace.steps.iter().position(|step| step.step == number)
    }

    /// A small step by position; a call with its arguments.
    fn difference(&self, at: usize) -> Cell {
        let step = &self.trace.steps[at];
        let call = step.calls.last().map(called);
        let cell = self.step(at);
        Cell { statement: call.unwrap_or_else(|| cell.statement.clone()), ..cell }
    }

    /// A small step by position.
    fn step(&self, at: usize) -> Cell {
        let step = &self.trace.steps[at];
        let place = step.by.place.as_ref().filter(|place| !place.is_generated());
        Cell {
            number: match step.parts {
                1 => step.step.to_string(),
                _ => format!("{}.{}", step.step, step.part),
            },
            process: step.by.process.clone(),
            statement: step.by.statement.clone(),
            level: 0,
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

/// A small step by position, or a call.
enum Line {
    Step(usize),
    Call(Box<CallRow>),
}

impl Line {
    /// The position of its first small step.
    fn first(&self) -> usize {
        match self {
            Line::Step(at) => *at,
            Line::Call(call) => call.first,
        }
    }
}

/// A process, its statement or call, and the statement of its partner.
type Label<'a> = (&'a str, &'a str, Option<&'a str>);

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
    use axle_evidence::trace::{Call, Mover, Seen, TraceStep};

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

    /// Calls `f(0)`, `f(1)` and so on, each with as many statements as its letter says.
    fn calls(statements: &[usize]) -> Trace {
        let mut steps: Vec<TraceStep> = Vec::new();
        for (argument, count) in statements.iter().enumerate() {
            for at in 0..=*count {
                let number = steps.len() as u64 + 1;
                let by = Mover { pid: 0, process: "p".into(), place: None, statement: format!("s{at}") };
                let mut step = TraceStep { depth: u32::from(at > 0), ..TraceStep::of(number, by) };
                if at == 0 {
                    let arguments = vec![Seen { name: "n".into(), value: argument.to_string() }];
                    step.calls.push(Call { function: "f".into(), arguments });
                }
                steps.push(step);
            }
        }
        Trace::of(steps)
    }

    #[test]
    fn calls_are_aligned_whichever_statements_they_execute() {
        // The executions differ within the second call: 11 and 12 statements.
        let (first, second) = (calls(&[10, 11, 10]), calls(&[10, 12, 10]));
        let found = compared(&first, &second, 23);
        assert_eq!(rows(&found), "1f(0)=1f(0) 12f(1)=12f(1) | 24f(2)=25f(2)");
        let statements = found.differing.map(|cell| cell.expect("a step").statement);
        assert_eq!(statements, ["f(2)", "s12"]);
    }
}
