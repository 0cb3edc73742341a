//! Decisions on the text of reports. Reports are written for readers; a decision reads the value from
//! which the text was made.
//!
//! A place that compares a field of a report with a string literal is a problem, outside of the crate
//! that writes reports. [`LEFT`] lists the files with places that remain.
//!
//! *Entry point:* [`problems`].
//! *Invariant:* `==`, `match`, `matches!`, `contains`, `starts_with` and `ends_with` are covered; a
//! text that is first stored in a variable of another name is not.

use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Item, Member, Pat, Token};

use crate::imports::is_test;

/// The crates that decide and answer by reports.
const READERS: [&str; 10] = [
    "crates/tabled/src/",
    "crates/question/src/",
    "crates/explicit/src/",
    "crates/c-evidence/src/",
    "crates/check/src/",
    "crates/refinement/src/",
    "crates/diagnosis/src/",
    "crates/cli/src/",
    "crates/feaver/src/",
    "crates/web/src/",
];

/// Fields of reports that contain text.
const FIELDS: [&str; 12] = [
    "algorithm",
    "engine",
    "fairness",
    "internal",
    "kind",
    "meaning",
    "message",
    "order",
    "reason",
    "remark",
    "store",
    "verdict",
];

/// Names of variables with such a text.
const VARIABLES: [&str; 3] = ["message", "reason", "remark"];

/// Methods that compare texts.
const COMPARISONS: [&str; 3] = ["contains", "ends_with", "starts_with"];

/// Methods that yield the same text.
const CONVERSIONS: [&str; 6] = ["as_deref", "as_ref", "as_str", "clone", "to_string", "trim"];

/// The files with comparisons that remain, and the most that each may have.
const LEFT: [(&str, usize); 13] = [
    ("crates/check/src/judgement/describe.rs", 1),
    ("crates/explicit/src/lossy.rs", 1),
    ("crates/check/src/judgement/program_verdict.rs", 1),
    ("crates/check/src/program/refine.rs", 1),
    ("crates/refinement/src/refine.rs", 1),
    ("crates/check/src/judgement/runs.rs", 1),
    ("crates/cli/src/checkpoint.rs", 1),
    ("crates/cli/src/diagnose.rs", 1),
    ("crates/cli/src/exit.rs", 1),
    ("crates/cli/src/status.rs", 1),
    ("crates/cli/src/summary.rs", 2),
    ("crates/feaver/src/execute/answer.rs", 1),
    ("crates/web/src/pages/property.rs", 2),
];

/// The comparisons of a file with texts of reports.
pub fn problems(name: &str, text: &str) -> Result<Vec<String>, String> {
    if !READERS.iter().any(|reader| name.starts_with(reader)) {
        return Ok(Vec::new());
    }
    let tree = syn::parse_file(text).map_err(|e| format!("{name}: {e}"))?;
    let mut reader = Reader::default();
    reader.visit_file(&tree);
    let allowed = LEFT.iter().find(|(file, _)| *file == name).map_or(0, |(_, count)| *count);
    if reader.found.len() <= allowed {
        return Ok(Vec::new());
    }
    let problem = |field: &String| format!("{name}: compares `{field}` of a report with a text");
    Ok(reader.found.iter().map(problem).collect())
}

/// Collects the compared fields of a file.
#[derive(Default)]
struct Reader {
    found: Vec<String>,
}

/// The arguments of `matches!`.
struct Matches(Expr, Pat);

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Matches> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        // A guard and a comma at the end.
        input.step(|cursor| {
            let mut rest = *cursor;
            while let Some((_, next)) = rest.token_tree() {
                rest = next;
            }
            Ok(((), rest))
        })?;
        Ok(Matches(value, pattern))
    }
}

/// The field of a report that an expression reads.
fn field(expr: &Expr) -> Option<String> {
    let name = match expr {
        Expr::Reference(inner) => return field(&inner.expr),
        Expr::Paren(inner) => return field(&inner.expr),
        Expr::Unary(inner) => return field(&inner.expr),
        Expr::MethodCall(call) if CONVERSIONS.iter().any(|name| call.method == name) => {
            return field(&call.receiver);
        }
        Expr::Field(access) => match &access.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(_) => return None,
        },
        Expr::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            return VARIABLES.contains(&name.as_str()).then_some(name);
        }
        _ => return None,
    };
    FIELDS.contains(&name.as_str()).then_some(name)
}

/// Whether a part of the source contains a string literal.
#[derive(Default)]
struct Literals(bool);

impl<'ast> Visit<'ast> for Literals {
    fn visit_lit_str(&mut self, _: &'ast syn::LitStr) {
        self.0 = true;
    }

    fn visit_expr_macro(&mut self, _: &'ast syn::ExprMacro) {}
}

fn is_text(expr: &Expr) -> bool {
    let mut literals = Literals::default();
    literals.visit_expr(expr);
    literals.0
}

fn matches_text(pattern: &Pat) -> bool {
    let mut literals = Literals::default();
    literals.visit_pat(pattern);
    literals.0
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(item) if is_test(&item.attrs) => {}
            Item::Fn(item) if is_test(&item.attrs) => {}
            other => visit::visit_item(self, other),
        }
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        if matches!(expr.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            let (left, right) = (&*expr.left, &*expr.right);
            let (left, right) =
                (field(left).filter(|_| is_text(right)), field(right).filter(|_| is_text(left)));
            self.found.extend(left.or(right));
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if COMPARISONS.iter().any(|name| call.method == name) {
            let given =
                call.args.iter().find_map(|argument| field(argument).filter(|_| is_text(&call.receiver)));
            let own = field(&call.receiver).filter(|_| call.args.iter().any(is_text));
            self.found.extend(own.or(given));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let has_text = expr.arms.iter().any(|arm| matches_text(&arm.pat));
        self.found.extend(field(&expr.expr).filter(|_| has_text));
        visit::visit_expr_match(self, expr);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.is_ident("matches")
            && let Ok(Matches(value, pattern)) = item.parse_body()
        {
            self.found.extend(field(&value).filter(|_| matches_text(&pattern)));
            self.visit_expr(&value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Vec<String> {
        let text = format!("fn f() {{ {body} }}");
        problems("crates/check/src/a.rs", &text).expect("valid text")
    }

    #[test]
    fn comparisons_with_texts_of_reports_are_found() {
        for body in [
            "stop.reason == \"errors\"",
            "Some(\"errors\") != stop.reason.as_deref()",
            "remark.starts_with(\"vacuous\")",
            "[\"time\", \"memory\"].contains(&stop.reason.as_str())",
            "match warning.kind.as_str() { \"leak\" => 1, _ => 2 }",
            "let a = matches!(&*warning.kind, \"leak\" | \"race\") && b;",
        ] {
            assert_eq!(found(body).len(), 1, "{body}");
        }
    }

    #[test]
    fn values_other_texts_and_tests_are_no_problems() {
        for body in [
            "stop.reason == Stop::Errors",
            "name == \"main\"",
            "format!(\"{}\", stop.reason)",
            "matches!(stop.reason, Stop::Time)",
            "kinds.contains(&kind)",
        ] {
            assert_eq!(found(body), Vec::<String>::new(), "{body}");
        }
        let text = "#[cfg(test)] mod tests { fn f() { stop.reason == \"errors\" } }";
        assert_eq!(problems("crates/check/src/a.rs", text), Ok(Vec::new()));
        assert_eq!(problems("crates/evidence/src/a.rs", "fn f() { a.kind == \"leak\" }"), Ok(Vec::new()));
    }
}
