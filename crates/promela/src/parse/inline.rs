//! `inline`: its definition, and its calls, which are replaced by the body.
//!
//! As in Spin, a call is replaced by text: in a copy of the body's tokens every name that is a
//! parameter is replaced by the argument's tokens, wherever it stands, and the copy is parsed as a
//! block. Embedded C is not touched. Each token of the copy gets an expansion in
//! [`axle_source::Sources`], so that a diagnostic shows the call and the line of the body.
//!
//! *Invariant:* an inline is never expanded inside itself, and all calls together produce at most
//! [`MOST_TOKENS`] tokens, so expansion ends.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use axle_source::{Diagnostic, ExpansionId, ExpansionKind, Loc as Place};
use rustc_hash::FxHashMap;

use super::{Expanding, Parse, Parser};
use crate::ast::{Block, Inline, Inlined, Item, Name, StmtKind, VarRef};
use crate::loc::Loc;
use crate::token::{Tok, Token, Word};

/// How many tokens the calls of a model may produce.
const MOST_TOKENS: usize = 4_000_000;

/// A definition of an inline.
pub(super) struct Definition {
    name: Name,
    params: Vec<Name>,
    /// From brace to brace.
    body: Vec<Token>,
    pub(super) loc: Place,
    pub(super) calls: Cell<u32>,
}

impl Parser<'_> {
    /// `inline f(a, b) { ... }`.
    pub(super) fn inline_definition(&mut self) -> Parse<Item> {
        let first = self.bump();
        let name = self.name("the name of the inline")?;
        let open = self.open_paren("`(` and the parameters")?;
        let mut params: Vec<Name> = Vec::new();
        if self.tok() == Tok::Name {
            params.push(self.name("a parameter")?);
            while self.eat(Tok::Comma) {
                params.push(self.name("a parameter")?);
            }
        }
        self.close_paren(open)?;
        if self.raw().tok != Tok::LBrace {
            return self.expected("`{` and the body");
        }
        let start = self.at;
        let brace = self.here();
        let mut depth = 0usize;
        loop {
            match self.raw().tok {
                Tok::LBrace => depth += 1,
                Tok::RBrace => depth -= 1,
                Tok::End => {
                    let fault =
                        Diagnostic::error("E0216", "this block is not closed before the end of the file")
                            .at(brace, "this `{` is open");
                    return self.fail(fault);
                }
                _ => {}
            }
            self.force();
            if depth == 0 {
                break;
            }
        }
        let body = self.tokens[start..self.at].to_vec();
        let text = self.raw_text(&body[1..body.len() - 1]);
        let loc = self.since(first);
        let key: Arc<str> = name.text.as_str().into();
        let definition =
            Definition { name: name.clone(), params: params.clone(), body, loc: loc.0, calls: Cell::new(0) };
        if let Some(before) = self.inlines.get(&key) {
            let fault = Diagnostic::error("E0237", format!("the inline `{}` is declared twice", name.text))
                .at(name.loc.0, "")
                .also(before.name.loc.0, "first declared here");
            self.report(fault);
        }
        self.inlines.insert(key, Rc::new(definition));
        Ok(Item::Inline(Inline { name, params, text, calls: 0, loc }))
    }

    /// `f(x, y)`, a call of a known inline; the block that replaces it. `target` takes the result.
    pub(super) fn inline_call(&mut self, target: Option<VarRef>) -> Parse<Block> {
        let call_first = target.as_ref().map_or(self.here(), |target| target.loc.0);
        let name = self.raw().clone();
        let Some(definition) = self.inlines.get(&name.text).cloned() else {
            return self.expected("the name of an inline");
        };
        self.bump();
        let args = self.arguments()?;
        let call = self.since(call_first);
        if self.expanding.iter().any(|outer| outer.name == name.text) {
            let fault =
                Diagnostic::error("E0238", format!("the inline `{}` is called inside itself", name.text))
                    .at(name.loc, "this call would never end")
                    .help("an inline is replaced by its text; for recursion use processes");
            return self.fail(fault);
        }
        let given: &[Vec<Token>] = match (definition.params.len(), args.as_slice()) {
            (0, [only]) if only.is_empty() => &[],
            (_, args) => args,
        };
        if given.len() != definition.params.len() {
            let wanted = definition.params.len();
            let message =
                format!("`{}` has {wanted} parameter{}, {} given", name.text, plural(wanted), given.len());
            let fault = Diagnostic::error("E0239", message)
                .at(call.0, "")
                .also(definition.name.loc.0, "declared here");
            return self.fail(fault);
        }
        definition.calls.set(definition.calls.get().saturating_add(1));
        let body = self.substitute(&definition, given, &name)?;
        self.parse_body(body, &name, target, call)
    }

    /// The arguments of a call, from bracket to bracket, split at commas outside brackets.
    fn arguments(&mut self) -> Parse<Vec<Vec<Token>>> {
        let open = self.open_paren("`(` and the arguments")?;
        let mut args = vec![Vec::new()];
        let mut depth = 0u32;
        loop {
            let token = self.raw().clone();
            match token.tok {
                Tok::LParen | Tok::LBracket | Tok::LBrace => depth += 1,
                Tok::RParen if depth == 0 => break,
                Tok::RParen | Tok::RBracket | Tok::RBrace if depth > 0 => depth -= 1,
                Tok::Semi | Tok::RBrace | Tok::End | Tok::Option => {
                    return self.expected_closing("`,` or `)`", open, "in this call");
                }
                _ => {}
            }
            self.force();
            match (token.tok, args.last_mut()) {
                (Tok::Comma, _) if depth == 0 => args.push(Vec::new()),
                (_, Some(last)) => last.push(token),
                (_, None) => {}
            }
        }
        self.close_paren(open)?;
        if args.len() > 1 && args.iter().any(Vec::is_empty) {
            let fault = Diagnostic::error("E0240", "an argument is missing").at(self.since(open).0, "");
            return self.fail(fault);
        }
        Ok(args)
    }

    /// The body with arguments in place of parameters.
    fn substitute(
        &mut self,
        definition: &Definition,
        args: &[Vec<Token>],
        call: &Token,
    ) -> Parse<Vec<Token>> {
        let add = |parser: &mut Self, kind, name: &str, at: Place, declared: Place, parent| {
            parser.sources.add_use(kind, name.into(), at.span, declared.span, parent)
        };
        let home = definition.name.loc.0;
        let inlined = add(self, ExpansionKind::Inline, &call.text, call.loc, home, call.loc.expansion);
        let params: FxHashMap<&str, usize> =
            definition.params.iter().enumerate().map(|(index, name)| (name.text.as_str(), index)).collect();
        // Macros used in the body were recorded without this call; their copies lie inside it.
        let mut copies: FxHashMap<ExpansionId, ExpansionId> = FxHashMap::default();
        copies.insert(ExpansionId::NONE, inlined);
        let mut out = Vec::with_capacity(definition.body.len());
        let mut c_depth: Option<u32> = None;
        for token in &definition.body {
            let expansion = self.copy_expansion(token.loc.expansion, &mut copies);
            let loc = Place { span: token.loc.span, expansion };
            c_depth = match (c_depth, token.tok) {
                (None, Tok::Word(Word::CCode | Word::CDecl | Word::CExpr)) => Some(0),
                (None, _) => None,
                (Some(depth), Tok::LBrace) => Some(depth + 1),
                (Some(0 | 1), Tok::RBrace) => None,
                (Some(depth), Tok::RBrace) => Some(depth - 1),
                (Some(depth), _) => Some(depth),
            };
            let param = params.get(&*token.text).filter(|_| token.tok == Tok::Name && c_depth.is_none());
            let Some(&index) = param else {
                out.push(Token { loc, ..token.clone() });
                continue;
            };
            let declared = definition.params[index].loc.0;
            let used = add(self, ExpansionKind::Parameter, &token.text, loc, declared, expansion);
            for (n, part) in args[index].iter().enumerate() {
                let (newline, space) =
                    if n == 0 { (token.newline, token.space) } else { (false, part.space) };
                let loc = Place { span: part.loc.span, expansion: used };
                out.push(Token { newline, space, loc, ..part.clone() });
            }
            if self.expanded + out.len() > MOST_TOKENS {
                break;
            }
        }
        self.expanded += out.len();
        if self.expanded > MOST_TOKENS {
            let fault = Diagnostic::error("E0241", "the calls of inlines produce too much text")
                .at(call.loc, format!("more than {MOST_TOKENS} tokens altogether"));
            return self.abort(fault);
        }
        Ok(out)
    }

    /// The copy of a macro use that lies inside a call of an inline.
    fn copy_expansion(
        &mut self,
        original: ExpansionId,
        copies: &mut FxHashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        let mut pending = vec![original];
        while let Some(&last) = pending.last() {
            if copies.contains_key(&last) {
                break;
            }
            pending.push(self.sources.expansion(last).map_or(ExpansionId::NONE, |use_| use_.parent));
        }
        let mut copy =
            pending.pop().and_then(|known| copies.get(&known).copied()).unwrap_or(ExpansionId::NONE);
        while let Some(id) = pending.pop() {
            if let Some(use_) = self.sources.expansion(id).cloned() {
                copy = self.sources.add_use(use_.kind, use_.name, use_.call, use_.definition, copy);
                copies.insert(id, copy);
            }
        }
        copy
    }

    /// Parses the copy of a body in place of the call that was just read.
    fn parse_body(
        &mut self,
        mut body: Vec<Token>,
        call: &Token,
        target: Option<VarRef>,
        loc: Loc,
    ) -> Parse<Block> {
        let end = body.last().map_or(call.loc, |token| token.loc.after());
        body.push(Token { tok: Tok::End, newline: true, space: true, loc: end, text: "".into() });
        let outer = std::mem::replace(&mut self.tokens, body.into());
        let (at, prev, prev_loc, parens) = (self.at, self.prev, self.prev_loc, self.parens);
        (self.at, self.prev, self.parens) = (0, Tok::Semi, 0);
        self.expanding.push(Expanding { name: call.text.clone(), target });
        let block = self.block("`{`");
        self.expanding.pop();
        self.tokens = outer;
        (self.prev_loc, self.parens) = (prev_loc, parens);
        self.at = if self.aborted { self.tokens.len() - 1 } else { at };
        // The text ends with a brace, whose consequences apply after the call.
        self.prev = if block.is_ok() { Tok::RBrace } else { prev };
        let mut block = block?;
        block.inlined = Some(Inlined { name: call.text.to_string(), call: loc });
        Ok(block)
    }

    /// `return e` in the body of an inline: the assignment to the target of the result.
    pub(super) fn return_value(&mut self) -> Parse<StmtKind> {
        let first = self.bump();
        let value = self.full_expr()?;
        match self.expanding.last() {
            Some(Expanding { target: Some(target), .. }) => Ok(StmtKind::Assign(target.clone(), value)),
            Some(Expanding { target: None, name }) => {
                let fault =
                    Diagnostic::error("E0242", format!("nothing takes the value that `{name}` returns"))
                        .at(first, "")
                        .help(format!("call it as `x = {name}(...)`"));
                self.fail(fault)
            }
            None => {
                let fault = Diagnostic::error("E0243", "`return` stands outside an inline")
                    .at(first, "")
                    .help("a process ends at its closing brace; `goto` a label before it");
                self.fail(fault)
            }
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
