//! Declarations: at the top level, in bodies, of parameters and of fields.

use axle_source::{Diagnostic, Loc as Place};

use super::{Parse, Parser, Reported};
use crate::ast::{
    Active, ChanInit, Declarator, Expr, ExprKind, Init, Initializer, Item, MtypeDecl, Name, Never, Proctype,
    Trace, TypeKind, TypeName, Typedef, VarDecl, Visibility,
};
use crate::loc::Loc;
use crate::token::starts_declaration;
use crate::token::{Tok, WORDS, Word};

impl Parser<'_> {
    /// A declaration at the top level.
    pub(super) fn item(&mut self) -> Parse<Item> {
        match self.tok() {
            Tok::Word(Word::Active | Word::Proctype | Word::DProctype) => self.proctype(),
            Tok::Word(Word::Init) => self.init(),
            Tok::Word(Word::Never) => self.never(),
            Tok::Word(Word::Trace | Word::NoTrace) => self.trace(),
            Tok::Word(Word::Ltl) => self.ltl(),
            Tok::Word(Word::Typedef) => self.typedef(),
            Tok::Word(Word::Inline) => self.inline_definition(),
            Tok::Word(Word::CCode | Word::CDecl) => Ok(Item::Code(self.c_code()?)),
            Tok::Word(Word::CState | Word::CTrack) => self.c_state(),
            tok if starts_declaration(tok) => self.vars_item(),
            Tok::Name if self.typedefs.contains(&self.raw().text) => self.vars_item(),
            Tok::Name
                if self.ahead(1) == Tok::Name && !matches!(self.ahead(2), Tok::LParen | Tok::LBrace) =>
            {
                self.unknown_type().map(Item::Vars)
            }
            Tok::Name | Tok::Word(_) => {
                let token = self.raw();
                let fault =
                    Diagnostic::error("E0207", format!("`{}` does not start a declaration", token.text))
                        .at(token.loc, "expected a declaration");
                let fault = match (token.tok, self.similar(&token.text)) {
                    (Tok::Name, Some(near)) => fault.help(format!("did you mean `{near}`?")),
                    _ => fault.help("statements stand in the body of a `proctype` or of `init`"),
                };
                self.fail(fault)
            }
            Tok::RBrace => {
                let fault = Diagnostic::error("E0208", "`}` closes nothing")
                    .at(self.here(), "no block is open here")
                    .help("look for a `}` too many above");
                self.fail(fault)
            }
            _ => self.expected("a declaration"),
        }
    }

    fn vars_item(&mut self) -> Parse<Item> {
        if self.at_mtype_list() {
            return self.mtype_list().map(Item::Mtype);
        }
        self.var_decl().map(Item::Vars)
    }

    /// Whether `mtype = {` stands here, with all that may stand between.
    pub(super) fn at_mtype_list(&self) -> bool {
        let mut n = usize::from(matches!(self.ahead(0), Tok::Word(Word::Hidden | Word::Show | Word::Local)));
        if self.ahead(n) != Tok::Word(Word::Mtype) {
            return false;
        }
        n += 1;
        if self.ahead(n) == Tok::Colon {
            n += 2;
        }
        n += usize::from(self.ahead(n) == Tok::Assign);
        self.ahead(n) == Tok::LBrace
    }

    /// `mtype:sub = { A, B C }`; commas are optional.
    pub(super) fn mtype_list(&mut self) -> Parse<MtypeDecl> {
        let first = self.here();
        let visibility = self.visibility();
        self.bump();
        let subtype = if self.eat(Tok::Colon) { Some(self.name("the name of the mtype")?) } else { None };
        self.eat(Tok::Assign);
        let open = self.bump();
        let mut names = Vec::new();
        loop {
            match self.tok() {
                Tok::Name => names.push(self.name("a name")?),
                Tok::Comma if !names.is_empty() => {
                    self.bump();
                }
                // In a body, where Spin refuses the list anyway, a line end counts.
                Tok::Semi if self.implied() => {
                    self.bump();
                }
                Tok::RBrace if !names.is_empty() => {
                    self.bump();
                    break;
                }
                _ => return self.expected_closing("a name", open, "in this list"),
            }
        }
        Ok(MtypeDecl { subtype, names, visibility, loc: self.since(first) })
    }

    fn visibility(&mut self) -> Visibility {
        let visibility = match self.tok() {
            Tok::Word(Word::Hidden) => Visibility::Hidden,
            Tok::Word(Word::Show) => Visibility::Show,
            Tok::Word(Word::Local) => Visibility::Local,
            _ => return Visibility::None,
        };
        self.bump();
        visibility
    }

    /// `hidden byte a, b = 3, c[4]`.
    pub(super) fn var_decl(&mut self) -> Parse<VarDecl> {
        let first = self.here();
        let visibility = self.visibility();
        let ty = self.type_name()?;
        let declarators = self.declarators()?;
        Ok(VarDecl { visibility, ty, declarators, loc: self.since(first) })
    }

    fn declarators(&mut self) -> Parse<Vec<Declarator>> {
        let mut declarators = vec![self.declarator()?];
        while self.eat(Tok::Comma) {
            declarators.push(self.declarator()?);
        }
        Ok(declarators)
    }

    /// Two names where a declaration or statement may begin: the first is no type. The declaration
    /// is read, so that its names are known.
    pub(super) fn unknown_type(&mut self) -> Parse<VarDecl> {
        let first = self.here();
        let text = self.raw().text.clone();
        let fault = match self.similar(&text) {
            Some(near) if *near != *text => {
                let message = format!("`{text}` is neither a type nor a word of Promela");
                Diagnostic::error("E0209", message)
                    .at(first, "")
                    .help(format!("did you mean `{near}`?"))
            }
            _ => Diagnostic::error("E0209", format!("`{text}` is not a type"))
                .at(first, "no `typedef` above declares it")
                .help("types are bit, bool, byte, pid, short, int, unsigned, mtype, chan and those of a `typedef`"),
        };
        self.report(fault);
        self.force();
        self.prev = Tok::Other;
        let ty = TypeName { kind: TypeKind::Refused, loc: Loc(first) };
        let declarators = self.declarators()?;
        Ok(VarDecl { visibility: Visibility::None, ty, declarators, loc: self.since(first) })
    }

    /// A type.
    fn type_name(&mut self) -> Parse<TypeName> {
        let first = self.here();
        let kind = match self.tok() {
            Tok::Word(Word::Bit) => TypeKind::Bit,
            Tok::Word(Word::Bool) => TypeKind::Bool,
            Tok::Word(Word::Byte) => TypeKind::Byte,
            Tok::Word(Word::Pid) => TypeKind::Pid,
            Tok::Word(Word::Short) => TypeKind::Short,
            Tok::Word(Word::Int) => TypeKind::Int,
            Tok::Word(Word::Unsigned) => TypeKind::Unsigned,
            Tok::Word(Word::Chan) => TypeKind::Chan,
            Tok::Word(Word::Mtype) => {
                self.bump();
                let subtype =
                    if self.eat(Tok::Colon) { Some(self.name("the name of the mtype")?) } else { None };
                return Ok(TypeName { kind: TypeKind::Mtype(subtype), loc: self.since(first) });
            }
            Tok::Name => {
                if !self.typedefs.contains(&self.raw().text) {
                    let text = self.raw().text.clone();
                    let mut fault = Diagnostic::error("E0209", format!("`{text}` is not a type"))
                        .at(first, "no `typedef` above declares it");
                    // Diagnostics beyond the limit are only counted.
                    if !self.diagnostics.is_full() {
                        let known = self.typedefs.iter().map(|name| &**name).chain(WORDS.iter().copied());
                        fault = fault.did_you_mean(&text, known);
                    }
                    self.report(fault);
                    self.bump();
                    self.prev = Tok::Other;
                    return Ok(TypeName { kind: TypeKind::Refused, loc: Loc(first) });
                }
                let name = self.name("a type")?;
                // The name of a type does not end a statement.
                self.prev = Tok::Other;
                return Ok(TypeName { kind: TypeKind::Named(name), loc: Loc(first) });
            }
            _ => return self.expected("a type"),
        };
        self.bump();
        Ok(TypeName { kind, loc: Loc(first) })
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        let first = self.here();
        if starts_declaration(self.tok()) && self.prev == Tok::Comma {
            let fault = Diagnostic::error("E0210", format!("expected a name, found `{}`", self.raw().text))
                .at(first, "a type starts a new declaration")
                .help("declarations (and parameters of another type) are separated by `;`, not by `,`");
            return self.fail(fault);
        }
        let name = self.name("the name of a variable")?;
        let mut width = None;
        let mut array = None;
        if self.eat(Tok::Colon) {
            width = Some(self.expr()?);
        } else if self.tok() == Tok::LBracket {
            let open = self.bump();
            array = Some(self.expr()?);
            if self.tok() != Tok::RBracket {
                return self.expected_closing("`]`", open, "this bracket is open");
            }
            self.bump();
        } else if self.tok() == Tok::Always {
            return self.fail(
                Diagnostic::error("E0211", format!("the array `{}` has no size", name.text))
                    .at(self.here(), "the number of elements is missing"),
            );
        }
        let init = if self.eat(Tok::Assign) { Some(self.initializer()?) } else { None };
        Ok(Declarator { name, width, array, init, loc: self.since(first) })
    }

    fn initializer(&mut self) -> Parse<Initializer> {
        let first = self.here();
        match self.tok() {
            Tok::LBrace => {
                self.bump();
                let mut values = Vec::new();
                loop {
                    values.push(self.expr()?);
                    match self.tok() {
                        Tok::Comma => {
                            self.bump();
                        }
                        Tok::RBrace => {
                            self.bump();
                            return Ok(Initializer::List(values, self.since(first)));
                        }
                        _ => return self.expected_closing("`,` or `}`", first, "in this list of values"),
                    }
                }
            }
            Tok::LBracket => self.chan_init().map(Initializer::Chan),
            _ => self.expr().map(Initializer::Expr),
        }
    }

    /// `[2] of { mtype, byte }`.
    fn chan_init(&mut self) -> Parse<ChanInit> {
        let first = self.bump();
        let capacity = self.expr()?;
        self.expect(Tok::RBracket, "`]`")?;
        if !self.eat_word(Word::Of) {
            return self.expected("`of` and the types of a message's fields");
        }
        let open = self.expect(Tok::LBrace, "`{` and the types of a message's fields")?;
        let mut fields = vec![self.type_name()?];
        while self.eat(Tok::Comma) {
            fields.push(self.type_name()?);
        }
        if self.tok() != Tok::RBrace {
            return self.expected_closing("`,` or `}`", open, "in this list of types");
        }
        self.bump();
        Ok(ChanInit { capacity, fields, loc: self.since(first) })
    }

    /// `typedef T { byte a; chan b }`.
    fn typedef(&mut self) -> Parse<Item> {
        let first = self.bump();
        let name = self.name("the name of the type")?;
        let open = self.expect(Tok::LBrace, "`{` and the fields of the type")?;
        self.in_body = true;
        let mut fields = Vec::new();
        loop {
            while matches!(self.tok(), Tok::Semi | Tok::Arrow) {
                self.bump();
            }
            match self.tok() {
                Tok::RBrace if !fields.is_empty() => break,
                tok if starts_declaration(tok) || tok == Tok::Name => {
                    if !fields.is_empty() && !matches!(self.prev, Tok::Semi | Tok::Arrow) {
                        let fault = Diagnostic::error("E0212", "`;` is missing between two fields")
                            .at(self.prev_loc.after(), "expected `;`");
                        self.report(fault);
                    }
                    let before = self.at;
                    match self.var_decl() {
                        Ok(field) => fields.push(field),
                        Err(Reported) => {
                            self.skip_to_step(before, 0);
                            if matches!(self.tok(), Tok::End | Tok::Option | Tok::Word(_))
                                && !starts_declaration(self.tok())
                            {
                                return Err(Reported);
                            }
                        }
                    }
                }
                Tok::RBrace => return self.expected("a field"),
                _ => return self.expected_closing("a field or `}`", open, "in this type"),
            }
        }
        self.bump();
        self.in_body = false;
        self.typedefs.insert(name.text.as_str().into());
        Ok(Item::Typedef(Typedef { name, fields, loc: self.since(first) }))
    }

    /// `active [2] proctype P(byte a; chan c) priority 3 provided (e) { ... }`.
    fn proctype(&mut self) -> Parse<Item> {
        let first = self.here();
        let active = self.active()?;
        let deterministic = match self.tok() {
            Tok::Word(Word::Proctype) => false,
            Tok::Word(Word::DProctype) => true,
            _ => return self.expected("`proctype`"),
        };
        self.bump();
        let name = self.name("the name of the process type")?;
        self.proctypes.insert(name.text.as_str().into());
        let open = self.open_paren("`(` and the parameters")?;
        let params = self.params()?;
        self.close_paren(open)?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body()?;
        let loc = self.since(first);
        Ok(Item::Proctype(Proctype { active, deterministic, name, params, priority, provided, body, loc }))
    }

    fn active(&mut self) -> Parse<Option<Active>> {
        let first = self.here();
        if !self.eat_word(Word::Active) {
            return Ok(None);
        }
        let mut count = None;
        if self.tok() == Tok::LBracket {
            let open = self.bump();
            count = Some(self.expr()?);
            if self.tok() != Tok::RBracket {
                return self.expected_closing("`]`", open, "this bracket is open");
            }
            self.bump();
        }
        Ok(Some(Active { count, loc: self.since(first) }))
    }

    fn params(&mut self) -> Parse<Vec<VarDecl>> {
        let mut params: Vec<VarDecl> = Vec::new();
        while self.tok() != Tok::RParen {
            let param = self.var_decl()?;
            let initial = param.declarators.iter().find(|declarator| declarator.init.is_some());
            if let Some(declarator) = initial {
                let fault = Diagnostic::error("E0213", "a parameter has no initial value")
                    .at(declarator.loc.0, "the value comes from `run`");
                self.report(fault);
            }
            params.push(param);
            if !self.eat(Tok::Semi) {
                break;
            }
        }
        Ok(params)
    }

    /// `priority 3`.
    pub(super) fn priority(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_word(Word::Priority) {
            return Ok(None);
        }
        match self.tok() {
            Tok::Number(_) | Tok::Char(_) | Tok::Name | Tok::LParen | Tok::Minus => self.operand().map(Some),
            _ => self.expected("a number"),
        }
    }

    /// `provided (e)`.
    fn provided(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_word(Word::Provided) {
            return Ok(None);
        }
        let open = self.open_paren("`(` and a condition")?;
        let condition = self.full_expr()?;
        self.close_paren(open)?;
        Ok(Some(condition))
    }

    fn init(&mut self) -> Parse<Item> {
        let first = self.bump();
        // Some write it in the manner of a process type.
        if self.tok() == Tok::LParen {
            let fault = Diagnostic::error("E0214", "`init` has no parameters")
                .at(self.here(), "")
                .help("write `init { ... }`");
            return self.fail(fault);
        }
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body()?;
        Ok(Item::Init(Init { priority, provided, body, loc: self.since(first) }))
    }

    /// The name that a claim may have.
    pub(super) fn optional_name(&mut self) -> Parse<Option<Name>> {
        if self.tok() == Tok::Name { self.name("a name").map(Some) } else { Ok(None) }
    }

    fn never(&mut self) -> Parse<Item> {
        let first = self.bump();
        let name = self.optional_name()?;
        let body = self.body()?;
        Ok(Item::Never(Never { name, body, loc: self.since(first) }))
    }

    fn trace(&mut self) -> Parse<Item> {
        let negated = self.tok() == Tok::Word(Word::NoTrace);
        let first: Place = self.bump();
        let body = self.body()?;
        Ok(Item::Trace(Trace { negated, body, loc: self.since(first) }))
    }

    /// The placeholder for an expression that could not be parsed.
    pub(super) fn error_expr(loc: Place) -> Expr {
        Expr { kind: ExprKind::Error, loc: Loc(loc) }
    }
}
