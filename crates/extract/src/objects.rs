//! Which object of the model a C lvalue denotes: `b->lock` may be the member `lock` of the variable
//! `box`.
//!
//! An `Object` directive of the table says so, and its author answers for it. Without one, a
//! pointer to a structure leads to the only variable of this type, where there is only one: an
//! object is accessed by an lvalue of its own type (C11 6.5p7), so with one declared object and no
//! allocation no other object can be meant.
//!
//! *Entry point:* [`Objects::resolve`].
//! *Invariant:* an lvalue that is not understood stays as it is, and Promela has no word for it.

use std::sync::Arc;

use axle_source::{Diagnostics, Dialect, Sources, tokenize};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pattern::{self, fill};
use crate::read::{Unit, read_expression};
use crate::syntax::{Decl, Expr, Function, Init, Kind};
use crate::table::{Object, Table};

/// Functions that make objects without a declaration.
const ALLOCATORS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "posix_memalign",
    "reallocarray",
    "alloca",
    "__builtin_alloca",
    "mmap",
    "strdup",
    "strndup",
];

/// The objects that lvalues of a function denote.
pub(crate) struct Objects<'a> {
    unit: &'a Unit,
    function: &'a Function,
    /// The directives in force, in order.
    directives: Vec<&'a Object>,
    /// The only variable of each structure type, by the key of the type.
    only: FxHashMap<&'a str, Arc<str>>,
}

impl<'a> Objects<'a> {
    pub fn new(unit: &'a Unit, function: &'a Function, table: &'a Table) -> Objects<'a> {
        let takes = |one: &&Object| one.scope.takes(&function.name, &function.file);
        let directives = table.objects.iter().filter(takes).collect();
        Objects { unit, function, directives, only: only_objects(unit) }
    }

    /// The enumeration that a typedef name stands for; any other type as it is.
    pub fn enumeration<'t>(&'t self, base: &'t str) -> &'t str {
        Some(self.unit.tags.resolve(base)).filter(|other| other.starts_with("enum")).unwrap_or(base)
    }

    /// Words of the model in the directives.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let words = |to: &'a str| to.split(|c: char| !c.is_alphanumeric() && c != '_');
        self.directives.iter().flat_map(move |one| words(&one.to))
    }

    /// The expression with lvalues replaced by the objects of the model that they denote. The lines
    /// of the directives that say so are added to `used`.
    pub fn resolve(&self, expr: &Expr, used: &mut Vec<usize>) -> Expr {
        for directive in &self.directives {
            let mut bindings = Vec::new();
            if !pattern::fit(&directive.from, expr, &mut bindings) {
                continue;
            }
            let types = FxHashSet::default();
            for (_, value) in &mut bindings {
                if let Some(inner) = parse(value, &self.unit.types) {
                    *value = crate::canonical::text(&self.resolve(&inner, used));
                }
            }
            if let Some(object) = parse(&fill(&directive.to, &bindings), &types) {
                used.push(directive.line);
                return object;
            }
        }
        let variable = |pointer: &Expr| {
            let Kind::Name(name) = &pointer.kind else { return None };
            let (_, declared) = self.unit.declaration(name, self.function)?;
            let stars = declared.text.matches('*').count();
            if stars != 1 || declared.text.contains(['[', '(']) {
                return None;
            }
            let base = self.unit.base_of(pointer, self.function)?;
            let name = self.only.get(self.unit.tags.key(base))?;
            Some(Expr { kind: Kind::Name(name.clone()), loc: pointer.loc, depth: 1 })
        };
        let kind = match &expr.kind {
            Kind::Member(pointer, "->", member) => match variable(pointer) {
                Some(object) => Kind::Member(object.into(), ".", member.clone()),
                None => Kind::Member(self.resolve(pointer, used).into(), "->", member.clone()),
            },
            Kind::Prefix("*", pointer) if is_structure(self.unit, pointer, self.function) => {
                match variable(pointer) {
                    Some(object) => object.kind,
                    None => expr.kind.clone(),
                }
            }
            _ => return expr.map(&mut |part| self.resolve(part, used)),
        };
        Expr { kind, ..expr.clone() }
    }
}

fn is_structure(unit: &Unit, pointer: &Expr, function: &Function) -> bool {
    unit.base_of(pointer, function).is_some_and(|base| unit.tags.record(base).is_some())
}

fn parse(text: &str, types: &FxHashSet<Arc<str>>) -> Option<Expr> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("object", text);
    let tokens = tokenize(file, Dialect::C, &sources, &mut diagnostics);
    read_expression(&tokens, &sources, types, &mut diagnostics).ok().filter(|_| diagnostics.is_empty())
}

/// The structure types of which the program has exactly one object, a variable outside of functions.
fn only_objects(unit: &Unit) -> FxHashMap<&str, Arc<str>> {
    let mut allocates = false;
    for stmt in unit.functions.iter().flat_map(|function| &function.body) {
        stmt.expressions(&mut |expr| {
            allocates |= match &expr.kind {
                Kind::Call(function, _) => {
                    matches!(&function.kind, Kind::Name(name) if ALLOCATORS.contains(&&**name))
                }
                // A compound literal is an object.
                Kind::Opaque(text) => text.contains("){"),
                _ => false,
            };
        });
        stmt.declarations(&mut |decl| {
            let lists = decl.declared.iter().filter_map(|one| one.init.as_ref());
            allocates |=
                lists.into_iter().any(|init| matches!(init, Init::List(text) if text.contains("){")));
        });
    }
    if allocates {
        return FxHashMap::default();
    }
    // How many objects of each type there are, and the variable that one is.
    let mut found: FxHashMap<&str, (usize, Option<Arc<str>>)> = FxHashMap::default();
    for decl in &unit.globals {
        for one in &decl.declared {
            let is_extern = decl.storage.iter().any(|word| &**word == "extern");
            let again = !is_extern
                && one.init.is_none()
                && found.values().any(|(_, name)| name.as_ref() == Some(&one.name));
            if is_extern || again || is_pointer(&one.text) {
                continue;
            }
            let variable = Some(&one.name).filter(|_| !one.derived);
            count(unit, decl, variable, if one.derived { 2 } else { 1 }, &mut found, 0);
        }
    }
    let mut local = |decl: &'_ Decl| {
        let objects = decl.declared.iter().filter(|one| !is_pointer(&one.text)).count();
        // A call makes one each, and several calls several.
        if objects > 0 {
            mark(unit, &decl.base, &mut found);
        }
    };
    for function in &unit.functions {
        function.params.iter().for_each(|param| local(&param.decl));
        function.body.iter().for_each(|stmt| stmt.declarations(&mut local));
    }
    let only =
        found.into_iter().filter_map(|(key, (objects, name))| Some((key, name.filter(|_| objects == 1)?)));
    only.collect()
}

fn is_pointer(declarator: &str) -> bool {
    declarator.starts_with(['*', '('])
}

/// Counts the objects in a declared one: itself, and those that its members are.
fn count<'u>(
    unit: &'u Unit,
    decl: &'u Decl,
    variable: Option<&Arc<str>>,
    objects: usize,
    found: &mut FxHashMap<&'u str, (usize, Option<Arc<str>>)>,
    depth: usize,
) {
    let Some(members) = unit.tags.record(&decl.base).filter(|_| depth < 20) else { return };
    let own = found.entry(unit.tags.key(&decl.base)).or_default();
    own.0 += objects;
    own.1 = variable.cloned();
    for member in members {
        for one in member.declared.iter().filter(|one| !is_pointer(&one.text)) {
            count(unit, member, None, objects * if one.derived { 2 } else { 1 }, found, depth + 1);
        }
    }
}

/// Notes objects of a type, and of the types of its members, whose number is not known.
fn mark<'u>(unit: &'u Unit, base: &str, found: &mut FxHashMap<&'u str, (usize, Option<Arc<str>>)>) {
    let mut waiting = vec![unit.tags.key(base).to_string()];
    let mut seen = FxHashSet::default();
    while let Some(base) = waiting.pop() {
        if !seen.insert(base.clone()) {
            continue;
        }
        if let Some((key, members)) = unit.tags.record_entry(&base) {
            found.entry(key).or_default().0 += 2;
            waiting.extend(members.iter().map(|member| unit.tags.key(&member.base).to_string()));
        }
    }
}
