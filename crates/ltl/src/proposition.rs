//! The extent of a proposition that stands in a formula without braces.
//!
//! A proposition is an operand, or operands joined by comparisons and arithmetic: `x`, `x + 1 <
//! a[2].n`. An operand is a number, a character, or a name with what may follow one in Promela or
//! C: `a[i].f`, `P[1]@label`, `P:x`, `f::x`, `file.c:f::x`, `call(f)`. Bit operators and
//! conditional expressions need braces, as `&` and `|` join formulas.
//!
//! *Entry point:* [`at_start`].
//! *Invariant:* an operator of formulas (`->`, `<->`, `<>`, `[]`, `U`) never belongs to a
//! proposition.

use crate::parse::operator;

/// A proposition at the start of a text.
pub(crate) struct Found {
    /// Its length in bytes.
    pub length: usize,
    /// It joins several operands.
    pub compares: bool,
}

/// Comparisons and arithmetic, the longer of two that begin alike first.
const JOINS: [&str; 13] = ["==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%"];

/// Operators of formulas that begin like one of these.
const NOT_JOINS: [&str; 6] = ["<->", "<=>", "<>", "->", "=>", "/\\"];

/// The proposition at the start of a text; a word that is an operator is found alone. None where no
/// word begins.
pub(crate) fn at_start(text: &str) -> Option<Found> {
    let mut length = operand(text, false)?;
    let mut compares = false;
    if operator(&text[..length]).is_some() {
        return Some(Found { length, compares });
    }
    while let Some(end) = join(text, length) {
        (length, compares) = (end, true);
    }
    Some(Found { length, compares })
}

/// The end of the operator and operand that continue a proposition.
fn join(text: &str, from: usize) -> Option<usize> {
    let at = from + blanks(&text[from..]);
    let rest = &text[at..];
    if NOT_JOINS.iter().any(|other| rest.starts_with(other)) {
        return None;
    }
    let sign = JOINS.iter().find(|sign| rest.starts_with(**sign))?;
    let behind = at + sign.len();
    let behind = behind + blanks(&text[behind..]);
    let length = operand(&text[behind..], true)?;
    operator(&text[behind..behind + length]).is_none().then_some(behind + length)
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the word at the start.
fn word(text: &str) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The length of the operand at the start. Behind an operator it may have a sign, or stand in
/// parentheses.
fn operand(text: &str, joined: bool) -> Option<usize> {
    if let Some(rest) = text.strip_prefix('\'') {
        let mut letters = rest.char_indices();
        let escaped = letters.next()?.1 == '\\';
        let (end, _) = letters.find(|&(at, c)| c == '\'' && (!escaped || at > 1))?;
        return Some(end + 2);
    }
    if joined {
        if text.starts_with('(') {
            return closed(text, '(', ')');
        }
        if text.starts_with('-') && !text.starts_with("->") {
            let behind = 1 + blanks(&text[1..]);
            return Some(behind + operand(&text[behind..], true)?);
        }
    }
    let mut length = word(text);
    if length == 0 || operator(&text[..length]).is_some() {
        return (length > 0).then_some(length);
    }
    loop {
        let rest = &text[length..];
        let more = |sign: &str| {
            let behind = rest.strip_prefix(sign)?;
            let own = word(behind);
            (own > 0).then_some(sign.len() + own)
        };
        let suffix = match rest.chars().next() {
            Some('[') if !rest[1..].trim_start().starts_with(']') => closed(rest, '[', ']'),
            Some('(') => closed(rest, '(', ')'),
            Some('.') => more("."),
            Some('@') => more("@"),
            Some(':') => more("::").or_else(|| more(":")),
            _ => None,
        };
        match suffix {
            Some(suffix) => length += suffix,
            None => return Some(length),
        }
    }
}

/// The length of a text in brackets.
fn closed(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == open) - i32::from(c == close);
        (depth == 0).then_some(at + c.len_utf8())
    })
}

#[cfg(test)]
mod tests {
    use super::at_start;

    #[test]
    fn propositions_end_before_operators_of_formulas() {
        for (text, length) in [
            ("x", 1),
            ("x < 3 U y", 5),
            ("x -> y", 1),
            ("x <-> y", 1),
            ("x <> y", 1),
            ("x - 1 == -y && z", 11),
            ("a[i + 1].f[2] >= n", 18),
            ("p[]q", 1),
            ("call(f) || x", 7),
            ("list.c:insert::n > 0", 20),
            ("P[1]@label U q", 10),
            ("c == '\\''", 9),
            ("x < U y", 1),
            ("x /\\ y", 1),
            ("x / 2 == (y + 1) * 2 -> z", 20),
            ("G p", 1),
        ] {
            assert_eq!(at_start(text).map(|found| found.length), Some(length), "{text}");
        }
        for text in ["(x)", "[] x", "<> x", "{x}", "", "=="] {
            assert!(at_start(text).is_none(), "{text}");
        }
    }
}
