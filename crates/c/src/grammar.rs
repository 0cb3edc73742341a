//! The grammar of expressions (C11 6.5), without their meaning: which operators there are, how
//! tightly they bind, and what stands before and behind an operand.
//!
//! Three readers share it. The parser of programs builds typed trees and converts operands at once,
//! the extraction of models keeps expressions as they are written, and the propositions of formulas
//! are evaluated on states. Each of them supplies its tokens and builds its own nodes. The first two
//! also share the grammar of declarations ([`declarations`]) and statements ([`statements`]).
//!
//! *Entry points:* [`Operators::binary`] for operators between operands; [`Expressions::expression`],
//! [`Expressions::assignment`] and [`Expressions::conditional`] for all expressions.
//!
//! *Source:* C11 6.5; precedence climbing as by M. Richards and C. Whitby-Strevens, BCPL: the
//! language and its compiler, 1979.
//! *Invariant:* a node is built after its operands, from left to right.

pub mod attributes;
pub mod declarations;
pub mod declarators;
pub mod specifiers;
pub mod statements;
pub mod words;

use axle_source::Loc;

/// Binary operators, each with its level; a higher level binds tighter.
const BINARY: [(&str, u8); 18] = [
    ("||", 0),
    ("&&", 1),
    ("|", 2),
    ("^", 3),
    ("&", 4),
    ("==", 5),
    ("!=", 5),
    ("<", 6),
    (">", 6),
    ("<=", 6),
    (">=", 6),
    ("<<", 7),
    (">>", 7),
    ("+", 8),
    ("-", 8),
    ("*", 9),
    ("/", 9),
    ("%", 9),
];

const ASSIGNMENT: [&str; 11] = ["=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="];

const PREFIX: [&str; 8] = ["++", "--", "&", "*", "+", "-", "~", "!"];

/// What the methods of a reader return.
pub type Read<R, T> = Result<T, <R as Operators>::Error>;

fn find(list: &[&'static str], word: &str) -> Option<&'static str> {
    list.iter().find(|known| **known == word).copied()
}

/// A reader of operands and of binary operators.
pub trait Operators: Sized {
    /// An expression.
    type Expr;
    /// An error that was met.
    type Error;

    /// The keyword or punctuator that comes next; empty if something else does.
    fn word(&self) -> &'static str;

    /// Passes the next token.
    fn next(&mut self);

    /// Reads a part one level of nesting deeper, or reports that it is too deep.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Read<Self, T>) -> Read<Self, T>;

    /// Reads an operand of a binary operator.
    fn operand(&mut self) -> Read<Self, Self::Expr>;

    /// The result of a binary operator.
    fn make_binary(
        &mut self,
        operator: &'static str,
        left: Self::Expr,
        right: Self::Expr,
    ) -> Read<Self, Self::Expr>;

    /// Reads operands and binary operators of this level or a higher one.
    fn binary(&mut self, least: u8) -> Read<Self, Self::Expr> {
        let mut left = self.operand()?;
        let next = |this: &Self| {
            BINARY.iter().find(|(operator, level)| *level >= least && *operator == this.word()).copied()
        };
        while let Some((operator, level)) = next(self) {
            self.next();
            let right = self.deeper(|this| this.binary(level + 1))?;
            left = self.make_binary(operator, left, right)?;
        }
        Ok(left)
    }
}

/// A reader of all expressions.
pub trait Expressions: Operators {
    /// The name of a type.
    type TypeName;
    /// The name of a member.
    type MemberName;

    /// The location of the next token.
    fn here(&self) -> Loc;

    /// Passes this keyword or punctuator, or reports that it is missing.
    fn require(&mut self, word: &str) -> Read<Self, ()>;

    /// Whether `(` and the name of a type come next.
    fn is_type_in_parentheses(&mut self) -> bool;

    /// Reads the name of a type.
    fn read_type(&mut self) -> Read<Self, Self::TypeName>;

    /// Reads the name of a member.
    fn read_member(&mut self) -> Read<Self, Self::MemberName>;

    /// Reads an operand that begins with a keyword (`sizeof`) or a label's address; none if no such
    /// operand comes next.
    fn keyword_operand(&mut self) -> Read<Self, Option<Self::Expr>>;

    /// Reads a name, a literal, or an expression in parentheses.
    fn primary(&mut self) -> Read<Self, Self::Expr>;

    /// Reads the braces of a compound literal of this type, which began at `start`.
    fn compound_literal(&mut self, ty: Self::TypeName, start: Loc) -> Read<Self, Self::Expr>;

    /// `left, right`.
    fn make_comma(&mut self, left: Self::Expr, right: Self::Expr) -> Read<Self, Self::Expr>;

    /// `target = value`, or with another assignment operator.
    fn make_assignment(
        &mut self,
        operator: &'static str,
        target: Self::Expr,
        value: Self::Expr,
    ) -> Read<Self, Self::Expr>;

    /// `condition ? middle : other`; GNU's form has no middle.
    fn make_conditional(
        &mut self,
        condition: Self::Expr,
        middle: Option<Self::Expr>,
        other: Self::Expr,
    ) -> Read<Self, Self::Expr>;

    /// A prefix operator at `start` and its operand.
    fn make_prefix(
        &mut self,
        operator: &'static str,
        operand: Self::Expr,
        start: Loc,
    ) -> Read<Self, Self::Expr>;

    /// `operand++` or `operand--`.
    fn make_postfix(&mut self, operand: Self::Expr, operator: &'static str) -> Read<Self, Self::Expr>;

    /// `(ty) operand`, from `start` on.
    fn make_cast(&mut self, ty: Self::TypeName, operand: Self::Expr, start: Loc) -> Read<Self, Self::Expr>;

    /// `array[index]`.
    fn make_index(&mut self, array: Self::Expr, index: Self::Expr) -> Read<Self, Self::Expr>;

    /// `callee(arguments)`.
    fn make_call(&mut self, callee: Self::Expr, arguments: Vec<Self::Expr>) -> Read<Self, Self::Expr>;

    /// `object.member` or `pointer->member`, by the operator.
    fn make_member(
        &mut self,
        object: Self::Expr,
        operator: &'static str,
        member: Self::MemberName,
    ) -> Read<Self, Self::Expr>;

    /// Reads an expression.
    fn expression(&mut self) -> Read<Self, Self::Expr> {
        let mut left = self.assignment()?;
        while self.word() == "," {
            self.next();
            let right = self.assignment()?;
            left = self.make_comma(left, right)?;
        }
        Ok(left)
    }

    /// Reads an expression without a comma operator.
    fn assignment(&mut self) -> Read<Self, Self::Expr> {
        self.deeper(|this| {
            let target = this.conditional()?;
            let Some(operator) = find(&ASSIGNMENT, this.word()) else { return Ok(target) };
            this.next();
            let value = this.assignment()?;
            this.make_assignment(operator, target, value)
        })
    }

    /// Reads an expression without assignment and comma operators.
    fn conditional(&mut self) -> Read<Self, Self::Expr> {
        let condition = self.binary(0)?;
        if self.word() != "?" {
            return Ok(condition);
        }
        self.next();
        self.deeper(|this| {
            let middle = if this.word() == ":" { None } else { Some(this.expression()?) };
            this.require(":")?;
            let other = this.conditional()?;
            this.make_conditional(condition, middle, other)
        })
    }

    /// Reads an operand with the casts before it.
    fn cast(&mut self) -> Read<Self, Self::Expr> {
        if self.word() != "(" || !self.is_type_in_parentheses() {
            return self.unary();
        }
        let start = self.here();
        self.next();
        let ty = self.read_type()?;
        self.require(")")?;
        if self.word() == "{" {
            let literal = self.compound_literal(ty, start)?;
            return self.postfix(literal);
        }
        let operand = self.deeper(Self::cast)?;
        self.make_cast(ty, operand, start)
    }

    /// Reads an operand with its prefix and postfix operators.
    fn unary(&mut self) -> Read<Self, Self::Expr> {
        let start = self.here();
        if let Some(operator) = find(&PREFIX, self.word()) {
            self.next();
            let operand = match operator {
                "++" | "--" => self.deeper(Self::unary)?,
                _ => self.deeper(Self::cast)?,
            };
            return self.make_prefix(operator, operand, start);
        }
        if self.word() == "__extension__" {
            self.next();
            return self.deeper(Self::cast);
        }
        if let Some(operand) = self.keyword_operand()? {
            return Ok(operand);
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    /// Reads the postfix operators behind an operand.
    fn postfix(&mut self, mut operand: Self::Expr) -> Read<Self, Self::Expr> {
        loop {
            let Some(operator) = find(&["[", "(", ".", "->", "++", "--"], self.word()) else {
                return Ok(operand);
            };
            self.next();
            operand = match operator {
                "[" => {
                    let index = self.expression()?;
                    self.require("]")?;
                    self.make_index(operand, index)?
                }
                "(" => {
                    let arguments = self.arguments()?;
                    self.make_call(operand, arguments)?
                }
                "++" | "--" => self.make_postfix(operand, operator)?,
                _ => {
                    let member = self.read_member()?;
                    self.make_member(operand, operator, member)?
                }
            };
        }
    }

    /// Reads the arguments of a call, and the parenthesis behind them.
    fn arguments(&mut self) -> Read<Self, Vec<Self::Expr>> {
        let mut arguments = Vec::new();
        while self.word() != ")" {
            arguments.push(self.assignment()?);
            if self.word() != "," {
                break;
            }
            self.next();
        }
        self.require(")")?;
        Ok(arguments)
    }
}
