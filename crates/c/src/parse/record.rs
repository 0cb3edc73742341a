//! `struct` and `union` specifiers (C11 6.7.2.1, 6.7.2.3).
//!
//! *Entry point:* [`Parser::record`]; [`Types::lay_out`] computes the layout.

use std::sync::Arc;

use axle_source::Loc;

use super::attribute::Attributes;
use super::parser::{Parsed, Parser};
use crate::grammar::declarations::Declarations;
use crate::grammar::declarators::{Declarators, Naming};
use crate::grammar::specifiers::Specifiers;
use crate::types::{self, Field, Layout, Qual, Type, TypeId};

impl Parser<'_> {
    /// After `struct` or `union`.
    pub(super) fn record(&mut self, union: bool) -> Parsed<TypeId> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = self.name();
        let body = self.is("{");
        let id = match &tag {
            None if !body => return self.expected("a tag or `{`"),
            None => self.tree.types.new_record(None, union),
            Some((name, loc)) => {
                let known = match body || self.is(";") {
                    true => self.scopes.last().and_then(|scope| scope.tags.get(name)).copied(),
                    false => self.lookup_tag(name),
                };
                match known {
                    Some(known) => {
                        let right = matches!(self.tree.types.record(known), Some(r) if r.union == union);
                        if !right {
                            self.report(
                                "E0721",
                                format!("`{name}` declared as a different kind of tag"),
                                *loc,
                            );
                        }
                        if right { known } else { self.tree.types.new_record(Some(name.clone()), union) }
                    }
                    None => {
                        let id = self.tree.types.new_record(Some(name.clone()), union);
                        if let Some(scope) = self.scopes.last_mut() {
                            scope.tags.insert(name.clone(), id);
                        }
                        id
                    }
                }
            }
        };
        if !body {
            return Ok(id);
        }
        let loc = self.loc();
        let is_complete = |p: &Self| p.tree.types.record(id).is_some_and(|record| record.complete);
        let again = is_complete(self);
        if again {
            self.report("E0732", format!("redefinition of `{}`", self.tree.types.show(id)), loc);
        }
        self.next();
        let lengths = std::mem::take(&mut self.lengths);
        let fields = self.deeper(|p| p.fields(union));
        self.lengths = lengths;
        let fields = fields?;
        let mut behind = Attributes::default();
        self.attributes(&mut behind)?;
        // If a type has two alignments, GCC uses the last.
        let align = if behind.align > 0 { behind.align } else { attributes.align };
        attributes = attributes.with(behind);
        attributes.align = align;
        // The first definition is kept: a type redefined inside itself could otherwise contain
        // itself.
        if is_complete(self) {
            if !again {
                let message = format!("nested redefinition of `{}`", self.tree.types.show(id));
                self.report("E0732", message, loc);
            }
            return Ok(id);
        }
        let (packed, least, most) = (attributes.packed, attributes.align, self.packing());
        let odd = |field: &&Field| field.width.is_some() && field.align > 0;
        if let Some(field) = fields.iter().find(odd).filter(|_| most < u64::MAX) {
            let message = "`aligned` of a bit-field inside `#pragma pack` is not supported";
            self.report("E0714", message, field.loc);
        }
        if !self.tree.types.lay_out(id, fields, Layout { packed, least, most }) {
            self.report("E0722", "type too large", loc);
        }
        if attributes.transparent {
            self.tree.types.make_transparent(id);
        }
        Ok(id)
    }

    fn fields(&mut self, union: bool) -> Parsed<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        while !self.is("}") {
            if self.is("end") {
                return self.expected("`}`");
            }
            if self.eat(";") {
                continue;
            }
            if self.is("_Static_assert") {
                self.static_assertion()?;
                continue;
            }
            let start = self.at;
            if self.field(&mut fields).is_err() {
                self.recover();
                if self.at == start {
                    self.next();
                }
            }
        }
        self.next();
        let count = fields.len();
        for (index, field) in fields.iter().enumerate() {
            let flexible = matches!(self.tree.types.get(field.ty.ty), Type::Array(_, None));
            if index + 1 < count && flexible && !union {
                self.report("E0722", "flexible array member is not the last member", field.loc);
            }
        }
        let mut seen: Vec<(Arc<str>, Loc)> = Vec::new();
        for field in &fields {
            let Some(name) = &field.name else { continue };
            if seen.iter().any(|(other, _)| other == name) {
                self.report("E0732", format!("duplicate member `{name}`"), field.loc);
            }
            if seen.len() < 200 {
                seen.push((name.clone(), field.loc));
            }
        }
        Ok(fields)
    }

    fn field(&mut self, fields: &mut Vec<Field>) -> Parsed<()> {
        let specs = self.specifiers(Attributes::default(), false)?;
        if self.is(";") {
            // An anonymous record, or a declaration that declares nothing.
            let anonymous = matches!(self.tree.types.record(specs.ty.ty), Some(r) if r.tag.is_none());
            if anonymous {
                let align = self.named_align(&specs, specs.ty.ty);
                fields.push(self.new_field(None, specs.ty, specs.attributes, align, None));
            }
            self.next();
            return Ok(());
        }
        loop {
            let mut attributes = specs.attributes;
            let (name, mut ty, loc) = if self.is(":") {
                (None, specs.ty, self.loc())
            } else {
                let d = self.declarator(&specs, Naming::Required)?;
                attributes = attributes.with(d.attributes);
                match d.name {
                    Some((name, loc)) => (Some(name), d.ty, loc),
                    None => return self.expected("a member name"),
                }
            };
            let width = match self.eat(":") {
                false => None,
                true => {
                    let value = self.constant_integer()?;
                    Some(self.check_width(value, ty, name.is_some(), loc))
                }
            };
            let mut behind = Attributes::default();
            self.attributes(&mut behind)?;
            ty = self.with_mode(ty, &behind);
            attributes = attributes.with(behind);
            let function = matches!(self.tree.types.get(ty.ty), Type::Function(_));
            let flexible = matches!(self.tree.types.get(ty.ty), Type::Array(_, None));
            if self.tree.types.has_long(ty.ty) {
                self.report("E0711", "member array length is not constant", loc);
            } else if function || (!flexible && self.tree.types.size(ty.ty).is_none()) || ty.ty == types::VOID
            {
                let message = format!("member has invalid type `{}`", self.tree.types.show(ty.ty));
                self.report("E0722", message, loc);
            } else {
                let align = self.named_align(&specs, ty.ty);
                let mut field = self.new_field(name, ty, attributes, align, width);
                field.loc = loc;
                fields.push(field);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")
    }

    fn new_field(
        &self,
        name: Option<Arc<str>>,
        ty: Qual,
        attributes: Attributes,
        natural: u64,
        width: Option<u32>,
    ) -> Field {
        Field {
            name,
            ty,
            width,
            align: attributes.align,
            natural,
            packed: attributes.packed,
            offset: 0,
            bits: None,
            loc: self.last(),
        }
    }

    fn check_width(&mut self, value: i64, ty: Qual, named: bool, loc: Loc) -> u32 {
        if !self.tree.types.is_integer(ty.ty) {
            self.report("E0706", "bit-field has non-integer type", loc);
            return 1;
        }
        if self.refuse_wide(ty.ty, "a bit-field", loc) {
            return 1;
        }
        let most = match self.tree.types.get(ty.ty) {
            Type::Bool => 1,
            _ => 8 * self.tree.types.size(ty.ty).unwrap_or(4) as i64,
        };
        if value < 0 || value > most.min(64) || (value == 0 && named) {
            self.report("E0706", format!("invalid bit-field width: this type allows 1 to {most} bits"), loc);
            return 1;
        }
        value as u32
    }
}
