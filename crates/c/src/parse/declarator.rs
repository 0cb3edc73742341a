//! Typed declarators and type names (C11 6.7.6, 6.7.7): the types that are computed while the grammar
//! reads a declarator (`grammar/declarators.rs`). The derivation that binds tightest is applied last.
//!
//! *Entry points:* [`Declarators::declarator`], [`Declarators::type_name`].

use axle_source::{Diagnostic, Loc};

use super::attribute::Attributes;
use super::constant::{Constant, evaluate};
use super::lengths::Lengths;
use super::parser::{Entity, Parsed, Parser};
use super::specifiers::{Mark, Specs, qualifiers};
use crate::grammar::Expressions;
use crate::grammar::declarators::{ArrayLength, Declarators, Parameters};
use crate::grammar::specifiers::Name;
use crate::tree::Expr;
use crate::types::{self, FnType, Qual, Quals, Type, TypeId};

/// A parameter of a function declarator.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub name: Option<Name>,
    pub ty: Qual,
    /// The token positions of its specifiers and declarator, if its lengths are not constant. They
    /// are parsed again at the begin of the function.
    pub again: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) enum Derive {
    Pointer(Quals),
    Array(Option<u64>, Quals),
    Long(u32, Quals),
    Function(Parameters<Param>),
}

#[derive(Clone, Debug)]
pub(super) struct Declarator {
    pub name: Option<Name>,
    pub ty: Qual,
    /// The parameters of the declared function.
    pub parameters: Parameters<Param>,
    pub attributes: Attributes,
    /// The token position.
    pub start: usize,
    /// Some of its lengths are not constant, and no definition has used them yet.
    pub unspecified: bool,
}

/// The length of an array.
pub(super) struct Length {
    value: Expr,
    /// Its computation may have side effects.
    does: bool,
    loc: Loc,
}

impl Declarators for Parser<'_> {
    type Length = Length;
    type Derivation = Derive;
    type Parameter = Param;
    type Declarator = Declarator;

    fn read_length(&mut self) -> Parsed<Length> {
        let (loc, start) = (self.loc(), self.at);
        // The length expression itself contributes no lengths.
        let lengths = std::mem::take(&mut self.lengths);
        let value = self.assignment();
        self.lengths = lengths;
        let value = value?;
        let value = self.rvalue(value);
        let loc = self.sources.join(loc, value.loc);
        Ok(Length { value, does: self.does_something(start), loc })
    }

    fn in_prototype<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter();
        let result = self.with_lengths(Lengths::Unspecified, part);
        self.leave();
        result.map(|(result, _)| result)
    }

    fn make_pointer(
        &mut self,
        words: &[&'static str],
        own: Option<(Attributes, Loc)>,
        declarator: &mut Attributes,
    ) -> Derive {
        if let Some((own, loc)) = own {
            if own.align > 0 {
                self.report("E0714", "alignment of a pointer is not supported here", loc);
            }
            *declarator = declarator.with(own);
        }
        Derive::Pointer(qualifiers(words))
    }

    fn make_array(
        &mut self,
        _: Mark,
        words: &[&'static str],
        length: ArrayLength<Length>,
        outermost: bool,
    ) -> Parsed<Derive> {
        let quals = qualifiers(words);
        let Length { value, does, loc } = match length {
            ArrayLength::Missing => return Ok(Derive::Array(None, quals)),
            ArrayLength::Unspecified(loc) if !matches!(self.lengths, Lengths::Unspecified) => {
                let message = "`[*]` outside a function prototype";
                return self.error(Diagnostic::error("E0733", message).at(loc, ""));
            }
            ArrayLength::Unspecified(_) => return self.unspecified_length(outermost, quals),
            ArrayLength::Given(length) => length,
        };
        if value.ty.ty == types::ERROR {
            // A parameter as a length.
            return self.unspecified_length(outermost, quals);
        }
        if !self.tree.types.is_integer(value.ty.ty) {
            return self.error(Diagnostic::error("E0723", "array length is not an integer").at(loc, ""));
        }
        match evaluate(self.tree, &value) {
            Some(Constant::Int(length)) => {
                if self.tree.types.is_signed(value.ty.ty) && (length as i64) < 0 {
                    return self.error(Diagnostic::error("E0733", "array length is negative").at(loc, ""));
                }
                Ok(Derive::Array(Some(length), quals))
            }
            _ => self.variable_length(value, (outermost, does), quals, loc),
        }
    }

    fn make_function(&mut self, _: Mark, parameters: Parameters<Param>) -> Derive {
        Derive::Function(parameters)
    }

    fn make_declarator(
        &mut self,
        specs: &Specs,
        start: Mark,
        name: Option<Name>,
        derive: Vec<Derive>,
        attributes: Attributes,
    ) -> Parsed<Declarator> {
        self.lengths.reverse_from(start.lengths);
        if derive.len() > 60 {
            let loc = self.last();
            return self.error(Diagnostic::error("E0702", "type nesting too deep").at(loc, ""));
        }
        let loc = name.as_ref().map_or(self.last(), |(_, loc)| *loc);
        let parameters = match derive.first() {
            Some(Derive::Function(parameters)) => parameters.clone(),
            _ => Parameters::default(),
        };
        let mut ty = specs.ty;
        for part in derive.into_iter().rev() {
            ty = self.apply(part, ty, loc)?;
        }
        ty = self.with_mode(ty, &attributes);
        let unspecified = self.unspecified != start.unspecified;
        Ok(Declarator { name, ty, parameters, attributes, start: start.at, unspecified })
    }

    fn make_type(&mut self, specs: &Specs, d: Declarator) -> Parsed<Qual> {
        if let Some((_, loc)) = d.name {
            self.report("E0701", "expected a type name without an identifier", loc);
        }
        self.asked_align = self.named_align(specs, d.ty.ty);
        Ok(d.ty)
    }

    fn make_parameter(&mut self, specs: &Specs, d: Declarator) -> Parsed<Param> {
        let param = self.parameter(specs, d);
        if param.ty.ty == types::VOID {
            let loc = self.last();
            self.report("E0722", "parameter has type `void`", loc);
        }
        if let Some((name, loc)) = &param.name {
            if self.scopes.last().is_some_and(|scope| scope.names.contains_key(name)) {
                self.report("E0732", format!("duplicate parameter `{name}`"), *loc);
            }
            self.declare(name.clone(), Entity::Param, *loc);
        }
        Ok(param)
    }
}

impl Parser<'_> {
    /// A parameter with this declarator.
    pub(super) fn parameter(&mut self, specs: &Specs, d: Declarator) -> Param {
        let again = (specs.unspecified || d.unspecified).then_some((specs.start, d.start));
        Param { ty: self.adjust(d.ty), name: d.name, again }
    }

    /// The alignment that a typedef name in the specifiers adds to the declared type: 0 for
    /// pointers and functions.
    pub(super) fn named_align(&self, specs: &Specs, mut ty: TypeId) -> u64 {
        while let Some(element) = self.tree.types.element(ty)
            && ty != specs.ty.ty
        {
            ty = element.ty;
        }
        if ty == specs.ty.ty { specs.align } else { 0 }
    }

    fn apply(&mut self, part: Derive, ty: Qual, loc: Loc) -> Parsed<Qual> {
        let shown = |p: &Self| p.tree.types.show(ty.ty);
        Ok(match part {
            Derive::Pointer(quals) => Qual { ty: self.tree.types.pointer(ty), quals },
            Derive::Array(..) | Derive::Long(..) => {
                let (length, keeper, quals) = match part {
                    Derive::Array(length, quals) => (length, None, quals),
                    Derive::Long(keeper, quals) => (None, Some(keeper), quals),
                    _ => (None, None, Quals::default()),
                };
                let element = self.tree.types.get(ty.ty);
                let sized = self.tree.types.size(ty.ty).is_some() || self.tree.types.is_long(ty.ty);
                if matches!(element, Type::Function(_) | Type::Void) || !sized {
                    let message = format!("invalid array of `{}`", shown(self));
                    return self.error(Diagnostic::error("E0733", message).at(loc, ""));
                }
                let made = keeper.map_or(Type::Array(ty, length), |keeper| Type::Long(ty, keeper));
                let id = self.tree.types.intern(made);
                let sized = self.tree.types.size(id).is_some() || self.tree.types.is_long(id);
                if length.is_some() && !sized {
                    return self.error(Diagnostic::error("E0722", "array too large").at(loc, ""));
                }
                Qual { ty: id, quals }
            }
            Derive::Function(Parameters { list, variadic, prototype, .. }) => {
                if matches!(self.tree.types.get(ty.ty), Type::Function(_) | Type::Array(..) | Type::Long(..))
                {
                    let message = format!("invalid function return type `{}`", shown(self));
                    return self.error(Diagnostic::error("E0733", message).at(loc, ""));
                }
                let params = list.iter().map(|param| Qual::plain(param.ty.ty)).collect();
                let ret = Qual::plain(ty.ty);
                Qual::plain(self.tree.types.intern(Type::Function(FnType {
                    ret,
                    params,
                    variadic,
                    unprototyped: !prototype,
                })))
            }
        })
    }

    /// Adjusts the type of a parameter: arrays and functions become pointers (6.7.6.3p7).
    pub(super) fn adjust(&mut self, ty: Qual) -> Qual {
        match *self.tree.types.get(ty.ty) {
            Type::Array(element, _) | Type::Long(element, _) => {
                Qual { ty: self.tree.types.pointer(element), quals: ty.quals }
            }
            Type::Function(_) => Qual::plain(self.tree.types.pointer(ty)),
            _ => ty,
        }
    }
}
