//! The processes of a model: a wrapper includes `FUNCTION.spn`, inside of braces as a body, outside
//! as a process of its own (Holzmann, *Software Model Checking*, figure 22); a process may start
//! others as threads.
//!
//! *Entry points:* [`wanted`], [`unwrapped`], [`with_threads`].

use axle_source::{Diagnostics, Dialect, Sources, TokenKind, tokenize};

use crate::Program;
use crate::generate::Form;
use crate::lookup::{Reason, lookup};
use crate::resync::present;
use crate::table::{Mapping, Scope, Table};

/// The processes of a model without a wrapper: the functions after which tables are named, or else
/// `main`, or else the functions that a table has rows for. `tables`: each with the name of its
/// file without the extension.
#[must_use]
pub fn unwrapped(program: &Program, tables: &[(String, Table)]) -> Vec<(String, Form)> {
    let active = |names: Vec<String>| names.into_iter().map(|name| (name, Form::Active)).collect::<Vec<_>>();
    let is_function = |name: &str| program.unit.function(name).is_some();
    let mut own: Vec<String> =
        tables.iter().map(|(stem, _)| stem.clone()).filter(|stem| is_function(stem)).collect();
    own.sort();
    own.dedup();
    if !own.is_empty() {
        return active(own);
    }
    if is_function("main") {
        return active(vec!["main".into()]);
    }
    let has_rows = |name: &str| {
        let scope = Scope::Function(name.into());
        tables.iter().any(|(_, table)| table.rows().any(|(_, row)| row.scope == scope))
    };
    let functions = program.unit.functions.iter().map(|function| function.name.to_string());
    active(functions.filter(|name| has_rows(name)).collect())
}

/// The processes with those that they start as threads, which wait at their end until they are
/// joined. `table`: that of a function. `adds`: threads that are not among `wanted` are added.
#[must_use]
pub fn with_threads<'t>(
    program: &Program,
    wanted: Vec<(String, Form)>,
    table: impl Fn(&str) -> Option<&'t Table>,
    adds: bool,
) -> Vec<(String, Form)> {
    let mut wanted = wanted;
    let mut at = 0;
    while at < wanted.len() {
        let function = wanted[at].0.clone();
        at += 1;
        for started in table(&function).map(|table| starts(program, &function, table)).unwrap_or_default() {
            match wanted.iter_mut().find(|(known, _)| *known == started) {
                Some((_, form @ Form::Active)) => *form = Form::Thread,
                Some(_) => {}
                None if adds => wanted.push((started, Form::Thread)),
                None => {}
            }
        }
    }
    wanted
}

/// The functions of the program that a function starts as threads by rows of included tables.
fn starts(program: &Program, function: &str, table: &Table) -> Vec<String> {
    let Some(surveyed) = program.survey(function, false, &mut Diagnostics::new()) else { return Vec::new() };
    let present = present(std::slice::from_ref(&surveyed));
    let mut started = Vec::new();
    for item in &surveyed.items {
        let found = lookup(table, item, function, &surveyed.file, &present);
        let creates = matches!(found.reason, Reason::Included(..))
            && matches!(&found.mapping, Mapping::Text(text) if text.contains("run $"));
        for (_, value) in found.bindings.iter().filter(|_| creates) {
            let name = crate::generate::function_in(value);
            if program.unit.function(name).is_some() && !started.iter().any(|known| known == name) {
                started.push(name.to_string());
            }
        }
    }
    started
}

/// The functions whose text a wrapper includes, in order, each in the form that its place asks for.
#[must_use]
pub fn wanted(text: &str) -> Vec<(String, Form)> {
    let (mut sources, mut ignored) = (Sources::new(), Diagnostics::new());
    let file = sources.add("wrapper", text);
    let tokens = tokenize(file, Dialect::Promela, &sources, &mut ignored);
    let (mut wanted, mut depth) = (Vec::new(), 0usize);
    for (index, token) in tokens.iter().enumerate() {
        if token.is_punct("{") {
            depth += 1;
        } else if token.is_punct("}") {
            depth = depth.saturating_sub(1);
        }
        let directive = token.is_punct("#") && token.newline_before;
        let [word, name] = [tokens.get(index + 1), tokens.get(index + 2)];
        let (Some(word), Some(name)) = (word, name) else { continue };
        if !directive || !word.is_ident("include") || name.kind != TokenKind::String {
            continue;
        }
        let path = name.text.trim_matches('"');
        let stem = path.strip_suffix(".spn").map(|path| path.rsplit('/').next().unwrap_or(path));
        if let Some(function) = stem
            && !wanted.iter().any(|(known, _)| known == function)
        {
            let form = if depth == 0 { Form::Active } else { Form::Body };
            wanted.push((function.to_string(), form));
        }
    }
    wanted
}
