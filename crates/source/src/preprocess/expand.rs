//! Macro expansion by Dave Prosser's algorithm (X3J11/86-196, the one behind C11 6.10.3.4).
//!
//! *Entry point:* [`Preprocessor::expand_next`]; [`substitute`](super::substitute) builds a macro's
//! replacement.
//!
//! Tokens are pulled from a [`Feed`]: results of earlier expansions, then the file.
//! A name whose hide set holds its own macro is never expanded again. A function-like use gets the
//! hide set of its name cut with that of its closing bracket, so that a use which ends outside the
//! replacement it began in may expand again, as gcc does.
//!
//! *Invariant:* every token made is charged to a budget, so expansion ends.

use std::rc::Rc;
use std::sync::Arc;

use super::Preprocessor;
use super::hide::{HideId, Tok};
use super::macros::{Builtin, Macro, MacroKind};
use crate::diagnostic::Diagnostic;
use crate::span::{ExpansionId, Loc};
use crate::token::{Token, TokenKind};

/// Where expansion takes its tokens from.
#[derive(Debug, Default)]
pub(super) struct Feed {
    /// To be scanned before the file, last first.
    pub stack: Vec<Tok>,
    /// Whether the current file follows.
    pub from_file: bool,
    /// Whether `defined` and `__has_include` are operators.
    pub in_condition: bool,
    /// White space left behind by uses that expanded to nothing.
    pub newline: bool,
    pub space: bool,
}

impl Feed {
    /// The current file, through all that it includes.
    pub fn file() -> Feed {
        Feed { from_file: true, ..Feed::default() }
    }

    /// These tokens and no more.
    pub fn list(mut tokens: Vec<Tok>) -> Feed {
        tokens.reverse();
        Feed { stack: tokens, ..Feed::default() }
    }
}

/// An argument of a function-like macro.
#[derive(Debug, Default)]
pub(super) struct Argument {
    pub raw: Vec<Tok>,
    /// Fully expanded, computed on demand.
    pub expanded: Option<Vec<Tok>>,
    /// These are the variable arguments.
    pub variable: bool,
    /// The variable arguments were left out altogether (GNU's `, ## __VA_ARGS__` then drops the
    /// comma).
    pub absent: bool,
}

/// Longest chain of macro uses that is kept for diagnostics.
const LONGEST_CHAIN: u32 = 100;
/// Most macro uses that are kept for diagnostics.
const MOST_EXPANSIONS: usize = 1_000_000;

impl Preprocessor<'_> {
    fn pull(&mut self, feed: &mut Feed) -> Option<Tok> {
        if self.stopped {
            return None;
        }
        match feed.stack.pop() {
            Some(tok) => Some(tok),
            None if feed.from_file => {
                let begins = self.collecting == 0;
                if begins {
                    self.use_began = self.expanded_tokens;
                }
                let tok = self.next_from_file();
                if begins {
                    self.use_at = self.here;
                }
                tok
            }
            None => None,
        }
    }

    /// The next token of the output.
    pub(super) fn expand_next(&mut self, feed: &mut Feed) -> Option<Tok> {
        loop {
            let mut tok = self.pull(feed)?;
            tok.token.newline_before |= std::mem::take(&mut feed.newline);
            tok.token.space_before |= std::mem::take(&mut feed.space);
            if tok.token.kind != TokenKind::Identifier {
                return Some(tok);
            }
            if feed.in_condition
                && let Some(value) = self.condition_operator(&tok, feed)
            {
                return Some(value);
            }
            let Some(definition) = self.macros.get(&tok.token.text) else {
                if self.is_pragma_operator(&tok.token) {
                    match self.pragma_operator(&tok, feed) {
                        Some(pragma) => return Some(pragma),
                        None => continue,
                    }
                }
                return Some(tok);
            };
            if self.hides.contains(tok.hide, definition.id) {
                return Some(tok);
            }
            let definition = Rc::clone(definition);
            if !self.expand_use(&definition, &tok, feed) {
                return Some(tok);
            }
        }
    }

    /// All tokens of a list, expanded; nothing follows the list.
    pub(super) fn expand_list(&mut self, tokens: Vec<Tok>, in_condition: bool) -> Vec<Tok> {
        if self.depth >= self.options.limits.expansion_depth {
            self.stop_at_limit(
                tokens.first().map(|tok| tok.token.loc()),
                format!("macro arguments are nested more than {} deep", self.depth),
            );
            return Vec::new();
        }
        self.depth += 1;
        let mut feed = Feed::list(tokens);
        feed.in_condition = in_condition;
        let mut output = Vec::new();
        while let Some(tok) = self.expand_next(&mut feed) {
            output.push(tok);
        }
        self.depth -= 1;
        output
    }

    /// Replaces a use of the macro at the head of the feed; false when `tok` is no use of it after
    /// all.
    fn expand_use(&mut self, definition: &Macro, tok: &Tok, feed: &mut Feed) -> bool {
        let name = &tok.token;
        let (mut result, hide) = match definition.kind {
            MacroKind::Builtin(builtin) => (vec![self.builtin(builtin, name)], HideId::EMPTY),
            MacroKind::Object => {
                let expansion = self.enter(definition, name.loc());
                let result = self.substitute(&definition.body, &mut [], expansion, name.expansion);
                (result, self.hides.insert(tok.hide, definition.id))
            }
            MacroKind::Function { parameters, variadic } => {
                // As in gcc, a use does not go on past the end of an included file.
                self.collecting += 1;
                let open = self.pull(feed);
                self.collecting -= 1;
                match open {
                    Some(open) if open.token.is_punct("(") => {}
                    Some(other) => {
                        feed.stack.push(other);
                        return false;
                    }
                    None => return false,
                }
                let Some((mut arguments, close)) = self.collect(name, parameters, variadic, feed) else {
                    return false;
                };
                if !self.fit_arguments(definition, parameters, variadic, name, &mut arguments) {
                    return false;
                }
                let expansion = self.enter(definition, name.loc().to(close.token.loc()));
                let result = self.substitute(&definition.body, &mut arguments, expansion, name.expansion);
                let hide = self.hides.intersection(tok.hide, close.hide);
                (result, self.hides.insert(hide, definition.id))
            }
        };
        if self.hides.is_full() {
            self.stop_at_limit(Some(name.loc()), "macros are nested too deeply in one another".into());
        }
        // The white space before the use belongs to the first token of the result, or to the
        // token after an empty result.
        feed.newline |= name.newline_before;
        feed.space |= name.space_before;
        if let Some(first) = result.first_mut() {
            first.token.newline_before = false;
            first.token.space_before = false;
        }
        if self.charge(1, Some(name.loc())) {
            for mut made in result.into_iter().rev() {
                made.hide = self.hides.union(made.hide, hide);
                feed.stack.push(made);
            }
        }
        true
    }

    /// The arguments up to the closing bracket, and that bracket. Nothing (and a diagnostic) when
    /// it is missing.
    fn collect(
        &mut self,
        name: &Token,
        parameters: usize,
        variadic: bool,
        feed: &mut Feed,
    ) -> Option<(Vec<Argument>, Tok)> {
        let mut arguments = vec![Argument::default()];
        let mut depth = 0usize;
        self.collecting += 1;
        let close = loop {
            let Some(mut tok) = self.pull(feed).filter(|_| self.charge(1, None)) else { break None };
            let token = &mut tok.token;
            if token.newline_before {
                // An expansion lies on the line of its use.
                token.newline_before = false;
                token.space_before = true;
            }
            if token.is_punct("(") {
                depth += 1;
            } else if token.is_punct(")") {
                if depth == 0 {
                    break Some(tok);
                }
                depth -= 1;
            } else if depth == 0 && token.is_punct(",") && !(variadic && arguments.len() == parameters) {
                arguments.push(Argument::default());
                continue;
            }
            if let Some(argument) = arguments.last_mut() {
                argument.raw.push(tok);
            }
        };
        self.collecting -= 1;
        if close.is_none() && !self.stopped {
            self.diagnostics.push(
                Diagnostic::error(
                    "E0110",
                    format!("the argument list of macro `{}` is never closed", name.text),
                )
                .at(name.loc(), "the use starts here"),
            );
        }
        close.map(|close| (arguments, close))
    }

    /// Whether there are as many arguments as parameters, after C's and GNU's rules for leaving
    /// some out.
    fn fit_arguments(
        &mut self,
        definition: &Macro,
        parameters: usize,
        variadic: bool,
        name: &Token,
        arguments: &mut Vec<Argument>,
    ) -> bool {
        let empty = arguments.len() == 1 && arguments[0].raw.is_empty();
        if parameters == 0 && empty {
            arguments.clear();
        }
        let absent = arguments.len() + 1 == parameters;
        if variadic && absent {
            arguments.push(Argument::default());
        }
        if arguments.len() == parameters {
            if let (true, Some(rest)) = (variadic, arguments.last_mut()) {
                rest.variable = true;
                rest.absent = absent || (parameters == 1 && empty);
            }
            return true;
        }
        let (found, at_least) = (arguments.len(), if variadic { "at least " } else { "" });
        let wanted = if variadic { parameters - 1 } else { parameters };
        let plural = if wanted == 1 { "" } else { "s" };
        self.diagnostics.push(
            Diagnostic::error(
                "E0109",
                format!("macro `{}` takes {at_least}{wanted} argument{plural}, not {found}", name.text),
            )
            .at(name.loc(), format!("given {found} here"))
            .also(Loc::plain(definition.definition), "defined here"),
        );
        false
    }

    /// Records a use of a macro; its chain is cut when it gets too long to be of use.
    fn enter(&mut self, definition: &Macro, call: Loc) -> ExpansionId {
        if self.sources.expansion_count() >= MOST_EXPANSIONS {
            return call.expansion;
        }
        let mut call = call;
        while let Some(parent) = self.sources.expansion(call.expansion) {
            if parent.depth < LONGEST_CHAIN {
                break;
            }
            call = Loc { span: parent.call, expansion: parent.parent };
        }
        self.sources.add_expansion(definition.name.clone(), call.span, definition.definition, call.expansion)
    }

    /// The chain of an argument's token inside the use `inner`, whose name had the chain `outer`:
    /// the uses of the token beyond `outer`, then `inner`.
    pub(super) fn rebase(&mut self, own: ExpansionId, outer: ExpansionId, inner: ExpansionId) -> ExpansionId {
        if own == outer || inner == outer || self.sources.expansion_count() >= MOST_EXPANSIONS {
            return inner;
        }
        let mut uses = Vec::new();
        let (mut own, mut outer) = (own, outer);
        while own != outer {
            let deeper = own.max(outer);
            let Some(expansion) = self.sources.expansion(deeper) else { break };
            if deeper == own {
                own = expansion.parent;
                uses.push(deeper);
            } else {
                outer = expansion.parent;
            }
        }
        let mut chain = inner;
        for id in uses.into_iter().rev() {
            let Some(expansion) = self.sources.expansion(id) else { break };
            let expansion = expansion.clone();
            let depth = self.sources.expansion(chain).map_or(0, |expansion| expansion.depth);
            if depth >= LONGEST_CHAIN || self.sources.expansion_count() >= MOST_EXPANSIONS {
                break;
            }
            chain = self.sources.add_expansion(expansion.name, expansion.call, expansion.definition, chain);
        }
        chain
    }

    /// The text of a built-in macro at its use.
    fn builtin(&mut self, builtin: Builtin, name: &Token) -> Tok {
        let (kind, text): (TokenKind, Arc<str>) = match builtin {
            Builtin::Line => (TokenKind::Number, self.presumed(name.loc()).1.to_string().into()),
            Builtin::Counter => {
                let count = self.counter;
                self.counter += 1;
                (TokenKind::Number, count.to_string().into())
            }
            Builtin::IncludeLevel => (TokenKind::Number, (self.frames.len().max(1) - 1).to_string().into()),
            Builtin::File => (TokenKind::String, quoted(&self.presumed(name.loc()).0)),
            Builtin::BaseFile => {
                let name = self.sources.file(self.main).name().clone();
                (TokenKind::String, quoted(&name))
            }
            // Fixed, so that equal inputs have equal outputs; gcc says the same when it knows no
            // time.
            Builtin::Date => (TokenKind::String, "\"??? ?? ????\"".into()),
            Builtin::Time => (TokenKind::String, "\"??:??:??\"".into()),
            Builtin::Timestamp => (TokenKind::String, "\"??? ??? ?? ??:??:?? ????\"".into()),
        };
        Tok { token: Token { kind, made: true, text, ..name.clone() }, hide: HideId::EMPTY }
    }

    /// Counts tokens made by expansion; false (and the end of all input) when there are too many.
    pub(super) fn charge(&mut self, tokens: usize, at: Option<Loc>) -> bool {
        self.expanded_tokens += tokens;
        let limits = self.options.limits;
        if self.expanded_tokens - self.use_began > limits.use_tokens {
            let message = format!("one use of a macro makes more than {} tokens", limits.use_tokens);
            self.stop_expanding(Some(Loc::plain(self.use_at)), message);
        } else if self.expanded_tokens > limits.expanded_tokens {
            let message = format!("macro expansion makes more than {} tokens", limits.expanded_tokens);
            self.stop_expanding(at, message);
        }
        !self.stopped
    }

    /// Takes tokens that an operator outside the macro machinery needs (`_Pragma`, `defined`).
    pub(super) fn pull_raw(&mut self, feed: &mut Feed) -> Option<Tok> {
        self.pull(feed)
    }
}

/// A string literal for this text.
pub(super) fn quoted(text: &str) -> Arc<str> {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted.into()
}
