//! The names of the variables of a relation: those of the model, with the number of the process.
//!
//! *Entry point:* [`names`].
//! *Invariant:* names are unique and contain no spaces.

use axle_model::{Model, Type};
use axle_relation::{Part, Relation};
use rustc_hash::FxHashSet;

/// The names of all variables in their order.
#[must_use]
pub fn names(model: &Model, relation: &Relation) -> Vec<String> {
    let mut used = FxHashSet::default();
    let variables = relation.variables.list().iter();
    variables.map(|variable| unique(&mut used, name(model, relation, &variable.part))).collect()
}

/// A name that is not used yet.
pub(super) fn unique(used: &mut FxHashSet<String>, name: String) -> String {
    let name: String =
        name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    let mut candidate = name.clone();
    let mut number = 1;
    while !used.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{name}~{number}");
    }
    candidate
}

fn name(model: &Model, relation: &Relation, part: &Part) -> String {
    match part {
        Part::Global(id, at) => {
            let global = &model.globals[id.index()];
            scalar(model, &global.name, &global.ty, *at)
        }
        Part::Count => "_nr_pr".to_owned(),
        Part::LastPid => "_last".to_owned(),
        Part::Control => "_control".to_owned(),
        Part::Deterministic => "_deterministic".to_owned(),
        Part::Type(slot) => format!("{slot}:_type"),
        Part::Location(slot) => format!("{slot}:_location"),
        Part::Priority(slot) => format!("{slot}:_priority"),
        Part::Local(slot, of, id, at) => {
            let process = model.process(*of);
            let local = &process.locals[id.index()];
            format!("{slot}:{}:{}", process.name, scalar(model, &local.name, &local.ty, *at))
        }
        Part::Length(id) => format!("len({})", channel(model, relation, id.0)),
        Part::Message(id, position, field) => {
            format!("{}[{position}].{field}", channel(model, relation, id.0))
        }
    }
}

fn channel(model: &Model, relation: &Relation, id: u32) -> String {
    let channels = &relation.variables.channels;
    match channels[id as usize].owner {
        None => model.channels[id as usize].name.clone(),
        Some((slot, of)) => {
            let owner = Some((slot, of));
            let position = channels[..id as usize].iter().filter(|other| other.owner == owner).count();
            let process = model.process(of);
            format!("{slot}:{}:{}", process.name, process.channels[position].name)
        }
    }
}

/// The name of a scalar of a variable, by its position.
fn scalar(model: &Model, name: &str, ty: &Type, at: u32) -> String {
    match ty {
        Type::Int(..) | Type::Chan => name.to_owned(),
        Type::Array(of, _) => {
            let stride = size(model, of).max(1);
            scalar(model, &format!("{name}[{}]", at / stride), of, at % stride)
        }
        Type::Record(id) => {
            let mut rest = at;
            for field in &model.records[id.index()].fields {
                let own = size(model, &field.ty);
                if rest < own {
                    return scalar(model, &format!("{name}.{}", field.name), &field.ty, rest);
                }
                rest -= own;
            }
            format!("{name}.{at}")
        }
    }
}

fn size(model: &Model, ty: &Type) -> u32 {
    match ty {
        Type::Int(..) | Type::Chan => 1,
        Type::Record(id) => model.records[id.index()].fields.iter().map(|field| size(model, &field.ty)).sum(),
        Type::Array(of, len) => len * size(model, of),
    }
}
