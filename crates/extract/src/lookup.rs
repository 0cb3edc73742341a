//! Which row speaks of a statement. A text goes before a form with `$x`, that before `...`; then
//! the narrower scope counts, then a row with the statement's own prefix, then the one that stands
//! first. A row of an included table goes behind the table's own rows that fit as well. Without a
//! row, restrictions on data decide, and then the default of the class.
//!
//! *Entry point:* [`lookup`].

use rustc_hash::FxHashSet;

use crate::evaluate::value_of;
use crate::item::{Class, Item};
use crate::pattern::{Bindings, Fit, Pattern};
use crate::syntax::{Expr, Kind};
use crate::table::{Mapping, Row, Table};

/// The reason for the mapping of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The row in this line of the table, counted from 0.
    Row(usize),
    /// The restriction of this object.
    Object(String),
    /// A line of an included table: which of them, and the line, both counted from 0.
    Included(usize, usize),
    /// The default of its class.
    Default,
}

/// The mapping of a statement.
#[derive(Clone, Debug)]
pub struct Found {
    /// The mapping.
    pub mapping: Mapping,
    /// The bindings of its names.
    pub bindings: Bindings,
    /// Why.
    pub reason: Reason,
    /// How well the row fits.
    pub fit: Option<Fit>,
}

/// The items of the functions to which a table applies: class and key of each.
pub type Present = FxHashSet<(Class, String)>;

/// The mapping of an item in a function of a file. A row with the prefix of another class serves
/// only where nothing of that class has its text (`present`), because prefixes are decoration.
#[must_use]
pub fn lookup(table: &Table, item: &Item, function: &str, file: &str, present: &Present) -> Found {
    let mut best = None;
    for (line, row) in table.rows() {
        if !row.scope.takes(function, file) {
            continue;
        }
        let Some((fit, bindings)) = row.pattern.matches(item) else { continue };
        let own = match row.class {
            Some(class) if class == item.class => 2,
            None => 1,
            Some(class) => {
                if fit != Fit::Exact || present.contains(&(class, item.key.clone())) {
                    continue;
                }
                0
            }
        };
        let rank = (fit, row.scope.rank(), own);
        if best.as_ref().is_none_or(|(before, _, _)| rank > *before) {
            best = Some((rank, line, bindings));
        }
    }
    // A row of an included table that fits better goes before one that takes in anything.
    let library = included(table, item, function, file);
    let is_better = |fit: Fit| library.as_ref().is_some_and(|found| found.fit > Some(fit));
    if let Some(((fit, ..), line, bindings)) = best
        && let Some(row) = table.row(line)
        && !is_better(fit)
    {
        return Found { mapping: row.mapping.clone(), bindings, reason: Reason::Row(line), fit: Some(fit) };
    }
    let plain = |mapping, reason| Found { mapping, bindings: Vec::new(), reason, fit: None };
    if let Some((name, mapping)) = restricted(table, item, function, file) {
        return plain(mapping, Reason::Object(name));
    }
    if let Some(found) = library {
        return found;
    }
    plain(table.default_of(item.class, function, file), Reason::Default)
}

/// The mapping of an item by the included tables.
fn included(table: &Table, item: &Item, function: &str, file: &str) -> Option<Found> {
    if let Some(decl) = &item.decl {
        let named = |base| table.included.iter().position(|one| one.table.type_of(base).is_some());
        if let Some(from) =
            named(&*decl.base).filter(|_| !decl.declared.iter().any(|one| one.text.starts_with('*')))
        {
            let (reason, fit) = (Reason::Included(from, usize::MAX), Some(Fit::Holes(0)));
            return Some(Found { mapping: Mapping::Keep, bindings: Vec::new(), reason, fit });
        }
    }
    let in_force = |(_, one): &(usize, &crate::table::Included)| one.scope.takes(function, file);
    table.included.iter().enumerate().filter(in_force).find_map(|(index, included)| {
        let found = |(fit, line, _, bindings): (Fit, usize, &Row, Bindings), mapping: Mapping| Found {
            mapping,
            bindings,
            reason: Reason::Included(index, line),
            fit: Some(fit),
        };
        let own = |item: &Item| best_row(&included.table, item);
        if let Some(one) = own(item) {
            let mapping = one.2.mapping.clone();
            return Some(found(one, mapping));
        }
        let expr = item.expr.as_ref().filter(|_| item.class == Class::Condition)?;
        // `f() == 0` is `!f()`.
        if let Some((call, is_zero)) = tested(expr)
            && let Some(one) = own(&Item::condition(call, is_zero != item.denied))
        {
            let mapping = one.2.mapping.clone();
            return Some(found(one, mapping));
        }
        // Calls of the table succeed: their result is 0.
        let call = call_in(expr)?;
        let one = own(Item::statements(call).first()?)?;
        let holds =
            value_of(&with_zero(expr, call), &|name| Some(0).filter(|_| name == "thrd_success"))? != 0;
        let mapping = if holds == item.denied { Mapping::False } else { one.2.mapping.clone() };
        Some(found(one, mapping))
    })
}

/// The row of an included table that fits an item of its class best.
fn best_row<'t>(table: &'t Table, item: &Item) -> Option<(Fit, usize, &'t Row, Bindings)> {
    let mut best: Option<(Fit, usize, &Row, Bindings)> = None;
    for (line, row) in table.rows().filter(|(_, row)| row.class == Some(item.class)) {
        let found = match (&row.pattern, &item.expr) {
            // An argument `p` is `&*p`.
            (Pattern::Holes(form), Some(expr)) => {
                let item = Item { expr: Some(with_addresses(form, expr)), ..item.clone() };
                row.pattern.matches(&item)
            }
            _ => row.pattern.matches(item),
        };
        if let Some((fit, bindings)) = found
            && best.as_ref().is_none_or(|(before, ..)| fit > *before)
        {
            best = Some((fit, line, row, bindings));
        }
    }
    best
}

/// A call with `&*p` for each argument `p` where the form has an address.
fn with_addresses(form: &Expr, expr: &Expr) -> Expr {
    match (&form.kind, &expr.kind) {
        (Kind::Prefix("!", form), Kind::Prefix("!", inner)) => {
            Expr { kind: Kind::Prefix("!", with_addresses(form, inner).into()), ..expr.clone() }
        }
        (Kind::Prefix("!", form), _) => with_addresses(form, expr),
        (Kind::Call(_, forms), Kind::Call(function, args)) if forms.len() == args.len() => {
            let address = |(form, arg): (&Expr, &Expr)| {
                let is_pointer = matches!(form.kind, Kind::Prefix("&", _))
                    && !matches!(arg.kind, Kind::Prefix("&", _) | Kind::Literal(_) | Kind::Cast(..));
                if !is_pointer {
                    return arg.clone();
                }
                let around = |op, inner: Expr| Expr {
                    depth: inner.depth + 1,
                    loc: inner.loc,
                    kind: Kind::Prefix(op, inner.into()),
                };
                around("&", around("*", arg.clone()))
            };
            let args = forms.iter().zip(args).map(address).collect();
            Expr { kind: Kind::Call(function.clone(), args), ..expr.clone() }
        }
        _ => expr.clone(),
    }
}

/// The call that a condition tests, and whether it holds if the result is 0, not if it is another.
pub(crate) fn tested(expr: &Expr) -> Option<(&Expr, bool)> {
    let is_zero = |expr: &Expr| {
        matches!(&expr.kind, Kind::Literal(text) if &**text == "0")
            || matches!(&expr.kind, Kind::Name(name) if &**name == "thrd_success")
    };
    match &expr.kind {
        Kind::Call(..) => Some((expr, false)),
        Kind::Prefix("!", inner) => tested(inner).map(|(call, zero)| (call, !zero)),
        Kind::Binary(op @ ("==" | "!="), a, b) => {
            let other = if is_zero(b) { a } else { Some(b).filter(|_| is_zero(a))? };
            tested(other).map(|(call, zero)| (call, if *op == "==" { !zero } else { zero }))
        }
        _ => None,
    }
}

/// The only call in an expression.
fn call_in(expr: &Expr) -> Option<&Expr> {
    let mut calls = Vec::new();
    expr.walk(&mut |part| {
        if matches!(part.kind, Kind::Call(..)) {
            calls.push(part);
        }
    });
    match calls[..] {
        [call] => Some(call),
        _ => None,
    }
}

/// The expression with 0 for a call in it.
fn with_zero(expr: &Expr, call: &Expr) -> Expr {
    match &expr.kind {
        Kind::Call(..) => Expr { kind: Kind::Literal("0".into()), depth: 1, ..call.clone() },
        _ => expr.map(&mut |part| with_zero(part, call)),
    }
}

/// The restrictions of the objects that an item uses; `keep` goes before `print`, that before `comment`
/// and `hide`.
fn restricted(table: &Table, item: &Item, function: &str, file: &str) -> Option<(String, Mapping)> {
    if table.restrictions.is_empty() {
        return None;
    }
    let names = item.names();
    let rank = |mapping: &Mapping| match mapping {
        Mapping::Keep => 3,
        Mapping::Print => 2,
        Mapping::Comment => 1,
        _ => 0,
    };
    (table.restrictions.iter())
        .filter(|one| one.scope.takes(function, file) && names.iter().any(|name| **name == *one.name))
        .max_by_key(|one| rank(&one.mapping))
        .map(|one| (one.name.clone(), one.mapping.clone()))
}
