//! Terms as expressions of Promela with the same value: arithmetic there has 32 bits and a sign.
//!
//! A term of up to 31 bits is written as its value without sign, one of 32 bits as its value with sign.
//!
//! *Entry point:* [`Writer::text`].
//! *Invariant:* an expression has the value of its term in all states; it has no division by 0.

use axle_decide::term::{BinaryOp, Term, TermId, Terms, mask, signed};

/// The most operators of an expression.
const MOST_OPERATORS: usize = 400;
/// The widest term without sign.
const MOST_UNSIGNED: u8 = 31;
/// The width of an `int`.
const INT: u8 = 32;

/// A variable as it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Read {
    /// Its name, or the number that it always is.
    pub text: String,
    /// Whether it stores a value with sign.
    pub is_signed: bool,
}

/// Writes terms over variables.
pub(crate) struct Writer<'a> {
    pub terms: &'a Terms,
    /// The variables that may be read.
    pub variable: &'a dyn Fn(TermId) -> Option<Read>,
    operators: usize,
}

impl<'a> Writer<'a> {
    /// For terms over some variables.
    pub fn new(terms: &'a Terms, variable: &'a dyn Fn(TermId) -> Option<Read>) -> Writer<'a> {
        Writer { terms, variable, operators: 0 }
    }

    /// A term, in parentheses unless it is a name or a number; none if it reads another variable, or has no
    /// expression.
    pub fn text(mut self, id: TermId) -> Option<String> {
        self.of(id)
    }

    /// A term as the value that a variable with or without sign stores.
    pub fn stored(mut self, id: TermId, is_signed: bool) -> Option<String> {
        let width = self.terms.width(id);
        match is_signed && width < INT {
            true => self.with_sign(id),
            false => self.of(id),
        }
    }

    /// The value with sign.
    fn with_sign(&mut self, id: TermId) -> Option<String> {
        let width = self.terms.width(id);
        match self.terms.get(id) {
            Term::Const(value) => Some(number(signed(width, value & mask(width)) as i64)),
            Term::Variable(_) if (self.variable)(id)?.is_signed => Some((self.variable)(id)?.text),
            _ if width == INT => self.of(id),
            _ => {
                let sign = 1u64 << (width - 1);
                Some(format!("(({} ^ {sign}) - {sign})", self.of(id)?))
            }
        }
    }

    fn of(&mut self, id: TermId) -> Option<String> {
        self.operators += 1;
        let width = self.terms.width(id);
        if width > INT || self.operators > MOST_OPERATORS {
            return None;
        }
        let all = mask(width.min(MOST_UNSIGNED));
        // The low bits of a result of 32 bits.
        let low = |text: String| if width == INT { text } else { format!("({text} & {all})") };
        Some(match self.terms.get(id) {
            Term::Const(value) if width == INT => number(signed(width, value & mask(width)) as i64),
            Term::Const(value) => number(value as i64),
            Term::Variable(_) => {
                let read = (self.variable)(id)?;
                if read.is_signed { low(read.text) } else { read.text }
            }
            Term::Not(a) if width == 1 => format!("!{}", self.of(a)?),
            Term::Not(a) if width == INT => format!("(~{})", self.of(a)?),
            Term::Not(a) => format!("({} ^ {all})", self.of(a)?),
            Term::Neg(a) => low(format!("(0 - {})", self.of(a)?)),
            Term::If(c, a, b) => format!("({} -> {} : {})", self.of(c)?, self.of(a)?, self.of(b)?),
            Term::Extract(from, a) if width == INT || (from == 0 && width == self.terms.width(a)) => {
                self.of(a)?
            }
            Term::Extract(0, a) => low(self.of(a)?),
            // Bits that come from the sign are cut off.
            Term::Extract(from, a) => low(format!("({} >> {from})", self.of(a)?)),
            Term::ZeroExtend(a) => self.of(a)?,
            Term::SignExtend(a) => low(self.with_sign(a)?),
            Term::Binary(op, a, b) => self.binary(op, (a, b), width, &low)?,
        })
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        (a, b): (TermId, TermId),
        width: u8,
        low: &dyn Fn(String) -> String,
    ) -> Option<String> {
        let operands = self.terms.width(a);
        if operands > INT {
            return None;
        }
        let divisor = self.terms.value(b).map(|value| signed(self.terms.width(b), value));
        let plain =
            |this: &mut Self, symbol: &str| Some(format!("({} {symbol} {})", this.of(a)?, this.of(b)?));
        match op {
            BinaryOp::And if width == 1 => plain(self, "&&"),
            BinaryOp::Or if width == 1 => plain(self, "||"),
            BinaryOp::Xor if width == 1 => plain(self, "!="),
            BinaryOp::And => plain(self, "&"),
            BinaryOp::Or => plain(self, "|"),
            BinaryOp::Xor => plain(self, "^"),
            BinaryOp::Add => plain(self, "+").map(low),
            BinaryOp::Mul => plain(self, "*").map(low),
            BinaryOp::Eq => plain(self, "=="),
            BinaryOp::ULt if operands < INT => plain(self, "<"),
            BinaryOp::SLt => Some(format!("({} < {})", self.with_sign(a)?, self.with_sign(b)?)),
            BinaryOp::Shl if divisor.is_some_and(|by| (0..i128::from(width)).contains(&by)) => {
                plain(self, "<<").map(low)
            }
            BinaryOp::LShr
                if width < INT && divisor.is_some_and(|by| (0..i128::from(width)).contains(&by)) =>
            {
                plain(self, ">>")
            }
            BinaryOp::UDiv if operands < INT && self.terms.value(b).is_some_and(|by| by > 0) => {
                plain(self, "/")
            }
            BinaryOp::URem if operands < INT && self.terms.value(b).is_some_and(|by| by > 0) => {
                plain(self, "%")
            }
            BinaryOp::SDiv if divisor.is_some_and(|by| by > 0) => {
                Some(low(format!("({} / {})", self.with_sign(a)?, self.with_sign(b)?)))
            }
            BinaryOp::SRem if divisor.is_some_and(|by| by > 0) => {
                Some(low(format!("({} % {})", self.with_sign(a)?, self.with_sign(b)?)))
            }
            BinaryOp::Concat => {
                Some(format!("(({} << {}) | {})", self.of(a)?, self.terms.width(b), self.of(b)?))
            }
            _ => None,
        }
    }
}

/// A number of 32 bits with sign.
pub(crate) fn number(value: i64) -> String {
    match value {
        0.. => value.to_string(),
        // The least number has no literal of its own.
        -2_147_483_648 => "(-2147483647 - 1)".to_owned(),
        _ => format!("({value})"),
    }
}
