//! The grammar of declarations and function definitions (C11 6.7, 6.9), with GNU's extensions and
//! without their meaning: lists of declarators behind their [`specifiers`](super::specifiers).
//!
//! *Entry points:* [`Declarations::declaration`], [`Declarations::external`].
//!
//! *Source:* C11 6.7, 6.7.10, 6.9; "Extensions to the C Language Family" in the manual of GCC.
//! *Invariant:* a declarator takes effect before its initialiser and the next declarator are read
//! (6.2.1p7).

use axle_source::Loc;

use super::Read;
use super::declarators::{Declarators, Naming, Parameters};
use super::specifiers::Name;

/// A reader of declarations.
pub trait Declarations: Declarators {
    /// A node that a declarator makes.
    type Declared;

    /// The next token, if it is a string literal.
    fn string(&self) -> Option<&str>;

    /// Reads assembler code at file scope.
    fn read_file_assembler(&mut self) -> Read<Self, ()>;

    /// `_Static_assert`, which began at `start` and ends here.
    fn make_assertion(&mut self, value: Self::Constant, text: &str, start: Loc);

    /// The parameters of the function that this declares; none if it declares no function.
    fn function_of<'d>(
        &self,
        specifiers: &Self::Specifiers,
        declarator: &'d Self::Declarator,
    ) -> Option<&'d Parameters<Self::Parameter>>;

    /// An old-style (pre-C89) parameter before its declaration, in scope from here on.
    fn make_old_style(&mut self, name: &Name) -> Self::Parameter;

    /// The declaration of an old-style parameter.
    fn declare_old_style(
        &mut self,
        specifiers: &Self::Specifiers,
        declarator: Self::Declarator,
        parameters: &mut [Self::Parameter],
    ) -> Read<Self, ()>;

    /// Declares a name, and reads its initialiser.
    fn declare(
        &mut self,
        specifiers: &Self::Specifiers,
        declarator: Self::Declarator,
        out: &mut Vec<Self::Declared>,
    ) -> Read<Self, ()>;

    /// Reads the body of a function, and defines it. Old-style parameters are `parameters`, others in
    /// the declarator.
    fn read_function(
        &mut self,
        specifiers: &Self::Specifiers,
        declarator: Self::Declarator,
        parameters: Vec<Self::Parameter>,
    ) -> Read<Self, ()>;

    /// The number of `__extension__` that come next. They can precede declarations and expressions.
    fn extensions(&self) -> usize {
        (0..).take_while(|&ahead| self.word_at(ahead) == "__extension__").count()
    }

    /// Whether a declaration comes next.
    fn starts_declaration(&self) -> bool {
        let ahead = self.extensions();
        self.word_at(ahead) == "_Static_assert" || self.is_type_at(ahead) || self.is_unknown_type_at(ahead)
    }

    /// Reads a declaration inside a function, behind attributes, with its `;`. None of the specifiers
    /// for `_Static_assert`.
    fn declaration(
        &mut self,
        attributes: Self::Attributes,
        out: &mut Vec<Self::Declared>,
    ) -> Read<Self, Option<Self::Specifiers>> {
        if self.word_at(self.extensions()) == "_Static_assert" {
            self.static_assertion()?;
            return Ok(None);
        }
        let specifiers = self.specifiers(attributes, false)?;
        self.init_declarators(&specifiers, false, out)?;
        Ok(Some(specifiers))
    }

    /// Reads a declaration or a function definition at file scope (6.9). None of the specifiers unless
    /// it is a declaration that can declare names.
    fn external(&mut self, out: &mut Vec<Self::Declared>) -> Read<Self, Option<Self::Specifiers>> {
        match self.word_at(self.extensions()) {
            "_Static_assert" => self.static_assertion()?,
            "asm" => {
                self.pass_extensions();
                self.read_file_assembler()?;
            }
            ";" => {
                self.pass_extensions();
                self.next();
            }
            _ => {
                let mut attributes = Default::default();
                self.pass_extensions();
                self.read_attributes(&mut attributes)?;
                if self.word() == ";" {
                    // An attribute declaration: `__attribute__((fallthrough));`.
                    self.next();
                    return Ok(None);
                }
                let specifiers = self.specifiers(attributes, true)?;
                self.init_declarators(&specifiers, true, out)?;
                return Ok(Some(specifiers));
            }
        }
        Ok(None)
    }

    /// Reads declarators with initialisers up to the `;`, or a function definition at file scope.
    fn init_declarators(
        &mut self,
        specifiers: &Self::Specifiers,
        at_file_scope: bool,
        out: &mut Vec<Self::Declared>,
    ) -> Read<Self, ()> {
        if self.word() == ";" {
            self.next();
            return Ok(());
        }
        loop {
            let declarator = self.declarator(specifiers, Naming::Required)?;
            let function = self.function_of(specifiers, &declarator).filter(|_| at_file_scope);
            if let Some(Parameters { identifiers, .. }) = function
                && (self.word() == "{" || (!identifiers.is_empty() && self.starts_declaration()))
            {
                let parameters = self.old_style_parameters(identifiers)?;
                return self.read_function(specifiers, declarator, parameters);
            }
            self.declare(specifiers, declarator, out)?;
            if self.word() != "," {
                return self.require(";");
            }
            self.next();
        }
    }

    /// Reads the declarations of old-style parameters between a declarator and the body (6.9.1p6).
    fn old_style_parameters(&mut self, names: &[Name]) -> Read<Self, Vec<Self::Parameter>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        self.in_prototype(|this| {
            let mut parameters: Vec<_> = names.iter().map(|name| this.make_old_style(name)).collect();
            while this.word() != "{" {
                let specifiers = this.specifiers(Default::default(), false)?;
                loop {
                    let declarator = this.declarator(&specifiers, Naming::Required)?;
                    this.declare_old_style(&specifiers, declarator, &mut parameters)?;
                    if this.word() != "," {
                        break;
                    }
                    this.next();
                }
                this.require(";")?;
            }
            Ok(parameters)
        })
    }

    /// Reads `_Static_assert` (6.7.10), with its `;`.
    fn static_assertion(&mut self) -> Read<Self, ()> {
        self.pass_extensions();
        let start = self.here();
        self.next();
        self.require("(")?;
        let value = self.read_constant()?;
        let mut text = String::new();
        if self.word() == "," {
            self.next();
            while let Some(part) = self.string() {
                text.push_str(part);
                self.next();
            }
        }
        self.require(")")?;
        self.require(";")?;
        self.make_assertion(value, &text, start);
        Ok(())
    }

    /// Passes any number of `__extension__`.
    fn pass_extensions(&mut self) {
        while self.word() == "__extension__" {
            self.next();
        }
    }
}
