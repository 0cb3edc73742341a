//! Types in C syntax, for diagnostics, traces and reports.
//!
//! A record or enumeration without a tag is shown by its first typedef name, as in C++ (a typedef
//! name for linkage purposes).
//!
//! *Entry points:* [`Types::show`], [`Types::show_qual`], [`Types::name_after_typedef`].

use std::sync::Arc;

use super::{FloatKind, IntKind, Qual, Quals, Type, TypeId, Types};

/// `struct tag`; without a tag the typedef name.
fn named(keyword: &str, tag: &Option<Arc<str>>, alias: &Option<Arc<str>>) -> String {
    match (tag, alias) {
        (Some(tag), _) => format!("{keyword} {tag}"),
        (None, Some(alias)) => alias.to_string(),
        (None, None) => format!("{keyword} <anonymous>"),
    }
}

impl Types {
    /// Records the typedef name of a record or enumeration without a tag. Only the first name is
    /// kept.
    pub(crate) fn name_after_typedef(&mut self, id: TypeId, name: &Arc<str>) {
        let (tag, alias) = match *self.get(id) {
            Type::Record(which) => {
                let record = &mut self.records[which as usize];
                (&record.tag, &mut record.alias)
            }
            Type::Enum(which) => {
                let enumeration = &mut self.enums[which as usize];
                (&enumeration.tag, &mut enumeration.alias)
            }
            _ => return,
        };
        if tag.is_none() && alias.is_none() {
            *alias = Some(name.clone());
        }
    }

    /// The type in C syntax, as an abstract declarator.
    #[must_use]
    pub fn show(&self, id: TypeId) -> String {
        use IntKind as I;
        match self.get(id) {
            Type::Error => "?".into(),
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(kind) => match kind {
                I::Char => "char",
                I::SChar => "signed char",
                I::UChar => "unsigned char",
                I::Short => "short",
                I::UShort => "unsigned short",
                I::Int => "int",
                I::UInt => "unsigned int",
                I::Long => "long",
                I::ULong => "unsigned long",
                I::LLong => "long long",
                I::ULLong => "unsigned long long",
                I::Int128 => "__int128",
                I::UInt128 => "unsigned __int128",
            }
            .into(),
            Type::Float(FloatKind::Float) => "float".into(),
            Type::Float(FloatKind::Double) => "double".into(),
            Type::Float(FloatKind::LongDouble) => "long double".into(),
            Type::Pointer(to) => match self.get(to.ty) {
                Type::Function(_) => format!("pointer to {}", self.show(to.ty)),
                Type::Pointer(_) => format!("{}*", self.show_qual(*to)),
                _ => format!("{} *", self.show_qual(*to)),
            },
            Type::Array(element, length) => {
                let length = length.map_or(String::new(), |length| length.to_string());
                format!("{} [{length}]", self.show_qual(*element))
            }
            Type::Long(element, _) => format!("{} [*]", self.show_qual(*element)),
            Type::Function(function) => {
                let mut params: Vec<String> = function.params.iter().map(|p| self.show_qual(*p)).collect();
                params.extend(function.variadic.then(|| "...".into()));
                format!("{} ({})", self.show_qual(function.ret), params.join(", "))
            }
            Type::Record(which) => {
                let record = &self.records[*which as usize];
                named(if record.union { "union" } else { "struct" }, &record.tag, &record.alias)
            }
            Type::Enum(which) => {
                let enumeration = &self.enums[*which as usize];
                named("enum", &enumeration.tag, &enumeration.alias)
            }
        }
    }

    /// The type in C syntax with its qualifiers.
    #[must_use]
    pub fn show_qual(&self, qual: Qual) -> String {
        let mut text = String::new();
        for (bit, word) in [
            (Quals::CONST, "const "),
            (Quals::VOLATILE, "volatile "),
            (Quals::ATOMIC, "_Atomic "),
            (Quals::RESTRICT, "restrict "),
        ] {
            if qual.quals.has(bit) {
                text.push_str(word);
            }
        }
        text + &self.show(qual.ty)
    }
}
