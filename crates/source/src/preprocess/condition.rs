//! The expressions of `#if` and `#elif` (C11 6.10.1): integer constant expressions of 64 bits over
//! the result of macro expansion, names counting as 0.
//!
//! *Entry point:* [`Preprocessor::evaluate`]; precedence climbing does the rest.
//! *Invariant:* an operand that is not evaluated raises no fault but those of syntax.

use super::Preprocessor;
use super::expand::Feed;
use super::hide::{HideId, Tok};
use crate::diagnostic::Diagnostic;
use crate::span::Loc;
use crate::token::{Token, TokenKind};

/// Deeper nesting than this is refused, so that no input exhausts the stack.
const DEEPEST: u32 = 200;

#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    fn truth(self) -> bool {
        self.bits != 0
    }
}

impl Preprocessor<'_> {
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || matches!(name, "__has_include" | "__has_include_next")
    }

    /// Whether the condition holds; a faulty one does not.
    pub(super) fn evaluate(&mut self, tokens: Vec<Tok>, directive: Loc) -> bool {
        let end = tokens.last().map_or(directive.after(), |tok| tok.token.loc().after());
        if tokens.is_empty() {
            let message = "the condition is missing";
            self.diagnostics.push(Diagnostic::error("E0112", message).at(directive, ""));
            return false;
        }
        let errors = self.diagnostics.error_count();
        let tokens = self.expand_list(tokens, true);
        if self.stopped || self.diagnostics.error_count() > errors {
            return false;
        }
        let mut reader = Reader { tokens: &tokens, at: 0, end, depth: 0, warnings: Vec::new() };
        let result = reader.comma(true).and_then(|value| match reader.peek() {
            None => Ok(value),
            Some(extra) => Err(Diagnostic::error("E0112", "the condition goes on after its end")
                .at(extra.loc(), "expected an operator")),
        });
        self.diagnostics.extend(reader.warnings);
        match result {
            Ok(value) => value.truth(),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                false
            }
        }
    }

    /// `defined NAME`, `defined(NAME)`, `__has_include(...)`, after the operator's name; nothing
    /// when `tok` is no such operator.
    pub(super) fn condition_operator(&mut self, tok: &Tok, feed: &mut Feed) -> Option<Tok> {
        let value = match &*tok.token.text {
            "defined" => self.defined_operator(feed),
            "__has_include" => self.has_include_operator(feed, false),
            "__has_include_next" => self.has_include_operator(feed, true),
            _ => return None,
        };
        let value = value.unwrap_or_else(|| {
            let message = format!("`{}` is not followed by what it asks about", tok.token.text);
            self.diagnostics.push(Diagnostic::error("E0112", message).at(tok.token.loc(), ""));
            false
        });
        let text = self.intern(if value { "1" } else { "0" });
        let token = Token { kind: TokenKind::Number, made: true, text, ..tok.token.clone() };
        Some(Tok { token, hide: HideId::EMPTY })
    }

    fn defined_operator(&mut self, feed: &mut Feed) -> Option<bool> {
        let mut name = self.pull_raw(feed)?;
        let bracket = name.token.is_punct("(");
        if bracket {
            name = self.pull_raw(feed)?;
        }
        if name.token.kind != TokenKind::Identifier {
            feed.stack.push(name);
            return None;
        }
        if bracket {
            let close = self.pull_raw(feed)?;
            if !close.token.is_punct(")") {
                feed.stack.push(close);
                return None;
            }
        }
        Some(self.is_defined(&name.token.text))
    }

    fn has_include_operator(&mut self, feed: &mut Feed, next: bool) -> Option<bool> {
        if !self.pull_raw(feed)?.token.is_punct("(") {
            return None;
        }
        let mut tokens = Vec::new();
        let mut depth = 0usize;
        loop {
            let tok = self.pull_raw(feed)?;
            if tok.token.is_punct("(") {
                depth += 1;
            } else if tok.token.is_punct(")") {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            tokens.push(tok);
        }
        let (path, quoted) = self.header_of_tokens(tokens)?;
        Some(self.find_header(&path, quoted, next).is_ok())
    }
}

struct Reader<'a> {
    tokens: &'a [Tok],
    at: usize,
    /// The end of the condition, at which missing operands are reported.
    end: Loc,
    depth: u32,
    warnings: Vec<Diagnostic>,
}

type Outcome = Result<Value, Diagnostic>;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|tok| &tok.token)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is_punct(punct));
        self.at += usize::from(found);
        found
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error("E0112", format!("bad condition: expected {what}"));
        match self.peek() {
            Some(token) => diagnostic.at(token.loc(), format!("found `{}`", token.text)),
            None => diagnostic.at(self.end, "the condition ends here"),
        }
    }

    /// `a, b`: C forbids it here unless it is not evaluated; gcc takes it, and so do we.
    fn comma(&mut self, live: bool) -> Outcome {
        let mut value = self.choice(live)?;
        while self.eat(",") {
            value = self.choice(live)?;
        }
        Ok(value)
    }

    /// `a ? b : c`.
    fn choice(&mut self, live: bool) -> Outcome {
        self.depth += 1;
        if self.depth > DEEPEST {
            let diagnostic = Diagnostic::error("E0118", "the condition is nested too deeply");
            return Err(diagnostic.at(self.end, ""));
        }
        let mut value = self.binary(0, live)?;
        if self.eat("?") {
            let truth = value.truth();
            let yes = self.comma(live && truth)?;
            if !self.eat(":") {
                return Err(self.expected("`:`"));
            }
            let no = self.choice(live && !truth)?;
            let unsigned = yes.unsigned || no.unsigned;
            value = Value { unsigned, ..if truth { yes } else { no } };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Outcome {
        let mut left = self.unary(live)?;
        while let Some(operator) = self.peek() {
            let Some(level) = level(operator).filter(|&level| level >= least) else { break };
            self.at += 1;
            let right_live = match operator.punct() {
                "&&" => live && left.truth(),
                "||" => live && !left.truth(),
                _ => live,
            };
            let right = self.binary(level + 1, right_live)?;
            left = apply(operator, left, right, live)?;
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Outcome {
        let Some(token) = self.peek() else { return Err(self.expected("a value")) };
        self.depth += 1;
        if self.depth > DEEPEST {
            let diagnostic = Diagnostic::error("E0118", "the condition is nested too deeply");
            return Err(diagnostic.at(token.loc(), ""));
        }
        self.at += 1;
        let value = match token.kind {
            // Promela's `!!` is one token; here it is two signs.
            TokenKind::Punct => match token.punct() {
                "!!" => Value::signed(self.unary(live)?.truth().into()),
                "!" => Value::signed((!self.unary(live)?.truth()).into()),
                "-" => {
                    let value = self.unary(live)?;
                    Value { bits: value.bits.wrapping_neg(), ..value }
                }
                "~" => {
                    let value = self.unary(live)?;
                    Value { bits: !value.bits, ..value }
                }
                "+" => self.unary(live)?,
                "(" => {
                    let value = self.comma(live)?;
                    if !self.eat(")") {
                        return Err(self.expected("`)`"));
                    }
                    value
                }
                _ => {
                    self.at -= 1;
                    return Err(self.expected("a value"));
                }
            },
            TokenKind::Number => self.number(token)?,
            TokenKind::Char => self.character(token)?,
            TokenKind::Identifier => Value::signed(0),
            TokenKind::String | TokenKind::Pragma | TokenKind::Unknown | TokenKind::End => {
                self.at -= 1;
                return Err(self.expected("a value"));
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&mut self, token: &Token) -> Outcome {
        let text = token.text.to_ascii_lowercase();
        let (radix, digits) = match text.as_bytes() {
            [b'0', b'x', ..] => (16, &text[2..]),
            [b'0', b'b', ..] => (2, &text[2..]),
            [b'0', ..] => (8, &text[..]),
            _ => (10, &text[..]),
        };
        let length = digits.bytes().take_while(|byte| (*byte as char).is_digit(radix)).count();
        let (digits, suffix) = digits.split_at(length);
        let suffixes = ["", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz", "zu"];
        if digits.is_empty() || !suffixes.contains(&suffix) {
            let message = format!("`{}` is not an integer", token.text);
            return Err(Diagnostic::error("E0112", message).at(token.loc(), ""));
        }
        let mut bits: u64 = 0;
        let mut fits = true;
        for byte in digits.bytes() {
            let digit = (byte as char).to_digit(radix).unwrap_or(0);
            let wide = u128::from(bits) * u128::from(radix) + u128::from(digit);
            fits &= wide <= u128::from(u64::MAX);
            bits = wide as u64;
        }
        let unsigned = suffix.contains('u') || bits > i64::MAX as u64;
        if !fits || (radix == 10 && unsigned && !suffix.contains('u')) {
            let message = format!("`{}` is larger than a signed integer of 64 bits can be", token.text);
            self.warnings.push(Diagnostic::warning("W0112", message).at(token.loc(), ""));
        }
        Ok(Value { bits, unsigned })
    }

    /// A character constant: gcc's value, in which several characters make a number to the base
    /// 256.
    fn character(&mut self, token: &Token) -> Outcome {
        let quote = token.text.find('\'').unwrap_or(0);
        let wide = quote > 0;
        let inside = token.text.get(quote + 1..token.text.len().saturating_sub(1)).unwrap_or_default();
        let mut values: Vec<u32> = Vec::new();
        let mut chars = inside.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                match wide {
                    true => values.push(c as u32),
                    false => values.extend(c.to_string().bytes().map(u32::from)),
                }
                continue;
            }
            let escape = chars.next().unwrap_or('\\');
            values.push(match escape {
                'n' => 10,
                't' => 9,
                'r' => 13,
                'a' => 7,
                'b' => 8,
                'f' => 12,
                'v' => 11,
                'e' | 'E' => 27,
                'x' => {
                    let mut value = 0u32;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        value = value.wrapping_mul(16).wrapping_add(digit);
                        chars.next();
                    }
                    value
                }
                '0'..='7' => {
                    let mut value = escape as u32 - '0' as u32;
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        value = value * 8 + digit;
                        chars.next();
                    }
                    value
                }
                other => other as u32,
            });
        }
        if values.is_empty() {
            return Err(Diagnostic::error("E0112", "empty character constant").at(token.loc(), ""));
        }
        if wide {
            let value = values.last().copied().unwrap_or(0);
            let unsigned = !token.text.starts_with('L');
            return Ok(Value {
                bits: if unsigned { value.into() } else { i64::from(value as i32) as u64 },
                unsigned,
            });
        }
        let value = match values[..] {
            [single] => i64::from(single as u8 as i8),
            _ => i64::from(values.iter().fold(0u32, |value, byte| (value << 8) | (byte & 0xff)) as i32),
        };
        Ok(Value::signed(value))
    }
}

/// The precedence of a binary operator; `None` for other tokens.
fn level(token: &Token) -> Option<u8> {
    if token.kind != TokenKind::Punct {
        return None;
    }
    Some(match token.punct() {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | "<=" | ">" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}

fn apply(operator: &Token, left: Value, right: Value, live: bool) -> Outcome {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (sa, sb) = (a as i64, b as i64);
    let less = |a: u64, b: u64| if unsigned { a < b } else { (a as i64) < (b as i64) };
    let number = |bits: u64| Value { bits, unsigned };
    let truth = |value: bool| Value::signed(value.into());
    Ok(match operator.punct() {
        "||" => truth(left.truth() || right.truth()),
        "&&" => truth(left.truth() && right.truth()),
        "|" => number(a | b),
        "^" => number(a ^ b),
        "&" => number(a & b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(less(a, b)),
        ">" => truth(less(b, a)),
        "<=" => truth(!less(b, a)),
        ">=" => truth(!less(a, b)),
        "<<" => shift(left, right, false),
        ">>" => shift(left, right, true),
        "+" => number(a.wrapping_add(b)),
        "-" => number(a.wrapping_sub(b)),
        "*" => number(a.wrapping_mul(b)),
        division @ ("/" | "%") => {
            if b == 0 {
                if live {
                    let message = "the condition divides by zero";
                    return Err(Diagnostic::error("E0113", message).at(operator.loc(), ""));
                }
                return Ok(number(0));
            }
            number(match (division, unsigned) {
                ("/", true) => a / b,
                ("/", false) => sa.wrapping_div(sb) as u64,
                (_, true) => a % b,
                (_, false) => sa.wrapping_rem(sb) as u64,
            })
        }
        _ => Value::signed(0),
    })
}

/// A shift as gcc does it: a negative count shifts the other way, a large one leaves only the sign.
fn shift(value: Value, count: Value, right: bool) -> Value {
    let negative = !count.unsigned && (count.bits as i64) < 0;
    let (right, count) = if negative { (!right, count.bits.wrapping_neg()) } else { (right, count.bits) };
    let bits = match (right, value.unsigned) {
        (false, _) if count >= 64 => 0,
        (false, _) => value.bits << count,
        (true, true) if count >= 64 => 0,
        (true, true) => value.bits >> count,
        (true, false) => ((value.bits as i64) >> count.min(63)) as u64,
    };
    Value { bits, ..value }
}
