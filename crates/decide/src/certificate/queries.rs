//! The three queries of a certificate as SMT-LIB, for other solvers: each is unsatisfiable if the
//! certificate is valid.
//!
//! *Entry point:* [`queries`].
//! *Invariant:* the queries state what [`super::check`] decides.

use std::fmt::Write;

use super::check::relevant_bits;
use crate::circuit::Bit;
use crate::invariant::{Invariant, Word};
use crate::smtlib::{Names, body, constant};
use crate::system::System;
use crate::term::TermId;

/// Initiation, consecution and safety, for the bad conditions at these positions.
#[must_use]
pub fn queries(system: &System, bads: &[usize], invariant: &Invariant) -> [String; 3] {
    let mut with_terms = system.clone();
    let terms: Vec<Option<TermId>> = (invariant.words.iter())
        .map(|word| match word {
            Word::Sum { .. } => None,
            Word::Term(definition) => definition.term(&mut with_terms),
        })
        .collect();
    let (system, words) = (&with_terms, &terms[..]);
    let depth = invariant.depth as usize;
    let begin = |text: &str| format!("; {text}\n(set-logic QF_BV)\n");
    let mut initiation = begin("initiation: one of the first states violates the invariant or is bad");
    let mut violated = Vec::new();
    for frame in 0..depth {
        let start = if frame == 0 { Start::Initial } else { Start::Step };
        initiation.push_str(&states(system, bads, (invariant, words), frame, start));
        violated.push(format!("(not good{frame}) bad{frame}"));
    }
    let _ = write!(initiation, "(assert (or {}))\n(check-sat)\n", violated.join(" "));
    let mut step = String::new();
    for frame in 0..=depth {
        let start = if frame == 0 { Start::Any } else { Start::Step };
        step.push_str(&states(system, bads, (invariant, words), frame, start));
    }
    for frame in 0..depth {
        let _ = writeln!(step, "(assert (and good{frame} (not bad{frame})))");
    }
    if invariant.distinct {
        let relevant = relevant_bits(system, bads);
        for (one, other) in (0..=depth).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let names = |frame| Names { frame };
            let equal = relevant.iter().map(|Bit { of, bit }| {
                let variable = system.states[*of as usize].variable;
                let value = |frame| {
                    format!("((_ extract {bit} {bit}) {})", names(frame).name(&system.terms, variable))
                };
                format!(" (= {} {})", value(one), value(other))
            });
            let _ = writeln!(step, "(assert (not (and true{})))", equal.collect::<String>());
        }
    }
    let consecution = begin("consecution: a step leaves the invariant");
    let consecution = format!("{consecution}{step}(assert (not good{depth}))\n(check-sat)\n");
    let safety = begin("safety: a step within the invariant reaches a bad state");
    let safety = format!("{safety}{step}(assert (and good{depth} bad{depth}))\n(check-sat)\n");
    [initiation, consecution, safety]
}

/// The values of the state variables of a frame.
#[derive(Clone, Copy)]
enum Start {
    Initial,
    Any,
    Step,
}

/// The definitions of one frame: variables, terms, and whether it satisfies the clauses and is bad.
fn states(
    system: &System,
    bads: &[usize],
    (invariant, words): (&Invariant, &[Option<TermId>]),
    frame: usize,
    start: Start,
) -> String {
    let mut text = String::new();
    let (names, terms) = (Names { frame }, &system.terms);
    let define = |text: &mut String, id: TermId, value: String| {
        let (name, width) = (names.name(terms, id), terms.width(id));
        let _ = writeln!(text, "(define-fun {name} () (_ BitVec {width}) {value})");
    };
    let declare = |text: &mut String, id: TermId| {
        let (name, width) = (names.name(terms, id), terms.width(id));
        let _ = writeln!(text, "(declare-const {name} (_ BitVec {width})) ");
    };
    for state in &system.states {
        match start {
            Start::Any => declare(&mut text, state.variable),
            Start::Initial => {
                let value = state.initial as u128 & crate::term::mask(state.ty.bits);
                define(&mut text, state.variable, constant(state.ty.bits, value));
            }
            Start::Step => {
                let before = Names { frame: frame - 1 };
                define(&mut text, state.variable, before.name(terms, state.next));
            }
        }
    }
    system.inputs.iter().for_each(|input| declare(&mut text, input.variable));
    let nexts = system.states.iter().map(|state| state.next);
    let bads: Vec<TermId> = bads.iter().map(|bad| system.bads[*bad].condition).collect();
    for id in terms.cone(nexts.chain(bads.iter().copied()).chain(words.iter().flatten().copied())) {
        if let Some(value) = body(terms, id, names) {
            define(&mut text, id, value);
        }
    }
    for (number, word) in invariant.words.iter().enumerate() {
        let value = match (word, words[number]) {
            (_, Some(term)) => names.name(terms, term),
            (Word::Sum { bits, sum }, None) => sum.iter().fold(constant(*bits, 0), |sum, (of, factor)| {
                let state = &system.states[*of as usize];
                let value = resized(&names.name(terms, state.variable), state.ty, *bits);
                let factor = constant(*bits, *factor as i128 as u128 & crate::term::mask(*bits));
                format!("(bvadd {sum} (bvmul {factor} {value}))")
            }),
            // The system does not have its variables: the certificate is refused by the check.
            (Word::Term(_), None) => continue,
        };
        let _ = writeln!(text, "(define-fun w{number}_{frame} () (_ BitVec {}) {value})", word.bits());
    }
    let clauses = invariant.clauses.iter().map(|clause| {
        let literals = clause.iter().map(|literal| {
            let (of, bit) = (literal.bit.of as usize, literal.bit.bit);
            let name = match system.states.get(of) {
                Some(state) => names.name(terms, state.variable),
                None => format!("w{}_{frame}", of - system.states.len()),
            };
            format!(" (= ((_ extract {bit} {bit}) {name}) #b{})", u8::from(literal.value))
        });
        format!("\n  (or false{})", literals.collect::<String>())
    });
    let _ = writeln!(text, "(define-fun good{frame} () Bool (and true{}))", clauses.collect::<String>());
    let bads = bads.iter().map(|bad| format!(" (= {} #b1)", names.name(terms, *bad)));
    let _ = writeln!(text, "(define-fun bad{frame} () Bool (or false{}))", bads.collect::<String>());
    text
}

/// A value of a type in another number of bits.
fn resized(name: &str, ty: axle_model::IntType, bits: u8) -> String {
    match bits.checked_sub(ty.bits) {
        None => format!("((_ extract {} 0) {name})", bits - 1),
        Some(more) => {
            let extend = if ty.signed { "sign_extend" } else { "zero_extend" };
            format!("((_ {extend} {more}) {name})")
        }
    }
}
