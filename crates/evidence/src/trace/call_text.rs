//! The tree of calls of an execution as text.
//!
//! *Entry points:* [`render_calls`]; [`tags`] for the events of a row.

use super::calls::{CallRow, CallTree, Rank};
use super::text::{CYCLE, Style, painted};
use super::{NamedEvent, Trace, TraceStep};
use crate::wrap::wrap;

/// Columns by which a row is indented below its call.
const INDENT: usize = 2;

/// The least width of the effects.
const LEAST: usize = 24;

/// The widest column of calls.
const WIDEST: usize = 44;

/// The execution as text: a line for each row that is shown; `whole` shows all calls. The last line
/// counts the steps and ends in `hint`.
#[must_use]
pub fn render_calls(trace: &Trace, whole: bool, style: Style, hint: &str) -> String {
    let rows = if whole { usize::MAX } else { super::ROWS };
    let tree = CallTree::new(trace, rows);
    let shown: Vec<(&CallRow, bool)> = tree.shown().collect();
    let numbers = trace.steps.last().map_or(1, |last| last.step.to_string().len());
    let single = trace.steps.windows(2).all(|pair| pair[0].by.pid == pair[1].by.pid);
    let lines: Vec<[String; 4]> = shown.iter().map(|(row, _)| cells(trace, row, single)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let (processes, places, calls) = (width(1), width(2), width(3).min(WIDEST));
    let mut text = String::new();
    let mut cycle = trace.cycle;
    for ((row, is_open), [number, process, place, call]) in shown.iter().zip(&lines) {
        let first = &trace.steps[row.first];
        if cycle.is_some_and(|begin| first.step >= begin) {
            text.push_str(CYCLE);
            cycle = None;
        }
        let mut line = format!("{number:>numbers$}  ");
        if !single {
            line.push_str(&format!("{process:processes$}  "));
        }
        line.push_str(&format!("{place:places$}  {call:calls$}"));
        let used = line.chars().count() + 2;
        let space = style.width.map_or(usize::MAX, |width| width.saturating_sub(used).max(LEAST));
        let own = if *is_open { &[][..] } else { &row.effects[..] };
        let tags = tags(trace, &tree, row).into_iter().map(tagged);
        let effects = joined(tags.chain(own.iter().cloned()), space);
        let line = format!("{line}  {effects}");
        let code = trace.steps[row.first..=row.last].iter().any(|step| !step.faults.is_empty());
        text.push_str(&wrap(line.trim_end(), style.width, numbers + places + 6));
        for fault in trace.steps[row.first..=row.last].iter().flat_map(|step| &step.faults) {
            let is_below = *is_open && code;
            if !is_below {
                let line = wrap(&format!("{:numbers$}  ** {fault}", ""), style.width, numbers + 7);
                text.push_str(&painted(&line, Some("1;31").filter(|_| style.color)));
            }
        }
    }
    for sentence in &trace.ending {
        let indent = sentence.len() - sentence.trim_start().len() + 4;
        text.push_str(&wrap(sentence, style.width, indent));
    }
    if !hint.is_empty() {
        let hidden = tree.rows.iter().filter(|row| row.rank < Rank::Statement && !row.shown).count();
        let steps = trace.steps.last().map_or(0, |last| last.step);
        let folded = match hidden {
            0 => String::new(),
            1 => ", 1 call is folded".to_string(),
            calls => format!(", {calls} calls are folded"),
        };
        text.push_str(&wrap(&format!("{steps} steps{folded}; {hint}"), style.width, 0));
    }
    text
}

/// Number, process, place and call of a row.
fn cells(trace: &Trace, row: &CallRow, single: bool) -> [String; 4] {
    let step: &TraceStep = &trace.steps[row.first];
    let place = step.by.place.as_ref().filter(|place| !place.is_generated());
    let place = place.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line));
    let process = if single { String::new() } else { step.by.process.clone() };
    let call = format!("{:indent$}{}", "", row.text, indent = INDENT * row.level as usize);
    [step.step.to_string(), process, place, call]
}

/// The events of the property in a row of the default view that no row shown below it contains.
#[must_use]
pub fn tags<'t>(trace: &'t Trace, tree: &CallTree, row: &CallRow) -> Vec<&'t NamedEvent> {
    let Some(account) = &trace.account else { return Vec::new() };
    let own = |at: usize| tree.row_of(at).is_some_and(|found| std::ptr::eq(&raw const tree.rows[found], row));
    let position = |number: u64| trace.steps.iter().position(|step| step.step == number);
    account.events.iter().filter(|event| position(event.step).is_some_and(own)).collect()
}

fn tagged(event: &NamedEvent) -> String {
    if event.forbidden { format!("[{}: forbidden]", event.name) } else { format!("[{}]", event.name) }
}

/// As many texts as there is space for, and the number of the others.
fn joined(texts: impl Iterator<Item = String>, space: usize) -> String {
    let texts: Vec<String> = texts.collect();
    let mut line = String::new();
    for (at, text) in texts.iter().enumerate() {
        let rest = texts.len() - at;
        let separator = if line.is_empty() { "" } else { "; " };
        let more = if rest > 1 { 6 } else { 0 };
        let length = line.chars().count() + separator.len() + text.chars().count() + more;
        if length > space {
            let more = match at {
                0 if rest > 1 => format!("{rest} changes"),
                0 => text.clone(),
                _ => format!("; +{rest}"),
            };
            return line + &more;
        }
        line.push_str(separator);
        line.push_str(text);
    }
    line
}
