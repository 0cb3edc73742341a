//! The text of an event sequence: an event a line.
//!
//! | line | event |
//! | --- | --- |
//! | `name`, `name(1, _)` | call of a function; message whose first field is `name`, sent on any channel |
//! | `name = 3`, `name =` | change of a variable of a C program |
//! | `channel!3,_`, `channel?3` | send or receive on a channel |
//! | `process@label` | a process reaches a label |
//! | `@file:12` | a statement at this line is executed |
//! | `...` | any events may occur before the next one |
//! | `! name` | no event of this name occurs in the whole sequence |
//!
//! `_` is any value; `#` begins a comment.
//!
//! *Entry point:* [`parse`].

use crate::diagnose::Value;

/// An event of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// As written.
    pub text: String,
    /// The line, from 1.
    pub line: u32,
    /// The name, by which the alphabet is formed.
    pub name: EventName,
    /// The values; none is any value.
    pub values: Vec<Option<String>>,
    /// Whether other events may occur before it.
    pub loose: bool,
    /// Whether no event of this name occurs; it is not an event of the sequence.
    pub absent: bool,
}

/// The name of an event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventName {
    /// A call of a function, or a message with this first field.
    Plain(String),
    /// A change of a variable.
    Change(String),
    /// A message sent to a channel.
    Send(String),
    /// A message received from a channel.
    Receive(String),
    /// A label that a process reaches.
    Label(String, String),
    /// A line whose statement is executed.
    Line(String, u32),
}

impl EventName {
    /// The event as it would be written.
    pub(crate) fn show(&self, values: &[Value]) -> String {
        let list =
            |between: &str| values.iter().map(|value| value.shown.as_str()).collect::<Vec<_>>().join(between);
        match self {
            EventName::Plain(name) if values.is_empty() => name.clone(),
            EventName::Plain(name) => format!("{name}({})", list(", ")),
            EventName::Change(name) => format!("{name} = {}", list(", ")),
            EventName::Send(name) => format!("{name}!{}", list(",")),
            EventName::Receive(name) => format!("{name}?{}", list(",")),
            EventName::Label(process, label) => format!("{process}@{label}"),
            EventName::Line(file, line) => format!("@{file}:{line}"),
        }
    }
}

/// A mistake in a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventFault {
    /// The line, from 1; 0 for the whole text.
    pub line: u32,
    /// The problem.
    pub message: String,
}

/// The events of a text.
///
/// # Errors
/// All mistakes of the text.
pub fn parse(text: &str) -> Result<Vec<Event>, Vec<EventFault>> {
    let (mut events, mut faults) = (Vec::new(), Vec::new());
    let mut loose = false;
    for (line, written) in (1..).zip(text.lines()) {
        let own = written.split('#').next().unwrap_or_default().trim();
        match own {
            "" => {}
            "..." => loose = true,
            own => {
                let (absent, text) = match own.strip_prefix('!') {
                    Some(name) => (true, name.trim()),
                    None => (false, own),
                };
                match event(text) {
                    Ok((_, values)) if absent && !values.is_empty() => {
                        let message = format!("`{own}` excludes all events of a name: leave out the values");
                        faults.push(EventFault { line, message });
                    }
                    Ok((name, values)) => {
                        let name = match name {
                            EventName::Plain(name) if absent && name.contains('.') => EventName::Change(name),
                            name => name,
                        };
                        let text = own.to_string();
                        events.push(Event { text, line, name, values, loose: loose && !absent, absent });
                        loose &= absent;
                    }
                    Err(message) => faults.push(EventFault { line, message }),
                }
            }
        }
    }
    if events.iter().all(|event| event.absent) && faults.is_empty() {
        faults.push(EventFault { line: 0, message: "the sequence has no events".to_string() });
    }
    if faults.is_empty() { Ok(events) } else { Err(faults) }
}

type Parts = (EventName, Vec<Option<String>>);

fn event(text: &str) -> Result<Parts, String> {
    let not_an_event = || format!("`{text}` is not an event: a name, and values in parentheses");
    if let Some(place) = text.strip_prefix('@') {
        let (file, line) = place.rsplit_once(':').ok_or_else(not_an_event)?;
        let line = line.trim().parse().map_err(|_| format!("`{line}` is not a line number"))?;
        return Ok((EventName::Line(file.trim().to_string(), line), Vec::new()));
    }
    let name_end = text.find(|c: char| !(c.is_alphanumeric() || "_.[]:".contains(c))).unwrap_or(text.len());
    let (name, rest) = (text[..name_end].to_string(), text[name_end..].trim());
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(not_an_event());
    }
    let list = |values: &str| -> Result<Vec<Option<String>>, String> {
        if values.trim().is_empty() {
            return Ok(Vec::new());
        }
        let value = |value: &str| match value.trim() {
            "" => Err(format!("a value is missing in `{text}`")),
            "_" => Ok(None),
            value => Ok(Some(value.to_string())),
        };
        values.split(',').map(value).collect()
    };
    if rest.is_empty() {
        return Ok((EventName::Plain(name), Vec::new()));
    }
    if let Some(values) = rest.strip_prefix('(') {
        let values = values.strip_suffix(')').ok_or_else(|| format!("`)` is missing in `{text}`"))?;
        return Ok((EventName::Plain(name), list(values)?));
    }
    if let Some(value) = rest.strip_prefix('=').filter(|rest| !rest.starts_with('=')) {
        let values = list(value)?;
        return match values.len() {
            0 | 1 => Ok((EventName::Change(name), values)),
            _ => Err(format!("a variable has one value in `{text}`")),
        };
    }
    if let Some(values) = rest.strip_prefix('!') {
        return Ok((EventName::Send(name), list(values)?));
    }
    if let Some(values) = rest.strip_prefix('?') {
        return Ok((EventName::Receive(name), list(values)?));
    }
    if let Some(label) = rest.strip_prefix('@') {
        return Ok((EventName::Label(name, label.trim().to_string()), Vec::new()));
    }
    Err(not_an_event())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_events() {
        let text = "# a test\noff_hook\n\ndial(A, _)  # digit\n...\na.tone = 1\nq!data,3\nq?\nP@there\n@x/y.c:12\n! bell\n";
        let events = parse(text).expect("events");
        let told: Vec<String> = events
            .iter()
            .map(|one| format!("{:?} {:?} {} {}", one.name, one.values, one.loose, one.absent))
            .collect();
        assert_eq!(
            told,
            [
                r#"Plain("off_hook") [] false false"#,
                r#"Plain("dial") [Some("A"), None] false false"#,
                r#"Change("a.tone") [Some("1")] true false"#,
                r#"Send("q") [Some("data"), Some("3")] false false"#,
                r#"Receive("q") [] false false"#,
                r#"Label("P", "there") [] false false"#,
                r#"Line("x/y.c", 12) [] false false"#,
                r#"Plain("bell") [] false true"#,
            ]
        );
        assert_eq!(events[1].line, 4);
    }

    #[test]
    fn every_mistake_is_reported() {
        let faults = parse("f(1\n+\n@x\nf(,)\nx = 1, 2\n3\nx == 1\n! f(1)\n").expect_err("mistakes");
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(parse("# nothing\n").expect_err("no events")[0].line, 0);
    }
}
