//! The marks of a violated timeline on the steps of an execution.
//!
//! *Entry point:* [`of`].
//! *Invariant:* nothing is shown unless the execution violates the present timeline as its definition
//! says: after a change of the timeline, an earlier execution may not.

use std::collections::BTreeSet;

use axle_evidence::trace::{Observed, Trace};
use axle_feaver::project::{Property, Statement};
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
    let fates = violation(line, &word)?;
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

/// The states of an execution as a timeline sees them, and the step behind which each is.
fn word(line: &Timeline, trace: &Trace) -> Option<(Word, Vec<u64>)> {
    let start = trace.start.as_ref().map(|seen| (0, false, seen));
    let later = trace.steps.iter().filter_map(|step| {
        // The steps that choose the provisioning of a program are in a file that Axle generates.
        let chooses = step.by.place.as_ref().is_some_and(|place| place.file.starts_with('<'));
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
    // An execution may observe the negation of a proposition; one that it never observes never holds.
    let atoms: Vec<Option<(usize, bool)>> =
        line.atoms.iter().map(|atom| find(atom, &observed)).collect::<Result<_, _>>().ok()?;
    let letter = |one: &Observed| {
        let holds = |at: usize| one.holds.iter().any(|text| text == observed[at]);
        atoms.iter().map(|atom| atom.is_some_and(|(at, is_itself)| holds(at) == is_itself)).collect()
    };
    let letters = seen.iter().map(|(.., one)| letter(one)).collect();
    let cycle = trace.cycle.and_then(|cycle| seen.iter().position(|(step, ..)| *step >= cycle));
    let word = Word { letters, cycle };
    (!seen.is_empty()).then(|| (word, seen.into_iter().map(|(step, ..)| step).collect()))
}
