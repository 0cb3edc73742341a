//! Provisioning of a C program: a generated file with a constructor, which runs before `main`.
//!
//! The constructor chooses a valuation of each component by nondeterministic Booleans, so that no
//! execution is discarded by an assumption, and then sets the variable `axle_provisioned`. A formula
//! f becomes `!axle_provisioned W (axle_provisioned && f)`; this is omitted where f has no next
//! operator and mentions no flag.
//!
//! Variables must have external linkage and an integer type. If the program writes one, a verdict under
//! a constraint is about other values than those of the constraint ([`written`]).
//!
//! *Entry points:* [`source`], [`formula`], [`written`].
//! *Invariant:* `main` is executed with exactly the valuations that satisfy the constraint.

use std::fmt::Write;

use axle_c::{IntKind, Program, Type, TypeId};
use axle_check::program::RunProperty;
use axle_evidence::trace::Trace;
use axle_ltl::prologue::prologue;

use super::Component;
use crate::project::{Flag, Project};

/// The name of the generated file.
pub const FILE: &str = "<provisioning>";

/// The variable that is set once everything is chosen.
const CHOSEN: &str = "axle_provisioned";

/// A flag that cannot be chosen: its index, the problem, and a remedy.
pub type Unsuitable = (usize, String, &'static str);

/// The text of the generated file.
///
/// # Errors
/// Flags whose variables cannot be chosen.
pub fn source(
    program: &Program,
    flags: &[Flag],
    components: &[Component],
) -> Result<String, Vec<Unsuitable>> {
    let mut unsuitable = Vec::new();
    let mut text = String::new();
    let mut declare = |line: std::fmt::Arguments<'_>| {
        text.write_fmt(line).expect("a string takes all text");
    };
    for (index, flag) in flags.iter().enumerate() {
        match type_of(program, flag) {
            Ok(ty) => declare(format_args!("extern {ty} {};\n", flag.variable.value)),
            Err((problem, remedy)) => unsuitable.push((index, problem, remedy)),
        }
    }
    if !unsuitable.is_empty() {
        return Err(unsuitable);
    }
    text.push_str("extern _Bool __VERIFIER_nondet_bool(void);\n");
    text.push_str(&format!("int {CHOSEN};\n"));
    text.push_str("__attribute__((constructor(101))) static void axle_provision(void)\n{\n");
    for component in components {
        choose(flags, component, &mut text);
    }
    text.push_str(&format!("    {CHOSEN} = 1;\n}}\n"));
    Ok(text)
}

/// The statements that choose a valuation.
fn choose(flags: &[Flag], component: &Component, text: &mut String) {
    let count = component.valuations.len();
    for (number, valuation) in component.valuations.iter().enumerate() {
        let condition = match (number, number + 1 == count) {
            (0, true) => "    {",
            (0, false) => "    if (__VERIFIER_nondet_bool()) {",
            (_, true) => " else {",
            (_, false) => " else if (__VERIFIER_nondet_bool()) {",
        };
        text.push_str(condition);
        for (flag, value) in component.flags.iter().zip(valuation) {
            text.push_str(&format!(" {} = {value};", flags[*flag].variable.value));
        }
        text.push_str(" }");
    }
    text.push('\n');
}

/// The places at which a program writes the variable of a flag.
#[must_use]
pub fn written(program: &Program, flag: &Flag) -> Vec<axle_c::Write> {
    let mut statics = (1u32..).zip(&program.statics).skip(1);
    let object = statics.find(|(_, one)| *one.name == *flag.variable.value).map(|(number, _)| number);
    object.and_then(|object| axle_c::writes(program, object)).unwrap_or_default()
}

/// The type of a flag's variable, as C writes it.
fn type_of(program: &Program, flag: &Flag) -> Result<&'static str, (String, &'static str)> {
    let name = &flag.variable.value;
    let found = program.statics.iter().skip(1).find(|one| *one.name == **name);
    let Some(found) = found else {
        let near = axle_source::nearest(name, program.statics.iter().map(|one| &*one.name));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err((
            format!("the program has no global variable `{name}`{near}"),
            "define it with external linkage, for example as `int`",
        ));
    };
    if found.constant {
        return Err((format!("the variable `{name}` is `const`"), "remove the qualifier"));
    }
    let spelled = spelling(program, found.ty.ty).ok_or_else(|| {
        (format!("the variable `{name}` has no integer type"), "use an integer type without `_Atomic`")
    })?;
    let size = program.types.size(found.ty.ty).unwrap_or(8);
    let signed = program.types.is_signed(found.ty.ty);
    let int = axle_model::IntType { bits: (size * 8).min(64) as u8, signed };
    let fits = |value: &&i64| match spelled {
        "_Bool" => (0..=1).contains(*value),
        _ => int.wrap(**value) == **value,
    };
    if let Some(value) = flag.values.iter().find(|value| !fits(value)) {
        let problem = format!("the variable `{name}` cannot have the value {value}");
        return Err((problem, "use a larger type, or other values"));
    }
    Ok(spelled)
}

fn spelling(program: &Program, id: TypeId) -> Option<&'static str> {
    match program.types.get(id) {
        Type::Bool => Some("_Bool"),
        Type::Int(kind) => Some(match kind {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LLong => "long long",
            IntKind::ULLong => "unsigned long long",
            _ => return None,
        }),
        // An enumeration without negative values is compatible with `unsigned int` (gcc).
        Type::Enum(_) => Some(if program.types.is_signed(id) { "int" } else { "unsigned int" }),
        _ => None,
    }
}

/// The property without the end of the choice in its meaning, which no user has written.
#[must_use]
pub fn without_choice(property: RunProperty) -> RunProperty {
    let behind = property.formula.as_ref().and_then(prologue);
    let own = behind.filter(|(end, _)| property.texts.get(*end as usize).is_some_and(|text| text == CHOSEN));
    match own.map(|(_, inner)| axle_ltl::print::formula(inner, &property.texts)) {
        Some(meaning) => RunProperty { meaning, ..property },
        None => property,
    }
}

/// Removes the end of the choice from an execution that is shown. Executions that are compared keep it.
pub fn hide_choice(trace: &mut Trace) {
    for step in &mut trace.steps {
        step.changes.retain(|change| change.name != CHOSEN);
        step.turned.retain(|turned| turned.proposition != CHOSEN);
    }
    let later = trace.steps.iter_mut().filter_map(|step| step.observed.as_mut());
    for observed in trace.start.iter_mut().chain(later) {
        observed.holds.retain(|text| text != CHOSEN);
    }
}

impl Project {
    /// Prepares an execution for readers: without the choice of the provisioning, and with the declared
    /// lanes. Executions that are compared keep the choice.
    pub fn present(&self, trace: &mut Trace) {
        hide_choice(trace);
        self.declare_lanes(trace);
    }
}

/// The formula as it is evaluated: from the end of the choice on, where that makes a difference.
#[must_use]
pub fn formula(text: &str, flags: &[Flag]) -> String {
    let Ok(parsed) = axle_ltl::parse(text) else { return text.to_string() };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mentions = |flag: &Flag| {
        let mut words = text.split(|c: char| !is_word(c));
        words.any(|word| word == flag.variable.value)
    };
    match parsed.formula.has_next() || flags.iter().any(mentions) {
        true => format!("(!{{{CHOSEN}}}) W ({{{CHOSEN}}} && ({text}))"),
        false => text.to_string(),
    }
}
