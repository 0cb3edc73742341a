//! The members of structures and the constants of enumerations, for declarations of the model.
//!
//! *Entry points:* [`Reader::note_tagged`], [`Unit::record`], [`Unit::base_of`].

use std::sync::Arc;

use axle_c::grammar::Expressions;
use axle_c::grammar::declarations::Declarations;
use axle_source::{Diagnostics, Token};
use rustc_hash::FxHashMap;

use super::{Parsed, Reader, Unit};
use crate::evaluate::value_of;
use crate::syntax::{Decl, Declared, Expr, Function, Kind};

/// Names of types that denote other types, one after the other, before a cycle is assumed.
const ALIASES: usize = 50;

/// The types of a program that tables and models speak of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    /// The members of structures, by `struct TAG` or by the text of a structure without a tag. Of
    /// members with a bit-field nothing is known.
    records: FxHashMap<String, Vec<Decl>>,
    /// The type that a typedef name stands for, where it is no pointer, array or function.
    aliases: FxHashMap<Arc<str>, Arc<str>>,
    /// Enumeration constants with their values, as far as these are known.
    pub constants: Vec<(Arc<str>, Option<i64>)>,
    /// Whether objects of different types can be in one place.
    pub has_unions: bool,
}

impl Types {
    pub(super) fn add(&mut self, other: Types) {
        self.records.extend(other.records);
        self.aliases.extend(other.aliases);
        self.constants.extend(other.constants);
        self.has_unions |= other.has_unions;
    }

    pub(super) fn name(&mut self, name: &Arc<str>, base: &str) {
        self.aliases.insert(name.clone(), base.into());
    }

    /// The type of a declaration with typedef names replaced.
    pub fn resolve<'t>(&'t self, base: &'t str) -> &'t str {
        let mut base = base;
        for _ in 0..ALIASES {
            match self.aliases.get(base) {
                Some(other) => base = other,
                None => break,
            }
        }
        base
    }

    /// The value of an enumeration constant.
    pub fn constant(&self, name: &str) -> Option<i64> {
        self.constants.iter().rev().find(|(known, _)| &**known == name)?.1
    }

    /// The members of a structure type.
    pub fn record(&self, base: &str) -> Option<&[Decl]> {
        self.record_entry(base).map(|(_, members)| members)
    }

    /// The key and the members of a structure type.
    pub fn record_entry(&self, base: &str) -> Option<(&str, &[Decl])> {
        self.records.get_key_value(key(self.resolve(base))).map(|(key, members)| (&**key, &**members))
    }

    /// The identity of a type: typedef names replaced, the body of a structure with a tag left out.
    pub fn key<'t>(&'t self, base: &'t str) -> &'t str {
        key(self.resolve(base))
    }
}

/// The identity of a structure: its tag, or else its text.
fn key(base: &str) -> &str {
    match base.split_once('{') {
        Some((head, _)) if head.contains(' ') => head,
        _ => base,
    }
}

impl Unit {
    /// The declaration of a name in a function, or else outside of functions.
    pub(crate) fn declaration<'u>(
        &'u self,
        name: &str,
        function: &'u Function,
    ) -> Option<(&'u Decl, &'u Declared)> {
        let mut found: Option<(&Decl, &Declared)> = None;
        let mut look = |decl: &'u Decl| {
            let own = decl.declared.iter().find(|one| &*one.name == name);
            found = found.or(own.map(|one| (decl, one)));
        };
        function.params.iter().for_each(|param| look(&param.decl));
        function.body.iter().for_each(|stmt| stmt.declarations(&mut look));
        self.globals.iter().for_each(look);
        found
    }

    /// The type before the declarator of an object, or of the target of a pointer or array.
    pub(crate) fn base_of<'u>(&'u self, expr: &Expr, function: &'u Function) -> Option<&'u str> {
        match &expr.kind {
            Kind::Name(name) => self.declaration(name, function).map(|(decl, _)| &*decl.base),
            Kind::Index(object, _) | Kind::Prefix("*" | "&", object) => self.base_of(object, function),
            Kind::Member(object, _, member) => {
                let members = self.tags.record(self.base_of(object, function)?)?;
                let own = members.iter().find(|decl| decl.declared.iter().any(|one| one.name == *member));
                own.map(|decl| &*decl.base)
            }
            _ => None,
        }
    }
}

impl Reader<'_> {
    /// Notes the members or constants of a type that is written with its body.
    pub(super) fn note_tagged(&mut self, text: &str, body: &[Token]) {
        let Some(inner) = body.get(1..body.len().saturating_sub(1)) else { return };
        let end = self.tokens.last().cloned();
        let tokens: Vec<Token> = inner.iter().cloned().chain(end).collect();
        // Errors in it are found when programs are compiled; here it is of use as far as it is read.
        let mut ignored = Diagnostics::new();
        let mut inside = Reader::new(&tokens, self.sources, &mut ignored, &Default::default());
        inside.scopes.clone_from(&self.scopes);
        if text.starts_with("enum") {
            let known = self.unit.tags.constants.clone();
            let constants = inside.enumerators(known).unwrap_or_default();
            self.unit.tags.constants.extend(constants);
        } else if text.starts_with("struct") {
            let members = inside.members();
            let tags = std::mem::take(&mut inside.unit.tags);
            self.unit.tags.add(tags);
            self.unit.tags.records.insert(key(text).to_string(), members);
        } else {
            self.unit.tags.has_unions = true;
        }
    }

    fn members(&mut self) -> Vec<Decl> {
        let mut members = Vec::new();
        while !self.is("end") {
            let before = self.at;
            let mut declared = Vec::new();
            match self.declaration((), &mut declared) {
                Ok(Some(specs)) if !declared.is_empty() => members.push(self.decl_of(&specs, declared)),
                Ok(_) => {}
                Err(_) => self.recover(),
            }
            if self.at == before {
                self.next();
            }
        }
        members
    }

    fn enumerators(&mut self, known: Vec<(Arc<str>, Option<i64>)>) -> Parsed<Vec<(Arc<str>, Option<i64>)>> {
        let (mut found, mut next) = (Vec::new(), Some(0));
        while let Some(name) = self.name() {
            if self.eat("=") {
                let value = self.conditional()?;
                let named = |name: &str| {
                    let mut before = found.iter().rev().chain(known.iter().rev());
                    before.find(|(known, _): &&(Arc<str>, _)| &**known == name)?.1
                };
                next = value_of(&value, &named);
            }
            found.push((name, next));
            next = next.and_then(|value| i64::checked_add(value, 1));
            if !self.eat(",") {
                break;
            }
        }
        Ok(found)
    }
}
