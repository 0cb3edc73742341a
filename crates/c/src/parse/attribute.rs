//! GNU's `__attribute__`, `_Alignas` and assembler names. Main function: [`Parser::attributes`]. What changes layout
//! or type is obeyed; what only advises a compiler is passed over.

use super::{Parsed, Parser};
use crate::types::{self, IntKind, Type, TypeId};

/// What attributes ask for.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Attributes {
    pub packed: bool,
    pub align: u64,
    pub noreturn: bool,
    /// Another width of the same sign.
    pub mode: Option<u64>,
    pub vector: bool,
}

impl Parser<'_> {
    /// Any number of attributes, and assembler names of declarators.
    pub(super) fn attributes(&mut self, found: &mut Attributes) -> Parsed<()> {
        loop {
            if self.eat("__attribute__") {
                self.expect("(")?;
                self.expect("(")?;
                while !self.is(")") && !self.is("end") {
                    self.attribute(found)?;
                }
                self.expect(")")?;
                self.expect(")")?;
            } else if self.is("asm") && self.word_at(1) == "(" && self.at_file_scope() {
                self.next();
                self.balanced()?;
            } else {
                return Ok(());
            }
        }
    }

    fn attribute(&mut self, found: &mut Attributes) -> Parsed<()> {
        if self.eat(",") {
            return Ok(());
        }
        let name = self.token().text.clone();
        let name = name.trim_matches('_').to_owned();
        self.next();
        match &*name {
            "packed" => found.packed = true,
            "noreturn" => found.noreturn = true,
            "vector_size" => {
                found.vector = true;
                self.balanced()?;
            }
            "aligned" if self.is("(") => {
                self.next();
                let loc = self.loc();
                let value = self.constant_integer()?;
                self.set_align(found, value, loc);
                self.expect(")")?;
            }
            "aligned" => found.align = found.align.max(16),
            "mode" if self.is("(") => {
                self.next();
                let mode = self.token().text.clone();
                found.mode = match mode.trim_matches('_') {
                    "QI" | "byte" => Some(1),
                    "HI" => Some(2),
                    "SI" => Some(4),
                    "DI" => Some(8),
                    "word" | "pointer" | "unwind_word" => Some(self.tree.types.pointer_size()),
                    _ => None,
                };
                self.next();
                self.expect(")")?;
            }
            _ => {
                if self.is("(") {
                    self.balanced()?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn set_align(&mut self, found: &mut Attributes, value: i64, loc: axle_source::Loc) {
        if value > 0 && value <= 1 << 20 && value & (value - 1) == 0 {
            found.align = found.align.max(value as u64);
        } else if value != 0 {
            self.report("E0706", "an alignment is a power of two", loc);
        }
    }

    /// Whether an `asm` is nothing but a barrier for the compiler: no instruction, no operands.
    pub(super) fn is_barrier(&self) -> bool {
        let mut at = 1;
        while matches!(self.word_at(at), "volatile" | "inline") {
            at += 1;
        }
        let text = |at: usize| self.tokens.get(self.at + at).map(|token| &*token.text);
        if self.word_at(at) != "(" || text(at + 1) != Some("\"\"") {
            return false;
        }
        at += 2;
        while self.word_at(at) == ":" || text(at).is_some_and(|text| text.starts_with('"')) {
            at += 1;
        }
        self.word_at(at) == ")"
    }

    /// From `(` to its `)`.
    pub(super) fn balanced(&mut self) -> Parsed<()> {
        self.expect("(")?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.word() {
                "(" => depth += 1,
                ")" => depth -= 1,
                "end" => return self.expected("`)`"),
                _ => {}
            }
            self.next();
        }
        Ok(())
    }

    /// The integer type of another width and the same sign.
    pub(super) fn with_mode(&self, ty: TypeId, bytes: u64) -> TypeId {
        if !matches!(self.tree.types.get(ty), Type::Int(_)) {
            return ty;
        }
        let signed = self.tree.types.is_signed(ty);
        let long = self.tree.types.int_size(IntKind::Long) == 8;
        match (bytes, signed) {
            (1, true) => types::SCHAR,
            (1, false) => types::UCHAR,
            (2, true) => types::SHORT,
            (2, false) => types::USHORT,
            (4, true) => types::INT,
            (4, false) => types::UINT,
            (8, true) if long => types::LONG,
            (8, false) if long => types::ULONG,
            (8, true) => types::LLONG,
            (8, false) => types::ULLONG,
            _ => ty,
        }
    }
}
