//! The runs of a property as parts of the executions of one model, which chooses the provisionings of all.
//!
//! Each flag is chosen from the values that it has in some run. A run consists of those executions whose choice
//! satisfies its constraint, so further provisionings do no harm.
//!
//! *Entry points:* [`joint`], [`Member`].
//! *Invariant:* the condition of a part is true until the choice has ended and does not change afterwards. Behind
//! the choice, the executions in which it is true are those of the model that is provisioned for the run.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use axle_check::CheckedModel;
use axle_model::{BinOp, Expr, GlobalId, IntType, Model, Place, UnOp};

use super::Component;
use super::model::provision;
use crate::project::Flag;

/// A model that chooses the provisionings of several runs.
#[derive(Debug)]
pub struct Joint {
    /// The model.
    pub model: Arc<Model>,
    /// For each run, the condition on the states of its executions.
    pub parts: Vec<Expr>,
}

/// A run of a property that several runs have.
#[derive(Clone, Debug)]
pub struct Member {
    /// All runs of the property.
    pub together: Arc<Together>,
    /// The number of this run among them.
    pub number: usize,
}

/// Runs of a property of a model, which one search may decide together.
#[derive(Debug)]
pub struct Together {
    /// The model without provisioning, with its property.
    pub model: Model,
    /// The flags of the project.
    pub flags: Vec<Flag>,
    /// The components of the constraint of each run.
    pub runs: Vec<Vec<Component>>,
    /// What is known of the runs.
    pub found: Mutex<Found>,
}

/// What a search of several runs has found out.
#[derive(Debug, Default)]
pub struct Found {
    /// The model that was searched, once it is needed; none inside if there is none.
    pub joint: Option<Option<Joint>>,
    /// The last cycle in which it was searched.
    pub tried: Option<u8>,
    /// For each run, the result if the property holds; empty before the search has ended.
    pub answers: Vec<Option<CheckedModel>>,
}

impl Together {
    /// The runs of a property of a model under constraints with these components, if there are several.
    #[must_use]
    pub fn new(model: &Model, flags: &[Flag], runs: Vec<Vec<Component>>) -> Option<Arc<Together>> {
        let is_several = runs.len() > 1 && model.properties.len() == 1;
        let (model, flags, found) = (model.clone(), flags.to_vec(), Mutex::default());
        is_several.then(|| Arc::new(Together { model, flags, runs, found }))
    }
}

/// The model with the provisionings of all runs; none if they do not differ, or a flag is unsuitable.
#[must_use]
pub fn joint(model: &Model, flags: &[Flag], runs: &[Vec<Component>]) -> Option<Joint> {
    let mut own = model.clone();
    let components: Vec<Component> = (0..flags.len()).map(|flag| of_flag(flag, runs)).collect();
    provision(&mut own, flags, &components).ok()?;
    if components.iter().all(|component| component.valuations.len() <= 1)
        || !axle_model::verify::verify(&own).is_empty()
    {
        return None;
    }
    let globals: Vec<GlobalId> = (flags.iter())
        .map(|flag| model.globals.iter().position(|global| global.name == flag.variable.value))
        .map(|found| found.map(GlobalId::new))
        .collect::<Option<_>>()?;
    // The first variable that was added.
    let is_chosen = Expr::Load(Place::global(GlobalId::new(model.globals.len())));
    let part = |run: &Vec<Component>| {
        let waits = Expr::Unary(UnOp::Not, IntType::I32, Box::new(is_chosen.clone()));
        Expr::Or(Box::new(waits), Box::new(all(run.iter().map(|one| condition(one, &globals)).collect())))
    };
    let parts = runs.iter().map(part).collect();
    Some(Joint { model: Arc::new(own), parts })
}

/// A flag with the values that it has in some run.
fn of_flag(flag: usize, runs: &[Vec<Component>]) -> Component {
    let of_component = |component: &Component| {
        let place = component.flags.iter().position(|own| *own == flag);
        let values = component.valuations.iter();
        place.map_or_else(Vec::new, |place| values.map(|valuation| valuation[place]).collect())
    };
    let values: BTreeSet<i64> = runs.iter().flatten().flat_map(of_component).collect();
    Component { flags: vec![flag], valuations: values.into_iter().map(|value| vec![value]).collect() }
}

/// Whether the flags of a component have one of its valuations.
fn condition(component: &Component, globals: &[GlobalId]) -> Expr {
    let equal = |(flag, value): (&usize, &i64)| {
        Expr::int(BinOp::Eq, Expr::Load(Place::global(globals[*flag])), Expr::Const(*value))
    };
    let valuation = |values: &Vec<i64>| all(component.flags.iter().zip(values).map(equal).collect());
    let valuations = component.valuations.iter().map(valuation).collect();
    balanced(valuations, &|one, other| Expr::Or(one, other)).unwrap_or(Expr::Const(0))
}

fn all(conditions: Vec<Expr>) -> Expr {
    balanced(conditions, &|one, other| Expr::And(one, other)).unwrap_or(Expr::TRUE)
}

/// Joins expressions as a tree whose depth is the logarithm of their number.
fn balanced(mut parts: Vec<Expr>, join: &dyn Fn(Box<Expr>, Box<Expr>) -> Expr) -> Option<Expr> {
    while parts.len() > 1 {
        let mut rest = parts.into_iter();
        let mut pairs = Vec::new();
        while let Some(one) = rest.next() {
            pairs.push(match rest.next() {
                Some(other) => join(Box::new(one), Box::new(other)),
                None => one,
            });
        }
        parts = pairs;
    }
    parts.pop()
}
