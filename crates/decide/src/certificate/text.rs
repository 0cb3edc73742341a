//! The text of certificates. A line is one record; the order of records is fixed:
//!
//! ```text
//! axle-invariant 1
//! depth 1
//! distinct no
//! state count 16 unsigned 0
//! clause count.3=0 count.0=1
//! end
//! ```
//!
//! `state` lists each state variable that occurs in a clause with its bits, its sign and its initial
//! value; `count.3` is the bit of weight 8. The check compares these records with the model.
//!
//! *Entry points:* [`write`], [`read`].
//! *Invariant:* reading what was written returns an equal invariant, and every other text is an error.

use std::fmt::Write;

use axle_model::IntType;
use rustc_hash::FxHashMap;

use super::{Clause, Invariant, Literal};
use crate::circuit::Bit;
use crate::system::{StateVariable, System};

/// The first line.
const HEADER: &str = "axle-invariant 1";

/// The text of an invariant of a system.
#[must_use]
pub fn write(system: &System, invariant: &Invariant) -> String {
    let mut text = format!("{HEADER}\ndepth {}\n", invariant.depth);
    let _ = writeln!(text, "distinct {}", if invariant.distinct { "yes" } else { "no" });
    let literals = invariant.clauses.iter().flatten();
    let mut used: Vec<u32> = literals.map(|literal| literal.bit.of).collect();
    used.sort_unstable();
    used.dedup();
    for of in used {
        let _ = writeln!(text, "{}", state(&system.states[of as usize]));
    }
    for clause in &invariant.clauses {
        text.push_str("clause");
        for literal in clause {
            let name = &system.states[literal.bit.of as usize].name;
            let _ = write!(text, " {name}.{}={}", literal.bit.bit, u8::from(literal.value));
        }
        text.push('\n');
    }
    text.push_str("end\n");
    text
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
    /// A literal is not of the form `name.bit=value`.
    #[error("`{0}` is not a bit of a state variable that was listed, with a value")]
    Literal(String),
}

/// The invariant that a text states, for a system.
///
/// # Errors
/// The text is malformed, or belongs to another system.
pub fn read(system: &System, text: &str) -> Result<Invariant, TextError> {
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
    for (line, text) in lines.by_ref() {
        if text == "end" {
            return match lines.next() {
                None => Ok(Invariant { depth, distinct, clauses }),
                Some((line, _)) => Err(expected(line, "nothing")),
            };
        }
        if let Some(rest) = text.strip_prefix("state ").filter(|_| clauses.is_empty()) {
            let name = rest.split(' ').next().unwrap_or_default();
            let known = names.get(name).filter(|index| state(&system.states[**index]) == text);
            let index = known.ok_or_else(|| error(line, TextProblem::Unknown(name.to_owned())))?;
            listed.insert(name, *index);
        } else if let Some(rest) = text.strip_prefix("clause") {
            let words = rest.split(' ').skip(1);
            let literals = words.map(|word| {
                literal(system, &listed, word)
                    .ok_or_else(|| error(line, TextProblem::Literal(word.to_owned())))
            });
            clauses.push(literals.collect::<Result<_, _>>()?);
        } else {
            return Err(expected(line, "clause"));
        }
    }
    Err(expected(end, "end"))
}

fn literal(system: &System, listed: &FxHashMap<&str, usize>, word: &str) -> Option<Literal> {
    let (place, value) = word.rsplit_once('=')?;
    let (name, bit) = place.rsplit_once('.')?;
    let of = *listed.get(name)?;
    let bit: u8 = bit.parse().ok().filter(|bit| *bit < system.states[of].ty.bits)?;
    let value = match value {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    Some(Literal { bit: Bit { of: of as u32, bit }, value })
}
