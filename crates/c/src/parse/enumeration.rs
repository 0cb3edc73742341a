//! `enum` specifiers (C11 6.7.2.2), with GCC's types for values that do not fit in `int`.
//!
//! *Entry point:* [`Parser::enumeration`].

use super::attribute::Attributes;
use super::parser::{Entity, Parsed, Parser};
use crate::types::{self, IntKind, Qual, Type, TypeId};

impl Parser<'_> {
    /// After `enum`.
    pub(super) fn enumeration(&mut self) -> Parsed<TypeId> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = self.name();
        let body = self.is("{");
        let known = tag.as_ref().and_then(|(name, _)| match body {
            true => self.scopes.last().and_then(|scope| scope.tags.get(name)).copied(),
            false => self.lookup_tag(name),
        });
        let id = match (known, &tag) {
            (Some(known), _) if matches!(self.tree.types.get(known), Type::Enum(_)) => known,
            (_, None) if !body => return self.expected("a tag or `{`"),
            (_, tag) => {
                let id = self.tree.types.new_enum(tag.as_ref().map(|(name, _)| name.clone()));
                if let (Some((name, _)), Some(scope)) = (tag, self.scopes.last_mut()) {
                    scope.tags.insert(name.clone(), id);
                }
                id
            }
        };
        if !body {
            return Ok(id);
        }
        self.next();
        // Values are computed exactly, independent of their types.
        let (mut next, mut least, mut most, mut wide) = (0i128, 0i128, 0i128, Vec::new());
        let mut constants = Vec::new();
        let mut ty = types::INT;
        while !self.is("}") {
            let Some((name, loc)) = self.name() else { return self.expected("a name") };
            self.attributes(&mut attributes)?;
            if self.eat("=") {
                let (value, of) = self.typed_constant()?;
                next = if self.tree.types.is_signed(of) { i128::from(value as i64) } else { value.into() };
                ty = of;
            }
            if let Some(value) = self.bound(&name, loc, || next.to_string()) {
                (next, ty) = (value.into(), types::INT);
            }
            (least, most) = (least.min(next), most.max(next));
            if i32::try_from(next).is_ok() {
                ty = types::INT;
            } else {
                ty = if self.tree.types.size(ty) == Some(8) { ty } else { self.wide_type(next, next) };
                wide.push((name.clone(), next as u64));
            }
            if self.scopes.last().is_some_and(|scope| scope.names.contains_key(&name)) {
                self.report("E0732", format!("redeclaration of `{name}`"), loc);
            }
            self.declare(name.clone(), Entity::Constant(next as u64, ty), loc);
            constants.push((name, next));
            next += 1;
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        self.attributes(&mut attributes)?;
        // Rejects a `mode` attribute.
        self.with_mode(Qual::plain(types::VOID), &attributes);
        if let Type::Enum(which) = *self.tree.types.get(id) {
            let wide_type = self.wide_type(least, most);
            let whole = self.tree.types.int_kind(wide_type).unwrap_or(IntKind::Int);
            let (byte, short) = (least >= -128 && most <= 127, least >= -32768 && most <= 32767);
            let entry = &mut self.tree.types.enums[which as usize];
            entry.complete = true;
            constants.sort_unstable();
            entry.constants = constants;
            entry.repr = match (least < 0, attributes.packed) {
                (true, true) if byte => IntKind::SChar,
                (true, true) if short => IntKind::Short,
                (false, true) if most <= 255 => IntKind::UChar,
                (false, true) if most <= 65535 => IntKind::UShort,
                _ => whole,
            };
            // A constant that does not fit in `int` gets the type of the enumeration.
            for (name, value) in wide {
                if let Some(scope) = self.scopes.last_mut()
                    && let Some((entity, _)) = scope.names.get_mut(&name)
                {
                    *entity = Entity::Constant(value, wide_type);
                }
            }
        }
        Ok(id)
    }

    /// The type of an enumeration with these values.
    fn wide_type(&self, least: i128, most: i128) -> TypeId {
        let long = self.tree.types.size(types::LONG) == Some(8);
        match (least < 0, long) {
            (true, _) if least >= i32::MIN.into() && most <= i32::MAX.into() => types::INT,
            (false, _) if most <= u32::MAX.into() => types::UINT,
            (true, true) => types::LONG,
            (true, false) => types::LLONG,
            (false, true) => types::ULONG,
            (false, false) => types::ULLONG,
        }
    }
}
