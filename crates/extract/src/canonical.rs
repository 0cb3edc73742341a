//! The canonical text of statements and conditions, by which rows of a table are known: without
//! spaces, operators between two operands in brackets, the operand of `&` in brackets (Holzmann,
//! *Software Model Checking*, section 6.2 and figures 18 and 19).
//!
//! *Entry points:* [`text`], [`condition`].
//! *Invariant:* printed text parses to the same tree.

use crate::syntax::{Expr, Kind};

/// An expression as a statement of its own.
#[must_use]
pub fn text(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, &mut out);
    out
}

/// A condition: in brackets, but for calls.
#[must_use]
pub fn condition(expr: &Expr) -> String {
    match expr.kind {
        Kind::Binary(..) | Kind::Cond(..) | Kind::Comma(..) | Kind::Call(..) => text(expr),
        _ => format!("({})", text(expr)),
    }
}

/// The same condition denied, as rows have it.
#[must_use]
pub fn denied(expr: &Expr) -> String {
    format!("!{}", condition(expr))
}

/// The condition by which rows are found: `!!e` is equivalent to `e`.
#[must_use]
pub fn truth(expr: &Expr) -> String {
    let mut expr = expr;
    while let Kind::Prefix("!", inner) = &expr.kind {
        match &inner.kind {
            Kind::Prefix("!", twice) => expr = twice,
            _ => break,
        }
    }
    text(expr)
}

/// The opposite of [`truth`].
#[must_use]
pub fn falsehood(expr: &Expr) -> String {
    match &expr.kind {
        Kind::Prefix("!", inner) => truth(inner),
        _ => format!("!{}", operand(expr)),
    }
}

/// An expression where an operand is expected.
fn operand(expr: &Expr) -> String {
    let mut out = String::new();
    write_operand(expr, &mut out);
    out
}

fn write(expr: &Expr, out: &mut String) {
    match &expr.kind {
        Kind::Name(text) | Kind::Literal(text) | Kind::Opaque(text) => out.push_str(text),
        Kind::Rest => out.push_str("..."),
        Kind::Prefix("&", inner) => {
            out.push_str("&(");
            write(inner, out);
            out.push(')');
        }
        Kind::Prefix("sizeof", inner) => {
            out.push_str("sizeof(");
            write(inner, out);
            out.push(')');
        }
        Kind::Prefix(op, inner) => {
            out.push_str(op);
            write_operand(inner, out);
        }
        Kind::Postfix(inner, op) => {
            write_base(inner, out);
            out.push_str(op);
        }
        Kind::Binary(op, a, b) => {
            out.push('(');
            write_operand(a, out);
            out.push_str(op);
            if *op == "/" && matches!(b.kind, Kind::Prefix("*", _)) {
                out.push('(');
                write(b, out);
                out.push(')');
            } else {
                write_operand(b, out);
            }
            out.push(')');
        }
        Kind::Assign(op, a, b) => {
            write_operand(a, out);
            out.push_str(op);
            // `=` and `*p` or `-1` would read as one sign nowhere.
            write_argument(b, out);
        }
        Kind::Cond(cond, middle, other) => {
            out.push('(');
            write_operand(cond, out);
            out.push('?');
            if let Some(middle) = middle {
                write_argument(middle, out);
            }
            out.push(':');
            write_operand(other, out);
            out.push(')');
        }
        Kind::Comma(a, b) => {
            out.push('(');
            write(a, out);
            out.push(',');
            write(b, out);
            out.push(')');
        }
        Kind::Call(function, args) => {
            write_base(function, out);
            out.push('(');
            for (index, arg) in args.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_argument(arg, out);
            }
            out.push(')');
        }
        Kind::Index(object, index) => {
            write_base(object, out);
            out.push('[');
            write_bare(index, out);
            out.push(']');
        }
        Kind::Member(object, op, name) => {
            write_base(object, out);
            out.push_str(op);
            out.push_str(name);
        }
        Kind::Cast(name, inner) => {
            out.push('(');
            out.push_str(name);
            out.push(')');
            write_operand(inner, out);
        }
    }
}

/// In brackets where it could run into its neighbours.
fn write_operand(expr: &Expr, out: &mut String) {
    let bare = !matches!(expr.kind, Kind::Prefix("-" | "+" | "~" | "&" | "++" | "--", _) | Kind::Assign(..));
    write_either(bare, expr, out);
}

/// Before `.`, `[` and the like, where only operands that bind as tightly need no brackets.
fn write_base(expr: &Expr, out: &mut String) {
    let bare = !matches!(expr.kind, Kind::Prefix(..) | Kind::Assign(..) | Kind::Cast(..));
    write_either(bare, expr, out);
}

/// Between commas.
fn write_argument(expr: &Expr, out: &mut String) {
    let bare = !matches!(expr.kind, Kind::Prefix("-" | "+" | "~", _));
    write_either(bare, expr, out);
}

/// An index: its own brackets are enough.
fn write_bare(expr: &Expr, out: &mut String) {
    match &expr.kind {
        Kind::Comma(..) => write(expr, out),
        _ => write_argument(expr, out),
    }
}

fn write_either(bare: bool, expr: &Expr, out: &mut String) {
    if !bare {
        out.push('(');
    }
    write(expr, out);
    if !bare {
        out.push(')');
    }
}
