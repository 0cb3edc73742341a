//! The nearest satisfying execution of a model.
//!
//! *Entry point:* [`nearest`].

use std::sync::Arc;

use axle_check::judgement::judge;
use axle_evidence::lasso::replay_run;
use axle_evidence::run_trail::RunTrail;
use axle_evidence::trace::common_steps;
use axle_explicit::successors::Tiered;
use axle_model::Model;
use axle_question::claims::{Source, Stated, claim_of};
use axle_question::config::SuccessorChoice;
use axle_search::claim::Claim;
use axle_search::{Fairness, Monitor};
use axle_step::{Interpreter, Observer, Options};

use crate::nearest::complement::complement;
use crate::nearest::continuation::Prefixes;
use crate::nearest::prefix_search::longest;
use crate::nearest::{Answer, Condition, Nearest};

/// States that are observed before the propositions are compiled.
const FEW_OBSERVED: usize = 3_000;

/// Searches for the satisfying execution that is nearest to the execution of a trail, which violates
/// the property `stated` of the model. `condition` is over the propositions of `stated`, which may have
/// more than the property ([`Stated::with`]). An execution is fair by the assumption `fairness`.
///
/// # Errors
/// The trail does not fit the model or its property, the condition is too large, or the execution that
/// was found does not replay.
pub fn nearest(
    model: &Arc<Model>,
    (stated, trail): (&Stated, &RunTrail),
    condition: &Condition,
    (fairness, memory): (Fairness, Option<u64>),
    monitor: &mut impl Monitor,
) -> Result<Answer, String> {
    trail.check(model).map_err(|fault| fault.to_string())?;
    if trail.fault.is_some() {
        return Err("the trail leads to a proposition that cannot be evaluated".to_string());
    }
    if stated.name != trail.property {
        return Err(format!("the trail is about `{}`, not about {}", trail.property, stated.name));
    }
    let violating = trail.run();
    let options = Options { movers: fairness != Fairness::None, ..Options::default() };
    let known = replay_run(model, &violating, &stated.atoms, &stated.texts, &options)
        .map_err(|fault| fault.to_string())?;
    judge::breaks(stated, &violating, &known, Fairness::None)?;

    // The executions that satisfy a formula violate its negation.
    let own = || stated.claim.as_ref().map_err(String::clone);
    let claim = match condition {
        Condition::Formula(formula) => {
            claim_of(&formula.clone().negated(), stated.atoms.len(), &monitor.interrupt())?
        }
        Condition::Unclaimed => {
            let complement = complement(own()?)?;
            Claim { atoms: stated.atoms.len() as u32, ..complement }
        }
    };
    let mut stepper = Tiered::new(model, options, SuccessorChoice::Auto);
    let interpreter = Interpreter::new(Arc::clone(model), options);
    let mut observer = Observer::new(&interpreter, stated.atoms.clone());
    observer.compile_after(FEW_OBSERVED);
    let system = (&mut stepper, &mut observer);
    let mut prefixes = Prefixes::new(system, &claim, &violating, fairness, memory)?;
    // An execution that ends repeats its last state, whichever it is.
    let any = |_: &Tiered, _: &[_]| true;
    let found = longest(&violating, |steps, states| prefixes.search(steps, states, &any, monitor));
    let Some(run) = found.run else {
        return Ok(if found.is_certain { Answer::None } else { Answer::Undecided });
    };
    let walked = replay_run(model, &run, &stated.atoms, &stated.texts, &options)
        .map_err(|fault| format!("internal error: the execution does not replay: {fault}"))?;
    let satisfies = match condition {
        Condition::Formula(formula) => {
            let source = Source::Formula(formula.clone().negated());
            let asked = Stated { source, bad_prefixes: None, ..stated.clone() };
            judge::breaks(&asked, &run, &walked, fairness)
        }
        Condition::Unclaimed => judge::avoids(own()?, &run, &walked, fairness),
    };
    satisfies
        .map_err(|fault| format!("internal error: the execution does not satisfy the condition: {fault}"))?;
    Ok(Answer::Found(Box::new(Nearest {
        common_steps: common_steps(&known.trace, &walked.trace),
        trace: walked.trace,
        is_longest: found.is_certain,
    })))
}
