//! The text of certificates. A line is one record; the order of records is fixed:
//!
//! ```text
//! axle-invariant 1
//! depth 1
//! distinct no
//! property assertion:0:3
//! state count 16 unsigned 0
//! state limit 16 unsigned 4
//! word w0 16 1*count -1*limit
//! term w1 $count #16:5 bvult:0:1
//! clause count.3=0 count.0=1 w0.4=0 w1.0=1
//! end
//! ```
//!
//! `property` lists the bad conditions that the invariant excludes: kind, process and edge. `state` lists each state variable that occurs in a clause or word with its bits, its sign and its initial
//! value; `count.3` is the bit of weight 8. `word` defines a sum of multiples of
//! listed variables, in a number of bits; `term` one by operators (`definition_text.rs`). The check compares these records with the model.
//!
//! *Entry points:* [`write`], [`read`].
//! *Invariant:* reading what was written returns an equal invariant, and every other text is an error.

use std::fmt::Write;

use axle_model::IntType;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Certificate, definition_text};
use crate::circuit::Bit;
use crate::export::bad_name;
use crate::invariant::{Clause, Invariant, Literal, Word};
use crate::system::{StateVariable, System};
use crate::term::MOST_BITS;

/// The first line.
pub(super) const HEADER: &str = "axle-invariant 1";

/// The text of an invariant of a system that excludes the bad conditions at these positions.
#[must_use]
pub fn write(system: &System, bads: &[usize], invariant: &Invariant) -> String {
    let mut text = format!("{HEADER}\ndepth {}\n", invariant.depth);
    let _ = writeln!(text, "distinct {}", if invariant.distinct { "yes" } else { "no" });
    for bad in bads {
        let _ = writeln!(text, "property {}", bad_name(system, system.bads[*bad].cause));
    }
    let literals = invariant.clauses.iter().flatten();
    let mut used: Vec<u32> = literals.map(|literal| literal.bit.of).collect();
    used.extend(invariant.words.iter().flat_map(Word::variables));
    used.retain(|of| (*of as usize) < system.states.len());
    used.sort_unstable();
    used.dedup();
    for of in used {
        let _ = writeln!(text, "{}", state(&system.states[of as usize]));
    }
    let names = word_names(system, invariant.words.len());
    for (word, name) in invariant.words.iter().zip(&names) {
        match word {
            Word::Sum { bits, sum } => {
                let _ = write!(text, "word {name} {bits}");
                for (of, factor) in sum {
                    let _ = write!(text, " {factor}*{}", system.states[*of as usize].name);
                }
                text.push('\n');
            }
            Word::Term(definition) => {
                let _ = writeln!(text, "term {name}{}", definition_text::write(system, definition));
            }
        }
    }
    for clause in &invariant.clauses {
        text.push_str("clause");
        for literal in clause {
            let of = literal.bit.of as usize;
            let name = system.states.get(of).map_or_else(|| &names[of - system.states.len()], |of| &of.name);
            let _ = write!(text, " {name}.{}={}", literal.bit.bit, u8::from(literal.value));
        }
        text.push('\n');
    }
    text.push_str("end\n");
    text
}

/// Names of words, different from those of the state variables.
fn word_names(system: &System, count: usize) -> Vec<String> {
    let used: FxHashSet<&str> = system.states.iter().map(|state| state.name.as_str()).collect();
    let candidates = (0..).map(|number| format!("w{number}"));
    candidates.filter(|name| !used.contains(name.as_str())).take(count).collect()
}

fn state(state: &StateVariable) -> String {
    let IntType { bits, signed } = state.ty;
    let sign = if signed { "signed" } else { "unsigned" };
    format!("state {} {bits} {sign} {}", state.name, state.initial)
}

/// An error in a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the certificate: {problem}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: TextProblem,
}

/// A problem of a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextProblem {
    /// Another record is expected here.
    #[error("expected `{0}`")]
    Expected(&'static str),
    /// The model has no such state variable, or one of another type or initial value.
    #[error("the model has no state variable `{0}` with this type and initial value")]
    Unknown(String),
    /// The model has no such property, or it is listed twice.
    #[error("`{0}` is no property of the model, or is listed twice")]
    Property(String),
    /// A word is not of the form `name bits factor*variable ...` or `name operator ...`, or its name is
    /// used.
    #[error("`{0}` does not define a word by variables that were listed")]
    Word(String),
    /// A literal is not of the form `name.bit=value`.
    #[error("`{0}` is not a bit of a variable or word that was listed, with a value")]
    Literal(String),
}

/// The certificate that a text states, for a system.
///
/// # Errors
/// The text is malformed, or belongs to another system.
pub fn read(system: &System, text: &str) -> Result<Certificate, TextError> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line)).peekable();
    let end = text.lines().count() + 1;
    let error = |line, problem| TextError { line, problem };
    let expected = |line, what| TextError { line, problem: TextProblem::Expected(what) };
    let mut record = |what: &'static str| lines.next().ok_or_else(|| expected(end, what));
    let (line, header) = record(HEADER)?;
    if header != HEADER {
        return Err(expected(line, HEADER));
    }
    let (line, depth) = record("depth")?;
    let depth = depth.strip_prefix("depth ").and_then(|depth| depth.parse().ok());
    let depth = depth.filter(|depth| *depth > 0).ok_or_else(|| expected(line, "depth"))?;
    let (line, distinct) = record("distinct")?;
    let distinct = match distinct {
        "distinct yes" => true,
        "distinct no" => false,
        _ => return Err(expected(line, "distinct")),
    };
    let names: FxHashMap<&str, usize> =
        system.states.iter().enumerate().map(|(index, state)| (state.name.as_str(), index)).collect();
    let mut listed: FxHashMap<&str, usize> = FxHashMap::default();
    let mut clauses: Vec<Clause> = Vec::new();
    let mut words: Vec<Word> = Vec::new();
    let mut bits = FxHashMap::default();
    let causes = system.bads.iter().enumerate().map(|(index, bad)| (bad_name(system, bad.cause), index));
    let mut properties: FxHashMap<String, usize> = causes.collect();
    let mut bads = Vec::new();
    for (line, text) in lines.by_ref() {
        if text == "end" {
            return match lines.next() {
                None => {
                    bads.sort_unstable();
                    Ok(Certificate { bads, invariant: Invariant { depth, distinct, words, clauses } })
                }
                Some((line, _)) => Err(expected(line, "nothing")),
            };
        }
        if let Some(name) = text.strip_prefix("property ").filter(|_| listed.is_empty() && clauses.is_empty())
        {
            let position = properties.remove(name);
            bads.push(position.ok_or_else(|| error(line, TextProblem::Property(name.to_owned())))?);
        } else if let Some(rest) =
            text.strip_prefix("state ").filter(|_| clauses.is_empty() && words.is_empty())
        {
            let name = rest.split(' ').next().unwrap_or_default();
            let known = names.get(name).filter(|index| state(&system.states[**index]) == text);
            let index = known.ok_or_else(|| error(line, TextProblem::Unknown(name.to_owned())))?;
            listed.insert(name, *index);
            bits.insert(name, (*index as u32, system.states[*index].ty.bits));
        } else if let Some(rest) = text.strip_prefix("word ").filter(|_| clauses.is_empty()) {
            let problem = || error(line, TextProblem::Word(rest.to_owned()));
            let (name, word) = word(&listed, rest).ok_or_else(problem)?;
            let number = (system.states.len() + words.len()) as u32;
            if names.contains_key(name) || bits.insert(name, (number, word.bits())).is_some() {
                return Err(problem());
            }
            words.push(word);
        } else if let Some(rest) = text.strip_prefix("term ").filter(|_| clauses.is_empty()) {
            let problem = || error(line, TextProblem::Word(rest.to_owned()));
            let (name, operators) = rest.split_once(' ').ok_or_else(problem)?;
            let definition = definition_text::read(system, &listed, operators).ok_or_else(problem)?;
            let number = (system.states.len() + words.len()) as u32;
            if names.contains_key(name) || bits.insert(name, (number, definition.bits())).is_some() {
                return Err(problem());
            }
            words.push(Word::Term(definition));
        } else if let Some(rest) = text.strip_prefix("clause") {
            let words = rest.split(' ').skip(1);
            let literals = words.map(|word| {
                literal(&bits, word).ok_or_else(|| error(line, TextProblem::Literal(word.to_owned())))
            });
            clauses.push(literals.collect::<Result<_, _>>()?);
        } else {
            return Err(expected(line, "clause"));
        }
    }
    Err(expected(end, "end"))
}

/// The name of a word and its definition.
fn word<'t>(listed: &FxHashMap<&str, usize>, text: &'t str) -> Option<(&'t str, Word)> {
    let mut parts = text.split(' ');
    let name = parts.next().filter(|name| !name.is_empty())?;
    let bits = number(parts.next()?).filter(|bits| (1..=i64::from(MOST_BITS)).contains(bits))? as u8;
    let summand = |part: &str| {
        let (factor, name) = part.split_once('*')?;
        Some((*listed.get(name)? as u32, number(factor)?))
    };
    let sum: Option<Vec<_>> = parts.map(summand).collect();
    Some((name, Word::Sum { bits, sum: sum? }))
}

/// A number in the form in which it is written.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number: &i64| number.to_string() == text)
}

fn literal(bits: &FxHashMap<&str, (u32, u8)>, word: &str) -> Option<Literal> {
    let (place, value) = word.rsplit_once('=')?;
    let (name, bit) = place.rsplit_once('.')?;
    let (of, most) = *bits.get(name)?;
    let bit: u8 = bit.parse().ok().filter(|bit| *bit < most)?;
    let value = match value {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    Some(Literal { bit: Bit { of, bit }, value })
}
