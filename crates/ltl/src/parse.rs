//! Reads a formula in any spelling in use: Spin's, words, C's and LaTeX's operators, Unicode.
//!
//! From loosest to tightest:
//!
//! *Entry point:* [`parse`].
//!
//! | level | operators | groups |
//! | --- | --- | --- |
//! | 1 | `->` `=>` `implies` `→`, `<->` `<=>` `equivalent` `↔` | to the left, as in Spin |
//! | 2 | `\|\|` `\|` `\/` `or` `∨` | to the left |
//! | 3 | `&&` `&` `/\` `and` `∧` | to the left |
//! | 4 | `U` `until` `stronguntil` `𝒰`, `W` `weakuntil`, `R` `V` `release` | to the left, as in Spin |
//! | 5 | `!` `~` `not` `¬`, `[]` `G` `always` `□`, `<>` `F` `eventually` `◇`, `X` `next` `○` | prefix |
//!
//! A proposition is a name in lower case or longer than a letter, or any text in `"…"`, `{…}`.
//! Faults are values with a place; where readers commonly err there is a [`Warning`], never a
//! silent guess.

use crate::formula::Formula;

/// A formula with what its atoms stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// The text of each atom.
    pub atoms: Vec<String>,
    /// Readings that may not be the ones meant.
    pub warnings: Vec<Warning>,
}

/// A place in the text where what is meant may not be what is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Offset in bytes.
    pub at: usize,
    /// What it is read as, and what to write instead.
    pub message: String,
}

/// Why a text is no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Offset in bytes.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Not,
    Next,
    Always,
    Eventually,
    Until,
    Weak,
    Release,
    And,
    Or,
    Implies,
    Equivalent,
    Open,
    Close,
    True,
    False,
    Atom(u32),
    End,
}

/// How deep parentheses and operators may nest: far beyond any formula, well within the stack.
const MOST_NESTED: usize = 500;

const SYMBOLS: [(&str, Token); 36] = [
    ("<->", Token::Equivalent),
    ("<=>", Token::Equivalent),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("[]", Token::Always),
    ("<>", Token::Eventually),
    ("&&", Token::And),
    ("||", Token::Or),
    ("/\\", Token::And),
    ("\\/", Token::Or),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Not),
    ("~", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
    ("□", Token::Always),
    ("◻", Token::Always),
    ("◇", Token::Eventually),
    ("◊", Token::Eventually),
    ("♢", Token::Eventually),
    ("○", Token::Next),
    ("◯", Token::Next),
    ("¬", Token::Not),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("→", Token::Implies),
    ("⇒", Token::Implies),
    ("↔", Token::Equivalent),
    ("⇔", Token::Equivalent),
    ("𝒰", Token::Until),
    ("𝒲", Token::Weak),
    ("ℛ", Token::Release),
    ("𝓡", Token::Release),
    ("⊤", Token::True),
    ("⊥", Token::False),
];

fn word(text: &str) -> Option<Token> {
    Some(match text {
        "not" => Token::Not,
        "X" | "next" => Token::Next,
        "G" | "always" => Token::Always,
        "F" | "eventually" => Token::Eventually,
        "U" | "until" | "stronguntil" => Token::Until,
        "W" | "weakuntil" => Token::Weak,
        "R" | "V" | "release" => Token::Release,
        "and" => Token::And,
        "or" => Token::Or,
        "implies" => Token::Implies,
        "equivalent" => Token::Equivalent,
        "true" | "1" => Token::True,
        "false" | "0" => Token::False,
        _ => return None,
    })
}

/// Reads `text`.
pub fn parse(text: &str) -> Result<Parsed, Fault> {
    let mut atoms = Vec::new();
    let tokens = tokens(text, &mut atoms)?;
    let mut parser = Parser { tokens, at: 0, depth: 0, warnings: Vec::new() };
    let formula = parser.implication()?;
    if parser.peek() != Token::End {
        return Err(parser.fault("expected an operator or the end of the formula"));
    }
    parser.warnings.extend(misread(&formula));
    Ok(Parsed { formula, atoms, warnings: parser.warnings })
}

fn tokens(text: &str, atoms: &mut Vec<String>) -> Result<Vec<(Token, usize)>, Fault> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut atom = |name: &str| {
        let index = atoms.iter().position(|a| a == name).unwrap_or_else(|| {
            atoms.push(name.to_owned());
            atoms.len() - 1
        });
        Token::Atom(index as u32)
    };
    'next: while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let rest = &text[at..];
        for (symbol, token) in SYMBOLS {
            if rest.starts_with(symbol) {
                out.push((token, at));
                at += symbol.len();
                continue 'next;
            }
        }
        if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let name = &rest[..end];
            out.push((word(name).unwrap_or_else(|| atom(name)), at));
            at += end;
        } else if first == '"' || first == '{' {
            let end =
                quoted(rest).ok_or_else(|| Fault { at, message: format!("no end to this `{first}`") })?;
            out.push((atom(rest[1..end].trim()), at));
            at += end + 1;
        } else {
            return Err(Fault { at, message: format!("`{first}` begins no operator and no proposition") });
        }
    }
    out.push((Token::End, text.len()));
    Ok(out)
}

/// The offset of the quote or brace that closes the one at the start.
fn quoted(rest: &str) -> Option<usize> {
    if let Some(inside) = rest.strip_prefix('"') {
        return inside.find('"').map(|i| i + 1);
    }
    let mut depth = 0;
    rest.char_indices().find_map(|(i, c)| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        (depth == 0).then_some(i)
    })
}

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
    warnings: Vec<Warning>,
}

impl Parser {
    fn peek(&self) -> Token {
        self.tokens[self.at].0
    }

    fn place(&self) -> usize {
        self.tokens[self.at].1
    }

    fn fault(&self, message: &str) -> Fault {
        Fault { at: self.place(), message: message.to_owned() }
    }

    fn take(&mut self, token: Token) -> bool {
        let there = self.peek() == token;
        if there {
            self.at += 1;
        }
        there
    }

    fn implication(&mut self) -> Result<Formula, Fault> {
        let (start, bare) = (self.place(), self.peek() == Token::Always);
        let mut left = self.disjunction()?;
        let mut chained = false;
        loop {
            let place = self.place();
            let make = match self.peek() {
                Token::Implies => Formula::Implies,
                Token::Equivalent => Formula::Equivalent,
                _ => return Ok(left),
            };
            self.at += 1;
            if chained {
                let message = "read as `(a -> b) -> c`, as Spin does; write the parentheses".to_owned();
                self.warnings.push(Warning { at: place, message });
            }
            let right = self.disjunction()?;
            let half = matches!(left, Formula::Always(ref inner) if inner.is_plain());
            // `[] p -> [] q` is a sentence of its own: if the one always holds, so does the other.
            if bare && half && !chained && !matches!(right, Formula::Always(_)) {
                let message = "`[] p -> q` is read as `([] p) -> q`; write the parentheses".to_owned();
                self.warnings.push(Warning { at: start, message });
            }
            chained = true;
            left = make(Box::new(left), Box::new(right));
        }
    }

    fn disjunction(&mut self) -> Result<Formula, Fault> {
        let mut left = self.conjunction()?;
        while self.take(Token::Or) {
            left = Formula::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Formula, Fault> {
        let (start, start_token) = (self.place(), self.peek());
        let mut left = self.binary_temporal()?;
        while self.take(Token::And) {
            if matches!(start_token, Token::Always | Token::Eventually)
                && matches!(left, Formula::Always(ref a) | Formula::Eventually(ref a) if matches!(**a, Formula::Atom(_)))
                && matches!(self.peek(), Token::Atom(_))
            {
                let message = "`[] a && b` is read as `([] a) && b`; write the parentheses".to_owned();
                self.warnings.push(Warning { at: start, message });
            }
            left = Formula::And(Box::new(left), Box::new(self.binary_temporal()?));
        }
        Ok(left)
    }

    fn binary_temporal(&mut self) -> Result<Formula, Fault> {
        let mut left = self.prefix()?;
        loop {
            let make = match self.peek() {
                Token::Until => Formula::Until,
                Token::Weak => Formula::WeakUntil,
                Token::Release => Formula::Release,
                _ => return Ok(left),
            };
            self.at += 1;
            left = make(Box::new(left), Box::new(self.prefix()?));
        }
    }

    fn prefix(&mut self) -> Result<Formula, Fault> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(self.fault("the formula nests too deeply"));
        }
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        let result = match token {
            Token::Not => Formula::Not(Box::new(self.prefix()?)),
            Token::Next => Formula::Next(Box::new(self.prefix()?)),
            Token::Always => Formula::Always(Box::new(self.prefix()?)),
            Token::Eventually => Formula::Eventually(Box::new(self.prefix()?)),
            Token::True => Formula::True,
            Token::False => Formula::False,
            Token::Atom(atom) => Formula::Atom(atom),
            Token::Open => {
                let inner = self.implication()?;
                if !self.take(Token::Close) {
                    return Err(self.fault("expected `)`"));
                }
                inner
            }
            _ => {
                self.at = self.at.saturating_sub(usize::from(token != Token::End));
                return Err(self.fault("expected a proposition, `(` or a prefix operator"));
            }
        };
        self.depth -= 1;
        Ok(result)
    }
}

/// Whole formulas that seldom mean what is meant: `p -> <> q` speaks of the first state only, and `<> (p -> q)`
/// holds as soon as `p` does not.
fn misread(formula: &Formula) -> Option<Warning> {
    let message = match formula {
        Formula::Implies(left, _) if left.is_plain() => {
            "this says something of the first state only; `[] (p -> <> q)` says it of every state"
        }
        Formula::Eventually(inner) if matches!(**inner, Formula::Implies(..)) => {
            "this holds as soon as the left side is false once; `[] (p -> <> q)` or `<> (p && q)` is mostly meant"
        }
        _ => return None,
    };
    Some(Warning { at: 0, message: message.to_owned() })
}
