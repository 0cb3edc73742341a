//! Parses LTL in every spelling in use: Spin's, words, letters, and Unicode.
//!
//! *Entry points:* [`parse`]; [`operator`], the words that are operators, for the parser of
//! formulas in models.
//!
//! From loosest to tightest:
//!
//! | level | operators | associativity |
//! | --- | --- | --- |
//! | 1 | `->` `=>` `implies` `→`, `<->` `<=>` `equivalent` `↔` | left, as in Spin |
//! | 2 | `\|\|` `\|` `\/` `or` `∨` | left |
//! | 3 | `&&` `&` `/\` `and` `∧` | left |
//! | 4 | `U` `until` `stronguntil` `𝒰`, `W` `weakuntil`, `R` `V` `release` | left, as in Spin |
//! | 5 | `!` `~` `not` `¬`, `[]` `G` `always` `□`, `<>` `F` `eventually` `◇`, `X` `next` `○` | prefix |
//!
//! A proposition is a name, a comparison such as `x + 1 < a[2].n` (`proposition.rs`), or any text
//! in `{…}` or `"…"`. Faults are values with a place. A reading that is often not the intended one
//! comes with a [`Warning`].

use crate::formula::Formula;
use crate::proposition;

/// A formula with what its atoms stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula,
    /// The text of each atom.
    pub atoms: Vec<String>,
    /// The offset of the first occurrence of each, in bytes.
    pub places: Vec<usize>,
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

/// A message with the text below it and a mark under the place, `at` bytes from its start.
#[must_use]
pub fn pointed(text: &str, at: usize, message: &str) -> String {
    let column = text.get(..at).unwrap_or(text).chars().count();
    format!("{message}\n  {text}\n  {:column$}^", "")
}

/// An operator of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `!`
    Not,
    /// `X`
    Next,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `U`
    Until,
    /// `W`
    Weak,
    /// `V`
    Release,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
}

impl Operator {
    /// Whether it stands before its operand.
    #[must_use]
    pub fn is_prefix(self) -> bool {
        matches!(self, Operator::Not | Operator::Next | Operator::Always | Operator::Eventually)
    }
}

use Operator::{Always, And, Equivalent, Eventually, Implies, Next, Not, Or, Release, Until, Weak};

/// The operator that a word spells, in `axle ltl`, `--ltl` and the formulas of models.
#[must_use]
pub fn operator(word: &str) -> Option<Operator> {
    Some(match word {
        "not" => Not,
        "X" | "next" => Next,
        "G" | "always" => Always,
        "F" | "eventually" => Eventually,
        "U" | "until" | "stronguntil" => Until,
        "W" | "weakuntil" => Weak,
        "R" | "V" | "release" => Release,
        "and" => And,
        "or" => Or,
        "implies" => Implies,
        "equivalent" => Equivalent,
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Operator(Operator),
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
    ("<->", Token::Operator(Equivalent)),
    ("<=>", Token::Operator(Equivalent)),
    ("->", Token::Operator(Implies)),
    ("=>", Token::Operator(Implies)),
    ("[]", Token::Operator(Always)),
    ("<>", Token::Operator(Eventually)),
    ("&&", Token::Operator(And)),
    ("||", Token::Operator(Or)),
    ("/\\", Token::Operator(And)),
    ("\\/", Token::Operator(Or)),
    ("&", Token::Operator(And)),
    ("|", Token::Operator(Or)),
    ("!", Token::Operator(Not)),
    ("~", Token::Operator(Not)),
    ("(", Token::Open),
    (")", Token::Close),
    ("□", Token::Operator(Always)),
    ("◻", Token::Operator(Always)),
    ("◇", Token::Operator(Eventually)),
    ("◊", Token::Operator(Eventually)),
    ("♢", Token::Operator(Eventually)),
    ("○", Token::Operator(Next)),
    ("◯", Token::Operator(Next)),
    ("¬", Token::Operator(Not)),
    ("∧", Token::Operator(And)),
    ("∨", Token::Operator(Or)),
    ("→", Token::Operator(Implies)),
    ("⇒", Token::Operator(Implies)),
    ("↔", Token::Operator(Equivalent)),
    ("⇔", Token::Operator(Equivalent)),
    ("𝒰", Token::Operator(Until)),
    ("𝒲", Token::Operator(Weak)),
    ("ℛ", Token::Operator(Release)),
    ("𝓡", Token::Operator(Release)),
    ("⊤", Token::True),
    ("⊥", Token::False),
];

/// The token that a word is, unless it is a name.
fn word(text: &str) -> Option<Token> {
    match text {
        "true" | "1" => Some(Token::True),
        "false" | "0" => Some(Token::False),
        _ => operator(text).map(Token::Operator),
    }
}

/// Reads `text`.
pub fn parse(text: &str) -> Result<Parsed, Fault> {
    let mut atoms = Atoms::default();
    let tokens = tokens(text, &mut atoms)?;
    let mut parser = Parser { tokens, at: 0, depth: 0, warnings: Vec::new() };
    let formula = parser.implication()?;
    if parser.peek() != Token::End {
        return Err(parser.fault("an operator or the end of the formula is expected here"));
    }
    parser.warnings.extend(misread(&formula));
    Ok(Parsed { formula, atoms: atoms.texts, places: atoms.places, warnings: parser.warnings })
}

/// The propositions of a formula.
#[derive(Default)]
struct Atoms {
    texts: Vec<String>,
    places: Vec<usize>,
}

impl Atoms {
    /// The proposition with this text, which stands at a place.
    fn token(&mut self, text: &str, at: usize) -> Token {
        let place = at + text.len() - text.trim_start().len();
        let text = text.trim();
        let index = self.texts.iter().position(|known| known == text).unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.places.push(place);
            self.texts.len() - 1
        });
        Token::Atom(index as u32)
    }
}

fn tokens(text: &str, atoms: &mut Atoms) -> Result<Vec<(Token, usize)>, Fault> {
    let mut out: Vec<(Token, usize)> = Vec::new();
    let mut at = 0;
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
        if let Some(found) = proposition::at_start(rest) {
            let own = &rest[..found.length];
            let negated = out.last().filter(|(token, place)| {
                *token == Token::Operator(Not) && text[*place..].starts_with(['!', '~', '¬'])
            });
            if let (true, Some(&(_, place))) = (found.compares, negated) {
                let message =
                    format!("the operand of this negation is ambiguous: write `!({own})` or `{{!{own}}}`");
                return Err(Fault { at: place, message });
            }
            let token = word(own).unwrap_or_else(|| atoms.token(own, at));
            out.push((token, at));
            at += found.length;
        } else if first == '"' || first == '{' {
            let end = quoted(rest)
                .ok_or_else(|| Fault { at, message: format!("this `{first}` is never closed") })?;
            out.push((atoms.token(&rest[1..end], at + 1), at));
            at += end + 1;
        } else {
            let message = match "=<>+-*/%^".contains(first) {
                true => format!(
                    "`{first}` has no operands here: write conditions as `x < 3`, or in braces: `{{(x + 1) < 3}}`"
                ),
                false => format!("`{first}` is not an operator of formulas"),
            };
            return Err(Fault { at, message });
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
        let (start, bare) = (self.place(), self.peek() == Token::Operator(Always));
        let mut left = self.disjunction()?;
        let mut chained = false;
        loop {
            let place = self.place();
            let make = match self.peek() {
                Token::Operator(Implies) => Formula::Implies,
                Token::Operator(Equivalent) => Formula::Equivalent,
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
        while self.take(Token::Operator(Or)) {
            left = Formula::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Formula, Fault> {
        let (start, start_token) = (self.place(), self.peek());
        let mut left = self.binary_temporal()?;
        while self.take(Token::Operator(And)) {
            if matches!(start_token, Token::Operator(Always) | Token::Operator(Eventually))
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
                Token::Operator(Until) => Formula::Until,
                Token::Operator(Weak) => Formula::WeakUntil,
                Token::Operator(Release) => Formula::Release,
                _ => return Ok(left),
            };
            self.at += 1;
            left = make(Box::new(left), Box::new(self.prefix()?));
        }
    }

    fn prefix(&mut self) -> Result<Formula, Fault> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(self.fault("the formula is nested too deeply"));
        }
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        let result = match token {
            Token::Operator(Not) => Formula::Not(Box::new(self.prefix()?)),
            Token::Operator(Next) => Formula::Next(Box::new(self.prefix()?)),
            Token::Operator(Always) => Formula::Always(Box::new(self.prefix()?)),
            Token::Operator(Eventually) => Formula::Eventually(Box::new(self.prefix()?)),
            Token::True => Formula::True,
            Token::False => Formula::False,
            Token::Atom(atom) => Formula::Atom(atom),
            Token::Open => {
                let inner = self.implication()?;
                if !self.take(Token::Close) {
                    return Err(self.fault("`)` is expected here"));
                }
                inner
            }
            _ => {
                self.at = self.at.saturating_sub(usize::from(token != Token::End));
                return Err(self.fault("a proposition, `(` or a prefix operator is expected here"));
            }
        };
        self.depth -= 1;
        Ok(result)
    }
}

/// Whole formulas that seldom mean what is meant: `p -> <> q` speaks of the first state only, and
/// `<> (p -> q)` holds as soon as `p` does not.
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
