//! What a row does to the behaviours of the program: nothing (exact), adds some (over), leaves some
//! out (under). Holzmann's classes (*Software Model Checking*, section 4) are slicing, which is
//! exact; generalisation, which is over; restriction, which is neither.
//!
//! *Entry point:* [`judge`].
//! *Invariant:* Exact is said only of what is known to be; text written by hand is neither unless
//! the user answers for it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Program;
use crate::generate::Use;
use crate::item::{Class, Item};
use crate::keep;
use crate::lookup::Reason;
use crate::names::Names;
use crate::syntax::{Decl, Expr, Function, Init, Kind};
use crate::table::{Label, Mapping, Table, ValueMap};

/// Functions that change nothing a model could have.
const HARMLESS: &[&str] = &[
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "usleep",
    "sleep",
    "nanosleep",
    "sched_yield",
    "thrd_yield",
    "strlen",
    "strcmp",
    "strncmp",
    "abs",
    "labs",
];

/// A statement of the model, judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// What it does to behaviours.
    pub label: Label,
    /// Why, in a phrase; empty when it is exact.
    pub why: String,
}

/// What is known of the program and the model.
pub(crate) struct Knowledge<'a> {
    /// The names that objects have in the model.
    names: &'a Names,
    /// Names in the text of the process and of the wrapper.
    pub own: &'a FxHashSet<String>,
    /// These, and the names in the other processes.
    pub model: &'a FxHashSet<String>,
    /// Parameters and variables of the function.
    pub locals: FxHashSet<Arc<str>>,
    /// Variables outside of functions.
    pub globals: FxHashSet<Arc<str>>,
    /// Objects that a pointer may lead to.
    pub exposed: FxHashSet<Arc<str>>,
    /// Parameters and locals that are pointers.
    pub pointers: FxHashSet<Arc<str>>,
    /// Variables whose address is taken somewhere: another thread may have it.
    pub addressed: FxHashSet<Arc<str>>,
    /// Variables whose type has values that Promela's types have not, or the other way round.
    pub foreign: FxHashSet<Arc<str>>,
    /// Variables that are 0 or 1, to which C gives 1 where Promela keeps the last bit.
    pub truths: FxHashSet<Arc<str>>,
    /// Variables that the wrapper declares with another type than that of the program, and what it
    /// says.
    pub retyped: FxHashMap<Arc<str>, String>,
    /// Classes of values that the table speaks of here.
    pub maps: Vec<&'a ValueMap>,
}

impl<'a> Knowledge<'a> {
    pub fn new(
        program: &'a Program,
        function: &Function,
        own: &'a FxHashSet<String>,
        model: &'a FxHashSet<String>,
        maps: Vec<&'a ValueMap>,
        wrapper: &str,
    ) -> Knowledge<'a> {
        let (unit, names) = (&program.unit, &program.names);
        let (mut addressed, mut pointers) = (FxHashSet::default(), FxHashSet::default());
        let globals: FxHashSet<Arc<str>> =
            unit.globals.iter().flat_map(|decl| &decl.declared).map(|one| one.name.clone()).collect();
        let arrays = unit.globals.iter().flat_map(|decl| &decl.declared);
        let arrays: Vec<Arc<str>> =
            arrays.filter(|one| one.text.contains('[')).map(|one| one.name.clone()).collect();
        let mut taken = |expr: &Expr| {
            if let Kind::Prefix("&", object) = &expr.kind
                && let Some((name, false)) = object.base()
            {
                addressed.insert(name.clone());
            }
        };
        let mut listed = Vec::new();
        for one in unit.globals.iter().flat_map(|decl| &decl.declared) {
            match &one.init {
                Some(Init::Value(value)) => value.walk(&mut taken),
                Some(Init::List(text)) => listed.extend(addresses_in(text)),
                None => {}
            }
        }
        for stmt in unit.functions.iter().flat_map(|one| &one.body) {
            stmt.expressions(&mut taken);
            stmt.declarations(&mut |decl| {
                for one in &decl.declared {
                    if let Some(Init::List(text)) = &one.init {
                        listed.extend(addresses_in(text));
                    }
                }
            });
        }
        addressed.extend(listed);
        let mut exposed = addressed.clone();
        exposed.extend(arrays);
        let (mut foreign, mut truths) = (FxHashSet::default(), FxHashSet::default());
        let mut note = |decl: &Decl| {
            let names = decl.declared.iter().map(|one| one.name.clone());
            if !keep::is_exact_type(&decl.base) {
                foreign.extend(names);
            } else if &*decl.base == "_Bool" {
                truths.extend(names);
            }
        };
        unit.globals.iter().for_each(&mut note);
        function.params.iter().for_each(|param| note(&param.decl));
        function.body.iter().for_each(|stmt| stmt.declarations(&mut note));
        let mut declared = Vec::new();
        function.params.iter().for_each(|param| declared.extend(&param.decl.declared));
        let params = declared.len();
        for stmt in &function.body {
            stmt.declarations(&mut |decl| declared.extend(&decl.declared));
        }
        let locals = declared.iter().map(|one| one.name.clone()).collect();
        for (index, one) in declared.into_iter().enumerate() {
            // An array as a parameter is a pointer.
            if one.text.starts_with('*') || index < params && one.text.contains('[') {
                pointers.insert(one.name.clone());
            } else if one.text.contains('[') {
                exposed.insert(one.name.clone());
            }
        }
        let mut retyped = FxHashMap::default();
        let wrapped = declared_in(wrapper);
        for decl in &unit.globals {
            let own = keep::promela_type(&decl.base).0;
            for one in &decl.declared {
                // Of several of one name, any may be the one that is meant.
                let other =
                    wrapped.iter().find(|(name, ty)| *name == names.model_name(&one.name) && *ty != own);
                if let Some((_, ty)) = other.filter(|_| !decl.base.starts_with("enum ")) {
                    retyped.insert(one.name.clone(), ty.clone());
                }
            }
        }
        Knowledge {
            names,
            own,
            model,
            locals,
            globals,
            exposed,
            pointers,
            addressed,
            foreign,
            truths,
            retyped,
            maps,
        }
    }

    /// Whether the model has something of this name: local objects belong to the function alone.
    fn has(&self, name: &str) -> bool {
        let names = if self.locals.contains(name) { self.own } else { self.model };
        names.contains(&self.names.model_name(name))
    }
}

/// What an expression does besides giving a value.
#[derive(Default)]
struct Effects {
    /// Names of objects that it changes, and whether through a pointer.
    writes: Vec<(Arc<str>, bool)>,
    /// It changes something that has no name.
    unknown: bool,
    /// Functions that it calls, but for harmless ones.
    calls: Vec<String>,
}

fn effects(expr: &Expr) -> Effects {
    let mut effects = Effects::default();
    expr.walk(&mut |part| match &part.kind {
        Kind::Assign(_, target, _) | Kind::Prefix("++" | "--", target) | Kind::Postfix(target, _) => {
            match target.base() {
                Some((name, pointer)) => effects.writes.push((name.clone(), pointer)),
                None => effects.unknown = true,
            }
        }
        Kind::Call(function, _) => match &function.kind {
            Kind::Name(name) if HARMLESS.contains(&&**name) => {}
            Kind::Name(name) => effects.calls.push(name.to_string()),
            _ => effects.calls.push("a function".into()),
        },
        Kind::Opaque(text) if text.starts_with("({") => effects.unknown = true,
        _ => {}
    });
    effects
}

fn exact() -> (Label, String) {
    (Label::EXACT, String::new())
}

/// What is lost when the effects of an expression leave no trace.
fn hidden(expr: Option<&Expr>, known: &Knowledge<'_>) -> (Label, String) {
    let Some(expr) = expr else { return exact() };
    let effects = effects(expr);
    for (name, pointer) in &effects.writes {
        let through = *pointer || known.pointers.contains(name);
        if !through && known.has(name) {
            return (Label::BOTH, format!("hides a change of `{name}`, which the model has"));
        }
        if through && let Some(other) = known.exposed.iter().find(|other| known.has(other)) {
            return (
                Label::BOTH,
                format!(
                    "hides a change through `{name}`, which may be one of `{other}`, which the model has"
                ),
            );
        }
    }
    if effects.unknown {
        return (Label::BOTH, "hides a change of something unknown".into());
    }
    match effects.calls.first() {
        Some(name) => (Label::BOTH, format!("`{name}` is taken to return and to change nothing")),
        None => exact(),
    }
}

/// Accesses to memory that another thread may see.
fn shared(expr: &Expr, known: &Knowledge<'_>) -> usize {
    let of = |expr: &Expr| shared(expr, known);
    let place = |target: &Expr| -> usize {
        match &target.kind {
            Kind::Name(name) => usize::from(known.globals.contains(name) || known.addressed.contains(name)),
            Kind::Prefix("*", _) | Kind::Member(_, "->", _) => 1,
            _ => target.base().map_or(1, |(name, pointer)| {
                let own = !known.globals.contains(name) && !known.addressed.contains(name);
                usize::from(pointer || known.pointers.contains(name) || !own)
            }),
        }
    };
    match &expr.kind {
        Kind::Assign("=", target, value) => place(target) + indices(target, known) + of(value),
        Kind::Assign(_, target, value) => 2 * place(target) + indices(target, known) + of(value),
        Kind::Prefix("++" | "--", target) | Kind::Postfix(target, _) => {
            2 * place(target) + indices(target, known)
        }
        Kind::Prefix("&", _) => 0,
        Kind::Name(_) | Kind::Member(..) | Kind::Index(..) | Kind::Prefix("*", _) => {
            place(expr) + indices(expr, known)
        }
        Kind::Call(_, args) => args.iter().map(of).sum(),
        _ => expr.parts().into_iter().map(of).sum(),
    }
}

/// Accesses that finding an object takes.
fn indices(target: &Expr, known: &Knowledge<'_>) -> usize {
    match &target.kind {
        Kind::Index(object, index) => indices(object, known) + shared(index, known),
        Kind::Member(object, "->", _) | Kind::Prefix("*", object) => shared(object, known),
        Kind::Member(object, _, _) => indices(object, known),
        _ => 0,
    }
}

fn kept(one: &Use, known: &Knowledge<'_>) -> (Label, String) {
    if one.changed {
        return (Label::BOTH, "a `Substitute` rule changed it".into());
    }
    if let Some((label, why)) = one.kept {
        return (label, why.into());
    }
    let decl = one.item.decl.as_ref();
    if decl.is_some_and(|decl| &*decl.base == "_Bool")
        && decl
            .into_iter()
            .flat_map(|decl| &decl.declared)
            .any(|one| matches!(&one.init, Some(Init::Value(value)) if !is_truth(value, known)))
    {
        return (Label::BOTH, TRUTH.into());
    }
    let initial = decl.into_iter().flat_map(|decl| &decl.declared).filter_map(|one| match &one.init {
        Some(Init::Value(value)) => Some(value),
        Some(Init::List(_)) | None => None,
    });
    let mut label = exact();
    for expr in one.item.expr.iter().chain(initial) {
        let (own, why) = kept_expression(one, expr, known);
        label = (label.0.join(own), if label.1.is_empty() { why } else { label.1 });
    }
    if let Some(map) = known.maps.iter().find(|map| one.item.names().iter().any(|name| **name == *map.name)) {
        let why = format!("of `{}` the model knows only the class of its value", map.name);
        label = (label.0.join(Label::OVER), why);
    }
    label
}

const TRUTH: &str = "C makes 1 of what is not 0, Promela keeps its last bit";

/// What keeping an expression does.
fn kept_expression(one: &Use, expr: &Expr, known: &Knowledge<'_>) -> (Label, String) {
    let (mut number, mut truth, mut narrow) = (None, false, None);
    // What is written decides: as long as all of it fits, both have the same values.
    let mut written = |target: &Expr, value: Option<&Expr>| {
        let Some((name, _)) = target.base().filter(|(name, _)| !known.locals.contains(*name)) else { return };
        match known.retyped.get(name) {
            Some(ty) if !value.is_some_and(|value| fits(ty, value, known)) => {
                narrow = Some((name.clone(), ty.clone()));
            }
            _ => {}
        }
    };
    expr.walk(&mut |part| match &part.kind {
        Kind::Literal(text) if !is_int(text) => number = Some(text.clone()),
        Kind::Assign(op, target, value) => {
            written(target, Some(value).filter(|_| *op == "=").map(|value| &**value));
            truth |= target.base().is_some_and(|(name, _)| known.truths.contains(name))
                && (*op != "=" || !is_truth(value, known));
        }
        Kind::Prefix("++" | "--", target) | Kind::Postfix(target, _) => {
            written(target, None);
            truth |= target.base().is_some_and(|(name, _)| known.truths.contains(name));
        }
        _ => {}
    });
    if let Some((name, ty)) = narrow {
        return (Label::BOTH, format!("`{name}` is `{ty}` in the wrapper, another type than in C"));
    }
    if let Some(text) = number {
        return (Label::BOTH, format!("`{text}` is no `int` in C, and one in Promela"));
    }
    if truth {
        return (Label::BOTH, TRUTH.into());
    }
    if let Some(name) = one.item.names().iter().find(|name| known.foreign.contains(*name)) {
        return (Label::BOTH, format!("the type of `{name}` has other values in Promela"));
    }
    let effects = effects(expr);
    let call = effects.calls.iter().find(|name| *name != "assert");
    if let Some(name) = call {
        return (Label::BOTH, format!("`{name}` is what the model makes of it"));
    }
    if shared(expr, known) > 1 {
        return (
            Label::UNDER,
            "one step of the model, in C several accesses to memory that is shared".into(),
        );
    }
    exact()
}

fn hides(mapping: &Mapping) -> bool {
    matches!(mapping, Mapping::Hide | Mapping::Comment | Mapping::Print | Mapping::Skip | Mapping::True)
}

fn by_hand() -> (Label, String) {
    (Label::BOTH, "written by hand".into())
}

fn condition(one: &Use, known: &Knowledge<'_>) -> (Label, String) {
    let expr = one.item.expr.as_ref();
    let (label, why) = match &one.found.mapping {
        Mapping::Keep => return kept(one, known),
        Mapping::Text(_) | Mapping::Havoc(..) => return by_hand(),
        Mapping::Assume(_) => (Label::UNDER, "what is assumed may not be so".to_string()),
        Mapping::False => (Label::UNDER, "the way is closed".to_string()),
        // What is kept of it holds for a whole class of values, of which `else` leaves out all.
        Mapping::Else if known.maps.iter().any(|map| one.item.names().iter().any(|n| **n == *map.name)) => {
            (Label::BOTH, "`else` of what holds for some values of a class".into())
        }
        Mapping::Else => match &one.opposite {
            Some(Mapping::Keep) => exact(),
            Some(mapping) if hides(mapping) => (Label::UNDER, "`else` of what is always possible".into()),
            Some(Mapping::False) => (Label::OVER, "`else` of what is never possible".into()),
            _ => by_hand(),
        },
        _ => (Label::OVER, "possible whatever the state".to_string()),
    };
    let (also, because) = hidden(expr, known);
    let why = if why.is_empty() || !because.is_empty() { because } else { why };
    (label.join(also), why)
}

/// Judges a statement of the model.
pub(crate) fn judge(one: &Use, table: &Table, known: &Knowledge<'_>) -> Judged {
    if let Reason::Row(line) = one.found.reason
        && let Some(label) = table.row(line).and_then(|row| row.vouched)
    {
        let why = if label == Label::EXACT { String::new() } else { "as the table says".into() };
        return Judged { label, why };
    }
    let Use { item, found, .. } = one;
    let (label, why) = match (item.class, &found.mapping) {
        (Class::Condition, _) => condition(one, known),
        (_, Mapping::Text(_) | Mapping::Else | Mapping::Nondet) => by_hand(),
        (_, Mapping::Assume(_)) => (Label::UNDER, "what is assumed may not be so".into()),
        (_, Mapping::False) => (Label::UNDER, "nothing comes behind it".into()),
        (_, Mapping::Havoc(..)) => (Label::BOTH, "any of the values given, and none but these".into()),
        // Its value goes nowhere.
        (Class::Return, Mapping::Keep) => hidden(item.expr.as_ref(), known),
        (_, Mapping::Keep) => kept(one, known),
        (Class::Declaration, _) => hidden_declaration(item, known),
        (_, Mapping::Hide | Mapping::Comment | Mapping::Print | Mapping::Skip | Mapping::True) => {
            hidden(item.expr.as_ref(), known)
        }
    };
    Judged { label, why }
}

fn hidden_declaration(item: &Item, known: &Knowledge<'_>) -> (Label, String) {
    let Some(decl) = &item.decl else { return exact() };
    if let Some(one) = decl.declared.iter().find(|one| known.has(&one.name)) {
        return (Label::BOTH, format!("the model has another `{}` than this", one.name));
    }
    for one in &decl.declared {
        match &one.init {
            Some(Init::Value(value)) => {
                let (label, why) = hidden(Some(value), known);
                if label != Label::EXACT {
                    return (label, why);
                }
            }
            // As written, so that nothing is known of calls and changes in it.
            Some(Init::List(text))
                if text.contains(['(', '=']) || text.contains("++") || text.contains("--") =>
            {
                return (Label::BOTH, "the initial values may do more than give a value".into());
            }
            Some(Init::List(_)) | None => {}
        }
    }
    exact()
}

/// Whether a literal is an `int` in C: what has another type is computed with otherwise.
fn is_int(text: &str) -> bool {
    if text.starts_with(['\'', '"']) {
        return true;
    }
    let value = match text.get(..2) {
        Some("0x" | "0X") => i32::from_str_radix(&text[2..], 16),
        Some("0b" | "0B") => i32::from_str_radix(&text[2..], 2),
        _ if text.len() > 1 && text.starts_with('0') => i32::from_str_radix(text, 8),
        _ => text.parse(),
    };
    value.is_ok()
}

/// Whether a type of Promela has a value, whatever the state.
fn fits(ty: &str, value: &Expr, known: &Knowledge<'_>) -> bool {
    let number = match &value.kind {
        Kind::Prefix("-", inner) => {
            keep::as_value(inner).ok().and_then(|text| text.parse::<i64>().ok()).map(|n| -n)
        }
        Kind::Literal(_) => keep::as_value(value).ok().and_then(|text| text.parse().ok()),
        _ => None,
    };
    match (ty, number) {
        ("bit" | "bool", Some(number)) => (0..=1).contains(&number),
        ("byte", Some(number)) => (0..=255).contains(&number),
        ("short", Some(number)) => i16::try_from(number).is_ok(),
        ("int", Some(_)) => true,
        ("bit" | "bool" | "byte" | "short" | "int", None) => is_truth(value, known),
        _ => false,
    }
}

/// Whether a value is 0 or 1 whatever the state.
fn is_truth(expr: &Expr, known: &Knowledge<'_>) -> bool {
    match &expr.kind {
        Kind::Literal(text) => matches!(&**text, "0" | "1"),
        Kind::Name(name) => known.truths.contains(name),
        Kind::Prefix("!", _) => true,
        Kind::Binary(op, ..) => matches!(*op, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||"),
        Kind::Cond(_, Some(a), b) => is_truth(a, known) && is_truth(b, known),
        _ => false,
    }
}

/// Names behind a `&` in a list of initial values.
fn addresses_in(list: &str) -> Vec<Arc<str>> {
    let name = |rest: &str| {
        let rest = rest.trim_start_matches([' ', '(']);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        Arc::from(&rest[..end])
    };
    list.split('&').skip(1).map(name).collect()
}

/// The variables that a text of the model declares, with their types.
fn declared_in(text: &str) -> Vec<(String, String)> {
    let (mut sources, mut ignored) = (axle_source::Sources::new(), axle_source::Diagnostics::new());
    let file = sources.add("model", text);
    let tokens = axle_source::tokenize(file, axle_source::Dialect::Promela, &sources, &mut ignored);
    let mut found = Vec::new();
    // The type of the declaration that we are in, how deep in brackets, and whether a name may
    // come.
    let (mut ty, mut depth, mut name): (Option<String>, usize, bool) = (None, 0, false);
    for token in &tokens {
        let word = &*token.text;
        if token.kind == axle_source::TokenKind::Identifier {
            if matches!(
                word,
                "bit" | "bool" | "byte" | "short" | "int" | "unsigned" | "mtype" | "chan" | "pid"
            ) {
                (ty, depth, name) = (Some(word.to_string()), 0, true);
            } else if let (Some(ty), true, 0) = (&ty, name, depth) {
                found.push((word.to_string(), ty.clone()));
                name = false;
            }
            continue;
        }
        match word {
            "[" | "(" | "{" => depth += 1,
            "]" | ")" | "}" if depth > 0 => depth -= 1,
            "," if depth == 0 => name = true,
            ";" | "]" | ")" | "}" | "->" => ty = None,
            _ => {}
        }
    }
    found
}

/// Names in a text of the model, those in comments and strings left out.
pub(crate) fn names_in(text: &str, out: &mut FxHashSet<String>) {
    let (mut sources, mut ignored) = (axle_source::Sources::new(), axle_source::Diagnostics::new());
    let file = sources.add("model", text);
    let tokens = axle_source::tokenize(file, axle_source::Dialect::Promela, &sources, &mut ignored);
    for token in tokens {
        if token.kind == axle_source::TokenKind::Identifier {
            out.insert(token.text.to_string());
        }
    }
}
