//! Compatible types.
//!
//! Types of one translation unit are compatible when they are the same type, up to missing array
//! lengths and prototypes. Records and enumerations of different translation units are compared by
//! structure: tag, members with their names, types, order and bit-field widths, and values of
//! constants.
//!
//! *Entry points:* [`Types::compatible`], [`Types::alike`].
//! *Source:* C11 6.2.7, 6.7.2.2p4, 6.7.3p10, 6.7.6.1p2, 6.7.6.2p6, 6.7.6.3p15.
//! *Invariant:* a pair of records is compared once per query and assumed to be compatible
//! meanwhile. Every condition is a conjunction, so recursive types need no backtracking, and a
//! worklist bounds the stack.

use rustc_hash::FxHashSet;

use super::{ERROR, Enumeration, Field, Qual, Quals, Record, Type, TypeId, Types};

/// Pairs that remain to be compared, each with the qualifiers that count in pointed-to and element
/// types.
struct Worklist {
    pairs: Vec<(TypeId, TypeId, Quals)>,
    records: FxHashSet<(u32, u32)>,
}

impl Worklist {
    fn add(&mut self, a: Qual, b: Qual, counted: Quals) -> bool {
        self.pairs.push((a.ty, b.ty, counted));
        a.quals.0 & counted.0 == b.quals.0 & counted.0
    }
}

impl Types {
    /// Whether two types are compatible. The qualifiers `const`, `volatile` and `restrict` of
    /// pointed-to types are ignored, as most compilers ignore them between translation units.
    #[must_use]
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        self.agree(a, b, Quals::ATOMIC)
    }

    /// As [`Types::compatible`], but all qualifiers of pointed-to types count.
    #[must_use]
    pub fn alike(&self, a: TypeId, b: TypeId) -> bool {
        self.agree(a, b, Quals::ALL)
    }

    fn agree(&self, a: TypeId, b: TypeId, counted: Quals) -> bool {
        if a == b {
            return true;
        }
        let mut rest = Worklist { pairs: vec![(a, b, counted)], records: FxHashSet::default() };
        while let Some((a, b, counted)) = rest.pairs.pop() {
            if a != b && a != ERROR && b != ERROR && !self.agree_at_top(a, b, counted, &mut rest) {
                return false;
            }
        }
        true
    }

    /// Compares the outermost level of two different types; their component types go to the
    /// worklist.
    fn agree_at_top(&self, a: TypeId, b: TypeId, counted: Quals, rest: &mut Worklist) -> bool {
        match (self.get(a), self.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => rest.add(*x, *y, counted),
            (Type::Array(x, n), Type::Array(y, m)) => {
                (n.is_none() || m.is_none() || n == m) && rest.add(*x, *y, counted)
            }
            // Equality of the lengths is undefined behaviour at run time, not a constraint.
            (Type::Long(x, _), Type::Array(y, _) | Type::Long(y, _))
            | (Type::Array(x, _), Type::Long(y, _)) => rest.add(*x, *y, counted),
            (Type::Function(x), Type::Function(y)) => {
                let same_shape = x.variadic == y.variadic && x.params.len() == y.params.len();
                rest.add(x.ret, y.ret, counted)
                    && (x.unprototyped
                        || y.unprototyped
                        || (same_shape
                            && x.params.iter().zip(&y.params).all(|(p, q)| rest.add(*p, *q, counted))))
            }
            (Type::Enum(_), Type::Int(_)) | (Type::Int(_), Type::Enum(_)) => {
                self.int_kind(a) == self.int_kind(b)
            }
            (Type::Enum(x), Type::Enum(y)) => {
                enumerations_agree(&self.enums[*x as usize], &self.enums[*y as usize])
            }
            (Type::Record(x), Type::Record(y)) => {
                !rest.records.insert((*x, *y))
                    || records_agree(&self.records[*x as usize], &self.records[*y as usize], rest)
            }
            _ => false,
        }
    }
}

fn enumerations_agree(x: &Enumeration, y: &Enumeration) -> bool {
    x.unit != y.unit
        && x.tag == y.tag
        && (!x.complete || !y.complete || (x.repr == y.repr && x.constants == y.constants))
}

/// Compares two different records except for the types of their members, which go to the worklist.
fn records_agree(x: &Record, y: &Record, rest: &mut Worklist) -> bool {
    if x.unit == y.unit || x.tag != y.tag || x.union != y.union {
        return false;
    }
    if !x.complete || !y.complete {
        return true;
    }
    let whole = |record: &Record| (record.fields.len(), record.size, record.align, record.transparent);
    whole(x) == whole(y) && paired(x, y).all(|(a, b)| b.is_some_and(|b| fields_agree(a, b, rest)))
}

/// The members of `x` with the corresponding members of `y`: by position in a structure, by name in
/// a union.
fn paired<'a>(x: &'a Record, y: &'a Record) -> impl Iterator<Item = (&'a Field, Option<&'a Field>)> {
    let union = x.union && x.fields.iter().all(|field| field.name.is_some());
    x.fields.iter().enumerate().map(move |(index, field)| {
        let other = match union {
            true => y.fields.iter().find(|other| other.name == field.name),
            false => y.fields.get(index),
        };
        (field, other)
    })
}

fn fields_agree(a: &Field, b: &Field, rest: &mut Worklist) -> bool {
    let place = |field: &Field| (field.offset, field.width, field.bits);
    a.name == b.name && place(a) == place(b) && a.ty.quals == b.ty.quals && rest.add(a.ty, b.ty, Quals::ALL)
}

#[cfg(test)]
mod tests {
    use super::super::{DataModel, INT, Layout};
    use super::*;
    use axle_source::{Loc, Sources, Span};

    fn field(name: &str, ty: TypeId) -> Field {
        let file = Sources::new().add("a.c", "");
        Field {
            name: Some(name.into()),
            ty: Qual::plain(ty),
            width: None,
            align: 0,
            natural: 0,
            packed: false,
            offset: 0,
            bits: None,
            loc: Loc::plain(Span::new(file, 0, 0)),
        }
    }

    /// A long chain of structures, each with a pointer to the next; the last refers to the first.
    fn chain(types: &mut Types, unit: u32, length: usize, last: &str) -> TypeId {
        types.unit = unit;
        let records: Vec<TypeId> = (0..length).map(|_| types.new_record(Some("s".into()), false)).collect();
        for (index, &record) in records.iter().enumerate() {
            let next = types.pointer(Qual::plain(records[(index + 1) % length]));
            let name = if index + 1 == length { last } else { "value" };
            types.lay_out(record, vec![field("next", next), field(name, INT)], Layout::default());
        }
        records[0]
    }

    #[test]
    fn long_recursive_chains_are_compared_without_recursion() {
        let mut types = Types::new(DataModel::Lp64);
        let a = chain(&mut types, 1, 100_000, "value");
        let b = chain(&mut types, 2, 100_000, "value");
        let c = chain(&mut types, 3, 100_000, "other");
        assert!(types.compatible(a, b), "the structures are equal");
        assert!(!types.compatible(a, c), "a member at the end of the chain differs");
    }
}
