//! Types as named in the source, turned into the model's, and taken apart into scalars.
//!
//! *Entry points:* [`integer`], [`leaves`].
//! *Invariant:* a `pid` is a byte, a `bool` is a bit: only the way they are shown differs.

use axle_model::{Expr, IntType, Model, Place, Shown, Step, Type};

use crate::ast::TypeKind;

/// The model's type of a built-in integer type (`mtype`, channels and records are not).
pub(crate) fn integer(kind: &TypeKind) -> Option<Type> {
    Some(match kind {
        TypeKind::Bit => Type::Int(IntType::BIT, Shown::Number),
        TypeKind::Bool => Type::Int(IntType::BIT, Shown::Bool),
        TypeKind::Byte => Type::Int(IntType::BYTE, Shown::Number),
        TypeKind::Pid => Type::Int(IntType::BYTE, Shown::Pid),
        TypeKind::Short => Type::Int(IntType::SHORT, Shown::Number),
        TypeKind::Int => Type::Int(IntType::I32, Shown::Number),
        TypeKind::Unsigned | TypeKind::Chan | TypeKind::Mtype(_) | TypeKind::Named(_) => return None,
        TypeKind::Refused => return None,
    })
}

/// A type as a user would write it.
pub(crate) fn describe(model: &Model, ty: &Type) -> String {
    match ty {
        Type::Int(_, Shown::Bool) => "bool".into(),
        Type::Int(_, Shown::Pid) => "pid".into(),
        Type::Int(_, Shown::Names(set)) => {
            let name = &model.name_sets[set.index()].name;
            if name == "mtype" { name.clone() } else { format!("mtype:{name}") }
        }
        Type::Int(IntType::BIT, _) => "bit".into(),
        Type::Int(IntType::BYTE, _) => "byte".into(),
        Type::Int(IntType::SHORT, _) => "short".into(),
        Type::Int(IntType::I32, _) => "int".into(),
        Type::Int(int, _) => format!("unsigned : {}", int.bits),
        Type::Chan => "chan".into(),
        Type::Record(id) => model.records[id.index()].name.clone(),
        Type::Array(elem, len) => format!("{}[{len}]", describe(model, elem)),
    }
}

/// All scalars inside a place of a type, in order: fields by declaration, elements by index.
pub(crate) fn leaves(model: &Model, place: &Place, ty: &Type) -> Vec<(Place, Type)> {
    let mut all = Vec::new();
    collect(model, place.clone(), ty, &mut all);
    all
}

fn collect(model: &Model, place: Place, ty: &Type, all: &mut Vec<(Place, Type)>) {
    let inside = |step: Step| {
        let mut path = place.path.clone();
        path.push(step);
        Place { base: place.base.clone(), path }
    };
    match ty {
        Type::Int(..) | Type::Chan => all.push((place, ty.clone())),
        Type::Record(id) => {
            for (index, field) in model.records[id.index()].fields.iter().enumerate() {
                collect(model, inside(Step::Field(index as u32)), &field.ty, all);
            }
        }
        Type::Array(elem, len) => {
            for index in 0..*len {
                collect(model, inside(Step::Index(Box::new(Expr::Const(i64::from(index))))), elem, all);
            }
        }
    }
}

/// Facts about a record, computed once.
#[derive(Clone, Default, Debug)]
pub(crate) struct RecordFacts {
    /// How many scalars it holds.
    pub scalars: u64,
    /// Whether an array stands anywhere inside.
    pub arrays: bool,
    /// Fields whose declarations have an error.
    pub refused: Vec<String>,
}

/// How many scalars a type holds.
pub(crate) fn scalar_count(facts: &[RecordFacts], ty: &Type) -> u64 {
    match ty {
        Type::Int(..) | Type::Chan => 1,
        Type::Record(id) => facts[id.index()].scalars,
        Type::Array(elem, len) => scalar_count(facts, elem).saturating_mul(u64::from(*len)),
    }
}

/// Whether an array stands anywhere inside.
pub(crate) fn holds_array(facts: &[RecordFacts], ty: &Type) -> bool {
    match ty {
        Type::Int(..) | Type::Chan => false,
        Type::Record(id) => facts[id.index()].arrays,
        Type::Array(..) => true,
    }
}
