//! Example runs: for a property that holds, a short execution in which the situation arises that the
//! property is about; for a violated property, a short execution that satisfies it.
//!
//! For a timeline, an execution matches all of its marks and keeps the conditions between them. For a
//! formula, an execution reaches a state in which the left side of an implication is true. A property
//! without such a premise has no example. The execution is a counterexample to the negated condition.
//! A satisfying execution satisfies the whole property in addition.
//!
//! *Entry points:* [`example`], [`satisfying`].
//! *Source:* I. Beer, S. Ben-David, C. Eisner and Y. Rodeh, "Efficient Detection of Vacuity in Temporal
//! Model Checking", FMSD 18, 2001: interesting witnesses.
//! *Invariant:* an example is an execution of the software that a replay has confirmed.

use std::sync::Arc;

use axle_check::claims::{Source, named};
use axle_check::program;
use axle_check::{Check, Config, check};
use axle_evidence::round::Example;
use axle_evidence::trace::Trace;
use axle_ltl::timeline::Timeline;
use axle_ltl::vacuity::antecedents;
use axle_ltl::{Formula, print};
use axle_model::{Expr, Model, PropertyKind};
use axle_search::Monitor;
use axle_step::observe::Atom;

use crate::execute::subject;
use crate::prepare::{LoadedProgram, Premise, Run, Subject};
use crate::project::{Property, Statement};

/// The example of a property under the constraint of a run, if there is one and the search finds it.
pub fn example(run: &Run, property: &Property, monitor: &mut dyn Monitor) -> Option<Example> {
    found(run, property, Kind::Premise, monitor)
}

/// A short execution that satisfies a property, and in which its premise happens, if the search finds
/// one. [`crate::nearest`] searches for the one nearest to a violating execution.
pub fn satisfying(run: &Run, property: &Property, monitor: &mut dyn Monitor) -> Option<Example> {
    found(run, property, Kind::Satisfying, monitor)
}

/// What an execution has to show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The premise of the property.
    Premise,
    /// The property and its premise, if it has one.
    Satisfying,
    /// The property.
    Property,
}

fn found(run: &Run, property: &Property, kind: Kind, monitor: &mut dyn Monitor) -> Option<Example> {
    let trace = match &run.subject {
        Subject::Program(loaded, _) => of_program(loaded, property, kind, monitor)?,
        Subject::Model(model) | Subject::Extracted(model, _) => of_model(run, model, kind, monitor)?,
        Subject::Safety(_) => return None,
    };
    Some(Example { run: run.name.clone(), shows: shown(&property.statement, kind), trace })
}

/// The condition that an example satisfies, and the texts of its propositions.
fn condition(statement: &Statement, kind: Kind) -> Option<(Formula, Vec<String>)> {
    match statement {
        Statement::Timeline(timeline, _) => Some((of_timeline(timeline, kind), timeline.atoms.clone())),
        Statement::Formula(text) => {
            let parsed = axle_ltl::parse(&text.value).ok()?;
            Some((of_formula(&parsed.formula, kind)?, parsed.atoms))
        }
        Statement::Never(..) | Statement::Safety(_) => None,
    }
}

/// The condition in words, as the property states it: without what the provisioning adds.
pub(crate) fn shown(statement: &Statement, kind: Kind) -> String {
    match (condition(statement, kind), statement) {
        (Some((formula, atoms)), _) => print::formula(&formula, &atoms),
        (None, Statement::Never(path, _)) => format!("the never claim of {path}: it does not match"),
        (None, Statement::Formula(text)) => text.value.clone(),
        (None, Statement::Timeline(..) | Statement::Safety(_)) => String::new(),
    }
}

fn of_timeline(timeline: &Timeline, kind: Kind) -> Formula {
    let matched = axle_ltl::timeline::matched(timeline);
    let own = || axle_ltl::timeline::formula(timeline);
    match kind {
        Kind::Premise => matched,
        Kind::Satisfying => Formula::And(Box::new(matched), Box::new(own())),
        Kind::Property => own(),
    }
}

pub(crate) fn of_formula(formula: &Formula, kind: Kind) -> Option<Formula> {
    let premise = antecedents(formula).into_iter().next();
    let premise = premise.map(|premise| Formula::Eventually(Box::new(premise)));
    match (kind, premise) {
        (Kind::Premise, premise) => premise,
        (Kind::Satisfying, None) | (Kind::Property, _) => Some(formula.clone()),
        (Kind::Satisfying, Some(premise)) => Some(Formula::And(Box::new(premise), Box::new(formula.clone()))),
    }
}

fn of_program(
    loaded: &Arc<LoadedProgram>,
    property: &Property,
    kind: Kind,
    mut monitor: &mut dyn Monitor,
) -> Option<Trace> {
    let (formula, atoms) = condition(&property.statement, kind)?;
    let braced: Vec<String> = atoms.iter().map(|atom| format!("{{{atom}}}")).collect();
    let text = format!("example=!({})", print::formula(&formula, &braced));
    let own = program::formula(&loaded.program, &text, 1).ok()?;
    program::example(&subject(loaded), &own, &mut monitor)
}

fn of_model(run: &Run, model: &Arc<Model>, kind: Kind, monitor: &mut dyn Monitor) -> Option<Trace> {
    let stated = named(model, &model.properties.first()?.name)?;
    let Source::Formula(own) = &stated.source else { return None };
    let (stated, wanted) = match &run.premise {
        Some(Premise::Model(premise)) => {
            let (more, premise) = stated.with(premise);
            let wanted = match kind {
                Kind::Premise => premise,
                Kind::Satisfying => Formula::And(Box::new(premise), Box::new(own.clone())),
                Kind::Property => own.clone(),
            };
            (more, wanted)
        }
        Some(Premise::Program(_)) | None => {
            let wanted = of_formula(own, kind)?;
            (stated, wanted)
        }
    };
    let expr = |atom: &Atom| match atom {
        Atom::Holds(expr) => Some(expr.clone()),
        Atom::Accepting => None,
    };
    let exprs: Vec<Expr> = stated.atoms.iter().map(expr).collect::<Option<_>>()?;
    let mut asked = (**model).clone();
    let negated = axle_model::Formula::Not(Box::new(of_ltl(&wanted, &exprs, &stated.texts)));
    asked.properties[0].kind = PropertyKind::Ltl(negated);
    let asked = Arc::new(asked);
    let config = Config {
        checks: [Check::Properties].into(),
        only: Some([asked.properties[0].name.clone()].into()),
        fairness: crate::execute::fairness(run.options.fairness),
        shortest: true,
        limits: axle_search::Limits { errors: Some(1), ..axle_search::Limits::default() },
        ..Config::default()
    };
    let checked = check(&asked, &config, monitor);
    let found = checked.found.runs.first()?;
    axle_check::replay(&asked, found, config.fairness, &config.step_options()).ok()
}

/// A formula over the propositions of a model.
fn of_ltl(formula: &Formula, exprs: &[Expr], names: &[String]) -> axle_model::Formula {
    use axle_model::Formula as F;
    let one = |a: &Formula| Box::new(of_ltl(a, exprs, names));
    match formula {
        Formula::True => F::Atom(Expr::TRUE, "true".to_string()),
        Formula::False => F::Not(Box::new(F::Atom(Expr::TRUE, "true".to_string()))),
        Formula::Atom(atom) => {
            let index = *atom as usize;
            F::Atom(exprs[index].clone(), names[index].clone())
        }
        Formula::Not(a) => F::Not(one(a)),
        Formula::Next(a) => F::Next(one(a)),
        Formula::Always(a) => F::Always(one(a)),
        Formula::Eventually(a) => F::Eventually(one(a)),
        Formula::And(a, b) => F::And(one(a), one(b)),
        Formula::Or(a, b) => F::Or(one(a), one(b)),
        Formula::Implies(a, b) => F::Implies(one(a), one(b)),
        Formula::Equivalent(a, b) => F::Equivalent(one(a), one(b)),
        Formula::Until(a, b) => F::Until(one(a), one(b)),
        Formula::WeakUntil(a, b) => F::WeakUntil(one(a), one(b)),
        Formula::Release(a, b) => F::Release(one(a), one(b)),
    }
}
