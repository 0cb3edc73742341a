//! Macro definitions (C11 6.10.3): `#define` lines become a list of [`Item`]s in which `#`, `##`,
//! parameters and `__VA_OPT__` are already distinguished.
//!
//! *Entry point:* [`parse`].
//! *Invariant:* every `##` of a body stands between two other items, every `#` has its operand
//! inside, parameter indices are in range.

use std::sync::Arc;

use super::hide::Tok;
use crate::diagnostic::Diagnostic;
use crate::span::{Loc, Span};
use crate::token::{Token, TokenKind};

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub name: Arc<str>,
    /// The name's number in hide sets.
    pub id: u32,
    /// The name in the `#define`.
    pub definition: Span,
    pub kind: MacroKind,
    pub body: Vec<Item>,
    /// Parameters and body with white space evened out; equal for equal definitions (C11 6.10.3p1).
    pub canonical: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MacroKind {
    Builtin(Builtin),
    Object,
    /// With so many parameters; the last one takes the rest when `variadic`.
    Function {
        parameters: usize,
        variadic: bool,
    },
}

/// Macros whose text depends on where they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    File,
    BaseFile,
    Line,
    Counter,
    IncludeLevel,
    Date,
    Time,
    Timestamp,
}

pub(super) const BUILTINS: [(&str, Builtin); 8] = [
    ("__FILE__", Builtin::File),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__LINE__", Builtin::Line),
    ("__COUNTER__", Builtin::Counter),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__TIMESTAMP__", Builtin::Timestamp),
];

/// A piece of a macro's body.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Token(Token),
    /// The argument of this index, as spelled at `token`.
    Parameter {
        index: usize,
        token: Token,
    },
    /// `#` and its operand: a parameter or `__VA_OPT__`.
    Stringize {
        operand: Box<Item>,
        token: Token,
    },
    /// `__VA_OPT__ ( items )`.
    Optional {
        items: Vec<Item>,
        token: Token,
    },
    /// `##`.
    Paste,
}

/// The contents of a `#define` line, before the macro has a number.
pub(super) struct Definition {
    pub kind: MacroKind,
    pub body: Vec<Item>,
    pub canonical: String,
}

/// Reads the rest of the line after the macro's name: a parameter list when `(` follows at once, then
/// the body.
///
/// # Errors
/// The problem of a definition.
pub(super) fn parse(name: &Token, rest: &[Tok]) -> Result<Definition, Diagnostic> {
    let rest: Vec<&Token> = rest.iter().map(|tok| &tok.token).collect();
    let (kind, parameters, body) = match rest.first() {
        Some(open) if open.is_punct("(") && !open.space_before => {
            let (parameters, variadic, used) = parse_parameters(open.loc(), &rest[1..])?;
            let kind = MacroKind::Function { parameters: parameters.len(), variadic };
            (kind, parameters, &rest[1 + used..])
        }
        _ => (MacroKind::Object, Vec::new(), &rest[..]),
    };
    let mut canonical = match &kind {
        MacroKind::Function { variadic, .. } => format!("({}){variadic}", parameters.join(",")),
        MacroKind::Object | MacroKind::Builtin(_) => String::new(),
    };
    for (index, token) in body.iter().enumerate() {
        if index > 0 && token.space_before {
            canonical.push(' ');
        }
        canonical.push_str(&token.text);
        // Separates equal texts: `a b` as two tokens and as one.
        canonical.push('\u{1}');
    }
    let reader = BodyReader { kind: &kind, parameters: &parameters };
    let mut at = 0;
    let items = reader.items(body, &mut at, None)?;
    if let (Some(Item::Paste), Some(token)) = (items.first(), body.first()) {
        return Err(misplaced_paste(name, token));
    }
    if let (Some(Item::Paste), Some(token)) = (items.last(), body.last()) {
        return Err(misplaced_paste(name, token));
    }
    Ok(Definition { kind, body: items, canonical })
}

fn misplaced_paste(name: &Token, token: &Token) -> Diagnostic {
    Diagnostic::error("E0108", format!("`##` stands at an end of the text of macro `{}`", name.text))
        .at(token.loc(), "it needs a token on either side")
}

/// Names of the parameters, whether the last is variadic, and how many tokens the list takes with
/// its `)`.
fn parse_parameters(open: Loc, tokens: &[&Token]) -> Result<(Vec<String>, bool, usize), Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    let bad = |token: Option<&&Token>, expected: &str| {
        let diagnostic = Diagnostic::error("E0107", format!("bad macro parameter list: expected {expected}"));
        match token {
            Some(token) => diagnostic.at(token.loc(), format!("found `{}`", token.text)),
            None => diagnostic.at(open, "the line ends before the list does"),
        }
    };
    if tokens.first().is_some_and(|token| token.is_punct(")")) {
        return Ok((names, false, 1));
    }
    let mut at = 0;
    loop {
        let token = tokens.get(at);
        match token {
            Some(token) if token.is_punct("...") => {
                if !tokens.get(at + 1).is_some_and(|token| token.is_punct(")")) {
                    return Err(bad(tokens.get(at + 1), "`)` after `...`"));
                }
                names.push("__VA_ARGS__".into());
                return Ok((names, true, at + 2));
            }
            Some(token) if token.kind == TokenKind::Identifier => {
                if names.iter().any(|name| **name == *token.text) {
                    let message = format!("two macro parameters are called `{}`", token.text);
                    return Err(Diagnostic::error("E0107", message).at(token.loc(), ""));
                }
                names.push(token.text.to_string());
            }
            _ => return Err(bad(token, "a parameter's name")),
        }
        at += 1;
        match tokens.get(at) {
            Some(token) if token.is_punct(",") => at += 1,
            Some(token) if token.is_punct(")") => return Ok((names, false, at + 1)),
            // GNU: `args...` names the variable arguments.
            Some(token) if token.is_punct("...") => {
                if !tokens.get(at + 1).is_some_and(|token| token.is_punct(")")) {
                    return Err(bad(tokens.get(at + 1), "`)` after `...`"));
                }
                return Ok((names, true, at + 2));
            }
            token => return Err(bad(token, "`,` or `)`")),
        }
    }
}

struct BodyReader<'a> {
    kind: &'a MacroKind,
    parameters: &'a [String],
}

impl BodyReader<'_> {
    /// Items from `at` to the end, or inside `__VA_OPT__` (whose name is given) to its closing
    /// bracket.
    fn items(
        &self,
        tokens: &[&Token],
        at: &mut usize,
        optional: Option<&Token>,
    ) -> Result<Vec<Item>, Diagnostic> {
        let mut items = Vec::new();
        let mut depth = 0usize;
        while let Some(&token) = tokens.get(*at) {
            if optional.is_some() {
                if token.is_punct("(") {
                    depth += 1;
                } else if token.is_punct(")") {
                    if depth == 0 {
                        if matches!(items.last(), Some(Item::Paste)) {
                            return Err(misplaced_paste(token, token));
                        }
                        return Ok(items);
                    }
                    depth -= 1;
                }
            }
            let function = matches!(self.kind, MacroKind::Function { .. });
            if token.is_punct("##") {
                if optional.is_some() && items.is_empty() {
                    return Err(misplaced_paste(token, token));
                }
                // `a ## ## b` pastes once.
                if !matches!(items.last(), Some(Item::Paste)) {
                    items.push(Item::Paste);
                }
                *at += 1;
            } else if token.is_punct("#") && function {
                *at += 1;
                let operand = match tokens.get(*at) {
                    Some(&operand) => self.operand(operand, tokens, at, optional.is_some())?,
                    None => None,
                };
                let Some(operand) = operand else {
                    return Err(Diagnostic::error("E0108", "`#` is not followed by a macro parameter")
                        .at(token.loc(), "")
                        .help("in a function-like macro `#` makes a string of the argument that follows"));
                };
                items.push(Item::Stringize { operand: Box::new(operand), token: token.clone() });
            } else if let Some(operand) = self.operand(token, tokens, at, optional.is_some())? {
                items.push(operand);
            } else {
                items.push(Item::Token(token.clone()));
                *at += 1;
            }
        }
        match optional {
            None => Ok(items),
            Some(name) => Err(Diagnostic::error("E0107", "`__VA_OPT__(` is never closed").at(name.loc(), "")),
        }
    }

    /// A parameter or `__VA_OPT__(...)` at `at`; moves past it.
    fn operand(
        &self,
        token: &Token,
        tokens: &[&Token],
        at: &mut usize,
        in_optional: bool,
    ) -> Result<Option<Item>, Diagnostic> {
        if token.kind != TokenKind::Identifier {
            return Ok(None);
        }
        if let Some(index) = self.parameters.iter().position(|name| **name == *token.text) {
            *at += 1;
            return Ok(Some(Item::Parameter { index, token: token.clone() }));
        }
        let variadic = matches!(self.kind, MacroKind::Function { variadic: true, .. });
        if variadic && &*token.text == "__VA_OPT__" {
            if in_optional {
                let message = "`__VA_OPT__` stands inside another";
                return Err(Diagnostic::error("E0107", message).at(token.loc(), ""));
            }
            if !tokens.get(*at + 1).is_some_and(|next| next.is_punct("(")) {
                let message = "`__VA_OPT__` is not followed by `(`";
                return Err(Diagnostic::error("E0107", message).at(token.loc(), ""));
            }
            *at += 2;
            let items = self.items(tokens, at, Some(token))?;
            *at += 1;
            return Ok(Some(Item::Optional { items, token: token.clone() }));
        }
        Ok(None)
    }
}
