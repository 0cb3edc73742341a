//! The mapping `keep`: the canonical text of C after the `Substitute` rules, in the spelling of
//! Promela where the two languages differ in spelling only. Statements without an equivalent in
//! Promela are refused with a remedy.
//!
//! *Entry points:* [`statement`], [`condition`], [`declaration`].

use std::sync::Arc;

use axle_source::{Diagnostics, Dialect, Sources, tokenize};
use rustc_hash::FxHashSet;

use crate::canonical;
use crate::evaluate::number;
use crate::names::Names;
use crate::objects::Objects;
use crate::read::read_expression;
use crate::syntax::{Decl, Expr, Init, Kind};
use crate::table::{Label, Substitute, Table};

/// Kept text, and the changes that were made to it.
pub(crate) struct Kept {
    /// Promela.
    pub text: String,
    /// A `Substitute` rule changed it.
    pub changed: bool,
    /// The lines of the `Object` directives that name objects in it.
    pub objects: Vec<usize>,
}

/// How text of C is spelt in the model.
pub(crate) struct Spelling<'a> {
    /// The replacements, in order.
    pub rules: Vec<&'a Substitute>,
    /// Names of types.
    pub types: &'a FxHashSet<Arc<str>>,
    /// The names that objects have in the model.
    pub names: &'a Names,
    /// The objects that lvalues denote.
    pub objects: &'a Objects<'a>,
    /// The types of C that the table gives a type of the model.
    pub table: &'a Table,
}

impl Spelling<'_> {
    /// The type of the model for a type of C, and its effect on the values.
    pub fn promela_type(&self, base: &str) -> (String, Label, Option<&'static str>) {
        match self.table.type_of(base) {
            Some(name) => (name.to_string(), Label::EXACT, None),
            None => promela_type(self.objects.enumeration(base)),
        }
    }

    /// Text of C with its names as the model has them. A word that a `Substitute` rule inserts is
    /// Promela already.
    pub fn rename(&self, text: &str) -> String {
        let inserted = |word: &str| {
            let words = |rule: &&Substitute| {
                rule.to.split(|c: char| !c.is_alphanumeric() && c != '_').any(|one| one == word)
            };
            self.rules.iter().any(words) || self.objects.words().any(|one| one == word)
        };
        self.names.rename(text, inserted)
    }
}

/// The text after all rules, in their order. A rule whose ends are words replaces whole words only.
fn substitute(text: &str, rules: &[&Substitute]) -> String {
    let mut text = text.to_string();
    for rule in rules {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (head, tail) = (rule.from.starts_with(is_word), rule.from.ends_with(is_word));
        let (mut out, mut rest) = (String::new(), &text[..]);
        while let Some(at) = rest.find(&rule.from) {
            let end = at + rule.from.len();
            let before = rest[..at].chars().last().or(out.chars().last());
            let inside = head && before.is_some_and(is_word) || tail && rest[end..].starts_with(is_word);
            out.push_str(&rest[..at]);
            out.push_str(if inside { &rule.from } else { &rule.to });
            rest = &rest[end..];
        }
        out.push_str(rest);
        text = out;
    }
    text
}

fn reread(text: &str, types: &FxHashSet<Arc<str>>) -> Option<Expr> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("kept", text);
    let tokens = tokenize(file, Dialect::C, &sources, &mut diagnostics);
    read_expression(&tokens, &sources, types, &mut diagnostics).ok().filter(|_| diagnostics.is_empty())
}

fn kept(
    text: &str,
    spelling: &Spelling<'_>,
    convert: impl Fn(&Expr) -> Result<String, String>,
) -> Result<Kept, String> {
    let after = substitute(text, &spelling.rules);
    let changed = after != text;
    let Some(expr) = reread(&after, spelling.types) else {
        // Text of the model, inserted by a rule.
        return Ok(Kept { text: after, changed, objects: Vec::new() });
    };
    let mut objects = Vec::new();
    let resolved = canonical::text(&spelling.objects.resolve(&expr, &mut objects));
    match reread(&spelling.rename(&resolved), spelling.types) {
        Some(expr) => convert(&expr).map(|text| Kept { text, changed, objects }),
        None => Ok(Kept { text: after, changed, objects: Vec::new() }),
    }
}

/// An expression in the text of a mapping, as Promela writes it.
pub(crate) fn part(text: &str, spelling: &Spelling<'_>) -> Result<Kept, String> {
    kept(text, spelling, as_value)
}

/// An expression statement that is kept.
pub(crate) fn statement(expr: &Expr, spelling: &Spelling<'_>) -> Result<Kept, String> {
    kept(&canonical::text(expr), spelling, as_statement)
}

/// A condition that is kept, or denied and kept.
pub(crate) fn condition(expr: &Expr, denied: bool, spelling: &Spelling<'_>) -> Result<Kept, String> {
    let text = if denied { canonical::denied(expr) } else { canonical::condition(expr) };
    kept(&text, spelling, |expr| {
        let text = as_value(expr)?;
        Ok(match expr.kind {
            // A lone name or call is a condition as it is, and brackets keep it from being
            // something else.
            Kind::Name(_) | Kind::Member(..) | Kind::Index(..) | Kind::Literal(_) => format!("({text})"),
            _ => text,
        })
    })
}

fn as_statement(expr: &Expr) -> Result<String, String> {
    match &expr.kind {
        Kind::Assign("=", target, value) => match &value.kind {
            Kind::Assign("=", inner, _) => {
                let first = as_statement(value)?;
                Ok(format!("{first}; {} = {}", as_value(target)?, as_value(inner)?))
            }
            _ => Ok(format!("{} = {}", as_value(target)?, as_value(value)?)),
        },
        Kind::Assign(op, target, value) => {
            let place = as_value(target)?;
            Ok(format!("{place} = ({place} {} {})", op.trim_end_matches('='), as_value(value)?))
        }
        Kind::Prefix(op @ ("++" | "--"), target) | Kind::Postfix(target, op) => {
            Ok(format!("{}{op}", as_value(target)?))
        }
        Kind::Call(function, args) => {
            // The meaning of a call is defined by the model: `assert`, `printf`, an inline of the
            // wrapper.
            let args: Result<Vec<String>, String> = args.iter().map(as_argument).collect();
            Ok(format!("{}({})", as_value(function)?, args?.join(",")))
        }
        _ => as_value(expr),
    }
}

fn as_argument(expr: &Expr) -> Result<String, String> {
    match &expr.kind {
        Kind::Literal(text) if text.starts_with('"') => Ok(text.to_string()),
        _ => as_value(expr),
    }
}

/// An expression as Promela writes it.
pub(crate) fn as_value(expr: &Expr) -> Result<String, String> {
    let no = |what: &str| Err(format!("{what} has no equivalent in Promela"));
    match &expr.kind {
        Kind::Name(name) => Ok(name.to_string()),
        Kind::Literal(text) if text.starts_with('"') => match symbol(text) {
            Some(name) => Ok(name.to_string()),
            None => no("a string as a value"),
        },
        Kind::Literal(text) => number(text),
        Kind::Rest => no("`...`"),
        Kind::Prefix(op @ ("!" | "~"), inner) => Ok(format!("{op}{}", as_operand(inner)?)),
        Kind::Prefix("-", inner) => Ok(format!("(-{})", as_operand(inner)?)),
        Kind::Prefix("+", inner) => as_value(inner),
        Kind::Prefix("&", _) => no("the address of an object"),
        Kind::Prefix("*", _) => no("dereferencing a pointer"),
        Kind::Prefix(op @ ("++" | "--"), _) | Kind::Postfix(_, op) => {
            no(&format!("`{op}` inside an expression"))
        }
        Kind::Prefix(op, _) => no(&format!("`{op}`")),
        Kind::Binary(op, a, b) => Ok(format!("({}{op}{})", as_operand(a)?, as_operand(b)?)),
        Kind::Assign(..) => no("an assignment inside an expression"),
        Kind::Cond(cond, Some(a), b) => {
            Ok(format!("({} -> {} : {})", as_value(cond)?, as_value(a)?, as_value(b)?))
        }
        Kind::Cond(..) => no("`?:`"),
        Kind::Comma(..) => no("a comma between expressions"),
        Kind::Call(function, args) => {
            let args: Result<Vec<String>, String> = args.iter().map(as_value).collect();
            Ok(format!("{}({})", as_value(function)?, args?.join(",")))
        }
        Kind::Index(object, index) => Ok(format!("{}[{}]", as_value(object)?, as_value(index)?)),
        Kind::Member(object, ".", name) => Ok(format!("{}.{name}", as_value(object)?)),
        Kind::Member(..) => no("`->`"),
        Kind::Cast(..) => no("a cast"),
        Kind::Opaque(text) => no(&format!("`{text}`")),
    }
}

fn as_operand(expr: &Expr) -> Result<String, String> {
    as_value(expr)
}

/// The word in a string, which in a model is a symbolic name (`mtype`) of the same spelling.
pub(crate) fn symbol(text: &str) -> Option<&str> {
    let word = text.strip_prefix('"')?.strip_suffix('"')?;
    let starts = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (starts && word.chars().all(|c| c.is_alphanumeric() || c == '_')).then_some(word)
}

/// A declaration that is kept.
pub(crate) struct KeptDecl {
    /// `short s, E`, without initial values where `split`.
    pub declaration: String,
    /// The values, as assignments, where `split`.
    pub values: Vec<String>,
    /// The effect of the types on the values.
    pub label: Label,
    /// Why the label is not exact.
    pub why: Option<&'static str>,
    /// A `Substitute` rule changed it.
    pub changed: bool,
    /// The lines of the `Object` directives that name objects in it.
    pub objects: Vec<usize>,
}

/// A declaration that is kept. `split`: values are assigned where the declaration stands, because
/// it stands where it can be reached more than once.
pub(crate) fn declaration(decl: &Decl, spelling: &Spelling<'_>, split: bool) -> Result<KeptDecl, String> {
    if let Some(word) = decl.storage.iter().find(|word| matches!(&***word, "static" | "_Thread_local")) {
        return Err(format!("a `{word}` object outlives the call; a local object of a process does not"));
    }
    let (name, label, why) = spelling.promela_type(&decl.base);
    let base = substitute(&name, &spelling.rules);
    let mut changed = base != name;
    let (mut names, mut values, mut objects) = (Vec::new(), Vec::new(), Vec::new());
    for declared in &decl.declared {
        let text = substitute(&declared.text, &spelling.rules);
        changed |= text != declared.text;
        let text = spelling.rename(&text);
        if text.starts_with('*') || text.starts_with('(') {
            return Err(format!("`{text}` is a pointer; Promela has no pointers"));
        }
        match &declared.init {
            None => names.push(text),
            // The static initialisers of the library; all of its objects begin with 0.
            Some(Init::List(list)) if spelling.table.type_of(&decl.base).is_some() && is_zero(list) => {
                names.push(text);
            }
            Some(Init::List(_)) => return Err("a list of initial values has no equivalent in Promela".into()),
            Some(Init::Value(value)) => {
                let kept = kept(&canonical::text(value), spelling, as_value)?;
                changed |= kept.changed;
                objects.extend(kept.objects);
                if split {
                    names.push(text.clone());
                    values.push(format!("{text} = {}", kept.text));
                } else {
                    names.push(format!("{text}={}", kept.text));
                }
            }
        }
    }
    let declaration = format!("{base} {}", names.join(", "));
    Ok(KeptDecl { declaration, values, label, why, changed, objects })
}

/// Whether a list of initial values has zeros only.
pub(crate) fn is_zero(list: &str) -> bool {
    // Without the members that are named: `.lock={0},.count=0`.
    let values = list.split(['{', '}', ',']).map(|part| part.rsplit('=').next().unwrap_or_default().trim());
    values.into_iter().all(|value| value.is_empty() || value == "0")
}

/// The type of Promela for a type of C, and its effect on values.
pub(crate) fn promela_type(base: &str) -> (String, Label, Option<&'static str>) {
    const WIDER: Option<&str> = Some("the type has a different range in Promela");
    let (name, label, why) = match base {
        // Constants keep their names, and their values are those of `int`.
        base if base.starts_with("enum ") || base.starts_with("enum{") => ("int", Label::EXACT, None),
        "int" | "signed int" | "signed" => ("int", Label::EXACT, None),
        "short" | "short int" | "signed short" | "signed short int" => ("short", Label::EXACT, None),
        "unsigned char" | "char unsigned" => ("byte", Label::EXACT, None),
        "_Bool" => ("bool", Label::EXACT, None),
        "char" | "signed char" => ("short", Label::BOTH, WIDER),
        "unsigned" | "unsigned int" | "unsigned short" | "unsigned short int" | "long" | "long int"
        | "unsigned long" | "long long" | "unsigned long long" | "long unsigned int" => {
            ("int", Label::BOTH, WIDER)
        }
        other => (other, Label::BOTH, Some("the model defines the type")),
    };
    (name.to_string(), label, why)
}

/// Whether Promela has the values of a type of C.
pub(crate) fn is_exact_type(base: &str) -> bool {
    promela_type(base).1 == Label::EXACT
}

/// The values of a type of C, where they are few enough for a `Map`.
pub(crate) fn range(base: &str) -> Option<(i64, i64)> {
    match base {
        "_Bool" => Some((0, 1)),
        "char" | "signed char" => Some((-128, 127)),
        "unsigned char" => Some((0, 255)),
        "short" | "short int" | "signed short" | "signed short int" => Some((-32_768, 32_767)),
        "unsigned short" | "unsigned short int" => Some((0, 65_535)),
        _ => None,
    }
}
