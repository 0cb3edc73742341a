//! The grammar of statements (C11 6.8) without labels, which readers attach in different ways.
//!
//! *Entry point:* [`Statements::unlabelled`].
//!
//! *Source:* C11 6.8.
//! *Invariant:* a selection or iteration statement and each of its bodies is read in a scope of its
//! own (6.8.4p3, 6.8.5p5).

use axle_source::Loc;

use super::Read;
use super::declarations::Declarations;

/// A statement by its parts, of which `E` are expressions and `S` statements.
#[derive(Clone, Debug)]
pub enum Syntax<E, S> {
    /// `;`.
    Empty,
    /// An expression whose value is discarded.
    Expression(E),
    /// `if`, with the statement behind `else`.
    If(E, Box<S>, Option<Box<S>>),
    /// `while`.
    While(E, Box<S>),
    /// `do ... while`.
    DoWhile(Box<S>, E),
    /// `for`.
    For {
        /// A declaration or an expression before the loop, as statements.
        init: Vec<S>,
        /// Without one the loop does not end by itself.
        condition: Option<E>,
        /// After each iteration.
        step: Option<E>,
        /// What is repeated.
        body: Box<S>,
    },
    /// Out of the innermost loop or `switch`.
    Break,
    /// To the next iteration of the innermost loop.
    Continue,
    /// `return`.
    Return(Option<E>),
}

/// A reader of statements.
pub trait Statements: Declarations {
    /// A statement.
    type Statement;

    /// Reads a part in a scope of its own.
    fn in_scope<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<Self, T>) -> Read<Self, T>;

    /// Reads a declaration with its `;`.
    fn read_declaration(&mut self, out: &mut Vec<Self::Statement>) -> Read<Self, ()>;

    /// Reads a block from its `{` on.
    fn read_block(&mut self) -> Read<Self, Self::Statement>;

    /// Reads the body of a selection statement.
    fn read_body(&mut self) -> Read<Self, Box<Self::Statement>>;

    /// Reads the body of a loop.
    fn read_loop_body(&mut self) -> Read<Self, Box<Self::Statement>>;

    /// Reads the body of a `switch` and builds the statement, which began at `start`.
    fn read_switch_body(&mut self, value: Self::Expr, start: Loc) -> Read<Self, Self::Statement>;

    /// Reads assembler code, from `asm` on.
    fn read_assembler(&mut self, start: Loc) -> Read<Self, Self::Statement>;

    /// Reads what stands behind `goto`.
    fn read_goto(&mut self, start: Loc) -> Read<Self, Self::Statement>;

    /// An expression as a condition.
    fn make_condition(&mut self, value: Self::Expr) -> Self::Expr;

    /// An expression whose value is discarded.
    fn make_discarded(&mut self, value: Self::Expr) -> Self::Expr;

    /// A statement that began at `start` and ends here.
    fn make_statement(&mut self, parts: Syntax<Self::Expr, Self::Statement>, start: Loc) -> Self::Statement;

    /// Reads a statement without labels.
    fn unlabelled(&mut self) -> Read<Self, Self::Statement> {
        let start = self.here();
        match self.word() {
            ";" => {
                self.next();
                Ok(self.make_statement(Syntax::Empty, start))
            }
            "{" => self.read_block(),
            "if" | "while" | "switch" => self.in_scope(|this| this.conditional_statement(start)),
            "do" => {
                self.next();
                let body = self.read_loop_body()?;
                self.require("while")?;
                let condition = self.read_condition()?;
                self.require(";")?;
                Ok(self.make_statement(Syntax::DoWhile(body, condition), start))
            }
            "for" => self.in_scope(|this| this.for_statement(start)),
            "goto" => {
                self.next();
                self.read_goto(start)
            }
            "break" => self.exit(Syntax::Break, start),
            "continue" => self.exit(Syntax::Continue, start),
            "return" => {
                self.next();
                let value = if self.word() == ";" { None } else { Some(self.expression()?) };
                self.require(";")?;
                Ok(self.make_statement(Syntax::Return(value), start))
            }
            "asm" => self.read_assembler(start),
            _ => {
                let value = self.expression()?;
                self.require(";")?;
                let value = self.make_discarded(value);
                Ok(self.make_statement(Syntax::Expression(value), start))
            }
        }
    }

    /// Reads a condition in parentheses.
    fn read_condition(&mut self) -> Read<Self, Self::Expr> {
        self.require("(")?;
        let value = self.expression()?;
        let condition = self.make_condition(value);
        self.require(")")?;
        Ok(condition)
    }

    /// Reads `if`, `while` and `switch`.
    fn conditional_statement(&mut self, start: Loc) -> Read<Self, Self::Statement> {
        let (is_if, is_while) = (self.word() == "if", self.word() == "while");
        self.next();
        if is_if {
            let condition = self.read_condition()?;
            let then = self.read_body()?;
            let mut other = None;
            if self.word() == "else" {
                self.next();
                other = Some(self.read_body()?);
            }
            return Ok(self.make_statement(Syntax::If(condition, then, other), start));
        }
        if is_while {
            let condition = self.read_condition()?;
            let body = self.read_loop_body()?;
            return Ok(self.make_statement(Syntax::While(condition, body), start));
        }
        self.require("(")?;
        let value = self.expression()?;
        self.require(")")?;
        self.read_switch_body(value, start)
    }

    /// Reads `for`.
    fn for_statement(&mut self, start: Loc) -> Read<Self, Self::Statement> {
        self.next();
        self.require("(")?;
        let mut init = Vec::new();
        if self.starts_declaration() {
            self.read_declaration(&mut init)?;
        } else {
            let at = self.here();
            if let Some(value) = self.optional_expression(";")? {
                let value = self.make_discarded(value);
                init.push(self.make_statement(Syntax::Expression(value), at));
            }
            self.require(";")?;
        }
        let condition = self.optional_expression(";")?.map(|value| self.make_condition(value));
        self.require(";")?;
        let step = self.optional_expression(")")?.map(|value| self.make_discarded(value));
        self.require(")")?;
        let body = self.read_loop_body()?;
        Ok(self.make_statement(Syntax::For { init, condition, step, body }, start))
    }

    /// Reads an expression, unless it is left out before this word.
    fn optional_expression(&mut self, end: &str) -> Read<Self, Option<Self::Expr>> {
        if self.word() == end { Ok(None) } else { self.expression().map(Some) }
    }

    /// Reads `break` or `continue`.
    fn exit(&mut self, exit: Syntax<Self::Expr, Self::Statement>, start: Loc) -> Read<Self, Self::Statement> {
        self.next();
        self.require(";")?;
        Ok(self.make_statement(exit, start))
    }
}
