//! How an execution violates a temporal property, in a sentence, with the step that matters.
//!
//! *Entry points:* [`of_formula`], [`of_timeline`].
//! *Invariant:* an account is derived from the values of the propositions along the execution, evaluated
//! by the definition of the property; none is given for an execution that does not violate it.

pub mod matching;
mod states;
mod timeline;

use axle_evidence::trace::{Account, NamedEvent, Trace};
use axle_ltl::account::{Extent, Observation, account};
use axle_ltl::print::formula as print;
use axle_ltl::{Formula, Lasso};

pub use timeline::{Mark, Told, of_timeline};

use states::States;

/// The account of a violated formula; none if the trace observes no propositions.
#[must_use]
pub fn of_formula(formula: &Formula, texts: &[String], trace: &Trace) -> Option<Account> {
    let states = States::of(trace)?;
    let letter = |holds: &[String]| {
        let holds = |text: &String| holds.contains(text);
        (texts.iter().take(64).enumerate()).fold(0, |bits, (at, text)| bits | u64::from(holds(text)) << at)
    };
    let letters: Vec<u64> = states.iter().map(letter).collect();
    of_letters(formula, texts, (letters, states.cycle), &|position| states.step(position))
}

/// The account of a violated formula on an execution by its letters and the position at which its cycle
/// begins; `step` gives the number of the step that leads to a position.
#[must_use]
pub fn of_letters(
    formula: &Formula,
    texts: &[String],
    (mut prefix, cycle): (Vec<u64>, Option<usize>),
    step_of: &dyn Fn(usize) -> u64,
) -> Option<Account> {
    // Every continuation of a finite execution violates the property: its last state repeats.
    let begin = cycle.filter(|begin| *begin < prefix.len()).unwrap_or(prefix.len().checked_sub(1)?);
    let cycle = prefix.split_off(begin);
    let observations = account(&Lasso { prefix, cycle }, formula)?;
    let mut sentence = String::new();
    let mut before: Option<&Observation> = None;
    let mut events = Vec::new();
    let last = observations.len().checked_sub(1);
    for (at, one) in observations.iter().enumerate() {
        let step = step_of(one.position);
        if before.is_some() {
            sentence.push_str(", and ");
        }
        let (text, one) = &readable(one, texts);
        let follows = before.is_some_and(|before| before.position == one.position);
        sentence.push_str(&clause(text, one, step, follows));
        if one.extent == Extent::There {
            let name = if one.holds { text.clone() } else { format!("!({text})") };
            events.push(NamedEvent { name, step, forbidden: Some(at) == last });
        }
        before = Some(&observations[at]);
    }
    let step = observations.last().map_or(0, |one| step_of(one.position));
    Some(Account { sentence, step, events })
}

/// An observation and its text, in which a single proposition has neither parentheses around it nor a
/// negation in front.
fn readable(one: &Observation, texts: &[String]) -> (String, Observation) {
    let mut one = one.clone();
    let Formula::Atom(_) = one.formula else { return (print(&one.formula, texts), one) };
    let mut text = print(&one.formula, texts);
    loop {
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        if let Some(inner) = inner.filter(|inner| is_balanced(inner)) {
            text = inner.trim().to_string();
            continue;
        }
        let is_part = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
        match text.strip_prefix('!').map(str::trim) {
            Some(rest) if rest.chars().all(is_part) => {
                text = rest.to_string();
                one.holds = !one.holds;
            }
            _ => return (text, one),
        }
    }
}

/// Whether each closing parenthesis follows its opening one.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i64;
    let mut levels = text.chars().map(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth
    });
    levels.all(|level| level >= 0) && depth == 0
}

/// An observation in words.
fn clause(text: &str, one: &Observation, step: u64, follows: bool) -> String {
    let there = match step {
        0 => "in the initial state".to_string(),
        step => format!("after step {step}"),
    };
    let since = match (step, follows) {
        (_, true) => " from then on".to_string(),
        (0, false) => String::new(),
        (step, false) => format!(" from step {step} on"),
    };
    match (one.extent, one.holds) {
        (Extent::There, true) => format!("`{text}` holds {there}"),
        (Extent::There, false) => format!("`{text}` does not hold {there}"),
        (Extent::Forever, true) => format!("`{text}` holds forever{since}"),
        (Extent::Forever, false) => format!("`{text}` never holds{since}"),
    }
}

#[cfg(test)]
mod tests {
    use axle_evidence::trace::{Mover, Observed, TraceStep, Turned};

    use super::*;

    /// An execution whose states satisfy these propositions; the first is the initial one.
    pub(super) fn trace(states: &[&[&str]], cycle: Option<u64>) -> Trace {
        let observed = |holds: &[&str]| Observed {
            holds: holds.iter().map(|text| text.to_string()).collect(),
            claim: None,
        };
        let step = |(number, holds): (u64, &&[&str])| {
            let by = Mover { pid: 0, process: "main(0)".into(), place: None, statement: "s".into() };
            TraceStep { observed: Some(observed(holds)), ..TraceStep::of(number, by) }
        };
        let steps = (1..).zip(&states[1..]).map(step).collect();
        Trace { start: Some(observed(states[0])), cycle, ..Trace::of(steps) }
    }

    fn told(text: &str, trace: &Trace) -> Option<Account> {
        let parsed = axle_ltl::parse(text).expect("a formula");
        of_formula(&parsed.formula, &parsed.atoms, trace)
    }

    #[test]
    fn a_sentence_names_the_steps() {
        let found = told("[] (p -> <> q)", &trace(&[&[], &["p"], &[], &[]], Some(3))).expect("an account");
        assert_eq!(found.sentence, "`p` holds after step 1, and `q` never holds from then on");
        assert_eq!(found.step, 1);
        let found = told("[] p", &trace(&[&["p"], &["p"], &[]], None)).expect("an account");
        assert_eq!(found.sentence, "`p` does not hold after step 2");
        assert!(found.events[0].forbidden);
        assert_eq!(told("[] p", &trace(&[&["p"], &["p"]], None)), None);
        assert_eq!(told("[] p", &Trace::of(Vec::new())), None);
    }

    #[test]
    fn an_event_is_at_the_statement_that_causes_it() {
        let mut long = trace(&[&["p"], &["p"], &["p"], &["p"], &[]], None);
        // Steps 2 to 4 are one transition.
        (long.steps[1].observed, long.steps[2].observed) = (None, None);
        long.steps[1].turned.push(Turned { proposition: "p".into(), holds: false });
        let found = told("[] p", &long).expect("an account");
        assert_eq!((found.step, found.events[0].step), (2, 2));
    }
}
