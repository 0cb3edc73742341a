//! Expressions of provisioning constraints: flags, names of other constraints and numbers with the
//! operators of C, and `->` for implication.
//!
//! *Entry point:* [`parse`]. A recursive-descent parser with one function for each precedence.
//! *Invariant:* nesting is limited, so no text exhausts the stack.

use std::ops::Range;

/// The deepest nesting of an expression.
const DEEPEST: usize = 64;

/// An expression over names of type `N`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression<N> {
    /// A number.
    Number(i64),
    /// A flag or a constraint.
    Name(N),
    /// 1 where the operand is 0, otherwise 0.
    Not(Box<Expression<N>>),
    /// An operator with two operands.
    Binary(Operator, Box<Expression<N>>, Box<Expression<N>>),
}

/// An operator with two operands. Arithmetic saturates at the limits of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each name is the operator's own")]
pub enum Operator {
    Implies,
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
}

/// A name as written, with its bytes in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The name.
    pub name: String,
    /// Its bytes.
    pub at: Range<usize>,
}

/// An error of syntax.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The bytes that it is about.
    pub at: Range<usize>,
    /// The problem.
    pub message: String,
}

impl<N> Expression<N> {
    /// The value, where `value` gives that of a name.
    pub fn evaluate(&self, value: &dyn Fn(&N) -> i64) -> i64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Name(name) => value(name),
            Expression::Not(operand) => i64::from(operand.evaluate(value) == 0),
            Expression::Binary(operator, left, right) => {
                let (left, right) = (left.evaluate(value), right.evaluate(value));
                match operator {
                    Operator::Implies => i64::from(left == 0 || right != 0),
                    Operator::Or => i64::from(left != 0 || right != 0),
                    Operator::And => i64::from(left != 0 && right != 0),
                    Operator::Eq => i64::from(left == right),
                    Operator::Ne => i64::from(left != right),
                    Operator::Lt => i64::from(left < right),
                    Operator::Le => i64::from(left <= right),
                    Operator::Gt => i64::from(left > right),
                    Operator::Ge => i64::from(left >= right),
                    Operator::Add => left.saturating_add(right),
                    Operator::Sub => left.saturating_sub(right),
                }
            }
        }
    }

    /// All names, from left to right.
    pub fn names<'a>(&'a self, see: &mut dyn FnMut(&'a N)) {
        match self {
            Expression::Number(_) => {}
            Expression::Name(name) => see(name),
            Expression::Not(operand) => operand.names(see),
            Expression::Binary(_, left, right) => {
                left.names(see);
                right.names(see);
            }
        }
    }

    /// The expression with each name replaced by an expression.
    pub fn replace<M>(&self, by: &dyn Fn(&N) -> Expression<M>) -> Expression<M> {
        match self {
            Expression::Number(number) => Expression::Number(*number),
            Expression::Name(name) => by(name),
            Expression::Not(operand) => Expression::Not(Box::new(operand.replace(by))),
            Expression::Binary(operator, left, right) => {
                Expression::Binary(*operator, Box::new(left.replace(by)), Box::new(right.replace(by)))
            }
        }
    }

    /// The operands of a conjunction, however it is nested.
    pub fn conjuncts(self) -> Vec<Expression<N>> {
        match self {
            Expression::Binary(Operator::And, left, right) => {
                let mut all = left.conjuncts();
                all.extend(right.conjuncts());
                all
            }
            other => vec![other],
        }
    }
}

/// Parses an expression.
///
/// # Errors
/// The first error of syntax.
pub fn parse(text: &str) -> Result<Expression<Written>, Fault> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end: text.len(), depth: 0 };
    let expression = parser.binary(0)?;
    match parser.tokens.get(parser.next) {
        None => Ok(expression),
        Some((token, at)) => Err(Fault { at: at.clone(), message: format!("unexpected `{token}`") }),
    }
}

type Token = (String, Range<usize>);

const SIGNS: [&str; 16] =
    ["->", "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "!", "(", ")", "|", "&"];

fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_alphanumeric() || first == '_' {
            // A `-` belongs to a name only between letters or digits: `call-waiting`, but `a - b`.
            word(rest, first.is_ascii_digit())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            sign.len()
        } else {
            let message = format!("`{first}` does not occur in constraints");
            return Err(Fault { at: at..at + first.len_utf8(), message });
        };
        tokens.push((rest[..length].to_string(), at..at + length));
        at += length;
    }
    Ok(tokens)
}

/// The length of a word: a number, or a name.
fn word(text: &str, number: bool) -> usize {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut length = 0;
    while length < bytes.len() {
        let joins = !number
            && bytes[length] == b'-'
            && bytes.get(length + 1).is_some_and(|&next| next.is_ascii_alphabetic());
        if !is_part(bytes[length]) && !joins {
            break;
        }
        length += 1;
    }
    length
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    end: usize,
    depth: usize,
}

/// Operators by precedence, the weakest first.
const LEVELS: [&[(&str, Operator)]; 6] = [
    &[("->", Operator::Implies)],
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    &[("==", Operator::Eq), ("!=", Operator::Ne)],
    &[("<=", Operator::Le), (">=", Operator::Ge), ("<", Operator::Lt), (">", Operator::Gt)],
    &[("+", Operator::Add), ("-", Operator::Sub)],
];

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.next).map(|(text, _)| text.as_str())
    }

    fn binary(&mut self, level: usize) -> Result<Expression<Written>, Fault> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((_, operator)) =
            self.peek().and_then(|next| operators.iter().find(|(sign, _)| *sign == next))
        {
            let operator = *operator;
            self.next += 1;
            // Implication associates to the right, everything else to the left.
            let right = match operator {
                Operator::Implies => self.deeper(|parser| parser.binary(level))?,
                _ => self.binary(level + 1)?,
            };
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Result<T, Fault>) -> Result<T, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let at = self.tokens.get(self.next).map_or(self.end..self.end, |(_, at)| at.clone());
            return Err(Fault { at, message: format!("nested more than {DEEPEST} levels deep") });
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn unary(&mut self) -> Result<Expression<Written>, Fault> {
        let Some((text, at)) = self.tokens.get(self.next).cloned() else {
            let message = "the expression ends where a flag or number is expected".to_string();
            return Err(Fault { at: self.end..self.end, message });
        };
        self.next += 1;
        match text.as_str() {
            "!" => Ok(Expression::Not(Box::new(self.deeper(Parser::unary)?))),
            "-" => {
                let operand = self.deeper(Parser::unary)?;
                let zero = Box::new(Expression::Number(0));
                Ok(Expression::Binary(Operator::Sub, zero, Box::new(operand)))
            }
            "(" => {
                let inner = self.deeper(|parser| parser.binary(0))?;
                match self.peek() {
                    Some(")") => {
                        self.next += 1;
                        Ok(inner)
                    }
                    _ => Err(Fault { at, message: "this `(` is never closed".to_string() }),
                }
            }
            word if word.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = word.parse().map_err(|_| {
                    let message = format!("`{word}` is not a number of 64 bits");
                    Fault { at, message }
                })?;
                Ok(Expression::Number(number))
            }
            "true" => Ok(Expression::Number(1)),
            "false" => Ok(Expression::Number(0)),
            word if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                Ok(Expression::Name(Written { name: text, at }))
            }
            sign => {
                let message = format!("`{sign}` stands where a flag or number is expected");
                Err(Fault { at, message })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> i64 {
        let value = |name: &Written| name.name.len() as i64;
        parse(text).expect("an expression").evaluate(&value)
    }

    #[test]
    fn precedence_is_that_of_c() {
        assert_eq!(value("1 || 0 && 0"), 1);
        assert_eq!(value("1 + 2 == 3 && !0"), 1);
        assert_eq!(value("1 -> 0 -> 0"), 1);
        assert_eq!(value("a-b == 3 && ab - c == 1"), 1);
        assert_eq!(value("5 - 2 - 1"), 2);
        assert_eq!(value("-1 < 0"), 1);
    }

    #[test]
    fn errors_have_places() {
        assert_eq!(parse("a &&").map_err(|fault| fault.at), Err(4..4));
        assert_eq!(parse("(a").map_err(|fault| fault.at), Err(0..1));
        assert_eq!(parse("a b").map_err(|fault| fault.at), Err(2..3));
        assert_eq!(parse("a ? b").map_err(|fault| fault.at), Err(2..3));
        assert!(parse(&"!".repeat(100_000)).is_err());
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"0->".repeat(100_000)).is_err());
    }
}
