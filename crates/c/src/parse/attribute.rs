//! GNU's `__attribute__`, `_Alignas` and assembler names. An attribute that changes layout, type or
//! execution is applied or rejected; an optimisation hint is ignored.
//!
//! *Entry point:* [`Parser::attributes`].

use axle_source::Loc;

use super::parser::{Entity, Parsed, Parser};
use crate::types::{self, IntKind, Qual, Type, TypeId};

/// The effects of attributes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Attributes {
    pub packed: bool,
    pub align: u64,
    pub noreturn: bool,
    pub transparent: bool,
    /// `mode`: a different width of the same kind of type in bytes, and the location.
    mode: Option<(u64, Loc)>,
    /// `cleanup`: the function called at the end of the scope, and the location.
    pub cleanup: Option<(u32, Loc)>,
    /// The function is called before `main`, in ascending order of priority.
    pub constructor: Option<u16>,
    /// The function is called at the end of the program, in descending order of priority.
    pub destructor: Option<u16>,
    /// `alias`: the location.
    pub alias: Option<Loc>,
}

/// Memory barrier and pause instructions of x86 and ARM.
const BARRIERS: &[&str] = &[
    "",
    "lock",
    "mfence",
    "lfence",
    "sfence",
    "pause",
    "nop",
    "rep",
    "rep nop",
    "yield",
    "isb",
    "dmb ish",
    "dmb sy",
    "dmb ishst",
    "dmb ishld",
    "dsb sy",
    "dsb ish",
    "dsb st",
    "dsb ld",
    "dmb",
    "dmb st",
    "dmb ld",
    "dmb osh",
    "fence",
    "fence rw,rw",
    "fence rw, rw",
    "fence iorw,iorw",
    "fence iorw, iorw",
    "sync",
    "lwsync",
    "isync",
];

/// Whether an instruction adds nothing to a word on the stack, or nothing is set in it: with the
/// prefix `lock`, which may be an instruction of its own here, a full barrier of x86.
fn is_locked_no_op(instruction: &str) -> bool {
    let rest = instruction.strip_prefix("lock").unwrap_or(instruction).trim_start();
    let Some((operator, operands)) = rest.split_once(char::is_whitespace) else { return false };
    let (amount, target) = operands.split_once(',').unwrap_or_default();
    matches!(operator, "add" | "addb" | "addl" | "addq" | "or" | "orb" | "orl" | "orq")
        && matches!(amount.trim(), "$0" | "$0x0" | "$0x00")
        && (target.contains("%rsp)") || target.contains("%esp)"))
}

/// The priority of constructors and destructors without one: after all others.
const ANY_TIME: u16 = u16::MAX;

impl Attributes {
    /// Combines two sets of attributes.
    pub fn with(self, more: Self) -> Self {
        Self {
            packed: self.packed || more.packed,
            align: self.align.max(more.align),
            noreturn: self.noreturn || more.noreturn,
            transparent: self.transparent || more.transparent,
            mode: more.mode.or(self.mode),
            cleanup: more.cleanup.or(self.cleanup),
            constructor: more.constructor.or(self.constructor),
            destructor: more.destructor.or(self.destructor),
            alias: more.alias.or(self.alias),
        }
    }
}

impl Parser<'_> {
    /// Parses any number of attributes, and assembler names of declarators.
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
                found.alias = Some(self.loc());
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
        let start = self.loc();
        self.next();
        match &*name {
            "packed" => found.packed = true,
            "noreturn" => found.noreturn = true,
            "transparent_union" => found.transparent = true,
            "vector_size" => {
                self.balanced()?;
                self.report("E0714", "vector types are not supported", start);
            }
            "scalar_storage_order" | "ms_struct" => {
                self.report("E0714", format!("the attribute `{name}` is not supported"), start);
                if self.is("(") {
                    self.balanced()?;
                }
            }
            "alias" | "ifunc" | "weakref" => {
                found.alias = Some(start);
                if self.is("(") {
                    self.balanced()?;
                }
            }
            "cleanup" if self.is("(") => {
                self.next();
                let function = self.name();
                self.expect(")")?;
                match function.as_ref().and_then(|(name, _)| self.lookup(name)) {
                    Some(&Entity::Function(id)) => found.cleanup = Some((id, self.since(start))),
                    _ => {
                        self.report("E0720", "the argument of `cleanup` is not a function", self.since(start))
                    }
                }
            }
            "constructor" => found.constructor = Some(self.priority()?),
            "destructor" => found.destructor = Some(self.priority()?),
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
                let bytes = match mode.trim_matches('_') {
                    "QI" | "byte" => Some(1),
                    "HI" => Some(2),
                    "SI" | "SF" => Some(4),
                    "DI" | "DF" => Some(8),
                    "word" | "pointer" | "unwind_word" => Some(self.tree.types.pointer_size()),
                    _ => None,
                };
                match bytes {
                    Some(bytes) => found.mode = Some((bytes, start)),
                    None => self.report("E0714", format!("the mode `{mode}` is not supported"), start),
                }
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

    /// Registers a declared function as constructor or destructor.
    pub(super) fn before_and_after(&mut self, attributes: &Attributes, function: u32, loc: Loc) {
        let takes = match self.tree.types.get(self.tree.functions[function as usize].ty) {
            Type::Function(ty) => ty.params.len(),
            _ => 0,
        };
        let lists = [
            (attributes.constructor, &mut self.tree.constructors),
            (attributes.destructor, &mut self.tree.destructors),
        ];
        let mut odd = false;
        for (priority, list) in lists {
            let Some(priority) = priority else { continue };
            odd |= takes > 0;
            if !list.iter().any(|(_, known)| *known == function) {
                list.push((priority, function));
            }
        }
        if odd {
            self.report("E0714", "constructors with parameters are not supported", loc);
        }
    }

    /// The priority after `constructor` or `destructor`.
    fn priority(&mut self) -> Parsed<u16> {
        if !self.eat("(") {
            return Ok(ANY_TIME);
        }
        let value = match self.is(")") {
            true => i64::from(ANY_TIME),
            false => self.constant_integer()?,
        };
        self.expect(")")?;
        Ok(value.clamp(0, ANY_TIME.into()) as u16)
    }

    pub(super) fn set_align(&mut self, found: &mut Attributes, value: i64, loc: axle_source::Loc) {
        if value > 0 && value <= 1 << 20 && value & (value - 1) == 0 {
            found.align = found.align.max(value as u64);
            self.aligned = true;
        } else if value != 0 {
            self.report("E0706", "alignment is not a power of two", loc);
        }
    }

    /// Whether an `asm` is only a barrier for the compiler or processor, or a hint, without
    /// operands. Memory is sequentially consistent here, so these have no effect.
    pub(super) fn is_barrier(&self) -> bool {
        let mut at = 1;
        while matches!(self.word_at(at), "volatile" | "inline") {
            at += 1;
        }
        let text = |at: usize| self.tokens.get(self.at + at).map(|token| &*token.text);
        if self.word_at(at) != "(" || text(at + 1).is_none_or(|text| !text.starts_with('"')) {
            return false;
        }
        at += 1;
        while let Some(text) = text(at).filter(|text| text.starts_with('"')) {
            let inside = text.trim_matches('"').replace("\\n", ";").replace("\\t", " ");
            let mut instructions = inside.split(';').map(str::trim);
            if !instructions.all(|one| BARRIERS.contains(&one) || is_locked_no_op(one)) {
                return false;
            }
            at += 1;
        }
        // Clobbers: registers, flags and memory.
        while matches!(self.word_at(at), ":" | ",") || text(at).is_some_and(|text| text.starts_with('"')) {
            at += 1;
        }
        self.word_at(at) == ")"
    }

    /// Skips from `(` to the matching `)`.
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

    /// The type of the width that a mode requests.
    pub(super) fn with_mode(&mut self, ty: Qual, attributes: &Attributes) -> Qual {
        let Some((bytes, loc)) = attributes.mode else { return ty };
        let own = match self.tree.types.get(ty.ty) {
            Type::Int(_) | Type::Enum(_) => self.of_width(ty.ty, bytes),
            Type::Float(_) if bytes == 4 => types::FLOAT,
            Type::Float(_) if bytes == 8 => types::DOUBLE,
            Type::Pointer(_) if bytes == self.tree.types.pointer_size() => ty.ty,
            _ => {
                self.report("E0714", "this mode is not supported for this type", loc);
                ty.ty
            }
        };
        Qual { ty: own, ..ty }
    }

    /// The integer type of this width and the same signedness.
    fn of_width(&self, ty: TypeId, bytes: u64) -> TypeId {
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
