//! The grammar of declarators, parameters and type names (C11 6.7.6, 6.7.7), with GNU's extensions and
//! without their meaning. A declarator is read inside out: its parts are collected in the order in
//! which they bind, and the reader combines them with the specifiers at its end.
//!
//! *Entry points:* [`Declarators::declarator`], [`Declarators::type_name`].
//!
//! *Source:* C11 6.7.6, 6.7.7; "Extensions to the C Language Family" in the manual of GCC.
//! *Invariant:* the derivations of a declarator are in the order of binding: the first applies to
//! the declared name, the last to the type that the specifiers denote.

use axle_source::Loc;

use super::Read;
use super::specifiers::{Name, Specifiers};

/// The length between the brackets of an array declarator.
#[derive(Clone, Debug)]
pub enum ArrayLength<L> {
    /// None.
    Missing,
    /// `*`, and the location of the bracket behind it.
    Unspecified(Loc),
    /// An expression.
    Given(L),
}

/// The parentheses of a function declarator.
#[derive(Clone, Debug)]
pub struct Parameters<P> {
    /// Parameters with types.
    pub list: Vec<P>,
    /// Whether `...` follows them.
    pub variadic: bool,
    /// Whether the types of the parameters are declared.
    pub prototype: bool,
    /// Old-style (pre-C89) parameters: names only.
    pub identifiers: Vec<Name>,
}

impl<P> Default for Parameters<P> {
    /// `()`.
    fn default() -> Self {
        Self { list: Vec::new(), variadic: false, prototype: false, identifiers: Vec::new() }
    }
}

/// Whether a declarator must contain a name. If it may be abstract, a parenthesis can begin the
/// parameters of a function without a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naming {
    /// It declares a name.
    Required,
    /// A parameter or the name of a type.
    Optional,
}

/// A reader of declarators.
pub trait Declarators: Specifiers {
    /// The length of an array.
    type Length;
    /// A pointer, array or function as a part of a declarator.
    type Derivation;
    /// A parameter of a function.
    type Parameter;
    /// A declarator.
    type Declarator;

    /// Reads the length of an array.
    fn read_length(&mut self) -> Read<Self, Self::Length>;

    /// Reads a part in the scope of a function prototype.
    fn in_prototype<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<Self, T>) -> Read<Self, T>;

    /// `*` with these qualifiers, and with attributes that are added to those of the declarator.
    fn make_pointer(
        &mut self,
        qualifiers: &[&'static str],
        own: Option<(Self::Attributes, Loc)>,
        declarator: &mut Self::Attributes,
    ) -> Self::Derivation;

    /// Brackets, which began at `start`, with qualifiers or `static`; `outermost` if the array is the
    /// type of the declared name itself.
    fn make_array(
        &mut self,
        start: Self::Mark,
        qualifiers: &[&'static str],
        length: ArrayLength<Self::Length>,
        outermost: bool,
    ) -> Read<Self, Self::Derivation>;

    /// The parentheses of a function, which began at `start`.
    fn make_function(
        &mut self,
        start: Self::Mark,
        parameters: Parameters<Self::Parameter>,
    ) -> Self::Derivation;

    /// A declarator, which began at `start` and ends here.
    fn make_declarator(
        &mut self,
        specifiers: &Self::Specifiers,
        start: Self::Mark,
        name: Option<Name>,
        derivations: Vec<Self::Derivation>,
        attributes: Self::Attributes,
    ) -> Read<Self, Self::Declarator>;

    /// The type of a type name.
    fn make_type(
        &mut self,
        specifiers: &Self::Specifiers,
        declarator: Self::Declarator,
    ) -> Read<Self, Self::Type>;

    /// A parameter, which is in scope from here on.
    fn make_parameter(
        &mut self,
        specifiers: &Self::Specifiers,
        declarator: Self::Declarator,
    ) -> Read<Self, Self::Parameter>;

    /// Reads the name of a type (6.7.7).
    fn type_name(&mut self) -> Read<Self, Self::Type> {
        let specifiers = self.deeper(|this| this.specifiers(Default::default(), false))?;
        let declarator = self.declarator(&specifiers, Naming::Optional)?;
        self.make_type(&specifiers, declarator)
    }

    /// Reads a declarator (6.7.6).
    fn declarator(&mut self, specifiers: &Self::Specifiers, naming: Naming) -> Read<Self, Self::Declarator> {
        let start = self.mark();
        let (mut derivations, mut attributes) = (Vec::new(), Default::default());
        let name = self.deeper(|this| this.derivations(naming, &mut derivations, &mut attributes))?;
        self.make_declarator(specifiers, start, name, derivations, attributes)
    }

    /// Reads the parts of a declarator and its name.
    fn derivations(
        &mut self,
        naming: Naming,
        out: &mut Vec<Self::Derivation>,
        attributes: &mut Self::Attributes,
    ) -> Read<Self, Option<Name>> {
        self.read_attributes(attributes)?;
        if self.word() == "*" {
            self.next();
            let pointer = self.pointer(attributes)?;
            let name = self.deeper(|this| this.derivations(naming, out, attributes))?;
            out.push(pointer);
            return Ok(name);
        }
        let nested = self.word() == "(" && !self.opens_parameters(naming);
        let mut name = None;
        if nested {
            self.next();
            name = self.deeper(|this| this.derivations(naming, out, attributes))?;
            self.require(")")?;
        } else if self.name_at(0).is_some() {
            name = self.read_name();
        }
        loop {
            let part = match self.word() {
                "[" => self.array(out.is_empty())?,
                "(" => self.function()?,
                _ => break,
            };
            out.push(part);
        }
        self.read_attributes(attributes)?;
        Ok(name)
    }

    /// Whether a parenthesis opens the parameters of a declarator without a name, not a nested
    /// declarator. If the name may be missing, a typedef name in it is a type (6.7.6.3p11).
    fn opens_parameters(&self, naming: Naming) -> bool {
        let mut ahead = 1;
        while self.word_at(ahead) == "__attribute__" {
            ahead = self.behind_parentheses(ahead + 1);
        }
        match self.word_at(ahead) {
            ")" | "..." => ahead == 1,
            "" if naming == Naming::Required => false,
            _ => self.is_type_at(ahead),
        }
    }

    /// The position behind the parentheses that begin this many tokens ahead.
    fn behind_parentheses(&self, mut ahead: usize) -> usize {
        let mut open = 0usize;
        loop {
            match self.word_at(ahead) {
                "(" => open += 1,
                ")" if open > 1 => open -= 1,
                ")" | "end" => return ahead + 1,
                _ => {}
            }
            ahead += 1;
        }
    }

    /// Reads what stands behind `*`.
    fn pointer(&mut self, attributes: &mut Self::Attributes) -> Read<Self, Self::Derivation> {
        let (mut qualifiers, mut own) = (Vec::new(), None);
        loop {
            match self.word() {
                word @ ("const" | "volatile" | "restrict" | "_Atomic") => {
                    self.next();
                    qualifiers.push(word);
                }
                "__attribute__" => {
                    let at = self.here();
                    let (found, _) = own.get_or_insert_with(|| (Default::default(), at));
                    self.read_attributes(found)?;
                }
                _ => return Ok(self.make_pointer(&qualifiers, own, attributes)),
            }
        }
    }

    /// Reads an array declarator from `[` on (6.7.6.2).
    fn array(&mut self, outermost: bool) -> Read<Self, Self::Derivation> {
        let (start, mut qualifiers) = (self.mark(), Vec::new());
        self.next();
        while let word @ ("static" | "const" | "volatile" | "restrict" | "_Atomic") = self.word() {
            self.next();
            qualifiers.push(word);
        }
        let length = match self.word() {
            "]" => ArrayLength::Missing,
            "*" if self.word_at(1) == "]" => {
                self.next();
                ArrayLength::Unspecified(self.here())
            }
            _ => ArrayLength::Given(self.read_length()?),
        };
        self.require("]")?;
        self.make_array(start, &qualifiers, length, outermost)
    }

    /// Reads a function declarator from `(` on.
    fn function(&mut self) -> Read<Self, Self::Derivation> {
        let start = self.mark();
        self.next();
        let parameters = self.deeper(Self::parameters)?;
        Ok(self.make_function(start, parameters))
    }

    /// Reads the parameters of a function, and the parenthesis behind them (6.7.6.3).
    fn parameters(&mut self) -> Read<Self, Parameters<Self::Parameter>> {
        let mut found = Parameters { prototype: self.word() != ")", ..Default::default() };
        if self.word() == "void" && self.word_at(1) == ")" {
            self.next();
        } else if self.name_at(0).is_some() && !self.is_type_at(0) && matches!(self.word_at(1), "," | ")") {
            found.prototype = false;
            while let Some(name) = self.read_name() {
                found.identifiers.push(name);
                if self.word() != "," {
                    break;
                }
                self.next();
            }
        } else if found.prototype {
            return self.in_prototype(|this| {
                this.parameter_list(&mut found)?;
                Ok(found)
            });
        }
        self.require(")")?;
        Ok(found)
    }

    /// Reads parameters with types, and the parenthesis behind them.
    fn parameter_list(&mut self, found: &mut Parameters<Self::Parameter>) -> Read<Self, ()> {
        loop {
            if self.word() == "..." {
                self.next();
                found.variadic = true;
                break;
            }
            let specifiers = self.specifiers(Default::default(), false)?;
            let declarator = self.declarator(&specifiers, Naming::Optional)?;
            found.list.push(self.make_parameter(&specifiers, declarator)?);
            if self.word() != "," {
                break;
            }
            self.next();
        }
        self.require(")")
    }
}
