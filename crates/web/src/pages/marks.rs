//! The marks of a violated timeline on the steps of an execution.
//!
//! *Entry point:* [`of`].
//! *Invariant:* nothing is shown unless the execution violates the present timeline as its definition
//! says: after a change of the timeline, an earlier execution may not.

use std::collections::BTreeSet;

use axle_evidence::report::PlaceReport;
use axle_evidence::trace::{Observed, Trace};
use axle_feaver::project::{Property, Statement};
use axle_ltl::Formula;
use axle_ltl::print::formula;
use axle_ltl::proposition_text::find;
use axle_ltl::timeline::Timeline;
use serde::Serialize;

use crate::matching::{Fate, Word, violation};
use crate::view::timeline::{Note, annotated, letter};

/// A mark of a timeline and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// `e`, `r`, `t` or `x`.
    pub kind: &'static str,
    /// Its condition.
    pub condition: String,
    /// `matched`, `missing`, `occurs`, or `irrelevant`.
    pub fate: &'static str,
    /// The step that matches it; 0 is the initial state.
    pub step: Option<u64>,
}

/// The violated timeline of an execution.
pub struct Marked {
    /// The marks in order.
    pub marks: Vec<Mark>,
    /// The violation in a sentence.
    pub sentence: String,
    /// The picture, with links to the steps.
    pub picture: String,
}

/// The marks of a property's timeline on an execution that violates it.
#[must_use]
pub fn of(property: &Property, trace: &Trace) -> Option<Marked> {
    let Statement::Timeline(line, _) = &property.statement else { return None };
    let (word, steps) = word(line, trace)?;
    let fates = violation(&by_condition(line), &word)?;
    let step = |position: usize| steps.get(position).copied();
    let marks: Vec<Mark> = line
        .marks
        .iter()
        .zip(&fates)
        .map(|(mark, fate)| {
            let (fate, position) = match fate {
                Fate::Matched(position) => ("matched", step(*position)),
                Fate::Missing => ("missing", None),
                Fate::Occurs(position) => ("occurs", step(*position)),
                Fate::Irrelevant => ("irrelevant", None),
            };
            let condition = formula(&mark.condition, &line.atoms);
            Mark { name: mark.name.clone(), kind: letter(mark.kind).0, condition, fate, step: position }
        })
        .collect();
    let notes = marks.iter().map(note).collect::<Vec<_>>();
    Some(Marked { sentence: sentence(&marks), picture: annotated(line, &notes), marks })
}

fn note(mark: &Mark) -> Note {
    let text = match (mark.fate, mark.step) {
        ("missing", _) => "never".to_string(),
        ("irrelevant", _) => "not decisive".to_string(),
        (_, Some(0)) => "initial state".to_string(),
        (_, Some(step)) => format!("step {step}"),
        (_, None) => String::new(),
    };
    let link = mark.step.filter(|step| *step > 0).map(|step| format!("#step-{step}"));
    Note { fate: mark.fate, text, link }
}

/// The violation in words.
fn sentence(marks: &[Mark]) -> String {
    let at = |step: Option<u64>| match step {
        Some(0) => "in the initial state".to_string(),
        Some(step) => format!("in step {step}"),
        None => String::new(),
    };
    let last = marks.iter().filter(|mark| mark.fate == "matched").max_by_key(|mark| mark.step);
    let since =
        last.map_or("from the start on".to_string(), |mark| format!("after {} {}", mark.name, at(mark.step)));
    match marks.iter().find(|mark| matches!(mark.fate, "missing" | "occurs")) {
        Some(mark) if mark.fate == "missing" => {
            format!("{} is required {since}, and never occurs.", mark.name)
        }
        Some(mark) => format!("{} is forbidden {since}, and occurs {}.", mark.name, at(mark.step)),
        None => String::new(),
    }
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

/// The states of an execution as the conditions of a timeline see them, and the step behind which each is.
fn word(line: &Timeline, trace: &Trace) -> Option<(Word, Vec<u64>)> {
    let start = trace.start.as_ref().map(|seen| (0, false, seen));
    let later = trace.steps.iter().filter_map(|step| {
        // The steps that choose the provisioning of a program are in a file that Axle generates.
        let chooses = step.by.place.as_ref().is_some_and(PlaceReport::is_generated);
        Some((step.step, chooses, step.observed.as_ref()?))
    });
    let mut seen: Vec<(u64, bool, &Observed)> = start.into_iter().chain(later).collect();
    // A property is evaluated from the end of the choice on.
    let is_chosen = |observed: &Observed| observed.holds.iter().any(|text| CHOSEN.contains(&text.as_str()));
    let begin = (seen.iter().position(|(.., observed)| is_chosen(observed)))
        .or_else(|| seen.iter().rposition(|(_, chooses, _)| *chooses));
    seen.drain(..begin.unwrap_or(0));
    let observed: BTreeSet<&str> = seen.iter().flat_map(|(.., one)| &one.holds).map(String::as_str).collect();
    let observed: Vec<&str> = observed.into_iter().collect();
    let marks = line.marks.iter().map(|mark| &mark.condition);
    let all = marks.chain(line.bars.iter().map(|bar| &bar.condition));
    let conditions: Vec<Condition> =
        all.map(|one| Condition::new(one, &line.atoms, &observed)).collect::<Option<_>>()?;
    let letter = |one: &Observed| {
        let proposition = |at: usize| one.holds.iter().any(|text| text == observed[at]);
        conditions.iter().map(|condition| condition.holds(&proposition)).collect()
    };
    let letters = seen.iter().map(|(.., one)| letter(one)).collect();
    let cycle = trace.cycle.and_then(|cycle| seen.iter().position(|(step, ..)| *step >= cycle));
    let word = Word { letters, cycle };
    (!seen.is_empty()).then(|| (word, seen.into_iter().map(|(step, ..)| step).collect()))
}
