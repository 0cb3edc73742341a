//! An execution as text: one line for each small step, in columns.
//!
//! *Entry points:* [`render_text`], and [`render_styled`] for a terminal. A line that is too long
//! is wrapped at word boundaries; continuation lines are indented to the column of the statement.

use super::effects::lasting;
use super::{Changed, Message, MessageKind, Mode, Mover, Observed, Trace, TraceStep};
use crate::report::PlaceReport;
use crate::wrap::wrap;

/// The appearance of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// The width of a line in characters; unlimited if none.
    pub width: Option<usize>,
    /// Colours by ANSI escape sequences: one for each process, violations in red.
    pub color: bool,
}

/// The line before the first step of the cycle.
pub(crate) const CYCLE: &str = "--- start of cycle ---\n";

/// ANSI colours of processes, by number; red is for violations only.
const PROCESSES: [u8; 6] = [36, 33, 35, 32, 34, 96];

/// The ANSI colour of violations: bold red.
const VIOLATION: &str = "1;31";

/// Widest column; longer cells exceed it.
const WIDEST: usize = 1_000;

/// The execution as text, one line for each small step.
pub fn render_text(trace: &Trace, mode: Mode) -> String {
    render_styled(trace, mode, Style::default())
}

/// The execution as text of a given appearance.
pub fn render_styled(trace: &Trace, mode: Mode, style: Style) -> String {
    render_abridged(trace, mode, style, &vec![true; trace.steps.len()], "")
}

/// The execution as text, with a line that counts the omitted steps where some are not `kept`. The
/// first of these lines says where to find them: `hint`.
pub fn render_abridged(trace: &Trace, mode: Mode, style: Style, kept: &[bool], hint: &str) -> String {
    let mut rows: Vec<[String; 6]> = trace.steps.iter().map(|step| row(step, mode)).collect();
    if mode != Mode::Full {
        for (row, turned) in rows.iter_mut().zip(turns(trace)) {
            row[5] = turned;
        }
    }
    // The choice of the provisioning is one row.
    let folded = if mode == Mode::Full { 0..0 } else { folded(trace, &mut rows) };
    let is_kept = |index: usize| kept.get(index) != Some(&false);
    for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| !is_kept(*index)) {
        *row = Default::default();
    }
    let start = trace
        .start
        .as_ref()
        .map(|observed| ["0", "-", "", "(initial state)", "", &first(observed, mode)].map(str::to_string));
    let judged = start.is_some();
    rows.splice(0..0, start);
    let widths = widths(&rows, style.width);
    let mut text = String::new();
    let (mut cycle, mut omitted, mut hint) = (trace.cycle, 0usize, hint);
    for (index, row) in rows.iter().enumerate() {
        let index = index.checked_sub(usize::from(judged));
        if index.is_some_and(|index| !is_kept(index)) {
            omitted += 1;
            continue;
        }
        if index.is_some_and(|index| folded.contains(&index)) {
            continue;
        }
        text.push_str(&omission(&mut omitted, &mut hint));
        let step = index.map(|index| &trace.steps[index]);
        if let (Some(first), Some(step)) = (cycle, step)
            && step.step >= first
        {
            text.push_str(CYCLE);
            cycle = None;
        }
        let [number, process, place, statement, rest, seen] = row;
        let [w0, w1, w2, w3, w4] = widths;
        let line = format!("{number:>w0$}  {process:w1$}  {place:w2$}  {statement:w3$}  {rest:w4$}  {seen}");
        let code = step.map(|step| PROCESSES[step.by.pid as usize % PROCESSES.len()].to_string());
        // Continuation lines begin two columns to the right of the statement.
        let lines = wrap(line.trim_end(), style.width, w0 + w1 + w2 + 8);
        text.push_str(&painted(&lines, code.as_deref().filter(|_| style.color)));
        for fault in step.into_iter().flat_map(|step| &step.faults) {
            let lines = wrap(&format!("{:w0$}  ** {fault}", ""), style.width, w0 + 7);
            text.push_str(&painted(&lines, Some(VIOLATION).filter(|_| style.color)));
        }
    }
    text.push_str(&omission(&mut omitted, &mut hint));
    for sentence in &trace.ending {
        let indent = sentence.len() - sentence.trim_start().len() + 4;
        text.push_str(&wrap(sentence, style.width, indent));
    }
    text
}

/// The line that stands for omitted steps; no text if there are none. Resets the count and the hint.
fn omission(omitted: &mut usize, hint: &mut &str) -> String {
    let noun = match std::mem::take(omitted) {
        0 => return String::new(),
        1 => "1 step".to_string(),
        count => format!("{count} steps"),
    };
    match std::mem::take(hint) {
        "" => format!("... {noun} omitted ...\n"),
        hint => format!("... {noun} omitted; {hint} ...\n"),
    }
}

/// The widths of the columns but the last. With a limited width, statements and effects are padded
/// to at most a half and a third of the space that the first columns leave.
fn widths(rows: &[[String; 6]], limit: Option<usize>) -> [usize; 5] {
    let mut widths = [0; 5];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count()).min(WIDEST);
        }
    }
    if let Some(limit) = limit {
        let space = limit.saturating_sub(widths[0] + widths[1] + widths[2] + 6);
        widths[3] = widths[3].min(space / 2);
        widths[4] = widths[4].min(space / 3);
    }
    widths
}

/// Each line of a text in a colour.
pub(super) fn painted(lines: &str, code: Option<&str>) -> String {
    match code {
        None => lines.to_string(),
        Some(code) => lines.lines().map(|line| format!("\x1b[{code}m{line}\x1b[0m\n")).collect(),
    }
}

/// The propositions that hold in a state and the state of the never claim: `{p, q} claim state 1`.
fn seen(observed: &Observed) -> String {
    let holds = format!("{{{}}}", observed.holds.join(", "));
    match observed.claim {
        Some(location) => format!("{holds} claim state {location}"),
        None => holds,
    }
}

/// The propositions that hold in the initial state.
fn first(observed: &Observed, mode: Mode) -> String {
    match (mode, observed.holds.is_empty()) {
        (Mode::Full, _) => seen(observed),
        (_, true) => String::new(),
        (_, false) => format!("{} {}", observed.holds.join(", "), hold(observed.holds.len())),
    }
}

fn hold(count: usize) -> &'static str {
    if count == 1 { "holds" } else { "hold" }
}

/// The propositions that each step turns, in words.
fn turns(trace: &Trace) -> Vec<String> {
    let known = trace.steps.iter().any(|step| !step.turned.is_empty());
    let mut before = trace.start.as_ref().map(|start| &start.holds);
    let of = |step| {
        let turned = if known { turned(step) } else { difference(&mut before, step) };
        let is_generated = step.by.place.as_ref().is_some_and(PlaceReport::is_generated);
        let part = |holds: bool| {
            let own = turned.iter().filter(|(_, one)| *one == holds && !is_generated);
            own.map(|(text, _)| *text).collect::<Vec<&str>>()
        };
        let (now, past) = (part(true), part(false));
        let now = (!now.is_empty()).then(|| format!("{} {}", now.join(", "), hold(now.len())));
        let past = (!past.is_empty()).then(|| format!("not {}", past.join(", not ")));
        now.into_iter().chain(past).collect::<Vec<String>>().join("; ")
    };
    trace.steps.iter().map(of).collect()
}

fn turned(step: &TraceStep) -> Vec<(&str, bool)> {
    step.turned.iter().map(|turned| (&*turned.proposition, turned.holds)).collect()
}

/// The propositions in which the states before and behind a step differ, where both are known.
fn difference<'t>(before: &mut Option<&'t Vec<String>>, step: &'t TraceStep) -> Vec<(&'t str, bool)> {
    let Some(observed) = &step.observed else { return Vec::new() };
    let Some(past) = before.replace(&observed.holds) else { return Vec::new() };
    let now = observed.holds.iter().filter(|text| !past.contains(text)).map(|text| (&**text, true));
    now.chain(past.iter().filter(|text| !observed.holds.contains(text)).map(|text| (&**text, false)))
        .collect()
}

/// Makes the first of the steps that choose the provisioning stand for all of them, and returns the
/// others.
fn folded(trace: &Trace, rows: &mut [[String; 6]]) -> std::ops::Range<usize> {
    let is_generated = |step: &TraceStep| step.by.place.as_ref().is_some_and(PlaceReport::is_generated);
    let Some(first) = trace.steps.iter().position(is_generated) else { return 0..0 };
    let count = trace.steps[first..].iter().take_while(|step| is_generated(step)).count();
    let steps = &trace.steps[first..first + count];
    let changes = lasting(steps, Some(0));
    let effects: Vec<String> = changes.iter().map(|change| changed(&steps[0], change)).collect();
    let [_, _, place, statement, rest, _] = &mut rows[first];
    place.clear();
    (*statement, *rest) = ("provisioning".to_string(), effects.join("; "));
    first + 1..first + count
}

/// The cells of a line: number, process, location, statement, effects, and the propositions that
/// hold after it.
fn row(step: &TraceStep, mode: Mode) -> [String; 6] {
    let number = match step.parts {
        1 => step.step.to_string(),
        _ => format!("{}.{}", step.step, step.part),
    };
    let (mut process, mut place) = (step.by.process.clone(), place(&step.by));
    let mut statement = step.by.statement.clone();
    if let Some(partner) = &step.partner {
        process.push_str(&format!(" > {}", partner.process));
        place.push_str(&format!(" > {}", line(partner)));
        statement.push_str(&format!(" > {}", partner.statement));
    }
    let rest = match mode {
        Mode::Full | Mode::Changes => happenings(step),
        Mode::Short => String::new(),
    };
    [number, process, place, statement, rest, step.observed.as_ref().map(seen).unwrap_or_default()]
}

fn place(mover: &Mover) -> String {
    mover.place.as_ref().map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default()
}

/// The line without the file, which is nearly always the same for the partner of a rendezvous.
fn line(mover: &Mover) -> String {
    mover.place.as_ref().map(|place| place.line.to_string()).unwrap_or_default()
}

/// The effects of a step, in a few words each: messages, reads, changes, output, locks held.
pub fn happenings(step: &TraceStep) -> String {
    let mut parts = Vec::new();
    for message in &step.messages {
        parts.push(match message.kind {
            // The change of the channel's contents shows these.
            MessageKind::Sent | MessageKind::Received => continue,
            MessageKind::Lost => format!("{} lost", label(message)),
            MessageKind::Copied => format!("{} copied", label(message)),
            MessageKind::Handed => format!("rendezvous {}", label(message)),
        });
    }
    for seen in &step.reads {
        // A change of the same object shows its value too.
        if !step.changes.iter().any(|change| change.name == seen.name) {
            parts.push(format!("reads {} = {}", seen.name, seen.value));
        }
    }
    for change in &step.changes {
        parts.push(changed(step, change));
    }
    parts.extend(step.notes.iter().map(|note| note.text.clone()).filter(|text| !text.is_empty()));
    if !step.printed.is_empty() {
        parts.push(format!("prints {:?}", step.printed));
    }
    if !step.held.is_empty() {
        parts.push(format!("[holds {}]", step.held.join(", ")));
    }
    parts.join("; ")
}

/// A message in a few characters: `q[1]!data,3`.
pub(crate) fn label(message: &Message) -> String {
    let sign = match message.kind {
        MessageKind::Sent | MessageKind::Lost | MessageKind::Handed => "!",
        MessageKind::Received | MessageKind::Copied => "?",
    };
    format!("{}{sign}{}", message.channel, message.values.join(","))
}

/// A change in a few characters; local variables of the process are shown without its name.
pub(super) fn changed(step: &TraceStep, change: &Changed) -> String {
    let own = format!("{}:", step.by.process);
    let name = change.name.strip_prefix(&own).unwrap_or(&change.name);
    match (&change.old, &change.new) {
        (Some(old), Some(new)) => format!("{name}: {old} -> {new}"),
        (None, Some(new)) if new == "running" => format!("{name} starts"),
        (None, Some(new)) => format!("{name}: {new}"),
        (Some(_) | None, None) => format!("{name} ends"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::tests::single_step;

    fn trace() -> Trace {
        let by = Mover { pid: 1, process: "P(1)".into(), place: None, statement: "x = x + 1".into() };
        single_step(by, "one two three four five six seven eight nine ten")
    }

    #[test]
    fn lines_fit_the_width_and_lose_no_word() {
        let (whole, narrow) = (
            render_text(&trace(), Mode::Full),
            render_styled(&trace(), Mode::Full, Style { width: Some(40), color: false }),
        );
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
        assert!(narrow.lines().count() > whole.lines().count());
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        assert_eq!(words(&narrow), words(&whole));
    }

    #[test]
    fn processes_and_violations_have_colours() {
        let text = render_styled(&trace(), Mode::Full, Style { width: None, color: true });
        assert!(text.starts_with("\x1b[33m1  P(1)"), "{text:?}");
        assert!(text.contains("\x1b[1;31m   ** one two"), "{text:?}");
        assert!(!render_text(&trace(), Mode::Full).contains('\x1b'));
    }
}
