//! Feature flags and provisioning constraints of a manifest.
//!
//! *Entry points:* [`flags`], [`constraints`]. Constraints may use others; these are expanded, so
//! that a constraint of a project is an expression over flags.
//! *Invariant:* the expansion of a constraint is finite and limited in size.

use axle_source::{Diagnostic, Diagnostics, Span};
use toml::Spanned;
use toml::de::DeValue;

use super::components::{MOST_PROVISIONINGS, components};
use super::data::{Constraint, Flag};
use super::expression::{Expression, Operator, Written, parse};
use super::fields::{Fields, Located, integer};
use super::names;
use crate::codes::{CONSTRAINT, CYCLE, DUPLICATE, EXCLUSIVE, NO_PROVISIONING, TOO_MANY, VALUE};

/// The most values of a flag.
const MOST_VALUES: usize = 256;

/// The most flags of a project.
const MOST_FLAGS: usize = 256;

/// The most nodes of an expanded constraint.
const LARGEST: usize = 10_000;

/// The constraint that every property without constraints is verified under.
pub const ANY: &str = "any";

/// Reads the table `flags`: `NAME = "VARIABLE"`, or a table with `variable`, `values` and `range`.
pub(super) fn flags(fields: &mut Fields<'_, '_>) -> Vec<Flag> {
    let mut flags = Vec::new();
    for (name, value) in fields.entries() {
        names::check(&name, "a flag", fields.diagnostics());
        let at = fields.span(value);
        let flag = match value.get_ref() {
            DeValue::String(variable) => {
                let variable = Located { value: variable.to_string(), at };
                Some(Flag { name, variable, values: vec![0, 1] })
            }
            DeValue::Table(table) => {
                let mut own = fields.nested(table, name.at, format!("flag `{}`", name.value));
                let variable = own.string("variable").unwrap_or_else(|| name.clone());
                let values = values(&mut own);
                own.finish();
                Some(Flag { name, variable, values })
            }
            _ => {
                fields.wrong(&name.value, value, "the name of a variable, or a table");
                None
            }
        };
        flags.extend(flag);
    }
    if flags.len() > MOST_FLAGS {
        let message = format!("{} flags, more than {MOST_FLAGS}", flags.len());
        fields
            .diagnostics()
            .push(Diagnostic::error(TOO_MANY, message).at(flags[MOST_FLAGS].name.at.into(), ""));
        flags.truncate(MOST_FLAGS);
    }
    unique_variables(&flags, fields.diagnostics());
    flags
}

fn unique_variables(flags: &[Flag], diagnostics: &mut Diagnostics) {
    for (index, flag) in flags.iter().enumerate() {
        let before = flags[..index].iter().find(|other| other.variable.value == flag.variable.value);
        if let Some(before) = before {
            let message = format!("two flags have the variable `{}`", flag.variable.value);
            diagnostics.push(
                Diagnostic::error(DUPLICATE, message)
                    .at(flag.variable.at.into(), "")
                    .also(before.variable.at.into(), "the other one"),
            );
        }
    }
}

/// Reads `values = [0, 1, 2]` or `range = [0, 5]`; 0 and 1 without either.
fn values(fields: &mut Fields<'_, '_>) -> Vec<i64> {
    let (values, range) = (fields.integers("values"), fields.integers("range"));
    let fault =
        |at: Span, message: &str, help: &str| Diagnostic::error(VALUE, message).at(at.into(), "").help(help);
    let (mut found, at) = match (values, range) {
        (None, None) => return vec![0, 1],
        (Some(_), Some(range)) => {
            let message = "a flag has either `values` or `range`";
            fields.diagnostics().push(Diagnostic::error(EXCLUSIVE, message).at(range.at.into(), ""));
            return vec![0, 1];
        }
        (Some(values), None) => (values.value, values.at),
        (None, Some(range)) => match range.value[..] {
            [first, last] if first <= last && last.abs_diff(first) < MOST_VALUES as u64 => {
                ((first..=last).collect(), range.at)
            }
            _ => {
                let help = "write the first and the last value, at most 256 in all: `range = [0, 5]`";
                fields.diagnostics().push(fault(range.at, "this is not a range", help));
                return vec![0, 1];
            }
        },
    };
    found.sort_unstable();
    let count = found.len();
    found.dedup();
    let bounds = i64::from(i32::MIN)..=i64::from(i32::MAX);
    if found.is_empty() || count > MOST_VALUES {
        fields.diagnostics().push(fault(
            at,
            "a flag has 1 to 256 values",
            "list its values: `values = [0, 1]`",
        ));
        return vec![0, 1];
    }
    if found.len() < count {
        fields.diagnostics().push(fault(at, "a value occurs twice", "list each value once"));
    }
    if found.iter().any(|value| !bounds.contains(value)) {
        let help = "values lie between -2147483648 and 2147483647";
        fields.diagnostics().push(fault(at, "a value does not fit 32 bits", help));
    }
    found
}

/// A constraint before names are looked up.
struct Raw {
    name: Located<String>,
    text: String,
    expression: Option<Expression<Written>>,
    /// The position of the text in the file, if offsets in the text can be mapped to it.
    inside: Option<Span>,
    /// The position of the value.
    at: Span,
}

impl Raw {
    /// The position of a part of the text.
    fn span(&self, at: &std::ops::Range<usize>) -> Span {
        match self.inside {
            Some(inside) => {
                Span::new(inside.file, inside.start + at.start as u32, inside.start + at.end as u32)
            }
            None => self.at,
        }
    }
}

/// Reads the table `constraints`: `NAME = "EXPRESSION"` or `NAME = { FLAG = VALUE, ... }`.
///
/// `flags_are_valid`: the flags have no errors, so names and satisfiability can be checked; `text`
/// gives the text of a span.
pub(super) fn constraints(
    fields: &mut Fields<'_, '_>,
    flags: &[Flag],
    flags_are_valid: bool,
    text: &dyn Fn(Span) -> String,
) -> Vec<Constraint> {
    let mut raw = Vec::new();
    for (name, value) in fields.entries() {
        names::check(&name, "a constraint", fields.diagnostics());
        reserved(&name, flags, fields.diagnostics());
        let one = read(name, value, fields, flags, text);
        raw.extend(one);
    }
    if !flags_are_valid {
        return Vec::new();
    }
    let names: Vec<&str> = flags
        .iter()
        .map(|flag| &flag.name)
        .chain(raw.iter().map(|raw| &raw.name))
        .map(|one| &*one.value)
        .collect();
    let mut resolver = Resolver {
        raw: &raw,
        flags,
        names,
        state: vec![State::New; raw.len()],
        diagnostics: fields.diagnostics(),
    };
    let expanded: Vec<Option<Expression<usize>>> =
        (0..raw.len()).map(|index| resolver.expand(index)).collect();
    let mut constraints = Vec::new();
    for (raw, expression) in raw.iter().zip(expanded) {
        let expression = expression.unwrap_or(Expression::Number(1));
        satisfiable(raw, flags, &expression, fields.diagnostics());
        constraints.push(Constraint { name: raw.name.clone(), text: raw.text.clone(), expression });
    }
    constraints
}

/// Reports names that mean something else.
fn reserved(name: &Located<String>, flags: &[Flag], diagnostics: &mut Diagnostics) {
    if name.value == ANY {
        let message = "the constraint `any` stands for every provisioning and cannot be defined";
        diagnostics.push(Diagnostic::error(DUPLICATE, message).at(name.at.into(), ""));
    }
    if let Some(flag) = flags.iter().find(|flag| flag.name.value == name.value) {
        let message = format!("`{}` is the name of a flag", name.value);
        diagnostics.push(
            Diagnostic::error(DUPLICATE, message)
                .at(name.at.into(), "")
                .also(flag.name.at.into(), "the flag")
                .help("give the constraint another name"),
        );
    }
}

fn read<'a>(
    name: Located<String>,
    value: &'a Spanned<DeValue<'a>>,
    fields: &mut Fields<'a, '_>,
    flags: &[Flag],
    text: &dyn Fn(Span) -> String,
) -> Option<Raw> {
    let at = fields.span(value);
    match value.get_ref() {
        DeValue::String(written) => {
            // Offsets are those of the file where the string has no escapes.
            let inside = ["\"\"\"", "'''", "\"", "'"].iter().find_map(|quote| {
                let source = text(at);
                let inner = source.strip_prefix(quote)?.strip_suffix(quote)?;
                let start = at.start + quote.len() as u32;
                (inner == &**written).then(|| Span::new(at.file, start, start + inner.len() as u32))
            });
            let mut raw = Raw { name, text: written.to_string(), expression: None, inside, at };
            match parse(written) {
                Ok(expression) => raw.expression = Some(expression),
                Err(fault) => {
                    let message = format!("invalid constraint: {}", fault.message);
                    let help = "a constraint is an expression such as `forwarding == 1 && !hotline`";
                    fields.diagnostics().push(
                        Diagnostic::error(CONSTRAINT, message).at(raw.span(&fault.at).into(), "").help(help),
                    );
                }
            }
            Some(raw)
        }
        DeValue::Table(table) => {
            let mut own = fields.nested(table, name.at, format!("constraint `{}`", name.value));
            let (mut expression, mut words) = (Expression::Number(1), Vec::new());
            for (flag, value) in own.entries() {
                let all = flags.iter().map(|flag| &*flag.name.value);
                let known = names::find(&flag, "flag", all, own.diagnostics());
                let number = integer(value.get_ref());
                if number.is_none() {
                    own.wrong(&flag.value, value, "an integer");
                }
                let (Some(index), Some(number)) = (known, number) else { continue };
                if !flags[index].values.contains(&number) {
                    let at = own.span(value);
                    own.diagnostics().push(no_value(&flags[index], number, at));
                }
                words.push(format!("{} == {number}", flag.value));
                let flag = Written { name: flag.value, at: 0..0 };
                let equal = Expression::Binary(
                    Operator::Eq,
                    Box::new(Expression::Name(flag)),
                    Box::new(Expression::Number(number)),
                );
                expression = Expression::Binary(Operator::And, Box::new(expression), Box::new(equal));
            }
            Some(Raw { name, text: words.join(" && "), expression: Some(expression), inside: None, at })
        }
        _ => {
            fields.wrong(&name.value, value, "an expression, or a table with the values of flags");
            None
        }
    }
}

fn no_value(flag: &Flag, number: i64, at: Span) -> Diagnostic {
    let values: Vec<String> = flag.values.iter().map(i64::to_string).collect();
    Diagnostic::error(VALUE, format!("the flag `{}` has no value {number}", flag.name.value))
        .at(at.into(), "")
        .note(format!("its values are: {}", values.join(", ")))
}

#[derive(Clone)]
enum State {
    New,
    Open,
    Done(Option<Expression<usize>>),
}

/// Expands constraints depth-first.
struct Resolver<'a> {
    raw: &'a [Raw],
    flags: &'a [Flag],
    names: Vec<&'a str>,
    state: Vec<State>,
    diagnostics: &'a mut Diagnostics,
}

impl Resolver<'_> {
    fn expand(&mut self, index: usize) -> Option<Expression<usize>> {
        if let State::Done(done) = &self.state[index] {
            return done.clone();
        }
        self.state[index] = State::Open;
        let expanded = self.expand_new(index);
        self.state[index] = State::Done(expanded.clone());
        expanded
    }

    fn expand_new(&mut self, index: usize) -> Option<Expression<usize>> {
        let raw = &self.raw[index];
        let expression = raw.expression.as_ref()?;
        let mut names = Vec::new();
        expression.names(&mut |name| names.push(name.clone()));
        let (mut known, mut size) = (Vec::new(), names.len());
        for name in names {
            let at = raw.span(&name.at);
            if let Some(flag) = self.flags.iter().position(|flag| flag.name.value == name.name) {
                known.push((name, Expression::Name(flag)));
                continue;
            }
            let other = self.raw.iter().position(|other| other.name.value == name.name);
            let Some(other) = other else {
                let located = Located { value: name.name, at };
                names::find(&located, "flag or constraint", self.names.iter().copied(), self.diagnostics);
                return None;
            };
            if matches!(self.state[other], State::Open) {
                let message = format!("the constraint `{}` uses itself", name.name);
                self.diagnostics.push(
                    Diagnostic::error(CYCLE, message)
                        .at(at.into(), "used here")
                        .also(self.raw[other].name.at.into(), "defined here")
                        .help("write the constraint with flags only"),
                );
                return None;
            }
            let expanded = self.expand(other)?;
            expanded.names(&mut |_| size += 1);
            if size > LARGEST {
                let message = format!("the constraint `{}` is too large", raw.name.value);
                self.diagnostics.push(Diagnostic::error(TOO_MANY, message).at(at.into(), ""));
                return None;
            }
            known.push((name, expanded));
        }
        let by = |name: &Written| {
            let found = known.iter().find(|(known, _)| known.name == name.name);
            found.map_or(Expression::Number(0), |(_, by)| by.clone())
        };
        Some(expression.replace(&by))
    }
}

/// Reports constraints that nothing satisfies, and those with too many provisionings.
fn satisfiable(raw: &Raw, flags: &[Flag], expression: &Expression<usize>, diagnostics: &mut Diagnostics) {
    if raw.expression.is_none() {
        return;
    }
    match components(flags, Some(expression)) {
        Ok(components) if components.iter().any(|one| one.valuations.is_empty()) => {
            let message = format!("no provisioning satisfies the constraint `{}`", raw.name.value);
            diagnostics.push(
                Diagnostic::error(NO_PROVISIONING, message)
                    .at(raw.at.into(), "")
                    .note("a property holds vacuously if nothing satisfies its constraint"),
            );
        }
        Ok(_) => {}
        Err(_) => {
            let message = format!(
                "the constraint `{}` relates flags that have more than {MOST_PROVISIONINGS} combinations",
                raw.name.value
            );
            diagnostics.push(
                Diagnostic::error(TOO_MANY, message)
                    .at(raw.at.into(), "")
                    .help("split it into conditions that are joined by `&&`, each over few flags"),
            );
        }
    }
}
