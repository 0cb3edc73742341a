//! The marks of a violated timeline on the steps of an execution, as a picture.
//!
//! *Entry point:* [`of`].
//! *Invariant:* nothing is shown unless the execution violates the present timeline.

use axle_evidence::trace::Trace;
use axle_feaver::project::{Property, Statement};
use axle_question::account::matching::Fate;
use axle_question::account::of_timeline;
use serde::Serialize;

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
    let told = of_timeline(line, trace)?;
    let mark = |(mark, stated): (axle_question::account::Mark, &axle_ltl::timeline::Mark)| Mark {
        kind: letter(stated.kind).0,
        fate: match mark.fate {
            Fate::Matched(_) => "matched",
            Fate::Missing => "missing",
            Fate::Occurs(_) => "occurs",
            Fate::Irrelevant => "irrelevant",
        },
        name: mark.name,
        condition: mark.condition,
        step: mark.step,
    };
    let marks: Vec<Mark> = told.marks.into_iter().zip(&line.marks).map(mark).collect();
    let notes = marks.iter().map(note).collect::<Vec<_>>();
    let sentence = format!("{}.", told.account.sentence);
    Some(Marked { sentence, picture: annotated(line, &notes), marks })
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
