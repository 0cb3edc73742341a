//! The left side of a row: one text, texts with anything in place of `...`, or
//! expressions with any expression in place of `$x`, the same wherever `$x` stands twice.
//!
//! *Entry points:* `read`, [`Pattern::matches`].

use std::sync::Arc;

use axle_source::{Diagnostics, Dialect, Sources, tokenize};
use rustc_hash::FxHashSet;

use crate::canonical;
use crate::item::{Class, Item};
use crate::names::quoted;
use crate::read::{read_declaration, read_expression, squeeze};
use crate::syntax::{Expr, Kind};

/// The left side of a row.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// The statement with this key.
    Exact(String),
    /// Expressions of this form, where `$x` also stands for the name of a member; of a return, its value.
    Holes(Expr),
    /// Texts with these pieces in this order, the first at the start; the flag: the last at the
    /// end.
    Pieces(Vec<String>, bool),
}

/// How a row fits, best last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fit {
    /// A row of `return` alone serves every return.
    AnyReturn,
    /// By its pieces; how many bytes of them there are.
    Pieces(usize),
    /// By its form; how many nodes it says.
    Holes(usize),
    /// By its text.
    Exact,
}

/// The bindings of the names `$x`, as canonical text.
pub type Bindings = Vec<(Arc<str>, String)>;

/// Reads a left side; the second value is a doubt about it.
pub(crate) fn read(
    class: Option<Class>,
    text: &str,
    types: &FxHashSet<Arc<str>>,
) -> Result<(Pattern, Option<String>), String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("row", text);
    let mut tokens = tokenize(file, Dialect::C, &sources, &mut diagnostics);
    if let Some(fault) = diagnostics.iter().next() {
        return Err(fault.message.clone());
    }
    if tokens.len() < 2 {
        return Err("there is none".into());
    }
    let flat = squeeze(&tokens);
    let flat = flat.trim_end_matches(';');
    let holes = text.contains('$');
    let pieces = pieces(flat);
    if pieces.len() > 1 && !holes {
        let ends = pieces.last().is_some_and(|last| !last.is_empty());
        let doubt = (flat.len() == 3 && class.is_none()).then(|| "the row takes in everything".to_string());
        return Ok((Pattern::Pieces(pieces, ends), doubt));
    }
    if class == Some(Class::Declaration) {
        return Ok((Pattern::Exact(declared(text, types).unwrap_or_else(|| flat.into())), None));
    }
    let returned = tokens[0].is_ident("return");
    if returned {
        tokens.remove(0);
        if tokens.len() < 2 || tokens[0].is_punct(";") {
            return Ok((Pattern::Exact("return".into()), None));
        }
    }
    let expr = match read_expression(&tokens, &sources, types, &mut diagnostics) {
        Ok(expr) => expr,
        // Without a prefix, a declaration of an unknown type cannot be distinguished from text that
        // is not C.
        Err(_) if class.is_none() && tokens.len() > 2 => {
            return Ok((Pattern::Exact(declared(text, types).unwrap_or_else(|| flat.into())), None));
        }
        Err(_) => {
            return Err(diagnostics.iter().next().map_or_else(String::new, |fault| fault.message.clone()));
        }
    };
    if holes {
        return Ok((Pattern::Holes(expr), None));
    }
    let key = match returned {
        true => format!("return {}", canonical::text(&expr)),
        false => canonical::truth(&expr),
    };
    Ok((Pattern::Exact(key), None))
}

/// Reads the lvalue of an `Object` directive.
pub(crate) fn read_lvalue(text: &str, types: &FxHashSet<Arc<str>>) -> Result<Expr, String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("object", text);
    let tokens = tokenize(file, Dialect::C, &sources, &mut diagnostics);
    let expr = read_expression(&tokens, &sources, types, &mut diagnostics);
    let lvalue = |expr: &Expr| {
        matches!(expr.kind, Kind::Name(_) | Kind::Member(..) | Kind::Index(..) | Kind::Prefix("*", _))
    };
    match (expr, diagnostics.iter().next()) {
        (_, Some(fault)) => Err(fault.message.clone()),
        (Ok(expr), None) if lvalue(&expr) => Ok(expr),
        _ => Err("it denotes no object".into()),
    }
}

/// The key of a declaration: its text with blanks only where two words would otherwise become one.
#[must_use]
pub(crate) fn declaration_key(text: &str) -> String {
    let (mut sources, mut ignored) = (Sources::new(), Diagnostics::new());
    let file = sources.add("declaration", text);
    let tokens = tokenize(file, Dialect::C, &sources, &mut ignored);
    squeeze(&tokens).trim_end_matches(';').to_string()
}

/// The key of a row that declares objects; none where the text is not a declaration.
fn declared(text: &str, types: &FxHashSet<Arc<str>>) -> Option<String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("row", &format!("{};", text.trim_end().trim_end_matches(';')));
    let tokens = tokenize(file, Dialect::C, &sources, &mut diagnostics);
    let decl = read_declaration(&tokens, &sources, types, &mut diagnostics).ok()?;
    diagnostics.is_empty().then(|| declaration_key(&decl.text()))
}

/// Whether a text is a statement or condition of C in full, as the class says; without a class, of
/// any kind.
pub(crate) fn is_statement(class: Option<Class>, text: &str, types: &FxHashSet<Arc<str>>) -> bool {
    if matches!(class, None | Some(Class::Declaration)) && declared(text, types).is_some() {
        return true;
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("row", text);
    let mut tokens = tokenize(file, Dialect::C, &sources, &mut diagnostics);
    if tokens.first().is_some_and(|token| token.is_ident("return")) {
        tokens.remove(0);
        if tokens.len() < 2 {
            return true;
        }
    }
    tokens.len() > 1
        && read_expression(&tokens, &sources, types, &mut diagnostics).is_ok()
        && diagnostics.is_empty()
}

/// The parts of a text between `...`, strings left whole.
fn pieces(text: &str) -> Vec<String> {
    let (mut pieces, mut last, mut rest) = (Vec::new(), String::new(), text);
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("...") {
            pieces.push(std::mem::take(&mut last));
            rest = behind;
            continue;
        }
        let length = if matches!(first, '"' | '\'') { quoted(rest) } else { first.len_utf8() };
        let (part, behind) = rest.split_at(length);
        last.push_str(part);
        rest = behind;
    }
    pieces.push(last);
    pieces
}

impl Pattern {
    /// Whether an item matches this pattern, how specifically, and the bindings of its names.
    #[must_use]
    pub fn matches(&self, item: &Item) -> Option<(Fit, Bindings)> {
        match self {
            Pattern::Exact(key) if *key == item.key => Some((Fit::Exact, Vec::new())),
            Pattern::Exact(key) => {
                let any = item.class == Class::Return && key == "return";
                any.then_some((Fit::AnyReturn, Vec::new()))
            }
            // A statement can contain `...` itself: `int (*f)(int,...)`.
            Pattern::Pieces(pieces, _) if pieces.join("...") == item.key => Some((Fit::Exact, Vec::new())),
            Pattern::Pieces(pieces, ends) => {
                let bytes = pieces.iter().map(String::len).sum();
                let bare = item.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
                let texts =
                    [Some(&*item.text), Some(&*item.key), bare, Some(item.text.trim_end_matches(';'))];
                let found = texts.into_iter().flatten().any(|text| in_order(pieces, *ends, text));
                found.then_some((Fit::Pieces(bytes), Vec::new()))
            }
            Pattern::Holes(form) => {
                let expr = item.expr.as_ref()?;
                let mut bindings = Vec::new();
                let fits = match (item.denied, &form.kind) {
                    (true, Kind::Prefix("!", inner)) => fit(inner, expr, &mut bindings),
                    // A condition `!e` denied is `e`.
                    (true, _) => match &expr.kind {
                        Kind::Prefix("!", inner) => fit(form, inner, &mut bindings),
                        _ => false,
                    },
                    (false, _) => fit(form, expr, &mut bindings),
                };
                let mut nodes = 0;
                form.walk(&mut |part| nodes += usize::from(!is_hole(part)));
                fits.then_some((Fit::Holes(nodes), bindings))
            }
        }
    }

    /// Whether it says the same as another.
    #[must_use]
    pub fn same(&self, other: &Pattern) -> bool {
        match (self, other) {
            (Pattern::Exact(a), Pattern::Exact(b)) => a == b,
            (Pattern::Pieces(a, x), Pattern::Pieces(b, y)) => a == b && x == y,
            (Pattern::Holes(a), Pattern::Holes(b)) => canonical::text(a) == canonical::text(b),
            _ => false,
        }
    }
}

fn in_order(pieces: &[String], ends: bool, text: &str) -> bool {
    let Some((first, others)) = pieces.split_first() else { return false };
    let Some(mut rest) = text.strip_prefix(&**first) else { return false };
    for (index, piece) in others.iter().enumerate() {
        if ends && index + 1 == others.len() {
            return rest.ends_with(&**piece);
        }
        match rest.find(&**piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

fn is_hole(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Name(name) if name.starts_with('$')) || matches!(expr.kind, Kind::Rest)
}

/// Whether a text can stand for a name `$x`: it is the first, or the one that already does.
fn bind(hole: &Arc<str>, text: String, bindings: &mut Bindings) -> bool {
    match bindings.iter().find(|(bound, _)| bound == hole) {
        Some((_, before)) => *before == text,
        None => {
            bindings.push((hole.clone(), text));
            true
        }
    }
}

/// Whether the name of a member is the one given, or anything where `$x` is given.
fn fit_name(form: &Arc<str>, name: &Arc<str>, bindings: &mut Bindings) -> bool {
    form == name || form.starts_with('$') && bind(form, name.to_string(), bindings)
}

/// Whether an expression has a form.
pub(crate) fn fit(form: &Expr, expr: &Expr, bindings: &mut Bindings) -> bool {
    match (&form.kind, &expr.kind) {
        (Kind::Name(name), _) if name.starts_with('$') => bind(name, canonical::text(expr), bindings),
        (Kind::Rest, _) => true,
        (Kind::Name(a), Kind::Name(b))
        | (Kind::Literal(a), Kind::Literal(b))
        | (Kind::Opaque(a), Kind::Opaque(b)) => a == b,
        (Kind::Prefix(o, a), Kind::Prefix(p, b)) | (Kind::Postfix(a, o), Kind::Postfix(b, p)) => {
            o == p && fit(a, b, bindings)
        }
        (Kind::Binary(o, a, b), Kind::Binary(p, c, d)) | (Kind::Assign(o, a, b), Kind::Assign(p, c, d)) => {
            o == p && fit(a, c, bindings) && fit(b, d, bindings)
        }
        (Kind::Comma(a, b), Kind::Comma(c, d)) | (Kind::Index(a, b), Kind::Index(c, d)) => {
            fit(a, c, bindings) && fit(b, d, bindings)
        }
        (Kind::Cond(a, Some(b), c), Kind::Cond(d, Some(e), f)) => {
            fit(a, d, bindings) && fit(b, e, bindings) && fit(c, f, bindings)
        }
        (Kind::Member(a, o, m), Kind::Member(b, p, n)) => {
            o == p && fit(a, b, bindings) && fit_name(m, n, bindings)
        }
        (Kind::Cast(t, a), Kind::Cast(u, b)) => t == u && fit(a, b, bindings),
        (Kind::Call(f, forms), Kind::Call(g, args)) => {
            if !fit(f, g, bindings) {
                return false;
            }
            let rest = forms.iter().position(|form| matches!(form.kind, Kind::Rest));
            let enough = match rest {
                Some(at) => at + 1 == forms.len() && args.len() >= at,
                None => forms.len() == args.len(),
            };
            let count = rest.unwrap_or(forms.len());
            enough && forms[..count].iter().zip(args).all(|(form, arg)| fit(form, arg, bindings))
        }
        _ => false,
    }
}

/// A mapping with its names replaced by their bindings.
#[must_use]
pub fn fill(text: &str, bindings: &Bindings) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let name: String = rest[at + 1..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let whole = &rest[at..at + 1 + name.len()];
        match bindings.iter().find(|(bound, _)| **bound == *whole) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(whole),
        }
        rest = &rest[at + whole.len()..];
    }
    out.push_str(rest);
    out
}
