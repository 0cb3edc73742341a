//! Names in propositions: variables of static storage, enumeration constants, macros that are constants,
//! members, and pointers that never change.
//!
//! *Entry points:* [`Reader::named`], [`Reader::member`], [`Reader::pointee`].
//! *Invariant:* a constant has one value in all files of the program, and the object behind a pointer is
//! the same in all states; otherwise the name is an error.

use axle_c::code::{Origin, StaticKind};
use axle_c::grammar::Operators;
use axle_c::{Bits, Program, TypeId};

use super::{Reader, Term, binary, unary};
use crate::state::settings::Watch;

impl Reader<'_> {
    /// A variable of static storage, an enumeration constant, or a macro whose value is a constant.
    pub(super) fn named(&mut self, name: &str) -> Result<Term, String> {
        let program = self.program;
        let is_variable = |fixed: &axle_c::code::Static| {
            *fixed.name == *name && matches!(fixed.kind, StaticKind::Variable(_))
        };
        if program.statics.iter().any(is_variable) {
            return self.variable(name);
        }
        match program.types.values_of_constant(name)[..] {
            [] => {}
            [value] => {
                let value = i64::try_from(value).map_err(|_| format!("`{name}` has more than 64 bits"))?;
                return Ok(Term::Number(value));
            }
            _ => return Err(format!("several enumeration constants are called `{name}`")),
        }
        match self.macro_value(name)? {
            Some(value) => Ok(Term::Number(value)),
            None => Err(self.unknown(name)),
        }
    }

    /// The value of a macro that is a constant expression of integers.
    fn macro_value(&mut self, name: &str) -> Result<Option<i64>, String> {
        let program = self.program;
        let texts: Vec<&str> =
            program.macros.iter().filter(|(own, _)| **own == *name).map(|(_, text)| &**text).collect();
        let text = match texts[..] {
            [] => return Ok(None),
            [text] => text,
            _ => return Err(format!("several files define the macro `{name}` differently")),
        };
        let no_constant = || format!("the macro `{name}` is `{text}`, which is no constant of integers");
        // The expression is read where no variable is noted.
        let mut watch = Watch::default();
        let depth = self.depth;
        let mut reader = Reader { program, text, at: 0, operand: 0, depth, watch: &mut watch };
        let term = reader.deeper(|inner| inner.binary(0)).map_err(|_| no_constant())?;
        reader.blanks();
        let value = constant(&term).filter(|_| reader.at == text.len());
        value.map(Some).ok_or_else(no_constant)
    }

    /// The message for a name that the program does not have.
    pub(super) fn unknown(&self, name: &str) -> String {
        let program = self.program;
        let variables = program.statics.iter().filter(|fixed| {
            matches!(fixed.kind, StaticKind::Variable(_)) && fixed.origin != Origin::Internal
        });
        let constants = program.types.enums.iter().flat_map(|one| &one.constants).map(|(name, _)| &**name);
        let macros = program.macros.iter().map(|(name, _)| &**name);
        let all = variables.map(|fixed| &*fixed.name).chain(constants).chain(macros);
        let problem = format!("there is no variable `{name}` of static storage that the program uses");
        suggested(problem, name, all)
    }

    /// The object that a pointer in a static object leads to, the offset in it, and its type. The pointer
    /// must not change: then the place that the proposition reads is known.
    pub(super) fn pointee(&self, object: u32, offset: u64, ty: TypeId) -> Result<(u32, u64, TypeId), String> {
        let program = self.program;
        let fixed = &program.statics[object as usize - 1];
        let name = &fixed.name;
        let Some(to) = program.types.pointee(ty) else {
            return Err(format!("`{name}` is no pointer here"));
        };
        if !is_constant(program, object) {
            return Err(format!(
                "the program may change the pointer in `{name}`: name the object that it points to"
            ));
        }
        let StaticKind::Variable(start) = fixed.kind else { return Err(format!("`{name}` is no variable")) };
        let at = u64::from(start) + offset;
        let target = program.image_pointers.iter().find(|(place, ..)| u64::from(*place) == at);
        let Some((_, target, start)) = target else {
            return Err(format!("the pointer in `{name}` points to no object"));
        };
        let is_variable = (program.statics.get((*target as usize).wrapping_sub(1)))
            .is_some_and(|fixed| matches!(fixed.kind, StaticKind::Variable(_)));
        match (u64::try_from(*start), is_variable) {
            (Ok(start), true) => Ok((*target, start, to.ty)),
            _ => Err(format!("the pointer in `{name}` points to no variable of static storage")),
        }
    }

    /// The member of a structure or union whose name follows: its offset, bits and type.
    pub(super) fn member(&mut self, ty: TypeId) -> Result<(u64, Option<Bits>, TypeId), String> {
        self.blanks();
        self.operand = self.at;
        let field = self.identifier().to_string();
        let types = &self.program.types;
        match types.find_field(ty, &field) {
            Some((at, bits, ty)) => Ok((at, bits, ty.ty)),
            None => {
                let problem = format!("`{}` has no member `{field}`", types.show(ty));
                Err(suggested(problem, &field, types.field_names(ty)))
            }
        }
    }

    /// The value of an enumeration constant or macro as an index.
    pub(super) fn index(&mut self, name: &str) -> Result<Option<u64>, String> {
        let value = match self.program.types.values_of_constant(name)[..] {
            [value] => i64::try_from(value).ok(),
            _ => self.macro_value(name)?,
        };
        Ok(value.and_then(|value| u64::try_from(value).ok()))
    }
}

/// Whether the program never writes an object with static storage duration.
fn is_constant(program: &Program, object: u32) -> bool {
    let futures = &program.futures;
    let is_unwritten =
        || futures.index(object).is_some_and(|index| !futures.may(program.main, 0, index, 0, true));
    program.statics[object as usize - 1].constant || is_unwritten()
}

/// A message with the name that is close to the one that was written.
pub(super) fn suggested<'a>(problem: String, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match axle_source::nearest(name, known) {
        Some(close) => format!("{problem}; did you mean `{close}`?"),
        None => problem,
    }
}

/// The value of an expression of numbers.
fn constant(term: &Term) -> Option<i64> {
    match term {
        Term::Number(number) => Some(*number),
        Term::Variable { .. } | Term::Local { .. } | Term::At(_) => None,
        Term::Unary(sign, inner) => Some(unary(*sign, constant(inner)?)),
        Term::Binary(operator, a, b) => match (*operator, constant(a)?) {
            ("&&", 0) => Some(0),
            ("||", value) if value != 0 => Some(1),
            (operator, a) => binary(operator, a, constant(b)?),
        },
    }
}
