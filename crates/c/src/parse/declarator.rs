//! Declarators and type names (C11 6.7.6, 6.7.7). A declarator is parsed inside out: the derivation
//! that binds tightest is applied last.
//!
//! *Entry point:* [`Parser::declarator`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc};

use super::attribute::Attributes;
use super::constant::{Constant, evaluate};
use super::declaration::{Specs, qualifier};
use super::lengths::Lengths;
use super::parser::{Entity, Parsed, Parser};
use crate::grammar::Expressions;
use crate::grammar::words::is_type_word;
use crate::types::{self, FnType, Qual, Quals, Type, TypeId};

/// A parameter of a function declarator.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub name: Option<(Arc<str>, Loc)>,
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
    Function { params: Vec<Param>, variadic: bool, unprototyped: bool, names: Vec<(Arc<str>, Loc)> },
}

#[derive(Clone, Debug)]
pub(super) struct Declarator {
    pub name: Option<(Arc<str>, Loc)>,
    pub ty: Qual,
    /// The parameters of the declared function.
    pub params: Vec<Param>,
    /// The identifier list of an old-style (pre-C89) function.
    pub identifiers: Vec<(Arc<str>, Loc)>,
    pub attributes: Attributes,
}

impl Parser<'_> {
    pub(super) fn typeof_operand(&mut self) -> Parsed<Qual> {
        self.expect("(")?;
        let ty = if self.starts_type() { self.type_name()? } else { self.type_of_expression()? };
        self.expect(")")?;
        Ok(ty)
    }

    /// A type without a declared name.
    pub(super) fn type_name(&mut self) -> Parsed<Qual> {
        let specs = self.deeper(|p| p.specifiers(false))?;
        let d = self.declarator(specs.ty)?;
        if let Some((_, loc)) = d.name {
            self.report("E0701", "expected a type name without an identifier", loc);
        }
        self.asked_align = self.named_align(&specs, d.ty.ty);
        Ok(d.ty)
    }

    /// A declarator; the name is optional.
    pub(super) fn declarator(&mut self, base: Qual) -> Parsed<Declarator> {
        let (mut derive, mut attributes) = (Vec::new(), Attributes::default());
        let before = self.lengths.count();
        let name = self.deeper(|p| p.derivations(&mut derive, &mut attributes))?;
        self.lengths.reverse_from(before);
        if derive.len() > 60 {
            let loc = self.last();
            return self.error(Diagnostic::error("E0702", "type nesting too deep").at(loc, ""));
        }
        let (mut params, mut identifiers) = (Vec::new(), Vec::new());
        let loc = name.as_ref().map_or(self.last(), |(_, loc)| *loc);
        if let Some(Derive::Function { params: own, names, .. }) = derive.first() {
            (params, identifiers) = (own.clone(), names.clone());
        }
        let mut ty = base;
        for part in derive.into_iter().rev() {
            ty = self.apply(part, ty, loc)?;
        }
        ty = self.with_mode(ty, &attributes);
        Ok(Declarator { name, ty, params, identifiers, attributes })
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
            Derive::Function { params, variadic, unprototyped, .. } => {
                if matches!(self.tree.types.get(ty.ty), Type::Function(_) | Type::Array(..) | Type::Long(..))
                {
                    let message = format!("invalid function return type `{}`", shown(self));
                    return self.error(Diagnostic::error("E0733", message).at(loc, ""));
                }
                let params = params.iter().map(|param| Qual::plain(param.ty.ty)).collect();
                let ret = Qual::plain(ty.ty);
                Qual::plain(self.tree.types.intern(Type::Function(FnType {
                    ret,
                    params,
                    variadic,
                    unprototyped,
                })))
            }
        })
    }

    fn derivations(
        &mut self,
        out: &mut Vec<Derive>,
        attributes: &mut Attributes,
    ) -> Parsed<Option<(Arc<str>, Loc)>> {
        self.attributes(attributes)?;
        if self.eat("*") {
            let mut quals = Quals::default();
            loop {
                match self.word() {
                    word @ ("const" | "volatile" | "restrict" | "_Atomic") => {
                        quals = quals.with(qualifier(word));
                        self.next();
                    }
                    "__attribute__" => {
                        let (loc, mut own) = (self.loc(), Attributes::default());
                        self.attributes(&mut own)?;
                        if own.align > 0 {
                            self.report("E0714", "alignment of a pointer is not supported here", loc);
                        }
                        *attributes = attributes.with(own);
                    }
                    "__extension__" => self.next(),
                    _ => break,
                }
            }
            let name = self.deeper(|p| p.derivations(out, attributes))?;
            out.push(Derive::Pointer(quals));
            return Ok(name);
        }
        // A parenthesis opens an inner declarator, or the parameters of an abstract function
        // declarator.
        let nested = self.is("(") && {
            let next = self.word_at(1);
            let typed = match next {
                "" => {
                    let token = &self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
                    matches!(self.lookup(&token.text), Some(Entity::Typedef(..)))
                }
                ")" | "..." => true,
                "__attribute__" => false,
                word => is_type_word(word),
            };
            !typed
        };
        let mut name = None;
        if nested {
            self.next();
            name = self.deeper(|p| p.derivations(out, attributes))?;
            self.expect(")")?;
        } else if self.is_name() {
            name = self.name();
        }
        loop {
            if self.eat("[") {
                let part = self.array_suffix(out.is_empty())?;
                out.push(part);
            } else if self.eat("(") {
                let part = self.deeper(Self::parameters)?;
                out.push(part);
            } else {
                break;
            }
        }
        self.attributes(attributes)?;
        Ok(name)
    }

    /// After `[`; `outermost` if the array type is that of the declared name itself.
    fn array_suffix(&mut self, outermost: bool) -> Parsed<Derive> {
        let mut quals = Quals::default();
        while matches!(self.word(), "static" | "const" | "volatile" | "restrict" | "_Atomic") {
            if !self.is("static") {
                quals = quals.with(qualifier(self.word()));
            }
            self.next();
        }
        if self.eat("]") {
            return Ok(Derive::Array(None, quals));
        }
        if self.is("*") && self.word_at(1) == "]" {
            self.next();
            let loc = self.loc();
            self.next();
            if !matches!(self.lengths, Lengths::Unspecified) {
                let message = "`[*]` outside a function prototype";
                return self.error(Diagnostic::error("E0733", message).at(loc, ""));
            }
            return self.unspecified_length(outermost, quals);
        }
        let (loc, start) = (self.loc(), self.at);
        // The length expression itself contributes no lengths.
        let lengths = std::mem::take(&mut self.lengths);
        let e = self.assignment();
        self.lengths = lengths;
        let e = e?;
        let e = self.rvalue(e);
        self.expect("]")?;
        let loc = self.sources.join(loc, e.loc);
        if e.ty.ty == types::ERROR {
            // A parameter as a length.
            return self.unspecified_length(outermost, quals);
        }
        if !self.tree.types.is_integer(e.ty.ty) {
            return self.error(Diagnostic::error("E0723", "array length is not an integer").at(loc, ""));
        }
        match evaluate(self.tree, &e) {
            Some(Constant::Int(length)) => {
                if self.tree.types.is_signed(e.ty.ty) && (length as i64) < 0 {
                    return self.error(Diagnostic::error("E0733", "array length is negative").at(loc, ""));
                }
                Ok(Derive::Array(Some(length), quals))
            }
            _ => {
                let does = self.does_something(start);
                self.variable_length(e, (outermost, does), quals, loc)
            }
        }
    }

    fn parameters(&mut self) -> Parsed<Derive> {
        self.in_prototype(Self::parameters_inside)
    }

    fn parameters_inside(&mut self) -> Parsed<Derive> {
        let (mut params, mut names, mut variadic) = (Vec::new(), Vec::new(), false);
        if self.eat(")") {
            return Ok(Derive::Function { params, variadic: false, unprototyped: true, names });
        }
        if self.is("void") && self.word_at(1) == ")" {
            self.next();
            self.next();
            return Ok(Derive::Function { params, variadic: false, unprototyped: false, names });
        }
        if self.is_name() && !self.starts_type() && matches!(self.word_at(1), "," | ")") {
            while let Some(name) = self.name() {
                names.push(name);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
            return Ok(Derive::Function { params, variadic: false, unprototyped: true, names });
        }
        self.enter();
        let result = self.parameter_list(&mut params, &mut variadic);
        self.leave();
        result?;
        Ok(Derive::Function { params, variadic, unprototyped: false, names })
    }

    fn parameter_list(&mut self, params: &mut Vec<Param>, variadic: &mut bool) -> Parsed<()> {
        loop {
            if self.eat("...") {
                *variadic = true;
                break;
            }
            let (start, unspecified) = (self.at, self.unspecified);
            let specs = self.specifiers(false)?;
            let at = (start, self.at);
            let d = self.declarator(specs.ty)?;
            let ty = self.adjust(d.ty);
            let again = (self.unspecified != unspecified).then_some(at);
            if ty.ty == types::VOID {
                let loc = self.last();
                self.report("E0722", "parameter has type `void`", loc);
            }
            if let Some((name, loc)) = &d.name {
                if self.scopes.last().is_some_and(|scope| scope.names.contains_key(name)) {
                    self.report("E0732", format!("duplicate parameter `{name}`"), *loc);
                }
                self.declare(name.clone(), Entity::Param, *loc);
            }
            params.push(Param { name: d.name, ty, again });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")
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
