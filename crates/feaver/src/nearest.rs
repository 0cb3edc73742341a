//! For a violated property, the satisfying execution that shares the longest prefix with a violating one.
//!
//! The execution satisfies the property, and the situation that the property is about arises
//! ([`crate::example`]). If no satisfying execution contains this situation, the property alone counts.
//! A never claim is satisfied by the executions that it does not match.
//!
//! *Entry point:* [`nearest`].
//! *Source:* A. Groce, S. Chaki, D. Kroening and O. Strichman, "Error Explanation with Distance
//! Metrics", STTT 8(3), 2006.

use std::sync::Arc;

use axle_check::claims::{Source, Stated, named};
use axle_diagnosis::nearest::{Answer as Found, Condition, Nearest as Execution, model, program};
use axle_evidence::round::Example;
use axle_evidence::run_trail::{AnyTrail, RunTrail};
use axle_ltl::Formula;
use axle_model::Model;
use axle_search::Monitor;

use crate::example::{Kind, of_formula, shown};
use crate::execute::{fairness, subject};
use crate::prepare::{Premise, Run, Subject};
use crate::project::Property;

pub use axle_diagnosis::nearest::Answer;

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

/// A condition, and whether it contains the premise of the property.
type Wanted<C> = (C, bool);

/// Searches for the satisfying execution that is nearest to the execution of a trail, in searches that
/// take at most `memory` bytes each.
///
/// # Errors
/// The trail does not belong to the run, or the run has no property that an execution can satisfy.
pub fn nearest(
    run: &Run,
    property: &Property,
    trail: &AnyTrail,
    memory: Option<u64>,
    mut monitor: &mut dyn Monitor,
) -> Result<Answer<Nearest>, String> {
    let limits = (fairness(run.options.fairness), memory);
    let (found, has_premise) = match (&run.subject, trail) {
        (Subject::Program(loaded, formula), AnyTrail::Program(trail)) => {
            let own = formula.stated().ok_or_else(|| without_property(run))?;
            let premise = match &run.premise {
                Some(Premise::Program(premise)) => Some(and(premise, own)),
                Some(Premise::Model(_)) | None => of_formula(own, Kind::Satisfying),
            };
            first_found(with_premise(premise, own), |condition| {
                let about = (&**formula, trail);
                program::nearest(&subject(loaded), about, condition, limits, &mut monitor)
            })?
        }
        (Subject::Model(model) | Subject::Extracted(model, _), AnyTrail::Run(trail)) => {
            of_model(run, model, trail, limits, &mut monitor)?
        }
        (Subject::Safety(_), _) => {
            let problem = "an error of the software has no satisfying executions: every execution without the \
                           error is one";
            return Err(problem.to_string());
        }
        (Subject::Program(..), _) => return Err("the trail is not one of a C program".to_string()),
        (_, AnyTrail::Program(_)) => return Err("the trail is one of a C program".to_string()),
        (_, AnyTrail::Violation(_)) => {
            let problem = "the trail leads to an error, not to the violation of a temporal property";
            return Err(problem.to_string());
        }
    };
    Ok(match found {
        Answer::Found(found) => {
            let kind = if has_premise == Some(true) { Kind::Satisfying } else { Kind::Property };
            Answer::Found(Box::new(Nearest {
                example: Example {
                    run: run.name.clone(),
                    shows: shown(&property.statement, kind),
                    trace: found.trace,
                },
                common_steps: found.common_steps,
                is_longest: found.is_longest,
                has_premise,
            }))
        }
        Answer::None => Answer::None,
        Answer::Undecided => Answer::Undecided,
    })
}

fn of_model(
    run: &Run,
    model: &Arc<Model>,
    trail: &RunTrail,
    limits: (axle_search::Fairness, Option<u64>),
    mut monitor: &mut dyn Monitor,
) -> Result<(Found<Execution>, Option<bool>), String> {
    let property = model.properties.first().ok_or_else(|| without_property(run))?;
    let stated = named(model, &property.name).ok_or_else(|| without_property(run))?;
    let search = |stated: &Stated, condition: &Condition, monitor: &mut dyn Monitor| {
        let mut monitor = monitor;
        model::nearest(model, (stated, trail), condition, limits, &mut monitor)
    };
    let own = match &stated.source {
        Source::Formula(formula) => formula.clone(),
        Source::Never => return Ok((search(&stated, &Condition::Unclaimed, &mut monitor)?, None)),
        Source::Events(_) => {
            return Err(
                "the property is an event trace, for which no satisfying execution is searched".into()
            );
        }
        Source::Acceptance | Source::Progress => return Err(without_property(run)),
    };
    let (stated, premise) = match &run.premise {
        Some(Premise::Model(premise)) => {
            let (stated, premise) = stated.with(premise);
            (stated, Some(and(&premise, &own)))
        }
        Some(Premise::Program(_)) | None => (stated, of_formula(&own, Kind::Satisfying)),
    };
    first_found(with_premise(premise, &own), |condition| {
        search(&stated, &Condition::Formula(condition.clone()), &mut monitor)
    })
}

fn and(premise: &Formula, own: &Formula) -> Formula {
    Formula::And(Box::new(premise.clone()), Box::new(own.clone()))
}

/// The conditions in the order in which they are searched.
fn with_premise(premise: Option<Formula>, own: &Formula) -> Vec<Wanted<Formula>> {
    let premise = premise.filter(|premise| premise != own);
    premise.into_iter().map(|premise| (premise, true)).chain([(own.clone(), false)]).collect()
}

/// The result for the first condition that some execution satisfies, and whether it contains the premise;
/// none if there is no premise.
fn first_found(
    conditions: Vec<Wanted<Formula>>,
    mut search: impl FnMut(&Formula) -> Result<Found<Execution>, String>,
) -> Result<(Found<Execution>, Option<bool>), String> {
    let is_conditional = conditions.len() > 1;
    let mut last = (Found::None, None);
    for (condition, has_premise) in conditions {
        last = (search(&condition)?, is_conditional.then_some(has_premise));
        if last.0 != Found::None {
            break;
        }
    }
    Ok(last)
}

fn without_property(run: &Run) -> String {
    format!("{} has no property that an execution could satisfy", run.name)
}
