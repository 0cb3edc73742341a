//! The effect of a row on the behaviours of the program: nothing (exact), adds some (over), leaves some
//! out (under). Holzmann's classes (*Software Model Checking*, section 4) are slicing, which is
//! exact; generalisation, which is over; restriction, which is neither.
//!
//! *Entry point:* `judge`.
//! *Invariant:* a row is exact only if this is known; text written by hand is neither unless
//! the user answers for it.

use std::sync::Arc;

use axle_source::Loc;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Program;
use crate::generate::Use;
use crate::item::{Class, Item};
use crate::keep;
use crate::locksets::{Guards, STARTS_THREAD, name_of};
use crate::lookup::Reason;
use crate::names::Names;
use crate::objects::Objects;
use crate::read::Unit;
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
    /// Its effect on behaviours.
    pub label: Label,
    /// Why, in a phrase; empty when it is exact.
    pub why: String,
}

/// Facts about the program and the model.
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
    /// Variables that the wrapper declares with another type than that of the program, with that
    /// type.
    pub retyped: FxHashMap<Arc<str>, String>,
    /// Classes of values to which the table refers here.
    pub maps: Vec<&'a ValueMap>,
    /// The variables that the wrapper declares, members included, and their types.
    wrapped: Vec<(String, String)>,
    /// Variables that are one each in several files.
    several: FxHashSet<Arc<str>>,
    /// A call after which mutexes may be of other kinds than the normal one.
    kinds: Option<&'static str>,
    program: &'a Program,
    function: &'a Function,
    table: &'a Table,
    /// Variables that locks guard.
    guards: Guards,
    /// How often the wrapper names something.
    mentions: FxHashMap<String, usize>,
    /// Whether the model begins with this process alone.
    begins_alone: bool,
}

/// The environment of a process in the model.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// Names in the text of the process and of the wrapper.
    pub own: &'a FxHashSet<String>,
    /// These, and the names in the other processes.
    pub model: &'a FxHashSet<String>,
    /// The text of the wrapper.
    pub wrapper: &'a str,
    /// The texts of the processes.
    pub processes: &'a str,
}

impl<'a> Knowledge<'a> {
    pub fn new(
        program: &'a Program,
        function: &'a Function,
        table: &'a Table,
        around: &Around<'a>,
        maps: Vec<&'a ValueMap>,
    ) -> Knowledge<'a> {
        let Around { own, model, wrapper, processes } = *around;
        let (unit, names) = (&program.unit, &program.names);
        let (mut addressed, mut pointers) = (FxHashSet::default(), FxHashSet::default());
        let globals: FxHashSet<Arc<str>> =
            unit.globals.iter().flat_map(|decl| &decl.declared).map(|one| one.name.clone()).collect();
        let arrays = unit.globals.iter().flat_map(|decl| &decl.declared);
        let arrays: Vec<Arc<str>> =
            arrays.filter(|one| one.text.contains('[')).map(|one| one.name.clone()).collect();
        // The handle of a thread is written by the call that starts it; no other thread gets its address.
        let mut handles: FxHashSet<*const Expr> = FxHashSet::default();
        let mut taken = |expr: &Expr| {
            if let Kind::Call(function, args) = &expr.kind
                && matches!(&function.kind, Kind::Name(name) if STARTS_THREAD.contains(&&**name))
            {
                handles.extend(args.first().map(std::ptr::from_ref));
            }
            if let Kind::Prefix("&", object) = &expr.kind
                && !handles.contains(&std::ptr::from_ref(expr))
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
            let is_enum = unit.tags.resolve(&decl.base).starts_with("enum");
            if !is_enum && !keep::is_exact_type(&decl.base) && table.type_of(&decl.base).is_none() {
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
                let is_enum = unit.tags.resolve(&decl.base).starts_with("enum");
                if let Some((_, ty)) = other.filter(|_| !is_enum) {
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
            wrapped,
            several: in_several_files(unit),
            kinds: other_kinds(unit),
            program,
            function,
            table,
            guards: Guards::of(unit, table),
            mentions: mentions(wrapper),
            begins_alone: begins_alone(wrapper, processes),
        }
    }

    /// Whether the program has one thread at a place, and the model one process.
    fn is_sequential(&self, loc: Loc) -> bool {
        self.begins_alone && self.guards.is_sequential(loc)
    }

    /// Whether this is an end of `main` that threads of the model may outlive.
    fn leaves_threads(&self, loc: Loc) -> bool {
        let starts = &*self.function.name == "main" && !self.table.included.is_empty();
        let at_end = loc == self.function.end && self.guards.joins_all;
        starts && self.guards.has_threads && !at_end && !self.is_sequential(loc)
    }

    /// Whether a lock guards all accesses to an object, those of other processes of the model too.
    fn is_guarded(&self, target: &Expr) -> bool {
        let objects = Objects::new(&self.program.unit, self.function, self.table);
        let Some(name) = name_of(&objects.resolve(target, &mut Vec::new())) else { return false };
        let last = self.names.model_name(name.rsplit('.').next().unwrap_or_default());
        self.guards.has(&name) && self.mentions.get(&last).is_none_or(|count| *count <= 1)
    }

    /// The member of a structure that an lvalue denotes. In a program without unions, no lvalue of
    /// another member denotes a part of it.
    fn member<'e>(&self, target: &'e Expr) -> Option<&'e Arc<str>> {
        let unit = &self.program.unit;
        match &target.kind {
            Kind::Member(_, _, member) if !unit.tags.has_unions => {
                unit.base_of(target, self.function).map(|_| member)
            }
            Kind::Index(array, _) => self.member(array),
            _ => None,
        }
    }

    /// A part of an expression whose type has other values in Promela.
    fn foreign(&self, expr: &Expr) -> Option<Arc<str>> {
        let of = |expr: &Expr| self.foreign(expr);
        match &expr.kind {
            Kind::Name(name) => self.foreign.contains(name).then(|| name.clone()),
            // The type of the member decides, not that of the structure.
            Kind::Member(object, _, member) => {
                let unit = &self.program.unit;
                match unit.base_of(expr, self.function) {
                    Some(base) if self.is_exact(base) => inner_indices(object).into_iter().find_map(of),
                    _ => Some(member.clone()),
                }
            }
            Kind::Call(_, args) => args.iter().find_map(of),
            _ => expr.parts().into_iter().find_map(of),
        }
    }

    fn foreign_declared(&self, decl: &Decl) -> Option<Arc<str>> {
        let mut names = decl.declared.iter().map(|one| &one.name);
        names.find(|name| self.foreign.contains(*name)).cloned()
    }

    fn is_exact(&self, base: &str) -> bool {
        let is_enum = self.program.unit.tags.resolve(base).starts_with("enum");
        is_enum || keep::is_exact_type(base) || self.table.type_of(base).is_some()
    }

    /// The type that the wrapper gives the object of the model that an lvalue denotes, where it is
    /// not that of the program.
    fn retyped(&self, target: &Expr) -> Option<(Arc<str>, String)> {
        if let Kind::Name(name) = &target.kind
            && let Some(ty) = self.retyped.get(name)
        {
            return Some((name.clone(), ty.clone()));
        }
        let unit = &self.program.unit;
        let own = keep::promela_type(unit.base_of(target, self.function)?).0;
        let objects = Objects::new(unit, self.function, self.table);
        let mut object = &objects.resolve(target, &mut Vec::new());
        while let Kind::Index(array, _) = &object.kind {
            object = array;
        }
        let name = match &object.kind {
            Kind::Name(name) | Kind::Member(_, _, name) => name.clone(),
            _ => return None,
        };
        let (mut named, mut array) = (false, target);
        while let Kind::Index(inner, _) = &array.kind {
            array = inner;
        }
        // A variable by its own name was looked at already.
        if let Kind::Name(own) = &array.kind {
            named = *own == name;
        }
        let model = self.names.model_name(&name);
        let other =
            self.wrapped.iter().filter(|_| !named).find(|(wrapped, ty)| *wrapped == model && *ty != own);
        other.map(|(_, ty)| (name, ty.clone()))
    }

    /// Whether the model has something of this name, or the class of its value: local objects belong to the
    /// function alone.
    fn has(&self, name: &str) -> bool {
        let names = if self.locals.contains(name) { self.own } else { self.model };
        let has_class = |map: &&ValueMap| {
            let model = map.model.rsplit(':').next().unwrap_or_default();
            *map.name == *name && names.contains(model)
        };
        names.contains(&self.names.model_name(name)) || self.maps.iter().any(has_class)
    }
}

/// The side effects of an expression.
#[derive(Default)]
struct Effects {
    /// Names of objects that it changes, whether through a pointer, and the member of a structure
    /// that is changed, where no other object can be there.
    writes: Vec<(Arc<str>, bool, Option<Arc<str>>)>,
    /// It changes something that has no name.
    unknown: bool,
    /// Functions that it calls, but for harmless ones.
    calls: Vec<String>,
}

fn effects(expr: &Expr, known: &Knowledge<'_>) -> Effects {
    let mut effects = Effects::default();
    expr.walk(&mut |part| match &part.kind {
        Kind::Assign(_, target, _) | Kind::Prefix("++" | "--", target) | Kind::Postfix(target, _) => {
            match target.base() {
                Some((name, pointer)) => {
                    effects.writes.push((name.clone(), pointer, known.member(target).cloned()));
                }
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

/// The loss if the effects of an expression are omitted.
fn hidden(expr: Option<&Expr>, known: &Knowledge<'_>) -> (Label, String) {
    let Some(expr) = expr else { return exact() };
    let effects = effects(expr, known);
    for (name, pointer, member) in &effects.writes {
        let through = *pointer || known.pointers.contains(name);
        if member.as_ref().is_some_and(|member| !known.model.contains(&known.names.model_name(member))) {
            continue;
        }
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
        if known.is_guarded(target) {
            return 0;
        }
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

/// The indices in an lvalue.
fn inner_indices(object: &Expr) -> Vec<&Expr> {
    match &object.kind {
        Kind::Index(array, index) => {
            let mut all = inner_indices(array);
            all.push(index);
            all
        }
        Kind::Member(object, ..) | Kind::Prefix("*", object) => inner_indices(object),
        _ => Vec::new(),
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
        return (Label::BOTH, SUBSTITUTED.into());
    }
    if let Some(name) = one.item.names().iter().find(|name| known.several.contains(*name)) {
        return (Label::BOTH, format!("several files have a variable `{name}`, and the model has one"));
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

const SUBSTITUTED: &str = "a `Substitute` rule changed it";

const TRUTH: &str = "C makes 1 of what is not 0, Promela keeps its last bit";

/// The effect of keeping an expression.
fn kept_expression(one: &Use, expr: &Expr, known: &Knowledge<'_>) -> (Label, String) {
    let (mut number, mut truth, mut narrow) = (None, false, None);
    // The written values decide: as long as all of them fit, both have the same values.
    let mut written = |target: &Expr, value: Option<&Expr>| {
        let local = |(name, pointer): (&Arc<str>, bool)| known.locals.contains(name) && !pointer;
        if target.base().is_none_or(local) {
            return;
        }
        match known.retyped(target) {
            Some((name, ty)) if !value.is_some_and(|value| fits(&ty, value, known)) => {
                narrow = Some((name, ty))
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
    if let Some(name) =
        one.item.decl.iter().find_map(|decl| known.foreign_declared(decl)).or_else(|| known.foreign(expr))
    {
        return (Label::BOTH, format!("the type of `{name}` has other values in Promela"));
    }
    let effects = effects(expr, known);
    let call = effects.calls.iter().find(|name| *name != "assert");
    if let Some(name) = call {
        return (Label::BOTH, format!("`{name}` is what the model makes of it"));
    }
    if shared(expr, known) > 1 && !known.is_sequential(one.loc) {
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
        // The kept condition holds for a whole class of values, of which `else` omits all.
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
    if let Reason::Included(index, line) = one.found.reason
        && let Some(label) = table.included.get(index).and_then(|one| one.table.row(line)?.vouched)
    {
        let (label, why) = library(one, label, known);
        return Judged { label, why };
    }
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
        // The program ends with `main`, and its threads with it.
        (Class::Return, _) if known.leaves_threads(one.loc) => {
            let (label, why) = hidden(item.expr.as_ref(), known);
            let goes_on = "threads that are not joined go on after `main` ends".to_string();
            (label.join(Label::OVER), if why.is_empty() { goes_on } else { why })
        }
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

/// A row of an included table: its label holds as long as the objects are those of the call, and
/// finding them accesses nothing that is shared.
fn library(one: &Use, label: Label, known: &Knowledge<'_>) -> (Label, String) {
    if one.changed {
        let help = "`Object` says which object of the model it is";
        return (Label::BOTH, format!("{SUBSTITUTED}; {help}"));
    }
    if let Some(name) = one.item.names().iter().find(|name| known.several.contains(*name)) {
        return (Label::BOTH, format!("several files have a variable `{name}`, and the model has one"));
    }
    let mut accesses = 0;
    let (mut locks, mut called) = (false, None);
    if let Some(expr) = &one.item.expr {
        expr.walk(&mut |part| {
            let Kind::Call(function, args) = &part.kind else { return };
            if let Kind::Name(name) = &function.kind {
                locks |= name.contains("mutex") || name.contains("mtx") || name.contains("cond_wait");
                called = Some(name.clone());
            }
            for arg in args {
                accesses += match &arg.kind {
                    Kind::Prefix("&", object) => indices(object, known),
                    _ => shared(arg, known),
                };
            }
        });
    }
    if let Some(call) = known.kinds.filter(|_| locks) {
        return (Label::BOTH, format!("the program calls `{call}`: the mutex may be of another kind"));
    }
    if accesses > 0 && !known.is_sequential(one.loc) {
        let why = format!(
            "one step of the model, in which C reads shared memory before `{}`",
            called.unwrap_or_default()
        );
        return (label.join(Label::UNDER), why);
    }
    (label, String::new())
}

/// A call by which mutexes get another kind than the normal one, where the program has one.
fn other_kinds(unit: &Unit) -> Option<&'static str> {
    const KINDS: &[&str] = &[
        "pthread_mutexattr_settype",
        "pthread_mutexattr_setrobust",
        "pthread_mutexattr_setprotocol",
        "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
        "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
        "mtx_recursive",
    ];
    let mut found = None;
    let mut look = |expr: &Expr| {
        if let Kind::Name(name) = &expr.kind {
            found = found.or(KINDS.iter().copied().find(|kind| **kind == **name));
        }
    };
    for decl in unit.globals.iter().flat_map(|decl| &decl.declared) {
        match &decl.init {
            Some(Init::Value(value)) => value.walk(&mut look),
            Some(Init::List(_)) | None => {}
        }
    }
    unit.functions.iter().flat_map(|one| &one.body).for_each(|stmt| stmt.expressions(&mut look));
    found
}

/// Variables of which several files have one each.
fn in_several_files(unit: &Unit) -> FxHashSet<Arc<str>> {
    let has = |decl: &Decl, word: &str| decl.storage.iter().any(|one| &**one == word);
    let mut defined: FxHashMap<Arc<str>, (usize, bool)> = FxHashMap::default();
    for decl in unit.globals.iter().filter(|decl| !has(decl, "extern")) {
        for one in &decl.declared {
            let entry = defined.entry(one.name.clone()).or_default();
            *entry = (entry.0 + 1, entry.1 || has(decl, "static"));
        }
    }
    defined
        .into_iter()
        .filter(|(_, (count, is_static))| *count > 1 && *is_static)
        .map(|(name, _)| name)
        .collect()
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

/// Whether a literal is an `int` in C: arithmetic on other types differs.
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

/// Whether a type of Promela contains a value in every state.
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

/// Whether a value is 0 or 1 in every state.
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

/// Whether a model begins with at most one process: the wrapper has none, and the extracted processes one.
fn begins_alone(wrapper: &str, processes: &str) -> bool {
    let around = mentions(wrapper);
    let own = mentions(processes).get("active").copied().unwrap_or(0);
    ["active", "proctype", "init"].iter().all(|word| !around.contains_key(*word)) && own <= 1
}

/// How often a text of the model names something outside of formulas, which only observe it.
fn mentions(text: &str) -> FxHashMap<String, usize> {
    let (mut sources, mut ignored) = (axle_source::Sources::new(), axle_source::Diagnostics::new());
    let file = sources.add("model", text);
    let tokens = axle_source::tokenize(file, axle_source::Dialect::Promela, &sources, &mut ignored);
    let mut found: FxHashMap<String, usize> = FxHashMap::default();
    // How deep in the braces of a formula.
    let (mut depth, mut begins) = (0usize, false);
    for token in &tokens {
        let is_name = token.kind == axle_source::TokenKind::Identifier;
        match &*token.text {
            "ltl" if depth == 0 && is_name => begins = true,
            "{" if begins || depth > 0 => (depth, begins) = (depth + 1, false),
            "}" if depth > 0 => depth -= 1,
            name if is_name && depth == 0 && !begins => *found.entry(name.to_string()).or_default() += 1,
            _ => {}
        }
    }
    found
}

/// The variables that a text of the model declares, with their types.
pub(crate) fn declared_in(text: &str) -> Vec<(String, String)> {
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
