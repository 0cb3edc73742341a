//! An execution of a C program as a tree of calls, and the rows of it that are shown at first.
//!
//! The steps of a call are the rows below it. Rows have ranks by what they explain: violations and
//! events of the property, messages and synchronisation, changes of observed variables, calls with
//! lasting effects, and single statements. The default view opens rows in this order, while there is
//! room for the rows below them.
//!
//! *Entry points:* [`CallTree::new`], [`CallTree::shown`].
//! *Invariant:* every step is in exactly one row that is no call, or begins exactly the calls that it
//! makes; rows are in preorder. A row is shown only if the row above it in the tree is.
//! *Cost:* linear in the steps for each level of the tree.

use serde::Serialize;

use super::effects::{lasting, words};
use super::{Call, NoteKind, Trace, TraceStep};

/// Rows of the default view.
pub const ROWS: usize = 22;

/// Steps up to which an execution is shown by statement.
const SHORT: usize = 25;

/// The most characters of the arguments of a call.
const LONGEST: usize = 60;

/// How much a row explains; a smaller rank is shown first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    /// A violation, an event of the property, the begin of the cycle, an outcome that no statement
    /// shows.
    Event,
    /// Messages, synchronisation, output.
    Message,
    /// A change of a variable that the property reads.
    Observed,
    /// A call with lasting effects of calls that it makes; the choice of the provisioning.
    Call,
    /// A call with lasting effects of its own statements.
    Leaf,
    /// A statement, or a call without lasting effects.
    Statement,
}

/// What a row stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// Statements that Axle generates: the choice of the provisioning.
    Provisioning,
    /// A call with everything that it executes.
    Call,
    /// A statement.
    Statement,
}

/// A row of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CallRow {
    /// What it stands for.
    pub kind: RowKind,
    /// How much it, or a row below it, explains.
    pub rank: Rank,
    /// The number of rows above it in the tree.
    pub level: u32,
    /// The row above it.
    pub parent: Option<usize>,
    /// Its first and last small step, by position.
    pub first: usize,
    /// See `first`.
    pub last: usize,
    /// The call with the values of its arguments, or the statement.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its effects in words, together with those of the rows below it; changes of observed variables
    /// first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<String>,
    /// Whether the default view shows it.
    pub shown: bool,
}

/// An execution as a tree of calls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CallTree {
    /// The rows in preorder.
    pub rows: Vec<CallRow>,
}

impl CallTree {
    /// The tree of an execution; `rows` limits those of the default view.
    #[must_use]
    pub fn new(trace: &Trace, rows: usize) -> CallTree {
        let mut tree = CallTree { rows: shape(&trace.steps) };
        tree.rank(trace);
        tree.select(rows);
        tree
    }

    /// Whether calls are known: of a program, not of a model.
    #[must_use]
    pub fn has_calls(trace: &Trace) -> bool {
        trace.steps.iter().any(|step| !step.calls.is_empty())
    }

    /// Whether the execution is long enough for the default view: shorter ones are shown by statement.
    #[must_use]
    pub fn is_folded(trace: &Trace) -> bool {
        trace.steps.len() > SHORT && CallTree::has_calls(trace)
    }

    /// The rows of the default view, each with whether rows below it are shown.
    pub fn shown(&self) -> impl Iterator<Item = (&CallRow, bool)> {
        let is_open = |at: usize| self.children(Some(at)).any(|child| self.rows[child].shown);
        self.rows.iter().enumerate().filter(|(_, row)| row.shown).map(move |(at, row)| (row, is_open(at)))
    }

    /// The row of the default view that contains a small step.
    #[must_use]
    pub fn row_of(&self, step: usize) -> Option<usize> {
        self.rows.iter().rposition(|row| row.shown && (row.first..=row.last).contains(&step))
    }

    /// The rows right below a row.
    fn children(&self, of: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let (from, level) = of.map_or((0, 0), |at| (at + 1, self.rows[at].level + 1));
        (from..self.rows.len())
            .take_while(move |&at| self.rows[at].level >= level)
            .filter(move |&at| self.rows[at].level == level)
    }

    /// Gives each row its effects and its rank.
    fn rank(&mut self, trace: &Trace) {
        for at in (0..self.rows.len()).rev() {
            let row = &self.rows[at];
            let steps = &trace.steps[row.first..=row.last];
            let outer = match row.kind {
                RowKind::Call => Some(trace.steps[row.first].depth),
                RowKind::Provisioning => Some(0),
                RowKind::Statement => None,
            };
            let changes = lasting(steps, outer);
            let observed = |name: &str| trace.observed.iter().any(|one| one == name);
            let is_observed = changes.iter().any(|change| observed(&change.name));
            let own = match row.kind {
                RowKind::Statement => statement_rank(trace, row.first).min(match is_observed {
                    true => Rank::Observed,
                    false => Rank::Statement,
                }),
                RowKind::Provisioning => Rank::Call,
                RowKind::Call if is_observed => Rank::Observed,
                RowKind::Call if !changes.is_empty() => {
                    let has_calls = self.children(Some(at)).any(|child| self.rows[child].rank <= Rank::Leaf);
                    if has_calls { Rank::Call } else { Rank::Leaf }
                }
                RowKind::Call => Rank::Statement,
            };
            let called = if row.kind == RowKind::Call { statement_rank(trace, row.first) } else { own };
            let below = self.children(Some(at)).map(|child| self.rows[child].rank);
            let below = below.filter(|rank| *rank < Rank::Call || own < Rank::Statement);
            let own = if has_input(steps) { own.min(Rank::Leaf) } else { own };
            let rank = below.fold(own.min(called), Rank::min);
            let effects = words(steps, &changes, &observed, row.kind == RowKind::Statement);
            let row = &mut self.rows[at];
            (row.rank, row.effects) = (rank, effects);
        }
    }

    /// Chooses the rows of the default view.
    fn select(&mut self, most: usize) {
        let explains = |tree: &CallTree, of: Option<usize>| -> Vec<usize> {
            tree.children(of).filter(|&at| tree.rows[at].rank < Rank::Statement).collect()
        };
        let mut top = explains(self, None);
        // The end is nearest to the violation; the provisioning explains which features are enabled.
        let last = top.last().copied();
        let is_setup = |row: &CallRow| row.kind == RowKind::Provisioning;
        let key = |tree: &CallTree, at: usize| {
            let first = Some(at) == last || is_setup(&tree.rows[at]);
            (!first, tree.rows[at].rank, std::cmp::Reverse(at))
        };
        // Leaves take the place of the rows below other calls, so they are shown only among few rows.
        if 2 * top.len() > most {
            top.retain(|&at| self.rows[at].rank < Rank::Leaf || Some(at) == last);
        }
        top.sort_by_key(|&at| key(self, at));
        // Rows below calls that contain an event take the place of calls that explain less.
        let mut needed = 0;
        let mut inside: Vec<usize> = top.clone();
        while let Some(at) = inside.pop().filter(|_| needed < most / 3) {
            if self.rows[at].rank == Rank::Event {
                let below = explains(self, Some(at));
                needed += below.len();
                inside.extend(below);
            }
        }
        top.truncate(most - needed.min(most / 3));
        let mut used = top.len();
        let mut closed = top.clone();
        for at in top {
            self.rows[at].shown = true;
        }
        loop {
            closed.sort_by_key(|&at| std::cmp::Reverse((self.rows[at].rank, std::cmp::Reverse(at))));
            // The best row is the last one.
            let Some(at) = closed.pop() else { return };
            let below = explains(self, Some(at));
            if is_setup(&self.rows[at]) || below.is_empty() || used + below.len() > most {
                continue;
            }
            used += below.len();
            for &child in &below {
                self.rows[child].shown = true;
            }
            closed.extend(below);
        }
    }
}

fn has_input(steps: &[TraceStep]) -> bool {
    steps.iter().flat_map(|step| &step.notes).any(|note| note.kind == NoteKind::Input)
}

/// The rank of a statement by itself.
fn statement_rank(trace: &Trace, at: usize) -> Rank {
    let step = &trace.steps[at];
    let has = |kinds: &[NoteKind]| {
        step.notes.iter().any(|note| kinds.contains(&note.kind) && !note.text.is_empty())
    };
    let begins_cycle = trace.cycle == Some(step.step) && step.part == 1;
    let events = trace.account.iter().flat_map(|account| &account.events);
    let is_event = events.clone().any(|event| event.step == step.step);
    // Without named events, each change of a proposition is one.
    let turns = events.count() == 0 && !step.turned.is_empty();
    if !step.faults.is_empty() || begins_cycle || is_event || turns || has(&[NoteKind::Outcome]) {
        Rank::Event
    } else if has(&[NoteKind::Operation, NoteKind::Waiting])
        || !step.messages.is_empty()
        || step.partner.is_some()
        || !step.printed.is_empty()
    {
        Rank::Message
    } else if has(&[NoteKind::Input]) {
        Rank::Leaf
    } else {
        Rank::Statement
    }
}

/// The rows of the steps, without ranks.
fn shape(steps: &[TraceStep]) -> Vec<CallRow> {
    let mut rows: Vec<CallRow> = Vec::new();
    // The calls under way: their rows, and the depth of the steps in them.
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut before: Option<&TraceStep> = None;
    for (at, step) in steps.iter().enumerate() {
        let is_generated = is_generated(step);
        // Calls of a thread that goes on behind steps of another one are not repeated.
        let switches = before.is_some_and(|before| before.by.pid != step.by.pid);
        let leaves = before.is_some_and(|before| is_generated != self::is_generated(before));
        if switches || leaves {
            open.clear();
        }
        while open.last().is_some_and(|(_, depth)| *depth > step.depth) {
            open.pop();
        }
        if is_generated && open.is_empty() {
            rows.push(row(RowKind::Provisioning, &open, at, "provisioning".to_string()));
            open.push((rows.len() - 1, 0));
        }
        match &step.calls[..] {
            calls if calls.is_empty() || is_generated => {
                rows.push(row(RowKind::Statement, &open, at, step.by.statement.clone()));
            }
            calls => {
                for call in calls {
                    rows.push(row(RowKind::Call, &open, at, called(call)));
                }
            }
        }
        for (row, _) in &open {
            rows[*row].last = at;
        }
        if !step.calls.is_empty() && !is_generated {
            open.push((rows.len() - 1, step.depth + 1));
        }
        before = Some(step);
    }
    rows
}

fn is_generated(step: &TraceStep) -> bool {
    step.by.place.as_ref().is_some_and(crate::report::PlaceReport::is_generated)
}

fn row(kind: RowKind, open: &[(usize, u32)], at: usize, text: String) -> CallRow {
    CallRow {
        kind,
        rank: Rank::Statement,
        level: open.len() as u32,
        parent: open.last().map(|(row, _)| *row),
        first: at,
        last: at,
        text,
        effects: Vec::new(),
        shown: false,
    }
}

/// A call as C writes it, with the values of its arguments: `send(SETUP, A, B, 0)`; a record is in
/// braces.
#[must_use]
pub fn called(call: &Call) -> String {
    let mut text = String::new();
    let mut record: Option<&str> = None;
    for (at, argument) in call.arguments.iter().enumerate() {
        let end = argument.name.find(['.', '[']);
        let root = end.map(|end| &argument.name[..end]);
        if record.is_some() && record != root {
            text.push('}');
        }
        if at > 0 {
            text.push_str(", ");
        }
        if root.is_some() && root != record {
            text.push('{');
        }
        record = root;
        text.push_str(&argument.value);
    }
    if record.is_some() {
        text.push('}');
    }
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST - 3).chain("...".chars()).collect();
    }
    format!("{}({text})", call.function)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PlaceReport;
    use crate::trace::{Account, Changed, Mover, NamedEvent, Note, Seen, Style, render_calls};

    fn step(number: u64, depth: u32, statement: &str) -> TraceStep {
        let by = Mover { pid: 0, process: "main(0)".into(), place: None, statement: statement.into() };
        TraceStep { depth, ..TraceStep::of(number, by) }
    }

    fn call(number: u64, depth: u32, function: &str, values: &[(&str, &str)]) -> TraceStep {
        let seen = |(name, value): &(&str, &str)| Seen { name: name.to_string(), value: value.to_string() };
        let arguments = values.iter().map(seen).collect();
        let calls = vec![Call { function: function.into(), arguments }];
        TraceStep { calls, ..step(number, depth, "the statement") }
    }

    fn changed(name: &str, old: &str, new: &str, frame: Option<u32>) -> Changed {
        Changed { name: name.into(), old: Some(old.into()), new: Some(new.into()), frame }
    }

    /// Rounds of calls of `f(1)`, which calls `g` and changes `x`, and of `h`, which changes nothing that
    /// lasts.
    fn rounds(count: u64) -> Trace {
        let mut steps = Vec::new();
        for round in 0..count {
            let first = 6 * round;
            steps.push(call(first + 1, 0, "f", &[("n", "1")]));
            steps.push(call(first + 2, 1, "g", &[]));
            let mut change = step(first + 3, 2, "x++");
            change.changes.push(changed("x", "0", "1", None));
            change.changes.push(changed("i", "0", "1", Some(2)));
            steps.push(change);
            steps.push(step(first + 4, 1, "return"));
            steps.push(call(first + 5, 0, "h", &[]));
            let mut local = step(first + 6, 1, "i = 1");
            local.changes.push(changed("i", "0", "1", Some(1)));
            steps.push(local);
        }
        Trace::of(steps)
    }

    /// The rows as text: level, text, and effects.
    fn rows(tree: &CallTree) -> Vec<String> {
        let row = |row: &CallRow| format!("{} {} [{}]", row.level, row.text, row.effects.join("; "));
        tree.rows.iter().map(row).collect()
    }

    #[test]
    fn statements_are_below_their_calls_and_effects_of_locals_end_with_them() {
        let tree = CallTree::new(&rounds(1), ROWS);
        assert_eq!(
            rows(&tree),
            [
                "0 f(1) [x: 0 -> 1]",
                "1 g() [x: 0 -> 1]",
                "2 x++ [x: 0 -> 1; i: 0 -> 1]",
                "1 return []",
                "0 h() []",
                "1 i = 1 [i: 0 -> 1]",
            ]
        );
        assert_eq!(tree.rows.iter().map(|row| (row.first, row.last)).next(), Some((0, 3)));
        let shown: Vec<&str> = tree.shown().map(|(row, _)| &*row.text).collect();
        assert_eq!(shown, ["f(1)", "g()"], "a call without lasting effects and statements are folded");
    }

    #[test]
    fn the_default_view_is_bounded_and_keeps_events() {
        for count in [1, 3, 10, 100] {
            let mut trace = rounds(count);
            let last = trace.steps.len() as u64;
            trace.steps[2].faults.push("wrong".into());
            trace.account = Some(Account {
                sentence: "sentence".into(),
                step: 3,
                events: vec![NamedEvent { name: "event".into(), step: last - 3, forbidden: false }],
            });
            let tree = CallTree::new(&trace, ROWS);
            let shown: Vec<(&CallRow, bool)> = tree.shown().collect();
            assert!(shown.len() <= ROWS, "{} rows", shown.len());
            assert!(shown.iter().all(|(row, _)| row.parent.is_none_or(|above| tree.rows[above].shown)));
            let row = tree.row_of(2).map(|at| &tree.rows[at]);
            assert_eq!(row.map(|row| (&*row.text, row.rank)), Some(("x++", Rank::Event)), "{count}");
            let text = render_calls(&trace, false, Style::default(), "hint");
            assert!(
                text.contains("** wrong") && text.contains("[event]") && text.ends_with("hint\n"),
                "{text}"
            );
            let lines =
                text.lines().filter(|line| line.starts_with(|c: char| c == ' ' || c.is_ascii_digit()));
            assert!(lines.count() <= ROWS + 2, "{text}");
        }
    }

    #[test]
    fn threads_and_the_provisioning_have_their_own_rows() {
        let mut trace = rounds(1);
        let generated =
            PlaceReport { file: "<provisioning>".into(), line: 1, column: 1, end_line: 1, end_column: 2 };
        trace.steps[0].by.place = Some(generated.clone());
        trace.steps[0].changes.push(changed("flag", "0", "1", None));
        trace.steps[3].by.pid = 1;
        let tree = CallTree::new(&trace, ROWS);
        assert_eq!(tree.rows[0].kind, RowKind::Provisioning);
        assert_eq!(
            (&*tree.rows[0].text, &tree.rows[0].effects[..]),
            ("provisioning", &["flag: 0 -> 1".to_string()][..])
        );
        // The other thread interrupts the call, whose row ends there.
        let other = tree.rows.iter().find(|row| row.first == 3).expect("the step of the other thread");
        assert_eq!((other.level, other.kind), (0, RowKind::Statement));
    }

    #[test]
    fn inputs_and_records_are_shown_as_c_writes_them() {
        let mut step = call(1, 0, "send", &[("m.kind", "SETUP"), ("m.to", "A"), ("n", "2")]);
        assert_eq!(called(&step.calls[0]), "send({SETUP, A}, 2)");
        step.notes.push(Note {
            text: "input 1".into(),
            kind: NoteKind::Input,
            gives: Vec::new(),
            takes: Vec::new(),
        });
        let tree = CallTree::new(&Trace::of(vec![step]), ROWS);
        assert_eq!(tree.rows[0].rank, Rank::Leaf);
    }
}
