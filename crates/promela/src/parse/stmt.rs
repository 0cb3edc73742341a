//! Statements and their sequences.

use axle_source::{Diagnostic, Loc as Place, nearest};

use super::fault::{spelt, starts_item};
use super::{Parse, Parser, Reported};
use crate::ast::{Block, Choice, Exclusive, For, ForRange, Select, Step, Stmt, StmtKind, StringLit, Unless};
use crate::foreign;
use crate::loc::Loc;
use crate::token::starts_declaration;
use crate::token::{Tok, Word};

impl Parser<'_> {
    /// The body of a process or a claim.
    pub(super) fn body(&mut self) -> Parse<Block> {
        let open = self.expect(Tok::LBrace, "`{` and the body")?;
        self.in_body = true;
        let block = self.rest_of_block(open);
        self.in_body = false;
        block
    }

    /// `{ ... }`.
    pub(super) fn block(&mut self, what: &str) -> Parse<Block> {
        let open = self.expect(Tok::LBrace, what)?;
        self.rest_of_block(open)
    }

    /// Statements and the `}` for the `{` at `open`.
    fn rest_of_block(&mut self, open: Place) -> Parse<Block> {
        let steps = self.sequence(open)?;
        if self.tok() != Tok::RBrace {
            let found = spelt(self.raw().tok, &self.raw().text);
            let fault = match self.raw().tok {
                Tok::Word(word @ (Word::Fi | Word::Od)) => {
                    let opens = if word == Word::Fi { "if" } else { "do" };
                    Diagnostic::error("E0215", format!("{found} inside this block closes no `{opens}`"))
                        .at(self.here(), "expected `}`")
                        .also(open, "this block is open")
                }
                _ => Diagnostic::error("E0216", format!("this block is not closed before {found}"))
                    .at(open, "this `{` is open")
                    .also(self.here(), "expected `}` before this"),
            };
            return self.fail(fault);
        }
        self.bump();
        Ok(Block { steps, inlined: None, loc: self.since(open) })
    }

    /// Statements up to their closing token, which stays unread.
    fn sequence(&mut self, open: Place) -> Parse<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            while matches!(self.tok(), Tok::Semi | Tok::Arrow) {
                self.bump();
            }
            if self.at_end_of_sequence() {
                break;
            }
            let before = self.at;
            let (parens, depth) = (self.parens, self.depth);
            match self.step() {
                Ok(step) => steps.push(step),
                Err(Reported) => {
                    let round = self.parens.saturating_sub(parens);
                    (self.parens, self.depth) = (parens, depth);
                    let first = self.tokens[before.min(self.tokens.len() - 1)].clone();
                    self.skip_to_step(before, round);
                    if starts_declaration(first.tok) || self.typedefs.contains(&first.text) {
                        self.leave_unparsed(before, self.at);
                    }
                    steps.push(Step::Stmt(Stmt { kind: StmtKind::Error, loc: Loc(first.loc) }));
                }
            }
            if self.at_end_of_sequence() {
                break;
            }
            if !matches!(self.tok(), Tok::Semi | Tok::Arrow) {
                self.missing_separator();
            }
        }
        if steps.is_empty() && !self.aborted {
            let fault = Diagnostic::error("E0217", "a statement is missing")
                .at(self.here(), "expected a statement before this")
                .also(open, "after this")
                .help("where nothing is to be done, write `skip`");
            self.report(fault);
        }
        Ok(steps)
    }

    fn at_end_of_sequence(&self) -> bool {
        match self.raw().tok {
            Tok::RBrace | Tok::Option | Tok::End | Tok::Word(Word::Fi | Word::Od) => true,
            tok => starts_item(tok),
        }
    }

    /// Reports a missing separator, and skips tokens that cannot start a statement.
    fn missing_separator(&mut self) {
        let token = self.raw();
        let starts =
            matches!(token.tok, Tok::Name | Tok::Number(_) | Tok::LBrace | Tok::LParen | Tok::Word(_));
        if starts && token.tok != Tok::Word(Word::Unless) {
            let fault = Diagnostic::error("E0218", format!("`;` is missing before `{}`", token.text))
                .at(self.prev_loc.after(), "expected `;` or `->`");
            self.report(fault);
            return;
        }
        let before = self.at;
        if token.tok == Tok::Word(Word::Unless) {
            let fault = Diagnostic::error("E0219", "a second `unless` needs braces").at(token.loc, "").help(
                "write `{ a unless b } unless c` for the outer, `a unless { b unless c }` for the inner",
            );
            self.report(fault);
        } else {
            let fault = self.unexpected("`;` or `->`");
            self.report(fault);
        }
        self.force();
        self.skip_to_step(before, 0);
    }

    /// One element of a sequence.
    fn step(&mut self) -> Parse<Step> {
        match self.tok() {
            tok if starts_declaration(tok) => {
                if self.at_mtype_list() {
                    return self.mtype_list().map(Step::Mtype);
                }
                self.var_decl().map(Step::Vars)
            }
            Tok::Name if self.typedefs.contains(&self.raw().text) => self.var_decl().map(Step::Vars),
            Tok::Name if self.ahead(1) == Tok::Name && !self.tokens[self.at + 1].newline => {
                match foreign::help(&self.raw().text) {
                    Some(help) => self.foreign(help),
                    None => self.unknown_type().map(Step::Vars),
                }
            }
            Tok::Word(Word::Xr | Word::Xs) => self.exclusive().map(Step::Exclusive),
            _ => {
                let first = self.here();
                let main = self.stmt()?;
                if !self.eat_word(Word::Unless) {
                    return Ok(Step::Stmt(main));
                }
                let escape = self.stmt()?;
                Ok(Step::Unless(Box::new(Unless { main, escape, loc: self.since(first) })))
            }
        }
    }

    /// `xr c, d`.
    fn exclusive(&mut self) -> Parse<Exclusive> {
        let send = self.tok() == Tok::Word(Word::Xs);
        let first = self.bump();
        let mut channels = vec![self.var_ref("a channel")?];
        while self.eat(Tok::Comma) {
            channels.push(self.var_ref("a channel")?);
        }
        Ok(Exclusive { send, channels, loc: self.since(first) })
    }

    /// A statement.
    fn stmt(&mut self) -> Parse<Stmt> {
        let first = self.here();
        let kind = self.nested(4, |parser| parser.stmt_kind())?;
        Ok(Stmt { kind, loc: self.since(first) })
    }

    fn stmt_kind(&mut self) -> Parse<StmtKind> {
        let Tok::Word(word) = self.tok() else {
            return match self.tok() {
                Tok::LBrace => self.block("`{`").map(StmtKind::Block),
                Tok::Name => self.stmt_with_name(),
                Tok::Incr | Tok::Decr => {
                    let sign = self.raw().text.clone();
                    self.fail(
                        Diagnostic::error("E0220", format!("`{sign}` stands behind the variable"))
                            .at(self.here(), "")
                            .help(format!("write `x{sign}`")),
                    )
                }
                Tok::Option => self.expected("a statement"),
                _ => self.expression_statement(),
            };
        };
        let first = self.here();
        match word {
            Word::If => Ok(StmtKind::If(self.choices(Word::Fi)?)),
            Word::Do => Ok(StmtKind::Do(self.choices(Word::Od)?)),
            Word::Else => {
                self.bump();
                Ok(StmtKind::Else)
            }
            Word::Break => {
                self.bump();
                Ok(StmtKind::Break)
            }
            Word::Goto => {
                self.bump();
                self.name("the name of a label").map(StmtKind::Goto)
            }
            Word::Atomic => {
                self.bump();
                self.block("`{` and statements").map(StmtKind::Atomic)
            }
            Word::DStep => {
                self.bump();
                self.block("`{` and statements").map(StmtKind::DStep)
            }
            Word::For => self.for_loop().map(|inner| StmtKind::For(Box::new(inner))),
            Word::Select => self.select().map(|inner| StmtKind::Select(Box::new(inner))),
            Word::Assert => {
                self.bump();
                self.full_expr().map(StmtKind::Assert)
            }
            Word::Printf => self.printf(),
            Word::Printm => {
                self.bump();
                let open = self.open_paren("`(` and a name of an mtype")?;
                let value = self.expr()?;
                self.close_paren(open)?;
                Ok(StmtKind::Printm(value))
            }
            Word::SetPriority => {
                self.bump();
                let open = self.open_paren("`(`, a process and a priority")?;
                let process = self.expr()?;
                self.expect(Tok::Comma, "`,` and a priority")?;
                let priority = self.expr()?;
                self.close_paren(open)?;
                Ok(StmtKind::SetPriority(process, priority))
            }
            Word::CCode | Word::CDecl => self.c_code().map(StmtKind::Code),
            Word::Return => self.return_value(),
            Word::Unless => {
                let fault = Diagnostic::error("E0221", "`unless` follows no statement").at(first, "");
                let fault = match self.raw().newline && self.prev == Tok::Semi {
                    true => fault.help("a statement that does not end with `}` ends with its line: put `unless` on the same line"),
                    false => fault.help("no `;` stands before `unless`"),
                };
                self.fail(fault)
            }
            Word::Inline | Word::Typedef | Word::Proctype => self.expected("a statement"),
            Word::Provided | Word::Priority | Word::Of | Word::Eval => self.expected("a statement"),
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parse<StmtKind> {
        let expr = self.full_expr()?;
        if self.tok() == Tok::Assign {
            let fault = Diagnostic::error("E0222", "the left side of `=` is not a variable")
                .at(self.here(), "")
                .help("`=` assigns; to compare, write `==`");
            return self.fail(fault);
        }
        Ok(StmtKind::Expr(expr))
    }

    /// A statement that begins with a name: a label, a call, an assignment, a send, a receive or an expression.
    fn stmt_with_name(&mut self) -> Parse<StmtKind> {
        let text = self.raw().text.clone();
        match self.ahead(1) {
            Tok::Colon if !self.proctypes.contains(&text) => return self.label(),
            Tok::LParen if self.inlines.contains_key(&text) => {
                let block = self.inline_call(None)?;
                return Ok(StmtKind::Block(block));
            }
            Tok::LParen | Tok::LBrace => return self.unknown_call(),
            // None of these can follow the name of a variable.
            tok if matches!(tok, Tok::Name | Tok::Number(_) | Tok::Word(Word::Skip | Word::Goto))
                || starts_declaration(tok) =>
            {
                if let Some(help) = foreign::help(&text) {
                    return self.foreign(help);
                }
            }
            _ => {}
        }
        let behind = self.behind_var_ref();
        match self.ahead(behind) {
            Tok::Query | Tok::QueryQuery if self.ahead(behind + 1) == Tok::LBracket => {
                self.expression_statement()
            }
            Tok::Assign => {
                let target = self.var_ref("a variable")?;
                self.bump();
                if self.tok() == Tok::Name
                    && self.ahead(1) == Tok::LParen
                    && self.inlines.contains_key(&self.raw().text)
                {
                    let block = self.inline_call(Some(target))?;
                    if super::expr::binary_op(self.raw().tok).is_some() && !self.raw().newline {
                        let fault = Diagnostic::error("E0233", "an inline is called inside an expression")
                            .at(self.here(), "")
                            .help("its result can only be assigned, as in `x = f(...)`; use `x` then");
                        return self.fail(fault);
                    }
                    return Ok(StmtKind::Block(block));
                }
                let value = self.full_expr()?;
                if self.tok() == Tok::Assign {
                    let fault = Diagnostic::error("E0223", "only one variable is assigned at a time")
                        .at(self.here(), "")
                        .help("write two statements; to compare, write `==`");
                    return self.fail(fault);
                }
                Ok(StmtKind::Assign(target, value))
            }
            Tok::Incr => {
                let target = self.var_ref("a variable")?;
                self.bump();
                Ok(StmtKind::Increment(target))
            }
            Tok::Decr => {
                let target = self.var_ref("a variable")?;
                self.bump();
                Ok(StmtKind::Decrement(target))
            }
            Tok::Bang | Tok::BangBang => self.send().map(StmtKind::Send),
            Tok::Query | Tok::QueryQuery => self.receive().map(StmtKind::Receive),
            _ => self.expression_statement(),
        }
    }

    /// How many tokens the variable, field or element takes that begins here.
    fn behind_var_ref(&self) -> usize {
        let mut n = 1;
        loop {
            if self.ahead(n) == Tok::LBracket {
                let mut open = 0;
                loop {
                    match self.ahead(n) {
                        Tok::LBracket => open += 1,
                        Tok::RBracket => open -= 1,
                        // No statement's end lies in an index.
                        Tok::End | Tok::Semi | Tok::LBrace | Tok::RBrace => return n,
                        _ => {}
                    }
                    n += 1;
                    if open == 0 {
                        break;
                    }
                }
            }
            if self.ahead(n) != Tok::Dot || self.ahead(n + 1) != Tok::Name {
                return n;
            }
            n += 2;
        }
    }

    /// `L: statement`, or `L:` alone.
    fn label(&mut self) -> Parse<StmtKind> {
        let name = self.name("a label")?;
        self.bump();
        match self.tok() {
            Tok::Semi | Tok::Arrow | Tok::Word(Word::Unless) => Ok(StmtKind::Label(name)),
            _ if self.at_end_of_sequence() => Ok(StmtKind::Label(name)),
            tok if starts_declaration(tok) || matches!(tok, Tok::Word(Word::Xr | Word::Xs)) => {
                let fault = Diagnostic::error("E0224", "a label stands before a declaration")
                    .at(name.loc.0, "only statements can be labelled")
                    .help("put the label behind the declaration, or write `skip;` between them");
                self.fail(fault)
            }
            _ => Ok(StmtKind::Labelled(name, Box::new(self.stmt()?))),
        }
    }

    /// A name with a bracket or a brace behind it that is no inline.
    fn unknown_call<T>(&mut self) -> Parse<T> {
        let token = self.raw().clone();
        let text = &*token.text;
        if let Some(help) = foreign::help(text) {
            return self.foreign(help);
        }
        let fault = if self.ahead(1) == Tok::LBrace {
            Diagnostic::error("E0225", format!("`{text}` is not a Promela statement")).at(token.loc, "")
        } else if self.proctypes.contains(&token.text) {
            Diagnostic::error("E0226", format!("`{text}` is a process type, not an inline"))
                .at(token.loc, "")
                .help(format!("to start a process, write `run {text}(...)`"))
        } else {
            Diagnostic::error("E0227", format!("no inline `{text}` is declared above"))
                .at(token.loc, "")
                .note("an inline is declared before it is called; a process is started with `run`")
        };
        if self.proctypes.contains(&token.text) {
            return self.fail(fault);
        }
        let fault = match nearest(text, self.inlines.keys().map(|known| &**known)) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => self.did_you_mean(fault, text),
        };
        self.fail(fault)
    }

    /// A word of another language, with its equivalent in Promela.
    fn foreign<T>(&mut self, help: &str) -> Parse<T> {
        let text = self.raw().text.clone();
        let fault = Diagnostic::error("E0225", format!("`{text}` is not a Promela statement"))
            .at(self.here(), "")
            .help(help);
        self.fail(fault)
    }

    /// The options of `if` or `do`, up to and with the closing word.
    fn choices(&mut self, close: Word) -> Parse<Vec<Choice>> {
        let open = self.bump();
        let mut choices = Vec::new();
        if self.tok() != Tok::Option {
            let opens = if close == Word::Fi { "if" } else { "do" };
            let fault = Diagnostic::error("E0228", format!("expected `::` behind `{opens}`"))
                .at(self.here(), "expected `::`")
                .help(format!("write `{opens} :: cond -> ... :: else -> ... {}`", close.text()));
            self.report(fault);
            // The text is parsed as an option, so that its errors are reported too.
            if self.tok() == Tok::LParen {
                let first = self.here();
                let condition = self.full_expr()?;
                let mut steps = vec![Stmt { loc: condition.loc, kind: StmtKind::Expr(condition) }];
                if self.tok() == Tok::LBrace {
                    let loc = self.here();
                    let block = self.block("`{`")?;
                    steps.push(Stmt { kind: StmtKind::Block(block), loc: self.since(loc) });
                }
                let steps = steps.into_iter().map(Step::Stmt).collect();
                choices.push(Choice { steps, loc: self.since(first) });
                if !matches!(self.raw().tok, Tok::Option | Tok::Word(Word::Fi | Word::Od)) {
                    // Written as in C to the end.
                    self.prev = Tok::RBrace;
                    return Ok(choices);
                }
            } else if !matches!(self.tok(), Tok::End | Tok::RBrace) {
                let first = self.here();
                let steps = self.sequence(open)?;
                choices.push(Choice { steps, loc: self.since(first) });
            }
        }
        while self.tok() == Tok::Option {
            let first = self.bump();
            let steps = self.sequence(first)?;
            choices.push(Choice { steps, loc: self.since(first) });
        }
        match self.tok() {
            Tok::Word(word) if word == close => {
                self.bump();
            }
            Tok::Word(word @ (Word::Fi | Word::Od)) => {
                let fault = Diagnostic::error(
                    "E0229",
                    format!("expected `{}`, found `{}`", close.text(), word.text()),
                )
                .at(self.here(), format!("expected `{}`", close.text()))
                .also(open, "this is open");
                self.report(fault);
                self.bump();
            }
            _ => {
                let found = spelt(self.raw().tok, &self.raw().text);
                let fault =
                    Diagnostic::error("E0230", format!("`{}` is missing before {found}", close.text()))
                        .at(self.here(), format!("expected `{}` before this", close.text()))
                        .also(open, "this is open");
                self.report(fault);
            }
        }
        Ok(choices)
    }

    /// `for (i : a .. b) { ... }` and `for (i in a) { ... }`.
    fn for_loop(&mut self) -> Parse<For> {
        self.bump();
        let open = self.open_paren("`(` and a variable")?;
        let var = self.var_ref("a variable")?;
        let range = if self.eat(Tok::Colon) {
            let from = self.expr()?;
            self.expect(Tok::DotDot, "`..` and the last value")?;
            ForRange::Values(from, self.expr()?)
        } else if self.at_name("in") {
            self.bump();
            ForRange::In(self.var_ref("an array or a channel")?)
        } else {
            let fault = self.unexpected("`:` or `in`");
            return self.fail(fault.help("write `for (i : 0 .. 9) { ... }` or `for (i in a) { ... }`"));
        };
        self.close_paren(open)?;
        if self.tok() == Tok::Semi {
            self.bump();
        }
        let body = self.block("`{` and statements")?;
        Ok(For { var, range, body })
    }

    /// `select (v : a .. b)`.
    fn select(&mut self) -> Parse<Select> {
        let literal = self.select_is_literal();
        self.bump();
        let open = self.open_paren("`(` and a variable")?;
        let var = self.var_ref("a variable")?;
        self.expect(Tok::Colon, "`:` and the least value")?;
        let from = self.expr()?;
        self.expect(Tok::DotDot, "`..` and the largest value")?;
        let to = self.expr()?;
        self.close_paren(open)?;
        if literal
            && matches!((&from.kind, &to.kind), (crate::ast::ExprKind::Number(a), crate::ast::ExprKind::Number(b)) if b.saturating_sub(*a) > 32)
        {
            // Spin's text for it ends with a semicolon.
            self.prev = Tok::RBrace;
        }
        Ok(Select { var, from, to, literal })
    }

    /// See [`Select::literal`].
    fn select_is_literal(&self) -> bool {
        let plain = |n: usize, shape: fn(&str) -> bool| {
            self.tokens.get(self.at + n).is_some_and(|token| !token.newline && shape(&token.text))
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        self.expanding.is_empty()
            && plain(1, |text| text == "(")
            && plain(2, |text| text.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            && plain(3, |text| text == ":")
            && plain(4, digits)
            && plain(5, |text| text == "..")
            && plain(6, digits)
            && plain(7, |text| text == ")")
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.open_paren("`(` and a format")?;
        if self.tok() != Tok::Str {
            return self.expected("a format between double quotes");
        }
        let format = self.string();
        let mut args = Vec::new();
        while self.eat(Tok::Comma) {
            args.push(self.expr()?);
        }
        self.close_paren(open)?;
        Ok(StmtKind::Printf(format, args))
    }

    /// The string that stands here.
    pub(super) fn string(&mut self) -> StringLit {
        let text = self.raw().text.clone();
        let inner = text.strip_prefix('"').unwrap_or(&text);
        let inner = inner.strip_suffix('"').unwrap_or(inner).to_owned();
        let loc = self.bump();
        StringLit { text: inner, loc: Loc(loc) }
    }
}
