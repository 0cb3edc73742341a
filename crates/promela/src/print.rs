//! The syntax tree as Promela text.
//!
//! The output of [`print()`] parses to an equal tree, but for the definitions of `inline`, which it
//! leaves out: their calls are expanded in the tree.
//!
//! *Entry points:* [`print()`], for a whole model, and [`stmt_text`] and [`expr_text`], for one line
//! of a trace.

mod decl;
mod expr;
mod stmt;

use axle_source::Sources;

use crate::ast::{Expr, Formula, Program, RecvArg, Step, Stmt, VarRef};
use crate::loc::Loc;

/// A model as text.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, flat: false };
    for item in &program.items {
        printer.item(item);
    }
    printer.out
}

/// A statement on one line: as the user wrote it, white space folded and comments left out, or,
/// where macros or inlines had a part in it, as it stands after expansion.
pub fn stmt_text(sources: &Sources, stmt: &Stmt) -> String {
    spelling(sources, stmt.loc).unwrap_or_else(|| flat(|printer| printer.stmt(stmt)))
}

/// A statement, a declaration or an `unless` on one line, as [`stmt_text`] has it.
pub fn step_text(sources: &Sources, step: &Step) -> String {
    let loc = match step {
        Step::Vars(decl) => decl.loc,
        Step::Mtype(decl) => decl.loc,
        Step::Exclusive(exclusive) => exclusive.loc,
        Step::Stmt(stmt) => stmt.loc,
        Step::Unless(unless) => unless.loc,
    };
    spelling(sources, loc).unwrap_or_else(|| flat(|printer| printer.step(step)))
}

/// An expression on one line, as [`stmt_text`] has it.
pub fn expr_text(sources: &Sources, expr: &Expr) -> String {
    spelling(sources, expr.loc).unwrap_or_else(|| print_expr(expr))
}

/// A temporal formula on one line, as [`stmt_text`] has it.
pub fn formula_text(sources: &Sources, formula: &Formula) -> String {
    spelling(sources, formula.loc).unwrap_or_else(|| flat(|printer| printer.formula(formula)))
}

/// A statement on one line, from the tree alone.
pub fn print_stmt(stmt: &Stmt) -> String {
    flat(|printer| printer.stmt(stmt))
}

/// An expression, from the tree alone.
pub fn print_expr(expr: &Expr) -> String {
    flat(|printer| printer.expr(expr))
}

/// A variable, field or element, from the tree alone.
pub fn print_var(var: &VarRef) -> String {
    flat(|printer| printer.var(var))
}

/// An argument of a receive, from the tree alone.
pub fn print_recv_arg(arg: &RecvArg) -> String {
    flat(|printer| printer.recv_arg(arg))
}

fn flat(write: impl FnOnce(&mut Printer)) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, flat: true };
    write(&mut printer);
    printer.out
}

/// The text of a place on one line, unless something was expanded there or the preprocessor acted
/// in it.
fn spelling(sources: &Sources, loc: Loc) -> Option<String> {
    if !loc.0.expansion.is_none() {
        return None;
    }
    let text = fold(sources.text(loc.0.span))?;
    (!text.is_empty()).then_some(text)
}

/// White space and comments folded to one space; nothing where a line is the preprocessor's.
fn fold(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut line_start = false;
    let mut pending = false;
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('/', Some('/')) => {
                while chars.peek().is_some_and(|&c| c != '\n') {
                    chars.next();
                }
                pending = true;
            }
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                pending = true;
            }
            ('\\', Some('\n')) => {
                chars.next();
            }
            ('#', _) if line_start => return None,
            (c, _) if c.is_whitespace() => {
                line_start |= c == '\n';
                pending = true;
            }
            (c, _) => {
                if pending && !out.is_empty() {
                    out.push(' ');
                }
                (pending, line_start) = (false, false);
                out.push(c);
                if c == '"' || c == '\'' {
                    quoted(c, &mut chars, &mut out);
                }
            }
        }
    }
    Some(out)
}

/// Copies the rest of a string or character constant.
fn quoted(quote: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\\' {
            out.extend(chars.next());
        } else if c == quote {
            break;
        }
    }
}

/// Text being written.
struct Printer {
    out: String,
    indent: usize,
    /// Everything on one line.
    flat: bool,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A new line, or a space.
    fn line(&mut self) {
        if self.flat {
            self.out.push(' ');
        } else {
            self.out.push('\n');
            for _ in 0..self.indent {
                self.out.push('\t');
            }
        }
    }

    /// Items with a separator between them.
    fn list<T>(&mut self, items: &[T], separator: &str, mut write: impl FnMut(&mut Printer, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(separator);
            }
            write(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn text_is_folded() {
        for (text, folded) in [
            ("x  =\n\t1", Some("x = 1")),
            ("x /* a * b */ = 1 // c", Some("x = 1")),
            ("printf(\"a  // b\\\"  c\")", Some("printf(\"a  // b\\\"  c\")")),
            ("x = '\\''  + 1", Some("x = '\\'' + 1")),
            ("x =\n#ifdef A\n1", None),
            ("a \\\n b", Some("a b")),
        ] {
            assert_eq!(fold(text).as_deref(), folded, "{text}");
        }
    }
}
