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
use crate::prepare::{LoadedProgram, Run, Subject};
use crate::project::{Fairness, Property, Statement};

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
}

fn found(run: &Run, property: &Property, kind: Kind, monitor: &mut dyn Monitor) -> Option<Example> {
    let (shows, trace) = match &run.subject {
        Subject::Program(loaded, _) => of_program(loaded, property, kind, monitor)?,
        Subject::Model(model) | Subject::Extracted(model, _) => {
            of_model(model, property, (kind, run.options.fairness), monitor)?
        }
        Subject::Safety(_) => return None,
    };
    Some(Example { run: run.name.clone(), shows, trace })
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

pub(crate) fn of_timeline(timeline: &Timeline, kind: Kind) -> Formula {
    let matched = axle_ltl::timeline::matched(timeline);
    match kind {
        Kind::Premise => matched,
        Kind::Satisfying => Formula::And(Box::new(matched), Box::new(axle_ltl::timeline::formula(timeline))),
    }
}

pub(crate) fn of_formula(formula: &Formula, kind: Kind) -> Option<Formula> {
    let premise = antecedents(formula).into_iter().next();
    let premise = premise.map(|premise| Formula::Eventually(Box::new(premise)));
    match (kind, premise) {
        (Kind::Premise, premise) => premise,
        (Kind::Satisfying, None) => Some(formula.clone()),
        (Kind::Satisfying, Some(premise)) => Some(Formula::And(Box::new(premise), Box::new(formula.clone()))),
    }
}

fn of_program(
    loaded: &Arc<LoadedProgram>,
    property: &Property,
    kind: Kind,
    mut monitor: &mut dyn Monitor,
) -> Option<(String, Trace)> {
    let (formula, atoms) = condition(&property.statement, kind)?;
    let shows = print::formula(&formula, &atoms);
    let braced: Vec<String> = atoms.iter().map(|atom| format!("{{{atom}}}")).collect();
    let text = format!("example=!({})", print::formula(&formula, &braced));
    let own = program::formula(&loaded.program, &text, 1).ok()?;
    let trace = program::example(&subject(loaded), &own, &mut monitor)?;
    Some((shows, trace))
}

fn of_model(
    model: &Arc<Model>,
    property: &Property,
    (kind, fairness): (Kind, Fairness),
    monitor: &mut dyn Monitor,
) -> Option<(String, Trace)> {
    let stated = named(model, &model.properties[0].name)?;
    let Source::Formula(own) = &stated.source else { return None };
    let PropertyKind::Ltl(written) = &model.properties[0].kind else { return None };
    let mut texts = Vec::new();
    atoms_of(written, &mut texts);
    let (formula, exprs, names) = match &property.statement {
        Statement::Timeline(timeline, _) => {
            let exprs: Option<Vec<Expr>> =
                timeline.atoms.iter().map(|atom| proposition(atom, &texts)).collect();
            (of_timeline(timeline, kind), exprs?, timeline.atoms.clone())
        }
        Statement::Formula(_) => {
            let wanted = of_formula(own, kind)?;
            let expr = |atom: &Atom| match atom {
                Atom::Holds(expr) => Some(expr.clone()),
                Atom::Accepting => None,
            };
            let exprs: Option<Vec<Expr>> = stated.atoms.iter().map(expr).collect();
            (wanted, exprs?, stated.texts.clone())
        }
        Statement::Never(..) | Statement::Safety(_) => return None,
    };
    let mut asked = (**model).clone();
    asked.properties[0].kind =
        PropertyKind::Ltl(axle_model::Formula::Not(Box::new(of_ltl(&formula, &exprs, &names))));
    let asked = Arc::new(asked);
    let config = Config {
        checks: [Check::Properties].into(),
        only: Some([asked.properties[0].name.clone()].into()),
        fairness: crate::execute::fairness(fairness),
        shortest: true,
        limits: axle_search::Limits { errors: Some(1), ..axle_search::Limits::default() },
        ..Config::default()
    };
    let checked = check(&asked, &config, monitor);
    let found = checked.runs.first()?;
    let trace = axle_check::replay(&asked, found, config.fairness, &config.step_options()).ok()?;
    Some((print::formula(&formula, &names), trace))
}

/// The expression of a proposition among those of a model, which may contain its negation instead.
fn proposition(atom: &str, texts: &[(Expr, String)]) -> Option<Expr> {
    let known: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let (at, is_itself) = axle_ltl::proposition_text::find(atom, &known).ok()??;
    let expr = texts[at].0.clone();
    Some(match is_itself {
        true => expr,
        false => Expr::Cond(Box::new(expr), Box::new(Expr::Const(0)), Box::new(Expr::Const(1))),
    })
}

fn atoms_of(formula: &axle_model::Formula, out: &mut Vec<(Expr, String)>) {
    use axle_model::Formula as F;
    match formula {
        F::Atom(expr, text) => out.push((expr.clone(), text.clone())),
        F::Not(a) | F::Next(a) | F::Always(a) | F::Eventually(a) => atoms_of(a, out),
        F::And(a, b)
        | F::Or(a, b)
        | F::Implies(a, b)
        | F::Equivalent(a, b)
        | F::Until(a, b)
        | F::WeakUntil(a, b)
        | F::Release(a, b) => {
            atoms_of(a, out);
            atoms_of(b, out);
        }
    }
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
