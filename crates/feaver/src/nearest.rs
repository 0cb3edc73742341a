//! For a violated property, the satisfying execution that shares the longest prefix with a violating one.
//!
//! The execution satisfies the property, and the situation that the property is about arises
//! ([`crate::example`]). If no satisfying execution contains this situation, the property alone counts.
//!
//! *Entry point:* [`nearest`].
//! *Source:* A. Groce, S. Chaki, D. Kroening and O. Strichman, "Error Explanation with Distance
//! Metrics", STTT 8(3), 2006.

use axle_check::claims::{Source, named};
pub use axle_check::nearest::Answer;
use axle_check::nearest::{model, program};
use axle_evidence::round::Example;
use axle_evidence::run_trail::AnyTrail;
use axle_ltl::{Formula, print};
use axle_search::Monitor;

use crate::example::{Kind, of_formula, of_timeline};
use crate::execute::{fairness, program_config, subject};
use crate::prepare::{Run, Subject};
use crate::project::{Property, Statement};

/// A satisfying execution that shares the longest prefix with a violating one.
#[derive(Clone, PartialEq, Debug)]
pub struct Nearest {
    /// The satisfying execution, and the condition that it satisfies.
    pub example: Example,
    /// The number of first steps that both executions share.
    pub common_steps: u64,
    /// Whether no satisfying execution shares more steps.
    pub is_longest: bool,
    /// Whether the situation arises that the property is about; none if the property has no such
    /// premise.
    pub has_premise: Option<bool>,
}

/// Searches for the satisfying execution that is nearest to the execution of a trail, in searches that
/// take at most `memory` bytes each.
///
/// # Errors
/// The trail does not belong to the run, or the property is a never claim.
pub fn nearest(
    run: &Run,
    property: &Property,
    trail: &AnyTrail,
    memory: Option<u64>,
    monitor: &mut dyn Monitor,
) -> Result<Answer<Nearest>, String> {
    let (own, texts) = stated_formula(run)?;
    let wanted = condition(&property.statement, &own, &texts)?;
    let with_premise = wanted != own;
    let mut found = search(run, trail, &wanted, memory, monitor)?;
    let (mut shown, mut has_premise) = (wanted, with_premise.then_some(true));
    if found == Answer::None && with_premise {
        found = search(run, trail, &own, memory, monitor)?;
        (shown, has_premise) = (own, Some(false));
    }
    Ok(match found {
        Answer::Found(found) => Answer::Found(Box::new(Nearest {
            example: Example {
                run: run.name.clone(),
                shows: print::formula(&shown, &texts),
                trace: found.trace,
            },
            common_steps: found.common_steps,
            is_longest: found.is_longest,
            has_premise,
        })),
        Answer::None => Answer::None,
        Answer::Undecided => Answer::Undecided,
    })
}

/// The formula of a run and the texts of its propositions.
fn stated_formula(run: &Run) -> Result<(Formula, Vec<String>), String> {
    let none = || "the property is a never claim, which has no satisfying executions".to_string();
    match &run.subject {
        Subject::Safety(_) => Err("an error of the software has no satisfying executions: every execution \
                                   without the error is one"
            .to_string()),
        Subject::Program(_, formula) => {
            Ok((formula.stated().cloned().ok_or_else(none)?, formula.texts().to_vec()))
        }
        Subject::Model(model) | Subject::Extracted(model, _) => {
            let name = &model.properties[0].name;
            let own = named(model, name).ok_or_else(none)?;
            match own.source {
                Source::Formula(formula) => Ok((formula, own.texts)),
                _ => Err(none()),
            }
        }
    }
}

/// The property and its premise, if it has one, over the propositions of its run.
fn condition(statement: &Statement, own: &Formula, texts: &[String]) -> Result<Formula, String> {
    let Statement::Timeline(timeline, _) = statement else {
        return Ok(of_formula(own, Kind::Satisfying).unwrap_or_else(|| own.clone()));
    };
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut unknown = None;
    let matched = of_timeline(timeline, Kind::Premise).substituted(&mut |atom| {
        let text = &timeline.atoms[atom as usize];
        match axle_ltl::proposition_text::find(text, &texts) {
            Ok(Some((at, true))) => Formula::Atom(at as u32),
            Ok(Some((at, false))) => Formula::Atom(at as u32).negated(),
            Ok(None) | Err(_) => {
                unknown = Some(text.clone());
                Formula::False
            }
        }
    });
    match unknown {
        Some(text) => Err(format!("internal error: the run does not observe `{text}`")),
        None => Ok(Formula::And(Box::new(matched), Box::new(own.clone()))),
    }
}

fn search(
    run: &Run,
    trail: &AnyTrail,
    condition: &Formula,
    memory: Option<u64>,
    mut monitor: &mut dyn Monitor,
) -> Result<Answer, String> {
    let limits = (fairness(run.options.fairness), memory);
    match (&run.subject, trail) {
        (Subject::Program(loaded, formula), AnyTrail::Program(trail)) => {
            let settings = program_config(&run.options, (**formula).clone()).settings;
            let about = (&**formula, trail);
            program::nearest(&subject(loaded), &settings, about, condition, limits, &mut monitor)
        }
        (Subject::Model(one) | Subject::Extracted(one, _), AnyTrail::Run(trail)) => {
            model::nearest(one, trail, condition, limits, &mut monitor)
        }
        (Subject::Program(..) | Subject::Safety(_), _) => {
            Err("the trail is not one of a C program".to_string())
        }
        (_, AnyTrail::Program(_)) => Err("the trail is one of a C program".to_string()),
        (_, AnyTrail::Violation(_)) => {
            Err("the trail leads to an error, not to the violation of a temporal property".to_string())
        }
    }
}
