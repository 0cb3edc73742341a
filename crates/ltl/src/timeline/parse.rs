//! The text form of timelines.
//!
//! ```text
//! # After the receiver is lifted, a dial tone follows unless it is put down.
//! timeline dial_tone
//! e offhook
//! t dialtone = tone == DIAL
//! bar !onhook from offhook to dialtone
//! ```
//!
//! Each line is a mark, in order, or a bar. A mark has a letter (`e`, `r`, `t`, `x`) or its word, a
//! name, and behind `=` the condition that matches it; without one, the name is the condition.
//! Conditions are written as in formulas, without temporal operators.
//!
//! *Entry point:* [`parse()`].
//! *Invariant:* all faults of a text are reported; a timeline has none.

use super::codes::{CONDITION, DECIDES, FORM, ORDER, SIZE};
use super::{Bar, Mark, MarkKind, Timeline};
use crate::Formula;

/// The most marks of a timeline.
const MOST_MARKS: usize = 32;

/// The most propositions: those of an automaton.
const MOST_ATOMS: usize = 64;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The code of its kind ([`super::CODES`]).
    pub code: &'static str,
    /// The bytes of the text that it is about.
    pub at: std::ops::Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: &'static str,
}

/// Reads a timeline.
///
/// # Errors
/// All faults of the text, in order.
pub fn parse(text: &str) -> Result<Timeline, Vec<Fault>> {
    let mut reader = Reader {
        timeline: Timeline {
            name: String::new(),
            marks: Vec::new(),
            bars: Vec::new(),
            atoms: Vec::new(),
            places: Vec::new(),
        },
        places: Vec::new(),
        bars: Vec::new(),
        faults: Vec::new(),
        line: 0,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line += 1;
        let own = line.split('#').next().unwrap_or_default();
        let blanks = own.len() - own.trim_start().len();
        if !own.trim().is_empty() {
            reader.read(own.trim(), start + blanks);
        }
        start += line.len();
    }
    reader.resolve_bars();
    reader.check(text.len());
    match reader.faults.is_empty() {
        true => Ok(reader.timeline),
        false => {
            reader.faults.sort_by_key(|fault| fault.at.start);
            Err(reader.faults)
        }
    }
}

/// A word and its offset.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    at: usize,
}

impl Word<'_> {
    fn range(self) -> std::ops::Range<usize> {
        self.at..self.at + self.text.len()
    }
}

struct Reader<'a> {
    timeline: Timeline,
    /// The bytes of each mark's name.
    places: Vec<std::ops::Range<usize>>,
    /// Bars with the names of their marks, which may stand below them.
    bars: Vec<(Formula, Word<'a>, Word<'a>)>,
    faults: Vec<Fault>,
    /// The number of the line that is read.
    line: u32,
}

const FORMS: &str = "a line is `timeline NAME`, `e NAME`, `r NAME`, `t NAME`, `x NAME`, each with `= CONDITION` where needed, or `bar CONDITION from NAME to NAME`";

impl<'a> Reader<'a> {
    fn fault(
        &mut self,
        code: &'static str,
        at: std::ops::Range<usize>,
        message: impl Into<String>,
        remedy: &'static str,
    ) {
        self.faults.push(Fault { code, at, message: message.into(), remedy });
    }

    /// Reads a line without comment and blanks around it, which begins at an offset.
    fn read(&mut self, line: &'a str, at: usize) {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest_at = at + line.len() - rest.trim_start().len();
        let rest = Word { text: rest.trim_start(), at: rest_at };
        match first {
            "timeline" => self.name(rest),
            "e" | "event" => self.mark(MarkKind::Event, rest),
            "r" | "required" => self.mark(MarkKind::Required, rest),
            "t" | "target" => self.mark(MarkKind::Target, rest),
            "x" | "forbidden" => self.mark(MarkKind::Forbidden, rest),
            "bar" => self.bar(rest),
            _ => self.fault(FORM, at..at + first.len(), format!("a line cannot begin with `{first}`"), FORMS),
        }
    }

    fn name(&mut self, name: Word<'a>) {
        if !is_name(name.text) {
            self.fault(
                FORM,
                name.range(),
                "the name of a timeline is expected here",
                "a name has letters, digits and `_`",
            );
        } else if !self.timeline.name.is_empty() {
            self.fault(FORM, name.range(), "the timeline has a name already", "a file contains one timeline");
        } else {
            self.timeline.name = name.text.to_string();
        }
    }

    fn mark(&mut self, kind: MarkKind, rest: Word<'a>) {
        let (name, condition) = match rest.text.split_once('=') {
            Some((name, condition)) if !condition.starts_with('=') => {
                let begin = rest.at + name.len() + 1 + condition.len() - condition.trim_start().len();
                (name.trim_end(), Word { text: condition.trim(), at: begin })
            }
            _ => (rest.text, rest),
        };
        let name = Word { text: name, at: rest.at };
        if !is_name(name.text) {
            let message = "a mark begins with its name";
            self.fault(
                FORM,
                name.range(),
                message,
                "write the condition behind the name: `e ready = x == 1`",
            );
            return;
        }
        if self.timeline.marks.iter().any(|mark| mark.name == name.text) {
            let message = format!("`{}` is the name of a mark above", name.text);
            self.fault(
                ORDER,
                name.range(),
                message,
                "give the second mark a name of its own: `e again = NAME`",
            );
            return;
        }
        let condition = self.condition(condition);
        let line = self.line;
        self.timeline.marks.push(Mark { name: name.text.to_string(), kind, condition, line });
        self.places.push(name.range());
    }

    fn bar(&mut self, rest: Word<'a>) {
        let form = "a bar is `bar CONDITION from NAME to NAME`";
        // The words from the end: the condition may contain any.
        let mut before = rest.text;
        let mut last = || {
            let begin = before.rfind(char::is_whitespace)? + 1;
            let word = Word { text: &before[begin..], at: rest.at + begin };
            before = before[..begin].trim_end();
            Some(word)
        };
        match (last(), last(), last(), last()) {
            (Some(to), Some(to_word), Some(from), Some(from_word))
                if to_word.text == "to" && from_word.text == "from" =>
            {
                let condition = Word { text: before, at: rest.at };
                let condition = self.condition(condition);
                self.bars.push((condition, from, to));
            }
            _ => self.fault(FORM, rest.range(), "the interval of this bar is missing", form),
        }
    }

    /// A condition with its propositions in the table of the timeline.
    fn condition(&mut self, text: Word<'a>) -> Formula {
        if text.text.is_empty() {
            self.fault(CONDITION, text.range(), "a condition is expected here", FORMS);
            return Formula::True;
        }
        match crate::parse(text.text) {
            Err(fault) => {
                let at = text.at + fault.at.min(text.text.len());
                self.fault(CONDITION, at..at, fault.message, "conditions are written as in formulas");
                Formula::True
            }
            Ok(parsed) if !parsed.formula.is_plain() => {
                let message = "a condition cannot have temporal operators";
                self.fault(
                    CONDITION,
                    text.range(),
                    message,
                    "order in time is what the marks and bars express",
                );
                Formula::True
            }
            Ok(parsed) => {
                let atoms = parsed.atoms.iter().zip(&parsed.places);
                let numbers: Vec<u32> = atoms.map(|(atom, at)| self.atom(atom, text.at + at)).collect();
                renumbered(&parsed.formula, &numbers)
            }
        }
    }

    fn atom(&mut self, text: &str, at: usize) -> u32 {
        let Timeline { atoms, places, .. } = &mut self.timeline;
        let known = atoms.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            atoms.push(text.to_string());
            places.push(at);
            atoms.len() - 1
        }) as u32
    }

    fn resolve_bars(&mut self) {
        for (condition, from, to) in std::mem::take(&mut self.bars) {
            let mut ends = [None, None];
            for (end, name) in ends.iter_mut().zip([from, to]) {
                *end = self.timeline.marks.iter().position(|mark| mark.name == name.text);
                if end.is_none() {
                    let message = format!("there is no mark `{}`", name.text);
                    self.fault(ORDER, name.range(), message, "a bar extends from one mark to a later one");
                }
            }
            let [Some(from_mark), Some(to_mark)] = ends else { continue };
            if from_mark >= to_mark {
                let message = format!("`{}` is not behind `{}`", to.text, from.text);
                self.fault(
                    ORDER,
                    from.at..to.at + to.text.len(),
                    message,
                    "a bar extends from one mark to a later one",
                );
                continue;
            }
            self.timeline.bars.push(Bar { condition, from: from_mark, to: to_mark });
        }
    }

    /// What is wrong with the marks as a whole.
    fn check(&mut self, end: usize) {
        let kinds: Vec<MarkKind> = self.timeline.marks.iter().map(|mark| mark.kind).collect();
        let decisive = kinds.iter().rposition(|kind| *kind != MarkKind::Event);
        match decisive {
            None => {
                let message = "no execution violates this timeline: it has events only";
                self.fault(DECIDES, end..end, message, "add the event that must follow, as `t NAME`");
            }
            Some(last) => {
                for at in last + 1..kinds.len() {
                    let message = format!("nothing follows the event `{}`", self.timeline.marks[at].name);
                    let place = self.places[at].clone();
                    self.fault(DECIDES, place, message, "remove it, or add what must or must not follow");
                }
            }
        }
        for (at, kind) in kinds.iter().enumerate() {
            if *kind == MarkKind::Target && at + 1 < kinds.len() {
                let message = format!("the target `{}` is not the last mark", self.timeline.marks[at].name);
                let place = self.places[at].clone();
                self.fault(ORDER, place, message, "write `r` for a required event before others");
            }
        }
        if kinds.len() > MOST_MARKS || self.timeline.atoms.len() > MOST_ATOMS {
            let message = format!(
                "the timeline is too large: at most {MOST_MARKS} marks and {MOST_ATOMS} different propositions are possible"
            );
            self.fault(SIZE, end..end, message, "divide it into several timelines");
        }
    }
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// A formula with other numbers for its atoms.
fn renumbered(formula: &Formula, numbers: &[u32]) -> Formula {
    let one = |a: &Formula| Box::new(renumbered(a, numbers));
    match formula {
        Formula::True => Formula::True,
        Formula::False => Formula::False,
        Formula::Atom(atom) => Formula::Atom(numbers[*atom as usize]),
        Formula::Not(a) => Formula::Not(one(a)),
        Formula::And(a, b) => Formula::And(one(a), one(b)),
        Formula::Or(a, b) => Formula::Or(one(a), one(b)),
        Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
        Formula::Equivalent(a, b) => Formula::Equivalent(one(a), one(b)),
        Formula::Next(a) => Formula::Next(one(a)),
        Formula::Always(a) => Formula::Always(one(a)),
        Formula::Eventually(a) => Formula::Eventually(one(a)),
        Formula::Until(a, b) => Formula::Until(one(a), one(b)),
        Formula::WeakUntil(a, b) => Formula::WeakUntil(one(a), one(b)),
        Formula::Release(a, b) => Formula::Release(one(a), one(b)),
    }
}
