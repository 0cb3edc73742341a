//! A macro's replacement: arguments put in place of parameters, `#`, `##`, `__VA_OPT__` and GNU's
//! `, ## __VA_ARGS__` carried out (C11 6.10.3.1 to 6.10.3.3; C23 6.10.5.1 for `__VA_OPT__`).
//!
//! *Entry point:* [`Preprocessor::substitute`].
//! *Invariant:* a token next to `##` is never expanded before it is pasted.

use super::Preprocessor;
use super::expand::Argument;
use super::hide::{HideId, Tok};
use super::lex;
use super::macros::Item;
use crate::diagnostic::Diagnostic;
use crate::span::ExpansionId;
use crate::token::{Token, TokenKind};

impl Preprocessor<'_> {
    /// The replacement of a use. `inner` is the use, `outer` the chain that its name came through.
    pub(super) fn substitute(
        &mut self,
        items: &[Item],
        arguments: &mut [Argument],
        inner: ExpansionId,
        outer: ExpansionId,
    ) -> Vec<Tok> {
        let mut output: Vec<Tok> = Vec::new();
        // Whether the operand before a `##` was empty (a placemarker in the standard's words).
        let mut left_empty = true;
        for (index, item) in items.iter().enumerate() {
            if self.stopped {
                break;
            }
            if matches!(item, Item::Paste) {
                continue;
            }
            let pasted_left = index > 0 && matches!(items[index - 1], Item::Paste);
            let pasted_right = matches!(items.get(index + 1), Some(Item::Paste));
            let swallow = pasted_left && self.is_variable_rest(item, arguments);
            let mut piece = match item {
                Item::Paste => continue,
                Item::Token(token) => vec![in_body(token, inner)],
                Item::Stringize { operand, token } => {
                    vec![self.stringize(operand, token, arguments, inner, outer)]
                }
                Item::Parameter { index, .. } => {
                    let raw = pasted_left || pasted_right;
                    self.argument(&mut arguments[*index], raw, inner, outer)
                }
                Item::Optional { items, .. } => match self.has_variable_arguments(arguments) {
                    true => self.substitute(items, arguments, inner, outer),
                    false => Vec::new(),
                },
            };
            if let (Some(first), Item::Parameter { token, .. } | Item::Optional { token, .. }) =
                (piece.first_mut(), item)
            {
                first.token.space_before = token.space_before;
            }
            if !self.charge(piece.len(), None) {
                break;
            }
            let empty = piece.is_empty();
            let comma = output.last().is_some_and(|last| last.token.is_punct(","));
            if pasted_left && swallow && comma && !left_empty {
                // GNU: the comma goes when the variable arguments are left out, and is never
                // pasted.
                if self.rest_is_absent(arguments) {
                    output.pop();
                }
                output.append(&mut piece);
                left_empty = empty;
                continue;
            }
            if pasted_left && !left_empty && !empty {
                let mut rest = piece.into_iter();
                if let (Some(left), Some(right)) = (output.pop(), rest.next()) {
                    self.paste(left, right, &mut output);
                }
                output.extend(rest);
                left_empty = false;
            } else {
                output.append(&mut piece);
                // After an empty right operand, the next `##` still pastes to the left one.
                left_empty = if pasted_left { left_empty && empty } else { empty };
            }
        }
        output
    }

    /// An argument's tokens: as written next to `##`, else fully expanded.
    fn argument(
        &mut self,
        argument: &mut Argument,
        raw: bool,
        inner: ExpansionId,
        outer: ExpansionId,
    ) -> Vec<Tok> {
        let mut tokens = if raw {
            argument.raw.clone()
        } else {
            if argument.expanded.is_none() {
                argument.expanded = Some(self.expand_list(argument.raw.clone(), false));
            }
            argument.expanded.clone().unwrap_or_default()
        };
        // Neighbours mostly share a chain.
        let mut last: Option<(ExpansionId, ExpansionId)> = None;
        for tok in &mut tokens {
            let own = tok.token.expansion;
            let chain = match last {
                Some((before, chain)) if before == own => chain,
                _ => self.rebase(own, outer, inner),
            };
            last = Some((own, chain));
            tok.token.expansion = chain;
        }
        tokens
    }

    fn has_variable_arguments(&mut self, arguments: &mut [Argument]) -> bool {
        let Some(rest) = arguments.last_mut() else { return false };
        if rest.expanded.is_none() {
            rest.expanded = Some(self.expand_list(rest.raw.clone(), false));
        }
        rest.expanded.as_ref().is_some_and(|tokens| !tokens.is_empty())
    }

    /// Whether the item is the parameter that takes the variable arguments. Only uses of variadic
    /// macros mark an argument so; for others the answer does not matter, because then the comma is
    /// pasted as usual.
    fn is_variable_rest(&self, item: &Item, arguments: &[Argument]) -> bool {
        match item {
            Item::Parameter { index, .. } => *index + 1 == arguments.len() && arguments[*index].variable,
            Item::Token(_) | Item::Stringize { .. } | Item::Optional { .. } | Item::Paste => false,
        }
    }

    fn rest_is_absent(&self, arguments: &[Argument]) -> bool {
        arguments.last().is_some_and(|rest| rest.absent)
    }

    /// `#`: the spelling of an argument as a string literal (C11 6.10.3.2).
    fn stringize(
        &mut self,
        operand: &Item,
        token: &Token,
        arguments: &mut [Argument],
        inner: ExpansionId,
        outer: ExpansionId,
    ) -> Tok {
        let tokens = match operand {
            Item::Parameter { index, .. } => std::mem::take(&mut arguments[*index].raw),
            Item::Optional { items, .. } if self.has_variable_arguments(arguments) => {
                self.substitute(items, arguments, inner, outer)
            }
            Item::Optional { .. } | Item::Token(_) | Item::Stringize { .. } | Item::Paste => Vec::new(),
        };
        let mut text = String::from("\"");
        for (index, Tok { token, .. }) in tokens.iter().enumerate() {
            if index > 0 && token.space_before {
                text.push(' ');
            }
            match token.kind {
                TokenKind::String | TokenKind::Char => {
                    for c in token.text.chars() {
                        if matches!(c, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(c);
                    }
                }
                _ => text.push_str(&token.text),
            }
        }
        // A backslash outside quotes must not escape the closing quote.
        let backslashes = text.chars().rev().take_while(|&c| c == '\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        if let Item::Parameter { index, .. } = operand {
            arguments[*index].raw = tokens;
        }
        self.charge_bytes(text.len());
        let kind = lex::single(&text, self.options.dialect).unwrap_or(TokenKind::Unknown);
        let token = Token { kind, text: text.into(), made: true, expansion: inner, ..token.clone() };
        Tok { token, hide: HideId::EMPTY }
    }

    /// `##`: one token of two (C11 6.10.3.3), or both and a diagnostic when they make none.
    fn paste(&mut self, left: Tok, right: Tok, output: &mut Vec<Tok>) {
        let text = format!("{}{}", left.token.text, right.token.text);
        self.charge_bytes(text.len());
        let Some(kind) = lex::single(&text, self.options.dialect) else {
            self.diagnostics.push(
                Diagnostic::error(
                    "E0111",
                    format!("`{}` and `{}` pasted by `##` make no token", left.token.text, right.token.text),
                )
                .at(left.token.loc(), "")
                .also(right.token.loc(), ""),
            );
            output.extend([left, right]);
            return;
        };
        let hide = self.hides.intersection(left.hide, right.hide);
        let token = Token { kind, text: self.intern(&text), made: true, ..left.token };
        output.push(Tok { token, hide });
    }

    fn charge_bytes(&mut self, bytes: usize) {
        self.made_bytes += bytes;
        let limit = self.options.limits.made_bytes;
        if self.made_bytes > limit {
            self.stop_expanding(None, format!("`#` and `##` make more than {limit} bytes of text"));
        }
    }
}

/// A token of a macro's body, in this use.
fn in_body(token: &Token, inner: ExpansionId) -> Tok {
    Tok { token: Token { expansion: inner, ..token.clone() }, hide: HideId::EMPTY }
}
