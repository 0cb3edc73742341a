//! The marks of a violated timeline on the steps of an execution.
//!
//! *Entry point:* [`of_timeline`].
//! *Invariant:* nothing is reported unless the execution violates the timeline as its definition says: after a
//! change of the timeline, an earlier execution may not.

use std::collections::BTreeSet;

use axle_evidence::report::PlaceReport;
use axle_evidence::trace::{Account, NamedEvent, Trace};
use axle_ltl::Formula;
use axle_ltl::print::formula;
use axle_ltl::proposition_text::find;
use axle_ltl::timeline::Timeline;

use super::matching::{Fate, Word, violation};
use super::states::States;

/// A mark of a timeline and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// Its condition.
    pub condition: String,
    /// What became of it; the position is that of its step.
    pub fate: Fate,
    /// The step that matches it; 0 is the initial state.
    pub step: Option<u64>,
}

/// How an execution violates a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The marks in order.
    pub marks: Vec<Mark>,
    /// The violation in a sentence, with its events.
    pub account: Account,
}

/// The marks of a timeline on an execution that violates it.
#[must_use]
pub fn of_timeline(line: &Timeline, trace: &Trace) -> Option<Told> {
    let (word, states) = word(line, trace)?;
    let fates = violation(&by_condition(line), &word)?;
    let mark = |(mark, fate): (&axle_ltl::timeline::Mark, &Fate)| {
        let step = match fate {
            Fate::Matched(position) | Fate::Occurs(position) => Some(states.step(*position)),
            Fate::Missing | Fate::Irrelevant => None,
        };
        let condition = formula(&mark.condition, &line.atoms);
        Mark { name: mark.name.clone(), condition, fate: *fate, step }
    };
    let marks: Vec<Mark> = line.marks.iter().zip(&fates).map(mark).collect();
    Some(Told { account: account(&marks), marks })
}

/// The violation in words.
fn account(marks: &[Mark]) -> Account {
    let at = |step: u64| match step {
        0 => "initial state".to_string(),
        step => format!("step {step}"),
    };
    let is_matched = |mark: &&Mark| matches!(mark.fate, Fate::Matched(_));
    let last = marks.iter().filter(is_matched).max_by_key(|mark| mark.step);
    let matched = last.and_then(|mark| Some((mark, mark.step?)));
    let since = matched.map_or("from the start on".to_string(), |(mark, step)| {
        format!("after {} ({})", mark.name, at(step))
    });
    let mut events: Vec<NamedEvent> = marks
        .iter()
        .filter_map(|mark| {
            let forbidden = matches!(mark.fate, Fate::Occurs(_));
            Some(NamedEvent { name: mark.name.clone(), step: mark.step?, forbidden })
        })
        .collect();
    events.sort_by_key(|event| event.step);
    let decisive = marks.iter().find(|mark| matches!(mark.fate, Fate::Missing | Fate::Occurs(_)));
    let (sentence, step) = match decisive {
        Some(mark) if mark.fate == Fate::Missing => {
            let step = matched.map_or(0, |(_, step)| step);
            (format!("{} is required {since} and never occurs", mark.name), step)
        }
        Some(mark) => {
            let step = mark.step.unwrap_or(0);
            (format!("{} is forbidden {since} and occurs ({})", mark.name, at(step)), step)
        }
        None => (String::new(), 0),
    };
    Account { sentence, step, events }
}

/// The propositions that hold from the end of the choice of the provisioning on: of a model, of a program.
const CHOSEN: [&str; 2] = ["provisioned", "axle_provisioned"];

/// The timeline with one proposition for each condition: those of the marks, then those of the bars.
fn by_condition(line: &Timeline) -> Timeline {
    let mut own = line.clone();
    let marks = own.marks.iter_mut().map(|mark| &mut mark.condition);
    let conditions = marks.chain(own.bars.iter_mut().map(|bar| &mut bar.condition));
    (0..).zip(conditions).for_each(|(number, condition)| *condition = Formula::Atom(number));
    own
}

/// A condition over the propositions that an execution observes.
enum Condition {
    /// The observed proposition of this number has this value.
    Observed(usize, bool),
    /// It is observed nowhere, so it never holds.
    Never,
    Always,
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Equivalent(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// A condition by its largest parts that are observed: an execution of a model observes expressions
    /// without temporal operators as a whole, one of a program their propositions.
    fn new(condition: &Formula, atoms: &[String], observed: &[&str]) -> Option<Condition> {
        let part = |part: &Formula| Condition::new(part, atoms, observed).map(Box::new);
        let seen = |(at, is_itself): (usize, bool)| Condition::Observed(at, is_itself);
        if let Formula::Atom(atom) = condition {
            let found = find(atoms.get(*atom as usize)?, observed).ok()?;
            return Some(found.map_or(Condition::Never, seen));
        }
        if let Ok(Some(found)) = find(&formula(condition, atoms), observed) {
            return Some(seen(found));
        }
        let not = |inner| Box::new(Condition::Not(inner));
        Some(match condition {
            Formula::True => Condition::Always,
            Formula::Not(a) => Condition::Not(part(a)?),
            Formula::And(a, b) => Condition::And(part(a)?, part(b)?),
            Formula::Or(a, b) => Condition::Or(part(a)?, part(b)?),
            Formula::Implies(a, b) => Condition::Or(not(part(a)?), part(b)?),
            Formula::Equivalent(a, b) => Condition::Equivalent(part(a)?, part(b)?),
            // Conditions of timelines have no temporal operators.
            _ => Condition::Never,
        })
    }

    /// Whether it holds in a state in which these propositions hold.
    fn holds(&self, proposition: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Condition::Observed(at, is_itself) => proposition(*at) == *is_itself,
            Condition::Never => false,
            Condition::Always => true,
            Condition::Not(a) => !a.holds(proposition),
            Condition::And(a, b) => a.holds(proposition) && b.holds(proposition),
            Condition::Or(a, b) => a.holds(proposition) || b.holds(proposition),
            Condition::Equivalent(a, b) => a.holds(proposition) == b.holds(proposition),
        }
    }
}

/// The states of an execution as the conditions of a timeline see them.
fn word<'t>(line: &Timeline, trace: &'t Trace) -> Option<(Word, States<'t>)> {
    let mut states = States::of(trace)?;
    // A property is evaluated from the end of the choice of the provisioning on, whose steps are in a
    // file that Axle generates.
    let is_chosen = |holds: &[String]| holds.iter().any(|text| CHOSEN.contains(&text.as_str()));
    let chosen = states.iter().position(is_chosen);
    let generated = trace.steps.iter().rfind(|step| {
        step.observed.is_some() && step.by.place.as_ref().is_some_and(PlaceReport::is_generated)
    });
    let last = generated.map(|step| step.step);
    let begin =
        chosen.or_else(|| (0..).map_while(|at| states.observed(at)).position(|one| Some(one) == last));
    states.skip(begin.unwrap_or(0));
    let observed: BTreeSet<&str> = states.iter().flatten().map(String::as_str).collect();
    let observed: Vec<&str> = observed.into_iter().collect();
    let marks = line.marks.iter().map(|mark| &mark.condition);
    let all = marks.chain(line.bars.iter().map(|bar| &bar.condition));
    let conditions: Vec<Condition> =
        all.map(|one| Condition::new(one, &line.atoms, &observed)).collect::<Option<_>>()?;
    let letter = |holds: &[String]| {
        let proposition = |at: usize| holds.iter().any(|text| text == observed[at]);
        conditions.iter().map(|condition| condition.holds(&proposition)).collect()
    };
    let letters: Vec<Vec<bool>> = states.iter().map(letter).collect();
    let word = Word { letters, cycle: states.cycle };
    (!word.letters.is_empty()).then_some((word, states))
}
