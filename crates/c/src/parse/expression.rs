//! Typed expressions (C11 6.5): the nodes that are built while an expression is read by the grammar
//! (`grammar.rs`). The semantics of operators is in `operator.rs`.
//!
//! *Entry points:* [`Expressions::expression`], [`Expressions::assignment`].

use std::sync::Arc;

use axle_source::{Diagnostic, Loc, TokenKind};

use super::literal::{self, Number};
use super::parser::{Entity, Parsed, Parser, Reported, bad};
use super::specifiers::{Specs, Storage};
use crate::grammar::declarators::Declarators;
use crate::grammar::specifiers::Specifiers;
use crate::grammar::{Expressions, Operators};
use crate::operators::Unary;
use crate::tree::{Expr, Kind, Stmt, StmtKind};
use crate::types::{self, FnType, Qual, Quals, Type};

impl Operators for Parser<'_> {
    type Expr = Expr;
    type Error = Reported;

    fn word(&self) -> &'static str {
        Parser::word(self)
    }

    fn next(&mut self) {
        Parser::next(self);
    }

    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        Parser::deeper(self, part)
    }

    fn operand(&mut self) -> Parsed<Expr> {
        self.cast()
    }

    fn make_binary(&mut self, operator: &'static str, left: Expr, right: Expr) -> Parsed<Expr> {
        Ok(self.operate(operator, left, right))
    }
}

impl Expressions for Parser<'_> {
    /// With the expressions to evaluate if it has variable length.
    type TypeName = (Qual, Vec<Expr>);
    type MemberName = (Arc<str>, Loc);

    fn here(&self) -> Loc {
        self.loc()
    }

    fn require(&mut self, word: &str) -> Parsed<()> {
        self.expect(word)
    }

    fn is_type_in_parentheses(&mut self) -> bool {
        // `(unknown *) p`: an unknown type is reported as such.
        let is_pointer = Parser::word_at(self, 2) == "*" && matches!(Parser::word_at(self, 3), ")" | "*");
        let unknown = self.name_at(1).is_some_and(|name| self.is_undeclared(name));
        self.is_type_at(1) || (is_pointer && unknown)
    }

    fn read_type(&mut self) -> Parsed<(Qual, Vec<Expr>)> {
        self.type_with_lengths()
    }

    fn read_member(&mut self) -> Parsed<(Arc<str>, Loc)> {
        match self.name() {
            Some(name) => Ok(name),
            None => self.expected("a member name"),
        }
    }

    fn keyword_operand(&mut self) -> Parsed<Option<Expr>> {
        match Parser::word(self) {
            "&&" => {
                Parser::next(self);
                let Some((name, loc)) = self.name() else { return self.expected("a label") };
                Ok(Some(self.label_address(&name, loc)))
            }
            word @ ("sizeof" | "_Alignof") => self.size(word).map(Some),
            _ => Ok(None),
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.loc();
        match self.token().kind {
            TokenKind::Number => {
                let text = self.token().text.clone();
                Parser::next(self);
                Ok(match literal::number(&text, self.tree.types.model) {
                    Ok(Number::Int(value, ty)) => self.int(value, ty, start),
                    Ok(Number::Real(value, ty)) => self.value(Kind::Real(value), ty, start),
                    Err(why) => {
                        self.report("E0703", format!("`{text}`: {why}"), start);
                        bad(start)
                    }
                })
            }
            TokenKind::Char => {
                let text = self.token().text.clone();
                Parser::next(self);
                Ok(match literal::char_value(&text) {
                    Ok((value, ty)) => self.int(value as u64, ty, start),
                    Err(why) => {
                        self.report("E0704", why, start);
                        bad(start)
                    }
                })
            }
            TokenKind::String => Ok(self.string_literal()),
            TokenKind::Identifier if Parser::word(self).is_empty() => self.named(),
            _ => match Parser::word(self) {
                "(" if self.word_at(1) == "{" => {
                    Parser::next(self);
                    let block = self.statement_expression(start);
                    self.expect(")")?;
                    block
                }
                "(" => {
                    let start = self.loc();
                    Parser::next(self);
                    let e = self.expression()?;
                    self.expect(")")?;
                    Ok(Expr { loc: self.since(start), ..e })
                }
                "_Generic" => self.generic(),
                _ => self.expected("an expression"),
            },
        }
    }

    fn compound_literal(&mut self, (ty, _): (Qual, Vec<Expr>), start: Loc) -> Parsed<Expr> {
        self.literal_of(ty, start)
    }

    fn make_comma(&mut self, left: Expr, right: Expr) -> Parsed<Expr> {
        let left = self.rvalue(left);
        let right = self.rvalue(right);
        let loc = self.sources.join(left.loc, right.loc);
        let ty = right.ty.ty;
        Ok(self.value(Kind::Comma(Box::new(left), Box::new(right)), ty, loc))
    }

    fn make_assignment(&mut self, operator: &'static str, target: Expr, value: Expr) -> Parsed<Expr> {
        Ok(match operator.strip_suffix('=') {
            None | Some("") => self.assign(target, value),
            Some(operator) => self.assign_op(operator, target, value),
        })
    }

    fn make_conditional(&mut self, condition: Expr, middle: Option<Expr>, other: Expr) -> Parsed<Expr> {
        Ok(self.choose(condition, middle, other))
    }

    fn make_prefix(&mut self, operator: &'static str, operand: Expr, start: Loc) -> Parsed<Expr> {
        let loc = self.since(start);
        Ok(match operator {
            "++" | "--" => self.step(operand, operator == "--", false, loc),
            "&" => self.address_of(operand, loc),
            "*" => self.dereference(operand, loc),
            _ => self.unary_arithmetic(operator, operand, loc),
        })
    }

    fn make_postfix(&mut self, operand: Expr, operator: &'static str) -> Parsed<Expr> {
        let loc = self.since(operand.loc);
        Ok(self.step(operand, operator == "--", true, loc))
    }

    fn make_cast(&mut self, (ty, lengths): (Qual, Vec<Expr>), operand: Expr, start: Loc) -> Parsed<Expr> {
        let loc = self.since(start);
        let cast = self.explicit_cast(operand, ty, loc);
        Ok(self.after_lengths(lengths, cast))
    }

    fn make_index(&mut self, array: Expr, index: Expr) -> Parsed<Expr> {
        let loc = self.since(array.loc);
        Ok(self.subscript(array, index, loc))
    }

    fn make_call(&mut self, callee: Expr, arguments: Vec<Expr>) -> Parsed<Expr> {
        let loc = self.since(callee.loc);
        Ok(self.call(callee, arguments, loc))
    }

    fn make_member(
        &mut self,
        object: Expr,
        operator: &'static str,
        (name, at): (Arc<str>, Loc),
    ) -> Parsed<Expr> {
        let loc = self.since(object.loc);
        let object = if operator == "->" { self.dereference(object, loc) } else { object };
        Ok(self.select(object, name, at, loc))
    }
}

impl Parser<'_> {
    fn literal_of(&mut self, ty: Qual, start: Loc) -> Parsed<Expr> {
        let is_static = self.body.is_none();
        if self.tree.types.is_long(ty.ty) {
            let message = "a variable-length array cannot be initialised";
            return self.error(Diagnostic::error("E0723", message).at(start, ""));
        }
        let (init, ty) = self.initializer(ty, is_static)?;
        let loc = self.since(start);
        if is_static {
            let id = self.tree.globals.len() as u32;
            self.tree.globals.push(crate::tree::Global {
                name: "(literal)".into(),
                ty,
                init: Some(init),
                loc,
                within: None,
                thread_local: false,
                defined: true,
                ours: self.ours,
                referenced: false,
            });
            return Ok(self.object(Kind::Global(id), ty, loc));
        }
        let local = self.new_local("(literal)".into(), ty);
        if let Some(body) = &mut self.body {
            body.locals[local as usize].addressed = true;
        }
        Ok(self.object(Kind::Compound(local, Box::new(init)), ty, loc))
    }

    /// `sizeof` or `_Alignof`, by the word.
    fn size(&mut self, word: &str) -> Parsed<Expr> {
        let start = self.loc();
        self.next();
        self.asked_align = u64::MAX;
        let (ty, before) = self.size_operand()?;
        let loc = self.since(start);
        let named = std::mem::take(&mut self.asked_align);
        if word == "_Alignof" && named == u64::MAX && self.aligned {
            let error =
                Diagnostic::error("E0714", "`_Alignof` of an expression is not supported").at(loc, "");
            return self.error(error.help("use `_Alignof` with the type"));
        }
        let named = if named == u64::MAX { 0 } else { named };
        let size_type = self.tree.types.size_type();
        if ty.ty == types::ERROR {
            return Ok(bad(loc));
        }
        if word == "sizeof" && self.tree.types.is_long(ty.ty) {
            let size = self.long_size(ty.ty, loc);
            return Ok(self.after_lengths(before, size));
        }
        let size = match word {
            "sizeof" => self.tree.types.size(ty.ty),
            _ => Some(self.tree.types.align(ty.ty).max(named)),
        };
        match size {
            Some(size) => Ok(self.int(size, size_type, loc)),
            None => {
                let message = format!("`sizeof` of incomplete type `{}`", self.tree.types.show(ty.ty));
                self.report("E0722", message, loc);
                Ok(bad(loc))
            }
        }
    }

    /// The operand type of `sizeof`, and the expressions to evaluate if it has variable length.
    fn size_operand(&mut self) -> Parsed<(Qual, Vec<Expr>)> {
        if self.is("(") && self.is_type_in_parentheses() {
            let start = self.loc();
            self.next();
            let (ty, lengths) = self.type_with_lengths()?;
            self.expect(")")?;
            if self.is("{") {
                self.unevaluated += 1;
                let literal = self.literal_of(ty, start).and_then(|e| self.postfix(e));
                self.unevaluated -= 1;
                return Ok((literal?.ty, Vec::new()));
            }
            return Ok((ty, lengths));
        }
        let (operand, evaluated) = self.operand_of_type(|p| p.deeper(<Self as Expressions>::unary))?;
        if super::convert::bit_width(&operand).is_some() && matches!(operand.kind, Kind::Member { .. }) {
            self.report("E0723", "`sizeof` of a bit-field", operand.loc);
        }
        Ok((operand.ty, evaluated.into_iter().collect()))
    }

    fn statement_expression(&mut self, start: Loc) -> Parsed<Expr> {
        if self.body.is_none() {
            return self
                .error(Diagnostic::error("E0723", "statement expression outside a function").at(start, ""));
        }
        self.enter();
        let statements = self.deeper(Self::compound);
        self.leave();
        let mut statements = statements?;
        let loc = self.since(start);
        let mut ty = types::VOID;
        // A label before the last statement does not change the value.
        while let Some(Stmt { kind: StmtKind::Label(_, behind), .. }) = statements.last_mut() {
            let empty = Stmt { kind: StmtKind::Empty, loc: behind.loc };
            let behind = std::mem::replace(&mut **behind, empty);
            statements.push(behind);
        }
        if let Some(Stmt { kind: StmtKind::Expr(last), .. }) = statements.last_mut() {
            let taken = std::mem::replace(last, bad(loc));
            *last = self.rvalue(taken);
            ty = last.ty.ty;
        }
        Ok(self.value(Kind::Block(statements), ty, loc))
    }

    fn named(&mut self) -> Parsed<Expr> {
        let Some((name, loc)) = self.name() else { return self.expected("a name") };
        if name.starts_with("__")
            && let Some(done) = self.builtin(&name, loc)?
        {
            return Ok(done);
        }
        Ok(match self.lookup(&name).cloned() {
            Some(Entity::Local(id)) => {
                let ty =
                    self.body.as_ref().map_or(Qual::plain(types::ERROR), |body| body.locals[id as usize].ty);
                self.object(Kind::Local(id), ty, loc)
            }
            Some(Entity::Global(id)) => {
                let ty = self.global_type(id);
                self.object(Kind::Global(id), ty, loc)
            }
            Some(Entity::Function(id)) => {
                let ty = self.function_type(id);
                self.object(Kind::Function(id), ty, loc)
            }
            Some(Entity::Constant(value, ty)) => self.int(value, ty, loc),
            Some(Entity::Param) => bad(loc),
            Some(Entity::Typedef(..)) => {
                return self.error(
                    Diagnostic::error(
                        "E0701",
                        format!("unexpected type name `{name}`: expected an expression"),
                    )
                    .at(loc, ""),
                );
            }
            None if self.is("(") => self.implicit_function(name, loc),
            None => {
                let known: Vec<Arc<str>> =
                    self.scopes.iter().flat_map(|s| s.names.keys().cloned()).take(2000).collect();
                let diagnostic =
                    Diagnostic::error("E0720", format!("undeclared identifier `{name}`")).at(loc, "");
                let diagnostic = match super::super::headers::declares(&name) {
                    Some(header) => diagnostic.help(format!("add `#include <{header}>`")),
                    None => diagnostic.did_you_mean(&name, known.iter().map(|name| &**name)),
                };
                self.diagnostics.push(diagnostic);
                // Reported only once.
                let entity = Entity::Param;
                self.declare(name, entity, loc);
                bad(loc)
            }
        })
    }

    /// A call of an undeclared function: `int name()`, as in C89 and GCC; for GCC's builtins the
    /// builtin's return type.
    fn implicit_function(&mut self, name: Arc<str>, loc: Loc) -> Expr {
        let mut diagnostic =
            Diagnostic::warning("W0701", format!("implicit declaration of function `{name}`"));
        let ret = match &*name {
            "malloc" | "calloc" | "realloc" | "memcpy" | "memmove" | "memset" | "memchr" => Some(types::VOID),
            "strcpy" | "strncpy" | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr" | "strdup"
            | "strndup" | "strpbrk" => Some(types::CHAR),
            _ => None,
        };
        let ret = ret.map(|to| self.tree.types.intern(Type::Pointer(Qual::plain(to))));
        diagnostic = diagnostic.at(
            loc,
            match ret {
                Some(_) => "assumed to be the library function, which returns a pointer",
                None => "assumed to return `int`",
            },
        );
        if let Some(header) = super::super::headers::declares(&name) {
            diagnostic = diagnostic.help(format!("add `#include <{header}>`"));
        }
        self.diagnostics.push(diagnostic);
        let ret = Qual::plain(ret.unwrap_or(types::INT));
        let ty = FnType { ret, params: Vec::new(), variadic: false, unprototyped: true };
        let ty = self.tree.types.intern(Type::Function(ty));
        let specs = Specs { storage: Storage::Extern, ..Specs::new(ret, self.at) };
        let id = self.declare_function(&specs, &name, ty, loc);
        let ty = self.function_type(id);
        self.scopes[0].names.entry(name).or_insert((Entity::Function(id), loc));
        self.object(Kind::Function(id), ty, loc)
    }

    fn generic(&mut self) -> Parsed<Expr> {
        let start = self.loc();
        self.next();
        self.expect("(")?;
        self.unevaluated += 1;
        let control = self.assignment();
        self.unevaluated -= 1;
        let control = control?;
        let control = self.rvalue(control).ty.ty;
        let (mut chosen, mut default) = (None, None);
        while self.eat(",") {
            if self.eat("default") {
                self.expect(":")?;
                default = Some(self.assignment()?);
                continue;
            }
            let ty = self.type_name()?;
            self.expect(":")?;
            let e = self.assignment()?;
            if chosen.is_none() && ty.quals.0 & !Quals::ATOMIC.0 == 0 && self.tree.types.alike(ty.ty, control)
            {
                chosen = Some(e);
            }
        }
        self.expect(")")?;
        let loc = self.since(start);
        match chosen.or(default) {
            Some(e) => Ok(e),
            None => {
                let message =
                    format!("no association of `_Generic` matches `{}`", self.tree.types.show(control));
                self.report("E0723", message, loc);
                Ok(bad(loc))
            }
        }
    }

    fn select(&mut self, e: Expr, name: Arc<str>, at: Loc, loc: Loc) -> Expr {
        if e.ty.ty == types::ERROR {
            return bad(loc);
        }
        let Some(record) = self.tree.types.record(e.ty.ty) else {
            let mut diagnostic = Diagnostic::error(
                "E0727",
                format!(
                    "member access on `{}`, which is not a structure or union",
                    self.tree.types.show(e.ty.ty)
                ),
            )
            .at(at, "");
            if self.tree.types.pointee(e.ty.ty).is_some_and(|to| self.tree.types.is_record(to.ty)) {
                diagnostic = diagnostic.help("it is a pointer: use `->`");
            }
            self.diagnostics.push(diagnostic);
            return bad(loc);
        };
        if !record.complete {
            let message = format!("incomplete type `{}`", self.tree.types.show(e.ty.ty));
            self.report("E0722", message, at);
            return bad(loc);
        }
        match self.tree.types.find_field(e.ty.ty, &name) {
            Some((offset, bits, ty)) => {
                let quals = Quals(ty.quals.0 | (e.ty.quals.0 & !Quals::ATOMIC.0));
                let lvalue = e.lvalue;
                let mut node =
                    self.node(Kind::Member { base: Box::new(e), offset, bits }, Qual { quals, ..ty }, loc);
                node.lvalue = lvalue;
                node
            }
            None => {
                let names: Vec<Arc<str>> =
                    record.fields.iter().filter_map(|field| field.name.clone()).collect();
                let message = format!("no member named `{name}` in `{}`", self.tree.types.show(e.ty.ty));
                let diagnostic = Diagnostic::error("E0727", message).at(at, "");
                self.diagnostics.push(diagnostic.did_you_mean(&name, names.iter().map(|name| &**name)));
                bad(loc)
            }
        }
    }

    pub(super) fn call(&mut self, callee: Expr, arguments: Vec<Expr>, loc: Loc) -> Expr {
        let known = match &callee.kind {
            Kind::Function(id) => Some(*id),
            _ => None,
        };
        let callee = self.rvalue(callee);
        if callee.ty.ty == types::ERROR {
            for argument in arguments {
                self.default_argument(argument);
            }
            return bad(loc);
        }
        let function = self.tree.types.pointee(callee.ty.ty).map(|to| self.tree.types.get(to.ty).clone());
        let Some(Type::Function(function)) = function else {
            let message =
                format!("called object of type `{}` is not a function", self.tree.types.show(callee.ty.ty));
            self.report("E0725", message, loc);
            return bad(loc);
        };
        let name = known.map(|id| self.tree.functions[id as usize].name.clone());
        let shown = name.as_ref().map_or("the function".to_owned(), |name| format!("`{name}`"));
        let (given, wanted) = (arguments.len(), function.params.len());
        if !function.unprototyped && (given < wanted || (given > wanted && !function.variadic)) {
            let message = format!(
                "{shown} expects {wanted} argument{}, {given} given",
                if wanted == 1 { "" } else { "s" }
            );
            let mut diagnostic = Diagnostic::error("E0725", message).at(loc, "");
            if let Some(id) = known {
                diagnostic = diagnostic.also(self.tree.functions[id as usize].loc, "declared here");
            }
            self.diagnostics.push(diagnostic);
            return bad(loc);
        }
        let mut values = Vec::with_capacity(given);
        for (index, argument) in arguments.into_iter().enumerate() {
            values.push(match function.params.get(index) {
                Some(param) if !function.unprototyped => {
                    let argument = self.as_transparent(argument, param.ty);
                    self.assignable(argument, *param, &format!("argument {} of {shown}", index + 1))
                }
                _ => self.default_argument(argument),
            });
        }
        let ret = function.ret.ty;
        if ret != types::VOID && self.tree.types.size(ret).is_none() {
            self.report("E0722", "call of a function with incomplete return type", loc);
            return bad(loc);
        }
        if values.iter().any(|value| value.ty.ty == types::ERROR) {
            return Expr { kind: Kind::Error, ..self.value(Kind::Error, ret, loc) };
        }
        self.value(Kind::Call(Box::new(callee), values), ret, loc)
    }

    fn unary_arithmetic(&mut self, word: &str, operand: Expr, loc: Loc) -> Expr {
        if word == "!" {
            let operand = self.condition(operand);
            if operand.ty.ty == types::ERROR {
                return bad(loc);
            }
            return self.value(Kind::Unary(Unary::LogNot, Box::new(operand)), types::INT, loc);
        }
        let operand = self.rvalue(operand);
        if operand.ty.ty == types::ERROR {
            return bad(loc);
        }
        let types = &self.tree.types;
        let fine =
            if word == "~" { types.is_integer(operand.ty.ty) } else { types.is_arithmetic(operand.ty.ty) };
        if !fine {
            let message = format!("invalid operand to `{word}`: `{}`", types.show(operand.ty.ty));
            self.report("E0723", message, loc);
            return bad(loc);
        }
        let operand = self.promote(operand);
        let ty = operand.ty.ty;
        if !self.computable(ty, loc) {
            return bad(loc);
        }
        match word {
            "+" => Expr { loc, ..operand },
            "-" => self.value(Kind::Unary(Unary::Neg, Box::new(operand)), ty, loc),
            _ => self.value(Kind::Unary(Unary::Not, Box::new(operand)), ty, loc),
        }
    }
}
